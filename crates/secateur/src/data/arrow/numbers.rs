//! Numbers and times of an Arrow array as `f64`.

use super::super::cell::{Cell, cell};
use super::text::{each_text, keys};
use super::{divisor, plain};
use crate::error::shown;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    Float16Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::ArrowNativeType;
use arrow_schema::DataType;

/// Fills cells with the numbers of an array, which has as many; the first cell is that of row `first` (from 0). The error
/// says which row is wrong.
pub(crate) fn fill(cells: &mut [f64], first: usize, array: &ArrayRef) -> Result<(), String> {
    let expected = "expected a finite number or a missing value (null) in a numeric column";
    if plain(array.data_type()).is_string() {
        let mut cells = cells.iter_mut().zip(first + 1..);
        return each_text(array, |text| {
            let Some((place, row)) = cells.next() else { return Ok(()) };
            *place = match text.map(|text| (cell(text.trim()), text)) {
                None | Some((Cell::Missing, _)) => f64::NAN,
                Some((Cell::Number(value), _)) => value,
                Some((_, text)) => return Err(format!("row {row} is {}; {expected}", shown(text))),
            };
            Ok(())
        });
    }
    match array.as_any_dictionary_opt() {
        None => convert(cells, array),
        Some(dictionary) => {
            let mut values = vec![f64::NAN; dictionary.values().len()];
            convert(&mut values, dictionary.values());
            for (cell, key) in cells.iter_mut().zip(keys(dictionary)) {
                *cell = key.and_then(|key| values.get(key).copied()).unwrap_or(f64::NAN);
            }
        }
    }
    let infinite = cells.iter().fold(false, |any, cell| any | cell.is_infinite());
    match cells.iter().position(|cell| infinite && cell.is_infinite()) {
        Some(at) => Err(format!("row {} is {}; {expected}", first + at + 1, cells[at])),
        None => Ok(()),
    }
}

/// Fills cells with numbers of an array without a dictionary, whatever they are.
fn convert(cells: &mut [f64], array: &ArrayRef) {
    let data = array.to_data();
    match array.data_type() {
        DataType::Float64 => widen(cells, data.buffer::<f64>(0), |value| value),
        DataType::Float32 => widen(cells, data.buffer::<f32>(0), f64::from),
        DataType::Float16 => {
            widen(cells, data.buffer::<<Float16Type as ArrowPrimitiveType>::Native>(0), f64::from);
        }
        DataType::Int8 => widen(cells, data.buffer::<i8>(0), f64::from),
        DataType::Int16 => widen(cells, data.buffer::<i16>(0), f64::from),
        DataType::Int32 | DataType::Time32(_) => widen(cells, data.buffer::<i32>(0), f64::from),
        DataType::Date32 => widen(cells, data.buffer::<i32>(0), |days| f64::from(days) * 86_400.0),
        DataType::Int64
        | DataType::Date64
        | DataType::Time64(_)
        | DataType::Timestamp(..)
        | DataType::Duration(_) => widen(cells, data.buffer::<i64>(0), |value| value as f64),
        DataType::UInt8 => widen(cells, data.buffer::<u8>(0), f64::from),
        DataType::UInt16 => widen(cells, data.buffer::<u16>(0), f64::from),
        DataType::UInt32 => widen(cells, data.buffer::<u32>(0), f64::from),
        DataType::UInt64 => widen(cells, data.buffer::<u64>(0), |value| value as f64),
        DataType::Decimal32(_, scale) => decimals::<Decimal32Type>(cells, array, *scale, |x| Some(x.into())),
        DataType::Decimal64(_, scale) => decimals::<Decimal64Type>(cells, array, *scale, Some),
        DataType::Decimal128(_, scale) => {
            decimals::<Decimal128Type>(cells, array, *scale, |x| x.try_into().ok())
        }
        DataType::Decimal256(_, scale) => {
            decimals::<Decimal256Type>(cells, array, *scale, |x| x.to_i128()?.try_into().ok());
        }
        DataType::Boolean => {
            cells.iter_mut().zip(array.as_boolean().values()).for_each(|(cell, bit)| *cell = f64::from(bit));
        }
        _ => cells.fill(f64::NAN),
    }
    if let Some(nulls) = array.nulls().filter(|nulls| nulls.null_count() > 0) {
        for (cell, valid) in cells.iter_mut().zip(nulls) {
            *cell = if valid { *cell } else { f64::NAN };
        }
    }
    let scale = divisor(array.data_type()).unwrap_or(1.0);
    if scale != 1.0 && array.data_type().primitive_width() == Some(8) {
        seconds(cells, data.buffer::<i64>(0), scale as i64);
    } else if scale != 1.0 {
        cells.iter_mut().for_each(|cell| *cell /= scale);
    }
}

/// Fills cells that are not NaN with seconds from this many parts of one each. Whole seconds and the rest are converted apart: the same
/// time gives the same number, whatever unit it is counted in.
fn seconds(cells: &mut [f64], counts: &[i64], per_second: i64) {
    for (cell, count) in cells.iter_mut().zip(counts) {
        if !cell.is_nan() {
            let (whole, rest) = (count.div_euclid(per_second), count.rem_euclid(per_second));
            *cell = whole as f64 + rest as f64 / per_second as f64;
        }
    }
}

/// Copies numbers; nulls become anything.
fn widen<T: ArrowNativeType>(cells: &mut [f64], numbers: &[T], wide: impl Fn(T) -> f64) {
    cells.iter_mut().zip(numbers).for_each(|(cell, &number)| *cell = wide(number));
}

/// Copies decimals, each rounded once; `whole` gives the digits as a number where that holds them.
fn decimals<D: DecimalType>(
    cells: &mut [f64],
    array: &ArrayRef,
    scale: i8,
    whole: impl Fn(D::Native) -> Option<i64>,
) {
    // Up to these, whole numbers and powers of ten are exact, and a quotient or product of two is rounded once.
    const EXACT: u64 = 1 << 53;
    const POWER: u8 = 22;
    let power = (scale.unsigned_abs() <= POWER).then(|| 10f64.powi(scale.unsigned_abs().into()));
    for (cell, &digits) in cells.iter_mut().zip(array.as_primitive::<D>().values()) {
        let small = whole(digits).filter(|digits| digits.unsigned_abs() < EXACT);
        *cell = match (small, power) {
            (Some(digits), Some(power)) if scale >= 0 => digits as f64 / power,
            (Some(digits), Some(power)) => digits as f64 * power,
            _ => D::format_decimal(digits, u8::MAX, scale).parse().unwrap_or(f64::NAN),
        };
    }
}
