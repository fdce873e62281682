//! Rows of a coded table judged by a tree: every row whole, with one distribution and one label.
//!
//! The rows are sent down the tree together. Those that reach one leaf whole get its distribution, and the rows of a
//! class at a leaf are judged as one. A row that goes several ways gets the mean of the leaves' distributions, weighted by its
//! shares (Shi 2007, 3.3.2), as in [`crate::predict::Predictor`].

use super::Measured;
use super::scores::{Judged, residuals};
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Place, Result};
use crate::route::{RowShare, Shares, rows_for, send};
use crate::tree::Tree;

/// Measures a tree on the rows of a table whose weight in `held` is above 0.
///
/// The table is the one the tree was grown from, or another with the same attributes and classes: codes are
/// compared, not names. The seconds are left to the caller ([`Measured::with_seconds`]).
///
/// ```
/// use secateur::data::{CodedTable, Roles, builtin};
/// use secateur::evaluate::measures::measure;
/// use secateur::grow::grow_weighted;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
///
/// let table = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
/// let grown: Vec<f64> = (0..150).map(|row| f64::from(row % 3 > 0)).collect();
/// let held: Vec<f64> = grown.iter().map(|weight| 1.0 - weight).collect();
/// let tree = grow_weighted(&table, Some(&grown), &GrowSpec::cart(Task::Classification), &secateur::progress::Silent).unwrap();
///
/// let measured = measure(&tree, &table, &held).unwrap();
/// assert_eq!(measured.confusion.as_ref().unwrap()[0], [17.0, 0.0, 0.0]);
/// assert!(measured.get("accuracy").unwrap() > 0.85);
/// assert_eq!(measured.get("leaves"), Some(tree.leaves() as f64));
/// assert_eq!(measured.get("mse"), None);
/// ```
pub fn measure(tree: &Tree, table: &CodedTable, held: &[f64]) -> Result<Measured> {
    let rows = rows_for(tree, table, Some(held))?;
    if rows.is_empty() {
        return Err(Error::input(
            Place::file(table.name()),
            "there is no row to measure the tree on; every weight is 0",
        ));
    }
    let mut measured = Measured::default();
    let mut numbers: Vec<(&str, f64)> = Vec::new();
    match table.target() {
        CodedTarget::Classes { codes, .. } => {
            let judged = judge(tree, table, &rows, codes);
            let costs = tree.costs();
            numbers.extend([
                ("accuracy", judged.accuracy()),
                ("error", judged.error()),
                ("loss", costs.map_or_else(|| judged.error(), |c| judged.loss(|a, b| c.cost(a, b)))),
                ("rmse-probability", judged.rmse_probability()),
                ("log-loss", judged.log_loss()),
                ("brier", judged.brier()),
            ]);
            numbers.extend(judged.auc().map(|area| ("auc", area)));
            measured.confusion = Some(judged.confusion());
        }
        CodedTarget::Numbers { values, unit } => {
            let predicted = estimate(tree, table, &rows, *unit);
            let residual = |p: &RowShare| values[p.row as usize] - predicted[p.row as usize];
            let (mse, mae) = residuals(rows.iter().map(|p| (residual(p), p.weight)));
            numbers.extend([("mse", mse / unit / unit), ("rmse", mse.sqrt() / unit), ("mae", mae / unit)]);
        }
    }
    let (nodes, leaves) = (tree.nodes().len(), tree.leaves());
    numbers.extend([
        ("nodes", nodes as f64),
        ("leaves", leaves as f64),
        ("depth", tree.depth() as f64),
        ("expansions", (nodes - leaves) as f64),
    ]);
    for (id, number) in numbers {
        measured.set(id, number)?;
    }
    Ok(measured)
}

/// The rows as wholes, whatever their weights.
fn wholes(rows: &[RowShare]) -> Vec<RowShare> {
    rows.iter().map(|p| RowShare { weight: 1.0, ..*p }).collect()
}

/// A row that has not arrived, or has arrived in one piece.
const NOWHERE: u32 = u32::MAX;
const WHOLE: u32 = u32::MAX - 1;

/// What the tree says of the rows.
pub(super) fn judge(tree: &Tree, table: &CodedTable, rows: &[RowShare], actual: &[u32]) -> Judged {
    let classes = table.classes();
    let speakers = tree.speakers();
    let mut weights = vec![0.0; table.rows()];
    for row in rows {
        weights[row.row as usize] = row.weight;
    }
    let mut judged = Judged { classes, ..Judged::default() };
    // Rows in pieces, and the place of every row among them.
    let (mut pieces, mut mixed) = (Vec::new(), Vec::new());
    let mut place = vec![NOWHERE; table.rows()];
    let (mut own, mut tally) = (vec![0.0; classes], vec![0.0; classes]);
    send(tree.nodes(), table, wholes(rows), Shares::OfTree, |id, parts| {
        if !tree.is_leaf(id) {
            return;
        }
        let counts = tree.class_weights(speakers[id] as usize);
        let all = counts.iter().sum::<f64>();
        own.iter_mut().zip(counts).for_each(|(p, w)| *p = w / all);
        tally.fill(0.0);
        for part in parts {
            let row = part.row as usize;
            if part.weight == 1.0 {
                place[row] = WHOLE;
                tally[actual[row] as usize] += weights[row];
                continue;
            }
            // What is left beside a share that rounds to 1 changes nothing.
            if place[row] == WHOLE {
                continue;
            }
            if place[row] == NOWHERE {
                place[row] = pieces.len() as u32;
                pieces.push(part.row);
                mixed.resize(mixed.len() + classes, 0.0);
            }
            let mean = &mut mixed[place[row] as usize * classes..][..classes];
            mean.iter_mut().zip(&own).for_each(|(p, own)| *p += part.weight * own);
        }
        for (class, &weight) in tally.iter().enumerate().filter(|(_, w)| **w > 0.0) {
            judged.push(tree, class as u32, &own, weight);
        }
    });
    for (&row, mean) in pieces.iter().zip(mixed.chunks_exact(classes)) {
        let row = row as usize;
        if place[row] != WHOLE {
            judged.push(tree, actual[row], mean, weights[row]);
        }
    }
    judged
}

impl Judged {
    fn push(&mut self, tree: &Tree, actual: u32, probabilities: &[f64], weight: f64) {
        self.actual.push(actual);
        self.labels.push(tree.decide(probabilities) as u32);
        self.probabilities.extend_from_slice(probabilities);
        self.weights.push(weight);
    }
}

/// What the tree predicts for the rows, in the unit of the coded targets; 0 for other rows.
pub(super) fn estimate(tree: &Tree, table: &CodedTable, rows: &[RowShare], unit: f64) -> Vec<f64> {
    let mut predicted = vec![0.0; table.rows()];
    send(tree.nodes(), table, wholes(rows), Shares::OfTree, |id, parts| {
        if tree.is_leaf(id) {
            let value = tree.value(id) * unit;
            parts.iter().for_each(|part| predicted[part.row as usize] += part.weight * value);
        }
    });
    predicted
}
