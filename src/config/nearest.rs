//! The name that somebody may have meant.

/// Longest word that is compared, in bytes: names are shorter.
const MAX_BYTES: usize = 80;

/// The name nearest to `word`, when a slip of the hand explains the difference.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > MAX_BYTES {
        return None;
    }
    let allowed = |name: &str| (word.chars().count().max(name.chars().count()) / 3).max(1);
    let near = names.into_iter().map(|name| (distance(word, name), name)).filter(|(distance, name)| *distance <= allowed(name));
    near.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// How many characters must be changed, added, taken away, or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
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
