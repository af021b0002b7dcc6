//! Killed at every system call of a run, and at any time.

use std::thread;
use std::time::Instant;

use serde_json::{Value, json};
use turnstop::session::store::State;

use crate::failing::written;
use crate::support::{Answer, answer};
use crate::tracer;
use crate::trial::{Kept, Trial, in_full, some, tried, was_killed};

/// A call that is killed, and the state folder that it finds.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    session: &'static str,
    pub(crate) payload: Value,
    pub(crate) before: Kept,
}

/// The calls that change each of our files in each of the ways there are.
pub(crate) fn scenes(trial: &Trial) -> Vec<Scene> {
    trial.clobber("a");
    let mut scenes = Vec::new();
    let mut scene = |name, payload| scenes.push(Scene { name, session: "mine", payload, before: trial.kept() });

    scene("a call is let through", trial.asked("mine", "k1", &format!("cp a.txt {}", trial.shared("k"))));
    trial.call("mine", "k1", &format!("cp a.txt {}", trial.shared("k")));
    scene("a call ends", trial.succeeded("mine", "k2", &format!("echo k >> {}", trial.shared("k"))));
    scene("a call is denied once", trial.asked("mine", "k3", &format!("cp {} a.txt", trial.shared("k"))));

    leave_in_overflow(trial, 3);
    scene("an overflow is taken in", trial.succeeded("mine", "k4", &format!("cp a.txt {}", trial.shared("l"))));

    let ledger = trial.state_dir().join("temp-ledger.jsonl");
    let rows = std::fs::read_to_string(&ledger).expect("a ledger");
    let old = rows.lines().last().expect("a row").replace(&trial.shared(""), "/tmp/old-");
    trial.put(&ledger, (format!("{old}\n").repeat((1 << 20) / old.len()) + &rows).as_bytes());
    scene("a ledger is cut", trial.payload("mine", "Stop", &json!({"last_assistant_message": "done"})));

    trial.restore(&scenes[0].before);
    meet_late(trial);
    let mut scene = |name, payload| scenes.push(Scene { name, session: "late", payload, before: trial.kept() });
    scene("an event waits for older ones", trial.succeeded("late", "l2", &format!("cp a.txt {}", trial.shared("l2"))));
    scene("what waits is taken in", trial.payload("late", "Stop", &json!({"last_assistant_message": "done"})));
    scenes
}

/// Meets the session `late`, whose transcript is too long to be read before a call: the first event waits.
pub(crate) fn meet_late(trial: &Trial) {
    let filler = json!({"type": "user", "uuid": "f", "sessionId": "late", "message": {"role": "user", "content": "x".repeat(3 << 20)}});
    let path = trial.shared("l0");
    let lines = [written(trial, "early", &path).to_vec(), vec![filler], written(trial, "later", &path).to_vec()].concat();
    trial.record("late", &lines);
    trial.run(&format!("cp a.txt {path}"));
    trial.done("late", "l1", &format!("cp a.txt {}", trial.shared("l1")));
    assert!(std::fs::metadata(trial.state_file("late").with_extension("waiting")).is_ok_and(|found| found.len() > 0), "it waits");
}

/// Ends `calls` calls of the session while somebody else has its lock.
pub(crate) fn leave_in_overflow(trial: &Trial, calls: usize) {
    use fs2::FileExt;
    let lock = std::fs::File::open(trial.state_file("mine").with_extension("lock")).expect("a lock");
    lock.lock_exclusive().expect("locked");
    let ends =
        (0..calls).map(|n| trial.start(&trial.succeeded("mine", &format!("o{n}"), &format!("echo > {}", trial.shared(&format!("o{n}"))))));
    for child in ends.collect::<Vec<_>>() {
        assert_eq!(answer(&child.wait_with_output().expect("the hook ends")), Answer::Silence);
    }
    let overflow = std::fs::read(trial.state_file("mine").with_extension("overflow")).expect("an overflow");
    assert_eq!(overflow.split(|byte| *byte == b'\n').count() - 1, calls);
}

/// Does the state of a session load?
pub(crate) fn assert_loads(trial: &Trial, session: &str) {
    let bytes = std::fs::read(trial.state_file(session)).expect("a state");
    assert!(State::of_bytes(bytes.clone()).is_some(), "{}", String::from_utf8_lossy(&bytes));
}

/// What a session knows and has said, without the times, once the end of a turn has taken in what was left for it.
pub(crate) fn known(trial: &Trial, session: &str) -> String {
    trial.hook(session, "Stop", &json!({"last_assistant_message": "done"}));
    assert_loads(trial, session);
    let state = std::fs::read_to_string(trial.state_file(session)).expect("a state");
    // The first line holds what of all this is still open.
    let (_, parts) = state.split_once('\n').expect("lines");
    let mut pieces = parts.split("\"time\":\"");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| text + piece.split_once('"').map_or("", |(_, rest)| rest))
}

#[test]
fn killed_at_any_system_call_it_loses_no_more_than_the_last_event() {
    if !tracer::is_there() {
        return;
    }
    let trial = Trial::new();
    let (mut kills, mut points) = (0, 0);
    for scene in scenes(&trial) {
        trial.restore(&scene.before);
        let without = known(&trial, scene.session);
        trial.restore(&scene.before);
        trial.started_by(&[], scene.payload.to_string().as_bytes());
        let with = known(&trial, scene.session);

        trial.restore(&scene.before);
        for point in some(tracer::points(&trial, &scene.payload), 8) {
            trial.restore(&scene.before);
            let output = trial.untouched(|| tracer::inject(&trial, &scene.payload, &point, "signal=KILL", false));
            kills += usize::from(was_killed(&output));
            points += 1;
            assert_loads(&trial, scene.session);
            if scene.name == "a call is denied once" && output.stdout.is_empty() {
                let again = scene.payload.to_string().replace("k3", "k5");
                assert!(answer(&trial.raw(again.as_bytes())).is_deny(), "{point:?}: what nobody heard was not said");
                trial.restore(&scene.before);
                tracer::inject(&trial, &scene.payload, &point, "signal=KILL", false);
            }
            trial.assert_denied("a");
            let after = known(&trial, scene.session);
            assert!(after == with || after == without, "{}: {point:?}: {after}\nis neither {with}\nnor {without}", scene.name);
        }
        trial.restore(&scene.before);
        trial.assert_works();
    }
    assert!(kills * 20 > points * 19, "{kills} of {points} were reached");
    tried(kills, "kills at a system call");
}

#[test]
fn killed_at_any_time_it_goes_on_as_if_it_had_not_been_called() {
    let trial = Trial::new();
    trial.clobber("a");
    let start = Instant::now();
    trial.assert_denied("a");
    let whole_run = start.elapsed();
    let wanted = if in_full() { 1000 } else { 40 };
    let (mut kills, mut round) = (0, 0_u32);
    while kills < wanted {
        round += 1;
        assert!(usize::try_from(round).expect("small") < 50 * wanted, "{kills} of {round} were in time");
        let (path, id) = (trial.shared(&format!("k{}", round % 7)), format!("k{round}"));
        let payload = match round % 3 {
            0 => trial.asked("mine", &id, &format!("cp a.txt {path}")),
            1 => trial.succeeded("mine", &format!("k{}", round - 1), &format!("cp a.txt {path}")),
            _ => trial.payload("mine", "Stop", &json!({"last_assistant_message": "done"})),
        };
        let killed = trial.untouched(|| {
            let mut child = trial.start(&payload);
            // What it takes to start it has gone by.
            thread::sleep(whole_run * (round * 389 % 1000) / 2000);
            child.kill().expect("killed");
            let output = child.wait_with_output().expect("ended");
            assert!(output.stderr.is_empty(), "{output:?}");
            was_killed(&output)
        });
        kills += usize::from(killed);
        assert_loads(&trial, "mine");
        if round % 10 == 9 {
            trial.assert_denied("a");
        }
    }
    trial.assert_denied("a");
    trial.assert_works();
    tried(kills, "kills at some time");
}
