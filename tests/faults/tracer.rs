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

/// Can runs be traced here?
pub(crate) fn is_there() -> bool {
    let tried = Command::new("strace").args(["-qq", "-o", "/dev/null", "-e", "inject=getppid:error=EIO", "true"]).status();
    let works = tried.is_ok_and(|status| status.success());
    if !works {
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
