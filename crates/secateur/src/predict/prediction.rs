//! What a tree says about one row, by the names of the classes; and the short ways to ask it.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use super::binding::{Absent, bind};
use super::{Predictions, Predictor, Row};
use crate::data::Table;
use crate::error::{Error, Result};
use crate::schema::{Cell, Schema, Target, no_class};
use crate::tree::{Model, NodeId, Tree};

/// What a tree says about one row.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    schema: Arc<Schema>,
    label: u32,
    probabilities: Vec<f64>,
    value: f64,
    leaf: u32,
}

impl Prediction {
    /// The predicted class.
    ///
    /// # Errors
    /// When the tree predicts numbers.
    pub fn label(&self) -> Result<&str> {
        let class = self.schema.target.classes().get(self.label as usize);
        class
            .map(String::as_str)
            .ok_or_else(|| Error::parameter("the tree predicts numbers; ask for the value"))
    }

    /// The probability of a class.
    ///
    /// # Errors
    /// When there is no such class, or the tree predicts numbers.
    pub fn probability(&self, class: &str) -> Result<f64> {
        self.label()?;
        let classes = self.schema.target.classes();
        let place = classes.iter().position(|name| name == class);
        place.map(|place| self.probabilities[place]).ok_or_else(|| no_class("probability", class, classes))
    }

    /// All classes with their probabilities; none where the tree predicts numbers.
    pub fn probabilities(&self) -> impl Iterator<Item = (&str, f64)> {
        let classes = self.schema.target.classes().iter().map(String::as_str);
        classes.zip(self.probabilities.iter().copied())
    }

    /// The predicted number.
    ///
    /// # Errors
    /// When the tree predicts classes.
    pub fn value(&self) -> Result<f64> {
        match self.schema.target {
            Target::Number { .. } => Ok(self.value),
            Target::Classes { .. } => Err(Error::parameter("the tree predicts classes; ask for the label")),
        }
    }

    /// The leaf that gets most of the row, the first of equal ones.
    pub fn leaf(&self) -> NodeId {
        self.leaf as usize
    }
}

/// The class or the number.
impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.label() {
            Ok(label) => f.write_str(label),
            Err(_) => write!(f, "{}", self.value),
        }
    }
}

impl Predictions {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.leaf.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.leaf.is_empty()
    }

    /// What the tree says about one row; `None` where there is no such row.
    pub fn get(&self, row: usize) -> Option<Prediction> {
        let width = self.schema.target.classes().len();
        Some(Prediction {
            schema: self.schema.clone(),
            leaf: *self.leaf.get(row)?,
            label: self.labels.get(row).copied().unwrap_or(u32::MAX),
            probabilities: self
                .probabilities
                .get(row * width..(row + 1) * width)
                .unwrap_or_default()
                .to_vec(),
            value: self.values.get(row).copied().unwrap_or(f64::NAN),
        })
    }

    /// What the tree says about every row, in order.
    pub fn iter(&self) -> impl Iterator<Item = Prediction> {
        (0..self.len()).filter_map(|row| self.get(row))
    }
}

impl Tree {
    /// Predicts the rows of a table, on all threads. [`Predictor`] returns more: values it does not know, scores, leaves.
    ///
    /// # Errors
    /// When a column that the tree tests is not there, or has text where the tree was grown with numbers.
    pub fn predict(&self, table: &Table) -> Result<Predictions> {
        Predictor::bind(self, table)?.try_predict()
    }

    /// Predicts one row.
    ///
    /// Columns that are not there are missing values; rows with a value that the tree has never seen go down every branch, as in every
    /// prediction.
    ///
    /// # Errors
    /// When a name is not one of the columns that the tree was grown from, or text stands where it was grown with numbers.
    pub fn predict_row(&self, row: impl Borrow<Row>) -> Result<Prediction> {
        let table = self.table_of(row.borrow())?;
        let (sources, unseen) = bind(self, &table, 0, Absent::IsMissing)?;
        let predictions = Predictor::of(self, &table, sources, unseen).predict();
        predictions.get(0).ok_or_else(|| Error::internal("a row without a prediction"))
    }

    /// One row as the tree sees it: a cell for every attribute that it tests, [`Cell::Missing`] for the others. It is what
    /// [`Tree::decision_path`] and `explain` of the room `report` ask for.
    ///
    /// ```
    /// use secateur::prelude::*;
    ///
    /// let table = secateur::data::builtin::load("iris")?;
    /// let tree = secateur::fit(&table, "class")?.tree;
    /// let cells = tree.cells(row! { "petallength" => 4.4, "petalwidth" => 1.5 })?;
    /// let way: Vec<String> = tree.decision_path(|attribute| cells[attribute]).iter().map(|step| step.text()).collect();
    /// assert_eq!(way[1], "petalwidth < 1.75  (it is 1.5)");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// As those of [`Tree::predict_row`].
    pub fn cells(&self, row: impl Borrow<Row>) -> Result<Vec<Cell>> {
        let table = self.table_of(row.borrow())?;
        let (sources, unseen) = bind(self, &table, 0, Absent::IsMissing)?;
        let predictor = Predictor::of(self, &table, sources, unseen);
        Ok((0..self.schema().attributes.len()).map(|attribute| predictor.cell(0, attribute)).collect())
    }

    /// A table of one row.
    fn table_of(&self, row: &Row) -> Result<Table> {
        let schema = self.schema();
        let mut known = schema.attributes.iter().map(|attribute| attribute.name.as_str());
        for (name, _) in row.iter() {
            if !known.clone().any(|attribute| attribute == name) && name != schema.target.name() {
                return Err(Error::no_column("row", name, known));
            }
        }
        match row.iter().next() {
            Some(_) => row.table(),
            // A table without columns has no rows.
            None => Row::default().with(known.next().unwrap_or("row"), None::<f64>).table(),
        }
    }
}

impl Model {
    /// Predicts the rows of a table: [`Tree::predict`].
    pub fn predict(&self, table: &Table) -> Result<Predictions> {
        self.tree.predict(table)
    }

    /// Predicts one row: [`Tree::predict_row`].
    ///
    /// ```
    /// use secateur::{Error, Table, error::Name, row};
    ///
    /// let table = Table::builder()
    ///     .numeric("age", [21, 25, 33, 46, 52, 60, 24, 55])
    ///     .text("city", ["Lima", "Oslo", "Lima", "Oslo", "Lima", "Oslo", "Lima", "Oslo"])
    ///     .text("buys", ["no", "no", "no", "yes", "yes", "yes", "no", "yes"])
    ///     .build()?;
    /// let model = secateur::fit(&table, "buys")?;
    /// let said = model.predict_row(row! { "age" => 55.0, "city" => "Lima" })?;
    /// assert_eq!(said.label()?, "yes");
    /// assert!(said.probability("no")? < 0.2);
    /// // An age that is not known:
    /// assert_eq!(model.predict_row(row! { "city" => "Rome" })?.probability("no")?, 0.5);
    ///
    /// let misspelt = model.predict_row(row! { "agee" => 55.0 });
    /// assert!(matches!(misspelt, Err(Error::Unknown { what: Name::Column, .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn predict_row(&self, row: impl Borrow<Row>) -> Result<Prediction> {
        self.tree.predict_row(row)
    }
}
