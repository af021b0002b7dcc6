//! The project and its neighbours on disk: which folders are projects, what they share, and which secrets agents set
//! for them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use memchr::memmem::Finder;

use crate::agent::claude::layout;
use crate::agent::claude::transcript::Reader;
use crate::agent::json::text_of;
use crate::fs::read_regular;
use crate::records::lines::LineSet;
use crate::records::project::{Project, Repo, Shared};
use crate::records::secrets::{self, SecretAct};
use crate::session::event::{Event, EventKind};
use crate::world::git;

/// What makes a folder a project.
const INDICATORS: &[&str] = &[".git", "package.json", "Cargo.toml", "go.mod", "pyproject.toml"];

/// More neighbours than this are narrowed to those of the same owner.
const MANY: usize = 50;

/// Largest file that is compared, in bytes.
const MAX_SHARED_BYTES: u64 = 1 << 20;

/// Lines up to this length, in characters, say nothing about whether two files are the same.
const TRIVIAL_LINE: usize = 3;

/// The project at this path.
pub fn project(path: &Path) -> Project {
    let is_repository = path.join(".git").exists();
    let trees = if is_repository { git::work_trees(path) } else { Vec::new() };
    let text = |path: &Path| path.to_string_lossy().into_owned();
    Project {
        path: text(path),
        also: trees.iter().filter(|tree| *tree != path).map(|tree| text(tree)).collect::<BTreeSet<_>>().into_iter().collect(),
        name: path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        repo: is_repository.then(|| git::origin(path)).flatten().as_deref().and_then(Repo::parse),
        has_github: path.join(".github").is_dir(),
        workflows: workflows(path),
    }
}

/// The neighbours of the project, by name: those of the list, or, where it is empty, the projects in the folder around
/// it. Further clones of the project itself are noted in it.
pub fn discover(here: &mut Project, listed: &[String]) -> Vec<Project> {
    let path = PathBuf::from(&here.path);
    // Beside a linked work tree there may be nothing but others.
    let main = git::main_tree(&path).filter(|_| path.join(".git").exists()).unwrap_or_else(|| path.clone());
    let mut candidates = if listed.is_empty() { around(&main) } else { listed.iter().map(|other| path.join(other)).collect() };
    for candidate in &mut candidates {
        *candidate = fs::canonicalize(&*candidate).unwrap_or_else(|_| candidate.clone());
    }
    candidates.sort();
    candidates.dedup();
    let own = git::repository(&path);
    let mut repositories = HashSet::new();
    let mut found: Vec<Project> = Vec::new();
    for candidate in candidates.into_iter().filter(|candidate| *candidate != path && *candidate != main && candidate.is_dir()) {
        let repository = git::repository(&candidate);
        if repository.is_some() && repository == own {
            continue;
        }
        // A linked work tree stands for its repository, unless that is among them itself.
        let main = git::main_tree(&candidate).filter(|_| candidate.join(".git").exists());
        let project = project(main.as_deref().unwrap_or(&candidate));
        let is_new = repository.is_none_or(|repository| repositories.insert(repository));
        let same = |other: &Project| project.repo.as_ref().is_some_and(|repo| repo.owner.is_some() && other.repo.as_ref() == Some(repo));
        if same(here) {
            here.also.push(project.path);
        } else if let Some(first) = found.iter_mut().find(|other| same(other)) {
            first.also.push(project.path);
        } else if is_new {
            found.push(project);
        }
    }
    let owner = here.repo.as_ref().and_then(|repo| repo.owner.clone());
    if found.len() > MANY && listed.is_empty() && owner.is_some() {
        found.retain(|other| other.repo.as_ref().is_none_or(|repo| repo.owner == owner));
    }
    found
}

/// The projects in the folder around this one.
fn around(project: &Path) -> Vec<PathBuf> {
    let entries = project.parent().and_then(|parent| fs::read_dir(parent).ok()).into_iter().flatten().flatten();
    let visible = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        !name.to_string_lossy().starts_with('.') && name != "node_modules"
    };
    let is_project = |path: &PathBuf| path.is_dir() && INDICATORS.iter().any(|name| path.join(name).exists());
    entries.filter(visible).map(|entry| entry.path()).filter(is_project).collect()
}

/// The names of the workflow files, sorted.
fn workflows(project: &Path) -> Vec<String> {
    let entries = fs::read_dir(project.join(".github/workflows")).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_workflow = |path: &PathBuf| path.extension().is_some_and(|it| it == "yml" || it == "yaml") && path.is_file();
    let names = entries.filter(is_workflow).filter_map(|path| path.file_name().map(|name| name.to_string_lossy().into_owned()));
    let mut found: Vec<String> = names.collect();
    found.sort();
    found
}

/// The files of the list that the project has, and a neighbour too.
pub fn shared<'f>(here: &Project, siblings: &[Project], files: impl Iterator<Item = &'f str>) -> Vec<Shared> {
    let read = |project: &Project, file: &str| {
        let bytes = read_regular(&Path::new(&project.path).join(file), MAX_SHARED_BYTES).ok()?;
        Some(LineSet::of(&text_of(&bytes), TRIVIAL_LINE))
    };
    let shared = |file: &str| {
        let own = read(here, file)?;
        let there = siblings.iter().enumerate().filter_map(|(i, sibling)| Some((i, read(sibling, file)?))).collect();
        Some(Shared { file: file.to_owned(), here: own, there })
    };
    files.filter_map(shared).filter(|shared| !shared.there.is_empty()).collect()
}

/// The secrets that agents set or removed in sessions of the neighbours. `own` are the folders of the project's own
/// sessions, which are read anyway.
pub fn secrets(siblings: &[Project], config: &Path, own: &[PathBuf], home: &str) -> Vec<SecretAct> {
    // A secret of one neighbour alone is nothing to compare with.
    if siblings.len() < 2 {
        return Vec::new();
    }
    let paths = siblings.iter().flat_map(|sibling| std::iter::once(&sibling.path).chain(&sibling.also));
    let folders: BTreeSet<PathBuf> = paths.flat_map(|path| layout::project_dirs(config, Path::new(path))).collect();
    let transcripts: Vec<PathBuf> =
        folders.iter().filter(|folder| !own.contains(folder)).flat_map(|folder| layout::transcripts(folder)).collect();
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(transcripts.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(transcript) = transcripts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for file in std::iter::once(transcript).chain(&layout::subagents(transcript)) {
                        let acts = secrets_in(file, home);
                        found.lock().unwrap_or_else(PoisonError::into_inner).extend(acts);
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by(|a, b| (a.time, &a.place.file, a.place.line).cmp(&(b.time, &b.place.file, b.place.line)));
    found
}

fn secrets_in(file: &Path, home: &str) -> Vec<SecretAct> {
    let mut acts = Vec::new();
    // The place of an act is the call's, not its result's.
    let mut lines: HashMap<String, u32> = HashMap::new();
    let mut take = |event: &mut Event<'_>| match &event.kind {
        EventKind::CallStarted(call) => _ = lines.insert(call.id.to_string(), event.line),
        EventKind::CallEnded { call, .. } => {
            let line = lines.remove(call.id.as_ref()).unwrap_or(event.line);
            for mut act in secrets::of_event(event, home) {
                act.place.line = line;
                acts.push(act);
            }
        }
        _ => {}
    };
    if mentions_secrets(file).unwrap_or(false)
        && let Ok(mut reader) = Reader::open(file)
    {
        // What was read up to an error is as good as all of it.
        let _ = reader.read(&mut take);
        reader.finish(&mut take);
    }
    for act in &mut acts {
        act.place.file = file.to_string_lossy().into_owned();
    }
    acts
}

/// Do the words stand anywhere in the file? Most files are done with after this.
fn mentions_secrets(file: &Path) -> io::Result<bool> {
    const WORDS: [&str; 2] = ["gh secret", "secret set"];
    const CHUNK: usize = 256 << 10;
    if !fs::metadata(file)?.is_file() {
        return Ok(false);
    }
    let finders = WORDS.map(Finder::new);
    let longest = WORDS[1].len();
    let mut source = File::open(file)?;
    let mut buffer = vec![0; CHUNK];
    let mut kept = 0;
    loop {
        let read = source.read(&mut buffer[kept..])?;
        let filled = kept + read;
        if finders.iter().any(|finder| finder.find(&buffer[..filled]).is_some()) {
            return Ok(true);
        }
        if read == 0 {
            return Ok(false);
        }
        // Words that lie across the edge.
        kept = longest.min(filled);
        buffer.copy_within(filled - kept..filled, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make(base: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            let file = base.join(name);
            fs::create_dir_all(file.parent().expect("folder")).expect("created");
            fs::write(file, text).expect("written");
        }
    }

    fn names(projects: &[Project]) -> Vec<&str> {
        projects.iter().map(|project| project.name.as_str()).collect()
    }

    #[test]
    fn neighbours_are_projects_and_not_the_same_repository() {
        let dir = tempfile::tempdir().expect("folder");
        let base = fs::canonicalize(dir.path()).expect("real");
        let origin = |name: &str| format!("[core]\n[remote \"origin\"]\n\turl = git@github.com:me/{name}.git\n\tfetch = x\n");
        make(
            &base,
            &[
                ("app/.git/config", &origin("app")),
                ("app/.git/worktrees/tree/gitdir", "../../../../tree/.git"),
                ("app/.git/worktrees/tree/commondir", "../.."),
                ("tree/.git", "gitdir: ../app/.git/worktrees/tree"),
                ("clone/.git/config", &origin("app")),
                ("lib-a/package.json", "{}"),
                ("lib-b/.git/config", &origin("lib-b")),
                ("lib-b-again/.git/config", &origin("lib-b")),
                ("notes/readme.md", ""),
                (".hidden/package.json", "{}"),
                ("node_modules/package.json", "{}"),
                ("go.mod", ""),
            ],
        );
        for start in ["app", "tree"] {
            let mut here = project(&base.join(start));
            assert_eq!(names(&discover(&mut here, &[])), ["lib-a", "lib-b"], "{start}");
            assert!(here.also.iter().any(|path| path.ends_with("/clone")), "{:?}", here.also);
        }
        let mut here = project(&base.join("app"));
        let listed =
            discover(&mut here, &["../notes".into(), base.join("lib-b").to_string_lossy().into_owned(), "../app".into(), "../none".into()]);
        assert_eq!(names(&listed), ["lib-b", "notes"]);
        assert_eq!(listed[0].repo, Repo::parse("me/lib-b"));
    }

    #[test]
    fn many_neighbours_are_narrowed_to_the_same_owner() {
        let dir = tempfile::tempdir().expect("folder");
        let base = fs::canonicalize(dir.path()).expect("real");
        let add = |name: &str, owner: &str| {
            make(&base, &[(&format!("{name}/.git/config"), &format!("[remote \"origin\"]\nurl=https://github.com/{owner}/{name}\n"))]);
        };
        add("app", "me");
        add("ours", "me");
        (0..MANY).for_each(|n| add(&format!("theirs-{n}"), "them"));
        make(&base, &[("plain/package.json", "{}")]);
        assert_eq!(names(&discover(&mut project(&base.join("app")), &[])), ["ours", "plain"]);
    }

    #[test]
    fn words_across_the_edge_of_a_chunk_are_seen() {
        let dir = tempfile::tempdir().expect("folder");
        let file = dir.path().join("x");
        for at in [0, (256 << 10) - 4, (256 << 10) - 9, 700_000] {
            fs::write(&file, format!("{}gh secret{}", "x".repeat(at), "y".repeat(1000))).expect("written");
            assert!(mentions_secrets(&file).expect("read"), "{at}");
        }
        fs::write(&file, "gh secre t".repeat(100_000)).expect("written");
        assert!(!mentions_secrets(&file).expect("read"));
    }

    #[test]
    fn workflows_by_name() {
        let dir = tempfile::tempdir().expect("folder");
        make(dir.path(), &[(".github/workflows/b.yaml", ""), (".github/workflows/a.yml", ""), (".github/workflows/x.md", "")]);
        assert_eq!(workflows(dir.path()), ["a.yml", "b.yaml"]);
    }
}
