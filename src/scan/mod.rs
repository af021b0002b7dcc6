//! The rules over everything on disk: discovery, reading, the moments replayed, and the join of what crosses
//! sessions. Nothing is written.

mod beside;
pub mod history;
pub mod memories;
pub mod select;
pub mod siblings;
pub mod walk;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::agent::transcript::Counters;
use crate::agent::{Client, Recorded};
use crate::config::Config;
use crate::finding::Finding;
use crate::meta::Severity;
use crate::records::Records;
use crate::rules::{CORPUS_RULES, Corpus, CorpusFinding, CorpusFindings};
use crate::session::event::Event;
use crate::session::temp_files::TempTrace;
use crate::suppress::{self, Suppressed};
use beside::Beside;
use select::{Selection, Target};
use walk::{Session, Surroundings};

/// What a scan found, and what it read to find it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scan {
    /// The project.
    pub project: PathBuf,
    /// The folders of its sessions.
    pub folders: Vec<PathBuf>,
    /// What was found, the gravest first.
    pub findings: Vec<Spotted>,
    /// What was found and is allowed or acknowledged.
    pub suppressed: Vec<Suppressed>,
    /// What is to be told of the config, its allow entries and the baseline, a line each.
    pub notes: Vec<String>,
    /// What was read.
    pub read: Read,
}

/// A finding of a scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spotted {
    /// What was found.
    pub finding: Finding,
    /// The call never ran: it was denied, refused, cancelled or interrupted.
    pub prevented: bool,
    /// What tells it from others over all scans ([`suppress::fingerprint`]); empty until the project's scan is done.
    pub fingerprint: String,
}

impl Spotted {
    /// A finding of a call that ran, or did not.
    pub fn new(finding: Finding, prevented: bool) -> Self {
        Spotted { finding, prevented, fingerprint: String::new() }
    }

    /// How much it counts: what was prevented is worth knowing, never a fault.
    pub fn severity(&self) -> Severity {
        if self.prevented { Severity::Info } else { self.finding.severity }
    }
}

/// What a scan read. Every complete line is an event, part of one, bookkeeping of the client, or counted
/// here as not read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Read {
    /// Sessions, by client.
    pub sessions: BTreeMap<Client, u32>,
    /// Files, subagents' among them.
    pub files: u32,
    /// Complete lines.
    pub lines: u64,
    /// Lines that are no JSON.
    pub not_json: u64,
    /// Lines that are JSON and not what their type promises.
    pub misshapen: u64,
    /// Lines too long to be read.
    pub oversized: u64,
    /// Records met before, in a resumed or forked copy.
    pub duplicates: u64,
    /// Files that end within a line.
    pub half_last_lines: u32,
    /// Lines of types that this version does not know, by type.
    pub unknown_types: BTreeMap<String, u64>,
    /// Files that could not be read, and why.
    pub skipped: Vec<(PathBuf, String)>,
    /// Files of which only the first lines were read, as was asked for.
    pub truncated: u32,
    /// What was left out because it was not asked for, a line each.
    pub bounds: Vec<String>,
}

impl Read {
    /// All sessions.
    pub fn all_sessions(&self) -> u32 {
        self.sessions.values().sum()
    }

    /// Lines that nothing could be made of.
    pub fn lines_not_read(&self) -> u64 {
        self.not_json + self.misshapen + self.oversized
    }

    /// Was a part left out because it was not asked for?
    pub fn is_bounded(&self) -> bool {
        self.truncated > 0 || !self.bounds.is_empty()
    }

    /// What the reader of one file met.
    fn of(counters: &Counters) -> Self {
        let unknown = counters.unknown_types.iter();
        Read {
            files: 1,
            lines: counters.lines.into(),
            not_json: counters.not_json.into(),
            misshapen: counters.misshapen.into(),
            oversized: counters.oversized.into(),
            duplicates: counters.duplicates.into(),
            half_last_lines: counters.half_last_line.into(),
            unknown_types: unknown.map(|(name, count)| (name.clone(), u64::from(*count))).collect(),
            ..Read::default()
        }
    }

    fn add(&mut self, other: Read) {
        for (client, count) in other.sessions {
            *self.sessions.entry(client).or_default() += count;
        }
        self.files += other.files;
        self.lines += other.lines;
        self.not_json += other.not_json;
        self.misshapen += other.misshapen;
        self.oversized += other.oversized;
        self.duplicates += other.duplicates;
        self.half_last_lines += other.half_last_lines;
        for (name, count) in other.unknown_types {
            *self.unknown_types.entry(name).or_default() += count;
        }
        self.skipped.extend(other.skipped);
        self.truncated += other.truncated;
        self.bounds.extend(other.bounds);
    }
}

/// What a scan goes by beside its target.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// What was asked for.
    pub selection: &'a Selection,
    /// The config of the project.
    pub config: &'a Config,
    /// Told of every session that has been read.
    pub progress: &'a (dyn Fn() + Sync),
}

/// Scans a project. `variable` looks up the environment.
pub fn project(target: &Target, terms: &Terms<'_>, variable: impl Fn(&str) -> Option<OsString>) -> Scan {
    let mut beside = Beside::of(target, terms, &variable);
    if terms.selection.recent.is_some() {
        beside.commands.clear();
    }
    let mut surroundings = Surroundings::new(&target.project, variable);
    surroundings.config = terms.config.clone();
    surroundings.max_lines = terms.selection.max_lines;
    let mut scan = sessions(target, &surroundings, beside, terms.progress);
    scan.findings.retain(|spotted| terms.selection.takes(&spotted.finding));
    scan.findings.retain_mut(|spotted| {
        // A rule that is off is asked like the others, and not heard.
        let gravest = terms.config.level(spotted.finding.rule).gravest();
        spotted.finding.severity = gravest.map_or(spotted.finding.severity, |gravest| spotted.finding.severity.min(gravest));
        gravest.is_some()
    });
    settle(&mut scan.findings);
    for spotted in &mut scan.findings {
        spotted.fingerprint = suppress::fingerprint(&spotted.finding, &target.project);
    }
    scan.project.clone_from(&target.project);
    scan.folders.clone_from(&target.folders);
    scan
}

/// Several projects' scans as one.
pub fn join(scans: Vec<Scan>) -> Scan {
    let mut joined = Scan::default();
    for scan in scans {
        joined.folders.extend(scan.folders);
        joined.findings.extend(scan.findings);
        joined.suppressed.extend(scan.suppressed);
        joined.notes.extend(scan.notes);
        joined.read.add(scan.read);
    }
    settle(&mut joined.findings);
    joined
}

/// Scans the sessions of one project, and what lies beside them.
fn sessions(target: &Target, surroundings: &Surroundings, mut beside: Beside, progress: &(dyn Fn() + Sync)) -> Scan {
    let mut scan = Scan::default();
    scan.read.add(beside.read);
    scan.findings.extend(beside.findings.into_iter().map(|finding| Spotted::new(finding, false)));
    let mut traces = Vec::new();
    let mut names = Vec::new();
    let mut read = read_all(&target.sessions, surroundings, progress);
    read.extend(typed(&beside.commands, target, surroundings));
    for session in read {
        scan.read.add(session.read);
        scan.findings.extend(session.findings);
        traces.push(session.trace);
        beside.records.secrets.extend(session.secrets);
        names.push((session.id, session.files));
    }
    // What names the other writer says more than what one session shows alone.
    scan.findings.splice(0..0, across(&traces, &names, &beside.records));
    scan
}

/// The sessions of which nothing is left but the commands that were typed in them.
fn typed(commands: &[(Arc<str>, Event<'static>)], target: &Target, surroundings: &Surroundings) -> Vec<Session> {
    let mut known: HashSet<&str> =
        target.sessions.iter().map(|session| &*session.id).chain(target.left_out.iter().map(|id| &**id)).collect();
    if !known.is_empty() {
        // Old clients do not say in which session a command was typed: it may be one of those.
        known.insert("");
    }
    let mut by_session: BTreeMap<(&str, &str), Vec<&Event<'_>>> = BTreeMap::new();
    for (file, event) in commands.iter().filter(|(_, event)| !known.contains(&*event.session)) {
        by_session.entry((&event.session, file)).or_default().push(event);
    }
    by_session.into_iter().map(|((id, file), events)| walk::commands(id, file, &events, surroundings)).collect()
}

/// Reads the sessions on every processor, and gives them in the order asked for.
fn read_all(recorded: &[Recorded], surroundings: &Surroundings, progress: &(dyn Fn() + Sync)) -> Vec<Session> {
    // The largest first, so that none is left for the end that only one processor works on.
    let mut order: Vec<usize> = (0..recorded.len()).collect();
    order.sort_by_cached_key(|index| Reverse(recorded[*index].size()));
    let next = AtomicUsize::new(0);
    let read = Mutex::new(Vec::with_capacity(recorded.len()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(recorded.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(&index) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let session = walk::session(&recorded[index], surroundings, &mut |_| {});
                    read.lock().unwrap_or_else(PoisonError::into_inner).push((index, session));
                    progress();
                }
            });
        }
    });
    let mut read = read.into_inner().unwrap_or_else(PoisonError::into_inner);
    read.sort_by_key(|(index, _)| *index);
    read.into_iter().map(|(_, session)| session).collect()
}

/// What several sessions did together.
fn across(traces: &[TempTrace], names: &[(String, BTreeMap<String, String>)], records: &Records) -> Vec<Spotted> {
    let mut found = CorpusFindings::new();
    for rule in CORPUS_RULES {
        rule.check(&Corpus { traces, records }, &mut found);
    }
    let place = |mut spotted: CorpusFinding| {
        for (place, session) in spotted.finding.places.iter_mut().zip(&spotted.sessions) {
            let (id, files) = &names[*session];
            place.session.clone_from(id);
            place.file = files.get(&place.agent).cloned().unwrap_or_default();
        }
        Spotted::new(spotted.finding, spotted.prevented)
    };
    found.into_iter().map(place).collect()
}

/// One finding for each rule, thing and session, at its gravest, the gravest first; and what a resumed or
/// forked session copied counts once.
fn settle(findings: &mut Vec<Spotted>) {
    let weight = |spotted: &Spotted| (spotted.severity(), spotted.finding.severity, spotted.finding.confidence);
    findings.sort_by_key(|spotted| Reverse(weight(spotted)));
    let mut seen = HashSet::new();
    findings.retain(|spotted| {
        let finding = &spotted.finding;
        let (session, call) = finding.places.last().map_or_else(Default::default, |place| {
            (place.session.clone(), place.time.as_ref().map(|time| (time.clone(), place.excerpt.clone())))
        });
        let first_in_session = seen.insert((finding.rule.id, finding.key.clone(), session, None));
        first_in_session && call.is_none_or(|call| seen.insert((finding.rule.id, finding.key.clone(), String::new(), Some(call))))
    });
}
