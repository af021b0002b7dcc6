//! Session files of each client, line by line.

use turnstop::agent::codex::{history, rollout};
use turnstop::agent::transcript::{Joiner, Reader};
use turnstop::agent::{claude, transcript::Counters};
use turnstop::session::event::Event;

use super::session;

/// Any lines, read as a transcript of Claude Code.
pub(crate) fn claude(bytes: &[u8]) {
    read::<_>(bytes, claude::transcript::Reader::new);
}

/// Any lines, read as a rollout of Codex, and as its history.
pub(crate) fn codex(bytes: &[u8]) {
    read::<_>(bytes, rollout::Reader::new);
    let mut entries = 0;
    let counters = history::read(bytes, &mut |entry| {
        entries += 1;
        assert!(entry.line >= 1);
    });
    let counters = counters.expect("bytes can be read");
    is_complete(bytes, &counters);
    assert_eq!(counters.events, entries);
}

/// Read in one go, with stops between, or from pieces: the same events, each line counted once.
fn read<'b, J: Joiner>(bytes: &'b [u8], reader: impl Fn(&'b [u8]) -> Reader<&'b [u8], J>) {
    let (events, counters) = events(reader(bytes), u64::MAX);
    let stopped = self::events(reader(bytes), 1);
    assert_eq!((&events, &counters), (&stopped.0, &stopped.1));
    is_complete(bytes, &counters);
    assert_eq!(usize::try_from(counters.events), Ok(events.len()));
    for event in &events {
        assert!(event.line <= counters.lines, "line {} of {}", event.line, counters.lines);
        session::survives_a_file(event);
    }
    session::tell(&events);
}

/// The events, read with a stop after every `most` bytes.
fn events<J: Joiner>(mut reader: Reader<&[u8], J>, most: u64) -> (Vec<Event<'static>>, Counters) {
    let mut events = Vec::new();
    let mut sink = |event: &mut Event<'_>| events.push(event.clone().into_owned());
    while !reader.read_while(&mut |read| read < most, &mut sink).expect("bytes can be read") {}
    let (counters, _) = reader.finish(&mut sink);
    (events, counters)
}

/// Every line is counted, and none twice.
fn is_complete(bytes: &[u8], counters: &Counters) {
    let ended = bytes.split(|byte| *byte == b'\n').count() - 1;
    let lines = usize::try_from(counters.lines).expect("a count");
    assert!(lines == ended || lines == ended + 1 && !bytes.ends_with(b"\n"), "{lines} of {ended}");
    assert!(counters.not_json + counters.misshapen <= counters.lines);
}
