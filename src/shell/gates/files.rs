//! Where a project keeps its scripts: package.json, composer.json, makefiles, justfiles, mise.toml, Taskfiles.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::scripts::MAX_TEXT;

/// One script of a file.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// Names of scripts that run before it.
    pub(super) before: Vec<String>,
    /// Its lines.
    pub(super) text: String,
    /// Names of scripts that run behind it.
    pub(super) after: Vec<String>,
}

/// The scripts of a file.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    pub(super) entries: HashMap<String, Entry>,
    /// The one that runs when no name is given.
    pub(super) default: String,
}

impl Scripts {
    fn add(&mut self, name: &str, entry: Entry) {
        if self.default.is_empty() {
            name.clone_into(&mut self.default);
        }
        self.entries.insert(name.to_owned(), entry);
    }
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
pub(super) fn package_scripts(content: &str) -> Option<Scripts> {
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
pub(super) fn makefile_rules(content: &str) -> Scripts {
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
        for name in current.iter().filter(|name| !name.starts_with('.') || name.contains('/')) {
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
        if let Some(((_, value), after)) = name.and_then(|(name, after)| Some((variables.iter().find(|(known, _)| known == name)?, after)))
        {
            done.push_str(value);
            rest = after;
        } else {
            done.push('$');
            rest = &rest[1..];
        }
    }
    done.push_str(rest);
    done
}

/// Recipes of a justfile: `name params: dependencies`, and the lines that are indented.
pub(super) fn justfile_recipes(content: &str) -> Scripts {
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
pub(super) fn mise_tasks(content: &str) -> Option<Scripts> {
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
pub(super) fn taskfile_tasks(content: &str) -> Scripts {
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
            name.trim_matches(['"', '\'']).clone_into(&mut current);
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
