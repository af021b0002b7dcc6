//! Finding where quoted and nested pieces of shell text end. Iterative, so that no nesting costs stack.

/// The index just behind the piece that starts at `start`, whose opener lies before `start` and which ends
/// with `close` (`)`, `}` or a backtick). `None` where it never ends.
///
/// Knows quotes, escapes, comments, nested expansions and heredocs inside it.
pub(super) fn end_of(text: &str, start: usize, close: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut open: Vec<u8> = vec![close];
    let mut heredocs: Vec<Heredoc<'_>> = Vec::new();
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        let inside = *open.last()?;
        let next = bytes.get(at + 1).copied();
        match byte {
            b'\\' => at += 1,
            _ if byte == inside => {
                open.pop();
                if open.is_empty() {
                    return Some(at + 1);
                }
            }
            b'$' if matches!(next, Some(b'(' | b'{')) => {
                open.push(if next == Some(b'(') { b')' } else { b'}' });
                at += 1;
            }
            b'`' => open.push(b'`'),
            b'"' => open.push(b'"'),
            _ if inside == b'"' => {}
            b'\'' => at = end_of_single(bytes, at + 1, at > 0 && bytes[at - 1] == b'$')? - 1,
            b'(' if inside == b')' => open.push(b')'),
            b'#' if inside == b')' && at > 0 && matches!(bytes[at - 1], b' ' | b'\t' | b'\n' | b';') => {
                at = text[at..].find('\n').map_or(bytes.len(), |offset| at + offset) - 1;
            }
            b'<' if inside == b')' && next == Some(b'<') => {
                if bytes.get(at + 2) == Some(&b'<') {
                    at += 2;
                } else if let Some((heredoc, end)) = Heredoc::opened_at(text, at + 2) {
                    heredocs.push(heredoc);
                    at = end - 1;
                }
            }
            b'\n' if !heredocs.is_empty() => {
                let mut end = at + 1;
                for heredoc in heredocs.drain(..) {
                    end = heredoc.body(text, end).1;
                }
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The index behind a single-quoted piece; `escapes` for `$'…'`.
pub(super) fn end_of_single(bytes: &[u8], start: usize, escapes: bool) -> Option<usize> {
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'\\' if escapes => at += 2,
            b'\'' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// A heredoc whose body is still to come.
pub(super) struct Heredoc<'a> {
    /// The end tag as written, quotes and all.
    pub(super) tag: &'a str,
    strip_tabs: bool,
}

impl<'a> Heredoc<'a> {
    /// Reads the tag behind `<<`, with the index behind it.
    pub(super) fn opened_at(text: &'a str, mut at: usize) -> Option<(Self, usize)> {
        let bytes = text.as_bytes();
        let strip_tabs = bytes.get(at) == Some(&b'-');
        at += usize::from(strip_tabs);
        while matches!(bytes.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        let start = at;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\'' => at = end_of_single(bytes, at + 1, false)?,
                b'"' => at = end_of(text, at + 1, b'"')?,
                b'\\' => at += 2,
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                _ => at += 1,
            }
        }
        let tag = text.get(start..at)?;
        (!tag.is_empty()).then_some((Heredoc { tag, strip_tabs }, at))
    }

    /// The body that starts at `start`, and the index where the text goes on.
    pub(super) fn body(&self, text: &'a str, start: usize) -> (&'a str, usize) {
        let tag: String = self.tag.chars().filter(|c| !matches!(c, '\'' | '"' | '\\')).collect();
        let mut at = start;
        while at < text.len() {
            let end = text[at..].find('\n').map_or(text.len(), |offset| at + offset);
            let line = &text[at..end];
            let line = if self.strip_tabs { line.trim_start_matches('\t') } else { line };
            if line == tag {
                return (&text[start..at], end.min(text.len()));
            }
            // `EOF)` closes the substitution around an unfinished heredoc in what people write.
            if line.strip_prefix(tag.as_str()).is_some_and(|rest| rest.starts_with(')')) {
                return (&text[start..at], end - line.len() + tag.len());
            }
            at = (end + 1).min(text.len());
            if end == text.len() {
                break;
            }
        }
        (text.get(start..).unwrap_or(""), text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::end_of;

    #[test]
    fn finds_the_end() {
        for (text, expected) in [
            ("a)b", Some(2)),
            ("a (b) \")\" ')' \\) )x", Some(18)),
            ("cat <<'EOF'\ndon't )\nEOF\n)x", Some(25)),
            ("echo \"$(a \")\")\" )", Some(17)),
            ("a # don't )\n)", Some(13)),
            ("never", None),
        ] {
            assert_eq!(end_of(text, 0, b')'), expected, "{text}");
        }
    }

    #[test]
    fn deep_nesting_costs_no_stack() {
        let text = "$(".repeat(30_000);
        assert_eq!(end_of(&text, 0, b')'), None);
    }
}
