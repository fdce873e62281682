//! Protocols: which rows a scheme learns from, which it may choose on, and which it is judged on.
//!
//! Everything a scheme chooses (folds, held-out rows) is chosen inside its training part; the test part is looked at by
//! nobody until the tree is finished.

mod shi;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};
use crate::memory;
use crate::select::{FitOptions, Folds, shuffle};

/// How a table is divided, again and again, into rows to learn from and rows to be judged on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Protocol {
    /// Repeated cross-validation.
    Cv {
        /// Parts; each is the test part once.
        #[serde(default = "ten")]
        folds: usize,
        /// Times the whole is done, with other folds.
        #[serde(default = "one")]
        repeats: usize,
        /// Where the folds come from.
        #[serde(default)]
        order: FoldOrder,
    },
    /// Zhong's rotating window: of some parts, `train` neighbouring ones to learn from, all others to test on.
    Window {
        /// Parts, and so rotations.
        #[serde(default = "twenty")]
        parts: usize,
        /// Parts to learn from.
        train: usize,
    },
    /// El-Khouri's: a validation part is set aside to choose on, the rest is cross-validated.
    ValidatedCv {
        /// Parts of the rest.
        #[serde(default = "five")]
        folds: usize,
        /// The share set aside.
        #[serde(default = "tenth")]
        validation: f64,
    },
    /// Holder's: random trials.
    Random {
        /// How many.
        #[serde(default = "ten")]
        trials: usize,
        /// The share to learn from.
        #[serde(default = "two_thirds")]
        train: f64,
    },
    /// The first rows to learn from, all others to test on.
    TrainTest {
        /// How many rows to learn from.
        train: usize,
    },
    /// Folds from a file.
    #[serde(skip)]
    Given(Folds),
}

/// Where folds come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FoldOrder {
    /// Stratified, from the seed.
    #[default]
    Stratified,
    /// The folds behind the tables of H. Shi (2007), outside and inside.
    #[serde(rename = "shi-2007")]
    Shi2007,
}

fn one() -> usize {
    1
}

fn five() -> usize {
    5
}

fn ten() -> usize {
    10
}

fn twenty() -> usize {
    20
}

fn tenth() -> f64 {
    0.1
}

fn two_thirds() -> f64 {
    2.0 / 3.0
}

/// One division of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// The repetition, from 0.
    pub repeat: u32,
    /// The fold or trial within it, from 0.
    pub fold: u32,
    /// Rows to learn from, in the protocol's order.
    pub train: Vec<u32>,
    /// Rows to be judged on.
    pub test: Vec<u32>,
    /// Rows to choose on that are neither.
    pub validation: Vec<u32>,
    /// With the folds of Shi's tables: the share of the training rows that the internal folds are made of.
    shi: Option<f64>,
}

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
        let split = |repeat: usize, fold: usize, train, test| Split {
            repeat: repeat as u32,
            fold: fold as u32,
            train,
            test,
            validation: Vec::new(),
            shi: None,
        };
        let splits: Vec<Split> = match self {
            Self::Cv { folds, repeats, order: FoldOrder::Stratified } => {
                at_least_one(*repeats, "repetition")?;
                let mut splits = Vec::new();
                for repeat in 0..*repeats {
                    let of_row = Folds::stratified(table, None, *folds, nth_seed(seed, repeat as u64))?;
                    for (fold, (train, test)) in by_fold(&of_row, &used).into_iter().enumerate() {
                        splits.push(split(repeat, fold, train, test));
                    }
                }
                splits
            }
            Self::Cv { folds, repeats, order: FoldOrder::Shi2007 } => {
                at_least_one(*repeats, "repetition")?;
                let CodedTarget::Classes { codes, .. } = table.target() else {
                    return Err(Error::parameter("the folds of shi-2007 are for classes"));
                };
                if used.len() < table.rows() {
                    return Err(Error::parameter("the folds of shi-2007 are for tables without weights"));
                }
                if *folds < 2 || *folds > table.rows() {
                    return Err(Error::parameter(format!("{folds} folds of {} rows", table.rows())));
                }
                let runs = (1..=*repeats).map(|run| shi::outer(codes, *folds, run as u64));
                let all = runs.enumerate().flat_map(|(repeat, folds)| {
                    folds
                        .into_iter()
                        .enumerate()
                        .map(move |(fold, (train, test))| (repeat, fold, train, test))
                });
                all.map(|(repeat, fold, train, test)| Split {
                    shi: Some(1.0),
                    ..split(repeat, fold, train, test)
                })
                .collect()
            }
            Self::Window { parts, train } => {
                if *train < 1 || train >= parts {
                    return Err(Error::parameter(format!(
                        "a window of {train} of {parts} parts: expected at least 1 and fewer than all"
                    )));
                }
                let of_row = Folds::shuffled(table, *parts, seed)?;
                let part = |row: u32| of_row.fold(row as usize).unwrap_or(0) as usize;
                (0..*parts)
                    .map(|i| {
                        let (train, test) =
                            used.iter().partition(|&&row| (part(row) + parts - i) % parts < *train);
                        split(0, i, train, test)
                    })
                    .collect()
            }
            Self::ValidatedCv { folds, validation } => {
                let (rest, held) = crate::select::held_out(table, None, *validation, seed)?;
                let validation: Vec<u32> = used.iter().copied().filter(|&r| held[r as usize] > 0.0).collect();
                let of_row = Folds::stratified(table, Some(&rest), *folds, nth_seed(seed, 1))?;
                let kept: Vec<u32> = used.iter().copied().filter(|&r| rest[r as usize] > 0.0).collect();
                by_fold(&of_row, &kept)
                    .into_iter()
                    .enumerate()
                    .map(|(fold, (train, test))| Split {
                        validation: validation.clone(),
                        ..split(0, fold, train, test)
                    })
                    .collect()
            }
            Self::Random { trials, train } => {
                at_least_one(*trials, "trial")?;
                if !(*train > 0.0 && *train < 1.0) {
                    return Err(Error::parameter(format!(
                        "{train} is not a share to learn from; expected a number between 0 and 1"
                    )));
                }
                let size = ((used.len() as f64 * train).round() as usize).clamp(1, used.len().max(2) - 1);
                (0..*trials)
                    .map(|trial| {
                        let mut rows = used.clone();
                        shuffle(&mut rows, &mut ChaCha8Rng::seed_from_u64(nth_seed(seed, trial as u64)));
                        let mut test = rows.split_off(size.min(rows.len()));
                        rows.sort_unstable();
                        test.sort_unstable();
                        split(0, trial, rows, test)
                    })
                    .collect()
            }
            Self::TrainTest { train } => {
                let (first, rest) = used.iter().partition(|&&row| (row as usize) < *train);
                vec![split(0, 0, first, rest)]
            }
            Self::Given(folds) => by_fold(folds, &used)
                .into_iter()
                .enumerate()
                .map(|(fold, (train, test))| split(0, fold, train, test))
                .collect(),
        };
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

    /// The number of divisions.
    pub fn count(&self) -> usize {
        match self {
            Self::Cv { folds, repeats, .. } => folds.saturating_mul(*repeats),
            Self::Window { parts, .. } => *parts,
            Self::ValidatedCv { folds, .. } => *folds,
            Self::Random { trials, .. } => *trials,
            Self::TrainTest { .. } => 1,
            Self::Given(folds) => folds.len(),
        }
    }

    /// The repetition and the fold of a division, by its number.
    pub fn place(&self, number: usize) -> (u32, u32) {
        match self {
            Self::Cv { folds, .. } => ((number / folds.max(&1)) as u32, (number % folds.max(&1)) as u32),
            _ => (0, number as u32),
        }
    }

    /// The same with fewer (or more) repetitions or trials, where the protocol has such.
    pub fn with_repeats(self, count: usize) -> Self {
        match self {
            Self::Cv { folds, order, .. } => Self::Cv { folds, repeats: count, order },
            Self::Random { train, .. } => Self::Random { trials: count, train },
            other => other,
        }
    }

    /// What the protocol is, in words.
    pub fn in_words(&self) -> String {
        match self {
            Self::Cv { folds, repeats: 1, order } => {
                format!("{folds}-fold cross-validation{}", order.in_words())
            }
            Self::Cv { folds, repeats, order } => {
                format!("{repeats} × {folds}-fold cross-validation{}", order.in_words())
            }
            Self::Window { parts, train } => {
                format!("rotating window, {train} of {parts} parts to learn from")
            }
            Self::ValidatedCv { folds, validation } => {
                format!("{folds}-fold cross-validation with {validation} of the rows set aside to choose on")
            }
            Self::Random { trials, train } => {
                format!("{trials} random trials, {train:.3} of the rows to learn from")
            }
            Self::TrainTest { train } => format!("{train} rows to learn from, the others to test on"),
            Self::Given(folds) => format!("{} folds from a file", folds.len()),
        }
    }
}

impl FoldOrder {
    fn in_words(self) -> &'static str {
        match self {
            Self::Stratified => ", stratified",
            Self::Shi2007 => " with the folds of Shi (2007)",
        }
    }
}

impl Split {
    /// The same with a share of the rows to learn from, the same of every class. A smaller share is a part of a larger one.
    /// With the folds of Shi's tables the share limits the internal cross-validation alone: the tree is still grown from all
    /// rows.
    pub fn with_share(mut self, table: &CodedTable, share: f64, seed: u64) -> Result<Self> {
        if !(share > 0.0 && share <= 1.0) {
            return Err(Error::parameter(format!(
                "{share} is not a share of the rows to learn from; expected a number above 0 and at most 1"
            )));
        }
        if share == 1.0 {
            return Ok(self);
        }
        let keep = |n: usize| (n as f64 * share).round() as usize;
        if self.shi.is_some() {
            self.shi = Some(share);
            return Ok(self);
        }
        let class = |row: u32| match table.target() {
            CodedTarget::Classes { codes, .. } => codes[row as usize],
            CodedTarget::Numbers { .. } => 0,
        };
        let mut rows = self.train.clone();
        let salt = u64::from(self.repeat) << 32 | u64::from(self.fold);
        shuffle(&mut rows, &mut ChaCha8Rng::seed_from_u64(nth_seed(seed, salt)));
        let mut sizes = vec![0usize; table.classes().max(1)];
        rows.iter().for_each(|&row| sizes[class(row) as usize] += 1);
        let mut left: Vec<usize> = sizes.into_iter().map(keep).collect();
        rows.retain(|&row| {
            let left = &mut left[class(row) as usize];
            let stays = *left > 0;
            *left = left.saturating_sub(1);
            stays
        });
        if rows.is_empty() {
            return Err(Error::parameter(format!("{share} of the rows to learn from are none")));
        }
        rows.sort_unstable();
        self.train = rows;
        Ok(self)
    }

    /// What fits on the training part are told. `folds` are the internal folds a scheme asks for; the folds of Shi's tables
    /// depend on them.
    pub fn options(&self, table: &CodedTable, base: &FitOptions, folds: usize) -> Result<FitOptions> {
        let weights = |rows: &[u32]| {
            let mut weights = vec![0.0; table.rows()];
            rows.iter().for_each(|&row| weights[row as usize] = table.weight(row as usize));
            weights
        };
        let mut options = FitOptions { weights: Some(weights(&self.train)), ..base.clone() };
        if !self.validation.is_empty() {
            options.held_out = Some(weights(&self.validation));
        }
        if let (Some(share), CodedTarget::Classes { codes, .. }) = (self.shi, table.target()) {
            options.folds = Some(Folds::given(shi::inner(&self.train, codes, folds, 1, share))?);
            options.to_the_bit = true;
        }
        Ok(options)
    }

    /// Whether the internal folds are given by the protocol.
    pub fn gives_folds(&self) -> bool {
        self.shi.is_some()
    }

    /// The weights of the rows to be judged on.
    pub fn test_weights(&self, table: &CodedTable) -> Vec<f64> {
        let mut weights = vec![0.0; table.rows()];
        self.test.iter().for_each(|&row| weights[row as usize] = table.weight(row as usize));
        weights
    }
}

/// The internal folds that the program behind Shi's tables makes of a whole table, by its seed.
pub fn shi_folds(table: &CodedTable, folds: usize, seed: u64) -> Result<Folds> {
    let CodedTarget::Classes { codes, .. } = table.target() else {
        return Err(Error::parameter("the folds of shi-2007 are for classes"));
    };
    let rows: Vec<u32> = (0..table.rows() as u32).collect();
    Folds::given(shi::inner(&rows, codes, folds, seed, 1.0))
}

fn at_least_one(count: usize, what: &str) -> Result<()> {
    if count == 0 { Err(Error::parameter(format!("expected at least one {what}"))) } else { Ok(()) }
}

/// Seeds for repetitions that have nothing in common.
fn nth_seed(seed: u64, n: u64) -> u64 {
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
