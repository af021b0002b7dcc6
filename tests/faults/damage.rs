//! Our own files cut off at any byte, overwritten, or grown beyond all bounds.

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::failing::written;
use crate::kills::{assert_loads, known, leave_in_overflow, meet_late};
use crate::trial::{Kept, Trial, some, tried};

/// A machine with one of each of our files that holds something.
fn with_all_files() -> (Trial, Kept) {
    let trial = Trial::new();
    trial.clobber("a");
    meet_late(&trial);
    leave_in_overflow(&trial, 1);
    trial.raw(b"no payload");
    let kept = trial.kept();
    (trial, kept)
}

fn files(trial: &Trial) -> [(&'static str, PathBuf); 5] {
    let (state, late) = (trial.state_file("mine"), trial.state_file("late"));
    [
        ("state", state.clone()),
        ("overflow", state.with_extension("overflow")),
        ("waiting events", late.with_extension("waiting")),
        ("ledger", trial.state_dir().join("temp-ledger.jsonl")),
        ("log", trial.state_dir().join("log")),
    ]
}

/// One event of each session, and what must hold when one of the files is not what it was.
fn assert_goes_on(trial: &Trial, damaged: &str) {
    trial.untouched(|| match damaged {
        "ledger" => {
            trial.ask("mine", "r", &format!("cp {} a.txt", trial.shared("a")));
            trial.ask("late", "r", &format!("cp a.txt {}", trial.shared("l0")));
        }
        "log" => {
            trial.raw(b"no payload");
            let log = fs::read(trial.state_dir().join("log")).expect("a log");
            assert!(log.ends_with(b"bytes that name no event\n"));
        }
        "waiting events" => {
            trial.hook("late", "Stop", &json!({"last_assistant_message": "done"}));
            assert_loads(trial, "late");
        }
        _ => {
            trial.assert_denied("a");
            trial.hook("mine", "Stop", &json!({"last_assistant_message": "done"}));
            assert_loads(trial, "mine");
        }
    });
}

#[test]
fn cut_off_at_any_byte_they_cost_no_more_than_what_they_held() {
    let (trial, kept) = with_all_files();
    for (name, path) in files(&trial) {
        let whole = kept.get(&path).expect(name).clone();
        assert!(!whole.is_empty(), "{name}");
        for (round, length) in some(0..whole.len(), 37).enumerate() {
            trial.restore(&kept);
            trial.put(&path, &whole[..length]);
            assert_goes_on(&trial, name);
            if round % 64 == 0 {
                trial.assert_works();
            }
        }
        tried(whole.len().div_ceil(if crate::trial::in_full() { 1 } else { 37 }), &format!("bytes at which the {name} is cut off"));
    }
}

#[test]
fn overwritten_they_cost_no_more_than_what_they_held() {
    let (trial, kept) = with_all_files();
    for (name, path) in files(&trial) {
        let length = kept.get(&path).expect(name).len();
        let contents: [Vec<u8>; 10] = [
            Vec::new(),
            b"\n".to_vec(),
            b"null".to_vec(),
            b"[]\n{}\n0\n\"\"\n".to_vec(),
            b"{\"version\":2}\n".to_vec(),
            // What a power cut leaves of a file that was not yet on the disk.
            vec![0; length],
            vec![0xff; length],
            "[".repeat(100_000).into_bytes(),
            "{\"a\":".repeat(100_000).into_bytes(),
            vec![b'x'; 5 << 20],
        ];
        for content in contents {
            trial.restore(&kept);
            trial.put(&path, &content);
            assert_goes_on(&trial, name);
        }
        trial.restore(&kept);
        fs::remove_file(&path).expect("removed");
        if name != "ledger" {
            assert_goes_on(&trial, name);
        }
        trial.assert_works();
    }
}

#[test]
fn what_waited_for_older_events_is_not_taken_in_twice_when_the_state_is_lost() {
    let (trial, kept) = with_all_files();
    let with_nothing_lost = known(&trial, "late");
    trial.restore(&kept);
    fs::remove_file(trial.state_file("late")).expect("removed");
    trial.done("late", "l1", &format!("cp a.txt {}", trial.shared("l1")));
    assert_eq!(known(&trial, "late"), with_nothing_lost);
}

#[test]
fn what_was_left_in_an_overflow_is_not_taken_in_twice_when_the_state_is_lost() {
    let trial = Trial::new();
    trial.clobber("a");
    leave_in_overflow(&trial, 1);
    // The transcript tells of the call whose end lies in the overflow.
    trial.record("mine", &written(&trial, "o0", &trial.shared("o0")));
    fs::remove_file(trial.state_file("mine")).expect("removed");
    let known = known(&trial, "mine");
    assert_eq!(known.matches("\"asked\"").count(), 1, "{known}");
}
