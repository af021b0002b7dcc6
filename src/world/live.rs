//! The outside as a live call sees it: the disk now, and the ledger of all sessions.

use std::path::Path;
use std::time::Duration;

use once_cell::unsync::OnceCell;

use super::git::{self, Head};
use super::plan::{self, TempPlan};
use super::{Standing, Uncommitted, Why, World};
use crate::fs::{self, Identity, NoIdentity};
use crate::session::kept::Kept;
use crate::session::ledger::{Act, Ledger, Origin, Row, Rows, Writer};
use crate::session::observed::{Looks, OpenCall, OpenWrite};
use crate::session::scope::SharedPath;
use crate::session::temp_files::{TempAct, TempActs};

/// The outside as one live call sees it.
#[derive(Debug)]
pub struct Live<'a> {
    ledger: &'a Ledger,
    /// What the ledger held when it was first asked: one reading serves all questions of a call.
    rows: OnceCell<Rows>,
    session: &'a str,
    project: &'a str,
    looks: &'a Kept<Looks>,
    now: u64,
}

impl World for Live<'_> {
    fn standing(&self, at: &SharedPath, agent: &str) -> Standing {
        let rows = self.rows(at);
        let outside = Outside { exists: &exists, content: &|| self.content(at, agent, &rows) };
        standing(at, &rows, |row| row.is_by(self.session, agent), &outside)
    }

    fn uncommitted(&self, root: &str, branch: &str, files: &[String]) -> Uncommitted {
        let root = Path::new(root);
        match git::head(root) {
            Some(Head::Branch(now)) if now == branch => {}
            _ => return Uncommitted::Elsewhere,
        }
        git::uncommitted(root, files, GIT_PATIENCE).map_or(Uncommitted::AtMost(files.len()), Uncommitted::Counted)
    }

    fn is_committed(&self, project: &str, path: &str) -> bool {
        git::is_committed(Path::new(project), path, GIT_PATIENCE).unwrap_or_default()
    }

    fn runs_turnstop(&self, settings: &str) -> bool {
        let text = fs::read_regular(Path::new(settings), MAX_SETTINGS).unwrap_or_default();
        memchr::memmem::find(&text, b"turnstop").is_some()
    }
}

/// How much of a settings file is looked at, in bytes.
const MAX_SETTINGS: u64 = 1 << 20;

/// How long an event waits for git. The client gives up on a hook after ten seconds.
const GIT_PATIENCE: Duration = Duration::from_secs(2);

/// What the disk says, asked only where the rows leave it open.
struct Outside<'a> {
    /// Is anything at this path?
    exists: &'a dyn Fn(&str) -> bool,
    /// How the content stands when all that was written is ours.
    content: &'a dyn Fn() -> Standing,
}

/// Is anything there, or can that not be told?
fn exists(path: &str) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    !std::fs::symlink_metadata(path).is_err_and(|error| matches!(error.kind(), NotFound | NotADirectory))
}

/// What the rows say, and where they leave it open, the disk.
fn standing(at: &SharedPath, rows: &[Row], ours: impl Fn(&Row) -> bool, outside: &Outside<'_>) -> Standing {
    let wrote = |row: &Row| matches!(row.act, Act::Wrote { .. });
    // What others wrote and is gone is in nothing that is read now.
    let foreign = |row: &Row| !ours(row) && wrote(row) && (outside.exists)(&row.path);
    let Some(first_own) = rows.iter().position(|row| ours(row) && wrote(row)) else {
        return match rows.iter().rfind(|row| foreign(row)) {
            Some(other) => Standing::OthersOnly(other.writer.clone()),
            None => Standing::Unwritten { exists: (outside.exists)(&at.path) },
        };
    };
    // Another's write is undone by a later one of ours that covers all of it that this act can see.
    let undone = |(position, other): &(usize, &Row)| {
        rows[*position..].iter().any(|own| {
            let own_path = SharedPath { path: own.path.clone(), glob: false };
            ours(own) && wrote(own) && (own_path.covers(&other.path) || (!at.glob && own_path.covers(&at.path)))
        })
    };
    if let Some((position, other)) = rows.iter().enumerate().filter(|other| !undone(other)).rfind(|(_, row)| foreign(row)) {
        return if position > first_own { Standing::Foreign(other.writer.clone()) } else { Standing::Unverifiable(Why::Mixed) };
    }
    let worst = rows.iter().filter(|row| ours(row)).filter_map(|row| match &row.act {
        Act::Wrote { origin, .. } => Some(origin),
        _ => None,
    });
    match worst.reduce(|worst, origin| if origin.is_worse_than(worst) { origin } else { worst }) {
        Some(Origin::Foreign(writer)) => return Standing::ForeignBytes((**writer).clone()),
        Some(Origin::Unknown) => return Standing::Unverifiable(Why::Mixed),
        Some(Origin::Changed | Origin::Own) | None => {}
    }
    if rows.iter().any(|row| !ours(row) && row.act == Act::Open) {
        return Standing::Unverifiable(Why::Busy);
    }
    (outside.content)()
}

impl<'a> Live<'a> {
    /// The outside as seen at `now`, in milliseconds since 1970, by a session that works in `project`.
    pub fn new(ledger: &'a Ledger, session: &'a str, project: &'a str, looks: &'a Kept<Looks>, now: u64) -> Self {
        Live { ledger, rows: OnceCell::new(), session, project, looks, now }
    }

    /// The rows that an act upon `at` touches and that are not stale. A ledger that cannot be read says nothing.
    fn rows(&self, at: &SharedPath) -> Vec<Row> {
        let mut rows = self.rows.get_or_init(|| self.ledger.read().unwrap_or_default()).touched_by(at);
        rows.retain(|row| !row.is_stale(self.now));
        rows
    }

    /// How what is on disk stands to what we wrote, when nobody else wrote it.
    fn content(&self, at: &SharedPath, agent: &str, rows: &[Row]) -> Standing {
        let own = rows.iter().rev().filter(|row| row.path == at.path && row.is_by(self.session, agent)).find_map(|row| match &row.act {
            Act::Wrote { content, origin, .. } => Some((content, origin)),
            _ => None,
        });
        let (Some((content, origin)), false) = (own, at.glob) else { return Standing::Unverifiable(Why::Folder) };
        let now = match fs::identity(Path::new(&at.path)) {
            Ok(now) => now,
            Err(NoIdentity::Gone) => return Standing::Unverifiable(Why::Gone),
            Err(NoIdentity::Folder) => return Standing::Unverifiable(Why::Folder),
            Err(NoIdentity::Special) => return Standing::Unverifiable(Why::Special),
            Err(NoIdentity::Unreadable) => return Standing::Unverifiable(Why::Unreadable),
        };
        let looked_at = self.looks.holds(&at.path, agent, &now);
        match content {
            Some(was) if was.differs(&now) => Standing::Changed { was: was.size, now: now.size, looked_at },
            _ if *origin == Origin::Changed => Standing::ChangedBytes { looked_at },
            Some(was) if was.same_content(&now) => Standing::Unchanged,
            Some(_) => Standing::Unverifiable(Why::TooLarge),
            None => Standing::Unverifiable(Why::NoRecord),
        }
    }

    fn row(&self, path: &str, agent: &str, call: &str, act: Act) -> Row {
        let writer = Writer { session: self.session.to_owned(), agent: agent.to_owned(), project: self.project.to_owned(), at: self.now };
        Row { path: path.to_owned(), writer, call: call.to_owned(), act }
    }

    /// Puts on record that a call which writes temporary paths was let through.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn open(&self, agent: &str, call: &str, cwd: &str, plan: &TempPlan) -> std::io::Result<OpenCall> {
        let rows: Vec<Row> = plan.writes.iter().map(|write| self.row(&write.path, agent, call, Act::Open)).collect();
        self.ledger.append(&rows)?;
        let open = plan.writes.iter().map(|write| {
            let source = write.copy_of.as_ref().and_then(|source| fs::identity(Path::new(source)).ok());
            OpenWrite { path: write.path.clone(), origin: write.origin.clone(), source }
        });
        Ok(OpenCall { id: call.to_owned(), agent: agent.to_owned(), cwd: cwd.to_owned(), at: self.now, writes: open.collect() })
    }

    /// What would have been put on record before a call whose beginning was not seen, as far as that can be told
    /// after it: its own additions to a file cannot be told from a change by somebody else.
    fn unseen_writes(&self, agent: &str, acts: &TempActs) -> Vec<OpenWrite> {
        let writes = plan::plan(acts, agent, self).writes.into_iter().map(|write| {
            let origin = match write.origin {
                Origin::Own | Origin::Changed if !write.whole => Origin::Unknown,
                origin => origin,
            };
            OpenWrite { path: write.path, origin, source: None }
        });
        writes.collect()
    }

    /// Puts on record what a call that succeeded did, and gives back what it looked at. `open` is what was
    /// put on record before it ran, if that was seen.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn settle(&self, agent: &str, call: &str, acts: &TempActs, open: Option<&OpenCall>) -> std::io::Result<Looks> {
        let mut looks = Looks::default();
        let mut rows = Vec::new();
        let unseen = OnceCell::new();
        let writes = || open.map_or_else(|| unseen.get_or_init(|| self.unseen_writes(agent, acts)), |open| &open.writes);
        for (position, act) in acts.list.iter().enumerate() {
            let later = &acts.list[position + 1..];
            match act {
                // What others' files hold is of no use to remember.
                TempAct::Read { at, .. } if !at.glob && self.rows(at).iter().any(|row| row.is_by(self.session, agent)) => {
                    if let Ok(content) = fs::identity(Path::new(&at.path)) {
                        looks.note(&at.path, agent, content);
                    }
                }
                TempAct::Write { at, copy_of, background, .. } if !at.glob && !replaced_later(&at.path, later) => {
                    let whole = acts.list[..=position].iter().any(|act| act.replaces(&at.path));
                    let planned = writes().iter().rev().find(|write| write.path == at.path);
                    let origin = match planned {
                        Some(planned) => planned.origin.clone(),
                        None if whole => Origin::Own,
                        None => Origin::Unknown,
                    };
                    let since = open.map_or(self.now, |open| open.at);
                    let vouched = !background && !self.raced(at, agent, call, since);
                    let content = if vouched { written_content(&at.path, copy_of.as_deref(), planned) } else { None };
                    rows.push(self.row(&at.path, agent, call, Act::Wrote { whole, content, origin }));
                }
                TempAct::Remove { at } => {
                    let known = self.rows(at);
                    let own = known.iter().filter(|row| row.is_by(self.session, agent) && at.covers(&row.path));
                    rows.extend(own.map(|row| self.row(&row.path, agent, call, Act::Removed)));
                }
                TempAct::Read { .. } | TempAct::Write { .. } => {}
            }
        }
        self.ledger.append(&rows)?;
        Ok(looks)
    }

    /// Puts on record that open calls came to nothing.
    ///
    /// # Errors
    /// When the ledger cannot be written.
    pub fn close<'c>(&self, calls: impl IntoIterator<Item = &'c OpenCall>) -> std::io::Result<()> {
        let closed = |call: &'c OpenCall| call.writes.iter().map(|write| self.row(&write.path, &call.agent, &call.id, Act::Closed));
        self.ledger.append(&calls.into_iter().flat_map(closed).collect::<Vec<_>>())
    }

    /// Did somebody else write the path, or was about to, while our call was open? The call's own row tells
    /// since when; without it, the time does.
    fn raced(&self, at: &SharedPath, agent: &str, call: &str, since: u64) -> bool {
        let rows = self.rows(at);
        let ours = |row: &Row| row.is_by(self.session, agent);
        let opened = rows.iter().position(|row| ours(row) && row.call == call && row.act == Act::Open);
        rows.iter().enumerate().filter(|(_, row)| !ours(row)).any(|(position, row)| match row.act {
            Act::Open => true,
            Act::Wrote { .. } | Act::Removed => opened.map_or(row.writer.at >= since, |opened| position > opened),
            Act::Closed => false,
        })
    }
}

/// The content that a call left. A copy that does not equal its source, as it was before the call or
/// as it is now, is somebody else's write.
fn written_content(path: &str, copy_of: Option<&str>, planned: Option<&OpenWrite>) -> Option<Identity> {
    let written = fs::identity(Path::new(path)).ok()?;
    let equals = |source: &Identity| source.size == written.size && source.hash == written.hash;
    let Some(source) = copy_of else { return Some(written) };
    let before = planned.and_then(|planned| planned.source.as_ref());
    let is_copy = before.is_some_and(equals) || fs::identity(Path::new(source)).as_ref().is_ok_and(equals);
    // `mv` leaves no source to compare with, and an unseen beginning none from before.
    (is_copy || (before.is_none() && !Path::new(source).exists())).then_some(written)
}

/// Does a later act of the call replace or remove what was written?
fn replaced_later(path: &str, later: &[TempAct]) -> bool {
    later.iter().any(|act| match act {
        TempAct::Write { at, .. } => at.path == path && !at.glob,
        TempAct::Remove { at } => at.covers(path),
        TempAct::Read { .. } => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(list: &[(&str, &str)]) -> Vec<Row> {
        let mut rows = Vec::new();
        for (at, (session, path)) in (1..).zip(list) {
            let (session, act) = match session.strip_suffix('?') {
                Some(session) => (session, Act::Open),
                None => (*session, Act::Wrote { whole: true, content: None, origin: Origin::Own }),
            };
            let writer = Writer { session: session.into(), agent: String::new(), project: "/w".into(), at };
            rows.push(Row { path: (*path).into(), writer, call: "t".into(), act });
        }
        rows
    }

    #[test]
    fn who_wrote_last_decides() {
        for (list, path, want) in [
            (&[("a", "/tmp/x")][..], "/tmp/x", "ours"),
            (&[("a", "/tmp/x"), ("b", "/tmp/x")], "/tmp/x", "foreign"),
            (&[("b", "/tmp/x"), ("a", "/tmp/x")], "/tmp/x", "ours"),
            (&[("b", "/tmp/x")], "/tmp/x", "others"),
            (&[], "/tmp/x", "unwritten"),
            (&[("a", "/tmp/x"), ("b?", "/tmp/x")], "/tmp/x", "busy"),
            // Folders: another's file in ours is foreign, unless we wrote that file after it.
            (&[("a", "/tmp/d"), ("b", "/tmp/d/f")], "/tmp/d", "foreign"),
            (&[("a", "/tmp/d"), ("b", "/tmp/d/f"), ("a", "/tmp/d/f")], "/tmp/d", "ours"),
            (&[("b", "/tmp/d"), ("a", "/tmp/d/f")], "/tmp/d/f", "ours"),
            (&[("b", "/tmp/d"), ("a", "/tmp/d/f")], "/tmp/d", "mixed"),
            // What is gone is in nothing.
            (&[("a", "/tmp/d/f"), ("b", "/tmp/d/gone")], "/tmp/d", "ours"),
            (&[("b", "/tmp/gone")], "/tmp/gone", "unwritten"),
        ] {
            let at = SharedPath { path: path.into(), glob: false };
            let touched: Vec<Row> = rows(list).into_iter().filter(|row| at.touches(&row.path)).collect();
            let outside = Outside { exists: &|path| !path.ends_with("/gone"), content: &|| Standing::Unchanged };
            let got = match standing(&at, &touched, |row| row.writer.session == "a", &outside) {
                Standing::Unchanged => "ours",
                Standing::Foreign(_) => "foreign",
                Standing::OthersOnly(_) => "others",
                Standing::Unwritten { .. } => "unwritten",
                Standing::Unverifiable(Why::Busy) => "busy",
                Standing::Unverifiable(Why::Mixed) => "mixed",
                other => panic!("{other:?}"),
            };
            assert_eq!(got, want, "{list:?} {path}");
        }
    }
}
