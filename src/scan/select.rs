//! Which sessions a scan reads: all of the project's, or what was asked for. Whatever is left out is told.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use crate::agent::{Client, Found, Recorded};
use crate::finding::Finding;
use crate::meta::Meta;
use crate::text;
use crate::world::git;

/// A project, and its sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Target {
    /// The project, links resolved.
    pub project: PathBuf,
    /// The folders of its sessions.
    pub folders: Vec<PathBuf>,
    /// The sessions to read.
    pub sessions: Vec<Recorded>,
    /// The ids of those that were left out.
    pub left_out: HashSet<String>,
}

impl Target {
    /// A project and all its sessions, of every client. `variable` looks up the environment.
    pub fn of(project: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let project = std::fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
        let mut target = Target { project, ..Target::default() };
        for client in Client::ALL {
            let mut found = client.sessions_of(&target.project, &variable);
            found.sessions.retain(|session| !is_of_another(&session.cwd, &target.project));
            target.take(found);
        }
        target
    }

    /// Every project that a client has sessions of.
    pub fn all(variable: impl Fn(&str) -> Option<OsString>) -> Vec<Self> {
        let mut targets: Vec<Target> = Vec::new();
        for found in Client::ALL.into_iter().flat_map(|client| client.sessions(&variable)) {
            let folder = found.folders.first().cloned();
            let Some(project) = project_of(&found.sessions, &targets).or(folder) else { continue };
            add(&mut targets, project, found);
        }
        targets
    }

    /// These transcripts, by the projects that they were recorded in, or as sessions of one project.
    pub fn of_transcripts(transcripts: &[PathBuf], project: Option<&Path>) -> Vec<Self> {
        let mut targets = Vec::new();
        for transcript in transcripts {
            let session = Recorded::at(transcript);
            let project = project.map(|path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
            let project = project.or_else(|| project_of(std::slice::from_ref(&session), &[])).unwrap_or_else(|| session.folder.clone());
            add(&mut targets, project, Found { folders: Vec::new(), sessions: vec![session] });
        }
        targets
    }

    /// One project may have sessions of several clients, in several folders.
    fn take(&mut self, found: Found) {
        for folder in found.folders.iter().chain(found.sessions.iter().map(|session| &session.folder)) {
            if !self.folders.contains(folder) {
                self.folders.push(folder.clone());
            }
        }
        self.sessions.extend(found.sessions);
    }
}

/// Did a session that is known to have worked here, in the project or below it, work in another repository there?
fn is_of_another(cwd: &Path, project: &Path) -> bool {
    cwd != project && git::root(cwd).is_some_and(|root| root != project && root.starts_with(project))
}

/// Where the sessions worked: the folder of the first event that has one; a project that is known already, where that
/// folder is within it.
fn project_of(sessions: &[Recorded], known: &[Target]) -> Option<PathBuf> {
    let folder = sessions.iter().map(Recorded::worked_in).find(|folder| !folder.as_os_str().is_empty())?;
    let folder = std::fs::canonicalize(&folder).unwrap_or(folder);
    let known =
        known.iter().map(|target| &target.project).filter(|project| folder.starts_with(project) && !is_of_another(&folder, project));
    Some(known.max_by_key(|project| project.as_os_str().len()).cloned().unwrap_or(folder))
}

fn add(targets: &mut Vec<Target>, project: PathBuf, found: Found) {
    let at = targets.iter().position(|target| target.project == project).unwrap_or_else(|| {
        targets.push(Target { project, ..Target::default() });
        targets.len() - 1
    });
    targets[at].take(found);
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
            let left_out = keep(targets, |session| wanted.contains(&session.transcript));
            bounds.extend(told("--session", left_out, ""));
            targets.retain(|target| !target.sessions.is_empty());
        }
        if let Some(since) = self.since {
            let left_out = keep(targets, |session| written(session) >= since);
            bounds.push(format!("--since: from {} on", text::stamp(since)));
            bounds.extend(told("--since", left_out, " that ended before"));
        }
        if let Some(recent) = self.recent {
            // Subagents' files that stand beside the sessions must not push one out.
            let sessions = targets.iter().flat_map(|target| &target.sessions).filter(|session| !session.is_subagent());
            let mut newest: Vec<(u64, &Path)> = sessions.map(|session| (written(session), session.transcript.as_path())).collect();
            newest.sort_by(|a, b| b.cmp(a));
            newest.truncate(recent);
            let oldest = newest.last().map_or(u64::MAX, |(time, _)| *time);
            let kept: HashSet<PathBuf> = newest.into_iter().map(|(_, path)| path.to_owned()).collect();
            let is_kept =
                |session: &Recorded| if session.is_subagent() { written(session) >= oldest } else { kept.contains(&session.transcript) };
            let left_out = keep(targets, is_kept);
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
            let all = targets.iter().flat_map(|target| &target.sessions);
            let found: Vec<&Recorded> = all.filter(|session| session.id.starts_with(start.as_str())).collect();
            let exact: Vec<&Recorded> = found.iter().copied().filter(|session| session.id == *start).collect();
            let found = if exact.is_empty() { found } else { exact };
            let mut ids: Vec<String> = found.iter().map(|session| text::name(&session.id, 80)).collect();
            ids.dedup();
            match ids.len() {
                0 => return Err(format!("no session's id begins with `{}`", text::name(start, 80))),
                1 => wanted.extend(found.into_iter().map(|session| session.transcript.clone())),
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

/// Keeps the sessions that pass, and counts the others.
fn keep(targets: &mut [Target], wanted: impl Fn(&Recorded) -> bool) -> usize {
    let mut left_out = 0;
    for target in targets {
        let (kept, others) = std::mem::take(&mut target.sessions).into_iter().partition(&wanted);
        target.sessions = kept;
        left_out += others.len();
        target.left_out.extend(others.into_iter().map(|session: Recorded| session.id));
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
fn written(session: &Recorded) -> u64 {
    session.files().filter_map(|path| Some(millis(path.metadata().ok()?.modified().ok()?))).max().unwrap_or(0)
}

fn millis(time: std::time::SystemTime) -> u64 {
    u64::try_from(time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_millis()).unwrap_or(u64::MAX)
}
