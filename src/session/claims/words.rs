//! What words mean in each language. The lists are data; `reading` knows no language.

mod code;
mod de;
mod details;
mod en;
mod es;
mod fr;
mod ja;
mod ko;
mod pt;
mod roles;
mod shared;
mod table;
mod tr;
mod zh;

use std::borrow::Cow;

use super::tokens::{Kind, Token, is_wide};
pub(super) use details::Detail;
pub(super) use roles::Role;
use table::Table;

/// The lists of a language: a role, and words and phrases parted by commas.
type Words = [(Role, &'static str)];

/// Beginnings of words that keep their role whatever their ending.
type Stems = [(Role, &'static str)];

/// How a language builds its sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Grammar {
    /// How many letters of unknown words may stand between a gate and its success.
    pub(super) gap: usize,
    /// What takes a sentence back stands at its end.
    pub(super) verb_last: bool,
    /// An unknown word before a gate makes it another thing: "parser tests".
    pub(super) compounds: bool,
    /// An unknown word behind a success makes it another word: "passes messages".
    pub(super) objects: bool,
}

const EUROPEAN: Grammar = Grammar { gap: 0, verb_last: false, compounds: true, objects: true };
const ROMANCE: Grammar = Grammar { compounds: false, ..EUROPEAN };

/// A language.
pub(super) struct Lexicon {
    /// Its place in [`LEXICONS`] and [`WORDS`], and its name in [`STEMS`].
    index: u8,
    pub(super) grammar: Grammar,
}

const WIDE: Grammar = Grammar { gap: 8, verb_last: true, compounds: false, objects: false };

/// The languages that part their words, English first, which wins a draw; then those that do not.
static LEXICONS: [Lexicon; 9] = [
    Lexicon { index: 0, grammar: EUROPEAN },
    Lexicon { index: 1, grammar: EUROPEAN },
    Lexicon { index: 2, grammar: ROMANCE },
    Lexicon { index: 3, grammar: ROMANCE },
    Lexicon { index: 4, grammar: ROMANCE },
    Lexicon { index: 5, grammar: Grammar { verb_last: true, ..EUROPEAN } },
    Lexicon { index: 6, grammar: Grammar { gap: 6, verb_last: false, objects: true, ..WIDE } },
    Lexicon { index: 7, grammar: WIDE },
    Lexicon { index: 8, grammar: WIDE },
];
static ENGLISH: &Lexicon = &LEXICONS[0];
static CHINESE: &Lexicon = &LEXICONS[6];
static JAPANESE: &Lexicon = &LEXICONS[7];
static KOREAN: &Lexicon = &LEXICONS[8];

/// How many of them part their words.
const SPACED: u8 = 6;
/// In place of a language: the words that all share.
const SHARED: u8 = 9;

/// The words of each language, and those that all share.
const WORDS: &[&Words] =
    &[en::WORDS, de::WORDS, fr::WORDS, es::WORDS, pt::WORDS, tr::WORDS, zh::WORDS, ja::WORDS, ko::WORDS, shared::WORDS];

/// By language, the beginnings of words.
const STEMS: &[(u8, &Stems)] = &[(1, de::STEMS), (5, tr::STEMS), (SHARED, shared::STEMS)];

#[expect(long_running_const_eval, reason = "it is the compiler that reads all the lists")]
static TABLE: Table<Role, { table::count(WORDS) }> = Table::new(WORDS);

/// The longest phrase of those that do not, in characters.
const LONGEST: usize = 20;

/// How many words a phrase has at most, of those that part them.
const MOST_WORDS: usize = 5;

/// How many words of a message are looked at to tell its language.
const SAMPLE: usize = 300;

/// The language of a sentence's tokens, where `usual` is that of its message.
pub(super) fn language_of(text: &str, tokens: &[Token], usual: &'static Lexicon) -> &'static Lexicon {
    language(tokens.iter().map(|token| &text[token.at.clone()]), Some(usual))
}

/// The language of pieces of text: of a sentence, where `usual` is that of its message.
pub(super) fn language<'a>(pieces: impl Iterator<Item = &'a str> + Clone, usual: Option<&'static Lexicon>) -> &'static Lexicon {
    let kana = |c: char| matches!(c, '\u{3040}'..='\u{30FF}');
    let hangul = |c: char| matches!(c, '\u{1100}'..='\u{11FF}' | '\u{3130}'..='\u{318F}' | '\u{AC00}'..='\u{D7AF}');
    let has = |is: &dyn Fn(char) -> bool| pieces.clone().any(|piece| !piece.is_ascii() && piece.chars().any(is));
    // No letter of these is shorter.
    if pieces.clone().any(|piece| piece.bytes().any(|byte| byte >= 0xE0)) {
        if has(&kana) {
            return JAPANESE;
        }
        if has(&hangul) {
            return KOREAN;
        }
        if has(&is_wide) {
            return usual.filter(|usual| usual.index == JAPANESE.index).unwrap_or(CHINESE);
        }
    }
    let mut scores = [0_usize; SPACED as usize];
    for word in pieces.flat_map(|piece| piece.split(parts_words)).filter(|word| !word.is_empty()).take(SAMPLE) {
        let of = languages_of(&lowercase(word));
        for (language, score) in scores.iter_mut().enumerate() {
            *score += usize::from(of >> language & 1);
        }
    }
    let best = scores.iter().copied().max().unwrap_or(0);
    let likely = |lexicon: &Lexicon| scores.get(usize::from(lexicon.index)) == Some(&best);
    usual.filter(|usual| likely(usual)).or_else(|| LEXICONS.iter().find(|lexicon| likely(lexicon))).unwrap_or(ENGLISH)
}

fn parts_words(c: char) -> bool {
    if c.is_ascii() { !c.is_ascii_alphanumeric() && c != '-' } else { !c.is_alphanumeric() }
}

/// The languages that a word tells of, one bit for each: those that have it and do not share it with all.
fn languages_of(word: &str) -> u16 {
    let known = TABLE.find(word).fold(0, |known, (language, _)| known | 1_u16 << language);
    if known >> SHARED != 0 {
        return 0;
    }
    // Where the word itself is not listed, its beginning may be.
    stems(word).fold(known, |known, (language, _)| known | if language == SHARED { u16::MAX } else { 1 << language })
}

/// What a word does by its beginning, in each language.
fn stems(word: &str) -> impl Iterator<Item = (u8, Role)> {
    let first = word.as_bytes().first();
    // Most differ in the first byte, which costs no call.
    let begins = move |stem: &str| stem.as_bytes().first() == first && word.starts_with(stem);
    STEMS
        .iter()
        .flat_map(move |&(language, stems)| stems.iter().filter(move |(_, stem)| begins(stem)).map(move |&(role, _)| (language, role)))
}

/// In small letters, as the lists have them.
fn lowercase(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    word.chars().filter(|&c| c != '\u{307}').map(|c| if c == 'İ' { 'i' } else { c }).flat_map(char::to_lowercase).collect()
}

/// A word of a sentence, and what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) role: Role,
    /// Its length in characters.
    pub(super) size: usize,
    /// It is a code span.
    pub(super) code: bool,
    pub(super) detail: Detail,
}

impl Item {
    fn new(role: Role, phrase: &str) -> Self {
        Item { role, size: phrase.chars().count(), code: false, detail: Detail::of(phrase) }
    }

    /// What stands for no word.
    fn bare(role: Role, size: usize) -> Self {
        Item { role, size, code: false, detail: Detail::default() }
    }
}

impl Lexicon {
    /// What a phrase does: what the language says of it goes before what all say.
    fn find(&self, phrase: &str) -> Option<Role> {
        let mut shared = None;
        for (language, role) in TABLE.find(phrase) {
            if language == self.index {
                return Some(role);
            }
            if language == SHARED {
                shared = Some(role);
            }
        }
        shared
    }

    fn find_stem(&self, word: &str) -> Option<Role> {
        stems(word).find(|(language, _)| [self.index, SHARED].contains(language)).map(|(_, role)| role)
    }

    /// What each word of a sentence does.
    pub(super) fn items(&self, text: &str, tokens: &[Token]) -> Vec<Item> {
        let spoken = Spoken::of(text, tokens);
        let mut items = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            at += match token.kind {
                Kind::Word => self.word(&spoken, tokens, at, &mut items),
                kind => {
                    let text = &text[token.at.clone()];
                    let detail = if kind == Kind::Code { Detail::of_code(text) } else { Detail::default() };
                    items.extend(mark(kind, text).map(|role| Item { role, size: 1, code: kind == Kind::Code, detail }));
                    1
                }
            };
        }
        items
    }

    /// Takes the longest phrase that begins at a token; says how many tokens it took.
    fn word(&self, spoken: &Spoken, tokens: &[Token], at: usize, items: &mut Vec<Item>) -> usize {
        let start = spoken.starts[at];
        if spoken.text[start..].starts_with(is_wide) {
            return self.wide(spoken, at, items);
        }
        // A mark ends a phrase.
        let words = tokens[at..].iter().take(MOST_WORDS).take_while(|token| matches!(token.kind, Kind::Word | Kind::Line)).count();
        for last in (at..at + words).rev() {
            let phrase = &spoken.text[start..spoken.ends[last].max(start)];
            let role = self.find(phrase).or_else(|| (last == at).then(|| self.find_stem(phrase)).flatten());
            if let Some(role) = role {
                items.push(Item::new(role, phrase));
                return last + 1 - at;
            }
        }
        let word = &spoken.text[start..spoken.ends[at]];
        self.compound(word, items);
        1
    }

    /// Of a word that is not listed: a number, a word of known parts ("lint-clean", "lint/test", "n'ont"), or anything else.
    fn compound(&self, word: &str, items: &mut Vec<Item>) {
        if let Some(role) = number(word) {
            return items.push(Item::bare(role, word.len()));
        }
        if let Some(role) = word.strip_suffix("'s").and_then(|noun| self.find(noun)) {
            return items.extend([Item::new(role, word.trim_end_matches("'s")), Item::bare(Role::Be, 1)]);
        }
        let joint = |text: &str| text.bytes().position(|byte| matches!(byte, b'-' | b'/' | b'+' | b'&' | b':' | b'=' | b'\''));
        if joint(word).is_none() {
            return items.push(Item::new(Role::Other, word));
        }
        let before = items.len();
        let mut rest = word;
        while !rest.is_empty() {
            let end = joint(rest).unwrap_or(rest.len());
            let mark = rest.as_bytes().get(end).copied();
            let part = if mark == Some(b'\'') { &rest[..=end] } else { &rest[..end] };
            let Some(role) = number(part).or_else(|| self.find(part)).or_else(|| self.find_stem(part)) else {
                items.truncate(before);
                let role = if word.ends_with("n't") { Role::Not } else { Role::Other };
                return items.push(Item::new(role, word));
            };
            items.push(Item::new(role, part));
            match mark {
                Some(b'/' | b'+' | b'&') => items.push(Item::bare(Role::And, 1)),
                Some(b':' | b'=') => items.push(Item::bare(Role::Colon, 1)),
                _ => {}
            }
            rest = rest.get(end + 1..).unwrap_or_default();
        }
    }

    /// A run of letters that are not parted into words: the longest entry at each place.
    fn wide(&self, spoken: &Spoken, first: usize, items: &mut Vec<Item>) -> usize {
        let mut last = first;
        while last + 1 < spoken.starts.len() && spoken.starts[last + 1] == spoken.ends[last] && spoken.ends[last + 1] > spoken.ends[last] {
            last += 1;
        }
        let mut rest = &spoken.text[spoken.starts[first]..spoken.ends[last]];
        let mut unknown = 0;
        while let Some(c) = rest.chars().next() {
            let found = (1..=LONGEST).rev().find_map(|length| {
                let end = rest.char_indices().nth(length).map_or(rest.len(), |(end, _)| end);
                self.find(&rest[..end]).map(|role| (role, end))
            });
            if let Some((role, end)) = found {
                other(unknown, items);
                unknown = 0;
                items.push(Item::new(role, &rest[..end]));
                rest = &rest[end..];
            } else {
                unknown += 1;
                rest = &rest[c.len_utf8()..];
            }
        }
        other(unknown, items);
        last + 1 - first
    }
}

/// Letters that say nothing known.
fn other(size: usize, items: &mut Vec<Item>) {
    if size > 0 {
        items.push(Item::bare(Role::Other, size));
    }
}

/// The words of a sentence in small letters, one blank between them, none between letters that are not parted.
struct Spoken {
    text: String,
    starts: Vec<usize>,
    ends: Vec<usize>,
}

impl Spoken {
    fn of(text: &str, tokens: &[Token]) -> Self {
        let mut spoken = Spoken { text: String::new(), starts: Vec::with_capacity(tokens.len()), ends: Vec::with_capacity(tokens.len()) };
        for token in tokens {
            if token.kind == Kind::Word {
                let word = &text[token.at.clone()];
                let joins = spoken.text.is_empty() || (word.starts_with(is_wide) && spoken.text.ends_with(is_wide));
                if !joins {
                    spoken.text.push(' ');
                }
                spoken.starts.push(spoken.text.len());
                let word = lowercase(word.trim_matches('_'));
                if word.is_ascii() {
                    spoken.text.push_str(&word);
                } else {
                    spoken.text.extend(word.chars().map(|c| match c {
                        '’' => '\'',
                        '‑' => '-',
                        c => c,
                    }));
                }
            } else if token.kind == Kind::Line {
                spoken.starts.push(spoken.text.len());
            } else {
                spoken.text.push('\n');
                spoken.starts.push(spoken.text.len());
            }
            spoken.ends.push(spoken.text.len());
        }
        spoken
    }
}

/// What a token that is no word does.
fn mark(kind: Kind, text: &str) -> Option<Role> {
    Some(match kind {
        Kind::Code => code::role(text),
        Kind::Quoted => Role::Other,
        Kind::Tick => Role::Tick,
        Kind::Cross => Role::Cross,
        Kind::Wait => Role::Might,
        Kind::Comma => Role::Comma,
        Kind::Colon => Role::Colon,
        Kind::Break => Role::Break,
        Kind::Open => Role::Open,
        Kind::Close => Role::Close,
        Kind::Plus => Role::And,
        Kind::Word | Kind::End | Kind::Ask | Kind::Line => return None,
    })
}

/// A number, a ratio, a share; other words that begin with a digit (durations, versions) say nothing.
fn number(word: &str) -> Option<Role> {
    // "%98'i"
    if let Some(share) = word.strip_prefix('%').filter(|share| share.starts_with(|c: char| c.is_ascii_digit())) {
        return Some(if share.split('\'').next() == Some("100") { Role::All } else { Role::Part });
    }
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if let Some(share) = word.strip_suffix('%') {
        return Some(if share == "100" { Role::All } else { Role::Part });
    }
    // "139'u"
    let word = word.split_once('\'').map_or(word, |(number, _)| number);
    let whole = |digits: &str| {
        let plain: String = digits.chars().filter(|c| !matches!(c, ',' | '.')).collect();
        let thousands = digits.split([',', '.']).skip(1).all(|group| group.len() == 3);
        plain.parse().ok().filter(|_| thousands)
    };
    if let Some((done, of)) = word.split_once('/') {
        return match (whole(done), whole(of)) {
            (Some(done), Some(of)) => Some(Role::Ratio(done, of)),
            _ => Some(Role::Filler),
        };
    }
    Some(whole(word).map_or(Role::Filler, Role::Number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_has_two_senses_in_a_language() {
        for (language, words) in (0..).zip(WORDS) {
            let mut seen = std::collections::HashMap::new();
            for &(role, list) in *words {
                for word in list.split(',').map(str::trim) {
                    assert!(!word.is_empty() && word == lowercase(word), "{word}");
                    assert!(word.is_ascii() || word.chars().count() <= LONGEST || !word.contains(is_wide), "{word}");
                    assert_eq!(seen.insert(word, role), None, "{word} is {role:?} too");
                    let found: Vec<Role> = TABLE.find(word).filter(|(of, _)| *of == language).map(|(_, role)| role).collect();
                    assert_eq!(found, [role], "{word}");
                }
            }
        }
    }
}
