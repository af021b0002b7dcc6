//! What each agent ran last, and what came of it: whether it goes round in circles.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use std::ops::Range;

use once_cell::unsync::OnceCell;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::event::{Action, Call, Event, EventKind, Outcome, is_false};
use super::observed::push_bounded;
use crate::shell::{Command, Dialect, Effects};
use crate::text::{self, Excerpt};

/// How many calls of an agent are remembered: two rounds of the longest cycle, and one call more.
const MAX_CALLS: usize = 2 * LONGEST_CYCLE + 1;
/// The longest cycle that is looked for, in calls.
pub const LONGEST_CYCLE: usize = 3;
/// How many agents are followed. Past it the one that came last is not.
const MAX_AGENTS: usize = 16;
/// Looks at what is waited for that are further apart than this are patient, in seconds.
const PATIENT: i64 = 30;
/// Only this much of an output's start and end is compared, in bytes. Clients cut what is longer than both.
const MAX_COMPARED: usize = 16 << 10;

/// One call, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// What was asked: the tool and its input.
    pub asked: u64,
    /// What came of it.
    came: Came,
    /// It failed.
    #[serde(default, skip_serializing_if = "is_false")]
    pub failed: bool,
    /// It waits for something else to happen.
    #[serde(default, skip_serializing_if = "is_false")]
    pub waits: bool,
    /// The call, masked and cut.
    pub by: Excerpt,
    /// Time stamp of the call, when the source had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Line of the transcript; 0 when seen live.
    #[serde(default)]
    pub at_line: u32,
}

impl Done {
    /// Does `call` ask the same?
    pub fn asked_by(&self, call: &Call<'_>) -> bool {
        asked(call) == Some(self.asked)
    }

    /// Was the same asked, and did the same come of it? Of what fails, a number more or less makes no
    /// difference; of what succeeds, it may be progress.
    fn same(&self, other: &Done) -> bool {
        (self.asked, self.failed) == (other.asked, other.failed) && self.came == other.came
    }
}

/// What came of a call, but for times, ids and names of temporary files; where it failed, but for every number.
///
/// Two are compared by their hashes. The hash is worked out when it is asked for: most calls are never compared.
#[derive(Debug, Clone)]
struct Came {
    hash: OnceCell<u64>,
    /// With what status it failed, and whether it ran for too long; `None` where it did not fail.
    failure: Option<(i32, bool)>,
    /// What it printed, as far as it is compared.
    output: String,
}

impl Came {
    fn of(outcome: &Outcome<'_>, output: &str) -> Self {
        let failure = match outcome {
            Outcome::Failed { status, timed_out, .. } => Some((status.unwrap_or(1), *timed_out)),
            _ => None,
        };
        Came { hash: OnceCell::new(), failure, output: compared(output) }
    }

    fn hash(&self) -> u64 {
        *self.hash.get_or_init(|| {
            let masked = normalised(&self.output, if self.failure.is_some() { Mask::Numbers } else { Mask::Passing });
            // Where nothing else is left, what was masked is what was asked for.
            let compared = if masked.contains(char::is_alphanumeric) { &masked } else { &self.output };
            xxh3_64(format!("{:?}\0{compared}", self.failure).as_bytes())
        })
    }
}

impl PartialEq for Came {
    fn eq(&self, other: &Self) -> bool {
        self.hash() == other.hash()
    }
}

impl Eq for Came {}

impl Serialize for Came {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.hash())
    }
}

impl<'de> Deserialize<'de> for Came {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hash = OnceCell::with_value(u64::deserialize(deserializer)?);
        Ok(Came { hash, failure: None, output: String::new() })
    }
}

/// The start and the end of an output.
fn compared(output: &str) -> String {
    if output.len() <= 2 * MAX_COMPARED {
        return output.to_owned();
    }
    [text::head(output, MAX_COMPARED), &output[output.ceil_char_boundary(output.len() - MAX_COMPARED)..]].join("\n")
}

/// What one agent ran since something changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Trail {
    agent: String,
    /// After how many prompts it was made.
    prompts: u32,
    /// How often the agent changed something.
    changes: u32,
    /// The latest calls, the oldest first.
    pub calls: Vec<Done>,
    /// How many calls at the end are the same.
    pub streak: u32,
}

impl Trail {
    /// How many calls at the end asked the same as `call` and came to the same.
    pub fn repeated(&self, call: &Call<'_>) -> u32 {
        if self.calls.last().is_some_and(|last| last.asked_by(call)) { self.streak } else { 0 }
    }

    /// The calls of the shortest cycle that the end of the trail has gone through twice, with the same outcome
    /// each time; the longest wins. None of them is a repeat in itself.
    pub fn cycle(&self) -> Option<Range<usize>> {
        let end = self.calls.len();
        (2..=LONGEST_CYCLE).rev().find_map(|length| {
            let start = end.checked_sub(2 * length)?;
            let (first, second) = self.calls[start..].split_at(length);
            let distinct = first.iter().enumerate().all(|(at, call)| first[at + 1..].iter().all(|other| other.asked != call.asked));
            let again = first.iter().zip(second).all(|(a, b)| a.same(b));
            (distinct && again).then_some(start..end)
        })
    }
}

/// What the agents of a session ran last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Repeats {
    prompts: u32,
    trails: Vec<Trail>,
}

impl Repeats {
    /// Could this event change these facts? Cheap, and errs toward yes.
    pub fn concerned_by(event: &Event<'_>) -> bool {
        match &event.kind {
            EventKind::CallEnded { call, outcome } => !matches!(outcome, Outcome::NotRun(_)) && end(call) != End::Nothing,
            EventKind::Prompt { by_person, .. } => *by_person,
            _ => false,
        }
    }

    /// What an agent ran since the last prompt and since it last changed something.
    pub fn of(&self, agent: &str) -> Option<&Trail> {
        self.trails.iter().find(|trail| trail.agent == agent && trail.prompts == self.prompts)
    }

    /// Takes in one event.
    pub fn fold(&mut self, event: &Event<'_>) {
        match &event.kind {
            EventKind::Prompt { by_person: true, .. } => self.prompts += 1,
            EventKind::CallEnded { call, outcome } if Self::concerned_by(event) => {
                if matches!(call.action, Action::Write { .. } | Action::Edit { .. }) {
                    // Whoever changed the file, what anybody runs may now come to something else.
                    self.trails.iter_mut().for_each(Trail::begin_anew);
                    return;
                }
                let trail = self.trail(&event.agent);
                match done(call, outcome, event) {
                    Some(done) => trail.add(done),
                    None => trail.begin_anew(),
                }
            }
            _ => {}
        }
    }

    fn trail(&mut self, agent: &str) -> &mut Trail {
        let at = self.trails.iter().position(|trail| trail.agent == agent).unwrap_or_else(|| {
            self.trails.truncate(MAX_AGENTS - 1);
            self.trails.push(Trail { agent: agent.to_owned(), prompts: self.prompts, ..Trail::default() });
            self.trails.len() - 1
        });
        let trail = &mut self.trails[at];
        if trail.prompts != self.prompts {
            trail.prompts = self.prompts;
            trail.clear();
        }
        trail
    }

    /// Forgets every trail, to make room in the state file.
    pub fn shed(&mut self) {
        self.trails.clear();
    }
}

impl Trail {
    /// What tells this trail from the agent's other ones.
    pub fn name(&self) -> String {
        format!("{}\0{}\0{}", self.agent, self.prompts, self.changes)
    }

    fn begin_anew(&mut self) {
        self.changes += 1;
        self.clear();
    }

    fn clear(&mut self) {
        self.calls.clear();
        self.streak = 0;
    }

    fn add(&mut self, done: Done) {
        let again = |last: &Done| {
            last.same(&done)
                && (!done.waits || text::seconds_between(last.time.as_deref(), done.time.as_deref()).is_some_and(|gap| gap < PATIENT))
        };
        self.streak = if self.calls.last().is_some_and(again) { self.streak + 1 } else { 1 };
        push_bounded(&mut self.calls, done, MAX_CALLS);
    }
}

/// What the end of a call does to the trail of its agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    /// Nothing: it looks at a file.
    Nothing,
    /// It is one call more.
    Adds,
    /// It changes something, so that what comes after is no repetition.
    BeginsAnew,
}

fn end(call: &Call<'_>) -> End {
    match &call.action {
        Action::Shell { .. } => End::Adds,
        Action::Write { .. } | Action::Edit { .. } | Action::Ask => End::BeginsAnew,
        Action::Read { .. } | Action::Other => End::Nothing,
    }
}

/// The call as it is remembered; `None` for one whose repetition says nothing: it was launched, a person typed it, or what it
/// does to the world outside is not to be seen in its output.
fn done(call: &Call<'_>, outcome: &Outcome<'_>, event: &Event<'_>) -> Option<Done> {
    let (output, failed) = match outcome {
        Outcome::Succeeded { output, .. } => (output, false),
        Outcome::Failed { output, .. } => (output, true),
        Outcome::Launched { .. } | Outcome::Untold { .. } | Outcome::NotRun(_) => return None,
    };
    let effects = call.effects()?;
    if any(effects, PUBLISHES) {
        return None;
    }
    let Action::Shell { command, .. } = &call.action else { return None };
    Some(Done {
        asked: asked(call)?,
        came: Came::of(outcome, output),
        failed,
        waits: waits(effects),
        by: Excerpt::of(command),
        time: event.time.as_deref().map(str::to_owned),
        at_line: event.line,
    })
}

/// The tool and its input, white space aside; `None` for a call that is no shell command.
fn asked(call: &Call<'_>) -> Option<u64> {
    let Action::Shell { command, dialect } = &call.action else { return None };
    let mut hash = Xxh3::new();
    hash.update(if *dialect == Dialect::Bash { b"bash" } else { b"powershell" });
    for word in command.split_whitespace() {
        hash.update(b"\0");
        hash.update(word.as_bytes());
    }
    Some(hash.digest())
}

/// Commands that wait for something or look whether it has happened, each by its first words.
const WAITS: &[&str] = &[
    "tmux capture-pane",
    "sleep",
    "watch",
    "wait",
    "tail -f",
    "tail -F",
    "gh run view",
    "gh run watch",
    "gh run list",
    "gh pr checks",
    "gh pr view",
    "gh pr status",
    "gh workflow view",
    "glab ci status",
    "glab ci view",
    "kubectl get",
    "kubectl describe",
    "kubectl rollout",
    "kubectl wait",
    "kubectl logs",
    "kubectl top",
    "docker ps",
    "docker inspect",
    "docker logs",
    "docker stats",
    "docker compose ps",
    "docker compose logs",
    "podman ps",
    "systemctl status",
    "systemctl is-active",
    "journalctl",
    "ps",
    "pgrep",
    "pidof",
    "jobs",
    "top",
    "uptime",
    "free",
    "date",
    "nvidia-smi",
    "squeue",
    "sacct",
    "qstat",
    "lsof",
    "netstat",
    "ss",
    "ping",
    "nc",
    "pg_isready",
    "redis-cli ping",
    "adb devices",
    "xcrun simctl list",
    "aws cloudformation describe-stacks",
    "aws ecs describe-services",
    "aws ecs wait",
    "gcloud builds list",
    "gcloud builds describe",
    "az pipelines runs",
    "vercel inspect",
    "vercel ls",
    "fly status",
    "flyctl status",
    "heroku ps",
    "railway status",
    "nomad status",
    "consul members",
    "helm status",
    "argocd app get",
    "flux get",
    "npm view",
    "cargo search",
    "dig",
    "nslookup",
    "host",
];

/// Commands that change the world outside, or drive another program, so that the same output hides another result.
const PUBLISHES: &[&str] = &[
    "input",
    "xdotool",
    "ydotool",
    "cliclick",
    "osascript",
    "tmux send-keys",
    "screen",
    "playwright-cli",
    "agent-browser",
    "git push",
    "git pull",
    "git fetch",
    "git merge",
    "git rebase",
    "git cherry-pick",
    "git stash",
    "gh pr merge",
    "gh pr create",
    "gh release",
    "gh workflow run",
    "gh run rerun",
    "glab mr merge",
    "npm publish",
    "pnpm publish",
    "yarn publish",
    "cargo publish",
    "twine upload",
    "docker push",
    "kubectl apply",
    "kubectl delete",
    "kubectl scale",
    "helm upgrade",
    "helm install",
    "helm rollback",
    "terraform apply",
    "pulumi up",
    "vercel deploy",
    "vercel",
    "fly deploy",
    "flyctl deploy",
    "heroku",
    "netlify deploy",
    "firebase deploy",
    "wrangler deploy",
    "serverless deploy",
    "sls deploy",
    "cdk deploy",
    "eb deploy",
    "gcloud deploy",
    "gcloud run deploy",
    "aws s3 sync",
    "goreleaser",
    "fastlane",
];

/// Words of an address that ask how something is doing.
const STATUS_WORDS: &[&str] = &["status", "health", "healthz", "ready", "readyz", "livez", "ping", "progress"];

/// Does the command wait for something else to happen?
fn waits(effects: &Effects) -> bool {
    any(effects, WAITS) || effects.commands.iter().any(asks_address)
}

fn any(effects: &Effects, list: &[&str]) -> bool {
    effects.commands.iter().any(|command| list.iter().any(|words| begins(command, words)))
}

/// Does the command begin with these words? Options between them are passed over.
fn begins(command: &Command, words: &str) -> bool {
    // Most differ in the first letter.
    if command.program.as_bytes().first() != words.as_bytes().first() {
        return false;
    }
    let rest = words.strip_prefix(command.program.as_str());
    let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with(' ')) else { return false };
    let mut args = command.args.iter().flatten();
    rest.split(' ').skip(1).all(|word| args.by_ref().find(|arg| *arg == word || !arg.starts_with('-')).is_some_and(|arg| arg == word))
}

/// `curl …/health`: is it asked of an address how something is doing?
fn asks_address(command: &Command) -> bool {
    let asks = |arg: &str| {
        let path = arg.split(['?', '#']).next().unwrap_or_default();
        path.contains('/') && path.split(['/', '-', '_', '.']).any(|part| STATUS_WORDS.contains(&part))
    };
    matches!(command.program.as_str(), "curl" | "wget" | "http" | "xh" | "Invoke-WebRequest" | "Invoke-RestMethod")
        && command.args.iter().flatten().any(|arg| asks(arg))
}

/// What is left out of an output before it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mask {
    /// What differs from run to run and tells of no progress: times, ids, names of temporary files.
    Passing,
    /// Every number, too.
    Numbers,
}

/// An output as it is compared.
fn normalised(output: &str, mask: Mask) -> String {
    let mut out = String::with_capacity(output.len());
    if !output.is_ascii() {
        for word in output.split_whitespace() {
            let kinds = word.bytes().fold(0, |kinds, byte| kinds | KINDS[usize::from(byte)]);
            put(word, kinds, mask, &mut out);
        }
        return out;
    }
    // The same, byte by byte.
    let (mut start, mut kinds) = (0, 0);
    for (at, byte) in output.bytes().chain([b' ']).enumerate() {
        let kind = KINDS[usize::from(byte)];
        if kind == BLANK {
            put(&output[start..at], kinds, mask, &mut out);
            (start, kinds) = (at + 1, 0);
        } else {
            kinds |= kind;
        }
    }
    out
}

/// What a byte is.
const BLANK: u8 = 1;
const DIGIT: u8 = 2;
/// It stands in every path.
const MARK: u8 = 4;

/// What each byte is.
const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b' ' | b'\t'..=b'\r' => BLANK,
            b'0'..=b'9' => DIGIT,
            b'/' | b'.' | b'\\' => MARK,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// Puts one word that holds bytes of these kinds, masked where it may have to be, and a blank.
fn put(word: &str, kinds: u8, mask: Mask, out: &mut String) {
    if word.is_empty() {
        return;
    }
    if kinds & MARK != 0 && is_temporary(word) {
        out.push('~');
    } else if kinds & DIGIT != 0 {
        mask_word(word, mask, out);
    } else {
        out.push_str(word);
    }
    out.push(' ');
}

/// Puts a word with digits, masked. A word is taken apart at what is neither letter nor digit.
fn mask_word(word: &str, mask: Mask, out: &mut String) {
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let wordy = |c: char| c.is_alphanumeric();
        let end = if wordy(first) { rest.find(|c| !wordy(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, after) = rest.split_at(end);
        let digits = token.bytes().filter(u8::is_ascii_digit).count();
        // `1.2s`, `12:30:01`, `0x7f3a`, `a1b2c3d`: part of a time or an id.
        let passing = digits > 0 && (is_id(token) || is_duration(token, after, word) || is_clock(word));
        if passing {
            out.push('#');
        } else if digits > 0 && mask == Mask::Numbers {
            out.extend(token.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }));
        } else {
            out.push_str(token);
        }
        rest = after;
    }
}

/// Seven or more hexadecimal digits with a letter among them, or a long number: an id, an address, a time.
fn is_id(token: &str) -> bool {
    let hex = token.strip_prefix("0x").unwrap_or(token);
    let is_hex = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    (hex.len() < token.len() && is_hex)
        || (is_hex && hex.len() >= 7 && hex.bytes().any(|byte| byte.is_ascii_alphabetic()))
        || (token.len() >= 9 && token.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A number with a unit of time behind it, or the whole part of one: `12ms`, `1.5s`, `2m`.
fn is_duration(token: &str, after: &str, word: &str) -> bool {
    const UNITS: &[&str] = &["ms", "s", "sec", "secs", "seconds", "m", "min", "us", "µs", "ns", "h"];
    let unit = |token: &str| {
        let digits = token.find(|c: char| !c.is_ascii_digit()).unwrap_or(token.len());
        digits > 0 && UNITS.contains(&&token[digits..])
    };
    if unit(token) {
        return true;
    }
    let fraction = after.strip_prefix(['.', ',']).map(|rest| &rest[..rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len())]);
    // A date: `2026-12-01`, `2026-12-01T10`.
    fraction.is_some_and(unit) || (token.len() >= 2 && word.len() >= 10 && is_date(word))
}

/// `12:30`, `[12:30:01.5]`: a time of the day, and nothing before it.
fn is_clock(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| c.is_ascii_punctuation());
    let mut parts = word.split(':');
    let two = |part: &str| part.len() >= 2 && part.as_bytes()[..2].iter().all(u8::is_ascii_digit);
    let hours = parts.next().is_some_and(|part| part.len() <= 2 && !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    hours && parts.next().is_some_and(two) && parts.next().is_none_or(two)
}

fn is_date(word: &str) -> bool {
    let word = word.trim_start_matches(|c: char| !c.is_ascii_digit()).as_bytes();
    word.len() >= 10 && word[4] == b'-' && word[7] == b'-' && word[..10].iter().filter(|byte| byte.is_ascii_digit()).count() == 8
}

fn is_temporary(word: &str) -> bool {
    ["/tmp/", "/var/folders/", "/T/tmp", "tmp.", "\\Temp\\"].iter().any(|mark| word.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_run_to_run_is_masked_and_progress_is_not() {
        let same = |a: &str, b: &str, mask| normalised(a, mask) == normalised(b, mask);
        for (a, b) in [
            ("Finished in 1.23s", "Finished in 0.98s"),
            ("took 12ms", "took 7ms"),
            ("[12:30:01] failed", "[12:31:59] failed"),
            ("2026-12-01T10:00:00.123Z error", "2026-12-01T10:00:07.456Z error"),
            ("at 2026-12-01 10:00", "at 2026-12-02 10:00"),
            ("see /tmp/tmp.Ab12/log", "see /tmp/tmp.Xy98/log"),
            ("object 1a2b3c4d5e", "object 99aabbccdd"),
            ("at 0x7ffd12", "at 0x7ffe99"),
            ("a  b\n", "a b"),
        ] {
            assert!(same(a, b, Mask::Passing), "{a} | {b}: {} | {}", normalised(a, Mask::Passing), normalised(b, Mask::Passing));
        }
        for (a, b) in [("96.7%", "97.2%"), ("3 failing", "2 failing"), ("a.go:1: x", "a.go:9: x"), ("12 of 40", "13 of 40")] {
            assert!(!same(a, b, Mask::Passing) && same(a, b, Mask::Numbers), "{a} | {b}");
        }
        assert!(!same("error a", "error b", Mask::Numbers));
    }
}
