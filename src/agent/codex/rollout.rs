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

use std::io::{self, Read};
use std::path::Path;

use super::layout;
use super::packed::Unpacked;
use crate::agent::json;
use crate::agent::transcript::{self, Head, MAX_HEAD, open_regular};
pub use crate::agent::transcript::{Counters, Seen, Sink};

/// Reads a rollout.
pub type Reader<R> = transcript::Reader<R, joiner::Joiner>;

/// A rollout on disk, packed or not.
pub type Source = Box<dyn Read + Send>;

/// How much of a file is looked at to tell whether it is a rollout, in bytes: its first line holds instructions.
const MAX_START: u64 = 1 << 20;

/// Opens a rollout, and unpacks it while it is read where its name ends in `.zst` or `.zstd`: up to 1 GiB, past
/// which reading fails.
///
/// # Errors
/// When the file cannot be opened or is no regular file.
pub fn open(path: &Path) -> io::Result<Reader<Source>> {
    let file = open_regular(path)?;
    let source: Box<dyn Read + Send> = if layout::is_packed(path) { Box::new(Unpacked::new(file)) } else { Box::new(file) };
    Ok(Reader::new(source))
}

/// Whose a rollout is, as far as its start says.
pub fn head(path: &Path) -> Head {
    let mut head = Head::default();
    let Ok(mut reader) = open(path) else { return head };
    while head.cwd.is_empty() && reader.offset() < MAX_HEAD {
        let mut first = true;
        let ended = reader.read_while(&mut |_| std::mem::take(&mut first), &mut |_| {});
        head = reader.joiner().head();
        // What was read up to an error is as good as all of it.
        if !matches!(ended, Ok(false)) {
            break;
        }
    }
    head
}

/// Is this a rollout, by its name, or by the first record in it?
pub fn is_rollout(path: &Path) -> bool {
    if layout::is_packed(path) || layout::is_rollout_name(path) {
        return true;
    }
    let mut start = Vec::new();
    let Ok(file) = open_regular(path) else { return false };
    // What was read up to an error is as good as all of it.
    let _ = file.take(MAX_START).read_to_end(&mut start);
    let records = json::text_of(&start);
    let first = records.lines().map(str::trim).find(|line| !line.is_empty());
    first.and_then(|line| record::Record::read(line).ok()).is_some_and(|record| record.begins_rollout())
}
