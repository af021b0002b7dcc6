//! The stages of a hook call, each by itself, in this process: `cargo bench --bench stages`.

use std::borrow::Cow;

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use serde_json::{Value, json};
use turnstop::agent::ValueEnd;
use turnstop::agent::claude::hook;
use turnstop::agent::claude::transcript::Reader;
use turnstop::finding::Findings;
use turnstop::rules::{self, Around, Ctx, Moment, SESSION_RULES};
use turnstop::session::event::{Action, Call, Event, EventKind, Outcome};
use turnstop::session::facts::Facts;
use turnstop::session::scope::Scope;
use turnstop::session::store::{State, Store};
use turnstop::shell::{self, Dialect};
use turnstop::world::Afterwards;

fn main() {
    divan::main();
}

/// Commands by what they ask of the reader.
const COMMANDS: &[(&str, &str)] = &[
    ("plain", "cargo test --all"),
    ("pair", "cp app.conf /tmp/app.conf.bak && sed -i 's/80/8080/' app.conf"),
    ("wrapped", "sudo env A=1 timeout 60 bash -c 'cd sub && git -C ../other status --short | head -20'"),
    ("message", "git commit -q -m \"$(cat <<'EOF'\nRestore the file\n\ncp /tmp/a.bak a is what it was\nEOF\n)\""),
];

#[divan::bench(args = COMMANDS.iter().map(|(name, _)| *name))]
fn effects(bencher: Bencher, name: &str) {
    let command = COMMANDS.iter().find(|(other, _)| *other == name).map_or("", |(_, command)| command);
    bencher.bench(|| shell::effects(black_box(command), Dialect::Bash));
}

/// A script of as many lines in a heredoc, fed to an interpreter.
#[divan::bench(args = [30, 300, 1000])]
fn effects_of_a_heredoc(bencher: Bencher, lines: usize) {
    let script = "    print(\"a line of 'quoted' text\", value[0])\n".repeat(lines);
    let command = format!("python3 - <<'EOF'\nfor value in rows():\n{script}EOF\n");
    bencher.bench(|| shell::effects(black_box(&command), Dialect::Bash));
}

/// The payload of a `Read` that brought a file of this many bytes.
fn payload(bytes: usize) -> String {
    let line = "a line of \"quoted\" text\tto read, as long as most are\n";
    let content = line.repeat(bytes / line.len());
    let payload = json!({
        "session_id": "00000000-0000-4000-8000-000000000001", "transcript_path": "/home/dev/.claude/projects/-home-dev-app/s.jsonl",
        "cwd": "/home/dev/app", "permission_mode": "acceptEdits", "hook_event_name": "PostToolUse", "tool_name": "Read",
        "tool_input": {"file_path": "/home/dev/app/a.txt"}, "tool_use_id": "toolu_01", "duration_ms": 8,
        "tool_response": {"type": "text", "file": {"filePath": "/home/dev/app/a.txt", "content": content}},
    });
    payload.to_string()
}

const SIZES: &[usize] = &[0, 1_000, 1_000_000];

#[divan::bench(args = SIZES)]
fn end_of_payload(bencher: Bencher, bytes: usize) {
    let payload = payload(bytes);
    bencher.counter(BytesCount::of_str(&payload)).bench(|| ValueEnd::default().feed(black_box(payload.as_bytes())));
}

#[divan::bench(args = SIZES)]
fn parse(bencher: Bencher, bytes: usize) {
    let payload = payload(bytes);
    bencher.counter(BytesCount::of_str(&payload)).bench(|| hook::parse(black_box(payload.as_bytes())));
}

const SESSION: &str = "00000000-0000-4000-8000-000000000001";
const PROJECT: &str = "/home/dev/app";

fn event(kind: EventKind<'_>) -> Event<'_> {
    Event {
        session: SESSION.into(),
        agent: "".into(),
        cwd: PROJECT.into(),
        branch: Some("main".into()),
        time: None,
        line: 0,
        noted: turnstop::session::event::Noted::default(),
        kind,
    }
}

fn call(tool: &'static str, action: Action<'static>) -> Call<'static> {
    Call::new("toolu_01".into(), tool.into(), action, false)
}

fn shell_call(command: impl Into<Cow<'static, str>>) -> Call<'static> {
    call("Bash", Action::Shell { command: command.into(), dialect: Dialect::Bash })
}

/// The end of a call that went well.
fn ended(call: Call<'static>, output: impl Into<Cow<'static, str>>) -> Event<'static> {
    let outcome = Outcome::Succeeded { output: output.into(), interpretation: None, truncated: false, committed: false };
    event(EventKind::CallEnded { call, outcome })
}

fn prompt() -> Event<'static> {
    event(EventKind::Prompt { text: "go on".into(), by_person: true })
}

fn turn_end(message: &'static str) -> Event<'static> {
    event(EventKind::TurnEnd { message: message.into(), continued: false, background: false })
}

fn scope() -> Scope {
    Scope { session: SESSION.into(), home: "/home/dev".into(), project: PROJECT.into(), ..Scope::default() }
}

/// What is known of a session of so many events: edits, test runs, copies to temporary files, other commands.
fn facts(events: usize) -> Facts {
    let (mut facts, scope) = (Facts::default(), scope());
    for n in 0..events / 5 {
        let passed = "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured";
        for event in [
            prompt(),
            ended(call("Edit", Action::Edit { path: format!("{PROJECT}/src/module_{n}.rs").into() }), ""),
            ended(shell_call(format!("cargo test module_{n}")), passed),
            ended(shell_call(format!("cp app.conf /tmp/app-{n}.bak")), ""),
            ended(shell_call("git status --short"), " M src/main.rs"),
        ] {
            facts.fold(&event, &scope);
        }
    }
    facts
}

/// Events by what they change.
const EVENTS: &[&str] = &["prompt", "edit", "nothing to keep", "copy to a temporary file", "test run"];

#[divan::bench(args = EVENTS)]
fn fold(bencher: Bencher, name: &str) {
    let printed = "test module::case_of_some_length ... ok\n".repeat(100);
    let tests = format!("{printed}\ntest result: ok. 100 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n");
    let event = match name {
        "prompt" => prompt(),
        "edit" => ended(call("Edit", Action::Edit { path: format!("{PROJECT}/src/main.rs").into() }), ""),
        "nothing to keep" => ended(shell_call("git log --oneline -3"), "1a2b3c4 one"),
        "copy to a temporary file" => ended(shell_call("cp app.conf /tmp/app.bak"), ""),
        _ => ended(shell_call("cargo test --all"), tests),
    };
    let (facts, scope) = (facts(1_000), scope());
    // The effects of a command are worked out once for an event; a fresh one each time has not got them yet.
    bencher.with_inputs(|| (facts.clone(), event.clone())).bench_local_values(|(mut facts, event)| {
        facts.fold(black_box(&event), &scope);
        facts
    });
}

/// What each rule is asked about: an event that it has something to say of, or would have in another session.
fn moment_of(rule: &str) -> Event<'static> {
    let before = |command: &'static str| event(EventKind::CallStarted(shell_call(command)));
    match rule {
        "session/shared-temp-path" => before("cp /tmp/app-3.bak app.conf"),
        "session/consecutive-repeat" | "session/cyclic-pattern" => before("git status --short"),
        "turnstop/self-protect" => before("rm -rf ~/.local/state/turnstop"),
        _ => turn_end("The module is changed. All 3 tests pass and clippy is clean.\n\n- `src/module_3.rs`: the half line is kept\n"),
    }
}

#[divan::bench(args = SESSION_RULES.iter().map(|rule| rule.meta().id))]
fn rule(bencher: Bencher, id: &str) {
    let rule = SESSION_RULES.iter().find(|rule| rule.meta().id == id).expect("one of them");
    let (facts, scope, event) = (facts(1_000), scope(), moment_of(id));
    let now = Moment::of(&event.kind).expect("a moment that rules are asked at");
    assert!(rules::concerned(&event, &scope).any(|(other, _)| other.meta().id == id), "{id} is not asked");
    let around = Around { world: &Afterwards, option: &|_, _| String::new(), said_before: &|_, _, _| false };
    bencher.bench_local(|| {
        let mut findings = Findings::new();
        rule.check(black_box(&now), &facts, &Ctx::of(&event, &scope, &around), &mut findings);
        findings
    });
}

/// How many events a session has had.
const LENGTHS: &[usize] = &[0, 1_000, 10_000];

fn state(events: usize) -> State {
    let mut state = State::new(PROJECT.to_owned(), None);
    state.facts = facts(events);
    state
}

#[divan::bench(args = LENGTHS)]
fn state_to_bytes(bencher: Bencher, events: usize) {
    let state = state(events);
    bencher.bench_local(|| black_box(&state).bytes());
}

/// As a call reads it that nothing is said of.
#[divan::bench(args = LENGTHS)]
fn state_of_bytes(bencher: Bencher, events: usize) {
    let bytes = state(events).bytes().expect("it is encoded");
    bencher.with_inputs(|| bytes.clone()).bench_local_values(|bytes| State::of_bytes(bytes).is_some());
}

/// Taking the lock, reading, changing and replacing the file of a state.
#[divan::bench(args = LENGTHS)]
fn state_commit(bencher: Bencher, events: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path().join("state")).expect("a store");
    let (scope, event) = (scope(), ended(shell_call("git log --oneline -3"), "1a2b3c4 one"));
    let commit = |state: &mut State| {
        let slot = store.slot(SESSION).expect("a slot");
        let prepared = slot.prepare(state).expect("written");
        slot.finish(prepared, state, &scope).expect("in place");
    };
    commit(&mut state(events));
    bencher.bench_local(|| {
        let mut state = store.slot(SESSION).expect("a slot").load().expect("a state");
        state.facts.fold(black_box(&event), &scope);
        commit(&mut state);
    });
}

/// Lines of a transcript by what they hold.
const LINES: &[&str] = &["bookkeeping", "call", "result of 4 KB", "image of 1 MB"];

#[divan::bench(args = LINES)]
fn transcript_line(bencher: Bencher, name: &str) {
    let message = |role: &str, block: Value| {
        json!({
            "parentUuid": "p1", "isSidechain": false, "type": role, "message": {"role": role, "content": [block]}, "uuid": "u1",
            "sessionId": SESSION, "cwd": PROJECT, "gitBranch": "main", "version": "2.1.332", "timestamp": "2026-11-30T22:35:59.267Z",
        })
    };
    let result = |content: Value| message("user", json!({"type": "tool_result", "tool_use_id": "toolu_01", "content": content}));
    let line = match name {
        "bookkeeping" => json!({"type": "file-history-snapshot", "messageId": "m1", "snapshot": {"trackedFileBackups": {}}}),
        "call" => message("assistant", json!({"type": "tool_use", "id": "toolu_01", "name": "Bash", "input": {"command": "cargo test"}})),
        "result of 4 KB" => result("a line of what a \"build\" prints\n".repeat(125).into()),
        _ => {
            result(json!([{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0K".repeat(125_000)}}]))
        }
    };
    let line = format!("{line}\n");
    bencher.counter(BytesCount::of_str(&line)).bench_local(|| {
        let mut events = 0;
        Reader::new(black_box(line.as_bytes())).read(&mut |_| events += 1).expect("it is read");
        events
    });
}
