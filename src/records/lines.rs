//! How much two texts have in common, line by line.

use xxhash_rust::xxh3::xxh3_64;

/// The distinct lines of a text, trimmed, without the trivial ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineSet {
    /// Sorted, each once.
    hashes: Vec<u64>,
}

/// How much of two texts is the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// Lines in both.
    pub both: usize,
    /// Lines in either.
    pub either: usize,
}

impl LineSet {
    /// The lines of `text` that are longer than `trivial` characters.
    pub fn of(text: &str, trivial: usize) -> Self {
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let mut hashes: Vec<u64> = lines.filter(|line| line.chars().nth(trivial).is_some()).map(|line| xxh3_64(line.as_bytes())).collect();
        hashes.sort_unstable();
        hashes.dedup();
        LineSet { hashes }
    }

    /// Each line, as a number that stands for it.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.hashes.iter().copied()
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// How much of the two is the same.
    pub fn overlap(&self, other: &LineSet) -> Overlap {
        let both = self.hashes.iter().filter(|hash| other.hashes.binary_search(hash).is_ok()).count();
        Overlap::new(both, self.len(), other.len())
    }
}

impl Overlap {
    /// Of two sets of so many lines, so many are in both.
    pub fn new(both: usize, one: usize, other: usize) -> Self {
        Overlap { both, either: one + other - both }
    }

    /// Is it at least so many per cent? Nothing in either is no overlap.
    pub fn at_least(self, percent: usize) -> bool {
        self.either > 0 && self.both * 100 >= percent * self.either
    }

    /// Is it more than so many per cent?
    pub fn more_than(self, percent: usize) -> bool {
        self.both * 100 > percent * self.either
    }

    /// Rounded per cent.
    pub fn percent(self) -> usize {
        if self.either == 0 { 0 } else { (self.both * 200 + self.either) / (2 * self.either) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_trimmed_counted_once_and_the_trivial_ones_left_out() {
        let a = LineSet::of("\u{feff}alpha\r\n  beta  \n}\nabc\nalpha\n", 3);
        assert_eq!(a.len(), 2);
        assert_eq!(a.overlap(&LineSet::of("beta\ngamma", 3)), Overlap { both: 1, either: 3 });
        assert!(LineSet::of("äöü\n", 3).is_empty() && !LineSet::of("äöüß\n", 3).is_empty());
    }

    #[test]
    fn bounds_are_exact() {
        let of = |both, either| Overlap { both, either };
        assert!(of(1, 5).at_least(20) && !of(19, 96).at_least(20) && !of(0, 0).at_least(0));
        assert!(of(9, 10).at_least(90) && !of(9, 10).more_than(90) && of(91, 100).more_than(90));
        assert_eq!((of(1, 3).percent(), of(2, 3).percent(), of(0, 0).percent()), (33, 67, 0));
    }
}
