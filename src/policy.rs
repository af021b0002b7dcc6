//! From findings to words: what is said, how loud, and what was said before.

use crate::config::Level;
use crate::finding::{Ask, Finding};
use crate::meta::Meta;
use crate::session::store::said_key;
use crate::text::cut_bytes;

/// Most bytes of a message. The client shows a reason in full, however long.
const MAX_MESSAGE: usize = 1000;
/// Most lines of evidence in a message.
const MAX_EVIDENCE: usize = 5;

/// What a live call does about its findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The call is denied; else it passes with a note.
    pub deny: bool,
    /// What is said. The first line stands alone; the last word is the rule's id in brackets.
    pub text: String,
    /// Keys of what is said by this.
    pub said: Vec<u64>,
}

/// What the decision rests on beside the findings.
pub struct Terms<'a> {
    /// How loud a rule may be.
    pub level: &'a dyn Fn(&'static Meta) -> Level,
    /// Was this said before?
    pub said_before: &'a dyn Fn(u64) -> bool,
    /// What is said now will be remembered. If not, nothing is denied that passes only the second time.
    pub remembers: bool,
}

/// Decides about a call that is about to run; `None` means silence.
pub fn before_call(findings: &[Finding], terms: &Terms<'_>) -> Option<Decision> {
    let mut denied = Vec::new();
    let mut noted = Vec::new();
    for finding in findings {
        match ask(finding, terms) {
            Ask::Deny | Ask::DenyOnce => denied.push(finding),
            Ask::Note if !(terms.said_before)(noted_key(finding)) => noted.push(finding),
            Ask::Note | Ask::Silent => {}
        }
    }
    let deny = !denied.is_empty();
    let mut chosen = if deny { denied } else { noted };
    // A message names one rule: the first one's. What another rule found waits for the next occasion.
    let rule = chosen.first()?.rule;
    chosen.retain(|finding| finding.rule.id == rule.id);
    let said = chosen.iter().map(|finding| if deny { denied_key(finding) } else { noted_key(finding) }).collect();
    let passes_again = deny && chosen.iter().all(|finding| finding.ask == Ask::DenyOnce);
    Some(Decision { deny, text: message(&chosen, passes_again), said })
}

/// A thing is denied once, however its standing changes.
fn denied_key(finding: &Finding) -> u64 {
    said_key(finding.rule.id, "deny", &finding.key)
}

/// The same words about a thing are not said twice; that it now stands otherwise is worth a word again.
fn noted_key(finding: &Finding) -> u64 {
    let telling = finding.evidence.first().map_or("", String::as_str);
    said_key(finding.rule.id, "note", &format!("{}\0{telling}", finding.key))
}

/// What the finding asks for, as far as config and memory allow.
fn ask(finding: &Finding, terms: &Terms<'_>) -> Ask {
    let most = match (terms.level)(finding.rule) {
        Level::Off => Ask::Silent,
        Level::Note | Level::Warn => Ask::Note,
        Level::Block => Ask::Deny,
    };
    match finding.ask.min(most) {
        Ask::DenyOnce if !terms.remembers || (terms.said_before)(denied_key(finding)) => Ask::Note,
        ask => ask,
    }
}

/// The telling line of each finding, the rest of the evidence, the way on, and the rule.
fn message(findings: &[&Finding], passes_again: bool) -> String {
    let telling = findings.iter().filter_map(|finding| finding.evidence.first().cloned());
    let rest = findings.iter().flat_map(|finding| finding.evidence.iter().skip(1).cloned());
    let earlier = findings.iter().flat_map(|finding| finding.places.iter().filter(|place| place.role == "written by"));
    let earlier = earlier.map(|place| format!("this session wrote it with `{}`", place.excerpt));
    let mut lines: Vec<String> = telling.chain(rest).chain(earlier).take(MAX_EVIDENCE).collect();
    if findings.len() > MAX_EVIDENCE {
        lines.push(format!("and {} more paths of this command", findings.len() - MAX_EVIDENCE));
    }
    let mut remedies: Vec<&str> = Vec::new();
    if passes_again {
        remedies.push("run the same command again to go ahead");
    }
    for finding in findings {
        if !remedies.contains(&finding.remedy.as_str()) {
            remedies.push(&finding.remedy);
        }
    }
    let id = findings[0].rule.id;
    // A file may be named like a rule, but the message names one rule only.
    let family = id.find('/').map_or(id, |slash| &id[..=slash]);
    let unnamed = |text: &str| text.replace(&format!("[{family}"), family);
    // The way on must survive a cut, so the evidence gives way.
    let remedy = cut_bytes(&unnamed(&remedies.join("; or ")), MAX_MESSAGE / 2);
    let evidence = cut_bytes(&unnamed(&lines.join("\n")), MAX_MESSAGE - remedy.len() - id.len() - 4);
    format!("{evidence}\n{remedy} [{id}]")
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
        }
    }

    fn decide(findings: &[Finding], said: &[u64], level: Level, remembers: bool) -> Option<Decision> {
        before_call(findings, &Terms { level: &|_| level, said_before: &|key| said.contains(&key), remembers })
    }

    #[test]
    fn deny_once_denies_once_then_notes_once_then_is_silent() {
        let findings = [finding("/tmp/a", Ask::DenyOnce)];
        let first = decide(&findings, &[], Level::Block, true).expect("speaks");
        assert!(first.deny);
        let second = decide(&findings, &first.said, Level::Block, true).expect("speaks");
        assert!(!second.deny);
        let said: Vec<u64> = first.said.into_iter().chain(second.said).collect();
        assert_eq!(decide(&findings, &said, Level::Block, true), None);
    }

    #[test]
    fn deny_denies_every_time() {
        let findings = [finding("/tmp/a", Ask::Deny)];
        let first = decide(&findings, &[], Level::Block, true).expect("speaks");
        assert!(decide(&findings, &first.said, Level::Block, true).is_some_and(|again| again.deny));
    }

    #[test]
    fn nothing_is_denied_once_that_cannot_be_remembered() {
        let once = decide(&[finding("/tmp/a", Ask::DenyOnce)], &[], Level::Block, false).expect("speaks");
        assert!(!once.deny);
        assert!(decide(&[finding("/tmp/a", Ask::Deny)], &[], Level::Block, false).is_some_and(|always| always.deny));
    }

    #[test]
    fn config_lowers_the_voice() {
        let findings = [finding("/tmp/a", Ask::Deny)];
        assert!(decide(&findings, &[], Level::Warn, true).is_some_and(|decision| !decision.deny));
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
        let end = "and 4 more paths of this command\nlook at it [session/shared-temp-path]";
        assert!(decision.text.ends_with(end), "{}", decision.text);
    }
}
