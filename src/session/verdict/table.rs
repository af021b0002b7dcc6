//! The shapes of summary lines, by the program that prints them.

mod compiled;
mod javascript;
mod linters;
mod native;
mod scripts;
mod tasks;

use std::borrow::Cow;

use once_cell::sync::OnceCell;

use super::lines::Line;
use super::pattern::{self, Needs};
use crate::shell::gates::{Gate, Gates};

/// What a line of a shape says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// It failed.
    Fail,
    /// It passed, and something was executed.
    Pass,
    /// It passed; whether anything was executed is not said.
    Ok,
    /// Something was executed; what it came to is not said.
    Ran,
    /// Nothing was executed.
    Zero,
    /// What the counts say of one block of tests.
    Tests,
    /// The same, where an outer block repeats the counts of its inner ones.
    Nested,
    /// The same of files, suites or packages: no tests to be added up.
    Parts,
    /// How many tasks succeeded, of how many.
    Tasks,
    /// How many problems were found: none is a pass.
    Problems,
    /// How many files were checked, and all is well.
    Checked,
    /// Nothing; the line is like one that says something.
    Remark,
}

/// How much a line counts beside others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// It is about the class.
    Own,
    /// Other classes print it, too: it counts if the class ran alone, or where there is nothing of its own.
    Shared,
    /// It is likely to stand in a log: it counts only where no count is given.
    Doubtful,
    /// It names no class: it counts if the class ran alone, or where the name in it is of the class.
    Unnamed,
    /// It counts only where the name in it is of the class.
    Titled,
}

/// One shape of lines.
#[derive(Debug)]
pub(super) struct Row {
    /// The shape, in the language of [`super::pattern`].
    pub(super) shape: &'static str,
    /// What a line of this shape has.
    pub(super) needs: Needs,
    /// What it says.
    pub(super) says: Says,
    /// The classes that it says it of.
    pub(super) gates: Gates,
    /// How much it counts.
    pub(super) weight: Weight,
}

/// What one program prints, under all its names.
#[derive(Debug)]
pub(super) struct Family {
    /// The names of the program, as a gate's run has it.
    pub(super) runners: &'static [&'static str],
    /// Its lines look like much else: they are read only when the program is named.
    pub(super) only_named: bool,
    /// The shapes. The first that fits counts.
    pub(super) rows: &'static [Row],
}

const TEST: Gates = Gates::of(&[Gate::Test]);
const LINT: Gates = Gates::of(&[Gate::Lint]);
const FORMAT: Gates = Gates::of(&[Gate::Format]);
const TYPES: Gates = Gates::of(&[Gate::Typecheck]);
const BUILD: Gates = Gates::of(&[Gate::Build]);
const STYLE: Gates = Gates::of(&[Gate::Lint, Gate::Format]);
/// What a compiler refuses to build cannot be tested, either.
const COMPILED: Gates = Gates::of(&[Gate::Build, Gate::Typecheck, Gate::Test]);
/// What compilers say when all is well.
const COMPILES: Gates = Gates::of(&[Gate::Build, Gate::Typecheck]);
/// As [`COMPILED`], where a linter compiles, too.
const CHECKED: Gates = Gates::of(&[Gate::Build, Gate::Typecheck, Gate::Test, Gate::Lint]);

const fn family(runners: &'static [&'static str], rows: &'static [Row]) -> Family {
    Family { runners, only_named: false, rows }
}

const fn only_named(runners: &'static [&'static str], rows: &'static [Row]) -> Family {
    Family { runners, only_named: true, rows }
}

const fn row(gates: Gates, says: Says, shape: &'static str) -> Row {
    Row { shape, needs: Needs::of(shape), says, gates, weight: Weight::Own }
}

const fn shared(gates: Gates, says: Says, shape: &'static str) -> Row {
    Row { shape, needs: Needs::of(shape), says, gates, weight: Weight::Shared }
}

const fn doubtful(gates: Gates, says: Says, shape: &'static str) -> Row {
    Row { shape, needs: Needs::of(shape), says, gates, weight: Weight::Doubtful }
}

const fn unnamed(says: Says, shape: &'static str) -> Row {
    Row { shape, needs: Needs::of(shape), says, gates: Gates::ALL, weight: Weight::Unnamed }
}

/// As [`unnamed`], of some classes.
const fn alone(gates: Gates, says: Says, shape: &'static str) -> Row {
    Row { shape, needs: Needs::of(shape), says, gates, weight: Weight::Unnamed }
}

const fn titled(says: Says, shape: &'static str) -> Row {
    Row { shape, needs: Needs::of(shape), says, gates: Gates::ALL, weight: Weight::Titled }
}

/// Every list of families, and last what runs other programs: its lines may stand beside those of any.
const FAMILIES: &[&[Family]] =
    &[compiled::FAMILIES, scripts::FAMILIES, javascript::FAMILIES, native::FAMILIES, linters::FAMILIES, tasks::FAMILIES];

/// Rows, and which of them begin alike: most lines begin like few of them.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    all: Vec<&'static Row>,
    /// The first row of each way to begin; beyond the last where there is none.
    first: [usize; pattern::STARTS],
    /// Behind each row, the next one that begins alike.
    next: Vec<usize>,
}

impl Rows {
    fn new(rows: Vec<&'static Row>) -> Self {
        let mut first = [rows.len(); pattern::STARTS];
        let mut next = vec![rows.len(); rows.len()];
        for (at, row) in rows.iter().enumerate().rev() {
            next[at] = std::mem::replace(&mut first[row.needs.start()], at);
        }
        Rows { all: rows, first, next }
    }

    /// Those of a class that count blocks of tests, wherever they stand.
    pub(super) fn of_blocks(&self) -> Self {
        Rows::new(self.all.iter().copied().filter(|row| matches!(row.weight, Weight::Own | Weight::Titled)).collect())
    }

    /// The rows whose shape a line may have, in their order.
    pub(super) fn of(&self, line: Line<'_>) -> impl Iterator<Item = &'static Row> {
        let start = line.text.bytes().next().map_or(pattern::ANY, pattern::start);
        let (mut alike, mut any) = (self.first[start], self.first[pattern::ANY]);
        let in_order = std::iter::from_fn(move || {
            let at = alike.min(any);
            let row = *self.all.get(at)?;
            let chain = if at == alike { &mut alike } else { &mut any };
            *chain = self.next[at];
            Some(row)
        });
        in_order.filter(move |row| row.needs.are_in(line))
    }
}

/// The rows for the output of `runner`; of all programs where it is not known.
pub(super) fn rows(runner: &str, gate: Gate) -> Cow<'static, Rows> {
    /// Those of all programs, by class.
    static OF_ALL: [OnceCell<Rows>; Gate::ALL.len()] = [const { OnceCell::new() }; Gate::ALL.len()];
    let all = || FAMILIES.iter().copied().flatten();
    let of = |families: Vec<&'static Family>| {
        let others = all().filter(|family| family.runners.is_empty());
        Rows::new(families.into_iter().chain(others).flat_map(|family| family.rows).filter(|row| row.gates.has(gate)).collect())
    };
    let mut own: Vec<&Family> = all().filter(|family| family.runners.contains(&runner)).collect();
    if own.is_empty() {
        let any = || of(all().filter(|family| !(family.only_named || family.runners.is_empty())).collect());
        return Cow::Borrowed(OF_ALL[gate as usize].get_or_init(any));
    }
    // What is said by the program alone stands before what others say alike.
    own.sort_by_key(|family| !family.only_named);
    Cow::Owned(of(own))
}

/// Words in the names of scripts, targets and hooks, by the class that they tell.
const NAMES: &[(Gate, &[&str])] = &[
    (Gate::Format, &["format", "formatting", "fmt", "prettier", "black", "gofmt", "rustfmt", "isort", "shfmt"]),
    (Gate::Typecheck, &["typecheck", "typechecking", "types", "type", "tsc", "mypy", "pyright", "basedpyright", "ty"]),
    (Gate::Lint, &["lint", "linter", "linting", "eslint", "clippy", "flake8", "pylint", "rubocop", "shellcheck", "stylelint", "oxlint"]),
    (Gate::Lint, &["markdownlint", "hadolint", "golangci", "vet", "ktlint", "checkstyle", "detekt", "swiftlint", "phpstan"]),
    (Gate::Test, &["test", "tests", "testing", "spec", "specs", "e2e", "unit", "integration", "pytest", "jest", "vitest", "mocha"]),
    (Gate::Build, &["build", "compile", "bundle"]),
];

/// Programs that do several things: they tell a class only where nothing else in the name does.
const VAGUE_NAMES: &[(Gate, &[&str])] = &[(Gate::Lint, &["ruff", "biome"])];

/// Does a script, target or hook of this name belong to the class?
pub(super) fn names(name: &str, gate: Gate) -> bool {
    let class = |list: &[(Gate, &[&str])]| {
        name.split(|c: char| !c.is_ascii_alphanumeric())
            .find_map(|part| list.iter().find(|(_, words)| words.iter().any(|word| part.eq_ignore_ascii_case(word))).map(|(gate, _)| *gate))
    };
    class(NAMES).or_else(|| class(VAGUE_NAMES)) == Some(gate) || is_gradle_task(name, gate)
}

/// `:app:testDebugUnitTest`, `:app:compileJava`.
fn is_gradle_task(name: &str, gate: Gate) -> bool {
    let Some((_, task)) = name.rsplit_once(':').filter(|_| name.starts_with(':')) else { return false };
    match gate {
        Gate::Test => task.starts_with("test") || task.ends_with("Test"),
        Gate::Build => task.starts_with("compile"),
        Gate::Lint => task.starts_with("lint") || task.starts_with("ktlint") || task.starts_with("checkstyle"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hole_in_every_shape_is_known() {
        const HOLES: &[&str] = &["p", "f", "s", "t", "n", "x", "d", "name", "label", "counts", "list", "labels"];
        for row in FAMILIES.iter().flat_map(|list| list.iter()).flat_map(|family| family.rows) {
            for hole in row.shape.split('{').skip(1) {
                let word = hole.split('}').next().unwrap_or_default();
                assert!(HOLES.contains(&word), "{}: {word}", row.shape);
            }
            assert!(!row.gates.is_empty() && row.shape != "…", "{}", row.shape);
        }
    }

    #[test]
    fn names_of_scripts_tell_a_class() {
        for (name, gate) in [
            ("test", Gate::Test),
            ("test:unit", Gate::Test),
            ("build:test-fixtures", Gate::Build),
            ("type-check", Gate::Typecheck),
            ("ruff-format", Gate::Format),
            ("ruff", Gate::Lint),
            ("cargo fmt", Gate::Format),
            ("Run unit tests", Gate::Test),
            (":app:testDebugUnitTest", Gate::Test),
            ("app:lint", Gate::Lint),
        ] {
            assert_eq!(Gate::ALL.into_iter().find(|gate| names(name, *gate)), Some(gate), "{name}");
        }
        assert!(!Gate::ALL.into_iter().any(|gate| names("trailing whitespace", gate)));
    }
}
