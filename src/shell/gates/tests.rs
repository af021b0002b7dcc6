//! Command texts and the gates they are taken to run.

mod none;
mod programs;

use proptest::prelude::*;

use super::{Gate, GateRun, Gates, Language, ScriptFile, Shown, gates, of_script, script_text};
use crate::shell::{Dialect, Root, effects};

fn runs(text: &str) -> Vec<GateRun> {
    gates(&effects(text, Dialect::Bash))
}

fn classes(gates: Gates) -> String {
    let words: Vec<&str> = gates.iter().map(Gate::word).collect();
    words.join("+")
}

/// `test+lint* runner [narrow]`: the star is for a superset; runs are joined by `; `.
fn told(runs: &[GateRun]) -> String {
    let each: Vec<String> = runs
        .iter()
        .map(|run| {
            let star = if run.superset { "*" } else { "" };
            let narrow = if run.narrow.is_empty() { String::new() } else { format!("[{}]", run.narrow) };
            let words = [format!("{}{star}", classes(run.gates)), run.runner.to_owned(), narrow];
            words.iter().filter(|word| !word.is_empty()).cloned().collect::<Vec<_>>().join(" ")
        })
        .collect();
    each.join("; ")
}

#[track_caller]
fn each(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(text, expected)| (text, expected, told(&runs(text))))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(text, expected, found)| format!("{text}\n    expected {expected}\n    found    {found}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn wrappers_are_seen_through() {
    for text in [
        "sudo -u x pytest",
        "env -u A B=1 pytest",
        "timeout 60 pytest",
        "nice -n 5 pytest",
        "time pytest",
        "nohup pytest",
        "stdbuf -oL pytest",
        "rtk pytest",
        "rtk test pytest",
        "rtk proxy pytest",
        "uv run pytest",
        "uv run -m pytest",
        "uv run --with x pytest",
        "poetry run pytest",
        "pipenv run pytest",
        "pdm run pytest",
        "hatch run pytest",
        "rye run pytest",
        "mise exec -- pytest",
        "mise x python@3.12 -- pytest",
        "direnv exec . pytest",
        "dotenv -- pytest",
        "env-cmd pytest",
        "cross-env A=b pytest",
        "coverage run -m pytest",
        "python -m pytest",
        "xvfb-run -a pytest",
        "nix develop -c pytest",
        "nix-shell --run 'pytest'",
        "devbox run pytest",
        "devbox run -- pytest",
        "script -q -c 'pytest' /dev/null",
        "script -qc pytest /dev/null",
        "sh -c 'pytest'",
        "bash -lc \"pytest\"",
        "retry pytest",
        "chronic pytest",
        "unbuffer pytest",
        "npx pytest",
        "bunx pytest",
        "pnpm exec pytest",
        "pnpm dlx pytest",
        "yarn exec pytest",
        "yarn dlx pytest",
        "npm exec -- pytest",
        "npm exec -c 'pytest'",
        "bundle exec pytest",
        "/usr/bin/pytest",
        "\\pytest",
        "command pytest",
        "eval 'pytest'",
        ".venv/bin/pytest",
        "conda run -n x pytest",
        "c8 -r text pytest",
        "f() { pytest; }; f",
        "ssh h 'pytest'",
        "docker exec -it c pytest",
        "docker compose exec -T web pytest",
        "docker run --rm -v a:/b -w /b img pytest",
        "kubectl exec p -- pytest",
        "docker compose run --rm web bash -c 'pytest'",
        "X=1 Y=2 pytest",
        "doppler run -- pytest",
        "time -p timeout 5 uv run pytest",
    ] {
        let found = runs(text);
        assert_eq!(told(&found), "test pytest", "{text}");
        let remote = ["ssh", "docker", "kubectl"].iter().any(|lead| text.starts_with(lead));
        assert_eq!(found[0].remote, remote, "{text}");
    }
}

#[test]
fn the_status_is_visible_or_not() {
    for (text, visible) in [
        ("pytest -q | tail -15", false),
        ("ruff check . ; echo done", false),
        ("npm test || true", false),
        ("make test &", false),
        ("! cargo test", false),
        ("if pytest; then echo; fi", false),
        ("pytest; echo \"EXIT: $?\"", false),
        ("while ! npm test; do sleep 1; done", false),
        ("for d in a b; do npm test; done", false),
        ("pytest & wait", false),
        ("if pytest; then echo 'unclosed", false),
        ("cargo test && echo ok", true),
        ("cargo test 2>&1", true),
        ("set -o pipefail; pytest -q | tail -3", true),
        ("pytest &> log", true),
        ("(cd b && npm test)", true),
        ("cargo test; exit $?", true),
        ("cargo test > l 2>&1; rc=$?; tail -5 l; exit $rc", true),
        ("cargo test 2>&1 | tail -5; exit ${PIPESTATUS[0]}", true),
        ("npm test || exit 1", true),
        ("bash -c 'pytest'", true),
    ] {
        assert_eq!(runs(text)[0].status_visible, visible, "{text}");
    }
    let found = gates(&effects("npm test; exit $LASTEXITCODE", Dialect::PowerShell));
    assert!(found[0].status_visible);
}

#[test]
fn a_failure_is_its_own_or_shared() {
    for (text, alone) in [
        ("pytest", true),
        ("cd x && pytest -q && echo ok", true),
        ("source v/bin/activate && pytest", true),
        ("pytest | tail; npm test", false),
        ("set -e; pytest; x", false),
        ("npm run lint && npm test", false),
        ("npm test && git push", false),
        ("[ -f x ] && npm test", false),
        ("grep -q a b && npm test", false),
    ] {
        assert_eq!(runs(text)[0].fails_alone, alone, "{text}");
    }
}

#[test]
fn output_is_shown_or_not() {
    use Shown::{Nothing, Part, Whole};
    for (text, shown) in [
        ("pytest", Whole),
        ("pytest 2>&1", Whole),
        ("pytest | cat", Whole),
        ("pytest 2>&1 | tee log", Whole),
        ("pytest 2>/dev/null", Whole),
        ("bash -c 'pytest' | tee log", Whole),
        ("(cd a && pytest)", Whole),
        ("pytest > /dev/stdout", Whole),
        ("pytest 1>&2", Whole),
        ("pytest &", Whole),
        ("cargo test 2>/dev/null", Part),
        ("pytest | tail -5", Part),
        ("pytest | tee log | tail", Part),
        ("pytest |& grep -v x", Part),
        ("pytest | while read l; do echo $l; done", Part),
        ("pytest > log 2>&1; tail -20 log", Part),
        ("pytest > /tmp/log 2>&1 || cat /tmp/log", Part),
        ("pytest &> log; grep -c FAILED < log", Part),
        ("pytest | tee log > /dev/null; tail log", Part),
        ("{ pytest; } > log; sed -n 1,5p log", Part),
        ("OUT=$(pytest); echo \"$OUT\" | tail", Part),
        ("OUT=$(pytest 2>&1)\nprintf '%s' \"$OUT\"", Part),
        ("echo \"$(pytest)\"", Part),
        ("pytest > >(tail -5)", Part),
        ("pytest | tail -5; echo 'unclosed", Part),
        ("pytest > /dev/null", Nothing),
        ("pytest > /dev/null 2>&1", Nothing),
        ("pytest > log 2>&1", Nothing),
        ("pytest &> log", Nothing),
        ("(pytest) > /dev/null", Nothing),
        ("pytest > log; tail other", Nothing),
        ("OUT=$(pytest)", Nothing),
        ("pytest | tee log > /dev/null", Nothing),
        ("if [ -n \"$(pytest)\" ]; then x; fi", Part),
        ("f=$(pytest); rm x", Nothing),
    ] {
        assert_eq!(runs(text)[0].shown, shown, "{text}");
    }
    for (text, shown) in [
        ("npm test", Whole),
        ("npm test | Tee-Object l", Whole),
        ("npm test | Select-Object -Last 5", Part),
        ("npm test *> l; Get-Content l -Tail 5", Part),
        ("npm test | Out-Null", Nothing),
        ("npm test > $null", Nothing),
    ] {
        assert_eq!(gates(&effects(text, Dialect::PowerShell))[0].shown, shown, "{text}");
    }
}

#[test]
fn the_directory_is_known() {
    for (text, root, dir) in [
        ("npm test", Root::Cwd, ""),
        ("cd b && npm test", Root::Cwd, "b"),
        ("(cd b; true); npm test", Root::Cwd, ""),
        ("cd /w; cd x && cargo test", Root::Absolute, "/w/x"),
        ("make -C sub test", Root::Cwd, "sub"),
        ("make -Csub test", Root::Cwd, "sub"),
        ("npm --prefix=web test", Root::Cwd, "web"),
        ("npm test --prefix web", Root::Cwd, "web"),
        ("pnpm -C web test", Root::Cwd, "web"),
        ("yarn --cwd web test", Root::Cwd, "web"),
        ("bun --cwd web test", Root::Cwd, "web"),
        ("pnpm -C web exec vitest run", Root::Cwd, "web"),
        ("cargo test --manifest-path x/Cargo.toml", Root::Cwd, "x"),
        ("cargo test --manifest-path Cargo.toml", Root::Cwd, ""),
        ("go -C d test ./...", Root::Cwd, "d"),
        ("tsc -p tsconfig.app.json", Root::Cwd, ""),
        ("tsc -p packages/a", Root::Cwd, "packages/a"),
        ("tsc --project packages/a/tsconfig.json", Root::Cwd, "packages/a"),
        ("uv run --directory d pytest", Root::Cwd, "d"),
        ("uv --project d run pytest", Root::Cwd, "d"),
        ("poetry -C d run pytest", Root::Cwd, "d"),
        ("env -C d pytest", Root::Cwd, "d"),
        ("env -C d bash -c 'cd e; pytest'", Root::Cwd, "d/e"),
        ("git -C w commit -m x", Root::Cwd, "w"),
        ("mvn -f a/pom.xml test", Root::Cwd, "a"),
        ("just -d sub test", Root::Cwd, "sub"),
        ("swift test --package-path p", Root::Cwd, "p"),
        ("cd $X && npm test", Root::Unknown, ""),
        ("make -C \"$X\" test", Root::Unknown, ""),
        ("cd ~/w && pytest", Root::Home, "w"),
    ] {
        let found = runs(text);
        assert_eq!((found[0].dir.root, found[0].dir.text.as_str()), (root, dir), "{text}");
    }
}

#[test]
fn what_else_is_told() {
    let run = |text: &str| runs(text).remove(0);
    assert_eq!(classes(run("cargo test").implies), "typecheck+build");
    assert_eq!(classes(run("cargo clippy").implies), "typecheck");
    assert_eq!(classes(run("cargo check").implies), "");
    assert_eq!(classes(run("go test ./...").implies), "typecheck+build");
    for (text, prints) in [
        ("pytest -q", true),
        ("biome lint", true),
        ("cargo test -q", true),
        ("vitest run --outputFile=x", false),
        ("tsc", false),
        ("eslint .", false),
        ("npm test", false),
        ("go build", false),
    ] {
        assert_eq!(run(text).always_prints, prints, "{text}");
    }
    for (text, language) in [
        ("cargo test", Language::Rust),
        ("npm run lint", Language::JavaScript),
        ("make test", Language::Any),
        ("composer test", Language::Php),
        ("stylelint x", Language::Css),
        ("python tests/test_a.py", Language::Python),
    ] {
        assert_eq!(run(text).language, language, "{text}");
    }
    for (text, file, name) in [
        ("npm run -s lint", ScriptFile::PackageJson, "lint"),
        ("npm t", ScriptFile::PackageJson, "test"),
        ("yarn run build", ScriptFile::PackageJson, "build"),
        ("npm run unknown-name", ScriptFile::PackageJson, "unknown-name"),
        ("composer run test", ScriptFile::PackageJson, "test"),
        ("make", ScriptFile::Makefile, ""),
        ("make -j 8 check", ScriptFile::Makefile, "check"),
        ("just ci", ScriptFile::Justfile, "ci"),
        ("mise r lint", ScriptFile::Tasks, "lint"),
        ("task test", ScriptFile::Tasks, "test"),
    ] {
        let script = run(text).script.expect(text);
        assert_eq!((script.file, script.name.as_str()), (file, name), "{text}");
    }
    for text in ["make lint test", "make -f x test", "yarn jest", "pytest", "hatch run test"] {
        assert_eq!(run(text).script, None, "{text}");
    }
    assert!(run("pytest &").background);
    assert_eq!(run(&format!("pytest -k '{}'", "é".repeat(100))).narrow.len(), 79);
}

#[test]
fn scripts_are_classed_by_their_text() {
    let found = of_script("vitest run && eslint .");
    assert_eq!((classes(found.gates).as_str(), found.runner, found.language), ("test+lint", "", Language::JavaScript));
    let found = of_script("cross-env CI=1 jest --ci");
    assert_eq!((classes(found.gates).as_str(), found.runner, found.always_prints), ("test", "jest", true));
    assert_eq!(of_script("node server.js"), of_script(""));
    assert!(of_script("pre-commit run -a").superset);
}

#[test]
fn scripts_are_looked_up() {
    let package = r#"{"name": "x", "scripts": {
        "test": "npm run lint && vitest run",
        "lint": "eslint . && yarn typecheck",
        "typecheck": "tsc --noEmit",
        "pretypecheck": "node gen.js",
        "unit": "npm run test:unit",
        "test:unit": "jest",
        "all": "npm-run-all lint test",
        "loop": "npm run loop",
        "web": "npm --prefix web test"}}"#;
    let makefile = "\
GO ?= go
.PHONY: test lint
all: build
build:
	@$(GO) build ./...
test: lint ## tests
	$(GO) test ./... \\
	  -race
lint: ; golangci-lint run
check:
	$(MAKE) lint
	cd x && $(MAKE) test
x := y
";
    let justfile = "\
set shell := ['bash']
x := 'y'

# tests
test *args: build
    cargo test {{args}}
build:
    @cargo build
ci: fmt (lint 'x') && test
    just build
fmt:
    cargo fmt --check
lint p:
    cargo clippy
";
    let mise = "[tools]\nnode = '20'\n[tasks.test]\nrun = ['pytest', 'ruff check']\ndepends = ['types']\n[tasks]\ntypes = 'mypy .'\n";
    let taskfile = "\
version: '3'
tasks:
  default:
    cmds:
      - task: test
  test:
    deps: [lint]
    cmds:
      - go test ./...
      - cmd: go vet ./...
  lint:
    desc: x
    cmd: golangci-lint run
  types: tsc
";
    let composer = r#"{"scripts": {"test": ["@lint", "phpunit"], "lint": "phpstan analyse"}}"#;
    for (file, content, name, expected) in [
        (ScriptFile::PackageJson, package, "test", "test+lint+typecheck"),
        (ScriptFile::PackageJson, package, "typecheck", "typecheck"),
        (ScriptFile::PackageJson, package, "unit", "test"),
        (ScriptFile::PackageJson, package, "all", "test+lint"),
        (ScriptFile::PackageJson, composer, "test", "test+lint+typecheck"),
        (ScriptFile::Makefile, makefile, "", "build"),
        (ScriptFile::Makefile, makefile, "test", "test+lint"),
        (ScriptFile::Makefile, makefile, "check", "test+lint"),
        (ScriptFile::Justfile, justfile, "test", "test+build"),
        (ScriptFile::Justfile, justfile, "ci", "test+lint+format+build"),
        (ScriptFile::Tasks, mise, "test", "test+lint+typecheck"),
        (ScriptFile::Tasks, taskfile, "", "test+lint"),
        (ScriptFile::Tasks, taskfile, "types", "typecheck"),
    ] {
        let text = script_text(file, content, name).unwrap_or_default();
        assert_eq!(classes(of_script(&text).gates), expected, "{name}: {text}");
    }
    assert_eq!(script_text(ScriptFile::PackageJson, package, "none"), None);
    assert_eq!(script_text(ScriptFile::PackageJson, "{", "test"), None);
    assert!(script_text(ScriptFile::PackageJson, package, "loop").is_some());
    assert_eq!(script_text(ScriptFile::PackageJson, package, "web").as_deref(), Some("npm --prefix web test"));
    let wide = format!("a: {}\n{}", "b ".repeat(30), "b: a a a a a a\n\techo\n".repeat(30));
    script_text(ScriptFile::Makefile, &wide, "a");
}

#[test]
fn hostile_text_is_survived() {
    for piece in
        ["yarn ", "yarn composer exec ", "npx ", "coverage run -m ", "python -m ", "concurrently 'a' ", "make ", "npm run ", "rtk "]
    {
        runs(&piece.repeat(10_000));
        of_script(&piece.repeat(2_000));
    }
    runs(&format!("pytest {}", "-k é ".repeat(10_000)));
    let rules: Vec<String> = (0..2_000).map(|n| format!("a{n}: a{} a{}\n\tmake a{}\n", n + 1, n + 2, n + 3)).collect();
    script_text(ScriptFile::Makefile, &rules.concat(), "a0");
    let variables = format!("A = $(A)$(A)\n{}x:\n\t$(A)\n", "A := $(A)$(A)x\n".repeat(500));
    script_text(ScriptFile::Makefile, &variables, "x");
}

fn simple_command() -> impl Strategy<Value = String> {
    let programs = vec![
        "cargo test",
        "pytest",
        "npm run lint",
        "make check",
        "go build ./...",
        "npx vitest run",
        "git commit -m x",
        "ls",
        "echo test",
        "ruff format --check",
        "cd sub && tsc",
        "uv run mypy",
        "docker exec c pytest",
        "yarn workspace a test",
        "prettier --write .",
    ];
    let rest =
        vec!["", " -q", " -k one", " src/a", " --lib", " | tail -3", " && echo ok", " || true", " 2>&1", " > log", " --help", "; ls"];
    (prop::sample::select(programs), prop::sample::select(rest), "( [a-z]{1,5}){0,2}")
        .prop_map(|(program, rest, more)| format!("{program}{rest}{more}"))
}

proptest! {
    #[test]
    fn a_quoted_text_runs_the_same_gates(text in simple_command()) {
        let quoted = runs(&format!("bash -c '{text}'"));
        prop_assert_eq!(runs(&text), quoted);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,80}", program in simple_command(), name in "\\PC{0,12}") {
        runs(&text);
        runs(&format!("{program} {text}"));
        gates(&effects(&text, Dialect::PowerShell));
        of_script(&text);
        for file in [ScriptFile::PackageJson, ScriptFile::Makefile, ScriptFile::Justfile, ScriptFile::Tasks] {
            script_text(file, &text, &name);
            script_text(file, &format!("{name}: {text}\n\t{text}\n"), &name);
        }
    }
}
