//! Levels, the project's own file, allow entries, trust, baselines.

use std::fs;

use crate::home::{Home, RESTORE, at_terminal, sessions_found};
use serde_json::{Value, json};

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
    assert!(out.contains("allow entries of a project count only where you trust the file (`turnstop trust`)"), "{out}");
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
    assert!(out.contains("known.json acknowledges 1 finding now"), "{out}");
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
fn a_part_that_is_written_to_a_baseline_keeps_what_it_holds_of_the_rest() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    home.record("s2", 2, &RESTORE);
    let file = home.path("known.json");
    let name = file.to_string_lossy();
    home.scan(&["--session", "s1", "--write-baseline", &name]);
    assert_eq!(sessions_found(&home.json(&["--baseline", &name])), ["s2"]);
    home.scan(&["--session", "s2", "--write-baseline", &name]);
    assert_eq!(home.json(&["--baseline", &name])["summary"]["suppressed"], 2);
    fs::write(&file, "[]").expect("written");
    assert!(home.refused(&["scan", "--baseline", &name]).contains("known.json: not a baseline: "));
}

/// What the hook answers to a restore from a fixed temporary path: its decision, or `note`, or nothing.
fn live(home: &Home) -> String {
    let id = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_nanos().to_string();
    let payload = json!({
        "hook_event_name": "PreToolUse", "session_id": id, "cwd": home.project(), "transcript_path": home.path("none.jsonl"),
        "tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": "cp /tmp/turnstop-none.bak a.txt"},
    });
    let record = |event: &str, id: &str, command: &str| {
        let mut payload = payload.clone();
        payload["hook_event_name"] = json!(event);
        payload["tool_use_id"] = json!(id);
        payload["tool_input"]["command"] = json!(command);
        payload["tool_response"] = json!({"stdout": "", "stderr": ""});
        let mut hook = home.command(&["hook"]);
        let output = hook.env("XDG_STATE_HOME", home.path("state")).write_stdin(payload.to_string()).output().expect("it runs");
        String::from_utf8(output.stdout).expect("text")
    };
    record("PreToolUse", "1", "cp a.txt /tmp/turnstop-none.bak");
    record("PostToolUse", "1", "cp a.txt /tmp/turnstop-none.bak");
    let answer = record("PreToolUse", "2", "cp /tmp/turnstop-none.bak a.txt");
    if answer.is_empty() {
        return answer;
    }
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("note").to_owned()
}

#[test]
fn the_hook_goes_by_the_same_config() {
    let home = Home::new();
    let project = |text: &str| fs::write(home.project().join(".turnstop.toml"), text).expect("written");
    assert_eq!(live(&home), "deny");
    let level = |word: &str| format!("[rules.\"session/shared-temp-path\"]\nlevel = \"{word}\"\n");
    project(&level("off"));
    assert_eq!(live(&home), "deny", "a project may not loosen");
    home.config(&level("off"));
    assert_eq!(live(&home), "");
    project(&level("block"));
    assert_eq!(live(&home), "note", "nor have a rule block");
    assert_eq!(at_terminal(&home, &[], "trust").0, 0);
    assert_eq!(live(&home), "deny", "unless it is trusted");
    project("[nonsense]\n");
    assert_eq!(live(&home), "", "what is wrong counts as missing, and the person's own file still counts");
    home.config("[[allow]]\nrule = \"shared-temp-path\"\npath = \"/tmp/turnstop-*\"\nreason = \"r\"\n");
    assert_eq!(live(&home), "");
    home.config("[[allow]]\nrule = \"shared-temp-path\"\npath = \"/tmp/turnstop-*\"\nexpires = \"2020-01-01\"\n");
    assert_eq!(live(&home), "deny");
}

#[test]
fn of_many_projects_one_with_a_bad_config_is_told_and_keeps_no_other_from_being_read() {
    let home = Home::new();
    home.record("s1", 1, &RESTORE);
    let other = home.path("other");
    fs::create_dir_all(&other).expect("made");
    home.record_in(&other, "s2", 2, &RESTORE);
    fs::write(other.join(".turnstop.toml"), "[nonsense]\n").expect("written");
    let report = home.json(&["--all-projects"]);
    assert_eq!(sessions_found(&report).len(), 2);
    assert!(report["notes"].to_string().contains(".turnstop.toml:1: unknown key `nonsense`"), "{report:#}");
    assert!(home.refused(&["scan", &other.to_string_lossy()]).contains("unknown key `nonsense`"));
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
