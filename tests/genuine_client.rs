//! The genuine client, driven through whole sessions against a scripted model: what a hook answers
//! proves nothing until the client acts on it.
//!
//! Without the client's binary these tests say so and pass; `TURNSTOP_REQUIRE_CLIENT=1` makes that a
//! failure. `tests/client/run_scenario.py` does the driving.

use std::error::Error;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The version of the npm package `@anthropic-ai/claude-code` that the scenarios were written against.
const CLIENT_VERSION: &str = include_str!("client/client-version");

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// What the runner reported, or `None` when there is no client to run.
fn play(scenario: &str, args: &[&OsStr]) -> Result<Option<Value>> {
    let Some(claude) = client()? else { return Ok(None) };
    let folder = Path::new(ROOT).join("tests/client");
    let output = Command::new("python3")
        .arg(folder.join("run_scenario.py"))
        .arg(folder.join("scenarios").join(scenario).with_extension("json"))
        .arg("--claude")
        .arg(claude)
        .args(args)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()?;
    let report = serde_json::from_slice(&output.stdout);
    report.map(Some).map_err(|error| {
        let stderr = String::from_utf8_lossy(&output.stderr);
        format!("the runner ended with {} and no report ({error}): {stderr}", output.status).into()
    })
}

fn with_hooks() -> [&'static OsStr; 2] {
    ["--turnstop".as_ref(), env!("CARGO_BIN_EXE_turnstop").as_ref()]
}

/// The client's native binary: `TURNSTOP_CLAUDE`, or what `npm install` left in the cache folder.
fn client() -> Result<Option<PathBuf>> {
    let found = match std::env::var_os("TURNSTOP_CLAUDE") {
        Some(path) => Some(PathBuf::from(path)),
        None => cached_client(),
    };
    if let Some(path) = found.filter(|path| path.is_file()) {
        return Ok(Some(path));
    }
    if std::env::var_os("TURNSTOP_REQUIRE_CLIENT").is_some_and(|value| value == "1") {
        return Err("no client: set TURNSTOP_CLAUDE to the path of its native binary".into());
    }
    // Written to the handle: the test harness would keep a line of eprintln! to itself.
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    let line = format!("skipped: {name}: no client {}, set TURNSTOP_CLAUDE to its native binary\n", CLIENT_VERSION.trim());
    std::io::stderr().write_all(line.as_bytes())?;
    Ok(None)
}

fn cached_client() -> Option<PathBuf> {
    let packages = format!("{ROOT}/.cache/claude-code-{}/node_modules/@anthropic-ai", CLIENT_VERSION.trim());
    let mut entries = std::fs::read_dir(packages).ok()?.flatten();
    entries.find_map(|entry| Some(entry.path().join("claude")).filter(|path| path.is_file()))
}

/// The checks of a report that did not hold.
fn failed(report: &Value) -> Vec<&Value> {
    report["checks"].as_array().into_iter().flatten().filter(|check| check["ok"] != true).collect()
}

fn assert_held(report: &Value) {
    let failed = failed(report);
    let starts = report["steps"].as_array().into_iter().flatten();
    let starts: Vec<_> =
        starts.map(|step| format!("exit {}, result {}, stderr {}", step["exit"], step["result"], step["stderr"])).collect();
    assert!(failed.is_empty(), "did not hold: {failed:#?}\nstarts of the client: {starts:#?}");
}

/// Plays a scenario with hooks, holds it to its expectations, and hands on the transcript of its first session.
fn held(scenario: &str, then: impl FnOnce(&str) -> Result) -> Result {
    let work = tempfile::Builder::new().prefix("turnstop-client-").tempdir_in("/tmp")?;
    let play_in = work.path().join("kept");
    let [turnstop, binary] = with_hooks();
    let Some(report) = play(scenario, &[turnstop, binary, "--work".as_ref(), play_in.as_ref()])? else { return Ok(()) };
    assert_held(&report);
    then(report["transcripts"][0].as_str().ok_or("the client left no transcript")?)
}

#[test]
fn a_restore_from_a_shared_temp_path_does_not_run() -> Result {
    held("temp_path_restore", |path| {
        let transcript = std::fs::read_to_string(path)?;
        assert!(transcript.contains("[session/shared-temp-path]"), "the denial stands in the transcript: {transcript}");
        let live = denied_live(&transcript);
        assert_eq!(live.len(), 1, "{transcript}");
        assert_eq!(said_by_replay(path)?, live.into_iter().map(|call| (call, "deny".to_owned())).collect::<Vec<_>>());
        Ok(())
    })
}

#[test]
fn what_was_written_before_a_compaction_is_known_after_it() -> Result {
    held("compaction_keeps_state", |path| {
        assert_eq!(denied_live(&std::fs::read_to_string(path)?).len(), 1);
        Ok(())
    })
}

#[test]
fn a_false_claim_is_answered_once() -> Result {
    held("failed_gate_then_claim", |path| {
        // A replay speaks as where a person watches.
        assert_eq!(said_by_replay(path)?, [(String::new(), "block".to_owned())]);
        Ok(())
    })
}

#[test]
fn files_that_pile_up_on_main_are_mentioned_once() -> Result {
    held("edits_on_main", |path| {
        assert_eq!(said_by_replay(path)?, [(String::new(), "note".to_owned())]);
        Ok(())
    })
}

#[test]
fn a_loop_is_noted_before_its_third_round() -> Result {
    held("same_command_loop", |path| {
        let said = said_by_replay(path)?;
        assert!(matches!(&said[..], [(_, word)] if word == "note"), "{said:?}");
        Ok(())
    })
}

/// The ids of the calls that the hook denied, by the client's own record of it.
fn denied_live(transcript: &str) -> Vec<String> {
    let lines = transcript.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let denied = lines.filter(|line| line["toolDenialKind"] == "permission-rule");
    denied.filter_map(|line| line["message"]["content"][0]["tool_use_id"].as_str().map(str::to_owned)).collect()
}

/// What a replay says the hook would have said: calls by id.
fn said_by_replay(transcript: &str) -> Result<Vec<(String, String)>> {
    let output = Command::new(env!("CARGO_BIN_EXE_turnstop")).args(["replay", "--json", transcript]).output()?;
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout)?;
    let calls = text.lines().map(serde_json::from_str::<Value>).collect::<std::result::Result<Vec<_>, _>>()?;
    let spoken = calls.iter().filter(|call| !call["said"].is_null());
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok(spoken.map(|call| (word(&call["call_id"]), word(&call["said"]))).collect())
}

#[test]
fn a_clean_session_is_silent() -> Result {
    held("clean_session", |path| {
        assert_eq!(said_by_replay(path)?, [], "and so is its replay");
        Ok(())
    })
}

const SCENARIOS: &[&str] =
    &["temp_path_restore", "compaction_keeps_state", "failed_gate_then_claim", "edits_on_main", "same_command_loop", "clean_session"];

/// Each scenario tells a session with turnstop from one without.
#[test]
fn the_expectations_fail_without_hooks() -> Result {
    for scenario in SCENARIOS {
        let Some(report) = play(scenario, &["--no-hooks".as_ref()])? else { return Ok(()) };
        let of_hooks = |check: &&Value| !check["where"].is_null();
        assert!(failed(&report).iter().any(of_hooks), "{scenario} says nothing about hooks");
        assert!(failed(&report).iter().all(of_hooks), "{scenario} broke: {:#?}", failed(&report));
    }
    Ok(())
}
