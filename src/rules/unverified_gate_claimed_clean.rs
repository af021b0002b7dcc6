//! `session/unverified-gate-claimed-clean`

use super::{Ctx, Moment, SessionRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::session::claims::Claim;
use crate::session::facts::Facts;
use crate::session::gates::{Basis, Run, family};
use crate::session::scope::{Scope, is_at_or_below};
use crate::session::verdict::Verdict;
use crate::shell::gates::{Gate, Language};
use crate::text;

declare_rule! {
    /// # What it sees
    ///
    /// The last message of a turn says that a quality gate passed (tests, lint, format, type check, build), and the
    /// gate's last run, as recorded, failed or executed nothing.
    ///
    /// # Why it matters
    ///
    /// People stop reading at "all tests pass". A run whose failure scrolled by, whose exit status belonged to
    /// `tail`, or that found no test at all, is then taken for a proof.
    ///
    /// # Example
    ///
    /// ```text
    /// $ npm test 2>&1 | tail -3      # 1348 passing, 3 failing; the status is tail's
    /// "All tests pass."              # the turn is held: say it failed, or make it pass
    /// ```
    ///
    /// A run is judged by its exit status where that is its own, else by the summary its runner prints. If that
    /// is certain, and happened in this turn, and a person watches, the turn is held once; else it is a note.
    /// A failure of an earlier turn, or one that only a narrower run has followed, is a guess and never holds.
    ///
    /// # What to do instead
    ///
    /// Run the gate again and read its summary, or say what failed, and why that is all right.
    ///
    /// # Not flagged
    ///
    /// A claim without any run, a run nobody can judge (`cargo test | tail -1`), a run that was denied or
    /// interrupted; words that are no claim: intentions, questions, conditions, quotes, what somebody else said,
    /// what a CI or another branch did; a failure that the message tells of; programs that are silent when all is
    /// well.
    ///
    /// # Options
    ///
    /// None.
    pub struct UnverifiedGateClaimedClean {
        id: "session/unverified-gate-claimed-clean",
        summary: "a quality gate is said to pass whose last run failed or executed nothing",
        trigger: "the last message of a turn claims that a gate passed, and the gate's last run failed or executed nothing",
        message: "'<gate>' asserted as passing, but <what the run came to>",
        severity: Warning,
        confidence: Verified,
        moments: [TurnEnd, Scan],
        loudest: Block,
        options: [],
        since: "0.1.0",
    }
}

const REMEDY: &str = "say what failed, or make it pass and run it again before you say so";

impl SessionRule for UnverifiedGateClaimedClean {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn concerned_by(&self, now: &Moment<'_>, _cwd: &str, _scope: &Scope) -> bool {
        matches!(now, Moment::TurnEnd(message) if !message.is_empty())
    }

    fn check(&self, now: &Moment<'_>, facts: &Facts, cx: &Ctx<'_>, out: &mut Findings) {
        let Moment::TurnEnd(message) = now else { return };
        if !facts.gates.list().iter().any(Run::is_bad) {
            return;
        }
        for claim in cx.claims(message) {
            for gate in classes(claim, facts) {
                let words = words(claim, message);
                let Some((run, confidence)) = refuting(gate, claim, words, facts, cx.scope) else { continue };
                if !out.iter().any(|known| known.rule.id == Self::META.id && known.key == key(run)) {
                    out.push(finding(run, claim, message, confidence));
                }
            }
        }
    }
}

/// The classes that a claim is about: the one it names, else all that were run in this turn.
pub(super) fn classes(claim: &Claim, facts: &Facts) -> Vec<Option<Gate>> {
    if let Some(gate) = claim.gate {
        return vec![Some(gate)];
    }
    let mut classes = Vec::new();
    for run in facts.gates.list().iter().filter(|run| run.turn == facts.clock.turn() && !run.implied) {
        if !classes.contains(&run.gate) {
            classes.push(run.gate);
        }
    }
    classes
}

/// The run that says otherwise, and how sure that is.
fn refuting<'f>(gate: Option<Gate>, claim: &Claim, words: &str, facts: &'f Facts, scope: &Scope) -> Option<(&'f Run, Confidence)> {
    if gate.is_some_and(|gate| facts.gates.is_awaited(gate)) {
        return None;
    }
    let meant = meant(claim, words, gate, facts);
    let bad = *meant.iter().rfind(|run| run.is_bad())?;
    let now = facts.clock.turn();
    if bad.turn != now && claim.gate.is_none() {
        return None;
    }
    let good: Vec<&Run> = meant.iter().copied().filter(|run| run.is_good() && run.turn == now).collect();
    // The claim may be about a run that did pass: that of a part which it names, or of so many tests as it says.
    if good.iter().any(|run| claim.part || (claim.count.is_some() && claim.count == run.passed)) {
        return None;
    }
    // The parts of a script that stands for several have been run one by one.
    if gate.is_none() && facts.gates.list().iter().any(|run| run.is_good() && run.at > bad.at) {
        return None;
    }
    let good_like = || good.iter().filter(|run| run.is_like(bad));
    // Neither a filter that matched nothing takes anything from a run that passed, nor a look at how another state of
    // the files, or another work tree, fares.
    let passed_first = bad.passed_at > 0 || good_like().next().is_some();
    let elsewhere = !bad.dir.is_empty() && !scope.in_own_tree(&bad.dir);
    let own_tree_passed = elsewhere && good.iter().any(|run| scope.in_own_tree(&run.dir));
    if own_tree_passed || (passed_first && (bad.verdict == Verdict::NothingExecuted || bad.set_back)) {
        return None;
    }
    // What passed, and was not edited, may not even have started.
    let edited = facts.edits.sources().iter().any(|edit| (bad.passed_at..bad.at).contains(&edit.at));
    let unexplained = bad.line.is_empty() && bad.passed_at > 0 && !edited;
    // A later run of a part, or anywhere when the claim may be about that, or of another program for the same sources,
    // leaves it open what is meant.
    let later_like = meant.iter().any(|run| run.is_like(bad) && run.at > bad.at && (is_at_or_below(&run.dir, &bad.dir) || !claim.whole));
    let later_other = good.iter().any(|run| run.at > bad.at && !run.is_like(bad) && may_share(run.language, bad.language));
    let wider_passed = !bad.narrow.is_empty() && good_like().any(|run| is_at_or_below(&bad.dir, &run.dir));
    let certain = matches!(bad.basis, Basis::Status | Basis::TimeOut | Basis::Summary);
    // So many did pass, and the claim says no more.
    let counted = !claim.whole && claim.count.is_some() && claim.count == bad.passed;
    let open = later_like || later_other || wider_passed || bad.set_back || unexplained || counted;
    Some((bad, if bad.turn == now && certain && !open { Confidence::Verified } else { Confidence::Heuristic }))
}

fn may_share(one: Language, other: Language) -> bool {
    one == other || one == Language::Any || other == Language::Any
}

/// The runs of a class that a claim may be about. A command that its words spell out is its own; so are a program and
/// a language that it names.
pub(super) fn meant<'f>(claim: &Claim, words: &str, gate: Option<Gate>, facts: &'f Facts) -> Vec<&'f Run> {
    let of_class = || facts.gates.list().iter().filter(|run| run.gate == gate);
    let spelt = |run: &&Run| spans(words).any(|span| run.by.contains(span));
    if of_class().any(|run| spelt(&run)) {
        return of_class().filter(spelt).collect();
    }
    let named = |run: &&Run| {
        let runner = claim.runner.is_empty() || run.runner.is_empty() || family(claim.runner) == family(&run.runner);
        runner && claim.language.is_none_or(|language| run.language == Language::Any || run.language == language)
    };
    of_class().filter(named).collect()
}

/// What stands in code marks, as far as it can be a command.
fn spans(words: &str) -> impl Iterator<Item = &str> {
    words.split('`').skip(1).step_by(2).map(str::trim).filter(|span| span.contains(' ') || span.len() > 3)
}

fn key(run: &Run) -> String {
    format!("{}\0{}\0{}", word(run.gate), run.call, run.at_line)
}

/// The name of a class in a message.
pub(super) fn word(gate: Option<Gate>) -> &'static str {
    gate.map_or("all checks", Gate::word)
}

fn finding(run: &Run, claim: &Claim, message: &str, confidence: Confidence) -> Finding {
    let came_to = came_to(run);
    let message_text = UnverifiedGateClaimedClean::META.message.replace("<gate>", word(run.gate));
    let message_text = message_text.replace("<what the run came to>", &came_to);
    // A transcript's place tells the time.
    let time = run.time.as_deref().filter(|_| run.at_line == 0).and_then(text::clock_of);
    let mut evidence = vec![time.map_or_else(|| message_text.clone(), |time| format!("{message_text}, at {time}"))];
    if let (Some(claimed), Some(passed), false) = (claim.count, run.passed, claim.part)
        && claimed != passed
    {
        evidence.push(format!("{claimed} are said to pass, its output says {passed}"));
    }
    if confidence == Confidence::Heuristic && run.basis != Basis::Silence {
        evidence.push("nothing seen since has run all of it again".to_owned());
    }
    Finding {
        rule: UnverifiedGateClaimedClean::META,
        severity: Severity::Warning,
        confidence,
        message: message_text,
        evidence,
        remedy: REMEDY.to_owned(),
        places: vec![run_place(run), claim_place(claim, message)],
        ask: if confidence == Confidence::Verified { Ask::Block } else { Ask::Note },
        key: key(run),
        standing: String::new(),
        forecast: false,
    }
}

/// What a run came to, in words.
fn came_to(run: &Run) -> String {
    let by = format!("`{}`", run.by);
    let line = if run.line.is_empty() { String::new() } else { format!(" ({})", run.line) };
    match (run.verdict, run.basis, run.status) {
        (Verdict::NothingExecuted, Basis::Silence, _) => format!("the invocation produced no output: {by}"),
        (Verdict::NothingExecuted, ..) => format!("the invocation executed nothing: {by}{line}"),
        (_, Basis::TimeOut, _) => format!("the invocation ran out of time: {by}{line}"),
        (_, _, Some(status)) if status >= 128 => format!("the invocation was ended by a signal: {by} exited {status}{line}"),
        (_, _, Some(status)) => format!("the invocation failed: {by} exited {status}{line}"),
        (_, _, None) => format!("the invocation failed: {by}{line}"),
    }
}

/// The place of a run.
pub(super) fn run_place(run: &Run) -> Place {
    Place {
        role: "run by",
        line: run.at_line,
        time: run.time.clone(),
        excerpt: run.by.clone(),
        agent: run.agent.clone(),
        ..Place::default()
    }
}

/// The place of a claim: the message it stands in.
pub(super) fn claim_place(claim: &Claim, message: &str) -> Place {
    Place { role: "claimed by", excerpt: text::excerpt(words(claim, message)), ..Place::default() }
}

/// The words of a claim.
pub(super) fn words<'m>(claim: &Claim, message: &'m str) -> &'m str {
    // A code mark before the first word belongs to it.
    let opened = message.get(..claim.at.start).is_some_and(|before| before.ends_with('`'));
    message.get(claim.at.start - usize::from(opened)..claim.at.end).unwrap_or_default()
}
