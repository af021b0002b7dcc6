//! Facts that were seen when they happened and are kept only in the state file: the transcript does not
//! hold them, so a refold leaves them unknown.

use serde::{Deserialize, Serialize};

use super::kept::Kept;
use super::ledger::Origin;
use crate::fs::Identity;

/// What was seen when it happened, and kept only here.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Observed {
    /// Things that were said, by [`said_key`].
    pub said: Kept<Vec<u64>>,
    /// Contents of temporary files that were looked at.
    pub looks: Kept<Looks>,
    /// Calls that were let through and have not ended yet.
    pub open: Vec<OpenCall>,
    /// What subagents' ends had to say, for the end of the turn.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub deferred: Vec<Deferred>,
}

/// How many things wait to be said. Past it the oldest is never said.
pub(super) const MAX_DEFERRED: usize = 8;

/// What was to be said where nobody hears it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deferred {
    /// The rule.
    pub rule: String,
    /// What is to be said.
    pub text: String,
}

/// How many looked-at contents a session remembers. Past it the oldest is forgotten: a changed file must
/// then be looked at again.
const MAX_LOOKS: usize = 16;

/// Contents of temporary files that an agent has looked at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Looks(Vec<Look>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Look {
    path: String,
    agent: String,
    content: Identity,
}

impl Looks {
    /// Was this content looked at by `agent`?
    pub fn holds(&self, path: &str, agent: &str, content: &Identity) -> bool {
        self.0.iter().any(|look| look.path == path && look.agent == agent && look.content.same_content(content))
    }

    /// Was nothing looked at?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes that `agent` looked at this content.
    pub fn note(&mut self, path: &str, agent: &str, content: Identity) {
        self.0.retain(|old| old.path != path || old.agent != agent);
        push_bounded(&mut self.0, Look { path: path.to_owned(), agent: agent.to_owned(), content }, MAX_LOOKS);
    }

    /// Puts newer looks over these.
    pub fn absorb(&mut self, newer: Looks) {
        for look in newer.0 {
            self.note(&look.path, &look.agent, look.content);
        }
    }
}

/// A call that writes temporary paths and has not ended yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenCall {
    /// The call's id.
    pub id: String,
    /// The subagent; empty for the main agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// The directory it was started in: by its end the client may already name another.
    pub cwd: String,
    /// When it was let through, in milliseconds since 1970.
    pub at: u64,
    /// What it will write.
    pub writes: Vec<OpenWrite>,
}

/// A write that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenWrite {
    /// The path.
    pub path: String,
    /// Where the bytes will come from.
    pub origin: Origin,
    /// The content, before the call, of the file that it copies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Identity>,
}

/// Puts `item` at the end and drops from the front what is too much.
pub(super) fn push_bounded<T>(list: &mut Vec<T>, item: T, most: usize) {
    list.push(item);
    let over = list.len().saturating_sub(most);
    list.drain(..over);
}
