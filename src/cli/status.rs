//! `turnstop status`: would the hook run, and does it?

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use super::place::{Scope, Target, on_path, shell_word};
use super::{Failure, Report, settings_file};
use crate::agent::claude::events::EVENTS;
use crate::agent::claude::settings::{self, Installed};
use crate::config::{Config, Files};
use crate::session::seen;
use crate::session::store::{self, Store};
use crate::text;
use crate::world::{git, process};

/// How long a program may take to tell its version.
const VERSION_DEADLINE: Duration = Duration::from_secs(2);

/// Show whether the hooks are wired, whether they run, and what keeps them from it
///
/// Looks at the settings files of all scopes, at the program they name, at the config and the state folder, and
/// at when each event last reached turnstop. Exit status 1 when something is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The project's folder [default: the git work tree around the current folder, else the current folder]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  turnstop status              the project you are in
  turnstop status ~/src/app    another one";

/// The settings file of one scope.
struct Source {
    scope: Scope,
    file: PathBuf,
    found: Result<Option<Installed>, String>,
}

impl Source {
    fn installed(&self) -> Option<&Installed> {
        self.found.as_ref().ok()?.as_ref().filter(|found| found.profile.is_some())
    }

    /// The client ignores such a file as a whole.
    fn is_ignored(&self) -> bool {
        self.found.as_ref().is_ok_and(|found| found.as_ref().is_some_and(|found| found.beyond_json))
    }
}

/// What is wrong, and what to do about it.
struct Problem(String, String);

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let target = Target::of(args.dir.clone());
    let mut sources = Vec::new();
    for scope in Scope::ALL {
        let file = target.place_of(scope)?.file;
        sources.push(Source { scope, found: read(&file), file });
    }
    let place = target.place_of(Scope::Local)?;
    let project = place.project.unwrap_or_default();
    let state_dir = store::state_dir(|name| env::var(name).ok());

    let mut report = Report::of(format_args!("turnstop {}, for {}", env!("CARGO_PKG_VERSION"), project.display()));
    scopes(&mut report, &sources);
    events(&mut report, &sources, state_dir.as_deref());
    let mut problems = wiring_problems(&sources, &project);
    problems.extend(surroundings_problems(&sources, &project, place.went_up, state_dir.as_deref()));
    report.line("");
    for Problem(what, remedy) in &problems {
        report.line(format_args!("wrong: {what}\n  help: {remedy}"));
    }
    if problems.is_empty() {
        report.line("nothing is wrong");
    }
    report.found = !problems.is_empty();
    Ok(report)
}

fn read(file: &Path) -> Result<Option<Installed>, String> {
    let say = |failure: Failure| failure.message;
    let Some(text) = settings_file::read(file).map_err(say)? else { return Ok(None) };
    settings::installed(&text).map(Some).map_err(|refusal| say(settings_file::refused(file, refusal)))
}

fn scopes(report: &mut Report, sources: &[Source]) {
    report.line("");
    for source in sources {
        let what = match &source.found {
            Err(_) => "cannot be read".to_owned(),
            Ok(None) => "no file".to_owned(),
            Ok(Some(found)) => match found.profile {
                None => "no entry of turnstop".to_owned(),
                Some(profile) => {
                    format!("{}, {} of {} events, {}", profile.name(), found.events.len(), EVENTS.len(), found.commands.join(", "))
                }
            },
        };
        report.line(format_args!("{:8} {}: {what}", source.scope.name(), source.file.display()));
    }
}

fn events(report: &mut Report, sources: &[Source], state_dir: Option<&Path>) {
    report.line("");
    report.line(format_args!("{:20} {:16} {:8} last seen, in any project", "event", "configured", "enabled"));
    let off =
        sources.iter().any(|source| source.found.as_ref().is_ok_and(|found| found.as_ref().is_some_and(|found| found.hooks_disabled)));
    for event in EVENTS {
        let configured: Vec<&Source> = sources
            .iter()
            .filter(|source| source.installed().is_some_and(|found| found.events.iter().any(|name| name == event.name)))
            .collect();
        let enabled = !off && configured.iter().any(|source| !source.is_ignored());
        let names: Vec<&str> = configured.iter().map(|source| source.scope.name()).collect();
        let names = if names.is_empty() { "-".to_owned() } else { names.join(", ") };
        let seen = state_dir.and_then(|dir| seen::last(dir, event.name));
        let enabled = if enabled { "yes" } else { "no" };
        report.line(format_args!("{:20} {names:16} {enabled:8} {}", event.name, ago(seen)));
    }
}

/// How long ago, in words.
fn ago(seen: Option<SystemTime>) -> String {
    let Some(seen) = seen else { return "never".to_owned() };
    let minutes = seen.elapsed().unwrap_or_default().as_secs() / 60;
    match minutes {
        0..=1 => "just now".to_owned(),
        2..=119 => format!("{minutes} minutes ago"),
        120..=2879 => format!("{} hours ago", minutes / 60),
        _ => format!("{} days ago", minutes / 60 / 24),
    }
}

/// What is wrong with the settings themselves.
fn wiring_problems(sources: &[Source], project: &Path) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut wrong = |what: String, remedy: String| problems.push(Problem(what, remedy));
    let again = |source: &Source| install(source.scope, project);
    for source in sources {
        let file = source.file.display();
        let found = match &source.found {
            Err(problem) => {
                wrong(problem.clone(), "correct the file; the client ignores one that it cannot read".to_owned());
                continue;
            }
            Ok(found) => found.clone().unwrap_or_default(),
        };
        if found.hooks_disabled {
            wrong(format!("{file} has `disableAllHooks`: no hook runs at all"), "remove that line, or set it to false".to_owned());
        }
        let Some(found) = source.installed() else { continue };
        if found.beyond_json {
            let what = format!("{file} holds a comment or a trailing comma: the client ignores all of it");
            wrong(what, "take them out of the file".to_owned());
        }
        let missing: Vec<&str> = EVENTS.iter().map(|event| event.name).filter(|name| !found.events.iter().any(|has| has == name)).collect();
        if !missing.is_empty() {
            wrong(format!("{file} lacks {}", missing.join(", ")), again(source));
        }
        if found.doubled {
            wrong(format!("{file} has more than one entry of turnstop for an event"), again(source));
        }
        for command in &found.commands {
            problem_of_program(command, &mut wrong, &again(source));
        }
    }
    let installed: Vec<&Source> = sources.iter().filter(|source| source.installed().is_some()).collect();
    match installed.as_slice() {
        [] => wrong("no settings file has an entry of turnstop".to_owned(), install(Scope::Local, project)),
        [_] => {}
        [first, rest @ ..] => {
            let names: Vec<&str> = rest.iter().map(|source| source.scope.name()).collect();
            let what =
                format!("it is installed for {} and for {}, so every event starts it twice", first.scope.name(), names.join(" and "));
            wrong(what, format!("turnstop uninstall --scope {}", names[0]));
        }
    }
    problems
}

/// Is the program of an entry there, and of this version?
fn problem_of_program(command: &str, wrong: &mut impl FnMut(String, String), again: &str) {
    if !settings::is_own_program(command) {
        // A command line of a shell: what it comes to is the shell's to say.
        return;
    }
    let program =
        if command.contains('/') { Some(PathBuf::from(command)).filter(|program| program.is_file()) } else { on_path(OsStr::new(command)) };
    let Some(program) = program else {
        return wrong(format!("the entries name {command}, which is not there"), again.to_owned());
    };
    let ended = process::run(Command::new(&program).arg("--version"), VERSION_DEADLINE);
    match ended.filter(|ended| ended.status == Some(0)) {
        Some(ended) if ended.output.trim() == concat!("turnstop ", env!("CARGO_PKG_VERSION")) => {}
        Some(ended) => {
            let version = text::cut(&text::clean(&ended.output), 60);
            wrong(format!("{} says that it is {version}, this is {}", program.display(), env!("CARGO_PKG_VERSION")), again.to_owned());
        }
        None => wrong(format!("{} does not run", program.display()), again.to_owned()),
    }
}

/// What else keeps it from running.
fn surroundings_problems(sources: &[Source], project: &Path, below_root: bool, state_dir: Option<&Path>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let has = |scope: Scope| sources.iter().any(|source| source.scope == scope && source.installed().is_some());
    let user = install(Scope::User, project);
    if below_root && has(Scope::Project) && !has(Scope::Local) && !has(Scope::User) {
        let what = "a client started in this folder, below the root of the work tree, does not read the root's `.claude/settings.json`";
        problems.push(Problem(what.to_owned(), user.clone()));
    }
    if let Some(main) = git::main_tree(project)
        && !has(Scope::User)
        && !has(Scope::Project)
        && !has(Scope::Local)
        && main.join(".claude/settings.local.json").is_file()
    {
        let what = format!("this is a linked work tree: the local settings of {} do not reach it", main.display());
        problems.push(Problem(what, user));
    }
    match state_dir {
        None => problems.push(Problem("there is no folder for what it remembers".to_owned(), "set HOME or XDG_STATE_HOME".to_owned())),
        Some(dir) => {
            if let Err(error) = Store::probe(dir) {
                let help = format!("make {} yours, and let nobody else write there; or set XDG_STATE_HOME", shell_word(dir));
                problems.push(Problem(format!("the state folder cannot be used: {error}"), help));
            }
        }
    }
    let (_, unsound) = Config::read(&Files::of(project, |name| env::var(name).ok()));
    for problem in unsound {
        problems.push(Problem(format!("the config is not used: {problem}"), "correct it; until then it counts as missing".to_owned()));
    }
    problems
}

fn install(scope: Scope, project: &Path) -> String {
    match scope {
        Scope::Local => format!("turnstop install {}", shell_word(project)),
        Scope::Project => format!("turnstop install --scope project {}", shell_word(project)),
        Scope::User => "turnstop install --scope user".to_owned(),
    }
}
