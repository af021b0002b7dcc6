//! The text of a project's script: where it stands in its file, and which gates it runs.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Found, Gates, Language, Script, ScriptFile, find, gates};
use crate::shell::{Dialect, Path, effects};

/// Scripts inside scripts are followed this far.
const MAX_DEPTH: usize = 4;
/// Longest text of a script, in bytes.
const MAX_TEXT: usize = 16 * 1024;
/// Longest file that is looked into, in bytes.
const MAX_FILE: usize = 1024 * 1024;

/// What the text of a script runs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptGates {
    /// The classes.
    pub gates: Gates,
    /// It may check more than that.
    pub superset: bool,
    /// What a pass of it shows besides.
    pub implies: Gates,
    /// The program that prints the summary; empty when there are several, or none is known.
    pub runner: &'static str,
    /// The sources it looks at; any when there are several.
    pub language: Language,
    /// It prints something whenever it runs.
    pub always_prints: bool,
}

/// Which gates the text of a script runs; nothing where none is known.
pub fn of_script(text: &str) -> ScriptGates {
    let mut found = ScriptGates::default();
    for (at, run) in gates(&effects(text, Dialect::Bash)).into_iter().enumerate() {
        found.gates = found.gates.with(run.gates);
        found.superset |= run.superset;
        found.implies = found.implies.with(run.implies);
        found.always_prints |= run.always_prints && run.shown == super::Shown::Whole && at == 0;
        (found.runner, found.language) = match at {
            0 => (run.runner, run.language),
            _ => (
                if found.runner == run.runner { run.runner } else { "" },
                if found.language == run.language { run.language } else { Language::Any },
            ),
        };
    }
    found.implies = found.implies.without(found.gates);
    found
}

/// `concurrently 'npm:test' 'eslint .'`
pub(super) fn concurrently(args: &[Option<String>], dir: &Path) -> Option<Found> {
    let mut found = Found { language: Language::JavaScript, dir: dir.clone(), ..Found::default() };
    for text in args.iter().flatten().filter(|text| !text.starts_with('-') && !text.starts_with("concurrently")) {
        let inner = match text.strip_prefix("npm:") {
            Some(name) => of_script(&format!("npm run {name}")),
            None => of_script(text),
        };
        found.gates = found.gates.with(inner.gates);
        found.superset |= inner.superset;
        found.implies = found.implies.with(inner.implies);
    }
    (!found.gates.is_empty() || found.superset).then_some(found)
}

/// The text of the script `name` in `content`, with the scripts it calls put in its place; `None` where it is
/// not there.
///
/// ```
/// use turnstop::shell::gates::{ScriptFile, script_text};
///
/// let content = r#"{"scripts": {"test": "npm run unit && eslint .", "unit": "vitest run"}}"#;
/// let text = script_text(ScriptFile::PackageJson, content, "test");
/// assert_eq!(text.as_deref(), Some("( vitest run ) && eslint ."));
/// ```
pub fn script_text(file: ScriptFile, content: &str, name: &str) -> Option<String> {
    if content.len() > MAX_FILE {
        return None;
    }
    let scripts = match file {
        ScriptFile::PackageJson => package_scripts(content)?,
        ScriptFile::Makefile => makefile_rules(content),
        ScriptFile::Justfile => justfile_recipes(content),
        ScriptFile::Tasks => mise_tasks(content).unwrap_or_else(|| taskfile_tasks(content)),
    };
    let name = if name.is_empty() { scripts.default.as_str() } else { name };
    let text = Expansion { file, scripts: &scripts, seen: HashSet::new(), room: MAX_TEXT }.text_of(name, 0)?;
    (!text.trim().is_empty()).then_some(text)
}

/// One script of a file.
#[derive(Debug, Default)]
struct Entry {
    /// Names of scripts that run before it.
    before: Vec<String>,
    /// Its lines.
    text: String,
    /// Names of scripts that run behind it.
    after: Vec<String>,
}

/// The scripts of a file.
#[derive(Debug, Default)]
struct Scripts {
    entries: HashMap<String, Entry>,
    /// The one that runs when no name is given.
    default: String,
}

impl Scripts {
    fn add(&mut self, name: &str, entry: Entry) {
        if self.default.is_empty() {
            name.clone_into(&mut self.default);
        }
        self.entries.insert(name.to_owned(), entry);
    }
}

/// The expansion of one script.
struct Expansion<'a> {
    file: ScriptFile,
    scripts: &'a Scripts,
    /// Scripts whose text is already in it: what runs once more adds nothing.
    seen: HashSet<&'a str>,
    /// Bytes that may still be added.
    room: usize,
}

impl<'a> Expansion<'a> {
    /// The text of a script with what it calls put in its place; `None` where it is not there.
    fn text_of(&mut self, name: &str, depth: usize) -> Option<String> {
        let (name, entry) = self.scripts.entries.get_key_value(name).filter(|_| depth <= MAX_DEPTH)?;
        if !self.seen.insert(name) {
            return Some(":".to_owned());
        }
        let beside = |expansion: &mut Self, others: &'a [String]| -> Vec<String> {
            others.iter().filter_map(|other| expansion.text_of(other, depth + 1)).collect()
        };
        let mut parts = beside(self, &entry.before);
        parts.push(self.followed(&entry.text, depth));
        parts.extend(beside(self, &entry.after));
        parts.retain(|part| !matches!(part.trim(), "" | ":"));
        Some(parts.join("\n"))
    }

    /// The text with each call of a script of the same file replaced by that script's text.
    fn followed(&mut self, text: &str, depth: usize) -> String {
        let mut done = String::new();
        for (piece, joint) in pieces(text) {
            if self.room < piece.len() + joint.len() {
                break;
            }
            self.room -= piece.len() + joint.len();
            let call = if depth < MAX_DEPTH { called(self.file, piece) } else { None };
            let inner = call.and_then(|script| self.text_of(&script.name, depth + 1));
            match inner {
                Some(inner) if inner.is_empty() => done.push(':'),
                Some(inner) => {
                    let lead = &piece[..piece.len() - piece.trim_start().len()];
                    let trail = &piece[piece.trim_end().len()..];
                    done.extend([lead, "( ", &inner, " )", trail]);
                }
                None => done.push_str(piece),
            }
            done.push_str(joint);
        }
        done
    }
}

/// The script of the same file that a single command calls.
fn called(file: ScriptFile, piece: &str) -> Option<Script> {
    let piece = piece.trim();
    if file == ScriptFile::PackageJson
        && let Some(name) = piece.strip_prefix('@').filter(|name| !name.contains(' '))
    {
        return Some(Script { file, name: name.to_owned() });
    }
    // Nothing else calls a script, and parsing is not free.
    if !["npm", "yarn", "pnpm", "bun", "composer", "make", "just", "mise", "task"].iter().any(|tool| piece.contains(tool)) {
        return None;
    }
    let found = effects(piece, Dialect::Bash);
    let [command] = found.commands.as_slice() else { return None };
    let run = find::of_program(&command.program, &command.args, &command.dir)?;
    run.script.filter(|script| script.file == file && run.dir == command.dir && run.narrow.is_empty())
}

/// Splits a text at `&&`, `||`, `;`, `|`, `&` and newlines outside quotes: each piece with the joint behind it.
fn pieces(text: &str) -> Vec<(&str, &str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    let mut quote = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'"' | b'\'' if quote == 0 => quote = byte,
            _ if byte == quote => quote = 0,
            b'&' if quote == 0 && at > 0 && bytes[at - 1] == b'>' => {}
            b'&' | b'|' | b';' | b'\n' | b'(' | b')' if quote == 0 => {
                let end = at + 1 + usize::from(bytes.get(at + 1) == Some(&byte) && matches!(byte, b'&' | b'|'));
                found.push((&text[start..at], &text[at..end]));
                (start, at) = (end, end);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found.push((&text[start..], ""));
    found
}

/// A script's value: one text, several, or something else.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    One(String),
    Many(Vec<String>),
    Other(IgnoredAny),
}

impl Value {
    fn text(self) -> String {
        match self {
            Value::One(text) => text,
            Value::Many(texts) => texts.join("\n"),
            Value::Other(_) => String::new(),
        }
    }
}

/// `scripts` of package.json and composer.json, with `pre…` and `post…` beside their script.
fn package_scripts(content: &str) -> Option<Scripts> {
    #[derive(Deserialize)]
    struct Package {
        #[serde(default)]
        scripts: HashMap<String, Value>,
    }
    let package: Package = serde_json::from_str(content.trim_start_matches('\u{feff}')).ok()?;
    let texts: HashMap<String, String> = package.scripts.into_iter().map(|(name, value)| (name, value.text())).collect();
    let mut scripts = Scripts::default();
    for (name, text) in &texts {
        let beside = |lead: &str| Some(format!("{lead}{name}")).filter(|name| texts.contains_key(name)).into_iter().collect();
        scripts.add(name, Entry { before: beside("pre"), text: text.clone(), after: beside("post") });
    }
    scripts.default.clear();
    Some(scripts)
}

/// The lines of a text, where a `\` at the end joins the next one.
fn joined_lines(content: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for line in content.lines() {
        let (text, continues) = line.strip_suffix('\\').map_or((line, false), |text| (text, true));
        match lines.last_mut().filter(|_| open) {
            Some(last) => {
                last.push(' ');
                last.push_str(text.trim_start());
            }
            None => lines.push(text.to_owned()),
        }
        open = continues;
    }
    lines
}

/// Rules of a makefile: `names: prerequisites`, and the lines that begin with a tab.
fn makefile_rules(content: &str) -> Scripts {
    let mut scripts = Scripts::default();
    let mut variables: Vec<(String, String)> = vec![("MAKE".to_owned(), "make".to_owned())];
    let mut current: Vec<String> = Vec::new();
    for line in joined_lines(content) {
        if let Some(recipe) = line.strip_prefix('\t') {
            let command = expand(recipe.trim_start().trim_start_matches(['@', '-', '+']), &variables);
            for name in &current {
                if let Some(entry) = scripts.entries.get_mut(name).filter(|entry| entry.text.len() < MAX_TEXT) {
                    entry.text.push_str(&command);
                    entry.text.push('\n');
                }
            }
            continue;
        }
        let line = line.split(" #").next().unwrap_or("");
        if line.trim().is_empty() || line.starts_with(['#', ' ']) {
            continue;
        }
        if let Some((name, value)) = assigned(line) {
            if variables.len() < 256 {
                let value = expand(value, &variables);
                variables.retain(|(known, _)| known != name);
                variables.push((name.to_owned(), value));
            }
            continue;
        }
        let Some((names, rest)) = line.split_once(':') else { continue };
        let (before, inline) = rest.trim_start_matches(':').split_once(';').unwrap_or((rest.trim_start_matches(':'), ""));
        current = expand(names, &variables).split_whitespace().map(str::to_owned).collect();
        let before: Vec<String> = expand(before, &variables).split_whitespace().map(str::to_owned).collect();
        for name in current.iter().filter(|name| !(name.starts_with('.') && !name.contains('/'))) {
            if scripts.entries.len() < 1024 && !scripts.entries.contains_key(name) {
                scripts.add(name, Entry::default());
            }
            if let Some(entry) = scripts.entries.get_mut(name) {
                entry.before.extend(before.iter().take(32).cloned());
                if !inline.trim().is_empty() {
                    entry.text.push_str(&expand(inline.trim(), &variables));
                    entry.text.push('\n');
                }
            }
        }
    }
    scripts
}

/// `NAME = value`, also `:=`, `?=`, `+=`.
fn assigned(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_start_matches("export ").trim_end_matches([':', '?', '+', '!']).trim();
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    plain.then_some((name, value.trim()))
}

/// Puts in `$(NAME)` and `${NAME}`; what is not known stays, so that the shell's parser finds it unknown.
fn expand(text: &str, variables: &[(String, String)]) -> String {
    let mut done = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        done.push_str(&rest[..at]);
        rest = &rest[at..];
        if done.len() > MAX_TEXT {
            return done;
        }
        if let Some(after) = rest.strip_prefix("$$") {
            done.push('$');
            rest = after;
            continue;
        }
        let close = if rest.starts_with("$(") { ')' } else { '}' };
        let name = if rest.starts_with("$(") || rest.starts_with("${") { rest[2..].split_once(close) } else { None };
        match name.and_then(|(name, after)| Some((variables.iter().find(|(known, _)| known == name)?, after))) {
            Some(((_, value), after)) => {
                done.push_str(value);
                rest = after;
            }
            None => {
                done.push('$');
                rest = &rest[1..];
            }
        }
    }
    done.push_str(rest);
    done
}

/// Recipes of a justfile: `name params: dependencies`, and the lines that are indented.
fn justfile_recipes(content: &str) -> Scripts {
    let mut scripts = Scripts::default();
    let mut current = String::new();
    for line in joined_lines(content) {
        if line.starts_with([' ', '\t']) {
            if let Some(entry) = scripts.entries.get_mut(&current).filter(|entry| entry.text.len() < MAX_TEXT) {
                entry.text.push_str(line.trim().trim_start_matches(['@', '-']));
                entry.text.push('\n');
            }
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        current.clear();
        let head = line.trim_start_matches('@');
        let Some((names, rest)) = head.split_once(':') else { continue };
        if head.starts_with(['#', '[']) || rest.starts_with('=') {
            continue;
        }
        let Some(name) = names.split_whitespace().next() else { continue };
        if matches!(name, "alias" | "set" | "export" | "import" | "mod") || scripts.entries.len() >= 1024 {
            continue;
        }
        let rest = rest.split(" #").next().unwrap_or("");
        let (before, after) = rest.split_once("&&").unwrap_or((rest, ""));
        let entry = Entry { before: dependencies(before), text: String::new(), after: dependencies(after) };
        name.clone_into(&mut current);
        scripts.add(name, entry);
    }
    scripts
}

/// `a (b "x") c`: the names.
fn dependencies(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut inside = false;
    for word in text.split_whitespace().take(32) {
        let opens = word.starts_with('(');
        if !inside {
            names.push(word.trim_matches(['(', ')']).to_owned());
        }
        inside = (inside || opens) && !word.ends_with(')');
    }
    names
}

/// `[tasks.x]` of mise.toml; `None` where it is no TOML.
fn mise_tasks(content: &str) -> Option<Scripts> {
    #[derive(Deserialize)]
    struct Mise {
        #[serde(default)]
        tasks: HashMap<String, Task>,
    }
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Task {
        One(String),
        Many(Vec<String>),
        Table { run: Option<Value>, depends: Option<Value>, depends_post: Option<Value> },
    }
    let file: Mise = toml::from_str(content).ok()?;
    let names = |value: Option<Value>| match value {
        Some(Value::One(name)) => vec![name],
        Some(Value::Many(names)) => names,
        _ => Vec::new(),
    };
    let mut scripts = Scripts::default();
    for (name, task) in file.tasks {
        let entry = match task {
            Task::Table { run, depends, depends_post } => {
                Entry { before: names(depends), text: run.map(Value::text).unwrap_or_default(), after: names(depends_post) }
            }
            Task::One(text) => Entry { text, ..Entry::default() },
            Task::Many(texts) => Entry { text: texts.join("\n"), ..Entry::default() },
        };
        scripts.add(&name, entry);
    }
    scripts.default.clear();
    Some(scripts)
}

/// `tasks:` of a Taskfile, as far as its usual layout goes.
fn taskfile_tasks(content: &str) -> Scripts {
    let mut scripts = Scripts::default();
    let mut tasks_at: Option<usize> = None;
    let mut task_indent = 0;
    let mut current = String::new();
    let mut key = String::new();
    for line in content.lines() {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        if indent == 0 {
            tasks_at = (text == "tasks:").then_some(0);
            task_indent = 0;
            continue;
        }
        if tasks_at.is_none() {
            continue;
        }
        if task_indent == 0 {
            task_indent = indent;
        }
        if indent == task_indent {
            let Some((name, rest)) = text.rsplit_once(':').filter(|(_, rest)| rest.is_empty()).or_else(|| text.split_once(": ")) else {
                continue;
            };
            current = name.trim_matches(['"', '\'']).to_owned();
            key.clear();
            scripts.add(&current, Entry { text: line_of(rest), ..Entry::default() });
            continue;
        }
        let Some(entry) = scripts.entries.get_mut(&current).filter(|entry| entry.text.len() < MAX_TEXT) else { continue };
        let (item, text) = text.strip_prefix("- ").map_or((false, text), |text| (true, text));
        if let Some((name, value)) = text.split_once(':').filter(|_| !item) {
            name.clone_into(&mut key);
            match name {
                "cmd" | "cmds" => entry.text.push_str(&line_of(value)),
                "deps" => entry.before.extend(value.trim().trim_matches(['[', ']']).split(',').map(|name| unquoted(name).to_owned())),
                _ => {}
            }
        } else if let Some(task) = text.strip_prefix("task:") {
            if key == "deps" {
                entry.before.push(unquoted(task).to_owned());
            } else {
                entry.after.push(unquoted(task).to_owned());
            }
        } else if key == "deps" {
            entry.before.push(unquoted(text).to_owned());
        } else if key == "cmds" || key == "cmd" {
            entry.text.push_str(&line_of(text.strip_prefix("cmd:").unwrap_or(text)));
        }
    }
    let default = if scripts.entries.contains_key("default") { "default" } else { "" };
    default.clone_into(&mut scripts.default);
    scripts
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}

/// A command's text as a line of its own; marks of a block of text are none.
fn line_of(text: &str) -> String {
    let text = text.trim();
    let quoted = text.len() > 1 && text.starts_with(['"', '\'']) && text.ends_with(text.chars().next().unwrap_or('"'));
    let text = if quoted { unquoted(text) } else { text };
    if text.is_empty() || matches!(text, "|" | ">" | "|-" | ">-") { String::new() } else { format!("{text}\n") }
}
