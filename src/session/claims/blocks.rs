//! A message's Markdown: what of it is prose, and what is code or somebody else's words.

use std::ops::Range;

/// A stretch of prose.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// Its text, without the marker of a list item or a heading.
    pub(super) at: Range<usize>,
    /// Of a table's row: where its cells stand.
    pub(super) cells: Vec<Range<usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A paragraph.
    Prose,
    /// An item of a list.
    Item,
    /// An item with a ticked box.
    Done,
    /// An item with an empty box.
    Open,
    Heading,
    /// The first row of a table.
    Header,
    /// Another row of it.
    Row,
}

/// The boxes of lists of things to do.
const BOXES: [(&str, Kind); 8] = [
    ("[ ]", Kind::Open),
    ("[]", Kind::Open),
    ("☐", Kind::Open),
    ("☒", Kind::Open),
    ("⬜", Kind::Open),
    ("🔲", Kind::Open),
    ("[x]", Kind::Done),
    ("[X]", Kind::Done),
];

/// The prose of a message, in order. Fences, indented code, block quotes and comments are left out.
pub(super) fn blocks(message: &str, from: usize) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut comment = false;
    // Where a line may go on: at the end of a block without a blank line since.
    let mut open = false;
    let mut code_may_start = true;
    let mut in_list = false;
    let mut start = from;
    for line in message[from..].split_inclusive('\n') {
        let line_start = start;
        start += line.len();
        let text = line.trim();
        if let Some(mark) = fence {
            if text.starts_with(mark) && text.trim_start_matches(&mark[..1]).is_empty() {
                fence = None;
            }
            continue;
        }
        if comment || text.starts_with("<!--") {
            comment = !text.contains("-->");
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let at = line_start + indent..line_start + indent + text.len();
        if text.is_empty() {
            (open, code_may_start) = (false, true);
            continue;
        }
        if let Some(mark) = fence_of(text) {
            (fence, open) = (Some(mark), false);
            continue;
        }
        let code = code_may_start && !in_list && (line.starts_with("    ") || line.starts_with('\t'));
        if code || text.starts_with('>') {
            open = false;
            continue;
        }
        code_may_start = false;
        let in_table = open && blocks.last().is_some_and(|last| last.kind.is_table());
        if is_rule(text) {
            open = false;
        } else if text.starts_with('|') || (text.contains(" | ") && in_table) {
            let cells = cells(message, &at);
            let separator = cells.iter().all(|cell| !cell.is_empty() && message[cell.clone()].bytes().all(|byte| b"-: ".contains(&byte)));
            if !separator {
                blocks.push(Block { kind: Kind::Row, at, cells });
            } else if let Some(last) = blocks.last_mut().filter(|_| in_table) {
                last.kind = Kind::Header;
            }
            (open, in_list) = (true, false);
        } else if let Some(level) = heading(text) {
            blocks.push(Block { kind: Kind::Heading, at: at.start + level..at.end, cells: Vec::new() });
            (open, in_list, code_may_start) = (false, false, true);
        } else if let Some((marker, kind)) = item(text) {
            blocks.push(Block { kind, at: at.start + marker..at.end, cells: Vec::new() });
            (open, in_list) = (true, true);
        } else if let Some(last) = blocks.last_mut().filter(|last| open && !last.kind.is_table() && last.kind != Kind::Heading) {
            last.at.end = at.end;
        } else {
            in_list &= indent > 1;
            blocks.push(Block { kind: Kind::Prose, at, cells: Vec::new() });
            open = true;
        }
    }
    blocks
}

impl Kind {
    /// Is a block of kind `next` behind it more of the same list or table?
    pub(super) fn goes_on_in(self, next: Kind) -> bool {
        let is_item = |kind: Kind| matches!(kind, Kind::Item | Kind::Done | Kind::Open);
        (self.is_table() && next == Kind::Row) || (is_item(self) && is_item(next))
    }

    fn is_table(self) -> bool {
        matches!(self, Kind::Header | Kind::Row)
    }
}

/// The fence that a line opens.
fn fence_of(text: &str) -> Option<&str> {
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = text.len() - text.trim_start_matches(mark).len();
    (length >= 3 && (mark == '~' || !text[length..].contains('`'))).then(|| &text[..length])
}

/// A line across.
fn is_rule(text: &str) -> bool {
    text.len() >= 3 && ["-", "*", "_", "=", "─", "═"].iter().any(|mark| text.trim_start_matches(mark).is_empty())
}

/// How long the marker of a heading is.
fn heading(text: &str) -> Option<usize> {
    let level = text.len() - text.trim_start_matches('#').len();
    ((1..=6).contains(&level) && text[level..].starts_with(' ')).then_some(level)
}

/// How long the marker of a list item is, and what its box says.
fn item(text: &str) -> Option<(usize, Kind)> {
    if let Some(bare) = boxed(text, 0) {
        return Some(bare);
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let marker = if (1..=3).contains(&digits) && (text[digits..].starts_with(". ") || text[digits..].starts_with(") ")) {
        digits + 2
    } else {
        let bullet = text.chars().next().filter(|c| matches!(c, '-' | '*' | '+' | '•' | '◦' | '▪' | '·' | '–'))?.len_utf8();
        text[bullet..].starts_with([' ', '\t']).then_some(bullet + 1)?
    };
    Some(boxed(text, marker).unwrap_or((marker, Kind::Item)))
}

/// Behind a marker, or at the start of a line without one: a box, how long it is, and what it says.
fn boxed(text: &str, marker: usize) -> Option<(usize, Kind)> {
    let rest = text[marker..].trim_start();
    let spaces = text.len() - marker - rest.len();
    let (mark, kind) = BOXES.iter().find(|(mark, _)| rest.starts_with(mark))?;
    Some((marker + spaces + mark.len(), *kind))
}

/// The cells of a table's row, without the blanks around them.
fn cells(message: &str, row: &Range<usize>) -> Vec<Range<usize>> {
    let mut cells = Vec::new();
    let mut start = row.start;
    let mut code = false;
    let inner = message[row.clone()].trim_end_matches('|');
    for (at, c) in inner.char_indices().chain([(inner.len(), '|')]) {
        code ^= c == '`';
        let at = row.start + at;
        if c == '|' && (!code || at == row.start + inner.len()) {
            if at > row.start {
                let cell = message[start..at].trim();
                let blank = message[start..at].len() - message[start..at].trim_start().len();
                cells.push(if cell.is_empty() { start..start } else { start + blank..start + blank + cell.len() });
            }
            start = at + 1;
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_prose_is_left() {
        let message = "One\ntwo\n\n```sh\nall tests pass\n```\n> quoted\n\n    indented\n\n## Head\n- a\n  b\n- [ ] c\n1. [x] d\n\n| A | B |\n|---|---|\n| `x|y` | 2 |\n~~~\nnever closed";
        let found: Vec<_> = blocks(message, 0).iter().map(|block| (block.kind, message[block.at.clone()].trim())).collect();
        let want = [
            (Kind::Prose, "One\ntwo"),
            (Kind::Heading, "Head"),
            (Kind::Item, "a\n  b"),
            (Kind::Open, "c"),
            (Kind::Done, "d"),
            (Kind::Header, "| A | B |"),
            (Kind::Row, "| `x|y` | 2 |"),
        ];
        assert_eq!(found, want);
    }

    #[test]
    fn a_row_has_its_cells() {
        let row = "| `x|y` | | 2";
        let found: Vec<_> = cells(row, &(0..row.len())).into_iter().map(|cell| &row[cell]).collect();
        assert_eq!(found, ["`x|y`", "", "2"]);
    }
}
