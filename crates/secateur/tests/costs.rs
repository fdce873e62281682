//! Costs and priors meet tables and trees by the names of the classes: their order is irrelevant, other classes are refused.

use std::sync::Arc;

use crate::common::*;
use proptest::prelude::*;
use secateur::data::{CodedTable, Column, Nominal, Table, Values};
use secateur::evaluate::fingerprint;
use secateur::fit::{FitOptions, fit};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::schema::{Costs, Priors};
use secateur::scheme::Scheme;
use secateur::tree::{Model, ModelInfo, Tree};

const SHAPE: Shape = Shape { rows: 90, classes: 3, missing: 0.1, weights: false, nominal_values: 4 };

fn names(classes: usize) -> Vec<String> {
    (0..classes).map(|j| format!("c{j}")).collect()
}

fn with(costs: Costs) -> FitOptions {
    FitOptions { costs: Some(Arc::new(costs)), ..FitOptions::default() }
}

/// Every pruner that fits classes, with its defaults.
fn schemes() -> Vec<Scheme> {
    let classes = crate::laws::outside::pruners().into_iter().filter(|p| p.only.fits(Task::Classification));
    let mut all: Vec<Scheme> = classes.map(|p| format!("cart/{}", p.info.id).parse().unwrap()).collect();
    all.push("cart".parse().unwrap());
    all.push("c45/error-based:raising".parse().unwrap());
    all.push("cart/k-norm:cv=4".parse().unwrap());
    all
}

/// A model file of the tree, read again.
fn again(tree: &Tree) -> Tree {
    let about = ModelInfo { full: tree.size(), ..ModelInfo::default() };
    let model = Model { tree: tree.clone(), scheme: "cart".into(), about };
    let mut file = Vec::new();
    model.to_json(&mut file).unwrap();
    Model::from_json("m.json", file.as_slice()).unwrap().tree
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_order_of_the_classes_is_irrelevant(
        seed in 0u64..1000, matrix in prop::collection::vec(0.0..9.0f64, 16), order in Just(vec![0usize, 1, 2, 3]).prop_shuffle(),
        which in 0usize..20,
    ) {
        let table = coded(&random_table(Shape { classes: 4, ..SHAPE }, seed));
        let own = names(4);
        let other: Vec<String> = order.iter().map(|&j| own[j].clone()).collect();
        let moved: Vec<f64> = (0..16).map(|i| matrix[order[i / 4] * 4 + order[i % 4]]).collect();
        let a = with(Costs::from_matrix(&own, matrix).unwrap());
        let b = with(Costs::from_matrix(&other, moved).unwrap());
        prop_assert_eq!(fingerprint(&table, &a), fingerprint(&table, &b));
        let all = schemes();
        let scheme = &all[which % all.len()];
        let one = fit(&table, scheme, &a, &Silent).unwrap();
        let two = fit(&table, scheme, &b, &Silent).unwrap();
        prop_assert_eq!(&one.tree, &two.tree);
        prop_assert_eq!(one.estimate, two.estimate);
        prop_assert_eq!(one.tree.costs().unwrap().classes(), &own);
        prop_assert_eq!(&again(&two.tree), &two.tree);
        // A tree that costs are given to afterwards takes its own order too.
        let plain = one.tree.clone().with_costs(None).unwrap();
        prop_assert_eq!(plain.with_costs(b.costs).unwrap(), one.tree);
    }

    #[test]
    fn the_order_of_priors_is_irrelevant(
        seed in 0u64..1000, shares in prop::collection::vec(0.01..9.0f64, 3), order in Just(vec![0usize, 1, 2]).prop_shuffle(),
    ) {
        let table = coded(&random_table(SHAPE, seed));
        let listed: Vec<(String, f64)> = names(3).into_iter().zip(shares.iter().copied()).collect();
        let moved: Vec<(String, f64)> = order.iter().map(|&j| listed[j].clone()).collect();
        let weights = |shares: &[(String, f64)]| {
            let table = table.clone().with_priors(&Priors::new(shares).unwrap()).unwrap();
            (0..table.rows()).map(|row| table.weight(row)).collect::<Vec<f64>>()
        };
        let (one, two) = (weights(&listed), weights(&moved));
        prop_assert!(one.iter().zip(&two).all(|(a, b)| (a - b).abs() < 1e-12));
        let leaves = |shares: &[(String, f64)]| {
            let options = FitOptions { priors: Some(Priors::new(shares).unwrap()), ..FitOptions::default() };
            let fitted = fit(&table, &"cart/cost-complexity:cv=3".parse().unwrap(), &options, &Silent).unwrap();
            (fitted.tree.leaves(), fitted.tree.label(0))
        };
        prop_assert_eq!(leaves(&listed), leaves(&moved));
        // The classes have the shares asked for.
        let classes = plain(&random_table(SHAPE, seed)).y;
        let of = |j: usize| (0..one.len()).filter(|&i| classes[i] as usize == j).map(|i| one[i]).sum::<f64>();
        for j in 0..3 {
            let wanted = shares[j] / shares.iter().sum::<f64>();
            prop_assert!((of(j) / one.iter().sum::<f64>() - wanted).abs() < 1e-9);
        }
    }
}

#[test]
fn costs_for_other_classes_are_refused_wherever_they_are_given() {
    let table = coded(&random_table(SHAPE, 1));
    let tree = fit(&table, &"cart".parse().unwrap(), &FitOptions::default(), &Silent).unwrap().tree;
    let list = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<String>>();
    for (classes, words) in [
        (list(&["c0", "c1"]), "costs: the class 'c2' is missing; they are for 'c0', 'c1'"),
        (list(&["c0", "c1", "c2", "c3"]), "costs: there is no class 'c3'"),
        (list(&["c0", "c1", "C2"]), "costs: there is no class 'C2' (did you mean 'c2'?)"),
        (list(&["c1"]), "costs: the class 'c0' is missing"),
    ] {
        let costs = Costs::new(&classes, &[]).unwrap();
        for scheme in schemes() {
            let problem = fit(&table, &scheme, &with(costs.clone()), &Silent).unwrap_err().to_string();
            assert!(problem.contains(words), "{scheme}: {problem}");
        }
        let problem = tree.clone().with_costs(Some(Arc::new(costs))).unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
        let shares: Vec<(String, f64)> = classes.iter().map(|c| (c.clone(), 1.0)).collect();
        let problem = table.clone().with_priors(&Priors::new(&shares).unwrap()).unwrap_err().to_string();
        assert!(problem.contains(&words.replace("costs", "priors")), "{problem}");
        let options = FitOptions { priors: Some(Priors::new(&shares).unwrap()), ..FitOptions::default() };
        let problem = fit(&table, &"cart".parse().unwrap(), &options, &Silent).unwrap_err().to_string();
        assert!(problem.contains(&words.replace("costs", "priors")), "{problem}");
    }
    let numbers = coded(&random_table(Shape { classes: 0, ..SHAPE }, 1));
    let line = fit(&numbers, &"cart".parse().unwrap(), &FitOptions::default(), &Silent).unwrap().tree;
    let costs = Costs::new(&names(2), &[]).unwrap();
    assert!(line.with_costs(Some(Arc::new(costs))).unwrap_err().to_string().contains("for classes"));
}

#[test]
fn a_matrix_is_checked_when_it_is_made() {
    let problem = |classes: &[&str], matrix: &[f64]| {
        let classes: Vec<String> = classes.iter().map(|c| c.to_string()).collect();
        Costs::from_matrix(&classes, matrix.to_vec()).unwrap_err().to_string()
    };
    assert!(problem(&[], &[]).contains("no classes"));
    assert!(problem(&["a", "a"], &[0.0, 1.0, 1.0, 0.0]).contains("'a' appears twice"));
    assert!(problem(&["a", "b"], &[0.0, 1.0, 1.0]).contains("3 numbers for 2 classes"));
    assert!(problem(&["a", "b"], &[0.0, f64::NAN, 1.0, 0.0]).contains("NaN"));
    assert!(problem(&["a", "b"], &[0.0; 4]).contains("nothing costs"));
}

/// A table of one class, with and without costs for it: every pruner gives the leaf, which is saved and read.
#[test]
fn one_class_is_no_mistake() {
    let rows = random_table(SHAPE, 7);
    let mut columns: Vec<Column> = rows.columns().to_vec();
    let codes = vec![0; rows.rows()];
    columns.last_mut().unwrap().values = Values::Nominal(Nominal { levels: names(1), codes });
    let table = Table::new("one class", columns).unwrap();
    let coded: CodedTable = coded(&table);
    for matrix in [vec![0.0], vec![3.0]] {
        let options = with(Costs::from_matrix(&names(1), matrix).unwrap());
        for scheme in schemes() {
            let tree =
                fit(&coded, &scheme, &options, &Silent).unwrap_or_else(|e| panic!("{scheme}: {e}")).tree;
            assert_eq!(tree.nodes().len(), 1, "{scheme}");
            let tree = again(&tree);
            for values in ["raw", "laplace", "m", "shrink"] {
                let predictor = Predictor::bind(&tree, &table).unwrap();
                let said = predictor.try_predict_by(values.parse().unwrap()).unwrap();
                assert!(said.labels.iter().all(|&label| label == 0));
            }
        }
    }
}
