//! The rules over everything on disk: discovery, reading, the moments replayed, and the join of what crosses
//! sessions. Nothing is written.

pub mod history;
pub mod memories;
pub mod siblings;
pub mod walk;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::agent::claude::layout;
use crate::agent::claude::transcript::Counters;
use crate::finding::Finding;
use crate::meta::Severity;
use crate::records::Records;
use crate::records::memory::Memories;
use crate::rules::{CORPUS_RULES, Corpus, CorpusFinding, CorpusFindings, DivergedFile};
use crate::session::temp_files::TempTrace;
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
}

impl Spotted {
    /// How much it counts: what was prevented is worth knowing, never a fault.
    pub fn severity(&self) -> Severity {
        if self.prevented { Severity::Info } else { self.finding.severity }
    }
}

/// What a scan read. Every complete line is an event, part of one, bookkeeping of the client, or counted
/// here as not read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Read {
    /// Sessions.
    pub sessions: u32,
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
}

impl Read {
    /// Lines that nothing could be made of.
    pub fn lines_not_read(&self) -> u64 {
        self.not_json + self.misshapen + self.oversized
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
        self.sessions += other.sessions;
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
    }
}

/// Scans the sessions of a project. `variable` looks up the environment.
pub fn project(project: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Scan {
    let project = std::fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
    let folders = layout::config_dir(&variable).map(|config| layout::project_dirs(&config, &project)).unwrap_or_default();
    let transcripts: Vec<PathBuf> = folders.iter().flat_map(|folder| layout::transcripts(folder)).collect();
    let found = gather(&project, &folders, &variable);
    let surroundings = Surroundings::new(&project, variable);
    let mut scan = join(&transcripts, &surroundings, found);
    scan.project = project;
    scan.folders = folders;
    scan
}

/// What lies beside the sessions of a project.
#[derive(Default)]
struct Beside {
    records: Records,
    findings: Vec<Finding>,
    read: Read,
}

/// Reads what lies beside the sessions of a project; `folders` are those of its sessions.
fn gather(project: &Path, folders: &[PathBuf], variable: &impl Fn(&str) -> Option<OsString>) -> Beside {
    let filled = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = filled("HOME").or_else(|| filled("USERPROFILE")).unwrap_or_default();
    let homes = history::Homes {
        claude: layout::config_dir(variable),
        codex: filled("CODEX_HOME").or_else(|| filled("HOME").map(|home| home.join(".codex"))),
        home: home.to_string_lossy().into_owned(),
    };
    let mut records = Records { here: siblings::project(project), ..Records::default() };
    records.siblings = siblings::discover(&mut records.here, &[]);
    let files = DivergedFile::META.option("files").map_or("", |option| option.default);
    records.shared = siblings::shared(&records.here, &records.siblings, files.split(','));
    let typed = history::read(&homes, &records.here);
    let mut read = Read { not_json: typed.not_read, skipped: typed.skipped, ..Read::default() };
    records.prompts = typed.prompts;
    records.secrets = typed.secrets;
    let mut findings = Vec::new();
    if let Some(config) = &homes.claude {
        records.secrets.extend(siblings::secrets(&records.siblings, config, folders, &homes.home));
        let own = memories::folders(config, project);
        records.memories = Memories::read(&own);
        read.skipped.append(&mut records.memories.skipped);
        if !records.memories.list.is_empty() {
            records.other_memories = memories::others(config, &own, &records.here, &records.siblings);
        }
        findings = memories::check(&records, &own, &home);
    }
    Beside { records, findings, read }
}

/// Scans these transcripts, each with its subagents, as the sessions of one project.
pub fn sessions(transcripts: &[PathBuf], surroundings: &Surroundings) -> Scan {
    join(transcripts, surroundings, Beside::default())
}

fn join(transcripts: &[PathBuf], surroundings: &Surroundings, mut beside: Beside) -> Scan {
    let mut scan = Scan::default();
    scan.read.add(beside.read);
    scan.findings.extend(beside.findings.into_iter().map(|finding| Spotted { finding, prevented: false }));
    let mut traces = Vec::new();
    let mut names = Vec::new();
    for session in read_all(transcripts, surroundings) {
        scan.read.add(session.read);
        scan.findings.extend(session.findings);
        traces.push(session.trace);
        beside.records.secrets.extend(session.secrets);
        names.push((session.id, session.files));
    }
    scan.findings.extend(across(&traces, &names, &beside.records));
    settle(&mut scan.findings);
    scan
}

/// Reads the sessions on every processor, and gives them in the order asked for.
fn read_all(transcripts: &[PathBuf], surroundings: &Surroundings) -> Vec<Session> {
    let next = AtomicUsize::new(0);
    let read = Mutex::new(Vec::with_capacity(transcripts.len()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(transcripts.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = transcripts.get(index) else { break };
                    let session = walk::session(path, surroundings, &mut |_| {});
                    read.lock().unwrap_or_else(PoisonError::into_inner).push((index, session));
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
        Spotted { finding: spotted.finding, prevented: spotted.prevented }
    };
    found.into_iter().map(place).collect()
}

/// One finding for each rule, thing and session, at its gravest, the gravest first; and what a resumed or
/// forked session copied counts once.
fn settle(findings: &mut Vec<Spotted>) {
    let weight = |spotted: &Spotted| (spotted.severity(), spotted.finding.severity, spotted.finding.confidence);
    findings.sort_by_key(|spotted| std::cmp::Reverse(weight(spotted)));
    let mut seen = std::collections::HashSet::new();
    findings.retain(|spotted| {
        let finding = &spotted.finding;
        let (session, call) = finding.places.last().map_or_else(Default::default, |place| {
            (place.session.clone(), place.time.as_ref().map(|time| (time.clone(), place.excerpt.clone())))
        });
        let first_in_session = seen.insert((finding.rule.id, finding.key.clone(), session, None));
        first_in_session && call.is_none_or(|call| seen.insert((finding.rule.id, finding.key.clone(), String::new(), Some(call))))
    });
}
