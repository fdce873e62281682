//! The values of Arrow arrays as text.

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{
    as_datetime, date32_to_datetime, date64_to_datetime, duration_ns_to_duration, duration_us_to_duration,
    time32ms_to_time, time32s_to_time, time64ns_to_time, time64us_to_time, try_duration_ms_to_duration,
    try_duration_s_to_duration,
};
use arrow_array::timezone::Tz;
use arrow_array::types::*;
use arrow_array::{AnyDictionaryArray, Array, ArrayRef, ArrowPrimitiveType};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use chrono::{SecondsFormat, TimeZone, Utc};

/// For every row its place in the dictionary, if it has a value.
pub(super) fn keys(dictionary: &dyn AnyDictionaryArray) -> impl Iterator<Item = Option<usize>> {
    let array = dictionary.keys();
    // A dictionary without values cannot be asked; its rows are all null.
    let keys = if dictionary.values().is_empty() { Vec::new() } else { dictionary.normalized_keys() };
    let nulls = array.nulls().cloned();
    (0..array.len()).map(move |row| {
        keys.get(row).copied().filter(|_| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)))
    })
}

/// Calls a function with every text of an array of texts, also of one with a dictionary.
pub(super) fn each_text(
    array: &ArrayRef,
    mut take: impl FnMut(Option<&str>) -> Result<(), String>,
) -> Result<(), String> {
    match array.data_type() {
        DataType::Utf8 => array.as_string::<i32>().iter().try_for_each(take),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().try_for_each(take),
        DataType::Utf8View => array.as_string_view().iter().try_for_each(take),
        _ => match array.as_any_dictionary_opt() {
            Some(dictionary) => {
                let mut texts = Texts::new(dictionary.values())?;
                keys(dictionary).try_for_each(|key| match key {
                    Some(key) => take(texts.at(key)?),
                    None => take(None),
                })
            }
            None => (0..array.len()).try_for_each(|_| take(None)),
        },
    }
}

/// The values of an array without a dictionary, one at a time.
pub(super) struct Texts<'a> {
    array: &'a ArrayRef,
    /// Of timestamps that have one.
    zone: Option<Tz>,
    /// The last one written.
    text: String,
}

impl<'a> Texts<'a> {
    /// The error says what is wrong with the type.
    pub(super) fn new(array: &'a ArrayRef) -> Result<Self, String> {
        let zone = match array.data_type() {
            DataType::Timestamp(_, Some(zone)) => Some(zone.parse().map_err(cannot)?),
            _ => None,
        };
        Ok(Self { array, zone, text: String::new() })
    }

    /// The value at a place; `None` for null and NaN.
    pub(super) fn at(&mut self, at: usize) -> Result<Option<&str>, String> {
        if self.array.is_null(at) || self.array.data_type().is_null() {
            return Ok(None);
        }
        match self.array.data_type() {
            DataType::Utf8 => return Ok(Some(self.array.as_string::<i32>().value(at))),
            DataType::LargeUtf8 => return Ok(Some(self.array.as_string::<i64>().value(at))),
            DataType::Utf8View => return Ok(Some(self.array.as_string_view().value(at))),
            _ => {}
        }
        let outside = || {
            let problem = format!("a value is outside the range of {}", self.array.data_type());
            cannot(ArrowError::CastError(problem))
        };
        self.text = number(self.array, at).or_else(|| self.time(at)).ok_or_else(outside)?;
        if self.array.data_type().is_floating() {
            return Ok((self.text != "NaN").then(|| self.text.strip_suffix(".0").unwrap_or(&self.text)));
        }
        Ok(Some(&self.text))
    }

    /// A date, a time, a timestamp or a duration.
    fn time(&self, at: usize) -> Option<String> {
        use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
        let (array, zone) = (self.array, self.zone);
        macro_rules! shown {
            ($form:literal, $convert:ident, $type:ty) => {
                $convert(value::<$type>(array, at)).map(|time| format!($form, time))
            };
        }
        // A duration has a text always.
        let invalid = || Some("<invalid>".to_string());
        match array.data_type() {
            DataType::Date32 => {
                date32_to_datetime(value::<Date32Type>(array, at)).map(|time| format!("{:?}", time.date()))
            }
            DataType::Date64 => shown!("{:?}", date64_to_datetime, Date64Type),
            DataType::Time32(Second) => shown!("{:?}", time32s_to_time, Time32SecondType),
            DataType::Time32(_) => shown!("{:?}", time32ms_to_time, Time32MillisecondType),
            DataType::Time64(Microsecond) => shown!("{:?}", time64us_to_time, Time64MicrosecondType),
            DataType::Time64(_) => shown!("{:?}", time64ns_to_time, Time64NanosecondType),
            DataType::Timestamp(Second, _) => timestamp::<TimestampSecondType>(array, at, zone),
            DataType::Timestamp(Millisecond, _) => timestamp::<TimestampMillisecondType>(array, at, zone),
            DataType::Timestamp(Microsecond, _) => timestamp::<TimestampMicrosecondType>(array, at, zone),
            DataType::Timestamp(Nanosecond, _) => timestamp::<TimestampNanosecondType>(array, at, zone),
            DataType::Duration(Second) => {
                shown!("{}", try_duration_s_to_duration, DurationSecondType).or_else(invalid)
            }
            DataType::Duration(Millisecond) => {
                shown!("{}", try_duration_ms_to_duration, DurationMillisecondType).or_else(invalid)
            }
            DataType::Duration(Microsecond) => {
                Some(duration_us_to_duration(value::<DurationMicrosecondType>(array, at)).to_string())
            }
            DataType::Duration(Nanosecond) => {
                Some(duration_ns_to_duration(value::<DurationNanosecondType>(array, at)).to_string())
            }
            _ => None,
        }
    }
}

/// A number or a boolean.
fn number(array: &ArrayRef, at: usize) -> Option<String> {
    Some(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(at).to_string(),
        DataType::Int8 => value::<Int8Type>(array, at).to_string(),
        DataType::Int16 => value::<Int16Type>(array, at).to_string(),
        DataType::Int32 => value::<Int32Type>(array, at).to_string(),
        DataType::Int64 => value::<Int64Type>(array, at).to_string(),
        DataType::UInt8 => value::<UInt8Type>(array, at).to_string(),
        DataType::UInt16 => value::<UInt16Type>(array, at).to_string(),
        DataType::UInt32 => value::<UInt32Type>(array, at).to_string(),
        DataType::UInt64 => value::<UInt64Type>(array, at).to_string(),
        DataType::Float16 => value::<Float16Type>(array, at).to_string(),
        DataType::Float32 => ryu::Buffer::new().format(value::<Float32Type>(array, at)).into(),
        DataType::Float64 => ryu::Buffer::new().format(value::<Float64Type>(array, at)).into(),
        DataType::Decimal32(_, scale) => decimal::<Decimal32Type>(array, at, *scale),
        DataType::Decimal64(_, scale) => decimal::<Decimal64Type>(array, at, *scale),
        DataType::Decimal128(_, scale) => decimal::<Decimal128Type>(array, at, *scale),
        DataType::Decimal256(_, scale) => decimal::<Decimal256Type>(array, at, *scale),
        _ => return None,
    })
}

fn value<T: ArrowPrimitiveType>(array: &ArrayRef, at: usize) -> T::Native {
    array.as_primitive::<T>().value(at)
}

fn decimal<D: DecimalType>(array: &ArrayRef, at: usize, scale: i8) -> String {
    D::format_decimal(value::<D>(array, at), D::MAX_PRECISION, scale)
}

fn timestamp<T: ArrowPrimitiveType<Native = i64>>(
    array: &ArrayRef,
    at: usize,
    zone: Option<Tz>,
) -> Option<String> {
    let time = as_datetime::<T>(value::<T>(array, at))?;
    Some(match zone {
        None => format!("{time:?}"),
        Some(zone) => {
            let time = Utc.from_utc_datetime(&time).with_timezone(&zone);
            time.to_rfc3339_opts(SecondsFormat::AutoSi, true)
        }
    })
}

fn cannot(error: ArrowError) -> String {
    format!("its values cannot be converted ({error}); leave the column out")
}
