//! Words that mean a day only to who knows when they were written.

use std::ops::Range;

/// Phrases that mean a day only to who knows when they were written.
const PHRASES: &[&str] = &[
    "yesterday",
    "today",
    "tomorrow",
    "tonight",
    "last night",
    "last week",
    "last month",
    "last time",
    "next week",
    "next month",
    "this morning",
    "this afternoon",
    "this evening",
    "this week",
    "this month",
    "just now",
    "earlier today",
    "the other day",
];

/// How many: before a unit of time and "ago".
const COUNTS: &[&str] = &["a", "two", "three", "few", "several", "couple of"];

const UNITS: &[&str] = &["day", "days", "week", "weeks", "month", "months"];

/// Where a line says when something was by such a phrase: whole words, in letters of either case, one blank between
/// them. The list is session-continuity's; "session" is left out of it on purpose.
pub fn relative(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = line[from..].find(is_word).map(|at| from + at) {
        from = match phrase(&line[start..]) {
            Some(length) => {
                found.push(start..start + length);
                start + length
            }
            None => line[start..].find(|c| !is_word(c)).map_or(line.len(), |at| start + at),
        };
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// How long the phrase is that the text begins with.
fn phrase(text: &str) -> Option<usize> {
    if let Some(length) = PHRASES.iter().find_map(|phrase| words(text, phrase)) {
        return Some(length);
    }
    let count = COUNTS.iter().find_map(|count| words(text, count))?;
    let behind = text[count..].strip_prefix(' ')?;
    let unit = UNITS.iter().find_map(|unit| words(behind, unit))?;
    let ago = words(behind[unit..].strip_prefix(' ')?, "ago")?;
    Some(count + 1 + unit + 1 + ago)
}

/// The length of these words, if the text begins with them and none of its letters follows.
fn words(text: &str, words: &str) -> Option<usize> {
    let begins = text.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words));
    (begins && !text[words.len()..].starts_with(is_word)).then_some(words.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_found_as_whole_words() {
        for (line, expected) in [
            ("done Yesterday, and earlier today", vec!["Yesterday", "earlier today"]),
            ("a few months ago; a day ago; couple of weeks ago.", vec!["few months ago", "a day ago", "couple of weeks ago"]),
            ("today's build, LAST WEEK", vec!["today", "LAST WEEK"]),
            ("3 days ago, last  week, todays, yesterday_, this session, last\tnight, two days agog", vec![]),
            ("übermorgen heute, tomorrowé", vec![]),
            ("", vec![]),
        ] {
            let found: Vec<&str> = relative(line).into_iter().map(|at| &line[at]).collect();
            assert_eq!(found, expected, "{line}");
        }
    }
}
