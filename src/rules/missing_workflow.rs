//! `session/missing-workflow`

use std::collections::BTreeMap;

use super::{Corpus, CorpusFinding, CorpusFindings, CorpusRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::records::project::Project;

declare_rule! {
    /// # What it sees
    ///
    /// A GitHub Actions workflow, by the name of its file, that two or more neighbouring repositories have and this one,
    /// which has a `.github` folder, does not. `ci.yml` and `ci.yaml` are one.
    ///
    /// # Why it matters
    ///
    /// What runs everywhere else and not here is missed when it would have caught something.
    ///
    /// # Example
    ///
    /// `lib-a` and `lib-b` have `.github/workflows/audit.yml`; this project has `.github/CODEOWNERS` alone.
    ///
    /// # What to do instead
    ///
    /// Take the workflow over, or leave it out knowingly.
    ///
    /// # Not flagged
    ///
    /// Projects without a `.github` folder; files that name one of the projects, such as `deploy-lib-a.yml`; other work
    /// trees and clones of the same repository.
    ///
    /// # Options
    ///
    /// None.
    pub struct MissingWorkflow {
        id: "session/missing-workflow",
        summary: "neighbouring repositories have a workflow that this one lacks",
        trigger: "a workflow file is in two or more sibling repositories and not here, where there is a `.github` folder",
        message: "GitHub Actions workflow \"<file>\" exists in <N> sibling repos (<names>) but not in this project",
        severity: Warning,
        confidence: Verified,
        moments: [Scan],
        loudest: Silent,
        options: [],
        since: "0.1.0",
    }
}

/// How many neighbours must have a workflow.
const ENOUGH: usize = 2;

/// Names of workflows that folders have, too: there they tell nothing of whose it is.
const EVERYDAY: &[&str] =
    &["audit", "build", "cd", "ci", "deploy", "docs", "e2e", "lint", "pages", "publish", "release", "site", "test", "tests", "website"];

impl CorpusRule for MissingWorkflow {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn check(&self, corpus: &Corpus<'_>, out: &mut CorpusFindings) {
        let records = corpus.records;
        if !records.here.has_github {
            return;
        }
        let projects: Vec<&Project> = std::iter::once(&records.here).chain(&records.siblings).collect();
        let mut by_stem: BTreeMap<&str, Vec<(&str, &Project)>> = BTreeMap::new();
        for sibling in &records.siblings {
            let mut last = "";
            for file in &sibling.workflows {
                if stem(file) != last {
                    last = stem(file);
                    by_stem.entry(last).or_default().push((file, sibling));
                }
            }
        }
        for (stem, holders) in by_stem {
            let has = records.here.workflows.iter().any(|file| self::stem(file) == stem);
            if holders.len() >= ENOUGH && !has && !projects.iter().any(|project| names(stem, project)) {
                out.push(CorpusFinding::placed(finding(&holders)));
            }
        }
    }
}

/// The name without `.yml` or `.yaml`.
fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Does the name of a workflow hold the project's name?
fn names(stem: &str, project: &Project) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let stem = words(stem);
    let holds = |name: &str| {
        let name = words(name);
        let tells = !matches!(&name[..], [word] if EVERYDAY.contains(&word.as_str())) && !name.is_empty();
        tells && stem.windows(name.len()).any(|window| window == name)
    };
    holds(&project.name) || project.repo.as_ref().is_some_and(|repo| holds(&repo.name))
}

fn finding(holders: &[(&str, &Project)]) -> Finding {
    let file = holders[0].0;
    let names: Vec<&str> = holders.iter().map(|(_, project)| project.name.as_str()).collect();
    let message = MissingWorkflow::META.message.replace("<file>", file).replace("<N>", &holders.len().to_string());
    let message = message.replace("<names>", &super::names(&names));
    let place = |(file, project): &(&str, &Project)| Place {
        role: "exists as",
        file: format!("{}/.github/workflows/{file}", project.path),
        ..Place::default()
    };
    Finding {
        rule: MissingWorkflow::META,
        severity: Severity::Warning,
        confidence: Confidence::Verified,
        evidence: vec![message.clone()],
        message,
        remedy: format!("take over `.github/workflows/{file}` from {}, or leave it out knowingly", names[0]),
        places: holders.iter().map(place).collect(),
        ask: Ask::Silent,
        key: stem(file).to_owned(),
        standing: String::new(),
        forecast: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Records;

    fn found(here: Option<&[&str]>, siblings: &[(&str, &[&str])]) -> Vec<String> {
        let project = |name: &str, files: &[&str]| Project {
            path: format!("/w/{name}"),
            name: name.into(),
            workflows: files.iter().map(|file| (*file).to_owned()).collect(),
            ..Project::default()
        };
        let own = Project { has_github: here.is_some(), ..project("app", here.unwrap_or_default()) };
        let siblings = siblings.iter().map(|(name, files)| project(name, files)).collect();
        let records = Records { here: own, siblings, ..Records::default() };
        let mut out = CorpusFindings::new();
        MissingWorkflow.check(&Corpus { traces: &[], records: &records }, &mut out);
        out.into_iter().map(|found| found.finding.message).collect()
    }

    #[test]
    fn hit_in_two_neighbours_whatever_the_ending() {
        let message = "GitHub Actions workflow \"deploy.yml\" exists in 2 sibling repos (lib-a, lib-b) but not in this project";
        assert_eq!(found(Some(&[]), &[("lib-a", &["deploy.yml"]), ("lib-b", &["deploy.yaml"])]), [message]);
        assert_eq!(found(Some(&["ci.yml"]), &[("a", &["docs.yml"]), ("b", &["docs.yml"]), ("docs", &[])]).len(), 1);
    }

    #[test]
    fn ok_present_here_or_no_github() {
        let siblings: &[(&str, &[&str])] = &[("lib-a", &["ci.yml"]), ("lib-b", &["ci.yaml"])];
        assert!(found(Some(&["ci.yaml"]), siblings).is_empty());
        assert!(found(None, siblings).is_empty());
        assert!(found(Some(&[]), &[("lib-a", &["ci.yml", "ci.yaml"])]).is_empty(), "one neighbour with both");
    }

    #[test]
    fn ok_named_for_a_project() {
        let with = |file: &'static str| found(Some(&[]), &[("lib-a", &[file]), ("lib-b", &[file])]);
        assert!(with("deploy-lib-a.yml").is_empty() && with("lib_b.yml").is_empty() && with("sync-app.yml").is_empty());
        assert_eq!(with("lib-all.yml").len(), 1);
    }
}
