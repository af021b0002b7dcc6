//! Zstandard, unpacked as it is read, up to a limit: a small file may unpack to terabytes.

use std::io::{self, BufReader, Read};

use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::{BlockDecodingStrategy, errors::FrameDecoderError, errors::ReadFrameHeaderError};

/// How many bytes a packed file may unpack to.
const MAX_UNPACKED: u64 = 1 << 30;

/// How much memory a frame may ask for, in bytes; 8 MiB is what packers ask for unless told otherwise.
const MAX_WINDOW: u64 = 32 << 20;

/// Gives the content of a packed source.
pub(super) struct Unpacked<R> {
    source: BufReader<R>,
    decoder: FrameDecoder,
    /// A frame was begun, and its end was not reached.
    within: bool,
    left: u64,
}

impl<R: Read> Unpacked<R> {
    pub(super) fn new(source: R) -> Self {
        Self::up_to(source, MAX_UNPACKED)
    }

    fn up_to(source: R, limit: u64) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Unpacked { source: BufReader::new(source), decoder, within: false, left: limit }
    }

    /// Begins the next frame; false at the end of the source.
    fn begin(&mut self) -> io::Result<bool> {
        loop {
            if io::BufRead::fill_buf(&mut self.source)?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.source) {
                Ok(()) => {
                    self.within = true;
                    return Ok(true);
                }
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                    let skipped = io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
                    if skipped < length.into() {
                        return Ok(false);
                    }
                }
                Err(fault) => return Err(io::Error::new(io::ErrorKind::InvalidData, fault)),
            }
        }
    }
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.within && !self.begin()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let step = self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
                step.map_err(|fault| io::Error::new(io::ErrorKind::InvalidData, fault))?;
            }
            let length = self.decoder.read(buffer)?;
            if length > 0 {
                self.left = self.left.checked_sub(length as u64).ok_or_else(too_large)?;
                return Ok(length);
            }
            self.within = false;
        }
    }
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "unpacks to more than 1 GiB")
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn packed(content: &[u8]) -> Vec<u8> {
        compress_to_vec(content, CompressionLevel::Fastest)
    }

    fn unpacked(packed: &[u8], limit: u64) -> (Vec<u8>, io::Result<()>) {
        let mut content = Vec::new();
        let outcome = Unpacked::up_to(packed, limit).read_to_end(&mut content).map(drop);
        (content, outcome)
    }

    #[test]
    fn frames_follow_each_other() {
        // A frame to be skipped: its mark, and a length of three.
        let skipped = b"\x50\x2a\x4d\x18\x03\0\0\0abc";
        let file = [&packed(b"one\n")[..], skipped, &packed(b""), &packed(b"two\n")].concat();
        let (content, outcome) = unpacked(&file, 100);
        assert_eq!((content.as_slice(), outcome.is_ok()), (b"one\ntwo\n".as_slice(), true));
    }

    #[test]
    fn a_bomb_ends_at_the_limit_and_is_told() {
        let bomb = packed(&vec![b'x'; 1 << 20]);
        assert!(bomb.len() < 1 << 10);
        let (content, outcome) = unpacked(&bomb, 1 << 16);
        assert!(content.len() <= 1 << 16);
        assert_eq!(outcome.expect_err("too large").kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn what_is_no_frame_is_told() {
        assert!(unpacked(b"plain text, not packed", 100).1.is_err());
        let whole = packed(b"a line that breaks off\n");
        for end in 1..whole.len() {
            unpacked(&whole[..end], 100).1.expect_err("half a frame");
        }
        assert_eq!(unpacked(b"", 100).0, b"");
    }
}
