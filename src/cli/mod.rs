//! The commands: one file each, no logic that a test could want without the command line.
//!
//! A command answers with a [`Report`] to print or with a [`Failure`]; only this file writes and maps to exit
//! codes: 0 done, 1 something was found, 2 usage, config or input error. A reader that went away is no error.

mod allow;
mod checkpoint;
mod hook;
mod install;
mod place;
mod progress;
mod replay;
mod rules;
mod scan;
mod settings_file;
mod status;
mod trust;
mod uninstall;

use std::fmt::{Display, Write as _};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The exit code of a command that found what it was asked to look for.
const FOUND: u8 = 1;
/// The exit code of a usage, config or input error.
const INPUT_ERROR: u8 = 2;

#[derive(Debug, Parser)]
#[command(name = "turnstop", version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Scan(scan::Args),
    Replay(replay::Args),
    Rules(rules::Args),
    Checkpoint(checkpoint::Args),
    Status(status::Args),
    Allow(allow::Args),
    Trust(trust::Args),
    Install(install::Args),
    Uninstall(uninstall::Args),
    Hook(hook::Args),
}

/// What a command has to say, on standard output.
#[derive(Debug, Default)]
struct Report {
    text: String,
    /// Something was found that is to fail a script.
    found: bool,
    /// What could not be done beside it, for standard error: an input error.
    refused: String,
}

impl Report {
    fn line(&mut self, line: impl Display) {
        // A string takes everything.
        let _ = writeln!(self.text, "{line}");
    }

    fn refuse(&mut self, line: impl Display) {
        let _ = writeln!(self.refused, "{line}");
    }

    fn of(line: impl Display) -> Self {
        let mut report = Self::default();
        report.line(line);
        report
    }
}

/// The home directory; empty when there is none.
fn home() -> PathBuf {
    std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default()
}

/// Is standard output a terminal that wants colours?
fn colour() -> bool {
    io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
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
            Command::Scan(args) => scan::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Rules(args) => rules::run(&args),
            Command::Checkpoint(args) => checkpoint::run(&args),
            Command::Status(args) => status::run(&args),
            Command::Allow(args) => allow::run(&args),
            Command::Trust(args) => trust::run(&args),
            Command::Install(args) => install::run(&args),
            Command::Uninstall(args) => uninstall::run(&args),
            // `main` answers these itself.
            Command::Hook(_) => Ok(Report::default()),
        },
        Err(error) if error.use_stderr() => {
            // Nobody is left to tell if stderr is gone.
            let _ = error.print();
            // To a client, 2 from a hook means "block this call", and only a hook is given this variable: a slip in a
            // hand-written entry must not lock up the session.
            let as_hook = std::env::var_os("CLAUDE_PROJECT_DIR").is_some();
            return ExitCode::from(if as_hook { FOUND } else { INPUT_ERROR });
        }
        Err(help) => Ok(Report { text: help.to_string(), ..Report::default() }),
    };
    match answer {
        Ok(report) => {
            let _ = io::stderr().lock().write_all(report.refused.as_bytes());
            let done = match (report.refused.is_empty(), report.found) {
                (false, _) => ExitCode::from(INPUT_ERROR),
                (true, true) => ExitCode::from(FOUND),
                (true, false) => ExitCode::SUCCESS,
            };
            print(&report.text, done)
        }
        Err(Failure { message, help }) => {
            let _ = writeln!(io::stderr().lock(), "error: {message}\nhelp: {help}");
            ExitCode::from(INPUT_ERROR)
        }
    }
}

fn print(text: &str, done: ExitCode) -> ExitCode {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Ok(()) => done,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr().lock(), "error: standard output cannot be written: {error}");
            ExitCode::from(INPUT_ERROR)
        }
    }
}
