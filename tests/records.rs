//! Walks the `.txt` files of `fixtures/<rule>/`: each holds the files of a small machine, and what a scan of its project
//! finds. `BLESS=1` writes the last section, `expect`, anew.
//!
//! A section is a line `-- name --` and the text below it. Names begin with `app/` (the project), `home/`, another
//! folder beside the project, `memory/` and `sessions/` (the client's folders for the project), or `memory of x/` and
//! `sessions of x/` (for the folder `x` beside it). `{w}` is the folder around the project; where a text holds `{sha}`,
//! the project is a repository and that its commit.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use turnstop::agent::claude::layout::project_dir_name;
use turnstop::config::Config;
use turnstop::meta::Meta;
use turnstop::rules::{CORPUS_RULES, RECORD_RULES, SESSION_RULES};
use turnstop::scan::select::{Selection, Target};
use turnstop::scan::{self, Terms};

struct Machine {
    base: tempfile::TempDir,
    around: PathBuf,
}

impl Machine {
    fn of(sections: &[(String, String)]) -> Self {
        let base = tempfile::Builder::new().prefix("records").tempdir().expect("a folder");
        let around = fs::canonicalize(base.path()).expect("a real path").join("w");
        let machine = Machine { base, around };
        fs::create_dir_all(machine.around.join("app")).expect("a project");
        let sha = if sections.iter().any(|(_, text)| text.contains("{sha}") || text.contains("{repository}")) {
            machine.commit()
        } else {
            String::new()
        };
        for (name, text) in sections {
            let file = machine.place(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("created");
            let text = text.replace("{w}", &machine.around.to_string_lossy()).replace("{sha}", &sha).replace("{repository}", "");
            fs::write(file, text).expect("written");
        }
        machine
    }

    fn home(&self) -> PathBuf {
        fs::canonicalize(self.base.path()).expect("a real path").join("home")
    }

    fn place(&self, name: &str) -> PathBuf {
        let (first, rest) = name.split_once('/').expect("a folder");
        let (kind, project) = first.split_once(" of ").unwrap_or((first, "app"));
        let sessions = self.home().join(".claude/projects").join(project_dir_name(&self.around.join(project)));
        match kind {
            "home" => self.home().join(rest),
            "memory" => sessions.join("memory").join(rest),
            "sessions" => sessions.join(rest),
            other => self.around.join(other).join(rest),
        }
    }

    /// Makes the project a repository with one commit; gives back its short name, which is never of digits alone.
    fn commit(&self) -> String {
        let git = |args: &[&str]| {
            let mut git = Command::new("git");
            git.current_dir(self.around.join("app")).args(["-c", "user.name=t", "-c", "user.email=t@example.invalid"]).args(args);
            String::from_utf8(git.output().expect("git").stdout).expect("text").trim().to_owned()
        };
        git(&["init", "-q"]);
        loop {
            git(&["commit", "-q", "--allow-empty", "-m", "one more"]);
            let sha = git(&["rev-parse", "--short=9", "HEAD"]);
            if sha.bytes().any(|byte| byte.is_ascii_alphabetic()) {
                return sha;
            }
        }
    }

    /// What a scan finds, a line each.
    fn findings(&self) -> String {
        let home = self.home().into_os_string();
        let variable = |name: &str| (name == "HOME").then(|| OsString::from(&home));
        let (selection, config) = (Selection::default(), Config::default());
        let terms = Terms { selection: &selection, config: &config, progress: &|| {} };
        let scan = scan::project(&Target::of(&self.around.join("app"), variable), &terms, variable);
        let mut found = String::new();
        for spotted in &scan.findings {
            let finding = &spotted.finding;
            _ = writeln!(found, "{} {} {}", finding.severity.word(), finding.rule.id, finding.message);
            for place in &finding.places {
                _ = writeln!(found, "  {} {}:{} {}", place.role, place.file, place.line, place.excerpt);
            }
        }
        let named = [(&*home.to_string_lossy(), "~"), (&*self.around.to_string_lossy(), "{w}"), (&project_dir_name(&self.around), "{w}")];
        named.into_iter().fold(found, |found, (name, short)| found.replace(name, short))
    }
}

/// The sections of a fixture; the comment above them, and what is expected.
fn sections(text: &str) -> (String, Vec<(String, String)>, String) {
    let mut comment = String::new();
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let name = line.trim_end().strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --"));
        match (name, sections.last_mut()) {
            (Some(name), _) => sections.push((name.to_owned(), String::new())),
            (None, Some((_, text))) => text.push_str(line),
            (None, None) => comment.push_str(line),
        }
    }
    let expected = sections.pop_if(|(name, _)| name == "expect").map(|(_, text)| text).unwrap_or_default();
    (comment, sections, expected)
}

fn fixtures(rule: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(rule);
    let mut files: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    files
}

fn names() -> Vec<&'static str> {
    let metas = RECORD_RULES.iter().map(|rule| rule.meta()).chain(CORPUS_RULES.iter().map(|rule| rule.meta()));
    metas.map(Meta::name).collect()
}

#[test]
fn fixtures_are_found_as_they_say() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    for (rule, file) in names().into_iter().flat_map(|rule| fixtures(rule).into_iter().map(move |file| (rule, file))) {
        let text = fs::read_to_string(&file).expect("a fixture");
        let (comment, files, expected) = sections(&text);
        let found = Machine::of(&files).findings();
        let hit = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("hit-"));
        if hit != found.contains(&format!("session/{rule} ")) {
            wrong.push(format!("{}:\n{found}", file.display()));
        } else if found != expected && bless {
            let head = files.iter().map(|(name, text)| format!("-- {name} --\n{text}")).collect::<Vec<_>>().concat();
            fs::write(&file, format!("{comment}{head}-- expect --\n{found}")).expect("written");
        } else if found != expected {
            wrong.push(format!("{}:\n{found}instead of\n{expected}", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_of_records_is_shown() {
    for rule in names() {
        if SESSION_RULES.iter().any(|other| other.meta().name() == rule) {
            continue;
        }
        let count = |prefix: &str| {
            fixtures(rule).iter().filter(|file| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))).count()
        };
        assert!(count("hit-") >= 1 && count("ok-") >= 2, "{rule}: {} hits, {} oks", count("hit-"), count("ok-"));
    }
}
