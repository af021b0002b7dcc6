//! A checkpoint: what a session leaves for the one that goes on, in `CHECKPOINT.md` or `CHECKPOINT-<name>.md`.
//!
//! The format is session-continuity's: front matter with the day, and five sections.

use std::fmt;

use super::dates::relative;
use super::markdown::{Fenced, is_item, spans};
use crate::text;

/// How the titles of the sections that a checkpoint has begin.
pub const SECTIONS: [&str; 5] = ["Objective", "State", "Decisions", "Open threads", "Gotchas"];

/// What belongs into each of them, as the form says it.
const HINTS: [&str; 5] = [
    "What this is for, and when it is done.",
    "What works, what does not, and how that is known: commands, and what they came to.",
    "What was decided, what for, and what was turned down.",
    "What is still to be done, the next step first.",
    "What surprised, what was tried and led nowhere.",
];

/// The file that names the form of a checkpoint in some projects, and is none itself.
const TEMPLATE: &str = "TEMPLATE";

/// With fewer words it is thin enough to be a summary.
const THIN: usize = 150;

/// What is wrong with a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It does not begin with front matter.
    NoFrontMatter,
    /// The front matter has no `updated:`.
    NoUpdated,
    /// That is no day of the calendar.
    Updated(String),
    /// A section is missing.
    Missing {
        /// How its title would begin.
        section: &'static str,
        /// A fence that never closes, and may hide it: its line.
        behind: Option<u32>,
    },
    /// A section holds nothing but white space, comments and fenced code.
    Empty(&'static str),
    /// A day is named that only who wrote it knows.
    Relative {
        /// The line, counted from 1.
        line: u32,
        /// As written.
        words: String,
    },
    /// It has so few words.
    Thin(usize),
}

impl Fault {
    /// It is no checkpoint with this; else it may be one.
    pub fn is_failure(&self) -> bool {
        !matches!(self, Fault::Thin(_))
    }

    /// The line of the file that it is about, counted from 1.
    pub fn line(&self) -> Option<u32> {
        if let Fault::Relative { line, .. } = self { Some(*line) } else { None }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoFrontMatter => f.write_str("no YAML frontmatter (needs an `updated:` date)"),
            Fault::NoUpdated => f.write_str("frontmatter has no `updated:` line"),
            Fault::Updated(value) => write!(f, "`updated: {value}` is not an absolute YYYY-MM-DD date"),
            Fault::Missing { section, behind: None } => write!(f, "missing section '{section}'"),
            Fault::Missing { section, behind: Some(line) } => {
                write!(f, "missing section '{section}' (a code fence opened on line {line} never closes)")
            }
            Fault::Empty(section) => write!(f, "section '{section}' is empty"),
            Fault::Relative { words, .. } => write!(f, "relative date '{words}' (use an absolute YYYY-MM-DD date)"),
            Fault::Thin(words) => write!(f, "{words} words across 5 required sections — thin enough to be a summary, not a checkpoint"),
        }
    }
}

/// May a session be called this? Its checkpoint is a file of that name.
pub fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    name != TEMPLATE && name.bytes().all(is_plain) && name.starts_with(|first: char| first.is_ascii_alphanumeric())
}

/// The name of the file for a session of this name.
pub fn file_of(name: Option<&str>) -> String {
    name.map_or_else(|| "CHECKPOINT.md".to_owned(), |name| format!("CHECKPOINT-{name}.md"))
}

/// The form of a checkpoint that is written on this day (`2026-12-01`). Its hints are comments, which fill no section.
pub fn form(name: Option<&str>, day: &str) -> String {
    let title = name.unwrap_or("<what this session is about>");
    let sections = SECTIONS.iter().zip(HINTS).map(|(section, hint)| format!("\n## {section}\n\n<!-- {hint} -->\n"));
    format!("---\ntype: session-checkpoint\nupdated: {day}\n---\n\n# {title}\n{}", sections.collect::<String>())
}

/// A checkpoint, line by line.
struct Page<'t> {
    lines: Vec<&'t str>,
    /// Where the front matter ends: behind its second `---`; 0 where there is none.
    body: usize,
    /// Of the body.
    fenced: Fenced,
}

/// What is wrong with the checkpoint that this text is: its front matter, then its sections in their order, then words
/// by their lines, then what is only doubtful.
pub fn faults(text: &str) -> Vec<Fault> {
    let page = Page::new(text.strip_prefix('\u{feff}').unwrap_or(text));
    let mut faults: Vec<Fault> = page.updated().into_iter().collect();
    faults.extend(SECTIONS.iter().filter_map(|section| page.section(section)));
    faults.extend(page.relative());
    let words = page.lines[page.body..].iter().map(|line| line.split_whitespace().count()).sum();
    faults.extend((words < THIN).then_some(Fault::Thin(words)));
    faults
}

impl<'t> Page<'t> {
    fn new(text: &'t str) -> Self {
        let lines: Vec<&str> = text.lines().collect();
        let end = lines.iter().skip(1).position(|line| *line == "---").map(|at| at + 2);
        let body = end.filter(|_| lines[0] == "---").unwrap_or(0);
        let mut fenced = Fenced::of(lines[body..].iter().copied());
        fenced.unclosed = fenced.unclosed.map(|line| line + number(body));
        Page { lines, body, fenced }
    }

    /// What is wrong with the front matter.
    fn updated(&self) -> Option<Fault> {
        if self.body == 0 {
            return Some(Fault::NoFrontMatter);
        }
        let Some(value) = self.lines[1..self.body].iter().find_map(|line| line.strip_prefix("updated:")) else {
            return Some(Fault::NoUpdated);
        };
        let value = scalar(value);
        (!text::is_day(value)).then(|| Fault::Updated(text::clean(value)))
    }

    /// What is wrong with a section.
    fn section(&self, name: &'static str) -> Option<Fault> {
        let headings: Vec<(usize, usize)> =
            self.headings().filter(|(.., title)| title.starts_with(name)).map(|(at, level, _)| (at, level)).collect();
        if headings.is_empty() {
            return Some(Fault::Missing { section: name, behind: self.fenced.unclosed });
        }
        let is_filled = |&(at, level): &(usize, usize)| {
            let end = self.headings().find(|(other, its, _)| *other > at && *its <= level).map_or(self.lines.len(), |(end, ..)| end);
            self.has_content(at + 1, end)
        };
        (!headings.iter().any(is_filled)).then_some(Fault::Empty(name))
    }

    /// The headings outside of fenced code: line, level and title of each.
    fn headings(&self) -> impl Iterator<Item = (usize, usize, &'t str)> {
        let body = self.lines[self.body..].iter().zip(&self.fenced.lines).zip(self.body..);
        body.filter(|((_, fenced), _)| !**fenced).filter_map(|((line, _), at)| heading(line).map(|(level, title)| (at, level, title)))
    }

    /// Is there a word in these lines, outside of fenced code, comments and headings?
    fn has_content(&self, from: usize, to: usize) -> bool {
        let open =
            (from..to).filter(|at| !self.fenced.lines[at - self.body]).map(|at| self.lines[at]).filter(|line| heading(line).is_none());
        without_comments(&open.collect::<Vec<_>>().join("\n")).contains(|c: char| !c.is_whitespace())
    }

    /// Days that only who wrote it knows, outside of code.
    fn relative(&self) -> Vec<Fault> {
        let mut found = Vec::new();
        let mut paragraph: Vec<(u32, &str)> = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            let in_body = at >= self.body;
            let fenced = in_body && self.fenced.lines[at - self.body];
            let stands_alone = !in_body || heading(line).is_some();
            if fenced || stands_alone || line.trim().is_empty() || is_item(line) {
                look_through(&std::mem::take(&mut paragraph), &mut found);
            }
            if !fenced {
                paragraph.push((number(at) + 1, line));
            }
            if stands_alone {
                look_through(&std::mem::take(&mut paragraph), &mut found);
            }
        }
        look_through(&paragraph, &mut found);
        found
    }
}

/// Looks for such days in the lines of a paragraph. A code span may begin on one and end on another.
fn look_through(paragraph: &[(u32, &str)], found: &mut Vec<Fault>) {
    let text = paragraph.iter().map(|(_, line)| *line).collect::<Vec<_>>().join("\n");
    let (mut start, mut prose) = (0, text.clone().into_bytes());
    for span in spans(&text) {
        // Code is made unreadable in place, so that no words meet across it.
        if span.code {
            prose[start..span.at + span.text.len()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = 0);
        }
        start = span.at + span.text.len();
    }
    let prose = String::from_utf8(prose).unwrap_or_default();
    for ((line, _), text) in paragraph.iter().zip(prose.split('\n')) {
        found.extend(relative(text).into_iter().map(|at| Fault::Relative { line: *line, words: text[at].to_owned() }));
    }
}

/// The level and the title of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let marks = line[indent..].bytes().take_while(|byte| *byte == b'#').count();
    let title = &line[indent + marks..];
    ((1..=6).contains(&marks) && indent <= 3 && title.starts_with([' ', '\t'])).then(|| (marks, title.trim()))
}

/// A scalar of YAML without its quotes, or the comment behind it.
fn scalar(value: &str) -> &str {
    let value = value.trim();
    if let Some((quoted, _)) = value.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        return quoted;
    }
    if let Some((quoted, _)) = value.strip_prefix('\'').and_then(|rest| rest.split_once('\'')) {
        return quoted;
    }
    value.split_once(" #").map_or(value, |(value, _)| value).trim_end()
}

fn without_comments(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("<!--") {
        left.push_str(before);
        rest = behind.split_once("-->").map_or("", |(_, behind)| behind);
    }
    left + rest
}

fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A checkpoint whose sections hold this, and enough words.
    fn page(sections: [&str; 5]) -> String {
        let sections = SECTIONS.iter().zip(sections).map(|(name, content)| format!("## {name}\n\n{content}\n\n"));
        let head = "---\ntype: session-checkpoint\nupdated: 2026-12-01\n---\n\n# Importer\n\n";
        [head, &sections.collect::<String>(), &"word ".repeat(THIN)].concat()
    }

    fn told(text: &str) -> Vec<String> {
        faults(text).iter().map(|fault| fault.line().map_or_else(|| fault.to_string(), |line| format!("{line}: {fault}"))).collect()
    }

    const FULL: [&str; 5] = ["Import orders.", "Parser done.", "Streams, for memory.", "Dates.", "none"];

    #[test]
    fn a_whole_one_has_no_fault() {
        assert_eq!(told(&page(FULL)), [""; 0]);
        assert_eq!(told(&format!("\u{feff}{}", page(FULL).replace('\n', "\r\n"))), [""; 0]);
        assert_eq!(told(&page(["x", "### Importer\n\nhalf", "x", "- a", "x"])), [""; 0]);
        assert_eq!(told(&page(FULL).replace("2026-12-01", "\"2026-12-01\"  # the day")), [""; 0]);
    }

    #[test]
    fn the_form_is_whole_and_says_nothing() {
        let faults = faults(&form(Some("importer"), "2026-12-01"));
        assert_eq!(faults[..5], SECTIONS.map(Fault::Empty));
        assert!(faults[5..].iter().all(|fault| !fault.is_failure()));
        assert!(is_name("a") && is_name("2-b_c.d") && file_of(Some("a")) == "CHECKPOINT-a.md" && file_of(None) == "CHECKPOINT.md");
        for name in ["", "-a", ".a", "a/b", "a b", "é", "TEMPLATE", "..", "a\n"] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn front_matter_tells_a_day() {
        let whole = page(FULL);
        assert_eq!(told(&whole[4..]), ["no YAML frontmatter (needs an `updated:` date)"]);
        assert_eq!(told(&whole.replace("updated:", " updated:")), ["frontmatter has no `updated:` line"]);
        assert_eq!(told(&whole.replace("2026-12-01", "soon # or so")), ["`updated: soon` is not an absolute YYYY-MM-DD date"]);
        assert_eq!(
            told(""),
            [
                "no YAML frontmatter (needs an `updated:` date)",
                "missing section 'Objective'",
                "missing section 'State'",
                "missing section 'Decisions'",
                "missing section 'Open threads'",
                "missing section 'Gotchas'",
                "0 words across 5 required sections — thin enough to be a summary, not a checkpoint",
            ]
        );
    }

    #[test]
    fn what_says_nothing_fills_no_section() {
        for content in ["", " \t", "```\nState is here\n```", "<!-- where it\nstands -->", "### Importer"] {
            assert_eq!(told(&page(["x", content, "x", "x", "x"])), ["section 'State' is empty"], "{content}");
        }
        let twice = page(["x", "", "x", "x", "## State, again\n\nit runs"]);
        assert_eq!(told(&twice), ["section 'Gotchas' is empty"]);
        assert_eq!(
            told(&page(["x", "x", "x", "x\n\n```sh\nls", "x"])),
            ["missing section 'Gotchas' (a code fence opened on line 24 never closes)"]
        );
    }

    #[test]
    fn days_are_named_outside_of_code() {
        let told_of = |content: &str| told(&page(["x", content, "x", "x", "x"]));
        assert_eq!(
            told_of("Done yesterday, and today."),
            [
                "14: relative date 'yesterday' (use an absolute YYYY-MM-DD date)",
                "14: relative date 'today' (use an absolute YYYY-MM-DD date)",
            ]
        );
        for content in ["`today`", "``a ` today``", "`a\ntoday`", "    ```\n`today`", "~~~\ntoday\n~~~\nx", "last `x` week"] {
            assert_eq!(told_of(content), [""; 0], "{content}");
        }
        assert_eq!(told_of("- `a\n- today`").len(), 1, "an item ends a paragraph");
        assert_eq!(told_of("``a today`").len(), 1, "what is not closed is no code");
        assert_eq!(told(&page(FULL).replace("# Importer", "# This week's importer")).len(), 1);
    }
}
