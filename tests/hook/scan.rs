//! `turnstop scan` and `turnstop replay` over homes with many and with damaged transcripts.

use std::fmt::Write as _;
use std::fs;

use crate::support::Machine;
use serde_json::{Value, json};

fn line(n: usize, kind: &str, content: &Value) -> Value {
    let stamp = format!("2026-06-01T{:02}:{:02}:{:02}.000Z", n / 3600, n / 60 % 60, n % 60);
    json!({"type": kind, "uuid": format!("{kind}-{n}"), "timestamp": stamp, "message": {"role": kind, "content": content}})
}

/// Adds a call and its result to a transcript.
fn call(m: &Machine, session: &str, agent: &str, n: usize, command: &str) {
    let id = format!("t{n}");
    let block = json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
    m.add_line(session, agent, line(n, "assistant", &block));
    let mut result = line(n + 1, "user", &json!([{"type": "tool_result", "tool_use_id": id, "content": "", "is_error": false}]));
    result["toolUseResult"] = json!({"stdout": "", "stderr": ""});
    m.add_line(session, agent, result);
}

fn prompt(m: &Machine, session: &str) {
    m.add_line(session, "", line(0, "user", &json!("go on")));
}

fn scan(m: &Machine, args: &[&str]) -> (i32, Value) {
    let project = m.project();
    let project = project.to_string_lossy();
    let (status, out) = m.turnstop(&[&["scan", "--format", "json", &project], args].concat());
    (status, serde_json::from_str(&out).expect("JSON"))
}

#[test]
fn exit_status_follows_the_gravest_finding_and_what_was_asked() {
    let m = Machine::new();
    prompt(&m, "s1");
    assert_eq!(scan(&m, &[]).0, 0);
    call(&m, "s1", "", 10, "prog > /tmp/x.log");
    call(&m, "s1", "", 20, "cat /tmp/x.log");
    assert_eq!((scan(&m, &[]).0, scan(&m, &["--strict"]).0, scan(&m, &["--fail-on", "info"]).0), (0, 0, 1));
    call(&m, "s1", "", 30, "git log -1 --format=%B > /tmp/msg");
    call(&m, "s1", "", 40, "git commit --amend -F /tmp/msg");
    assert_eq!((scan(&m, &[]).0, scan(&m, &["--strict"]).0), (0, 1));
    call(&m, "s1", "", 50, "cp /tmp/x.log kept.log");
    assert_eq!((scan(&m, &[]).0, scan(&m, &["--fail-on", "never"]).0), (1, 0));
    let (_, report) = scan(&m, &[]);
    assert_eq!(
        report["summary"],
        json!({"errors": 1, "warnings": 1, "info": 0, "prevented": 0, "suppressed": 0}),
        "one finding a path, the gravest"
    );
}

#[test]
fn text_names_both_places_and_the_remedy_and_counts_what_it_hides() {
    let m = Machine::new();
    prompt(&m, "s1");
    call(&m, "s1", "", 10, "cp a.txt /tmp/a.bak");
    call(&m, "s1", "", 20, "cp /tmp/a.bak a.txt");
    call(&m, "s1", "", 30, "prog > /tmp/x.log");
    call(&m, "s1", "", 40, "cat /tmp/x.log");
    let project = m.project();
    let (status, out) = m.turnstop(&["scan", &project.to_string_lossy()]);
    assert_eq!(status, 1);
    let folder = m.sessions().file_name().expect("a name").to_string_lossy().into_owned();
    let expected = format!(
        "session s1

error[session/shared-temp-path] (heuristic): fixed temp path \"/tmp/a.bak\" is written and later read back
  --> ~/.claude/projects/{folder}/s1.jsonl:2
   | written by `cp a.txt /tmp/a.bak` at 2026-06-01 00:00 UTC
  --> ~/.claude/projects/{folder}/s1.jsonl:4
   | read by `cp /tmp/a.bak a.txt` at 2026-06-01 00:00 UTC
   = /tmp/a.bak: written earlier, and every session shares the name
   = help: use a name of this run alone (T=$(mktemp)) for the next one

1 error, 0 warnings, 1 info and 0 prevented (--verbose shows them); read 1 session, 1 file, 9 lines, 0 lines not read
"
    );
    assert_eq!(out, expected);
    assert!(m.turnstop(&["scan", "--verbose", &project.to_string_lossy()]).1.contains("info[session/shared-temp-path]"));
}

#[test]
fn a_call_that_was_refused_is_prevented_and_fails_nothing() {
    let m = Machine::new();
    prompt(&m, "s1");
    call(&m, "s1", "", 10, "cp a.txt /tmp/a.bak");
    let block = json!([{"type": "tool_use", "id": "r", "name": "Bash", "input": {"command": "cp /tmp/a.bak a.txt"}}]);
    m.add_line("s1", "", line(20, "assistant", &block));
    let mut refused = line(21, "user", &json!([{"type": "tool_result", "tool_use_id": "r", "content": "denied", "is_error": true}]));
    refused["toolDenialKind"] = json!("permission-rule");
    m.add_line("s1", "", refused);
    let (status, report) = scan(&m, &["--fail-on", "info"]);
    assert_eq!((status, &report["summary"]["prevented"], &report["findings"][0]["prevented"]), (0, &json!(1), &json!(true)));
}

#[test]
fn what_crosses_sessions_or_agents_is_joined() {
    let m = Machine::new();
    for session in ["s1", "s2", "s3"] {
        prompt(&m, session);
    }
    call(&m, "s1", "", 10, "cp a.txt /tmp/shared.bak");
    call(&m, "s2", "", 20, "cp /tmp/shared.bak a.txt");
    call(&m, "s3", "", 5, "cp /tmp/shared.bak a.txt");
    call(&m, "s3", "a1", 30, "cp a.txt /tmp/of-agent");
    call(&m, "s3", "", 40, "cp /tmp/of-agent a.txt");
    let (status, report) = scan(&m, &[]);
    assert_eq!(status, 1);
    let found: Vec<String> = report["findings"]
        .as_array()
        .expect("findings")
        .iter()
        .map(|finding| {
            let place = |n: usize| format!("{}{}", finding["places"][n]["session"], finding["places"][n]["agent"]);
            format!("{} {} -> {}", finding["confidence"], place(0), place(1)).replace(['"'], "").replace("null", "")
        })
        .collect();
    assert_eq!(found, ["heuristic s1 -> s2", "heuristic s3a1 -> s3"], "what was read before it was written is no pair: {report:#}");
    assert!(report["findings"][1]["places"][0]["file"].as_str().is_some_and(|file| file.ends_with("s3/subagents/agent-a1.jsonl")));
}

#[test]
fn a_fork_that_repeats_its_origin_is_counted_once() {
    let m = Machine::new();
    for session in ["s1", "s2"] {
        prompt(&m, session);
        call(&m, session, "", 10, "cp a.txt /tmp/a.bak");
        call(&m, session, "", 20, "cp /tmp/a.bak a.txt");
    }
    assert_eq!(scan(&m, &[]).1["summary"]["errors"], 1);
}

#[test]
fn damage_is_counted_and_costs_nothing_else() {
    let m = Machine::new();
    prompt(&m, "s1");
    call(&m, "s1", "", 10, "cp a.txt /tmp/a.bak");
    let mut bytes = fs::read(m.transcript("s1")).expect("a transcript");
    bytes.extend_from_slice(b"null\n{\"type\":\"user\"\n\xff\xfe\n{\"type\":\"brand-new\",\"sessionId\":\"s1\"}\n\n");
    fs::write(m.transcript("s1"), bytes).expect("written");
    call(&m, "s1", "", 20, "cp /tmp/a.bak a.txt");
    let mut bytes = fs::read(m.transcript("s1")).expect("a transcript");
    bytes.extend_from_slice(b"{\"type\":\"assistant\",\"mess");
    fs::write(m.transcript("s1"), bytes).expect("written");
    let (status, report) = scan(&m, &[]);
    let read = &report["read"];
    assert_eq!(status, 1);
    assert_eq!((&read["not_json"], &read["misshapen"], &read["half_last_lines"]), (&json!(2), &json!(1), &json!(1)), "{read:#}");
    assert_eq!(read["unknown_types"], json!({"brand-new": 1}));
}

#[test]
fn of_two_thousand_sessions_no_line_is_lost() {
    let m = Machine::new();
    fs::create_dir_all(m.sessions()).expect("created");
    let mut lines = 0;
    for n in 0..2000 {
        let mut text = String::new();
        for turn in 0..n % 7 {
            writeln!(text, "{}", line(turn, "user", &json!("go on"))).expect("a string takes everything");
            lines += 1;
        }
        if n % 10 == 0 {
            text += "no json\n";
            lines += 1;
        }
        fs::write(m.transcript(&format!("session-{n:04}")), text).expect("written");
    }
    let (status, report) = scan(&m, &[]);
    let read = &report["read"];
    assert_eq!(status, 0);
    assert_eq!((&read["sessions"], &read["lines"], &read["not_json"]), (&json!(2000), &json!(lines), &json!(200)), "{read:#}");
}

#[test]
fn subagents_without_their_session_are_read_and_the_gap_is_told() {
    let m = Machine::new();
    call(&m, "s1", "a1", 10, "cp a.txt /tmp/a.bak");
    call(&m, "s1", "a1", 20, "cp /tmp/a.bak a.txt");
    let (status, report) = scan(&m, &[]);
    assert_eq!((status, report["read"]["skipped"].as_array().map(Vec::len)), (1, Some(1)), "{report:#}");
}

#[test]
fn a_project_without_sessions_is_clean_and_a_folder_that_is_none_is_an_error() {
    let m = Machine::new();
    let project = m.project();
    let (status, out) = m.turnstop(&["scan", &project.to_string_lossy()]);
    assert_eq!(status, 0);
    assert!(out.starts_with("no sessions of "), "{out}");
    for args in [["scan", "/nonexistent"], ["replay", "/nonexistent"], ["scan", "--form=x"], ["rules", "nope"]] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_turnstop"));
        let output = command.args(args).output().expect("runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty() && String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{args:?}");
    }
}

#[test]
fn a_replay_says_call_by_call_what_the_hook_would_have_said() {
    let m = Machine::new();
    prompt(&m, "s1");
    call(&m, "s1", "", 10, "cp a.txt /tmp/a.bak");
    call(&m, "s1", "", 20, "cp /tmp/a.bak a.txt");
    call(&m, "s1", "", 30, "cp /tmp/a.bak a.txt");
    call(&m, "s1", "", 40, "cp /tmp/a.bak a.txt");
    let transcript = m.transcript("s1");
    let (status, out) = m.turnstop(&["replay", "--verbose", &transcript.to_string_lossy()]);
    assert_eq!(status, 0);
    let words: Vec<&str> =
        out.lines().filter(|line| !line.starts_with("        ")).map(|line| line.get(8..12).unwrap_or_default()).collect();
    assert_eq!(words[..4], ["-   ", "deny", "note", "note"], "the third time in a row: {out}");
    assert!(out.contains("only a live run can verify") && out.ends_with("4 calls, spoken 3 times; 9 lines, 0 not read\n"), "{out}");
}
