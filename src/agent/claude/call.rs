//! From a tool's name and input to a [`Call`].

use std::borrow::Cow;

use crate::agent::json::{self, Raw};
use crate::session::event::{Action, Call};
use crate::shell::Dialect;

/// The call of `tool` with this input. An input that is missing, no object, or lacks what the tool needs
/// gives [`Action::Other`]; so does the client's `__unparsedToolInput`.
pub(super) fn call<'a>(id: Cow<'a, str>, tool: Cow<'a, str>, input: Option<Raw<'a>>) -> Call<'a> {
    let (mut command, mut file, mut notebook, mut background) = (None, None, None, false);
    if let Some(input) = input {
        json::fields(input.bytes(), &mut |key, value| match key {
            "command" => command = Some(value),
            "file_path" => file = Some(value),
            "notebook_path" => notebook = Some(value),
            "run_in_background" => background = json::is_true(value),
            _ => {}
        });
    }
    let shell = |dialect| command.and_then(json::string).map(|command| Action::Shell { command, dialect });
    let path = |raw: Option<Raw<'a>>| raw.and_then(json::string);
    let action = match &*tool {
        "Bash" => shell(Dialect::Bash),
        "PowerShell" => shell(Dialect::PowerShell),
        "Write" => path(file).map(|path| Action::Write { path }),
        "Edit" | "MultiEdit" => path(file).map(|path| Action::Edit { path }),
        "NotebookEdit" => path(notebook).map(|path| Action::Edit { path }),
        "Read" => path(file).map(|path| Action::Read { path }),
        "AskUserQuestion" | "ExitPlanMode" => Some(Action::Ask),
        _ => None,
    };
    Call::new(id, tool, action.unwrap_or(Action::Other), background)
}
