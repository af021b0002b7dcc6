//! One config file: its text, and what it says, with the line that each thing stands in.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::{LEVELS, nearest};
use crate::fs;
use crate::meta::{Meta, OptionMeta};
use crate::report::catalogue;
use crate::suppress::{Allow, Scope};
use crate::text;

/// Largest config that is read, in bytes.
pub(super) const MAX_BYTES: u64 = 1 << 20;

/// The keys of the file, and of an allow entry.
const KEYS: [&str; 3] = ["rules", "allow", "scan"];
const SCAN_KEYS: [&str; 1] = ["siblings"];
const ALLOW_KEYS: [&str; 5] = ["rule", "path", "command", "reason", "expires"];

/// What a file says.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) text: String,
    pub(super) settings: Vec<Setting>,
    pub(super) allow: Vec<Allow>,
    pub(super) siblings: Vec<String>,
}

/// A rule's level or the value of one of its options.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) rule: &'static Meta,
    pub(super) key: &'static str,
    /// The word, or the names with commas between.
    pub(super) value: String,
    /// `file:line`
    pub(super) place: String,
}

/// Reads a file; `None` when there is none.
pub(super) fn read(path: &Path, home: &str) -> Result<Option<Document>, String> {
    let say = |problem: &dyn std::fmt::Display| format!("{}: {problem}", path.display());
    match fs::read_regular(path, MAX_BYTES) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        read => {
            let text = String::from_utf8(read.map_err(|error| say(&error))?).map_err(|error| say(&error))?;
            parse(&path.display().to_string(), &text, home).map(Some)
        }
    }
}

/// Reads the text of a file of that name.
pub(super) fn parse(name: &str, text: &str, home: &str) -> Result<Document, String> {
    let lines = Lines { name, ends: memchr::memchr_iter(b'\n', text.as_bytes()).collect() };
    let table = DeTable::parse(text).map_err(|error| lines.say(&error.span().unwrap_or_default(), error.message()))?;
    let mut document = Document { text: text.to_owned(), settings: Vec::new(), allow: Vec::new(), siblings: Vec::new() };
    for (key, value) in table.get_ref() {
        match &**key.get_ref() {
            "rules" => {
                for (id, keys) in lines.table(value, "`rules`")? {
                    document.rule(&lines, id, keys)?;
                }
            }
            "scan" => {
                for (key, value) in lines.table(value, "`scan`")? {
                    lines.known(key, &SCAN_KEYS, " of `scan`")?;
                    let paths = strings(value).ok_or_else(|| lines.say(&value.span(), "`siblings` must be a list of folders"))?;
                    document.siblings.extend(paths.into_iter().map(|path| under_home(path, home)));
                }
            }
            "allow" => {
                let entries =
                    value.get_ref().as_array().ok_or_else(|| lines.say(&value.span(), "`allow` is not a list of entries (`[[allow]]`)"))?;
                for entry in entries {
                    document.allow.push(allow(&lines, entry, home)?);
                }
            }
            _ => lines.known(key, &KEYS, "")?,
        }
    }
    Ok(document)
}

impl Document {
    fn rule(&mut self, lines: &Lines<'_>, id: &Name<'_>, keys: &Spanned<DeValue<'_>>) -> Result<(), String> {
        let name = id.get_ref();
        let Some(rule) = catalogue::all().find(|meta| meta.id == *name) else {
            return Err(lines.say(&id.span(), &unknown_rule(name)));
        };
        for (key, value) in lines.table(keys, &format!("`rules.\"{}\"`", rule.id))? {
            let names: Vec<&'static str> = std::iter::once("level").chain(rule.options.iter().map(|option| option.name)).collect();
            lines.known(key, &names, &format!(" of rule `{}`", rule.id))?;
            let Some(known) = names.into_iter().find(|name| *name == key.get_ref().as_ref()) else { continue };
            let option = rule.option(known);
            let value = if option.is_some_and(OptionMeta::takes_names) {
                let names = strings(value).filter(|names| names.iter().all(|name| !name.is_empty() && !name.contains(',')));
                names.map(|names| names.join(",")).ok_or_else(|| "a list of names without commas".to_owned()).map_err(|want| (want, value))
            } else {
                let words = option.map_or_else(|| LEVELS.iter().map(|(word, _)| *word).collect(), |option| option.values.to_vec());
                let given = value.get_ref().as_str().filter(|given| words.contains(given)).map(str::to_owned);
                given.ok_or_else(|| (format!("one of {}", words.join(", ")), value))
            };
            let value =
                value.map_err(|(want, value)| lines.say(&value.span(), &format!("`{known}` of rule `{}` must be {want}", rule.id)))?;
            self.settings.push(Setting { rule, key: known, value, place: lines.place(&key.span()) });
        }
        Ok(())
    }
}

/// That no rule has this id, and which one may be meant.
pub(super) fn unknown_rule(id: &str) -> String {
    let near = || nearest(id, catalogue::all().flat_map(|meta| [meta.id, meta.name()])).and_then(catalogue::find);
    let meant = catalogue::find(id).or_else(near).map(|meta| meta.id);
    format!("unknown rule `{}`{}", text::name(id, 80), did_you_mean(meant))
}

fn allow(lines: &Lines<'_>, entry: &Spanned<DeValue<'_>>, home: &str) -> Result<Allow, String> {
    let say = |problem: &str| lines.say(&entry.span(), problem);
    let (mut rule, mut path, mut command, mut reason, mut expires) = (None, None, None, None, None);
    for (key, value) in lines.table(entry, "an `allow` entry")? {
        lines.known(key, &ALLOW_KEYS, " of an `allow` entry")?;
        let key = &**key.get_ref();
        let word = value.get_ref().as_datetime().filter(|_| key == "expires").map(ToString::to_string);
        let word = word.or_else(|| value.get_ref().as_str().map(str::to_owned));
        let word = word.ok_or_else(|| lines.say(&value.span(), &format!("`{key}` of an `allow` entry must be a text")))?;
        match key {
            "rule" => rule = Some(catalogue::find(&word).ok_or_else(|| lines.say(&value.span(), &unknown_rule(&word)))?),
            "path" => path = Some(under_home(&word, home)),
            "command" => command = Some(word),
            "reason" => reason = Some(word),
            _ if text::is_day(&word) => expires = Some(word),
            _ => return Err(lines.say(&value.span(), "`expires` of an `allow` entry must be a day, as in 2026-12-31")),
        }
    }
    let rule = rule.ok_or_else(|| say("an `allow` entry must name its `rule`"))?;
    let scope = match (path, command) {
        (Some(path), None) => Scope::Path(path),
        (None, Some(command)) => Scope::Command(command),
        _ => return Err(say("an `allow` entry must have a `path` or a `command`, and not both")),
    };
    Ok(Allow { rule, scope, reason: reason.unwrap_or_default(), expires, place: lines.place(&entry.span()) })
}

type Name<'t> = Spanned<DeString<'t>>;

/// Where spans are.
struct Lines<'t> {
    name: &'t str,
    /// The places of the newlines.
    ends: Vec<usize>,
}

impl Lines<'_> {
    fn place(&self, span: &Range<usize>) -> String {
        format!("{}:{}", self.name, self.ends.partition_point(|end| *end < span.start) + 1)
    }

    fn say(&self, span: &Range<usize>, problem: &str) -> String {
        // An error of the parser may have a second line, which says what would have been right.
        format!("{}: {}", self.place(span), problem.replace('\n', ": "))
    }

    fn table<'v, 't>(&self, value: &'v Spanned<DeValue<'t>>, what: &str) -> Result<&'v DeTable<'t>, String> {
        value.get_ref().as_table().ok_or_else(|| self.say(&value.span(), &format!("{what} is not a table")))
    }

    /// Is the key one of these?
    fn known(&self, key: &Name<'_>, names: &[&str], of: &str) -> Result<(), String> {
        let given = &**key.get_ref();
        if names.contains(&given) {
            return Ok(());
        }
        let meant = did_you_mean(nearest(given, names.iter().copied()));
        Err(self.say(&key.span(), &format!("unknown key `{}`{of}{meant}", text::name(given, 80))))
    }
}

fn did_you_mean(name: Option<&str>) -> String {
    name.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

fn strings<'v>(value: &'v Spanned<DeValue<'_>>) -> Option<Vec<&'v str>> {
    value.get_ref().as_array()?.iter().map(|name| name.get_ref().as_str()).collect()
}

/// The path with `~` at its start resolved.
fn under_home(path: &str, home: &str) -> String {
    match path.strip_prefix("~/") {
        Some(below) if !home.is_empty() => format!("{home}/{below}"),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_the_nearest_name() {
        let rule = "[rules.\"session/shared-temp-path\"]\n";
        for (text, want) in [
            ("colour = 1", "f:1: unknown key `colour`"),
            ("[rule.x]", "f:1: unknown key `rule`; did you mean `rules`?"),
            ("\n[rules.\"session/none\"]", "f:2: unknown rule `session/none`"),
            ("[rules.shared-temp-path]", "f:1: unknown rule `shared-temp-path`; did you mean `session/shared-temp-path`?"),
            (&format!("{rule}levle = \"off\""), "f:2: unknown key `levle` of rule `session/shared-temp-path`; did you mean `level`?"),
            (&format!("{rule}level = 3"), "f:2: `level` of rule `session/shared-temp-path` must be one of off, note, warn, block"),
            ("rules = 1", "f:1: `rules` is not a table"),
            ("allow = 1", "f:1: `allow` is not a list of entries (`[[allow]]`)"),
            ("[[allow]]\npath = \"x\"", "f:1: an `allow` entry must name its `rule`"),
            ("[[allow]]\nrule = \"cyclic-pattern\"", "f:1: an `allow` entry must have a `path` or a `command`, and not both"),
            ("[[allow]]\nrule = \"cyclic-patern\"", "f:2: unknown rule `cyclic-patern`; did you mean `session/cyclic-pattern`?"),
            (
                "[[allow]]\nrule = \"cyclic-pattern\"\ncommand = \"x\"\nexpires = \"soon\"",
                "f:4: `expires` of an `allow` entry must be a day, as in 2026-12-31",
            ),
            ("[scan]\nsibling = []", "f:2: unknown key `sibling` of `scan`; did you mean `siblings`?"),
        ] {
            assert_eq!(parse("f", text, "").map(|_| ()), Err(want.to_owned()));
        }
        assert!(parse("f", "x = 1\n[", "").is_err_and(|problem| problem.starts_with("f:2: ")));
    }

    #[test]
    fn entries_and_siblings_are_read() {
        let text = "[scan]\nsiblings = [\"../lib-a\", \"~/b\"]\n[[allow]]\nrule = \"cyclic-pattern\"\ncommand = \"make *\"\nexpires = 2026-12-31\n";
        let document = parse("f", text, "/home/me").expect("sound");
        assert_eq!(document.siblings, ["../lib-a", "/home/me/b"]);
        assert_eq!((document.allow[0].expires.as_deref(), document.allow[0].reason.as_str()), (Some("2026-12-31"), ""));
        assert_eq!(document.allow[0].place, "f:3");
    }
}
