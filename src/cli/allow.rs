//! `turnstop allow`: adds an entry to the person's config that allows what a rule finds.

use std::env;

use super::place::ask_person_at_terminal;
use super::settings_file::{read, replace};
use super::{Failure, Report, scan};
use crate::config::{self, Config};
use crate::text::is_day;

/// Allow what a rule finds about a path or a command
///
/// Adds an entry to the end of ~/.config/turnstop/config.toml; what stands there stays as it is. What is allowed is
/// not said by the hook, and counted as suppressed in a scan. An entry is a person's to make.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group(clap::ArgGroup::new("target").args(["path", "command"]).required(true)))]
pub(super) struct Args {
    /// The rule, by its id or its name alone
    rule: String,

    /// Allow findings about paths that match: `*` stops at a `/`, `**` does not; without a `/` in front, at any depth
    #[arg(long, value_name = "GLOB")]
    path: Option<String>,

    /// Allow findings about commands that match, as a report shows them: `*` is any text
    #[arg(long, value_name = "GLOB")]
    command: Option<String>,

    /// Why, for whoever reads it later
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// The last day that it counts, as in 2026-12-31
    #[arg(long, value_name = "DATE")]
    expires: Option<String>,

    /// Agree to it, where an agent's environment would have it refused; counts at a terminal only
    #[arg(long)]
    yes: bool,
}

const EXAMPLES: &str = "\
Examples:
  turnstop allow shared-temp-path --path '/tmp/build-cache/**' --reason 'one cache for all, by design'
  turnstop allow consecutive-repeat --command 'make deploy*' --reason 'waits for the cluster' --expires 2026-12-31";

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let rule = scan::rule(&args.rule)?;
    if args.reason.trim().is_empty() {
        return Err(Failure::new("the reason is empty", "say why, for whoever reads it later"));
    }
    if let Some(day) = args.expires.as_deref().filter(|day| !is_day(day)) {
        return Err(Failure::new(format!("`{day}` is not a day"), "write it as in 2026-12-31"));
    }
    let Some(file) = config::user_file(|name| env::var(name).ok()) else {
        return Err(Failure::new("there is no home folder to find the config in", "set HOME"));
    };
    ask_person_at_terminal(args.yes, "allowing")?;
    let before = read(&file)?;
    let after = appended(before.as_deref().unwrap_or_default(), &entry(args, rule.id));
    Config::check(&file, before.as_deref().unwrap_or_default())
        .and_then(|()| Config::check(&file, &after))
        .map_err(|problem| Failure::new(problem, "correct the file, then run this again; it was not touched"))?;
    replace(&file, before.as_deref(), Some(&after))?;
    let mut report = Report::of(format_args!("allowed for {}", rule.id));
    report.line(format_args!("  file: {}", file.display()));
    report.line("undo: take the entry out of the file again");
    Ok(report)
}

/// The entry as TOML.
fn entry(args: &Args, rule: &str) -> String {
    let keys = [
        ("rule", Some(rule)),
        ("path", args.path.as_deref()),
        ("command", args.command.as_deref()),
        ("reason", Some(args.reason.trim())),
        ("expires", args.expires.as_deref()),
    ];
    let lines = keys.iter().filter_map(|(key, value)| Some(format!("{key} = {}\n", toml::Value::from((*value)?))));
    std::iter::once("[[allow]]\n".to_owned()).chain(lines).collect()
}

/// A table at the end of a file needs nothing from what stands before it, and changes nothing of that.
fn appended(before: &str, entry: &str) -> String {
    let gap = match before {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{before}{gap}{entry}")
}
