//! What stands beside an estimate: the confusion or the errors on the rows it comes from, and the best constant answer.

use secateur::data::{CodedTable, CodedTarget, Roles, builtin};
use secateur::evaluate::{Baseline, FoldOrder, Protocol, Validation};
use secateur::fit::{FitOptions, fit_alone};
use secateur::progress::Silent;
use secateur::schema::{CostEntry, Costs};
use secateur::training::TreeCache;

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
    let fitted = fit_alone(&trees, &scheme, &Silent).unwrap();
    let grown = trees.grown();
    let validation = Validation::of(&trees, &scheme, &fitted, &Silent).unwrap();
    assert_eq!(trees.grown(), grown, "{scheme}: no tree is grown for it");
    (fitted.estimate.map(|estimate| estimate.error), validation)
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
            let Some(Validation::Classes(confusion)) = validation else { panic!("{scheme}: {validation:?}") };
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
