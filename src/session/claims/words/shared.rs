//! Technical words, and success in one word, as all languages use them.

use super::Role::{self, All, Checks, Elsewhere, Filler, Fine, Good, Name, No, Not, Pass, Percent};
use crate::shell::gates::Gate::{Build, Format, Lint, Test, Typecheck};

pub(super) const STEMS: &super::Stems = &[(Role::Trial, "head~"), (Role::Trial, "head^")];

pub(super) const WORDS: &super::Words = &[
    (
        Role::Fail,
        "exits 1, exit 1, exited 1, exits with 1, exit code 1, exited with 1, exit status 1, exits with code 1, exited with code 1, \
         exits with status 1, exits 2, exit 2, exited 2, exits with 2, exit code 2, exits with code 2, exit status 2, exits 101, \
         exit code 101, exits nonzero, exits non-zero",
    ),
    (
        Role::Gate(Test),
        "tests, test suite, test suites, testsuite, test-suite, test run, unit-tests, unittests, e2e-tests, pytest, vitest, jest, mocha, \
         ava, ctest, rspec, phpunit, nextest, cargo test, cargo nextest, go test, npm test, bun test, deno test, unittest, playwright, \
         cypress, doctests, doctest, doc-tests, testing suite, test results, test result, tox, testing",
    ),
    (Name(Test), "test, e2e, spec, unit test, integration test"),
    (
        Role::Gate(Lint),
        "lint, linter, linters, linting, lints, eslint, clippy, ruff, biome, oxlint, golangci-lint, golangci, flake8, pylint, rubocop, \
         shellcheck, stylelint, markdownlint, hadolint, ktlint, swiftlint, cargo clippy, go vet, ruff check, npm run lint, phpstan",
    ),
    (
        Role::Gate(Format),
        "prettier, rustfmt, gofmt, cargo fmt, fmt, black, ruff format, formatting, formatter, format check, formatting check, \
         format checks, fmt check",
    ),
    (Name(Format), "format"),
    (
        Role::Gate(Typecheck),
        "typecheck, type-check, type check, typechecking, type-checking, type checking, typechecker, type checker, type-checker, tsc, \
         vue-tsc, mypy, pyright, svelte-check, cargo check, typescript, typecheck script, npm run typecheck",
    ),
    (Name(Typecheck), "types, type, ts"),
    (Role::Gate(Build), "build, build process, cargo build, go build, npm run build, vite build, next build, docker build"),
    (Checks, "checks, pre-commit, pre-commit hooks, pre-commit checks"),
    (Percent, "%, ％"),
    (No, "0"),
    (All, "100%"),
    (Pass, "pass, passed, passes, succeeded, success"),
    (Good, "green, clean, passing, exit 0, exit code 0, exit_code=0, exit=0, exit status 0"),
    (Fine, "ok, okay"),
    (Role::Trial, "git stash, git bisect, git checkout, git revert"),
    (Elsewhere, "ci, github actions, ci/cd, pipeline, pr, pull request, pull-request"),
    (
        Filler,
        "unit, integration, e2e tests suite, frontend, backend, api, server, client, web, rust, python, go, node, js, javascript, java, \
         kotlin, swift, docker, npm, pnpm, yarn, cargo, bun, deno, unit and integration, full-stack, release, debug, production, prod, \
         workspace, monorepo",
    ),
    (Not, "todo, wip, n/a"),
];
