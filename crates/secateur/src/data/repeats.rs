//! Rows that repeat an earlier one in every column.
//!
//! Folds put copies of a row on both sides: a tree is then judged by rows that it has seen, and its error is reported too low. Equal
//! rows are to be expected where columns have few values (four classes of passengers, two sexes), so there is no note then.

use super::{Note, NoteKind, Table, Values};

/// The share of repeated rows that is worth a note.
const SHARE: f64 = 0.1;
/// A note is given only where this many times more different rows are possible than there are rows.
const ROOM: f64 = 10.0;
/// The different values of a numeric column are counted in its first rows.
const FIRST: usize = 1000;

/// A note on rows that are equal in all of these columns.
pub(super) fn noted(table: &Table, columns: &[usize]) -> Option<Note> {
    let rows = table.rows();
    let values = || columns.iter().map(|&column| &table.columns()[column].values);
    let room: f64 = values().map(|values| different(values) as f64).product();
    if rows < super::notice::ROWS || room < ROOM * rows as f64 {
        return None;
    }
    let mut marks = vec![0u64; rows];
    for values in values() {
        match values {
            Values::Numeric(cells) => mix(&mut marks, cells.iter().map(|x| (x + 0.0).to_bits())),
            Values::Nominal(nominal) => mix(&mut marks, nominal.codes.iter().map(|&code| u64::from(code))),
        }
    }
    marks.sort_unstable();
    let repeated = marks.windows(2).filter(|pair| pair[0] == pair[1]).count();
    let is_much = repeated as f64 >= SHARE * rows as f64;
    is_much.then(|| Note::new(NoteKind::RepeatedRows).cells(repeated, rows))
}

/// Mixes the cells of a column into the mark of every row. Equal rows have equal marks; different rows have equal ones with a
/// probability of about 2⁻⁶⁴.
fn mix(marks: &mut [u64], cells: impl Iterator<Item = u64>) {
    for (mark, cell) in marks.iter_mut().zip(cells) {
        *mark = (*mark ^ cell).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        *mark ^= *mark >> 32;
    }
}

/// How many different values a column has, at least.
fn different(values: &Values) -> usize {
    match values {
        Values::Nominal(nominal) => nominal.levels.len().max(1),
        Values::Numeric(cells) => {
            let mut first: Vec<u64> = cells.iter().take(FIRST).map(|x| (x + 0.0).to_bits()).collect();
            first.sort_unstable();
            first.dedup();
            first.len()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(x: impl Fn(usize) -> f64, rows: usize) -> Table {
        let texts: Vec<String> = (0..rows).map(|row| format!("t{}", x(row) as usize % 3)).collect();
        let numbers = |times: f64| (0..rows).map(|row| times * x(row)).collect::<Vec<_>>();
        Table::builder()
            .numeric("x", numbers(1.0))
            .numeric("y", numbers(0.5))
            .text("z", texts)
            .build()
            .unwrap()
    }

    #[test]
    fn copies_are_counted() {
        let copies = noted(&table(|row| (row / 3) as f64, 300), &[0, 1, 2]).unwrap();
        assert_eq!((copies.kind, copies.cells, copies.of), (NoteKind::RepeatedRows, 200, 300));
        assert_eq!(noted(&table(|row| row as f64, 300), &[0, 1, 2]), None);
        // One row in twenty is too few for a note.
        assert_eq!(noted(&table(|row| row.min(285) as f64, 300), &[0, 1, 2]), None);
    }

    #[test]
    fn coarse_columns_have_equal_rows() {
        assert_eq!(noted(&table(|row| (row % 8) as f64, 300), &[0, 1, 2]), None);
    }
}
