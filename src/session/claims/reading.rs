//! What one sentence claims, and what it says honestly: clause by clause, in whatever language.
//!
//! A claim is a gate and its success bound in one clause, with nothing there that denies it, puts it off, asks
//! for it, or ascribes it to somebody else. Where that is in doubt there is no claim.

mod clause;
mod disclosure;
mod phrases;
mod success;

use super::words::{Detail, Grammar, Item, Role};
use crate::shell::gates::{Gate, Gates};
use clause::{Clause, Signs};
pub(super) use disclosure::Honest;
use phrases::{joined, lists_trouble, mentioned, parentheses};

/// A longer sentence is none that a person reads.
const MAX_ITEMS: usize = 400;

/// What a sentence says of gates.
#[derive(Debug, Default)]
pub(super) struct Reading {
    pub(super) said: Vec<Said>,
    /// Of which gates it says that they fail, were not run, or are not known to pass.
    pub(super) honest: Honest,
    /// Something was repaired.
    pub(super) fixed: bool,
    /// It tells of now, as against earlier.
    pub(super) now: bool,
    /// Which gates it speaks of.
    pub(super) mentioned: Gates,
    /// What follows as its list is no claim either.
    pub(super) taken_back: bool,
    /// It is the heading of steps, which are done where they are ticked.
    pub(super) steps: bool,
    /// It is the heading of plans, or of what holds elsewhere.
    pub(super) planned: bool,
}

/// One success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) gate: Option<Gate>,
    pub(super) detail: Detail,
    /// It is a tick beside a gate, and nothing more.
    pub(super) bare: bool,
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
    detail: Detail,
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
            detail: self.detail.with(other.detail),
        }
    }
}

/// Reads a sentence's items. `before` are the gates that the sentence before it speaks of, or that stand above it
/// as a heading; `asks` says that it is a question.
pub(super) fn read(items: &[Item], grammar: Grammar, before: Gates, asks: bool) -> Reading {
    if items.len() > MAX_ITEMS {
        return Reading::default();
    }
    let items = joined(items, grammar, before.has(Gate::Test) && before != Gates::ALL);
    let (outer, asides) = parentheses(&items);
    let mut asides = asides.into_iter().peekable();
    let mut sentence = Sentence::new(grammar, before);
    // "All tests pass — shall I commit?" asks only behind the dash.
    let asked_from = outer.iter().rposition(|item| matches!(item.role, Role::Break | Role::Colon)).unwrap_or(0);
    let mut start = 0;
    for at in 0..=outer.len() {
        let role = outer.get(at).map(|item| item.role);
        let ends = role.is_none_or(|role| matches!(role, Role::Comma | Role::And | Role::Colon | Role::Break | Role::But | Role::Since));
        // "No lint or type errors" is one phrase.
        if !ends || (role == Some(Role::And) && lists_trouble(&outer[start..], at - start)) {
            continue;
        }
        let asked = asks && at > asked_from;
        if start < at {
            sentence.clause(&outer[start..at], role, asked, &outer[at..]);
        }
        while let Some((_, inner)) = asides.next_if(|(anchor, _)| *anchor <= at) {
            sentence.aside(&items[inner], asked);
        }
        start = at + 1;
    }
    sentence.reading.mentioned = mentioned(&items);
    sentence.reading.steps = items.iter().any(|item| item.role == Role::Steps);
    sentence.reading
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
    /// Something passed, were it but a part.
    passed: bool,
    /// The clause is a tick and a gate.
    bare: bool,
    /// The part that the sentence is headed by.
    scope: Detail,
    /// How much was said before the last clause.
    said_before: usize,
    /// What was last spoken of was so earlier.
    last_past: bool,
    /// Nothing was read yet.
    first: bool,
}

impl Sentence {
    fn new(grammar: Grammar, before: Gates) -> Self {
        Sentence {
            grammar,
            before,
            reading: Reading::default(),
            last: None,
            label: None,
            objects: false,
            chain: None,
            held: Held::default(),
            passed: false,
            bare: false,
            scope: Detail::default(),
            said_before: 0,
            last_past: false,
            first: true,
        }
    }

    /// A clause, what ends it, and the rest of the sentence.
    fn clause(&mut self, items: &[Item], end: Option<Role>, asked: bool, rest: &[Item]) {
        let past = self.held.past;
        self.said_before = self.reading.said.len();
        let mut clause = Clause::new(self, items, asked, rest);
        clause.read();
        let Clause { subject, own, unknown, spoke, objects, signs, fronted, .. } = clause;
        let goes_on = matches!(end, Some(Role::Comma | Role::And));
        let bare = !unknown && !spoke;
        let gates = mentioned(items);
        let gates_of =
            |subject: Option<Subject>| subject.map_or(Gates::NONE, |subject| if subject.every { Gates::ALL } else { subject.gates });
        let about = disclosure::About { label: gates_of(self.label.filter(|_| !own)), told: gates_of(self.label.or(self.last)) };
        let fixed = items.iter().any(|item| item.role == Role::Fixed);
        // "3 failed, I updated the mock, and all pass now."
        if spoke && !self.reading.said.is_empty() && (signs.now || fixed || self.reading.fixed) {
            self.reading.honest.failed = Gates::NONE;
        }
        self.reading.fixed |= fixed;
        self.reading.now |= signs.now;
        self.reading.honest = self.reading.honest.with(disclosure::of(items, about, past, self.grammar));
        self.reading.taken_back = signs.any() || (end.is_some() && self.reading.taken_back);
        self.reading.planned |= signs.goal || signs.elsewhere;
        // "Backend: 16 tests pass."
        if end == Some(Role::Colon) && gates.is_empty() {
            self.scope.part |= items.iter().any(|item| item.detail.part);
        }
        self.objects = objects && goes_on;
        self.chain = subject.filter(|_| bare && goes_on);
        self.hold(signs, fronted || !gates.is_empty(), fronted, end, items, rest);
        if gates.is_empty() && !subject.is_some_and(|subject| subject.every) {
            return;
        }
        self.last_past = signs.past;
        let named = subject.filter(|subject| (own && !subject.gates.is_empty()) || subject.every);
        self.last = match (named, self.last) {
            (Some(named), Some(last)) if bare && goes_on => Some(last.with(named)),
            (Some(named), _) => Some(named),
            (None, Some(last)) => Some(last.with(Subject { gates, ..Subject::default() })),
            (None, None) => Some(Subject { gates, ..Subject::default() }),
        };
        if named.is_some() && bare && matches!(end, Some(Role::Colon | Role::Break)) {
            self.label = named;
        } else if named.is_some() && spoke {
            self.label = None;
        }
    }

    /// What is said of the future, of earlier or of elsewhere goes on until something else begins. `strong` says that
    /// the clause is about gates, or begins with it.
    fn hold(&mut self, signs: Signs, strong: bool, fronted: bool, end: Option<Role>, items: &[Item], rest: &[Item]) {
        match end {
            Some(Role::Break | Role::But | Role::Since) | None => self.held = Held::default(),
            Some(Role::Comma) => {
                let tied = rest.get(1).is_some_and(|item| item.role == Role::That);
                self.held.firm |= (signs.firm && strong) || (tied && signs.any());
                self.held.past |= signs.past && strong;
                self.held.elsewhere |= signs.elsewhere && fronted;
            }
            Some(Role::Colon) => {
                let denies = signs.not && matches!(items[0].role, Role::Not | Role::No);
                self.held.firm |= signs.firm || signs.goal || signs.might || denies;
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
    }

    /// What stands in parentheses behind a clause: "(41/41)", "(all green)", "(unverified)".
    fn aside(&mut self, items: &[Item], asked: bool) {
        if is_of_earlier(items) {
            self.reading.said.truncate(self.said_before);
            return;
        }
        let (held, label, last, chain) = (self.held, self.label, self.last, self.chain.take());
        self.label = chain.or(label).or(last);
        let ends = |item: &Item| matches!(item.role, Role::Comma | Role::Break | Role::Colon | Role::And | Role::But);
        for clause in items.split(ends).filter(|clause| !clause.is_empty()) {
            self.clause(clause, Some(Role::Comma), asked, &[]);
        }
        (self.held, self.label, self.last, self.chain) = (held, label, last, chain);
    }

    fn say(&mut self, subject: &Subject, whole: bool, count: Option<u64>) {
        let whole = whole || subject.whole;
        let count = count.or(subject.count);
        let detail = Detail { part: subject.detail.part || subject.detail.path || self.scope.part, path: false, ..subject.detail };
        let bare = self.bare;
        let mut push = |gate: Option<Gate>| match self.reading.said.iter_mut().find(|said| said.gate == gate && said.detail == detail) {
            Some(said) => {
                said.bare &= bare;
                said.whole |= whole;
                said.count = said.count.or(count);
            }
            None => self.reading.said.push(Said { gate, detail, bare, whole, count }),
        };
        if subject.every {
            push(None);
        } else {
            subject.gates.iter().for_each(|gate| push(Some(gate)));
        }
    }
}

/// Does an aside put what it stands behind into an earlier or another state: "196 passing (baseline before the change)"?
fn is_of_earlier(aside: &[Item]) -> bool {
    let first = aside.iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler | Role::At));
    let tells =
        |role: Role| role.is_bad() || matches!(role, Role::Pass | Role::Good | Role::Number(_) | Role::Ratio(..) | Role::All | Role::Now);
    (first == Some(Role::Past) || aside.iter().any(|item| item.role == Role::Trial)) && !aside.iter().any(|item| tells(item.role))
}
