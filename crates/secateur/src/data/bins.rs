//! Cutting a numeric column into bins of about the same number of rows, for tables in which not every value has to be a threshold.
//!
//! With `n` rows in the order of their values, a bin begins with the value at place `⌊i n / bins⌋` for every `i`, unless that is the
//! smallest value. Rows with equal values are never parted, so there may be fewer bins. A column with no more values than
//! bins stays as it is.
//!
//! A column that is coded already is cut by its codes. One that is not need not be sorted for it: its range is divided into
//! many narrow places, and only the few of them in which a bin begins are looked at closely. Both give the same bins.

use hashbrown::HashSet;

use super::{CodedColumn, Codes, Scale};

/// The smallest and the largest value of every bin.
#[derive(Debug, Clone, PartialEq)]
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

/// A coded column cut into at most so many bins, by the rows that are `kept`; `None` where these have no more values.
pub(crate) fn of_codes(
    column: &CodedColumn,
    bins: usize,
    kept: impl Fn(usize) -> bool,
) -> Option<CodedColumn> {
    let Scale::Values(values) = &column.scale else { return None };
    if values.len() <= bins {
        return None;
    }
    let mut counts = vec![0usize; values.len() + 1];
    for row in (0..column.codes.len()).filter(|row| kept(*row)) {
        counts[column.codes.get(row) as usize] += 1;
    }
    counts.pop();
    let occurring: Vec<usize> = (0..values.len()).filter(|&v| counts[v] > 0).collect();
    if occurring.len() <= bins {
        return None;
    }
    let rows = counts.iter().sum();
    // The codes with which bins begin; the first bin begins with the first value, whether it is kept or not.
    let mut starts = vec![0];
    let (mut at, mut before) = (0, 0);
    for place in beginnings(rows, bins) {
        while before + counts[occurring[at]] <= place {
            before += counts[occurring[at]];
            at += 1;
        }
        if at > 0 && starts.last() != Some(&occurring[at]) {
            starts.push(occurring[at]);
        }
    }
    // Neighbours among the kept values: the others have no say in where a threshold lies.
    let first =
        starts.iter().enumerate().map(|(b, &s)| values[if b == 0 { occurring[0] } else { s }]).collect();
    let ends = starts[1..].iter().copied().chain([values.len()]);
    let last = ends.map(|end| values[occurring[occurring.partition_point(|&v| v < end) - 1]]).collect();
    let code_of: Vec<u32> =
        (0..values.len()).map(|v| starts.partition_point(|&s| s <= v) as u32 - 1).collect();
    let missing = starts.len() as u32;
    let code = |row: usize| code_of.get(column.codes.get(row) as usize).copied().unwrap_or(missing);
    let codes = Codes::pack((0..column.codes.len()).map(code), missing);
    Some(CodedColumn::of(codes, Scale::Bins(Bins { first, last })))
}

/// The narrow places a range is divided into.
const PLACES: usize = 1 << 16;
/// Stands for a place in which a bin begins.
const CLOSE: u16 = u16::MAX;

/// Cells cut into at most so many bins; `None` where there are no more values than bins, or where too many values lie
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
    let mut near: Vec<f64> = Vec::new();
    for (&place, &x) in places.iter().zip(cells) {
        if close[usize::from(place)] && !x.is_nan() {
            near.push(x + 0.0);
        }
    }
    if near.len() > cells.len() / 4 {
        return None;
    }
    near.sort_unstable_by(f64::total_cmp);
    let mut starts: Vec<f64> = Vec::with_capacity(bins);
    let (mut last_place, mut skipped) = (None, 0);
    for (place, rank) in wanted {
        if last_place.is_some_and(|last| last != place) {
            skipped += counts[last_place.unwrap_or(place)] as usize;
        }
        last_place = Some(place);
        let start = near[skipped + rank];
        if start > low && starts.last() != Some(&start) {
            starts.push(start);
        }
    }
    let code_of = code_by_place(&starts, &close, place_of);
    let missing = starts.len() as u32 + 1;
    let code = |(&place, &x): (&u16, &f64)| match code_of[usize::from(place)] {
        _ if x.is_nan() => missing,
        CLOSE => starts.partition_point(|start| *start <= x) as u32,
        code => u32::from(code),
    };
    let codes = Codes::pack(places.iter().zip(cells).map(code), missing);
    let mut last = vec![f64::NEG_INFINITY; missing as usize + 1];
    let mut raise = |code: usize, x: f64| last[code] = if x > last[code] { x } else { last[code] };
    match &codes {
        Codes::U8(list) => list.iter().zip(cells).for_each(|(&code, &x)| raise(usize::from(code), x)),
        Codes::U16(list) => list.iter().zip(cells).for_each(|(&code, &x)| raise(usize::from(code), x)),
        Codes::U32(list) => list.iter().zip(cells).for_each(|(&code, &x)| raise(code as usize, x)),
    }
    last.truncate(missing as usize);
    // Adding zero turns -0 into 0.
    last.iter_mut().for_each(|x| *x += 0.0);
    let first = [low + 0.0].into_iter().chain(starts).collect();
    Some(CodedColumn::of(codes, Scale::Bins(Bins { first, last })))
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
        let (values, codes) = ranks(cells);
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
            let cut = of_codes(&column, bins, |_| true);
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

        /// Rows that are not kept take no part in where bins begin and end, but have a bin.
        #[test]
        fn only_kept_rows_decide(cells in prop::collection::vec((-50i32..50, any::<bool>()), 1..200), bins in 2usize..12) {
            let all: Vec<f64> = cells.iter().map(|c| f64::from(c.0)).collect();
            let kept: Vec<f64> = cells.iter().filter(|c| c.1).map(|c| f64::from(c.0)).collect();
            let some = of_codes(&coded(&all), bins, |row| cells[row].1);
            let alone = of_codes(&coded(&kept), bins, |_| true);
            prop_assert_eq!(some.as_ref().map(|c| &c.scale), alone.as_ref().map(|c| &c.scale));
            if let (Some(some), Some(alone)) = (some, alone) {
                let codes: Vec<u32> = (0..all.len()).filter(|&row| cells[row].1).map(|row| some.codes.get(row)).collect();
                prop_assert_eq!(codes, (0..kept.len()).map(|row| alone.codes.get(row)).collect::<Vec<_>>());
            }
        }
    }
}
