//! Who wrote which fixed temporary path, across all sessions of the user: one row per path, session and
//! agent, in the order the writes happened.
//!
//! An append-only file of JSON lines. A later write or removal of the same key takes the place of an
//! earlier one; the order of the rows, not their time stamps, says who wrote after whom. Rows are dropped when they are
//! older than [`MAX_AGE`] or more than [`MAX_ROWS`]: what they said is then unknown.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use memchr::{memchr2, memrchr_iter};
use serde::{Deserialize, Serialize};

use super::scope::SharedPath;
use crate::fs::{Identity, Journal};

/// Most rows kept.
pub const MAX_ROWS: usize = 4096;
/// Greatest age of a row, in milliseconds: seven days.
pub const MAX_AGE: u64 = 7 * 24 * 60 * 60 * 1000;
/// Size past which the file is rewritten without what is superseded, in bytes.
const REWRITE_BYTES: u64 = 1 << 20;
/// How much a rewrite keeps of the newest rows, in bytes.
const MAX_KEPT_BYTES: usize = 2 << 20;
/// How much of the file's end a call reads, in bytes. More than that was appended since the last rewrite
/// only if no turn has ended for very long; what is older is then unknown.
const MAX_READ_BYTES: u64 = 4 << 20;
/// A call that has been open for longer than this was abandoned, in milliseconds: an hour.
const MAX_OPEN: u64 = 60 * 60 * 1000;

/// What one writer last did with one path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The path. First in the line, so that a look-up can pass over other paths' rows undecoded.
    pub path: String,
    /// The session.
    #[serde(flatten)]
    pub writer: Writer,
    /// The call's id.
    pub call: String,
    /// What happened.
    pub act: Act,
}

/// Who wrote, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Writer {
    /// The session id.
    pub session: String,
    /// The subagent; empty for the main agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// The folder the session works in.
    pub project: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// What happened to the path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Act {
    /// A call that will write it was let through and has not ended yet.
    Open,
    /// It was written.
    Wrote {
        /// The whole content was replaced.
        whole: bool,
        /// The content right after the call; `None` when it cannot be vouched for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        content: Option<Identity>,
        /// Where the bytes come from.
        #[serde(default, skip_serializing_if = "Origin::is_own")]
        origin: Origin,
    },
    /// It was removed, or moved away.
    Removed,
    /// The open call came to nothing.
    Closed,
}

/// Where the bytes at a path come from, from the best to the worst.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// From the writer.
    #[default]
    Own,
    /// Nobody can tell.
    Unknown,
    /// In part from something that changed the file without being seen.
    Changed,
    /// In part from this other writer.
    Foreign(Box<Writer>),
}

impl Origin {
    fn is_own(&self) -> bool {
        *self == Origin::Own
    }

    fn rank(&self) -> u8 {
        match self {
            Origin::Own => 0,
            Origin::Unknown => 1,
            Origin::Changed => 2,
            Origin::Foreign(_) => 3,
        }
    }

    /// Is a mixture with this worse than one with `other`?
    pub fn is_worse_than(&self, other: &Origin) -> bool {
        self.rank() > other.rank()
    }
}

/// The ledger of a user.
#[derive(Debug)]
pub struct Ledger {
    journal: Journal,
}

impl Ledger {
    /// The ledger in the state folder `dir`.
    pub fn new(dir: &Path) -> Self {
        Ledger { journal: Journal::new(dir.join("temp-ledger.jsonl")) }
    }

    /// Adds rows, all of them in one write.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&self, rows: &[Row]) -> io::Result<()> {
        self.journal.append(&lines(rows)?)
    }

    /// What it holds now.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn read(&self) -> io::Result<Rows> {
        Ok(Rows(self.journal.read(MAX_READ_BYTES)?))
    }

    /// Drops what is superseded, too old or too much, when the file has grown large.
    ///
    /// # Errors
    /// When the file cannot be rewritten, or is in use.
    pub fn compact(&self, now: u64) -> io::Result<()> {
        if self.journal.size() < REWRITE_BYTES {
            return Ok(());
        }
        self.journal.rewrite(|bytes| {
            let mut rows = latest(bytes, |_| true);
            rows.retain(|row| row.act != Act::Removed && now.saturating_sub(row.writer.at) <= MAX_AGE);
            let mut over = rows.len().saturating_sub(MAX_ROWS);
            let mut kept = lines(&rows[over..])?;
            while kept.len() > MAX_KEPT_BYTES {
                over += (rows.len() - over).div_ceil(2);
                kept = lines(&rows[over..])?;
            }
            Ok(Some(kept))
        })
    }
}

fn lines(rows: &[Row]) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for row in rows {
        serde_json::to_writer(&mut lines, row)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// What the ledger held when it was read.
#[derive(Debug, Default)]
pub struct Rows(Vec<u8>);

impl Rows {
    /// The rows that an act upon `at` touches and that still say something: the last write or removal of each
    /// path and writer, and open calls, in the order they were written.
    pub fn touched_by(&self, at: &SharedPath) -> Vec<Row> {
        latest(&self.0, |path| at.touches(path))
    }
}

impl Row {
    /// Was it written by this session and agent?
    pub fn is_by(&self, session: &str, agent: &str) -> bool {
        self.writer.session == session && self.writer.agent == agent
    }

    /// Is it too old to say anything at `now`, in milliseconds since 1970?
    pub fn is_stale(&self, now: u64) -> bool {
        let age = now.saturating_sub(self.writer.at);
        age > MAX_AGE || (self.act == Act::Open && age > MAX_OPEN)
    }
}

/// The rows that still say something, of the paths that are `wanted`. Damaged lines are passed over.
fn latest(bytes: &[u8], wanted: impl Fn(&str) -> bool) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let (mut settled, mut ended) = (HashSet::new(), HashSet::new());
    let mut end = bytes.len();
    for start in memrchr_iter(b'\n', bytes).map(|newline| newline + 1).chain([0]) {
        let line = &bytes[start..end];
        end = start.saturating_sub(1);
        if !line_path(line).is_none_or(&wanted) {
            continue;
        }
        let Ok(row) = serde_json::from_slice::<Row>(line) else { continue };
        if !wanted(&row.path) {
            continue;
        }
        let key = (row.path.clone(), row.writer.session.clone(), row.writer.agent.clone());
        let first_of_call = ended.insert((key.clone(), row.call.clone()));
        let speaks = match row.act {
            Act::Open => first_of_call,
            Act::Closed => false,
            Act::Wrote { .. } | Act::Removed => settled.insert(key),
        };
        if speaks {
            rows.push(row);
        }
    }
    rows.reverse();
    rows
}
/// The path of a row, without decoding the row; `None` when that takes decoding.
fn line_path(line: &[u8]) -> Option<&str> {
    let rest = line.strip_prefix(b"{\"path\":\"")?;
    let end = memchr2(b'"', b'\\', rest)?;
    if rest[end] == b'\\' {
        return None;
    }
    std::str::from_utf8(&rest[..end]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(path: &str, session: &str, at: u64, act: Act) -> Row {
        let writer = Writer { session: session.into(), agent: String::new(), project: "/w/app".into(), at };
        Row { path: path.into(), writer, call: "t".into(), act }
    }

    fn wrote() -> Act {
        Act::Wrote { whole: true, content: None, origin: Origin::Own }
    }

    fn at(path: &str) -> SharedPath {
        SharedPath { path: path.into(), glob: false }
    }

    #[test]
    fn the_latest_row_of_each_writer_counts_in_the_order_of_writing() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let ledger = Ledger::new(dir.path());
        for (session, path) in [("a", "/tmp/x"), ("b", "/tmp/x"), ("b", "/tmp/y"), ("a", "/tmp/x"), ("c", "/tmp/q\"uote")] {
            ledger.append(&[row(path, session, 5, wrote())])?;
        }
        let sessions = |path: &str| -> io::Result<Vec<String>> {
            Ok(ledger.read()?.touched_by(&at(path)).into_iter().map(|row| row.writer.session).collect())
        };
        assert_eq!(sessions("/tmp/x")?, ["b", "a"]);
        assert_eq!(sessions("/tmp/q\"uote")?, ["c"]);
        assert_eq!(sessions("/tmp/none")?, [""; 0]);
        Ok(())
    }

    #[test]
    fn an_open_call_stands_beside_the_last_write_until_it_ends() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let ledger = Ledger::new(dir.path());
        let acts = || -> io::Result<Vec<Act>> { Ok(ledger.read()?.touched_by(&at("/tmp/x")).into_iter().map(|row| row.act).collect()) };
        ledger.append(&[row("/tmp/x", "a", 1, wrote()), Row { call: "u".into(), ..row("/tmp/x", "a", 2, Act::Open) }])?;
        assert_eq!(acts()?, [wrote(), Act::Open]);
        ledger.append(&[Row { call: "u".into(), ..row("/tmp/x", "a", 3, Act::Closed) }])?;
        assert_eq!(acts()?, [wrote()]);
        for (at, act) in [(4, Act::Open), (5, Act::Removed)] {
            ledger.append(&[Row { call: "v".into(), ..row("/tmp/x", "a", at, act) }])?;
        }
        assert_eq!(acts()?, [Act::Removed]);
        Ok(())
    }

    #[test]
    fn damaged_lines_are_passed_over() {
        let good = serde_json::to_string(&row("/tmp/x", "a", 1, wrote())).expect("serializes");
        let bytes = format!("{{\"path\":\"/tmp/x\",\"sess\n\u{0}\n{good}\n{{\"path\":\"/tmp/x");
        assert_eq!(latest(bytes.as_bytes(), |_| true).len(), 1);
    }

    #[test]
    fn a_large_ledger_is_compacted_to_its_bounds() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let ledger = Ledger::new(dir.path());
        let mut bytes = Vec::new();
        for n in 0..3 * MAX_ROWS {
            let row = row(&format!("/tmp/some-longer-name-{n:08}"), "a", if n % 3 == 0 { 0 } else { MAX_AGE }, wrote());
            serde_json::to_writer(&mut bytes, &row)?;
            bytes.push(b'\n');
        }
        std::fs::write(dir.path().join("temp-ledger.jsonl"), bytes)?;
        ledger.compact(MAX_AGE + 1)?;
        let rows = latest(&ledger.journal.read(u64::MAX)?, |_| true);
        assert_eq!(rows.len(), MAX_ROWS);
        assert!(rows.iter().all(|row| row.writer.at == MAX_AGE));
        assert_eq!(rows.last().map(|row| row.path.as_str()), Some("/tmp/some-longer-name-00012287"));
        Ok(())
    }
}
