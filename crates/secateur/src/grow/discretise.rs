//! Cutting numeric columns into intervals before growing: into many bins for speed, or into a few (El-Khouri).
//!
//! In the latter case every cut becomes one yes/no question `x < cut`; a column with cuts offers only those thresholds.

use super::{Discretise, GrowSpec};
use crate::data::bins::of_codes;
use crate::data::{CodedColumn, CodedTable, CodedTarget, Codes, Scale};
use crate::split::{median, middle};
use crate::threads;

/// The table with its numeric columns cut, if the spec says so and there is something to cut. All rows have weight.
pub(super) fn cut(table: &CodedTable, weights: Option<&[f64]>, spec: &GrowSpec) -> Option<CodedTable> {
    match (spec.discretise, spec.bins) {
        (Discretise::Off, None) => None,
        (Discretise::Off, Some(bins)) => binned(table, weights.or(table.weights()), bins),
        _ => Some(discretised(table, weights, spec)),
    }
}

/// The same table with its numeric columns cut into bins, where they have more values.
fn binned(table: &CodedTable, weights: Option<&[f64]>, bins: usize) -> Option<CodedTable> {
    let cut: Vec<Option<CodedColumn>> =
        threads::map(table.columns().len(), |c| of_codes(&table.columns()[c], bins, weights));
    if cut.iter().all(Option::is_none) {
        return None;
    }
    let columns = cut.into_iter().zip(table.columns());
    Some(table.with_columns(columns.map(|(cut, column)| cut.unwrap_or_else(|| column.clone())).collect()))
}

/// The same table with its numeric columns cut as the spec says.
fn discretised(table: &CodedTable, weights: Option<&[f64]>, spec: &GrowSpec) -> CodedTable {
    let columns = table
        .columns()
        .iter()
        .map(|column| match &column.scale {
            Scale::Values(values) => {
                let weight = |row: usize| weights.map_or(table.weight(row), |w| w[row]);
                let cuts = cuts(table, column, values, &weight, spec);
                let code = |row: usize| match column.codes.get(row) {
                    code if code == column.cardinality() => cuts.len() as u32 + 1,
                    code => cuts.partition_point(|cut| *cut <= values[code as usize]) as u32,
                };
                let codes = Codes::pack((0..table.rows()).map(code), cuts.len() as u32 + 1);
                CodedColumn::of(codes, Scale::Cuts(cuts))
            }
            _ => column.clone(),
        })
        .collect();
    table.with_columns(columns)
}

fn cuts(
    table: &CodedTable,
    column: &CodedColumn,
    values: &[f64],
    weight: &dyn Fn(usize) -> f64,
    spec: &GrowSpec,
) -> Vec<f64> {
    let known = |row: &usize| column.codes.get(*row) < column.cardinality();
    let rows = |keep: &dyn Fn(usize) -> bool| -> Vec<(f64, f64)> {
        let kept = (0..table.rows()).filter(known).filter(|row| keep(*row));
        kept.map(|row| (values[column.codes.get(row) as usize], weight(row))).collect()
    };
    let mut cuts = match (spec.discretise, table.target()) {
        (Discretise::ClassMedians, CodedTarget::Classes { classes, codes }) => {
            let mut medians: Vec<f64> = (0..*classes)
                .map(|class| rows(&|row| codes[row] as usize == class))
                .filter(|rows| !rows.is_empty())
                .map(|mut rows| median(&mut rows))
                .collect();
            medians.sort_by(f64::total_cmp);
            medians.dedup();
            midpoints(&medians)
        }
        _ => {
            let mut rows = rows(&|_| true);
            if rows.is_empty() { Vec::new() } else { vec![median(&mut rows)] }
        }
    };
    while spec.cuts.is_some_and(|most| cuts.len() > most) {
        cuts = midpoints(&cuts);
    }
    cuts
}

/// The middle between every two neighbours of an ascending list, without repetition.
///
/// ```
/// assert_eq!(secateur::grow::midpoints(&[1.0, 2.0, 4.0]), [1.5, 3.0]);
/// ```
pub fn midpoints(list: &[f64]) -> Vec<f64> {
    let mut middles: Vec<f64> = list.windows(2).map(|w| middle(w[0], w[1])).collect();
    middles.dedup();
    middles
}
