//! Where the first JSON value of a stream ends.
//!
//! A client may keep a hook's standard input open after the payload; reading to its end would then wait
//! for ever. Nothing is decoded here: a payload may be many megabytes of one string.

use super::strings::{backslashes, end_of_string};

/// Finds the end of the first top-level JSON value in bytes that arrive in pieces.
///
/// Strings and escapes are followed, brackets are counted and not matched: whether the value is valid is
/// the decoder's question. A byte order mark and white space before the value are skipped.
#[derive(Debug, Default)]
pub struct ValueEnd {
    state: State,
    depth: u32,
    done: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the value.
    #[default]
    Before,
    /// Inside an object or array, outside strings.
    Structure,
    /// Inside a string.
    Text,
    /// Inside a string, after a backslash.
    Escape,
    /// Inside a number, `true`, `false`, `null` or something that is no JSON.
    Word,
}

impl ValueEnd {
    /// Looks at the next piece. Gives the number of its bytes that belong to the value (or stand before
    /// it) once the value has ended; 0 for every later piece.
    ///
    /// A number or a word ends only with the byte after it: at the end of input take what there is.
    pub fn feed(&mut self, piece: &[u8]) -> Option<usize> {
        if self.done {
            return Some(0);
        }
        let mut at = 0;
        while let Some(&byte) = piece.get(at) {
            match self.state {
                State::Text => {
                    let Some(end) = end_of_string(piece, at) else {
                        if !backslashes(&piece[at..]).is_multiple_of(2) {
                            self.state = State::Escape;
                        }
                        return None;
                    };
                    if self.depth == 0 {
                        return Some(self.end(end));
                    }
                    (self.state, at) = (State::Structure, end);
                    continue;
                }
                State::Escape => self.state = State::Text,
                State::Before => match byte {
                    // The three bytes of the mark are white space to us wherever they stand before the value.
                    b' ' | b'\t' | b'\r' | b'\n' | 0xEF | 0xBB | 0xBF => {}
                    b'"' => self.state = State::Text,
                    b'{' | b'[' => (self.state, self.depth) = (State::Structure, 1),
                    _ => self.state = State::Word,
                },
                State::Structure => match byte {
                    b'"' => self.state = State::Text,
                    b'{' | b'[' => self.depth = self.depth.saturating_add(1),
                    b'}' | b']' => {
                        self.depth -= 1;
                        if self.depth == 0 {
                            return Some(self.end(at + 1));
                        }
                    }
                    _ => {}
                },
                State::Word => {
                    if matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b',' | b'{' | b'}' | b'[' | b']' | b'"') {
                        return Some(self.end(at));
                    }
                }
            }
            at += 1;
        }
        None
    }

    fn end(&mut self, length: usize) -> usize {
        self.done = true;
        length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: &[(&str, Option<usize>)] = &[
        ("{}", Some(2)),
        ("  {\"a\":[1,{}]}tail", Some(14)),
        ("\u{feff}{\"a\":\"}\"}\n", Some(12)),
        (r#"{"a":"\"}","b":"\\"} {"#, Some(20)),
        (r#""text" 1"#, Some(6)),
        ("[[]]]", Some(4)),
        ("null\n", Some(4)),
        ("12", None),
        ("{\"a\":\"", None),
        ("", None),
        ("\u{feff}", None),
    ];

    #[test]
    fn the_end_is_found_whatever_the_pieces() {
        for (text, end) in CASES {
            assert_eq!(ValueEnd::default().feed(text.as_bytes()), *end, "{text:?}");
            for size in 1..8 {
                let mut scan = ValueEnd::default();
                let mut before = 0;
                let found = text.as_bytes().chunks(size).find_map(|piece| {
                    let here = scan.feed(piece).map(|length| before + length);
                    before += piece.len();
                    here
                });
                assert_eq!(found, *end, "{text:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn long_strings_with_quotes_at_every_distance() {
        for length in 0..200 {
            let text = format!("{{\"a\":\"{}\\\"{}\"}}", "x".repeat(length), "y".repeat(length));
            assert_eq!(ValueEnd::default().feed(text.as_bytes()), Some(text.len()));
        }
    }

    #[test]
    fn after_the_end_nothing_belongs_to_the_value() {
        let mut scan = ValueEnd::default();
        assert_eq!(scan.feed(b"{}"), Some(2));
        assert_eq!(scan.feed(b"{}"), Some(0));
    }
}
