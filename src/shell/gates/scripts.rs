//! The text of a project's script, with the scripts it calls put in, and which gates it runs.

use std::collections::HashSet;

use super::files::{Scripts, justfile_recipes, makefile_rules, mise_tasks, package_scripts, taskfile_tasks};
use super::{Found, Gates, Language, Script, ScriptFile, find, gates};
use crate::shell::{Dialect, Path, effects};

/// Scripts inside scripts are followed this far.
const MAX_DEPTH: usize = 4;
/// Longest text of a script, in bytes.
pub(super) const MAX_TEXT: usize = 16 * 1024;
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
    run.script.filter(|script| script.file == file && run.dir == command.dir && (run.narrow.is_empty() || run.narrow == script.name))
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
