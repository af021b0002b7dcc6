//! What a program and its arguments run: interpreters seen through, then the table, then the project's scripts.

use super::args::{Parsed, Spelling, parse, push};
use super::names::of_name;
use super::table::{self, Operands, Program, Run, TEST, find, lists};
use super::tasks::{is_tool, task};
use super::{Found, Gates, Language, scripts};
use crate::shell::Path;
use crate::shell::wrappers::{base_name, names_extension};

/// Interpreters inside interpreters (`coverage run -m pytest`) are followed this far.
const MAX_ROUNDS: usize = 5;
/// Package managers that start package managers are followed this far.
const MAX_DEPTH: usize = 2;
/// Options of test runners under which they write their report to a file.
const REPORTS: &str = "--outputFile -outputFile --output-file";
const QUIET: &str = "-q --quiet -quiet -s --silent";

/// A program that is given another one's file, or a module.
struct Interpreter {
    names: &'static [&'static str],
    language: Language,
    /// Options that take the next word.
    values: &'static str,
    /// Options with a text to run.
    code: &'static str,
    /// A word that may stand before the file.
    verb: &'static str,
}

static INTERPRETERS: [Interpreter; 9] = [
    interpreter(
        &["node", "nodejs", "tsx", "ts-node", "vite-node"],
        Language::JavaScript,
        "-r --require --import --loader --env-file -P --project",
        "-e --eval -p --print",
    ),
    interpreter(&["bun"], Language::JavaScript, "-r --preload --env-file --cwd", "-e --eval -p --print"),
    Interpreter { verb: "run", ..interpreter(&["deno"], Language::JavaScript, "-c --config", "") },
    interpreter(&["php"], Language::Php, "-d -c", "-r"),
    interpreter(&["ruby", "jruby"], Language::Ruby, "-I -r", "-e"),
    interpreter(&["perl"], Language::Any, "-I -M", "-e -E"),
    interpreter(&["lua", "luajit"], Language::Any, "-l", "-e"),
    interpreter(&["bash", "sh", "zsh", "dash", "ksh", "source", "."], Language::Any, "-o -O --rcfile", "-c -n"),
    interpreter(&["pwsh", "powershell"], Language::Any, "-ExecutionPolicy", "-Command -c"),
];

const fn interpreter(names: &'static [&'static str], language: Language, values: &'static str, code: &'static str) -> Interpreter {
    Interpreter { names, language, values, code, verb: "" }
}

/// The name without what version and platform add to it: `vitest@3`, `gradlew.bat`, `jest.js`.
fn plain(program: &str) -> &str {
    let base = base_name(program);
    let base = base.split_once('@').map_or(base, |(name, _)| if name.is_empty() { base } else { name });
    [".cmd", ".bat", ".js", ".mjs", ".cjs", ".phar"].iter().find_map(|ending| base.strip_suffix(ending)).unwrap_or(base)
}

/// Is it a program of the table, or one that runs scripts?
pub(super) fn is_program(name: &str) -> bool {
    find(plain(name)).is_some() || is_tool(plain(name))
}

fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')) || matches!(name, "py" | "pythonw")
}

/// What the program runs; `None` where it is no run of a gate.
pub(super) fn of_program(program: &str, args: &[Option<String>], dir: &Path) -> Option<Found> {
    of_program_at(program, args, dir, 0)
}

/// The same, inside `depth` package managers.
pub(super) fn of_program_at(program: &str, args: &[Option<String>], dir: &Path, depth: usize) -> Option<Found> {
    if depth > MAX_DEPTH {
        return None;
    }
    let (mut program, mut args) = (program, args);
    for _ in 0..MAX_ROUNDS {
        let name = plain(program);
        if is_python(name) {
            match python(args)? {
                Call::Module(module, rest) => {
                    (program, args) = (if module == "pre_commit" { "pre-commit" } else { module }, rest);
                    continue;
                }
                Call::File(file, rest) if is_program(file) => {
                    (program, args) = (file, rest);
                    continue;
                }
                Call::File(file, _) => return test_file(file, Language::Python, dir),
            }
        }
        if matches!(name, "coverage" | "exec") || (name == "composer" && args.first().is_some_and(|arg| arg.as_deref() == Some("exec"))) {
            let parsed =
                parse(args, Spelling { values: "--source --omit --include --rcfile --data-file --context", ..Spelling::default() });
            match parsed.operand(0)? {
                "run" => (program, args) = ("python", &args[1..]),
                "exec" => (program, args) = (parsed.operand(1)?, parsed.behind(1)),
                _ => return None,
            }
            continue;
        }
        // `go run example.org/cmd/golangci-lint@v2 run`, `go tool gotestsum`
        if name == "go"
            && args.first().is_some_and(|arg| matches!(arg.as_deref(), Some("run" | "tool")))
            && let Some(Some(tool)) = args.get(1)
            && is_program(tool)
        {
            (program, args) = (tool, &args[2..]);
            continue;
        }
        if name == "concurrently" {
            return scripts::concurrently(args, dir);
        }
        if let Some(program) = lookup(name) {
            match of_table(program, args, dir) {
                Match::Run(found) => return Some(*found),
                Match::NoRun => return None,
                Match::Other => {}
            }
        }
        if let Some(found) = task(name, args, dir, depth) {
            return Some(found);
        }
        let Some(interpreter) = INTERPRETERS.iter().find(|known| known.names.contains(&name)) else {
            return shell_script(program, dir);
        };
        let (file, rest) = file_of(interpreter, args)?;
        if is_program(file) {
            (program, args) = (file, rest);
        } else if interpreter.language == Language::Any && !is_temporary(file) {
            return if names_extension(file, "t") { test_file(file, Language::Any, dir) } else { shell_script(base_name(file), dir) };
        } else {
            return test_file(file, interpreter.language, dir);
        }
    }
    None
}

/// The program of the table; PowerShell's names are read whatever their case.
fn lookup(name: &str) -> Option<&'static Program> {
    find(name).or_else(|| {
        let cmdlet = name.get(..7).is_some_and(|verb| verb.eq_ignore_ascii_case("invoke-"));
        if cmdlet { find(&name.to_ascii_lowercase()) } else { None }
    })
}

enum Call<'a> {
    Module(&'a str, &'a [Option<String>]),
    File(&'a str, &'a [Option<String>]),
}

/// `python [options] -m module …`, `python [options] file …`
fn python(args: &[Option<String>]) -> Option<Call<'_>> {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.as_deref()?;
        match text {
            "-m" => return Some(Call::Module(args.get(at + 1)?.as_deref()?, &args[at + 2..])),
            "-c" | "-V" | "--version" | "-h" | "--help" | "-" => return None,
            "-W" | "-X" | "--source" | "--omit" | "--include" | "--rcfile" | "--data-file" | "--context" => at += 2,
            _ if text.starts_with('-') => at += 1,
            _ => return Some(Call::File(text, &args[at + 1..])),
        }
    }
    None
}

/// The file an interpreter is given.
fn file_of<'a>(interpreter: &Interpreter, args: &'a [Option<String>]) -> Option<(&'a str, &'a [Option<String>])> {
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.as_deref()?;
        if lists(interpreter.code, text) {
            return None;
        }
        if text == "-S" && interpreter.language == Language::Ruby {
            return Some((args.get(at + 1)?.as_deref()?, &args[at + 2..]));
        }
        if lists(interpreter.values, text) {
            at += 2;
        } else if text.starts_with('-') || (text == interpreter.verb && !text.is_empty()) {
            at += 1;
        } else {
            return Some((text, &args[at + 1..]));
        }
    }
    None
}

fn is_temporary(file: &str) -> bool {
    ["/tmp/", "/var/tmp/", "/private/"].iter().any(|root| file.starts_with(root))
}

/// A file of tests that an interpreter runs.
fn test_file(file: &str, language: Language, dir: &Path) -> Option<Found> {
    let base = base_name(file);
    let (stem, ending) = base.rsplit_once('.').unwrap_or((base, ""));
    let named = ["test_", "test-"].iter().any(|lead| stem.starts_with(lead))
        || ["_test", "-test", ".test", ".spec", "_spec"].iter().any(|end| stem.ends_with(end))
        || matches!(stem, "runtests" | "run_tests" | "run-tests");
    let tests = match language {
        Language::Python => named && ending == "py",
        Language::JavaScript => {
            named || matches!(stem, "test" | "tests") || matches!(file.trim_start_matches("./"), "test/index.js" | "tests/index.js")
        }
        Language::Php => stem.ends_with("Test"),
        Language::Ruby => named && ending == "rb",
        _ => ending == "t",
    };
    if !tests || is_temporary(file) {
        return None;
    }
    let mut narrow = String::new();
    push(&mut narrow, file);
    Some(Found { gates: TEST, language, narrow, dir: dir.clone(), ..Found::default() })
}

/// A script file whose name says what it is for: `./test.sh`.
fn shell_script(program: &str, dir: &Path) -> Option<Found> {
    let stem = [".sh", ".bash", ".zsh", ".ps1"].iter().find_map(|ending| program.strip_suffix(ending))?;
    let named = of_name(stem);
    let mut narrow = String::new();
    if named.part {
        push(&mut narrow, program);
    }
    let gate = !named.other && (!named.gates.is_empty() || named.superset);
    gate.then(|| Found { gates: named.gates, superset: named.superset, narrow, dir: dir.clone(), ..Found::default() })
}

enum Match {
    Run(Box<Found>),
    /// It is certainly no run.
    NoRun,
    /// The table does not tell.
    Other,
}

fn of_table(program: &'static Program, args: &[Option<String>], dir: &Path) -> Match {
    let Program { values, narrow, dir: folder, never, own, .. } = program;
    let parsed = parse(args, Spelling { values, narrow, dir: folder, never, own });
    if parsed.never {
        return Match::NoRun;
    }
    let mut found = Found { language: program.language, errors: program.errors, ..Found::default() };
    if program.tasks {
        if !tasks(program, &parsed, &mut found) {
            return Match::Other;
        }
    } else {
        let Some((run, words)) = program.runs.iter().find_map(|run| fits(run, &parsed).map(|words| (run, words))) else {
            return Match::Other;
        };
        if run.gates.is_empty() && !run.superset {
            return Match::NoRun;
        }
        take(program, run, &mut found);
        parsed.narrowing(&mut found.narrow);
        if run.operands != Operands::Ignored {
            parsed.narrowing_operands(words, run.operands == Operands::Filter, &mut found.narrow);
        }
        special(program, &parsed, &mut found);
    }
    let quiet = !found.gates.has(super::Gate::Test) && parsed.has_any(QUIET);
    found.prints &= !quiet && !parsed.has_option(REPORTS);
    found.dir = parsed.dir(dir);
    Match::Run(Box::new(found))
}

/// Adds a run to what is found.
fn take(program: &'static Program, run: &'static Run, found: &mut Found) {
    found.gates = found.gates.with(run.gates);
    found.implies = found.implies.with(run.implies);
    found.superset |= run.superset;
    found.prints |= run.prints;
    found.runner = match program.name {
        _ if !run.runner.is_empty() => run.runner,
        "gradlew" => "gradle",
        "mvn" | "mvnd" | "mvnw" => "maven",
        "cross" => "cargo",
        "vue-tsc" => "tsc",
        name => name,
    };
}

/// Does the call fit? How many operands its subcommand takes.
fn fits(run: &Run, parsed: &Parsed<'_>) -> Option<usize> {
    if (!run.needs.is_empty() && !parsed.has_any(run.needs)) || parsed.has_any(run.without) {
        return None;
    }
    run.words.split('|').find_map(|words| {
        let mut count = 0;
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            if parsed.operand(count) != Some(word) {
                return None;
            }
            count += 1;
        }
        Some(count)
    })
}

/// Each operand is a task of its own: `mvn clean verify`, `gradle :app:test`.
fn tasks(program: &'static Program, parsed: &Parsed<'_>, found: &mut Found) -> bool {
    let usable = |run: &Run| (run.needs.is_empty() || parsed.has_any(run.needs)) && !parsed.has_any(run.without);
    let named =
        |name: &str| program.runs.iter().find(|run| usable(run) && run.words.split('|').any(|word| word == name && !word.is_empty()));
    let mut operands = 0;
    for operand in parsed.operands() {
        operands += 1;
        // `sbt "testOnly x"`, `gradle :app:test`
        let (word, filter) = operand.split_once(' ').map_or((operand, ""), |(word, filter)| (word, filter));
        let last = word.rsplit(':').next().unwrap_or(word);
        if let Some(run) = named(word).or_else(|| named(last)) {
            take(program, run, found);
            if named(word).is_none() && word.trim_start_matches(':') != last {
                push(&mut found.narrow, word);
            }
            push(&mut found.narrow, filter);
        }
    }
    let default = program.runs.iter().find(|run| run.words.is_empty() && usable(run));
    if let Some(run) = default.filter(|_| found.runner.is_empty()) {
        take(program, run, found);
    }
    parsed.narrowing(&mut found.narrow);
    // `xcodebuild` without an action builds.
    if operands == 0 && found.runner.is_empty() && program.name == "xcodebuild" && parsed.has_any("-scheme -target -workspace -project") {
        found.gates = table::BUILD;
        found.runner = program.name;
    }
    !found.gates.is_empty() || found.superset
}

/// What the names of environments and hooks say: `tox -e lint`, `pre-commit run ruff`.
fn special(program: &Program, parsed: &Parsed<'_>, found: &mut Found) {
    let mut named = Gates::NONE;
    match program.name {
        "tox" | "nox" => {
            for name in parsed.values("-e -s --session --sessions").flat_map(|list| list.split(',')) {
                let gates = of_name(name).gates;
                let python = name.starts_with("py") && !name.starts_with("pyl");
                named = named.with(if python { TEST } else { gates });
            }
        }
        "pre-commit" | "prek" => {
            if let Some(hook) = parsed.operand(1) {
                named = lookup(hook).and_then(|hook| hook.runs.first()).map_or(of_name(hook).gates, |run| run.gates);
                push(&mut found.narrow, hook);
            }
        }
        _ => {}
    }
    if !named.is_empty() {
        found.gates = named;
        found.superset = false;
    }
}
