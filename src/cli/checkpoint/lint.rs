//! `turnstop checkpoint lint`: what is wrong with checkpoints, in the lines that scripts read.

use std::path::{Path, PathBuf};

use crate::cli::Report;
use crate::fs::read_regular;
use crate::records::checkpoint::{self, Fault};
use crate::text;

/// Check checkpoints: their day, their five sections, and days that only who wrote them knows
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The checkpoints
    #[arg(value_name = "CHECKPOINT.md", trailing_var_arg = true, allow_hyphen_values = true)]
    files: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
A checkpoint begins with front matter that has an `updated: YYYY-MM-DD` line, and has
sections whose titles begin with Objective, State, Decisions, Open threads and Gotchas. A
section may say \"none\"; it may not be missing, or hold only code and comments.

Exit codes: 0 clean (warnings allowed), 1 a failure, 2 a usage or input error.

Examples:
  turnstop checkpoint lint CHECKPOINT.md
  turnstop checkpoint lint CHECKPOINT-*.md";

/// Largest checkpoint that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

pub(super) fn run(args: &Args) -> Report {
    let mut report = Report::default();
    let Some(first) = args.files.first() else {
        report.refuse("usage: turnstop checkpoint lint CHECKPOINT.md [more.md ...]");
        return report;
    };
    if first == Path::new("--version") {
        return Report::of(format_args!("turnstop {}", env!("CARGO_PKG_VERSION")));
    }
    let mut found: Vec<(&Path, Fault)> = Vec::new();
    let mut read = 0;
    for file in &args.files {
        match text_of(file) {
            Ok(text) => {
                read += 1;
                found.extend(checkpoint::faults(&text).into_iter().map(|fault| (file.as_path(), fault)));
            }
            Err(problem) => report.refuse(format_args!("{}: {problem}", shown(file))),
        }
    }
    let (failures, warnings): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, fault)| fault.is_failure());
    for (verdict, faults) in [("FAIL", &failures), ("WARN", &warnings)] {
        for (file, fault) in faults {
            let line = fault.line().map(|line| format!(":{line}")).unwrap_or_default();
            report.line(format_args!("{verdict} {}{line}: {fault}", shown(file)));
        }
    }
    if read > 0 {
        let verdict = if failures.is_empty() { "PASS" } else { "FAIL" };
        report.line(format_args!("{verdict}: {read} checkpoint(s), {} failures, {} warnings", failures.len(), warnings.len()));
    }
    report.found = !failures.is_empty();
    report
}

/// The path as it was given, unless it would tell a terminal what to do.
fn shown(file: &Path) -> String {
    let path = file.to_string_lossy();
    if path.contains(char::is_control) { text::clean(&path) } else { path.into_owned() }
}

/// The text of a checkpoint, or what keeps it from being read.
fn text_of(file: &Path) -> Result<String, String> {
    if !file.is_file() {
        return Err("no such file".to_owned());
    }
    let bytes = read_regular(file, MAX_BYTES).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())
}
