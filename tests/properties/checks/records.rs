//! What agents leave behind: memories, and the histories of what was typed.

use std::fs;
use std::path::Path;

use turnstop::finding::Findings;
use turnstop::records::citations::{Around, citations};
use turnstop::records::disk::Outside;
use turnstop::records::lines::LineSet;
use turnstop::records::memory::{Memories, Memory};
use turnstop::records::paths::{self, PathClaim};
use turnstop::records::project::{Project, Repo};
use turnstop::records::{Record, Records, markdown, prompts, secrets};
use turnstop::rules::{CORPUS_RULES, Corpus, RECORD_RULES, RecordCtx};
use turnstop::scan::history::{self, History, Homes};
use turnstop::shell::Dialect;

use super::{parts, session, text};

/// An outside in which nothing is there: whatever is claimed is reported.
struct Nothing;

impl Outside for Nothing {
    fn is_gone(&self, _: &PathClaim) -> bool {
        true
    }

    fn commits(&self, shas: &[&str]) -> Vec<Option<bool>> {
        vec![Some(false); shas.len()]
    }
}

/// Any memory and any history: what is read of them stands where it is said to, and what is said of them is harmless.
pub(crate) fn of_any_text(bytes: &[u8]) {
    let [memory, history] = parts::<2>(bytes);
    let memory = text(memory);
    what_a_text_says_stands_in_it(&memory);
    let History { prompts, secrets, .. } = read_history(history);
    let here = Project { path: "/home/dev/app".into(), name: "app".into(), ..Project::default() };
    let list = vec![Memory::parse(Path::new("/m/a.md"), &memory), Memory::parse(Path::new("/m/b.md"), &memory)];
    let indexes = vec![Memory::parse(Path::new("/m/MEMORY.md"), &memory)];
    let memories = Memories { list, indexes, skipped: Vec::new() };
    let siblings = vec![Project { path: "/home/dev/api".into(), name: "api".into(), ..Project::default() }];
    let mut found = Findings::new();
    let cx = RecordCtx { here: &here, siblings: &siblings, outside: &Nothing };
    for rule in RECORD_RULES {
        rule.check(&Record::Memories(&memories), &cx, &mut found);
    }
    let records = Records { here, siblings, prompts, secrets, memories, ..Records::default() };
    let mut across = Vec::new();
    for rule in CORPUS_RULES {
        rule.check(&Corpus { traces: &[], records: &records }, &mut across);
    }
    found.extend(across.into_iter().map(|found| found.finding));
    session::reports_are_harmless(found);
}

fn what_a_text_says_stands_in_it(text: &str) {
    let lines: Vec<&str> = text.split('\n').collect();
    let line = |number: u32| *lines.get(number as usize - 1).expect("a line of the text");
    let memory = Memory::parse(Path::new("/m/n.md"), text);
    assert!(text.ends_with(&memory.body) && memory.lines_before as usize <= memory.lines);
    let prose: Vec<(u32, &str)> = markdown::prose(text).collect();
    assert!(prose.is_sorted_by(|a, b| a.0 < b.0));
    for (number, said) in prose {
        assert!(line(number).starts_with(said), "{said:?} in {:?}", line(number));
        let spans = markdown::spans(said);
        assert!(spans.iter().all(|span| said[span.at..].starts_with(span.text)), "{spans:?}");
        assert!(spans.is_sorted_by(|a, b| a.at + a.text.len() <= b.at), "{spans:?}");
    }
    for citation in citations(text, &Around::default()) {
        assert!((7..=40).contains(&citation.sha.len()) && line(citation.line).contains(citation.sha), "{citation:?}");
    }
    for claim in paths::claims(text) {
        assert!(line(claim.line).contains(&claim.shown), "{claim:?}");
    }
    let set = LineSet::of(text, 0);
    assert_eq!(set.len(), LineSet::of(&format!("{text}\n{text}"), 0).len(), "a line twice is one line");
    if !set.is_empty() {
        assert_eq!(set.overlap(&set).percent(), 100);
    }
    let _ = (prompts::is_routine(text), secrets::acts(text, Dialect::Bash, "/home/dev/app", "/home/dev"));
    assert!(prompts::typed_command(text).is_none_or(|command| !command.is_empty() && text.contains(command)));
    if let Some(repo) = Repo::parse(text) {
        assert!(repo.same(&repo) && repo.is(text), "{repo:?}");
    }
}

fn read_history(lines: &[u8]) -> History {
    if lines.is_empty() {
        return History::default();
    }
    let folder = tempfile::tempdir_in(super::scratch()).expect("a folder");
    fs::write(folder.path().join("history.jsonl"), lines).expect("written");
    let here = Project { path: "/home/dev/app".into(), ..Project::default() };
    let read = history::read(&Homes { claude: Some(folder.path().to_owned()), codex: None, home: "/home/dev".into() }, &here);
    assert!(read.skipped.is_empty() && read.prompts.is_sorted_by_key(|prompt| prompt.time));
    read
}
