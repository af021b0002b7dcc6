//! `session/consecutive-repeat`

use super::{Corpus, CorpusFinding, CorpusFindings, CorpusRule, Ctx, Moment, SessionRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::records::prompts::{self, Prompt};
use crate::session::event::{Action, Call};
use crate::session::facts::Facts;
use crate::session::repeats::Trail;
use crate::session::scope::Scope;
use crate::session::temp_files::excerpt;
use crate::text;

declare_rule! {
    /// # What it sees
    ///
    /// The same command for the third time in a row, by the same agent, with the same outcome each time, and no edit,
    /// prompt or question to the person between. A scan sees prompts, too: the same words typed three times in a row, in
    /// one session, or in sessions of one prompt each, with never more than half an hour between.
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
    /// pushes, merges, deployments; calls that were denied or never ran. Of prompts: slash commands, single words, and
    /// words that only say to go on.
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
        moments: [BeforeCall, AfterCall, Scan],
        loudest: Deny,
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
        let forecast = u32::from(matches!(now, Moment::BeforeCall(_)));
        let enough = if trail.calls.last().is_some_and(|last| last.waits) { TOO_OFTEN_WAITING } else { TOO_OFTEN };
        if trail.streak + forecast < enough {
            return;
        }
        let times = trail.repeated(call) + forecast;
        if times >= enough {
            out.push(finding(call, trail, times, forecast > 0, cx));
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
        let again = format!("`{by}` is asked for {times} times in a row: it came to the same each time before");
        vec![again, "nothing was changed between".to_owned()]
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
        excerpt: done.by.to_string(),
        ..Place::default()
    };
    calls.iter().map(place).collect()
}

impl CorpusRule for ConsecutiveRepeat {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn check(&self, corpus: &Corpus<'_>, out: &mut CorpusFindings) {
        let prompts = &corpus.records.prompts;
        for stint in prompts::by_session(prompts).iter().chain(&prompts::of_single_prompts(prompts)) {
            for run in runs(stint) {
                out.push(CorpusFinding::placed(of_prompts(&stint[run])));
            }
        }
    }
}

/// Where the same was typed too often in a row.
pub(super) fn runs(stint: &[&Prompt]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for run in stint.chunk_by(|a, b| a.text == b.text) {
        let end = start + run.len();
        if run.len() >= TOO_OFTEN as usize && !run[0].routine {
            found.push(start..end);
        }
        start = end;
    }
    found
}

fn of_prompts(run: &[&Prompt]) -> Finding {
    let message = ConsecutiveRepeat::META.message.replace("<N>", &run.len().to_string()).replace("<command>", &run[0].shown());
    Finding {
        rule: ConsecutiveRepeat::META,
        severity: Severity::Warning,
        confidence: Confidence::Heuristic,
        evidence: vec![message.clone()],
        message,
        remedy: "say what is to be different this time, or put it into the instructions that every session reads".to_owned(),
        places: places_of_prompts(run),
        ask: Ask::Silent,
        key: format!("{:?}\0{}\0{}", run[0].client, run[0].session, run[0].line),
        standing: String::new(),
        forecast: false,
    }
}

/// Most places of prompts that are told.
const MAX_PLACES: usize = 20;

/// The places of prompts that were typed.
pub(super) fn places_of_prompts(run: &[&Prompt]) -> Vec<Place> {
    let place = |prompt: &&Prompt| Place {
        role: "typed as",
        session: prompt.session.to_string(),
        file: prompt.file.to_string(),
        line: prompt.line,
        time: u64::try_from(prompt.time).ok().map(text::stamp),
        excerpt: prompt.shown(),
        ..Place::default()
    };
    run.iter().take(MAX_PLACES).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Records;
    use crate::records::prompts::tests::typed;

    fn found(entries: &[(&str, i64, &str)]) -> Vec<String> {
        let records = Records { prompts: typed(entries), ..Records::default() };
        let mut out = CorpusFindings::new();
        CorpusRule::check(&ConsecutiveRepeat, &Corpus { traces: &[], records: &records }, &mut out);
        out.into_iter().map(|found| found.finding.message).collect()
    }

    #[test]
    fn hit_the_same_prompt_three_times() {
        let message = "Command run 3 times consecutively: \"run npm test\"";
        assert_eq!(found(&[("s", 0, "run npm test"), ("s", 1, "run npm test"), ("s", 2, "run npm test")]), [message]);
        assert_eq!(found(&[("a", 0, "run npm test"), ("b", 1, "run npm test"), ("c", 2, "run npm test")]), [message], "one prompt each");
        let twice = [("s", 0, "a b"), ("s", 0, "a b"), ("s", 0, "a b"), ("s", 1, "c d"), ("s", 2, "a b"), ("s", 2, "a b"), ("s", 2, "a b")];
        assert_eq!(found(&twice).len(), 2);
    }

    #[test]
    fn ok_twice_or_days_apart_or_in_other_sessions() {
        assert!(found(&[("s", 0, "run npm test"), ("s", 1, "run npm test"), ("s", 2, "git status")]).is_empty());
        assert!(found(&[("a", 0, "cut it now"), ("b", 1440, "cut it now"), ("c", 2880, "cut it now")]).is_empty());
        let interleaved = [("s", 0, "a b"), ("t", 1, "a b"), ("s", 2, "c d"), ("t", 3, "a b"), ("s", 4, "a b")];
        assert!(found(&interleaved).is_empty());
    }

    #[test]
    fn ok_routine() {
        for text in ["/clear", "continue", "go on", "yes please"] {
            assert!(found(&[("s", 0, text), ("s", 1, text), ("s", 2, text)]).is_empty(), "{text}");
        }
        let cleared = [("s", 0, "fix it up"), ("s", 1, "/clear"), ("s", 2, "fix it up"), ("s", 3, "/clear"), ("s", 4, "fix it up")];
        assert!(found(&cleared).is_empty());
    }
}
