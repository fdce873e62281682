//! The runner: the same records on any number of threads, and nothing of the test rows in a tree.

#![allow(clippy::unwrap_used, reason = "in tests it says what failed")]

use secateur::data::{CodedTable, Column, Roles, Table, Values, builtin};
use secateur::evaluate::{DataSet, Experiment, FoldOrder, Named, Protocol, Record};
use secateur::fit::{FitOptions, fit};
use secateur::method::For;
use secateur::progress::Silent;
use secateur::prune::PRUNERS;
use secateur::scheme::Scheme;

fn coded(table: &Table) -> CodedTable {
    CodedTable::new(table, &Roles::default()).unwrap()
}

fn experiment(protocol: Protocol, tables: &[CodedTable], schemes: &[&str]) -> Experiment {
    let datasets = tables.iter().map(|t| DataSet::ready(t.name(), t.clone(), FitOptions::default()));
    Experiment {
        datasets: datasets.collect(),
        schemes: schemes.iter().map(|s| Named::plain(s.parse().unwrap())).collect(),
        protocol,
        shares: vec![1.0],
        seed: 3,
        sharing: true,
        all_parts: false,
    }
}

fn cv(folds: usize, repeats: usize) -> Protocol {
    Protocol::Cv { folds, repeats, order: FoldOrder::Stratified }
}

/// Records without their times.
fn untimed(records: Vec<Record>) -> Vec<Record> {
    records.into_iter().map(|r| Record { seconds: None, ..r }).collect()
}

#[test]
fn records_do_not_depend_on_threads_nor_on_sharing() {
    let tables = [coded(&builtin::load("iris").unwrap()), coded(&builtin::load("weather").unwrap())];
    let schemes =
        ["cart/cost-complexity:cv=5", "best-first/pre:cv=5", "best-first/post:cv=5,1se", "c45/error-based"];
    let with = |threads: usize, sharing: bool| {
        let experiment =
            Experiment { sharing, shares: vec![0.5, 1.0], ..experiment(cv(3, 2), &tables, &schemes) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        untimed(pool.install(|| experiment.run(None, &Silent)).unwrap())
    };
    let one = with(1, true);
    assert_eq!(one.len(), 2 * 6 * 2 * 4);
    assert!(one.iter().any(|r| r.measured.is_some()));
    assert_eq!(with(2, true), one);
    assert_eq!(with(4, true), one);
    assert_eq!(with(2, false), one);
}

#[test]
fn what_cannot_be_run_is_an_error_before_the_work() {
    let iris = [coded(&builtin::load("iris").unwrap())];
    let problem = |experiment: Experiment| experiment.run(None, &Silent).unwrap_err().to_string();
    for protocol in [
        cv(0, 1),
        cv(3, 0),
        Protocol::Random { trials: 0, train: 0.5 },
        Protocol::Window { parts: 0, train: 0 },
    ] {
        let said = problem(experiment(protocol, &iris, &["cart"]));
        assert!(said.contains("expected at least one division"), "{said}");
    }
    let none = Experiment { shares: Vec::new(), ..experiment(cv(3, 1), &iris, &["cart"]) };
    assert!(problem(none).contains("share"));
    assert!(problem(experiment(cv(3, 1), &[], &["cart"])).contains("at least one data set"));
    let twice = [iris[0].clone(), iris[0].clone()];
    assert!(problem(experiment(cv(3, 1), &twice, &["cart"])).contains("there twice"));
    // Countless divisions are refused, not counted.
    assert!(
        problem(experiment(
            cv(usize::MAX, 2),
            &[iris[0].clone(), coded(&builtin::load("weather").unwrap())],
            &["cart"]
        ))
        .contains("fewer")
    );
}

/// The same table with other targets in the rows that a function names.
fn with_other_targets(table: &Table, changed: impl Fn(usize) -> bool) -> Table {
    let mut columns: Vec<Column> = table.columns().to_vec();
    match &mut columns.last_mut().unwrap().values {
        Values::Numeric(values) => {
            values
                .iter_mut()
                .enumerate()
                .filter(|(row, _)| changed(*row))
                .for_each(|(_, x)| *x = 40.0 - 2.0 * *x);
        }
        Values::Nominal(nominal) => {
            let levels = nominal.levels.len() as u32;
            let codes = nominal.codes.iter_mut().enumerate();
            codes.filter(|(row, _)| changed(*row)).for_each(|(_, code)| *code = (*code + 1) % levels);
        }
    }
    Table::new(table.name(), columns).unwrap()
}

/// A scheme with every pruner that fits the target, at its defaults, and with every selector.
fn schemes(regression: bool) -> Vec<Scheme> {
    let mut list: Vec<String> = vec!["cart".into(), "c45".into()];
    for pruner in PRUNERS {
        let fits = match pruner.only {
            For::Both => true,
            For::Numbers => regression,
            For::Classes => !regression,
        };
        if fits {
            list.extend(["cart", "best-first"].map(|learner| format!("{learner}/{}", pruner.info.id)));
            list.push(format!("cart/{}:cv=4,1se", pruner.info.id));
            list.push(format!("cart/{}:holdout=0.3", pruner.info.id));
        }
    }
    list.iter().filter_map(|text| text.parse().ok()).collect()
}

#[test]
fn the_targets_of_test_rows_do_not_reach_a_tree() {
    for name in ["iris", "credit?n=200", "friedman?n=150"] {
        let table = builtin::load(name).unwrap();
        let (own, regression) = (coded(&table), name.starts_with("friedman"));
        let split = cv(4, 1).splits(&own, 5).unwrap().remove(1);
        let other = coded(&with_other_targets(&table, |row| split.test.contains(&(row as u32))));
        let mut fitted = 0;
        for scheme in schemes(regression) {
            let grown = |table: &CodedTable| {
                let options = split.options(table, &FitOptions::default(), 10).unwrap();
                fit(table, &scheme, &options, &Silent)
            };
            // Schemes that need an option first are none of this test's business.
            let Ok(first) = grown(&own) else { continue };
            let second = grown(&other).unwrap_or_else(|e| panic!("{name} {scheme}: {e}"));
            fitted += 1;
            if !regression {
                assert!(first.tree == second.tree, "{name} {scheme}");
                continue;
            }
            // Sums are taken around the mean of all rows, so numbers may differ by rounding.
            let (a, b) = (first.tree, second.tree);
            assert_eq!(a.nodes().len(), b.nodes().len(), "{name} {scheme}");
            for (i, (x, y)) in a.nodes().iter().zip(b.nodes()).enumerate() {
                assert_eq!((&x.condition, x.rows), (&y.condition, y.rows), "{name} {scheme}");
                assert!((a.value(i) - b.value(i)).abs() < 1e-9, "{name} {scheme}");
            }
        }
        assert!(fitted >= 10, "{name}: {fitted}");
    }
}

#[test]
fn the_targets_of_test_rows_change_scores_only() {
    let table = builtin::load("credit?n=300").unwrap();
    let other = with_other_targets(&table, |row| row >= 200);
    let schemes =
        ["cart/cost-complexity:cv=10,1se", "cart/reduced-error", "c45/error-based", "cart/k-norm:cv=5"];
    let run = |table: &Table| {
        experiment(Protocol::TrainTest { train: 200 }, &[coded(table)], &schemes).run(None, &Silent).unwrap()
    };
    for (a, b) in run(&table).iter().zip(&run(&other)) {
        for measure in ["nodes", "leaves", "depth"] {
            assert_eq!(a.get(measure).unwrap(), b.get(measure).unwrap(), "{}", a.scheme);
        }
        assert_ne!(a.get("accuracy").unwrap(), b.get("accuracy").unwrap(), "{}", a.scheme);
    }
}
