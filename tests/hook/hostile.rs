//! The hook among files of its own that are damaged, in the way, or far too long, and payloads that are.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Answer, Machine, answer, bash};

#[test]
fn a_state_that_cannot_be_put_in_place_denies_nothing_that_could_not_pass_later() {
    let m = Machine::new();
    let restore = format!("cp {} a.txt", m.shared("a"));
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    fs::remove_file(m.state_file("s")).expect("removed");
    fs::create_dir(m.state_file("s")).expect("a folder in the way");
    for id in ["t2", "t2-again"] {
        assert!(!m.ask("s", id, &restore).is_deny());
    }
    fs::remove_dir(m.state_file("s")).expect("removed");

    m.call("s", "t3", &format!("cp a.txt {}", m.shared("a")));
    fs::create_dir(m.state_file("s").with_extension("overflow")).expect("a folder in the way");
    assert!(m.ask("s", "t4", &restore).is_deny());
    assert!(!m.ask("s", "t5", &restore).is_deny(), "an overflow that cannot be emptied keeps no state from its place");
}

#[test]
fn the_state_of_a_newer_version_is_left_alone_whatever_its_form() {
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    let newer = "{\"version\":99,\"facts\":[1],\"observed\":null}";
    fs::write(m.state_file("s"), newer).expect("written");
    assert_eq!(m.ask("s", "t2", &format!("cp {} a.txt", m.shared("a"))), Answer::Silence);
    assert_eq!(fs::read_to_string(m.state_file("s")).expect("a state"), newer);
}

#[test]
fn ids_and_folders_of_any_length_are_answered_in_good_time_and_kept_short() {
    let m = Machine::new();
    let start = Instant::now();
    let mut fields = bash("t1", &format!("cp a.txt {}", m.shared("a")));
    fields["tool_use_id"] = json!("t".repeat(50_000));
    fields["agent_id"] = json!("\u{1b}\n".repeat(50_000));
    fields["cwd"] = json!(format!("/w/{}", "x".repeat(100_000)));
    for event in ["PreToolUse", "PostToolUse"] {
        fields["tool_response"] = json!({"stdout": "", "stderr": ""});
        assert_eq!(m.hook("s", event, &fields), Answer::Silence);
    }
    let without_project = |fields: &Value| {
        let mut command = Command::new("env");
        command.args(["-u", "CLAUDE_PROJECT_DIR", env!("CARGO_BIN_EXE_turnstop"), "hook"]);
        answer(&m.run_with_input(command, m.payload("u", "PreToolUse", fields).to_string().as_bytes()))
    };
    assert_eq!(without_project(&fields), Answer::Silence);
    assert!(start.elapsed() < Duration::from_secs(5));
    assert!(fs::metadata(m.state_dir().join("temp-ledger.jsonl")).expect("a ledger").len() < 4096);
}

#[test]
fn a_pipe_in_the_place_of_a_repository_holds_nothing() {
    let m = Machine::new();
    m.run("mkfifo .git");
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    assert!(m.ask("s", "t2", &format!("cp {} a.txt", m.shared("a"))).is_deny());
}

#[test]
fn a_ledger_of_any_length_is_answered_in_good_time_and_cut_at_the_end_of_a_turn() {
    let m = Machine::new();
    let ledger = m.state_dir().join("temp-ledger.jsonl");
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    let row = fs::read_to_string(&ledger).expect("a ledger").lines().last().expect("a row").to_owned();
    let rows: Vec<String> = (0..100_000).map(|n| row.replace("/a\"", &format!("/a{n}\""))).collect();
    fs::write(&ledger, rows.join("\n")).expect("written");
    let start = Instant::now();
    m.call("s", "t2", &format!("cp a.txt {}", m.shared("b")));
    m.hook("s", "Stop", &json!({"last_assistant_message": "done"}));
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert!(fs::metadata(&ledger).expect("a ledger").len() < 4 << 20);
    assert!(m.ask("s", "t3", &format!("cp {} a.txt", m.shared("b"))).text().contains("unchanged since"), "the newest rows are kept");
}

#[test]
fn a_ledger_whose_lock_is_held_is_waited_for_once_whatever_the_number_of_paths() {
    use fs2::FileExt;
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    let ledger = fs::File::open(m.state_dir().join("temp-ledger.jsonl")).expect("a ledger");
    ledger.lock_exclusive().expect("locked");
    let copies: Vec<String> = (0..100).map(|n| format!("cp a.txt {}", m.shared(&n.to_string()))).collect();
    let start = Instant::now();
    m.ask("s", "t2", &copies.join("; "));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_log_that_cannot_be_put_aside_grows_no_further() {
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    fs::write(m.state_dir().join("log"), "x".repeat(300_000)).expect("written");
    fs::create_dir_all(m.state_dir().join("log.1/in-the-way")).expect("a folder");
    fs::create_dir_all(m.config_file()).expect("a folder in the config's place");
    assert!(m.ask("s", "t2", &format!("cp {} a.txt", m.shared("a"))).is_deny());
    assert_eq!(m.log().len(), 300_000);
}

#[test]
fn a_look_counts_when_the_state_is_lost_and_the_ledger_is_not() {
    let m = Machine::new();
    let restore = format!("cp {} a.txt", m.shared("a"));
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    m.run(&format!("echo other > {}", m.shared("a")));
    fs::remove_file(m.state_file("s")).expect("removed");
    assert!(m.ask("s", "t2", &restore).text().contains("look at it first"));
    m.call("s", "t3", &format!("cat {}", m.shared("a")));
    assert!(!m.ask("s", "t4", &restore).is_deny());
}

#[test]
fn what_a_repository_tells_git_to_run_is_not_run() {
    let m = Machine::new();
    m.run("git init -qb main . && git add -A && git commit -qm start");
    let marker = m.home().join("marker");
    let script = m.home().join("script");
    fs::write(&script, format!("#!/bin/sh\ntouch '{}'\n", marker.display())).expect("written");
    let script = script.to_string_lossy().into_owned();
    m.run(&format!("chmod +x '{script}' && mkdir -p hooks && cp '{script}' hooks/post-index-change && git config core.hooksPath hooks"));
    for key in ["core.fsmonitor", "core.pager", "pager.status", "core.sshCommand", "core.editor", "diff.external", "alias.status"] {
        m.run(&format!("git config {key} '{}{script}'", if key.starts_with("alias") { "!" } else { "" }));
    }
    for n in 0..12 {
        let path = format!("new-{n}.txt");
        m.write(&path, "x");
        let fields = json!({"tool_name": "Write", "tool_use_id": format!("w{n}"), "tool_response": {},
            "tool_input": {"file_path": m.project().join(&path), "content": "x"}});
        m.hook("s", "PostToolUse", &fields);
    }
    let end = m.hook("s", "Stop", &json!({"stop_hook_active": false, "last_assistant_message": "The files are there."}));
    assert!(end.text().contains("12 "), "git was asked: {end:?}");
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    let restore = m.ask("s", "t2", &format!("cp {} a.txt", m.shared("a")));
    assert!(restore.text().contains("git show HEAD:./a.txt"), "git was asked: {restore:?}");
    assert!(!marker.exists());
}
