//! What `shell` says of a command against what the command does.
//!
//! Hand-picked and generated commands are run by bash in a sandbox under strace, and the files they read,
//! write and remove are compared with the effects. `cargo test --test shell_differential` tries every eighth
//! command; with `TURNSTOP_DIFFERENTIAL=full` all of them, and with `BLESS=1` too the table of `docs/shell.md`
//! is made anew. A command that disagrees and is not listed there fails the test.
//!
//! Without bash or strace, or where a process must not be traced, the test says so and passes;
//! `TURNSTOP_REQUIRE_STRACE=1` makes that a failure.

mod claims;
mod commands;
mod compare;
mod generate;
mod page;
mod sandbox;
mod trace;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use compare::Verdict;
use sandbox::Template;

/// One command to try.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// The construct it stands for.
    pub(crate) construct: &'static str,
    /// Control flow decides what happens, so that more may be said than happens.
    pub(crate) branches: bool,
    pub(crate) text: String,
}

/// A command that was tried.
#[derive(Debug)]
pub(crate) struct Tried {
    pub(crate) case: Case,
    /// `None` where a program it needs is not installed.
    pub(crate) verdict: Option<Verdict>,
}

/// The short form tries one command of so many.
const SHARE: usize = 8;

fn cases() -> Vec<Case> {
    let mut cases = commands::cases();
    cases.extend(generate::cases());
    cases
}

/// Tries the commands on every processor; the results are in the order of `cases`.
fn try_all(cases: &[Case], template: &Template) -> Vec<Tried> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let mut tried: Vec<(usize, Tried)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers)
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(index) else { return done };
                        let verdict = template.installed(&case.text).then(|| {
                            let run = template.run(index, &case.text);
                            compare::compare(case, &run)
                        });
                        done.push((index, Tried { case: case.clone(), verdict }));
                    }
                })
            })
            .collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("no worker panics")).collect()
    });
    tried.sort_by_key(|(index, _)| *index);
    tried.into_iter().map(|(_, tried)| tried).collect()
}

#[test]
fn what_is_said_is_what_happens() {
    let template = match Template::new() {
        Ok(template) => template,
        Err(reason) => {
            assert!(std::env::var_os("TURNSTOP_REQUIRE_STRACE").is_none_or(|value| value != "1"), "{reason}");
            // Past the capture of the test harness.
            _ = writeln!(std::io::stderr(), "skipped: {reason}");
            return;
        }
    };
    let full = std::env::var_os("TURNSTOP_DIFFERENTIAL").is_some_and(|value| value == "full");
    let only = std::env::var("TURNSTOP_DIFFERENTIAL_ONLY").ok();
    let chosen: Vec<Case> = cases()
        .into_iter()
        .enumerate()
        .filter(|(index, case)| match &only {
            Some(part) => case.construct.contains(part.as_str()) || case.text.contains(part.as_str()),
            None => full || index % SHARE == 0,
        })
        .map(|(_, case)| case)
        .collect();
    let tried = try_all(&chosen, &template);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/shell.md");
    let found = fs::read_to_string(&path).expect("docs/shell.md");
    let whole = full && only.is_none();
    if whole && std::env::var_os("BLESS").is_some() {
        fs::write(&path, page::renewed(&found, &tried)).expect("a file of the repository can be written");
        return;
    }
    let unlisted: Vec<String> = tried.iter().filter_map(page::disagreement).filter(|line| !found.contains(line.as_str())).collect();
    assert!(unlisted.is_empty(), "{} commands disagree that docs/shell.md does not list:\n{}", unlisted.len(), unlisted.join("\n"));
    if whole && tried.iter().all(|tried| tried.verdict.is_some()) {
        assert!(found == page::renewed(&found, &tried), "docs/shell.md is stale: run with BLESS=1 and TURNSTOP_DIFFERENTIAL=full");
    }
}
