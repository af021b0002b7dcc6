//! A baseline: the fingerprints of what was found once and acknowledged.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::finding::Finding;
use crate::fs::{self, Replacement};
use crate::scan::Scan;
use crate::text;

/// Version of the file's form.
const VERSION: u32 = 1;
/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// Stale entries that are told one by one.
const MAX_STALE: usize = 10;

/// The same for the same thing over all scans, on any machine, and another when it happens again: of the rule, of
/// what it is about, and of when it was done last, or where.
pub fn fingerprint(finding: &Finding, project: &Path) -> String {
    let project = project.to_string_lossy();
    // A checkout may stand elsewhere tomorrow.
    let portable = |text: &str| if project.len() > 1 { text.replace(&*project, ".") } else { text.to_owned() };
    let mut identity = format!("{}\0{}", finding.rule.id, portable(&finding.key));
    if let Some(last) = finding.places.last() {
        // A resumed or forked session repeats a call with its time. Lines move when a file is edited.
        let _ = match &last.time {
            Some(time) => write!(identity, "\0{time}\0{}", last.excerpt),
            None if !last.session.is_empty() => write!(identity, "\0{}", last.session),
            None => write!(identity, "\0{}", portable(&last.file)),
        };
    }
    format!("{:032x}", xxh3_128(identity.as_bytes()))
}

/// What is acknowledged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: BTreeMap<String, Entry>,
}

/// What a person is told of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Entry {
    rule: String,
    message: String,
    session: String,
}

#[derive(Serialize, Deserialize)]
struct Document {
    version: u32,
    tool: String,
    findings: BTreeMap<String, Entry>,
}

impl Baseline {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read or is no baseline of this version: one line, without a final stop.
    pub fn read(path: &Path) -> Result<Self, String> {
        let say = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
        let bytes = fs::read_regular(path, MAX_BYTES).map_err(|error| say(&error))?;
        let document: Document = serde_json::from_slice(&bytes).map_err(|error| say(&format_args!("not a baseline: {error}")))?;
        if document.version != VERSION {
            return Err(say(&format_args!("a baseline of version {}, and this is for version {VERSION}", document.version)));
        }
        Ok(Baseline { entries: document.findings })
    }

    /// What a scan found, but for what the config allows; and, where a part was left out, what was acknowledged
    /// `before`.
    pub fn of(scan: &Scan, before: Option<Self>) -> Self {
        let mut entries = before.filter(|_| scan.read.is_bounded()).unwrap_or_default().entries;
        let acknowledged = scan.suppressed.iter().filter(|suppressed| suppressed.by == super::By::Baseline);
        let found = scan.findings.iter().filter(|spotted| !spotted.prevented);
        for spotted in acknowledged.map(|suppressed| &suppressed.spotted).chain(found) {
            let finding = &spotted.finding;
            let session = finding.places.last().map(|place| place.session.clone()).unwrap_or_default();
            let entry = Entry { rule: finding.rule.id.to_owned(), message: finding.message.clone(), session };
            entries.insert(spotted.fingerprint.clone(), entry);
        }
        Baseline { entries }
    }

    /// Puts it in place at `path`, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let document = Document { version: VERSION, tool: env!("CARGO_PKG_NAME").to_owned(), findings: self.entries.clone() };
        let text = serde_json::to_string_pretty(&document)? + "\n";
        Replacement::prepare(path, text.as_bytes())?.commit()
    }

    /// How many findings it acknowledges.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Does it acknowledge nothing?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Is the finding of this fingerprint acknowledged?
    pub fn holds(&self, fingerprint: &str) -> bool {
        self.entries.contains_key(fingerprint)
    }

    /// What to say of entries that nothing was found for.
    pub(super) fn stale(&self, scan: &Scan) -> Vec<String> {
        let met: HashSet<&str> = scan.suppressed.iter().map(|known| known.spotted.fingerprint.as_str()).collect();
        let stale: Vec<_> = self.entries.iter().filter(|(print, _)| !met.contains(print.as_str())).collect();
        let say = |(print, entry): &(&String, &Entry)| {
            let what = format!("{}: {}", text::name(&entry.rule, 80), text::name(&entry.message, 200));
            format!("the baseline acknowledges what is no longer found: {what} ({})", text::head(print, 8))
        };
        let mut lines: Vec<String> = stale.iter().take(MAX_STALE).map(say).collect();
        if stale.len() > MAX_STALE {
            lines.push(format!("the baseline acknowledges {} more that are no longer found", stale.len() - MAX_STALE));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::finding;
    use super::*;

    #[test]
    fn a_fingerprint_is_of_the_thing_and_of_when_it_was_done() {
        let project = Path::new("/w/app");
        let mut first = finding("/w/app/a.md", "cp a b");
        first.places[0].time = Some("2026-06-01T00:00:00.000Z".into());
        let print = fingerprint(&first, project);
        first.places[0].line = 9;
        first.message = "in other words".into();
        first.places[0].session = "a fork".into();
        assert_eq!(fingerprint(&first, project), print);
        first.key = "/v/app/a.md".into();
        assert_eq!(fingerprint(&first, Path::new("/v/app")), print, "the same checkout elsewhere");
        first.places[0].time = Some("2026-06-02T00:00:00.000Z".into());
        assert_ne!(fingerprint(&first, Path::new("/v/app")), print, "done again");
    }

    #[test]
    fn what_is_written_is_read_and_what_is_none_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("baseline.json");
        assert!(Baseline::read(&path).is_err());
        let baseline = Baseline { entries: BTreeMap::from([("abc".to_owned(), Entry::default())]) };
        baseline.write(&path).expect("written");
        assert_eq!(Baseline::read(&path), Ok(baseline));
        for text in ["[]", "{}", "{\"version\": 2, \"tool\": \"turnstop\", \"findings\": {}}"] {
            std::fs::write(&path, text).expect("written");
            assert!(Baseline::read(&path).is_err(), "{text}");
        }
    }
}
