//! Honest words: what a clause says of gates that failed, were not run, or are not known to pass.

use super::phrases::mentioned;
use crate::session::claims::words::{Grammar, Item, Role};
use crate::shell::gates::Gates;

/// The gates that the clauses before speak of.
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    /// What it stands under: "Lint: 3 errors".
    pub(super) label: Gates,
    /// That, or what was spoken of last.
    pub(super) told: Gates,
}

/// Of which gates something honest is said.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::session::claims) struct Honest {
    /// They were not run, or are not known to pass, or not all of them do.
    pub(in crate::session::claims) open: Gates,
    /// They fail, or did until something was mended.
    pub(in crate::session::claims) failed: Gates,
    /// That they fail now is said so that it holds for its whole list or table.
    pub(in crate::session::claims) listed: Gates,
    /// They are named as failing now.
    pub(in crate::session::claims) named: Gates,
    /// The same with a count, a mark or the command that failed.
    pub(in crate::session::claims) firm: Gates,
}

impl Honest {
    pub(in crate::session::claims) fn with(self, other: Honest) -> Honest {
        Honest {
            open: self.open.with(other.open),
            failed: self.failed.with(other.failed),
            listed: self.listed.with(other.listed),
            named: self.named.with(other.named),
            firm: self.firm.with(other.firm),
        }
    }

    /// What it says of the sentences beside it.
    pub(in crate::session::claims) fn near(self) -> Gates {
        self.open.with(self.failed)
    }
}

/// What a clause says honestly; `past` says that it tells of an earlier state.
pub(super) fn of(items: &[Item], about: About, past: bool, grammar: Grammar) -> Honest {
    let mut honest = Honest::default();
    if items.iter().any(|item| item.role == Role::Elsewhere) {
        return honest;
    }
    let falls_short = |role: Role| matches!(role, Role::Ratio(done, of) if done < of);
    let alone = |role: Role| falls_short(role) || matches!(role, Role::Filler | Role::Number(_) | Role::Cross | Role::Other);
    let short = !past && items.iter().any(|item| falls_short(item.role)) && items.iter().all(|item| alone(item.role));
    if short || denies(items) {
        honest.open = about.told;
    }
    for at in 0..items.len() {
        if let Some(what) = discloses(items, at, past) {
            honest = honest.with(weighed(items, at, said_of(items, at, what, about.label, grammar), about));
        }
    }
    honest
}

/// How far what the word at `at` says of `gates` reaches.
fn weighed(items: &[Item], at: usize, gates: Gates, about: About) -> Honest {
    let role = items[at].role;
    let bad = matches!(role, Role::Fail | Role::Failures);
    let mendable = bad || matches!(role, Role::Trouble | Role::Troubled(_) | Role::Pass | Role::Good);
    let mut honest = if mendable { Honest { failed: gates, ..Honest::default() } } else { Honest { open: gates, ..Honest::default() } };
    let is_now =
        (bad || matches!(role, Role::Cross | Role::Ratio(..))) && !items.iter().any(|item| matches!(item.role, Role::Past | Role::Was));
    // "I wrote a failing test."
    let written = items[..at].iter().any(|item| item.role == Role::Who) && items.get(at + 1).is_some_and(|item| item.role.names_gate());
    if !is_now || written {
        return honest;
    }
    let counted = items.iter().any(|item| matches!(item.role, Role::Number(count) if count > 0) || matches!(item.role, Role::Ratio(..)));
    let directly = at > 0 && matches!(items[at - 1].role, Role::Number(count) if count > 0);
    let is_named = !mentioned(items).is_empty() || !about.label.is_empty();
    if is_named || (bad && directly) {
        honest.listed = gates;
    }
    if is_named {
        honest.named = gates;
    }
    let command = items[..at].iter().any(|item| item.code && item.role.names());
    if is_named && (counted || command || role == Role::Cross) {
        honest.firm = gates;
    }
    honest
}

/// "… ; cart does not": nothing but a thing and a denial at the end.
fn denies(items: &[Item]) -> bool {
    let Some((last, thing)) = items.split_last() else { return false };
    let small = |role: Role| {
        matches!(
            role,
            Role::Other | Role::Thing | Role::Filler | Role::Part | Role::Of | Role::At | Role::Number(_) | Role::Name(_) | Role::That
        )
    };
    let named = thing.iter().any(|item| matches!(item.role, Role::Other | Role::Thing | Role::Name(_)));
    last.role == Role::Not && named && thing.iter().all(|item| small(item.role))
}

/// What a disclosing word is said of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// What stands before it or behind it in its clause.
    Clause,
    /// What it is done to: "could not run the linter".
    Object,
    /// Whatever is claimed beside it.
    Claim,
}

fn discloses(items: &[Item], at: usize, past: bool) -> Option<Of> {
    let before = &items[..at];
    let has = |role: Role| before.iter().any(|item| item.role == role);
    let next = items.get(at + 1).map(|item| item.role);
    let absent = items[at..].iter().take(5).any(|item| item.role == Role::Absent);
    let small = |role: &Role| matches!(role, Role::Filler | Role::Now | Role::Be);
    let last = before.iter().rev().map(|item| item.role).find(|role| !small(role));
    let denied = absent || before.iter().rev().take(4).any(|item| matches!(item.role, Role::No | Role::Not));
    let earlier = (past || items.iter().any(|item| item.role == Role::Past)) && !has(Role::Now);
    let mended = items
        .windows(2)
        .any(|pair| pair[1].role == Role::Fixed && (pair[0].role.is_bad() || matches!(pair[0].role, Role::Be | Role::Filler | Role::Now)));
    let was_then = items.get(at + 1).is_some_and(|item| item.role == Role::Was);
    let settled = was_then || has(Role::Fixed) || has(Role::Cause) || mended || has(Role::If) || earlier;
    // "Failed logins", "the blocked state": not of a gate.
    let told = last.is_some_and(|role| role.names() || matches!(role, Role::Number(_) | Role::They | Role::Ratio(..)));
    let attribute = next == Some(Role::Other) && !told;
    match items[at].role {
        Role::Cross | Role::Except | Role::Left => Some(Of::Claim),
        Role::Fail | Role::Failures => (!denied && !settled && !has(Role::Was) && !attribute).then_some(Of::Clause),
        // "I skipped the changelog" is about what was skipped.
        Role::Undone => {
            let active = has(Role::Who) && !has(Role::Be) && !has(Role::Was);
            (!denied && !settled && !attribute).then_some(if active { Of::Object } else { Of::Clause })
        }
        Role::Run | Role::Verify => {
            let not = before.iter().rposition(|item| matches!(item.role, Role::Not | Role::No))?;
            (at - not <= 5 && !earlier && !has(Role::If)).then_some(Of::Object)
        }
        // "Not passing" says as much as "failing".
        Role::Pass | Role::Good => {
            let near = before.iter().rev().take(3).any(|item| item.role == Role::Not);
            (near && !earlier && !has(Role::If) && !has(Role::Was) && !mentioned(before).is_empty()).then_some(Of::Clause)
        }
        Role::Trouble | Role::Troubled(_) => {
            let old = before.iter().rev().take(3).any(|item| item.role == Role::Old);
            let counted = before.iter().rev().take(3).any(|item| matches!(item.role, Role::Number(count) if count > 0));
            ((old || counted) && !denied && !settled && !has(Role::Was)).then_some(Of::Clause)
        }
        Role::Old => {
            let wrong = items.iter().any(|item| matches!(item.role, Role::Fail | Role::Failures | Role::Trouble));
            (wrong && !denied && !settled).then_some(Of::Clause)
        }
        Role::Expected => {
            let named = items.iter().any(|item| item.role.names() || matches!(item.role, Role::Fail | Role::Failures));
            named.then_some(Of::Clause)
        }
        Role::Ratio(done, of) if done < of => {
            let passes = items.iter().any(|item| matches!(item.role, Role::Pass | Role::Gate(_) | Role::Name(_) | Role::Fail));
            (passes && !earlier).then_some(Of::Clause)
        }
        _ => None,
    }
}

fn said_of(items: &[Item], at: usize, what: Of, label: Gates, grammar: Grammar) -> Gates {
    let (before, after) = (&items[..at], &items[at + 1..]);
    let unknown = |items: &[Item]| items.iter().any(|item| matches!(item.role, Role::Other | Role::Thing));
    let named = match what {
        Of::Object => {
            let object = mentioned(after);
            if object.is_empty() && unknown(after) && grammar.gap == 0 {
                return mentioned(before);
            }
            if object.is_empty() { mentioned(before) } else { object }
        }
        Of::Clause | Of::Claim => {
            let subject = mentioned(before);
            if subject.is_empty() { mentioned(after) } else { subject }
        }
    };
    if !named.is_empty() {
        return named;
    }
    if !label.is_empty() {
        return label;
    }
    let generic = match what {
        Of::Claim => true,
        Of::Clause | Of::Object => {
            let near = if items[at].role == Role::Failures { 3 } else { 1 };
            let counted = before.iter().rev().take(near).any(|item| matches!(item.role, Role::Number(_)));
            !unknown(before) || (counted && !matches!(items[at].role, Role::Trouble))
        }
    };
    if generic { Gates::ALL } else { Gates::NONE }
}
