//! Rows of a matrix of numbers that someone else holds: predicted where they are, without a table.

use super::Predictions;
use super::binding::{Source, tested};
use super::router::Router;
use crate::data::{Matrix, Numbers};
use crate::error::{Error, Result};
use crate::schema::AttributeKind;
use crate::tree::{LeafValues, Tree};

/// Where the numbers of a column are.
fn source<'a>(matrix: &Matrix<'a>, place: usize) -> Source<'a> {
    let (first, step) = matrix.column(place);
    match matrix.numbers {
        Numbers::Single(numbers) => Source::Single { numbers, first, step },
        Numbers::Double(numbers) if step == 1 => Source::Numbers(&numbers[first..first + matrix.rows()]),
        Numbers::Double(numbers) => Source::Double { numbers, first, step },
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
        if matrix.columns() != attributes.len() {
            let (has, wants) = (matrix.columns(), attributes.len());
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
            sources.push(if tested { source(matrix, place) } else { Source::Nothing });
        }
        let router = Router::new(self, matrix.rows(), sources);
        router.ask_for_memory()?;
        Ok(router.predict(values))
    }
}
