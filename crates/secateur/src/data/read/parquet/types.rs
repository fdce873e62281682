//! What the columns of a Parquet file are in Arrow's types.
//!
//! A file that was written from Arrow's tables carries their schema too. It is asked for what Parquet's own types cannot say:
//! that whole numbers are durations, dates or times counted in seconds, and the zone of timestamps.

use super::arrow_schema::ArrowType;
use arrow_schema::{DataType, TimeUnit};
use parquet::basic::{ConvertedType, LogicalType, TimeUnit as Unit, Type as Physical};
use parquet::schema::types::Type;

/// The type of a column; the error says what is wrong with it.
pub(super) fn data_type(field: &Type, told: Option<&ArrowType>) -> Result<DataType, String> {
    let Type::PrimitiveType { basic_info, physical_type, type_length, scale, precision } = field else {
        return Err(unsupported("nested"));
    };
    if basic_info.has_repetition() && basic_info.repetition() == parquet::basic::Repetition::REPEATED {
        return Err(unsupported("a list"));
    }
    let decimal = match basic_info.logical_type_ref() {
        Some(LogicalType::Decimal(decimal)) => Some((decimal.precision, decimal.scale)),
        None if basic_info.converted_type() == ConvertedType::DECIMAL => Some((*precision, *scale)),
        _ => None,
    };
    let own = match (physical_type, basic_info.logical_type_ref(), decimal) {
        (_, Some(LogicalType::Unknown), _) => DataType::Null,
        (Physical::INT32 | Physical::INT64, _, Some(digits)) => decimals(digits, false)?,
        (Physical::BYTE_ARRAY, _, Some(digits)) => decimals(digits, digits.0 > 38)?,
        (Physical::FIXED_LEN_BYTE_ARRAY, _, Some(digits)) => decimals(digits, *type_length > 16)?,
        (Physical::BOOLEAN, ..) => DataType::Boolean,
        (Physical::FLOAT, ..) => DataType::Float32,
        (Physical::DOUBLE, ..) => DataType::Float64,
        (Physical::INT96, ..) => DataType::Timestamp(TimeUnit::Nanosecond, None),
        (Physical::FIXED_LEN_BYTE_ARRAY, Some(LogicalType::Float16), _) if *type_length == 2 => {
            DataType::Float16
        }
        (Physical::FIXED_LEN_BYTE_ARRAY, ..) => DataType::FixedSizeBinary(*type_length),
        (Physical::BYTE_ARRAY, Some(LogicalType::String | LogicalType::Json), _) => DataType::Utf8,
        (Physical::BYTE_ARRAY, None, _)
            if matches!(basic_info.converted_type(), ConvertedType::UTF8 | ConvertedType::JSON) =>
        {
            DataType::Utf8
        }
        (Physical::BYTE_ARRAY, ..) => DataType::Binary,
        (Physical::INT32, Some(logical), _) => whole(logical, 32)?,
        (Physical::INT64, Some(logical), _) => whole(logical, 64)?,
        (Physical::INT32, None, _) => converted(basic_info.converted_type(), DataType::Int32)?,
        (Physical::INT64, None, _) => converted(basic_info.converted_type(), DataType::Int64)?,
    };
    Ok(match told {
        Some(told) => agreed(own, *physical_type == Physical::INT96, told),
        None => own,
    })
}

fn unsupported(what: &str) -> String {
    format!(
        "its type ({what}) is not supported; expected numbers, text, booleans or times; leave the column out"
    )
}

fn decimals((precision, scale): (i32, i32), wide: bool) -> Result<DataType, String> {
    let wrong = || unsupported(&format!("decimals of {precision} digits, {scale} after the point"));
    let (precision, scale) =
        (precision.try_into().map_err(|_| wrong())?, scale.try_into().map_err(|_| wrong())?);
    Ok(if wide { DataType::Decimal256(precision, scale) } else { DataType::Decimal128(precision, scale) })
}

/// The type of whole numbers of this many bits, in the newer notation.
fn whole(logical: &LogicalType, bits: u8) -> Result<DataType, String> {
    Ok(match logical {
        LogicalType::Integer(int) => match (int.bit_width, int.is_signed, bits) {
            (8, true, 32) => DataType::Int8,
            (16, true, 32) => DataType::Int16,
            (32, true, 32) => DataType::Int32,
            (64, true, 64) => DataType::Int64,
            (8, false, 32) => DataType::UInt8,
            (16, false, 32) => DataType::UInt16,
            (32, false, 32) => DataType::UInt32,
            (64, false, 64) => DataType::UInt64,
            _ => return Err(unsupported(&format!("{logical:?} in {bits} bits"))),
        },
        LogicalType::Date if bits == 32 => DataType::Date32,
        LogicalType::Time(time) => match (time.unit, bits) {
            (Unit::MILLIS, 32) => DataType::Time32(TimeUnit::Millisecond),
            (Unit::MICROS, 64) => DataType::Time64(TimeUnit::Microsecond),
            (Unit::NANOS, 64) => DataType::Time64(TimeUnit::Nanosecond),
            _ => return Err(unsupported(&format!("{logical:?} in {bits} bits"))),
        },
        LogicalType::Timestamp(time) if bits == 64 => {
            let unit = match time.unit {
                Unit::MILLIS => TimeUnit::Millisecond,
                Unit::MICROS => TimeUnit::Microsecond,
                Unit::NANOS => TimeUnit::Nanosecond,
            };
            DataType::Timestamp(unit, time.is_adjusted_to_u_t_c.then(|| "UTC".into()))
        }
        _ => return Err(unsupported(&format!("{logical:?} in {bits} bits"))),
    })
}

/// The type of whole numbers by the older way to say it; `plain` is the one where nothing is said.
fn converted(converted: ConvertedType, plain: DataType) -> Result<DataType, String> {
    let long = plain == DataType::Int64;
    Ok(match converted {
        ConvertedType::NONE => plain,
        ConvertedType::INT_8 if !long => DataType::Int8,
        ConvertedType::INT_16 if !long => DataType::Int16,
        ConvertedType::INT_32 if !long => DataType::Int32,
        ConvertedType::UINT_8 if !long => DataType::UInt8,
        ConvertedType::UINT_16 if !long => DataType::UInt16,
        ConvertedType::UINT_32 if !long => DataType::UInt32,
        ConvertedType::DATE if !long => DataType::Date32,
        ConvertedType::TIME_MILLIS if !long => DataType::Time32(TimeUnit::Millisecond),
        ConvertedType::INT_64 if long => DataType::Int64,
        ConvertedType::UINT_64 if long => DataType::UInt64,
        ConvertedType::TIME_MICROS if long => DataType::Time64(TimeUnit::Microsecond),
        ConvertedType::TIMESTAMP_MILLIS if long => {
            DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()))
        }
        ConvertedType::TIMESTAMP_MICROS if long => {
            DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
        }
        other => return Err(unsupported(&format!("{other} in {plain}"))),
    })
}

/// The type by Parquet's own schema, made more exact by Arrow's where the two agree on what is stored.
fn agreed(own: DataType, is_int96: bool, told: &ArrowType) -> DataType {
    match (&own, told) {
        (DataType::Int32 | DataType::Int64, ArrowType::Timestamp(unit, zone)) => {
            DataType::Timestamp(*unit, zone.clone())
        }
        (DataType::Int32, ArrowType::Time32(unit)) => DataType::Time32(*unit),
        (DataType::Int64, ArrowType::Time64(unit)) => DataType::Time64(*unit),
        (DataType::Int64, ArrowType::Duration(unit)) => DataType::Duration(*unit),
        (DataType::Int64 | DataType::Date32, ArrowType::Date64) => DataType::Date64,
        (DataType::Binary, ArrowType::Text) => DataType::Utf8,
        (DataType::Timestamp(own, _), ArrowType::Timestamp(unit, zone))
            if is_int96 || (own == unit && zone.is_some()) =>
        {
            DataType::Timestamp(*unit, zone.clone())
        }
        _ => own,
    }
}
