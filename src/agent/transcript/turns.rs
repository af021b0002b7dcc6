//! The last words of each agent in a file, so that a turn's end can be told when it is known to be one.

use std::mem;

use super::place::Place;
use crate::session::event::{Event, EventKind};

/// How many agents are followed in one file. Since 2.1.209 a file has one.
const MAX_AGENTS: usize = 64;

#[derive(Debug, Default)]
pub(in crate::agent) struct Turns(Vec<(String, Turn)>);

/// The turn an agent is in.
#[derive(Debug)]
pub(in crate::agent) struct Turn {
    /// The text of the last message that had one.
    text: String,
    message_id: String,
    /// Where the agent spoke last; else where it acted last.
    place: Option<Place<'static>>,
    continued: bool,
    /// The agent spoke and did nothing since: it may be waiting for somebody.
    pub(in crate::agent) settled: bool,
}

impl Default for Turn {
    fn default() -> Self {
        Turn { text: String::new(), message_id: String::new(), place: None, continued: false, settled: true }
    }
}

impl Turns {
    /// The turn of this agent. Beyond the limit the one that came last is forgotten for it.
    pub(in crate::agent) fn of(&mut self, agent: &str) -> &mut Turn {
        let at = self.0.iter().position(|(name, _)| name == agent).unwrap_or_else(|| {
            self.0.truncate(MAX_AGENTS - 1);
            self.0.push((agent.to_owned(), Turn::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }

    /// Ends every turn.
    pub(in crate::agent) fn end_all(&mut self) -> Vec<Event<'static>> {
        self.0.iter_mut().filter_map(|(_, turn)| turn.end(false)).collect()
    }
}

impl Turn {
    /// The agent said something. A message may be spread over lines, one block each, with one id.
    pub(in crate::agent) fn say(&mut self, text: &str, message_id: &str, place: &Place<'_>) {
        if text.trim().is_empty() {
            return;
        }
        self.settled = true;
        if message_id.is_empty() || message_id != self.message_id {
            self.text.clear();
            message_id.clone_into(&mut self.message_id);
        } else if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
        self.place = Some(place.clone().into_owned());
    }

    /// What the agent said last was not its last word.
    pub(in crate::agent) fn unsay(&mut self) {
        self.text.clear();
        self.message_id.clear();
    }

    /// The agent did something.
    pub(in crate::agent) fn act(&mut self, place: &Place<'_>) {
        self.settled = false;
        if self.text.is_empty() {
            self.place = Some(place.clone().into_owned());
        }
    }

    /// Ends the turn: the event, unless the agent neither said nor did anything in it. `goes_on` when a stop hook made the
    /// agent continue.
    pub(in crate::agent) fn end(&mut self, goes_on: bool) -> Option<Event<'static>> {
        let turn = mem::replace(self, Turn { continued: goes_on, ..Turn::default() });
        let place = turn.place?;
        let message = turn.text.into();
        Some(place.event(if place.agent.is_empty() {
            // A transcript does not tell what still runs.
            EventKind::TurnEnd { message, continued: turn.continued, background: false }
        } else {
            EventKind::AgentEnd { message }
        }))
    }

    /// Forgets the turn: it was broken off, and what was said last was not meant to be.
    pub(in crate::agent) fn abandon(&mut self) {
        *self = Turn::default();
    }
}
