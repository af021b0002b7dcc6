//! `turnstop checkpoint`: what a session leaves for the one that goes on.

mod lint;
mod new;

use clap::Subcommand;

use super::{Failure, Report};

/// Write and check checkpoints: what a session leaves for the one that goes on
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  turnstop checkpoint new                   CHECKPOINT.md, to be filled in
  turnstop checkpoint new importer          CHECKPOINT-importer.md, for one of several sessions
  turnstop checkpoint lint CHECKPOINT*.md   what is missing, empty or vague";

#[derive(Debug, Subcommand)]
enum Command {
    New(new::Args),
    Lint(lint::Args),
}

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    match &args.command {
        Command::New(args) => new::run(args),
        Command::Lint(args) => Ok(lint::run(args)),
    }
}
