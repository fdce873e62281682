//! What mistakes cost: a loss matrix with named axes.

use crate::error::{Error, Result, shown, suggestion};

/// The cost of predicting one class when another is right. Without a matrix every mistake costs 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Costs {
    classes: usize,
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
    /// use secateur::tree::{CostEntry, Costs};
    /// let entry = CostEntry { actual: "bad".into(), predicted: "good".into(), cost: 5.0 };
    /// let costs = Costs::new(&["good".into(), "bad".into()], &[entry])?;
    /// assert_eq!((costs.cost(1, 0), costs.cost(0, 1), costs.cost(0, 0)), (5.0, 1.0, 0.0));
    /// // Three good and one bad: calling them bad costs 3, calling them good costs 5.
    /// assert_eq!(costs.label(&[3.0, 1.0]), 1);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn new(classes: &[String], entries: &[CostEntry]) -> Result<Self> {
        let code = |name: &str| {
            classes.iter().position(|c| c == name).ok_or_else(|| {
                let known = classes.iter().map(String::as_str);
                Error::parameter(format!(
                    "costs: there is no class {}{}; the classes are {}",
                    shown(name),
                    suggestion(name, known.clone()),
                    known.take(20).map(shown).collect::<Vec<_>>().join(", ")
                ))
            })
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
            if !(0.0..=1e15).contains(&entry.cost) {
                return Err(Error::parameter(format!(
                    "costs: {pair} is {}; expected a number from 0 to 1e15",
                    entry.cost
                )));
            }
            matrix[place] = entry.cost;
        }
        Self::from_matrix(n, matrix).map_err(Error::parameter)
    }

    /// A matrix, row by row (actual, then predicted).
    pub(crate) fn from_matrix(classes: usize, matrix: Vec<f64>) -> Result<Self, String> {
        if matrix.len() != classes * classes {
            return Err(format!("costs: {} numbers for {classes} classes", matrix.len()));
        }
        if let Some(x) = matrix.iter().find(|x| !(0.0..=1e15).contains(*x)) {
            return Err(format!("costs: {x}; expected numbers from 0 to 1e15"));
        }
        if matrix.iter().all(|x| *x == 0.0) && classes > 1 {
            return Err("costs: nothing costs anything".into());
        }
        Ok(Self { classes, matrix })
    }

    /// The numbers, row by row (actual, then predicted).
    pub fn matrix(&self) -> &[f64] {
        &self.matrix
    }

    /// The largest cost of a mistake.
    pub fn largest(&self) -> f64 {
        self.matrix.iter().copied().fold(0.0, f64::max)
    }

    /// What it costs to predict `predicted` when `actual` is right.
    pub fn cost(&self, actual: usize, predicted: usize) -> f64 {
        self.matrix[actual * self.classes + predicted]
    }

    /// The cost of giving rows with these class weights one label.
    pub fn risk(&self, weights: &[f64], label: usize) -> f64 {
        weights.iter().enumerate().map(|(actual, w)| w * self.cost(actual, label)).sum()
    }

    /// The label that costs least, the first of equal ones; costs that differ by rounding alone are equal.
    pub fn label(&self, weights: &[f64]) -> usize {
        let risks: Vec<f64> = (0..self.classes).map(|label| self.risk(weights, label)).collect();
        let least = risks.iter().copied().fold(f64::INFINITY, f64::min);
        let limit = least + super::arena::ROOM * least.abs();
        risks.iter().position(|risk| *risk <= limit).unwrap_or(0)
    }
}
