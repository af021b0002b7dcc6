//! Parts of the state that are decoded when they are first looked at: most events concern few of them.

use std::ops::{Deref, DerefMut, Range};
use std::rc::Rc;

use once_cell::unsync::OnceCell;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A part of the state. Read from a file it is text until somebody looks at it, and is written back as that text
/// where nobody changed it. A text that cannot be decoded is an empty part.
#[derive(Debug, Clone, Default)]
pub struct Kept<T> {
    /// As it was read; `None` once it may have been changed.
    text: Option<Text>,
    value: OnceCell<T>,
}

/// A piece of a file that was read.
#[derive(Debug, Clone)]
pub struct Text {
    file: Rc<Vec<u8>>,
    at: Range<usize>,
}

impl Text {
    /// A piece of the file, if it goes so far.
    pub(super) fn of(file: &Rc<Vec<u8>>, at: Range<usize>) -> Option<Self> {
        file.get(at.clone())?;
        Some(Text { file: Rc::clone(file), at })
    }
}

impl From<Vec<u8>> for Text {
    fn from(text: Vec<u8>) -> Self {
        let at = 0..text.len();
        Text { file: Rc::new(text), at }
    }
}

impl Deref for Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.file.get(self.at.clone()).unwrap_or_default()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        (Rc::ptr_eq(&self.file, &other.file) && self.at == other.at) || **self == **other
    }
}

impl<T: Default + Serialize + DeserializeOwned> Kept<T> {
    /// A part as [`Kept::text`] wrote it.
    pub(super) fn of_text(text: Text) -> Self {
        Kept { text: Some(text), value: OnceCell::new() }
    }

    /// The part as text, without a line's end.
    pub(super) fn text(&self) -> serde_json::Result<Text> {
        self.text.clone().map_or_else(|| serde_json::to_vec(&**self).map(Text::from), Ok)
    }
}

impl<T: Default + DeserializeOwned> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.value.get_or_init(|| self.text.as_deref().and_then(|text| serde_json::from_slice(text).ok()).unwrap_or_default())
    }
}

impl<T: Default + DeserializeOwned> DerefMut for Kept<T> {
    fn deref_mut(&mut self) -> &mut T {
        let _: &T = self;
        self.text = None;
        // It is there since the line before.
        self.value.get_mut().unwrap_or_else(|| unreachable!("just made"))
    }
}

impl<T> From<T> for Kept<T> {
    fn from(value: T) -> Self {
        Kept { text: None, value: OnceCell::with_value(value) }
    }
}

impl<T: Default + DeserializeOwned + PartialEq> PartialEq for Kept<T> {
    fn eq(&self, other: &Self) -> bool {
        let same_text = self.text.is_some() && self.text == other.text;
        same_text || **self == **other
    }
}

impl<T: Default + DeserializeOwned + Eq> Eq for Kept<T> {}

impl<T: Default + DeserializeOwned + Serialize> Serialize for Kept<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Kept<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Kept::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_changed_is_written_as_it_was_read() {
        let of = |text: &str| Kept::<Vec<u64>>::of_text(text.as_bytes().to_vec().into());
        let mut kept = of("[1, 2]");
        assert_eq!(&*kept.text().expect("text"), b"[1, 2]");
        assert_eq!(*kept, [1, 2]);
        assert_eq!(&*kept.text().expect("text"), b"[1, 2]");
        kept.push(3);
        assert_eq!(&*kept.text().expect("text"), b"[1,2,3]");
        assert!(of("[1,").is_empty());
        assert!(of("[1]") == Kept::from(vec![1]));
    }
}
