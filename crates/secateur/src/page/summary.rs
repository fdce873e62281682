//! What the rows are like: every attribute and the target in a line, with a small histogram.

use serde::Serialize;

use super::number::{Number, exact, rough};
use crate::data::{CodedColumn, CodedTable, CodedTarget, Scale};
use crate::schema::Cell;

/// The bars of a small histogram.
const BARS: usize = 16;

/// A summary of a table.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    rows: usize,
    attributes: Vec<ColumnSummary>,
    target: ColumnSummary,
}

#[derive(Debug, Default, Serialize)]
struct ColumnSummary {
    missing: usize,
    /// The number of different values.
    distinct: usize,
    /// Of numbers: the smallest one, the quartiles and the largest one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    quartiles: Vec<Number>,
    /// The rows in each of some intervals of equal width, or with each value of the list.
    counts: Vec<u64>,
}

impl Summary {
    pub(super) fn of(table: &CodedTable) -> Self {
        let target = match table.target() {
            CodedTarget::Classes { classes, codes } => {
                let mut counts = vec![0; *classes];
                codes.iter().for_each(|&code| counts[code as usize] += 1);
                listed(counts, 0)
            }
            CodedTarget::Numbers { unit, values } => {
                let mut values: Vec<f64> = values.iter().map(|y| y / unit).collect();
                values.sort_unstable_by(f64::total_cmp);
                let counts = vec![1; values.len()];
                numbers(&values, &counts, 0)
            }
        };
        Self { rows: table.rows(), attributes: table.columns().iter().map(column).collect(), target }
    }
}

fn column(column: &CodedColumn) -> ColumnSummary {
    if column.scale == Scale::Floats {
        let all = (0..column.codes.len()).map(|row| column.codes.get(row));
        let mut values: Vec<f64> = all
            .filter_map(|code| match column.cell(code) {
                Cell::Number(x) => Some(x),
                _ => None,
            })
            .collect();
        values.sort_unstable_by(f64::total_cmp);
        return numbers(&values, &vec![1; values.len()], column.codes.len() - values.len());
    }
    let codes = column.cardinality() as usize;
    let mut counts = vec![0u64; codes + 1];
    for row in 0..column.codes.len() {
        counts[(column.codes.get(row) as usize).min(codes)] += 1;
    }
    let missing = counts.pop().unwrap_or(0) as usize;
    match &column.scale {
        Scale::Levels(_) | Scale::Ordered(_) | Scale::Floats => listed(counts, missing),
        Scale::Values(values) => numbers(values, &counts, missing),
        Scale::Bins(bins) => numbers(&bins.first, &counts, missing),
        Scale::Cuts(cuts) => {
            let first = cuts.first().copied().unwrap_or(0.0);
            numbers(&[&[first], cuts.as_slice()].concat(), &counts, missing)
        }
    }
}

fn listed(counts: Vec<u64>, missing: usize) -> ColumnSummary {
    let distinct = counts.iter().filter(|count| **count > 0).count();
    ColumnSummary { missing, distinct, quartiles: vec![], counts }
}

/// Numbers that ascend, each with its rows.
fn numbers(values: &[f64], counts: &[u64], missing: usize) -> ColumnSummary {
    let (Some(&low), Some(&high)) = (values.first(), values.last()) else {
        return ColumnSummary { missing, ..ColumnSummary::default() };
    };
    let all: u64 = counts.iter().sum();
    let mut bars = vec![0; BARS];
    for (value, count) in values.iter().zip(counts) {
        // Halves, so that the width of the widest range is a number.
        let place = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) * BARS as f64;
        bars[if place.is_finite() { (place as usize).min(BARS - 1) } else { 0 }] += count;
    }
    let quartile = |quarter: u64| {
        let mut before = 0;
        let place = counts.iter().position(|count| {
            before += count;
            before * 4 >= all * quarter
        });
        place.and_then(|place| values.get(place)).copied().unwrap_or(high)
    };
    let mut distinct = values.iter().zip(counts).filter(|(_, count)| **count > 0).map(|(v, _)| v);
    let mut different = 0;
    let mut before = None;
    distinct.by_ref().for_each(|v| {
        different += usize::from(before != Some(*v));
        before = Some(*v);
    });
    // Distances are measured between the ends.
    let mut quartiles = exact([low]);
    quartiles.extend(rough([quartile(1), quartile(2), quartile(3)]));
    quartiles.extend(exact([high]));
    ColumnSummary { missing, distinct: different, quartiles, counts: bars }
}
