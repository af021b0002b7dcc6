//! Catching up: a session whose state is lost, or that ran before the hook was installed, is read from its
//! transcript, a bounded piece before a call and the rest when there is time.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::agent::claude::layout;
use crate::agent::claude::transcript::Reader;
use crate::session::event::{Action, Event, EventKind};
use crate::session::facts::Facts;
use crate::session::scope::Scope;
use crate::session::store::{Refold, RefoldFile, State};

/// How many subagents' files are read beside the session's own.
const MAX_SUBAGENTS: usize = 32;
/// How many calls without a result are carried from one piece to the next, and how long each may be, in
/// bytes. What is more is taken as never run.
const MAX_PENDING: usize = 8;
const MAX_PENDING_BYTES: usize = 2 << 10;

/// How much may be read at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    bytes: u64,
    time: Duration,
}

impl Budget {
    /// A call waits for the answer. An unoptimised build reads many times slower, and must not stop short of what is tried
    /// with it.
    pub(super) const BEFORE_CALL: Budget =
        Budget { bytes: 1 << 20, time: Duration::from_millis(if cfg!(debug_assertions) { 2_000 } else { 20 }) };
    /// Nothing waits but the end of a turn. The client gives up on a hook after ten seconds.
    const AT_LEISURE: Budget = Budget { bytes: u64::MAX, time: Duration::from_secs(4) };

    pub(super) fn at(event: &EventKind<'_>) -> Self {
        match event {
            EventKind::SessionStart(_) | EventKind::TurnEnd { .. } => Budget::AT_LEISURE,
            _ => Budget::BEFORE_CALL,
        }
    }
}

/// What there is to read of a session that is met for the first time: all that its transcript holds now.
pub(super) fn begin(transcript: &Path) -> Option<Refold> {
    let subagents = layout::subagents(transcript);
    let paths = std::iter::once(transcript).chain(subagents.iter().map(AsRef::as_ref).take(MAX_SUBAGENTS));
    let files: Vec<RefoldFile> = paths.filter_map(whole_file).collect();
    (!files.is_empty()).then(|| Refold { files, ..Refold::default() })
}

fn whole_file(path: &Path) -> Option<RefoldFile> {
    let found = fs::metadata(path).ok().filter(|found| found.is_file() && found.len() > 0)?;
    Some(RefoldFile { path: path.to_str()?.to_owned(), inode: found.ino(), size: found.len(), ..RefoldFile::default() })
}

/// Reads on, within the budget. When all is read, what was seen live since is taken in after it.
pub(super) fn advance(state: &mut State, scope: &Scope, budget: Budget) {
    if state.waits_too_long() {
        state.end_refold(scope);
    }
    let Some(refold) = &mut state.refold else { return };
    let end = Instant::now() + budget.time;
    let mut left = budget.bytes;
    while let Some(file) = refold.files.first_mut() {
        let from = file.offset;
        let finished = read(file, &mut state.facts, &mut refold.pending, scope, left, end);
        left = left.saturating_sub(file.offset.saturating_sub(from));
        if !finished {
            return;
        }
        refold.files.remove(0);
        refold.pending.clear();
    }
    state.end_refold(scope);
}

/// Reads a piece of one file; true when nothing is left to read of it, or it cannot be read.
fn read(file: &mut RefoldFile, facts: &mut Facts, pending: &mut Vec<Event<'static>>, scope: &Scope, bytes: u64, end: Instant) -> bool {
    let path = Path::new(&file.path).to_owned();
    match fs::metadata(&path) {
        Ok(found) if found.ino() != file.inode || found.len() < file.offset => match whole_file(&path) {
            Some(whole) => *file = whole,
            None => return true,
        },
        Ok(_) => {}
        Err(_) => return true,
    }
    let Ok(mut reader) = Reader::open_at(&path, file.offset, file.lines) else { return true };
    let most = bytes.min(file.size.saturating_sub(file.offset));
    let ended = reader.read_while(&mut |read| read < most && Instant::now() < end, &mut |event| take(event, facts, pending, scope));
    file.offset = reader.offset();
    file.lines = reader.line();
    ended.unwrap_or(true) || file.offset >= file.size
}

/// Folds one event. A reader that goes on in the middle of a file knows the results of earlier calls, but
/// not the calls; `pending` does.
fn take(event: &Event<'_>, facts: &mut Facts, pending: &mut Vec<Event<'static>>, scope: &Scope) {
    match &event.kind {
        EventKind::CallStarted(call) if !matches!(call.action, Action::Read { .. } | Action::Other) => {
            let small = !matches!(&call.action, Action::Shell { command, .. } if command.len() > MAX_PENDING_BYTES);
            if small {
                pending.push(event.clone().into_owned());
                let over = pending.len().saturating_sub(MAX_PENDING);
                pending.drain(..over);
            }
        }
        EventKind::CallEnded { call, outcome } => {
            let started = pending.iter().position(|start| matches!(&start.kind, EventKind::CallStarted(known) if known.id == call.id));
            let started = started.map(|at| pending.remove(at));
            if let (Action::Other, Some(Event { kind: EventKind::CallStarted(call), cwd, .. })) = (&call.action, started) {
                let kind = EventKind::CallEnded { call, outcome: outcome.clone() };
                return facts.fold(&Event { cwd, kind, ..event.clone() }, scope);
            }
        }
        _ => {}
    }
    facts.fold(event, scope);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// A transcript of `calls` calls that each write a temporary file of its own.
    fn transcript(calls: usize) -> String {
        let mut text = String::new();
        for n in 0..calls {
            let call = serde_json::json!({"type": "assistant", "uuid": format!("a{n}"), "sessionId": "s", "cwd": "/w/app", "message": {
                "role": "assistant", "content": [{"type": "tool_use", "id": format!("t{n}"), "name": "Bash",
                "input": {"command": format!("cp a.txt /tmp/f{n}")}}]}});
            let result = serde_json::json!({"type": "user", "uuid": format!("r{n}"), "sessionId": "s", "cwd": "/w/app", "toolUseResult":
                {"stdout": "", "stderr": "", "interrupted": false}, "message": {"role": "user", "content":
                [{"type": "tool_result", "tool_use_id": format!("t{n}"), "content": "", "is_error": false}]}});
            let _ = write!(text, "{call}\n{result}\n");
        }
        text
    }

    #[test]
    fn a_transcript_read_in_pieces_gives_the_facts_of_the_whole() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let path = dir.path().join("s.jsonl");
        fs::write(&path, transcript(20))?;
        let scope = Scope::default();
        let read = |bytes: u64| {
            let mut state = State::new(String::new(), begin(&path));
            while state.refold.is_some() {
                // Saved and loaded between the pieces, as live.
                state = State::of_bytes(state.bytes().expect("serializes")).expect("reads back");
                advance(&mut state, &scope, Budget { bytes, time: Duration::from_secs(5) });
            }
            state.facts
        };
        let whole = read(u64::MAX);
        assert!(whole != Facts::default());
        for bytes in [1, 200, 700, 5000] {
            assert_eq!(read(bytes), whole, "{bytes} bytes at a time");
        }
        Ok(())
    }
}
