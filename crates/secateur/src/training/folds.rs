//! Folds and held-out parts: which row is left out when.

use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};

/// For every row the fold that leaves it out; `None` for rows that no fold leaves out and that are not used at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folds {
    of_row: Vec<Option<u32>>,
    count: u32,
}

impl Folds {
    /// Stratified folds: the rows of every class are shuffled and dealt out in turn, so that each fold has its share of
    /// each class. Numbers are shuffled and dealt without regard to their size. Rows of no weight are not used.
    pub fn stratified(table: &CodedTable, weights: Option<&[f64]>, folds: usize, seed: u64) -> Result<Self> {
        let used = used_rows(table, weights)?;
        if folds < 2 || folds > used.len() {
            return Err(Error::parameter(format!(
                "{folds} folds of {} rows: expected at least 2 folds and no more folds than rows",
                used.len()
            )));
        }
        let mut of_row = vec![None; table.rows()];
        for (turn, row) in shuffled_by_class(table, used, seed).into_iter().flatten().enumerate() {
            of_row[row as usize] = Some((turn % folds) as u32);
        }
        Ok(Self { of_row, count: folds as u32 })
    }

    /// Folds of shuffled rows, without regard to classes.
    pub fn shuffled(table: &CodedTable, folds: usize, seed: u64) -> Result<Self> {
        let mut rows = used_rows(table, None)?;
        if folds < 2 || folds > rows.len() {
            return Err(Error::parameter(format!(
                "{folds} parts of {} rows: expected at least 2 parts and no more parts than rows",
                rows.len()
            )));
        }
        shuffle(&mut rows, &mut ChaCha8Rng::seed_from_u64(seed));
        let mut of_row = vec![None; table.rows()];
        for (turn, row) in rows.into_iter().enumerate() {
            of_row[row as usize] = Some((turn % folds) as u32);
        }
        Ok(Self { of_row, count: folds as u32 })
    }

    /// This many folds of rows that are not here.
    pub(crate) fn elsewhere(count: u32) -> Self {
        Self { of_row: Vec::new(), count }
    }

    /// The fold that leaves a row out.
    pub fn fold(&self, row: usize) -> Option<u32> {
        self.of_row.get(row).copied().flatten()
    }

    /// Folds given from outside: a fold for every row, none for rows to be left out altogether.
    pub fn given(of_row: Vec<Option<u32>>) -> Result<Self> {
        let count = of_row.iter().flatten().max().map_or(0, |m| m + 1);
        if count < 2 {
            return Err(Error::parameter("expected at least two folds"));
        }
        Ok(Self { of_row, count })
    }

    /// The other folds, without the rows of this one.
    pub fn without(&self, fold: usize) -> Result<Self> {
        let other = |of: &Option<u32>| match of {
            Some(own) if *own as usize == fold => None,
            Some(own) if *own as usize > fold => Some(own - 1),
            own => *own,
        };
        Self::given(self.of_row.iter().map(other).collect())
    }

    /// The number of rows that the folds are made for.
    pub fn rows(&self) -> usize {
        self.of_row.len()
    }

    /// The number of folds.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Whether there are no folds.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Row weights for growing without a fold, and for the rows of that fold alone; 0 for rows that have no weight or no
    /// fold.
    pub fn weights(&self, table: &CodedTable, weights: Option<&[f64]>, fold: usize) -> (Vec<f64>, Vec<f64>) {
        let weight = |row: usize| match weights {
            Some(weights) => weights.get(row).copied().unwrap_or(0.0),
            None if row < table.rows() => table.weight(row),
            None => 0.0,
        };
        let pick = |keep: &dyn Fn(u32) -> bool| {
            let of =
                |(row, fold): (usize, &Option<u32>)| if fold.is_some_and(keep) { weight(row) } else { 0.0 };
            self.of_row.iter().enumerate().map(of).collect()
        };
        (pick(&|f| f as usize != fold), pick(&|f| f as usize == fold))
    }
}

/// Row weights for growing and for a held-out part with (about) this share of every class.
pub fn held_out(
    table: &CodedTable,
    weights: Option<&[f64]>,
    share: f64,
    seed: u64,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let weight = |row: usize| weights.map_or(table.weight(row), |w| w[row]);
    let used = used_rows(table, weights)?;
    let mut grow: Vec<f64> = vec![0.0; table.rows()];
    for &row in &used {
        grow[row as usize] = weight(row as usize);
    }
    let mut held = vec![0.0; table.rows()];
    for rows in shuffled_by_class(table, used, seed) {
        let out = (rows.len() as f64 * share).round() as usize;
        if out == rows.len() && out > 0 {
            return Err(Error::parameter(format!(
                "holding out {share} of the rows leaves none of a class to grow from (it has {out}); hold out less"
            )));
        }
        for &row in &rows[..out] {
            held[row as usize] = std::mem::take(&mut grow[row as usize]);
        }
    }
    if held.iter().all(|w| *w == 0.0) {
        return Err(Error::parameter(format!(
            "holding out {share} of the rows holds out none; hold out more"
        )));
    }
    Ok((grow, held))
}

/// Row weights for growing and for a part of this share that is drawn from all rows, whatever their classes: every row is as likely to be in it,
/// also one of a class with two rows, of which [`held_out`] takes none. Where rows have groups, groups are drawn in place of rows.
pub(super) fn drawn(
    table: &CodedTable,
    weights: Option<&[f64]>,
    groups: Option<&[u32]>,
    share: f64,
    seed: u64,
) -> Result<(Vec<f64>, Vec<f64>)> {
    let used = used_rows(table, weights)?;
    let unit = |row: u32| groups.map_or(row, |groups| groups[row as usize]);
    let mut units: Vec<u32> = used.iter().map(|&row| unit(row)).collect();
    if groups.is_some() {
        units.sort_unstable();
        units.dedup();
    }
    shuffle(&mut units, &mut ChaCha8Rng::seed_from_u64(seed));
    let out = (units.len() as f64 * share).round() as usize;
    if out == 0 || out == units.len() {
        let what = if out == 0 {
            "sets none aside; set more aside"
        } else {
            "leaves none to grow from; set less aside"
        };
        return Err(Error::parameter(format!(
            "setting {share} of {} {} aside {what}",
            units.len(),
            if groups.is_some() { "groups" } else { "rows" }
        )));
    }
    let (mut grow, mut aside) = (vec![0.0; table.rows()], vec![0.0; table.rows()]);
    let drawn: HashSet<u32> = units[..out].iter().copied().collect();
    for row in used {
        let part = if drawn.contains(&unit(row)) { &mut aside } else { &mut grow };
        let row = row as usize;
        part[row] = weights.map_or(table.weight(row), |w| w[row]);
    }
    Ok((grow, aside))
}

fn used_rows(table: &CodedTable, weights: Option<&[f64]>) -> Result<Vec<u32>> {
    if let Some(weights) = weights
        && weights.len() != table.rows()
    {
        return Err(Error::parameter(format!(
            "{} weights for a table of {} rows",
            weights.len(),
            table.rows()
        )));
    }
    Ok((0..table.rows() as u32)
        .filter(|&row| weights.map_or(table.weight(row as usize), |w| w[row as usize]) > 0.0)
        .collect())
}

/// The rows of every class in random order; all rows together for numbers.
fn shuffled_by_class(table: &CodedTable, rows: Vec<u32>, seed: u64) -> Vec<Vec<u32>> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut classes = match table.target() {
        CodedTarget::Classes { classes, codes } => {
            let mut by_class = vec![Vec::new(); *classes];
            for row in rows {
                by_class[codes[row as usize] as usize].push(row);
            }
            by_class
        }
        CodedTarget::Numbers { .. } => vec![rows],
    };
    for rows in &mut classes {
        shuffle(rows, &mut rng);
    }
    classes
}

/// Puts rows into random order.
pub(crate) fn shuffle(rows: &mut [u32], rng: &mut ChaCha8Rng) {
    for i in (1..rows.len()).rev() {
        rows.swap(i, rng.random_range(0..=i));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Roles, builtin};

    fn iris() -> CodedTable {
        CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap()
    }

    #[test]
    fn rows_of_small_classes_are_drawn_as_often_as_others() {
        // 30 rows of one class, and two rows of each of 15 others.
        let classes = (0..60).map(|row| if row < 30 { "a".into() } else { format!("b{}", row / 2) });
        let table = crate::data::Table::builder().numeric("x", (0..60).map(f64::from)).text("y", classes);
        let table = CodedTable::new(&table.build().unwrap(), &Roles::default()).unwrap();
        let mut times = [0.0; 60];
        for seed in 0..400 {
            let (grow, aside) = drawn(&table, None, None, 0.2, seed).unwrap();
            assert_eq!(aside.iter().sum::<f64>(), 12.0);
            assert!(grow.iter().zip(&aside).all(|(grow, aside)| grow + aside == 1.0));
            times.iter_mut().zip(aside).for_each(|(times, aside)| *times += aside);
        }
        // 80 of 400, with a standard deviation of 8.
        assert!(times.iter().all(|times| (45.0..115.0).contains(times)), "{times:?}");
        let weights: Vec<f64> = (0..60).map(|row| f64::from(row % 2)).collect();
        let (grow, aside) = drawn(&table, Some(&weights), None, 0.2, 1).unwrap();
        assert_eq!((grow.iter().sum::<f64>(), aside.iter().sum::<f64>()), (24.0, 6.0));
        assert!(drawn(&table, None, None, 0.001, 1).unwrap_err().to_string().contains("sets none aside"));
        assert!(
            drawn(&table, None, None, 0.999, 1).unwrap_err().to_string().contains("leaves none to grow from")
        );
    }

    #[test]
    fn groups_are_drawn_as_a_whole() {
        let groups: Vec<u32> = (0..150).map(|row| row % 30).collect();
        for seed in 0..20 {
            let (grow, aside) = drawn(&iris(), None, Some(&groups), 0.2, seed).unwrap();
            assert_eq!((grow.iter().sum::<f64>(), aside.iter().sum::<f64>()), (120.0, 30.0));
            assert!((0..150).all(|row| aside[row] == aside[row % 30]));
        }
        assert!(drawn(&iris(), None, Some(&groups), 0.01, 1).unwrap_err().to_string().contains("30 groups"));
    }

    #[test]
    fn folds_have_their_share_of_every_class() {
        let table = iris();
        let folds = Folds::stratified(&table, None, 10, 3).unwrap();
        for fold in 0..10 {
            let (grow, held) = folds.weights(&table, None, fold);
            for class in 0..3 {
                let rows = class * 50..(class + 1) * 50;
                assert_eq!(held[rows.clone()].iter().sum::<f64>(), 5.0);
                assert_eq!(grow[rows].iter().sum::<f64>(), 45.0);
            }
        }
        assert_eq!(folds, Folds::stratified(&table, None, 10, 3).unwrap());
        assert_ne!(folds, Folds::stratified(&table, None, 10, 4).unwrap());
    }

    #[test]
    fn parts_that_cannot_be_are_errors() {
        let table = iris();
        assert!(
            Folds::stratified(&table, None, 151, 1)
                .unwrap_err()
                .to_string()
                .contains("151 folds of 150 rows")
        );
        assert!(Folds::stratified(&table, None, 1, 1).is_err());
        let short = "3 weights for a table of 150 rows";
        assert!(Folds::stratified(&table, Some(&[1.0; 3]), 2, 1).unwrap_err().to_string().contains(short));
        assert!(held_out(&table, Some(&[1.0; 3]), 0.1, 1).unwrap_err().to_string().contains(short));
        let (grow, held) = Folds::given(vec![Some(0), Some(1)]).unwrap().weights(&table, Some(&[2.0]), 0);
        assert_eq!((grow, held), (vec![0.0, 0.0], vec![2.0, 0.0]));
        assert!(held_out(&table, None, 0.999, 1).unwrap_err().to_string().contains("leaves none of a class"));
        assert!(held_out(&table, None, 0.001, 1).unwrap_err().to_string().contains("holds out none"));
        let (grow, held) = held_out(&table, None, 0.2, 1).unwrap();
        assert_eq!((grow.iter().sum::<f64>(), held.iter().sum::<f64>()), (120.0, 30.0));
    }
}
