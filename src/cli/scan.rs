//! `turnstop scan`: the rules over the sessions of a project.

use std::env;
use std::path::PathBuf;

use clap::ValueEnum;

use super::{Failure, Report, colour, home};
use crate::meta::Severity;
use crate::report::{json, text};
use crate::scan::{self, Scan};
use crate::world::git;

/// Look through the recorded sessions of a project
///
/// Reads the transcripts that Claude Code keeps of the project, those of subagents among them, and asks of every
/// call what the hook would have asked. Nothing is written, and nothing leaves the machine. What only a live run
/// can verify (what a file held at the time) is a guess here, and says so.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The project's folder, as the client was started in it [default: the current folder; where no session was
    /// started in it, the git work tree around it]
    #[arg(value_name = "PROJECT")]
    project: Option<PathBuf>,

    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// The least grave finding that makes the exit status 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Error)]
    fail_on: FailOn,

    /// The same as --fail-on warning
    #[arg(long, conflicts_with = "fail_on")]
    strict: bool,

    /// Show findings that are merely worth knowing, and those of calls that never ran
    #[arg(long, short)]
    verbose: bool,
}

const EXAMPLES: &str = "\
Exit status: 0 clean, 1 findings at or above --fail-on, 2 usage or input error.

Examples:
  turnstop scan                              the project you are in
  turnstop scan ~/src/app --verbose          another one, with everything that was seen
  turnstop scan --format json | jq .summary  for a program
  turnstop scan --strict                     fail on warnings, too";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON object; its `version` tells of changes
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Errors
    Error,
    /// Warnings and errors
    Warning,
    /// Any finding
    Info,
    /// No finding
    Never,
}

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let project = args.project.clone().unwrap_or_else(|| PathBuf::from("."));
    if !project.is_dir() {
        return Err(Failure::new(
            format!("{} is not a folder", project.display()),
            "name the folder that the client was started in, as in `turnstop scan ~/src/app`",
        ));
    }
    let mut scan = scan::project(&project, |name| env::var_os(name));
    if let (None, true, Some(root)) = (&args.project, scan.folders.is_empty(), git::root(&scan.project.clone())) {
        scan = scan::project(root, |name| env::var_os(name));
    }
    let home = home();
    let text = match args.format {
        Format::Text => text::render(&scan, &home, text::Show { info: args.verbose, colour: colour() }),
        Format::Json => json::render(&scan),
    };
    let fail_on = if args.strict { FailOn::Warning } else { args.fail_on };
    Ok(Report { text, found: fails(&scan, fail_on) })
}

fn fails(scan: &Scan, fail_on: FailOn) -> bool {
    let least = match fail_on {
        FailOn::Never => return false,
        FailOn::Error => Severity::Error,
        FailOn::Warning => Severity::Warning,
        FailOn::Info => Severity::Info,
    };
    scan.findings.iter().any(|spotted| !spotted.prevented && spotted.finding.severity >= least)
}
