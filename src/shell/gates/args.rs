//! Arguments of a gate: what is an option, what it takes, and what is left.

use super::super::Path;
use super::table::lists;

/// Arguments with which nearly every program runs nothing, or never ends.
const NEVER: &str = "--version -V --help -h --collect-only --list --listTests --list-tests --no-run --dry-run \
     --print-config --init --watch --watchAll";
/// Longest narrowing text, in bytes.
const MAX_NARROW: usize = 80;
/// Operands that stand for the whole.
const WHOLE: &str = ". ./ ./... ... .. all // //... tests tests/ ./tests ./tests/ test test/ ./test ./test/ src \
     src/ ./src ./src/ lib lib/ ./lib app app/ ./app t t/ spec spec/ ./spec packages packages/ \
     ./packages **";

/// Which words mean what, each a list of words.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spelling {
    pub(super) values: &'static str,
    pub(super) narrow: &'static str,
    pub(super) dir: &'static str,
    pub(super) never: &'static str,
    pub(super) own: &'static str,
}

/// Arguments told apart.
#[derive(Debug)]
pub(super) struct Parsed<'a> {
    args: &'a [Option<String>],
    /// Where the operands stand, in order.
    operands: Vec<usize>,
    spelling: Spelling,
    /// With these arguments nothing is run.
    pub(super) never: bool,
}

/// Reads the arguments; `None` for one that cannot be known.
pub(super) fn parse(args: &[Option<String>], spelling: Spelling) -> Parsed<'_> {
    let mut parsed = Parsed { args, operands: Vec::new(), spelling, never: false };
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.as_deref().unwrap_or("");
        if text.len() > 1 && text.starts_with('-') {
            let never = lists(spelling.never, text) || (lists(NEVER, text) && !lists(spelling.own, text));
            parsed.never |= never;
            let next = args.get(at + 1).and_then(Option::as_deref);
            let takes = lists(spelling.values, text) || matches!(next, Some("true" | "false"));
            at += usize::from(takes && !never);
        } else if text.starts_with('+') && at == 0 {
            // `cargo +nightly`
        } else {
            parsed.never |= parsed.operands.is_empty() && lists(spelling.never, text);
            parsed.operands.push(at);
        }
        at += 1;
    }
    parsed
}

/// The name of an option, without a value behind `=`.
fn name_of(text: &str) -> &str {
    value_of(text).map_or(text, |(name, _)| name)
}

/// An option's name and the value behind its `=`.
fn value_of(text: &str) -> Option<(&str, &str)> {
    // Arguments are short: a search that begins at once is the fastest.
    let at = text.bytes().position(|byte| byte == b'=')?;
    Some((&text[..at], &text[at + 1..]))
}

impl<'a> Parsed<'a> {
    /// The operand, empty where it cannot be known.
    pub(super) fn operand(&self, at: usize) -> Option<&'a str> {
        self.operands.get(at).map(|at| self.args[*at].as_deref().unwrap_or(""))
    }

    pub(super) fn operands(&self) -> impl Iterator<Item = &'a str> {
        self.operands.iter().map(|at| self.args[*at].as_deref().unwrap_or(""))
    }

    /// What stands behind the operand, options and all.
    pub(super) fn behind(&self, operand: usize) -> &'a [Option<String>] {
        self.operands.get(operand).and_then(|at| self.args.get(at + 1..)).unwrap_or(&[])
    }

    /// One of the listed words is there: `--check`, or `--target=test` in one word or in two.
    pub(super) fn has_any(&self, list: &str) -> bool {
        !list.is_empty()
            && self.args.iter().enumerate().any(|(at, arg)| {
                let Some(text) = arg.as_deref() else { return false };
                let next = self.args.get(at + 1).and_then(Option::as_deref);
                list.split(' ')
                    .any(|wanted| wanted == text || wanted.split_once('=').is_some_and(|(name, value)| name == text && next == Some(value)))
            })
    }

    /// One of the listed options is there, with a value or without.
    pub(super) fn has_option(&self, list: &str) -> bool {
        self.args.iter().flatten().any(|text| lists(list, name_of(text)))
    }

    /// The values of the listed options.
    pub(super) fn values(&self, list: &'a str) -> impl Iterator<Item = &'a str> {
        self.args.iter().enumerate().filter_map(move |(at, arg)| {
            let text = arg.as_deref()?;
            if lists(list, text) {
                return self.args.get(at + 1)?.as_deref();
            }
            value_of(text).filter(|(name, _)| lists(list, name)).map(|(_, value)| value)
        })
    }

    /// The directory its options lead to from `dir`.
    pub(super) fn dir(&self, dir: &Path) -> Path {
        if self.spelling.dir.is_empty() {
            return dir.clone();
        }
        let mut found = dir.clone();
        for (at, arg) in self.args.iter().enumerate() {
            let Some(text) = arg.as_deref() else { continue };
            let attached = text.strip_prefix("-C").filter(|rest| !rest.is_empty() && lists(self.spelling.dir, "-C"));
            if lists(self.spelling.dir, text) {
                found = match self.args.get(at + 1) {
                    Some(Some(value)) => below(&found, value),
                    _ => Path::unknown(),
                };
            } else if let Some((_, value)) = value_of(text).filter(|(name, _)| lists(self.spelling.dir, name)) {
                found = below(&found, value);
            } else if let Some(value) = attached {
                found = below(&found, value);
            }
        }
        found
    }

    /// The options that narrow, with their values, as written.
    pub(super) fn narrowing(&self, narrow: &mut String) {
        let mut at = 0;
        while let Some(arg) = self.args.get(at) {
            if let Some(text) = arg.as_deref().filter(|text| text.starts_with('-')) {
                let takes = lists(self.spelling.values, text);
                // `-kone`, `-only-testing:x`
                let attached = text.get(..2).is_some_and(|short| {
                    text.len() > 2 && !text.starts_with("--") && matches!(short, "-k" | "-t" | "-g") && lists(self.spelling.values, short)
                }) && lists(self.spelling.narrow, &text[..2]);
                if attached
                    || lists(self.spelling.narrow, name_of(text))
                    || text.split_once(':').is_some_and(|(name, _)| lists(self.spelling.narrow, name))
                {
                    push(narrow, text);
                    if takes {
                        push(narrow, self.args.get(at + 1).map_or("", |value| value.as_deref().unwrap_or("…")));
                    }
                }
                at += usize::from(takes);
            }
            at += 1;
        }
    }

    /// The operands from `start` on that narrow; `whole` are passed over.
    pub(super) fn narrowing_operands(&self, start: usize, every: bool, narrow: &mut String) {
        for at in self.operands.iter().skip(start) {
            match self.args[*at].as_deref() {
                None => push(narrow, "…"),
                Some("" | "-" | "--") => {}
                Some(text) if every || !is_whole(text) => push(narrow, text),
                Some(_) => {}
            }
        }
    }
}

/// The operand stands for everything there is.
fn is_whole(text: &str) -> bool {
    let ending = text.rsplit_once('.').map_or("", |(_, ending)| ending);
    lists(WHOLE, text)
        || text.starts_with("**/")
        || text.starts_with("./**/")
        || ["src/*", "./src/*", "test/*", "./test/*", "tests/*", "./tests/*", "spec/*"].iter().any(|lead| text.starts_with(lead))
        || matches!(ending, "sln" | "slnx")
}

/// Adds a word to a narrowing text.
pub(super) fn push(narrow: &mut String, text: &str) {
    if text.is_empty() || narrow.len() >= MAX_NARROW {
        return;
    }
    if !narrow.is_empty() {
        narrow.push(' ');
    }
    let mut end = text.len().min(MAX_NARROW.saturating_sub(narrow.len()));
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    narrow.push_str(&text[..end]);
}

/// The directory `value` names, seen from `dir`; the folder of a file that configures something.
fn below(dir: &Path, value: &str) -> Path {
    let base = value.rsplit(['/', '\\']).next().unwrap_or(value);
    let file = base.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && ["json", "jsonc", "toml", "xml", "gradle", "kts", "yml", "yaml", "js", "ts", "mjs", "cjs", "csproj", "lock"]
                .contains(&ending)
    });
    let folder = if file { &value[..value.len() - base.len()] } else { value };
    if folder.is_empty() {
        return dir.clone();
    }
    Path { folder: false, ..Path::from_text(folder, dir, false) }
}
