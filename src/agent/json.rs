//! Lenient reading of JSON that somebody else wrote: field by field, so that one value of a wrong type
//! costs that value and not its neighbours.
//!
//! Values stay raw until they are asked for, and what nobody asks for is passed over as fast as its end can be
//! found: of a string only its end is looked for, of a list or an object that its brackets close. Whole files stand
//! in these texts, and a decoder that looks at each of their characters would be most of a hook's time.

use std::borrow::Cow;
use std::fmt;

use super::value_end::{repeat, zero_bytes};
use memchr::memchr;
use serde::de::{Deserializer, IgnoredAny, Visitor};

/// One value, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(&'a str);

impl<'a> Raw<'a> {
    /// The value at the front of a text; `None` where there is none.
    pub fn of(text: &'a str) -> Option<Self> {
        Reader::of(text).value()
    }

    /// The text of it.
    pub fn get(self) -> &'a str {
        self.0
    }
}

/// Bytes as text: borrowed where they are UTF-8 as JSON must be, repaired with U+FFFD where they are not.
/// A leading byte order mark is dropped.
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    // The plain check goes over ASCII in whole words; `from_utf8_lossy` goes byte by byte from the start.
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Calls `each` with every field of a JSON object, in order; a repeated key comes again.
///
/// False when the text is no object or breaks off: the fields before the fault have been given all the
/// same. What follows the object is not looked at.
pub fn fields<'a>(text: &'a str, each: &mut dyn FnMut(&str, Raw<'a>)) -> bool {
    let mut reader = Reader::of(text);
    reader.fields(each).is_some()
}

/// The same for a text that must be one object and nothing else, as a line of a transcript is; the object
/// in the field `inner` is read along in the same pass. `each` gets the name of the object a field stands
/// in, which is empty for the outer one.
pub fn only_fields<'a>(text: &'a str, inner: &'static str, each: &mut dyn FnMut(&str, &str, Raw<'a>)) -> bool {
    let mut reader = Reader::of(text);
    let read = reader.object(&mut |reader, key| {
        if key == inner && reader.peek() == Some(b'{') {
            return reader.fields(&mut |key, value| each(inner, key, value));
        }
        each("", key, reader.value()?);
        Some(())
    });
    read.is_some() && reader.is_at_end()
}

/// Calls `each` with every field of every object in a JSON array, and the index of the object; false when
/// the text is no array or breaks off. Elements that are no objects have no fields.
pub fn fields_of_elements<'a>(text: &'a str, each: &mut dyn FnMut(usize, &str, Raw<'a>)) -> bool {
    let mut index = 0;
    let read = Reader::of(text).array(&mut |reader| {
        if reader.peek() == Some(b'{') {
            reader.fields(&mut |key, value| each(index, key, value))?;
        } else {
            reader.value()?;
        }
        index += 1;
        Some(())
    });
    read.is_some()
}

/// Calls `each` with every element of a JSON array; false when the text is no array or breaks off.
pub fn elements<'a>(text: &'a str, each: &mut dyn FnMut(Raw<'a>)) -> bool {
    let read = Reader::of(text).array(&mut |reader| {
        each(reader.value()?);
        Some(())
    });
    read.is_some()
}

/// A string value; `None` for a value of another type.
///
/// A lone surrogate, which the client writes when it cuts a text within a pair, becomes U+FFFD.
pub fn string(raw: Raw<'_>) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
        return Some(Cow::Owned(text));
    }
    let bytes = serde_json::Deserializer::from_str(raw.get()).deserialize_bytes(Bytes).ok()?;
    Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
}

/// True for the value `true` and nothing else.
pub fn is_true(raw: Raw<'_>) -> bool {
    raw.get() == "true"
}

/// The value begins an object.
pub fn is_object(raw: Raw<'_>) -> bool {
    raw.get().starts_with('{')
}

/// The value begins an array.
pub fn is_array(raw: Raw<'_>) -> bool {
    raw.get().starts_with('[')
}

/// Reads a text from its front. `None` from a reading means that the text is not what was expected.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn of(text: &'a str) -> Self {
        Reader { text, at: 0 }
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at)?, b' ' | b'\t' | b'\n' | b'\r') {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// An object; `each` takes the value behind each key.
    fn object(&mut self, each: &mut dyn FnMut(&mut Self, &str) -> Option<()>) -> Option<()> {
        self.take(b'{')?;
        if self.peek()? == b'}' {
            return self.take(b'}');
        }
        loop {
            let key = self.string()?.0;
            self.take(b':')?;
            let plain = &key[1..key.len() - 1];
            if plain.bytes().any(|byte| byte == b'\\') {
                // A key that is no valid text is no field's name.
                each(self, &string(Raw(key)).unwrap_or_default())?;
            } else {
                each(self, plain)?;
            }
            if self.peek()? == b'}' {
                return self.take(b'}');
            }
            self.take(b',')?;
        }
    }

    fn fields(&mut self, each: &mut dyn FnMut(&str, Raw<'a>)) -> Option<()> {
        self.object(&mut |reader, key| {
            each(key, reader.value()?);
            Some(())
        })
    }

    /// A list; `each` takes each element.
    fn array(&mut self, each: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(b'[')?;
        if self.peek()? == b']' {
            return self.take(b']');
        }
        loop {
            each(self)?;
            if self.peek()? == b']' {
                return self.take(b']');
            }
            self.take(b',')?;
        }
    }

    /// Any value. What stands within brackets is not looked at, but for its strings and brackets.
    fn value(&mut self) -> Option<Raw<'a>> {
        match self.peek()? {
            b'"' => self.string(),
            b'{' | b'[' => self.brackets(),
            _ => self.word(),
        }
    }

    fn string(&mut self) -> Option<Raw<'a>> {
        self.take(b'"')?;
        let start = self.at - 1;
        self.at = end_of_string(self.text.as_bytes(), self.at)?;
        self.text.get(start..self.at).map(Raw)
    }

    fn brackets(&mut self) -> Option<Raw<'a>> {
        let (bytes, start) = (self.text.as_bytes(), self.at);
        let mut depth = 0_usize;
        loop {
            let byte = *bytes.get(self.at)?;
            self.at += 1;
            match byte {
                b'"' => self.at = end_of_string(bytes, self.at)?,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        let closes = (bytes[start] == b'{') == (byte == b'}');
                        return self.text.get(start..self.at).filter(|_| closes).map(Raw);
                    }
                }
                _ => {}
            }
        }
    }

    /// A number, or one of the three words.
    fn word(&mut self) -> Option<Raw<'a>> {
        let rest = &self.text[self.at..];
        let end = rest.bytes().position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'+' | b'.'));
        let word = &rest[..end.unwrap_or(rest.len())];
        let is_number = || word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
        (matches!(word, "true" | "false" | "null") || is_number()).then(|| {
            self.at += word.len();
            Raw(word)
        })
    }
}

/// Where a string ends whose first character is at `start`: behind its closing quote.
fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += find_quote(bytes.get(at..)?)?;
        // Quotes are rarer than escapes, so a quote is what is looked for, and then whether it is escaped.
        let backslashes = bytes[start..at].iter().rev().take_while(|&&byte| byte == b'\\').count();
        at += 1;
        if backslashes % 2 == 0 {
            return Some(at);
        }
    }
}

/// The first `"`. Most are near, in keys and short values or as escapes in code: for these the setting-up of a search
/// in wide registers would cost more than it saves.
fn find_quote(bytes: &[u8]) -> Option<usize> {
    const NEAR: usize = 8;
    let (words, _) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().take(NEAR).enumerate() {
        let found = zero_bytes(u64::from_le_bytes(*word) ^ repeat(b'"'));
        if found != 0 {
            return Some(index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let near = words.len().min(NEAR) * 8;
    memchr(b'"', &bytes[near..]).map(|at| near + at)
}

/// The bytes of a string. `serde_json` lets lone surrogates through here, encoded as three bytes each.
struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}

/// Skips one value and says whether it was one: the check of a text nobody needs decoded.
pub fn is_value(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> (Vec<(String, String)>, bool) {
        let mut all = Vec::new();
        let whole = fields(text, &mut |key, value| all.push((key.to_owned(), value.get().to_owned())));
        (all, whole)
    }

    #[test]
    fn a_broken_object_still_gives_the_fields_before_the_fault() {
        let (all, whole) = pairs(r#"{"a":1,"b":{"c":[2]},"d":tru"#);
        assert!(!whole);
        assert_eq!(all, [("a".into(), "1".into()), ("b".into(), r#"{"c":[2]}"#.into())]);
    }

    #[test]
    fn what_follows_the_object_is_not_looked_at() {
        assert!(pairs("{\"a\":1} trailing {").1);
        assert!(!pairs("[1]").1);
        assert!(!pairs("null").1);
        assert!(!pairs("").1);
    }

    #[test]
    fn strings_of_every_kind() {
        assert!(matches!(string(Raw(r#""plain é""#)), Some(Cow::Borrowed("plain é"))));
        assert_eq!(string(Raw(r#""a\nb\u00e9""#)).as_deref(), Some("a\nbé"));
        assert_eq!(string(Raw(r#""cut \ud83d here""#)).as_deref(), Some("cut \u{fffd}\u{fffd}\u{fffd} here"));
        for other in ["1", "null", "{}", "[\"a\"]", "true"] {
            assert_eq!(string(Raw(other)), None, "{other}");
        }
    }

    #[test]
    fn deep_nesting_is_skipped_without_recursion() {
        let text = format!("{{\"a\":{}{},\"b\":1}}", "[".repeat(200_000), "]".repeat(200_000));
        let (all, whole) = pairs(&text);
        assert!(whole);
        assert_eq!(all.len(), 2);
    }
}
