//! Without a home, or with one that is none.

use serde_json::json;

use crate::support::{Answer, answer};
use crate::trial::{Trial, tried};

/// What the shell makes of the environment before it starts the hook. `$M` is the machine's folder.
const ENVIRONMENTS: &[(&str, &str)] = &[
    ("no HOME", "unset HOME XDG_STATE_HOME XDG_CONFIG_HOME"),
    ("an empty HOME", "HOME=; export HOME; unset XDG_STATE_HOME XDG_CONFIG_HOME"),
    ("all empty", "HOME= XDG_STATE_HOME= XDG_CONFIG_HOME= CLAUDE_PROJECT_DIR= TMPDIR="),
    ("nothing set at all", "unset HOME XDG_STATE_HOME XDG_CONFIG_HOME CLAUDE_PROJECT_DIR"),
    ("a relative HOME", "HOME=. ; unset XDG_STATE_HOME XDG_CONFIG_HOME"),
    ("a HOME that is not there and cannot be", "HOME=/proc/nobody; unset XDG_STATE_HOME XDG_CONFIG_HOME"),
    ("a HOME that is a file", "HOME=$M/app/a.txt; unset XDG_STATE_HOME XDG_CONFIG_HOME"),
    ("a HOME that is a device", "HOME=/dev/null; unset XDG_STATE_HOME XDG_CONFIG_HOME"),
    ("a HOME of a megabyte", "HOME=/$(head -c 100000 /dev/zero | tr '\\0' x); unset XDG_STATE_HOME XDG_CONFIG_HOME"),
    ("no HOME and a relative state folder", "unset HOME XDG_CONFIG_HOME; XDG_STATE_HOME=state"),
    ("a state folder below a file", "XDG_STATE_HOME=$M/app/a.txt"),
    ("a state folder that is not UTF-8, and no HOME", "unset HOME; XDG_STATE_HOME=$(printf '/tmp/\\377')"),
    ("a HOME that is not UTF-8", "HOME=$(printf '/tmp/\\377'); unset XDG_STATE_HOME XDG_CONFIG_HOME"),
];

#[test]
fn without_a_home_it_says_what_the_transcript_tells_and_denies_nothing() {
    let trial = Trial::new();
    trial.record("s", &crate::failing::written(&trial, "t1", &trial.shared("a")));
    trial.run(&format!("cp a.txt {}", trial.shared("a")));
    let events = [
        ("PreToolUse", crate::support::bash("t2", &format!("cp {} a.txt", trial.shared("a")))),
        ("UserPromptSubmit", json!({"prompt": "go on"})),
        ("SessionStart", json!({"source": "startup"})),
        ("Stop", json!({"last_assistant_message": "All tests pass."})),
    ];
    for (name, environment) in ENVIRONMENTS {
        for (event, fields) in &events {
            let script = format!("M={}; {environment}; exec \"$0\" \"$@\"", trial.home().display());
            let payload = trial.payload("s", event, fields).to_string();
            let answer = trial.untouched(|| answer(&trial.started_by(&["sh", "-c", &script], payload.as_bytes())));
            assert!(!matches!(answer, Answer::Deny(_) | Answer::Block(_)), "{name}: {answer:?}");
            if *event == "PreToolUse" {
                assert!(matches!(&answer, Answer::Note(text) if text.contains("written earlier")), "{name}: {answer:?}");
            }
        }
        assert!(!std::path::Path::new("/tmp/\\377").exists() && !trial.project().join("state").exists(), "{name}");
    }
    trial.assert_works();
    tried(ENVIRONMENTS.len() * events.len(), "calls without a home");
}

#[test]
fn a_working_folder_that_is_gone_is_no_hindrance() {
    let trial = Trial::new();
    trial.clobber("a");
    trial.run("mkdir gone");
    trial.give(&trial.project().join("gone"));
    let payload = trial.asked("mine", "t", &format!("cp {} a.txt", trial.shared("a"))).to_string();
    let words = ["sh", "-c", "cd gone && rmdir ../gone && exec \"$0\" \"$@\""];
    assert!(answer(&trial.started_by(&words, payload.as_bytes())).is_deny());
}
