//! One division of a table: what is learned from, chosen on and judged on.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::divide::nth_seed;
use super::shi;
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};
use crate::training::{FitOptions, Folds, shuffle};

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
    pub(super) shi: Option<f64>,
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
            return Err(Error::parameter(format!("{share} of the rows leaves none to learn from")));
        }
        rows.sort_unstable();
        self.train = rows;
        Ok(self)
    }

    /// The options of a fit on the training part. `folds` are the internal folds a scheme asks for; the folds of Shi's tables
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
