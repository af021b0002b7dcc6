//! One clause: a subject, a success, and what takes it back.

use super::phrases::{mentioned, trouble};
use super::{Sentence, Subject};
use crate::session::claims::words::{Item, Role};
use crate::shell::gates::{Gate, Gates};

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
            Role::Goal => self.goal = true,
            Role::Past => self.past = true,
            Role::Now => (self.past, self.now) = (false, true),
            Role::Elsewhere => self.elsewhere = true,
            _ => {}
        }
    }

    pub(super) fn any(self) -> bool {
        self.not || self.might || self.firm || self.goal || self.past || self.elsewhere
    }
}

pub(super) struct Clause<'s, 'i> {
    sentence: &'s mut Sentence,
    items: &'i [Item],
    rest: &'i [Item],
    asked: bool,
    pub(super) subject: Option<Subject>,
    /// The subject stands in this clause.
    pub(super) own: bool,
    /// Words that go before a subject: how much of it is meant.
    ahead: Subject,
    /// Letters of unknown words since the subject.
    gap: usize,
    /// Behind a preposition.
    beside: bool,
    /// A word of no known sense stood here.
    pub(super) unknown: bool,
    was: bool,
    /// A verb that needs a word of success stood here.
    linked: bool,
    thing: bool,
    /// A success was said, or denied.
    pub(super) spoke: bool,
    /// The gates stood behind the success.
    pub(super) objects: bool,
    /// What takes it back is the first word.
    pub(super) fronted: bool,
    /// Nothing stands before it in the sentence.
    first: bool,
    pub(super) signs: Signs,
}

impl<'s, 'i> Clause<'s, 'i> {
    pub(super) fn new(sentence: &'s mut Sentence, items: &'i [Item], asked: bool, rest: &'i [Item]) -> Self {
        let first = items.iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler));
        let first_sign = items.iter().take(3).any(|item| matches!(item.role, Role::Elsewhere | Role::Past | Role::Per));
        let fronted = match first {
            Some(Role::If | Role::Do | Role::Plan | Role::Verify | Role::Says | Role::Per | Role::Past | Role::Goal | Role::Elsewhere) => {
                true
            }
            Some(Role::At) if first_sign => true,
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

    fn role(&self, at: usize) -> Option<Role> {
        self.items.get(at).map(|item| item.role)
    }

    pub(super) fn read(&mut self) {
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
                Role::Do => self.signs.firm |= at == 0 && self.first,
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
        self.object_goes_on();
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
            matches!(
                role,
                Role::Name(_)
                    | Role::Gate(_)
                    | Role::Pass
                    | Role::Good
                    | Role::Fine
                    | Role::Tick
                    | Role::Number(_)
                    | Role::Ratio(..)
                    | Role::Filler
            )
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
        !matches!(
            next,
            Some(
                Role::Other
                    | Role::To
                    | Role::Thing
                    | Role::Name(_)
                    | Role::Part
                    | Role::They
                    | Role::Gate(_)
                    | Role::Checks
                    | Role::Everything
            )
        )
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
            matches!(
                role,
                Role::Tick
                    | Role::Gate(_)
                    | Role::Name(_)
                    | Role::Checks
                    | Role::Everything
                    | Role::Filler
                    | Role::All
                    | Role::Whole
                    | Role::Number(_)
            ) || matches!(role, Role::Ratio(done, of) if done == of)
        };
        if !self.items.iter().all(|item| plain(item.role)) {
            return;
        }
        let joins = |item: &&Item| matches!(item.role, Role::Comma | Role::And);
        let named = self.items.iter().any(|item| matches!(item.role, Role::Gate(_) | Role::Name(_) | Role::Checks | Role::Everything));
        let gates = mentioned(self.items);
        let every = self.items.iter().any(|item| matches!(item.role, Role::Checks | Role::Everything))
            && !self.items.iter().any(|item| matches!(item.role, Role::Gate(_)));
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
            if at > 0
                && matches!(
                    self.items[..at].iter().rev().map(|item| item.role).find(|role| *role != Role::Filler),
                    Some(Role::Trouble | Role::Troubled(_))
                )
            {
                self.absent(at);
                return at + 1;
            }
            let next = self.items[at + 1..].iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler | Role::Part));
            self.signs.not |= matches!(
                next,
                Some(Role::Gate(_) | Role::Name(_) | Role::Checks | Role::Everything | Role::All | Role::Run | Role::They | Role::Of)
            );
            return at + 1;
        };
        let named = Subject::of(trouble.gates).or((trouble.every).then_some(Subject { every: true, ..Subject::default() }));
        let whole = trouble.failures && named.is_some();
        let subject = match named {
            Some(named) => (!trouble.unknown).then_some(named),
            None if trouble.failures && trouble.unknown => None,
            None if self.subject.is_some() => self.subject,
            None if self.unknown || self.thing => None,
            None => self
                .sentence
                .label
                .or(self.sentence.last)
                .or(trouble.failures.then_some(Subject { gates: Gates::of(&[Gate::Test]), ..Subject::default() })),
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
        let subject =
            Subject::of(named).or(self.subject).or(failures.then_some(Subject { gates: Gates::of(&[Gate::Test]), ..Subject::default() }));
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
        let head = self.items[..at]
            .iter()
            .all(|item| matches!(item.role, Role::Filler | Role::Now | Role::Be | Role::All | Role::Whole | Role::Tick | Role::Well));
        let subject =
            self.thing || head || self.items[..at].iter().any(|item| matches!(item.role, Role::They | Role::Checks | Role::Everything));
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
        signs.past |= (held.past || (!self.own && self.sentence.last_past)) && !signs.now;
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
        signs.firm |= self.sentence.grammar.verb_last
            && after.iter().any(|item| matches!(item.role, Role::If | Role::Says | Role::Plan | Role::Verify));
        // "Tests pass: no"
        signs.not |= matches!(after.as_slice(), [_, last] if matches!(last.role, Role::No | Role::Not | Role::Cross | Role::Part));
        signs.firm |= after.get(1).is_some_and(|item| item.role == Role::Per);
        let to = at > 0
            && self.items[..at.min(self.items.len())]
                .iter()
                .rev()
                .find(|item| item.role != Role::Filler)
                .is_some_and(|item| item.role == Role::To);
        if signs.any() && (!signs.goal || signs.not || signs.might || signs.firm || signs.past || signs.elsewhere)
            || to
            || subject.part
            || self.asked
        {
            return;
        }
        self.sentence.say(subject, whole, count);
    }
}
