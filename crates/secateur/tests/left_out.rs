//! A row that is left out leaves no trace: weight zero equals no row, and an evaluation equals fitting on the folds' own rows.
//!
//! Tables keep their lists of nominal values and classes: these are declared, whether a row has them or not.

#![allow(clippy::unwrap_used, reason = "in tests it says what failed")]

mod common;

use common::*;
use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values, builtin};
use secateur::evaluate::{DataSet, Experiment, FoldOrder, Named, Protocol};
use secateur::fit::{FitOptions, fit};
use secateur::method::{MethodInfo, ParamKind};
use secateur::predict::{Predictor, Smoothing};
use secateur::progress::Silent;
use secateur::prune::PRUNERS;
use secateur::schema::Task;
use secateur::scheme::{LEARNERS, Scheme};

/// Every option of a method alone, with a value other than its default, and with what it needs.
fn with_options(info: &MethodInfo, task: Task) -> Vec<String> {
    let mut texts = vec![info.id.to_string()];
    for param in info.params {
        let values: Vec<String> = match param.kind {
            ParamKind::Number { min, .. } => vec![if min < 0.3 { "0.3".into() } else { min.to_string() }],
            ParamKind::Integer { min, .. } => vec![min.max(3).to_string()],
            ParamKind::Choice(_) | ParamKind::Flag => {
                param.kind.words().into_iter().map(String::from).collect()
            }
        };
        let needs = param.requires.map_or(String::new(), |(other, values)| {
            let default = info.param(other).and_then(|p| p.default_for(task));
            if values.iter().any(|v| Some(*v) == default) {
                String::new()
            } else {
                format!("{other}={},", values[0])
            }
        });
        texts.extend(values.iter().map(|value| format!("{}:{needs}{}={value}", info.id, param.name)));
    }
    texts
}

/// All learners with all options, all pruners with all options on some learner.
fn schemes(task: Task) -> Vec<Scheme> {
    let mut texts: Vec<String> = LEARNERS.iter().flat_map(|learner| with_options(learner, task)).collect();
    texts.push("c45:bins=5".into());
    texts.push("best-first:gain-decimals=7,missing=spread,min-leaf-rule=node,count=rows".into());
    for (i, pruner) in PRUNERS.iter().enumerate() {
        for (j, options) in with_options(&pruner.info, task).iter().enumerate() {
            texts.push(format!("{}/{options}", LEARNERS[(i + j) % LEARNERS.len()].id));
            if !options.contains(':') {
                texts.extend(["cv=3", "holdout=0.3"].map(|selector| format!("c45/{options}:{selector}")));
            }
        }
    }
    texts.iter().filter_map(|text| text.parse::<Scheme>().ok()).filter(|s| s.check(task).is_ok()).collect()
}

/// Some rows of a table, as they would stand in a file of their own.
fn written_out(table: &Table, rows: &[usize]) -> Table {
    let columns = table.columns().iter().map(|c| Column {
        name: c.name.clone(),
        values: match &c.values {
            Values::Numeric(v) => Values::Numeric(rows.iter().map(|&i| v[i]).collect()),
            Values::Nominal(v) => Values::Nominal(Nominal {
                levels: v.levels.clone(),
                codes: rows.iter().map(|&i| v.codes[i]).collect(),
            }),
        },
    });
    Table::new(table.name(), columns.collect()).unwrap()
}

#[test]
fn a_row_of_no_weight_is_no_row() {
    for (classes, missing, weights, seed) in
        [(2, 0.0, false, 1), (3, 0.1, true, 2), (0, 0.0, false, 3), (0, 0.1, true, 4)]
    {
        let table = random_table(Shape { rows: 90, classes, missing, weights, nominal_values: 5 }, seed);
        let kept: Vec<usize> = (0..table.rows()).filter(|row| row % 4 != 1).collect();
        let (all, alone) = (coded(&table), coded(&written_out(&table, &kept)));
        let zero: Vec<f64> =
            (0..table.rows()).map(|row| if row % 4 != 1 { all.weight(row) } else { 0.0 }).collect();
        let left_out = FitOptions { weights: Some(zero), ..FitOptions::default() };
        let mut fits = 0;
        for scheme in schemes(task_of(classes)) {
            let with = fit(&all, &scheme, &left_out, &Silent);
            let without = fit(&alone, &scheme, &FitOptions::default(), &Silent);
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
        };
        for record in experiment.run(None, &Silent).unwrap() {
            let split = &splits[record.fold as usize];
            let rows = |list: &[u32]| list.iter().map(|&row| row as usize).collect::<Vec<_>>();
            let (train, test) =
                (written_out(&table, &rows(&split.train)), written_out(&table, &rows(&split.test)));
            let scheme: Scheme = record.scheme.parse().unwrap();
            let tree = fit(&code(&train), &scheme, &FitOptions::default(), &Silent).unwrap().tree;
            let predicted = Predictor::bind(&tree, &test).unwrap().predict(Smoothing::Raw);
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
        Predictor::bind(&tree, &new).unwrap().predict(Smoothing::Raw).labels
    };
    assert_eq!(labels("c45"), [0, 1, 1, 1]);
    assert_eq!(labels("cart"), [0, 0, 0, 1]);
}
