//! What is wrong with a scheme is said with the options it has and what they may be.

use secateur::data::CodedTable;
use secateur::fit::{FitOptions, fit, path_of};
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::scheme::Scheme;
use secateur::training::Folds;

use super::support::*;
use crate::common::*;

fn problem(table: &CodedTable, text: &str) -> String {
    match text.parse::<Scheme>() {
        Err(e) => e.to_string(),
        Ok(scheme) => match fit(table, &scheme, &FitOptions::default(), &Silent) {
            Err(e) => e.to_string(),
            Ok(_) => panic!("{text} is not refused"),
        },
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a list of cases")]
fn bad_parameters_are_explained() {
    let classes = coded(&random_table(SMALL, 1));
    let numbers = coded(&random_table(Shape { classes: 0, ..SMALL }, 1));
    let few = coded(&picked(&random_table(SMALL, 1), &(0..7).collect::<Vec<_>>()));
    let says = |table: &CodedTable, text: &str, words: &[&str]| {
        let problem = problem(table, text);
        assert!(words.iter().all(|w| problem.contains(w)), "{text}: {problem}");
    };
    for pruner in crate::laws::outside::pruners() {
        let id = pruner.info.id;
        if !pruner.only.fits(Task::Regression) {
            says(
                &numbers,
                &format!("cart/{id}"),
                &[id, "is for classification", "the target here has numbers"],
            );
        }
        if !pruner.only.fits(Task::Classification) {
            says(&classes, &format!("cart/{id}"), &[id, "is for regression", "the target here has classes"]);
        }
        let path = pruner.parameter().is_some();
        let target =
            if pruner.only.fits(Task::Classification) { (&classes, &few) } else { (&numbers, &numbers) };
        for spec in pruner.info.params {
            match spec.name {
                "cv" => {
                    says(target.0, &format!("cart/{id}:cv=1"), &[id, "cv", "'1'", "whole number from 2"]);
                    says(target.0, &format!("cart/{id}:cv=200"), &["200 folds of 130 rows", "no more folds"]);
                    says(target.0, &format!("cart/{id}:cv=ten"), &[id, "cv", "'ten'"]);
                }
                "holdout" => {
                    says(
                        target.0,
                        &format!("cart/{id}:holdout=0.0001"),
                        &["holds out none", "hold out more"],
                    );
                    says(target.0, &format!("cart/{id}:holdout=0"), &[id, "holdout", "'0'", "above 0"]);
                    says(target.0, &format!("cart/{id}:holdout=1"), &[id, "holdout", "'1'", "at most 0.99"]);
                    if pruner.only.fits(Task::Classification) {
                        says(target.1, &format!("cart/{id}:holdout=0.95"), &["leaves none", "hold out less"]);
                    }
                }
                _ => {}
            }
        }
        if path {
            let own = pruner.parameter().unwrap().name;
            says(
                target.0,
                &format!("cart/{id}:{own}=1,cv=10"),
                &[id, own, "and cv contradict each other", "give one"],
            );
            says(target.0, &format!("cart/{id}:cv=3,holdout=0.2"), &["cv and holdout contradict each other"]);
            says(
                target.0,
                &format!("cart/{id}:{own}=1,1se"),
                &[id, "standard errors need cv=… or holdout=…"],
            );
            says(target.0, &format!("cart/{id}:cv=5,1se,se=2"), &[id, "1se and se contradict each other"]);
            says(target.0, &format!("cart/{id}:{own}=1,{own}=2"), &[id, own, "given twice"]);
            says(target.0, &format!("cart/{id}:{own}=-1"), &[id, own, "'-1' is not"]);
            says(target.0, &format!("cart/{id}:{own}=nan"), &[id, own, "'nan' is not"]);
            says(target.0, &format!("cart/{id}:holdot=0.2"), &[id, "'holdot'", "did you mean 'holdout'?"]);
        }
    }
    says(&few, "cart/cost-complexity", &["10 folds of 7 rows"]);
    says(&few, "cart/pre", &["10 folds of 7 rows"]);
    says(&classes, "cart/k-norm:k=0.5", &["k-norm", "option k", "'0.5' is not a number", "1"]);
    says(&classes, "cart/k-norm:k=2,cv=10", &["k-norm: k and cv contradict each other; give one"]);
    for k in ["1", "3", "2.5", "1002"] {
        let problem = "k-norm: for class probabilities k is an even number from 2 to 1000";
        says(&classes, &format!("cart/k-norm:k={k},of=probability"), &[problem]);
    }
    says(&classes, "cart/k-norm:of=probabilty", &["of", "'probabilty'", "error", "probability"]);
    says(&classes, "c45/error-based:cf=0", &["error-based", "option cf", "'0' is not a number above 0"]);
    says(&classes, "c45/error-based:cf=1.5", &["option cf", "at most 1"]);
    says(&classes, "cart/cost-complexity:alpha=-0.1", &["cost-complexity", "alpha", "'-0.1' is not"]);
    says(&classes, "cart/optimal-size:leaves=0", &["optimal-size", "leaves", "whole number from 1 to 1000"]);
    says(&classes, "cart/optimal-size:leaves=2.5", &["leaves", "whole number"]);
    says(&classes, "cart/error-based:1se", &["error-based: standard errors need cv"]);
    says(&classes, "cart/cost-complexty", &["unknown pruner", "did you mean 'cost-complexity'?"]);
    says(&classes, "cart/mdl:cf=1", &["mdl", "cf"]);
    says(&classes, "cart/pre:splits=3", &["pre", "splits"]);
    says(&numbers, "cart/post:error=rmse", &["error", "classification"]);
    says(&numbers, "cart/reduced-error:significance=0.1", &["significance", "classification"]);
    let matrix = with_costs(costs(2, 1.0));
    let problem = fit(&numbers, &scheme("cart"), &matrix, &Silent).unwrap_err().to_string();
    assert!(problem.contains("costs are for classes"), "{problem}");
    let three = coded(&random_table(Shape { classes: 3, ..SMALL }, 52));
    let matrix = with_costs(costs(3, 1.0));
    let problem = fit(&three, &scheme("cart/k-norm:k=1000.5"), &matrix, &Silent).unwrap_err().to_string();
    assert!(problem.contains("k=1000.5 is above 1000"), "{problem}");
    for (text, word) in [("cart", "needs a pruner"), ("cart/mdl", "mdl has no path"), ("cart/pre", "no path")]
    {
        let problem = path_of(&classes, &scheme(text), None, &FitOptions::default(), &Silent).unwrap_err();
        assert!(problem.to_string().contains(word), "{problem}");
    }
}

#[test]
fn folds_and_held_out_rows_that_are_not_used_are_refused() {
    let table = load("iris");
    let folds = Folds::given((0..150).map(|i| Some(i % 10)).collect()).unwrap();
    let given = FitOptions { folds: Some(folds), ..FitOptions::default() };
    let problem = |text: &str, options: &FitOptions| {
        fit(&table, &scheme(text), options, &Silent).map(|_| ()).unwrap_err().to_string()
    };
    for text in ["cart", "cart/mdl", "cart/k-norm:k=2", "cart/reduced-error", "cart/k-norm:holdout=0.2"] {
        assert!(problem(text, &given).contains("uses no folds"), "{text}");
    }
    fit(&table, &scheme("best-first/pre"), &given, &Silent).unwrap();
    let held = FitOptions { held_out: Some(vec![1.0; 150]), ..FitOptions::default() };
    assert!(problem("cart/mdl", &held).contains("held-out"));
    fit(&table, &scheme("cart/reduced-error"), &held, &Silent).unwrap();
    let short = FitOptions { weights: Some(vec![1.0; 3]), ..FitOptions::default() };
    assert!(problem("cart", &short).contains("3 weights for a table of 150 rows"));
    let few = Folds::given((0..30).map(|i| Some(i % 10)).collect()).unwrap();
    let few = FitOptions { folds: Some(few), ..FitOptions::default() };
    assert!(problem("best-first/pre", &few).contains("folds of 30 rows for a table of 150 rows"));
}
