//! What the readers of all clients' session files share: line by line, to the events a hook would have told.
//!
//! A client adds its [`Joiner`]. Nothing here is fatal but the medium: what cannot be read is counted.

pub(super) mod calls;
pub(super) mod place;
pub(super) mod turns;

use std::cell::RefCell;
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::json;
use super::lines::{Line, Lines};
use crate::session::event::Event;

/// How many ids are remembered to recognise copies; later ones are taken as new.
const MAX_SEEN: usize = 1 << 20;

/// How many names a map of [`Counters`] holds, and how long each may be; the rest is counted together.
const MAX_NAMES: usize = 64;
const MAX_NAME: usize = 64;

/// What a reader met.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counters {
    /// Complete lines, blank ones among them.
    pub lines: u32,
    /// Events given.
    pub events: u32,
    /// Lines of a type this version does not know, by type.
    pub unknown_types: BTreeMap<String, u32>,
    /// Results refused for a reason this version does not know, by the client's word for it.
    pub unknown_denials: BTreeMap<String, u32>,
    /// Lines that are no JSON.
    pub not_json: u32,
    /// Lines that are JSON, and not what their type promises (a lone `null`, a message without content).
    pub misshapen: u32,
    /// Records that came before, and calls that were started before, by their ids.
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
    /// True the first time.
    pub(super) fn is_new(&mut self, id: &str) -> bool {
        let hash = self.key.hash_one(id);
        if self.ids.len() < MAX_SEEN { self.ids.insert(hash) } else { !self.ids.contains(&hash) }
    }
}

/// Takes the events, in the order of the file. What is changed in one is of no concern to what gives it.
pub type Sink<'s> = dyn FnMut(&mut Event<'_>) + 's;

/// What a joiner met.
#[derive(Debug, Default)]
pub struct Met {
    /// Counted.
    pub counters: Counters,
    /// By id.
    pub seen: Seen,
}

/// Why a line is no record.
pub(super) enum Fault {
    /// It does not parse.
    NotJson,
    /// It parses, and is no object.
    NotObject,
}

impl Fault {
    /// What is wrong with a line that is no object.
    pub(super) fn of(line: &[u8]) -> Self {
        if json::is_value(&json::text_of(line)) { Fault::NotObject } else { Fault::NotJson }
    }
}

impl Met {
    /// Counts a line that is no record.
    pub(super) fn refuse(&mut self, fault: &Fault) {
        match fault {
            Fault::NotJson => self.counters.not_json += 1,
            Fault::NotObject => self.counters.misshapen += 1,
        }
    }

    /// Gives an event.
    pub(super) fn give(&mut self, event: &mut Event<'_>, sink: &mut Sink<'_>) {
        self.counters.events = self.counters.events.saturating_add(1);
        sink(event);
    }
}

/// Counts a name in a map of [`Counters`].
pub(super) fn count(names: &mut BTreeMap<String, u32>, name: &str) {
    let name = if names.len() < MAX_NAMES || names.contains_key(name) { name } else { "…" };
    let name = &name[..name.floor_char_boundary(MAX_NAME)];
    *names.entry(name.to_owned()).or_default() += 1;
}

/// Makes events of one client's lines: joins results to calls, and last words to the ends of turns.
pub trait Joiner: Default {
    /// Takes one line, without regard to its end.
    fn line(&mut self, bytes: &[u8], number: u32, sink: &mut Sink<'_>);

    /// Ends the turns still open.
    fn finish(&mut self, sink: &mut Sink<'_>);

    /// What was met.
    fn met(&self) -> &Met;

    /// What was met, to be changed.
    fn met_mut(&mut self) -> &mut Met;

    /// What was met in all.
    fn into_met(self) -> Met;
}

/// Reads a session file.
#[derive(Debug)]
pub struct Reader<R, J> {
    lines: Lines<R>,
    /// Lines before the first one read.
    lines_before: u32,
    joiner: J,
}

impl<J: Joiner> Reader<File, J> {
    /// Opens a session file.
    ///
    /// # Errors
    /// When the file cannot be opened or is no regular file.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::open_at(path, 0, 0)
    }

    /// Opens a session file to go on where an earlier reader stopped: at its [`Reader::offset`], after its
    /// [`Reader::line`] lines.
    ///
    /// What that reader had in mind is gone: the result of a call from before comes as [`Action::Other`](crate::session::event::Action::Other)
    /// with the right id, and a turn whose last words lie before has no end.
    ///
    /// # Errors
    /// When the file cannot be opened, is no regular file, or is shorter than that
    /// ([`io::ErrorKind::UnexpectedEof`]): then it is another file, to be read from its start.
    pub fn open_at(path: &Path, offset: u64, lines: u32) -> io::Result<Self> {
        let mut file = open_regular(path)?;
        if file.metadata()?.len() < offset {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "shorter than what was read of it"));
        }
        file.seek(SeekFrom::Start(offset))?;
        let lines_of_file = Lines::new(file, offset);
        Ok(Reader { lines: lines_of_file, lines_before: lines, joiner: J::default() })
    }
}

/// A session file of any client, being read.
pub trait Transcript {
    /// [`Reader::read_while`].
    ///
    /// # Errors
    /// When reading fails; what was read before has been given.
    fn read_while(&mut self, go_on: &mut dyn FnMut(u64) -> bool, sink: &mut Sink<'_>) -> io::Result<bool>;

    /// Is there more than was read?
    fn goes_on(&mut self) -> bool;

    /// [`Reader::swap_seen`].
    fn swap_seen(&mut self, seen: &mut Seen);

    /// [`Reader::finish`].
    fn finish(self: Box<Self>, sink: &mut Sink<'_>) -> (Counters, Seen);
}

impl<R: Read, J: Joiner> Transcript for Reader<R, J> {
    fn read_while(&mut self, go_on: &mut dyn FnMut(u64) -> bool, sink: &mut Sink<'_>) -> io::Result<bool> {
        Reader::read_while(self, go_on, sink)
    }

    fn goes_on(&mut self) -> bool {
        self.lines.go_on()
    }

    fn swap_seen(&mut self, seen: &mut Seen) {
        Reader::swap_seen(self, seen);
    }

    fn finish(self: Box<Self>, sink: &mut Sink<'_>) -> (Counters, Seen) {
        Reader::finish(*self, sink)
    }
}

/// How far into a transcript its head is looked for, in bytes.
pub(super) const MAX_HEAD: u64 = 4 << 20;

/// Whose a transcript is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The session.
    pub session: String,
    /// The subagent; empty for the main agent.
    pub agent: String,
    /// Where it worked.
    pub cwd: String,
}

/// What the first event that tells a directory says; empty when none does.
pub fn head(transcript: &mut dyn Transcript) -> Head {
    let found = RefCell::new(Head::default());
    let mut take = |event: &mut Event<'_>| {
        if found.borrow().cwd.is_empty() {
            found.replace(Head { session: event.session.to_string(), agent: event.agent.to_string(), cwd: event.cwd.to_string() });
        }
    };
    // What was read up to an error is as good as all of it.
    let _ = transcript.read_while(&mut |read| read < MAX_HEAD && found.borrow().cwd.is_empty(), &mut take);
    found.into_inner()
}

/// Opens a regular file.
pub(super) fn open_regular(path: &Path) -> io::Result<File> {
    // Asked before opening, since opening a pipe waits for its other end.
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no regular file"));
    }
    File::open(path)
}

impl<R: Read, J: Joiner> Reader<R, J> {
    /// A reader of what this source gives from here on.
    pub fn new(source: R) -> Self {
        Reader { lines: Lines::new(source, 0), lines_before: 0, joiner: J::default() }
    }

    /// Takes over the records met in another file.
    #[must_use]
    pub fn with_seen(mut self, seen: Seen) -> Self {
        self.joiner.met_mut().seen = seen;
        self
    }

    /// Lends the records met in other files, or takes them back.
    pub fn swap_seen(&mut self, seen: &mut Seen) {
        std::mem::swap(&mut self.joiner.met_mut().seen, seen);
    }

    /// Bytes up to the end of the last complete line read: where to go on.
    pub fn offset(&self) -> u64 {
        self.lines.offset
    }

    /// Number of the last line read, counted from 1.
    pub fn line(&self) -> u32 {
        self.lines_before.saturating_add(self.counters().lines)
    }

    /// What makes events of the lines.
    pub(super) fn joiner(&self) -> &J {
        &self.joiner
    }

    /// What was met so far.
    pub fn counters(&self) -> &Counters {
        &self.joiner.met().counters
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
        let start = self.lines.offset;
        self.joiner.met_mut().counters.half_last_line = false;
        while go_on(self.lines.offset - start) {
            let number = self.line().saturating_add(1);
            let Some(line) = self.lines.next()? else {
                self.joiner.met_mut().counters.half_last_line = self.lines.has_half();
                return Ok(true);
            };
            let counters = &mut self.joiner.met_mut().counters;
            counters.lines = counters.lines.saturating_add(1);
            match line {
                Line::Whole(bytes) => self.joiner.line(bytes, number, sink),
                Line::Oversized => counters.oversized += 1,
            }
        }
        Ok(false)
    }

    /// Takes the file as complete: a last line that lacks only its newline is read, and the turns still open
    /// end. Gives what was met, and the ids for the reader of the next file.
    pub fn finish(mut self, sink: &mut Sink<'_>) -> (Counters, Seen) {
        let number = self.line().saturating_add(1);
        let half = self.lines.half();
        if is_record(half) {
            let counters = &mut self.joiner.met_mut().counters;
            counters.lines = counters.lines.saturating_add(1);
            counters.half_last_line = false;
            self.joiner.line(half, number, sink);
        }
        self.joiner.finish(sink);
        let Met { counters, seen } = self.joiner.into_met();
        (counters, seen)
    }
}

/// A whole record, though no newline ends it.
pub(super) fn is_record(half: &[u8]) -> bool {
    let text = json::text_of(half);
    text.trim_end().ends_with('}') && json::is_value(&text)
}
