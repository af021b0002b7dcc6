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
    /// `$1`, `$2` … inside a called function; `None` where they cannot be known.
    pub(super) positional: Option<Vec<Word>>,
    /// `set -e`
    pub(super) errexit: bool,
    /// `set -o pipefail`
    pub(super) pipefail: bool,
    /// A change of directory stays in here.
    pub(super) subshell: bool,
}

impl State {
    pub(super) fn new() -> Self {
        State {
            cwd: Path { root: Root::Cwd, text: String::new(), glob: false, folder: false },
            previous: Path::unknown(),
            stack: Vec::new(),
            vars: Vec::new(),
            functions: Vec::new(),
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
        state
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
        if self.functions.len() < other.functions.len() {
            self.functions.clone_from(&other.functions);
        }
    }

    /// Directory and variables are as in `other`.
    pub(super) fn same_values(&self, other: &State) -> bool {
        self.cwd == other.cwd && self.vars == other.vars
    }
}
