//! Many hooks at once.

use std::fs;
use std::process::Child;

use serde_json::{Value, json};

use crate::support::{Answer, answer};
use crate::trial::{Trial, in_full, tried};

/// Starts one hook for each payload before any of them is waited for.
fn all_at_once(trial: &Trial, payloads: &[Value]) -> Vec<Answer> {
    let children: Vec<Child> = payloads.iter().map(|payload| trial.start(payload)).collect();
    children.into_iter().map(|child| answer(&child.wait_with_output().expect("the hook ends"))).collect()
}

fn rounds() -> usize {
    if in_full() { 10 } else { 1 }
}

#[test]
fn sixty_four_hooks_at_once_on_one_session_lose_nothing() {
    for _ in 0..rounds() {
        let trial = Trial::new();
        let ended = |n: usize| {
            let path = trial.shared(&format!("f{n}"));
            fs::write(&path, "x").expect("written");
            trial.succeeded("s", &format!("t{n}"), &format!("cp a.txt {path}"))
        };
        let payloads: Vec<Value> = (0..64).map(ended).collect();
        let answers = trial.untouched(|| all_at_once(&trial, &payloads));
        assert!(answers.iter().all(|answer| *answer == Answer::Silence));
        // One more call takes in what may have been left in the overflow.
        trial.hook("s", "UserPromptSubmit", &json!({"prompt": "go on"}));
        // The second line of a state holds the temporary files.
        let state = fs::read_to_string(trial.state_file("s")).expect("a state");
        let temp_files: Value = serde_json::from_str(state.lines().nth(2).expect("a line")).expect("whole");
        assert_eq!(temp_files["writes"].as_array().expect("a list").len(), 64, "{}", trial.log());
        assert_eq!(trial.log(), "");
        trial.assert_works();
    }
    tried(64 * rounds(), "hooks at once on one session, 64 at a time");
}

#[test]
fn of_many_at_once_that_are_denied_once_all_are_answered_and_one_more_passes() {
    let trial = Trial::new();
    let restore = format!("cp {} a.txt", trial.shared("a"));
    trial.call("s", "t", &format!("cp a.txt {}", trial.shared("a")));
    let payloads: Vec<Value> = (0..16).map(|n| trial.asked("s", &format!("d{n}"), &restore)).collect();
    let answers = trial.untouched(|| all_at_once(&trial, &payloads));
    assert!(answers.iter().any(Answer::is_deny), "{answers:?}");
    assert!(!trial.ask("s", "after", &restore).is_deny());
}

#[test]
fn sixteen_sessions_at_once_on_one_ledger_path_lose_nothing() {
    for _ in 0..rounds() {
        let trial = Trial::new();
        let path = trial.shared("x");
        fs::write(&path, "x").expect("written");
        let payloads: Vec<Value> =
            (0..16).map(|n| trial.succeeded(&format!("session-{n:02}"), "t", &format!("echo {n} > {path}"))).collect();
        let answers = trial.untouched(|| all_at_once(&trial, &payloads));
        assert!(answers.iter().all(|answer| *answer == Answer::Silence));
        let ledger = fs::read_to_string(trial.state_dir().join("temp-ledger.jsonl")).expect("a ledger");
        let rows: Vec<Value> = ledger.lines().map(|line| serde_json::from_str(line).expect("a whole line")).collect();
        let mut sessions: Vec<&str> = rows.iter().map(|row| row["session"].as_str().expect("a session")).collect();
        let last = (*sessions.last().expect("a row")).to_owned();
        sessions.sort_unstable();
        sessions.dedup();
        assert_eq!(sessions.len(), 16);
        for n in (0..16).map(|n| format!("session-{n:02}")).filter(|session| *session != last) {
            assert!(trial.ask(&n, "u", &format!("cp {path} a.txt")).is_deny(), "{n}");
        }
    }
    tried(16 * rounds(), "sessions at once on one path, 16 at a time");
}
