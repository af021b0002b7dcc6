//! Code spans: which gate a command in them runs. This reads a few words, not shell.

use super::Role;
use super::table::{self, Table};
use crate::shell::gates::Gate;

/// What a word of a code span does.
#[derive(Debug, Clone, Copy)]
enum Sense {
    /// It runs gates: only then is a code span read for one.
    Runs,
    /// It tells the gate.
    Tells(Role),
}

const WORDS: &[(Sense, &str)] = &[
    (
        Sense::Runs,
        "npm, pnpm, yarn, bun, bunx, npx, cargo, go, make, just, mise, uv, poetry, pipenv, python, python3, gradle, ./gradlew, mvn, \
         ./mvnw, dotnet, swift, mix, rtk, turbo, nx, deno, docker, bundle, bin/rails, rails, rake, composer, task, node, php, cmake, \
         ninja, xcodebuild, hatch, pdm, rye, pre-commit, timeout, vite, next, webpack, tsup, rollup, esbuild, nuxt, ng, nest, tauri, \
         expo, hugo, mkdocs, meson, bazel, sbt, lein, mill, bash, sh, ./test.sh",
    ),
    (Sense::Tells(Role::Elsewhere), "main, master, develop, staging, origin/main, origin/master"),
    (Sense::Tells(Role::Gate(Gate::Format)), "fmt, format, format:check, prettier, gofmt, rustfmt, black"),
    (
        Sense::Tells(Role::Gate(Gate::Lint)),
        "lint, eslint, clippy, ruff, biome, oxlint, golangci-lint, vet, flake8, pylint, rubocop, shellcheck, stylelint, markdownlint, \
         hadolint, phpstan, linting",
    ),
    (Sense::Tells(Role::Gate(Gate::Typecheck)), "tsc, vue-tsc, typecheck, type-check, types, mypy, pyright, svelte-check, ty, check-types"),
    (
        Sense::Tells(Role::Gate(Gate::Test)),
        "test, tests, pytest, vitest, jest, mocha, ava, nextest, ctest, rspec, phpunit, unittest, playwright, cypress, tox, nox, e2e, unit",
    ),
    (Sense::Tells(Role::Gate(Gate::Build)), "build, compile"),
    (Sense::Tells(Role::Checks), "check, checks, ci, verify, validate, pre-commit, all, qa"),
];

static TABLE: Table<Sense, { table::count(&[WORDS]) }> = Table::new(&[WORDS]);

/// What puts the files, or names them, in another state than the one that is handed over.
const STATES: &[&str] = &["git stash", "git checkout", "git switch", "git revert", "git bisect", "git reset", "HEAD~", "HEAD^"];

/// What a gate prints when it passed.
const OUTCOMES: &[&str] = &["ALL GREEN", "ALL PASS", "ALL PASSED", "PASS", "PASSED", "OK", "exit 0", "exit code 0"];

/// What the words of a code span name, if they run a gate or name one.
pub(super) fn role(text: &str) -> Role {
    if STATES.iter().any(|state| text.starts_with(state)) {
        return Role::Trial;
    }
    if OUTCOMES.contains(&text) {
        return Role::Good;
    }
    let mut words = text.split([' ', ':', '\t']).filter(|word| !word.is_empty());
    let first = words.clone().next().unwrap_or_default();
    let named = |word: &str| {
        TABLE.find(word).find_map(|(_, sense)| match sense {
            Sense::Tells(role) => Some(role),
            Sense::Runs => None,
        })
    };
    let alone = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b':');
    let runs =
        TABLE.find(first).any(|(_, sense)| matches!(sense, Sense::Runs)) || named(first).is_some_and(|role| matches!(role, Role::Gate(_)));
    if text.len() > 200 || !(runs || alone) || text.contains(['{', '(', '"']) {
        return mention(text);
    }
    let mut found = Role::Other;
    for word in words.by_ref().take_while(|word| !matches!(*word, "|" | "||" | ";")).map(|word| word.trim_start_matches("--")) {
        match (named(word), found) {
            (Some(Role::Gate(Gate::Format)), _) => return Role::Gate(Gate::Format),
            (Some(role), Role::Other) if !(role == Role::Checks && first == "cargo") => found = role,
            (Some(_), Role::Other) => found = Role::Gate(Gate::Typecheck),
            (Some(other), Role::Gate(_)) if words_differ(found, other, text) => return Role::Checks,
            _ => {}
        }
    }
    if found == Role::Other { mention(text) } else { found }
}

/// Are two gates run one after the other?
fn words_differ(one: Role, other: Role, text: &str) -> bool {
    text.contains("&&") && one != other && matches!(other, Role::Gate(_))
}

/// A file or a test that a code span names: no subject, but what is said of it is about that gate.
fn mention(text: &str) -> Role {
    let is_test = text.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| matches!(part, "test" | "tests" | "Test" | "spec" | "e2e"));
    if is_test { Role::Name(Gate::Test) } else { Role::Other }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_names_what_it_runs() {
        for (text, want) in [
            ("npm test", Role::Gate(Gate::Test)),
            ("cargo test --all", Role::Gate(Gate::Test)),
            ("npm run lint", Role::Gate(Gate::Lint)),
            ("cargo clippy --all-targets -- -D warnings", Role::Gate(Gate::Lint)),
            ("cargo fmt --check", Role::Gate(Gate::Format)),
            ("prettier --check .", Role::Gate(Gate::Format)),
            ("ruff format --check", Role::Gate(Gate::Format)),
            ("cargo check", Role::Gate(Gate::Typecheck)),
            ("npx tsc --noEmit", Role::Gate(Gate::Typecheck)),
            ("npm run type-check", Role::Gate(Gate::Typecheck)),
            ("make check", Role::Checks),
            ("npm run lint && npm test", Role::Checks),
            ("lint", Role::Gate(Gate::Lint)),
            ("src/build.rs", Role::Other),
            ("test()", Role::Name(Gate::Test)),
            ("tests/parser.rs", Role::Name(Gate::Test)),
            ("git add test", Role::Name(Gate::Test)),
            ("main", Role::Elsewhere),
            ("", Role::Other),
        ] {
            assert_eq!(role(text), want, "{text}");
        }
    }
}
