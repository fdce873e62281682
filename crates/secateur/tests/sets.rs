//! Sets and intervals have the truth inside as often as they say, and belong to the tree they were made for.

use secateur::Fit;
use secateur::data::{CodedTable, Roles, Table, builtin};
use secateur::evaluate::{DataSet, Details, Experiment, FoldOrder, Named, Protocol, SetsAsked};
use secateur::fit::{EstimateBy, FitOptions};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::tree::{LeafValues, Model, Tree};

/// The share of the rows of another sample that are inside.
fn coverage(tree: &Tree, table: &Table, level: f64) -> f64 {
    let predictor = Predictor::bind(tree, table).unwrap();
    let sets = predictor.sets(&predictor.predict(), level).unwrap();
    predictor.coverage(&sets).unwrap().mean.unwrap()
}

/// Rows set aside: whatever the tree, of many samples the mean share is the level, and up to 1/(n + 1) more where scores differ.
#[test]
fn rows_set_aside_promise_what_is_seen() {
    let samples = 60;
    for (data, target, scheme, most) in [
        ("friedman?n=120&seed=", "y", "cart:min-leaf=5", 0.9 + 1.0 / 37.0),
        ("friedman?n=120&seed=", "y", "cart:leaf-values=shrink/cost-complexity:cv=5", 0.9 + 1.0 / 37.0),
        ("credit?n=120&seed=", "class", "cart", 1.0),
    ] {
        let mut sum = 0.0;
        for sample in 0..samples {
            let load = |seed: usize| builtin::load(&format!("{data}{}", seed + 1)).unwrap();
            let table = load(sample);
            let model = Fit::new(&table, target).scheme(scheme).calibrate(0.3).model().unwrap();
            assert!(model.tree.conformal().unwrap().by.ends_with(" rows set aside"));
            sum += coverage(&model.tree, &load(sample + 1000), 0.9);
        }
        let mean = sum / samples as f64;
        // A sample of 36 scores covers Beta(33, 4) of the rows: ± 0.05, and 0.006 for the mean of 60.
        assert!(mean > 0.9 - 0.02 && mean < most + 0.02, "{data} {scheme}: {mean}");
    }
}

/// All rows have the same answer: which classes are in the set follows from their shares, and no class that is needed may fall out because
/// the folds have counted it a little more often.
#[test]
fn a_bare_root_covers_what_it_says() {
    for counts in [[260, 40, 23], [200, 100, 23], [150, 120, 53], [287, 29, 7], [110, 107, 106]] {
        let classes: Vec<&str> = counts
            .iter()
            .zip(["a", "b", "c"])
            .flat_map(|(&n, class)| std::iter::repeat_n(class, n))
            .collect();
        let numbers = (0..classes.len()).map(|i| (i * 7919 % 101) as f64);
        let table = Table::builder().numeric("x", numbers).text("y", classes).build().unwrap();
        for scheme in
            ["cart:max-depth=0,leaf-values=shrink,leaf-cv=10", "cart:max-depth=0/cost-complexity:cv=10"]
        {
            let model = Fit::new(&table, "y").scheme(scheme).model().unwrap();
            assert_eq!(model.tree.leaves(), 1);
            for level in [0.5, 0.7, 0.8, 0.85, 0.9, 0.92, 0.95] {
                let inside = coverage(&model.tree, &table, level);
                assert!(inside >= level - 0.01, "{counts:?}, {scheme}: {inside} at {level}");
            }
        }
    }
}

#[test]
fn sets_are_lost_where_they_would_not_be_true() {
    let table = builtin::load("credit?n=300").unwrap();
    let model = Fit::new(&table, "class").scheme("cart/cost-complexity:cv=10").model().unwrap();
    let conformal = model.tree.conformal().unwrap();
    assert_eq!((conformal.by.as_str(), conformal.scores.rows()), ("10-fold cross-validation", 300));
    assert!(model.tree.reach(0.9).is_ok());
    let other = model.tree.clone().with_leaf_values(LeafValues::Laplace).unwrap();
    assert_eq!(other.conformal(), None);
    assert_eq!(model.clone().prune("cost-complexity:alpha=0").unwrap().tree.conformal(), None);
    let problem = other.reach(0.9).unwrap_err().to_string();
    assert!(problem.contains("no scores"), "{problem}");
    // 300 rows say nothing of one in a thousand.
    let problem = model.tree.reach(0.999).unwrap_err().to_string();
    assert!(problem.contains("at least 999 rows") && problem.contains("0.996 or less"), "{problem}");
    for level in [0.0, 1.0, f64::NAN, -3.0] {
        assert!(model.tree.reach(level).is_err());
    }
    // They are kept in the file, to the last bit; without them it is a file of before.
    let mut saved = Vec::new();
    model.to_json(&mut saved).unwrap();
    assert_eq!(Model::from_json("m", saved.as_slice()).unwrap(), model);
    let text = String::from_utf8(saved).unwrap();
    let line = text.lines().find(|line| line.starts_with("\"conformal\": ")).unwrap();
    let old = Model::from_json("m", text.replace(&format!("{line}\n"), "").as_bytes()).unwrap();
    assert_eq!(old.tree, model.tree.clone().with_conformal(None));
    for (bad, said) in [
        ("\"conformal\": {\"by\":\"x\",\"rows\":2,\"points\":[[0.5,0.4],[0.2,0.6]]},", "must ascend"),
        ("\"conformal\": {\"by\":\"x\",\"rows\":2,\"points\":[[0.5,1.5]]},", "below 1"),
        ("\"conformal\": {\"by\":\"x\",\"rows\":2,\"points\":[[-0.5,0.5]]},", "from 0"),
    ] {
        let problem = Model::from_json("m", text.replace(line, bad).as_bytes()).unwrap_err().to_string();
        assert!(problem.contains(said), "{problem}");
    }
    // A scheme that chooses nothing has none, unless outer folds or rows set aside give them.
    let fit = || Fit::new(&table, "class").scheme("cart/mdl");
    assert_eq!(fit().model().unwrap().tree.conformal(), None);
    assert!(fit().estimate(EstimateBy::Nested).model().unwrap().tree.reach(0.9).is_ok());
    assert!(fit().calibrate(0.2).model().unwrap().tree.reach(0.9).is_ok());
    assert!(fit().calibrate(1.5).model().unwrap_err().to_string().contains("between 0 and 1"));
}

/// What `evaluate` counts is what `predict` says.
#[test]
fn experiments_see_the_sets_that_are_predicted() {
    for (data, target, aside) in [
        ("credit?n=240", "class", None),
        ("credit?n=240", "class", Some(0.25)),
        ("houses?n=240", "price", None),
    ] {
        let table = builtin::load(data).unwrap();
        let roles = Roles { target: Some(target.into()), ..Roles::default() };
        let coded = CodedTable::new(&table, &roles).unwrap();
        let scheme: secateur::Scheme = "cart:leaf-values=shrink/cost-complexity:cv=5".parse().unwrap();
        let protocol = Protocol::Cv { folds: 3, repeats: 1, order: FoldOrder::Stratified };
        let experiment = Experiment {
            datasets: vec![DataSet::ready("d", coded.clone(), FitOptions::default())],
            schemes: vec![Named::plain(scheme.clone())],
            protocol: protocol.clone(),
            shares: vec![1.0],
            seed: 1,
            sharing: true,
            all_parts: false,
            details: Details { sets: Some(SetsAsked { level: 0.8, aside }), ..Details::default() },
        };
        let records = experiment.run(None, &Silent).unwrap();
        for (record, split) in records.iter().zip(protocol.splits(&coded, 1).unwrap()) {
            let measured = record.measured.as_ref().unwrap();
            let options = split.options(&coded, &FitOptions::default(), 5).unwrap();
            let (options, rows) = match aside {
                Some(share) => options.set_aside(&coded, share).map(|(o, rows)| (o, Some(rows))).unwrap(),
                None => (options, None),
            };
            let mut fitted = secateur::fit::fit(&coded, &scheme, &options, &Silent).unwrap();
            if let Some(rows) = &rows {
                fitted = fitted.calibrated(&coded, rows).unwrap();
                assert!(split.test.iter().all(|&row| rows[row as usize] == 0.0));
            }
            let predictor = Predictor::bind(&fitted.tree, &table).unwrap();
            let sets = predictor.sets(&predictor.predict(), 0.8).unwrap();
            let is_in = |row: u32| match sets.intervals.get(row as usize) {
                Some(interval) => interval.contains(number(&table, target, row)),
                None => sets.of_row(row as usize).any(|class| class == class_of(&coded, row)),
            };
            let inside = split.test.iter().filter(|&&row| is_in(row)).count() as f64;
            assert!((measured.get("coverage").unwrap() - inside / split.test.len() as f64).abs() < 1e-12);
            let size = |row: u32| match sets.intervals.get(row as usize) {
                Some(interval) => interval.high - interval.low,
                None => sets.of_row(row as usize).count() as f64,
            };
            let mean = split.test.iter().map(|&row| size(row)).sum::<f64>() / split.test.len() as f64;
            let told = measured.get("set-size").or(measured.get("interval-width")).unwrap();
            assert!((told / mean - 1.0).abs() < 1e-9, "{told} {mean}");
            assert!(measured.get("estimate").unwrap() >= measured.get("apparent").unwrap() - 1e-12);
        }
    }
}

fn number(table: &Table, name: &str, row: u32) -> f64 {
    match &table.columns()[table.position(name).unwrap()].values {
        secateur::data::Values::Numeric(numbers) => numbers[row as usize],
        secateur::data::Values::Nominal(_) => f64::NAN,
    }
}

fn class_of(coded: &CodedTable, row: u32) -> usize {
    match coded.target() {
        secateur::data::CodedTarget::Classes { codes, .. } => codes[row as usize] as usize,
        secateur::data::CodedTarget::Numbers { .. } => 0,
    }
}
