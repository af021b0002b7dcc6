//! Plays a fixture: a short session, told to the hook and written to its transcripts as the genuine client does both.
//!
//! A fixture has `about` (what it shows), `steps`, and, where they differ from a clean repository on `main` that a
//! person works in: `branch` (of its first commit), `git` (false: there is no repository), `files` (`{path: text}`
//! of its first commit), `attended` (false: nobody watches the session).
//!
//! A step is one of these, and `answer` (silence unless said: note, deny, block) is what it must get, `says` words
//! that the answer must hold, `session` and `agent` whose it is, `cwd` a folder below the project, `tool` the tool where
//! it is not the usual one, `commits` when the client saw a call commit, `unseen` what came before the hook was there, so that only the transcript tells it:
//!
//! | step | what happens |
//! |---|---|
//! | `call` | a shell call that really runs when it is allowed; `prints` replaces what it is told to have printed |
//! | `ask` | a shell call that the person refuses |
//! | `told` | a shell call that is only told of: it `prints`; `status` for one that failed; `cut` for a long output of which this is the beginning; `denied` or `cancelled` for one that never ran |
//! | `launch` | a shell call that goes on in the background as `task` |
//! | `task-ended` | that task ends, with `status` |
//! | `write`, `edit` | a file, or a list of files, really written; `fails` with this text instead |
//! | `read` | a file that is read |
//! | `words` | what the agent says between two calls |
//! | `question` | a question that the person answers |
//! | `prompt` | a person's words |
//! | `end` | the last words of a turn; `active` when a hook made the agent go on, `waiting` while a task runs |
//! | `agent-end` | the last words of a subagent |
//! | `sh` | something that somebody else on the machine does |

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use serde_json::{Value, json};
use turnstop::agent::claude::events::EVENTS;

use crate::support::{Answer, Machine};
use crate::told::{At, End, Session, Told};

const STEPS: &[&str] =
    &["call", "ask", "told", "launch", "task-ended", "write", "edit", "read", "words", "question", "prompt", "end", "agent-end", "sh"];
const KEYS: &[&str] = &[
    "answer",
    "says",
    "session",
    "agent",
    "cwd",
    "prints",
    "status",
    "cut",
    "denied",
    "cancelled",
    "task",
    "fails",
    "active",
    "waiting",
    "unseen",
    "tool",
    "commits",
];
const FIXTURE_KEYS: &[&str] = &["about", "branch", "git", "files", "attended", "steps"];

/// One played fixture.
pub(crate) struct Played {
    pub(crate) machine: Machine,
    /// What went otherwise than the fixture says.
    pub(crate) wrong: Vec<String>,
    /// The hook's answers, in words.
    pub(crate) answers: String,
    pub(crate) sessions: BTreeMap<String, Session>,
    clock: Rc<Cell<u32>>,
    /// The hook is not there yet.
    unseen: bool,
    /// Subagents at work, by session.
    working: BTreeSet<(String, String)>,
    /// The commands of background tasks.
    tasks: BTreeMap<String, String>,
}

/// Plays the fixture in a file.
pub(crate) fn play(file: &Path) -> Played {
    let mut machine = Machine::new();
    let text = fs::read_to_string(file).expect("a fixture").replace("{shared}", machine.shared("").trim_end_matches('/'));
    let fixture: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let unknown = fixture.as_object().expect("an object").keys().find(|key| !FIXTURE_KEYS.contains(&key.as_str()));
    assert_eq!(unknown, None, "{}", file.display());
    for (path, text) in fixture["files"].as_object().into_iter().flatten() {
        machine.write(path, text.as_str().expect("a text"));
    }
    machine.attended = fixture["attended"] != false;
    if fixture["git"] != false {
        machine.run(&format!("git init -qb '{}' . && git add -A && git commit -qm start", fixture["branch"].as_str().unwrap_or("main")));
    }
    let mut played = Played::on(machine);
    for (n, step) in fixture["steps"].as_array().expect("steps").iter().enumerate() {
        played.step(n, step);
    }
    played
}

impl Played {
    fn on(machine: Machine) -> Self {
        let (sessions, tasks, working) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        Played { machine, wrong: Vec::new(), answers: String::new(), sessions, clock: Rc::default(), unseen: false, working, tasks }
    }

    fn step(&mut self, n: usize, step: &Value) {
        let keys: Vec<&str> = step.as_object().expect("an object").keys().map(String::as_str).collect();
        let kind = *keys.iter().find(|key| STEPS.contains(key)).unwrap_or_else(|| panic!("step {n} is none: {step}"));
        assert!(keys.iter().all(|key| *key == kind || KEYS.contains(key)), "step {n}: {step}");
        let what: Vec<&str> = match &step[kind] {
            Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
            one => vec![one.as_str().expect("a text")],
        };
        if kind == "sh" {
            self.machine.run(what[0]);
            return;
        }
        let name = match kind {
            "task-ended" | "prompt" | "end" | "agent-end" => format!("{kind}-{n}"),
            _ => format!("call-{n}"),
        };
        self.unseen = step["unseen"] == true;
        let mut answer = Answer::Silence;
        for (i, what) in what.iter().enumerate() {
            let id = if i == 0 { name.clone() } else { format!("{name}-{i}") };
            let got = self.act(&id, kind, what, step);
            if got != Answer::Silence {
                answer = got;
            }
        }
        self.compare(&name, &answer, step);
    }

    fn compare(&mut self, name: &str, answer: &Answer, step: &Value) {
        let want = step["answer"].as_str().unwrap_or("silence");
        let got = answer.word();
        if want != got || !answer.text().contains(step["says"].as_str().unwrap_or_default()) {
            self.wrong.push(format!("{name}: want {want} {}, got {answer:?}", step["says"]));
        }
        let _ = writeln!(self.answers, "{name}: {got}");
        for line in answer.text().lines() {
            let _ = writeln!(self.answers, "    {line}");
        }
    }

    /// Does what a step says; the hook's answer.
    fn act(&mut self, id: &str, kind: &str, what: &str, step: &Value) -> Answer {
        let text = |key: &str| step[key].as_str().unwrap_or_default();
        let name = step["session"].as_str().unwrap_or("mine-0001").to_owned();
        let cwd = self.machine.project().join(text("cwd")).to_string_lossy().into_owned();
        let branch = self.machine.branch();
        let at = At { agent: text("agent"), cwd: cwd.trim_end_matches('/'), branch: &branch };
        let mut session = self.sessions.remove(&name).unwrap_or_else(|| self.begin(&name, at));
        if !at.agent.is_empty() && self.working.insert((name.clone(), at.agent.to_owned())) {
            self.machine.add_line(&name, at.agent, session.asked(at, "look around"));
        }
        let path = self.machine.project().join(what).to_string_lossy().into_owned();
        let answer = match kind {
            "write" | "edit" | "read" => self.file_call(&mut session, at, id, kind, &path, step),
            "question" => {
                let end = End::Succeeds("The person has answered.".to_owned(), json!({"answers": {what: "yes"}}));
                self.call(&mut session, at, id, "AskUserQuestion", &json!({"questions": [{"question": what}]}), |_| end)
            }
            "words" => {
                self.machine.add_line(&name, at.agent, session.words(at, what));
                Answer::Silence
            }
            "prompt" => self.tell(&session.prompt(at, what), at),
            "task-ended" => {
                let command = self.tasks.get(what).expect("a task that was launched");
                let (status, summary) = match step["status"].as_i64() {
                    Some(0) => ("completed", format!("Background command \"{command}\" completed (exit code 0)")),
                    Some(status) => ("failed", format!("Background command \"{command}\" failed with exit code {status}")),
                    None => ("killed", format!("Background command \"{command}\" was stopped")),
                };
                self.tell(&session.task_ended(at, what, status, &summary), at)
            }
            "end" => {
                let told = session.turn_end(at, what, step["active"] == true, step["waiting"] == true);
                let answer = self.tell_after_writing(&told, at);
                if let Answer::Block(reason) = &answer {
                    let line = session.held(at, reason);
                    self.machine.add_line(&name, at.agent, line);
                }
                answer
            }
            "agent-end" => {
                self.working.remove(&(name.clone(), at.agent.to_owned()));
                self.tell_after_writing(&session.agent_end(at, what), at)
            }
            _ => self.shell_call(&mut session, at, id, kind, what, step),
        };
        self.sessions.insert(name, session);
        answer
    }

    /// A session starts with a prompt.
    fn begin(&self, name: &str, at: At<'_>) -> Session {
        let mut session = Session::new(name, &self.clock);
        let at = At { agent: "", ..at };
        self.payload(&session.starts(at.cwd));
        self.tell(&session.prompt(at, "go on with the task"), at);
        session
    }

    fn shell_call(&mut self, session: &mut Session, at: At<'_>, id: &str, kind: &str, command: &str, step: &Value) -> Answer {
        let prints = step["prints"].as_str();
        let mut input = json!({"command": command});
        if kind == "launch" {
            let task = step["task"].as_str().expect("the task's id").to_owned();
            input["run_in_background"] = json!(true);
            self.tasks.insert(task, command.to_owned());
        }
        let tool = step["tool"].as_str().unwrap_or("Bash");
        let end = |machine: &Machine| match (kind, step["status"].as_i64()) {
            ("call", _) => {
                let (status, output) = machine.run_in(Path::new(at.cwd), command);
                let output = prints.unwrap_or(&output);
                if status == 0 || prints.is_some() { End::prints(output) } else { End::exits(status.into(), output) }
            }
            ("ask", _) => End::rejected(),
            ("launch", _) => End::launched(step["task"].as_str().unwrap_or_default()),
            _ if step["denied"] == true => End::denied(&format!("Permission to use Bash with command {command} has been denied.")),
            _ if step["cancelled"] == true => End::cancelled(),
            _ if step["cut"] == true => End::prints_too_much(prints.unwrap_or_default()),
            (_, Some(status)) => End::exits(status, prints.unwrap_or_default()),
            (_, None) => End::prints(prints.unwrap_or_default()),
        };
        self.call(session, at, id, tool, &input, |machine| if step["commits"] == true { end(machine).commits() } else { end(machine) })
    }

    fn file_call(&self, session: &mut Session, at: At<'_>, id: &str, kind: &str, path: &str, step: &Value) -> Answer {
        let (usual, mut input) = match kind {
            "write" => ("Write", json!({"file_path": path, "content": "new\n"})),
            "edit" => ("Edit", json!({"file_path": path, "old_string": "old", "new_string": "new", "replace_all": false})),
            _ => ("Read", json!({"file_path": path})),
        };
        let tool = step["tool"].as_str().unwrap_or(usual);
        if tool == "NotebookEdit" {
            input = json!({"notebook_path": path, "new_source": "new"});
        }
        self.call(session, at, id, tool, &input, |machine| {
            if step["denied"] == true {
                return End::rejected();
            }
            if let Some(error) = step["fails"].as_str() {
                return End::Fails(error.to_owned());
            }
            let before = fs::read_to_string(path).unwrap_or_default();
            match kind {
                "write" => machine.write(path, "new\n"),
                "edit" => machine.write(path, &format!("{before}new\n")),
                _ => {}
            }
            End::Succeeds(format!("The file {path} is as asked."), json!({"filePath": path, "originalFile": before}))
        })
    }

    /// A call: asked about, done when it is not denied, and its end told.
    fn call(&self, session: &mut Session, at: At<'_>, id: &str, tool: &str, input: &Value, does: impl FnOnce(&Machine) -> End) -> Answer {
        let answer = self.tell(&session.call(at, id, tool, input), at);
        let end = match &answer {
            Answer::Deny(reason) => End::denied(&format!("PreToolUse:{tool} hook error: {reason}")),
            _ => does(&self.machine),
        };
        let after = self.tell(&session.ended(at, id, tool, input, &end), at);
        assert_eq!(after, Answer::Silence, "{id}: nothing is said after a call");
        answer
    }

    /// Tells the hook, then adds the line: the client's line of a call is there once the call runs.
    fn tell(&self, told: &Told, at: At<'_>) -> Answer {
        let answer = told.payload.as_ref().map_or(Answer::Silence, |payload| self.payload(payload));
        self.add(told, at);
        answer
    }

    fn add(&self, told: &Told, at: At<'_>) {
        self.machine.add_line(told.line["sessionId"].as_str().unwrap_or_default(), at.agent, told.line.clone());
    }

    /// Adds the line, then tells the hook: last words are written down by then.
    fn tell_after_writing(&self, told: &Told, at: At<'_>) -> Answer {
        self.add(told, at);
        told.payload.as_ref().map_or(Answer::Silence, |payload| self.payload(payload))
    }

    /// Runs the hook on a payload that it is registered for.
    fn payload(&self, payload: &Value) -> Answer {
        let text = |key: &str| payload[key].as_str().unwrap_or_default();
        let of_tool = |matcher: &str| matcher.split('|').any(|tool| tool == text("tool_name"));
        let event =
            EVENTS.iter().filter(|_| !self.unseen).find(|event| event.name == text("hook_event_name") && event.matcher.is_none_or(of_tool));
        event.map_or(Answer::Silence, |event| self.machine.hook(text("session_id"), event.name, payload))
    }
}
