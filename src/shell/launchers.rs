//! Tools that run another program by a verb: `npm exec`, `uv run`, `direnv exec`.

use super::gates::names_script;
use super::words::Word;
use super::wrappers::{Spelling, after_options};

/// How a tool spells that it runs another program.
struct Launcher {
    tool: &'static str,
    verbs: &'static [&'static str],
    /// Its options, before the verb and behind it.
    spelling: Spelling,
    /// Options that name the directory it works in.
    dir: &'static [&'static str],
    /// A name behind the verb may be a script of the project's too (`hatch run test`).
    scripts: bool,
}

const fn launcher(tool: &'static str, verbs: &'static [&'static str], short: &'static str, long: &'static [&'static str]) -> Launcher {
    Launcher { tool, verbs, spelling: Spelling { short, long, operands: 0, assignments: false }, dir: &[], scripts: false }
}

impl Launcher {
    const fn dir(self, dir: &'static [&'static str]) -> Self {
        Launcher { dir, ..self }
    }

    const fn scripts(self) -> Self {
        Launcher { scripts: true, ..self }
    }

    /// Operands of its own stand between the verb and the program.
    const fn operands(self, operands: usize) -> Self {
        Launcher { spelling: Spelling { operands, ..self.spelling }, ..self }
    }
}

const UV: [&str; 12] = [
    "with",
    "python",
    "extra",
    "group",
    "package",
    "project",
    "directory",
    "env-file",
    "with-requirements",
    "with-editable",
    "only-group",
    "no-group",
];

/// In alphabetical order.
static LAUNCHERS: [Launcher; 34] = [
    launcher("asdf", &["exec"], "", &[]),
    launcher("aws-vault", &["exec"], "d", &["duration"]).operands(1),
    launcher("bun", &["x"], "", &["cwd", "filter"]).dir(&["--cwd"]),
    launcher("bundle", &["exec"], "", &["gemfile"]),
    launcher("chamber", &["exec"], "", &[]).operands(1),
    launcher("conda", &["run"], "np", &["name", "prefix", "cwd"]).dir(&["--cwd"]),
    launcher("devbox", &["run"], "ce", &["config", "env"]).dir(&["-c", "--config"]).scripts(),
    launcher("direnv", &["exec"], "", &[]).operands(1),
    launcher("doppler", &["run"], "pc", &["project", "config"]),
    launcher("dotenvx", &["run"], "fe", &["env-file", "env"]),
    launcher("fnm", &["exec"], "", &["using"]),
    launcher("hatch", &["run"], "ep", &["env", "project"]).scripts(),
    launcher("infisical", &["run"], "", &["env", "path", "projectId"]),
    launcher("lerna", &["exec"], "", &["scope", "ignore", "since", "concurrency"]),
    launcher("mamba", &["run"], "np", &["name", "prefix", "cwd"]).dir(&["--cwd"]),
    launcher("melos", &["exec"], "c", &["scope", "ignore", "concurrency"]),
    launcher("micromamba", &["run"], "np", &["name", "prefix", "cwd"]).dir(&["--cwd"]),
    launcher("npm", &["exec", "x"], "pwC", &["package", "workspace", "prefix"]).dir(&["--prefix", "-C"]),
    launcher("nvm", &["exec"], "", &[]).operands(1),
    launcher("op", &["run"], "", &["env-file"]),
    launcher("opam", &["exec"], "", &["switch"]),
    launcher("pdm", &["run"], "p", &["project"]).dir(&["-p", "--project"]).scripts(),
    launcher("pipenv", &["run"], "", &[]).scripts(),
    launcher("pipx", &["run"], "", &["spec", "python"]),
    launcher("pixi", &["run"], "e", &["environment", "manifest-path"]).scripts(),
    launcher("pnpm", &["exec", "dlx"], "CFp", &["package", "filter", "dir"]).dir(&["-C", "--dir"]),
    launcher("poetry", &["run"], "CP", &["directory", "project"]).dir(&["-C", "--directory", "-P", "--project"]),
    launcher("pyenv", &["exec"], "", &[]),
    launcher("rbenv", &["exec"], "", &[]),
    launcher("rye", &["run"], "p", &["pyproject"]).scripts(),
    launcher("teller", &["run"], "c", &["config"]),
    launcher("uv", &["run"], "p", &UV).dir(&["--directory", "--project"]),
    launcher("volta", &["run"], "", &["node", "npm", "yarn", "pnpm"]),
    launcher("yarn", &["exec", "dlx"], "p", &["package", "cwd"]).dir(&["--cwd"]),
];

/// What a launcher is about to run.
pub(super) struct Launched {
    /// Index of the program.
    pub(super) start: usize,
    /// Directories it changes to.
    pub(super) dirs: Vec<Word>,
    /// A text for a shell stands at this index instead (`npm exec -c '…'`).
    pub(super) text: Option<usize>,
}

/// What the command line launches; `None` where the program is no launcher, or does something else.
pub(super) fn launched(name: &str, words: &[Word]) -> Option<Launched> {
    let at = LAUNCHERS.binary_search_by(|launcher| launcher.tool.cmp(name)).ok()?;
    let launcher = &LAUNCHERS[at];
    let before = Spelling { operands: 0, ..launcher.spelling };
    let mut verb = after_options(words, 1, &before);
    // `uv tool run`
    verb += usize::from(name == "uv" && words.get(verb).is_some_and(|word| word.is("tool")));
    if !words.get(verb).and_then(Word::text).is_some_and(|text| launcher.verbs.contains(&text)) {
        return None;
    }
    let start = after_options(words, verb + 1, &launcher.spelling);
    let dirs = directories(words.get(1..start.min(words.len())).unwrap_or(&[]), launcher.dir);
    let call = words.iter().take(start).position(|word| word.is("-c") || word.is("--call"));
    let text = call.filter(|_| name == "npm").map(|at| at + 1);
    let script = launcher.scripts && words.get(start).and_then(Word::text).is_some_and(names_script);
    (!script).then_some(Launched { start, dirs, text })
}

/// The values of the options `names`, given as a word of their own or behind a `=`.
pub(super) fn directories(words: &[Word], names: &[&str]) -> Vec<Word> {
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        for name in names {
            if word.is(name) {
                found.extend(words.get(at + 1).cloned());
            } else if name.starts_with("--") {
                found.extend(word.strip_prefix(name).and_then(|rest| rest.strip_prefix("=")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_stand_in_order() {
        assert!(LAUNCHERS.is_sorted_by_key(|launcher| launcher.tool));
    }
}
