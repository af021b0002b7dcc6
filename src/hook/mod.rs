//! The live path: read, observe, fold, ask, reply.
//!
//! Fails open: whatever goes wrong inside, the call goes on, nothing is printed, and a line stands in the
//! log. Standard output carries one JSON object or nothing, and the exit status is 0, but for hosts that
//! asked for exit codes.

mod input;
mod log;
mod memories;
mod refold;
mod surroundings;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use once_cell::unsync::OnceCell;

use crate::agent::claude::hook::{self, Payload};
use crate::agent::claude::reply::Reply;
use crate::config::{Config, Files, Level};
use crate::finding::Findings;
use crate::policy::{self, Decision, Hold, Terms, Voice};
use crate::rules::{self, Around};
use crate::session::event::{Call, Event, EventKind, Outcome};
use crate::session::facts::Facts;
use crate::session::scope::Scope;
use crate::session::seen;
use crate::session::store::{self, Record, Slot, State, Store};
use crate::session::temp_files::{self, TempAct};
use crate::text;
use crate::world::live::Live;
use crate::world::{self, World, notes, plan};

use self::surroundings::{Mode, env};

/// Answers one hook call. `args` are the words after `hook`.
pub fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let state_dir = store::state_dir(env);
    fail_open(state_dir.clone());
    let log = |line: &str| log::write(state_dir.as_ref(), line);
    let mode = surroundings::mode(args, &log);
    let input = match input::read() {
        Ok(input) => input,
        Err(problem) => {
            log(&problem);
            return ExitCode::SUCCESS;
        }
    };
    let Some(mut payload) = hook::parse(&input) else {
        // An event that turnstop does not follow is no trouble, what is no payload at all is somebody's.
        if hook::event_name(&input).is_none() {
            log(&format!("no payload: {} bytes that name no event", input.len()));
        }
        return ExitCode::SUCCESS;
    };
    if let Some(dir) = &state_dir {
        seen::note(dir, &payload.name);
    }
    surroundings::tame(&mut payload.event);
    let scope = surroundings::scope(&payload);
    HookCall { payload, scope, mode, state_dir: state_dir.as_ref(), log: &log, config: OnceCell::new() }.answer()
}

/// A panic in here is our fault and must not cost the person a call: status 101 would be shown to them.
fn fail_open(state_dir: Option<PathBuf>) {
    std::panic::set_hook(Box::new(move |panic| {
        log::write(state_dir.as_ref(), &format!("panic: {panic}"));
        #[expect(clippy::exit, reason = "the only way to leave a panicking process with status 0")]
        std::process::exit(0);
    }));
}

/// One run of the hook.
struct HookCall<'a> {
    payload: Payload<'a>,
    scope: Scope,
    mode: Mode,
    state_dir: Option<&'a PathBuf>,
    log: &'a dyn Fn(&str),
    config: OnceCell<Config>,
}

impl HookCall<'_> {
    fn answer(mut self) -> ExitCode {
        if !self.is_concerned() {
            return ExitCode::SUCCESS;
        }
        match self.open_slot() {
            Ok((store, slot)) => self.answer_from(&store, slot),
            Err(problem) => {
                (self.log)(&format!("no state: {problem}"));
                self.answer_from_transcript()
            }
        }
    }

    /// May this event change what is known, or may a rule speak? Asked before any file is opened.
    fn is_concerned(&self) -> bool {
        let event = &self.payload.event;
        let observed = match &event.kind {
            // Who writes which temporary path is put on record before and after the call.
            EventKind::CallStarted(call) | EventKind::CallEnded { call, .. } => temp_files::may_touch(call, &event.cwd, &self.scope),
            // Open calls end here, or there is time to catch up.
            EventKind::SessionStart(_) | EventKind::TurnEnd { .. } | EventKind::BeforeCompact => true,
            EventKind::Prompt { by_person, .. } => *by_person,
            EventKind::AgentEnd { .. } | EventKind::TasksEnded(_) => false,
        };
        observed || Facts::concerned_by(event, &self.scope) || rules::concerned(event, &self.scope).next().is_some()
    }

    fn open_slot(&self) -> std::io::Result<(Store, Slot)> {
        let dir = self.state_dir.ok_or_else(|| std::io::Error::other("neither XDG_STATE_HOME nor HOME names a folder"))?;
        if self.payload.event.session.is_empty() {
            return Err(std::io::Error::other("the payload names no session"));
        }
        let store = Store::open(dir.clone())?;
        let slot = store.slot(&self.payload.event.session)?;
        Ok((store, slot))
    }

    /// Without a place to remember things: what the transcript tells is all that is known.
    fn answer_from_transcript(&self) -> ExitCode {
        let mut state = self.fresh_state();
        refold::advance(&mut state, &self.scope, refold::Budget::BEFORE_CALL);
        let findings = self.ask_rules(&self.payload.event, &state.known_facts(&self.scope), &world::Afterwards, &state);
        let decision = self.decide(&findings, &state, false);
        self.print(decision.as_ref())
    }

    fn answer_from(&mut self, store: &Store, mut slot: Slot) -> ExitCode {
        let loaded = slot.load();
        if loaded.as_ref().is_some_and(State::is_newer) {
            return ExitCode::SUCCESS;
        }
        let mut state = loaded.clone().unwrap_or_else(|| self.fresh_state());
        if env("CLAUDE_PROJECT_DIR").is_none() && !state.project.is_empty() && state.project != self.scope.project {
            // Where the first event was: the directory of later ones follows the shell's `cd`.
            surroundings::work_in(&mut self.scope, state.project.clone());
        }
        state.project.clone_from(&self.scope.project);
        slot.take_overflow(&mut state, &self.scope);
        let event_name = self.payload.name.clone();
        let mut event = self.payload.event.clone();
        let delivery = store::delivery(&event_name, self.event_id());
        let again = state.has_seen(delivery);
        if again && !matches!(event.kind, EventKind::CallStarted(_)) {
            return ExitCode::SUCCESS;
        }
        if let Some(open) = state.observed.open.iter().find(|open| open.id == call_id(&event.kind)) {
            event.cwd = Cow::Owned(open.cwd.clone());
        }
        let now = surroundings::now();
        if let EventKind::CallEnded { .. } = event.kind {
            event.time = Some(text::stamp(now).into());
            event.noted = notes::note(&event, &self.scope);
        }
        if slot.is_locked() {
            refold::advance(&mut state, &self.scope, refold::Budget::at(&event.kind));
        }

        let ledger = store.ledger();
        let session = self.scope.session.clone();
        let looks = state.observed.looks.clone();
        let project = state.project.clone();
        let live = Live::new(&ledger, &session, &project, &looks, now);
        let facts = state.known_facts(&self.scope);
        let findings = self.ask_rules(&event, &facts, &live, &state);
        let mut decision = self.decide(&findings, &state, true);
        let denied = decision.as_ref().is_some_and(Decision::denies);
        if again {
            // Delivered before, and answered then. Only what is denied every time is denied to a client that asks
            // about the same call anew; the rest would be said twice.
            return if denied { self.print(decision.as_ref()) } else { ExitCode::SUCCESS };
        }
        let mut record = self.observe(&event, &facts, &state, &live, denied);
        let said = decision.as_ref().map(|decision| decision.said.clone()).unwrap_or_default();
        if !matches!(event.kind, EventKind::CallStarted(_)) || !said.is_empty() || record.open.is_some() {
            record.delivery = delivery;
        }
        record.said = said;
        match &event.kind {
            // Nobody hears what is said at a subagent's end.
            EventKind::AgentEnd { .. } => record.deferred = decision.take().map(|decision| decision.deferred(&event.agent)),
            EventKind::TurnEnd { background: false, .. } if decision.is_none() => {
                decision = state.observed.deferred.first().and_then(Decision::of_deferred);
                record.told_deferred = decision.is_some();
            }
            _ => {}
        }

        if !slot.is_locked() {
            let status = self.print(decision.as_ref());
            self.note_failure("overflow", slot.overflow(&record));
            return status;
        }
        state.apply(record, &self.scope);
        let changed = loaded.as_ref() != Some(&state);
        let prepared = changed.then(|| slot.prepare(&mut state)).transpose();
        if let Err(problem) = &prepared {
            (self.log)(&format!("state: {problem}"));
            decision = self.decide(&findings, &loaded.unwrap_or_default(), false);
        }
        let status = self.print(decision.as_ref());
        if let Ok(Some(prepared)) = prepared {
            self.note_failure("state", slot.finish(prepared, &mut state, &self.scope));
        }
        if let EventKind::SessionStart(_) = event.kind {
            store.sweep();
        }
        if let EventKind::SessionStart(_) | EventKind::TurnEnd { .. } = event.kind {
            self.note_failure("ledger", ledger.compact(now));
        }
        status
    }

    /// What tells a second delivery of the event, by two installs, from another event.
    fn event_id(&self) -> &str {
        match &self.payload.event.kind {
            EventKind::Prompt { by_person: true, .. } => self.payload.prompt_id.as_deref().unwrap_or_default(),
            kind => call_id(kind),
        }
    }

    fn fresh_state(&self) -> State {
        let refold = self.payload.transcript_path.as_deref().and_then(|path| refold::begin(Path::new(path)));
        State::new(self.scope.project.clone(), refold)
    }

    /// What the rules find. After a call nothing can be said that was not said before it.
    fn ask_rules(&self, event: &Event<'_>, facts: &Facts, world: &dyn World, state: &State) -> Findings {
        if let EventKind::CallEnded { .. } = event.kind {
            return Findings::new();
        }
        let around = Around {
            world,
            option: &|meta, name| self.config().option(meta, name),
            said_before: &|meta, key, standing| state.observed.said.contains(&policy::standing_key(meta, key, standing)),
        };
        let mut findings = rules::ask(event, facts, &self.scope, &around);
        if let EventKind::SessionStart(_) = event.kind {
            let project = Path::new(&self.scope.project);
            findings.extend(memories::findings(project, Path::new(&self.scope.home), |name| std::env::var_os(name)));
        }
        if !findings.is_empty() {
            let today = text::day(surroundings::now());
            findings.retain(|finding| !self.config().allows(finding, &today));
        }
        findings
    }

    /// The config, read when the first finding asks for it.
    fn config(&self) -> &Config {
        self.config.get_or_init(|| {
            let (config, problems) = Config::read(&Files::of(Path::new(&self.scope.project), env));
            for problem in problems {
                (self.log)(&format!("config not used: {problem}"));
            }
            config
        })
    }

    fn decide(&self, findings: &Findings, state: &State, remembers: bool) -> Option<Decision> {
        let loudest = if self.mode.observe { Level::Note } else { Level::Block };
        let terms = Terms {
            level: &|meta| self.config().level(meta).min(loudest),
            said_before: &|key| state.observed.said.contains(&key),
            remembers,
        };
        match &self.payload.event.kind {
            EventKind::TurnEnd { continued, .. } => {
                let allowed = !continued && surroundings::is_attended();
                policy::turn_end(findings, Hold { allowed, prompt: self.payload.prompt_id.as_deref().unwrap_or_default() }, &terms)
            }
            EventKind::AgentEnd { .. } => policy::turn_end(findings, Hold { allowed: false, prompt: "" }, &terms),
            EventKind::SessionStart(_) => policy::session_start(findings, &terms),
            _ => policy::before_call(findings, &terms),
        }
    }

    /// Puts on record what only now can be seen: who writes which temporary path, and what it holds.
    fn observe<'e>(&self, event: &Event<'e>, facts: &Facts, state: &State, live: &Live<'_>, denied: bool) -> Record<'e> {
        let mut record = Record::of(event.clone());
        let touches = |call: &Call<'_>| temp_files::may_touch(call, &event.cwd, &self.scope);
        match &event.kind {
            EventKind::CallStarted(call) if !denied && !call.id.is_empty() && touches(call) => {
                let acts = temp_files::acts(call, &event.cwd, &self.scope, facts.temp_files.made());
                if acts.list.iter().any(|act| matches!(act, TempAct::Write { .. })) {
                    let plan = plan::plan(&acts, &event.agent, live);
                    record.open = self.note_failure("ledger", live.open(&event.agent, &call.id, &event.cwd, &plan));
                }
            }
            EventKind::CallEnded { call, outcome } => {
                let open = state.observed.open.iter().find(|open| open.id == call.id);
                record.closed.extend(open.map(|open| open.id.clone()));
                let ran = matches!(outcome, Outcome::Succeeded { .. } | Outcome::Launched { .. });
                if ran && (open.is_some() || touches(call)) {
                    let done = temp_files::done(event, &self.scope, facts.temp_files.made());
                    record.looks = self.note_failure("ledger", live.settle(&event.agent, &call.id, &done, open)).unwrap_or_default();
                } else {
                    self.note_failure("ledger", live.close(open));
                }
            }
            EventKind::SessionStart(_) | EventKind::Prompt { by_person: true, .. } => {
                self.note_failure("ledger", live.close(&state.observed.open));
                record.all_closed = true;
            }
            _ => {}
        }
        record
    }

    fn note_failure<T>(&self, what: &str, result: std::io::Result<T>) -> Option<T> {
        result.inspect_err(|problem| (self.log)(&format!("{what}: {problem}"))).ok()
    }

    /// Gives the answer; the status is what the host reads, if it reads only that.
    fn print(&self, decision: Option<&Decision>) -> ExitCode {
        let Some(decision) = decision else { return ExitCode::SUCCESS };
        let text = decision.text.as_str();
        let reply = match decision.voice {
            Voice::Deny => Reply::Deny { reason: text },
            Voice::Block => Reply::Block { reason: text, message: "" },
            Voice::Note if matches!(self.payload.event.kind, EventKind::SessionStart(_)) => Reply::Context { text },
            Voice::Note => Reply::Note { to_model: text, to_user: text },
        };
        if self.mode.exit_code {
            let (status, reason) = reply.exit_code(&self.payload.name);
            let _ = std::io::stderr().write_all(reason.as_bytes());
            return ExitCode::from(status);
        }
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(reply.json(&self.payload.name).as_bytes()).and_then(|()| out.flush());
        ExitCode::SUCCESS
    }
}

fn call_id<'e>(event: &'e EventKind<'_>) -> &'e str {
    match event {
        EventKind::CallStarted(call) | EventKind::CallEnded { call, .. } => &call.id,
        _ => "",
    }
}
