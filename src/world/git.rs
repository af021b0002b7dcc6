//! What a repository says of itself. Its root, head and work trees are read by hand; only what git alone can
//! tell is asked of git.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::process;
use crate::fs::read_regular;

/// Largest file that says where something else lies, in bytes: a path and a word.
const MAX_POINTER_BYTES: u64 = 16 << 10;

/// Largest config of a repository that is read, in bytes.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

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

/// The folder, the root of the work tree that it is in, and the main work tree of the repository, as far as they are others.
pub fn places(dir: &Path) -> Vec<PathBuf> {
    let mut places = vec![dir.to_owned()];
    for place in root(dir).map(Path::to_owned).into_iter().chain(main_tree(dir)) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
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

/// What a work tree is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// A branch, by its short name.
    Branch(String),
    /// A commit, and no branch.
    Detached,
}

/// What the work tree at `root` is on; `None` when that cannot be told by hand.
pub fn head(root: &Path) -> Option<Head> {
    let line = first_line(&git_dir(root)?.join("HEAD"))?;
    match line.strip_prefix("ref: ") {
        // With the newer store of references the file says nothing.
        Some("refs/heads/.invalid") => None,
        Some(reference) => reference.strip_prefix("refs/heads/").map(|branch| Head::Branch(branch.to_owned())),
        None => Some(Head::Detached),
    }
}

/// The branch that the remote `origin` names as its default one.
pub fn remote_default(root: &Path) -> Option<String> {
    let line = first_line(&common_dir(root)?.join("refs/remotes/origin/HEAD"))?;
    line.strip_prefix("ref: refs/remotes/origin/").map(str::to_owned)
}

/// The folder that this work tree has in the repository.
fn git_dir(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    Some(root.join(first_line(&dot_git)?.strip_prefix("gitdir: ")?))
}

/// The folder that all work trees of the repository share.
fn common_dir(root: &Path) -> Option<PathBuf> {
    let git_dir = git_dir(root)?;
    match first_line(&git_dir.join("commondir")) {
        Some(common) => fs::canonicalize(git_dir.join(common)).ok(),
        // The main work tree, or a submodule, which has a repository of its own.
        None => Some(git_dir),
    }
}

/// How many of these files, given below `root`, git calls changed or untracked; `None` when it gives no answer in time.
pub fn uncommitted(root: &Path, files: &[String], deadline: Duration) -> Option<usize> {
    let mut git = process::git();
    git.arg("-C").arg(root).args(["status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--"]).args(literal(files));
    let ended = process::run(&mut git, deadline).filter(|ended| ended.status == Some(0))?;
    Some(ended.output.split('\0').filter(|entry| entry.len() > 3).count())
}

/// How many of these files, given below `root`, git does not ignore; `None` when it gives no answer in time.
pub fn not_ignored(root: &Path, files: &[String], deadline: Duration) -> Option<usize> {
    let mut git = process::git();
    // A name that begins with `:` would be read as a pattern.
    git.arg("-C").arg(root).args(["check-ignore", "--"]).args(files.iter().map(|file| format!("./{file}")));
    // 1: none of them is ignored.
    let ended = process::run(&mut git, deadline).filter(|ended| matches!(ended.status, Some(0 | 1)))?;
    // One a line: a name that holds a line's end is quoted.
    Some(files.len().saturating_sub(ended.output.lines().count()))
}

/// Is there something at this path, relative to the folder, in the last commit? `None` when git could not tell.
pub fn is_committed(dir: &Path, path: &str, deadline: Duration) -> Option<bool> {
    let mut git = process::git();
    git.arg("-C").arg(dir).args(["cat-file", "-e", &format!("HEAD:./{path}")]);
    process::run(&mut git, deadline).map(|ended| ended.status == Some(0))
}

/// For each of these object names: does the repository have it? `None` for one that names several objects, and for
/// all of them when git gives no answer in time or the history is cut short.
pub fn have_objects(root: &Path, names: &[&str], deadline: Duration) -> Vec<Option<bool>> {
    let undecided = vec![None; names.len()];
    // What is older than a shallow clone reaches is not missing from the history.
    if names.is_empty() || common_dir(root).is_none_or(|common| common.join("shallow").exists()) {
        return undecided;
    }
    let mut git = process::git();
    git.arg("-C").arg(root).args(["cat-file", "--batch-check"]);
    let input = names.join("\n") + "\n";
    let Some(ended) = process::run_with(&mut git, &input, deadline).filter(|ended| ended.status == Some(0)) else { return undecided };
    let answers: Vec<&str> = ended.output.lines().collect();
    if answers.len() != names.len() {
        return undecided;
    }
    let answer = |(name, line): (&&str, &str)| match line.strip_prefix(name).map(str::trim_start) {
        Some("missing") => Some(false),
        Some("ambiguous") => None,
        _ => Some(true),
    };
    names.iter().zip(answers).map(answer).collect()
}

/// What all work trees of the repository at `root` share; `None` where there is none.
pub fn repository(root: &Path) -> Option<PathBuf> {
    let common = common_dir(root).filter(|_| root.join(".git").exists())?;
    Some(fs::canonicalize(&common).unwrap_or(common))
}

/// The address of the remote `origin`, as the repository's own config names it.
pub fn origin(root: &Path) -> Option<String> {
    let config = String::from_utf8(read_regular(&common_dir(root)?.join("config"), MAX_CONFIG_BYTES).ok()?).ok()?;
    let mut in_origin = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            in_origin = line.replace(' ', "").eq_ignore_ascii_case("[remote\"origin\"]");
        } else if in_origin
            && let Some((key, value)) = line.split_once('=')
            && key.trim().eq_ignore_ascii_case("url")
        {
            return Some(value.trim().trim_matches('"').to_owned());
        }
    }
    None
}

/// The files as paths that mean themselves, whatever characters they hold.
fn literal(files: &[String]) -> impl Iterator<Item = String> {
    files.iter().map(|file| format!(":(literal){file}"))
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

    /// Runs git in a folder, as nobody in particular.
    fn run(dir: &Path, args: &[&str]) {
        let mut git = process::git();
        git.args(["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "protocol.file.allow=always"]);
        git.env("GIT_CONFIG_NOSYSTEM", "1").env("HOME", dir).arg("-C").arg(dir).args(args);
        let ended = process::run(&mut git, Duration::from_secs(20)).expect("git runs");
        assert_eq!(ended.status, Some(0), "git {args:?}");
    }

    fn on(name: &str) -> Head {
        Head::Branch(name.to_owned())
    }

    #[test]
    fn the_head_of_every_kind_of_work_tree_is_read() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let base = fs::canonicalize(dir.path())?;
        let at = |name: &str| base.join(name);
        fs::create_dir(at("main"))?;
        run(&at("main"), &["init", "-q", "-b", "trunk"]);
        assert_eq!(head(&at("main")), Some(on("trunk")), "unborn");
        run(&at("main"), &["commit", "-q", "--allow-empty", "-m", "start"]);
        run(&at("main"), &["worktree", "add", "-q", "-b", "feat/x", "../linked"]);
        run(&base, &["clone", "-q", "--bare", "main", "bare.git"]);
        run(&at("bare.git"), &["worktree", "add", "-q", "-b", "y", "../of-bare"]);
        run(&base, &["clone", "-q", "main", "clone"]);
        run(&at("clone"), &["submodule", "--quiet", "add", "../main", "sub"]);
        run(&at("clone"), &["checkout", "-q", "--detach"]);
        for (tree, want) in [
            ("main", Some(on("trunk"))),
            ("linked", Some(on("feat/x"))),
            ("of-bare", Some(on("y"))),
            ("clone", Some(Head::Detached)),
            ("clone/sub", Some(on("trunk"))),
            ("nowhere", None),
        ] {
            assert_eq!(head(&at(tree)), want, "{tree}");
        }
        assert_eq!(root(&at("clone/sub/deep")).map(Path::to_owned), Some(at("clone/sub")));
        assert_eq!(remote_default(&at("clone")), Some("trunk".to_owned()));
        assert_eq!(remote_default(&at("main")), None);
        Ok(())
    }

    #[test]
    fn git_counts_what_is_not_committed_and_not_ignored() -> std::io::Result<()> {
        let dir = tempfile::tempdir()?;
        let tree = fs::canonicalize(dir.path())?;
        run(&tree, &["init", "-q", "-b", "main"]);
        fs::write(tree.join(".gitignore"), "out/\n")?;
        fs::write(tree.join("kept.txt"), "a")?;
        run(&tree, &["add", "."]);
        run(&tree, &["commit", "-q", "-m", "start"]);
        fs::create_dir(tree.join("out"))?;
        let names = ["out/x", "new [1].txt", "*.txt", ":odd", "kept.txt"].map(str::to_owned);
        for name in &names[..4] {
            fs::write(tree.join(name), "b")?;
        }
        let wait = Duration::from_mins(1);
        assert_eq!(uncommitted(&tree, &names, wait), Some(3));
        assert_eq!(not_ignored(&tree, &names, wait), Some(4));
        assert_eq!(uncommitted(&tree.join("none"), &names, wait), None);
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
