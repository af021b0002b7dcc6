//! `session/diverged-file`

use super::{Corpus, CorpusFinding, CorpusFindings, CorpusRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::records::lines::Overlap;
use crate::records::project::{Project, Shared};

declare_rule! {
    /// # What it sees
    ///
    /// A file that a person keeps alike in all projects, such as `tsconfig.json` or a release script, and that a
    /// neighbouring project has in another version: between 20 and 90 per cent of the lines are the same. Lines are
    /// compared without the blanks around them, each once, and those of three characters or fewer are left out.
    ///
    /// # Why it matters
    ///
    /// What was once the same and drifted apart was mended in one place and not in the other.
    ///
    /// # Example
    ///
    /// `tsconfig.json` targets ES2022 here and ES2019 in the project next to it; all else is the same.
    ///
    /// # What to do instead
    ///
    /// Look at the difference, and carry over what was mended.
    ///
    /// # Not flagged
    ///
    /// Files with less than a fifth in common, which serve another end, and those that are all but the same; other
    /// work trees and clones of the same repository.
    ///
    /// # Options
    ///
    /// `files`: the files to compare, as paths below a project.
    pub struct DivergedFile {
        id: "session/diverged-file",
        summary: "a file that projects keep alike has drifted apart",
        trigger: "a canonical file is here and in a sibling project, and 20 to 90 per cent of its lines are in both",
        message: "<file> has diverged from sibling repos: <sibling> (<N>% overlap)",
        severity: Warning,
        confidence: Verified,
        moments: [Scan],
        loudest: Silent,
        options: [{
            name: "files",
            summary: "the files to compare, as paths below a project",
            values: [],
            default: "release.sh,.github/workflows/ci.yml,.github/workflows/release.yml,biome.json,.prettierrc,.eslintrc.json,tsconfig.json,.gitignore"
        }],
        since: "0.1.0",
    }
}

/// Less in common, in per cent, is another file under the same name.
const ANOTHER_FILE: usize = 20;
/// More in common is as good as the same.
const AS_GOOD_AS_SAME: usize = 90;

impl CorpusRule for DivergedFile {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn check(&self, corpus: &Corpus<'_>, out: &mut CorpusFindings) {
        for file in &corpus.records.shared {
            let mut drifted: Vec<(Overlap, &Project)> = Vec::new();
            for (sibling, lines) in &file.there {
                let overlap = file.here.overlap(lines);
                if overlap.at_least(ANOTHER_FILE) && !overlap.more_than(AS_GOOD_AS_SAME) {
                    drifted.push((overlap, &corpus.records.siblings[*sibling]));
                }
            }
            if !drifted.is_empty() {
                // The furthest first; cross-multiplied, so that it is exact.
                drifted.sort_by(|(a, _), (b, _)| (a.both * b.either).cmp(&(b.both * a.either)));
                out.push(CorpusFinding::placed(finding(file, &drifted, &corpus.records.here)));
            }
        }
    }
}

fn finding(file: &Shared, drifted: &[(Overlap, &Project)], here: &Project) -> Finding {
    let with: Vec<String> = drifted.iter().map(|(overlap, sibling)| format!("{} ({}% overlap)", sibling.name, overlap.percent())).collect();
    let message = DivergedFile::META.message.replace("<file>", &file.file).replace("<sibling> (<N>% overlap)", &super::names(&with));
    let place = |role: &'static str, project: &Project| Place { role, file: format!("{}/{}", project.path, file.file), ..Place::default() };
    let there = drifted.iter().map(|(_, sibling)| place("differs from", sibling));
    Finding {
        rule: DivergedFile::META,
        severity: Severity::Warning,
        confidence: Confidence::Verified,
        evidence: vec![message.clone()],
        message,
        remedy: format!("compare them (`diff {0} {1}/{0}`) and carry over what was mended", file.file, drifted[0].1.path),
        places: std::iter::once(place("this one", here)).chain(there).collect(),
        ask: Ask::Silent,
        key: file.file.clone(),
        standing: String::new(),
        forecast: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Records;
    use crate::records::lines::LineSet;

    /// One neighbour for each file.
    fn found(here: &str, there: &[&str]) -> Vec<String> {
        let lines = |text: &str| LineSet::of(text, 3);
        let shared = Shared {
            file: "biome.json".into(),
            here: lines(here),
            there: there.iter().enumerate().map(|(i, text)| (i, lines(text))).collect(),
        };
        let project = |i| Project { path: format!("/w/p{i}"), name: format!("p{i}"), ..Project::default() };
        let siblings = (0..there.len()).map(project).collect();
        let records = Records { siblings, shared: vec![shared], ..Records::default() };
        let mut out = CorpusFindings::new();
        DivergedFile.check(&Corpus { traces: &[], records: &records }, &mut out);
        out.into_iter().map(|found| found.finding.message).collect()
    }

    fn lines(range: std::ops::Range<usize>) -> String {
        range.map(|n| format!("line number {n}\r\n")).collect::<Vec<_>>().concat()
    }

    #[test]
    fn hit_the_furthest_first_and_at_both_bounds() {
        let messages = found(&lines(0..10), &[&lines(0..9), &lines(0..5), &lines(0..10)]);
        assert_eq!(messages, ["biome.json has diverged from sibling repos: p1 (50% overlap), p0 (90% overlap)"]);
        assert_eq!(found(&lines(0..10), &[&lines(0..2)]).len(), 1, "20 %");
    }

    #[test]
    fn ok_another_file_or_the_same() {
        assert!(found(&lines(0..100), &[&lines(0..91), &lines(0..19), "", &lines(0..100)]).is_empty());
        assert!(found("", &[""]).is_empty());
    }
}
