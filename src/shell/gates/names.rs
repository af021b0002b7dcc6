//! What the name of a project's script says: `test:unit`, `type-check`, `verify`.

use super::Gates;
use super::table::{BUILD, FORMAT, LINT, TEST, TYPES};

/// Longest name that is looked at, in words.
const MAX_WORDS: usize = 8;

/// What a name says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) gates: Gates,
    /// It may run more than that.
    pub(super) superset: bool,
    /// It names a part of the whole (`test:unit`).
    pub(super) part: bool,
    /// It names something that is no gate (`dev`, `build:watch`, `deploy`).
    pub(super) other: bool,
}

/// What a word means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Is(Gates),
    /// A check of whatever follows, or of everything.
    All,
}

const MEANINGS: [(&[&str], Meaning); 6] = [
    (
        &[
            "test",
            "tests",
            "testing",
            "spec",
            "specs",
            "e2e",
            "unit",
            "unittest",
            "unittests",
            "integration",
            "jest",
            "vitest",
            "pytest",
            "mocha",
            "playwright",
            "cypress",
            "rspec",
            "phpunit",
            "coverage",
            "cov",
            "cover",
            "doctest",
            "doctests",
            "ctest",
            "gotest",
            "tox",
        ],
        Meaning::Is(TEST),
    ),
    (
        &[
            "lint",
            "lints",
            "linter",
            "linters",
            "linting",
            "eslint",
            "tslint",
            "oxlint",
            "stylelint",
            "clippy",
            "vet",
            "golangci",
            "pylint",
            "flake8",
            "ruff",
            "rubocop",
            "phpstan",
            "psalm",
            "shellcheck",
            "markdownlint",
            "hadolint",
            "actionlint",
            "yamllint",
            "swiftlint",
            "ktlint",
            "detekt",
            "staticcheck",
        ],
        Meaning::Is(LINT),
    ),
    (&["typecheck", "typechecks", "typechecking", "types", "tsc", "mypy", "pyright", "checktypes"], Meaning::Is(TYPES)),
    (&["formatcheck", "checkformat", "fmtcheck", "checkfmt"], Meaning::Is(FORMAT)),
    (&["build", "builds", "compile"], Meaning::Is(BUILD)),
    (
        &[
            "check",
            "checks",
            "verify",
            "verification",
            "ci",
            "validate",
            "all",
            "preflight",
            "precommit",
            "prepush",
            "presubmit",
            "checkall",
            "qa",
            "quality",
        ],
        Meaning::All,
    ),
];

/// Words for the layout of code; a gate only beside a word for a check.
const LAYOUT: [&str; 7] = ["format", "formatting", "fmt", "prettier", "style", "black", "gofmt"];
const CHECKS: [&str; 7] = ["check", "checks", "checking", "verify", "ci", "validate", "diff"];
/// First words of what is no gate.
const OTHER_FIRST: [&str; 23] = [
    "dev",
    "develop",
    "start",
    "serve",
    "release",
    "publish",
    "docs",
    "doc",
    "db",
    "up",
    "down",
    "preview",
    "bench",
    "benchmark",
    "storybook",
    "example",
    "examples",
    "new",
    "add",
    "remove",
    "prepare",
    "postinstall",
    "help",
];
/// Words that make it something else wherever they stand.
const OTHER: [&str; 29] = [
    "watch",
    "update",
    "upgrade",
    "debug",
    "open",
    "headed",
    "fixture",
    "fixtures",
    "setup",
    "install",
    "uninstall",
    "seed",
    "migrate",
    "generate",
    "gen",
    "codegen",
    "create",
    "init",
    "report",
    "reports",
    "list",
    "clean",
    "deploy",
    "deps",
    "stop",
    "logs",
    "record",
    "teardown",
    "bump",
];
const OTHER_THAN_TEST: [&str; 5] = ["ui", "dev", "release", "data", "serve"];
const OTHER_THAN_BUILD: [&str; 6] = ["docs", "doc", "storybook", "data", "test", "tests"];
/// Words beside `test` for a part of the tests.
const PARTS: [&str; 19] = [
    "unit",
    "integration",
    "e2e",
    "smoke",
    "quick",
    "fast",
    "slow",
    "changed",
    "related",
    "staged",
    "affected",
    "single",
    "one",
    "file",
    "browser",
    "functional",
    "acceptance",
    "regression",
    "doc",
];

fn is_in(list: &[&str], word: &str) -> bool {
    list.iter().any(|listed| listed.eq_ignore_ascii_case(word))
}

fn meaning(word: &str) -> Option<Meaning> {
    MEANINGS.iter().find(|(words, _)| is_in(words, word)).map(|(_, meaning)| *meaning)
}

/// The words of a name: split at marks, and where a small letter meets a capital one.
fn words(name: &str) -> ([&str; MAX_WORDS], usize) {
    let mut found = [""; MAX_WORDS];
    let mut count = 0;
    let mut start = 0;
    let mut small = false;
    let mut take = |from: usize, to: usize| {
        if from < to && count < MAX_WORDS {
            found[count] = &name[from..to];
            count += 1;
        }
    };
    for (at, c) in name.char_indices() {
        if matches!(c, ':' | '-' | '_' | '.' | '/' | '+' | ' ') {
            take(start, at);
            start = at + c.len_utf8();
        } else if small && c.is_ascii_uppercase() {
            take(start, at);
            start = at;
        }
        small = c.is_ascii_lowercase();
    }
    take(start, name.len());
    (found, count)
}

/// What the name of a script says. The first word that means something decides, mostly.
pub(super) fn of_name(name: &str) -> Named {
    let other = Named { other: true, ..Named::default() };
    let (found, count) = words(name);
    let words = &found[..count];
    let Some(first) = words.first() else { return Named::default() };
    if is_in(&OTHER_FIRST, first) || words.iter().any(|word| is_in(&OTHER, word)) {
        return other;
    }
    let Some((gates, superset, at)) = decided(words) else { return Named::default() };
    let rest = &words[at + 1..];
    let differs = if gates == TEST {
        rest.iter().any(|word| is_in(&OTHER_THAN_TEST, word))
    } else {
        gates == BUILD && words.iter().any(|word| is_in(&OTHER_THAN_BUILD, word))
    };
    let joined = words.iter().any(|word| is_in(&["and", "then", "n"], word));
    if joined {
        let all = words.iter().filter_map(|word| meaning(word));
        let gates = all.fold(gates, |gates, meaning| if let Meaning::Is(more) = meaning { gates.with(more) } else { gates });
        return Named { gates, superset, ..Named::default() };
    }
    if differs {
        return other;
    }
    let part = gates == TEST && words.len() > 1 && words.iter().any(|word| is_in(&PARTS, word));
    let superset = superset || (gates == TEST && rest.iter().any(|word| is_in(&["ci", "all"], word)));
    Named { gates, superset, part, other: false }
}

/// The class, whether it is one for everything, and the index of the word that says so.
fn decided(words: &[&str]) -> Option<(Gates, bool, usize)> {
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or("");
        if is_in(&LAYOUT, word) {
            let checks = words.iter().any(|word| is_in(&CHECKS, word));
            return checks.then_some((FORMAT, false, at));
        }
        if is_in(&["type", "ts"], word) && is_in(&CHECKS, next) {
            return Some((TYPES, false, at));
        }
        match meaning(word) {
            Some(Meaning::Is(gates)) => return Some((gates, false, at)),
            Some(Meaning::All) => {
                let rest = &words[at + 1..];
                let of = rest.iter().find_map(|word| match meaning(word) {
                    Some(Meaning::Is(gates)) => Some(gates),
                    _ if is_in(&["type", "ts"], word) => Some(TYPES),
                    _ if is_in(&LAYOUT, word) => Some(FORMAT),
                    _ => None,
                });
                return Some(of.map_or((Gates::NONE, true, at), |gates| (gates, false, at)));
            }
            None => {}
        }
        if word.eq_ignore_ascii_case("pre") && is_in(&["commit", "push", "submit"], next) {
            return Some((Gates::NONE, true, at));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_their_class() {
        for (names, expected) in [
            ("test tests test:unit test-e2e unit e2e run-tests backend:test testUnit test_all spec coverage jest ci:test", TEST),
            ("lint lint:fix eslint web-lint lint:types check-lint clippy lintFix lint:docs", LINT),
            ("typecheck type-check check-types types tsc check:types ts:check typeCheck typecheck:app lib:typecheck", TYPES),
            ("format:check fmt-check check-format prettier:check checkFormat check:fmt formatCheck", FORMAT),
            ("build build:prod compile client:build build:dev build:release build:server", BUILD),
            (
                "check verify ci validate all preflight precommit pre-commit check-all dev start watch deploy release clean \
                 format fmt prettier test:watch build:watch test:update-snapshots build:test-fixtures docs:build build:docs \
                 prepare foo latest contest",
                Gates::NONE,
            ),
            ("lint-and-test", LINT.with(TEST)),
        ] {
            for name in names.split_whitespace() {
                assert_eq!(of_name(name).gates, expected, "{name}");
            }
        }
        for name in "check verify ci validate all preflight precommit pre-commit check-all test:ci test:all qa".split(' ') {
            assert!(of_name(name).superset, "{name}");
        }
        for name in "test lint check:types check:watch dev foo".split(' ') {
            assert!(!of_name(name).superset, "{name}");
        }
        assert!(of_name("test:unit").part && !of_name("test").part && !of_name("e2e").part);
        assert!(of_name("dev").other && !of_name("foo").other);
    }
}
