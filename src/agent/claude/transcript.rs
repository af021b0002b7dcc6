//! A session's transcript, line by line, to the events a hook would have told.
//!
//! Only a newline ends a record. A last line without one is half written and held back. Nothing here is
//! fatal but the medium: what cannot be read is counted.

mod calls;
mod joiner;
mod record;
mod turns;

use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use self::joiner::Joiner;
use crate::agent::json;
use crate::session::event::Event;

/// Longest line that is read, in bytes; the longest of 1,630 genuine sessions had 2.6 MB.
const MAX_LINE: usize = 64 << 20;

/// How many record ids are remembered to recognise copies; later ones are taken as new.
const MAX_SEEN: usize = 1 << 20;

/// What a reader met.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counters {
    /// Complete lines, blank ones among them.
    pub lines: u32,
    /// Events given.
    pub events: u32,
    /// Lines of a type this version does not know, by type.
    pub unknown_types: BTreeMap<String, u32>,
    /// Results refused for a reason this version does not know, by `toolDenialKind`.
    pub unknown_denials: BTreeMap<String, u32>,
    /// Lines that are no JSON.
    pub not_json: u32,
    /// Lines that are JSON, and not what their type promises (a lone `null`, a message without content).
    pub misshapen: u32,
    /// Records that came before, by `uuid`, and calls that were started before, by id.
    pub duplicates: u32,
    /// Results of a call that had one.
    pub repeated_results: u32,
    /// Lines too long to be read (64 MiB).
    pub oversized: u32,
    /// The file ended within a line.
    pub half_last_line: bool,
}

/// The ids of records already met. Hand it from the reader of one file to that of the next to meet a
/// record once that a resumed or forked session copied.
#[derive(Debug, Default)]
pub struct Seen {
    // Hashes with a key of this process: a made-up file cannot aim at another's record.
    ids: HashSet<u64>,
    key: RandomState,
}

impl Seen {
    fn is_new(&mut self, id: &str) -> bool {
        let hash = self.key.hash_one(id);
        if self.ids.len() < MAX_SEEN { self.ids.insert(hash) } else { !self.ids.contains(&hash) }
    }
}

/// Takes the events, in the order of the file.
pub type Sink<'s> = dyn FnMut(&Event<'_>) + 's;

/// Reads a transcript.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    /// The line being read; between calls, the half line at the end of the file.
    line: Vec<u8>,
    /// Bytes of the line being read that were thrown away because it is too long.
    dropped: u64,
    offset: u64,
    /// Lines before the first one read.
    lines_before: u32,
    joiner: Joiner,
}

impl Reader<BufReader<File>> {
    /// Opens a transcript.
    ///
    /// # Errors
    /// When the file cannot be opened or is no regular file.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::open_at(path, 0, 0)
    }

    /// Opens a transcript to go on where an earlier reader stopped: at its [`Reader::offset`], after its
    /// [`Reader::line`] lines.
    ///
    /// What that reader had in mind is gone: the result of a call from before comes as [`Action::Other`](crate::session::event::Action::Other)
    /// with the right id, and a turn whose last words lie before has no end.
    ///
    /// # Errors
    /// When the file cannot be opened, is no regular file, or is shorter than that
    /// ([`io::ErrorKind::UnexpectedEof`]): then it is another file, to be read from its start.
    pub fn open_at(path: &Path, offset: u64, lines: u32) -> io::Result<Self> {
        // Asked before opening, since opening a pipe waits for its other end.
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no regular file"));
        }
        if metadata.len() < offset {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "shorter than what was read of it"));
        }
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        Ok(Reader { offset, lines_before: lines, ..Self::new(BufReader::with_capacity(1 << 16, file)) })
    }
}

impl<R: BufRead> Reader<R> {
    /// A reader of what this source gives from here on.
    pub fn new(source: R) -> Self {
        Reader { source, line: Vec::new(), dropped: 0, offset: 0, lines_before: 0, joiner: Joiner::default() }
    }

    /// Takes over the records met in another file.
    #[must_use]
    pub fn with_seen(mut self, seen: Seen) -> Self {
        self.joiner.seen = seen;
        self
    }

    /// Lends the records met in other files, or takes them back.
    pub fn swap_seen(&mut self, seen: &mut Seen) {
        std::mem::swap(&mut self.joiner.seen, seen);
    }

    /// Bytes up to the end of the last complete line read: where to go on.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Number of the last line read, counted from 1.
    pub fn line(&self) -> u32 {
        self.lines_before.saturating_add(self.joiner.counters.lines)
    }

    /// What was met so far.
    pub fn counters(&self) -> &Counters {
        &self.joiner.counters
    }

    /// Reads all there is. May be called again once there is more.
    ///
    /// # Errors
    /// When reading fails; what was read before has been given.
    pub fn read(&mut self, sink: &mut Sink<'_>) -> io::Result<()> {
        self.read_while(&mut |_| true, sink).map(drop)
    }

    /// Reads as long as `go_on` allows it. It is asked before every line, with the bytes read by this call,
    /// and may look at a clock. True when the end was reached.
    ///
    /// # Errors
    /// When reading fails; what was read before has been given.
    pub fn read_while(&mut self, go_on: &mut dyn FnMut(u64) -> bool, sink: &mut Sink<'_>) -> io::Result<bool> {
        let start = self.offset;
        self.joiner.counters.half_last_line = false;
        while go_on(self.offset - start) {
            if !self.fill_line()? {
                self.joiner.counters.half_last_line = !self.line.is_empty() || self.dropped > 0;
                return Ok(true);
            }
            self.offset += self.dropped + self.line.len() as u64;
            let number = self.line().saturating_add(1);
            self.joiner.counters.lines = self.joiner.counters.lines.saturating_add(1);
            if self.dropped > 0 {
                self.joiner.counters.oversized += 1;
            } else {
                self.joiner.line(&self.line, number, sink);
            }
            self.line.clear();
            self.dropped = 0;
        }
        Ok(false)
    }

    /// Takes the file as complete: a last line that lacks only its newline is read, and the turns still open
    /// end. Gives what was met, and the ids for the reader of the next file.
    pub fn finish(mut self, sink: &mut Sink<'_>) -> (Counters, Seen) {
        if self.dropped == 0 && json::text_of(&self.line).trim_end().ends_with('}') && json::is_value(&json::text_of(&self.line)) {
            let number = self.line().saturating_add(1);
            self.joiner.counters.lines = self.joiner.counters.lines.saturating_add(1);
            self.joiner.counters.half_last_line = false;
            self.joiner.line(&self.line, number, sink);
        }
        self.joiner.finish(sink);
        (self.joiner.counters, self.joiner.seen)
    }

    /// Reads to the next newline; false when the source ends before it.
    fn fill_line(&mut self) -> io::Result<bool> {
        loop {
            let room = (MAX_LINE + 1 - self.line.len()) as u64;
            self.source.by_ref().take(room).read_until(b'\n', &mut self.line)?;
            if self.line.last() == Some(&b'\n') {
                return Ok(true);
            }
            if self.line.len() <= MAX_LINE {
                return Ok(false);
            }
            self.dropped += self.line.len() as u64;
            self.line.clear();
        }
    }
}
