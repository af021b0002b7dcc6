//! Temporary paths that are no files, or lead to a secret; and such things in the place of our own files.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::answer;
use crate::tracer;
use crate::trial::{Trial, is_root, tried};

/// What stands at the temporary path `$T`, and how it is made. `$S` is a secret of the user's.
const AT_A_TEMPORARY_PATH: &[(&str, &str)] = &[
    ("a pipe", "mkfifo $T"),
    ("a link to a pipe", "mkfifo $T.pipe; ln -s $T.pipe $T"),
    ("a socket", "python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' $T || mkfifo $T"),
    ("a link to a secret", "ln -s $S $T"),
    ("a link in a link's folder to a secret", "mkdir $T.d && ln -s $S $T.d/s && ln -s $T.d/s $T"),
    ("a link to a device without an end", "ln -s /dev/zero $T"),
    ("a link to a terminal", "ln -s /dev/tty $T"),
    ("a link to standard input", "ln -s /dev/stdin $T"),
    ("a link to the memory of a process", "ln -s /proc/self/mem $T"),
    ("a link to itself", "ln -s $T $T"),
    ("a link to nothing", "ln -s /nonexistent/x $T"),
    ("a folder", "mkdir $T"),
    ("a folder that nobody may read", "mkdir $T && chmod 0 $T"),
    ("a file that nobody may read", "echo x > $T && chmod 0 $T"),
    ("a file of a terabyte without content", "truncate -s 1T $T"),
    ("nothing", "true"),
];

/// Devices proper, which only root can make.
const DEVICES: &[(&str, &str)] = &[
    ("a device without an end", "mknod -m 666 $T c 1 5"),
    ("a device that is empty", "mknod -m 666 $T c 1 3"),
    ("a device that is always full", "mknod -m 666 $T c 1 7"),
];

/// The payloads of a session that writes the path, looks at it, adds to it and restores it.
fn session(trial: &Trial, path: &str) -> Vec<Value> {
    let mut payloads = Vec::new();
    for (id, command) in [
        ("w", format!("cp a.txt {path}")),
        ("a", format!("echo more >> {path}")),
        ("l", format!("cat {path}; diff {path} a.txt")),
        ("r", format!("cp {path} a.txt")),
        ("r2", format!("cp -r {path} out")),
        ("m", format!("mv {path} a.txt")),
        ("d", format!("rm -rf {path}")),
    ] {
        payloads.push(trial.asked("s", id, &command));
        payloads.push(trial.succeeded("s", id, &command));
    }
    for event in ["PreToolUse", "PostToolUse"] {
        let fields = json!({"tool_name": "Write", "tool_use_id": "t", "tool_input": {"file_path": path, "content": "x"},
            "tool_response": {"type": "create", "filePath": path}});
        payloads.push(trial.payload("s", event, &fields));
    }
    payloads.push(trial.payload("s", "Stop", &json!({"last_assistant_message": "done"})));
    payloads
}

#[test]
fn a_temporary_path_that_is_no_file_holds_nothing_and_a_secret_is_never_opened() {
    let trial = Trial::new();
    let secret = trial.home().join("secret");
    trial.put(&secret, b"hunter2 hunter2 hunter2");
    let devices = if trial.is_nobodys() && is_root() { DEVICES } else { &[] };
    let traces = tracer::is_there();
    let mut count = 0;
    for (n, (name, make)) in AT_A_TEMPORARY_PATH.iter().chain(devices).enumerate() {
        let path = trial.shared(&format!("x{n}"));
        trial.run(&format!("T={path}; S={}; {make}", secret.display()));
        trial.give(Path::new(&path));
        for payload in session(&trial, &path) {
            count += 1;
            let input = payload.to_string();
            trial.untouched(|| answer(&trial.raw(input.as_bytes())));
        }
        if traces {
            let anew = session(&trial, &path).into_iter().map(|payload| payload.to_string().replace("\"s\"", "\"traced\""));
            for input in anew {
                let opened = trial.untouched(|| tracer::opened(&trial, input.as_bytes()));
                // What git is started with leads to /dev/null.
                let is_device = |file: &String| file.starts_with("/dev/") && file != "/dev/null";
                let strange = |file: &String| file.ends_with("/secret") || is_device(file) || file.ends_with("/mem");
                assert!(!opened.iter().any(strange), "{name}: {opened:?}");
            }
        }
        // Never by way of a link: a mode would be set of what it leads to.
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("set");
        }
    }
    for (path, bytes) in trial.kept() {
        assert!(!String::from_utf8_lossy(&bytes).contains("hunter2"), "{}", path.display());
    }
    trial.assert_works();
    tried(count, "calls upon temporary paths that are no files");
}

#[test]
fn what_it_writes_is_its_own() {
    if !tracer::is_there() {
        return;
    }
    let trial = Trial::new();
    trial.clobber("a");
    trial.run("git init -q .");
    trial.give(&trial.project());
    let own = trial.state_dir().to_string_lossy().into_owned();
    let starts = trial.payload("s", "SessionStart", &json!({"source": "startup"}));
    for payload in [vec![starts], session(&trial, &trial.shared("x"))].concat() {
        let changed = trial.untouched(|| tracer::changed(&trial, payload.to_string().as_bytes()));
        assert!(changed.iter().all(|path| path.starts_with(&own)), "{changed:?}");
    }
}

/// What stands in the place `$T` of one of our own files.
const IN_OUR_PLACE: &[(&str, &str)] = &[
    ("a pipe", "mkfifo $T"),
    ("a folder", "mkdir $T"),
    ("a link to a secret", "ln -s $S $T"),
    ("a link to a device without an end", "ln -s /dev/zero $T"),
    ("a link to itself", "ln -s $T $T"),
    ("a file that nobody may read", ": > $T; chmod 0 $T"),
];

#[test]
fn in_the_place_of_our_own_files_nothing_holds_a_call_or_leads_it_elsewhere() {
    let trial = Trial::new();
    trial.clobber("a");
    let secret = trial.home().join("secret");
    trial.put(&secret, b"hunter2");
    fs::create_dir_all(trial.config_file().parent().expect("a folder")).expect("created");
    let state = trial.state_dir();
    let mut places = vec![trial.state_file("mine"), trial.config_file()];
    places.extend(["lock", "overflow", "waiting"].map(|extension| trial.state_file("mine").with_extension(extension)));
    places.extend(["log", "log.1", "seen/PreToolUse", "seen", "sessions", "temp-ledger.jsonl"].map(|name| state.join(name)));
    let kept = trial.kept();
    let mut count = 0;
    for place in &places {
        for (_, make) in IN_OUR_PLACE {
            // Old enough that whoever keeps a time there would renew it.
            let script = format!("S={}; T={}; rm -rf $T; {make}; touch -hd '1 hour ago' $T", secret.display(), place.display());
            trial.run(&script);
            trial.give(place);
            trial.untouched(|| {
                trial.done("mine", "t1", &format!("cp a.txt {}", trial.shared("b")));
                trial.ask("mine", "t2", &format!("cp {} a.txt", trial.shared("a")));
                trial.hook("mine", "Stop", &json!({"last_assistant_message": "done"}));
                trial.raw(b"no payload");
            });
            count += 4;
            trial.run(&format!("rm -rf {}", place.display()));
            trial.restore(&kept);
        }
        trial.assert_denied("a");
        trial.assert_works();
        trial.restore(&kept);
    }
    tried(count, "calls with something else in the place of our own files");
}
