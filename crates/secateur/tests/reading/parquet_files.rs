//! Parquet: every type, and damaged files.

use super::writing::Cells::{self, *};
use super::{levels, numbers, options, says, with, words, writing};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use secateur::data::read::portions::Portions;
use secateur::data::{Format, ReadOptions, Table};
use secateur::schema::ShownAs;

fn file(columns: &[(&str, Cells)]) -> Vec<u8> {
    // Small row groups: every file has several.
    written(columns, 2, true)
}

fn written(columns: &[(&str, Cells)], group: usize, dictionary: bool) -> Vec<u8> {
    writing::file(columns, group, WriterProperties::builder().set_dictionary_enabled(dictionary))
}

pub fn small() -> Vec<u8> {
    file(&[("a", Shorts(vec![Some(1)]))])
}

/// A file that `files/make.py` wrote.
fn made(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/reading/files/{name}.parquet", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn read(bytes: &[u8]) -> Table {
    with(bytes, Format::Parquet, &ReadOptions::default()).unwrap()
}

#[test]
fn numbers_of_all_kinds_become_numeric() {
    for name in ["numbers", "numbers_in_pages_of_version_2", "numbers_as_bytes", "int96"] {
        let table = read(&made(name));
        assert_eq!(table.columns().len(), if name == "int96" { 2 } else { 31 });
        for column in table.columns() {
            let values = numbers(&table, &column.name);
            // Dates are seconds, too.
            let seven = if column.name.starts_with("date") { 7.0 * 86_400.0 } else { 7.0 };
            let all_right = values[0] == seven && values[1].is_nan() && values[2] == 0.0;
            assert!(all_right, "{name}, {}: {values:?}", column.name);
        }
    }
}

#[test]
fn dates_and_times_are_shown_as_such_whole_and_in_portions() {
    let expected = |column: &str| match column {
        _ if column.starts_with("timestamp") || column.starts_with("zoned") => ShownAs::DateTime,
        _ if column.starts_with("date") => ShownAs::Date,
        _ if column.starts_with("time") => ShownAs::Time,
        _ => ShownAs::Plain,
    };
    let shown = |table: &Table| -> Vec<ShownAs> {
        (0..table.columns().len()).map(|column| table.shown_as(column)).collect()
    };
    let path = |name: &str| format!("{}/tests/reading/files/{name}.parquet", env!("CARGO_MANIFEST_DIR"));
    for name in ["numbers", "int96"] {
        let table = read(&made(name));
        let wanted: Vec<ShownAs> = table.columns().iter().map(|column| expected(&column.name)).collect();
        assert_eq!(shown(&table), wanted, "{name}");
        let portions = Portions::open(path(name), &ReadOptions::default()).unwrap();
        assert_eq!(shown(&portions.empty().unwrap()), wanted, "{name}");
        assert_eq!(shown(&portions.sample().unwrap()), wanted, "{name}");
        // Those who ask for numbers get them.
        let column = table.columns()[0].name.as_str();
        let plain = with(made(name), Format::Parquet, &options(&[], &[column], &[])).unwrap();
        assert_eq!(plain.shown_as(0), ShownAs::Plain);
    }
}

#[test]
fn values_as_text_tell_their_type() {
    for (column, text) in [
        ("uint8", "7"),
        ("float16", "7"),
        ("decimal9", "7.00"),
        ("decimal76", "7.00"),
        ("date32", "1970-01-08"),
        ("date64", "1970-01-08T00:00:00"),
        ("timestamp_s", "1970-01-01T00:00:07"),
        ("timestamp_ns", "1970-01-01T00:00:07"),
        ("zoned", "1970-01-01T01:00:07+01:00"),
        ("time_s", "00:00:07"),
        ("time_ns", "00:00:07"),
        ("duration_us", "PT7S"),
        ("dictionary", "7"),
    ] {
        let table = with(made("numbers"), Format::Parquet, &options(&[column], &[], &[])).unwrap();
        assert_eq!(words(&table, column)[..2], [text, "?"], "{column}");
    }
}

#[test]
fn text_and_booleans_become_nominal() {
    let table = read(&made("texts"));
    for name in ["string", "large_string", "string_view", "dictionary"] {
        assert_eq!(words(&table, name), ["b", "?", "a", "NA", "b"], "{name}");
        // Only null is missing.
        assert_eq!(levels(&table, name), ["b", "a", "NA"], "{name}");
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
    let rows = || 0..ROWS;
    let columns = [
        ("whole", Floats(rows().map(|row| Some(row as f64 / 7.0)).collect())),
        ("holes", Floats(rows().map(|row| known(row).then_some(row as f64 / 3.0)).collect())),
        ("single", Singles(rows().map(|row| known(row).then_some(row as f32 / 3.0)).collect())),
        ("integers", Integers(rows().map(|row| known(row).then_some(row as i64 - 9)).collect())),
        ("times", Times(rows().map(|row| known(row).then_some(row as i64)).collect())),
        ("texts", Texts(rows().map(text).collect())),
        // More than a dictionary holds: its first pages have codes, the others texts.
        ("many", Texts(rows().map(|row| Some(format!("{row:0100}"))).collect())),
    ];
    for (group, dictionary) in [(ROWS, true), (ROWS, false), (7_001, true), (7_001, false), (1_000, true)] {
        let table = read(&written(&columns, group, dictionary));
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
        same("times", &|row| (row / 1000) as f64 + (row % 1000) as f64 / 1000.0);
        let mut order: Vec<String> = Vec::new();
        for level in (0..ROWS).filter_map(text) {
            if !order.contains(&level) {
                order.push(level);
            }
        }
        assert_eq!(levels(&table, "texts"), order);
        let expected = (0..ROWS).map(|row| text(row).unwrap_or_else(|| "?".into()));
        assert!(words(&table, "texts").into_iter().eq(expected));
        assert!(words(&table, "many").into_iter().eq((0..ROWS).map(|row| format!("{row:0100}"))));
    }
}

#[test]
fn options_force_types() {
    let text = |text: &str| Some(text.to_string());
    let bytes = file(&[
        ("i", Integers(vec![Some(10), Some(9), None, Some(-1), Some(i64::MAX)])),
        ("f", Floats(vec![Some(10.0), Some(9.5), None, Some(f64::NAN), Some(9.5)])),
        ("d", Dates(vec![Some(1), Some(0), None, None, None])),
        ("t", Texts(vec![text("1"), text(" 2.5 "), None, text("?"), text("-3")])),
        ("b", Truths(vec![Some(true), Some(false), None, None, None])),
    ]);
    let table = with(&bytes, Format::Parquet, &options(&["i", "f", "d"], &["t", "b"], &[])).unwrap();
    assert_eq!(levels(&table, "i"), ["-1", "9", "10", "9223372036854775807"]);
    assert_eq!(words(&table, "i"), ["10", "9", "?", "-1", "9223372036854775807"]);
    assert_eq!(words(&table, "f"), ["10", "9.5", "?", "?", "9.5"]);
    assert_eq!(levels(&table, "f"), ["9.5", "10"]);
    assert_eq!(levels(&table, "d"), ["1970-01-01", "1970-01-02"]);
    assert_eq!(numbers(&table, "t")[..2], [1.0, 2.5]);
    assert_eq!(numbers(&table, "b")[..2], [1.0, 0.0]);
    let error =
        with(file(&[("t", Texts(vec![text("b"), None]))]), Format::Parquet, &options(&[], &["t"], &[]));
    says(error.unwrap_err(), "f, column 1, attribute 't'", &["row 1 is 'b'", "expected a finite number"]);
}

#[test]
fn what_is_not_supported_is_named_and_can_be_left_out() {
    let bytes = made("nested");
    let error = with(&bytes, Format::Parquet, &ReadOptions::default()).unwrap_err();
    says(error, "f, column 2, attribute 'list'", &["not supported", "leave the column out"]);
    let error = with(&bytes, Format::Parquet, &options(&[], &[], &["list"])).unwrap_err();
    says(error, "f, column 3, attribute 'raw'", &["Binary", "leave"]);
    let error = with(&bytes, Format::Parquet, &options(&[], &[], &["list", "raw"])).unwrap_err();
    says(error, "f, column 4, attribute 'struct'", &["nested", "not supported", "leave"]);
    let table = with(&bytes, Format::Parquet, &options(&[], &[], &["list", "raw", "struct"])).unwrap();
    assert_eq!(numbers(&table, "z"), [3.0, 4.0]);
    let error = with(&bytes, Format::Parquet, &options(&["zz"], &[], &[])).unwrap_err();
    says(error, "f", &["there is no column 'zz'"]);
}

#[test]
fn infinity_and_no_rows_are_errors() {
    let column = |last| [("x", Floats(vec![Some(1.0), None, Some(last)]))];
    let error = with(file(&column(f64::INFINITY)), Format::Parquet, &ReadOptions::default()).unwrap_err();
    says(error, "f, column 1, attribute 'x'", &["row 3 is inf", "expected a finite number"]);
    let error = with(written(&column(-f64::INFINITY), 9, true), Format::Parquet, &ReadOptions::default())
        .unwrap_err();
    says(error, "f, column 1, attribute 'x'", &["row 3 is -inf", "expected a finite number"]);
    let empty = file(&[("x", Floats(vec![]))]);
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
        let mut bytes = file(&[
            ("a", Shorts((0..9).map(Some).collect())),
            ("b", Texts((0..9).map(|i| Some(format!("t{}", i % 3))).collect())),
        ]);
        for (index, byte) in at {
            let index = index.index(bytes.len());
            bytes[index] = byte;
        }
        let _ = with(&bytes, Format::Parquet, &ReadOptions::default());
    }

    #[test]
    fn damage_of_a_file_with_all_types_never_panics(
        at in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        for name in ["numbers_as_bytes", "texts"] {
            let mut bytes = made(name);
            for (index, byte) in &at {
                let index = index.index(bytes.len());
                bytes[index] = *byte;
            }
            let _ = with(&bytes, Format::Parquet, &ReadOptions::default());
        }
    }
}
