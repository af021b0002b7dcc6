//! git and the command lines of the forges.

use super::args::Args;
use super::programs::{Flow, Io, generic};
use super::words::Word;
use super::{GitAction, Path, Sink};

/// Options before git's subcommand that take a word of their own.
const GLOBAL: [&str; 6] = ["-c", "--exec-path", "--namespace", "--super-prefix", "--config-env", "--attr-source"];

pub(super) fn git(io: &mut Io, args: &[Word], cwd: &Path) {
    let mut dir = cwd.clone();
    let mut rest = args.iter();
    let verb = loop {
        let Some(word) = rest.next() else { return };
        let head = word.head();
        if word.is("-C") {
            dir = rest.next().map_or_else(Path::unknown, |word| word.path(&dir));
        } else if word.is("--work-tree") {
            dir = rest.next().map_or_else(Path::unknown, |word| word.path(&dir));
        } else if let Some(tree) = word.strip_prefix("--work-tree=") {
            dir = tree.path(&dir);
        } else if word.is("--git-dir") {
            let found = rest.next().map_or_else(Path::unknown, |word| word.path(&dir));
            dir = around(&found, &dir);
        } else if let Some(found) = word.strip_prefix("--git-dir=") {
            dir = around(&found.path(&dir), &dir);
        } else if word.text().is_some_and(|text| GLOBAL.contains(&text)) {
            rest.next();
        } else if head.starts_with('-') {
            // `-p`, `--no-pager`, `-c` attached
        } else {
            match word.text() {
                Some(text) => break text,
                None => return,
            }
        }
    };
    let words: Vec<Word> = rest.cloned().collect();
    io.words = Some(Flow::To(match verb {
        "commit" | "tag" | "notes" | "merge" => Sink::Quote,
        _ => Sink::Argument,
    }));
    let action = subcommand(io, verb, &words, &dir);
    io.git = action.map(|action| (dir, action));
}

/// The work tree of a `--git-dir`: beside a `.git`, else where git stands.
fn around(git_dir: &Path, cwd: &Path) -> Path {
    match git_dir.text.strip_suffix(".git") {
        Some(tree) if tree.ends_with('/') || tree.is_empty() => {
            Path { text: tree.trim_end_matches('/').to_owned(), folder: false, ..git_dir.clone() }
        }
        _ => cwd.clone(),
    }
}

fn subcommand(io: &mut Io, verb: &str, words: &[Word], dir: &Path) -> Option<GitAction> {
    let flag = |names: &[&str]| words.iter().any(|word| word.text().is_some_and(|text| names.contains(&text)));
    let separated = flag(&["--"]);
    let operands = || Args::read(words, "", &[]).operands;
    match verb {
        "commit" => {
            let args = Args::read(
                words,
                "FmCctuS",
                &[
                    "file",
                    "message",
                    "author",
                    "date",
                    "reuse-message",
                    "reedit-message",
                    "template",
                    "fixup",
                    "squash",
                    "trailer",
                    "cleanup",
                ],
            );
            message_file(io, &args, dir);
            let dry = args.has(&["dry-run", "short", "porcelain", "long"]);
            (!dry).then_some(GitAction::Commit)
        }
        "tag" | "notes" | "merge" => {
            message_file(io, &Args::read(words, "FmuC", &["file", "message"]), dir);
            (verb == "merge").then_some(GitAction::Change)
        }
        "apply" | "am" => {
            let args = Args::read(words, "pCS", &["directory", "exclude", "include", "whitespace"]);
            let looks = verb == "apply" && args.has(&["stat", "numstat", "summary", "check"]) && !args.has(&["apply"]);
            let flow = Flow::To(if looks { Sink::Look } else { Sink::Apply });
            if args.operands.is_empty() {
                io.stdin = Some(flow.clone());
            }
            io.read_all(&args.operands, dir, &flow);
            None
        }
        "diff" | "show" | "log" | "shortlog" | "blame" | "grep" | "range-diff" | "whatchanged" => {
            let args = Args::read(words, "OSGLn", &["output"]);
            for out in args.values(&["output"]) {
                io.write(out.path(dir), true);
            }
            if args.has(&["no-index"]) {
                io.read_all(&args.operands, dir, &Flow::Out);
            }
            None
        }
        "format-patch" => {
            let args = Args::read(words, "ov", &["output-directory", "subject-prefix", "base"]);
            if let Some(out) = args.value(&["o", "output-directory"]) {
                io.write(Path { folder: true, ..out.path(dir) }, false);
            }
            None
        }
        "archive" => {
            let args = Args::read(words, "o", &["output", "format", "prefix", "remote"]);
            if let Some(out) = args.value(&["o", "output"]) {
                io.write(out.path(dir), true);
            }
            None
        }
        "bundle" => {
            let operands = operands();
            if let [verb, file, ..] = operands.as_slice() {
                match verb.text() {
                    Some("create") => io.write(file.path(dir), true),
                    Some("unbundle") => io.read(file.path(dir), Flow::To(Sink::Apply)),
                    _ => io.read(file.path(dir), Flow::To(Sink::Look)),
                }
            }
            None
        }
        "fetch" | "pull" | "clone" => {
            let args = Args::read(words, "bojuc", &["depth", "branch", "origin", "reference", "jobs"]);
            let local = args.operands.first().filter(|word| word.looks_like_path() && !word.head().contains(':'));
            io.reads.extend(local.map(|word| (word.path(dir), Flow::To(Sink::Argument))));
            (verb == "pull").then_some(GitAction::Change)
        }
        "fast-import" => {
            io.stdin = Some(Flow::To(Sink::Apply));
            None
        }
        "hash-object" | "update-index" | "config" => {
            generic(io, words, dir);
            None
        }
        "checkout" if flag(&["-b", "-B", "--orphan"]) => Some(GitAction::NewBranch),
        "switch" if flag(&["-c", "-C", "--create", "--force-create", "--orphan"]) => Some(GitAction::NewBranch),
        "branch" if flag(&["-m", "-M", "--move"]) => Some(GitAction::NewBranch),
        "switch" => Some(GitAction::Switch),
        "checkout" => {
            // `checkout ref -- f`, `checkout ref f`, `checkout .`, `checkout path/to/f.ext`
            let operands = operands();
            let files = separated
                || operands.len() > 1
                || flag(&["-p", "--patch", "--ours", "--theirs"])
                || operands.first().is_some_and(|word| word.is(".") || word.glob || word.head().starts_with("./"));
            Some(if files { GitAction::Discard } else { GitAction::Switch })
        }
        "worktree" => words.first().is_some_and(|word| word.is("add")).then_some(GitAction::AddWorktree),
        "rebase" | "revert" | "cherry-pick" => Some(GitAction::Change),
        "restore" => (!flag(&["--staged", "-S"]) || flag(&["--worktree", "-W"])).then_some(GitAction::Discard),
        "reset" => flag(&["--hard", "--merge", "--keep"]).then_some(GitAction::Discard),
        "clean" => (!flag(&["-n", "--dry-run"])).then_some(GitAction::Discard),
        "stash" => {
            let verb = words.iter().filter_map(Word::text).find(|text| !text.starts_with('-'));
            match verb {
                None | Some("push" | "save") => Some(GitAction::Discard),
                Some("pop" | "apply") => Some(GitAction::Change),
                Some(_) => None,
            }
        }
        "rm" if !flag(&["--cached", "-n", "--dry-run"]) => {
            io.removes.extend(operands().iter().map(|word| word.path(dir)));
            None
        }
        "mv" if !flag(&["-n", "--dry-run"]) => {
            super::copies::copy(io, "mv", words, dir);
            None
        }
        _ => None,
    }
}

fn message_file(io: &mut Io, args: &Args, dir: &Path) {
    io.read_all(args.values(&["F", "file", "t", "template"]), dir, &Flow::To(Sink::Quote));
}

/// `gh`, `glab`, `hub`: a body or a description from a file is a message.
pub(super) fn forge(io: &mut Io, args: &[Word], cwd: &Path) {
    let quote = Flow::To(Sink::Quote);
    io.words = Some(quote.clone());
    let api = args.first().is_some_and(|word| word.is("api") || word.is("secret") || word.is("variable") || word.is("gist"));
    if api {
        io.words = Some(Flow::To(Sink::Argument));
        let read = Args::read(args, "fFXHRbe", &["input", "field", "raw-field", "method", "header", "repo", "body", "env-file"]);
        io.read_all(read.values(&["input", "env-file"]), cwd, &Flow::To(Sink::Argument));
        for word in read.values(&["F", "field"]) {
            if let Some(file) = word.head().split_once("=@").and_then(|(name, _)| word.strip_prefix(&format!("{name}=@"))) {
                io.read_all([&file], cwd, &Flow::To(Sink::Argument));
            }
        }
        generic(io, read.operands.get(1..).unwrap_or(&[]), &Path::unknown());
        io.reads.retain(|(path, _)| path.root != super::Root::Unknown);
        return;
    }
    let read = Args::read(
        args,
        "FbtBHRalmpd",
        &["body-file", "notes-file", "file", "body", "title", "repo", "base", "head", "label", "assignee", "notes", "description"],
    );
    io.read_all(read.values(&["F", "body-file", "notes-file", "file"]), cwd, &quote);
    // `gh release upload v1 f`, `gh repo …`: operands with a slash may be files or names.
    if read.operands.first().is_some_and(|word| word.is("release")) {
        generic(io, read.operands.get(2..).unwrap_or(&[]), cwd);
    }
    io.stdin.get_or_insert(Flow::To(Sink::Argument));
}
