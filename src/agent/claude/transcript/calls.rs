//! Joins results to calls by id.

use std::collections::{HashMap, VecDeque};

use crate::session::event::Call;

/// How many calls are remembered. The result of an older one comes without its action, and a second
/// result of an older one is not noticed.
const MAX_CALLS: usize = 4096;

/// The calls of a session, those that ended among them.
#[derive(Debug, Default)]
pub(super) struct Calls {
    known: HashMap<Box<str>, Known>,
    oldest_first: VecDeque<Box<str>>,
}

#[derive(Debug)]
enum Known {
    Open(Call<'static>),
    Ended,
    /// Its result came, and it did not.
    ResultOnly,
}

/// What a result belongs to.
pub(super) enum Joined {
    /// This call, which has not had one.
    To(Box<Call<'static>>),
    /// A call nobody saw: earlier than where reading began, or later in the file.
    Nothing,
    /// A call that has had one.
    Repeated,
}

impl Calls {
    /// False for an id that was started before.
    pub(super) fn is_new(&self, id: &str) -> bool {
        matches!(self.known.get(id), None | Some(Known::ResultOnly))
    }

    /// Remembers a call as open. One whose result came first stays closed; one without an id is forgotten.
    pub(super) fn start(&mut self, call: Call<'static>) {
        let id = call.id.clone();
        let state = if self.known.contains_key(&*id) { Known::Ended } else { Known::Open(call) };
        self.remember(&id, state);
    }

    /// The call that the result with this id ends.
    pub(super) fn end(&mut self, id: &str) -> Joined {
        match self.known.get_mut(id) {
            None => {
                self.remember(id, Known::ResultOnly);
                Joined::Nothing
            }
            Some(known) => match std::mem::replace(known, Known::Ended) {
                Known::Open(call) => Joined::To(Box::new(call)),
                Known::Ended | Known::ResultOnly => Joined::Repeated,
            },
        }
    }

    fn remember(&mut self, id: &str, known: Known) {
        if id.is_empty() {
            return;
        }
        if self.known.insert(id.into(), known).is_none() {
            self.oldest_first.push_back(id.into());
        }
        if self.oldest_first.len() > MAX_CALLS
            && let Some(oldest) = self.oldest_first.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}
