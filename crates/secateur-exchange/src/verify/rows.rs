//! The rows that a consumer is asked about: those of a table, then those made for the edges of the tree.

use std::collections::HashMap;

use secateur::Result;
use secateur::data::{MISSING, Table, Values};
use secateur::predict::{Field, Predictor};
use secateur::schema::{Cell, ShownAs};
use secateur::tree::{Condition, Model, Node, Tree};

use super::edges;
use crate::export::{Inputs, Written};

/// The cells of one input.
#[derive(Debug, Clone, PartialEq)]
pub enum Column {
    /// Numbers, infinite ones too; NaN is a missing value.
    Numbers(Vec<f64>),
    /// Values as text: their list, known to the tree or not, and for every row a place in it or [`MISSING`].
    Texts(Vec<String>, Vec<u32>),
}

/// Rows, with a column for every input of a tree, in the order of [`Inputs`].
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// The columns.
    pub columns: Vec<Column>,
    /// How many rows there are.
    pub count: usize,
}

impl Rows {
    /// No rows yet; values are listed as the tree lists them.
    pub(super) fn new(inputs: &Inputs) -> Self {
        let column = |input: crate::export::Input| match input.is_numeric() {
            true => Column::Numbers(Vec::new()),
            false => Column::Texts(input.values().to_vec(), Vec::new()),
        };
        Self { columns: inputs.iter().map(column).collect(), count: 0 }
    }

    /// The cell of an input, as the tree's scorer takes it.
    pub fn field(&self, row: usize, input: usize) -> Field<'_> {
        match &self.columns[input] {
            Column::Numbers(numbers) if numbers[row].is_nan() => Field::Missing,
            Column::Numbers(numbers) => Field::Number(numbers[row]),
            Column::Texts(_, codes) if codes[row] == MISSING => Field::Missing,
            Column::Texts(levels, codes) => Field::Text(&levels[codes[row] as usize]),
        }
    }

    /// Texts that are no value which the tree knows become missing where the tree takes them for that, as consumers are given none for a
    /// missing value; empty ones also where the format has nothing else for that.
    fn texts_to_missing(&mut self, tree: &Tree, inputs: &Inputs, empty_is_missing: bool) {
        for (column, input) in self.columns.iter_mut().zip(inputs.iter()) {
            if let Column::Texts(levels, codes) = column {
                let known = input.values().len();
                let is_missing = |code: u32| {
                    code as usize >= known
                        && levels.get(code as usize).is_some_and(|text| {
                            empty_is_missing && text.is_empty()
                                || tree.schema().missing.is_missing(input.name(), text)
                        })
                };
                codes.iter_mut().filter(|code| is_missing(**code)).for_each(|code| *code = MISSING);
            }
        }
    }

    /// Rounds the numbers of all rows from one on to 32 bits.
    fn round(&mut self, first: usize) {
        for column in &mut self.columns {
            if let Column::Numbers(numbers) = column {
                numbers[first..].iter_mut().for_each(|x| *x = f64::from(*x as f32));
            }
        }
    }

    /// Keeps the rows for which this is true.
    fn retain(&mut self, keep: &[bool]) {
        fn filter<T: Copy>(cells: &mut Vec<T>, keep: &[bool]) {
            let mut row = 0;
            cells.retain(|_| {
                row += 1;
                keep[row - 1]
            });
        }
        for column in &mut self.columns {
            match column {
                Column::Numbers(numbers) => filter(numbers, keep),
                Column::Texts(_, codes) => filter(codes, keep),
            }
        }
        self.count = keep.iter().filter(|keep| **keep).count();
    }
}

/// All rows, how many of them are edge rows, and how many were left out because they go down the tree in parts and the export knows
/// none. Where it keeps numbers in 32 bits, those of edge rows are such numbers; where the consumer has dates, numbers that stand
/// for dates are whole seconds.
pub(super) fn all(
    model: &Model,
    data: Option<&Table>,
    written: &Written,
    in_dates: bool,
) -> Result<(Rows, usize, usize)> {
    let tree = &model.tree;
    let inputs = Inputs::of(tree);
    let mut rows = Rows::new(&inputs);
    if let Some(table) = data {
        add_table(tree, &inputs, table, &mut rows)?;
    }
    let of_table = rows.count;
    edges::add(tree, &inputs, &mut rows);
    if in_dates {
        for (input, column) in inputs.iter().zip(&mut rows.columns) {
            if let Column::Numbers(numbers) = column {
                numbers.iter_mut().for_each(|x| *x = whole_seconds(input.attribute.shown_as, *x));
            }
        }
    }
    let (mut edge_rows, mut left_out) = (rows.count - of_table, 0);
    rows.texts_to_missing(tree, &inputs, written.empty_is_missing);
    if let Some(cuts) = &written.cuts {
        rows.round(of_table);
        let keep = same_in_32_bits(model, &inputs, &rows, cuts, of_table);
        rows.retain(&keep);
        edge_rows = rows.count - of_table;
    }
    if written.whole_rows_only {
        let whole = super::expected::whole_rows(model, &rows);
        left_out = whole.iter().filter(|whole| !**whole).count();
        edge_rows = whole[of_table..].iter().filter(|whole| **whole).count();
        rows.retain(&whole);
    }
    Ok((rows, edge_rows, left_out))
}

/// For every row from one on whether it takes the same way where thresholds are those of 32 bits. A threshold that was moved to keep the
/// rows of a table apart sends some numbers between them another way.
fn same_in_32_bits(model: &Model, inputs: &Inputs, rows: &Rows, cuts: &[f32], first: usize) -> Vec<bool> {
    let tree = &model.tree;
    let is_same = |row: usize| {
        tree.nodes().iter().zip(cuts).all(|(node, cut)| {
            let Some(Condition::Threshold { attribute, below, .. }) = &node.condition else { return true };
            match rows.field(row, inputs.place(*attribute as usize)) {
                Field::Number(x) => (x < *below) == ((x as f32) < *cut),
                _ => true,
            }
        })
    };
    // Where no threshold was moved, all rows of 32 bits go the same way.
    let is_moved = |(node, cut): (&Node, &f32)| match &node.condition {
        Some(Condition::Threshold { below, .. }) => {
            f64::from(*cut) < *below || f64::from(cut.next_down()) >= *below
        }
        _ => false,
    };
    let moved = tree.nodes().iter().zip(cuts).any(is_moved);
    (0..rows.count).map(|row| row < first || !moved || is_same(row)).collect()
}

fn add_table(tree: &Tree, inputs: &Inputs, table: &Table, rows: &mut Rows) -> Result<()> {
    let predictor = Predictor::bind(tree, table)?;
    for (input, column) in inputs.iter().zip(&mut rows.columns) {
        let cells = (0..table.rows()).map(|row| predictor.cell(row, input.place));
        match column {
            Column::Numbers(numbers) => numbers.extend(cells.map(|cell| match cell {
                Cell::Number(x) => x,
                _ => f64::NAN,
            })),
            Column::Texts(levels, codes) => {
                let values = &table.columns()[table.position(input.name())?].values;
                let mut unseen = HashMap::new();
                for (row, cell) in cells.enumerate() {
                    codes.push(match (cell, text(values, row)) {
                        (Cell::Code(code), _) if code != Cell::UNSEEN => code,
                        (_, Some(text)) => *unseen.entry(text.clone()).or_insert_with(|| {
                            levels.push(text);
                            levels.len() as u32 - 1
                        }),
                        (_, None) => MISSING,
                    });
                }
            }
        }
    }
    rows.count += table.rows();
    Ok(())
}

/// A cell as text; none where it is missing.
fn text(values: &Values, row: usize) -> Option<String> {
    match values {
        Values::Numeric(numbers) => (!numbers[row].is_nan()).then(|| numbers[row].to_string()),
        Values::Nominal(nominal) => nominal.levels.get(nominal.codes[row] as usize).cloned(),
    }
}

/// A number that a column of dates or times can hold; none where it cannot.
fn whole_seconds(shown_as: ShownAs, x: f64) -> f64 {
    // From the year 69 to 3871, which every database knows.
    let (first, last) = match shown_as {
        ShownAs::Plain => return x,
        ShownAs::Time => (0.0, 86_399.0),
        ShownAs::Date | ShownAs::DateTime => (-6e10, 6e10),
    };
    if (first..=last).contains(&x) { x.floor() } else { f64::NAN }
}
