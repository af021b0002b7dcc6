//! Edits of JSON with comments that touch no byte but their own, and can be taken back exactly.
//!
//! An item is put in by one rule and taken out by its mirror image, so that the text in between need not be
//! remembered anywhere:
//!
//! | container | put in |
//! |---|---|
//! | items on lines of their own | comma after the last item, then line end, indentation, item below its line comments |
//! | items on one line | comma after the last item, a space, item |
//! | last item has a trailing comma | the same after that comma, with a comma after the new item |
//! | empty | item right after the opening bracket |

use std::ops::Range;

use jsonc_parser::ast::{Array, Object};
use jsonc_parser::common::Ranged;

use super::json::Layout;

/// One replacement: these bytes become this text.
#[derive(Debug)]
pub(super) struct Splice {
    range: Range<usize>,
    text: String,
}

impl Splice {
    fn insert(at: usize, text: String) -> Self {
        Self { range: at..at, text }
    }

    pub(super) fn replace(range: Range<usize>, text: String) -> Self {
        Self { range, text }
    }

    pub(super) fn start(&self) -> usize {
        self.range.start
    }

    fn remove(range: Range<usize>) -> Self {
        Self { range, text: String::new() }
    }
}

/// The text after the splices, which are in order and do not overlap.
pub(super) fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut out = String::with_capacity(text.len() + splices.iter().map(|splice| splice.text.len()).sum::<usize>());
    let mut from = 0;
    for splice in splices {
        out.push_str(&text[from..splice.range.start]);
        out.push_str(&splice.text);
        from = splice.range.end;
    }
    out.push_str(&text[from..]);
    out
}

/// An object or array as places in the text.
#[derive(Debug)]
pub(super) struct Container<'t> {
    text: &'t str,
    /// The first byte after the opening bracket.
    inside: usize,
    /// The closing bracket.
    close: usize,
    items: Vec<Range<usize>>,
}

impl<'t> Container<'t> {
    pub(super) fn object(text: &'t str, object: &Object<'_>) -> Self {
        Self::new(text, object, &object.properties)
    }

    pub(super) fn array(text: &'t str, array: &Array<'_>) -> Self {
        Self::new(text, array, &array.elements)
    }

    fn new(text: &'t str, node: &impl Ranged, items: &[impl Ranged]) -> Self {
        Self { text, inside: node.start() + 1, close: node.end() - 1, items: items.iter().map(|item| item.start()..item.end()).collect() }
    }

    /// Whether the first item begins a line.
    fn has_lines(&self) -> bool {
        self.items.first().is_some_and(|first| self.text[self.inside..first.start].contains('\n'))
    }

    /// The indentation new items take.
    pub(super) fn item_indent(&self) -> &'t str {
        let place = self.items.first().map_or(self.inside, |first| first.start);
        indent_of_line(self.text, place)
    }

    /// How the text around new items is laid out, if this is the root of the file.
    pub(super) fn layout(&self) -> Layout<'t> {
        let newline = match self.text.find('\n') {
            Some(at) if self.text[..at].ends_with('\r') => "\r\n",
            _ => Layout::NEW_FILE.newline,
        };
        let unit = match self.item_indent() {
            indent if self.has_lines() && !indent.is_empty() => indent,
            _ => Layout::NEW_FILE.unit,
        };
        let one_line = !self.items.is_empty() && !self.text[self.inside..self.close].contains('\n');
        Layout { newline, unit, one_line }
    }

    /// Puts items, written for [`Self::item_indent`], behind the last one.
    pub(super) fn append(&self, layout: Layout<'_>, items: &[String]) -> Vec<Splice> {
        let Some(last) = self.items.last() else {
            return vec![Splice::insert(self.inside, items.join(", "))];
        };
        let comma = self.comma_after(last.end);
        let anchor = comma.map_or(last.end, |comma| comma + 1);
        let (place, before) = if self.has_lines() {
            let before = format!("{}{}", layout.newline, self.item_indent());
            (skip_comments_of_line(self.text, anchor), before)
        } else {
            (anchor, " ".to_owned())
        };
        let added = format!("{before}{}", items.join(&format!(",{before}")));
        if comma.is_some() {
            vec![Splice::insert(place, added + ",")]
        } else {
            vec![Splice::insert(anchor, ",".to_owned()), Splice::insert(place, added)]
        }
    }

    /// Takes out the item at `index`, with what [`Self::append`] put around it.
    pub(super) fn remove(&self, index: usize) -> Vec<Splice> {
        let item = &self.items[index];
        let mut splices = Vec::new();
        let own_comma = self.comma_after(item.end);
        let previous = index.checked_sub(1).map(|previous| self.items[previous].end);
        if own_comma.is_none() {
            let comma = previous.and_then(|end| self.comma_after(end));
            splices.extend(comma.map(|at| Splice::remove(at..at + 1)));
        }
        splices.push(Splice::remove(self.start_with_space(index, own_comma)..item.end));
        splices.extend(own_comma.map(|at| Splice::remove(at..at + 1)));
        splices
    }

    /// Where the white space that belongs to an item begins.
    fn start_with_space(&self, index: usize, own_comma: Option<usize>) -> usize {
        let item = &self.items[index];
        let before = &self.text[self.inside..item.start];
        let line = before.trim_end_matches([' ', '\t']);
        let Some(line) = line.strip_suffix('\n') else {
            let space = index > 0 && before.ends_with(' ');
            return item.start - usize::from(space);
        };
        let start = self.inside + line.strip_suffix('\r').unwrap_or(line).len();
        let rest = &self.text[own_comma.map_or(item.end, |comma| comma + 1)..];
        let line_goes_on = !rest.trim_start_matches([' ', '\t']).starts_with(['\r', '\n']);
        let from = if index > 0 { self.items[index - 1].end } else { self.inside };
        if line_goes_on && ends_in_line_comment(self.text, from, start) {
            // Without its line end the comment would swallow what follows.
            return self.inside + line.len() + 1;
        }
        start
    }

    /// Whether the container was written by turnstop and holds nothing but the one item.
    pub(super) fn is_ours_but_for(&self, index: usize) -> bool {
        let item = &self.items[index];
        let end = self.comma_after(item.end).map_or(item.end, |comma| comma + 1);
        let before = &self.text[self.inside..item.start];
        self.items.len() == 1
            && !before.is_empty()
            && before.trim().is_empty()
            && self.text[item.end..end].trim_matches(',').trim().is_empty()
            && self.text[end..self.close].trim().is_empty()
    }

    /// Whether there is nothing outside of the container but white space behind it.
    pub(super) fn is_whole_text(&self) -> bool {
        self.inside == 1 && self.text[self.close + 1..].trim().is_empty()
    }

    /// The comma that follows a place, with only white space and comments between.
    fn comma_after(&self, place: usize) -> Option<usize> {
        let at = skip_trivia(self.text, place);
        self.text[at..].starts_with(',').then_some(at)
    }
}

/// The white space that the line of `place` begins with.
fn indent_of_line(text: &str, place: usize) -> &str {
    let start = text[..place].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[start..place];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The length of the comment `text` begins with, without the line end of a line comment.
fn comment_length(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find(['\r', '\n']).unwrap_or(text.len()));
    }
    let block = text.strip_prefix("/*")?;
    Some(block.find("*/").map_or(text.len(), |end| end + "/**/".len()))
}

/// The place of the next byte that is neither white space nor comment.
fn skip_trivia(text: &str, mut place: usize) -> usize {
    loop {
        place = text.len() - text[place..].trim_start().len();
        match comment_length(&text[place..]) {
            Some(length) => place += length,
            None => return place,
        }
    }
}

/// The end of the last comment that begins on the line of `place`, or `place` itself.
fn skip_comments_of_line(text: &str, mut place: usize) -> usize {
    loop {
        let next = text.len() - text[place..].trim_start_matches([' ', '\t']).len();
        match comment_length(&text[next..]) {
            Some(length) => place = next + length,
            None => return place,
        }
    }
}

/// Whether a line comment begins in `from..end`, which holds white space, comments and at most a comma, and
/// runs to its end.
fn ends_in_line_comment(text: &str, mut from: usize, end: usize) -> bool {
    loop {
        let next = skip_blank(text, from).min(end);
        match comment_length(&text[next..end]) {
            Some(length) if next + length == end => return text[next..].starts_with("//"),
            Some(length) => from = next + length,
            None => return false,
        }
    }
}

/// The place of the next byte that is neither white space nor comma.
fn skip_blank(text: &str, place: usize) -> usize {
    text.len() - text[place..].trim_start_matches(|next: char| next == ',' || next.is_whitespace()).len()
}
