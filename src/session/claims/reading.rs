//! What one sentence claims, and what it says honestly: clause by clause, in whatever language.
//!
//! A claim is a gate and its success bound in one clause, with nothing there that denies it, puts it off, asks
//! for it, or ascribes it to somebody else. Where that is in doubt there is no claim.

mod disclosure;

use std::ops::Range;

use super::words::{Grammar, Item, Role};
use crate::shell::gates::{Gate, Gates};

/// What a sentence says of gates.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) said: Vec<Said>,
    /// Of which gates it says that they fail, were not run, or are not known to pass.
    pub(super) disclosed: Gates,
    /// Which gates it speaks of.
    pub(super) mentioned: Gates,
    /// What follows as its list is no claim either.
    pub(super) taken_back: bool,
    /// It is the heading of plans, or of what holds elsewhere.
    pub(super) planned: bool,
}

/// One success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) gate: Option<Gate>,
    pub(super) whole: bool,
    pub(super) count: Option<u64>,
}

/// The gates that a clause speaks of, and how much of them.
#[derive(Debug, Clone, Copy, Default)]
struct Subject {
    gates: Gates,
    every: bool,
    /// Named by a word that is a subject only as a label.
    name: bool,
    part: bool,
    whole: bool,
    count: Option<u64>,
}

impl Subject {
    fn of(gates: Gates) -> Option<Self> {
        (!gates.is_empty()).then_some(Subject { gates, ..Subject::default() })
    }

    fn with(self, other: Subject) -> Self {
        Subject {
            gates: self.gates.with(other.gates),
            every: self.every || other.every,
            name: self.name && other.name,
            part: self.part || other.part,
            whole: self.whole || other.whole,
            count: other.count.or(self.count),
        }
    }
}

/// Reads a sentence's items. `before` are the gates that the sentence before it speaks of, or that stand above it
/// as a heading; `asks` says that it is a question.
pub(super) fn read(items: &[Item], grammar: Grammar, before: Gates, asks: bool) -> Reading {
    let items = joined(items);
    let (outer, inner) = parentheses(&items);
    let mut sentence = Sentence { grammar, before, reading: Reading::default(), last: None, label: None, objects: false, chain: None, held: Held::default() };
    let last_break = outer.iter().rposition(|item| matches!(item.role, Role::Break | Role::Colon)).unwrap_or(0);
    let mut start = 0;
    let mut comma = false;
    for at in 0..=outer.len() {
        let role = outer.get(at).map(|item| item.role);
        let ends = role.is_none_or(|role| matches!(role, Role::Comma | Role::And | Role::Colon | Role::Break | Role::But | Role::Since));
        // "No lint or type errors" is one phrase.
        let inside = role == Some(Role::And) && lists_trouble(&outer[start..], at - start);
        if !ends || inside {
            continue;
        }
        let clause = &outer[start..at];
        let asked = asks && at > last_break;
        if !clause.is_empty() {
            sentence.clause(clause, role, comma, asked, &outer[at..]);
            for range in inner.iter().filter(|(anchor, _)| (start..=at).contains(anchor) && (*anchor < at || at == outer.len() || *anchor == at)) {
                if range.0 > start {
                    sentence.aside(&items[range.1.clone()], asked);
                }
            }
        }
        comma = role == Some(Role::Comma) || (comma && clause.is_empty());
        start = at + 1;
    }
    if inner.iter().any(|(anchor, _)| *anchor == 0) {
        for (_, range) in inner.iter().filter(|(anchor, _)| *anchor == 0) {
            sentence.aside(&items[range.clone()], asks);
        }
    }
    sentence.reading.mentioned = sentence.reading.mentioned.with(mentioned(&items));
    sentence.reading
}

/// Counts put together ("40 of 41"), and "check" told from "check".
fn joined(items: &[Item]) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::with_capacity(items.len());
    for (at, &item) in items.iter().enumerate() {
        let next = items.get(at + 1).map(|item| item.role);
        let role = match (item.role, out.as_slice()) {
            (Role::Number(of), [.., Item { role: Role::Number(done), .. }, Item { role: Role::Of, .. }])
            | (Role::Number(of), [.., Item { role: Role::Number(done), .. }, Item { role: Role::Of, .. }, Item { role: Role::Filler, .. }]) => {
                let role = Role::Ratio(*done, of);
                while out.pop().is_some_and(|item| !matches!(item.role, Role::Number(_))) {}
                role
            }
            // "41 tests sur 41"
            (Role::Number(of), [.., Item { role: Role::Number(done), .. }, Item { role: Role::Gate(_) | Role::Name(_), .. }, Item { role: Role::Of, .. }]) => {
                let (role, noun) = (Role::Ratio(*done, of), out[out.len() - 2]);
                out.truncate(out.len() - 3);
                out.extend([Item { role, ..item }, Item { role: Role::Filler, ..noun }]);
                noun.role
            }
            (Role::Check, [.., Item { role: Role::Gate(_) | Role::Name(_) | Role::Filler | Role::All, .. }]) => Role::Checks,
            (Role::Check, _) => Role::Verify,
            // "All but two".
            (Role::But, [.., Item { role: Role::All | Role::Gate(_) | Role::Name(_) | Role::Checks, .. }]) if matches!(next, Some(Role::Number(_))) => Role::Except,
            // "Type checks are clean": the noun.
            (Role::Makes(gate), _) if matches!(next, Some(Role::Be | Role::Pass | Role::Good | Role::Was | Role::Fail)) => Role::Gate(gate),
            (Role::After, _) => {
                let noun = items[at + 1..].iter().find(|item| !matches!(item.role, Role::Filler | Role::All | Role::Number(_) | Role::Whole));
                if noun.is_some_and(|item| matches!(item.role, Role::Gate(_) | Role::Name(_) | Role::Checks)) { Role::If } else { Role::Now }
            }
            (role, _) => role,
        };
        out.push(Item { role, ..item });
    }
    out
}

/// The items outside of parentheses, and for each pair where it stood and what it holds.
fn parentheses(items: &[Item]) -> (Vec<Item>, Vec<(usize, Range<usize>)>) {
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
fn mentioned(items: &[Item]) -> Gates {
    items.iter().fold(Gates::NONE, |gates, item| match item.role {
        Role::Gate(gate) | Role::Name(gate) | Role::Troubled(gate) | Role::Makes(gate) | Role::Made(gate) => gates.with(Gates::of(&[gate])),
        Role::Checks | Role::Everything => gates.with(Gates::ALL),
        _ => gates,
    })
}

/// Does "and" at `at` stand within "no … and … errors"?
fn lists_trouble(items: &[Item], at: usize) -> bool {
    let from = items[..at].iter().rposition(|item| item.role == Role::No);
    from.is_some_and(|from| trouble(items, from).is_some_and(|trouble| trouble.end > at))
}

/// "No … errors": where it ends, whose errors, and of what kind.
#[derive(Debug, Clone, Copy)]
struct NoTrouble {
    end: usize,
    gates: Gates,
    every: bool,
    /// Something unknown has none.
    unknown: bool,
    /// Failures, which are those of tests where nothing else is named.
    failures: bool,
}

fn trouble(items: &[Item], from: usize) -> Option<NoTrouble> {
    let mut found = NoTrouble { end: 0, gates: Gates::NONE, every: false, unknown: false, failures: false };
    let mut unknown = 0;
    let mut at = from + 1;
    loop {
        match items.get(at).filter(|_| at < from + 9)?.role {
            Role::Gate(gate) | Role::Name(gate) => found.gates = found.gates.with(Gates::of(&[gate])),
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

/// What an earlier clause says of all that follow in its sentence.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    /// Condition, intention, hearsay.
    firm: bool,
    past: bool,
    elsewhere: bool,
}

struct Sentence {
    grammar: Grammar,
    before: Gates,
    reading: Reading,
    /// The last subject of a clause, which "they" and a clause without one go back to.
    last: Option<Subject>,
    /// "Tests:"
    label: Option<Subject>,
    /// The last clause said that something passes a gate: "it passes lint and …".
    objects: bool,
    /// Subjects that wait for what is said of them: "tests, lint and …".
    chain: Option<Subject>,
    held: Held,
}

impl Sentence {
    /// A clause, what ends it, whether a comma stood before it, and the rest of the sentence.
    fn clause(&mut self, items: &[Item], end: Option<Role>, comma: bool, asked: bool, rest: &[Item]) {
        let past = self.held.past;
        let mut clause = Clause::new(self, items, comma, asked, rest);
        clause.read();
        clause.object_goes_on();
        let objects = clause.objects;
        let Clause { subject, own, unknown, spoke, signs, fronted, .. } = clause;
        self.objects = objects && matches!(end, Some(Role::Comma | Role::And));
        let gates = mentioned(items);
        // What is said of the future or elsewhere goes on until something else begins.
        let strong = fronted || !gates.is_empty();
        match end {
            Some(Role::Break | Role::But | Role::Since) | None => self.held = Held::default(),
            Some(Role::Comma) => {
                let tied = rest.get(1).is_some_and(|item| item.role == Role::That);
                self.held.firm |= (signs.firm && strong) || (tied && signs.any());
                self.held.past |= signs.past && strong;
                self.held.elsewhere |= signs.elsewhere && fronted;
            }
            Some(Role::Colon) => {
                self.held.firm |= signs.firm || signs.goal || signs.might || (signs.not && matches!(items[0].role, Role::Not | Role::No));
                self.held.past |= signs.past;
                self.held.elsewhere |= signs.elsewhere;
            }
            _ => {
                self.held.firm |= signs.firm;
                self.held.past |= signs.past;
            }
        }
        if signs.now {
            self.held.past = false;
        }
        self.reading.taken_back = signs.any() || (end.is_some() && self.reading.taken_back);
        self.reading.planned |= signs.goal || signs.elsewhere;
        let about = self.label.filter(|_| !own).map_or(Gates::NONE, |label| label.gates);
        self.reading.disclosed = self.reading.disclosed.with(disclosure::of(items, about, past, self.grammar));
        let bare = !unknown && !spoke;
        self.chain = subject.filter(|_| bare && matches!(end, Some(Role::Comma | Role::And)));
        if let Some(subject) = subject.filter(|subject| own && !subject.gates.is_empty() || subject.every) {
            self.last = Some(self.last.filter(|_| bare && matches!(end, Some(Role::Comma | Role::And))).map_or(subject, |last| last.with(subject)));
            if bare && matches!(end, Some(Role::Colon | Role::Break)) {
                self.label = Some(subject);
            } else if spoke {
                self.label = None;
            }
        } else if !gates.is_empty() {
            let named = Subject { gates, name: false, ..Subject::default() };
            self.last = Some(self.last.map_or(named, |last| last.with(named)));
        }
    }

    /// What stands in parentheses behind a clause: "(41/41)", "(all green)", "(unverified)".
    fn aside(&mut self, items: &[Item], asked: bool) {
        let (held, label, last, chain) = (self.held, self.label, self.last, self.chain.take());
        self.label = chain.or(label).or(last);
        for clause in items.split(|item| matches!(item.role, Role::Comma | Role::Break | Role::Colon | Role::And | Role::But)) {
            self.clause(clause, Some(Role::Comma), false, asked, &[]);
        }
        (self.held, self.label, self.last, self.chain) = (held, label, last, chain);
    }

    fn say(&mut self, subject: &Subject, whole: bool, count: Option<u64>) {
        let whole = whole || subject.whole;
        let count = count.or(subject.count);
        let mut push = |gate: Option<Gate>| match self.reading.said.iter_mut().find(|said| said.gate == gate) {
            Some(said) => {
                said.whole |= whole;
                said.count = said.count.or(count);
            }
            None => self.reading.said.push(Said { gate, whole, count }),
        };
        if subject.every {
            push(None);
        } else {
            subject.gates.iter().for_each(|gate| push(Some(gate)));
        }
    }
}

/// What stands in a clause that takes a success back.
#[derive(Debug, Clone, Copy, Default)]
struct Signs {
    not: bool,
    might: bool,
    firm: bool,
    goal: bool,
    past: bool,
    now: bool,
    elsewhere: bool,
}

impl Signs {
    fn note(&mut self, role: Role) {
        match role {
            Role::Not => self.not = true,
            Role::Might => self.might = true,
            Role::If | Role::Plan | Role::Verify | Role::Says | Role::Per => self.firm = true,
            Role::Goal => self.goal = true,
            Role::Past => self.past = true,
            Role::Now => (self.past, self.now) = (false, true),
            Role::Elsewhere => self.elsewhere = true,
            _ => {}
        }
    }

    fn any(self) -> bool {
        self.not || self.might || self.firm || self.goal || self.past || self.elsewhere
    }
}

struct Clause<'s, 'i> {
    sentence: &'s mut Sentence,
    items: &'i [Item],
    rest: &'i [Item],
    asked: bool,
    subject: Option<Subject>,
    /// The subject stands in this clause.
    own: bool,
    /// Words that go before a subject: how much of it is meant.
    ahead: Subject,
    /// Letters of unknown words since the subject.
    gap: usize,
    /// Behind a preposition.
    beside: bool,
    /// A word of no known sense stood here.
    unknown: bool,
    was: bool,
    /// A verb that needs a word of success stood here.
    linked: bool,
    thing: bool,
    /// A success was said, or denied.
    spoke: bool,
    /// The gates stood behind the success.
    objects: bool,
    /// What takes it back is the first word.
    fronted: bool,
    signs: Signs,
}

impl<'s, 'i> Clause<'s, 'i> {
    fn new(sentence: &'s mut Sentence, items: &'i [Item], comma: bool, asked: bool, rest: &'i [Item]) -> Self {
        let first = items.iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler));
        let first_sign = items.iter().take(3).any(|item| matches!(item.role, Role::Elsewhere | Role::Past | Role::Per));
        let fronted = match first {
            Some(Role::If | Role::Plan | Role::Verify | Role::Says | Role::Per | Role::Past | Role::Goal | Role::Elsewhere) => true,
            Some(Role::At) if first_sign => true,
            _ => sentence.grammar.gap > 0,
        };
        let _ = comma;
        let chain = sentence.chain.take();
        Clause {
            sentence,
            items,
            rest,
            asked,
            subject: chain,
            own: chain.is_some(),
            ahead: Subject::default(),
            gap: 0,
            beside: false,
            unknown: false,
            was: false,
            linked: false,
            thing: false,
            spoke: false,
            objects: false,
            fronted,
            signs: Signs::default(),
        }
    }

    fn role(&self, at: usize) -> Option<Role> {
        self.items.get(at).map(|item| item.role)
    }

    fn read(&mut self) {
        let mut at = 0;
        while at < self.items.len() {
            let item = self.items[at];
            let teller = self.items[..at].iter().rev().map(|item| item.role).find(|role| *role != Role::Filler);
            let told = item.role == Role::Says && matches!(teller, Some(Role::Gate(_) | Role::Name(_)));
            if !told {
                self.signs.note(item.role);
            }
            let mut next = at + 1;
            match item.role {
                Role::All => (self.ahead.whole, self.ahead.every) = (true, true),
                Role::Whole => self.ahead.whole = true,
                Role::Part => self.partly(at),
                Role::Number(count) => self.ahead.count = Some(count),
                Role::Gate(gate) => self.gate(at, Subject { gates: Gates::of(&[gate]), ..Subject::default() }),
                Role::Name(gate) => self.gate(at, Subject { gates: Gates::of(&[gate]), name: true, ..Subject::default() }),
                Role::Checks => self.gate(at, Subject { every: true, ..Subject::default() }),
                Role::Everything => {
                    let antecedent = self.sentence.last.map(|last| Subject { part: false, whole: true, name: false, ..last });
                    self.gate(at, antecedent.unwrap_or(Subject { every: true, ..Subject::default() }));
                }
                Role::They => self.they(),
                Role::Thing => self.thing = true,
                // "Tests that pass" are some of them.
                Role::That => self.subject = None,
                Role::Be | Role::Run => self.linked = true,
                Role::Well if self.linked && self.own => self.well(at),
                Role::Was => self.was = true,
                Role::Fixed if matches!(self.role(at + 1), Some(Role::Gate(_) | Role::Name(_))) => self.ahead.part = true,
                Role::At => self.beside = self.subject.is_some(),
                Role::Of => {}
                Role::Pass | Role::Good | Role::Fine => next = self.success(at),
                Role::Ratio(done, of) => self.ratio(at, done, of),
                Role::Tick => self.tick(),
                Role::No => next = self.none(at),
                Role::Absent => self.absent(at),
                Role::Fail if self.sentence.grammar.gap > 0 => self.spoke = true,
                Role::Makes(gate) | Role::Made(gate) => self.makes(at, gate, matches!(item.role, Role::Made(_))),
                Role::Other => self.other(item),
                _ => {}
            }
            at = next;
        }
    }

    fn partly(&mut self, at: usize) {
        self.ahead.part = true;
        if at > 0 && !self.beside {
            self.subject.iter_mut().for_each(|subject| subject.part = true);
        }
    }

    fn other(&mut self, item: Item) {
        self.unknown = true;
        self.ahead = Subject::default();
        self.gap += item.size;
        let limit = self.sentence.grammar.gap;
        if self.beside && limit == 0 {
            self.subject.iter_mut().for_each(|subject| subject.part |= !subject.whole);
        } else if self.gap > limit {
            self.subject = None;
        }
    }

    fn gate(&mut self, at: usize, named: Subject) {
        if self.beside && self.sentence.grammar.gap == 0 {
            return;
        }
        let is_small = |role: Role| matches!(role, Role::Filler | Role::All | Role::Whole | Role::Number(_));
        let before = self.items[..at].iter().rposition(|item| !is_small(item.role));
        let owner = before.filter(|&before| self.items[before].role == Role::Of).and_then(|of| of.checked_sub(1)).and_then(|at| self.role(at));
        // "The output of the tests" is another thing.
        if matches!(owner, Some(Role::Other | Role::Thing)) {
            return;
        }
        let compound = self.sentence.grammar.compounds && at > 0 && self.role(at - 1) == Some(Role::Other) && !self.items[at].code;
        // "ruff: all checks passed"
        let named = match self.sentence.label.filter(|label| named.every && named.gates.is_empty() && !label.gates.is_empty()) {
            Some(label) => Subject { part: false, ..label },
            None => named,
        };
        let mut named = Subject {
            part: self.ahead.part || compound || matches!(owner, Some(Role::Part)),
            whole: self.ahead.whole || named.whole || named.every,
            count: self.ahead.count,
            ..named
        };
        named.name &= !(named.whole || named.count.is_some_and(|count| count > 1));
        if let Some(subject) = self.subject.filter(|_| self.own && !self.spoke) {
            let adjacent = at > 0 && matches!(self.role(at - 1), Some(Role::Gate(_) | Role::Name(_) | Role::Checks));
            named = match (adjacent, named.every) {
                // "Lint checks", "ESLint check".
                (true, true) => Subject { name: false, ..subject },
                (true, false) => Subject { part: subject.part, whole: subject.whole, count: subject.count, ..named },
                (false, _) => subject.with(named),
            };
        }
        (self.subject, self.own, self.gap, self.beside) = (Some(named), true, 0, false);
        self.ahead = Subject::default();
    }

    fn they(&mut self) {
        self.subject = self.antecedent().map(|subject| Subject { part: false, ..subject });
        (self.own, self.gap) = (true, 0);
        self.ahead = Subject::default();
    }

    fn antecedent(&self) -> Option<Subject> {
        self.sentence.label.or(self.sentence.last).or_else(|| Subject::of(self.sentence.before))
    }

    /// What a success without a gate of its own is about.
    fn subject(&self, by_count: bool) -> Option<Subject> {
        if let Some(subject) = self.subject {
            let follows = self.sentence.grammar.gap > 0 || !self.unknown || self.own;
            let named = subject.every && !subject.part && subject.gates.is_empty();
            if named && self.ahead.every {
                return Some(subject);
            }
            return follows.then_some(subject);
        }
        if self.unknown || self.thing {
            return None;
        }
        if self.ahead.part {
            return None;
        }
        if let Some(label) = self.sentence.label.or(self.sentence.last) {
            return Some(Subject { part: false, whole: label.whole || self.ahead.whole, count: self.ahead.count, ..label });
        }
        let count = self.ahead.count;
        if by_count && count.is_some() {
            let before = self.sentence.before;
            let gates = if before.is_empty() || before == Gates::ALL { Gates::of(&[Gate::Test]) } else { before };
            return Some(Subject { gates, whole: self.ahead.whole, count, ..Subject::default() });
        }
        if self.ahead.every {
            let before = self.sentence.before;
            let named = Subject::of(before).filter(|_| before != Gates::ALL);
            return Some(Subject { whole: true, ..named.unwrap_or(Subject { every: true, ..Subject::default() }) });
        }
        None
    }

    /// A word of success; says where to go on.
    fn success(&mut self, at: usize) -> usize {
        let role = self.items[at].role;
        if let Some(end) = self.object(at, role) {
            return end;
        }
        if !self.ends_here(at) {
            self.unknown = true;
            self.subject = None;
            return at + 1;
        }
        let subject = self.subject(role != Role::Fine);
        let vague = role == Role::Fine && subject.is_none_or(|subject| subject.every && subject.gates.is_empty());
        if let Some(subject) = subject.filter(|subject| !vague && !(subject.name && !self.is_label())) {
            let count = self.ahead.count;
            let whole = self.ahead.whole;
            if !(self.was && role == Role::Good) {
                self.claim(at, &subject, whole, count);
            }
        }
        self.spoke = true;
        at + 1
    }

    /// "The build finished successfully."
    fn well(&mut self, at: usize) {
        if let Some(subject) = self.subject.filter(|subject| !self.spoke && !subject.name && self.ends_here(at)) {
            self.claim(at, &subject, false, None);
            self.spoke = true;
        }
    }

    /// A name is a subject where nothing but it, and what is said of it, stands in the clause.
    fn is_label(&self) -> bool {
        let first = self.items.iter().take_while(|item| !matches!(item.role, Role::Name(_))).all(|item| item.role != Role::Filler);
        let plain = |role: Role| {
            matches!(role, Role::Name(_) | Role::Gate(_) | Role::Pass | Role::Good | Role::Fine | Role::Tick | Role::Number(_) | Role::Ratio(..) | Role::Filler)
        };
        let alone = first && !self.beside && self.items.iter().all(|item| plain(item.role));
        alone || (!self.own && self.sentence.label.is_some_and(|label| label.name))
    }

    /// "The code passes all tests": the gate behind the success.
    fn object(&mut self, at: usize, role: Role) -> Option<usize> {
        let named = self.subject.is_some_and(|subject| !subject.every && !subject.gates.is_empty());
        if role != Role::Pass || named || !self.sentence.grammar.objects || self.sentence.grammar.gap > 0 {
            return None;
        }
        let (mut subject, mut ahead) = (None::<Subject>, Subject::default());
        let mut end = at + 1;
        for (offset, item) in self.items[at + 1..].iter().enumerate() {
            let gates = match item.role {
                Role::Gate(gate) => Gates::of(&[gate]),
                Role::Checks | Role::Everything if subject.is_some() => Gates::NONE,
                Role::Checks | Role::Everything => {
                    subject = Some(Subject { every: true, whole: true, ..ahead });
                    continue;
                }
                Role::All => {
                    ahead.whole = true;
                    continue;
                }
                Role::Whole => {
                    ahead.whole = true;
                    continue;
                }
                Role::Number(count) => {
                    ahead.count = Some(count);
                    continue;
                }
                Role::Part => {
                    ahead.part = true;
                    continue;
                }
                Role::Filler | Role::And => continue,
                Role::At | Role::Tick | Role::Well | Role::Now => break,
                _ => return None,
            };
            let found = Subject { gates, ..ahead };
            subject = Some(subject.map_or(found, |subject| subject.with(found)));
            end = at + 2 + offset;
        }
        let subject = subject.filter(|subject| !subject.gates.is_empty() || subject.every)?;
        self.claim(at, &subject, false, None);
        (self.spoke, self.own, self.subject, self.objects) = (true, true, Some(subject), true);
        Some(end.max(at + 2).min(self.items.len()))
    }

    /// "… and tests": one more gate behind the success of the clause before.
    fn object_goes_on(&mut self) {
        let bare = self.own && !self.unknown && !self.spoke && !self.linked && !self.was;
        self.objects |= self.sentence.objects && bare;
        if let Some(subject) = self.subject.filter(|_| self.sentence.objects && bare) {
            self.claim(self.items.len(), &subject, false, None);
            self.spoke = true;
        }
    }

    /// Does nothing follow that makes the success another word ("passes messages", "clean up", "green button")?
    fn ends_here(&self, at: usize) -> bool {
        if !self.sentence.grammar.objects {
            return true;
        }
        let next = self.items[at + 1..].iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler | Role::Whole));
        !matches!(next, Some(Role::Other | Role::To | Role::Thing | Role::Name(_) | Role::Part | Role::They | Role::Gate(_) | Role::Checks | Role::Everything))
    }

    fn ratio(&mut self, at: usize, done: u64, of: u64) {
        if done != of {
            // A part of them: what is said is no success.
            self.ahead.part = true;
            self.subject.iter_mut().for_each(|subject| subject.part = true);
            return;
        }
        self.ahead.whole = true;
        self.ahead.count = Some(of);
        let subject = self.subject.or(self.sentence.label.filter(|_| !self.unknown));
        let closed = !matches!(self.role(at + 1), Some(Role::Other | Role::Thing));
        if let Some(subject) = subject.filter(|subject| closed && !subject.part) {
            self.claim(at, &subject, true, Some(of));
        }
    }

    /// A tick and a gate, and nothing else that has a sense of its own.
    fn tick(&mut self) {
        let plain = |role: Role| {
            matches!(role, Role::Tick | Role::Gate(_) | Role::Name(_) | Role::Checks | Role::Everything | Role::Filler | Role::All | Role::Whole | Role::Number(_))
                || matches!(role, Role::Ratio(done, of) if done == of)
        };
        if !self.items.iter().all(|item| plain(item.role)) {
            return;
        }
        let joins = |item: &&Item| matches!(item.role, Role::Comma | Role::And);
        let named = self.items.iter().any(|item| matches!(item.role, Role::Gate(_) | Role::Name(_) | Role::Checks | Role::Everything));
        let gates = mentioned(self.items);
        let every = self.items.iter().any(|item| matches!(item.role, Role::Checks | Role::Everything)) && !self.items.iter().any(|item| matches!(item.role, Role::Gate(_)));
        let subject = match (named, self.sentence.label) {
            (true, _) => Subject { gates, every, ..Subject::default() },
            (false, Some(label)) => label,
            (false, None) => return,
        };
        let alone = self.rest.first().is_none_or(|item| !joins(&item) && item.role != Role::Colon);
        let whole = self.items.iter().any(|item| matches!(item.role, Role::All | Role::Whole | Role::Ratio(..)));
        let first = self.items.first().is_some_and(|item| item.role == Role::Tick);
        if !subject.part && (alone || !first || self.sentence.label.is_some() || named) {
            self.claim(0, &subject, whole, None);
        }
    }

    /// "No errors"; says where to go on.
    fn none(&mut self, at: usize) -> usize {
        let Some(trouble) = trouble(self.items, at) else {
            // "Errors: 0"
            if at > 0 && matches!(self.items[..at].iter().rev().map(|item| item.role).find(|role| *role != Role::Filler), Some(Role::Trouble | Role::Troubled(_))) {
                self.absent(at);
                return at + 1;
            }
            let next = self.items[at + 1..].iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler | Role::Part));
            self.signs.not |= matches!(next, Some(Role::Gate(_) | Role::Name(_) | Role::Checks | Role::Everything | Role::All | Role::Run | Role::They | Role::Of));
            return at + 1;
        };
        let named = Subject::of(trouble.gates).or((trouble.every).then_some(Subject { every: true, ..Subject::default() }));
        let whole = trouble.failures && named.is_some();
        let subject = match named {
            Some(named) => (!trouble.unknown).then_some(named),
            None if trouble.failures && trouble.unknown => None,
            None if self.subject.is_some() => self.subject,
            None if self.unknown || self.thing => None,
            None => self.sentence.label.or(self.sentence.last).or(trouble.failures.then_some(Subject { gates: Gates::of(&[Gate::Test]), ..Subject::default() })),
        };
        if let Some(subject) = subject.filter(|subject| !(self.was && subject.name)) {
            self.claim(trouble.end - 1, &subject, whole, None);
        }
        self.spoke = true;
        trouble.end.max(at + 1)
    }

    /// "… errors: none"
    fn absent(&mut self, at: usize) {
        let from = self.items[..at].iter().rposition(|item| matches!(item.role, Role::Pass | Role::Good)).map_or(0, |spoke| spoke + 1);
        let items = &self.items[from..at];
        let bad = |role: Role| matches!(role, Role::Trouble | Role::Troubled(_) | Role::Warnings | Role::Failures | Role::Fail);
        if !items.iter().any(|item| bad(item.role)) || items.iter().any(|item| matches!(item.role, Role::Part | Role::Old)) {
            return;
        }
        let failures = items.iter().any(|item| matches!(item.role, Role::Failures | Role::Fail));
        let named = mentioned(items);
        let subject = Subject::of(named).or(self.subject).or(failures.then_some(Subject { gates: Gates::of(&[Gate::Test]), ..Subject::default() }));
        if let Some(subject) = subject {
            self.claim(at, &Subject { part: false, ..subject }, failures, None);
        }
        self.spoke = true;
    }

    /// "The project builds", "type-checks cleanly".
    fn makes(&mut self, at: usize, gate: Gate, needs_well: bool) {
        let ahead = self.items[at + 1..].iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler | Role::Now));
        let well = match ahead {
            None | Some(Role::Tick) => !needs_well,
            Some(Role::Well | Role::Good | Role::Fine) => true,
            Some(Role::No | Role::At) => {
                let no = self.items.iter().skip(at + 1).position(|item| item.role == Role::No).map(|offset| at + 1 + offset);
                no.is_some_and(|no| no <= at + 3 && trouble(self.items, no).is_some())
            }
            _ => false,
        };
        let head = self.items[..at].iter().all(|item| matches!(item.role, Role::Filler | Role::Now | Role::Be | Role::All | Role::Whole | Role::Tick | Role::Well));
        let subject = self.thing || head || self.items[..at].iter().any(|item| matches!(item.role, Role::They | Role::Checks | Role::Everything));
        let blank = self.items[..at].iter().all(|item| item.role != Role::Other || self.sentence.grammar.gap > 0);
        let named = self.subject.filter(|subject| self.own && !subject.gates.is_empty());
        if well && (subject || named.is_some()) && blank && !self.ahead.part {
            // "TypeScript compiles": what is named goes before.
            let subject = named.unwrap_or(Subject { gates: Gates::of(&[gate]), ..Subject::default() });
            self.claim(at, &subject, false, None);
        }
        // What follows ("without errors") speaks of the same gate.
        self.subject = Some(Subject { gates: Gates::of(&[gate]), part: self.ahead.part || !subject, ..Subject::default() });
        (self.own, self.spoke, self.thing) = (true, true, false);
    }

    /// Takes down a success at `at`, unless something takes it back.
    fn claim(&mut self, at: usize, subject: &Subject, whole: bool, count: Option<u64>) {
        let held = self.sentence.held;
        let mut signs = self.signs;
        signs.firm |= held.firm;
        signs.past |= held.past && !signs.now;
        signs.elsewhere |= held.elsewhere;
        let ahead = &self.items[(at + 1).min(self.items.len())..];
        for (offset, item) in ahead.iter().enumerate() {
            match item.role {
                Role::Elsewhere => signs.elsewhere = true,
                Role::Past => signs.past |= !signs.now,
                Role::If | Role::Per => signs.firm = true,
                Role::Not | Role::Might if offset == 0 || self.sentence.grammar.verb_last => signs.not = true,
                Role::Plan | Role::Verify | Role::Says if self.sentence.grammar.verb_last => signs.firm = true,
                Role::Except => return,
                _ => {}
            }
        }
        let after = self.rest.iter().take_while(|item| item.role != Role::Break).collect::<Vec<_>>();
        signs.firm |= self.sentence.grammar.verb_last && after.iter().any(|item| matches!(item.role, Role::If | Role::Says | Role::Plan | Role::Verify));
        signs.firm |= after.get(1).is_some_and(|item| item.role == Role::Per);
        let to = at > 0 && self.items[..at.min(self.items.len())].iter().rev().find(|item| item.role != Role::Filler).is_some_and(|item| item.role == Role::To);
        if signs.any() && (!signs.goal || signs.not || signs.might || signs.firm || signs.past || signs.elsewhere) || to || subject.part || self.asked {
            return;
        }
        self.sentence.say(subject, whole, count);
    }
}
