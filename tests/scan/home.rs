//! A home with a project in it, sessions of that project, and the program run there.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;
use turnstop::agent::claude::layout::project_dir_name;

/// A home with a project in it.
pub(crate) struct Home {
    base: TempDir,
}

/// A session that restores from a fixed temporary path: one error.
pub(crate) const RESTORE: [&str; 2] = ["cp a.txt /tmp/a.bak", "cp /tmp/a.bak a.txt"];
/// A session that looks at a log: one finding that is merely worth knowing.
pub(crate) const LOOK: [&str; 2] = ["prog > /tmp/x.log", "cat /tmp/x.log"];
/// A session that takes a commit message from there: one warning.
pub(crate) const QUOTE: [&str; 2] = ["prog > /tmp/msg", "git commit -F /tmp/msg"];

impl Home {
    pub(crate) fn new() -> Self {
        let home = Home { base: tempfile::Builder::new().prefix("home").tempdir().expect("a folder") };
        fs::create_dir_all(home.project()).expect("a project");
        fs::create_dir_all(home.path("config/turnstop")).expect("a config folder");
        home
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        fs::canonicalize(self.base.path()).expect("there").join(below)
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.path("app")
    }

    pub(crate) fn transcript(&self, project: &Path, session: &str) -> PathBuf {
        self.path(".claude/projects").join(project_dir_name(project)).join(format!("{session}.jsonl"))
    }

    /// Records a session of some calls on a day of June 2026.
    pub(crate) fn record(&self, session: &str, day: u32, commands: &[&str]) -> PathBuf {
        self.record_in(&self.project(), session, day, commands)
    }

    pub(crate) fn record_in(&self, project: &Path, session: &str, day: u32, commands: &[&str]) -> PathBuf {
        let mut lines = Vec::new();
        for (n, command) in commands.iter().enumerate() {
            let stamp = |second: u32| format!("2026-06-{day:02}T09:{n:02}:{second:02}.000Z");
            let id = format!("{session}-{n}");
            let line = |kind: &str, second: u32, content: Value| {
                json!({"type": kind, "uuid": format!("{id}-{kind}"), "sessionId": session, "cwd": project, "timestamp": stamp(second),
                    "message": {"role": kind, "content": content}})
            };
            let call = json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
            lines.push(line("assistant", 0, call).to_string());
            let mut result = line("user", 1, json!([{"type": "tool_result", "tool_use_id": id, "content": "", "is_error": false}]));
            result["toolUseResult"] = json!({"stdout": "", "stderr": ""});
            lines.push(result.to_string());
        }
        let path = self.transcript(project, session);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, lines.join("\n") + "\n").expect("written");
        path
    }

    pub(crate) fn config(&self, text: &str) {
        fs::write(self.path("config/turnstop/config.toml"), text).expect("written");
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnstop"));
        command.current_dir(self.project()).env_clear().args(args);
        command.env("HOME", self.path("")).env("XDG_CONFIG_HOME", self.path("config")).env("TZ", "UTC");
        command
    }

    /// Status, standard output, standard error.
    pub(crate) fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.command(args).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
    }

    /// What a scan says, without trouble.
    pub(crate) fn scan(&self, args: &[&str]) -> (i32, String) {
        let (status, out, err) = self.run(&[&["scan"], args].concat());
        assert_eq!(err, "", "{args:?}");
        (status, out)
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.scan(&[&["--format", "json"], args].concat()).1).expect("JSON")
    }

    /// What was wrong.
    pub(crate) fn refused(&self, args: &[&str]) -> String {
        let (status, out, err) = self.run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
        err
    }
}

/// The session of each finding.
pub(crate) fn sessions_found(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().expect("findings").iter();
    findings.map(|finding| finding["places"][1]["session"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Runs a command at a terminal of its own.
pub(crate) fn at_terminal(home: &Home, variables: &[(&str, &str)], words: &str) -> (i32, String) {
    let mut command = std::process::Command::new("script");
    command.args(["-qec", &format!("{} {words}", env!("CARGO_BIN_EXE_turnstop")), "/dev/null"]).current_dir(home.project()).env_clear();
    command
        .env("HOME", home.path(""))
        .env("XDG_CONFIG_HOME", home.path("config"))
        .env("PATH", "/usr/bin:/bin")
        .envs(variables.iter().copied());
    let output = command.stdin(std::process::Stdio::null()).output().expect("script runs");
    (output.status.code().expect("a status"), String::from_utf8_lossy(&output.stdout).replace('\r', ""))
}
