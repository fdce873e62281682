//! The rule by which a scheme becomes the default.
//!
//! 1. Accuracy (root mean squared error for numbers): schemes are ranked on every table. One whose average rank is worse than the best, with a
//!    probability of at most 5 % after Holm's adjustment, is out.
//! 2. Bare roots: on tables where some scheme is better than the root (corrected resampled t test, two-sided, 5 %), a scheme that
//!    gives a bare root on more than 2 % of the fits (the mean of the tables' shares) is out.
//! 3. The others are ranked among themselves by Brier score, log loss and leaves (root mean squared error, mean absolute error and leaves).
//!    The smallest mean of the three average ranks decides; of equal ones, the rank by leaves.

use secateur::error::Result;
use secateur::evaluate::measures::Better;
use secateur::schema::Task;
use secateur::statistics::{against_control, friedman};

use super::Results;

/// The level of the tests.
pub const LEVEL: f64 = 0.05;
/// The largest share of bare roots.
pub const BARE_ROOTS: f64 = 0.02;

/// The measures of the last step.
pub fn judged_by(task: Task) -> [&'static str; 3] {
    match task {
        Task::Classification => ["brier", "log-loss", "leaves"],
        Task::Regression => ["rmse", "mae", "leaves"],
    }
}

/// What the rule says of a scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Its average rank by the first measure.
    pub rank: f64,
    /// The probability of a rank this much worse than the best, adjusted by Holm; 1 for the best.
    pub p: f64,
    /// The share of bare roots on the tables where some scheme is better than the root.
    pub bare_roots: f64,
    /// Whether it is out by its rank.
    pub is_worse: bool,
    /// Whether it is out by its bare roots.
    pub is_bare: bool,
    /// The average ranks of the last step, among the schemes that are left.
    pub ranks: Option<[f64; 3]>,
}

impl Standing {
    /// What decides.
    pub fn mean_rank(&self) -> Option<f64> {
        self.ranks.map(|ranks| ranks.iter().sum::<f64>() / 3.0)
    }
}

/// What the rule says.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Every scheme, in the order of the results.
    pub standings: Vec<Standing>,
    /// The best scheme by its rank.
    pub best: usize,
    /// How many tables have a scheme that is better than the root.
    pub beatable: usize,
    /// The schemes that are left, the best first.
    pub left: Vec<usize>,
}

impl Decision {
    /// The scheme that is the default.
    pub fn chosen(&self) -> Option<usize> {
        self.left.first().copied()
    }
}

/// Applies the rule to some tables. Two tables and two schemes are the least.
pub fn decide(results: &Results, tables: &[usize]) -> Result<Decision> {
    let schemes: Vec<usize> = (0..results.schemes.len()).collect();
    let first = results.first_measure();
    let scores = results.scores(first, tables, &schemes).unwrap_or_default();
    let test = friedman(&scores, results.sheet(first).measure.better == Better::Larger)?;
    let ranks = &test.average_ranks;
    let best = schemes.iter().copied().min_by(|&a, &b| ranks[a].total_cmp(&ranks[b])).unwrap_or(0);
    let mut p = vec![1.0; schemes.len()];
    for versus in against_control(&test, best)? {
        p[versus.scheme] = versus.adjusted_p;
    }
    let mut beatable = Vec::new();
    for &table in tables {
        if results.beats_root(table, LEVEL)? {
            beatable.push(table);
        }
    }
    let roots = |scheme: usize| {
        let sum: f64 = beatable.iter().map(|&table| results.bare_roots(table, scheme)).sum();
        sum / beatable.len().max(1) as f64
    };
    let standing = |&scheme: &usize| Standing {
        rank: ranks[scheme],
        p: p[scheme],
        bare_roots: roots(scheme),
        is_worse: p[scheme] <= LEVEL,
        is_bare: roots(scheme) > BARE_ROOTS,
        ranks: None,
    };
    let mut standings: Vec<Standing> = schemes.iter().map(standing).collect();
    let mut left: Vec<usize> =
        schemes.into_iter().filter(|&s| !standings[s].is_worse && !standings[s].is_bare).collect();
    let by_measure = judged_by(results.task).map(|measure| results.average_ranks(measure, tables, &left));
    for (place, &scheme) in left.iter().enumerate() {
        standings[scheme].ranks = Some([0, 1, 2].map(|measure: usize| by_measure[measure][place]));
    }
    let key = |scheme: usize| {
        let ranks = standings[scheme].ranks.unwrap_or([f64::INFINITY; 3]);
        (ranks.iter().sum::<f64>(), ranks[2])
    };
    left.sort_by(|&a, &b| {
        let ((a, a_leaves), (b, b_leaves)) = (key(a), key(b));
        a.total_cmp(&b).then(a_leaves.total_cmp(&b_leaves))
    });
    Ok(Decision { standings, best, beatable: beatable.len(), left })
}

#[cfg(test)]
mod tests {
    use super::super::contest::made;
    use super::*;

    const SCHEMES: [&str; 4] = ["cart", "cart/mdl", "id3", "c45"];

    /// Twenty tables: the second scheme gives bare roots in a tenth of the fits on `bare` of them, the third is never accurate, the fourth
    /// has better probabilities than the first and more leaves. The last table has nothing to learn.
    fn decided(bare: usize) -> Decision {
        let results = made::classes(20, &SCHEMES, |table, fold, scheme| {
            let wobble = f64::from(fold % 5) * 0.004;
            let accuracy = if table == 19 { 0.6 } else { 0.9 + wobble };
            match scheme {
                0 => [accuracy, 0.20, 0.50, 10.0],
                1 => [accuracy, 0.15, 0.40, if table < bare && fold == 3 { 1.0 } else { 8.0 }],
                2 => [accuracy - 0.1, 0.10, 0.30, 2.0],
                3 => [accuracy, 0.18, 0.45, 12.0],
                _ => [0.6, 0.48, 0.67, 1.0],
            }
        });
        decide(&results, &results.all()).unwrap()
    }

    #[test]
    fn schemes_go_by_rank_then_by_bare_roots_then_by_the_three_measures() {
        // Four of nineteen tables with a tenth: 2.1 %.
        let decision = decided(4);
        assert_eq!(decision.beatable, 19);
        assert!(decision.standings[2].is_worse && decision.standings[2].p < 1e-4);
        assert!(decision.standings[1].is_bare && !decision.standings[1].is_worse);
        assert!((decision.standings[1].bare_roots - 0.4 / 19.0).abs() < 1e-12);
        // By Brier score and log loss the fourth, by leaves the first.
        assert_eq!(decision.left, [3, 0]);
        assert_eq!(decision.standings[3].ranks, Some([1.0, 1.0, 2.0]));
        assert_eq!(decision.standings[0].mean_rank(), Some(5.0 / 3.0));
        assert_eq!(decision.standings[1].ranks, None);
    }

    #[test]
    fn a_share_of_bare_roots_up_to_two_percent_is_allowed() {
        // Three of nineteen tables with a tenth: 1.6 %.
        let decision = decided(3);
        assert_eq!(decision.chosen(), Some(1));
        assert_eq!(decision.left.len(), 3);
    }

    #[test]
    fn bare_roots_count_only_where_a_tree_can_do_better() {
        let results = made::classes(6, &SCHEMES[..2], |table, fold, scheme| {
            let nothing = table >= 3;
            match scheme {
                0 => [if nothing { 0.6 } else { 0.9 + f64::from(fold % 2) * 0.01 }, 0.3, 0.4, 5.0],
                1 => [
                    if nothing { 0.6 } else { 0.9 + f64::from(fold % 2) * 0.01 },
                    0.2,
                    0.3,
                    if nothing { 1.0 } else { 4.0 },
                ],
                _ => [0.6, 0.48, 0.67, 1.0],
            }
        });
        let decision = decide(&results, &results.all()).unwrap();
        assert_eq!((decision.beatable, decision.chosen()), (3, Some(1)));
        assert_eq!(decision.standings[1].bare_roots, 0.0);
    }
}
