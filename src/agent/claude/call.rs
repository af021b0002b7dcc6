//! From a tool's name and input to a [`Call`].

use std::borrow::Cow;

use crate::agent::json::{self, Raw, Reader};
use crate::session::event::{Action, Call};
use crate::shell::Dialect;

/// The fields of an input that matter; none of a value that is no object.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Input<'a> {
    command: Option<Raw<'a>>,
    file: Option<Raw<'a>>,
    notebook: Option<Raw<'a>>,
    background: bool,
}

impl<'a> Input<'a> {
    /// Reads the value that comes next.
    pub(super) fn read(reader: &mut Reader<'a>) -> Option<Self> {
        let mut input = Input::default();
        reader.if_object(&mut |reader, key| {
            let value = reader.value()?;
            match key {
                b"command" => input.command = Some(value),
                b"file_path" => input.file = Some(value),
                b"notebook_path" => input.notebook = Some(value),
                b"run_in_background" => input.background = json::is_true(value),
                _ => {}
            }
            Some(())
        })?;
        Some(input)
    }
}

/// The call of `tool` with this input. An input that is missing, no object, or lacks what the tool needs
/// gives [`Action::Other`]; so does the client's `__unparsedToolInput`.
pub(super) fn call<'a>(id: Cow<'a, str>, tool: Cow<'a, str>, input: Input<'a>) -> Call<'a> {
    let shell = |dialect| input.command.and_then(json::string).map(|command| Action::Shell { command, dialect });
    let path = |raw: Option<Raw<'a>>| raw.and_then(json::string);
    let action = match &*tool {
        "Bash" => shell(Dialect::Bash),
        "PowerShell" => shell(Dialect::PowerShell),
        "Write" => path(input.file).map(|path| Action::Write { path }),
        "Edit" | "MultiEdit" => path(input.file).map(|path| Action::Edit { path }),
        "NotebookEdit" => path(input.notebook).map(|path| Action::Edit { path }),
        "Read" => path(input.file).map(|path| Action::Read { path }),
        "AskUserQuestion" | "ExitPlanMode" => Some(Action::Ask),
        _ => None,
    };
    Call::new(id, tool, action.unwrap_or(Action::Other), input.background)
}
