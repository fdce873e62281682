//! The pages of a column in a row group, of which sizes and counts are held against what is there before anything is decoded.
//!
//! The decoders take memory for what a page says of itself: a dictionary for its number of values, texts stored as differences for
//! theirs, and a decompressor for all that comes out of it. So a file of a few hundred bytes could take all memory there is.

use crate::error::Error;
use crate::memory;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A page of this many bytes is read even where the file says that its column has fewer: some writers do not count all of them.
const BELIEVED: u64 = 1 << 24;

/// What memory is asked for.
const PAGE: &str = "a page, decompressed";

/// The pages of a column in a row group.
pub(super) struct Pages<R: ChunkReader> {
    pages: SerializedPageReader<Headers<R>>,
    headers: Arc<Headers<R>>,
    /// The compression whose decoder knows no end, and which is undone here.
    endless: Option<Compression>,
    physical: Physical,
    /// The bytes of a value of fixed length.
    length: usize,
    has_levels: bool,
    /// The values that are in no page so far.
    rest: usize,
    rows: usize,
}

impl<R: ChunkReader> Pages<R> {
    /// The pages of a column of this many rows; decompressed, none is larger than `most` bytes.
    pub(super) fn new(file: &Arc<R>, chunk: &ColumnChunkMetaData, rows: usize, most: u64) -> Result<Self> {
        let column = chunk.column_descr();
        let told = u64::try_from(chunk.uncompressed_size())?.max(BELIEVED);
        let headers = Arc::new(Headers { file: file.clone(), told, most, size: AtomicU64::new(0) });
        let endless = Some(chunk.compression())
            .filter(|it| matches!(it, Compression::GZIP(_) | Compression::BROTLI(_)));
        let plain = |chunk: &ColumnChunkMetaData| {
            chunk.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()
        };
        let chunk = if endless.is_some() { plain(chunk)? } else { chunk.clone() };
        Ok(Self {
            pages: SerializedPageReader::new(headers.clone(), &chunk, rows, None)?,
            headers,
            endless,
            physical: column.physical_type(),
            length: usize::try_from(column.type_length()).unwrap_or(0),
            has_levels: column.max_def_level() > 0,
            rest: rows,
            rows,
        })
    }

    /// A page as it was before it was compressed.
    fn decompressed(&self, mut page: Page) -> Result<Page> {
        let Some(compression) = self.endless else { return Ok(page) };
        let size = self.headers.size.load(Ordering::Relaxed) as usize;
        match &mut page {
            Page::DataPageV2 { is_compressed: false, .. } => {}
            Page::DataPageV2 { buf, def_levels_byte_len, rep_levels_byte_len, .. } => {
                let levels = *def_levels_byte_len as usize + *rep_levels_byte_len as usize;
                *buf = expanded(compression, buf, levels, size)?;
            }
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => {
                *buf = expanded(compression, buf, 0, size)?;
            }
        }
        Ok(page)
    }

    /// Fails where a page says that it has more than can be in it.
    fn check(&mut self, page: &Page) -> Result<()> {
        let (count, bytes) = (page.num_values() as usize, page.buffer());
        if let Page::DictionaryPage { .. } = page {
            let width = match self.physical {
                Physical::BOOLEAN => 0,
                Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => 4,
                Physical::INT64 | Physical::DOUBLE => 8,
                Physical::INT96 => 12,
                Physical::FIXED_LEN_BYTE_ARRAY => self.length,
            };
            // A dictionary may have more values than its row group has rows: some writers put the whole list into each.
            let fits = count <= bytes.len().checked_div(width).unwrap_or(self.rows);
            if !fits {
                return Err(general(format!(
                    "a dictionary of {} bytes says that it has {count} values",
                    bytes.len()
                )));
            }
            return Ok(());
        }
        self.rest = self
            .rest
            .checked_sub(count)
            .ok_or_else(|| general("pages have more values than the row group has rows"))?;
        let texts = || {
            let start = values_start(page, self.has_levels).ok_or_else(|| general("levels are cut off"))?;
            bytes.get(start..).ok_or_else(|| general("levels are cut off"))
        };
        match page.encoding() {
            Encoding::DELTA_LENGTH_BYTE_ARRAY => after_differences(texts()?, count).map(drop),
            Encoding::DELTA_BYTE_ARRAY => {
                after_differences(after_differences(texts()?, count)?, count).map(drop)
            }
            _ => Ok(()),
        }
    }
}

/// Where the values of a data page begin, after its levels.
pub(super) fn values_start(page: &Page, has_levels: bool) -> Option<usize> {
    match page {
        Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
            Some(*def_levels_byte_len as usize + *rep_levels_byte_len as usize)
        }
        Page::DataPage { .. } if !has_levels => Some(0),
        // One bit for each row, as old writers did it.
        #[allow(deprecated, reason = "such files are there")]
        Page::DataPage { num_values, def_level_encoding: Encoding::BIT_PACKED, .. } => {
            Some(num_values.div_ceil(8) as usize)
        }
        Page::DataPage { buf, .. } => {
            buf.first_chunk().map(|length| size_of::<u32>() + u32::from_le_bytes(*length) as usize)
        }
        Page::DictionaryPage { .. } => Some(0),
    }
}

/// What follows numbers that are stored as differences, of which there must not be more than this.
fn after_differences(bytes: &[u8], most: usize) -> Result<&[u8]> {
    let cut_off = || general("numbers that are stored as differences are cut off");
    let mut rest = bytes;
    let block = varint(&mut rest).ok_or_else(cut_off)?;
    let parts = varint(&mut rest).ok_or_else(cut_off)?;
    let count = varint(&mut rest).ok_or_else(cut_off)?;
    varint(&mut rest).ok_or_else(cut_off)?;
    if count > most as u64 {
        return Err(general(format!("a page of {most} values says that it has the lengths of {count}")));
    }
    let part = block.checked_div(parts).filter(|&part| part > 0).ok_or_else(cut_off)?;
    let mut numbers = count.saturating_sub(1);
    while numbers > 0 {
        varint(&mut rest).ok_or_else(cut_off)?;
        let (widths, after) =
            usize::try_from(parts).ok().and_then(|parts| rest.split_at_checked(parts)).ok_or_else(cut_off)?;
        rest = after;
        for &width in widths {
            // The parts after the last number are empty, whatever their widths.
            if numbers > 0 {
                let bytes =
                    (part / 8).checked_mul(u64::from(width)).and_then(|bytes| usize::try_from(bytes).ok());
                rest = bytes.and_then(|bytes| rest.get(bytes..)).ok_or_else(cut_off)?;
                numbers = numbers.saturating_sub(part);
            }
        }
    }
    Ok(rest)
}

/// Takes a number from the beginning: seven bits of each byte, the lowest first.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&first, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(first & 127) << shift;
        if first < 128 {
            return Some(number);
        }
    }
    None
}

/// Bytes after levels, which are not compressed, without compression. Together they have this size.
fn expanded(compression: Compression, bytes: &Bytes, levels: usize, size: usize) -> Result<Bytes> {
    let (levels, bytes) = bytes.split_at_checked(levels).ok_or_else(|| general("levels are cut off"))?;
    let mut all = Vec::new();
    memory::reserve(&mut all, size, PAGE).map_err(external)?;
    all.extend_from_slice(levels);
    let wanted = size.checked_sub(levels.len()).ok_or_else(|| general("levels are cut off"))?;
    if wanted > 0 {
        // No more than there is room for: the list does not grow by itself.
        let mut reader: Box<dyn Read> = match compression {
            Compression::GZIP(_) => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
            _ => Box::new(brotli_decompressor::Decompressor::new(bytes, 1 << 14)),
        };
        reader.by_ref().take(wanted as u64).read_to_end(&mut all)?;
        if all.len() < size || reader.read(&mut [0])? > 0 {
            return Err(general(format!("a page does not have the {size} bytes that it says it has")));
        }
    }
    Ok(all.into())
}

impl<R: ChunkReader> PageReader for Pages<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(page) = self.pages.get_next_page()? else { return Ok(None) };
        let page = self.decompressed(page)?;
        self.check(&page)?;
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl<R: ChunkReader> Iterator for Pages<R> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

/// A file of which the headers of pages are looked at while they are read.
struct Headers<R> {
    file: Arc<R>,
    /// The bytes of all pages of the column, as the file says.
    told: u64,
    /// The bytes that a page may have.
    most: u64,
    /// The bytes of the last page.
    size: AtomicU64,
}

impl<R: ChunkReader> Length for Headers<R> {
    fn len(&self) -> u64 {
        self.file.len()
    }
}

impl<R: ChunkReader> ChunkReader for Headers<R> {
    type T = R::T;

    /// Readers of pages ask for this where a header begins.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        /// Three numbers, with a byte before each.
        const BEGINNING: u64 = 18;
        let there = BEGINNING.min(self.len().saturating_sub(start));
        let (compressed, size) = sizes(&self.file.get_bytes(start, there as usize)?)
            .ok_or_else(|| general("the header of a page is cut off"))?;
        if size > self.told {
            return Err(general(format!(
                "a page of {compressed} bytes says that it has {size} decompressed"
            )));
        }
        if size > self.most {
            return Err(external(Error::Memory { what: PAGE.into(), bytes: size }));
        }
        memory::ask(size as usize, PAGE).map_err(external)?;
        self.size.store(size, Ordering::Relaxed);
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        self.file.get_bytes(start, length)
    }
}

/// The compressed size of a page and the one before, which come second and first of its header after its kind.
fn sizes(header: &[u8]) -> Option<(u64, u64)> {
    let mut rest = header;
    let mut number = || {
        // The next field, a number of 32 bits.
        let (&0x15, after) = rest.split_first()? else { return None };
        rest = after;
        let folded = varint(&mut rest)?;
        (folded & 1 == 0).then_some(folded >> 1)
    };
    let (_kind, size, compressed) = (number()?, number()?, number()?);
    Some((compressed, size))
}

fn general(error: impl std::fmt::Display) -> ParquetError {
    ParquetError::General(error.to_string())
}

fn external(error: Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn no_more_is_decompressed_than_the_header_says() {
        let texts = b"levels and texts".repeat(100_000);
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&texts[6..]).unwrap();
        let page: Bytes = [&texts[..6], &gz.finish().unwrap()].concat().into();
        let compression = Compression::GZIP(parquet::basic::GzipLevel::default());
        let size = texts.len();
        assert!(expanded(compression, &page, 6, size).unwrap() == texts);
        for wrong in [0, 5, 7, 1000, size - 1, size + 1] {
            expanded(compression, &page, 6, wrong).unwrap_err();
        }
    }

    #[test]
    fn numbers_stored_as_differences_end_where_they_end() {
        // Blocks of 128 numbers in 4 parts; 40 numbers, so that two parts are there, of 1 and 2 bits.
        let mut bytes = vec![0x80, 1, 4, 40, 0, 0, 1, 2, 9, 9];
        bytes.extend([7; 4 + 8]);
        bytes.push(42);
        assert_eq!(after_differences(&bytes, 40).unwrap(), [42]);
        assert!(after_differences(&bytes, 39).unwrap_err().to_string().contains("the lengths of 40"));
        (0..21).for_each(|end| drop(after_differences(&bytes[..end], 40).unwrap_err()));
    }

    #[test]
    fn headers_tell_both_sizes() {
        assert_eq!(sizes(&[0x15, 0, 0x15, 0x80, 2, 0x15, 6, 0x2c]), Some((3, 128)));
        assert_eq!(sizes(&[0x15, 0, 0x15, 0x81, 2, 0x15, 6]), None);
        assert_eq!(sizes(&[0x15, 0, 0x15, 0x80]), None);
    }
}
