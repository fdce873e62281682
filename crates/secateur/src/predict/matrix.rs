//! Rows of a matrix of numbers that someone else holds: predicted where they are, without a table.

use super::Predictions;
use super::binding::{Source, tested};
use super::router::Router;
use crate::error::{Error, Result};
use crate::schema::AttributeKind;
use crate::tree::{LeafValues, Tree};

/// The numbers of a matrix, in one piece.
#[derive(Debug, Clone, Copy)]
pub enum Numbers<'a> {
    /// Of 32 bits.
    Single(&'a [f32]),
    /// Of 64 bits.
    Double(&'a [f64]),
}

/// A matrix of numbers: a row for each row to predict, a column for each attribute of the tree, in its order. NaN is missing.
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
    numbers: Numbers<'a>,
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

    /// Rows times columns.
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Where the numbers of a column are.
    fn column(&self, place: usize) -> Source<'a> {
        let (first, step) = if self.by_rows { (place, self.columns) } else { (place * self.rows, 1) };
        match self.numbers {
            Numbers::Single(numbers) => Source::Single { numbers, first, step },
            Numbers::Double(numbers) if step == 1 => Source::Numbers(&numbers[first..first + self.rows]),
            Numbers::Double(numbers) => Source::Double { numbers, first, step },
        }
    }
}

impl Numbers<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Single(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
        }
    }
}

impl Tree {
    /// Predicts the rows of a matrix, on all threads: as [`predict`](Self::predict) does those of a table, but nothing is copied, and
    /// columns that the tree does not test are not looked at.
    ///
    /// # Errors
    /// When the matrix has another number of columns than the tree has attributes, or the tree tests one that is nominal.
    pub fn predict_matrix(&self, matrix: &Matrix) -> Result<Predictions> {
        self.predict_matrix_by(matrix, self.leaf_values())
    }

    /// The same with other leaf values than the tree's own.
    ///
    /// # Errors
    /// As there, and when the values are not made for what the tree predicts.
    pub fn predict_matrix_by(&self, matrix: &Matrix, values: LeafValues) -> Result<Predictions> {
        values.check(self.task())?;
        let attributes = &self.schema().attributes;
        if matrix.columns != attributes.len() {
            let (has, wants) = (matrix.columns, attributes.len());
            return Err(Error::parameter(format!(
                "a matrix of {has} columns; the tree knows {wants} attributes"
            )));
        }
        let mut sources = Vec::with_capacity(attributes.len());
        for (place, (attribute, tested)) in attributes.iter().zip(tested(self)).enumerate() {
            if tested && attribute.kind != AttributeKind::Numeric {
                return Err(Error::parameter(format!(
                    "attribute {} is nominal; a matrix has numbers only",
                    crate::error::shown(&attribute.name)
                )));
            }
            sources.push(if tested { matrix.column(place) } else { Source::Nothing });
        }
        let router = Router::new(self, matrix.rows, sources);
        router.ask_for_memory()?;
        Ok(router.predict(values))
    }
}
