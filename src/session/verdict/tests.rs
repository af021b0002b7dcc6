mod samples;

use proptest::prelude::*;

use Gate::{Build, Format, Lint, Test, Typecheck};
use Verdict::{Fail, NothingExecuted, Pass, Unknown};

use super::*;

fn asked(gate: Gate, runner: &'static str) -> Asked {
    Asked { gate, runner, alone: true, whole: true }
}

/// Each output gets the verdict, asked of the class and the program.
fn check(cases: &[(Gate, &'static str, &str, Verdict)]) {
    for &(gate, runner, output, want) in cases {
        let got = summary(output, &asked(gate, runner));
        assert_eq!(got.verdict, want, "{gate:?} {runner:?} {output:?}: {got:?}");
    }
}

#[test]
fn compiled_languages() {
    check(&[
        (Test, "cargo", "running 2 tests\n..\ntest result: ok. 2 passed; 0 failed; 0 ignored; finished in 0.00s\n", Pass),
        (Test, "cargo", "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out", Fail),
        (Test, "cargo", "error: test failed, to rerun pass `--lib`", Fail),
        (Test, "cargo", "test a::b ... FAILED", Fail),
        (Test, "cargo", "error[E0308]: printed by a test\ntest result: ok. 2 passed; 0 failed", Pass),
        (Test, "cargo", "error: 2 targets failed:\n    `--lib`", Fail),
        (Test, "cargo", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored", NothingExecuted),
        (Test, "cargo", "test result: ok. 4 passed; 0 failed\n   Doc-tests a\ntest result: ok. 0 passed; 0 failed", Pass),
        (Test, "cargo", "error[E0308]: mismatched types\nerror: could not compile `a` (lib test) due to 1 previous error", Fail),
        (Build, "cargo", "error: could not compile `a` (bin \"a\") due to 2 previous errors", Fail),
        (Typecheck, "cargo", "error[E0308]: mismatched types", Fail),
        (Build, "cargo", "    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.05s", Pass),
        (Build, "cargo", "    Finished dev [unoptimized + debuginfo] target(s) in 0.05s", Pass),
        (Test, "cargo", "    Finished `test` profile [unoptimized] target(s) in 0.05s\n     Running unittests", Unknown),
        (Lint, "clippy", "warning: `a` (lib) generated 3 warnings\n    Finished `dev` profile [unoptimized] target(s) in 0.2s", Pass),
        (Lint, "clippy", "error: could not compile `a` (lib) due to 3 previous errors", Fail),
        (Format, "cargo", "Diff in /home/dev/app/src/main.rs:3:\n-fn  a()\n+fn a()", Fail),
        (Format, "cargo", "Diff in /home/dev/app/src/main.rs at line 3:", Fail),
        (Test, "nextest", "     Summary [   0.512s] 10 tests run: 9 passed, 1 failed, 2 skipped", Fail),
        (Test, "nextest", "     Summary [   0.512s] 1 test run: 1 passed, 0 skipped", Pass),
        (Test, "nextest", "     Summary [   0.5s] 5/9 tests run: 4 passed (1 slow), 1 timed out, 0 skipped", Fail),
        (Test, "nextest", "    Starting 0 tests across 1 binary\nerror: no tests to run", NothingExecuted),
        (Test, "go", "ok  \texample.com/a\t0.1s\n?   \texample.com/b\t[no test files]\n", Pass),
        (Test, "go", "ok  \texample.com/a\t(cached)", Pass),
        (Test, "go", "?   \texample.com/b\t[no test files]", NothingExecuted),
        (Test, "go", "testing: warning: no tests to run\nPASS\nok  \texample.com/a\t0.1s [no tests to run]", NothingExecuted),
        (Test, "go", "--- FAIL: TestNew", Fail),
        (Test, "go", "ok  \texample.com/a\t0.1s\nFAIL\texample.com/b [build failed]\nFAIL", Fail),
        (Test, "go", "ok  \texample.com/a\t0.1s\nFAIL", Fail),
        (Test, "go", "panic: runtime error: index out of range\n\ngoroutine 1 [running]:", Fail),
        (Build, "go", "# example.com/a\n./a.go:3:5: undefined: x", Fail),
        (Lint, "go", "# example.com/a\n./a.go:3:5: unreachable code", Fail),
        (Format, "gofmt", "cmd/main.go\n", Fail),
        (Test, "gotestsum", "DONE 3 tests, 1 failure in 0.1s", Fail),
        (Test, "gotestsum", "DONE 3 tests in 0.1s", Pass),
        (Test, "ginkgo", "FAIL! -- 2 Passed | 1 Failed | 0 Pending | 0 Skipped", Fail),
        (Test, "maven", "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE", Fail),
        (Test, "mvn", "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS", Pass),
        (Test, "mvn", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS", NothingExecuted),
        (Build, "mvn", "[ERROR] COMPILATION ERROR : ", Fail),
        (Test, "gradle", "3 tests completed, 1 failed\n\nFAILURE: Build failed with an exception.\nBUILD FAILED in 2s", Fail),
        (Test, "gradle", "BUILD SUCCESSFUL in 2s\n3 actionable tasks: 3 executed", Pass),
        (Test, "gradle", "> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 2s", NothingExecuted),
        (Test, "gradle", "> Task :a:test NO-SOURCE\n> Task :b:test\n\nBUILD SUCCESSFUL in 2s", Pass),
        (Test, "sbt", "[info] Passed: Total 3, Failed 0, Errors 0, Passed 3", Pass),
        (Test, "sbt", "[error] Failed: Total 3, Failed 1, Errors 0, Passed 2", Fail),
        (Test, "dotnet", "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 8 ms - a.dll (net8.0)", Pass),
        (Test, "dotnet", "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 8 ms - a.dll", Fail),
        (Test, "dotnet", "Test Run Failed.", Fail),
        (Test, "dotnet", "Test summary: total: 3, failed: 1, succeeded: 2, skipped: 0, duration: 1.2s", Fail),
        (Test, "dotnet", "No test is available in /home/dev/app/a.dll. Make sure that …", NothingExecuted),
        (Build, "dotnet", "Build succeeded.\n    2 Warning(s)\n    0 Error(s)", Pass),
        (Build, "dotnet", "Build FAILED.\n    1 Error(s)", Fail),
        (Test, "swift", "Executed 3 tests, with 1 failure (0 unexpected) in 0.1 (0.2) seconds", Fail),
        (Test, "swift", "✔ Test run with 3 tests in 1 suite passed after 0.001 seconds.", Pass),
        (Test, "swift", "✘ Test run with 3 tests failed after 0.001 seconds with 1 issue.", Fail),
        (Test, "xcodebuild", "** TEST SUCCEEDED **", Pass),
        (Test, "xcodebuild", "** TEST FAILED **", Fail),
        (Typecheck, "tsc", "src/a.ts(1,1): error TS2304", Fail),
        (Typecheck, "tsc", "src/a.ts:1:1 - error TS2304: Cannot find name 'x'.", Fail),
        (Typecheck, "tsc", "Found 3 errors in 2 files.\n\nErrors  Files\n     2  a.ts:3", Fail),
        (Typecheck, "tsc", "Found 0 errors.", Pass),
        (Typecheck, "", "Found 0 errors.", Pass),
        (Test, "flutter", "00:03 +5: All tests passed!", Pass),
        (Test, "flutter", "00:03 +4 -1: Some tests failed.", Fail),
    ]);
}

#[test]
fn scripting_languages() {
    check(&[
        (Test, "pytest", "=== 1 failed, 2 passed in 0.1s ===", Fail),
        (Test, "pytest", "7 failed, 4985 passed in 61.2s (0:01:01)", Fail),
        (Test, "pytest", "12 passed, 3 warnings in 1.20s", Pass),
        (Test, "pytest", "1 failed", Fail),
        (Test, "pytest", "ERROR tests/test_a.py\n!!!!! Interrupted: 1 error during collection !!!!!\n1 error in 0.2s", Fail),
        (Test, "pytest", "!!!!!!! Interrupted: 1 error during collection !!!!!!!", Fail),
        (Test, "pytest", "no tests ran in 0.01s", NothingExecuted),
        (Test, "pytest", "collected 0 items\n\n=== no tests ran in 0.01s ===", NothingExecuted),
        (Test, "pytest", "5 deselected in 0.01s", NothingExecuted),
        (Test, "pytest", "2 skipped in 0.01s", NothingExecuted),
        (Test, "pytest", "FAIL Required test coverage of 90% not reached. Total coverage: 71.00%\n12 passed in 0.3s", Fail),
        (Test, "pytest", "1,234 passed in 61.20s (0:01:01)", Pass),
        (Test, "pytest", "3 passed, 1 xfailed in 0.1s", Pass),
        (Test, "unittest", "Ran 3 tests in 0.1s\n\nOK", Pass),
        (Test, "unittest", "Ran 3 tests in 0.100s\n\nFAILED (failures=1)", Fail),
        (Test, "unittest", "Ran 0 tests in 0.000s\n\nNO TESTS RAN", NothingExecuted),
        (Test, "unittest", "Ran 2 tests in 0.000s\n\nOK (skipped=2)", NothingExecuted),
        (Test, "rspec", "3 examples, 0 failures, 1 pending", Pass),
        (Test, "rspec", "3 examples, 1 failure", Fail),
        (Test, "rspec", "0 examples, 0 failures", NothingExecuted),
        (Test, "rails", "3 runs, 3 assertions, 0 failures, 0 errors, 0 skips", Pass),
        (Test, "minitest", "3 runs, 3 assertions, 0 failures, 1 errors, 0 skips", Fail),
        (Test, "phpunit", "OK (3 tests, 3 assertions)", Pass),
        (Test, "phpunit", "FAILURES!\nTests: 3, Assertions: 3, Failures: 1.", Fail),
        (Test, "phpunit", "No tests executed!", NothingExecuted),
        (Test, "pest", "  Tests:    1 failed, 2 passed (5 assertions)\n  Duration: 0.1s", Fail),
        (Test, "pest", "  Tests:    2 passed (5 assertions)", Pass),
        (Test, "mix", "3 tests, 0 failures", Pass),
        (Test, "mix", "2 doctests, 3 tests, 1 failure", Fail),
        (Test, "mix", "There are no tests to run", NothingExecuted),
        (Test, "prove", "Files=1, Tests=3,  0 wallclock secs\nResult: PASS", Pass),
        (Test, "prove", "Result: FAIL", Fail),
        (Test, "bats", "3 tests, 1 failure", Fail),
        (Test, "busted", "3 successes / 1 failure / 0 errors / 0 pending : 0.01 seconds", Fail),
        (Test, "behave", "2 features passed, 1 failed, 0 skipped\n5 scenarios passed, 1 failed, 0 skipped", Fail),
        (Test, "pytest", "tests/test_a.py::test_b FAILED                  [ 50%]", Fail),
        (Test, "unittest", "FAIL: test_a (m.C.test_a)", Fail),
        (Test, "pester", "Tests Passed: 3, Failed: 1, Skipped: 0 NotRun: 0", Fail),
    ]);
}

#[test]
fn javascript() {
    check(&[
        (Test, "jest", "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 5 passed, 6 total", Fail),
        (Test, "jest", "Test Suites: 2 passed, 2 total\nTests:       5 passed, 5 total\nSnapshots:   0 total", Pass),
        (Test, "jest", "Test Suites: 1 failed, 2 passed, 3 total\nTests:       5 passed, 5 total", Fail),
        (Test, "jest", "No tests found, exiting with code 1\nRun with `--passWithNoTests`", NothingExecuted),
        (Test, "jest", "Tests:       3 skipped, 3 total", NothingExecuted),
        (Test, "jest", "Jest: \"global\" coverage threshold for lines (90%) not met: 71%\nTests:       5 passed, 5 total", Fail),
        (Test, "jest", "FAIL src/a.test.ts (5.12 s)", Fail),
        (Test, "vitest", " Test Files  12 failed (20)\n      Tests  96 passed (96)", Fail),
        (Test, "vitest", " Test Files  1 passed (1)\n      Tests  96 passed (96)\n   Duration  1.2s", Pass),
        (Test, "vitest", "ERROR: Coverage for lines (71%) does not meet global threshold (90%)\n  Tests  9 passed (9)", Fail),
        (Test, "vitest", " ❯ src/a.test.ts (5 tests | 1 failed) 10ms", Fail),
        (Test, "vitest", "No test files found, exiting with code 1", NothingExecuted),
        (Test, "mocha", "  12 passing (10ms)", Pass),
        (Test, "mocha", "  12 passing (10ms)\n  1 failing\n\n  1) a\n       b:", Fail),
        (Test, "mocha", "  0 passing (1ms)", NothingExecuted),
        (Test, "", "3 failing", Fail),
        (Test, "ava", "  1 test failed", Fail),
        (Test, "ava", "  3 tests passed", Pass),
        (Test, "bun", " 1351 pass\n 114 fail\nerror: script \"test\" exited with code 1", Fail),
        (Test, "bun", "1219 pass\n 0 fail", Pass),
        (Test, "bun", " 0 pass\n 2 skip\n 0 fail\nRan 2 tests across 1 file. [5.00ms]", NothingExecuted),
        (Test, "deno", "ok | 3 passed | 0 failed (12ms)", Pass),
        (Test, "deno", "FAILED | 2 passed | 1 failed (12ms)\n\nerror: Test failed", Fail),
        (Test, "node", "# tests 3\n# pass 3\n# fail 0", Pass),
        (Test, "node", "ℹ tests 3\nℹ pass 2\nℹ fail 1", Fail),
        (Test, "node", "# tests 0\n# suites 0\n# pass 0\n# fail 0", NothingExecuted),
        (Test, "playwright", "  1 failed\n    [chromium] › a.spec.ts:3:5 › title\n  3 passed (2.1s)", Fail),
        (Test, "playwright", "  3 passed (2s)", Pass),
        (Test, "cypress", "    ✔  All specs passed!                        00:02        3        3", Pass),
        (Test, "cypress", "    ✖  1 of 2 failed (50%)                      00:04", Fail),
        (Test, "forge", "Suite result: ok. 3 passed; 0 failed; 0 skipped; finished in 5.12ms", Pass),
        (Test, "forge", "Ran 2 test suites in 10.02ms (5.1ms CPU time): 5 tests passed, 1 failed, 0 skipped (6 total tests)", Fail),
        (Build, "vite", "✓ built in 2.10s", Pass),
        (Build, "vite", "vite v6 built in 2.1s", Pass),
        (Build, "vite", "error during build:\nRollupError: x", Fail),
        (Build, "webpack", "webpack 5.90.0 compiled with 2 errors in 120 ms", Fail),
        (Build, "webpack", "webpack 5.90.0 compiled successfully in 120 ms", Pass),
        (Build, "next", " ✓ Compiled successfully", Pass),
        (Build, "next", "Failed to compile.", Fail),
        (Build, "docker", "ERROR: failed to solve: process \"/bin/sh -c make\" did not complete successfully", Fail),
        (Build, "docker", "#9 naming to docker.io/library/a:latest done", Pass),
        (Test, "ctest", "100% tests passed, 0 tests failed out of 3", Pass),
        (Test, "ctest", "67% tests passed, 1 tests failed out of 3", Fail),
    ]);
}

#[test]
fn linters() {
    check(&[
        (Lint, "eslint", "✖ 3 problems (1 error, 2 warnings)", Fail),
        (Lint, "eslint", "✖ 37 problems (0 errors, 37 warnings)", Pass),
        (Lint, "", "0 problems", Pass),
        (Lint, "biome", "Checked 40 files in 3ms. No fixes applied.", Pass),
        (Lint, "biome", "Checked 40 files in 3ms. No fixes applied.\nFound 2 errors.", Fail),
        (Lint, "biome", "Checked 0 files in 1ms. No fixes applied.", NothingExecuted),
        (Lint, "oxlint", "Found 0 warnings and 0 errors.\nFinished in 3ms on 40 files", Pass),
        (Lint, "oxlint", "Found 3 warnings and 1 error.", Fail),
        (Lint, "ruff", "All checks passed!", Pass),
        (Lint, "ruff", "Found 3 errors.\n[*] 2 fixable with the `--fix` option.", Fail),
        (Format, "ruff", "3 files would be reformatted, 5 files already formatted", Fail),
        (Format, "ruff", "5 files already formatted", Pass),
        (Format, "black", "would reformat a.py\n\nOh no! 💥 💔 💥\n1 file would be reformatted.", Fail),
        (Format, "black", "All done! ✨ 🍰 ✨\n3 files would be left unchanged.", Pass),
        (Format, "prettier", "Checking formatting...\nAll matched files use Prettier code style!", Pass),
        (Format, "prettier", "[warn] Code style issues found in 2 files. Run Prettier with --write to fix.", Fail),
        (Lint, "pylint", "Your code has been rated at 10.00/10 (previous run: 9.00/10, +1.00)", Pass),
        (Lint, "pylint", "Your code has been rated at 8.00/10", Unknown),
        (Typecheck, "mypy", "Success: no issues found in 3 source files", Pass),
        (Typecheck, "mypy", "Found 2 errors in 1 file", Fail),
        (Typecheck, "mypy", "Found 1 error in 1 file (checked 3 source files)", Fail),
        (Typecheck, "pyright", "0 errors, 0 warnings, 0 informations ", Pass),
        (Typecheck, "pyright", "1 error, 2 warnings, 0 informations", Fail),
        (Typecheck, "ty", "Found 2 diagnostics", Fail),
        (Lint, "golangci-lint", "0 issues.", Pass),
        (Lint, "golangci-lint", "5 issues:\n* errcheck: 5", Fail),
        (Lint, "", "5 issues: ireturn", Fail),
        (Lint, "rubocop", "12 files inspected, no offenses detected", Pass),
        (Lint, "rubocop", "12 files inspected, 3 offenses detected, 2 offenses autocorrectable", Fail),
        (Lint, "swiftlint", "Done linting! Found 2 violations, 0 serious in 3 files.", Pass),
        (Lint, "swiftlint", "Done linting! Found 2 violations, 1 serious in 3 files.", Fail),
        (Lint, "phpstan", " [OK] No errors", Pass),
        (Lint, "phpstan", " [ERROR] Found 3 errors", Fail),
        (Lint, "terraform", "Success! The configuration is valid.", Pass),
        (Lint, "shellcheck", "\nIn a.sh line 3:\necho $x\n     ^-- SC2086", Fail),
    ]);
}

#[test]
fn task_runners() {
    check(&[
        (Test, "", "make: *** [Makefile:3: test] Error 1", Fail),
        (Test, "", "make[1]: *** [test] Error 2", Fail),
        (Test, "", "make: Nothing to be done for 'test'.", NothingExecuted),
        (Test, "", "make: 'test' is up to date.", NothingExecuted),
        (Build, "", "make: Nothing to be done for 'all'.", Pass),
        (Test, "", "error: Recipe `test` failed on line 3 with exit code 1", Fail),
        (Test, "", "npm ERR! Test failed.  See above for more details.", Fail),
        (Lint, "", "npm error code 1\nnpm error path /home/dev/app", Fail),
        (Test, "", " ELIFECYCLE  Test failed. See above for more details.", Fail),
        (Lint, "", " ELIFECYCLE  Command failed with exit code 1.", Fail),
        (Test, "", "error Command failed with exit code 1.", Fail),
        (Test, "", "exited with code 0", Unknown),
        (Test, "", "FAILED", Fail),
        (Test, "tox", "  py311: FAIL code 1 (0.5=setup[0.1]+cmd[0.4] seconds)\n  evaluation failed :( (0.6 seconds)", Fail),
        (Test, "tox", "  py311: OK (0.5 seconds)\n  congratulations :) (0.6 seconds)", Pass),
        (Lint, "pre-commit", "ruff.....................................Failed\n- hook id: ruff", Fail),
        (Lint, "pre-commit", "ruff.....................................Passed", Pass),
        (Test, "pre-commit", "ruff.....................................Failed", Unknown),
        (Test, "turbo", " Tasks:    3 successful, 4 total\nFailed:    web#test", Fail),
        (Test, "turbo", " Tasks:    4 successful, 4 total", Pass),
        (Test, "nx", " NX   Successfully ran target test for 3 projects", Pass),
        (Test, "nx", " NX   Running target test for 3 projects failed", Fail),
        (Test, "", "web:test:  Tests  2 failed | 3 passed (5)", Fail),
        (Test, "", "@scope/a test:   3 passing (10ms)", Pass),
        (Test, "", "packages/a test: Tests:       3 passed, 3 total", Pass),
        (Test, "", "web-1  | 3 passed in 0.12s", Pass),
        (Test, "", "2026-01-01T10:00:00.1234567Z test result: ok. 3 passed; 0 failed", Pass),
        (Test, "", "[0]  Tests  3 passed (3)\n[0] npm run test exited with code 0", Pass),
        (Test, "", "Results: 3 passed, 1 failed", Fail),
        (Test, "lefthook", "🥊 test (0.51 seconds)\n✔️ lint (0.20 seconds)", Fail),
        (Lint, "lefthook", "🥊 test (0.51 seconds)\n✔️ lint (0.20 seconds)", Pass),
        (Test, "mise", "[test] ERROR task failed", Fail),
        (Test, "turbo", "ERROR  web#test: command (/home/dev/app/web) npm run test exited (1)", Fail),
        (Test, "bazel", "Executed 2 out of 2 tests: 1 test passes and 1 fails locally.", Fail),
        (Test, "", "✅ 12 passed, ❌ 0 failed", Pass),
        (Test, "", "12/12 tests passed", Pass),
        (Test, "", "11/12 tests passed", Fail),
        (Test, "", "0/0 tests passed", NothingExecuted),
        (Test, "", "✅ All tests passed!", Pass),
    ]);
}

#[test]
fn what_a_log_says_is_no_summary() {
    let good = "\n 1318 pass\n 0 fail\n";
    for log in [
        "[Parser] merge failed for b: Rate limited",
        "error: All fail (expected by test)",
        "FAIL: the server says no",
        "failed:",
        "Error: 3 failed attempts",
        "3 failed attempts, giving up",
        "retry: 2 failed",
        "[worker] 3 failed, 1 passed",
        "✓ reports 1 failed",
        "✓ prints 2 errors and 1 warning (3ms)",
        "{\"passed\":41,\"failed\":2}",
        "  \"numFailedTests\": 2,",
        "assert \"1 failed\" in out",
        "    12\t  1 fail",
        "out.log:12: 3 fail",
        "@@ -1,3 +1,3 @@\n 3 fail\n-1 pass\n+2 pass\n 1 fail\n",
        "+ 1 failed, 2 passed",
        "> 1 fail",
        "expected: 1 fail",
        "received: 2 failed",
        "error: script \"test\" exited with code 1",
        "BUILD FAILED",
        "FAILED",
        "make: *** [Makefile:3: test] Error 1",
        "panic: runtime error",
        "not ok 1 - x",
        "AssertionError: 1 == 2",
        "npm error code 1",
        "# Failed: 3",
        "| 2 failed |",
        "Tests: 3 failed (see below)",
    ] {
        let output = format!("{log}{good}");
        for runner in ["bun", ""] {
            let got = summary(&output, &asked(Test, runner));
            assert_eq!((got.verdict, got.passed), (Pass, Some(1318)), "{runner:?} {log:?}: {got:?}");
        }
    }
    for log in ["[Parser] merge failed for b", "All fail (expected)", "grep: 1 failed in 3 files", "1 failed in the end", "+ 1 failed"] {
        assert_eq!(summary(log, &asked(Test, "")).verdict, Unknown, "{log:?}");
    }
}

#[test]
fn a_summary_says_nothing_of_another_class() {
    let both = "✖ 3 problems (3 errors, 0 warnings)\nTests:  5 passed, 5 total\nerror Command failed with exit code 1.";
    for (gate, alone, want) in
        [(Lint, false, Fail), (Test, false, Pass), (Test, true, Fail), (Format, false, Unknown), (Build, false, Unknown)]
    {
        let got = summary(both, &Asked { gate, runner: "", alone, whole: true });
        assert_eq!(got.verdict, want, "{gate:?} {alone}: {got:?}");
    }
    for (gate, output, want) in [
        // A script's name tells the class.
        (Test, "make: *** [Makefile:3: test] Error 1", Fail),
        (Lint, "make: *** [Makefile:3: test] Error 1", Unknown),
        (Lint, "error: script \"lint:fix\" exited with code 1", Fail),
        (Test, "error: script \"lint:fix\" exited with code 1", Unknown),
        (Format, "error: Recipe `fmt-check` failed on line 2 with exit code 1", Fail),
        // The lint ran and the tests did not compile, and the other way round.
        (Lint, "Finished `dev` profile target(s) in 1s\nerror: could not compile `a` (test \"x\") due to 1 previous error", Pass),
        (Test, "Finished `dev` profile target(s) in 1s\nerror: could not compile `a` (test \"x\") due to 1 previous error", Fail),
        (Test, "test result: ok. 3 passed; 0 failed\nerror: could not compile `a` (lib) due to 2 previous errors", Pass),
        (Lint, "test result: ok. 3 passed; 0 failed\nerror: could not compile `a` (lib) due to 2 previous errors", Fail),
        // Several print this.
        (Typecheck, "Found 3 errors.", Unknown),
        (Lint, "Found 3 errors.\n[*] 1 fixable with the `--fix` option.", Fail),
    ] {
        let got = summary(output, &Asked { gate, runner: "", alone: false, whole: true });
        assert_eq!(got.verdict, want, "{gate:?} {output:?}: {got:?}");
    }
}

#[test]
fn nothing_executed_needs_the_whole_output() {
    let zero = "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; finished in 0.00s\n";
    assert_eq!(summary(zero, &Asked { whole: false, ..asked(Test, "cargo") }).verdict, Unknown);
    assert_eq!(summary(zero, &asked(Test, "cargo")).verdict, NothingExecuted);
    assert_eq!(summary(&format!("[... 300 lines truncated ...]\n{zero}"), &asked(Test, "cargo")).verdict, Unknown);
    let packages = "?   \texample.com/app/internal/models\t[no test files]\n".repeat(100);
    for (first, want) in [("ok  \ta\t0.1s\n", Pass), ("FAIL\ta\t0.1s\n", Unknown), ("", NothingExecuted)] {
        assert_eq!(summary(&format!("{first}{packages}"), &asked(Test, "go")).verdict, want, "{first}");
    }
    let many = zero.repeat(100);
    assert_eq!(summary(&many, &asked(Test, "cargo")).verdict, NothingExecuted);
    let one = format!("test result: ok. 3 passed; 0 failed; 0 ignored\n{many}");
    let got = summary(&one, &asked(Test, "cargo"));
    assert_eq!((got.verdict, got.passed, got.failed), (Pass, Some(3), Some(0)));
}

#[test]
fn blocks_are_added_up_and_the_line_tells_most() {
    let got = summary(
        "test result: FAILED. 3 passed; 1 failed; 1 ignored\ntest result: ok. 2 passed; 0 failed\nerror: 1 target failed:\n",
        &asked(Test, "cargo"),
    );
    assert_eq!((got.verdict, got.passed, got.failed), (Fail, Some(5), Some(1)));
    assert_eq!(got.line, "test result: FAILED. 3 passed; 1 failed; 1 ignored");
    let got = summary("\u{1b}[31m 2 fail\u{1b}[0m\r\n 1 pass\n", &asked(Test, "bun"));
    assert_eq!((got.line.as_str(), got.passed, got.failed), ("2 fail", Some(1), Some(2)));
    let long = format!("a.ts(1,1): error TS2304: {}", "ä".repeat(400));
    let got = summary(&long, &asked(Typecheck, "tsc"));
    assert!(got.line.len() <= MAX_LINE && got.line.starts_with("a.ts(1,1): error TS2304: ä"), "{}", got.line);
}

#[test]
fn only_the_end_is_looked_at() {
    let far = format!("3 failing\n{}12 passing\n", "log of a server\n".repeat(200));
    assert_eq!(summary(&far, &asked(Test, "mocha")).verdict, Pass);
    assert_eq!(summary(&format!("1 failed {}", "x".repeat(1 << 20)), &asked(Test, "")).verdict, Unknown);
}

proptest! {
    #[test]
    fn any_text_is_read(text in "(?s).{0,400}", gate in 0..5_usize, alone: bool, whole: bool) {
        let asked = Asked { gate: Gate::ALL[gate], runner: "", alone, whole };
        let got = summary(&text, &asked);
        prop_assert!(got.line.len() <= MAX_LINE && !got.line.contains(char::is_control));
    }

    #[test]
    fn pieces_of_summaries_in_any_order_are_read(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "1", "12,345", " ", "\n", "\r", "passed", " failed", ", ", "Tests: ", "\u{1b}[", "31m", "[", "] ", "ok ", "…", "✖", "=== ", ": ",
            "test result: ", "FAILED. ", "(", ")", "in 0.1s", "make: *** [", "Error 1", "....", "Failed", "@@ -1", "99999999999999999999", "ä",
        ]), 0..60),
        alone: bool,
    ) {
        let text: String = pieces.concat();
        for gate in Gate::ALL {
            summary(&text, &Asked { gate, runner: "", alone, whole: true });
        }
    }

    #[test]
    fn noise_in_front_changes_nothing(
        noise in prop::collection::vec(prop::sample::select(vec![
            "Downloading crates ...", "[Parser] merge failed for b", "error: expected by test", "  at Object.<anonymous> (a.js:3:5)", "",
            "✓ rejects 3 failed attempts (2 ms)", "console.error", "\u{1b}[31mError\u{1b}[0m: boom", "   Compiling a v0.1.0", "INFO 200 OK",
        ]), 0..300),
        case in prop::sample::select(vec![
            (Test, "test result: ok. 3 passed; 0 failed", Pass),
            (Test, "1 failed, 2 passed in 0.12s", Fail),
            (Test, "0 passing (1ms)", NothingExecuted),
            (Lint, "✖ 3 problems (1 error, 2 warnings)", Fail),
            (Lint, "0 issues.", Pass),
            (Typecheck, "Success: no issues found in 3 source files", Pass),
            (Build, "Done.", Unknown),
        ]),
    ) {
        let (gate, line, want) = case;
        let text = format!("{}\n{line}\n", noise.join("\n"));
        prop_assert_eq!(summary(&text, &asked(gate, "")).verdict, want);
    }
}

/// What is freed of escape sequences is shorter, and still all there is.
#[test]
fn colours_leave_nothing_out() {
    let asked = Asked { gate: Lint, runner: "", alone: true, whole: true };
    let line = |text: &str| format!("\u{1b}[1;31m{text}\u{1b}[0m\n");
    for filler in [0, 300, 900] {
        let text = format!("Checked 0 files in 1408µs. No fixes applied.\nFound 0 errors.\n{}", "x\n".repeat(filler));
        let coloured: String = text.lines().map(line).collect();
        assert_eq!(summary(&coloured, &asked), summary(&text, &asked), "{filler}");
    }
}
