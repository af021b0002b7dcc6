//! What turnstop itself writes into settings: a few strings, lists and objects whose keys keep their
//! order, laid out as the file around them is.

use jsonc_parser::ast::Value;

/// How new text is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout<'t> {
    /// The line end.
    pub(super) newline: &'t str,
    /// One step of indentation.
    pub(super) unit: &'t str,
    /// Everything on one line, as in a minified file.
    pub(super) one_line: bool,
}

impl Layout<'static> {
    /// The layout of a file that is new.
    pub(super) const NEW_FILE: Self = Self { newline: "\n", unit: "  ", one_line: false };
}

/// A value to write.
#[derive(Debug, Clone)]
pub(super) enum Json {
    Text(String),
    Number(u32),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    pub(super) fn text(value: impl Into<String>) -> Self {
        Self::Text(value.into())
    }

    /// The value as text whose first line is already indented by `indent`.
    ///
    /// A container written here always has white space after its opening bracket. That is how a removal
    /// tells it from a container that was empty before: into such a one the first item goes with nothing
    /// before it.
    pub(super) fn render(&self, layout: Layout<'_>, indent: &str) -> String {
        let mut out = String::new();
        self.write(&mut out, layout, indent);
        out
    }

    fn write(&self, out: &mut String, layout: Layout<'_>, indent: &str) {
        match self {
            Self::Text(value) => out.push_str(&quoted(value)),
            Self::Number(value) => out.push_str(&value.to_string()),
            Self::List(items) if items.iter().all(Self::is_scalar) => {
                out.push('[');
                for (position, item) in items.iter().enumerate() {
                    if position > 0 {
                        out.push_str(", ");
                    }
                    item.write(out, layout, indent);
                }
                out.push(']');
            }
            Self::List(items) => {
                bracketed(out, layout, indent, ('[', ']'), items, |out, item, inner| item.write(out, layout, inner));
            }
            Self::Object(members) => {
                bracketed(out, layout, indent, ('{', '}'), members, |out, (key, value), inner| {
                    out.push_str(&quoted(key));
                    out.push_str(": ");
                    value.write(out, layout, inner);
                });
            }
        }
    }

    fn is_scalar(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Number(_))
    }

    /// Whether a parsed value says the same.
    pub(super) fn says(&self, value: &Value<'_>) -> bool {
        match (self, value) {
            (Self::Text(wanted), Value::StringLit(found)) => *wanted == found.value,
            (Self::Number(wanted), Value::NumberLit(found)) => found.value.parse() == Ok(*wanted),
            (Self::List(wanted), Value::Array(found)) => {
                wanted.len() == found.elements.len() && wanted.iter().zip(&found.elements).all(|(wanted, found)| wanted.says(found))
            }
            _ => false,
        }
    }
}

fn bracketed<T>(
    out: &mut String,
    layout: Layout<'_>,
    indent: &str,
    (open, close): (char, char),
    items: &[T],
    mut write_item: impl FnMut(&mut String, &T, &str),
) {
    let inner = format!("{indent}{}", layout.unit);
    let line = |out: &mut String, indent: &str| {
        if layout.one_line {
            out.push(' ');
        } else {
            out.push_str(layout.newline);
            out.push_str(indent);
        }
    };
    out.push(open);
    for (position, item) in items.iter().enumerate() {
        if position > 0 {
            out.push(',');
        }
        line(out, &inner);
        write_item(out, item, &inner);
    }
    line(out, indent);
    out.push(close);
}

/// A string in double quotes, escaped as JSON asks.
pub(super) fn quoted(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}
