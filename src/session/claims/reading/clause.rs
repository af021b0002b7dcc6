//! One clause: a subject, a success, and what takes it back.

use super::{Sentence, Subject};
use crate::session::claims::words::{Detail, Item, Role};
use crate::shell::gates::{Gate, Gates};

/// What "41 passed" is about, where nothing else is named.
pub(super) const TESTS: Subject =
    Subject { gates: Gates::of(&[Gate::Test]), every: false, name: false, part: false, whole: false, count: None, detail: NO_DETAIL };
const NO_DETAIL: Detail = Detail { runner: "", language: None, part: false, path: false };

/// What stands in a clause that takes a success back.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Signs {
    pub(super) not: bool,
    pub(super) might: bool,
    pub(super) firm: bool,
    pub(super) goal: bool,
    pub(super) past: bool,
    pub(super) now: bool,
    pub(super) elsewhere: bool,
}

impl Signs {
    fn note(&mut self, role: Role) {
        match role {
            Role::Not => self.not = true,
            Role::Might => self.might = true,
            Role::If | Role::Plan | Role::Verify | Role::Says | Role::Per => self.firm = true,
            Role::Goal | Role::Steps => self.goal = true,
            Role::Past => self.past = true,
            Role::Now => (self.past, self.now) = (false, true),
            Role::Elsewhere | Role::Trial => self.elsewhere = true,
            _ => {}
        }
    }

    pub(super) fn any(self) -> bool {
        self.not || self.might || self.firm || self.goal || self.past || self.elsewhere
    }
}

pub(super) struct Clause<'s, 'i> {
    pub(super) sentence: &'s mut Sentence,
    pub(super) items: &'i [Item],
    pub(super) rest: &'i [Item],
    pub(super) asked: bool,
    pub(super) subject: Option<Subject>,
    /// The subject stands in this clause.
    pub(super) own: bool,
    /// Words that go before a subject: how much of it is meant.
    pub(super) ahead: Subject,
    /// What stood before the unknown words: "all 13 gateway …".
    pub(super) counted: Subject,
    /// Letters of unknown words since the subject.
    pub(super) gap: usize,
    /// Behind a preposition.
    pub(super) beside: bool,
    /// A word of no known sense stood here.
    pub(super) unknown: bool,
    pub(super) was: bool,
    /// A verb that needs a word of success stood here.
    pub(super) linked: bool,
    pub(super) thing: bool,
    /// A success was said, or denied.
    pub(super) spoke: bool,
    /// The gates stood behind the success.
    pub(super) objects: bool,
    /// What takes it back is the first word.
    pub(super) fronted: bool,
    /// Nothing stands before it in the sentence.
    pub(super) first: bool,
    pub(super) signs: Signs,
}

impl<'s, 'i> Clause<'s, 'i> {
    pub(super) fn new(sentence: &'s mut Sentence, items: &'i [Item], asked: bool, rest: &'i [Item]) -> Self {
        let first = items.iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler));
        let is_sign = |role: Role| matches!(role, Role::Elsewhere | Role::Trial | Role::Past | Role::Per | Role::If);
        let first_sign = items.iter().take(5).any(|item| is_sign(item.role));
        let fronted = match first {
            Some(
                Role::If
                | Role::Do
                | Role::Plan
                | Role::Verify
                | Role::Says
                | Role::Per
                | Role::Past
                | Role::Goal
                | Role::Elsewhere
                | Role::Trial,
            ) => true,
            Some(Role::At | Role::To | Role::Of | Role::Run) if first_sign => true,
            _ => sentence.grammar.gap > 0,
        };
        let first = sentence.first;
        sentence.first = false;
        let chain = sentence.chain.take();
        Clause {
            sentence,
            items,
            rest,
            asked,
            subject: chain,
            own: chain.is_some(),
            ahead: Subject::default(),
            counted: Subject::default(),
            gap: 0,
            beside: false,
            unknown: false,
            was: false,
            linked: false,
            thing: false,
            spoke: false,
            objects: false,
            fronted,
            first,
            signs: Signs::default(),
        }
    }

    pub(super) fn role(&self, at: usize) -> Option<Role> {
        self.items.get(at).map(|item| item.role)
    }

    /// What stands before a word, small words aside.
    pub(super) fn behind(&self, at: usize) -> Option<Role> {
        self.items[..at.min(self.items.len())].iter().rev().map(|item| item.role).find(|role| *role != Role::Filler)
    }

    /// What stands behind a word, small words aside.
    pub(super) fn ahead(&self, at: usize) -> Option<Role> {
        self.items[at + 1..].iter().map(|item| item.role).find(|role| *role != Role::Filler)
    }

    pub(super) fn read(&mut self) {
        let mut at = 0;
        while at < self.items.len() {
            let item = self.items[at];
            // "tsc says no errors" is the gate's own word.
            if !(item.role == Role::Says && self.behind(at).is_some_and(Role::names_gate)) {
                self.signs.note(item.role);
            }
            self.narrow(item);
            if !matches!(item.role, Role::Other | Role::Filler | Role::Gate(_) | Role::Name(_)) {
                self.counted = Subject::default();
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
                Role::Else => self.others(at),
                Role::They => self.they(),
                Role::Do => self.signs.firm |= at == 0 && self.first,
                Role::Thing => self.thing = true,
                // "Tests that pass" are some of them.
                Role::That => self.subject = None,
                Role::Run if self.ahead.count.is_some() => (self.unknown, self.ahead) = (true, Subject::default()),
                Role::Fail | Role::Failures | Role::Trouble | Role::Left => {
                    self.ahead.count = None;
                    self.spoke |= item.role == Role::Fail && self.sentence.grammar.gap > 0;
                }
                Role::Be | Role::Run => self.linked = true,
                Role::Well if self.linked && self.own => self.well(at),
                Role::Was => self.was = true,
                Role::Fixed if self.role(at + 1).is_some_and(Role::names_gate) => self.ahead.part = true,
                Role::At => self.beside = self.subject.is_some(),
                Role::Pass | Role::Good | Role::Fine => next = self.success(at),
                Role::Ratio(done, of) => self.ratio(at, done, of),
                Role::Tick => self.tick(),
                Role::No => next = self.none(at),
                Role::Absent => self.absent(at),
                Role::Makes(gate) | Role::Made(gate) => self.makes(at, gate, matches!(item.role, Role::Made(_))),
                Role::Other => self.other(item),
                _ => {}
            }
            at = next;
        }
        self.object_goes_on();
    }

    fn partly(&mut self, at: usize) {
        self.ahead.part = true;
        if at > 0 && !self.beside {
            self.subject.iter_mut().for_each(|subject| subject.part = true);
        }
    }

    /// "The Rust tests", "les tests Python", "for `src/cart.ts`".
    fn narrow(&mut self, item: Item) {
        let Detail { language, part, path, .. } = item.detail;
        let path = path && matches!(item.role, Role::Other | Role::Name(_) | Role::Thing);
        let adjective = Detail { language, part, ..Detail::default() };
        let behind = !self.sentence.grammar.compounds && self.own && !self.spoke;
        match self.subject.as_mut().filter(|_| path || behind) {
            Some(subject) if path => subject.detail.part = true,
            Some(subject) if !item.role.names() => subject.detail = subject.detail.with(adjective),
            _ => self.ahead.detail = self.ahead.detail.with(adjective),
        }
    }

    /// "Everything else", "the rest of": a part, unless what it goes beside has passed.
    fn others(&mut self, at: usize) {
        let part = !self.sentence.passed;
        if self.ahead(at) == Some(Role::Of) {
            self.ahead.part |= part;
            return;
        }
        let every = Subject { every: true, ..Subject::default() };
        self.gate(at, self.sentence.last.map_or(every, |last| Subject { part: false, whole: true, name: false, ..last }));
        self.subject.iter_mut().for_each(|subject| subject.part |= part);
    }

    fn other(&mut self, item: Item) {
        self.unknown = true;
        if self.ahead.whole || self.ahead.count.is_some() {
            self.counted = self.ahead;
        }
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
        let owner =
            before.filter(|&before| self.items[before].role == Role::Of).and_then(|of| of.checked_sub(1)).and_then(|at| self.role(at));
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
            detail: named.detail.with(self.ahead.detail).with(self.items[at].detail),
            ..named
        };
        if compound && (self.counted.whole || self.counted.count.is_some()) && !self.counted.part {
            let Subject { whole, count, .. } = self.counted;
            named = Subject { part: self.ahead.part, whole, count, detail: Detail { part: true, ..named.detail }, ..named };
            self.unknown = false;
        }
        named.name &= !(named.whole || named.count.is_some_and(|count| count > 1));
        if let Some(subject) = self.subject.filter(|_| self.own && !self.spoke) {
            let adjacent = at > 0 && self.role(at - 1).is_some_and(|role| role.names_gate() || role == Role::Checks);
            named = match (adjacent, named.every) {
                // "Lint checks", "ESLint check".
                (true, true) => Subject { name: false, ..subject },
                (true, false) => Subject {
                    part: subject.part,
                    whole: subject.whole,
                    count: subject.count,
                    detail: subject.detail.with(named.detail),
                    ..named
                },
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

    /// What a success is about: the clause's own subject, else what the sentence is about, else, where there is a
    /// number, the tests, and where all is said, all.
    pub(super) fn about(&self) -> Option<Subject> {
        let loose = self.sentence.grammar.gap > 0;
        if self.subject.is_some() {
            return self.subject.filter(|_| loose || !self.unknown || self.own);
        }
        let (whole, count) = (self.ahead.whole, self.ahead.count);
        if self.unknown || self.thing || self.ahead.part {
            return None;
        }
        if let Some(told) = self.sentence.label.or(self.sentence.last) {
            return Some(Subject { part: false, whole: told.whole || whole, count, ..told });
        }
        let before = Subject::of(self.sentence.before).filter(|before| before.gates != Gates::ALL);
        if count.is_some() {
            return Some(Subject { whole, count, ..before.unwrap_or(TESTS) });
        }
        whole.then(|| Subject { whole, ..before.unwrap_or(Subject { every: true, ..Subject::default() }) }).filter(|_| self.ahead.every)
    }
}
