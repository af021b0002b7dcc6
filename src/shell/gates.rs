//! Which quality gates a command text runs: tests, linters, formatters, type checkers, builds.
//!
//! A run is told by program and subcommand after wrappers, never by a word somewhere in the text.

mod args;
mod files;
mod find;
mod names;
mod programs;
mod scripts;
mod table;
mod tasks;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use super::{Command, Effects, Path};
pub use scripts::{ScriptGates, of_script, script_text};

/// A class of quality gates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Gate {
    /// Tests are executed.
    Test,
    /// Code is checked for mistakes and style.
    Lint,
    /// The layout of code is checked, and not changed.
    Format,
    /// Types are checked.
    Typecheck,
    /// The project is built.
    Build,
}

impl Gate {
    /// Every class.
    pub const ALL: [Gate; 5] = [Gate::Test, Gate::Lint, Gate::Format, Gate::Typecheck, Gate::Build];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Gate::Test => "test",
            Gate::Lint => "lint",
            Gate::Format => "format",
            Gate::Typecheck => "typecheck",
            Gate::Build => "build",
        }
    }
}

/// A set of gate classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Gates(u8);

impl Gates {
    /// No class.
    pub const NONE: Gates = Gates(0);
    /// Every class.
    pub const ALL: Gates = Gates(0b1_1111);

    /// The set of these.
    pub const fn of(list: &[Gate]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < list.len() {
            bits |= 1 << list[at] as u8;
            at += 1;
        }
        Gates(bits)
    }

    /// Is the class in it?
    pub fn has(self, gate: Gate) -> bool {
        self.0 & (1 << gate as u8) != 0
    }

    /// Is nothing in it?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many classes are in it.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// What is in either.
    #[must_use]
    pub fn with(self, other: Gates) -> Gates {
        Gates(self.0 | other.0)
    }

    /// What is in this and not in `other`.
    #[must_use]
    pub fn without(self, other: Gates) -> Gates {
        Gates(self.0 & !other.0)
    }

    /// Its classes.
    pub fn iter(self) -> impl Iterator<Item = Gate> {
        Gate::ALL.into_iter().filter(move |gate| self.has(*gate))
    }
}

/// The language of the sources that a gate looks at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Any: the command does not tell (`make test`).
    #[default]
    Any,
    /// Rust.
    Rust,
    /// Go.
    Go,
    /// Python.
    Python,
    /// JavaScript, TypeScript, and what is compiled to them.
    JavaScript,
    /// Ruby.
    Ruby,
    /// PHP.
    Php,
    /// Java, Kotlin, Scala, Groovy.
    Jvm,
    /// C#, F#, Visual Basic.
    DotNet,
    /// Swift, Objective-C.
    Swift,
    /// Elixir, Erlang.
    Elixir,
    /// C, C++.
    C,
    /// Shell scripts.
    Shell,
    /// Solidity.
    Solidity,
    /// Style sheets.
    Css,
    /// Prose: Markdown and the like.
    Prose,
}

/// How much of what a command prints is seen in the output of the whole text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// Nothing: it goes to a file, or to `/dev/null`.
    Nothing,
    /// What `tail`, `head`, `grep` and the like let through, or of a file it went to.
    Part,
    /// All of it, directly or through `tee` or `cat`.
    Whole,
}

/// Where a script's text is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScriptFile {
    /// `scripts` of `package.json` (`npm run x`, `pnpm x`, `yarn x`, `bun run x`), `composer.json` beside it.
    PackageJson,
    /// A rule of a `Makefile`.
    Makefile,
    /// A recipe of a `justfile`.
    Justfile,
    /// A task of `mise.toml` or `Taskfile.yml`.
    Tasks,
}

/// A script of the project that a command runs by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// Where its text stands.
    pub file: ScriptFile,
    /// Its name.
    pub name: String,
}

/// One run of quality gates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateRun {
    /// Index into [`Effects::commands`].
    pub command: usize,
    /// What it checks; of a script, what its name says.
    pub gates: Gates,
    /// It may check more than that, and only its output tells what (`make check`, `pre-commit run`, `git commit` with hooks).
    pub superset: bool,
    /// What a pass of it shows besides: `cargo test` has built and checked the types.
    pub implies: Gates,
    /// It prints something whenever it runs, so that an empty output is no pass.
    pub always_prints: bool,
    /// The program that prints the summary, as [`crate::session::verdict`] knows it; empty when the command does not tell.
    pub runner: &'static str,
    /// The sources it looks at.
    pub language: Language,
    /// What narrows it to a part (`-k one`, a file, `--lib`), as written, with `…` for what cannot be known; at
    /// most 80 bytes, and empty when nothing does.
    pub narrow: String,
    /// The directory it works in: where it stands, `-C`, `--prefix`, `--manifest-path`.
    pub dir: Path,
    /// The exit status of the whole text tells of this run's.
    pub status_visible: bool,
    /// No other command that may well fail shares the visible status: a failure of the whole text is this
    /// run's, and not that of `b` in `a && b`.
    pub fails_alone: bool,
    /// How much of its output is seen.
    pub shown: Shown,
    /// Started with `&`.
    pub background: bool,
    /// Runs on another machine or in a container.
    pub remote: bool,
    /// The project's script that it runs.
    pub script: Option<Script>,
}

/// What a command is found to run.
#[derive(Debug)]
struct Found {
    gates: Gates,
    superset: bool,
    implies: Gates,
    prints: bool,
    /// Its summary goes to the standard error.
    errors: bool,
    runner: &'static str,
    language: Language,
    narrow: String,
    dir: Path,
    script: Option<Script>,
}

impl Default for Found {
    fn default() -> Self {
        Found {
            gates: Gates::NONE,
            superset: false,
            implies: Gates::NONE,
            prints: false,
            errors: false,
            runner: "",
            language: Language::Any,
            narrow: String::new(),
            dir: Path::unknown(),
            script: None,
        }
    }
}

/// The runs of gates in a command text, in execution order.
///
/// A script of the project whose name says nothing is listed too, with no class, for its text may run gates.
pub fn gates(effects: &Effects) -> Vec<GateRun> {
    let mut runs = Vec::new();
    let mut sharing = None;
    for (index, command) in effects.commands.iter().enumerate() {
        let Some(found) = find::of_program(&command.program, &command.args, &command.dir) else { continue };
        // What was read by the splitter alone may stand in a condition or a loop.
        let status_visible = command.status_visible && !command.background && !effects.approximate;
        let sharing = *sharing.get_or_insert_with(|| effects.commands.iter().filter(|command| may_fail(command)).count());
        runs.push(GateRun {
            command: index,
            gates: found.gates,
            superset: found.superset,
            implies: found.implies.without(found.gates),
            always_prints: found.prints,
            runner: found.runner,
            language: found.language,
            status_visible,
            fails_alone: status_visible && sharing == 1,
            shown: shown(command, &found, effects.approximate),
            background: command.background,
            remote: command.remote,
            narrow: found.narrow,
            dir: found.dir,
            script: found.script,
        });
    }
    runs
}

/// A failure of it may be the failure of the whole text.
fn may_fail(command: &Command) -> bool {
    const HARMLESS: [&str; 26] = [
        "", ".", ":", "cat", "cd", "date", "declare", "echo", "exit", "export", "head", "local", "ls", "mkdir", "popd", "printf", "pushd",
        "pwd", "return", "set", "sleep", "source", "tail", "tee", "true", "unset",
    ];
    command.status_visible && !HARMLESS.contains(&command.program.as_str())
}

/// How much of the output is seen where the summary may stand.
fn shown(command: &Command, found: &Found, approximate: bool) -> Shown {
    let unknown = found.runner.is_empty();
    match command.shown {
        Shown::Whole if approximate || ((found.errors || unknown) && !command.errors_shown) => Shown::Part,
        Shown::Nothing if found.errors && command.errors_shown => Shown::Part,
        shown => shown,
    }
}

/// The word behind `hatch run` and the like names a script of the project rather than a program.
pub(super) fn names_script(word: &str) -> bool {
    let named = names::of_name(word);
    !find::is_program(word) && (!named.gates.is_empty() || named.superset)
}
