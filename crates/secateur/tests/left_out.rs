//! A row that is left out leaves no trace: weight zero equals no row, and an evaluation equals fitting on the folds' own rows.
//!
//! Tables keep their lists of nominal values and classes: these are declared, whether a row has them or not.

use crate::common::*;
use crate::laws::settings::{all_learners, all_pruners};
use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values, builtin};
use secateur::evaluate::{DataSet, Details, Experiment, FoldOrder, Named, Protocol};
use secateur::fit::{FitOptions, fit, fit_in};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::scheme::Scheme;
use secateur::training::TreeCache;

/// All learners with all options, all pruners with all options on some learner.
fn schemes(task: Task) -> Vec<Scheme> {
    let more = ["c45:bins=5", "best-first:gain-decimals=7,missing=spread,min-leaf-rule=node,count=rows"];
    let more = more.iter().map(|text| text.parse::<Scheme>().unwrap()).filter(|s| s.check(task).is_ok());
    all_learners(task, &[]).into_iter().chain(more).chain(all_pruners(task, 0, &[])).collect()
}

#[test]
fn a_row_of_no_weight_is_no_row() {
    for (classes, missing, weights, seed) in
        [(2, 0.0, false, 1), (3, 0.1, true, 2), (0, 0.0, false, 3), (0, 0.1, true, 4)]
    {
        let table = random_table(Shape { rows: 90, classes, missing, weights, nominal_values: 5 }, seed);
        let kept: Vec<usize> = (0..table.rows()).filter(|row| row % 4 != 1).collect();
        let (all, alone) = (coded(&table), coded(&picked(&table, &kept)));
        let zero: Vec<f64> =
            (0..table.rows()).map(|row| if row % 4 != 1 { all.weight(row) } else { 0.0 }).collect();
        let left_out = FitOptions { weights: Some(zero), ..FitOptions::default() };
        let options = FitOptions::default();
        let with = TreeCache::new(&all, &left_out).unwrap();
        let without = TreeCache::new(&alone, &options).unwrap();
        let mut fits = 0;
        for scheme in schemes(task_of(classes)) {
            let (with, without) = (fit_in(&with, &scheme, &Silent), fit_in(&without, &scheme, &Silent));
            match (with, without) {
                (Ok(a), Ok(b)) => {
                    fits += 1;
                    assert_eq!(a.full, b.full, "{scheme}");
                    assert_eq!(a.tree, b.tree, "{scheme}");
                    assert_eq!((a.estimate, a.path), (b.estimate, b.path), "{scheme}");
                }
                (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{scheme}"),
                (a, b) => panic!("{scheme}: {:?} {:?}", a.err(), b.err()),
            }
        }
        assert!(fits > 100, "{fits}");
    }
}

/// The share of right answers in every fold, by the runner and by hand.
#[test]
fn an_evaluation_is_fitting_on_the_rows_of_the_folds() {
    for name in ["iris", "waveform-21?n=150", "credit?n=150"] {
        let table = builtin::load(name).unwrap();
        let code = |table: &Table| CodedTable::new(table, &Roles::default()).unwrap();
        let coded = code(&table);
        let protocol = Protocol::Cv { folds: 3, repeats: 1, order: FoldOrder::Stratified };
        let texts = ["c45", "cart", "id3", "best-first", "c45:bins=9", "c45/error-based", "cart/k-norm"];
        let splits = protocol.splits(&coded, 3).unwrap();
        let experiment = Experiment {
            datasets: vec![DataSet::ready(name, coded.clone(), FitOptions::default())],
            schemes: texts.iter().map(|s| Named::plain(s.parse().unwrap())).collect(),
            protocol,
            shares: vec![1.0],
            seed: 3,
            sharing: true,
            all_parts: false,
            details: Details::default(),
        };
        for record in experiment.run(None, &Silent).unwrap() {
            let split = &splits[record.fold as usize];
            let rows = |list: &[u32]| list.iter().map(|&row| row as usize).collect::<Vec<_>>();
            let (train, test) = (picked(&table, &rows(&split.train)), picked(&table, &rows(&split.test)));
            let scheme: Scheme = record.scheme.parse().unwrap();
            let tree = fit(&code(&train), &scheme, &FitOptions::default(), &Silent).unwrap().tree;
            let predicted = Predictor::bind(&tree, &test).unwrap().predict();
            let Values::Nominal(target) = &test.columns().last().unwrap().values else { panic!("classes") };
            let right = predicted.labels.iter().zip(&target.codes).filter(|(a, b)| a == b).count();
            let accuracy = right as f64 / test.rows() as f64;
            assert!((record.get("accuracy").unwrap() - accuracy).abs() < 1e-12, "{name} {}", record.scheme);
            assert_eq!(record.get("leaves"), Some(tree.leaves() as f64), "{name} {}", record.scheme);
        }
    }
}

/// C4.5's thresholds are values of the rows it learns from; new values above them go with the larger ones.
#[test]
fn a_value_between_two_training_values_goes_with_the_larger_one_in_c45() {
    let column = |name: &str, values| Column { name: name.into(), values };
    let nominal = |codes: &[u32]| Nominal { levels: vec!["a".into(), "b".into()], codes: codes.into() };
    let table = |x: &[f64], y: &[u32]| {
        let columns = vec![column("x", Values::Numeric(x.into())), column("y", Values::Nominal(nominal(y)))];
        Table::new("two", columns).unwrap()
    };
    let train = table(&[1.0, 2.5, 1.0, 2.5], &[0, 1, 0, 1]);
    let new = table(&[1.0, 1.0f64.next_up(), 1.7, 2.5], &[0, 1, 1, 1]);
    let labels = |scheme: &str| {
        let coded = CodedTable::new(&train, &Roles::default()).unwrap();
        let tree = fit(&coded, &scheme.parse().unwrap(), &FitOptions::default(), &Silent).unwrap().tree;
        Predictor::bind(&tree, &new).unwrap().predict().labels
    };
    assert_eq!(labels("c45"), [0, 1, 1, 1]);
    assert_eq!(labels("cart"), [0, 0, 0, 1]);
}
