//! Tokens of a script in another language, as far as finding file calls needs them: names, strings, marks.
//! Comments are dropped.

/// A family of scripting languages with the same comments and strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Python,
    JavaScript,
    Ruby,
    Perl,
}

impl Language {
    pub(super) fn of(program: &str) -> Option<Self> {
        Some(match program {
            "node" | "nodejs" | "bun" | "deno" | "tsx" | "ts-node" | "php" => Language::JavaScript,
            "ruby" => Language::Ruby,
            "perl" => Language::Perl,
            _ if is_python(program) => Language::Python,
            _ => return None,
        })
    }
}

/// `python`, `python3`, `python3.12`, `pypy3`.
pub(super) fn is_python(program: &str) -> bool {
    program
        .strip_prefix("python")
        .or_else(|| program.strip_prefix("pypy"))
        .is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b'w'))
}

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token<'a> {
    Name(&'a str),
    /// A string; `None` where something is put into it when the script runs.
    Text(Option<String>),
    Mark(u8),
}

/// The tokens of `code`, which ends inside an unfinished string at the latest.
pub(super) fn tokens(language: Language, code: &str) -> Vec<Token<'_>> {
    let bytes = code.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &code[at..];
        let comment = match language {
            Language::JavaScript => rest.starts_with("//"),
            _ => byte == b'#',
        };
        if comment {
            at = rest.find('\n').map_or(bytes.len(), |offset| at + offset);
        } else if language == Language::JavaScript && rest.starts_with("/*") {
            at = rest.find("*/").map_or(bytes.len(), |offset| at + offset + 2);
        } else if matches!(byte, b'\'' | b'"' | b'`') {
            let prefix = match tokens.last() {
                Some(Token::Name(name))
                    if language == Language::Python && at > 0 && bytes[at - 1].is_ascii_alphabetic() && name.len() <= 2 =>
                {
                    *name
                }
                _ => "",
            };
            if !prefix.is_empty() {
                tokens.pop();
            }
            let (text, end) = string(language, code, at, prefix);
            tokens.push(Token::Text(text));
            at = end;
        } else if byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$') {
            let end = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count() + at + 1;
            tokens.push(Token::Name(&code[at..end]));
            at = end;
        } else {
            if byte.is_ascii() && byte != b' ' && byte != b'\t' && byte != b'\r' {
                tokens.push(Token::Mark(byte));
            }
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    tokens
}

/// A string literal that starts at `at`, and the index behind it.
fn string(language: Language, code: &str, at: usize, prefix: &str) -> (Option<String>, usize) {
    let bytes = code.as_bytes();
    let quote = bytes[at];
    let triple = language == Language::Python && bytes.get(at + 1) == Some(&quote) && bytes.get(at + 2) == Some(&quote);
    let mut index = at + if triple { 3 } else { 1 };
    let raw = prefix.contains(['r', 'R']);
    let formatted = prefix.contains(['f', 'F']);
    let mut text = String::new();
    let mut known = true;
    while let Some(&byte) = bytes.get(index) {
        if byte == quote && (!triple || bytes[index..].iter().take(3).filter(|byte| **byte == quote).count() == 3) {
            return (known.then_some(text), index + if triple { 3 } else { 1 });
        }
        if byte == b'\\' && !raw {
            index += 1;
            let Some(c) = code[index..].chars().next() else { break };
            text.push(match c {
                'n' => '\n',
                't' => '\t',
                other => other,
            });
            index += c.len_utf8();
            continue;
        }
        let next = bytes.get(index + 1);
        known &= match language {
            Language::Python => !(formatted && byte == b'{'),
            Language::JavaScript => !(quote == b'`' && byte == b'$' && next == Some(&b'{')),
            Language::Ruby => !(quote == b'"' && byte == b'#' && next == Some(&b'{')),
            Language::Perl => !(quote == b'"' && matches!(byte, b'$' | b'@')),
        };
        let c = code[index..].chars().next().unwrap_or(' ');
        text.push(c);
        index += c.len_utf8();
    }
    (None, bytes.len())
}
