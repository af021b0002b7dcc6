//! One session, from its transcript and its subagents': every event asked about as the hook would have asked,
//! then folded. A scan and a replay are the same walk.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Read, Spotted};
use once_cell::unsync::Lazy;

use crate::agent::transcript::{Counters, Seen, Transcript};
use crate::agent::{Client, Recorded};
use crate::config::Config;
use crate::finding::Finding;
use crate::meta::Meta;
use crate::own::OwnFiles;
use crate::records::secrets::{self, SecretAct};
use crate::rules::{self, Around};
use crate::session::event::{Event, EventKind, Outcome};
use crate::session::facts::Facts;
use crate::session::scope::{Roots, Scope, temp_root};
use crate::session::temp_files::TempTrace;
use crate::world::{Afterwards, git};

/// What sessions are read in.
#[derive(Debug, Clone)]
pub struct Surroundings {
    project: String,
    roots: Vec<String>,
    home: String,
    temp_dir: String,
    /// What is configured.
    pub config: Config,
    /// Most lines read of each file, when not all.
    pub max_lines: Option<u64>,
}

impl Surroundings {
    /// The surroundings of a project's sessions. `variable` looks up the environment: that of the scan stands
    /// for that of the sessions.
    pub fn new(project: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Self {
        let text = |name: &str| variable(name).and_then(|value| value.into_string().ok()).unwrap_or_default();
        let trees = git::work_trees(project);
        let roots = std::iter::once(project.to_owned()).chain(trees).map(|path| path.to_string_lossy().into_owned()).collect();
        Surroundings {
            project: project.to_string_lossy().into_owned(),
            roots,
            home: text("HOME").trim_end_matches('/').to_owned(),
            temp_dir: temp_root(&text("TMPDIR")),
            config: Config::default(),
            max_lines: None,
        }
    }

    fn scope(&self, session: &str) -> Scope {
        let roots = self.roots.clone();
        Scope {
            session: session.to_owned(),
            home: self.home.clone(),
            temp_dir: self.temp_dir.clone(),
            project: self.project.clone(),
            private: Vec::new(),
            roots: Roots::new(move || roots.clone()),
            own: Lazy::new(OwnFiles::find),
        }
    }
}

/// What one session came to.
#[derive(Debug, Default)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Its files, by agent; the main agent's under the empty name.
    pub files: BTreeMap<String, String>,
    /// What was found.
    pub findings: Vec<Spotted>,
    /// What other sessions may have met.
    pub trace: TempTrace,
    /// Secrets that were set or removed.
    pub secrets: Vec<SecretAct>,
    /// What was read.
    pub read: Read,
}

/// A moment when the hook may speak, as it comes by.
#[derive(Debug)]
pub struct Met<'a> {
    /// The event: a call about to run, or the end of a turn.
    pub event: &'a Event<'a>,
    /// What was found, placed.
    pub findings: &'a [Finding],
}

/// Walks a session: its transcript, then those of its subagents. `met` is told of every call that is about to run and
/// every end of a turn, in order.
pub fn session(recorded: &Recorded, surroundings: &Surroundings, met: &mut dyn FnMut(&Met<'_>)) -> Session {
    let mut walk = Walk::new(&recorded.id, surroundings);
    walk.session.read.sessions = BTreeMap::from([(recorded.client, 1)]);
    let files: Vec<&PathBuf> = recorded.files().collect();
    match files[..] {
        [only] => walk.file(recorded.client, only, met),
        _ => walk.files(recorded.client, &files, met),
    }
    walk.end()
}

/// Walks what is known of a session that has no transcript: the commands of a file of another kind.
pub fn commands(id: &str, file: &str, commands: &[&Event<'_>], surroundings: &Surroundings) -> Session {
    let mut walk = Walk::new(id, surroundings);
    for event in commands {
        walk.event(&mut Event::clone(event), file, &mut |_| {});
    }
    walk.end()
}

struct Walk<'s> {
    surroundings: &'s Surroundings,
    scope: Scope,
    facts: Facts,
    /// Calls without a result yet, by id.
    started: HashMap<String, Started>,
    session: Session,
}

/// One file of several that are read side by side.
struct Source {
    name: String,
    /// `None` when all is read.
    reader: Option<Box<dyn Transcript>>,
    /// Events read and not taken yet.
    events: VecDeque<Event<'static>>,
    counters: Counters,
    problem: Option<std::io::Error>,
    /// Lines that may still be read.
    lines_left: u64,
    truncated: bool,
}

impl Source {
    fn new(path: &Path, reader: Box<dyn Transcript>, max_lines: Option<u64>) -> Self {
        Source {
            name: path.to_string_lossy().into_owned(),
            reader: Some(reader),
            events: VecDeque::new(),
            counters: Counters::default(),
            problem: None,
            lines_left: max_lines.unwrap_or(u64::MAX),
            truncated: false,
        }
    }

    /// The time of the next event; the order of a file is kept whatever its stamps say, and what has none comes first.
    fn time(&self) -> Option<&str> {
        self.events.front().and_then(|event| event.time.as_deref())
    }

    /// Reads on until there is an event to take, or nothing more to read.
    fn fill(&mut self, seen: &mut Seen) {
        if !self.events.is_empty() {
            return;
        }
        let Some(mut reader) = self.reader.take() else { return };
        reader.swap_seen(seen);
        let events = RefCell::new(std::mem::take(&mut self.events));
        let keep = |event: &Event<'_>| events.borrow_mut().push_back(event.clone().into_owned());
        let left = &mut self.lines_left;
        match reader.read_while(&mut |_| events.borrow().is_empty() && take_one(left), &mut |event| keep(event)) {
            Ok(false) if !events.borrow().is_empty() => {
                reader.swap_seen(seen);
                self.reader = Some(reader);
            }
            ended => {
                self.truncated = matches!(ended, Ok(false)) && reader.goes_on();
                self.problem = ended.err();
                // Where reading stopped is no end of a turn.
                (self.counters, *seen) = if self.truncated { reader.finish(&mut |_| {}) } else { reader.finish(&mut |event| keep(event)) };
            }
        }
        self.events = events.into_inner();
    }
}

/// Takes one from what is left, if anything is.
fn take_one(left: &mut u64) -> bool {
    let some = *left > 0;
    *left = left.saturating_sub(1);
    some
}

struct Started {
    line: u32,
    time: Option<String>,
    /// What was found about it: a range of the session's findings.
    findings: std::ops::Range<usize>,
}

impl<'s> Walk<'s> {
    fn new(id: &str, surroundings: &'s Surroundings) -> Self {
        let session = Session { id: id.to_owned(), ..Session::default() };
        Walk { scope: surroundings.scope(id), surroundings, facts: Facts::default(), started: HashMap::new(), session }
    }

    fn end(mut self) -> Session {
        // What was foreseen of a call has come true by now, and was found again, or it has not.
        self.session.findings.retain(|spotted| !spotted.finding.forecast || spotted.prevented);
        self.session
    }

    fn file(&mut self, client: Client, path: &Path, met: &mut dyn FnMut(&Met<'_>)) {
        let name = path.to_string_lossy().into_owned();
        let mut reader = match client.open(path) {
            Ok(reader) => reader,
            Err(error) => return self.skip(path, error.to_string()),
        };
        let mut left = self.surroundings.max_lines.unwrap_or(u64::MAX);
        let outcome = reader.read_while(&mut |_| take_one(&mut left), &mut |event| self.event(event, &name, met));
        if let Err(error) = &outcome {
            self.skip(path, format!("read in part: {error}"));
        }
        let truncated = outcome.is_ok_and(|all| !all) && reader.goes_on();
        // Where reading stopped is no end of a turn.
        let (counters, _) = if truncated { reader.finish(&mut |_| {}) } else { reader.finish(&mut |event| self.event(event, &name, met)) };
        self.session.read.add(Read { truncated: truncated.into(), ..Read::of(&counters) });
    }

    /// The main agent's file and its subagents', each in its own order, and among each other by their time stamps:
    /// what a subagent did comes where the hook met it.
    fn files(&mut self, client: Client, paths: &[&PathBuf], met: &mut dyn FnMut(&Met<'_>)) {
        let mut seen = Seen::default();
        let mut sources: Vec<Source> = Vec::new();
        for path in paths {
            match client.open(path) {
                Ok(reader) => sources.push(Source::new(path, reader, self.surroundings.max_lines)),
                Err(error) => self.skip(path, error.to_string()),
            }
        }
        loop {
            for source in &mut sources {
                source.fill(&mut seen);
            }
            let next = sources.iter_mut().filter(|source| !source.events.is_empty()).min_by(|a, b| a.time().cmp(&b.time()));
            let Some(source) = next else { break };
            if let Some(mut event) = source.events.pop_front() {
                self.event(&mut event, &source.name, met);
            }
        }
        for source in sources {
            if let Some(problem) = source.problem {
                self.skip(Path::new(&source.name), format!("read in part: {problem}"));
            }
            self.session.read.add(Read { truncated: source.truncated.into(), ..Read::of(&source.counters) });
        }
    }

    fn skip(&mut self, path: &Path, reason: String) {
        self.session.read.skipped.push((path.to_owned(), reason));
    }

    fn event(&mut self, event: &mut Event<'_>, file: &str, met: &mut dyn FnMut(&Met<'_>)) {
        if !self.session.files.contains_key(&*event.agent) {
            self.session.files.insert(event.agent.to_string(), file.to_owned());
        }
        let started = match &event.kind {
            EventKind::CallEnded { call, .. } => self.started.remove(call.id.as_ref()),
            _ => None,
        };
        if let (EventKind::CallEnded { outcome: Outcome::NotRun(_), .. }, Some(started)) = (&event.kind, &started) {
            // What was found about the call did not happen.
            self.session.findings[started.findings.clone()].iter_mut().for_each(|spotted| spotted.prevented = true);
        }
        if let EventKind::CallEnded { call, outcome: Outcome::Untold { .. } } = &event.kind {
            // Nobody is asked before a person's command, so there was no moment to be met.
            let start = Event { kind: EventKind::CallStarted(call.clone()), ..event.clone() };
            self.session.trace.fold(&start, &self.facts.temp_files, &self.scope);
            self.ask(&start, &mut |_| {});
            self.started.remove(call.id.as_ref());
        }
        // The place of an act is the call's, not its result's.
        if let Some(started) = started {
            event.line = started.line;
            event.time = started.time.map(Into::into);
        }
        let event = &*event;
        self.session.trace.fold(event, &self.facts.temp_files, &self.scope);
        for mut act in secrets::of_event(event, &self.scope.home) {
            file.clone_into(&mut act.place.file);
            self.session.secrets.push(act);
        }
        // What a call came to is known when it has ended.
        let ended = matches!(event.kind, EventKind::CallEnded { .. });
        if ended {
            self.facts.fold(event, &self.scope);
        }
        self.ask(event, met);
        if !ended {
            self.facts.fold(event, &self.scope);
        }
    }

    fn ask(&mut self, event: &Event<'_>, met: &mut dyn FnMut(&Met<'_>)) {
        let config = &self.surroundings.config;
        let option = |meta: &'static Meta, name: &str| config.option(meta, name);
        let around = Around { world: &Afterwards, option: &option, said_before: &|_, _, _| false };
        let mut findings = rules::ask(event, &self.facts, &self.scope, &around);
        for finding in &mut findings {
            for place in &mut finding.places {
                place.session.clone_from(&self.session.id);
                if place.line == 0 {
                    place.agent = event.agent.to_string();
                    place.line = event.line;
                    place.time = event.time.as_deref().map(str::to_owned);
                }
                place.file = self.session.files.get(&place.agent).cloned().unwrap_or_default();
            }
        }
        if let EventKind::TurnEnd { .. } | EventKind::AgentEnd { .. } = &event.kind {
            met(&Met { event, findings: &findings });
        }
        if let EventKind::CallStarted(call) = &event.kind {
            met(&Met { event, findings: &findings });
            let first = self.session.findings.len();
            let started =
                Started { line: event.line, time: event.time.as_deref().map(str::to_owned), findings: first..first + findings.len() };
            self.started.insert(call.id.to_string(), started);
        }
        if let EventKind::CallStarted(_) = &event.kind {
            self.session.findings.extend(findings.into_iter().map(|finding| Spotted::new(finding, false)));
            return;
        }
        for finding in findings {
            // What has grown since it was found is told as it is now.
            let known = |spotted: &&mut Spotted| {
                let known = &spotted.finding;
                (known.rule.id, &known.key, known.forecast) == (finding.rule.id, &finding.key, false)
                    && without_numbers(&known.message).eq(without_numbers(&finding.message))
            };
            match self.session.findings.iter_mut().find(known) {
                Some(spotted) => spotted.finding = finding,
                None => self.session.findings.push(Spotted::new(finding, false)),
            }
        }
    }
}

/// A message but for its numbers: what is left says what it is about.
fn without_numbers(message: &str) -> impl Iterator<Item = char> {
    message.chars().filter(|c| !c.is_ascii_digit())
}
