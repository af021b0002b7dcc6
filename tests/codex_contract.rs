//! The format contract with Codex: rollouts of all generations, read to exactly these events, and hostile
//! ones, read to exactly what can be told of them.
//!
//! `tools`, `left-running`, `code-mode` and `hooks-and-resume` are genuine ones of client 0.171.0, sanitized;
//! the others are made after older clients. A fixture without an expectation fails, and so does an
//! expectation without a fixture.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::time::Instant;

use proptest::prelude::{ProptestConfig, any, proptest};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::json;
use turnstop::agent::codex::rollout::{self, Counters, Reader, Seen};
use turnstop::agent::codex::{history, layout, sessions};
use turnstop::session::event::{Action, Call, Event, EventKind, Outcome};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/codex")
}

/// An event in one line: everything of it that a rule may look at.
fn brief(event: &Event<'_>) -> String {
    let kind = match &event.kind {
        EventKind::SessionStart(source) => format!("start {source:?}"),
        EventKind::Prompt { text, by_person } => format!("{} {:?}", if *by_person { "prompt" } else { "notice" }, first_line(text)),
        EventKind::TasksEnded(tasks) => {
            let ends: Vec<String> = tasks.iter().map(|task| format!("{} of {} {:?}", task.task, task.call, task.end)).collect();
            format!("tasks-ended {}", ends.join(", "))
        }
        EventKind::CallStarted(call) => format!("call {}", brief_call(call)),
        EventKind::CallEnded { call, outcome } => format!("end {} -> {}", brief_call(call), brief_outcome(outcome)),
        EventKind::TurnEnd { message, continued, .. } => format!("turn-end{} {message:?}", flag(*continued, " continued")),
        EventKind::AgentEnd { message } => format!("agent-end {message:?}"),
        EventKind::BeforeCompact => "compact".to_owned(),
    };
    format!("{}{kind}", if event.agent.is_empty() { "" } else { "@agent " })
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
    format!("{}#{}: {action}", call.tool, call.id)
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
        Outcome::Succeeded { output, truncated, .. } => format!("ok{} {:?}", flag(*truncated, " cut"), first_line(output)),
    }
}

fn flag(set: bool, word: &str) -> &str {
    if set { word } else { "" }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn number(count: usize) -> u32 {
    count.try_into().expect("a small number")
}

/// Every fixture and its events, with the line each was read from.
const ROLLOUTS: &[(&str, &[&str])] = &[
    (
        "bare",
        &[
            r#"6 prompt "The sum is wrong, please mend it""#,
            r#"8 call shell#call_a1: Bash "cargo test -q""#,
            r#"9 end shell#call_a1: Bash "cargo test -q" -> failed 101 "running 2 tests""#,
            r#"10 call local_shell#call_a2: Bash "sed -n 1,40p src/total.rs""#,
            r#"11 end local_shell#call_a2: Bash "sed -n 1,40p src/total.rs" -> ok "fn total(a: i32, b: i32) -> i32 {""#,
            "12 call shell#call_a3: edit src/total.rs",
            r#"13 end shell#call_a3: edit src/total.rs -> ok """#,
            r#"14 call shell#call_a4: Bash "git commit -am 'mend the sum; it'\\''s a plus'""#,
            r#"15 end shell#call_a4: Bash "git commit -am 'mend the sum; it'\\''s a plus'" -> not run: Rejected"#,
            r#"16 turn-end "The sum adds again.""#,
            r#"18 prompt "and the tests?""#,
            r#"19 call shell#call_a5: Bash "cargo test""#,
            r#"20 end shell#call_a5: Bash "cargo test" -> failed 124 timed out "running 2 tests""#,
            "21 call unknown_tool#call_a6: other",
            "22 end unknown_tool#call_a6: other -> not run: InvalidInput",
            r#"23 turn-end "They take longer than a second.""#,
        ],
    ),
    (
        "code-mode",
        &[
            r#"8 prompt "do it""#,
            "10 call exec#ccall_0_0: other",
            r#"12 call exec_command#exec-0199f000-0000-7000-8000-000000000009: Bash "echo one; exit 4""#,
            r#"12 end exec_command#exec-0199f000-0000-7000-8000-000000000009: Bash "echo one; exit 4" -> failed 4 "one""#,
            r#"13 end exec#ccall_0_0: other -> ok "one""#,
            "15 call exec#ccall_1_0: other",
            r#"17 call exec_command#exec-0199f000-0000-7000-8000-000000000011: Bash "echo two""#,
            r#"17 end exec_command#exec-0199f000-0000-7000-8000-000000000011: Bash "echo two" -> ok "two""#,
            r#"18 end exec#ccall_1_0: other -> ok "{\"chunk_id\":\"5817e0\",\"wall_time_seconds\":0.000007203,\"exit_code\":0,\"original_token_count\":1,\"output\":\"two\\n\"}""#,
            "20 call exec#ccall_2_0: other",
            "22 call apply_patch#exec-0199f000-0000-7000-8000-000000000013: write /home/dev/app/three.txt",
            r#"22 end apply_patch#exec-0199f000-0000-7000-8000-000000000013: write /home/dev/app/three.txt -> ok """#,
            r#"23 end exec#ccall_2_0: other -> ok "ok""#,
            "25 call exec#ccall_3_0: other",
            r#"27 end exec#ccall_3_0: other -> failed ? "Script error:""#,
            r#"33 turn-end "Fine.""#,
        ],
    ),
    (
        "hooks-and-resume",
        &[
            r#"8 prompt "do it""#,
            r#"10 call exec_command#call_0_0: Bash "echo forbidden""#,
            r#"12 end exec_command#call_0_0: Bash "echo forbidden" -> not run: Denied"#,
            r#"15 turn-end "All tests pass.""#,
            r#"24 turn-end continued "Two tests fail.""#,
            r#"28 prompt "and switch""#,
            r#"30 call exec_command#call_3_0: Bash "git switch -q -c topic""#,
            r#"33 end exec_command#call_3_0: Bash "git switch -q -c topic" -> ok """#,
            r#"36 turn-end "On a branch now.""#,
            r#"45 turn-end continued "Still the branch.""#,
        ],
    ),
    (
        "left-running",
        &[
            r#"8 prompt "do it""#,
            r#"10 call exec_command#call_0_0: Bash "echo start; sleep 3; echo 2 failed; exit 1""#,
            r#"12 end exec_command#call_0_0: Bash "echo start; sleep 3; echo 2 failed; exit 1" -> launched 18563"#,
            r#"14 call exec_command#call_1_0: Bash "sleep 4; git switch -c other""#,
            "16 tasks-ended 18563 of call_0_0 Exited(1)",
            r#"18 end exec_command#call_1_0: Bash "sleep 4; git switch -c other" -> ok "Switched to a new branch 'other'""#,
            r#"24 turn-end "Nothing passes.""#,
        ],
    ),
    (
        "shell",
        &[
            r#"4 prompt "Mend the sum""#,
            r#"8 call shell#call_b1: Bash "pytest -q""#,
            r#"9 end shell#call_b1: Bash "pytest -q" -> failed 1 "1 failed, 3 passed""#,
            "11 call apply_patch#call_b2#1: edit src/total.py",
            "11 call apply_patch#call_b2#2: write src/sum.py",
            "11 call apply_patch#call_b2#3: write tests/test_sum.py",
            "11 call apply_patch#call_b2#4: edit old.py",
            r#"13 end apply_patch#call_b2#1: edit src/total.py -> ok """#,
            r#"13 end apply_patch#call_b2#2: write src/sum.py -> ok """#,
            r#"13 end apply_patch#call_b2#3: write tests/test_sum.py -> ok """#,
            r#"13 end apply_patch#call_b2#4: edit old.py -> ok """#,
            r#"14 call shell_command#call_b3: Bash "pytest -q""#,
            "15 call view_image#call_b4: read /home/dev/app/shot.png",
            r#"16 end view_image#call_b4: read /home/dev/app/shot.png -> ok """#,
            r#"17 end shell_command#call_b3: Bash "pytest -q" -> ok "4 passed in 0.02s""#,
            "18 call update_plan#call_b5: other",
            r#"19 end update_plan#call_b5: other -> ok "Plan updated""#,
            "20 call mcp__tickets__close#call_b6: other",
            r#"21 end mcp__tickets__close#call_b6: other -> ok "closed""#,
            r#"23 turn-end "All four tests pass.""#,
            r#"26 prompt "now the page""#,
            r#"28 call shell#call_b7: Bash "npm test""#,
            r#"31 end shell#call_b7: Bash "npm test" -> not run: Interrupted"#,
            "32 compact",
            r#"34 prompt "just say where we are""#,
            r#"36 call shell#call_b8: Bash "git checkout -b page""#,
            r#"37 end shell#call_b8: Bash "git checkout -b page" -> ok "Switched to a new branch 'page'""#,
            r#"38 turn-end "On a branch of its own.""#,
        ],
    ),
    (
        "subagent",
        &[
            r#"3 @agent notice "Look for the sum""#,
            r#"4 @agent call exec_command#call_c1: Bash "rg -n total""#,
            r#"5 @agent end exec_command#call_c1: Bash "rg -n total" -> failed 1 """#,
            r#"7 @agent agent-end "There is none.""#,
        ],
    ),
    (
        "tools",
        &[
            r#"8 prompt "do it""#,
            r#"12 call exec_command#call_0_0: Bash "echo hi; echo RAN >> marker.txt""#,
            r#"15 end exec_command#call_0_0: Bash "echo hi; echo RAN >> marker.txt" -> ok "hi""#,
            r#"17 call exec_command#call_1_0: Bash "echo part; exit 3""#,
            r#"20 end exec_command#call_1_0: Bash "echo part; exit 3" -> failed 3 "part""#,
            r#"22 call exec_command#call_2_0: Bash "echo start; sleep 4; echo 2 failed; exit 1""#,
            r#"24 end exec_command#call_2_0: Bash "echo start; sleep 4; echo 2 failed; exit 1" -> launched 79114"#,
            "26 call write_stdin#call_3_0: other",
            r#"28 end write_stdin#call_3_0: other -> failed ? "write_stdin failed: Unknown process id 1000""#,
            "30 call apply_patch#ccall_4_0#1: write new.txt",
            "30 call apply_patch#ccall_4_0#2: edit a.txt",
            r#"33 end apply_patch#ccall_4_0#1: write new.txt -> ok """#,
            r#"33 end apply_patch#ccall_4_0#2: edit a.txt -> ok """#,
            "35 call apply_patch#ccall_5_0: edit a.txt",
            r#"37 end apply_patch#ccall_5_0: edit a.txt -> failed ? "apply_patch verification failed: Failed to find expected lines in /home/dev/app/a.txt:""#,
            "39 call exec_command#call_6_0: write two.txt",
            r#"42 end exec_command#call_6_0: write two.txt -> ok """#,
            r#"44 call exec_command#call_7_0: Bash "seq 1 20000""#,
            r#"47 end exec_command#call_7_0: Bash "seq 1 20000" -> ok cut "1""#,
            "49 call update_plan#call_8_0: other",
            "50 call nonsense#call_8_1: other",
            "52 end update_plan#call_8_0: other -> not run: InvalidInput",
            "53 end nonsense#call_8_1: other -> not run: InvalidInput",
            r#"55 call exec_command#call_9_0: Bash "x""#,
            r#"57 end exec_command#call_9_0: Bash "x" -> not run: InvalidInput"#,
            r#"59 call shell#call_10_0: Bash "ls""#,
            r#"60 call shell_command#call_10_1: Bash "ls""#,
            "61 call view_image#call_10_2: read nope.png",
            r#"63 end shell#call_10_0: Bash "ls" -> not run: InvalidInput"#,
            r#"64 end shell_command#call_10_1: Bash "ls" -> not run: InvalidInput"#,
            r#"65 end view_image#call_10_2: read nope.png -> failed ? "unable to locate image at `/home/dev/app/nope.png`: No such file or directory (os error 2)""#,
            r#"71 turn-end "All done, everything passes.""#,
            "72 tasks-ended 79114 of call_2_0 Stopped",
        ],
    ),
];

fn all_rollouts() -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(fixtures().join("rollouts")).expect("folder").map(|entry| entry.expect("entry").path()).collect();
    found.sort();
    found
}

fn read_file(path: &Path) -> (Vec<String>, Counters) {
    let mut events = Vec::new();
    let mut take = |event: &mut Event<'_>| events.push(format!("{} {}", event.line, brief(event)));
    let mut reader = rollout::open(path).expect("rollout");
    reader.read(&mut take).expect("readable");
    let (counters, _) = reader.finish(&mut take);
    (events, counters)
}

/// Every line is an event, part of one, or known bookkeeping: nothing is left to be counted.
#[test]
fn every_rollout_reads_as_expected() {
    let mut expected: BTreeMap<_, _> = ROLLOUTS.iter().copied().collect();
    for path in all_rollouts() {
        let name = path.file_stem().expect("name").to_str().expect("name").trim_start_matches("rollout-");
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
fn where_and_when_are_those_of_the_session() {
    let look = |name: &str| {
        let mut places = Vec::new();
        let mut take = |event: &mut Event<'_>| {
            let place = format!("{} {} {:?}", event.session, event.cwd, event.branch.as_deref());
            places.push((event.line, event.agent.to_string(), place));
        };
        let mut reader = rollout::open(&fixtures().join("rollouts").join(name)).expect("rollout");
        reader.read(&mut take).expect("readable");
        reader.finish(&mut take);
        places
    };
    let shell = look("rollout-shell.jsonl");
    let at = |line: u32| &shell.iter().find(|(number, ..)| *number == line).expect("an event").2;
    let session = "0199f000-0000-7000-8000-000000000091";
    assert_eq!(*at(4), format!("{session} /home/dev/app Some(\"main\")"));
    assert_eq!(*at(28), format!("{session} /home/dev/app/web Some(\"main\")"));
    // The branch was left, and nothing says for which.
    assert_eq!(*at(38), format!("{session} /home/dev/app/web None"));
    let subagent = look("rollout-subagent.jsonl");
    assert!(subagent.iter().all(|(_, agent, place)| agent.ends_with("93") && place.starts_with(session)), "{subagent:?}");
}

#[test]
fn the_history_reads_as_expected() {
    let file = fs::File::open(layout::history(&fixtures())).expect("history");
    let mut entries = Vec::new();
    let counters = history::read(BufReader::new(file), &mut |entry| entries.push((entry.at, entry.text.to_string()))).expect("readable");
    assert_eq!(counters, Counters { lines: 3, events: 3, ..Counters::default() });
    assert_eq!(entries[2], (1_788_256_920, "just say where we are\nand \"why\"".to_owned()));
}

#[test]
fn a_packed_rollout_reads_like_a_plain_one() {
    let folder = tempfile::tempdir().expect("folder");
    for path in all_rollouts() {
        let packed = folder.path().join("rollout-x.jsonl.zst");
        let content = compress_to_vec(fs::read(&path).expect("rollout").as_slice(), CompressionLevel::Fastest);
        fs::write(&packed, &content).expect("written");
        assert_eq!(read_file(&packed), read_file(&path));
        assert_eq!(sessions::at(&packed).cwd, Path::new("/home/dev/app"));
        fs::write(&packed, &content[..content.len() / 2]).expect("written");
        rollout::open(&packed).expect("rollout").read(&mut |_| ()).expect_err("half of it");
    }
}

#[test]
fn reading_may_stop_after_any_line_and_go_on() {
    for path in all_rollouts() {
        let (whole, counters) = read_file(&path);
        for stop in [1, 2, 7] {
            let mut events = Vec::new();
            let mut take = |event: &mut Event<'_>| events.push(format!("{} {}", event.line, brief(event)));
            let mut reader = rollout::open(&path).expect("rollout");
            let mut at_end = false;
            while !at_end {
                let mut left = stop;
                let mut go_on = |_| {
                    left -= 1;
                    left >= 0
                };
                at_end = reader.read_while(&mut go_on, &mut take).expect("readable");
            }
            let (read, _) = reader.finish(&mut take);
            assert_eq!((&events, &read), (&whole, &counters));
        }
    }
}

/// The events of a made-up rollout, without line numbers.
fn read(lines: &[u8]) -> (Vec<String>, Counters) {
    let mut events = Vec::new();
    let mut reader = Reader::new(Cursor::new(lines));
    reader.read(&mut |event| events.push(brief(event))).expect("memory");
    let (counters, _) = reader.finish(&mut |event| events.push(brief(event)));
    (events, counters)
}

fn line(kind: &str, payload: &serde_json::Value) -> String {
    format!("{}\n", json!({ "timestamp": "2026-11-30T23:01:00.000Z", "type": kind, "payload": payload }))
}

fn event(kind: &str, more: serde_json::Value) -> String {
    let mut payload = more;
    payload["type"] = kind.into();
    line("event_msg", &payload)
}

fn says(text: &str) -> String {
    line("response_item", &json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }] }))
}

fn prompt(text: &str) -> String {
    line("response_item", &json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": text }] }))
}

fn calls(id: &str, name: &str, arguments: &serde_json::Value) -> String {
    line("response_item", &json!({ "type": "function_call", "name": name, "arguments": arguments.to_string(), "call_id": id }))
}

fn runs(id: &str, command: &str) -> String {
    calls(id, "exec_command", &json!({ "cmd": command }))
}

fn gives(id: &str, output: &serde_json::Value) -> String {
    line("response_item", &json!({ "type": "function_call_output", "call_id": id, "output": output }))
}

fn exits(id: &str, status: i32, output: &str) -> String {
    gives(id, &format!("Wall time: 0.1 seconds\nProcess exited with code {status}\nOutput:\n{output}").into())
}

#[test]
fn marks_blanks_and_foreign_line_ends() {
    let lines = format!("\u{feff}{}\r\n\n   \nnull\n7\n[]\n{}", prompt("a\u{2028}b").trim_end(), says("done"));
    let (events, counters) = read(lines.as_bytes());
    assert_eq!(events, ["prompt \"a\\u{2028}b\"", "turn-end \"done\""]);
    assert_eq!(counters, Counters { lines: 7, events: 2, misshapen: 3, ..Counters::default() });
}

#[test]
fn invalid_utf8_and_control_characters_cost_no_more_than_themselves() {
    let mut lines = b"{\"type\":\"message\",\"role\":\"user\",\"content\":\"a\xff\xfeb\"}\n".to_vec();
    lines.extend_from_slice(b"{\"type\":\"message\",\"role\":\"user\",\"content\":\"raw \x07 bell\"}\n\x00\x00\x00\n");
    lines.extend_from_slice(b"{\"type\":\"message\",\"role\":\"user\",\"content\":\"cut \\ud83d pair\"}\n");
    let (events, counters) = read(&lines);
    assert_eq!(events, ["prompt \"a\u{fffd}\u{fffd}b\"", "prompt \"raw \\u{7} bell\"", "prompt \"cut \u{fffd}\u{fffd}\u{fffd} pair\""]);
    assert_eq!(counters, Counters { lines: 4, events: 3, not_json: 1, ..Counters::default() });
}

#[test]
fn half_a_last_line_is_held_back_and_a_whole_one_is_read() {
    let (events, counters) = read(format!("{}{}", prompt("a"), says("b").trim_end()).as_bytes());
    assert_eq!((events.len(), counters), (2, Counters { lines: 2, events: 2, ..Counters::default() }));
    let (events, counters) = read(format!("{}{}", prompt("a"), &says("b")[..40]).as_bytes());
    assert_eq!((events.len(), counters), (1, Counters { lines: 1, events: 1, half_last_line: true, ..Counters::default() }));
}

#[test]
fn quotes_within_quotes() {
    let command = "echo \"a \\\"b\\\" $'\\n' \u{1f600}\" # {\"cmd\":\"x\"}";
    let inner = json!({ "output": "{\"output\":\"no\"}\n", "metadata": { "exit_code": 7 } }).to_string();
    let (events, _) = read([runs("t", command), gives("t", &inner.into())].concat().as_bytes());
    assert_eq!(events[0], format!("call exec_command#t: Bash {command:?}"));
    assert!(events[1].ends_with(r#"-> failed 7 "{\"output\":\"no\"}""#), "{}", events[1]);
}

#[test]
fn a_line_of_three_megabytes() {
    let long = "x\n".repeat(1 << 20);
    let (events, counters) = read([runs("t", "ls"), exits("t", 0, &long), says(&long)].concat().as_bytes());
    assert_eq!(events[..2], ["call exec_command#t: Bash \"ls\"", "end exec_command#t: Bash \"ls\" -> ok \"x\""]);
    assert_eq!((events.len(), counters.lines), (3, 3));
}

#[test]
fn results_are_joined_once() {
    let lines = [
        runs("t", "ls"),
        exits("t", 0, "first"),
        exits("t", 0, "second"),
        exits("early", 0, "before its call"),
        runs("early", "ls"),
        exits("early", 0, "again"),
        runs("t", "ls"),
    ];
    let (events, counters) = read(lines.concat().as_bytes());
    let expected = [
        "call exec_command#t: Bash \"ls\"",
        "end exec_command#t: Bash \"ls\" -> ok \"first\"",
        "end #early: other -> ok \"before its call\"",
        "call exec_command#early: Bash \"ls\"",
        "turn-end \"\"",
    ];
    assert_eq!(events, expected);
    assert_eq!(counters, Counters { lines: 7, events: 5, repeated_results: 2, duplicates: 1, ..Counters::default() });
}

#[test]
fn a_command_whose_end_is_not_told_says_nothing() {
    let (events, _) = read([runs("t", "npm test"), gives("t", &"3 passed".into())].concat().as_bytes());
    assert_eq!(events[1], "end exec_command#t: other -> ok \"3 passed\"");
    // The end came as an event before it.
    let end = event("exec_command_end", json!({ "call_id": "t", "command": ["bash", "-lc", "npm test"], "exit_code": 1 }));
    let (events, _) = read([runs("t", "npm test"), end, gives("t", &"3 failed".into())].concat().as_bytes());
    assert_eq!(events[1], "end exec_command#t: Bash \"npm test\" -> failed 1 \"3 failed\"");
}

#[test]
fn a_process_left_running_ends_where_it_is_asked_after() {
    let running = gives("t", &"Wall time: 1.0 seconds\nProcess running with session ID 42\nOutput:\n".into());
    let asks = |id: &str| calls(id, "write_stdin", &json!({ "session_id": 42, "chars": "" }));
    let still = gives("u", &"Wall time: 1.0 seconds\nProcess running with session ID 42\nOutput:\n".into());
    let end = event("exec_command_end", json!({ "call_id": "t", "command": ["npm", "test"], "exit_code": 1 }));
    let started = [runs("t", "npm test"), running].concat();
    let (events, _) = read([&started, &*asks("u"), &still, &asks("v"), &exits("v", 1, "3 failed"), &end].concat().as_bytes());
    let expected = [
        "end exec_command#t: Bash \"npm test\" -> launched 42",
        "call write_stdin#u: other",
        "end write_stdin#u: other -> launched 42",
        "call write_stdin#v: other",
        "end write_stdin#v: other -> failed 1 \"3 failed\"",
        "tasks-ended 42 of t Exited(1)",
        "turn-end \"\"",
    ];
    assert_eq!(events[1..], expected);
    let (events, _) = read([&started, &*end].concat().as_bytes());
    assert_eq!(events[2], "tasks-ended 42 of t Exited(1)");
}

#[test]
fn scripts_tell_of_their_commands() {
    let script =
        |id: &str, text: &str| line("response_item", &json!({ "type": "custom_tool_call", "call_id": id, "name": "exec", "input": text }));
    let one = "text(await tools.exec_command({cmd: \"npm test\", workdir: \"web\"}))";
    let ends = |status: &str, shown: &str| {
        let parts = [format!("{status}\nWall time 0.1 seconds\nOutput:\n"), shown.to_owned()]
            .map(|text| json!({ "type": "input_text", "text": text }));
        line("response_item", &json!({ "type": "custom_tool_call_output", "call_id": "s", "output": parts }))
    };
    let shown = r#"{"chunk_id":"1","exit_code":1,"output":"1 failed\n"}"#;
    let told = [
        "end exec#s: other -> ok \"{\\\"chunk_id\\\":\\\"1\\\",\\\"exit_code\\\":1,\\\"output\\\":\\\"1 failed\\\\n\\\"}\"",
        "call exec_command#s#1: Bash \"npm test\"",
        "end exec_command#s#1: Bash \"npm test\" -> failed 1 \"1 failed\"",
        "turn-end \"\"",
    ];
    let (events, _) = read([script("s", one), ends("Script completed", shown)].concat().as_bytes());
    assert_eq!(events[1..], told);
    // Told already, or not at all.
    let command = json!({ "item": { "type": "CommandExecution", "id": "n", "command": ["bash", "-lc", "npm test"], "exit_code": 1, "cwd": "file:///w/web" } });
    let (events, _) = read([script("s", one), event("item_completed", command), ends("Script completed", shown)].concat().as_bytes());
    assert_eq!(events[1..3], ["call exec_command#n: Bash \"npm test\"", "end exec_command#n: Bash \"npm test\" -> failed 1 \"\""]);
    assert_eq!(events.len(), 5);
    for end in [ends("Script completed", "1 failed"), ends("Script failed", shown), ends("Script running with cell ID 7", shown)] {
        assert_eq!(read([script("s", one), end].concat().as_bytes()).0.len(), 3);
    }
    // A script may speak before its end.
    let notice = line("response_item", &json!({ "type": "custom_tool_call_output", "call_id": "s", "output": "half way" }));
    assert_eq!(read([script("s", one), notice, ends("Script completed", shown)].concat().as_bytes()).0[1..], told);
}

#[test]
fn turns_end_where_they_end() {
    let starts = |id: &str| event("task_started", json!({ "turn_id": id }));
    let ends = |last: serde_json::Value| event("task_complete", json!({ "last_agent_message": last }));
    let hook = "<hook_prompt hook_run_id=\"stop:1\">no</hook_prompt>";
    let cases: [(&str, Vec<String>, &[&str]); 11] = [
        ("nothing said", vec![prompt("a"), prompt("b")], &["prompt \"a\"", "prompt \"b\""]),
        (
            "two turns",
            vec![prompt("a"), says("1"), prompt("b"), says("2")],
            &["prompt \"a\"", "turn-end \"1\"", "prompt \"b\"", "turn-end \"2\""],
        ),
        (
            "words while the agent is at work",
            vec![starts("t"), prompt("a"), says("1"), prompt("b"), says("2"), ends("2".into())],
            &["prompt \"a\"", "prompt \"b\"", "turn-end \"2\""],
        ),
        (
            "written twice",
            vec![
                prompt("a"),
                event("user_message", json!({ "message": "a" })),
                event("agent_message", json!({ "message": "1" })),
                says("1"),
                prompt("a"),
            ],
            &["prompt \"a\"", "turn-end \"1\"", "prompt \"a\""],
        ),
        ("an end alone", vec![ends("1".into())], &["turn-end \"1\""]),
        ("ended by an error", vec![starts("t"), says("I will"), ends(json!(null))], &["turn-end \"\""]),
        (
            "broken off",
            vec![starts("t"), says("1"), event("turn_aborted", json!({ "reason": "interrupted" })), prompt("b")],
            &["prompt \"b\""],
        ),
        ("broken off by more than a person", vec![starts("t"), says("1"), starts("u"), prompt("b")], &["turn-end \"1\"", "prompt \"b\""]),
        (
            "sent on by a hook",
            vec![starts("t"), says("1"), prompt(hook), says("2"), ends("2".into())],
            &["turn-end \"1\"", "turn-end continued \"2\""],
        ),
        ("compacted", vec![says("1"), line("compacted", &json!({ "message": "" })), says("2")], &["compact", "turn-end \"2\""]),
        (
            "the client goes on by itself",
            vec![says("1"), prompt("<codex_internal_context source=\"goal\">go on</codex_internal_context>")],
            &["turn-end \"1\"", "notice \"<codex_internal_context source=\\\"goal\\\">go on</codex_internal_context>\""],
        ),
    ];
    for (name, lines, expected) in cases {
        assert_eq!(read(lines.concat().as_bytes()).0, expected, "{name}");
    }
}

#[test]
fn what_a_fork_copied_counts_once() {
    let meta = |id: &str| line("session_meta", &json!({ "id": id, "cwd": "/w", "git": { "branch": "main" } }));
    let turn = |id: &str, words: &str| {
        [event("task_started", json!({ "turn_id": id })), prompt(words), says("done"), event("task_complete", json!({}))].concat()
    };
    let first = [meta("s1"), turn("t1", "a")].concat();
    let fork = [meta("s2"), meta("s1"), turn("t1", "a"), turn("t2", "b")].concat();
    let mut events = Vec::new();
    let mut take = |event: &mut Event<'_>| events.push(format!("{} {}", event.session, brief(event)));
    let mut reader = Reader::new(Cursor::new(first.as_bytes()));
    reader.read(&mut take).expect("memory");
    let (_, seen) = reader.finish(&mut take);
    let mut reader = Reader::new(Cursor::new(fork.as_bytes())).with_seen(seen);
    reader.read(&mut take).expect("memory");
    let (counters, _) = reader.finish(&mut take);
    assert_eq!(counters.duplicates, 4);
    assert_eq!(events, ["s1 prompt \"a\"", "s1 turn-end \"done\"", "s2 prompt \"b\"", "s2 turn-end \"done\""]);
    let mut alone = Reader::new(Cursor::new(fork.as_bytes())).with_seen(Seen::default());
    alone.read(&mut |_| ()).expect("memory");
    assert_eq!(alone.counters().events, 4);
    // Without turns, calls are known again.
    let old = [meta("s1"), runs("c", "ls"), exits("c", 0, "x")].concat();
    let mut reader = Reader::new(Cursor::new(old.as_bytes()));
    reader.read(&mut |_| ()).expect("memory");
    let (_, seen) = reader.finish(&mut |_| ());
    let mut again = Reader::new(Cursor::new(old.as_bytes())).with_seen(seen);
    again.read(&mut |_| ()).expect("memory");
    assert_eq!((again.counters().events, again.counters().duplicates), (0, 1));
}

#[test]
fn what_is_unknown_or_misshapen_is_counted() {
    let lines = [
        r#"{"type":"wormhole","payload":{"type":"x"}}"#,
        r#"{"type":"wormhole"}"#,
        r#"{"type":"response_item","payload":{"type":"portal"}}"#,
        r#"{"type":"event_msg","payload":{"type":"portal"}}"#,
        r#"{"type":7}"#,
        r#"{"uuid":"u"}"#,
        r#"{"type":"response_item","payload":7}"#,
        r#"{"type":"response_item","payload":{}}"#,
        r#"{"type":"session_meta","payload":null}"#,
        r#"{"type":"response_item","payload":{"type":"message","role":"user"}}"#,
        r#"{"type":"response_item","payload":{"type":"message","role":"user","content":7}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call","call_id":"c"}}"#,
        r#"{"type":"response_item","payload":{"type":"function_call_output","output":"x"}}"#,
        r#"{"type":"response_item","payload":{"type":"local_shell_call","call_id":"c","action":{"command":"#,
        r#"{"type":"response_item","payload":{"type":"reasoning"}}"#,
    ];
    let (events, counters) = read(lines.map(|line| format!("{line}\n")).concat().as_bytes());
    assert_eq!(events, [] as [&str; 0]);
    let unknown = [("event_msg/portal", 1), ("response_item/portal", 1), ("wormhole", 2)].map(|(name, count)| (name.to_owned(), count));
    assert_eq!(counters.unknown_types, BTreeMap::from(unknown));
    assert_eq!((counters.misshapen, counters.not_json, counters.lines), (9, 1, 15));
}

/// Time grows with the size of the input and not with its square, which would take minutes here.
#[test]
fn hostile_shapes_stay_linear() {
    let parts = vec![json!({ "type": "input_text", "text": "a" }); 200_000];
    let deep = format!("{}{}", "{\"kind\":".repeat(500_000), "}".repeat(500_000));
    let patch = "*** Begin Patch\n*** Add File: a\n".repeat(100_000);
    let inputs = [
        line("response_item", &json!({ "type": "message", "role": "user", "content": parts })),
        format!(
            "{{\"type\":\"event_msg\",\"payload\":{{\"type\":\"patch_apply_end\",\"call_id\":\"c\",\"changes\":{{\"/a\":{deep}}}}}}}\n"
        ),
        format!("{{\"type\":\"response_item\",\"payload\":{}{}}}\n", "[".repeat(2_000_000), "]".repeat(2_000_000)),
        line("response_item", &json!({ "type": "custom_tool_call", "name": "apply_patch", "call_id": "c", "input": patch })),
        runs("t", "ls") + &exits("t", 0, &"…1 tokens truncated…\n[... omitted ".repeat(200_000)),
        runs("t", "ls") + &exits("t", 0, &"Total output lines: 1\n".repeat(200_000)),
        (0..20_000).map(|n| runs(&format!("t{n}"), "ls")).collect(),
        (0..20_000).map(|n| prompt(&format!("p{n}"))).collect(),
        (0..20_000).map(|n| event("task_started", json!({ "turn_id": format!("t{n}") }))).collect(),
        prompt(&"<a_b>".repeat(500_000)),
    ];
    let start = Instant::now();
    for lines in inputs {
        read(lines.as_bytes());
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    /// Damage anywhere in a session is survived, and no line of it goes uncounted.
    #[test]
    fn damage_is_survived(name in 0..7_usize, blows in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..40), cut in any::<proptest::sample::Index>()) {
        let mut lines = fs::read(&all_rollouts()[name]).expect("rollout");
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

    /// Any words in any place of a line are survived.
    #[test]
    fn any_words_are_survived(kind in "[a-z_]{0,12}|message|function_call|custom_tool_call|function_call_output", text in ".*", more in ".*") {
        for name in ["exec", "apply_patch", "shell", "exec_command"] {
            let item = json!({ "type": kind, "role": "user", "name": name, "call_id": more, "content": text, "input": text, "arguments": text, "output": text });
            read((line("response_item", &item) + &gives(&more, &text.clone().into())).as_bytes());
            read(format!("{item}\n").as_bytes());
        }
    }

    #[test]
    fn any_bytes_are_survived(bytes in any::<Vec<u8>>()) {
        read(&bytes);
        history::read(bytes.as_slice(), &mut |_| ()).expect("memory");
    }
}
