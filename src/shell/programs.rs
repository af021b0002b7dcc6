//! What each program reads and writes, by its name and arguments.

use super::args::Args;
use super::lexer::Language;
use super::words::Word;
use super::{GitAction, Path, Root, Sink};
use super::{archives, copies, editors, git, scripts};

/// Where bytes that a program takes in end up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Flow {
    /// In its standard output.
    Out,
    /// In a known way.
    To(Sink),
    /// In these files, and in its standard output too.
    Files(Vec<Path>),
}

/// A file that is written.
#[derive(Debug, Clone)]
pub(super) struct Written {
    pub(super) path: Path,
    pub(super) whole: bool,
    pub(super) copy_of: Option<Path>,
}

/// What one invocation does.
#[derive(Debug, Default)]
pub(super) struct Io {
    pub(super) reads: Vec<(Path, Flow)>,
    pub(super) writes: Vec<Written>,
    pub(super) removes: Vec<Path>,
    /// What becomes of its standard input; `None` where it reads none.
    pub(super) stdin: Option<Flow>,
    /// What becomes of command substitutions among its arguments.
    pub(super) words: Option<Flow>,
    /// Its output is its one input, byte for byte.
    pub(super) verbatim: bool,
    pub(super) makes_temp: bool,
    pub(super) git: Option<(Path, GitAction)>,
    /// Text of its own that is run as a script of this language.
    pub(super) script: Option<(Language, String)>,
    /// Its standard input is a script of this language.
    pub(super) stdin_script: Option<Language>,
}

impl Io {
    pub(super) fn read(&mut self, path: Path, flow: Flow) {
        self.reads.push((path, flow));
    }

    pub(super) fn write(&mut self, path: Path, whole: bool) {
        self.writes.push(Written { path, whole, copy_of: None });
    }

    /// These files are changed in place.
    pub(super) fn edit_all<'a>(&mut self, words: impl IntoIterator<Item = &'a Word>, cwd: &Path) {
        for word in words {
            self.write(word.path(cwd), false);
        }
    }

    pub(super) fn read_all<'a>(&mut self, words: impl IntoIterator<Item = &'a Word>, cwd: &Path, flow: &Flow) {
        for word in words {
            if word.is("-") {
                self.stdin = Some(flow.clone());
            } else {
                self.read(word.path(cwd), flow.clone());
            }
        }
    }
}

/// What `name` does with `args` in the directory `cwd`.
pub(super) fn analyze(name: &str, args: &[Word], cwd: &Path) -> Io {
    let mut io = Io::default();
    match name {
        "cat" | "tac" | "nl" | "rev" | "less" | "more" | "bat" | "batcat" | "strings" | "zcat" | "gzcat" | "bzcat" | "xzcat"
        | "zstdcat" | "pv" => {
            let args = Args::read(args, "", &[]);
            io.verbatim = name == "cat" && args.is_plain();
            filter(&mut io, &args.operands, cwd);
        }
        "head" | "tail" => filter(&mut io, &Args::read(args, "ncs", &["lines", "bytes"]).operands, cwd),
        "cut" => {
            filter(&mut io, &Args::read(args, "dfbc", &["delimiter", "fields", "output-delimiter"]).operands, cwd);
        }
        "column" | "expand" | "unexpand" | "fold" | "fmt" | "paste" | "join" | "comm" | "pr" | "iconv" | "xxd" | "od" | "hexdump"
        | "base64" | "base32" | "shuf" | "ts" | "ansi2txt" => {
            let short = match name {
                "column" => "stowcCHR",
                "paste" => "d",
                "join" => "t12aoej",
                "pr" => "hlownS",
                "iconv" => "fto",
                "xxd" => "lscgo",
                "od" => "AjNtwS",
                "hexdump" => "nsef",
                "shuf" => "nieor",
                "expand" | "unexpand" => "t",
                _ => "w",
            };
            let long = &["from-code", "to-code", "separator", "table", "output", "width", "format", "wrap", "delimiters", "head-count"];
            let args = Args::read(args, short, long);
            // `xxd in out`
            let inputs = if name == "xxd" { args.operands.len().min(1) } else { args.operands.len() };
            let (inputs, behind) = args.operands.split_at(inputs);
            filter(&mut io, inputs, cwd);
            let named = if matches!(name, "iconv" | "shuf") { args.value(&["o", "output"]) } else { args.value(&["output"]) };
            if let Some(out) = behind.first().or(named) {
                into(&mut io, &out.path(cwd));
            }
        }
        "diff" | "colordiff" | "sdiff" | "icdiff" | "delta" | "difft" => {
            let args = Args::read(args, "UCIxXW", &["label", "exclude", "ignore-matching-lines", "width", "color"]);
            filter(&mut io, &args.operands, cwd);
        }
        "wc" | "cmp" | "cksum" | "sum" | "md5" | "md5sum" | "sha1sum" | "sha224sum" | "sha256sum" | "sha384sum" | "sha512sum" | "b2sum"
        | "shasum" | "xxhsum" | "file" => {
            let args = Args::read(args, "anFfm", &["algorithm", "files0-from"]);
            io.stdin = Some(Flow::To(Sink::Look));
            io.read_all(&args.operands, cwd, &Flow::To(Sink::Look));
        }
        "uniq" => {
            let args = Args::read(args, "fsw", &["skip-fields", "skip-chars", "check-chars"]);
            let (input, output) = args.operands.split_at(args.operands.len().min(1));
            filter(&mut io, input, cwd);
            if let Some(output) = output.first() {
                into(&mut io, &output.path(cwd));
            }
        }
        "tr" | "envsubst" => io.stdin = Some(Flow::Out),
        "sponge" => sink_files(&mut io, args, cwd),
        "sort" => {
            let args = Args::read(args, "oktSTC", &["output", "key", "field-separator", "buffer-size", "temporary-directory", "parallel"]);
            filter(&mut io, &args.operands, cwd);
            if let Some(out) = args.value(&["o", "output"]) {
                into(&mut io, &out.path(cwd));
            }
        }
        "grep" | "egrep" | "fgrep" | "zgrep" | "rg" | "ag" | "ack" | "ugrep" => search(&mut io, name, args, cwd),
        "sed" | "gsed" => editors::sed(&mut io, args, cwd),
        "awk" | "gawk" | "mawk" | "nawk" => editors::awk(&mut io, args, cwd),
        "perl" | "ruby" => editors::one_liner(&mut io, name, args, cwd),
        "jq" | "gojq" | "jaq" | "yq" | "dasel" | "tomlq" | "xq" => query(&mut io, args, cwd),
        "tee" => tee(&mut io, args, cwd),
        "echo" | "printf" => io.words = Some(Flow::Out),
        "test" | "[" => io.words = Some(Flow::To(Sink::Look)),
        // These look at names and sizes, not at content, or change nothing that lasts.
        "ls" | "stat" | "du" | "df" | "tree" | "true" | "false" | ":" | "mkdir" | "which" | "type" | "basename" | "dirname"
        | "realpath" | "readlink" | "chmod" | "chown" | "chgrp" | "sleep" | "exit" | "return" | "kill" | "pkill" | "wait" | "umask"
        | "date" | "eza" | "exa" | "lsd" | "fd" | "fdfind" | "find" | "seq" | "yes" | "pwd" | "uname" | "id" => {}
        "touch" => {
            let args = Args::read(args, "dtr", &["date", "reference"]);
            io.edit_all(&args.operands, cwd);
        }
        "truncate" => {
            let args = Args::read(args, "sr", &["size", "reference"]);
            let empties = args.value(&["s", "size"]).is_some_and(|size| size.is("0"));
            for word in &args.operands {
                io.write(word.path(cwd), empties);
            }
        }
        "mktemp" | "tempfile" => io.makes_temp = true,
        "shred" => {
            let args = Args::read(args, "ns", &["iterations", "size", "random-source"]);
            io.edit_all(&args.operands, cwd);
            if args.has(&["u", "remove"]) {
                io.removes.extend(args.operands.iter().map(|word| word.path(cwd)));
            }
        }
        "ed" => {
            io.edit_all(&Args::read(args, "p", &["prompt"]).operands, cwd);
            io.stdin = Some(Flow::To(Sink::Run));
        }
        "split" => split(&mut io, args, cwd),
        "rm" | "unlink" | "rmdir" | "trash" | "trash-put" | "del" => {
            io.removes.extend(Args::read(args, "", &[]).operands.iter().map(|word| word.path(cwd)));
        }
        "cp" | "gcp" | "install" | "ginstall" | "mv" | "gmv" | "ln" | "gln" | "rsync" | "scp" | "ditto" => {
            copies::copy(&mut io, name.trim_start_matches('g'), args, cwd);
        }
        "copy" => copies::copy(&mut io, "cp", args, cwd),
        "move" => copies::copy(&mut io, "mv", args, cwd),
        "pg_dump" | "pg_dumpall" | "mysqldump" | "mongodump" => {
            let args = Args::read(args, "fhpUdr", &["file", "result-file", "host", "port", "username", "dbname", "archive"]);
            for word in args.values(&["f", "file", "r", "result-file", "archive"]) {
                io.write(word.path(cwd), true);
            }
        }
        "dd" => copies::dd(&mut io, args, cwd),
        "curl" => copies::curl(&mut io, args, cwd),
        "wget" => copies::wget(&mut io, args, cwd),
        "tar" | "gtar" | "bsdtar" => archives::tar(&mut io, args, cwd),
        "zip" | "unzip" | "7z" | "7za" | "cpio" => archives::archive(&mut io, name, args, cwd),
        "gzip" | "gunzip" | "bzip2" | "bunzip2" | "xz" | "unxz" | "zstd" | "unzstd" | "lz4" | "unlz4" => {
            archives::compress(&mut io, name, args, cwd);
        }
        "git" => git::git(&mut io, args, cwd),
        "gh" | "glab" | "hub" => git::forge(&mut io, args, cwd),
        "patch" | "gpatch" => patch(&mut io, args, cwd),
        "psql" | "sqlite3" | "mysql" | "mariadb" | "sqlcmd" | "duckdb" | "mongosh" | "mongo" | "mongoimport" | "mongorestore"
        | "pg_restore" | "redis-cli" | "clickhouse-client" | "cqlsh" | "crontab" | "kubectl" | "oc" | "terraform" | "tofu" | "docker"
        | "podman" | "helm" | "ansible-playbook" | "supabase" | "wrangler" => apply(&mut io, name, args, cwd),
        "openssl" => openssl(&mut io, args, cwd),
        "cc" | "gcc" | "g++" | "c++" | "clang" | "clang++" | "ld" | "rustc" | "go" | "javac" | "tsc" | "zig" | "nvcc" => {
            if name == "go" && args.first().is_some_and(|word| word.is("run")) {
                let file = args.iter().skip(1).find(|word| super::wrappers::names_extension(word.head(), "go"));
                io.reads.extend(file.map(|word| (word.path(cwd), Flow::To(Sink::Run))));
            } else {
                compiler(&mut io, args, cwd);
            }
        }
        "dos2unix" | "unix2dos" | "prettier" | "gofmt" | "black" => {
            let args = Args::read(args, "", &[]);
            let in_place = name != "gofmt" && name != "prettier" || args.has(&["w", "write"]);
            io.edit_all(args.operands.iter().filter(|word| in_place && word.looks_like_path()), cwd);
            io.stdin = Some(Flow::Out);
        }
        _ => {
            if !scripts::interpreter(&mut io, name, args, cwd) {
                generic(&mut io, args, cwd);
            }
        }
    }
    io
}

/// `split [options] [file [prefix]]`: which names it comes to depends on the content.
fn split(io: &mut Io, args: &[Word], cwd: &Path) {
    let long = ["lines", "bytes", "line-bytes", "number", "suffix-length", "additional-suffix", "filter", "separator"];
    let args = Args::read(args, "lbCnat", &long);
    let (input, behind) = args.operands.split_at(args.operands.len().min(1));
    let prefix = behind.first().cloned().unwrap_or_else(|| Word::text_of("x"));
    let prefix = prefix.path(cwd);
    let parts = if prefix.root == Root::Unknown || prefix.glob {
        Path::unknown()
    } else {
        Path { text: format!("{}*", prefix.text), glob: true, ..prefix }
    };
    filter(io, input, cwd);
    into(io, &parts);
}

/// Operands, or else the standard input, go to the output.
pub(super) fn filter(io: &mut Io, operands: &[Word], cwd: &Path) {
    if operands.is_empty() {
        io.stdin = Some(Flow::Out);
    }
    io.read_all(operands, cwd, &Flow::Out);
}

/// What would go to the output goes into this file.
fn into(io: &mut Io, path: &Path) {
    let file = Flow::To(Sink::Into(path.clone()));
    for flow in io.reads.iter_mut().map(|(_, flow)| flow).chain(&mut io.stdin) {
        if *flow == Flow::Out {
            *flow = file.clone();
        }
    }
    io.write(path.clone(), true);
}

fn sink_files(io: &mut Io, args: &[Word], cwd: &Path) {
    let files: Vec<Path> = Args::read(args, "", &[]).operands.iter().map(|word| word.path(cwd)).collect();
    for file in &files {
        io.write(file.clone(), true);
    }
    io.stdin = Some(Flow::Files(files));
}

fn tee(io: &mut Io, args: &[Word], cwd: &Path) {
    let read = Args::read(args, "", &[]);
    let append = read.has(&["a", "append"]);
    sink_files(io, &read.operands, cwd);
    for written in &mut io.writes {
        written.whole = !append;
    }
    io.verbatim = !append;
}

fn search(io: &mut Io, name: &str, args: &[Word], cwd: &Path) {
    let context = ["regexp", "file", "max-count", "after-context", "before-context", "context"];
    let (short, own): (&str, &[&str]) = match name {
        "rg" => {
            ("efmABCdgtTjrEM", &["glob", "iglob", "type", "type-not", "color", "colors", "replace", "sort", "sortr", "encoding", "threads"])
        }
        "ag" | "ack" | "ugrep" => ("efmABCgGtOp", &["ignore", "ignore-dir", "type", "include", "exclude", "output", "pager"]),
        _ => ("efmABCdD", &["include", "exclude", "exclude-dir", "exclude-from", "label", "binary-files", "devices", "directories"]),
    };
    let long: Vec<&str> = context.iter().chain(own).copied().collect();
    let args = Args::read(args, short, &long);
    let skip = usize::from(!args.has(&["e", "regexp", "f", "file", "files"]));
    io.read_all(args.values(&["f", "file"]), cwd, &Flow::To(Sink::Look));
    filter(io, args.operands.get(skip..).unwrap_or(&[]), cwd);
}

fn query(io: &mut Io, args: &[Word], cwd: &Path) {
    // `--arg name value` and `--slurpfile name file` take two words.
    let mut words = Vec::new();
    let mut rest = args.iter();
    while let Some(word) = rest.next() {
        match word.text() {
            Some("--arg" | "--argjson") => {
                rest.next();
                rest.next();
            }
            Some("--slurpfile" | "--rawfile") => {
                rest.next();
                io.reads.extend(rest.next().map(|word| (word.path(cwd), Flow::Out)));
            }
            Some("-i" | "--inplace" | "--in-place") => words.push(Word::text_of("--inplace")),
            _ => words.push(word.clone()),
        }
    }
    let args = Args::read(&words, "fLopP", &["from-file", "indent", "output-format", "input-format"]);
    let operands = &args.operands;
    let skip = match operands.first().and_then(Word::text) {
        _ if args.has(&["f", "from-file"]) => 0,
        Some("eval" | "e" | "eval-all" | "ea") => 2,
        _ => 1,
    };
    io.read_all(args.values(&["f", "from-file"]), cwd, &Flow::To(Sink::Run));
    let files = operands.get(skip..).unwrap_or(&[]);
    if args.has(&["inplace"]) {
        io.edit_all(files, cwd);
    } else {
        filter(io, files, cwd);
    }
}

fn patch(io: &mut Io, args: &[Word], cwd: &Path) {
    let args = Args::read(args, "iopdBzFVDrY", &["input", "output", "strip", "directory", "reject-file"]);
    let dir = args.value(&["d", "directory"]).map_or_else(|| cwd.clone(), |word| word.path(cwd));
    let input = args.value(&["i", "input"]).or(args.operands.get(1));
    match input.filter(|word| !word.is("-")) {
        Some(word) => io.read(word.path(&dir), Flow::To(Sink::Apply)),
        None => io.stdin = Some(Flow::To(Sink::Apply)),
    }
    if let Some(out) = args.value(&["o", "output"]) {
        io.write(out.path(&dir), true);
    } else if let Some(file) = args.operands.first().filter(|_| !args.has(&["dry-run"])) {
        io.write(file.path(&dir), false);
    }
}

/// Programs that change a database, a cluster or a machine by a file's content.
fn apply(io: &mut Io, name: &str, args: &[Word], cwd: &Path) {
    let to_apply = Flow::To(Sink::Apply);
    let verb = args.iter().filter_map(Word::text).find(|text| !text.starts_with('-'));
    let verbs = |known: &[&str]| verb.is_some_and(|verb| known.contains(&verb));
    let (short, long): (&str, &[&str]) = match name {
        "psql" | "cqlsh" => ("f", &["file"]),
        "kubectl" | "oc" if verbs(&["apply", "create", "replace", "patch", "delete"]) => ("fk", &["filename", "kustomize", "patch-file"]),
        "helm" if verbs(&["install", "upgrade"]) => ("f", &["values"]),
        "docker" | "podman" if verbs(&["load", "import"]) => ("i", &["input"]),
        "docker" | "podman" | "kubectl" | "oc" if verbs(&["cp"]) => {
            copies::remote_copy(io, args.get(1..).unwrap_or(&[]), cwd);
            return;
        }
        "mongoimport" | "wrangler" | "supabase" => ("", &["file"]),
        "clickhouse-client" => ("", &["queries-file"]),
        "sqlcmd" => ("i", &[]),
        _ => ("", &[]),
    };
    io.words = Some(match name {
        "psql" | "sqlite3" | "mysql" | "mariadb" | "sqlcmd" | "duckdb" | "mongosh" | "mongo" => to_apply.clone(),
        _ => Flow::To(Sink::Argument),
    });
    let takes_stdin = match name {
        "kubectl" | "oc" => args.iter().any(|word| word.is("-") || word.is("-f-")),
        "docker" | "podman" => verbs(&["load", "import"]),
        "terraform" | "tofu" | "helm" | "ansible-playbook" | "supabase" | "wrangler" => false,
        _ => true,
    };
    io.stdin = Some(if takes_stdin { to_apply.clone() } else { Flow::To(Sink::Argument) });
    let names: Vec<&str> = short.split("").filter(|letter| !letter.is_empty()).chain(long.iter().copied()).collect();
    let read = Args::read(args, short, long);
    let mut files: Vec<&Word> = read.values(&names).filter(|word| !word.head().contains("://")).collect();
    // The first operand after the verb, or the first one, where the file is given bare.
    let bare = match name {
        "pg_restore" | "crontab" | "mongosh" | "mongo" | "mongorestore" | "ansible-playbook" => Some(0),
        "terraform" | "tofu" if verb == Some("apply") => Some(1),
        "docker" | "podman" if verb == Some("import") => Some(1),
        _ => None,
    };
    if let Some(word) = bare.and_then(|at| read.operands.get(at)).filter(|word| !word.head().contains("://")) {
        files.push(word);
    }
    files.retain(|word| !word.is("-"));
    let paths: Vec<Path> = files.iter().map(|word| word.path(cwd)).collect();
    for path in &paths {
        io.read(path.clone(), to_apply.clone());
    }
    // Commands of the client's own that take a file: `.read f`, `\i f`, `source f`.
    for text in args.iter().filter_map(Word::text) {
        for lead in [".read ", "\\i ", "source ", ".import "] {
            if let Some(file) = text.trim().strip_prefix(lead).and_then(|rest| rest.split_whitespace().next()) {
                io.read(Path::from_text(file.trim_matches(['\'', '"', ';']), cwd, false), to_apply.clone());
            }
        }
    }
    let before = io.reads.len();
    generic(io, args, cwd);
    let mut at = 0;
    io.reads.retain(|(path, _)| {
        at += 1;
        at <= before || !paths.contains(path)
    });
    io.stdin = Some(if takes_stdin { to_apply } else { Flow::To(Sink::Argument) });
}

/// `openssl … -in f -out g`: options are whole words behind one dash.
fn openssl(io: &mut Io, args: &[Word], cwd: &Path) {
    let value = |name: &str| {
        let at = args.iter().position(|word| word.is(name))?;
        args.get(at + 1).map(|word| word.path(cwd))
    };
    match value("-in") {
        Some(path) => io.read(path, Flow::Out),
        None => io.stdin = Some(Flow::Out),
    }
    if let Some(path) = value("-out") {
        into(io, &path);
    }
}

/// Output of a compiler or linker is no write that matters; its inputs are arguments.
fn compiler(io: &mut Io, args: &[Word], cwd: &Path) {
    let args = Args::read(args, "oILlDWfO", &["output", "out-dir", "outDir"]);
    generic(io, &args.operands, cwd);
}

/// A program nothing is known of: what looks like a path is handed to it.
pub(super) fn generic(io: &mut Io, args: &[Word], cwd: &Path) {
    for word in args {
        let head = word.head();
        let value = if let Some((option, _)) = head.split_once('=').filter(|_| head.starts_with('-')) {
            word.strip_prefix(&format!("{option}="))
        } else if head.starts_with('@') {
            word.strip_prefix("@")
        } else if head.starts_with('-') {
            None
        } else {
            Some(word.clone())
        };
        if let Some(value) = value.filter(Word::looks_like_path) {
            io.read(value.path(cwd), Flow::To(Sink::Argument));
        }
    }
    io.stdin.get_or_insert(Flow::To(Sink::Argument));
}
