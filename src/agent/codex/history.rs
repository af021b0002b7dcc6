//! `history.jsonl`: what a person typed, in every session, one line each: `{"session_id", "ts", "text"}`.

use std::borrow::Cow;
use std::io::{self, Read};

use crate::agent::json;
use crate::agent::lines::{Line, Lines};
use crate::agent::transcript::{Counters, is_record};

/// One thing a person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The session it was typed in.
    pub session: Cow<'a, str>,
    /// When, in seconds since 1970; 0 when it is not known.
    pub at: u64,
    /// The words.
    pub text: Cow<'a, str>,
    /// Number of the line, counted from 1.
    pub line: u32,
}

/// Reads a history, and counts what could not be read. Entries are counted as events.
///
/// # Errors
/// When reading fails; what was read before has been given.
pub fn read(source: impl Read, each: &mut dyn FnMut(&Entry<'_>)) -> io::Result<Counters> {
    let mut counters = Counters::default();
    let mut lines = Lines::new(source, 0);
    while let Some(line) = lines.next()? {
        counters.lines = counters.lines.saturating_add(1);
        match line {
            Line::Whole(bytes) => take(bytes, &mut counters, each),
            Line::Oversized => counters.oversized += 1,
        }
    }
    let half = lines.half();
    if is_record(half) {
        counters.lines = counters.lines.saturating_add(1);
        take(half, &mut counters, each);
    } else {
        counters.half_last_line = lines.has_half();
    }
    Ok(counters)
}

fn take(bytes: &[u8], counters: &mut Counters, each: &mut dyn FnMut(&Entry<'_>)) {
    let text = json::text_of(bytes);
    if text.trim_ascii().is_empty() {
        return;
    }
    let mut entry = Entry { session: Cow::Borrowed(""), at: 0, text: Cow::Borrowed(""), line: counters.lines };
    let mut words = None;
    let whole = json::only_fields(&*text, "", &mut |_, key, value| match key {
        "session_id" | "conversation_id" => entry.session = json::string(value).unwrap_or_default(),
        "ts" => entry.at = seconds(value.get()),
        "text" => words = json::string(value),
        _ => {}
    });
    match words {
        Some(words) if whole => {
            entry.text = words;
            counters.events = counters.events.saturating_add(1);
            each(&entry);
        }
        _ if whole || json::is_value(&text) => counters.misshapen += 1,
        _ => counters.not_json += 1,
    }
}

/// Seconds, of a whole number or a broken one.
fn seconds(number: &str) -> u64 {
    number.split('.').next().and_then(|whole| whole.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_entry_or_counted() {
        let text = "\u{feff}{\"session_id\":\"s1\",\"ts\":1796079324,\"text\":\"fix \\\"it\\\"\"}\r\n\n{\"ts\":\"x\",\"text\":\"b\",\"more\":[{}]}\n\
                    {\"conversation_id\":\"s2\",\"ts\":12.9,\"text\":\"c\"}\n{\"session_id\":\"s1\"}\n[]\n{\"text\":7}\n{\"te\n{\"text\":\"last\"}";
        let mut entries = Vec::new();
        let counters = read(text.as_bytes(), &mut |entry| {
            entries.push(format!("{} {} {} {}", entry.line, entry.session, entry.at, entry.text));
        })
        .expect("memory");
        assert_eq!(entries, ["1 s1 1796079324 fix \"it\"", "3  0 b", "4 s2 12 c", "9  0 last"]);
        assert_eq!(counters, Counters { lines: 9, events: 4, misshapen: 3, not_json: 1, ..Counters::default() });
        let counters = read(b"{\"text\":\"ha".as_slice(), &mut |_| panic!("half")).expect("memory");
        assert_eq!(counters, Counters { half_last_line: true, ..Counters::default() });
    }
}
