//! The facts of one session: a fold of its events, the same live, after a save and load anywhere between,
//! and from the transcript.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::{Deserialize, Serialize};

use super::edits::Edits;
use super::event::{Event, EventKind};
use super::gates::GateRuns;
use super::kept::Kept;
use super::repeats::Repeats;
use super::scope::Scope;
use super::temp_files::TempFiles;

/// What is known of one session. One part a file; a rule may read any of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    /// What puts gate runs and edits in order.
    pub clock: Clock,
    /// Fixed temporary paths that were written.
    pub temp_files: Kept<TempFiles>,
    /// Runs of quality gates.
    pub gates: Kept<GateRuns>,
    /// Files that were written.
    pub edits: Kept<Edits>,
    /// What each agent ran last.
    pub repeats: Kept<Repeats>,
}

/// Counts what has to be put in order. No clock on the wall: a transcript read later counts the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    tick: u32,
    turn: u32,
}

impl Clock {
    /// The next moment.
    pub fn advance(&mut self) -> u32 {
        self.tick += 1;
        self.tick
    }

    /// How many moments there were.
    pub fn tick(&self) -> u32 {
        self.tick
    }

    /// How many prompts there were.
    pub fn turn(&self) -> u32 {
        self.turn
    }
}

impl Facts {
    /// Could this event change any fact? Cheap, and errs toward yes.
    pub fn concerned_by(event: &Event<'_>, scope: &Scope) -> bool {
        is_prompt(event)
            || TempFiles::concerned_by(event, scope)
            || GateRuns::concerned_by(event)
            || Edits::concerned_by(event)
            || Repeats::concerned_by(event)
    }

    /// Takes in one event.
    pub fn fold(&mut self, event: &Event<'_>, scope: &Scope) {
        if is_prompt(event) {
            self.clock.turn += 1;
        }
        // Only what an event changes is looked at: the rest stays as it was read.
        if TempFiles::concerned_by(event, scope) {
            self.temp_files.fold(event, scope);
        }
        // What a command wrote before it ran a gate is what the gate saw.
        if let Some(change) = Edits::change(event, scope) {
            self.edits.fold(change, event, scope, &mut self.clock);
        }
        if GateRuns::changed_by(event) {
            self.gates.fold(event, scope, &mut self.clock);
        }
        if Repeats::concerned_by(event) {
            self.repeats.fold(event);
        }
    }

    /// Forgets the oldest half of every part, to make room in the state file.
    pub fn shed(&mut self) {
        self.temp_files.shed();
        self.gates.shed();
        self.edits.shed();
        self.repeats.shed();
    }
}

fn is_prompt(event: &Event<'_>) -> bool {
    matches!(event.kind, EventKind::Prompt { by_person: true, .. })
}
