//! The commits that a text says are in the repository. Words and digests that look like one are none, nor is what
//! belongs to another repository.

use super::markdown;
use super::project::Repo;
use super::words::{holds, sentence, words};

/// Shortest and longest name of a commit, in digits.
const LENGTH: std::ops::RangeInclusive<usize> = 7..=40;
/// How far before a commit the word may stand that makes it a citation, in bytes.
const CUE_REACH: usize = 80;
/// Longest line that is looked at, in bytes.
const MAX_LINE: usize = 64 << 10;

/// As much of a word before a commit as is looked at, in bytes.
const LONGEST_WORD: usize = 512;
/// Most commits of one text that are looked at.
const MAX_LOOKED_AT: usize = 4096;

/// A commit that a text cites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Citation<'t> {
    /// Its name, as it is written.
    pub sha: &'t str,
    /// Line of the text, counted from 1.
    pub line: u32,
    /// What that line says.
    pub says: &'t str,
}

/// What other repositories are called.
#[derive(Debug, Clone, Default)]
pub struct Around<'a> {
    /// The repository that the text is about, where its remote is known.
    pub own: Option<&'a Repo>,
    /// The name of its folder.
    pub folder: &'a str,
    /// The names of its neighbours, in lower case.
    pub neighbours: Vec<String>,
}

/// The commits that `text` says are in its repository.
pub fn citations<'t>(text: &'t str, around: &Around<'_>) -> Vec<Citation<'t>> {
    let mut found = Vec::new();
    let mut looked_at = 0;
    for (number, line) in markdown::prose(text) {
        let line = crate::text::head(line, MAX_LINE);
        for (at, sha) in tokens(line) {
            if looked_at == MAX_LOOKED_AT || !is_cited(line, at, sha) {
                continue;
            }
            looked_at += 1;
            if !names_another(line, at, around) {
                found.push(Citation { sha, line: number, says: line });
            }
        }
    }
    found
}

/// Runs of hexadecimal digits that may be the name of a commit, and where each begins.
fn tokens(line: &str) -> Vec<(usize, &str)> {
    let bytes = line.as_bytes();
    let wordy = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !wordy(bytes[at]) {
            at += 1;
            continue;
        }
        let end = at + bytes[at..].iter().take_while(|byte| wordy(**byte)).count();
        let token = &bytes[at..end];
        let is_hex = LENGTH.contains(&token.len()) && token.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_hex && !token.iter().all(u8::is_ascii_digit) && stands_alone(line, at, end) {
            found.push((at, &line[at..end]));
        }
        at = end;
    }
    found
}

/// Is it no colour, no digest, no part of a longer name, and in no address?
fn stands_alone(line: &str, at: usize, end: usize) -> bool {
    let (before, after) = (&line[..at], &line[end..]);
    let wordy = |c: char| c.is_alphanumeric() || c == '_';
    let before = &before[before.ceil_char_boundary(at.saturating_sub(LONGEST_WORD))..];
    let word_before = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let joined_before = |mark: char| before.strip_suffix(mark).is_some_and(|rest| rest.ends_with(wordy));
    let joined_after = |mark: char| after.strip_prefix(mark).is_some_and(|rest| rest.starts_with(wordy));
    let within_path = before.ends_with(['/', '\\']) && after.starts_with(['/', '\\']);
    let is_digest = before.strip_suffix([':', '=']).is_some_and(|rest| {
        let name = rest.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().unwrap_or_default().to_ascii_lowercase();
        DIGESTS.iter().any(|digest| name.starts_with(digest))
    });
    let is_address = word_before.contains("://") || word_before.ends_with('@') && word_before.len() > 1;
    !before.ends_with('#')
        && !joined_before('-')
        && !joined_before('.')
        && !joined_after('-')
        && !joined_after('.')
        && !within_path
        && !is_digest
        && !is_address
}

/// Names of digests: `sha256:…`, `md5=…`, `sha512-…`.
const DIGESTS: &[&str] = &["sha1", "sha2", "sha3", "sha5", "sha-", "md5", "blake", "crc", "xxh", "etag", "digest", "checksum", "integrity"];

/// Words before a commit that make it a citation.
const CUES: &[&str] = &[
    "commit",
    "commits",
    "committed",
    "sha",
    "shas",
    "revision",
    "revisions",
    "rev",
    "revs",
    "head",
    "tag",
    "tags",
    "tagged",
    "branch",
    "branches",
    "pr",
    "prs",
    "landed",
    "merged",
    "shipped",
    "introduced",
    "reverted",
    "cherry-picked",
    "backported",
    "released",
];

/// Words that are so common that the commit must stand between backticks, too.
const WEAK_CUES: &[&str] = &["fixed", "removed", "added", "renamed", "bumped"];

/// Words that say outright that a commit follows: what has no digit is an English word after any other.
const PLAIN_CUES: &[&str] = &["commit", "commits", "sha", "shas", "revision", "revisions", "rev"];

fn is_cited(line: &str, at: usize, sha: &str) -> bool {
    let from = line.ceil_char_boundary(at.saturating_sub(CUE_REACH));
    let before = words(&line[from..at]);
    let any = |list: &[&str]| before.iter().any(|word| list.contains(&word.as_str()) || word.split('-').any(|part| list.contains(&part)));
    let quoted = line[..at].ends_with('`') && line[at + sha.len()..].starts_with('`');
    let digits = sha.bytes().any(|byte| byte.is_ascii_digit());
    if digits || quoted { any(CUES) || (quoted && any(WEAK_CUES)) } else { any(PLAIN_CUES) }
}

/// Does the sentence say that the commit is in another repository?
fn names_another(line: &str, at: usize, around: &Around<'_>) -> bool {
    let sentence = sentence(line, at).1;
    let own = |name: &str| name == around.folder.to_lowercase() || around.own.is_some_and(|repo| repo.is(name));
    let words = words(sentence);
    if OTHERS.iter().any(|phrase| holds(&words, phrase)) {
        return true;
    }
    if sentence.contains("://") && !around.own.is_some_and(|repo| repo.is_in(sentence)) {
        return true;
    }
    (0..words.len()).any(|i| {
        let word = words[i].as_str();
        let before = i.checked_sub(1).map_or("", |i| words[i].as_str());
        let placed = PREPOSITIONS.contains(&before) || (before == "the" && i >= 2 && PREPOSITIONS.contains(&words[i - 2].as_str()));
        let after = words.get(i + 1).map_or("", String::as_str);
        let is_repo = |word: &str| matches!(word, "repo" | "repository" | "repo's" | "project");
        let plain = word.trim_end_matches("'s").trim_end_matches("’s");
        if own(plain) || OURS.contains(&plain) {
            return false;
        }
        // "in the lib-a repo", "in lib-a", "lib-a commit 7d24203", "in vercel/next.js"
        let neighbour = around.neighbours.iter().any(|name| name == plain);
        let named = is_repo(after) && placed;
        let slashed = placed && !before.is_empty() && is_owner_and_name(plain);
        let after_repo = matches!(before, "repo" | "repository")
            && i >= 2
            && PREPOSITIONS.contains(&words[i - 2].as_str())
            && plain.contains(['-', '/']);
        named
            || after_repo
            || slashed
            || (neighbour && (placed || is_repo(after) || CUES.contains(&after) || plain != word || before == "repo"))
    })
}

/// `owner/name`, and no path or branch.
fn is_owner_and_name(word: &str) -> bool {
    word.split_once('/').is_some_and(|(owner, name)| {
        let plain = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
        plain(owner) && plain(name) && !BRANCH_PREFIXES.contains(&owner)
    })
}

const PREPOSITIONS: &[&str] = &["in", "of", "from", "at", "into", "to"];
/// Words before "repo" that mean the one the text is about.
const OURS: &[&str] = &[
    "this",
    "the",
    "our",
    "same",
    "current",
    "git",
    "main",
    "github",
    "local",
    "whole",
    "a",
    "my",
    "public",
    "private",
    "remote",
    "mono",
    "own",
    "repo",
    "repository",
    "project",
];
const OTHERS: &[&str] = &[
    "upstream",
    "upstream's",
    "fork",
    "submodule",
    "another repo",
    "another repository",
    "other repo",
    "other repository",
    "different repo",
    "different repository",
    "sibling repo",
    "sibling repository",
    "vendored",
    "another project",
];
const BRANCH_PREFIXES: &[&str] = &[
    "feature", "feat", "fix", "bugfix", "hotfix", "release", "releases", "chore", "origin", "refactor", "docs", "test", "src", "lib", "dev",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(text: &str) -> Vec<String> {
        let around = Around { own: None, folder: "app", neighbours: vec!["lib-a".into(), "docs".into()] };
        citations(text, &around).iter().map(|citation| citation.sha.to_owned()).collect()
    }

    #[test]
    fn citations_are_seen() {
        for text in [
            "CI was removed in commit `1b18b85` last month.",
            "commit 1b18b85",
            "Landed as 1b18b85, see there.",
            "(PR #12, 1b18b85)",
            "cherry-picked 1b18b85",
            "HEAD was at 1b18b85:",
            "fixed in `1b18b85`",
            "the SHA is 1b18b85",
            "reverted by 1b18b85 in this repo",
            "commit 1b18b85 of the app repository",
            "merged into feature/x as 1b18b85",
            "shipped in 1b18b85; lib-a follows",
        ] {
            assert_eq!(cited(text), ["1b18b85"], "{text}");
        }
        assert_eq!(cited("commits 1b18b85..2c3d4e5"), ["1b18b85", "2c3d4e5"]);
        assert_eq!(cited("commit beadfaced"), ["beadfaced"]);
        assert_eq!(cited(&format!("commit {}", "1b18b852".repeat(5))).len(), 1);
    }

    #[test]
    fn what_is_no_citation_is_left_alone() {
        for text in [
            "Theme tokens `#a1b2c3d` and `beadfaced`, image sha256:7e7b3ab9, id 1045755.",
            "commit 1045755",
            "tag `image@sha256:7e7b3ab9`",
            "commit md5=7e7b3ab9",
            "commit of session 77bde817-610b-4f82-971d-1c2452b07917",
            "the branch has app.7e7b3ab9.js and v1.7e7b3ab9",
            "commit path objects/7e7b3ab9/pack",
            "commit 0x7e7b3ab9",
            "released with uses: actions/checkout@7e7b3ab9",
            "see https://github.com/me/app/commit/7e7b3ab9",
            "added 1b18b85 to the list",
            "the branch is defaced",
            "```\ncommit 1b18b85\n```",
            "~~~\ncommit 1b18b85\n~~~",
            "1b18b85 is the commit",
            "commit\u{a0}of\u{1680}x@1b18b85 and \u{a0}é:sha256:1b18b85",
        ] {
            assert_eq!(cited(text), [] as [&str; 0], "{text}");
        }
        assert_eq!(cited(&format!("commit {} 1b18b85", "x".repeat(90))), [] as [&str; 0], "too far");
        assert_eq!(cited(&format!("commit {}", "1b18b852".repeat(8))), [] as [&str; 0], "too long");
    }

    #[test]
    fn what_is_in_another_repository_is_left_alone() {
        for text in [
            "Upstream fix landed as commit 7d24203 in the lib-a repo, not here.",
            "commit 7d24203 in lib-a",
            "lib-a commit 7d24203",
            "lib-a's commit 7d24203",
            "commit 7d24203 of the other-thing repository",
            "commit 7d24203 in vercel/next.js",
            "fixed upstream in commit 7d24203",
            "commit lib-a@7d24203",
            "landed in our fork as 7d24203",
            "commit 7d24203 (https://github.com/me/lib-a)",
        ] {
            assert_eq!(cited(text), [] as [&str; 0], "{text}");
        }
        let own = Repo::parse("me/app");
        let around = Around { own: own.as_ref(), folder: "checkout", neighbours: Vec::new() };
        assert_eq!(citations("commit 7d24203 (https://github.com/me/app)", &around).len(), 1);
        assert_eq!(citations("commit 7d24203 in me/app", &around).len(), 1);
    }
}
