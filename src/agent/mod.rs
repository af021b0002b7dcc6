//! The format contract: the only code that knows a client's hook payloads, replies, transcript lines,
//! folders and settings. Each client is one folder.
//!
//! # What a client must provide
//!
//! | page | gives |
//! |---|---|
//! | `events` | the one table of hook events, from which installer, snippets and plugin files are made |
//! | `hook` | `parse(&[u8]) -> Option<Payload>`: a payload to an [`Event`](crate::session::event::Event); `None` for what turnstop does not follow. Never fails as a whole for one bad field |
//! | `reply` | `Reply`: what may be said, to the JSON (or the exit code) the client takes it in. Empty where the event cannot carry it |
//! | `transcript` | `Reader`: a session file, line by line, to the same events; resumable at a byte offset; counts what it could not read. The shared [`transcript::Reader`] with a [`transcript::Joiner`] of the client's |
//! | `outcome` | how a result reads, for `hook` and `transcript` alike, so that a scan agrees with what was said live |
//! | `layout` | where the client keeps sessions of a project |
//! | `settings` | installing and removing the hook entries |
//!
//! A client that is only scanned (`codex`) provides `transcript`, which it calls `rollout`, `outcome` and `layout`.
//!
//! Who reads what clients have recorded knows none of them: [`Client`] finds the sessions of a project, each one
//! [`Recorded`], and opens a [`transcript::Transcript`]. Live, a client is chosen once, by the command line, and never
//! through a pointer.
//! Nothing here reads the environment, the clock or a repository.

pub mod claude;
pub mod codex;
pub mod json;
mod lines;
mod sessions;
mod strings;
pub mod transcript;
mod value_end;

pub use sessions::{Client, Found, Recorded, Variable};
pub use value_end::ValueEnd;
