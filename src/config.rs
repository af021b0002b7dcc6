//! The user's config: how loud each rule is, and its options.
//!
//! ```toml
//! [rules."session/shared-temp-path"]
//! level = "note"                 # off, note, warn or block (the default)
//! verified-unchanged = "note"    # an option of the rule
//! ```

use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::fs;
use crate::meta::Meta;
use crate::rules;

/// Largest config that is read, in bytes.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// How loud a rule may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Never asked.
    Off,
    /// It may tell the model and the person.
    Note,
    /// As `Note`; a scan counts it as a warning at the most.
    Warn,
    /// It may deny a call or hold a turn, where its confidence allows.
    Block,
}

/// The words for the levels, from the quietest to the loudest.
pub const LEVELS: [(&str, Level); 4] = [("off", Level::Off), ("note", Level::Note), ("warn", Level::Warn), ("block", Level::Block)];

/// A config that was read and found sound, or the defaults.
#[derive(Debug, Default)]
pub struct Config {
    rules: Table,
}

impl Config {
    /// Reads the file at `path`; a missing file means the defaults.
    ///
    /// # Errors
    /// When it cannot be read, is no TOML, or names a rule, key or word that does not exist: one line that
    /// says which, without a final stop.
    pub fn load(path: &Path) -> Result<Self, String> {
        let say = |problem: String| format!("{}: {problem}", path.display());
        let bytes = match fs::read_regular(path, MAX_CONFIG_BYTES) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
            read => read.map_err(|error| say(error.to_string()))?,
        };
        let text = String::from_utf8(bytes).map_err(|error| say(error.to_string()))?;
        Config::parse(&text).map_err(say)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let mut table: Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
        let rules = match table.remove("rules") {
            None => Table::new(),
            Some(Value::Table(rules)) => rules,
            Some(_) => return Err("`rules` is not a table".to_owned()),
        };
        if let Some(key) = table.keys().next() {
            return Err(format!("unknown key `{key}`"));
        }
        for (id, keys) in &rules {
            let meta = rules::metas().find(|meta| meta.id == id);
            let meta = meta.ok_or_else(|| format!("unknown rule `{id}`"))?;
            let keys = keys.as_table().ok_or_else(|| format!("`rules.\"{id}\"` is not a table"))?;
            for (key, value) in keys {
                let words: Vec<&str> = if key == "level" {
                    LEVELS.iter().map(|(word, _)| *word).collect()
                } else {
                    let option = meta.option(key).ok_or_else(|| format!("unknown key `{key}` of rule `{id}`"))?;
                    if option.takes_names() {
                        names(value).ok_or_else(|| format!("`{key}` of rule `{id}` must be a list of names without commas"))?;
                        continue;
                    }
                    option.values.to_vec()
                };
                if !value.as_str().is_some_and(|value| words.contains(&value)) {
                    return Err(format!("`{key}` of rule `{id}` must be one of {}", words.join(", ")));
                }
            }
        }
        Ok(Config { rules })
    }

    fn value(&self, meta: &Meta, key: &str) -> Option<&Value> {
        self.rules.get(meta.id)?.get(key)
    }

    /// How loud the rule may be.
    pub fn level(&self, meta: &Meta) -> Level {
        let word = self.value(meta, "level").and_then(Value::as_str);
        LEVELS.iter().find(|(name, _)| Some(*name) == word).map_or(Level::Block, |(_, level)| *level)
    }

    /// The word in force for an option of the rule, or its names with commas between; empty when it has no such
    /// option.
    pub fn option(&self, meta: &Meta, name: &str) -> String {
        let given = self.value(meta, name).and_then(|value| value.as_str().map(str::to_owned).or_else(|| Some(names(value)?.join(","))));
        given.unwrap_or_else(|| meta.option(name).map_or_else(String::new, |option| option.default.to_owned()))
    }
}

/// A list of names; `None` for what is none.
fn names(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(|name| name.as_str().filter(|name| !name.is_empty() && !name.contains(','))).collect()
}

/// The user's config file: `$XDG_CONFIG_HOME/turnstop/config.toml`, else below `~/.config`.
pub fn user_file(env: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(base.join("turnstop/config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::SharedTempPath;

    #[test]
    fn levels_and_options_are_read() {
        let text = "[rules.\"session/shared-temp-path\"]\nlevel = \"warn\"\nverified-unchanged = \"note\"\n";
        let config = Config::parse(text).expect("sound");
        assert_eq!(config.level(SharedTempPath::META), Level::Warn);
        assert_eq!(config.option(SharedTempPath::META, "verified-unchanged"), "note");
        assert_eq!(Config::default().level(SharedTempPath::META), Level::Block);
        assert_eq!(Config::default().option(SharedTempPath::META, "verified-unchanged"), "deny");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, want) in [
            ("colour = 1", "unknown key `colour`"),
            ("[rules.\"session/none\"]", "unknown rule `session/none`"),
            ("[rules.\"session/shared-temp-path\"]\nlevle = \"off\"", "unknown key `levle` of rule `session/shared-temp-path`"),
            (
                "[rules.\"session/shared-temp-path\"]\nlevel = 3",
                "`level` of rule `session/shared-temp-path` must be one of off, note, warn, block",
            ),
            ("rules = 1", "`rules` is not a table"),
        ] {
            assert_eq!(Config::parse(text).map(|_| ()), Err(want.to_owned()));
        }
        assert!(Config::parse("[").is_err());
    }
}
