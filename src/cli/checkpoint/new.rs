//! `turnstop checkpoint new`: the form, with what each section is for.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

use crate::cli::{Failure, Report};
use crate::records::checkpoint;
use crate::text;

/// Write the form of a checkpoint, with what each section is for
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The session, where several work in one project: its file is CHECKPOINT-NAME.md
    name: Option<String>,
}

const EXAMPLES: &str = "\
Without a name the file is the one that $SESSION_CHECKPOINT_FILE names, else that of
$SESSION_CHECKPOINT_NAME, else CHECKPOINT.md. One that is there is left alone.

Examples:
  turnstop checkpoint new
  turnstop checkpoint new importer";

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let env = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let name = args.name.clone().or_else(|| env("SESSION_CHECKPOINT_NAME").map(|name| name.to_string_lossy().into_owned()));
    if let Some(name) = name.as_deref().filter(|name| !checkpoint::is_name(name)) {
        return Err(Failure::new(
            format!("{} names no session", text::name(name, 80)),
            "a name has letters, digits, '.', '-' and '_', a letter or digit first, and is not TEMPLATE",
        ));
    }
    let file = match env("SESSION_CHECKPOINT_FILE").filter(|_| args.name.is_none()) {
        Some(file) => PathBuf::from(file),
        None => checkpoint::file_of(name.as_deref()).into(),
    };
    let form = checkpoint::form(name.as_deref(), &text::today());
    let written = OpenOptions::new().write(true).create_new(true).open(&file).and_then(|mut new| new.write_all(form.as_bytes()));
    match written {
        Ok(()) => Ok(Report::of(format_args!("{} is there; fill in its five sections", file.display()))),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(Failure::new(
            format!("{} is there already", file.display()),
            "write the checkpoint into it, or give the session a name of its own",
        )),
        Err(error) => Err(Failure::new(format!("{} cannot be written: {error}", file.display()), "is its folder there, and yours?")),
    }
}
