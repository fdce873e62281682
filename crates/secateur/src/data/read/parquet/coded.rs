//! Texts of which every page has codes of a dictionary: the codes, without writing out a single text.
//!
//! The decoder of whole numbers does it: it is given the same pages, but for the dictionary, in which every text is replaced by its
//! place. What it writes out are the codes.

use arrow_array::{ArrayRef, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::Int32Type;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, Type};
use std::sync::Arc;

/// Whether all pages of a column in a row group have codes.
pub fn is_coded(chunk: &ColumnChunkMetaData) -> bool {
    chunk.dictionary_page_offset().is_some()
        && chunk.page_encoding_stats_mask().is_some_and(|mask| {
            mask.is_only(Encoding::PLAIN_DICTIONARY) || mask.is_only(Encoding::RLE_DICTIONARY)
        })
}

/// A reader of the codes, and the texts they stand for.
pub fn codes(
    column: &ColumnDescPtr,
    mut pages: Box<dyn PageReader>,
) -> Result<(ColumnReaderImpl<Int32Type>, ArrayRef)> {
    let page = pages.get_next_page()?;
    let Some(Page::DictionaryPage { buf, num_values, is_sorted, .. }) = page else {
        return Err(ParquetError::General("a dictionary is missing".into()));
    };
    let words = Arc::new(words(&buf, num_values)?);
    let places: Vec<u8> = (0..num_values).flat_map(u32::to_le_bytes).collect();
    let first = Page::DictionaryPage { buf: places.into(), num_values, encoding: Encoding::PLAIN, is_sorted };
    let numbers = Type::primitive_type_builder(column.name(), Physical::INT32).build()?;
    let levels = (column.max_def_level(), column.max_rep_level());
    let column = ColumnDescriptor::new(Arc::new(numbers), levels.0, levels.1, column.path().clone());
    let pages = Box::new(Numbered { first: Some(first), pages });
    Ok((ColumnReaderImpl::new(Arc::new(column), pages), words))
}

/// The texts of a dictionary, each after its length.
fn words(mut bytes: &[u8], count: u32) -> Result<StringArray> {
    let cut_off = || ParquetError::EOF("a dictionary is cut off".into());
    if bytes.len() / 4 < count as usize {
        return Err(cut_off());
    }
    let mut texts = Vec::with_capacity(bytes.len() - 4 * count as usize);
    let mut ends = Vec::with_capacity(count as usize + 1);
    ends.push(0);
    for _ in 0..count {
        let (length, rest) = bytes.split_first_chunk().ok_or_else(cut_off)?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(cut_off)?;
        texts.extend_from_slice(text);
        ends.push(
            i32::try_from(texts.len())
                .map_err(|_| ParquetError::General("a dictionary is too large".into()))?,
        );
        bytes = rest;
    }
    text_array(texts, ends, None)
}

/// An array of texts, checked to be such.
pub fn text_array(
    texts: Vec<u8>,
    ends: Vec<i32>,
    nulls: Option<arrow_buffer::NullBuffer>,
) -> Result<StringArray> {
    let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
    StringArray::try_new(ends, Buffer::from_vec(texts), nulls)
        .map_err(|error| ParquetError::General(error.to_string()))
}

/// The pages of a column with another dictionary.
struct Numbered {
    first: Option<Page>,
    pages: Box<dyn PageReader>,
}

impl PageReader for Numbered {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        if self.first.is_some() {
            return Ok(self.first.take());
        }
        let page = self.pages.get_next_page()?;
        match page.as_ref().map(Page::encoding) {
            None | Some(Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY) => Ok(page),
            Some(other) => {
                Err(ParquetError::General(format!("a page is {other}, not coded as it should be")))
            }
        }
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

impl Iterator for Numbered {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
