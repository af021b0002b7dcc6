//! What the table of programs says of each: which calls of it are runs, and how it spells its options.

use super::programs::PROGRAMS;
use super::{Gate, Gates, Language};

/// Tests.
pub(super) const TEST: Gates = Gates::of(&[Gate::Test]);
/// Lint.
pub(super) const LINT: Gates = Gates::of(&[Gate::Lint]);
/// Format.
pub(super) const FORMAT: Gates = Gates::of(&[Gate::Format]);
/// Types.
pub(super) const TYPES: Gates = Gates::of(&[Gate::Typecheck]);
/// Build.
pub(super) const BUILD: Gates = Gates::of(&[Gate::Build]);
/// A compiled program that runs has been built, and its types were checked.
pub(super) const BUILT: Gates = Gates::of(&[Gate::Build, Gate::Typecheck]);
/// Lint and format.
pub(super) const LINT_FORMAT: Gates = Gates::of(&[Gate::Lint, Gate::Format]);
/// Lint and types.
pub(super) const LINT_TYPES: Gates = Gates::of(&[Gate::Lint, Gate::Typecheck]);
/// Tests and build.
pub(super) const TEST_BUILD: Gates = Gates::of(&[Gate::Test, Gate::Build]);

/// What the operands of a run mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// Nothing that narrows.
    Ignored,
    /// Each narrows: the name of a test.
    Filter,
    /// Files and folders: each narrows that does not stand for the whole.
    Paths,
}

/// A way to call a program that is a run.
#[derive(Debug)]
pub(super) struct Run {
    /// The subcommand; empty where there is none.
    pub(super) words: &'static str,
    pub(super) gates: Gates,
    pub(super) implies: Gates,
    pub(super) superset: bool,
    /// One of these must be among the arguments.
    pub(super) needs: &'static str,
    /// None of these may be.
    pub(super) without: &'static str,
    pub(super) operands: Operands,
    pub(super) prints: bool,
    /// Who prints the summary, where it is not the program.
    pub(super) runner: &'static str,
}

pub(super) const fn run(words: &'static str, gates: Gates) -> Run {
    Run {
        words,
        gates,
        implies: Gates::NONE,
        superset: false,
        needs: "",
        without: "",
        operands: Operands::Paths,
        prints: false,
        runner: "",
    }
}

impl Run {
    pub(super) const fn implies(self, implies: Gates) -> Self {
        Run { implies, ..self }
    }
    pub(super) const fn superset(self) -> Self {
        Run { superset: true, ..self }
    }
    pub(super) const fn needs(self, needs: &'static str) -> Self {
        Run { needs, ..self }
    }
    pub(super) const fn without(self, without: &'static str) -> Self {
        Run { without, ..self }
    }
    pub(super) const fn filtered(self) -> Self {
        Run { operands: Operands::Filter, ..self }
    }
    pub(super) const fn whole(self) -> Self {
        Run { operands: Operands::Ignored, ..self }
    }
    pub(super) const fn prints(self) -> Self {
        Run { prints: true, ..self }
    }
    pub(super) const fn runner(self, runner: &'static str) -> Self {
        Run { runner, ..self }
    }
}

/// A program, and how it spells its options. Lists of words are separated by blanks.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) language: Language,
    /// The ways to call it that are runs; the first one that fits counts.
    pub(super) runs: &'static [Run],
    /// Options that take the next word.
    pub(super) values: &'static str,
    /// Options that narrow.
    pub(super) narrow: &'static str,
    /// Options that name the directory.
    pub(super) dir: &'static str,
    /// Arguments with which nothing is run, besides the usual ones.
    pub(super) never: &'static str,
    /// Arguments that usually mean that nothing is run, and do not here.
    pub(super) own: &'static str,
    /// Its summary goes to the standard error.
    pub(super) errors: bool,
    /// Its operands are tasks: each counts by itself (`mvn clean verify`).
    pub(super) tasks: bool,
}

pub(super) const fn program(name: &'static str, language: Language, runs: &'static [Run]) -> Program {
    Program { name, language, runs, values: "", narrow: "", dir: "", never: "", own: "", errors: false, tasks: false }
}

impl Program {
    pub(super) const fn values(self, values: &'static str) -> Self {
        Program { values, ..self }
    }
    pub(super) const fn narrow(self, narrow: &'static str) -> Self {
        Program { narrow, ..self }
    }
    pub(super) const fn dir(self, dir: &'static str) -> Self {
        Program { dir, ..self }
    }
    pub(super) const fn never(self, never: &'static str) -> Self {
        Program { never, ..self }
    }
    pub(super) const fn own(self, own: &'static str) -> Self {
        Program { own, ..self }
    }
    pub(super) const fn errors(self) -> Self {
        Program { errors: true, ..self }
    }
    pub(super) const fn tasks(self) -> Self {
        Program { tasks: true, ..self }
    }
}

/// The program of this name.
pub(super) fn find(name: &str) -> Option<&'static Program> {
    PROGRAMS.binary_search_by(|program| program.name.cmp(name)).ok().and_then(|at| PROGRAMS.get(at))
}

/// Is `word` in the list?
pub(super) fn lists(list: &str, word: &str) -> bool {
    !word.is_empty() && list.as_bytes().split(|byte| *byte == b' ').any(|listed| listed == word.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_stand_in_order() {
        for pair in PROGRAMS.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} {}", pair[0].name, pair[1].name);
        }
    }
}
