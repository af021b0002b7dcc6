//! How the result of a call reads: the one place for hook payloads and transcripts, so that what was said
//! live and what a scan says later rest on the same reading.
//!
//! Client sentences are recognised only where the client puts them: an error by how it begins, a trailer
//! as a last line, a launch notice in a field or at the very start. The same words in the middle of what a
//! program printed are that program's words.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use crate::agent::json::{self, Raw, Reader};
use crate::session::event::{Action, Call, NotRun, Outcome};

/// What a source tells about a call that ended.
#[derive(Debug, Default)]
pub(super) struct Told<'a> {
    /// The result as the model sees it: a string, or a list of blocks.
    pub(super) content: Option<Raw<'a>>,
    /// `tool_response` of a hook, `toolUseResult` of a transcript line.
    pub(super) details: Details<'a>,
    /// The result is marked as an error.
    pub(super) is_error: bool,
    /// `toolDenialKind` of a transcript line, where the line holds this one result only.
    pub(super) denial: Option<Cow<'a, str>>,
}

/// The values of `toolDenialKind` that are known, and what they mean. Any other value is a refusal too:
/// no call that carries the mark was seen to run.
const DENIALS: &[(&str, NotRun)] = &[
    ("permission-rule", NotRun::Denied),
    ("automode-blocked", NotRun::Denied),
    ("automode-unavailable", NotRun::Denied),
    ("user-rejected", NotRun::Rejected),
    ("interrupted", NotRun::Interrupted),
    ("cancelled", NotRun::Cancelled),
];

/// How an error text begins when the call never ran.
const REFUSALS: &[(&str, NotRun)] = &[
    ("The user doesn't want to proceed with this tool use", NotRun::Rejected),
    ("The user doesn't want to take this action right now", NotRun::Rejected),
    ("User rejected tool use", NotRun::Rejected),
    ("[Request interrupted by user", NotRun::Interrupted),
    ("Sibling tool call errored", NotRun::Cancelled),
    ("Cancelled: parallel tool call ", NotRun::Cancelled),
    ("Streaming fallback - tool execution discarded", NotRun::Cancelled),
    ("PreToolUse:", NotRun::Denied),
    ("Hook PreToolUse:", NotRun::Denied),
    ("Permission to use ", NotRun::Denied),
    ("Permission to read ", NotRun::Denied),
    ("Permission for this action was denied", NotRun::Denied),
    ("Claude requested permissions to ", NotRun::Denied),
    ("This command requires approval", NotRun::Denied),
    ("This Bash command contains multiple operations. The following part", NotRun::Denied),
    ("This PowerShell command contains multiple operations. The following part", NotRun::Denied),
    ("File is in a directory that is denied by your permission settings", NotRun::Denied),
];

/// Stands within the first line of an error when the client kept the shell inside its folders.
const KEPT_INSIDE: &str = " was blocked. For security, Claude Code may only ";

/// How the one line reads that a launched command leaves in place of its output, and what stands before
/// the task's id.
const LAUNCHES: &[(&str, &str)] = &[
    ("Command running in background with ID: ", ""),
    ("Command was manually backgrounded by user with ID: ", ""),
    ("Command did not complete within its ", "moved to the background (ID: "),
    ("Command was moved to the background (ID: ", ""),
];

/// True for a `toolDenialKind` this version knows.
pub(super) fn is_known_denial(kind: &str) -> bool {
    DENIALS.iter().any(|(known, _)| *known == kind)
}

/// The outcome of `call`.
pub(super) fn outcome<'a>(call: &Call<'_>, told: &Told<'a>) -> Outcome<'a> {
    if let Some(kind) = &told.denial {
        let known = DENIALS.iter().find(|(known, _)| known == kind);
        return Outcome::NotRun(known.map_or(NotRun::Denied, |(_, why)| *why));
    }
    if told.is_error {
        let content = told.content.and_then(text_of_content).filter(|text| !text.is_empty());
        let text = content.or_else(|| told.details.text()).unwrap_or_default();
        return failure(text);
    }
    success(call, told)
}

/// The outcome behind an error text.
pub(super) fn failure(text: Cow<'_, str>) -> Outcome<'_> {
    let bare = bare_error(&text);
    if let Some((_, why)) = REFUSALS.iter().find(|(start, _)| bare.starts_with(start)) {
        return Outcome::NotRun(*why);
    }
    if bare.lines().next().is_some_and(|line| line.contains(KEPT_INSIDE)) {
        return Outcome::NotRun(NotRun::Denied);
    }
    if text.starts_with("<tool_use_error>") {
        return Outcome::NotRun(NotRun::InvalidInput);
    }
    if text.trim() == "Warmup" {
        return Outcome::NotRun(NotRun::Warmup);
    }
    let (status, output) = split_status(&text);
    if is_interrupted(&text[output.clone()]) {
        return Outcome::NotRun(NotRun::Interrupted);
    }
    let rest = matches!(status, None | Some(124 | 137 | 143)).then(|| without_timeout(&text, output.clone())).flatten();
    let timed_out = rest.is_some();
    let output = rest.unwrap_or(output);
    Outcome::Failed { status, timed_out, output: narrow(text, |text| within(text, output, printed)) }
}

fn success<'a>(call: &Call<'_>, told: &Told<'a>) -> Outcome<'a> {
    if matches!(call.action, Action::Write { .. } | Action::Edit { .. } | Action::Read { .. }) {
        // What came back is the file, or a sentence of the client's: nothing was printed.
        return Outcome::Succeeded { output: Cow::Borrowed(""), interpretation: None, truncated: false, committed: false };
    }
    let details = &told.details;
    if details.interrupted {
        return Outcome::NotRun(NotRun::Interrupted);
    }
    if let Some(task) = details.task() {
        return Outcome::Launched { task };
    }
    let output = if let Some(stdout) = details.stdout.and_then(json::string) {
        join(narrow(stdout, printed), details.stderr.and_then(json::string).map(|stderr| narrow(stderr, printed)).unwrap_or_default())
    } else {
        let text = told.content.and_then(text_of_content).or_else(|| details.text()).unwrap_or_default();
        if let Some(task) = launched(call, &text) {
            return Outcome::Launched { task: Cow::Owned(task) };
        }
        if text.ends_with("<error>Command was aborted before completion</error>") {
            return Outcome::NotRun(NotRun::Interrupted);
        }
        if is_empty_notice(&text) { Cow::Borrowed("") } else { narrow(text, printed) }
    };
    let truncated = details.persisted || tells_truncation(&output);
    let interpretation = details.interpretation.and_then(json::string).filter(|text| !text.is_empty());
    Outcome::Succeeded { output, interpretation, truncated, committed: details.committed }
}

/// What a result tells beside its text: a text too, or the fields of an object that matter.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Details<'a> {
    text: Option<Raw<'a>>,
    stdout: Option<Raw<'a>>,
    stderr: Option<Raw<'a>>,
    interrupted: bool,
    task: Option<Raw<'a>>,
    agent: Option<Raw<'a>>,
    /// It is an agent that was launched.
    launched: bool,
    interpretation: Option<Raw<'a>>,
    persisted: bool,
    committed: bool,
}

impl<'a> Details<'a> {
    /// Reads the value that comes next.
    pub(super) fn read(reader: &mut Reader<'a>) -> Option<Self> {
        let mut details = Details::default();
        if reader.peek() == Some(b'"') {
            details.text = Some(reader.value()?);
        } else {
            reader.if_object(&mut |reader, key| {
                details.field(key, reader.value()?);
                Some(())
            })?;
        }
        Some(details)
    }

    fn field(&mut self, key: &[u8], value: Raw<'a>) {
        match key {
            b"stdout" => self.stdout = Some(value),
            b"stderr" => self.stderr = Some(value),
            b"interrupted" => self.interrupted = json::is_true(value),
            b"backgroundTaskId" => self.task = Some(value),
            b"returnCodeInterpretation" => self.interpretation = Some(value),
            b"persistedOutputPath" => self.persisted = json::string(value).is_some(),
            b"gitOperation" => {
                json::fields(value.bytes(), &mut |key, value| self.committed |= key == "commit" && json::is_object(value));
            }
            b"agentId" => self.agent = Some(value),
            b"isAsync" => self.launched |= json::is_true(value),
            b"status" => self.launched |= json::string(value).as_deref() == Some("async_launched"),
            _ => {}
        }
    }

    fn text(&self) -> Option<Cow<'a, str>> {
        self.text.and_then(json::string)
    }

    fn task(&self) -> Option<Cow<'a, str>> {
        let task = self.task.and_then(json::string).filter(|id| !id.is_empty());
        task.or_else(|| self.launched.then(|| self.agent.and_then(json::string).unwrap_or_default()))
    }
}

/// The text of a result: a string as it is, of a list its text blocks, one below the other.
pub(super) fn text_of_content(raw: Raw<'_>) -> Option<Cow<'_, str>> {
    if !json::is_array(raw) {
        return json::string(raw);
    }
    let mut text = None::<Cow<'_, str>>;
    json::fields_of_elements(raw.bytes(), &mut |_, key, value| {
        if key == "text"
            && let Some(more) = json::string(value)
        {
            text = Some(below(text.take(), more));
        }
    });
    text
}

/// A text with another one below it.
pub(super) fn below<'a>(text: Option<Cow<'a, str>>, more: Cow<'a, str>) -> Cow<'a, str> {
    let Some(text) = text else { return more };
    let mut text = text.into_owned();
    text.push('\n');
    text.push_str(&more);
    Cow::Owned(text)
}

/// An error text without the wrappings that say nothing.
fn bare_error(text: &str) -> &str {
    let text = text.strip_prefix("Error: ").unwrap_or(text);
    text.strip_prefix("<tool_use_error>").unwrap_or(text)
}

/// `Exit code N`, alone on the first line, and where the rest begins.
fn split_status(text: &str) -> (Option<i32>, Range<usize>) {
    let bare = text.strip_prefix("Error: ").unwrap_or(text);
    let skipped = text.len() - bare.len();
    let first = bare.split('\n').next().unwrap_or_default();
    let status = first.strip_prefix("Exit code ").and_then(|code| code.trim_end().parse().ok());
    match status {
        Some(_) => (status, (skipped + first.len() + 1).min(text.len())..text.len()),
        None => (None, skipped..text.len()),
    }
}

/// What is left of an output without the client's note that it ended the command, which is the first line
/// (2.1.332) or the last one (older); `None` when there is no such note.
fn without_timeout(text: &str, output: Range<usize>) -> Option<Range<usize>> {
    let is_note = |line: &str| {
        line.strip_prefix("Command timed out after ").is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    };
    let end = output.start + text[output.clone()].trim_end().len();
    let lines = &text[output.start..end];
    let first = lines.split('\n').next().unwrap_or_default();
    let last = lines.rsplit('\n').next().unwrap_or_default();
    if is_note(first) {
        Some((output.start + first.len() + 1).min(end)..end)
    } else if is_note(last) {
        Some(output.start..end - last.len())
    } else {
        None
    }
}

fn is_interrupted(output: &str) -> bool {
    let last = output.trim_end().rsplit('\n').next().unwrap_or_default();
    last.ends_with("<error>Command was aborted before completion</error>")
        || matches!(last, "[Request interrupted by user for tool use]" | "[Request interrupted by user]")
}

/// The id in a launch notice. The notice stands first; below output of the command only where the call
/// asked for the background, since otherwise the output might merely quote one.
fn launched(call: &Call<'_>, text: &str) -> Option<String> {
    let notice = |line: &str| {
        LAUNCHES.iter().find_map(|(start, before)| {
            let rest = line.strip_prefix(start)?;
            let (_, rest) = rest.split_once(before)?;
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
            (end > 0).then(|| rest[..end].to_owned())
        })
    };
    let agent = || {
        let text = text.strip_prefix("Async agent launched successfully")?;
        let id = text.split("agentId: ").nth(1).unwrap_or_default();
        Some(id.chars().take_while(char::is_ascii_alphanumeric).collect())
    };
    match call.action {
        Action::Shell { .. } if call.background => Some(text.lines().find_map(notice).unwrap_or_default()),
        Action::Shell { .. } => text.lines().next().filter(|line| line.contains("utput is being written to")).and_then(notice),
        Action::Other => agent(),
        _ => None,
    }
}

/// `(Bash completed with no output)`, whatever the tool.
fn is_empty_notice(text: &str) -> bool {
    let tool = text.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(" completed with no output)"));
    tool.is_some_and(|tool| tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
}

/// The client left out a part: the whole is in a file, or a line says how much is missing.
fn tells_truncation(output: &str) -> bool {
    const END: &str = " truncated] ...";
    output.starts_with("<persisted-output>")
        || (memmem::find(output.as_bytes(), END.as_bytes()).is_some()
            && output.lines().any(|line| line.starts_with("... [") && line.ends_with(END)))
}

/// The part of a text that the program printed: without blank lines before, white space after, and the
/// client's lines below.
fn printed(text: &str) -> Range<usize> {
    let mut end = text.trim_end().len();
    loop {
        let start = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
        if !is_trailer(&text[start..end]) {
            break;
        }
        end = text[..start].trim_end().len();
    }
    let indent = text[..end].len() - text[..end].trim_start().len();
    let start = text[..indent].rfind('\n').map_or(0, |newline| newline + 1);
    start..end
}

fn is_trailer(line: &str) -> bool {
    line.starts_with("Shell cwd was reset to ")
        || (line.starts_with("[This command modified ") && line.ends_with("Call Read before editing.]"))
}

fn join<'a>(first: Cow<'a, str>, second: Cow<'a, str>) -> Cow<'a, str> {
    match (first.is_empty(), second.is_empty()) {
        (_, true) => first,
        (true, false) => second,
        (false, false) => below(Some(first), second),
    }
}

/// A part of a text, without copying where it is borrowed.
fn narrow(text: Cow<'_, str>, part: impl FnOnce(&str) -> Range<usize>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[part(text)]),
        Cow::Owned(mut text) => {
            let Range { start, end } = part(&text);
            text.truncate(end);
            text.drain(..start);
            Cow::Owned(text)
        }
    }
}

/// `part` of what lies within `range`, in the coordinates of the whole.
fn within(text: &str, range: Range<usize>, part: impl FnOnce(&str) -> Range<usize>) -> Range<usize> {
    let inner = part(&text[range.clone()]);
    range.start + inner.start..range.start + inner.end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::claude::call::{Input, call};

    fn failed(status: Option<i32>, timed_out: bool, output: &str) -> Outcome<'static> {
        Outcome::Failed { status, timed_out, output: Cow::Owned(output.to_owned()) }
    }

    fn succeeded(output: &str) -> Outcome<'static> {
        Outcome::Succeeded { output: Cow::Owned(output.to_owned()), interpretation: None, truncated: false, committed: false }
    }

    fn launched_as(task: &str) -> Outcome<'static> {
        Outcome::Launched { task: Cow::Owned(task.to_owned()) }
    }

    #[test]
    fn error_texts() {
        let cases = [
            ("Exit code 3\npartial\nbad", failed(Some(3), false, "partial\nbad")),
            ("Exit code 1", failed(Some(1), false, "")),
            ("Error: Exit code 2\nx", failed(Some(2), false, "x")),
            ("Exit code 143\nCommand timed out after 1s", failed(Some(143), true, "")),
            ("Command timed out after 2m 0.0s\nhalf", failed(None, true, "half")),
            ("Exit code 143\nhalf\nCommand timed out after 2s", failed(Some(143), true, "half")),
            ("Exit code 143\nCommand timed out after all", failed(Some(143), false, "Command timed out after all")),
            ("Exit code 1\nCommand timed out after 5s: ssh", failed(Some(1), false, "Command timed out after 5s: ssh")),
            ("Exit code 1\nx\nShell cwd was reset to /w/app", failed(Some(1), false, "x")),
            ("Exit code 137\n[Request interrupted by user for tool use]", Outcome::NotRun(NotRun::Interrupted)),
            ("7 failed, 4985 passed in 61.2s", failed(None, false, "7 failed, 4985 passed in 61.2s")),
            ("Exit code of the child was lost", failed(None, false, "Exit code of the child was lost")),
            (
                "Exit code 1\nThe user doesn't want to proceed with this tool use",
                failed(Some(1), false, "The user doesn't want to proceed with this tool use"),
            ),
            ("Exit code 1\n<tool_use_error>x</tool_use_error>", failed(Some(1), false, "<tool_use_error>x</tool_use_error>")),
            ("Exit code 1\nWarmup", failed(Some(1), false, "Warmup")),
            ("The user doesn't want to proceed with this tool use. The tool use was rejected", Outcome::NotRun(NotRun::Rejected)),
            ("<tool_use_error>Sibling tool call errored</tool_use_error>", Outcome::NotRun(NotRun::Cancelled)),
            ("<tool_use_error>Cancelled: parallel tool call Bash(ls) errored</tool_use_error>", Outcome::NotRun(NotRun::Cancelled)),
            ("<tool_use_error>String to replace not found in file.</tool_use_error>", Outcome::NotRun(NotRun::InvalidInput)),
            ("PreToolUse:Bash hook error: no", Outcome::NotRun(NotRun::Denied)),
            (
                "cd in '/x' was blocked. For security, Claude Code may only change directories to child directories",
                Outcome::NotRun(NotRun::Denied),
            ),
            ("Permission to use Bash with command rm has been denied.", Outcome::NotRun(NotRun::Denied)),
            ("Warmup", Outcome::NotRun(NotRun::Warmup)),
            ("", failed(None, false, "")),
        ];
        for (text, expected) in cases {
            assert_eq!(failure(Cow::Borrowed(text)), expected, "{text}");
            assert_eq!(failure(Cow::Owned(text.to_owned())), expected, "owned: {text}");
        }
    }

    /// Reads a result of a shell call, given as JSON: `[content, details, background]`.
    fn shell(content: &str, details: &str, background: bool) -> Outcome<'static> {
        let input = format!(r#"{{"command":"x","run_in_background":{background}}}"#);
        let input = Input::read(&mut Reader::of(input.as_bytes())).expect("json");
        let call = call("t".into(), "Bash".into(), input);
        let details = Details::read(&mut Reader::of(details.as_bytes())).unwrap_or_default();
        let told = Told { content: Raw::of(content), details, ..Told::default() };
        outcome(&call, &told).into_owned()
    }

    #[test]
    fn results_of_commands_that_ran() {
        let notice = "Command running in background with ID: b1. Output is being written to: /t/b1.output";
        let moved =
            "Command did not complete within its 120s timeout and was moved to the background (ID: b2). Output is being written to: /t";
        let quoted = |text: &str| serde_json::to_string(text).expect("json");
        let cases = [
            (r#""(Bash completed with no output)""#, "", false, succeeded("")),
            (r#""""#, "", false, succeeded("")),
            (r#"[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]"#, "", false, succeeded("a\nb")),
            (r#""shown""#, r#"{"stdout":"\n  out\n","stderr":"\nShell cwd was reset to /w"}"#, false, succeeded("  out")),
            (r#""shown""#, r#"{"stdout":"out","stderr":"err"}"#, false, succeeded("out\nerr")),
            (
                r#""1 passed\n[This command modified 2 files you've previously read: a, b. Call Read before editing.]\nShell cwd was reset to /w""#,
                "",
                false,
                succeeded("1 passed"),
            ),
            (r#""see: Shell cwd was reset to /w\nmore""#, "", false, succeeded("see: Shell cwd was reset to /w\nmore")),
            (r#""Exit code 1\nis what it printed""#, "", false, succeeded("Exit code 1\nis what it printed")),
            (r#""Warmup""#, "", false, succeeded("Warmup")),
            (
                r#""The user doesn't want to proceed with this tool use""#,
                "",
                false,
                succeeded("The user doesn't want to proceed with this tool use"),
            ),
            ("", r#"{"stdout":"","stderr":"","backgroundTaskId":"b1"}"#, true, launched_as("b1")),
            (&quoted(notice), "", true, launched_as("b1")),
            (&quoted(notice), "", false, launched_as("b1")),
            (&quoted(moved), "", false, launched_as("b2")),
            (&quoted(&format!("log says\n{notice}")), "", false, succeeded(&format!("log says\n{notice}"))),
            (r#""x""#, r#"{"stdout":"x","stderr":"","interrupted":true}"#, false, Outcome::NotRun(NotRun::Interrupted)),
            (r#""x\n<error>Command was aborted before completion</error>""#, "", false, Outcome::NotRun(NotRun::Interrupted)),
            ("7", "[1]", false, succeeded("")),
        ];
        for (content, details, background, expected) in cases {
            assert_eq!(shell(content, details, background), expected, "{content} {details}");
        }
    }

    #[test]
    fn interpretation_and_truncation_are_kept() {
        let of = |details: &str| match shell("", details, false) {
            Outcome::Succeeded { interpretation, truncated, .. } => (interpretation.map(Cow::into_owned), truncated),
            other => panic!("{other:?}"),
        };
        assert_eq!(of(r#"{"stdout":"","returnCodeInterpretation":"No matches found"}"#), (Some("No matches found".into()), false));
        assert_eq!(of(r#"{"stdout":"a","persistedOutputPath":"/t/x.txt"}"#), (None, true));
        assert_eq!(of(r#"{"stdout":"a\n\n... [12 lines truncated] ...\n\nb"}"#), (None, true));
        assert_eq!(of(r#"{"stdout":"a ... [12 lines truncated] ... b"}"#), (None, false));
    }

    #[test]
    fn a_mark_of_denial_decides_whatever_the_text() {
        for (kind, why) in DENIALS.iter().copied().chain([("some-new-kind", NotRun::Denied)]) {
            let input = Input::read(&mut Reader::of(b"{\"command\":\"x\"}")).expect("json");
            let call = call("t".into(), "Bash".into(), input);
            let told = Told { denial: Some(kind.into()), is_error: true, ..Told::default() };
            assert_eq!(outcome(&call, &told), Outcome::NotRun(why), "{kind}");
        }
    }
}
