//! The binary: a hook call, or a command.
//!
//! The hook never reaches the command line parser: a usage error exits with 2, and to the client that
//! means "block this call".

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == "hook") { turnstop::hook::run(args) } else { turnstop::cli::run() }
}
