//! The words of success in a clause, and whether they stand.

use super::Subject;
use super::clause::{Clause, TESTS};
use super::phrases::{mentioned, trouble};
use crate::session::claims::words::{Detail, Item, Role};
use crate::shell::gates::{Gate, Gates};

impl Clause<'_, '_> {
    /// "Pass", "green"; says where to go on.
    pub(super) fn success(&mut self, at: usize) -> usize {
        let role = self.items[at].role;
        if let Some(end) = self.object(at) {
            return end;
        }
        if !self.ends_here(at) {
            (self.unknown, self.subject) = (true, None);
            return at + 1;
        }
        self.spoke = true;
        let Some(subject) = self.about() else { return at + 1 };
        self.sentence.passed |= !self.signs.any() && role != Role::Fine;
        let vague = role == Role::Fine && subject.every && subject.gates.is_empty();
        let earlier = role == Role::Good && self.was;
        if !vague && !earlier && (!subject.name || self.is_label()) {
            self.claim(at, &subject, self.ahead.whole, self.ahead.count);
        }
        at + 1
    }

    /// "The build finished successfully."
    pub(super) fn well(&mut self, at: usize) {
        if let Some(subject) = self.subject.filter(|subject| !self.spoke && !subject.name && self.ends_here(at)) {
            self.claim(at, &subject, false, None);
            self.spoke = true;
        }
    }

    /// A name is a subject where nothing but it, and what is said of it, stands in the clause.
    fn is_label(&self) -> bool {
        let said = |role: Role| role.is_plain() || matches!(role, Role::Pass | Role::Good | Role::Fine);
        let first = self.items.iter().take_while(|item| !matches!(item.role, Role::Name(_))).all(|item| item.role != Role::Filler);
        let alone = first && !self.beside && self.items.iter().all(|item| said(item.role));
        alone || (!self.own && self.sentence.label.is_some_and(|label| label.name))
    }

    /// "The code passes all tests": the gate stands behind the success. Says where to go on.
    fn object(&mut self, at: usize) -> Option<usize> {
        let named = self.subject.is_some_and(|subject| !subject.every && !subject.gates.is_empty());
        let grammar = self.sentence.grammar;
        if self.items[at].role != Role::Pass || named || !grammar.objects || grammar.gap > 0 {
            return None;
        }
        let (mut subject, mut ahead) = (None::<Subject>, Subject::default());
        let mut end = at + 1;
        for (offset, item) in self.items[at + 1..].iter().enumerate() {
            match item.role {
                Role::All | Role::Whole => ahead.whole = true,
                Role::Number(count) => ahead.count = Some(count),
                Role::Part => ahead.part = true,
                Role::Else => ahead.part |= !self.sentence.passed,
                Role::Gate(gate) => {
                    let found = Subject { gates: Gates::of(&[gate]), detail: item.detail.with(self.ahead.detail), ..ahead };
                    subject = Some(subject.map_or(found, |subject| subject.with(found)));
                    end = at + 2 + offset;
                }
                // "The request passes all checks in the middleware."
                Role::Checks | Role::Everything if self.unknown && !self.thing => return None,
                Role::Checks | Role::Everything => {
                    subject = subject.or(Some(Subject { every: true, whole: true, ..ahead }));
                    end = at + 2 + offset;
                }
                Role::Filler | Role::And | Role::Of => {}
                Role::At | Role::Tick | Role::Well | Role::Now => break,
                _ => return None,
            }
        }
        let subject = subject?;
        self.claim(at, &subject, false, None);
        (self.spoke, self.own, self.subject, self.objects) = (true, true, Some(subject), true);
        Some(end)
    }

    /// "… and tests": one more gate behind the success of the clause before.
    pub(super) fn object_goes_on(&mut self) {
        let bare = self.own && !self.unknown && !self.spoke && !self.linked && !self.was;
        if let Some(subject) = self.subject.filter(|_| self.sentence.objects && bare) {
            self.claim(self.items.len(), &subject, false, None);
            (self.spoke, self.objects) = (true, true);
        }
    }

    /// Does nothing follow that makes the success another word ("passes messages", "clean up", "green button")?
    fn ends_here(&self, at: usize) -> bool {
        let next = self.items[at + 1..].iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler | Role::Whole));
        let other = |role: Role| role.names() || matches!(role, Role::Other | Role::To | Role::Thing | Role::Part | Role::They);
        !self.sentence.grammar.objects || !next.is_some_and(other)
    }

    /// "41/41"
    pub(super) fn ratio(&mut self, at: usize, done: u64, of: u64) {
        if done != of || of == 0 {
            // A part of them: what is said is no success.
            self.ahead.part = true;
            self.subject.iter_mut().for_each(|subject| subject.part = true);
            return;
        }
        (self.ahead.whole, self.ahead.count) = (true, Some(of));
        let subject = self.subject.or(self.sentence.label.filter(|_| !self.unknown));
        let closed = !matches!(self.role(at + 1), Some(Role::Other | Role::Thing));
        if let Some(subject) = subject.filter(|_| closed) {
            self.claim(at, &subject, true, Some(of));
        }
    }

    /// "Tests pass: no", "tests passing: 139/142"
    fn is_answered_with_no(&self) -> bool {
        let Some((Role::Colon | Role::Break | Role::Comma, rest)) = self.rest.split_first().map(|(mark, rest)| (mark.role, rest)) else {
            return false;
        };
        let ends = |item: &&Item| !matches!(item.role, Role::Comma | Role::Break | Role::Colon | Role::But | Role::Since);
        let mut answer = rest.iter().take_while(ends).map(|item| item.role).filter(|role| *role != Role::Filler);
        match answer.next() {
            Some(Role::Ratio(done, of)) => done < of,
            Some(_) if self.rest[0].role == Role::Comma => false,
            Some(Role::No | Role::Not | Role::Cross | Role::Part | Role::Plan) => {
                answer.all(|role| matches!(role, Role::No | Role::Not | Role::Cross | Role::Ratio(..)))
            }
            _ => false,
        }
    }

    /// A tick and a gate, and nothing else that has a sense of its own.
    pub(super) fn tick(&mut self) {
        let unequal = |role: Role| matches!(role, Role::Ratio(done, of) if done != of);
        if self.items.iter().any(|item| !item.role.is_plain() || unequal(item.role)) {
            return;
        }
        let has = |what: fn(Role) -> bool| self.items.iter().any(|item| what(item.role));
        let every = has(|role| matches!(role, Role::Checks | Role::Everything)) && !has(Role::names_gate);
        let subject = match self.sentence.label {
            // "Build: ✅ Tests: ✅"
            Some(label) if self.items[0].role == Role::Tick && self.rest.first().is_some_and(|item| item.role == Role::Colon) => label,
            _ if has(Role::names) => Subject { gates: mentioned(self.items), every, ..Subject::default() },
            Some(label) => label,
            None => return,
        };
        let whole = has(|role| matches!(role, Role::All | Role::Whole | Role::Ratio(..)));
        self.sentence.bare = !has(|role| matches!(role, Role::Number(_) | Role::Ratio(..)));
        self.claim(0, &subject, whole, None);
        self.sentence.bare = false;
    }

    /// "No errors"; says where to go on.
    pub(super) fn none(&mut self, at: usize) -> usize {
        let Some(trouble) = trouble(self.items, at) else {
            // "Errors: 0"
            if matches!(self.behind(at), Some(Role::Trouble | Role::Troubled(_))) {
                self.absent(at);
            } else {
                let of_all = |role: Role| role.names() || matches!(role, Role::All | Role::Run | Role::They | Role::Of);
                self.signs.not |= self.ahead(at).is_some_and(of_all);
            }
            return at + 1;
        };
        let every = trouble.every.then_some(Subject { every: true, ..Subject::default() });
        let subject = match Subject::of(trouble.gates).or(every) {
            Some(named) => (!trouble.unknown).then_some(named),
            None if trouble.failures && trouble.unknown => None,
            None if self.subject.is_some() => self.subject,
            None if self.unknown || self.thing => None,
            None => self.sentence.label.or(self.sentence.last).or(trouble.failures.then_some(TESTS)),
        };
        if let Some(subject) = subject {
            self.claim(trouble.end - 1, &subject, trouble.failures, None);
        }
        self.spoke = true;
        trouble.end
    }

    /// "… errors: none"
    pub(super) fn absent(&mut self, at: usize) {
        let from = self.items[..at].iter().rposition(|item| matches!(item.role, Role::Pass | Role::Good)).map_or(0, |spoke| spoke + 1);
        let items = &self.items[from..at];
        let has = |what: fn(Role) -> bool| items.iter().any(|item| what(item.role));
        if !has(Role::is_bad) || has(|role| matches!(role, Role::Part | Role::Old | Role::Number(_) | Role::Ratio(..))) {
            return;
        }
        let failures = has(|role| matches!(role, Role::Failures | Role::Fail));
        if let Some(subject) = Subject::of(mentioned(items)).or(self.subject).or(failures.then_some(TESTS)) {
            self.claim(at, &Subject { part: false, ..subject }, failures, None);
        }
        self.spoke = true;
    }

    /// "The project builds", "type-checks cleanly".
    pub(super) fn makes(&mut self, at: usize, gate: Gate, needs_well: bool) {
        let (before, after) = (&self.items[..at], &self.items[at + 1..]);
        let well = match after.iter().map(|item| item.role).find(|role| !matches!(role, Role::Filler | Role::Now)) {
            None | Some(Role::Tick) => !needs_well,
            Some(Role::Well | Role::Good | Role::Fine) => true,
            Some(Role::No | Role::At) => {
                let no = after.iter().take(3).position(|item| item.role == Role::No);
                no.is_some_and(|no| trouble(after, no).is_some())
            }
            _ => false,
        };
        let small = |role: Role| role.is_plain() || matches!(role, Role::Now | Role::Be | Role::Well);
        let known = self.thing || before.iter().all(|item| small(item.role)) || before.iter().any(|item| item.role == Role::They);
        let loose = self.sentence.grammar.gap > 0;
        // "TypeScript compiles": what is named goes before.
        let named = self.subject.filter(|_| before.iter().any(|item| matches!(item.role, Role::Gate(_))));
        let subject = named.unwrap_or(Subject { gates: Gates::of(&[gate]), ..Subject::default() });
        if well && (known || named.is_some()) && (loose || !self.unknown) && !self.ahead.part {
            self.claim(at, &subject, false, None);
        }
        // What follows ("without errors") speaks of the same gate.
        self.subject = Some(Subject { part: self.ahead.part || !known, ..subject });
        (self.own, self.spoke, self.thing) = (true, true, false);
    }

    /// Takes down the success at `at`, unless something takes it back.
    fn claim(&mut self, at: usize, subject: &Subject, whole: bool, count: Option<u64>) {
        let (held, verb_last) = (self.sentence.held, self.sentence.grammar.verb_last);
        let mut signs = self.signs;
        signs.firm |= held.firm;
        signs.elsewhere |= held.elsewhere;
        signs.now |= self.items[(at + 1).min(self.items.len())..].iter().any(|item| item.role == Role::Now);
        signs.past |= (held.past || (!self.own && self.sentence.last_past)) && !signs.now;
        let (mut excepted, mut limited) = (false, false);
        for (offset, item) in self.items[(at + 1).min(self.items.len())..].iter().enumerate() {
            match item.role {
                Role::Elsewhere | Role::Trial => signs.elsewhere = true,
                Role::Past => signs.past |= !signs.now,
                Role::If | Role::Per => signs.firm = true,
                Role::Not | Role::Might if offset == 0 || verb_last => signs.not = true,
                Role::Plan | Role::Verify | Role::Says if verb_last => signs.firm = true,
                Role::Other | Role::Name(_) if item.detail.path => limited = true,
                // "… with a warm cache only"
                Role::Part if at + offset + 2 == self.items.len() && offset > 0 => excepted = true,
                Role::Except => excepted = true,
                _ => {}
            }
        }
        let rest = || self.rest.iter().map(|item| item.role).take_while(|role| *role != Role::Break);
        signs.firm |= verb_last && rest().any(|role| matches!(role, Role::If | Role::Says | Role::Plan | Role::Verify));
        // "All tests pass, according to …", "tests pass: no"
        let next = rest().nth(1);
        signs.firm |= next == Some(Role::Per);
        signs.not |= self.is_answered_with_no();
        // A goal is one of a label: "goal: all tests pass", which is held.
        signs.goal = false;
        let to_be_done = self.behind(at) == Some(Role::To);
        if signs.any() || excepted || to_be_done || self.asked {
            return;
        }
        self.sentence.passed = true;
        if !subject.part {
            let detail = Detail { part: subject.detail.part || limited, ..subject.detail };
            self.sentence.say(&Subject { detail, ..*subject }, whole, count);
        }
    }
}
