//! The schema that programs which write Parquet files from Arrow's tables store beside Parquet's own.
//!
//! It is one message of Arrow's format (a [FlatBuffer](https://flatbuffers.dev/internals/) in base64), of which only the names and
//! types of columns are read here. A damaged one is as good as none.

use arrow_schema::TimeUnit;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::sync::Arc;

/// What Arrow's schema says of a column that Parquet's own may not say.
#[derive(Debug, PartialEq)]
pub(super) enum ArrowType {
    Text,
    Date64,
    Time32(TimeUnit),
    Time64(TimeUnit),
    Timestamp(TimeUnit, Option<Arc<str>>),
    Duration(TimeUnit),
    /// Parquet's schema says it as well.
    Other,
}

/// The name under which files have it.
pub(super) const KEY: &str = "ARROW:schema";

/// The names and types of the columns.
pub(super) fn columns(text: &str) -> Option<Vec<(String, ArrowType)>> {
    const SCHEMA: u8 = 1;
    let bytes = BASE64_STANDARD.decode(text).ok()?;
    // Newer files have a mark and the length before it.
    let bytes = bytes.strip_prefix(&[255; 4]).map_or(&bytes[..], |rest| rest.get(4..).unwrap_or_default());
    let message = Object { bytes, at: u32_at(bytes, 0)? };
    (message.byte(1, 0)? == SCHEMA).then_some(())?;
    let columns = message.object(2)?.objects(1)?;
    columns.into_iter().map(|column| Some((column.text(0)?.to_string(), told(column)?))).collect()
}

fn told(column: Object) -> Option<ArrowType> {
    let Some(kind) = column.object(3) else { return Some(ArrowType::Other) };
    Some(match column.byte(2, 0)? {
        5 | 20 | 24 => ArrowType::Text,
        8 if kind.byte(0, 1)? == 1 => ArrowType::Date64,
        9 if kind.byte(1, 32)? == 32 => ArrowType::Time32(unit(kind.byte(0, 1)?)?),
        9 => ArrowType::Time64(unit(kind.byte(0, 1)?)?),
        10 => ArrowType::Timestamp(unit(kind.byte(0, 0)?)?, kind.text(1).map(Arc::from)),
        18 => ArrowType::Duration(unit(kind.byte(0, 1)?)?),
        _ => ArrowType::Other,
    })
}

fn unit(number: u8) -> Option<TimeUnit> {
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    [Second, Millisecond, Microsecond, Nanosecond].get(usize::from(number)).copied()
}

/// A table of a FlatBuffer: it begins with the way back to a list of where its fields are.
#[derive(Clone, Copy)]
struct Object<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Object<'a> {
    /// Where a field is, if it is there.
    fn field(self, slot: usize) -> Option<usize> {
        let back = u32_at(self.bytes, self.at)? as u32 as i32;
        let list = usize::try_from(i64::try_from(self.at).ok()? - i64::from(back)).ok()?;
        let place = 4 + 2 * slot;
        let offset = if place < u16_at(self.bytes, list)? { u16_at(self.bytes, list + place)? } else { 0 };
        (offset > 0).then_some(self.at + offset)
    }

    /// Where that is to which a field points.
    fn target(self, slot: usize) -> Option<usize> {
        let field = self.field(slot)?;
        Some(field + u32_at(self.bytes, field)?)
    }

    /// The lowest byte of a number; those read here are small.
    fn byte(self, slot: usize, default: u8) -> Option<u8> {
        self.field(slot).map_or(Some(default), |at| self.bytes.get(at).copied())
    }

    fn object(self, slot: usize) -> Option<Object<'a>> {
        self.target(slot).map(|at| Object { at, ..self })
    }

    fn objects(self, slot: usize) -> Option<Vec<Object<'a>>> {
        let list = self.target(slot)?;
        let places = (0..u32_at(self.bytes, list)?).map(|number| list + 4 + 4 * number);
        places.map(|at| Some(Object { at: at + u32_at(self.bytes, at)?, ..self })).collect()
    }

    fn text(self, slot: usize) -> Option<&'a str> {
        let at = self.target(slot)?;
        let bytes = self.bytes.get(at + 4..)?.get(..u32_at(self.bytes, at)?)?;
        std::str::from_utf8(bytes).ok()
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?).into())
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?).try_into().ok()
}
