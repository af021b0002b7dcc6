//! One line of a transcript, its fields still raw, and what its words are.

use std::borrow::Cow;

use crate::agent::claude::call::Input;
use crate::agent::claude::notice::is_task_notification;
use crate::agent::claude::outcome::Details;
use crate::agent::json::{self, Raw, Reader};
use crate::agent::transcript::Fault;
use crate::agent::transcript::place::Place;

/// The agent of a side chain whose lines do not name it: clients before 2.1.209 wrote subagents into the
/// main file.
const UNNAMED_AGENT: &str = "sidechain";

/// The fields of a line that matter.
#[derive(Default)]
pub(super) struct Record<'a> {
    pub(super) kind: Option<Raw<'a>>,
    pub(super) subtype: Option<Raw<'a>>,
    pub(super) uuid: Option<Raw<'a>>,
    pub(super) message_id: Option<Raw<'a>>,
    /// The blocks of the message; `None` when it has neither a list of them nor a text.
    pub(super) content: Option<Vec<Block<'a>>>,
    pub(super) attachment: Option<Raw<'a>>,
    pub(super) tool_use_result: Details<'a>,
    pub(super) denial: Option<Raw<'a>>,
    pub(super) is_meta: bool,
    pub(super) is_summary: bool,
    /// The client put the words there itself: an error of the service, or a placeholder.
    pub(super) is_synthetic: bool,
    prompt_source: Option<Raw<'a>>,
    origin: Option<Raw<'a>>,
    session: Option<Raw<'a>>,
    agent: Option<Raw<'a>>,
    is_sidechain: bool,
    cwd: Option<Raw<'a>>,
    branch: Option<Raw<'a>>,
    time: Option<Raw<'a>>,
}

impl<'a> Record<'a> {
    pub(super) fn read(line: &'a [u8]) -> Result<Self, Fault> {
        let mut record = Record::default();
        let mut reader = Reader::of(line);
        let read = reader.object(&mut |reader, key| {
            match key {
                b"message" => reader.if_object(&mut |reader, key| record.message(reader, key))?,
                b"toolUseResult" => record.tool_use_result = Details::read(reader)?,
                _ => record.field(key, reader.value()?),
            }
            Some(())
        });
        if read.is_some() && reader.is_at_end() { Ok(record) } else { Err(Fault::of(line)) }
    }

    fn message(&mut self, reader: &mut Reader<'a>, key: &[u8]) -> Option<()> {
        match key {
            b"content" if reader.peek() == Some(b'[') => self.content = Some(blocks(reader)?),
            b"content" => self.content = text_block(reader.value()?),
            b"id" => self.message_id = Some(reader.value()?),
            b"model" => self.is_synthetic |= reader.value()?.bytes() == b"\"<synthetic>\"",
            _ => drop(reader.value()?),
        }
        Some(())
    }

    fn field(&mut self, key: &[u8], value: Raw<'a>) {
        match key {
            b"type" => self.kind = Some(value),
            b"subtype" => self.subtype = Some(value),
            b"uuid" => self.uuid = Some(value),
            b"attachment" => self.attachment = Some(value),
            b"toolDenialKind" => self.denial = Some(value),
            b"isMeta" => self.is_meta = json::is_true(value),
            b"isCompactSummary" | b"isVisibleInTranscriptOnly" => self.is_summary |= json::is_true(value),
            b"isApiErrorMessage" => self.is_synthetic |= json::is_true(value),
            b"promptSource" => self.prompt_source = Some(value),
            b"origin" => self.origin = Some(value),
            b"sessionId" => self.session = Some(value),
            b"agentId" => self.agent = Some(value),
            b"isSidechain" => self.is_sidechain = json::is_true(value),
            b"cwd" => self.cwd = Some(value),
            b"gitBranch" => self.branch = Some(value),
            b"timestamp" => self.time = Some(value),
            _ => {}
        }
    }

    pub(super) fn place(&self, line: u32) -> Place<'a> {
        let text = |raw: Option<Raw<'a>>| raw.and_then(json::string).filter(|text| !text.is_empty());
        let unnamed = if self.is_sidechain { UNNAMED_AGENT } else { "" };
        Place {
            session: text(self.session).unwrap_or_default(),
            agent: text(self.agent).unwrap_or(Cow::Borrowed(unnamed)),
            cwd: text(self.cwd).unwrap_or_default(),
            branch: text(self.branch),
            time: text(self.time),
            line,
        }
    }

    /// The client says that no person wrote this prompt.
    pub(super) fn is_automatic(&self) -> bool {
        self.prompt_source.and_then(json::string).as_deref() == Some("system") || is_foreign(self.origin)
    }
}

/// An `origin` that is given and is not a person.
fn is_foreign(origin: Option<Raw<'_>>) -> bool {
    let mut kind = None;
    if let Some(origin) = origin {
        json::fields(origin.bytes(), &mut |key, value| {
            if key == "kind" {
                kind = json::string(value);
            }
        });
    }
    kind.is_some_and(|kind| kind != "human")
}

/// One block of a message.
#[derive(Default)]
pub(super) struct Block<'a> {
    pub(super) kind: Cow<'a, str>,
    pub(super) id: Option<Raw<'a>>,
    pub(super) name: Option<Raw<'a>>,
    pub(super) input: Input<'a>,
    pub(super) text: Option<Raw<'a>>,
    pub(super) tool_use_id: Option<Raw<'a>>,
    pub(super) content: Option<Raw<'a>>,
    pub(super) is_error: bool,
}

impl<'a> Block<'a> {
    fn field(&mut self, key: &[u8], value: Raw<'a>) {
        match key {
            b"type" => self.kind = json::string(value).unwrap_or_default(),
            b"id" => self.id = Some(value),
            b"name" => self.name = Some(value),
            b"text" => self.text = Some(value),
            b"tool_use_id" => self.tool_use_id = Some(value),
            b"content" => self.content = Some(value),
            b"is_error" => self.is_error = json::is_true(value),
            _ => {}
        }
    }
}

/// The blocks of a message's content.
fn blocks<'a>(reader: &mut Reader<'a>) -> Option<Vec<Block<'a>>> {
    let mut blocks = Vec::new();
    reader.array(&mut |reader| {
        let mut block = Block::default();
        reader.if_object(&mut |reader, key| {
            match key {
                b"input" => block.input = Input::read(reader)?,
                _ => block.field(key, reader.value()?),
            }
            Some(())
        })?;
        blocks.push(block);
        Some(())
    })?;
    Some(blocks)
}

/// A content that is a string is one block of text.
fn text_block(content: Raw<'_>) -> Option<Vec<Block<'_>>> {
    json::string(content)?;
    Some(vec![Block { kind: Cow::Borrowed("text"), text: Some(content), ..Block::default() }])
}

/// What the words of a user line are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Words<'a> {
    /// A prompt.
    Prompt(Cow<'a, str>),
    /// A prompt no person wrote: the end of a background task.
    Notice(Cow<'a, str>),
    /// A slash command, as it was typed.
    Command(String),
    /// A shell command that a person typed.
    Typed(String),
    /// What the command typed before printed.
    Printed {
        /// To standard output.
        stdout: String,
        /// To standard error.
        stderr: String,
    },
    /// A person stopped the agent.
    Interrupt,
    /// A stop hook made the agent go on.
    StopFeedback,
    /// Bookkeeping of the client's.
    Nothing,
}

/// How bookkeeping begins that a client writes as if a person had said it.
const BOOKKEEPING: &[&str] = &[
    "<local-command-",
    "Caveat: The messages below were generated by the user while running local commands",
    "This session is being continued from a previous conversation that ran out of context",
];

pub(super) fn words(text: Cow<'_, str>) -> Words<'_> {
    let start = text.trim_start();
    if start.is_empty() || BOOKKEEPING.iter().any(|bookkeeping| start.starts_with(bookkeeping)) {
        Words::Nothing
    } else if is_task_notification(start) {
        Words::Notice(text)
    } else if start.starts_with("<command-name>") || start.starts_with("<command-message>") {
        Words::Command(command(start))
    } else if start.starts_with("<bash-input>") {
        Words::Typed(unescaped(within(start, "bash-input")))
    } else if start.starts_with("<bash-stdout>") || start.starts_with("<bash-stderr>") {
        Words::Printed { stdout: within(start, "bash-stdout").to_owned(), stderr: within(start, "bash-stderr").to_owned() }
    } else if start.starts_with("[Request interrupted by user") {
        Words::Interrupt
    } else if start.starts_with("Stop hook feedback:") {
        Words::StopFeedback
    } else {
        Words::Prompt(text)
    }
}

/// `/name arguments` from `<command-name>/name</command-name> … <command-args>arguments</command-args>`.
fn command(text: &str) -> String {
    format!("{} {}", within(text, "command-name"), within(text, "command-args")).trim().to_owned()
}

/// What stands within the first such tag, or behind it where nothing ends it.
fn within<'t>(text: &'t str, tag: &str) -> &'t str {
    let rest = text.split_once(&format!("<{tag}>")).map(|(_, rest)| rest);
    rest.map_or("", |rest| rest.split_once(&format!("</{tag}>")).map_or(rest, |(inner, _)| inner)).trim()
}

/// Some clients write what was typed as markup.
fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_words_are() {
        let cases = [
            ("fix it", Words::Prompt("fix it".into())),
            ("<b>fix</b> it", Words::Prompt("<b>fix</b> it".into())),
            ("see [Request interrupted by user]", Words::Prompt("see [Request interrupted by user]".into())),
            (" \n", Words::Nothing),
            ("<local-command-stdout>x</local-command-stdout>", Words::Nothing),
            ("[Request interrupted by user for tool use]", Words::Interrupt),
            ("Stop hook feedback:\nno", Words::StopFeedback),
            ("<task-notification>\nx", Words::Notice("<task-notification>\nx".into())),
            (
                "<command-name>/compact</command-name>\n <command-message>compact</command-message>\n <command-args>short</command-args>",
                Words::Command("/compact short".into()),
            ),
            ("<command-message>x is running</command-message>\n<command-name>/x</command-name>", Words::Command("/x".into())),
            ("<command-name>/cut", Words::Command("/cut".into())),
            ("<bash-input>make &amp;&amp; a < b</bash-input>", Words::Typed("make && a < b".into())),
            ("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>", Words::Printed { stdout: "a".into(), stderr: String::new() }),
            ("<bash-stderr>b", Words::Printed { stdout: String::new(), stderr: "b".into() }),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text.into()), expected);
        }
    }
}
