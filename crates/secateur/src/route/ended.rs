//! Rows by the leaves they end at: what they lose by any leaf values, without sending them again.

use super::rows_for;
use crate::data::{CodedTable, CodedTarget};
use crate::error::Result;
use crate::tree::{LeafValues, NodeAnswers, NodeId, Tree};

/// Rows that have gone down a tree.
pub(crate) struct Ended<'a> {
    tree: &'a Tree,
    table: &'a CodedTable,
    /// Of every node what ended there whole: the weight of every class; or weight, `Σ w (y − v)` and `Σ w (y − v)²` around its raw
    /// value `v`.
    tallies: Vec<f64>,
    width: usize,
    /// Rows that end in several parts, each with its weight and the end of its parts.
    mixed: Vec<(u32, f64, usize)>,
    parts: Vec<(u32, f64)>,
    /// The weight of all rows.
    pub(crate) weight: f64,
}

impl<'a> Ended<'a> {
    /// Sends the rows of a table down a tree, with these weights; those of weight 0 stay out.
    pub(crate) fn new(tree: &'a Tree, table: &'a CodedTable, weights: &[f64]) -> Result<Self> {
        let rows = rows_for(tree, table, Some(weights))?;
        let width = if table.classes() > 0 { table.classes() } else { 3 };
        let raw = NodeAnswers::by(tree, LeafValues::Raw).in_unit(table.unit());
        let mut tallies = vec![0.0; tree.nodes().len() * width];
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
            let tally = &mut tallies[leaf as usize * width..][..width];
            match table.target() {
                CodedTarget::Classes { codes, .. } => tally[codes[row.row as usize] as usize] += row.weight,
                CodedTarget::Numbers { values, .. } => {
                    let off = values[row.row as usize] - raw.of(leaf as NodeId)[0];
                    for (sum, more) in tally.iter_mut().zip([1.0, off, off * off]) {
                        *sum += row.weight * more;
                    }
                }
            }
        }
        Ok(Self { tree, table, tallies, width, mixed, parts, weight })
    }

    /// What the rows lose by these leaf values: `−ln` of the probability of their class, or their squared error.
    pub(crate) fn loss(&self, values: LeafValues) -> f64 {
        let answers = NodeAnswers::by(self.tree, values).in_unit(self.table.unit());
        let tallies = self.tallies.chunks_exact(self.width).enumerate();
        match self.table.target() {
            CodedTarget::Classes { codes, .. } => {
                let whole = tallies.map(|(id, tally)| {
                    let classes = tally.iter().zip(answers.of(id)).filter(|(weight, _)| **weight > 0.0);
                    classes.map(|(weight, p)| weight * -p.ln()).sum::<f64>()
                });
                let whole: f64 = whole.sum();
                whole + self.of_mixed(&answers, |row, said| -said[codes[row] as usize].ln())
            }
            CodedTarget::Numbers { values: numbers, unit } => {
                let raw = NodeAnswers::by(self.tree, LeafValues::Raw).in_unit(*unit);
                let whole = tallies.map(|(id, tally)| {
                    let by = answers.of(id)[0] - raw.of(id)[0];
                    (tally[2] - 2.0 * by * tally[1] + by * by * tally[0]).max(0.0)
                });
                let whole: f64 = whole.sum();
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
