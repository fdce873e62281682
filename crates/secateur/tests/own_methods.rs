//! Methods from outside the library are used as its own: by schemes, selectors, experiments and lists.

use secateur::criterion::{self, Criterion, Impurity};
use secateur::data::{CodedTable, Roles, builtin};
use secateur::fit::{FitOptions, Fitted, fit, path_of};
use secateur::progress::{Progress, Silent};
use secateur::scheme::{Scheme, pruners};

use crate::laws::outside::{self, BY_SHARE};

/// Gini's impurity, written again.
struct OwnGini(&'static str);

impl Impurity for OwnGini {
    fn name(&self) -> &'static str {
        self.0
    }

    fn impurity(&self, weights: &[f64], total: f64) -> f64 {
        1.0 - weights.iter().map(|w| (w / total).powi(2)).sum::<f64>()
    }
}

fn coded(data: &str) -> CodedTable {
    CodedTable::new(&builtin::load(data).unwrap(), &Roles::default()).unwrap()
}

fn fitted(table: &CodedTable, scheme: &str) -> Fitted {
    fit(table, &scheme.parse().unwrap(), &FitOptions::default(), &Silent).unwrap()
}

#[test]
fn an_own_gini_grows_the_trees_of_gini() {
    criterion::register(&OwnGini("gini-again")).unwrap();
    for data in ["iris", "credit?n=400", "weather", "balance-scale", "monks-2"] {
        let table = coded(data);
        for learner in ["cart", "best-first", "cart:nominal=multiway", "best-first:max-leaves=9"] {
            let with = |criterion: &str| {
                let sign = if learner.contains(':') { ',' } else { ':' };
                fitted(&table, &format!("{learner}{sign}criterion={criterion}")).tree
            };
            let (own, gini) = (with("gini-again"), with("gini"));
            assert_eq!(own.nodes().len(), gini.nodes().len(), "{data} {learner}");
            for (a, b) in own.nodes().iter().zip(gini.nodes()) {
                assert_eq!((&a.condition, a.rows), (&b.condition, b.rows), "{data} {learner}");
                assert!((a.gain - b.gain).abs() < 1e-9, "{data} {learner}");
            }
        }
    }
}

/// An impurity that is never a number finds no split, and no panic.
struct Nonsense;

impl Impurity for Nonsense {
    fn name(&self) -> &'static str {
        "nonsense"
    }

    fn impurity(&self, _: &[f64], _: f64) -> f64 {
        f64::NAN
    }
}

#[test]
fn criteria_are_refused_with_the_reason() {
    criterion::register(&Nonsense).unwrap();
    assert_eq!(fitted(&coded("iris"), "cart:criterion=nonsense").tree.leaves(), 1);
    let problem = |name| criterion::register(Box::leak(Box::new(OwnGini(name)))).unwrap_err().to_string();
    assert!(problem("gini").contains("another one has this name"));
    assert!(problem("nonsense").contains("another one has this name"));
    assert!(problem("my,own").contains("letters, digits and hyphens"));
    assert_eq!(Criterion::of("nonsense").unwrap().name(), "nonsense");
    let scheme = |text: &str| {
        fit(&coded("friedman?n=50"), &text.parse::<Scheme>().unwrap(), &FitOptions::default(), &Silent)
    };
    let refused = scheme("cart:criterion=nonsense").map(|_| ()).unwrap_err().to_string();
    assert!(refused.contains("criterion=nonsense is for classification"), "{refused}");
    let unknown = "cart:criterion=nonsens".parse::<Scheme>().unwrap_err().to_string();
    assert!(unknown.contains("did you mean 'nonsense'?"), "{unknown}");
    let table = coded("iris");
    let refused = fit(
        &table,
        &"cart:criterion=nonsense,gain-decimals=4".parse().unwrap(),
        &FitOptions::default(),
        &Silent,
    );
    assert!(
        refused
            .map(|_| ())
            .unwrap_err()
            .to_string()
            .contains("gain-decimals is for the criteria of the library")
    );
}

#[test]
fn an_own_pruner_is_validated_and_listed() {
    assert!(outside::pruners().iter().any(|p| std::ptr::eq(*p, &BY_SHARE)));
    assert!(pruners().iter().any(|info| info.id == "by-share"));
    let table = coded("credit?n=400");
    let full = fitted(&table, "cart").tree;
    let cut = fitted(&table, "cart/by-share:share=0.1").tree;
    assert!(cut.leaves() > 1 && cut.leaves() < full.leaves());
    let small = |id: usize| !cut.is_leaf(id) && cut.node(id).weight <= 0.1 * cut.node(0).weight;
    assert!(!(0..cut.nodes().len()).any(small));
    let chosen = fitted(&table, "cart/by-share:cv=5,1se");
    assert!(chosen.estimate.is_some() && chosen.tree.leaves() < full.leaves());
    let path = path_of(&table, &"cart/by-share".parse().unwrap(), None, &FitOptions::default(), &Silent);
    assert!(path.is_ok());
    let unknown = "cart/by-shore".parse::<Scheme>().unwrap_err().to_string();
    assert!(unknown.contains("did you mean 'by-share'?"), "{unknown}");
}

/// Stops the work as soon as it asks.
struct Stop;

impl Progress for Stop {
    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn work_with_own_methods_is_cancelled() {
    outside::pruners();
    let options = FitOptions::default();
    let stopped = fit(&coded("credit?n=400"), &"cart/by-share:cv=5".parse().unwrap(), &options, &Stop);
    assert!(matches!(stopped.map(|_| ()), Err(secateur::Error::Cancelled)));
}
