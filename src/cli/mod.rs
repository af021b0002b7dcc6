//! The commands: one file each, no logic that a test could want without the command line.
//!
//! A command answers with a [`Report`] to print or with a [`Failure`]; only this file writes and maps to exit
//! codes: 0 done, 2 usage, config or input error. A reader that went away is no error.

mod install;
mod place;
mod settings_file;
mod uninstall;

use std::fmt::{Display, Write as _};
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The exit code of a usage, config or input error.
const INPUT_ERROR: u8 = 2;

#[derive(Debug, Parser)]
#[command(name = "turnstop", version, about, arg_required_else_help = true)]
#[command(after_help = "The client itself runs `turnstop hook`; `turnstop install` tells it to.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Install(install::Args),
    Uninstall(uninstall::Args),
}

/// What a command has to say, on standard output.
#[derive(Debug, Default)]
struct Report(String);

impl Report {
    fn line(&mut self, line: impl Display) {
        // A string takes everything.
        let _ = writeln!(self.0, "{line}");
    }

    fn of(line: impl Display) -> Self {
        let mut report = Self::default();
        report.line(line);
        report
    }
}

/// Why a command did not do what was asked.
#[derive(Debug)]
struct Failure {
    /// What is wrong, in one sentence.
    message: String,
    /// What to do about it.
    help: String,
}

impl Failure {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// Runs the command that the program's arguments name, and says how it went.
pub fn run() -> ExitCode {
    let answer = match Cli::try_parse() {
        Ok(cli) => match cli.command {
            Command::Install(args) => install::run(&args),
            Command::Uninstall(args) => uninstall::run(&args),
        },
        Err(error) if error.use_stderr() => {
            // Nobody is left to tell if stderr is gone.
            let _ = error.print();
            return ExitCode::from(INPUT_ERROR);
        }
        Err(help) => Ok(Report(help.to_string())),
    };
    match answer {
        Ok(report) => print(&report.0),
        Err(Failure { message, help }) => {
            let _ = writeln!(io::stderr().lock(), "error: {message}\nhelp: {help}");
            ExitCode::from(INPUT_ERROR)
        }
    }
}

fn print(text: &str) -> ExitCode {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(INPUT_ERROR),
        _ => ExitCode::SUCCESS,
    }
}
