//! The name that somebody may have meant.

/// Longest word that is compared, in characters: names are shorter.
const MAX_CHARS: usize = 80;

/// The name nearest to `word`, when a slip of the hand explains the difference.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = |name: &str| (word.chars().count().max(name.chars().count()) / 3).max(1);
    let near = names.into_iter().map(|name| (distance(word, name), name)).filter(|(distance, name)| *distance <= allowed(name));
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// How many characters must be changed, added or taken away.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(MAX_CHARS).collect(), b.chars().take(MAX_CHARS).collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_seen_through_and_another_word_is_not() {
        let names = ["level", "branches", "verified-unchanged"];
        assert_eq!(nearest("levle", names), Some("level"));
        assert_eq!(nearest("verified_unchange", names), Some("verified-unchanged"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("", names), None);
        assert_eq!(nearest(&"ä".repeat(100_000), names), None);
    }
}
