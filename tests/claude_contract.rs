//! The format contract with Claude Code: genuine payloads and transcripts of client 2.1.332, sanitized,
//! read to exactly these events; and hostile ones, read to exactly what can be told of them.
//!
//! A fixture without an expectation fails, and so does an expectation without a fixture.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use proptest::prelude::{ProptestConfig, any, proptest};
use turnstop::agent::ValueEnd;
use turnstop::agent::claude::transcript::{Counters, Reader, Seen};
use turnstop::agent::claude::{hook, layout};
use turnstop::session::event::{Action, Call, Event, EventKind, Outcome};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude")
}

/// An event in one line: everything of it that a rule may look at.
fn brief(event: &Event<'_>) -> String {
    let kind = match &event.kind {
        EventKind::SessionStart(source) => format!("start {source:?}"),
        EventKind::Prompt { text, by_person } => {
            format!("{} {:?}", if *by_person { "prompt" } else { "notice" }, first_line(text))
        }
        EventKind::TasksEnded(tasks) => {
            let ends: Vec<String> = tasks.iter().map(|task| format!("{} {:?}", task.task, task.end)).collect();
            format!("tasks-ended {}", ends.join(", "))
        }
        EventKind::CallStarted(call) => format!("call {}", brief_call(call)),
        EventKind::CallEnded { call, outcome } => format!("end {} -> {}", brief_call(call), brief_outcome(outcome)),
        EventKind::TurnEnd { message, continued, background } => {
            format!("turn-end{}{} {message:?}", flag(*continued, " continued"), flag(*background, " background"))
        }
        EventKind::AgentEnd { message } => format!("agent-end {message:?}"),
        EventKind::BeforeCompact => "compact".to_owned(),
    };
    format!("{}{kind}", if event.agent.is_empty() { String::new() } else { format!("@{} ", event.agent) })
}

fn brief_call(call: &Call<'_>) -> String {
    let action = match &call.action {
        Action::Shell { command, dialect } => format!("{dialect:?} {command:?}"),
        Action::Write { path } => format!("write {path}"),
        Action::Edit { path } => format!("edit {path}"),
        Action::Read { path } => format!("read {path}"),
        Action::Ask => "ask".to_owned(),
        Action::Other => "other".to_owned(),
    };
    let id = call.id.trim_start_matches("toolu_").trim_end_matches("mock");
    format!("{}#{id}: {action}{}", call.tool, flag(call.background, " &"))
}

fn brief_outcome(outcome: &Outcome<'_>) -> String {
    match outcome {
        Outcome::NotRun(why) => format!("not run: {why:?}"),
        Outcome::Launched { task } => format!("launched {task}"),
        Outcome::Untold { output } => format!("untold {:?}", first_line(output)),
        Outcome::Failed { status, timed_out, output } => {
            let status = status.map_or("?".to_owned(), |status| status.to_string());
            format!("failed {status}{} {:?}", flag(*timed_out, " timed out"), first_line(output))
        }
        Outcome::Succeeded { output, interpretation, truncated, .. } => {
            let interpretation = interpretation.as_ref().map_or(String::new(), |text| format!(" ({text})"));
            format!("ok{interpretation}{} {:?}", flag(*truncated, " cut"), first_line(output))
        }
    }
}

fn flag(set: bool, word: &str) -> &str {
    if set { word } else { "" }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Every fixture payload and its event; `None` for an event turnstop does not follow.
const PAYLOADS: &[(&str, Option<&str>)] = &[
    ("ConfigChange-local_settings", None),
    ("CwdChanged", None),
    ("MessageDisplay", None),
    ("Notification-permission_prompt", None),
    ("PermissionDenied", None),
    ("PermissionRequest", None),
    ("PostCompact-auto", None),
    ("PostCompact-manual", None),
    ("PostToolBatch-2", None),
    ("PostToolBatch-edit-input-error", None),
    ("PostToolBatch-one-in-subagent", None),
    ("PostToolBatch-one", None),
    ("PostToolUse-agent-async_launched", Some("end Agent#0000001500: other -> launched a0000000000000001")),
    ("PostToolUse-agent-completed", Some(r#"end Agent#0000000100: other -> ok """#)),
    ("PostToolUse-bash-background", Some(r#"end Bash#0000001200: Bash "sleep 1; echo bgdone" & -> launched bg0000001"#)),
    ("PostToolUse-bash-cd", Some(r#"end Bash#0000001700: Bash "mkdir -p sub && cd sub && pwd" -> ok "/home/dev/app/sub""#)),
    ("PostToolUse-bash-empty-output", Some(r#"end Bash#0000000300: Bash "true" -> ok """#)),
    ("PostToolUse-bash-in-subagent", Some(r#"@a0000000000000001 end Bash#0000001600: Bash "echo insub" -> ok "insub""#)),
    ("PostToolUse-bash-large-output", Some(r#"end Bash#0000000100: Bash "seq 1 20000" -> ok cut "1""#)),
    ("PostToolUse-bash-success", Some(r#"end Bash#0000000100: Bash "echo hi; echo err >&2" -> ok "hi""#)),
    ("PostToolUse-bash", Some(r#"end Bash#0000001301: Bash "echo p2" -> ok "p2""#)),
    ("PostToolUse-edit", Some(r#"end Edit#0000000500: edit /home/dev/app/a.txt -> ok """#)),
    ("PostToolUse-notebookedit", Some(r#"end NotebookEdit#0000000900: edit /home/dev/app/nb.ipynb -> ok """#)),
    ("PostToolUse-read-notebook", Some(r#"end Read#0000000800: read /home/dev/app/nb.ipynb -> ok """#)),
    ("PostToolUse-read", Some(r#"end Read#0000000400: read /home/dev/app/a.txt -> ok """#)),
    ("PostToolUse-write-create", Some(r#"end Write#0000000600: write /home/dev/app/new.txt -> ok """#)),
    ("PostToolUse-write-update", Some(r#"end Write#0000000700: write /home/dev/app/new.txt -> ok """#)),
    ("PostToolUseFailure-bash-exit1-in-subagent", Some(r#"@a0000000000000001 end Bash#0000001800: Bash "false" -> failed 1 """#)),
    ("PostToolUseFailure-bash-exit3", Some(r#"end Bash#0000000200: Bash "echo partial; echo bad >&2; exit 3" -> failed 3 "partial""#)),
    ("PostToolUseFailure-bash-large-output", Some(r#"end Bash#0000000200: Bash "seq 1 20000; exit 2" -> failed 2 "1""#)),
    ("PostToolUseFailure-bash-timed-out", Some(r#"end Bash#0000001400: Bash "sleep 5" -> failed 143 timed out """#)),
    ("PostToolUseFailure-bash", Some(r#"end Bash#0000000300: Bash "exit 3" -> failed 3 """#)),
    (
        "PostToolUseFailure-read",
        Some(
            r#"end Read#0000001000: read /home/dev/app/missing.txt -> failed ? "File does not exist. Note: your current working directory is /home/dev/app.""#,
        ),
    ),
    ("PreCompact-auto", Some("compact")),
    ("PreCompact-manual", Some("compact")),
    ("PreToolUse-agent", Some("call Agent#0000001500: other")),
    ("PreToolUse-bash-background", Some(r#"call Bash#0000001200: Bash "sleep 1; echo bgdone" &"#)),
    ("PreToolUse-bash-cd", Some(r#"call Bash#0000001700: Bash "mkdir -p sub && cd sub && pwd""#)),
    ("PreToolUse-bash-empty-output", Some(r#"call Bash#0000000300: Bash "true""#)),
    ("PreToolUse-bash-exit1-in-subagent", Some(r#"@a0000000000000001 call Bash#0000001800: Bash "false""#)),
    ("PreToolUse-bash-exit3", Some(r#"call Bash#0000000200: Bash "echo partial; echo bad >&2; exit 3""#)),
    ("PreToolUse-bash-in-subagent", Some(r#"@a0000000000000001 call Bash#0000001600: Bash "echo insub""#)),
    ("PreToolUse-bash-needs-permission", Some(r#"call Bash#0000000100: Bash "curl http://127.0.0.1:8080/""#)),
    ("PreToolUse-bash-success", Some(r#"call Bash#0000000100: Bash "echo hi; echo err >&2""#)),
    ("PreToolUse-bash-timed-out", Some(r#"call Bash#0000001400: Bash "sleep 5""#)),
    ("PreToolUse-bash", Some(r#"call Bash#0000001300: Bash "echo p1""#)),
    ("PreToolUse-edit", Some("call Edit#0000000500: edit /home/dev/app/a.txt")),
    ("PreToolUse-notebookedit", Some("call NotebookEdit#0000000900: edit /home/dev/app/nb.ipynb")),
    ("PreToolUse-read-notebook", Some("call Read#0000000800: read /home/dev/app/nb.ipynb")),
    ("PreToolUse-read", Some("call Read#0000000400: read /home/dev/app/a.txt")),
    ("PreToolUse-write", Some("call Write#0000000600: write /home/dev/app/new.txt")),
    ("SessionEnd-clear", None),
    ("SessionEnd-other", None),
    ("SessionStart-clear", Some("start Clear")),
    ("SessionStart-compact", Some("start Compact")),
    ("SessionStart-fork", Some("start Fork")),
    ("SessionStart-resume", Some("start Resume")),
    ("SessionStart-startup", Some("start Startup")),
    ("Stop-active", Some(r#"turn-end continued "Second answer.""#)),
    ("Stop-first-background-running", Some(r#"turn-end background "All done, everything passes.""#)),
    ("Stop-first", Some(r#"turn-end "done""#)),
    ("StopFailure-bad-request", None),
    ("SubagentStart", None),
    ("SubagentStop-background", Some(r#"@a0000000000000001 agent-end "The subagent report.""#)),
    ("SubagentStop-compaction", None),
    ("SubagentStop-foreground-active", Some(r#"@a0000000000000001 agent-end "Sub report two.""#)),
    ("SubagentStop-foreground", Some(r#"@a0000000000000001 agent-end "Sub report one.""#)),
    ("UserPromptSubmit-prompt", Some(r#"prompt "do the work""#)),
    ("UserPromptSubmit-task-notification", Some("tasks-ended bg0000001 Exited(0)")),
];

#[test]
fn every_payload_reads_as_expected() {
    let mut expected: BTreeMap<_, _> = PAYLOADS.iter().copied().collect();
    for entry in fs::read_dir(fixtures().join("payloads")).expect("folder") {
        let path = entry.expect("entry").path();
        let name = path.file_stem().expect("name").to_str().expect("name");
        let input = fs::read(&path).expect("payload");
        let payload = hook::parse(&input);
        let read = payload.as_ref().map(|payload| brief(&payload.event));
        let expected = expected.remove(name).unwrap_or_else(|| panic!("no expectation for {name}: {read:?}"));
        assert_eq!(read.as_deref(), expected, "{name}");
        if let Some(payload) = payload {
            assert!(name.starts_with(&*payload.name), "{name}");
            assert!(payload.transcript_path.is_some() && !payload.event.session.is_empty(), "{name}");
            assert!(payload.event.cwd.starts_with("/home/dev/app"), "{name}");
        }
        // The scanner that ends standard input finds the same end, and what stands around changes nothing.
        let end = ValueEnd::default().feed(&input).expect("an end");
        assert_eq!(end, input.trim_ascii_end().len(), "{name}");
        let mut longer = b"\xEF\xBB\xBF".to_vec();
        longer.extend_from_slice(&input[..end]);
        longer.extend_from_slice(b"{\"hook_event_name\":\"Stop\"}\xff");
        assert_eq!(hook::parse(&longer).map(|payload| brief(&payload.event)).as_deref(), expected, "{name}");
    }
    assert!(expected.is_empty(), "expectations without a fixture: {expected:?}");
}

#[test]
fn a_payload_cut_anywhere_is_survived() {
    for entry in fs::read_dir(fixtures().join("payloads")).expect("folder") {
        let input = fs::read(entry.expect("entry").path()).expect("payload");
        for end in 0..input.len() {
            hook::parse(&input[..end]);
        }
    }
}

/// Every fixture transcript and its events, with the line each was read from.
const TRANSCRIPTS: &[(&str, &[&str])] = &[
    (
        "auto-compaction",
        &[
            r#"3 prompt "do it""#,
            r#"22 call Bash#0000000100: Bash "echo one""#,
            r#"25 end Bash#0000000100: Bash "echo one" -> ok "one""#,
            "31 compact",
            r#"47 call Bash#0000000300: Bash "echo two""#,
            r#"50 end Bash#0000000300: Bash "echo two" -> ok "two""#,
            r#"55 turn-end "End.""#,
        ],
    ),
    (
        "pretooluse-deny",
        &[
            r#"3 prompt "do it""#,
            r#"22 call Bash#0000000100: Bash "echo RAN >> marker.txt; echo hi-out""#,
            r#"27 end Bash#0000000100: Bash "echo RAN >> marker.txt; echo hi-out" -> not run: Denied"#,
            r#"34 call Bash#0000000200: Bash "echo RAN2 >> marker.txt; exit 3""#,
            r#"35 end Bash#0000000200: Bash "echo RAN2 >> marker.txt; exit 3" -> failed 3 """#,
            r#"37 turn-end "T2 all done.""#,
        ],
    ),
    (
        "resume-and-compaction-fork",
        &[
            "6 compact",
            r#"8 turn-end "Answer two.""#,
            r#"11 prompt "/compact keep it short""#,
            r#"18 prompt "third prompt""#,
            r#"23 turn-end "Answer three.""#,
            r#"26 prompt "forked""#,
            r#"33 turn-end "Answer four.""#,
        ],
    ),
    (
        "resume-and-compaction",
        &[
            r#"3 prompt "first prompt""#,
            r#"22 call Bash#0000000100: Bash "echo one""#,
            r#"25 end Bash#0000000100: Bash "echo one" -> ok "one""#,
            r#"30 turn-end "Answer one.""#,
            r#"37 prompt "second prompt""#,
            r#"39 turn-end "Answer two.""#,
            "48 compact",
            r#"51 prompt "/compact keep it short""#,
            r#"62 prompt "third prompt""#,
            r#"74 turn-end "Answer three.""#,
        ],
    ),
    ("stop-block-and-message", &[r#"3 prompt "do it""#, r#"20 turn-end "First answer.""#, r#"31 turn-end continued "Second answer.""#]),
    (
        "tools-and-subagent",
        &[
            r#"3 prompt "do the work""#,
            r#"20 call Bash#0000000100: Bash "echo hi; echo err >&2""#,
            r#"23 end Bash#0000000100: Bash "echo hi; echo err >&2" -> ok "hi""#,
            r#"29 call Bash#0000000200: Bash "echo partial; echo bad >&2; exit 3""#,
            r#"30 end Bash#0000000200: Bash "echo partial; echo bad >&2; exit 3" -> failed 3 "partial""#,
            r#"33 call Bash#0000000300: Bash "true""#,
            r#"34 end Bash#0000000300: Bash "true" -> ok """#,
            "38 call Read#0000000400: read /home/dev/app/a.txt",
            r#"39 end Read#0000000400: read /home/dev/app/a.txt -> ok """#,
            "43 call Edit#0000000500: edit /home/dev/app/a.txt",
            r#"44 end Edit#0000000500: edit /home/dev/app/a.txt -> ok """#,
            "48 call Write#0000000600: write /home/dev/app/new.txt",
            r#"49 end Write#0000000600: write /home/dev/app/new.txt -> ok """#,
            "52 call Write#0000000700: write /home/dev/app/new.txt",
            r#"53 end Write#0000000700: write /home/dev/app/new.txt -> ok """#,
            "56 call Read#0000000800: read /home/dev/app/nb.ipynb",
            r#"57 end Read#0000000800: read /home/dev/app/nb.ipynb -> ok """#,
            "63 call NotebookEdit#0000000900: edit /home/dev/app/nb.ipynb",
            r#"64 end NotebookEdit#0000000900: edit /home/dev/app/nb.ipynb -> ok """#,
            "67 call Read#0000001000: read /home/dev/app/missing.txt",
            r#"68 end Read#0000001000: read /home/dev/app/missing.txt -> failed ? "File does not exist. Note: your current working directory is /home/dev/app.""#,
            "71 call Edit#0000001100: edit /home/dev/app/a.txt",
            "72 end Edit#0000001100: edit /home/dev/app/a.txt -> not run: InvalidInput",
            r#"75 call Bash#0000001200: Bash "sleep 1; echo bgdone" &"#,
            r#"76 end Bash#0000001200: Bash "sleep 1; echo bgdone" & -> launched bg0000001"#,
            r#"79 call Bash#0000001300: Bash "echo p1""#,
            r#"80 call Bash#0000001301: Bash "echo p2""#,
            r#"81 end Bash#0000001301: Bash "echo p2" -> ok "p2""#,
            r#"82 end Bash#0000001300: Bash "echo p1" -> ok "p1""#,
            r#"86 call Bash#0000001400: Bash "sleep 5""#,
            r#"87 end Bash#0000001400: Bash "sleep 5" -> failed 143 timed out """#,
            "89 tasks-ended bg0000001 Exited(0)",
            "94 call Agent#0000001500: other",
            "97 end Agent#0000001500: other -> launched a0000000000000001",
            r#"100 call Bash#0000001700: Bash "mkdir -p sub && cd sub && pwd""#,
            r#"101 end Bash#0000001700: Bash "mkdir -p sub && cd sub && pwd" -> ok "/home/dev/app/sub""#,
            r#"105 turn-end "All done, everything passes.""#,
            "109 tasks-ended a0000000000000001 Completed",
            r#"112 turn-end "done""#,
        ],
    ),
    (
        "agent-a0000000000000001",
        &[
            r#"1 @a0000000000000001 notice "[[agent:a1]] look around""#,
            r#"15 @a0000000000000001 call Bash#0000001600: Bash "echo insub""#,
            r#"16 @a0000000000000001 end Bash#0000001600: Bash "echo insub" -> ok "insub""#,
            r#"22 @a0000000000000001 call Bash#0000001800: Bash "false""#,
            r#"23 @a0000000000000001 end Bash#0000001800: Bash "false" -> failed 1 """#,
            r#"25 @a0000000000000001 agent-end "The subagent report.""#,
        ],
    ),
];

fn all_transcripts() -> Vec<PathBuf> {
    let main = layout::transcripts(&fixtures().join("transcripts"));
    let subagents: Vec<_> = main.iter().flat_map(|path| layout::subagents(path)).collect();
    main.into_iter().chain(subagents).collect()
}

fn numbered(event: &Event<'_>) -> String {
    format!("{} {}", event.line, brief(event))
}

fn read_file(path: &Path) -> (Vec<String>, Counters) {
    let mut events = Vec::new();
    let mut reader = Reader::open(path).expect("transcript");
    reader.read(&mut |event| events.push(numbered(event))).expect("readable");
    assert_eq!(reader.offset(), fs::metadata(path).expect("size").len());
    let (counters, _) = reader.finish(&mut |event| events.push(numbered(event)));
    (events, counters)
}

fn number(count: usize) -> u32 {
    count.try_into().expect("a small number")
}

#[test]
fn every_transcript_reads_as_expected() {
    let mut expected: BTreeMap<_, _> = TRANSCRIPTS.iter().copied().collect();
    for path in all_transcripts() {
        let name = path.file_stem().expect("name").to_str().expect("name");
        let (events, counters) = read_file(&path);
        let expected = expected.remove(name).unwrap_or_else(|| panic!("no expectation for {name}: {events:#?}"));
        assert_eq!(events, expected, "{name}");
        let lines = fs::read_to_string(&path).expect("text").lines().count();
        let explained = Counters { lines: number(lines), events: number(events.len()), ..Counters::default() };
        assert_eq!(counters, explained, "{name}");
    }
    assert!(expected.is_empty(), "expectations without a fixture: {expected:?}");
}

#[test]
fn where_and_when_are_those_of_the_line() {
    let mut places = BTreeMap::new();
    let mut reader = Reader::open(&fixtures().join("transcripts/tools-and-subagent.jsonl")).expect("transcript");
    let mut look = |event: &mut Event<'_>| {
        assert_eq!((&*event.session, event.branch.as_deref()), ("00000000-0000-4000-8000-000000000001", Some("main")));
        assert!(event.time.as_deref().is_some_and(|time| time.starts_with("2026-11-30T")));
        places.insert(event.line, event.cwd.clone().into_owned());
    };
    reader.read(&mut look).expect("readable");
    reader.finish(&mut look);
    assert_eq!((&*places[&100], &*places[&101]), ("/home/dev/app", "/home/dev/app/sub"));
}

/// A hook and a transcript tell the same of the same calls.
#[test]
fn live_and_recorded_calls_agree() {
    let (recorded, _) = read_file(&fixtures().join("transcripts/tools-and-subagent.jsonl"));
    let mut compared = 0;
    for (name, live) in PAYLOADS {
        let Some(live) = live.filter(|live| live.starts_with("end ")) else { continue };
        let call = live.split(" -> ").next().expect("a call");
        if let Some(found) = recorded.iter().find(|event| event.contains(call)) {
            assert!(found.ends_with(live), "{name}: {live} / {found}");
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared}");
}

#[test]
fn reading_may_stop_after_any_line_and_go_on() {
    for path in all_transcripts() {
        let (whole, counters) = read_file(&path);
        for stop in [1, 2, 7, 20] {
            let mut events = Vec::new();
            let mut reader = Reader::open(&path).expect("transcript");
            let mut at_end = false;
            while !at_end {
                let mut left = stop;
                let mut go_on = |_| {
                    left -= 1;
                    left >= 0
                };
                at_end = reader.read_while(&mut go_on, &mut |event| events.push(numbered(event))).expect("readable");
            }
            let (read, _) = reader.finish(&mut |event| events.push(numbered(event)));
            assert_eq!((&events, &read), (&whole, &counters));
        }
    }
}

#[test]
fn another_reader_goes_on_at_the_offset() {
    let path = fixtures().join("transcripts/tools-and-subagent.jsonl");
    let (whole, _) = read_file(&path);
    let mut first = Reader::open(&path).expect("transcript");
    let at_end = first.read_while(&mut |bytes| bytes < 20_000, &mut |_| {}).expect("readable");
    assert!(!at_end && first.offset() >= 20_000);
    let mut events = Vec::new();
    let mut second = Reader::open_at(&path, first.offset(), first.line()).expect("transcript");
    second.read(&mut |event| events.push(numbered(event))).expect("readable");
    assert_eq!(second.offset(), fs::metadata(&path).expect("size").len());
    assert!(!events.is_empty() && events.iter().all(|event| whole.contains(event)), "{events:#?}");
    let too_far = Reader::open_at(&path, 1 << 40, 0).expect_err("shorter");
    assert_eq!(too_far.kind(), std::io::ErrorKind::UnexpectedEof);
    assert!(Reader::open(&fixtures()).is_err());
}

/// The events of a made-up transcript, without line numbers.
fn read(lines: &[u8]) -> (Vec<String>, Counters) {
    let mut events = Vec::new();
    let mut reader = Reader::new(Cursor::new(lines));
    reader.read(&mut |event| events.push(brief(event))).expect("memory");
    let (counters, _) = reader.finish(&mut |event| events.push(brief(event)));
    (events, counters)
}

fn line(json: &str) -> String {
    format!("{json}\n")
}

fn tool_use(id: &str, input: &str) -> String {
    let block = format!(r#"{{"type":"tool_use","id":"{id}","name":"Bash","input":{input}}}"#);
    line(&format!(r#"{{"type":"assistant","message":{{"content":[{block}]}}}}"#))
}

fn tool_result(id: &str, content: &str) -> String {
    let block = format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"{content}"}}"#);
    line(&format!(r#"{{"type":"user","message":{{"content":[{block}]}}}}"#))
}

fn prompt(text: &str) -> String {
    line(&format!(r#"{{"type":"user","message":{{"content":"{text}"}}}}"#))
}

fn says(text: &str) -> String {
    line(&format!(r#"{{"type":"assistant","message":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#))
}

const LS: &str = r#"{"command":"ls"}"#;

#[test]
fn marks_blanks_and_foreign_line_ends() {
    let lines = format!("\u{feff}{}\r\n\n   \nnull\n7\n[]\n{}", prompt("a\u{2028}b").trim_end(), says("done"));
    let (events, counters) = read(lines.as_bytes());
    assert_eq!(events, ["prompt \"a\\u{2028}b\"", "turn-end \"done\""]);
    assert_eq!(counters, Counters { lines: 7, events: 2, misshapen: 3, ..Counters::default() });
}

#[test]
fn invalid_utf8_and_control_characters_cost_no_more_than_themselves() {
    let mut lines = b"{\"type\":\"user\",\"message\":{\"content\":\"a\xff\xfeb\"}}\n".to_vec();
    lines.extend_from_slice(b"{\"type\":\"user\",\"message\":{\"content\":\"raw \x07 bell\"}}\n\x00\x00\x00\n");
    lines.extend_from_slice(prompt(r"cut \ud83d pair").as_bytes());
    let (events, counters) = read(&lines);
    assert_eq!(events, ["prompt \"a\u{fffd}\u{fffd}b\"", "prompt \"raw \\u{7} bell\"", "prompt \"cut \u{fffd}\u{fffd}\u{fffd} pair\""]);
    assert_eq!(counters, Counters { lines: 4, events: 3, not_json: 1, ..Counters::default() });
}

#[test]
fn a_half_written_last_line_is_held_back_until_it_is_whole() {
    let (first, second) = (prompt("one"), prompt("two"));
    let mut file = tempfile::NamedTempFile::new().expect("file");
    file.write_all(format!("{first}{}", &second[..20]).as_bytes()).expect("written");
    let mut events = Vec::new();
    let mut reader = Reader::open(file.path()).expect("transcript");
    reader.read(&mut |event| events.push(brief(event))).expect("readable");
    assert_eq!((reader.offset(), reader.line(), reader.counters().half_last_line), (first.len() as u64, 1, true));

    file.write_all(&second.as_bytes()[20..]).expect("written");
    reader.read(&mut |event| events.push(brief(event))).expect("readable");
    assert_eq!((reader.line(), reader.counters().half_last_line), (2, false));
    assert_eq!(events, ["prompt \"one\"", "prompt \"two\""]);
}

#[test]
fn the_last_line_of_a_finished_file_may_lack_its_newline() {
    let (events, counters) = read(format!("{}{}", prompt("a"), says("b").trim_end()).as_bytes());
    assert_eq!(events, ["prompt \"a\"", "turn-end \"b\""]);
    assert_eq!(counters, Counters { lines: 2, events: 2, ..Counters::default() });
    let (events, counters) = read(format!("{}{}", prompt("a"), &says("b")[..40]).as_bytes());
    assert_eq!(events, ["prompt \"a\""]);
    assert_eq!(counters, Counters { lines: 1, events: 1, half_last_line: true, ..Counters::default() });
}

#[test]
fn two_records_on_one_line_are_no_record() {
    let (events, counters) = read(format!("{}{}", prompt("a").trim_end(), prompt("b")).as_bytes());
    assert_eq!((events.len(), counters.not_json), (0, 1));
}

#[test]
fn a_line_of_three_megabytes() {
    let long = "x\\n".repeat(1 << 20);
    let lines = [tool_use("t1", LS), tool_result("t1", &long), says(&long)];
    let (events, counters) = read(lines.concat().as_bytes());
    assert_eq!(events[..2], ["call Bash#t1: Bash \"ls\"", "end Bash#t1: Bash \"ls\" -> ok \"x\""]);
    assert_eq!((events.len(), counters.lines), (3, 3));
}

#[test]
fn a_line_too_long_is_left_out_and_the_next_one_read() {
    let lines = format!("{{\"type\":\"user\",\"x\":\"{}\"}}\n{}", "x".repeat(65 << 20), prompt("after"));
    let (events, counters) = read(lines.as_bytes());
    assert_eq!(events, ["prompt \"after\""]);
    assert_eq!(counters, Counters { lines: 2, events: 1, oversized: 1, ..Counters::default() });
}

#[test]
fn results_are_joined_once() {
    let lines = [
        tool_use("t1", LS),
        tool_result("t1", "first"),
        tool_result("t1", "second"),
        tool_result("early", "before its call"),
        tool_use("early", LS),
        tool_result("early", "again"),
        tool_use("t1", LS),
    ];
    let (events, counters) = read(lines.concat().as_bytes());
    let expected = [
        "call Bash#t1: Bash \"ls\"",
        "end Bash#t1: Bash \"ls\" -> ok \"first\"",
        "end #early: other -> ok \"before its call\"",
        "call Bash#early: Bash \"ls\"",
        "turn-end \"\"",
    ];
    assert_eq!(events, expected);
    assert_eq!(counters, Counters { lines: 7, events: 5, repeated_results: 2, duplicates: 1, ..Counters::default() });
}

#[test]
fn calls_and_results_may_share_a_line() {
    let calls = r#"{"type":"assistant","message":{"content":[
        {"type":"tool_use","id":"a","name":"Bash","input":{"command":"x"}},
        {"type":"tool_use","id":"b","name":"Read","input":{"file_path":"/f"}}]}}"#;
    // Neither the mark nor the details say which of the two results they belong to.
    let results = r#"{"type":"user","toolDenialKind":"user-rejected","toolUseResult":{"stdout":"whose?"},"message":{"content":[
        {"type":"tool_result","tool_use_id":"b","content":"1\tx"},
        {"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}]}}"#;
    let (events, _) = read([calls, results].map(|json| line(&json.replace('\n', ""))).concat().as_bytes());
    assert_eq!(events[2..4], ["end Read#b: read /f -> ok \"\"", "end Bash#a: Bash \"x\" -> ok \"one\""]);
}

#[test]
fn inputs_that_cannot_be_read_are_other() {
    for input in [r#"{"__unparsedToolInput":"{\"comm"}"#, r#"["ls"]"#, r#""ls""#, "null", "7", r#"{"command":["ls"]}"#] {
        let (events, counters) = read([tool_use("t", input), tool_result("t", "x")].concat().as_bytes());
        assert_eq!(events[..2], ["call Bash#t: other", "end Bash#t: other -> ok \"x\""], "{input}");
        assert_eq!(counters.misshapen, 0);
    }
}

#[test]
fn what_is_unknown_or_misshapen_is_counted() {
    let lines = [
        r#"{"type":"wormhole","message":{"content":"x"}}"#,
        r#"{"type":"wormhole"}"#,
        r#"{"type":7}"#,
        r#"{"uuid":"u"}"#,
        r#"{"type":"user"}"#,
        r#"{"type":"user","message":"text"}"#,
        r#"{"type":"assistant","message":{"content":7}}"#,
        r#"{"type":"user","message":{"content":[null,7,{"type":"tool_result"}]},"toolDenialKind":"bored"}"#,
        r#"{"type":"progress","message":{"content":"x"}}"#,
        r#"{"type":"user","mess"#,
    ];
    let (events, counters) = read(lines.map(line).concat().as_bytes());
    assert_eq!(events, ["end #: other -> not run: Denied"]);
    assert_eq!(counters.unknown_types, BTreeMap::from([("wormhole".to_owned(), 2)]));
    assert_eq!(counters.unknown_denials, BTreeMap::from([("bored".to_owned(), 1)]));
    assert_eq!((counters.misshapen, counters.not_json), (5, 1));
}

#[test]
fn names_of_unknown_types_are_bounded() {
    let lines: String = (0..10_000).map(|n| line(&format!("{{\"type\":\"{n}{}\"}}", "é".repeat(500)))).collect();
    let (_, counters) = read(lines.as_bytes());
    assert!(counters.unknown_types.len() <= 65 && counters.unknown_types.keys().all(|name| name.len() <= 64));
    assert_eq!(counters.unknown_types.values().sum::<u32>(), 10_000);
}

#[test]
fn copied_records_count_once_across_files() {
    let record = line(r#"{"type":"user","uuid":"u-1","message":{"content":"hi"}}"#);
    let mut count = 0;
    let mut reader = Reader::new(Cursor::new(record.repeat(2).into_bytes()));
    reader.read(&mut |_| count += 1).expect("memory");
    let (counters, seen) = reader.finish(&mut |_| ());
    let mut fork = Reader::new(Cursor::new(record.clone().into_bytes())).with_seen(seen);
    fork.read(&mut |_| count += 1).expect("memory");
    assert_eq!((count, counters.duplicates, fork.counters().duplicates), (1, 1, 1));
    let mut other = Reader::new(Cursor::new(record.into_bytes())).with_seen(Seen::default());
    other.read(&mut |_| count += 1).expect("memory");
    assert_eq!(count, 2);
}

#[test]
fn turns_end_where_they_end() {
    let synthetic = r#"{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: 500"}]}}"#;
    let error = r#"{"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error: 500"}]}}"#;
    let meta = r#"{"type":"user","isMeta":true,"message":{"content":"Base directory for this skill: /s"}}"#;
    let boundary = r#"{"type":"system","subtype":"compact_boundary"}"#;
    let part =
        |text: &str| line(&format!(r#"{{"type":"assistant","message":{{"id":"m","content":[{{"type":"text","text":"{text}"}}]}}}}"#));
    let cases: [(&str, Vec<String>, &[&str]); 11] = [
        ("nothing said", vec![prompt("a"), prompt("b")], &["prompt \"a\"", "prompt \"b\""]),
        (
            "two turns",
            vec![prompt("a"), says("1"), prompt("b"), says("2")],
            &["prompt \"a\"", "turn-end \"1\"", "prompt \"b\"", "turn-end \"2\""],
        ),
        (
            "an error is no word of the agent's",
            vec![prompt("a"), says("1"), line(synthetic), line(error)],
            &["prompt \"a\"", "turn-end \"1\""],
        ),
        ("bookkeeping ends nothing", vec![says("1"), line(meta), says("2")], &["turn-end \"2\""]),
        ("one message over two lines", vec![part("1"), part("2")], &["turn-end \"1\\n2\""]),
        ("broken off", vec![says("1"), prompt("[Request interrupted by user]"), prompt("b")], &["prompt \"b\""]),
        ("a notice wakes a settled agent", vec![says("1"), prompt("<task-notification>x")], &["turn-end \"1\"", "tasks-ended "]),
        ("a command by the person", vec![says("1"), prompt("<command-name>/x</command-name>")], &["turn-end \"1\"", "prompt \"/x\""]),
        (
            "a command by the agent",
            vec![says("1"), tool_use("t", LS), prompt("<command-name>/x</command-name>"), says("2")],
            &["call Bash#t: Bash \"ls\"", "notice \"/x\"", "turn-end \"2\""],
        ),
        ("compacted when asked", vec![says("1"), line(boundary)], &["turn-end \"1\"", "compact"]),
        (
            "compacted at work",
            vec![says("1"), tool_use("t", LS), line(boundary), says("2")],
            &["call Bash#t: Bash \"ls\"", "compact", "turn-end \"2\""],
        ),
    ];
    for (name, lines, expected) in cases {
        assert_eq!(read(lines.concat().as_bytes()).0, expected, "{name}");
    }
}

#[test]
fn prompts_in_many_shapes() {
    let text = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let user = |blocks: &str, more: &str| line(&format!(r#"{{"type":"user"{more},"message":{{"content":[{blocks}]}}}}"#));
    let queued = |fields: &str| line(&format!(r#"{{"type":"attachment","attachment":{{"type":"queued_command",{fields}}}}}"#));
    let reminded = format!("{},{}", text("<system-reminder>x</system-reminder>"), text("fix"));
    let cases: [(String, &[&str]); 10] = [
        (user(&reminded, ""), &["prompt \"fix\""]),
        (user(r#"{"type":"image","source":{}}"#, ""), &["prompt \"\""]),
        (user(&text("sum"), r#","isCompactSummary":true"#), &[]),
        (user(&text("hi"), r#","origin":{"kind":"peer"}"#), &["notice \"hi\""]),
        (user(&text("hi"), r#","origin":{"kind":"human"},"promptSource":"typed""#), &["prompt \"hi\""]),
        (user(&text("go"), r#","isSidechain":true"#), &["@sidechain notice \"go\""]),
        (queued(r#""prompt":"also this","commandMode":"prompt""#), &["prompt \"also this\""]),
        (queued(r#""prompt":[{"type":"text","text":"also this"}]"#), &["prompt \"also this\""]),
        (queued(r#""prompt":"<task-notification>x","commandMode":"task-notification""#), &["tasks-ended "]),
        (queued(r#""prompt":null"#), &[]),
    ];
    for (record, expected) in cases {
        assert_eq!(read(record.as_bytes()).0, expected, "{record}");
    }
}

#[test]
fn side_chains_of_old_main_files_are_agents_of_their_own() {
    let side = |record: String| record.replacen("{\"type\"", "{\"isSidechain\":true,\"agentId\":\"a1\",\"type\"", 1);
    let lines = [
        prompt("go"),
        says("main"),
        side(prompt("look")),
        side(says("found")),
        prompt("next"),
        side(prompt("more")),
        side(says("more found")),
    ];
    let expected = [
        "prompt \"go\"",
        "@a1 notice \"look\"",
        "turn-end \"main\"",
        "prompt \"next\"",
        "@a1 agent-end \"found\"",
        "@a1 notice \"more\"",
        "@a1 agent-end \"more found\"",
    ];
    assert_eq!(read(lines.concat().as_bytes()).0, expected);
}

/// Time grows with the size of the input and not with its square, which would take minutes here.
#[test]
fn hostile_shapes_stay_linear() {
    let blocks = r#"{"type":"text","text":"a"},"#.repeat(200_000);
    let inputs = [
        line(&format!(r#"{{"type":"user","message":{{"content":[{blocks}{{}}]}}}}"#)),
        tool_use("t", LS) + &tool_result("t", &" truncated] ...".repeat(200_000)),
        tool_use("t", LS) + &tool_result("t", &"\\nShell cwd was reset to /w".repeat(100_000)),
        line(&format!(r#"{{"type":"user","message":{}{}}}"#, "[".repeat(2_000_000), "]".repeat(2_000_000))),
        (0..20_000).map(|n| says("x").replacen('{', &format!("{{\"agentId\":\"a{n}\","), 1)).collect(),
        (0..20_000).map(|n| tool_use(&format!("t{n}"), LS)).collect(),
    ];
    let start = Instant::now();
    for lines in inputs {
        read(lines.as_bytes());
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Damage anywhere in a genuine session is survived, and no line of it goes uncounted.
    #[test]
    fn damage_is_survived(blows in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..40), cut in any::<proptest::sample::Index>()) {
        let mut lines = fs::read(fixtures().join("transcripts/stop-block-and-message.jsonl")).expect("transcript");
        for (at, byte) in blows {
            let at = at.index(lines.len());
            lines[at] = byte;
        }
        lines.truncate(cut.index(lines.len()));
        let newlines = lines.split(|&byte| byte == b'\n').count() - 1;
        let mut reader = Reader::new(Cursor::new(&lines));
        reader.read(&mut |_| ()).expect("memory");
        assert_eq!(reader.line(), number(newlines));
        reader.finish(&mut |_| ());
    }

    /// What the scanner takes as the value is what the decoder needs of it.
    #[test]
    fn the_value_s_end_is_enough(name in ".*", text in ".*", tail in any::<Vec<u8>>(), size in 1_usize..50) {
        let value = serde_json::json!({ "hook_event_name": "Stop", "last_assistant_message": text, name: [text, { "a": text }] }).to_string();
        let stream = [value.as_bytes(), &tail].concat();
        let mut scan = ValueEnd::default();
        let mut before = 0;
        let end = stream.chunks(size).find_map(|piece| {
            let end = scan.feed(piece).map(|length| before + length);
            before += piece.len();
            end
        });
        assert_eq!(end, Some(value.len()));
        assert_eq!(hook::parse(&stream).map(|payload| brief(&payload.event)), hook::parse(value.as_bytes()).map(|payload| brief(&payload.event)));
    }

    #[test]
    fn any_bytes_are_survived(bytes in any::<Vec<u8>>()) {
        hook::parse(&bytes);
        ValueEnd::default().feed(&bytes);
        read(&bytes);
    }
}
