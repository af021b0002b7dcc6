//! What an agent remembers: one Markdown file a memory, with front matter, and `MEMORY.md` as the index.

use std::io;
use std::path::{Path, PathBuf};

use super::lines::LineSet;
use crate::agent::json::text_of;
use crate::fs::read_regular;

/// The file that lists the others, and that alone is loaded whole when a session starts.
pub const INDEX: &str = "MEMORY.md";

/// Largest memory that is read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// Most files of one folder that are looked at.
const MAX_FILES: usize = 4096;

/// Lines up to this length, in characters, say nothing about whether two memories are the same.
const TRIVIAL_LINE: usize = 5;

/// Shorter memories, in characters, are not compared.
const MIN_COMPARED: usize = 50;

/// A memory, or the index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memory {
    /// The file.
    pub file: PathBuf,
    /// The name that its front matter gives, or that of the file.
    pub name: String,
    /// The text without front matter.
    pub body: String,
    /// How many lines stand before the body.
    pub lines_before: u32,
    /// Size of the file in bytes, without a byte order mark.
    pub bytes: usize,
    /// Lines of the file; a newline at its end begins none.
    pub lines: usize,
}

/// What an agent remembers of one project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Memories {
    /// Every memory but the index.
    pub list: Vec<Memory>,
    /// The index of each folder that has one.
    pub indexes: Vec<Memory>,
    /// Files that could not be read, and why.
    pub skipped: Vec<(PathBuf, String)>,
}

/// As much of a memory as a comparison needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryOutline {
    /// The file.
    pub file: PathBuf,
    /// Its name.
    pub name: String,
    /// The project that it is about.
    pub project: String,
    /// Its lines.
    pub lines: LineSet,
}

impl Memory {
    /// Reads one.
    ///
    /// # Errors
    /// When it cannot be read, is no regular file, or is larger than 4 MiB.
    pub fn read(file: &Path) -> io::Result<Self> {
        let bytes = read_regular(file, MAX_BYTES)?;
        let mark = if bytes.starts_with("\u{feff}".as_bytes()) { '\u{feff}'.len_utf8() } else { 0 };
        Ok(Memory { bytes: bytes.len() - mark, ..Self::parse(file, &text_of(&bytes)) })
    }

    /// The memory that this text is.
    pub fn parse(file: &Path, text: &str) -> Self {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (fields, lines_before) = front_matter(text).unwrap_or_default();
        let body = text.split_inclusive('\n').skip(lines_before as usize).collect();
        let named = fields.into_iter().find(|(key, value)| *key == "name" && !value.is_empty());
        Memory {
            file: file.to_owned(),
            name: named.map_or(name, |(_, value)| value.to_owned()),
            body,
            lines_before,
            bytes: text.len(),
            lines: text.lines().count(),
        }
    }

    /// The lines to compare; `None` for a memory that is too short.
    pub fn comparable(&self) -> Option<LineSet> {
        let long = self.body.trim().chars().nth(MIN_COMPARED - 1).is_some();
        long.then(|| LineSet::of(&self.body, TRIVIAL_LINE)).filter(|lines| !lines.is_empty())
    }

    /// The line of the file that is this line of the body, counted from 1.
    pub fn line(&self, of_body: u32) -> u32 {
        self.lines_before + of_body
    }
}

/// The `key: value` lines between `---` and `---`, and how many lines that is; `None` where it does not close.
fn front_matter(text: &str) -> Option<(Vec<(&str, &str)>, u32)> {
    let mut lines = text.lines().zip(1..);
    lines.next().filter(|(line, _)| line.trim_end() == "---")?;
    let mut fields = Vec::new();
    for (line, number) in lines {
        if line.trim_end() == "---" {
            return Some((fields, number));
        }
        if let Some((key, value)) = line.split_once(':') {
            fields.push((key.trim(), value.trim().trim_matches(['"', '\''])));
        }
    }
    None
}

impl Memories {
    /// Reads the memories of these folders. A folder that is not there holds none.
    pub fn read(folders: &[PathBuf]) -> Self {
        let mut memories = Memories::default();
        for file in folders.iter().flat_map(|folder| files(folder)) {
            let is_index = file.file_name().is_some_and(|name| name == INDEX);
            match Memory::read(&file) {
                Ok(memory) if is_index => memories.indexes.push(memory),
                Ok(memory) => memories.list.push(memory),
                Err(error) => memories.skipped.push((file, error.to_string())),
            }
        }
        memories
    }

    /// Every file: the memories, then the indexes.
    pub fn all(&self) -> impl Iterator<Item = &Memory> {
        self.list.iter().chain(&self.indexes)
    }
}

/// The Markdown files of a folder, by name.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|it| it == "md")).collect();
    found.retain(|path| path.is_file());
    found.sort();
    found.truncate(MAX_FILES);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Memory {
        Memory::parse(Path::new("/m/n.md"), text)
    }

    #[test]
    fn front_matter_is_taken_off_whatever_ends_its_lines() {
        for newline in ["\n", "\r\n"] {
            let memory = parse(&["---", "name: \"my notes\"", "type: project", "--- ", "body", ""].join(newline));
            assert_eq!((memory.name.as_str(), memory.body.trim_end(), memory.line(1)), ("my notes", "body", 5));
        }
        let open = parse("---\nname: x\nbody");
        assert_eq!((open.name.as_str(), open.lines_before), ("n.md", 0), "what does not close is body");
        assert_eq!(parse("---\nname:\n---\nx").name, "n.md");
    }

    #[test]
    fn a_newline_at_the_end_begins_no_line() {
        assert_eq!((parse("a\nb\n").lines, parse("a\nb").lines, parse("").lines), (2, 2, 0));
    }

    #[test]
    fn short_memories_are_not_compared() {
        assert_eq!(parse(&format!("  {}  ", "x".repeat(49))).comparable(), None);
        assert!(parse(&"x".repeat(50)).comparable().is_some());
    }
}
