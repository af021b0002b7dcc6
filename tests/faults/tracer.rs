//! Runs of the hook under `strace`, which fails or kills it at any of its system calls.

use std::collections::HashMap;
use std::process::{Command, Output};

use serde_json::Value;

use crate::trial::{Trial, skipped};

/// A system call of a run: its name, and which of that name it is, from 1 on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) name: String,
    pub(crate) nth: usize,
}

/// Can runs be traced here? It is an error if not where `TURNSTOP_REQUIRE_STRACE=1` says so.
pub(crate) fn is_there() -> bool {
    let tried = Command::new("strace").args(["-qq", "-o", "/dev/null", "-e", "inject=getppid:error=EIO", "true"]).status();
    let works = tried.is_ok_and(|status| status.success());
    if !works {
        assert!(std::env::var_os("TURNSTOP_REQUIRE_STRACE").is_none_or(|value| value != "1"), "strace is not there, or may not trace");
        skipped("strace is not there, or may not trace");
    }
    works
}

/// The system calls of a run from where it begins to read its input; what comes before is the loader's.
pub(crate) fn points(trial: &Trial, payload: &Value) -> Vec<Point> {
    let trace = trial.shared("trace");
    trial.started_by(&["strace", "-qq", "-o", &trace], payload.to_string().as_bytes());
    let text = String::from_utf8_lossy(&std::fs::read(&trace).expect("a trace")).into_owned();
    std::fs::remove_file(trace).expect("removed");
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut points = Vec::new();
    let mut is_ours = false;
    for line in text.lines() {
        let Some((name, _)) = line.split_once('(') else { continue };
        let nth = counts.entry(name).or_default();
        *nth += 1;
        is_ours |= line.contains("{fd=0, events=POLLIN}");
        // How a wait goes on that the tracer interrupted: not in every run.
        if is_ours && name != "restart_syscall" {
            points.push(Point { name: name.to_owned(), nth: *nth });
        }
    }
    assert!(points.iter().any(|point| point.name == "exit_group"), "the trace is whole: {text}");
    points
}

/// Runs the hook with something injected at a point; `what` as `strace` calls it, `on` for that point and those after it.
pub(crate) fn inject(trial: &Trial, payload: &Value, point: &Point, what: &str, on: bool) -> Output {
    let inject = format!("inject={}:{what}:when={}{}", point.name, point.nth, if on { "+" } else { "" });
    trial.started_by(&["strace", "-qq", "-o", "/dev/null", "-e", &inject], payload.to_string().as_bytes())
}

/// The lines that a trace of some system calls has.
fn trace(trial: &Trial, of: &str, input: &[u8]) -> Vec<String> {
    // Outside of what is looked over for changes.
    let trace = trial.home().join("state/turnstop/trace").to_string_lossy().into_owned();
    trial.started_by(&["strace", "-f", "-qq", "-s", "4096", "-o", &trace, "-e", &format!("trace={of}")], input);
    let text = String::from_utf8_lossy(&std::fs::read(&trace).expect("a trace")).into_owned();
    std::fs::remove_file(trace).expect("removed");
    text.lines().map(str::to_owned).collect()
}

/// The first path that a line of a trace names.
fn path(line: &str) -> Option<String> {
    line.split('"').nth(1).map(str::to_owned)
}

/// The files that a run opens, but for the loader's.
pub(crate) fn opened(trial: &Trial, input: &[u8]) -> Vec<String> {
    trace(trial, "open,openat", input).iter().filter(|line| !line.contains("= -1")).filter_map(|line| path(line)).collect()
}

/// The paths that a run, or what it starts, makes, writes, moves or removes.
pub(crate) fn changed(trial: &Trial, input: &[u8]) -> Vec<String> {
    let lines = trace(trial, "%file", input);
    let reads =
        ["execve(", "access(", "faccessat2(", "stat(", "newfstatat(", "statx(", "lstat(", "readlink(", "getcwd(", "chdir(", "statfs("];
    let changes = |line: &&String| {
        let call = line.split_once(' ').map_or("", |(_, call)| call.trim_start());
        let opens = call.starts_with("open");
        let writes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"].iter().any(|flag| call.contains(flag));
        call.contains('(') && !reads.iter().any(|read| call.starts_with(read)) && (!opens || writes)
    };
    lines.iter().filter(changes).filter_map(|line| path(line)).filter(|path| path != "/dev/null").collect()
}
