//! A matrix of numbers that someone else holds: read where it is.

/// The numbers of a matrix, in one piece.
#[derive(Debug, Clone, Copy)]
pub enum Numbers<'a> {
    /// Of 32 bits.
    Single(&'a [f32]),
    /// Of 64 bits.
    Double(&'a [f64]),
}

impl Numbers<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Single(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
        }
    }
}

/// A matrix of numbers: a line for each row of a table, a column for each attribute, in its order. NaN is missing.
///
/// ```
/// use secateur::predict::{Matrix, Numbers};
/// use secateur::tree::Model;
/// # let json = r#"{"format": "secateur-model", "version": 1, "scheme": "cart", "attributes": [{"name": "age", "type": "numeric"}, {"name": "size", "type": "numeric"}],
/// #     "target": {"type": "number", "name": "price"}, "nodes": [
/// #         {"split": {"attribute": "age", "less_than": 40}, "first_child": 1, "rows": 2, "weight": 2, "mean": 2, "mse": 1},
/// #         {"parent": 0, "rows": 1, "weight": 1, "mean": 1, "mse": 0}, {"parent": 0, "rows": 1, "weight": 1, "mean": 3, "mse": 0}]}"#;
/// let model = Model::from_json("m.json", json.as_bytes())?; // or Model::load
/// let matrix = Matrix::by_rows(Numbers::Single(&[21.0, 5.0, 60.0, 7.0]), 2);
/// assert_eq!(model.tree.predict_matrix(&matrix)?.values, [1.0, 3.0]);
/// # Ok::<(), secateur::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Matrix<'a> {
    pub(crate) numbers: Numbers<'a>,
    rows: usize,
    columns: usize,
    by_rows: bool,
}

impl<'a> Matrix<'a> {
    /// One row after the other.
    pub fn by_rows(numbers: Numbers<'a>, columns: usize) -> Self {
        Self { numbers, rows: numbers.len() / columns.max(1), columns, by_rows: true }
    }

    /// One column after the other.
    pub fn by_columns(numbers: Numbers<'a>, columns: usize) -> Self {
        Self { by_rows: false, ..Self::by_rows(numbers, columns) }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Rows times columns.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Where a column has its first number, and how many steps it is to the next.
    pub(crate) fn column(&self, place: usize) -> (usize, usize) {
        if self.by_rows { (place, self.columns) } else { (place * self.rows, 1) }
    }

    /// A number of a column.
    pub(super) fn number(&self, row: usize, column: usize) -> f64 {
        let (first, step) = self.column(column);
        match self.numbers {
            Numbers::Single(numbers) => f64::from(numbers[first + row * step]),
            Numbers::Double(numbers) => numbers[first + row * step],
        }
    }

    /// Adds all numbers of a column to a list.
    pub(super) fn copy_column(&self, column: usize, cells: &mut Vec<f64>) {
        let (first, step) = self.column(column);
        match self.numbers {
            _ if self.rows == 0 => {}
            Numbers::Single(numbers) => {
                cells.extend(numbers[first..].iter().step_by(step).take(self.rows).map(|&x| f64::from(x)));
            }
            Numbers::Double(numbers) => cells.extend(numbers[first..].iter().step_by(step).take(self.rows)),
        }
    }
}
