//! A session's rollout, line by line, to the events a hook would have told.
//!
//! | generation | a line |
//! |---|---|
//! | bare (until autumn 2025) | `{"type":"function_call",…}`, below a first line `{"id","timestamp","instructions","git"}` |
//! | enveloped | `{"timestamp","type","payload"}`, `type` being `session_meta`, `turn_context`, `response_item`, `event_msg`, `compacted` |

mod bookkeeping;
mod joiner;
mod record;
mod stamp;
mod words;

use std::cell::RefCell;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::layout;
use super::packed::Unpacked;
use crate::agent::transcript::{self, open_regular};
pub use crate::agent::transcript::{Counters, Seen, Sink};

/// Reads a rollout.
pub type Reader<R> = transcript::Reader<R, joiner::Joiner>;

/// A rollout on disk, packed or not.
pub type Source = BufReader<Box<dyn Read + Send>>;

/// How far into a rollout [`worked_in`] looks, in bytes.
const MAX_HEAD: u64 = 4 << 20;

/// Opens a rollout, and unpacks it while it is read where its name ends in `.zst` or `.zstd`: up to 1 GiB, past
/// which reading fails.
///
/// # Errors
/// When the file cannot be opened or is no regular file.
pub fn open(path: &Path) -> io::Result<Reader<Source>> {
    let file = open_regular(path)?;
    let source: Box<dyn Read + Send> = if layout::is_packed(path) { Box::new(Unpacked::new(file)) } else { Box::new(file) };
    Ok(Reader::new(BufReader::with_capacity(1 << 16, source)))
}

/// Where a session worked: the directory of its first event that has one; empty when none has.
pub fn worked_in(path: &Path) -> PathBuf {
    let found = RefCell::new(String::new());
    if let Ok(mut reader) = open(path) {
        // What was read up to an error is as good as all of it.
        let _ = reader.read_while(&mut |read| read < MAX_HEAD && found.borrow().is_empty(), &mut |event| {
            if found.borrow().is_empty() {
                found.replace(event.cwd.to_string());
            }
        });
    }
    found.into_inner().into()
}
