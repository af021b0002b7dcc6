//! What is seen of the outside when a call has ended, and is told with its event: no transcript holds it.

use std::path::Path;

use super::git::{self, Head};
use crate::fs::read_regular;
use crate::session::edits;
use crate::session::event::{Event, EventKind, Noted, Outcome, ScriptNote, TreeNote};
use crate::session::scope::{Scope, is_at_or_below};
use crate::shell::gates::{self, GateRun, ScriptFile};
use crate::text;

/// Largest file of scripts that is read, in bytes.
const MAX_SCRIPTS_BYTES: u64 = 512 << 10;
/// Longest text of a script that is kept, in bytes.
const MAX_SCRIPT_BYTES: usize = 1 << 10;
/// How many folders upward a file of scripts is looked for.
const MAX_FOLDERS: usize = 16;

/// What is seen now of the outside that the event touched.
pub fn note(event: &Event<'_>, scope: &Scope) -> Noted {
    match &event.kind {
        EventKind::CallEnded { outcome: Outcome::NotRun(_), .. } => Noted::default(),
        EventKind::CallEnded { .. } => Noted { trees: trees(event, scope), scripts: scripts(event, scope) },
        _ => Noted::default(),
    }
}

/// The work trees of what was written and committed to.
fn trees(event: &Event<'_>, scope: &Scope) -> Vec<TreeNote> {
    let mut trees: Vec<TreeNote> = Vec::new();
    for path in edits::written(event, scope).iter().chain(&edits::committed(event, scope)) {
        let Some(root) = git::root(Path::new(path)) else { continue };
        let Some(root_text) = root.to_str() else { continue };
        if trees.iter().any(|tree| tree.root == root_text) {
            continue;
        }
        let branch = match git::head(root) {
            Some(Head::Branch(branch)) => branch,
            Some(Head::Detached) | None => String::new(),
        };
        trees.push(TreeNote { root: root_text.to_owned(), branch });
    }
    trees
}

/// The texts of the scripts that ran gates.
fn scripts(event: &Event<'_>, scope: &Scope) -> Vec<ScriptNote> {
    let EventKind::CallEnded { call, .. } = &event.kind else { return Vec::new() };
    call.gates().iter().filter_map(|run| script(run, &event.cwd, scope)).collect()
}

/// The text of the script that a run goes by.
fn script(run: &GateRun, cwd: &str, scope: &Scope) -> Option<ScriptNote> {
    let script = run.script.as_ref().filter(|_| !run.remote)?;
    let dir = scope.place(&run.dir, cwd).into_path()?;
    // A package without a file of its own is run by the one around it; nothing outside the project is asked.
    let inside = |folder: &&Path| folder.to_str().is_some_and(|folder| is_at_or_below(folder, &scope.project) || folder == dir);
    for folder in Path::new(&dir).ancestors().take(MAX_FOLDERS).take_while(inside) {
        for name in files(script.file) {
            let Ok(content) = read_regular(&folder.join(name), MAX_SCRIPTS_BYTES) else { continue };
            let content = String::from_utf8_lossy(&content);
            if let Some(text) = gates::script_text(script.file, &content, &script.name) {
                let text = text::head(&text, MAX_SCRIPT_BYTES).to_owned();
                return Some(ScriptNote { command: run.command, text, dir: folder.to_str().unwrap_or_default().to_owned() });
            }
        }
    }
    None
}

/// The names under which a file of scripts may stand.
fn files(file: ScriptFile) -> &'static [&'static str] {
    match file {
        ScriptFile::PackageJson => &["package.json", "composer.json"],
        ScriptFile::Makefile => &["GNUmakefile", "makefile", "Makefile"],
        ScriptFile::Justfile => &["justfile", "Justfile", ".justfile"],
        ScriptFile::Tasks => &["mise.toml", ".mise.toml", "Taskfile.yml", "Taskfile.yaml"],
    }
}
