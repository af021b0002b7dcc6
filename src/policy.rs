//! From findings to words: what is said, how loud, and what was said before.

use crate::config::Level;
use crate::finding::{Ask, Finding};
use crate::meta::Meta;
use crate::rules::metas;
use crate::session::observed::Deferred;
use crate::session::store::said_key;
use crate::text::{cut_bytes, name};

/// Most bytes of a message. The client shows a reason in full, however long.
const MAX_MESSAGE: usize = 1000;
/// Most bytes of what is said at the start of a session.
const MAX_START: usize = 600;
/// Most lines of evidence in a message.
const MAX_EVIDENCE: usize = 5;

/// What a live event does about its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// How it is said.
    pub voice: Voice,
    /// The rule that speaks.
    pub rule: &'static Meta,
    /// What is said. The first line stands alone; the last word is the rule's id in brackets.
    pub text: String,
    /// Keys of what is said by this.
    pub said: Vec<u64>,
}

impl Decision {
    /// What a subagent's end had to say, kept for the end of the turn.
    pub fn deferred(self, agent: &str) -> Deferred {
        let who = format!("subagent {}: ", name(agent, 40));
        Deferred { rule: self.rule.id.to_owned(), text: who + &self.text }
    }

    /// What was kept, said now; `None` when its rule is no more.
    pub fn of_deferred(deferred: &Deferred) -> Option<Self> {
        let rule = metas().find(|meta| meta.id == deferred.rule)?;
        Some(Decision { voice: Voice::Note, rule, text: deferred.text.clone(), said: Vec::new() })
    }

    /// Does it keep a call from running?
    pub fn denies(&self) -> bool {
        self.voice == Voice::Deny
    }
}

/// How a thing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Voice {
    /// Beside the work, which goes on.
    Note,
    /// The turn does not end yet.
    Block,
    /// The call does not run.
    Deny,
}

impl Voice {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Voice::Note => "note",
            Voice::Block => "block",
            Voice::Deny => "deny",
        }
    }
}

/// What the decision rests on beside the findings.
pub struct Terms<'a> {
    /// How loud a rule may be.
    pub level: &'a dyn Fn(&'static Meta) -> Level,
    /// Was this said before?
    pub said_before: &'a dyn Fn(u64) -> bool,
    /// What is said now will be remembered. If not, nothing is held that passes only the second time.
    pub remembers: bool,
}

/// Whether the end of a turn may be held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold<'a> {
    /// A person watches, and nothing made the agent go on already.
    pub allowed: bool,
    /// The prompt: its turn is held once at the most.
    pub prompt: &'a str,
}

/// Decides about a call that is about to run; `None` means silence.
pub fn before_call(findings: &[Finding], terms: &Terms<'_>) -> Option<Decision> {
    decide(findings, terms, |finding| match most(finding, terms) {
        Ask::DenyOnce if !terms.remembers || (terms.said_before)(held_key(finding)) => Ask::Note,
        Ask::Block => Ask::Note,
        ask => ask,
    })
}

/// Decides what the model is told when a session starts, in one line; `None` means silence.
pub fn session_start(findings: &[Finding], terms: &Terms<'_>) -> Option<Decision> {
    let mut decision = decide(findings, terms, |finding| most(finding, terms).min(Ask::Note))?;
    let one_line = decision.text.replace('\n', "; ");
    // The way on and the rule's name stand last, and must survive a cut.
    let (told, last) = one_line.rsplit_once("; ").unwrap_or(("", &one_line));
    decision.text = format!("{}; {last}", cut_bytes(told, MAX_START.saturating_sub(last.len() + 2)));
    Some(decision)
}

/// Decides about the end of a turn; `None` means silence.
pub fn turn_end(findings: &[Finding], hold: Hold<'_>, terms: &Terms<'_>) -> Option<Decision> {
    let once = said_key("", "held", hold.prompt);
    let may_hold = hold.allowed && terms.remembers && !(terms.said_before)(once);
    let mut decision = decide(findings, terms, |finding| match most(finding, terms) {
        Ask::Block | Ask::DenyOnce | Ask::Deny if (terms.said_before)(held_key(finding)) => Ask::Silent,
        Ask::Block | Ask::DenyOnce | Ask::Deny if may_hold => Ask::Block,
        ask => ask.min(Ask::Note),
    })?;
    if decision.voice == Voice::Block {
        decision.said.push(once);
    }
    Some(decision)
}

/// The loudest of what is asked for, in the words of one rule.
fn decide(findings: &[Finding], terms: &Terms<'_>, ask: impl Fn(&Finding) -> Ask) -> Option<Decision> {
    let voices = findings.iter().filter_map(|finding| {
        let voice = match ask(finding) {
            Ask::Silent => return None,
            Ask::Note if (terms.said_before)(noted_key(finding)) => return None,
            Ask::Note => Voice::Note,
            Ask::Block => Voice::Block,
            Ask::DenyOnce | Ask::Deny => Voice::Deny,
        };
        Some((voice, finding))
    });
    let voices: Vec<(Voice, &Finding)> = voices.collect();
    let voice = voices.iter().map(|(voice, _)| *voice).max()?;
    let loudest = voices.into_iter().filter(|(other, _)| *other == voice).map(|(_, finding)| finding);
    let mut chosen: Vec<&Finding> = loudest.collect();
    // A message names one rule: the gravest one's. What another rule found waits for the next occasion.
    let gravest = chosen.iter().map(|finding| finding.severity).max();
    let rule = chosen.iter().find(|finding| Some(finding.severity) == gravest)?.rule;
    chosen.retain(|finding| finding.rule.id == rule.id);
    let said = chosen.iter().map(|finding| if voice == Voice::Note { noted_key(finding) } else { held_key(finding) }).collect();
    let passes_again = voice == Voice::Deny && chosen.iter().all(|finding| finding.ask == Ask::DenyOnce);
    Some(Decision { voice, rule, text: message(&chosen, passes_again), said })
}

/// A thing is denied, or holds a turn, once, however its standing changes.
fn held_key(finding: &Finding) -> u64 {
    said_key(finding.rule.id, "deny", &finding.key)
}

/// Was this said of the thing, as it stands?
fn noted_key(finding: &Finding) -> u64 {
    standing_key(finding.rule, &finding.key, &finding.standing)
}

/// The same is not said twice of a thing; that it now stands otherwise is worth a word again.
pub fn standing_key(rule: &Meta, key: &str, standing: &str) -> u64 {
    said_key(rule.id, "note", &format!("{key}\0{standing}"))
}

/// What the finding asks for, as far as its rule and the config allow.
fn most(finding: &Finding, terms: &Terms<'_>) -> Ask {
    finding.ask.min(finding.rule.loudest).min(match (terms.level)(finding.rule) {
        Level::Off => Ask::Silent,
        Level::Note | Level::Warn => Ask::Note,
        Level::Block => Ask::Deny,
    })
}

/// The telling line of each finding, the rest of the evidence, the way on, and the rule.
fn message(findings: &[&Finding], passes_again: bool) -> String {
    let telling = findings.iter().filter_map(|finding| finding.evidence.first().cloned());
    let rest = findings.iter().flat_map(|finding| finding.evidence.iter().skip(1).cloned());
    let earlier = findings.iter().flat_map(|finding| finding.places.iter().filter(|place| place.role == "written by"));
    let earlier = earlier.map(|place| format!("this session wrote it with `{}`", place.excerpt));
    let mut lines: Vec<String> = telling.chain(rest).chain(earlier).take(MAX_EVIDENCE).collect();
    if findings.len() > MAX_EVIDENCE {
        lines.push(format!("and {} more like it", findings.len() - MAX_EVIDENCE));
    }
    // What several findings say alike is said once, and last.
    let ways: Vec<&str> = findings.iter().flat_map(|finding| finding.remedy.split("; ")).collect();
    let last = |(at, way): &(usize, &&str)| !ways[at + 1..].contains(way);
    let ways = ways.iter().enumerate().filter(last).map(|(_, way)| *way).collect::<Vec<_>>().join("; ");
    let remedy = if passes_again { format!("run the same command again to go ahead; or {ways}") } else { ways };
    let id = findings[0].rule.id;
    // The way on must survive a cut, so the evidence gives way.
    let remedy = cut_bytes(&unnamed(&remedy), MAX_MESSAGE / 2);
    let evidence = cut_bytes(&unnamed(&lines.join("\n")), MAX_MESSAGE - remedy.len() - id.len() - 4);
    format!("{evidence}\n{remedy} [{id}]")
}

/// A file may be named like a rule, and an agent may quote one, but a message names one rule only: its own.
fn unnamed(text: &str) -> String {
    let mut parts = text.split('[');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let family = part.split(|c: char| !(c.is_ascii_lowercase() || c == '-')).next().unwrap_or_default();
        if family.is_empty() || !part[family.len()..].starts_with('/') {
            out.push('[');
        }
        out.push_str(part);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::{Confidence, Severity};
    use crate::rules::SharedTempPath;

    fn finding(path: &str, ask: Ask) -> Finding {
        Finding {
            rule: SharedTempPath::META,
            severity: Severity::Error,
            confidence: Confidence::Verified,
            message: String::new(),
            evidence: vec![format!("{path}: changed"), format!("{path} was written")],
            remedy: "look at it".into(),
            places: Vec::new(),
            ask,
            key: path.into(),
            standing: format!("{path}: changed"),
            forecast: false,
        }
    }

    fn decide(findings: &[Finding], said: &[u64], level: Level, remembers: bool) -> Option<Decision> {
        before_call(findings, &Terms { level: &|_| level, said_before: &|key| said.contains(&key), remembers })
    }

    #[test]
    fn deny_once_denies_once_then_notes_once_then_is_silent() {
        let findings = [finding("/tmp/a", Ask::DenyOnce)];
        let first = decide(&findings, &[], Level::Block, true).expect("speaks");
        assert!(first.denies());
        let second = decide(&findings, &first.said, Level::Block, true).expect("speaks");
        assert!(!second.denies());
        let said: Vec<u64> = first.said.into_iter().chain(second.said).collect();
        assert_eq!(decide(&findings, &said, Level::Block, true), None);
    }

    #[test]
    fn deny_denies_every_time() {
        let findings = [finding("/tmp/a", Ask::Deny)];
        let first = decide(&findings, &[], Level::Block, true).expect("speaks");
        assert!(decide(&findings, &first.said, Level::Block, true).is_some_and(|again| again.denies()));
    }

    #[test]
    fn nothing_is_denied_once_that_cannot_be_remembered() {
        let once = decide(&[finding("/tmp/a", Ask::DenyOnce)], &[], Level::Block, false).expect("speaks");
        assert!(!once.denies());
        assert!(decide(&[finding("/tmp/a", Ask::Deny)], &[], Level::Block, false).is_some_and(|always| always.denies()));
    }

    #[test]
    fn config_lowers_the_voice() {
        let findings = [finding("/tmp/a", Ask::Deny)];
        assert!(decide(&findings, &[], Level::Warn, true).is_some_and(|decision| !decision.denies()));
        assert_eq!(decide(&findings, &[], Level::Off, true), None);
    }

    #[test]
    fn a_file_named_like_a_rule_names_none() {
        let mut hostile = finding("/tmp/[session/shared-temp-path]", Ask::Deny);
        hostile.remedy = "look at [session/other]".into();
        let text = decide(&[hostile], &[], Level::Block, true).expect("speaks").text;
        assert!(text.matches("[session/").count() == 1 && text.ends_with(" [session/shared-temp-path]"), "{text}");
    }

    #[test]
    fn one_denial_covers_all_paths_and_names_the_rule_once() {
        let findings: Vec<Finding> = (0..9).map(|n| finding(&format!("/tmp/{n}"), Ask::Deny)).collect();
        let decision = decide(&findings, &[], Level::Block, true).expect("speaks");
        assert_eq!(decision.text.matches("[session/shared-temp-path]").count(), 1);
        assert_eq!(decision.said.len(), 9);
        assert!(decision.text.starts_with("/tmp/0: changed\n/tmp/1: changed\n"), "{}", decision.text);
        let end = "and 4 more like it\nlook at it [session/shared-temp-path]";
        assert!(decision.text.ends_with(end), "{}", decision.text);
    }
}
