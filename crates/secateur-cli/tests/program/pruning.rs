//! `fit` with pruners, `path` and `prune`.

use super::*;

#[test]
fn the_defaults_prune_and_tell_the_error_to_expect() {
    let folder = Folder::new();
    let named = folder.json(&["schemes"])["defaults"].clone();
    for (data, task, errors) in
        [("builtin:iris", "classification", 0.01..0.15), ("builtin:houses?n=300", "regression", 1e6..1e10)]
    {
        let told = folder.json(&["fit", data]);
        assert_eq!(told["scheme"], named[task]);
        contains(&folder.run(&["schemes"]).ok(), &[told["scheme"].as_str().unwrap()]);
        assert!(told["tree"]["leaves"].as_u64() < told["full"]["leaves"].as_u64());
        let error = told["estimate"]["error"].as_f64().unwrap();
        assert!(errors.contains(&error), "{error}");
        let method = told["estimate"]["method"].as_str().unwrap();
        assert!(method.starts_with("10-fold cross-validation, adjusted for choosing"), "{method}");
        assert!(
            told["leaf_values"]["chosen"]["tried"].as_array().unwrap().len() == secateur::fit::LAMBDAS.len()
        );
        // As if it were named, and the old default by its name.
        let by_name = folder.json(&["fit", data, "-s", told["scheme"].as_str().unwrap()]);
        assert_eq!((&by_name["tree"], &by_name["estimate"]), (&told["tree"], &told["estimate"]));
        let old = folder.json(&["fit", data, "-s", "cart/cost-complexity:cv=10,1se"]);
        assert_eq!(old["scheme"], "cart/cost-complexity:cv=10,1se");
    }
    // Other leaf values, the same tree.
    let other = folder.json(&["fit", "builtin:iris", "--leaf-values", "shrink"]);
    assert_eq!(other["scheme"], named["classification"]);
    let other = folder.json(&["fit", "builtin:iris", "--leaf-values", "laplace"]);
    assert_eq!(other["scheme"], named["classification"].as_str().unwrap().replace("=shrink", "=laplace"));
}

/// Shi, Table 2.1.
#[test]
fn the_path_of_balance_scale_is_the_published_one() {
    let folder = Folder::new();
    let call = ["path", "builtin:balance-scale", "-s", "cart:min-leaf=2/cost-complexity", "--cv", "0"];
    let told = folder.json(&call);
    let leaves: Vec<u64> =
        told["steps"].as_array().unwrap().iter().map(|s| s["leaves"].as_u64().unwrap()).collect();
    assert_eq!(leaves, [61, 58, 50, 45, 17, 14, 13, 11, 10, 8, 7, 5, 4, 3, 2, 1]);
    let alpha: Vec<String> = told["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| format!("{:.4}", s["parameter"].as_f64().unwrap()))
        .collect();
    assert_eq!(alpha[..6], ["0.0000", "0.0005", "0.0012", "0.0013", "0.0016", "0.0021"]);
    assert!(told["steps"][0]["cv_error"].is_null());
    let validated =
        folder.json(&["path", "builtin:balance-scale", "-s", "cart:min-leaf=2/cost-complexity:cv=10,1se"]);
    assert!(validated["selected"].as_u64().is_some());
    let root = validated["steps"].as_array().unwrap().last().unwrap();
    assert!(root["cv_error"].as_f64().unwrap() > 0.5);
    let text = folder.run(&["path", "builtin:balance-scale"]).ok();
    contains(&text, &["alpha", "leaves", "validated error", "→"]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn a_saved_tree_is_pruned_without_its_data_as_fit_would() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:credit", "-s", "cart", "-o", "full.json", "-q"]).ok();
    for pruner in [
        "mdl",
        "k-norm:k=2",
        "cost-complexity:alpha=0.01",
        "pessimistic",
        "min-error:m=3",
        "error-based:cf=0.1",
    ] {
        let pruned = folder.json(&["prune", "full.json", "--with", pruner, "-o", "small.json"]);
        let fitted =
            folder.json(&["fit", "builtin:credit", "-s", &format!("cart/{pruner}"), "-o", "fit.json"]);
        assert_eq!(pruned["tree"], fitted["tree"], "{pruner}");
        assert!(pruned["tree"]["leaves"].as_u64() < pruned["full"]["leaves"].as_u64(), "{pruner}");
        assert_eq!(folder.read("small.json"), folder.read("fit.json"), "{pruner}");
    }
    for (needs, otherwise) in [
        ("reduced-error", "fit them with this pruner\n"),
        ("pre", "fit them with this pruner\n"),
        ("cost-complexity:cv=10", "fit them with this pruner, or give alpha a value\n"),
        ("error-based:raising", "fit them with this pruner, or leave out raising\n"),
    ] {
        let problem = folder.refused(&["prune", "full.json", "--with", needs]);
        contains(&problem, &["needs the data", otherwise]);
    }
    contains(&folder.refused(&["prune", "full.json", "--with", "mld"]), &["did you mean 'mdl'?"]);
}

#[test]
fn costs_change_labels_and_are_kept_in_the_model() {
    let folder = Folder::new();
    folder.write("costs.csv", "actual,predicted,cost\nbad,good,20\n");
    folder.write("costs.toml", "[[cost]]\nactual = \"bad\"\npredicted = \"good\"\ncost = 20\n");
    let call = |costs: &str| {
        folder.json(&[
            "fit",
            "builtin:credit",
            "-s",
            "cart/cost-complexity:cv=10",
            "--costs",
            costs,
            "-o",
            "m.json",
        ])
    };
    let told = call("costs.csv");
    assert_eq!(told["tree"], call("costs.toml")["tree"]);
    let plain = folder.json(&["fit", "builtin:credit", "-s", "cart/cost-complexity:cv=10"]);
    assert_ne!(told["tree"], plain["tree"]);
    assert!(folder.read("m.json").contains("\"costs\""));
    let count = |text: String| text.lines().filter(|l| l.contains(",bad,")).count();
    folder.run(&["predict", "m.json", "builtin:credit", "-o", "costly.csv", "-q"]).ok();
    folder.run(&["fit", "builtin:credit", "-o", "m.json", "-q"]).ok();
    folder.run(&["predict", "m.json", "builtin:credit", "-o", "plain.csv", "-q"]).ok();
    assert!(count(folder.read("costly.csv")) > count(folder.read("plain.csv")));
    folder.write("wrong.csv", "actual,predicted,cost\nbda,good,5\n");
    contains(
        &folder.refused(&["fit", "builtin:credit", "--costs", "wrong.csv"]),
        &["wrong.csv", "no class 'bda'", "'bad'"],
    );
    contains(&folder.refused(&["fit", "builtin:friedman?n=50", "--costs", "costs.csv"]), &["for classes"]);
}

#[test]
fn priors_and_folds_from_outside_change_the_choice_or_are_refused() {
    let folder = Folder::new();
    let plain = folder.json(&["fit", "builtin:credit", "-s", "cart/mdl"]);
    let priors = folder.json(&["fit", "builtin:credit", "-s", "cart/mdl", "--priors", "good=0.2,bad=0.8"]);
    assert_ne!(plain["tree"], priors["tree"]);
    contains(&folder.refused(&["fit", "builtin:credit", "--priors", "good=1"]), &["'bad' is missing"]);
    contains(
        &folder.refused(&["fit", "builtin:credit", "--priors", "good=1,bad=2,good=3"]),
        &["priors", "'good' appears twice"],
    );
    contains(
        &folder.refused(&["fit", "builtin:credit", "--priors", "god=1,bad=2"]),
        &["did you mean 'good'?"],
    );
    let folds: String = (0..150).map(|row| format!("{row},{}\n", row % 3)).collect();
    folder.write("folds.csv", format!("row,fold\n{folds}"));
    let told = folder.json(&["fit", "builtin:iris", "--folds", "folds.csv"]);
    assert!(told["estimate"]["method"].as_str().unwrap().contains("3-fold"));
    // Rows count from 1, as everywhere; a file that counts from 0 says so itself.
    let from_one: String = (0..150).map(|row| format!("{},{}\n", row + 1, row % 3)).collect();
    folder.write("one.csv", format!("row,fold\n{from_one}"));
    let mut again = folder.json(&["fit", "builtin:iris", "--folds", "one.csv"]);
    again["seconds"] = told["seconds"].clone();
    assert_eq!(told, again);
    folder.write("few.csv", "row,fold\n1,0\n2,1\n4,\n");
    contains(&folder.refused(&["fit", "builtin:iris", "--folds", "few.csv"]), &["not listed (3, 5, 6,"]);
    folder.write("short.csv", "row,fold\n0,0\n1,1\n3,\n");
    contains(
        &folder.refused(&["fit", "builtin:iris", "--folds", "short.csv"]),
        &["short.csv", "147 of 150 rows are not listed (2, 4, 5,", ", …)", "or an empty one to leave it out"],
    );
    folder.write("bad.csv", "row,fold\n151,0\n");
    contains(
        &folder.refused(&["fit", "builtin:iris", "--folds", "bad.csv"]),
        &["bad.csv", "line 2", "151 is not a row; expected a whole number from 1 to 150"],
    );
    contains(
        &folder.refused(&["fit", "builtin:iris", "-s", "cart/cost-complexity:cv=151"]),
        &["151 folds of 150 rows"],
    );
    contains(
        &folder.refused(&["fit", "builtin:friedman?n=50", "-s", "cart/mdl"]),
        &["mdl", "classification"],
    );
}

/// Every scheme that the program's contract names is accepted.
#[test]
fn the_schemes_of_the_contract_work() {
    let folder = Folder::new();
    for scheme in [
        "cart",
        "cart/cost-complexity:cv=10,1se",
        "c45/error-based:cf=0.25",
        "c45/error-based:cf=0.25,raising,limit=c45",
        "best-first/post",
        "best-first/post:1se",
        "best-first/pre:1se,error=rmse",
        "cart/k-norm:k=2",
        "cart/k-norm:cv=10,1se",
        "cart/k-norm:k=4,of=probability",
        "id3/reduced-error:holdout=0.1",
        "c45/size-pessimistic:c=0.2",
        "c45/intermediate:of=full",
        "c45/intermediate:of=pruned",
        "c45/breadth-first:cv=5,rule=average",
        "c45/breadth-first:cv=5",
        "cart/min-error:m=2",
        "cart/critical-value:cv=10",
        "cart/mdl",
        "cart/pessimistic",
        "cart/optimal-size:leaves=8",
    ] {
        let told = folder.json(&["fit", "builtin:credit?n=300", "-s", scheme]);
        assert!(told["tree"]["leaves"].as_u64() <= told["full"]["leaves"].as_u64(), "{scheme}");
    }
    let numbers = [
        "cart:criterion=mse,leaf=median/early-stop:holdout=0.1",
        "cart/cost-complexity:cv=5",
        "cart/reduced-error",
    ];
    for scheme in numbers {
        let told = folder.json(&["fit", "builtin:friedman?n=200", "-s", scheme]);
        assert!(told["tree"]["leaves"].as_u64() <= told["full"]["leaves"].as_u64(), "{scheme}");
    }
    let leaves =
        |scheme: &str| folder.json(&["fit", "builtin:credit", "-s", scheme])["tree"]["leaves"].clone();
    assert_ne!(leaves("c45/intermediate:of=full"), leaves("c45/intermediate:of=pruned"));
    assert_ne!(leaves("c45/breadth-first:cv=5"), leaves("c45/breadth-first:cv=5,rule=average"));
    contains(
        &folder.refused(&["fit", "builtin:iris", "-s", "c45/breadth-first:1se,rule=average"]),
        &["standard errors"],
    );
}

#[test]
fn the_curve_of_a_path_is_drawn() {
    let folder = Folder::new();
    let call = ["path", "builtin:balance-scale", "--cv", "5", "-q"];
    let table = folder.run(&call).ok();
    // The table is printed all the same.
    assert_eq!(folder.run(&[&call[..], &["-o", "curve.svg"]].concat()).ok(), table);
    let curve = folder.read("curve.svg");
    contains(
        &curve,
        &["<svg ", ">training</text>", ">error rate</text>", ">chosen: ", ">lowest: ", ">leaves</text>"],
    );
    folder.run(&[&call[..], &["-o", "curve.png"]].concat()).ok();
    assert!(std::fs::read(folder.path("curve.png")).unwrap().starts_with(b"\x89PNG"));
    contains(&folder.refused(&[&call[..], &["-o", "curve.pdf"]].concat()), &["curve.pdf", ".svg or .png"]);
}
