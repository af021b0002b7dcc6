//! Makes events of records: joins results to calls, and last words to the ends of turns.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::bookkeeping::{EVENTS, ITEMS, LINES};
use super::record::{Item, Record};
use super::stamp::{Stamp, text};
use super::words::{self, Words};
use crate::agent::codex::call::{self, Asked, Kind};
use crate::agent::codex::outcome::{self, End, Told};
use crate::agent::codex::patch;
use crate::agent::json::{self, Raw};
use crate::agent::transcript::calls::{Calls, Joined};
use crate::agent::transcript::place::Place;
use crate::agent::transcript::turns::Turns;
use crate::agent::transcript::{self, Head, Met, Sink, count};
use crate::session::event::{Call, EventKind, NotRun, Outcome, TaskEnd, TaskStatus};

/// How much is kept in mind: prompts of one moment, processes that run, turns of a file.
const MAX_PROMPTS: usize = 64;
const MAX_PROCESSES: usize = 256;
const MAX_TURNS: usize = 1 << 16;

/// Makes events of lines.
#[derive(Debug, Default)]
pub struct Joiner {
    met: Met,
    calls: Calls<Open>,
    turns: Turns,
    stamp: Stamp,
    /// The client tells where turns begin and end, and one has begun.
    within_turn: bool,
    turn: Box<str>,
    /// The turns of this file.
    own_turns: HashSet<Box<str>>,
    /// The turn was met in another file.
    is_copied: bool,
    /// What was put to the agent since it last spoke or acted: the client writes it down twice.
    prompts: Vec<String>,
    /// The calls that started processes which still run, by the id of the process.
    processes: HashMap<String, String>,
    /// The script that was started last.
    script: String,
}

/// A call without a result.
#[derive(Debug)]
struct Open {
    calls: Vec<Call<'static>>,
    cwd: String,
    kind: Kind,
    /// How it ended, as an event told that came before the result.
    end: End,
    /// The client told of the commands of this script one by one.
    is_told_in_parts: bool,
}

impl transcript::Joiner for Joiner {
    fn line(&mut self, bytes: &[u8], number: u32, sink: &mut Sink<'_>) {
        let line = json::text_of(bytes);
        if line.trim_ascii().is_empty() {
            return;
        }
        let record = match Record::read(&line) {
            Ok(record) => record,
            Err(fault) => return self.met.refuse(&fault),
        };
        if self.record(&record, number, sink).is_none() {
            self.met.counters.misshapen += 1;
        }
    }

    fn finish(&mut self, sink: &mut Sink<'_>) {
        for mut event in self.turns.end_all() {
            self.met.give(&mut event, sink);
        }
    }

    fn met(&self) -> &Met {
        &self.met
    }

    fn met_mut(&mut self) -> &mut Met {
        &mut self.met
    }

    fn into_met(self) -> Met {
        self.met
    }
}

impl Joiner {
    /// Whose the rollout is, as far as lines have said.
    pub(super) fn head(&self) -> Head {
        let place = self.stamp.place(None, 0);
        Head { session: place.session.into_owned(), agent: place.agent.into_owned(), cwd: place.cwd.into_owned() }
    }

    /// Takes one record; `None` when it is not what its type promises.
    fn record(&mut self, record: &Record<'_>, number: u32, sink: &mut Sink<'_>) -> Option<()> {
        let item = &record.item;
        let Some(kind) = record.kind else {
            // The bare generation: a first line about the session, or bookkeeping.
            return if record.is_state {
                Some(())
            } else {
                item.id.filter(|_| record.time.is_some())?;
                self.stamp.meta(item);
                Some(())
            };
        };
        let kind = json::string(kind)?;
        if LINES.binary_search(&&*kind).is_ok() {
            return Some(());
        }
        match &*kind {
            "session_meta" if record.is_enveloped => {
                self.stamp.meta(item);
                return Some(());
            }
            "turn_context" if record.is_enveloped => {
                self.enter(&text(item.turn_id));
                self.stamp.folder(item);
                return Some(());
            }
            "session_meta" | "turn_context" => return None,
            _ => {}
        }
        let place = self.stamp.place(record.time, number);
        let kind_of_item = if record.is_enveloped { text(item.kind) } else { Cow::Borrowed(&*kind) };
        if matches!(&*kind_of_item, "task_started" | "turn_started") {
            self.enter(&text(item.turn_id));
        }
        if self.is_copied {
            self.met.counters.duplicates += 1;
            return Some(());
        }
        match (&*kind, record.is_enveloped) {
            ("compacted", _) => {
                self.met.give(&mut place.event(EventKind::BeforeCompact), sink);
                Some(())
            }
            ("response_item" | "event_msg", _) if kind_of_item.is_empty() || !record.is_enveloped => None,
            ("response_item", true) | (_, false) => self.item(item, &kind_of_item, record, &place, sink),
            ("event_msg", true) => self.event(item, &kind_of_item, &place, sink),
            (unknown, true) => {
                count(&mut self.met.counters.unknown_types, unknown);
                Some(())
            }
        }
    }

    /// A turn begins, or goes on. One that another file has was copied into this one by a fork.
    fn enter(&mut self, turn: &str) {
        if turn.is_empty() || *turn == *self.turn {
            return;
        }
        self.turn = turn.into();
        self.is_copied = !self.own_turns.contains(turn) && !self.met.seen.is_new(&format!("turn {turn}"));
        if !self.is_copied && self.own_turns.len() < MAX_TURNS {
            self.own_turns.insert(turn.into());
        }
    }

    /// An item of the conversation.
    fn item(&mut self, item: &Item<'_>, kind: &str, record: &Record<'_>, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        if ITEMS.binary_search(&kind).is_ok() {
            return Some(());
        }
        match kind {
            "message" => {
                let parts = texts(item.content?)?;
                match &*text(item.role) {
                    "assistant" => self.say(&parts.join("\n"), place),
                    "user" => {
                        if let Some(cwd) = words::folder(&parts) {
                            self.stamp.told_folder(&cwd, !record.is_enveloped);
                        }
                        self.put(words::words(&parts), place, sink);
                    }
                    _ => {}
                }
            }
            "function_call" => {
                let (id, name) = (text(item.call_id), json::string(item.name?)?);
                let namespace = text(item.namespace);
                let asked = if namespace.is_empty() {
                    call::of_function(&id, &name, &text(item.arguments))
                } else {
                    call::other(&id, &format!("{namespace}{name}"))
                };
                self.start(&id, asked, item.arguments, place, sink);
            }
            "custom_tool_call" => {
                let id = text(item.call_id);
                let asked = call::of_custom(&id, &json::string(item.name?)?, &text(item.input));
                self.start(&id, asked, item.input, place, sink);
            }
            "local_shell_call" => {
                let id = json::string(item.call_id.or(item.id)?)?;
                let action = Item::read(item.action?);
                let mut asked = call::of_command(&id, "local_shell", action.command?);
                asked.workdir = action.cwd.and_then(json::string).map(Cow::into_owned).or(asked.workdir);
                self.start(&id, asked, item.action, place, sink);
            }
            "function_call_output" | "custom_tool_call_output" | "local_shell_call_output" | "mcp_tool_call_output" => {
                self.end(&json::string(item.call_id.or(item.id)?)?, item.output, place, sink);
            }
            unknown => {
                let name = if record.is_enveloped { format!("response_item/{unknown}") } else { unknown.to_owned() };
                count(&mut self.met.counters.unknown_types, &name);
            }
        }
        Some(())
    }

    /// Something the client told a person.
    fn event(&mut self, item: &Item<'_>, kind: &str, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        match kind {
            "task_started" | "turn_started" => {
                // One before it that has no end was broken off by more than a person.
                self.end_turn(false, place, sink);
                self.within_turn = true;
            }
            "task_complete" | "turn_complete" => {
                if let Some(last) = item.last_message {
                    match json::string(last) {
                        Some(last) => self.say(&last, place),
                        // What was said before was not meant to be the last.
                        None => self.turns.of(&place.agent).unsay(),
                    }
                }
                self.end_turn(false, place, sink);
                self.within_turn = false;
            }
            "turn_aborted" => self.abandon(place),
            "user_message" => {
                let parts = texts(item.content?)?;
                self.put(words::words(&parts), place, sink);
            }
            "agent_message" => self.say(&json::string(item.content?)?, place),
            "exec_command_end" => self.command_ended(item, &json::string(item.call_id?)?, place, sink),
            "patch_apply_end" => self.patch_ended(item, &json::string(item.call_id?)?, place, sink),
            "item_completed" => return self.item_completed(&Item::read(item.inner?), place, sink),
            known if EVENTS.binary_search(&known).is_ok() => {}
            unknown => count(&mut self.met.counters.unknown_types, &format!("event_msg/{unknown}")),
        }
        Some(())
    }

    /// An item of a turn, as newer clients tell of it. All but commands and patches only repeats, or says
    /// nothing for a rule.
    fn item_completed(&mut self, item: &Item<'_>, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        let kind: String = json::string(item.kind?)?.chars().filter(|c| *c != '_').map(|c| c.to_ascii_lowercase()).collect();
        match &*kind {
            "usermessage" => self.put(words::words(&texts(item.content?)?), place, sink),
            "agentmessage" => self.say(&texts(item.content?)?.join("\n"), place),
            "hookprompt" => self.put(Words::StopFeedback, place, sink),
            "commandexecution" => self.command_ended(item, &json::string(item.id?)?, place, sink),
            "filechange" => self.patch_ended(item, &json::string(item.id?)?, place, sink),
            _ => {}
        }
        Some(())
    }

    fn say(&mut self, words: &str, place: &Place<'_>) {
        self.prompts.clear();
        self.turns.of(&place.agent).say(words, "", place);
    }

    /// Words put to the agent.
    fn put(&mut self, words: Words, place: &Place<'_>, sink: &mut Sink<'_>) {
        let (words, by_person) = match words {
            Words::Prompt(words) => (words, place.agent.is_empty()),
            Words::Notice(words) => (words, false),
            // The next turn may have begun by now.
            Words::Interrupt => return self.turns.of(&place.agent).abandon(),
            Words::StopFeedback => return self.end_turn(true, place, sink),
            Words::Typed { command, status, output } => {
                let asked = call::of_text("", "!", &command);
                // One that failed did nothing that counts.
                for call in asked.calls.into_iter().filter(|_| status.is_none_or(|status| status == 0)) {
                    self.stamp.follow(&call);
                    let outcome = Outcome::Untold { output: output.as_str().into() };
                    self.met.give(&mut place.event(EventKind::CallEnded { call, outcome }), sink);
                }
                return;
            }
            Words::Nothing => return,
        };
        if self.prompts.contains(&words) {
            return;
        }
        if self.prompts.len() < MAX_PROMPTS {
            self.prompts.push(words.clone());
        }
        // What comes while the agent is at work ends nothing.
        if !self.within_turn {
            self.end_turn(false, place, sink);
        }
        self.met.give(&mut place.event(EventKind::Prompt { text: words.into(), by_person }), sink);
    }

    fn end_turn(&mut self, goes_on: bool, place: &Place<'_>, sink: &mut Sink<'_>) {
        if let Some(mut end) = self.turns.of(&place.agent).end(goes_on) {
            self.met.give(&mut end, sink);
        }
    }

    fn abandon(&mut self, place: &Place<'_>) {
        self.turns.of(&place.agent).abandon();
        self.within_turn = false;
        self.prompts.clear();
    }

    fn start(&mut self, id: &str, asked: Asked, input: Option<Raw<'_>>, place: &Place<'_>, sink: &mut Sink<'_>) {
        if !self.calls.is_new(id) {
            return self.met.counters.duplicates += 1;
        }
        let cwd = self.stamp.within(asked.workdir.as_deref());
        let mut open = Open { calls: Vec::new(), cwd, kind: asked.kind, end: End::Untold, is_told_in_parts: false };
        // A fork copies calls into a file of its own.
        if !id.is_empty() && !self.met.seen.is_new(&format!("call {id} {}", input.map_or("", Raw::get))) {
            self.met.counters.duplicates += 1;
        } else {
            open.calls = self.started(asked.calls, &open.cwd, place, sink);
        }
        if matches!(open.kind, Kind::Script(_)) {
            id.clone_into(&mut self.script);
        }
        self.calls.start(id, open);
    }

    /// Tells of calls that start, and gives them back with what was worked out of them meanwhile.
    fn started(&mut self, calls: Vec<Call<'static>>, cwd: &str, place: &Place<'_>, sink: &mut Sink<'_>) -> Vec<Call<'static>> {
        let place = Place { cwd: cwd.into(), ..place.clone() };
        self.prompts.clear();
        self.turns.of(&place.agent).act(&place);
        let mut kept = Vec::with_capacity(calls.len());
        for call in calls {
            let mut event = place.event(EventKind::CallStarted(call));
            self.met.give(&mut event, sink);
            if let EventKind::CallStarted(call) = event.kind {
                kept.push(call.into_owned());
            }
        }
        kept
    }

    fn end(&mut self, id: &str, output: Option<Raw<'_>>, place: &Place<'_>, sink: &mut Sink<'_>) {
        let mut told = outcome::read(output);
        // A script may speak before its end.
        if let Some(Open { kind: Kind::Script(_), .. }) = self.calls.open(id)
            && !told.has_header
            && told.end == End::Untold
        {
            return;
        }
        let open = match self.calls.end(id) {
            Joined::To(open) => open,
            Joined::Nothing => Open {
                calls: call::other(id, "").calls,
                cwd: self.stamp.within(None),
                kind: Kind::Plain,
                end: End::Untold,
                is_told_in_parts: false,
            },
            Joined::Repeated => return self.met.counters.repeated_results += 1,
        };
        if told.end == End::Untold {
            told.end = open.end;
        }
        self.ended(open.calls, &open.cwd, &told, place, sink);
        match (open.kind, &told.end) {
            (Kind::Plain, End::Running(process)) if self.processes.len() < MAX_PROCESSES => {
                self.processes.insert(process.clone(), id.to_owned());
            }
            (Kind::Process(process), End::Exited(status)) => self.process_ended(&process, *status, place, sink),
            (Kind::Script(Some(only)), End::Untold) if !open.is_told_in_parts => {
                // Told only by a script that shows the whole result of its command.
                if let Some(shown) = Told::of_script(&told.output) {
                    let asked = call::of_text(&format!("{id}#1"), "exec_command", &only.command);
                    let folder = only.workdir.as_deref().map(|outer| call::join(outer, asked.workdir.as_deref().unwrap_or_default()));
                    let cwd = self.stamp.within(folder.as_deref().or(asked.workdir.as_deref()));
                    let calls = self.started(asked.calls, &cwd, place, sink);
                    self.ended(calls, &cwd, &shown, place, sink);
                }
            }
            _ => {}
        }
    }

    fn ended(&mut self, calls: Vec<Call<'static>>, cwd: &str, told: &Told, place: &Place<'_>, sink: &mut Sink<'_>) {
        let place = Place { cwd: cwd.into(), ..place.clone() };
        self.turns.of(&place.agent).settled = false;
        for call in calls {
            if !matches!(told.end, End::NotRun(_)) {
                self.stamp.follow(&call);
            }
            let (call, outcome) = told.judge(call);
            self.met.give(&mut place.event(EventKind::CallEnded { call, outcome }), sink);
        }
    }

    /// A process that was left running came to its end.
    fn process_ended(&mut self, process: &str, status: i32, place: &Place<'_>, sink: &mut Sink<'_>) {
        if let Some(call) = self.processes.remove(process) {
            // The client ends what still runs when it ends itself.
            let end = if status < 0 { TaskStatus::Stopped } else { TaskStatus::Exited(status) };
            let end = TaskEnd { task: process.to_owned(), call, end };
            self.met.give(&mut place.event(EventKind::TasksEnded(vec![end])), sink);
        }
    }

    /// A command ended: that of a call, one left running, or one of a script.
    fn command_ended(&mut self, item: &Item<'_>, id: &str, place: &Place<'_>, sink: &mut Sink<'_>) {
        let status = item.exit_code.and_then(|code| code.get().parse().ok());
        let end = match (&*text(item.status), status) {
            ("declined", _) => End::NotRun(NotRun::Rejected),
            (_, Some(status)) => End::Exited(status),
            ("failed", None) => End::Failed,
            _ => End::Untold,
        };
        if let Some(process) = self.processes.iter().find_map(|(process, call)| (call == id).then(|| process.clone())) {
            if let Some(status) = status {
                self.process_ended(&process, status, place, sink);
            }
            return;
        }
        // What a person ran, and what only hands input to a running process.
        let source = text(item.source).to_lowercase();
        if source.contains("user") || source.contains("interaction") {
            return;
        }
        let Some(command) = item.command else { return };
        let asked = call::of_command(id, "exec_command", command);
        let output = item.aggregated_output.and_then(json::string).unwrap_or_default();
        self.part_ended(id, asked, Told::ended(end, &output), item, place, sink);
    }

    /// A patch was put in place, or was not.
    fn patch_ended(&mut self, item: &Item<'_>, id: &str, place: &Place<'_>, sink: &mut Sink<'_>) {
        let end = match (item.success.map(json::is_true), &*text(item.status)) {
            (_, "declined") => End::NotRun(NotRun::Rejected),
            (Some(true), _) | (None, "completed") => End::Exited(0),
            _ => End::Failed,
        };
        let files = item.changes.map(patch::changes).unwrap_or_default();
        if !files.is_empty() {
            self.part_ended(id, call::of_files(id, "apply_patch", files), Told::ended(end, ""), item, place, sink);
        }
    }

    /// What an event tells of a call: the end of an open one, to be held until its result; or a whole call of
    /// a script, which nothing else tells of.
    fn part_ended(&mut self, id: &str, asked: Asked, told: Told, item: &Item<'_>, place: &Place<'_>, sink: &mut Sink<'_>) {
        if let Some(open) = self.calls.open(id) {
            open.end = told.end;
            return;
        }
        if !self.calls.is_new(id) || id.is_empty() {
            return;
        }
        if let Some(script) = self.calls.open(&self.script) {
            script.is_told_in_parts = true;
        }
        let outer = text(item.cwd);
        let outer = call::folder(&outer);
        let folder = asked.workdir.as_deref().map_or_else(|| outer.clone().into_owned(), |inner| call::join(&outer, inner));
        let cwd = self.stamp.within(Some(&folder));
        let calls = self.started(asked.calls, &cwd, place, sink);
        self.ended(calls, &cwd, &told, place, sink);
        self.calls.close(id);
    }
}

/// The texts of a message; `None` when it is neither a text nor a list of parts.
fn texts(raw: Raw<'_>) -> Option<Vec<Cow<'_, str>>> {
    (json::is_array(raw) || json::string(raw).is_some()).then(|| outcome::texts_of(raw))
}
