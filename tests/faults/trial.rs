//! One machine whose hook runs as an ordinary user, and what holds there whatever goes wrong.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::ops::{Deref, DerefMut};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, lchown};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::Value;

use crate::support::{Answer, Machine, bash};

/// Who the hook runs as when the tests run as root, whom no permission stops: nobody.
pub(crate) const NOBODY: u32 = 65534;

/// A machine, and who uses it.
pub(crate) struct Trial {
    machine: Machine,
    /// The user, where the tests run as another.
    user: Option<u32>,
    healthy_calls: Cell<usize>,
}

/// Everything in a state folder.
pub(crate) type Kept = BTreeMap<PathBuf, Vec<u8>>;

/// What a change of a file would show in: its mode, owner, size, inode, and times of change in nanoseconds.
type Traits = (u32, u32, u64, u64, i64, i64);

impl Deref for Trial {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        &self.machine
    }
}

impl DerefMut for Trial {
    fn deref_mut(&mut self) -> &mut Machine {
        &mut self.machine
    }
}

impl Trial {
    pub(crate) fn new() -> Self {
        let mut trial = Trial { machine: Machine::new(), user: None, healthy_calls: Cell::new(0) };
        fs::create_dir(trial.home().join("state")).expect("created");
        if is_root() {
            trial.become_nobody();
        }
        trial
    }

    /// The hook, and all that the machine has, is nobody's from here on.
    fn become_nobody(&mut self) {
        let who = NOBODY.to_string();
        let starter = ["setpriv", "--reuid", &who, "--regid", &who, "--clear-groups"].map(str::to_owned).to_vec();
        let runs = |program: &Path| {
            let (first, rest) = starter.split_first().expect("words");
            Command::new(first).args(rest).arg(program).arg("--version").output().is_ok_and(|output| output.status.success())
        };
        if !runs(Path::new("/bin/true")) {
            return skipped("setpriv cannot make an ordinary user of root");
        }
        self.user = Some(NOBODY);
        if !runs(&self.program) {
            // Built where only root can go.
            let copy = self.home().join("turnstop");
            fs::copy(&self.program, &copy).expect("copied");
            self.program = copy;
        }
        self.give(self.home());
        self.give(Path::new(&self.shared("")));
        self.starter = starter;
    }

    /// Does the hook run as somebody else than these tests?
    pub(crate) fn is_nobodys(&self) -> bool {
        self.user.is_some()
    }

    /// Makes a file the user's, and all that is below it.
    pub(crate) fn give(&self, path: &Path) {
        let Some(user) = self.user else { return };
        for path in below(path) {
            lchown(&path, Some(user), Some(user)).expect("given away");
        }
    }

    /// Makes a file somebody else's; false where only the user's own can be made.
    pub(crate) fn take_away(&self, path: &Path) -> bool {
        self.is_nobodys() && lchown(path, Some(12345), Some(12345)).is_ok()
    }

    /// Writes a file of the user's.
    pub(crate) fn put(&self, path: &Path, bytes: &[u8]) {
        fs::write(path, bytes).expect("written");
        self.give(path);
    }

    /// The state folder as it is.
    pub(crate) fn kept(&self) -> Kept {
        let files = below(&self.state_dir()).into_iter().filter(|path| path.is_file());
        files.map(|path| (path.clone(), fs::read(&path).expect("read"))).collect()
    }

    /// Makes the state folder what it was, and leaves nothing else there.
    pub(crate) fn restore(&self, kept: &Kept) {
        for path in below(&self.state_dir()).into_iter().filter(|path| !path.is_dir()) {
            if !kept.contains_key(&path) {
                fs::remove_file(path).expect("removed");
            }
        }
        for (path, bytes) in kept {
            let folder = path.parent().expect("a folder");
            if !folder.exists() {
                fs::DirBuilder::new().mode(0o700).create(folder).expect("created");
                self.give(folder);
            }
            if fs::read(path).ok().as_ref() != Some(bytes) {
                self.put(path, bytes);
            }
        }
    }

    /// What the user has outside of turnstop's own folder.
    fn listing(&self) -> BTreeMap<PathBuf, Traits> {
        let own = self.home().join("state");
        let shared = PathBuf::from(self.shared(""));
        let all = below(self.home()).into_iter().chain(below(&shared)).filter(|path| !path.starts_with(&own));
        all.map(|path| {
            let found = fs::symlink_metadata(&path).expect("is there");
            let times = (found.mtime() * 1_000_000_000 + found.mtime_nsec(), found.ctime() * 1_000_000_000 + found.ctime_nsec());
            (path, (found.mode(), found.uid(), found.size(), found.ino(), times.0, times.1))
        })
        .collect()
    }

    /// Does something that runs the hook and nothing else, and holds it to what holds of every run: no file but its own
    /// is touched, and it does not panic.
    pub(crate) fn untouched<T>(&self, act: impl FnOnce() -> T) -> T {
        let before = self.listing();
        let result = act();
        let after = self.listing();
        let touched: Vec<_> = before.keys().chain(after.keys()).filter(|path| before.get(*path) != after.get(*path)).collect();
        assert!(touched.is_empty(), "touched {touched:?}");
        let beside = fs::read_dir(self.home().join("state")).into_iter().flatten().flatten().map(|entry| entry.file_name());
        assert!(beside.into_iter().all(|name| name == "turnstop"), "beside the state folder");
        assert!(!self.log().contains("panic"), "{}", self.log());
        result
    }

    /// A call that nothing befalls is answered as ever: what it wrote is remembered, and its restore denied.
    pub(crate) fn assert_works(&self) {
        let n = self.healthy_calls.replace(self.healthy_calls.get() + 1);
        let path = self.shared(&format!("healthy{n}"));
        assert_eq!(self.call("healthy", &format!("w{n}"), &format!("cp a.txt {path}")), Answer::Silence, "{}", self.log());
        let answer = self.ask("healthy", &format!("r{n}"), &format!("cp {path} a.txt"));
        assert!(answer.is_deny() && answer.text().contains("unchanged since you wrote it"), "{answer:?}, {}", self.log());
    }

    /// `mine` wrote the shared path `name`, and `other` wrote it after that: to restore it is denied every time.
    pub(crate) fn clobber(&self, name: &str) {
        self.call("mine", &format!("own-{name}"), &format!("cp a.txt {}", self.shared(name)));
        self.call("other", &format!("foreign-{name}"), &format!("echo b > {}", self.shared(name)));
        self.assert_denied(name);
    }

    /// Is the restore of a path that another session wrote still denied?
    pub(crate) fn assert_denied(&self, name: &str) {
        let answer = self.ask("mine", "again", &format!("cp {} a.txt", self.shared(name)));
        assert!(answer.is_deny() && answer.text().contains("session other"), "{answer:?}, {}", self.log());
    }

    /// The payload of a shell call that is about to run.
    pub(crate) fn asked(&self, session: &str, id: &str, command: &str) -> Value {
        self.payload(session, "PreToolUse", &bash(id, command))
    }

    /// The payload of a shell call that succeeded.
    pub(crate) fn succeeded(&self, session: &str, id: &str, command: &str) -> Value {
        let mut fields = bash(id, command);
        fields["tool_response"] = serde_json::json!({"stdout": "", "stderr": "", "interrupted": false, "isImage": false});
        self.payload(session, "PostToolUse", &fields)
    }

    /// Runs the hook started by `words`, such as a tracer.
    pub(crate) fn started_by(&self, words: &[&str], input: &[u8]) -> Output {
        let mut command = Command::new("env");
        command.args(&self.starter).args(words).arg(&self.program).arg("hook");
        self.run_with_input(command, input)
    }

    /// Starts the hook and leaves it to the caller; its input is whole.
    pub(crate) fn start(&self, payload: &Value) -> std::process::Child {
        let mut command = self.command();
        command.stdin(Stdio::piped());
        let mut child = command.spawn().expect("the hook starts");
        let _ = child.stdin.take().expect("a pipe").write_all(payload.to_string().as_bytes());
        child
    }
}

/// Everything at and below a path, links not followed.
fn below(path: &Path) -> Vec<PathBuf> {
    let mut found = vec![path.to_owned()];
    let mut next = 0;
    while let Some(path) = found.get(next).cloned() {
        next += 1;
        if fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            found.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
        }
    }
    if path.exists() { found } else { Vec::new() }
}

/// Was it killed?
pub(crate) fn was_killed(output: &Output) -> bool {
    output.status.signal() == Some(9)
}

pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Is everything tried that is listed, or a part of it?
pub(crate) fn in_full() -> bool {
    std::env::var_os("TURNSTOP_FAULTS").is_some_and(|how| how == "full")
}

/// All of them in full, else every `step`th.
pub(crate) fn some<T>(all: impl IntoIterator<Item = T>, step: usize) -> impl Iterator<Item = T> {
    all.into_iter().step_by(if in_full() { 1 } else { step })
}

/// Tells the person what was not tried. Written to the handle: the test harness would keep it to itself.
pub(crate) fn skipped(why: &str) {
    say(&format!("skipped: {why}"));
}

/// Tells the person how much was tried.
pub(crate) fn tried(count: usize, what: &str) {
    say(&format!("tried: {count} {what}"));
}

fn say(line: &str) {
    let thread = thread::current();
    let line = format!("{line} ({})\n", thread.name().unwrap_or_default());
    io::stderr().write_all(line.as_bytes()).expect("said");
}
