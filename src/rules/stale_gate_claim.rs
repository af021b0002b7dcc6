//! `session/stale-gate-claim`

use super::unverified_gate_claimed_clean::{claim_place, classes, meant, run_place, word, words};
use super::{Ctx, Moment, SessionRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::session::claims::Claim;
use crate::session::edits::{SourceEdit, language_of};
use crate::session::facts::Facts;
use crate::session::gates::Run;
use crate::session::scope::{Scope, is_at_or_below};
use crate::shell::gates::{Gate, Language};
use crate::text;

declare_rule! {
    /// # What it sees
    ///
    /// Tests, lint or the type check passed, then a source file of their language was edited, they were not run
    /// again, and the last message of the turn says that they pass.
    ///
    /// # Why it matters
    ///
    /// It is the commonest overclaim of real sessions: tests pass, lint fails, the code is mended, only lint is run
    /// again, and the message says that both are fine. The mended code was never tested.
    ///
    /// # Example
    ///
    /// ```text
    /// $ go test ./...                     # ok
    /// $ golangci-lint run                 # one issue
    ///   (edit of parse.go)
    /// $ golangci-lint run                 # 0 issues
    /// "All tests pass and lint is clean." # the tests ran before the edit: a note
    /// ```
    ///
    /// # What to do instead
    ///
    /// Run the gate once more after the last edit.
    ///
    /// # Not flagged
    ///
    /// Edits of prose, or of a language that the gate does not look at; edits outside the folder it ran in; what
    /// formatters do; a gate that another run stands for: `make check`, a commit whose hooks show that it ran, and,
    /// for types, the tests of a compiled language; a build.
    ///
    /// # Options
    ///
    /// None.
    pub struct StaleGateClaim {
        id: "session/stale-gate-claim",
        summary: "a quality gate is said to pass, and source was edited after its last passing run",
        trigger: "the last message of a turn claims that tests, lint or types pass, and a source file was edited after their last run",
        message: "'<gate>' asserted as passing, but <file> was edited after its last run",
        severity: Warning,
        confidence: Verified,
        moments: [TurnEnd, Scan],
        loudest: Note,
        options: [],
        since: "0.1.0",
    }
}

impl SessionRule for StaleGateClaim {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn concerned_by(&self, now: &Moment<'_>, _cwd: &str, _scope: &Scope) -> bool {
        matches!(now, Moment::TurnEnd(message) if !message.is_empty())
    }

    fn check(&self, now: &Moment<'_>, facts: &Facts, cx: &Ctx<'_>, out: &mut Findings) {
        let Moment::TurnEnd(message) = now else { return };
        // Most turns end with what was run last, and there is no need to read what they say.
        if !facts.gates.list().iter().any(|run| passed_before(run, facts).is_some()) {
            return;
        }
        for claim in cx.claims(message) {
            for gate in classes(claim, facts).into_iter().flatten() {
                let Some((run, edit, confidence)) = stale(gate, claim, words(claim, message), facts) else { continue };
                let finding = finding(gate, run, edit, confidence, claim, message);
                if !out.iter().any(|known| known.rule.id == Self::META.id && known.key == finding.key) {
                    out.push(finding);
                }
            }
        }
    }
}

/// The last passing run of the class, and a source file that was edited after it.
fn stale<'f>(gate: Gate, claim: &Claim, words: &str, facts: &'f Facts) -> Option<(&'f Run, &'f SourceEdit, Confidence)> {
    let (Gate::Test | Gate::Lint | Gate::Typecheck) = gate else { return None };
    if facts.gates.is_awaited(gate) {
        return None;
    }
    let runs = meant(claim, words, Some(gate), facts);
    // What failed is another rule's.
    if runs.iter().any(|run| run.is_bad()) {
        return None;
    }
    runs.iter().rev().find_map(|run| {
        let edit = passed_before(run, facts)?;
        let since: Vec<&&Run> = runs.iter().filter(|other| other.at > edit.at && other.is_like(run)).collect();
        let only_a_part = !since.is_empty() && claim.whole && since.iter().all(|other| !other.narrow.is_empty());
        match (since.is_empty(), only_a_part) {
            (true, _) => Some((*run, edit, Confidence::Verified)),
            (false, true) => Some((*run, edit, Confidence::Heuristic)),
            (false, false) => None,
        }
    })
}

/// The edit that the run passed before: of the source files that it looks at the one that was edited last, unless a
/// script that stands for several gates has run since.
fn passed_before<'f>(run: &Run, facts: &'f Facts) -> Option<&'f SourceEdit> {
    if !run.is_good() || run.implied {
        return None;
    }
    let seen = |edit: &&SourceEdit| {
        edit.at > run.at && is_at_or_below(&edit.path, &run.dir) && language_of(&edit.path).is_some_and(|of| looks_at(run.language, of))
    };
    let edit = facts.edits.sources().iter().rfind(seen)?;
    let stands_for = |other: &Run| {
        // `go test` vets what it tests.
        let vets = other.gate == Some(Gate::Test) && run.runner == "go" && other.runner == "go";
        (other.gate.is_none() || vets) && other.at > edit.at && is_at_or_below(&run.dir, &other.dir)
    };
    (!facts.gates.list().iter().any(stands_for)).then_some(edit)
}

fn looks_at(gate: Language, source: Language) -> bool {
    gate == source || gate == Language::Any
}

fn finding(gate: Gate, run: &Run, edit: &SourceEdit, confidence: Confidence, claim: &Claim, message: &str) -> Finding {
    let file = text::name(edit.path.strip_prefix(&run.dir).map_or(&*edit.path, |file| file.trim_start_matches('/')), 120);
    let found = StaleGateClaim::META.message.replace("<gate>", word(Some(gate))).replace("<file>", &file);
    let mut evidence = vec![found.clone(), format!("it passed before that: `{}`", run.by)];
    if confidence == Confidence::Heuristic {
        evidence.push("since then only a part of it has run".to_owned());
    }
    let edited = Place {
        role: "edited by",
        agent: edit.agent.clone(),
        line: edit.at_line,
        time: edit.time.clone(),
        excerpt: text::excerpt(&edit.path),
        ..Place::default()
    };
    Finding {
        rule: StaleGateClaim::META,
        severity: Severity::Warning,
        confidence,
        message: found,
        evidence,
        remedy: "run it once more after the last edit".to_owned(),
        places: vec![run_place(run), edited, claim_place(claim, message)],
        ask: Ask::Note,
        key: format!("{}\0{}\0{}", gate.word(), run.call, run.at_line),
        standing: String::new(),
        forecast: false,
    }
}
