//! Transcripts that are replaced, shrink, or are no transcripts, before they are read and while they are.

use std::fs;

use serde_json::{Value, json};

use crate::failing::written;
use crate::kills::{assert_loads, meet_late};
use crate::support::Answer;
use crate::trial::{Trial, some, tried};

fn text(lines: &[Value]) -> Vec<u8> {
    lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
}

/// Contents that take a transcript's place.
fn contents(trial: &Trial) -> Vec<(&'static str, Vec<u8>)> {
    let whole = text(&written(trial, "other", &trial.shared("other")));
    vec![
        ("nothing", Vec::new()),
        ("a line's end", b"\n".to_vec()),
        ("another transcript", whole.clone()),
        ("a longer one", whole.repeat(10_000)),
        ("zeros", vec![0; 4 << 20]),
        ("one line without an end", vec![b'x'; 8 << 20]),
        ("no UTF-8", [&b"\xff\xfe{\"type\":\"user\"}\n"[..], &whole, &[0xff; 100]].concat()),
        ("null, and other values", b"null\n[]\n0\n\"x\"\n{}\n{\"type\":null}\n{\"type\":\"assistant\",\"message\":[]}\n".repeat(1000)),
        ("deep nesting", ["{\"message\":".repeat(50_000), "[".repeat(50_000)].concat().into_bytes()),
        ("many empty lines", b"\r\n".repeat(1 << 20)),
    ]
}

/// Things that are no files.
const IN_ITS_PLACE: &[(&str, &str)] = &[
    ("nothing at all", "true"),
    ("a folder", "mkdir $T"),
    ("a pipe", "mkfifo $T"),
    ("an endless device", "ln -s /dev/zero $T"),
    ("a link to itself", "ln -s $T $T"),
    ("a link to nothing", "ln -s /nonexistent $T"),
    ("a file nobody may read", ": > $T; chmod 0 $T"),
];

/// The end of a turn, at which all of it is read, and calls before and after.
fn assert_goes_on(trial: &Trial, session: &str, name: &str) {
    let path = trial.shared("x");
    trial.untouched(|| {
        trial.ask(session, &format!("{name}1"), &format!("cp {path} a.txt"));
        trial.done(session, &format!("{name}2"), &format!("cp a.txt {path}"));
        trial.hook(session, "Stop", &json!({"last_assistant_message": "All tests pass."}));
        assert_loads(trial, session);
    });
    trial.clobber(&format!("c{}", name.len()));
}

#[test]
fn whatever_is_in_its_place_a_session_is_met() {
    let trial = Trial::new();
    let all = contents(&trial);
    fs::create_dir_all(trial.sessions()).expect("created");
    for (n, (name, content)) in all.iter().enumerate() {
        fs::write(trial.transcript(&format!("s{n}")), content).expect("written");
        assert_goes_on(&trial, &format!("s{n}"), name);
    }
    for (n, (name, make)) in IN_ITS_PLACE.iter().enumerate() {
        trial.run(&format!("T={}; {make}", trial.transcript(&format!("p{n}")).display()));
        assert_goes_on(&trial, &format!("p{n}"), name);
    }
    tried(all.len() + IN_ITS_PLACE.len(), "things in a transcript's place when a session is met");
}

#[test]
fn replaced_or_shrunk_while_it_is_read_it_is_begun_anew_or_given_up() {
    let trial = Trial::new();
    trial.clobber("a");
    meet_late(&trial);
    let (kept, transcript) = (trial.kept(), trial.transcript("late"));
    let whole = fs::read(&transcript).expect("a transcript");
    let all = contents(&trial);
    for (name, content) in &all {
        // In place, and as another file.
        for anew in [false, true] {
            trial.restore(&kept);
            if anew {
                fs::remove_file(&transcript).expect("removed");
            }
            fs::write(&transcript, content).expect("written");
            assert_goes_on(&trial, "late", name);
        }
    }
    for (name, make) in IN_ITS_PLACE {
        trial.restore(&kept);
        trial.run(&format!("T={}; rm -rf $T; {make}", transcript.display()));
        assert_goes_on(&trial, "late", name);
    }
    trial.run(&format!("rm -rf {}", transcript.display()));
    let lengths = [0, 1, 100, whole.len() / 2, whole.len() - 1];
    for length in lengths {
        trial.restore(&kept);
        fs::write(&transcript, &whole[..length]).expect("written");
        assert_goes_on(&trial, "late", &"x".repeat(length % 97));
    }
    tried(2 * all.len() + IN_ITS_PLACE.len() + lengths.len(), "changes of a transcript while it is read");
}

#[test]
fn half_written_it_tells_what_is_whole() {
    let trial = Trial::new();
    let path = trial.shared("a");
    trial.run(&format!("cp a.txt {path}"));
    let whole = text(&written(&trial, "t1", &path));
    fs::create_dir_all(trial.sessions()).expect("created");
    let mut count = 0;
    for length in some(0..=whole.len(), 29) {
        let session = format!("half{length}");
        fs::write(trial.transcript(&session), &whole[..length]).expect("written");
        let restore = format!("cp {path} a.txt");
        let first = trial.untouched(|| trial.ask(&session, "r1", &restore));
        // Whether the call is known to have ended or not, what nobody vouches for is denied once at the most.
        assert!(!matches!(first, Answer::Block(_)), "{length}: {first:?}");
        assert!(!trial.ask(&session, "r2", &restore).is_deny(), "{length}");
        count += 1;
    }
    let session = format!("half{}", whole.len() + 1);
    fs::write(trial.transcript(&session), &whole).expect("written");
    assert!(trial.ask(&session, "r1", &format!("cp {path} a.txt")).is_deny());
    trial.assert_works();
    tried(count, "bytes at which a transcript is cut off");
}

#[test]
fn a_path_of_a_transcript_that_is_none_is_no_hindrance() {
    let trial = Trial::new();
    let paths = [
        json!(null),
        json!(7),
        json!(""),
        json!("relative.jsonl"),
        json!("/"),
        json!("\0"),
        json!("/tmp/\u{1b}[31m\n.jsonl"),
        json!("/dev/stdin"),
        json!("/proc/self/mem"),
        json!(format!("/{}", "x".repeat(100_000))),
        json!("../".repeat(3000)),
    ];
    for (n, path) in paths.iter().enumerate() {
        for event in ["SessionStart", "Stop", "SubagentStop"] {
            let fields = json!({"transcript_path": path, "source": "resume", "last_assistant_message": "All tests pass.",
                "agent_transcript_path": path, "agent_id": "a1"});
            trial.untouched(|| trial.hook(&format!("t{n}"), event, &fields));
        }
    }
    trial.assert_works();
    tried(3 * paths.len(), "calls with the path of no transcript");
}
