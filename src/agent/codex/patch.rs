//! What a patch in the client's own form changes: `*** Begin Patch … *** End Patch`.

use crate::agent::json::{self, Raw};
use crate::session::event::Action;

/// How many files of one patch are told of.
const MAX_FILES: usize = 1024;

/// The start of a patch.
const BEGIN: &str = "*** Begin Patch";
/// Its end.
const END: &str = "*** End Patch";

/// What each file of a patch undergoes, in order: a new one is written, the others are edited, and so is one
/// that is removed. A file that is moved is edited under its old name and written under its new one.
pub(super) fn files(patch: &str) -> Vec<Action<'static>> {
    let (mut files, mut within) = (Vec::new(), false);
    for line in patch.lines() {
        // A line of a file's content begins with `+`, `-` or a blank.
        if line.trim() == BEGIN {
            within = true;
        } else if line.trim_end() == END {
            within = false;
        } else if within
            && let Some(action) = file(line)
            && files.len() < MAX_FILES
        {
            files.push(action);
        }
    }
    files
}

fn file(line: &str) -> Option<Action<'static>> {
    let (what, path) = line.trim_end().strip_prefix("*** ")?.split_once(": ")?;
    let path = path.trim().to_owned().into();
    match what {
        "Add File" | "Move to" => Some(Action::Write { path }),
        "Update File" | "Delete File" => Some(Action::Edit { path }),
        _ => None,
    }
}

/// The same of the `changes` of an event: an object of paths, or a list of objects with a `path`.
pub(super) fn changes(changes: Raw<'_>) -> Vec<Action<'static>> {
    let mut files = Vec::new();
    let mut add = |path: &str, change: Raw<'_>| {
        let (kind, moved) = change_of(change);
        let path = path.to_owned().into();
        if files.len() < MAX_FILES {
            files.push(if kind == "add" { Action::Write { path } } else { Action::Edit { path } });
            files.extend(moved.map(|path| Action::Write { path: path.into() }));
        }
    };
    if json::is_object(changes) {
        json::fields(changes.bytes(), &mut add);
    } else {
        json::elements(changes.bytes(), &mut |change| {
            let mut path = None;
            json::fields(change.bytes(), &mut |key, value| {
                if key == "path" {
                    path = json::string(value);
                }
            });
            if let Some(path) = path {
                add(&path, change);
            }
        });
    }
    files
}

/// What a change is, and where to it moves the file: `{"type":"update","move_path":…}`, the same within a
/// `kind`, or `{"update":{"move_path":…}}` of older clients.
fn change_of(change: Raw<'_>) -> (String, Option<String>) {
    let (mut kind, mut moved) = (String::new(), None);
    let mut inner = None;
    json::fields(change.bytes(), &mut |key, value| match key {
        "type" => kind = json::string(value).unwrap_or_default().to_lowercase(),
        "move_path" | "movePath" => moved = json::string(value).map(String::from),
        "kind" => inner = Some(value),
        "add" | "delete" | "update" => {
            key.clone_into(&mut kind);
            inner = Some(value);
        }
        _ => {}
    });
    if let Some(inner) = inner {
        json::fields(inner.bytes(), &mut |key, value| match key {
            "type" => kind = json::string(value).unwrap_or_default().to_lowercase(),
            "move_path" | "movePath" => moved = json::string(value).map(String::from),
            _ => {}
        });
    }
    (kind, moved)
}

/// The patch that a shell command is, and the folder it goes to first: `apply_patch <<'EOF' …`, alone or
/// behind one `cd folder &&`. The client takes such a command for the patch itself.
pub(super) fn in_command(command: &str) -> Option<(Option<&str>, &str)> {
    let command = command.trim();
    let (folder, rest) = match command.strip_prefix("cd ").and_then(|rest| rest.split_once("&&")) {
        Some((folder, rest)) => (Some(unquoted(folder.trim())?), rest.trim_start()),
        None => (None, command),
    };
    let rest = rest.strip_prefix("apply_patch").or_else(|| rest.strip_prefix("applypatch"))?;
    let (opening, patch) = rest.split_at(rest.find(BEGIN)?);
    let is_opening = |c: char| c.is_ascii_alphanumeric() || matches!(c, '<' | '\'' | '"' | '_' | '-' | ' ' | '\n' | '\r');
    let closing = patch.rsplit_once(END)?.1.trim();
    let is_alone = opening.chars().all(is_opening) && closing.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\'' | '"'));
    is_alone.then_some((folder, patch))
}

/// A folder that is one word without expansions.
fn unquoted(word: &str) -> Option<&str> {
    let bare = ['\'', '"'].iter().find_map(|quote| word.strip_prefix(*quote)?.strip_suffix(*quote));
    let is_plain = |text: &str| !text.is_empty() && !text.contains(['$', '`', '\'', '"', '\\', ';', '|', '&', '*', '?', '\n', '~']);
    match bare {
        Some(bare) => is_plain(bare).then_some(bare),
        None => (is_plain(word) && !word.contains(' ')).then_some(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(files: Vec<Action<'_>>) -> Vec<String> {
        let brief = |action| match action {
            Action::Write { path } => format!("write {path}"),
            Action::Edit { path } => format!("edit {path}"),
            other => format!("{other:?}"),
        };
        files.into_iter().map(brief).collect()
    }

    const PATCH: &str = "*** Begin Patch\n*** Add File: a b.txt\n+*** Add File: no.txt\n*** Update File: src/x.rs\r\n*** Move to: src/y.rs\n\
                         @@ fn\n- *** Delete File: no\n+x\n*** End of File\n*** Delete File: old.txt\n*** End Patch\n";

    #[test]
    fn the_files_of_a_patch() {
        let expected = ["write a b.txt", "edit src/x.rs", "write src/y.rs", "edit old.txt"];
        assert_eq!(brief(files(PATCH)), expected);
        assert_eq!(brief(files(&format!("<<'EOF'\n{PATCH}EOF\n*** Add File: behind"))), expected);
        assert_eq!(brief(files("no patch\n*** Add File: x")), [] as [&str; 0]);
        assert_eq!(files(&PATCH.replace("old.txt", &"\n*** Delete File: x".repeat(5000))).len(), MAX_FILES);
    }

    #[test]
    fn the_files_of_an_event() {
        for (text, expected) in [
            (r#"{"/w/a":{"type":"add","content":"x"}}"#, &["write /w/a"][..]),
            (r#"{"/w/a":{"type":"update","unified_diff":"","move_path":"/w/b"}}"#, &["edit /w/a", "write /w/b"]),
            (r#"{"/w/a":{"update":{"unified_diff":"","move_path":null}},"/w/c":{"add":{"content":""}}}"#, &["edit /w/a", "write /w/c"]),
            (r#"[{"path":"/w/a","kind":{"type":"add"},"diff":""},{"kind":7},3]"#, &["write /w/a"]),
            (r#"{"/w/a":7}"#, &["edit /w/a"]),
            ("7", &[]),
        ] {
            let raw = Raw::of(text).expect("json");
            assert_eq!(brief(changes(raw)), expected, "{text}");
        }
    }

    #[test]
    fn commands_that_are_patches() {
        let with = |before: &str, after: &str| format!("{before}{PATCH}{after}");
        for (command, folder) in [
            (with("apply_patch <<'EOF'\n", "EOF\n"), None),
            (with("apply_patch << \"PATCH\"\n", "PATCH"), None),
            (with("applypatch '", "'"), None),
            (with("cd sub/dir && apply_patch <<EOF\n", "EOF"), Some("sub/dir")),
            (with("cd 'my dir' && apply_patch <<EOF\n", "EOF"), Some("my dir")),
        ] {
            let found = in_command(&command).unwrap_or_else(|| panic!("{command}"));
            assert_eq!((found.0, files(found.1).len()), (folder, 4), "{command}");
        }
        for command in [
            with("apply_patch <<EOF\n", "EOF\nnpm test"),
            with("cat > p <<EOF\n", "EOF"),
            with("cd $X && apply_patch <<EOF\n", "EOF"),
            "apply_patch --help".to_owned(),
        ] {
            assert_eq!(in_command(&command), None, "{command}");
        }
    }
}
