//! Walks `fixtures/<rule>/`: each `.json` file is a short session, played through the hook, with the answer that
//! every call must get; the `.out` file beside it holds, word for word, what the hook said and what a scan of the
//! transcripts says afterwards. `BLESS=1` writes the `.out` files anew.
//!
//! A step is one of: `call` (a shell call that really runs when it is allowed), `ask` (one that is only asked
//! about, and refused by the person), `sh` (somebody else on the machine). `{shared}` is a folder of fixed names under
//! `/tmp`, `prints` what a call is told to have printed, `says` words that the answer must hold.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Answer, Machine, bash};
use serde_json::{Value, json};
use turnstop::rules::SESSION_RULES;

fn fixtures(id: &str) -> Vec<PathBuf> {
    let name = id.rsplit('/').next().unwrap_or(id);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// One played fixture.
struct Played {
    machine: Machine,
    /// What went otherwise than the fixture says.
    wrong: Vec<String>,
    /// The hook's answers, in words.
    answers: String,
    sessions: BTreeSet<String>,
}

fn play(file: &Path) -> Played {
    let m = Machine::new();
    let text = fs::read_to_string(file).expect("a fixture").replace("{shared}", m.shared("").trim_end_matches('/'));
    let fixture: Value = serde_json::from_str(&text).expect("JSON");
    let mut played = Played { machine: m, wrong: Vec::new(), answers: String::new(), sessions: BTreeSet::new() };
    for (n, step) in fixture["steps"].as_array().expect("steps").iter().enumerate() {
        match step["sh"].as_str() {
            Some(command) => played.machine.run(command),
            None => played.step(n, step),
        }
    }
    played
}

impl Played {
    fn step(&mut self, n: usize, step: &Value) {
        let m = &self.machine;
        let runs = step["call"].is_string();
        let command = step[if runs { "call" } else { "ask" }].as_str().expect("a call, an ask or a sh");
        let session = step["session"].as_str().unwrap_or("mine-0001");
        let agent = step["agent"].as_str().unwrap_or_default();
        let id = format!("call-{n}");
        if self.sessions.insert(session.to_owned()) {
            m.add_line(session, "", json!({"type": "user", "uuid": "p", "message": {"role": "user", "content": "go on with the task"}}));
        }
        let mut fields = bash(&id, command);
        if !agent.is_empty() {
            fields["agent_id"] = json!(agent);
        }
        let answer = m.hook(session, "PreToolUse", &fields);
        let stamp = |second: usize| format!("2026-06-01T09:{n:02}:{second:02}.000Z");
        let content = json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": command}}]);
        m.add_line(session, agent, json!({"type": "assistant", "uuid": format!("a{n}"), "timestamp": stamp(0), "message": {"role": "assistant", "content": content}}));
        let printed = step["prints"].as_str().unwrap_or_default();
        let mut result = json!({"type": "user", "uuid": format!("u{n}"), "timestamp": stamp(30)});
        let mut block = json!({"type": "tool_result", "tool_use_id": id, "content": printed, "is_error": false});
        if answer.is_deny() {
            result["toolDenialKind"] = json!("permission-rule");
            (block["content"], block["is_error"]) = (json!("PreToolUse:Bash hook error: denied"), json!(true));
        } else if runs {
            m.run(command);
            fields["tool_response"] = json!({"stdout": printed, "stderr": ""});
            m.hook(session, "PostToolUse", &fields);
            result["toolUseResult"] = fields["tool_response"].clone();
        } else {
            result["toolDenialKind"] = json!("user-rejected");
            (block["content"], block["is_error"]) = (json!("The user doesn't want to proceed with this tool use."), json!(true));
        }
        result["message"] = json!({"role": "user", "content": [block]});
        m.add_line(session, agent, result);

        let got = match answer {
            Answer::Silence => "silence",
            Answer::Note(_) => "note",
            Answer::Deny(_) => "deny",
        };
        if step["answer"] != got || !answer.text().contains(step["says"].as_str().unwrap_or_default()) {
            self.wrong.push(format!("`{command}`: want {} {}, got {answer:?}", step["answer"], step["says"]));
        }
        let _ = writeln!(self.answers, "{id}: {got}");
        for line in answer.text().lines() {
            let _ = writeln!(self.answers, "    {line}");
        }
    }

    fn scan(&self) -> Value {
        let project = self.machine.project();
        let (status, out) = self.machine.turnstop(&["scan", "--format", "json", "--fail-on", "never", &project.to_string_lossy()]);
        assert_eq!(status, 0);
        serde_json::from_str(&out).expect("JSON")
    }

    /// What the hook said, and what a scan says of it, with the names of this run taken out.
    fn out(&self) -> String {
        let mut out = format!("hook\n{}scan\n", self.answers);
        for finding in self.scan()["findings"].as_array().expect("findings") {
            let prevented = if finding["prevented"] == true { " (prevented)" } else { "" };
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let _ =
                writeln!(out, "{}{prevented} {}: {}", text(&finding["severity"]), text(&finding["confidence"]), text(&finding["message"]));
            for place in finding["places"].as_array().expect("places") {
                let agent = place["agent"].as_str().map(|agent| format!(" {agent}")).unwrap_or_default();
                let at = format!("{}{agent}, line {}", text(&place["session"]), place["line"]);
                let _ = writeln!(out, "    {} {at}: {}", text(&place["role"]), text(&place["call"]).replace('\n', " "));
            }
        }
        let clock = chrono::Local::now().format("on %-d %b").to_string();
        let out = out.replace(self.machine.shared("").trim_end_matches('/'), "{shared}").replace(&clock, "today");
        without_times(&out)
    }

    /// The messages of all that a replay of each session finds.
    fn replayed(&self) -> BTreeSet<(String, String)> {
        let mut found = BTreeSet::new();
        for session in &self.sessions {
            let (status, out) = self.machine.turnstop(&["replay", "--json", &self.machine.transcript(session).to_string_lossy()]);
            assert_eq!(status, 0);
            for call in out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
                for finding in call["findings"].as_array().expect("findings") {
                    found.insert((session.clone(), finding["message"].to_string()));
                }
            }
        }
        found
    }

    /// The messages of what a scan finds inside each session.
    fn scanned(&self) -> BTreeSet<(String, String)> {
        let scan = self.scan();
        let findings = scan["findings"].as_array().expect("findings").iter();
        let inside = findings.filter(|finding| {
            let places = finding["places"].as_array().expect("places");
            places.iter().all(|place| place["session"] == places[0]["session"] && place["agent"] == places[0]["agent"])
        });
        inside
            .map(|finding| (finding["places"][0]["session"].as_str().unwrap_or_default().to_owned(), finding["message"].to_string()))
            .collect()
    }
}

/// `at 14:03` as `at HH:MM`.
fn without_times(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(" at ") {
        let (before, after) = rest.split_at(at + 4);
        out.push_str(before);
        let is_time = after.get(..5).is_some_and(|time| time.as_bytes()[2] == b':' && time.bytes().filter(u8::is_ascii_digit).count() == 4);
        rest = if is_time { &after[5..] } else { after };
        out.push_str(if is_time { "HH:MM" } else { "" });
    }
    out + rest
}

#[test]
fn every_fixture_gets_the_answers_it_says() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for file in SESSION_RULES.iter().flat_map(|rule| fixtures(rule.meta().id)) {
        let played = play(&file);
        wrong.extend(played.wrong.iter().map(|problem| format!("{}: {problem}", file.display())));
        let expected = file.with_extension("out");
        let out = played.out();
        if bless {
            fs::write(&expected, &out).expect("a fixture can be written");
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(out.as_str()) {
            wrong.push(format!("{} is not what came (BLESS=1 writes it anew):\n{out}", expected.display()));
        }
        if played.replayed() != played.scanned() {
            wrong.push(format!("{}: replay {:?}, scan {:?}", file.display(), played.replayed(), played.scanned()));
        }
    }
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
