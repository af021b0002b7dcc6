//! What a rule says of itself. Documentation, catalogue, config schema and the README's table are all
//! made from this.

use crate::finding::Ask;

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing, never a fault.
    Info,
    /// Likely to hurt.
    Warning,
    /// Has hurt, or will.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// How sure a finding is. Only a verified finding may block, but for the two deny-once verdicts of
/// `session/shared-temp-path`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Judged from the record alone.
    Heuristic,
    /// Checked against the file system, git, or a recorded outcome.
    Verified,
}

impl Confidence {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Heuristic => "heuristic",
            Confidence::Verified => "verified",
        }
    }
}

/// When a rule is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MomentKind {
    /// A session starts or goes on.
    SessionStart,
    /// A person's prompt arrives.
    Prompt,
    /// A call is about to run.
    BeforeCall,
    /// A call has ended.
    AfterCall,
    /// The agent ends its turn.
    TurnEnd,
    /// The conversation is about to be compacted.
    BeforeCompact,
    /// Everything on disk is looked through.
    Scan,
}

impl MomentKind {
    /// The words for it.
    pub fn words(self) -> &'static str {
        match self {
            MomentKind::SessionStart => "at the start of a session",
            MomentKind::Prompt => "at a prompt",
            MomentKind::BeforeCall => "before a call",
            MomentKind::AfterCall => "after a call",
            MomentKind::TurnEnd => "at the end of a turn",
            MomentKind::BeforeCompact => "before a compaction",
            MomentKind::Scan => "in a scan",
        }
    }
}

/// One option of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionMeta {
    /// Its key in the config.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// The allowed words, from the strictest to the loosest; none where it takes a list of names, which is stricter
    /// the longer it is.
    pub values: &'static [&'static str],
    /// The word in force when none is given, or the names, with commas between.
    pub default: &'static str,
}

impl OptionMeta {
    /// Does it take a list of names?
    pub fn takes_names(&self) -> bool {
        self.values.is_empty()
    }

    /// May it make the rule deny a call? Its name or one of its words says so.
    pub fn may_deny(&self) -> bool {
        self.name.starts_with("deny") || self.values.contains(&"deny")
    }
}

/// What a rule says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta {
    /// `room/kebab-name`.
    pub id: &'static str,
    /// One sentence, lower-case, no final stop.
    pub summary: &'static str,
    /// What sets it off, in one sentence.
    pub trigger: &'static str,
    /// The wording of its message, with `<names>` to be filled in.
    pub message: &'static str,
    /// The rule's page: its doc comment, with the fixed headings.
    pub docs: &'static str,
    /// The gravest severity it reports.
    pub severity: Severity,
    /// How sure its surest finding is.
    pub confidence: Confidence,
    /// When it is asked.
    pub moments: &'static [MomentKind],
    /// The most that a live call does about a finding.
    pub loudest: Ask,
    /// Its options.
    pub options: &'static [OptionMeta],
    /// The first version that had it.
    pub since: &'static str,
}

impl Meta {
    /// The last part of the id.
    pub fn name(&self) -> &'static str {
        self.id.rsplit('/').next().unwrap_or(self.id)
    }

    /// The first part of the id: the room it belongs to.
    pub fn category(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }

    /// Is the rule asked at this kind of moment?
    pub fn asked_at(&self, moment: MomentKind) -> bool {
        self.moments.contains(&moment)
    }

    /// The option of that name.
    pub fn option(&self, name: &str) -> Option<&'static OptionMeta> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// Declares a rule: its type, and its [`Meta`] with the doc comment as the rule's page.
#[macro_export]
macro_rules! declare_rule {
    (
        $(#[doc = $doc:literal])*
        pub struct $name:ident {
            id: $id:literal,
            summary: $summary:literal,
            trigger: $trigger:literal,
            message: $message:literal,
            severity: $severity:ident,
            confidence: $confidence:ident,
            moments: [$($moment:ident),* $(,)?],
            loudest: $loudest:ident,
            options: [$({ name: $option:literal, summary: $about:literal, values: [$($value:literal),*], default: $default:literal }),* $(,)?],
            since: $since:literal $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name;

        impl $name {
            /// What the rule says of itself.
            pub const META: &'static $crate::meta::Meta = &$crate::meta::Meta {
                id: $id,
                summary: $summary,
                trigger: $trigger,
                message: $message,
                docs: concat!($($doc, "\n"),*),
                severity: $crate::meta::Severity::$severity,
                confidence: $crate::meta::Confidence::$confidence,
                moments: &[$($crate::meta::MomentKind::$moment),*],
                loudest: $crate::finding::Ask::$loudest,
                options: &[$($crate::meta::OptionMeta {
                    name: $option, summary: $about, values: &[$($value),*], default: $default,
                }),*],
                since: $since,
            };
        }
    };
}
