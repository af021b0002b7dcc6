//! Lenient reading of JSON that somebody else wrote: field by field, so that one value of a wrong type
//! costs that value and not its neighbours.
//!
//! Values stay raw until they are asked for. A payload may hold whole files, and a decoder that builds
//! them only to drop them would be most of a hook's time.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

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
pub fn fields<'a>(text: &'a str, each: &mut dyn FnMut(&str, &'a RawValue)) -> bool {
    // The reader stops at the closing brace; `serde_json::from_str` would insist on the end of input.
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.deserialize_map(Fields(each)).is_ok()
}

/// The same for a text that must be one object and nothing else, as a line of a transcript is; the object
/// in the field `inner` is read along in the same pass. `each` gets the name of the object a field stands
/// in, which is empty for the outer one.
pub fn only_fields<'a>(text: &'a str, inner: &'static str, each: &mut dyn FnMut(&str, &str, &'a RawValue)) -> bool {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.deserialize_map(Outer { inner, each }).is_ok() && reader.end().is_ok()
}

/// Calls `each` with every field of every object in a JSON array, and the index of the object; false when
/// the text is no array or breaks off. Elements that are no objects have no fields.
pub fn fields_of_elements<'a>(text: &'a str, each: &mut dyn FnMut(usize, &str, &'a RawValue)) -> bool {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.deserialize_seq(Objects(each)).is_ok()
}

/// Calls `each` with every element of a JSON array; false when the text is no array or breaks off.
pub fn elements<'a>(text: &'a str, each: &mut dyn FnMut(&'a RawValue)) -> bool {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.deserialize_seq(Elements(each)).is_ok()
}

/// A string value; `None` for a value of another type.
///
/// A lone surrogate, which the client writes when it cuts a text within a pair, becomes U+FFFD.
pub fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    let inner = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if !inner.as_bytes().contains(&b'\\') {
        return Some(Cow::Borrowed(inner));
    }
    if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
        return Some(Cow::Owned(text));
    }
    let bytes = serde_json::Deserializer::from_str(raw.get()).deserialize_bytes(Bytes).ok()?;
    Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
}

/// True for the value `true` and nothing else.
pub fn is_true(raw: &RawValue) -> bool {
    raw.get() == "true"
}

/// The value begins an object.
pub fn is_object(raw: &RawValue) -> bool {
    raw.get().starts_with('{')
}

/// The value begins an array.
pub fn is_array(raw: &RawValue) -> bool {
    raw.get().starts_with('[')
}

struct Fields<'f, 'a>(&'f mut dyn FnMut(&str, &'a RawValue));

impl<'a> Visitor<'a> for Fields<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Key)? {
            self.0(&key, map.next_value()?);
        }
        Ok(())
    }
}

struct Outer<'f, 'a> {
    inner: &'static str,
    each: &'f mut dyn FnMut(&str, &str, &'a RawValue),
}

impl<'a> Visitor<'a> for Outer<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key_seed(Key)? {
            if key == self.inner {
                map.next_value_seed(IfObject(&mut |key, value| (self.each)(self.inner, key, value)))?;
            } else {
                (self.each)("", &key, map.next_value()?);
            }
        }
        Ok(())
    }
}

struct Objects<'f, 'a>(&'f mut dyn FnMut(usize, &str, &'a RawValue));

impl<'a> Visitor<'a> for Objects<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut index = 0;
        while seq.next_element_seed(IfObject(&mut |key, value| self.0(index, key, value)))?.is_some() {
            index += 1;
        }
        Ok(())
    }
}

/// The fields of a value if it is an object; any other value is passed over.
struct IfObject<'f, 'a>(&'f mut dyn FnMut(&str, &'a RawValue));

impl<'a> DeserializeSeed<'a> for IfObject<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'a> Visitor<'a> for IfObject<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_map<A: MapAccess<'a>>(self, map: A) -> Result<(), A::Error> {
        Fields(self.0).visit_map(map)
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
}

struct Elements<'f, 'a>(&'f mut dyn FnMut(&'a RawValue));

impl<'a> Visitor<'a> for Elements<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = seq.next_element()? {
            self.0(element);
        }
        Ok(())
    }
}

/// An object's key. A key that is no valid text is empty: no field has that name.
struct Key;

impl<'a> DeserializeSeed<'a> for Key {
    type Value = Cow<'a, str>;

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'a> for Key {
    type Value = Cow<'a, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'a str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
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
        let raw = |text: &str| RawValue::from_string(text.to_owned()).expect("json");
        assert!(matches!(string(&raw(r#""plain é""#)), Some(Cow::Borrowed("plain é"))));
        assert_eq!(string(&raw(r#""a\nb\u00e9""#)).as_deref(), Some("a\nbé"));
        assert_eq!(string(&raw(r#""cut \ud83d here""#)).as_deref(), Some("cut \u{fffd}\u{fffd}\u{fffd} here"));
        for other in ["1", "null", "{}", "[\"a\"]", "true"] {
            assert_eq!(string(&raw(other)), None, "{other}");
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
