//! Walks `fixtures/<rule>/`: each `.json` file is a short session, played through the hook, with the answer that
//! every call must get; the `.out` file beside it holds, word for word, what the hook said and what a scan of the
//! transcripts says afterwards. `BLESS=1` writes the `.out` files anew.
//!
//! `play` says what a fixture holds. `{shared}` in one is a folder of fixed names under `/tmp`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use turnstop::rules::SESSION_RULES;

use crate::play::{Played, play};

fn fixtures(id: &str) -> Vec<PathBuf> {
    let name = id.rsplit('/').next().unwrap_or(id);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

impl Played {
    fn scan(&self) -> Value {
        let project = self.machine.project();
        let (status, out) = self.machine.turnstop(&["scan", "--format", "json", "--fail-on", "never", &project.to_string_lossy()]);
        assert_eq!(status, 0);
        serde_json::from_str(&out).expect("JSON")
    }

    /// What the hook said, and what a scan says of it, with the names of this run taken out.
    fn out(&self, scan: &Value) -> String {
        let mut out = format!("hook\n{}scan\n", self.answers);
        for finding in scan["findings"].as_array().expect("findings") {
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
        let home = self.machine.home().to_string_lossy().into_owned();
        let clock = chrono::Local::now().format("on %-d %b").to_string();
        let project = self.machine.project().to_string_lossy().into_owned();
        let out = out
            .replace(self.machine.shared("").trim_end_matches('/'), "{shared}")
            .replace(&project, "{project}")
            .replace(&home, "{home}")
            .replace(&clock, "today");
        without_times(&out)
    }

    /// What a replay of each session finds.
    fn replayed(&self) -> BTreeSet<Found> {
        let mut found = BTreeSet::new();
        for session in self.sessions.keys() {
            let (status, out) = self.machine.turnstop(&["replay", "--json", &self.machine.transcript(session).to_string_lossy()]);
            assert_eq!(status, 0);
            for met in out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
                found.extend(met["findings"].as_array().expect("findings").iter().map(|finding| Found::of(session, finding)));
            }
        }
        found
    }

    /// What a scan finds, by the session of its last place; what several agents or sessions did together only where
    /// `together` says so.
    fn scanned(scan: &Value, together: bool) -> BTreeSet<Found> {
        let places = |finding: &Value| finding["places"].as_array().expect("places").clone();
        let is_inside = |finding: &&Value| {
            let who: BTreeSet<String> = places(finding).iter().map(|place| format!("{} {}", place["session"], place["agent"])).collect();
            finding["rule"] != "session/shared-temp-path" || who.len() == 1
        };
        let findings = scan["findings"].as_array().expect("findings").iter().filter(|finding| together || is_inside(finding));
        let session = |finding: &Value| places(finding).last().and_then(|place| place["session"].as_str().map(str::to_owned));
        findings.map(|finding| Found::of(&session(finding).unwrap_or_default(), finding)).collect()
    }

    /// What a replay finds and a scan does not, or the other way round, and should.
    fn disagreements(&self, scan: &Value) -> Vec<String> {
        let replayed = self.replayed();
        let only = |side, these: &BTreeSet<Found>, those: &BTreeSet<Found>| -> Vec<String> {
            let unlike = these.difference(those).filter(|found| !MAY_BE_ONLY.contains(&(side, found.rule.as_str())));
            unlike.map(|found| format!("{side} only: {found:?}")).collect()
        };
        let mut all = only("replay", &replayed, &Self::scanned(scan, true));
        // The join of what agents and sessions wrote is no replay's.
        all.extend(only("scan", &Self::scanned(scan, false), &replayed));
        all
    }
}

/// Findings that rest on what one of the two does not know, or does not say twice.
const MAY_BE_ONLY: &[(&str, &str)] = &[
    // It is foreseen of a call that then comes to something else.
    ("replay", "session/consecutive-repeat"),
    // It is foreseen of whichever member comes next.
    ("replay", "session/cyclic-pattern"),
    // The number has grown from one turn to the next.
    ("replay", "session/default-branch-accumulation"),
];

/// A finding, as far as a replay and a scan must agree on it.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    session: String,
    rule: String,
    message: String,
}

impl Found {
    fn of(session: &str, finding: &Value) -> Self {
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        Found { session: session.to_owned(), rule: text("rule"), message: text("message") }
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

/// What is wrong with the fixtures of one rule.
fn wrong(id: &str) -> Vec<String> {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for file in fixtures(id) {
        let played = play(&file);
        let scan = played.scan();
        let problems = played.wrong.iter().cloned().chain(played.disagreements(&scan));
        wrong.extend(problems.map(|problem| format!("{}: {problem}", file.display())));
        let expected = file.with_extension("out");
        let out = played.out(&scan);
        if bless {
            fs::write(&expected, &out).expect("a fixture can be written");
        } else if fs::read_to_string(&expected).ok().as_deref() != Some(out.as_str()) {
            wrong.push(format!("{} is not what came (BLESS=1 writes it anew):\n{out}", expected.display()));
        }
    }
    wrong
}

#[test]
fn every_fixture_gets_the_answers_it_says() {
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let rules: Vec<_> = SESSION_RULES.iter().map(|rule| scope.spawn(|| wrong(rule.meta().id))).collect();
        rules.into_iter().flat_map(|rule| rule.join().expect("played")).collect()
    });
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
