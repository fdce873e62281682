//! Trees that schemes share, and the tuner that grows its own.

use secateur::data::builtin;
use secateur::fit::{FitOptions, Fitted, fit, fit_in};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::spec::GrowSpec;
use secateur::training::{Folds, TreeCache};

use super::support::*;
use crate::common::*;

#[test]
fn schemes_that_share_their_trees_fit_as_they_do_alone() {
    let schemes = [
        "best-first/post",
        "best-first/post:1se",
        "best-first/pre",
        "best-first/pre:1se,error=rmse",
        "best-first/cost-complexity:cv=10,1se",
        "best-first/k-norm:k=2",
        "best-first/reduced-error:holdout=0.2",
        "best-first/error-based:holdout=0.2",
        "c45/tuned:cv=3",
    ];
    for name in ["iris", "credit", "g6c15?n=214&seed=2"] {
        let table = load(name);
        // A training part: two of three rows.
        let weights = (0..table.rows()).map(|row| f64::from(u8::from(row % 3 > 0))).collect();
        let options = FitOptions { seed: 5, weights: Some(weights), ..FitOptions::default() };
        let mut tree_cache = TreeCache::new(&table, &options).unwrap();
        tree_cache.expect(&GrowSpec::best_first(Task::Classification), 10);
        for text in schemes {
            let alone = fit(&table, &scheme(text), &options, &Silent).unwrap();
            let shared = fit_in(&tree_cache, &scheme(text), &Silent).unwrap();
            // The scores of sets belong to a fit on its own.
            assert_eq!(alone.tree.clone().with_conformal(None), shared.tree, "{name} {text}");
            assert_eq!(alone.path, shared.path, "{name} {text}");
            let errors = |f: &Fitted| f.estimate.as_ref().map_or((0.0, 0.0), |e| (e.error, e.se));
            let ((a, b), (c, d)) = (errors(&alone), errors(&shared));
            assert!((a - c).abs() < 1e-12 && (b - d).abs() < 1e-12, "{name} {text}");
        }
        // One full tree, ten fold trees, one without held-out rows; and the tuner's own.
        let own = tree_cache.grown();
        let tuned = TreeCache::new(&table, &options).unwrap();
        fit_in(&tuned, &scheme("c45/tuned:cv=3"), &Silent).unwrap();
        assert_eq!(own - tuned.grown(), 12, "{name}");
    }
}

#[test]
fn the_tuner_ends_where_no_neighbour_is_better() {
    for name in ["credit", "monks-1", "g6c15?n=214&seed=2"] {
        let (table, rows) = (load(name), builtin::load(name).unwrap());
        let actual = plain(&rows).y;
        let tuned = fitted(&table, "c45/tuned", &FitOptions::default());
        let estimate = tuned.estimate.unwrap();
        let number = |name: &str| -> f64 {
            let rest = estimate.method.split(name).nth(1).unwrap();
            rest.split([' ', ')']).next().unwrap().parse().unwrap()
        };
        let (leaf, cf) = (number("min-leaf="), number("cf="));
        let at = |leaf: f64, cf: f64| {
            // The same cross-validation, one member at a time.
            let folds = Folds::stratified(&table, None, 10, 1).unwrap();
            let (mut wrong, mut all) = (0.0, 0.0);
            for fold in 0..10 {
                let (grow, held) = folds.weights(&table, None, fold);
                let options = FitOptions { weights: Some(grow), ..FitOptions::default() };
                let tree = fitted(&table, &format!("c45:min-leaf={leaf}/error-based:cf={cf}"), &options).tree;
                let predictions = Predictor::bind(&tree, &rows).unwrap().predict();
                for row in (0..held.len()).filter(|&row| held[row] > 0.0) {
                    wrong += held[row] * loss_of(&tree, &predictions, row, actual[row]);
                }
                all += held.iter().sum::<f64>();
            }
            wrong / all
        };
        assert!((at(leaf, cf) - estimate.apparent()).abs() < 1e-9, "{name}");
        for (dl, dc) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 0.05), (0.0, -0.05)] {
            let (l, c) = (leaf + dl, ((cf + dc) * 1e9).round() / 1e9);
            if l >= 1.0 && c > 1e-6 && c <= 1.0 {
                assert!(at(l, c) >= estimate.apparent() - 1e-9, "{name} {l} {c}");
            }
        }
    }
}
