//! From a tool's name and input to calls. A patch is one call for each of its files.

use std::borrow::Cow;

use super::patch;
use super::script::{self, Only};
use crate::agent::json::{self, Raw};
use crate::session::event::{Action, Call};
use crate::shell::Dialect;

/// What was asked for.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Its calls.
    pub(super) calls: Vec<Call<'static>>,
    /// The folder they are to run in, where they say so.
    pub(super) workdir: Option<String>,
    /// What is to be known of it when its result comes.
    pub(super) kind: Kind,
}

/// What is to be known of a call when its result comes.
#[derive(Debug, Default)]
pub(super) enum Kind {
    /// Nothing.
    #[default]
    Plain,
    /// It goes on with the running process of this id.
    Process(String),
    /// A script, and the one command in it.
    Script(Option<Only>),
}

/// How a tool is called.
#[derive(Debug, Clone, Copy)]
enum Tool {
    /// `command`: a list of words.
    Argv,
    /// `command`, or `cmd`: a text.
    Text,
    /// Input to a running process.
    Stdin,
    Patch,
    /// A script of the client's own language.
    Script,
    Read,
    Ask,
}

/// The tools a rule may ask about. Every other one is [`Action::Other`].
const TOOLS: &[(&str, Tool)] = &[
    ("shell", Tool::Argv),
    ("container.exec", Tool::Argv),
    ("local_shell", Tool::Argv),
    ("shell_command", Tool::Text),
    ("exec_command", Tool::Text),
    ("write_stdin", Tool::Stdin),
    ("apply_patch", Tool::Patch),
    ("exec", Tool::Script),
    ("read_file", Tool::Read),
    ("view_image", Tool::Read),
    ("request_user_input", Tool::Ask),
];

/// The fields of an input that matter.
#[derive(Default)]
struct Input<'a> {
    command: Option<Raw<'a>>,
    workdir: Option<Cow<'a, str>>,
    shell: Option<Cow<'a, str>>,
    process: Option<Raw<'a>>,
    patch: Option<Cow<'a, str>>,
    path: Option<Cow<'a, str>>,
}

/// The calls of a tool whose input is the text of a JSON object. An input that is no object, or lacks what
/// the tool needs, gives [`Action::Other`].
pub(super) fn of_function(id: &str, name: &str, arguments: &str) -> Asked {
    let Some(tool) = tool(name) else { return other(id, name) };
    let mut input = Input::default();
    json::fields(arguments, &mut |key, value| match key {
        "command" | "cmd" => input.command = Some(value),
        "workdir" | "working_directory" => input.workdir = json::string(value),
        "shell" => input.shell = json::string(value),
        "session_id" => input.process = Some(value),
        "input" | "patch" => input.patch = json::string(value),
        "file_path" | "path" => input.path = json::string(value),
        _ => {}
    });
    let mut asked = match tool {
        Tool::Argv => input.command.and_then(argv).map(|words| of_argv(id, name, &words)),
        Tool::Text => input.command.and_then(json::string).map(|text| of_shell(id, name, &text, dialect(input.shell.as_deref()))),
        Tool::Stdin => Some(Asked { kind: Kind::Process(input.process.map(word).unwrap_or_default()), ..other(id, name) }),
        Tool::Patch => input.patch.as_deref().map(|text| of_patch(id, name, text)),
        Tool::Script => None,
        Tool::Read => input.path.map(|path| one(id, name, Action::Read { path: path.into_owned().into() })),
        Tool::Ask => Some(one(id, name, Action::Ask)),
    }
    .unwrap_or_else(|| other(id, name));
    if let Some(outer) = input.workdir.filter(|folder| !folder.is_empty()) {
        asked.workdir = Some(asked.workdir.map_or_else(|| outer.clone().into_owned(), |inner| join(&outer, &inner)));
    }
    asked
}

/// The calls of a tool whose input is a plain text.
pub(super) fn of_custom(id: &str, name: &str, input: &str) -> Asked {
    match tool(name) {
        Some(Tool::Patch) => of_patch(id, name, input),
        Some(Tool::Script) => Asked { kind: Kind::Script(script::only_command(input)), ..other(id, name) },
        _ => other(id, name),
    }
}

/// The call of a command given as words, or as a text.
pub(super) fn of_command(id: &str, name: &str, command: Raw<'_>) -> Asked {
    match (argv(command), json::string(command)) {
        (Some(words), _) => of_argv(id, name, &words),
        (None, Some(text)) => of_text(id, name, &text),
        (None, None) => other(id, name),
    }
}

/// The call of a command given as a text.
pub(super) fn of_text(id: &str, name: &str, command: &str) -> Asked {
    of_shell(id, name, command, Dialect::Bash)
}

/// One call for each file; the ids of several are told apart by a number.
pub(super) fn of_files(id: &str, name: &str, mut files: Vec<Action<'static>>) -> Asked {
    match files.pop() {
        None => other(id, name),
        Some(only) if files.is_empty() => one(id, name, only),
        Some(last) => {
            files.push(last);
            let calls = files.into_iter().enumerate();
            let calls = calls.map(|(index, action)| call(format!("{id}#{}", index + 1), name, action)).collect();
            Asked { calls, ..Asked::default() }
        }
    }
}

/// A call a rule asks nothing about.
pub(super) fn other(id: &str, name: &str) -> Asked {
    one(id, name, Action::Other)
}

/// A folder given from within another.
pub(super) fn join(outer: &str, inner: &str) -> String {
    let is_absolute = inner.starts_with(['/', '\\', '~']) || inner.as_bytes().get(1) == Some(&b':');
    if is_absolute || outer.is_empty() { inner.to_owned() } else { format!("{}/{inner}", outer.trim_end_matches('/')) }
}

/// A folder as the client writes it: a path, or a `file:` address.
pub(super) fn folder(written: &str) -> Cow<'_, str> {
    let Some(path) = written.strip_prefix("file://").filter(|path| path.starts_with('/')) else { return Cow::Borrowed(written) };
    if !path.contains('%') {
        return Cow::Borrowed(path);
    }
    let digit = |byte: Option<&u8>| byte.and_then(|byte| char::from(*byte).to_digit(16));
    let (bytes, mut decoded, mut at) = (path.as_bytes(), Vec::with_capacity(path.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let escaped = digit(bytes.get(at + 1)).zip(digit(bytes.get(at + 2))).filter(|_| byte == b'%');
        decoded.push(escaped.and_then(|(high, low)| u8::try_from(high * 16 + low).ok()).unwrap_or(byte));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    Cow::Owned(String::from_utf8_lossy(&decoded).into_owned())
}

fn tool(name: &str) -> Option<Tool> {
    TOOLS.iter().find(|(known, _)| *known == name).map(|(_, tool)| *tool)
}

fn one(id: &str, name: &str, action: Action<'static>) -> Asked {
    Asked { calls: vec![call(id.to_owned(), name, action)], ..Asked::default() }
}

fn call(id: String, name: &str, action: Action<'static>) -> Call<'static> {
    Call::new(id.into(), name.to_owned().into(), action, false)
}

fn of_patch(id: &str, name: &str, text: &str) -> Asked {
    of_files(id, name, patch::files(text))
}

fn of_shell(id: &str, name: &str, command: &str, dialect: Dialect) -> Asked {
    if let Some((folder, text)) = patch::in_command(command) {
        return Asked { workdir: folder.map(str::to_owned), ..of_patch(id, name, text) };
    }
    one(id, name, Action::Shell { command: command.to_owned().into(), dialect })
}

fn of_argv(id: &str, name: &str, words: &[Cow<'_, str>]) -> Asked {
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    let ("apply_patch" | "applypatch", [_, patch]) = (words.first().copied().unwrap_or_default(), &words[..]) else {
        let (command, dialect) = text_of(&words);
        return of_shell(id, name, &command, dialect);
    };
    of_patch(id, name, patch)
}

/// Shells, by the name of the program.
const SHELLS: &[(&str, Dialect)] = &[
    ("bash", Dialect::Bash),
    ("zsh", Dialect::Bash),
    ("sh", Dialect::Bash),
    ("dash", Dialect::Bash),
    ("ksh", Dialect::Bash),
    ("powershell", Dialect::PowerShell),
    ("pwsh", Dialect::PowerShell),
];

fn dialect(program: Option<&str>) -> Dialect {
    program.and_then(shell).unwrap_or(Dialect::Bash)
}

fn shell(program: &str) -> Option<Dialect> {
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    SHELLS.iter().find(|(known, _)| *known == name).map(|(_, dialect)| *dialect)
}

/// The words of a command as one text: what a shell is given to run as it stands, any other words quoted.
fn text_of(words: &[&str]) -> (String, Dialect) {
    if let [program, options @ .., text] = words
        && let Some(dialect) = shell(program)
        && takes_text(dialect, options)
    {
        return ((*text).to_owned(), dialect);
    }
    (words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "), Dialect::Bash)
}

/// With these options, the shell runs the word that comes next.
fn takes_text(dialect: Dialect, options: &[&str]) -> bool {
    let Some((last, others)) = options.split_last() else { return false };
    match dialect {
        Dialect::Bash => {
            let is_cluster = |word: &&str| word.starts_with('-') && !word.starts_with("--") && word.len() > 1;
            is_cluster(last) && last.ends_with('c') && others.iter().all(|word| is_cluster(word) && !word.contains(['c', 'o', 'O']))
        }
        Dialect::PowerShell => last.eq_ignore_ascii_case("-command") || last.eq_ignore_ascii_case("-c"),
    }
}

fn quoted(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | ':' | ',' | '+' | '@' | '%' | '=');
    if !word.is_empty() && word.chars().all(is_plain) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', "'\\''")))
    }
}

/// A list of words; `None` when it is anything else.
fn argv(raw: Raw<'_>) -> Option<Vec<Cow<'_, str>>> {
    let (mut words, mut whole) = (Vec::new(), true);
    whole &= json::elements(raw.bytes(), &mut |word| match json::string(word) {
        Some(word) => words.push(word),
        None => words.push(Cow::Borrowed("\0")),
    });
    whole &= !words.is_empty() && !words.iter().any(|word| word == "\0");
    whole.then_some(words)
}

/// A number or a string, as a word.
fn word(raw: Raw<'_>) -> String {
    json::string(raw).map_or_else(|| raw.get().to_owned(), Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(asked: &Asked) -> Vec<String> {
        let brief = |call: &Call<'_>| match &call.action {
            Action::Shell { command, dialect } => format!("{}: {dialect:?} {command}", call.id),
            Action::Write { path } => format!("{}: write {path}", call.id),
            Action::Edit { path } => format!("{}: edit {path}", call.id),
            Action::Read { path } => format!("{}: read {path}", call.id),
            Action::Ask => format!("{}: ask", call.id),
            Action::Other => format!("{}: other", call.id),
        };
        asked.calls.iter().map(brief).collect()
    }

    #[test]
    fn functions() {
        for (name, arguments, expected, workdir) in [
            ("shell", r#"{"command":["bash","-lc","ls | wc"],"workdir":"/w","timeout_ms":1}"#, "i: Bash ls | wc", Some("/w")),
            ("shell", r#"{"command":["/bin/zsh","-l","-c","ls"]}"#, "i: Bash ls", None),
            ("shell", r#"{"command":["git","commit","-m","it's a b"]}"#, r"i: Bash git commit -m 'it'\''s a b'", None),
            ("shell", r#"{"command":["bash","-lc","echo $1","x","y"]}"#, "i: Bash bash -lc 'echo $1' x y", None),
            ("shell", r#"{"command":["bash","run.sh"]}"#, "i: Bash bash run.sh", None),
            ("container.exec", r#"{"command":["ls",""]}"#, "i: Bash ls ''", None),
            ("shell", r#"{"command":["pwsh.exe","-NoProfile","-Command","ls"]}"#, "i: PowerShell ls", None),
            ("shell", r#"{"command":"ls"}"#, "i: other", None),
            ("shell", r#"{"command":["ls",7]}"#, "i: other", None),
            ("shell", r#"{"command":[]}"#, "i: other", None),
            ("shell_command", r#"{"command":"npm test","workdir":""}"#, "i: Bash npm test", None),
            ("exec_command", r#"{"cmd":"npm test","workdir":"/w","yield_time_ms":10}"#, "i: Bash npm test", Some("/w")),
            ("exec_command", r#"{"cmd":"ls","shell":"C:\\x\\powershell.exe"}"#, "i: PowerShell ls", None),
            ("exec_command", "{\"cmd\":\"broken", "i: other", None),
            ("view_image", r#"{"path":"/w/a.png"}"#, "i: read /w/a.png", None),
            ("request_user_input", "{}", "i: ask", None),
            ("update_plan", r#"{"plan":[]}"#, "i: other", None),
            ("exec", r#"{"command":"ls"}"#, "i: other", None),
            ("mcp__x__shell", r#"{"command":["ls"]}"#, "i: other", None),
            ("apply_patch", r#"{"input":"*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"}"#, "i: write a", None),
            (
                "exec_command",
                r#"{"cmd":"cd sub && apply_patch <<'E'\n*** Begin Patch\n*** Add File: a\n+x\n*** End Patch\nE","workdir":"/w"}"#,
                "i: write a",
                Some("/w/sub"),
            ),
            ("shell", r#"{"command":["apply_patch","*** Begin Patch\n*** Delete File: a\n*** End Patch"]}"#, "i: edit a", None),
        ] {
            let asked = of_function("i", name, arguments);
            assert_eq!((brief(&asked), asked.workdir.as_deref()), (vec![expected.to_owned()], workdir), "{name} {arguments}");
        }
    }

    #[test]
    fn custom_tools() {
        let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n@@\n-x\n+y\n*** End Patch";
        assert_eq!(brief(&of_custom("i", "apply_patch", patch)), ["i#1: write a", "i#2: edit b"]);
        assert_eq!(brief(&of_custom("i", "apply_patch", "no patch")), ["i: other"]);
        let asked = of_custom("i", "exec", "text(await tools.exec_command({cmd: 'ls'}))");
        assert!(matches!(&asked.kind, Kind::Script(Some(only)) if only.command == "ls"), "{asked:?}");
    }

    #[test]
    fn folders_within_folders() {
        for (outer, inner, expected) in
            [("/w", "a", "/w/a"), ("/w/", "/x", "/x"), ("", "a", "a"), ("/w", "C:\\x", "C:\\x"), ("/w", "é", "/w/é")]
        {
            assert_eq!(join(outer, inner), expected);
        }
    }

    #[test]
    fn folders_as_addresses() {
        for (written, expected) in
            [("/w", "/w"), ("file:///w/a", "/w/a"), ("file:///w/a%20b%C3%A9%zz%2", "/w/a bé%zz%2"), ("file://host/w", "file://host/w")]
        {
            assert_eq!(folder(written), expected);
        }
    }
}
