//! Brace expansion: `{a,b}` and `{1..3}`.

use super::scan::{end_of, end_of_single};
use super::words::MAX_FIELDS;

/// Brace expansion on the raw text. `None` where it would give too many words.
pub(super) fn braces(raw: &str) -> Option<Vec<String>> {
    let mut pending = vec![raw.to_owned()];
    let mut done = Vec::new();
    let mut steps = 0;
    while let Some(text) = pending.pop() {
        steps += 1;
        if steps > 4 * MAX_FIELDS || done.len() + pending.len() > MAX_FIELDS {
            return None;
        }
        match first_brace(&text) {
            None => done.push(text),
            Some((start, end, items)) => {
                if items.len() > MAX_FIELDS {
                    return None;
                }
                for item in items.iter().rev() {
                    pending.push(format!("{}{item}{}", &text[..start], &text[end..]));
                }
            }
        }
    }
    Some(done)
}

/// The first `{a,b}` or `{1..3}` outside quotes: where it starts and ends, and what it stands for.
fn first_brace(text: &str) -> Option<(usize, usize, Vec<String>)> {
    if !text.contains('{') {
        return None;
    }
    let bytes = text.as_bytes();
    // Each open brace with the commas at its level; the outermost one that is closed and lists something wins.
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut found: Option<(usize, usize, Vec<usize>)> = None;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\'' => at = end_of_single(bytes, at + 1, false)? - 1,
            b'"' | b'`' => at = end_of(text, at + 1, bytes[at])? - 1,
            b'$' if matches!(bytes.get(at + 1), Some(b'{' | b'(')) => {
                at = end_of(text, at + 2, if bytes[at + 1] == b'{' { b'}' } else { b')' })? - 1;
            }
            b'{' => {
                if open.len() > 32 {
                    return None;
                }
                open.push((at, Vec::new()));
            }
            b',' => {
                if let Some((_, commas)) = open.last_mut() {
                    commas.push(at);
                }
            }
            b'}' => {
                if let Some((start, commas)) = open.pop() {
                    let listed = !commas.is_empty() || range(&text[start + 1..at]).is_some();
                    if listed && found.as_ref().is_none_or(|(earlier, ..)| start < *earlier) {
                        found = Some((start, at + 1, commas));
                    }
                    if open.is_empty() && found.is_some() {
                        break;
                    }
                }
            }
            _ => {}
        }
        at += 1;
    }
    let (start, end, commas) = found?;
    if commas.is_empty() {
        return Some((start, end, range(&text[start + 1..end - 1])?));
    }
    let mut items = Vec::new();
    let mut from = start + 1;
    for comma in commas {
        items.push(text[from..comma].to_owned());
        from = comma + 1;
    }
    items.push(text[from..end - 1].to_owned());
    Some((start, end, items))
}

fn range(inner: &str) -> Option<Vec<String>> {
    let (from, to) = inner.split_once("..")?;
    let (from, to) = (from.parse::<i32>().ok()?, to.parse::<i32>().ok()?);
    let (low, high) = (from.min(to), from.max(to));
    let count = usize::try_from(i64::from(high) - i64::from(low)).ok()?.min(MAX_FIELDS + 1);
    let mut items: Vec<String> = (low..=high).take(count + 1).map(|number| number.to_string()).collect();
    if from > to {
        items.reverse();
    }
    Some(items)
}
