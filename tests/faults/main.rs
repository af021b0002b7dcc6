//! The hook among faults: killed, without room, without a home, among files that are damaged, in the way or
//! somebody else's, with input of every kind.
//!
//! Whatever happens, it answers in time with status 0 and one JSON object or nothing, touches no file but its own, and
//! the next call that nothing befalls is answered as ever. `docs/faults.md` lists what is tried.

mod clock;
mod crowds;
mod damage;
mod failing;
mod folders;
mod homes;
mod input;
mod kills;
mod strange_files;
#[expect(dead_code, reason = "the tests of the hook need more of it")]
#[path = "../hook/support.rs"]
mod support;
mod tracer;
mod transcripts;
mod trial;
