//! What agents leave behind beside their transcripts, and what it says: memories, typed prompts, secrets that were
//! set, the files that neighbouring projects share. Pure, but for [`disk`] and the reading of memory files; where
//! things lie is `scan`'s business.

pub mod checkpoint;
pub mod citations;
pub mod dates;
pub mod disk;
pub mod lines;
pub mod markdown;
pub mod memory;
pub mod paths;
pub mod project;
pub mod prompts;
pub mod secrets;
mod words;

use memory::{Memories, MemoryOutline};
use project::{Project, Shared};
use prompts::Prompt;
use secrets::SecretAct;

/// All that crosses sessions and projects, as the rules are asked about it.
#[derive(Debug, Default)]
pub struct Records {
    /// The project that is asked about.
    pub here: Project,
    /// Its neighbours: other projects of the same person.
    pub siblings: Vec<Project>,
    /// Files that the project has, and a neighbour too.
    pub shared: Vec<Shared>,
    /// What was typed in the project, in the order of time.
    pub prompts: Vec<Prompt>,
    /// Secrets that were set or removed, by whom and where ever.
    pub secrets: Vec<SecretAct>,
    /// What an agent remembers of the project.
    pub memories: Memories,
    /// What agents remember of other projects.
    pub other_memories: Vec<MemoryOutline>,
}

/// One thing that an agent left behind.
#[derive(Debug, Clone, Copy)]
pub enum Record<'a> {
    /// What it remembers of a project.
    Memories(&'a Memories),
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::citations::{Around, citations};
    use super::lines::LineSet;
    use super::memory::Memory;
    use super::project::Repo;
    use crate::shell::Dialect;

    /// Text of the pieces that decide, in any order.
    fn text() -> impl Strategy<Value = String> {
        let pieces = [
            "`",
            "```",
            "~~~",
            "\n",
            "\r\n",
            " ",
            ": ",
            "---",
            "#",
            "- ",
            "[x](",
            ")",
            "src/a.ts",
            "~/",
            "/",
            "..",
            ":12",
            "\\",
            "commit ",
            "1b18b85",
            "ä",
            "日本",
            "😀",
            "\u{202e}",
            "removed",
            "from ",
            "@",
            "https://",
            "gh secret set ",
            "NAME",
            "-R",
            "me/app",
            "\0",
            "'",
            "\"",
            "$(",
            "|",
            ";",
            ". ",
        ];
        prop::collection::vec(prop_oneof![3 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned), 1 => "\\PC{0,8}"], 0..60)
            .prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn no_text_breaks_a_reader(text in text()) {
            let lines = u32::try_from(text.lines().count()).expect("few");
            let memory = Memory::parse(Path::new("/m/n.md"), &text);
            prop_assert!(memory.lines_before <= lines);
            prop_assert!(super::paths::claims(&text).iter().all(|claim| (1..=lines).contains(&claim.line)));
            prop_assert!(citations(&text, &Around::default()).iter().all(|citation| text.contains(citation.sha)));
            prop_assert!(LineSet::of(&text, 3).len() <= lines as usize);
            let _ = (Repo::parse(&text), super::prompts::is_routine(&text));
            if let Some(command) = super::prompts::typed_command(&text) {
                super::secrets::acts(command, Dialect::Bash, "/w", "/h");
            }
            super::secrets::acts(&text, Dialect::Bash, "/w", "/h");
        }
    }
}
