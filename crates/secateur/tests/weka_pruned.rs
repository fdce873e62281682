//! Trees that SimpleCart and BFTree chose by their internal cross-validation, on the same folds (`conformance/weka_pruned.csv`).
//! Where an answer differs, both are pinned here, with the reason. The data are not part of the project: without them the
//! test is skipped.

use crate::weka_folds::weka_folds;
use secateur::data::{CodedTable, CodedTarget, ReadOptions, Roles, read};
use secateur::fit::{FitOptions, fit};
use secateur::predict::Predictor;
use secateur::progress::Silent;
use secateur::training::Folds;
use secateur_testing::data;

/// The scheme of a learner with its options, and the number of folds. BFTree averages over the folds that still grow.
fn scheme(learner: &str, options: &str) -> (String, usize) {
    let words: Vec<&str> = options.split(' ').collect();
    let after = |option: &str| words.iter().position(|w| *w == option).map(|at| words[at + 1]).unwrap();
    let node = format!("min-leaf-rule=node,min-leaf={},min-split=4", after("-M"));
    let folds: usize = after("-N").parse().unwrap();
    let one_se = if words.contains(&"-A") { ",1se" } else { "" };
    let text = if learner == "SimpleCart" {
        format!("cart:{node}/cost-complexity:cv={folds}{one_se}")
    } else {
        let pruner = if after("-P") == "POSTPRUNED" { "post" } else { "pre" };
        let error = if words.contains(&"-R") { ",error=rmse" } else { "" };
        format!("best-first:{node}/{pruner}:cv={folds}{one_se},fold-average=active{error}")
    };
    (text, folds)
}

/// BFTree rounds gains to seven decimals and thresholds to five: some splits of the tree of all rows differ.
const ROUNDED: &str = "rounded";
/// The unpruned trees differ already: 48 leaves, and 28 errors in BFTree, 29 here. The split was not found.
const UNPRUNED: &str = "unpruned";
/// SimpleCart lets nodes that share an alpha fall one by one, and took a tree in between.
const ONE_BY_ONE: &str = "one by one";
/// SimpleCart took another member; how it averages its folds is open.
const OPEN: &str = "open";

/// Where we differ: leaves and training errors of ours (Weka's are in the file), and why.
const DIFFERS: [(&str, &str, &str, [usize; 2], &str); 20] = [
    ("balance-scale", "SimpleCart", "-S 1 -N 10 -M 2", [58, 57], OPEN),
    ("balance-scale", "SimpleCart", "-S 1 -N 5 -M 2", [14, 99], OPEN),
    ("ecoli", "SimpleCart", "-S 1 -N 10 -M 2 -A", [6, 50], OPEN),
    ("ecoli", "SimpleCart", "-S 1 -N 5 -M 2", [10, 39], OPEN),
    ("glass", "SimpleCart", "-S 1 -N 10 -M 2", [25, 21], ONE_BY_ONE),
    ("heart-statlog", "SimpleCart", "-S 1 -N 5 -M 2", [13, 25], OPEN),
    ("new-thyroid", "SimpleCart", "-S 1 -N 10 -M 2", [6, 7], OPEN),
    ("segment", "SimpleCart", "-S 1 -N 10 -M 2", [50, 20], ONE_BY_ONE),
    ("vehicle", "SimpleCart", "-S 1 -N 10 -M 2 -A", [20, 178], OPEN),
    ("wine", "SimpleCart", "-S 1 -N 10 -M 2", [5, 10], OPEN),
    ("liver-disorders", "BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2", [47, 30], UNPRUNED),
    ("liver-disorders", "BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2 -A", [47, 30], UNPRUNED),
    ("liver-disorders", "BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2 -R", [47, 30], UNPRUNED),
    ("segment", "BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2", [45, 28], ROUNDED),
    ("segment", "BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2 -A", [44, 28], ROUNDED),
    ("segment", "BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2 -R", [45, 28], ROUNDED),
    ("segment", "BFTree", "-P POSTPRUNED -S 1 -N 5 -M 2", [44, 28], ROUNDED),
    ("segment", "BFTree", "-P PREPRUNED -S 1 -N 10 -M 2", [12, 145], ROUNDED),
    ("segment", "BFTree", "-P PREPRUNED -S 1 -N 10 -M 2 -A", [44, 28], ROUNDED),
    ("segment", "BFTree", "-P PREPRUNED -S 1 -N 10 -M 2 -R", [21, 111], ROUNDED),
];

#[test]
fn pruned_trees_are_those_of_simple_cart_and_bf_tree() {
    let Some(folder) = data() else { return };
    let mut equal = [0; 2];
    for line in include_str!("../../../conformance/weka_pruned.csv").lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let file = folder.join("classification").join(format!("{}.arff", row[0]));
        let table = read(file.to_str().unwrap(), &ReadOptions::default(), &Silent).unwrap();
        let coded = CodedTable::new(&table, &Roles::default()).unwrap();
        let CodedTarget::Classes { codes, .. } = coded.target() else { panic!("{}: no classes", row[0]) };
        let (text, folds) = scheme(row[1], row[2]);
        let folds = Folds::given(weka_folds(codes, folds, 1)).unwrap();
        let options = FitOptions { folds: Some(folds), ..FitOptions::default() };
        let tree = fit(&coded, &text.parse().unwrap(), &options, &Silent).unwrap().tree;
        let predictor = Predictor::bind(&tree, &table).unwrap();
        let right = predictor.accuracy(&predictor.predict()).unwrap().mean.unwrap();
        let rows = table.rows() as f64;
        let ours = [tree.leaves(), (rows - right * rows).round() as usize];
        let theirs: [usize; 2] = [3, 5].map(|i| row[i].parse().unwrap());
        match DIFFERS.iter().find(|d| [d.0, d.1, d.2] == row[..3]) {
            Some((.., pinned, reason)) => {
                assert_eq!(ours, *pinned, "{row:?}");
                assert_ne!(ours, theirs, "{row:?}: no longer different ({reason})");
            }
            None => {
                assert_eq!(ours, theirs, "{row:?} {text}");
                equal[usize::from(row[1] == "BFTree")] += 1;
            }
        }
    }
    assert_eq!(equal, [29, 81]);
}
