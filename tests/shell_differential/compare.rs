//! What is said against what happened.
//!
//! Only files count, and of those only what was there before the command or is there after it. A folder that
//! is said stands for what is below it. Everything said must have been done, or at least tried, unless control
//! flow decides; everything done must have been said.

use super::Case;
use super::claims::{Claim, Claims, Place, Use};
use super::sandbox::{Entry, Run, token};
use super::trace::{Act, Event};

/// How a command came out.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Happened and was not said.
    pub(crate) less: Vec<String>,
    /// Was said and did not happen.
    pub(crate) more: Vec<String>,
    /// Happened, and was said to be something that cannot be known.
    pub(crate) unknown: Vec<String>,
}

pub(crate) fn compare(case: &Case, run: &Run) -> Verdict {
    let claims = Claims::of(&run.text, &run.root);
    let mut comparison = Comparison { run, claims, verdict: Verdict::default() };
    comparison.done();
    comparison.flows();
    if !case.branches {
        comparison.said();
    }
    comparison.copies(case.branches);
    let Verdict { less, more, unknown } = &mut comparison.verdict;
    for list in [less, more, unknown] {
        list.sort();
        list.dedup();
    }
    comparison.verdict
}

struct Comparison<'a> {
    run: &'a Run,
    claims: Claims,
    verdict: Verdict,
}

impl Comparison<'_> {
    /// The path as a person reads it.
    fn shown(&self, path: &str) -> String {
        path.strip_prefix(&self.run.root).map_or(path, |rest| rest.trim_start_matches('/')).trim_start_matches("work/").to_owned()
    }

    fn lasts(&self, path: &str) -> bool {
        self.run.before.contains_key(path) || self.run.after.contains_key(path)
    }

    fn is_file(&self, path: &str) -> bool {
        !matches!(self.run.before.get(path).or_else(|| self.run.after.get(path)), None | Some(Entry::Folder))
    }

    /// What was done is said.
    fn done(&mut self) {
        let inside = format!("{}/", self.run.root);
        let run = self.run;
        for event in run.events.iter().filter(|event| event.done && event.path.starts_with(&inside) && !event.path.contains("/.git")) {
            let (what, counts) = match event.act {
                Act::Read => ("reads", self.is_file(&event.path) && !event.by_git),
                Act::Write { .. } => ("writes", self.lasts(&event.path)),
                Act::Remove => ("removes", self.run.before.contains_key(&event.path) && !self.run.after.contains_key(&event.path)),
                Act::Sought => continue,
            };
            if !counts || self.claims.list.iter().any(|claim| says(claim, event)) {
                continue;
            }
            let excused = self.claims.opaque || self.claims.list.iter().any(|claim| leaves_open(claim, event));
            let line = format!("{what} {}", self.shown(&event.path));
            if excused { self.verdict.unknown.push(line) } else { self.verdict.less.push(line) }
        }
    }

    /// What is said was done.
    fn said(&mut self) {
        let happened = |place: &Place, acts: &[fn(&Act) -> bool]| {
            self.run
                .events
                .iter()
                .any(|event| (place.covers(&event.path) || place.covers(&event.real)) && acts.iter().any(|act| act(&event.act)))
        };
        let read: &[fn(&Act) -> bool] = &[|act| matches!(act, Act::Read | Act::Sought)];
        let write: &[fn(&Act) -> bool] = &[|act| matches!(act, Act::Write { .. })];
        let remove: &[fn(&Act) -> bool] = &[|act| matches!(act, Act::Remove | Act::Sought)];
        let mut more = Vec::new();
        for claim in &self.claims.list {
            let (what, place, acts) = match claim {
                Claim::Read(_, Use::Handed) | Claim::Changes(_) => continue,
                Claim::Read(place, _) => ("reads", place, read),
                Claim::Write { place, .. } => ("writes", place, write),
                Claim::Remove(place) => ("removes", place, remove),
            };
            let Place::At { path, glob } = place else { continue };
            if !happened(place, acts) {
                more.push(format!("{what} {}", self.shown(path)));
            } else if let (Claim::Write { whole: true, .. }, false) = (claim, *glob)
                && matches!(self.run.before.get(path), Some(Entry::File(_)))
                && !self.run.events.iter().any(|event| event.path == *path && event.act == Act::Write { whole: true })
            {
                more.push(format!("replaces {}", self.shown(path)));
            }
        }
        self.verdict.more.extend(more);
    }

    /// What is said to be a copy is one. Where branches decide, only when the copy was made.
    fn copies(&mut self, branches: bool) {
        let mut more = Vec::new();
        for (at, claim) in self.claims.list.iter().enumerate() {
            let Claim::Write { place: Place::At { path, glob: false }, copy_of: Some(Place::At { path: source, .. }), .. } = claim else {
                continue;
            };
            let changed_later = self.claims.list[at + 1..].iter().any(|later| match later {
                Claim::Write { place, .. } | Claim::Remove(place) => place.covers(path) || place.covers(source) || *place == Place::Unknown,
                _ => false,
            });
            let moved = self.claims.list.contains(&Claim::Remove(Place::At { path: source.clone(), glob: false }));
            if (changed_later && !moved) || branches {
                continue;
            }
            let path = match self.run.after.get(path) {
                Some(Entry::Folder) => format!("{path}/{}", source.rsplit('/').next().unwrap_or("")),
                _ => path.clone(),
            };
            let content = |snapshot: &super::sandbox::Snapshot, path: &str| match snapshot.get(path) {
                Some(Entry::File(bytes)) => Some(bytes.clone()),
                _ => None,
            };
            let copy = content(&self.run.after, &path);
            let originals = [content(&self.run.before, source), content(&self.run.after, source)];
            if copy.is_some() && originals.iter().any(Option::is_some) && !originals.contains(&copy) {
                more.push(format!("{} equals {}", self.shown(&path), self.shown(source)));
            }
        }
        self.verdict.more.extend(more);
    }

    /// Bytes of a file that are in another one now were said to go there.
    fn flows(&mut self) {
        let held = |entry: Option<&Entry>, word: &str| matches!(entry, Some(Entry::File(bytes)) if holds(bytes, word));
        let mut found = Vec::new();
        for source in self.run.before.keys() {
            let Some(word) = source.strip_prefix(&format!("{}/", self.run.root)).and_then(token) else { continue };
            for (path, entry) in &self.run.after {
                if path == source || held(self.run.before.get(path), &word) || !held(Some(entry), &word) {
                    continue;
                }
                found.push((source.clone(), path.clone()));
            }
        }
        for (source, path) in found {
            let (said, excused) = self.leads(&source, &path);
            if !said {
                let line = format!("bytes of {} in {}", self.shown(&source), self.shown(&path));
                if excused || self.claims.opaque { self.verdict.unknown.push(line) } else { self.verdict.less.push(line) }
            }
        }
    }

    /// Whether what is said takes bytes from `source` to `path`, and if not, whether that is left open.
    fn leads(&self, source: &str, path: &str) -> (bool, bool) {
        let mut reached = vec![Place::At { path: source.to_owned(), glob: false }];
        let mut excused = false;
        let mut at = 0;
        while let Some(Place::At { path: here, .. }) = reached.get(at).cloned() {
            at += 1;
            for claim in &self.claims.list {
                let Claim::Read(place, used) = claim else { continue };
                let inside = matches!(place, Place::At { path, .. } if path.starts_with(&format!("{here}/")));
                if !(place.covers(&here) || inside) {
                    excused |= *place == Place::Unknown;
                    continue;
                }
                match used {
                    Use::Into(to @ Place::At { .. }) if !reached.contains(to) => reached.push(to.clone()),
                    Use::Into(Place::Unknown) | Use::Handed | Use::Obeyed => excused = true,
                    _ => {}
                }
            }
            excused |= self.claims.list.iter().any(|claim| matches!(claim, Claim::Changes(place) if place.covers(&here)));
        }
        (reached.iter().skip(1).any(|place| place.covers(path)), excused)
    }
}

/// The bytes hold the word, and not as the start of a longer one.
fn holds(bytes: &[u8], word: &str) -> bool {
    let text = String::from_utf8_lossy(bytes);
    text.match_indices(word).any(|(at, _)| !text[at + word.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
}

/// The claim tells of the event.
fn says(claim: &Claim, event: &Event) -> bool {
    let covers = |place: &Place| place.covers(&event.path) || place.covers(&event.real);
    match (claim, event.act) {
        (Claim::Read(place, _), Act::Read) | (Claim::Remove(place), Act::Remove) | (Claim::Write { place, .. }, Act::Write { .. }) => {
            covers(place)
        }
        // What is changed in place is read for it.
        (Claim::Write { place, whole: false, .. }, Act::Read) => covers(place),
        _ => false,
    }
}

/// The claim says that something of the event's kind happens, and that it cannot tell to what.
fn leaves_open(claim: &Claim, event: &Event) -> bool {
    let covers = |place: &Place| place.covers(&event.path) || *place == Place::Unknown;
    match (claim, event.act) {
        (Claim::Read(Place::Unknown, _), Act::Read)
        | (Claim::Remove(Place::Unknown), Act::Remove)
        | (Claim::Write { place: Place::Unknown, .. }, Act::Write { .. })
        | (Claim::Read(_, Use::Obeyed), _) => true,
        // What is unpacked or sent into a folder stands beside what is changed there.
        (Claim::Changes(place), Act::Write { .. } | Act::Remove) | (Claim::Read(_, Use::Into(place)), Act::Write { .. }) => covers(place),
        _ => false,
    }
}
