//! Reads what strace wrote: a file for each process, each line a system call on a file.

use std::fs;
use std::path::Path;

/// What was done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    Read,
    /// Opened for writing, or put in place; `whole` where nothing of an earlier content is left.
    Write {
        whole: bool,
    },
    Remove,
    /// Looked for and not found.
    Sought,
}

/// One system call on a file.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) act: Act,
    /// As it was named, made absolute.
    pub(crate) path: String,
    /// What the name led to, past symbolic links.
    pub(crate) real: String,
    /// It succeeded.
    pub(crate) done: bool,
    /// By a git program, which reads work trees as it pleases.
    pub(crate) by_git: bool,
}

/// The events of all processes whose traces lie in `folder`; the first one started in `start`.
pub(crate) fn events(folder: &Path, start: &str) -> Vec<Event> {
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.sort();
    let mut events = Vec::new();
    for file in files {
        let text = fs::read(&file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
        let mut process = Process { cwd: start.to_owned(), by_git: false, events: Vec::new() };
        text.lines().for_each(|line| process.line(line));
        events.append(&mut process.events);
    }
    events
}

struct Process {
    cwd: String,
    by_git: bool,
    events: Vec<Event>,
}

impl Process {
    fn line(&mut self, line: &str) {
        let Some((name, rest)) = line.split_once('(') else { return };
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return;
        }
        let (args, result) = arguments(rest);
        // Every descriptor that stands for the working directory tells where the process is.
        if let Some(cwd) = args.iter().find_map(|arg| arg.strip_prefix("AT_FDCWD<")) {
            self.cwd = unescaped(cwd.trim_end_matches('>'));
        }
        let result = result.trim_start_matches(|c: char| c == ')' || c == '=' || c.is_whitespace());
        let done = !result.starts_with('-') && !result.starts_with('?');
        let arg = |at: usize| args.get(at).map_or("", String::as_str);
        let here = |at: usize| join(&self.cwd, &unquoted(arg(at)));
        let at = |dir: usize| join(&descriptor(arg(dir)).unwrap_or_else(|| self.cwd.clone()), &unquoted(arg(dir + 1)));
        match name {
            "execve" if done => self.by_git = unquoted(arg(0)).rsplit('/').next().is_some_and(|base| base.starts_with("git")),
            "chdir" if done => self.cwd = here(0),
            "open" => self.opened(&here(0), arg(1), result, done),
            "creat" => self.opened(&here(0), "O_WRONLY|O_CREAT|O_TRUNC", result, done),
            "openat" | "openat2" => self.opened(&at(0), arg(2), result, done),
            "rename" => self.carried(here(0), here(1), true, done),
            "renameat" | "renameat2" => self.carried(at(0), at(2), true, done),
            "link" => self.carried(here(0), here(1), false, done),
            "linkat" => self.carried(at(0), at(2), false, done),
            "symlink" => self.linked(&unquoted(arg(0)), here(1), done),
            "symlinkat" => self.linked(&unquoted(arg(0)), at(1), done),
            "unlink" | "rmdir" => self.push(Act::Remove, here(0), done),
            "unlinkat" => self.push(Act::Remove, at(0), done),
            "truncate" => self.push(Act::Write { whole: arg(1) == "0" }, here(0), done),
            "ftruncate" => {
                if let Some(path) = descriptor(arg(0)) {
                    self.push(Act::Write { whole: arg(1) == "0" }, path, done);
                }
            }
            _ if result.starts_with("-1 ENOENT") => {
                let path = if arg(0).starts_with('"') { here(0) } else { at(0) };
                self.push(Act::Sought, path, false);
            }
            _ => {}
        }
    }

    fn push(&mut self, act: Act, path: String, done: bool) {
        self.events.push(Event { act, real: path.clone(), path, done, by_git: self.by_git });
    }

    fn opened(&mut self, path: &str, flags: &str, result: &str, done: bool) {
        if flags.contains("O_PATH") {
            return;
        }
        let real = descriptor(result).unwrap_or_else(|| path.to_owned());
        // A folder that is opened is listed, not read.
        let done_read = done && !flags.contains("O_DIRECTORY");
        let mut push = |act, done| self.events.push(Event { act, path: path.to_owned(), real: real.clone(), done, by_git: self.by_git });
        if flags.contains("O_RDONLY") || (flags.contains("O_RDWR") && !flags.contains("O_TRUNC")) {
            push(Act::Read, done_read);
        }
        if flags.contains("O_WRONLY") || flags.contains("O_RDWR") {
            push(Act::Write { whole: flags.contains("O_TRUNC") || flags.contains("O_EXCL") }, done);
        }
    }

    /// A rename or a hard link: the content is at another place.
    fn carried(&mut self, from: String, to: String, moved: bool, done: bool) {
        self.push(Act::Read, from.clone(), done);
        self.push(Act::Write { whole: true }, to, done);
        if moved {
            self.push(Act::Remove, from, done);
        }
    }

    /// A symbolic link reads nothing, but what it leads to is read through it later.
    fn linked(&mut self, target: &str, path: String, done: bool) {
        let folder = path.rsplit_once('/').map_or("/", |(folder, _)| folder);
        self.push(Act::Read, join(folder, target), false);
        self.push(Act::Write { whole: true }, path, done);
    }
}

/// The arguments of a call, and what follows them.
fn arguments(text: &str) -> (Vec<String>, &str) {
    let mut args = vec![String::new()];
    let (mut depth, mut quoted, mut decorated, mut escaped) = (0_usize, false, false, false);
    for (at, c) in text.char_indices() {
        if quoted || decorated {
            if escaped {
                escaped = false;
            } else if c == '\\' {
                escaped = true;
            } else if quoted && c == '"' {
                quoted = false;
            } else if decorated && c == '>' {
                decorated = false;
            }
        } else {
            match c {
                '"' => quoted = true,
                '<' => decorated = true,
                '(' | '[' | '{' => depth += 1,
                ')' if depth == 0 => return (args, &text[at..]),
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    args.push(String::new());
                    continue;
                }
                ' ' if args.last().is_some_and(String::is_empty) => continue,
                _ => {}
            }
        }
        if let Some(last) = args.last_mut() {
            last.push(c);
        }
    }
    (args, "")
}

/// `3</path>`, `AT_FDCWD</path>`
fn descriptor(text: &str) -> Option<String> {
    let (_, rest) = text.split_once('<')?;
    let (path, _) = rest.rsplit_once('>')?;
    path.starts_with('/').then(|| unescaped(path))
}

fn unquoted(text: &str) -> String {
    let text = text.trim_end_matches("...");
    unescaped(text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text))
}

/// C escapes undone, octal ones among them.
fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            out.push(bytes[at]);
            at += 1;
            continue;
        }
        at += 1;
        let digits = bytes[at..].iter().take(3).take_while(|byte| (b'0'..b'8').contains(byte)).count();
        if digits > 0 {
            let value = bytes[at..at + digits].iter().fold(0_u32, |value, byte| value * 8 + u32::from(byte - b'0'));
            out.push(u8::try_from(value).unwrap_or(b'?'));
            at += digits;
            continue;
        }
        out.extend(bytes.get(at).map(|byte| match byte {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            other => *other,
        }));
        at += 1;
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// `dir/path` without `.` and `..`, or `path` where it is absolute.
pub(crate) fn join(dir: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { dir };
    for part in base.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[test]
fn lines_are_read() {
    let mut process = Process { cwd: "/s".to_owned(), by_git: false, events: Vec::new() };
    for line in [
        r#"openat(AT_FDCWD</s/w>, "b \303\251, \"x\"", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 4</s/w/b \303\251, "x">"#,
        r#"rename("./sed1", "x")              = 0"#,
        r#"unlinkat(3</s/d>, "y", 0)           = 0"#,
        r#"newfstatat(AT_FDCWD</s/w>, "no", 0x7ff, 0) = -1 ENOENT (No such file or directory)"#,
        "--- SIGCHLD {si_signo=SIGCHLD} ---",
    ] {
        process.line(line);
    }
    let shown: Vec<_> = process.events.iter().map(|event| (event.act, event.path.as_str(), event.done)).collect();
    assert_eq!(
        shown,
        [
            (Act::Write { whole: true }, "/s/w/b é, \"x\"", true),
            (Act::Read, "/s/w/sed1", true),
            (Act::Write { whole: true }, "/s/w/x", true),
            (Act::Remove, "/s/w/sed1", true),
            (Act::Remove, "/s/d/y", true),
            (Act::Sought, "/s/w/no", false),
        ]
    );
}
