//! The little language in which the shape of a summary line is written, and the test of a line against it.
//!
//! | in a shape | stands for |
//! |---|---|
//! | blank | one or more blanks |
//! | `…` | anything, also nothing |
//! | `x?` | `x` or nothing |
//! | `✔` `✖` `ℹ` | any mark for good, for bad, for a remark |
//! | `{p}` `{f}` `{s}` `{t}` `{n}` | a count: passed, failed, skipped, all of them, of something else |
//! | `{x}` | a number that is not zero |
//! | `{d}` | a number with or without a fraction |
//! | `{name}` | the name of a script, a target, a package: no blank in it |
//! | `{label}` | a title, up to a row of dots; no `: ` in it |
//! | `{counts}` | `1 failed, 2 passed`: one or more counts with their words |
//! | `{list}` | the same, two or more of them |
//! | `{labels}` | `Tests: 3, Failures: 1`: the same the other way round |
//!
//! A shape is of the whole line. Everything else in it stands for itself.

use memchr::memchr;

use super::counts::{self, Counts};
use super::lines::{Line, bit};

/// What was found in a line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found<'a> {
    /// Its counts.
    pub(super) counts: Counts,
    /// What stands at `{name}` or `{label}`.
    pub(super) name: &'a str,
}

/// Is `line` of this shape, and what does it say?
pub(super) fn find<'a>(shape: &str, line: &'a str) -> Option<Found<'a>> {
    let (mut rest, mut at, mut found) = (shape, line, Found::default());
    // Where to go on when an element does not fit: behind the last `…`, one character further into the line.
    let mut again: Option<(&str, &str, Found<'a>)> = None;
    loop {
        if let Some(after) = rest.strip_prefix('…') {
            if after.is_empty() {
                return Some(found);
            }
            at = jump(after, at)?;
            again = Some((after, at, found));
            rest = after;
            continue;
        }
        let step = if rest.is_empty() { at.is_empty().then_some(("", "")) } else { element(rest, at, &mut found) };
        match step {
            Some(("", "")) if rest.is_empty() => return Some(found),
            Some((next, left)) => (rest, at) = (next, left),
            None => {
                let (after, tried, before) = again.as_mut()?;
                let mut chars = tried.chars();
                chars.next()?;
                *tried = jump(after, chars.as_str())?;
                (rest, at, found) = (after, tried, *before);
            }
        }
    }
}

/// The first place in `line` where `shape` can begin.
fn jump<'a>(shape: &str, line: &'a str) -> Option<&'a str> {
    let at = match First::of(shape.as_bytes()) {
        First::Is(byte) => memchr(byte, line.as_bytes())?,
        First::Digit => line.bytes().position(|byte| byte.is_ascii_digit())?,
        First::Any => 0,
    };
    // A byte that begins a character may stand within none.
    line.get(at..)
}

/// What must be in a line of a shape, known before the shape is tried: most lines are like none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Needs {
    /// The bytes that stand for themselves, each by its lower six bits.
    bytes: u64,
    /// What it begins with.
    first: First,
}

impl Needs {
    /// Of a shape.
    pub(super) const fn of(shape: &str) -> Self {
        let (text, mut at, mut bytes) = (shape.as_bytes(), 0, 0);
        while at < text.len() {
            let length = element_length(text, at);
            let optional = at + length < text.len() && text[at + length] == b'?';
            if !optional && !stands_for_more(text, at) {
                let mut each = at;
                while each < at + length {
                    bytes |= bit(text[each]);
                    each += 1;
                }
            }
            at += length + optional as usize;
        }
        Needs { bytes, first: First::of(text) }
    }

    /// How a line of the shape begins, below [`STARTS`].
    pub(super) fn start(self) -> usize {
        match self.first {
            First::Is(byte) => start(byte),
            First::Digit => DIGIT,
            First::Any => ANY,
        }
    }

    /// Has the line what is needed?
    pub(super) fn are_in(self, line: Line<'_>) -> bool {
        self.bytes & !line.bytes == 0
            && match self.first {
                First::Is(byte) => line.text.as_bytes().first() == Some(&byte),
                First::Digit => line.text.as_bytes().first().is_some_and(u8::is_ascii_digit),
                First::Any => true,
            }
    }
}

/// How many ways there are to begin: the lower six bits of a byte, and these two.
pub(super) const STARTS: usize = 66;
const DIGIT: usize = 64;
/// Of shapes, not of lines.
pub(super) const ANY: usize = 65;

/// The way to begin with this byte; several share one.
pub(super) fn start(byte: u8) -> usize {
    if byte.is_ascii_digit() { DIGIT } else { usize::from(byte & 63) }
}

/// What a line of a shape begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    /// This byte.
    Is(u8),
    Digit,
    Any,
}

impl First {
    const fn of(shape: &[u8]) -> Self {
        if shape.is_empty() {
            return First::Any;
        }
        let length = element_length(shape, 0);
        if shape[0] == b'{' {
            // `{name}`, `{label}`, `{labels}`; all others are counts.
            let is_word = length > 5 && matches!((shape[1], shape[2]), (b'n' | b'l', b'a'));
            return if is_word { First::Any } else { First::Digit };
        }
        let optional = length < shape.len() && shape[length] == b'?';
        if optional || stands_for_more(shape, 0) { First::Any } else { First::Is(shape[0]) }
    }
}

/// How long the element of a shape at `at` is, in bytes: a hole, or a character.
const fn element_length(shape: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    if shape[at] == b'{' {
        while end < shape.len() && shape[end] != b'}' {
            end += 1;
        }
        return if end < shape.len() { end + 1 - at } else { 1 };
    }
    while end < shape.len() && shape[end] & 0xC0 == 0x80 {
        end += 1;
    }
    end - at
}

/// Does the element of a shape at `at` stand for anything but itself?
const fn stands_for_more(shape: &[u8], at: usize) -> bool {
    match shape[at] {
        b'{' | b' ' => true,
        // `…`, `✔`, `✖`, `ℹ`
        0xE2 => matches!((shape[at + 1], shape[at + 2]), (0x80, 0xA6) | (0x9C, 0x94 | 0x96) | (0x84, 0xB9)),
        _ => false,
    }
}

/// Takes the first element of `shape` from the front of `line`: what is left of both.
fn element<'s, 'a>(shape: &'s str, line: &'a str, found: &mut Found<'a>) -> Option<(&'s str, &'a str)> {
    if let Some((word, rest)) = shape.strip_prefix('{').and_then(|shape| shape.split_once('}')) {
        return Some((rest, hole(word, rest, line, found)?));
    }
    let mut chars = shape.chars();
    let want = chars.next()?;
    let (optional, rest) = chars.as_str().strip_prefix('?').map_or((false, chars.as_str()), |rest| (true, rest));
    match literal(want, line) {
        Some(left) => Some((rest, left)),
        None => optional.then_some((rest, line)),
    }
}

/// `line` behind the character `want`, or what it stands for.
fn literal(want: char, line: &str) -> Option<&str> {
    let first = line.chars().next()?;
    let fits = match want {
        ' ' => {
            let left = line.trim_start();
            return (left.len() < line.len()).then_some(left);
        }
        '✔' => matches!(first, '✔' | '✓' | '✅' | '☑' | '√'),
        '✖' => matches!(first, '✖' | '×' | '✗' | '✘' | '❌' | '✕' | '⨯'),
        'ℹ' => matches!(first, 'ℹ' | '#'),
        _ => first == want,
    };
    let left = line.get(first.len_utf8()..).filter(|_| fits)?;
    Some(left.strip_prefix('\u{fe0f}').unwrap_or(left))
}

/// `line` behind what fits the hole `{word}`; `rest` is what the shape goes on with.
fn hole<'a>(word: &str, rest: &str, line: &'a str, found: &mut Found<'a>) -> Option<&'a str> {
    let counts = &mut found.counts;
    match word {
        "counts" => counts::list(line, 1, counts),
        "list" => counts::list(line, 2, counts),
        "labels" => counts::labels(line, counts),
        "d" => {
            let (_, left) = counts::number(line)?;
            let fraction = left.strip_prefix('.').map(|left| left.trim_start_matches(|c: char| c.is_ascii_digit()));
            Some(fraction.unwrap_or(left))
        }
        "name" => {
            let stop = rest.chars().next().filter(|c| !matches!(c, ' ' | '…'));
            let end = line.find(|c: char| c.is_whitespace() || Some(c) == stop).unwrap_or(line.len());
            let (name, left) = line.split_at(end);
            found.name = name;
            (!name.is_empty()).then_some(left)
        }
        "label" => {
            let (name, left) = line.split_once("...")?;
            found.name = name;
            (!name.is_empty() && !name.contains(": ")).then_some(left.trim_start_matches('.'))
        }
        _ => {
            let (number, left) = counts::number(line)?;
            match word {
                "p" => counts.passed += number,
                "f" => counts.failed += number,
                "s" => counts.skipped += number,
                "t" => counts.total += number,
                "x" if number == 0 => return None,
                _ => return Some(left),
            }
            Some(left)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes() {
        for (shape, line, fits) in [
            ("a b", "a  \tb", true),
            ("a b", "ab", false),
            ("a…", "a", true),
            ("…b", "xbxb", true),
            ("…b c", "b b b c", true),
            ("…b c", "b b b", false),
            ("item[s]", "item[s]", true),
            ("items?", "item", true),
            ("items?", "items", true),
            ("✖ ?x", "✗x", true),
            ("✔ x", "✔\u{fe0f} x", true),
            ("{n} x", "1,234 x", true),
            ("{n} x", "1,23 x", false),
            ("{x} x", "0 x", false),
            ("[{…}: {name}]", "[{…}: a]", false),
            ("[…: {name}] y", "[Makefile:3: a] y", true),
            ("{label}Failed", "a b....Failed", true),
            ("{d}s", "1.25s", true),
            ("", "", true),
            ("", "x", false),
        ] {
            assert_eq!(find(shape, line).is_some(), fits, "{shape} ~ {line}");
        }
        assert_eq!(find("[…: {name}] Error {x}", "[Makefile:3: test] Error 1").map(|found| found.name), Some("test"));
    }

    #[test]
    fn counts_are_taken_by_their_words() {
        let of = |shape, line| find(shape, line).map(|found| found.counts);
        let counts = |passed, failed, skipped, total| Some(Counts::new(passed, failed, skipped, total));
        assert_eq!(of("{counts}", "1 failed, 2 passed, 3 total"), counts(Some(2), Some(1), None, Some(3)));
        assert_eq!(of("Tests {counts} ({t})", "Tests  1 failed | 2 passed | 1 skipped (4)"), counts(Some(2), Some(1), Some(1), Some(4)));
        assert_eq!(of("{counts} in {d}s", "9 passed (1 slow, 1 flaky), 1 failed in 0.1s"), counts(Some(9), Some(1), None, None));
        assert_eq!(of("{labels}.", "Tests: 3, Assertions: 3, Failures: 1."), counts(None, Some(1), None, Some(3)));
        assert_eq!(of("({labels})", "(failures=1, errors=2)"), counts(None, Some(3), None, None));
        assert_eq!(of("{counts}", "3 failed attempts"), None);
        assert_eq!(of("{list}", "3 failed"), None);
    }
}
