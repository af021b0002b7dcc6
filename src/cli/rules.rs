//! `turnstop rules`: what the rules are.

use clap::ValueEnum;

use super::{Failure, Report};
use crate::report::catalogue;

/// List the rules, or show the page of one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A rule's id, or its name alone
    id: Option<String>,

    /// The form
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  turnstop rules                     all of them, a line each
  turnstop rules shared-temp-path    what it sees, why, and what to do instead
  turnstop rules --format json       the catalogue, for a program";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// The catalogue, or one rule's entry in it
    Json,
}

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let Some(id) = &args.id else { return Ok(list(args.format)) };
    let Some(meta) = catalogue::find(id) else {
        let known: Vec<&str> = catalogue::all().map(|meta| meta.id).collect();
        return Err(Failure::new(format!("{id} is no rule"), format!("the rules are {}", known.join(", "))));
    };
    match args.format {
        Format::Text => Ok(Report::of(catalogue::page(meta).trim_end())),
        Format::Json => {
            let catalogue = catalogue::catalogue();
            let entry = catalogue["rules"].as_array().and_then(|rules| rules.iter().find(|rule| rule["id"] == meta.id));
            Ok(Report::of(entry.map(|entry| format!("{entry:#}")).unwrap_or_default()))
        }
    }
}

fn list(format: Format) -> Report {
    if format == Format::Json {
        return Report::of(format_args!("{:#}", catalogue::catalogue()));
    }
    let width = catalogue::all().map(|meta| meta.id.len()).max().unwrap_or_default();
    let mut report = Report::default();
    for meta in catalogue::all() {
        report.line(format_args!("{:width$}  {:7}  {}", meta.id, meta.severity.word(), meta.summary));
    }
    report
}
