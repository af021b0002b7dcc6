//! `turnstop scan`: the rules over the sessions of a project.

use std::env;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::NonEmptyStringValueParser;

use super::progress::Progress;
use super::{Failure, Report, colour, home};
use crate::config::{Config, Files, nearest};
use crate::meta::{Meta, Severity};
use crate::report::{catalogue, github, json, jsonl, sarif, text};
use crate::scan::select::{Selection, Target};
use crate::scan::{self, Scan, Spotted, Terms};
use crate::suppress::{self, Baseline};
use crate::world::git;

/// Look through the recorded sessions of a project
///
/// Reads the transcripts that Claude Code and Codex keep of the project, those of subagents among them, and asks of every
/// call what the hook would have asked. Nothing is written but a baseline that was asked for, and nothing leaves the
/// machine. What only a live run can verify (what a file held at the time) is a guess here, and says so.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The project's folder, as the client was started in it [default: the current folder; where no session was
    /// started in it, the git work tree around it]
    #[arg(value_name = "PROJECT")]
    project: Option<PathBuf>,

    /// The form of the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// The least grave finding that makes the exit status 1
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Error)]
    fail_on: FailOn,

    /// The same as --fail-on warning
    #[arg(long, conflicts_with = "fail_on")]
    strict: bool,

    /// Show findings that are merely worth knowing, those of calls that never ran, and suppressed ones
    #[arg(long, short)]
    verbose: bool,

    /// List only findings as grave as this; all are counted [default: warning in text and github, or what --fail-on says, else info]
    #[arg(long, value_enum, value_name = "SEVERITY")]
    min_severity: Option<Least>,

    /// List and count only what this rule finds, by its id or its name alone (may be repeated)
    #[arg(long, value_name = "RULE", help_heading = "Selection")]
    rule: Vec<String>,

    /// Read only the session whose id begins so (may be repeated)
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new(), help_heading = "Selection")]
    session: Vec<String>,

    /// Read this transcript and those of its subagents (may be repeated)
    #[arg(long, value_name = "FILE", conflicts_with = "all_projects", help_heading = "Selection")]
    transcript: Vec<PathBuf>,

    /// Leave out what happened before a day or an age: 2026-11-30, 7d, 12h
    #[arg(long, value_name = "DATE|AGE", value_parser = since, help_heading = "Selection")]
    since: Option<u64>,

    /// Read only so many sessions, the newest
    #[arg(long, value_name = "N", help_heading = "Selection")]
    recent: Option<NonZeroUsize>,

    /// Read only so many lines of each file
    #[arg(long, value_name = "N", help_heading = "Selection")]
    max_lines: Option<NonZeroU64>,

    /// Read every project that a client has sessions of
    #[arg(long, conflicts_with = "project", help_heading = "Selection")]
    all_projects: bool,

    /// Read no session, only what the project itself records
    #[arg(long, conflicts_with_all = ["session", "transcript", "recent", "all_projects"], help_heading = "Selection")]
    no_sessions: bool,

    /// Leave out of the report what this file acknowledges
    #[arg(long, value_name = "FILE", help_heading = "Suppression")]
    baseline: Option<PathBuf>,

    /// Acknowledge what is found now: write it to this file
    #[arg(long, value_name = "FILE", help_heading = "Suppression")]
    write_baseline: Option<PathBuf>,

    /// Go by this file in place of ~/.config/turnstop/config.toml
    #[arg(long, value_name = "FILE", help_heading = "Suppression")]
    config: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Exit status: 0 clean, 1 findings at or above --fail-on, 2 usage, config or input error.
What the config allows, what a baseline acknowledges and calls that never ran do not count.

Examples:
  turnstop scan                              the project you are in
  turnstop scan ~/src/app --verbose          another one, with everything that was seen
  turnstop scan --since 7d --rule shared-temp-path
  turnstop scan --format json | jq .summary  for a program
  turnstop scan --strict                     fail on warnings, too
  turnstop scan --write-baseline known.json  acknowledge what there is
  turnstop scan --baseline known.json        and fail on what is new";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON object; its `version` tells of changes
    Json,
    /// JSON, a line for each finding and one for the summary
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations for GitHub Actions
    Github,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Least {
    Info,
    Warning,
    Error,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Errors
    Error,
    /// Warnings and errors
    Warning,
    /// Any finding
    Info,
    /// No finding
    Never,
}

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let selection = args.selection()?;
    let baseline = args.known()?;
    let mut targets = args.targets()?;
    let bounds = selection.apply(&mut targets).map_err(|problem| {
        Failure::new(problem, "name the beginning of one id; `turnstop scan --all-projects --session ID` looks everywhere")
    })?;
    let today = crate::text::today();
    let progress = Progress::over(targets.iter().map(|target| target.sessions.len()).sum());
    let mut scans = Vec::new();
    let mut configs = Vec::new();
    for target in &targets {
        let (config, unsound) = args.config_of(&target.project)?;
        let terms = Terms { selection: &selection, config: &config, progress: &|| progress.step() };
        let mut scan = scan::project(target, &terms, |name| env::var_os(name));
        suppress::allow(&mut scan, &config, &today);
        scan.notes.extend(unsound);
        scans.push(scan);
        configs.push(config);
    }
    drop(progress);
    let mut scan = match <[Scan; 1]>::try_from(scans) {
        Ok([scan]) => scan,
        Err(scans) => scan::join(scans),
    };
    scan.read.bounds.splice(0..0, bounds);
    if let Some(baseline) = &baseline {
        suppress::acknowledge(&mut scan, baseline);
    }
    scan.notes.extend(suppress::review(&scan, &configs, baseline.as_ref(), &today));
    if let Some(file) = &args.write_baseline {
        write_baseline(&mut scan, baseline, file)?;
    }
    let least = args.fails_from();
    let fails = |spotted: &Spotted| !spotted.prevented && least.is_some_and(|least| spotted.finding.severity >= least);
    Ok(Report { text: args.render(&scan), found: scan.findings.iter().any(fails), ..Report::default() })
}

/// Variables that tell where clients keep sessions.
const HOMES: &[&str] = &["HOME", "USERPROFILE", "CLAUDE_CONFIG_DIR", "CODEX_HOME"];

impl Args {
    fn selection(&self) -> Result<Selection, Failure> {
        Ok(Selection {
            sessions: self.session.clone(),
            since: self.since,
            recent: self.recent.map(usize::from),
            max_lines: self.max_lines.map(u64::from),
            no_sessions: self.no_sessions,
            only_sessions: !self.session.is_empty() || !self.transcript.is_empty(),
            rules: self.rule.iter().map(|id| rule(id)).collect::<Result<_, _>>()?,
        })
    }

    /// The projects, and their sessions, before any selection.
    fn targets(&self) -> Result<Vec<Target>, Failure> {
        let variable = |name: &str| env::var_os(name);
        let help = "name the folder that the client was started in, as in `turnstop scan ~/src/app`";
        if let Some(project) = self.project.as_deref().filter(|project| !project.is_dir()) {
            return Err(Failure::new(format!("{} is not a folder", project.display()), help));
        }
        if let Some(file) = self.transcript.iter().find(|file| !file.is_file()) {
            let help = "name a session's transcript, as in `--transcript ~/.claude/projects/<project>/<session>.jsonl`";
            return Err(Failure::new(format!("{} is not a file", file.display()), help));
        }
        let set = |name: &&str| variable(name).is_some_and(|value| !value.is_empty());
        if self.transcript.is_empty() && !self.no_sessions && !HOMES.iter().any(set) {
            return Err(Failure::new("there is no home folder to find sessions in", "set HOME, or name files with --transcript"));
        }
        if self.all_projects {
            return Ok(Target::all(variable));
        }
        if !self.transcript.is_empty() {
            return Ok(Target::of_transcripts(&self.transcript, self.project.as_deref()));
        }
        let target = Target::of(self.project.as_deref().unwrap_or(Path::new(".")), variable);
        Ok(vec![match (&self.project, git::root(&target.project)) {
            (None, Some(root)) if target.folders.is_empty() => Target::of(root, variable),
            _ => target,
        }])
    }

    /// The config of a project, and what is wrong with the file of a project that was not asked for by name: one among
    /// many must not keep the others from being read.
    fn config_of(&self, project: &Path) -> Result<(Config, Vec<String>), Failure> {
        let mut files = Files::of(project, |name| env::var(name).ok());
        if let Some(file) = &self.config {
            if !file.is_file() {
                return Err(Failure::new(format!("{} is not a file", file.display()), "name a config file"));
            }
            files.user = Some(file.clone());
        }
        let of_many = Files { project: None, ..files.clone() };
        let (_, fatal) = Config::read(if self.all_projects { &of_many } else { &files });
        if let Some(problem) = fatal.into_iter().next() {
            return Err(Failure::new(problem, "correct the config; `turnstop rules` lists the rules, and their pages the options"));
        }
        Ok(Config::read(&files))
    }

    /// The baseline to go by: one that is yet to be written need not exist.
    fn known(&self) -> Result<Option<Baseline>, Failure> {
        let Some(file) = &self.baseline else { return Ok(None) };
        if !file.exists() && self.write_baseline.as_ref() == Some(file) {
            return Ok(None);
        }
        let help = "write one with `turnstop scan --write-baseline FILE`";
        Baseline::read(file).map(Some).map_err(|problem| Failure::new(problem, help))
    }

    /// The least grave finding that makes the exit status 1; `None` when none does.
    fn fails_from(&self) -> Option<Severity> {
        match self.fail_on {
            _ if self.strict => Some(Severity::Warning),
            FailOn::Never => None,
            FailOn::Error => Some(Severity::Error),
            FailOn::Warning => Some(Severity::Warning),
            FailOn::Info => Some(Severity::Info),
        }
    }

    fn render(&self, scan: &Scan) -> String {
        let for_people = matches!(self.format, Format::Text | Format::Github);
        let least = match self.min_severity {
            Some(Least::Error) => Severity::Error,
            Some(Least::Warning) => Severity::Warning,
            // What fails is listed.
            None if for_people && !self.verbose => self.fails_from().unwrap_or(Severity::Warning).min(Severity::Warning),
            Some(Least::Info) | None => Severity::Info,
        };
        match self.format {
            Format::Text => text::render(scan, text::Show { least, suppressed: self.verbose, colour: colour(), home: &home() }),
            Format::Json => json::render(scan, least),
            Format::Jsonl => jsonl::render(scan, least),
            Format::Sarif => sarif::render(scan, least),
            Format::Github => github::render(scan, least),
        }
    }
}

/// The rule of that id or name.
pub(super) fn rule(id: &str) -> Result<&'static Meta, Failure> {
    catalogue::find(id).ok_or_else(|| {
        let names = catalogue::all().flat_map(|meta| [meta.id, meta.name()]);
        let help = nearest(id, names).map_or("`turnstop rules` lists the rules".to_owned(), |name| format!("did you mean `{name}`?"));
        Failure::new(format!("`{id}` is no rule"), help)
    })
}

/// `2026-11-30`, by the person's clock, or an age as `7d`, as milliseconds since 1970.
fn since(text: &str) -> Result<u64, String> {
    let now = chrono::Local::now();
    let millis = |time: i64| u64::try_from(time).map_err(|_| "before 1970".to_owned());
    if let Ok(day) = chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d") {
        let midnight = day.and_time(chrono::NaiveTime::MIN).and_local_timezone(chrono::Local).earliest();
        return millis(midnight.ok_or("a day that has no midnight here")?.timestamp_millis());
    }
    if let Ok(time) = chrono::DateTime::parse_from_rfc3339(text) {
        return millis(time.timestamp_millis());
    }
    let seconds = [('m', 60), ('h', 3600), ('d', 86_400), ('w', 7 * 86_400)];
    let age = seconds
        .iter()
        .find_map(|(unit, seconds)| text.strip_suffix(*unit)?.parse::<u32>().ok().map(|n| i64::from(n) * seconds))
        .filter(|age| *age > 0);
    let age = age.ok_or("neither a day (2026-11-30) nor an age (7d, 12h)")?;
    millis(now.timestamp_millis().saturating_sub(age * 1000).max(0))
}

fn write_baseline(scan: &mut Scan, known: Option<Baseline>, file: &Path) -> Result<(), Failure> {
    let before = Baseline::read(file);
    if file.exists() && before.is_err() {
        let help = "name another file, or remove this one first; nothing was written";
        return Err(Failure::new(format!("{} is there, and is no baseline", file.display()), help));
    }
    // What stood in the file is kept for the part that was left out of the scan.
    let baseline = Baseline::of(scan, known.or_else(|| before.ok()));
    baseline.write(file).map_err(|error| {
        Failure::new(format!("{} cannot be written: {error}", file.display()), "look at the permissions of the folder; nothing was written")
    })?;
    suppress::acknowledge(scan, &baseline);
    let findings = if baseline.len() == 1 { "finding" } else { "findings" };
    scan.notes.push(format!("{} acknowledges {} {findings} now", file.display(), baseline.len()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_times_and_ages() {
        let now = u64::try_from(chrono::Local::now().timestamp_millis()).expect("after 1970");
        let age = |text: &str| now - since(text).expect("an age");
        assert!((43_200_000 - 5_000..43_200_000 + 5_000).contains(&age("12h")) && age("1w") > age("6d"));
        assert_eq!(since("2026-11-30T00:00:00Z"), Ok(1_795_996_800_000));
        for wrong in ["", "d", "7", "0d", "-1d", "2026-13-01", "soon", "7ä"] {
            assert!(since(wrong).is_err(), "{wrong}");
        }
    }
}
