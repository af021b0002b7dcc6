//! What may be said to the client, and the only place that knows the fields it is said in.
//!
//! Measured on 2.1.332, and kept to here: exit 2 shows the hook's command line, `ask` ends a call nobody
//! can answer for, `continue: false` ends the session, `additionalContext` at a turn's end makes the agent
//! go on, and anything at all printed before a compaction becomes an instruction for the summary. So a reply
//! is one JSON object, or nothing; and a reply an event cannot carry is turned into a note to the person,
//! or dropped where not even that reaches anybody.

use serde::Serialize;

/// Longest text of one field, in bytes. The client does not cut a reason, and puts a longer context than
/// 10 KB into a file; a finding needs neither.
pub const MAX_TEXT: usize = 1023;

/// One answer of the hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply<'a> {
    /// Before a call: it must not run. The first line of the reason is all a person sees at first.
    Deny {
        /// Why, for model and person.
        reason: &'a str,
    },
    /// Around a call, or at the start of a session: something to know. Either text may be empty.
    Note {
        /// For the model.
        to_model: &'a str,
        /// For the person.
        to_user: &'a str,
    },
    /// Something for the person alone.
    Message {
        /// What.
        text: &'a str,
    },
    /// At the end of a turn: the agent has to go on. Once per prompt at most; that is the caller's to see to.
    Block {
        /// Why, for the model; the person sees it too.
        reason: &'a str,
        /// Something for the person alone; may be empty.
        message: &'a str,
    },
    /// At the start of a session: something for the model.
    Context {
        /// What.
        text: &'a str,
    },
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'a str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    system_message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Specific<'a>>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'a str>,
    #[serde(skip_serializing_if = "String::is_empty")]
    permission_decision_reason: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    additional_context: String,
}

/// What an event's answer can do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    BeforeCall,
    /// Takes a context for the model and a message for the person.
    Informing,
    TurnEnd,
    /// Nobody would read it, or it would do harm.
    Mute,
}

fn stage(event: &str) -> Stage {
    match event {
        "PreToolUse" => Stage::BeforeCall,
        "PostToolUse" | "PostToolUseFailure" | "UserPromptSubmit" | "SessionStart" => Stage::Informing,
        "Stop" => Stage::TurnEnd,
        _ => Stage::Mute,
    }
}

impl Reply<'_> {
    /// The answer to `event` as one JSON object without a newline; empty where there is nothing to print.
    pub fn json(&self, event: &str) -> String {
        let stage = stage(event);
        let specific = |decision, reason: &str, context: &str| Specific {
            hook_event_name: event,
            permission_decision: decision,
            permission_decision_reason: cut(reason),
            additional_context: cut(context),
        };
        let mut answer = Answer::default();
        match (*self, stage) {
            (_, Stage::Mute) => return String::new(),
            (Reply::Deny { reason }, Stage::BeforeCall) => {
                answer.hook_specific_output = Some(specific(Some("deny"), reason, ""));
            }
            (Reply::Block { reason, message }, Stage::TurnEnd) => {
                answer.decision = Some("block");
                answer.reason = cut(reason);
                answer.system_message = cut(message);
            }
            (Reply::Note { to_model, to_user }, Stage::BeforeCall | Stage::Informing) => {
                answer.system_message = cut(to_user);
                answer.hook_specific_output = (!to_model.is_empty()).then(|| specific(None, "", to_model));
            }
            (Reply::Context { text }, Stage::Informing) if !text.is_empty() => {
                answer.hook_specific_output = Some(specific(None, "", text));
            }
            (reply, _) => answer.system_message = cut(reply.for_person()),
        }
        if answer.decision.is_none() && answer.system_message.is_empty() && answer.hook_specific_output.is_none() {
            return String::new();
        }
        // Strings and options only: there is nothing in it that could fail.
        serde_json::to_string(&answer).unwrap_or_default()
    }

    /// The same answer for a host that reads exit codes only: the code, and what goes to standard error.
    pub fn exit_code(&self, event: &str) -> (u8, String) {
        match (*self, stage(event)) {
            (Reply::Deny { reason }, Stage::BeforeCall) | (Reply::Block { reason, .. }, Stage::TurnEnd) => (2, cut(reason)),
            _ => (0, String::new()),
        }
    }

    /// The text a person gets where the reply as it stands has no place.
    fn for_person(&self) -> &str {
        match self {
            Reply::Deny { reason: text } | Reply::Message { text } | Reply::Context { text } => text,
            Reply::Note { to_model, to_user } => {
                if to_user.is_empty() {
                    to_model
                } else {
                    to_user
                }
            }
            Reply::Block { reason, message } => {
                if message.is_empty() {
                    reason
                } else {
                    message
                }
            }
        }
    }
}

/// The text, cut to [`MAX_TEXT`] on a character boundary.
fn cut(text: &str) -> String {
    const ELLIPSIS: &str = "…";
    if text.len() <= MAX_TEXT {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(MAX_TEXT - ELLIPSIS.len());
    format!("{}{ELLIPSIS}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::claude::events::EVENTS;

    const DENY: Reply<'_> = Reply::Deny { reason: "no\nbecause" };
    const NOTE: Reply<'_> = Reply::Note { to_model: "m", to_user: "u" };
    const MESSAGE: Reply<'_> = Reply::Message { text: "t" };
    const BLOCK: Reply<'_> = Reply::Block { reason: "go on", message: "" };
    const CONTEXT: Reply<'_> = Reply::Context { text: "c" };

    #[test]
    fn each_reply_in_its_place() {
        let cases = [
            (
                DENY,
                "PreToolUse",
                r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no\nbecause"}}"#,
            ),
            (NOTE, "PreToolUse", r#"{"systemMessage":"u","hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"m"}}"#),
            (NOTE, "PostToolUse", r#"{"systemMessage":"u","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"m"}}"#),
            (Reply::Note { to_model: "", to_user: "u" }, "PreToolUse", r#"{"systemMessage":"u"}"#),
            (
                Reply::Note { to_model: "m", to_user: "" },
                "PostToolUseFailure",
                r#"{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"m"}}"#,
            ),
            (MESSAGE, "Stop", r#"{"systemMessage":"t"}"#),
            (BLOCK, "Stop", r#"{"decision":"block","reason":"go on"}"#),
            (Reply::Block { reason: "r", message: "m" }, "Stop", r#"{"decision":"block","reason":"r","systemMessage":"m"}"#),
            (CONTEXT, "SessionStart", r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"c"}}"#),
            (MESSAGE, "SessionStart", r#"{"systemMessage":"t"}"#),
        ];
        for (reply, event, expected) in cases {
            assert_eq!(reply.json(event), expected);
        }
    }

    #[test]
    fn a_reply_out_of_place_becomes_a_message_or_nothing() {
        for event in EVENTS.iter().map(|event| event.name).chain(["SessionEnd", ""]) {
            for reply in [DENY, NOTE, MESSAGE, BLOCK, CONTEXT] {
                let json = reply.json(event);
                let mute = matches!(event, "SubagentStop" | "PreCompact" | "SessionEnd" | "");
                assert_eq!(json.is_empty(), mute, "{reply:?} {event}");
                assert_eq!(json.contains("deny"), reply == DENY && event == "PreToolUse");
                assert_eq!(json.contains("\"decision\""), reply == BLOCK && event == "Stop");
                assert!(event != "Stop" || !json.contains("additionalContext"));
                assert!(!json.contains('\n'));
            }
        }
        assert_eq!(Reply::Message { text: "" }.json("Stop"), "");
    }

    #[test]
    fn only_a_denial_and_a_block_have_an_exit_code() {
        assert_eq!(DENY.exit_code("PreToolUse"), (2, "no\nbecause".to_owned()));
        assert_eq!(BLOCK.exit_code("Stop"), (2, "go on".to_owned()));
        for (reply, event) in [(NOTE, "PreToolUse"), (MESSAGE, "Stop"), (DENY, "UserPromptSubmit"), (BLOCK, "SubagentStop")] {
            assert_eq!(reply.exit_code(event), (0, String::new()));
        }
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        for text in ["x".repeat(5000), "é".repeat(5000), "項".repeat(5000), "😀".repeat(5000)] {
            let (_, shown) = Reply::Deny { reason: &text }.exit_code("PreToolUse");
            assert!(shown.len() < 1024 && shown.len() > 1015 && shown.ends_with('…'), "{}", shown.len());
        }
        assert_eq!(cut(&"x".repeat(MAX_TEXT)).len(), MAX_TEXT);
    }
}
