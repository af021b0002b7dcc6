//! `session/default-branch-accumulation`

use super::{Ctx, Moment, SessionRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::session::edits;
use crate::session::facts::Facts;
use crate::session::scope::Scope;
use crate::text;
use crate::world::Uncommitted;

declare_rule! {
    /// # What it sees
    ///
    /// At the end of a turn, ten or more files that the session wrote on the default branch of a repository, with no
    /// commit there, and no change of branch, since.
    ///
    /// # Why it matters
    ///
    /// The longer work lies uncommitted on `main`, the more of it one wrong `git checkout` or another session takes
    /// away, and the harder it is to tell what belongs together.
    ///
    /// # Example
    ///
    /// ```text
    /// on main: 12 files written, none committed, the turn ends      # a note
    /// ```
    ///
    /// Live, git is asked how many of them are still changed or untracked: fewer than ten, and nothing is said. It is
    /// said at ten, and again each time the number has doubled.
    ///
    /// # What to do instead
    ///
    /// Commit what belongs together, or carry it to a branch: `git switch -c <name>`.
    ///
    /// # Not flagged
    ///
    /// Files of another repository or work tree (each is judged by its own branch), ignored files, files outside any
    /// repository, the client's own folder, writes that failed; a detached head.
    ///
    /// # Options
    ///
    /// `branches`: names of default branches, beside the one that the remote `origin` names. More names are stricter.
    pub struct DefaultBranchAccumulation {
        id: "session/default-branch-accumulation",
        summary: "many files are edited on the default branch without a commit",
        trigger: "ten or more files written on the default branch are not committed when a turn ends",
        message: "<count> files edited on '<branch>' with no intervening commit",
        severity: Warning,
        confidence: Verified,
        moments: [TurnEnd, Scan],
        loudest: Note,
        options: [{
            name: "branches",
            summary: "names of default branches, beside the one that the remote `origin` names",
            values: [],
            default: "main,master"
        }],
        since: "0.1.0",
    }
}

/// How many files are worth a word.
const ENOUGH: usize = 10;

impl SessionRule for DefaultBranchAccumulation {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn concerned_by(&self, now: &Moment<'_>, _cwd: &str, _scope: &Scope) -> bool {
        matches!(now, Moment::TurnEnd(_))
    }

    fn check(&self, now: &Moment<'_>, facts: &Facts, cx: &Ctx<'_>, out: &mut Findings) {
        if !matches!(now, Moment::TurnEnd(_)) || !cx.agent.is_empty() {
            return;
        }
        out.extend(facts.edits.uncommitted().iter().filter_map(|kept| judge(kept, cx)));
    }
}

fn judge(kept: &edits::Uncommitted, cx: &Ctx<'_>) -> Option<Finding> {
    if kept.files.len() < ENOUGH || !is_default(kept, cx) {
        return None;
    }
    let key = format!("{}\0{}\0{}", kept.root, kept.branch, kept.stretch);
    let standing = doublings(kept.files.len()).to_string();
    if (cx.around.said_before)(DefaultBranchAccumulation::META, &key, &standing) {
        return None;
    }
    let (count, confidence) = match cx.around.world.uncommitted(&kept.root, &kept.branch, &kept.files) {
        Uncommitted::Counted(count) => (count, Confidence::Verified),
        Uncommitted::AtMost(count) => (count, Confidence::Heuristic),
        Uncommitted::Elsewhere => return None,
    };
    if count < ENOUGH {
        return None;
    }
    let message = DefaultBranchAccumulation::META.message.replace("<count>", &count.to_string());
    let message = message.replace("<branch>", &text::name(&kept.branch, 80));
    let written: Vec<String> = kept.files.iter().rev().take(3).map(|file| text::name(file, 60)).collect();
    let first = Place {
        role: "since",
        agent: kept.since_agent.clone(),
        line: kept.since_line,
        time: kept.since.clone(),
        excerpt: shown(&kept.files, 0),
        ..Place::default()
    };
    let last = Place { role: "up to", excerpt: shown(&kept.files, kept.files.len() - 1), ..Place::default() };
    Some(Finding {
        rule: DefaultBranchAccumulation::META,
        severity: Severity::Warning,
        confidence,
        evidence: vec![message.clone(), format!("the last ones: {}", written.join(", "))],
        message,
        remedy: "commit what belongs together, or carry it to a branch (`git switch -c <name>`)".to_owned(),
        places: vec![first, last],
        ask: Ask::Note,
        key,
        standing,
        forecast: false,
    })
}

fn shown(files: &[String], at: usize) -> String {
    files.get(at).map(|file| text::excerpt(file)).unwrap_or_default()
}

fn is_default(kept: &edits::Uncommitted, cx: &Ctx<'_>) -> bool {
    let named = (cx.around.option)(DefaultBranchAccumulation::META, "branches");
    named.split(',').any(|name| name == kept.branch) || cx.around.world.remote_default(&kept.root).as_ref() == Some(&kept.branch)
}

/// How often the number that is worth a word has doubled.
fn doublings(count: usize) -> u32 {
    (count / ENOUGH).max(1).ilog2()
}
