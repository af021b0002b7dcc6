//! Word expansion as far as the text alone allows it: quotes, escapes, braces, tildes, literal variables and
//! the few variables whose meaning is known without their value.

use super::braces::braces;
use super::patterns::trim;
use super::scan::{end_of, end_of_single};
use super::state::State;
use super::wrappers::{base_name, is_assignment};
use super::{Path, Root};

/// More fields than this out of one word are not told apart.
pub(super) const MAX_FIELDS: usize = 64;
/// `${a:-${b:-…}}` deeper than this is unknown.
const MAX_DEPTH: usize = 12;

/// Longest text of one word, in bytes; beyond it the word is unknown.
const MAX_TEXT: usize = 256 * 1024;
/// Most pieces of one word, and most files whose bytes are in it.
const MAX_PARTS: usize = 32;
/// Longest value of a variable that is kept, in bytes: what is longer is no path, and values can double.
const MAX_VALUE: usize = 1024;

/// A piece of an expanded word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// Known text.
    Text(String),
    /// A place that is known although its text is not: `$HOME`, `$TMPDIR`, `$PWD`.
    Place(Path),
    /// Anything else.
    Unknown,
}

/// An expanded word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    parts: Vec<Part>,
    /// Holds an unquoted glob character.
    pub(super) glob: bool,
    /// Files whose bytes are in it: `X=$(cat f)`, `echo "$X"`.
    pub(super) sources: Vec<Path>,
}

impl Word {
    pub(super) fn text_of(text: impl Into<String>) -> Self {
        Word { parts: vec![Part::Text(text.into())], ..Word::default() }
    }

    pub(super) fn from_part(part: Part) -> Self {
        Word { parts: vec![part], ..Word::default() }
    }

    pub(super) fn unknown() -> Self {
        Word { parts: vec![Part::Unknown], ..Word::default() }
    }

    /// The whole text, where it is known.
    pub(super) fn text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The base name of the program that it names, where that much is known: of `$HOME/bin/x` it is.
    pub(super) fn program(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Text(text)] => Some(base_name(text)),
            [.., Part::Text(text)] if text.contains('/') => Some(base_name(text)),
            [.., Part::Place(place)] if place.text.contains('/') => Some(base_name(&place.text)),
            _ => None,
        }
    }

    /// The known text it starts with.
    pub(super) fn head(&self) -> &str {
        match self.parts.first() {
            Some(Part::Text(text)) => text,
            _ => "",
        }
    }

    /// Its text is `text`.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text() == Some(text)
    }

    /// Starts with `prefix`: the rest.
    pub(super) fn strip_prefix(&self, prefix: &str) -> Option<Word> {
        let rest = self.head().strip_prefix(prefix)?;
        let mut word = self.clone();
        if let Some(first) = word.parts.first_mut() {
            *first = Part::Text(rest.to_owned());
        }
        if rest.is_empty() && word.parts.len() > 1 {
            word.parts.remove(0);
        }
        Some(word)
    }

    /// The path it names, read in `cwd`.
    pub(super) fn path(&self, cwd: &Path) -> Path {
        match self.parts.as_slice() {
            [Part::Text(text)] => Path::from_text(text, cwd, self.glob),
            [Part::Place(place)] => place.clone(),
            [Part::Place(place), Part::Text(rest)] if rest.starts_with('/') => {
                let mut path = place.join(rest.trim_start_matches('/'));
                path.folder |= rest.ends_with('/');
                path.glob |= self.glob;
                path
            }
            [Part::Place(place), Part::Text(rest)] if !place.text.is_empty() => {
                let mut path = place.clone();
                path.text.push_str(rest);
                path.glob |= self.glob;
                path
            }
            _ => Path::unknown(),
        }
    }

    /// Looks like a path to a program whose options are not known: it has a `/` or starts at a place.
    pub(super) fn looks_like_path(&self) -> bool {
        match self.parts.first() {
            Some(Part::Place(_)) => true,
            // A blank before the first slash is prose or code; `./...` is how Go names packages.
            Some(Part::Text(text)) => {
                text.split_once('/').is_some_and(|(before, _)| !before.contains(char::is_whitespace))
                    && !text.contains("://")
                    && !text.contains('\n')
                    && !text.ends_with("...")
            }
            _ => false,
        }
    }

    /// The last name of a URL, for `curl -O`.
    pub(super) fn url_base(&self) -> Word {
        let base = self.text().and_then(|url| {
            let path = url.split(['?', '#']).next()?;
            path.rsplit('/').next().filter(|name| !name.is_empty())
        });
        base.map_or_else(Word::unknown, Word::text_of)
    }

    fn push(&mut self, part: Part) {
        match part {
            Part::Text(text) => self.push_text(&text),
            part if self.parts.len() < MAX_PARTS => self.parts.push(part),
            _ => self.parts = vec![Part::Unknown],
        }
    }

    fn push_text(&mut self, text: &str) {
        if let Some(Part::Text(last)) = self.parts.last_mut() {
            if last.len() + text.len() > MAX_TEXT {
                self.parts = vec![Part::Unknown];
            } else {
                last.push_str(text);
            }
        } else if self.parts.len() >= MAX_PARTS {
            self.parts = vec![Part::Unknown];
        } else if !text.is_empty() {
            self.parts.push(Part::Text(text.to_owned()));
        }
    }

    /// As a variable keeps it.
    pub(super) fn into_value(mut self) -> Word {
        let length: usize = self.parts.iter().map(|part| if let Part::Text(text) = part { text.len() } else { 0 }).sum();
        if length > MAX_VALUE {
            self.parts = vec![Part::Unknown];
        }
        self.sources.truncate(MAX_PARTS);
        self
    }

    /// Adds another word's pieces behind its own.
    pub(super) fn append(&mut self, other: &Word) {
        for part in &other.parts {
            self.push(part.clone());
        }
        self.glob |= other.glob;
        let room = MAX_PARTS.saturating_sub(self.sources.len());
        self.sources.extend(other.sources.iter().take(room).cloned());
    }
}

/// Expands a word of a command line into fields, which come behind `words`; the texts of command substitutions go to
/// `subs`.
pub(super) fn fields(raw: &str, state: &State, subs: &mut Vec<String>, words: &mut Vec<Word>) {
    if is_plain(raw) {
        words.push(Word::text_of(raw));
    } else if !raw.contains('{') {
        spelling(raw, state, subs, words);
    } else if let Some(spellings) = braces(raw) {
        for raw in spellings {
            spelling(&raw, state, subs, words);
        }
    } else {
        words.push(Word::unknown());
    }
}

/// The same of a word whose braces are spelt out.
fn spelling(raw: &str, state: &State, subs: &mut Vec<String>, words: &mut Vec<Word>) {
    let most = words.len() + MAX_FIELDS;
    let mut expander = Expander { done: Some((words, most)), ..Expander::of_one(state, subs) };
    // `of=~/f`: behind what looks like an assignment a tilde is expanded.
    let (name, rest) = raw.split_at(raw.find("=~").filter(|at| is_assignment(&raw[..=*at])).map_or(0, |at| at + 1));
    expander.word.push_text(name);
    expander.run(rest, false, 0);
    expander.finish();
}

/// Expands a word that stays one: an assignment's value, the target of a redirect.
pub(super) fn single(raw: &str, state: &State, subs: &mut Vec<String>) -> Word {
    if is_plain(raw) {
        return Word::text_of(raw);
    }
    let mut expander = Expander::of_one(state, subs);
    expander.run(raw, false, 0);
    expander.word
}

/// Expands a heredoc body: no quotes, no globs.
pub(super) fn body(raw: &str, state: &State, subs: &mut Vec<String>) -> Word {
    let mut expander = Expander::of_one(state, subs);
    expander.run(raw, true, 0);
    expander.word.glob = false;
    expander.word
}

fn is_plain(raw: &str) -> bool {
    let special = |byte: u8| matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`' | b'{' | b'*' | b'?' | b'[' | b'(' | b'~');
    !raw.bytes().any(special)
}

struct Expander<'a> {
    state: &'a State,
    subs: &'a mut Vec<String>,
    /// Where words go that are done, so many at most; `None` where it stays one.
    done: Option<(&'a mut Vec<Word>, usize)>,
    word: Word,
    /// Something quoted or not empty was seen, so the word stands even when it is empty.
    started: bool,
}

impl<'a> Expander<'a> {
    /// Of a word that stays one.
    fn of_one(state: &'a State, subs: &'a mut Vec<String>) -> Self {
        Expander { state, subs, done: None, word: Word::default(), started: false }
    }

    /// May it become several words?
    fn splits(&self) -> bool {
        self.done.is_some()
    }

    fn finish(&mut self) {
        let word = std::mem::take(&mut self.word);
        if let Some((done, most)) = &mut self.done
            && (self.started || !word.parts.is_empty())
            && done.len() < *most
        {
            done.push(word);
        }
        self.started = false;
    }

    fn run(&mut self, raw: &str, body: bool, depth: usize) {
        let bytes = raw.as_bytes();
        let mut at = 0;
        let mut quoted = body;
        if !body && raw.starts_with('~') {
            at = self.tilde(raw);
        }
        while at < bytes.len() {
            let start = at;
            match bytes[at] {
                b'\\' => {
                    at += 1;
                    let Some(c) = raw[at..].chars().next() else { break };
                    at += c.len_utf8();
                    if c == '\n' {
                        continue;
                    }
                    if quoted && !matches!(c, '$' | '`' | '\\' | '"') {
                        self.word.push_text("\\");
                    }
                    self.word.push_text(&raw[at - c.len_utf8()..at]);
                }
                b'"' if !body => {
                    quoted = !quoted;
                    self.started = true;
                    at += 1;
                }
                b'\'' if !quoted => {
                    let end = end_of_single(bytes, at + 1, false).unwrap_or(bytes.len() + 1);
                    self.word.push_text(raw.get(at + 1..end - 1).unwrap_or(""));
                    self.started = true;
                    at = end.min(bytes.len());
                }
                b'$' => at = self.dollar(raw, at, quoted, depth),
                b'`' => {
                    let end = end_of(raw, at + 1, b'`');
                    let inner = raw.get(at + 1..end.unwrap_or(raw.len() + 1) - 1).unwrap_or("");
                    self.subs.push(inner.replace("\\`", "`").replace("\\$", "$").replace("\\\\", "\\"));
                    self.word.push(Part::Unknown);
                    at = end.unwrap_or(bytes.len());
                }
                _ => {
                    at += 1;
                    while at < bytes.len() && !matches!(bytes[at], b'\\' | b'"' | b'\'' | b'$' | b'`') {
                        at += 1;
                    }
                    let piece = &raw[start..at];
                    if !quoted && piece.contains(['*', '?', '[']) {
                        self.word.glob = true;
                    }
                    if !quoted && piece.contains('(') {
                        // `@(a|b)`, an extended pattern.
                        self.word.push(Part::Unknown);
                    } else {
                        self.word.push_text(piece);
                    }
                    if at < bytes.len() && matches!(bytes[at], b'\'' | b'"') && (body || (quoted && bytes[at] == b'\'')) {
                        self.word.push_text(&raw[at..=at]);
                        at += 1;
                    }
                }
            }
        }
    }

    fn tilde(&mut self, raw: &str) -> usize {
        let end = raw.find('/').unwrap_or(raw.len());
        match &raw[..end] {
            "~" => self.word.push(Part::Place(place(Root::Home))),
            "~+" => self.word.push(Part::Place(self.state.cwd.clone())),
            name if name.contains(['\'', '"', '$', '\\', '`']) => return 0,
            _ => self.word.push(Part::Unknown),
        }
        end
    }

    /// Expands what starts with the `$` at `at`; the index behind it.
    fn dollar(&mut self, raw: &str, at: usize, quoted: bool, depth: usize) -> usize {
        let bytes = raw.as_bytes();
        match bytes.get(at + 1) {
            Some(b'(') => {
                let end = end_of(raw, at + 2, b')');
                let inner = raw.get(at + 2..end.unwrap_or(raw.len() + 1) - 1).unwrap_or("");
                if let Some(known) = self.known_substitution(inner) {
                    self.word.push(known);
                } else {
                    // `$((…))` is arithmetic, which runs nothing unless a substitution is in it.
                    if !(inner.starts_with('(') && inner.ends_with(')')) || inner.contains("$(") {
                        self.subs.push(inner.to_owned());
                    }
                    self.word.push(Part::Unknown);
                }
                end.unwrap_or(bytes.len())
            }
            Some(b'{') => {
                let end = end_of(raw, at + 2, b'}');
                let inner = raw.get(at + 2..end.unwrap_or(raw.len() + 1) - 1).unwrap_or("");
                if depth < MAX_DEPTH {
                    self.parameter(inner, quoted, depth);
                } else {
                    self.word.push(Part::Unknown);
                }
                end.unwrap_or(bytes.len())
            }
            Some(b'\'') if !quoted => {
                let end = end_of_single(bytes, at + 2, true);
                let inner = raw.get(at + 2..end.unwrap_or(raw.len() + 1) - 1).unwrap_or("");
                self.word.push_text(&ansi_c(inner));
                self.started = true;
                end.unwrap_or(bytes.len())
            }
            Some(b'"') if !quoted => at + 1,
            Some(b'[') => {
                self.word.push(Part::Unknown);
                raw[at..].find(']').map_or(bytes.len(), |offset| at + offset + 1)
            }
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => {
                let end = name_end(bytes, at + 1);
                let values = self.lookup(&raw[at + 1..end]);
                self.put(values, quoted, false);
                end
            }
            Some(b'@' | b'*') => {
                let values = self.state.positional.clone();
                self.put(values, quoted, true);
                at + 2
            }
            Some(byte) if byte.is_ascii_digit() => {
                let index = usize::from(byte - b'0');
                let values = self.positional(index);
                self.put(values, quoted, false);
                at + 2
            }
            Some(b'$' | b'!' | b'?' | b'#' | b'-') => {
                self.word.push(Part::Unknown);
                at + 2
            }
            _ => {
                self.word.push_text("$");
                at + 1
            }
        }
    }

    /// `$(pwd)` is where the command stands; what is known of the others is decided by running them.
    fn known_substitution(&self, inner: &str) -> Option<Part> {
        matches!(inner.trim(), "pwd" | "pwd -P" | "pwd -L").then(|| Part::Place(self.state.cwd.clone()))
    }

    fn lookup(&self, name: &str) -> Option<Vec<Word>> {
        self.state.get(name).map(<[Word]>::to_vec).or_else(|| {
            let place = match name {
                "HOME" => place(Root::Home),
                "PWD" => self.state.cwd.clone(),
                "OLDPWD" => self.state.previous.clone(),
                "TMPDIR" | "TEMP" | "TMP" => place(Root::TempDir),
                "CLAUDE_PROJECT_DIR" => place(Root::Project),
                _ => return None,
            };
            Some(vec![Word { parts: vec![Part::Place(place)], ..Word::default() }])
        })
    }

    fn positional(&self, index: usize) -> Option<Vec<Word>> {
        let values = self.state.positional.as_ref()?;
        values.get(index.checked_sub(1)?).map(|word| vec![word.clone()])
    }

    /// Puts a variable's value where it stands, split into fields where the shell would.
    fn put(&mut self, values: Option<Vec<Word>>, quoted: bool, all: bool) {
        let Some(values) = values else {
            self.word.push(Part::Unknown);
            return;
        };
        let count = if all { values.len() } else { 1 };
        for (index, value) in values.iter().take(count).enumerate() {
            if index > 0 {
                if self.splits() {
                    self.started |= quoted;
                    self.finish();
                } else {
                    self.word.push_text(" ");
                }
            }
            match value.text() {
                Some(text) if self.splits() && !quoted && self.splits_by_own_rule(text) => self.word.push(Part::Unknown),
                Some(text) if self.splits() && !quoted && text.contains([' ', '\t', '\n']) => {
                    for (nth, field) in text.split_ascii_whitespace().enumerate() {
                        if nth > 0 {
                            self.finish();
                        }
                        self.word.glob |= field.contains(['*', '?', '[']);
                        self.word.push_text(field);
                    }
                }
                Some(text) => {
                    self.word.glob |= !quoted && text.contains(['*', '?', '[']);
                    self.word.push_text(text);
                    let room = MAX_PARTS.saturating_sub(self.word.sources.len());
                    self.word.sources.extend(value.sources.iter().take(room).cloned());
                }
                None => {
                    let glob = self.word.glob || (value.glob && !quoted);
                    self.word.append(value);
                    self.word.glob = glob;
                }
            }
        }
    }

    /// `IFS` is set, and not so that it leaves the text whole.
    fn splits_by_own_rule(&self, text: &str) -> bool {
        let Some([separators]) = self.state.get("IFS") else { return false };
        separators.text().is_none_or(|separators| text.contains(|c: char| separators.contains(c) || c.is_whitespace()))
    }

    /// Expands the inside of `${…}`.
    fn parameter(&mut self, inner: &str, quoted: bool, depth: usize) {
        let bytes = inner.as_bytes();
        let end = match bytes.first() {
            Some(b'@' | b'*') => 1,
            Some(byte) if byte.is_ascii_digit() => bytes.iter().take_while(|byte| byte.is_ascii_digit()).count(),
            Some(byte) if byte.is_ascii_alphabetic() || *byte == b'_' => name_end(bytes, 0),
            _ => {
                self.word.push(Part::Unknown);
                return;
            }
        };
        let (name, mut rest) = inner.split_at(end);
        let mut all = matches!(name, "@" | "*");
        let mut values = match name {
            "@" | "*" => self.state.positional.clone(),
            _ if bytes[0].is_ascii_digit() => name.parse().ok().and_then(|index| self.positional(index)),
            _ => self.lookup(name),
        };
        if let Some(index) = rest.strip_prefix('[') {
            let Some((index, behind)) = index.split_once(']') else {
                self.word.push(Part::Unknown);
                return;
            };
            all = matches!(index, "@" | "*");
            if !all {
                values = index.parse::<usize>().ok().and_then(|at| values?.get(at).map(|word| vec![word.clone()]));
            }
            rest = behind;
        }
        let value = |values: &Option<Vec<Word>>| values.as_ref().and_then(|values| values.first().cloned());
        let operator = rest.strip_prefix(':').unwrap_or(rest);
        match operator.bytes().next() {
            None if rest.is_empty() => self.put(values, quoted, all),
            Some(b'-' | b'=' | b'?') => {
                let mut unused = Expander::of_one(self.state, self.subs);
                // The default may run commands; its text counts only where the variable is known to be empty.
                unused.run(&operator[1..], false, depth + 1);
                let default = unused.word;
                match value(&values).and_then(|word| word.text().map(str::is_empty)) {
                    Some(true) if rest.starts_with(':') => self.word.append(&default),
                    _ => self.put(values, quoted, all),
                }
            }
            Some(side @ (b'%' | b'#')) if !rest.starts_with(':') => {
                let longest = rest.as_bytes().get(1) == Some(&side);
                let pattern = &rest[1 + usize::from(longest)..];
                match value(&values) {
                    Some(word) if matches!(word.parts.as_slice(), [Part::Place(_)]) && pattern == "/" => {
                        self.put(values, quoted, false);
                    }
                    Some(word) => match word.text().filter(|_| !pattern.contains(['$', '`', '\'', '"', '\\'])) {
                        Some(text) => {
                            let text = trim(text, pattern, side == b'%', longest).to_owned();
                            self.put(Some(vec![Word::text_of(text)]), quoted, false);
                        }
                        None => self.word.push(Part::Unknown),
                    },
                    None => self.word.push(Part::Unknown),
                }
            }
            Some(b'/') if !rest.starts_with(':') => {
                let every = rest.as_bytes().get(1) == Some(&b'/');
                let (old, new) = rest[1 + usize::from(every)..].split_once('/').unwrap_or((&rest[1..], ""));
                let special = ['$', '`', '\'', '"', '\\', '*', '?', '[', '#', '%'];
                match value(&values).as_ref().and_then(Word::text) {
                    Some(text) if !old.is_empty() && !old.contains(special) && !new.contains(special) => {
                        let text = if every { text.replace(old, new) } else { text.replacen(old, new, 1) };
                        self.put(Some(vec![Word::text_of(text)]), quoted, false);
                    }
                    _ => self.word.push(Part::Unknown),
                }
            }
            _ => self.word.push(Part::Unknown),
        }
    }
}

fn place(root: Root) -> Path {
    Path { root, text: String::new(), glob: false, folder: false }
}

fn name_end(bytes: &[u8], start: usize) -> usize {
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    start + length
}

/// The inside of `$'…'` with its escapes undone.
fn ansi_c(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let Some(c) = rest.chars().next() else {
            text.push('\\');
            break;
        };
        // Where the digits start, how many there may be, and their base.
        let (start, most, base) = match c {
            'x' => (1, 2, 16),
            'u' => (1, 4, 16),
            'U' => (1, 8, 16),
            '0'..='7' => (0, 3, 8),
            _ => (0, 0, 0),
        };
        let digits = rest[start..].chars().take(most).take_while(|digit| digit.is_digit(base.max(2))).count();
        if digits > 0 {
            let code = u32::from_str_radix(&rest[start..start + digits], base).ok();
            text.push(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER));
            rest = &rest[start + digits..];
            continue;
        }
        match c {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'a' => text.push('\x07'),
            'b' => text.push('\x08'),
            'e' | 'E' => text.push('\x1b'),
            'f' => text.push('\x0c'),
            'v' => text.push('\x0b'),
            '\\' | '\'' | '"' | '?' => text.push(c),
            other => text.extend(['\\', other]),
        }
        rest = &rest[c.len_utf8()..];
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(raw: &str, state: &State) -> Vec<Option<String>> {
        let mut words = Vec::new();
        fields(raw, state, &mut Vec::new(), &mut words);
        words.iter().map(|word| word.text().map(str::to_owned)).collect()
    }

    #[test]
    fn expands_what_the_text_tells() {
        let mut state = State::new();
        state.set("D", Word::text_of("/tmp/x"));
        state.set("F", Word::text_of("a b"));
        for (raw, expected) in [
            ("'a b'c", vec!["a bc"]),
            ("\"a $D\"", vec!["a /tmp/x"]),
            ("$D/y", vec!["/tmp/x/y"]),
            ("${D}y", vec!["/tmp/xy"]),
            ("$F", vec!["a", "b"]),
            ("\"$F\"", vec!["a b"]),
            ("f{,.bak}", vec!["f", "f.bak"]),
            ("/tmp/{a,b}{1..2}", vec!["/tmp/a1", "/tmp/a2", "/tmp/b1", "/tmp/b2"]),
            ("{a,{b,c}}", vec!["a", "b", "c"]),
            ("'{a,b}'", vec!["{a,b}"]),
            ("{}", vec!["{}"]),
            ("a\\ b", vec!["a b"]),
            ("$'a\\tb'", vec!["a\tb"]),
            ("$'a\\x20b\\x4'", vec!["a b\x04"]),
            ("$'\\101\\u42\\U00000043'", vec!["ABC"]),
            ("$'it\\'s\\q'", vec!["it's\\q"]),
            ("${D%/*}", vec!["/tmp"]),
            ("${D##*/}", vec!["x"]),
            ("${D/x/y}", vec!["/tmp/y"]),
            ("\"it's\"", vec!["it's"]),
            ("\"a\"'b'\"c\"", vec!["abc"]),
            ("\"\"", vec![""]),
            ("\"$\"", vec!["$"]),
        ] {
            let expected: Vec<_> = expected.into_iter().map(|text| Some(text.to_owned())).collect();
            assert_eq!(texts(raw, &state), expected, "{raw}");
        }
        for raw in ["$X", "a@(b|c)", "a$$b", "$(date)", "${X:-/tmp/a}", "`date`", "$((1+2))", "$RANDOM", "${#D}"] {
            assert_eq!(texts(raw, &state), vec![None], "{raw}");
        }
    }

    #[test]
    fn knows_places() {
        let state = State::new();
        for (raw, root, text) in [
            ("~/a", Root::Home, "a"),
            ("$HOME/a/../b", Root::Home, "b"),
            ("${TMPDIR:-/tmp}/x", Root::TempDir, "x"),
            ("${TMPDIR-/tmp}/x", Root::TempDir, "x"),
            ("\"${TMPDIR%/}/x\"", Root::TempDir, "x"),
            ("$TEMP", Root::TempDir, ""),
            ("$PWD/x", Root::Cwd, "x"),
            ("$(pwd)/x", Root::Cwd, "x"),
            ("$CLAUDE_PROJECT_DIR/x", Root::Project, "x"),
            ("\"~/a\"", Root::Cwd, "~/a"),
            ("a/$X", Root::Unknown, ""),
            ("~bob/x", Root::Unknown, ""),
        ] {
            let path = single(raw, &state, &mut Vec::new()).path(&state.cwd);
            assert_eq!((path.root, path.text.as_str()), (root, text), "{raw}");
        }
    }
}
