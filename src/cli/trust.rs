//! `turnstop trust`: lets a project's own config have its way.

use std::env;
use std::fs::canonicalize;
use std::path::PathBuf;

use super::place::ask_person_at_terminal;
use super::settings_file::read;
use super::{Failure, Report};
use crate::config::{Config, Files, PROJECT_FILE};

/// Trust the .turnstop.toml of a project, as it is now
///
/// Until then that file may tighten rules up to a warning. Trusted, it may have them block, and its allow entries
/// count; it still loosens no level and no option of yours. When it changes, it is not trusted any more.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The project's folder [default: the current folder]
    #[arg(value_name = "PROJECT")]
    project: Option<PathBuf>,

    /// Trust it no more
    #[arg(long)]
    revoke: bool,

    /// Agree to it, where an agent's environment would have it refused; counts at a terminal only
    #[arg(long)]
    yes: bool,
}

const EXAMPLES: &str = "\
Examples:
  turnstop trust             the project you are in
  turnstop trust --revoke    take it back";

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let project = args.project.clone().unwrap_or_else(|| PathBuf::from("."));
    let project =
        canonicalize(&project).map_err(|error| Failure::new(format!("{}: {error}", project.display()), "name the folder of a project"))?;
    let files = Files::of(&project, |name| env::var(name).ok());
    let Some(file) = files.project else {
        return Err(Failure::new(format!("there is no {PROJECT_FILE} in {}", project.display()), "there is nothing to trust"));
    };
    let trust = files.trust.ok_or_else(|| Failure::new("there is no home folder to keep it in", "set HOME"))?;
    let failed =
        |error: std::io::Error| Failure::new(format!("it cannot be kept: {error}"), "look at the permissions of ~/.config/turnstop");
    if args.revoke {
        let was = trust.revoke(&file).map_err(failed)?;
        return Ok(Report::of(format_args!("{} {}", file.display(), if was { "is trusted no more" } else { "was not trusted" })));
    }
    let text = read(&file)?.unwrap_or_default();
    Config::check(&file, &text).map_err(|problem| Failure::new(problem, "only a sound file can be trusted"))?;
    ask_person_at_terminal(args.yes, "trusting")?;
    trust.grant(&file, &text).map_err(failed)?;
    let mut report = Report::of(format_args!("trusted {} as it is now:", file.display()));
    for line in text.lines() {
        report.line(format_args!("  {}", crate::text::clean(line)));
    }
    report.line("undo: turnstop trust --revoke");
    Ok(report)
}
