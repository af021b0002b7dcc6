//! What one `turnstop hook` call costs as a whole process, beside the cheapest process there is: an
//! empty static Rust program.
//!
//! ```sh
//! cargo bench --bench process            # 300 timed calls of each kind, after a session of 5,000 events
//! cargo bench --bench process -- 1000 20000
//! ```
//!
//! Each timed call is one more event of the same long session: its state was made by playing events
//! through the hook, and its transcript is 100 MB. The two programs take turns, share one processor
//! (`taskset`) and read their input from a file. Every answer is checked. `TURNSTOP_BIN` names the
//! binary; without it `install.sh --build-only` builds the one that is shipped.

#![expect(clippy::print_stdout, reason = "the table is what this program is for")]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

const TRANSCRIPT_BYTES: u64 = 100_000_000;
/// Size of the file a `Read` brought, all of which is in the payload.
const READ_BYTES: usize = 1_000_000;
const SESSION: &str = "5f0c2a9e-4f4c-4d0b-9d57-0a3f6a1be111";

fn main() -> Result<()> {
    pin()?;
    // `cargo bench` adds arguments of its own.
    let mut numbers = std::env::args().skip(1).filter_map(|arg| arg.parse::<usize>().ok());
    let (runs, events) = (numbers.next().unwrap_or(300).max(1), numbers.next().unwrap_or(5_000));

    let scratch = tempfile::Builder::new().prefix("turnstop-bench-").tempdir()?;
    let hook = binary()?;
    let empty = empty_program(scratch.path())?;
    let mut session = Session::new(scratch.path(), hook)?;
    let begin = Instant::now();
    session.play(events)?;
    println!("{events} events played in {:.1} s, {} KB of state", begin.elapsed().as_secs_f64(), folder_size(&session.state())? / 1000);
    println!("{} KB binary, {runs} runs each\n", fs::metadata(&session.hook)?.len() / 1000);
    println!("| call | empty process, median / p95 (ms) | hook, median / p95 (ms) | ratio | difference (ms) | peak memory (MiB) |");
    println!("|---|---|---|---|---|---|");
    for case in CASES {
        println!("{}", case.measure(&mut session, &empty, runs)?);
    }
    Ok(())
}

/// Starts this program again on one processor, where `taskset` is there to do it.
fn pin() -> Result<()> {
    const PINNED: &str = "TURNSTOP_BENCH_PINNED";
    if std::env::var_os(PINNED).is_none() {
        let last = std::thread::available_parallelism()?.get() - 1;
        let me = std::env::current_exe()?;
        let error =
            Command::new("taskset").args(["-c", &last.to_string()]).arg(me).args(std::env::args_os().skip(1)).env(PINNED, "1").exec();
        println!("not pinned to one processor: taskset: {error}");
    }
    Ok(())
}

/// The binary under test.
fn binary() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("TURNSTOP_BIN") {
        return Ok(fs::canonicalize(path)?);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("install.sh");
    let output = Command::new("sh").arg(script).arg("--build-only").stderr(Stdio::inherit()).output()?;
    ensure!(output.status.success(), "install.sh --build-only failed");
    let text = String::from_utf8(output.stdout)?;
    let path = text.lines().last().and_then(|line| line.strip_prefix("==> built "));
    Ok(fs::canonicalize(path.context("install.sh --build-only named no path")?)?)
}

/// The cheapest process Rust can make: static, and nothing in it.
fn empty_program(scratch: &Path) -> Result<PathBuf> {
    let (source, path) = (scratch.join("empty.rs"), scratch.join("empty"));
    fs::write(&source, "fn main() {}\n")?;
    let flags = ["-O", "-C", "target-feature=+crt-static", "-C", "panic=abort", "-C", "strip=symbols", "-o"];
    ensure!(Command::new("rustc").args(flags).arg(&path).arg(&source).status()?.success(), "the empty program did not build");
    Ok(path)
}

fn folder_size(folder: &Path) -> Result<u64> {
    let mut size = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        size += if entry.file_type()?.is_dir() { folder_size(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(size)
}

/// A client's session: its folders, and the events it sends.
struct Session {
    scratch: PathBuf,
    hook: PathBuf,
    /// Counts calls, so that each has its own id.
    calls: usize,
}

impl Session {
    /// A session in a repository of its own.
    fn new(scratch: &Path, hook: PathBuf) -> Result<Self> {
        let session = Session { scratch: scratch.to_owned(), hook, calls: 0 };
        for folder in [session.project(), session.state(), scratch.join("shared")] {
            fs::create_dir_all(folder)?;
        }
        let git = Command::new("git").arg("init").args(["-q", "-b", "feature"]).arg(session.project()).status()?;
        ensure!(git.success(), "git init failed");
        fs::write(session.project().join("app.conf"), "port = 80\n")?;
        session.write_transcript()?;
        Ok(session)
    }

    fn project(&self) -> PathBuf {
        self.scratch.join("app")
    }

    fn state(&self) -> PathBuf {
        self.scratch.join("state")
    }

    fn transcript(&self) -> PathBuf {
        self.scratch.join("transcript.jsonl")
    }

    /// A path outside the project that every session of the machine can reach.
    fn shared(&self, name: usize) -> PathBuf {
        self.scratch.join("shared").join(format!("{name}.bak"))
    }

    /// 100 MB of shell calls and their output.
    fn write_transcript(&self) -> Result<()> {
        let mut out = BufWriter::new(File::create(self.transcript())?);
        let printed = "a line of what a build prints while it works\n".repeat(80);
        let mut size = 0;
        for n in 0.. {
            let id = format!("toolu_old_{n}");
            let call = json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": format!("make part-{n}")}});
            let result = json!({"type": "tool_result", "tool_use_id": id, "content": printed, "is_error": false});
            for (role, block, uuid) in [("assistant", call, 2 * n), ("user", result, 2 * n + 1)] {
                let line = json!({
                    "type": role, "message": {"role": role, "content": [block]}, "uuid": format!("u{uuid}"), "sessionId": SESSION,
                    "cwd": self.project(), "gitBranch": "feature", "version": "2.1.332", "timestamp": "2026-11-30T22:35:59.267Z",
                });
                let line = format!("{line}\n");
                out.write_all(line.as_bytes())?;
                size += line.len() as u64;
            }
            if size >= TRANSCRIPT_BYTES {
                break;
            }
        }
        Ok(out.flush()?)
    }

    /// A payload as the client sends it.
    fn payload(&self, event: &str, mut fields: Value) -> Value {
        fields["hook_event_name"] = event.into();
        fields["session_id"] = SESSION.into();
        fields["transcript_path"] = json!(self.transcript());
        fields["cwd"] = json!(self.project());
        fields["permission_mode"] = "acceptEdits".into();
        fields
    }

    fn before(&mut self, tool: &str, input: &Value) -> Value {
        self.calls += 1;
        self.payload("PreToolUse", json!({"tool_name": tool, "tool_input": input, "tool_use_id": self.call()}))
    }

    /// The end of the call that `before` began.
    fn after(&self, tool: &str, input: &Value, response: &Value) -> Value {
        let fields =
            json!({"tool_name": tool, "tool_input": input, "tool_response": response, "tool_use_id": self.call(), "duration_ms": 8});
        self.payload("PostToolUse", fields)
    }

    fn call(&self) -> String {
        format!("toolu_{:08}", self.calls)
    }

    fn prompt(&self) -> Value {
        self.payload("UserPromptSubmit", json!({"prompt": "go on"}))
    }

    /// Sends an event that is not timed, and leaves its answer aside.
    fn send(&self, payload: &Value) -> Result<()> {
        self.ask(payload).map(drop)
    }

    fn ask(&self, payload: &Value) -> Result<Answer> {
        let input = self.scratch.join("payload.json");
        fs::write(&input, serde_json::to_vec(payload)?)?;
        self.run(&mut self.hook_command(), &input)
    }

    /// A whole call of the shell: asked about, run, told of.
    fn shell(&mut self, command: &str, stdout: &str) -> Result<()> {
        let input = json!({"command": command});
        let response = json!({"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false});
        let before = self.before("Bash", &input);
        self.send(&before)?;
        self.send(&self.after("Bash", &input, &response))
    }

    /// Saves a file under the shared path, for real.
    fn save(&mut self, name: usize) -> Result<()> {
        fs::copy(self.project().join("app.conf"), self.shared(name))?;
        self.shell(&save_command(&self.shared(name)), "")
    }

    /// A long session: prompts, reading, editing, testing, and now and then a copy to a shared path.
    fn play(&mut self, events: usize) -> Result<()> {
        self.send(&self.payload("SessionStart", json!({"source": "startup"})))?;
        for n in 0..events / 10 {
            let file = self.project().join(format!("src/module_{n}.rs"));
            self.send(&self.prompt())?;
            for (tool, input) in [
                ("Read", json!({"file_path": file})),
                ("Edit", json!({"file_path": file, "old_string": "a", "new_string": "b", "replace_all": false})),
            ] {
                let before = self.before(tool, &input);
                self.send(&before)?;
                self.send(&self.after(tool, &input, &json!({"filePath": file})))?;
            }
            self.shell(&format!("cargo test module_{n}"), "test result: ok. 3 passed; 0 failed; 0 ignored")?;
            if n % 5 == 0 {
                self.save(n)?;
            } else {
                self.shell(&format!("git diff --stat src/module_{n}.rs"), " 1 file changed")?;
            }
            self.send(&self.stop())?;
        }
        Ok(())
    }

    fn stop(&self) -> Value {
        let fields = json!({"stop_hook_active": false, "last_assistant_message": "The module is changed.", "background_tasks": [], "session_crons": []});
        self.payload("Stop", fields)
    }

    fn hook_command(&self) -> Command {
        let mut command = Command::new(&self.hook);
        command.arg("hook");
        command
    }

    /// Runs a program as the client would, its input from a file and its output to one.
    fn run(&self, command: &mut Command, input: &Path) -> Result<Answer> {
        let output = self.scratch.join("output");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", &self.scratch).env("XDG_STATE_HOME", self.state());
        command.current_dir(self.project()).stdin(File::open(input)?).stdout(File::create(&output)?).stderr(Stdio::null());
        let begin = Instant::now();
        let status = command.spawn()?.wait()?;
        let time = begin.elapsed();
        ensure!(status.success(), "{} ended with {status}", command.get_program().display());
        Ok(Answer { time, text: fs::read_to_string(output)? })
    }
}

fn save_command(path: &Path) -> String {
    format!("cp app.conf {}", path.display())
}

/// What a program answered, and how long that took from its start to its end.
struct Answer {
    time: Duration,
    text: String,
}

/// One kind of call.
struct Case {
    name: &'static str,
    /// Brings the session to where the call is made (not timed), and gives its payload.
    prepare: fn(&mut Session, usize) -> Result<Value>,
    denied: bool,
}

const CASES: &[Case] = &[
    Case {
        name: "before a shell call, nothing to say",
        prepare: |session, _| Ok(session.before("Bash", &json!({"command": "cargo test --all"}))),
        denied: false,
    },
    Case {
        name: "before a copy to a shared temp path",
        prepare: |session, n| {
            let command = save_command(&session.shared(n % 50));
            Ok(session.before("Bash", &json!({"command": command})))
        },
        denied: false,
    },
    Case {
        name: "before a restore from there: denied",
        prepare: |session, n| {
            // A path of its own: an unchanged file is denied once.
            let name = 1_000_000 + n;
            session.save(name)?;
            let command = format!("cp {} app.conf", session.shared(name).display());
            Ok(session.before("Bash", &json!({"command": command})))
        },
        denied: true,
    },
    Case {
        name: "after a read of 1 MB",
        prepare: |session, _| {
            let path = session.project().join("big.txt");
            let input = json!({"file_path": path});
            let before = session.before("Read", &input);
            session.send(&before)?;
            let line = "a line of \"quoted\" text\tto read, as long as most are\n";
            let content = line.repeat(READ_BYTES / line.len());
            let file = json!({"filePath": path, "content": content, "numLines": 1, "startLine": 1, "totalLines": 1});
            Ok(session.after("Read", &input, &json!({"type": "text", "file": file})))
        },
        denied: false,
    },
    Case {
        name: "after a shell call",
        prepare: |session, _| {
            let input = json!({"command": "git log --oneline -3"});
            Ok(session.after("Bash", &input, &json!({"stdout": "1a2b3c4 one\n2b3c4d5 two\n3c4d5e6 three", "stderr": ""})))
        },
        denied: false,
    },
    Case {
        name: "after a test run",
        prepare: |session, _| {
            let line = "test module::case_of_some_length ... ok\n";
            let output = line.repeat(600) + "\ntest result: ok. 600 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
            Ok(session.after("Bash", &json!({"command": "cargo test --all"}), &json!({"stdout": output, "stderr": ""})))
        },
        denied: false,
    },
    Case { name: "end of a turn", prepare: |session, _| Ok(session.stop()), denied: false },
    Case {
        name: "before a shell call, state lost",
        prepare: |session, _| {
            fs::remove_dir_all(session.state())?;
            fs::create_dir(session.state())?;
            Ok(session.before("Bash", &json!({"command": "cargo test --all"})))
        },
        denied: false,
    },
];

impl Case {
    /// Times the call and the empty program in turns; a row of the table.
    fn measure(&self, session: &mut Session, empty: &Path, runs: usize) -> Result<String> {
        const WARM_UP: usize = 5;
        let input = session.scratch.join("timed.json");
        let (mut floor, mut hook) = (Vec::new(), Vec::new());
        for n in 0..runs + WARM_UP {
            self.prepare(session, n, &input)?;
            let nothing = session.run(&mut Command::new(empty), &input)?;
            let answer = session.run(&mut session.hook_command(), &input)?;
            self.check(&answer)?;
            if n >= WARM_UP {
                floor.push(nothing.time);
                hook.push(answer.time);
            }
        }
        self.prepare(session, runs + WARM_UP, &input)?;
        let memory = peak_memory(session, &input)?.map_or_else(|| "not known".to_owned(), |kib| format!("{:.1}", kib / 1024.0));
        let ((floor, floor_p95), (hook, hook_p95)) = (median_and_p95(floor), median_and_p95(hook));
        Ok(format!(
            "| {} | {floor:.2} / {floor_p95:.2} | {hook:.2} / {hook_p95:.2} | {:.2} | {:.2} | {memory} |",
            self.name,
            hook / floor,
            hook - floor
        ))
    }

    /// Writes the payload of the next call. Each follows a prompt, so that none repeats the one before.
    fn prepare(&self, session: &mut Session, n: usize, input: &Path) -> Result<()> {
        session.send(&session.prompt())?;
        let payload = (self.prepare)(session, n)?;
        Ok(fs::write(input, serde_json::to_vec(&payload)?)?)
    }

    fn check(&self, answer: &Answer) -> Result<()> {
        let as_expected = if self.denied { answer.text.contains("\"deny\"") } else { answer.text.is_empty() };
        if !as_expected {
            bail!("{}: answered {:?}", self.name, answer.text);
        }
        Ok(())
    }
}

/// Peak resident memory of the next call in KiB, by GNU time where it is installed.
fn peak_memory(session: &Session, input: &Path) -> Result<Option<f64>> {
    let report = session.scratch.join("time");
    let mut time = Command::new("/usr/bin/time");
    time.args(["-f", "%M", "-o"]).arg(&report).arg(&session.hook).arg("hook");
    if !Path::new(time.get_program()).exists() {
        return Ok(None);
    }
    session.run(&mut time, input)?;
    Ok(Some(fs::read_to_string(report)?.trim().parse()?))
}

/// Both in milliseconds.
fn median_and_p95(mut times: Vec<Duration>) -> (f64, f64) {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1e3;
    (at(50), at(95))
}
