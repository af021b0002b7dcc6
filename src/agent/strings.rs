//! Where the strings of a JSON text end, without a look at what they say.

use memchr::memchr;

/// Where a string ends that `start` stands within, not behind an escape: behind its closing quote.
pub(super) fn end_of_string(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at = find(b'"', bytes, at)? + 1;
        if backslashes(&bytes[start..at - 1]).is_multiple_of(2) {
            return Some(at);
        }
    }
}

/// How many backslashes stand at the end.
pub(super) fn backslashes(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|&&byte| byte == b'\\').count()
}

/// Where the next such byte is.
pub(super) fn find(byte: u8, bytes: &[u8], start: usize) -> Option<usize> {
    // Quotes and escapes are near in source code; those are found before a vector loop has begun.
    const NEAR: usize = 32;
    let rest = bytes.get(start..)?;
    let (words, _) = rest[..rest.len().min(NEAR)].as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let found = zero_bytes(u64::from_le_bytes(*word) ^ repeat(byte));
        if found != 0 {
            return Some(start + index * 8 + found.trailing_zeros() as usize / 8);
        }
    }
    let far = start + words.len() * 8;
    memchr(byte, &bytes[far..]).map(|found| far + found)
}

/// Length of the run of bytes at the front that are neither a quote nor a backslash.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let found = zero_bytes(word ^ repeat(b'"')) | zero_bytes(word ^ repeat(b'\\'));
        if found != 0 {
            return index * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    bytes.len() - rest.len() + rest.iter().take_while(|&&byte| byte != b'"' && byte != b'\\').count()
}

const fn repeat(byte: u8) -> u64 {
    u64::from_le_bytes([byte; 8])
}

/// The high bit of every byte that is zero; bits above the lowest of them mean nothing.
const fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(repeat(0x01)) & !word & repeat(0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_ends_at_a_quote_behind_an_even_number_of_backslashes() {
        for length in 0..80 {
            for slashes in 0..5 {
                let text = format!("{}{}\"{}\"", "x".repeat(length), "\\".repeat(slashes), "é".repeat(length));
                let first = length + slashes + 1;
                let end = if slashes % 2 == 0 { first } else { text.len() };
                assert_eq!(end_of_string(text.as_bytes(), 0), Some(end), "{text}");
                assert_eq!(plain_length(text.as_bytes()), length, "{text}");
                assert_eq!(find(b'"', text.as_bytes(), 0), Some(first - 1), "{text}");
            }
        }
    }

    #[test]
    fn a_string_that_breaks_off_has_no_end() {
        for text in ["", "x", "\\", "\\\"", "0123456789012345678901234567890123456789\\\""] {
            assert_eq!(end_of_string(text.as_bytes(), 0), None, "{text}");
            assert_eq!(end_of_string(text.as_bytes(), text.len() + 1), None, "{text}");
        }
        assert_eq!((plain_length(b""), plain_length(b"no end"), plain_length(b"0123456789\\")), (0, 6, 10));
    }
}
