//! Which paths are fixed names under a shared temporary root, and which are not.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

use once_cell::unsync::{Lazy, OnceCell};

use crate::own::OwnFiles;
use crate::shell::{self, Root};
use crate::text::glob;

/// Temporary roots that every session of a machine shares.
const SHARED_ROOTS: &[&str] = &["/tmp", "/var/tmp"];

/// Longest path that is watched, in bytes.
const MAX_PATH_BYTES: usize = 384;

/// What must be known of a session's surroundings to tell what a path means.
#[derive(Debug, Default)]
pub struct Scope {
    /// The session id: a path that names it is the session's own.
    pub session: String,
    /// The home directory; empty when unknown.
    pub home: String,
    /// The value of `TMPDIR`, folded; empty when unset or unknown.
    pub temp_dir: String,
    /// Where the session was started.
    pub project: String,
    /// Folders that are the session's alone, folded: the scratchpad that the client names, its job folder.
    pub private: Vec<String>,
    /// The project's repository and its work trees, looked up when a temporary path is met.
    pub roots: Roots,
    /// Where turnstop's own files are, looked up when a call may be about them.
    pub own: Lazy<OwnFiles>,
}

/// The folders of the project, looked up once and only when a question needs them.
#[derive(Default)]
pub struct Roots {
    found: OnceCell<Vec<String>>,
    look: Option<Box<dyn Fn() -> Vec<String>>>,
}

impl std::fmt::Debug for Roots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Roots").field(&self.found).finish()
    }
}

impl Roots {
    /// Folders to be looked up by `look`.
    pub fn new(look: impl Fn() -> Vec<String> + 'static) -> Self {
        Roots { found: OnceCell::new(), look: Some(Box::new(look)) }
    }

    /// The folders, looked up the first time.
    pub fn get(&self) -> &[String] {
        let look = || self.look.as_ref().map(|look| look()).unwrap_or_default();
        self.found.get_or_init(|| look().iter().map(|root| fold(root)).collect())
    }
}

/// What a path turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A fixed name under a shared temporary root.
    Shared(SharedPath),
    /// A temporary name of this run or session alone.
    PerRun,
    /// Anywhere else, by its absolute path.
    Elsewhere(String),
    /// It cannot be known.
    Unknown,
}

impl Place {
    /// The path, where it is known and not of this run alone.
    pub fn into_path(self) -> Option<String> {
        match self {
            Place::Elsewhere(path) => Some(path),
            Place::Shared(at) => Some(at.path),
            Place::PerRun | Place::Unknown => None,
        }
    }
}

/// A fixed path under a shared temporary root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedPath {
    /// Absolute, folded, `/private/tmp` written as `/tmp`; `$TMPDIR/…` where its value is not known.
    pub path: String,
    /// It holds an unquoted glob character: it stands for the names that match.
    pub glob: bool,
}

impl SharedPath {
    /// Does an act upon this path touch what is at `other`: the same file, a folder around it, something
    /// inside it, or a name that the glob matches?
    pub fn touches(&self, other: &str) -> bool {
        if self.glob {
            // A glob over a folder reaches into it, too: `cp -r /tmp/out/* .`
            let depth = self.path.matches('/').count();
            let reached = other.match_indices('/').nth(depth).map(|(end, _)| &other[..end]);
            let folder = self.path.split_at(self.path.find(['*', '?', '[']).unwrap_or(self.path.len())).0;
            let folder = folder.rsplit_once('/').map_or("", |(folder, _)| folder);
            // What is at or above the folder that the glob looks into holds all that it matches.
            return glob(&self.path, other)
                || reached.is_some_and(|reached| glob(&self.path, reached))
                || folder == other
                || is_inside(folder, other);
        }
        self.path == other || is_inside(other, &self.path) || is_inside(&self.path, other)
    }
}

impl SharedPath {
    /// The folder that a glob looks into; `None` for a path that is none, or one right below a root.
    pub fn folder_of_glob(&self) -> Option<SharedPath> {
        let wild = self.path.find(['*', '?', '[']).filter(|_| self.glob)?;
        let (folder, _) = self.path[..wild].rsplit_once('/')?;
        let below_root = !SHARED_ROOTS.contains(&folder) && !folder.is_empty();
        below_root.then(|| SharedPath { path: folder.to_owned(), glob: false })
    }

    /// Does an act upon the whole of this path take `other` with it: the same file, something inside it,
    /// or a name that the glob matches?
    pub fn covers(&self, other: &str) -> bool {
        self.touches(other) && !is_inside(&self.path, other)
    }
}

/// Is `path` the folder, or below it?
pub fn is_at_or_below(path: &str, folder: &str) -> bool {
    path == folder || is_inside(path, folder)
}

/// Is `path` below `folder`?
pub fn is_inside(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') || (folder.ends_with('/') && !rest.is_empty()))
}

impl Scope {
    /// May a command text or a path name a temporary place at all? Cheap, and errs toward yes.
    pub fn may_mention(&self, text: &str, cwd: &str) -> bool {
        mentions_temp(text)
            || mentions_temp(cwd)
            || (!self.temp_dir.is_empty() && (text.contains(&self.temp_dir) || cwd.starts_with(&self.temp_dir)))
    }

    /// The root of the project's own work tree: the outermost of its folders around it.
    pub fn own_tree(&self) -> Option<&str> {
        let around = self.roots.get().iter().filter(|root| is_at_or_below(&self.project, root));
        around.min_by_key(|root| root.len()).map(String::as_str)
    }

    /// Does the path lie in the project's own work tree, and in no other one inside it? True where no tree is known.
    pub fn in_own_tree(&self, path: &str) -> bool {
        let Some(own) = self.own_tree() else { return true };
        let around = self.roots.get().iter().filter(|root| is_at_or_below(path, root));
        around.max_by_key(|root| root.len()).is_some_and(|nearest| nearest == own || *nearest == self.project)
    }

    /// What a path of a shell effect means for a command started in `cwd`.
    pub fn place(&self, path: &shell::Path, cwd: &str) -> Place {
        let base = match path.root {
            Root::Unknown => return Place::Unknown,
            Root::Absolute => "",
            Root::Cwd => cwd,
            Root::Home => &self.home,
            Root::Project => &self.project,
            Root::TempDir if self.temp_dir.is_empty() => "/tmp",
            Root::TempDir => &self.temp_dir,
        };
        if path.root != Root::Absolute && base.is_empty() {
            return Place::Unknown;
        }
        let joined = if base.is_empty() { path.text.clone() } else { format!("{base}/{}", path.text) };
        self.classify(&joined, path.glob)
    }

    /// What a path given to a file tool means.
    pub fn place_of_file(&self, path: &str, cwd: &str) -> Place {
        if path.is_empty() {
            Place::Unknown
        } else if path.starts_with('/') {
            self.classify(path, false)
        } else if cwd.is_empty() {
            Place::Unknown
        } else {
            self.classify(&format!("{cwd}/{path}"), false)
        }
    }

    fn classify(&self, path: &str, glob: bool) -> Place {
        let path = fold(path);
        let Some(rest) = self.below_shared_root(&path) else { return Place::Elsewhere(path) };
        if rest.is_empty() {
            // The root itself is no file that anybody could overwrite as a whole.
            return Place::PerRun;
        }
        if self.roots.get().iter().any(|root| is_project_root(root) && (*root == path || is_inside(&path, root))) {
            return Place::Elsewhere(path);
        }
        // U+FFFD stands for bytes that are no text: other bytes would look the same.
        if path.len() > MAX_PATH_BYTES || path.contains(['\u{fffd}', '\0']) || self.is_per_run(&path, rest) {
            return Place::PerRun;
        }
        Place::Shared(SharedPath { path, glob })
    }

    /// What follows the shared temporary root that `path` is under.
    fn below_shared_root<'p>(&self, path: &'p str) -> Option<&'p str> {
        let own = (!self.temp_dir.is_empty()).then_some(self.temp_dir.as_str());
        SHARED_ROOTS.iter().copied().chain(own).find_map(|root| {
            let rest = path.strip_prefix(root)?;
            if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
        })
    }

    fn is_per_run(&self, path: &str, rest: &str) -> bool {
        self.private.iter().any(|folder| !folder.is_empty() && (path == folder || is_inside(path, folder)))
            || (self.session.len() >= 8 && path.contains(&self.session))
            || holds_uuid(path)
            || is_client_area(rest)
    }
}

/// A session started in `/` or in `/tmp` does not make every temporary file its own.
fn is_project_root(root: &str) -> bool {
    root.len() > 1 && !SHARED_ROOTS.iter().any(|shared| *shared == root || is_inside(shared, root))
}

/// The client's per-session area: `claude-<uid>/<project>/<session>/…`. What lies directly under
/// `claude-<uid>` is shared by the user's sessions.
fn is_client_area(below_root: &str) -> bool {
    let mut parts = below_root.split('/');
    let user = parts.next().and_then(|first| first.strip_prefix("claude-"));
    user.is_some_and(|uid| !uid.is_empty() && uid.bytes().all(|b| b.is_ascii_digit())) && parts.count() >= 3
}

/// `8-4-4-4-12` hexadecimal digits.
fn holds_uuid(path: &str) -> bool {
    const LENGTH: usize = 36;
    path.as_bytes().windows(LENGTH).any(|window| {
        window.iter().enumerate().all(|(i, byte)| if matches!(i, 8 | 13 | 18 | 23) { *byte == b'-' } else { byte.is_ascii_hexdigit() })
    })
}

/// `tmp` or `temp`, whatever the case.
fn mentions_temp(text: &str) -> bool {
    text.as_bytes().windows(3).enumerate().any(|(at, window)| {
        window[0] | 0x20 == b't'
            && (window.eq_ignore_ascii_case(b"tmp")
                || (window.eq_ignore_ascii_case(b"tem") && text.as_bytes().get(at + 3).is_some_and(|b| b | 0x20 == b'p')))
    })
}

/// The value of `TMPDIR` as a root; empty when it names none.
pub fn temp_root(value: &str) -> String {
    let folded = if value.starts_with('/') { fold(value) } else { String::new() };
    if folded == "/" { String::new() } else { folded }
}

/// `.`, `..` and doubled `/` folded, as far as the text alone allows; macOS's real name of `/tmp` undone.
pub fn fold(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    if let ["private", "tmp", ..] | ["private", "var", "tmp", ..] = parts[..] {
        parts.remove(0);
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope() -> Scope {
        Scope {
            session: "sess-0001-abcd".into(),
            home: "/home/u".into(),
            temp_dir: "/var/folders/zz/T".into(),
            project: "/home/u/app".into(),
            private: vec!["/tmp/scratch".into()],
            roots: Roots::new(|| vec!["/home/u/app".into(), "/private/tmp/clone/".into()]),
            own: Lazy::default(),
        }
    }

    #[test]
    fn fixed_names_under_a_shared_root_are_told_from_all_others() {
        let shared = |path: &str| Place::Shared(SharedPath { path: path.into(), glob: false });
        for (path, want) in [
            ("/tmp/a.bak", shared("/tmp/a.bak")),
            ("/private/tmp/a.bak", shared("/tmp/a.bak")),
            ("/private/var/tmp/a", shared("/var/tmp/a")),
            ("/tmp//d/../a.bak", shared("/tmp/a.bak")),
            ("/var/folders/zz/T/a", shared("/var/folders/zz/T/a")),
            ("/tmp/claude-1000/note.md", shared("/tmp/claude-1000/note.md")),
            ("/tmp/claude-1000/-w-app/note.md", shared("/tmp/claude-1000/-w-app/note.md")),
            ("/tmp/claude-1000/-w-app/s1/scratchpad/d.txt", Place::PerRun),
            ("/tmp/x-11111111-2222-4333-8444-555555555555.txt", Place::PerRun),
            ("/tmp/sess-0001-abcd/x", Place::PerRun),
            ("/tmp/scratch/x", Place::PerRun),
            ("/tmp/a\u{fffd}.bak", Place::PerRun),
            ("/tmp/a\0.bak", Place::PerRun),
            ("/tmp", Place::PerRun),
            ("/tmp/clone/a.txt", Place::Elsewhere("/tmp/clone/a.txt".into())),
            ("/tmpfiles/a", Place::Elsewhere("/tmpfiles/a".into())),
            ("tmp/a", Place::Elsewhere("/home/u/app/tmp/a".into())),
        ] {
            assert_eq!(scope().place_of_file(path, "/home/u/app"), want, "{path}");
        }
    }

    #[test]
    fn a_place_touches_its_folder_its_content_and_what_a_glob_matches() {
        let at = |path: &str, glob| SharedPath { path: path.into(), glob };
        assert!(at("/tmp/d", false).touches("/tmp/d/f"));
        assert!(at("/tmp/d/f", false).touches("/tmp/d"));
        assert!(!at("/tmp/d", false).touches("/tmp/dd"));
        assert!(at("/tmp/*.bak", true).touches("/tmp/a.bak"));
        assert!(at("/tmp/out/*", true).touches("/tmp/out/sub/f"));
        assert!(!at("/tmp/*.bak", true).touches("/tmp/a.txt"));
        assert!(!at("/tmp/out/*", true).touches("/tmp/outer/sub/f"));
        assert!(at("/tmp/**/f", true).touches("/tmp/a/b/f"));
    }

    #[test]
    fn the_cheap_test_misses_no_spelling() {
        for text in ["cp /tmp/a b", "x > %TEMP%\\a", "$TMPDIR/a", "gettempdir()", "os.tmpdir()", "/var/folders/zz/T/a", "mkTemp"] {
            assert!(scope().may_mention(text, "/home/u/app"), "{text}");
        }
        assert!(!scope().may_mention("cargo test --all", "/home/u/app"));
        assert!(scope().may_mention("cp a b", "/tmp/x"));
    }
}
