//! Parquet: every type, and damaged files.

use super::{levels, numbers, options, says, with, words};
use arrow_array::types::Int32Type;
use arrow_array::*;
use arrow_buffer::i256;
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use secateur::data::{Format, ReadOptions, Table};
use std::sync::Arc;

fn file(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    // Small row groups: every file has several.
    written(columns, 2, true)
}

fn written(columns: Vec<(&str, ArrayRef)>, group: usize, dictionary: bool) -> Vec<u8> {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true))).unwrap();
    let mut out = Vec::new();
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(group))
        .set_dictionary_enabled(dictionary)
        .build();
    let mut writer = ArrowWriter::try_new(&mut out, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    out
}

pub fn small() -> Vec<u8> {
    file(vec![("a", Arc::new(Int32Array::from(vec![1])) as ArrayRef)])
}

fn read(bytes: &[u8]) -> Table {
    with(bytes, Format::Parquet, &ReadOptions::default()).unwrap()
}

fn texts() -> Vec<Option<&'static str>> {
    vec![Some("b"), None, Some("a"), Some("NA"), Some("b")]
}

#[test]
fn numbers_of_all_kinds_become_numeric() {
    macro_rules! column {
        ($array:ident, $($value:expr),*) => {
            Arc::new($array::from(vec![Some($($value),*), None, Some(Default::default())])) as ArrayRef
        };
    }
    let half = Float16Array::from_iter([Some(Default::default()), None, None]);
    let columns = vec![
        ("i8", column!(Int8Array, 7)),
        ("i16", column!(Int16Array, 7)),
        ("i32", column!(Int32Array, 7)),
        ("i64", column!(Int64Array, 7)),
        ("u8", column!(UInt8Array, 7)),
        ("u16", column!(UInt16Array, 7)),
        ("u32", column!(UInt32Array, 7)),
        ("u64", column!(UInt64Array, 7)),
        ("f32", column!(Float32Array, 7.0)),
        ("f64", column!(Float64Array, 7.0)),
        (
            "d128",
            Arc::new(
                Decimal128Array::from(vec![Some(700), None, Some(0)])
                    .with_precision_and_scale(10, 2)
                    .unwrap(),
            ),
        ),
        (
            "d256",
            Arc::new(
                Decimal256Array::from(vec![Some(i256::from(70)), None, Some(i256::from(0))])
                    .with_precision_and_scale(50, 1)
                    .unwrap(),
            ),
        ),
        ("date32", column!(Date32Array, 7)),
        ("date64", column!(Date64Array, 7 * 86_400_000)),
        ("s", column!(TimestampSecondArray, 7)),
        ("ms", column!(TimestampMillisecondArray, 7000)),
        ("us", column!(TimestampMicrosecondArray, 7_000_000)),
        ("ns", column!(TimestampNanosecondArray, 7_000_000_000)),
        ("time", column!(Time32MillisecondArray, 7000)),
        ("time64", column!(Time64MicrosecondArray, 7_000_000)),
    ];
    let names: Vec<&str> = columns.iter().map(|c| c.0).collect();
    let table = read(&file(columns));
    for name in names {
        let values = numbers(&table, name);
        assert!(values[0] == 7.0 && values[1].is_nan() && values[2] == 0.0, "{name}: {values:?}");
    }
    let table = read(&file(vec![("half", Arc::new(half) as ArrayRef)]));
    assert_eq!(numbers(&table, "half")[0], 0.0);
}

#[test]
fn text_and_booleans_become_nominal() {
    let dictionary: DictionaryArray<Int32Type> = texts().into_iter().collect();
    let table = read(&file(vec![
        ("utf8", Arc::new(StringArray::from(texts())) as ArrayRef),
        ("large", Arc::new(LargeStringArray::from(texts()))),
        ("view", Arc::new(StringViewArray::from(texts()))),
        ("dictionary", Arc::new(dictionary)),
        ("bool", Arc::new(BooleanArray::from(vec![Some(true), None, Some(true), Some(true), None]))),
        ("null", Arc::new(NullArray::new(5))),
    ]));
    for name in ["utf8", "large", "view", "dictionary"] {
        assert_eq!(words(&table, name), ["b", "?", "a", "?", "b"], "{name}");
        assert_eq!(levels(&table, name), ["b", "a"], "{name}");
    }
    assert_eq!(levels(&table, "bool"), ["false", "true"]);
    assert_eq!(words(&table, "bool"), ["true", "?", "true", "true", "?"]);
    assert!(numbers(&table, "null").iter().all(|v| v.is_nan()));
}

#[test]
fn row_groups_and_encodings_make_no_difference() {
    const ROWS: usize = 20_000;
    let known = |row: usize| row % 11 != 3;
    let text = |row: usize| known(row).then(|| format!("value {}", row * row % 301));
    let columns = || {
        let rows = 0..ROWS;
        let texts: StringArray = rows.clone().map(text).collect();
        let coded: DictionaryArray<Int32Type> = texts.iter().collect();
        let whole: Float64Array = rows.clone().map(|row| Some(row as f64 / 7.0)).collect();
        let holes: Float64Array = rows.clone().map(|row| known(row).then_some(row as f64 / 3.0)).collect();
        let single: Float32Array = rows.clone().map(|row| known(row).then_some(row as f32 / 3.0)).collect();
        let integers: Int64Array = rows.clone().map(|row| known(row).then_some(row as i64 - 9)).collect();
        let times: TimestampMillisecondArray = rows.map(|row| known(row).then_some(row as i64)).collect();
        vec![
            ("whole", Arc::new(whole) as ArrayRef),
            ("holes", Arc::new(holes)),
            ("single", Arc::new(single)),
            ("integers", Arc::new(integers)),
            ("times", Arc::new(times)),
            ("texts", Arc::new(texts)),
            ("coded", Arc::new(coded)),
        ]
    };
    for (group, dictionary) in [(ROWS, true), (ROWS, false), (7_001, true), (7_001, false), (1_000, true)] {
        let table = read(&written(columns(), group, dictionary));
        let same = |name: &str, value: &dyn Fn(usize) -> f64| {
            for (row, found) in numbers(&table, name).iter().enumerate() {
                let expected = if name == "whole" || known(row) { value(row) } else { f64::NAN };
                assert_eq!(found.to_bits(), expected.to_bits(), "{name} {row}");
            }
        };
        same("whole", &|row| row as f64 / 7.0);
        same("holes", &|row| row as f64 / 3.0);
        same("single", &|row| f64::from(row as f32 / 3.0));
        same("integers", &|row| row as f64 - 9.0);
        same("times", &|row| row as f64 / 1000.0);
        let mut order: Vec<String> = Vec::new();
        for level in (0..ROWS).filter_map(text) {
            if !order.contains(&level) {
                order.push(level);
            }
        }
        for name in ["texts", "coded"] {
            assert_eq!(levels(&table, name), order, "{name}");
            let expected = (0..ROWS).map(|row| text(row).unwrap_or_else(|| "?".into()));
            assert!(words(&table, name).into_iter().eq(expected), "{name}");
        }
    }
}

#[test]
fn options_force_types() {
    let bytes = file(vec![
        (
            "i",
            Arc::new(Int64Array::from(vec![Some(10), Some(9), None, Some(-1), Some(i64::MAX)])) as ArrayRef,
        ),
        ("f", Arc::new(Float64Array::from(vec![Some(10.0), Some(9.5), None, Some(f64::NAN), Some(9.5)]))),
        ("d", Arc::new(Date32Array::from(vec![Some(1), Some(0), None, None, None]))),
        ("t", Arc::new(StringArray::from(vec![Some("1"), Some(" 2.5 "), None, Some("?"), Some("-3")]))),
        ("b", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, None, None]))),
    ]);
    let table = with(&bytes, Format::Parquet, &options(&["i", "f", "d"], &["t", "b"], &[])).unwrap();
    assert_eq!(levels(&table, "i"), ["-1", "9", "10", "9223372036854775807"]);
    assert_eq!(words(&table, "i"), ["10", "9", "?", "-1", "9223372036854775807"]);
    assert_eq!(words(&table, "f"), ["10", "9.5", "?", "?", "9.5"]);
    assert_eq!(levels(&table, "f"), ["9.5", "10"]);
    assert_eq!(levels(&table, "d"), ["1970-01-01", "1970-01-02"]);
    assert_eq!(numbers(&table, "t")[..2], [1.0, 2.5]);
    assert_eq!(numbers(&table, "b")[..2], [1.0, 0.0]);
    let error = with(
        file(vec![("t", Arc::new(StringArray::from(texts())) as ArrayRef)]),
        Format::Parquet,
        &options(&[], &["t"], &[]),
    );
    says(error.unwrap_err(), "f, column 1, attribute 't'", &["row 1 is 'b'", "expected a finite number"]);
}

#[test]
fn what_is_not_supported_is_named_and_can_be_left_out() {
    let list = ListArray::from_iter_primitive::<Int32Type, _, _>([Some(vec![Some(1)]), None]);
    let bytes = file(vec![
        ("a", Arc::new(Int32Array::from(vec![1, 2])) as ArrayRef),
        ("list", Arc::new(list)),
        ("raw", Arc::new(BinaryArray::from(vec![&b"x"[..], b"y"]))),
        ("z", Arc::new(Int32Array::from(vec![3, 4]))),
    ]);
    let error = with(&bytes, Format::Parquet, &ReadOptions::default()).unwrap_err();
    says(error, "f, column 2, attribute 'list'", &["not supported", "--ignore"]);
    let error = with(&bytes, Format::Parquet, &options(&[], &[], &["list"])).unwrap_err();
    says(error, "f, column 3, attribute 'raw'", &["Binary", "--ignore"]);
    let table = with(&bytes, Format::Parquet, &options(&[], &[], &["list", "raw"])).unwrap();
    assert_eq!(numbers(&table, "z"), [3.0, 4.0]);
    let error = with(&bytes, Format::Parquet, &options(&["zz"], &[], &[])).unwrap_err();
    says(error, "f", &["there is no column 'zz'"]);
}

#[test]
fn infinity_and_no_rows_are_errors() {
    let infinite = vec![("x", Arc::new(Float64Array::from(vec![1.0, 2.0, f64::INFINITY])) as ArrayRef)];
    let error = with(file(infinite), Format::Parquet, &ReadOptions::default()).unwrap_err();
    says(error, "f, column 1, attribute 'x'", &["row 3 is inf", "expected a finite number"]);
    let infinite = vec![("x", Arc::new(Float64Array::from(vec![1.0, 2.0, -f64::INFINITY])) as ArrayRef)];
    let error = with(written(infinite, 9, true), Format::Parquet, &ReadOptions::default()).unwrap_err();
    says(error, "f, column 1, attribute 'x'", &["row 3 is -inf", "expected a finite number"]);
    let empty = file(vec![("x", Arc::new(Float64Array::from(Vec::<f64>::new())) as ArrayRef)]);
    says(with(empty, Format::Parquet, &ReadOptions::default()).unwrap_err(), "f", &["no rows"]);
}

#[test]
fn damaged_files_are_errors() {
    let bytes = small();
    for length in [4, 8, bytes.len() / 2, bytes.len() - 1] {
        let error = with(&bytes[..length], Format::Parquet, &ReadOptions::default()).unwrap_err();
        says(error, "f", &["damaged or cut off"]);
    }
    let error = with("a,b\n1,2\n", Format::Parquet, &ReadOptions::default()).unwrap_err();
    says(error, "f", &["not a Parquet file"]);
}

proptest! {
    #[test]
    fn damage_never_panics(at in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut bytes = file(vec![
            ("a", Arc::new(Int32Array::from((0..9).collect::<Vec<_>>())) as ArrayRef),
            ("b", Arc::new(StringArray::from((0..9).map(|i| format!("t{}", i % 3)).collect::<Vec<_>>()))),
        ]);
        for (index, byte) in at {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        let _ = with(&bytes, Format::Parquet, &ReadOptions::default());
    }
}
