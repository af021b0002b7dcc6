//! One simple command: its words expanded, its redirects understood, its effects told.

use std::borrow::Cow;
use std::rc::Rc;
use std::slice;

use brush_parser::ast;

use super::prepare::{Prepared, Redirects, is_declaration, prepare};
use super::programs::{Flow, Io, analyze};
use super::state::State;
use super::walk::{Around, Context, Walker};
use super::words::Word;
use super::wrappers;
use super::{EffectKind, Path, Root, Sink};

fn is_shell(name: &str) -> bool {
    matches!(name, "bash" | "sh" | "zsh" | "dash" | "ksh" | "ash" | "fish")
}

/// What bytes with this flow become where the output goes to `out`.
fn sinks<'a>(flow: Option<&'a Flow>, out: &'a [Sink]) -> Cow<'a, [Sink]> {
    match flow {
        None => Cow::Borrowed(&[Sink::Look]),
        Some(Flow::Out) => Cow::Borrowed(out),
        Some(Flow::To(sink)) => Cow::Borrowed(slice::from_ref(sink)),
        Some(Flow::Files(files)) => {
            files.iter().filter(|path| !path.is_device()).cloned().map(Sink::Into).chain(out.iter().cloned()).collect()
        }
    }
}

/// What becomes of the standard input. A file on another machine is no place of ours.
fn input_sinks<'a>(prepared: &Prepared<'_>, io: &'a Io, out: &'a [Sink]) -> Cow<'a, [Sink]> {
    match &io.stdin {
        Some(Flow::Files(_) | Flow::To(Sink::Into(_))) if prepared.inner.remote => Cow::Borrowed(&[Sink::Argument]),
        flow => sinks(flow.as_ref(), out),
    }
}

/// What the innermost program does, shells and builtins among them.
fn describe(prepared: &Prepared<'_>, cwd: &Path) -> Io {
    let (name, args) = (prepared.name(), prepared.args());
    let mut io = Io::default();
    if prepared.inner.text.is_some() {
        io.stdin = Some(Flow::To(Sink::Argument));
        io.words = Some(Flow::To(if prepared.inner.remote { Sink::Argument } else { Sink::Run }));
        return io;
    }
    match name {
        _ if is_shell(name) => {
            let script = super::args::Args::read(args, "oO", &["rcfile", "init-file"]);
            match script.operands.split_first().filter(|_| !script.has(&["s"])) {
                Some((file, rest)) => {
                    io.read(file.path(cwd), Flow::To(Sink::Run));
                    super::programs::generic(&mut io, rest, cwd);
                }
                None => io.stdin = Some(Flow::To(Sink::Run)),
            }
        }
        "source" | "." => {
            if let Some(file) = args.first() {
                io.read(file.path(cwd), Flow::To(Sink::Run));
            }
        }
        "read" | "mapfile" | "readarray" => io.stdin = Some(Flow::To(Sink::Argument)),
        "cd" | "pushd" | "popd" | "set" | "unset" | "export" | "local" | "readonly" | "declare" | "typeset" | "shift" | "trap"
        | "alias" | "shopt" | "getopts" | "let" => {
            io.words = Some(Flow::To(Sink::Argument));
        }
        "" => {}
        _ => io = analyze(name, args, cwd),
    }
    if prepared.inner.fed {
        io.stdin = Some(Flow::To(Sink::Argument));
    }
    io
}

/// The function that the command calls. A wrapper runs programs alone.
fn called(prepared: &Prepared<'_>, state: &State) -> Option<Rc<ast::FunctionBody>> {
    if !state.has_functions() || prepared.inner.text.is_some() {
        return None;
    }
    let name = prepared.typed.text()?;
    prepared.inner.words.first().filter(|word| word.is(name)).and_then(|_| state.function(name))
}

/// What becomes of bytes that are piped into the command.
pub(super) fn intake(prepared: &Prepared<'_>, state: &State, out: &[Sink]) -> Vec<Sink> {
    if prepared.redirects.has_input() {
        return vec![Sink::Look];
    }
    if called(prepared, state).is_some() {
        return vec![Sink::Argument];
    }
    let out = prepared.redirects.out(out, &state.cwd);
    input_sinks(prepared, &describe(prepared, &prepared.dir(&state.cwd)), &out).into_owned()
}

/// The same for the first command of a list that reads at all.
pub(super) fn intake_of_list(list: &ast::CompoundList, state: &State, out: &[Sink]) -> Vec<Sink> {
    let mut inner = state.fork();
    let mut lists = vec![list.0.iter()];
    // Groups inside groups are gone into from their start; a bound, for what is looked for stands early.
    for _ in 0..64 {
        let Some(items) = lists.last_mut() else { break };
        let Some(item) = items.next() else {
            lists.pop();
            continue;
        };
        let chain = &item.0;
        let pipelines = std::iter::once(&chain.first).chain(chain.additional.iter().map(|next| match next {
            ast::AndOr::And(pipeline) | ast::AndOr::Or(pipeline) => pipeline,
        }));
        for pipeline in pipelines.take(16) {
            match pipeline.seq.first() {
                Some(ast::Command::Simple(simple)) => {
                    let prepared = prepare(simple, &inner);
                    if prepared.name() == "cd" {
                        change_directory("cd", prepared.args().first(), &mut inner);
                    } else if prepared.inner.text.is_some() || describe(&prepared, &inner.cwd).stdin.is_some() {
                        // Behind a pipe of its own its output does not leave the list.
                        return if pipeline.seq.len() == 1 { intake(&prepared, &inner, out) } else { vec![Sink::Argument] };
                    }
                }
                Some(ast::Command::Compound(
                    ast::CompoundCommand::BraceGroup(ast::BraceGroupCommand { list, .. })
                    | ast::CompoundCommand::Subshell(ast::SubshellCommand { list, .. }),
                    None,
                )) => {
                    lists.push(list.0.iter());
                    break;
                }
                _ => return vec![Sink::Argument],
            }
        }
    }
    vec![Sink::Look]
}

/// The text a stage certainly prints: `cat <<EOF`, `echo '…'`.
pub(super) fn printed(prepared: &Prepared<'_>) -> Option<Word> {
    let args = prepared.args();
    if prepared.inner.remote || prepared.redirects.writes_any() {
        return None;
    }
    match prepared.name() {
        "cat" if args.is_empty() => prepared.redirects.text.clone(),
        "echo" => {
            let words: Option<Vec<&str>> = args.iter().filter(|word| !word.is("-e") && !word.is("-n")).map(Word::text).collect();
            words.map(|words| Word::text_of(words.join(" ")))
        }
        "printf" => {
            let (format, values) = args.split_first()?;
            let format = format.text()?.replace("\\n", "\n").replace("\\t", "\t");
            let values: Option<Vec<&str>> = values.iter().map(Word::text).collect();
            match format.as_str() {
                "%s" | "%b" => Some(Word::text_of(values?.concat())),
                "%s\n" | "%b\n" => Some(Word::text_of(values?.join("\n"))),
                _ => (!format.contains('%')).then(|| Word::text_of(format)),
            }
        }
        _ => None,
    }
}

impl Walker {
    /// Runs the substitutions in redirects, whose targets matter to nobody and whose texts go to `intake`.
    pub(super) fn run_redirects(&mut self, found: &Redirects<'_>, intake: &[Sink], state: &State, context: Context) {
        self.substitutions(&found.subs, &[Sink::Argument], state, context);
        self.substitutions(&found.text_subs, intake, state, context);
        for (writes, list) in &found.processes {
            self.process(list, if *writes { &[Sink::Look] } else { intake }, *writes, state, context);
        }
    }

    /// Runs a simple command.
    pub(super) fn simple(&mut self, prepared: &Prepared<'_>, state: &mut State, around: Around<'_>, context: Context) {
        let cwd = state.cwd.clone();
        let out = match prepared.redirects.out_process() {
            Some(list) => intake_of_list(list, state, around.out),
            None => prepared.redirects.out(around.out, &cwd),
        };
        let values: Vec<Vec<Path>> = prepared
            .assignments
            .iter()
            .map(|assigned| {
                let mark = self.mark();
                let visible = context.visible && prepared.inner.words.is_empty();
                let inner = Context { visible, shown: super::gates::Shown::Nothing, ..context };
                let first = self.next_command();
                for sub in &assigned.subs {
                    let inner = Context { guarded: context.guarded && visible, substitution: true, ..inner };
                    self.text(sub, &mut state.fork(), Around { out: &[Sink::Argument], piped: false }, inner);
                }
                if assigned.subs.is_empty() {
                    return Vec::new();
                }
                let mut sources = self.read_since(mark);
                sources.push(Path::output_of(first..self.next_command()));
                sources
            })
            .collect();
        if prepared.inner.words.is_empty() && prepared.inner.text.is_none() {
            self.bare(prepared, values, state, &out, context);
            return;
        }
        if is_declaration(prepared.name()) || prepared.inner.words.is_empty() {
            declare(prepared, state);
            assign(prepared, values, state);
        }
        let context = Context { remote: context.remote || prepared.inner.remote, ..prepared.redirects.seen(context) };
        let local = Context { remote: context.remote && !prepared.inner.remote, ..context };
        let function = called(prepared, state);
        let dir = prepared.dir(&cwd);
        let mut io = if function.is_some() { Io::default() } else { describe(prepared, &dir) };
        let intake = input_sinks(prepared, &io, &out);
        let word_sinks = match &io.words {
            None => Cow::Borrowed(&[Sink::Argument][..]),
            flow => sinks(flow.as_ref(), &out),
        };
        self.substitutions(&prepared.subs, &word_sinks, state, local);
        self.run_redirects(&prepared.redirects, &intake, state, local);
        for (number, (writes, list)) in prepared.processes.iter().enumerate() {
            let stands_for = format!("/dev/fd/process{number}");
            let flow = io.reads.iter().find(|(path, _)| path.text == stands_for).map(|(_, flow)| flow);
            let fed = flow.map_or_else(|| Cow::Borrowed(&[Sink::Argument][..]), |flow| sinks(Some(flow), &out));
            self.process(list, if *writes { &[Sink::Look] } else { &fed }, *writes, state, local);
        }
        if let Some(shell) = &prepared.inner.text {
            let before = self.next_command();
            for path in prepared.redirects.inputs(&cwd) {
                self.read(&path, &intake, before, local);
            }
            let piped = around.piped || prepared.redirects.has_input();
            if prepared.inner.dirs.is_empty() {
                self.shell_text(shell, state, Around { out: &out, piped }, context);
            } else {
                let mut moved = state.fork();
                moved.cwd = prepared.dir(&cwd);
                self.shell_text(shell, &mut moved, Around { out: &out, piped }, context);
            }
            if self.next_command() == before {
                self.command(prepared.name(), prepared.args(), &cwd, context);
            }
            self.redirect_writes(prepared, None, &cwd, local);
            return;
        }
        if let Some(body) = function {
            let before = self.next_command();
            for path in prepared.redirects.inputs(&cwd) {
                self.read(&path, &[Sink::Argument], before, local);
            }
            self.call(&body, prepared.args(), state, Around { out: &out, piped: around.piped }, context);
            if self.next_command() == before {
                self.command(prepared.name(), prepared.args(), &cwd, context);
            }
            self.redirect_writes(prepared, None, &cwd, local);
            return;
        }
        if let Some(program) = prepared.run_file(&dir) {
            io.reads.insert(0, (program, Flow::To(Sink::Run)));
        }
        self.run_program(prepared, io, state, around, &out, context, local);
    }

    #[expect(clippy::too_many_arguments, reason = "one place where everything known of a command meets")]
    fn run_program(
        &mut self,
        prepared: &Prepared<'_>,
        io: Io,
        state: &mut State,
        around: Around<'_>,
        out: &[Sink],
        context: Context,
        local: Context,
    ) {
        let cwd = state.cwd.clone();
        let (name, args) = (prepared.name(), prepared.args());
        let index = self.command(name, args, &prepared.dir(&cwd), context);
        self.keeps_output(index, out);
        for (path, flow) in &io.reads {
            self.read(path, &sinks(Some(flow), out), index, context);
        }
        let intake = input_sinks(prepared, &io, out);
        let inputs = prepared.redirects.inputs(&cwd);
        for path in &inputs {
            self.read(path, &intake, index, local);
        }
        for path in prepared.redirects.handed(&cwd) {
            self.read(&path, &[Sink::Argument], index, local);
        }
        // Bytes that came by way of a variable, and a here-string's.
        let word_sinks = sinks(io.words.as_ref().or(Some(&Flow::To(Sink::Argument))), out);
        for path in args.iter().flat_map(|word| &word.sources) {
            self.read(path, &word_sinks, index, local);
        }
        for path in prepared.redirects.text.iter().flat_map(|word| &word.sources) {
            self.read(path, &intake, index, local);
        }
        self.scripts(prepared, &io, out, state, index, context);
        let read: Vec<&Path> = io.reads.iter().map(|(path, _)| path).chain(&inputs).collect();
        // One file in, the same bytes out: what is written equals it.
        let original = match read.as_slice() {
            [only] if io.verbatim && !around.piped && prepared.redirects.text.is_none() && !only.glob => Some((*only).clone()),
            _ => None,
        };
        let copies_input = !inputs.is_empty() && original.is_some();
        for written in io.writes {
            let copy_of = written.copy_of.or_else(|| original.clone().filter(|_| copies_input && written.whole));
            self.write(written.path, written.whole, copy_of, index, context);
        }
        for path in io.removes {
            self.effect(EffectKind::Remove { path }, index, context);
        }
        if io.makes_temp {
            self.effect(EffectKind::MakeTemp, index, context);
        }
        if let Some((dir, action)) = io.git {
            self.effect(EffectKind::Git { dir, action }, index, context);
        }
        self.redirect_writes(prepared, original.as_ref(), &cwd, local);
        if matches!(name, "find" | "fd" | "fdfind") {
            self.find(args, state, context);
        }
        self.builtin(prepared, state, index, context);
    }

    /// Script text among the arguments or on the standard input.
    fn scripts(&mut self, prepared: &Prepared<'_>, io: &Io, out: &[Sink], state: &State, index: usize, context: Context) {
        let text = prepared.redirects.text.as_ref().and_then(Word::text);
        let shell = io.stdin == Some(Flow::To(Sink::Run)) && is_shell(prepared.name());
        if io.script.is_none() && !(text.is_some() && (shell || io.stdin_script.is_some())) {
            return;
        }
        let mut inner = state.child();
        inner.cwd = prepared.dir(&state.cwd);
        if let Some((language, code)) = &io.script {
            self.script((*language, code), out, &inner, index, context);
        }
        let Some(code) = text else { return };
        if let Some(language) = io.stdin_script {
            self.script((language, code), out, &inner, index, context);
        } else if shell {
            inner.errexit = prepared.args().iter().any(|word| word.is("-e") || word.is("-ex") || word.is("-eu"));
            self.shell(code, &mut inner, Around { out, piped: false }, context);
        }
    }

    fn redirect_writes(&mut self, prepared: &Prepared<'_>, original: Option<&Path>, cwd: &Path, context: Context) {
        let index = self.next_command().saturating_sub(1);
        for (path, whole, printed_to) in prepared.redirects.outputs(cwd) {
            let copy_of = original.filter(|_| printed_to && whole).cloned();
            self.write(path, whole, copy_of, index, context);
        }
    }

    /// Assignments and redirects without a program.
    fn bare(&mut self, prepared: &Prepared<'_>, values: Vec<Vec<Path>>, state: &mut State, out: &[Sink], context: Context) {
        let cwd = state.cwd.clone();
        assign(prepared, values, state);
        self.run_redirects(&prepared.redirects, &[Sink::Look], state, context);
        if prepared.subs.is_empty() && !prepared.redirects.has_input() && !prepared.redirects.writes_any() {
            return;
        }
        self.substitutions(&prepared.subs, &[Sink::Run], state, context);
        let index = self.command("", &[], &cwd, context);
        let printed: &[Sink] = if context.substitution { out } else { &[Sink::Look] };
        for path in prepared.redirects.inputs(&cwd) {
            self.read(&path, printed, index, context);
        }
        self.redirect_writes(prepared, None, &cwd, context);
    }

    /// `find … -exec cmd {} \;`: the command is known, what it is given is not.
    fn find(&mut self, args: &[Word], state: &mut State, context: Context) {
        if args.iter().any(|word| word.is("-delete")) {
            let index = self.next_command() - 1;
            self.effect(EffectKind::Remove { path: Path::unknown() }, index, context);
        }
        let flags = ["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"];
        let starts: Vec<usize> = args
            .iter()
            .enumerate()
            .filter(|(_, word)| word.text().is_some_and(|text| flags.contains(&text)))
            .map(|(at, _)| at + 1)
            .collect();
        for start in starts.into_iter().take(8) {
            let words: Vec<Word> = args[start..]
                .iter()
                .take_while(|word| !word.is(";") && !word.is("+"))
                .map(|word| if word.head().contains("{}") { Word::unknown() } else { word.clone() })
                .collect();
            if words.is_empty() || words.first().is_some_and(|word| word.is("find")) {
                continue;
            }
            let inner = Prepared { inner: wrappers::unwrap(words), ..Prepared::default() };
            let hidden = Context { visible: false, guarded: false, ..context };
            self.simple(&inner, &mut state.fork(), Around { out: &[Sink::Look], piped: false }, hidden);
        }
    }

    /// Builtins that change what follows.
    fn builtin(&mut self, prepared: &Prepared<'_>, state: &mut State, index: usize, context: Context) {
        let args = prepared.args();
        let operand = args.iter().find(|word| !word.head().starts_with('-') || word.is("-"));
        match prepared.name() {
            // The stack alone changes.
            "pushd" | "popd" if args.iter().any(|word| word.is("-n")) => state.stack.push(Path::unknown()),
            // A wrapped `cd` (`sudo cd`) changes nothing here.
            "cd" | "pushd" | "popd" if matches!(prepared.typed.head(), "cd" | "pushd" | "popd" | "builtin" | "command") => {
                change_directory(prepared.name(), operand, state);
                let to = state.cwd.clone();
                if !state.subshell {
                    self.effect(EffectKind::ChangeDir { path: to }, index, context);
                }
            }
            "set" => {
                let mut rest = args.iter().filter_map(Word::text);
                while let Some(text) = rest.next() {
                    let on = text.starts_with('-');
                    if !on && !text.starts_with('+') {
                        break;
                    }
                    if text[1..].contains('e') && !text.starts_with("--") {
                        state.errexit = on;
                    }
                    if text.ends_with('o') {
                        match rest.next() {
                            Some("pipefail") => state.pipefail = on,
                            Some("errexit") => state.errexit = on,
                            _ => {}
                        }
                    }
                }
            }
            "unset" if args.first().is_some_and(|word| word.is("-f")) => {
                for name in args[1..].iter().filter_map(Word::text) {
                    state.forget_function(name);
                }
            }
            "trap" => {
                let words: Vec<&Word> = args.iter().filter(|word| !word.is("--")).collect();
                if let Some((text, signals)) = words.split_first()
                    && signals.iter().any(|signal| signal.is("EXIT") || signal.is("0"))
                {
                    state.exit_trap = text.text().filter(|text| !matches!(*text, "" | "-")).map(str::to_owned);
                }
            }
            "unset" | "read" | "mapfile" | "readarray" | "getopts" | "let" => {
                for name in args.iter().filter_map(Word::text).filter(|text| !text.starts_with('-')) {
                    state.set(name, Word::unknown());
                }
            }
            "printf" if args.first().is_some_and(|word| word.is("-v")) => {
                if let Some(name) = args.get(1).and_then(Word::text) {
                    state.set(name, Word::unknown());
                }
            }
            "shift" => {
                if let Some(positional) = state.positional.as_mut() {
                    let by = operand.and_then(Word::text).map_or(Some(1), |text| text.parse().ok()).unwrap_or(usize::MAX);
                    positional.drain(..by.min(positional.len()));
                }
            }
            _ => {}
        }
    }
}

/// `cd`, `pushd`, `popd`.
fn change_directory(name: &str, operand: Option<&Word>, state: &mut State) {
    // With `CDPATH` a bare name may be a folder elsewhere.
    let searched = |word: &Word| state.get("CDPATH").is_some() && !word.head().starts_with(['/', '.']);
    let to = match (name, operand) {
        ("popd", _) => state.stack.pop().unwrap_or_else(Path::unknown),
        (_, Some(word)) if word.is("-") => state.previous.clone(),
        (_, Some(word)) if searched(word) => Path::unknown(),
        (_, Some(word)) => word.path(&state.cwd),
        ("cd", None) => Path { root: Root::Home, text: String::new(), glob: false, folder: false },
        (_, None) => state.stack.pop().unwrap_or_else(Path::unknown),
    };
    let to = if to.glob { Path::unknown() } else { Path { folder: false, ..to } };
    if name == "pushd" {
        state.stack.push(state.cwd.clone());
    }
    state.previous = std::mem::replace(&mut state.cwd, to);
}

/// Names that a declaration exports, or keeps in its function.
fn declare(prepared: &Prepared<'_>, state: &mut State) {
    let (name, args) = (prepared.name(), prepared.args());
    let flag = |letter: char| args.iter().any(|word| word.head().starts_with('-') && word.head().contains(letter));
    let bare = args.iter().filter_map(Word::text).filter(|text| !text.starts_with('-'));
    let names: Vec<&str> = prepared.assignments.iter().map(|assigned| assigned.name.as_str()).chain(bare).collect();
    for declared in names {
        if name == "export" || flag('x') {
            state.export(declared);
        }
        if name == "local" || matches!(name, "declare" | "typeset") && !flag('g') {
            state.localize(declared);
        }
    }
}

/// Puts assignments into the state. What a substitution gave is unknown, but where its bytes came from is not.
fn assign(prepared: &Prepared<'_>, sources: Vec<Vec<Path>>, state: &mut State) {
    for (assigned, sources) in prepared.assignments.iter().zip(sources) {
        let mut values = assigned.values.clone();
        if let Some(first) = values.first_mut() {
            first.sources.extend(sources);
        }
        if assigned.append {
            let earlier = state.get(&assigned.name).map(<[Word]>::to_vec).unwrap_or_default();
            let array = assigned.array || earlier.len() > 1;
            values = if array {
                earlier.into_iter().chain(values).collect()
            } else {
                let mut joined = earlier.into_iter().next().unwrap_or_else(Word::unknown);
                joined.append(&values[0]);
                vec![joined]
            };
        }
        state.set_all(&assigned.name, values);
    }
}
