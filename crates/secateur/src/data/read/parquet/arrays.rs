//! A column in a row group as Arrow arrays, a batch of rows at a time.

use super::numbered_texts::{Words, can_be_numbered, numbered, text_array};
use super::pages::Pages;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, BooleanArray, NullArray, PrimitiveArray};
use arrow_buffer::{BooleanBuffer, NullBuffer, i256};
use arrow_schema::{DataType, TimeUnit};
use parquet::column::page::PageReader;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::data_type::{AsBytes, DataType as Stored, Int32Type as StoredInt32, Int96};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ParquetMetaData;
use parquet::file::reader::ChunkReader;
use std::sync::Arc;

/// The rows of a column in a row group that are still to be read.
pub(super) struct Arrays {
    reader: Reader,
    data_type: DataType,
    /// The definition level of a value that is not null.
    present: i16,
    /// The levels of the last batch.
    levels: Vec<i16>,
}

enum Reader {
    /// This many rows without a value.
    Nulls(usize),
    Values(ColumnReader),
    /// Numbers of words, and the words.
    Words(ColumnReaderImpl<StoredInt32>, Words),
}

impl Arrays {
    /// The rows of one column of the file (a leaf of its schema), read as a type, of which no page has more than `most` bytes.
    pub(super) fn new<R: ChunkReader + 'static>(
        file: &Arc<R>,
        metadata: &ParquetMetaData,
        group: usize,
        leaf: usize,
        data_type: &DataType,
        most: u64,
    ) -> Result<Self> {
        let group = metadata.row_group(group);
        let chunk =
            group.columns().get(leaf).ok_or_else(|| ParquetError::EOF("a column is missing".into()))?;
        let rows = usize::try_from(group.num_rows())?;
        let pages: Box<dyn PageReader> = Box::new(Pages::new(file, chunk, rows, most)?);
        let column = metadata.file_metadata().schema_descr().column(leaf);
        let present = column.max_def_level();
        let reader = if *data_type == DataType::Null {
            Reader::Nulls(rows)
        } else if *data_type == DataType::Utf8 && can_be_numbered(chunk) {
            let (numbers, words) = numbered(&column, pages)?;
            Reader::Words(numbers, words)
        } else {
            Reader::Values(get_column_reader(column, pages))
        };
        Ok(Self { reader, data_type: data_type.clone(), present, levels: Vec::new() })
    }

    /// The next rows, at most this many; none at the end.
    pub(super) fn next(&mut self, rows: usize) -> Result<Option<ArrayRef>> {
        let Self { reader, data_type, present, levels } = self;
        let mut levels = Levels { present: *present, levels };
        let array: ArrayRef = match reader {
            Reader::Nulls(rest) => {
                let rows = rows.min(*rest);
                *rest -= rows;
                Arc::new(NullArray::new(rows))
            }
            Reader::Words(reader, words) => {
                let (numbers, nulls) = levels.spaced(reader, rows)?;
                words.array(numbers, nulls)?
            }
            Reader::Values(reader) => decode(reader, rows, data_type, &mut levels)?,
        };
        Ok((!array.is_empty()).then_some(array))
    }

    /// Adds the next rows, at most this many, to numbers, null as NaN. Says how many there were, none if the column has no `f64`.
    pub(super) fn extend(&mut self, numbers: &mut Vec<f64>, rows: usize) -> Result<Option<usize>> {
        let Reader::Values(ColumnReader::DoubleColumnReader(reader)) = &mut self.reader else {
            return Ok(None);
        };
        let mut levels = Levels { present: self.present, levels: &mut self.levels };
        let first = numbers.len();
        let count = levels.read(reader, rows, numbers)?;
        levels.spread(numbers, first, count, f64::NAN);
        Ok(Some(count))
    }
}

/// Values of a batch, and which are there.
type Spaced<T> = (Vec<T>, Option<NullBuffer>);

struct Levels<'a> {
    present: i16,
    levels: &'a mut Vec<i16>,
}

impl Levels<'_> {
    /// Adds the values of the next rows, those that are not null, and says how many rows these are.
    fn read<T: Stored>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        rows: usize,
        values: &mut Vec<T::T>,
    ) -> Result<usize> {
        self.levels.clear();
        let (rows, ..) = reader.read_records(rows, Some(self.levels), None, values)?;
        Ok(rows)
    }

    /// Moves values to their rows, in place.
    fn spread<T: Copy>(&self, values: &mut Vec<T>, first: usize, rows: usize, null: T) {
        let mut from = values.len();
        if from - first == rows {
            return;
        }
        values.resize(first + rows, null);
        let cells = &mut values[..];
        for (row, &level) in self.levels.iter().enumerate().rev() {
            cells[first + row] = if level == self.present {
                from -= 1;
                cells[from]
            } else {
                null
            };
        }
    }

    /// Which of the rows are there, if not all.
    fn nulls(&self, values: usize, rows: usize) -> Option<NullBuffer> {
        (values < rows)
            .then(|| BooleanBuffer::collect_bool(rows, |row| self.levels[row] == self.present).into())
    }

    fn spaced<T: Stored>(&mut self, reader: &mut ColumnReaderImpl<T>, rows: usize) -> Result<Spaced<T::T>>
    where
        T::T: Copy,
    {
        let mut values = Vec::with_capacity(rows);
        let rows = self.read(reader, rows, &mut values)?;
        let nulls = self.nulls(values.len(), rows);
        self.spread(&mut values, 0, rows, T::T::default());
        Ok((values, nulls))
    }

    /// Values of bytes, each turned into something.
    fn bytes<T: Stored, V: Default>(
        &mut self,
        reader: &mut ColumnReaderImpl<T>,
        rows: usize,
        value: impl Fn(&[u8]) -> Result<V>,
    ) -> Result<Spaced<V>> {
        let mut stored = Vec::with_capacity(rows);
        let rows = self.read(reader, rows, &mut stored)?;
        let nulls = self.nulls(stored.len(), rows);
        let mut stored = stored.iter();
        let mut next = || stored.next().map_or_else(|| Ok(V::default()), |bytes| value(bytes.as_bytes()));
        let there = |row| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
        let values = (0..rows).map(|row| if there(row) { next() } else { Ok(V::default()) });
        Ok((values.collect::<Result<_>>()?, nulls))
    }

    fn texts<T: Stored>(&mut self, reader: &mut ColumnReaderImpl<T>, rows: usize) -> Result<ArrayRef> {
        let mut stored = Vec::with_capacity(rows);
        let rows = self.read(reader, rows, &mut stored)?;
        let nulls = self.nulls(stored.len(), rows);
        let mut texts = Vec::with_capacity(stored.iter().map(|text| text.as_bytes().len()).sum());
        let mut ends = Vec::with_capacity(rows + 1);
        ends.push(0);
        let mut stored = stored.iter();
        for row in 0..rows {
            if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
                stored.next().into_iter().for_each(|text| texts.extend_from_slice(text.as_bytes()));
            }
            ends.push(i32::try_from(texts.len()).map_err(general)?);
        }
        Ok(Arc::new(text_array(texts, ends, nulls)?))
    }
}

/// An array of the values, each converted.
fn array<A: ArrowPrimitiveType, T>(
    (values, nulls): Spaced<T>,
    data_type: &DataType,
    convert: impl Fn(T) -> A::Native,
) -> ArrayRef {
    let values: Vec<A::Native> = values.into_iter().map(convert).collect();
    Arc::new(PrimitiveArray::<A>::new(values.into(), nulls).with_data_type(data_type.clone()))
}

fn decode(
    reader: &mut ColumnReader,
    rows: usize,
    data_type: &DataType,
    levels: &mut Levels,
) -> Result<ArrayRef> {
    match reader {
        ColumnReader::BoolColumnReader(reader) => {
            let (values, nulls) = levels.spaced(reader, rows)?;
            Ok(Arc::new(BooleanArray::new(values.into(), nulls)))
        }
        ColumnReader::Int32ColumnReader(reader) => short(levels.spaced(reader, rows)?, data_type),
        ColumnReader::Int64ColumnReader(reader) => long(levels.spaced(reader, rows)?, data_type),
        ColumnReader::Int96ColumnReader(reader) => {
            let convert = match data_type {
                DataType::Timestamp(TimeUnit::Second, _) => Int96::to_seconds,
                DataType::Timestamp(TimeUnit::Millisecond, _) => Int96::to_millis,
                DataType::Timestamp(TimeUnit::Microsecond, _) => Int96::to_micros,
                _ => Int96::to_nanos,
            };
            let (values, nulls) = levels.spaced(reader, rows)?;
            long((values.iter().map(convert).collect(), nulls), data_type)
        }
        ColumnReader::FloatColumnReader(reader) => {
            Ok(array::<Float32Type, _>(levels.spaced(reader, rows)?, data_type, |x| x))
        }
        ColumnReader::DoubleColumnReader(reader) => {
            Ok(array::<Float64Type, _>(levels.spaced(reader, rows)?, data_type, |x| x))
        }
        ColumnReader::ByteArrayColumnReader(reader) if *data_type == DataType::Utf8 => {
            levels.texts(reader, rows)
        }
        ColumnReader::ByteArrayColumnReader(reader) => of_bytes(reader, rows, data_type, levels),
        ColumnReader::FixedLenByteArrayColumnReader(reader) => of_bytes(reader, rows, data_type, levels),
    }
}

/// What is stored in 32 bits.
fn short(batch: Spaced<i32>, data_type: &DataType) -> Result<ArrayRef> {
    const DAY: i64 = 86_400_000;
    Ok(match data_type {
        DataType::Int8 => array::<Int8Type, _>(batch, data_type, |x| x as i8),
        DataType::Int16 => array::<Int16Type, _>(batch, data_type, |x| x as i16),
        DataType::Int32 => array::<Int32Type, _>(batch, data_type, |x| x),
        DataType::UInt8 => array::<UInt8Type, _>(batch, data_type, |x| x as u8),
        DataType::UInt16 => array::<UInt16Type, _>(batch, data_type, |x| x as u16),
        DataType::UInt32 => array::<UInt32Type, _>(batch, data_type, |x| x as u32),
        DataType::Date32 => array::<Date32Type, _>(batch, data_type, |x| x),
        DataType::Date64 => array::<Date64Type, _>(batch, data_type, |x| i64::from(x) * DAY),
        DataType::Time32(TimeUnit::Second) => array::<Time32SecondType, _>(batch, data_type, |x| x),
        DataType::Time32(_) => array::<Time32MillisecondType, _>(batch, data_type, |x| x),
        _ => {
            let (values, nulls) = batch;
            return long((values.into_iter().map(i64::from).collect(), nulls), data_type);
        }
    })
}

/// What is stored in 64 bits.
fn long(batch: Spaced<i64>, data_type: &DataType) -> Result<ArrayRef> {
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    macro_rules! same {
        ($kind:ty) => {
            array::<$kind, _>(batch, data_type, |x| x)
        };
    }
    Ok(match data_type {
        DataType::Int64 => same!(Int64Type),
        DataType::UInt64 => array::<UInt64Type, _>(batch, data_type, |x| x as u64),
        DataType::Date64 => same!(Date64Type),
        DataType::Time64(Microsecond) => same!(Time64MicrosecondType),
        DataType::Time64(_) => same!(Time64NanosecondType),
        DataType::Timestamp(Second, _) => same!(TimestampSecondType),
        DataType::Timestamp(Millisecond, _) => same!(TimestampMillisecondType),
        DataType::Timestamp(Microsecond, _) => same!(TimestampMicrosecondType),
        DataType::Timestamp(Nanosecond, _) => same!(TimestampNanosecondType),
        DataType::Duration(Second) => same!(DurationSecondType),
        DataType::Duration(Millisecond) => same!(DurationMillisecondType),
        DataType::Duration(Microsecond) => same!(DurationMicrosecondType),
        DataType::Duration(Nanosecond) => same!(DurationNanosecondType),
        DataType::Decimal128(..) => array::<Decimal128Type, _>(batch, data_type, i128::from),
        other => return Err(unexpected(other)),
    })
}

/// What is stored as bytes and is not text: decimals, the highest byte first, and short floats.
fn of_bytes<T: Stored>(
    reader: &mut ColumnReaderImpl<T>,
    rows: usize,
    data_type: &DataType,
    levels: &mut Levels,
) -> Result<ArrayRef> {
    type Half = <Float16Type as ArrowPrimitiveType>::Native;
    Ok(match data_type {
        DataType::Float16 => {
            let half = |bytes: &[u8]| bytes.try_into().map(Half::from_le_bytes).map_err(general);
            array::<Float16Type, _>(levels.bytes(reader, rows, half)?, data_type, |x| x)
        }
        DataType::Decimal128(..) => {
            let batch = levels.bytes(reader, rows, |bytes| extended(bytes).map(i128::from_be_bytes))?;
            array::<Decimal128Type, _>(batch, data_type, |x| x)
        }
        DataType::Decimal256(..) => {
            let batch = levels.bytes(reader, rows, |bytes| extended(bytes).map(i256::from_be_bytes))?;
            array::<Decimal256Type, _>(batch, data_type, |x| x)
        }
        other => return Err(unexpected(other)),
    })
}

/// A whole number in more bytes.
fn extended<const N: usize>(bytes: &[u8]) -> Result<[u8; N]> {
    let negative = bytes.first().is_some_and(|&first| first >= 128);
    let mut long = [if negative { 255 } else { 0 }; N];
    let end = N.checked_sub(bytes.len()).and_then(|start| long.get_mut(start..));
    end.ok_or_else(|| general("a decimal has too many bytes"))?.copy_from_slice(bytes);
    Ok(long)
}

fn unexpected(data_type: &DataType) -> ParquetError {
    general(format!("the stored values are not of the type {data_type}"))
}

fn general(error: impl std::fmt::Display) -> ParquetError {
    ParquetError::General(error.to_string())
}
