//! What a repository says of itself, read by hand: no process is run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fs::read_regular;

/// Largest file that says where something else lies, in bytes: a path and a word.
const MAX_POINTER_BYTES: u64 = 16 << 10;

/// The root of the work tree that `dir` is in: where `.git` is, a folder or (in a linked work tree) a file.
pub fn root(dir: &Path) -> Option<&Path> {
    dir.ancestors().find(|dir| dir.join(".git").exists())
}

/// The main work tree of the repository, when `dir` is in a linked one.
pub fn main_tree(dir: &Path) -> Option<PathBuf> {
    let root = root(dir)?;
    let common = common_dir(root)?;
    main_of(&common).filter(|main| *main != root).map(Path::to_owned)
}

/// The work tree that `dir` is in, with every other work tree of the same repository.
pub fn work_trees(dir: &Path) -> Vec<PathBuf> {
    let Some(root) = root(dir) else { return Vec::new() };
    let mut trees = vec![root.to_owned()];
    let Some(common) = common_dir(root) else { return trees };
    trees.extend(main_of(&common).map(Path::to_owned));
    for entry in fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten().take(256) {
        if let Some(file) = first_line(&entry.path().join("gitdir"))
            && let Some(tree) = Path::new(&file).parent()
        {
            // Git may have been told to keep relative paths.
            let tree = entry.path().join(tree);
            trees.push(fs::canonicalize(&tree).unwrap_or(tree));
        }
    }
    trees
}

/// The work tree around the common folder; none for a bare repository.
fn main_of(common: &Path) -> Option<&Path> {
    common.parent().filter(|_| common.file_name().is_some_and(|name| name == ".git"))
}

/// The folder that all work trees of the repository share.
fn common_dir(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let git_dir = root.join(first_line(&dot_git)?.strip_prefix("gitdir: ")?);
    let common = first_line(&git_dir.join("commondir"))?;
    fs::canonicalize(git_dir.join(common)).ok()
}

fn first_line(file: &Path) -> Option<String> {
    let text = String::from_utf8(read_regular(file, MAX_POINTER_BYTES).ok()?).ok()?;
    text.lines().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_paths_between_work_trees_are_followed() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let base = fs::canonicalize(dir.path())?;
        let (main, linked) = (base.join("main"), base.join("linked"));
        let admin = main.join(".git/worktrees/linked");
        fs::create_dir_all(&admin)?;
        fs::create_dir_all(&linked)?;
        fs::write(admin.join("gitdir"), "../../../../linked/.git\n")?;
        fs::write(admin.join("commondir"), "../..\n")?;
        fs::write(linked.join(".git"), "gitdir: ../main/.git/worktrees/linked\n")?;
        for start in [&main, &linked] {
            let trees = work_trees(start);
            assert!(trees.contains(&main) && trees.contains(&linked), "{trees:?}");
        }
        Ok(())
    }

    #[test]
    fn a_linked_work_tree_finds_the_others() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let base = fs::canonicalize(dir.path())?;
        let (main, linked) = (base.join("main"), base.join("linked"));
        let admin = main.join(".git/worktrees/linked");
        fs::create_dir_all(&admin)?;
        fs::create_dir_all(linked.join("sub"))?;
        fs::write(admin.join("gitdir"), format!("{}\n", linked.join(".git").display()))?;
        fs::write(admin.join("commondir"), "../..\n")?;
        fs::write(linked.join(".git"), format!("gitdir: {}\n", admin.display()))?;
        for start in [&main, &linked.join("sub")] {
            let trees = work_trees(start);
            assert!(trees.contains(&main) && trees.contains(&linked), "{trees:?}");
        }
        assert_eq!(work_trees(Path::new("/nonexistent")), Vec::<PathBuf>::new());
        Ok(())
    }
}
