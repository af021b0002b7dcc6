//! What was found and is not to be reported as new: allowed by the config, or acknowledged in a baseline. It is
//! counted and kept, never lost.

mod baseline;

pub use baseline::{Baseline, fingerprint};

use crate::config::Config;
use crate::finding::Finding;
use crate::meta::Meta;
use crate::scan::{Scan, Spotted};
use crate::text::{self, glob};

/// An entry of the config that allows findings of a rule.
#[derive(Debug, Clone)]
pub struct Allow {
    /// The rule.
    pub rule: &'static Meta,
    /// What is allowed.
    pub scope: Scope,
    /// Why; empty when nobody said.
    pub reason: String,
    /// The last day that it counts, as in `2026-12-31`.
    pub expires: Option<String>,
    /// `file:line` of the entry.
    pub place: String,
}

/// What an entry allows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// Findings about files whose path matches the glob; one without a `/` at its start matches at any depth.
    Path(String),
    /// Findings about commands that match the glob, as a report shows them; `*` is any text.
    Command(String),
}

impl Allow {
    /// Is its last day over?
    pub fn has_expired(&self, today: &str) -> bool {
        self.expires.as_deref().is_some_and(|last| last < today)
    }

    /// Is the finding of the kind that it allows?
    pub fn covers(&self, finding: &Finding) -> bool {
        if finding.rule.id != self.rule.id {
            return false;
        }
        match &self.scope {
            Scope::Path(pattern) => {
                let deep = format!("**/{pattern}");
                let anchored = pattern.starts_with('/');
                let matches = |path: &str| glob(pattern, path) || (!anchored && glob(&deep, path));
                // What a finding is about is a part of its key.
                finding.key.split('\0').any(matches) || finding.places.iter().any(|place| matches(&place.file) || matches(&place.excerpt))
            }
            Scope::Command(pattern) => {
                let pattern = pattern.replace('*', "**");
                finding.places.iter().any(|place| glob(&pattern, &place.excerpt))
            }
        }
    }

    /// How it is named in a message.
    fn name(&self) -> String {
        let (kind, pattern) = match &self.scope {
            Scope::Path(pattern) => ("path", pattern),
            Scope::Command(pattern) => ("command", pattern),
        };
        format!("{}: the entry that allows {kind} `{}` for {}", self.place, text::name(pattern, 80), self.rule.name())
    }
}

/// A finding that is not reported as new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suppressed {
    /// What was found.
    pub spotted: Spotted,
    /// Who said that it is known.
    pub by: By,
}

/// Who said that a finding is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// An entry of the config: its place and its reason.
    Allow {
        /// `file:line`
        place: String,
        /// Why; empty when nobody said.
        reason: String,
    },
    /// The baseline.
    Baseline,
}

impl By {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            By::Allow { .. } => "allow",
            By::Baseline => "baseline",
        }
    }

    /// Who it was and why, in one line.
    pub fn why(&self) -> String {
        match self {
            By::Allow { place, reason } if reason.is_empty() => format!("allowed in {place}, without a reason"),
            By::Allow { place, reason } => format!("allowed in {place}: {}", text::clean(reason)),
            By::Baseline => "acknowledged in the baseline".to_owned(),
        }
    }
}

/// Sets aside what the config of the scan's project allows on this day (`2026-12-01`).
pub fn allow(scan: &mut Scan, config: &Config, today: &str) {
    set_aside(scan, |spotted| {
        let allow = config.allow().iter().find(|allow| !allow.has_expired(today) && allow.covers(&spotted.finding))?;
        Some(By::Allow { place: allow.place.clone(), reason: allow.reason.clone() })
    });
}

/// Sets aside what the baseline acknowledges.
pub fn acknowledge(scan: &mut Scan, baseline: &Baseline) {
    set_aside(scan, |spotted| baseline.holds(&spotted.fingerprint).then_some(By::Baseline));
}

fn set_aside(scan: &mut Scan, by: impl Fn(&Spotted) -> Option<By>) {
    for spotted in std::mem::take(&mut scan.findings) {
        match by(&spotted) {
            Some(by) => scan.suppressed.push(Suppressed { spotted, by }),
            None => scan.findings.push(spotted),
        }
    }
}

/// What is to be told of what the configs of the scanned projects ask for, and of the baseline: keys that do not
/// count, entries that have expired or give no reason, and, where all was read, entries that match nothing.
pub fn review(scan: &Scan, configs: &[Config], baseline: Option<&Baseline>, today: &str) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let used = |entry: &Allow| scan.suppressed.iter().any(|known| matches!(&known.by, By::Allow { place, .. } if *place == entry.place));
    for config in configs {
        let entries = config.allow().iter().filter_map(|entry| {
            let name = entry.name();
            if let Some(last) = entry.expires.as_deref().filter(|_| entry.has_expired(today)) {
                return Some(format!("{name} expired on {last}"));
            }
            let idle = (!scan.read.is_bounded() && !used(entry)).then_some("matched nothing");
            let unexplained = entry.reason.trim().is_empty().then_some("gives no reason");
            Some(format!("{name} {}", idle.or(unexplained)?))
        });
        // Every project's config has the person's own file in it.
        for note in config.passed_over().iter().cloned().chain(entries) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    if let Some(baseline) = baseline.filter(|_| !scan.read.is_bounded()) {
        notes.extend(baseline.stale(scan));
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Ask, Place};
    use crate::meta::{Confidence, Severity};
    use crate::rules::SharedTempPath;

    pub(super) fn finding(key: &str, command: &str) -> Finding {
        let place = Place { excerpt: command.into(), file: "/home/me/.claude/projects/p/s.jsonl".into(), ..Place::default() };
        Finding {
            rule: SharedTempPath::META,
            severity: Severity::Error,
            confidence: Confidence::Heuristic,
            message: String::new(),
            evidence: Vec::new(),
            remedy: String::new(),
            places: vec![place],
            ask: Ask::Silent,
            key: key.into(),
            standing: String::new(),
            forecast: false,
        }
    }

    fn allow(scope: Scope) -> Allow {
        Allow { rule: SharedTempPath::META, scope, reason: String::new(), expires: Some("2026-12-31".into()), place: String::new() }
    }

    #[test]
    fn an_entry_covers_what_its_glob_matches() {
        let found = finding("/tmp/cache/a.bak", "cp /tmp/cache/a.bak src/a");
        for (scope, want) in [
            (Scope::Path("/tmp/cache/**".into()), true),
            (Scope::Path("/tmp/*".into()), false),
            (Scope::Path("*.bak".into()), true),
            (Scope::Path("cache/*.bak".into()), true),
            (Scope::Path("ache/*.bak".into()), false),
            (Scope::Path("s.jsonl".into()), true),
            (Scope::Command("cp *".into()), true),
            (Scope::Command("cp".into()), false),
            (Scope::Command("mv *".into()), false),
        ] {
            assert_eq!(allow(scope.clone()).covers(&found), want, "{scope:?}");
        }
    }

    #[test]
    fn an_entry_counts_through_its_last_day() {
        let entry = allow(Scope::Path("x".into()));
        assert!(!entry.has_expired("2026-12-31") && entry.has_expired("2027-01-01"));
    }
}
