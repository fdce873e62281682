//! Rows of a coded table judged by a tree: every row whole, with one distribution and one label.
//!
//! A row gets the answer that [`crate::predict::Predictor`] gives it ([`NodeAnswers`]): the distribution of its leaf, or where it
//! goes several ways the mean of the leaves' distributions, weighted by its shares (Shi 2007, 3.3.2).

use super::Measured;
use super::scores::{Judged, residuals};
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Place, Result};
use crate::route::{RowShare, rows_for};
use crate::tree::{NodeAnswers, Tree};

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
    measure_in_detail(tree, table, held, Details::default())
}

/// What is kept of a measured tree beside the numbers, because it takes room.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Details {
    /// The calibration of the probabilities, in bins.
    pub calibration: bool,
    /// Sets of classes, or intervals.
    pub sets: Option<SetsAsked>,
}

/// Which sets or intervals are looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetsAsked {
    /// The share of the rows that they should have the truth inside for.
    pub level: f64,
    /// The share of the rows to learn from that is set aside to make them with; without it, they are made by the folds of the scheme.
    pub aside: Option<f64>,
}

/// [`measure`], with what is asked for beside the numbers.
pub fn measure_in_detail(
    tree: &Tree,
    table: &CodedTable,
    held: &[f64],
    details: Details,
) -> Result<Measured> {
    let rows = rows_for(tree, table, Some(held))?;
    if rows.is_empty() {
        return Err(Error::input(
            Place::file(table.name()),
            "there is no row to measure the tree on; every weight is 0",
        ));
    }
    let mut measured = Measured::default();
    match table.target() {
        CodedTarget::Classes { codes, .. } => {
            of_classes(&mut measured, tree, &judge(tree, table, &rows, codes), details)?;
        }
        CodedTarget::Numbers { values, unit } => {
            of_numbers(&mut measured, errors(tree, table, &rows, values), *unit)?;
        }
    }
    of_size(&mut measured, tree)?;
    Ok(measured)
}

/// What is measured of judged classes.
pub(super) fn of_classes(
    measured: &mut Measured,
    tree: &Tree,
    judged: &Judged,
    details: Details,
) -> Result<()> {
    let (costs, parts) = (tree.costs(), judged.brier_parts());
    let loss = costs.map_or_else(|| judged.error(), |c| judged.loss(|a, b| c.cost(a, b)));
    let numbers = [
        ("accuracy", Some(judged.accuracy())),
        ("error", Some(judged.error())),
        ("loss", Some(loss)),
        ("rmse-probability", Some(judged.rmse_probability())),
        ("log-loss", Some(judged.log_loss())),
        ("brier", Some(judged.brier())),
        ("brier-reliability", Some(parts.reliability)),
        ("brier-resolution", Some(parts.resolution)),
        ("brier-uncertainty", Some(parts.uncertainty)),
        ("ece", judged.confidence().error()),
        ("auc", judged.auc()),
    ];
    for (id, number) in numbers {
        number.map_or(Ok(()), |number| measured.set(id, number))?;
    }
    measured.confusion = Some(judged.confusion());
    measured.calibration = details.calibration.then(|| judged.calibrated());
    Ok(())
}

/// What is measured of numbers, from the mean squared and the mean absolute error in a unit.
pub(super) fn of_numbers(measured: &mut Measured, (mse, mae): (f64, f64), unit: f64) -> Result<()> {
    measured.set("mse", mse / unit / unit)?;
    measured.set("rmse", mse.sqrt() / unit)?;
    measured.set("mae", mae / unit)
}

/// The size of the tree.
pub(super) fn of_size(measured: &mut Measured, tree: &Tree) -> Result<()> {
    let (nodes, leaves) = (tree.nodes().len(), tree.leaves());
    measured.set("nodes", nodes as f64)?;
    measured.set("leaves", leaves as f64)?;
    measured.set("depth", tree.depth() as f64)?;
    measured.set("expansions", (nodes - leaves) as f64)
}

/// The mean squared and the mean absolute error, in the unit of the coded targets.
fn errors(tree: &Tree, table: &CodedTable, rows: &[RowShare], actual: &[f64]) -> (f64, f64) {
    let predicted = estimate(tree, table, rows);
    let residual = |(row, predicted): (&RowShare, &f64)| (actual[row.row as usize] - predicted, row.weight);
    residuals(rows.iter().zip(&predicted).map(residual))
}

/// What the tree says of the rows: those of a class at a leaf are judged as one, leaf by leaf from left to right, and then
/// one by one those that go several ways.
pub(super) fn judge(tree: &Tree, table: &CodedTable, rows: &[RowShare], actual: &[u32]) -> Judged {
    let classes = table.classes();
    let answers = NodeAnswers::new(tree);
    let (mut own, mut stack) = (vec![0.0; classes], Vec::new());
    // With the leaf, or the first one, that each row reaches.
    let (mut whole, mut mixed, mut said) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        own.fill(0.0);
        let ends = answers.add_row(|attribute| table.cell(row.row as usize, attribute), &mut stack, &mut own);
        if ends.is_whole {
            whole.push((ends.first, *row));
        } else {
            mixed.push((ends.first, *row, said.len()));
            said.extend_from_slice(&own);
        }
    }
    let place = from_left_to_right(tree);
    whole.sort_by_key(|(leaf, _)| place[*leaf]);
    mixed.sort_by_key(|(leaf, ..)| place[*leaf]);
    let mut judged = Judged { classes, ..Judged::default() };
    let mut tally = vec![0.0; classes];
    for at_leaf in whole.chunk_by(|a, b| a.0 == b.0) {
        own.fill(0.0);
        answers.add(at_leaf[0].0, 1.0, &mut own);
        tally.fill(0.0);
        at_leaf.iter().for_each(|(_, row)| tally[actual[row.row as usize] as usize] += row.weight);
        for (class, &weight) in tally.iter().enumerate().filter(|(_, w)| **w > 0.0) {
            judged.push(tree, class as u32, &own, weight);
        }
    }
    for (_, row, start) in mixed {
        judged.push(tree, actual[row.row as usize], &said[start..start + classes], row.weight);
    }
    judged
}

/// The place of every node when the tree is gone through from left to right, a node before what is below it.
pub(super) fn from_left_to_right(tree: &Tree) -> Vec<u32> {
    let mut place = vec![0; tree.nodes().len()];
    let (mut next, mut stack) = (0, vec![0]);
    while let Some(id) = stack.pop() {
        place[id] = next;
        next += 1;
        stack.extend(tree.children(id).rev());
    }
    place
}

impl Judged {
    pub(super) fn push(&mut self, tree: &Tree, actual: u32, probabilities: &[f64], weight: f64) {
        self.actual.push(actual);
        self.labels.push(tree.decide(probabilities) as u32);
        self.probabilities.extend_from_slice(probabilities);
        self.weights.push(weight);
    }
}

/// What the tree predicts for the rows, in the unit of the coded targets.
pub(super) fn estimate(tree: &Tree, table: &CodedTable, rows: &[RowShare]) -> Vec<f64> {
    let answers = NodeAnswers::new(tree).in_unit(table.unit());
    let (mut predicted, mut stack) = (vec![0.0; rows.len()], Vec::new());
    for (row, value) in rows.iter().zip(predicted.chunks_exact_mut(1)) {
        answers.add_row(|attribute| table.cell(row.row as usize, attribute), &mut stack, value);
    }
    predicted
}
