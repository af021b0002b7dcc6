//! A session of a client, played through the hook as the client would.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;

const TRANSCRIPT_BYTES: u64 = 100_000_000;
const SESSION: &str = "5f0c2a9e-4f4c-4d0b-9d57-0a3f6a1be111";

/// A client's session: its folders, and the events it sends.
pub(crate) struct Session {
    scratch: PathBuf,
    /// A folder of fixed names that every session of the machine can reach.
    shared: TempDir,
    hook: PathBuf,
    /// Counts calls, so that each has its own id.
    calls: usize,
}

impl Session {
    /// A session in a repository of its own.
    pub(crate) fn new(scratch: &Path, hook: PathBuf) -> Result<Self> {
        let shared = tempfile::Builder::new().prefix("turnstop-bench-").tempdir_in("/tmp")?;
        let session = Session { scratch: scratch.to_owned(), shared, hook, calls: 0 };
        for folder in [session.project(), session.state()] {
            fs::create_dir_all(folder)?;
        }
        let git = Command::new("git").arg("init").args(["-q", "-b", "feature"]).arg(session.project()).status()?;
        ensure!(git.success(), "git init failed");
        fs::write(session.project().join("app.conf"), "port = 80\n")?;
        Ok(session)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.scratch.join("app")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.scratch.join("state")
    }

    pub(crate) fn transcript(&self) -> PathBuf {
        self.scratch.join("transcript.jsonl")
    }

    /// Keeps the state as it is now, under a name.
    pub(crate) fn keep_as(&self, name: &str) -> Result<()> {
        replace(&self.state(), &self.scratch.join(name))
    }

    /// The state is again as it was kept.
    pub(crate) fn go_back_to(&self, name: &str) -> Result<()> {
        replace(&self.scratch.join(name), &self.state())
    }

    /// A path outside the project that every session of the machine can reach.
    pub(crate) fn shared(&self, name: usize) -> PathBuf {
        self.shared.path().join(format!("{name}.bak"))
    }

    /// 100 MB of shell calls and their output.
    pub(crate) fn write_transcript(&self) -> Result<()> {
        let mut out = BufWriter::new(File::create(self.transcript())?);
        let printed = "a line of what a build prints while it works\n".repeat(80);
        let mut size = 0;
        for n in 0.. {
            let id = format!("toolu_old_{n}");
            let call = json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": format!("make part-{n}")}});
            let result = json!({"type": "tool_result", "tool_use_id": id, "content": printed, "is_error": false});
            for (role, block, uuid) in [("assistant", call, 2 * n), ("user", result, 2 * n + 1)] {
                let line = json!({
                    "type": role, "message": {"role": role, "content": [block]}, "uuid": format!("u{uuid}"), "sessionId": SESSION,
                    "cwd": self.project(), "gitBranch": "feature", "version": "2.1.332", "timestamp": "2026-11-30T22:35:59.267Z",
                });
                let line = format!("{line}\n");
                out.write_all(line.as_bytes())?;
                size += line.len() as u64;
            }
            if size >= TRANSCRIPT_BYTES {
                break;
            }
        }
        Ok(out.flush()?)
    }

    /// A payload as the client sends it.
    pub(crate) fn payload(&self, event: &str, mut fields: Value) -> Value {
        fields["hook_event_name"] = event.into();
        fields["session_id"] = SESSION.into();
        fields["transcript_path"] = json!(self.transcript());
        fields["cwd"] = json!(self.project());
        fields["permission_mode"] = "acceptEdits".into();
        fields
    }

    pub(crate) fn before(&mut self, tool: &str, input: &Value) -> Value {
        self.calls += 1;
        self.payload("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": self.call()}))
    }

    /// The end of the call that `before` began.
    pub(crate) fn after(&self, tool: &str, input: &Value, response: &Value) -> Value {
        let fields =
            json!({"tool_name": tool, "tool_input": input, "tool_response": response, "tool_use_id": self.call(), "duration_ms": 8});
        self.payload("PostToolUse", fields)
    }

    pub(crate) fn call(&self) -> String {
        format!("toolu_{:08}", self.calls)
    }

    pub(crate) fn prompt(&self) -> Value {
        self.payload("UserPromptSubmit", json!({"prompt": "go on"}))
    }

    /// Sends an event that is not timed, and leaves its answer aside.
    pub(crate) fn send(&self, payload: &Value) -> Result<()> {
        self.ask(payload).map(drop)
    }

    pub(crate) fn ask(&self, payload: &Value) -> Result<Answer> {
        let input = self.write_payload("payload.json", payload)?;
        self.run(&mut self.hook_command(), &input)
    }

    pub(crate) fn write_payload(&self, name: &str, payload: &Value) -> Result<PathBuf> {
        let file = self.scratch.join(name);
        fs::write(&file, serde_json::to_vec(payload)?)?;
        Ok(file)
    }

    /// Runs the hook under another program whose last argument is the file that it reports to; the answer, and the
    /// report.
    pub(crate) fn run_under(&self, around: &mut Command, input: &Path) -> Result<(Answer, String)> {
        let report = self.scratch.join("report");
        let answer = self.run(around.arg(&report).arg(&self.hook).arg("hook"), input)?;
        Ok((answer, fs::read_to_string(report)?))
    }

    /// A whole call of the shell: asked about, run, told of.
    pub(crate) fn shell(&mut self, command: &str, stdout: &str) -> Result<()> {
        let input = json!({"command": command});
        let response = json!({"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false});
        let before = self.before("Bash", &input);
        self.send(&before)?;
        self.send(&self.after("Bash", &input, &response))
    }

    /// Saves a file under the shared path, for real.
    pub(crate) fn save(&mut self, name: usize) -> Result<()> {
        fs::copy(self.project().join("app.conf"), self.shared(name))?;
        self.shell(&save_command(&self.shared(name)), "")
    }

    /// A session of so many events: prompts, reading, editing, testing, and now and then a copy to a shared path. Its
    /// transcript grows while the hook is there.
    pub(crate) fn play(&mut self, events: usize) -> Result<()> {
        self.send(&self.payload("SessionStart", json!({"source": "startup"})))?;
        self.write_transcript()?;
        for n in 0..events / 10 {
            let file = self.project().join(format!("src/module_{n}.rs"));
            self.send(&self.prompt())?;
            for (tool, input) in [
                ("Read", json!({"file_path": file})),
                ("Edit", json!({"file_path": file, "old_string": "a", "new_string": "b", "replace_all": false})),
            ] {
                let before = self.before(tool, &input);
                self.send(&before)?;
                self.send(&self.after(tool, &input, &json!({"filePath": file})))?;
            }
            self.shell(&format!("cargo test module_{n}"), "test result: ok. 3 passed; 0 failed; 0 ignored")?;
            if n % 5 == 0 {
                self.save(n)?;
            } else {
                self.shell(&format!("git diff --stat src/module_{n}.rs"), " 1 file changed")?;
            }
            self.send(&self.stop("The module is changed."))?;
        }
        Ok(())
    }

    pub(crate) fn stop(&self, words: &str) -> Value {
        let fields = json!({"stop_hook_active": false, "last_assistant_message": words, "background_tasks": [], "session_crons": []});
        self.payload("Stop", fields)
    }

    pub(crate) fn hook_command(&self) -> Command {
        let mut command = Command::new(&self.hook);
        command.arg("hook");
        command
    }

    /// Runs a program as the client would, its input from a file and its output to one.
    pub(crate) fn run(&self, command: &mut Command, input: &Path) -> Result<Answer> {
        let output = self.scratch.join("output");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", &self.scratch).env("XDG_STATE_HOME", self.state());
        command.current_dir(self.project()).stdin(File::open(input)?).stdout(File::create(&output)?).stderr(Stdio::null());
        let begin = Instant::now();
        let status = command.spawn()?.wait()?;
        let time = begin.elapsed();
        ensure!(status.success(), "{} ended with {status}", command.get_program().display());
        Ok(Answer { time, text: fs::read_to_string(output)? })
    }
}

pub(crate) fn save_command(path: &Path) -> String {
    format!("cp app.conf {}", path.display())
}

/// What a program answered, and how long that took from its start to its end.
pub(crate) struct Answer {
    pub(crate) time: Duration,
    pub(crate) text: String,
}

/// Makes a folder the copy of another.
fn replace(from: &Path, to: &Path) -> Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir(to)?;
    fs::set_permissions(to, fs::metadata(from)?.permissions())?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let copy = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            replace(&entry.path(), &copy)?;
        } else {
            fs::copy(entry.path(), copy)?;
        }
    }
    Ok(())
}
