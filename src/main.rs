//! The binary: a hook call, or a command.

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == "hook") {
        return ExitCode::SUCCESS;
    }
    turnstop::cli::run()
}
