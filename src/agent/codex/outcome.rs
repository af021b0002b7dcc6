//! How the result of a call reads: a status in JSON around what was printed, lines above it, or a sentence
//! of the client's.
//!
//! The client's sentences are recognised only where it puts them, at the very start. The same words further
//! down are those of a program.

use std::borrow::Cow;

use crate::agent::json::{self, Raw};
use crate::session::event::{Action, Call, NotRun, Outcome};

/// What a result tells.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) end: End,
    /// What was printed, or said.
    pub(super) output: String,
    /// Lines of the client's stood above the output.
    pub(super) has_header: bool,
    timed_out: bool,
    truncated: bool,
}

/// How it ended.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// The result does not say.
    #[default]
    Untold,
    /// With this exit status.
    Exited(i32),
    /// It still runs, under this id.
    Running(String),
    /// It failed, without a status.
    Failed,
    /// It never ran.
    NotRun(NotRun),
}

/// How a result begins when the call never ran, or failed before a program could. In lower case.
const SENTENCES: &[(&str, End)] = &[
    ("exec command rejected by user", End::NotRun(NotRun::Rejected)),
    ("patch rejected by user", End::NotRun(NotRun::Rejected)),
    ("rejected by user", End::NotRun(NotRun::Rejected)),
    ("user rejected ", End::NotRun(NotRun::Rejected)),
    ("user cancelled mcp tool call", End::NotRun(NotRun::Rejected)),
    ("aborted", End::NotRun(NotRun::Interrupted)),
    ("exec command aborted", End::NotRun(NotRun::Interrupted)),
    ("command blocked by pretooluse hook: ", End::NotRun(NotRun::Denied)),
    ("tool call blocked by pretooluse hook: ", End::NotRun(NotRun::Denied)),
    ("command rejected: ", End::NotRun(NotRun::Denied)),
    ("exec command rejected: ", End::NotRun(NotRun::Denied)),
    ("patch rejected: ", End::NotRun(NotRun::Denied)),
    ("rejected due to unacceptable risk", End::NotRun(NotRun::Denied)),
    ("this action was rejected ", End::NotRun(NotRun::Denied)),
    ("approval request failed", End::NotRun(NotRun::Denied)),
    ("approval policy is ", End::NotRun(NotRun::Denied)),
    ("sandbox denied", End::NotRun(NotRun::Denied)),
    ("failed in sandbox ", End::NotRun(NotRun::Denied)),
    ("execution error: sandbox(denied", End::NotRun(NotRun::Denied)),
    ("execution error: sandboxdenied", End::NotRun(NotRun::Denied)),
    ("failed to parse function arguments", End::NotRun(NotRun::InvalidInput)),
    ("failed to parse exec_command arguments", End::NotRun(NotRun::InvalidInput)),
    ("unsupported call: ", End::NotRun(NotRun::InvalidInput)),
    ("unsupported custom tool call: ", End::NotRun(NotRun::InvalidInput)),
    ("unsupported payload ", End::NotRun(NotRun::InvalidInput)),
    ("localshellcall without call_id", End::NotRun(NotRun::InvalidInput)),
    ("apply_patch verification failed", End::Failed),
    ("apply_patch handler received ", End::NotRun(NotRun::InvalidInput)),
    ("unable to locate image ", End::Failed),
    ("image path ", End::Failed),
    ("execution error: ", End::Failed),
    ("exec_command failed", End::Failed),
    ("write_stdin failed", End::Failed),
    ("failed to read file", End::Failed),
];

/// The lines above an output; the last one is `Output:`. `Wall time` alone says nothing of an end.
const HEADERS: &[&str] = &[
    "Exit code: ",
    "Wall time",
    "Chunk ID: ",
    "Process exited with code ",
    "Process running with session ID ",
    "Script completed",
    "Script failed",
    "Script terminated",
    "Script running with cell ID ",
];

/// How many lines may stand above an output.
const MAX_HEADERS: usize = 12;

/// Reads a result: a text, a list of parts, or `{"content", "success"}`.
pub(super) fn read(raw: Option<Raw<'_>>) -> Told {
    let Some(raw) = raw else { return Told::default() };
    if !json::is_object(raw) {
        return read_text(&text_of(raw).unwrap_or_default());
    }
    let (mut content, mut succeeded) = (None, None);
    json::fields(raw.bytes(), &mut |key, value| match key {
        "content" | "body" | "output" => content = text_of(value),
        "success" => succeeded = Some(json::is_true(value)),
        "Err" => {
            content = text_of(value);
            succeeded = Some(false);
        }
        _ => {}
    });
    let mut told = read_text(&content.unwrap_or_default());
    if told.end == End::Untold && succeeded == Some(false) {
        told.end = End::Failed;
    }
    told
}

/// The text of a message or a result: a string as it is, of a list its texts, one below the other.
pub(super) fn text_of(raw: Raw<'_>) -> Option<Cow<'_, str>> {
    if !json::is_array(raw) {
        return json::string(raw);
    }
    let mut all = String::new();
    for text in texts_of(raw) {
        if !all.is_empty() && !all.ends_with('\n') {
            all.push('\n');
        }
        all.push_str(&text);
    }
    Some(Cow::Owned(all))
}

/// The texts of a list of parts; a string is one part.
pub(super) fn texts_of(raw: Raw<'_>) -> Vec<Cow<'_, str>> {
    if !json::is_array(raw) {
        return json::string(raw).into_iter().collect();
    }
    let mut texts = Vec::new();
    json::fields_of_elements(raw.bytes(), &mut |_, key, value| {
        if key == "text" {
            texts.extend(json::string(value));
        }
    });
    texts
}

fn read_text(text: &str) -> Told {
    if let Some((status, output)) = structured(text) {
        return printed(End::Exited(status), &output, false);
    }
    if let Some((mut end, mut output)) = headed(text) {
        // A patch that was asked for as a command has the lines of both.
        if end == End::Untold
            && let Some(inner) = headed(output)
        {
            (end, output) = inner;
        }
        return printed(end, output, true);
    }
    let start = &text[..text.floor_char_boundary(64)].to_ascii_lowercase();
    let sentence = SENTENCES.iter().find(|(begin, _)| start.starts_with(begin));
    printed(sentence.map_or(End::Untold, |(_, end)| end.clone()), text, false)
}

/// `{"output":"…","metadata":{"exit_code":0,…}}`, and what a script shows of a command's result:
/// `{"exit_code":0,"output":"…",…}`.
fn structured(text: &str) -> Option<(i32, String)> {
    let text = text.trim();
    if !text.starts_with('{') || !text.ends_with('}') {
        return None;
    }
    let (mut output, mut status) = (None, None);
    let whole = json::only_fields(text, "metadata", &mut |_, key, value| match key {
        "output" => output = json::string(value),
        "exit_code" => status = value.get().parse().ok(),
        _ => {}
    });
    if whole { Some((status?, output?.into_owned())) } else { None }
}

/// What the lines above an output say, and the output.
fn headed(text: &str) -> Option<(End, &str)> {
    let (mut end, mut rest) = (End::Untold, text);
    for count in 0..MAX_HEADERS {
        let (line, below) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.trim_end();
        if count == 0 && !HEADERS.iter().any(|header| line.starts_with(header)) {
            return None;
        }
        if line == "Output:" {
            return Some((end, below));
        }
        if line.starts_with("aborted by user") {
            return Some((End::NotRun(NotRun::Interrupted), below));
        }
        end = header(line).unwrap_or(end);
        rest = below;
    }
    None
}

fn header(line: &str) -> Option<End> {
    let after = |start| line.strip_prefix(start).map(str::trim);
    if let Some(status) = after("Exit code: ").or_else(|| after("Process exited with code ")) {
        return status.parse().ok().map(End::Exited);
    }
    if let Some(id) = after("Process running with session ID ") {
        return Some(End::Running(id.split_whitespace().next().unwrap_or_default().to_owned()));
    }
    if let Some(id) = after("Script running with cell ID ") {
        return Some(End::Running(format!("cell {id}")));
    }
    match line {
        // It ended; what it did with the ends of its commands is its own affair.
        "Script completed" => Some(End::Untold),
        "Script failed" => Some(End::Failed),
        "Script terminated" => Some(End::NotRun(NotRun::Interrupted)),
        _ => None,
    }
}

/// Lines above an output of which the client kept a part.
const CUTS: &[&str] = &["Total output lines: ", "Warning: truncated output (original token count: "];

/// The output without the client's own lines.
fn printed(end: End, output: &str, has_header: bool) -> Told {
    let mut output = output;
    let mut truncated = false;
    while let Some((line, below)) = output.split_once('\n')
        && CUTS.iter().any(|start| line.starts_with(start))
    {
        truncated = true;
        output = below.strip_prefix('\n').unwrap_or(below);
    }
    let mut timed_out = false;
    if end != End::Exited(0)
        && let Some(after) = output.strip_prefix("command timed out after ")
        && after.starts_with(|c: char| c.is_ascii_digit())
    {
        timed_out = true;
        output = after.split_once('\n').map_or("", |(_, below)| below);
    }
    truncated |= tells_truncation(output);
    Told { end, output: output.trim_end().to_owned(), has_header, timed_out, truncated }
}

/// `…123 tokens truncated…`, `[... omitted 12 of 500 lines ...]`.
fn tells_truncation(output: &str) -> bool {
    let counted = |mark: &str| output.match_indices(mark).any(|(at, _)| output[..at].ends_with(|c: char| c.is_ascii_digit()));
    let marked = |start: &str| output.lines().any(|line| line.starts_with(start) && line.trim_end().ends_with(" ...]"));
    counted(" tokens truncated…") || counted(" chars truncated…") || marked("[... omitted ") || marked("[... removed ")
}

impl Told {
    /// The call, and how it ended. Where the result does not tell how a command ended, the command's action
    /// is left out: nothing follows from it.
    pub(super) fn judge(&self, mut call: Call<'static>) -> (Call<'static>, Outcome<'_>) {
        let output = Cow::Borrowed(self.output.as_str());
        let changes_file = matches!(call.action, Action::Write { .. } | Action::Edit { .. });
        let output = if changes_file || matches!(call.action, Action::Read { .. }) { Cow::Borrowed("") } else { output };
        let end = match &self.end {
            // A patch says so when it is in place, whatever stands around it.
            End::Untold if changes_file && !self.output.starts_with("Success.") => End::Failed,
            end => end.clone(),
        };
        let outcome = match end {
            End::NotRun(why) => Outcome::NotRun(why),
            End::Running(task) => Outcome::Launched { task: task.into() },
            End::Failed => Outcome::Failed { status: None, timed_out: self.timed_out, output: Cow::Borrowed(&self.output) },
            End::Exited(status) if status != 0 || self.timed_out => {
                Outcome::Failed { status: Some(status), timed_out: self.timed_out, output: Cow::Borrowed(&self.output) }
            }
            End::Untold | End::Exited(_) => {
                if self.end == End::Untold && matches!(call.action, Action::Shell { .. }) {
                    call = Call::new(call.id, call.tool, Action::Other, call.background);
                }
                Outcome::Succeeded { output, interpretation: None, truncated: self.truncated, committed: false }
            }
        };
        (call, outcome)
    }

    /// An end that is known otherwise.
    pub(super) fn ended(end: End, output: &str) -> Self {
        printed(end, output, false)
    }

    /// What a script tells of its command by showing the whole result.
    pub(super) fn of_script(shown: &str) -> Option<Self> {
        structured(shown).map(|(status, output)| printed(End::Exited(status), &output, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Told {
        read(Raw::of(&serde_json::Value::from(text).to_string()))
    }

    fn end(text: &str) -> (End, String) {
        let told = told(text);
        (told.end, told.output)
    }

    #[test]
    fn statuses_around_an_output() {
        for (text, status, output) in [
            (r#"{"output":"a\nb\n","metadata":{"exit_code":0,"duration_seconds":0.1}}"#, 0, "a\nb"),
            (r#"{"output":"","metadata":{"exit_code":101,"duration_seconds":2.0}}"#, 101, ""),
            ("Exit code: 1\nWall time: 0.2 seconds\nOutput:\nfailed\n", 1, "failed"),
            ("Exit code: 0\nWall time: 0 seconds\nTotal output lines: 900\nOutput:\nx", 0, "x"),
            (
                "Chunk ID: a1b2c3\nWall time: 0.0500 seconds\nProcess exited with code 2\nOriginal token count: 3\nOutput:\nExit code: 0\n",
                2,
                "Exit code: 0",
            ),
            ("Wall time: 1.0 seconds\r\nProcess exited with code -1\r\nOutput:\r\nx", -1, "x"),
            ("Wall time: 0.0 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated", 0, "Success. Updated"),
            (r#"{"chunk_id":"a","exit_code":3,"output":"x","wall_time_seconds":1.0}"#, 3, "x"),
        ] {
            assert_eq!(end(text), (End::Exited(status), output.to_owned()), "{text}");
        }
    }

    #[test]
    fn what_runs_on_and_what_never_ran() {
        let running = "Wall time: 10.0 seconds\nProcess running with session ID 4711\nOutput:\nhalf";
        assert_eq!(end(running), (End::Running("4711".into()), "half".into()));
        for (text, expected) in [
            ("exec command rejected by user", NotRun::Rejected),
            ("patch rejected by user", NotRun::Rejected),
            ("aborted", NotRun::Interrupted),
            ("aborted by user after 5.0s", NotRun::Interrupted),
            ("Wall time: 5.0 seconds\naborted by user", NotRun::Interrupted),
            ("Command blocked by PreToolUse hook: no. Command: ls", NotRun::Denied),
            ("patch rejected: writing outside of the project; rejected by user approval settings", NotRun::Denied),
            ("failed in sandbox LinuxSeccomp with execution error: Denied(1, \"\", \"x\")", NotRun::Denied),
            ("failed to parse function arguments: missing field `command`", NotRun::InvalidInput),
        ] {
            assert_eq!(end(text).0, End::NotRun(expected), "{text}");
        }
        assert_eq!(end("apply_patch verification failed: no such line").0, End::Failed);
    }

    #[test]
    fn words_of_a_program_are_its_own() {
        for text in ["ok\nexec command rejected by user", "Exit code: 1", "Exit code: 1\nno output line", "{\"output\":\"x\"}", "{", ""] {
            assert_eq!(end(text), (End::Untold, text.to_owned()), "{text}");
        }
        assert_eq!(read(None), Told::default());
    }

    #[test]
    fn time_outs_and_cuts() {
        let timed_out = told("Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds\nhalf");
        assert!(timed_out.timed_out && timed_out.output == "half");
        assert!(!told("Exit code: 0\nWall time: 1 seconds\nOutput:\ncommand timed out after 3 tries").timed_out);
        for text in [
            "Total output lines: 9\n\na",
            "a…12 tokens truncated…b",
            "a\n[... omitted 3 of 9 lines ...]\nb",
            "Warning: truncated output (original token count: 9)\nx",
        ] {
            assert!(told(text).truncated, "{text}");
        }
        let cut = told(
            "Exit code: 0\nOutput:\nWarning: truncated output (original token count: 9)\nTotal output lines: 9\n\na…3 tokens truncated…b",
        );
        assert_eq!((cut.output.as_str(), cut.truncated), ("a…3 tokens truncated…b", true));
        assert!(!told("the word tokens truncated… is no mark").truncated);
    }

    #[test]
    fn other_shapes_of_a_result() {
        for (text, expected, output) in [
            (
                r#"[{"type":"input_text","text":"Script completed\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"x"}]"#,
                End::Untold,
                "x",
            ),
            (r#"[{"type":"input_text","text":"Script failed\nWall time 0.1 seconds\nOutput:\n"}]"#, End::Failed, ""),
            (r#"{"content":"no","success":false}"#, End::Failed, "no"),
            (r#"{"content":"yes","success":true}"#, End::Untold, "yes"),
            (r#"[{"type":"input_image","image_url":"data:"}]"#, End::Untold, ""),
            ("7", End::Untold, ""),
        ] {
            let told = read(Raw::of(text));
            assert_eq!((told.end, told.output.as_str()), (expected, output), "{text}");
        }
    }
}
