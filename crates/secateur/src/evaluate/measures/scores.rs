//! How good labels, probabilities and numbers are: pure functions of what was right, what was said, and weights.

use crate::route::LEAST_PROBABILITY;

/// Rows with their right class and what a tree says of them. Rows alike in both may stand here as one, with
/// their weights together.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Judged {
    pub classes: usize,
    /// The right class of every row.
    pub actual: Vec<u32>,
    /// The label every row gets.
    pub labels: Vec<u32>,
    /// The probability of every class, row by row.
    pub probabilities: Vec<f64>,
    /// The weight of every row, above 0.
    pub weights: Vec<f64>,
}

/// Scores that differ by less than this are equal on the ROC curve and as forecasts: averages over leaves are not exact.
pub(super) const SCORE_STEP: f64 = 1.0 / (1u64 << 40) as f64;

impl Judged {
    /// Right class, label, probabilities and weight of every row.
    pub(super) fn rows(&self) -> impl Iterator<Item = (usize, usize, &[f64], f64)> {
        let said = self.labels.iter().zip(self.probabilities.chunks_exact(self.classes.max(1)));
        let rows = self.actual.iter().zip(said).zip(&self.weights);
        rows.map(|((&actual, (&label, p)), &weight)| (actual as usize, label as usize, p, weight))
    }

    /// The weighted mean of a number of every row.
    fn mean(&self, of: impl Fn(usize, usize, &[f64]) -> f64) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for (actual, label, p, weight) in self.rows() {
            sum += weight * of(actual, label, p);
            all += weight;
        }
        sum / all
    }

    /// The share of right labels.
    pub(super) fn accuracy(&self) -> f64 {
        self.mean(|actual, label, _| f64::from(actual == label))
    }

    /// The share of wrong labels.
    pub(super) fn error(&self) -> f64 {
        self.mean(|actual, label, _| f64::from(actual != label))
    }

    /// The mean cost of the labels.
    pub(super) fn loss(&self, cost: impl Fn(usize, usize) -> f64) -> f64 {
        self.mean(|actual, label, _| cost(actual, label))
    }

    /// The mean over rows of `Σ_i (1[i = j] − p_i)²`, `j` being the right class.
    pub(super) fn brier(&self) -> f64 {
        self.mean(|actual, _, p| {
            p.iter().enumerate().map(|(i, p)| (f64::from(i == actual) - p).powi(2)).sum()
        })
    }

    /// The root of the mean over rows and classes of `(1[i = j] − p_i)²`; Shi (2007), 3.4.2.
    pub(super) fn rmse_probability(&self) -> f64 {
        (self.brier() / self.classes as f64).sqrt()
    }

    /// The mean of `−ln p_j`, `j` being the right class and `p_j` at least 1e-15.
    pub(super) fn log_loss(&self) -> f64 {
        // The sum with 0 turns the −0 of a tree that is always certain and right into 0.
        self.mean(|actual, _, p| -p[actual].max(LEAST_PROBABILITY).ln()) + 0.0
    }

    /// The area under the ROC curve. For two classes it is the probability that a random row of the second class has a
    /// larger probability of that class than a random row of the first, an equal one counting half; none when a
    /// class is absent. For more, it is the mean over the classes that occur of the area of each against the
    /// rest, weighted by the class's share of the rows; none when there is one class only.
    pub(super) fn auc(&self) -> Option<f64> {
        match self.classes {
            0 | 1 => None,
            2 => self.auc_of(1).map(|(area, _)| area),
            _ => {
                let (mut sum, mut all) = (0.0, 0.0);
                for (area, weight) in (0..self.classes).filter_map(|class| self.auc_of(class)) {
                    sum += weight * area;
                    all += weight;
                }
                (all > 0.0).then(|| sum / all)
            }
        }
    }

    /// The area under the ROC curve of one class against the rest, and the weight of the class.
    fn auc_of(&self, class: usize) -> Option<(f64, f64)> {
        let rows = self.rows().map(|(actual, _, p, weight)| {
            let score = (p[class] / SCORE_STEP).round() as u64;
            (score, actual == class, weight)
        });
        let mut rows: Vec<(u64, bool, f64)> = rows.collect();
        rows.sort_by_key(|row| row.0);
        let (mut inside, mut outside, mut area) = (0.0, 0.0, 0.0);
        for equal in rows.chunk_by(|a, b| a.0 == b.0) {
            let sum = |is: bool| equal.iter().filter(|row| row.1 == is).map(|row| row.2).sum::<f64>();
            let (own, others) = (sum(true), sum(false));
            area += own * (outside + others / 2.0);
            inside += own;
            outside += others;
        }
        (inside > 0.0 && outside > 0.0).then(|| (area / (inside * outside), inside))
    }

    /// The weight of every pair of right class and label.
    pub(super) fn confusion(&self) -> Vec<Vec<f64>> {
        let mut matrix = vec![vec![0.0; self.classes]; self.classes];
        for (actual, label, _, weight) in self.rows() {
            matrix[actual][label] += weight;
        }
        matrix
    }
}

/// Mean squared and mean absolute value of weighted residuals.
pub(super) fn residuals(rows: impl Iterator<Item = (f64, f64)>) -> (f64, f64) {
    let (mut squares, mut absolute, mut all) = (0.0, 0.0, 0.0);
    for (residual, weight) in rows {
        squares += weight * residual * residual;
        absolute += weight * residual.abs();
        all += weight;
    }
    (squares / all, absolute / all)
}
