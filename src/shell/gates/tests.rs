//! Command texts and the gates they are taken to run.

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
fn rust_go_and_c() {
    each(&[
        ("cargo test", "test cargo"),
        ("cargo +nightly --locked test --workspace", "test cargo"),
        ("cargo t", "test cargo"),
        ("cargo test parser", "test cargo [parser]"),
        ("cargo test -p core --lib", "test cargo [-p core --lib]"),
        ("cargo test --test cli -- --exact one", "test cargo [--test cli --exact one]"),
        ("cargo test -- --nocapture --test-threads 1", "test cargo"),
        ("RUST_BACKTRACE=1 cargo test 2>&1 | tail -40", "test cargo"),
        ("cargo nextest run --workspace", "test nextest"),
        ("cargo nextest run -E 'test(a)'", "test nextest [-E test(a)]"),
        ("cargo miri test", "test cargo"),
        ("cargo hack check --feature-powerset", "typecheck cargo"),
        ("cargo llvm-cov --workspace", "test cargo"),
        ("cargo check --all-targets", "typecheck cargo"),
        ("cargo build --release", "build cargo"),
        ("cargo clippy --all-targets -- -D warnings", "lint cargo"),
        ("cargo fmt --all -- --check", "format cargo"),
        ("cargo fmt --check && cargo clippy", "format cargo; lint cargo"),
        ("cross test --target x", "test cargo"),
        ("go test ./...", "test go"),
        ("go test -race -count=1 -timeout 5m ./... 2>&1 | grep -v '^ok'", "test go"),
        ("go test ./pkg/...", "test go [./pkg/...]"),
        ("go test -run TestOne ./...", "test go [-run TestOne]"),
        ("go build ./...", "build go"),
        ("go vet ./...", "lint go"),
        ("staticcheck ./...", "lint staticcheck"),
        ("golangci-lint run --timeout 5m", "lint golangci-lint"),
        ("gofmt -l .", "format gofmt"),
        ("goimports -l cmd", "format goimports [cmd]"),
        ("gotestsum --format dots -- ./...", "test gotestsum"),
        ("ctest --test-dir build -V", "test ctest"),
        ("ctest -R one", "test ctest [-R one]"),
        ("cmake --build build -j 4", "build cmake"),
        ("cmake --build build --target test", "test ctest"),
        ("ninja -C out", "build ninja"),
        ("ninja test", "test ninja"),
        ("meson test -C build", "test meson"),
        ("bazel test //...", "test bazel"),
        ("bazel test //a:b", "test bazel [//a:b]"),
        ("bazel build //...", "build bazel"),
        ("buck2 test //...", "test buck2"),
        ("clang-tidy src/a.c", "lint clang-tidy [src/a.c]"),
        ("clang-format --dry-run -Werror src/a.c", "format clang-format [src/a.c]"),
        ("cppcheck src", "lint cppcheck"),
        ("zig build test", "test zig"),
    ]);
}

#[test]
fn python() {
    each(&[
        ("pytest", "test pytest"),
        ("pytest -q tests", "test pytest"),
        ("py.test -x", "test pytest"),
        ("python -m pytest -x -q", "test pytest"),
        ("python3.11 -X dev -m pytest -k 'one or two' tests/", "test pytest [-k one or two]"),
        ("pytest tests/test_a.py::test_b -x", "test pytest [tests/test_a.py::test_b]"),
        ("pytest -n auto --cov=src --cov-report term -p no:cacheprovider", "test pytest"),
        ("pytest --lf -m 'not slow'", "test pytest [--lf -m not slow]"),
        ("python -m unittest", "test unittest"),
        ("python -m unittest discover -s tests", "test unittest"),
        ("python -m unittest tests.test_a", "test unittest [tests.test_a]"),
        ("python tests/test_a.py", "test [tests/test_a.py]"),
        ("python manage.py test", "test unittest"),
        ("python manage.py test app.tests", "test unittest [app.tests]"),
        ("coverage run -m pytest", "test pytest"),
        ("coverage run --source=src -m unittest", "test unittest"),
        ("python -m coverage run -m pytest -k a", "test pytest [-k a]"),
        ("tox", "test* tox"),
        ("tox -e lint", "lint tox [-e lint]"),
        ("nox -s tests", "test nox [-s tests]"),
        ("nose2", "test unittest"),
        ("hatch test", "test pytest"),
        ("hatch run test", "test"),
        ("mypy src", "typecheck mypy"),
        ("mypy --strict a.py", "typecheck mypy [a.py]"),
        ("dmypy run", "typecheck mypy"),
        ("pyright", "typecheck pyright"),
        ("basedpyright", "typecheck pyright"),
        ("ty check", "typecheck ty"),
        ("pyre check", "typecheck pyre"),
        ("ruff check . --fix", "lint ruff"),
        ("ruff format --check .", "format ruff"),
        ("ruff check . && ruff format --diff", "lint ruff; format ruff"),
        ("flake8", "lint flake8"),
        ("pylint src", "lint pylint"),
        ("black --check src tests", "format black"),
        ("isort --check-only .", "format isort"),
        ("bandit -r src", "lint bandit"),
        ("uv run pytest", "test pytest"),
        ("uv run --frozen --group dev -- pytest -q", "test pytest"),
        ("uvx ruff@0.9 check", "lint ruff"),
        ("poetry run mypy .", "typecheck mypy"),
        ("pipenv run test", "test"),
        ("pdm run lint", "lint"),
        ("rye run pytest", "test pytest"),
        ("pre-commit run --all-files", "* pre-commit"),
        ("pre-commit run ruff --all-files", "lint pre-commit [ruff]"),
    ]);
}

#[test]
fn javascript() {
    each(&[
        ("npx vitest run", "test vitest"),
        ("vitest", "test vitest"),
        ("vitest run src/a.test.ts -t 'adds'", "test vitest [-t adds src/a.test.ts]"),
        ("npx jest --coverage --silent", "test jest"),
        ("jest --watchAll=false", "test jest"),
        ("jest path/a --testNamePattern=x", "test jest [--testNamePattern=x path/a]"),
        ("node --experimental-vm-modules node_modules/jest/bin/jest.js", "test jest"),
        ("mocha -g one", "test mocha [-g one]"),
        ("npx ava", "test ava"),
        ("npx tap", "test tap"),
        ("bun test", "test bun"),
        ("bun test src/a.test.ts", "test bun [src/a.test.ts]"),
        ("deno test -A", "test deno"),
        ("deno check main.ts", "typecheck deno [main.ts]"),
        ("deno lint", "lint deno"),
        ("deno fmt --check", "format deno"),
        ("deno task test", "test"),
        ("node --test", "test node"),
        ("node --import tsx --test test/a.test.ts", "test node [test/a.test.ts]"),
        ("node test/a.test.js", "test [test/a.test.js]"),
        ("npx playwright test --project chromium", "test playwright [--project chromium]"),
        ("cypress run", "test cypress"),
        ("npx wdio run wdio.conf.js", "test wdio [wdio.conf.js]"),
        ("npm test", "test"),
        ("npm t", "test"),
        ("npm run test", "test"),
        ("npm run test:unit", "test [test:unit]"),
        ("npm run test:ci", "test*"),
        ("npm test -- src/a.test.ts", "test [src/a.test.ts]"),
        ("npm test -- -t 'one'", "test [-t one]"),
        ("npm --prefix web test", "test"),
        ("npm -w pkg test", "test [-w pkg]"),
        ("npm run lint:fix", "lint"),
        ("npm run type-check", "typecheck"),
        ("npm run format:check", "format"),
        ("npm run build", "build"),
        ("npm run ci", "*"),
        ("npm run verify", "*"),
        ("npm run check-all", "*"),
        ("npm run precommit", "*"),
        ("npm run unknown-name", ""),
        ("pnpm -r test", "test"),
        ("pnpm --filter x test", "test [--filter x]"),
        ("pnpm lint", "lint"),
        ("pnpm run build", "build"),
        ("pnpm exec vitest run", "test vitest"),
        ("pnpm vitest run --changed", "test vitest [--changed]"),
        ("yarn test", "test"),
        ("yarn workspace x test", "test [workspace x]"),
        ("yarn workspaces foreach -A run test", "test"),
        ("yarn jest --ci", "test jest"),
        ("yarn eslint src", "lint eslint"),
        ("bun run lint", "lint"),
        ("bunx --bun vitest run", "test vitest"),
        ("turbo run test lint", "test+lint*"),
        ("npx turbo test --filter=web", "test [--filter=web]"),
        ("nx test app", "test [app]"),
        ("nx run-many -t test,lint", "test+lint"),
        ("nx affected --target=test", "test [affected]"),
        ("lerna run test", "test"),
        ("npm-run-all lint test", "test+lint"),
        ("concurrently 'npm:test' 'eslint .'", "test+lint"),
        ("npx eslint . --ext .ts,.tsx --max-warnings 0", "lint eslint"),
        ("eslint --fix src/a.ts", "lint eslint [src/a.ts]"),
        ("npx @biomejs/biome check .", "lint+format biome"),
        ("biome check --write", "lint biome"),
        ("biome format", "format biome"),
        ("biome lint src", "lint biome"),
        ("oxlint", "lint oxlint"),
        ("stylelint '**/*.css'", "lint stylelint"),
        ("markdownlint-cli2 README.md", "lint markdownlint-cli2 [README.md]"),
        ("prettier --check .", "format prettier"),
        ("npx prettier -l src", "format prettier"),
        ("dprint check", "format dprint"),
        ("tsc", "typecheck tsc"),
        ("npx -p typescript tsc --noEmit -p tsconfig.app.json", "typecheck tsc"),
        ("tsc -b", "typecheck+build tsc"),
        ("vue-tsc --noEmit", "typecheck tsc"),
        ("svelte-check --tsconfig ./tsconfig.json", "typecheck svelte-check"),
        ("flow check", "typecheck flow"),
        ("vite build", "build vite"),
        ("next build", "build next"),
        ("webpack --mode production", "build webpack"),
        ("rollup -c", "build rollup"),
        ("astro check && astro build", "typecheck astro; build astro"),
        ("lint-staged", "lint* lint-staged"),
    ]);
}

#[test]
fn other_languages() {
    each(&[
        ("make", "build"),
        ("make test", "test"),
        ("make -j4 lint test", "test+lint"),
        ("make check", "*"),
        ("make all", "build"),
        ("make test TEST=one", "test [TEST=one]"),
        ("gmake -C sub test", "test"),
        ("just test", "test"),
        ("just ci", "*"),
        ("just test parser", "test [parser]"),
        ("task lint", "lint"),
        ("mise run ci", "*"),
        ("mise run test", "test"),
        ("rake", "*"),
        ("bundle exec rake test", "test"),
        ("bundle exec rspec spec/a_spec.rb:3", "test rspec [spec/a_spec.rb:3]"),
        ("ruby -Itest test/a_test.rb", "test [test/a_test.rb]"),
        ("bin/rails test", "test rails"),
        ("rubocop -a", "lint rubocop"),
        ("standardrb", "lint standardrb"),
        ("bundle exec srb tc", "typecheck srb"),
        ("vendor/bin/phpunit --filter one", "test phpunit [--filter one]"),
        ("php vendor/bin/phpunit", "test phpunit"),
        ("php artisan test", "test phpunit"),
        ("./vendor/bin/pest", "test pest"),
        ("vendor/bin/phpstan analyse -l 8 src", "lint+typecheck phpstan"),
        ("vendor/bin/psalm", "lint+typecheck psalm"),
        ("php-cs-fixer fix --dry-run --diff", "format php-cs-fixer"),
        ("composer test", "test"),
        ("composer run-script lint", "lint"),
        ("composer exec phpunit", "test phpunit"),
        ("mvn -q test", "test maven"),
        ("./mvnw clean verify", "test+build* maven"),
        ("mvn package -DskipTests", "build maven"),
        ("mvn test -Dtest=One", "test maven [-Dtest=One]"),
        ("./gradlew test", "test gradle"),
        ("./gradlew :app:test --tests One", "test gradle [:app:test --tests One]"),
        ("gradle build -x test", "build* gradle"),
        ("gradlew.bat check", "test* gradle"),
        ("sbt test", "test sbt"),
        ("sbt 'testOnly a.B'", "test sbt [a.B]"),
        ("ktlint", "lint ktlint"),
        ("detekt", "lint detekt"),
        ("dotnet test", "test dotnet"),
        ("dotnet test --filter Name=x", "test dotnet [--filter Name=x]"),
        ("dotnet build App.sln", "build dotnet"),
        ("dotnet format --verify-no-changes", "lint+format dotnet"),
        ("swift test", "test swift"),
        ("swift build -c release", "build swift"),
        ("xcodebuild -scheme App -destination 'name=iPhone' test", "test xcodebuild"),
        ("xcodebuild -scheme App clean build", "build xcodebuild"),
        ("swiftlint --strict", "lint swiftlint"),
        ("swift-format lint -r src", "format swift-format"),
        ("mix test test/a_test.exs:3", "test mix [test/a_test.exs:3]"),
        ("mix compile --warnings-as-errors", "typecheck+build mix"),
        ("mix format --check-formatted", "format mix"),
        ("mix credo --strict", "lint mix"),
        ("shellcheck a.sh", "lint shellcheck [a.sh]"),
        ("shfmt -d .", "format shfmt"),
        ("hadolint Dockerfile", "lint hadolint [Dockerfile]"),
        ("actionlint", "lint actionlint"),
        ("yamllint .", "lint yamllint"),
        ("terraform validate", "lint terraform"),
        ("terraform fmt -check -recursive", "format terraform"),
        ("tflint", "lint tflint"),
        ("helm lint chart", "lint helm"),
        ("docker build -t x .", "build docker"),
        ("docker compose build", "build docker"),
        ("npx hardhat test", "test hardhat"),
        ("forge test -vvv", "test forge"),
        ("forge build", "build forge"),
        ("forge fmt --check", "format forge"),
        ("flutter test", "test flutter"),
        ("flutter analyze", "lint+typecheck flutter"),
        ("dart format --set-exit-if-changed .", "format dart"),
        ("cabal test", "test cabal"),
        ("stack test", "test stack"),
        ("elm-test", "test elm-test"),
        ("gleam test", "test gleam"),
        ("busted", "test busted"),
        ("prove -r t", "test prove"),
        ("bats tests", "test bats"),
        ("lefthook run pre-commit", "* lefthook"),
        ("git commit -m 'x'", "* git"),
        ("git -C w push", "* git"),
        ("./scripts/run_tests.sh", "test"),
        ("bash scripts/lint.sh", "lint"),
        ("./ci.sh", "*"),
        ("git ls-files '*.py' | xargs flake8", "lint flake8 […]"),
    ]);
    let found = gates(&effects("Invoke-Pester -Output Detailed", Dialect::PowerShell));
    assert_eq!(told(&found), "test pester");
    let found = gates(&effects("npm test | Select-Object -Last 20; dotnet build", Dialect::PowerShell));
    assert_eq!(told(&found), "test; build dotnet");
}

#[test]
fn no_gate() {
    let wrong: Vec<String> = [
        "cargo --version",
        "cargo test --no-run",
        "cargo test -- --list",
        "cargo build --help",
        "cargo fmt",
        "cargo run",
        "cargo add x",
        "cargo doc",
        "cargo install cargo-nextest",
        "go run .",
        "go mod tidy",
        "go test -c",
        "go test -list .",
        "gofmt -w .",
        "pytest --collect-only",
        "pytest --co -q",
        "pytest --version",
        "pytest -h",
        "pip install pytest",
        "which pytest",
        "echo pytest",
        "python -c 'import pytest'",
        "python app.py",
        "python -m http.server",
        "python /tmp/test_x.py",
        "python3 -m venv .venv",
        "tox -l",
        "ruff format .",
        "ruff --version",
        "black .",
        "isort .",
        "npm install",
        "npm i -D vitest",
        "npm ci",
        "npm run",
        "npm run -h",
        "npm run dev",
        "npm start",
        "npm run start:test",
        "npm run test:watch",
        "npm run build:watch",
        "npm run format",
        "npm run clean",
        "npm run deploy",
        "npm run release",
        "npm run test:update-snapshots",
        "npm run build:test-fixtures",
        "npm ls jest",
        "npm view vitest",
        "npm test -- --listTests",
        "npm test -- --help",
        "npm publish",
        "yarn",
        "yarn add jest",
        "yarn install",
        "pnpm i",
        "pnpm add -D eslint",
        "pnpm dev",
        "bun install",
        "bun run dev",
        "bun x.ts",
        "npx vitest --watch",
        "vitest list",
        "vitest watch",
        "jest --listTests",
        "npx jest --watch",
        "tsc --init",
        "tsc --version",
        "tsc -w",
        "tsc --showConfig",
        "eslint --print-config a.js",
        "eslint --init",
        "prettier --write .",
        "prettier a.ts",
        "biome format --write",
        "biome migrate",
        "playwright install",
        "playwright test --list",
        "cypress open",
        "vite",
        "vite dev",
        "next dev",
        "next start",
        "webpack serve",
        "node server.js",
        "node -e 'x'",
        "npx create-x app",
        "turbo run dev",
        "nx serve app",
        "nx graph",
        "make -n test",
        "make install",
        "make clean",
        "make --version",
        "make run",
        "just --list",
        "just -l",
        "just dev",
        "task --list",
        "mise install",
        "mise tasks ls",
        "rake -T",
        "rails server",
        "rails db:migrate",
        "bundle install",
        "composer install",
        "mvn clean",
        "mvn dependency:tree",
        "gradle tasks",
        "./gradlew clean",
        "dotnet run",
        "dotnet restore",
        "dotnet format",
        "dotnet test --list-tests",
        "swift run",
        "swift package resolve",
        "xcodebuild -list",
        "mix deps.get",
        "mix format",
        "mix phx.server",
        "ctest -N",
        "cmake -S . -B build",
        "ninja clean",
        "terraform plan",
        "terraform fmt",
        "docker ps",
        "docker run -d redis",
        "docker compose up -d",
        "docker run --rm alpine ls",
        "git add a.test.ts",
        "git status",
        "git checkout test/x",
        "git commit --dry-run",
        "git commit --no-verify -m x",
        "git push --no-verify",
        "git log --grep test",
        "rm -rf build",
        "grep test a",
        "cat test.log",
        "ls tests",
        "cd test",
        "test -f x",
        "[ -d build ]",
        "find . -name 'test*'",
        "mkdir build",
        "touch test_a.py",
        "cp test a",
        "tail -f build.log",
        "sed -n 1,5p test.rs",
        "rg 'cargo test'",
        "echo 'npm test'",
        "cat <<'E' > x.sh\nnpm test\nE",
        "# cargo test\nls",
        "bash -n test.sh",
        "chmod +x test.sh",
        "code test",
        "gh run view",
        "gh pr checks",
        "docker logs test",
        "man pytest",
        "pre-commit install",
        "pre-commit autoupdate",
        "husky install",
        "helm template x",
        "forge fmt",
        "zig fmt .",
        "clang-format -i a.c",
        "shfmt -w a.sh",
        "bash install.sh",
        "coverage report",
        "coverage html",
        "nyc report",
        "cargo metadata",
        "deno run a.ts",
        "deno fmt",
    ]
    .into_iter()
    .filter(|text| runs(text).iter().any(|run| run.superset || !run.gates.is_empty()))
    .map(|text| format!("{text}: {}", told(&runs(text))))
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
        "test": "npm run lint && vitest run", "lint": "eslint . && yarn typecheck", "typecheck": "tsc --noEmit",
        "loop": "npm run loop", "pretypecheck": "node gen.js", "all": "npm-run-all lint test", "web": "npm --prefix web test"}}"#;
    let makefile = "GO ?= go\n.PHONY: test lint\nall: build\nbuild:\n\t@$(GO) build ./...\ntest: lint ## tests\n\t$(GO) test ./... \\\n\t  -race\n\
                    lint: ; golangci-lint run\ncheck:\n\t$(MAKE) lint\n\tcd x && $(MAKE) test\nx := y\n";
    let justfile = "set shell := ['bash']\nx := 'y'\n\n# tests\ntest *args: build\n    cargo test {{args}}\nbuild:\n    @cargo build\n\
                    ci: fmt (lint 'x') && test\n    just build\nfmt:\n    cargo fmt --check\nlint p:\n    cargo clippy\n";
    let mise = "[tools]\nnode = '20'\n[tasks.test]\nrun = ['pytest', 'ruff check']\ndepends = ['types']\n[tasks]\ntypes = 'mypy .'\n";
    let taskfile = "version: '3'\ntasks:\n  default:\n    cmds:\n      - task: test\n  test:\n    deps: [lint]\n    cmds:\n      - go test ./...\n\
                    \x20     - cmd: go vet ./...\n  lint:\n    desc: x\n    cmd: golangci-lint run\n  types: tsc\n";
    let composer = r#"{"scripts": {"test": ["@lint", "phpunit"], "lint": "phpstan analyse"}}"#;
    for (file, content, name, expected) in [
        (ScriptFile::PackageJson, package, "test", "test+lint+typecheck"),
        (ScriptFile::PackageJson, package, "typecheck", "typecheck"),
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
