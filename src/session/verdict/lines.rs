//! From what was printed to lines that can be compared: escape sequences, decoration, and what runs in front.

use std::borrow::Cow;

use memchr::{memchr_iter, memchr2_iter, memchr3};

/// Longest part of a line that is looked at, in bytes: no summary is longer.
const MAX_LINE: usize = 320;

/// How many things may run in front of a line: a time, a container, a package.
const MAX_PREFIXES: usize = 4;

/// Words in front that name no package.
const LEVELS: &[&str] = &[
    "error", "warning", "warn", "info", "note", "help", "debug", "trace", "log", "fatal", "fail", "failed", "expected", "received",
    "actual", "got", "want", "assert", "stdout", "stderr", "left", "right",
];

/// `text` without escape sequences, also those that have lost their escape character (`[31m`).
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    // `\u{9b}` begins with this byte, as other characters do.
    const LEAD: u8 = 0xC2;
    let mut out = String::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(next) = memchr3(0x1b, LEAD, b'[', &text.as_bytes()[at..]) {
        at += next;
        let length = escape(&text[at..]);
        if length > 0 {
            out.push_str(&text[kept..at]);
            kept = at + length;
        }
        at += length.max(if text.as_bytes()[at] == LEAD { 2 } else { 1 });
    }
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[kept..]);
    Cow::Owned(out)
}

/// How long the escape sequence is that `text` begins with; 0 for what is none.
fn escape(text: &str) -> usize {
    let parameters = |from: usize, is: fn(&u8) -> bool| from + text.as_bytes()[from..].iter().take_while(|byte| is(byte)).count();
    let control = |from: usize| {
        let end = parameters(from, |byte| matches!(byte, 0x20..=0x3f));
        // The final byte, where it is one.
        end + usize::from(text.as_bytes().get(end).is_some_and(|byte| matches!(byte, 0x40..=0x7e)))
    };
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        // The second is one character of two bytes.
        (Some('\u{1b}'), Some('[')) | (Some('\u{9b}'), _) => control(2),
        // A title or a link, up to its end on this line.
        (Some('\u{1b}'), Some(']')) => {
            let end = parameters(2, |byte| !matches!(byte, 0x07 | 0x1b | b'\n' | b'\r'));
            match text.as_bytes()[end..] {
                [0x07, ..] => end + 1,
                [0x1b, b'\\', ..] => end + 2,
                _ => end,
            }
        }
        (Some('\u{1b}'), Some('(' | ')')) => 2 + text[2..].chars().next().filter(char::is_ascii_alphanumeric).map_or(0, char::len_utf8),
        (Some('\u{1b}'), Some(c @ ('=' | '>' | '7' | '8' | 'M' | 'c'))) => 1 + c.len_utf8(),
        (Some('\u{1b}'), _) => 1,
        (Some('['), _) => {
            let end = parameters(1, |byte| byte.is_ascii_digit() || *byte == b';');
            if end > 1 && matches!(text.as_bytes().get(end), Some(b'm' | b'K')) { end + 1 } else { 0 }
        }
        _ => 0,
    }
}

/// The lines of a plain text that can be a summary's: no empty ones, none of a diff's body.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let (mut in_diff, mut start) = (false, 0);
    memchr2_iter(b'\n', b'\r', text.as_bytes()).chain([text.len()]).filter_map(move |end| {
        let line = &text[start..end];
        start = end + 1;
        in_diff = line.starts_with("@@ -") || (in_diff && line.starts_with([' ', '+', '-', '\\']));
        let line = bare(crate::text::head(line, MAX_LINE));
        (!in_diff && !line.is_empty()).then_some(line)
    })
}

/// Without indentation, frame, and the level that Maven, Prettier or sbt put in front.
fn bare(line: &str) -> &str {
    let line = line.trim_ascii();
    let is_graphic = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    if !line.starts_with(['=', '-', '[']) && is_graphic(line.as_bytes().first()) && is_graphic(line.as_bytes().last()) {
        // Most lines have nothing around them.
        return line;
    }
    let mut line = line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '│' | '┃') || c.is_control());
    for mark in ['=', '-', '─', '━', '⎯'] {
        line = rule(line, mark);
    }
    if !line.starts_with('[') {
        return line;
    }
    for level in ["[INFO]", "[WARNING]", "[ERROR]", "[WARN]", "[info]", "[warn]", "[error]"] {
        if let Some(rest) = line.strip_prefix(level) {
            return rest.trim_start();
        }
    }
    line
}

/// Without the rule on both sides, as in `=== 1 passed ===`.
fn rule(line: &str, mark: char) -> &str {
    if !line.starts_with(mark) {
        return line;
    }
    let inner = line.trim_matches(mark);
    let ruled = |side: &str| side.chars().count() >= 3 || side.is_empty();
    let start = line.len() - line.trim_start_matches(mark).len();
    let end = start + inner.len();
    // `--- FAIL: TestX` is one-sided and no rule.
    if (end < line.len() || inner.is_empty()) && ruled(&line[..start]) && ruled(line.get(end..).unwrap_or("")) {
        inner.trim()
    } else {
        line
    }
}

/// A line, and which bytes are in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) text: &'a str,
    /// Each by its lower six bits.
    pub(super) bytes: u64,
}

impl<'a> Line<'a> {
    fn new(text: &'a str) -> Self {
        Line { text, bytes: text.bytes().fold(0, |bytes, byte| bytes | bit(byte)) }
    }

    /// May the byte be in it? Several stand for each other.
    fn may_have(self, byte: u8) -> bool {
        self.bytes & bit(byte) != 0
    }
}

/// The bit that stands for a byte.
pub(super) const fn bit(byte: u8) -> u64 {
    1 << (byte & 63)
}

/// `line`, and then what is left of it behind one after the other thing that runs in front.
pub(super) fn readings(line: &str) -> impl Iterator<Item = Line<'_>> {
    let mut next = Some(line);
    (0..=MAX_PREFIXES).map_while(move |_| {
        let line = Line::new(next?);
        next = behind_prefix(line).map(bare).filter(|rest| !rest.is_empty());
        Some(line)
    })
}

/// What is left behind a time, `web-1  | `, `[pkg] `, `pkg:test: `, `packages/a test: ` or `#12 0.345 `.
fn behind_prefix(line: Line<'_>) -> Option<&str> {
    let text = line.text;
    let start = *text.as_bytes().first()?;
    if start == b'['
        && let Some((_, rest)) = text[1..].split_once("] ")
    {
        return Some(rest);
    }
    if start.is_ascii_digit() || start == b'#' || line.may_have(b'|') {
        let end = text.find([' ', '\t']).unwrap_or(text.len());
        let (first, rest) = text.split_at(end);
        let bare = rest.trim_start();
        if is_time(first) {
            return Some(bare);
        }
        if let Some(rest) = bare
            .strip_prefix("| ")
            .filter(|_| !LEVELS.contains(&first) && first.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.')))
        {
            return Some(rest);
        }
        if let Some(step) = first.strip_prefix('#')
            && step.bytes().all(|byte| byte.is_ascii_digit())
            && let Some((time, rest)) = bare.split_once(' ')
            && time.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        {
            return Some(rest);
        }
    }
    if !starts_name(start) {
        return None;
    }
    let colon = if line.may_have(b':') { split_behind(text, b':') } else { None };
    let (head, rest) = colon.or_else(|| split_behind(text, b'$'))?;
    is_task(head).then_some(rest)
}

/// Does a package's name begin with this byte?
fn starts_name(byte: u8) -> bool {
    byte.is_ascii_lowercase() || matches!(byte, b'@' | b'.')
}

/// What stands before and behind the first such mark with a blank behind it.
fn split_behind(line: &str, mark: u8) -> Option<(&str, &str)> {
    let at = memchr_iter(mark, line.as_bytes()).find(|at| line.as_bytes().get(at + 1) == Some(&b' '))?;
    Some((&line[..at], &line[at + 2..]))
}

/// `10:00:00.123`, `2026-01-01T10:00:00Z`, `2026-01-01`, `00:01`.
fn is_time(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        && word.bytes().filter(|byte| matches!(byte, b':' | b'-')).count() >= 2
        && word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'-' | b'.' | b',' | b'T' | b'Z' | b'+'))
}

/// A package, a script of it, or both: `api`, `api:test`, `@scope/api test`.
fn is_task(head: &str) -> bool {
    let mut words = head.split(' ');
    let (Some(first), second, None) = (words.next(), words.next(), words.next()) else { return false };
    let named = |word: &str| {
        word.bytes().next().is_some_and(starts_name)
            && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '@' | '.' | '_' | '/' | ':' | '#' | '-'))
    };
    let last = first.rsplit([':', '/', '#']).next().unwrap_or(first);
    // `a.log: …` and `a.log:12: …` come from grep.
    let of_file = last.bytes().all(|byte| byte.is_ascii_digit()) || (second.is_none() && last.contains('.'));
    named(first) && second.is_none_or(named) && !of_file && !LEVELS.contains(&first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_dropped() {
        for (text, want) in [
            ("\u{1b}[1;31m 3 failed\u{1b}[0m", " 3 failed"),
            ("[32m✓[39m built", "✓ built"),
            ("\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}[2K\u{1b}[1Gx", "x"),
            ("\u{1b}(Bx\u{9b}31my", "xy"),
            ("a[0] [ 12m] \u{1b}", "a[0] [ 12m] "),
            ("\u{1b}", ""),
            ("\u{1b}[", ""),
            ("\u{1b}[31ä", "ä"),
            ("\u{1b}(ä", "ä"),
        ] {
            assert_eq!(plain(text), want, "{text:?}");
        }
    }

    #[test]
    fn what_runs_in_front_is_taken_off() {
        for (line, want) in [
            ("=== 1 passed ===", "1 passed"),
            ("--- FAIL: TestX", "--- FAIL: TestX"),
            ("[INFO] BUILD SUCCESS", "BUILD SUCCESS"),
            ("│  Passing:   3  │", "Passing:   3"),
            ("web-1  | 3 passing", "3 passing"),
            ("api:test: 3 passing", "3 passing"),
            ("@scope/api test: 3 passing", "3 passing"),
            ("packages/a test$ 3 passing", "3 passing"),
            ("[api] 3 passing", "3 passing"),
            ("2026-01-01T10:00:00.123Z [api]  3 passing", "3 passing"),
            ("#12 0.345 3 passing", "3 passing"),
            ("error: 3 failed", "error: 3 failed"),
            ("a.log: 3 failed", "a.log: 3 failed"),
            ("a.log:12: 3 failed", "a.log:12: 3 failed"),
            ("@@ -1 +1 @@\n 3 failed", ""),
        ] {
            let read = lines(line).next().map_or("", |line| readings(line).last().map_or("", |line| line.text));
            assert_eq!(read, want, "{line:?}");
        }
    }
}
