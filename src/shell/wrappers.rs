//! Programs that run another program: seen through, so that what counts is the program inside.

use super::launchers::{Launched, directories, launched};
use super::words::Word;

/// What a command line comes down to.
#[derive(Debug, Default)]
pub(super) struct Unwrapped {
    /// The innermost program and its arguments.
    pub(super) words: Vec<Word>,
    /// It runs on another machine or in a container.
    pub(super) remote: bool,
    /// Directories that wrappers change to, one below the other (`env -C d`).
    pub(super) dirs: Vec<Word>,
    /// Its standard input became arguments (`xargs`).
    pub(super) fed: bool,
    /// It is a text for a shell: `bash -c …`, `ssh host …`, `eval …`.
    pub(super) text: Option<ShellText>,
}

/// A text that a shell is given to run.
#[derive(Debug)]
pub(super) struct ShellText {
    /// The text, where it is known.
    pub(super) text: Option<String>,
    /// Runs in the shell that stands here, so that it may change its directory and variables.
    pub(super) here: bool,
    pub(super) errexit: bool,
    pub(super) pipefail: bool,
    pub(super) powershell: bool,
    /// `$1`, `$2` …
    pub(super) positional: Vec<Word>,
}

/// How a wrapper spells its own options before the program it runs.
#[derive(Clone, Copy)]
pub(super) struct Spelling {
    /// One-letter options that take a value.
    pub(super) short: &'static str,
    /// Long options that take a value as a word of their own.
    pub(super) long: &'static [&'static str],
    /// Operands of its own before the program.
    pub(super) operands: usize,
    /// `NAME=value` words may come before the program.
    pub(super) assignments: bool,
}

const SUDO: Spelling = Spelling { short: "ugpCDhrtTUR", long: &["user", "group", "chdir", "host", "prompt"], assignments: true, ..PLAIN };
const PLAIN: Spelling = Spelling { short: "", long: &[], operands: 0, assignments: false };

/// Base name of a program as it was typed: folders, `.exe` and case of Windows names put aside.
pub(super) fn base_name(typed: &str) -> &str {
    let base = typed.rsplit(['/', '\\']).next().unwrap_or(typed);
    base.strip_suffix(".exe").unwrap_or(base)
}

/// Sees through the wrappers of a command line.
pub(super) fn unwrap(words: Vec<Word>) -> Unwrapped {
    let mut done = Unwrapped { words, ..Unwrapped::default() };
    // Each round takes at least one word away, so this bound is only against surprises.
    for _ in 0..16 {
        let Some(name) = done.words.first().and_then(Word::program).map(str::to_owned) else { break };
        let Some(inner) = inside(&name, &mut done) else { break };
        if done.text.is_some() {
            done.words.truncate(1);
            break;
        }
        if inner >= done.words.len() {
            break;
        }
        done.words.drain(..inner);
    }
    done
}

/// Index of the word the wrapped program starts at; `None` where the program is no wrapper here.
fn inside(name: &str, done: &mut Unwrapped) -> Option<usize> {
    let words = done.words.as_slice();
    let second = words.get(1).and_then(Word::text).unwrap_or("");
    let spelling = match name {
        "sudo" => {
            let start = after_options(words, 1, &SUDO);
            done.dirs.extend(directories(&done.words[..start.min(done.words.len())], &["-D", "--chdir"]));
            SUDO
        }
        "doas" => Spelling { short: "uC", ..PLAIN },
        "env" | "genv" => {
            if let Some(at) = words.iter().position(|word| word.is("-S") || word.is("--split-string")) {
                done.text = Some(shell_text(words.get(at + 1)));
                return Some(0);
            }
            let spelling = Spelling { short: "uC", long: &["unset", "chdir"], assignments: true, ..PLAIN };
            let start = after_options(words, 1, &spelling);
            done.dirs.extend(directories(&done.words[..start.min(done.words.len())], &["-C", "--chdir"]));
            spelling
        }
        "timeout" | "gtimeout" => Spelling { short: "sk", long: &["signal", "kill-after"], operands: 1, ..PLAIN },
        "nice" => Spelling { short: "n", long: &["adjustment"], ..PLAIN },
        "ionice" => Spelling { short: "cnp", long: &["class", "classdata"], ..PLAIN },
        "stdbuf" => Spelling { short: "ioe", long: &["input", "output", "error"], ..PLAIN },
        "time" => Spelling { short: "fo", long: &["format", "output"], ..PLAIN },
        "command" | "builtin" if !matches!(second, "-v" | "-V") => PLAIN,
        "exec" => Spelling { short: "a", ..PLAIN },
        "nohup" | "setsid" | "chronic" | "unbuffer" | "caffeinate" | "busybox" | "winpty" | "noglob" | "nocorrect" | "fakeroot"
        | "valgrind" | "arch" | "prlimit" | "proxychains" | "proxychains4" | "corepack" | "fvm" => PLAIN,
        "flock" => Spelling { short: "wE", operands: 1, ..PLAIN },
        "taskset" | "chrt" | "setarch" | "faketime" | "gosu" | "su-exec" => Spelling { operands: 1, ..PLAIN },
        "xvfb-run" => Spelling { short: "senfpw", long: &["server-args", "server-num", "error-file", "auth-file"], ..PLAIN },
        "retry" => Spelling { short: "tdnsm", long: &["times", "delay", "tries", "max", "min"], ..PLAIN },
        "strace" | "ltrace" => Spelling { short: "eopsu", ..PLAIN },
        "systemd-run" => Spelling { short: "pu", long: &["property", "unit", "slice"], ..PLAIN },
        "c8" | "nyc" => Spelling { short: "rnxo", long: &["reporter", "include", "exclude", "report-dir", "temp-directory"], ..PLAIN },
        "cross-env" => Spelling { assignments: true, ..PLAIN },
        "cross-env-shell" => {
            let start = after_options(words, 1, &Spelling { assignments: true, ..PLAIN });
            done.text = Some(joined(words.get(start..)?));
            return Some(0);
        }
        "env-cmd" => Spelling { short: "fer", long: &["file", "environments", "rc-file"], ..PLAIN },
        "dotenv" => {
            let start = after_options(words, 1, &Spelling { short: "efvc", long: &["file"], ..PLAIN });
            // `dotenv -f f run -- cmd`
            let run = words.get(start).is_some_and(|word| word.is("run"));
            return Some(if run { after_options(words, start + 1, &PLAIN) } else { start });
        }
        "rtk" => {
            let mut start = after_options(words, 1, &PLAIN);
            let verb = words.get(start).and_then(Word::text)?;
            if verb == "lint" {
                done.words[start] = Word::text_of("eslint");
            } else if matches!(verb, "test" | "err" | "proxy" | "summary") {
                start += 1;
            }
            return Some(start);
        }
        "nix" => {
            let at = words.iter().position(|word| word.is("-c") || word.is("--command"))?;
            return matches!(second, "develop" | "shell" | "print-dev-env").then_some(at + 1);
        }
        "nix-shell" | "vagrant" => {
            let names: &[&str] = if name == "vagrant" { &["-c", "--command"] } else { &["--run", "--command"] };
            let at = words.iter().position(|word| word.text().is_some_and(|text| names.contains(&text)))?;
            done.remote |= name == "vagrant";
            done.text = Some(shell_text(words.get(at + 1)));
            return Some(0);
        }
        "script" => {
            let call = words.iter().position(|word| {
                let head = word.head();
                word.is("--command") || (head.starts_with('-') && !head.starts_with("--") && head.ends_with('c'))
            });
            if let Some(at) = call {
                done.text = Some(shell_text(words.get(at + 1)));
                return Some(0);
            }
            Spelling { short: "tI", operands: 1, ..PLAIN }
        }
        "npx" | "bunx" | "uvx" | "pnpx" => {
            let long = &["package", "from", "with", "python", "workspace", "prefix"];
            let spelling = Spelling { short: "pw", long, ..PLAIN };
            let start = after_options(words, 1, &spelling).min(words.len());
            if let Some(at) = words[..start].iter().position(|word| word.is("-c") || word.is("--call")) {
                done.text = Some(shell_text(words.get(at + 1)));
                return Some(0);
            }
            spelling
        }
        "mise" | "rtx" => {
            let verb = after_options(words, 1, &Spelling { short: "CE", long: &["cd", "env"], ..PLAIN });
            let dashes = words.iter().position(|word| word.is("--"))?;
            if dashes < verb || !words.get(verb).is_some_and(|word| word.is("exec") || word.is("x")) {
                return None;
            }
            done.dirs.extend(directories(&done.words[1..dashes], &["-C", "--cd"]));
            return Some(dashes + 1);
        }
        "xargs" | "gxargs" | "parallel" => return Some(fed(done)),
        "ssh" | "autossh" => {
            let start = after_options(words, 1, &Spelling { short: "bcDEeFIiJLlmOopQRSWw", ..PLAIN }) + 1;
            done.remote = true;
            if start < words.len() {
                done.text = Some(joined(&words[start..]));
            }
            return done.text.as_ref().map(|_| 0);
        }
        "adb" if words.iter().any(|word| word.is("shell")) => {
            let at = words.iter().position(|word| word.is("shell"))? + 1;
            done.remote = true;
            done.text = Some(joined(&words[at..]));
            return Some(0);
        }
        "wsl" => {
            done.remote = true;
            return Some(after_options(words, 1, &Spelling { short: "du", long: &["distribution", "user", "cd"], ..PLAIN }));
        }
        "docker" | "podman" | "nerdctl" | "docker-compose" | "kubectl" | "oc" => {
            let start = container(name, words)?;
            done.remote = true;
            return Some(start);
        }
        "bash" | "sh" | "zsh" | "dash" | "ksh" | "ash" | "fish" | "su" | "runuser" => {
            done.text = Some(shell_call(words)?);
            return Some(0);
        }
        "powershell" | "pwsh" => {
            let at = words.iter().position(|word| {
                word.text().is_some_and(|text| text.eq_ignore_ascii_case("-command") || text.eq_ignore_ascii_case("-c"))
            })?;
            done.text = Some(ShellText { powershell: true, ..joined(&words[at + 1..]) });
            return Some(0);
        }
        "cmd" => {
            let at = words.iter().position(|word| word.is("/c") || word.is("/C") || word.is("//c"))?;
            done.text = Some(joined(&words[at + 1..]));
            return Some(0);
        }
        "eval" => {
            done.text = Some(ShellText { here: true, ..joined(&words[1..]) });
            return Some(0);
        }
        _ => return launch(name, done),
    };
    let words = done.words.as_slice();
    let start = after_options(words, 1, &spelling);
    (start < words.len()).then_some(start)
}

/// `uv run`, `npm exec` and the like.
fn launch(name: &str, done: &mut Unwrapped) -> Option<usize> {
    let Launched { start, dirs, text } = launched(name, &done.words)?;
    done.dirs.extend(dirs);
    if let Some(at) = text {
        done.text = Some(shell_text(done.words.get(at)));
        return Some(0);
    }
    // `uv run f.py` runs a script with python.
    if name == "uv" && done.words.get(start).is_some_and(|word| names_extension(word.head(), "py")) {
        done.words[0] = Word::text_of("python");
        done.words.drain(1..start);
        return None;
    }
    Some(start)
}

/// Index behind a wrapper's own options and operands.
pub(super) fn after_options(words: &[Word], mut at: usize, spelling: &Spelling) -> usize {
    let mut operands = spelling.operands;
    while let Some(word) = words.get(at) {
        let head = word.head();
        if word.is("--") {
            return at + 1 + operands;
        }
        if let Some(name) = head.strip_prefix("--") {
            at += 1 + usize::from(spelling.long.contains(&name));
        } else if head.starts_with('-') && head.len() > 1 {
            let letter = head.find(|c| spelling.short.contains(c));
            at += 1 + usize::from(letter == Some(head.len() - 1) && word.text().is_some());
        } else if spelling.assignments && is_assignment(head) {
            at += 1;
        } else if operands > 0 {
            operands -= 1;
            at += 1;
        } else {
            return at;
        }
    }
    at
}

/// The text is a file's name with this extension.
pub(super) fn names_extension(text: &str, extension: &str) -> bool {
    text.rsplit_once('.').is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(extension))
}

/// `NAME=value`.
pub(super) fn is_assignment(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// `xargs` and `parallel`: the program is known, what comes in is not.
fn fed(done: &mut Unwrapped) -> usize {
    let start = after_options(
        &done.words,
        1,
        &Spelling {
            short: "IndLPsaEj",
            long: &["max-args", "max-procs", "replace", "delimiter", "max-lines", "arg-file", "jobs"],
            ..PLAIN
        },
    );
    done.fed = true;
    if start >= done.words.len() {
        return start;
    }
    let mut marks = vec!["{}".to_owned()];
    for (at, word) in done.words[..start].iter().enumerate() {
        if let Some(mark) = word.text().and_then(|text| text.strip_prefix("-I")) {
            marks.push(if mark.is_empty() {
                done.words.get(at + 1).and_then(Word::text).unwrap_or("{}").to_owned()
            } else {
                mark.to_owned()
            });
        }
    }
    let mut placed = false;
    for word in &mut done.words[start..] {
        if word.text().is_some_and(|text| marks.iter().any(|mark| text.contains(mark.as_str()))) {
            *word = Word::unknown();
            placed = true;
        }
    }
    if let Some(at) = done.words.iter().position(|word| word.is(":::")) {
        done.words.truncate(at);
    }
    if !placed {
        done.words.push(Word::unknown());
    }
    start
}

/// Index of the program inside `docker exec|run`, `docker compose exec|run`, `kubectl exec`.
fn container(name: &str, words: &[Word]) -> Option<usize> {
    let mut at = 1;
    // Options before the subcommand: `-H host`, `-n ns`, `--context c`, `-f file`.
    let skip = |mut at: usize| {
        while let Some(head) = words.get(at).map(Word::head).filter(|head| head.starts_with('-')) {
            at += if head.contains('=') || matches!(head, "-D" | "--debug" | "-v") { 1 } else { 2 };
        }
        at
    };
    at = skip(at);
    if words.get(at)?.is("compose") {
        at = skip(at + 1);
    }
    let verb = words.get(at).and_then(Word::text).filter(|verb| matches!(*verb, "exec" | "run"))?;
    at += 1;
    if matches!(name, "kubectl" | "oc") {
        let dashes = words.iter().position(|word| word.is("--"))?;
        return (verb == "exec").then_some(dashes + 1);
    }
    while let Some(head) = words.get(at).map(Word::head).filter(|head| head.starts_with('-')) {
        let flag = match head.strip_prefix("--") {
            Some(long) => {
                long.contains('=')
                    || matches!(
                        long,
                        "rm" | "interactive"
                            | "tty"
                            | "privileged"
                            | "init"
                            | "detach"
                            | "read-only"
                            | "no-deps"
                            | "no-TTY"
                            | "build"
                            | "service-ports"
                            | "quiet-pull"
                    )
            }
            None => !head.ends_with(['e', 'v', 'w', 'u', 'p', 'l', 'm', 'h', 'c']),
        };
        at += if flag { 1 } else { 2 };
    }
    // The container, the service or the image stands before the program.
    (at + 1 < words.len()).then_some(at + 1)
}

/// `bash [options] -c text [name args…]`.
fn shell_call(words: &[Word]) -> Option<ShellText> {
    let mut call = ShellText { text: None, here: false, errexit: false, pipefail: false, powershell: false, positional: Vec::new() };
    let mut takes_text = false;
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let head = word.head();
        if head.starts_with("--") || !head.starts_with(['-', '+']) || head.len() < 2 {
            if !head.starts_with("--") || word.is("--") {
                break;
            }
            at += 1 + usize::from(matches!(head, "--rcfile" | "--init-file"));
            continue;
        }
        takes_text |= head.contains('c');
        call.errexit |= head.contains('e');
        at += 1;
        if head.ends_with(['o', 'O']) {
            call.pipefail |= words.get(at).is_some_and(|word| word.is("pipefail"));
            at += 1;
        }
    }
    // `su user -c text`
    if !takes_text && words.first().is_some_and(|word| word.is("su") || word.is("runuser")) {
        at = words.iter().position(|word| word.is("-c"))? + 1;
        takes_text = true;
    }
    if !takes_text {
        return None;
    }
    at += usize::from(words.get(at).is_some_and(|word| word.is("--")));
    call.text = words.get(at).and_then(Word::text).map(str::to_owned);
    call.positional = words.get(at + 2..).unwrap_or(&[]).to_vec();
    Some(call)
}

fn shell_text(word: Option<&Word>) -> ShellText {
    ShellText {
        text: word.and_then(Word::text).map(str::to_owned),
        here: false,
        errexit: false,
        pipefail: false,
        powershell: false,
        positional: Vec::new(),
    }
}

/// The words as one text, as `eval` and `ssh` see them.
fn joined(words: &[Word]) -> ShellText {
    let texts: Option<Vec<&str>> = words.iter().map(Word::text).collect();
    ShellText { text: texts.map(|texts| texts.join(" ")), ..shell_text(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sees_through() {
        for (line, expected) in [
            ("sudo -u bob -E A=1 cp a b", "cp a b"),
            ("env -i A=1 B=2 cp a b", "cp a b"),
            ("timeout -k 5 --signal KILL 10 cp a", "cp a"),
            ("timeout 5m npx -y --package x vitest run", "vitest run"),
            ("nice -n 5 ionice -c3 nohup time -p cp", "cp"),
            ("command cp a", "cp a"),
            ("command -v cp", "command -v cp"),
            ("stdbuf -oL cat", "cat"),
            ("rtk test cargo test", "cargo test"),
            ("rtk git status", "git status"),
            ("pnpm exec vitest", "vitest"),
            ("pnpm test", "pnpm test"),
            ("uv run --with x pytest -q", "pytest -q"),
            ("uv run f.py a", "python f.py a"),
            ("mise exec node@20 -- npm test", "npm test"),
            ("mise run ci", "mise run ci"),
            ("direnv exec . make", "make"),
            ("docker exec -it -e A=1 c ls /", "ls /"),
            ("docker compose -f x.yml run --rm web pytest", "pytest"),
            ("kubectl -n x exec pod -c y -- ls", "ls"),
            ("docker build .", "docker build ."),
            ("uv --directory d run -p 3 --with x pytest -q", "pytest -q"),
            ("uv tool run ruff check", "ruff check"),
            ("npm --prefix d exec -- vitest run", "vitest run"),
            ("pnpm --filter x exec vitest", "vitest"),
            ("hatch run pytest", "pytest"),
            ("hatch run test", "hatch run test"),
            ("dotenv -e .env -- jest", "jest"),
            ("dotenv -f .env run -- jest", "jest"),
            ("cross-env A=b C=d jest", "jest"),
            ("env-cmd -f x jest", "jest"),
            ("nyc --reporter text mocha", "mocha"),
            ("xvfb-run -a -s x npm test", "npm test"),
            ("nix develop .#x -c cargo test", "cargo test"),
            ("script -q /dev/null npm test", "npm test"),
            ("rtk lint src", "eslint src"),
            ("rtk -v err npm test", "npm test"),
            ("bundle exec rspec", "rspec"),
            ("npx --no-install -w a jest", "jest"),
            ("npx jest -c x.js", "jest -c x.js"),
            ("retry -t 3 -- make test", "make test"),
        ] {
            let words: Vec<Word> = line.split(' ').map(Word::text_of).collect();
            let inner: Vec<String> = unwrap(words).words.iter().filter_map(|word| word.text().map(str::to_owned)).collect();
            assert_eq!(inner.join(" "), expected, "{line}");
        }
    }
}
