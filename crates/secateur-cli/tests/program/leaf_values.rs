//! `--leaf-values` of `fit`, `prune` and `predict`, and the scheme's options behind it.

use super::*;

fn probabilities(folder: &Folder, call: &[&str]) -> Vec<Vec<f64>> {
    let text = folder.run(&[call, &["-q"]].concat()).ok();
    let line = |line: &str| line.split(',').skip(2).map(|p| p.parse().unwrap()).collect();
    text.lines().skip(1).map(line).collect()
}

const DATA: &str = "builtin:credit?n=400";

#[test]
fn a_fit_chooses_lambda_says_so_and_the_model_keeps_it() {
    let folder = Folder::new();
    const OLD: &str = "cart/cost-complexity:cv=10,1se";
    let call = ["fit", DATA, "-s", OLD, "--leaf-values", "shrink", "-o", "m.json"];
    let told = folder.json(&call);
    let values = &told["leaf_values"];
    assert_eq!(
        (&values["kind"], &told["scheme"]),
        (&"shrink".into(), &"cart:leaf-values=shrink/cost-complexity:cv=10,1se".into())
    );
    let chosen = &values["chosen"];
    assert_eq!(
        (&chosen["measure"], &chosen["method"]),
        (&"log_loss".into(), &"10-fold cross-validation".into())
    );
    let tried = chosen["tried"].as_array().unwrap();
    assert_eq!(tried.len(), secateur::fit::LAMBDAS.len());
    let loss = |step: &serde_json::Value| step["loss"].as_f64().unwrap();
    let best = tried.iter().min_by(|a, b| loss(a).total_cmp(&loss(b))).unwrap();
    assert_eq!(best["lambda"], values["lambda"]);

    let lambda = values["lambda"].as_f64().unwrap();
    let shown = folder.run(&["show", "m.json"]).ok();
    contains(&shown, &[&format!("shrunken leaf values (hierarchical shrinkage, λ = {lambda})"), " %  ("]);
    let details = folder.run(&[&call[..], &["--details"]].concat()).ok();
    contains(&details, &["leaf values", "log loss", "; λ = 0: "]);
    let saved = std::fs::read_to_string(folder.path("m.json")).unwrap();
    contains(&saved, &["\"version\": 2,", "\"leaf_values\": {\"kind\":\"shrink\",\"lambda\":"]);

    // The tree is the one of raw values; what it says is not.
    folder.run(&["fit", DATA, "-s", OLD, "-o", "raw.json", "-q"]).ok();
    let own = probabilities(&folder, &["predict", "m.json", DATA]);
    let raw = probabilities(&folder, &["predict", "raw.json", DATA]);
    assert_ne!(own, raw);
    assert!(own.iter().flatten().all(|p| *p > 0.0));
    assert_eq!(probabilities(&folder, &["predict", "m.json", DATA, "--leaf-values", "raw"]), raw);
    let by_name = format!("shrink={lambda}");
    assert_eq!(probabilities(&folder, &["predict", "raw.json", DATA, "--leaf-values", &by_name]), own);
    // A number that is not named is the model's own.
    assert_eq!(probabilities(&folder, &["predict", "m.json", DATA, "--leaf-values", "shrink"]), own);
}

#[test]
fn a_pruned_tree_keeps_them_or_gets_others() {
    let folder = Folder::new();
    folder.run(&["fit", DATA, "-s", "cart:leaf-values=m,leaf-m=3", "-o", "full.json", "-q"]).ok();
    let told = folder.json(&["prune", "full.json", "--with", "mdl", "-o", "m.json"]);
    assert_eq!(told["scheme"], "cart:leaf-values=m,leaf-m=3/mdl");
    assert_eq!(told["leaf_values"], serde_json::json!({"kind": "m", "m": 3.0}));
    let told = folder.json(&["prune", "full.json", "--with", "mdl", "--leaf-values", "shrink"]);
    assert_eq!(told["scheme"], "cart:leaf-values=shrink,leaf-lambda=10/mdl");
    let fitted = folder.json(&["fit", DATA, "-s", "cart/mdl", "--leaf-values", "m=3", "-o", "f.json"]);
    assert_eq!(
        (&fitted["scheme"], &fitted["tree"]),
        (
            &"cart:leaf-values=m,leaf-m=3/mdl".into(),
            &folder.json(&["prune", "full.json", "--with", "mdl"])["tree"]
        )
    );
    let of = |model: &str| probabilities(&folder, &["predict", model, DATA]);
    assert_eq!(of("m.json"), of("f.json"));
}

#[test]
fn numbers_are_shrunk_too() {
    let folder = Folder::new();
    let houses = "builtin:friedman?n=300";
    let told = folder.json(&["fit", houses, "--leaf-values", "shrink", "-o", "m.json"]);
    assert_eq!(told["leaf_values"]["chosen"]["measure"], "mse");
    let shown = folder.run(&["show", "m.json"]).ok();
    contains(&shown, &["shrunken leaf values (hierarchical shrinkage", ", mean "]);
    contains(&folder.run(&["show", "m.json", "--ascii"]).ok(), &["lambda = "]);
    let text = folder.run(&["explain", "m.json", houses, "--row", "3"]).ok();
    contains(&text, &["on average", "leaf values"]);
    let told = folder.refused(&["fit", houses, "--leaf-values", "laplace"]);
    contains(&told, &["leaf-values=laplace is for classification", "raw, m or shrink"]);
    let told = folder.refused(&["predict", "m.json", houses, "--leaf-values", "laplace"]);
    contains(&told, &["laplace is for classes"]);
}

#[test]
fn what_is_wrong_is_said() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "-o", "m.json", "-q"]).ok();
    for (call, words) in [
        (
            &["fit", "builtin:iris", "--leaf-values", "shrnk"][..],
            "expected raw, laplace, m, m=2, shrink or shrink=10",
        ),
        (&["fit", "builtin:iris", "--leaf-values", "m=0"], "above 0"),
        (&["fit", "builtin:iris", "--leaf-values", "shrink=-1"], "from 0 to 1e15"),
        (&["fit", "builtin:iris", "--leaf-values", "raw=1"], "expected raw"),
        (&["fit", "builtin:iris", "-s", "cart:leaf-m=3"], "only with leaf-values=m"),
        (
            &["fit", "builtin:iris", "-s", "cart:leaf-values=shrink,leaf-cv=5/post:cv=5"],
            "leaf-cv changes nothing",
        ),
        (
            &["fit", "builtin:iris", "-s", "cart:leaf-values=shrink,leaf-lambda=1,leaf-cv=5"],
            "contradict each other",
        ),
        (&["predict", "m.json", "builtin:iris", "--leaf-values", "m", "--laplace"], "cannot be used with"),
    ] {
        contains(&folder.refused(call), &[words]);
    }
}

#[test]
fn evaluate_measures_what_the_leaves_say() {
    let folder = Folder::new();
    let of = |scheme: &str| {
        let call = [
            "compare",
            "builtin:credit?n=300",
            "-s",
            scheme,
            "-s",
            "cart/mdl",
            "--cv",
            "5",
            "--measure",
            "accuracy,log-loss,leaves",
        ];
        let told = folder.json(&call);
        let number = |measure: &str| told["results"][0][measure]["mean"].as_f64().unwrap();
        [number("log_loss"), number("leaves")]
    };
    let [raw, leaves] = of("cart:leaf-values=raw");
    for scheme in [
        "cart:leaf-values=laplace",
        "cart:leaf-values=m",
        "cart:leaf-values=shrink",
        "cart:leaf-values=shrink,leaf-cv=5",
    ] {
        let [loss, own_leaves] = of(scheme);
        assert!(loss < 0.5 * raw && own_leaves == leaves, "{scheme}: {loss} {raw}");
    }
}

/// A leaf of 12 rows, 11 of them frauds, that predicts the other class says so, and `fit` says why.
#[test]
fn a_leaf_that_predicts_another_class_than_its_rows_is_explained() {
    let folder = Folder::new();
    folder
        .run(&[
            "fit",
            "builtin:fraud",
            "-s",
            "cart:max-depth=4,leaf-values=shrink,leaf-lambda=50",
            "-o",
            "m.json",
        ])
        .ok();
    let model: Value = serde_json::from_str(&folder.read("m.json")).unwrap();
    assert_eq!(model["leaf_values"]["lambda"], 50.0);
    let shrunken = folder.run(&["show", "m.json", "--all", "--width", "200"]).ok();
    let most = |text: &str| text.matches("wrong, most fraud").count();
    assert!(most(&shrunken) > 0, "{shrunken}");
    for line in shrunken.lines().filter(|line| line.contains("most fraud")) {
        assert!(line.contains("→ honest"), "{line}");
    }
    assert_eq!(
        most(&folder.run(&["show", "m.json", "--format", "rules", "--all", "--width", "200"]).ok()),
        most(&shrunken)
    );
    let call = ["fit", "builtin:fraud", "-s", "cart:max-depth=4"];
    let printed = folder.run(&[&call[..], &["--leaf-values", "shrink=50"]].concat()).ok().replace('\n', " ");
    contains(&printed, &["the rows alone would predict another class: leaf values are"]);
    assert!(!folder.run(&call).ok().contains("rows alone would"));
}
