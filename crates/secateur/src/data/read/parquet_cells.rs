//! What the types of a Parquet column become.
//!
//! | Parquet | table |
//! |---|---|
//! | integers, floats, decimals | numeric, rounded to the nearest `f64` |
//! | date | numeric: days since 1970-01-01 |
//! | timestamp | numeric: seconds since 1970-01-01 00:00 UTC, with fractions |
//! | time, duration | numeric: seconds |
//! | boolean | nominal: `false`, `true` |
//! | text, also as dictionary | nominal, in the order of appearance |
//! | null | missing |
//!
//! A column that is no text but asked to be nominal gets its values as text, in their natural order.

use super::cell::{Cell, cell, is_missing};
use super::choice::Choice;
use super::intern::Interner;
use crate::data::{MISSING, Nominal, Values};
use crate::error::shown;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, Float64Array};
use arrow_buffer::ScalarBuffer;
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{DataType, TimeUnit};
use std::sync::Arc;

/// How a column is read.
pub(super) enum Kind {
    Numbers,
    /// Values from a list, which may begin with some.
    Codes {
        levels: Interner<String>,
        /// In their natural order, not that of appearance.
        sort: bool,
    },
}

impl Kind {
    /// The kind for a type; the error says what is wrong with it.
    pub fn new(data_type: &DataType, choice: Choice) -> Result<Self, String> {
        let data_type = plain(data_type);
        let text = data_type.is_string();
        let boolean = *data_type == DataType::Boolean;
        if !(text || boolean || data_type.is_null() || divisor(data_type).is_some()) {
            return Err(format!(
                "its type {data_type} is not supported; expected numbers, text, booleans or times; \
                 leave the column out (--ignore)"
            ));
        }
        let nominal = match choice {
            Choice::Nominal => true,
            Choice::Numeric => false,
            Choice::Auto | Choice::Ignore => text || boolean,
        };
        if !nominal {
            return Ok(Self::Numbers);
        }
        let mut levels = Interner::default();
        if boolean {
            levels.code("false");
            levels.code("true");
        }
        Ok(Self::Codes { levels, sort: !text && !boolean })
    }
}

/// The rows of a column in a row group, while they are read.
pub(super) trait Part: Send {
    /// Adds the cells of an array; the error says which is wrong.
    fn push(&mut self, array: &ArrayRef) -> Result<(), String>;

    /// Whether all rows have their cells.
    fn is_full(&self) -> bool;
}

/// Takes the next rows from those that are still to be filled.
fn next_rows<'c, T>(rest: &mut &'c mut [T], rows: usize) -> Result<&'c mut [T], String> {
    if rows > rest.len() {
        return Err("a row group has more rows than it says; fetch or write the file again".into());
    }
    let (part, tail) = std::mem::take(rest).split_at_mut(rows);
    *rest = tail;
    Ok(part)
}

/// Numbers of a column in a row group.
pub(super) struct Numbers<'c> {
    rest: &'c mut [f64],
    /// The row that comes next, from 0.
    row: usize,
}

impl<'c> Numbers<'c> {
    /// Rows to be filled; the first of them has this number.
    pub fn new(cells: &'c mut [f64], row: usize) -> Self {
        Self { rest: cells, row }
    }
}

impl Part for Numbers<'_> {
    fn push(&mut self, array: &ArrayRef) -> Result<(), String> {
        let cells = next_rows(&mut self.rest, array.len())?;
        let first = self.row;
        self.row += array.len();
        fill_numbers(cells, first, array)
    }

    fn is_full(&self) -> bool {
        self.rest.is_empty()
    }
}

/// Codes of a column in a row group, and what they mean there.
pub(super) struct Codes<'c> {
    cells: &'c mut [u32],
    filled: usize,
    levels: Interner<String>,
    /// The values of the last dictionary, and the codes of those that rows had.
    dictionary: Option<(ArrayRef, Vec<Option<u32>>)>,
}

impl<'c> Codes<'c> {
    /// Rows to be filled.
    pub fn new(cells: &'c mut [u32]) -> Self {
        Self { cells, filled: 0, levels: Interner::default(), dictionary: None }
    }

    /// The rows and the texts of their codes.
    pub fn into_levels(self) -> (&'c mut [u32], Vec<String>) {
        (self.cells, self.levels.into_levels())
    }
}

impl Part for Codes<'_> {
    fn push(&mut self, array: &ArrayRef) -> Result<(), String> {
        let mut rest = self.cells.get_mut(self.filled..).unwrap_or_default();
        let cells = next_rows(&mut rest, array.len())?;
        self.filled += array.len();
        fill_codes(cells, &mut self.levels, &mut self.dictionary, array)
    }

    fn is_full(&self) -> bool {
        self.filled == self.cells.len()
    }
}

/// The memory of an array that nobody else has, if it holds finite `f64` without nulls; else the array.
pub(super) fn without_copy(array: ArrayRef) -> Result<Vec<f64>, ArrayRef> {
    let Some(numbers) = array.as_primitive_opt::<Float64Type>().cloned() else { return Err(array) };
    let infinite = |part: &[f64]| part.iter().fold(false, |any, value| any | value.is_infinite());
    if numbers.null_count() > 0 || numbers.values().chunks(1024).any(infinite) {
        return Err(array);
    }
    drop(array);
    let (_, values, nulls) = numbers.into_parts();
    values.into_inner().into_vec().map_err(|buffer| {
        let values = ScalarBuffer::from(buffer);
        Arc::new(Float64Array::new(values, nulls)) as ArrayRef
    })
}

/// The type of the values, where it is a dictionary.
fn plain(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, values) => values,
        other => other,
    }
}

/// For what is numeric: its integer type if it counts time, and how many of them make a day or second.
fn divisor(data_type: &DataType) -> Option<(Option<DataType>, f64)> {
    let per_second = |unit: &TimeUnit| match unit {
        TimeUnit::Second => 1.0,
        TimeUnit::Millisecond => 1e3,
        TimeUnit::Microsecond => 1e6,
        TimeUnit::Nanosecond => 1e9,
    };
    match data_type {
        DataType::Date32 => Some((Some(DataType::Int32), 1.0)),
        DataType::Date64 => Some((Some(DataType::Int64), 86_400e3)),
        DataType::Time32(unit) => Some((Some(DataType::Int32), per_second(unit))),
        DataType::Time64(unit) | DataType::Timestamp(unit, _) | DataType::Duration(unit) => {
            Some((Some(DataType::Int64), per_second(unit)))
        }
        other => other.is_numeric().then_some((None, 1.0)),
    }
}

fn converted(array: &ArrayRef, to: &DataType) -> Result<ArrayRef, String> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    cast_with_options(array, to, &options)
        .map_err(|error| format!("its values cannot be converted ({error}); leave the column out (--ignore)"))
}

fn fill_numbers(cells: &mut [f64], first: usize, array: &ArrayRef) -> Result<(), String> {
    let mut array = converted(array, plain(array.data_type()))?;
    let expected = "expected a finite number or a missing value (null) in a numeric column";
    if array.data_type().is_string() {
        let mut cells = cells.iter_mut().zip(first + 1..);
        return each_text(&array, |text| {
            let Some((place, row)) = cells.next() else { return Ok(()) };
            *place = match text.map(|text| (cell(text.trim()), text)) {
                None | Some((Cell::Missing, _)) => f64::NAN,
                Some((Cell::Number(value), _)) => value,
                Some((_, text)) => return Err(format!("row {row} is {}; {expected}", shown(text))),
            };
            Ok(())
        });
    }
    let mut scale = 1.0;
    if let Some((integer, divisor)) = divisor(array.data_type()) {
        scale = divisor;
        if let Some(integer) = integer {
            array = converted(&array, &integer)?;
        }
    }
    match array.data_type() {
        DataType::Float64 => widen::<Float64Type>(cells, &array, |value| value),
        DataType::Float32 => widen::<Float32Type>(cells, &array, f64::from),
        DataType::Int32 => widen::<Int32Type>(cells, &array, f64::from),
        DataType::Int64 => widen::<Int64Type>(cells, &array, |value| value as f64),
        _ => widen::<Float64Type>(cells, &converted(&array, &DataType::Float64)?, |value| value),
    }
    if let Some(nulls) = array.logical_nulls().filter(|nulls| nulls.null_count() > 0) {
        for (cell, valid) in cells.iter_mut().zip(&nulls) {
            *cell = if valid { *cell } else { f64::NAN };
        }
    }
    if scale != 1.0 {
        cells.iter_mut().for_each(|cell| *cell /= scale);
    }
    if cells.iter().fold(false, |any, cell| any | cell.is_infinite())
        && let Some(at) = cells.iter().position(|cell| cell.is_infinite())
    {
        return Err(format!("row {} is {}; {expected}", first + at + 1, cells[at]));
    }
    Ok(())
}

/// Copies numbers; nulls become anything.
fn widen<T: ArrowPrimitiveType>(cells: &mut [f64], array: &ArrayRef, wide: impl Fn(T::Native) -> f64) {
    if let Some(numbers) = array.as_primitive_opt::<T>() {
        cells.iter_mut().zip(numbers.values()).for_each(|(cell, &value)| *cell = wide(value));
    }
}

fn fill_codes(
    cells: &mut [u32],
    levels: &mut Interner<String>,
    last: &mut Option<(ArrayRef, Vec<Option<u32>>)>,
    array: &ArrayRef,
) -> Result<(), String> {
    let code = |text: &str, levels: &mut Interner<String>| {
        if is_missing(text) { MISSING } else { levels.code(text) }
    };
    let mut cells = cells.iter_mut();
    if let (DataType::Dictionary(_, values), Some(dictionary)) =
        (array.data_type(), array.as_any_dictionary_opt())
        && values.is_string()
    {
        let values = dictionary.values();
        if values.is_empty() {
            cells.for_each(|cell| *cell = MISSING);
            return Ok(());
        }
        // The batches of a row group mostly share a dictionary.
        if !last.as_ref().is_some_and(|(known, _)| Arc::ptr_eq(known, values)) {
            *last = Some((values.clone(), vec![None; values.len()]));
        }
        let Some((_, known)) = last else { return Ok(()) };
        let nulls = array.nulls();
        // A value of the dictionary gets its number when a row first has it.
        let mut coded = |row: usize, key: usize| match known.get_mut(key) {
            Some(known) if nulls.is_none_or(|nulls| nulls.is_valid(row)) => {
                *known.get_or_insert_with(|| text_at(values, key).map_or(MISSING, |text| code(text, levels)))
            }
            _ => MISSING,
        };
        if let Some(keys) = array.as_dictionary_opt::<Int32Type>() {
            let keys = keys.keys().values().iter().enumerate();
            cells.zip(keys).for_each(|(cell, (row, &key))| *cell = coded(row, key as usize));
        } else {
            let keys = dictionary.normalized_keys().into_iter().enumerate();
            cells.zip(keys).for_each(|(cell, (row, key))| *cell = coded(row, key));
        }
        return Ok(());
    }
    let array = converted(array, plain(array.data_type()))?;
    let mut put = |text: Option<&str>| {
        if let Some(cell) = cells.next() {
            *cell = text.map_or(MISSING, |text| code(text, levels));
        }
        Ok(())
    };
    if array.data_type().is_string() {
        return each_text(&array, put);
    }
    let floating = array.data_type().is_floating();
    each_text(&converted(&array, &DataType::Utf8)?, |text| {
        put(text.map(|t| if floating { t.strip_suffix(".0").unwrap_or(t) } else { t }))
    })
}

/// One text of an array.
fn text_at(array: &ArrayRef, at: usize) -> Option<&str> {
    if array.is_null(at) {
        return None;
    }
    match array.data_type() {
        DataType::LargeUtf8 => Some(array.as_string::<i64>().value(at)),
        DataType::Utf8View => Some(array.as_string_view().value(at)),
        DataType::Utf8 => Some(array.as_string::<i32>().value(at)),
        _ => None,
    }
}

/// Calls a function with every text of an array.
fn each_text(
    array: &ArrayRef,
    mut take: impl FnMut(Option<&str>) -> Result<(), String>,
) -> Result<(), String> {
    match array.data_type() {
        DataType::LargeUtf8 => array.as_string::<i64>().iter().try_for_each(take),
        DataType::Utf8View => array.as_string_view().iter().try_for_each(take),
        DataType::Utf8 => array.as_string::<i32>().iter().try_for_each(take),
        _ => (0..array.len()).try_for_each(|_| take(None)),
    }
}

/// A column with its values in order: as integers, else as numbers, else as text.
pub(super) fn sorted(levels: Vec<String>, mut codes: Vec<u32>) -> Values {
    let mut order: Vec<usize> = (0..levels.len()).collect();
    let integers: Option<Vec<i128>> = levels.iter().map(|level| level.parse().ok()).collect();
    let numbers: Option<Vec<f64>> = levels.iter().map(|level| level.parse().ok()).collect();
    if let Some(integers) = integers {
        order.sort_by_key(|&level| integers[level]);
    } else if let Some(numbers) = numbers {
        order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]).then_with(|| levels[a].cmp(&levels[b])));
    } else {
        order.sort_by_key(|&level| &levels[level]);
    }
    let mut rank = vec![0; levels.len()];
    for (new, &old) in order.iter().enumerate() {
        rank[old] = new as u32;
    }
    for code in codes.iter_mut().filter(|code| **code != MISSING) {
        *code = rank[*code as usize];
    }
    let levels = order.into_iter().map(|level| levels[level].clone()).collect();
    Values::Nominal(Nominal { levels, codes })
}
