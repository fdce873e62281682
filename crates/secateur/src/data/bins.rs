//! Cutting a numeric column into bins of about the same weight, for tables in which not every value has to be a threshold.
//!
//! With `n` rows in the order of their values, a bin begins with the value at place `⌊i n / bins⌋` for every `i`, unless that is the
//! smallest value. Rows with equal values are never parted, so there may be fewer bins. A column with no more values than
//! bins stays as it is. A row of weight 3 stands there three times: with weights, a bin begins with the value in which
//! the weight `i n / bins` is passed, `n` the weight of all rows.
//!
//! A column that is coded already is cut by its codes. One that is not need not be sorted for it: its range is divided into
//! many narrow places, and only the few of them in which a bin begins are looked at closely. Both give the same bins.

use hashbrown::HashSet;
use serde::{Deserialize, Serialize};

use super::codes::{Code, each_width};
use super::{CodedColumn, Codes, Scale};

/// The smallest and the largest value of every bin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bins {
    /// The smallest values, ascending.
    pub first: Vec<f64>,
    /// The largest values.
    pub last: Vec<f64>,
}

/// The places in the order of values at which bins begin.
fn beginnings(rows: usize, bins: usize) -> impl Iterator<Item = usize> {
    (1..bins).map(move |i| (i as u128 * rows as u128 / bins as u128) as usize)
}

/// A coded column cut into at most this many bins; `None` where it has no more values. Every row has weight.
pub(crate) fn of_codes(column: &CodedColumn, bins: usize, weights: Option<&[f64]>) -> Option<CodedColumn> {
    let Scale::Values(values) = &column.scale else { return None };
    if values.len() <= bins {
        return None;
    }
    let mut counts = vec![0.0; values.len() + 1];
    let weight = |row: usize| weights.map_or(1.0, |w| w[row]);
    for row in 0..column.codes.len() {
        counts[column.codes.get(row) as usize] += weight(row);
    }
    counts.pop();
    let total: f64 = counts.iter().sum();
    // Sums of other than whole weights are not exact; a millionth of a row is nothing.
    let room = match weights {
        Some(weights) if weights.iter().any(|w| w.fract() != 0.0) => 1e-6 * total / weights.len() as f64,
        _ => 0.0,
    };
    // The codes with which bins begin.
    let mut starts = vec![0];
    let (mut at, mut before) = (0, 0.0);
    for i in 1..bins {
        let place = i as f64 * total / bins as f64 + room;
        while at + 1 < values.len() && before + counts[at] <= place {
            before += counts[at];
            at += 1;
        }
        if starts.last() != Some(&at) {
            starts.push(at);
        }
    }
    let first = starts.iter().map(|&start| values[start]).collect();
    let mut last = Vec::with_capacity(starts.len());
    let mut code_of = vec![0u32; values.len()];
    for (bin, &start) in starts.iter().enumerate() {
        let end = starts.get(bin + 1).copied().unwrap_or(values.len());
        last.push(values[end - 1]);
        code_of[start..end].fill(bin as u32);
    }
    let missing = starts.len() as u32;
    let code = |row: usize| code_of.get(column.codes.get(row) as usize).copied().unwrap_or(missing);
    let codes = Codes::pack((0..column.codes.len()).map(code), missing);
    Some(CodedColumn::of(codes, Scale::Bins(Bins { first, last })))
}

/// The narrow places a range is divided into.
const PLACES: usize = 1 << 16;
/// Stands for a place in which a bin begins.
const CLOSE: u16 = u16::MAX;

/// Cells cut into at most this many bins; `None` where there are no more values than bins, or where too many values lie
/// close together to be told apart in this way.
pub(super) fn of_cells(cells: &[f64], bins: usize) -> Option<CodedColumn> {
    if bins >= usize::from(CLOSE) || has_few_values(cells, bins) {
        return None;
    }
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for &x in cells {
        // A missing value (NaN) changes neither bound.
        low = if x < low { x } else { low };
        high = if x > high { x } else { high };
    }
    let scale = PLACES as f64 / (high - low);
    if !(scale.is_finite() && scale > 0.0) {
        return None;
    }
    // Rises with x, as every rounding does. (No number becomes place 0, and is never asked for.)
    let place_of = |x: f64| (((x - low) * scale) as u32).min(PLACES as u32 - 1) as u16;
    let mut counts = vec![0u32; PLACES];
    let places: Vec<u16> = cells.iter().map(|&x| place_of(x)).collect();
    let mut rows = 0;
    for (&place, x) in places.iter().zip(cells) {
        let known = u32::from(!x.is_nan());
        counts[usize::from(place)] += known;
        rows += known as usize;
    }
    // The narrow place of every beginning, and how many rows lie before it.
    let (mut at, mut before) = (0, 0);
    let mut close = vec![false; PLACES];
    let wanted: Vec<(usize, usize)> = beginnings(rows, bins)
        .map(|place| {
            while before + counts[at] as usize <= place {
                before += counts[at] as usize;
                at += 1;
            }
            close[at] = true;
            (at, place - before)
        })
        .collect();
    let starts = starts_of(&wanted, &counts, low, |near| {
        let close = places.iter().zip(cells).filter(|(place, x)| close[usize::from(**place)] && !x.is_nan());
        near.extend(close.map(|(_, x)| x + 0.0));
        near.len() <= cells.len() / 4
    })?;
    let code_of = code_by_place(&starts, &close, place_of);
    let missing = starts.len() as u32 + 1;
    let code = |(&place, &x): (&u16, &f64)| match code_of[usize::from(place)] {
        _ if x.is_nan() => missing,
        CLOSE => starts.partition_point(|start| *start <= x) as u32,
        code => u32::from(code),
    };
    let codes = Codes::pack(places.iter().zip(cells).map(code), missing);
    let last = largest(&codes, cells, missing as usize);
    let first = [low + 0.0].into_iter().chain(starts).collect();
    Some(CodedColumn::of(codes, Scale::Bins(Bins { first, last })))
}

/// The first values of the bins but the lowest, from the values in the places where bins begin; nothing where these are too
/// many. `wanted` has for every bin its place and the rows of that place before it.
fn starts_of(
    wanted: &[(usize, usize)],
    counts: &[u32],
    low: f64,
    collect: impl FnOnce(&mut Vec<f64>) -> bool,
) -> Option<Vec<f64>> {
    let mut near: Vec<f64> = Vec::new();
    if !collect(&mut near) {
        return None;
    }
    near.sort_unstable_by(f64::total_cmp);
    let mut starts: Vec<f64> = Vec::with_capacity(wanted.len());
    let (mut last_place, mut skipped) = (None, 0);
    for &(place, rank) in wanted {
        if last_place.is_some_and(|last| last != place) {
            skipped += counts[last_place.unwrap_or(place)] as usize;
        }
        last_place = Some(place);
        let start = near[skipped + rank];
        if start > low && starts.last() != Some(&start) {
            starts.push(start);
        }
    }
    Some(starts)
}

/// The largest value of every bin.
fn largest(codes: &Codes, cells: &[f64], bins: usize) -> Vec<f64> {
    let mut last = vec![f64::NEG_INFINITY; bins + 1];
    each_width!(codes, list => for (code, &x) in list.iter().zip(cells) {
        let last = &mut last[code.wide() as usize];
        *last = if x > *last { x } else { *last };
    });
    last.truncate(bins);
    // Adding zero turns -0 into 0.
    last.iter_mut().for_each(|x| *x += 0.0);
    last
}

/// The bin of all values in a narrow place, or [`CLOSE`].
fn code_by_place(starts: &[f64], close: &[bool], place_of: impl Fn(f64) -> u16) -> Vec<u16> {
    let mut next = starts.iter().map(|&start| usize::from(place_of(start))).peekable();
    let mut code = 0;
    let mut of_place = |(place, &close): (usize, &bool)| {
        while next.next_if(|start| *start < place).is_some() {
            code += 1;
        }
        if close { CLOSE } else { code }
    };
    close.iter().enumerate().map(&mut of_place).collect()
}

fn has_few_values(cells: &[f64], most: usize) -> bool {
    let mut seen = HashSet::with_capacity(most + 1);
    cells.iter().filter(|x| !x.is_nan()).all(|x| {
        seen.insert((x + 0.0).to_bits());
        seen.len() <= most
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ranks;
    use proptest::prelude::*;

    fn coded(cells: &[f64]) -> CodedColumn {
        let (values, codes) = ranks(cells).unwrap();
        CodedColumn::of(codes, Scale::Values(values))
    }

    #[test]
    fn bins_hold_about_the_same_number_of_rows() {
        let cells: Vec<f64> = (0..1000).map(|i| f64::from(i * 7919 % 1000)).collect();
        let column = of_cells(&cells, 4).unwrap();
        let Scale::Bins(bins) = &column.scale else { panic!("not cut") };
        assert_eq!(bins.first, [0.0, 250.0, 500.0, 750.0]);
        assert_eq!(bins.last, [249.0, 499.0, 749.0, 999.0]);
        for bin in 0..4 {
            assert_eq!((0..1000).filter(|&row| column.codes.get(row) == bin).count(), 250);
        }
    }

    proptest! {
        /// Cells and codes are cut alike, by the definition.
        #[test]
        fn both_ways_give_the_bins_of_the_definition(
            cells in prop::collection::vec(prop_oneof![
                4 => (-50i32..50).prop_map(|x| f64::from(x) / 7.0), 4 => -3.0..3.0f64, 1 => Just(f64::NAN), 1 => Just(-0.0)], 1..400),
            bins in 2usize..20
        ) {
            let column = coded(&cells);
            let cut = of_codes(&column, bins, None);
            let mut sorted: Vec<f64> = cells.iter().copied().filter(|x| !x.is_nan()).map(|x| x + 0.0).collect();
            sorted.sort_by(f64::total_cmp);
            let mut values = sorted.clone();
            values.dedup();
            prop_assert_eq!(cut.is_some(), values.len() > bins);
            if let Some(cut) = cut {
                let mut starts: Vec<f64> = (1..bins).map(|i| sorted[i * sorted.len() / bins]).filter(|x| *x > sorted[0]).collect();
                starts.dedup();
                for (row, &x) in cells.iter().enumerate() {
                    let bin = starts.iter().filter(|start| **start <= x).count();
                    prop_assert_eq!(cut.codes.get(row) as usize, if x.is_nan() { starts.len() + 1 } else { bin });
                }
                let Scale::Bins(Bins { first, last }) = &cut.scale else { panic!("not cut") };
                prop_assert_eq!(&first[1..], &starts[..]);
                for (bin, last) in last.iter().enumerate() {
                    let end = starts.get(bin).copied().unwrap_or(f64::INFINITY);
                    prop_assert_eq!(sorted.iter().rfind(|x| **x < end).unwrap(), last);
                }
                if let Some(other) = of_cells(&cells, bins) {
                    prop_assert_eq!(cut, other);
                }
            } else {
                prop_assert!(of_cells(&cells, bins).is_none());
            }
        }

        /// A row of weight 3 is three rows, whatever the unit of the weights.
        #[test]
        fn weights_are_repeated_rows(cells in prop::collection::vec((-50i32..50, 1u8..5), 1..200), bins in 2usize..12) {
            let values: Vec<f64> = cells.iter().map(|c| f64::from(c.0)).collect();
            let repeated: Vec<f64> =
                cells.iter().flat_map(|c| std::iter::repeat_n(f64::from(c.0), usize::from(c.1))).collect();
            let expected = of_codes(&coded(&repeated), bins, None).map(|c| c.scale);
            for unit in [1.0, 7.3, 1e-6, 1.0 / 3.0] {
                let weights: Vec<f64> = cells.iter().map(|c| unit * f64::from(c.1)).collect();
                let weighted = of_codes(&coded(&values), bins, Some(&weights)).map(|c| c.scale);
                prop_assert_eq!(weighted, expected.clone(), "unit {}", unit);
            }
        }
    }
}
