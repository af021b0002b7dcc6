//! Secrets of repositories that were set or removed by `gh secret`.

use super::project::{Project, Repo, folded};
use crate::finding::Place;
use crate::session::event::{Action, Event, EventKind, Outcome};
use crate::shell::{self, Command, Dialect, EffectKind, Effects, Root};

/// One secret that was set or removed, or may have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretAct {
    /// Its name, in upper case as the forge keeps it; `None` for names that nobody can tell.
    pub name: Option<String>,
    /// Of what.
    pub target: Target,
    /// It was removed.
    pub removed: bool,
    /// It did happen. What may have happened is no reason to say that it did, nor that it did not.
    pub sure: bool,
    /// When, in milliseconds since 1970; 0 when unknown.
    pub time: i64,
    /// Where it is written.
    pub place: Place,
}

/// What a secret is set on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A repository that was named.
    Repo(Repo),
    /// The repository of a folder, absolute.
    Folder(String),
    /// An organization, in lower case, for its repositories.
    Organization(String),
    /// Something that nobody can tell.
    Unknown,
}

/// Which project an act is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// The project itself.
    Here,
    /// The project, maybe.
    MaybeHere,
    /// A neighbour, by its index.
    Sibling(usize),
    /// Anything else.
    Elsewhere,
}

impl Target {
    /// Which of these projects it is.
    pub fn about(&self, here: &Project, siblings: &[Project]) -> About {
        match self {
            Target::Unknown => About::MaybeHere,
            Target::Organization(name) => match here.repo.as_ref().and_then(|repo| repo.owner.as_ref()) {
                Some(owner) if owner != name => About::Elsewhere,
                _ => About::MaybeHere,
            },
            Target::Repo(repo) if here.is_repo(repo) => About::Here,
            Target::Repo(repo) => siblings.iter().position(|sibling| sibling.is_repo(repo)).map_or(About::Elsewhere, About::Sibling),
            Target::Folder(folder) => {
                let own = here.holds(folder).map(|length| (length, About::Here));
                let others = siblings.iter().enumerate().filter_map(|(i, sibling)| Some((sibling.holds(folder)?, About::Sibling(i))));
                own.into_iter().chain(others).max_by_key(|(length, _)| *length).map_or(About::Elsewhere, |(_, about)| about)
            }
        }
    }
}

/// May a command text be about secrets? Cheap, and errs toward yes.
pub fn may_mention(text: &str) -> bool {
    text.contains("secret") && text.contains("gh")
}

/// The secrets that a call of an agent set or removed.
pub fn of_event(event: &Event<'_>, home: &str) -> Vec<SecretAct> {
    let EventKind::CallEnded { call, outcome } = &event.kind else { return Vec::new() };
    let Action::Shell { command, dialect } = &call.action else { return Vec::new() };
    if matches!(outcome, Outcome::NotRun(_)) || !may_mention(command) {
        return Vec::new();
    }
    let mut acts = acts(command, *dialect, &event.cwd, home);
    for act in &mut acts {
        act.sure &= matches!(outcome, Outcome::Succeeded { .. } | Outcome::Untold { .. });
        act.time = event.time.as_deref().and_then(crate::text::millis).and_then(|time| i64::try_from(time).ok()).unwrap_or_default();
        act.place.session = event.session.to_string();
        act.place.agent = event.agent.to_string();
        act.place.line = event.line;
        act.place.time = event.time.as_deref().map(str::to_owned);
    }
    acts
}

/// The secrets that a command sets or removes when it is run in `cwd`.
pub fn acts(command: &str, dialect: Dialect, cwd: &str, home: &str) -> Vec<SecretAct> {
    let effects = shell::effects(command, dialect);
    let named = repo_of_environment(command);
    let mut found = Vec::new();
    for (i, command) in effects.commands.iter().enumerate().filter(|(_, command)| command.program.trim_end_matches(".exe") == "gh") {
        let Some(asked) = Asked::read(command) else { continue };
        let organization = asked.organization.target(|name| Some(Target::Organization(name.to_lowercase())));
        let repo = asked.repo.target(|repo| Repo::parse(repo).map(Target::Repo));
        let here = || if command.remote { Target::Unknown } else { folder(&effects, i, cwd, home) };
        let target = organization.or(repo).or_else(|| named.clone()).unwrap_or_else(here);
        let place = Place { role: if asked.removes { "removed by" } else { "set by" }, excerpt: asked.shown(), ..Place::default() };
        let sure = asked.name.is_some() && target != Target::Unknown && !effects.approximate;
        found.push(SecretAct { name: asked.name, target, removed: asked.removes, sure, time: 0, place });
    }
    found
}

/// The folder in which the command of this index runs.
fn folder(effects: &Effects, index: usize, cwd: &str, home: &str) -> Target {
    let stays = |before: usize| {
        let mut changes = effects.list.iter().rev().filter(|effect| effect.command < before);
        let last =
            changes.find_map(|effect| if let EffectKind::ChangeDir { path } = &effect.kind { Some((effect.command, path)) } else { None });
        last.map_or((None, at(Root::Cwd, "", cwd, home)), |(command, path)| (Some(command), at(path.root, &path.text, cwd, home)))
    };
    let (changed, target) = stays(index);
    // A `cd` in a subshell has no effect on what follows, but for what stands in the same subshell.
    let inner = effects.commands[..index].iter().rposition(|command| matches!(command.program.as_str(), "cd" | "pushd" | "popd"));
    let Some(inner) = inner.filter(|inner| changed.is_none_or(|changed| changed < *inner)) else { return target };
    let joined = effects.commands[inner + 1..index].iter().all(|command| FEEDS.contains(&command.program.as_str()));
    let to = effects.commands[inner].args.last().and_then(Option::as_deref).filter(|to| joined && !to.starts_with('-'));
    match (to, stays(inner).1) {
        (Some(to), _) if to.starts_with('/') => Target::Folder(folded(to)),
        (Some(to), _) if to.starts_with("~/") => at(Root::Home, &to[2..], cwd, home),
        (Some(to), Target::Folder(base)) if !to.starts_with('~') => Target::Folder(folded(&format!("{base}/{to}"))),
        _ => Target::Unknown,
    }
}

/// Programs that hand a secret to the next one.
const FEEDS: &[&str] = &["gh", "echo", "printf", "cat", "op", "pass", "base64", "openssl", "jq", "tr", "head"];

fn at(root: Root, text: &str, cwd: &str, home: &str) -> Target {
    let base = match root {
        Root::Absolute => "",
        Root::Cwd | Root::Project => cwd,
        Root::Home => home,
        Root::TempDir | Root::Unknown => return Target::Unknown,
    };
    match (root, base) {
        (Root::Absolute, _) => Target::Folder(folded(text)),
        (_, "") => Target::Unknown,
        (_, base) => Target::Folder(folded(&format!("{base}/{text}"))),
    }
}

/// `GH_REPO=owner/name gh …`
fn repo_of_environment(command: &str) -> Option<Target> {
    let (_, rest) = command.split_once("GH_REPO")?;
    let value = rest.strip_prefix('=').unwrap_or_default();
    let value = value.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&')).next().unwrap_or_default().trim_matches(['"', '\'']);
    let once = !rest.contains("GH_REPO");
    Some(Repo::parse(value).filter(|_| once).map_or(Target::Unknown, Target::Repo))
}

/// The word of an option.
#[derive(Debug, Default)]
enum Given {
    #[default]
    Nothing,
    Word(String),
    /// It was given, and cannot be told.
    Unknown,
}

impl Given {
    fn target(&self, of: impl Fn(&str) -> Option<Target>) -> Option<Target> {
        match self {
            Given::Nothing => None,
            Given::Word(word) => Some(of(word).unwrap_or(Target::Unknown)),
            Given::Unknown => Some(Target::Unknown),
        }
    }
}

/// What one `gh secret …` asks for.
#[derive(Debug, Default)]
struct Asked {
    removes: bool,
    name: Option<String>,
    repo: Given,
    organization: Given,
}

/// Options that take a word of their own: the long form, and the letter.
const TAKES_WORD: &[(&str, char)] = &[
    ("--repo", 'R'),
    ("--org", 'o'),
    ("--body", 'b'),
    ("--app", 'a'),
    ("--env", 'e'),
    ("--env-file", 'f'),
    ("--repos", 'r'),
    ("--visibility", 'v'),
];

impl Asked {
    /// `None` for a command that sets and removes nothing: another subcommand, a question, one that `gh` refuses.
    fn read(command: &Command) -> Option<Self> {
        let mut asked = Asked::default();
        let mut words: Vec<Option<&str>> = Vec::new();
        let mut from_file = false;
        let mut args = command.args.iter().map(Option::as_deref);
        while let Some(arg) = args.next() {
            let Some(text) = arg.filter(|text| text.starts_with('-') && text.len() > 1) else {
                words.push(arg);
                continue;
            };
            if matches!(text, "--help" | "-h" | "--no-store") {
                return None;
            }
            let (flag, attached) = text.split_once('=').map_or((text, None), |(flag, value)| (flag, Some(value)));
            let long = TAKES_WORD.iter().find(|(long, _)| *long == flag);
            let short = TAKES_WORD.iter().find(|(_, letter)| !text.starts_with("--") && text[1..].starts_with(*letter));
            let value = match (long, short) {
                (Some(_), _) => attached.map_or_else(|| args.next().flatten().map(str::to_owned), |value| Some(value.to_owned())),
                (_, Some(_)) if text.len() > 2 => Some(text[2..].trim_start_matches('=').to_owned()),
                (_, Some(_)) => args.next().flatten().map(str::to_owned),
                _ => continue,
            };
            match long.or(short).map(|(long, _)| *long) {
                Some("--repo") => asked.repo = value.map_or(Given::Unknown, Given::Word),
                Some("--org") => asked.organization = value.map_or(Given::Unknown, Given::Word),
                Some("--env-file") => from_file = true,
                _ => {}
            }
        }
        let mut words = words.into_iter();
        if words.next().flatten() != Some("secret") {
            return None;
        }
        asked.removes = match words.next().flatten()? {
            "set" => false,
            "delete" | "remove" => true,
            _ => return None,
        };
        match (words.next(), words.next()) {
            (Some(name), None) => {
                if let Some(name) = name {
                    asked.name = Some(name.to_ascii_uppercase()).filter(|name| is_secret_name(name));
                    asked.name.as_ref()?;
                }
            }
            (None, _) if from_file && !asked.removes => {}
            _ => return None,
        }
        Some(asked)
    }

    /// The command without what it may hold of the secret.
    fn shown(&self) -> String {
        let verb = if self.removes { "delete" } else { "set" };
        let repo = match &self.repo {
            Given::Nothing => String::new(),
            Given::Word(repo) => format!(" --repo {repo}"),
            Given::Unknown => " --repo …".to_owned(),
        };
        crate::text::excerpt(&format!("gh secret {verb} {}{repo}", self.name.as_deref().unwrap_or("…")))
    }
}

fn is_secret_name(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(command: &str) -> Vec<String> {
        let acts = acts(command, Dialect::Bash, "/w/lib-a", "/home/u");
        let target = |target: &Target| match target {
            Target::Repo(repo) => format!("{}/{}", repo.owner.as_deref().unwrap_or("*"), repo.name),
            Target::Folder(folder) => folder.clone(),
            Target::Organization(name) => format!("org {name}"),
            Target::Unknown => "?".to_owned(),
        };
        let act = |act: &SecretAct| {
            let (removed, sure) = (if act.removed { "-" } else { "" }, if act.sure { "" } else { " maybe" });
            format!("{removed}{} {}{sure}", act.name.as_deref().unwrap_or("?"), target(&act.target))
        };
        acts.iter().map(act).collect()
    }

    #[test]
    fn every_spelling_is_read() {
        for (command, want) in [
            ("gh secret set NPM_TOKEN", "NPM_TOKEN /w/lib-a"),
            ("gh secret set \"NPM_TOKEN\" --body \"x y\"", "NPM_TOKEN /w/lib-a"),
            ("gh secret set --body x npm_token", "NPM_TOKEN /w/lib-a"),
            ("gh secret set -R me/App NPM_TOKEN", "NPM_TOKEN me/app"),
            ("gh secret set NPM_TOKEN --repo=github.com/me/app.git", "NPM_TOKEN me/app"),
            ("gh secret set NPM_TOKEN -Rme/app -bx", "NPM_TOKEN me/app"),
            ("gh -R me/app secret set NPM_TOKEN", "NPM_TOKEN me/app"),
            ("GH_REPO=me/app gh secret set NPM_TOKEN", "NPM_TOKEN me/app"),
            ("gh secret set NPM_TOKEN -e production -a actions < token.txt", "NPM_TOKEN /w/lib-a"),
            ("echo hunter2 | gh secret set NPM_TOKEN", "NPM_TOKEN /w/lib-a"),
            ("cd ../lib-b && gh secret set NPM_TOKEN", "NPM_TOKEN /w/lib-b"),
            ("cd ~/lib-c; gh secret set NPM_TOKEN", "NPM_TOKEN /home/u/lib-c"),
            ("gh secret set NPM_TOKEN --org Me --visibility all", "NPM_TOKEN org me"),
            ("gh secret delete NPM_TOKEN", "-NPM_TOKEN /w/lib-a"),
            ("gh secret set -f .env", "? /w/lib-a maybe"),
            ("gh secret set $NAME", "? /w/lib-a maybe"),
            ("gh secret set NPM_TOKEN -R me/$1", "NPM_TOKEN ? maybe"),
            ("(cd ../lib-b && echo x | gh secret set NPM_TOKEN)", "NPM_TOKEN /w/lib-b"),
            ("cd .. && (cd lib-d && gh secret set NPM_TOKEN)", "NPM_TOKEN /w/lib-d"),
            ("(cd ../lib-b && make); gh secret set NPM_TOKEN", "NPM_TOKEN ? maybe"),
            ("(cd $1 && gh secret set NPM_TOKEN)", "NPM_TOKEN ? maybe"),
            ("(cd ../lib-b && make); cd ../lib-e && gh secret set NPM_TOKEN", "NPM_TOKEN /w/lib-e"),
            ("ssh box gh secret set NPM_TOKEN", "NPM_TOKEN ? maybe"),
        ] {
            assert_eq!(shown(command), [want], "{command}");
        }
    }

    #[test]
    fn what_sets_nothing_is_none() {
        for command in [
            "gh secret list",
            "gh secret set",
            "gh secret set --help",
            "gh secret set NPM_TOKEN is failing",
            "gh secret set NPM-TOKEN",
            "gh secret set NPM_TOKEN --no-store",
            "echo gh secret set NPM_TOKEN",
            "git commit -m 'gh secret set NPM_TOKEN'",
            "# gh secret set NPM_TOKEN",
            "gh variable set NPM_TOKEN",
        ] {
            assert_eq!(shown(command), [] as [&str; 0], "{command}");
        }
    }

    #[test]
    fn no_secret_is_shown() {
        for command in ["gh secret set A -b hunter2", "gh secret set A --body=hunter2", "echo hunter2 | gh secret set A"] {
            let acts = acts(command, Dialect::Bash, "/w", "");
            assert_eq!(acts[0].place.excerpt, "gh secret set A", "{command}");
        }
    }
}
