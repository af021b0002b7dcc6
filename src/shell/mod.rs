//! Command text to ordered effects: what a shell command would read, write, remove and run.
//!
//! Pure: no file is looked at and no variable of the environment is read. What cannot be known from
//! the text alone is [`Path::unknown`], and an unknown path is never a finding. Quoted words, comments,
//! heredoc bodies and messages are data.

mod archives;
mod args;
mod braces;
mod copies;
mod editors;
pub mod gates;
mod git;
mod hide;
mod launchers;
mod lexer;
mod parse;
mod path;
mod patterns;
mod plain;
mod powershell;
mod prepare;
mod programs;
mod scan;
mod scripts;
mod simple;
mod split;
mod state;
mod status;
#[cfg(test)]
mod tests;
mod walk;
mod words;
mod wrappers;

use gates::Shown;

/// The language of a command text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Dialect {
    /// bash, and close enough for sh and zsh.
    Bash,
    /// PowerShell.
    PowerShell,
}

/// What a command text would do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effects {
    /// Every simple command, in execution order, wrappers seen through.
    pub commands: Vec<Command>,
    /// Every effect, in execution order: a command's reads stand before its writes.
    pub list: Vec<Effect>,
    /// The text did not parse, and a quote-aware splitter did its best: never reason enough to block.
    pub approximate: bool,
}

/// One simple command, after wrappers (`sudo`, `timeout 5`, `bash -c '…'`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Base name of the program, unescaped; empty when it cannot be known.
    pub program: String,
    /// Its arguments; `None` for one that cannot be known.
    pub args: Vec<Option<String>>,
    /// Runs on another machine or in a container: its paths and effects are not local.
    pub remote: bool,
    /// Started with `&`.
    pub background: bool,
    /// The exit status of the whole text tells of this command's: it is the last one, or joined to it by
    /// an unbroken `&&` chain, or under `pipefail` or `set -e`.
    pub status_visible: bool,
    /// It is the last simple command of the text.
    pub last: bool,
    /// The directory it stands in, options of its wrappers counted (`env -C d`).
    pub dir: Path,
    /// How much of its standard output is seen in the output of the whole text.
    pub shown: Shown,
    /// Its standard error is seen in the output of the whole text.
    pub errors_shown: bool,
}

/// One effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// What it is.
    pub kind: EffectKind,
    /// Index into [`Effects::commands`] of the command that has it.
    pub command: usize,
    /// Its command was started with `&`.
    pub background: bool,
}

/// What an effect is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EffectKind {
    /// Bytes of a file are read.
    Read {
        /// The file, or the folder.
        path: Path,
        /// What happens with the bytes.
        sink: Sink,
    },
    /// A file is written.
    Write {
        /// The file, or the folder.
        path: Path,
        /// The whole content is replaced. False for `>>`, `tee -a`, `sed -i`, in-place edits.
        whole: bool,
        /// The content afterwards equals this file's (`cp a b`, `cat a > b`), byte for byte.
        copy_of: Option<Path>,
    },
    /// A file or folder is removed, or moved away.
    Remove {
        /// The file or folder.
        path: Path,
    },
    /// The directory changes for what follows. Paths of later effects have it already applied.
    ChangeDir {
        /// The new directory.
        path: Path,
    },
    /// The command prints the name of a fresh temporary file (`mktemp`, `tempfile.mkstemp`).
    MakeTemp,
    /// git was asked to do something that matters later.
    Git {
        /// The directory it works in: `-C`, or where the command stands.
        dir: Path,
        /// What was asked.
        action: GitAction,
    },
}

/// What happens with bytes that are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sink {
    /// They end up in this place: `cp f place`, `cat f > place`, `sed … f | tee place`.
    Into(Path),
    /// They change files or a database by their content: `git apply f`, `patch < f`, `psql -f f`.
    Apply,
    /// They are executed: `sh f`, `. f`, `python f`, `f` itself.
    Run,
    /// They become a message: `git commit -F f`, `gh pr create --body-file f`.
    Quote,
    /// They are handed to some other program.
    Argument,
    /// They are looked at: `cat`, `head`, `grep`, `diff`.
    Look,
}

/// What git was asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitAction {
    /// `commit`, without `--dry-run`.
    Commit,
    /// `checkout -b`, `switch -c`, `branch -m` onto a new branch.
    NewBranch,
    /// `checkout` or `switch` to a branch that exists.
    Switch,
    /// `worktree add`.
    AddWorktree,
    /// Sets files back: `checkout -- f`, `restore`, `reset --hard`, `stash`.
    Discard,
    /// Changes files by what it holds: `stash pop`, `merge`, `pull`, `revert`.
    Change,
}

/// A path as far as the text tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Path {
    /// Where it starts.
    pub root: Root,
    /// What follows the root, `/`-separated, `.` and `..` folded where that is safe. For
    /// [`Root::Absolute`] it begins with `/` (or a drive letter); for the others it is relative and may be
    /// empty.
    pub text: String,
    /// `text` holds an unquoted glob character: it stands for the names that match.
    pub glob: bool,
    /// It was written with a trailing `/`, so it can only be a folder.
    pub folder: bool,
}

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// `/…`, or a Windows drive.
    Absolute,
    /// The directory the command was started in.
    Cwd,
    /// `~/…`, `$HOME/…`.
    Home,
    /// `$TMPDIR/…`, `${TMPDIR:-/tmp}/…`, `os.tmpdir()`, `%TEMP%\…`, `$env:TEMP\…`.
    TempDir,
    /// `$CLAUDE_PROJECT_DIR/…`.
    Project,
    /// It holds an expansion that stays unresolved.
    Unknown,
}

impl Path {
    /// A path that cannot be known.
    pub fn unknown() -> Self {
        Path { root: Root::Unknown, text: String::new(), glob: false, folder: false }
    }
}

/// The effects of a command text.
///
/// Text beyond 64 KiB, or nested deeper than 40 levels, is not parsed but split; at most its first 256 KiB
/// and 4,096 commands are looked at. The result is then approximate.
///
/// ```
/// use turnstop::shell::{Dialect, EffectKind, effects};
///
/// let found = effects("cd /tmp && cp ~/a.txt a.bak # not: rm a.bak", Dialect::Bash);
/// let written = found.list.iter().find_map(|effect| match &effect.kind {
///     EffectKind::Write { path, whole: true, .. } => Some(path.text.as_str()),
///     _ => None,
/// });
/// assert_eq!(written, Some("/tmp/a.bak"));
/// ```
pub fn effects(command: &str, dialect: Dialect) -> Effects {
    let mut walker = walk::Walker::default();
    match dialect {
        Dialect::Bash => walker.bash(command),
        Dialect::PowerShell => powershell::walk(&mut walker, command),
    }
    walker.finish()
}
