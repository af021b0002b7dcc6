//! System calls that fail: one at a time, or every one from some time on; a disk without room.

use std::process::Command;

use serde_json::{Value, json};

use crate::kills::{Scene, scenes};
use crate::support::{Answer, answer};
use crate::tracer::{self, Point};
use crate::trial::{NOBODY, Trial, is_root, skipped, some, tried};

/// What may go wrong with a system call upon files.
const ERRORS: &[(&str, &[&str])] = &[
    ("openat", &["ENOSPC", "EROFS", "EACCES", "EMFILE", "EIO", "ELOOP"]),
    ("write", &["ENOSPC", "EDQUOT", "EIO"]),
    ("rename", &["ENOSPC", "EXDEV", "EACCES", "EIO"]),
    ("read", &["EIO"]),
    ("pread64", &["EIO"]),
    ("statx", &["EACCES", "EIO"]),
    ("flock", &["ENOLCK"]),
    ("lseek", &["EIO"]),
    ("ftruncate", &["EIO", "ENOSPC"]),
    ("mkdir", &["ENOSPC", "EACCES"]),
    ("chmod", &["EPERM"]),
    ("unlink", &["EACCES"]),
    ("readlink", &["EIO"]),
    ("getdents64", &["EIO"]),
    ("ppoll", &["ENOMEM", "EINTR"]),
];

#[test]
fn whatever_system_call_fails_the_answer_is_one_and_what_others_wrote_is_known() {
    if !tracer::is_there() {
        return;
    }
    let trial = Trial::new();
    let mut failures = 0;
    for scene in scenes(&trial) {
        trial.restore(&scene.before);
        let all = failures_of(&tracer::points(&trial, &scene.payload));
        for (point, error, on) in some(all, 23) {
            trial.restore(&scene.before);
            let output = trial.untouched(|| tracer::inject(&trial, &scene.payload, &point, &format!("error={error}"), on));
            answer(&output);
            failures += 1;
            trial.assert_denied("a");
        }
        trial.assert_works();
    }
    tried(failures, "failing system calls");
}

/// Each error of each call, once and from then on.
fn failures_of(points: &[Point]) -> Vec<(Point, &'static str, bool)> {
    let errors = |point: &Point| ERRORS.iter().find(|(name, _)| *name == point.name).map_or(&[][..], |(_, errors)| errors);
    let each = |point: &Point, error: &'static str| [false, true].map(|on| (point.clone(), error, on));
    points.iter().flat_map(|point| errors(point).iter().flat_map(|error| each(point, error)).collect::<Vec<_>>()).collect()
}

/// A call that is denied once, when nothing can be kept of it.
fn denied_once(trial: &Trial) -> Scene {
    scenes(trial).into_iter().find(|scene| scene.name == "a call is denied once").expect("a scene")
}

#[test]
fn where_nothing_can_be_put_in_place_nothing_is_denied_that_could_not_pass_later() {
    if !tracer::is_there() {
        return;
    }
    let trial = Trial::new();
    let scene = denied_once(&trial);
    trial.restore(&scene.before);
    let points = tracer::points(&trial, &scene.payload);
    let creates = |points: &[Point]| points.iter().rposition(|point| point.name == "openat").map(|at| points[at].clone());
    let beside = creates(&points).expect("the state is written beside its place");
    for error in ["ENOSPC", "EROFS", "EACCES", "EMFILE"] {
        trial.restore(&scene.before);
        let output = trial.untouched(|| tracer::inject(&trial, &scene.payload, &beside, &format!("error={error}"), true));
        assert!(matches!(answer(&output), Answer::Note(text) if text.contains("unchanged since")), "{error}");
        assert!(answer(&trial.raw(scene.payload.to_string().as_bytes())).is_deny(), "{error}: and it was not remembered as said");
    }
}

/// A small disk in the place of the state folder, with what was there, full of either bytes or files.
const SMALL_DISK: &str = r#"
cp -a "$1" "$1.before" && mount -t tmpfs -o "size=256k,nr_inodes=40,mode=700,uid=$2,gid=$2" none "$1" && cp -a "$1.before/." "$1" || exit 77
rm -r "$1.before"
case $3 in
bytes) head -c 1M /dev/zero >"$1/fill" ;;
files) for n in $(seq 50); do touch "$1/fill$n"; done ;;
esac 2>/dev/null
shift 3
exec "$@"
"#;

#[test]
fn on_a_disk_without_room_it_answers_every_event() {
    if !is_root() {
        return skipped("only root can mount a small disk");
    }
    let trial = Trial::new();
    let all = scenes(&trial);
    let mut calls = 0;
    for (scene, full_of) in all.iter().flat_map(|scene| ["bytes", "files"].map(|full_of| (scene, full_of))) {
        if scene.before.values().map(Vec::len).sum::<usize>() > 200 << 10 {
            // More than the small disk holds.
            continue;
        }
        trial.restore(&scene.before);
        let mut command = Command::new("unshare");
        command.args(["-m", "sh", "-c", SMALL_DISK, "sh"]).arg(trial.state_dir());
        command.args([&NOBODY.to_string(), full_of]).args(&trial.starter).arg(&trial.program).arg("hook");
        let output = trial.run_with_input(command, scene.payload.to_string().as_bytes());
        if output.status.code() == Some(77) || String::from_utf8_lossy(&output.stderr).contains("unshare") {
            return skipped("no small disk can be mounted");
        }
        answer(&output);
        calls += 1;
        assert_eq!(trial.kept(), scene.before, "all of it was on the small disk");
    }
    trial.assert_denied("a");
    trial.assert_works();
    tried(calls, "calls on a full disk");
}

#[test]
fn a_folder_that_may_not_be_written_is_read() {
    let trial = Trial::new();
    if !trial.is_nobodys() && is_root() {
        return;
    }
    trial.clobber("a");
    trial.call("s", "t1", &format!("cp a.txt {}", trial.shared("b")));
    let folders = ["", "sessions", "seen"].map(|name| trial.state_dir().join(name));
    let mode = |mode: &str| folders.iter().for_each(|folder| trial.run(&format!("chmod {mode} {}", folder.display())));
    mode("500");
    trial.untouched(|| {
        trial.assert_denied("a");
        for id in ["t2", "t3"] {
            let answer = trial.ask("s", id, &format!("cp {} a.txt", trial.shared("b")));
            assert!(matches!(&answer, Answer::Note(text) if text.contains("unchanged since")), "{answer:?}");
        }
        // A session that has no file there yet.
        assert_eq!(trial.ask("fresh", "t4", "ls /tmp"), Answer::Silence);
        assert!(!trial.ask("fresh", "t5", &format!("cp {} a.txt", trial.shared("a"))).is_deny());
    });
    mode("000");
    trial.untouched(|| assert!(!trial.ask("s", "t6", &format!("cp {} a.txt", trial.shared("b"))).is_deny()));
    mode("700");
    assert!(trial.ask("s", "t7", &format!("cp {} a.txt", trial.shared("b"))).is_deny());
    trial.assert_works();
}

/// The transcript's lines of a call that wrote a shared path.
pub(crate) fn written(trial: &Trial, id: &str, path: &str) -> [Value; 2] {
    let input = json!({"command": format!("cp a.txt {path}")});
    [
        json!({"type": "assistant", "uuid": format!("a{id}"), "sessionId": "s", "cwd": trial.project(), "message":
            {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "Bash", "input": input}]}}),
        json!({"type": "user", "uuid": format!("u{id}"), "sessionId": "s", "cwd": trial.project(), "toolUseResult":
            {"stdout": "", "stderr": ""}, "message": {"role": "user", "content":
            [{"type": "tool_result", "tool_use_id": id, "content": "", "is_error": false}]}}),
    ]
}
