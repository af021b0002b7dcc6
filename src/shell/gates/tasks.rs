//! Programs that run a script of the project by its name: `npm run test`, `make check`, `just lint`.

use super::args::{Parsed, Spelling, parse, push};
use super::names::of_name;
use super::table::{BUILD, FORMAT, lists};
use super::{Found, Gates, Language, Script, ScriptFile};
use crate::shell::Path;

/// How a program that runs scripts is called.
struct Tool {
    name: &'static str,
    language: Language,
    /// Words before the script's name, one of which must be there.
    verbs: &'static str,
    /// The verb may be left out.
    bare: bool,
    /// What it does when it is not given a name.
    default: Gates,
    default_superset: bool,
    /// Every operand is a name of its own.
    many: bool,
    file: Option<ScriptFile>,
    spelling: Spelling,
    /// Its own subcommands, which name no script.
    builtins: &'static str,
}

const fn tool(name: &'static str, language: Language) -> Tool {
    Tool {
        name,
        language,
        verbs: "",
        bare: true,
        default: Gates::NONE,
        default_superset: false,
        many: false,
        file: None,
        spelling: Spelling { values: "", narrow: "", dir: "", never: "", own: "" },
        builtins: "",
    }
}

impl Tool {
    const fn verbs(self, verbs: &'static str) -> Self {
        Tool { verbs, bare: false, ..self }
    }
    const fn verbs_or_none(self, verbs: &'static str) -> Self {
        Tool { verbs, ..self }
    }
    const fn default(self, default: Gates, default_superset: bool) -> Self {
        Tool { default, default_superset, ..self }
    }
    const fn many(self) -> Self {
        Tool { many: true, ..self }
    }
    const fn file(self, file: ScriptFile) -> Self {
        Tool { file: Some(file), ..self }
    }
    const fn values(self, values: &'static str) -> Self {
        Tool { spelling: Spelling { values, ..self.spelling }, ..self }
    }
    const fn narrow(self, narrow: &'static str) -> Self {
        Tool { spelling: Spelling { narrow, ..self.spelling }, ..self }
    }
    const fn dir(self, dir: &'static str) -> Self {
        Tool { spelling: Spelling { dir, ..self.spelling }, ..self }
    }
    const fn never(self, never: &'static str) -> Self {
        Tool { spelling: Spelling { never, ..self.spelling }, ..self }
    }
    const fn builtins(self, builtins: &'static str) -> Self {
        Tool { builtins, ..self }
    }
}

const fn make(name: &'static str) -> Tool {
    tool(name, Language::Any)
        .default(BUILD, false)
        .many()
        .file(ScriptFile::Makefile)
        .values("-C --directory -f --file --makefile -I -o -W -l --load-average")
        .dir("-C --directory")
        .never("-n --just-print --recon -p --print-data-base -v -q --question")
}

const NPM_BUILTINS: &str = "install i ci add remove rm uninstall update up outdated audit publish pack init create view \
     info show ls list link login logout config get set cache prune dedupe fund doctor explain \
     why ping version exec x start stop restart dlx store env patch root bin import import-x \
     licenses self-update setup fetch rebuild server deploy help upgrade upgrade-interactive \
     workspaces-info global policies set-resolution unlink unplug node npm pm repl plugin \
     constraints search owner team token whoami completion";
const MISE_BUILTINS: &str = "activate alias backends bin-paths cache completion config current deactivate direnv doctor \
     dr en env e exec x fmt generate g hook-env implode install i install-into latest link ln \
     local global ls list ls-remote lock mcp outdated plugins plugin p prepare prune registry \
     reshim search self-update set settings shell sh sync tasks t tool tool-stub trust uninstall \
     unset unuse rm remove up upgrade use u version v watch w where which help";
const TURBO_NARROW: &str = "--filter -F --affected --scope --since";

/// In the order of their names.
static TOOLS: &[Tool] = &[
    tool("ant", Language::Jvm).many().values("-f -file -buildfile -lib -logger").never("-p -projecthelp -version -diagnostics"),
    make("bmake"),
    tool("bun", Language::JavaScript)
        .verbs_or_none("run")
        .file(ScriptFile::PackageJson)
        .values("--cwd --filter -F --env-file -c --config")
        .narrow("--filter -F")
        .dir("--cwd")
        .builtins(NPM_BUILTINS),
    tool("composer", Language::Php)
        .verbs_or_none("run run-script")
        .file(ScriptFile::PackageJson)
        .values("-d --working-dir --timeout")
        .dir("-d --working-dir")
        .builtins(
            "install update require remove validate check-platform-reqs dump-autoload dumpautoload audit \
                 show outdated why init create-project diagnose self-update selfupdate config global status \
                 fund licenses search archive bump exec depends prohibits reinstall clear-cache suggests \
                 about browse i u r up",
        ),
    tool("deno", Language::JavaScript).verbs("task").values("--cwd --filter -f -c --config").dir("--cwd"),
    tool("devbox", Language::Any).verbs("run").values("-c --config -e --env"),
    make("gmake"),
    tool("grunt", Language::JavaScript).many().values("--gruntfile --base"),
    tool("gulp", Language::JavaScript).many().values("-f --gulpfile --cwd").never("-T --tasks"),
    tool("hatch", Language::Python).verbs("run").values("-e --env -p --project"),
    tool("inv", Language::Python).many().values("-c --collection -r --search-root").never("-l"),
    tool("invoke", Language::Python).many().values("-c --collection -r --search-root").never("-l"),
    tool("just", Language::Any)
        .file(ScriptFile::Justfile)
        .values("-f --justfile -d --working-directory --shell --dotenv-path --color")
        .dir("-d --working-directory")
        .never("-n -l -s --show --summary --evaluate --choose --dump --fmt --variables -e --edit --groups"),
    tool("lerna", Language::JavaScript).verbs("run").many().values("--scope --ignore --since --concurrency").narrow(TURBO_NARROW),
    tool("mage", Language::Go).many().values("-d -w -t").dir("-d -w").never("-l"),
    make("make"),
    tool("melos", Language::Any).verbs_or_none("run").builtins("bootstrap bs clean exec list publish version init format analyze"),
    make("mingw32-make"),
    tool("mise", Language::Any)
        .verbs_or_none("run r")
        .file(ScriptFile::Tasks)
        .builtins(MISE_BUILTINS)
        .values("-C --cd -E --env -j --jobs -o --output -t --tool")
        .dir("-C --cd")
        .never("-n ls --interactive"),
    tool("moon", Language::Any).verbs("run r").many(),
    make("nmake"),
    tool("npm", Language::JavaScript)
        .verbs("run run-script rum urn")
        .file(ScriptFile::PackageJson)
        .values("--prefix -C -w --workspace --loglevel --script-shell --userconfig")
        .narrow("-w --workspace")
        .dir("--prefix -C"),
    tool("npm-run-all", Language::JavaScript).many().file(ScriptFile::PackageJson),
    tool("npm-run-all2", Language::JavaScript).many().file(ScriptFile::PackageJson),
    tool("pants", Language::Any).many(),
    tool("pdm", Language::Python).verbs_or_none("run").values("-p --project").dir("-p --project").builtins(
        "install add remove update sync lock list build publish init use venv config cache info show \
             plugin self import export search fix outdated",
    ),
    tool("pipenv", Language::Python).verbs("run"),
    tool("pixi", Language::Any).verbs("run r").values("-e --environment --manifest-path").dir("--manifest-path"),
    tool("pnpm", Language::JavaScript)
        .verbs_or_none("run run-script")
        .file(ScriptFile::PackageJson)
        .values(
            "-C --dir -F --filter --filter-prod --reporter --loglevel --workspace-concurrency \
                 --resume-from --test-pattern",
        )
        .narrow("-F --filter --filter-prod --changed-files-ignore-pattern")
        .dir("-C --dir")
        .builtins(NPM_BUILTINS),
    tool("poe", Language::Python).values("-C --directory --root").dir("-C --directory --root"),
    tool("rake", Language::Ruby)
        .default(Gates::NONE, true)
        .many()
        .values("-f --rakefile -R -I -j -m")
        .never("-T -P -n -W -D --tasks --prereqs"),
    tool("run-p", Language::JavaScript).many().file(ScriptFile::PackageJson),
    tool("run-s", Language::JavaScript).many().file(ScriptFile::PackageJson),
    tool("rush", Language::JavaScript)
        .builtins("install update add change publish purge init link unlink scan version check")
        .values("-t --to -o --only")
        .narrow("-t --to -o --only"),
    tool("rushx", Language::JavaScript),
    tool("rye", Language::Python)
        .verbs_or_none("run test lint")
        .builtins("sync add remove lock init build publish pin fetch show self config toolchain tools fmt"),
    tool("task", Language::Any)
        .many()
        .file(ScriptFile::Tasks)
        .values("-d --dir -t --taskfile -o --output -C --concurrency -I --interval")
        .dir("-d --dir")
        .never("-l -a --list-all --dry -n --summary --status --init -i"),
    tool("turbo", Language::JavaScript)
        .verbs_or_none("run")
        .many()
        .values("-F --filter --concurrency --cache-dir --output-logs --log-order --env-mode --cwd --token --team")
        .narrow(TURBO_NARROW)
        .dir("--cwd")
        .never("--dry --graph")
        .builtins("prune login logout link unlink gen generate daemon ls query watch telemetry scan info bin"),
    tool("yarn", Language::JavaScript)
        .verbs_or_none("run")
        .file(ScriptFile::PackageJson)
        .values("--cwd --mode --use-yarnrc")
        .dir("--cwd")
        .builtins(NPM_BUILTINS),
];

/// Options that narrow whatever test runner a script starts, and those of them that take a value.
const PASSED_NARROW: &str = "-w --workspace -t -k -g -m --grep --filter --testNamePattern --testPathPattern \
     --testPathPatterns --test-name-pattern -run --lf --last-failed --changed --related \
     --onlyChanged --findRelatedTests --project --shard --spec --tests --group --testsuite";
const PASSED_VALUES: &str = "-w --workspace -t -k -g -m --grep --filter --testNamePattern --testPathPattern \
     --testPathPatterns --test-name-pattern -run --project --shard --spec --tests --group \
     --testsuite --reporter --config -c --maxWorkers --testTimeout --outputFile --bail";

/// Where a script's name was found.
struct Name<'a> {
    script: &'a str,
    /// What is handed to it.
    rest: &'a [Option<String>],
}

/// What a call of a script runner runs; `None` where it runs no script, or one that is no gate.
pub(super) fn task(program: &str, args: &[Option<String>], dir: &Path, depth: usize) -> Option<Found> {
    if program == "nx" {
        return nx(args, dir);
    }
    let tool = TOOLS.binary_search_by(|tool| tool.name.cmp(program)).ok().and_then(|at| TOOLS.get(at))?;
    let parsed = parse(args, tool.spelling);
    let dry = tool.file == Some(ScriptFile::Makefile) && args.iter().flatten().any(|text| is_dry(text));
    if parsed.never || dry {
        return None;
    }
    let mut found = Found { language: tool.language, dir: parsed.dir(dir), ..Found::default() };
    let mut at = 0;
    if program == "yarn" || program == "npm" || program == "pnpm" {
        at = workspaces(&parsed, &mut found)?;
    }
    let name = name_of(tool, &parsed, at);
    let Some(name) = name else {
        // A bare `make`; behind a verb, or with an assignment only, a list or the default.
        let bare = parsed.operands().all(|operand| is_assignment(operand) || is_number(operand));
        let default = bare && (!tool.default.is_empty() || tool.default_superset || matches!(tool.name, "just" | "task"));
        (found.gates, found.superset) = (tool.default, tool.default_superset);
        found.script = tool.file.map(|file| Script { file, name: String::new() });
        return default.then_some(found);
    };
    if tool.many { several(tool, &parsed, &name, found) } else { one(tool, &name, args, found, depth) }
}

/// Is it a program that runs scripts?
pub(super) fn is_tool(program: &str) -> bool {
    program == "nx" || TOOLS.binary_search_by(|tool| tool.name.cmp(program)).is_ok()
}

/// `make -nB test`: letters of options without a value, a dry run among them.
fn is_dry(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|letters| letters.contains(['n', 'q']) && letters.chars().all(|c| "bBdeikLnqrRsStw".contains(c)))
}

/// `make -j 4 test`
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_assignment(text: &str) -> bool {
    crate::shell::wrappers::is_assignment(text)
}

/// `yarn workspace x`, `yarn workspaces foreach -A run`, `yarn workspaces run`: the index of what follows.
fn workspaces(parsed: &Parsed<'_>, found: &mut Found) -> Option<usize> {
    match parsed.operand(0) {
        Some("workspace") => {
            push(&mut found.narrow, "workspace");
            push(&mut found.narrow, parsed.operand(1)?);
            Some(2)
        }
        Some("workspaces") => {
            let run = parsed.operands().position(|operand| operand == "run")?;
            Some(run)
        }
        Some("recursive" | "multi" | "m") => Some(1),
        _ => Some(0),
    }
}

fn name_of<'a>(tool: &Tool, parsed: &Parsed<'a>, at: usize) -> Option<Name<'a>> {
    // Unknown words before a known one are taken for options (`make -j$(nproc) test`).
    let at = (at..at + 4).find(|at| parsed.operand(*at) != Some(""))?;
    let first = parsed.operand(at)?;
    let alias = match (tool.name, first) {
        ("npm" | "pnpm", "t" | "tst" | "test" | "it" | "install-test") => Some("test"),
        ("rye", "test" | "lint") => Some(first),
        _ => None,
    };
    let at = if alias.is_some() {
        at
    } else if lists(tool.verbs, first) {
        at + 1
    } else if tool.bare && !lists(tool.builtins, first) {
        at
    } else {
        return None;
    };
    let at = (at..at + 8).find(|at| {
        parsed.operand(*at).is_none_or(|operand| !matches!(operand, "--" | "") && !is_assignment(operand) && !is_number(operand))
    })?;
    let script = alias.unwrap_or(parsed.operand(at)?);
    (!script.is_empty()).then_some(Name { script, rest: parsed.behind(at) })
}

fn one(tool: &Tool, name: &Name<'_>, args: &[Option<String>], mut found: Found, depth: usize) -> Option<Found> {
    // `yarn eslint`, `pnpm vitest run`, `bun x.test.ts`: a program rather than a script.
    let before = parse(&args[..args.len() - name.rest.len()], tool.spelling);
    before.narrowing(&mut found.narrow);
    if matches!(tool.name, "pnpm" | "yarn" | "bun") && super::find::is_program(name.script) {
        let mut inner = super::find::of_program_at(name.script, name.rest, &found.dir, depth + 1)?;
        push(&mut found.narrow, &inner.narrow);
        inner.narrow = found.narrow;
        return Some(inner);
    }
    let named = of_name(name.script.trim_start_matches(|c: char| !c.is_alphanumeric()));
    let file = tool.name == "bun" && name.script.contains('.');
    if named.other || file || name.script.contains(['/', '$']) && tool.file != Some(ScriptFile::Tasks) {
        return None;
    }
    (found.gates, found.superset) = (named.gates, named.superset);
    passed(name.rest, &mut found.narrow);
    if named.part {
        push(&mut found.narrow, name.script);
    }
    if tool.name == "just" {
        for more in name.rest.iter().flatten().map(|text| of_name(text)) {
            found.gates = found.gates.with(more.gates);
        }
    }
    found.script = tool.file.map(|file| Script { file, name: name.script.to_owned() });
    (found.script.is_some() || !found.gates.is_empty() || found.superset).then_some(found)
}

/// Each operand names a script.
fn several(tool: &Tool, parsed: &Parsed<'_>, first: &Name<'_>, mut found: Found) -> Option<Found> {
    let skipped = parsed.operands().position(|operand| std::ptr::eq(operand, first.script)).unwrap_or(0);
    let mut count = 0;
    let mut real = 0;
    for operand in parsed.operands().skip(skipped).take_while(|operand| *operand != "--") {
        if is_assignment(operand) {
            narrowing_assignment(operand, &mut found.narrow);
            continue;
        }
        if operand.is_empty() || is_number(operand) {
            continue;
        }
        // `rake test[x]`, `pkg#test`, `:app:test`
        let name = operand.rsplit('#').next().unwrap_or(operand);
        let name = if tool.file == Some(ScriptFile::Makefile) && name == "all" { "build" } else { name };
        let named = of_name(name.trim_start_matches(':'));
        count += 1;
        real += usize::from(!named.other);
        found.gates = found.gates.with(named.gates);
        found.superset |= named.superset;
        if named.part {
            push(&mut found.narrow, operand);
        }
    }
    if count == 0 || real == 0 {
        return None;
    }
    found.superset |= count > 1 && tool.name == "turbo";
    parsed.narrowing(&mut found.narrow);
    let file = tool.file.filter(|_| count == 1 && !parsed.has_any("-f --file --makefile --taskfile"));
    found.script = file.map(|file| Script { file, name: first.script.to_owned() });
    (found.script.is_some() || !found.gates.is_empty() || found.superset).then_some(found)
}

/// `make test TEST=one`
fn narrowing_assignment(text: &str, narrow: &mut String) {
    let name = text.split('=').next().unwrap_or("").to_ascii_uppercase();
    if ["TEST", "PKG", "RUN", "FILTER", "ARGS", "ONLY", "GREP", "FILE", "SPEC"].iter().any(|part| name.contains(part)) {
        push(narrow, text);
    }
}

/// What is handed on to a script, as far as it narrows any test runner.
fn passed(rest: &[Option<String>], narrow: &mut String) {
    let parsed = parse(rest, Spelling { values: PASSED_VALUES, narrow: PASSED_NARROW, ..Spelling::default() });
    parsed.narrowing(narrow);
    parsed.narrowing_operands(0, false, narrow);
}

/// `nx test app`, `nx run app:test`, `nx run-many -t test lint`, `nx affected --target=test`.
fn nx(args: &[Option<String>], dir: &Path) -> Option<Found> {
    const SPELLING: Spelling = Spelling {
        values: "--target --configuration -c --parallel --base --head --exclude --output-style --projects -p --runner",
        narrow: "--projects -p --exclude --base --head --testFile --testNamePattern",
        dir: "",
        never: "--graph",
        own: "",
    };
    let parsed = parse(args, SPELLING);
    let verb = parsed.operand(0).filter(|_| !parsed.never)?;
    let mut found = Found { language: Language::JavaScript, dir: dir.clone(), ..Found::default() };
    let mut add = |name: &str| {
        let named = of_name(name);
        found.gates = found.gates.with(named.gates);
        found.superset |= named.superset;
    };
    let mut narrow = String::new();
    match verb {
        "run" => {
            let (project, target) = parsed.operand(1)?.split_once(':')?;
            add(target);
            push(&mut narrow, project);
        }
        "run-many" | "affected" => {
            for name in parsed.values("-t --target --targets").flat_map(|list| list.split(',')) {
                add(name);
            }
            // `-t test lint`
            for name in parsed.operands().skip(1) {
                add(name);
            }
        }
        _ => match verb.split_once(':') {
            Some(("affected", target)) => add(target),
            Some(("format", "check")) => found.gates = FORMAT,
            _ if matches!(verb, "test" | "lint" | "build" | "e2e" | "typecheck" | "type-check") => {
                add(verb);
                push(&mut narrow, parsed.operand(1).unwrap_or(""));
            }
            _ => return None,
        },
    }
    if verb.starts_with("affected") {
        push(&mut narrow, "affected");
    }
    parsed.narrowing(&mut narrow);
    found.narrow = narrow;
    (!found.gates.is_empty() || found.superset).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_stand_in_order() {
        for pair in TOOLS.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} {}", pair[0].name, pair[1].name);
        }
    }
}
