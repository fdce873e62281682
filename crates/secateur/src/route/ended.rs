//! Rows by the leaves they end at: what they lose by any leaf values, without sending them again.

use super::rows_for;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::tree::{LeafValues, NodeAnswers, NodeId, Tree};

/// Rows that have gone down a tree.
pub(crate) struct Ended<'a> {
    tree: &'a Tree,
    table: &'a CodedTable,
    /// Of every node what ended there whole.
    whole: Whole<'a>,
    /// Rows that end in several parts, each with its weight and the end of its parts.
    mixed: Vec<(u32, f64, usize)>,
    parts: Vec<(u32, f64)>,
    /// The weight of all rows.
    pub(crate) weight: f64,
}

/// What ended whole at the nodes, beside the target of all rows.
enum Whole<'a> {
    /// The weight of every class, node after node.
    Classes { codes: &'a [u32], classes: usize, weights: Vec<f64> },
    /// The distances of the rows from what each node says.
    Numbers { values: &'a [f64], unit: f64, nodes: Vec<Distances> },
}

/// How far the numbers `y` of some rows of weights `w` are from the raw value `v` of their node.
#[derive(Clone, Copy, Default)]
struct Distances {
    /// `Σ w`.
    weight: f64,
    /// `Σ w (y − v)`.
    sum: f64,
    /// `Σ w (y − v)²`.
    squares: f64,
}

impl Distances {
    fn add(&mut self, distance: f64, weight: f64) {
        self.weight += weight;
        self.sum += weight * distance;
        self.squares += weight * (distance * distance);
    }

    /// `Σ w (y − v − by)²`: the squared error of a node that says `v + by`.
    fn squared_error(&self, by: f64) -> f64 {
        (self.squares - 2.0 * by * self.sum + by * by * self.weight).max(0.0)
    }
}

impl<'a> Ended<'a> {
    /// Sends the rows of a table down a tree, with these weights; those of weight 0 stay out.
    pub(crate) fn new(tree: &'a Tree, table: &'a CodedTable, weights: &[f64]) -> Result<Self> {
        let rows = rows_for(tree, table, Some(weights))?;
        let nodes = tree.nodes().len();
        let raw = NodeAnswers::by(tree, LeafValues::Raw).in_unit(table.unit());
        let mut whole = match table.target() {
            CodedTarget::Classes { classes, codes } => {
                Whole::Classes { codes, classes: *classes, weights: vec![0.0; nodes * classes] }
            }
            CodedTarget::Numbers { values, unit } => {
                Whole::Numbers { values, unit: *unit, nodes: vec![Distances::default(); nodes] }
            }
        };
        let (mut mixed, mut parts, mut stack, mut weight) = (Vec::new(), Vec::new(), Vec::new(), 0.0);
        for row in rows {
            let begin = parts.len();
            tree.walk(
                |attribute| table.cell(row.row as usize, attribute),
                &mut stack,
                |id, share, ends| {
                    if ends {
                        parts.push((id as u32, share));
                    }
                },
            );
            weight += row.weight;
            if parts.len() > begin + 1 {
                mixed.push((row.row, row.weight, parts.len()));
                continue;
            }
            let Some((leaf, _)) = parts.pop() else { continue };
            let (leaf, row, weight) = (leaf as NodeId, row.row as usize, row.weight);
            match &mut whole {
                Whole::Classes { codes, classes, weights } => {
                    weights[leaf * *classes + codes[row] as usize] += weight;
                }
                Whole::Numbers { values, nodes, .. } => {
                    nodes[leaf].add(values[row] - raw.of(leaf)[0], weight);
                }
            }
        }
        Ok(Self { tree, table, whole, mixed, parts, weight })
    }

    /// What the rows lose by these leaf values: `−ln` of the probability of their class, or their squared error.
    pub(crate) fn loss(&self, values: LeafValues) -> f64 {
        let answers = NodeAnswers::by(self.tree, values).in_unit(self.table.unit());
        match &self.whole {
            Whole::Classes { codes, classes, weights } => {
                let whole = weights.chunks_exact(*classes).enumerate().map(|(id, weights)| {
                    let classes = weights.iter().zip(answers.of(id)).filter(|(weight, _)| **weight > 0.0);
                    classes.map(|(weight, p)| weight * -p.ln()).sum::<f64>()
                });
                let whole: f64 = whole.sum();
                whole + self.of_mixed(&answers, |row, said| -said[codes[row] as usize].ln())
            }
            Whole::Numbers { values: numbers, unit, nodes } => {
                let raw = NodeAnswers::by(self.tree, LeafValues::Raw).in_unit(*unit);
                let by = |id: NodeId| answers.of(id)[0] - raw.of(id)[0];
                let whole: f64 = nodes.iter().enumerate().map(|(id, node)| node.squared_error(by(id))).sum();
                (whole + self.of_mixed(&answers, |row, said| (numbers[row] - said[0]).powi(2))) / unit / unit
            }
        }
    }

    /// The sum over the rows that ended in several parts.
    fn of_mixed(&self, answers: &NodeAnswers<&Tree>, of: impl Fn(usize, &[f64]) -> f64) -> f64 {
        let (mut begin, mut sum, mut said) = (0, 0.0, vec![0.0; answers.width()]);
        for &(row, weight, end) in &self.mixed {
            said.fill(0.0);
            self.parts[begin..end]
                .iter()
                .for_each(|&(leaf, share)| answers.add(leaf as usize, share, &mut said));
            sum += weight * of(row as usize, &said);
            begin = end;
        }
        sum
    }
}
