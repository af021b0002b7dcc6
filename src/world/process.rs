//! The one way to run another program: an end after a deadline, and its input and output in bounds.

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Most bytes of output that are read. A pipe holds no more, so a program that prints more runs into the deadline.
const MAX_OUTPUT: u64 = 64 << 10;

/// What a program came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Its exit status; `None` when a signal ended it.
    pub status: Option<i32>,
    /// What it printed on standard output.
    pub output: String,
}

/// Most bytes of input that are given: a pipe takes them even if the program reads none.
pub const MAX_INPUT: usize = 32 << 10;

/// Runs a program without input; `None` when it cannot be started or takes longer than `deadline`, and is ended then.
pub fn run(command: &mut Command, deadline: Duration) -> Option<Ended> {
    run_with(command, "", deadline)
}

/// Runs a program that gets this input; `None` also when that is longer than [`MAX_INPUT`].
pub fn run_with(command: &mut Command, input: &str, deadline: Duration) -> Option<Ended> {
    if input.len() > MAX_INPUT {
        return None;
    }
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    let mut child = command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let start = Instant::now();
    if let Some(mut stdin) = child.stdin.take() {
        // A program that ended without reading has said all it has to say.
        let _ = stdin.write_all(input.as_bytes());
    }
    loop {
        match child.try_wait().ok()? {
            Some(status) => {
                let mut output = Vec::new();
                child.stdout.take()?.take(MAX_OUTPUT).read_to_end(&mut output).ok()?;
                return Some(Ended { status: status.code(), output: String::from_utf8_lossy(&output).into_owned() });
            }
            None if start.elapsed() < deadline => thread::sleep(Duration::from_millis(2)),
            None => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

/// `git`, so that it asks nobody, writes nothing on the side and starts nothing else.
pub fn git() -> Command {
    let mut git = Command::new("git");
    git.args(["-c", "core.fsmonitor=false", "--no-pager"]);
    git.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_NO_LAZY_FETCH", "1").env("GIT_TERMINAL_PROMPT", "0");
    git
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_run_to_its_end_or_to_the_deadline() {
        let shell = |text: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", text]);
            command
        };
        let ended = run(&mut shell("echo hello; exit 3"), Duration::from_secs(5));
        assert_eq!(ended, Some(Ended { status: Some(3), output: "hello\n".into() }));
        assert_eq!(run(&mut shell("sleep 60"), Duration::from_millis(20)), None);
        let input = "x".repeat(MAX_INPUT);
        assert_eq!(
            run_with(&mut shell("wc -c"), &input, Duration::from_secs(5)).map(|ended| ended.output.trim().to_owned()),
            Some(MAX_INPUT.to_string())
        );
        assert_eq!(run_with(&mut shell("sleep 60"), &input, Duration::from_millis(20)), None);
        assert_eq!(run_with(&mut shell("exit 4"), &input, Duration::from_secs(5)).and_then(|ended| ended.status), Some(4));
        assert_eq!(run_with(&mut shell("cat"), &"x".repeat(MAX_INPUT + 1), Duration::from_secs(5)), None);
        assert_eq!(run(&mut Command::new("/nonexistent/program"), Duration::from_secs(1)), None);
    }
}
