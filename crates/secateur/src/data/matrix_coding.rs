//! From a matrix that someone else holds to a coded table: its columns are coded where they are.
//!
//! A table of the same numbers would take twice the memory of a matrix of 32 bits. Here a column of such numbers becomes codes at once, and
//! any other one is copied alone, for as long as it is coded.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::coding::{NumberCoding, code, without_columns};
use super::matrix::{Matrix, Numbers};
use super::rank::Ranker;
use super::{CodedColumn, CodedTable, Column, Roles, Table, Values, floats};
use crate::error::{Error, Place, Result};
use crate::memory;
use crate::schema::{Attribute, AttributeKind, Schema, ShownAs};
use crate::threads;

/// Columns that are coded together: a line of the processor's cache holds as many numbers of a row.
const TOGETHER: usize = 16;
/// Rows of which these columns are read before the next.
const ROWS: usize = 1 << 10;

impl CodedTable {
    /// Codes the columns of a matrix, for the target (and the weights) in a table. The rest is as in a table that has all of them.
    pub(crate) fn of_matrix(
        matrix: &Matrix,
        names: &[String],
        table: Table,
        roles: &Roles,
        numbers: NumberCoding,
    ) -> Result<Self> {
        check(matrix, names, &table)?;
        let (cast, numbers, mut coded) = without_columns(&table, roles, numbers)?;
        if !cast.attributes.is_empty() {
            return Err(Error::parameter("a matrix goes with a table of its target and weights alone"));
        }
        drop(table);
        let attribute = |name: &String| Attribute {
            name: name.clone(),
            kind: AttributeKind::Numeric,
            shown_as: ShownAs::default(),
        };
        let attributes = names.iter().map(attribute).collect();
        coded.schema = Arc::new(Schema::new(attributes, coded.schema.target.clone()));
        let job = Job { matrix, names, table: &coded.name, roles, numbers };
        let width = names.len().div_ceil(threads::count()).clamp(1, TOGETHER);
        let columns = threads::map_with(names.len().div_ceil(width), Ranker::default, |ranker, group| {
            job.columns(group * width..names.len().min((group + 1) * width), ranker)
        });
        for some in columns {
            coded.columns.extend(some?);
        }
        Ok(coded)
    }
}

/// Whether the matrix and its names fit the table.
fn check(matrix: &Matrix, names: &[String], table: &Table) -> Result<()> {
    if names.len() != matrix.columns() || matrix.rows() != table.rows() {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        return Err(Error::parameter(format!(
            "a matrix of {rows} rows and {columns} columns; expected {} rows and a column for each of {} names",
            table.rows(),
            names.len()
        )));
    }
    let mut seen: HashSet<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
    match names.iter().position(|name| !seen.insert(name)) {
        Some(column) => Err(Error::input(
            Place::file(table.name()).column(column as u64 + 1).attribute(&names[column]),
            "another column has the same name; names must be different",
        )),
        None => Ok(()),
    }
}

/// A matrix that is coded.
struct Job<'a> {
    matrix: &'a Matrix<'a>,
    names: &'a [String],
    table: &'a str,
    roles: &'a Roles,
    numbers: NumberCoding,
}

impl Job<'_> {
    /// Some columns, coded.
    fn columns(&self, places: Range<usize>, ranker: &mut Ranker) -> Result<Vec<CodedColumn>> {
        let mut floats = self.floats(places.clone())?.into_iter();
        let coded = |place| match floats.next().flatten() {
            Some(column) => Ok(column),
            None => self.column(place, ranker),
        };
        places.map(coded).collect()
    }

    /// The columns whose numbers are their own codes; `None` for others, and where a number is not finite.
    fn floats(&self, places: Range<usize>) -> Result<Vec<Option<CodedColumn>>> {
        let Numbers::Single(numbers) = self.matrix.numbers else { return Ok(Vec::new()) };
        let rows = self.matrix.rows();
        let is_worth = |place: usize| {
            self.numbers == NumberCoding::Floats
                && floats::are_worth_it(rows, |row| self.matrix.number(row, place))
        };
        let chosen: Vec<usize> = places.clone().filter(|&place| is_worth(place)).collect();
        let mut coded: Vec<floats::Coder> = Vec::new();
        for _ in &chosen {
            coded.push(floats::Coder::new(rows)?);
        }
        for begin in (0..rows).step_by(ROWS) {
            let some = begin..rows.min(begin + ROWS);
            for (coder, &place) in coded.iter_mut().zip(&chosen) {
                let (first, step) = self.matrix.column(place);
                let cells = &numbers[first + some.start * step..];
                coder.push(cells.iter().step_by(step).take(some.len()));
            }
        }
        let mut columns: Vec<Option<CodedColumn>> = places.clone().map(|_| None).collect();
        for (coder, place) in coded.into_iter().zip(chosen) {
            columns[place - places.start] = coder.finish();
        }
        Ok(columns)
    }

    /// Any column, by way of a copy.
    fn column(&self, place: usize, ranker: &mut Ranker) -> Result<CodedColumn> {
        let mut cells = Vec::new();
        memory::reserve(&mut cells, self.matrix.rows(), "a column of a matrix")?;
        self.matrix.copy_column(place, &mut cells);
        let column = Column { name: self.names[place].clone(), values: Values::Numeric(cells) };
        match column.values.wrong() {
            Some(wrong) => Err(Error::input(
                Place::file(self.table).column(place as u64 + 1).attribute(&column.name),
                wrong,
            )),
            None => code(&column, self.roles, self.numbers, ranker),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Nominal;

    const NAN: f32 = f32::NAN;

    /// Columns of many values, of few, of whole numbers, with gaps, and one that is nothing but gaps.
    fn columns(rows: usize) -> Vec<Vec<f32>> {
        let cell = |row: usize, column: usize| {
            let hash = (row * 2_654_435_761 + column * 40_503) % 1_000_003;
            match column % 5 {
                0 => (hash as f32).sin(),
                1 => (hash % 7) as f32 / 3.0,
                2 => (hash % 1000) as f32 - 500.0,
                3 if hash.is_multiple_of(11) => NAN,
                3 => -(hash as f32).cbrt(),
                _ => NAN,
            }
        };
        (0..19).map(|column| (0..rows).map(|row| cell(row, column)).collect()).collect()
    }

    fn target(rows: usize) -> Column {
        let codes = (0..rows as u32).map(|row| row % 3).collect();
        let levels = ["a", "b", "c"].map(String::from).to_vec();
        Column { name: "class".into(), values: Values::Nominal(Nominal { levels, codes }) }
    }

    fn roles() -> Roles {
        Roles { target: Some("class".into()), ..Roles::default() }
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|place| format!("x{place}")).collect()
    }

    #[test]
    fn a_matrix_is_coded_as_the_table_of_its_columns() {
        for (rows, wanted) in
            [(1 << 16, NumberCoding::Floats), (300, NumberCoding::Floats), (5000, NumberCoding::Ranks)]
        {
            let columns = columns(rows);
            let names = names(columns.len());
            let wide = columns.iter().map(|cells| cells.iter().map(|&x| f64::from(x)).collect());
            let named = names
                .iter()
                .zip(wide)
                .map(|(name, cells)| Column { name: name.clone(), values: Values::Numeric(cells) });
            let table = Table::new("t", named.chain([target(rows)]).collect()).unwrap();
            let expected = super::super::coding::coded_in_place(table, &roles(), wanted).unwrap();
            let by_columns: Vec<f32> = columns.concat();
            let by_rows: Vec<f32> = (0..rows).flat_map(|row| columns.iter().map(move |c| c[row])).collect();
            let wide: Vec<f64> = by_rows.iter().map(|&x| f64::from(x)).collect();
            let width = columns.len();
            for matrix in [
                Matrix::by_rows(Numbers::Single(&by_rows), width),
                Matrix::by_columns(Numbers::Single(&by_columns), width),
                Matrix::by_rows(Numbers::Double(&wide), width),
            ] {
                let code = || {
                    let table = Table::new("t", vec![target(rows)]).unwrap();
                    CodedTable::of_matrix(&matrix, &names, table, &roles(), wanted).unwrap()
                };
                assert_eq!(code(), expected);
                assert_eq!(threads::alone(code), expected);
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused_in_the_words_of_a_table() {
        let rows = 1 << 16;
        let mut cells: Vec<f32> = (0..2 * rows).map(|i| (i as f32).sin()).collect();
        let coded = |cells: &[f32], names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
            let matrix = Matrix::by_rows(Numbers::Single(cells), 2);
            let table = Table::new("t", vec![target(rows)]).unwrap();
            CodedTable::of_matrix(&matrix, &names, table, &roles(), NumberCoding::Floats)
                .map(|_| ())
                .map_err(|error| error.to_string())
        };
        assert_eq!(coded(&cells, &["x", "y"]), Ok(()));
        assert!(coded(&cells, &["x", "x"]).unwrap_err().contains("same name"));
        assert!(coded(&cells, &["x", "class"]).unwrap_err().contains("same name"));
        assert!(coded(&cells, &["x"]).unwrap_err().contains("a column for each of 1 names"));
        for infinite in [f32::INFINITY, f32::NEG_INFINITY] {
            cells[7] = infinite;
            let wrong = coded(&cells, &["x", "y"]).unwrap_err();
            assert!(wrong.contains("row 4") && wrong.contains("'y'"), "{wrong}");
        }
    }
}
