//! How often a test calls two schemes different that are equally good: ten times ten folds of real learners.
//!
//! A learner is a threshold on one attribute. Two attributes tell the class equally well and independently, and each scheme
//! sees one of them. So the schemes are equally good by symmetry, their training sets overlap, and their
//! thresholds move with the training rows.
//!
//! The correction takes the differences of two splits to be correlated by the share of rows they test
//! (Nadeau and Bengio 2003, section 5). That is a guess, good for a learner whose answer moves little with the training
//! rows, and not enough for one that hangs on few of them; both are measured here.

use super::{corrected_t, paired_t};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

const ROWS: usize = 200;
const FOLDS: usize = 10;
const REPETITIONS: usize = 10;

/// An attribute's values with the classes, in ascending order, and the row of each.
type Sorted = Vec<(f64, bool, usize)>;

/// The attribute is `distance` higher in one class than in the other.
fn attribute(classes: &[bool], distance: f64, rng: &mut ChaCha8Rng) -> Sorted {
    let value = |class: bool, rng: &mut ChaCha8Rng| {
        rng.sample::<f64, _>(StandardNormal) + if class { distance } else { 0.0 }
    };
    let mut sorted: Sorted =
        classes.iter().enumerate().map(|(row, &class)| (value(class, rng), class, row)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    sorted
}

/// Where a learner puts the threshold, given training values and classes in ascending order.
type Learner = fn(&[(f64, bool)]) -> f64;

/// Half-way between the means of the classes.
fn midpoint(training: &[(f64, bool)]) -> f64 {
    let mean = |of: bool| {
        let values = || training.iter().filter(|(_, class)| *class == of).map(|(value, _)| value);
        values().sum::<f64>() / values().count() as f64
    };
    (mean(false) + mean(true)) / 2.0
}

/// Where it makes the fewest training errors.
fn fewest_errors(training: &[(f64, bool)]) -> f64 {
    // At first all are called high: the low class is wrong.
    let mut errors = training.iter().filter(|(_, class)| !class).count();
    let (mut fewest, mut threshold) = (errors, f64::NEG_INFINITY);
    for &(value, class) in training {
        errors = if class { errors + 1 } else { errors - 1 };
        if errors < fewest {
            (fewest, threshold) = (errors, value);
        }
    }
    threshold
}

/// Trains on all rows but those of the fold; the right answers in the fold.
fn right(learner: Learner, sorted: &Sorted, fold_of: &[usize], fold: usize) -> usize {
    let training: Vec<(f64, bool)> = sorted
        .iter()
        .filter(|(_, _, row)| fold_of[*row] != fold)
        .map(|&(value, class, _)| (value, class))
        .collect();
    let threshold = learner(&training);
    let tested = sorted.iter().filter(|(_, _, row)| fold_of[*row] == fold);
    tested.filter(|(value, class, _)| (*value > threshold) == *class).count()
}

/// The differences of accuracies of ten times ten folds, on a fresh table.
fn differences(learner: Learner, distances: [f64; 2], rng: &mut ChaCha8Rng) -> Vec<f64> {
    let classes: Vec<bool> = (0..ROWS).map(|_| rng.random()).collect();
    let [a, b] = distances.map(|distance| attribute(&classes, distance, rng));
    let mut fold_of: Vec<usize> = (0..ROWS).map(|row| row % FOLDS).collect();
    let mut differences = Vec::new();
    for _ in 0..REPETITIONS {
        fold_of.shuffle(rng);
        for fold in 0..FOLDS {
            let [a, b] = [&a, &b].map(|sorted| right(learner, sorted, &fold_of, fold) as f64);
            differences.push((a - b) * FOLDS as f64 / ROWS as f64);
        }
    }
    differences
}

/// The shares of simulated comparisons that the corrected and the plain test call different at 5 %.
fn called_different(learner: Learner, distances: [f64; 2], simulations: usize) -> (f64, f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut corrected, mut plain) = (0, 0);
    for _ in 0..simulations {
        let differences = differences(learner, distances, &mut rng);
        corrected += usize::from(corrected_t(&differences, 1.0 / (FOLDS as f64 - 1.0)).unwrap().p <= 0.05);
        plain += usize::from(paired_t(&differences).unwrap().p <= 0.05);
    }
    (corrected as f64 / simulations as f64, plain as f64 / simulations as f64)
}

#[test]
fn equal_schemes_are_called_different_at_the_level_by_the_corrected_test_only() {
    let (corrected, plain) = called_different(midpoint, [1.5, 1.5], 1000);
    assert!((0.03..=0.05).contains(&corrected), "{corrected}");
    assert!(plain > 0.4, "{plain}");
}

#[test]
fn a_learner_that_hangs_on_few_rows_is_judged_less_carefully_but_far_better_than_by_the_plain_test() {
    let (corrected, plain) = called_different(fewest_errors, [1.5, 1.5], 400);
    assert!((0.05..=0.12).contains(&corrected), "{corrected}");
    assert!(plain > 0.5, "{plain}");
}

#[test]
fn unequal_schemes_are_called_different() {
    let (corrected, _) = called_different(midpoint, [2.0, 1.0], 200);
    assert!(corrected > 0.8, "{corrected}");
}
