//! The rule by which a scheme becomes the default.
//!
//! 1. Candidates are the schemes whose tree size is chosen by cross-validation along a pruning path.
//! 2. A candidate is out if its average rank by one of two measures is significantly worse than the best one (Holm's adjustment, 5 %), or
//!    if its mean of the first measure is more than half a percentage point worse than the best mean. The measures are accuracy and log loss;
//!    for numbers the root mean squared error, in percent of the root's, and the mean absolute error.
//! 3. Of the others the one with the smallest trees is chosen: the smallest mean, over the tables, of the logarithm of the number of leaves.

use secateur::error::Result;
use secateur::evaluate::measures::Better;
use secateur::schema::Task;
use secateur::scheme::Scheme;
use secateur::statistics::{against_control, friedman};

use super::Results;

/// The level of the tests.
pub const LEVEL: f64 = 0.05;
/// By how much the mean of the first measure may be worse than the best one.
pub const MARGIN: f64 = 0.005;

/// The two measures in which the default must not be worse.
pub fn measures(task: Task) -> [&'static str; 2] {
    match task {
        Task::Classification => ["accuracy", "log-loss"],
        Task::Regression => ["rmse", "mae"],
    }
}

/// The place of a candidate among all candidates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// Its average rank by each of the two measures.
    pub ranks: [f64; 2],
    /// The probability of a rank this much worse than the best, adjusted by Holm; 1 for the best.
    pub p: [f64; 2],
    /// By how much its mean of the first measure is worse than the best mean.
    pub behind: f64,
}

impl Standing {
    /// Whether it is out by its rank in one of the measures.
    pub fn is_worse(&self, measure: usize) -> bool {
        self.p[measure] <= LEVEL
    }

    /// Whether it is out by its mean.
    pub fn is_behind(&self) -> bool {
        self.behind > MARGIN
    }

    fn is_out(&self) -> bool {
        self.is_worse(0) || self.is_worse(1) || self.is_behind()
    }
}

/// What the rule decides.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Every scheme, in the order of the results; `None` for those that are not candidates.
    pub standings: Vec<Option<Standing>>,
    /// The best candidate by each of the two measures.
    pub best: [usize; 2],
    /// The mean logarithm of the leaves of every scheme.
    pub log_leaves: Vec<f64>,
    /// How many tables have a scheme that is better than the root.
    pub beatable: usize,
    /// The candidates that are left, the one with the smallest trees first.
    pub left: Vec<usize>,
}

impl Decision {
    /// The scheme that is the default.
    pub fn chosen(&self) -> Option<usize> {
        self.left.first().copied()
    }

    /// How many schemes are candidates.
    pub fn candidates(&self) -> usize {
        self.standings.iter().flatten().count()
    }
}

/// Whether the size of a scheme's trees is chosen by cross-validation along a path.
fn is_candidate(scheme: &str, task: Task) -> Result<bool> {
    let plan = scheme.parse::<Scheme>()?.plan(task)?;
    Ok(plan.chooses_on_path() && plan.folds().is_some())
}

/// Applies the rule to some tables. Two tables and two candidates are the least.
pub fn decide(results: &Results, tables: &[usize]) -> Result<Decision> {
    let mut candidates = Vec::new();
    for (place, scheme) in results.schemes.iter().enumerate() {
        if is_candidate(scheme, results.task)? {
            candidates.push(place);
        }
    }
    let mut standings: Vec<Option<Standing>> = vec![None; results.schemes.len()];
    for &place in &candidates {
        standings[place] = Some(Standing { ranks: [0.0; 2], p: [1.0; 2], behind: 0.0 });
    }
    let mut best = [0; 2];
    for (which, measure) in measures(results.task).into_iter().enumerate() {
        let scores = results.scores(measure, tables, &candidates).unwrap_or_default();
        let test = friedman(&scores, results.sheet(measure).measure.better == Better::Larger)?;
        let ranks = &test.average_ranks;
        let first = (0..candidates.len()).min_by(|&a, &b| ranks[a].total_cmp(&ranks[b])).unwrap_or(0);
        best[which] = candidates.get(first).copied().unwrap_or(0);
        let mut p = vec![1.0; candidates.len()];
        for versus in against_control(&test, first)? {
            p[versus.scheme] = versus.adjusted_p;
        }
        for (place, &scheme) in candidates.iter().enumerate() {
            if let Some(standing) = &mut standings[scheme] {
                (standing.ranks[which], standing.p[which]) = (ranks[place], p[place]);
            }
        }
    }
    // Larger is better, whatever the measure.
    let mean = |scheme: usize| {
        let averages = results.averages(tables, scheme);
        let mean = averages.accuracy.or(averages.rmse.map(|rmse| -rmse));
        mean.unwrap_or(f64::NEG_INFINITY)
    };
    let best_mean = candidates.iter().map(|&scheme| mean(scheme)).fold(f64::NEG_INFINITY, f64::max);
    for &scheme in &candidates {
        if let Some(standing) = &mut standings[scheme] {
            standing.behind = best_mean - mean(scheme);
        }
    }
    let mut beatable = 0;
    for &table in tables {
        beatable += usize::from(results.beats_root(table, LEVEL)?);
    }
    let log_leaves: Vec<f64> =
        (0..results.schemes.len()).map(|scheme| results.log_leaves(tables, scheme)).collect();
    let is_left = |scheme: &usize| standings[*scheme].is_some_and(|standing| !standing.is_out());
    let mut left: Vec<usize> = candidates.into_iter().filter(is_left).collect();
    left.sort_by(|&a, &b| log_leaves[a].total_cmp(&log_leaves[b]));
    Ok(Decision { standings, best, log_leaves, beatable, left })
}

#[cfg(test)]
mod tests {
    use super::super::contest::made;
    use super::*;

    const SCHEMES: [&str; 5] = [
        "cart/mdl",
        "cart/cost-complexity:cv=10",
        "cart/cost-complexity:cv=10,1se",
        "cart/k-norm:cv=10",
        "cart/post:cv=10",
    ];

    /// Twenty tables: the first scheme is best in everything and no candidate; the second is best among the candidates, the third is never
    /// accurate, the fourth has a bad log loss; the last differs from the second in its leaves and, by `behind`, in its accuracy
    /// on one table.
    fn decided(behind: f64) -> Decision {
        let results = made::classes(20, &SCHEMES, |table, fold, scheme| {
            let wobble = f64::from(fold % 5) * 0.004;
            let accuracy = 0.9 + wobble;
            match scheme {
                0 => [0.95 + wobble, 0.10, 0.30, 1.5],
                1 => [accuracy, 0.20, 0.50, 10.0],
                2 => [accuracy - 0.1, 0.10, 0.45, 2.0],
                3 => [accuracy, 0.20, 0.90, 3.0],
                4 => [if table == 7 { accuracy - behind } else { accuracy }, 0.20, 0.50, 5.0],
                _ => [0.6, 0.48, 0.67, 1.0],
            }
        });
        decide(&results, &results.all()).unwrap()
    }

    #[test]
    fn the_smallest_trees_of_those_that_are_not_worse_are_the_default() {
        let decision = decided(0.05);
        assert_eq!((decision.candidates(), decision.beatable), (4, 20));
        assert_eq!(decision.standings[0], None);
        let standing = |scheme: usize| decision.standings[scheme].unwrap();
        assert!(standing(2).is_worse(0) && !standing(2).is_worse(1));
        assert!(standing(3).is_worse(1) && !standing(3).is_worse(0));
        assert!((standing(4).behind - 0.05 / 20.0).abs() < 1e-12 && !standing(4).is_behind());
        assert_eq!(decision.left, [4, 1]);
        assert!((decision.log_leaves[4] - 5f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn half_a_point_behind_the_best_mean_is_too_much() {
        assert_eq!(decided(0.0999).chosen(), Some(4));
        let decision = decided(0.1001);
        assert!(decision.standings[4].unwrap().is_behind());
        assert_eq!(decision.chosen(), Some(1));
    }
}
