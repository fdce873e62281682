//! The text of a file in blocks of whole records.

use std::io::Read;

use super::super::CHUNK;
use super::super::chunks::{Quotes, split};
use super::InPlaces;
use crate::error::{Error, Place, Result};
use crate::progress::{Progress, Silent};

/// A block, in bytes.
pub(super) const BLOCK: usize = 8 << 20;

/// Blocks of whole records.
pub(super) struct Blocks<'a> {
    pub(super) from: Box<dyn Read + Send>,
    pub(super) rest: Vec<u8>,
    pub(super) ended: bool,
    pub(super) name: &'a str,
    pub(super) zipped: bool,
    pub(super) progress: &'a dyn Progress,
    pub(super) ratio: f64,
    pub(super) delimiter: u8,
    /// The bytes of a block, about.
    pub(super) size: usize,
}

impl Blocks<'_> {
    /// The next block.
    pub(super) fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let mut block = std::mem::take(&mut self.rest);
        let mut wanted = self.size;
        loop {
            while !self.ended && block.len() < wanted {
                let before = block.len();
                let more = (&mut self.from).take((wanted - before) as u64).read_to_end(&mut block);
                let count = more.map_err(|error| damaged(self.name, self.zipped, &error))?;
                self.ended = count == 0;
                self.progress.advance((count as f64 / self.ratio) as u64);
            }
            if self.ended {
                return Ok((!block.is_empty()).then_some(block));
            }
            // The last record may go on in what follows.
            let end = record_end(&block, self.delimiter)?;
            if end > 0 {
                self.rest = block.split_off(end);
                return Ok(Some(block));
            }
            wanted += self.size;
            if wanted > 64 * BLOCK {
                return Err(Error::input(
                    Place::file(self.name),
                    "a record has more than 512 MB; is a quote never closed?",
                ));
            }
        }
    }
}

/// Where the last record of a block begins; 0 if it is the first.
fn record_end(block: &[u8], delimiter: u8) -> Result<usize> {
    let chunks = split(block, 0, CHUNK, Quotes::Fields(delimiter), &Silent)?;
    let Some(last) = chunks.last() else { return Ok(0) };
    // Within the last chunk: behind its last line end, if no quote can hold it.
    let tail = &block[last.range.clone()];
    if memchr::memchr(b'"', tail).is_none()
        && let Some(at) = memchr::memrchr(b'\n', tail)
    {
        return Ok(last.range.start + at + 1);
    }
    Ok(last.range.start)
}

/// The bytes of a file from its beginning, unpacked.
pub(super) fn bytes_of(file: &InPlaces, zipped: bool) -> Box<dyn Read + Send> {
    let reader = std::io::BufReader::with_capacity(1 << 20, file.reader(0));
    if zipped { Box::new(flate2::bufread::MultiGzDecoder::new(reader)) } else { Box::new(reader) }
}

/// The error of a file that cannot be read.
pub(super) fn damaged(name: &str, zipped: bool, error: &std::io::Error) -> Error {
    let problem = if zipped && error.kind() == std::io::ErrorKind::UnexpectedEof {
        "the gzip data end too early; the file is truncated, fetch or compress it again".to_string()
    } else if zipped {
        format!("the gzip data are damaged ({error}); fetch or compress the file again")
    } else {
        format!("it cannot be read ({error})")
    };
    Error::input(Place::file(name), problem)
}
