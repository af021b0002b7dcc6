//! The state of one session on disk: one small file, a lock beside it, and an overflow for events that could not
//! wait for the lock.
//!
//! The file's first line is a JSON object: what most events need, and how long the lines below are. Each of them is a
//! part that only some events need.
//!
//! | bound | value | what is lost when it is reached |
//! |---|---|---|
//! | size of a state file | 64 KiB | the oldest half of every list of facts and of the open calls, again and again until it fits |
//! | calls recognised as delivered before | 128 | a call delivered twice more than 64 calls apart is taken in twice |
//! | open calls | 16 | the oldest: its outcome is recorded without what was known before it ran |
//! | gate runs, sources written, files counted on a branch, calls compared | | see `gates`, `edits`, `repeats` |
//! | events that wait while the transcript is read | 1,024 | what was not read of the transcript by then |
//! | things to be said at the end of a turn | 8 | the oldest is never said |
//! | things said | 256 | the oldest: it may be said again |
//! | temporary paths, names printed by `mktemp` | 64 each | see `temp_files` |
//! | looked-at contents | 16 | see `observed` |
//! | age of a state file | 30 days | all of it; the transcript is read again |

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use memchr::memchr;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::event::Event;
use super::facts::{Clock, Facts};
use super::kept::{Kept, Text};
use super::ledger::Ledger;
use super::observed::{Deferred, Looks, MAX_DEFERRED, Observed, OpenCall, push_bounded};
use super::scope::Scope;
use super::seen;
use crate::fs::{self, Journal, Replacement};

/// Version of the state file. A file of a newer version is left alone, and nothing is said.
pub const VERSION: u32 = 2;
/// Greatest size of a state file, in bytes, whatever the session's length.
pub const MAX_STATE_BYTES: usize = 64 << 10;
/// Size past which a state file is taken as damaged, in bytes: a newer version may have a greater bound.
const MAX_READ_BYTES: u64 = 4 << 20;
/// How long a call waits for the state's lock. Its holder needs under a millisecond.
pub const LOCK_WAIT: Duration = Duration::from_millis(250);

/// How many events wait for older ones at the most. Past it the older ones are given up.
const MAX_WAITING: usize = 1024;
const MAX_RECENT: usize = 128;
/// How long what tells one is.
const DELIVERY: usize = 16;
const MAX_OPEN: usize = 16;
const MAX_SAID: usize = 256;
/// Age past which the state of a session is removed, in days.
const MAX_AGE_DAYS: u64 = 30;
/// Size past which an overflow is no longer read or added to, in bytes: nobody takes it in any more.
const MAX_OVERFLOW_BYTES: u64 = 8 << 20;

/// Everything kept of one session.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// [`VERSION`] of the program that wrote it; 0 in a fresh one.
    pub version: u32,
    /// Where the session was started.
    pub project: String,
    /// What tells second deliveries, each as [`DELIVERY`] hexadecimal digits: it is read at every event. Before the
    /// parts, so that a comparison ends here where there is more, and decodes none.
    recent: String,
    /// Replayable: what a fold of the transcript gives, too. While older events are still to be taken in, those of
    /// what has been read of the transcript.
    pub facts: Facts,
    /// Observed: seen when it happened, and kept only here.
    pub observed: Observed,
    /// Older events that are still to be taken in from the transcript.
    pub refold: Option<Refold>,
    /// Events that wait for older ones to be taken in first, in order; kept in a journal beside the state.
    waiting: Vec<Event<'static>>,
    /// How many of those the journal holds.
    stored: usize,
}

/// The first line of a state file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Head<'a> {
    version: u32,
    project: Cow<'a, str>,
    clock: Clock,
    open: Cow<'a, [OpenCall]>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    deferred: Cow<'a, [Deferred]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refold: Option<Cow<'a, Refold>>,
    /// How long each part is, its line's end not counted.
    parts: Vec<usize>,
}

/// How far the transcript has been taken in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Refold {
    /// Files still to be read, the next one first.
    pub files: Vec<RefoldFile>,
    /// Calls whose results lie in what is still to be read.
    pub pending: Vec<Event<'static>>,
}

/// One file to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RefoldFile {
    /// The file.
    pub path: String,
    /// Its inode number: another one is another file.
    pub inode: u64,
    /// Its size when the state was made, in bytes: what comes after is seen live.
    pub size: u64,
    /// The byte to go on from.
    pub offset: u64,
    /// Lines before `offset`.
    pub lines: u32,
}

/// One change of the state: an event, and what was seen and said when it happened.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record<'a> {
    /// The event.
    pub event: Event<'a>,
    /// What tells a second delivery of the same event; 0 where nothing does.
    pub delivery: u64,
    /// Keys of what was said.
    pub said: Vec<u64>,
    /// What was looked at.
    pub looks: Looks,
    /// The call that was let through.
    pub open: Option<OpenCall>,
    /// Ids of calls that are no longer open; every call, when `all_closed`.
    pub closed: Vec<String>,
    /// The event ends every call that is still open.
    pub all_closed: bool,
    /// What is to be said at the end of the turn.
    #[serde(default)]
    pub deferred: Option<Deferred>,
    /// The first of what waited to be said has been said.
    #[serde(default)]
    pub told_deferred: bool,
}

impl<'a> Record<'a> {
    /// A record of the event alone.
    pub fn of(event: Event<'a>) -> Self {
        Record {
            event,
            delivery: 0,
            said: Vec::new(),
            looks: Looks::default(),
            open: None,
            closed: Vec::new(),
            all_closed: false,
            deferred: None,
            told_deferred: false,
        }
    }
}

/// The key of a thing that was said.
pub fn said_key(rule: &str, class: &str, key: &str) -> u64 {
    xxh3_64(format!("{rule}\0{class}\0{key}").as_bytes())
}

/// What tells a second delivery of the same event; 0 where nothing does.
pub fn delivery(event_name: &str, call: &str) -> u64 {
    if call.is_empty() { 0 } else { xxh3_64(format!("{event_name}\0{call}").as_bytes()) }
}

impl State {
    /// The state of a session that is met for the first time.
    pub fn new(project: String, refold: Option<Refold>) -> Self {
        State { project, refold, ..State::default() }
    }

    /// Has this event been taken in before?
    pub fn has_seen(&self, delivery: u64) -> bool {
        let digits = format!("{delivery:016x}");
        let (recent, _) = self.recent.as_bytes().as_chunks::<DELIVERY>();
        delivery != 0 && digits.as_bytes().as_array().is_some_and(|digits| recent.contains(digits))
    }

    /// Was it written by a newer program?
    pub fn is_newer(&self) -> bool {
        self.version > VERSION
    }

    /// Takes in one change.
    pub fn apply(&mut self, record: Record<'_>, scope: &Scope) {
        if self.has_seen(record.delivery) {
            return;
        }
        if record.delivery != 0 {
            // A string takes everything.
            let _ = write!(self.recent, "{:016x}", record.delivery);
            let over = self.recent.len().saturating_sub(MAX_RECENT * DELIVERY);
            self.recent.drain(..over);
        }
        if self.refold.is_some() {
            self.waiting.push(record.event.into_owned());
        } else {
            self.facts.fold(&record.event, scope);
        }
        for said in record.said {
            self.observed.said.retain(|old| *old != said);
            push_bounded(&mut self.observed.said, said, MAX_SAID);
        }
        if !record.looks.is_empty() {
            self.observed.looks.absorb(record.looks);
        }
        self.observed.open.retain(|open| !record.all_closed && !record.closed.contains(&open.id));
        if let Some(open) = record.open {
            push_bounded(&mut self.observed.open, open, MAX_OPEN);
        }
        if record.told_deferred && !self.observed.deferred.is_empty() {
            self.observed.deferred.remove(0);
        }
        if let Some(deferred) = record.deferred {
            push_bounded(&mut self.observed.deferred, deferred, MAX_DEFERRED);
        }
    }

    /// Takes in the changes that the lines of an overflow hold. Damaged lines are passed over.
    fn apply_lines(&mut self, lines: &[u8], scope: &Scope) {
        for line in lines.split(|byte| *byte == b'\n') {
            if let Ok(record) = serde_json::from_slice::<Record<'_>>(line) {
                self.apply(record, scope);
            }
        }
    }

    /// The facts of all that is known: what was read, then what was seen live.
    pub fn known_facts(&self, scope: &Scope) -> Cow<'_, Facts> {
        let mut facts = Cow::Borrowed(&self.facts);
        self.waiting.iter().for_each(|event| facts.to_mut().fold(event, scope));
        facts
    }

    /// Do more events wait for older ones than anybody should have to look through again and again?
    pub fn waits_too_long(&self) -> bool {
        self.waiting.len() > MAX_WAITING
    }

    /// All older events have been taken in, or are given up.
    pub fn end_refold(&mut self, scope: &Scope) {
        self.refold = None;
        for event in std::mem::take(&mut self.waiting) {
            self.facts.fold(&event, scope);
        }
    }

    /// The content of its file.
    ///
    /// # Errors
    /// When a part cannot be encoded.
    pub fn bytes(&self) -> serde_json::Result<Vec<u8>> {
        let Facts { clock, temp_files, gates, edits, repeats } = &self.facts;
        let Observed { said, looks, open, deferred } = &self.observed;
        let recent = Text::from(self.recent.clone().into_bytes());
        let parts = [recent, temp_files.text()?, gates.text()?, edits.text()?, repeats.text()?, said.text()?, looks.text()?];
        let head = Head {
            version: VERSION,
            project: self.project.as_str().into(),
            clock: *clock,
            open: open.into(),
            deferred: deferred.into(),
            refold: self.refold.as_ref().map(Cow::Borrowed),
            parts: parts.iter().map(|part| part.len()).collect(),
        };
        let mut bytes = serde_json::to_vec(&head)?;
        bytes.push(b'\n');
        for part in parts {
            bytes.extend_from_slice(&part);
            bytes.push(b'\n');
        }
        Ok(bytes)
    }

    /// What [`State::bytes`] wrote; `None` where anything of it is missing. Of a newer version's no more than the version
    /// may be readable.
    pub fn of_bytes(bytes: Vec<u8>) -> Option<Self> {
        #[derive(Deserialize)]
        struct Versioned {
            version: u32,
        }
        let line = memchr(b'\n', &bytes).unwrap_or(bytes.len());
        let head = serde_json::from_slice(&bytes[..line]).ok().filter(|head: &Head<'_>| head.version == VERSION);
        let Some(head) = head else {
            // What stands behind the first value is not looked at.
            let Versioned { version } = Versioned::deserialize(&mut serde_json::Deserializer::from_slice(&bytes)).ok()?;
            return Some(State { version, ..State::default() }).filter(State::is_newer);
        };
        let (open, deferred) = (head.open.into_owned(), head.deferred.into_owned());
        let (project, refold) = (head.project.into_owned(), head.refold.map(Cow::into_owned));
        let (clock, lengths) = (head.clock, head.parts);
        let file = Rc::new(bytes);
        let (mut at, mut parts) = (line + 1, Vec::with_capacity(lengths.len()));
        for length in lengths {
            let end = at.checked_add(length)?;
            parts.push(Text::of(&file, at..end)?);
            if file.get(end) != Some(&b'\n') {
                return None;
            }
            at = end + 1;
        }
        let [recent, temp_files, gates, edits, repeats, said, looks] = <[Text; 7]>::try_from(parts).ok()?;
        let recent = String::from_utf8(recent.to_vec()).ok().filter(|recent| recent.is_ascii())?;
        let facts = Facts {
            clock,
            temp_files: Kept::of_text(temp_files),
            gates: Kept::of_text(gates),
            edits: Kept::of_text(edits),
            repeats: Kept::of_text(repeats),
        };
        let observed = Observed { said: Kept::of_text(said), looks: Kept::of_text(looks), open, deferred };
        Some(State { version: VERSION, project, facts, observed, refold, recent, waiting: Vec::new(), stored: 0 })
    }

    /// The file's content, within [`MAX_STATE_BYTES`].
    fn encode(&mut self) -> io::Result<Vec<u8>> {
        self.version = VERSION;
        loop {
            let bytes = self.bytes()?;
            if bytes.len() <= MAX_STATE_BYTES {
                return Ok(bytes);
            }
            if !self.shed() {
                return Err(io::Error::other("what is kept does not fit its bound"));
            }
        }
    }

    /// Forgets the oldest half of what may be long; false when nothing of it is left.
    fn shed(&mut self) -> bool {
        let before = (self.facts.clone(), self.observed.open.len());
        self.observed.open.drain(..self.observed.open.len().div_ceil(2));
        self.facts.shed();
        before != (self.facts.clone(), self.observed.open.len())
    }
}

/// The state folder of the user.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
}

impl Store {
    /// Opens the state folder, creating it for the owner alone.
    ///
    /// # Errors
    /// When it cannot be created, is a link, or belongs to somebody else.
    pub fn open(dir: PathBuf) -> io::Result<Self> {
        fs::private_dir(&dir)?;
        fs::private_dir(&dir.join("sessions"))?;
        Ok(Store { dir })
    }

    /// Can things be remembered in the state folder `dir`?
    ///
    /// # Errors
    /// When it cannot be opened, nothing can be written to it, or the ledger cannot be read.
    pub fn probe(dir: &Path) -> io::Result<()> {
        let store = Store::open(dir.to_owned())?;
        fs::private_dir(&dir.join(seen::FOLDER))?;
        Replacement::prepare(&store.dir.join("sessions/probe"), b"\n")?;
        store.ledger().read().map(drop).map_err(|error| io::Error::other(format!("the ledger: {error}")))
    }

    /// The ledger of temporary files.
    pub fn ledger(&self) -> Ledger {
        Ledger::new(&self.dir)
    }

    /// The slot of one session, locked if that can be had in [`LOCK_WAIT`].
    ///
    /// # Errors
    /// When the lock file cannot be opened: nothing could be remembered.
    pub fn slot(&self, session: &str) -> io::Result<Slot> {
        let base = self.dir.join("sessions").join(safe_name(session));
        let lock = fs::lock(&base.with_extension("lock"), LOCK_WAIT)?;
        let journal = |extension: &str| Journal::new(base.with_extension(extension));
        Ok(Slot { state: base.with_extension("json"), overflow: journal("overflow"), waiting: journal("waiting"), taken: 0, lock })
    }

    /// Removes what no session has touched for 30 days. Lock files stay: one that is removed while
    /// somebody waits for it locks nothing.
    pub fn sweep(&self) {
        let old = Duration::from_secs(MAX_AGE_DAYS * 24 * 60 * 60);
        for entry in std::fs::read_dir(self.dir.join("sessions")).into_iter().flatten().flatten() {
            let path = entry.path();
            let age = entry.metadata().and_then(|found| found.modified()).ok().and_then(|changed| changed.elapsed().ok());
            if age.is_some_and(|age| age > old) && path.extension().is_some_and(|extension| extension != "lock") {
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

/// The session id as a file name: itself where that is harmless, else a hash of it.
fn safe_name(session: &str) -> String {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if (1..=64).contains(&session.len()) && session.bytes().all(harmless) {
        session.to_owned()
    } else {
        format!("hashed_{:016x}", xxh3_64(session.as_bytes()))
    }
}

/// One session's place in the store, for the length of one hook call.
#[derive(Debug)]
pub struct Slot {
    state: PathBuf,
    overflow: Journal,
    waiting: Journal,
    /// How much of the overflow the state holds, in bytes.
    taken: usize,
    lock: Option<File>,
}

impl Slot {
    /// Is the lock ours? If not, the state may be read, and changes go to the overflow.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// The state; `None` when there is none yet, or the file is damaged. Of a newer version's no more than
    /// the version may be readable.
    pub fn load(&self) -> Option<State> {
        let mut state = State::of_bytes(fs::read_own(&self.state, MAX_READ_BYTES).ok()?)?;
        if state.refold.is_some() {
            let lines = self.waiting.read(u64::MAX).unwrap_or_default();
            let events = lines.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Event<'_>>(line).ok());
            state.waiting = events.map(Event::into_owned).collect();
            state.stored = state.waiting.len();
        }
        Some(state)
    }

    /// Keeps the events that wait for older ones, and no others.
    fn keep_waiting(&self, state: &mut State) -> io::Result<()> {
        let mut lines = Vec::new();
        for event in state.waiting.get(state.stored..).unwrap_or_default() {
            serde_json::to_writer(&mut lines, event)?;
            lines.push(b'\n');
        }
        state.stored = state.waiting.len();
        if !lines.is_empty() {
            self.waiting.append(&lines)
        } else if state.waiting.is_empty() {
            self.waiting.empty()
        } else {
            Ok(())
        }
    }

    /// Takes in what others left in the overflow, if the lock is ours. The file is emptied by
    /// [`Slot::finish`], once the state that holds it is in place.
    pub fn take_overflow(&mut self, state: &mut State, scope: &Scope) {
        if self.is_locked() && !self.overflow.is_empty() {
            let is_fresh = state.version == 0;
            let lines = self.overflow.read(u64::MAX).unwrap_or_default();
            state.apply_lines(&lines, scope);
            self.taken = lines.len();
            if is_fresh {
                // The state that they were left to is lost, and the transcript tells of them.
                state.waiting.clear();
            }
        }
    }

    /// Writes the state beside its place. An error here means that nothing can be remembered.
    ///
    /// # Errors
    /// When the folder is read-only, the disk full, and so on.
    pub fn prepare(&self, state: &mut State) -> io::Result<Replacement> {
        Replacement::prepare(&self.state, &state.encode()?)
    }

    /// Puts a prepared state in place, and empties the overflow of what it holds.
    ///
    /// # Errors
    /// When the state cannot be put in place, or the overflow cannot be emptied.
    pub fn finish(&self, prepared: Replacement, state: &mut State, scope: &Scope) -> io::Result<()> {
        // What waited for older events with a state that is lost is in the transcript, which is read again.
        let emptied = if state.refold.is_some() && state.stored == 0 { self.waiting.empty() } else { Ok(()) };
        prepared.commit()?;
        if !self.overflow.is_empty() {
            self.overflow.rewrite(|lines| {
                let since = lines.get(self.taken..).unwrap_or_default();
                if !since.is_empty() {
                    state.apply_lines(since, scope);
                    self.prepare(state)?.commit()?;
                }
                Ok(Some(Vec::new()))
            })?;
        }
        emptied?;
        self.keep_waiting(state)
    }

    /// Leaves a change to the next holder of the lock.
    ///
    /// # Errors
    /// When the overflow cannot be written.
    pub fn overflow(&self, record: &Record<'_>) -> io::Result<()> {
        if self.overflow.size() > MAX_OVERFLOW_BYTES {
            return Err(io::Error::other("the overflow is full: no call has had the lock for long"));
        }
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.overflow.append(&line)
    }
}

/// The state folder: `$XDG_STATE_HOME/turnstop`, else the platform's own place below the home directory.
pub fn state_dir(env: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name: &str| env(name).filter(|value| Path::new(value).is_absolute()).map(PathBuf::from);
    if let Some(state) = absolute("XDG_STATE_HOME") {
        return Some(state.join("turnstop"));
    }
    let below_home = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/state" };
    Some(absolute("HOME")?.join(below_home).join("turnstop"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_id_never_leaves_its_folder() {
        for id in ["../../../../etc/passwd", "", ".", "a/b", "a\0b", &"x".repeat(65), "ä"] {
            let name = safe_name(id);
            assert!(name.starts_with("hashed_") && name.len() == 23, "{id:?} -> {name}");
        }
        assert_eq!(safe_name("00000000-0000-4000-8000-000000000001"), "00000000-0000-4000-8000-000000000001");
    }

    #[test]
    fn the_state_folder_follows_the_environment() {
        let env = |pairs: &'static [(&str, &str)]| {
            move |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        assert_eq!(state_dir(env(&[("XDG_STATE_HOME", "/s"), ("HOME", "/h")])), Some("/s/turnstop".into()));
        assert_eq!(state_dir(env(&[("XDG_STATE_HOME", "relative")])), None);
        assert!(state_dir(env(&[("HOME", "/h")])).is_some_and(|dir| dir.starts_with("/h")));
    }

    #[test]
    fn what_cannot_fit_is_no_state_rather_than_an_endless_try() {
        assert!(State::new("x".repeat(MAX_STATE_BYTES), None).encode().is_err());
    }

    #[test]
    fn what_is_seen_live_waits_until_older_events_are_read() -> io::Result<()> {
        use crate::session::event::{Action, Call, EventKind, Outcome};
        use crate::shell::Dialect;
        let ended = |command: &'static str| {
            let call = Call::new("t".into(), "Bash".into(), Action::Shell { command: command.into(), dialect: Dialect::Bash }, false);
            let outcome = Outcome::Failed { status: Some(1), timed_out: false, output: "".into() };
            let kind = EventKind::CallEnded { call, outcome };
            let noted = crate::session::event::Noted::default();
            Event { session: "s".into(), agent: "".into(), cwd: "/w".into(), branch: None, time: None, line: 0, kind, noted }
        };
        let scope = Scope::default();
        let dir = tempfile::tempdir()?;
        let slot = Store::open(dir.path().join("state"))?.slot("s")?;
        let mut state = State::new(String::new(), Some(Refold::default()));
        let order = ["cargo build", "cargo test", "cargo clippy"];
        for live in &order[1..] {
            state.apply(Record::of(ended(live)), &scope);
            let prepared = slot.prepare(&mut state)?;
            slot.finish(prepared, &mut state, &scope)?;
            state = slot.load().expect("kept");
        }
        state.facts.fold(&ended(order[0]), &scope);
        let mut whole = Facts::default();
        for command in order {
            whole.fold(&ended(command), &scope);
        }
        assert_eq!(*state.known_facts(&scope), whole);
        state.end_refold(&scope);
        assert_eq!(state.facts, whole);
        let prepared = slot.prepare(&mut state)?;
        slot.finish(prepared, &mut state, &scope)?;
        assert!(slot.waiting.is_empty() && slot.load().expect("kept").facts == whole);
        Ok(())
    }

    #[test]
    fn an_overflow_is_taken_in_once() -> io::Result<()> {
        use crate::session::event::EventKind;
        let dir = tempfile::tempdir()?;
        let store = Store::open(dir.path().join("state"))?;
        let scope = Scope::default();
        let event = || Event {
            session: "s".into(),
            agent: "".into(),
            cwd: "".into(),
            branch: None,
            time: None,
            line: 0,
            noted: crate::session::event::Noted::default(),
            kind: EventKind::Prompt { text: "go on".into(), by_person: true },
        };
        let mut slot = store.slot("s")?;
        slot.overflow(&Record { all_closed: true, ..Record::of(event()) })?;
        let mut state = State::default();
        slot.take_overflow(&mut state, &scope);
        // What was opened after the prompt is not closed by it when the overflow is emptied.
        let open = OpenCall { id: "t".into(), agent: String::new(), cwd: "/w".into(), at: 1, writes: Vec::new() };
        state.apply(Record { open: Some(open), ..Record::of(event()) }, &scope);
        let prepared = slot.prepare(&mut state)?;
        slot.finish(prepared, &mut state, &scope)?;
        assert!(slot.overflow.is_empty());
        assert_eq!(slot.load().expect("a state").observed.open.len(), 1);
        Ok(())
    }

    #[test]
    fn a_state_file_stays_within_its_bound() {
        let mut state = State::default();
        state.observed.said = vec![u64::MAX; MAX_SAID].into();
        let event = |n: usize| {
            let command = format!("cp a '/tmp/{n}{}'", "\u{1}".repeat(300));
            serde_json::to_string(&command).expect("serializes");
            command
        };
        for n in 0..200 {
            let command = event(n);
            let call = super::super::event::Call::new(
                "".into(),
                "Bash".into(),
                super::super::event::Action::Shell { command: command.into(), dialect: crate::shell::Dialect::Bash },
                false,
            );
            let outcome =
                super::super::event::Outcome::Succeeded { output: "".into(), interpretation: None, truncated: false, committed: false };
            let event = Event {
                session: "s".into(),
                agent: "".into(),
                cwd: "/w".into(),
                branch: None,
                time: None,
                line: 0,
                noted: crate::session::event::Noted::default(),
                kind: super::super::event::EventKind::CallEnded { call, outcome },
            };
            state.facts.fold(&event, &Scope::default());
        }
        assert!(state.encode().expect("serializes").len() <= MAX_STATE_BYTES);
    }
}
