//! `session/consecutive-repeat`

use super::{Ctx, Moment, SessionRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::session::event::{Action, Call};
use crate::session::facts::Facts;
use crate::session::repeats::Trail;
use crate::session::scope::Scope;
use crate::session::temp_files::excerpt;

declare_rule! {
    /// # What it sees
    ///
    /// The same command for the third time in a row, by the same agent, with the same outcome each time, and no edit,
    /// prompt or question to the person between.
    ///
    /// # Why it matters
    ///
    /// What did not help twice will not help the third time. An agent that goes round in circles spends an hour on
    /// what one look at the error would have settled.
    ///
    /// # Example
    ///
    /// ```sh
    /// npm run build     # Error: x
    /// npm run build     # Error: x
    /// npm run build     # a note before it runs
    /// ```
    ///
    /// Times, ids and names of temporary files in the output make no difference; of a command that fails, no number
    /// does.
    ///
    /// # What to do instead
    ///
    /// Read the output, change something, or ask.
    ///
    /// # Not flagged
    ///
    /// Commands that wait (`sleep`, `gh run watch`, `kubectl get`, a status address), but for ten looks less than
    /// half a minute apart at what does not change; numbers that change in the output of a command that succeeds;
    /// pushes, merges, deployments; calls that were denied or never ran.
    ///
    /// # Options
    ///
    /// `deny-from`: deny the call when it comes this many times in a row: `3`, `4`, `5`, `10` or `never` (the default).
    pub struct ConsecutiveRepeat {
        id: "session/consecutive-repeat",
        summary: "an agent runs the same command again and again with the same outcome",
        trigger: "a command is about to run for the third time in a row, and has come to the same each time",
        message: "Command run <N> times consecutively: \"<command>\"",
        severity: Warning,
        confidence: Verified,
        moments: [BeforeCall, AfterCall],
        options: [{
            name: "deny-from",
            summary: "deny the call when it comes this many times in a row",
            values: ["3", "4", "5", "10", "never"],
            default: "never"
        }],
        since: "0.1.0",
    }
}

/// How many times in a row are worth a word.
pub(super) const TOO_OFTEN: u32 = 3;
/// How many unchanged looks are, at something that is waited for.
const TOO_OFTEN_WAITING: u32 = 10;

impl SessionRule for ConsecutiveRepeat {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn concerned_by(&self, now: &Moment<'_>, _cwd: &str, _scope: &Scope) -> bool {
        of_shell(now).is_some()
    }

    fn check(&self, now: &Moment<'_>, facts: &Facts, cx: &Ctx<'_>, out: &mut Findings) {
        let (Some(call), Some(trail)) = (of_shell(now), facts.repeats.of(cx.agent)) else { return };
        let before = trail.repeated(call);
        let forecast = matches!(now, Moment::BeforeCall(_));
        let times = if forecast { before + 1 } else { before };
        let enough = if trail.calls.last().is_some_and(|last| last.waits) { TOO_OFTEN_WAITING } else { TOO_OFTEN };
        if times >= enough {
            out.push(finding(call, trail, times, forecast, cx));
        }
    }
}

/// The shell call that a moment is about.
pub(super) fn of_shell<'m>(now: &'m Moment<'_>) -> Option<&'m Call<'m>> {
    let (Moment::BeforeCall(call) | Moment::AfterCall(call, _)) = now else { return None };
    matches!(call.action, Action::Shell { .. }).then_some(*call)
}

fn finding(call: &Call<'_>, trail: &Trail, times: u32, forecast: bool, cx: &Ctx<'_>) -> Finding {
    let by = excerpt(call);
    let message = ConsecutiveRepeat::META.message.replace("<N>", &times.to_string()).replace("<command>", &by);
    let waits = trail.calls.last().is_some_and(|last| last.waits);
    let failed = trail.calls.last().is_some_and(|last| last.failed);
    let evidence = if waits {
        vec![format!("asked {times} times, less than half a minute apart, without a change: `{by}`")]
    } else if forecast {
        vec![message.clone(), "it came to the same each time, and nothing was changed between".to_owned()]
    } else {
        vec![message.clone()]
    };
    let deny = (cx.around.option)(ConsecutiveRepeat::META, "deny-from").parse().is_ok_and(|from: u32| times >= from);
    let earlier = trail.calls.len().saturating_sub(times as usize);
    let mut places = places(&trail.calls[earlier..]);
    if forecast {
        places.push(Place { role: "again by", excerpt: by, ..Place::default() });
    }
    Finding {
        rule: ConsecutiveRepeat::META,
        severity: Severity::Warning,
        confidence: Confidence::Verified,
        message,
        evidence,
        remedy: match (waits, failed) {
            (true, _) => "wait longer between the looks",
            (false, true) => "read its output and change something first, or ask the person",
            (false, false) => "nothing new will come of it: go on with what it told, or ask the person",
        }
        .to_owned(),
        places,
        ask: if deny { Ask::Deny } else { Ask::Note },
        key: format!("{}\0{:x}", trail.name(), trail.calls.last().map_or(0, |last| last.asked)),
        standing: String::new(),
        forecast,
    }
}

/// The places of calls that were made.
pub(super) fn places(calls: &[crate::session::repeats::Done]) -> Vec<Place> {
    let place = |done: &crate::session::repeats::Done| Place {
        role: "run by",
        line: done.at_line,
        time: done.time.clone(),
        excerpt: done.by.clone(),
        ..Place::default()
    };
    calls.iter().map(place).collect()
}
