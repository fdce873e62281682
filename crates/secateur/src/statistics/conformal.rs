//! Conformal prediction: how far to go around a prediction so that a given share of new rows is inside.
//!
//! Rows that a tree has not seen have a *score*: how badly the truth fits what the tree said. With the scores of `n` such rows, a new row
//! has a score of at most the `⌈p (n + 1)⌉`-th smallest with probability at least `p`, whatever the distribution, as long as it
//! comes from where those rows came from: its rank among all `n + 1` scores is as likely to be one as another. Every answer whose score is
//! not larger belongs to the set, or the interval.
//!
//! That holds exactly for rows held out from everything (*split conformal*). Scores from cross-validation belong to the trees of the folds
//! and not to the tree that predicts; with them it is not a theorem, but what the rows of every fold have shown.
//!
//! Sources: V. Vovk, A. Gammerman and G. Shafer (2005), *Algorithmic learning in a random world*; J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani and
//! L. Wasserman (2018), *Distribution-free predictive inference for regression*, JASA 113; R. F. Barber, E. J. Candès, A. Ramdas and
//! R. J. Tibshirani (2021), *Predictive inference with the jackknife+*, Annals of Statistics 49, for what cross-validation can promise.

use serde::{Deserialize, Serialize};

/// Scores as points: a new row has at most this score with at least this probability.
///
/// ```
/// use secateur::statistics::Scores;
/// // Nine rows: the fourth smallest of ten is as likely as any other rank.
/// let scores = Scores::of((1..=9).map(|i| (f64::from(i), 1.0)).collect());
/// assert_eq!(scores.at(0.4), Some(4.0));
/// assert_eq!(scores.at(0.85), Some(9.0));
/// // The tenth of ten could be anything.
/// assert_eq!(scores.at(0.95), None);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    rows: u64,
    /// Scores and levels, both ascending.
    points: Vec<(f64, f64)>,
}

/// Levels that have a point of their own, however many rows there are: those that people ask for.
fn usual_levels() -> impl Iterator<Item = f64> {
    let steps =
        |from: u32, to: u32, step: u32| (from..to).step_by(step as usize).map(|l| f64::from(l) / 1000.0);
    steps(0, 500, 50).chain(steps(500, 900, 10)).chain(steps(900, 990, 5)).chain(steps(990, 1000, 1))
}

/// The largest scores are all kept, so that levels near 1 do not become larger than they need be.
const LARGEST: usize = 20;

/// Scores are rounded up to a whole number of these parts.
const PARTS: f64 = 1e9;

impl Scores {
    /// Points for the scores of some rows with their weights. Rows count by their share of the weight.
    pub fn of(mut scores: Vec<(f64, f64)>) -> Self {
        scores.retain(|(score, weight)| !score.is_nan() && *weight > 0.0);
        scores.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (rows, all) = (scores.len() as u64, scores.iter().map(|(_, weight)| weight).sum::<f64>());
        // k of n rows up to a score are level k / (n + 1).
        let level = |sum: f64| sum / all * (rows as f64 / (rows as f64 + 1.0));
        let (mut points, mut sum) = (Vec::<(f64, f64)>::new(), 0.0);
        for (score, weight) in scores {
            sum += weight;
            let score = rounded_up(score);
            match points.last_mut() {
                Some(last) if last.0 == score => last.1 = level(sum),
                _ => points.push((score, level(sum))),
            }
        }
        Self { rows, points: thinned(points) }
    }

    /// The number of rows behind the scores.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The smallest score that covers a new row with this probability; `None` where there are too few rows to say.
    pub fn at(&self, level: f64) -> Option<f64> {
        self.point(level).map(|(score, _)| score)
    }

    /// The probability that the score for a level covers a new row with: more than asked for where many rows have the same score.
    pub fn covered(&self, level: f64) -> Option<f64> {
        self.point(level).map(|(_, covered)| covered)
    }

    fn point(&self, level: f64) -> Option<(f64, f64)> {
        let place = self.points.partition_point(|point| point.1 < level - 1e-12);
        self.points.get(place).copied()
    }

    /// What is wrong with points from a file, if anything is.
    pub(crate) fn problem(&self) -> Option<&'static str> {
        let numbers = self.points.iter().flat_map(|point| [point.0, point.1]);
        if numbers.clone().any(|x| !x.is_finite() || x < 0.0) {
            return Some("scores and levels must be numbers from 0");
        }
        let ascend = self.points.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1);
        let below = self.points.last().is_none_or(|last| last.1 < 1.0);
        (!ascend || !below).then_some("scores and levels must ascend, levels below 1")
    }
}

fn rounded_up(score: f64) -> f64 {
    // A number so large that steps are below its last digit stays as it is.
    // Zero is added because the larger of -0 and 0 may be either.
    if score.abs() < 1e6 { (score * PARTS - 1e-3).ceil().max(0.0) / PARTS + 0.0 } else { score }
}

/// Points enough for the usual levels; one between them is answered with the next.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut kept = vec![false; points.len()];
    for level in usual_levels() {
        let place = points.partition_point(|point| point.1 < level - 1e-12);
        if let Some(kept) = kept.get_mut(place) {
            *kept = true;
        }
    }
    kept.iter_mut().rev().take(LARGEST).for_each(|kept| *kept = true);
    points.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(point, _)| point).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The definition: the score of rank ⌈level (n + 1)⌉.
        #[test]
        fn a_usual_level_is_answered_by_its_rank(
            scores in proptest::collection::vec(0u32..400, 1..900), level in 0usize..77,
        ) {
            let level = usual_levels().nth(level).unwrap();
            let made = Scores::of(scores.iter().map(|&s| (f64::from(s) / 8.0, 2.5)).collect());
            let mut sorted: Vec<f64> = scores.iter().map(|&s| f64::from(s) / 8.0).collect();
            sorted.sort_by(f64::total_cmp);
            let rank = ((level * (sorted.len() as f64 + 1.0) - 1e-9).ceil() as usize).max(1);
            prop_assert_eq!(made.at(level), sorted.get(rank - 1).copied());
            prop_assert!(made.points.len() <= 77 + LARGEST);
            prop_assert_eq!(made.problem(), None);
            if let (Some(score), Some(covered)) = (made.at(level), made.covered(level)) {
                let up_to = sorted.iter().filter(|s| **s <= score).count() as f64;
                prop_assert!((covered - up_to / (sorted.len() as f64 + 1.0)).abs() < 1e-12);
                prop_assert!(covered >= level - 1e-12);
            }
            let json = serde_json::to_string(&made).unwrap();
            prop_assert_eq!(serde_json::from_str::<Scores>(&json).unwrap(), made);
        }

        /// Of n + 1 exchangeable rows, the one left out is covered at least as often as promised.
        #[test]
        fn each_row_in_turn_is_covered_as_promised(scores in proptest::collection::vec(0u32..50, 2..120), level in 1usize..77) {
            let level = usual_levels().nth(level).unwrap();
            let covered = (0..scores.len()).filter(|&out| {
                let others = scores.iter().enumerate().filter(|(i, _)| *i != out);
                let made = Scores::of(others.map(|(_, &s)| (f64::from(s), 1.0)).collect());
                made.at(level).is_none_or(|score| f64::from(scores[out]) <= score)
            });
            prop_assert!(covered.count() as f64 >= level * scores.len() as f64 - 1e-9);
        }
    }

    #[test]
    fn scores_of_rounding_alone_are_one() {
        let made = Scores::of(vec![(0.1 + 0.2, 1.0), (0.3, 1.0), (1e300, 1.0), (f64::NAN, 1.0), (5.0, 0.0)]);
        assert_eq!((made.rows(), made.at(0.5), made.at(0.75)), (3, Some(0.3), Some(1e300)));
        assert_eq!(Scores::of(Vec::new()).at(0.5), None);
        assert!(rounded_up(0.0).is_sign_positive() && rounded_up(-0.0).is_sign_positive());
    }
}
