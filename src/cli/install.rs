//! `turnstop install`: puts the hook entries into a settings file.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::time::Duration;

use clap::ValueEnum;

use super::place::{Place, RELOAD, Scope, Target, ask_person, on_path, shell_word};
use super::settings_file::{diff, read, refused, replace};
use super::{Failure, Report};
use crate::agent::claude::settings::{self, Installed, Profile, Wiring};
use crate::world::{git, process};

/// How long git may take to say whether it ignores a file.
const GIT_DEADLINE: Duration = Duration::from_secs(2);

/// Put turnstop's hook entries into a settings file of the client
///
/// What is in the file stays as it is, comments and spelling included; running it again changes nothing, and
/// `turnstop uninstall` gives back the very bytes. Entries of an older turnstop are brought up to date.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    target: Target,

    /// How much turnstop may do [default: what is installed there already, else standard]
    #[arg(long, value_enum)]
    profile: Option<ProfileName>,

    /// The program to start: a path, or a name to be found on the client's PATH [default: this program]
    #[arg(long, value_name = "PATH")]
    binary: Option<PathBuf>,

    /// Print the change as a diff and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Agree to a milder profile, where an agent's environment would have it refused; counts at a terminal only
    #[arg(long)]
    yes: bool,
}

const EXAMPLES: &str = "\
Examples:
  turnstop install                     this project, for you alone
  turnstop install --dry-run           show what would be written
  turnstop install --profile observe   a trial week: notes only, never a denial
  turnstop install --scope user        all your projects, linked work trees included
  turnstop install --scope project --binary turnstop
                                       for everybody who checks the project out";

/// How much turnstop may do.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum ProfileName {
    /// Notes only, never a denial
    Observe,
    /// Denies what is proven wrong; its own failure lets the call pass
    Standard,
    /// As standard, and a hook that fails, times out or is missing blocks the call
    Strict,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Observe => Self::Observe,
            ProfileName::Standard => Self::Standard,
            ProfileName::Strict => Self::Strict,
        }
    }
}

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let place = args.target.place()?;
    let path = &place.file;
    let before = read(path)?;
    let found = match &before {
        Some(text) => settings::installed(text).map_err(|refusal| refused(path, refusal))?,
        None => Installed::default(),
    };
    let profile = args.profile.map(Profile::from).or(found.profile).unwrap_or(Profile::Standard);
    let program = program(args.binary.as_deref())?;
    let wiring = Wiring { command: client_spelling(&program, cfg!(windows))?, profile };
    let after = settings::install(before.as_deref(), &wiring).map_err(|refusal| refused(path, refusal))?;

    let undo = format!("undo: turnstop uninstall{}", args.target.arguments(&place));
    if before.as_deref() == Some(&*after) {
        let mut report = Report::of(format_args!("turnstop is up to date, profile {}", profile.name()));
        report.line(format_args!("  file: {}", path.display()));
        note(&mut report, args.target.scope, &place, &program, &found);
        report.line(undo);
        return Ok(report);
    }
    if args.dry_run {
        return Ok(diff(path, before.as_deref(), Some(&after)));
    }
    if found.profile.is_some_and(|now| now > profile) {
        ask_person(args.yes, "a milder profile")?;
    }
    replace(path, before.as_deref(), Some(&after))?;

    let events = settings::installed(&after).map_err(|refusal| refused(path, refusal))?.events;
    let done = if found.profile.is_some() { "updated" } else { "installed" };
    let mut report = Report::of(format_args!("{done} turnstop, profile {}", profile.name()));
    report.line(format_args!("  file: {}", path.display()));
    report.line(format_args!("  runs: {} {}", wiring.command, profile.arguments().join(" ")));
    report.line(format_args!("  events: {}", events.join(", ")));
    note(&mut report, args.target.scope, &place, &program, &found);
    if before.is_none() && args.target.scope == Scope::Local {
        note_if_not_ignored(&mut report, &place);
    }
    report.line(RELOAD);
    report.line(undo);
    Ok(report)
}

/// Says what a person should know about the place, beyond what was done.
fn note(report: &mut Report, scope: Scope, place: &Place, program: &Path, found: &Installed) {
    if let (true, Some(project)) = (place.went_up, &place.project) {
        let reach = if scope == Scope::Local { "reads these too" } else { "does not read these" };
        let root = project.display();
        report.line(format_args!("note: took {root}, the root of the git work tree; a client started below it {reach}"));
    }
    if found.hooks_disabled {
        report.line("note: `disableAllHooks` is true in this file, so no hook runs at all");
    }
    if found.beyond_json {
        report.line("warning: the file holds a comment or a trailing comma, and the client ignores such a file as a whole:");
        report.line("  no hook in it runs until they are gone");
    }
    if scope == Scope::Local {
        report.line("note: linked work trees do not see local settings; `--scope user` reaches them");
    }
    if scope == Scope::Project && program.is_absolute() {
        report.line("note: this file is usually committed, and the path is yours; `--binary turnstop` fits everybody");
    }
    if is_build_product(program) {
        let program = program.display();
        report.line(format_args!("note: {program} is in a build folder; the hooks end when that is cleaned"));
    }
}

/// The program for the entries.
fn program(asked: Option<&Path>) -> Result<PathBuf, Failure> {
    let program = match asked {
        Some(name) if name.components().count() == 1 && !name.is_file() => {
            if on_path(name.as_os_str()).is_none() {
                return Err(Failure::new(
                    format!("{} is neither a file here nor on PATH", name.display()),
                    "give the path of the turnstop binary",
                ));
            }
            name.to_path_buf()
        }
        Some(path) => absolute(path)
            .ok()
            .filter(|path| path.is_file())
            .ok_or_else(|| Failure::new(format!("{} is not a file", path.display()), "give the path of the turnstop binary"))?,
        None => own_path()?,
    };
    if program.to_str().is_some_and(settings::is_own_program) {
        Ok(program)
    } else {
        Err(Failure::new(
            format!("{} is not called turnstop, by which turnstop knows its entries again", program.display()),
            "name a binary called turnstop with --binary",
        ))
    }
}

/// This program as it was called, if that leads here: a link in a `bin` folder outlives the version it points
/// to. Else the file that runs.
fn own_path() -> Result<PathBuf, Failure> {
    let running = env::current_exe()
        .and_then(fs::canonicalize)
        .map_err(|error| Failure::new(format!("the path of this program cannot be told: {error}"), "give it with --binary"))?;
    let called = env::args_os().next().map(PathBuf::from).and_then(|name| match name.components().count() {
        1 => on_path(name.as_os_str()),
        _ => absolute(name).ok(),
    });
    let same = |path: &PathBuf| fs::canonicalize(path).is_ok_and(|path| path == running);
    Ok(called.filter(same).unwrap_or(running))
}

fn is_build_product(program: &Path) -> bool {
    let mut folders = program.iter().rev().skip(1);
    matches!(folders.next().and_then(OsStr::to_str), Some("debug" | "release")) && folders.take(2).any(|folder| folder == "target")
}

/// The program as the settings shall spell it. Slashes work everywhere; backslashes are eaten by the shell
/// that the client uses on Windows.
fn client_spelling(program: &Path, windows: bool) -> Result<String, Failure> {
    let Some(text) = program.to_str() else {
        return Err(Failure::new(
            format!("{} is not UTF-8, and the settings are", program.display()),
            "put the binary where every folder has a plain name, or name it with --binary",
        ));
    };
    // What the operating system adds to a path it was asked about, and no shell understands.
    let plain = if windows { text.strip_prefix(r"\\?\").unwrap_or(text) } else { text };
    Ok(if windows { plain.replace('\\', "/") } else { plain.to_owned() })
}

/// Says what to do when git would offer the new local settings for a commit.
fn note_if_not_ignored(report: &mut Report, place: &Place) {
    let Some(root) = place.project.as_deref().and_then(git::root) else { return };
    let Ok(inside) = place.file.strip_prefix(root) else { return };
    if ignores(root, &place.file) != Some(false) {
        return;
    }
    let exclude = if root.join(".git").is_dir() {
        shell_word(&root.join(".git/info/exclude"))
    } else {
        format!("\"$(git -C {} rev-parse --path-format=absolute --git-path info/exclude)\"", shell_word(root))
    };
    report.line("note: git does not ignore the new file; to keep it out of commits:");
    report.line(format_args!("  echo {} >> {exclude}", shell_word(inside)));
}

/// Whether git ignores a file; `None` when git cannot be asked or takes too long.
fn ignores(root: &Path, file: &Path) -> Option<bool> {
    let mut git = process::git();
    git.arg("-C").arg(root).args(["check-ignore", "-q", "--"]).arg(file);
    // 0 ignored, 1 not ignored, anything else an error.
    let status = process::run(&mut git, GIT_DEADLINE)?.status;
    status.filter(|code| *code < 2).map(|code| code == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_paths_get_slashes() {
        let cases = [
            (r"C:\Users\a b\.cargo\bin\turnstop.exe", true, "C:/Users/a b/.cargo/bin/turnstop.exe"),
            (r"\\?\C:\bin\turnstop.exe", true, "C:/bin/turnstop.exe"),
            (r"/home/a\b/turnstop", false, r"/home/a\b/turnstop"),
        ];
        for (path, windows, wanted) in cases {
            assert_eq!(client_spelling(Path::new(path), windows).expect(path), wanted);
        }
    }
}
