//! What agents remember: where the client keeps it, and what the rules say of it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::agent::claude::layout;
use crate::finding::Findings;
use crate::records::disk::Disk;
use crate::records::memory::{self, INDEX, Memory, MemoryOutline};
use crate::records::project::Project;
use crate::records::{Record, Records};
use crate::rules::{RECORD_RULES, RecordCtx};
use crate::world::git;

/// Most memories of other projects that are compared.
const MAX_OTHERS: usize = 20_000;

/// The folders of a project's memories: its own, and those of the repository that it is part of, which the client
/// shares between its folders and work trees.
pub fn folders(config: &Path, project: &Path) -> Vec<PathBuf> {
    layout::memory_dirs(config, &git::places(project))
}

/// The memories of every other project that are long enough to be compared.
pub fn others(config: &Path, own: &[PathBuf], here: &Project, siblings: &[Project]) -> Vec<MemoryOutline> {
    let trees: Vec<PathBuf> = here.also.iter().flat_map(|tree| layout::project_dirs(config, Path::new(tree))).collect();
    let known: Vec<(PathBuf, &str)> = siblings
        .iter()
        .flat_map(|sibling| {
            layout::project_dirs(config, Path::new(&sibling.path)).into_iter().map(|folder| (folder, sibling.name.as_str()))
        })
        .collect();
    let mut projects: Vec<PathBuf> =
        fs::read_dir(config.join("projects")).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    projects.sort();
    let mut found = Vec::new();
    for project in projects.into_iter().filter(|project| !trees.contains(project) && !own.contains(&project.join("memory"))) {
        let name = known.iter().find(|(folder, _)| *folder == project).map(|(_, name)| (*name).to_owned());
        let name = name.unwrap_or_else(|| project.file_name().unwrap_or_default().to_string_lossy().into_owned());
        for file in memory::files(&project.join("memory")) {
            if found.len() < MAX_OTHERS
                && !file.ends_with(INDEX)
                && let Ok(memory) = Memory::read(&file)
                && let Some(lines) = memory.comparable()
            {
                found.push(MemoryOutline { file, name: memory.name, project: name.clone(), lines });
            }
        }
    }
    found
}

/// What the rules say of the memories of the project.
pub fn check(records: &Records, folders: &[PathBuf], home: &Path) -> Findings {
    let disk = Disk::new(Path::new(&records.here.path), home, folders);
    let cx = RecordCtx { here: &records.here, siblings: &records.siblings, outside: &disk };
    let mut found = Findings::new();
    for rule in RECORD_RULES {
        rule.check(&Record::Memories(&records.memories), &cx, &mut found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_of_a_repository_are_shared() {
        let dir = tempfile::tempdir().expect("folder");
        let base = fs::canonicalize(dir.path()).expect("real");
        let (config, root) = (base.join("config"), base.join("app"));
        fs::create_dir_all(root.join(".git")).expect("created");
        fs::create_dir_all(root.join("packages/web")).expect("created");
        let memory = config.join("projects").join(layout::project_dir_name(&root)).join("memory");
        fs::create_dir_all(&memory).expect("created");
        for start in [root.join("packages/web"), root] {
            assert_eq!(folders(&config, &start), std::slice::from_ref(&memory));
        }
    }
}
