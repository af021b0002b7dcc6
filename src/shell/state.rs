//! What a shell remembers between two commands of one text.

use std::rc::Rc;

use brush_parser::ast;

use super::words::Word;
use super::{Path, Root};

/// An array with more values than this is unknown.
const MAX_VALUES: usize = 64;

/// Directory, variables, functions and options, as far as the text tells them.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// Where the next command stands.
    pub(super) cwd: Path,
    /// Where `cd -` leads.
    pub(super) previous: Path,
    /// What `pushd` left behind.
    pub(super) stack: Vec<Path>,
    vars: Vec<(String, Vec<Word>)>,
    functions: Vec<(String, Rc<ast::FunctionBody>)>,
    /// Variables and functions that a shell started from here has too.
    exported: Vec<String>,
    /// `local` variables of the function that is run, with what the names meant before; `None` outside of functions.
    locals: Option<Vec<(String, Option<Vec<Word>>)>>,
    /// What is run when the shell ends.
    pub(super) exit_trap: Option<String>,
    /// `$1`, `$2` … inside a called function; `None` where they cannot be known.
    pub(super) positional: Option<Vec<Word>>,
    /// `set -e`
    pub(super) errexit: bool,
    /// `set -o pipefail`
    pub(super) pipefail: bool,
    /// A change of directory stays in here.
    pub(super) subshell: bool,
}

/// What a function call puts aside.
pub(super) struct Outer {
    positional: Option<Vec<Word>>,
    locals: Option<Vec<(String, Option<Vec<Word>>)>>,
}

impl State {
    pub(super) fn new() -> Self {
        State {
            cwd: Path { root: Root::Cwd, text: String::new(), glob: false, folder: false },
            previous: Path::unknown(),
            stack: Vec::new(),
            vars: Vec::new(),
            functions: Vec::new(),
            exported: Vec::new(),
            locals: None,
            exit_trap: None,
            positional: None,
            errexit: false,
            pipefail: false,
            subshell: false,
        }
    }

    /// The state a subshell starts with.
    pub(super) fn fork(&self) -> Self {
        let mut state = self.clone();
        state.subshell = true;
        state.exit_trap = None;
        state
    }

    /// The state a shell starts with that is a program of its own: of variables it has the exported ones, and whether
    /// the environment holds the others cannot be known.
    pub(super) fn child(&self) -> Self {
        let mut state = self.fork();
        for (name, words) in &mut state.vars {
            if !state.exported.contains(name) {
                *words = vec![Word::unknown()];
            }
        }
        state.functions.retain(|(name, _)| state.exported.contains(name));
        state.locals = None;
        state.positional = None;
        state.errexit = false;
        state.pipefail = false;
        state
    }

    pub(super) fn export(&mut self, name: &str) {
        if !self.exported.iter().any(|known| known == name) {
            self.exported.push(name.to_owned());
        }
    }

    pub(super) fn in_function(&self) -> bool {
        self.locals.is_some()
    }

    /// Makes the variable one of the function that is run.
    pub(super) fn localize(&mut self, name: &str) {
        let earlier = self.get(name).map(<[Word]>::to_vec);
        if let Some(locals) = &mut self.locals
            && !locals.iter().any(|(known, _)| known == name)
        {
            locals.push((name.to_owned(), earlier));
        }
    }

    /// Enters a function with these arguments; what `leave` needs.
    pub(super) fn enter(&mut self, args: Vec<Word>) -> Outer {
        Outer { positional: self.positional.replace(args), locals: self.locals.replace(Vec::new()) }
    }

    /// Leaves a function: its arguments and local variables are gone.
    pub(super) fn leave(&mut self, outer: Outer) {
        for (name, earlier) in self.locals.take().unwrap_or_default() {
            match earlier {
                Some(words) => self.set_all(&name, words),
                None => self.vars.retain(|(known, _)| *known != name),
            }
        }
        self.positional = outer.positional;
        self.locals = outer.locals;
    }

    pub(super) fn get(&self, name: &str) -> Option<&[Word]> {
        self.vars.iter().find(|(known, _)| known == name).map(|(_, words)| words.as_slice())
    }

    pub(super) fn set(&mut self, name: &str, value: Word) {
        self.set_all(name, vec![value]);
    }

    pub(super) fn set_all(&mut self, name: &str, values: Vec<Word>) {
        let values: Vec<Word> =
            if values.len() > MAX_VALUES { vec![Word::unknown()] } else { values.into_iter().map(Word::into_value).collect() };
        match self.vars.iter_mut().find(|(known, _)| known == name) {
            Some((_, words)) => *words = values,
            None => self.vars.push((name.to_owned(), values)),
        }
    }

    pub(super) fn function(&self, name: &str) -> Option<Rc<ast::FunctionBody>> {
        self.functions.iter().rev().find(|(known, _)| known == name).map(|(_, body)| Rc::clone(body))
    }

    pub(super) fn forget_function(&mut self, name: &str) {
        self.functions.retain(|(known, _)| known != name);
    }

    pub(super) fn define(&mut self, name: &str, body: &ast::FunctionBody) {
        self.functions.push((name.to_owned(), Rc::new(body.clone())));
    }

    pub(super) fn has_functions(&self) -> bool {
        !self.functions.is_empty()
    }

    /// What is known when either this or `other` may be the case: where they differ, nothing.
    pub(super) fn merge(&mut self, other: &State) {
        if self.cwd != other.cwd {
            self.cwd = Path::unknown();
        }
        if self.previous != other.previous {
            self.previous = Path::unknown();
        }
        for (name, words) in &mut self.vars {
            if other.get(name) != Some(words.as_slice()) {
                *words = vec![Word::unknown()];
            }
        }
        for (name, _) in &other.vars {
            if self.get(name).is_none() {
                self.vars.push((name.clone(), vec![Word::unknown()]));
            }
        }
        self.stack.truncate(other.stack.len());
        self.errexit &= other.errexit;
        self.pipefail &= other.pipefail;
        if self.exit_trap.is_none() {
            self.exit_trap.clone_from(&other.exit_trap);
        }
        if self.functions.len() < other.functions.len() {
            self.functions.clone_from(&other.functions);
        }
    }

    /// Directory and variables are as in `other`.
    pub(super) fn same_values(&self, other: &State) -> bool {
        self.cwd == other.cwd && self.vars == other.vars
    }
}
