//! turnstop: a hook for coding agents.
//!
//! Events are the only thing that crosses from a client (`agent`) to the session record
//! (`session`), findings the only thing that leaves it. `ARCHITECTURE.md` shows the rooms.

pub mod agent;
pub mod cli;
pub mod config;
pub mod finding;
pub mod fs;
pub mod hook;
pub mod meta;
pub mod own;
pub mod policy;
pub mod records;
pub mod redact;
pub mod report;
pub mod rules;
pub mod scan;
pub mod session;
pub mod shell;
pub mod suppress;
pub mod text;
pub mod world;
