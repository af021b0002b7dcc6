//! The outside as a rule about records may ask of it. An answer is given only where it is sure: a path that may be
//! there somehow is not gone, a commit that git could not look for is not missing.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use once_cell::unsync::OnceCell;

use super::paths::{From, PathClaim};
use crate::fs::read_regular;
use crate::world::git;

/// What may be asked.
pub trait Outside {
    /// Is what the claim names surely not there?
    fn is_gone(&self, claim: &PathClaim) -> bool;

    /// For each of these commits: does the project's repository have it? `None` where nobody can tell.
    fn commits(&self, shas: &[&str]) -> Vec<Option<bool>>;
}

/// The disk around a project.
#[derive(Debug)]
pub struct Disk {
    project: PathBuf,
    home: PathBuf,
    /// Folders that a relative path may start from.
    bases: Vec<PathBuf>,
    /// What is within the project, found when a path is looked for in all of it.
    within: OnceCell<Within>,
    /// The text of its `package.json`; empty where there is none.
    manifest: OnceCell<String>,
}

/// What is in a project, as far as it was looked through.
#[derive(Debug, Default)]
struct Within {
    /// Its folders, by name.
    folders: HashMap<OsString, Vec<PathBuf>>,
    /// The names of everything in them.
    names: HashSet<OsString>,
}

/// Folders whose content comes and goes with a build.
const MADE: &[&str] = &[
    "build",
    "coverage",
    "dist",
    "logs",
    "node_modules",
    "obj",
    "out",
    "target",
    "tmp",
    "temp",
    "vendor",
    "venv",
    "__pycache__",
    "bin",
    "artifacts",
    "reports",
];

/// Most folders of a project that are looked through, most names in them, and how deep they lie.
const MAX_FOLDERS: usize = 1000;
const MAX_NAMES: usize = 100_000;
const MAX_DEPTH: usize = 4;

/// How the version of a package begins; `"scripts": {` is none.
const VERSIONS: &[&str] =
    &["^", "~", "*", ">", "<", "=", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "latest", "workspace:", "npm:", "catalog:"];

/// How long git may take.
const PATIENCE: Duration = Duration::from_secs(10);

impl Disk {
    /// The disk around `project`, whose memories are in these folders. An empty `home` is unknown.
    pub fn new(project: &Path, home: &Path, memories: &[PathBuf]) -> Self {
        let tree = git::root(project).map(Path::to_owned);
        let around = project.parent().map(Path::to_owned);
        let bases = std::iter::once(project.to_owned()).chain(tree).chain(git::main_tree(project)).chain(around);
        let bases = bases.chain(memories.iter().cloned()).collect();
        Disk { project: project.to_owned(), home: home.to_owned(), bases, within: OnceCell::new(), manifest: OnceCell::new() }
    }

    /// Is it there from some folder within the project?
    fn is_within(&self, rest: &str) -> bool {
        let within = self.within.get_or_init(|| Within::of(&self.project));
        let mut parts = Path::new(rest).components();
        let Some(Component::Normal(first)) = parts.next() else { return false };
        let below = parts.as_path();
        if below.as_os_str().is_empty() {
            return within.names.contains(first);
        }
        within.folders.get(first).into_iter().flatten().any(|folder| !is_missing(&folder.join(below)))
    }

    fn relative_is_gone(&self, rest: &str) -> bool {
        let missing = self.bases.iter().all(|base| is_missing(&base.join(rest)));
        // `../x` is beside the project, and nowhere else.
        let Some(Component::Normal(first)) = Path::new(rest).components().next() else { return missing };
        let made = first.to_str().is_some_and(|first| MADE.contains(&first) || (first.starts_with('.') && !KEPT.contains(&first)));
        // `lib-b/src/x.ts` may be about the neighbour of that name.
        let of_neighbour = !self.project.join(first).is_dir() && self.project.parent().is_some_and(|around| around.join(first).is_dir());
        missing && !made && !of_neighbour && !self.is_dependency(first) && !self.is_within(rest)
    }

    /// `lodash/debounce.js` is a file of a package that the project uses.
    fn is_dependency(&self, first: &OsStr) -> bool {
        const MAX_MANIFEST_BYTES: u64 = 1 << 20;
        let manifest = self.manifest.get_or_init(|| {
            let bytes = read_regular(&self.project.join("package.json"), MAX_MANIFEST_BYTES);
            bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
        });
        let is_version =
            |value: &str| value.trim_start().strip_prefix('"').is_some_and(|value| VERSIONS.iter().any(|mark| value.starts_with(*mark)));
        let key = format!("\"{}\":", first.to_string_lossy());
        let listed = !manifest.is_empty() && manifest.match_indices(&key).any(|(at, key)| is_version(&manifest[at + key.len()..]));
        listed && !self.project.join(first).is_dir()
    }

    fn absolute_is_gone(&self, path: &str) -> bool {
        let path = Path::new(path);
        let own = |folder: &Path| folder.components().count() > 1 && path.starts_with(folder);
        // `/api/users.json` is an address, `/Users/…` a path of another machine, `/etc/app.toml` one of a server.
        let ours = own(&self.project) || own(&self.home) || self.project.parent().is_some_and(own);
        ours && is_missing(path)
    }
}

impl Within {
    /// Looks through a project, its upper folders first.
    fn of(project: &Path) -> Self {
        let mut within = Within::default();
        let mut count = 0;
        let mut next = VecDeque::from([(project.to_owned(), 0)]);
        while let Some((folder, depth)) = next.pop_front() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if within.names.len() == MAX_NAMES || name.to_str().is_some_and(|name| name == ".git" || MADE.contains(&name)) {
                    continue;
                }
                if count < MAX_FOLDERS && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    count += 1;
                    if depth + 1 < MAX_DEPTH {
                        next.push_back((entry.path(), depth + 1));
                    }
                    within.folders.entry(name.clone()).or_default().push(entry.path());
                }
                within.names.insert(name);
            }
        }
        within
    }
}

/// Hidden folders that are kept with a project.
const KEPT: &[&str] = &[".github", ".claude", ".vscode", ".husky", ".gitlab", ".circleci", ".devcontainer", ".cargo", ".ci", ".storybook"];

/// Surely nothing is there, not even a link that leads nowhere.
fn is_missing(path: &Path) -> bool {
    let missing = |error: &io::Error| matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory);
    fs::symlink_metadata(path).is_err_and(|error| missing(&error))
}

impl Outside for Disk {
    fn is_gone(&self, claim: &PathClaim) -> bool {
        match claim.from {
            From::Project => self.relative_is_gone(&claim.rest),
            From::Home => !self.home.as_os_str().is_empty() && is_missing(&self.home.join(&claim.rest)),
            From::Root => self.absolute_is_gone(&claim.rest),
        }
    }

    fn commits(&self, shas: &[&str]) -> Vec<Option<bool>> {
        let answers = git::root(&self.project).map(|root| git::have_objects(root, shas, PATIENCE));
        answers.unwrap_or_else(|| vec![None; shas.len()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::paths::claims;

    fn gone(disk: &Disk, text: &str) -> bool {
        let claims = claims(text);
        assert_eq!(claims.len(), 1, "{text}");
        disk.is_gone(&claims[0])
    }

    #[test]
    fn a_path_is_gone_only_when_it_can_be_nowhere() -> io::Result<()> {
        let dir = tempfile::tempdir_in(std::env::current_dir()?)?;
        let base = fs::canonicalize(dir.path())?;
        let (project, home) = (base.join("proj/app"), base.join("home"));
        for folder in ["proj/app/packages/web/src", "proj/app/src", "proj/lib", "home/.config", "mem"] {
            fs::create_dir_all(base.join(folder))?;
        }
        for file in ["proj/app/packages/web/src/deep.ts", "proj/app/src/here.ts", "home/.config/a.toml", "mem/topic.md"] {
            fs::write(base.join(file), "")?;
        }
        fs::write(project.join("package.json"), "{\"scripts\": {}, \"dependencies\": {\"lodash\": \"4\"}}")?;
        std::os::unix::fs::symlink("nowhere", project.join("src/link.ts"))?;
        let disk = Disk::new(&project, &home, &[base.join("mem")]);
        let absolute = format!("`{}/src/none.ts`", project.display());
        for (text, want) in [
            ("`src/none.ts`", true),
            ("`src/here.ts`", false),
            ("`./src/here.ts`", false),
            ("`./src/none.ts`", true),
            ("`src/deep.ts`", false),
            ("`src/link.ts`", false),
            ("`app/src/here.ts`", false),
            ("`lib/src/none.ts`", false),
            ("`../lib/none.ts`", true),
            ("`dist/none.js`", false),
            ("`lodash/debounce.js`", false),
            ("`scripts/none.js`", true),
            ("`.next/none.js`", false),
            ("`.github/workflows/none.yml`", true),
            ("`~/.config/a.toml`", false),
            ("`~/.config/none.toml`", true),
            ("`/api/none.json`", false),
            ("`/tmp/none/none.json`", false),
            ("`/usr/none/none.json`", false),
            ("[x](./topic.md)", false),
            (absolute.as_str(), true),
        ] {
            assert_eq!(gone(&disk, text), want, "{text}");
        }
        Ok(())
    }
}
