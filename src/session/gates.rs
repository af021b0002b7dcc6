//! Runs of quality gates: what each came to, and which older ones it settles.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use serde::{Deserialize, Serialize};

use super::event::{Action, Call, Event, EventKind, Outcome, TaskStatus, is_false};
use super::facts::Clock;
use super::observed::push_bounded;
use super::scope::{Scope, is_at_or_below};
use super::temp_files::excerpt;
use super::verdict::{Asked, Summary, Verdict, summary};
use crate::shell::gates::{self, Gate, GateRun, Gates, Language, Shown};
use crate::shell::{Effect, EffectKind, Effects, GitAction};
use crate::text;

/// How many runs a session remembers. Past it the oldest is forgotten: nothing is said of it any more.
const MAX_RUNS: usize = 24;
/// How many runs in the background are waited for. Past it the oldest is never known to have ended.
const MAX_LAUNCHED: usize = 8;
/// Longest line and longest filter that is kept, in bytes.
const MAX_LINE_BYTES: usize = 160;

/// One run of one gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The class; `None` for a script that stands for several and did not say which.
    pub gate: Option<Gate>,
    /// What it came to.
    pub verdict: Verdict,
    /// What that rests on.
    pub basis: Basis,
    /// The folder it worked in; empty when unknown.
    pub dir: String,
    /// What narrowed it to a part; empty when nothing did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub narrow: String,
    /// The sources it looked at.
    pub language: Language,
    /// The program that checked, as [`GateRun::runner`] names it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub runner: String,
    /// Another class was run, and its pass shows this one, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub implied: bool,
    /// Something since may have settled it: its verdict is no longer known.
    #[serde(default, skip_serializing_if = "is_false")]
    pub doubted: bool,
    /// Files were set back or otherwise changed by git since.
    #[serde(default, skip_serializing_if = "is_false")]
    pub set_back: bool,
    /// When the run of this turn ended that had passed and that it took the place of, by [`Clock::tick`]; 0 when there
    /// was none.
    #[serde(default)]
    pub passed_at: u32,
    /// The exit status, when it is this run's and known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<i32>,
    /// The telling line of the output; empty when there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub line: String,
    /// How many tests passed, where the output says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<u64>,
    /// The subagent; empty for the main agent.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub agent: String,
    /// The call's id.
    pub call: String,
    /// The call, masked and cut.
    pub by: String,
    /// Time stamp of the call, when the source had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Line of the transcript; 0 when seen live.
    #[serde(default)]
    pub at_line: u32,
    /// The turn it belongs to, by [`Clock::turn`].
    pub turn: u32,
    /// When it ended, by [`Clock::tick`].
    pub at: u32,
}

/// What a verdict rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The exit status, which was the run's own.
    Status,
    /// The client ended it for running too long.
    TimeOut,
    /// A summary line of its output.
    Summary,
    /// It prints something whenever it runs, and printed nothing.
    Silence,
    /// Nothing: the verdict is unknown.
    Nothing,
}

impl Run {
    /// Is it known not to have passed?
    pub fn is_bad(&self) -> bool {
        !self.doubted && matches!(self.verdict, Verdict::Fail | Verdict::NothingExecuted)
    }

    /// Is it known to have passed?
    pub fn is_good(&self) -> bool {
        !self.doubted && self.verdict == Verdict::Pass
    }

    /// May both be runs of the same checks? One whose program is not known may be either's.
    pub fn is_like(&self, other: &Run) -> bool {
        let named = !self.runner.is_empty() && !other.runner.is_empty();
        // `make test` may run anything, but `npm run build` hardly docker.
        let any = |run: &Run| run.runner.is_empty() && run.language == Language::Any;
        let languages = self.language == other.language || any(self) || any(other);
        self.gate == other.gate && if named { family(&self.runner) == family(&other.runner) } else { languages }
    }

    /// Does it say all that `older` said, and more? One that ran nobody knows where may have run there.
    fn settles(&self, older: &Run) -> bool {
        self.is_like(older)
            && (self.dir.is_empty() || is_at_or_below(&older.dir, &self.dir))
            && (self.narrow.is_empty() || (self.narrow == older.narrow && self.dir == older.dir))
    }
}

/// A run in the background that has not been told to have ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Launched {
    task: String,
    runs: Vec<Run>,
}

/// The runs of one session, its subagents' among them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateRuns {
    runs: Vec<Run>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    launched: Vec<Launched>,
}

impl GateRuns {
    /// Could this event change these facts? Cheap, and errs toward yes.
    pub fn concerned_by(event: &Event<'_>) -> bool {
        match &event.kind {
            EventKind::CallEnded { call, outcome } => is_shell(call) && !matches!(outcome, Outcome::NotRun(_)),
            EventKind::TasksEnded(_) | EventKind::AgentEnd { .. } => true,
            _ => false,
        }
    }

    /// Does this event change these facts? Found out without a look at them.
    pub fn changed_by(event: &Event<'_>) -> bool {
        let EventKind::CallEnded { call, outcome } = &event.kind else { return Self::concerned_by(event) };
        let ran = Self::concerned_by(event) && !call.gates().is_empty();
        let mends = |effects| gates::formats(effects) || last_change(effects).is_some();
        ran || (matches!(outcome, Outcome::Succeeded { .. }) && call.effects().is_some_and(mends))
    }

    /// The runs, the oldest first.
    pub fn list(&self) -> &[Run] {
        &self.runs
    }

    /// Does a run of this class still go on in the background?
    pub fn is_awaited(&self, gate: Gate) -> bool {
        self.launched.iter().flat_map(|launched| &launched.runs).any(|run| run.gate.is_none_or(|other| other == gate))
    }

    /// Takes in one event.
    pub fn fold(&mut self, event: &Event<'_>, scope: &Scope, clock: &mut Clock) {
        match &event.kind {
            EventKind::CallEnded { call, outcome } if Self::concerned_by(event) => self.fold_call(event, call, outcome, scope, clock),
            EventKind::TasksEnded(tasks) => {
                for ended in tasks {
                    let launched = self.launched.iter().position(|launched| launched.task == ended.task);
                    for run in launched.map(|at| self.launched.remove(at).runs).unwrap_or_default() {
                        self.add(after(run, ended.end), clock);
                    }
                }
            }
            // What the subagent did may have mended what others left broken, in ways that were not seen.
            EventKind::AgentEnd { .. } => self.doubt(|run| run.agent != event.agent),
            _ => {}
        }
    }

    fn fold_call(&mut self, event: &Event<'_>, call: &Call<'_>, outcome: &Outcome<'_>, scope: &Scope, clock: &mut Clock) {
        let Some(effects) = call.effects() else { return };
        let found = call.gates();
        let succeeded = matches!(outcome, Outcome::Succeeded { .. });
        if succeeded && gates::formats(effects) {
            self.doubt(|run| run.gate == Some(Gate::Format));
        }
        let told = Told { event, call, outcome, found };
        let mut launched = Vec::new();
        for gate_run in found {
            let run = with_script(gate_run, event);
            let hooks = effects.commands.get(run.command).is_some_and(|command| command.program == "git");
            // `npm test` that fails is a failure of tests, whatever else its script runs; a program that checks several
            // things at once has found any of them.
            let one_program = !run.runner.is_empty() && run.script.is_none() && !run.superset && !run.gates.has(Gate::Test);
            let named = [gate_run.gates, run.gates].into_iter().find(|gates| gates.len() == 1 || one_program).unwrap_or_default();
            let started = told.run(&run, scope, *clock);
            if matches!(outcome, Outcome::Launched { .. }) {
                let basis = if run.status_visible && !run.background { Basis::Status } else { Basis::Nothing };
                let own = classes(&run, hooks).filter(|gate| gate.is_none_or(|gate| run.gates.has(gate)));
                launched.extend(own.map(|gate| Run { gate, basis, ..started.clone() }));
                continue;
            }
            let (mut failed, implies) = (Gates::NONE, run.implies);
            for gate in classes(&run, hooks) {
                let run = told.judge(&run, gate, named, hooks, started.clone());
                let Some(run) = run else { continue };
                if run.verdict == Verdict::Fail {
                    failed = failed.with(run.gate.map_or(Gates::NONE, |gate| Gates::of(&[gate])));
                }
                if run.verdict == Verdict::Pass {
                    for implied in implies.iter() {
                        self.add(Run { gate: Some(implied), implied: true, ..run.clone() }, clock);
                    }
                }
                self.add(run, clock);
            }
            if run.superset && !matches!(outcome, Outcome::Failed { .. }) {
                // It may have run what failed before, and its output need not say so.
                let within = |old: &Run| hooks || started.dir.is_empty() || is_at_or_below(&old.dir, &started.dir);
                self.doubt(|old| within(old) && old.gate.is_some_and(|gate| !failed.has(gate)));
            }
        }
        if last_change(effects).is_some_and(|at| found.iter().any(|run| run.command < at) || (found.is_empty() && succeeded)) {
            self.runs.iter_mut().filter(|run| run.is_bad()).for_each(|run| run.set_back = true);
        }
        if let (Outcome::Launched { task }, false) = (outcome, launched.is_empty()) {
            push_bounded(&mut self.launched, Launched { task: task.to_string(), runs: launched }, MAX_LAUNCHED);
        }
    }

    /// Bad runs that something since may have mended.
    fn doubt(&mut self, mended: impl Fn(&Run) -> bool) {
        self.runs.iter_mut().filter(|run| run.is_bad() && mended(run)).for_each(|run| run.doubted = true);
    }

    fn add(&mut self, mut run: Run, clock: &mut Clock) {
        run.at = clock.advance();
        run.turn = clock.turn();
        let passed = self.runs.iter().filter(|old| run.settles(old) && old.turn == run.turn);
        run.passed_at = passed.map(|old| if old.is_good() { old.at } else { old.passed_at }).max().unwrap_or_default();
        if run.is_good() && run.gate == Some(Gate::Test) && run.runner == "go" {
            // `go test` vets what it tests.
            self.doubt(|old| old.gate == Some(Gate::Lint) && old.runner == "go" && is_at_or_below(&old.dir, &run.dir));
        }
        self.runs.retain(|old| !run.settles(old));
        push_bounded(&mut self.runs, run, MAX_RUNS);
    }

    /// Forgets the oldest half, to make room in the state file.
    pub fn shed(&mut self) {
        self.runs.drain(..self.runs.len().div_ceil(2));
        self.launched.drain(..self.launched.len().div_ceil(2));
    }
}

/// The last command that has git change the files.
fn last_change(effects: &Effects) -> Option<usize> {
    let changes = |effect: &&Effect| matches!(&effect.kind, EffectKind::Git { action, .. } if changes_files(action));
    effects.list.iter().rfind(changes).map(|effect| effect.command)
}

fn is_shell(call: &Call<'_>) -> bool {
    matches!(call.action, Action::Shell { .. })
}

/// The classes that a run is asked about: its own, and of what stands for several also every other that its
/// output may name, and itself, unless it is only the hooks of a commit.
fn classes(run: &GateRun, hooks: bool) -> impl Iterator<Item = Option<Gate>> {
    let own = if run.superset { Gates::ALL } else { run.gates };
    let itself = (run.superset && !hooks).then_some(None);
    own.iter().map(Some).chain(itself)
}

/// The run with what the text of its script says, where that was looked up when it ran and is known to run gates.
fn with_script(run: &GateRun, event: &Event<'_>) -> GateRun {
    let note = event.noted.scripts.iter().find(|note| note.command == run.command);
    let Some(text) = note.map(|note| gates::of_script(&note.text)).filter(|text| !text.gates.is_empty()) else { return run.clone() };
    GateRun {
        gates: text.gates,
        superset: run.superset || text.superset,
        implies: text.implies,
        runner: text.runner,
        language: text.language,
        always_prints: text.always_prints,
        ..run.clone()
    }
}

/// A call that ran gates, and how it ended.
struct Told<'a> {
    event: &'a Event<'a>,
    call: &'a Call<'a>,
    outcome: &'a Outcome<'a>,
    /// Every run in it.
    found: &'a [GateRun],
}

impl Told<'_> {
    /// The run before its verdict is known.
    fn run(&self, run: &GateRun, scope: &Scope, clock: Clock) -> Run {
        let noted = self.event.noted.scripts.iter().find(|note| note.command == run.command && !note.dir.is_empty());
        // A script runs in the folder of its file.
        let dir = noted.map(|note| note.dir.clone()).or_else(|| scope.place(&run.dir, &self.event.cwd).into_path());
        Run {
            gate: None,
            verdict: Verdict::Unknown,
            basis: Basis::Nothing,
            dir: dir.filter(|_| !run.remote).unwrap_or_default(),
            narrow: text::name(&run.narrow, MAX_LINE_BYTES),
            language: run.language,
            // What stands for several may run any program.
            runner: if run.superset { String::new() } else { run.runner.to_owned() },
            implied: false,
            doubted: false,
            set_back: false,
            passed_at: 0,
            status: None,
            line: String::new(),
            passed: None,
            agent: self.event.agent.to_string(),
            call: self.call.id.to_string(),
            by: excerpt(self.call),
            time: self.event.time.as_deref().map(str::to_owned),
            at_line: self.event.line,
            turn: clock.turn(),
            at: 0,
        }
    }

    /// The run with its verdict about one class; `None` when it is not known to have run that class. A failure that
    /// tells no more is one of the classes that are `named`.
    fn judge(&self, run: &GateRun, gate: Option<Gate>, named: Gates, hooks: bool, started: Run) -> Option<Run> {
        let own = gate.is_none_or(|gate| run.gates.has(gate));
        let said = self.said(run, gate);
        // Hooks that name the class have run it, whatever came of it.
        if !own && said.verdict == Verdict::Unknown && !(hooks && self.hooks_name(gate)) {
            return None;
        }
        let visible = run.status_visible && !run.background && own;
        let judged = match self.outcome {
            Outcome::NotRun(_) | Outcome::Launched { .. } => return None,
            Outcome::Succeeded { .. } if visible => match said.verdict {
                Verdict::NothingExecuted => (Verdict::NothingExecuted, Basis::Summary, Some(0)),
                _ if self.is_silent(run) => (Verdict::NothingExecuted, Basis::Silence, Some(0)),
                _ => (Verdict::Pass, Basis::Status, Some(0)),
            },
            Outcome::Failed { status, timed_out, output } if visible || (*timed_out && own) => {
                let is_named = gate.is_none_or(|gate| named.has(gate));
                match said.verdict {
                    _ if is_no_such_folder(output) => return None,
                    Verdict::Fail | Verdict::NothingExecuted if !timed_out => (said.verdict, Basis::Summary, *status),
                    _ if *timed_out && self.found.len() == 1 => (Verdict::Fail, Basis::TimeOut, None),
                    _ if run.fails_alone && is_named => (Verdict::Fail, Basis::Status, *status),
                    verdict => (verdict, Basis::Summary, None),
                }
            }
            _ if self.is_silent(run) => (Verdict::NothingExecuted, Basis::Silence, None),
            _ if gate.is_none() => return None,
            // What was run again until it passed, failed before.
            Outcome::Succeeded { .. } if said.verdict == Verdict::Fail && self.is_run_again(run, gate) => {
                (Verdict::Unknown, Basis::Nothing, None)
            }
            _ => (said.verdict, Basis::Summary, None),
        };
        let (verdict, basis, mut status) = judged;
        if let (Outcome::Failed { status: own, .. }, Verdict::Fail, true) = (self.outcome, verdict, run.status_visible) {
            status = *own;
        }
        let basis = if verdict == Verdict::Unknown { Basis::Nothing } else { basis };
        Some(Run { gate, verdict, basis, status, line: text::name(&said.line, MAX_LINE_BYTES), passed: said.passed, ..started })
    }

    /// What the output says of the class.
    fn said(&self, run: &GateRun, gate: Option<Gate>) -> Summary {
        let (output, truncated) = match self.outcome {
            Outcome::Succeeded { output, truncated, .. } => (output, *truncated),
            // A failed call's output is cut in the middle by the client when it is long.
            Outcome::Failed { output, .. } => (output, output.len() > 8 << 10),
            _ => return Summary::default(),
        };
        let Some(gate) = gate else { return Summary::default() };
        if run.shown == Shown::Nothing {
            return Summary::default();
        }
        let whole = run.shown == Shown::Whole && !truncated;
        // A line that names no gate may be about a command beside the run.
        let only_run = self.found.len() == 1 && (run.fails_alone || !run.status_visible);
        let alone = only_run && !run.superset && run.gates.len() == 1;
        summary(output, &Asked { gate, runner: if run.superset { "" } else { run.runner }, alone, whole })
    }

    /// It prints something whenever it runs, all of that would be seen, and nothing is there.
    fn is_silent(&self, run: &GateRun) -> bool {
        let printed = match self.outcome {
            Outcome::Succeeded { output, truncated, .. } => *truncated || !output.trim().is_empty(),
            _ => true,
        };
        run.always_prints && run.shown == Shown::Whole && !run.background && !printed
    }

    /// Does the call run the same again, in a loop that ends with success or by another command?
    fn is_run_again(&self, run: &GateRun, gate: Option<Gate>) -> bool {
        let retries = match &self.call.action {
            Action::Shell { command, .. } => command.contains("until ") || (command.contains("break") && command.contains("done")),
            _ => false,
        };
        let same =
            |other: &&GateRun| gate.is_some_and(|gate| other.gates.has(gate)) && (&other.dir, &other.narrow) == (&run.dir, &run.narrow);
        retries || self.found.iter().filter(same).count() > 1
    }

    /// Do the hooks of a commit or a push name the class, above what git says itself?
    fn hooks_name(&self, gate: Option<Gate>) -> bool {
        let (Outcome::Succeeded { output, .. } | Outcome::Failed { output, .. }) = self.outcome else { return false };
        let names = |line: &str| {
            let mut words = line.split(|c: char| !c.is_alphanumeric()).map(str::to_ascii_lowercase);
            words.any(|word| gate.is_some_and(|gate| hook_words(gate).contains(&word.as_str())))
        };
        output.lines().take_while(|line| !line.starts_with('[')).any(names)
    }
}

/// The runner by which others of its kind go: they run the same tests.
pub fn family(runner: &str) -> &str {
    match runner {
        "nextest" => "cargo",
        "gotestsum" => "go",
        "unittest" | "tox" | "nox" => "pytest",
        "pest" => "phpunit",
        runner => runner,
    }
}

/// Does git put other content into files?
fn changes_files(action: &GitAction) -> bool {
    matches!(action, GitAction::Discard | GitAction::Change | GitAction::Switch)
}

/// The words by which hooks name a class.
fn hook_words(gate: Gate) -> &'static [&'static str] {
    match gate {
        Gate::Test => &["test", "tests", "jest", "vitest", "pytest", "mocha", "rspec", "phpunit", "nextest"],
        Gate::Lint => &["lint", "linter", "linting", "eslint", "ruff", "clippy", "biome", "oxlint", "rubocop", "flake8", "golangci"],
        Gate::Format => &["format", "fmt", "formatting", "prettier", "rustfmt", "gofmt", "black"],
        Gate::Typecheck => &["types", "typecheck", "tsc", "mypy", "pyright", "typescript"],
        Gate::Build => &["build", "compile", "compiling"],
    }
}

/// The shell could not go where the gate was to run.
fn is_no_such_folder(output: &str) -> bool {
    output.lines().take(3).any(|line| line.contains(": cd: ") || line.starts_with("cd: "))
}

/// A run in the background, ended: its basis told whether the status would be its own.
fn after(run: Run, end: TaskStatus) -> Run {
    let (verdict, status) = match end {
        _ if run.basis != Basis::Status => (Verdict::Unknown, None),
        TaskStatus::Exited(0) => (Verdict::Pass, Some(0)),
        TaskStatus::Exited(status) => (Verdict::Fail, Some(status)),
        TaskStatus::Failed => (Verdict::Fail, None),
        TaskStatus::Completed | TaskStatus::Stopped => (Verdict::Unknown, None),
    };
    Run { verdict, basis: if verdict == Verdict::Unknown { Basis::Nothing } else { Basis::Status }, status, ..run }
}
