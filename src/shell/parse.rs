//! Command text to a syntax tree: brush-parser behind caps, and a flat splitter for what needs no parser and for what
//! it cannot take.
//!
//! The parser recurses without a bound and backtracks exponentially on some unfinished input, so everything
//! it is given is measured first. The caps are far above what people and agents write and were chosen so
//! that an unoptimised build stays inside a 2 MiB stack and a few milliseconds.

use brush_parser::{ParserOptions, Token, ast, parse_tokens, uncached_tokenize_str};

use super::plain::is_plain;
use super::split;

/// Longest text that is parsed, in bytes.
const MAX_LENGTH: usize = 64 * 1024;
/// Most `$(`, `${` and `$[` of a text: the tokenizer recurses on each that is still open.
const MAX_EXPANSIONS: usize = 150;
/// Most levels of compound commands.
const MAX_NESTING: usize = 40;
/// Most levels of parentheses: each may be read as arithmetic or as a subshell.
const MAX_PARENTHESES: usize = 8;
/// Most levels of `case`: the last item of each is read twice.
const MAX_CASES: usize = 5;

/// Longest tag of a heredoc, in bytes.
const MAX_TAG: usize = 128;
/// Longest line that begins a heredoc, in bytes from its tag.
const MAX_LINE: usize = 1024;

/// A parsed text.
pub(super) struct Parsed {
    /// Its lists, one a complete command.
    pub(super) lists: Vec<ast::CompoundList>,
    /// The splitter made it.
    pub(super) approximate: bool,
}

/// Parses `text`; never fails.
pub(super) fn parse(text: &str) -> Parsed {
    if text.len() <= MAX_LENGTH && is_plain(text) {
        return Parsed { lists: vec![split::split(text)], approximate: false };
    }
    match exact(text) {
        Some(program) => Parsed { lists: program.complete_commands, approximate: false },
        None => Parsed { lists: vec![split::split(text)], approximate: true },
    }
}

/// What the parser makes of a text; `None` where it cannot take it.
pub(super) fn exact(text: &str) -> Option<ast::Program> {
    if text.len() > MAX_LENGTH || expansions(text) > MAX_EXPANSIONS || !tags_are_safe(text) {
        return None;
    }
    let options = ParserOptions::default();
    let tokens = uncached_tokenize_str(text, &options.tokenizer_options()).ok()?;
    if !within_caps(&tokens) {
        return None;
    }
    parse_tokens(&tokens, &options).ok()
}

fn expansions(text: &str) -> usize {
    text.as_bytes().windows(2).filter(|pair| pair[0] == b'$' && matches!(pair[1], b'(' | b'{' | b'[')).count()
}

/// Heredoc tags on which the tokenizer would loop without end or panic: one that is empty or white space of any kind,
/// and one that holds an expansion. Quotes around the `<<` are not looked at, so that nothing can hide from this; code
/// that shifts by a parenthesis is split instead of parsed.
fn tags_are_safe(text: &str) -> bool {
    let bytes = text.as_bytes();
    let openers = ["$(", "${", "$["].map(|opener| text.find(opener).unwrap_or(text.len()));
    let mut at = 0;
    while let Some(offset) = text[at..].find("<<") {
        let start = at + offset;
        at = start + bytes[start..].iter().take_while(|byte| **byte == b'<').count();
        if ends_with_heredoc(&bytes[..start], at - start)
            && !(tag_is_safe(&bytes[at..bytes.len().min(at + MAX_TAG)]) && line_is_safe(&bytes[at..], openers.map(|at| at < start)))
        {
            return false;
        }
    }
    true
}

/// May `<<` be the last operator of a run of this many `<`? It is read from its start, `<<<` first, and a backslash
/// takes one away.
fn ends_with_heredoc(before: &[u8], run: usize) -> bool {
    run % 3 == 2 || (run.is_multiple_of(3) && before.ends_with(b"\\"))
}

/// `window` is what stands behind the `<<`.
fn tag_is_safe(window: &[u8]) -> bool {
    let mut rest = window.strip_prefix(b"-").unwrap_or(window);
    loop {
        rest = match rest {
            [b' ' | b'\t', rest @ ..] | [b'\\', b'\n', rest @ ..] => rest,
            _ => break,
        };
    }
    let mut quote = None;
    let mut named = false;
    for (index, byte) in rest.iter().enumerate() {
        match byte {
            b'`' => return false,
            b'$' if matches!(rest.get(index + 1), Some(b'(' | b'{' | b'[')) => return false,
            b'\'' | b'"' if quote == Some(*byte) => quote = None,
            b'\'' | b'"' if quote.is_none() => quote = Some(*byte),
            b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' if quote.is_none() => return named,
            b'\\' | b'\r' | b'\n' | b'\x0c' => {}
            _ => named = true,
        }
    }
    named && quote.is_none() && window.len() < MAX_TAG
}

/// The tokenizer takes a heredoc's body for a piece of whatever expansion is open where its line ends, and panics when
/// that was opened or closed behind the tag. `rest` is what stands behind the `<<`; `opened` says whether `$(`, `${` and
/// `$[` stand before it.
fn line_is_safe(rest: &[u8], opened: [bool; 3]) -> bool {
    // What is open behind the tag: `"`, a lone `(`, or the end of an expansion.
    let mut open: Vec<u8> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        let (inside, next) = (open.last().copied(), rest.get(at + 1));
        let expands = open.iter().any(|open| matches!(open, b')' | b'}' | b']'));
        match byte {
            _ if at >= MAX_LINE => return false,
            b'`' => return false,
            b'\\' | b'\'' | b'#' if expands => return false,
            b'$' if matches!(next, Some(b'\'' | b'"')) && inside != Some(b'"') => return false,
            b'\n' if inside != Some(b'"') => return !expands,
            b'\\' => at += 1,
            b'$' if matches!(next, Some(b'(' | b'{' | b'[')) => {
                open.push(match next {
                    Some(b'(') => b')',
                    Some(b'{') => b'}',
                    _ => b']',
                });
                at += 1;
            }
            b'"' if inside == Some(b'"') => drop(open.pop()),
            b'"' => open.push(b'"'),
            _ if inside == Some(b'"') => {}
            b'\'' => match rest[at + 1..].iter().take(MAX_LINE).position(|byte| *byte == b'\'') {
                Some(length) => at += length + 1,
                None => return rest.len() - at <= MAX_LINE,
            },
            b'#' if at > 0 && matches!(rest[at - 1], b' ' | b'\t') => return true,
            b'(' => open.push(b'('),
            b')' if matches!(inside, Some(b'(' | b')')) => drop(open.pop()),
            b'}' | b']' if inside == Some(byte) => drop(open.pop()),
            b')' if opened[0] => return false,
            b'}' if opened[1] => return false,
            b']' if opened[2] => return false,
            b'<' if open.is_empty() && at > 0 => {
                let run = rest[at..].iter().take_while(|byte| **byte == b'<').count();
                // The next heredoc is looked at by itself.
                if run > 1 && ends_with_heredoc(&rest[..at], run) {
                    return true;
                }
                at += run - 1;
            }
            _ => {}
        }
        at += 1;
    }
    true
}

/// Measures nesting on the tokens, as the parser would see it: a word opens or closes a level only where a
/// command may start.
fn within_caps(tokens: &[Token]) -> bool {
    let (mut nesting, mut parentheses, mut cases) = (0_usize, 0_usize, 0_usize);
    let (mut negations, mut coprocesses, mut in_test) = (0_usize, 0_usize, false);
    let mut at_start = true;
    // `function name {`, `coproc name {`: a word stands between the keyword and what it opens.
    let mut name_next = false;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Operator(operator, _) => {
                match operator.as_str() {
                    "(" => parentheses += 1,
                    ")" => parentheses = parentheses.saturating_sub(1),
                    _ => {}
                }
                at_start = !operator.starts_with(['<', '>']) && !operator.starts_with("&>");
            }
            Token::Word(word, _) => {
                if !word_is_safe(word, tokens.get(index + 1)) {
                    return false;
                }
                let named = std::mem::replace(&mut name_next, false);
                let starts = std::mem::replace(&mut at_start, true);
                match word.as_str() {
                    "!" if in_test => negations += 1,
                    "]]" if !starts => in_test = false,
                    // What follows a coprocess' or function's name starts its body.
                    _ if !starts => at_start = named,
                    "[[" => (in_test, negations, at_start) = (true, 0, false),
                    "{" | "if" | "while" | "until" => nesting += 1,
                    "for" | "select" => (nesting, at_start) = (nesting + 1, false),
                    "case" => (nesting, cases, at_start) = (nesting + 1, cases + 1, false),
                    "}" | "fi" | "done" | "esac" => {
                        nesting = nesting.saturating_sub(1);
                        cases = cases.saturating_sub(usize::from(word == "esac"));
                    }
                    "coproc" => (coprocesses, name_next) = (coprocesses + 1, true),
                    "function" => (name_next, at_start) = (true, false),
                    "!" | "then" | "else" | "elif" | "do" | "time" => {}
                    _ => at_start = named,
                }
            }
        }
        if nesting > MAX_NESTING || parentheses > MAX_PARENTHESES || cases > MAX_CASES || negations > MAX_NESTING || coprocesses > MAX_CASES
        {
            return false;
        }
    }
    true
}

/// Words on which the parser would panic or recurse: a descriptor number that does not fit, and an array
/// index that holds a grammar of its own.
fn word_is_safe(word: &str, next: Option<&Token>) -> bool {
    let redirects = matches!(next, Some(Token::Operator(operator, _)) if operator.starts_with(['<', '>']));
    if redirects && word.len() != 1 && word.bytes().all(|byte| byte.is_ascii_digit()) && (word.is_empty() || word.len() > 9) {
        return false;
    }
    let name = word.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    if name == 0 || word.as_bytes().get(name) != Some(&b'[') {
        return true;
    }
    let nested = word.bytes().filter(|byte| matches!(byte, b'[' | b'(' | b'{' | b'$' | b'`' | b'"' | b'\'')).count();
    word.len() <= 200 && nested <= 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_text_is_parsed_exactly() {
        for text in [
            "a && b | c; d &",
            "if a; then b; elif c; then d; else e; fi",
            "for f in a b; do case $f in a) x ;; *) y ;; esac; done",
            "f() { local x=1; echo $x; }; f",
            "cat <<'EOF' > f\nif (( $( {\nEOF\necho",
            "while read -r x; do echo \"$x\"; done < f",
            "a=(1 2 3); echo ${a[@]}; b[0]=1",
            "[[ -f x && ! -d y ]] && (( i++ ))",
            "diff <(a) <(b)",
            "cat <<'END OF IT'\nx\nEND OF IT",
            "cat <<E > \"$(dirname \"$x\")/f\" && (cd a; b) # it's\nx\nE",
            "(cat <<A; cat <<'B') | { c; }\nA\nB",
            "cat <<- \\EOF | b\n\tx\n\tEOF\n",
            "x=$(cat <<EOF\n$(date)\nEOF\n)",
            "grep -n '<<<<<<<' f; cat <<<\"$(x)\"",
            "cat <<'E' > f.cc\ncout << \"a: $5\" << endl; x <<= 1;\nE",
        ] {
            assert!(!parse(text).approximate, "{text}");
        }
    }

    #[test]
    fn hostile_text_is_refused() {
        for text in [
            "echo 99999999999>x",
            "case x in y) ",
            "a[[[[[[[[[[[[(((=1",
            "((((((((((((a",
            "echo 'x",
            "echo $(",
            "cat <<'' ",
            "$( << )",
            "<<-\r\x0c\r }",
            "a <<\x0c;",
            "a <<<<<b$[ ",
            "a \\<<<b$[ ",
            "$($(cat <<E)\nE",
            "\"$(a \"$(cat <<E)\"\nE",
            "<<E<<<a && \"$(\nE",
            "<<E$( ",
            "cat <<\"a $(b\"",
        ] {
            assert!(parse(text).approximate, "{text}");
        }
    }
}
