//! A file of JSON lines that somebody else is still writing, one line at a time.
//!
//! Only a newline ends a line. A last line without one is half written and held back.

use std::io::{self, BufRead};

use memchr::memchr;

/// Longest line that is read, in bytes; the longest of 1,630 genuine sessions had 2.6 MB.
const MAX_LINE: usize = 64 << 20;

/// Longest line whose room is kept for the next, in bytes: many files may be open at a time.
const MAX_KEPT: usize = 1 << 20;

/// One line.
#[derive(Debug)]
pub(super) enum Line<'l> {
    /// Its bytes, with its end.
    Whole(&'l [u8]),
    /// It is too long to be read.
    Oversized,
}

/// Reads lines.
#[derive(Debug)]
pub(super) struct Lines<R> {
    source: R,
    /// What was read of a line that the source does not hold as a whole; between calls, the half line at the end of
    /// the file.
    line: Vec<u8>,
    /// Where the line is that was given: the next one starts behind it.
    given: Given,
    /// Bytes of the line being read that were thrown away because it is too long.
    dropped: u64,
    /// Bytes up to the end of the last line given.
    pub(super) offset: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    Nothing,
    /// It is `line`.
    Copied,
    /// It is so many bytes at the front of the source's buffer.
    InPlace(usize),
}

impl<R: BufRead> Lines<R> {
    /// The lines of what this source gives from here on, which is `offset` bytes into the file.
    pub(super) fn new(source: R, offset: u64) -> Self {
        Lines { source, line: Vec::new(), given: Given::Nothing, dropped: 0, offset }
    }

    /// The next complete line; `None` where the source ends before its newline. May be called again once there
    /// is more.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.leave();
        if !self.fill()? {
            return Ok(None);
        }
        if let Given::InPlace(length) = self.given {
            self.offset += length as u64;
            return Ok(self.source.fill_buf()?.get(..length).map(Line::Whole));
        }
        self.offset += self.dropped + self.line.len() as u64;
        Ok(Some(if self.dropped > 0 { Line::Oversized } else { Line::Whole(&self.line) }))
    }

    /// Leaves the line that was given behind.
    fn leave(&mut self) {
        match self.given {
            Given::Nothing => {}
            Given::InPlace(length) => self.source.consume(length),
            Given::Copied => {
                self.line.clear();
                self.line.shrink_to(MAX_KEPT);
                self.dropped = 0;
            }
        }
        self.given = Given::Nothing;
    }

    /// What stands behind the last newline; empty too where it is too long.
    pub(super) fn half(&self) -> &[u8] {
        if self.has_half() && self.dropped == 0 { &self.line } else { &[] }
    }

    /// Something stands behind the last newline.
    pub(super) fn has_half(&self) -> bool {
        self.given != Given::Copied && (self.dropped > 0 || !self.line.is_empty())
    }

    /// Is there more than was given?
    pub(super) fn go_on(&mut self) -> bool {
        self.leave();
        self.has_half() || self.source.fill_buf().is_ok_and(|more| !more.is_empty())
    }

    /// Reads to the next newline; false when the source ends before it.
    fn fill(&mut self) -> io::Result<bool> {
        loop {
            let piece = match self.source.fill_buf() {
                Ok(piece) => piece,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if piece.is_empty() {
                return Ok(false);
            }
            let end = memchr(b'\n', piece).map(|at| at + 1);
            if let Some(length) = end.filter(|length| self.line.is_empty() && self.dropped == 0 && *length <= MAX_LINE) {
                self.given = Given::InPlace(length);
                return Ok(true);
            }
            let taken = end.unwrap_or(piece.len());
            self.line.extend_from_slice(&piece[..taken]);
            self.source.consume(taken);
            if self.line.len() > MAX_LINE {
                self.dropped += self.line.len() as u64;
                self.line.clear();
            }
            if end.is_some() {
                self.given = Given::Copied;
                return Ok(true);
            }
        }
    }
}
