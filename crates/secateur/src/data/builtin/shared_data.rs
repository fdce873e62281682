//! Comparing built-in tables with files of the benchmark collection, for tests only.

use super::super::{Table, Values};

/// The cells of a row as a file would have them.
fn written(table: &Table, row: usize) -> String {
    let cell = |values: &Values| match values {
        Values::Numeric(numbers) => numbers[row].to_string(),
        Values::Nominal(nominal) => nominal.levels[nominal.codes[row] as usize].clone(),
    };
    table.columns().iter().map(|c| cell(&c.values)).collect::<Vec<_>>().join(",")
}

/// The cells of a line, numbers written as [`written`] does.
fn normal(line: &str) -> String {
    let cell = |cell: &str| cell.parse::<f64>().map_or(cell.to_string(), |number| number.to_string());
    line.split(',').map(|text| cell(text.trim())).collect::<Vec<_>>().join(",")
}

/// Panics unless the table has the names, values and rows of the file, in its order, after some rows are skipped.
/// Without the collection the test is skipped.
pub(super) fn same_rows(file: &str, table: &Table, skip: usize) {
    let Some(folder) = secateur_testing::data() else { return };
    let path = folder.join("classification").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let attributes: Vec<_> = text.lines().filter_map(|l| l.strip_prefix("@attribute ")).collect();
    assert_eq!(attributes.len(), table.columns().len());
    for (line, column) in attributes.iter().zip(table.columns()) {
        let kind = match &column.values {
            Values::Numeric(_) => "numeric".to_string(),
            Values::Nominal(nominal) => format!("{{{}}}", nominal.levels.join(",")),
        };
        assert_eq!(*line, format!("{} {kind}", column.name));
    }
    let lines = text.lines().filter(|l| !l.is_empty() && !l.starts_with(['@', '%'])).skip(skip);
    let expected: Vec<_> = lines.map(normal).collect();
    let made: Vec<_> = (0..table.rows()).map(|row| written(table, row)).collect();
    assert_eq!(made, expected);
}

/// How many rows have each value of the last column, in the order of its list.
pub(super) fn class_counts(table: &Table) -> Vec<usize> {
    let Values::Nominal(class) = &table.columns().last().unwrap().values else { panic!("not nominal") };
    let count = |code| class.codes.iter().filter(|&&c| c as usize == code).count();
    (0..class.levels.len()).map(count).collect()
}

/// The numbers of a column.
pub(super) fn numbers<'a>(table: &'a Table, name: &str) -> &'a [f64] {
    match &table.columns()[table.position(name).unwrap()].values {
        Values::Numeric(numbers) => numbers,
        Values::Nominal(_) => panic!("{name} is not numeric"),
    }
}

/// The codes of a column.
pub(super) fn codes<'a>(table: &'a Table, name: &str) -> &'a [u32] {
    match &table.columns()[table.position(name).unwrap()].values {
        Values::Numeric(_) => panic!("{name} is not nominal"),
        Values::Nominal(nominal) => &nominal.codes,
    }
}

/// Mean and variance.
pub(super) fn moments(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / n;
    (mean, values.map(|v| (v - mean).powi(2)).sum::<f64>() / n)
}
