//! A project, its repository, and what it shares with its neighbours.

use super::lines::LineSet;
use crate::session::scope::{fold, is_at_or_below};

/// A project on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Project {
    /// Its folder, absolute.
    pub path: String,
    /// Other folders of the same repository: work trees, further clones.
    pub also: Vec<String>,
    /// The name of its folder.
    pub name: String,
    /// Its repository, where its remote is known.
    pub repo: Option<Repo>,
    /// It has a `.github` folder.
    pub has_github: bool,
    /// The names of its workflow files, sorted.
    pub workflows: Vec<String>,
}

/// A file that the project has, and a neighbour too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shared {
    /// The file, below each project.
    pub file: String,
    /// The project's own.
    pub here: LineSet,
    /// Each neighbour's, with its index among them.
    pub there: Vec<(usize, LineSet)>,
}

/// A repository on a forge, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repo {
    /// The person or organization; `None` where only the name was given.
    pub owner: Option<String>,
    /// Its name.
    pub name: String,
}

impl Repo {
    /// `owner/name`, a bare name, or an address.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches('/').to_lowercase();
        let text = text.strip_suffix(".git").unwrap_or(&text);
        let mut parts = text.rsplit(['/', ':']);
        let plain = |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
        let name = parts.next().filter(plain)?;
        let owner = parts.next().filter(plain);
        Some(Repo { owner: owner.map(str::to_owned), name: name.to_owned() })
    }

    /// Is `other` this repository, as far as both are told?
    pub fn same(&self, other: &Repo) -> bool {
        self.name == other.name && (self.owner.is_none() || other.owner.is_none() || self.owner == other.owner)
    }

    /// Does this word, in lower case, name it?
    pub fn is(&self, word: &str) -> bool {
        Repo::parse(word).is_some_and(|other| self.same(&other))
    }

    /// Does an address in the text lead to it?
    pub fn is_in(&self, text: &str) -> bool {
        let full = format!("{}/{}", self.owner.as_deref().unwrap_or_default(), self.name);
        let text = text.to_lowercase();
        text.match_indices(&full).any(|(at, found)| {
            let next = text[at + found.len()..].chars().next();
            !next.is_some_and(|next| next.is_alphanumeric() || next == '-' || next == '_')
        })
    }
}

impl Project {
    /// Is it this repository? Where its own remote is not known, the folder's name has to do.
    pub fn is_repo(&self, repo: &Repo) -> bool {
        match &self.repo {
            Some(own) => own.same(repo) || (repo.owner.is_none() && repo.name == self.name.to_lowercase()),
            None => repo.name == self.name.to_lowercase(),
        }
    }

    /// How much of an absolute, folded path is this project's folder; `None` when it is not in it.
    pub fn holds(&self, folder: &str) -> Option<usize> {
        let own = std::iter::once(&self.path).chain(&self.also);
        own.filter(|path| !path.is_empty() && is_at_or_below(folder, path)).map(String::len).max()
    }
}

/// The folder as it is compared: separators and dots folded.
pub fn folded(folder: &str) -> String {
    let drive = folder.as_bytes().get(1) == Some(&b':');
    if drive { folder.replace('\\', "/").trim_end_matches('/').to_owned() } else { fold(folder) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repositories_are_told_from_every_kind_of_address() {
        for text in [
            "me/App",
            "https://github.com/me/app.git",
            "https://user@github.com/me/app/",
            "git@github.com:me/app.git",
            "ssh://git@github.com:22/me/app",
            "github.com/me/app",
        ] {
            assert_eq!(Repo::parse(text), Some(Repo { owner: Some("me".into()), name: "app".into() }), "{text}");
        }
        assert_eq!(Repo::parse("app"), Some(Repo { owner: None, name: "app".into() }));
        assert_eq!(Repo::parse("$REPO"), None);
        assert!(
            Repo::parse("me/app")
                .is_some_and(|repo| repo.is_in("https://github.com/Me/app/pull/1") && !repo.is_in("github.com/me/app-fork"))
        );
    }

    #[test]
    fn a_project_is_its_folder_or_its_remote() {
        let named = |repo: Option<&str>| Project {
            path: "/w/app".into(),
            also: vec!["/w/trees/x".into()],
            name: "app".into(),
            repo: repo.and_then(Repo::parse),
            ..Project::default()
        };
        let repo = |text| Repo::parse(text).expect("a repository");
        assert!(named(None).is_repo(&repo("any/app")) && !named(None).is_repo(&repo("any/app-fork")));
        assert!(named(Some("me/thing")).is_repo(&repo("me/thing")) && !named(Some("me/app")).is_repo(&repo("other/app")));
        assert!(named(Some("me/thing")).is_repo(&repo("app")));
        let project = named(None);
        assert_eq!((project.holds("/w/app/sub"), project.holds("/w/trees/x"), project.holds("/w/app2")), (Some(6), Some(10), None));
    }
}
