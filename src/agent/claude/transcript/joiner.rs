//! Makes events of records: joins results to calls, and last words to the ends of turns.

use std::borrow::Cow;

use super::record::{self, Block, Record, Words};
use crate::agent::claude::call::call;
use crate::agent::claude::notice;
use crate::agent::claude::outcome::{self, Details, Told};
use crate::agent::json::{self, Raw};
use crate::agent::transcript::calls::{Calls, Joined};
use crate::agent::transcript::place::Place;
use crate::agent::transcript::turns::Turns;
use crate::agent::transcript::{self, Met, Sink, count};
use crate::session::event::{Action, Call, EventKind, Outcome};
use crate::shell::Dialect;

/// Line types that hold nothing for a rule: bookkeeping of the client's, and repetitions of what stands
/// elsewhere (`api-request-blob`, `progress`). Sorted.
const SKIPPED: &[&str] = &[
    "agent-color",
    "agent-name",
    "agent-setting",
    "ai-title",
    "api-request",
    "api-request-blob",
    "api-request-shape",
    "artifact-autoreact-ledger",
    "artifact-comment-monitor",
    "atis-latch",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "cost-state",
    "custom-title",
    "ended-by-model",
    "failed",
    "file-history-delta",
    "file-history-snapshot",
    "fork-context-ref",
    "frame-link",
    "history-suppression",
    "isolation-latch",
    "last-prompt",
    "marble-origami-commit",
    "marble-origami-reset",
    "marble-origami-snapshot",
    "mode",
    "observer-ref",
    "permission-mode",
    "pr-link",
    "progress",
    "queue-operation",
    "relocated",
    "result",
    "speculation-accept",
    "started",
    "summary",
    "tag",
    "task-summary",
    "tools-used",
    "worktree-state",
];

/// What a shell or a program says on standard error when it did not do what was typed.
const FAILED: &[&str] =
    &["No such file or directory", "cannot stat", "cannot create", "ermission denied", "not found", "Usage:", "usage:", "rror:"];

/// Makes events of lines.
#[derive(Debug, Default)]
pub struct Joiner {
    met: Met,
    calls: Calls<Call<'static>>,
    turns: Turns,
    /// A command that a person typed, until it is known what it printed.
    typed: Option<(String, Place<'static>)>,
}

impl transcript::Joiner for Joiner {
    fn line(&mut self, bytes: &[u8], number: u32, sink: &mut Sink<'_>) {
        let line = json::without_mark(bytes);
        if line.trim_ascii().is_empty() {
            return;
        }
        let record = match Record::read(line) {
            Ok(record) => record,
            Err(fault) => return self.met.refuse(&fault),
        };
        let Some(kind) = record.kind.and_then(json::string) else {
            return self.met.counters.misshapen += 1;
        };
        if SKIPPED.binary_search(&&*kind).is_ok() {
            return;
        }
        if !matches!(&*kind, "user" | "assistant" | "attachment" | "system") {
            return count(&mut self.met.counters.unknown_types, &kind);
        }
        if let Some(uuid) = record.uuid.and_then(json::string)
            && !self.met.seen.is_new(&uuid)
        {
            return self.met.counters.duplicates += 1;
        }
        let place = record.place(number);
        let understood = match &*kind {
            "user" => self.user(&record, &place, sink),
            "assistant" => self.assistant(&record, &place, sink),
            "attachment" => self.attachment(&record, &place, sink),
            _ => {
                self.system(&record, &place, sink);
                Some(())
            }
        };
        if understood.is_none() {
            self.met.counters.misshapen += 1;
        }
    }

    fn finish(&mut self, sink: &mut Sink<'_>) {
        self.typed_ended("", "", sink);
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
    fn assistant(&mut self, record: &Record<'_>, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        self.typed_ended("", "", sink);
        let blocks = record.content.as_ref()?;
        if record.is_synthetic {
            self.turns.of(&place.agent).settled = true;
            return Some(());
        }
        let message_id = text(record.message_id);
        for block in blocks {
            match &*block.kind {
                "text" => self.turns.of(&place.agent).say(&text(block.text), &message_id, place),
                "tool_use" => self.started(call(text(block.id), text(block.name), block.input), place, sink),
                _ => {}
            }
        }
        Some(())
    }

    fn started<'a>(&mut self, call: Call<'a>, place: &Place<'a>, sink: &mut Sink<'_>) {
        if !self.calls.is_new(&call.id) {
            return self.met.counters.duplicates += 1;
        }
        self.turns.of(&place.agent).act(place);
        let mut event = place.event(EventKind::CallStarted(call));
        self.met.give(&mut event, sink);
        // Kept after it was shown: effects that were worked out come back with the result.
        if let EventKind::CallStarted(call) = event.kind {
            self.calls.start(&call.id.clone(), call.into_owned());
        }
    }

    fn user(&mut self, record: &Record<'_>, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        let blocks = record.content.as_ref()?;
        let (results, others): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block.kind == "tool_result");
        for block in &results {
            self.ended(block, record, results.len() == 1, place, sink);
        }
        if record.is_summary || others.is_empty() {
            return Some(());
        }
        let words = words(&others);
        if !matches!(words, Words::Printed { .. }) {
            self.typed_ended("", "", sink);
        }
        let turn = self.turns.of(&place.agent);
        match words {
            Words::Interrupt => turn.abandon(),
            Words::StopFeedback => {
                if let Some(mut end) = turn.end(true) {
                    self.met.give(&mut end, sink);
                }
            }
            _ if record.is_meta || !results.is_empty() => {}
            Words::Prompt(text) => {
                let by_person = place.agent.is_empty() && !record.is_automatic();
                self.prompt(text, by_person, place, sink);
            }
            Words::Notice(text) => {
                self.end_turn(false, place, sink);
                self.turns.of(&place.agent).settled = false;
                self.met.give(&mut place.event(EventKind::TasksEnded(notice::tasks(&text))), sink);
            }
            Words::Typed(command) => {
                self.end_turn(false, place, sink);
                self.typed = Some((command, place.clone().into_owned()));
            }
            Words::Printed { stdout, stderr } => self.typed_ended(&stdout, &stderr, sink),
            // While the agent is at work it is itself that calls the command.
            Words::Command(text) => {
                let by_person = place.agent.is_empty() && turn.settled;
                self.prompt(text.into(), by_person, place, sink);
            }
            Words::Nothing => {}
        }
        Some(())
    }

    /// A prompt on a line of its own. One by a person ends the turn before it. So does any other if the agent
    /// had settled: what comes while it works is handed over as an attachment.
    fn prompt<'a>(&mut self, text: Cow<'a, str>, by_person: bool, place: &Place<'a>, sink: &mut Sink<'_>) {
        self.end_turn(by_person, place, sink);
        self.turns.of(&place.agent).settled = false;
        self.met.give(&mut place.event(EventKind::Prompt { text, by_person }), sink);
    }

    /// Ends the agent's turn if it has settled, or in any case.
    fn end_turn(&mut self, in_any_case: bool, place: &Place<'_>, sink: &mut Sink<'_>) {
        let turn = self.turns.of(&place.agent);
        if (in_any_case || turn.settled)
            && let Some(mut end) = turn.end(false)
        {
            self.met.give(&mut end, sink);
        }
    }

    /// A command that a person typed has ended. One that failed by its own words did nothing that counts.
    fn typed_ended(&mut self, stdout: &str, stderr: &str, sink: &mut Sink<'_>) {
        let Some((command, place)) = self.typed.take() else { return };
        if command.is_empty() || FAILED.iter().any(|words| stderr.contains(words)) {
            return;
        }
        let action = Action::Shell { command: command.into(), dialect: Dialect::Bash };
        let call = Call::new("".into(), "!".into(), action, false);
        let output = outcome::below(Some(stdout.into()), stderr.into());
        self.met.give(&mut place.event(EventKind::CallEnded { call, outcome: Outcome::Untold { output } }), sink);
    }

    fn ended<'a>(&mut self, block: &Block<'a>, record: &Record<'a>, alone: bool, place: &Place<'a>, sink: &mut Sink<'_>) {
        let id = text(block.tool_use_id);
        let call = match self.calls.end(&id) {
            Joined::To(call) => call,
            Joined::Nothing => Call::new(id, Cow::Borrowed(""), Action::Other, false),
            Joined::Repeated => return self.met.counters.repeated_results += 1,
        };
        self.turns.of(&place.agent).settled = false;
        // On a line with several results nothing says which of them these belong to.
        let denial = record.denial.and_then(json::string).filter(|kind| alone && !kind.is_empty());
        if let Some(kind) = &denial
            && !outcome::is_known_denial(kind)
        {
            count(&mut self.met.counters.unknown_denials, kind);
        }
        let details = if alone { record.tool_use_result } else { Details::default() };
        let told = Told { content: block.content, details, is_error: block.is_error, denial };
        let outcome = outcome::outcome(&call, &told);
        self.met.give(&mut place.event(EventKind::CallEnded { call, outcome }), sink);
    }

    /// A prompt typed while the agent was at work, or the end of a background task, handed over within the
    /// turn: it ends nothing.
    fn attachment(&mut self, record: &Record<'_>, place: &Place<'_>, sink: &mut Sink<'_>) -> Option<()> {
        let (mut kind, mut prompt, mut mode) = (None, None, None);
        json::fields(record.attachment?.bytes(), &mut |key, value| match key {
            "type" => kind = Some(value),
            "prompt" => prompt = Some(value),
            "commandMode" => mode = Some(value),
            _ => {}
        });
        if text(kind) != "queued_command" {
            return Some(());
        }
        let (text, by_person) = match record::words(outcome::text_of_content(prompt?)?) {
            Words::Prompt(words) => (words, place.agent.is_empty() && matches!(&*text(mode), "" | "prompt")),
            Words::Command(words) => (words.into(), place.agent.is_empty()),
            Words::Notice(text) => {
                self.met.give(&mut place.event(EventKind::TasksEnded(notice::tasks(&text))), sink);
                return Some(());
            }
            Words::Typed(command) => {
                self.typed_ended("", "", sink);
                self.typed = Some((command, place.clone().into_owned()));
                return Some(());
            }
            Words::Printed { .. } | Words::Interrupt | Words::StopFeedback | Words::Nothing => return Some(()),
        };
        self.met.give(&mut place.event(EventKind::Prompt { text, by_person }), sink);
        Some(())
    }

    fn system(&mut self, record: &Record<'_>, place: &Place<'_>, sink: &mut Sink<'_>) {
        if text(record.subtype) == "compact_boundary" {
            // A person who asks for it waits for the end of the turn; the client itself does not.
            self.end_turn(false, place, sink);
            self.met.give(&mut place.event(EventKind::BeforeCompact), sink);
        }
    }
}

/// What the blocks of a user line that are no results say. Reminders the client put before a person's words
/// are left out.
fn words<'a>(blocks: &[&Block<'a>]) -> Words<'a> {
    let said = |block: &&&Block<'a>| block.kind == "text" && !text(block.text).trim_start().starts_with("<system-reminder>");
    let texts = blocks.iter().filter(said).map(|block| text(block.text));
    match texts.fold(None, |all, more| Some(outcome::below(all, more))) {
        Some(text) => record::words(text),
        None if blocks.iter().any(|block| block.kind == "image" || block.kind == "document") => Words::Prompt(Cow::Borrowed("")),
        None => Words::Nothing,
    }
}

fn text(raw: Option<Raw<'_>>) -> Cow<'_, str> {
    raw.and_then(json::string).unwrap_or_default()
}
