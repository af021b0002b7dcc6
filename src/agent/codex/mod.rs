//! `OpenAI` Codex CLI: what it leaves on disk.
//!
//! Two generations of session files: bare items of the model's conversation below a first line about the
//! session, and, since autumn 2025, each item in an envelope that says when and what it is.

mod call;
pub mod history;
pub mod layout;
mod outcome;
mod packed;
mod patch;
pub mod rollout;
mod script;
pub mod sessions;
