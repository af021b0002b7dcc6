//! What the output of a gate's run says: passed, failed, nothing executed.
//!
//! Only summary lines count, each known by its shape ([`table`]); what a program logs is none.

mod counts;
mod lines;
mod pattern;
mod reading;
mod table;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::shell::gates::Gate;
use reading::read;

/// What a run came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It passed.
    Pass,
    /// It failed.
    Fail,
    /// It ran and there was nothing to execute: zero tests.
    NothingExecuted,
    /// Nobody can tell.
    #[default]
    Unknown,
}

/// Of which run an output is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// The class that is asked about.
    pub gate: Gate,
    /// The program that prints the summary (`pytest`, `cargo`, `jest`); empty when unknown.
    pub runner: &'static str,
    /// No other gate ran in the same call: a line that names no gate is about this one.
    pub alone: bool,
    /// All that was printed is there.
    pub whole: bool,
}

/// What an output says of one gate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The verdict.
    pub verdict: Verdict,
    /// The line that it rests on; empty when there is none.
    pub line: String,
    /// How many tests passed, over all blocks, where the output says it.
    pub passed: Option<u64>,
    /// How many tests failed, or problems were found.
    pub failed: Option<u64>,
}

/// How much of the end of an output is looked at for summary lines, in bytes.
const WINDOW: usize = 2500;

/// How much of the end of a longer output than [`MAX_WHOLE`] is freed of escape sequences to get the window.
const RAW_WINDOW: usize = 4 * WINDOW;

/// Longest output that is read whole, to add up all blocks, in bytes: clients cut long before.
const MAX_WHOLE: usize = 128 << 10;

/// Longest line that is kept, in bytes.
const MAX_LINE: usize = 160;

/// Reads the end of an output; all of it to add up what was executed, and to be sure that nothing was.
pub fn summary(output: &str, asked: &Asked) -> Summary {
    let rows = table::rows(asked.runner, asked.gate);
    let is_short = output.len() <= MAX_WHOLE;
    let whole_is_read = asked.whole && is_short;
    let plain = lines::plain(if is_short { output } else { tail(output, RAW_WINDOW) });
    let end = tail(&plain, WINDOW);
    let mut found = read(end, &rows, asked);
    let mut verdict = found.verdict();
    let mut counts = found.counts;
    // What is at the end may be one block of several.
    if whole_is_read && end.len() < plain.len() && (counts.tell() || verdict == Verdict::NothingExecuted) {
        let all = read(&plain, &rows.of_blocks(), asked);
        counts = all.counts;
        match (verdict, all.verdict()) {
            (Verdict::NothingExecuted, Verdict::Pass) => (verdict, found) = (Verdict::Pass, all),
            (Verdict::NothingExecuted, Verdict::Fail) => verdict = Verdict::Unknown,
            _ => {}
        }
    }
    if verdict == Verdict::NothingExecuted && (!whole_is_read || is_cut(output)) {
        verdict = Verdict::Unknown;
    }
    let line = found.line(verdict);
    match verdict {
        Verdict::Unknown => Summary::default(),
        Verdict::Pass => Summary { verdict, line, passed: counts.good(), failed: found.counts.failed.0.map(|_| 0) },
        Verdict::Fail | Verdict::NothingExecuted => Summary { verdict, line, passed: counts.good(), failed: counts.failed.0 },
    }
}

/// The last `bytes` bytes of `text`, or a little less: whole lines only.
fn tail(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let start = text.ceil_char_boundary(text.len() - bytes);
    let cut = &text[start..];
    // One line that is longer than all that is looked at is no summary.
    cut.split_once(['\n', '\r']).map_or("", |(_, rest)| rest)
}

/// Did the client take something out of the middle?
fn is_cut(output: &str) -> bool {
    ["characters truncated", "lines truncated", "output truncated"].iter().any(|mark| output.contains(mark))
}
