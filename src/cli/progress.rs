//! How far a command is, for a person who waits: one line on standard error, when that is a terminal and it takes
//! longer than a moment, and gone at the end.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a person may wait without a word.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often the line is drawn at most.
const PAUSE: Duration = Duration::from_millis(100);
/// To the start of the line, and all of it erased.
const ERASE: &str = "\r\x1b[K";

/// The line.
pub(super) struct Progress {
    total: usize,
    shown: bool,
    state: Mutex<State>,
}

struct State {
    done: usize,
    /// When the line may be drawn next.
    next: Instant,
    drawn: bool,
}

impl Progress {
    /// For so many sessions.
    pub(super) fn over(total: usize) -> Self {
        let shown = io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
        Progress { total, shown, state: Mutex::new(State { done: 0, next: Instant::now() + PATIENCE, drawn: false }) }
    }

    /// One more is read.
    pub(super) fn step(&self) {
        if !self.shown {
            return;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done += 1;
        let now = Instant::now();
        if now >= state.next {
            state.next = now + PAUSE;
            state.drawn = true;
            // A terminal that is gone needs no line.
            let _ = write!(io::stderr().lock(), "{ERASE}reading sessions: {} of {}", state.done, self.total);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.state.get_mut().is_ok_and(|state| state.drawn) {
            let _ = write!(io::stderr().lock(), "{ERASE}");
        }
    }
}
