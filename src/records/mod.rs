//! What agents leave behind beside their transcripts, and what it says: memories, typed prompts, secrets that were
//! set, the files that neighbouring projects share. Pure, but for [`disk`] and the reading of memory files; where
//! things lie is `scan`'s business.

pub mod citations;
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
