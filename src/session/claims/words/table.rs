//! The words of all languages in one table, so that one look tells what a word is in each of them.
//!
//! It is made when the first message is read. A hook that reads one pays for it each time, so the making is cheap:
//! nothing is sorted, and a word costs its hash and a row of 24 bytes.

use once_cell::sync::Lazy;

use super::{LEXICONS, Role, SHARED, shared};

/// A word or a phrase of one language.
#[derive(Debug)]
pub(super) struct Entry {
    phrase: &'static str,
    /// The next entry of the same phrase; 0 where there is none.
    next: u16,
    /// Index into [`LEXICONS`], or [`SHARED`].
    pub(super) language: u8,
    /// Index into its lists.
    row: u8,
}

impl Entry {
    pub(super) fn role(&self) -> Role {
        role(self.language, self.row)
    }
}

/// The beginning of words of one language.
struct Stem {
    text: &'static str,
    language: u8,
    row: u8,
}

/// Room for the words, twice over.
const SLOTS: usize = 1 << 14;

/// Where a phrase stands.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// Index into `entries`; 0 where the slot is free.
    entry: u16,
    /// More of the hash: most phrases that are asked for are none, and this tells without a look at the entry.
    tag: u16,
}

/// The words, by their hashes.
pub(super) struct Table {
    /// The first is none.
    entries: Vec<Entry>,
    /// Each at the first free place from its hash on.
    slots: Box<[Slot]>,
    /// By their first byte; of one byte those of a language stand before those that all share.
    stems: Vec<Stem>,
    /// Where the stems begin that start with each byte.
    stems_of: [u16; 257],
}

pub(super) static TABLE: Lazy<Table> = Lazy::new(Table::new);

impl Table {
    fn new() -> Self {
        let mut table = Table {
            entries: Vec::with_capacity(SLOTS / 2),
            slots: vec![Slot::default(); SLOTS].into(),
            stems: Vec::new(),
            stems_of: [0; 257],
        };
        table.entries.push(Entry { phrase: "", next: 0, language: SHARED, row: 0 });
        for (language, lists) in (0..).zip(LEXICONS.iter().map(|lexicon| lexicon.words).chain([shared::WORDS])) {
            for (row, (_, list)) in (0..).zip(lists) {
                for phrase in list.split(',').map(str::trim) {
                    match phrase.strip_suffix('*') {
                        Some(stem) => table.stems.push(Stem { text: stem, language, row }),
                        None => table.add(phrase, language, row),
                    }
                }
            }
        }
        let first = |stem: &Stem| stem.text.as_bytes().first().copied().unwrap_or_default();
        table.stems.sort_by_key(first);
        let mut at = 0;
        for (byte, begin) in (0..=u8::MAX).zip(&mut table.stems_of) {
            *begin = at;
            at += u16::try_from(table.stems.iter().filter(|stem| first(stem) == byte).count()).unwrap_or_default();
        }
        table.stems_of[256] = at;
        table
    }

    fn add(&mut self, phrase: &'static str, language: u8, row: u8) {
        let entry = u16::try_from(self.entries.len()).unwrap_or_default();
        let (at, tag) = self.slot(phrase);
        let next = self.slots[at].entry;
        self.slots[at] = Slot { entry, tag };
        self.entries.push(Entry { phrase, next, language, row });
    }

    /// The slot of a phrase, or the free one that it would have, and its tag.
    fn slot(&self, phrase: &str) -> (usize, u16) {
        let hash = hash(phrase);
        let tag = (hash >> 48) as u16;
        let mut at = (hash >> 32) as usize % SLOTS;
        while self.slots[at].entry != 0 && (self.slots[at].tag != tag || self.entries[usize::from(self.slots[at].entry)].phrase != phrase) {
            at = (at + 1) % SLOTS;
        }
        (at, tag)
    }

    /// What a phrase is, in each language that has it.
    pub(super) fn entries(&self, phrase: &str) -> impl Iterator<Item = &Entry> {
        let entry = |index: u16| (index != 0).then(|| &self.entries[usize::from(index)]);
        std::iter::successors(entry(self.slots[self.slot(phrase).0].entry), move |before| entry(before.next))
    }

    /// The stems that a word begins with, by language, and what they do.
    pub(super) fn stems(&self, word: &str) -> impl Iterator<Item = (u8, Role)> {
        let byte = usize::from(word.as_bytes().first().copied().unwrap_or_default());
        let range = usize::from(self.stems_of[byte])..usize::from(self.stems_of[byte + 1]);
        let fits = self.stems[range].iter().filter(move |stem| word.starts_with(stem.text));
        fits.map(|stem| (stem.language, role(stem.language, stem.row)))
    }
}

fn role(language: u8, row: u8) -> Role {
    let lists = LEXICONS.get(usize::from(language)).map_or(shared::WORDS, |lexicon| lexicon.words);
    lists[usize::from(row)].0
}

/// Eight bytes at a time, multiplied and folded.
fn hash(phrase: &str) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = phrase.as_bytes().as_chunks::<8>();
    let mut hash = phrase.len() as u64;
    for word in words {
        hash = (hash ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR).rotate_left(29);
    }
    let last = rest.iter().fold(0, |last, byte| last << 8 | u64::from(*byte));
    (hash ^ last).wrapping_mul(FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_room_and_holds_every_word() {
        assert!(TABLE.entries.len() * 2 <= SLOTS, "{}", TABLE.entries.len());
        for lexicon in &LEXICONS {
            assert!(lexicon.words.len() < 256);
            for (role, list) in lexicon.words {
                for phrase in list.split(',').map(str::trim).filter(|phrase| !phrase.ends_with('*')) {
                    let found: Vec<Role> = TABLE.entries(phrase).filter(|entry| entry.language == lexicon.index).map(Entry::role).collect();
                    assert_eq!(found, [*role], "{phrase}");
                }
            }
        }
        assert_eq!(TABLE.entries("no such phrase").count(), 0);
    }
}
