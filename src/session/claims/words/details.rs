//! What narrows a claim: the program it names, the language of the sources, a part of them.

use super::table::{self, Table};
use crate::shell::gates::Language;

/// What a word adds to the gate beside it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::session::claims) struct Detail {
    /// The program that runs the gate; empty where none is named.
    pub(in crate::session::claims) runner: &'static str,
    pub(in crate::session::claims) language: Option<Language>,
    /// A named part: "integration", "browser".
    pub(in crate::session::claims) part: bool,
    /// A file or a folder.
    pub(in crate::session::claims) path: bool,
}

/// Programs and the words that name them.
const PROGRAMS: &[(Detail, &str)] = &[
    (program("ava"), "ava"),
    (program("bats"), "bats"),
    (program("biome"), "biome"),
    (program("black"), "black"),
    (program("bun"), "bun test"),
    (program("cargo"), "cargo, cargo test, cargo clippy, cargo fmt, cargo check, cargo build, clippy"),
    (program("ctest"), "ctest"),
    (program("cypress"), "cypress"),
    (program("deno"), "deno test"),
    (program("docker"), "docker build"),
    (program("dotnet"), "dotnet"),
    (program("eslint"), "eslint, eslint's"),
    (program("flake8"), "flake8"),
    (program("go"), "go, go test, go vet, go build"),
    (program("gofmt"), "gofmt"),
    (program("golangci-lint"), "golangci-lint, golangci"),
    (program("gradle"), "gradle, gradlew, ./gradlew"),
    (program("hadolint"), "hadolint"),
    (program("hardhat"), "hardhat"),
    (program("jest"), "jest"),
    (program("ktlint"), "ktlint"),
    (program("markdownlint"), "markdownlint"),
    (program("maven"), "mvn, mvnw, ./mvnw"),
    (program("mix"), "mix"),
    (program("mocha"), "mocha"),
    (program("mypy"), "mypy"),
    (program("next"), "next build"),
    (program("nextest"), "nextest, cargo nextest"),
    (program("nox"), "nox"),
    (program("oxlint"), "oxlint"),
    (program("phpstan"), "phpstan"),
    (program("phpunit"), "phpunit"),
    (program("playwright"), "playwright"),
    (program("pre-commit"), "pre-commit"),
    (program("prettier"), "prettier"),
    (program("pylint"), "pylint"),
    (program("pyright"), "pyright"),
    (program("pytest"), "pytest"),
    (program("rspec"), "rspec"),
    (program("rubocop"), "rubocop"),
    (program("ruff"), "ruff, ruff check, ruff format"),
    (program("rustfmt"), "rustfmt"),
    (program("shellcheck"), "shellcheck"),
    (program("stylelint"), "stylelint"),
    (program("svelte-check"), "svelte-check"),
    (program("swift"), "swift"),
    (program("swiftlint"), "swiftlint"),
    (program("tox"), "tox"),
    (program("tsc"), "tsc, vue-tsc"),
    (program("ty"), "ty"),
    (program("unittest"), "unittest"),
    (program("vite"), "vite build"),
    (program("vitest"), "vitest"),
];

/// Languages and the words that name them.
const LANGUAGES: &[(Detail, &str)] = &[
    (language(Language::Rust), "rust"),
    (language(Language::Go), "go, golang"),
    (language(Language::Python), "python"),
    (language(Language::JavaScript), "javascript, js, node, node.js"),
    (language(Language::Ruby), "ruby"),
    (language(Language::Php), "php"),
    (language(Language::Jvm), "java, kotlin, scala"),
    (language(Language::Swift), "swift"),
    (language(Language::Elixir), "elixir"),
    (language(Language::Solidity), "solidity"),
];

/// Kinds of tests and sides of a program, in all languages.
const PARTS: &[(Detail, &str)] = &[(
    Detail { part: true, ..Detail::NONE },
    "unit, unit tests, unit-tests, unit test, unittests, integration, integration tests, integration test, unit and integration, \
     e2e, e2e tests suite, e2e-tests, end-to-end, end to end, browser, smoke, regression, regression tests, regression suite, contract, \
     component, acceptance, functional, property, property-based, snapshot, snapshots, snapshot tests, doctest, doctests, doc-tests, api, \
     server, client, web, ui, cli, library, core, frontend, backend, integrationstests, regressionstests, komponententests, \
     tests unitaires, unitaires, d'intégration, fonctionnels, de bout en bout, pruebas unitarias, tests unitarios, unitarios, unitarias, \
     de integración, testes unitários, unitários, de integração, birim, entegrasyon, birim testleri, birim testler, entegrasyon testleri, \
     单元测试, 集成测试, 回归测试, 单测, 單元測試, ユニットテスト, 単体テスト, 結合テスト, 統合テスト, 回帰テスト, 단위테스트, 통합테스트, \
     유닛테스트, 회귀테스트",
)];

static TABLE: Table<Detail, { table::count(&[PROGRAMS, LANGUAGES, PARTS]) }> = Table::new(&[PROGRAMS, LANGUAGES, PARTS]);

const fn program(runner: &'static str) -> Detail {
    Detail { runner, ..Detail::NONE }
}

const fn language(language: Language) -> Detail {
    Detail { language: Some(language), ..Detail::NONE }
}

/// What a word is, beside a detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A command that names no program in prose, though a command line may begin with it.
    Command,
    /// What stands before the program of a command line.
    Wrapper,
    /// The ending of the names of source files.
    Source,
}

const SORTS: &[(Sort, &str)] = &[
    (Sort::Command, "cargo, go, mix, swift, ty, dotnet, gradle, mvn, pre-commit"),
    (
        Sort::Wrapper,
        "npx, bunx, pnpm, exec, dlx, yarn, uv, run, poetry, pipenv, pdm, hatch, rye, python, python3, -m, bundle, sudo, env, time, npm, \
         bun, deno, mise, rtk",
    ),
    (
        Sort::Source,
        "ts, tsx, js, jsx, mjs, cjs, py, rs, go, rb, php, java, kt, swift, ex, exs, c, cc, cpp, h, hpp, cs, sh, sol, vue, svelte, scala, \
         css, md",
    ),
];

static SORT_TABLE: Table<Sort, { table::count(&[SORTS]) }> = Table::new(&[SORTS]);

impl Sort {
    fn has(self, word: &str) -> bool {
        SORT_TABLE.find(word).any(|(_, sort)| sort == self)
    }
}

impl Detail {
    const NONE: Self = Detail { runner: "", language: None, part: false, path: false };

    /// What the lists say.
    fn known(phrase: &str) -> Detail {
        TABLE.find(phrase).fold(Detail::NONE, |known, (_, detail)| known.with(detail))
    }

    /// Of a word or a phrase in small letters.
    pub(super) fn of(phrase: &str) -> Detail {
        let known = Detail::known(phrase);
        let runner = if !known.runner.is_empty() && Sort::Command.has(phrase) { "" } else { known.runner };
        Detail { runner, path: is_path(phrase), ..known }
    }

    /// Of a code span: the program it runs, or the file it names.
    pub(super) fn of_code(text: &str) -> Detail {
        let mut words = text.split([' ', '\t']).filter(|word| !word.is_empty()).skip_while(|word| Sort::Wrapper.has(word));
        let first = words.next().unwrap_or_default();
        let second = words.next().unwrap_or_default();
        let named = |name: &str| Some(Detail::known(name).runner).filter(|runner| !runner.is_empty());
        let both = if second.is_empty() { None } else { named(&format!("{first} {second}")) };
        let runner = if text.len() > 200 { "" } else { both.or_else(|| named(first)).or_else(|| of_itself(text)).unwrap_or_default() };
        Detail { runner, language: None, part: false, path: second.is_empty() && (is_path(text) || is_folder(text)) }
    }

    /// Both of one gate; what they do not agree on is left open.
    pub(in crate::session::claims) fn with(self, other: Detail) -> Detail {
        let runner = match (self.runner, other.runner) {
            (one, "") | ("", one) => one,
            (one, other) => {
                if one == other {
                    one
                } else {
                    ""
                }
            }
        };
        Detail { runner, language: self.language.or(other.language), part: self.part || other.part, path: self.path || other.path }
    }
}

/// `bun test` and `deno test` run their own tests.
fn of_itself(text: &str) -> Option<&'static str> {
    ["bun", "deno"].into_iter().find(|name| text.strip_prefix(name).is_some_and(|rest| rest.starts_with(" test")))
}

/// Does a word name a file or a folder of sources?
fn is_path(word: &str) -> bool {
    if !word.bytes().any(|byte| matches!(byte, b'.' | b'/')) {
        return false;
    }
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    (!ending.is_empty() && Sort::Source.has(ending)) || (is_folder(word) && word.ends_with('/'))
}

fn is_folder(word: &str) -> bool {
    word.contains('/') && !word.contains("://") && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_names_its_program() {
        for (text, want) in [
            ("npm test", ""),
            ("npx jest src/cart.test.ts", "jest"),
            ("uv run pytest -q", "pytest"),
            ("python -m pytest", "pytest"),
            ("cargo test --all", "cargo"),
            ("cargo nextest run", "nextest"),
            ("go test ./...", "go"),
            ("bun test", "bun"),
            ("bun run test", ""),
            ("npx playwright test", "playwright"),
            ("./gradlew test", "gradle"),
            ("tsc --noEmit", "tsc"),
            ("make check", ""),
        ] {
            assert_eq!(Detail::of_code(text).runner, want, "{text}");
        }
    }
}
