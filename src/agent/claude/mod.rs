//! Claude Code: what its hooks send and accept, what its transcripts hold, where it keeps things.
//!
//! Measured on client 2.1.332; the figures stand beside what they explain.

mod call;
pub mod events;
pub mod hook;
pub mod layout;
mod notice;
mod outcome;
pub mod reply;
pub mod settings;
pub mod transcript;
