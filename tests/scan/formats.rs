//! The formats, each against its schema or by its text.

use std::fs;
use std::path::Path;

use crate::home::{Home, LOOK, QUOTE, RESTORE};
use serde_json::{Value, json};

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
    for line in &lines {
        assert_valid(&schema, line);
    }
    let types: Vec<&str> = lines.iter().filter_map(|line| line["type"].as_str()).collect();
    assert_eq!(types, ["finding", "finding", "finding", "finding", "summary"]);
    assert_eq!(lines.iter().filter(|line| line["suppression"].is_object()).count(), 1);
}

#[test]
fn sarif_is_as_the_standard_says() {
    let home = everything();
    let mut schema = file("tests/scan/sarif-schema-2.1.0.json");
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
    assert!(home.scan(&["--format", "github", "--fail-on", "info"]).1.contains("::notice title=session/"), "what fails is listed");
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
