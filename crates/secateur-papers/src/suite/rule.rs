//! The rule by which a scheme becomes the default.
//!
//! 1. Candidates are the schemes whose tree size is chosen by cross-validation along a pruning path.
//! 2. A candidate is out if one of the [criteria] says that it is worse than the default before.
//! 3. Of the others the one with the smallest trees is chosen: the smallest mean, over the tables, of the logarithm of the number of leaves.

use secateur::error::Result;
use secateur::evaluate::measures::Better;
use secateur::schema::Task;
use secateur::scheme::Scheme;

use super::Results;

/// The level of the tests.
pub const LEVEL: f64 = 0.05;

/// A mean in which the default must not be worse than the one before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criterion {
    /// The measure.
    pub measure: &'static str,
    /// The kind of tables that count; `None`: all.
    pub kind: Option<&'static str>,
    /// By which part of the mean of the default before it may be worse.
    pub margin: f64,
}

/// The criteria of a contest.
pub fn criteria(task: Task) -> &'static [Criterion] {
    const fn of(measure: &'static str, kind: Option<&'static str>, margin: f64) -> Criterion {
        Criterion { measure, kind, margin }
    }
    match task {
        Task::Classification => {
            const {
                &[
                    of("accuracy", None, 0.0),
                    of("accuracy", Some("noisy"), 0.0),
                    of("log-loss", None, 0.02),
                    of("auc", Some("rare class"), 0.0),
                ]
            }
        }
        Task::Regression => const { &[of("rmse", None, 0.01), of("mae", None, 0.02)] },
    }
}

impl Criterion {
    /// The tables that count, among some.
    pub fn tables(&self, results: &Results, tables: &[usize]) -> Vec<usize> {
        let kind = self.kind.and_then(|name| results.kinds().find(|kind| kind.name == name));
        let Some(kind) = kind else { return tables.to_vec() };
        let of_kind = results.of_kind(kind);
        tables.iter().copied().filter(|table| of_kind.contains(table)).collect()
    }

    /// By which part of the mean of the default before a scheme is worse, on the tables that count; below 0 where it is better.
    fn behind(&self, results: &Results, tables: &[usize], scheme: usize) -> f64 {
        let mean = |scheme: usize| results.averages(tables, scheme).of(self.measure).unwrap_or(f64::NAN);
        let (own, before) = (mean(scheme), mean(results.before));
        match results.sheet(self.measure).measure.better {
            Better::Larger => (before - own) / before,
            _ => (own - before) / before,
        }
    }
}

/// How a candidate stands beside the default before.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// For each criterion, by which part it is worse.
    pub behind: Vec<f64>,
    /// For each criterion, whether that is too much.
    pub is_worse: Vec<bool>,
}

/// What the rule decides.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// Every scheme, in the order of the results; `None` for those that are not candidates.
    pub standings: Vec<Option<Standing>>,
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

/// Applies the rule to some tables.
pub fn decide(results: &Results, tables: &[usize]) -> Result<Decision> {
    let criteria = criteria(results.task);
    let counted: Vec<Vec<usize>> = criteria.iter().map(|one| one.tables(results, tables)).collect();
    let mut standings: Vec<Option<Standing>> = Vec::with_capacity(results.schemes.len());
    for (place, scheme) in results.schemes.iter().enumerate() {
        standings.push(match is_candidate(scheme, results.task)? {
            false => None,
            true => {
                // Where no table counts, nothing is worse.
                let behind = criteria.iter().zip(&counted).map(|(one, tables)| match tables.is_empty() {
                    true => 0.0,
                    false => one.behind(results, tables, place),
                });
                let behind: Vec<f64> = behind.collect();
                // Means of the same numbers in another order differ in their last digits.
                let is_worse = criteria
                    .iter()
                    .zip(&behind)
                    .map(|(one, behind)| behind.is_nan() || *behind > one.margin + 1e-12)
                    .collect();
                Some(Standing { behind, is_worse })
            }
        });
    }
    let mut beatable = 0;
    for &table in tables {
        beatable += usize::from(results.beats_root(table, LEVEL)?);
    }
    let log_leaves: Vec<f64> =
        (0..results.schemes.len()).map(|scheme| results.log_leaves(tables, scheme)).collect();
    let is_left = |scheme: &usize| standings[*scheme].as_ref().is_some_and(|s| !s.is_worse.contains(&true));
    let mut left: Vec<usize> = (0..results.schemes.len()).filter(is_left).collect();
    left.sort_by(|&a, &b| log_leaves[a].total_cmp(&log_leaves[b]));
    Ok(Decision { standings, log_leaves, beatable, left })
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

    /// Twenty tables: the first scheme is the default before and no candidate; the second is like it with fewer leaves; the third is
    /// less accurate, the fourth has a log loss that is larger by `more`; the last is less accurate on one table by `behind`.
    fn decided(more: f64, behind: f64) -> Decision {
        let results = made::classes(20, &SCHEMES, |table, fold, scheme| {
            let accuracy = 0.9 + f64::from(fold % 5) * 0.004;
            match scheme {
                0 => [accuracy, 0.20, 0.50, 12.0],
                1 => [accuracy, 0.20, 0.50, 10.0],
                2 => [accuracy - 0.1, 0.10, 0.45, 2.0],
                3 => [accuracy, 0.20, 0.50 * (1.0 + more), 3.0],
                4 => [if table == 7 { accuracy - behind } else { accuracy }, 0.20, 0.50, 5.0],
                _ => [0.6, 0.48, 0.67, 1.0],
            }
        });
        decide(&results, &results.all()).unwrap()
    }

    #[test]
    fn the_smallest_trees_of_those_that_are_not_worse_are_the_default() {
        let decision = decided(0.03, 0.05);
        assert_eq!((decision.candidates(), decision.beatable), (4, 20));
        assert_eq!(decision.standings[0], None);
        let standing = |scheme: usize| decision.standings[scheme].clone().unwrap();
        assert_eq!(standing(2).is_worse, [true, false, false, false]);
        assert_eq!(standing(3).is_worse, [false, false, true, false]);
        assert_eq!(standing(4).is_worse, [true, false, false, false]);
        assert_eq!(decision.left, [1]);
        assert!((decision.log_leaves[4] - 5f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn the_margin_of_log_loss_is_two_percent() {
        assert_eq!(decided(0.0199, 0.0).left, [3, 4, 1]);
        assert_eq!(decided(0.0201, 0.0).left, [4, 1]);
        assert_eq!(decided(0.0201, 0.001).left, [1]);
    }
}
