//! JSON objects whose fields keep the order they are written in, as a client's do and `serde_json::json!`'s do not.

use std::fmt::Write as _;

use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

/// The fields of an object, as they are written.
#[derive(Default)]
pub(crate) struct Object(String);

impl Object {
    pub(crate) fn field(&mut self, key: &str, value: &impl Serialize) {
        let value = serde_json::to_string(value).expect("a value of this program's own making");
        let comma = if self.0.is_empty() { "" } else { "," };
        let _ = write!(self.0, "{comma}\"{key}\":{value}");
    }

    /// Adds the fields of another one.
    pub(crate) fn extend(&mut self, other: &Object) {
        let comma = if self.0.is_empty() || other.0.is_empty() { "" } else { "," };
        let _ = write!(self.0, "{comma}{}", other.0);
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(format!("{{{}}}", self.0)).map_err(S::Error::custom)?.serialize(serializer)
    }
}

/// `object! { "key": value, … }`; the values are whatever can be serialized.
macro_rules! object {
    ($($key:literal: $value:expr),* $(,)?) => {{
        #[allow(unused_mut, reason = "an object may have no fields")]
        let mut object = $crate::object::Object::default();
        $(object.field($key, &$value);)*
        object
    }};
}

pub(crate) use object;
