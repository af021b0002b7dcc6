//! Fixed paths under a shared temporary root: what a call does with them, and which of them this session
//! wrote.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::{Deserialize, Serialize};

use super::event::{Action, Call, Event, EventKind, Outcome};
use super::observed::push_bounded;
use super::scope::{Place, Scope, SharedPath};
use crate::shell::{EffectKind, Sink};
use crate::text;

/// How many written paths a session remembers. Past it the oldest is forgotten: reading it back is then
/// judged by the ledger alone.
const MAX_WRITES: usize = 64;
/// How many acts of one call are looked at. What a command does to temporary paths beyond that is not seen.
const MAX_ACTS: usize = 128;
/// How many names that `mktemp` printed a session remembers. Past it the oldest is forgotten: typed out
/// literally, it counts as a fixed name.
const MAX_MADE: usize = 64;

/// What a call does with fixed temporary paths, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TempActs {
    /// The acts.
    pub list: Vec<TempAct>,
    /// The command text did not parse; see [`crate::shell::Effects::approximate`].
    pub approximate: bool,
}

/// One act upon a fixed temporary path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TempAct {
    /// It is written.
    Write {
        /// The path.
        at: SharedPath,
        /// The whole content is replaced.
        whole: bool,
        /// The content afterwards equals this file's; an absolute path outside the shared roots.
        copy_of: Option<String>,
        /// Other fixed temporary paths whose bytes flow into it.
        sources: Vec<SharedPath>,
        /// It goes on after the call has ended.
        background: bool,
    },
    /// It is read.
    Read {
        /// The path.
        at: SharedPath,
        /// What happens with the bytes.
        sink: TempSink,
    },
    /// It is removed, or moved away.
    Remove {
        /// The path.
        at: SharedPath,
    },
}

impl TempAct {
    /// Does it replace the whole content of `path`?
    pub fn replaces(&self, path: &str) -> bool {
        matches!(self, TempAct::Write { at, whole: true, .. } if at.path == path && !at.glob)
    }

    fn send_to_background(&mut self) {
        if let TempAct::Write { background, .. } = self {
            *background = true;
        }
    }
}

/// What happens with the bytes of a temporary file, from the least grave to the gravest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum TempSink {
    /// Looked at.
    Look,
    /// Handed to some program.
    Argument,
    /// Made a message.
    Quote,
    /// Executed.
    Run,
    /// Applied as a change.
    Apply,
    /// Put to this place, which is no temporary one.
    Restore {
        /// An absolute path.
        to: String,
    },
}

impl TempSink {
    /// Do the bytes change something that stays?
    pub fn lasts(&self) -> bool {
        matches!(self, TempSink::Restore { .. } | TempSink::Apply)
    }
}

/// What `call` does with fixed temporary paths. `made` are names that `mktemp` printed.
pub fn acts(call: &Call<'_>, cwd: &str, scope: &Scope, made: &Made) -> TempActs {
    let shared = |place: Place| match place {
        Place::Shared(at) if !made.holds(&at.path) => Some(at),
        _ => None,
    };
    let of_file = |path: &str, act: &dyn Fn(SharedPath) -> TempAct| {
        let place = scope.may_mention(path, cwd).then(|| scope.place_of_file(path, cwd));
        TempActs { list: place.and_then(shared).map(act).into_iter().collect(), approximate: false }
    };
    let write = |whole| move |at| TempAct::Write { at, whole, copy_of: None, sources: Vec::new(), background: false };
    match &call.action {
        Action::Shell { command, .. } if scope.may_mention(command, cwd) => acts_of_shell(call, cwd, scope, &shared),
        Action::Write { path } => of_file(path, &write(true)),
        Action::Edit { path } => of_file(path, &write(false)),
        Action::Read { path } => of_file(path, &|at| TempAct::Read { at, sink: TempSink::Look }),
        Action::Shell { .. } | Action::Ask | Action::Other => TempActs::default(),
    }
}

/// What a call that ended did with fixed temporary paths: nothing when it failed or never ran, for then
/// nothing it wrote can be relied on.
pub fn done(event: &Event<'_>, scope: &Scope, made: &Made) -> TempActs {
    let EventKind::CallEnded { call, outcome } = &event.kind else { return TempActs::default() };
    let mut done = acts(call, &event.cwd, scope, made);
    match outcome {
        _ if done.list.is_empty() => {}
        Outcome::Succeeded { output, .. } | Outcome::Untold { output } if says_not_written(output) => {
            done.list.retain(|act| !matches!(act, TempAct::Write { .. }));
        }
        Outcome::Succeeded { .. } | Outcome::Untold { .. } => {}
        Outcome::Launched { .. } => done.list.iter_mut().for_each(TempAct::send_to_background),
        Outcome::Failed { .. } | Outcome::NotRun(_) => done.list.clear(),
    }
    done
}

fn acts_of_shell(call: &Call<'_>, cwd: &str, scope: &Scope, shared: &dyn Fn(Place) -> Option<SharedPath>) -> TempActs {
    let Some(effects) = call.effects() else { return TempActs::default() };
    let mut list = Vec::new();
    // Bytes on their way from one temporary path to another: a command's reads stand before its writes.
    let mut flowing: Vec<(SharedPath, SharedPath)> = Vec::new();
    for effect in &effects.list {
        if list.len() >= MAX_ACTS {
            break;
        }
        match &effect.kind {
            EffectKind::Read { path, sink } => {
                let Some(at) = shared(scope.place(path, cwd)) else { continue };
                let sink = match sink {
                    Sink::Look => TempSink::Look,
                    Sink::Argument => TempSink::Argument,
                    Sink::Quote => TempSink::Quote,
                    Sink::Run => TempSink::Run,
                    Sink::Apply => TempSink::Apply,
                    Sink::Into(to) => match scope.place(to, cwd) {
                        Place::Elsewhere(to) => TempSink::Restore { to },
                        place => {
                            if let Some(to) = shared(place) {
                                flowing.push((at.clone(), to));
                            }
                            TempSink::Argument
                        }
                    },
                };
                list.push(TempAct::Read { at, sink });
            }
            EffectKind::Write { path, whole, copy_of } => {
                let Some(at) = shared(scope.place(path, cwd)) else { continue };
                if let Some(folder) = at.folder_of_glob() {
                    // `cp *.txt /tmp/d`: names that nobody can tell, in a folder that is known.
                    let sources = flowing.iter().filter(|(_, to)| *to == at).map(|(from, _)| from.clone()).collect();
                    list.push(TempAct::Write { at: folder, whole: false, copy_of: None, sources, background: effect.background });
                    continue;
                }
                let copy_of = copy_of.as_ref().and_then(|from| match scope.place(from, cwd) {
                    Place::Elsewhere(from) => Some(from),
                    _ => None,
                });
                let (sources, rest) = flowing.into_iter().partition::<Vec<_>, _>(|(_, to)| *to == at);
                flowing = rest;
                let sources = sources.into_iter().map(|(from, _)| from).collect();
                list.push(TempAct::Write { at, whole: *whole, copy_of, sources, background: effect.background || call.background });
            }
            EffectKind::Remove { path } => {
                if let Some(at) = shared(scope.place(path, cwd)) {
                    list.push(TempAct::Remove { at });
                }
            }
            EffectKind::ChangeDir { .. } | EffectKind::MakeTemp | EffectKind::Git { .. } => {}
        }
    }
    TempActs { list, approximate: effects.approximate }
}

/// Names of fresh temporary files that a call printed: not fixed, though they look it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Made(Vec<String>);

impl Made {
    fn holds(&self, path: &str) -> bool {
        self.0.iter().any(|name| path == name || path.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(['/', '.'])))
    }

    fn note(&mut self, output: &str, scope: &Scope) {
        let words = output.split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '=' | ',' | ')' | '(' | ':'));
        for word in words.filter(|word| word.starts_with('/')).take(MAX_MADE) {
            if let Place::Shared(at) = scope.place_of_file(word, "") {
                self.remember(at.path);
            }
        }
    }

    fn remember(&mut self, name: String) {
        if !self.0.contains(&name) {
            push_bounded(&mut self.0, name, MAX_MADE);
        }
    }
}

/// One fixed temporary path that this session wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TempWrite {
    /// The path.
    pub path: String,
    /// The subagent that wrote it; empty for the main agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// Time stamp of the call, when the source had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Line of the transcript; 0 when seen live.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub line: u32,
    /// The call, masked and cut.
    pub by: String,
}

impl TempWrite {
    fn of(path: String, call: &Call<'_>, event: &Event<'_>) -> Self {
        TempWrite {
            path,
            agent: event.agent.to_string(),
            time: event.time.as_deref().map(str::to_owned),
            line: event.line,
            by: excerpt(call),
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// The fixed temporary paths of one session: replayable facts only.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TempFiles {
    writes: Vec<TempWrite>,
    #[serde(skip_serializing_if = "is_empty")]
    made: Made,
}

fn is_empty(made: &Made) -> bool {
    made.0.is_empty()
}

impl TempFiles {
    /// Could this event change these facts? Cheap, and errs toward yes.
    pub fn concerned_by(event: &Event<'_>, scope: &Scope) -> bool {
        let EventKind::CallEnded { call, outcome } = &event.kind else { return false };
        !matches!(outcome, Outcome::Failed { .. } | Outcome::NotRun(_)) && may_touch(call, &event.cwd, scope)
    }

    /// Takes in one event.
    pub fn fold(&mut self, event: &Event<'_>, scope: &Scope) {
        let EventKind::CallEnded { call, outcome } = &event.kind else { return };
        if let Outcome::Succeeded { output, .. } = outcome
            && may_touch(call, &event.cwd, scope)
            && call.effects().is_some_and(|effects| effects.list.iter().any(|effect| effect.kind == EffectKind::MakeTemp))
        {
            self.made.note(output, scope);
        }
        for act in done(event, scope, &self.made).list {
            match act {
                TempAct::Write { at, .. } if !at.glob => self.remember(TempWrite::of(at.path, call, event)),
                TempAct::Remove { at } => self.writes.retain(|write| write.agent != event.agent || !at.covers(&write.path)),
                TempAct::Write { .. } | TempAct::Read { .. } => {}
            }
        }
    }

    fn remember(&mut self, write: TempWrite) {
        self.writes.retain(|old| old.path != write.path || old.agent != write.agent);
        push_bounded(&mut self.writes, write, MAX_WRITES);
    }

    /// The latest write of `agent` that an act upon `at` touches.
    pub fn written(&self, at: &SharedPath, agent: &str) -> Option<&TempWrite> {
        self.writes.iter().rev().find(|write| write.agent == agent && at.touches(&write.path))
    }

    /// Names of fresh temporary files that were printed.
    pub fn made(&self) -> &Made {
        &self.made
    }

    /// Forgets the oldest half, to make room in the state file.
    pub fn shed(&mut self) {
        self.writes.drain(..self.writes.len().div_ceil(2));
        self.made.0.drain(..self.made.0.len().div_ceil(2));
    }
}

/// What a session did with fixed temporary paths that another session may meet. Kept by a scan, which can
/// look at many sessions together.
#[derive(Debug, Clone, Default)]
pub struct TempTrace {
    /// Writes, in order, also of what was removed later.
    pub writes: Vec<TempWrite>,
    /// Restores from, and applications of, paths that another may have written last.
    pub restores: Vec<TempRestore>,
}

/// A restore from a path that earlier calls wrote, of this agent or of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TempRestore {
    /// The path.
    pub at: SharedPath,
    /// When the agent wrote it itself; `None` when it never did.
    pub own_write: Option<String>,
    /// The subagent; empty for the main agent.
    pub agent: String,
    /// Time stamp of the call, when the source had one.
    pub time: Option<String>,
    /// Line of the transcript.
    pub line: u32,
    /// The call, masked and cut.
    pub by: String,
    /// The call's id.
    pub call: String,
    /// The call never ran.
    pub prevented: bool,
}

impl TempTrace {
    /// Takes in one event, before the facts do.
    pub fn fold(&mut self, event: &Event<'_>, facts: &TempFiles, scope: &Scope) {
        match &event.kind {
            EventKind::CallStarted(call) => self.note_restores(call, event, facts, scope),
            EventKind::CallEnded { call, outcome: Outcome::NotRun(_) } => {
                self.restores.iter_mut().filter(|restore| restore.call == call.id).for_each(|restore| restore.prevented = true);
            }
            EventKind::CallEnded { call, .. } => {
                for act in done(event, scope, &facts.made).list {
                    if let TempAct::Write { at, .. } = act
                        && !at.glob
                    {
                        self.writes.push(TempWrite::of(at.path, call, event));
                    }
                }
            }
            _ => {}
        }
    }

    fn note_restores(&mut self, call: &Call<'_>, event: &Event<'_>, facts: &TempFiles, scope: &Scope) {
        let mut written: Vec<String> = Vec::new();
        for act in acts(call, &event.cwd, scope, &facts.made).list {
            match act {
                TempAct::Write { at, .. } => written.push(at.path),
                TempAct::Read { at, sink } if sink.lasts() => {
                    let own = facts.written(&at, &event.agent);
                    // Of a write without a time nobody can say what came after it.
                    if own.is_none_or(|own| own.time.is_some()) && !written.iter().any(|path| at.touches(path)) {
                        self.restores.push(TempRestore {
                            own_write: own.and_then(|own| own.time.clone()),
                            at,
                            agent: event.agent.to_string(),
                            time: event.time.as_deref().map(str::to_owned),
                            line: event.line,
                            by: excerpt(call),
                            call: call.id.to_string(),
                            prevented: false,
                        });
                    }
                }
                TempAct::Read { .. } | TempAct::Remove { .. } => {}
            }
        }
    }
}

/// May the call do anything with a temporary path? Cheap, and errs toward yes.
pub fn may_touch(call: &Call<'_>, cwd: &str, scope: &Scope) -> bool {
    match &call.action {
        Action::Shell { command, .. } => scope.may_mention(command, cwd),
        Action::Write { path } | Action::Edit { path } | Action::Read { path } => scope.may_mention(path, cwd),
        Action::Ask | Action::Other => false,
    }
}

/// The call, fit to be shown.
pub fn excerpt(call: &Call<'_>) -> String {
    match &call.action {
        Action::Shell { command, .. } => text::excerpt(command),
        Action::Write { path } | Action::Edit { path } | Action::Read { path } => text::excerpt(&format!("{} {path}", call.tool)),
        Action::Ask | Action::Other => text::excerpt(&call.tool),
    }
}

/// Does a program say that it left an existing file alone? (`cp -n`, `mv -n`, `curl --no-clobber`)
fn says_not_written(output: &str) -> bool {
    ["not overwritten", "not replacing", "cannot overwrite"].iter().any(|words| output.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::Dialect;

    fn ended(command: &'static str, output: &'static str) -> Event<'static> {
        let call = Call::new("t".into(), "Bash".into(), Action::Shell { command: command.into(), dialect: Dialect::Bash }, false);
        let outcome = Outcome::Succeeded { output: output.into(), interpretation: None, truncated: false, committed: false };
        Event {
            session: "s".into(),
            agent: "".into(),
            cwd: "/w/app".into(),
            branch: None,
            time: None,
            line: 0,
            noted: crate::session::event::Noted::default(),
            kind: EventKind::CallEnded { call, outcome },
        }
    }

    fn after(commands: &[(&'static str, &'static str)]) -> TempFiles {
        let mut facts = TempFiles::default();
        for (command, output) in commands {
            facts.fold(&ended(command, output), &Scope::default());
        }
        facts
    }

    fn knows(facts: &TempFiles, path: &str) -> bool {
        facts.written(&SharedPath { path: path.into(), glob: false }, "").is_some()
    }

    #[test]
    fn a_successful_write_is_remembered_and_a_removal_forgets_it() {
        assert!(knows(&after(&[("cp a.txt /tmp/a", "")]), "/tmp/a"));
        assert!(!knows(&after(&[("cp a.txt /tmp/a", ""), ("rm -f /tmp/a", "")]), "/tmp/a"));
        assert!(!knows(&after(&[("cp a.txt /tmp/a", ""), ("mv /tmp/a b", "")]), "/tmp/a"));
        assert!(!knows(&after(&[("cp -n a.txt /tmp/a", "cp: not replacing '/tmp/a'")]), "/tmp/a"));
    }

    #[test]
    fn a_name_that_mktemp_printed_is_not_fixed() {
        let facts = after(&[("mktemp", "/tmp/tmp.AbC\n"), ("cp a.txt /tmp/tmp.AbC", "")]);
        assert!(!knows(&facts, "/tmp/tmp.AbC"));
    }

    #[test]
    fn any_split_of_the_events_gives_the_same_facts() {
        let events =
            [("cp a /tmp/a", ""), ("cp b /tmp/b", ""), ("rm /tmp/a", ""), ("cp c /tmp/b", ""), ("mktemp", "/tmp/m1"), ("cp d /tmp/d", "")];
        let whole = after(&events);
        for at in 0..events.len() {
            let saved = serde_json::to_string(&after(&events[..at])).expect("serializes");
            let mut facts: TempFiles = serde_json::from_str(&saved).expect("reads back");
            for (command, output) in &events[at..] {
                facts.fold(&ended(command, output), &Scope::default());
            }
            assert_eq!(facts, whole, "split at {at}");
        }
    }
}
