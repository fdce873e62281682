//! What rows say that trees of a fit have not seen: what was taken for what, how far numbers are off, and the scores that sets are made with.
//!
//! A scheme that chooses by cross-validation has judged every row by a tree that has not seen it. The same trees, pruned at the
//! parameter that was chosen, answer again here, and their answers are counted: the error that the choice was made by comes out of the
//! confusion (without priors, and where folds are pooled). Cost: the rows go down the pruned fold trees once.
//!
//! A fold tree has counted a part of the rows only, so its probabilities are a little off those of the tree that predicts: at a leaf of `n` rows
//! of one of `K` folds by `√(p (1 − p) / (K n))`, one standard error. Over many leaves that makes no difference, some being above and some below. But
//! the rows of a leaf move together, and where it has a large share of all rows (a root has all), a class that is needed can fall out of every
//! set. So scores of folds are larger by the standard error times the root of that share, `√(p (1 − p) / (K N))` of `N` rows.

use super::JudgedBy;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::route::{Arrived, LEAST_PROBABILITY, RowShare, Shares, rows_for, send_or_keep};
use crate::statistics::Scores;
use crate::threads;
use crate::tree::{Conformal, NodeAnswers, Spreads, Tree};

/// How right the trees of a fit were on rows they have not seen; rows count as they are, whatever the priors.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Validation {
    /// Labels of classes.
    Classes {
        /// The weight of the rows of each class (outer list) that got each label (inner list).
        confusion: Vec<Vec<f64>>,
        /// The mean of `−ln p` of the actual class, `p` being at least 1e-15.
        log_loss: f64,
        /// The mean over rows of the squared differences between probabilities and 0 or 1, summed over the classes.
        brier: f64,
        /// Which rows those are.
        by: String,
    },
    /// Errors of predicted numbers.
    Numbers {
        /// The root of the mean squared error.
        rmse: f64,
        /// The mean absolute error.
        mae: f64,
        /// The share of the squared deviations from the mean of these rows that is explained; `None` where there are none.
        r2: Option<f64>,
        /// The root of the mean squared error, and the mean absolute error, of the mean of these rows.
        baseline: (f64, f64),
        /// Which rows those are.
        by: String,
    },
}

/// What rows say that trees have not seen, and the scores of these rows; nothing where there are no rows.
pub(super) fn heard(
    judges: &[JudgedBy],
    table: &CodedTable,
    by: &str,
) -> Result<Option<(Validation, Scores)>> {
    let parts = threads::try_map(judges.len(), |place| {
        let JudgedBy { tree, held } = &judges[place];
        one_tree(tree, held, table, judges.len())
    })?;
    let mut all = Heard::new(table);
    parts.into_iter().for_each(|part| all.add(part));
    Ok(all.finish(table, by.into()))
}

/// What a tree takes for what on the rows held out from it; empty for numbers.
pub(crate) fn held_confusion(tree: &Tree, held: &[f64], table: &CodedTable) -> Result<Vec<Vec<f64>>> {
    Ok(one_tree(tree, held, table, 1)?.confusion)
}

/// What one tree says of the rows it is judged by: a tree of this many folds, or the tree itself.
fn one_tree(tree: &Tree, held: &[f64], table: &CodedTable, folds: usize) -> Result<Heard> {
    // Rows count as they are.
    let own = |(row, held): (usize, &f64)| if *held > 0.0 { table.weight(row) } else { 0.0 };
    let weights: Vec<f64> = held.iter().enumerate().map(own).collect();
    let rows = rows_for(tree, table, Some(&weights))?;
    let mut heard = Heard::new(table);
    heard.rows = weights;
    let answers = NodeAnswers::new(tree).in_unit(table.unit());
    let spreads = Spreads::of(tree);
    let (mut answer, mut apart) = (vec![0.0; answers.width()], Vec::new());
    send_or_keep(tree.nodes(), table, rows, Shares::OfTree, Some(&mut apart), |arrived| {
        let Arrived { node, ended, .. } = arrived;
        if !tree.is_leaf(node) || ended.is_empty() {
            return;
        }
        answer.fill(0.0);
        answers.add(node, 1.0, &mut answer);
        heard.at(
            &Said { tree, table, answer: &answer, ends: &[(node, 1.0)], spreads: &spreads, folds },
            ended,
        );
    });
    let (mut stack, mut ends) = (Vec::new(), Vec::new());
    for row in apart {
        answer.fill(0.0);
        ends.clear();
        tree.walk(
            |attribute| table.cell(row.row as usize, attribute),
            &mut stack,
            |id, share, is_end| {
                if is_end {
                    answers.add(id, share, &mut answer);
                    ends.push((id, share));
                }
            },
        );
        heard.at(&Said { tree, table, answer: &answer, ends: &ends, spreads: &spreads, folds }, &[row]);
    }
    Ok(heard)
}

/// What a tree says to rows that end at the same nodes.
struct Said<'a> {
    tree: &'a Tree,
    table: &'a CodedTable,
    /// Class probabilities, or a number in the unit of the coded target.
    answer: &'a [f64],
    ends: &'a [(usize, f64)],
    spreads: &'a Spreads<'a>,
    folds: usize,
}

impl Said<'_> {
    /// The score of a row of a class.
    fn score(&self, class: usize) -> f64 {
        let p = self.answer[class];
        (1.0 - p + (p * (1.0 - p)).max(0.0).sqrt() * self.step()).min(1.0)
    }

    /// What is added to scores by a tree of a fold, in standard deviations of what its leaf predicts: the standard error between a mean
    /// of a fold and one of all rows. Without it all rows of many equal ones can be outside by the difference of the two.
    fn step(&self) -> f64 {
        if self.folds < 2 {
            return 0.0;
        }
        1.0 / (self.folds as f64 * self.tree.node(0).rows as f64).sqrt()
    }
}

/// Some rows together.
struct Heard {
    confusion: Vec<Vec<f64>>,
    log_loss: f64,
    brier: f64,
    squares: f64,
    absolute: f64,
    /// The weight with which every row was judged.
    rows: Vec<f64>,
    scores: Vec<(f64, f64)>,
}

impl Heard {
    fn new(table: &CodedTable) -> Self {
        let classes = table.classes();
        Self {
            confusion: vec![vec![0.0; classes]; classes],
            log_loss: 0.0,
            brier: 0.0,
            squares: 0.0,
            absolute: 0.0,
            rows: vec![0.0; table.rows()],
            scores: Vec::new(),
        }
    }

    /// Counts rows with the same prediction.
    fn at(&mut self, said: &Said, rows: &[RowShare]) {
        match said.table.target() {
            CodedTarget::Classes { codes, .. } => {
                let label = said.tree.decide(said.answer);
                let squares: f64 = said.answer.iter().map(|p| p * p).sum();
                for row in rows {
                    let actual = codes[row.row as usize] as usize;
                    let p = said.answer[actual];
                    self.confusion[actual][label] += row.weight;
                    self.log_loss -= row.weight * p.max(LEAST_PROBABILITY).ln();
                    self.brier += row.weight * (squares + 1.0 - 2.0 * p);
                    self.scores.push((said.score(actual), row.weight));
                }
            }
            CodedTarget::Numbers { values, unit } => {
                let told = said.answer[0] / unit;
                let error = said.spreads.moments(said.ends, told).0.sqrt();
                for row in rows {
                    let off = ((values[row.row as usize] - said.answer[0]) / unit).abs();
                    self.squares += row.weight * off * off;
                    self.absolute += row.weight * off;
                    self.scores.push((Conformal::deviation(off, error) + said.step(), row.weight));
                }
            }
        }
    }

    fn add(&mut self, more: Self) {
        self.log_loss += more.log_loss;
        self.brier += more.brier;
        self.squares += more.squares;
        self.absolute += more.absolute;
        self.rows.iter_mut().zip(&more.rows).for_each(|(sum, weight)| *sum += weight);
        let cells = self.confusion.iter_mut().flatten().zip(more.confusion.iter().flatten());
        cells.for_each(|(sum, more)| *sum += more);
        self.scores.extend(more.scores);
    }

    fn finish(self, table: &CodedTable, by: String) -> Option<(Validation, Scores)> {
        let weight: f64 = self.rows.iter().sum();
        if weight == 0.0 {
            return None;
        }
        let scores = Scores::of(self.scores);
        let CodedTarget::Numbers { values, unit } = table.target() else {
            let (log_loss, brier) = (self.log_loss / weight, self.brier / weight);
            let confusion = self.confusion;
            return Some((Validation::Classes { confusion, log_loss: log_loss + 0.0, brier, by }, scores));
        };
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            values.iter().zip(&self.rows).map(|(y, w)| w / weight * of(y / unit)).sum()
        };
        let mean = sum(&|y| y);
        let spread = sum(&|y| (y - mean).powi(2));
        let mse = self.squares / weight;
        let numbers = Validation::Numbers {
            rmse: mse.sqrt(),
            mae: self.absolute / weight,
            r2: (spread > 0.0).then(|| 1.0 - mse / spread),
            baseline: (spread.sqrt(), sum(&|y| (y - mean).abs())),
            by,
        };
        Some((numbers, scores))
    }
}
