//! Config files.

use std::path::Path;

use turnstop::config::{Config, Files, Level};
use turnstop::rules::metas;

use super::{assert_harmless, parts};

/// Any text of a person's and of a project's file: what is wrong is told in one harmless line, and the project's
/// loosens nothing and never reaches `block`.
pub(crate) fn of_any_files(bytes: &[u8]) {
    let [own, project] = parts::<2>(bytes);
    let folder = tempfile::tempdir_in(super::scratch()).expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        Some(path)
    };
    let files = Files { user: file("own.toml", own), project: file("project.toml", project), trust: None, home: "/home/dev".into() };
    let (both, problems) = Config::read(&files);
    problems.iter().chain(both.passed_over()).for_each(|line| assert_harmless(line));
    if let Ok(text) = std::str::from_utf8(own) {
        let checked = Config::check(Path::new("own.toml"), text);
        assert_eq!(checked.is_err(), problems.iter().any(|line| line.contains("own.toml")), "{checked:?} {problems:?}");
    }
    let (alone, _) = Config::read(&Files { project: None, ..files });
    assert_eq!(both.allow().len(), alone.allow().len(), "a project that nobody trusts allows nothing");
    for meta in metas() {
        let (with, without) = (both.level(meta), alone.level(meta));
        assert!(with >= without && (with == without || with <= Level::Warn), "{} {with:?} {without:?}", meta.id);
        for option in meta.options.iter().filter(|option| !option.takes_names()) {
            let strictness = |config: &Config| option.values.iter().position(|word| *word == config.option(meta, option.name));
            let (with, without) = (strictness(&both), strictness(&alone));
            assert!(with <= without && (with == without || !option.may_deny()), "{} {}", meta.id, option.name);
        }
    }
}
