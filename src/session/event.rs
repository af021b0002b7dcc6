//! The vocabulary of events: what an agent's client tells, in no client's words.
//!
//! `agent::*` turns payloads and transcript lines into these; nothing behind this page knows where
//! an event came from.

use std::borrow::Cow;

use once_cell::unsync::OnceCell;
use serde::{Deserialize, Serialize};

use crate::shell::gates::{self, GateRun};
use crate::shell::{self, Dialect, Effect, Effects};

/// One thing that happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event<'a> {
    /// The client's session id, as given: hostile until made safe by whoever names a file after it.
    pub session: Cow<'a, str>,
    /// The subagent's id; empty for the main agent.
    pub agent: Cow<'a, str>,
    /// The directory the event happened in; empty when unknown.
    pub cwd: Cow<'a, str>,
    /// The branch stamped on a transcript record. Hook payloads carry none.
    pub branch: Option<Cow<'a, str>>,
    /// The client's time stamp, for display only: within one file events are ordered by position.
    pub time: Option<Cow<'a, str>>,
    /// Number of the transcript line it was read from, counted from 1; 0 for a live event.
    pub line: u32,
    /// What happened.
    pub kind: EventKind<'a>,
    /// What was seen of the outside when it happened; empty when it was read from a transcript.
    #[serde(default, skip_serializing_if = "Noted::is_empty")]
    pub noted: Noted,
}

/// What a live event saw of the outside, which no transcript tells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Noted {
    /// The work trees of the files that the call wrote, and of the repositories that it committed to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trees: Vec<TreeNote>,
    /// The texts of the project's scripts that the call ran.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scripts: Vec<ScriptNote>,
}

impl Noted {
    /// Was nothing seen?
    pub fn is_empty(&self) -> bool {
        self.trees.is_empty() && self.scripts.is_empty()
    }
}

/// A work tree, and what it was on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeNote {
    /// Its root.
    pub root: String,
    /// Its branch; empty when its head is detached or cannot be told.
    pub branch: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
pub(super) fn is_false(value: &bool) -> bool {
    !value
}

/// The text of a script that a command ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptNote {
    /// Index of the command in the call's [`Effects::commands`].
    pub command: usize,
    /// The text.
    pub text: String,
    /// The folder of the file that holds it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub dir: String,
}

impl Event<'_> {
    /// The same event, borrowing nothing.
    pub fn into_owned(self) -> Event<'static> {
        Event {
            session: owned(self.session),
            agent: owned(self.agent),
            cwd: owned(self.cwd),
            branch: self.branch.map(owned),
            time: self.time.map(owned),
            line: self.line,
            noted: self.noted,
            kind: match self.kind {
                EventKind::SessionStart(source) => EventKind::SessionStart(source),
                EventKind::Prompt { text, by_person } => EventKind::Prompt { text: owned(text), by_person },
                EventKind::CallStarted(call) => EventKind::CallStarted(call.into_owned()),
                EventKind::CallEnded { call, outcome } => EventKind::CallEnded { call: call.into_owned(), outcome: outcome.into_owned() },
                EventKind::TurnEnd { message, continued, background } => {
                    EventKind::TurnEnd { message: owned(message), continued, background }
                }
                EventKind::AgentEnd { message } => EventKind::AgentEnd { message: owned(message) },
                EventKind::TasksEnded(tasks) => EventKind::TasksEnded(tasks),
                EventKind::BeforeCompact => EventKind::BeforeCompact,
            },
        }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum EventKind<'a> {
    /// A session began or went on.
    SessionStart(Source),
    /// Words were put to the agent.
    Prompt {
        /// The words.
        text: Cow<'a, str>,
        /// False for what the client or another program put in a person's place.
        by_person: bool,
    },
    /// A call is about to run (live), or was asked for (transcript).
    CallStarted(Call<'a>),
    /// A call came to an end.
    CallEnded {
        /// The call. `Action::Other` with the right id where the source does not repeat it.
        call: Call<'a>,
        /// How it ended.
        outcome: Outcome<'a>,
    },
    /// The agent ended its turn.
    TurnEnd {
        /// Its last words.
        message: Cow<'a, str>,
        /// True when an earlier answer of a stop hook made it go on.
        continued: bool,
        /// True while background work of this session still runs.
        background: bool,
    },
    /// A subagent (`Event::agent`) ended.
    AgentEnd {
        /// Its last words.
        message: Cow<'a, str>,
    },
    /// Background work came to an end.
    TasksEnded(Vec<TaskEnd>),
    /// The client is about to compact the conversation.
    BeforeCompact,
}

/// The end of one background task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskEnd {
    /// The client's id of the task.
    pub task: String,
    /// The id of the call that launched it; empty when unknown.
    pub call: String,
    /// How it ended.
    pub end: TaskStatus,
}

/// How a background task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TaskStatus {
    /// By itself, with this exit status.
    Exited(i32),
    /// By itself; nothing says how.
    Completed,
    /// It failed, and nothing says with which status.
    Failed,
    /// It was stopped.
    Stopped,
}

/// Why a session started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// A new session.
    Startup,
    /// An earlier session taken up again.
    Resume,
    /// The conversation was cleared: a new session id.
    Clear,
    /// After a compaction.
    Compact,
    /// A copy of another session.
    Fork,
    /// A word this version does not know.
    Unknown,
}

/// One call of a tool.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Call<'a> {
    /// The client's id of the call; empty when it gave none.
    pub id: Cow<'a, str>,
    /// The client's name of the tool.
    pub tool: Cow<'a, str>,
    /// What the call does.
    pub action: Action<'a>,
    /// Launched to run on while the agent does something else.
    pub background: bool,
    #[serde(skip)]
    effects: OnceCell<Effects>,
    #[serde(skip)]
    gates: OnceCell<Vec<GateRun>>,
}

impl PartialEq for Call<'_> {
    fn eq(&self, other: &Self) -> bool {
        // The effects follow from the action.
        (&self.id, &self.tool, &self.action, self.background) == (&other.id, &other.tool, &other.action, other.background)
    }
}

impl<'a> Call<'a> {
    /// A call; its shell effects are worked out when first asked for.
    pub fn new(id: Cow<'a, str>, tool: Cow<'a, str>, action: Action<'a>, background: bool) -> Self {
        Call { id, tool, action, background, effects: OnceCell::new(), gates: OnceCell::new() }
    }

    /// The same call, borrowing nothing; effects already worked out are kept.
    pub fn into_owned(self) -> Call<'static> {
        Call {
            id: owned(self.id),
            tool: owned(self.tool),
            action: self.action.into_owned(),
            background: self.background,
            effects: self.effects,
            gates: self.gates,
        }
    }

    /// The effects of a shell command, in execution order; `None` for every other tool.
    pub fn effects(&self) -> Option<&Effects> {
        let Action::Shell { command, dialect } = &self.action else { return None };
        Some(self.effects.get_or_init(|| shell::effects(command, *dialect)))
    }

    /// The effects alone, in execution order; none for every other tool.
    pub fn effect_list(&self) -> &[Effect] {
        self.effects().map(|effects| effects.list.as_slice()).unwrap_or_default()
    }

    /// The runs of quality gates in a shell command, in execution order.
    pub fn gates(&self) -> &[GateRun] {
        self.gates.get_or_init(|| self.effects().map(gates::gates).unwrap_or_default())
    }
}

/// What a call does, as far as a rule may ask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action<'a> {
    /// Runs a shell command.
    Shell {
        /// Its text.
        command: Cow<'a, str>,
        /// The language of the text.
        dialect: Dialect,
    },
    /// Writes the whole content of a file.
    Write {
        /// The file.
        path: Cow<'a, str>,
    },
    /// Changes a part of a file.
    Edit {
        /// The file.
        path: Cow<'a, str>,
    },
    /// Reads a file.
    Read {
        /// The file.
        path: Cow<'a, str>,
    },
    /// Puts a question to the person.
    Ask,
    /// Anything else, or an input that could not be read.
    Other,
}

impl Action<'_> {
    /// The same action, borrowing nothing.
    pub fn into_owned(self) -> Action<'static> {
        match self {
            Action::Shell { command, dialect } => Action::Shell { command: owned(command), dialect },
            Action::Write { path } => Action::Write { path: owned(path) },
            Action::Edit { path } => Action::Edit { path: owned(path) },
            Action::Read { path } => Action::Read { path: owned(path) },
            Action::Ask => Action::Ask,
            Action::Other => Action::Other,
        }
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome<'a> {
    /// It never ran: its outcome says nothing.
    NotRun(NotRun),
    /// It was launched in the background and has not reported yet.
    Launched {
        /// The client's id of the task; empty when unknown.
        task: Cow<'a, str>,
    },
    /// It ran, and nothing says how it ended: a person typed it. No event told of its start.
    Untold {
        /// What it printed.
        output: Cow<'a, str>,
    },
    /// It ran and failed.
    Failed {
        /// Its exit status, when the client told one.
        status: Option<i32>,
        /// It was ended for running too long.
        timed_out: bool,
        /// What it printed, without the client's own lines.
        output: Cow<'a, str>,
    },
    /// It ran and succeeded.
    Succeeded {
        /// What it printed, standard output and error merged, without the client's own lines.
        output: Cow<'a, str>,
        /// The client's reading of an exit status that is not an error (`No matches found`).
        interpretation: Option<Cow<'a, str>>,
        /// The client kept only a part of the output.
        truncated: bool,
        /// The client saw it commit.
        committed: bool,
    },
}

impl Outcome<'_> {
    /// The same outcome, borrowing nothing.
    pub fn into_owned(self) -> Outcome<'static> {
        match self {
            Outcome::NotRun(why) => Outcome::NotRun(why),
            Outcome::Launched { task } => Outcome::Launched { task: owned(task) },
            Outcome::Untold { output } => Outcome::Untold { output: owned(output) },
            Outcome::Failed { status, timed_out, output } => Outcome::Failed { status, timed_out, output: owned(output) },
            Outcome::Succeeded { output, interpretation, truncated, committed } => {
                Outcome::Succeeded { output: owned(output), interpretation: interpretation.map(owned), truncated, committed }
            }
        }
    }
}

/// Why a call never ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum NotRun {
    /// Refused by a rule or a hook.
    Denied,
    /// Refused by a person.
    Rejected,
    /// Cancelled with a call beside it.
    Cancelled,
    /// Interrupted by a person.
    Interrupted,
    /// The client refused its input.
    InvalidInput,
    /// A cache warm-up of old clients that only looks like a call.
    Warmup,
}
