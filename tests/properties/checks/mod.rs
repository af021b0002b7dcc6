//! What must hold of any input whatever: one file a room, one function a fuzz target. Each takes bytes that nobody
//! has looked at, and panics when what it is named for does not hold.
//!
//! `cargo fuzz` runs them for as long as it is let (`fuzz/run`); `tests/properties` runs them over the seeds.

pub(crate) mod claims;
pub(crate) mod config;
pub(crate) mod hook;
pub(crate) mod records;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod shell;
pub(crate) mod state;
pub(crate) mod text;
pub(crate) mod transcripts;
pub(crate) mod verdict;

use std::borrow::Cow;
use std::path::PathBuf;

/// A check, under the name of its fuzz target.
pub(crate) struct Target {
    /// The name.
    pub(crate) name: &'static str,
    /// What is called with every input.
    pub(crate) check: fn(&[u8]),
}

/// Every fuzz target.
pub(crate) const TARGETS: &[Target] = &[
    Target { name: "hook", check: hook::payload },
    Target { name: "claude", check: transcripts::claude },
    Target { name: "codex", check: transcripts::codex },
    Target { name: "shell", check: shell::effects_of_any_text },
    Target { name: "verdict", check: verdict::of_any_output },
    Target { name: "claims", check: claims::claims_of_any_message },
    Target { name: "settings", check: settings::of_any_text },
    Target { name: "state", check: state::of_any_files },
    Target { name: "config", check: config::of_any_files },
    Target { name: "records", check: records::of_any_text },
    Target { name: "text", check: text::what_is_shown_of_any_text },
];

/// The bytes as text, as the readers of files take it.
pub(crate) fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// The parts of an input that is several texts: they have a NUL between them, and the last holds what is left.
pub(crate) fn parts<const N: usize>(bytes: &[u8]) -> [&[u8]; N] {
    let mut parts = bytes.splitn(N, |byte| *byte == 0);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// Nothing in it moves a terminal's cursor, changes the order of what is read, or hides.
#[track_caller]
pub(crate) fn assert_harmless(shown: &str) {
    let harmful = |c: char| {
        c.is_control() || matches!(c, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}')
    };
    assert!(!shown.contains(harmful), "a control or bidirectional character in {shown:?}");
}

/// Where files are made that are gone a moment later: in memory, where that is to be had.
fn scratch() -> PathBuf {
    let memory = PathBuf::from("/dev/shm");
    if memory.is_dir() { memory } else { std::env::temp_dir() }
}
