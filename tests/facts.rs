//! The facts of a session are the same however it was told: in one go, with a save and load anywhere between, after
//! its events waited in a file, by the hook's payloads, and by the transcript.

use std::cell::Cell;
use std::rc::Rc;

use proptest::prelude::*;
use serde_json::{Value, json};
use turnstop::agent::claude::hook;
use turnstop::agent::claude::transcript::Reader;
use turnstop::session::event::{Event, EventKind, Noted, TreeNote};
use turnstop::session::facts::Facts;
use turnstop::session::scope::{Roots, Scope};

use told::{At, End, Session, Told};

mod told;

const PROJECT: &str = "/home/dev/app";

/// Commands, and what each may come to: a status, and an output.
const COMMANDS: &[(&str, &[(i64, &str)])] = &[
    ("cargo test", &[(0, "test result: ok. 3 passed; 0 failed; 0 ignored"), (101, "test result: FAILED. 2 passed; 1 failed; 0 ignored")]),
    (
        "cargo test --lib one",
        &[(0, "test result: ok. 1 passed; 0 failed; 0 ignored"), (0, "running 0 tests\ntest result: ok. 0 passed; 0 failed")],
    ),
    ("cd sub && npm test", &[(0, "3 passing"), (1, "2 passing\n1 failing")]),
    ("npm run lint", &[(0, ""), (1, "✖ 3 problems (1 error, 2 warnings)")]),
    ("npx tsc --noEmit", &[(0, ""), (2, "src/a.ts(1,1): error TS2322: no")]),
    ("pytest -q | tail -5", &[(0, "3 passed in 0.1s"), (0, "1 failed, 2 passed in 0.1s"), (0, "")]),
    ("make check", &[(0, "all good"), (2, "make: *** [Makefile:3: check] Error 1")]),
    ("cargo build && cargo clippy", &[(0, "Finished"), (101, "error: could not compile `app`")]),
    ("git commit -qam work", &[(0, ""), (1, "nothing to commit")]),
    ("git -C sub commit -m work", &[(0, "[main 1a2b3c4] work")]),
    ("echo x > src/made.rs", &[(0, "")]),
    ("cp a.txt /tmp/shared-a.bak", &[(0, "")]),
    ("cat /tmp/shared-a.bak > a.txt", &[(0, "")]),
    ("sleep 5", &[(0, "")]),
    ("git push", &[(0, "Everything up-to-date")]),
    ("ls", &[(0, "a.txt"), (0, "a.txt b.txt")]),
];
const FILES: &[&str] = &["src/a.rs", "src/b.rs", "sub/c.ts", "d.py", "README.md", "/tmp/shared-a.bak"];
const AGENTS: &[&str] = &["", "a1", "a2"];

type Agent = usize;
type Command = usize;
type File = usize;

/// One thing that happens; numbers choose from the tables.
#[derive(Debug, Clone)]
enum Step {
    Prompt,
    /// A command, and how it ends.
    Shell(Agent, Command, usize),
    /// A command that ends well, and prints too much.
    Cut(Agent, Command),
    /// A command that does not run, for one reason or another.
    NotRun(Agent, Command, usize),
    Launch(Command),
    /// The task that was launched this many before the last one ends.
    TaskEnds(usize, Option<i64>),
    Write(Agent, File),
    Edit(Agent, File),
    EditFails(Agent, File),
    Read(Agent, File),
    Ask,
    AgentEnd(Agent),
    TurnEnd,
    /// A turn's end that a hook held.
    Held,
}

impl Step {
    fn agent(&self) -> Agent {
        match *self {
            Step::Shell(agent, ..)
            | Step::Cut(agent, _)
            | Step::NotRun(agent, ..)
            | Step::Write(agent, _)
            | Step::Edit(agent, _)
            | Step::EditFails(agent, _)
            | Step::Read(agent, _)
            | Step::AgentEnd(agent) => agent,
            Step::Prompt | Step::Launch(_) | Step::TaskEnds(..) | Step::Ask | Step::TurnEnd | Step::Held => 0,
        }
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let agent = || 0..AGENTS.len();
    let command = || 0..COMMANDS.len();
    let file = || 0..FILES.len();
    let step = prop_oneof![
        1 => Just(Step::Prompt),
        8 => (agent(), command(), 0..3_usize).prop_map(|(agent, command, end)| Step::Shell(agent, command, end)),
        1 => (agent(), command()).prop_map(|(agent, command)| Step::Cut(agent, command)),
        1 => (agent(), command(), 0..3_usize).prop_map(|(agent, command, why)| Step::NotRun(agent, command, why)),
        1 => command().prop_map(Step::Launch),
        1 => (0..2_usize, prop_oneof![Just(None), Just(Some(0)), Just(Some(1))]).prop_map(|(back, status)| Step::TaskEnds(back, status)),
        2 => (agent(), file()).prop_map(|(agent, file)| Step::Write(agent, file)),
        1 => (agent(), file()).prop_map(|(agent, file)| Step::Edit(agent, file)),
        1 => (agent(), file()).prop_map(|(agent, file)| Step::EditFails(agent, file)),
        1 => (agent(), file()).prop_map(|(agent, file)| Step::Read(agent, file)),
        1 => Just(Step::Ask),
        1 => (1..AGENTS.len()).prop_map(Step::AgentEnd),
        1 => prop_oneof![Just(Step::TurnEnd), Just(Step::Held)],
    ];
    proptest::collection::vec(step, 1..12)
}

/// A session as it is told: payloads with the stamps of when they came, and lines by agent.
#[derive(Default)]
struct Telling {
    payloads: Vec<(Value, String)>,
    lines: Vec<(String, Value)>,
}

impl Telling {
    fn of(steps: &[Step]) -> Self {
        let mut telling = Telling::default();
        let mut session = Session::new("mine-0001", &Rc::new(Cell::new(0)));
        let mut tasks: Vec<String> = Vec::new();
        let at = |agent: usize| At { agent: AGENTS[agent], cwd: PROJECT, branch: "main" };
        telling.payloads.push((session.starts(PROJECT), String::new()));
        telling.take(0, session.prompt(at(0), "go on"));
        telling.lines.push((String::new(), session.words(at(0), "All tests pass already.")));
        let mut working = [true, false, false];
        for (n, step) in steps.iter().enumerate() {
            let agent = step.agent();
            if !std::mem::replace(&mut working[agent], true) {
                telling.lines.push((AGENTS[agent].to_owned(), session.asked(at(agent), "look around")));
            }
            let mut call = |agent: usize, tool: &str, input: &Value, end: &End| {
                let id = format!("toolu_{n}");
                telling.take(agent, session.call(at(agent), &id, tool, input));
                telling.take(agent, session.ended(at(agent), &id, tool, input, end));
            };
            let run = |command: usize| json!({"command": COMMANDS[command].0});
            let file = |file: usize| json!({"file_path": FILES[file], "content": "x"});
            let wrote = End::Succeeds("The file is as asked.".to_owned(), json!({"filePath": "x"}));
            match *step {
                Step::Shell(agent, command, end) => {
                    let ends = COMMANDS[command].1;
                    let (status, output) = ends[end % ends.len()];
                    let end = if status == 0 { End::prints(output) } else { End::exits(status, output) };
                    let end = if COMMANDS[command].0.starts_with("git -C") { end.commits() } else { end };
                    call(agent, "Bash", &run(command), &end);
                }
                Step::Cut(agent, command) => call(agent, "Bash", &run(command), &End::prints_too_much(COMMANDS[command].1[0].1)),
                Step::NotRun(agent, command, why) => {
                    let ends = [End::rejected(), End::denied("Permission to use Bash has been denied."), End::cancelled()];
                    call(agent, "Bash", &run(command), &ends[why]);
                }
                Step::Launch(command) => {
                    let task = format!("b{n}");
                    let input = json!({"command": COMMANDS[command].0, "run_in_background": true});
                    call(0, "Bash", &input, &End::launched(&task));
                    tasks.push(task);
                }
                Step::TaskEnds(back, status) => {
                    let Some(at_task) = tasks.len().checked_sub(back + 1) else { continue };
                    let (how, summary) = match status {
                        Some(0) => ("completed", "Background command \"x\" completed (exit code 0)".to_owned()),
                        Some(status) => ("failed", format!("Background command \"x\" failed with exit code {status}")),
                        None => ("killed", "Background command \"x\" was stopped".to_owned()),
                    };
                    telling.take(0, session.task_ended(at(0), &tasks.remove(at_task), how, &summary));
                }
                Step::Write(agent, of) => call(agent, "Write", &file(of), &wrote),
                Step::Edit(agent, of) => call(agent, "Edit", &file(of), &wrote),
                Step::EditFails(agent, of) => call(agent, "Edit", &file(of), &End::Fails("EACCES: permission denied".to_owned())),
                Step::Read(agent, of) => call(agent, "Read", &file(of), &wrote),
                Step::Ask => call(0, "AskUserQuestion", &json!({"questions": []}), &End::Succeeds("yes".to_owned(), json!({}))),
                Step::Prompt => telling.take(0, session.prompt(at(0), "go on")),
                Step::AgentEnd(agent) => {
                    working[agent] = false;
                    telling.take(agent, session.agent_end(at(agent), "All tests pass."));
                }
                Step::TurnEnd => telling.take(0, session.turn_end(at(0), "All tests pass.", false, false)),
                Step::Held => {
                    telling.take(0, session.turn_end(at(0), "All tests pass.", false, false));
                    telling.lines.push((String::new(), session.held(at(0), "say what failed")));
                }
            }
        }
        for agent in (1..AGENTS.len()).filter(|agent| working[*agent]) {
            telling.take(agent, session.agent_end(at(agent), "Done."));
        }
        telling
    }

    fn take(&mut self, agent: usize, told: Told) {
        let time = told.line["timestamp"].as_str().unwrap_or_default().to_owned();
        self.payloads.extend(told.payload.map(|payload| (payload, time)));
        self.lines.push((AGENTS[agent].to_owned(), told.line));
    }

    /// As the hook reads the payloads. It takes the time from its own clock when a call ends, and looks at the trees.
    fn live(&self) -> Vec<Event<'static>> {
        let events = self.payloads.iter().map(|(payload, time)| {
            let text = payload.to_string();
            let mut event = hook::parse(text.as_bytes()).expect("a payload").event.into_owned();
            if let EventKind::CallEnded { .. } = event.kind {
                event.time = Some(time.clone().into());
                event.noted = Noted { trees: vec![TreeNote { root: PROJECT.into(), branch: "main".into() }], ..Noted::default() };
            }
            event
        });
        events.collect()
    }

    /// As a reader reads the lines, each agent's file by itself; put side by side by their stamps.
    fn recorded(&self) -> Vec<Event<'static>> {
        let mut events: Vec<Event<'static>> = Vec::new();
        for agent in AGENTS {
            let lines = self.lines.iter().filter(|(of, _)| of == agent).map(|(_, line)| format!("{line}\n"));
            let text: String = lines.collect();
            let mut reader = Reader::new(text.as_bytes());
            reader.read(&mut |event| events.push(event.clone().into_owned())).expect("read");
            reader.finish(&mut |event| events.push(event.clone().into_owned()));
        }
        events.sort_by(|a, b| a.time.cmp(&b.time));
        events
    }
}

fn scope() -> Scope {
    let roots = Roots::new(|| vec![PROJECT.to_owned()]);
    Scope {
        session: "mine-0001".into(),
        home: "/home/dev".into(),
        temp_dir: "/tmp".into(),
        project: PROJECT.into(),
        roots,
        ..Scope::default()
    }
}

fn fold(events: &[Event<'_>], scope: &Scope) -> Facts {
    let mut facts = Facts::default();
    for event in events {
        facts.fold(event, scope);
    }
    facts
}

/// The event without what only one of the two sources knows.
fn bare(event: Event<'static>) -> Event<'static> {
    let time = matches!(event.kind, EventKind::CallEnded { .. }).then_some(event.time).flatten();
    Event { line: 0, branch: None, time, noted: Noted::default(), ..event }
}

proptest! {
    #[test]
    fn a_save_and_load_anywhere_changes_nothing(steps in steps(), cut in 0..1000_usize) {
        let (telling, scope) = (Telling::of(&steps), scope());
        for events in [telling.live(), telling.recorded()] {
            let (first, second) = events.split_at(cut % (events.len() + 1));
            let saved = serde_json::to_string(&fold(first, &scope)).expect("saved");
            let mut facts: Facts = serde_json::from_str(&saved).expect("loaded");
            for event in second {
                facts.fold(event, &scope);
            }
            prop_assert_eq!(facts, fold(&events, &scope));
        }
    }

    #[test]
    fn an_event_that_is_said_to_change_nothing_changes_nothing(steps in steps()) {
        let (telling, scope) = (Telling::of(&steps), scope());
        for events in [telling.live(), telling.recorded()] {
            let concerned: Vec<_> = events.iter().filter(|event| Facts::concerned_by(event, &scope)).cloned().collect();
            prop_assert_eq!(fold(&concerned, &scope), fold(&events, &scope));
        }
    }

    #[test]
    fn events_that_waited_in_a_file_come_to_the_same(steps in steps()) {
        let (telling, scope) = (Telling::of(&steps), scope());
        for events in [telling.live(), telling.recorded()] {
            let lines: Vec<String> = events.iter().map(|event| serde_json::to_string(event).expect("kept")).collect();
            let taken: Vec<Event<'_>> = lines.iter().map(|line| serde_json::from_str(line).expect("taken")).collect();
            prop_assert_eq!(fold(&taken, &scope), fold(&events, &scope));
        }
    }

    #[test]
    fn the_transcript_tells_what_the_hook_was_told(steps in steps()) {
        let (telling, scope) = (Telling::of(&steps), scope());
        let live: Vec<_> = telling.live().into_iter().map(bare).collect();
        let recorded: Vec<_> = telling.recorded().into_iter().map(bare).collect();
        prop_assert_eq!(fold(&live, &scope), fold(&recorded, &scope));
    }
}
