//! `secateur import`: trees of other programs.

use super::{Folder, contains};

/// A tree of three classes as Weka's SimpleCart prints it: the text does not say which classes are wrong at a leaf.
const CART: &str = "\nCART Decision Tree\n\npetalwidth < 0.8: Iris-setosa(50.0/0.0)\npetalwidth >= 0.8\n|  petalwidth < 1.75: \
    Iris-versicolor(49.0/5.0)\n|  petalwidth >= 1.75: Iris-virginica(45.0/1.0)\n\nNumber of Leaf Nodes: 3\n";

#[test]
fn a_tree_that_was_exported_predicts_the_same() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:credit?n=200", "-s", "cart:max-leaves=12", "-o", "m.json", "-q"]).ok();
    folder.run(&["export", "m.json", "-o", "m.pmml", "-q"]).ok();
    let shown = folder.run(&["import", "m.pmml", "-o", "again.json"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    contains(&shown.out, &["made by      secateur", "12 leaves"]);
    contains(&shown.err, &["the model is in again.json"]);
    let said = |model: &str| folder.run(&["predict", model, "builtin:credit?n=200", "-q"]).ok();
    assert_eq!(said("m.json"), said("again.json"));
    // Its counts came along: it can be pruned, and gives the same tree.
    let pruned = |model: &str, to: &str| {
        folder.run(&["prune", model, "--with", "mdl", "-o", to, "-q"]).ok();
        folder.run(&["predict", to, "builtin:credit?n=200", "-q"]).ok()
    };
    assert_eq!(pruned("m.json", "a.json"), pruned("again.json", "b.json"));
}

#[test]
fn counts_that_are_missing_are_told_and_what_needs_them_refuses() {
    let folder = Folder::new();
    folder.write("cart.txt", CART);
    let told = folder.json(&["import", "cart.txt", "-o", "m.json"]);
    assert_eq!((&told["counts"], &told["tree"]["leaves"]), (&false.into(), &3.into()));
    assert!(told["tree"]["training_error"].is_null() && told["reliability"].is_null());
    contains(&told["notes"].to_string(), &["the counts of training rows are not known"]);
    let text = folder.run(&["import", "cart.txt"]);
    contains(&text.out, &["counts       not known", "counts not known"]);
    for pruner in [
        "mdl",
        "cost-complexity:alpha=0.01",
        "error-based",
        "k-norm",
        "min-error",
        "pessimistic",
        "size-pessimistic",
        "critical-value",
    ] {
        let refused = folder.run(&["prune", "m.json", "--with", pruner]);
        assert_ne!(refused.code, 0, "{pruner}");
        contains(&refused.err, &["counts of training rows"]);
    }
    contains(
        &folder.refused(&["predict", "m.json", "builtin:iris", "--leaf-values", "laplace"]),
        &["counts"],
    );
    // It predicts, and goes on to other software.
    contains(&folder.run(&["predict", "m.json", "builtin:iris", "-q"]).ok(), &["Iris-virginica"]);
    contains(&folder.run(&["export", "m.json", "--format", "python"]).ok(), &["petalwidth < 0.8"]);
    contains(&folder.refused(&["export", "m.json", "--format", "scorecard"]), &["scorecard cannot carry"]);
    // The rows it was grown from bring the counts.
    let counted = folder.json(&["import", "cart.txt", "--data", "builtin:iris", "-o", "counted.json"]);
    assert_eq!(counted["counts"], true);
    assert!((counted["tree"]["training_error"].as_f64().unwrap() - 0.04).abs() < 1e-12);
    folder.run(&["prune", "counted.json", "--with", "mdl", "-q"]).ok();
}

#[test]
fn what_is_no_tree_is_refused() {
    let folder = Folder::new();
    folder.write("a.txt", "hello");
    contains(&folder.refused(&["import", "a.txt"]), &["a.txt", "no known tree is in it", "PMML"]);
    contains(&folder.refused(&["import", "a.txt", "--form", "pmlm"]), &["did you mean 'pmml'"]);
    contains(&folder.refused(&["import", "none.txt"]), &["none.txt"]);
    folder.write("cart.txt", CART);
    contains(&folder.refused(&["import", "cart.txt", "-o", "cart.txt"]), &["cart.txt"]);
    contains(
        &folder.run(&["import", "--list"]).ok(),
        &["pmml", "weka", "lightgbm", "xgboost", "ydf", "rpart", "sklearn"],
    );
}
