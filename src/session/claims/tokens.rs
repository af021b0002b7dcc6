//! Prose to words, marks and stops; quoted words and code stay whole.

use std::ops::Range;

/// How far the other end of a quotation or a code span is looked for, in bytes.
const MAX_SPAN: usize = 600;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) at: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, a number, a path; of Chinese, Japanese and Korean a run of letters.
    Word,
    /// A code span, without its marks.
    Code,
    /// Somebody's words.
    Quoted,
    /// ✅
    Tick,
    /// ❌
    Cross,
    /// ⏳
    Wait,
    Comma,
    Colon,
    /// `;`, a dash.
    Break,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `+`, `&`
    Plus,
    /// `.`, `!`
    End,
    /// `?`
    Ask,
    /// The end of a line.
    Line,
}

/// Is it a letter of Chinese, Japanese or Korean?
pub(super) fn is_wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11FF}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{30FA}' | '\u{30FC}'..='\u{31FF}'
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}')
}

/// The tokens of `text[range]`.
pub(super) fn tokens(text: &str, range: Range<usize>) -> Vec<Token> {
    let mut lexer = Lexer { text, end: range.end, at: range.start, tokens: Vec::new() };
    while lexer.at < lexer.end {
        lexer.next();
    }
    lexer.tokens
}

struct Lexer<'a> {
    text: &'a str,
    end: usize,
    at: usize,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    fn push(&mut self, kind: Kind, length: usize) {
        self.tokens.push(Token { kind, at: self.at..self.at + length });
        self.at += length;
    }

    fn next(&mut self) {
        let rest = self.rest();
        match rest.as_bytes().first() {
            // Most begin so.
            Some(b' ') => return self.at += 1,
            Some(byte) if byte.is_ascii_alphanumeric() => return self.push(Kind::Word, word(rest)),
            _ => {}
        }
        let Some(c) = rest.chars().next() else { return };
        let after = rest[c.len_utf8()..].chars().next().unwrap_or(' ');
        let before = self.text[..self.at].chars().next_back().unwrap_or(' ');
        match c {
            '\n' => self.push(Kind::Line, 1),
            '`' => self.code(),
            '“' | '„' | '”' => self.quoted(&['”', '“']),
            '«' => self.quoted(&['»']),
            '»' => self.quoted(&['«']),
            '「' => self.quoted(&['」']),
            '『' => self.quoted(&['』']),
            '‹' => self.quoted(&['›']),
            '"' => self.quoted(&['"']),
            '\'' | '‘' if !before.is_alphanumeric() && after.is_alphanumeric() => self.quoted(&['\'', '’']),
            '~' if rest.starts_with("~~") => self.skip_to("~~"),
            ']' if after == '(' => self.skip_to(")"),
            '<' if after.is_ascii_alphabetic() || after == '/' => self.skip_tag(),
            '✅' | '✔' | '✓' | '☑' | '🟢' | '💚' => self.push(Kind::Tick, c.len_utf8()),
            '❌' | '✗' | '✘' | '✖' | '🔴' | '🚫' | '❎' | '⛔' => self.push(Kind::Cross, c.len_utf8()),
            '⏳' | '🚧' | '🔄' | '⏭' | '⏸' | '⬜' | '🔲' | '☐' | '⌛' => self.push(Kind::Wait, c.len_utf8()),
            ',' | '，' | '、' | '،' | '﹐' => self.push(Kind::Comma, c.len_utf8()),
            ':' | '：' | '→' | '⇒' => self.push(Kind::Colon, c.len_utf8()),
            '=' | '-' if after == '>' => self.push(Kind::Colon, 2),
            '=' => self.push(Kind::Colon, 1),
            ';' | '；' | '—' | '–' | '|' => self.push(Kind::Break, c.len_utf8()),
            '-' if before.is_whitespace() && after.is_whitespace() => self.push(Kind::Break, 1),
            '-' if rest.starts_with("-- ") && before.is_whitespace() => self.push(Kind::Break, 2),
            '(' | '（' | '[' => self.push(Kind::Open, c.len_utf8()),
            ')' | '）' | ']' => self.push(Kind::Close, c.len_utf8()),
            '+' | '&' | '・' | '·' | '＋' => self.push(Kind::Plus, c.len_utf8()),
            '。' | '！' | '．' => self.push(Kind::End, c.len_utf8()),
            '.' if rest.starts_with("./...") => self.push(Kind::Word, 5),
            '.' | '!' | '…' if !after.is_alphanumeric() => self.push(Kind::End, c.len_utf8()),
            '?' | '？' => self.push(Kind::Ask, c.len_utf8()),
            '%' if after.is_ascii_digit() => {
                let length = word(&rest[1..]);
                self.push(Kind::Word, 1 + length);
            }
            '%' | '％' => self.push(Kind::Word, c.len_utf8()),
            _ if is_wide(c) => {
                let length = rest.find(|c| !is_wide(c)).unwrap_or(rest.len());
                self.push(Kind::Word, length);
            }
            _ if c.is_alphanumeric() || (matches!(c, '_' | '/' | '.' | '-' | '@' | '$' | '\\') && after.is_ascii_alphanumeric()) => {
                let length = word(rest);
                self.push(Kind::Word, length.max(c.len_utf8()));
            }
            _ => self.at += c.len_utf8(),
        }
    }

    /// A code span; its marks may be several.
    fn code(&mut self) {
        let rest = self.rest();
        let marks = rest.len() - rest.trim_start_matches('`').len();
        let inner = &rest[marks..];
        let near = &inner[..inner.floor_char_boundary(MAX_SPAN)];
        match near.find(&rest[..marks.min(MAX_SPAN)]) {
            Some(length) if marks < MAX_SPAN => {
                let start = self.at + marks;
                self.tokens.push(Token { kind: Kind::Code, at: start..start + length });
                self.at = start + length + marks;
            }
            _ => self.at += marks,
        }
    }

    /// A quotation up to one of `closing`; without its end, the mark says nothing.
    fn quoted(&mut self, closing: &[char]) {
        let rest = self.rest();
        let open = rest.chars().next().map_or(1, char::len_utf8);
        let near = &rest[open..rest.floor_char_boundary(MAX_SPAN).max(open)];
        let end = near.char_indices().find(|&(at, c)| {
            let inside = near[at + c.len_utf8()..].starts_with(char::is_alphanumeric);
            closing.contains(&c) && (!inside || !matches!(c, '\'' | '’'))
        });
        match end {
            Some((length, close)) => self.push(Kind::Quoted, open + length + close.len_utf8()),
            None => self.at += open,
        }
    }

    /// Past `end`, if it is near.
    fn skip_to(&mut self, end: &str) {
        let rest = self.rest();
        let near = &rest[..rest.floor_char_boundary(MAX_SPAN)];
        self.at += near.get(2..).and_then(|inner| inner.find(end)).map_or(2.min(rest.len()), |found| 2 + found + end.len());
    }

    /// Past a tag of HTML, which parts what stands before it from what stands behind.
    fn skip_tag(&mut self) {
        let rest = self.rest();
        let near = &rest[..rest.floor_char_boundary(MAX_SPAN)];
        let length = near.find('>').map_or(1, |end| end + 1);
        self.push(Kind::Line, length);
    }
}

/// How long the word at the start is: `type-check`, `don't`, `src/a.ts`, `41/41`, `1,234`.
fn word(rest: &str) -> usize {
    let mut last = ' ';
    let mut at = 0;
    while let Some(c) = rest[at..].chars().next() {
        if c.is_ascii_alphanumeric() {
            (last, at) = (c, at + 1);
            continue;
        }
        let next = rest[at + c.len_utf8()..].chars().next().unwrap_or(' ');
        let inside = c.is_alphanumeric() && !is_wide(c)
            || c == '_'
            || c == '\u{307}'
            || (c == '%' && last.is_ascii_digit())
            || (next.is_alphanumeric()
                && !is_wide(next)
                && matches!(c, '-' | '‑' | '\'' | '’' | '.' | '/' | ':' | '\\' | '@' | '%' | '&' | '=' | '+' | '$' | '~' | '^' | '#'))
            || (matches!(c, '/' | '.' | '-') && matches!(next, '/' | '.' | '*' | '-' | '_') && last != ' ' && c != next)
            || (at == 0 && matches!(c, '/' | '.' | '-' | '@' | '$' | '\\'))
            || (c == ',' && last.is_ascii_digit() && next.is_ascii_digit());
        if !inside {
            return at;
        }
        (last, at) = (c, at + c.len_utf8());
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_quotes_code_and_stops() {
        let text = "Don't say “all green”, `npm test` 1,234/1,234 (src/a.ts): type-check's 'is ok' テストlint通过。";
        let found: Vec<_> = tokens(text, 0..text.len()).iter().map(|token| (token.kind, &text[token.at.clone()])).collect();
        let want = [
            (Kind::Word, "Don't"),
            (Kind::Word, "say"),
            (Kind::Quoted, "“all green”"),
            (Kind::Comma, ","),
            (Kind::Code, "npm test"),
            (Kind::Word, "1,234/1,234"),
            (Kind::Open, "("),
            (Kind::Word, "src/a.ts"),
            (Kind::Close, ")"),
            (Kind::Colon, ":"),
            (Kind::Word, "type-check's"),
            (Kind::Quoted, "'is ok'"),
            (Kind::Word, "テスト"),
            (Kind::Word, "lint"),
            (Kind::Word, "通过"),
            (Kind::End, "。"),
        ];
        assert_eq!(found, want);
    }

    #[test]
    fn marks_without_an_end_take_nothing() {
        for text in ["`npm test", "“all", "~~a", "[a](b", "<br", "'a", "a ]( ~~ ``"] {
            let _ = tokens(text, 0..text.len());
        }
        let text = "\"all tests pass";
        assert_eq!(tokens(text, 0..text.len()).len(), 3);
    }
}
