//! Calls that lay out code anew and write it: no gates, but what a gate of the layout found is mended after them.

use super::names::LAYOUT;
use super::table::lists;
use crate::shell::{Command, Effects};

/// A formatter that writes: its program, its subcommands, the options one of which it needs, and those under which
/// it only checks.
type Formatter = (&'static str, &'static str, &'static str, &'static str);

const FORMATTERS: [Formatter; 26] = [
    ("biome", "format check", "--write --fix --apply", ""),
    ("black", "", "", "--check --diff"),
    ("cargo", "fmt", "", "--check"),
    ("cargo-fmt", "", "", "--check"),
    ("clang-format", "", "-i", "--dry-run -n"),
    ("dart", "format", "", "--set-exit-if-changed"),
    ("deno", "fmt", "", "--check"),
    ("dotnet", "format", "", "--verify-no-changes"),
    ("dprint", "fmt", "", ""),
    ("forge", "fmt", "", "--check"),
    ("gofmt", "", "-w", ""),
    ("gofumpt", "", "-w", ""),
    ("goimports", "", "-w", ""),
    ("isort", "", "", "--check --check-only -c --diff"),
    ("ktlint", "", "-F --format", ""),
    ("mix", "format", "", "--check-formatted"),
    ("php-cs-fixer", "fix", "", "--dry-run"),
    ("prettier", "", "--write -w", ""),
    ("rubocop", "", "-a -A -x --autocorrect --autocorrect-all --fix-layout", ""),
    ("ruff", "format", "", "--check --diff"),
    ("rustfmt", "", "", "--check"),
    ("shfmt", "", "-w", ""),
    ("stylua", "", "", "--check"),
    ("swift-format", "", "-i --in-place", ""),
    ("terraform", "fmt", "", "-check"),
    ("zig", "fmt", "", "--check"),
];

/// What runs a project's scripts by their names.
const SCRIPT_RUNNERS: [&str; 10] = ["npm", "pnpm", "yarn", "bun", "make", "just", "task", "mise", "composer", "rake"];

/// Does the text lay out code anew?
pub fn formats(effects: &Effects) -> bool {
    effects.commands.iter().any(|command| writes(command) || runs_script(command))
}

fn writes(command: &Command) -> bool {
    let has = |list: &str| command.args.iter().flatten().any(|arg| lists(list, arg.split('=').next().unwrap_or(arg)));
    let fits = |(program, words, needs, without): &Formatter| {
        *program == command.program && (words.is_empty() || has(words)) && (needs.is_empty() || has(needs)) && !has(without)
    };
    FORMATTERS.iter().any(fits)
}

/// `npm run format`, `make fmt`, `just fix`
fn runs_script(command: &Command) -> bool {
    let name = command.args.iter().flatten().find(|arg| !arg.starts_with('-') && *arg != "run");
    let words = || name.into_iter().flat_map(|name| name.split([':', '-', '_', '.']));
    SCRIPT_RUNNERS.contains(&command.program.as_str())
        && words().any(|word| LAYOUT.contains(&word) || word == "fix")
        && !words().any(|word| matches!(word, "check" | "ci" | "verify" | "validate" | "diff"))
}
