//! Text that came from a transcript or a payload is hostile: what may be shown of it is decided here.

use std::fmt;

use once_cell::unsync::OnceCell;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::redact;

/// Longest excerpt of a command in a message or in the state file, in characters.
pub const EXCERPT_CHARS: usize = 80;

/// How much of a command is looked at for its excerpt, in bytes: with room for the longest secret to be seen whole.
const EXCERPT_SOURCE: usize = EXCERPT_CHARS * 16;

/// How much of a path or an id is looked at to show it, in bytes: longer than any genuine one.
const MAX_NAME_BYTES: usize = 4 << 10;

/// One line without control, bidirectional or invisible characters, and without what tells a terminal its colours;
/// runs of white space become one blank.
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(512));
    let mut chars = text.chars();
    loop {
        let rest = chars.as_str();
        let graphic = rest.bytes().take_while(u8::is_ascii_graphic).count();
        out.push_str(&rest[..graphic]);
        chars = rest[graphic..].chars();
        let Some(c) = chars.next() else { break };
        if c == ESCAPE {
            // `ESC [ 31 m`: parameters, then one letter.
            let mut ahead = chars.clone();
            let is_sequence = ahead.next() == Some('[') && ahead.find(|c| !matches!(c, ' '..='?')).is_some_and(|last| last.is_ascii());
            if is_sequence {
                chars = ahead;
            }
        } else if c.is_whitespace() || c.is_control() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if !is_invisible(c) {
            out.push(c);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

const ESCAPE: char = '\u{1B}';

/// Marks that change how their neighbours are shown, or are not shown at all.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..='\u{E0FFF}')
}

/// At most `chars` characters, the last one an ellipsis when something was cut.
pub fn cut(text: &str, chars: usize) -> String {
    let mut indices = text.char_indices();
    let Some((at, _)) = indices.nth(chars.saturating_sub(1)) else { return text.to_owned() };
    if indices.next().is_none() {
        return text.to_owned();
    }
    format!("{}…", &text[..at])
}

/// At most `bytes` bytes, ending in an ellipsis when something was cut.
pub fn cut_bytes(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    format!("{}…", head(text, bytes.saturating_sub('…'.len_utf8())))
}

/// A command, fit to be shown: secrets masked, one line, cut to [`EXCERPT_CHARS`].
pub fn excerpt(command: &str) -> String {
    cut(&masked(head(command, EXCERPT_SOURCE), EXCERPT_CHARS * 4), EXCERPT_CHARS)
}

/// An [`excerpt`] that is made when it is asked for: most commands are never shown.
#[derive(Clone)]
pub struct Excerpt {
    /// What it is made of; empty where it was made before.
    command: String,
    made: OnceCell<String>,
}

impl Excerpt {
    /// The excerpt of this command.
    pub fn of(command: &str) -> Self {
        Excerpt { command: head(command, EXCERPT_SOURCE).to_owned(), made: OnceCell::new() }
    }

    /// The excerpt.
    pub fn as_str(&self) -> &str {
        self.made.get_or_init(|| excerpt(&self.command))
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PartialEq for Excerpt {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Excerpt {}

impl Serialize for Excerpt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Excerpt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Excerpt { command: String::new(), made: OnceCell::with_value(String::deserialize(deserializer)?) })
    }
}

/// A path or an id, fit to be shown: secrets masked, one line, at most `bytes` bytes.
pub fn name(name: &str, bytes: usize) -> String {
    cut_bytes(&masked(head(name, MAX_NAME_BYTES), usize::MAX), bytes)
}

/// One line of the text, with its secrets masked, as far as [`redact::mask_front`] goes.
fn masked(text: &str, most: usize) -> String {
    if text.contains(ESCAPE) {
        // A sequence may swallow the beginning of the name that tells a secret: `ESC [ --password it`.
        return redact::mask_front(&clean(&redact::mask(text)), most);
    }
    redact::mask_front(&clean(text), most)
}

/// The first `bytes` bytes, or a little less: never within a character.
pub fn head(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

/// A time, in milliseconds since 1970, as hours, minutes and day on the person's clock.
pub fn clock(at: u64) -> String {
    use chrono::{Local, TimeZone};
    let at = i64::try_from(at).ok().and_then(|at| Local.timestamp_millis_opt(at).single());
    at.map_or_else(|| "an unknown time".to_owned(), |at| at.format("%H:%M on %-d %b").to_string())
}

/// The day of a time, in milliseconds since 1970, on the person's clock: `2026-12-01`.
pub fn day(at: u64) -> String {
    use chrono::{Local, TimeZone};
    let at = i64::try_from(at).ok().and_then(|at| Local.timestamp_millis_opt(at).single());
    at.map(|at| at.format("%Y-%m-%d").to_string()).unwrap_or_default()
}

/// Is it a day of the calendar, written `2026-12-01`?
pub fn is_day(text: &str) -> bool {
    let is_shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    is_shaped && chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

/// This day on the person's clock.
pub fn today() -> String {
    chrono::Local::now().format("%Y-%m-%d").to_string()
}

/// A time, in milliseconds since 1970, as a client's time stamp.
pub fn stamp(at: u64) -> String {
    use chrono::{SecondsFormat, TimeZone, Utc};
    let at = i64::try_from(at).ok().and_then(|at| Utc.timestamp_millis_opt(at).single());
    at.map(|at| at.to_rfc3339_opts(SecondsFormat::Millis, true)).unwrap_or_default()
}

/// A client's time stamp on the person's clock; `None` for what is none.
pub fn clock_of(stamp: &str) -> Option<String> {
    millis(stamp).map(clock)
}

/// A client's time stamp in milliseconds since 1970; `None` for what is none.
pub fn millis(stamp: &str) -> Option<u64> {
    u64::try_from(moment(stamp)?.timestamp_millis()).ok()
}

/// How many seconds lie between two time stamps; `None` when one of them is none.
pub fn seconds_between(earlier: Option<&str>, later: Option<&str>) -> Option<i64> {
    Some((moment(later?)? - moment(earlier?)?).num_seconds())
}

fn moment(stamp: &str) -> Option<chrono::DateTime<chrono::FixedOffset>> {
    chrono::DateTime::parse_from_rfc3339(stamp).ok()
}

/// Does `text` match the glob `pattern`? `*` stops at `/`, `**` does not, `?` is one character but `/`,
/// `[…]` one of a set; everything else is itself.
pub fn glob(pattern: &str, text: &str) -> bool {
    // Most texts differ before the first special character.
    let literal = pattern.find(['*', '?', '[']).unwrap_or(pattern.len());
    let (literal, pattern) = pattern.split_at(literal);
    let Some(text) = text.strip_prefix(literal) else { return false };
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    // `ways[i]`: the pattern read so far can match the first `i` characters.
    let mut ways = vec![false; text.len() + 1];
    ways[0] = true;
    let mut next = ways.clone();
    let mut at = 0;
    while at < pattern.len() {
        next.fill(false);
        if pattern[at] == '*' {
            let deep = pattern.get(at + 1) == Some(&'*');
            at += if deep { 2 } else { 1 };
            let mut open = false;
            for i in 0..=text.len() {
                open = ways[i] || (open && (deep || text[i - 1] != '/'));
                next[i] = open;
            }
        } else {
            let (matches, length) = one_character(&pattern[at..]);
            at += length;
            for i in 0..text.len() {
                next[i + 1] = ways[i] && matches(text[i]);
            }
        }
        std::mem::swap(&mut ways, &mut next);
        if !ways.contains(&true) {
            return false;
        }
    }
    ways[text.len()]
}

/// The test that the first element of `pattern` puts to one character, and the element's length.
fn one_character(pattern: &[char]) -> (impl Fn(char) -> bool + '_, usize) {
    let set = (pattern[0] == '[').then(|| pattern.iter().skip(2).position(|&c| c == ']').map(|end| &pattern[1..end + 2])).flatten();
    let length = set.map_or(1, |set| set.len() + 2);
    let matches = move |c: char| match (set, pattern[0]) {
        (Some(set), _) => {
            let (negated, set) = match set {
                ['!' | '^', rest @ ..] => (true, rest),
                _ => (false, set),
            };
            let mut found = false;
            let mut i = 0;
            while i < set.len() {
                if let [from, '-', to, ..] = set[i..] {
                    found |= (from..=to).contains(&c);
                    i += 3;
                } else {
                    found |= set[i] == c;
                    i += 1;
                }
            }
            found != negated && c != '/'
        }
        (None, '?') => c != '/',
        (None, literal) => c == literal,
    };
    (matches, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_leaves_one_visible_line() {
        assert_eq!(clean("a\u{1b}[31m\tb\r\nc\u{202e}d\u{200b}e  "), "a b cde");
        assert_eq!(clean("a\u{1b}[1;31mb\u{1b}[0m c\u{1b}]0;t\u{7}d \u{1b}["), "ab c]0;t d [");
        assert_eq!(clean("\n\n"), "");
        assert_eq!(clean("a\u{fe0f}\u{e0101}\u{3164}b"), "ab");
    }

    #[test]
    fn cut_counts_characters_and_marks_the_cut() {
        assert_eq!(cut("grün", 4), "grün");
        assert_eq!(cut("grüner", 4), "grü…");
        assert_eq!(cut("", 4), "");
    }

    #[test]
    fn a_name_shows_no_secret_and_fits() {
        assert_eq!(name("/tmp/ghp_0123456789abcdefghij/\u{1b}[31mx", 40), "/tmp/***/x");
        assert_eq!(name(&"ä".repeat(100_000), 12).len(), 11);
    }

    #[test]
    fn an_excerpt_shows_no_secret_and_no_second_line() {
        let shown = excerpt("export API_TOKEN=abcdef0123456789 \\\n && cp a /tmp/a");
        assert!(!shown.contains("abcdef"), "{shown}");
        assert!(shown.ends_with("&& cp a /tmp/a"), "{shown}");
    }

    #[test]
    fn an_escape_sequence_swallows_no_name_that_tells_a_secret() {
        for text in ["\u{1b}[ --password hunter2", "\u{1b}[password=hunter2", "\u{1b}[ mysql -phunter2", "--pass\u{1b}[0mword hunter2"] {
            assert!(!excerpt(text).contains("hunter2") && !name(text, 80).contains("hunter2"), "{}", excerpt(text));
        }
    }

    #[test]
    fn globs() {
        for (pattern, text, want) in [
            ("/tmp/*.bak", "/tmp/a.bak", true),
            ("/tmp/*.bak", "/tmp/d/a.bak", false),
            ("/tmp/**.bak", "/tmp/d/a.bak", true),
            ("/tmp/?", "/tmp/ü", true),
            ("/tmp/?", "/tmp/", false),
            ("/tmp/[a-c]x", "/tmp/bx", true),
            ("/tmp/[!a-c]x", "/tmp/bx", false),
            ("/tmp/[x", "/tmp/[x", true),
            ("", "", true),
            ("*", "", true),
            ("a", "", false),
        ] {
            assert_eq!(glob(pattern, text), want, "{pattern} ~ {text}");
        }
    }

    #[test]
    fn days_of_the_calendar_alone_are_dates() {
        assert!(is_day("2026-12-01") && is_day("2024-02-29"));
        for text in [
            "2026-13-40",
            "2025-02-29",
            "26-12-01",
            "2026-12-1",
            "2026-2-003",
            "+026-12-01",
            "2026-12-01T10:00",
            "November",
            "",
            "2026–12–01",
        ] {
            assert!(!is_day(text), "{text}");
        }
    }
}
