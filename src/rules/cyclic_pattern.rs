//! `session/cyclic-pattern`

use super::consecutive_repeat::{TOO_OFTEN, of_shell, places, places_of_prompts, runs};
use super::{Corpus, CorpusFinding, CorpusFindings, CorpusRule, Ctx, Moment, SessionRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::records::prompts::{self, Prompt};
use crate::session::facts::Facts;
use crate::session::repeats::{Done, LONGEST_CYCLE};
use crate::session::scope::Scope;
use crate::session::temp_files::excerpt;

declare_rule! {
    /// # What it sees
    ///
    /// Two or three different commands that one agent runs in turn, twice over, with the same outcomes, and no edit,
    /// prompt or question to the person between. A scan sees prompts, too: two or three that were typed in turn, twice
    /// over, in one session and with never more than half an hour between.
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
    /// deployments; a round that begins with what was already told as a repetition. Of prompts: rounds with a slash
    /// command, a single word, or words that only say to go on.
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
        moments: [BeforeCall, AfterCall, Scan],
        loudest: Note,
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

impl CorpusRule for CyclicPattern {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn check(&self, corpus: &Corpus<'_>, out: &mut CorpusFindings) {
        for stint in prompts::by_session(&corpus.records.prompts) {
            for (length, span) in cycles(&stint) {
                out.push(CorpusFinding::placed(of_prompts(length, &stint[span])));
            }
        }
    }
}

/// Where two or three prompts were typed in turn, and how many they are; the longest wins. What a run holds, or another
/// cycle, is not told again.
fn cycles(stint: &[&Prompt]) -> Vec<(usize, std::ops::Range<usize>)> {
    let mut runs = runs(stint).into_iter().peekable();
    let mut found = Vec::new();
    let mut start = 0;
    while start < stint.len() {
        while runs.next_if(|run| run.end <= start).is_some() {}
        let free = runs.peek().map_or(stint.len(), |run| run.start);
        let cycle = (2..=LONGEST_CYCLE).rev().find_map(|length| Some((length, start..turns(stint, start, length)?)));
        match cycle {
            Some((length, span)) if span.end <= free => {
                start = span.end;
                found.push((length, span));
            }
            _ => start += 1,
        }
    }
    found
}

/// The end of the rounds of `length` prompts that begin at `start`, if there are two.
fn turns(stint: &[&Prompt], start: usize, length: usize) -> Option<usize> {
    let rounds = stint[start..].chunks_exact(length);
    let first = stint.get(start..start + length)?;
    let same = |round: &[&Prompt]| round.iter().zip(first).all(|(a, b)| a.text == b.text);
    let count = rounds.take_while(|round| same(round)).count();
    let all_one = first.iter().all(|prompt| prompt.text == first[0].text);
    (count >= 2 && !all_one && !first.iter().any(|prompt| prompt.routine)).then_some(start + count * length)
}

fn of_prompts(length: usize, span: &[&Prompt]) -> Finding {
    let names: Vec<String> = span[..length].iter().map(|prompt| format!("`{}`", prompt.shown())).collect();
    let message = CyclicPattern::META.message.replace("<N>", &(span.len() / length).to_string()).replace("<cycle>", &names.join(" → "));
    Finding {
        rule: CyclicPattern::META,
        severity: Severity::Warning,
        confidence: Confidence::Heuristic,
        evidence: vec![message.clone()],
        message,
        remedy: "put what is asked for each time into the instructions that every session reads".to_owned(),
        places: places_of_prompts(span),
        ask: Ask::Silent,
        key: format!("{:?}\0{}\0{}", span[0].client, span[0].session, span[0].line),
        standing: String::new(),
        forecast: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Records;
    use crate::records::prompts::tests::typed;

    /// Prompts of one session, each a letter, a minute apart.
    fn found(letters: &str) -> Vec<String> {
        let texts: Vec<String> = letters.chars().map(|letter| format!("run {letter}")).collect();
        let entries: Vec<(&str, i64, &str)> = (0..).zip(&texts).map(|(minute, text)| ("s", minute, text.as_str())).collect();
        let records = Records { prompts: typed(&entries), ..Records::default() };
        let mut out = CorpusFindings::new();
        CorpusRule::check(&CyclicPattern, &Corpus { traces: &[], records: &records }, &mut out);
        out.into_iter().map(|found| found.finding.message.replace("run ", "").replace('`', "")).collect()
    }

    #[test]
    fn hit_prompts_in_turn() {
        for (letters, message) in [
            ("xabab", "Cyclic pattern repeated 2 times: a → b"),
            ("xyzxyz", "Cyclic pattern repeated 2 times: x → y → z"),
            ("xyxyxyx", "Cyclic pattern repeated 3 times: x → y"),
            ("aabaab", "Cyclic pattern repeated 2 times: a → a → b"),
            ("aaaxyxy", "Cyclic pattern repeated 2 times: x → y"),
        ] {
            assert_eq!(found(letters), [message], "{letters}");
        }
    }

    #[test]
    fn ok_what_a_run_holds_or_one_round() {
        for letters in ["abc", "abca", "aaaa", "aaabab", "ababbb", "abcd"] {
            assert_eq!(found(letters), [] as [&str; 0], "{letters}");
        }
    }

    #[test]
    fn ok_routine() {
        let records = Records {
            prompts: typed(&[("s", 0, "fix it up"), ("s", 1, "/clear"), ("s", 2, "fix it up"), ("s", 3, "/clear")]),
            ..Records::default()
        };
        let mut out = CorpusFindings::new();
        CorpusRule::check(&CyclicPattern, &Corpus { traces: &[], records: &records }, &mut out);
        assert!(out.is_empty());
    }
}
