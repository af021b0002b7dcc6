//! A file of JSON lines that somebody else is still writing, one line at a time.
//!
//! Only a newline ends a line. A last line without one is half written and held back.

use std::cell::Cell;
use std::io::{self, Read};
use std::ops::Range;

use memchr::memchr;

/// Longest line that is read, in bytes; the longest of 1,630 genuine sessions had 2.6 MB.
const MAX_LINE: usize = 64 << 20;

/// How much room there is for what is read, in bytes, where no line is longer.
const BUFFER: usize = 64 << 10;

/// The largest buffer that stays with its file, in bytes: many files may be open at a time.
const MAX_OWN: usize = 256 << 10;

/// The largest buffer that is kept for the next long line, in bytes.
const MAX_SPARE: usize = 8 << 20;

/// One line.
#[derive(Debug)]
pub(super) enum Line<'l> {
    /// Its bytes, with its end.
    Whole(&'l [u8]),
    /// It is too long to be read.
    Oversized,
}

thread_local! {
    /// A buffer that a long line needed, for the next one of any file: new memory has to be cleared, and given by the
    /// system page by page.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Keeps the buffer, unless a larger one is kept.
fn keep(buffer: Vec<u8>) {
    // On a thread that ends there may be no place for it any more.
    _ = SPARE.try_with(|spare| {
        let kept = spare.take();
        spare.set(if buffer.len() > kept.len() && buffer.len() <= MAX_SPARE { buffer } else { kept });
    });
}

/// Reads lines.
#[derive(Debug)]
pub(super) struct Lines<R> {
    source: R,
    /// What was read last; it grows until a line has room in it.
    buffer: Vec<u8>,
    /// The part of the buffer that was read and not given.
    waiting: Range<usize>,
    /// Up to here in the buffer, nothing that waits is a newline.
    searched: usize,
    /// Bytes of the line being read that were thrown away because it is too long.
    dropped: u64,
    /// The source had no more: what waits is a half line.
    ended: bool,
    /// Bytes up to the end of the last line given.
    pub(super) offset: u64,
}

impl<R: Read> Lines<R> {
    /// The lines of what this source gives from here on, which is `offset` bytes into the file.
    pub(super) fn new(source: R, offset: u64) -> Self {
        Lines { source, buffer: vec![0; BUFFER], waiting: 0..0, searched: 0, dropped: 0, ended: false, offset }
    }

    /// The next complete line; `None` where the source ends before its newline. May be called again once there
    /// is more.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        let end = loop {
            if let Some(at) = memchr(b'\n', &self.buffer[self.searched..self.waiting.end]) {
                break self.searched + at + 1;
            }
            self.searched = self.waiting.end;
            if self.waiting.len() > MAX_LINE {
                self.dropped += self.waiting.len() as u64;
                self.waiting.start = self.waiting.end;
            }
            if !self.fill()? {
                return Ok(None);
            }
        };
        let line = self.waiting.start..end;
        (self.waiting.start, self.searched) = (end, end);
        self.offset += self.dropped + line.len() as u64;
        if self.dropped > 0 || line.len() > MAX_LINE {
            self.dropped = 0;
            return Ok(Some(Line::Oversized));
        }
        Ok(Some(Line::Whole(&self.buffer[line])))
    }

    /// What stands behind the last newline; empty too where it is too long.
    pub(super) fn half(&self) -> &[u8] {
        if self.ended && self.dropped == 0 { &self.buffer[self.waiting.clone()] } else { &[] }
    }

    /// Something stands behind the last newline.
    pub(super) fn has_half(&self) -> bool {
        self.ended && (self.dropped > 0 || !self.waiting.is_empty())
    }

    /// Is there more than was given?
    pub(super) fn go_on(&mut self) -> bool {
        self.dropped > 0 || !self.waiting.is_empty() || self.fill().is_ok_and(|more| more)
    }

    /// Reads more behind what waits; false where there is no more.
    fn fill(&mut self) -> io::Result<bool> {
        self.make_room();
        let read = loop {
            match self.source.read(&mut self.buffer[self.waiting.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.waiting.end += read;
        self.ended = read == 0;
        Ok(read > 0)
    }

    /// Moves what waits to the front of the buffer, and sees to it that there is room behind it.
    fn make_room(&mut self) {
        self.buffer.copy_within(self.waiting.clone(), 0);
        self.searched -= self.waiting.start;
        self.waiting = 0..self.waiting.len();
        if self.buffer.len() > MAX_OWN && self.waiting.len() < BUFFER {
            self.exchange(vec![0; BUFFER]);
        } else if self.waiting.end == self.buffer.len() {
            let spare = SPARE.take();
            if spare.len() > self.buffer.len() {
                self.exchange(spare);
            } else {
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
        }
    }

    /// Takes another buffer and keeps the one it had.
    fn exchange(&mut self, mut buffer: Vec<u8>) {
        buffer[..self.waiting.end].copy_from_slice(&self.buffer[..self.waiting.end]);
        keep(std::mem::replace(&mut self.buffer, buffer));
    }
}

impl<R> Drop for Lines<R> {
    fn drop(&mut self) {
        keep(std::mem::take(&mut self.buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives so many bytes at a time.
    struct Drops<'t>(&'t [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(buffer.len()).min(self.0.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    #[test]
    fn lines_of_any_length_are_given_whole() {
        let lengths = [0, 1, 7, BUFFER - 1, BUFFER, BUFFER + 1, 3, 2 * MAX_OWN + 5, 0, 9, MAX_SPARE + 1, 2, MAX_OWN];
        let lines: Vec<String> = lengths.iter().map(|length| "x".repeat(*length) + "\n").collect();
        let text = lines.concat() + "half";
        for step in [1, 4096, BUFFER, text.len()] {
            // Byte by byte no more than the first lines.
            let text = if step == 1 { &text[..3000] } else { &text };
            let mut read = Lines::new(Drops(text.as_bytes(), step), 0);
            let mut given = String::new();
            while let Some(Line::Whole(line)) = read.next().expect("it reads") {
                assert!(line.ends_with(b"\n") && !line[..line.len() - 1].contains(&b'\n'));
                given.push_str(std::str::from_utf8(line).expect("text"));
            }
            assert_eq!(read.offset, given.len() as u64);
            given.push_str(std::str::from_utf8(read.half()).expect("text"));
            assert!(read.has_half() && given == text, "{step}");
        }
    }

    #[test]
    fn what_is_too_long_is_passed_over() {
        let long = "x".repeat(MAX_LINE + 1);
        let text = format!("a\n{long}\n{}\nb\n{long}", &long[..MAX_LINE]);
        let mut read = Lines::new(text.as_bytes(), 0);
        let mut told = String::new();
        while let Some(line) = read.next().expect("it reads") {
            told.push(if let Line::Whole([first, _]) = line { char::from(*first) } else { '-' });
        }
        assert_eq!((told.as_str(), read.half(), read.has_half()), ("a--b", "".as_bytes(), true));
        assert_eq!(read.offset, (text.len() - long.len()) as u64);
    }

    #[test]
    fn what_comes_later_is_read_later() {
        use std::io::{Seek, SeekFrom, Write};
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(b"a\nb").expect("written");
        let mut again = file.try_clone().expect("cloned");
        again.seek(SeekFrom::Start(0)).expect("at the start");
        drop(file);
        let mut read = Lines::new(again, 0);
        assert!(matches!(read.next(), Ok(Some(Line::Whole(b"a\n")))));
        assert!(matches!(read.next(), Ok(None)) && read.half() == b"b" && read.go_on());
        let mut end = read.source.try_clone().expect("cloned");
        end.write_all(b"c\nd").expect("written");
        end.seek(SeekFrom::Start(3)).expect("where the reader stopped");
        assert!(matches!(read.next(), Ok(Some(Line::Whole(b"bc\n")))));
        assert!(matches!(read.next(), Ok(None)) && read.half() == b"d" && read.offset == 5);
    }
}
