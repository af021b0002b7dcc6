//! Programs whose business is to carry bytes from one place to another.

use super::args::Args;
use super::programs::{Flow, Io, Written};
use super::words::Word;
use super::{Path, Sink};

/// `cp`, `install`, `mv`, `ln`, `rsync`, `scp`, `ditto`.
pub(super) fn copy(io: &mut Io, name: &str, args: &[Word], cwd: &Path) {
    let (short, long): (&str, &[&str]) = match name {
        "install" => ("mogStT", &["target-directory", "mode", "owner", "group", "suffix"]),
        "rsync" => (
            "efBTM",
            &[
                "exclude",
                "include",
                "rsh",
                "filter",
                "exclude-from",
                "include-from",
                "files-from",
                "backup-dir",
                "chmod",
                "bwlimit",
                "port",
                "log-file",
            ],
        ),
        "scp" => ("PiFJloScD", &[]),
        _ => ("tS", &["target-directory", "suffix"]),
    };
    let args = Args::read(args, short, long);
    if name == "install" && args.has(&["d", "directory"]) || args.has(&["n", "dry-run"]) && name == "rsync" {
        return;
    }
    let target = args.value(&["t", "target-directory"]).filter(|_| !matches!(name, "rsync" | "scp" | "ditto"));
    let mut sources = args.operands.as_slice();
    let (dest, into_folder) = if let Some(dir) = target {
        (dir.path(cwd), true)
    } else {
        let Some((last, rest)) = sources.split_last() else { return };
        if rest.is_empty() {
            // `ln -s target` makes a link of the same name here.
            if name != "ln" {
                return;
            }
            (cwd.clone(), true)
        } else {
            sources = rest;
            if is_remote(last) && matches!(name, "rsync" | "scp") {
                io.read_all(rest.iter().filter(|word| !is_remote(word)), cwd, &Flow::To(Sink::Argument));
                return;
            }
            let dest = last.path(cwd);
            let never = args.has(&["no-target-directory"]) || (args.has(&["T"]) && name != "rsync");
            let folder = !never && (rest.len() > 1 || dest.is_folder());
            (dest, folder)
        }
    };
    let symbolic = name == "ln" && args.has(&["s", "symbolic"]);
    let whole_tree = matches!(name, "rsync" | "ditto" | "scp") && sources.iter().any(|word| word.path(cwd).folder);
    let mut written = Vec::new();
    let mut removed = Vec::new();
    for word in sources {
        let remote = is_remote(word) && matches!(name, "rsync" | "scp");
        let source = if remote { Path::unknown() } else { word.path(cwd) };
        // `cp -r d/. e` copies what is in the folder.
        let contents = word.is(".") || word.text().is_some_and(|text| text.ends_with("/."));
        let place = if whole_tree || contents || !into_folder {
            dest.clone()
        } else if remote {
            word.url_base_of_remote().map_or_else(Path::unknown, |base| dest.join(&base))
        } else {
            beneath(&dest, &source)
        };
        // A link's relative target is read from the link's folder, so only a rooted one is known here.
        let linked_here = symbolic && !word.head().starts_with('/') && word.text().is_some();
        if !remote && !linked_here {
            io.read(source.clone(), Flow::To(Sink::Into(place.clone())));
        }
        let exact = !remote && !symbolic && !whole_tree && !source.glob && !source.folder;
        written.push(Written { path: place, whole: true, copy_of: exact.then(|| source.clone()) });
        if name == "mv" || args.has(&["remove-source-files"]) {
            removed.push(source);
        }
    }
    io.writes.append(&mut written);
    io.removes.append(&mut removed);
}

/// `source`'s last name below the folder `dest`.
pub(super) fn beneath(dest: &Path, source: &Path) -> Path {
    source.base_name().map_or_else(Path::unknown, |base| Path { glob: source.glob, ..dest.join(base) })
}

/// `host:path`, `user@host:path`, `rsync://…`.
fn is_remote(word: &Word) -> bool {
    let head = word.head();
    let colon = head.find(':');
    let slash = head.find('/').unwrap_or(usize::MAX);
    // One letter before the colon is a Windows drive.
    colon.is_some_and(|colon| colon < slash && colon != 1)
}

impl Word {
    fn url_base_of_remote(&self) -> Option<String> {
        let (_, path) = self.text()?.split_once(':')?;
        path.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned)
    }
}

/// `docker cp`, `kubectl cp`: the side without a colon is local.
pub(super) fn remote_copy(io: &mut Io, args: &[Word], cwd: &Path) {
    let args = Args::read(args, "cn", &["container", "namespace"]);
    let [.., from, to] = args.operands.as_slice() else { return };
    // `namespace/pod:path` has its slash before the colon.
    let inside =
        |word: &Word| is_remote(word) || word.head().find(':').is_some_and(|colon| colon > 1 && !word.head().starts_with(['/', '.']));
    match (inside(from), inside(to)) {
        (true, false) if !to.is("-") => {
            let dest = to.path(cwd);
            let base = from.url_base_of_remote();
            let path = if dest.is_folder() { base.map_or_else(Path::unknown, |base| dest.join(&base)) } else { dest };
            io.write(path, true);
        }
        (false, true) => io.read_all([from], cwd, &Flow::To(Sink::Argument)),
        _ => {}
    }
}

pub(super) fn dd(io: &mut Io, args: &[Word], cwd: &Path) {
    let value = |name: &str| args.iter().find_map(|word| word.strip_prefix(name)).map(|word| word.path(cwd));
    let (input, output) = (value("if="), value("of="));
    let partial = args
        .iter()
        .any(|word| ["skip=", "seek=", "count=", "conv=", "iflag=", "oflag="].iter().any(|option| word.head().starts_with(option)));
    let flow = output.clone().map_or(Flow::Out, |path| Flow::To(Sink::Into(path)));
    if let Some(path) = &input {
        io.read(path.clone(), flow);
    } else {
        io.stdin = Some(flow);
    }
    io.verbatim = !partial;
    if let Some(path) = output {
        let extends = args
            .iter()
            .any(|word| word.head().starts_with("seek=") || (word.head().starts_with("conv=") && word.head().contains("notrunc")));
        io.writes.push(Written { path, whole: !extends, copy_of: input.filter(|_| !partial) });
    }
}

pub(super) fn curl(io: &mut Io, args: &[Word], cwd: &Path) {
    let args = Args::read(
        args,
        "oXHduATFebcCKmrxwyYtQPEUz",
        &[
            "output",
            "output-dir",
            "data",
            "data-binary",
            "data-raw",
            "data-ascii",
            "data-urlencode",
            "json",
            "header",
            "request",
            "user",
            "user-agent",
            "upload-file",
            "form",
            "referer",
            "cookie",
            "cookie-jar",
            "config",
            "max-time",
            "connect-timeout",
            "retry",
            "retry-delay",
            "proxy",
            "write-out",
            "url",
            "cacert",
            "cert",
            "key",
            "dump-header",
        ],
    );
    let dir = args.value(&["output-dir"]).map_or_else(|| cwd.clone(), |word| word.path(cwd));
    for word in args.values(&["o", "output"]).filter(|word| !word.is("-")) {
        io.write(word.path(&dir), true);
    }
    for word in args.values(&["dump-header", "c", "cookie-jar"]).filter(|word| !word.is("-")) {
        io.write(word.path(cwd), true);
    }
    if args.has(&["O", "remote-name", "remote-name-all"]) {
        for url in args.operands.iter().chain(args.values(&["url"])) {
            io.write(url.url_base().path(&dir), true);
        }
    }
    let sent = args.values(&["d", "data", "data-binary", "data-ascii", "data-urlencode", "json", "F", "form", "H", "header"]);
    for word in sent {
        // `@file`, `name=@file`, `name=<file`
        let file = word.strip_prefix("@").or_else(|| {
            let (name, value) = word.head().split_once('=')?;
            let mark = value.chars().next().filter(|mark| matches!(mark, '@' | '<'))?;
            word.strip_prefix(&format!("{name}={mark}"))
        });
        if let Some(file) = file {
            io.read_all([&file], cwd, &Flow::To(Sink::Argument));
        }
    }
    io.read_all(args.values(&["T", "upload-file", "K", "config"]), cwd, &Flow::To(Sink::Argument));
    io.stdin.get_or_insert(Flow::To(Sink::Argument));
}

pub(super) fn wget(io: &mut Io, args: &[Word], cwd: &Path) {
    let args = Args::read(
        args,
        "OPoaiUtTw",
        &[
            "output-document",
            "directory-prefix",
            "output-file",
            "append-output",
            "input-file",
            "header",
            "user-agent",
            "tries",
            "timeout",
            "post-file",
            "post-data",
        ],
    );
    for word in args.values(&["o", "output-file", "a", "append-output"]).filter(|word| !word.is("-")) {
        io.write(word.path(cwd), !args.has(&["a", "append-output"]));
    }
    io.read_all(args.values(&["i", "input-file", "post-file"]), cwd, &Flow::To(Sink::Argument));
    if let Some(out) = args.value(&["O", "output-document"]) {
        if !out.is("-") {
            io.write(out.path(cwd), true);
        }
        return;
    }
    let dir = args.value(&["P", "directory-prefix"]).map_or_else(|| cwd.clone(), |word| word.path(cwd));
    for url in &args.operands {
        io.write(url.url_base().path(&dir), true);
    }
}
