//! The facts of one session: a fold of its events, the same live, after a save and load anywhere between,
//! and from the transcript.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::{Deserialize, Serialize};

use super::event::Event;
use super::scope::Scope;
use super::temp_files::TempFiles;

/// What is known of one session. One part a file; a rule may read any of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// Fixed temporary paths that were written.
    pub temp_files: TempFiles,
}

impl Facts {
    /// Could this event change any fact? Cheap, and errs toward yes.
    pub fn concerned_by(event: &Event<'_>, scope: &Scope) -> bool {
        TempFiles::concerned_by(event, scope)
    }

    /// Takes in one event.
    pub fn fold(&mut self, event: &Event<'_>, scope: &Scope) {
        self.temp_files.fold(event, scope);
    }

    /// Puts older facts under these, as if they had been folded first.
    pub fn absorb_older(&mut self, older: Self) {
        self.temp_files.absorb_older(older.temp_files);
    }

    /// Forgets the oldest half of every part, to make room in the state file.
    pub fn shed(&mut self) {
        self.temp_files.shed();
    }
}
