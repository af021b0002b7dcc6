//! A session told by hostile events: what is kept of it, and what is said.

use std::path::Path;

use turnstop::agent::claude::reply::{MAX_TEXT, Reply};
use turnstop::config::Config;
use turnstop::finding::{Finding, Findings};
use turnstop::meta::Severity;
use turnstop::policy::{self, Decision, Hold, Terms};
use turnstop::report;
use turnstop::rules::{self, Around};
use turnstop::scan::{Scan, Spotted};
use turnstop::session::event::{Event, EventKind};
use turnstop::session::facts::Facts;
use turnstop::session::scope::{Roots, Scope};
use turnstop::world::Afterwards;

use super::assert_harmless;

/// As much of an input as is told as events: what a session comes to is asked after each.
const MAX_EVENTS: usize = 200;

/// Surroundings that lie nowhere on this machine.
pub(crate) fn scope() -> Scope {
    let roots = Roots::new(|| vec!["/home/dev/app".to_owned()]);
    Scope {
        session: "mine-0001".into(),
        home: "/home/dev".into(),
        temp_dir: "/tmp".into(),
        project: "/home/dev/app".into(),
        roots,
        ..Scope::default()
    }
}

/// Folds events and asks the rules at each: saving and loading in between changes nothing, an event that is said to
/// concern nothing changes nothing, and no answer and no report holds a harmful character. Gives how much was found.
pub(crate) fn tell(events: &[Event<'_>]) -> usize {
    let events = &events[..events.len().min(MAX_EVENTS)];
    let scope = scope();
    let (mut facts, mut loaded) = (Facts::default(), Facts::default());
    let mut found = Findings::new();
    for (at, event) in events.iter().enumerate() {
        if at % (events.len() / 8 + 1) == 0 {
            loaded = serde_json::from_str(&serde_json::to_string(&loaded).expect("saved")).expect("loaded");
        }
        let findings = ask(event, &facts, &scope);
        answers_are_harmless(event, &findings);
        found.extend(findings);
        let concerned = Facts::concerned_by(event, &scope);
        let before = (!concerned).then(|| facts.clone());
        facts.fold(event, &scope);
        loaded.fold(event, &scope);
        assert!(before.is_none_or(|before| before == facts), "{event:?} was to change nothing");
    }
    assert_eq!(facts, loaded, "saved and loaded between {events:?}");
    facts.shed();
    let count = found.len();
    reports_are_harmless(found);
    count
}

fn ask(event: &Event<'_>, facts: &Facts, scope: &Scope) -> Findings {
    let config = Config::default();
    let option = |meta: &'static _, name: &str| config.option(meta, name);
    rules::ask(event, facts, scope, &Around { world: &Afterwards, option: &option, said_before: &|_, _, _| false })
}

fn answers_are_harmless(event: &Event<'_>, findings: &[Finding]) {
    let config = Config::default();
    let terms = Terms { level: &|meta| config.level(meta), said_before: &|_| false, remembers: true };
    let decisions = [
        policy::before_call(findings, &terms),
        policy::turn_end(findings, Hold { allowed: true, prompt: "p" }, &terms),
        policy::session_start(findings, &terms),
    ];
    for decision in decisions.into_iter().flatten() {
        decision.text.split('\n').for_each(assert_harmless);
        replies_are_harmless(&decision);
        let deferred = decision.deferred(&event.agent);
        deferred.text.split('\n').for_each(assert_harmless);
    }
}

fn replies_are_harmless(decision: &Decision) {
    let text = decision.text.as_str();
    assert!(text.len() <= MAX_TEXT, "{} bytes", text.len());
    for reply in [Reply::Deny { reason: text }, Reply::Block { reason: text, message: "" }, Reply::Note { to_model: text, to_user: text }] {
        for event in ["PreToolUse", "Stop", "SessionStart"] {
            let json = reply.json(event);
            assert_harmless(&json);
            serde_json::from_str::<serde_json::Value>(&json).expect("one JSON value");
        }
    }
}

/// No report of what was found holds a harmful character.
pub(crate) fn reports_are_harmless(findings: Findings) {
    if findings.is_empty() {
        return;
    }
    let findings = findings.into_iter().map(|finding| Spotted::new(finding, false)).collect();
    let scan = Scan { project: "/home/dev/app".into(), findings, ..Scan::default() };
    let least = Severity::Info;
    let show = report::text::Show { least, suppressed: true, colour: false, home: Path::new("/home/dev") };
    for lines in [
        report::text::render(&scan, show),
        report::github::render(&scan, least),
        report::json::render(&scan, least),
        report::jsonl::render(&scan, least),
        report::sarif::render(&scan, least),
    ] {
        lines.split('\n').for_each(assert_harmless);
    }
}

/// An event that waits in a file is the same when it is taken from there.
pub(crate) fn survives_a_file(event: &Event<'_>) {
    let kept = serde_json::to_string(event).expect("kept");
    assert!(!kept.contains('\n'));
    let taken: Event<'_> = serde_json::from_str(&kept).expect("taken");
    assert_eq!(&taken, event, "{kept}");
    // A call's effects are worked out when they are asked for, from what the event says.
    if let (EventKind::CallStarted(taken), EventKind::CallStarted(call)) = (&taken.kind, &event.kind) {
        assert_eq!(taken.effects(), call.effects());
    }
}
