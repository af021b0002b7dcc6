//! What a person typed, as clients keep it in a history file of their own: in which order, in which sessions, and
//! which of it is a command.

use std::collections::HashMap;
use std::sync::Arc;

use super::words::words;
pub use crate::agent::Client;
use crate::text;

/// Entries further apart than this, in milliseconds, are different stints.
const GAP: i64 = 30 * 60 * 1000;

/// Something that was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The client.
    pub client: Client,
    /// The client's session id; empty when it gives none.
    pub session: Arc<str>,
    /// The history file.
    pub file: Arc<str>,
    /// Line of it, counted from 1.
    pub line: u32,
    /// When, in milliseconds since 1970.
    pub time: i64,
    /// Stands for the text and what was pasted into it.
    pub text: u64,
    /// The beginning of the text, as it was typed.
    pub beginning: String,
    /// It may be typed again and again: a command of the client's, a word to go on.
    pub routine: bool,
}

impl Prompt {
    /// The text, masked and cut.
    pub fn shown(&self) -> String {
        text::excerpt(&self.beginning)
    }
}

/// Prompts that followed each other.
pub type Stint<'a> = Vec<&'a Prompt>;

/// The stints of every session, without the sessions of one prompt.
pub fn by_session(prompts: &[Prompt]) -> Vec<Stint<'_>> {
    stints(sessions(prompts).filter(|session| session.len() > 1))
}

/// The sessions of one prompt, as if each client's were one session.
pub fn of_single_prompts(prompts: &[Prompt]) -> Vec<Stint<'_>> {
    let singles: Vec<&Prompt> = sessions(prompts).filter(|session| session.len() == 1).flatten().collect();
    let of = |client| singles.iter().copied().filter(move |prompt| prompt.client == client).collect::<Vec<_>>();
    stints([of(Client::Claude), of(Client::Codex)].into_iter())
}

/// The prompts of each session, in the order of time; those without a session id are one for each client.
fn sessions(prompts: &[Prompt]) -> impl Iterator<Item = Stint<'_>> {
    let mut order: Vec<Stint<'_>> = Vec::new();
    let mut index: HashMap<(Client, &str), usize> = HashMap::new();
    for prompt in prompts {
        let at = *index.entry((prompt.client, &*prompt.session)).or_insert_with(|| {
            order.push(Vec::new());
            order.len() - 1
        });
        order[at].push(prompt);
    }
    order.into_iter()
}

fn stints<'a>(sessions: impl Iterator<Item = Stint<'a>>) -> Vec<Stint<'a>> {
    let mut found = Vec::new();
    for mut session in sessions {
        session.sort_by_key(|prompt| prompt.time);
        found.extend(session.chunk_by(|a, b| b.time - a.time <= GAP).map(<[_]>::to_vec));
    }
    found
}

/// May this be typed again and again without anything going round in circles?
pub fn is_routine(text: &str) -> bool {
    /// Longer texts, in bytes, say more than to go on.
    const LONG: usize = 120;
    let text = text.trim();
    let goes_on = || {
        let words = words(text);
        words.len() <= MAX_GO_AHEAD && words.iter().all(|word| GO_AHEAD.contains(&word.as_str()))
    };
    text.starts_with('/') || is_one_word(text) || (text.len() <= LONG && goes_on())
}

/// Languages that write without blanks say more in one run of letters.
fn is_one_word(text: &str) -> bool {
    const LONGEST: usize = 5;
    let dense = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{e00}'..='\u{e7f}');
    !text.contains(char::is_whitespace) && text.chars().filter(|c| dense(*c)).count() <= LONGEST
}

/// Longest phrase that only says to go on, in words.
const MAX_GO_AHEAD: usize = 5;

/// Words of which such phrases are made.
const GO_AHEAD: &[&str] = &[
    "a",
    "again",
    "agree",
    "ahead",
    "all",
    "alright",
    "and",
    "approved",
    "carry",
    "confirm",
    "confirmed",
    "continue",
    "correct",
    "do",
    "done",
    "exactly",
    "fine",
    "go",
    "going",
    "good",
    "great",
    "it",
    "keep",
    "let's",
    "lets",
    "lgtm",
    "looks",
    "more",
    "move",
    "next",
    "nice",
    "no",
    "now",
    "of",
    "ok",
    "okay",
    "on",
    "once",
    "one",
    "perfect",
    "please",
    "proceed",
    "resume",
    "right",
    "same",
    "so",
    "sounds",
    "step",
    "sure",
    "thank",
    "thanks",
    "that",
    "that's",
    "the",
    "this",
    "to",
    "try",
    "up",
    "work",
    "working",
    "yeah",
    "yep",
    "yes",
    "you", // English
    "bitte",
    "danke",
    "das",
    "ja",
    "jetzt",
    "mach",
    "machen",
    "mal",
    "nein",
    "nochmal",
    "so",
    "und",
    "weiter",
    "weitermachen", // German
    "adelante",
    "ahora",
    "continúa",
    "continua",
    "de",
    "favor",
    "gracias",
    "por",
    "sí",
    "si",
    "sigue",
    "vale",
    "vez",
    "otra", // Spanish
    "allez",
    "encore",
    "fais",
    "le",
    "merci",
    "oui",
    "plaît",
    "s'il",
    "stp",
    "te",
    "va",
    "vas-y",
    "vous",
    "continuez", // French
    "agora",
    "continue",
    "isso",
    "obrigado",
    "pode",
    "sim",
    "vai",
    "novo", // Portuguese
    "devam",
    "et",
    "evet",
    "lütfen",
    "tamam",
    "да",
    "давай",
    "дальше",
    "продолжай",
    "请继续",
    "继续",
    "好的", // Turkish, Russian, Chinese
];

/// The shell command that was typed: behind a `!`, as the client takes it, or a bare `gh …` line. Prose about a
/// command is none.
pub fn typed_command(text: &str) -> Option<&str> {
    let text = text.trim();
    if let Some(command) = text.strip_prefix('!') {
        return Some(command.trim()).filter(|command| !command.is_empty());
    }
    let bare = text.strip_prefix('`').and_then(|inner| inner.strip_suffix('`')).filter(|inner| !inner.contains('`')).unwrap_or(text);
    let bare = bare.strip_prefix("$ ").unwrap_or(bare).trim();
    let is_command =
        |line: &str| line.is_empty() || BARE.iter().any(|program| line.strip_prefix(program).is_some_and(|rest| rest.starts_with(' ')));
    let asks = bare.ends_with(['?', '？']);
    (!bare.is_empty() && !asks && bare.lines().all(|line| is_command(line.trim()))).then_some(bare)
}

/// Programs whose commands are known for what they are without a mark.
const BARE: &[&str] = &["gh"];

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Prompts of one client: session, minute, text.
    pub(crate) fn typed(entries: &[(&str, i64, &str)]) -> Vec<Prompt> {
        let prompt = |(line, (session, minute, text)): (u32, &(&str, i64, &str))| Prompt {
            client: Client::Claude,
            session: (*session).into(),
            file: "history.jsonl".into(),
            line,
            time: minute * 60_000 + 1,
            text: xxhash_rust::xxh3::xxh3_64(text.as_bytes()),
            beginning: (*text).to_owned(),
            routine: is_routine(text),
        };
        (1..).zip(entries).map(prompt).collect()
    }

    fn texts(stints: &[Stint<'_>]) -> Vec<String> {
        stints.iter().map(|stint| stint.iter().map(|prompt| prompt.beginning.as_str()).collect()).collect()
    }

    #[test]
    fn sessions_are_kept_apart_and_split_at_gaps() {
        let prompts = typed(&[("s", 0, "a"), ("t", 1, "x"), ("s", 2, "b"), ("t", 3, "y"), ("s", 33, "c"), ("s", 60, "d"), ("u", 61, "z")]);
        assert_eq!(texts(&by_session(&prompts)), ["ab", "cd", "xy"]);
        assert_eq!(texts(&of_single_prompts(&prompts)), ["z"]);
    }

    #[test]
    fn routine_words() {
        for text in ["/clear", "/model opus", "continue", "Yes, please!", "go on", "weiter bitte", "ok, try again", "继续", "y", ""] {
            assert!(is_routine(text), "{text}");
        }
        for text in ["run npm test", "fix a", "テストを実行してください", "continue with the parser tests", "! npm test"] {
            assert!(!is_routine(text), "{text}");
        }
    }

    #[test]
    fn commands_are_told_from_prose() {
        for (text, command) in [
            ("! gh secret set A", Some("gh secret set A")),
            ("!ls", Some("ls")),
            ("gh secret set A --body x", Some("gh secret set A --body x")),
            ("`gh secret set A`", Some("gh secret set A")),
            ("$ gh secret set A", Some("gh secret set A")),
            ("gh secret set A\n gh secret set B", Some("gh secret set A\n gh secret set B")),
            ("how does gh secret set A work?", None),
            ("gh secret set A?", None),
            ("please run `gh secret set A`", None),
            ("gh secret set A\nthen push", None),
            ("ghost in the shell", None),
            ("!", None),
            ("", None),
        ] {
            assert_eq!(typed_command(text), command, "{text}");
        }
    }
}
