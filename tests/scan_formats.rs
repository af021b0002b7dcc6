//! `turnstop scan`: its formats against their schemas, selection, config, suppression, baselines.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;
use turnstop::agent::claude::layout::project_dir_name;

/// A home with a project in it.
struct Home {
    base: TempDir,
}

/// A session that restores from a fixed temporary path: one error.
const RESTORE: [&str; 2] = ["cp a.txt /tmp/a.bak", "cp /tmp/a.bak a.txt"];
/// A session that looks at a log: one finding that is merely worth knowing.
const LOOK: [&str; 2] = ["prog > /tmp/x.log", "cat /tmp/x.log"];
/// A session that takes a commit message from there: one warning.
const QUOTE: [&str; 2] = ["prog > /tmp/msg", "git commit -F /tmp/msg"];

impl Home {
    fn new() -> Self {
        let home = Home { base: tempfile::Builder::new().prefix("home").tempdir().expect("a folder") };
        fs::create_dir_all(home.project()).expect("a project");
        fs::create_dir_all(home.path("config/turnstop")).expect("a config folder");
        home
    }

    fn path(&self, below: &str) -> PathBuf {
        fs::canonicalize(self.base.path()).expect("there").join(below)
    }

    fn project(&self) -> PathBuf {
        self.path("app")
    }

    fn transcript(&self, project: &Path, session: &str) -> PathBuf {
        self.path(".claude/projects").join(project_dir_name(project)).join(format!("{session}.jsonl"))
    }

    /// Records a session of some calls on a day of June 2026.
    fn record(&self, session: &str, day: u32, commands: &[&str]) -> PathBuf {
        self.record_in(&self.project(), session, day, commands)
    }

    fn record_in(&self, project: &Path, session: &str, day: u32, commands: &[&str]) -> PathBuf {
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

    fn config(&self, text: &str) {
        fs::write(self.path("config/turnstop/config.toml"), text).expect("written");
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnstop"));
        command.current_dir(self.project()).env_clear().args(args);
        command.env("HOME", self.path("")).env("XDG_CONFIG_HOME", self.path("config")).env("TZ", "UTC");
        command
    }

    /// Status, standard output, standard error.
    fn run(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.command(args).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
    }

    /// What a scan says, without trouble.
    fn scan(&self, args: &[&str]) -> (i32, String) {
        let (status, out, err) = self.run(&[&["scan"], args].concat());
        assert_eq!(err, "", "{args:?}");
        (status, out)
    }

    fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.scan(&[&["--format", "json"], args].concat()).1).expect("JSON")
    }

    /// What was wrong.
    fn refused(&self, args: &[&str]) -> String {
        let (status, out, err) = self.run(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}: {err}");
        err
    }
}

fn sessions_found(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().expect("findings").iter();
    findings.map(|finding| finding["places"][1]["session"].as_str().unwrap_or_default().to_owned()).collect()
}

fn file(name: &str) -> Value {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a file of the repository");
    serde_json::from_str(&text).expect("JSON")
}

fn assert_valid(schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).expect("a schema");
    let wrong: Vec<String> = validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{}\n{value:#}", wrong.join("\n"));
}

/// A home that has everything a report can hold.
fn everything() -> Home {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    home.record("s2", 2, &QUOTE);
    home.record("s3", 3, &LOOK);
    home.record("s4", 4, &["cp b.txt /tmp/allowed.bak", "cp /tmp/allowed.bak b.txt"]);
    let damaged = home.record("s5", 5, &["true"]);
    let text = fs::read_to_string(&damaged).expect("there");
    fs::write(&damaged, text + "no json\n{\"type\":\"brand-new\"}\n{\"type\":\"assis").expect("written");
    fs::create_dir_all(home.path("x").join("y")).expect("made");
    let orphan = home.transcript(&home.project(), "s6").with_extension("").join("subagents/agent-a.jsonl");
    fs::create_dir_all(orphan.parent().expect("a folder")).expect("made");
    fs::write(orphan, "").expect("written");
    home.config(
        "[[allow]]\nrule = \"shared-temp-path\"\npath = \"/tmp/allowed.*\"\nreason = \"by design\"\n\
         [[allow]]\nrule = \"cyclic-pattern\"\ncommand = \"make\"\n",
    );
    home
}

#[test]
fn json_is_as_its_schema_says() {
    let home = everything();
    let schema = file("docs/scan.schema.json");
    for args in [&[][..], &["--max-lines", "1", "--recent", "2"], &["--min-severity", "error"], &["--all-projects"]] {
        assert_valid(&schema, &home.json(args));
    }
    let report = home.json(&[]);
    assert_eq!(report["summary"], json!({"errors": 1, "warnings": 1, "info": 1, "prevented": 0, "suppressed": 1}));
    assert_eq!(report["suppressed"][0]["suppression"]["reason"], "by design");
    assert_eq!(home.json(&["--min-severity", "error"])["findings"].as_array().map(Vec::len), Some(1));
    assert_eq!(home.json(&["--min-severity", "error"])["summary"], report["summary"], "all are counted");
}

#[test]
fn jsonl_is_a_line_for_each_finding_and_a_summary() {
    let home = everything();
    let mut schema = file("docs/scan.schema.json");
    schema = json!({"$schema": schema["$schema"], "$defs": schema["$defs"], "$ref": "#/$defs/line"});
    let lines: Vec<Value> = home.scan(&["--format", "jsonl"]).1.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    lines.iter().for_each(|line| assert_valid(&schema, line));
    let types: Vec<&str> = lines.iter().filter_map(|line| line["type"].as_str()).collect();
    assert_eq!(types, ["finding", "finding", "finding", "finding", "summary"]);
    assert_eq!(lines.iter().filter(|line| line["suppression"].is_object()).count(), 1);
}

#[test]
fn sarif_is_as_the_standard_says() {
    let home = everything();
    let mut schema = file("tests/sarif/sarif-schema-2.1.0.json");
    // A lone bracket is fine in ECMA 262, and nowhere else.
    for owner in ["run", "toolComponent"] {
        schema["definitions"][owner]["properties"]["language"]["pattern"] = json!("^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    }
    let sarif = |args: &[&str]| -> Value { serde_json::from_str(&home.scan(&[&["--format", "sarif"], args].concat()).1).expect("JSON") };
    let log = sarif(&[]);
    assert_valid(&schema, &log);
    assert_valid(&schema, &sarif(&["--since", "2026-06-02", "--all-projects"]));
    let run = &log["runs"][0];
    let results = run["results"].as_array().expect("results");
    let levels: Vec<&str> = results.iter().filter_map(|result| result["level"].as_str()).collect();
    assert_eq!(levels, ["error", "warning", "note", "error"]);
    let suppressed: Vec<usize> = results.iter().filter_map(|result| Some(result["suppressions"].as_array()?.len())).collect();
    assert_eq!(suppressed, [0, 0, 0, 1]);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    let told: Vec<&str> = run["invocations"][0]["toolExecutionNotifications"]
        .as_array()
        .expect("notifications")
        .iter()
        .filter_map(|told| told["message"]["text"].as_str())
        .collect();
    for want in ["not read: ", "1 line not read", "ends within a line", "brand-new (1)"] {
        assert!(told.iter().any(|told| told.contains(want)), "{want}: {told:?}");
    }
    let prints = |log: &Value| -> Vec<Value> {
        log["runs"][0]["results"].as_array().into_iter().flatten().map(|result| result["partialFingerprints"].clone()).collect()
    };
    assert_eq!(prints(&log), prints(&sarif(&[])), "the same over runs");
}

#[test]
fn github_annotates_and_escapes() {
    let home = everything();
    home.record("s7", 7, &["cp a.txt '/tmp/50%,a:b'", "cp '/tmp/50%,a:b' a.txt"]);
    let (status, out) = home.scan(&["--format", "github"]);
    assert_eq!(status, 1);
    let errors: Vec<&str> = out.lines().filter(|line| line.starts_with("::error ")).collect();
    assert_eq!(errors.len(), 2, "{out}");
    assert!(errors.iter().all(|line| line.starts_with("::error title=session/shared-temp-path::fixed temp path ")), "{out}");
    assert!(out.contains("/tmp/50%25,a:b") && out.contains("%0Ahelp: "), "{out}");
    assert!(out.contains("::warning title=turnstop::not read: ") && out.contains("::notice title=turnstop::"), "{out}");
    assert!(!out.contains("::notice title=session/"), "info is for --min-severity info: {out}");
    assert!(home.scan(&["--format", "github", "--min-severity", "info"]).1.contains("::notice title=session/shared-temp-path::"));
}

#[test]
fn text_goes_session_by_session_and_closes_with_everything() {
    let home = everything();
    let (status, out) = home.scan(&[]);
    assert_eq!(status, 1);
    let heads: Vec<&str> = out.lines().filter(|line| line.starts_with("session s")).collect();
    assert_eq!(heads, ["session s1", "session s2"], "{out}");
    for line in [
        "note: ~",
        "1 line not read: no JSON",
        "1 file ends within a line",
        "lines of unknown types, passed over: brand-new (1)",
        "1 error, 1 warning, 1 info and 0 prevented (--verbose shows them), 1 suppressed (1 allowed, 0 in the baseline; --verbose shows them)",
    ] {
        let line =
            line.replace("note: ~", &format!("note: {}:5: the entry that allows", home.path("config/turnstop/config.toml").display()));
        assert!(out.contains(&line), "{line}\n{out}");
    }
    let (_, verbose) = home.scan(&["--verbose"]);
    assert!(verbose.contains("suppressed[session/shared-temp-path]") && verbose.contains(": by design\n"), "{verbose}");
    assert!(!home.scan(&["--min-severity", "error"]).1.contains("warning["), "{out}");
    assert!(home.scan(&["--min-severity", "info"]).1.contains("info[session/shared-temp-path]"));
}

#[test]
fn sessions_are_selected_by_the_beginning_of_their_id() {
    let home = Home::new();
    home.record("abc-1", 1, &RESTORE);
    home.record("abd-2", 2, &RESTORE);
    let report = home.json(&["--session", "abd"]);
    assert_eq!((sessions_found(&report), &report["read"]["bounded"]), (vec!["abd-2".to_owned()], &json!(true)));
    assert_eq!(report["read"]["bounds"], json!(["--session: 1 session left out"]));
    assert_eq!(home.json(&["--session", "abd", "--session", "abc-1"])["read"]["sessions"], 2);
    assert!(home.refused(&["scan", "--session", "ab"]).starts_with("error: `ab` begins the ids of 2 sessions: abc-1, abd-2"));
    assert!(home.refused(&["scan", "--session", "x"]).starts_with("error: no session's id begins with `x`"));
}

#[test]
fn transcripts_are_read_wherever_they_stand() {
    let home = Home::new();
    let path = home.record("s1", 1, &RESTORE);
    let elsewhere = home.path("kept.jsonl");
    fs::rename(path, &elsewhere).expect("moved");
    let elsewhere = elsewhere.to_string_lossy();
    let report = home.json(&["--transcript", &elsewhere]);
    assert_eq!(sessions_found(&report), ["kept"]);
    assert_eq!(report["project"], json!(home.project()), "as its lines say");
    assert!(home.refused(&["scan", "--transcript", "none.jsonl"]).starts_with("error: none.jsonl is not a file"));
}

#[test]
fn what_happened_before_a_day_is_left_out() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    home.record("s2", 20, &RESTORE);
    let report = home.json(&["--since", "2026-06-10"]);
    assert_eq!((sessions_found(&report), &report["read"]["bounded"]), (vec!["s2".to_owned()], &json!(true)));
    let old = fs::File::options().write(true).open(home.transcript(&home.project(), "s1")).expect("there");
    old.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(30 * 86_400)).expect("set");
    let report = home.json(&["--since", "7d"]);
    assert_eq!(report["read"]["sessions"], 1, "what was not written since need not be read");
    assert!(report["read"]["bounds"].to_string().contains("1 session left out that ended before"), "{report:#}");
    assert!(home.refused(&["scan", "--since", "soon"]).contains("neither a day (2026-11-30) nor an age (7d, 12h)"));
}

#[test]
fn the_newest_sessions_are_read_and_their_subagents_push_none_out() {
    let home = Home::new();
    for (n, session) in ["s1", "s2", "agent-x", "s3"].into_iter().enumerate() {
        let path = home.record(session, u32::try_from(n).expect("small") + 1, &RESTORE);
        let time = std::time::SystemTime::now() - std::time::Duration::from_secs(1000 - 100 * n as u64);
        fs::File::options().write(true).open(path).expect("there").set_modified(time).expect("set");
    }
    let report = home.json(&["--recent", "2"]);
    assert_eq!((&report["read"]["files"], &report["read"]["bounds"]), (&json!(3), &json!(["--recent 2: 1 session left out"])));
}

#[test]
fn a_file_of_which_only_the_first_lines_are_read_is_told() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let report = home.json(&["--max-lines", "2"]);
    assert_eq!((&report["read"]["lines"], &report["read"]["truncated"], &report["read"]["bounded"]), (&json!(2), &json!(1), &json!(true)));
    assert_eq!(report["findings"], json!([]));
    let report = home.json(&["--max-lines", "4"]);
    assert_eq!((&report["read"]["bounded"], sessions_found(&report).len()), (&json!(false), 1), "four are all");
    assert!(home.scan(&["--max-lines", "3"]).1.contains("bounded: --max-lines: 1 file read in part\n"));
}

#[test]
fn every_project_is_read_when_asked_for() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let other = home.path("other");
    fs::create_dir_all(&other).expect("made");
    home.record_in(&other, "s2", 2, &RESTORE);
    fs::write(other.join(".turnstop.toml"), "[rules.\"session/shared-temp-path\"]\nlevel = \"warn\"\n").expect("written");
    assert_eq!(sessions_found(&home.json(&[])), ["s1"]);
    let report = home.json(&["--all-projects"]);
    assert_eq!((sessions_found(&report), &report["read"]["sessions"]), (vec!["s1".to_owned(), "s2".to_owned()], &json!(2)));
    assert_eq!(report["notes"].as_array().map(Vec::len), Some(1), "what the other project would loosen: {report:#}");
}

#[test]
fn rules_are_selected_by_id_or_name() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    assert_eq!(home.scan(&["--rule", "shared-temp-path"]).0, 1);
    assert_eq!(home.scan(&["--rule", "session/cyclic-pattern", "--rule", "stale-gate-claim"]).0, 0);
    assert!(home.scan(&["--rule", "cyclic-pattern"]).1.contains("bounded: --rule: only what session/cyclic-pattern finds\n"));
    let wrong = home.refused(&["scan", "--rule", "shared-tmp-path"]);
    assert_eq!(wrong, "error: `shared-tmp-path` is no rule\nhelp: did you mean `shared-temp-path`?\n");
}

#[test]
fn levels_weigh_in_a_scan() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    for (level, status, summary) in
        [("block", 1, json!([1, 0, 0])), ("warn", 0, json!([0, 1, 0])), ("note", 0, json!([0, 0, 1])), ("off", 0, json!([0, 0, 0]))]
    {
        home.config(&format!("[rules.\"session/shared-temp-path\"]\nlevel = \"{level}\"\n"));
        let got = &home.json(&[])["summary"];
        assert_eq!((home.scan(&[]).0, json!([got["errors"], got["warnings"], got["info"]])), (status, summary), "{level}");
    }
}

#[test]
fn a_config_that_is_wrong_is_an_input_error_with_its_place() {
    let home = Home::new();
    home.config("# mine\n[rules.\"session/shared-temp-path\"]\nlevle = \"note\"\n");
    let place = home.path("config/turnstop/config.toml");
    let problem = format!("{}:3: unknown key `levle` of rule `session/shared-temp-path`; did you mean `level`?", place.display());
    let refused = home.refused(&["scan"]);
    assert!(refused.starts_with(&format!("error: {problem}\n")), "{refused}");
    assert!(home.run(&["status"]).1.contains(&problem), "{}", home.run(&["status"]).1);
    let own = home.path("ci.toml");
    fs::write(&own, "").expect("written");
    assert_eq!(home.scan(&["--config", &own.to_string_lossy()]).0, 0, "another in its place");
    home.config("");
    fs::write(home.project().join(".turnstop.toml"), "[scan]\nsibling = []\n").expect("written");
    assert!(home.refused(&["scan"]).contains(".turnstop.toml:2: unknown key `sibling` of `scan`; did you mean `siblings`?"));
}

#[test]
fn a_project_may_not_loosen_and_says_so() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let text = "[rules.\"session/shared-temp-path\"]\nlevel = \"off\"\n[[allow]]\nrule = \"shared-temp-path\"\npath = \"/tmp/*\"\nreason = \"r\"\n";
    fs::write(home.project().join(".turnstop.toml"), text).expect("written");
    let (status, out) = home.scan(&[]);
    assert_eq!(status, 1);
    let file = home.project().join(".turnstop.toml");
    let loosen = "`level = \"off\"` of rule `session/shared-temp-path` would loosen it, and a project may only tighten; it is `block`";
    assert!(out.contains(&format!("note: {}:2: {loosen}\n", file.display())), "{out}");
    assert!(out.contains("an allow entry of a project counts only where you trust the file (`turnstop trust`)"), "{out}");
}

#[test]
fn entries_that_are_good_for_nothing_are_told() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    home.config(
        "[[allow]]\nrule = \"shared-temp-path\"\npath = \"/tmp/a.bak\"\nreason = \"r\"\nexpires = \"2020-01-01\"\n\
         [[allow]]\nrule = \"shared-temp-path\"\ncommand = \"cp /tmp/a.bak *\"\n\
         [[allow]]\nrule = \"shared-temp-path\"\npath = \"/tmp/none\"\nreason = \"r\"\n",
    );
    let report = home.json(&[]);
    let notes: Vec<&str> = report["notes"].as_array().expect("notes").iter().filter_map(Value::as_str).collect();
    let ends: Vec<&str> = notes.iter().filter_map(|note| note.split_once(" for shared-temp-path ")).map(|(_, end)| end).collect();
    assert_eq!(ends, ["expired on 2020-01-01", "gives no reason", "matched nothing"]);
    assert_eq!(report["summary"]["suppressed"], 1);
    let bounded = home.json(&["--recent", "9", "--rule", "shared-temp-path"])["notes"].to_string();
    assert!(!bounded.contains("matched nothing"), "a part is no ground to say so: {bounded}");
}

#[test]
fn what_a_baseline_acknowledges_comes_back_when_it_is_done_again() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let file = home.path("known.json");
    let name = file.to_string_lossy();
    let (status, out) = home.scan(&["--write-baseline", &name]);
    assert_eq!(status, 0);
    assert!(out.contains("known.json acknowledges 1 findings now"), "{out}");
    assert_eq!(home.scan(&["--baseline", &name]).0, 0);
    assert_eq!(home.json(&["--baseline", &name])["suppressed"][0]["suppression"], json!({"kind": "baseline"}));
    home.record("s2", 2, &RESTORE);
    let report = home.json(&["--baseline", &name]);
    assert_eq!((sessions_found(&report), &report["summary"]["suppressed"]), (vec!["s2".to_owned()], &json!(1)));
    fs::remove_file(home.transcript(&home.project(), "s1")).expect("removed");
    let notes = home.json(&["--baseline", &name])["notes"].to_string();
    assert!(notes.contains("the baseline acknowledges what is no longer found: session/shared-temp-path: fixed temp path"), "{notes}");
    assert_eq!(home.scan(&["--baseline", &name, "--write-baseline", &name]).0, 0);
    assert_eq!(home.json(&["--baseline", &name])["notes"], json!([]), "what is gone is forgotten");
    let (status, out, err) = home.run(&["scan", "--baseline", &home.path("none.json").to_string_lossy()]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("help: write one with `turnstop scan --write-baseline FILE`"), "{err}");
}

#[test]
fn a_scan_writes_nothing_that_was_not_asked_for() {
    let home = everything();
    let list = || {
        let output = std::process::Command::new("find").arg(home.path("")).args(["-printf", "%p %s %T@\n"]).output().expect("find runs");
        String::from_utf8(output.stdout).expect("text")
    };
    let before = list();
    for format in ["text", "json", "jsonl", "sarif", "github"] {
        home.scan(&["--format", format]);
    }
    assert_eq!(list(), before);
}

#[test]
fn a_scan_without_sessions_says_that_they_were_left_out() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let (status, out) = home.scan(&["--no-sessions"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("bounded: --no-sessions: 1 session left out\n"), "{out}");
    assert!(!out.contains("no sessions of"), "{out}");
}

/// Runs a command at a terminal of its own.
fn at_terminal(home: &Home, variables: &[(&str, &str)], words: &str) -> (i32, String) {
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

#[test]
fn allowing_is_for_a_person_and_keeps_what_stands_there() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let words = ["allow", "shared-temp-path", "--path", "/tmp/a.bak", "--reason", "by \"design\""];
    assert!(home.refused(&words).contains("standard input is no terminal"));
    assert!(home.refused(&[&words[..], &["--yes"]].concat()).contains("standard input is no terminal"));
    home.config("# mine\n[scan] # and this\nsiblings = [ '../b' ]");
    let line = "allow shared-temp-path --path /tmp/a.bak --reason 'by \"design\"' --expires 2099-12-31";
    let (status, out) = at_terminal(&home, &[("CLAUDECODE", "1")], line);
    assert!(status == 2 && out.contains("this was started by an agent"), "{out}");
    assert_eq!(home.scan(&[]).0, 1);
    let (status, out) = at_terminal(&home, &[("CLAUDECODE", "1")], &format!("{line} --yes"));
    assert!(status == 0 && out.contains("allowed for session/shared-temp-path"), "{out}");
    let text = fs::read_to_string(home.path("config/turnstop/config.toml")).expect("there");
    let want =
        "# mine\n[scan] # and this\nsiblings = [ '../b' ]\n\n[[allow]]\nrule = \"session/shared-temp-path\"\npath = \"/tmp/a.bak\"\n";
    assert!(text.starts_with(want) && text.ends_with("expires = \"2099-12-31\"\n"), "{text}");
    assert_eq!(home.scan(&[]).0, 0);
    assert_eq!(at_terminal(&home, &[], "allow cyclic-pattern --command 'make *' --reason r").0, 0);
    home.config("allow = []\n");
    let (status, out) = at_terminal(&home, &[], line);
    assert!(status == 2 && out.contains("it was not touched"), "{out}");
    assert!(home.refused(&["allow", "shared-tmp-path", "--path", "x", "--reason", "r"]).contains("did you mean `shared-temp-path`?"));
    assert!(home.refused(&["allow", "cyclic-pattern", "--path", "x", "--reason", " "]).contains("the reason is empty"));
}

#[test]
fn trust_is_a_persons_and_ends_when_the_file_changes() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    assert!(home.refused(&["trust"]).contains("there is no .turnstop.toml"));
    let file = home.project().join(".turnstop.toml");
    let text = "[[allow]]\nrule = \"shared-temp-path\"\npath = \"/tmp/*\"\nreason = \"r\"\n";
    fs::write(&file, text).expect("written");
    assert!(home.refused(&["trust"]).contains("standard input is no terminal"));
    assert_eq!(home.scan(&[]).0, 1);
    assert_eq!(at_terminal(&home, &[], "trust").0, 0);
    assert_eq!(home.scan(&[]).0, 0);
    fs::write(&file, format!("{text}# changed\n")).expect("written");
    assert_eq!(home.scan(&[]).0, 1);
    fs::write(&file, text).expect("written");
    assert_eq!(home.run(&["trust", "--revoke"]).0, 0);
    assert_eq!(home.scan(&[]).0, 1);
}
