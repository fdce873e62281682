//! What mistakes cost: a loss matrix with named axes.

use std::sync::Arc;

use super::class_names;
use crate::error::{Error, Result, shown};

/// The cost of predicting one class when another is right. Without a matrix every mistake costs 1.
///
/// Costs know their classes by name: where they meet a table or a tree they take its order of the classes
/// ([`bound`](Self::bound)), or are refused.
#[derive(Debug, Clone, PartialEq)]
pub struct Costs {
    classes: Vec<String>,
    /// Row by row: actual class, then predicted class.
    matrix: Vec<f64>,
}

/// One entry of a loss matrix, by names.
#[derive(Debug, Clone, PartialEq)]
pub struct CostEntry {
    /// The class that is right.
    pub actual: String,
    /// The class that is predicted.
    pub predicted: String,
    /// What that costs.
    pub cost: f64,
}

impl Costs {
    /// A matrix from its entries; mistakes that are not named cost 1, right answers 0.
    ///
    /// ```
    /// use secateur::schema::{CostEntry, Costs};
    /// let entry = CostEntry { actual: "bad".into(), predicted: "good".into(), cost: 5.0 };
    /// let costs = Costs::new(&["good".into(), "bad".into()], &[entry])?;
    /// assert_eq!((costs.cost(1, 0), costs.cost(0, 1), costs.cost(0, 0)), (5.0, 1.0, 0.0));
    /// // Three good and one bad: calling them bad costs 3, calling them good costs 5.
    /// assert_eq!(costs.label(&[3.0, 1.0]), 1);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn new(classes: &[String], entries: &[CostEntry]) -> Result<Self> {
        let code = |name: &str| {
            let place = classes.iter().position(|c| c == name);
            place.ok_or_else(|| class_names::no_class("costs", name, classes))
        };
        let n = classes.len();
        let mut matrix: Vec<f64> = (0..n * n).map(|i| if i / n == i % n { 0.0 } else { 1.0 }).collect();
        let mut seen = vec![false; n * n];
        for entry in entries {
            let place = code(&entry.actual)? * n + code(&entry.predicted)?;
            let pair = format!("actual {}, predicted {}", shown(&entry.actual), shown(&entry.predicted));
            if std::mem::replace(&mut seen[place], true) {
                return Err(Error::parameter(format!("costs: {pair} is given twice")));
            }
            if !is_cost(entry.cost) {
                return Err(Error::parameter(format!(
                    "costs: {pair} is {}; expected a number from 0 to 1e15",
                    entry.cost
                )));
            }
            matrix[place] = entry.cost;
        }
        Self::from_matrix(classes, matrix)
    }

    /// A matrix from its numbers, row by row (actual, then predicted), in the order of the classes.
    pub fn from_matrix(classes: &[String], matrix: Vec<f64>) -> Result<Self> {
        class_names::check("costs", classes)?;
        let n = classes.len();
        if n.checked_mul(n) != Some(matrix.len()) {
            return Err(Error::parameter(format!("costs: {} numbers for {n} classes", matrix.len())));
        }
        if let Some(x) = matrix.iter().find(|x| !is_cost(**x)) {
            return Err(Error::parameter(format!("costs: {x}; expected numbers from 0 to 1e15")));
        }
        if matrix.iter().all(|x| *x == 0.0) && n > 1 {
            return Err(Error::parameter("costs: nothing costs anything"));
        }
        Ok(Self { classes: classes.to_vec(), matrix })
    }

    /// The same costs with the classes in this order.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use secateur::schema::{CostEntry, Costs};
    /// let entry = CostEntry { actual: "bad".into(), predicted: "good".into(), cost: 5.0 };
    /// let costs = Arc::new(Costs::new(&["good".into(), "bad".into()], &[entry])?);
    /// assert_eq!(costs.bound(&["bad".into(), "good".into()])?.cost(0, 1), 5.0);
    /// assert!(costs.bound(&["bad".into(), "ugly".into()]).is_err());
    /// # Ok::<(), secateur::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the classes are not those of the costs.
    pub fn bound(self: &Arc<Self>, classes: &[String]) -> Result<Arc<Self>> {
        if self.classes == classes {
            return Ok(self.clone());
        }
        let places = class_names::places("costs", &self.classes, classes)?;
        let row = |&actual: &usize| places.iter().map(move |&predicted| self.cost(actual, predicted));
        Ok(Arc::new(Self { classes: classes.to_vec(), matrix: places.iter().flat_map(row).collect() }))
    }

    /// The classes, in the order of the numbers.
    pub fn classes(&self) -> &[String] {
        &self.classes
    }

    /// The numbers, row by row (actual, then predicted).
    pub fn matrix(&self) -> &[f64] {
        &self.matrix
    }

    /// The largest cost; 1 where there is one class, and no mistake to make.
    pub fn largest(&self) -> f64 {
        let largest = self.matrix.iter().copied().fold(0.0, f64::max);
        if largest > 0.0 { largest } else { 1.0 }
    }

    /// What it costs to predict `predicted` when `actual` is right.
    pub fn cost(&self, actual: usize, predicted: usize) -> f64 {
        self.matrix[actual * self.classes.len() + predicted]
    }

    /// The cost of giving rows with these class weights one label.
    pub fn risk(&self, weights: &[f64], label: usize) -> f64 {
        weights.iter().enumerate().map(|(actual, w)| w * self.cost(actual, label)).sum()
    }

    /// The label that costs least, the first of equal ones; costs that differ by rounding alone are equal.
    pub fn label(&self, weights: &[f64]) -> usize {
        // Twice over the labels and not once over a list of risks: a row that is scored allocates nothing.
        let mut risks = (0..self.classes.len()).map(|label| self.risk(weights, label));
        let least = risks.clone().fold(f64::INFINITY, f64::min);
        let limit = least + super::decide::TOLERANCE * least.abs();
        risks.position(|risk| risk <= limit).unwrap_or(0)
    }
}

fn is_cost(x: f64) -> bool {
    (0.0..=1e15).contains(&x)
}
