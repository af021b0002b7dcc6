//! The help page of `turnstop hook`, whose calls never come this way.

use clap::ValueEnum;

/// Answer one event of the client, as told on standard input
///
/// The client runs this at its hook points; `turnstop install` tells it to. It reads one JSON object and answers
/// with one, or with nothing. Whatever goes wrong inside, the call goes on: the exit status is 0, and a line stands
/// in the log (`turnstop status` says where).
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Tell what would be denied, and deny nothing
    #[arg(long)]
    observe: bool,

    /// How a denial is told
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Json)]
    reply: Form,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Form {
    /// In the JSON object on standard output, with exit status 0
    Json,
    /// By exit status 2, with the reason on standard error, for hosts that read only that
    ExitCode,
}

const EXAMPLES: &str = "\
Example:
  echo '{\"hook_event_name\":\"PreToolUse\",\"session_id\":\"s1\",\"cwd\":\"/tmp\",\"tool_name\":\"Bash\",
         \"tool_input\":{\"command\":\"turnstop uninstall\"}}' | turnstop hook";
