//! The divisions of every protocol.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{FoldOrder, Protocol, Split, shi};
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};
use crate::memory;
use crate::training::{Folds, held_out, shuffle};

impl Protocol {
    /// All divisions of a table.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// use secateur::evaluate::Protocol;
    ///
    /// let table = CodedTable::new(&builtin::load("iris")?, &Roles::default())?;
    /// let splits = Protocol::Window { parts: 20, train: 1 }.splits(&table, 1)?;
    /// assert_eq!((splits.len(), splits[0].train.len(), splits[0].test.len()), (20, 8, 142));
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn splits(&self, table: &CodedTable, seed: u64) -> Result<Vec<Split>> {
        let rows = table.rows().saturating_mul(self.count()).saturating_mul(size_of::<u32>());
        memory::ask(rows, &format!("the rows of {} divisions", self.count()))?;
        let used: Vec<u32> = (0..table.rows() as u32).filter(|&r| table.weight(r as usize) > 0.0).collect();
        let divide = Divide { table, seed, used };
        let splits = match self {
            Self::Cv { folds, repeats, order: FoldOrder::Stratified } => divide.stratified(*folds, *repeats),
            Self::Cv { folds, repeats, order: FoldOrder::Shi2007 } => divide.as_shi_did(*folds, *repeats),
            Self::Window { parts, train } => divide.window(*parts, *train),
            Self::ValidatedCv { folds, validation } => divide.validated(*folds, *validation),
            Self::Random { trials, train } => divide.random(*trials, *train),
            Self::TrainTest { train } => {
                let (first, rest) = divide.used.iter().partition(|&&row| (row as usize) < *train);
                Ok(vec![split(0, 0, first, rest)])
            }
            Self::Given(folds) => Ok(of_folds(0, by_fold(folds, &divide.used))),
        }?;
        if let Some(empty) = splits.iter().find(|s| s.train.is_empty() || s.test.is_empty()) {
            let side = if empty.train.is_empty() { "learn from" } else { "test on" };
            return Err(Error::parameter(format!(
                "repetition {}, fold {} has no rows to {side}",
                empty.repeat + 1,
                empty.fold + 1
            )));
        }
        Ok(splits)
    }
}

/// A table that is to be divided.
struct Divide<'a> {
    table: &'a CodedTable,
    seed: u64,
    /// The rows with weight.
    used: Vec<u32>,
}

impl Divide<'_> {
    fn stratified(&self, folds: usize, repeats: usize) -> Result<Vec<Split>> {
        at_least_one(repeats, "repetition")?;
        let mut splits = Vec::new();
        for repeat in 0..repeats {
            let of_row = Folds::stratified(self.table, None, folds, nth_seed(self.seed, repeat as u64))?;
            splits.extend(of_folds(repeat, by_fold(&of_row, &self.used)));
        }
        Ok(splits)
    }

    fn as_shi_did(&self, folds: usize, repeats: usize) -> Result<Vec<Split>> {
        at_least_one(repeats, "repetition")?;
        let rows = self.table.rows();
        let CodedTarget::Classes { codes, .. } = self.table.target() else {
            return Err(Error::parameter("the folds of shi-2007 are for classes"));
        };
        if self.used.len() < rows {
            return Err(Error::parameter("the folds of shi-2007 are for tables without weights"));
        }
        if folds < 2 || folds > rows {
            return Err(Error::parameter(format!("{folds} folds of {rows} rows")));
        }
        let run = |repeat: usize| of_folds(repeat, shi::outer(codes, folds, repeat as u64 + 1));
        Ok((0..repeats).flat_map(run).map(|split| Split { shi: Some(1.0), ..split }).collect())
    }

    fn window(&self, parts: usize, train: usize) -> Result<Vec<Split>> {
        if train < 1 || train >= parts {
            return Err(Error::parameter(format!(
                "a window of {train} of {parts} parts: expected at least 1 and fewer than all"
            )));
        }
        let of_row = Folds::shuffled(self.table, parts, self.seed)?;
        let part = |row: u32| of_row.fold(row as usize).unwrap_or(0) as usize;
        let at = |i: usize| self.used.iter().partition(|&&row| (part(row) + parts - i) % parts < train);
        Ok(of_folds(0, (0..parts).map(at)))
    }

    fn validated(&self, folds: usize, share: f64) -> Result<Vec<Split>> {
        let (rest, held) = held_out(self.table, None, share, self.seed)?;
        let with = |weights: &[f64]| -> Vec<u32> {
            self.used.iter().copied().filter(|&row| weights[row as usize] > 0.0).collect()
        };
        let validation = with(&held);
        let of_row = Folds::stratified(self.table, Some(&rest), folds, nth_seed(self.seed, 1))?;
        let splits = of_folds(0, by_fold(&of_row, &with(&rest)));
        Ok(splits.into_iter().map(|split| Split { validation: validation.clone(), ..split }).collect())
    }

    fn random(&self, trials: usize, share: f64) -> Result<Vec<Split>> {
        at_least_one(trials, "trial")?;
        if !(share > 0.0 && share < 1.0) {
            return Err(Error::parameter(format!(
                "{share} is not a share to learn from; expected a number between 0 and 1"
            )));
        }
        let rows = self.used.len();
        let size = ((rows as f64 * share).round() as usize).clamp(1, rows.max(2) - 1);
        let trial = |trial: usize| {
            let mut rows = self.used.clone();
            shuffle(&mut rows, &mut ChaCha8Rng::seed_from_u64(nth_seed(self.seed, trial as u64)));
            let mut test = rows.split_off(size.min(rows.len()));
            rows.sort_unstable();
            test.sort_unstable();
            (rows, test)
        };
        Ok(of_folds(0, (0..trials).map(trial)))
    }
}

fn split(repeat: usize, fold: usize, train: Vec<u32>, test: Vec<u32>) -> Split {
    Split { repeat: repeat as u32, fold: fold as u32, train, test, validation: Vec::new(), shi: None }
}

/// A division for every pair of rows to learn from and rows to test on.
fn of_folds(repeat: usize, folds: impl IntoIterator<Item = (Vec<u32>, Vec<u32>)>) -> Vec<Split> {
    let folds = folds.into_iter().enumerate();
    folds.map(|(fold, (train, test))| split(repeat, fold, train, test)).collect()
}

fn at_least_one(count: usize, what: &str) -> Result<()> {
    if count == 0 { Err(Error::parameter(format!("expected at least one {what}"))) } else { Ok(()) }
}

/// Seeds for repetitions that have nothing in common.
pub(super) fn nth_seed(seed: u64, n: u64) -> u64 {
    // The first repetition has the seed itself: `evaluate` once and the folds of `fit` agree.
    seed.wrapping_add(n.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// For every fold the rows outside and inside it.
fn by_fold(folds: &Folds, rows: &[u32]) -> Vec<(Vec<u32>, Vec<u32>)> {
    (0..folds.len() as u32)
        .map(|fold| {
            let known = rows.iter().copied().filter(|&row| folds.fold(row as usize).is_some());
            known.partition(|&row| folds.fold(row as usize) != Some(fold))
        })
        .collect()
}
