//! What every pruner promises, over the whole registry: sizes, weights, order of rows, costs, nesting, scoring, errors.

#![allow(clippy::unwrap_used, reason = "in tests it says what failed")]

mod common;

use std::sync::Arc;

use common::*;
use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values, builtin};
use secateur::fit::{FitOptions, Fitted, fit, fit_in, path_of};
use secateur::grow::grow;
use secateur::predict::{Predictions, Predictor, Smoothing};
use secateur::progress::Silent;
use secateur::prune::{Job, PRUNERS, Path, PruneKind, Pruner};
use secateur::route::Loss;
use secateur::route::Routed;
use secateur::schema::Task;
use secateur::schema::{CostEntry, Costs};
use secateur::scheme::Scheme;
use secateur::select::{Average, Curve, Folds, Question, TreeCache, cross_validate, held_out, stop_early};
use secateur::spec::GrowSpec;
use secateur::tree::{NodeId, Tree};

/// Settings that need no rows beyond the grown tree: the answer depends on the counts in it alone.
const FIXED: &[&str] = &[
    "cost-complexity:alpha=0",
    "cost-complexity:alpha=0.01",
    "k-norm",
    "k-norm:k=1",
    "k-norm:k=5,lambda=0.1,eta=0",
    "k-norm:k=4,of=probability",
    "error-based",
    "error-based:cf=0.05,limit=c45",
    "error-based:limit=normal",
    "size-pessimistic",
    "size-pessimistic:c=0.05",
    "pessimistic",
    "min-error",
    "min-error:m=8",
    "mdl",
    "optimal-size:leaves=4",
    "post:splits=3",
    "breadth-first:splits=3",
    "depth-first:splits=4",
    "critical-value:gain=0.02",
];

/// Settings that choose by rows.
const CHOSEN: &[&str] = &[
    "cost-complexity:cv=5,1se",
    "cost-complexity:holdout=0.3,se=0.5",
    "k-norm:cv=5",
    "k-norm:holdout=0.3,1se",
    "k-norm:cv=5,of=probability",
    "error-based:cv=4",
    "error-based:raising",
    "error-based:raising,limit=c45,holdout=0.2",
    "size-pessimistic:raising",
    "size-pessimistic:cv=3,1se",
    "min-error:holdout=0.25",
    "optimal-size:cv=4,1se",
    "post:cv=4,1se",
    "post:holdout=0.3,error=rmse",
    "post:cv=4,error=rmse,fold-average=active",
    "pre:1se",
    "pre:error=rmse",
    "breadth-first:holdout=0.3",
    "depth-first:cv=4",
    "critical-value:holdout=0.3",
    "reduced-error:holdout=0.3",
    "reduced-error:significance=0.1",
    "early-stop:cv=4",
    "early-stop:mse=1",
    "intermediate:holdout=0.25",
];

const SMALL: Shape = Shape { rows: 130, classes: 2, missing: 0.0, weights: false, nominal_values: 4 };

fn scheme(text: &str) -> Scheme {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn pruner_of(scheme: &Scheme) -> &'static Pruner {
    Pruner::of(scheme.pruner.as_ref().unwrap()).unwrap()
}

/// The learner a pruner was made with.
fn learner(pruner: &str) -> &'static str {
    match pruner.split(':').next().unwrap() {
        "post" | "pre" => "best-first",
        "error-based" | "size-pessimistic" | "pessimistic" | "intermediate" => "c45",
        "reduced-error" => "id3",
        _ => "cart",
    }
}

/// Every pruner with its defaults and with the settings above, where made for this kind of target.
fn settings(task: Task) -> Vec<String> {
    let mut all: Vec<String> = PRUNERS.iter().map(|p| p.info.id.to_string()).collect();
    all.extend(FIXED.iter().chain(CHOSEN).map(|s| s.to_string()));
    all.retain(|s| {
        let scheme = scheme(&format!("{}/{s}", learner(s)));
        pruner_of(&scheme).only.fits(task) && scheme.check(task).is_ok()
    });
    all
}

fn fitted(table: &CodedTable, text: &str, options: &FitOptions) -> Fitted {
    fit(table, &scheme(text), options, &Silent).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn problem(table: &CodedTable, text: &str) -> String {
    match text.parse::<Scheme>() {
        Err(e) => e.to_string(),
        Ok(scheme) => match fit(table, &scheme, &FitOptions::default(), &Silent) {
            Err(e) => e.to_string(),
            Ok(_) => panic!("{text} is no problem"),
        },
    }
}

/// The same splits at the same places.
fn assert_same_splits(a: &Tree, b: &Tree, what: &str) {
    assert_eq!(a.nodes().len(), b.nodes().len(), "{what}");
    for (id, (x, y)) in a.nodes().iter().zip(b.nodes()).enumerate() {
        assert_eq!((&x.condition, x.parent), (&y.condition, y.parent), "{what}: node {id}");
        assert_eq!(a.is_classifier().then(|| a.label(id)), b.is_classifier().then(|| b.label(id)), "{what}");
    }
}

/// The table with these rows, in this order, as often as they stand there.
fn picked(table: &Table, rows: &[usize], drop: Option<&str>) -> Table {
    let columns = table.columns().iter().filter(|c| Some(c.name.as_str()) != drop).map(|c| Column {
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

/// The table with other weights.
fn reweighted(table: &Table, weight: impl Fn(f64) -> f64) -> Table {
    let columns = table.columns().iter().map(|c| match (&c.values, c.name.as_str()) {
        (Values::Numeric(v), "w") => {
            Column { name: c.name.clone(), values: Values::Numeric(v.iter().map(|&w| weight(w)).collect()) }
        }
        _ => c.clone(),
    });
    Table::new(table.name(), columns.collect()).unwrap()
}

/// Different costs for different mistakes, all times `scale`.
fn costs(classes: usize, scale: f64) -> Arc<Costs> {
    let names: Vec<String> = (0..classes).map(|j| format!("c{j}")).collect();
    let mut entries = Vec::new();
    for (i, actual) in names.iter().enumerate() {
        for (j, predicted) in names.iter().enumerate().filter(|(j, _)| *j != i) {
            let cost = scale * (1.0 + ((2 * i + j) % 4) as f64);
            entries.push(CostEntry { actual: actual.clone(), predicted: predicted.clone(), cost });
        }
    }
    Arc::new(Costs::new(&names, &entries).unwrap())
}

fn with_costs(costs: Arc<Costs>) -> FitOptions {
    FitOptions { costs: Some(costs), ..FitOptions::default() }
}

// 1. Sizes, weights, order, costs.

#[test]
fn pruning_never_adds_leaves() {
    let weighted = |shape: Shape| reweighted(&random_table(shape, 5), |w| w / 4.0 + 0.3);
    let tables = [
        random_table(SMALL, 1),
        random_table(Shape { classes: 5, rows: 220, ..SMALL }, 2),
        random_table(Shape { missing: 0.15, ..SMALL }, 3),
        random_table(Shape { classes: 0, ..SMALL }, 4),
        weighted(Shape { missing: 0.1, weights: true, classes: 3, ..SMALL }),
        weighted(Shape { missing: 0.1, weights: true, classes: 0, ..SMALL }),
    ];
    for (i, table) in tables.iter().enumerate() {
        let table = coded(table);
        for setting in settings(table.task()) {
            let text = format!("{}/{setting}", learner(&setting));
            let fitted = fitted(&table, &text, &FitOptions::default());
            assert!(fitted.tree.size().leaves <= fitted.full.leaves, "{text} on table {i}");
            assert!(fitted.full.leaves > 1 || setting.starts_with("pre"), "{text} on table {i}");
            if let Some(estimate) = &fitted.estimate {
                assert!(estimate.error >= 0.0 && estimate.se >= 0.0, "{text} on table {i}: {estimate:?}");
                assert!(estimate.error <= 1.0 || table.classes() == 0, "{text} on table {i}: {estimate:?}");
            }
            if let Some(path) = &fitted.path {
                let chosen = &path.steps[path.selected.unwrap()];
                assert_eq!(chosen.leaves, fitted.tree.leaves(), "{text} on table {i}");
                assert_eq!(chosen.nodes, fitted.tree.nodes().len(), "{text} on table {i}");
                let error = fitted.tree.training_error();
                assert!((chosen.training_error - error).abs() < 1e-9, "{text} on table {i}");
            }
        }
    }
}

#[test]
fn every_learner_goes_with_every_pruner() {
    for classes in [0, 3] {
        let table = coded(&random_table(Shape { classes, missing: 0.05, rows: 90, ..SMALL }, 11));
        for pruner in PRUNERS.iter().filter(|p| p.only.fits(task_of(classes))) {
            for learner in ["cart", "best-first", "c45", "id3"] {
                let fitted = fitted(&table, &format!("{learner}/{}", pruner.info.id), &FitOptions::default());
                assert!(fitted.tree.size().leaves <= fitted.full.leaves);
            }
        }
    }
}

#[test]
fn a_single_leaf_stays() {
    // All rows of one class, with and without another class by name; all targets equal; nothing to split on.
    let table = random_table(SMALL, 1);
    let rows: Vec<usize> = (0..table.rows()).collect();
    let constant = |values: Values| {
        let mut columns = picked(&table, &rows, Some("y")).into_columns();
        columns.push(Column { name: "y".into(), values });
        coded(&Table::new("constant", columns).unwrap())
    };
    let levels = |names: &[&str]| names.iter().map(|n| n.to_string()).collect();
    let codes = vec![0; table.rows()];
    let tables = [
        constant(Values::Nominal(Nominal { levels: levels(&["c0"]), codes: codes.clone() })),
        constant(Values::Nominal(Nominal { levels: levels(&["c0", "c1"]), codes })),
        constant(Values::Numeric(vec![2.5; table.rows()])),
    ];
    for (i, table) in tables.iter().enumerate() {
        for setting in settings(table.task()) {
            let text = format!("{}/{setting}", learner(&setting));
            let fitted = fitted(table, &text, &FitOptions::default());
            assert_eq!((fitted.full.leaves, fitted.tree.nodes().len()), (1, 1), "{text} on table {i}");
            assert!(fitted.estimate.is_none_or(|e| e.error == 0.0), "{text} on table {i}");
        }
    }
}

#[test]
fn one_row_is_a_leaf_or_too_few() {
    let one = |classes| coded(&picked(&random_table(Shape { classes, ..SMALL }, 1), &[3], None));
    for table in [one(2), one(0)] {
        for setting in settings(table.task()) {
            let text = format!("{}/{setting}", learner(&setting));
            match fit(&table, &scheme(&text), &FitOptions::default(), &Silent) {
                Ok(fitted) => assert_eq!(fitted.tree.nodes().len(), 1, "{text}"),
                Err(problem) => {
                    let problem = problem.to_string();
                    assert!(!FIXED.contains(&setting.as_str()), "{text}: {problem}");
                    let folds = problem.contains("folds of 1 rows: expected at least 2 folds and no more");
                    assert!(folds || problem.contains("holds out none; hold out more"), "{text}: {problem}");
                }
            }
        }
    }
}

#[test]
fn integer_weights_are_repeated_rows() {
    for (classes, missing, seed) in [(2, 0.0, 21), (5, 0.1, 22), (0, 0.0, 23), (3, 0.05, 24)] {
        let table = random_table(Shape { classes, missing, weights: true, ..SMALL }, seed);
        let times = plain(&table).weights;
        let rows: Vec<usize> =
            (0..table.rows()).flat_map(|row| std::iter::repeat_n(row, times[row] as usize)).collect();
        let (weighted, repeated) = (coded(&table), coded(&picked(&table, &rows, Some("w"))));
        for setting in FIXED.iter().chain(&["error-based:raising", "size-pessimistic:c=0.05,raising"]) {
            if !settings(task_of(classes)).contains(&setting.to_string()) && !setting.ends_with("raising") {
                continue;
            }
            if classes == 0 && setting.ends_with("raising") {
                continue;
            }
            // Limits count rows: here no branch can miss them, so both tables give the same tree.
            let text = format!("cart:min-leaf=0,min-split=0/{setting}");
            let a = fitted(&weighted, &text, &FitOptions::default());
            let b = fitted(&repeated, &text, &FitOptions::default());
            assert_eq!(a.full, b.full, "{text}");
            assert_same_splits(&a.tree, &b.tree, &text);
        }
    }
}

#[test]
fn the_unit_of_weights_is_irrelevant_to_the_order_of_errors() {
    // Growing counts rows for its limits. Pruners that add to counts take a weight of 0.7 for less evidence; error rates do not
    // change.
    for seed in 0..12 {
        let table = random_table(Shape { classes: 3, missing: 0.15, weights: true, ..SMALL }, 300 + seed);
        let (once, less) = (coded(&table), coded(&reweighted(&table, |w| 0.7 * w)));
        for pruner in [
            "pre",
            "post",
            "cost-complexity",
            "cost-complexity:holdout=0.3",
            "reduced-error",
            "intermediate",
            "optimal-size:holdout=0.3",
            "critical-value",
        ] {
            let options = FitOptions { seed, ..FitOptions::default() };
            let a = fitted(&once, &format!("best-first/{pruner}"), &options);
            let b = fitted(&less, &format!("best-first/{pruner}"), &options);
            assert_eq!(a.full, b.full, "{pruner}, seed {seed}");
            assert_same_splits(&a.tree, &b.tree, &format!("{pruner}, seed {seed}"));
        }
    }
}

#[test]
fn the_order_of_rows_is_irrelevant_without_chance() {
    use rand::RngExt;
    for (classes, missing, seed) in [(2, 0.0, 31), (4, 0.1, 32), (0, 0.1, 33)] {
        let table = random_table(Shape { classes, missing, ..SMALL }, seed);
        let mut rng = rng(seed);
        let mut rows: Vec<usize> = (0..table.rows()).collect();
        for i in (1..rows.len()).rev() {
            rows.swap(i, rng.random_range(0..=i));
        }
        let (a, b) = (coded(&table), coded(&picked(&table, &rows, None)));
        for setting in FIXED.iter().filter(|s| settings(task_of(classes)).contains(&s.to_string())) {
            let text = format!("{}/{setting}", learner(setting));
            let (a, b) =
                (fitted(&a, &text, &FitOptions::default()), fitted(&b, &text, &FitOptions::default()));
            assert_eq!(a.full, b.full, "{text}");
            assert_same_splits(&a.tree, &b.tree, &text);
        }
    }
}

#[test]
fn the_unit_of_costs_is_irrelevant() {
    for (classes, missing, seed) in [(2, 0.0, 41), (3, 0.1, 42), (5, 0.0, 43)] {
        let table = coded(&random_table(Shape { classes, missing, ..SMALL }, seed));
        let mut different = 0;
        for setting in settings(Task::Classification) {
            let text = format!("{}/{setting}", learner(&setting));
            let once = fitted(&table, &text, &with_costs(costs(classes, 1.0)));
            // The price of a leaf has the unit of the costs.
            let dear = text.replace("alpha=0.01", "alpha=0.07");
            let more = fitted(&table, &dear, &with_costs(costs(classes, 7.0)));
            assert_eq!(more.tree.costs(), Some(&costs(classes, 7.0)), "{text}");
            assert_same_splits(&once.tree, &more.tree, &text);
            if let (Some(a), Some(b)) = (once.estimate, more.estimate)
                && !setting.contains("rmse")
            {
                assert!((7.0 * a.error - b.error).abs() < 1e-9 && (7.0 * a.se - b.se).abs() < 1e-9, "{text}");
            }
            let plain = fitted(&table, &text, &FitOptions::default());
            different += usize::from(plain.tree != more.tree.clone().with_costs(None).unwrap());
        }
        assert!(different > 5, "costs matter to some");
    }
}

#[test]
fn costs_of_one_are_errors() {
    let names: Vec<String> = (0..3).map(|j| format!("c{j}")).collect();
    let ones = Arc::new(Costs::new(&names, &[]).unwrap());
    let table = coded(&random_table(Shape { classes: 3, missing: 0.05, ..SMALL }, 51));
    for setting in settings(Task::Classification) {
        let text = format!("{}/{setting}", learner(&setting));
        let a = fitted(&table, &text, &FitOptions::default());
        let b = fitted(&table, &text, &with_costs(ones.clone()));
        assert_same_splits(&a.tree, &b.tree, &text);
        if let (Some(a), Some(b)) = (a.estimate, b.estimate) {
            assert!((a.error - b.error).abs() < 1e-9 && (a.se - b.se).abs() < 1e-9, "{text}: {a:?} {b:?}");
        }
    }
}

// 2. Paths.

/// Every pruner with a path on some trees.
fn each_path(mut look: impl FnMut(&str, &Pruner, &Job, &Path)) {
    for (classes, missing, seed) in [(2, 0.0, 61), (3, 0.15, 62), (0, 0.1, 63), (5, 0.0, 64), (2, 0.2, 65)] {
        let coded = coded(&random_table(Shape { classes, missing, weights: true, ..SMALL }, seed));
        for pruner in PRUNERS.iter().filter(|p| p.only.fits(task_of(classes)) && p.parameter().is_some()) {
            let text = format!("{}/{}", learner(pruner.info.id), pruner.info.id);
            let scheme = scheme(&text);
            let full = grow(&coded, &scheme.grow_spec(task_of(classes)).unwrap(), &Silent).unwrap();
            let trees = match classes {
                0 => vec![full],
                _ => vec![full.clone().with_costs(Some(costs(classes, 1.0))).unwrap(), full],
            };
            for tree in trees {
                let job = Job::new(&tree, scheme.pruner.as_ref().unwrap());
                look(&text, pruner, &job, &pruner.path(&job).unwrap());
            }
        }
    }
}

/// The nodes that a cut keeps.
fn kept(tree: &Tree, leaf: &[bool]) -> Vec<NodeId> {
    let mut kept = vec![true; leaf.len()];
    for id in 1..leaf.len() {
        let above = tree.node(id).parent.unwrap() as usize;
        kept[id] = kept[above] && !leaf[above];
    }
    (0..leaf.len()).filter(|&id| kept[id]).collect()
}

#[test]
fn nested_paths_are_nested() {
    let mut seen = 0;
    each_path(|text, pruner, job, path| {
        assert_eq!(
            path.is_nested(),
            matches!(pruner.kind, PruneKind::Nested { .. } | PruneKind::Order(_)),
            "{text}"
        );
        if !path.is_nested() {
            return;
        }
        let falls = matches!(pruner.kind, PruneKind::Order(_));
        assert!(path.parameters().is_sorted_by(|a, b| if falls { a > b } else { a < b }), "{text}");
        let members: Vec<Vec<bool>> = path.parameters().iter().map(|&p| path.cut(p)).collect();
        for (i, pair) in members.windows(2).enumerate() {
            let (large, small) = (&pair[0], &pair[1]);
            assert!(large.iter().zip(small).all(|(l, s)| !l || *s), "{text}: member {i}");
            assert!(job.tree.cut(small).leaves() < job.tree.cut(large).leaves(), "{text}: member {i}");
            // The smaller member is a pruned version of the larger one: cutting that gives it.
            let member = job.tree.cut(large);
            let kept: Vec<NodeId> = kept(job.tree, large);
            let again: Vec<bool> = kept.iter().map(|&id| small[id]).collect();
            assert_same_splits(&member.cut(&again), &job.tree.cut(small), text);
        }
        // One parameter at a time says the same, at the members and between them. Not for k-norm with costs, where a split
        // may pay again at a larger k: there the members are pruned one from the other.
        if pruner.info.id == "k-norm" && job.tree.costs().is_some() {
            seen += members.len();
            return;
        }
        let ends = path.parameters().windows(2).map(|p| f64::midpoint(p[0], p[1]));
        for parameter in path.parameters().iter().copied().chain(ends) {
            let direct = pruner.cut_at(job, parameter).unwrap();
            assert_same_splits(&job.tree.cut(&path.cut(parameter)), &job.tree.cut(&direct), text);
        }
        seen += members.len();
    });
    assert!(seen > 100);
}

/// The last member of k-norm's path may keep splits that outlast every k; its error is that of the folds' last members.
#[test]
fn a_last_member_with_splits_has_its_error() {
    let table = load("iris");
    let path = path_of(&table, &scheme("cart/k-norm:lambda=0.5"), Some(10), &FitOptions::default(), &Silent);
    let last = path.unwrap().steps.pop().unwrap();
    assert_eq!(last.leaves, 2);
    assert!(last.validated.unwrap().0 > 0.3, "{last:?}");
}

#[test]
fn pruning_again_changes_nothing() {
    // Not for all. `pessimistic` judges a node by the leaves of the full subtree, so a smaller subtree is judged anew. The
    // others compare a node with what is left below it, or keep a given number of splits or leaves; the heuristic of
    // `k-norm` counts the leaves of the tree that was grown, which a pruned one still knows.
    for (classes, missing, seed) in [(2, 0.0, 71), (3, 0.1, 72), (0, 0.1, 73), (5, 0.0, 74)] {
        let table = coded(&random_table(Shape { classes, missing, rows: 200, ..SMALL }, seed));
        for setting in FIXED.iter().chain(&["k-norm:lambda=0.05", "error-based:cf=0.5", "min-error:m=0.5"]) {
            let text = format!("{}/{setting}", learner(setting));
            let scheme = scheme(&text);
            let (pruner, method) = (pruner_of(&scheme), scheme.pruner.as_ref().unwrap());
            if *setting == "pessimistic" || !pruner.only.fits(task_of(classes)) {
                continue;
            }
            let full = grow(&table, &scheme.grow_spec(task_of(classes)).unwrap(), &Silent).unwrap();
            for costs in [None, (classes > 0).then(|| costs(classes, 1.0))] {
                let what = format!("{text}, {classes} classes, costs: {}", costs.is_some());
                let once = fitted(&table, &text, &FitOptions { costs, ..FitOptions::default() }).tree;
                let job = Job::new(&once, method);
                let number = pruner.parameter().and_then(|p| job.number(p.name));
                let leaf = match (&pruner.kind, number) {
                    (PruneKind::Cut(cut), _) => cut(&job).unwrap(),
                    (_, Some(p)) => pruner.cut_at(&job, p).unwrap(),
                    _ => unreachable!("{text}"),
                };
                assert_same_splits(&once.cut(&leaf), &once, &what);
                assert_eq!(once.full_leaves(), full.leaves(), "{what}");
            }
        }
    }
}

// 3. All members at once.

/// The cost of a row of a class, or of a number, at a node.
fn loss_at(tree: &Tree, node: NodeId, y: f64) -> f64 {
    if !tree.is_classifier() {
        return (tree.value(node) - y).powi(2);
    }
    match tree.costs() {
        Some(costs) => costs.cost(y as usize, tree.label(node)),
        None => f64::from(u8::from(tree.label(node) != y as usize)),
    }
}

#[test]
fn one_routing_scores_every_member() {
    each_path(|text, _, job, path| {
        let tree = job.tree;
        // New rows: other values, other gaps.
        let classes = tree.schema().target.classes().len();
        let new = random_table(Shape { classes, missing: 0.2, weights: true, rows: 80, ..SMALL }, 99);
        let (rows, coded) = (plain(&new), coded(&new));
        // Numbers have codes of their own in every table, but conditions compare values.
        let routed = Routed::apart(tree, &coded, None).unwrap();
        let (sums, _) = path.losses(&routed, tree, &coded, path.parameters(), Loss::Risk);
        let in_parts = Routed::new(tree, &coded, None).unwrap();
        let (parts, _) = path.losses(&in_parts, tree, &coded, path.parameters(), Loss::Risk);
        for (i, &parameter) in path.parameters().iter().enumerate() {
            let member = tree.cut(&path.cut(parameter));
            let predictor = Predictor::bind(&member, &new).unwrap();
            let predictions = predictor.predict(Smoothing::Raw);
            let (mut by_rows, mut by_parts) = (0.0, 0.0);
            for row in 0..new.rows() {
                by_rows += rows.weights[row] * loss_of(&member, &predictions, row, rows.y[row]);
                for (leaf, share) in predictor.leaf_weights(row) {
                    by_parts += rows.weights[row] * share * loss_at(&member, leaf, rows.y[row]);
                }
            }
            for (sum, want) in [(sums[i], by_rows), (parts[i], by_parts)] {
                assert!((sum - want).abs() < 1e-9 * want.max(1.0), "{text}: member {i} has {sum} and {want}");
            }
        }
    });
}

/// What a row costs as it is predicted.
fn loss_of(tree: &Tree, predictions: &Predictions, row: usize, y: f64) -> f64 {
    if !tree.is_classifier() {
        return (predictions.values[row] - y).powi(2);
    }
    let label = predictions.labels[row] as usize;
    match tree.costs() {
        Some(costs) => costs.cost(y as usize, label),
        None => f64::from(u8::from(label != y as usize)),
    }
}

#[test]
fn a_held_out_part_gives_error_and_standard_error() {
    // The estimate of the chosen member, from its predictions for the rows held out, one by one.
    for (classes, setting, seed) in [
        (3, "cost-complexity:holdout=0.3,1se", 101),
        (3, "post:holdout=0.3,error=rmse,1se", 102),
        (2, "k-norm:holdout=0.4", 103),
        (0, "cost-complexity:holdout=0.3,1se", 104),
        (0, "early-stop:holdout=0.3", 105),
        (0, "breadth-first:holdout=0.3,se=0.5", 106),
    ] {
        let table = random_table(Shape { classes, missing: 0.1, weights: true, rows: 200, ..SMALL }, seed);
        let (rows, coded) = (plain(&table), coded(&table));
        let text = format!("cart/{setting}");
        for options in [None, (classes > 0).then(|| costs(classes, 1.0))] {
            let options = FitOptions { costs: options, ..FitOptions::default() };
            let fitted = fitted(&coded, &text, &options);
            let tree = &fitted.tree;
            let (_, held) = held_out(&coded, None, if text.contains("0.4") { 0.4 } else { 0.3 }, 1).unwrap();
            let predictions = Predictor::bind(tree, &table).unwrap().predict(Smoothing::Raw);
            let (mut sum, mut squares, mut weight) = (0.0, 0.0, 0.0);
            for row in (0..table.rows()).filter(|&row| held[row] > 0.0) {
                weight += held[row];
                let loss = if text.contains("rmse") {
                    let p = &predictions.probabilities[row * classes..][..classes];
                    let off = |j: usize| f64::from(u8::from(rows.y[row] == j as f64)) - p[j];
                    (0..classes).map(|j| off(j).powi(2)).sum::<f64>() / classes as f64
                } else {
                    loss_of(tree, &predictions, row, rows.y[row])
                };
                sum += held[row] * loss;
                squares += held[row] * loss * loss;
            }
            let (mut error, mut square) = (sum / weight, squares / weight);
            if text.contains("rmse") {
                (error, square) = (error.sqrt(), error.sqrt());
            }
            let se = ((square - error * error) / weight).sqrt();
            let estimate = fitted.estimate.unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b.max(1.0);
            assert!(near(estimate.error, error), "{text}: {estimate:?} {error}");
            assert!(near(estimate.se, se), "{text}: {estimate:?} {se}");
            assert!(se > 0.0);
        }
    }
}

// 4. Costs by hand.

#[test]
fn the_cross_validated_cost_of_the_root_by_hand() {
    for (classes, seed) in [(2, 81), (3, 82), (5, 83)] {
        let table = random_table(Shape { classes, rows: 157, weights: true, ..SMALL }, seed);
        let (rows, coded) = (plain(&table), coded(&table));
        let costs = costs(classes, 1.0);
        let options = FitOptions { seed, ..with_costs(costs.clone()) };
        let path = path_of(&coded, &scheme("cart/cost-complexity"), Some(10), &options, &Silent).unwrap();
        let folds = Folds::stratified(&coded, None, 10, seed).unwrap();
        let (mut cost, mut square, mut all) = (0.0, 0.0, 0.0);
        for fold in 0..10 {
            let (train, held) = folds.weights(&coded, None, fold);
            let mut counts = vec![0.0; classes];
            (0..table.rows()).for_each(|row| counts[rows.y[row] as usize] += train[row]);
            let risk = |label: usize| (0..classes).map(|j| counts[j] * costs.cost(j, label)).sum::<f64>();
            let label = (0..classes).rev().min_by(|&a, &b| risk(a).total_cmp(&risk(b)).then(b.cmp(&a)));
            #[allow(clippy::needless_range_loop, reason = "three lists are read by row")]
            for row in 0..table.rows() {
                let one = costs.cost(rows.y[row] as usize, label.unwrap());
                cost += held[row] * one;
                square += held[row] * one * one;
                all += held[row];
            }
        }
        assert!((all - rows.weights.iter().sum::<f64>()).abs() < 1e-9);
        let mean = cost / all;
        let se = ((square / all - mean * mean) / all).sqrt();
        let root = path.steps.last().unwrap();
        assert_eq!(root.leaves, 1);
        let (error, error_se) = root.validated.unwrap();
        assert!((error - mean).abs() < 1e-12, "{error} {mean}");
        assert!((error_se - se).abs() < 1e-12, "{error_se} {se}");
    }
}

// 5. Shi's choices.

#[test]
fn the_choices_of_shi_tables_2_2_and_2_3() {
    // H. Shi (2007), Best-first Decision Tree Learning, Tables 2.2 (least error) and 2.3 (1SE rule): balance-scale, the
    // sixteen members of the cost-complexity sequence under ten-fold cross-validation with two seeds.
    let sizes = || (0..16).map(|member| 16 - member).collect();
    let first = Curve::new(
        vec![
            0.2291, 0.2292, 0.2260, 0.2178, 0.21629, 0.2195, 0.21628, 0.2322, 0.2548, 0.2692, 0.2836, 0.2868,
            0.3317, 0.3429, 0.4134, 0.5433,
        ],
        vec![
            0.0168, 0.0168, 0.0167, 0.0165, 0.0165, 0.0166, 0.0165, 0.0169, 0.0174, 0.0177, 0.0180, 0.0181,
            0.0188, 0.0190, 0.0197, 0.0199,
        ],
        sizes(),
    )
    .unwrap();
    let second = Curve::new(
        vec![
            0.2116, 0.2100, 0.2148, 0.2164, 0.2164, 0.2131, 0.2163, 0.2340, 0.2483, 0.2708, 0.2804, 0.3013,
            0.3413, 0.3541, 0.4134, 0.5417,
        ],
        vec![
            0.0163, 0.0163, 0.0164, 0.0165, 0.0165, 0.0164, 0.0165, 0.0169, 0.0173, 0.0178, 0.0180, 0.0184,
            0.0190, 0.0191, 0.0197, 0.0199,
        ],
        sizes(),
    )
    .unwrap();
    // Members are numbered from 1 there: 7 and 8, 2 and 7.
    assert_eq!((first.choose(0.0), first.choose(1.0)), (6, 7));
    assert_eq!((second.choose(0.0), second.choose(1.0)), (1, 6));
    // The printed standard errors are the binomial ones of 625 rows.
    for (error, se) in first.errors().iter().zip(first.se()).chain(second.errors().iter().zip(second.se())) {
        assert!(((error * (1.0 - error) / 625.0).sqrt() - se).abs() < 1e-4, "{error} {se}");
    }
}

// 6. Errors.

#[test]
fn bad_parameters_are_explained() {
    let classes = coded(&random_table(SMALL, 1));
    let numbers = coded(&random_table(Shape { classes: 0, ..SMALL }, 1));
    let few = coded(&picked(&random_table(SMALL, 1), &(0..7).collect::<Vec<_>>(), None));
    let says = |table: &CodedTable, text: &str, words: &[&str]| {
        let problem = problem(table, text);
        assert!(words.iter().all(|w| problem.contains(w)), "{text}: {problem}");
    };
    for pruner in PRUNERS {
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

// 7. Pre-pruning.

fn load(name: &str) -> CodedTable {
    CodedTable::new(&builtin::load(name).unwrap(), &Roles::default()).unwrap()
}

#[test]
fn pre_pruning_sees_the_curve_of_post_pruning() {
    let random = |shape, seed| coded(&random_table(shape, seed));
    let tables = [
        load("iris"),
        load("credit"),
        load("g6c15?n=214&seed=2"),
        random(Shape { classes: 5, missing: 0.1, rows: 214, weights: true, ..SMALL }, 91),
    ];
    let scheme = scheme("best-first/post");
    let (method, pruner) = (scheme.pruner.as_ref().unwrap(), pruner_of(&scheme));
    for (i, table) in tables.iter().enumerate() {
        let spec = GrowSpec::best_first(Task::Classification);
        let costs = (i == 3).then(|| costs(5, 1.0));
        for (loss, average, costs) in [
            (Loss::Risk, Average::Folds, None),
            (Loss::Risk, Average::ActiveFolds, None),
            (Loss::Probabilities, Average::Folds, None),
            (Loss::Risk, Average::Folds, costs.as_ref()),
        ] {
            let options = FitOptions { seed: 1 + i as u64, costs: costs.cloned(), ..FitOptions::default() };
            let tree_cache = &TreeCache::new(table, &options).unwrap();
            let question = Question { tree_cache, spec: &spec, pruner, method, folds: 10, loss, average };
            let post = cross_validate(&question, None, &Silent).unwrap();
            let parameters = &post.parameters;
            for one_se in [false, true] {
                let rule = (loss, average, one_se);
                let pre = stop_early(tree_cache, &spec, 10, rule, &Silent).unwrap();
                let seen = pre.curve.errors().len();
                assert!(pre.splits < seen && seen <= parameters.len(), "table {i}");
                for n in 0..seen {
                    let at = parameters.iter().position(|p| *p == n as f64).unwrap();
                    let (a, b) = (pre.curve.errors()[n], post.errors[at]);
                    assert!((a - b).abs() < 1e-12, "table {i}, {loss:?} {average:?}, {n} splits: {a} {b}");
                    let (a, b) = (pre.curve.se()[n], post.se[at]);
                    assert!((a - b).abs() < 1e-12, "table {i}, {loss:?} {average:?}, {n} splits: se {a} {b}");
                }
                // The rule, on the curve as it was seen.
                let errors = pre.curve.errors();
                if !one_se {
                    let rise = errors.windows(2).position(|p| p[1] > p[0] + 1e-12);
                    assert_eq!(rise.unwrap_or(seen - 1), pre.splits, "table {i}");
                    assert!(
                        rise.is_none_or(|r| r + 2 == seen),
                        "table {i}: nothing is grown beyond the rise"
                    );
                }
            }
        }
    }
}

#[test]
fn pre_pruning_stops_at_a_rise_and_not_at_the_last_digit() {
    // With parts of rows the same error is summed up in several ways.
    let scheme = scheme("best-first/post");
    let (method, pruner) = (scheme.pruner.as_ref().unwrap(), pruner_of(&scheme));
    let (loss, average, spec) = (Loss::Risk, Average::Folds, GrowSpec::best_first(Task::Classification));
    for seed in 0..400 {
        let shape = Shape { missing: 0.3, weights: true, rows: 40, ..SMALL };
        let table = &coded(&reweighted(&random_table(shape, 400 + seed), |w| 0.3 * w + 0.7));
        let options = FitOptions { seed, ..FitOptions::default() };
        let tree_cache = &TreeCache::new(table, &options).unwrap();
        let question = Question { tree_cache, spec: &spec, pruner, method, folds: 2, loss, average };
        let post = cross_validate(&question, None, &Silent).unwrap();
        let errors: Vec<f64> = post.errors.iter().rev().copied().collect();
        let rise = errors.windows(2).position(|p| p[1] > p[0] + 1e-12).unwrap_or(errors.len() - 1);
        let pre = stop_early(tree_cache, &spec, 2, (loss, average, false), &Silent).unwrap();
        assert_eq!(pre.splits, rise, "seed {seed}: {:?} {:?}", pre.curve.errors(), &errors[..rise + 2]);
    }
}

#[test]
fn pre_pruning_stops_early() {
    for name in ["iris", "credit", "g6c15?n=214&seed=2", "waveform-21?n=200"] {
        let table = load(name);
        for options in ["", ":1se", ":error=rmse"] {
            let pre = fitted(&table, &format!("best-first/pre{options}"), &FitOptions::default()).tree;
            let full = fitted(&table, "best-first", &FitOptions::default()).tree;
            assert!(pre.leaves() <= full.leaves(), "{name}");
            // It is the beginning of the full tree.
            let splits = pre.nodes().iter().filter(|n| n.condition.is_some()).count();
            let begun = fitted(&table, &format!("best-first/post:splits={splits}"), &FitOptions::default());
            assert_same_splits(&pre, &begun.tree, name);
        }
    }
}

// 8. Mansour's data.

#[test]
fn mansour_finds_the_tree_of_one_split() {
    // Section 4: 100 attributes, only the first says anything. The tree of three nodes is the best one.
    let table = load("mansour");
    let nodes = |pruner: &str| {
        let tree = fitted(&table, &format!("c45/{pruner}"), &FitOptions::default()).tree;
        (tree.nodes().len(), tree.node(0).condition.as_ref().map(|c| c.attribute()))
    };
    assert_eq!(nodes("size-pessimistic:c=0.5"), (3, Some(0)));
    assert_eq!(nodes("size-pessimistic:c=0.7"), (3, Some(0)));
    let error_based = nodes("error-based:cf=0.25").0;
    assert!(error_based > 300, "{error_based}");
}

// 9. Trees shared by schemes.

#[test]
fn schemes_that_share_their_trees_fit_as_they_do_alone() {
    let schemes = [
        "best-first/post",
        "best-first/post:1se",
        "best-first/pre",
        "best-first/pre:1se,error=rmse",
        "best-first/cost-complexity:cv=10,1se",
        "best-first/k-norm:k=2",
        "best-first/reduced-error:holdout=0.2",
        "best-first/error-based:holdout=0.2",
        "c45/tuned:cv=3",
    ];
    for name in ["iris", "credit", "g6c15?n=214&seed=2"] {
        let table = load(name);
        // A training part: two of three rows.
        let weights = (0..table.rows()).map(|row| f64::from(u8::from(row % 3 > 0))).collect();
        let options = FitOptions { seed: 5, weights: Some(weights), ..FitOptions::default() };
        let mut tree_cache = TreeCache::new(&table, &options).unwrap();
        tree_cache.expect(&GrowSpec::best_first(Task::Classification), 10);
        for text in schemes {
            let alone = fit(&table, &scheme(text), &options, &Silent).unwrap();
            let shared = fit_in(&tree_cache, &scheme(text), &Silent).unwrap();
            assert_eq!(alone.tree, shared.tree, "{name} {text}");
            assert_eq!(alone.path, shared.path, "{name} {text}");
            let errors = |f: &Fitted| f.estimate.as_ref().map_or((0.0, 0.0), |e| (e.error, e.se));
            let ((a, b), (c, d)) = (errors(&alone), errors(&shared));
            assert!((a - c).abs() < 1e-12 && (b - d).abs() < 1e-12, "{name} {text}");
        }
        // One full tree, ten fold trees, one without held-out rows; and the tuner's own.
        let own = tree_cache.grown();
        let tuned = TreeCache::new(&table, &options).unwrap();
        fit_in(&tuned, &scheme("c45/tuned:cv=3"), &Silent).unwrap();
        assert_eq!(own - tuned.grown(), 12, "{name}");
    }
}

#[test]
fn the_tuner_ends_where_no_neighbour_is_better() {
    for name in ["credit", "monks-1", "g6c15?n=214&seed=2"] {
        let (table, rows) = (load(name), builtin::load(name).unwrap());
        let actual = plain(&rows).y;
        let tuned = fitted(&table, "c45/tuned", &FitOptions::default());
        let estimate = tuned.estimate.unwrap();
        let number = |name: &str| -> f64 {
            let rest = estimate.method.split(name).nth(1).unwrap();
            rest.split([' ', ')']).next().unwrap().parse().unwrap()
        };
        let (leaf, cf) = (number("min-leaf="), number("cf="));
        let at = |leaf: f64, cf: f64| {
            // The same cross-validation, one member at a time.
            let folds = Folds::stratified(&table, None, 10, 1).unwrap();
            let (mut wrong, mut all) = (0.0, 0.0);
            for fold in 0..10 {
                let (grow, held) = folds.weights(&table, None, fold);
                let options = FitOptions { weights: Some(grow), ..FitOptions::default() };
                let tree = fitted(&table, &format!("c45:min-leaf={leaf}/error-based:cf={cf}"), &options).tree;
                let predictions = Predictor::bind(&tree, &rows).unwrap().predict(Smoothing::Raw);
                for row in (0..held.len()).filter(|&row| held[row] > 0.0) {
                    wrong += held[row] * loss_of(&tree, &predictions, row, actual[row]);
                }
                all += held.iter().sum::<f64>();
            }
            wrong / all
        };
        assert!((at(leaf, cf) - estimate.error).abs() < 1e-9, "{name}");
        for (dl, dc) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 0.05), (0.0, -0.05)] {
            let (l, c) = (leaf + dl, ((cf + dc) * 1e9).round() / 1e9);
            if l >= 1.0 && c > 1e-6 && c <= 1.0 {
                assert!(at(l, c) >= estimate.error - 1e-9, "{name} {l} {c}");
            }
        }
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
