//! Expansions on the line of a heredoc, hidden from the tokenizer, which takes apart what stands behind the tag:
//! of `cat <<E > "${X}"` it makes the words `X` and `"${}"`.

use std::ops::Range;

use super::scan::{Heredoc, end_of, end_of_single};

/// What stands for an expansion: its number between these two, which no text has.
const OPEN: char = '\u{e000}';
const CLOSE: char = '\u{e001}';

/// A text whose expansions behind heredoc tags are hidden.
pub(super) struct Hidden<'a> {
    pub(super) text: String,
    pieces: Vec<&'a str>,
}

impl<'a> Hidden<'a> {
    /// `None` where there is nothing to hide.
    pub(super) fn of(text: &'a str) -> Option<Self> {
        if !text.contains("<<") || text.contains([OPEN, CLOSE]) {
            return None;
        }
        let ranges = behind_tags(text);
        if ranges.is_empty() {
            return None;
        }
        let mut hidden = Hidden { text: String::with_capacity(text.len()), pieces: Vec::with_capacity(ranges.len()) };
        let mut at = 0;
        for range in ranges {
            hidden.text.push_str(&text[at..range.start]);
            hidden.text.push(OPEN);
            hidden.text.push_str(&hidden.pieces.len().to_string());
            hidden.text.push(CLOSE);
            at = range.end;
            hidden.pieces.push(&text[range]);
        }
        hidden.text.push_str(&text[at..]);
        Some(hidden)
    }

    /// The word as it was written.
    pub(super) fn restore(&self, word: &mut String) {
        if !word.contains(OPEN) {
            return;
        }
        let mut restored = String::new();
        for part in word.split(OPEN) {
            let piece = part.split_once(CLOSE).and_then(|(number, rest)| Some((self.pieces.get(number.parse::<usize>().ok()?)?, rest)));
            match piece {
                Some((piece, rest)) => restored.extend([*piece, rest]),
                None => restored.push_str(part),
            }
        }
        *word = restored;
    }
}

/// Where `$(…)` and `${…}` stand behind the tag of a heredoc on its line.
fn behind_tags(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut heredocs: Vec<Heredoc<'_>> = Vec::new();
    let mut quoted = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1).copied();
        let end = match byte {
            b'\\' => Some(at + 2),
            b'"' => {
                quoted = !quoted;
                Some(at + 1)
            }
            b'`' => end_of(text, at + 1, b'`'),
            b'$' if matches!(next, Some(b'(' | b'{')) => {
                let end = end_of(text, at + 2, if next == Some(b'(') { b')' } else { b'}' });
                found.extend(end.filter(|_| !heredocs.is_empty()).map(|end| at..end));
                end
            }
            _ if quoted => Some(at + 1),
            b'\'' => end_of_single(bytes, at + 1, at > 0 && bytes[at - 1] == b'$'),
            b'#' if at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(') => {
                Some(text[at..].find('\n').map_or(bytes.len(), |offset| at + offset))
            }
            b'<' if next == Some(b'<') => match Heredoc::opened_at(text, at + 2) {
                Some((heredoc, end)) if bytes.get(at + 2) != Some(&b'<') => {
                    heredocs.push(heredoc);
                    Some(end)
                }
                _ => Some(at + 2 + usize::from(bytes.get(at + 2) == Some(&b'<'))),
            },
            b'\n' => Some(heredocs.drain(..).fold(at + 1, |start, heredoc| heredoc.body(text, start).1)),
            _ => Some(at + 1),
        };
        // What never ends is left to the tokenizer.
        let Some(end) = end else { break };
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_what_stands_behind_a_tag() {
        for (text, hidden) in [
            ("cat <<E > \"${X}\" $(a \"${b}\") ${c}\n${d}\nE\ncat ${e}", "cat <<E > \"<0>\" <1> <2>\n${d}\nE\ncat ${e}"),
            ("a ${X} <<'E' | b ${Y}\nE", "a ${X} <<'E' | b <0>\nE"),
            ("cat <<A <<-B > ${X}\nA\n\tB\ncat <<C ${Y}\nC", "cat <<A <<-B > <0>\nA\n\tB\ncat <<C <1>\nC"),
        ] {
            let found = Hidden::of(text).map(|hidden| hidden.text.replace(OPEN, "<").replace(CLOSE, ">"));
            assert_eq!(found.as_deref(), Some(hidden), "{text}");
        }
        for text in
            ["cat <<E > x\n${X}\nE", "echo '<<E' ${X}", "cat <<< ${X}", "x # <<E ${X}\n${Y}", "\"<<E ${X}\"", "$(<<E ${X}\nE\n)", "<<E ${"]
        {
            assert!(Hidden::of(text).is_none(), "{text}");
        }
    }

    #[test]
    fn restores_what_it_hid() {
        let text = "cat <<E > \"${X}\" $(a)b\nE";
        let hidden = Hidden::of(text).expect("something to hide");
        let mut word = hidden.text.clone();
        hidden.restore(&mut word);
        assert_eq!(word, text);
    }
}
