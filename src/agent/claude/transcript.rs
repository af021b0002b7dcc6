//! A session's transcript, line by line, to the events a hook would have told.

mod joiner;
mod record;

pub use crate::agent::transcript::{Counters, Seen, Sink};

/// Reads a transcript.
pub type Reader<R> = crate::agent::transcript::Reader<R, joiner::Joiner>;
