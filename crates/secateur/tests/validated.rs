//! A validated error is the error of the predictions: every held-out row counts once, by the answer that `predict` gives it,
//! for every member of every path, with missing values, values that a fold has never seen, costs and weights. And the tree that is
//! chosen is the smallest one within the limit. One file, as all of it is compared with the same walk over rows and folds.

use std::sync::Arc;

use crate::common::*;
use proptest::prelude::*;
use rand::RngExt;
use secateur::data::{CodedTable, Table};
use secateur::fit::{FitOptions, Fitted, TreePath, fit, path_of};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::prune::error_based::{self, Limit};
use secateur::prune::pre::stop_early;
use secateur::prune::{Job, PruneKind, Pruner, Spacing, size_pessimistic};
use secateur::route::Loss;
use secateur::schema::Task;
use secateur::schema::{CostEntry, Costs};
use secateur::scheme::Scheme;
use secateur::training::{Average, Folds, TreeCache, held_out};
use secateur::tree::Tree;

fn scheme(text: &str) -> Scheme {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// All pruners with a path, and those with raising.
fn settings(task: Task) -> Vec<String> {
    let paths =
        crate::laws::outside::pruners().into_iter().filter(|p| p.only.fits(task) && p.parameter().is_some());
    let mut all: Vec<String> = paths.map(|p| p.info.id.to_string()).collect();
    if task == Task::Classification {
        let more = [
            "error-based:raising",
            "error-based:limit=c45,raising",
            "size-pessimistic:raising",
            "post:error=rmse",
        ];
        all.extend(more.map(String::from));
    }
    all
}

fn costs(classes: usize) -> Arc<Costs> {
    let names: Vec<String> = (0..classes).map(|j| format!("c{j}")).collect();
    let mut entries = Vec::new();
    for (i, actual) in names.iter().enumerate() {
        for (j, predicted) in names.iter().enumerate().filter(|(j, _)| *j != i) {
            let cost = 1.0 + ((3 * i + j) % 5) as f64;
            entries.push(CostEntry { actual: actual.clone(), predicted: predicted.clone(), cost });
        }
    }
    Arc::new(Costs::new(&names, &entries).unwrap())
}

/// The loss of every row of a table, as predicted.
fn losses(tree: &Tree, table: &Table, rows: &Rows, rmse: bool) -> Vec<f64> {
    let predictions = Predictor::bind(tree, table).unwrap().predict();
    let classes = tree.schema().target.classes().len();
    (0..table.rows())
        .map(|row| {
            let y = rows.y[row];
            if classes == 0 {
                return (y - predictions.values[row]).powi(2);
            }
            if rmse {
                let p = &predictions.probabilities[row * classes..][..classes];
                return (0..classes).map(|j| (f64::from(u8::from(j == y as usize)) - p[j]).powi(2)).sum();
            }
            let label = predictions.labels[row] as usize;
            tree.costs().map_or(f64::from(u8::from(label != y as usize)), |c| c.cost(y as usize, label))
        })
        .collect()
}

/// The member of a tree at a parameter.
fn member(setting: &str, table: &CodedTable, weights: &[f64], tree: &Tree, parameter: f64) -> Tree {
    let scheme = scheme(&format!("cart/{setting}"));
    let (pruner, job) = (
        Pruner::of(scheme.pruner.as_ref().unwrap()).unwrap(),
        Job::new(tree, scheme.pruner.as_ref().unwrap()),
    );
    if setting.contains("raising") {
        let limit = if setting.contains("c45") { Limit::C45 } else { Limit::Exact };
        return match pruner.info.id {
            "error-based" => {
                error_based::raise(tree, table, (Some(weights), job.unit()), parameter, limit).unwrap()
            }
            _ => {
                let attributes = tree.schema().attributes.len();
                size_pessimistic::raise(tree, table, (Some(weights), job.unit()), parameter, attributes)
                    .unwrap()
            }
        };
    }
    match pruner.kind {
        PruneKind::Family { .. } => tree.cut(&pruner.cut_at(&job, parameter).unwrap()),
        _ => tree.cut(&pruner.path(&job).unwrap().cut(parameter)),
    }
}

fn random_folds(rows: usize, count: u32, seed: u64) -> Folds {
    let mut rng = rng(seed);
    let mut of_row: Vec<Option<u32>> = (0..rows).map(|_| Some(rng.random_range(0..count))).collect();
    (0..count).for_each(|fold| of_row[fold as usize] = Some(fold));
    Folds::given(of_row).unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9 * a.abs().max(b.abs()).max(1.0)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn the_error_of_every_member_is_that_of_its_predictions(
        seed in any::<u64>(), classes in 0usize..4, missing in 0.0..0.4f64, weights in any::<bool>(),
        with_costs in any::<bool>(), learner in 0usize..3,
    ) {
        let classes = if classes == 1 { 2 } else { classes };
        let shape = Shape { rows: 60, classes, missing, weights, nominal_values: 9 };
        let table = random_table(shape, seed);
        let (rows, coded) = (plain(&table), coded(&table));
        let learner = ["cart:min-leaf=1,min-split=2", "c45", "best-first"][learner];
        let folds = random_folds(60, 3, seed);
        let costs = (with_costs && classes > 0).then(|| costs(classes));
        let options = FitOptions { costs, folds: Some(folds.clone()), ..FitOptions::default() };
        let trees: Vec<(Vec<f64>, Vec<f64>, Tree)> = (0..3)
            .map(|fold| {
                let (train, held) = folds.weights(&coded, None, fold);
                let grown = FitOptions { weights: Some(train.clone()), folds: None, ..options.clone() };
                (train, held, fit(&coded, &scheme(learner), &grown, &Silent).unwrap().tree)
            })
            .collect();
        for setting in settings(task_of(classes)) {
            let scheme = scheme(&format!("{learner}/{setting}"));
            let spacing = Pruner::of(scheme.pruner.as_ref().unwrap()).unwrap().parameter().unwrap().spacing;
            let report = path_of(&coded, &scheme, Some(3), &options, &Silent).unwrap();
            let rmse = setting.contains("rmse");
            // Every few members of a long path.
            for (i, step) in report.steps.iter().enumerate().step_by(1 + report.steps.len() / 6) {
                let parameter = match (spacing, report.steps.get(i + 1)) {
                    (Spacing::Geometric, Some(next)) => (step.parameter * next.parameter).sqrt(),
                    (Spacing::Geometric, None) => f64::INFINITY,
                    _ => step.parameter,
                };
                let error_at = |parameter: f64| {
                    let (mut lost, mut weight, mut rates) = (0.0, 0.0, 0.0);
                    for (train, held, tree) in &trees {
                        let member = member(&setting, &coded, train, tree, parameter);
                        let loss = losses(&member, &table, &rows, rmse);
                        let here: f64 = loss.iter().zip(held).map(|(loss, w)| loss * w).sum();
                        let all: f64 = held.iter().sum();
                        let rate = if rmse { (here / (all * classes as f64)).sqrt() } else { here / all };
                        (lost, weight, rates) = (lost + here, weight + all, rates + rate / 3.0);
                    }
                    if spacing == Spacing::Splits { rates } else { lost / weight }
                };
                let told = step.counted.or(step.validated).unwrap().0;
                // Where the trees of the folds have more splits than this one, all of it may be chosen at one of these numbers.
                let is_all = spacing == Spacing::Splits && i == 0 && report.selected == Some(0);
                let most = trees.iter().map(|(_, _, tree)| tree.splits()).max().unwrap_or(0);
                let asked = if is_all { most.saturating_sub(parameter as usize) } else { 0 };
                let errors: Vec<f64> = (0..=asked).map(|more| error_at(parameter + more as f64)).collect();
                prop_assert!(
                    errors.iter().any(|error| near(told, *error)),
                    "{scheme} at {}: {told}, predicted {errors:?}",
                    step.parameter
                );
            }
        }
    }

    #[test]
    fn an_error_on_a_held_out_part_is_that_of_the_predictions(
        seed in any::<u64>(), classes in 0usize..4, missing in 0.0..0.4f64, weights in any::<bool>(),
        with_costs in any::<bool>(),
    ) {
        let classes = if classes == 1 { 2 } else { classes };
        let table = random_table(Shape { rows: 70, classes, missing, weights, nominal_values: 7 }, seed);
        let (rows, coded) = (plain(&table), coded(&table));
        let costs = (with_costs && classes > 0).then(|| costs(classes));
        let options = FitOptions { seed, costs, ..FitOptions::default() };
        let Ok((train, held)) = held_out(&coded, None, 0.3, seed) else { return Ok(()) };
        for setting in settings(task_of(classes)) {
            let with = format!("cart/{setting}{}holdout=0.3,1se", if setting.contains(':') { "," } else { ":" });
            let fitted = fit(&coded, &scheme(&with), &options, &Silent).unwrap();
            let grown = FitOptions { weights: Some(train.clone()), ..options.clone() };
            let full = fit(&coded, &scheme("cart"), &grown, &Silent).unwrap().tree;
            let path = fitted.path.unwrap();
            let weight: f64 = held.iter().sum();
            // Standard errors count rows of average weight.
            let mean = (0..coded.rows()).map(|row| coded.weight(row)).sum::<f64>() / coded.rows() as f64;
            for step in path.steps.iter().step_by(1 + path.steps.len() / 5) {
                let member = member(&setting, &coded, &train, &full, step.parameter);
                let loss = losses(&member, &table, &rows, setting.contains("rmse"));
                let mut error = loss.iter().zip(&held).map(|(loss, w)| loss * w).sum::<f64>() / weight;
                let mut square =
                    loss.iter().zip(&held).map(|(loss, w)| loss * loss * w).sum::<f64>() / weight;
                if setting.contains("rmse") {
                    error = (error / classes as f64).sqrt();
                    square = error;
                }
                let told = step.counted.or(step.validated).unwrap();
                prop_assert!(near(told.0, error), "{with} at {}: {told:?} {error}", step.parameter);
                let se = ((square - error * error).max(0.0) / (weight / mean)).sqrt();
                prop_assert!((told.1 - se).abs() < 1e-6 * (1.0 + se), "{with} at {}: {told:?} {se}", step.parameter);
                prop_assert_eq!(step.leaves, member.leaves());
            }
        }
    }

    #[test]
    fn pre_pruning_sees_the_errors_of_predictions(
        seed in any::<u64>(), classes in 2usize..4, missing in 0.0..0.4f64, with_costs in any::<bool>(),
        rmse in any::<bool>(),
    ) {
        let table = random_table(Shape { rows: 60, classes, missing, weights: true, nominal_values: 7 }, seed);
        let (rows, coded) = (plain(&table), coded(&table));
        let folds = random_folds(60, 3, seed);
        let costs = with_costs.then(|| costs(classes));
        let options = FitOptions { costs, folds: Some(folds.clone()), ..FitOptions::default() };
        let tree_cache = TreeCache::new(&coded, &options).unwrap();
        let spec = scheme("best-first").grow_spec(Task::Classification).unwrap();
        let loss = if rmse { Loss::Probabilities } else { Loss::Risk };
        let stopped = stop_early(&tree_cache, &spec, 3, (loss, Average::Folds, false), &Silent).unwrap();
        for (splits, told) in stopped.curve.errors().iter().enumerate() {
            let mut rates = 0.0;
            for fold in 0..3 {
                let (train, held) = folds.weights(&coded, None, fold);
                let grown = FitOptions { weights: Some(train), folds: None, ..options.clone() };
                let member = fit(&coded, &scheme(&format!("best-first/post:splits={splits}")), &grown, &Silent);
                let loss = losses(&member.unwrap().tree, &table, &rows, rmse);
                let here: f64 = loss.iter().zip(&held).map(|(loss, w)| loss * w).sum();
                let all: f64 = held.iter().sum();
                rates += if rmse { (here / (all * classes as f64)).sqrt() } else { here / all } / 3.0;
            }
            prop_assert!(near(*told, rates), "{splits} splits: {told}, predicted {rates}");
        }
    }
}

/// Reduced-error pruning: undoing any cut, or making any further one, from the bottom up is judged by predictions.
#[test]
fn no_split_that_reduced_error_pruning_leaves_is_useless_on_the_held_out_rows() {
    for seed in 0..30 {
        let classes = [2, 3, 0][seed as usize % 3];
        let table =
            random_table(Shape { rows: 90, classes, missing: 0.3, weights: false, nominal_values: 6 }, seed);
        let (rows, coded) = (plain(&table), coded(&table));
        let options = FitOptions { seed, ..FitOptions::default() };
        let pruned = fit(&coded, &scheme("cart/reduced-error:holdout=0.3"), &options, &Silent).unwrap().tree;
        let (_, held) = held_out(&coded, None, 0.3, seed).unwrap();
        let error = |tree: &Tree| -> f64 {
            losses(tree, &table, &rows, false).iter().zip(&held).map(|(loss, w)| loss * w).sum()
        };
        // The split that was looked at last, the root's: without it there are more errors.
        if pruned.leaves() > 1 {
            let root = pruned.cut(&vec![true; pruned.nodes().len()]);
            assert!(error(&root) > error(&pruned), "seed {seed}");
        }
    }
}

/// The member that was taken has the fewest leaves within the limit, and then the smallest error.
fn is_smallest(what: &str, path: &TreePath, se: f64) {
    let chosen = &path.steps[path.selected.unwrap()];
    let of = |step: &secateur::fit::Step| step.counted.or(step.validated).unwrap();
    let least = path.steps.iter().map(|s| of(s).0).fold(f64::INFINITY, f64::min);
    let ties = path.steps.iter().filter(|s| of(s).0 <= least * (1.0 + 1e-12));
    let spread = ties.min_by_key(|s| s.leaves).map(|s| of(s).1).unwrap();
    let limit = least + se * spread;
    assert!(of(chosen).0 <= limit * (1.0 + 1e-11), "{what}: {chosen:?} is not within {limit}");
    for step in path.steps.iter().filter(|s| of(s).0 <= limit) {
        assert!(
            step.leaves > chosen.leaves
                || step.leaves == chosen.leaves && of(chosen).0 <= of(step).0 * (1.0 + 1e-11),
            "{what}: {step:?} is within {limit} and smaller than {chosen:?}"
        );
    }
}

#[test]
fn no_other_member_within_the_limit_is_smaller() {
    let mut not_nested = 0;
    for seed in 0..24u64 {
        let classes = [2, 3, 5, 0][seed as usize % 4];
        let missing = [0.0, 0.15][seed as usize / 4 % 2];
        let table = coded(&random_table(
            Shape { rows: 120, classes, missing, weights: false, nominal_values: 5 },
            900 + seed,
        ));
        let options = FitOptions { seed, ..FitOptions::default() };
        for setting in settings(task_of(classes)) {
            for (how, se) in
                [("cv=4", 0.0), ("cv=4,1se", 1.0), ("holdout=0.3", 0.0), ("holdout=0.3,se=2", 2.0)]
            {
                let text = format!("cart/{setting}{}{how}", if setting.contains(':') { "," } else { ":" });
                let fitted: Fitted = fit(&table, &scheme(&text), &options, &Silent).unwrap();
                let path = fitted.path.unwrap();
                not_nested += usize::from(path.steps.windows(2).any(|w| w[1].leaves > w[0].leaves));
                assert_eq!(path.steps[path.selected.unwrap()].leaves, fitted.tree.leaves(), "{text}");
                is_smallest(&text, &path, se);
            }
        }
    }
    assert!(not_nested > 0, "some families are not nested");
}

#[test]
fn what_a_path_reports_cuts_to_what_it_reports() {
    for (classes, missing, seed) in [(2, 0.0, 1u64), (3, 0.2, 2), (0, 0.1, 3)] {
        let table = coded(&random_table(
            Shape { rows: 100, classes, missing, weights: false, nominal_values: 5 },
            seed,
        ));
        for pruner in crate::laws::outside::pruners()
            .into_iter()
            .filter(|p| p.only.fits(task_of(classes)) && p.parameter().is_some())
        {
            let scheme = scheme(&format!("best-first/{}", pruner.info.id));
            let report = path_of(&table, &scheme, Some(0), &FitOptions::default(), &Silent).unwrap();
            let full =
                secateur::grow::grow(&table, &scheme.grow_spec(task_of(classes)).unwrap(), &Silent).unwrap();
            let job = Job::new(&full, scheme.pruner.as_ref().unwrap());
            let path = pruner.path(&job).unwrap();
            assert_eq!(full.path(scheme.pruner.as_ref().unwrap()).unwrap(), report, "{scheme}");
            for step in &report.steps {
                for leaf in [path.cut(step.parameter), pruner.cut_at(&job, step.parameter).unwrap()] {
                    let member = full.cut(&leaf);
                    assert_eq!(
                        (member.leaves(), member.nodes().len()),
                        (step.leaves, step.nodes),
                        "{scheme} at {}",
                        step.parameter
                    );
                }
            }
        }
    }
}

/// `path` shows what `fit` chose from, whichever selector the scheme names.
#[test]
fn a_path_is_the_one_that_the_fit_chose_from() {
    for (name, task) in [("credit?n=150", Task::Classification), ("friedman?n=80", Task::Regression)] {
        let table = coded(&secateur::data::builtin::load(name).unwrap());
        for setting in settings(task) {
            for selector in ["cv=3", "holdout=0.3", "holdout=0.3,1se"] {
                let join = if setting.contains(':') { ',' } else { ':' };
                let scheme = scheme(&format!("cart/{setting}{join}{selector}"));
                let fitted = fit(&table, &scheme, &FitOptions::default(), &Silent);
                let report = path_of(&table, &scheme, None, &FitOptions::default(), &Silent);
                match (fitted, report) {
                    (Ok(fitted), Ok(report)) => {
                        let selected = &report.steps[report.selected.unwrap()];
                        assert_eq!(selected.leaves, fitted.tree.leaves(), "{name} {scheme}");
                        assert_eq!(fitted.path, Some(report), "{name} {scheme}");
                    }
                    (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{name} {scheme}"),
                    (a, b) => panic!("{name} {scheme}: {:?} {:?}", a.err(), b.err()),
                }
            }
        }
    }
}

/// Every number of splits has an error, also where the full tree has more than any fold's.
#[test]
fn a_path_of_splits_has_an_error_for_every_member() {
    for (name, folds) in [("iris", 10), ("weather", 7), ("credit", 3)] {
        let table = secateur::data::builtin::load(name).unwrap();
        let table = coded(&table);
        for pruner in ["post", "breadth-first", "depth-first", "post:fold-average=active"] {
            let scheme = scheme(&format!("best-first:min-leaf=1,min-split=2/{pruner}"));
            let path = path_of(&table, &scheme, Some(folds), &FitOptions::default(), &Silent).unwrap();
            assert!(path.steps.iter().all(|step| step.validated.is_some()), "{name} {pruner}");
            assert_eq!(path.steps.last().unwrap().parameter, 0.0);
        }
    }
}

/// The weight of every class.
fn by_class(rows: &Rows, weights: &[f64], classes: usize) -> Vec<f64> {
    let mut sums = vec![0.0; classes];
    rows.y.iter().zip(weights).for_each(|(y, w)| sums[*y as usize] += w);
    sums
}

fn shares(sums: &[f64]) -> Vec<f64> {
    let all: f64 = sums.iter().sum();
    sums.iter().map(|x| x / all).collect()
}

fn same(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(*a, *b))
}

/// Shares of the classes of a random table.
fn named(shares: &[f64]) -> secateur::schema::Priors {
    let named: Vec<(String, f64)> =
        (0..).zip(shares).map(|(j, share): (u32, _)| (format!("c{j}"), *share)).collect();
    secateur::schema::Priors::new(&named).unwrap()
}

#[test]
fn priors_hold_in_every_training_part_and_in_what_a_choice_is_made_on() {
    let priors = [5.0, 1.0, 4.0];
    for (seed, weights) in [(1, false), (2, true), (3, true)] {
        let table =
            random_table(Shape { rows: 90, classes: 3, missing: 0.1, weights, nominal_values: 4 }, seed);
        let (rows, coded) = (plain(&table), coded(&table));
        // Some rows are not learned from.
        let train: Vec<f64> = (0..90).map(|row| if row % 7 == 0 { 0.0 } else { rows.weights[row] }).collect();
        let options = FitOptions {
            seed,
            weights: Some(train.clone()),
            priors: Some(named(&priors)),
            ..FitOptions::default()
        };
        let tree_cache = TreeCache::new(&coded, &options).unwrap();
        let spec = scheme("cart").grow_spec(Task::Classification).unwrap();
        let full = tree_cache.full(&spec, &Silent).unwrap();
        let part = tree_cache.without(0.3, &spec, &Silent).unwrap();
        let folds = tree_cache.fold_trees(&spec, 4, &Silent).unwrap();
        for grown in folds.iter().chain([&full, &part]) {
            assert!(same(&shares(grown.tree.class_weights(0)), &shares(&priors)), "seed {seed}");
        }
        assert!(near(full.tree.node(0).weight, train.iter().sum()));
        assert!(same(&shares(&by_class(&rows, &part.held, 3)), &shares(&priors)));
        let mut held = vec![0.0; 90];
        folds.iter().for_each(|grown| held.iter_mut().zip(&grown.held).for_each(|(a, b)| *a += b));
        assert!(same(&shares(&by_class(&rows, &held, 3)), &shares(&priors)));
        assert!(near(held.iter().sum(), train.iter().sum()));
    }
    let numbers = coded(&random_table(
        Shape { rows: 30, classes: 0, missing: 0.0, weights: false, nominal_values: 3 },
        1,
    ));
    let options = FitOptions { priors: Some(named(&[1.0])), ..FitOptions::default() };
    assert!(TreeCache::new(&numbers, &options).is_err());
}

/// Test rows count as they are, and the tree judged on them is the one that fitting on the training rows gives.
#[test]
fn an_evaluation_with_priors_is_fitting_with_priors_and_predicting() {
    use secateur::evaluate::measures::cost_with_shares;
    use secateur::evaluate::{DataSet, Details, Experiment, Named, Protocol};
    let priors = vec![0.7, 0.3];
    let table =
        random_table(Shape { rows: 120, classes: 2, missing: 0.1, weights: true, nominal_values: 4 }, 8);
    let (rows, coded) = (plain(&table), coded(&table));
    let folds = random_folds(120, 4, 8);
    let base = FitOptions { priors: Some(named(&priors)), ..FitOptions::default() };
    for text in ["cart", "cart/cost-complexity:cv=3,1se", "best-first/pre", "cart/reduced-error:holdout=0.3"]
    {
        let records = Experiment {
            datasets: vec![DataSet::ready("random", coded.clone(), base.clone())],
            schemes: vec![Named::plain(scheme(text))],
            protocol: Protocol::Given(folds.clone()),
            shares: vec![1.0],
            seed: 1,
            sharing: true,
            all_parts: false,
            details: Details::default(),
        }
        .run(None, &Silent)
        .unwrap();
        for (fold, record) in records.iter().enumerate() {
            let (train, held) = folds.weights(&coded, None, fold);
            let options = FitOptions { weights: Some(train), ..base.clone() };
            let tree = fit(&coded, &scheme(text), &options, &Silent).unwrap().tree;
            let loss = losses(&tree, &table, &rows, false);
            let all: f64 = held.iter().sum();
            let error = loss.iter().zip(&held).map(|(loss, w)| loss * w).sum::<f64>() / all;
            assert!(near(record.get("error").unwrap(), error), "{text}, fold {fold}");
            // Weighted to the priors: the classes' error rates, times their shares.
            let confusion = record.measured.as_ref().unwrap().confusion.as_ref().unwrap();
            let rate = |class: usize| {
                let of = |x: &dyn Fn(usize) -> f64| -> f64 {
                    (0..120).filter(|&row| rows.y[row] as usize == class).map(|row| held[row] * x(row)).sum()
                };
                of(&|row| loss[row]) / of(&|_| 1.0)
            };
            let wrong = |actual: usize, label: usize| f64::from(u8::from(actual != label));
            let told = cost_with_shares(confusion, &priors, wrong).unwrap();
            assert!(near(told, 0.7 * rate(0) + 0.3 * rate(1)), "{text}, fold {fold}");
        }
    }
}
