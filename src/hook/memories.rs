//! What is worth a word of the project's memories when a session starts.

use std::ffi::OsString;
use std::path::Path;

use crate::agent::claude::layout;
use crate::finding::Findings;
use crate::meta::MomentKind;
use crate::records::Record;
use crate::records::disk::Disk;
use crate::records::memory::Memories;
use crate::records::project::Project;
use crate::rules::{RECORD_RULES, RecordCtx};
use crate::world::git;

/// What the rules that are asked then find. `variable` looks up the environment.
pub(super) fn findings(project: &Path, home: &Path, variable: impl Fn(&str) -> Option<OsString>) -> Findings {
    let mut found = Findings::new();
    let folders = layout::config_dir(variable).map(|config| layout::memory_dirs(&config, &git::places(project))).unwrap_or_default();
    if folders.is_empty() {
        return found;
    }
    let memories = Memories::read(&folders);
    let disk = Disk::new(project, home, &folders);
    let cx = RecordCtx { here: &Project::default(), siblings: &[], outside: &disk };
    for rule in RECORD_RULES.iter().filter(|rule| rule.meta().asked_at(MomentKind::SessionStart)) {
        rule.check(&Record::Memories(&memories), &cx, &mut found);
    }
    found
}
