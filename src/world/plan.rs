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
    let mut written: Vec<(String, Standing)> = Vec::new();
    let standing_of = |at: &SharedPath, written: &[(String, Standing)]| {
        let earlier = written.iter().rev().find(|(path, _)| at.touches(path));
        earlier.map_or_else(|| (false, world.standing(at, agent)), |(_, standing)| (true, standing.clone()))
    };
    for act in &acts.list {
        match act {
            TempAct::Read { at, sink } => {
                let (same_call, standing) = match sink {
                    TempSink::Look | TempSink::Argument => (written.iter().any(|(path, _)| at.touches(path)), Standing::Unknown),
                    _ => standing_of(at, &written),
                };
                plan.reads.push(PlannedRead { at: at.clone(), sink: sink.clone(), same_call, standing });
            }
            TempAct::Write { at, .. } if at.glob => {}
            TempAct::Write { at, whole, copy_of, sources, background } => {
                let base = (!whole).then(|| standing_of(at, &written).1);
                let flowing = sources.iter().map(|source| standing_of(source, &written).1);
                let worst = base.into_iter().chain(flowing).fold(Standing::Unchanged, worse);
                plan.writes.push(PlannedWrite {
                    path: at.path.clone(),
                    whole: *whole,
                    origin: origin(&worst),
                    copy_of: copy_of.clone(),
                    background: *background,
                });
                written.push((at.path.clone(), worst));
            }
            TempAct::Remove { at } => written.retain(|(path, _)| !at.covers(path)),
        }
    }
    plan
}

/// The standing of a mixture.
fn worse(a: Standing, b: Standing) -> Standing {
    if origin(&b).is_worse_than(&origin(&a)) { b } else { a }
}

/// What writing bytes that stand so makes of them.
fn origin(standing: &Standing) -> Origin {
    match standing {
        Standing::Foreign(writer) => Origin::Foreign(Box::new(writer.clone())),
        Standing::Changed { looked_at: false, .. } => Origin::Changed,
        Standing::Changed { looked_at: true, .. }
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
    fn a_read_back_in_the_same_call_stands_as_what_the_call_wrote() {
        let restore = |path: &str| TempAct::Read { at: at(path), sink: TempSink::Restore { to: "/w/a".into() } };
        let plan =
            planned(vec![write("/tmp/y", true, &["/tmp/foreign"]), restore("/tmp/y"), write("/tmp/y", true, &[]), restore("/tmp/y")]);
        assert!(plan.reads.iter().all(|read| read.same_call));
        assert_eq!(plan.reads[0].standing, Standing::Foreign(other()));
        assert_eq!(plan.reads[1].standing, Standing::Unchanged);
    }
}
