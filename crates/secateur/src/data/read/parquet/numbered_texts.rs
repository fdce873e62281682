//! Texts as numbers of words: those of a dictionary, and those that pages spell out.
//!
//! The decoder of whole numbers does the work: it is given the same pages, but with the place of a word instead of the word. So no
//! text is copied or counted by itself, and the codes of a dictionary come out as they are.

use super::pages::values_start;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use bytes::Bytes;
use parquet::basic::{Encoding, Type as Physical};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::Int32Type;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor, Type};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Whether the texts of a column in a row group can be numbered: not where they are stored as differences.
pub(super) fn can_be_numbered(chunk: &ColumnChunkMetaData) -> bool {
    use Encoding::{DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY};
    !chunk.encodings().any(|encoding| matches!(encoding, DELTA_BYTE_ARRAY | DELTA_LENGTH_BYTE_ARRAY))
}

/// A reader of the numbers, and the words they stand for.
pub(super) fn numbered(
    column: &ColumnDescPtr,
    pages: Box<dyn PageReader>,
) -> Result<(ColumnReaderImpl<Int32Type>, Words)> {
    let words = Words(Arc::new(Mutex::new(Known { dictionary: None, pages: VecDeque::new(), count: 0 })));
    let numbers = Type::primitive_type_builder(column.name(), Physical::INT32).build()?;
    let levels = column.max_def_level();
    let column =
        ColumnDescriptor::new(Arc::new(numbers), levels, column.max_rep_level(), column.path().clone());
    let pages = Box::new(Numbered { words: words.clone(), pages, has_levels: levels > 0 });
    Ok((ColumnReaderImpl::new(Arc::new(column), pages), words))
}

/// The words of a column that are still needed.
#[derive(Clone)]
pub(super) struct Words(Arc<Mutex<Known>>);

struct Known {
    dictionary: Option<ArrayRef>,
    pages: VecDeque<Spelled>,
    /// How many words there have been.
    count: i32,
}

/// A page that spells out its words.
struct Spelled {
    /// The number of its first word.
    first: i32,
    bytes: Bytes,
    /// Where they begin and end.
    places: Vec<(u32, u32)>,
}

impl Words {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The texts of the next rows, given their numbers.
    pub(super) fn array(&self, numbers: Vec<i32>, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
        let mut known = self.lock();
        match &known.dictionary {
            Some(dictionary) if known.pages.is_empty() => {
                let codes = Int32Array::new(numbers.into(), nulls);
                let array = DictionaryArray::try_new(codes, dictionary.clone());
                Ok(Arc::new(array.map_err(general)?))
            }
            _ => {
                let array = known.spelled_out(&numbers, nulls)?;
                // What comes next can be in the last page, but in none before.
                let done = known.pages.len().saturating_sub(1);
                known.pages.drain(..done);
                Ok(Arc::new(array))
            }
        }
    }
}

impl Known {
    fn spelled_out(&self, numbers: &[i32], nulls: Option<NullBuffer>) -> Result<StringArray> {
        let dictionary: Option<&StringArray> =
            self.dictionary.as_ref().and_then(|words| words.as_any().downcast_ref());
        let mut texts = Vec::with_capacity(numbers.len() * 8);
        let mut ends = Vec::with_capacity(numbers.len() + 1);
        ends.push(0);
        // Pages spell out their words in the order of the rows.
        let mut pages = self.pages.iter().peekable();
        for (row, &number) in numbers.iter().enumerate() {
            if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
                while pages.peek().is_some_and(|page| page.ends_before(number)) {
                    pages.next();
                }
                let word = match dictionary {
                    Some(words) if (number as usize) < words.len() => words.value(number as usize).as_bytes(),
                    _ => pages
                        .peek()
                        .and_then(|page| page.word(number))
                        .ok_or_else(|| general("a word is missing"))?,
                };
                texts.extend_from_slice(word);
            }
            ends.push(i32::try_from(texts.len()).map_err(general)?);
        }
        text_array(texts, ends, nulls)
    }
}

impl Spelled {
    fn ends_before(&self, number: i32) -> bool {
        number >= self.first && (number - self.first) as usize >= self.places.len()
    }

    fn word(&self, number: i32) -> Option<&[u8]> {
        let &(start, end) = self.places.get(usize::try_from(number.checked_sub(self.first)?).ok()?)?;
        self.bytes.get(start as usize..end as usize)
    }
}

/// Where the words of a page are, each of which follows its length.
fn places(bytes: &[u8], most: u32) -> Result<Vec<(u32, u32)>> {
    let cut_off = || ParquetError::EOF("a text is cut off".into());
    u32::try_from(bytes.len()).map_err(general)?;
    let mut places = Vec::with_capacity((most as usize).min(bytes.len() / 4));
    let mut at = 0;
    while at < bytes.len() && places.len() < most as usize {
        let length = bytes.get(at..).and_then(|rest| rest.first_chunk()).ok_or_else(cut_off)?;
        let start = at + size_of::<u32>();
        at = start + u32::from_le_bytes(*length) as usize;
        if at > bytes.len() {
            return Err(cut_off());
        }
        places.push((start as u32, at as u32));
    }
    Ok(places)
}

/// An array of texts, checked to be such.
pub(super) fn text_array(texts: Vec<u8>, ends: Vec<i32>, nulls: Option<NullBuffer>) -> Result<StringArray> {
    let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
    StringArray::try_new(ends, Buffer::from_vec(texts), nulls).map_err(general)
}

/// The pages of a column with numbers for words.
struct Numbered {
    words: Words,
    pages: Box<dyn PageReader>,
    has_levels: bool,
}

impl Numbered {
    /// The dictionary, which has a number for each of its words.
    fn dictionary(&self, bytes: &[u8], count: u32) -> Result<Bytes> {
        let places = places(bytes, count)?;
        if places.len() < count as usize {
            return Err(general("a dictionary is cut off"));
        }
        let mut texts = Vec::with_capacity(bytes.len());
        let mut ends = Vec::with_capacity(places.len() + 1);
        ends.push(0);
        for &(start, end) in &places {
            texts.extend_from_slice(&bytes[start as usize..end as usize]);
            ends.push(i32::try_from(texts.len()).map_err(general)?);
        }
        let mut known = self.words.lock();
        if known.count > 0 {
            return Err(general("a dictionary follows other texts"));
        }
        known.dictionary = Some(Arc::new(text_array(texts, ends, None)?));
        known.numbers(places.len(), Vec::new())
    }

    /// A page that spells out its words, with their numbers instead; they begin at a place, after the levels.
    fn spelled(&self, bytes: &Bytes, start: usize, most: u32) -> Result<Bytes> {
        let levels = bytes.get(..start).ok_or_else(|| general("levels are cut off"))?.to_vec();
        let bytes = bytes.slice(start..);
        let places = places(&bytes, most)?;
        let mut known = self.words.lock();
        let first = known.count;
        let numbers = known.numbers(places.len(), levels)?;
        known.pages.push_back(Spelled { first, bytes, places });
        Ok(numbers)
    }

    fn translated(&self, mut page: Page) -> Result<Page> {
        let start = values_start(&page, self.has_levels).unwrap_or(0);
        match &mut page {
            Page::DictionaryPage { buf, num_values, encoding, .. } => {
                *buf = self.dictionary(buf, *num_values)?;
                *encoding = Encoding::PLAIN;
            }
            Page::DataPage { encoding, .. } | Page::DataPageV2 { encoding, .. } if is_code(*encoding) => {}
            Page::DataPage { buf, num_values, encoding: Encoding::PLAIN, .. }
            | Page::DataPageV2 { buf, num_values, encoding: Encoding::PLAIN, .. } => {
                *buf = self.spelled(buf, start, *num_values)?;
            }
            other => return Err(general(format!("a page is {}, which was not announced", other.encoding()))),
        }
        Ok(page)
    }
}

impl Known {
    /// The next numbers, in bytes that follow others.
    fn numbers(&mut self, count: usize, mut bytes: Vec<u8>) -> Result<Bytes> {
        let first = self.count;
        let end = i32::try_from(count).ok().and_then(|count| first.checked_add(count));
        self.count = end.ok_or_else(|| general("a row group has too many texts"))?;
        bytes.extend((first..self.count).flat_map(i32::to_le_bytes));
        Ok(bytes.into())
    }
}

fn is_code(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY)
}

fn general(error: impl std::fmt::Display) -> ParquetError {
    ParquetError::General(error.to_string())
}

impl PageReader for Numbered {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.pages.get_next_page()?.map(|page| self.translated(page)).transpose()
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
