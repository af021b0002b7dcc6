//! Which settings file a command is about, and who is asking.

use std::env;
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf, absolute};

use clap::ValueEnum;

use super::Failure;
use crate::world::git;

/// What has to happen before a client goes by changed settings.
pub(super) const RELOAD: &str = "next: a client at a terminal notices within a second; restart one that runs with -p";

/// Which of the client's settings files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Scope {
    /// `.claude/settings.local.json` of the project: yours alone, not committed
    Local,
    /// `.claude/settings.json` of the project: usually committed, for everybody
    Project,
    /// `settings.json` in `$CLAUDE_CONFIG_DIR`, else in `~/.claude`: all your projects
    User,
}

impl Scope {
    pub(super) const ALL: [Self; 3] = [Self::Local, Self::Project, Self::User];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Local => "local",
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// Where to write, as asked on the command line.
#[derive(Debug, clap::Args)]
pub(super) struct Target {
    /// Which settings file
    #[arg(long, value_enum, default_value = "local")]
    pub(super) scope: Scope,

    /// The project's folder [default: the git work tree around the current folder, else the current folder]
    #[arg(value_name = "DIR", conflicts_with = "project")]
    dir: Option<PathBuf>,

    /// The same as DIR
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,
}

/// A settings file of the client.
#[derive(Debug)]
pub(super) struct Place {
    /// The settings file, absolute; it need not exist.
    pub(super) file: PathBuf,
    /// The project's folder, if the file belongs to one.
    pub(super) project: Option<PathBuf>,
    /// Whether `project` was found above the current folder.
    pub(super) went_up: bool,
}

impl Target {
    /// The local settings of a folder, or of the current one.
    pub(super) fn of(dir: Option<PathBuf>) -> Self {
        Target { scope: Scope::Local, dir, project: None }
    }

    /// The file of the scope asked for.
    pub(super) fn place(&self) -> Result<Place, Failure> {
        self.place_of(self.scope)
    }

    /// The file of any scope, for the same project.
    pub(super) fn place_of(&self, scope: Scope) -> Result<Place, Failure> {
        let file = match scope {
            Scope::User => return Ok(Place { file: user_settings()?, project: None, went_up: false }),
            Scope::Project => "settings.json",
            Scope::Local => "settings.local.json",
        };
        let here = |error: io::Error| Failure::new(format!("the current folder cannot be told: {error}"), "change to a folder that exists");
        let (project, went_up) = if let Some(asked) = self.dir.as_ref().or(self.project.as_ref()) {
            if !asked.is_dir() {
                return Err(Failure::new(format!("{} is not a folder", asked.display()), "name the folder that you start the client in"));
            }
            (absolute(asked).map_err(here)?, false)
        } else {
            let current = env::current_dir().map_err(here)?;
            let root = git::root(&current).map(Path::to_path_buf);
            let went_up = root.as_ref().is_some_and(|root| *root != current);
            (root.unwrap_or(current), went_up)
        };
        Ok(Place { file: project.join(".claude").join(file), project: Some(project), went_up })
    }

    /// The arguments that name the same file again, for a message.
    pub(super) fn arguments(&self, place: &Place) -> String {
        let scope = if self.scope == Scope::Local { String::new() } else { format!(" --scope {}", self.scope.name()) };
        match &place.project {
            Some(project) => format!("{scope} {}", shell_word(project)),
            None => scope,
        }
    }
}

fn user_settings() -> Result<PathBuf, Failure> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("CLAUDE_CONFIG_DIR").or_else(|| set("HOME").filter(|home| home.is_absolute()).map(|home| home.join(".claude")));
    let file = folder.and_then(|folder| absolute(folder).ok()).map(|folder| folder.join("settings.json"));
    file.ok_or_else(|| Failure::new("there is no home folder to find the user settings in", "set HOME"))
}

/// The program of that name on PATH.
pub(super) fn on_path(name: &OsStr) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_absolute() && path.is_file())
}

/// A path as one word of a POSIX shell.
pub(super) fn shell_word(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |next: char| next.is_alphanumeric() || "/._-+,@%:=~".contains(next);
    if text.chars().all(plain) && !text.starts_with('~') { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// Refuses what loosens the guard when an agent asks for it, unless a person at a terminal agreed. This keeps
/// an agent from switching the guard off in passing; it is no sandbox.
pub(super) fn ask_person(agreed: bool, what: &str) -> Result<(), Failure> {
    let agent = ["CLAUDECODE", "AI_AGENT"].into_iter().any(|name| env::var_os(name).is_some_and(|it| !it.is_empty()));
    if !agent || agreed && io::stdin().is_terminal() {
        return Ok(());
    }
    Err(Failure::new(
        format!("{what} is for a person to decide, and this was started by an agent"),
        "ask the person to run the command in a terminal, or to add --yes there",
    ))
}

/// The same for what nobody needs to do from a script.
pub(super) fn ask_person_at_terminal(agreed: bool, what: &str) -> Result<(), Failure> {
    ask_person(agreed, what)?;
    if io::stdin().is_terminal() {
        return Ok(());
    }
    Err(Failure::new(format!("{what} is for a person to decide, and standard input is no terminal"), "run the command in a terminal"))
}
