//! A hook payload, read to an event.

use std::borrow::Cow;

use crate::agent::claude::call::{Input, call};
use crate::agent::claude::notice;
use crate::agent::claude::outcome::{self, Details, Told};
use crate::agent::json::{self, Raw, Reader};
use crate::session::event::{Event, EventKind, NotRun, Noted, Outcome, Source};

/// What one run of the hook was told.
#[derive(Debug, Clone)]
pub struct Payload<'a> {
    /// What happened.
    pub event: Event<'a>,
    /// The client's name of the event: a reply has to repeat it.
    pub name: Cow<'a, str>,
    /// The transcript of the main agent, also inside a subagent. The file may not exist yet.
    pub transcript_path: Option<Cow<'a, str>>,
    /// The prompt being worked on; absent at the start of a session.
    pub prompt_id: Option<Cow<'a, str>>,
    /// A folder of the session's own for throw-away files.
    pub scratchpad_dir: Option<Cow<'a, str>>,
    /// `default`, `acceptEdits`, `plan`, …; absent on events without a turn.
    pub permission_mode: Option<Cow<'a, str>>,
}

/// Reads a payload; `None` for what is no payload, and for an event turnstop does not follow.
///
/// A byte order mark, trailing bytes, invalid UTF-8 and values of a wrong type are taken as they come: a
/// field that cannot be read is empty, and its neighbours are read all the same.
pub fn parse(input: &[u8]) -> Option<Payload<'_>> {
    read(json::without_mark(input))
}

/// The name of the event that a payload is about, whether turnstop follows it or not; `None` for what is no payload.
pub fn event_name(input: &[u8]) -> Option<String> {
    let mut name = None;
    json::fields(json::without_mark(input), &mut |key, value| {
        if key == "hook_event_name" {
            name = json::string(value).map(Cow::into_owned);
        }
    });
    name
}

/// The fields of a payload, still raw.
#[derive(Default)]
struct Fields<'a> {
    session_id: Option<Raw<'a>>,
    transcript_path: Option<Raw<'a>>,
    cwd: Option<Raw<'a>>,
    prompt_id: Option<Raw<'a>>,
    permission_mode: Option<Raw<'a>>,
    scratchpad_dir: Option<Raw<'a>>,
    agent_id: Option<Raw<'a>>,
    agent_type: Option<Raw<'a>>,
    event_name: Option<Raw<'a>>,
    source: Option<Raw<'a>>,
    prompt: Option<Raw<'a>>,
    tool_name: Option<Raw<'a>>,
    tool_input: Input<'a>,
    tool_use_id: Option<Raw<'a>>,
    tool_response: Details<'a>,
    error: Option<Raw<'a>>,
    is_interrupt: Option<Raw<'a>>,
    stop_hook_active: Option<Raw<'a>>,
    last_message: Option<Raw<'a>>,
    background_tasks: Option<Raw<'a>>,
}

impl<'a> Fields<'a> {
    fn set(&mut self, key: &[u8], value: Raw<'a>) {
        let field = match key {
            b"session_id" => &mut self.session_id,
            b"transcript_path" => &mut self.transcript_path,
            b"cwd" => &mut self.cwd,
            b"prompt_id" => &mut self.prompt_id,
            b"permission_mode" => &mut self.permission_mode,
            b"scratchpad_dir" => &mut self.scratchpad_dir,
            b"agent_id" => &mut self.agent_id,
            b"agent_type" => &mut self.agent_type,
            b"hook_event_name" => &mut self.event_name,
            b"source" => &mut self.source,
            b"prompt" => &mut self.prompt,
            b"tool_name" => &mut self.tool_name,
            b"tool_use_id" => &mut self.tool_use_id,
            b"error" => &mut self.error,
            b"is_interrupt" => &mut self.is_interrupt,
            b"stop_hook_active" => &mut self.stop_hook_active,
            b"last_assistant_message" => &mut self.last_message,
            b"background_tasks" => &mut self.background_tasks,
            _ => return,
        };
        *field = Some(value);
    }
}

fn read(text: &[u8]) -> Option<Payload<'_>> {
    let mut fields = Fields::default();
    // What was read before a fault is as good as all of it.
    let _ = Reader::of(text).object(&mut |reader, key| {
        match key {
            b"tool_input" => fields.tool_input = Input::read(reader)?,
            b"tool_response" => fields.tool_response = Details::read(reader)?,
            _ => fields.set(key, reader.value()?),
        }
        Some(())
    });
    let name = fields.event_name.and_then(json::string)?;
    let event = Event {
        session: text_or_empty(fields.session_id),
        agent: text_or_empty(fields.agent_id),
        cwd: text_or_empty(fields.cwd),
        branch: None,
        time: None,
        line: 0,
        kind: kind(&name, &fields)?,
        noted: Noted::default(),
    };
    Some(Payload {
        event,
        name,
        transcript_path: filled(fields.transcript_path),
        prompt_id: filled(fields.prompt_id),
        scratchpad_dir: filled(fields.scratchpad_dir),
        permission_mode: filled(fields.permission_mode),
    })
}

fn kind<'a>(name: &str, fields: &Fields<'a>) -> Option<EventKind<'a>> {
    let started = || call(text_or_empty(fields.tool_use_id), text_or_empty(fields.tool_name), fields.tool_input);
    let is_true = |raw: Option<Raw<'_>>| raw.is_some_and(json::is_true);
    Some(match name {
        "SessionStart" => EventKind::SessionStart(source(&text_or_empty(fields.source))),
        "UserPromptSubmit" => {
            let text = text_or_empty(fields.prompt);
            if notice::is_task_notification(&text) {
                EventKind::TasksEnded(notice::tasks(&text))
            } else {
                EventKind::Prompt { text, by_person: true }
            }
        }
        "PreToolUse" => EventKind::CallStarted(started()),
        "PostToolUse" => {
            let call = started();
            let outcome = outcome::outcome(&call, &Told { details: fields.tool_response, ..Told::default() });
            EventKind::CallEnded { call, outcome }
        }
        "PostToolUseFailure" => {
            let outcome = if is_true(fields.is_interrupt) {
                Outcome::NotRun(NotRun::Interrupted)
            } else {
                outcome::failure(text_or_empty(fields.error))
            };
            EventKind::CallEnded { call: started(), outcome }
        }
        "Stop" => EventKind::TurnEnd {
            message: text_or_empty(fields.last_message),
            continued: is_true(fields.stop_hook_active),
            background: fields.background_tasks.is_some_and(any_running),
        },
        // The agent that writes a compaction's summary has an empty type, and its last words are the summary.
        "SubagentStop" if fields.agent_type.is_some_and(|raw| raw.bytes() == b"\"\"") => return None,
        "SubagentStop" => EventKind::AgentEnd { message: text_or_empty(fields.last_message) },
        "PreCompact" => EventKind::BeforeCompact,
        _ => return None,
    })
}

fn source(word: &str) -> Source {
    match word {
        "startup" => Source::Startup,
        "resume" => Source::Resume,
        "clear" => Source::Clear,
        "compact" => Source::Compact,
        "fork" => Source::Fork,
        _ => Source::Unknown,
    }
}

/// Any task that has not come to an end. A status that is missing or new counts as running: a rule then
/// keeps still rather than judge half a result.
fn any_running(tasks: Raw<'_>) -> bool {
    let mut running = false;
    json::elements(tasks.bytes(), &mut |task| {
        let mut status = None;
        json::fields(task.bytes(), &mut |key, value| {
            if key == "status" {
                status = json::string(value);
            }
        });
        let ended = matches!(status.as_deref(), Some("completed" | "failed" | "killed" | "stopped" | "cancelled"));
        running |= json::is_object(task) && !ended;
    });
    running
}

fn text_or_empty(raw: Option<Raw<'_>>) -> Cow<'_, str> {
    raw.and_then(json::string).unwrap_or_default()
}

fn filled(raw: Option<Raw<'_>>) -> Option<Cow<'_, str>> {
    raw.and_then(json::string).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::claude::events::EVENTS;
    use crate::session::event::Action;

    fn kind_of(payload: &str) -> Option<EventKind<'_>> {
        parse(payload.as_bytes()).map(|payload| payload.event.kind)
    }

    #[test]
    fn every_registered_event_is_understood() {
        for event in EVENTS {
            assert!(kind_of(&format!(r#"{{"hook_event_name":"{}"}}"#, event.name)).is_some(), "{}", event.name);
        }
    }

    #[test]
    fn what_is_no_payload_is_none() {
        for input in ["", "null", "7", "\"x\"", "[]", "{}", "{", "{\"hook_event_name\":7}", "{\"hook_event_name\":\"Brunch\"}", "\u{feff}"]
        {
            assert!(parse(input.as_bytes()).is_none(), "{input}");
        }
        assert!(parse(b"\xff\xfe\x00").is_none());
    }

    #[test]
    fn wrong_types_cost_their_own_field_only() {
        let payload = r#"{"session_id":null,"cwd":"/w","hook_event_name":"PreToolUse","tool_name":7,"tool_input":"x","tool_use_id":["a"],"agent_id":{},"transcript_path":5}"#;
        let payload = parse(payload.as_bytes()).expect("payload");
        assert_eq!((&*payload.event.session, &*payload.event.cwd, &*payload.event.agent), ("", "/w", ""));
        assert_eq!(payload.transcript_path, None);
        let EventKind::CallStarted(call) = payload.event.kind else { panic!("a call") };
        assert_eq!((&*call.id, &*call.tool, &call.action), ("", "", &Action::Other));
    }

    #[test]
    fn inputs_that_are_no_object_are_other() {
        for input in
            ["\"{\\\"command\\\":\\\"ls\\\"}\"", "[\"ls\"]", "null", "{\"command\":7}", "{\"__unparsedToolInput\":\"{\\\"comm\"}", "{}"]
        {
            let payload = format!(r#"{{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{input}}}"#);
            let Some(EventKind::CallStarted(call)) = kind_of(&payload) else { panic!("{input}") };
            assert_eq!(call.action, Action::Other, "{input}");
            assert_eq!(call.tool, "Bash");
        }
    }

    #[test]
    fn bytes_around_and_within_are_tolerated() {
        let payload = parse(b"\xEF\xBB\xBF {\"hook_event_name\":\"Stop\",\"last_assistant_message\":\"a\xffb\"}\n{\"x\"").expect("payload");
        let EventKind::TurnEnd { message, continued, background } = payload.event.kind else { panic!("a turn's end") };
        assert_eq!((&*message, continued, background), ("a\u{fffd}b", false, false));
    }

    #[test]
    fn a_cut_payload_keeps_what_arrived() {
        let payload =
            parse(br#"{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"file_pa"#).expect("payload");
        assert_eq!(payload.event.session, "s");
        assert!(matches!(payload.event.kind, EventKind::CallStarted(call) if call.tool == "Read" && call.action == Action::Other));
    }

    #[test]
    fn text_is_borrowed_where_it_can_be() {
        let input = br#"{"hook_event_name":"PreToolUse","cwd":"/w","tool_name":"Bash","tool_input":{"command":"ls -l"}}"#;
        let payload = parse(input).expect("payload");
        assert!(matches!(payload.event.cwd, Cow::Borrowed(_)));
        let EventKind::CallStarted(call) = payload.event.kind else { panic!("a call") };
        assert!(matches!(call.action, Action::Shell { command: Cow::Borrowed("ls -l"), .. }));
    }

    #[test]
    fn only_tasks_that_run_are_background() {
        let of = |tasks: &str| match kind_of(&format!(r#"{{"hook_event_name":"Stop","background_tasks":{tasks}}}"#)) {
            Some(EventKind::TurnEnd { background, .. }) => background,
            other => panic!("{other:?}"),
        };
        assert!(of(r#"[{"status":"running"}]"#));
        assert!(of(r#"[{"status":"completed"},{"status":7}]"#));
        for none in ["[]", r#"[{"status":"completed"}]"#, "[null]", "{}", "null", "7"] {
            assert!(!of(none), "{none}");
        }
    }

    #[test]
    fn an_interrupt_is_no_failure() {
        let payload = r#"{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"x"},"error":"Exit code 137","is_interrupt":true}"#;
        let Some(EventKind::CallEnded { outcome, .. }) = kind_of(payload) else { panic!("an end") };
        assert_eq!(outcome, Outcome::NotRun(NotRun::Interrupted));
    }
}
