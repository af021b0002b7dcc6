//! Phrases by their hashes, so that one look tells what a phrase is in each language. The compiler makes the tables:
//! a hook that reads a message pays for the looks alone.

/// Lists in groups: what the phrases of a list mean, and the phrases, parted by commas.
type Groups<T> = &'static [&'static [(T, &'static str)]];

/// A phrase: where it stands in the lists.
#[derive(Clone, Copy)]
struct Place {
    /// More of the hash: most phrases that are asked for are none, and this tells without a look at the text.
    tag: u16,
    /// Where the phrase begins in its list, in bytes.
    start: u16,
    length: u8,
    group: u8,
    list: u8,
}

impl Place {
    const NONE: Self = Place { tag: 0, start: 0, length: 0, group: 0, list: 0 };
}

/// The phrases of lists, by their hashes.
pub(super) struct Table<T: 'static, const PHRASES: usize> {
    groups: Groups<T>,
    /// In the order of their buckets.
    places: [Place; PHRASES],
    /// Where each bucket begins.
    buckets: [u16; PHRASES],
}

impl<T, const PHRASES: usize> Table<T, PHRASES> {
    /// Of these lists, which have so many phrases.
    pub(super) const fn new(groups: Groups<T>) -> Self {
        assert!(PHRASES <= u16::MAX as usize);
        let mut buckets = [0; PHRASES];
        let mut phrases = Phrases::new(groups);
        while let Some((_, bucket)) = phrases.next(PHRASES) {
            buckets[bucket] += 1;
        }
        let (mut bucket, mut end) = (0, 0);
        while bucket < PHRASES {
            end += buckets[bucket];
            buckets[bucket] = end;
            bucket += 1;
        }
        // Each bucket is filled from its end, so that its beginning is what is left.
        let mut places = [Place::NONE; PHRASES];
        let mut phrases = Phrases::new(groups);
        while let Some((place, bucket)) = phrases.next(PHRASES) {
            buckets[bucket] -= 1;
            places[buckets[bucket] as usize] = place;
        }
        Table { groups, places, buckets }
    }

    /// What a phrase means in each list that has it, and the group of the list.
    pub(super) fn find(&self, phrase: &str) -> impl Iterator<Item = (u8, T)>
    where
        T: Copy,
    {
        let (bucket, tag) = bucket(phrase.as_bytes(), PHRASES);
        let end = self.buckets.get(bucket + 1).map_or(PHRASES, |end| usize::from(*end));
        let places = self.places.get(usize::from(self.buckets[bucket])..end).unwrap_or_default();
        places.iter().filter(move |place| place.tag == tag).filter_map(move |place| {
            let (meaning, list) = self.groups[usize::from(place.group)][usize::from(place.list)];
            let start = usize::from(place.start);
            (list.get(start..start + usize::from(place.length)) == Some(phrase)).then_some((place.group, meaning))
        })
    }
}

/// How many phrases there are.
pub(super) const fn count<T>(groups: Groups<T>) -> usize {
    let mut phrases = Phrases::new(groups);
    let mut count = 0;
    while phrases.next(1).is_some() {
        count += 1;
    }
    count
}

/// The phrases that are still to come.
struct Phrases<T: 'static> {
    groups: Groups<T>,
    group: usize,
    list: usize,
    at: usize,
}

impl<T> Phrases<T> {
    const fn new(groups: Groups<T>) -> Self {
        Phrases { groups, group: 0, list: 0, at: 0 }
    }

    /// The next of them, and in which of so many buckets it belongs.
    #[expect(clippy::cast_possible_truncation, reason = "asserted")]
    const fn next(&mut self, buckets: usize) -> Option<(Place, usize)> {
        while self.group < self.groups.len() {
            let lists = self.groups[self.group];
            if self.list == lists.len() {
                (self.group, self.list) = (self.group + 1, 0);
                continue;
            }
            let list = lists[self.list].1.as_bytes();
            while self.at < list.len() && list[self.at] == b' ' {
                self.at += 1;
            }
            if self.at == list.len() {
                (self.list, self.at) = (self.list + 1, 0);
                continue;
            }
            let start = self.at;
            while self.at < list.len() && list[self.at] != b',' {
                self.at += 1;
            }
            let length = self.at - start;
            assert!(start <= u16::MAX as usize && length <= u8::MAX as usize);
            assert!(self.group <= u8::MAX as usize && self.list <= u8::MAX as usize);
            let (bucket, tag) = bucket(list.split_at(start).1.split_at(length).0, buckets);
            let place = Place { tag, start: start as u16, length: length as u8, group: self.group as u8, list: self.list as u8 };
            if self.at < list.len() {
                self.at += 1;
            }
            return Some((place, bucket));
        }
        None
    }
}

/// In which of so many buckets a phrase belongs, and its tag.
#[expect(clippy::cast_possible_truncation, reason = "parts of the hash")]
const fn bucket(phrase: &[u8], buckets: usize) -> (usize, u16) {
    let hash = hash(phrase);
    // The upper half, as a part of all that it can be, times the buckets.
    ((((hash >> 32) * buckets as u64) >> 32) as usize, hash as u16)
}

/// Eight bytes at a time, the last of them once more where less is left, multiplied and folded.
const fn hash(phrase: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, _) = phrase.as_chunks::<8>();
    let (mut hash, mut at) = (phrase.len() as u64, 0);
    while at < words.len() {
        hash = (hash ^ u64::from_le_bytes(words[at])).wrapping_mul(FACTOR).rotate_left(29);
        at += 1;
    }
    let last = match (phrase.last_chunk::<8>(), phrase.first_chunk::<4>(), phrase.last_chunk::<4>(), phrase) {
        (Some(last), ..) => u64::from_le_bytes(*last),
        (_, Some(first), Some(last), _) => (u32::from_le_bytes(*first) as u64) << 32 | u32::from_le_bytes(*last) as u64,
        (_, _, _, [first, .., last]) => (*first as u64) << 16 | (phrase[phrase.len() / 2] as u64) << 8 | *last as u64,
        (_, _, _, [only]) => *only as u64,
        _ => 0,
    };
    let hash = (hash ^ last).wrapping_mul(FACTOR);
    hash ^ hash >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTS: Groups<u8> = &[&[(1, "one, two words, ä"), (2, "two")], &[(3, "one")]];
    static TABLE: Table<u8, { count(LISTS) }> = Table::new(LISTS);

    #[test]
    fn a_phrase_is_found_in_every_list_that_has_it() {
        let find = |phrase| {
            let mut found: Vec<(u8, u8)> = TABLE.find(phrase).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(TABLE.places.len(), 5);
        assert_eq!(find("one"), [(0, 1), (1, 3)]);
        assert_eq!(find("two words"), [(0, 1)]);
        assert_eq!(find("ä"), [(0, 1)]);
        assert_eq!(find("two"), [(0, 2)]);
        for none in ["", "tw", "words", "one, two words", "three"] {
            assert_eq!(find(none), [], "{none}");
        }
    }
}
