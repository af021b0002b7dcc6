//! Linters, formatters and type checkers that are programs of their own.

use super::{COMPILES, FORMAT, Family, LINT, STYLE, Says, TYPES, alone, family, only_named, row, shared};
use Says::{Checked, Fail, Ok, Problems, Zero};

pub(super) const FAMILIES: &[Family] = &[
    family(
        &["eslint", "stylelint", "xo", "standard", "next"],
        &[
            row(LINT, Problems, "✖? ?{n} problems? ({f} errors?, {n} warnings?…)"),
            row(LINT, Ok, "✔? ?0 problems"),
            shared(LINT, Problems, "✖? ?{f} problems?"),
            row(LINT, Fail, "ESLint found too many warnings (maximum: …"),
            row(LINT, Fail, "Oops! Something went wrong! :(…"),
            row(LINT, Zero, "No files matching the pattern …"),
            row(LINT, Zero, "No files matching '…' were found.…"),
            row(LINT, Fail, "standard: Use JavaScript Standard Style …"),
            row(LINT, Ok, "✔ No ESLint warnings or errors"),
            row(LINT, Problems, "✖? ?{f} errors?, {n} warnings?"),
        ],
    ),
    family(
        &["biome", "rome"],
        &[
            row(STYLE, Checked, "Checked {t} files? in …"),
            row(STYLE, Checked, "Checked {t} files?. …"),
            row(STYLE, Checked, "Checked {t} files?"),
            alone(STYLE, Problems, "Found {f} errors?."),
            row(STYLE, Fail, "Some errors were emitted while …"),
            row(STYLE, Zero, "No files were processed in the specified paths.…"),
        ],
    ),
    family(&["oxlint"], &[row(LINT, Problems, "Found {n} warnings? and {f} errors?.…"), row(LINT, Zero, "No files found to lint.…")]),
    family(
        &["ruff", "ruff-check", "ruff-format"],
        &[
            row(LINT, Ok, "All checks passed!"),
            alone(LINT, Problems, "Found {f} errors?."),
            row(LINT, Fail, "[*] {x} fixable with the `--fix` option…"),
            row(LINT, Problems, "Found {n} errors? ({n} fixed, {f} remaining)."),
            row(STYLE, Zero, "warning: No Python files found under the given path(s)"),
            row(FORMAT, Problems, "{f} files? would be reformatted…"),
            row(FORMAT, Checked, "{t} files? already formatted"),
            row(FORMAT, Fail, "Would reformat: …"),
            row(STYLE, Fail, "ruff failed"),
        ],
    ),
    family(
        &["black", "isort"],
        &[
            row(FORMAT, Fail, "would reformat …"),
            row(FORMAT, Problems, "{f} files? would be reformatted…"),
            row(FORMAT, Checked, "{t} files? would be left unchanged."),
            row(FORMAT, Ok, "All done! ✨ 🍰 ✨"),
            row(FORMAT, Fail, "Oh no! 💥 💔 💥"),
            row(FORMAT, Fail, "error: cannot format …"),
            row(FORMAT, Zero, "No Python files are present to be formatted.…"),
            row(STYLE, Fail, "ERROR: … Imports are incorrectly sorted and/or formatted."),
        ],
    ),
    family(
        &["prettier", "dprint"],
        &[
            row(FORMAT, Ok, "All matched files use Prettier code style!"),
            row(FORMAT, Problems, "Code style issues found in {f} files?…"),
            row(FORMAT, Fail, "Code style issues found in the above file…"),
            row(FORMAT, Fail, "Error occurred when checking code style in …"),
            alone(LINT, Ok, "All matched files use Prettier code style!"),
            alone(LINT, Problems, "Code style issues found in {f} files?…"),
            alone(LINT, Fail, "Code style issues found in the above file…"),
            row(FORMAT, Zero, "No files matching the pattern …"),
            row(FORMAT, Problems, "Found {f} not formatted files?."),
        ],
    ),
    family(
        &["mypy", "dmypy", "pytype", "pyre"],
        &[
            row(TYPES, Checked, "Success: no issues found in {t} source files?"),
            row(TYPES, Problems, "Found {f} errors? in {n} files?…"),
            row(TYPES, Zero, "There are no .py[i] files in directory …"),
            row(TYPES, Ok, "Success: no errors found"),
            row(TYPES, Ok, "ƛ No type errors found"),
            row(TYPES, Problems, "ƛ Found {f} type errors?!"),
        ],
    ),
    only_named(&["mypy", "dmypy"], &[row(TYPES, Fail, "{name}:{n}: error: …"), row(TYPES, Fail, "{name}.py:{n}:{n}: error: …")]),
    family(
        &["pyright", "basedpyright"],
        &[row(TYPES, Problems, "{f} errors?, {n} warnings?, {n} …"), row(TYPES, Zero, "No source files found.…")],
    ),
    family(
        &["ty"],
        &[
            alone(TYPES, Ok, "All checks passed!"),
            row(TYPES, Problems, "Found {f} diagnostics?"),
            row(TYPES, Zero, "WARN No python files found under the given path(s)"),
        ],
    ),
    family(&["sorbet", "srb"], &[row(TYPES, Ok, "No errors! Great job."), row(TYPES, Problems, "Errors: {f}")]),
    family(
        &["golangci-lint"],
        &[row(LINT, Problems, "{f} issues?."), row(LINT, Problems, "{f} issues?:…"), row(LINT, Fail, "level=error msg=…")],
    ),
    only_named(&["golangci-lint"], &[row(LINT, Fail, "….go:{n}:{n}: … ({name})"), row(LINT, Fail, "….go:{n}: … ({name})")]),
    family(
        &["rubocop", "standardrb"],
        &[
            row(LINT, Checked, "{t} files? inspected, no offenses detected"),
            row(LINT, Problems, "{n} files? inspected, {f} offenses? detected…"),
            row(LINT, Fail, "standard: Use Ruby Standard Style …"),
        ],
    ),
    family(&["swiftlint"], &[row(LINT, Problems, "Done linting! Found {n} violations?, {f} serious in {n} files?.")]),
    family(
        &["phpstan", "psalm", "php-cs-fixer", "phpcs"],
        &[
            row(LINT, Ok, "[OK] No errors"),
            row(LINT, Problems, "Found {f} errors?"),
            row(LINT, Ok, "No errors found!"),
            row(LINT, Problems, "{f} errors? found"),
            row(STYLE, Problems, "Found {f} of {n} files? that can be fixed in …"),
            row(STYLE, Problems, "FOUND {f} ERRORS? AFFECTING …"),
            row(STYLE, Problems, "FOUND {f} ERRORS? AND {n} WARNINGS? AFFECTING …"),
        ],
    ),
    family(&["pylint"], &[row(LINT, Ok, "Your code has been rated at 10.00/10…")]),
    family(&["markdownlint", "markdownlint-cli2"], &[row(LINT, Problems, "Summary: {f} error(s)")]),
    family(
        &["tflint", "helm"],
        &[row(LINT, Problems, "{f} issue(s) found:"), row(LINT, Problems, "{n} chart(s) linted, {f} chart(s) failed")],
    ),
    family(
        &["terraform", "tofu"],
        &[row(LINT, Ok, "Success! The configuration is valid…"), row(COMPILES, Ok, "Success! The configuration is valid…")],
    ),
    only_named(&["terraform", "tofu"], &[row(LINT, Fail, "Error: …"), row(COMPILES, Fail, "Error: …")]),
    family(
        &["detekt", "ktlint", "checkstyle"],
        &[row(LINT, Problems, "Analysis failed with {f} weighted issues?.…"), row(LINT, Problems, "Checkstyle ends with {f} errors?.")],
    ),
    // What several print alike, where it is known which of them it was.
    only_named(&["xo", "standard", "stylelint"], &[row(LINT, Problems, "{f} errors?")]),
    only_named(&["biome", "rome"], &[row(STYLE, Problems, "Found {f} errors?.")]),
    only_named(&["ruff"], &[row(LINT, Problems, "Found {f} errors?.")]),
    only_named(&["ty"], &[row(TYPES, Ok, "All checks passed!")]),
    // What these find they print as file, line and text, and nothing else.
    only_named(&["flake8", "pycodestyle", "actionlint"], &[row(LINT, Fail, "{name}:{n}:{n}: …")]),
    only_named(&["shellcheck"], &[row(LINT, Fail, "In … line {n}:")]),
    only_named(&["hadolint"], &[row(LINT, Fail, "{name}:{n} DL{n} …"), row(LINT, Fail, "{name}:{n} SC{n} …")]),
    only_named(&["yamllint"], &[row(LINT, Fail, "{n}:{n} error …")]),
    only_named(
        &["markdownlint", "markdownlint-cli2"],
        &[
            row(LINT, Fail, "…:{n} MD{n}…"),
            row(LINT, Fail, "…:{n}:{n} MD{n}…"),
            row(LINT, Fail, "…:{n} error MD{n}…"),
            row(LINT, Fail, "…:{n}:{n} error MD{n}…"),
        ],
    ),
    family(
        &["bandit", "luacheck", "cspell", "codespell", "ansible-lint", "commitlint"],
        &[
            row(LINT, Ok, "No issues identified."),
            row(LINT, Problems, "Total: {n} warnings? / {f} errors? in {n} files?"),
            row(LINT, Problems, "CSpell: Files checked: {n}, Issues found: {f} in {n} files?."),
            row(LINT, Problems, "Passed: {f} failure(s), {n} warning(s) …"),
            row(LINT, Problems, "Failed: {f} failure(s), {n} warning(s) …"),
            row(LINT, Problems, "✖ found {f} problems, {n} warnings"),
        ],
    ),
    family(
        &["clang-format", "csharpier"],
        &[row(FORMAT, Fail, "…: error: code should be clang-formatted …"), row(FORMAT, Fail, "Error … - Was not formatted.")],
    ),
];
