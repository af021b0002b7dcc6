//! `session/cyclic-pattern`

use super::consecutive_repeat::{TOO_OFTEN, of_shell, places};
use super::{Ctx, Moment, SessionRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::session::facts::Facts;
use crate::session::repeats::Done;
use crate::session::scope::Scope;
use crate::session::temp_files::excerpt;

declare_rule! {
    /// # What it sees
    ///
    /// Two or three different commands that one agent runs in turn, twice over, with the same outcomes, and no edit,
    /// prompt or question to the person between.
    ///
    /// # Why it matters
    ///
    /// As with one command that is repeated: going round changes nothing, and looks like work.
    ///
    /// # Example
    ///
    /// ```sh
    /// npm run build     # Error: x
    /// npm ci            # up to date
    /// npm run build     # Error: x
    /// npm ci            # up to date
    /// npm run build     # a note before it runs
    /// ```
    ///
    /// # What to do instead
    ///
    /// Read the outputs, change something, or ask.
    ///
    /// # Not flagged
    ///
    /// Rounds with an edit between, or with an outcome that changed; rounds of commands that wait; pushes, merges,
    /// deployments; a round that begins with what was already told as a repetition.
    ///
    /// # Options
    ///
    /// None.
    pub struct CyclicPattern {
        id: "session/cyclic-pattern",
        summary: "an agent runs the same two or three commands in turn with the same outcomes",
        trigger: "two or three commands have been run in turn, twice over, and came to the same each time",
        message: "Cyclic pattern repeated <N> times: <cycle>",
        severity: Warning,
        confidence: Verified,
        moments: [BeforeCall, AfterCall],
        options: [],
        since: "0.1.0",
    }
}

impl SessionRule for CyclicPattern {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn concerned_by(&self, now: &Moment<'_>, _cwd: &str, _scope: &Scope) -> bool {
        of_shell(now).is_some()
    }

    fn check(&self, now: &Moment<'_>, facts: &Facts, cx: &Ctx<'_>, out: &mut Findings) {
        let (Some(call), Some(trail)) = (of_shell(now), facts.repeats.of(cx.agent)) else { return };
        let Some(round) = trail.cycle() else { return };
        let (before, calls) = trail.calls.split_at(round.start);
        let members = &calls[..calls.len() / 2];
        let forecast = matches!(now, Moment::BeforeCall(_));
        if (forecast && !members[0].asked_by(call)) || members.iter().any(|done| done.waits) {
            return;
        }
        let repeated = 1 + before.iter().rev().take_while(|done| done.asked == members[0].asked).count();
        if repeated >= TOO_OFTEN as usize {
            return;
        }
        let names: Vec<String> = members.iter().map(|done| format!("`{}`", done.by)).collect();
        let message = CyclicPattern::META.message.replace("<N>", "2").replace("<cycle>", &names.join(" → "));
        let mut places = places(calls);
        if forecast {
            places.push(Place { role: "again by", excerpt: excerpt(call), ..Place::default() });
        }
        out.push(Finding {
            rule: CyclicPattern::META,
            severity: Severity::Warning,
            confidence: Confidence::Verified,
            evidence: vec![message.clone(), "each came to the same both times, and nothing was changed between".to_owned()],
            message,
            remedy: "read the outputs and change something first, or ask the person".to_owned(),
            places,
            ask: Ask::Note,
            key: format!("{}\0{}", trail.name(), rotation_free(members)),
            standing: String::new(),
            forecast,
        });
    }
}

/// The members, whichever the round began with.
fn rotation_free(members: &[Done]) -> String {
    let mut asked: Vec<String> = members.iter().map(|done| format!("{:x}", done.asked)).collect();
    asked.sort();
    asked.join(" ")
}
