//! What lies beside the sessions of a project: typed prompts, memories, and the projects next to it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::select::Target;
use super::{Read, Terms, history, memories, siblings};
use crate::agent::claude::layout;
use crate::agent::codex;
use crate::finding::Finding;
use crate::records::Records;
use crate::records::memory::Memories;
use crate::rules::DivergedFile;
use crate::session::event::Event;

/// What was read beside the sessions.
#[derive(Default)]
pub(super) struct Beside {
    pub(super) records: Records,
    /// What was found in it alone.
    pub(super) findings: Vec<Finding>,
    /// Shell commands that were typed in the project, each with the file that tells of it.
    pub(super) commands: Vec<(Arc<str>, Event<'static>)>,
    pub(super) read: Read,
}

impl Beside {
    /// Reads what was asked for of it. `variable` looks up the environment.
    pub(super) fn of(target: &Target, terms: &Terms<'_>, variable: &impl Fn(&str) -> Option<OsString>) -> Self {
        if terms.selection.only_sessions {
            return Beside::default();
        }
        let filled = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = filled("HOME").or_else(|| filled("USERPROFILE")).unwrap_or_default();
        let project = target.project.as_path();
        let mut beside = Beside { records: Records { here: siblings::project(project), ..Records::default() }, ..Beside::default() };
        let records = &mut beside.records;
        for listed in terms.config.siblings() {
            let path = project.join(listed);
            if !path.is_dir() {
                beside.read.skipped.push((path, "no folder; `siblings` in the config names it".to_owned()));
            }
        }
        records.siblings = siblings::discover(&mut records.here, terms.config.siblings());
        let files = terms.config.option(DivergedFile::META, "files");
        records.shared = siblings::shared(&records.here, &records.siblings, files.split(','));
        if !terms.selection.no_sessions {
            let homes = history::Homes {
                claude: layout::config_dir(variable),
                codex: codex::layout::home_dir(variable),
                home: home.to_string_lossy().into_owned(),
            };
            beside.left_by_sessions(&homes, project, &target.folders, &home);
        }
        beside
    }

    /// What sessions of this project and others left: prompts, secrets, memories.
    fn left_by_sessions(&mut self, homes: &history::Homes, project: &Path, folders: &[PathBuf], home: &Path) {
        let records = &mut self.records;
        let typed = history::read(homes, &records.here);
        self.read.add(Read { not_json: typed.not_read, skipped: typed.skipped, ..Read::default() });
        records.prompts = typed.prompts;
        records.secrets = typed.secrets;
        self.commands = typed.commands;
        let Some(config) = &homes.claude else { return };
        records.secrets.extend(siblings::secrets(&records.siblings, config, folders, &homes.home));
        let own = memories::folders(config, project);
        records.memories = Memories::read(&own);
        self.read.skipped.append(&mut records.memories.skipped);
        if !records.memories.list.is_empty() {
            records.other_memories = memories::others(config, &own, &records.here, &records.siblings);
        }
        self.findings = memories::check(records, &own, home);
    }
}
