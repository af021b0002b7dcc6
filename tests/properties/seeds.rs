//! Inputs to begin with, for each target: taken from `fixtures/`, which are made after the genuine article.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use turnstop::agent::claude;
use turnstop::rules::metas;
use turnstop::session::store::{Record, State};

use crate::checks::session;

/// Lines of a session that stand together: a call and what became of it.
const WINDOW: usize = 6;
/// What a fuzzer is given at once, in bytes (`-max_len` in `fuzz/run`).
const MOST: usize = 8192;

/// The seeds of a target.
pub(crate) fn of(target: &str) -> BTreeSet<Vec<u8>> {
    let mut seeds: BTreeSet<Vec<u8>> = match target {
        "hook" => payloads(),
        "claude" => windows(&claude_sessions()),
        "codex" => windows(&texts("codex", "jsonl")),
        "shell" => commands().into_iter().map(String::into_bytes).collect(),
        "verdict" => outputs(),
        "claims" => messages(),
        "settings" => settings(),
        "state" => states(),
        "config" => configs(),
        "records" => records(),
        "text" => commands().iter().map(|command| format!("{command}\0/tmp/**/[a-c]?.bak").into_bytes()).collect(),
        _ => BTreeSet::new(),
    };
    seeds.retain(|seed| !seed.is_empty() && seed.len() <= MOST);
    seeds
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every fixture below a folder whose name ends like this.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join("fixtures").join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of fixtures").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                found.push(path);
            }
        }
    }
    found
}

fn texts(folder: &str, extension: &str) -> Vec<String> {
    files(folder, extension).iter().filter_map(|path| fs::read_to_string(path).ok()).map(|text| text.replace("{w}", "/home/dev")).collect()
}

/// The files that a fixture of a scan is made of, by name.
fn sections() -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for text in texts("", "txt") {
        for line in text.split_inclusive('\n') {
            match line.trim_end().strip_prefix("-- ").and_then(|line| line.strip_suffix(" --")) {
                Some(name) => found.push((name.to_owned(), String::new())),
                None => {
                    if let Some((_, section)) = found.last_mut() {
                        section.push_str(line);
                    }
                }
            }
        }
    }
    found
}

fn sections_like(end: &str) -> Vec<String> {
    sections().into_iter().filter(|(name, _)| name.ends_with(end)).map(|(_, text)| text).collect()
}

/// What stands under these keys, anywhere in what sessions are played from and in what clients recorded.
fn told(keys: &[&str]) -> BTreeSet<String> {
    fn gather(value: &Value, keys: &[&str], found: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    found.extend(value.as_str().filter(|_| keys.contains(&key.as_str())).map(|text| text.replace("{shared}", "/tmp")));
                    gather(value, keys, found);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| gather(item, keys, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    let lines = texts("", "jsonl").into_iter().chain(sections_like("jsonl"));
    let values = texts("", "json").into_iter().chain(lines.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()));
    values.filter_map(|text| serde_json::from_str(&text).ok()).for_each(|value| gather(&value, keys, &mut found));
    found
}

fn commands() -> BTreeSet<String> {
    told(&["command", "ask", "call", "told", "launch", "allow"])
}

fn payloads() -> BTreeSet<Vec<u8>> {
    let about = |event: &str, rest: Value| {
        let mut payload = json!({"session_id": "mine-0001", "cwd": "/home/dev/app", "hook_event_name": event, "prompt_id": "p"});
        payload.as_object_mut().expect("an object").extend(rest.as_object().cloned().unwrap_or_default());
        payload.to_string().into_bytes()
    };
    let call = |command: &String| json!({"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": command}});
    let calls = commands().iter().map(|command| about("PreToolUse", call(command))).collect::<Vec<_>>();
    let ends = told(&["end"]).into_iter().map(|words| about("Stop", json!({"last_assistant_message": words})));
    let genuine = texts("claude/payloads", "json").into_iter().map(String::into_bytes);
    genuine.chain(calls).chain(ends).collect()
}

fn claude_sessions() -> Vec<String> {
    texts("claude/transcripts", "jsonl").into_iter().chain(sections_like("jsonl")).collect()
}

fn windows(sessions: &[String]) -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    for session in sessions {
        let lines: Vec<&str> = session.split_inclusive('\n').collect();
        found.extend(lines.windows(WINDOW.min(lines.len()).max(1)).step_by(WINDOW / 2).map(|lines| lines.concat().into_bytes()));
        found.extend(lines.iter().map(|line| line.as_bytes().to_vec()));
    }
    found
}

fn outputs() -> BTreeSet<Vec<u8>> {
    let of = |path: PathBuf| {
        let runner = path.parent()?.file_name()?.to_str()?.replace('-', " ");
        let output = fs::read_to_string(&path).ok()?;
        let end = output.ceil_char_boundary(output.len().saturating_sub(2000));
        Some(format!("{runner}{}\0{}", if runner.contains(' ') { "" } else { " test" }, &output[end..]).into_bytes())
    };
    files("gate-output", "txt").into_iter().filter_map(of).collect()
}

fn messages() -> BTreeSet<Vec<u8>> {
    let claims = texts("claims", "txt");
    let lines = claims.iter().flat_map(|text| text.lines()).map(|line| line.split_once('\t').map_or(line, |(_, words)| words));
    let long = "# Summary\n\n- [x] tests pass\n- ~~lint is clean~~\n\n> All tests pass.\n\n| gate | result |\n|---|---|\n| lint | ✅ |\n\n`npm test` passes.\n";
    lines.map(str::to_owned).chain(told(&["end", "agent-end"])).chain([long.to_owned()]).map(String::into_bytes).collect()
}

fn settings() -> BTreeSet<Vec<u8>> {
    let snippets = fs::read_dir(root().join("settings-snippets")).expect("the snippets").flatten();
    let mut texts: Vec<String> = snippets.filter_map(|entry| fs::read_to_string(entry.path()).ok()).collect();
    texts.extend(
        [
            "{}",
            "{ }",
            "{\n}\n",
            "{\"model\": \"opus\"}",
            "{\n\t\"a\": [1, 2, {}], // note\n\t/* more */\n}",
            "{\"hooks\": {}}",
            "{\"hooks\": {\"Stop\": []}}",
            "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]}, \"env\": {\"A\": \"b\"},}",
            "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"/a b/turnstop hook\"}]}]}}",
        ]
        .map(str::to_owned),
    );
    let dressed = |text: String| [text.replace('\n', "\r\n"), format!("\u{feff}{text}"), format!("// mine\n{text}"), text];
    texts.into_iter().flat_map(dressed).map(String::into_bytes).collect()
}

fn states() -> BTreeSet<Vec<u8>> {
    let scope = session::scope();
    let mut found: BTreeSet<Vec<u8>> = [b"{\"version\":2}".to_vec(), b"{\"version\":1,\"project\":\"/p\"}".to_vec()].into();
    for text in claude_sessions() {
        let (mut state, mut records) = (State::new("/home/dev/app".to_owned(), None), Vec::new());
        let mut reader = claude::transcript::Reader::new(text.as_bytes());
        let read = reader.read(&mut |event| {
            let kept = [serde_json::to_string(&Record::of(event.clone())), serde_json::to_string(event)];
            records.push(kept.map(|line| line.expect("kept")));
            state.apply(Record::of(event.clone().into_owned()), &scope);
        });
        read.expect("bytes can be read");
        let state = String::from_utf8(state.bytes().expect("kept")).expect("text");
        let row = json!({"path": "/tmp/a", "session": "s", "project": "/p", "at": 5, "call": "t", "act": "open"});
        let wrote = json!({"path": "/tmp/a", "session": "s", "project": "/p", "at": 6, "call": "t", "act": {"wrote": {"whole": true}}});
        let lines = |of: usize| records.iter().take(4).map(|kept| kept[of].clone()).collect::<Vec<_>>().join("\n");
        found.insert(format!("{state}\0\0\0{row}\n{wrote}\n").into_bytes());
        found.insert(format!("\0{}\0{}\0", lines(0), lines(1)).into_bytes());
    }
    found
}

fn configs() -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    for meta in metas() {
        let rule = format!("[rules.\"{}\"]\n", meta.id);
        found.insert(format!("{rule}level = \"note\"\n\0{rule}level = \"block\"\n").into_bytes());
        for option in meta.options {
            for value in option.values {
                found.insert(format!("{rule}{0} = \"{value}\"\n\0{rule}{0} = \"{1}\"\n", option.name, option.default).into_bytes());
            }
        }
        let allow = format!(
            "[[allow]]\nrule = \"{}\"\npath = \"~/x/**\"\ncommand = \"make *\"\nreason = \"r\"\nexpires = \"2027-01-31\"\n",
            meta.id
        );
        found.insert(format!("{allow}\0{allow}[scan]\nsiblings = [\"../b\"]\n").into_bytes());
    }
    found
}

fn records() -> BTreeSet<Vec<u8>> {
    let histories: Vec<String> = texts("claude", "jsonl").into_iter().filter(|text| text.contains("\"display\"")).collect();
    let memories = sections_like(".md").into_iter();
    let typed = sections().into_iter().filter(|(name, _)| name.ends_with("history.jsonl")).map(|(_, text)| format!("\0{text}"));
    memories.chain(typed).chain(histories.into_iter().map(|text| format!("\0{text}"))).map(String::into_bytes).collect()
}
