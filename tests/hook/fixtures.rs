//! Walks `fixtures/<rule>/`: each file is a short session, played through the hook, with the answer that
//! every call must get.
//!
//! A step is one of: `call` (a shell call that really runs when it is allowed), `ask` (one that is only asked
//! about), `sh` (somebody else on the machine). `{shared}` is a folder of fixed names under `/tmp`, `prints` what a
//! call is told to have printed, `says` words that the answer must hold.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Answer, Machine, bash};
use serde_json::{Value, json};
use turnstop::rules::SESSION_RULES;

fn folder(id: &str) -> PathBuf {
    let name = id.rsplit('/').next().unwrap_or(id);
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

fn fixtures(id: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder(id)).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Plays one fixture; gives back what went otherwise than it says.
fn play(file: &Path) -> Vec<String> {
    let m = Machine::new();
    let text = fs::read_to_string(file).expect("a fixture").replace("{shared}", m.shared("").trim_end_matches('/'));
    let fixture: Value = serde_json::from_str(&text).expect("JSON");
    let mut wrong = Vec::new();
    for (n, step) in fixture["steps"].as_array().expect("steps").iter().enumerate() {
        if let Some(command) = step["sh"].as_str() {
            m.run(command);
            continue;
        }
        let runs = step["call"].is_string();
        let command = step[if runs { "call" } else { "ask" }].as_str().expect("a call, an ask or a sh");
        let session = step["session"].as_str().unwrap_or("mine-0001");
        let mut fields = bash(&format!("call-{n}"), command);
        if let Some(agent) = step["agent"].as_str() {
            fields["agent_id"] = json!(agent);
        }
        let answer = m.hook(session, "PreToolUse", &fields);
        if runs && !answer.is_deny() {
            m.run(command);
            fields["tool_response"] = json!({"stdout": step["prints"].as_str().unwrap_or_default(), "stderr": ""});
            m.hook(session, "PostToolUse", &fields);
        }
        let got = match answer {
            Answer::Silence => "silence",
            Answer::Note(_) => "note",
            Answer::Deny(_) => "deny",
        };
        if step["answer"] != got || !answer.text().contains(step["says"].as_str().unwrap_or_default()) {
            wrong.push(format!("{}: `{command}`: want {} {}, got {answer:?}", file.display(), step["answer"], step["says"]));
        }
    }
    wrong
}

#[test]
fn every_fixture_gets_the_answers_it_says() {
    let files: Vec<PathBuf> = SESSION_RULES.iter().flat_map(|rule| fixtures(rule.meta().id)).collect();
    let wrong: Vec<String> = files.iter().flat_map(|file| play(file)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_a_hit_and_two_ok() {
    for rule in SESSION_RULES {
        let id = rule.meta().id;
        let count = |prefix: &str| {
            fixtures(id).iter().filter(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))).count()
        };
        assert!(count("hit-") >= 1 && count("ok-") >= 2, "{id}");
        assert_eq!(count("hit-") + count("ok-"), fixtures(id).len(), "{id}: a fixture is a hit or an ok");
    }
}
