//! A state folder, or something in it, that is not the user's own.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::Answer;
use crate::trial::{Trial, skipped, tried};

/// One event of each kind that is heeded, and a restore: nothing is remembered, so nothing is denied.
fn assert_stays_out_of_the_way(trial: &Trial, name: &str) {
    for (event, fields) in [
        ("SessionStart", json!({"source": "startup"})),
        ("UserPromptSubmit", json!({"prompt": "go on"})),
        ("Stop", json!({"last_assistant_message": "done"})),
    ] {
        let answer = trial.hook("mine", event, &fields);
        assert!(!matches!(answer, Answer::Deny(_) | Answer::Block(_)), "{name}: {answer:?}");
    }
    for id in ["t1", "t2"] {
        let path = trial.shared("a");
        trial.done("mine", id, &format!("cp a.txt {path}"));
        assert!(!trial.ask("mine", &format!("{id}-restore"), &format!("cp {path} a.txt")).is_deny(), "{name}");
    }
    assert_eq!(trial.turnstop(&["hook", "--help"]).0, 0);
}

/// Everything at and below a folder, with contents.
fn contents(folder: &Path) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
            found.push((entry.path(), fs::read(entry.path()).ok()));
        }
    }
    found.sort();
    found
}

/// The words of `turnstop status` about the state folder; empty when it can be used.
fn told_by_status(trial: &Trial) -> String {
    let (_, out) = trial.turnstop(&["status", &trial.project().to_string_lossy()]);
    out.lines().find(|line| line.contains("the state folder cannot be used")).unwrap_or_default().to_owned()
}

/// Nothing is read from the folder or written to it, and the person is told why.
fn assert_is_refused(trial: &Trial, folder: &Path, why: &str) {
    let before = contents(folder);
    trial.untouched(|| assert_stays_out_of_the_way(trial, why));
    assert_eq!(contents(folder), before, "{why}");
    let told = told_by_status(trial);
    assert!(told.contains(why), "{told}");
    assert_eq!(contents(folder), before, "{why}");
}

#[test]
fn one_that_everybody_may_write_is_refused_and_one_that_others_may_read_is_closed() {
    let trial = Trial::new();
    trial.clobber("a");
    let set = |mode: u32| fs::set_permissions(trial.state_dir(), fs::Permissions::from_mode(mode)).expect("set");
    for mode in [0o777, 0o1777, 0o702, 0o757] {
        set(mode);
        assert_is_refused(&trial, &trial.state_dir(), "can be written by everybody");
        assert_eq!(fs::metadata(trial.state_dir()).expect("is there").permissions().mode() & 0o7777, mode, "left as it is");
    }
    for mode in [0o755, 0o775, 0o750, 0o711] {
        set(mode);
        trial.assert_denied("a");
        assert_eq!(fs::metadata(trial.state_dir()).expect("is there").permissions().mode() & 0o777, 0o700);
        assert_eq!(told_by_status(&trial), "");
    }
    trial.assert_works();
}

#[test]
fn folders_in_it_are_held_to_the_same() {
    for name in ["sessions", "seen"] {
        let trial = Trial::new();
        trial.clobber("a");
        let folder = trial.state_dir().join(name);
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).expect("set");
        let before = contents(&folder);
        trial.untouched(|| trial.ask("mine", "t", "ls /tmp"));
        trial.untouched(|| trial.done("mine", "t", &format!("cp a.txt {}", trial.shared("b"))));
        assert_eq!(contents(&folder), before);
        assert!(told_by_status(&trial).contains("can be written by everybody"), "{name}");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("set");
        trial.assert_denied("a");
        trial.assert_works();
    }
}

#[test]
fn a_link_in_its_place_is_refused() {
    for name in ["", "sessions", "seen"] {
        let trial = Trial::new();
        trial.clobber("a");
        let folder = if name.is_empty() { trial.state_dir() } else { trial.state_dir().join(name) };
        let elsewhere = trial.home().join("elsewhere");
        fs::rename(&folder, &elsewhere).expect("moved");
        symlink(&elsewhere, &folder).expect("linked");
        let before = contents(&elsewhere);
        trial.untouched(|| {
            trial.ask("mine", "t", "ls /tmp");
            trial.done("mine", "t", &format!("cp a.txt {}", trial.shared("b")));
            trial.raw(b"no payload");
        });
        assert_eq!(contents(&elsewhere), before, "{name}");
        assert!(told_by_status(&trial).contains("is not a folder of its own"), "{name}");
        fs::remove_file(&folder).expect("removed");
        fs::rename(&elsewhere, &folder).expect("moved back");
        trial.assert_denied("a");
        trial.assert_works();
    }
}

#[test]
fn a_link_that_leads_nowhere_or_to_itself_is_refused() {
    for target in ["/nonexistent/turnstop", "turnstop", "/dev/null", "/proc/self/fd"] {
        let trial = Trial::new();
        fs::create_dir_all(trial.home().join("state")).expect("created");
        symlink(target, trial.state_dir()).expect("linked");
        trial.untouched(|| assert_stays_out_of_the_way(&trial, target));
        assert!(told_by_status(&trial).contains("is not a folder of its own"), "{target}");
    }
}

#[test]
fn somebody_elses_is_refused() {
    let trial = Trial::new();
    if !trial.is_nobodys() {
        return skipped("only root can make a folder somebody else's");
    }
    trial.clobber("a");
    for mode in [0o755, 0o700, 0o777] {
        assert!(trial.take_away(&trial.state_dir()));
        fs::set_permissions(trial.state_dir(), fs::Permissions::from_mode(mode)).expect("set");
        assert_is_refused(&trial, &trial.state_dir(), "belongs to another user");
    }
    fs::set_permissions(trial.state_dir(), fs::Permissions::from_mode(0o700)).expect("set");
    trial.give(&trial.state_dir());
    trial.assert_denied("a");
    trial.assert_works();
}

#[test]
fn a_file_in_it_that_is_somebody_elses_is_neither_believed_nor_written() {
    let trial = Trial::new();
    if !trial.is_nobodys() {
        return skipped("only root can make a file somebody else's");
    }
    trial.clobber("a");
    trial.raw(b"no payload");
    let kept = trial.kept();
    for path in kept.keys() {
        trial.restore(&kept);
        // Planted by somebody who says what it holds, and lets everybody write it.
        fs::set_permissions(path, fs::Permissions::from_mode(0o666)).expect("set");
        assert!(trial.take_away(path));
        let planted = fs::metadata(path).expect("is there");
        trial.untouched(|| {
            trial.ask("mine", "t1", &format!("cp {} a.txt", trial.shared("a")));
            trial.done("mine", "t2", &format!("cp a.txt {}", trial.shared("b")));
            trial.hook("mine", "Stop", &json!({"last_assistant_message": "done"}));
            trial.raw(b"no payload");
        });
        let now = fs::metadata(path).expect("is there");
        let is_theirs = std::os::unix::fs::MetadataExt::uid(&now) == std::os::unix::fs::MetadataExt::uid(&planted);
        assert!(!is_theirs || fs::read(path).expect("read") == kept[path], "{}", path.display());
        fs::remove_file(path).expect("removed");
        trial.give(&trial.state_dir());
        trial.assert_works();
    }
    tried(kept.len(), "planted files");
}

#[test]
fn somebody_elses_ledger_is_told_of() {
    let trial = Trial::new();
    trial.clobber("a");
    if trial.take_away(&trial.state_dir().join("temp-ledger.jsonl")) {
        assert!(told_by_status(&trial).contains("the ledger"));
    }
}

#[test]
fn one_that_cannot_be_written_is_told_of() {
    let trial = Trial::new();
    trial.clobber("a");
    let sessions = trial.state_dir().join("sessions");
    fs::set_permissions(&sessions, fs::Permissions::from_mode(0o500)).expect("set");
    if trial.is_nobodys() {
        assert!(told_by_status(&trial).contains("denied"), "{}", told_by_status(&trial));
    }
    fs::set_permissions(&sessions, fs::Permissions::from_mode(0o700)).expect("set");
    assert_eq!(told_by_status(&trial), "");
    assert!(!sessions.join("probe").exists());
}
