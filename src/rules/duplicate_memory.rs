//! `session/duplicate-memory`

use std::collections::HashMap;

use super::{Corpus, CorpusFinding, CorpusFindings, CorpusRule};
use crate::declare_rule;
use crate::finding::{Ask, Finding, Place};
use crate::meta::{Confidence, Meta, Severity};
use crate::records::lines::{LineSet, Overlap};
use crate::records::memory::{Memory, MemoryOutline};
use crate::text;

declare_rule! {
    /// # What it sees
    ///
    /// A memory of this project and one of another that share more than 60 per cent of their lines. Lines of five
    /// characters or fewer are left out, and so are memories of fewer than 50 characters and the index.
    ///
    /// # Why it matters
    ///
    /// What holds for all projects belongs in one place. Learned anew in each, it drifts apart.
    ///
    /// # Example
    ///
    /// The same four lines of coding conventions, remembered in five projects.
    ///
    /// # What to do instead
    ///
    /// Move it into the instructions that every project reads, and drop the copies.
    ///
    /// # Not flagged
    ///
    /// Two memories of one project, two of other projects, memories of another work tree of this one.
    ///
    /// # Options
    ///
    /// None.
    pub struct DuplicateMemory {
        id: "session/duplicate-memory",
        summary: "a memory is all but the same as one of another project",
        trigger: "a memory of this project and one of another share more than 60 per cent of their lines",
        message: "Memory \"<nameA>\" (<projA>) and \"<nameB>\" (<projB>) have <N>% overlap",
        severity: Info,
        confidence: Verified,
        moments: [Scan],
        loudest: Silent,
        options: [],
        since: "0.1.0",
    }
}

/// More in common, in per cent, is the same memory.
const SAME: usize = 60;

impl CorpusRule for DuplicateMemory {
    fn meta(&self) -> &'static Meta {
        Self::META
    }

    fn check(&self, corpus: &Corpus<'_>, out: &mut CorpusFindings) {
        let records = corpus.records;
        let own: Vec<(&Memory, LineSet)> = records.memories.list.iter().filter_map(|memory| Some((memory, memory.comparable()?))).collect();
        let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
        for (i, (_, lines)) in own.iter().enumerate() {
            lines.iter().for_each(|line| holders.entry(line).or_default().push(i));
        }
        for other in &records.other_memories {
            let mut both = HashMap::new();
            for i in other.lines.iter().filter_map(|line| holders.get(&line)).flatten() {
                *both.entry(*i).or_insert(0_usize) += 1;
            }
            let mut both: Vec<(usize, usize)> = both.into_iter().collect();
            both.sort_unstable();
            for (i, both) in both {
                let (memory, lines) = &own[i];
                let overlap = Overlap::new(both, lines.len(), other.lines.len());
                if overlap.more_than(SAME) {
                    out.push(CorpusFinding::placed(finding(memory, &records.here.name, other, overlap)));
                }
            }
        }
    }
}

fn finding(memory: &Memory, project: &str, other: &MemoryOutline, overlap: Overlap) -> Finding {
    let message = DuplicateMemory::META.message.replace("<N>", &overlap.percent().to_string());
    let message = message.replace("<nameA>", &super::name_of(memory)).replace("<projA>", &text::name(project, 80));
    let message = message.replace("<nameB>", &text::name(&other.name, 80)).replace("<projB>", &text::name(&other.project, 80));
    let files = [&memory.file, &other.file].map(|file| file.to_string_lossy().into_owned());
    let place = |role: &'static str, file: &String| Place { role, file: file.clone(), ..Place::default() };
    Finding {
        rule: DuplicateMemory::META,
        severity: Severity::Info,
        confidence: Confidence::Verified,
        evidence: vec![message.clone()],
        message,
        remedy: "move what holds for both into the user's own instructions, and drop the copies".to_owned(),
        places: vec![place("this one", &files[0]), place("the same as", &files[1])],
        ask: Ask::Silent,
        key: files.join("\0"),
        standing: String::new(),
        forecast: false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::records::Records;
    use crate::records::memory::Memories;
    use crate::records::project::Project;

    fn found(own: &[&str], other: &[&str]) -> Vec<String> {
        let parsed = |text: &&str| Memory::parse(Path::new("/m/a.md"), text);
        let list = own.iter().map(parsed).collect();
        let outline = |text: &&str| {
            let memory = parsed(text);
            Some(MemoryOutline { file: PathBuf::from("/n/b.md"), name: "b".into(), project: "lib".into(), lines: memory.comparable()? })
        };
        let records = Records {
            here: Project { name: "app".into(), ..Project::default() },
            memories: Memories { list, ..Memories::default() },
            other_memories: other.iter().filter_map(outline).collect(),
            ..Records::default()
        };
        let mut out = CorpusFindings::new();
        DuplicateMemory.check(&Corpus { traces: &[], records: &records }, &mut out);
        out.into_iter().map(|found| found.finding.message).collect()
    }

    fn lines(range: std::ops::Range<usize>) -> String {
        range.map(|n| format!("convention number {n}\n")).collect::<Vec<_>>().concat()
    }

    #[test]
    fn hit_the_same_memory_in_another_project() {
        let text = format!("---\nname: notes\n---\n{}", lines(0..4));
        assert_eq!(found(&[&text], &[&lines(0..4).replace('\n', "\r\n")]), ["Memory \"notes\" (app) and \"b\" (lib) have 100% overlap"]);
        assert_eq!(found(&[&lines(0..10)], &[&lines(0..7)]).len(), 1);
    }

    #[test]
    fn ok_not_more_than_sixty_per_cent() {
        assert!(found(&[&lines(0..10)], &[&lines(0..6)]).is_empty());
    }

    #[test]
    fn ok_within_one_project_or_too_short() {
        assert!(found(&[&lines(0..4), &lines(0..4)], &[]).is_empty());
        assert!(found(&["the same short text"], &["the same short text"]).is_empty());
    }
}
