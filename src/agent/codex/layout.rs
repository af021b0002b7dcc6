//! Where the client keeps its sessions: `<home>/sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl`, those put away
//! in `<home>/archived_sessions/`, either also packed (`.jsonl.zst`), and `<home>/history.jsonl`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders of rollouts, and how deep below them these stand at most.
const FOLDERS: &[(&str, u32)] = &[("sessions", 3), ("archived_sessions", 3)];

/// How a rollout's name ends.
const ENDS: &[&str] = &[".jsonl", ".jsonl.zst", ".jsonl.zstd"];

/// How a client names an id at the end of a rollout's name: a UUID.
const ID_LENGTH: usize = 36;

/// The client's folder: `CODEX_HOME`, else `.codex` in the home folder. `variable` looks up the environment;
/// `None` when it knows no home either.
pub fn home_dir(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let filled = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    filled("CODEX_HOME").or_else(|| Some(filled("HOME").or_else(|| filled("USERPROFILE"))?.join(".codex")))
}

/// What a person typed, in every session.
pub fn history(home: &Path) -> PathBuf {
    home.join("history.jsonl")
}

/// All rollouts, by name, which is by time. One that is there packed and unpacked is given unpacked.
pub fn rollouts(home: &Path) -> Vec<PathBuf> {
    let mut found = BTreeMap::new();
    for (folder, depth) in FOLDERS {
        collect(&home.join(folder), *depth, &mut found);
    }
    found.into_values().collect()
}

/// Those in the same folder.
pub fn beside(rollout: &Path) -> Vec<PathBuf> {
    let mut found = BTreeMap::new();
    collect(rollout.parent().unwrap_or(Path::new("")), 0, &mut found);
    found.into_values().collect()
}

/// The folder of rollouts that this one stands in, at whatever depth.
pub fn folder_of(home: &Path, rollout: &Path) -> PathBuf {
    let folders = FOLDERS.iter().map(|(folder, _)| home.join(folder));
    folders.into_iter().find(|folder| rollout.starts_with(folder)).unwrap_or_else(|| home.to_owned())
}

/// The session's id in a rollout's name; the whole name without its end where there is none.
pub fn session_id(rollout: &Path) -> String {
    let name = rollout.file_name().unwrap_or_default().to_string_lossy();
    let name = plain_name(&name).unwrap_or(&name);
    let id = name.len().checked_sub(ID_LENGTH).and_then(|at| name.get(at..)).filter(|id| is_uuid(id));
    id.unwrap_or(name).to_owned()
}

/// Is the file packed, by its name?
pub fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "zst" || end == "zstd")
}

/// Is the file a rollout, by its name?
pub fn is_rollout_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| plain_name(&name.to_string_lossy()).is_some())
}

/// A rollout's name without its end.
fn plain_name(name: &str) -> Option<&str> {
    let name = ENDS.iter().find_map(|end| name.strip_suffix(end))?;
    name.starts_with("rollout-").then_some(name)
}

fn is_uuid(id: &str) -> bool {
    id.char_indices().all(|(at, c)| if matches!(at, 8 | 13 | 18 | 23) { c == '-' } else { c.is_ascii_hexdigit() })
}

/// Regular files only: links are not followed, and a pipe would block whoever opens it.
fn collect(dir: &Path, depth: u32, found: &mut BTreeMap<String, PathBuf>) {
    // A folder that cannot be read is one without entries.
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth > 0 {
            collect(&entry.path(), depth - 1, found);
        } else if kind.is_file()
            && let Some(name) = plain_name(&entry.file_name().to_string_lossy())
        {
            let path = entry.path();
            let is_better = found.get(name).is_none_or(|other| is_packed(other) && !is_packed(&path));
            if is_better {
                found.insert(name.to_owned(), path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_home_folder() {
        let of = |pairs: &[(&str, &str)]| {
            let find = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value));
            home_dir(find)
        };
        assert_eq!(of(&[("HOME", "/h")]), Some("/h/.codex".into()));
        assert_eq!(of(&[("HOME", "/h"), ("CODEX_HOME", "/c")]), Some("/c".into()));
        assert_eq!(of(&[("USERPROFILE", "/p"), ("CODEX_HOME", "")]), Some("/p/.codex".into()));
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn ids_in_names() {
        let id = "0199aaaa-0000-7000-8000-000000000001";
        for (name, expected) in [
            (format!("rollout-2026-11-30T23-01-53-{id}.jsonl"), id),
            (format!("rollout-2026-11-30T23-01-53-{id}.jsonl.zst"), id),
            ("rollout-x.jsonl".to_owned(), "rollout-x"),
            (format!("rollout-é{}.jsonl", "x".repeat(35)), &format!("rollout-é{}", "x".repeat(35))),
        ] {
            assert_eq!(session_id(&Path::new("/s").join(&name)), expected, "{name}");
        }
    }
}
