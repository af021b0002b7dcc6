//! As much of Markdown as tells a claim from an example.

/// The lines outside fenced code, each with its number, counted from 1.
pub fn prose(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut open = Open::default();
    text.lines().zip(1..).filter(move |(line, _)| !open.takes(marker(line))).map(|(line, number)| (number, line))
}

/// The character and length of the fence that is open.
#[derive(Debug, Default)]
struct Open(Option<(char, usize)>);

impl Open {
    /// Goes on by a line, of which it is told what fence it is; is the line code, or a fence?
    fn takes(&mut self, marker: Option<(char, usize, bool)>) -> bool {
        match (self.0, marker) {
            (None, None) => return false,
            (None, Some((mark, length, _))) => self.0 = Some((mark, length)),
            (Some((mark, length)), Some((other, closing, true))) if other == mark && closing >= length => self.0 = None,
            (Some(_), _) => {}
        }
        true
    }
}

/// Which lines of a text are fenced code, as `CommonMark` has it: a fence is indented by no more than three blanks.
#[derive(Debug)]
pub struct Fenced {
    /// By line, the fences themselves among them.
    pub lines: Vec<bool>,
    /// The line, counted from 1, of a fence that never closes: all that follows is code.
    pub unclosed: Option<u32>,
}

impl Fenced {
    /// Of these lines.
    pub fn of<'t>(lines: impl Iterator<Item = &'t str>) -> Self {
        let mut fenced = Fenced { lines: Vec::new(), unclosed: None };
        let mut open = Open::default();
        for (line, number) in lines.zip(1..) {
            let indent = line.len() - line.trim_start_matches(' ').len();
            let marker = if indent <= 3 { fence(&line[indent..]) } else { None };
            fenced.lines.push(open.takes(marker));
            fenced.unclosed = open.0.and(fenced.unclosed.or(Some(number)));
        }
        fenced
    }
}

/// The character and length of a fence, and whether nothing follows it.
fn marker(line: &str) -> Option<(char, usize, bool)> {
    // Fences of list items and quotes are indented or marked.
    fence(line.trim_start_matches([' ', '\t', '>']))
}

/// The same of a line without its indentation.
fn fence(line: &str) -> Option<(char, usize, bool)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    // "```x``` and so on" is a code span.
    (length >= 3 && !(mark == '`' && rest.contains('`'))).then(|| (mark, length, rest.trim().is_empty()))
}

/// A stretch of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<'a> {
    /// Where it begins, in bytes.
    pub at: usize,
    /// The text, without backticks.
    pub text: &'a str,
    /// It stands between backticks.
    pub code: bool,
}

/// The line as stretches of prose and of code.
pub fn spans(line: &str) -> Vec<Span<'_>> {
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    // A run of backticks without its like on the line opens nothing; nor does any other run of that length.
    let mut unclosed = Vec::new();
    while let Some(open) = line[at..].find('`').map(|open| at + open) {
        let length = line[open..].bytes().take_while(|byte| *byte == b'`').count();
        let inside = open + length;
        let close = if unclosed.contains(&length) { None } else { closing(line, inside, length) };
        if let Some(close) = close {
            found.push(Span { at: start, text: &line[start..open], code: false });
            found.push(Span { at: inside, text: &line[inside..close], code: true });
            at = close + length;
            start = at;
        } else {
            unclosed.push(length);
            at = inside;
        }
    }
    found.push(Span { at: start, text: &line[start..], code: false });
    found
}

/// Where the next run of exactly `length` backticks begins.
fn closing(line: &str, mut from: usize, length: usize) -> Option<usize> {
    while let Some(at) = line[from..].find('`').map(|at| from + at) {
        let run = line[at..].bytes().take_while(|byte| *byte == b'`').count();
        if run == length {
            return Some(at);
        }
        from = at + run;
    }
    None
}

/// The words of a heading: the line without its marks.
pub fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start().trim_start_matches('#');
    (rest.len() < line.trim_start().len() && (rest.is_empty() || rest.starts_with(' '))).then(|| rest.trim())
}

/// Is it an item of a list?
pub fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
        || (number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside(text: &str) -> Vec<u32> {
        prose(text).map(|(number, _)| number).collect()
    }

    #[test]
    fn fences_of_every_kind_are_left_out() {
        assert_eq!(outside("a\n```\nb\n```\nc"), [1, 5]);
        assert_eq!(outside("~~~ts\r\n```\r\n~~~\r\nc"), [4]);
        assert_eq!(outside("````\n```\n````\nc"), [4]);
        assert_eq!(outside("- x\n  ```sh\n  y\n  ```\n- z"), [1, 5]);
        assert_eq!(outside("a\n```\nnever closed\n"), [1]);
        assert_eq!(outside("```inline``` code"), [1]);
        assert_eq!(outside("```\n``` not a closing fence\n```\nc"), [4]);
    }

    #[test]
    fn fences_close_as_commonmark_has_it() {
        let fenced = |text: &str| {
            let found = Fenced::of(text.lines());
            (found.lines.iter().map(|is| if *is { 'x' } else { '.' }).collect::<String>(), found.unclosed)
        };
        assert_eq!(fenced("a\n```sh\nb\n```\nc"), (".xxx.".to_owned(), None));
        assert_eq!(fenced("````\n```\n~~~~\n`````\nc"), ("xxxx.".to_owned(), None));
        assert_eq!(fenced("   ~~~\n``` x\n    ~~~\nc"), ("xxxx".to_owned(), Some(1)));
        assert_eq!(fenced("    ```\n``` a`b\nc"), ("...".to_owned(), None));
    }

    #[test]
    fn code_spans_are_told_from_prose() {
        let of = |line| spans(line).into_iter().filter(|span| !span.text.is_empty()).map(|span| (span.text, span.code)).collect::<Vec<_>>();
        assert_eq!(of("see `a b` now"), [("see ", false), ("a b", true), (" now", false)]);
        assert_eq!(of("``a`b``"), [("a`b", true)]);
        assert_eq!(of("one ` alone"), [("one ` alone", false)]);
    }

    #[test]
    fn headings_and_items() {
        assert_eq!(heading("## Old files"), Some("Old files"));
        assert_eq!(heading("#a1b2c3"), None);
        assert!(is_item("  - x") && is_item("12. x") && !is_item("x - y"));
    }
}
