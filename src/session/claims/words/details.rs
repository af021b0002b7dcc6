//! What narrows a claim: the program it names, the language of the sources, a part of them.

use std::collections::HashMap;

use once_cell::sync::Lazy;

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
const RUNNERS: &[(&str, &str)] = &[
    ("ava", "ava"),
    ("bats", "bats"),
    ("biome", "biome"),
    ("black", "black"),
    ("bun", "bun test"),
    ("cargo", "cargo, cargo test, cargo clippy, cargo fmt, cargo check, cargo build, clippy"),
    ("ctest", "ctest"),
    ("cypress", "cypress"),
    ("deno", "deno test"),
    ("docker", "docker build"),
    ("dotnet", "dotnet"),
    ("eslint", "eslint, eslint's"),
    ("flake8", "flake8"),
    ("go", "go, go test, go vet, go build"),
    ("gofmt", "gofmt"),
    ("golangci-lint", "golangci-lint, golangci"),
    ("gradle", "gradle, gradlew, ./gradlew"),
    ("hadolint", "hadolint"),
    ("hardhat", "hardhat"),
    ("jest", "jest"),
    ("ktlint", "ktlint"),
    ("markdownlint", "markdownlint"),
    ("maven", "mvn, mvnw, ./mvnw"),
    ("mix", "mix"),
    ("mocha", "mocha"),
    ("mypy", "mypy"),
    ("next", "next build"),
    ("nextest", "nextest, cargo nextest"),
    ("nox", "nox"),
    ("oxlint", "oxlint"),
    ("phpstan", "phpstan"),
    ("phpunit", "phpunit"),
    ("playwright", "playwright"),
    ("pre-commit", "pre-commit"),
    ("prettier", "prettier"),
    ("pylint", "pylint"),
    ("pyright", "pyright"),
    ("pytest", "pytest"),
    ("rspec", "rspec"),
    ("rubocop", "rubocop"),
    ("ruff", "ruff, ruff check, ruff format"),
    ("rustfmt", "rustfmt"),
    ("shellcheck", "shellcheck"),
    ("stylelint", "stylelint"),
    ("svelte-check", "svelte-check"),
    ("swift", "swift"),
    ("swiftlint", "swiftlint"),
    ("tox", "tox"),
    ("tsc", "tsc, vue-tsc"),
    ("ty", "ty"),
    ("unittest", "unittest"),
    ("vite", "vite build"),
    ("vitest", "vitest"),
];

/// Words of prose that name no program, though a command may begin with them.
const COMMANDS: &str = "cargo, go, mix, swift, ty, dotnet, gradle, mvn, pre-commit";

/// What stands before the program of a command.
const WRAPPERS: &str = "npx, bunx, pnpm, exec, dlx, yarn, uv, run, poetry, pipenv, pdm, hatch, rye, python, python3, -m, bundle, sudo, \
    env, time, npm, bun, deno, mise, rtk";

/// Languages and the words that name them.
const LANGUAGES: &[(Language, &str)] = &[
    (Language::Rust, "rust"),
    (Language::Go, "go, golang"),
    (Language::Python, "python"),
    (Language::JavaScript, "javascript, js, node, node.js"),
    (Language::Ruby, "ruby"),
    (Language::Php, "php"),
    (Language::Jvm, "java, kotlin, scala"),
    (Language::Swift, "swift"),
    (Language::Elixir, "elixir"),
    (Language::Solidity, "solidity"),
];

/// Kinds of tests and sides of a program, in all languages.
const PARTS: &str = "unit, unit tests, unit-tests, unit test, unittests, integration, integration tests, integration test, unit and integration, \
    e2e, e2e tests suite, e2e-tests, end-to-end, end to end, browser, smoke, regression, regression tests, regression suite, contract, \
    component, acceptance, functional, property, property-based, snapshot, snapshots, snapshot tests, doctest, doctests, doc-tests, api, \
    server, client, web, ui, cli, library, core, frontend, backend, integrationstests, regressionstests, komponententests, \
    tests unitaires, unitaires, d'intégration, fonctionnels, de bout en bout, pruebas unitarias, tests unitarios, unitarios, unitarias, \
    de integración, testes unitários, unitários, de integração, birim, entegrasyon, birim testleri, birim testler, entegrasyon testleri, \
    单元测试, 集成测试, 回归测试, 单测, 單元測試, ユニットテスト, 単体テスト, 結合テスト, 統合テスト, 回帰テスト, 단위테스트, 통합테스트, \
    유닛테스트, 회귀테스트";

/// Endings of the names of source files.
const SOURCES: &str = "ts, tsx, js, jsx, mjs, cjs, py, rs, go, rb, php, java, kt, swift, ex, exs, c, cc, cpp, h, hpp, cs, sh, sol, vue, \
    svelte, scala, css, md";

/// The words of all lists.
static KNOWN: Lazy<HashMap<&'static str, Detail>> = Lazy::new(|| {
    let mut known: HashMap<&'static str, Detail> = HashMap::new();
    let mut add = |names: &'static str, detail: Detail| {
        for name in names.split(',').map(str::trim) {
            let entry = known.entry(name).or_default();
            *entry = entry.with(detail);
        }
    };
    for &(runner, names) in RUNNERS {
        add(names, Detail { runner, ..Detail::default() });
    }
    for &(language, names) in LANGUAGES {
        add(names, Detail { language: Some(language), ..Detail::default() });
    }
    add(PARTS, Detail { part: true, ..Detail::default() });
    known
});

fn lists(list: &str, word: &str) -> bool {
    list.split(',').any(|known| known.trim() == word)
}

impl Detail {
    /// Of a word or a phrase in small letters.
    pub(super) fn of(phrase: &str) -> Detail {
        let known = KNOWN.get(phrase).copied().unwrap_or_default();
        let runner = if !known.runner.is_empty() && lists(COMMANDS, phrase) { "" } else { known.runner };
        Detail { runner, path: is_path(phrase), ..known }
    }

    /// Of a code span: the program it runs, or the file it names.
    pub(super) fn of_code(text: &str) -> Detail {
        let mut words = text.split([' ', '\t']).filter(|word| !word.is_empty()).skip_while(|word| lists(WRAPPERS, word));
        let first = words.next().unwrap_or_default();
        let second = words.next().unwrap_or_default();
        let named = |name: &str| KNOWN.get(name).map(|detail| detail.runner).filter(|runner| !runner.is_empty());
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
    let ending = word.rsplit_once('.').map_or("", |(_, ending)| ending);
    (!ending.is_empty() && lists(SOURCES, ending)) || (is_folder(word) && word.ends_with('/'))
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
