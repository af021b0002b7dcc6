//! Where the client keeps its sessions: `<config>/projects/<project>/<session>.jsonl`, and a session's
//! subagents in `<session>/subagents/` beside it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Longest name of a project's folder that is written as it is, in UTF-16 units.
const MAX_NAME: usize = 200;

/// How deep below `subagents/` transcripts are looked for: groups of subagents have folders of their own.
const MAX_DEPTH: u32 = 3;

/// The client's configuration folder: `CLAUDE_CONFIG_DIR`, else `.claude` in the home folder. `variable`
/// looks up the environment; `None` when it knows no home either.
pub fn config_dir(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let filled = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    filled("CLAUDE_CONFIG_DIR").or_else(|| Some(filled("HOME").or_else(|| filled("USERPROFILE"))?.join(".claude")))
}

/// The folders in which the client keeps what is remembered of a project that has these places.
pub fn memory_dirs(config_dir: &Path, places: &[PathBuf]) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in places.iter().flat_map(|place| project_dirs(config_dir, place)) {
        let memories = folder.join("memory");
        if !found.contains(&memories) && memories.is_dir() {
            found.push(memories);
        }
    }
    found
}

/// The name of the folder that holds the sessions of the project at this path, symbolic links resolved.
///
/// Every UTF-16 unit that is no ASCII letter or digit becomes a `-`, one for each (2.1.332). A name of more
/// than 200 is cut there and gets a hash of the path.
pub fn project_dir_name(path: &Path) -> String {
    let path = path.to_string_lossy();
    let name = encode(&path, |c| !c.is_ascii_alphanumeric());
    if name.len() <= MAX_NAME {
        return name;
    }
    let hash = path.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    format!("{}-{}", &name[..MAX_NAME], base36(hash.unsigned_abs()))
}

/// The folders that exist for the project at this path.
///
/// Under the true name and under those of older clients, which left `_`, or everything but `: / \ . _`, as it
/// was. Where none exists, folders are taken whose names differ only in the length of a run of dashes, or,
/// for a name that was cut, in the hash.
pub fn project_dirs(config_dir: &Path, project: &Path) -> Vec<PathBuf> {
    let projects = config_dir.join("projects");
    let path = project.to_string_lossy();
    let name = project_dir_name(project);
    let mut names = vec![
        name.clone(),
        encode(&path, |c| matches!(c, ':' | '/' | '\\' | '.' | '_')),
        encode(&path, |c| matches!(c, ':' | '/' | '\\' | '.')),
    ];
    names.dedup();
    let found: Vec<_> = names.iter().map(|name| projects.join(name)).filter(|dir| dir.is_dir()).collect();
    if !found.is_empty() {
        return found;
    }
    let (collapsed, cut) = (collapse(&name), name.get(..=MAX_NAME));
    let mut found: Vec<_> = entries(&projects)
        .filter(|entry| entry.path().is_dir())
        .filter(|entry| {
            let other = entry.file_name();
            let other = other.to_string_lossy();
            collapse(&other) == collapsed || cut.is_some_and(|cut| other.starts_with(cut))
        })
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// The transcripts in a project's folder, by name. Old clients kept those of subagents
/// (`agent-<id>.jsonl`) here too: they are among them, and their lines say whose they are.
pub fn transcripts(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(dir, 0, &|_| true, &mut found);
    // A session of which only the subagents' transcripts are left is still one.
    let orphans = entries(dir).map(|entry| entry.path().join("subagents")).filter(|folder| folder.is_dir());
    let orphans = orphans.filter_map(|folder| folder.parent().map(|session| session.with_added_extension("jsonl")));
    found.extend(orphans.filter(|transcript| !transcript.exists()));
    found.sort();
    found
}

/// The transcripts of a session's subagents, by name, given the session's own transcript.
pub fn subagents(transcript: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(&transcript.with_extension("").join("subagents"), MAX_DEPTH, &|name| name.starts_with("agent-"), &mut found);
    found.sort();
    found
}

/// Regular `.jsonl` files only: links are not followed, and a pipe would block whoever opens it.
fn collect(dir: &Path, depth: u32, wanted: &dyn Fn(&str) -> bool, found: &mut Vec<PathBuf>) {
    for entry in entries(dir) {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth > 0 {
            collect(&entry.path(), depth - 1, wanted, found);
        } else if kind.is_file() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.strip_suffix(".jsonl").is_some_and(wanted) {
                found.push(entry.path());
            }
        }
    }
}

/// A folder that cannot be read is one without entries.
fn entries(dir: &Path) -> impl Iterator<Item = fs::DirEntry> {
    fs::read_dir(dir).into_iter().flatten().flatten()
}

/// The path with a `-` for every UTF-16 unit of every such character.
fn encode(path: &str, is_replaced: impl Fn(char) -> bool) -> String {
    let mut name = String::with_capacity(path.len());
    for c in path.chars() {
        if is_replaced(c) {
            (0..c.len_utf16()).for_each(|_| name.push('-'));
        } else {
            name.push(c);
        }
    }
    name
}

/// The name with every run of dashes made one.
fn collapse(name: &str) -> String {
    let mut collapsed = String::with_capacity(name.len());
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() { c } else { '-' };
        if c != '-' || !collapsed.ends_with('-') {
            collapsed.push(c);
        }
    }
    collapsed
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_projects() {
        let cases = [
            ("/Users/me/.agents", "-Users-me--agents"),
            ("/home/u/ai_iree", "-home-u-ai-iree"),
            ("/home/u/Open Source/app", "-home-u-Open-Source-app"),
            (r"C:\Users\me\proj", "C--Users-me-proj"),
            ("/home/u/café", "-home-u-caf-"),
            ("/home/u/项目/demo", "-home-u----demo"),
            ("/w/😀", "-w---"),
            ("/a--b", "-a--b"),
        ];
        for (path, name) in cases {
            assert_eq!(project_dir_name(Path::new(path)), name, "{path}");
        }
    }

    #[test]
    fn long_names_are_cut_and_get_a_hash() {
        let at_the_limit = format!("/{}", "a".repeat(199));
        assert_eq!(project_dir_name(Path::new(&at_the_limit)).len(), 200);
        // Sum of 97 * 31^i over 200 units, and 47 * 31^200 for the slash, in signed 32-bit arithmetic.
        let name = project_dir_name(Path::new(&format!("/{}", "a".repeat(200))));
        assert_eq!(name, format!("-{}-b6ymvl", "a".repeat(199)));
    }

    #[test]
    fn base_36() {
        assert_eq!([0, 35, 36, 2_147_483_648].map(base36), ["0", "z", "10", "zik0zk"]);
    }

    #[test]
    fn the_configuration_folder() {
        let of = |pairs: &[(&str, &str)]| {
            let find = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
            config_dir(find)
        };
        assert_eq!(of(&[("HOME", "/h")]), Some("/h/.claude".into()));
        assert_eq!(of(&[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "")]), Some("/h/.claude".into()));
        assert_eq!(of(&[("HOME", "/h"), ("CLAUDE_CONFIG_DIR", "/c")]), Some("/c".into()));
        assert_eq!(of(&[("USERPROFILE", "/p")]), Some("/p/.claude".into()));
        assert_eq!(of(&[]), None);
    }

    fn made(root: &Path, dirs: &[&str]) -> Vec<PathBuf> {
        let made: Vec<_> = dirs.iter().map(|name| root.join("projects").join(name)).collect();
        for dir in &made {
            fs::create_dir_all(dir).expect("folder");
        }
        made
    }

    #[test]
    fn folders_of_older_clients_are_found() {
        let root = tempfile::tempdir().expect("folder");
        let made = made(root.path(), &["-w-my-app-x", "-w-my_app-x", "-w-other"]);
        assert_eq!(project_dirs(root.path(), Path::new("/w/my_app.x")), made[..2]);
        assert_eq!(project_dirs(root.path(), Path::new("/w/none")), [] as [PathBuf; 0]);
        assert_eq!(project_dirs(Path::new("/nowhere"), Path::new("/w")), [] as [PathBuf; 0]);
    }

    #[test]
    fn runs_and_hashes_are_compared_only_when_nothing_else_is_there() {
        let root = tempfile::tempdir().expect("folder");
        let long = format!("-{}-other0", "a".repeat(199));
        let made = made(root.path(), &["-w-agents", &long]);
        assert_eq!(project_dirs(root.path(), Path::new("/w/.agents")), made[..1]);
        assert_eq!(project_dirs(root.path(), Path::new(&format!("/{}", "a".repeat(300)))), made[1..]);
    }

    #[test]
    fn transcripts_and_subagents() {
        let root = tempfile::tempdir().expect("folder");
        let at = |name: &str| root.path().join(name);
        fs::create_dir_all(at("s1/subagents/group")).expect("folder");
        for name in [
            "s1.jsonl",
            "s0.jsonl",
            "notes.txt",
            "s1/subagents/agent-b.jsonl",
            "s1/subagents/group/agent-a.jsonl",
            "s1/subagents/agent-b.meta.json",
            "s1/subagents/x.jsonl",
        ] {
            fs::write(at(name), "").expect("file");
        }
        assert_eq!(transcripts(root.path()), [at("s0.jsonl"), at("s1.jsonl")]);
        assert_eq!(subagents(&at("s1.jsonl")), [at("s1/subagents/agent-b.jsonl"), at("s1/subagents/group/agent-a.jsonl")]);
        assert_eq!(subagents(&at("s0.jsonl")), [] as [PathBuf; 0]);
    }
}
