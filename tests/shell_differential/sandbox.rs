//! The folder that commands run in, and running one there under strace.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::trace::{self, Event};

/// Where commands look for programs.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Programs that not every machine has.
const OPTIONAL: [&str; 19] = [
    "rsync", "zip", "unzip", "patch", "sqlite3", "jq", "git", "python3", "perl", "node", "ruby", "ed", "xz", "zstd", "bzip2", "openssl",
    "xxd", "script", "unbuffer",
];

/// What stands for the sandbox in a command.
const ROOT: &str = "/sandbox";

/// Files that every command finds: each holds a word of its own, so that where its bytes go can be seen.
const FILES: [&str; 26] = [
    "work/a.txt",
    "work/b.txt",
    "work/c.txt",
    "work/in1.txt",
    "work/in2.txt",
    "work/in3.txt",
    "work/old1.txt",
    "work/old2.txt",
    "work/old3.txt",
    "work/upd1.txt",
    "work/upd2.txt",
    "work/upd3.txt",
    "work/my file.txt",
    "work/it's.txt",
    "work/d/e.txt",
    "work/d/f.txt",
    "work/d/sub/g.txt",
    "work/src/main.c",
    "work/src/util.c",
    "work/src/util.h",
    "work/.hidden",
    "tmp/saved.txt",
    "tmp/t.txt",
    "tmp/k/l.txt",
    "home/notes.txt",
    "home/docs/n.txt",
];

/// Files whose content a command depends on.
const SPECIAL: [(&str, &str); 12] = [
    ("work/list.txt", "old1.txt\nold2.txt\n"),
    ("work/data.json", "{\"name\": \"value\", \"list\": [1, 2]}\n"),
    ("work/env.sh", "FROM_ENV=b.txt\n"),
    ("work/run.sh", "#!/bin/bash\ncat a.txt > made.txt\n"),
    ("work/copy.sh", "cp \"$1\" \"$2\"\n"),
    ("work/script.py", "open('made.txt', 'w').write(open('a.txt').read())\n"),
    ("work/script.js", "const fs = require('fs'); fs.writeFileSync('made.txt', fs.readFileSync('a.txt'))\n"),
    ("work/script.pl", "print 1;\n"),
    ("work/edit.sed", "s/line/LINE/\n"),
    ("work/fix.patch", "--- a/upd1.txt\n+++ b/upd1.txt\n@@ -1,3 +1,3 @@\n-token_upd1\n+patched\n line two\n line three\n"),
    ("work/query.sql", "select 1;\n"),
    ("work/empty.txt", ""),
];

/// What lies at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    Folder,
    File(Vec<u8>),
    Link,
}

/// Everything in the sandbox by its path.
pub(crate) type Snapshot = BTreeMap<String, Entry>;

/// What one command did.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) root: String,
    /// The command as it was run.
    pub(crate) text: String,
    pub(crate) events: Vec<Event>,
    pub(crate) before: Snapshot,
    pub(crate) after: Snapshot,
}

/// The word that only this file holds.
pub(crate) fn token(file: &str) -> Option<String> {
    let file = FILES.iter().find(|known| **known == file)?;
    let name = file.rsplit('/').next()?;
    let stem = name.trim_start_matches('.').split('.').next()?;
    let stem: String = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    Some(format!("token_{stem}{}", if *file == "work/src/util.h" { "_h" } else { "" }))
}

/// The sandbox that each command gets a copy of.
pub(crate) struct Template {
    folder: tempfile::TempDir,
    missing: Vec<&'static str>,
}

impl Template {
    pub(crate) fn new() -> Result<Self, String> {
        let probe = Command::new("strace").args(["-qq", "-o", "/dev/null", "bash", "-c", ":"]).stderr(Stdio::null()).status();
        if !probe.is_ok_and(|status| status.success()) {
            return Err("bash cannot be run under strace here".to_owned());
        }
        let missing = OPTIONAL.into_iter().filter(|tool| !PATH.split(':').any(|dir| Path::new(dir).join(tool).exists())).collect();
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let template = Template { folder, missing };
        template.fill().map_err(|error| format!("the sandbox cannot be made: {error}"))?;
        Ok(template)
    }

    /// Every program the command needs is there.
    pub(crate) fn installed(&self, text: &str) -> bool {
        let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/')));
        !words.any(|word| self.missing.contains(&word))
    }

    fn fill(&self) -> std::io::Result<()> {
        let root = self.folder.path().join("template");
        let put = |name: &str, content: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap_or(&root))?;
            fs::write(path, content)
        };
        for name in FILES {
            put(name, &format!("{}\nline two\nline three\n", token(name).unwrap_or_default()))?;
        }
        for (name, content) in SPECIAL {
            put(name, content)?;
        }
        fs::create_dir_all(root.join("work/emptied"))?;
        symlink("a.txt", root.join("work/link.txt"))?;
        let setup = "chmod +x run.sh; tar -cf pack.tar -C d e.txt; tar -czf pack.tgz -C d e.txt; gzip -k < c.txt > packed.txt.gz
            zip -q pack.zip d/e.txt; ln -s d dlink
            git init -q -b main . && git add a.txt b.txt upd1.txt upd2.txt d && git commit -q -m first && git branch other
            echo changed >> upd2.txt";
        _ = Self::command("bash", &root).args(["-c", setup]).status()?;
        Ok(())
    }

    /// A program started in the sandbox at `root`.
    fn command(program: &str, root: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(root.join("work")).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("PATH", PATH).env("LANG", "C").env("HOME", root.join("home")).env("TMPDIR", root.join("tmp"));
        command.env("CLAUDE_PROJECT_DIR", root.join("work")).env("GIT_CONFIG_NOSYSTEM", "1").env("PYTHONDONTWRITEBYTECODE", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "x").env(format!("GIT_{who}_EMAIL"), "x@example.com");
        }
        command
    }

    /// Runs the command in a sandbox of its own.
    pub(crate) fn run(&self, number: usize, text: &str) -> Run {
        let top = fs::canonicalize(self.folder.path()).expect("the sandbox is there").join(format!("case{number}"));
        let (root, traces) = (top.join("root"), top.join("traces"));
        copy_tree(&self.folder.path().join("template"), &root, text.contains("git")).expect("the sandbox can be copied");
        fs::create_dir_all(&traces).expect("a folder for the traces");
        let name = root.to_string_lossy().into_owned();
        let text = text.replace(ROOT, &name);
        let before = snapshot(&root);
        let mut command = Self::command("timeout", &root);
        command.args(["-k", "1", "60", "strace", "-ff", "-qq", "-y", "-s", "4096", "-e", "trace=%file,ftruncate", "-o"]);
        command.arg(traces.join("t")).args(["bash", "--norc", "--noprofile", "-c", &text]);
        _ = command.status().expect("timeout can be run");
        let events = trace::events(&traces, &format!("{name}/work"));
        let after = snapshot(&root);
        _ = fs::remove_dir_all(&top);
        Run { root: name, text, events, before, after }
    }
}

fn copy_tree(from: &Path, to: &Path, with_git: bool) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_symlink() {
            symlink(fs::read_link(entry.path())?, target)?;
        } else if kind.is_dir() {
            if with_git || entry.file_name() != ".git" {
                copy_tree(&entry.path(), &target, with_git)?;
            }
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// What lies below `root`; what git keeps for itself is left out.
fn snapshot(root: &Path) -> Snapshot {
    let mut found = Snapshot::new();
    let mut pending: Vec<PathBuf> = vec![root.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(kind) = entry.file_type() else { continue };
            if entry.file_name() == ".git" {
                continue;
            }
            let what = if kind.is_symlink() {
                Entry::Link
            } else if kind.is_dir() {
                pending.push(path.clone());
                Entry::Folder
            } else if kind.is_file() {
                Entry::File(fs::read(&path).unwrap_or_default())
            } else {
                continue;
            };
            found.insert(path.to_string_lossy().into_owned(), what);
        }
    }
    found
}
