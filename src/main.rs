//! The binary: a hook call, or a command.
//!
//! The hook never reaches the command line parser: a usage error exits with 2, and to the client that
//! means "block this call".

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1).peekable();
    let is_hook = args.next().is_some_and(|first| first == "hook");
    let for_help = args.peek().is_some_and(|word| word == "--help" || word == "-h");
    if is_hook && !for_help { turnstop::hook::run(args) } else { turnstop::cli::run() }
}
