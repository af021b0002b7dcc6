//! A simple command before it is run: words expanded, wrappers taken away, redirects understood.

use brush_parser::ast;

use super::gates::Shown;
use super::state::State;
use super::walk::Context;
use super::words::{self, Word};
use super::wrappers::{self, Unwrapped, is_assignment};
use super::{Path, Root, Sink};

/// A simple command, expanded in the state it is met in.
#[derive(Debug, Default)]
pub(super) struct Prepared<'a> {
    pub(super) inner: Unwrapped,
    /// The first word as it was typed, before any wrapper was taken away.
    pub(super) typed: Word,
    /// Substitutions among the words.
    pub(super) subs: Vec<String>,
    pub(super) assignments: Vec<Assigned>,
    pub(super) redirects: Redirects<'a>,
    /// Process substitutions among the words, which stand for `/dev/fd/n`.
    pub(super) processes: Vec<(bool, &'a ast::CompoundList)>,
}

/// A variable that is given a value.
#[derive(Debug)]
pub(super) struct Assigned {
    pub(super) name: String,
    pub(super) values: Vec<Word>,
    /// `name=(…)`
    pub(super) array: bool,
    pub(super) append: bool,
    /// Substitutions in the value.
    pub(super) subs: Vec<String>,
}

/// The redirects of a command.
#[derive(Debug, Default)]
pub(super) struct Redirects<'a> {
    inputs: Vec<Word>,
    /// Opened for reading under a number of its own.
    handed: Vec<Word>,
    /// Target, whole content replaced, and whether the standard output goes there.
    outputs: Vec<(Word, bool, bool)>,
    /// The last one decides where the standard output goes.
    elsewhere: bool,
    /// A heredoc's or here-string's text.
    pub(super) text: Option<Word>,
    /// Substitutions in targets.
    pub(super) subs: Vec<String>,
    /// Substitutions in heredocs and here-strings.
    pub(super) text_subs: Vec<String>,
    pub(super) processes: Vec<(bool, &'a ast::CompoundList)>,
    /// Where the standard output and the standard error lead.
    streams: Streams,
}

/// Where a descriptor leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    /// To what was the standard output.
    Out,
    /// To what was the standard error.
    Errors,
    /// Into a process substitution.
    Process,
    /// To a file, or nowhere.
    Away,
}

#[derive(Debug)]
struct Streams {
    out: Stream,
    errors: Stream,
}

impl Default for Streams {
    fn default() -> Self {
        Streams { out: Stream::Out, errors: Stream::Errors }
    }
}

impl Streams {
    /// Leads the descriptor to `to`.
    fn lead(&mut self, descriptor: Option<i32>, to: Stream) {
        match descriptor {
            None | Some(1) => self.out = to,
            Some(2) => self.errors = to,
            Some(_) => {}
        }
    }

    /// Leads the descriptor to where another one leads now.
    fn duplicate(&mut self, descriptor: Option<i32>, other: &str) {
        let to = match other {
            "1" => self.out,
            "2" => self.errors,
            _ => Stream::Away,
        };
        self.lead(descriptor, to);
    }
}

/// Where a file that output is sent to leads.
fn stream_to(file: &Word) -> Stream {
    match file.text() {
        Some("/dev/stdout") => Stream::Out,
        Some("/dev/stderr" | "/dev/tty") => Stream::Errors,
        _ => Stream::Away,
    }
}

impl<'a> Redirects<'a> {
    /// The context with what these leave to be seen.
    pub(super) fn seen(&self, context: Context) -> Context {
        let shown = match self.streams.out {
            Stream::Out => context.shown,
            Stream::Errors if context.errors_shown => Shown::Whole,
            Stream::Process => context.shown.min(Shown::Part),
            Stream::Errors | Stream::Away => Shown::Nothing,
        };
        let errors_shown = match self.streams.errors {
            Stream::Out => context.shown > Shown::Nothing,
            Stream::Errors | Stream::Process => context.errors_shown,
            Stream::Away => false,
        };
        Context { shown, errors_shown, ..context }
    }

    /// What becomes of the standard output.
    pub(super) fn out(&self, around: &[Sink], cwd: &Path) -> Vec<Sink> {
        let files: Vec<Path> = self.outputs.iter().filter(|(.., stdout)| *stdout).map(|(word, ..)| word.path(cwd)).collect();
        match files.last() {
            Some(path) if path.is_device() => vec![Sink::Look],
            Some(path) => vec![Sink::Into(path.clone())],
            None if self.elsewhere => vec![Sink::Look],
            None => around.to_vec(),
        }
    }

    /// Files that are opened for whoever reads from their number.
    pub(super) fn handed(&self, cwd: &Path) -> Vec<Path> {
        self.handed.iter().map(|word| word.path(cwd)).collect()
    }

    /// What takes the standard output, where that is a process substitution.
    pub(super) fn out_process(&self) -> Option<&'a ast::CompoundList> {
        let mut takers = self.processes.iter().filter(|(writes, _)| *writes).map(|(_, list)| *list);
        takers.next_back().filter(|_| self.streams.out == Stream::Process)
    }

    pub(super) fn inputs(&self, cwd: &Path) -> Vec<Path> {
        self.inputs.iter().map(|word| word.path(cwd)).collect()
    }

    /// The files that are written, whether as a whole, and whether the standard output goes there in the end.
    pub(super) fn outputs(&self, cwd: &Path) -> Vec<(Path, bool, bool)> {
        let last = self.outputs.iter().rposition(|(.., stdout)| *stdout).filter(|_| self.streams.out == Stream::Away);
        self.outputs.iter().enumerate().map(|(at, (word, whole, _))| (word.path(cwd), *whole, last == Some(at))).collect()
    }

    pub(super) fn writes_any(&self) -> bool {
        !self.outputs.is_empty()
    }

    pub(super) fn has_input(&self) -> bool {
        !self.inputs.is_empty() || self.text.is_some()
    }
}

/// Understands redirects, in the order they are written.
pub(super) fn redirects<'a>(list: impl IntoIterator<Item = &'a ast::IoRedirect>, state: &State) -> Redirects<'a> {
    let mut found = Redirects::default();
    for redirect in list {
        found.add(redirect, state);
    }
    found
}

impl<'a> Redirects<'a> {
    fn add(&mut self, redirect: &'a ast::IoRedirect, state: &State) {
        use ast::{IoFileRedirectKind as Kind, IoFileRedirectTarget as Target};
        match redirect {
            ast::IoRedirect::File(number, kind, target) => {
                let word = match target {
                    Target::Filename(word) | Target::Duplicate(word) => words::single(&word.value, state, &mut self.subs),
                    Target::Fd(descriptor) => {
                        if matches!(kind, Kind::DuplicateOutput) {
                            self.streams.duplicate(*number, if *descriptor == 1 { "1" } else { "2" });
                        }
                        return;
                    }
                    Target::ProcessSubstitution(process, group) => {
                        if !matches!(kind, Kind::Read | Kind::DuplicateInput) {
                            self.streams.lead(*number, Stream::Process);
                        }
                        let kind = process;
                        self.processes.push((matches!(kind, ast::ProcessSubstitutionKind::Write), &group.list));
                        return;
                    }
                };
                let stdout = number.is_none_or(|number| number == 1);
                match kind {
                    Kind::Read if number.is_none_or(|number| number == 0) => self.inputs.push(word),
                    Kind::Read => self.handed.push(word),
                    Kind::DuplicateInput => {}
                    Kind::Write | Kind::Clobber => {
                        self.streams.lead(*number, stream_to(&word));
                        self.output(word, true, stdout);
                    }
                    Kind::Append | Kind::ReadAndWrite => {
                        if matches!(kind, Kind::Append) || number.is_some() {
                            self.streams.lead(*number, stream_to(&word));
                        }
                        // Without a number `<>` is the standard input.
                        self.output(word, false, stdout && (matches!(kind, Kind::Append) || number.is_some()));
                    }
                    Kind::DuplicateOutput => {
                        // `>&2`, `>&-`, `>&$fd` are no files; `>& f` is.
                        let descriptor =
                            word.text().is_none_or(|text| text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit()));
                        if descriptor {
                            self.streams.duplicate(*number, word.text().unwrap_or(""));
                        } else {
                            self.streams = Streams { out: Stream::Away, errors: Stream::Away };
                        }
                        if !descriptor {
                            self.output(word, true, true);
                        } else if stdout && !word.is("1") {
                            self.elsewhere = true;
                        }
                    }
                }
            }
            ast::IoRedirect::OutputAndError(word, append) => {
                let word = words::single(&word.value, state, &mut self.subs);
                self.streams = Streams { out: stream_to(&word), errors: stream_to(&word) };
                self.output(word, !append, true);
            }
            ast::IoRedirect::HereString(_, word) => {
                self.text = Some(words::single(&word.value, state, &mut self.text_subs));
            }
            ast::IoRedirect::HereDocument(_, document) => {
                self.text = Some(if document.requires_expansion {
                    words::body(&document.doc.value, state, &mut self.text_subs)
                } else {
                    Word::text_of(document.doc.value.as_str())
                });
            }
        }
    }

    fn output(&mut self, word: Word, whole: bool, stdout: bool) {
        self.outputs.push((word, whole, stdout));
    }
}

/// Expands a simple command. Nothing is run and the state stays as it is.
pub(super) fn prepare<'a>(simple: &'a ast::SimpleCommand, state: &State) -> Prepared<'a> {
    let mut prepared = Prepared::default();
    let mut words = Vec::new();
    let prefix = simple.prefix.iter().flat_map(|prefix| &prefix.0);
    for item in prefix {
        prepared.item(item, &mut words, state, true);
    }
    if let Some(word) = &simple.word_or_name {
        words::fields(&word.value, state, &mut prepared.subs, &mut words);
    }
    for item in simple.suffix.iter().flat_map(|suffix| &suffix.0) {
        prepared.item(item, &mut words, state, false);
    }
    prepared.typed = words.first().cloned().unwrap_or_default();
    prepared.inner = wrappers::unwrap(words);
    prepared
}

impl<'a> Prepared<'a> {
    /// Gives it a text as its standard input, unless it has one of its own.
    pub(super) fn feed(&mut self, text: Word) {
        if !self.redirects.has_input() {
            self.redirects.text = Some(text);
        }
    }

    fn item(&mut self, item: &'a ast::CommandPrefixOrSuffixItem, words: &mut Vec<Word>, state: &State, prefix: bool) {
        use ast::CommandPrefixOrSuffixItem as Item;
        match item {
            Item::IoRedirect(redirect) => self.redirects.add(redirect, state),
            Item::Word(word) if prefix && words.is_empty() && is_assignment(&word.value) => {
                if let Some((name, value)) = word.value.split_once('=') {
                    self.assign(name, value, state);
                }
            }
            Item::Word(word) => words::fields(&word.value, state, &mut self.subs, words),
            Item::AssignmentWord(assignment, word) => {
                let declares = words.first().and_then(Word::text).is_some_and(is_declaration);
                if !(prefix || declares) {
                    words::fields(&word.value, state, &mut self.subs, words);
                    return;
                }
                match (&assignment.name, &assignment.value) {
                    (ast::AssignmentName::VariableName(name), ast::AssignmentValue::Array(items)) => {
                        let (mut subs, mut values) = (Vec::new(), Vec::new());
                        for (_, word) in items {
                            words::fields(&word.value, state, &mut subs, &mut values);
                        }
                        self.assignments.push(Assigned { name: name.clone(), values, array: true, append: assignment.append, subs });
                    }
                    (ast::AssignmentName::VariableName(_), ast::AssignmentValue::Scalar(_)) => {
                        if let Some((name, value)) = word.value.split_once('=') {
                            self.assign(name, value, state);
                        }
                    }
                    (ast::AssignmentName::ArrayElementName(name, _), _) => {
                        self.assignments.push(Assigned {
                            name: name.clone(),
                            values: vec![Word::unknown()],
                            array: false,
                            append: false,
                            subs: Vec::new(),
                        });
                    }
                }
            }
            Item::ProcessSubstitution(kind, group) => {
                let number = self.processes.len();
                words.push(Word::text_of(format!("/dev/fd/process{number}")));
                self.processes.push((matches!(kind, ast::ProcessSubstitutionKind::Write), &group.list));
            }
        }
    }

    fn assign(&mut self, name: &str, value: &str, state: &State) {
        let mut subs = Vec::new();
        let value = words::single(value, state, &mut subs);
        let (name, append) = name.strip_suffix('+').map_or((name, false), |name| (name, true));
        self.assignments.push(Assigned { name: name.to_owned(), values: vec![value], array: false, append, subs });
    }

    pub(super) fn name(&self) -> &str {
        self.inner.words.first().and_then(Word::program).unwrap_or_default()
    }

    pub(super) fn args(&self) -> &[Word] {
        self.inner.words.get(1..).unwrap_or(&[])
    }

    /// The directory its wrappers put it in.
    pub(super) fn dir(&self, cwd: &Path) -> Path {
        self.inner.dirs.iter().fold(cwd.clone(), |dir, word| word.path(&dir))
    }

    /// How much of what is piped into it is seen, where `behind` is what stands for its own output.
    pub(super) fn lets_through(&self, behind: Context) -> Shown {
        let shown = self.redirects.seen(behind).shown;
        match self.name() {
            "cat" | "tee" | "less" | "more" | "bat" | "batcat" | "pv" if !self.inner.remote && self.inner.text.is_none() => shown,
            _ => shown.min(Shown::Part),
        }
    }

    /// The typed program is a file of its own rather than one that is looked up.
    pub(super) fn run_file(&self, cwd: &Path) -> Option<Path> {
        let first = self.inner.words.first()?;
        if first.text().is_some_and(|text| !text.contains('/')) {
            return None;
        }
        let path = first.path(cwd);
        let installed = ["/bin/", "/sbin/", "/usr/", "/opt/", "/nix/", "/snap/"];
        let own = path.root != Root::Absolute || !installed.iter().any(|folder| path.text.starts_with(folder));
        (own && path.root != Root::Unknown).then_some(path)
    }
}

/// Builtins whose arguments assign.
pub(super) fn is_declaration(name: &str) -> bool {
    matches!(name, "export" | "local" | "readonly" | "declare" | "typeset")
}
