//! What holds for every event of a rollout until a line says otherwise: the session, the folder, the branch.

use std::borrow::Cow;

use super::record::Item;
use crate::agent::codex::call::{folder, join};
use crate::agent::json::{self, Raw};
use crate::agent::transcript::place::Place;
use crate::session::event::{Action, Call};
use crate::shell::{EffectKind, GitAction};

#[derive(Debug, Default)]
pub(super) struct Stamp {
    /// The id of this file's session or subagent; empty before the line that says so.
    own: String,
    session: String,
    /// The subagent; empty for the main agent.
    pub(super) agent: String,
    cwd: String,
    branch: Option<String>,
}

impl Stamp {
    /// Takes in a line about the session. Those of other sessions are copies that a fork made.
    pub(super) fn meta(&mut self, item: &Item<'_>) {
        let id = text(item.id);
        if self.own.is_empty() {
            self.own = id.into_owned();
            self.session.clone_from(&self.own);
            if let Some(parent) = subagent_of(item) {
                self.agent.clone_from(&self.own);
                if !parent.is_empty() {
                    self.session = parent;
                }
            }
        } else if self.own != id {
            return;
        }
        self.folder(item);
        // Without a branch: no repository, or a detached head.
        self.branch = item.git.and_then(|git| field(git, "branch")).filter(|branch| !branch.is_empty());
    }

    /// Takes in the folder of a turn.
    pub(super) fn folder(&mut self, item: &Item<'_>) {
        let cwd = text(item.cwd);
        if !cwd.is_empty() {
            self.cwd = folder(&cwd).into_owned();
        }
    }

    /// Takes in the folder that the client tells the model of; where lines tell it too, those are right.
    pub(super) fn told_folder(&mut self, cwd: &str, is_bare: bool) {
        if !cwd.is_empty() && (is_bare || self.cwd.is_empty()) {
            cwd.clone_into(&mut self.cwd);
        }
    }

    /// Forgets the branch after a call that may have left it.
    pub(super) fn follow(&mut self, call: &Call<'_>) {
        if let Action::Shell { command, .. } = &call.action
            && command.contains("git")
            && call.effects().is_some_and(|effects| effects.list.iter().any(|effect| leaves(&effect.kind)))
        {
            self.branch = None;
        }
    }

    /// The folder of a call.
    pub(super) fn within(&self, workdir: Option<&str>) -> String {
        workdir.filter(|workdir| !workdir.is_empty()).map_or_else(|| self.cwd.clone(), |workdir| join(&self.cwd, workdir))
    }

    pub(super) fn place<'a>(&self, time: Option<Raw<'a>>, line: u32) -> Place<'a> {
        Place {
            session: Cow::Owned(self.session.clone()),
            agent: Cow::Owned(self.agent.clone()),
            cwd: Cow::Owned(self.cwd.clone()),
            branch: self.branch.clone().map(Cow::Owned),
            time: time.and_then(json::string).filter(|time| !time.is_empty()),
            line,
        }
    }
}

fn leaves(effect: &EffectKind) -> bool {
    matches!(effect, EffectKind::Git { action: GitAction::NewBranch | GitAction::Switch, .. })
}

/// The session that a subagent works for, which may be unknown; `None` for a main agent. Its `source` is
/// `{"subagent":{"thread_spawn":{"parent_thread_id":…}}}`, `{"subagent":"review"}`, or a word.
fn subagent_of(item: &Item<'_>) -> Option<String> {
    let (mut kind, mut parent) = (None, None);
    if let Some(source) = item.source {
        json::fields(source.bytes(), &mut |key, value| {
            if matches!(key, "subagent" | "sub_agent" | "subAgent") {
                kind = Some(value);
            }
        });
    }
    if let Some(kind) = kind {
        json::fields(kind.bytes(), &mut |_, value| parent = parent.take().or_else(|| field(value, "parent_thread_id")));
    }
    let is_subagent = kind.is_some() || text(item.thread_source) == "subagent";
    is_subagent.then(|| parent.unwrap_or_else(|| text(item.parent).into_owned()))
}

/// A field of an object, as text.
fn field(object: Raw<'_>, name: &str) -> Option<String> {
    let mut found = None;
    json::fields(object.bytes(), &mut |key, value| {
        if key == name {
            found = json::string(value).map(Cow::into_owned);
        }
    });
    found
}

pub(super) fn text(raw: Option<Raw<'_>>) -> Cow<'_, str> {
    raw.and_then(json::string).unwrap_or_default()
}
