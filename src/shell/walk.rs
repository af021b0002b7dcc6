//! The walk over a syntax tree in execution order.
//!
//! Where the bytes of a stage go is known only from the stages behind it, so a pipeline is prepared first and
//! asked from its end what each stage does with its input; then its stages are run in order.

use brush_parser::ast;

use super::gates::Shown;
use super::lexer::Language;
use super::powershell;
use super::prepare::{Prepared, prepare, redirects};
use super::simple::{intake, intake_of_list, printed};
use super::state::State;
use super::status::{Handed, ends_list, handed_on, leaves, leaves_failing};
use super::words::{self, Word};
use super::wrappers::ShellText;
use super::{Command, Effect, EffectKind, Effects, Path, Root, Sink, parse};

/// Texts inside texts (`$(…)`, `bash -c`, functions) deeper than this are not followed.
const MAX_DEPTH: usize = 12;
/// More commands than this are not looked at.
const MAX_COMMANDS: usize = 4096;
/// More effects than this are not listed.
const MAX_EFFECTS: usize = 4096;
/// More files that hold the output of a command are not remembered.
const MAX_OUTPUTS: usize = 64;
/// Texts inside texts, all together: bytes that are parsed again.
const MAX_PARSED: usize = 512 * 1024;

/// What holds for the commands of a list, whatever they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context {
    pub(super) background: bool,
    /// The status of the list is that of the whole text.
    pub(super) visible: bool,
    /// Under `set -e` a failure in here ends the whole text.
    pub(super) guarded: bool,
    pub(super) remote: bool,
    /// Inside `$(…)`, where `< f` alone prints the file.
    pub(super) substitution: bool,
    /// How much of the standard output is seen in the end.
    pub(super) shown: Shown,
    /// The standard error is seen in the end.
    pub(super) errors_shown: bool,
}

impl Context {
    /// The context of a whole text.
    pub(super) const START: Context = Context {
        background: false,
        visible: true,
        guarded: true,
        remote: false,
        substitution: false,
        shown: Shown::Whole,
        errors_shown: true,
    };

    /// What runs in here prints for a substitution, whose bytes go to `out`.
    fn printing_to(self, out: &[Sink]) -> Context {
        let shown = if out.contains(&Sink::Look) { self.shown.min(Shown::Part) } else { Shown::Nothing };
        Context { shown, ..self }
    }
}

/// What a command finds around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Around<'a> {
    /// What becomes of its standard output.
    pub(super) out: &'a [Sink],
    /// Something is piped into it.
    pub(super) piped: bool,
}

/// Collects the effects of a text.
#[derive(Debug, Default)]
pub(super) struct Walker {
    effects: Effects,
    depth: usize,
    parsed: usize,
    /// The number of commands of the text, where there are more behind it.
    last: Option<usize>,
    /// Files that hold the output of a command.
    outputs: Vec<(usize, Path)>,
}

impl Walker {
    /// Walks a bash text from its start.
    pub(super) fn bash(&mut self, text: &str) {
        self.shell(text, &mut State::new(), Around { out: &[Sink::Look], piped: false }, Context::START);
    }

    /// Walks all that a shell runs: the text, and what it leaves for its end.
    pub(super) fn shell(&mut self, text: &str, state: &mut State, around: Around<'_>, context: Context) {
        self.text(text, state, around, context);
        if let Some(trap) = state.exit_trap.take() {
            let last = self.last.or(Some(self.next_command()));
            let hidden = Context { visible: false, guarded: false, ..context };
            self.text(&trap, state, around, hidden);
            self.last = last;
        }
    }

    pub(super) fn finish(mut self) -> Effects {
        let commands = self.effects.commands.len();
        for effect in &mut self.effects.list {
            effect.command = effect.command.min(commands.saturating_sub(1));
        }
        // What runs when the shell ends stands behind the last command of the text.
        let last = self.last.unwrap_or(commands);
        if let Some(last) = self.effects.commands[..last.min(commands)].last_mut() {
            last.last = true;
        }
        self.effects
    }

    pub(super) fn approximate(&mut self) {
        self.effects.approximate = true;
    }

    fn full(&mut self) -> bool {
        let full = self.effects.commands.len() >= MAX_COMMANDS || self.effects.list.len() >= MAX_EFFECTS;
        self.effects.approximate |= full;
        full
    }

    /// Number of effects so far, as a mark to look back to.
    pub(super) fn mark(&self) -> usize {
        self.effects.list.len()
    }

    /// Files read since `mark`, whatever for.
    pub(super) fn read_since(&self, mark: usize) -> Vec<Path> {
        let mut paths = Vec::new();
        for effect in self.effects.list.get(mark..).unwrap_or(&[]) {
            if let EffectKind::Read { path, .. } = &effect.kind
                && !paths.contains(path)
            {
                paths.push(path.clone());
            }
        }
        paths
    }

    /// Adds a command; the index its effects carry.
    pub(super) fn command(&mut self, program: &str, args: &[Word], dir: &Path, context: Context) -> usize {
        self.effects.commands.push(Command {
            program: program.to_owned(),
            args: args.iter().map(|word| word.text().map(str::to_owned)).collect(),
            remote: context.remote,
            background: context.background,
            status_visible: context.visible,
            last: false,
            dir: dir.clone(),
            shown: context.shown,
            errors_shown: context.errors_shown,
        });
        self.effects.commands.len() - 1
    }

    pub(super) fn next_command(&self) -> usize {
        self.effects.commands.len()
    }

    /// Remembers which files hold the output of a command, for they may be looked at later.
    pub(super) fn keeps_output(&mut self, command: usize, out: &[Sink]) {
        for sink in out {
            if let Sink::Into(path) = sink
                && self.outputs.len() < MAX_OUTPUTS
            {
                self.outputs.push((command, path.clone()));
            }
        }
    }

    /// What the file, or the variable, holds is looked at: a part of what was printed is seen after all.
    fn looked_at(&mut self, path: &Path) {
        let held = path.as_output();
        let commands = &mut self.effects.commands;
        let written = self.outputs.iter().filter(|(_, output)| output == path && path.root != Root::Unknown).map(|(index, _)| *index);
        for index in written.chain(held.into_iter().flatten()) {
            if let Some(command) = commands.get_mut(index) {
                command.shown = command.shown.max(Shown::Part);
            }
        }
    }

    pub(super) fn effect(&mut self, kind: EffectKind, command: usize, context: Context) {
        if !context.remote && !self.full() {
            self.effects.list.push(Effect { kind, command, background: context.background });
        }
    }

    /// A read, once for each sink that matters; a device is no file.
    pub(super) fn read(&mut self, path: &Path, sinks: &[Sink], command: usize, context: Context) {
        if sinks.contains(&Sink::Look) {
            self.looked_at(path);
        }
        if path.is_device() {
            return;
        }
        let graver = sinks.iter().any(|sink| *sink != Sink::Look);
        let mut done: Vec<&Sink> = Vec::new();
        for sink in sinks {
            if (graver && *sink == Sink::Look) || done.contains(&sink) {
                continue;
            }
            done.push(sink);
            self.effect(EffectKind::Read { path: path.clone(), sink: sink.clone() }, command, context);
        }
    }

    pub(super) fn write(&mut self, path: Path, whole: bool, copy_of: Option<Path>, command: usize, context: Context) {
        if !path.is_device() {
            // A source that cannot be known can prove nothing.
            let copy_of = copy_of.filter(|source| source.root != Root::Unknown);
            self.effect(EffectKind::Write { path, whole, copy_of }, command, context);
        }
    }

    /// Walks a text in `state`.
    pub(super) fn text(&mut self, text: &str, state: &mut State, around: Around<'_>, context: Context) {
        self.parsed += text.len();
        if self.depth >= MAX_DEPTH || (self.depth > 0 && self.parsed > MAX_PARSED) || self.full() {
            self.approximate();
            return;
        }
        self.depth += 1;
        let normal;
        let text = if text.contains("\r\n") {
            normal = text.replace("\r\n", "\n");
            &normal
        } else {
            text
        };
        let parsed = parse::parse(text);
        self.effects.approximate |= parsed.approximate;
        let items: Vec<&ast::CompoundListItem> = parsed.lists.iter().flat_map(|list| &list.0).collect();
        self.items(&items, state, around, context);
        self.depth -= 1;
    }

    /// Walks a text given to a shell: `bash -c`, `eval`, `ssh`.
    pub(super) fn shell_text(&mut self, shell: &ShellText, state: &mut State, around: Around<'_>, context: Context) {
        let Some(text) = &shell.text else {
            self.command("", &[], &state.cwd, context);
            return;
        };
        if shell.powershell {
            if self.depth < MAX_DEPTH {
                self.depth += 1;
                powershell::walk_in(self, text, &state.cwd, context);
                self.depth -= 1;
            }
        } else if shell.here {
            self.text(text, state, around, context);
        } else {
            let mut inner = state.child();
            inner.errexit = shell.errexit;
            inner.pipefail = shell.pipefail;
            inner.positional = Some(shell.positional.clone());
            self.shell(text, &mut inner, around, context);
        }
    }

    fn list(&mut self, list: &ast::CompoundList, state: &mut State, around: Around<'_>, context: Context) {
        let items: Vec<&ast::CompoundListItem> = list.0.iter().collect();
        self.items(&items, state, around, context);
    }

    fn items(&mut self, items: &[&ast::CompoundListItem], state: &mut State, around: Around<'_>, context: Context) {
        for (index, ast::CompoundListItem(chain, separator)) in items.iter().enumerate() {
            if self.full() {
                return;
            }
            let background = matches!(separator, ast::SeparatorOperator::Async);
            let behind = &items[index + 1..];
            let handed = if context.visible { handed_on(behind) } else { Handed::No };
            let inner = Context {
                background: context.background || background,
                visible: context.visible && (behind.is_empty() || handed != Handed::No) && !background,
                guarded: context.guarded && !background,
                ..context
            };
            if background {
                self.chain(chain, &mut state.fork(), around, inner);
            } else {
                // `exit ${PIPESTATUS[0]}` tells of the first stage what `pipefail` would.
                let pipefail = state.pipefail;
                state.pipefail |= handed == Handed::FirstStage;
                self.chain(chain, state, around, inner);
                if handed == Handed::FirstStage {
                    state.pipefail = pipefail;
                }
                // Behind an `exit` nothing is run; in a text that was split it may be one of a branch.
                if !self.effects.approximate && chain.additional.is_empty() && ends_list(&chain.first, state.in_function()) {
                    return;
                }
            }
        }
    }

    /// `a && b || c`
    fn chain(&mut self, chain: &ast::AndOrList, state: &mut State, around: Around<'_>, context: Context) {
        let pipelines: Vec<(bool, &ast::Pipeline)> = std::iter::once((false, &chain.first))
            .chain(chain.additional.iter().map(|next| match next {
                ast::AndOr::And(pipeline) => (false, pipeline),
                ast::AndOr::Or(pipeline) => (true, pipeline),
            }))
            .collect();
        let last = chain.additional.len();
        for (index, (by_or, pipeline)) in pipelines.iter().enumerate() {
            let unbroken = pipelines[index + 1..].iter().all(|(by_or, _)| !by_or);
            // `a || exit 1`: when a fails the text does.
            let exits = context.guarded && pipelines.get(index + 1).is_some_and(|(by_or, next)| *by_or && leaves_failing(next));
            let ends = context.guarded && state.errexit && index == last;
            let inner =
                Context { visible: (context.visible && unbroken) || exits || ends, guarded: context.guarded && index == last, ..context };
            if *by_or {
                // It may not run at all; where it leaves, what follows knows that it did not.
                let before = state.clone();
                self.pipeline(pipeline, state, around, inner);
                if leaves(pipeline) {
                    *state = before;
                } else {
                    self.merge(state, &before, context);
                }
            } else {
                self.pipeline(pipeline, state, around, inner);
            }
        }
    }

    fn pipeline(&mut self, pipeline: &ast::Pipeline, state: &mut State, around: Around<'_>, context: Context) {
        let context = if pipeline.bang { Context { visible: false, guarded: false, ..context } } else { context };
        if let [only] = pipeline.seq.as_slice() {
            match only {
                ast::Command::Simple(simple) => {
                    let prepared = prepare(simple, state);
                    self.simple(&prepared, state, around, context);
                }
                other => self.compound(other, state, around, context),
            }
            return;
        }
        // `time` and `!` may stand alone.
        let Some(last) = pipeline.seq.len().checked_sub(1) else { return };
        // From the end: what each stage does with what is piped into it.
        let mut states: Vec<State> = pipeline.seq.iter().map(|_| state.fork()).collect();
        let mut prepared: Vec<Option<Prepared>> = pipeline
            .seq
            .iter()
            .map(|command| match command {
                ast::Command::Simple(simple) => Some(prepare(simple, state)),
                _ => None,
            })
            .collect();
        let mut outs: Vec<Vec<Sink>> = vec![around.out.to_vec()];
        for index in (1..pipeline.seq.len()).rev() {
            let out = outs.last().map_or(&[] as &[Sink], Vec::as_slice);
            let sinks = match &prepared[index] {
                Some(prepared) => intake(prepared, state, out),
                None => intake_of(&pipeline.seq[index], state, out),
            };
            outs.push(sinks);
        }
        outs.reverse();
        let mut shown = vec![context.shown];
        for stage in prepared.iter().skip(1).rev() {
            let behind = Context { shown: shown.last().copied().unwrap_or(context.shown), ..context };
            shown.push(stage.as_ref().map_or(behind.shown.min(Shown::Part), |stage| stage.lets_through(behind)));
        }
        shown.reverse();
        for index in 1..prepared.len() {
            if let [Some(before), Some(stage)] = &mut prepared[index - 1..=index]
                && let Some(text) = printed(before)
            {
                stage.feed(text);
            }
        }
        for (index, command) in pipeline.seq.iter().enumerate() {
            let seen = index == last || state.pipefail;
            let inner = Context { visible: context.visible && seen, guarded: context.guarded && seen, shown: shown[index], ..context };
            let around = Around { out: &outs[index], piped: index > 0 || around.piped };
            match &prepared[index] {
                Some(prepared) => self.simple(prepared, &mut states[index], around, inner),
                None => self.compound(command, &mut states[index], around, inner),
            }
        }
    }

    fn compound(&mut self, command: &ast::Command, state: &mut State, around: Around<'_>, context: Context) {
        let (compound, own) = match command {
            ast::Command::Simple(simple) => {
                let prepared = prepare(simple, state);
                self.simple(&prepared, state, around, context);
                return;
            }
            ast::Command::Function(function) => {
                state.define(&function.fname.value, &function.body);
                return;
            }
            ast::Command::ExtendedTest(test, _) => {
                self.test(&test.expr, state, context);
                return;
            }
            ast::Command::Compound(compound, own) => (compound, own.as_ref()),
        };
        self.redirected(compound, own, state, around, context);
    }

    /// A compound command with its redirects.
    fn redirected(
        &mut self,
        compound: &ast::CompoundCommand,
        own: Option<&ast::RedirectList>,
        state: &mut State,
        around: Around<'_>,
        context: Context,
    ) {
        let Some(own) = own else {
            self.body(compound, state, around, context);
            return;
        };
        let found = redirects(&own.0, state);
        let cwd = state.cwd.clone();
        let out = found.out(around.out, &cwd);
        let intake = match compound {
            ast::CompoundCommand::BraceGroup(ast::BraceGroupCommand { list, .. })
            | ast::CompoundCommand::Subshell(ast::SubshellCommand { list, .. }) => intake_of_list(list, state, &out),
            _ => vec![Sink::Look],
        };
        // What a loop does with what is printed for it is not told.
        let fed = if intake == [Sink::Look] { &[Sink::Look, Sink::Argument] } else { intake.as_slice() };
        self.run_redirects(&found, fed, state, context);
        let (before, mark) = (self.next_command(), self.mark());
        for path in found.inputs(&cwd) {
            self.read(&path, &intake, before, context);
        }
        for path in found.handed(&cwd) {
            self.read(&path, &[Sink::Argument], before, context);
        }
        let piped = around.piped || found.has_input();
        self.body(compound, state, Around { out: &out, piped }, found.seen(context));
        // A body without commands (`((1)) < f`) has what its redirects do for its only one.
        if self.next_command() == before && (found.writes_any() || self.mark() > mark) {
            self.command("", &[], &cwd, context);
        }
        if found.writes_any() {
            let index = self.next_command() - 1;
            for (path, whole, _) in found.outputs(&cwd) {
                self.write(path, whole, None, index, context);
            }
        }
    }

    fn body(&mut self, compound: &ast::CompoundCommand, state: &mut State, around: Around<'_>, context: Context) {
        let hidden = Context { visible: false, guarded: false, ..context };
        match compound {
            ast::CompoundCommand::BraceGroup(group) => self.list(&group.list, state, around, context),
            ast::CompoundCommand::Subshell(group) => self.list(&group.list, &mut state.fork(), around, context),
            ast::CompoundCommand::IfClause(clause) => {
                self.list(&clause.condition, state, around, hidden);
                let mut skipped = state.clone();
                self.list(&clause.then, state, around, context);
                let mut always = false;
                for part in clause.elses.iter().flatten() {
                    if let Some(condition) = &part.condition {
                        self.list(condition, &mut skipped, around, hidden);
                    } else {
                        always = true;
                    }
                    let mut branch = skipped.clone();
                    self.list(&part.body, &mut branch, around, context);
                    self.merge(state, &branch, context);
                }
                if !always {
                    self.merge(state, &skipped, context);
                }
            }
            ast::CompoundCommand::CaseClause(clause) => {
                self.word_substitutions(&clause.value.value, state, context);
                let entry = state.clone();
                for list in clause.cases.iter().filter_map(|case| case.cmd.as_ref()) {
                    let mut branch = entry.clone();
                    self.list(list, &mut branch, around, context);
                    self.merge(state, &branch, context);
                }
            }
            ast::CompoundCommand::WhileClause(clause) | ast::CompoundCommand::UntilClause(clause) => {
                self.repeated(state, context, |walker, state| {
                    walker.list(&clause.0, state, around, hidden);
                    walker.list(&clause.1.list, state, around, Context { visible: false, ..context });
                });
            }
            ast::CompoundCommand::ForClause(clause) => {
                let (mut subs, mut words) = (Vec::new(), Vec::new());
                for word in clause.values.iter().flatten() {
                    words::fields(&word.value, state, &mut subs, &mut words);
                }
                self.substitutions(&subs, &[Sink::Argument], state, context);
                let value = match words.as_slice() {
                    [only] if !only.glob => only.clone(),
                    _ => Word::unknown(),
                };
                self.repeated(state, context, |walker, state| {
                    state.set(&clause.variable_name, value.clone());
                    walker.list(&clause.body.list, state, around, Context { visible: false, ..context });
                });
            }
            ast::CompoundCommand::ArithmeticForClause(clause) => {
                self.repeated(state, context, |walker, state| {
                    walker.list(&clause.body.list, state, around, Context { visible: false, ..context });
                });
            }
            ast::CompoundCommand::Coprocess(coprocess) => {
                let inner = Context { background: true, ..hidden };
                self.compound(&coprocess.body, &mut state.fork(), around, inner);
            }
            ast::CompoundCommand::Arithmetic(_) => {}
        }
    }

    /// Joins what two ways through the text leave behind. A directory that depends on the way is unknown,
    /// also for what comes after the text.
    fn merge(&mut self, state: &mut State, other: &State, context: Context) {
        let known = state.cwd.root != Root::Unknown;
        state.merge(other);
        if known && state.cwd.root == Root::Unknown && !state.subshell {
            let index = self.next_command().saturating_sub(1);
            self.effect(EffectKind::ChangeDir { path: Path::unknown() }, index, context);
        }
    }

    /// A loop's body: what it sees may come from an earlier round, so where a round changes what is known the
    /// body is walked again with what holds in every round.
    fn repeated(&mut self, state: &mut State, context: Context, body: impl Fn(&mut Self, &mut State)) {
        let entry = state.clone();
        let (commands, list) = (self.effects.commands.len(), self.effects.list.len());
        body(self, state);
        self.merge(state, &entry, context);
        if !state.same_values(&entry) {
            self.effects.commands.truncate(commands);
            self.effects.list.truncate(list);
            self.outputs.retain(|(command, _)| *command < commands);
            let merged = state.clone();
            body(self, state);
            // Whether the last round, or any, ran is open, and so is where it left the shell.
            self.merge(state, &entry, context);
            state.merge(&merged);
        }
    }

    /// Calls a function that the text defines.
    pub(super) fn call(&mut self, body: &ast::FunctionBody, args: &[Word], state: &mut State, around: Around<'_>, context: Context) {
        if self.depth >= MAX_DEPTH || self.full() {
            self.approximate();
            return;
        }
        self.depth += 1;
        let outer = state.enter(args.to_vec());
        self.redirected(&body.0, body.1.as_ref(), state, around, context);
        state.leave(outer);
        self.depth -= 1;
    }

    fn test(&mut self, expr: &ast::ExtendedTestExpr, state: &State, context: Context) {
        use ast::ExtendedTestExpr as Test;
        let index = self.command("[[", &[], &state.cwd, context);
        let mut pending = vec![expr];
        let mut subs = Vec::new();
        while let Some(expr) = pending.pop() {
            match expr {
                Test::And(left, right) | Test::Or(left, right) => pending.extend([right.as_ref(), left.as_ref()]),
                Test::Not(inner) | Test::Parenthesized(inner) => pending.push(inner),
                Test::UnaryTest(_, word) => _ = words::single(&word.value, state, &mut subs),
                Test::BinaryTest(_, left, right) => {
                    for word in [left, right] {
                        words::single(&word.value, state, &mut subs);
                    }
                }
            }
        }
        // Substitutions run before the test that holds them.
        let test = self.effects.commands.pop();
        debug_assert!(index == self.effects.commands.len());
        self.substitutions(&subs, &[Sink::Look], state, context);
        self.effects.commands.extend(test);
    }

    /// Runs the command substitutions of a word whose value matters to nobody.
    fn word_substitutions(&mut self, raw: &str, state: &State, context: Context) {
        let mut subs = Vec::new();
        words::single(raw, state, &mut subs);
        self.substitutions(&subs, &[Sink::Look], state, context);
    }

    /// Runs command substitutions, whose output goes to `out`.
    pub(super) fn substitutions(&mut self, subs: &[String], out: &[Sink], state: &State, context: Context) {
        for sub in subs {
            let inner = Context { visible: false, guarded: false, substitution: true, ..context.printing_to(out) };
            self.text(sub, &mut state.fork(), Around { out, piped: false }, inner);
        }
    }

    /// Walks a process substitution whose output goes to `out`.
    pub(super) fn process(&mut self, list: &ast::CompoundList, out: &[Sink], piped: bool, state: &State, context: Context) {
        let inner = Context { visible: false, guarded: false, ..context.printing_to(out) };
        self.list(list, &mut state.fork(), Around { out, piped }, inner);
    }

    /// A script text in another language, whose output goes to `out`.
    pub(super) fn script(&mut self, script: (Language, &str), out: &[Sink], state: &State, command: usize, context: Context) {
        use super::scripts::Action;
        let (language, code) = script;
        for action in super::scripts::actions(language, code, &state.cwd) {
            match action {
                Action::Read(path, reached) => {
                    let mut sinks: Vec<Sink> = reached.into_iter().map(Sink::Into).collect();
                    if sinks.is_empty() {
                        sinks.extend_from_slice(out);
                    }
                    self.read(&path, &sinks, command, context);
                }
                Action::Write(path, whole, copy_of) => self.write(path, whole, copy_of, command, context),
                Action::Remove(path) => self.effect(EffectKind::Remove { path }, command, context),
                Action::MakeTemp => self.effect(EffectKind::MakeTemp, command, context),
                Action::Shell(text) => {
                    let inner = Context { visible: false, guarded: false, ..context };
                    self.text(&text, &mut state.child(), Around { out, piped: false }, inner);
                }
            }
        }
    }
}

/// What a compound command does with its standard input.
fn intake_of(command: &ast::Command, state: &State, out: &[Sink]) -> Vec<Sink> {
    let (list, own) = match command {
        ast::Command::Compound(ast::CompoundCommand::BraceGroup(group), own) => (&group.list, own),
        ast::Command::Compound(ast::CompoundCommand::Subshell(group), own) => (&group.list, own),
        _ => return vec![Sink::Argument],
    };
    let found = own.as_ref().map(|own| redirects(&own.0, state)).unwrap_or_default();
    intake_of_list(list, state, &found.out(out, &state.cwd))
}
