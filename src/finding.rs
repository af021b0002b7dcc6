//! The finding: a fact with a place, and what a live call should do about it.

use crate::meta::{Confidence, Meta, Severity};

/// What a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Meta,
    /// How grave this one is; at most the rule's own severity.
    pub severity: Severity,
    /// How sure this one is.
    pub confidence: Confidence,
    /// The rule's fixed wording with this finding's names filled in.
    pub message: String,
    /// What was seen, the telling line first: each stands alone, lower-case, no final stop.
    pub evidence: Vec<String>,
    /// What to do, imperative.
    pub remedy: String,
    /// Where to look.
    pub places: Vec<Place>,
    /// What a live call should do.
    pub ask: Ask,
    /// What makes two findings of one rule the same thing to a person.
    pub key: String,
    /// How the thing stands: it is said again when it stands otherwise.
    pub standing: String,
    /// It is about what a call is going to do; a scan, which knows how the call ended, leaves it to the rule to say
    /// so then.
    pub forecast: bool,
}

/// What a live call should do about a finding, before config and what was said before are weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ask {
    /// Say nothing; a scan reports it.
    Silent,
    /// Say it, once.
    Note,
    /// Hold the end of the turn, once.
    Block,
    /// Deny the call once; the same call again passes with a note.
    DenyOnce,
    /// Deny the call every time.
    Deny,
}

impl Ask {
    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            Ask::Silent => "nothing",
            Ask::Note => "notes it",
            Ask::Block => "holds the turn",
            Ask::DenyOnce | Ask::Deny => "denies the call",
        }
    }
}

/// A call to look at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// What the call did there: `written by`, `read by`.
    pub role: &'static str,
    /// The session; empty when seen live.
    pub session: String,
    /// The subagent; empty for the main agent.
    pub agent: String,
    /// The transcript; empty when seen live.
    pub file: String,
    /// Line of the transcript, counted from 1; 0 when seen live.
    pub line: u32,
    /// The client's time stamp, when known.
    pub time: Option<String>,
    /// The call, masked and cut.
    pub excerpt: String,
}

/// Where rules put what they find.
pub type Findings = Vec<Finding>;
