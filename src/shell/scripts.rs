//! File calls in the text of a script: what `python -c`, `node -e` and scripts on standard input read and
//! write, as far as literal names tell it.

use super::args::Args;
use super::lexer::{Language, Token, is_python, tokens};
use super::programs::{Flow, Io, generic};
use super::words::Word;
use super::{Path, Root, Sink};

/// Longest script that is looked into, in bytes.
const MAX_LENGTH: usize = 64 * 1024;
/// More file calls than this are not looked at.
const MAX_CALLS: usize = 64;

/// Interpreters: a script's file is run, a script's text is looked into. False for any other program.
pub(super) fn interpreter(io: &mut Io, name: &str, args: &[Word], cwd: &Path) -> bool {
    let (code, value, verbs): (&[&str], &str, &[&str]) = match name {
        _ if is_python(name) => (&["-c"], "WX", &[]),
        "node" | "nodejs" => (&["-e", "--eval", "-p", "--print", "-pe"], "rC", &[]),
        "deno" => (&["eval"], "", &["run", "test", "bench"]),
        "bun" => (&["-e", "--eval", "-p"], "r", &["run"]),
        "tsx" | "ts-node" => (&["-e", "--eval"], "rPO", &["watch"]),
        "php" => (&["-r"], "dc", &[]),
        "Rscript" | "osascript" | "lua" | "luajit" | "julia" | "elixir" | "groovy" | "swift" | "gnuplot" => (&["-e"], "l", &[]),
        "make" | "gmake" | "just" => {
            let read = Args::read(args, "fCjdI", &["file", "makefile", "justfile", "directory"]);
            io.read_all(read.values(&["f", "file", "makefile", "justfile"]), cwd, &Flow::To(Sink::Run));
            generic(io, &read.operands, cwd);
            return true;
        }
        _ => return false,
    };
    io.words = Some(Flow::To(Sink::Argument));
    let mut rest = args.iter().enumerate();
    while let Some((at, word)) = rest.next() {
        let head = word.head();
        if word.text().is_some_and(|text| code.contains(&text)) {
            let text = args.get(at + 1).and_then(Word::text);
            io.script = Language::of(name).zip(text.map(str::to_owned));
            io.words = Some(Flow::To(Sink::Run));
            io.stdin = Some(Flow::Out);
            generic(io, args.get(at + 2..).unwrap_or(&[]), cwd);
            return true;
        }
        if word.is("-m") && is_python(name) && args.get(at + 1).is_some_and(|module| module.is("json.tool")) {
            json_tool(io, &args[at + 2..], cwd);
            return true;
        }
        if word.is("-m") && is_python(name) {
            generic(io, args.get(at + 2..).unwrap_or(&[]), cwd);
            return true;
        }
        if word.is("-") {
            break;
        }
        if head.starts_with('-') {
            let letter = head.chars().nth(1).unwrap_or('-');
            if head.len() == 2 && value.contains(letter) || matches!(head, "--require" | "--import" | "--loader" | "--env-file") {
                rest.next();
            }
            continue;
        }
        if word.text().is_some_and(|text| verbs.contains(&text)) {
            continue;
        }
        // `bun test`, `bun run lint` name a task, not a file.
        let task = matches!(name, "bun" | "deno") && !word.looks_like_path() && !head.contains('.');
        if !task {
            io.read(word.path(cwd), Flow::To(Sink::Run));
        }
        generic(io, &args[at + 1..], cwd);
        return true;
    }
    io.stdin = Some(Flow::To(Sink::Run));
    io.stdin_script = Language::of(name);
    true
}

/// `python -m json.tool [in [out]]`
fn json_tool(io: &mut Io, args: &[Word], cwd: &Path) {
    let read = Args::read(args, "", &["indent"]);
    let out = read.operands.get(1).filter(|word| !word.is("-")).map(|word| word.path(cwd));
    let flow = out.clone().map_or(Flow::Out, |path| Flow::To(Sink::Into(path)));
    match read.operands.first() {
        Some(word) => io.read_all([word], cwd, &flow),
        None => io.stdin = Some(flow),
    }
    if let Some(path) = out {
        io.write(path, true);
    }
}

/// What a script does to files.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Reads, and the bytes may reach these files.
    Read(Path, Vec<Path>),
    Write(Path, bool, Option<Path>),
    Remove(Path),
    MakeTemp,
    /// Runs a command text.
    Shell(String),
}

/// The file calls of `code`, in the order they stand; reads before the writes they may reach.
pub(super) fn actions(language: Language, code: &str, cwd: &Path) -> Vec<Action> {
    if code.len() > MAX_LENGTH {
        return Vec::new();
    }
    let mut script = Script { tokens: tokens(language, code), vars: Vec::new(), cwd, calls: Vec::new() };
    script.walk();
    let mut done = Vec::new();
    for (index, call) in script.calls.iter().enumerate() {
        match call {
            Call::Read { path, at } => {
                let reached = script.calls.iter().filter_map(|other| match other {
                    Call::Write { path: to, until, .. } if *until > *at && to != path => Some(to.clone()),
                    _ => None,
                });
                done.push((index, Action::Read(path.clone(), reached.collect())));
            }
            Call::Write { path, whole, copy_of, at, until } => {
                // What is nested in the call, or read later in its statement, happens before it.
                let over = if *until == usize::MAX { script.statement_end(*at) } else { *until };
                let nested = script.calls[index..].iter().take_while(|call| call.at().is_some_and(|at| at < over)).count();
                done.push((index + nested.saturating_sub(1), Action::Write(path.clone(), *whole, copy_of.clone())));
            }
            Call::Remove(path) => done.push((index, Action::Remove(path.clone()))),
            Call::MakeTemp => done.push((index, Action::MakeTemp)),
            Call::Shell(text) => done.push((index, Action::Shell(text.clone()))),
        }
    }
    done.sort_by_key(|(index, action)| (*index, !matches!(action, Action::Read(..))));
    done.into_iter().map(|(_, action)| action).collect()
}

enum Call {
    Read {
        path: Path,
        at: usize,
    },
    /// `until` is the token at which it is over: reads before it may be what is written.
    Write {
        path: Path,
        whole: bool,
        copy_of: Option<Path>,
        at: usize,
        until: usize,
    },
    Remove(Path),
    MakeTemp,
    Shell(String),
}

impl Call {
    /// The token it starts at, where it reads or writes.
    fn at(&self) -> Option<usize> {
        match self {
            Call::Read { at, .. } | Call::Write { at, .. } => Some(*at),
            _ => None,
        }
    }
}

struct Script<'a> {
    tokens: Vec<Token<'a>>,
    vars: Vec<(&'a str, Option<Path>)>,
    cwd: &'a Path,
    calls: Vec<Call>,
}

/// Modules on which short names (`copy`, `remove`, `rename`) mean files.
const MODULES: [&str; 11] = ["fs", "fsp", "promises", "shutil", "os", "FileUtils", "File", "Deno", "Bun", "fse", "Dir"];

impl<'a> Script<'a> {
    fn walk(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() && self.calls.len() < MAX_CALLS {
            at = self.step(at);
        }
    }

    fn mark(&self, at: usize, mark: u8) -> bool {
        self.tokens.get(at) == Some(&Token::Mark(mark))
    }

    fn name(&self, at: usize) -> Option<&'a str> {
        match self.tokens.get(at) {
            Some(Token::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Looks at the token at `at`; the index to go on with, always further on.
    fn step(&mut self, at: usize) -> usize {
        // `name = value`
        if let Some(name) = self.name(at)
            && self.mark(at + 1, b'=')
            && !self.mark(at + 2, b'=')
            && !self.mark(at.wrapping_sub(1), b'.')
        {
            // A keyword argument stands behind `(` or `,` and names no variable.
            let keyword = self.mark(at.wrapping_sub(1), b'(') || self.mark(at.wrapping_sub(1), b',');
            if !keyword {
                let value = self.value(at + 2, 0).map(|(path, _)| path);
                match self.vars.iter_mut().find(|(known, _)| *known == name) {
                    // Assigned twice: which one a call sees is not followed.
                    Some((_, known)) => {
                        if *known != value {
                            *known = None;
                        }
                    }
                    None => self.vars.push((name, value)),
                }
            }
            return at + 2;
        }
        let starts_value = !self.mark(at.wrapping_sub(1), b'.');
        if starts_value
            && let Some((path, end)) = self.value(at, 0)
            && self.mark(end, b'.')
            && let Some(method) = self.name(end + 1)
            && self.mark(end + 2, b'(')
            && self.method(&path, method, end + 2)
        {
            return end + 3;
        }
        if let Some(name) = self.name(at)
            && self.mark(at + 1, b'(')
        {
            let receiver = if self.mark(at.wrapping_sub(1), b'.') { self.name(at.wrapping_sub(2)).or(Some("")) } else { None };
            self.call(receiver, name, at + 1);
        } else if matches!(self.name(at), Some("open" | "unlink")) {
            // Ruby and Perl call without parentheses.
            self.call(None, self.name(at).unwrap_or(""), at);
        }
        at + 1
    }

    /// `path.method(`; `open` is the index of the parenthesis.
    fn method(&mut self, path: &Path, method: &str, open: usize) -> bool {
        if path.root == Root::Unknown {
            return false;
        }
        let path = path.clone();
        match method {
            "write_text" | "write_bytes" => {
                let until = self.close(open);
                self.calls.push(Call::Write { path, whole: true, copy_of: None, at: open, until });
            }
            "read_text" | "read_bytes" => self.calls.push(Call::Read { path, at: open }),
            "open" => {
                let mode = self.argument(open, 0).and_then(|at| self.text(at));
                self.opened(path, mode.as_deref(), open);
            }
            "unlink" => self.calls.push(Call::Remove(path)),
            "touch" => self.calls.push(Call::Write { path, whole: false, copy_of: None, at: open, until: open }),
            // With two arguments it is a string's `replace`.
            "rename" | "replace" if self.argument(open, 1).is_none() => {
                let Some((to, _)) = self.argument(open, 0).and_then(|at| self.value(at, 0)) else { return false };
                self.moved(path, to, open);
            }
            _ => return false,
        }
        true
    }

    fn call(&mut self, receiver: Option<&str>, name: &str, open: usize) {
        let on_module = receiver.is_some_and(|receiver| MODULES.contains(&receiver));
        let value = |script: &Self, nth: usize| script.argument(open, nth).and_then(|at| script.value(at, 0)).map(|(path, _)| path);
        match name {
            "open" if matches!(receiver, None | Some("File" | "io" | "codecs" | "builtins" | "gzip" | "fs" | "fsp")) => {
                // Perl: open(my $f, '>', 'name')
                let first = self.argument(open, 0);
                if let Some(mode) = self.argument(open, 1).and_then(|at| self.text(at)).filter(|mode| mode.starts_with(['<', '>', '+']))
                    && let Some(path) = value(self, 2)
                {
                    let mode = match mode.as_bytes() {
                        [b'>', b'>', ..] => "a",
                        [b'>', ..] => "w",
                        _ => "r",
                    };
                    self.opened(path, Some(mode), open);
                } else if let Some((path, _)) = first.and_then(|at| self.value(at, 0)) {
                    let mode = self.keyword(open, "mode").or_else(|| self.argument(open, 1).and_then(|at| self.text(at)));
                    self.opened(path, mode.as_deref(), open);
                }
            }
            "writeFileSync" | "writeFile" | "outputFile" | "outputFileSync" | "writeTextFile" | "writeTextFileSync" | "writeJson"
            | "writeJsonSync" | "createWriteStream" | "file_put_contents" => self.written(open, true),
            "write" | "binwrite" if matches!(receiver, Some("Bun" | "File" | "IO")) => self.written(open, true),
            "appendFileSync" | "appendFile" => self.written(open, false),
            "readFileSync" | "readFile" | "readTextFile" | "readTextFileSync" | "createReadStream" | "readJson" | "readJsonSync"
            | "file_get_contents" | "readlines" | "binread" => self.read_call(open),
            "read" | "foreach" if matches!(receiver, Some("File" | "IO")) => self.read_call(open),
            "file" if receiver == Some("Bun") => self.read_call(open),
            "copyFileSync" | "copyFile" | "cpSync" | "copySync" | "copyfile" | "copy2" | "copytree" => self.copied(open),
            "copy" | "cp" | "cp_r" | "copy_file" if on_module => self.copied(open),
            "renameSync" => self.renamed(open),
            "rename" | "replace" | "move" | "mv" | "moveSync" if on_module => self.renamed(open),
            "rmSync" | "unlinkSync" | "rmtree" | "removeSync" | "rmdirSync" => self.removed(open),
            "remove" | "unlink" | "rm" | "rm_f" | "rm_rf" | "delete" | "rmdir" if on_module => self.removed(open),
            "unlink" if receiver.is_none() => self.removed(open),
            "mkstemp" | "mkdtemp" | "NamedTemporaryFile" | "TemporaryDirectory" | "mkdtempSync" | "TemporaryFile" | "makeTempFile"
            | "makeTempDir" => {
                self.calls.push(Call::MakeTemp);
            }
            "system" | "execSync" | "exec" | "getoutput"
                if matches!(receiver, None | Some("os" | "child_process" | "cp" | "subprocess" | "Kernel")) =>
            {
                if let Some(text) = self.argument(open, 0).and_then(|at| self.text(at)) {
                    self.calls.push(Call::Shell(text));
                }
            }
            "run" | "call" | "check_call" | "check_output" | "Popen" if receiver == Some("subprocess") => self.subprocess(open),
            _ => {}
        }
    }

    fn subprocess(&mut self, open: usize) {
        let Some(at) = self.argument(open, 0) else { return };
        if let Some(text) = self.text(at) {
            self.calls.push(Call::Shell(text));
        } else if self.mark(at, b'[') {
            let mut words = Vec::new();
            for token in self.tokens[at + 1..].iter().take(64) {
                match token {
                    Token::Text(Some(text)) => words.push(format!("'{}'", text.replace('\'', "'\\''"))),
                    Token::Mark(b',' | b'\n') => {}
                    Token::Mark(b']') => break,
                    _ => words.push("\"$_unknown\"".to_owned()),
                }
            }
            self.calls.push(Call::Shell(words.join(" ")));
        }
    }

    fn opened(&mut self, path: Path, mode: Option<&str>, at: usize) {
        match mode.unwrap_or("r") {
            mode if mode.starts_with(['w', 'x']) => {
                self.calls.push(Call::Write { path, whole: true, copy_of: None, at, until: usize::MAX });
            }
            mode if mode.starts_with('a') || mode.contains('+') => {
                self.calls.push(Call::Write { path, whole: false, copy_of: None, at, until: usize::MAX });
            }
            _ => self.calls.push(Call::Read { path, at }),
        }
    }

    fn written(&mut self, open: usize, whole: bool) {
        let Some((path, _)) = self.argument(open, 0).and_then(|at| self.value(at, 0)) else { return };
        let until = self.close(open);
        let copy_of = if whole { self.argument(open, 1).and_then(|at| self.only_a_read(at, until)) } else { None };
        self.calls.push(Call::Write { path, whole, copy_of, at: open, until });
    }

    /// The content is one read call and nothing else: `readFileSync(f)`.
    fn only_a_read(&self, mut at: usize, until: usize) -> Option<Path> {
        while self.name(at).is_some() && self.mark(at + 1, b'.') {
            at += 2;
        }
        let read = matches!(self.name(at), Some("readFileSync" | "file" | "readTextFileSync"));
        (read && self.mark(at + 1, b'(') && self.close(at + 1) + 1 == until)
            .then(|| self.argument(at + 1, 0).and_then(|at| self.value(at, 0)))
            .flatten()
            .map(|(path, _)| path)
    }

    fn read_call(&mut self, open: usize) {
        if let Some((path, _)) = self.argument(open, 0).and_then(|at| self.value(at, 0)) {
            self.calls.push(Call::Read { path, at: open });
        }
    }

    fn two(&self, open: usize) -> Option<(Path, Path)> {
        let (from, _) = self.value(self.argument(open, 0)?, 0)?;
        let (to, _) = self.value(self.argument(open, 1)?, 0)?;
        Some((from, to))
    }

    fn copied(&mut self, open: usize) {
        if let Some((from, to)) = self.two(open) {
            let to = if to.is_folder() { super::copies::beneath(&to, &from) } else { to };
            self.calls.push(Call::Read { path: from.clone(), at: open });
            self.calls.push(Call::Write { path: to, whole: true, copy_of: Some(from), at: open, until: open + 1 });
        }
    }

    fn renamed(&mut self, open: usize) {
        if let Some((from, to)) = self.two(open) {
            self.moved(from, to, open);
        }
    }

    fn moved(&mut self, from: Path, to: Path, open: usize) {
        let to = if to.is_folder() { super::copies::beneath(&to, &from) } else { to };
        self.calls.push(Call::Read { path: from.clone(), at: open });
        self.calls.push(Call::Write { path: to, whole: true, copy_of: Some(from.clone()), at: open, until: open + 1 });
        self.calls.push(Call::Remove(from));
    }

    fn removed(&mut self, open: usize) {
        if let Some((path, _)) = self.argument(open, 0).and_then(|at| self.value(at, 0)) {
            self.calls.push(Call::Remove(path));
        }
    }

    fn text(&self, at: usize) -> Option<String> {
        match self.tokens.get(at) {
            Some(Token::Text(text)) => text.clone(),
            _ => None,
        }
    }

    /// Index of the matching closing parenthesis, or of the last token.
    fn close(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        // A file call's arguments are near; a bound keeps hostile text from being quadratic.
        for (at, token) in self.tokens.iter().enumerate().skip(open).take(1024) {
            match token {
                Token::Mark(b'(' | b'[' | b'{') => depth += 1,
                Token::Mark(b')' | b']' | b'}') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return at;
                    }
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Index at which the `nth` argument of the call whose parenthesis is at `open` starts.
    fn argument(&self, open: usize, nth: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut seen = 0;
        let mut at = self.past_newlines(open + 1);
        if nth == 0 {
            return (!self.mark(at, b')')).then_some(at);
        }
        while let Some(token) = self.tokens.get(at) {
            if at > open + 512 {
                return None;
            }
            match token {
                Token::Mark(b'(' | b'[' | b'{') => depth += 1,
                Token::Mark(b')' | b']' | b'}') if depth == 0 => return None,
                Token::Mark(b')' | b']' | b'}') => depth -= 1,
                Token::Mark(b',') if depth == 0 => {
                    seen += 1;
                    if seen == nth {
                        return Some(self.past_newlines(at + 1));
                    }
                }
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Index of the line's or statement's end behind `at`, outside parentheses.
    fn statement_end(&self, at: usize) -> usize {
        let mut depth = 0_usize;
        for (index, token) in self.tokens.iter().enumerate().skip(at).take(1024) {
            match token {
                Token::Mark(b'(' | b'[') => depth += 1,
                Token::Mark(b')' | b']') => depth = depth.saturating_sub(1),
                Token::Mark(b'\n' | b';') if depth == 0 => return index,
                _ => {}
            }
        }
        self.tokens.len()
    }

    fn past_newlines(&self, mut at: usize) -> usize {
        while self.mark(at, b'\n') {
            at += 1;
        }
        at
    }

    /// `name='text'` among the arguments.
    fn keyword(&self, open: usize, name: &str) -> Option<String> {
        (1..4).filter_map(|nth| self.argument(open, nth)).find(|at| self.name(*at) == Some(name)).and_then(|at| self.text(at + 2))
    }

    /// The path an expression stands for, and the index behind it.
    fn value(&self, at: usize, depth: usize) -> Option<(Path, usize)> {
        if depth > 8 {
            return None;
        }
        let at = self.past_newlines(at);
        let (mut path, mut end) = self.primary(at, depth)?;
        // `Path('a') / 'b'`, `'a' + 'b'`
        while self.mark(end, b'/') || self.mark(end, b'+') {
            let joins = self.mark(end, b'/');
            let text = self.text(end + 1)?;
            if joins {
                path = if text.starts_with('/') { Path::from_text(&text, self.cwd, false) } else { path.join(&text) };
            } else if text.starts_with('/') {
                path = path.join(text.trim_start_matches('/'));
            } else if path.root == Root::Unknown || path.text.is_empty() {
                path = Path::unknown();
            } else if path.folder {
                path = path.join(&text);
            } else {
                path.text.push_str(&text);
            }
            end += 2;
        }
        Some((path, end))
    }

    fn primary(&self, at: usize, depth: usize) -> Option<(Path, usize)> {
        let rooted = |root| Path { root, text: String::new(), glob: false, folder: false };
        match self.tokens.get(at)? {
            Token::Text(Some(text)) if text.len() < 4096 && !text.contains('\n') && !text.is_empty() => {
                Some((Path::from_text(text, self.cwd, false), at + 1))
            }
            Token::Text(_) => Some((Path::unknown(), at + 1)),
            Token::Mark(b'(') => {
                let (path, end) = self.value(at + 1, depth + 1)?;
                self.mark(end, b')').then_some((path, end + 1))
            }
            Token::Name(first) => {
                // A name without a known value may be a module: `os = require('os')`.
                if let Some((_, value)) = self.vars.iter().find(|(name, _)| name == first)
                    && (value.is_some() || !(self.mark(at + 1, b'.') || self.mark(at + 1, b'(')))
                {
                    return Some((value.clone().unwrap_or_else(Path::unknown), at + 1));
                }
                // A dotted name, up to its call.
                let mut last = at;
                while self.mark(last + 1, b'.') && self.name(last + 2).is_some() && !self.mark(last + 1, b'(') {
                    last += 2;
                }
                let name = self.name(last)?;
                if matches!(name, "TMPDIR" | "TEMP" | "TMP") && last > at {
                    return Some((rooted(Root::TempDir), last + 1));
                }
                if name == "environ" && self.mark(last + 1, b'[') {
                    let root = match self.text(last + 2)?.as_str() {
                        "TMPDIR" | "TEMP" | "TMP" => Root::TempDir,
                        "HOME" => Root::Home,
                        _ => return Some((Path::unknown(), last + 4)),
                    };
                    return Some((rooted(root), last + 4));
                }
                if *first == "new" {
                    return self.primary(at + 1, depth + 1);
                }
                if !self.mark(last + 1, b'(') {
                    return None;
                }
                let close = self.close(last + 1);
                let path = match name {
                    "gettempdir" | "tmpdir" => rooted(Root::TempDir),
                    "getcwd" | "cwd" | "pwd" => self.cwd.clone(),
                    "homedir" | "home" => rooted(Root::Home),
                    "expanduser" => {
                        let text = self.text(last + 2)?;
                        rooted(Root::Home).join(text.strip_prefix("~/")?)
                    }
                    "join" | "resolve" if last > at => {
                        let (mut path, _) = self.value(self.argument(last + 1, 0)?, depth + 1)?;
                        for nth in 1..6 {
                            let Some(start) = self.argument(last + 1, nth) else { break };
                            path = match self.text(start) {
                                Some(text) => path.join(&text),
                                None => Path::unknown(),
                            };
                        }
                        path
                    }
                    "Path" | "PurePath" | "PosixPath" | "abspath" | "realpath" | "URL" | "str" | "Pathname" => {
                        let (path, end) = self.value(self.argument(last + 1, 0)?, depth + 1)?;
                        if self.mark(end, b',') { Path::unknown() } else { path }
                    }
                    _ => return None,
                };
                Some((path, close + 1))
            }
            Token::Mark(_) => None,
        }
    }
}
