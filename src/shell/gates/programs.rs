//! The table of programs that are quality gates, in the order of their names.

use super::Gates;
use super::Language::{self, Any, Css, DotNet, Elixir, Go, JavaScript, Jvm, Php, Prose, Python, Ruby, Rust, Shell, Solidity, Swift};
use super::table::{BUILD, BUILT, FORMAT, LINT, LINT_FORMAT, LINT_TYPES, Program, Run, TEST, TEST_BUILD, TYPES, program, run};

const JEST_NARROW: &str = "-t --testNamePattern --testPathPattern --testPathPatterns --findRelatedTests --onlyChanged \
     -o --changedSince --onlyFailures -f --selectProjects --shard --lastCommit";
const VITEST_NARROW: &str = "-t --testNamePattern --changed --related --project --shard --dir";
const VITEST_VALUES: &str = "-t --testNamePattern --project --reporter --outputFile --config -c --root -r --dir \
     --environment --pool --maxWorkers --minWorkers --testTimeout --hookTimeout --retry --shard \
     --bail --exclude --coverage.reporter --mode";
const GRADLE_VALUES: &str = "-p --project-dir -b --build-file -c --settings-file -x --exclude-task --tests -I \
     --init-script --console -g";
const MAVEN_VALUES: &str = "-f --file -pl --projects -rf --resume-from -P --activate-profiles -s --settings -T --threads \
     -l --log-file";

const GRADLE: [Run; 11] = [
    run("test", TEST).implies(BUILT).filtered(),
    run("check", TEST).implies(BUILT).superset().without("-x=test --exclude-task=test").filtered(),
    run("build", BUILD).implies(TYPES).superset().needs("-x=test --exclude-task=test").filtered(),
    run("build", TEST_BUILD).implies(TYPES).superset().filtered(),
    run("assemble", BUILD).implies(TYPES).filtered(),
    run("compileJava|compileKotlin|compileTestJava|compileTestKotlin|classes|testClasses", BUILT).filtered(),
    run("connectedCheck|connectedAndroidTest|integrationTest|testDebugUnitTest|testReleaseUnitTest|allTests", TEST).implies(BUILT),
    run("lint|lintDebug|ktlintCheck|detekt|checkstyleMain|pmdMain|spotbugsMain", LINT).filtered(),
    run("spotlessCheck", FORMAT).filtered(),
    run("assembleDebug|assembleRelease|bundleRelease|jar|shadowJar|bootJar", BUILD).implies(TYPES).filtered(),
    run("verify", Gates::NONE).superset(),
];
const MAVEN: [Run; 8] = [
    run("verify|install|package", BUILD)
        .implies(TYPES)
        .needs("-DskipTests -DskipTests=true -Dmaven.test.skip=true -Dmaven.test.skip")
        .whole(),
    run("test", TEST).implies(BUILT).whole(),
    run("verify", TEST_BUILD).implies(TYPES).superset().whole(),
    run("install|package", TEST_BUILD).implies(TYPES).whole(),
    run("compile|test-compile", BUILT).whole(),
    run("spotless:check|fmt:check|formatter:validate", FORMAT).whole(),
    run("checkstyle:check|pmd:check|spotbugs:check|ktlint:check|detekt:check", LINT).whole(),
    run("surefire:test|failsafe:integration-test", TEST).whole(),
];

const fn gradle(name: &'static str) -> Program {
    program(name, Jvm, &GRADLE)
        .values(GRADLE_VALUES)
        .narrow("--tests")
        .dir("-p --project-dir")
        .never("-m tasks projects dependencies")
        .tasks()
}

const fn maven(name: &'static str) -> Program {
    program(name, Jvm, &MAVEN).values(MAVEN_VALUES).narrow("-pl --projects -Dtest -Dit.test").dir("-f --file").own("-V").tasks()
}

const PYTEST: [Run; 1] = [run("", TEST).prints().runner("pytest")];

const fn pytest(name: &'static str) -> Program {
    program(name, Python, &PYTEST)
        .values(
            "-k -m -p -n --numprocesses -c --rootdir --ignore --ignore-glob --deselect --maxfail \
                 --durations --tb --cov --cov-report --cov-config --junitxml --junit-xml -o --override-ini -r \
                 --timeout --basetemp --log-cli-level --log-level --import-mode -W --dist --confcutdir \
                 --capture --color --reruns --html --show-capture --ds --durations-min --cov-fail-under \
                 --cache-show",
        )
        .narrow("-k -m --lf --last-failed --deselect --ignore --ignore-glob --sw --stepwise --testmon --picked")
        .never("--co --fixtures --fixtures-per-test --markers --setup-plan --setup-only --cache-show")
}

/// Every program, in the order of their names.
pub(super) static PROGRAMS: &[Program] = &[
    program("actionlint", Any, &[run("", LINT)]),
    program("ansible-lint", Any, &[run("", LINT)]),
    program("artisan", Php, &[run("test", TEST).prints().runner("phpunit")])
        .values("--filter --testsuite")
        .narrow("--filter --testsuite --group"),
    program("astro", JavaScript, &[run("check", TYPES), run("build", BUILD)]).values("--root").dir("--root").never("--watch"),
    program("autopep8", Python, &[run("", FORMAT).needs("--exit-code --diff -d")]).never("-i --in-place"),
    program("ava", JavaScript, &[run("", TEST).prints()]).values("-m --match --config -c").narrow("-m --match").never("-w"),
    program("bandit", Python, &[run("", LINT)]).values("-c -x -f -o -ll -s -t -p --configfile --exclude"),
    program("basedpyright", Python, &[run("", TYPES).prints().runner("pyright")])
        .values("-p --project --level")
        .dir("-p --project")
        .never("-w"),
    program("bats", Shell, &[run("", TEST).prints()]).values("-f --filter -j --jobs -F --formatter -o").narrow("-f --filter --filter-tags"),
    program("bazel", Any, &[run("test", TEST).implies(BUILD), run("build", BUILD), run("coverage", TEST)])
        .narrow("--test_filter --test_tag_filters")
        .never("--nobuild"),
    program("bazelisk", Any, &[run("test", TEST).implies(BUILD).runner("bazel"), run("build", BUILD).runner("bazel")])
        .narrow("--test_filter"),
    program("behave", Python, &[run("", TEST)]).values("-t --tags -n --name").narrow("-t --tags -n --name"),
    program(
        "biome",
        JavaScript,
        &[
            run("check", LINT).needs("--write --fix --apply --apply-unsafe").prints(),
            run("check|ci", LINT_FORMAT).prints(),
            run("lint", LINT).prints(),
            run("format", FORMAT).without("--write --fix").prints(),
        ],
    )
    .values("--config-path --reporter --only --skip --max-diagnostics --diagnostic-level --since")
    .narrow("--only --changed --staged"),
    program("black", Python, &[run("", FORMAT).needs("--check --diff")])
        .values("-l --line-length -t --target-version --config --exclude -W")
        .errors(),
    program("buck2", Any, &[run("test", TEST).implies(BUILD), run("build", BUILD)]),
    program(
        "buf",
        Any,
        &[run("lint", LINT), run("format", FORMAT).needs("-d --diff --exit-code").without("-w --write"), run("build", BUILD)],
    ),
    program("bun", JavaScript, &[run("test", TEST).prints(), run("build", BUILD).without("--watch").whole()])
        .values(
            "-t --test-name-pattern --timeout --preload -r --cwd --coverage-reporter --reporter --outdir \
                 --target --bail --rerun-each",
        )
        .narrow("-t --test-name-pattern --only")
        .dir("--cwd")
        .errors(),
    program("busted", Any, &[run("", TEST)]).values("-p --pattern --filter -o -c").narrow("--filter --tags -t -p --pattern"),
    program("cabal", Any, &[run("test", TEST).implies(BUILT), run("build", BUILT)]),
    program("cargo", Rust, &CARGO).values(CARGO_VALUES).narrow(CARGO_NARROW).dir("-C --manifest-path").errors(),
    program("cargo-clippy", Rust, &[run("", LINT).implies(TYPES).whole().runner("cargo")]).errors(),
    program("cargo-fmt", Rust, &[run("", FORMAT).needs("--check").whole()]),
    program("cargo-nextest", Rust, &[run("run", TEST).implies(BUILT).filtered().prints().runner("nextest")])
        .values(CARGO_VALUES)
        .narrow(CARGO_NARROW)
        .errors(),
    program("checkstyle", Jvm, &[run("", LINT)]).values("-c -o -f"),
    program("clang-format", Language::C, &[run("", FORMAT).needs("--dry-run -n --Werror -Werror")]).own("--dry-run").never("-i").errors(),
    program("clang-tidy", Language::C, &[run("", LINT)]).values("-p --config-file"),
    program(
        "cmake",
        Language::C,
        &[
            run("", TEST).needs("--target=test --target=check -t=test").whole().runner("ctest"),
            run("", BUILD).implies(TYPES).needs("--build --workflow").without("--target=install --target=clean").whole(),
        ],
    )
    .values("--build --target -t --config -j --parallel --preset")
    .dir("--build"),
    program("cppcheck", Language::C, &[run("", LINT)]),
    program("credo", Elixir, &[run("", LINT)]),
    program("cross", Rust, &CARGO).values(CARGO_VALUES).narrow(CARGO_NARROW).dir("--manifest-path").errors(),
    program("crystal", Any, &[run("spec", TEST).prints(), run("build", BUILD)]),
    program("ctest", Language::C, &[run("", TEST).prints().whole()])
        .values("-R -E -L -LE -j --parallel -C --build-config --test-dir --timeout -I --preset -S -D")
        .narrow("-R -E -L -LE -I --tests-regex --exclude-regex --rerun-failed --label-regex")
        .dir("--test-dir")
        .never("-N --show-only --print-labels")
        .own("-V"),
    program("cucumber", Any, &[run("", TEST)])
        .values("-t --tags -n --name -f --format -r --require -p --profile")
        .narrow("-t --tags -n --name"),
    program("cucumber-js", JavaScript, &[run("", TEST)]).values("-t --tags --name -f --format -r --import -p").narrow("-t --tags --name"),
    program("cypress", JavaScript, &[run("run", TEST).prints()])
        .values("--spec -s --browser -b --config -c --env -e --project -P --reporter -r --config-file -C")
        .narrow("--spec -s")
        .dir("--project -P"),
    program(
        "dart",
        Any,
        &[
            run("test", TEST),
            run("analyze", LINT_TYPES),
            run("format", FORMAT).needs("--set-exit-if-changed --output=none"),
            run("compile", BUILD),
        ],
    )
    .values("-n --name -N --plain-name -t --tags -x -j -r --reporter -o --output -l")
    .narrow("-n --name -N --plain-name -t --tags"),
    program(
        "deno",
        JavaScript,
        &[
            run("test", TEST).implies(TYPES).without("--no-check").prints(),
            run("test", TEST).prints(),
            run("check", TYPES),
            run("lint", LINT),
            run("fmt", FORMAT).needs("--check"),
        ],
    )
    .values("--filter --config -c --ignore --reporter")
    .narrow("--filter"),
    program("detekt", Jvm, &[run("", LINT)]).values("-c --config -i --input -r"),
    program("django-admin", Python, &[run("test", TEST).prints().runner("unittest").filtered()])
        .values("--settings --pythonpath -k --tag")
        .narrow("-k --tag")
        .errors(),
    program("dmypy", Python, &[run("run|check", TYPES).prints().runner("mypy")]).values("--timeout"),
    program("docformatter", Python, &[run("", FORMAT).needs("--check -c")]),
    program(
        "docker",
        Any,
        &[
            run("build|image build|buildx build|builder build", BUILD).whole(),
            run("compose build", BUILD).filtered(),
            run("buildx bake", BUILD).filtered(),
        ],
    )
    .values(
        "-f --file -t --tag --build-arg --target --platform --progress --secret --ssh -p \
             --project-name --project-directory --profile -c --context --cache-from --cache-to --network \
             --output -o --label",
    )
    .never("--check --print"),
    program("docker-compose", Any, &[run("build", BUILD).filtered().runner("docker")])
        .values("-f --file -p --project-name --profile --build-arg"),
    program(
        "dotnet",
        DotNet,
        &[
            run("test", TEST).implies(BUILT).prints(),
            run("build|msbuild|publish|pack", BUILD).implies(TYPES),
            run("format whitespace|format style|format analyzers", FORMAT).needs("--verify-no-changes"),
            run("format", LINT_FORMAT).needs("--verify-no-changes"),
            run("csharpier check", FORMAT),
            run("csharpier", FORMAT).needs("--check"),
            run("fantomas", FORMAT).needs("--check"),
        ],
    )
    .values(
        "-c --configuration -f --framework -r --runtime -v --verbosity -l --logger --filter -s \
             --settings -o --output -p --property --collect --results-directory -a --arch \
             --blame-hang-timeout",
    )
    .narrow("--filter")
    .never("-t --list-tests"),
    program("dprint", Any, &[run("check", FORMAT)]).values("-c --config"),
    program(
        "dune",
        Any,
        &[
            run("test|runtest", TEST).implies(BUILT),
            run("build", BUILD).needs("@runtest @test").superset(),
            run("build", BUILD).implies(TYPES),
        ],
    ),
    program("electron-mocha", JavaScript, &[run("", TEST).prints().runner("mocha")])
        .values("-g --grep -r --require -t --timeout")
        .narrow("-g --grep"),
    program("elm-test", Any, &[run("", TEST).prints()]).values("--compiler --seed --fuzz --report").never("init"),
    program("ember", JavaScript, &[run("test", TEST).prints(), run("build", BUILD)])
        .values("--filter -f --module -m")
        .narrow("--filter -f --module -m")
        .never("--server -s"),
    program("erb_lint", Ruby, &[run("", LINT)]),
    program("erblint", Ruby, &[run("", LINT)]),
    program("esbuild", JavaScript, &[run("", BUILD).needs("--bundle --minify").whole()]).never("--serve"),
    program("eslint", JavaScript, &[run("", LINT)])
        .values(
            "-c --config --ext --rule --plugin --ignore-pattern --ignore-path -f --format -o \
                 --output-file --max-warnings --cache-location --resolve-plugins-relative-to --parser \
                 --parser-options --env --global --cache-strategy --report-unused-disable-directives-severity \
                 --flag",
        )
        .never("--inspect-config --env-info -v"),
    program("eslint_d", JavaScript, &[run("", LINT).runner("eslint")])
        .values("-c --config --ext --rule -f --format")
        .never("stop start restart status"),
    program("fish_indent", Shell, &[run("", FORMAT).needs("--check -c")]),
    program("flake8", Python, &[run("", LINT)])
        .values("--config --exclude --max-line-length --select --ignore --extend-ignore --format -j")
        .narrow("--select"),
    program("flow", JavaScript, &[run("check|focus-check|status", TYPES).prints(), run("", TYPES).prints()])
        .never("start stop server version init"),
    program("flutter", Any, &[run("test", TEST).prints(), run("analyze", LINT_TYPES).prints(), run("build", BUILD).whole()])
        .values("-n --name --plain-name -t --tags -x -j -r --reporter -d --dart-define")
        .narrow("-n --name --plain-name -t --tags"),
    program(
        "forge",
        Solidity,
        &[
            run("test", TEST).implies(BUILD).prints().filtered(),
            run("build|compile", BUILD),
            run("fmt", FORMAT).needs("--check"),
            run("lint", LINT),
            run("coverage", TEST),
        ],
    )
    .values(
        "--match-test --mt --match-contract --mc --match-path --mp --no-match-test --nmt --fork-url \
             -f --root --rpc-url --fork-block-number --fuzz-runs",
    )
    .narrow(
        "--match-test --mt --match-contract --mc --match-path --mp --no-match-test --nmt \
             --no-match-contract --rerun",
    )
    .dir("--root")
    .never("-w"),
    program("gatsby", JavaScript, &[run("build", BUILD).whole()]),
    program("ginkgo", Go, &[run("build", BUILD), run("run", TEST).prints(), run("", TEST).prints()])
        .values("--focus --skip --label-filter")
        .narrow("--focus -focus --skip --label-filter"),
    program(
        "git",
        Any,
        &[run("commit|push", Gates::NONE).superset().whole().without("--no-verify -n"), run("hook run", Gates::NONE).superset().whole()],
    )
    .values("-c -C --git-dir --work-tree --exec-path --namespace -m -F --message --file --author --date -t")
    .dir("-C --work-tree"),
    program("gleam", Any, &[run("test", TEST).prints(), run("check", TYPES), run("build", BUILT), run("format", FORMAT).needs("--check")]),
    program(
        "go",
        Go,
        &[
            run("test", TEST).implies(BUILT).prints(),
            run("build", BUILD).implies(TYPES),
            run("vet", LINT).implies(TYPES),
            run("tool staticcheck", LINT),
        ],
    )
    .values(
        "-C -run -bench -benchtime -count -timeout -cover -coverprofile -coverpkg -covermode -o -tags \
             -ldflags -gcflags -parallel -p -cpu -mod -modfile -skip -fuzz -fuzztime -exec -shuffle \
             -vettool -args -overlay",
    )
    .narrow("-run -skip -fuzz -short --run")
    .dir("-C")
    .never("-c -list -n")
    .errors(),
    program("gofmt", Go, &[run("", FORMAT).needs("-l -d")]).never("-w").values("-r"),
    program("gofumpt", Go, &[run("", FORMAT).needs("-l -d")]).never("-w"),
    program("goimports", Go, &[run("", FORMAT).needs("-l -d")]).never("-w").values("-local"),
    program("golangci-lint", Go, &[run("run", LINT).implies(TYPES), run("fmt", FORMAT).needs("-d --diff")])
        .values(
            "-c --config --timeout -E --enable -D --disable --out-format --new-from-rev --build-tags -p \
                 --presets -j --concurrency --enable-only",
        )
        .narrow("--new-from-rev --new -n --enable-only --fast"),
    program("golint", Go, &[run("", LINT)]),
    program("gotestsum", Go, &[run("", TEST).implies(BUILT).prints()])
        .values("-f --format --jsonfile --junitfile -run -count -timeout -tags")
        .narrow("-run -short")
        .errors(),
    gradle("gradle"),
    gradle("gradlew"),
    program("hadolint", Any, &[run("", LINT)]).values("-c --config -f --format --ignore"),
    program("haml-lint", Ruby, &[run("", LINT)]),
    program("hardhat", Solidity, &[run("test", TEST).implies(BUILD).prints(), run("compile", BUILD), run("coverage", TEST)])
        .values("--network --grep --config")
        .narrow("--grep"),
    program(
        "hatch",
        Python,
        &[run("test", TEST).prints().runner("pytest"), run("fmt", LINT_FORMAT).needs("--check -l"), run("build", BUILD)],
    )
    .values("-i -py --python -e --env")
    .narrow("-k"),
    program("helm", Any, &[run("lint", LINT).prints().whole(), run("unittest", TEST).prints().whole()]).values("-f --values --set"),
    program("htmlhint", JavaScript, &[run("", LINT)]),
    program("invoke-pester", Shell, &[run("", TEST).prints().runner("pester")])
        .values("-Tag -TagFilter -TestName -FullNameFilter -Output -Configuration -CI")
        .narrow("-Tag -TagFilter -TestName -FullNameFilter"),
    program("invoke-scriptanalyzer", Shell, &[run("", LINT)]).values("-Path -Severity -Settings"),
    program("isort", Python, &[run("", FORMAT).needs("--check --check-only -c --diff")]).values("--profile --settings-path -p -l").errors(),
    program("jasmine", JavaScript, &[run("", TEST).prints()]).values("--filter --config --reporter").narrow("--filter").never("init"),
    program("jest", JavaScript, &[run("", TEST).prints()])
        .values(
            "-t --testNamePattern --testPathPattern --testPathPatterns -c --config --rootDir --roots \
                 --selectProjects --projects --reporters --outputFile --maxWorkers --changedSince --shard \
                 --testTimeout --coverageReporters --collectCoverageFrom --coverageDirectory --env \
                 --testEnvironment --bail",
        )
        .narrow(JEST_NARROW)
        .dir("--rootDir")
        .never("-v --watchAll --showConfig --clearCache")
        .errors(),
    program("karma", JavaScript, &[run("start", TEST).needs("--single-run --no-auto-watch").prints(), run("run", TEST).prints()]),
    program("ktlint", Jvm, &[run("", LINT)]).never("installGitPreCommitHook"),
    program("lefthook", Any, &[run("run", Gates::NONE).superset().whole()]).values("--commands"),
    program("lein", Jvm, &[run("test", TEST).prints().filtered(), run("compile|uberjar", BUILD)]),
    program("lint-staged", JavaScript, &[run("", LINT).superset()]).values("-c --config --diff"),
    program("luacheck", Any, &[run("", LINT).prints()]).values("--config --std --globals"),
    program("manage.py", Python, &[run("test", TEST).prints().runner("unittest").filtered()])
        .values("--settings --pythonpath -k --tag --exclude-tag --parallel -v --verbosity --testrunner -p --pattern")
        .narrow("-k --tag --exclude-tag -p --pattern --failed")
        .errors(),
    program("markdownlint", Prose, &[run("", LINT)]).values("-c --config -i --ignore -p").errors(),
    program("markdownlint-cli2", Prose, &[run("", LINT)]).values("--config").errors(),
    program("mdl", Prose, &[run("", LINT)]),
    program("meson", Language::C, &[run("test", TEST).prints().filtered(), run("compile", BUILD).implies(TYPES).whole()])
        .values("-C --suite -t -j --num-processes")
        .narrow("--suite")
        .dir("-C"),
    program(
        "mix",
        Elixir,
        &[
            run("test", TEST).implies(BUILT).prints(),
            run("compile", BUILT),
            run("format", FORMAT).needs("--check-formatted --dry-run"),
            run("credo", LINT).prints(),
            run("dialyzer", TYPES).prints(),
            run("coveralls", TEST).prints(),
            run("precommit|check|ci", Gates::NONE).superset(),
        ],
    )
    .values("--only --exclude --include --seed --max-failures --partitions --timeout --env -e")
    .narrow("--only --exclude --stale --failed"),
    program("mocha", JavaScript, &[run("", TEST).prints()])
        .values(
            "-g --grep -f --fgrep -r --require -R --reporter -t --timeout --config --spec --extension -u \
                 --ui --import -n --loader --ignore -O",
        )
        .narrow("-g --grep -f --fgrep")
        .never("-w"),
    program("moon", Any, &[run("check|ci", Gates::NONE).superset()]),
    maven("mvn"),
    maven("mvnd"),
    maven("mvnw"),
    program("mypy", Python, &[run("", TYPES).prints()])
        .values(
            "-p --package -m --module --config-file --python-version --exclude -c --command --cache-dir \
                 --platform --python-executable --custom-typeshed-dir",
        )
        .narrow("-p --package -m --module")
        .never("-c --command"),
    program("nest", JavaScript, &[run("build", BUILD).implies(TYPES)]).values("-c --config -p --path").never("-w"),
    program("next", JavaScript, &[run("build", BUILD).implies(TYPES).prints().whole(), run("lint", LINT).prints()])
        .values("-d --dir -f --file")
        .narrow("-f --file"),
    program(
        "ng",
        JavaScript,
        &[
            run("test", TEST).needs("--watch=false --no-watch --browsers=ChromeHeadless --browsers").prints().whole(),
            run("build", BUILD).implies(TYPES).without("--watch").whole(),
            run("lint", LINT),
            run("e2e", TEST),
        ],
    )
    .values("--browsers --include --project -c --configuration")
    .narrow("--include --project"),
    program("nightwatch", JavaScript, &[run("", TEST).prints()])
        .values("-e --env -t --test -g --group --tag -c --config")
        .narrow("-t --test -g --group --tag"),
    program("nimble", Any, &[run("test", TEST), run("build", BUILD).whole()]),
    program("ninja", Language::C, &[run("test|check", TEST).whole(), run("install|clean", Gates::NONE), run("", BUILD).implies(TYPES)])
        .values("-C -f -j -k -l -t")
        .dir("-C")
        .never("-n -t")
        .tasks(),
    program("nix", Any, &[run("flake check", Gates::NONE).superset().whole(), run("build", BUILD)]),
    program("node", JavaScript, &[run("", TEST).needs("--test").prints()])
        .values(
            "--test-name-pattern --test-skip-pattern --test-reporter --test-reporter-destination \
                 --test-concurrency --test-timeout --import --require -r --loader --experimental-loader \
                 --env-file",
        )
        .narrow("--test-name-pattern --test-skip-pattern --test-only")
        .never("-e --eval -p --print --watch -v"),
    program("nose2", Python, &[run("", TEST).prints().runner("unittest").filtered()]).values("-s -t -c").errors(),
    program("nosetests", Python, &[run("", TEST).prints().runner("unittest")]).errors(),
    program("nox", Python, &[run("", TEST).superset().prints().whole()])
        .values("-s --session --sessions -f -k -t -p --python")
        .narrow("-s --session --sessions -k -t")
        .never("-l"),
    program("nuxi", JavaScript, &[run("typecheck", TYPES), run("build", BUILD)]),
    program("nuxt", JavaScript, &[run("typecheck", TYPES), run("build|generate", BUILD)]),
    program("nx", JavaScript, &[run("format:check", FORMAT)]),
    program("oxfmt", JavaScript, &[run("", FORMAT).needs("--check")]),
    program("oxlint", JavaScript, &[run("", LINT).prints()])
        .values("-c --config -D -W -A --ignore-pattern --ignore-path -f --format --tsconfig --max-warnings --threads"),
    program("paratest", Php, &[run("", TEST).prints().runner("phpunit")])
        .values("-p -c --filter --testsuite")
        .narrow("--filter --testsuite --group"),
    program("parcel", JavaScript, &[run("build", BUILD).whole()]),
    program("pest", Php, &[run("", TEST).prints()])
        .values("-c --configuration --filter --testsuite --group --exclude-group")
        .narrow("--filter --testsuite --group --dirty --retry"),
    program("phan", Php, &[run("", LINT)]),
    program("php-cs-fixer", Php, &[run("fix", FORMAT).needs("--dry-run"), run("check", FORMAT)])
        .values("--config --rules")
        .own("--dry-run")
        .errors(),
    program("phpcs", Php, &[run("", LINT)]),
    program("phpstan", Php, &[run("analyse|analyze", LINT_TYPES).prints(), run("", LINT_TYPES).prints()])
        .values("-l --level -c --configuration --memory-limit --error-format -a")
        .never("clear-result-cache"),
    program("phpunit", Php, &[run("", TEST).prints()])
        .values(
            "-c --configuration --filter --testsuite --group --exclude-group --bootstrap --log-junit \
                 --order-by --coverage-text --coverage-clover --printer",
        )
        .narrow("--filter --testsuite --group --exclude-group --exclude-filter")
        .never("--list-tests --list-suites --list-groups --generate-configuration"),
    program("pint", Php, &[run("", FORMAT).needs("--test --bail")]).values("--config --preset").narrow("--dirty --diff"),
    program("playwright", JavaScript, &[run("test", TEST).prints()])
        .values(
            "-g --grep --grep-invert --project -c --config --reporter --workers -j --retries --timeout \
                 --output --max-failures --shard --repeat-each --global-timeout --trace --tsconfig",
        )
        .narrow("-g --grep --grep-invert --project --shard --last-failed --only-changed")
        .never("--ui --debug"),
    program(
        "podman",
        Any,
        &[run("build|image build", BUILD).whole().runner("docker"), run("compose build", BUILD).filtered().runner("docker")],
    )
    .values("-f --file -t --tag --build-arg --target --platform"),
    program("pre-commit", Any, &[run("run", Gates::NONE).superset().whole(), run("try-repo", LINT)])
        .values("--files --from-ref --to-ref --hook-stage -c --config -s -o")
        .narrow("--files --from-ref"),
    program(
        "prek",
        Any,
        &[
            run("run", Gates::NONE).superset().whole().runner("pre-commit"),
            run("", Gates::NONE).superset().whole().needs("-a --all-files").runner("pre-commit"),
        ],
    )
    .values("--files --from-ref --to-ref"),
    program("prettier", JavaScript, &[run("", FORMAT).needs("--check -c -l --list-different").without("--write -w")])
        .values("--config --ignore-path --plugin --parser --log-level --loglevel --cache-location")
        .errors(),
    program("protolint", Any, &[run("", LINT)]),
    program("prove", Any, &[run("", TEST).prints()]).values("-I -j -e --exec").own("-V"),
    program("psalm", Php, &[run("", LINT_TYPES).prints()]).values("-c --config"),
    pytest("py.test"),
    program("pycodestyle", Python, &[run("", LINT)]),
    program("pydocstyle", Python, &[run("", LINT)]),
    program("pyflakes", Python, &[run("", LINT)]),
    program("pylint", Python, &[run("", LINT)]).values("--rcfile --disable --enable -j --ignore -f --output-format --fail-under -d -e"),
    program("pyre", Python, &[run("check", TYPES), run("", TYPES)]).never("start stop init"),
    program("pyrefly", Python, &[run("check", TYPES).prints()]),
    program("pyright", Python, &[run("", TYPES).prints()])
        .values("-p --project --level --pythonversion --pythonplatform --pythonpath --threads")
        .dir("-p --project")
        .never("-w --createstub"),
    pytest("pytest"),
    program("pytype", Python, &[run("", TYPES)]),
    program("qunit", JavaScript, &[run("", TEST).prints()]).values("-f --filter -m --module").narrow("-f --filter -m --module"),
    program(
        "rails",
        Ruby,
        &[
            run("test|test:all|test:system|test:models|test:controllers", TEST).prints(),
            run("spec", TEST).prints().runner("rspec"),
            run("zeitwerk:check", LINT),
        ],
    )
    .values("-n --name -e --environment -s --seed")
    .narrow("-n --name"),
    program("react-router", JavaScript, &[run("build", BUILD).whole(), run("typegen", Gates::NONE)]),
    program("react-scripts", JavaScript, &[run("test", TEST).prints().runner("jest"), run("build", BUILD).prints().whole()])
        .values("-t --testNamePattern")
        .narrow(JEST_NARROW),
    program(
        "rebar3",
        Elixir,
        &[run("eunit|ct|proper", TEST).implies(BUILD).prints(), run("compile", BUILD).prints(), run("dialyzer", TYPES).prints()],
    )
    .values("--module --suite --case")
    .narrow("--module --suite --case"),
    program("remark", Prose, &[run("", LINT).needs("--frail -f")]),
    program("revive", Go, &[run("", LINT)]).values("-config -formatter"),
    program("rollup", JavaScript, &[run("", BUILD).needs("-c --config -i --input -o --file").whole()]).never("-w").errors(),
    program("rsbuild", JavaScript, &[run("build", BUILD).whole()]).values("-c --config"),
    program("rspack", JavaScript, &[run("build", BUILD).whole()]).values("-c --config"),
    program("rspec", Ruby, &[run("", TEST).prints()])
        .values("-e --example -t --tag -f --format -o --out -r --require -P --pattern --seed -I --order -E")
        .narrow("-e --example -t --tag -P --pattern --only-failures --next-failure"),
    program("rubocop", Ruby, &[run("", LINT).prints()])
        .values("-c --config --only --except -f --format -o --out --fail-level")
        .narrow("--only")
        .never("-L --list-target-files --show-cops --auto-gen-config"),
    program("ruff", Python, &[run("check", LINT), run("format", FORMAT).needs("--check --diff")])
        .values(
            "--select --ignore --extend-select --extend-ignore --config --output-format --target-version \
                 --line-length --exclude --per-file-ignores --fixable --unfixable -o --output-file \
                 --cache-dir",
        )
        .narrow("--select")
        .never("--show-files --show-settings --add-noqa -w"),
    program("rustfmt", Rust, &[run("", FORMAT).needs("--check")]).values("--edition --config --config-path"),
    program("sail", Php, &[run("test|artisan test|pest|phpunit", TEST).prints().runner("phpunit"), run("pint", FORMAT).needs("--test")])
        .values("--filter --testsuite")
        .narrow("--filter --testsuite --group"),
    program(
        "sbt",
        Jvm,
        &[
            run("test|testOnly|testQuick|Test/test|it:test", TEST).implies(BUILT).filtered(),
            run("compile|Test/compile|test:compile", BUILT).filtered(),
            run("scalafmtCheck|scalafmtCheckAll|scalafmtSbtCheck", FORMAT),
            run("assembly|package", BUILD),
        ],
    )
    .tasks(),
    program("scala-cli", Jvm, &[run("test", TEST).implies(BUILT), run("compile", BUILT)]),
    program("scalafmt", Jvm, &[run("", FORMAT).needs("--test --check")]),
    program("setup.py", Python, &[run("test", TEST)]),
    program("shellcheck", Shell, &[run("", LINT)])
        .values("-s --shell -e --exclude -f --format -S --severity -P --source-path -o --enable -W"),
    program("shfmt", Shell, &[run("", FORMAT).needs("-d --diff -l --list")]).values("-i -ln --indent").never("-w --write"),
    program("slim-lint", Ruby, &[run("", LINT)]),
    program("solhint", Solidity, &[run("", LINT)]),
    program("sqlfluff", Any, &[run("lint", LINT)]).values("--dialect"),
    program("srb", Ruby, &[run("tc", TYPES).prints(), run("", TYPES).prints().needs("typecheck")]).errors(),
    program("stack", Any, &[run("test", TEST).implies(BUILT), run("build", BUILT)]),
    program("standard", JavaScript, &[run("", LINT)]),
    program("standardrb", Ruby, &[run("", LINT)]),
    program("staticcheck", Go, &[run("", LINT).implies(TYPES)]).values("-checks -f -go -tags"),
    program("steep", Ruby, &[run("check", TYPES).prints()]),
    program("stylelint", Css, &[run("", LINT)]).values("-c --config --ignore-path -f --formatter --custom-syntax --ip").errors(),
    program("stylua", Any, &[run("", FORMAT).needs("--check -c")]),
    program("svelte-check", JavaScript, &[run("", TYPES).prints()])
        .values("--tsconfig --workspace --output --threshold --fail-on-warnings")
        .dir("--workspace"),
    program("swift", Swift, &[run("test", TEST).implies(BUILT).prints(), run("build", BUILD).implies(TYPES), run("format lint", FORMAT)])
        .values(
            "--filter --skip --package-path -c --configuration --product --target --scratch-path -Xswiftc \
                 -j --build-path --specifier -s",
        )
        .narrow("--filter --skip --target --product --specifier -s")
        .dir("--package-path")
        .never("list"),
    program("swift-format", Swift, &[run("lint", FORMAT)]).errors(),
    program("swiftformat", Swift, &[run("", FORMAT).needs("--lint --dryrun")]).values("--config --rules").errors(),
    program("swiftlint", Swift, &[run("lint|analyze", LINT).prints(), run("", LINT).prints()])
        .values("--config --reporter")
        .never("rules generate-docs")
        .errors(),
    program("tap", JavaScript, &[run("run", TEST).prints(), run("", TEST).prints()])
        .values("-R --reporter -g --grep")
        .narrow("-g --grep")
        .never("-w"),
    program("tape", JavaScript, &[run("", TEST).prints()]).values("-r --require -i --ignore"),
    program("taplo", Any, &[run("lint|check", LINT), run("fmt|format", FORMAT).needs("--check")]),
    program(
        "terraform",
        Any,
        &[run("validate", LINT).prints().whole(), run("fmt", FORMAT).needs("-check --check"), run("test", TEST).prints().whole()],
    )
    .dir("-chdir"),
    program("testcafe", JavaScript, &[run("", TEST).prints().whole()]).values("-t --test -f --fixture").narrow("-t --test -f --fixture"),
    program("textlint", Prose, &[run("", LINT)]),
    program("tflint", Any, &[run("", LINT)]).never("--init init"),
    program(
        "tofu",
        Any,
        &[run("validate", LINT).prints().whole(), run("fmt", FORMAT).needs("-check --check"), run("test", TEST).prints().whole()],
    )
    .dir("-chdir"),
    program("tox", Python, &[run("run|run-parallel|r|p", TEST).superset().prints().whole(), run("", TEST).superset().prints().whole()])
        .values("-e -c --conf -p --parallel --workdir -m -f --root")
        .narrow("-e -m -f")
        .never("-l --listenvs -a --listenvs-all --showconfig list l config c --notest devenv"),
    program("ts-mocha", JavaScript, &[run("", TEST).prints().runner("mocha")])
        .values("-p --paths -g --grep -r --require -t --timeout")
        .narrow("-g --grep")
        .never("-w"),
    program("ts-standard", JavaScript, &[run("", LINT)]),
    program("tsc", JavaScript, &TSC).values(TSC_VALUES).dir(TSC_DIR).never(TSC_NEVER),
    program("tsd", JavaScript, &[run("", TYPES)]),
    program("tsdown", JavaScript, &[run("", BUILD).whole()]).values("-c --config").never("-w"),
    program("tslint", JavaScript, &[run("", LINT)]).values("-c --config -p --project"),
    program("tsup", JavaScript, &[run("", BUILD).whole()]),
    program("tsx", JavaScript, &[run("", TEST).needs("--test").prints().runner("node")])
        .values("--test-name-pattern --test-reporter --tsconfig")
        .narrow("--test-name-pattern --test-only")
        .never("watch"),
    program("tuist", Swift, &[run("test", TEST).implies(BUILT).filtered(), run("build", BUILD).filtered()]),
    program("ty", Python, &[run("check", TYPES).prints()])
        .values("--project --python --python-version --config --ignore --error --warn")
        .dir("--project"),
    program("unbuild", JavaScript, &[run("", BUILD).whole()]),
    program("unittest", Python, &[run("discover", TEST).prints().whole(), run("", TEST).prints().filtered()])
        .values("-s -p -t -k --start-directory --pattern")
        .narrow("-k -p --pattern")
        .errors(),
    program("uvu", JavaScript, &[run("", TEST).prints().whole()]).values("-r --require -i --ignore"),
    program("vale", Prose, &[run("", LINT)]).never("sync"),
    program("vite", JavaScript, &[run("build", BUILD).prints()]).values("-c --config --mode -m --outDir --base -l --logLevel"),
    program("vitest", JavaScript, &[run("related", TEST).prints().filtered(), run("run|", TEST).prints()])
        .values(VITEST_VALUES)
        .narrow(VITEST_NARROW)
        .dir("--root -r")
        .never("watch dev list bench init -w --ui --standalone"),
    program(
        "vue-cli-service",
        JavaScript,
        &[run("test:unit|test:e2e", TEST).prints(), run("build", BUILD).prints().whole(), run("lint", LINT).prints()],
    ),
    program("vue-tsc", JavaScript, &TSC).values(TSC_VALUES).dir(TSC_DIR).never(TSC_NEVER),
    program("wasm-pack", Rust, &[run("test", TEST).implies(BUILT).prints().whole(), run("build", BUILD).implies(TYPES).whole()]),
    program("wdio", JavaScript, &[run("run|", TEST).prints()])
        .values("--spec --suite")
        .narrow("--spec --suite")
        .never("config install repl"),
    program("web-test-runner", JavaScript, &[run("", TEST).prints()]).values("--config --group").narrow("--group"),
    program("webpack", JavaScript, &[run("build|bundle|b", BUILD).whole(), run("", BUILD).whole()])
        .values("-c --config --mode --env")
        .never("serve watch w s info -w init"),
    program("wtr", JavaScript, &[run("", TEST).prints()]).values("--config --group").narrow("--group"),
    program(
        "xcodebuild",
        Swift,
        &[
            run("test|test-without-building", TEST).implies(BUILT).prints().whole(),
            run("build|archive|build-for-testing|analyze", BUILD).implies(TYPES).whole(),
        ],
    )
    .values(
        "-scheme -project -workspace -destination -configuration -sdk -derivedDataPath -target \
             -resultBundlePath -testPlan -arch -xcconfig -archivePath",
    )
    .narrow("-only-testing -skip-testing -testPlan")
    .never("-list -version -showBuildSettings -showsdks -showdestinations -help")
    .tasks(),
    program("xmake", Any, &[run("test", TEST), run("build", BUILD)]),
    program("xo", JavaScript, &[run("", LINT)]),
    program("yamllint", Any, &[run("", LINT)]).values("-c -d -f"),
    program("yapf", Python, &[run("", FORMAT).needs("-d --diff -q --quiet")]).never("-i --in-place"),
    program(
        "zig",
        Any,
        &[
            run("build test", TEST).implies(BUILT).whole(),
            run("test", TEST).implies(BUILT),
            run("build", BUILT).whole(),
            run("fmt", FORMAT).needs("--check"),
        ],
    )
    .values("--test-filter -O -target")
    .narrow("--test-filter")
    .errors(),
    program("zizmor", Any, &[run("", LINT).prints()]),
];

const CARGO_VALUES: &str = "-p --package --manifest-path --target --features -F -j --jobs --test --bin --example --bench \
     --profile --color --message-format --target-dir --exclude --config -Z -C --test-threads \
     --skip -D -W -A -E --filter-expr --filterset --partition --cargo-profile --retries \
     --rust-version --group-features --feature-powerset";
const CARGO_NARROW: &str = "-p --package --lib --bin --bins --test --tests --example --examples --bench --doc --exclude \
     --exact --skip --ignored -E --filter-expr --filterset --partition";

const CARGO: [Run; 20] = [
    run("test|t", TEST).implies(BUILT).filtered().prints(),
    run("nextest run|nextest r", TEST).implies(BUILT).filtered().prints().runner("nextest"),
    run("miri test", TEST).implies(BUILT).filtered().prints(),
    run("miri nextest run", TEST).implies(BUILT).filtered().prints().runner("nextest"),
    run("careful test", TEST).implies(BUILT).filtered().prints(),
    run("insta test", TEST).implies(BUILT).filtered().prints(),
    run("llvm-cov nextest", TEST).implies(BUILT).filtered().prints().runner("nextest"),
    run("llvm-cov report|llvm-cov clean", Gates::NONE),
    run("llvm-cov", TEST).implies(BUILT).whole().prints(),
    run("tarpaulin", TEST).implies(BUILT).whole().prints(),
    run("mutants", TEST).whole(),
    run("hack test|hack nextest", TEST).implies(BUILT).filtered().prints(),
    run("hack check", TYPES).whole(),
    run("hack build", BUILD).implies(TYPES).whole(),
    run("hack clippy", LINT).implies(TYPES).whole(),
    run("check|c|zigcheck", TYPES).whole(),
    run("build|b|zigbuild|rustc", BUILD).implies(TYPES).whole(),
    run("clippy", LINT).implies(TYPES).whole(),
    run("fmt", FORMAT).needs("--check").whole(),
    run("xtask ci|xtask check|xtask verify|ci", Gates::NONE).superset().whole(),
];

const TSC: [Run; 3] =
    [run("", BUILT).needs("-b --build"), run("", TYPES).needs("--noEmit --noemit --emitDeclarationOnly"), run("", TYPES).implies(BUILD)];
const TSC_VALUES: &str = "-p --project --target -t --module -m --outDir --rootDir --lib --jsx --moduleResolution \
     --types --declarationDir";
const TSC_DIR: &str = "-p --project";
const TSC_NEVER: &str = "-w -v --showConfig --listFilesOnly --clean --all";
