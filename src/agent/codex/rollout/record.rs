//! One line of a rollout, its fields still raw.

use crate::agent::json::{self, Raw};
use crate::agent::transcript::Fault;

/// A line: an item, in an envelope or bare.
#[derive(Default)]
pub(super) struct Record<'a> {
    pub(super) kind: Option<Raw<'a>>,
    pub(super) time: Option<Raw<'a>>,
    /// The item has an envelope.
    pub(super) is_enveloped: bool,
    /// `record_type`, which bookkeeping of the bare generation has in place of a type.
    pub(super) is_state: bool,
    pub(super) item: Item<'a>,
}

impl<'a> Record<'a> {
    pub(super) fn read(line: &'a str) -> Result<Self, Fault> {
        let mut record = Record::default();
        let is_object = json::only_fields(line, "payload", &mut |object, key, value| match (object, key) {
            ("", "type") => record.kind = Some(value),
            ("", "timestamp") => record.time = Some(value),
            ("", "record_type") => record.is_state = true,
            ("", _) => record.item.set(key, value),
            (_, _) => {
                record.is_enveloped = true;
                record.item.set(key, value);
            }
        });
        if is_object { Ok(record) } else { Err(Fault::of(line.as_bytes())) }
    }

    /// May a rollout begin with it? Either generation's first line is about the session.
    pub(super) fn begins_rollout(&self) -> bool {
        match self.kind.and_then(json::string) {
            Some(kind) => self.is_enveloped && kind == "session_meta",
            None => self.time.is_some() && self.item.id.is_some(),
        }
    }
}

/// The fields of an item that matter, whatever it is.
#[derive(Default)]
pub(super) struct Item<'a> {
    pub(super) kind: Option<Raw<'a>>,
    pub(super) id: Option<Raw<'a>>,
    pub(super) call_id: Option<Raw<'a>>,
    pub(super) turn_id: Option<Raw<'a>>,
    pub(super) role: Option<Raw<'a>>,
    /// `content`, `message` or `text`.
    pub(super) content: Option<Raw<'a>>,
    pub(super) last_message: Option<Raw<'a>>,
    pub(super) name: Option<Raw<'a>>,
    pub(super) namespace: Option<Raw<'a>>,
    pub(super) arguments: Option<Raw<'a>>,
    pub(super) input: Option<Raw<'a>>,
    pub(super) action: Option<Raw<'a>>,
    /// `output`, or the `result` of a tool of a server.
    pub(super) output: Option<Raw<'a>>,
    pub(super) command: Option<Raw<'a>>,
    pub(super) aggregated_output: Option<Raw<'a>>,
    pub(super) exit_code: Option<Raw<'a>>,
    pub(super) status: Option<Raw<'a>>,
    pub(super) success: Option<Raw<'a>>,
    pub(super) changes: Option<Raw<'a>>,
    /// An item within an event.
    pub(super) inner: Option<Raw<'a>>,
    pub(super) cwd: Option<Raw<'a>>,
    pub(super) git: Option<Raw<'a>>,
    pub(super) source: Option<Raw<'a>>,
    pub(super) thread_source: Option<Raw<'a>>,
    pub(super) parent: Option<Raw<'a>>,
}

impl<'a> Item<'a> {
    /// An item that stands within another.
    pub(super) fn read(raw: Raw<'a>) -> Self {
        let mut item = Item::default();
        json::fields(raw.bytes(), &mut |key, value| item.set(key, value));
        item
    }

    fn set(&mut self, key: &str, value: Raw<'a>) {
        let field = match key {
            "type" => &mut self.kind,
            "id" => &mut self.id,
            "call_id" => &mut self.call_id,
            "turn_id" => &mut self.turn_id,
            "role" => &mut self.role,
            "content" | "message" | "text" => &mut self.content,
            "last_agent_message" => &mut self.last_message,
            "name" => &mut self.name,
            "namespace" => &mut self.namespace,
            "arguments" => &mut self.arguments,
            "input" => &mut self.input,
            "action" => &mut self.action,
            "output" | "result" => &mut self.output,
            "command" => &mut self.command,
            "aggregated_output" | "aggregatedOutput" => &mut self.aggregated_output,
            "exit_code" | "exitCode" => &mut self.exit_code,
            "status" => &mut self.status,
            "success" => &mut self.success,
            "changes" => &mut self.changes,
            "item" => &mut self.inner,
            "cwd" | "working_directory" => &mut self.cwd,
            "git" => &mut self.git,
            "source" => &mut self.source,
            "thread_source" => &mut self.thread_source,
            "parent_thread_id" => &mut self.parent,
            _ => return,
        };
        *field = Some(value);
    }
}
