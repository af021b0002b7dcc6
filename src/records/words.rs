//! Words and sentences of a line of prose.

/// Most bytes of a sentence before a place in it, and behind.
const REACH: usize = 600;

/// The sentence of `line` that the byte `at` is in, and where it begins: as much of it as is near.
pub(super) fn sentence(line: &str, at: usize) -> (usize, &str) {
    let ends = |before: bool| {
        move |(i, c): (usize, char)| {
            let short = ABBREVIATIONS.iter().any(|short| line[..i].ends_with(short));
            let stop =
                matches!(c, ';' | '—' | '|' | '。') || (matches!(c, '.' | '!' | '?') && !short && line[i + 1..].starts_with([' ', '\t']));
            stop.then_some(if before { i + c.len_utf8() } else { i })
        }
    };
    let first = line.ceil_char_boundary(at.saturating_sub(REACH));
    let last = line.floor_char_boundary(at.saturating_add(REACH));
    let start = line[first..at].char_indices().rev().map(|(i, c)| (first + i, c)).find_map(ends(true)).unwrap_or(first);
    let end = line[at..last].char_indices().map(|(i, c)| (at + i, c)).find_map(ends(false)).unwrap_or(last);
    (start, &line[start..end])
}

/// What ends in a stop that ends no sentence.
const ABBREVIATIONS: &[&str] = &["e.g", "i.e", "z.B", "cf", "vs"];

/// The words of a text, in lower case, each without the punctuation around it.
pub(super) fn words(text: &str) -> Vec<String> {
    let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(word).filter(|word| !word.is_empty()).collect()
}

/// Do these words stand one after the other in the list? `phrase` is in lower case.
pub(super) fn holds(words: &[String], phrase: &str) -> bool {
    let phrase: Vec<&str> = phrase.split(' ').collect();
    words.windows(phrase.len()).any(|window| window.iter().zip(&phrase).all(|(word, wanted)| word == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_at_a_stop_and_not_within_a_name() {
        let line = "It was removed. See src/a.ts now; then go";
        assert_eq!(sentence(line, line.find("src").expect("there")).1, " See src/a.ts now");
        assert_eq!(sentence(line, 0), (0, "It was removed"));
        assert_eq!(sentence("as e.g. this", 10).1, "as e.g. this");
        assert_eq!(sentence("", 0), (0, ""));
    }

    #[test]
    fn phrases_are_whole_words() {
        let words = words("The file is `no longer` there, Sir.");
        assert!(holds(&words, "no longer") && holds(&words, "sir") && !holds(&words, "long"));
    }
}
