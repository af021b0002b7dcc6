//! A session's transcript, line by line, to the events a hook would have told.
//!
//! Only a newline ends a record. A last line without one is half written and held back. Nothing here is
//! fatal but the medium: what cannot be read is counted.

mod calls;
mod record;
mod turns;

use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use serde_json::value::RawValue;

use self::calls::{Calls, Joined};
use self::record::{Block, Fault, Message, Place, Record, Words};
use self::turns::Turns;
use crate::agent::claude::call::call;
use crate::agent::claude::outcome::{self, Told};
use crate::agent::json;
use crate::session::event::{Action, Call, Event, EventKind};

/// Longest line that is read, in bytes; the longest of 1,630 genuine sessions had 2.6 MB.
const MAX_LINE: usize = 64 << 20;

/// How many record ids are remembered to recognise copies; later ones are taken as new.
const MAX_SEEN: usize = 1 << 20;

/// How many names a map of [`Counters`] holds, and how long each may be; the rest is counted together.
const MAX_NAMES: usize = 64;
const MAX_NAME: usize = 64;

/// Line types that hold nothing for a rule: bookkeeping of the client's, and repetitions of what stands
/// elsewhere (`api-request-blob`, `progress`). Sorted.
const SKIPPED: &[&str] = &[
    "agent-color",
    "agent-name",
    "agent-setting",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "artifact-autoreact-ledger",
    "artifact-comment-monitor",
    "atis-latch",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "cost-state",
    "custom-title",
    "ended-by-model",
    "failed",
    "file-history-delta",
    "file-history-snapshot",
    "fork-context-ref",
    "frame-link",
    "history-suppression",
    "isolation-latch",
    "last-prompt",
    "marble-origami-commit",
    "marble-origami-reset",
    "marble-origami-snapshot",
    "mode",
    "observer-ref",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "relocated",
    "result",
    "speculation-accept",
    "started",
    "summary",
    "tag",
    "task-summary",
    "tools-used",
    "worktree-state",
];

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
    /// What that reader had in mind is gone: the result of a call from before comes as [`Action::Other`]
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
        for event in self.joiner.turns.end_all() {
            self.joiner.give(&event, sink);
        }
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

/// Makes events of lines.
#[derive(Debug, Default)]
struct Joiner {
    counters: Counters,
    calls: Calls,
    turns: Turns,
    seen: Seen,
}

impl Joiner {
    fn line(&mut self, bytes: &[u8], number: u32, sink: &mut Sink<'_>) {
        let text = json::text_of(bytes);
        if text.trim_ascii().is_empty() {
            return;
        }
        let record = match Record::read(&text) {
            Ok(record) => record,
            Err(Fault::NotJson) => return self.counters.not_json += 1,
            Err(Fault::NotObject) => return self.counters.misshapen += 1,
        };
        let Some(kind) = record.kind.and_then(json::string) else {
            return self.counters.misshapen += 1;
        };
        if SKIPPED.binary_search(&&*kind).is_ok() {
            return;
        }
        if !matches!(&*kind, "user" | "assistant" | "attachment" | "system") {
            return count(&mut self.counters.unknown_types, &kind);
        }
        if let Some(uuid) = record.uuid.and_then(json::string)
            && !self.seen.is_new(&uuid)
        {
            return self.counters.duplicates += 1;
        }
        let place = record.place(number);
        let understood = match &*kind {
            "user" => self.user(&record, &place, sink),
            "assistant" => self.assistant(&record, &place, sink),
            "attachment" => self.attachment(&record, &place, sink),
            _ => self.system(&record, &place, sink),
        };
        if understood.is_none() {
            self.counters.misshapen += 1;
        }
    }

    fn give(&mut self, event: &Event<'_>, sink: &mut Sink<'_>) {
        self.counters.events = self.counters.events.saturating_add(1);
        sink(event);
    }

    fn assistant(&mut self, record: &Record<'_>, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        let message = Message::read(record.message?);
        let blocks = record::blocks(message.content?)?;
        if record.is_api_error || message.is_synthetic {
            self.turns.of(&place.agent).settled = true;
            return Some(());
        }
        let message_id = text(message.id);
        for block in &blocks {
            match &*block.kind {
                "text" => self.turns.of(&place.agent).say(&text(block.text), &message_id, place),
                "tool_use" => self.started(call(text(block.id), text(block.name), block.input), place, sink),
                _ => {}
            }
        }
        Some(())
    }

    fn started<'a>(&mut self, call: Call<'a>, place: &Place<'a>, sink: &mut Sink<'_>) {
        if !self.calls.is_new(&call.id) {
            return self.counters.duplicates += 1;
        }
        self.turns.of(&place.agent).settled = false;
        let event = place.event(EventKind::CallStarted(call));
        self.give(&event, sink);
        // Kept after it was shown: effects that were worked out come back with the result.
        if let EventKind::CallStarted(call) = event.kind {
            self.calls.start(call.into_owned());
        }
    }

    fn user(&mut self, record: &Record<'_>, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        let message = Message::read(record.message?);
        let blocks = record::blocks(message.content?)?;
        let (results, others): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.kind == "tool_result");
        for block in &results {
            self.ended(block, record, results.len() == 1, place, sink);
        }
        if record.is_summary || others.is_empty() {
            return Some(());
        }
        let words = words(&others);
        let turn = self.turns.of(&place.agent);
        match words {
            Words::Interrupt => turn.abandon(),
            Words::StopFeedback => {
                if let Some(end) = turn.end(true) {
                    self.give(&end, sink);
                }
            }
            _ if record.is_meta || !results.is_empty() => {}
            Words::Prompt(text) => {
                let by_person = place.agent.is_empty() && !record.is_automatic();
                self.prompt(text, by_person, place, sink);
            }
            Words::Notice(text) => self.prompt(text, false, place, sink),
            // While the agent is at work it is itself that calls the command.
            Words::Command(text) => {
                let by_person = place.agent.is_empty() && turn.settled;
                self.prompt(text.into(), by_person, place, sink);
            }
            Words::Nothing => {}
        }
        Some(())
    }

    /// A prompt. One by a person ends the turn before it, and so does what is put to a subagent that spoke.
    fn prompt<'a>(&mut self, text: Cow<'a, str>, by_person: bool, place: &Place<'a>, sink: &mut Sink<'_>) {
        let turn = self.turns.of(&place.agent);
        let ended = if by_person || (!place.agent.is_empty() && turn.settled) { turn.end(false) } else { None };
        turn.settled = false;
        if let Some(end) = ended {
            self.give(&end, sink);
        }
        self.give(&place.event(EventKind::Prompt { text, by_person }), sink);
    }

    fn ended<'a>(&mut self, block: &Block<'a>, record: &Record<'a>, alone: bool, place: &Place<'a>, sink: &mut Sink<'_>) {
        let id = text(block.tool_use_id);
        let call = match self.calls.end(&id) {
            Joined::To(call) => *call,
            Joined::Nothing => Call::new(id, Cow::Borrowed(""), Action::Other, false),
            Joined::Repeated => return self.counters.repeated_results += 1,
        };
        self.turns.of(&place.agent).settled = false;
        // On a line with several results nothing says which of them these belong to.
        let denial = record.denial.and_then(json::string).filter(|kind| alone && !kind.is_empty());
        if let Some(kind) = &denial
            && !outcome::is_known_denial(kind)
        {
            count(&mut self.counters.unknown_denials, kind);
        }
        let details = record.tool_use_result.filter(|_| alone);
        let told = Told { content: block.content, details, is_error: block.is_error, denial };
        let outcome = outcome::outcome(&call, &told);
        self.give(&place.event(EventKind::CallEnded { call, outcome }), sink);
    }

    /// A prompt typed while the agent was at work, or the end of a background task, handed over within the
    /// turn: it ends nothing.
    fn attachment(&mut self, record: &Record<'_>, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        let (mut kind, mut prompt, mut mode) = (None, None, None);
        json::fields(record.attachment?.get(), &mut |key, value| match key {
            "type" => kind = Some(value),
            "prompt" => prompt = Some(value),
            "commandMode" => mode = Some(value),
            _ => {}
        });
        if text(kind) != "queued_command" {
            return Some(());
        }
        let (text, by_person) = match record::words(outcome::text_of_content(prompt?)?) {
            Words::Prompt(words) => (words, place.agent.is_empty() && matches!(&*text(mode), "" | "prompt")),
            Words::Command(words) => (words.into(), place.agent.is_empty()),
            Words::Notice(words) => (words, false),
            Words::Interrupt | Words::StopFeedback | Words::Nothing => return Some(()),
        };
        self.give(&place.event(EventKind::Prompt { text, by_person }), sink);
        Some(())
    }

    fn system(&mut self, record: &Record<'_>, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        if text(record.subtype) == "compact_boundary" {
            self.give(&place.event(EventKind::BeforeCompact), sink);
        }
        Some(())
    }
}

/// What the blocks of a user line that are no results say. Reminders the client put before a person's words
/// are left out.
fn words<'a>(blocks: &[&Block<'a>]) -> Words<'a> {
    let said = |block: &&&Block<'a>| block.kind == "text" && !text(block.text).trim_start().starts_with("<system-reminder>");
    let texts = blocks.iter().filter(said).map(|block| text(block.text));
    match texts.fold(None, |all, more| Some(outcome::below(all, more))) {
        Some(text) => record::words(text),
        None if blocks.iter().any(|block| block.kind == "image" || block.kind == "document") => Words::Prompt(Cow::Borrowed("")),
        None => Words::Nothing,
    }
}

fn text(raw: Option<&RawValue>) -> Cow<'_, str> {
    raw.and_then(json::string).unwrap_or_default()
}

fn count(names: &mut BTreeMap<String, u32>, name: &str) {
    let name = if names.len() < MAX_NAMES || names.contains_key(name) { name } else { "…" };
    let name = &name[..name.floor_char_boundary(MAX_NAME)];
    *names.entry(name.to_owned()).or_default() += 1;
}
