//! Files that the session wrote: which sources, for gates that grow stale, and how many on which branch, since
//! the last commit there.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::event::{Action, Event, EventKind, Outcome};
use super::facts::Clock;
use super::observed::push_bounded;
use super::scope::{Place, Scope, is_at_or_below, is_inside};
use crate::shell::gates::Language;
use crate::shell::{EffectKind, GitAction};

/// How many source files a session remembers to have written. Past it the one written longest ago is forgotten:
/// it makes nothing stale any more.
const MAX_SOURCES: usize = 48;
/// How many files are counted on one branch. More are not told apart.
pub const MAX_COUNTED: usize = 256;
/// How many branches, of how many work trees, are counted. Past it the one written longest ago is forgotten.
const MAX_BRANCHES: usize = 6;
/// How many files one call is taken to write. What a command writes beyond that is not seen.
const MAX_WRITES: usize = 64;
/// Longest path that is kept, in bytes.
const MAX_PATH_BYTES: usize = 384;

/// A source file, and when it was written last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEdit {
    /// The file.
    pub path: String,
    /// The subagent that wrote it; empty for the main agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// When, by [`Clock::tick`].
    pub at: u32,
    /// Time stamp of the call, when the source had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Line of the transcript; 0 when seen live.
    #[serde(default)]
    pub at_line: u32,
}

/// What was written on one branch of one work tree since the last commit there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncommitted {
    /// Root of the work tree.
    pub root: String,
    /// The branch.
    pub branch: String,
    /// Which stretch without a commit this is, of those the session had.
    pub stretch: u32,
    /// The files, below the root, each once, the first one first.
    pub files: Vec<String>,
    /// The subagent that wrote the first of them; empty for the main agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub since_agent: String,
    /// Time stamp of the first write, when the source had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Line of the transcript of the first write; 0 when seen live.
    #[serde(default)]
    pub since_line: u32,
}

/// The files that a session wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Edits {
    sources: Vec<SourceEdit>,
    uncommitted: Vec<Uncommitted>,
    stretches: u32,
}

/// What an event changes of the edits.
#[derive(Debug)]
pub struct Change {
    /// Files were set back.
    takes_back: bool,
    /// As [`written`] tells.
    written: Vec<String>,
    /// As [`committed`] tells.
    committed: Vec<String>,
}

/// The files that a call that ended has written: absolute paths, none of them temporary.
pub fn written(event: &Event<'_>, scope: &Scope) -> Vec<String> {
    let EventKind::CallEnded { call, outcome } = &event.kind else { return Vec::new() };
    if !matches!(outcome, Outcome::Succeeded { .. }) {
        return Vec::new();
    }
    let place: Vec<Place> = match &call.action {
        Action::Write { path } | Action::Edit { path } => vec![scope.place_of_file(path, &event.cwd)],
        Action::Shell { .. } => {
            let paths = call.effect_list().iter().filter_map(|effect| match &effect.kind {
                EffectKind::Write { path, .. } if !path.glob && !path.folder => Some(path),
                _ => None,
            });
            paths.take(MAX_WRITES).map(|path| scope.place(path, &event.cwd)).collect()
        }
        _ => Vec::new(),
    };
    let absolute = |place| match place {
        Place::Elsewhere(path) if path.len() <= MAX_PATH_BYTES => Some(path),
        _ => None,
    };
    place.into_iter().filter_map(absolute).collect()
}

/// The folders of the repositories that a call that ended has committed to; an empty name where that cannot be known.
pub fn committed(event: &Event<'_>, scope: &Scope) -> Vec<String> {
    let EventKind::CallEnded { call, outcome } = &event.kind else { return Vec::new() };
    let asked = call.effect_list().iter().filter_map(|effect| match &effect.kind {
        EffectKind::Git { dir, action: GitAction::Commit } => Some(scope.place(dir, &event.cwd).into_path().unwrap_or_default()),
        _ => None,
    });
    let dirs: Vec<String> = asked.collect();
    if dirs.is_empty() {
        // A script or an alias committed, where the call stood.
        let elsewhere = matches!(outcome, Outcome::Succeeded { committed: true, .. });
        return if elsewhere { vec![event.cwd.to_string()] } else { Vec::new() };
    }
    let did = match outcome {
        Outcome::Succeeded { output, committed, .. } => *committed || tells_commit(output) || !says_no_commit(output),
        Outcome::Untold { output } => tells_commit(output) || !says_no_commit(output),
        Outcome::Failed { output, .. } => tells_commit(output),
        Outcome::NotRun(_) | Outcome::Launched { .. } => false,
    };
    if did { dirs } else { Vec::new() }
}

/// Does the call set files back? Which edits are left then is not known.
fn takes_back(event: &Event<'_>) -> bool {
    let EventKind::CallEnded { call, outcome: Outcome::Succeeded { .. } | Outcome::Untold { .. } } = &event.kind else { return false };
    call.effect_list().iter().any(|effect| matches!(effect.kind, EffectKind::Git { action: GitAction::Discard, .. }))
}

/// Does git say that there was nothing for it to commit?
fn says_no_commit(output: &str) -> bool {
    ["nothing to commit", "nothing added to commit", "no changes added to commit"].iter().any(|words| output.contains(words))
}

/// `[main 1a2b3c4] subject`, as `git commit` prints it.
fn tells_commit(output: &str) -> bool {
    output.lines().any(|line| {
        let Some((head, _)) = line.strip_prefix('[').and_then(|rest| rest.split_once("] ")) else { return false };
        let id = head.rsplit(' ').next().unwrap_or_default();
        head.contains(' ') && (7..=40).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

impl Edits {
    /// Could this event change these facts? Cheap, and errs toward yes.
    pub fn concerned_by(event: &Event<'_>) -> bool {
        match &event.kind {
            EventKind::CallEnded { call, outcome } => {
                matches!(outcome, Outcome::Succeeded { .. } | Outcome::Untold { .. } | Outcome::Failed { .. })
                    && matches!(call.action, Action::Write { .. } | Action::Edit { .. } | Action::Shell { .. })
            }
            // The end of a turn bears the stamp of the last words, which may be an older one.
            EventKind::TurnEnd { .. } | EventKind::AgentEnd { .. } => false,
            _ => event.branch.is_some(),
        }
    }

    /// Source files that were written, the one written last at the end.
    pub fn sources(&self) -> &[SourceEdit] {
        &self.sources
    }

    /// What was written on each branch since the last commit there.
    pub fn uncommitted(&self) -> &[Uncommitted] {
        &self.uncommitted
    }

    /// What an event changes of these facts, found out without a look at them; `None` where it is nothing.
    pub fn change(event: &Event<'_>, scope: &Scope) -> Option<Change> {
        if !Self::concerned_by(event) {
            return None;
        }
        let change = Change { takes_back: takes_back(event), written: written(event, scope), committed: committed(event, scope) };
        let may_leave = stamp(event).is_some() || !event.noted.trees.is_empty();
        (may_leave || change.takes_back || !change.written.is_empty() || !change.committed.is_empty()).then_some(change)
    }

    /// Takes in what an event changes.
    pub fn fold(&mut self, change: Change, event: &Event<'_>, scope: &Scope, clock: &mut Clock) {
        self.leave_branches(event, scope);
        if change.takes_back {
            self.sources.clear();
        }
        for path in change.written {
            if language_of(&path).is_some() {
                let edit = SourceEdit {
                    path: path.clone(),
                    agent: event.agent.to_string(),
                    at: clock.advance(),
                    time: event.time.as_deref().map(str::to_owned),
                    at_line: event.line,
                };
                self.note_source(edit);
            }
            self.count(&path, event, scope);
        }
        for dir in change.committed {
            let root = tree_of(&dir, event, scope).map(|tree| tree.root.into_owned());
            self.uncommitted.retain(|kept| !dir.is_empty() && root.as_ref() != Some(&kept.root));
        }
    }

    fn note_source(&mut self, edit: SourceEdit) {
        self.sources.retain(|old| old.path != edit.path);
        push_bounded(&mut self.sources, edit, MAX_SOURCES);
    }

    /// A work tree that is on another branch now has left what was written before.
    fn leave_branches(&mut self, event: &Event<'_>, scope: &Scope) {
        if self.uncommitted.is_empty() {
            return;
        }
        let left = |kept: &Uncommitted, root: &str, branch: &str| kept.root == root && !branch.is_empty() && kept.branch != branch;
        for tree in &event.noted.trees {
            self.uncommitted.retain(|kept| !left(kept, &tree.root, &tree.branch));
        }
        if let (Some(stamp), Some(own)) = (stamp(event), scope.own_tree()) {
            self.uncommitted.retain(|kept| !left(kept, own, stamp));
        }
    }

    fn count(&mut self, path: &str, event: &Event<'_>, scope: &Scope) {
        let in_home = |folder: &str| !scope.home.is_empty() && is_inside(path, &format!("{}/{folder}", scope.home));
        if in_home(".claude") || in_home(".codex") {
            return;
        }
        let Some(tree) = tree_of(path, event, scope).filter(|tree| !tree.branch.is_empty()) else { return };
        let Some(file) = path.strip_prefix(tree.root.as_ref()).map(|file| file.trim_start_matches('/')) else { return };
        if file.is_empty() || file.starts_with(".git/") {
            return;
        }
        let known = self.uncommitted.iter().position(|kept| kept.root == tree.root && kept.branch == tree.branch);
        let mut kept = if let Some(at) = known {
            self.uncommitted.remove(at)
        } else {
            self.stretches += 1;
            Uncommitted {
                root: tree.root.into_owned(),
                branch: tree.branch.into_owned(),
                stretch: self.stretches,
                files: Vec::new(),
                since_agent: event.agent.to_string(),
                since: event.time.as_deref().map(str::to_owned),
                since_line: event.line,
            }
        };
        if kept.files.len() < MAX_COUNTED && !kept.files.iter().any(|known| known == file) {
            kept.files.push(file.to_owned());
        }
        push_bounded(&mut self.uncommitted, kept, MAX_BRANCHES);
    }

    /// Forgets the oldest half, to make room in the state file.
    pub fn shed(&mut self) {
        self.sources.drain(..self.sources.len().div_ceil(2));
        self.uncommitted.drain(..self.uncommitted.len().div_ceil(2));
    }
}

/// The work tree that a path lies in, and the branch it was on.
struct Tree<'a> {
    root: Cow<'a, str>,
    branch: Cow<'a, str>,
}

/// What was seen of the file's own work tree; else, for the work tree of the record, its stamp.
fn tree_of<'a>(path: &str, event: &'a Event<'_>, scope: &'a Scope) -> Option<Tree<'a>> {
    let around = event.noted.trees.iter().filter(|tree| is_at_or_below(path, &tree.root));
    if let Some(tree) = around.max_by_key(|tree| tree.root.len()) {
        return Some(Tree { root: tree.root.as_str().into(), branch: tree.branch.as_str().into() });
    }
    let (stamp, own) = (stamp(event)?, scope.own_tree()?);
    scope.in_own_tree(path).then(|| Tree { root: own.into(), branch: stamp.into() })
}

/// The branch that the record was stamped with. A detached head is stamped `HEAD`.
fn stamp<'a>(event: &'a Event<'_>) -> Option<&'a str> {
    event.branch.as_deref().filter(|branch| !branch.is_empty() && *branch != "HEAD")
}

/// The language of a source file, by its name; `None` for what no gate looks at.
pub fn language_of(path: &str) -> Option<Language> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    Some(match extension {
        "rs" => Language::Rust,
        "go" => Language::Go,
        "py" | "pyi" | "pyx" | "ipynb" => Language::Python,
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" | "astro" => Language::JavaScript,
        "rb" | "rake" | "erb" => Language::Ruby,
        "php" => Language::Php,
        "java" | "kt" | "kts" | "scala" | "groovy" => Language::Jvm,
        "cs" | "fs" | "vb" | "razor" => Language::DotNet,
        "swift" | "m" | "mm" => Language::Swift,
        "ex" | "exs" | "erl" | "heex" => Language::Elixir,
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" => Language::C,
        "sh" | "bash" | "zsh" | "bats" => Language::Shell,
        "sol" => Language::Solidity,
        "css" | "scss" | "sass" | "less" => Language::Css,
        "dart" | "zig" | "hs" | "lua" | "pl" | "pm" | "ml" | "nim" | "jl" | "r" | "gleam" | "elm" | "clj" | "cljs" | "tf" => Language::Any,
        _ => return None,
    })
}
