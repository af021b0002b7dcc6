//! Sessions of several clients in one home, and the commands that persons typed in them.

use std::fs;
use std::path::{Path, PathBuf};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use serde_json::{Value, json};

use crate::home::{Home, RESTORE};

const ID: &str = "0199aaaa-0000-7000-8000-00000000000";

/// A rollout in the making.
struct Rollout {
    id: String,
    hour: u32,
    lines: Vec<Value>,
}

impl Rollout {
    fn new(n: u32, cwd: &Path) -> Self {
        let mut rollout = Rollout { id: format!("{ID}{n}"), hour: n, lines: Vec::new() };
        let meta = json!({"id": rollout.id, "cwd": cwd, "git": {"branch": "main"}, "source": "cli"});
        rollout.line("session_meta", &meta);
        rollout.event(json!({"type": "task_started"}));
        rollout
    }

    fn line(&mut self, kind: &str, payload: &Value) {
        let minute = self.lines.len();
        self.lines.push(json!({"timestamp": format!("2026-06-05T1{}:{minute:02}:00.000Z", self.hour), "type": kind, "payload": payload}));
    }

    #[expect(clippy::needless_pass_by_value, reason = "made on the spot")]
    fn event(&mut self, payload: Value) {
        self.line("event_msg", &payload);
    }

    #[expect(clippy::needless_pass_by_value, reason = "made on the spot")]
    fn item(&mut self, payload: Value) {
        self.line("response_item", &payload);
    }

    fn shell(mut self, command: &str, status: i32, output: &str) -> Self {
        let call = format!("call_{}", self.lines.len());
        let arguments = json!({"command": command}).to_string();
        self.item(json!({"type": "function_call", "name": "shell_command", "arguments": arguments, "call_id": call}));
        let output = format!("Exit code: {status}\nWall time: 0.1 seconds\nOutput:\n{output}");
        self.item(json!({"type": "function_call_output", "call_id": call, "output": output}));
        self
    }

    fn typed(mut self, command: &str) -> Self {
        let text = format!(
            "<user_shell_command>\n<command>\n{command}\n</command>\n<result>\nExit code: 0\nDuration: 0.1 seconds\nOutput:\n\n</result>\n</user_shell_command>"
        );
        self.item(json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}));
        self
    }

    fn says(mut self, words: &str) -> Self {
        self.item(json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]}));
        self.event(json!({"type": "task_complete", "last_agent_message": words}));
        self
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| line.to_string() + "\n").collect()
    }

    /// Writes it where Codex keeps it, below `folder`.
    fn put(&self, folder: &Path) -> PathBuf {
        let path = folder.join(format!("sessions/2026/06/05/rollout-2026-06-05T10-00-00-{}.jsonl", self.id));
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, self.text()).expect("written");
        path
    }

    fn put_packed(&self, folder: &Path) -> PathBuf {
        let path = folder.join(format!("archived_sessions/rollout-2026-06-05T10-00-00-{}.jsonl.zst", self.id));
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, compress_to_vec(self.text().as_bytes(), CompressionLevel::Fastest)).expect("written");
        path
    }
}

/// Each finding's rule, and its last place.
fn found(report: &Value) -> Vec<(String, String, String, u64)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let of = |finding: &Value| {
        let place = finding["places"].as_array().expect("places").last().expect("a place").clone();
        let rule = text(&finding["rule"]).replace("session/", "");
        (rule, text(&place["session"]), text(&place["file"]), place["line"].as_u64().expect("a line"))
    };
    report["findings"].as_array().expect("findings").iter().map(of).collect()
}

fn restores(n: u32, cwd: &Path) -> Rollout {
    Rollout::new(n, cwd).shell(RESTORE[0], 0, "").shell(RESTORE[1], 0, "")
}

#[test]
fn sessions_of_every_client_are_read() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let plain = restores(1, &home.project()).put(&home.path(".codex"));
    let packed = restores(2, &home.project().join("sub")).put_packed(&home.path(".codex"));
    restores(3, &home.path("elsewhere")).put(&home.path(".codex"));
    let report = home.json(&[]);
    let error =
        |session: &str, file: &Path, line| ("shared-temp-path".to_owned(), session.to_owned(), file.to_string_lossy().into_owned(), line);
    let mut found = found(&report);
    found.sort();
    let claude = home.transcript(&home.project(), "s1");
    let expected = [error(&format!("{ID}1"), &plain, 5), error(&format!("{ID}2"), &packed, 5), error("s1", &claude, 3)];
    assert_eq!(found, expected);
    assert_eq!((&report["read"]["sessions"], &report["read"]["clients"]), (&json!(3), &json!({"claude": 1, "codex": 2})));
    let folders: Vec<_> = [claude.parent().expect("a folder"), &home.path(".codex/archived_sessions"), &home.path(".codex/sessions")]
        .map(|folder| json!(folder))
        .into();
    let mut told = report["read"]["folders"].as_array().expect("folders").clone();
    told.sort_by_key(ToString::to_string);
    assert_eq!(told, folders);
    assert!(home.scan(&[]).1.contains("read 3 sessions (1 of Claude Code, 2 of Codex), 3 files"));
}

#[test]
fn codex_sessions_are_selected_like_others() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let first = restores(1, &home.project()).put(&home.path(".codex"));
    let second = restores(2, &home.project()).put_packed(&home.path(".codex"));
    let sessions = |args: &[&str]| {
        let mut sessions: Vec<String> = found(&home.json(args)).into_iter().map(|(_, session, _, _)| session).collect();
        sessions.sort();
        sessions
    };
    let old = std::time::SystemTime::now() - std::time::Duration::from_hours(30 * 24);
    fs::File::options().write(true).open(&first).expect("there").set_modified(old).expect("set");
    assert_eq!(sessions(&["--session", &format!("{ID}1")]), [format!("{ID}1")]);
    assert!(home.refused(&["scan", "--session", "0199"]).contains("begins the ids of 2 sessions"));
    assert_eq!(sessions(&["--recent", "2"]), [format!("{ID}2"), "s1".to_owned()]);
    assert_eq!(home.json(&["--since", "7d"])["read"]["clients"], json!({"claude": 1, "codex": 1}));
    assert_eq!(sessions(&["--all-projects"]), [format!("{ID}1"), format!("{ID}2"), "s1".to_owned()]);
    for path in [&first, &second] {
        let report = home.json(&["--transcript", &path.to_string_lossy()]);
        assert_eq!((found(&report).len(), &report["project"]), (1, &json!(home.project())), "{path:?}");
    }
    let renamed = home.path("kept.jsonl");
    fs::rename(&first, &renamed).expect("moved");
    assert_eq!(sessions(&["--transcript", &renamed.to_string_lossy()]), [format!("{ID}1")], "the id is the rollout's own");
    let report = home.json(&["--max-lines", "4", "--transcript", &second.to_string_lossy()]);
    assert_eq!((&report["read"]["truncated"], found(&report).len()), (&json!(1), 0), "a packed one, too");
    let (status, out, _) = home.run(&["replay", &second.to_string_lossy()]);
    assert_eq!(status, 0);
    assert!(out.contains("     5  deny  cp /tmp/a.bak a.txt") && out.contains("2 calls, spoken 1 times"), "{out}");
}

#[test]
fn the_folder_of_codex_may_be_elsewhere() {
    let home = Home::new();
    restores(1, &home.project()).put(&home.path("kept"));
    assert_eq!(home.json(&[])["read"]["sessions"], 0);
    let output = home.command(&["scan"]).env("CODEX_HOME", home.path("kept")).output().expect("it runs");
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(out.contains("read 1 session of Codex, 1 file"), "{out}");
}

#[test]
fn sessions_in_another_repository_below_are_not_the_projects() {
    let home = Home::new();
    let inner = home.project().join("vendor/inner");
    fs::create_dir_all(inner.join(".git")).expect("made");
    fs::write(inner.join(".git/HEAD"), "ref: refs/heads/main\n").expect("written");
    restores(1, &inner).put(&home.path(".codex"));
    assert_eq!(home.json(&[])["read"]["sessions"], 0);
}

#[test]
fn the_rules_see_codex_sessions() {
    let home = Home::new();
    let mut looping = Rollout::new(1, &home.project());
    for _ in 0..3 {
        looping = looping.shell("make thing", 2, "make: *** no rule");
    }
    looping.put(&home.path(".codex"));
    let claim = Rollout::new(2, &home.project()).shell("npm test", 1, "Tests: 3 failed, 5 passed, 8 total").says("All tests pass.");
    claim.put(&home.path(".codex"));
    let mut writes = Rollout::new(3, &home.project());
    for n in 0..12 {
        writes = writes.shell(&format!("printf x > src/f{n}.rs"), 0, "");
    }
    writes.says("Done.").put(&home.path(".codex"));
    let mut rules: Vec<_> = found(&home.json(&[])).into_iter().map(|(rule, session, _, _)| (session, rule)).collect();
    rules.sort();
    let expected = [(1, "consecutive-repeat"), (2, "unverified-gate-claimed-clean"), (3, "default-branch-accumulation")];
    assert_eq!(rules, expected.map(|(n, rule)| (format!("{ID}{n}"), rule.to_owned())));
}

/// A line of Claude Code's about a command that a person typed.
fn typed_line(project: &Path, second: u32, text: &str) -> String {
    let time = format!("2026-06-09T09:00:{second:02}.000Z");
    json!({"type": "user", "uuid": format!("u{second}"), "sessionId": "s1", "cwd": project, "timestamp": time,
        "message": {"role": "user", "content": text}})
    .to_string()
        + "\n"
}

#[test]
fn what_a_person_typed_is_the_sessions_own() {
    let home = Home::new();
    let path = home.record("s1", 1, &["cp a.txt /tmp/a.bak"]);
    let mut text = fs::read_to_string(&path).expect("there");
    for (second, words) in ["<bash-input>cp /tmp/a.bak a.txt</bash-input>", "<bash-stdout></bash-stdout><bash-stderr></bash-stderr>"]
        .iter()
        .zip(1..)
        .map(|(a, b)| (b, a))
    {
        text += &typed_line(&home.project(), second, words);
    }
    fs::write(&path, &text).expect("written");
    let report = home.json(&[]);
    assert_eq!(found(&report).len(), 1, "{report:#}");
    assert_eq!(found(&report)[0].3, 3, "the line of the command");
    let (_, out, _) = home.run(&["replay", &path.to_string_lossy()]);
    assert!(out.contains("1 calls, spoken 0 times"), "no hook is asked: {out}");
    let failed = text.replace("<bash-stderr>", "<bash-stderr>cp: cannot stat '/tmp/a.bak': No such file or directory");
    fs::write(&path, failed).expect("written");
    assert_eq!(found(&home.json(&[])), []);
    fs::remove_file(path).expect("gone");
    Rollout::new(1, &home.project()).typed("cp a.txt /tmp/a.bak").shell("cp /tmp/a.bak a.txt", 0, "").put(&home.path(".codex"));
    assert_eq!(found(&home.json(&[])).len(), 1);
}

#[test]
fn what_a_person_typed_is_no_gate_and_no_repeat() {
    let home = Home::new();
    let run = Rollout::new(1, &home.project()).shell("npm test", 1, "Tests: 3 failed, 5 passed, 8 total").typed("npm test");
    run.says("All tests pass.").put(&home.path(".codex"));
    let mut repeats = Rollout::new(2, &home.project());
    for _ in 0..4 {
        repeats = repeats.typed("make thing");
    }
    repeats.put(&home.path(".codex"));
    assert_eq!(found(&home.json(&[])), []);
}

#[test]
fn a_history_tells_of_sessions_that_left_no_transcript() {
    let home = Home::new();
    let entry = |session: &str, second: u32, text: &str| {
        json!({"display": text, "pastedContents": {}, "timestamp": 1_780_304_400_000_u64 + u64::from(second) * 1000,
            "project": home.project(), "sessionId": session})
        .to_string()
            + "\n"
    };
    let history = home.path(".claude/history.jsonl");
    fs::create_dir_all(home.path(".claude")).expect("made");
    fs::write(&history, entry("gone", 1, "! cp a.txt /tmp/a.bak") + &entry("gone", 2, "!cp /tmp/a.bak a.txt")).expect("written");
    let expected = ("shared-temp-path".to_owned(), "gone".to_owned(), history.to_string_lossy().into_owned(), 2);
    assert_eq!(found(&home.json(&[])), [expected]);
    home.record("gone", 1, &["ls"]);
    assert_eq!(found(&home.json(&[])), [], "the transcript tells what ran");
    home.record("other", 2, &["ls"]);
    assert_eq!(found(&home.json(&["--recent", "1"])), []);
}
