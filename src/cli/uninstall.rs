//! `turnstop uninstall`: takes the hook entries out again.

use std::fmt::Display;
use std::fs;

use super::place::{Place, RELOAD, Scope, Target, ask_person};
use super::settings_file::{diff, read, refused, replace};
use super::{Failure, Report};
use crate::agent::claude::settings;

/// Take turnstop's hook entries out of a settings file
///
/// Only entries of turnstop go; every other byte is as it was before `turnstop install`, and a file that
/// install made and that holds nothing else is removed. A file without entries is left alone.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    target: Target,

    /// Print the change as a diff and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Agree to it, where an agent's environment would have it refused; counts at a terminal only
    #[arg(long)]
    yes: bool,
}

const EXAMPLES: &str = "\
Examples:
  turnstop uninstall                 from this project's .claude/settings.local.json
  turnstop uninstall --scope user    from ~/.claude/settings.json
  turnstop uninstall --dry-run       show what would go";

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let place = args.target.place()?;
    let path = &place.file;
    let Some(before) = read(path)? else {
        return Ok(nothing(format_args!("there is no {}", path.display()), &args.target));
    };
    let found = settings::installed(&before).map_err(|refusal| refused(path, refusal))?;
    if found.profile.is_none() {
        return Ok(nothing(format_args!("no entry of turnstop in {}", path.display()), &args.target));
    }
    let after = settings::uninstall(&before).map_err(|refusal| refused(path, refusal))?;
    if args.dry_run {
        return Ok(diff(path, Some(&before), after.as_deref()));
    }
    ask_person(args.yes, "uninstalling")?;
    replace(path, Some(&before), after.as_deref())?;
    let mut report = Report::of("removed turnstop");
    report.line(format_args!("  file: {}", path.display()));
    report.line(format_args!("  events: {}", found.events.join(", ")));
    if after.is_none() {
        report.line("  it held nothing else and is gone");
        remove_empty_folder(&place);
    }
    report.line(RELOAD);
    report.line(format_args!("undo: turnstop install{}", args.target.arguments(&place)));
    Ok(report)
}

/// Removes the project's `.claude` if nothing is in it any more.
fn remove_empty_folder(place: &Place) {
    if let (Some(_), Some(folder)) = (&place.project, place.file.parent()) {
        // Fails, as it should, for a folder with anything in it.
        let _ = fs::remove_dir(folder);
    }
}

/// Says that there is nothing to do, and where there would be, for who asked about the wrong file.
fn nothing(why: impl Display, target: &Target) -> Report {
    let mut report = Report::of(format_args!("nothing to do: {why}"));
    for scope in Scope::ALL.into_iter().filter(|scope| *scope != target.scope) {
        let Ok(place) = target.place_of(scope) else { continue };
        let text = read(&place.file).ok().flatten().unwrap_or_default();
        if settings::installed(&text).is_ok_and(|found| found.profile.is_some()) {
            report.line(format_args!("note: it is in {} (--scope {})", place.file.display(), scope.name()));
        }
    }
    report
}
