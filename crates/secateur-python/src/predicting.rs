//! Rows that come to a fitted tree: as a matrix, or as columns that are bound to it by their names.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use secateur::Error;
use secateur::data::{Column, Table, Values};
use secateur::error::shown;
use secateur::predict::{LeafValues, PredictionSets, Predictions, Predictor, Scored, Scorer, Unseen};
use secateur::prune::k_norm::KNorm;
use secateur::schema::{Attribute, AttributeKind};

use crate::columns::{Columns, Matrix};
use crate::failure::exception;
use crate::model::Model;
use crate::scoring::{FEW, score_columns, score_matrix};
use crate::work;

/// Predictions for fewer cells take less time than starting a thread.
const SMALL: usize = 1 << 16;

/// Rows to predict, as Python gives them.
pub(crate) enum Rows<'py> {
    Columns(PyRef<'py, Columns>),
    Matrix(Matrix<'py>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Rows<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<Columns>() {
            Ok(columns) => Ok(Self::Columns(columns.to_owned().borrow())),
            Err(_) => object.extract().map(Self::Matrix),
        }
    }
}

impl Model {
    /// Binds rows to the tree and works on them; `strict` refuses values that the tree has never seen.
    pub(crate) fn with_rows<T: Send>(
        &self,
        py: Python<'_>,
        columns: &Columns,
        strict: bool,
        threads: usize,
        work: impl FnOnce(&Predictor) -> secateur::Result<T> + Send,
    ) -> PyResult<T> {
        let shown = columns.shown();
        let mut columns = columns.take()?;
        self.blank(&mut columns);
        let cells = columns.len() * columns.first().map_or(0, |column| column.values.len());
        let threads = if cells < SMALL { 1 } else { threads };
        work::run(py, threads, None, move |_| {
            let shown = columns.iter().map(|c| shown.get(&c.name).copied().unwrap_or_default()).collect();
            let table = Table::new("X", columns)?.with_shown_as(shown);
            let predictor = Predictor::bind(&self.saved.tree, &table)?;
            if strict && !predictor.unseen().is_empty() {
                return Err(never_seen(predictor.unseen()));
            }
            work(&predictor)
        })
    }

    pub(crate) fn tested(&self) -> &[bool] {
        self.tested.get_or_init(|| {
            let tree = &self.saved.tree;
            let mut tested = vec![false; tree.schema().attributes.len()];
            for condition in tree.nodes().iter().filter_map(|node| node.condition.as_ref()) {
                tested[condition.attribute()] = true;
            }
            if !tested.contains(&true) && !tested.is_empty() {
                tested[0] = true;
            }
            tested
        })
    }

    /// The columns of a matrix, under the names of the attributes.
    fn columns_of(&self, matrix: &Matrix) -> Vec<Column> {
        let attributes = self.saved.tree.schema().attributes.iter();
        let named = |(attribute, numbers): (&Attribute, Vec<f64>)| Column {
            name: attribute.name.clone(),
            values: Values::Numeric(numbers),
        };
        attributes.zip(matrix.columns()).map(named).collect()
    }

    /// Whether the tree tests numbers only.
    fn is_of_numbers(&self) -> bool {
        let attributes = self.saved.tree.schema().attributes.iter();
        attributes.zip(self.tested()).all(|(a, tested)| !tested || a.kind == AttributeKind::Numeric)
    }

    /// Whether more than the numbers themselves counts: the tree tests dates or times, which plain numbers are not, or some numbers
    /// are missing values.
    fn looks_at_columns(&self) -> bool {
        let schema = self.saved.tree.schema();
        let mut attributes = schema.attributes.iter().zip(self.tested());
        attributes.any(|(a, tested)| *tested && !(a.shown_as.is_plain() && self.numbers(&a.name).is_empty()))
    }

    /// The numbers of a column that are missing values.
    fn numbers(&self, column: &str) -> Vec<f64> {
        let missing = &self.saved.tree.schema().missing;
        let own = missing.columns.iter().filter(|(name, _)| name == column).flat_map(|(_, words)| words);
        missing.words.iter().chain(own).filter_map(|word| word.parse().ok()).collect()
    }

    /// Takes numbers out of columns that are missing values.
    fn blank(&self, columns: &mut [Column]) {
        for column in columns {
            let gone = self.numbers(&column.name);
            if let (false, Values::Numeric(cells)) = (gone.is_empty(), &mut column.values) {
                cells.iter_mut().filter(|x| gone.contains(*x)).for_each(|x| *x = f64::NAN);
            }
        }
    }

    fn scorer(&self) -> &Scorer {
        self.scorer.get_or_init(|| Scorer::new(self.saved.tree.clone()))
    }

    /// Scores rows one by one where they are few and there is nothing to report of them; says whether it did.
    pub(crate) fn score_few(&self, rows: &Rows, take: impl FnMut(&Scored)) -> PyResult<bool> {
        let done = match rows {
            _ if self.looks_at_columns() => Ok(false),
            Rows::Matrix(matrix) if matrix.size().0 <= FEW && self.is_of_numbers() => {
                score_matrix(self.scorer(), matrix, take)
            }
            Rows::Columns(columns) => columns.seen(|columns| match columns.first() {
                Some(first) if first.values.len() <= FEW => {
                    score_columns(self.scorer(), self.tested(), columns, take)
                }
                _ => Ok(false),
            }),
            Rows::Matrix(_) => Ok(false),
        };
        done.map_err(exception)
    }

    /// What the tree says to many rows.
    pub(crate) fn predict(
        &self,
        py: Python<'_>,
        rows: &Rows,
        values: Option<LeafValues>,
        strict: bool,
        threads: usize,
    ) -> PyResult<Predictions> {
        let tree = &self.saved.tree;
        let values = values.unwrap_or(tree.leaf_values());
        let matrix = match rows {
            Rows::Columns(columns) => {
                return self.with_rows(py, columns, strict, threads, |p| p.try_predict_by(values));
            }
            Rows::Matrix(matrix) => matrix,
        };
        if self.is_of_numbers()
            && !self.looks_at_columns()
            && let Some(matrix) = matrix.in_place().filter(|_| !matrix.has_infinite())
        {
            let threads = if matrix.cells() < SMALL { 1 } else { threads };
            return work::run(py, threads, None, move |_| tree.predict_matrix_by(&matrix, values));
        }
        let columns = Columns::with(self.columns_of(matrix));
        self.with_rows(py, &columns, strict, threads, |p| p.try_predict_by(values))
    }

    /// The sets or intervals of some rows.
    pub(crate) fn sets_of(
        &self,
        py: Python<'_>,
        columns: &Columns,
        level: f64,
        strict: bool,
        threads: usize,
    ) -> PyResult<PredictionSets> {
        self.with_rows(py, columns, strict, threads, |p| p.sets(&p.try_predict()?, level))
    }

    pub(crate) fn judged(&self) -> PyResult<KNorm> {
        let tree = &self.saved.tree;
        if !tree.is_classifier() {
            return Err(PyValueError::new_err("reliability is for trees that predict classes"));
        }
        if tree.costs().is_some() {
            return Err(PyValueError::new_err(
                "reliability is about the error rate, and this tree was made for the least cost",
            ));
        }
        Ok(KNorm::of(tree))
    }
}

/// What is said of values that a tree has never seen.
fn never_seen(unseen: &[Unseen]) -> Error {
    let Unseen { attribute, value, rows } = &unseen[0];
    let more = if unseen.len() > 1 { format!(" and {} more", unseen.len() - 1) } else { String::new() };
    Error::parameter(format!(
        "column {}: the tree has never seen the value {} ({rows} row{}){more}; set handle_unknown='missing' to treat such \
         values as missing",
        shown(attribute),
        shown(value),
        if *rows == 1 { "" } else { "s" },
    ))
}
