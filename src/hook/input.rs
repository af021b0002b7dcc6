//! Standard input of the hook: one JSON value, and not a byte more is waited for.

use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::agent::ValueEnd;

/// How long the hook waits for the next bytes. The client writes the payload at once.
const SILENCE: Duration = Duration::from_secs(1);
/// How long it reads at all.
const DEADLINE: Duration = Duration::from_secs(5);
/// Largest payload, in bytes. A Write call carries whole files, so megabytes are common.
const MAX_BYTES: usize = 64 << 20;
/// Least room for one read, in bytes: what a pipe holds.
const CHUNK: usize = 64 << 10;

/// Reads one JSON value, or what there is of it when the input ends.
///
/// # Errors
/// What was wrong: nothing more came in time, or it is too large.
pub(super) fn read() -> Result<Vec<u8>, String> {
    let stdin = rustix::stdio::stdin();
    let start = Instant::now();
    let mut bytes = Vec::with_capacity(CHUNK);
    let mut end = ValueEnd::default();
    loop {
        let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
        let wait = Timespec { tv_sec: SILENCE.as_secs().cast_signed(), tv_nsec: 0 };
        match poll(&mut ready, Some(&wait)) {
            Ok(0) => return Err(format!("no end of the payload after {} bytes", bytes.len())),
            Err(rustix::io::Errno::INTR) if start.elapsed() < DEADLINE => continue,
            Err(error) => return Err(format!("standard input: {error}")),
            Ok(_) => {}
        }
        let before = bytes.len();
        bytes.reserve(CHUNK);
        rustix::io::read(stdin, spare_capacity(&mut bytes)).map_err(|error| format!("standard input: {error}"))?;
        if bytes.len() == before {
            return Ok(bytes);
        }
        if let Some(end) = end.feed(&bytes[before..]) {
            bytes.truncate(before + end);
            return Ok(bytes);
        }
        if bytes.len() > MAX_BYTES {
            return Err(format!("the payload is larger than {MAX_BYTES} bytes"));
        }
        if start.elapsed() > DEADLINE {
            return Err(format!("no end of the payload in {} s", DEADLINE.as_secs()));
        }
    }
}
