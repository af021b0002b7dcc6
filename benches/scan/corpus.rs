//! A home of made-up sessions, the same each time: what a client records of people at work, in the proportions of
//! real transcripts. Half of the lines hold under 2 KB; one in some thousands holds megabytes.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;

use crate::object::{Object, object};
use crate::words::{CODE, COMMANDS, LAST_WORDS, PROMPTS, SAID, SUMMARIES};

/// Sizes of sessions, in bytes, taken in turn.
const SESSION_BYTES: [u64; 6] = [80_000, 300_000, 4_000_000, 700_000, 150_000, 1_500_000];
/// One in so many sessions has subagents.
const WITH_SUBAGENTS: usize = 4;
/// One in so many results is an image.
const IMAGES: u64 = 1500;

/// How commands begin that print little.
const QUIET: [&str; 7] = ["git add", "git push", "git stash", "git status", "cat >", "mkdir", "wc"];

/// A home folder with the sessions of one project.
pub(crate) struct Home {
    pub(crate) root: PathBuf,
    pub(crate) project: PathBuf,
    /// All transcripts, those of subagents among them.
    pub(crate) files: Vec<PathBuf>,
    pub(crate) bytes: u64,
}

impl Home {
    /// Writes sessions of so many bytes together. A twentieth of them is one long session.
    pub(crate) fn write(root: &Path, bytes: u64) -> Result<Self> {
        fs::create_dir_all(root)?;
        let root = fs::canonicalize(root)?;
        let project = root.join("app");
        fs::create_dir_all(&project)?;
        let name: String = project.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let folder = root.join(".claude/projects").join(name);
        fs::create_dir_all(&folder)?;
        let mut home = Home { root, project, files: Vec::new(), bytes: 0 };
        home.session(&folder, 0, bytes / 20)?;
        for number in 1.. {
            if home.bytes >= bytes {
                break;
            }
            let size = SESSION_BYTES[number % SESSION_BYTES.len()].min(bytes - home.bytes);
            home.session(&folder, number, size)?;
        }
        Ok(home)
    }

    fn session(&mut self, folder: &Path, number: usize, bytes: u64) -> Result<()> {
        let id = format!("{number:08x}-4f4c-4d0b-9d57-0a3f6a1be111");
        let mut clock = 1_780_000_000_000 + number as u64 * 86_400_000;
        let agents = if number.is_multiple_of(WITH_SUBAGENTS) { 3 } else { 0 };
        self.file(&folder.join(format!("{id}.jsonl")), &id, "", &mut clock, bytes * 4 / (4 + agents))?;
        for agent in 0..agents {
            let subagents = folder.join(&id).join("subagents");
            fs::create_dir_all(&subagents)?;
            let agent_id = format!("a{number:08x}{agent:04x}");
            let mut clock = 1_780_000_000_000 + number as u64 * 86_400_000 + (agent + 1) * 3_600_000;
            self.file(&subagents.join(format!("agent-{agent_id}.jsonl")), &id, &agent_id, &mut clock, bytes / (4 + agents))?;
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, session: &str, agent: &str, clock: &mut u64, bytes: u64) -> Result<()> {
        let mut file = Transcript {
            out: BufWriter::with_capacity(1 << 18, File::create(path)?),
            chance: Chance(self.files.len() as u64 + 1),
            cwd: self.project.to_string_lossy().into_owned(),
            session: session.to_owned(),
            agent: agent.to_owned(),
            file: self.files.len() as u64,
            records: 0,
            written: 0,
            clock: *clock,
        };
        while file.written < bytes {
            file.turn(bytes)?;
        }
        file.out.flush()?;
        self.bytes += file.written;
        self.files.push(path.to_owned());
        Ok(())
    }
}

/// Numbers that look as if by chance (splitmix64).
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u64) as usize]
    }

    /// Mostly small, seldom large: the product of two chances.
    fn size(&mut self, most: u64) -> usize {
        (self.below(most) * self.below(1000) * self.below(1000) / 1_000_000) as usize + 20
    }

    /// So many bytes of source code.
    fn code(&mut self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 100);
        while text.len() < bytes {
            let indent = self.below(4) as usize * 4;
            let number = self.below(1000);
            let _ = writeln!(text, "{:indent$}{}", "", self.one(CODE).replace("{}", &number.to_string()));
        }
        text
    }

    /// Source code, mostly little.
    fn source(&mut self, most: u64) -> String {
        let bytes = self.size(most);
        self.code(bytes)
    }

    /// At least so many sentences, and fewer than `more` beyond.
    fn said(&mut self, least: u64, more: u64) -> String {
        let mut text = String::new();
        for _ in 0..least + self.below(more) {
            text.push_str(self.one(SAID));
            text.push_str(if self.percent(25) { "\n\n" } else { " " });
        }
        text
    }
}

/// One file as it is written.
struct Transcript {
    out: BufWriter<File>,
    chance: Chance,
    cwd: String,
    session: String,
    agent: String,
    file: u64,
    records: u64,
    written: u64,
    clock: u64,
}

impl Transcript {
    /// A prompt, what the agent did about it, and its last words.
    fn turn(&mut self, bytes: u64) -> Result<()> {
        let prompt = self.chance.one(PROMPTS).to_owned();
        let message = object! { "role": "user", "content": prompt };
        self.record(
            &object! { "type": "user", "message": message },
            &object! { "permissionMode": "acceptEdits", "promptSource": "typed" },
        )?;
        for kind in ["environment", "skill_listing", "task_reminder"] {
            let rendered = self.chance.said(12, 1);
            let attachment = object! { "type": kind, "content": rendered };
            self.record(&object! { "attachment": attachment, "type": "attachment" }, &object! { "renderedRole": "system" })?;
        }
        for _ in 0..10 + self.chance.below(30) {
            if self.written >= bytes {
                break;
            }
            if self.chance.percent(40) {
                let text = self.chance.said(1, 3);
                self.assistant(object! { "type": "text", "text": text })?;
            }
            if self.chance.percent(30) {
                self.assistant(object! { "type": "thinking", "thinking": "", "signature": "EqQBCkYIBxgCKkD".repeat(40) })?;
            }
            self.call()?;
        }
        let mut text = self.chance.said(3, 8);
        text.push_str(self.chance.one(LAST_WORDS));
        self.assistant(object! { "type": "text", "text": text })?;
        let spent = object! { "type": "system", "subtype": "turn_duration", "durationMs": 81234, "isMeta": false };
        self.record(&spent, &object! {})?;
        self.bare(&object! { "type": "last-prompt", "lastPrompt": "go on", "sessionId": self.session })?;
        let backup = object! { "backupFileName": "5f0c2a9e@v2", "version": 2, "backupTime": "2026-11-30T22:35:59.267Z" };
        let snapshot = object! { "trackedFileBackups": object! { "src/lib.rs": backup } };
        self.bare(&object! { "type": "file-history-snapshot", "messageId": self.records.to_string(), "snapshot": snapshot })
    }

    fn call(&mut self) -> Result<()> {
        match self.chance.below(100) {
            0..56 => self.shell(),
            56..72 => self.edit(),
            72..77 => self.write(),
            77..93 => self.read(),
            _ => self.search(),
        }
    }

    fn shell(&mut self) -> Result<()> {
        let pattern: &'static str = self.chance.one(COMMANDS);
        let mut command = pattern.replace("{}", &self.chance.below(400).to_string());
        if command.contains("{code}") {
            let code = self.chance.source(4_000);
            command = command.replace("{code}", &code);
        }
        if self.chance.percent(17) {
            command = format!("cd {} && {command}", self.cwd);
        }
        if self.chance.percent(30) {
            command.push_str(self.chance.one(&[
                " 2>&1 | tail -40",
                " 2>&1 | tail -5",
                " | head -50",
                " 2>&1 | grep -v warning | tail -20",
            ]));
        }
        let id = self.started("Bash", object! { "command": command, "description": "Looks at what there is" })?;
        if self.chance.percent(60) {
            for elapsed in 0..=self.chance.below(3) {
                let output = self.chance.code(300);
                let data = object! {
                    "type": "bash_progress", "output": output, "fullOutput": output, "elapsedTimeSeconds": elapsed, "totalLines": 12,
                };
                let of = object! { "toolUseID": format!("bash-progress-{elapsed}"), "parentToolUseID": id };
                self.record(&object! { "type": "progress", "data": data }, &of)?;
            }
        }
        if self.chance.percent(6) {
            let output = self.chance.source(9_000);
            let content = format!("Exit code 1\n{output}");
            return self.ended(&id, &content, true, &format!("Error: {content}"));
        }
        let output = if self.chance.percent(10) {
            String::new()
        } else {
            let most = match QUIET.iter().any(|quiet| pattern.starts_with(quiet)) {
                true => 200,
                false if self.chance.percent(10) => 60_000,
                false => 6_000,
            };
            let mut output = self.chance.source(most);
            output.push_str(self.chance.one(SUMMARIES));
            output
        };
        let content = if output.is_empty() { "(Bash completed with no output)" } else { &output };
        let details = object! { "stdout": output, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false };
        self.ended(&id, &content, false, &details)
    }

    fn path(&mut self) -> String {
        format!("{}/src/part_{}/mod_{}.rs", self.cwd, self.chance.below(12), self.chance.below(40))
    }

    fn edit(&mut self) -> Result<()> {
        let path = self.path();
        let whole = self.chance.source(90_000);
        let (old, new) = (self.chance.code(300), self.chance.code(400));
        let id = self.started("Edit", object! { "file_path": path, "old_string": old, "new_string": new, "replace_all": false })?;
        let lines: Vec<String> = old.lines().map(|line| format!("-{line}")).chain(new.lines().map(|line| format!("+{line}"))).collect();
        let changes = [object! { "oldStart": 10, "oldLines": 8, "newStart": 10, "newLines": 11, "lines": lines }];
        let content = format!("The file {path} has been updated successfully.");
        let details = object! { "filePath": path, "oldString": old, "newString": new, "originalFile": whole, "structuredPatch": changes, "userModified": false, "replaceAll": false };
        self.ended(&id, &content, false, &details)
    }

    fn write(&mut self) -> Result<()> {
        let path = self.path();
        let whole = self.chance.source(40_000);
        let id = self.started("Write", object! { "file_path": path, "content": whole })?;
        let content = format!("File created successfully at: {path}");
        let details = object! { "type": "create", "filePath": path, "content": whole, "structuredPatch": [(); 0], "originalFile": () };
        self.ended(&id, &content, false, &details)
    }

    fn read(&mut self) -> Result<()> {
        let path = self.path();
        let id = self.started("Read", object! { "file_path": path })?;
        if self.chance.below(IMAGES / 16) == 0 {
            let data = "iVBORw0KGgoAAAANSUhEUgAA".repeat(10_000 + self.chance.below(60_000) as usize);
            let source = object! { "type": "base64", "media_type": "image/png", "data": data };
            let file = object! { "base64": data, "type": "image/png", "originalSize": data.len() };
            let details = object! { "type": "image", "file": file };
            return self.ended(&id, &[object! { "type": "image", "source": source }], false, &details);
        }
        let whole = self.chance.source(60_000);
        let numbered: String = whole.lines().enumerate().fold(String::new(), |mut all, (at, line)| {
            let _ = writeln!(all, "{:>6}→{line}", at + 1);
            all
        });
        let lines = whole.lines().count();
        let file = object! { "filePath": path, "content": whole, "numLines": lines, "startLine": 1, "totalLines": lines };
        let details = object! { "type": "text", "file": file };
        self.ended(&id, &numbered, false, &details)
    }

    fn search(&mut self) -> Result<()> {
        let id = self.started("Grep", object! { "pattern": "fn .*parse", "path": self.cwd, "output_mode": "files_with_matches" })?;
        let found: Vec<String> = (0..self.chance.below(20)).map(|_| self.path()).collect();
        let details = object! { "mode": "files_with_matches", "filenames": found, "numFiles": found.len() };
        self.ended(&id, &found.join("\n"), false, &details)
    }

    fn started(&mut self, tool: &str, input: Object) -> Result<String> {
        let id = format!("toolu_{:04x}{:08x}{:012x}", self.file, self.records, self.chance.next() >> 16);
        self.assistant(object! { "type": "tool_use", "id": id, "name": tool, "input": input })?;
        Ok(id)
    }

    fn ended(&mut self, id: &str, content: &impl Serialize, is_error: bool, details: &impl Serialize) -> Result<()> {
        let block = object! { "tool_use_id": id, "type": "tool_result", "content": content, "is_error": is_error };
        let permission = object! { "decision": "accept", "source": "config", "reasonType": "rule" };
        let message = object! { "role": "user", "content": [block] };
        self.record(
            &object! { "type": "user", "message": message },
            &object! { "toolUseResult": details, "permissionDecision": permission },
        )
    }

    fn assistant(&mut self, block: Object) -> Result<()> {
        let requests = object! { "web_search_requests": 0, "web_fetch_requests": 0 };
        let kept = object! { "ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 1834 };
        let usage = object! {
            "input_tokens": 12, "cache_creation_input_tokens": 1834, "cache_read_input_tokens": 81_243, "output_tokens": 412,
            "server_tool_use": requests, "service_tier": "standard", "cache_creation": kept, "inference_geo": "", "speed": "standard",
        };
        let message = object! {
            "id": format!("msg_{:04x}{:08x}", self.file, self.records), "type": "message", "role": "assistant",
            "model": "claude-opus-5-5", "content": [block], "stop_sequence": (), "stop_reason": (), "usage": usage,
        };
        let before = object! { "message": message, "requestId": "req_011CQsZ1pXb6", "type": "assistant" };
        self.record(&before, &object! { "effort": "medium", "madeBy": "model" })
    }

    /// A record, with what all of them have around what is its own, in the client's order: `before` holds its type.
    fn record(&mut self, before: &Object, after: &Object) -> Result<()> {
        self.clock += 400 + self.chance.below(9_000);
        let uuid = |number: u64, file: u64| format!("{number:08x}-{file:04x}-4abc-8def-{:012x}", number * 7919 + file);
        let parent = self.records.checked_sub(1).map(|number| uuid(number, self.file));
        let mut record = object! { "parentUuid": parent, "isSidechain": !self.agent.is_empty() };
        if !self.agent.is_empty() {
            record.field("agentId", &self.agent);
        }
        record.extend(before);
        record.extend(&object! { "uuid": uuid(self.records, self.file), "timestamp": stamp(self.clock) });
        record.extend(after);
        record.extend(&object! {
            "userType": "external", "entrypoint": "cli", "cwd": self.cwd, "sessionId": self.session, "version": "2.1.332",
            "gitBranch": "feature/parser",
        });
        self.records += 1;
        self.bare(&record)
    }

    fn bare(&mut self, line: &Object) -> Result<()> {
        let mut line = serde_json::to_vec(line)?;
        line.push(b'\n');
        self.written += line.len() as u64;
        Ok(self.out.write_all(&line)?)
    }
}

/// A time as the client writes it; every month has 28 days here.
fn stamp(millis: u64) -> String {
    let (seconds, days) = (millis / 1000, millis / 86_400_000);
    let (year, month, day) = (2010 + days / 336 % 80, 1 + days / 28 % 12, 1 + days % 28);
    format!("{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, millis % 1000)
}
