//! The rules: one file each, and the one list of them.
//!
//! A rule is asked at a moment and reads facts; it keeps no state of its own and never touches a file, the
//! environment, a process or the clock. What was said before belongs to `policy`.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod shared_temp_path;

pub use shared_temp_path::SharedTempPath;

use crate::finding::Findings;
use crate::meta::{Meta, MomentKind};
use crate::session::event::{Call, Outcome, Source};
use crate::session::facts::Facts;
use crate::session::scope::Scope;
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
pub static SESSION_RULES: &[&dyn SessionRule] = &[&SharedTempPath];

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
    /// The agent ends its turn with these words.
    TurnEnd(&'a str),
    /// The conversation is about to be compacted.
    BeforeCompact,
}

impl Moment<'_> {
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

/// What a rule may know beside the facts.
pub struct Ctx<'a> {
    /// The subagent that is at work; empty for the main agent.
    pub agent: &'a str,
    /// Where it is at work.
    pub cwd: &'a str,
    /// What paths mean.
    pub scope: &'a Scope,
    /// The outside.
    pub world: &'a dyn World,
    /// The word in force for an option of the rule.
    pub option: &'a dyn Fn(&'static Meta, &str) -> String,
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADINGS: [&str; 6] = ["What it sees", "Why it matters", "Example", "What to do instead", "Not flagged", "Options"];

    #[test]
    fn every_rule_has_its_page_and_its_style() {
        for rule in SESSION_RULES {
            let meta = rule.meta();
            let headings: Vec<&str> = meta.docs.lines().filter_map(|line| line.trim().strip_prefix("# ")).collect();
            assert_eq!(headings, HEADINGS, "{}", meta.id);
            assert!(meta.summary.starts_with(char::is_lowercase) && !meta.summary.ends_with('.'), "{}", meta.id);
            assert!(!meta.moments.is_empty(), "{}", meta.id);
            for option in meta.options {
                assert!(option.values.contains(&option.default), "{} {}", meta.id, option.name);
                assert!(meta.docs.contains(&format!("`{}`", option.name)), "{} {}", meta.id, option.name);
            }
        }
    }

    #[test]
    fn ids_are_unique_and_belong_to_this_room() {
        let ids: Vec<&str> = SESSION_RULES.iter().map(|rule| rule.meta().id).collect();
        assert!(ids.iter().all(|id| id.starts_with("session/")), "{ids:?}");
        assert_eq!(ids.iter().collect::<std::collections::HashSet<_>>().len(), ids.len());
    }
}
