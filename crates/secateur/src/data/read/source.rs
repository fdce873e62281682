//! Where the bytes come from: a file, standard input, a pipe, any of them through gzip.

use crate::error::{Error, Place, Result};
use crate::memory;
use crate::progress::Progress;
use bytes::Bytes;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// The bytes of a file, or of standard input for `-`, as they are.
pub(super) fn open(name: &str, path: &Path) -> Result<Bytes> {
    let failed = |source| Error::reading(name, source);
    let read =
        |reader: &mut dyn Read| memory::read_to_end(reader, &format!("the text of {name}"))?.map_err(failed);
    if name == "-" {
        return Ok(read(&mut std::io::stdin().lock())?.into());
    }
    let mut file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() || metadata.len() == 0 {
        // A pipe or device; files that claim to be empty (as under /proc) may not be.
        return Ok(read(&mut file)?.into());
    }
    whole(name, &mut file, metadata.len()).map(Bytes::from)
}

/// The bytes of a file of this length. It is read and not mapped: of a mapped file that becomes shorter nothing can be read any
/// more, and the process ends.
fn whole(name: &str, file: &mut impl Read, length: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    memory::reserve(
        &mut bytes,
        usize::try_from(length).unwrap_or(usize::MAX),
        &format!("the text of {name}"),
    )?;
    file.take(length).read_to_end(&mut bytes).map_err(|source| Error::reading(name, source))?;
    if (bytes.len() as u64) < length {
        return Err(Error::input(
            Place::file(name),
            "it became shorter while it was being read; leave it as it is, and start again",
        ));
    }
    Ok(bytes)
}

/// Whether bytes begin like a gzip file.
pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// The bytes without compression; all members of a gzip file, one after the other.
pub(super) fn decompress(name: &str, bytes: Bytes, progress: &dyn Progress) -> Result<Bytes> {
    if !is_gzip(&bytes) {
        if name.to_lowercase().ends_with(".gz") && !bytes.is_empty() {
            return Err(Error::input(
                Place::file(name),
                "its name ends in .gz, but it is not compressed with gzip; rename it or compress it",
            ));
        }
        return Ok(bytes);
    }
    progress.stage("decompressing", bytes.len() as u64);
    let watched = Watched { rest: &bytes, progress };
    let out = memory::read_to_end(
        flate2::read::MultiGzDecoder::new(watched),
        &format!("the text of {name}, decompressed"),
    )?;
    let out = out.map_err(|error| {
        if progress.cancelled() {
            return Error::Cancelled;
        }
        let problem = if error.kind() == ErrorKind::UnexpectedEof {
            "the gzip data end too early; the file is truncated, fetch or compress it again".to_string()
        } else {
            format!("the gzip data are damaged ({error}); fetch or compress the file again")
        };
        Error::input(Place::file(name), problem)
    })?;
    Ok(out.into())
}

/// Compressed bytes that report how far they are read.
struct Watched<'a> {
    rest: &'a [u8],
    progress: &'a dyn Progress,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.progress.cancelled() {
            return Err(std::io::Error::other("stopped on request"));
        }
        let count = self.rest.read(buffer)?;
        self.progress.advance(count as u64);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_becomes_shorter_is_named() {
        let bytes = b"a,b\n1,2\n";
        assert_eq!(whole("t.csv", &mut &bytes[..], 8).unwrap(), bytes);
        let error = whole("t.csv", &mut &bytes[..], 9).unwrap_err();
        assert!(error.to_string().starts_with("t.csv: it became shorter while it was being read"), "{error}");
        assert!(matches!(whole("t.csv", &mut &bytes[..], u64::MAX), Err(Error::Memory { .. })));
    }
}
