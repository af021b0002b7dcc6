//! `session/unresolvable-sha`

use std::collections::BTreeMap;

use super::{RecordCtx, RecordRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::records::Record;
use crate::records::citations::{self, Around, Citation};
use crate::records::memory::Memory;
use crate::text;

declare_rule! {
    /// # What it sees
    ///
    /// A memory of the project that cites a commit which the repository does not have. What cites it is the word before
    /// it, in the same line: commit, SHA, revision, HEAD, tag, branch, PR, landed, merged, shipped, introduced, reverted,
    /// cherry-picked, backported, released; or, where it stands between backticks, fixed, removed, added, renamed, bumped.
    ///
    /// # Why it matters
    ///
    /// A squash or a rebase takes every commit of a branch away. An agent that asks for one gets an error, and has to
    /// find out anew what it was told.
    ///
    /// # Example
    ///
    /// "CI was removed in commit `1b18b85`", and `git show 1b18b85` says that there is no such object.
    ///
    /// # What to do instead
    ///
    /// Cite the pull request or the commit on the default branch, or say what changed.
    ///
    /// # Not flagged
    ///
    /// Digests, colours, ids, parts of names and addresses, fenced code; commits of another repository, where the sentence
    /// names it; short names that fit several objects; everything where git does not answer or the history is cut short.
    /// At most 500 commits are looked for.
    ///
    /// # Options
    ///
    /// None.
    pub struct UnresolvableSha {
        id: "session/unresolvable-sha",
        summary: "a memory cites a commit that the repository does not have",
        trigger: "a memory of the project cites a commit that git does not find",
        message: "cited commit <sha> does not resolve in this repository",
        severity: Warning,
        confidence: Verified,
        moments: [Scan],
        loudest: Silent,
        options: [],
        since: "0.1.0",
    }
}

/// Most commits that git is asked for.
const MAX_ASKED: usize = 500;

/// Most places of one citation that are told.
const MAX_PLACES: usize = 10;

/// As much of a line as can end up in an excerpt, in bytes.
const EXCERPT_BYTES: usize = 2 << 10;

impl RecordRule for UnresolvableSha {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn check(&self, record: &Record<'_>, cx: &RecordCtx<'_>, out: &mut Findings) {
        let Record::Memories(memories) = record;
        let neighbours = cx.siblings.iter().map(|sibling| sibling.name.to_lowercase()).collect();
        let around = Around { own: cx.here.repo.as_ref(), folder: &cx.here.name, neighbours };
        let mut cited: BTreeMap<&str, Vec<(&Memory, Citation<'_>)>> = BTreeMap::new();
        for memory in memories.all() {
            for citation in citations::citations(&memory.body, &around) {
                if cited.len() < MAX_ASKED || cited.contains_key(citation.sha) {
                    cited.entry(citation.sha).or_default().push((memory, citation));
                }
            }
        }
        let shas: Vec<&str> = cited.keys().copied().collect();
        let answers = cx.outside.commits(&shas);
        for ((sha, citing), answer) in cited.iter().zip(answers) {
            if answer == Some(false) {
                out.push(finding(sha, citing));
            }
        }
    }
}

fn finding(sha: &str, citing: &[(&Memory, Citation<'_>)]) -> Finding {
    let place = |(memory, citation): &(&Memory, Citation<'_>)| Place {
        role: "cited in",
        file: memory.file.to_string_lossy().into_owned(),
        line: memory.line(citation.line),
        excerpt: text::excerpt(&text::head(citation.says, EXCERPT_BYTES).replace('`', "'")),
        ..Place::default()
    };
    let message = UnresolvableSha::META.message.replace("<sha>", sha);
    Finding {
        rule: UnresolvableSha::META,
        severity: Severity::Warning,
        confidence: Confidence::Verified,
        evidence: vec![message.clone()],
        message,
        remedy: "cite the pull request or the commit that took its place, or say what changed".to_owned(),
        places: citing.iter().take(MAX_PLACES).map(place).collect(),
        ask: Ask::Silent,
        key: sha.to_owned(),
        standing: String::new(),
        forecast: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::{Standing, asked};

    fn found(body: &str, standing: &Standing<'_>) -> Vec<String> {
        asked(&UnresolvableSha, &[("n.md", body), ("other.md", body)], standing)
    }

    #[test]
    fn hit_a_commit_that_is_missing_is_told_once() {
        let standing = Standing { commits: &["2c3d4e5"], ..Standing::default() };
        let body = "Removed in commit `1b18b85`, added by commit 2c3d4e5.";
        assert_eq!(found(body, &standing), ["cited commit 1b18b85 does not resolve in this repository"]);
    }

    #[test]
    fn ok_no_repository_or_no_answer() {
        assert!(found("commit 1b18b85", &Standing { mute: true, ..Standing::default() }).is_empty());
    }

    #[test]
    fn ok_no_citation() {
        assert!(found("colour #1b18b85, image sha256:1b18b85, commit 1b18b85 in the lib-a repo", &Standing::default()).is_empty());
    }
}
