//! The hook as a process: what it answers, and that it answers whatever happens.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Answer, Machine, answer, bash};
use serde_json::{Value, json};
use turnstop::session::store::VERSION;

const RULE: &str = "[session/shared-temp-path]";

#[test]
fn a_restore_of_unchanged_content_is_denied_once_and_then_passes() {
    let m = Machine::new();
    let (backup, restore) = (format!("cp a.txt {}", m.shared("a")), format!("cp {} a.txt", m.shared("a")));
    assert_eq!(m.call("s", "t1", &backup), Answer::Silence);
    let first = m.ask("s", "t2", &restore);
    assert!(first.is_deny() && first.text().contains("unchanged since you wrote it"), "{first:?}");
    let line = first.text().lines().next().unwrap_or_default();
    assert!(line == format!("{}: unchanged since you wrote it, but every session shares the name", m.shared("a")), "{first:?}");
    assert!(matches!(m.call("s", "t3", &restore), Answer::Note(_)));
    assert_eq!(m.call("s", "t4", &restore), Answer::Silence);
}

#[test]
fn a_restore_of_changed_content_is_denied_until_the_agent_looks() {
    let m = Machine::new();
    let (backup, restore) = (format!("cp a.txt {}", m.shared("a")), format!("cp {} a.txt", m.shared("a")));
    m.call("s", "t1", &backup);
    m.run(&format!("echo other > {}", m.shared("a")));
    for id in ["t2", "t3", "t4"] {
        let answer = m.ask("s", id, &restore);
        assert!(answer.is_deny() && answer.text().contains("changed since you wrote it (2 → 6 bytes)"), "{answer:?}");
    }
    m.call("s", "t5", &format!("diff {} a.txt", m.shared("a")));
    assert!(matches!(m.ask("s", "t6", &restore), Answer::Note(_)));
    m.run(&format!("echo again other > {}", m.shared("a")));
    assert!(m.ask("s", "t7", &restore).is_deny(), "what was looked at is not what is there now");
}

#[test]
fn another_sessions_write_is_named_and_denied_every_time() {
    let m = Machine::new();
    let restore = format!("mv -f {} a.txt", m.shared("a"));
    m.call("mine-0001", "t1", &format!("cp a.txt {}", m.shared("a")));
    m.call("other-0002", "u1", &format!("echo b > {}", m.shared("a")));
    for id in ["t2", "t3", "t4"] {
        let answer = m.ask("mine-0001", id, &restore);
        assert!(answer.is_deny() && answer.text().contains("session other-00"), "{answer:?}");
    }
    // Neither looking nor appending makes it ours; writing the whole content does.
    m.call("mine-0001", "t5", &format!("cat {}", m.shared("a")));
    m.call("mine-0001", "t6", &format!("echo more >> {}", m.shared("a")));
    assert!(m.ask("mine-0001", "t7", &restore).is_deny());
    m.call("mine-0001", "t8", &format!("cp a.txt {}", m.shared("a")));
    assert!(!m.ask("mine-0001", "t9", &restore).is_deny());
}

#[test]
fn what_another_session_alone_wrote_gets_a_note() {
    let m = Machine::new();
    m.call("other-0002", "u1", &format!("echo b > {}", m.shared("a")));
    let answer = m.ask("mine-0001", "t1", &format!("cp {} a.txt", m.shared("a")));
    assert!(matches!(&answer, Answer::Note(text) if text.contains("this session never did")), "{answer:?}");
}

#[test]
fn what_another_session_alone_wrote_may_be_run_and_quoted() {
    let m = Machine::new();
    m.call("other-0002", "u1", &format!("echo true > {}", m.shared("s")));
    assert_eq!(m.ask("mine-0001", "t1", &format!("sh {0}; git commit -F {0}", m.shared("s"))), Answer::Silence);
}

#[test]
fn payloads_without_a_session_share_no_memory() {
    let m = Machine::new();
    m.call("", "t1", &format!("cp a.txt {}", m.shared("a")));
    assert_eq!(m.ask("", "t2", &format!("cp {} a.txt", m.shared("a"))), Answer::Silence);
    assert!(m.log().contains("names no session"), "{}", m.log());
}

#[test]
fn an_agent_of_the_same_session_is_another_writer() {
    let m = Machine::new();
    let as_agent = |agent: &str, event: &str, id: &str, command: &str| {
        let mut fields = bash(id, command);
        fields["agent_id"] = json!(agent);
        fields["tool_response"] = json!({"stdout": "", "stderr": ""});
        m.hook("s", event, &fields)
    };
    for (agent, id) in [("a1", "t1"), ("a2", "t2")] {
        let command = format!("echo {agent} > {}", m.shared("x"));
        as_agent(agent, "PreToolUse", id, &command);
        m.run(&command);
        as_agent(agent, "PostToolUse", id, &command);
    }
    let answer = as_agent("a1", "PreToolUse", "t3", &format!("cp {} a.txt", m.shared("x")));
    assert!(answer.is_deny() && answer.text().contains("subagent a2"), "{answer:?}");
}

#[test]
fn a_copy_that_does_not_equal_its_source_is_not_vouched_for() {
    let m = Machine::new();
    let backup = format!("cp a.txt {}", m.shared("a"));
    m.ask("s", "t1", &backup);
    m.run(&format!("{backup}; echo other > {}", m.shared("a")));
    m.done("s", "t1", &backup);
    let answer = m.ask("s", "t2", &format!("cp {} a.txt", m.shared("a")));
    assert!(answer.is_deny() && answer.text().contains("cannot tell"), "{answer:?}");
}

#[test]
fn what_a_background_command_wrote_is_not_vouched_for() {
    let m = Machine::new();
    let command = format!("make-report > {}", m.shared("r"));
    let mut fields = bash("t1", &command);
    fields["tool_input"]["run_in_background"] = json!(true);
    m.hook("s", "PreToolUse", &fields);
    fields["tool_response"] = json!({"stdout": "", "stderr": "", "backgroundTaskId": "b1"});
    m.hook("s", "PostToolUse", &fields);
    m.run(&format!("echo done > {}", m.shared("r")));
    let answer = m.ask("s", "t2", &format!("cp {} report.txt", m.shared("r")));
    assert!(answer.is_deny() && answer.text().contains("cannot tell"), "{answer:?}");
}

#[test]
fn a_write_while_another_call_has_the_path_open_is_not_vouched_for() {
    let m = Machine::new();
    m.ask("other-0002", "u1", &format!("echo b > {}", m.shared("a")));
    m.call("mine-0001", "t1", &format!("cp a.txt {}", m.shared("a")));
    let answer = m.ask("mine-0001", "t2", &format!("cp {} a.txt", m.shared("a")));
    assert!(answer.is_deny() && answer.text().contains("cannot tell"), "{answer:?}");
}

#[test]
fn a_call_whose_end_was_never_told_leaves_what_was_known() {
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    m.ask("s", "t2", &format!("echo interrupted > {}", m.shared("a")));
    let answer = m.ask("s", "t3", &format!("cp {} a.txt", m.shared("a")));
    assert!(answer.text().contains("unchanged since you wrote it"), "{answer:?}");
}

#[test]
fn a_denied_or_failed_call_writes_nothing() {
    let m = Machine::new();
    let backup = format!("cp a.txt {}", m.shared("a"));
    m.ask("s", "t1", &backup);
    let mut failed = bash("t1", &backup);
    failed["error"] = json!("Exit code 1\ncp: cannot create");
    m.hook("s", "PostToolUseFailure", &failed);
    assert_eq!(m.ask("s", "t2", &format!("cp {} a.txt", m.shared("a"))), Answer::Silence);
}

#[test]
fn files_written_by_the_write_tool_count() {
    let m = Machine::new();
    let path = m.shared("script.sh");
    let mut fields = json!({"tool_name": "Write", "tool_use_id": "t1", "tool_input": {"file_path": path, "content": "echo hi\n"}});
    m.hook("s", "PreToolUse", &fields);
    fs::write(&path, "echo hi\n").expect("written");
    fields["tool_response"] = json!({"type": "create", "filePath": path, "content": "echo hi\n"});
    m.hook("s", "PostToolUse", &fields);
    assert!(matches!(m.ask("s", "t2", &format!("sh {path}")), Answer::Note(_)));
    assert!(m.ask("s", "t3", &format!("cp {path} run.sh")).is_deny());
}

#[test]
fn the_directory_of_a_call_is_the_one_it_started_in() {
    let m = Machine::new();
    fs::create_dir(m.shared("d")).expect("a folder");
    let mut fields = bash("t1", "cd d && cp ../x.txt y.txt");
    fields["cwd"] = json!(m.shared(""));
    m.hook("s", "PreToolUse", &fields);
    fs::write(m.shared("d/y.txt"), "y\n").expect("written");
    fields["cwd"] = json!(m.shared("d"));
    fields["tool_response"] = json!({"stdout": "", "stderr": ""});
    m.hook("s", "PostToolUse", &fields);
    let answer = m.ask("s", "t2", &format!("cp {} .", m.shared("d/y.txt")));
    assert!(answer.is_deny() && answer.text().contains("d/y.txt"), "{answer:?}");
}

#[test]
fn a_project_under_the_temporary_root_is_no_temporary_place() {
    let m = Machine::new();
    assert!(m.project().starts_with(std::env::temp_dir()), "the test's project lies under a temporary root");
    let copy = m.project().join("b.txt");
    m.call("s", "t1", &format!("cp a.txt {}", copy.display()));
    assert_eq!(m.ask("s", "t2", &format!("cp {} a.txt", copy.display())), Answer::Silence);
}

#[test]
fn the_same_event_delivered_twice_is_answered_once() {
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    let restore = format!("cp {} a.txt", m.shared("a"));
    assert!(m.ask("s", "t2", &restore).is_deny());
    assert_eq!(m.ask("s", "t2", &restore), Answer::Silence);
}

#[test]
fn a_call_asked_about_anew_does_not_slip_through_what_is_denied_every_time() {
    let m = Machine::new();
    m.call("mine-0001", "t1", &format!("cp a.txt {}", m.shared("a")));
    m.call("other-0002", "u1", &format!("echo b > {}", m.shared("a")));
    for _ in 0..3 {
        assert!(m.ask("mine-0001", "t2", &format!("cp {} a.txt", m.shared("a"))).is_deny());
    }
}

#[test]
fn a_lost_state_is_read_again_from_the_transcript() {
    let m = Machine::new();
    let backup = format!("cp a.txt {}", m.shared("a"));
    let lines = [
        json!({"type": "assistant", "uuid": "1", "sessionId": "s", "cwd": m.project(), "message": {"role": "assistant",
            "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": backup}}]}}),
        json!({"type": "user", "uuid": "2", "sessionId": "s", "cwd": m.project(), "toolUseResult": {"stdout": "", "stderr": ""},
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "", "is_error": false}]}}),
    ];
    m.record("s", &lines);
    m.run(&backup);
    let restore = format!("cp {} a.txt", m.shared("a"));
    let answer = m.ask("s", "t2", &restore);
    assert!(answer.is_deny() && answer.text().contains("cannot tell"), "{answer:?}");
    // A damaged file is a lost one: what was said is forgotten with it.
    fs::write(m.state_file("s"), "{\"version\":2,\"facts\":{").expect("written");
    assert!(m.ask("s", "t3", &restore).is_deny());
    assert!(matches!(m.ask("s", "t4", &restore), Answer::Note(_)));
}

#[test]
fn the_state_of_a_newer_version_is_left_alone() {
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    let newer = fs::read_to_string(m.state_file("s")).expect("a state").replacen(&format!("\"version\":{VERSION}"), "\"version\":99", 1);
    fs::write(m.state_file("s"), &newer).expect("written");
    assert_eq!(m.ask("s", "t2", &format!("cp {} a.txt", m.shared("a"))), Answer::Silence);
    assert_eq!(fs::read_to_string(m.state_file("s")).expect("a state"), newer);
}

#[test]
fn observe_tells_and_never_denies() {
    let mut m = Machine::new();
    m.flags = vec!["--observe"];
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    m.run(&format!("echo other > {}", m.shared("a")));
    let answer = m.ask("s", "t2", &format!("cp {} a.txt", m.shared("a")));
    assert!(matches!(&answer, Answer::Note(text) if text.contains("changed since")), "{answer:?}");
}

#[test]
fn an_observed_backup_that_another_session_clobbers_is_told_of_again() {
    let mut m = Machine::new();
    m.flags = vec!["--observe"];
    let restore = format!("cp {} a.txt", m.shared("a"));
    m.call("mine-0001", "t1", &format!("cp a.txt {}", m.shared("a")));
    assert!(matches!(m.ask("mine-0001", "t2", &restore), Answer::Note(text) if text.contains("unchanged")));
    m.call("other-0002", "u1", &format!("echo b > {}", m.shared("a")));
    assert!(matches!(m.ask("mine-0001", "t3", &restore), Answer::Note(text) if text.contains("session other-00")));
}

#[test]
fn exit_codes_are_given_only_when_asked_for() {
    let mut m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    m.flags = vec!["--reply", "exit-code"];
    let payload = m.payload("s", "PreToolUse", &bash("t2", &format!("cp {} a.txt", m.shared("a"))));
    let output = m.raw(payload.to_string().as_bytes());
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains(RULE));
    let silent = m.raw(m.payload("s", "PreToolUse", &bash("t3", "ls")).to_string().as_bytes());
    assert_eq!(silent.status.code(), Some(0));
}

#[test]
fn config_lowers_the_voice_and_a_broken_one_means_the_defaults() {
    let m = Machine::new();
    fs::create_dir_all(m.config_file().parent().expect("a folder")).expect("created");
    let restore = format!("cp {} a.txt", m.shared("a"));
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    fs::write(m.config_file(), "[rules.\"session/shared-temp-path\"]\nverified-unchanged = \"note\"\n").expect("written");
    assert!(matches!(m.ask("s", "t2", &restore), Answer::Note(_)));
    fs::write(m.config_file(), "[rules.\"session/shared-temp-path\"]\nlevel = \"off\"\n").expect("written");
    assert_eq!(m.ask("s", "t3", &restore), Answer::Silence);
    fs::write(m.config_file(), "[rules.\"session/shared-temp-path\"]\nlevel = \"loud\"\n").expect("written");
    assert!(m.ask("s", "t4", &restore).is_deny());
    assert!(m.log().contains("must be one of off, note, warn, block"), "{}", m.log());
}

#[test]
fn whatever_comes_in_the_hook_stays_out_of_the_way() {
    let m = Machine::new();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let braces = m.payload("s", "PreToolUse", &bash("t", &format!("cp /tmp/a {}", "{".repeat(50_000)))).to_string();
    let inputs: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"{".to_vec(),
        b"null".to_vec(),
        b"42".to_vec(),
        b"Credit balance is too low".to_vec(),
        b"\xff\xfe\x00{".to_vec(),
        b"{\"hook_event_name\":\"PreTool".to_vec(),
        b"{\"hook_event_name\":\"NoSuchEvent\",\"session_id\":\"s\"}".to_vec(),
        b"{\"hook_event_name\":\"PreToolUse\",\"session_id\":null,\"tool_name\":7,\"tool_input\":\"x\"}".to_vec(),
        b"{\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":null}".to_vec(),
        deep.into_bytes(),
        braces.into_bytes(),
    ];
    for input in inputs {
        assert_eq!(answer(&m.raw(&input)), Answer::Silence, "{:?}", String::from_utf8_lossy(&input[..input.len().min(80)]));
    }
}

#[test]
fn input_that_is_no_payload_leaves_a_line_in_the_log_and_an_unknown_event_none() {
    let m = Machine::new();
    m.raw(b"{\"hook_event_name\":\"NoSuchEvent\",\"session_id\":\"s\"}");
    assert_eq!(m.log(), "");
    m.raw(b"Credit balance is too low");
    assert!(m.log().contains("no payload: "), "{}", m.log());
}

#[test]
fn a_session_id_that_climbs_writes_nowhere_else() {
    let m = Machine::new();
    m.call("../../../escaped", "t1", &format!("cp a.txt {}", m.shared("a")));
    let names: Vec<String> = fs::read_dir(m.state_dir().join("sessions"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert!(!names.is_empty() && names.iter().all(|name| name.starts_with("hashed_")), "{names:?}");
}

#[test]
fn an_open_pipe_after_the_payload_is_not_waited_for() {
    let m = Machine::new();
    for (input, limit) in
        [(m.payload("s", "PreToolUse", &bash("t", "ls /tmp")).to_string(), 900), ("{\"hook_event_name\":".to_owned(), 3000)]
    {
        let mut child = m.command().spawn().expect("the hook starts");
        let mut pipe = child.stdin.take().expect("a pipe");
        pipe.write_all(input.as_bytes()).expect("written");
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("waits") {
                break status;
            }
            assert!(start.elapsed() < Duration::from_millis(limit), "still waiting after {input}");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert_eq!(status.code(), Some(0));
        drop(pipe);
    }
}

#[test]
fn without_a_place_for_state_nothing_is_denied_that_could_not_pass_later() {
    let m = Machine::new();
    fs::create_dir_all(m.state_dir().parent().expect("a folder")).expect("created");
    // A file where the folder should be refuses root, too, whom no permission stops.
    fs::write(m.state_dir(), "in the way").expect("written");
    let lines = [
        json!({"type": "assistant", "uuid": "1", "sessionId": "s", "cwd": m.project(), "message": {"role": "assistant",
            "content": [{"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": format!("cp a.txt {}", m.shared("a"))}}]}}),
        json!({"type": "user", "uuid": "2", "sessionId": "s", "cwd": m.project(), "toolUseResult": {"stdout": "", "stderr": ""},
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": ""}]}}),
    ];
    m.record("s", &lines);
    for id in ["t2", "t3"] {
        assert!(matches!(m.ask("s", id, &format!("cp {} a.txt", m.shared("a"))), Answer::Note(_)));
    }
}

#[test]
fn on_a_full_disk_nothing_is_denied_that_could_not_pass_later() {
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    for id in ["t2", "t3"] {
        // No file may grow: what a full disk is to a writer.
        let mut full = Command::new("sh");
        full.args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" hook", env!("CARGO_BIN_EXE_turnstop")]);
        let payload = m.payload("s", "PreToolUse", &bash(id, &format!("cp {} a.txt", m.shared("a"))));
        let answer = answer(&m.run_with_input(full, payload.to_string().as_bytes()));
        assert!(matches!(&answer, Answer::Note(text) if text.contains("unchanged since")), "{answer:?}");
    }
    assert!(m.ask("s", "t4", &format!("cp {} a.txt", m.shared("a"))).is_deny(), "and it was not remembered as said");
}

#[test]
fn pipes_in_the_place_of_our_own_files_hold_nothing() {
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    fs::create_dir_all(m.config_file().parent().expect("a folder")).expect("created");
    let state = m.state_dir();
    for path in [
        state.join("log"),
        state.join("seen/PreToolUse"),
        state.join("temp-ledger.jsonl"),
        state.join("sessions/s.lock"),
        state.join("sessions/s.overflow"),
        m.state_file("s"),
        m.config_file(),
    ] {
        let _ = fs::remove_file(&path);
        // Old enough that whoever keeps a time there would renew it.
        m.run(&format!("mkfifo {0}; touch -d '1 hour ago' {0}", path.display()));
        m.call("s", "t2", &format!("cp a.txt {}", m.shared("a")));
        m.ask("s", "t3", &format!("cp {} a.txt", m.shared("a")));
        let _ = fs::remove_file(&path);
    }
}

#[test]
fn a_command_with_thousands_of_temporary_paths_is_answered_in_good_time() {
    let m = Machine::new();
    let copies: Vec<String> = (0..3000).map(|n| format!("cp a.txt {}", m.shared(&n.to_string()))).collect();
    let start = Instant::now();
    m.ask("s", "t1", &copies.join("; "));
    m.done("s", "t1", &copies.join("; "));
    assert!(start.elapsed() < Duration::from_secs(5), "the client would have given up on it soon");
}

#[test]
fn the_state_belongs_to_its_owner_alone() {
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    for (path, mode) in [(m.state_dir(), 0o700), (m.state_file("s"), 0o600), (m.state_dir().join("temp-ledger.jsonl"), 0o600)] {
        let found = fs::metadata(&path).expect("is there").permissions().mode() & 0o777;
        assert_eq!(found, mode, "{}", path.display());
    }
}

/// Starts one hook for each payload before any of them is waited for.
fn all_at_once(m: &Machine, payloads: &[Value]) -> Vec<Answer> {
    let mut children: Vec<_> = payloads
        .iter()
        .map(|payload| {
            let mut command = m.command();
            command.stdin(Stdio::piped());
            let mut child = command.spawn().expect("the hook starts");
            child.stdin.take().expect("a pipe").write_all(payload.to_string().as_bytes()).expect("written");
            child
        })
        .collect();
    children.drain(..).map(|child| answer(&child.wait_with_output().expect("the hook ends"))).collect()
}

#[test]
fn of_sixty_four_restores_at_once_each_gets_an_answer_and_the_state_survives() {
    let m = Machine::new();
    m.call("s", "t0", &format!("cp a.txt {}", m.shared("a")));
    m.run(&format!("echo other > {}", m.shared("a")));
    let ask = |n: usize| m.payload("s", "PreToolUse", &bash(&format!("r{n}"), &format!("cp {} a.txt", m.shared("a"))));
    assert!(all_at_once(&m, &(0..64).map(ask).collect::<Vec<_>>()).iter().all(Answer::is_deny));
    assert!(m.ask("s", "last", &format!("cp {} a.txt", m.shared("a"))).is_deny());
}

#[test]
fn a_state_whose_lock_is_held_does_not_hold_the_call() {
    use fs2::FileExt;
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("a")));
    let lock = fs::File::open(m.state_file("s").with_extension("lock")).expect("a lock file");
    lock.lock_exclusive().expect("locked");
    m.call("s", "t2", &format!("cp a.txt {}", m.shared("b")));
    assert!(m.ask("s", "t3", &format!("cp {} a.txt", m.shared("a"))).is_deny());
    lock.unlock().expect("unlocked");
    // Both the write and what was said while the lock was held are known to the next call.
    assert!(matches!(m.ask("s", "t4", &format!("cp {} a.txt", m.shared("a"))), Answer::Note(_)));
    assert!(m.ask("s", "t5", &format!("cp {} a.txt", m.shared("b"))).is_deny());
}

#[test]
fn a_megabyte_of_content_is_no_obstacle() {
    let m = Machine::new();
    let mut fields = json!({"tool_name": "Write", "tool_use_id": "t1",
        "tool_input": {"file_path": m.shared("big"), "content": "x \" \\ {".repeat(500_000)}});
    assert_eq!(m.hook("s", "PreToolUse", &fields), Answer::Silence);
    fs::write(m.shared("big"), "x").expect("written");
    fields["tool_response"] = json!({"type": "create", "filePath": m.shared("big")});
    assert_eq!(m.hook("s", "PostToolUse", &fields), Answer::Silence);
    assert!(m.ask("s", "t2", &format!("cp {} a.txt", m.shared("big"))).is_deny());
}

#[test]
fn bytes_of_another_session_stay_its_own_through_folders_appends_and_unseen_calls() {
    let m = Machine::new();
    let (x, y, d) = (m.shared("x"), m.shared("y"), m.shared("d"));
    fs::create_dir(&d).expect("a folder");
    m.call("mine-0001", "t1", &format!("cp a.txt {x}"));
    m.call("other-0002", "u1", &format!("echo b > {x}"));
    let in_one_call = m.ask("mine-0001", "t2", &format!("cp {x} {d}/x; echo hi > {d}/y; cp -r {d} out"));
    assert!(in_one_call.is_deny() && in_one_call.text().contains("it holds what session other-0002 wrote"), "{in_one_call:?}");
    // The beginnings of these calls are never told.
    for (id, command, restore) in
        [("t3", format!("cp {x} {y}"), format!("cp {y} a.txt")), ("t4", format!("echo more >> {x}"), format!("cp {x} a.txt"))]
    {
        m.run(&command);
        m.done("mine-0001", id, &command);
        let answer = m.ask("mine-0001", &format!("{id}-restore"), &restore);
        assert!(answer.is_deny() && answer.text().contains("other-0002"), "{answer:?}");
    }
}

#[test]
fn what_was_removed_before_a_file_was_built_up_anew_taints_nothing() {
    let m = Machine::new();
    let x = m.shared("x");
    m.call("mine-0001", "t1", &format!("cp a.txt {x}"));
    m.call("other-0002", "u1", &format!("echo b > {x}"));
    assert!(!m.ask("mine-0001", "t2", &format!("rm -f {x}; echo 1 >> {x}; cp {x} a.txt")).is_deny());
    // Whoever removed it: nothing of the other's is left in what is added to afterwards.
    m.run(&format!("rm {x}"));
    m.call("mine-0001", "t3", &format!("echo 1 >> {x}"));
    let answer = m.ask("mine-0001", "t4", &format!("cp {x} a.txt"));
    assert!(answer.text().contains("unchanged since you wrote it"), "{answer:?}");
}

#[test]
fn what_an_agent_of_this_session_wrote_is_not_said_to_be_unknown_to_the_session() {
    let m = Machine::new();
    let (command, mut fields) = (format!("echo b > {}", m.shared("x")), json!({"agent_id": "a1"}));
    for event in ["PreToolUse", "PostToolUse"] {
        fields.as_object_mut().expect("an object").extend(bash("t1", &command).as_object().expect("an object").clone());
        fields["tool_response"] = json!({"stdout": "", "stderr": ""});
        m.hook("s", event, &fields);
        m.run(&command);
    }
    let answer = m.ask("s", "t2", &format!("cp {} a.txt", m.shared("x")));
    assert!(matches!(&answer, Answer::Note(text) if text.contains("subagent a1") && text.contains("this agent never did")), "{answer:?}");
}

#[test]
fn a_large_file_that_was_only_touched_is_not_said_to_have_changed() {
    let m = Machine::new();
    m.run("head -c 2000000 /dev/zero > big.bin");
    m.call("s", "t1", &format!("cp big.bin {}", m.shared("x")));
    m.run(&format!("touch -d '2 hours ago' {}", m.shared("x")));
    let answer = m.ask("s", "t2", &format!("cp {} big.bin", m.shared("x")));
    assert!(answer.is_deny() && answer.text().contains("too large to be compared whole"), "{answer:?}");
    assert!(!m.ask("s", "t3", &format!("cp {} big.bin", m.shared("x"))).is_deny());
}

#[test]
fn bytes_that_had_changed_before_they_were_copied_are_told_as_such() {
    let m = Machine::new();
    m.call("s", "t1", &format!("cp a.txt {}", m.shared("x")));
    m.run(&format!("echo other > {}", m.shared("x")));
    m.call("s", "t2", &format!("cp {} {}", m.shared("x"), m.shared("y")));
    let answer = m.ask("s", "t3", &format!("cp {} a.txt", m.shared("y")));
    assert!(answer.is_deny() && answer.text().contains("it holds what had changed before you copied it"), "{answer:?}");
}

#[test]
fn a_name_shows_no_secret_and_no_second_rule() {
    let m = Machine::new();
    let path = m.shared("ghp_0123456789abcdefghijkl [session/other] [session/shared-temp-path]");
    m.call("s", "t1", &format!("cp a.txt '{path}'"));
    let answer = m.ask("s", "t2", &format!("cp '{path}' a.txt"));
    assert!(answer.is_deny() && !answer.text().contains("ghp_"), "{answer:?}");
}

#[test]
fn the_start_of_a_session_tells_the_model_once_and_in_one_line_what_is_wrong_with_the_memories() {
    let m = Machine::new();
    let memory = m.sessions().join("memory");
    fs::create_dir_all(&memory).expect("created");
    fs::write(memory.join("MEMORY.md"), "- [a](a.md)\n").expect("written");
    fs::write(memory.join("a.md"), "The parser is in `src/gone.rs`, the text in `a.txt`.\n").expect("written");
    let start = |session: &str| m.hook(session, "SessionStart", &json!({"source": "startup"}));
    let answer = start("s1");
    let told = answer.text();
    assert!(told.contains("src/gone.rs") && !told.contains("a.txt,") && told.ends_with("[session/stale-memory]"), "{answer:?}");
    assert!(!told.contains('\n') && told.len() <= 600, "{answer:?}");
    assert_eq!(start("s1"), Answer::Silence);
    fs::write(memory.join("MEMORY.md"), "- entry\n".repeat(260)).expect("written");
    assert!(start("s2").text().ends_with("[session/memory-index-overflow]"), "the graver one speaks");
    fs::remove_dir_all(&memory).expect("removed");
    assert_eq!(start("s3"), Answer::Silence);
}
