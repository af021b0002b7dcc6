//! What may be asked of the outside. Rules see nothing else of it: a live call asks the disk and the
//! ledger, a scan gets "unknown".

pub mod git;
pub mod live;
pub mod notes;
pub mod plan;
pub mod process;

use std::path::Path;
use std::time::Duration;

use crate::session::ledger::Writer;
use crate::session::scope::SharedPath;

/// The outside, as far as a rule may ask.
pub trait World {
    /// How what is at a fixed temporary path now stands to what `agent` of this session wrote there.
    fn standing(&self, at: &SharedPath, agent: &str) -> Standing;

    /// How many of the files that were written below `root`, while it was on `branch`, are still not committed
    /// there.
    fn uncommitted(&self, root: &str, branch: &str, files: &[String]) -> Uncommitted;

    /// The branch that the remote of the work tree at `root` names as its default one.
    fn remote_default(&self, root: &str) -> Option<String> {
        git::remote_default(Path::new(root))
    }

    /// Does the last commit have something at this path, relative to the project's folder?
    fn is_committed(&self, project: &str, path: &str) -> bool;

    /// Does this settings file of the client run turnstop?
    fn runs_turnstop(&self, settings: &str) -> bool;
}

/// How many files are not committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uncommitted {
    /// So many: git was asked.
    Counted(usize),
    /// So many at the most: nobody could look.
    AtMost(usize),
    /// The work tree is on another branch now, or on none.
    Elsewhere,
}

/// How what is at a temporary path stands to what was written there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// Nobody could look.
    Unknown,
    /// Nobody's write is on record.
    Unwritten {
        /// Something is there.
        exists: bool,
    },
    /// Only others' writes are on record; this is the last.
    OthersOnly(Writer),
    /// This other writer wrote it after us.
    Foreign(Writer),
    /// Bytes of this other writer are in what we wrote.
    ForeignBytes(Writer),
    /// Its content is not what we wrote.
    Changed {
        /// Size of what we wrote, in bytes.
        was: u64,
        /// Size of what is there, in bytes.
        now: u64,
        /// The agent has looked at what is there now.
        looked_at: bool,
    },
    /// Bytes of something that had changed unseen are in what we wrote.
    ChangedBytes {
        /// The agent has looked at what is there now.
        looked_at: bool,
    },
    /// We wrote it, and nobody can tell whether it is still that.
    Unverifiable(Why),
    /// It is what we wrote.
    Unchanged,
}

/// Why nobody can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// No record of the content was kept.
    NoRecord,
    /// It is a folder, or a pattern that may match more.
    Folder,
    /// It is a link, a pipe, a socket or a device.
    Special,
    /// Nothing is there.
    Gone,
    /// It cannot be read.
    Unreadable,
    /// Another call that writes it has not ended.
    Busy,
    /// Bytes of unknown origin are in what we wrote.
    Mixed,
    /// It was written anew since, and is too large to be compared whole.
    TooLarge,
}

impl Standing {
    /// Are bytes known to be in it that this session's agent did not put there and has not looked at?
    pub fn is_tainted(&self) -> bool {
        match self {
            Standing::Foreign(_) | Standing::ForeignBytes(_) => true,
            Standing::Changed { looked_at, .. } | Standing::ChangedBytes { looked_at } => !looked_at,
            _ => false,
        }
    }
}

/// The answers of a scan: what was then cannot be seen any more.
#[derive(Debug, Clone, Copy, Default)]
pub struct Afterwards;

/// How long a scan waits for git.
const SCAN_PATIENCE: Duration = Duration::from_secs(10);

impl World for Afterwards {
    fn standing(&self, _at: &SharedPath, _agent: &str) -> Standing {
        Standing::Unknown
    }

    fn uncommitted(&self, root: &str, _branch: &str, files: &[String]) -> Uncommitted {
        let root = Path::new(root);
        if !root.join(".git").exists() {
            return Uncommitted::AtMost(files.len());
        }
        // What is ignored, or a repository of its own, was so then, most likely.
        let own: Vec<String> = files.iter().filter(|file| git::root(&root.join(file)) == Some(root)).cloned().collect();
        Uncommitted::AtMost(git::not_ignored(root, &own, SCAN_PATIENCE).unwrap_or(own.len()))
    }

    fn is_committed(&self, _project: &str, _path: &str) -> bool {
        false
    }

    fn runs_turnstop(&self, _settings: &str) -> bool {
        false
    }
}
