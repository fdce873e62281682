//! What a tree needs to predict sets of classes or intervals that cover a given share of new rows.
//!
//! The score of a row of a class is `1 − p`, with `p` the probability that the tree says for the class (Sadinle, Lei and Wasserman 2019, *Least
//! ambiguous set-valued classifiers with bounded error levels*): a set has the classes whose probability is large enough, and always the
//! label, so that it is never empty. The score of a number is its distance from what the tree says, over the error to expect
//! there ([`Spreads`](super::Spreads)): intervals are wide where the rows behind a leaf are far apart (Lei et al. 2018, section 5.2).

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::statistics::Scores;

/// The scores of rows that were not learned from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conformal {
    /// Which rows those are, and whose.
    pub by: String,
    /// The scores.
    #[serde(flatten)]
    pub scores: Scores,
}

/// Scores up to this belong to the set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reach {
    /// The share of new rows that is asked for.
    pub level: f64,
    /// The largest score that is inside.
    pub score: f64,
    /// The share of new rows to expect: more than the level where many rows have the same score.
    pub expected: f64,
}

/// Differences of probabilities below this are rounding.
const TOLERANCE: f64 = 1e-9;

impl Conformal {
    /// The score of a row whose number is so far off where such an error is expected.
    pub(crate) fn deviation(off: f64, error: f64) -> f64 {
        if off == 0.0 { 0.0 } else { (off / error).min(f64::MAX) }
    }

    /// How far sets reach that cover this share of new rows.
    ///
    /// # Errors
    /// When it is not a share, or there are too few rows behind the scores for it.
    pub fn reach(&self, level: f64) -> Result<Reach> {
        if !(level > 0.0 && level < 1.0) {
            return Err(Error::parameter(format!(
                "sets for {level}: expected a share of the rows between 0 and 1, such as 0.9"
            )));
        }
        let Some((score, expected)) = self.scores.at(level).zip(self.scores.covered(level)) else {
            let rows = self.scores.rows();
            return Err(Error::parameter(format!(
                "sets for {level} need at least {:.0} rows that were not learned from, and there are {rows}; \
                 ask for {:.3} or less",
                (level / (1.0 - level) - 1e-9).ceil(),
                (1000.0 * rows as f64 / (rows as f64 + 1.0)).floor() / 1000.0,
            )));
        };
        Ok(Reach { level, score, expected })
    }
}

impl Reach {
    /// Whether a class belongs to the set.
    pub fn has(&self, probability: f64, is_label: bool) -> bool {
        is_label || 1.0 - probability <= self.score + TOLERANCE
    }

    /// How far the interval around a number goes to both sides, where such an error is expected.
    pub fn half(&self, error: f64) -> f64 {
        self.score * error
    }
}
