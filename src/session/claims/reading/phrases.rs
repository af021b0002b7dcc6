//! Items that belong together: counts, parentheses, "no … errors".

use std::ops::Range;

use crate::session::claims::words::{Grammar, Item, Role};
use crate::shell::gates::Gates;

/// Counts put together ("40 of 41"), and "check" told from "check".
pub(super) fn joined(items: &[Item], grammar: Grammar, of_tests: bool) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::with_capacity(items.len());
    for (at, &item) in items.iter().enumerate() {
        let next = items.get(at + 1).map(|item| item.role);
        let role = match (item.role, out.as_slice()) {
            // "Passed: 142", "failed: 0"
            (Role::Number(_), [before @ .., Item { role: Role::Pass, .. }, Item { role: Role::Colon, .. }])
                if of_tests && begins(before) && next != Some(Role::Of) =>
            {
                let number = Item { role: item.role, ..out.pop().unwrap_or(item) };
                let pass = out.pop().unwrap_or(item);
                out.push(number);
                pass.role
            }
            (Role::Number(_), [before @ .., Item { role: Role::Fail | Role::Failures, .. }, Item { role: Role::Colon, .. }])
                if begins(before) =>
            {
                let number = Item { role: item.role, ..out.pop().unwrap_or(item) };
                let fail = out.pop().unwrap_or(item);
                out.push(number);
                fail.role
            }
            (Role::No, [before @ .., Item { role: Role::Fail | Role::Failures | Role::Undone, .. }, Item { role: Role::Colon, .. }])
                if begins(before) =>
            {
                let no = Item { role: item.role, ..out.pop().unwrap_or(item) };
                let fail = out.pop().unwrap_or(item);
                out.push(no);
                fail.role
            }
            // "98 %"
            (Role::Percent, [.., Item { role: Role::Number(share), .. }]) => {
                let role = if *share == 100 { Role::All } else { Role::Part };
                out.pop();
                role
            }
            (Role::Remaining, _) if matches!(next, Some(Role::Colon)) && out.iter().all(|item| item.role == Role::Filler) => Role::Goal,
            // "Pending:"
            (Role::Undone, before) if next == Some(Role::Colon) && at + 2 == items.len() && begins(before) => Role::Goal,
            (Role::Remaining | Role::Percent, _) => Role::Part,
            (Role::Number(done), before) if whole_of(before, done, &items[at + 1..], grammar).is_some() => {
                let (from, of) = whole_of(before, done, &items[at + 1..], grammar).unwrap_or_default();
                out[from].role = Role::Filler;
                Role::Ratio(done, of)
            }
            // "… and the last 3 need a decision."
            (Role::Plan | Role::Might, [before @ .., Item { role: Role::Part, .. }, Item { role: Role::Number(_), .. }])
                if before.iter().any(|item| matches!(item.role, Role::Pass | Role::Good)) =>
            {
                Role::Left
            }
            (Role::Fail | Role::Failures, before) if is_start(before, next) => Role::Filler,
            // "The three failing tests now pass", "red → green"
            (Role::Fail, _) if is_over(&items[at + 1..], &out) => {
                while let Some(last) = out.last_mut().filter(|last| matches!(last.role, Role::Number(_) | Role::Past)) {
                    last.role = Role::Filler;
                }
                Role::Filler
            }
            (Role::Left, before) if is_left(before, next) => Role::Left,
            (Role::Left, _) => Role::Filler,
            // "Everything passes but cart."
            (Role::But, before) if is_exception(before, &items[at + 1..]) => Role::Except,
            (
                Role::Number(of),
                [.., Item { role: Role::Number(done), .. }, Item { role: Role::Of, .. }]
                | [.., Item { role: Role::Number(done), .. }, Item { role: Role::Of, .. }, Item { role: Role::Filler, .. }],
            ) => {
                let role = Role::Ratio(*done, of);
                while out.pop().is_some_and(|item| !matches!(item.role, Role::Number(_))) {}
                role
            }
            // "41 tests sur 41"
            (
                Role::Number(of),
                [.., Item { role: Role::Number(done), .. }, Item { role: Role::Gate(_) | Role::Name(_), .. }, Item { role: Role::Of, .. }],
            ) => {
                let (role, noun) = (Role::Ratio(*done, of), out[out.len() - 2]);
                out.truncate(out.len() - 3);
                out.extend([Item { role, ..item }, Item { role: Role::Filler, ..noun }]);
                noun.role
            }
            (Role::Check, [.., Item { role: Role::Gate(_) | Role::Name(_) | Role::Filler | Role::All, .. }]) => Role::Checks,
            (Role::Check, _) => Role::Verify,
            // "All but two".
            (Role::But, [.., Item { role: Role::All | Role::Gate(_) | Role::Name(_) | Role::Checks, .. }])
                if matches!(next, Some(Role::Number(_))) =>
            {
                Role::Except
            }
            // "Type checks are clean": the noun.
            (Role::Makes(gate), _) if matches!(next, Some(Role::Be | Role::Pass | Role::Good | Role::Was | Role::Fail)) => Role::Gate(gate),
            (Role::After, _) => {
                let noun =
                    items[at + 1..].iter().find(|item| !matches!(item.role, Role::Filler | Role::All | Role::Number(_) | Role::Whole));
                if noun.is_some_and(|item| matches!(item.role, Role::Gate(_) | Role::Name(_) | Role::Checks)) {
                    Role::If
                } else {
                    Role::Now
                }
            }
            (role, _) => role,
        };
        out.push(Item { role, ..item });
    }
    out
}

/// Does a clause begin here?
fn begins(before: &[Item]) -> bool {
    before
        .iter()
        .rev()
        .map(|item| item.role)
        .find(|role| *role != Role::Filler)
        .is_none_or(|role| matches!(role, Role::Comma | Role::Break))
}

/// "Of 142 tests 139": where the whole stands whose part a number is, and how many it is.
fn whole_of(before: &[Item], done: u64, after: &[Item], grammar: Grammar) -> Option<(usize, u64)> {
    let near = before.len().saturating_sub(6);
    let from = near + before[near..].iter().rposition(|item| matches!(item.role, Role::Number(_)))?;
    let Role::Number(of) = before[from].role else { return None };
    let free = grammar.gap > 0 || grammar.verb_last;
    let noun = |role: Role| matches!(role, Role::Filler | Role::Of | Role::Other | Role::Gate(_) | Role::Name(_));
    let next = after.iter().map(|item| item.role).find(|role| !noun(*role));
    // "142 tests in 12 suites all pass"
    if next == Some(Role::All) {
        return None;
    }
    let is_passed = free && matches!(next, Some(Role::Pass | Role::Good));
    let fronted = before[..from].iter().rev().find(|item| item.role != Role::Filler).is_some_and(|item| item.role == Role::Of);
    let small = |role: Role| {
        let noun = matches!(role, Role::Filler | Role::Gate(_) | Role::Name(_) | Role::Checks | Role::Of | Role::Be | Role::At);
        noun || (free && role == Role::Pass) || ((fronted || is_passed) && role == Role::Comma)
    };
    let joins = done < of && (free || fronted) && before[from + 1..].iter().all(|item| small(item.role));
    joins.then_some((from, of))
}

/// Does a number stand beside a word for what is left ("3 to go", "three remain", "leaving three")?
fn is_left(before: &[Item], next: Option<Role>) -> bool {
    let ends =
        next.is_none_or(|role| matches!(role, Role::Comma | Role::Break | Role::Close | Role::And | Role::At | Role::To | Role::Colon));
    let mut last =
        before.iter().rev().map(|item| item.role).filter(|role| !matches!(role, Role::Filler | Role::Part | Role::Be | Role::Left));
    let counted = match last.next() {
        Some(Role::Number(count)) => count > 0,
        Some(Role::Gate(_) | Role::Name(_)) => ends && matches!(last.next(), Some(Role::Number(_))),
        _ => false,
    };
    counted || (matches!(next, Some(Role::Number(_))) && !before.iter().any(|item| item.role == Role::Who))
}

/// Is a failure over by what stands behind it: "failing tests now pass", "red, then green", "from 3 failures to 0"?
fn is_over(after: &[Item], before: &[Item]) -> bool {
    let mut rest = after.iter().map(|item| item.role).filter(|role| *role != Role::Filler);
    match rest.next() {
        Some(Role::Colon | Role::Comma) => rest.next() == Some(Role::Good),
        Some(Role::Gate(_) | Role::Name(_) | Role::Other) => {
            let ends = |item: &&Item| !matches!(item.role, Role::Comma | Role::Break | Role::Colon | Role::But | Role::And | Role::Since);
            let clause = || after.iter().take_while(ends).map(|item| item.role);
            let gate = clause().position(Role::names_gate).filter(|&at| at < 3);
            let passes = clause().any(|role| matches!(role, Role::Pass | Role::Good))
                && !clause().any(|role| matches!(role, Role::Not | Role::Might));
            let was = before.last().is_some_and(|item| item.role == Role::Past);
            gate.is_some() && passes && (was || clause().any(|role| role == Role::Now))
        }
        _ => false,
    }
}

/// "From 3 failures to 0": how it was.
fn is_start(before: &[Item], next: Option<Role>) -> bool {
    matches!(before, [.., Item { role: Role::At, .. }, Item { role: Role::Number(_), .. }]) && next == Some(Role::To)
}

/// Is what stands behind "but" a thing, of which nothing is said?
fn is_exception(before: &[Item], after: &[Item]) -> bool {
    let passed = before.iter().rev().take_while(|item| item.role != Role::Comma).any(|item| matches!(item.role, Role::Pass | Role::Good));
    let thing = |role: Role| matches!(role, Role::Other | Role::Thing | Role::Gate(_) | Role::Name(_) | Role::Number(_));
    let small = |role: Role| thing(role) || matches!(role, Role::Filler | Role::Part | Role::Of | Role::At);
    passed && after.len() <= 5 && after.iter().any(|item| thing(item.role)) && after.iter().all(|item| small(item.role))
}

/// The items outside of parentheses, and for each pair where it stood and what it holds.
pub(super) fn parentheses(items: &[Item]) -> (Vec<Item>, Vec<(usize, Range<usize>)>) {
    let mut outer = Vec::with_capacity(items.len());
    let mut inner = Vec::new();
    let mut at = 0;
    while at < items.len() {
        match items[at].role {
            Role::Open => {
                let end = items[at..].iter().position(|item| item.role == Role::Close).map_or(items.len(), |length| at + length);
                inner.push((outer.len(), at + 1..end));
                at = end;
            }
            Role::Close => {}
            _ => outer.push(items[at]),
        }
        at += 1;
    }
    (outer, inner)
}

/// Every gate that is named.
pub(super) fn mentioned(items: &[Item]) -> Gates {
    items.iter().fold(Gates::NONE, |gates, item| match item.role {
        Role::Gate(gate) | Role::Name(gate) | Role::Troubled(gate) | Role::Makes(gate) | Role::Made(gate) => gates.with(Gates::of(&[gate])),
        Role::Checks | Role::Everything => gates.with(Gates::ALL),
        _ => gates,
    })
}

/// Does "and" at `at` stand within "no … and … errors"?
pub(super) fn lists_trouble(items: &[Item], at: usize) -> bool {
    let from = items[..at].iter().rposition(|item| item.role == Role::No);
    from.is_some_and(|from| trouble(items, from).is_some_and(|trouble| trouble.end > at))
}

/// "No … errors": where it ends, whose errors, and of what kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoTrouble {
    pub(super) end: usize,
    pub(super) gates: Gates,
    pub(super) every: bool,
    /// Something unknown has none.
    pub(super) unknown: bool,
    /// Failures, which are those of tests where nothing else is named.
    pub(super) failures: bool,
}

pub(super) fn trouble(items: &[Item], from: usize) -> Option<NoTrouble> {
    let mut found = NoTrouble { end: 0, gates: Gates::NONE, every: false, unknown: false, failures: false };
    let mut unknown = 0;
    let mut at = from + 1;
    loop {
        match items.get(at).filter(|_| at < from + 9)?.role {
            Role::Gate(gate) | Role::Name(gate) | Role::Makes(gate) | Role::Made(gate) => {
                found.gates = found.gates.with(Gates::of(&[gate]));
            }
            Role::Checks | Role::Everything => found.every = true,
            Role::Filler | Role::All | Role::Whole | Role::And | Role::Now | Role::Of | Role::Was | Role::Be | Role::No => {}
            Role::Part | Role::Old => found.unknown = true,
            Role::Other | Role::Thing => {
                unknown += 1;
                found.unknown = true;
                if unknown > 1 {
                    return None;
                }
            }
            Role::Fail | Role::Failures => {
                found.failures = true;
                break;
            }
            Role::Troubled(gate) => {
                found.gates = found.gates.with(Gates::of(&[gate]));
                break;
            }
            Role::Trouble | Role::Warnings => break,
            _ => return None,
        }
        at += 1;
    }
    found.end = at + 1;
    // "No failing tests", "no errors in lint", "no errors or warnings".
    let mut of = found.failures;
    for (offset, item) in items[found.end..].iter().take(4).enumerate() {
        match item.role {
            Role::Of | Role::At => of = true,
            Role::And | Role::Filler | Role::No => {}
            Role::Trouble | Role::Warnings => found.end += offset + 1,
            Role::Gate(gate) | Role::Name(gate) if of => {
                found.gates = found.gates.with(Gates::of(&[gate]));
                found.end += offset + 1;
            }
            _ => break,
        }
        if found.end > at + 1 {
            break;
        }
    }
    Some(found)
}
