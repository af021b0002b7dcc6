//! Counts in a summary line, and the words that say what was counted.

use std::ops::AddAssign;

/// What a line says of how many; nothing where it does not say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Passed.
    pub(super) passed: Count,
    /// Failed, or problems found.
    pub(super) failed: Count,
    /// Known and not executed.
    pub(super) skipped: Count,
    /// Passed, failed and skipped together.
    pub(super) total: Count,
}

/// A number that may be unknown; adding makes it known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Count(pub(super) Option<u64>);

impl AddAssign<u64> for Count {
    fn add_assign(&mut self, more: u64) {
        self.0 = Some(self.0.unwrap_or(0).saturating_add(more));
    }
}

impl Counts {
    /// These.
    #[cfg(test)]
    pub(super) fn new(passed: Option<u64>, failed: Option<u64>, skipped: Option<u64>, total: Option<u64>) -> Self {
        Self { passed: Count(passed), failed: Count(failed), skipped: Count(skipped), total: Count(total) }
    }

    /// How many were executed and did not fail, as far as it is said.
    pub(super) fn good(&self) -> Option<u64> {
        let of_total = self.total.0.map(|total| total.saturating_sub(self.failed()).saturating_sub(self.skipped.0.unwrap_or(0)));
        self.passed.0.or(of_total)
    }

    /// How many were executed.
    pub(super) fn executed(&self) -> u64 {
        let of_total = self.total.0.unwrap_or(0).saturating_sub(self.skipped.0.unwrap_or(0));
        self.passed.0.unwrap_or(0).saturating_add(self.failed()).max(of_total)
    }

    /// How many failed.
    pub(super) fn failed(&self) -> u64 {
        self.failed.0.unwrap_or(0)
    }

    /// Says how many were executed, be it none.
    pub(super) fn tell(&self) -> bool {
        self.passed.0.is_some() || self.total.0.is_some() || self.skipped.0.is_some()
    }

    /// Adds those of another block.
    pub(super) fn add(&mut self, other: &Counts) {
        self.each(other, u64::saturating_add);
    }

    /// Takes the greater ones: `other` may hold the same blocks as part of it.
    pub(super) fn widen(&mut self, other: &Counts) {
        self.each(other, u64::max);
    }

    fn each(&mut self, other: &Counts, join: impl Fn(u64, u64) -> u64) {
        for (own, other) in [
            (&mut self.passed, other.passed),
            (&mut self.failed, other.failed),
            (&mut self.skipped, other.skipped),
            (&mut self.total, other.total),
        ] {
            own.0 = match (own.0, other.0) {
                (Some(own), Some(other)) => Some(join(own, other)),
                (own, other) => own.or(other),
            };
        }
    }
}

/// What a word beside a number says was counted.
#[derive(Clone, Copy)]
enum Kind {
    Passed,
    Failed,
    Skipped,
    Total,
    Other,
}

/// The words. Where one begins with another, the longer stands first.
const WORDS: &[(Kind, &[&str])] = &[
    (Kind::Other, &["tests skipped due to", "subtests passed", "failures ignored", "expected failures", "known failures", "known failure"]),
    (Kind::Passed, &["tests passed", "test passed", "tests pass", "test passes", "passed", "passing", "passes", "pass"]),
    (Kind::Passed, &["successes", "success", "succeeded", "successful"]),
    (Kind::Failed, &["tests failed", "test failed", "failed", "failing", "failures", "failure", "fails", "fail"]),
    (Kind::Failed, &["errors occurred outside of examples", "error occurred outside of examples", "errors", "error"]),
    (Kind::Failed, &["exec failed", "timed out", "unexpected successes", "invalid", "broken", "crashed", "interrupted"]),
    (Kind::Skipped, &["skipped", "skips", "skip", "pendings", "pending", "todo", "ignored", "deselected", "filtered out", "excluded"]),
    (Kind::Skipped, &["incomplete", "omissions", "disabled", "did not run", "not run", "canceled"]),
    (Kind::Total, &["tests completed", "test completed", "tests run", "test run", "tests", "test", "total", "examples", "example"]),
    (Kind::Total, &["runs", "run", "scenarios", "scenario", "specs", "doctests", "doctest", "properties", "property"]),
    // They were executed, and are no failures.
    (Kind::Total, &["xfailed", "xpassed", "flaky"]),
    (Kind::Other, &["assertions", "assertion", "assert", "expect() calls", "warnings", "warning", "notifications", "measured"]),
    (Kind::Other, &["leaky", "slow", "reruns", "rerun", "snapshots", "risky", "steps", "files"]),
];

/// The word that `text` begins with, not within a longer one, and the text behind it.
fn word(text: &str) -> Option<(Kind, &str)> {
    WORDS.iter().find_map(|&(kind, words)| {
        words.iter().find_map(|word| {
            let left = text.get(word.len()..).filter(|_| text.as_bytes()[..word.len()].eq_ignore_ascii_case(word.as_bytes()))?;
            left.chars().next().is_none_or(|c| !c.is_alphanumeric()).then_some((kind, left))
        })
    })
}

fn count(counts: &mut Counts, kind: Kind, number: u64) {
    match kind {
        Kind::Passed => counts.passed += number,
        Kind::Failed => counts.failed += number,
        Kind::Skipped => counts.skipped += number,
        Kind::Total => counts.total += number,
        Kind::Other => {}
    }
}

/// A number at the front of `text`, thousands separated or not, and the text behind it.
pub(super) fn number(text: &str) -> Option<(u64, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    if end == 0 {
        return None;
    }
    if end <= 3 {
        while text[end..].starts_with(',') && digits(&text[end + 1..]) == 3 {
            end += 4;
        }
    }
    let value = text[..end]
        .bytes()
        .filter(u8::is_ascii_digit)
        .fold(0_u64, |value, digit| value.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    Some((value, &text[end..]))
}

/// `1 failed, 2 passed | 3 skipped (4 slow), …`: at least `least` of them; the text behind the last.
pub(super) fn list<'a>(text: &'a str, least: usize, counts: &mut Counts) -> Option<&'a str> {
    let (mut at, mut left, mut seen) = (text, text, 0);
    while let Some((number, behind)) = number(at) {
        let Some((kind, behind)) = word(behind.trim_start()).filter(|_| behind.starts_with([' ', '\t'])) else { break };
        count(counts, kind, number);
        seen += 1;
        left = behind;
        let Some(next) = separated(behind) else { break };
        at = next;
    }
    // A bare list of errors and warnings is a linter's.
    (seen >= least && (least == 1 || counts.tell())).then_some(left)
}

/// What stands behind the separator that `text` begins with; a remark in parentheses may stand before it.
fn separated(text: &str) -> Option<&str> {
    let bare = text.trim_start();
    let bare = bare.strip_prefix('(').and_then(|remark| remark.split_once(')')).map_or(bare, |(_, behind)| behind.trim_start());
    [",", ";", "|", "/", "•", "and "].iter().find_map(|mark| bare.strip_prefix(mark)).map(|next| {
        let next = next.trim_start();
        next.strip_prefix("and ").unwrap_or(next)
    })
}

/// `Tests: 3, Failures: 1` or `failures=1, errors=2`: at least one; the text behind the last.
pub(super) fn labels<'a>(text: &'a str, counts: &mut Counts) -> Option<&'a str> {
    let (mut at, mut left) = (text, None);
    loop {
        let end = at.find(|c: char| !c.is_ascii_alphabetic() && c != ' ' && c != '\t').unwrap_or(at.len());
        let (label, behind) = at.split_at(end);
        let Some((number, behind)) = behind.strip_prefix([':', '=']).and_then(|value| number(value.trim_start())) else { break };
        let label = label.trim();
        if label.is_empty() || behind.starts_with('.') && behind[1..].starts_with(|c: char| c.is_ascii_digit()) {
            break;
        }
        let kind = word(label).filter(|(_, left)| left.is_empty()).map_or(Kind::Other, |(kind, _)| kind);
        count(counts, kind, number);
        left = Some(behind);
        let Some(next) = behind.strip_prefix([',', ';']) else { break };
        at = next.trim_start();
    }
    left
}
