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

use super::counts::{self, Counts};

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
    match first(shape) {
        First::Is(char) => line.find(char).and_then(|at| line.get(at..)),
        First::Digit => line.find(|c: char| c.is_ascii_digit()).and_then(|at| line.get(at..)),
        First::Any => Some(line),
    }
}

/// What a line of a shape begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Is(char),
    Digit,
    Any,
}

fn first(shape: &str) -> First {
    if let Some((word, _)) = shape.strip_prefix('{').and_then(|shape| shape.split_once('}')) {
        return if matches!(word, "name" | "label" | "labels") { First::Any } else { First::Digit };
    }
    let mut chars = shape.chars();
    match chars.next() {
        Some(char) if !matches!(char, ' ' | '…' | '✔' | '✖' | 'ℹ') && !chars.as_str().starts_with('?') => First::Is(char),
        _ => First::Any,
    }
}

/// Can a line that begins with `start` be of this shape?
pub(super) fn may_begin(shape: &str, start: char) -> bool {
    match first(shape) {
        First::Is(char) => char == start,
        First::Digit => start.is_ascii_digit(),
        First::Any => true,
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
