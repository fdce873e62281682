//! Leaf values by schemes: what they change and what not, and how λ is chosen.

use std::sync::Arc;

use secateur::data::{CodedTable, Roles, Table, builtin};
use secateur::evaluate::measures::measure;
use secateur::fit::{FitOptions, Fitted, LAMBDAS, fit, fit_in, judging_trees};
use secateur::predict::{LeafValues, Predictor};
use secateur::progress::Silent;
use secateur::prune::Job;
use secateur::schema::{CostEntry, Costs};
use secateur::scheme::Scheme;
use secateur::training::TreeCache;
use secateur::tree::{Model, Tree};

fn coded(name: &str) -> CodedTable {
    CodedTable::new(&builtin::load(name).unwrap(), &Roles::default()).unwrap()
}

fn scheme(text: &str) -> Scheme {
    text.parse().unwrap()
}

const TABLES: [&str; 3] = ["credit?n=400", "iris", "houses?n=300"];

/// Pruners of every kind, as far as they are made for the target.
const PRUNERS: [&str; 12] = [
    "cost-complexity:cv=5,1se",
    "cost-complexity:cv=5",
    "cost-complexity:holdout=0.3",
    "cost-complexity:alpha=0.01",
    "k-norm:cv=5",
    "post:cv=5",
    "breadth-first:cv=5,rule=average",
    "pre:cv=5",
    "tuned:cv=4",
    "reduced-error",
    "early-stop",
    "error-based:raising,cv=3",
];

fn fits(table: &CodedTable, mut check: impl FnMut(&TreeCache, &str)) {
    let options = FitOptions::default();
    let trees = TreeCache::new(table, &options).unwrap();
    for pruner in PRUNERS {
        if scheme(&format!("cart/{pruner}")).plan(table.task()).is_ok() {
            check(&trees, pruner);
        }
    }
}

fn fitted(trees: &TreeCache, learner: &str, pruner: &str) -> Fitted {
    fit_in(trees, &scheme(&format!("{learner}/{pruner}")), &Silent).unwrap()
}

#[test]
fn leaf_values_change_no_tree_that_rows_do_not_choose_from_a_path() {
    for name in TABLES {
        let table = coded(name);
        fits(&table, |trees, pruner| {
            if scheme(&format!("cart/{pruner}")).plan(table.task()).unwrap().chooses_on_path() {
                return;
            }
            let raw = fitted(trees, "cart", pruner);
            let grown = trees.grown();
            for values in ["shrink", "shrink,leaf-lambda=3", "m", "laplace"] {
                let learner = format!("cart:leaf-values={values}");
                if scheme(&learner).plan(table.task()).is_err() {
                    continue;
                }
                let other = fitted(trees, &learner, pruner);
                let what = format!("{name} {learner}/{pruner}");
                assert_eq!(other.tree.clone().with_leaf_values(LeafValues::Raw).unwrap(), raw.tree, "{what}");
                assert_ne!(other.tree.leaf_values(), LeafValues::Raw, "{what}");
                // No tree is grown for it.
                assert_eq!(trees.grown(), grown, "{what}");
            }
        });
    }
}

/// Costs of mistakes in the table of credits.
fn costs(table: &CodedTable) -> Costs {
    let classes: Vec<String> = table.schema().target.classes().to_vec();
    let entry = |actual: usize, predicted: usize, cost: f64| CostEntry {
        actual: classes[actual].clone(),
        predicted: classes[predicted].clone(),
        cost,
    };
    Costs::new(&classes, &[entry(0, 1, 1.0), entry(1, 0, 4.0)]).unwrap()
}

/// The choice by its definition: every member with every λ is measured on every fold, by the tree that was grown without it.
fn chosen_by_definition(trees: &TreeCache, text: &str, counted: &str, score: &[&str]) -> (usize, f64, f64) {
    let scheme = scheme(text);
    let (table, plan) = (trees.table(), scheme.plan(trees.task()).unwrap());
    let pruning = plan.pruning.as_ref().unwrap();
    let path = |tree: &Tree| pruning.pruner.path(&Job::with(tree, &pruning.options)).unwrap();
    let full = trees.full(&plan.spec, &Silent).unwrap();
    let own = path(&full.tree);
    let at = own.parameters();
    let folds = trees.fold_trees(&plan.spec, 5, &Silent).unwrap();
    let fold_paths: Vec<_> = folds.iter().map(|fold| path(&fold.tree)).collect();
    // Every member with these leaf values: its risk, the loss that is counted, and the scores.
    let measured = |values: LeafValues| -> Vec<Vec<f64>> {
        let mut members = Vec::new();
        for i in 0..at.len() {
            // Between two members, as CART asks for them.
            let probe = at.get(i + 1).map_or(f64::INFINITY, |next| (at[i] * next).sqrt());
            let (mut sums, mut weight) = (vec![0.0; 2 + score.len()], 0.0);
            for (fold, path) in folds.iter().zip(&fold_paths) {
                let tree = fold.tree.cut(&path.cut(probe)).with_leaf_values(values).unwrap();
                let measured = measure(&tree, table, &fold.held).unwrap();
                let held: f64 = fold.held.iter().sum();
                let risk = if table.classes() == 0 {
                    "mse"
                } else if trees.costs().is_some() {
                    "loss"
                } else {
                    "error"
                };
                for (sum, id) in sums.iter_mut().zip([risk, counted].iter().chain(score)) {
                    *sum += held * measured.get(id).unwrap_or_else(|| panic!("{id}"));
                }
                weight += held;
            }
            members.push(sums.into_iter().map(|sum| sum / weight).collect::<Vec<f64>>());
        }
        members
    };
    let leaves = |i: usize| full.tree.cut(&own.cut(at[i])).leaves();
    let smallest = |members: &[Vec<f64>]| {
        let least = members.iter().map(|m| m[1]).fold(f64::INFINITY, f64::min);
        let near = (0..at.len()).filter(|&i| members[i][1] <= least + 1e-11 * least);
        near.min_by_key(|&i| leaves(i)).unwrap()
    };
    // By errors the size is chosen with what was counted, whatever the leaf values.
    let by_errors = ["error", "loss", "mse"].contains(&counted).then(|| smallest(&measured(LeafValues::Raw)));
    // Lower is better, first by the first number.
    let mut best: Option<(Vec<f64>, usize, f64, f64)> = None;
    for lambda in LAMBDAS {
        let members = measured(LeafValues::Shrink(lambda));
        let member = by_errors.unwrap_or_else(|| smallest(&members));
        let scores = members[member][2..].to_vec();
        let is_lower = |old: &[f64]| {
            let differ = scores.iter().zip(old).find(|(a, b)| (*a - *b).abs() > 1e-11 * b.abs());
            differ.is_some_and(|(a, b)| a < b)
        };
        if best.as_ref().is_none_or(|best| is_lower(&best.0)) {
            best = Some((scores.clone(), leaves(member), lambda, members[member][0]));
        }
    }
    let (_, leaves, lambda, risk) = best.unwrap();
    (leaves, lambda, risk)
}

#[test]
fn size_and_lambda_are_chosen_as_defined() {
    let mut sizes = std::collections::BTreeSet::new();
    for name in ["credit?n=400", "iris", "houses?n=200", "monks-2"] {
        let table = coded(name);
        let with_costs =
            FitOptions { costs: Some(Arc::new(costs(&coded("credit?n=400")))), ..FitOptions::default() };
        for options in [FitOptions::default(), with_costs] {
            if options.costs.is_some() && !name.starts_with("credit") {
                continue;
            }
            let trees = TreeCache::new(&table, &options).unwrap();
            let ways: &[(&str, &str, &[&str])] = match (table.classes(), options.costs.is_some()) {
                (0, _) => &[("", "mse", &["mse"])],
                (_, true) => {
                    &[("", "loss", &["loss", "log-loss"]), (",choose-by=brier", "brier", &["brier"])]
                }
                _ => &[
                    ("", "error", &["log-loss"]),
                    (",choose-by=brier", "brier", &["brier"]),
                    (",choose-by=log-loss", "log-loss", &["log-loss"]),
                    (",choose-by=log-loss,of=entropy", "log-loss", &["log-loss"]),
                ],
            };
            for (option, counted, score) in ways {
                let text = format!("cart:leaf-values=shrink/cost-complexity:cv=5{option}");
                let found = fit_in(&trees, &scheme(&text), &Silent).unwrap();
                let (leaves, lambda, risk) = chosen_by_definition(&trees, &text, counted, score);
                let what = format!("{name} {text}");
                assert_eq!(found.tree.leaves(), leaves, "{what}");
                assert_eq!(found.tree.leaf_values(), LeafValues::Shrink(lambda), "{what}");
                let estimate = found.estimate.unwrap();
                assert!((estimate.apparent() - risk).abs() < 1e-9 * risk.max(1e-3), "{what}");
                let path = found.path.unwrap();
                assert_eq!(path.tree(path.selected.unwrap()).unwrap(), found.tree, "{what}");
                sizes.insert((name, leaves));
            }
        }
    }
    assert!(sizes.len() > 5, "{sizes:?}");
}

/// The definition: every held-out row by the tree it is held out from, one after the other.
fn losses(fitted: &Fitted, table: &Table) -> Vec<f64> {
    let judges = judging_trees(fitted).unwrap();
    let mut sums = vec![0.0; LAMBDAS.len()];
    let mut weight = 0.0;
    for judge in judges {
        for (sum, lambda) in sums.iter_mut().zip(LAMBDAS) {
            let tree = judge.tree.clone().with_leaf_values(LeafValues::Shrink(lambda)).unwrap();
            let predictor = Predictor::bind(&tree, table).unwrap();
            let said = predictor.predict();
            let classes = tree.schema().target.classes();
            for row in (0..table.rows()).filter(|row| judge.held[*row] > 0.0) {
                let actual = predictor.target().unwrap();
                *sum += judge.held[row]
                    * match &actual.values {
                        secateur::data::Values::Numeric(y) => (y[row] - said.values[row]).powi(2),
                        secateur::data::Values::Nominal(n) => {
                            let name = &n.levels[n.codes[row] as usize];
                            let class = classes.iter().position(|class| class == name).unwrap();
                            -said.probabilities[row * classes.len() + class].ln()
                        }
                    };
            }
        }
        weight += judge.held.iter().sum::<f64>();
    }
    sums.into_iter().map(|sum| sum / weight).collect()
}

#[test]
fn lambda_has_the_lowest_loss_on_the_folds_of_a_tree_that_rows_do_not_choose() {
    let mut chosen = std::collections::BTreeSet::new();
    for name in TABLES {
        let (table, rows) = (coded(name), builtin::load(name).unwrap());
        let options = FitOptions::default();
        let trees = TreeCache::new(&table, &options).unwrap();
        for text in ["cart:leaf-values=shrink,leaf-cv=5", "cart:leaf-values=shrink,leaf-cv=5/mdl"] {
            if scheme(text).plan(table.task()).is_err() {
                continue;
            }
            let found = fit_in(&trees, &scheme(text), &Silent).unwrap();
            let what = format!("{name} {text}");
            let choice = found.lambda.as_ref().unwrap();
            assert_eq!(LeafValues::Shrink(choice.lambda), found.tree.leaf_values(), "{what}");
            chosen.insert(choice.lambda.to_string());
            let least = choice.losses.iter().map(|l| l.1).fold(f64::INFINITY, f64::min);
            let at = choice.losses.iter().find(|l| l.0 == choice.lambda).unwrap().1;
            assert!(at <= least * (1.0 + 1e-9), "{what}");
            for ((lambda, loss), wanted) in choice.losses.iter().zip(losses(&found, &rows)) {
                assert!((loss - wanted).abs() < 1e-9 * wanted, "{what} λ {lambda}: {loss} {wanted}");
            }
        }
        // Nothing is chosen on rows.
        let fixed = fitted(&trees, "cart:leaf-values=shrink", "cost-complexity:alpha=0.01");
        assert_eq!(fixed.tree.leaf_values(), LeafValues::Shrink(LeafValues::USUAL_LAMBDA));
        assert_eq!(fixed.lambda, None);
    }
    assert!(chosen.len() > 1, "{chosen:?}");
}

#[test]
fn the_estimate_is_that_of_the_tree_that_is_given() {
    for name in TABLES {
        let table = coded(name);
        fits(&table, |trees, pruner| {
            for learner in ["cart:leaf-values=shrink", "cart:leaf-values=m,leaf-m=30"] {
                let found = fitted(trees, learner, pruner);
                let judges = judging_trees(&found).unwrap();
                let (Some(estimate), false) = (&found.estimate, judges.is_empty()) else { continue };
                let id = if table.classes() > 0 { "error" } else { "mse" };
                let errors: Vec<(f64, f64)> = judges
                    .iter()
                    .map(|judge| {
                        assert_eq!(judge.tree.leaf_values(), found.tree.leaf_values());
                        let measured = measure(&judge.tree, &table, &judge.held).unwrap();
                        (measured.get(id).unwrap(), judge.held.iter().sum())
                    })
                    .collect();
                let pooled =
                    errors.iter().map(|(e, w)| e * w).sum::<f64>() / errors.iter().map(|e| e.1).sum::<f64>();
                let mean = errors.iter().map(|e| e.0).sum::<f64>() / errors.len() as f64;
                let wanted =
                    if pruner.starts_with("post") || pruner.starts_with("breadth") { mean } else { pooled };
                assert!(
                    (estimate.apparent() - wanted).abs() < 1e-9 * wanted.max(1e-3),
                    "{name} {learner}/{pruner}: {} {wanted}",
                    estimate.apparent()
                );
            }
        });
    }
}

#[test]
fn folds_of_its_own_choose_for_a_tree_that_no_rows_prune() {
    let table = coded("credit?n=400");
    let options = FitOptions::default();
    for text in ["cart:leaf-values=shrink,leaf-cv=5", "cart:leaf-values=shrink,leaf-cv=5/mdl"] {
        let found = fit(&table, &scheme(text), &options, &Silent).unwrap();
        let choice = found.lambda.unwrap();
        assert_eq!(choice.method, "5-fold cross-validation");
        assert!(found.estimate.unwrap().method.ends_with("adjusted for choosing leaf-lambda"));
        let plain = text.split(":leaf-values=shrink,leaf-cv=5").collect::<String>();
        let raw = fit(&table, &scheme(&plain), &options, &Silent).unwrap();
        assert_eq!(found.tree.with_leaf_values(LeafValues::Raw).unwrap(), raw.tree, "{text}");
    }
    let both = scheme("cart:leaf-values=shrink,leaf-cv=5/cost-complexity:cv=10").plan(table.task());
    assert!(both.err().unwrap().to_string().contains("leaf-cv changes nothing"));
}

#[test]
fn pruning_a_saved_tree_counts_what_was_counted() {
    let table = coded("credit?n=400");
    let full = |learner: &str| fit(&table, &scheme(learner), &FitOptions::default(), &Silent).unwrap().tree;
    let (raw, shrunk) = (full("cart"), full("cart:leaf-values=shrink,leaf-lambda=40"));
    for pruner in
        ["cost-complexity:alpha=0.01", "mdl", "k-norm:k=2", "min-error", "error-based", "pessimistic"]
    {
        let pruned = shrunk.prune(pruner).unwrap();
        assert_eq!(pruned.leaf_values(), LeafValues::Shrink(40.0));
        assert_eq!(pruned.with_leaf_values(LeafValues::Raw).unwrap(), raw.prune(pruner).unwrap(), "{pruner}");
    }
    let (a, b) = (raw.path("cost-complexity").unwrap(), shrunk.path("cost-complexity").unwrap());
    assert_eq!(a.steps, b.steps);
    assert_eq!(b.tree(1).unwrap().leaf_values(), LeafValues::Shrink(40.0));
    // The scheme of a pruned model names its λ: no rows would choose it again.
    let model = Model {
        tree: shrunk,
        scheme: "cart:leaf-values=shrink/cost-complexity:cv=10".into(),
        about: Default::default(),
    };
    let pruned = model.prune("mdl").unwrap();
    assert_eq!(pruned.scheme, "cart:leaf-values=shrink,leaf-lambda=40/mdl");
    assert_eq!(
        pruned.with_leaf_values(LeafValues::M(1.0)).unwrap().scheme,
        "cart:leaf-values=m,leaf-m=1/mdl"
    );
}

#[test]
fn a_saved_model_keeps_its_leaf_values_and_old_files_are_read_as_they_were() {
    let table = builtin::load("credit?n=200").unwrap();
    let tree =
        fit(&coded("credit?n=200"), &scheme("cart/mdl"), &FitOptions::default(), &Silent).unwrap().tree;
    let json = |tree: Tree| {
        let mut text = Vec::new();
        Model { tree, scheme: "cart/mdl".into(), about: Default::default() }.to_json(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    let old = json(tree.clone());
    assert!(old.contains("\"version\": 1,") && !old.contains("leaf_values"));
    for values in ["laplace", "m=2", "m=0.25", "shrink=10", "shrink=0"] {
        let values: LeafValues = values.parse().unwrap();
        let tree = tree.clone().with_leaf_values(values).unwrap();
        let text = json(tree.clone());
        assert!(text.contains("\"version\": 2,"), "{text}");
        let again = Model::from_json("m", text.as_bytes()).unwrap().tree;
        assert_eq!(again, tree);
        let said = |tree: &Tree| Predictor::bind(tree, &table).unwrap().predict();
        assert_eq!(said(&again), said(&tree));
    }
    let text = json(tree.with_leaf_values(LeafValues::Shrink(10.0)).unwrap());
    for (from, to, problem) in [
        ("\"lambda\":10.0", "\"lambda\":-1.0", "from 0 to 1e15"),
        ("\"kind\":\"shrink\"", "\"kind\":\"shrunk\"", "expected raw, laplace"),
        ("\"kind\":\"shrink\"", "\"kind\":\"m\"", "expected raw, laplace"),
        ("{\"kind\":\"shrink\",\"lambda\":10.0}", "{\"kind\":\"m\",\"m\":0}", "above 0"),
        ("{\"kind\":\"shrink\",\"lambda\":10.0}", "7", "leaf_values"),
    ] {
        assert!(text.contains(from), "{from}");
        let found = Model::from_json("m", text.replacen(from, to, 1).as_bytes());
        let told = found.err().map(|e| e.to_string()).unwrap_or_default();
        assert!(
            !told.is_empty() && (told.contains(problem) || problem == "leaf_values"),
            "{from} {to}: {told}"
        );
    }
}
