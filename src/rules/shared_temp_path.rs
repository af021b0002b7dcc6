//! `session/shared-temp-path`

use std::fmt::Write as _;

use super::{Corpus, CorpusFinding, CorpusFindings, CorpusRule, Ctx, Moment, SessionRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Findings, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::session::event::Call;
use crate::session::facts::Facts;
use crate::session::ledger::Writer;
use crate::session::scope::Scope;
use crate::session::temp_files::{self, Made, TempSink, TempWrite};
use crate::text;
use crate::world::plan::{self, PlannedRead};
use crate::world::{Standing, Why};

declare_rule! {
    /// # What it sees
    ///
    /// A fixed path under a shared temporary root (`/tmp`, `/var/tmp`, `$TMPDIR`, `%TEMP%`) that the session
    /// wrote, and now reads back into something that lasts: copies over a file of the project (`cp`, `mv`,
    /// `cat … >`, a script's copy), applies as a patch or to a database, runs, or makes a commit message.
    ///
    /// # Why it matters
    ///
    /// Every session of a machine shares these roots, and agents like the same obvious names. Between the
    /// backup and the restore another session may have put its own file there: the restore then writes
    /// another project's bytes into this one.
    ///
    /// # Example
    ///
    /// ```sh
    /// cp package.json /tmp/pkg.bak     # one call
    /// npm pack --dry-run               # meanwhile a session next door does the same
    /// cp /tmp/pkg.bak package.json     # a later call: denied
    /// ```
    ///
    /// A restore is judged by what the file is now. If another session or agent wrote it, or its content is
    /// not what this session wrote, the call is denied until the file is written again (or, in the second
    /// case, looked at). If nobody can tell, or the content is unchanged, it is denied once, and passes when
    /// the agent runs it again. Running a script from there, or taking a commit message from there, gets a
    /// note.
    ///
    /// # What to do instead
    ///
    /// Use a name of this run alone, `T=$(mktemp)`, or the session's scratchpad; for tracked files let git keep the
    /// copy: `git stash`, `git restore`, `git show HEAD:file`.
    ///
    /// # Not flagged
    ///
    /// Names from `mktemp`, names that hold `$$`, `$RANDOM`, a UUID or the session id, the client's own
    /// scratchpad, anything inside the project or its work trees, paths that cannot be known from the text, and
    /// what runs on another machine or in a container. A file that is only looked at, or handed to some program, is
    /// worth no word live; a scan counts it as info.
    ///
    /// # Options
    ///
    /// `verified-unchanged`: what to do about a restore whose content is known to be unchanged: `deny` (once,
    /// the default) or `note`.
    pub struct SharedTempPath {
        id: "session/shared-temp-path",
        summary: "a fixed temporary path is written and later read back",
        trigger: "a call restores from, applies, runs or quotes a fixed path under a shared temporary root that the session wrote",
        message: "fixed temp path \"<path>\" is written and later read back",
        severity: Error,
        confidence: Verified,
        moments: [BeforeCall, Scan],
        loudest: Deny,
        options: [{
            name: "verified-unchanged",
            summary: "what to do about a restore whose content is known to be unchanged",
            values: ["deny", "note"],
            default: "deny"
        }],
        since: "0.1.0",
    }
}

const REMEDY: &str = "use a name of this run alone (T=$(mktemp)) for the next one";

impl SessionRule for SharedTempPath {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn concerned_by(&self, now: &Moment<'_>, cwd: &str, scope: &Scope) -> bool {
        matches!(now, Moment::BeforeCall(call) if temp_files::may_touch(call, cwd, scope))
    }

    fn check(&self, now: &Moment<'_>, facts: &Facts, cx: &Ctx<'_>, out: &mut Findings) {
        let Moment::BeforeCall(call) = now else { return };
        // What is known of the session is looked at only where the call touches such a path at all.
        if temp_files::acts(call, cx.cwd, cx.scope, &Made::default()).list.is_empty() {
            return;
        }
        let acts = temp_files::acts(call, cx.cwd, cx.scope, facts.temp_files.made());
        let plan = plan::plan(&acts, cx.agent, cx.around.world);
        let mut found: Vec<(&TempSink, Finding)> = Vec::new();
        for read in &plan.reads {
            let written = facts.temp_files.written(&read.at, cx.agent);
            let Some(mut finding) = judge(read, written, call, cx) else { continue };
            if plan.approximate {
                finding.ask = finding.ask.min(Ask::Note);
                finding.confidence = Confidence::Heuristic;
            }
            // One finding a path, at the gravest sink.
            match found.iter_mut().find(|(_, other)| other.key == finding.key) {
                Some(other) if (finding.ask, &read.sink) > (other.1.ask, other.0) => *other = (&read.sink, finding),
                Some(_) => {}
                None => found.push((&read.sink, finding)),
            }
        }
        out.extend(found.into_iter().map(|(_, finding)| finding));
    }
}

/// What one read amounts to; `None` when it is not worth a word.
fn judge(read: &PlannedRead, written: Option<&TempWrite>, call: &Call<'_>, cx: &Ctx<'_>) -> Option<Finding> {
    let path = &read.at.path;
    let standing = match (&read.standing, written) {
        // The session is known to have written it, but no record of the content was kept.
        (Standing::Unwritten { .. } | Standing::OthersOnly(_), Some(_)) => &Standing::Unverifiable(Why::NoRecord),
        (Standing::Unwritten { .. }, None) => return None,
        (Standing::Unknown, None) if !read.same_call => return None,
        (Standing::OthersOnly(_), None) if !read.sink.lasts() => return None,
        (standing, _) => standing,
    };
    let (severity, ask) = match (&read.sink, read.same_call) {
        (TempSink::Restore { .. } | TempSink::Apply, true) if standing.is_tainted() => (Severity::Error, Ask::Deny),
        (TempSink::Restore { .. }, true) | (TempSink::Quote, false) => (Severity::Warning, Ask::Note),
        (_, true) => return None,
        (TempSink::Look | TempSink::Argument, false) => (Severity::Info, Ask::Silent),
        (TempSink::Run, false) => (Severity::Error, Ask::Note),
        (TempSink::Restore { .. } | TempSink::Apply, false) => (Severity::Error, verdict(standing, cx)),
    };
    let confidence = match standing {
        Standing::Foreign(_) | Standing::ForeignBytes(_) | Standing::Changed { .. } | Standing::ChangedBytes { .. } => Confidence::Verified,
        Standing::Unchanged if !read.same_call => Confidence::Verified,
        _ => Confidence::Heuristic,
    };
    let mut places = Vec::new();
    if let Some(written) = written.filter(|_| !read.same_call) {
        places.push(written_place(written));
    }
    places.push(Place { role: "read by", excerpt: temp_files::excerpt(call), ..Place::default() });
    let telling = tell(read, standing, cx);
    Some(Finding {
        rule: SharedTempPath::META,
        severity,
        confidence,
        message: message(path),
        evidence: vec![telling.clone()],
        remedy: remedy(read, standing, cx),
        places,
        ask,
        key: path.clone(),
        standing: telling,
        forecast: false,
    })
}

fn written_place(written: &TempWrite) -> Place {
    Place {
        role: "written by",
        agent: written.agent.clone(),
        line: written.line,
        time: written.time.clone(),
        excerpt: written.by.clone(),
        ..Place::default()
    }
}

fn message(path: &str) -> String {
    SharedTempPath::META.message.replace("<path>", &shown(path))
}

impl CorpusRule for SharedTempPath {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    /// Pairs a restore with the latest write of the path by another session or agent, unless the one that restores
    /// wrote it after that. Two files are ordered by their time stamps alone, so this is a guess.
    fn check(&self, corpus: &Corpus<'_>, out: &mut CorpusFindings) {
        for (reader, trace) in corpus.traces.iter().enumerate() {
            for restore in &trace.restores {
                let writers = corpus.traces.iter().enumerate().flat_map(|(writer, trace)| {
                    let others = move |write: &&TempWrite| writer != reader || write.agent != restore.agent;
                    trace.writes.iter().filter(others).map(move |write| (writer, write))
                });
                let between = writers
                    .filter(|(_, write)| restore.at.touches(&write.path) && write.time > restore.own_write && write.time < restore.time);
                let Some((writer, write)) = between.max_by(|(_, a), (_, b)| a.time.cmp(&b.time)) else { continue };
                let ours = if restore.own_write.is_some() { "after this one did" } else { "this one never did" };
                let finding = Finding {
                    rule: Self::META,
                    severity: Severity::Error,
                    confidence: Confidence::Heuristic,
                    message: message(&restore.at.path),
                    evidence: vec![format!("{}: another session or agent wrote it, {ours}", shown(&restore.at.path))],
                    remedy: REMEDY.to_owned(),
                    places: vec![
                        written_place(write),
                        Place {
                            role: "read by",
                            agent: restore.agent.clone(),
                            line: restore.line,
                            time: restore.time.clone(),
                            excerpt: restore.by.clone(),
                            ..Place::default()
                        },
                    ],
                    ask: Ask::Note,
                    key: restore.at.path.clone(),
                    standing: String::new(),
                    forecast: false,
                };
                out.push(CorpusFinding { finding, sessions: vec![writer, reader], prevented: restore.prevented });
            }
        }
    }
}

/// What to do about a restore from a path that an earlier call wrote.
fn verdict(standing: &Standing, cx: &Ctx<'_>) -> Ask {
    match standing {
        tainted if tainted.is_tainted() => Ask::Deny,
        Standing::OthersOnly(_) => Ask::Note,
        Standing::Unchanged if (cx.around.option)(SharedTempPath::META, "verified-unchanged") == "note" => Ask::Note,
        _ => Ask::DenyOnce,
    }
}

/// The telling line: which it is.
fn tell(read: &PlannedRead, standing: &Standing, cx: &Ctx<'_>) -> String {
    let path = shown(&read.at.path);
    let looked = |looked_at: bool| if looked_at { ", and you have looked at it since" } else { "" };
    // To another agent of this session, the session is both of them.
    let us = |writer: &Writer| if writer.session == cx.scope.session { "this agent" } else { "this session" };
    match standing {
        Standing::Foreign(writer) => {
            format!("{path}: {} wrote it at {}, after {} did", who(writer, cx), text::clock(writer.at), us(writer))
        }
        Standing::ForeignBytes(writer) => format!("{path}: it holds what {} wrote at {}", who(writer, cx), text::clock(writer.at)),
        Standing::OthersOnly(writer) => {
            format!("{path}: {} wrote it at {}, {} never did", who(writer, cx), text::clock(writer.at), us(writer))
        }
        Standing::Changed { was, now, looked_at } => {
            let sizes = if was == now { format!("{now} bytes, other content") } else { format!("{was} → {now} bytes") };
            format!("{path}: changed since you wrote it ({sizes}){}", looked(*looked_at))
        }
        Standing::ChangedBytes { looked_at } => {
            format!("{path}: it holds what had changed before you copied it or added to it{}", looked(*looked_at))
        }
        Standing::Unverifiable(why) => format!("{path}: cannot tell whether it is still what you wrote: {}", reason(*why)),
        _ if read.same_call => format!("{path}: a fixed name that every session shares, written and read back in one call"),
        Standing::Unchanged => format!("{path}: unchanged since you wrote it, but every session shares the name"),
        Standing::Unknown | Standing::Unwritten { .. } => format!("{path}: written earlier, and every session shares the name"),
    }
}

fn reason(why: Why) -> &'static str {
    match why {
        Why::NoRecord => "no record of its content was kept",
        Why::Folder => "it is a folder or a pattern, and others may have put files there",
        Why::Special => "it is a link, a pipe or a device",
        Why::Gone => "nothing is there now",
        Why::Unreadable => "it cannot be read",
        Why::Busy => "a call of another session or agent that writes it has not ended",
        Why::Mixed => "it holds bytes that nobody can vouch for",
        Why::TooLarge => "it was written anew since, and is too large to be compared whole",
    }
}

/// A writer, by session and folder, or as an agent of this session.
fn who(writer: &Writer, cx: &Ctx<'_>) -> String {
    if writer.session == cx.scope.session {
        return if writer.agent.is_empty() {
            "the main agent".to_owned()
        } else {
            format!("subagent {}", text::name(&writer.agent, MAX_ID_BYTES))
        };
    }
    let mut who = format!("session {}", text::name(&writer.session, MAX_ID_BYTES));
    if writer.project != cx.scope.project && !writer.project.is_empty() {
        let _ = write!(who, " in {}", text::name(&relative(&writer.project, &cx.scope.project), 80));
    }
    who
}

/// How much of an id is shown, in bytes: eight characters and an ellipsis are enough to find it by.
const MAX_ID_BYTES: usize = 11;

/// A path, fit to be shown, with room for what is told of it.
fn shown(path: &str) -> String {
    text::name(path, 160)
}

/// `path` as `../name` when it stands beside `base`.
fn relative(path: &str, base: &str) -> String {
    match (path.rsplit_once('/'), base.rsplit_once('/')) {
        (Some((parent, name)), Some((base_parent, _))) if parent == base_parent => format!("../{name}"),
        _ => path.to_owned(),
    }
}

fn remedy(read: &PlannedRead, standing: &Standing, cx: &Ctx<'_>) -> String {
    let first = match standing {
        Standing::Foreign(_) | Standing::ForeignBytes(_) => {
            Some(format!("make the content anew from its source and write all of {} again", shown(&read.at.path)))
        }
        tainted if tainted.is_tainted() => Some("look at it first (`diff`, `cat`), or write all of it again".to_owned()),
        _ => None,
    };
    let ways: Vec<String> = first.into_iter().chain(from_git(read, cx)).collect();
    if ways.is_empty() { REMEDY.to_owned() } else { format!("{}; {REMEDY}", ways.join(", or ")) }
}

/// Where the content of a file of the project can be had without the temporary file. `git restore` would be
/// shorter, and throw away what is not committed.
fn from_git(read: &PlannedRead, cx: &Ctx<'_>) -> Option<String> {
    let TempSink::Restore { to } = &read.sink else { return None };
    if read.at.glob {
        return None;
    }
    let inside = to.strip_prefix(cx.scope.project.as_str())?.strip_prefix('/')?;
    cx.around
        .world
        .is_committed(&cx.scope.project, inside)
        .then(|| format!("see what git has (`git show HEAD:./{}`)", text::name(inside, 80)))
}
