//! `session/stale-memory`

use super::{RecordCtx, RecordRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::records::Record;
use crate::records::memory::Memory;
use crate::records::paths::{self, PathClaim};
use crate::text;

declare_rule! {
    /// # What it sees
    ///
    /// A memory of the project that names a path where nothing is: below the project, its work tree or the folder around
    /// it, below the home folder, or an absolute one.
    ///
    /// # Why it matters
    ///
    /// An agent believes what it remembers. It looks for the file, does not find it, and makes it anew.
    ///
    /// # Example
    ///
    /// "The client lives in `src/api/client.ts`", two months after it was moved.
    ///
    /// # What to do instead
    ///
    /// Write the new path into the memory, or drop the memory.
    ///
    /// # Not flagged
    ///
    /// Paths in fenced code, addresses, slash commands, patterns and templates, commands as a whole; what the text itself
    /// calls removed, moved, planned or ignored; what a build makes (`dist/`, `target/`); a path that is right from some
    /// folder within the project; paths of another machine.
    ///
    /// # Options
    ///
    /// None.
    pub struct StaleMemory {
        id: "session/stale-memory",
        summary: "a memory names paths that no longer exist",
        trigger: "a memory of the project names a path at which there is nothing",
        message: "Memory \"<name>\" references <N> path(s) that no longer exist: <paths>",
        severity: Info,
        confidence: Verified,
        moments: [SessionStart, Scan],
        loudest: Note,
        options: [],
        since: "0.1.0",
    }
}

impl RecordRule for StaleMemory {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn check(&self, record: &Record<'_>, cx: &RecordCtx<'_>, out: &mut Findings) {
        let Record::Memories(memories) = record;
        for memory in memories.all() {
            let gone: Vec<PathClaim> = paths::claims(&memory.body).into_iter().filter(|claim| cx.outside.is_gone(claim)).collect();
            if !gone.is_empty() {
                out.push(finding(memory, &gone));
            }
        }
    }
}

fn finding(memory: &Memory, gone: &[PathClaim]) -> Finding {
    let shown: Vec<String> = gone.iter().map(|claim| text::name(&claim.shown, 120)).collect();
    let message = StaleMemory::META.message.replace("<name>", &super::name_of(memory)).replace("<N>", &gone.len().to_string());
    let message = message.replace("<paths>", &super::names(&shown));
    let place = |(claim, shown): (&PathClaim, &String)| Place {
        role: "names",
        file: memory.file.to_string_lossy().into_owned(),
        line: memory.line(claim.line),
        excerpt: shown.clone(),
        ..Place::default()
    };
    Finding {
        rule: StaleMemory::META,
        severity: Severity::Info,
        confidence: Confidence::Verified,
        evidence: vec![message.clone()],
        message,
        remedy: "write the new paths into the memory, or drop it".to_owned(),
        places: gone.iter().zip(&shown).take(super::MAX_NAMED).map(place).collect(),
        ask: Ask::Note,
        key: memory.file.to_string_lossy().into_owned(),
        standing: shown.join("\n"),
        forecast: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::{Standing, asked};

    fn found(body: &str, there: &[&str]) -> Vec<String> {
        asked(&StaleMemory, &[("notes.md", body)], &Standing { paths: there, ..Standing::default() })
    }

    #[test]
    fn hit_a_path_that_is_gone() {
        let body = "---\nname: api notes\n---\nThe client is in `src/api/client.ts`, the server in `src/api/server.ts`.\n";
        let message = "Memory \"api notes\" references 1 path(s) that no longer exist: src/api/client.ts";
        assert_eq!(found(body, &["src/api/server.ts"]), [message]);
    }

    #[test]
    fn ok_what_is_there_and_what_is_no_claim() {
        assert!(found("see `src/a.ts` and ~/x/b.toml", &["src/a.ts", "x/b.toml"]).is_empty());
        assert!(found("```\nsrc/a.ts\n```\n`src/b.ts` was removed, /clear helps", &[]).is_empty());
    }
}
