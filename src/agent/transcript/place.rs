//! Where and when something happened.

use std::borrow::Cow;

use crate::session::event::{Event, EventKind, Noted};

/// Where and when something happened: an [`Event`] without its kind.
#[derive(Debug, Clone)]
pub(in crate::agent) struct Place<'a> {
    pub(in crate::agent) session: Cow<'a, str>,
    pub(in crate::agent) agent: Cow<'a, str>,
    pub(in crate::agent) cwd: Cow<'a, str>,
    pub(in crate::agent) branch: Option<Cow<'a, str>>,
    pub(in crate::agent) time: Option<Cow<'a, str>>,
    pub(in crate::agent) line: u32,
}

impl<'a> Place<'a> {
    pub(in crate::agent) fn event(&self, kind: EventKind<'a>) -> Event<'a> {
        let Place { session, agent, cwd, branch, time, line } = self.clone();
        Event { session, agent, cwd, branch, time, line, kind, noted: Noted::default() }
    }

    pub(in crate::agent) fn into_owned(self) -> Place<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Place {
            session: owned(self.session),
            agent: owned(self.agent),
            cwd: owned(self.cwd),
            branch: self.branch.map(owned),
            time: self.time.map(owned),
            line: self.line,
        }
    }
}
