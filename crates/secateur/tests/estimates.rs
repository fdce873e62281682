//! What stands beside an estimate: the confusion or the errors on the rows it comes from, and the best constant answer.

use secateur::data::{CodedTable, CodedTarget, Roles, builtin};
use secateur::evaluate::{Baseline, FoldOrder, Protocol};
use secateur::fit::{EstimateBy, FitOptions, Validation, fit, fit_alone, fit_in, fit_judged};
use secateur::progress::Silent;
use secateur::schema::{CostEntry, Costs};
use secateur::scheme::Scheme;
use secateur::training::{Folds, TreeCache};

fn table(name: &str) -> CodedTable {
    CodedTable::new(&builtin::load(name).unwrap(), &Roles::default()).unwrap()
}

fn dear(table: &CodedTable) -> FitOptions {
    let entry = CostEntry { actual: "bad".into(), predicted: "good".into(), cost: 5.0 };
    let costs = Costs::new(table.schema().target.classes(), &[entry]).unwrap();
    FitOptions { costs: Some(costs.into()), ..FitOptions::default() }
}

fn validated(table: &CodedTable, options: &FitOptions, scheme: &str) -> (Option<f64>, Option<Validation>) {
    let (trees, scheme) = (TreeCache::new(table, options).unwrap(), scheme.parse().unwrap());
    fit_in(&trees, &scheme, &Silent).unwrap();
    let grown = trees.grown();
    let fitted = fit_alone(&trees, &scheme, &Silent).unwrap();
    assert_eq!(trees.grown(), grown, "{scheme}: no tree is grown for it");
    (fitted.estimate.map(|estimate| estimate.apparent()), fitted.validation)
}

#[test]
fn the_error_of_an_estimate_comes_out_of_its_confusion() {
    let credit = table("credit?n=400");
    for options in [FitOptions::default(), dear(&credit)] {
        for scheme in [
            "cart/cost-complexity:cv=10",
            "cart/cost-complexity:cv=5,1se",
            "cart/cost-complexity:holdout=0.3",
            "cart/k-norm:cv=4",
            "c45/error-based:raising,cv=3",
        ] {
            let (error, validation) = validated(&credit, &options, scheme);
            let Some(Validation::Classes { confusion, .. }) = validation else {
                panic!("{scheme}: {validation:?}")
            };
            let cost = |actual: usize, label: usize| match &options.costs {
                Some(costs) => costs.cost(actual, label),
                None => f64::from(u8::from(actual != label)),
            };
            let rows: f64 = confusion.iter().flatten().sum();
            let cells = (0..2).flat_map(|a| (0..2).map(move |b| (a, b)));
            let lost: f64 = cells.map(|(a, b)| confusion[a][b] * cost(a, b)).sum();
            let share = if scheme.contains("holdout") { 120.0 } else { 400.0 };
            assert!((rows - share).abs() < 2.0, "{scheme}: {rows} rows");
            assert!((lost / rows - error.unwrap()).abs() < 1e-9, "{scheme}: {lost} of {rows}, {error:?}");
        }
    }
}

#[test]
fn the_errors_of_numbers_are_those_of_the_estimate() {
    let houses = table("houses?n=300");
    let (error, validation) = validated(&houses, &FitOptions::default(), "cart/cost-complexity:cv=10");
    let Some(Validation::Numbers { rmse, mae, r2, .. }) = validation else { panic!("{validation:?}") };
    assert!((rmse * rmse / error.unwrap() - 1.0).abs() < 1e-9, "{rmse} {error:?}");
    let CodedTarget::Numbers { values, unit } = houses.target() else { panic!() };
    let mean = values.iter().sum::<f64>() / 300.0;
    let spread = values.iter().map(|y| ((y - mean) / unit).powi(2)).sum::<f64>() / 300.0;
    assert!((r2.unwrap() - (1.0 - rmse * rmse / spread)).abs() < 1e-9, "{r2:?}");
    assert!(mae > 0.0 && mae < rmse, "{mae} {rmse}");
}

#[test]
fn a_scheme_that_chooses_nothing_on_rows_has_none() {
    for scheme in ["cart", "cart/mdl", "cart/k-norm:k=2", "best-first/pre"] {
        assert_eq!(validated(&table("iris"), &FitOptions::default(), scheme).1, None, "{scheme}");
    }
}

#[test]
fn the_baseline_is_learned_from_one_part_and_judged_on_the_other() {
    let credit = table("credit?n=300");
    let CodedTarget::Classes { codes, .. } = credit.target() else { panic!() };
    let protocol = Protocol::Random { trials: 3, train: 0.5 };
    for options in [FitOptions::default(), dear(&credit)] {
        let baseline = Baseline::of(&credit, &options, &protocol, 7).unwrap();
        let mut losses = Vec::new();
        for split in protocol.splits(&credit, 7).unwrap() {
            let cost = |row: u32, label: usize| {
                let actual = codes[row as usize] as usize;
                options.costs.as_ref().map_or(f64::from(u8::from(actual != label)), |c| c.cost(actual, label))
            };
            let sum = |rows: &[u32], label: usize| rows.iter().map(|&row| cost(row, label)).sum::<f64>();
            let label = if sum(&split.train, 1) < sum(&split.train, 0) { 1 } else { 0 };
            losses.push(sum(&split.test, label) / split.test.len() as f64);
        }
        let mean = losses.iter().sum::<f64>() / 3.0;
        assert!((baseline.get("loss").unwrap() - mean).abs() < 1e-9);
        let class = &credit.schema().target.classes()[baseline.class.unwrap()];
        assert_eq!(class, if options.costs.is_some() { "bad" } else { "good" });
    }
}

#[test]
fn the_baseline_of_numbers_is_the_mean() {
    let houses = table("houses?n=100");
    let CodedTarget::Numbers { values, unit } = houses.target() else { panic!() };
    let protocol = Protocol::Cv { folds: 2, repeats: 1, order: FoldOrder::Stratified };
    let baseline = Baseline::of(&houses, &FitOptions::default(), &protocol, 1).unwrap();
    let (mut mse, mut mae) = (0.0, 0.0);
    for split in protocol.splits(&houses, 1).unwrap() {
        let y = |row: &u32| values[*row as usize] / unit;
        let mean = split.train.iter().map(y).sum::<f64>() / split.train.len() as f64;
        let n = 2.0 * split.test.len() as f64;
        mse += split.test.iter().map(|row| (y(row) - mean).powi(2) / n).sum::<f64>();
        mae += split.test.iter().map(|row| (y(row) - mean).abs() / n).sum::<f64>();
    }
    assert!((baseline.get("mse").unwrap() / mse - 1.0).abs() < 1e-9);
    assert!((baseline.get("mae").unwrap() / mae - 1.0).abs() < 1e-9);
    assert_eq!((baseline.class, baseline.get("accuracy")), (None, None));
}

/// With the least error as the rule, a part can only lose by not having a say: `Σ_k L_k(i_k) ≥ min_i Σ_k L_k(i)`.
#[test]
fn the_correction_of_the_least_error_is_never_kind() {
    let mut corrected = 0;
    for (data, schemes) in [
        (
            "credit?n=300",
            &["cart/cost-complexity:cv=10", "cart/k-norm:cv=7", "cart/cost-complexity:holdout=0.3"][..],
        ),
        (
            "houses?n=200",
            &["cart/cost-complexity:cv=10", "cart/cost-complexity:cv=25", "cart/cost-complexity:holdout=0.4"],
        ),
    ] {
        let table = table(data);
        for scheme in schemes {
            for seed in 1..4 {
                let options = FitOptions { seed, ..FitOptions::default() };
                let trees = TreeCache::new(&table, &options).unwrap();
                let estimate =
                    fit_alone(&trees, &scheme.parse().unwrap(), &Silent).unwrap().estimate.unwrap();
                let correction = estimate.bias_correction.unwrap();
                assert!(correction >= -1e-12 * estimate.error, "{data} {scheme}: {estimate:?}");
                corrected += usize::from(correction > 0.0);
            }
        }
    }
    assert!(corrected >= 9, "{corrected}");
}

/// Two folds: each is judged by what the other alone would choose.
#[test]
fn the_correction_is_what_others_choose() {
    use secateur::prune::{Job, Pruner};
    use secateur::route::{Loss, Routed};
    let table = table("credit?n=250");
    let folds: Vec<Option<u32>> = (0..250).map(|row| Some(row % 2)).collect();
    let options = FitOptions { folds: Some(Folds::given(folds).unwrap()), ..FitOptions::default() };
    let trees = TreeCache::new(&table, &options).unwrap();
    let scheme: Scheme = "cart/cost-complexity:cv=2".parse().unwrap();
    let fitted = fit_alone(&trees, &scheme, &Silent).unwrap();
    let (plan, pruner) =
        (scheme.plan(table.task()).unwrap(), Pruner::of(scheme.pruner.as_ref().unwrap()).unwrap());
    let options = &plan.pruning.as_ref().unwrap().options;
    let full = trees.full(&plan.spec, &Silent).unwrap();
    let path = pruner.path(&Job::with(&full.tree, options)).unwrap();
    let leaves = |alpha: f64| full.tree.cut(&path.cut(alpha)).leaves();
    let p = path.parameters();
    let probe = |i: usize| p.get(i + 1).map_or(f64::INFINITY, |next| (p[i] * next).sqrt());
    // The errors of every fold tree's member on the rows it has not seen, tree by tree.
    let grown = trees.fold_trees(&plan.spec, 2, &Silent).unwrap();
    let wrong = |fold: usize, member: usize| {
        let job = Job::with(&grown[fold].tree, options);
        let tree = grown[fold].tree.cut(&pruner.path(&job).unwrap().cut(probe(member)));
        let routed = Routed::apart(&tree, &table, Some(&grown[fold].held)).unwrap();
        let whole = secateur::prune::Path::nested(&tree, vec![f64::INFINITY; tree.nodes().len()], 0.0);
        whole.losses(&routed, &tree, &table, &[0.0], Loss::Risk).0[0]
    };
    let losses: Vec<Vec<f64>> = (0..2).map(|fold| (0..p.len()).map(|i| wrong(fold, i)).collect()).collect();
    let best = |fold: usize| {
        let least = losses[fold].iter().copied().fold(f64::INFINITY, f64::min);
        (0..p.len()).filter(|&i| losses[fold][i] < least + 1e-9).min_by_key(|&i| leaves(p[i])).unwrap()
    };
    let lost = losses[0][best(1)] + losses[1][best(0)];
    assert!((fitted.estimate.unwrap().error - lost / 250.0).abs() < 1e-12);
}

/// Outer folds around the whole fit are what `evaluate` does with the same seed.
#[test]
fn nested_folds_say_what_evaluating_says() {
    for (data, scheme, measure) in [
        ("credit?n=200", "cart/cost-complexity:cv=10,1se", "loss"),
        ("credit?n=200", "c45/error-based", "loss"),
        ("iris", "best-first/pre", "loss"),
        ("houses?n=150", "cart/cost-complexity:cv=10", "mse"),
    ] {
        let (table, scheme): (_, Scheme) = (table(data), scheme.parse().unwrap());
        let options = FitOptions { seed: 5, ..FitOptions::default() };
        let trees = TreeCache::new(&table, &options).unwrap();
        let fitted = fit_judged(&trees, &scheme, EstimateBy::Nested, &Silent).unwrap();
        let estimate = fitted.estimate.unwrap();
        assert_eq!(
            (estimate.bias_correction, estimate.method.as_str()),
            (None, "nested 10-fold cross-validation")
        );
        let protocol = Protocol::Cv { folds: 10, repeats: 1, order: FoldOrder::Stratified };
        let (mut lost, mut rows) = (0.0, 0.0);
        for split in protocol.splits(&table, 5).unwrap() {
            let options = split.options(&table, &options, 10).unwrap();
            let fitted = fit_in(&TreeCache::new(&table, &options).unwrap(), &scheme, &Silent).unwrap();
            let told =
                secateur::evaluate::measures::measure(&fitted.tree, &table, &split.test_weights(&table))
                    .unwrap();
            lost += told.get(measure).unwrap() * split.test.len() as f64;
            rows += split.test.len() as f64;
        }
        assert!(
            (estimate.error * rows / lost - 1.0).abs() < 1e-9,
            "{data} {scheme}: {} {}",
            estimate.error,
            lost / rows
        );
        // The tree is that of a fit without it; the scores are those of the outer folds.
        let plain = fit_alone(&trees, &scheme, &Silent).unwrap();
        assert_eq!(fitted.tree.clone().with_conformal(None), plain.tree.with_conformal(None));
        assert_eq!(fitted.tree.conformal().unwrap().by, "nested 10-fold cross-validation");
        assert_eq!(fitted.tree.conformal().unwrap().scores.rows(), rows as u64);
    }
}

/// Given folds are the outer ones, and without one of them the inner ones.
#[test]
fn nested_folds_keep_given_folds_together() {
    let table = table("credit?n=200");
    let folds: Vec<Option<u32>> = (0..200).map(|row| (row >= 20).then_some(row % 4)).collect();
    let options = FitOptions { folds: Some(Folds::given(folds).unwrap()), ..FitOptions::default() };
    let trees = TreeCache::new(&table, &options).unwrap();
    let scheme = "cart/cost-complexity:cv=4".parse().unwrap();
    let fitted = fit_judged(&trees, &scheme, EstimateBy::Nested, &Silent).unwrap();
    assert_eq!(fitted.estimate.unwrap().method, "nested 4-fold cross-validation");
    assert_eq!(fitted.tree.conformal().unwrap().scores.rows(), 180);
    let off = fit_judged(&trees, &scheme, EstimateBy::Off, &Silent).unwrap();
    assert_eq!(off.estimate, None);
}

/// One row held out cannot be divided into parts that judge each other: its error is reported as it is.
#[test]
fn a_single_row_held_out_is_told_uncorrected() {
    let table = table("houses?n=12");
    let scheme: Scheme = "cart/early-stop:holdout=0.1".parse().unwrap();
    let estimate = fit(&table, &scheme, &FitOptions::default(), &Silent).unwrap().estimate.unwrap();
    assert!(
        estimate.bias_correction.is_none() && estimate.method.contains("also used to choose"),
        "{estimate:?}"
    );
}
