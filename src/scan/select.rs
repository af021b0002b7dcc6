//! Which sessions a scan reads: all of the project's, or what was asked for. Whatever is left out is told.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::walk;
use crate::agent::claude::layout;
use crate::finding::Finding;
use crate::meta::Meta;
use crate::text;

/// A project, and its transcripts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// The project, links resolved.
    pub project: PathBuf,
    /// The folders of its sessions.
    pub folders: Vec<PathBuf>,
    /// The sessions to read, each by the main agent's file.
    pub transcripts: Vec<PathBuf>,
}

impl Target {
    /// A project and all its sessions. `variable` looks up the environment.
    pub fn of(project: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let project = std::fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
        let folders = layout::config_dir(&variable).map(|config| layout::project_dirs(&config, &project)).unwrap_or_default();
        let transcripts = folders.iter().flat_map(|folder| layout::transcripts(folder)).collect();
        Target { project, folders, transcripts }
    }

    /// Every project that the client has sessions of.
    pub fn all(variable: impl Fn(&str) -> Option<OsString>) -> Vec<Self> {
        let Some(config) = layout::config_dir(&variable) else { return Vec::new() };
        let mut folders: Vec<PathBuf> =
            std::fs::read_dir(config.join("projects")).into_iter().flatten().flatten().map(|e| e.path()).collect();
        folders.retain(|folder| folder.is_dir());
        folders.sort();
        let mut targets = Vec::new();
        for folder in folders {
            let transcripts = layout::transcripts(&folder);
            if !transcripts.is_empty() {
                let project = project_of(&transcripts).unwrap_or_else(|| folder.clone());
                add(&mut targets, Target { project, folders: vec![folder], transcripts });
            }
        }
        targets
    }

    /// These transcripts, by the projects that they were recorded in, or as sessions of one project.
    pub fn of_transcripts(transcripts: &[PathBuf], project: Option<&Path>) -> Vec<Self> {
        let mut targets = Vec::new();
        for transcript in transcripts {
            let project = project.map(|path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
            let project = project.or_else(|| project_of(std::slice::from_ref(transcript))).unwrap_or_else(|| folder_of(transcript));
            add(&mut targets, Target { project, folders: vec![folder_of(transcript)], transcripts: vec![transcript.clone()] });
        }
        targets
    }
}

fn folder_of(transcript: &Path) -> PathBuf {
    transcript.parent().map(Path::to_owned).unwrap_or_default()
}

/// Where the sessions worked: the folder of the first event that has one.
fn project_of(transcripts: &[PathBuf]) -> Option<PathBuf> {
    let folder = transcripts.iter().map(|path| walk::worked_in(path)).find(|folder| !folder.as_os_str().is_empty())?;
    Some(std::fs::canonicalize(&folder).unwrap_or(folder))
}

/// One project may have folders under the names of several clients.
fn add(targets: &mut Vec<Target>, more: Target) {
    match targets.iter_mut().find(|target| target.project == more.project) {
        Some(target) => {
            target.folders.extend(more.folders.into_iter().filter(|folder| !target.folders.contains(folder)).collect::<Vec<_>>());
            target.transcripts.extend(more.transcripts);
        }
        None => targets.push(more),
    }
}

/// What was asked for.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The beginnings of ids of sessions; none means all.
    pub sessions: Vec<String>,
    /// What happened from then on, in milliseconds since 1970.
    pub since: Option<u64>,
    /// So many sessions, the newest.
    pub recent: Option<usize>,
    /// So many lines of each file, the first.
    pub max_lines: Option<u64>,
    /// No session at all, only what the projects themselves record.
    pub no_sessions: bool,
    /// Nothing but the sessions: some of them were asked for by name.
    pub only_sessions: bool,
    /// Only what these rules find; none means all.
    pub rules: Vec<&'static Meta>,
}

impl Selection {
    /// Leaves out of the targets what was not asked for, and says what was left out.
    ///
    /// # Errors
    /// When an id is that of no session, or of several: one line, without a final stop.
    pub fn apply(&self, targets: &mut Vec<Target>) -> Result<Vec<String>, String> {
        let mut bounds = Vec::new();
        if self.no_sessions {
            let left_out = keep(targets, |_| false);
            bounds.extend(told("--no-sessions", left_out, ""));
        }
        if !self.sessions.is_empty() {
            let wanted = self.wanted(targets)?;
            let left_out = keep(targets, |path| wanted.contains(path));
            bounds.extend(told("--session", left_out, ""));
            targets.retain(|target| !target.transcripts.is_empty());
        }
        if let Some(since) = self.since {
            let left_out = keep(targets, |path| written(path) >= since);
            bounds.push(format!("--since: from {} on", text::stamp(since)));
            bounds.extend(told("--since", left_out, " that ended before"));
        }
        if let Some(recent) = self.recent {
            // Subagents' files that stand beside the sessions must not push one out.
            let sessions = targets.iter().flat_map(|target| &target.transcripts).filter(|path| !id(path).starts_with("agent-"));
            let mut newest: Vec<(u64, &Path)> = sessions.map(|path| (written(path), path.as_path())).collect();
            newest.sort_by(|a, b| b.cmp(a));
            newest.truncate(recent);
            let oldest = newest.last().map_or(u64::MAX, |(time, _)| *time);
            let kept: HashSet<PathBuf> = newest.into_iter().map(|(_, path)| path.to_owned()).collect();
            let left_out = keep(targets, |path| if id(path).starts_with("agent-") { written(path) >= oldest } else { kept.contains(path) });
            bounds.extend(told(&format!("--recent {recent}"), left_out, ""));
        }
        if !self.rules.is_empty() {
            let ids: Vec<&str> = self.rules.iter().map(|rule| rule.id).collect();
            bounds.push(format!("--rule: only what {} finds", ids.join(", ")));
        }
        Ok(bounds)
    }

    /// The transcripts of the sessions asked for.
    fn wanted(&self, targets: &[Target]) -> Result<HashSet<PathBuf>, String> {
        let mut wanted = HashSet::new();
        for start in &self.sessions {
            let all = targets.iter().flat_map(|target| &target.transcripts);
            let found: Vec<&PathBuf> = all.filter(|path| id(path).starts_with(start.as_str())).collect();
            let exact: Vec<&PathBuf> = found.iter().copied().filter(|path| id(path) == *start).collect();
            let found = if exact.is_empty() { found } else { exact };
            let mut ids: Vec<String> = found.iter().map(|path| text::name(&id(path), 80)).collect();
            ids.dedup();
            match ids.len() {
                0 => return Err(format!("no session's id begins with `{}`", text::name(start, 80))),
                1 => wanted.extend(found.into_iter().cloned()),
                many => {
                    ids.truncate(5);
                    return Err(format!("`{}` begins the ids of {many} sessions: {}", text::name(start, 80), ids.join(", ")));
                }
            }
        }
        Ok(wanted)
    }

    /// Was the finding asked for?
    pub(super) fn takes(&self, finding: &Finding) -> bool {
        let rule = self.rules.is_empty() || self.rules.iter().any(|rule| rule.id == finding.rule.id);
        let time = finding.places.last().and_then(|place| text::millis(place.time.as_deref()?));
        rule && self.since.zip(time).is_none_or(|(since, time)| time >= since)
    }
}

/// A session's id: the name of its transcript.
fn id(transcript: &Path) -> std::borrow::Cow<'_, str> {
    transcript.file_stem().unwrap_or_default().to_string_lossy()
}

/// Keeps the transcripts that pass, and counts the others.
fn keep(targets: &mut [Target], wanted: impl Fn(&PathBuf) -> bool) -> usize {
    let mut left_out = 0;
    for target in targets {
        let before = target.transcripts.len();
        target.transcripts.retain(&wanted);
        left_out += before - target.transcripts.len();
    }
    left_out
}

fn told(option: &str, left_out: usize, which: &str) -> Option<String> {
    match left_out {
        0 => None,
        1 => Some(format!("{option}: 1 session left out{which}")),
        _ => Some(format!("{option}: {left_out} sessions left out{which}")),
    }
}

/// When a session was written last, by its own file or a subagent's, in milliseconds since 1970.
fn written(transcript: &Path) -> u64 {
    let own = std::iter::once(transcript.to_owned());
    own.chain(layout::subagents(transcript)).filter_map(|path| Some(millis(path.metadata().ok()?.modified().ok()?))).max().unwrap_or(0)
}

fn millis(time: std::time::SystemTime) -> u64 {
    u64::try_from(time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_millis()).unwrap_or(u64::MAX)
}
