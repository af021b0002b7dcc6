//! Lenient reading of JSON that somebody else wrote: field by field, so that one value of a wrong type
//! costs that value and not its neighbours.
//!
//! Values stay raw until they are asked for, and what nobody asks for is passed over as fast as its end can be
//! found: of a string only its end is looked for, of a list or an object that its brackets close. Whole files stand
//! in these texts, and a decoder that looks at each of their characters would be most of a hook's time.

use std::borrow::Cow;

use memchr::memchr;
use serde::de::IgnoredAny;

use super::strings::{end_of_string, find, plain_length};

/// One value, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(&'a [u8]);

impl<'a> Raw<'a> {
    /// The value at the front of a text; `None` where there is none.
    pub fn of(text: &'a (impl AsRef<[u8]> + ?Sized)) -> Option<Self> {
        Reader::of(text.as_ref()).value()
    }

    /// How it is written.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The same as text; empty where it is none.
    pub fn get(self) -> &'a str {
        str::from_utf8(self.0).unwrap_or_default()
    }
}

/// Bytes as text: borrowed where they are UTF-8 as JSON must be, repaired with U+FFFD where they are not.
/// A leading byte order mark is dropped.
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    repaired(without_mark(bytes))
}

/// Bytes without a leading byte order mark.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

fn repaired(bytes: &[u8]) -> Cow<'_, str> {
    // The plain check goes over ASCII in whole words; `from_utf8_lossy` goes byte by byte from the start.
    str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Calls `each` with every field of a JSON object, in order; a repeated key comes again.
///
/// False when the text is no object or breaks off: the fields before the fault have been given all the
/// same. What follows the object is not looked at.
pub fn fields<'a>(text: &'a (impl AsRef<[u8]> + ?Sized), each: &mut dyn FnMut(&str, Raw<'a>)) -> bool {
    Reader::of(text.as_ref()).fields(each).is_some()
}

/// The same for a text that must be one object and nothing else, as a line of a transcript is; the object
/// in the field `inner` is read along in the same pass. `each` gets the name of the object a field stands
/// in, which is empty for the outer one.
pub fn only_fields<'a>(text: &'a (impl AsRef<[u8]> + ?Sized), inner: &'static str, each: &mut dyn FnMut(&str, &str, Raw<'a>)) -> bool {
    let mut reader = Reader::of(text.as_ref());
    let read = reader.object(&mut |reader, key| {
        if key == inner.as_bytes() && reader.peek() == Some(b'{') {
            return reader.fields(&mut |key, value| each(inner, key, value));
        }
        each("", &repaired(key), reader.value()?);
        Some(())
    });
    read.is_some() && reader.is_at_end()
}

/// Calls `each` with every field of every object in a JSON array, and the index of the object; false when
/// the text is no array or breaks off. Elements that are no objects have no fields.
pub fn fields_of_elements<'a>(text: &'a (impl AsRef<[u8]> + ?Sized), each: &mut dyn FnMut(usize, &str, Raw<'a>)) -> bool {
    let mut index = 0;
    let read = Reader::of(text.as_ref()).array(&mut |reader| {
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
pub fn elements<'a>(text: &'a (impl AsRef<[u8]> + ?Sized), each: &mut dyn FnMut(Raw<'a>)) -> bool {
    let read = Reader::of(text.as_ref()).array(&mut |reader| {
        each(reader.value()?);
        Some(())
    });
    read.is_some()
}

/// A string value; `None` for a value of another type, and for a string with an escape that is none.
///
/// Each of the three bytes that a lone surrogate would take becomes U+FFFD; the client writes one when it cuts a
/// text within a pair.
pub fn string(raw: Raw<'_>) -> Option<Cow<'_, str>> {
    let inner = raw.0.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    let text = repaired(inner);
    if memchr(b'\\', inner).is_none() { Some(text) } else { unescaped(&text).map(Cow::Owned) }
}

/// The characters behind a backslash, and what they stand for.
const ESCAPES: &[(u8, char)] =
    &[(b'n', '\n'), (b'"', '"'), (b'\\', '\\'), (b't', '\t'), (b'r', '\r'), (b'/', '/'), (b'b', '\u{8}'), (b'f', '\u{c}')];

/// What stands in a string with escapes; `None` where one of them is none.
fn unescaped(text: &str) -> Option<String> {
    let mut all = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = find(b'\\', rest.as_bytes(), 0) {
        let (plain, escape) = rest.split_at(at);
        all.push_str(plain);
        let length = if escape.as_bytes().get(1) == Some(&b'u') {
            let (character, length) = code_point(escape)?;
            match character {
                Some(character) => all.push(character),
                None => all.push_str("\u{fffd}\u{fffd}\u{fffd}"),
            }
            length
        } else {
            let written = escape.as_bytes().get(1)?;
            all.push(ESCAPES.iter().find(|(known, _)| known == written)?.1);
            2
        };
        rest = &escape[length..];
    }
    all.push_str(rest);
    Some(all)
}

/// What `\uXXXX` at the front of a text stands for, two of them where they are a pair, and its length. A surrogate
/// without its other half is no character.
fn code_point(escape: &str) -> Option<(Option<char>, usize)> {
    let unit = |at: usize| {
        let digits = escape.get(at..at + 6)?.strip_prefix("\\u").filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let first = unit(0)?;
    if let (0xD800..0xDC00, Some(second @ 0xDC00..0xE000)) = (first, unit(6)) {
        return Some((char::from_u32(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)), 12));
    }
    Some((char::from_u32(first), 6))
}

/// True for the value `true` and nothing else.
pub fn is_true(raw: Raw<'_>) -> bool {
    raw.0 == b"true"
}

/// The value begins an object.
pub fn is_object(raw: Raw<'_>) -> bool {
    raw.0.starts_with(b"{")
}

/// The value begins an array.
pub fn is_array(raw: Raw<'_>) -> bool {
    raw.0.starts_with(b"[")
}

/// Takes what stands behind a key, or an element of a list.
pub(super) type Each<'e, 'a> = dyn FnMut(&mut Reader<'a>, &[u8]) -> Option<()> + 'e;

/// Reads a text from its front. `None` from a reading means that the text is not what was expected.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Self {
        Reader { bytes, at: 0 }
    }

    /// The next byte that is no white space.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    pub(super) fn is_at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// An object; `each` takes the value behind each key.
    pub(super) fn object(&mut self, each: &mut Each<'_, 'a>) -> Option<()> {
        self.take(b'{')?;
        if self.peek()? == b'}' {
            return self.take(b'}');
        }
        loop {
            let key = self.key()?;
            self.take(b':')?;
            each(self, &key)?;
            if self.peek()? == b'}' {
                return self.take(b'}');
            }
            self.take(b',')?;
        }
    }

    /// The name of a field. One that is no valid text is no field's.
    fn key(&mut self) -> Option<Cow<'a, [u8]>> {
        self.take(b'"')?;
        let rest = &self.bytes[self.at..];
        let length = plain_length(rest);
        if rest.get(length) == Some(&b'"') {
            self.at += length + 1;
            return Some(Cow::Borrowed(&rest[..length]));
        }
        self.at -= 1;
        let key = self.string()?;
        Some(Cow::Owned(string(key).unwrap_or_default().into_owned().into_bytes()))
    }

    /// The fields of an object as [`Reader::object`] gives them; a value of another type is passed over.
    pub(super) fn if_object(&mut self, each: &mut Each<'_, 'a>) -> Option<()> {
        if self.peek()? == b'{' { self.object(each) } else { self.value().map(drop) }
    }

    /// An object; `each` is given every field.
    pub(super) fn fields(&mut self, each: &mut dyn FnMut(&str, Raw<'a>)) -> Option<()> {
        self.object(&mut |reader, key| {
            each(&repaired(key), reader.value()?);
            Some(())
        })
    }

    /// A list; `each` takes each element.
    pub(super) fn array(&mut self, each: &mut dyn FnMut(&mut Self) -> Option<()>) -> Option<()> {
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
    pub(super) fn value(&mut self) -> Option<Raw<'a>> {
        match self.peek()? {
            b'"' => self.string(),
            b'{' | b'[' => self.brackets(),
            _ => self.word(),
        }
    }

    fn string(&mut self) -> Option<Raw<'a>> {
        self.take(b'"')?;
        let start = self.at - 1;
        self.at = end_of_string(self.bytes, self.at)?;
        Some(Raw(&self.bytes[start..self.at]))
    }

    fn brackets(&mut self) -> Option<Raw<'a>> {
        let (bytes, start) = (self.bytes, self.at);
        let (mut at, mut depth) = (start, 0_usize);
        loop {
            let byte = *bytes.get(at)?;
            at += 1;
            match byte {
                b'"' => at = end_of_string(bytes, at)?,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.at = at;
                        let closes = (bytes[start] == b'{') == (byte == b'}');
                        return closes.then_some(Raw(&bytes[start..at]));
                    }
                }
                _ => {}
            }
        }
    }

    /// A number, or one of the three words.
    fn word(&mut self) -> Option<Raw<'a>> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && !matches!(byte, b'-' | b'+' | b'.'));
        let word = &rest[..end.unwrap_or(rest.len())];
        let is_number = || word.iter().find(|&&byte| byte != b'-').is_some_and(u8::is_ascii_digit);
        (matches!(word, b"true" | b"false" | b"null") || is_number()).then(|| {
            self.at += word.len();
            Raw(word)
        })
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
        let raw = |text| Raw::of(text).expect("a value");
        assert!(matches!(string(raw(r#""plain é""#)), Some(Cow::Borrowed("plain é"))));
        for other in ["1", "null", "{}", "[\"a\"]", "true"] {
            assert_eq!(string(raw(other)), None, "{other}");
        }
    }

    #[test]
    fn escapes_stand_for_what_another_reader_says() {
        for text in [
            r#""a\nb\u00e9""#,
            r#""\"\\\/\b\f\n\r\t""#,
            r#""\\\\n""#,
            r#""\u0000\u001b[1m\uFFFF\uffff""#,
            r#""pair \ud83d\ude00 and \uD834\uDD1E""#,
            r#""é\té""#,
        ] {
            let expected: String = serde_json::from_str(text).expect("a string");
            assert_eq!(string(Raw(text.as_bytes())).as_deref(), Some(&*expected), "{text}");
        }
    }

    #[test]
    fn halves_of_pairs_are_no_characters() {
        const LONE: &str = "\u{fffd}\u{fffd}\u{fffd}";
        for (text, expected) in [
            (r#""cut \ud83d here""#, format!("cut {LONE} here")),
            (r#""\ude00""#, LONE.into()),
            (r#""\ud83d\n""#, format!("{LONE}\n")),
            (r#""\ud83d\ud83d\ude00""#, format!("{LONE}😀")),
            (r#""\ud83d\u0041""#, format!("{LONE}A")),
        ] {
            assert_eq!(string(Raw(text.as_bytes())), Some(expected.into()), "{text}");
        }
    }

    #[test]
    fn escapes_that_are_none_make_no_string() {
        for text in [r#""\x""#, r#""\u12""#, r#""\u12g4""#, r#""\u+123""#, r#""\ud83d\u12""#, r#""\u12é""#, r#""\é""#] {
            assert_eq!(string(Raw(text.as_bytes())), None, "{text}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_repaired_where_they_stand() {
        let text = b"{\"a\":\"x\xff\\n\",\"\xfe\":1,\"b\":\"y\"}";
        let mut all = Vec::new();
        assert!(fields(text, &mut |key, value| all.push((key.to_owned(), string(value).unwrap_or_default().into_owned()))));
        assert_eq!(all, [("a".into(), "x\u{fffd}\n".into()), ("\u{fffd}".into(), String::new()), ("b".into(), "y".into())]);
    }

    #[test]
    fn deep_nesting_is_skipped_without_recursion() {
        let text = format!("{{\"a\":{}{},\"b\":1}}", "[".repeat(200_000), "]".repeat(200_000));
        let (all, whole) = pairs(&text);
        assert!(whole);
        assert_eq!(all.len(), 2);
    }
}
