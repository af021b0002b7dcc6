//! A clock that jumps. The program takes three things from it: how old a row of the ledger is, how long ago an event was
//! noted, and how old a state file is; so what was written before the jump is made that much older or newer.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use serde_json::json;

use crate::support::Answer;
use crate::trial::{Trial, tried};

const MINUTE: i64 = 60;
const DAY: i64 = 24 * 60 * MINUTE;
const YEAR: i64 = 365 * DAY;

/// The clock goes on by `seconds`: everything was written that much earlier.
fn jump(trial: &Trial, seconds: i64) {
    let millis = seconds * 1000;
    for (path, bytes) in trial.kept() {
        let text = String::from_utf8(bytes).expect("text");
        let mut pieces = text.split("\"at\":");
        let first = pieces.next().unwrap_or_default().to_owned();
        let moved = pieces.fold(first, |text, piece| {
            let end = piece.find(|byte: char| !byte.is_ascii_digit()).unwrap_or(piece.len());
            let at: i64 = piece[..end].parse().expect("a time");
            text + "\"at\":" + &at.saturating_sub(millis).max(0).to_string() + &piece[end..]
        });
        trial.put(&path, moved.as_bytes());
        let since = Duration::from_secs(seconds.unsigned_abs());
        let now = SystemTime::now();
        let then = if seconds > 0 { now.checked_sub(since) } else { now.checked_add(since) };
        File::options().write(true).open(&path).and_then(|file| file.set_modified(then.expect("a time"))).expect("set");
    }
}

#[test]
fn a_clock_that_is_put_back_or_a_little_on_changes_nothing() {
    let jumps = [-100 * YEAR, -30 * YEAR, -YEAR, -8 * DAY, -MINUTE, -1, 1, MINUTE, 59 * MINUTE, 6 * DAY];
    for seconds in jumps {
        let trial = Trial::new();
        trial.clobber("a");
        trial.call("mine", "b", &format!("cp a.txt {}", trial.shared("b")));
        trial.ask("mine", "open", &format!("cp a.txt {}", trial.shared("c")));
        jump(&trial, seconds);
        trial.untouched(|| {
            trial.assert_denied("a");
            let answer = trial.ask("mine", "r1", &format!("cp {} a.txt", trial.shared("b")));
            assert!(answer.is_deny() && answer.text().contains("unchanged since"), "{seconds} s: {answer:?}");
            assert!(!trial.ask("mine", "r2", &format!("cp {} a.txt", trial.shared("b"))).is_deny(), "{seconds} s");
        });
        trial.run(&format!("cp a.txt {}", trial.shared("c")));
        trial.done("mine", "open", &format!("cp a.txt {}", trial.shared("c")));
        assert!(trial.ask("mine", "r3", &format!("cp {} a.txt", trial.shared("c"))).text().contains("unchanged since"), "{seconds} s");
        trial.untouched(|| {
            trial.hook("mine", "Stop", &json!({"last_assistant_message": "done"}));
            trial.hook("mine", "SessionStart", &json!({"source": "resume"}));
        });
        trial.assert_denied("a");
        trial.assert_works();
    }
    tried(jumps.len(), "jumps of the clock");
}

#[test]
fn a_clock_that_is_put_far_on_makes_what_was_known_too_old() {
    for seconds in [8 * DAY, 40 * DAY, 50 * YEAR] {
        let trial = Trial::new();
        trial.clobber("a");
        jump(&trial, seconds);
        let restore = format!("cp {} a.txt", trial.shared("a"));
        trial.untouched(|| {
            trial.hook("mine", "SessionStart", &json!({"source": "resume"}));
            trial.ask("mine", "r1", &restore);
            assert!(!trial.ask("mine", "r2", &restore).is_deny(), "{seconds} s: what nobody can tell is denied once");
        });
        trial.assert_works();
    }
}

#[test]
fn an_event_that_seems_to_come_from_the_future_is_noted_anew() {
    let trial = Trial::new();
    trial.hook("s", "Stop", &json!({"last_assistant_message": "done"}));
    let seen = trial.state_dir().join("seen/Stop");
    jump(&trial, -YEAR);
    assert_eq!(trial.hook("s", "Stop", &json!({"last_assistant_message": "done"})), Answer::Silence);
    assert!(fs::metadata(&seen).and_then(|found| found.modified()).expect("a time") <= SystemTime::now());
}
