//! Parquet files for tests, by the writers of single columns.

use parquet::basic::{LogicalType, TimeUnit, Type as Physical};
use parquet::data_type::*;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// The cells of a column, each of which may be missing.
#[allow(dead_code, reason = "two test programs share this")]
pub enum Cells {
    Floats(Vec<Option<f64>>),
    Singles(Vec<Option<f32>>),
    Integers(Vec<Option<i64>>),
    Shorts(Vec<Option<i32>>),
    /// Days since 1970.
    Dates(Vec<Option<i32>>),
    /// Milliseconds since 1970.
    Times(Vec<Option<i64>>),
    Truths(Vec<Option<bool>>),
    Texts(Vec<Option<String>>),
}

use Cells::*;

impl Cells {
    fn rows(&self) -> usize {
        match self {
            Floats(cells) => cells.len(),
            Singles(cells) => cells.len(),
            Integers(cells) | Times(cells) => cells.len(),
            Shorts(cells) | Dates(cells) => cells.len(),
            Truths(cells) => cells.len(),
            Texts(cells) => cells.len(),
        }
    }

    fn field(&self, name: &str) -> Type {
        let (physical, logical) = match self {
            Floats(_) => (Physical::DOUBLE, None),
            Singles(_) => (Physical::FLOAT, None),
            Integers(_) => (Physical::INT64, None),
            Shorts(_) => (Physical::INT32, None),
            Dates(_) => (Physical::INT32, Some(LogicalType::Date)),
            Times(_) => (Physical::INT64, Some(LogicalType::timestamp(false, TimeUnit::MILLIS))),
            Truths(_) => (Physical::BOOLEAN, None),
            Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        Type::primitive_type_builder(name, physical).with_logical_type(logical).build().unwrap()
    }
}

/// The bytes of a file with row groups of this many rows.
pub fn file(columns: &[(&str, Cells)], group: usize, properties: WriterPropertiesBuilder) -> Vec<u8> {
    let fields = columns.iter().map(|(name, cells)| Arc::new(cells.field(name))).collect();
    let schema = Type::group_type_builder("table").with_fields(fields).build().unwrap();
    let mut bytes = Vec::new();
    let properties: WriterProperties = properties.build();
    let mut file = SerializedFileWriter::new(&mut bytes, schema.into(), properties.into()).unwrap();
    let rows = columns.first().map_or(0, |(_, cells)| cells.rows());
    for first in (0..rows).step_by(group) {
        let mut writer = file.next_row_group().unwrap();
        let part = first..rows.min(first + group);
        for (_, cells) in columns {
            match cells {
                Floats(cells) => write::<DoubleType>(&mut writer, &cells[part.clone()]),
                Singles(cells) => write::<FloatType>(&mut writer, &cells[part.clone()]),
                Integers(cells) | Times(cells) => write::<Int64Type>(&mut writer, &cells[part.clone()]),
                Shorts(cells) | Dates(cells) => write::<Int32Type>(&mut writer, &cells[part.clone()]),
                Truths(cells) => write::<BoolType>(&mut writer, &cells[part.clone()]),
                Texts(cells) => {
                    let texts: Vec<Option<ByteArray>> =
                        cells[part.clone()].iter().map(|text| text.as_deref().map(ByteArray::from)).collect();
                    write::<ByteArrayType>(&mut writer, &texts);
                }
            }
        }
        writer.close().unwrap();
    }
    file.close().unwrap();
    bytes
}

fn write<T: DataType>(group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>, cells: &[Option<T::T>]) {
    let values: Vec<T::T> = cells.iter().flatten().cloned().collect();
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<T>().write_batch(&values, Some(&levels), None).unwrap();
    column.close().unwrap();
}
