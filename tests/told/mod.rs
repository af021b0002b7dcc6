//! What the genuine client tells of a session: payloads for its hooks, and lines for its transcripts.
//!
//! `fixtures/claude` holds what the client itself was seen to tell; these are the same shapes, for sessions that
//! a test makes up.

use std::cell::Cell;
use std::rc::Rc;

use serde_json::{Value, json};

/// Seconds since 1970 of a session's start.
const START: i64 = 1_780_304_400;

/// One session, as far as telling of it goes.
#[derive(Debug)]
pub(crate) struct Session {
    id: String,
    /// Counts the lines of all transcripts, a second each: what stamps and ids are made of.
    clock: Rc<Cell<u32>>,
    prompts: u32,
    /// The agent spoke, and has done nothing since.
    settled: bool,
}

/// Who acts, and where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct At<'a> {
    /// The subagent; empty for the main agent.
    pub(crate) agent: &'a str,
    pub(crate) cwd: &'a str,
    /// As the client stamps it: `HEAD` when detached, empty without a repository.
    pub(crate) branch: &'a str,
}

/// What is told of one thing that happened.
#[derive(Debug)]
pub(crate) struct Told {
    /// To the hook, if at all. It lacks `transcript_path`.
    pub(crate) payload: Option<Value>,
    /// Added to the transcript of the agent.
    pub(crate) line: Value,
}

/// How a call ends.
#[derive(Debug, Clone)]
pub(crate) enum End {
    /// It succeeds: what the model is shown, and the result's fields.
    Succeeds(String, Value),
    /// It fails, with this text.
    Fails(String),
    /// It does not run: the kind of the refusal, and its text.
    NotRun(&'static str, String),
}

impl End {
    /// A command that succeeds and has printed this.
    pub(crate) fn prints(text: &str) -> Self {
        let shown = if text.is_empty() { "(Bash completed with no output)" } else { text };
        End::Succeeds(
            shown.to_owned(),
            json!({"stdout": text, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}),
        )
    }

    /// One that is too long: the client keeps its beginning.
    pub(crate) fn prints_too_much(beginning: &str) -> Self {
        let End::Succeeds(_, mut details) = End::prints(beginning) else { unreachable!() };
        details["persistedOutputPath"] = json!("/home/dev/.claude/tool-results/b1.txt");
        details["persistedOutputSize"] = json!(beginning.len() + 30_000);
        let shown = format!(
            "<persisted-output>\nOutput too large. Full output saved to: /home/dev/.claude/tool-results/b1.txt\n\nPreview (first 2KB):\n{beginning}\n</persisted-output>"
        );
        End::Succeeds(shown, details)
    }

    /// A command that goes on in the background.
    pub(crate) fn launched(task: &str) -> Self {
        let End::Succeeds(_, mut details) = End::prints("") else { unreachable!() };
        details["backgroundTaskId"] = json!(task);
        End::Succeeds(
            format!("Command running in background with ID: {task}. Output is being written to: /home/dev/tasks/{task}.output"),
            details,
        )
    }

    /// The same end; the client saw that the call committed.
    pub(crate) fn commits(mut self) -> Self {
        if let End::Succeeds(_, details) = &mut self {
            details["gitOperation"] = json!({"commit": {"sha": "1a2b3c4", "kind": "committed"}});
        }
        self
    }

    /// A command that fails with a status and has printed this.
    pub(crate) fn exits(status: i64, text: &str) -> Self {
        End::Fails(format!("Exit code {status}\n{text}").trim_end().to_owned())
    }

    pub(crate) fn rejected() -> Self {
        End::NotRun("user-rejected", "The user doesn't want to proceed with this tool use. The tool use was rejected.".to_owned())
    }

    pub(crate) fn denied(reason: &str) -> Self {
        End::NotRun("permission-rule", reason.to_owned())
    }

    pub(crate) fn cancelled() -> Self {
        End::NotRun("cancelled", "<tool_use_error>Cancelled: parallel tool call Bash(ls) errored</tool_use_error>".to_owned())
    }
}

impl Session {
    /// A session; those of one test share a clock.
    pub(crate) fn new(id: &str, clock: &Rc<Cell<u32>>) -> Self {
        Session { id: id.to_owned(), clock: Rc::clone(clock), prompts: 0, settled: false }
    }

    pub(crate) fn starts(&self, cwd: &str) -> Value {
        json!({"hook_event_name": "SessionStart", "session_id": self.id, "cwd": cwd, "source": "startup"})
    }

    /// A person's words.
    pub(crate) fn prompt(&mut self, at: At<'_>, text: &str) -> Told {
        self.prompts += 1;
        self.settled = false;
        let payload = self.payload(at, "UserPromptSubmit", json!({"prompt": text}));
        let mut line = json!({"type": "user", "promptSource": "typed", "message": {"role": "user", "content": text}});
        line["origin"] = json!({"kind": "human"});
        Told { payload: Some(payload), line: self.line(at, line) }
    }

    /// What a subagent is asked to do: the first line of its transcript, or a later one when it is asked for more.
    pub(crate) fn asked(&mut self, at: At<'_>, text: &str) -> Value {
        self.line(at, json!({"type": "user", "message": {"role": "user", "content": text}}))
    }

    /// A call that is about to run.
    pub(crate) fn call(&mut self, at: At<'_>, id: &str, tool: &str, input: &Value) -> Told {
        self.settled &= !at.agent.is_empty();
        let payload = self.payload(at, "PreToolUse", json!({"tool_name": tool, "tool_use_id": id, "tool_input": input}));
        let line = self.says(at, &json!({"type": "tool_use", "id": id, "name": tool, "input": input}), "tool_use");
        Told { payload: Some(payload), line }
    }

    /// What the agent says before its next call.
    pub(crate) fn words(&mut self, at: At<'_>, text: &str) -> Value {
        self.says(at, &json!({"type": "text", "text": text}), "tool_use")
    }

    /// The end of that call.
    pub(crate) fn ended(&mut self, at: At<'_>, id: &str, tool: &str, input: &Value, end: &End) -> Told {
        let mut call = json!({"tool_name": tool, "tool_use_id": id, "tool_input": input, "duration_ms": 12});
        let mut block = json!({"type": "tool_result", "tool_use_id": id, "is_error": !matches!(end, End::Succeeds(..))});
        let mut line = json!({"type": "user"});
        let payload = match end {
            End::Succeeds(shown, details) => {
                (block["content"], line["toolUseResult"]) = (json!(shown), details.clone());
                call["tool_response"] = details.clone();
                Some(self.payload(at, "PostToolUse", call))
            }
            End::Fails(error) => {
                (block["content"], line["toolUseResult"]) = (json!(error), json!(format!("Error: {error}")));
                (call["error"], call["is_interrupt"]) = (json!(error), json!(false));
                Some(self.payload(at, "PostToolUseFailure", call))
            }
            End::NotRun(kind, text) => {
                (block["content"], line["toolUseResult"]) = (json!(text), json!(format!("Error: {text}")));
                line["toolDenialKind"] = json!(kind);
                None
            }
        };
        line["message"] = json!({"role": "user", "content": [block]});
        Told { payload, line: self.line(at, line) }
    }

    /// Background work came to an end: within the turn, or as what begins one.
    pub(crate) fn task_ended(&mut self, at: At<'_>, task: &str, status: &str, summary: &str) -> Told {
        let text = format!(
            "<task-notification>\n<task-id>{task}</task-id>\n<output-file>/home/dev/tasks/{task}.output</output-file>\n\
             <status>{status}</status>\n<summary>{summary}</summary>\n</task-notification>"
        );
        let payload = self.payload(at, "UserPromptSubmit", json!({"prompt": text}));
        let origin = json!({"kind": "task-notification", "producer": "session-task"});
        let line = if self.settled {
            json!({"type": "user", "promptSource": "system", "origin": origin, "message": {"role": "user", "content": text}})
        } else {
            let attachment = json!({"type": "queued_command", "prompt": text, "commandMode": "task-notification", "origin": origin});
            json!({"type": "attachment", "attachment": attachment})
        };
        self.settled = false;
        Told { payload: Some(payload), line: self.line(at, line) }
    }

    /// The main agent's last words. `active` when a hook made it go on, `waiting` while a task runs in the background.
    pub(crate) fn turn_end(&mut self, at: At<'_>, message: &str, active: bool, waiting: bool) -> Told {
        self.settled = true;
        let tasks = if waiting { json!([{"id": "b9", "type": "shell", "status": "running", "description": "wait"}]) } else { json!([]) };
        let fields = json!({"stop_hook_active": active, "last_assistant_message": message, "background_tasks": tasks, "session_crons": []});
        let payload = self.payload(at, "Stop", fields);
        Told { payload: Some(payload), line: self.says(at, &json!({"type": "text", "text": message}), "end_turn") }
    }

    /// A hook held the end of the turn.
    pub(crate) fn held(&mut self, at: At<'_>, reason: &str) -> Value {
        self.settled = false;
        let content = format!("Stop hook feedback:\n{reason}");
        self.line(at, json!({"type": "user", "isMeta": true, "rowSource": "hook", "message": {"role": "user", "content": content}}))
    }

    /// A subagent's last words.
    pub(crate) fn agent_end(&mut self, at: At<'_>, message: &str) -> Told {
        let fields = json!({"stop_hook_active": false, "last_assistant_message": message, "background_tasks": [], "session_crons": []});
        let payload = self.payload(at, "SubagentStop", fields);
        Told { payload: Some(payload), line: self.says(at, &json!({"type": "text", "text": message}), "end_turn") }
    }

    fn payload(&self, at: At<'_>, event: &str, mut payload: Value) -> Value {
        payload["hook_event_name"] = json!(event);
        payload["session_id"] = json!(self.id);
        payload["cwd"] = json!(at.cwd);
        payload["prompt_id"] = json!(format!("prompt-{}", self.prompts));
        payload["permission_mode"] = json!("acceptEdits");
        if !at.agent.is_empty() {
            (payload["agent_id"], payload["agent_type"]) = (json!(at.agent), json!("general-purpose"));
        }
        payload
    }

    fn says(&mut self, at: At<'_>, block: &Value, stop_reason: &str) -> Value {
        let id = format!("msg_{:08}", self.clock.get());
        let message = json!({"id": id, "type": "message", "role": "assistant", "content": [block], "stop_reason": stop_reason});
        self.line(at, json!({"type": "assistant", "message": message}))
    }

    fn line(&mut self, at: At<'_>, mut line: Value) -> Value {
        self.clock.set(self.clock.get() + 1);
        let time = chrono::DateTime::from_timestamp(START + i64::from(self.clock.get()), 0).expect("a time");
        line["timestamp"] = json!(time.to_rfc3339_opts(chrono::SecondsFormat::Millis, true));
        line["uuid"] = json!(format!("{}-{}", self.id, self.clock.get()));
        (line["sessionId"], line["cwd"], line["gitBranch"]) = (json!(self.id), json!(at.cwd), json!(at.branch));
        line["isSidechain"] = json!(!at.agent.is_empty());
        if !at.agent.is_empty() {
            line["agentId"] = json!(at.agent);
        }
        line
    }
}
