//! Tokens to sentences.

use std::ops::Range;

use super::tokens::{Kind, Token};

/// A line at least this long is taken for wrapped, in bytes.
const WRAPPED: usize = 60;

/// After these a full stop ends no sentence, unless a capital letter follows.
const SHORTENED: &[&str] =
    &["e.g", "i.e", "etc", "vs", "approx", "incl", "z.b", "d.h", "bzw", "ca", "inkl", "p.ex", "ex", "ej", "resp", "no"];

/// Which tokens make a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence {
    /// Indices of its tokens, the stop at its end included.
    pub(super) tokens: Range<usize>,
    /// It ends in a colon: what follows belongs to it.
    pub(super) leads: bool,
}

/// The sentences that a block's tokens make.
pub(super) fn sentences(text: &str, tokens: &[Token]) -> Vec<Sentence> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut line_start = 0;
    for (at, token) in tokens.iter().enumerate() {
        let ends = match token.kind {
            Kind::Line => {
                let wrapped = goes_on(text, &tokens[line_start..at], tokens.get(at + 1));
                line_start = at + 1;
                !wrapped
            }
            Kind::Ask => true,
            Kind::End => !is_shortened(text, &tokens[start..at], tokens.get(at + 1)),
            _ => false,
        };
        if ends {
            push(&mut sentences, tokens, start..at + 1);
            start = at + 1;
        }
    }
    push(&mut sentences, tokens, start..tokens.len());
    sentences
}

fn push(sentences: &mut Vec<Sentence>, tokens: &[Token], range: Range<usize>) {
    let mut inner = tokens[range.clone()].iter().rev().filter(|token| token.kind != Kind::Line);
    let Some(last) = inner.next() else { return };
    match sentences.last_mut() {
        // `…`, `?!`: more of the same end; a mark behind the stop belongs to what it marks.
        Some(before) if tokens[range.clone()].iter().all(|token| matches!(token.kind, Kind::End | Kind::Ask | Kind::Close)) => {
            before.tokens.end = range.end;
        }
        Some(before) if marks_before(tokens, before, &range) => before.tokens.end = range.end,
        _ => sentences.push(Sentence { leads: last.kind == Kind::Colon, tokens: range }),
    }
}

/// Is it a lone mark on the line of the sentence before, which it ends ("All tests pass. ✅")?
fn marks_before(tokens: &[Token], before: &Sentence, range: &Range<usize>) -> bool {
    let same_line = tokens[before.tokens.end - 1].kind != Kind::Line;
    same_line && tokens[range.clone()].iter().all(|token| matches!(token.kind, Kind::Tick | Kind::Line))
}

/// Does a sentence go on behind the end of a line?
fn goes_on(text: &str, line: &[Token], next: Option<&Token>) -> bool {
    let (Some(first), Some(last), Some(next)) = (line.first(), line.last(), next) else { return false };
    if matches!(last.kind, Kind::End | Kind::Ask | Kind::Colon | Kind::Tick | Kind::Cross) {
        return false;
    }
    let first_letter = text[next.at.clone()].chars().next();
    match next.kind {
        Kind::Word => first_letter.is_some_and(char::is_lowercase) || last.at.end - first.at.start >= WRAPPED || last.kind == Kind::Comma,
        Kind::Code | Kind::Open | Kind::Quoted => last.at.end - first.at.start >= WRAPPED || last.kind == Kind::Comma,
        _ => false,
    }
}

fn is_shortened(text: &str, before: &[Token], next: Option<&Token>) -> bool {
    let (Some(last), Some(next)) = (before.last(), next) else { return false };
    let follows = next.kind == Kind::Comma || text[next.at.clone()].starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit());
    follows && SHORTENED.iter().any(|word| text[last.at.clone()].eq_ignore_ascii_case(word))
}
