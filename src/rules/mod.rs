//! The rules: one file each, and the one list of them.
//!
//! A rule is asked at a moment and reads facts; it keeps no state of its own and never touches a file, the
//! environment, a process or the clock. What was said before belongs to `policy`.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod consecutive_repeat;
mod cyclic_pattern;
mod default_branch_accumulation;
mod diverged_file;
mod duplicate_memory;
mod memory_index_overflow;
mod missing_secret;
mod missing_workflow;
mod self_protect;
mod shared_temp_path;
mod stale_gate_claim;
mod stale_memory;
mod unresolvable_sha;
mod unverified_gate_claimed_clean;

pub use consecutive_repeat::ConsecutiveRepeat;
pub use cyclic_pattern::CyclicPattern;
pub use default_branch_accumulation::DefaultBranchAccumulation;
pub use diverged_file::DivergedFile;
pub use duplicate_memory::DuplicateMemory;
pub use memory_index_overflow::MemoryIndexOverflow;
pub use missing_secret::MissingSecret;
pub use missing_workflow::MissingWorkflow;
pub use self_protect::SelfProtect;
pub use shared_temp_path::SharedTempPath;
pub use stale_gate_claim::StaleGateClaim;
pub use stale_memory::StaleMemory;
pub use unresolvable_sha::UnresolvableSha;
pub use unverified_gate_claimed_clean::UnverifiedGateClaimedClean;

use once_cell::unsync::OnceCell;

use crate::finding::{Finding, Findings};
use crate::meta::{Meta, MomentKind};
use crate::records::disk::Outside;
use crate::records::memory::Memory;
use crate::records::project::Project;
use crate::records::{Record, Records};
use crate::session::claims::{self, Claim};
use crate::session::event::{Call, Event, EventKind, Outcome, Source};
use crate::session::facts::Facts;
use crate::session::scope::Scope;
use crate::session::temp_files::TempTrace;
use crate::text;
use crate::world::World;

/// A question asked of one session's facts at a moment.
pub trait SessionRule: Sync {
    /// What the rule says of itself.
    fn meta(&self) -> &'static Meta;

    /// May the rule speak at this moment? Asked before any state is read: cheap, and errs toward yes.
    fn concerned_by(&self, now: &Moment<'_>, cwd: &str, scope: &Scope) -> bool;

    /// Puts what is found into `out`.
    fn check(&self, now: &Moment<'_>, facts: &Facts, cx: &Ctx<'_>, out: &mut Findings);
}

/// Every rule, in the order of the specification.
pub static SESSION_RULES: &[&dyn SessionRule] = &[
    &SharedTempPath,
    &UnverifiedGateClaimedClean,
    &StaleGateClaim,
    &DefaultBranchAccumulation,
    &ConsecutiveRepeat,
    &CyclicPattern,
    &SelfProtect,
];

/// A question asked of one thing that an agent left behind.
pub trait RecordRule: Sync {
    /// What the rule says of itself.
    fn meta(&self) -> &'static Meta;

    /// Puts what is found into `out`.
    fn check(&self, record: &Record<'_>, cx: &RecordCtx<'_>, out: &mut Findings);
}

/// Every rule about what agents leave behind.
pub static RECORD_RULES: &[&dyn RecordRule] = &[&StaleMemory, &MemoryIndexOverflow, &UnresolvableSha];

/// What a rule about a record may know beside it.
pub struct RecordCtx<'a> {
    /// The project that the record is about.
    pub here: &'a Project,
    /// Its neighbours.
    pub siblings: &'a [Project],
    /// The outside.
    pub outside: &'a dyn Outside,
}

/// A question asked of what crosses sessions and projects.
pub trait CorpusRule: Sync {
    /// What the rule says of itself.
    fn meta(&self) -> &'static Meta;

    /// Puts what is found into `out`.
    fn check(&self, corpus: &Corpus<'_>, out: &mut CorpusFindings);
}

/// Every rule that looks across sessions.
pub static CORPUS_RULES: &[&dyn CorpusRule] =
    &[&MissingSecret, &DivergedFile, &MissingWorkflow, &DuplicateMemory, &ConsecutiveRepeat, &CyclicPattern, &SharedTempPath];

/// What every rule says of itself: what is asked of sessions, then of records, then of what crosses them.
pub fn metas() -> impl Iterator<Item = &'static Meta> {
    let of_sessions = SESSION_RULES.iter().map(|rule| rule.meta());
    let others = RECORD_RULES.iter().map(|rule| rule.meta()).chain(CORPUS_RULES.iter().map(|rule| rule.meta()));
    let again = |meta: &Meta| SESSION_RULES.iter().any(|rule| rule.meta().id == meta.id);
    of_sessions.chain(others.filter(move |meta| !again(meta)))
}

/// The sessions of one project, each by what it did that others may meet, and what is left behind beside them.
#[derive(Debug, Clone, Copy)]
pub struct Corpus<'a> {
    /// One for each session.
    pub traces: &'a [TempTrace],
    /// The rest.
    pub records: &'a Records,
}

/// A finding across sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CorpusFinding {
    /// What was found.
    pub finding: Finding,
    /// For each of its places, the session, as an index into [`Corpus::traces`]; none for places that name theirs.
    pub sessions: Vec<usize>,
    /// The call that it is about never ran.
    pub prevented: bool,
}

impl CorpusFinding {
    /// A finding whose places name their files and sessions.
    fn placed(finding: Finding) -> Self {
        CorpusFinding { finding, sessions: Vec::new(), prevented: false }
    }
}

/// Where corpus rules put what they find.
pub type CorpusFindings = Vec<CorpusFinding>;

/// Most names that one message lists.
const MAX_NAMED: usize = 20;

/// Names as a message lists them.
fn names(names: &[impl AsRef<str>]) -> String {
    let mut shown: Vec<String> = names.iter().take(MAX_NAMED).map(|name| text::name(name.as_ref(), 160)).collect();
    if names.len() > MAX_NAMED {
        shown.push(format!("and {} more", names.len() - MAX_NAMED));
    }
    shown.join(", ")
}

/// A memory's name as a message shows it.
fn name_of(memory: &Memory) -> String {
    text::name(&memory.name, 80)
}

/// When a rule is asked.
#[derive(Debug, Clone)]
pub enum Moment<'a> {
    /// A session starts or goes on.
    SessionStart(Source),
    /// A person's prompt arrives.
    Prompt(&'a str),
    /// A call is about to run.
    BeforeCall(&'a Call<'a>),
    /// A call has ended.
    AfterCall(&'a Call<'a>, &'a Outcome<'a>),
    /// The agent, or a subagent, ends its turn with these words, and nothing of its own runs on.
    TurnEnd(&'a str),
    /// The conversation is about to be compacted.
    BeforeCompact,
}

impl<'a> Moment<'a> {
    /// The moment that an event is; `None` for one that no rule is asked about.
    pub fn of(event: &'a EventKind<'a>) -> Option<Self> {
        Some(match event {
            EventKind::SessionStart(source) => Moment::SessionStart(*source),
            EventKind::Prompt { text, by_person: true } => Moment::Prompt(text),
            EventKind::CallStarted(call) => Moment::BeforeCall(call),
            EventKind::CallEnded { call, outcome } => Moment::AfterCall(call, outcome),
            EventKind::TurnEnd { message, background: false, .. } | EventKind::AgentEnd { message } => Moment::TurnEnd(message),
            EventKind::BeforeCompact => Moment::BeforeCompact,
            EventKind::Prompt { by_person: false, .. } | EventKind::TurnEnd { background: true, .. } | EventKind::TasksEnded(_) => {
                return None;
            }
        })
    }

    /// Its kind.
    pub fn kind(&self) -> MomentKind {
        match self {
            Moment::SessionStart(_) => MomentKind::SessionStart,
            Moment::Prompt(_) => MomentKind::Prompt,
            Moment::BeforeCall(_) => MomentKind::BeforeCall,
            Moment::AfterCall(..) => MomentKind::AfterCall,
            Moment::TurnEnd(_) => MomentKind::TurnEnd,
            Moment::BeforeCompact => MomentKind::BeforeCompact,
        }
    }
}

/// The rules that may speak at an event.
pub fn concerned<'e>(event: &'e Event<'e>, scope: &'e Scope) -> impl Iterator<Item = (&'static dyn SessionRule, Moment<'e>)> {
    let now = Moment::of(&event.kind);
    SESSION_RULES.iter().filter_map(move |rule| {
        let now = now.clone()?;
        let concerned = rule.meta().asked_at(now.kind()) && rule.concerned_by(&now, &event.cwd, scope);
        concerned.then_some((*rule, now))
    })
}

/// Asks every rule that may speak at an event.
pub fn ask(event: &Event<'_>, facts: &Facts, scope: &Scope, around: &Around<'_>) -> Findings {
    let cx = Ctx::of(event, scope, around);
    let mut findings = Findings::new();
    for (rule, now) in concerned(event, scope) {
        rule.check(&now, facts, &cx, &mut findings);
    }
    findings
}

/// What is asked around the rules: the outside, the config, and the memory of what was said.
pub struct Around<'a> {
    /// The outside.
    pub world: &'a dyn World,
    /// The word in force for an option of the rule.
    pub option: &'a dyn Fn(&'static Meta, &str) -> String,
    /// Was this said of a thing, as it stands? Asked where finding it out again would cost.
    pub said_before: &'a dyn Fn(&'static Meta, &str, &str) -> bool,
}

/// What a rule may know beside the facts.
pub struct Ctx<'a> {
    /// The subagent that is at work; empty for the main agent.
    pub agent: &'a str,
    /// Where it is at work.
    pub cwd: &'a str,
    /// What paths mean.
    pub scope: &'a Scope,
    /// What may be asked.
    pub around: &'a Around<'a>,
    claims: OnceCell<Vec<Claim>>,
}

impl<'a> Ctx<'a> {
    /// What the rules may know at this event.
    pub fn of(event: &'a Event<'_>, scope: &'a Scope, around: &'a Around<'a>) -> Self {
        Ctx { agent: &event.agent, cwd: &event.cwd, scope, around, claims: OnceCell::new() }
    }

    /// What the last words of the turn claim about gates, read once for all rules.
    fn claims(&self, message: &str) -> &[Claim] {
        self.claims.get_or_init(|| claims::claims(message))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::records::memory::{INDEX, Memories};
    use crate::records::paths::PathClaim;

    /// An outside that is made up.
    #[derive(Default)]
    pub(super) struct Standing<'a> {
        /// Paths that are there.
        pub(super) paths: &'a [&'a str],
        /// Commits that are there.
        pub(super) commits: &'a [&'a str],
        /// Nobody can tell of commits.
        pub(super) mute: bool,
    }

    impl Outside for Standing<'_> {
        fn is_gone(&self, claim: &PathClaim) -> bool {
            !self.paths.contains(&claim.rest.as_str())
        }

        fn commits(&self, shas: &[&str]) -> Vec<Option<bool>> {
            shas.iter().map(|sha| (!self.mute).then(|| self.commits.contains(sha))).collect()
        }
    }

    /// The messages of a rule that is asked about memories, by file name and text.
    pub(super) fn asked(rule: &dyn RecordRule, files: &[(&str, &str)], outside: &Standing<'_>) -> Vec<String> {
        let parsed = files.iter().map(|(name, text)| Memory::parse(&Path::new("/memory").join(name), text));
        let (indexes, list) = parsed.partition(|memory| memory.file.ends_with(INDEX));
        let memories = Memories { list, indexes, skipped: Vec::new() };
        let cx = RecordCtx { here: &Project::default(), siblings: &[], outside };
        let mut out = Findings::new();
        rule.check(&Record::Memories(&memories), &cx, &mut out);
        out.into_iter().map(|finding| finding.message).collect()
    }

    const HEADINGS: [&str; 6] = ["What it sees", "Why it matters", "Example", "What to do instead", "Not flagged", "Options"];

    #[test]
    fn every_rule_has_its_page_and_its_style() {
        for meta in metas() {
            let headings: Vec<&str> = meta.docs.lines().filter_map(|line| line.trim().strip_prefix("# ")).collect();
            assert_eq!(headings, HEADINGS, "{}", meta.id);
            assert!(meta.summary.starts_with(char::is_lowercase) && !meta.summary.ends_with('.'), "{}", meta.id);
            assert!(!meta.moments.is_empty(), "{}", meta.id);
            for option in meta.options {
                assert!(option.takes_names() || option.values.contains(&option.default), "{} {}", meta.id, option.name);
                assert!(meta.docs.contains(&format!("`{}`", option.name)), "{} {}", meta.id, option.name);
            }
        }
    }

    #[test]
    fn ids_are_unique_and_of_a_known_family() {
        let ids: Vec<&str> = metas().map(|meta| meta.id).collect();
        assert!(ids.iter().all(|id| id.starts_with("session/") || id.starts_with("turnstop/")), "{ids:?}");
        assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), ids.len());
    }
}
