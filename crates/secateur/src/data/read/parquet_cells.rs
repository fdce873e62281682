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
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::{CastOptions, cast_with_options};
use arrow::datatypes::{DataType, Float64Type, TimeUnit};

/// A column while it is read.
pub(super) enum Cells {
    Numbers(Vec<f64>),
    Codes { codes: Vec<u32>, levels: Interner<String>, sort: bool },
}

impl Cells {
    /// An empty column; the error says what is wrong with the type.
    pub fn new(data_type: &DataType, choice: Choice, rows: usize) -> Result<Self, String> {
        let data_type = plain(data_type);
        let text = data_type.is_string();
        let boolean = *data_type == DataType::Boolean;
        if !(text || boolean || data_type.is_null() || divisor(data_type).is_some()) {
            return Err(format!(
                "its type {data_type} is not supported; expected numbers, text, booleans or times; \
                 leave the column out (--ignore)"
            ));
        }
        let too_large = |_| "there is not enough memory for its rows".to_string();
        let nominal = match choice {
            Choice::Nominal => true,
            Choice::Numeric => false,
            Choice::Auto | Choice::Ignore => text || boolean,
        };
        if !nominal {
            let mut values = Vec::new();
            values.try_reserve_exact(rows).map_err(too_large)?;
            return Ok(Self::Numbers(values));
        }
        let mut codes = Vec::new();
        codes.try_reserve_exact(rows).map_err(too_large)?;
        let mut levels = Interner::default();
        if boolean {
            levels.code("false");
            levels.code("true");
        }
        Ok(Self::Codes { codes, levels, sort: !text && !boolean })
    }

    /// Adds the cells of an array; the error says which is wrong.
    pub fn push(&mut self, array: &ArrayRef) -> Result<(), String> {
        match self {
            Self::Numbers(values) => push_numbers(values, array),
            Self::Codes { codes, levels, .. } => push_codes(codes, levels, array),
        }
    }

    /// The finished column.
    pub fn finish(self) -> Values {
        match self {
            Self::Numbers(values) => Values::Numeric(values),
            Self::Codes { codes, levels, sort: false } => {
                Values::Nominal(Nominal { levels: levels.into_levels(), codes })
            }
            Self::Codes { codes, levels, sort: true } => sorted(levels.into_levels(), codes),
        }
    }
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

fn push_numbers(values: &mut Vec<f64>, array: &ArrayRef) -> Result<(), String> {
    let mut array = converted(array, plain(array.data_type()))?;
    let expected = "expected a finite number or a missing value (null) in a numeric column";
    if array.data_type().is_string() {
        return each_text(&array, |text| {
            let row = values.len() + 1;
            values.push(match text.map(|text| (cell(text.trim()), text)) {
                None | Some((Cell::Missing, _)) => f64::NAN,
                Some((Cell::Number(value), _)) => value,
                Some((_, text)) => return Err(format!("row {row} is {}; {expected}", shown(text))),
            });
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
    let array = converted(&array, &DataType::Float64)?;
    for value in array.as_primitive::<Float64Type>() {
        let value = value.map_or(f64::NAN, |value| value / scale);
        if value.is_infinite() {
            return Err(format!("row {} is {value}; {expected}", values.len() + 1));
        }
        values.push(value);
    }
    Ok(())
}

fn push_codes(codes: &mut Vec<u32>, levels: &mut Interner<String>, array: &ArrayRef) -> Result<(), String> {
    let code = |text: &str, levels: &mut Interner<String>| {
        if is_missing(text) { MISSING } else { levels.code(text) }
    };
    if let (DataType::Dictionary(_, values), Some(dictionary)) =
        (array.data_type(), array.as_any_dictionary_opt())
        && values.is_string()
    {
        if dictionary.values().is_empty() {
            codes.extend(std::iter::repeat_n(MISSING, array.len()));
            return Ok(());
        }
        let mut texts = Vec::with_capacity(dictionary.values().len());
        each_text(dictionary.values(), |text| {
            texts.push(text.map(str::to_string));
            Ok(())
        })?;
        // A value of the dictionary gets its number when a row first has it.
        let mut known: Vec<Option<u32>> = vec![None; texts.len()];
        for (row, key) in dictionary.normalized_keys().into_iter().enumerate() {
            codes.push(match &texts[key] {
                Some(text) if array.is_valid(row) => *known[key].get_or_insert_with(|| code(text, levels)),
                _ => MISSING,
            });
        }
        return Ok(());
    }
    let array = converted(array, plain(array.data_type()))?;
    if array.data_type().is_string() {
        return each_text(&array, |text| {
            codes.push(text.map_or(MISSING, |text| code(text, levels)));
            Ok(())
        });
    }
    let floating = array.data_type().is_floating();
    each_text(&converted(&array, &DataType::Utf8)?, |text| {
        let text = text.map(|t| if floating { t.strip_suffix(".0").unwrap_or(t) } else { t });
        codes.push(text.map_or(MISSING, |text| code(text, levels)));
        Ok(())
    })
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
fn sorted(levels: Vec<String>, mut codes: Vec<u32>) -> Values {
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
