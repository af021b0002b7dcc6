//! Which sessions are read, which findings count, and that what is left out is told.

use std::fs;

use crate::home::{Home, RESTORE, sessions_found};
use serde_json::json;

#[test]
fn sessions_are_selected_by_the_beginning_of_their_id() {
    let home = Home::new();
    home.record("abc-1", 1, &RESTORE);
    home.record("abd-2", 2, &RESTORE);
    let report = home.json(&["--session", "abd"]);
    assert_eq!((sessions_found(&report), &report["read"]["bounded"]), (vec!["abd-2".to_owned()], &json!(true)));
    assert_eq!(report["read"]["bounds"], json!(["--session: 1 session left out"]));
    assert_eq!(home.json(&["--session", "abd", "--session", "abc-1"])["read"]["sessions"], 2);
    assert!(home.refused(&["scan", "--session", "ab"]).starts_with("error: `ab` begins the ids of 2 sessions: abc-1, abd-2"));
    assert!(home.refused(&["scan", "--session", "x"]).starts_with("error: no session's id begins with `x`"));
}

#[test]
fn transcripts_are_read_wherever_they_stand() {
    let home = Home::new();
    let path = home.record("s1", 1, &RESTORE);
    let elsewhere = home.path("kept.jsonl");
    fs::rename(path, &elsewhere).expect("moved");
    let elsewhere = elsewhere.to_string_lossy();
    let report = home.json(&["--transcript", &elsewhere]);
    assert_eq!(sessions_found(&report), ["kept"]);
    assert_eq!(report["project"], json!(home.project()), "as its lines say");
    assert!(home.refused(&["scan", "--transcript", "none.jsonl"]).starts_with("error: none.jsonl is not a file"));
}

#[test]
fn what_happened_before_a_day_is_left_out() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    home.record("s2", 20, &RESTORE);
    let report = home.json(&["--since", "2026-06-10"]);
    assert_eq!((sessions_found(&report), &report["read"]["bounded"]), (vec!["s2".to_owned()], &json!(true)));
    let old = fs::File::options().write(true).open(home.transcript(&home.project(), "s1")).expect("there");
    old.set_modified(std::time::SystemTime::now() - std::time::Duration::from_hours(30 * 24)).expect("set");
    let report = home.json(&["--since", "7d"]);
    assert_eq!(report["read"]["sessions"], 1, "what was not written since need not be read");
    assert!(report["read"]["bounds"].to_string().contains("1 session left out that ended before"), "{report:#}");
    assert!(home.refused(&["scan", "--since", "soon"]).contains("neither a day (2026-11-30) nor an age (7d, 12h)"));
}

#[test]
fn the_newest_sessions_are_read_and_their_subagents_push_none_out() {
    let home = Home::new();
    for (n, session) in ["s1", "s2", "agent-x", "s3"].into_iter().enumerate() {
        let path = home.record(session, u32::try_from(n).expect("small") + 1, &RESTORE);
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(1000 - 100 * n as u64);
        fs::File::options().write(true).open(path).expect("there").set_modified(time).expect("set");
    }
    let report = home.json(&["--recent", "2"]);
    assert_eq!((&report["read"]["files"], &report["read"]["bounds"]), (&json!(3), &json!(["--recent 2: 1 session left out"])));
}

#[test]
fn a_file_of_which_only_the_first_lines_are_read_is_told() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let report = home.json(&["--max-lines", "2"]);
    assert_eq!((&report["read"]["lines"], &report["read"]["truncated"], &report["read"]["bounded"]), (&json!(2), &json!(1), &json!(true)));
    assert_eq!(report["findings"], json!([]));
    let report = home.json(&["--max-lines", "4"]);
    assert_eq!((&report["read"]["bounded"], sessions_found(&report).len()), (&json!(false), 1), "four are all");
    assert!(home.scan(&["--max-lines", "3"]).1.contains("bounded: --max-lines: 1 file read in part\n"));
}

#[test]
fn every_project_is_read_when_asked_for() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let other = home.path("other");
    fs::create_dir_all(&other).expect("made");
    home.record_in(&other, "s2", 2, &RESTORE);
    fs::write(other.join(".turnstop.toml"), "[rules.\"session/shared-temp-path\"]\nlevel = \"warn\"\n").expect("written");
    assert_eq!(sessions_found(&home.json(&[])), ["s1"]);
    let report = home.json(&["--all-projects"]);
    assert_eq!((sessions_found(&report), &report["read"]["sessions"]), (vec!["s1".to_owned(), "s2".to_owned()], &json!(2)));
    assert_eq!(report["notes"].as_array().map(Vec::len), Some(1), "what the other project would loosen: {report:#}");
}

#[test]
fn rules_are_selected_by_id_or_name() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    assert_eq!(home.scan(&["--rule", "shared-temp-path"]).0, 1);
    assert_eq!(home.scan(&["--rule", "session/cyclic-pattern", "--rule", "stale-gate-claim"]).0, 0);
    assert!(home.scan(&["--rule", "cyclic-pattern"]).1.contains("bounded: --rule: only what session/cyclic-pattern finds\n"));
    let wrong = home.refused(&["scan", "--rule", "shared-tmp-path"]);
    assert_eq!(wrong, "error: `shared-tmp-path` is no rule\nhelp: did you mean `shared-temp-path`?\n");
}

#[test]
fn a_scan_without_sessions_says_that_they_were_left_out() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let (status, out) = home.scan(&["--no-sessions"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("bounded: --no-sessions: 1 session left out\n"), "{out}");
    assert!(!out.contains("no sessions of"), "{out}");
}

#[test]
fn a_selection_of_nothing_is_refused() {
    let home = Home::new();
    for nothing in [["--recent", "0"], ["--max-lines", "0"], ["--since", "0d"], ["--session", ""]] {
        let told = home.refused(&["scan", nothing[0], nothing[1]]);
        assert!(told.starts_with("error: ") && told.contains(nothing[0]), "{nothing:?}: {told}");
    }
}

#[test]
fn without_a_home_there_is_nothing_to_call_clean() {
    let home = Home::new();
    let out = home.command(&["scan"]).env("HOME", "").env_remove("CLAUDE_CONFIG_DIR").output().expect("runs");
    assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&out.stderr).starts_with("error: there is no home folder to find sessions in"));
}
