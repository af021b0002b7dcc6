//! `session/memory-index-overflow`

use super::{RecordCtx, RecordRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::records::Record;
use crate::records::memory::Memory;

declare_rule! {
    /// # What it sees
    ///
    /// A `MEMORY.md` of the project that is longer than what the client loads when a session starts: 200 lines, or
    /// 25,600 bytes. Each is told on its own.
    ///
    /// # Why it matters
    ///
    /// What stands beyond is never seen, and the agent does not know that there is more.
    ///
    /// # Example
    ///
    /// An index of 230 lines: the last 30 memories are as good as lost.
    ///
    /// # What to do instead
    ///
    /// Merge entries, drop old ones, and move detail into the memory that the entry points to.
    ///
    /// # Not flagged
    ///
    /// 200 lines and a newline after the last; a byte order mark counts for nothing.
    ///
    /// # Options
    ///
    /// None.
    pub struct MemoryIndexOverflow {
        id: "session/memory-index-overflow",
        summary: "the memory index is longer than what is loaded of it",
        trigger: "the project's `MEMORY.md` has more than 200 lines or more than 25,600 bytes",
        message: "MEMORY.md has <N> lines — only the first 200 are loaded. <excess> line(s) are effectively invisible",
        severity: Warning,
        confidence: Verified,
        moments: [SessionStart, Scan],
        loudest: Note,
        options: [],
        since: "0.1.0",
    }
}

/// What the client loads.
const MAX_LINES: usize = 200;
const MAX_BYTES: usize = 25_600;

/// The message about bytes.
const BYTES: &str = "MEMORY.md is <N> bytes — only the first 25,600 bytes are loaded. ~<excess> bytes are effectively invisible";

impl RecordRule for MemoryIndexOverflow {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn check(&self, record: &Record<'_>, _cx: &RecordCtx<'_>, out: &mut Findings) {
        let Record::Memories(memories) = record;
        for index in &memories.indexes {
            if index.lines > MAX_LINES {
                out.push(finding(index, Self::META.message, index.lines, MAX_LINES, "lines"));
            }
            if index.bytes > MAX_BYTES {
                out.push(finding(index, BYTES, index.bytes, MAX_BYTES, "bytes"));
            }
        }
    }
}

fn finding(index: &Memory, message: &str, found: usize, most: usize, what: &str) -> Finding {
    let message = message.replace("<N>", &found.to_string()).replace("<excess>", &(found - most).to_string());
    let file = index.file.to_string_lossy().into_owned();
    let line = if what == "lines" { u32::try_from(most + 1).unwrap_or_default() } else { 0 };
    Finding {
        rule: MemoryIndexOverflow::META,
        severity: Severity::Warning,
        confidence: Confidence::Verified,
        evidence: vec![message.clone()],
        message,
        remedy: "merge entries, drop old ones, and move detail into the memories they point to".to_owned(),
        places: vec![Place { role: "cut off here", file: file.clone(), line, ..Place::default() }],
        ask: Ask::Note,
        key: format!("{what}\0{file}"),
        standing: String::new(),
        forecast: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::{Standing, asked};

    fn found(text: &str) -> Vec<String> {
        asked(&MemoryIndexOverflow, &[("MEMORY.md", text)], &Standing::default())
    }

    #[test]
    fn hit_by_lines_by_bytes_and_by_both() {
        let lines = "MEMORY.md has 201 lines — only the first 200 are loaded. 1 line(s) are effectively invisible";
        assert_eq!(found(&"- e\n".repeat(201)), [lines]);
        let bytes = "MEMORY.md is 25601 bytes — only the first 25,600 bytes are loaded. ~1 bytes are effectively invisible";
        assert_eq!(found(&"x".repeat(25_601)), [bytes]);
        assert_eq!(found(&format!("{}\r\n", "x".repeat(200)).repeat(201)).len(), 2);
    }

    #[test]
    fn ok_at_the_limits() {
        assert!(found(&"- e\n".repeat(200)).is_empty());
        assert!(found(&"x".repeat(25_600)).is_empty());
    }

    #[test]
    fn ok_a_long_memory_is_no_index() {
        assert!(asked(&MemoryIndexOverflow, &[("topic.md", &"- e\n".repeat(500))], &Standing::default()).is_empty());
    }
}
