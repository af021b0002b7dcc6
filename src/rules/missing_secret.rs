//! `session/missing-secret`

use std::collections::{BTreeMap, BTreeSet};

use super::{Corpus, CorpusFinding, CorpusFindings, CorpusRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::records::project::Project;
use crate::records::secrets::{About, SecretAct};

declare_rule! {
    /// # What it sees
    ///
    /// A secret that `gh secret set` put on two or more neighbouring repositories and not on this one. It was run by
    /// an agent, as its transcript shows, or typed by a person: behind a `!`, or as a bare `gh …` line.
    ///
    /// # Why it matters
    ///
    /// A secret that a workflow needs is missed when the release fails, not when it was forgotten.
    ///
    /// # Example
    ///
    /// ```sh
    /// cd ~/src/lib-a && gh secret set NPM_TOKEN
    /// cd ~/src/lib-b && gh secret set NPM_TOKEN
    /// cd ~/src/lib-c && turnstop scan    # NPM_TOKEN is not set on lib-c
    /// ```
    ///
    /// # What to do instead
    ///
    /// Set it here, too, or once for the organization.
    ///
    /// # Not flagged
    ///
    /// Words about the command, and questions; calls that failed or were refused; secrets that were removed again;
    /// secrets that may have been set here after all: by `--repo`, for the organization, from a file, in a loop. Two
    /// work trees or clones of one repository are one neighbour.
    ///
    /// # Options
    ///
    /// None.
    pub struct MissingSecret {
        id: "session/missing-secret",
        summary: "a secret is set on neighbouring repositories and not on this one",
        trigger: "a secret was set by `gh secret set <NAME>` for two or more sibling repositories and not for this project",
        message: "GitHub secret \"<name>\" is set on <N> sibling repos (<names>) but not on this project",
        severity: Error,
        confidence: Heuristic,
        moments: [Scan],
        loudest: Silent,
        options: [],
        since: "0.1.0",
    }
}

/// On how many neighbours a secret must be.
const ENOUGH: usize = 2;

impl CorpusRule for MissingSecret {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn check(&self, corpus: &Corpus<'_>, out: &mut CorpusFindings) {
        let records = corpus.records;
        // By name, the latest act on each neighbour, and whether this project may have it.
        let mut set: BTreeMap<&str, BTreeMap<usize, &SecretAct>> = BTreeMap::new();
        let mut here: BTreeSet<Option<&str>> = BTreeSet::new();
        let mut acts: Vec<&SecretAct> = records.secrets.iter().collect();
        acts.sort_by_key(|act| act.time);
        for act in acts {
            match act.target.about(&records.here, &records.siblings) {
                About::Here | About::MaybeHere if !act.removed => _ = here.insert(act.name.as_deref()),
                About::Here if act.sure => _ = here.remove(&act.name.as_deref()),
                About::Sibling(i) if act.sure => {
                    if let Some(name) = &act.name {
                        set.entry(name).or_default().insert(i, act);
                    }
                }
                _ => {}
            }
        }
        if here.contains(&None) {
            return;
        }
        for (name, mut by_sibling) in set {
            by_sibling.retain(|_, act| !act.removed);
            if by_sibling.len() >= ENOUGH && !here.contains(&Some(name)) {
                out.push(CorpusFinding::placed(finding(name, &by_sibling, &records.siblings)));
            }
        }
    }
}

fn finding(name: &str, set: &BTreeMap<usize, &SecretAct>, siblings: &[Project]) -> Finding {
    let names: Vec<&str> = set.keys().map(|i| siblings[*i].name.as_str()).collect();
    let message = MissingSecret::META.message.replace("<name>", name).replace("<N>", &set.len().to_string());
    let message = message.replace("<names>", &super::names(&names));
    Finding {
        rule: MissingSecret::META,
        severity: Severity::Error,
        confidence: Confidence::Heuristic,
        evidence: vec![message.clone()],
        message,
        remedy: format!("set it here, too (`gh secret set {name}`), or leave the finding out if this project needs none"),
        places: set.values().map(|act| Place { ..act.place.clone() }).collect(),
        ask: Ask::Silent,
        key: name.to_owned(),
        standing: String::new(),
        forecast: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Records;
    use crate::records::secrets::acts;
    use crate::shell::Dialect;

    fn project(name: &str) -> Project {
        Project { path: format!("/w/{name}"), name: name.into(), ..Project::default() }
    }

    /// Commands, each run in a folder below `/w`.
    fn found(commands: &[(&str, &str)]) -> Vec<String> {
        let mut records = Records { here: project("app"), siblings: ["lib-a", "lib-b", "lib-c"].map(project).into(), ..Records::default() };
        for (time, (folder, command)) in (1..).zip(commands) {
            let acts = acts(command, Dialect::Bash, &format!("/w/{folder}"), "");
            records.secrets.extend(acts.into_iter().map(|act| SecretAct { time, ..act }));
        }
        let mut out = CorpusFindings::new();
        MissingSecret.check(&Corpus { traces: &[], records: &records }, &mut out);
        out.into_iter().map(|found| found.finding.message).collect()
    }

    #[test]
    fn hit_a_secret_of_two_neighbours() {
        let message = "GitHub secret \"NPM_TOKEN\" is set on 2 sibling repos (lib-a, lib-b) but not on this project";
        assert_eq!(found(&[("lib-a", "gh secret set NPM_TOKEN"), ("lib-b/sub", "gh secret set npm_token")]), [message]);
        assert_eq!(found(&[("app", "gh secret set -R me/lib-a NPM_TOKEN; gh secret set -R me/lib-b NPM_TOKEN")]), [message]);
        let removed =
            [("app", "gh secret set A"), ("app", "gh secret delete A"), ("lib-a", "gh secret set A"), ("lib-b", "gh secret set A")];
        assert_eq!(found(&removed).len(), 1);
    }

    #[test]
    fn ok_one_neighbour_or_none() {
        assert!(found(&[("lib-a", "gh secret set A"), ("lib-a", "gh secret set A"), ("other", "gh secret set A")]).is_empty());
        assert!(found(&[("lib-a", "gh secret set A"), ("lib-b", "gh secret set A"), ("lib-b", "gh secret delete A")]).is_empty());
        assert!(found(&[("lib-a", "gh secret set A"), ("lib-b", "gh secret set B")]).is_empty());
    }

    #[test]
    fn ok_set_here_or_maybe() {
        for (folder, command) in [
            ("app", "gh secret set A"),
            ("lib-c", "gh secret set A -R me/app"),
            ("app/sub", "gh secret set a"),
            ("app", "gh secret set -f .env"),
            ("lib-a", "gh secret set A --org me"),
            ("lib-a", "for r in app lib-c; do gh secret set A -R me/$r; done"),
        ] {
            let both = [("lib-a", "gh secret set A"), ("lib-b", "gh secret set A"), (folder, command)];
            assert!(found(&both).is_empty(), "{folder}: {command}");
        }
    }
}
