//! Joins results to calls by id.

use std::collections::{HashMap, VecDeque};

/// How many calls are remembered. The result of an older one comes without its action, and a second
/// result of an older one is not noticed.
const MAX_CALLS: usize = 4096;

/// The calls of a session, those that ended among them; `T` is what is kept of an open one.
#[derive(Debug)]
pub(in crate::agent) struct Calls<T> {
    known: HashMap<Box<str>, Known<T>>,
    oldest_first: VecDeque<Box<str>>,
}

#[derive(Debug)]
enum Known<T> {
    Open(T),
    Ended,
    /// Its result came, and it did not.
    ResultOnly,
}

/// What a result belongs to.
pub(in crate::agent) enum Joined<T> {
    /// This call, which has not had one.
    To(T),
    /// A call nobody saw: earlier than where reading began, or later in the file.
    Nothing,
    /// A call that has had one.
    Repeated,
}

impl<T> Default for Calls<T> {
    fn default() -> Self {
        Calls { known: HashMap::new(), oldest_first: VecDeque::new() }
    }
}

impl<T> Calls<T> {
    /// False for an id that was started before.
    pub(in crate::agent) fn is_new(&self, id: &str) -> bool {
        matches!(self.known.get(id), None | Some(Known::ResultOnly))
    }

    /// Remembers a call as open. One whose result came first stays closed; one without an id is forgotten.
    pub(in crate::agent) fn start(&mut self, id: &str, call: T) {
        let state = if self.known.contains_key(id) { Known::Ended } else { Known::Open(call) };
        self.remember(id, state);
    }

    /// The open call with this id.
    pub(in crate::agent) fn open(&mut self, id: &str) -> Option<&mut T> {
        match self.known.get_mut(id) {
            Some(Known::Open(call)) => Some(call),
            _ => None,
        }
    }

    /// Remembers a call that started and ended at once.
    pub(in crate::agent) fn close(&mut self, id: &str) {
        self.remember(id, Known::Ended);
    }

    /// The call that the result with this id ends.
    pub(in crate::agent) fn end(&mut self, id: &str) -> Joined<T> {
        match self.known.get_mut(id) {
            None => {
                self.remember(id, Known::ResultOnly);
                Joined::Nothing
            }
            Some(known) => match std::mem::replace(known, Known::Ended) {
                Known::Open(call) => Joined::To(call),
                Known::Ended | Known::ResultOnly => Joined::Repeated,
            },
        }
    }

    fn remember(&mut self, id: &str, known: Known<T>) {
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
