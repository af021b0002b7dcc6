//! What a call would do with fixed temporary paths, and how each of them stands, worked through in the
//! order of the call's own acts: bytes that a call moves from one temporary path to another bring their
//! standing along.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use super::{Standing, Why, World};
use crate::session::ledger::Origin;
use crate::session::scope::SharedPath;
use crate::session::temp_files::{TempAct, TempActs, TempSink};

/// What a call would do with fixed temporary paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TempPlan {
    /// Reads. How a file that is merely looked at or handed on stands is not asked: nothing is said live.
    pub reads: Vec<PlannedRead>,
    /// Writes.
    pub writes: Vec<PlannedWrite>,
    /// The command text did not parse.
    pub approximate: bool,
}

/// One read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRead {
    /// The path.
    pub at: SharedPath,
    /// What happens with the bytes.
    pub sink: TempSink,
    /// An earlier part of the same call wrote the path.
    pub same_call: bool,
    /// How it stands at that point of the call.
    pub standing: Standing,
}

/// One write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedWrite {
    /// The path.
    pub path: String,
    /// The whole content is replaced.
    pub whole: bool,
    /// Where the bytes will come from.
    pub origin: Origin,
    /// The content afterwards equals this file's.
    pub copy_of: Option<String>,
    /// It goes on after the call has ended.
    pub background: bool,
}

/// Works through the acts of one call of `agent`.
pub fn plan(acts: &TempActs, agent: &str, world: &dyn World) -> TempPlan {
    let mut plan = TempPlan { approximate: acts.approximate, ..TempPlan::default() };
    let mut so_far = SoFar { world, agent, left: Vec::new() };
    for act in &acts.list {
        match act {
            TempAct::Read { at, sink } => {
                let same_call = so_far.touched(at).next().is_some();
                let standing = match sink {
                    TempSink::Look | TempSink::Argument => Standing::Unknown,
                    _ => so_far.standing(at),
                };
                plan.reads.push(PlannedRead { at: at.clone(), sink: sink.clone(), same_call, standing });
            }
            TempAct::Write { at, .. } if at.glob => {}
            TempAct::Write { at, whole, copy_of, sources, background } => {
                let base = (!whole).then(|| so_far.standing(at));
                let flowing = sources.iter().map(|source| so_far.standing(source));
                let worst = base.into_iter().chain(flowing).fold(Standing::Unchanged, worse);
                let origin = origin(&worst);
                so_far.left.push((at.clone(), Some(written(&worst, &origin))));
                plan.writes.push(PlannedWrite {
                    path: at.path.clone(),
                    whole: *whole,
                    origin,
                    copy_of: copy_of.clone(),
                    background: *background,
                });
            }
            TempAct::Remove { at } => so_far.left.push((at.clone(), None)),
        }
    }
    plan
}

/// The temporary paths as the acts of a call, up to some point, have left them.
struct SoFar<'w> {
    world: &'w dyn World,
    agent: &'w str,
    /// What was written and how it stands, or that it was removed; the latest last.
    left: Vec<(SharedPath, Option<Standing>)>,
}

impl SoFar<'_> {
    /// What the call left at or below `at`, or around it, the latest first: without what it replaced or removed
    /// itself.
    fn touched(&self, at: &SharedPath) -> impl Iterator<Item = &Standing> {
        let is_there = |position: usize, path: &SharedPath| {
            let undoes = |(later, standing): &(SharedPath, Option<Standing>)| match standing {
                Some(_) => later.path == path.path,
                None => later.covers(&path.path),
            };
            !self.left[position + 1..].iter().any(undoes)
        };
        let touched =
            self.left.iter().enumerate().rev().filter(move |(position, (path, _))| at.touches(&path.path) && is_there(*position, path));
        touched.filter_map(|(_, (_, standing))| standing.as_ref())
    }

    /// Did the call write or remove all that was at `at` before?
    fn covered(&self, at: &SharedPath) -> bool {
        self.left.iter().any(|(path, _)| path.covers(&at.path))
    }

    /// How `at` stands: the worst of all that it touches.
    fn standing(&self, at: &SharedPath) -> Standing {
        let here = self.touched(at).cloned().reduce(worse);
        if self.covered(at) {
            return here.unwrap_or(Standing::Unwritten { exists: false });
        }
        let before = self.world.standing(at, self.agent);
        match (here, before) {
            (None, before) => before,
            // A folder or a pattern: what else it holds is part of it.
            (Some(here), Standing::Unwritten { exists: true } | Standing::OthersOnly(_)) => {
                worse(here, Standing::Unverifiable(Why::Folder))
            }
            (Some(here), before) => worse(here, before),
        }
    }
}

/// How what was written stands, as bytes of this standing and origin went into it.
fn written(bytes: &Standing, origin: &Origin) -> Standing {
    match (bytes, origin) {
        (Standing::Unknown, _) => Standing::Unknown,
        (_, Origin::Own) => Standing::Unchanged,
        (_, Origin::Unknown) => Standing::Unverifiable(Why::Mixed),
        (_, Origin::Changed) => Standing::ChangedBytes { looked_at: false },
        (_, Origin::Foreign(writer)) => Standing::ForeignBytes((**writer).clone()),
    }
}

/// The standing of a mixture.
fn worse(a: Standing, b: Standing) -> Standing {
    if origin(&b).is_worse_than(&origin(&a)) { b } else { a }
}

/// What writing bytes that stand so makes of them.
fn origin(standing: &Standing) -> Origin {
    match standing {
        Standing::Foreign(writer) | Standing::ForeignBytes(writer) => Origin::Foreign(Box::new(writer.clone())),
        Standing::Changed { looked_at: false, .. } | Standing::ChangedBytes { looked_at: false } => Origin::Changed,
        Standing::Changed { looked_at: true, .. }
        | Standing::ChangedBytes { looked_at: true }
        | Standing::Unchanged
        // Nothing was there, so all that is there afterwards is the writer's.
        | Standing::Unwritten { exists: false }
        | Standing::Unverifiable(Why::Gone) => Origin::Own,
        Standing::Unwritten { exists: true } | Standing::OthersOnly(_) | Standing::Unverifiable(_) | Standing::Unknown => Origin::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::ledger::Writer;
    use crate::world::Uncommitted;

    /// A world in which `/tmp/foreign` is somebody else's and `/tmp/own` is unchanged.
    struct Fixed;

    fn other() -> Writer {
        Writer { session: "b".into(), agent: String::new(), project: "/w/lib".into(), at: 1 }
    }

    impl World for Fixed {
        fn standing(&self, at: &SharedPath, _agent: &str) -> Standing {
            match at.path.as_str() {
                "/tmp/foreign" => Standing::Foreign(other()),
                "/tmp/own" => Standing::Unchanged,
                _ => Standing::Unwritten { exists: false },
            }
        }

        fn uncommitted(&self, _root: &str, _branch: &str, files: &[String]) -> Uncommitted {
            Uncommitted::AtMost(files.len())
        }

        fn is_committed(&self, _project: &str, _path: &str) -> bool {
            false
        }

        fn runs_turnstop(&self, _settings: &str) -> bool {
            false
        }
    }

    fn at(path: &str) -> SharedPath {
        SharedPath { path: path.into(), glob: false }
    }

    fn write(path: &str, whole: bool, sources: &[&str]) -> TempAct {
        let sources = sources.iter().map(|path| at(path)).collect();
        TempAct::Write { at: at(path), whole, copy_of: None, sources, background: false }
    }

    fn planned(list: Vec<TempAct>) -> TempPlan {
        plan(&TempActs { list, approximate: false }, "", &Fixed)
    }

    #[test]
    fn foreign_bytes_stay_foreign_through_copies_and_appends() {
        let foreign = Origin::Foreign(Box::new(other()));
        let plan = planned(vec![write("/tmp/y", true, &["/tmp/foreign"]), write("/tmp/z", true, &["/tmp/y", "/tmp/own"])]);
        assert_eq!(plan.writes.iter().map(|write| &write.origin).collect::<Vec<_>>(), [&foreign, &foreign]);
        assert_eq!(planned(vec![write("/tmp/foreign", false, &[])]).writes[0].origin, foreign);
        assert_eq!(planned(vec![write("/tmp/foreign", true, &[])]).writes[0].origin, Origin::Own);
        assert_eq!(planned(vec![write("/tmp/new", false, &[])]).writes[0].origin, Origin::Own);
    }

    #[test]
    fn a_folder_stands_as_the_worst_that_the_call_and_others_put_there() {
        let restore = |path: &str| TempAct::Read { at: at(path), sink: TempSink::Restore { to: "/w/a".into() } };
        let remove = |path: &str| TempAct::Remove { at: at(path) };
        let tainted = write("/tmp/d/x", true, &["/tmp/foreign"]);
        for (list, want) in [
            (vec![tainted.clone(), write("/tmp/d/y", true, &[]), restore("/tmp/d")], true),
            (vec![tainted.clone(), remove("/tmp/d/x"), write("/tmp/d/y", true, &[]), restore("/tmp/d")], false),
            (vec![tainted.clone(), write("/tmp/d/x", true, &[]), restore("/tmp/d")], false),
            (vec![write("/tmp/foreign/y", true, &[]), restore("/tmp/foreign")], true),
            (vec![remove("/tmp/foreign"), write("/tmp/foreign/y", true, &[]), restore("/tmp/foreign")], false),
        ] {
            let plan = planned(list.clone());
            assert_eq!((plan.reads[0].standing.is_tainted(), plan.reads[0].same_call), (want, true), "{list:?}");
        }
    }

    #[test]
    fn what_was_removed_before_an_append_taints_nothing() {
        let plan = planned(vec![TempAct::Remove { at: at("/tmp/foreign") }, write("/tmp/foreign", false, &[])]);
        assert_eq!(plan.writes[0].origin, Origin::Own);
    }

    #[test]
    fn a_read_back_in_the_same_call_stands_as_what_the_call_wrote() {
        let restore = |path: &str| TempAct::Read { at: at(path), sink: TempSink::Restore { to: "/w/a".into() } };
        let plan =
            planned(vec![write("/tmp/y", true, &["/tmp/foreign"]), restore("/tmp/y"), write("/tmp/y", true, &[]), restore("/tmp/y")]);
        assert!(plan.reads.iter().all(|read| read.same_call));
        assert_eq!(plan.reads[0].standing, Standing::ForeignBytes(other()));
        assert_eq!(plan.reads[1].standing, Standing::Unchanged);
    }
}
