//! The config: how loud each rule is, its options, what is allowed, and which projects are siblings.
//!
//! Two files count. The person's own may say anything; a project's `.turnstop.toml`, which comes with the
//! checkout, may only tighten it, and gets a rule to block only where the person trusts that very file.
//!
//! ```toml
//! [rules."session/shared-temp-path"]
//! level = "note"                 # off, note, warn or block (the default)
//! verified-unchanged = "note"    # an option of the rule
//!
//! [[allow]]
//! rule = "session/shared-temp-path"
//! path = "/tmp/shared-cache/**"
//! reason = "one cache for all sessions, by design"
//! ```

mod file;
mod nearest;
mod trust;

pub use nearest::nearest;
pub use trust::Trust;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::finding::Finding;
use crate::meta::{Meta, OptionMeta, Severity};
use crate::suppress::Allow;

/// The name of a project's file.
pub const PROJECT_FILE: &str = ".turnstop.toml";

/// How loud a rule may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Never asked.
    Off,
    /// It may tell the model and the person; a scan counts it as info.
    Note,
    /// As `Note`; a scan counts it as a warning at the most.
    Warn,
    /// It may deny a call or hold a turn, where its confidence allows.
    Block,
}

/// The words for the levels, from the quietest to the loudest.
pub const LEVELS: [(&str, Level); 4] = [("off", Level::Off), ("note", Level::Note), ("warn", Level::Warn), ("block", Level::Block)];

impl Level {
    /// The word for it.
    pub fn word(self) -> &'static str {
        LEVELS.iter().find(|(_, level)| *level == self).map_or("", |(word, _)| word)
    }

    fn of(word: &str) -> Option<Self> {
        LEVELS.iter().find(|(name, _)| *name == word).map(|(_, level)| *level)
    }

    /// The gravest that a finding may be in a scan; `None` when there is to be none.
    pub fn gravest(self) -> Option<Severity> {
        match self {
            Level::Off => None,
            Level::Note => Some(Severity::Info),
            Level::Warn => Some(Severity::Warning),
            Level::Block => Some(Severity::Error),
        }
    }
}

/// Where the config stands. A missing file means the defaults.
#[derive(Debug, Clone, Default)]
pub struct Files {
    /// The person's own.
    pub user: Option<PathBuf>,
    /// The project's.
    pub project: Option<PathBuf>,
    /// Where it is kept which projects' files the person trusts.
    pub trust: Option<Trust>,
    /// The home folder, for `~` in a glob.
    pub home: String,
}

impl Files {
    /// The files that count for a project. `env` looks up the environment.
    pub fn of(project: &Path, env: impl Fn(&str) -> Option<String>) -> Self {
        let user = user_file(&env);
        let trust = user.as_deref().and_then(Path::parent).map(|folder| Trust::new(folder.join("trusted")));
        let home = env("HOME").unwrap_or_default().trim_end_matches('/').to_owned();
        Files { user, project: project_file(project), trust, home }
    }
}

/// What is configured: what was read and found sound, over the defaults.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The word for a level or an option, or an option's names with commas between, by rule and key.
    settings: BTreeMap<&'static str, BTreeMap<&'static str, String>>,
    allow: Vec<Allow>,
    siblings: Vec<String>,
    passed_over: Vec<String>,
}

impl Config {
    /// Reads the files, and tells of each that cannot be read, is no TOML, or names a rule, key or word that does not
    /// exist: one line with file and line, without a final stop. Such a file counts as missing.
    pub fn read(files: &Files) -> (Self, Vec<String>) {
        let mut config = Config::default();
        let mut problems = Vec::new();
        let mut sound = |path: &Path| file::read(path, &files.home).inspect_err(|problem| problems.push(problem.clone())).ok().flatten();
        if let Some(own) = files.user.as_deref().and_then(&mut sound) {
            config.take(own);
        }
        if let Some((path, project)) = files.project.as_deref().and_then(|path| Some((path, sound(path)?))) {
            let trusted = files.trust.as_ref().is_some_and(|trust| trust.holds(path, &project.text));
            config.tighten(project, trusted);
        }
        (config, problems)
    }

    /// Is the text a sound config? `file` is where it stands, or is going to.
    ///
    /// # Errors
    /// When it is not: one line with file and line, without a final stop.
    pub fn check(file: &Path, text: &str) -> Result<(), String> {
        file::parse(&file.display().to_string(), text, "").map(|_| ())
    }

    /// What the person's own file says counts as it stands.
    fn take(&mut self, own: file::Document) {
        for file::Setting { rule, key, value, .. } in own.settings {
            self.settings.entry(rule.id).or_default().insert(key, value);
        }
        self.allow.extend(own.allow);
        self.siblings.extend(own.siblings);
    }

    /// What a project's file says counts as far as it tightens.
    fn tighten(&mut self, project: file::Document, trusted: bool) {
        for setting in project.settings {
            let file::Setting { rule, key, value, place } = setting;
            let current = self.word(rule, key);
            let (taken, why) = match rule.option(key) {
                None => stricter_level(&current, &value, trusted),
                Some(option) => stricter_option(option, &current, &value, trusted),
            };
            if let Some(why) = why {
                self.passed_over.push(format!("{place}: `{key} = \"{value}\"` of rule `{}` {why}", rule.id));
            }
            if let Some(taken) = taken {
                self.settings.entry(rule.id).or_default().insert(key, taken);
            }
        }
        if trusted {
            self.allow.extend(project.allow);
        } else {
            // One word for all of them: a hostile file may hold thousands.
            let first = project.allow.first();
            self.passed_over.extend(first.map(|allow| format!("{}: allow entries of a project count {TRUST}", allow.place)));
        }
        self.siblings.extend(project.siblings);
    }

    /// The word in force.
    fn word(&self, meta: &Meta, key: &str) -> String {
        if key == "level" { self.level(meta).word().to_owned() } else { self.option(meta, key) }
    }

    fn given(&self, meta: &Meta, key: &str) -> Option<&str> {
        self.settings.get(meta.id)?.get(key).map(String::as_str)
    }

    /// How loud the rule may be.
    pub fn level(&self, meta: &Meta) -> Level {
        self.given(meta, "level").and_then(Level::of).unwrap_or(Level::Block)
    }

    /// The word in force for an option of the rule, or its names with commas between; empty when it has no such
    /// option.
    pub fn option(&self, meta: &Meta, name: &str) -> String {
        let given = self.given(meta, name).map(str::to_owned);
        given.unwrap_or_else(|| meta.option(name).map_or_else(String::new, |option| option.default.to_owned()))
    }

    /// What is allowed, in the order of the files.
    pub fn allow(&self) -> &[Allow] {
        &self.allow
    }

    /// Is it allowed, on this day (`2026-12-01`)?
    pub fn allows(&self, finding: &Finding, today: &str) -> bool {
        self.allow.iter().any(|allow| !allow.has_expired(today) && allow.covers(finding))
    }

    /// The projects named as siblings of this one, relative to it or absolute.
    pub fn siblings(&self) -> &[String] {
        &self.siblings
    }

    /// What a project's file asked for and does not get, and why.
    pub fn passed_over(&self) -> &[String] {
        &self.passed_over
    }
}

/// How a person lets a project's file have its way.
const TRUST: &str = "only where you trust the file (`turnstop trust`)";

/// The level that a project gets, and why it is not what it asked for.
fn stricter_level(current: &str, asked: &str, trusted: bool) -> (Option<String>, Option<String>) {
    let (now, wanted) = (Level::of(current).unwrap_or(Level::Block), Level::of(asked).unwrap_or(Level::Off));
    let most = if trusted { Level::Block } else { Level::Warn };
    let why = if wanted < now {
        Some(would_loosen(current))
    } else {
        (wanted > most && wanted > now).then(|| format!("counts {TRUST}; it is `{}`", most.max(now).word()))
    };
    (Some(wanted.min(most)).filter(|got| *got > now).map(|got| got.word().to_owned()), why)
}

/// The word or names that a project gets for an option, and why it is not what it asked for.
fn stricter_option(option: &OptionMeta, current: &str, asked: &str, trusted: bool) -> (Option<String>, Option<String>) {
    if option.takes_names() {
        let (mut names, more): (Vec<&str>, Vec<&str>) = (current.split(',').collect(), asked.split(',').collect());
        names.extend(more.iter().filter(|name| !current.split(',').any(|known| known == **name)));
        names.retain(|name| !name.is_empty());
        return (Some(names.join(",")), None);
    }
    let strictness = |word: &str| option.values.iter().position(|value| *value == word);
    match strictness(asked).cmp(&strictness(current)) {
        std::cmp::Ordering::Greater => (None, Some(would_loosen(current))),
        std::cmp::Ordering::Less if option.may_deny() && !trusted => (None, Some(format!("counts {TRUST}; it is `{current}`"))),
        std::cmp::Ordering::Less => (Some(asked.to_owned()), None),
        std::cmp::Ordering::Equal => (None, None),
    }
}

fn would_loosen(current: &str) -> String {
    format!("would loosen it, and a project may only tighten; it is `{current}`")
}

/// The user's config file: `$XDG_CONFIG_HOME/turnstop/config.toml`, else below `~/.config`.
pub fn user_file(env: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(base.join("turnstop/config.toml"))
}

/// A project's file: in its folder, or above it up to the root of its git work tree. Outside of one nothing above
/// counts: the folders there may be anybody's.
pub fn project_file(project: &Path) -> Option<PathBuf> {
    // Trust is in a path, so it must be the same by whichever link one came.
    let project = std::fs::canonicalize(project).ok()?;
    let root = project.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&project);
    let within = project.ancestors().take_while(|folder| folder.starts_with(root));
    within.map(|folder| folder.join(PROJECT_FILE)).find(|file| file.exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{ConsecutiveRepeat, DefaultBranchAccumulation, SharedTempPath};

    fn config(own: &str, project: &str, trusted: bool) -> Config {
        let mut config = Config::default();
        config.take(file::parse("own", own, "/home/me").expect("sound"));
        config.tighten(file::parse("project", project, "/home/me").expect("sound"), trusted);
        config
    }

    fn rule(meta: &Meta, line: &str) -> String {
        format!("[rules.\"{}\"]\n{line}\n", meta.id)
    }

    #[test]
    fn levels_and_options_are_read() {
        let text = "[rules.\"session/shared-temp-path\"]\nlevel = \"warn\"\nverified-unchanged = \"note\"\n";
        let config = config(text, "", false);
        assert_eq!(config.level(SharedTempPath::META), Level::Warn);
        assert_eq!(config.option(SharedTempPath::META, "verified-unchanged"), "note");
        assert_eq!(Config::default().level(SharedTempPath::META), Level::Block);
        assert_eq!(Config::default().option(SharedTempPath::META, "verified-unchanged"), "deny");
    }

    #[test]
    fn a_project_may_tighten_a_level_and_block_when_trusted() {
        let meta = SharedTempPath::META;
        for (own, asked, trusted, want, told) in [
            ("off", "note", false, Level::Note, false),
            ("off", "block", false, Level::Warn, true),
            ("off", "block", true, Level::Block, false),
            ("warn", "off", true, Level::Warn, true),
            ("warn", "block", false, Level::Warn, true),
            ("block", "block", false, Level::Block, false),
        ] {
            let level = |word: &str| rule(meta, &format!("level = \"{word}\""));
            let config = config(&level(own), &level(asked), trusted);
            assert_eq!((config.level(meta), !config.passed_over().is_empty()), (want, told), "{own} {asked} {trusted}");
        }
    }

    #[test]
    fn a_project_may_tighten_an_option_by_its_direction() {
        let meta = SharedTempPath::META;
        let note = rule(meta, "verified-unchanged = \"note\"");
        let deny = rule(meta, "verified-unchanged = \"deny\"");
        assert_eq!(config("", &note, true).option(meta, "verified-unchanged"), "deny");
        assert_eq!(config(&note, &deny, false).option(meta, "verified-unchanged"), "note");
        assert_eq!(config(&note, &deny, true).option(meta, "verified-unchanged"), "deny");
        let meta = ConsecutiveRepeat::META;
        let early = rule(meta, "deny-from = \"3\"");
        assert_eq!(config("", &early, false).option(meta, "deny-from"), "never");
        assert_eq!(config("", &early, true).option(meta, "deny-from"), "3");
        let meta = DefaultBranchAccumulation::META;
        let names = rule(meta, "branches = [\"trunk\", \"main\"]");
        assert_eq!(config("", &names, false).option(meta, "branches"), "main,master,trunk");
    }

    #[test]
    fn a_file_full_of_entries_costs_no_more_than_its_length() {
        let entry = "[[allow]]\nrule = \"cyclic-pattern\"\npath = \"x\"\n";
        let config = config("", &entry.repeat(20_000), false);
        assert_eq!((config.allow().len(), config.passed_over().len()), (0, 1));
        assert!(file::parse("f", &"a=".repeat(100_000), "").is_err() && file::parse("f", &"a=[".repeat(100_000), "").is_err());
    }

    #[test]
    fn allow_entries_of_a_project_count_when_it_is_trusted() {
        let text = "[[allow]]\nrule = \"shared-temp-path\"\npath = \"/tmp/x\"\nreason = \"r\"\n";
        assert_eq!(config("", text, false).allow().len(), 0);
        assert_eq!(config("", text, false).passed_over().len(), 1);
        assert_eq!(config("", text, true).allow().len(), 1);
        assert_eq!(config(text, "", false).allow().len(), 1);
    }

    #[test]
    fn a_projects_file_is_looked_for_up_to_the_root_of_the_work_tree_and_no_further() {
        let folder = tempfile::tempdir().expect("a folder");
        let (root, below) = (folder.path().join("repo"), folder.path().join("repo/a/b"));
        std::fs::create_dir_all(&below).expect("made");
        std::fs::write(folder.path().join(PROJECT_FILE), "").expect("written");
        assert_eq!(project_file(&below), None);
        std::fs::create_dir(root.join(".git")).expect("made");
        assert_eq!(project_file(&below), None);
        std::fs::write(root.join(PROJECT_FILE), "").expect("written");
        assert_eq!(project_file(&below), Some(std::fs::canonicalize(root).expect("there").join(PROJECT_FILE)));
    }
}
