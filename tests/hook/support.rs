//! One user's machine for a test: a home, a project, a folder under the shared temporary root, and the
//! hook run as the client runs it.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;
use turnstop::agent::claude::events::TIMEOUT_SECONDS;
use turnstop::agent::claude::layout::project_dir_name;
use turnstop::rules::metas;

/// A home, a project in it, and a folder of fixed names under `/tmp`.
pub(crate) struct Machine {
    base: TempDir,
    shared: TempDir,
    /// Words before the program's name: what it is started by, such as another user.
    pub(crate) starter: Vec<String>,
    /// The program.
    pub(crate) program: PathBuf,
    /// More words for the hook's command line.
    pub(crate) flags: Vec<&'static str>,
    /// A person watches the session.
    pub(crate) attended: bool,
}

/// What the hook answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing.
    Silence,
    /// A note, and its text for the model.
    Note(String),
    /// A denial, and its reason.
    Deny(String),
    /// The turn does not end, and why.
    Block(String),
}

impl Answer {
    pub(crate) fn is_deny(&self) -> bool {
        matches!(self, Answer::Deny(_))
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            Answer::Silence => "",
            Answer::Note(text) | Answer::Deny(text) | Answer::Block(text) => text,
        }
    }

    /// As a fixture calls it.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Answer::Silence => "silence",
            Answer::Note(_) => "note",
            Answer::Deny(_) => "deny",
            Answer::Block(_) => "block",
        }
    }
}

impl Machine {
    pub(crate) fn new() -> Self {
        let base = tempfile::Builder::new().prefix("machine").tempdir().expect("a folder for the test");
        let shared = tempfile::Builder::new().prefix("shared").tempdir_in("/tmp").expect("a folder under /tmp");
        fs::create_dir_all(base.path().join("app")).expect("a project");
        let program = env!("CARGO_BIN_EXE_turnstop").into();
        let machine = Machine { base, shared, starter: Vec::new(), program, flags: Vec::new(), attended: false };
        machine.write("a.txt", "a\n");
        machine
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.base.path().join("app")
    }

    pub(crate) fn home(&self) -> &Path {
        self.base.path()
    }

    /// Writes a file of the project, or elsewhere by an absolute path.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.project().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        fs::write(path, text).expect("written");
    }

    /// The branch of the project as the client stamps it: `HEAD` when detached, empty without a repository.
    pub(crate) fn branch(&self) -> String {
        let mut folder = self.project().join(".git");
        if let Ok(link) = fs::read_to_string(&folder) {
            folder = self.project().join(link.trim_start_matches("gitdir:").trim());
        }
        let head = fs::read_to_string(folder.join("HEAD")).unwrap_or_default();
        if head.is_empty() { head } else { head.trim().strip_prefix("ref: refs/heads/").unwrap_or("HEAD").to_owned() }
    }

    /// A fixed path under the shared temporary root.
    pub(crate) fn shared(&self, name: &str) -> String {
        self.shared.path().join(name).to_string_lossy().into_owned()
    }

    pub(crate) fn state_dir(&self) -> PathBuf {
        self.base.path().join("state/turnstop")
    }

    pub(crate) fn state_file(&self, session: &str) -> PathBuf {
        self.state_dir().join("sessions").join(format!("{session}.json"))
    }

    /// Where the client keeps the project's sessions.
    pub(crate) fn sessions(&self) -> PathBuf {
        let project = fs::canonicalize(self.project()).expect("a project");
        self.base.path().join(".claude/projects").join(project_dir_name(&project))
    }

    pub(crate) fn transcript(&self, session: &str) -> PathBuf {
        self.sessions().join(format!("{session}.jsonl"))
    }

    /// Adds a line to a session's transcript, or to that of one of its subagents.
    pub(crate) fn add_line(&self, session: &str, agent: &str, mut line: Value) {
        let path = if agent.is_empty() {
            self.transcript(session)
        } else {
            line["agentId"] = json!(agent);
            self.sessions().join(session).join(format!("subagents/agent-{agent}.jsonl"))
        };
        fs::create_dir_all(path.parent().expect("a folder")).expect("created");
        let mut file = fs::OpenOptions::new().create(true).append(true).open(path).expect("a transcript");
        line["sessionId"] = json!(session);
        if line["cwd"].is_null() {
            line["cwd"] = json!(self.project());
        }
        writeln!(file, "{line}").expect("written");
    }

    /// Runs a command of turnstop's on the machine; gives back its exit status and standard output.
    pub(crate) fn turnstop(&self, args: &[&str]) -> (i32, String) {
        self.turnstop_in(&self.project(), args)
    }

    /// The same, started in a folder.
    pub(crate) fn turnstop_in(&self, folder: &Path, args: &[&str]) -> (i32, String) {
        let mut command = Command::new("sh");
        command.args(["-c", "cd \"$0\" && exec \"$@\""]).arg(folder).args(&self.starter).arg(&self.program).args(args);
        let output = self.run_with_input(command, b"");
        assert!(output.stderr.is_empty(), "{output:?}");
        (output.status.code().expect("a status"), String::from_utf8(output.stdout).expect("text"))
    }

    /// Writes the transcript of a session.
    pub(crate) fn record(&self, session: &str, lines: &[Value]) {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        fs::create_dir_all(self.sessions()).expect("created");
        fs::write(self.transcript(session), lines.join("\n") + "\n").expect("written");
    }

    pub(crate) fn config_file(&self) -> PathBuf {
        self.base.path().join("config/turnstop/config.toml")
    }

    pub(crate) fn command(&self) -> Command {
        let words: Vec<&OsStr> = self.starter.iter().map(AsRef::as_ref).chain([self.program.as_os_str()]).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command.arg("hook").args(&self.flags);
        self.surround(&mut command);
        command
    }

    fn surround(&self, command: &mut Command) {
        command.current_dir(self.project()).env_clear();
        command.env("HOME", self.base.path()).env("XDG_STATE_HOME", self.base.path().join("state"));
        command.env("XDG_CONFIG_HOME", self.base.path().join("config")).env("CLAUDE_PROJECT_DIR", self.project());
        if self.attended {
            command.env("CLAUDE_CODE_ENTRYPOINT", "cli");
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    /// Runs the hook on raw standard input. The client gives up on one that has not answered in time, which one with
    /// debug assertions may need thrice.
    pub(crate) fn raw(&self, input: &[u8]) -> Output {
        let start = Instant::now();
        let output = self.run_with_input(self.command(), input);
        let patience = if cfg!(debug_assertions) { 3 * TIMEOUT_SECONDS } else { TIMEOUT_SECONDS };
        assert!(start.elapsed() < Duration::from_secs(patience.into()), "answered after {:?}", start.elapsed());
        output
    }

    /// Runs a command that leads to the hook, in the machine's surroundings.
    pub(crate) fn run_with_input(&self, mut command: Command, input: &[u8]) -> Output {
        self.surround(&mut command);
        let mut child = command.spawn().expect("the hook starts");
        // A hook that has read its fill closes the pipe: that is no error of the test.
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        child.wait_with_output().expect("the hook ends")
    }

    /// Runs the hook on one payload; the common fields are filled in.
    pub(crate) fn hook(&self, session: &str, event: &str, fields: &Value) -> Answer {
        answer(&self.raw(self.payload(session, event, fields).to_string().as_bytes()))
    }

    pub(crate) fn payload(&self, session: &str, event: &str, fields: &Value) -> Value {
        let mut payload = json!({
            "hook_event_name": event, "session_id": session, "cwd": self.project(),
            "transcript_path": self.transcript(session), "permission_mode": "acceptEdits",
        });
        let (into, from) = (payload.as_object_mut().expect("an object"), fields.as_object().expect("an object"));
        into.extend(from.clone());
        payload
    }

    /// Asks about a shell call before it runs.
    pub(crate) fn ask(&self, session: &str, id: &str, command: &str) -> Answer {
        self.hook(session, "PreToolUse", &bash(id, command))
    }

    /// Tells that a shell call succeeded.
    pub(crate) fn done(&self, session: &str, id: &str, command: &str) -> Answer {
        let mut fields = bash(id, command);
        fields["tool_response"] = json!({"stdout": "", "stderr": "", "interrupted": false, "isImage": false});
        self.hook(session, "PostToolUse", &fields)
    }

    /// A shell call as the client runs it: asked about, really run when allowed, and its end told.
    pub(crate) fn call(&self, session: &str, id: &str, command: &str) -> Answer {
        let answer = self.ask(session, id, command);
        if !answer.is_deny() {
            self.run(command);
            self.done(session, id, command);
        }
        answer
    }

    /// Runs a command that no hook sees.
    pub(crate) fn run(&self, command: &str) {
        self.run_in(&self.project(), command);
    }

    /// The same, in a folder; gives back its exit status and all that it printed.
    pub(crate) fn run_in(&self, folder: &Path, command: &str) -> (i32, String) {
        let mut sh = Command::new("sh");
        sh.arg("-c").arg(command).current_dir(folder).env("HOME", self.base.path()).env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            sh.env(format!("GIT_{who}_NAME"), "dev").env(format!("GIT_{who}_EMAIL"), "dev@example.invalid");
        }
        let output = sh.output().expect("sh runs");
        let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.code().unwrap_or(1), printed.trim_end().to_owned())
    }

    pub(crate) fn log(&self) -> String {
        let log = self.state_dir().join("log");
        // A test may have put a pipe there.
        if log.is_file() { fs::read_to_string(log).unwrap_or_default() } else { String::new() }
    }
}

pub(crate) fn bash(id: &str, command: &str) -> Value {
    json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}})
}

/// Reads an answer, and holds every one to the contract: status 0, nothing on standard error, and one JSON
/// object or nothing at all on standard output.
pub(crate) fn answer(output: &Output) -> Answer {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    if output.stdout.is_empty() {
        return Answer::Silence;
    }
    let answer: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let specific = &answer["hookSpecificOutput"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let answer = if specific["permissionDecision"] == "deny" {
        Answer::Deny(text(&specific["permissionDecisionReason"]))
    } else if answer["decision"] == "block" {
        Answer::Block(text(&answer["reason"]))
    } else {
        // At the end of a turn there is nobody but the person to tell.
        let to_model = text(&specific["additionalContext"]);
        Answer::Note(if to_model.is_empty() { text(&answer["systemMessage"]) } else { to_model })
    };
    let named: usize = metas().map(|meta| answer.text().matches(&format!("[{}]", meta.id)).count()).sum();
    assert_eq!(named, 1, "every message names one rule: {answer:?}");
    let ends_with = |id: &str| answer.text().ends_with(&format!(" [{id}]"));
    assert!(metas().any(|meta| ends_with(meta.id)), "and ends with it: {answer:?}");
    assert!(answer.text().len() <= 1024, "{answer:?}");
    answer
}
