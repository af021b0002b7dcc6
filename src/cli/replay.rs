//! `turnstop replay`: what the hook would have said, call by call.

use std::collections::HashSet;
use std::env;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Failure, Report};
use crate::agent::Recorded;
use crate::config::Level;
use crate::finding::Finding;
use crate::meta::Confidence;
use crate::policy::{self, Decision, Hold, Terms};
use crate::report::json::Item;
use crate::rules::SharedTempPath;
use crate::scan::walk::{self, Met, Surroundings};
use crate::session::event::EventKind;
use crate::session::temp_files::excerpt;
use crate::text;

/// Walk a transcript and say what the hook would have said, call by call and at the end of each turn
///
/// The transcript's subagents, which stand beside it, are walked with it. A transcript does not hold what a
/// file held at the time: a denial that rests on that is marked with what a live run would have verified.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A session's transcript: `~/.claude/projects/<project>/<session>.jsonl`, or a rollout of Codex, packed or not
    transcript: PathBuf,

    /// The project's folder [default: where the transcript says the session worked]
    #[arg(long, value_name = "DIR")]
    project: Option<PathBuf>,

    /// One JSON object for each call or turn that something was found about, a line each
    #[arg(long)]
    json: bool,

    /// Show the calls and turns that nothing is said about, too
    #[arg(long, short)]
    verbose: bool,
}

const EXAMPLES: &str = "\
Examples:
  turnstop replay ~/.claude/projects/-home-me-app/0f3a….jsonl
  turnstop replay session.jsonl --json | jq 'select(.said == \"deny\")'";

pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    if !args.transcript.is_file() {
        return Err(Failure::new(
            format!("{} is not a file", args.transcript.display()),
            "name a session's transcript, as in `turnstop replay ~/.claude/projects/<project>/<session>.jsonl`",
        ));
    }
    if let Some(project) = args.project.as_ref().filter(|project| !project.is_dir()) {
        return Err(Failure::new(format!("{} is not a folder", project.display()), "name the folder that the session worked in"));
    }
    let recorded = Recorded::at(&args.transcript);
    let project = args.project.clone().unwrap_or_else(|| recorded.worked_in());
    let surroundings = Surroundings::new(&project, |name| env::var_os(name));
    let mut replay = Replay { verbose: args.verbose, json: args.json, ..Replay::default() };
    let session = walk::session(&recorded, &surroundings, &mut |met| replay.met(met));
    if let Some((file, reason)) = session.read.skipped.first() {
        return Err(Failure::new(format!("{}: {reason}", file.display()), "see that the file can be read"));
    }
    if session.read.lines > 0 && session.read.lines == session.read.lines_not_read() {
        return Err(Failure::new(
            format!("{} holds no line of a transcript", args.transcript.display()),
            "name a session's transcript, as in `turnstop replay ~/.claude/projects/<project>/<session>.jsonl`",
        ));
    }
    if !args.json {
        let (calls, said) = (replay.calls, replay.spoken);
        replay.report.line(format_args!(
            "{calls} calls, spoken {said} times; {} lines, {} not read",
            session.read.lines,
            session.read.lines_not_read()
        ));
    }
    Ok(replay.report)
}

/// What has been said so far, and to how many.
#[derive(Default)]
struct Replay {
    report: Report,
    said: HashSet<u64>,
    calls: usize,
    spoken: usize,
    json: bool,
    verbose: bool,
}

impl Replay {
    fn met(&mut self, met: &Met<'_>) {
        let terms = Terms { level: &|_| Level::Block, said_before: &|key| self.said.contains(&key), remembers: true };
        let (by, id, decision) = match &met.event.kind {
            EventKind::CallStarted(call) => {
                self.calls += 1;
                (excerpt(call), &*call.id, policy::before_call(met.findings, &terms))
            }
            EventKind::TurnEnd { message, continued, .. } => {
                // As in a session that a person watches.
                let hold = Hold { allowed: !continued, prompt: &met.event.line.to_string() };
                (text::excerpt(message), "", policy::turn_end(met.findings, hold, &terms))
            }
            EventKind::AgentEnd { message } => {
                (text::excerpt(message), "", policy::turn_end(met.findings, Hold { allowed: false, prompt: "" }, &terms))
            }
            _ => return,
        };
        if let Some(decision) = &decision {
            self.said.extend(&decision.said);
            self.spoken += 1;
        }
        if self.json {
            if !met.findings.is_empty() || self.verbose {
                self.report.line(line(met, &by, id, decision.as_ref()));
            }
            return;
        }
        match &decision {
            None if self.verbose => self.report.line(format_args!("{:>6}  -     {by}", met.event.line)),
            None => {}
            Some(decision) => {
                self.report.line(format_args!("{:>6}  {}  {by}", met.event.line, word(decision)));
                for line in decision.text.lines() {
                    self.report.line(format_args!("              {line}"));
                }
                if rests_on_disk(met) {
                    self.report.line("              (only a live run can verify what the file held)");
                }
            }
        }
    }
}

fn word(decision: &Decision) -> &'static str {
    decision.voice.word()
}

fn rests_on_disk(met: &Met<'_>) -> bool {
    let about_a_file = |finding: &&Finding| finding.rule.id == SharedTempPath::META.id;
    met.findings.iter().filter(about_a_file).any(|finding| finding.confidence == Confidence::Heuristic)
}

fn line(met: &Met<'_>, call: &str, id: &str, decision: Option<&Decision>) -> Value {
    json!({
        "line": met.event.line, "time": met.event.time, "agent": met.event.agent, "call_id": id, "call": call,
        "said": decision.map(word), "text": decision.map(|decision| &decision.text),
        "verifiable_live_only": decision.is_some() && rests_on_disk(met),
        "findings": met.findings.iter().map(Item::of).collect::<Vec<_>>(),
    })
}
