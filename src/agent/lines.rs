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
    /// How much of what the source holds was given as a line of its own: most lines need no copy.
    lent: usize,
    /// The line being read, where it reaches over the end of what the source holds; between calls, the half line at
    /// the end of the file.
    line: Vec<u8>,
    /// The line was given: the next one starts afresh.
    given: bool,
    /// Bytes of the line being read that were thrown away because it is too long.
    dropped: u64,
    /// Bytes up to the end of the last line given.
    pub(super) offset: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of what this source gives from here on, which is `offset` bytes into the file.
    pub(super) fn new(source: R, offset: u64) -> Self {
        Lines { source, lent: 0, line: Vec::new(), given: false, dropped: 0, offset }
    }

    /// The next complete line; `None` where the source ends before its newline. May be called again once there
    /// is more.
    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        self.source.consume(std::mem::take(&mut self.lent));
        if self.given {
            self.line.clear();
            self.line.shrink_to(MAX_KEPT);
            self.dropped = 0;
            self.given = false;
        }
        if self.line.is_empty() && self.dropped == 0 && self.is_held()? {
            self.offset += self.lent as u64;
            return Ok(Some(Line::Whole(&self.source.fill_buf()?[..self.lent])));
        }
        if !self.fill()? {
            return Ok(None);
        }
        self.given = true;
        self.offset += self.dropped + self.line.len() as u64;
        Ok(Some(if self.dropped > 0 { Line::Oversized } else { Line::Whole(&self.line) }))
    }

    /// What stands behind the last newline; empty too where it is too long.
    pub(super) fn half(&self) -> &[u8] {
        if self.given || self.dropped > 0 { &[] } else { &self.line }
    }

    /// Something stands behind the last newline.
    pub(super) fn has_half(&self) -> bool {
        !self.given && (self.dropped > 0 || !self.line.is_empty())
    }

    /// Is there more than was given?
    pub(super) fn go_on(&mut self) -> bool {
        self.source.consume(std::mem::take(&mut self.lent));
        self.has_half() || self.source.fill_buf().is_ok_and(|more| !more.is_empty())
    }

    /// Does the source hold the whole of the next line already?
    fn is_held(&mut self) -> io::Result<bool> {
        let held = loop {
            match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                held => break held?,
            }
        };
        self.lent = memchr(b'\n', &held[..held.len().min(MAX_LINE + 1)]).map_or(0, |at| at + 1);
        Ok(self.lent > 0)
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
            let taken = end.unwrap_or(piece.len());
            self.line.extend_from_slice(&piece[..taken]);
            self.source.consume(taken);
            if self.line.len() > MAX_LINE {
                self.dropped += self.line.len() as u64;
                self.line.clear();
            }
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}
