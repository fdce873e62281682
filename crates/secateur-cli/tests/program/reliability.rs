//! How sure a tree and its predictions are: `fit`, `prune`, `show`, `predict --reliability`.

use secateur::data::builtin;
use secateur::predict::Predictor;
use secateur::prune::k_norm::{KNorm, row_reliability};
use secateur::prune::{reliabilities, reliability_of};
use secateur::tree::Model;

use super::*;

const NAMES: [&str; 3] = ["error", "error_sd", "error_norm"];

fn fitted(data: &str, scheme: &str) -> (Folder, Model) {
    let folder = Folder::new();
    folder.run(&["fit", data, "--scheme", scheme, "-o", "m.json", "-q"]).ok();
    let model = Model::load(folder.path("m.json")).unwrap();
    (folder, model)
}

#[test]
fn fit_and_show_say_what_the_training_counts_suggest() {
    let folder = Folder::new();
    const OLD: [&str; 4] = ["fit", "builtin:iris", "-s", "cart/cost-complexity:cv=10,1se"];
    let told = folder.json(&[&OLD[..], &["-o", "m.json"]].concat());
    let model = Model::load(folder.path("m.json")).unwrap();
    let whole = reliability_of(&model.tree).unwrap();
    // Three of nine leaves are left; the prior is that of all nine.
    assert_eq!((model.tree.leaves(), model.about.full.leaves), (3, 9));
    let lambda = 100.0 * 9.0 / (9.0 * 150.0);
    assert_eq!(KNorm::of(&model.tree), KNorm { lambda, eta: 0.5 });
    for told in [told, folder.json(&["show", "m.json"])] {
        assert_eq!(keys(&told["reliability"]), ["error", "norm", "sd"]);
        for (key, x) in [("error", whole.error), ("sd", whole.sd), ("norm", whole.norm)] {
            assert!((told["reliability"][key].as_f64().unwrap() - x).abs() < 1e-15, "{key}");
        }
    }
    assert!((whole.norm.powi(2) - whole.error.powi(2) - whole.sd.powi(2)).abs() < 1e-12);

    let [error, sd, norm] = [whole.error, whole.sd, whole.norm].map(|x| format!("{:.1}", 100.0 * x));
    let line = format!(
        "in-sample    error estimate {error} % ± {sd} from the training counts (k-norm; 2-norm {norm} %)\n"
    );
    contains(&folder.run(&[&OLD[..], &["--details", "--width", "100"]].concat()).ok(), &[&line]);
    assert!(folder.run(&["show", "m.json", "--width", "100"]).ok().starts_with(&line));
    let narrow = folder.run(&["show", "m.json", "--ascii", "--width", "40"]).ok();
    let head = narrow.split("\n\n").next().unwrap();
    assert!(head.is_ascii() && head.lines().all(|line| line.len() <= 40), "{head}");
    // Pruned from the full tree to the same one it says the same.
    folder.run(&["fit", "builtin:iris", "--scheme", "cart", "-o", "full.json", "-q"]).ok();
    let prune = ["prune", "full.json", "--with", "cost-complexity:alpha=0.02", "-o", "small.json"];
    contains(&folder.run(&[&prune[..], &["--width", "100"]].concat()).ok(), &[&line]);
    assert_eq!(folder.json(&prune)["reliability"], folder.json(&["show", "m.json"])["reliability"]);

    let rules = folder.run(&["show", "m.json", "--format", "rules"]).ok();
    contains(&rules, &["(50 rows, 33.3 %, 0 wrong; expect 2.6 % ± 2.2)"]);
    assert!(folder.run(&["show", "m.json", "--format", "rules", "--ascii"]).ok().is_ascii());
    for format in ["rules", "dot"] {
        assert!(!folder.run(&["show", "m.json", "--format", format]).ok().contains("in-sample  "));
    }
}

/// Zhong's iris tree with `λ = η = ½` (appendix B, B.13 to B.16).
#[test]
fn lambda_and_eta_belong_to_the_model() {
    let folder = Folder::new();
    let petals = ["fit", "builtin:iris", "--ignore", "sepallength,sepalwidth", "-s"];
    let fit = |scheme: &str, file: &str| folder.json(&[&petals[..], &[scheme, "-o", file]].concat());
    let printed = [("error", 0.05822), ("sd", 0.04966), ("norm", 0.07652)];
    let has = |told: &Value, what: &str| {
        for (key, x) in printed {
            assert!((told["reliability"][key].as_f64().unwrap() - x).abs() < 5e-6, "{what}: {told}");
        }
    };
    has(&fit("cart/k-norm:k=2,lambda=0.5,eta=0.5", "m.json"), "fit");
    contains(&folder.read("m.json"), &["\n\"prior_counts\": {\"lambda\":0.5,\"eta\":0.5},\n"]);
    has(&folder.json(&["show", "m.json"]), "show");
    let line = "in-sample    error estimate 5.8 % ± 5.0 from the training counts (k-norm; 2-norm 7.7 %)\n";
    assert!(folder.run(&["show", "m.json", "--width", "100"]).ok().starts_with(line));
    // (B.1): six of 55.5 at the leaf of 49 and 5.
    contains(&folder.run(&["show", "m.json", "--format", "rules"]).ok(), &["5 wrong; expect 10.8 % ±"]);
    let text = folder.run(&["predict", "m.json", "builtin:iris", "-q", "--reliability"]).ok();
    let row: Vec<&str> = text.lines().nth(60).unwrap().split(',').collect();
    assert!((row[5].parse::<f64>().unwrap() - 6.0 / 55.5).abs() < 1e-12, "{row:?}");

    // The same tree without the counts, and from a full tree by `prune`.
    fit("cart", "full.json");
    has(
        &folder.json(&["prune", "full.json", "--with", "k-norm:lambda=0.5,eta=0.5", "-o", "p.json"]),
        "prune",
    );
    assert_eq!(folder.read("p.json"), folder.read("m.json"));
    let other = fit("cart/k-norm:k=2,lambda=0.2,eta=0.5", "o.json");
    assert!(other["reliability"]["error"].as_f64().unwrap() < 0.05, "{other}");
    // What the heuristic comes to is kept as a number, and pruning by another method goes back to the usual ones.
    fit("cart/k-norm:lambda0=40,eta=2", "h.json");
    let model = Model::load(folder.path("h.json")).unwrap();
    let leaves = model.about.full.leaves as f64;
    let lambda = 40.0 * leaves / (9.0 * 150.0);
    assert_eq!(KNorm::of(&model.tree), KNorm { lambda, eta: 2.0 });
    folder.run(&["prune", "m.json", "--with", "mdl", "-o", "mdl.json"]).ok();
    let usual = KNorm { lambda: 100.0 * leaves / (9.0 * 150.0), eta: 0.5 };
    assert_eq!(KNorm::of(&Model::load(folder.path("mdl.json")).unwrap().tree), usual);
    // Files of before have the usual ones too; bad ones are refused.
    let old = folder.read("m.json").replace("\"prior_counts\": {\"lambda\":0.5,\"eta\":0.5},\n", "");
    folder.write("old.json", &old);
    assert_eq!(KNorm::of(&Model::load(folder.path("old.json")).unwrap().tree), usual);
    folder.write("bad.json", folder.read("m.json").replace("\"lambda\":0.5", "\"lambda\":-0.5"));
    contains(&folder.refused(&["show", "bad.json"]), &["bad.json", "prior counts: lambda is -0.5"]);
}

#[test]
fn costs_have_none() {
    let folder = Folder::new();
    folder.write("costs.csv", "actual,predicted,cost\nyes,no,1\nno,yes,5\n");
    let args = &["builtin:weather", "--costs", "costs.csv"][..];
    let fit = [&["fit"], args, &["-s", "cart", "-o", "m.json"]].concat();
    assert_eq!(folder.json(&fit)["reliability"], Value::Null);
    assert!(!folder.run(&fit).ok().contains("in-sample  "));
    assert!(!folder.run(&["show", "m.json"]).ok().contains("in-sample  "));
    assert!(!folder.run(&["show", "m.json", "--format", "rules"]).ok().contains("expect"));
    let said = folder.refused(&["predict", "m.json", args[0], "--reliability"]);
    contains(&said, &["--reliability is", "leave it out"]);
}

/// The RMSE to expect at a leaf, in the unit of the target.
#[test]
fn numbers_have_theirs_by_leaf() {
    let (folder, model) = fitted("builtin:houses?n=300", "cart/cost-complexity:cv=10,1se");
    let table = builtin::load("houses?n=300").unwrap();
    let rows = reliabilities(&Predictor::bind(&model.tree, &table).unwrap()).unwrap();
    let text = folder.run(&["predict", "m.json", "builtin:houses?n=300", "-q", "--reliability"]).ok();
    assert!(text.lines().next().unwrap().ends_with("prediction,error,error_sd,error_norm"));
    for (line, row) in text.lines().skip(1).zip(&rows) {
        let cells: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        assert_eq!(cells[2..], [row.error, row.sd, row.norm]);
    }
    let told = folder.json(&["predict", "m.json", "builtin:houses?n=300", "--reliability"]);
    let mean = (rows.iter().map(|row| row.error.powi(2)).sum::<f64>() / 300.0).sqrt();
    assert!((told["expected_error"].as_f64().unwrap() / mean - 1.0).abs() < 1e-9);
    let whole = reliability_of(&model.tree).unwrap();
    let shown = folder.json(&["show", "m.json"]);
    assert!((shown["reliability"]["error"].as_f64().unwrap() / whole.error - 1.0).abs() < 1e-12);
    contains(
        &folder.run(&["show", "m.json"]).ok(),
        &["in-sample    RMSE estimate ", "from the training rows (2-norm"],
    );
    contains(
        &folder.run(&["explain", "m.json", "builtin:houses?n=300", "--row", "3"]).ok(),
        &["expected error (RMSE)"],
    );
}

#[test]
fn predict_adds_three_columns_of_the_leaf_reached() {
    for (data, scheme) in [
        ("builtin:iris", "cart/cost-complexity:cv=10,1se"),
        ("builtin:credit", "c45"),
        ("builtin:weather", "id3"),
    ] {
        let (folder, model) = fitted(data, scheme);
        let plain = folder.run(&["predict", "m.json", data, "-q"]).ok();
        let text = folder.run(&["predict", "m.json", data, "-q", "--reliability"]).ok();
        let table = builtin::load(data.strip_prefix("builtin:").unwrap()).unwrap();
        let predictor = Predictor::bind(&model.tree, &table).unwrap();
        let rule = KNorm::of(&model.tree);
        let mut sum = 0.0;
        for (i, (line, before)) in text.lines().zip(plain.lines()).enumerate() {
            let added: Vec<&str> = line.strip_prefix(before).unwrap().split(',').skip(1).collect();
            if i == 0 {
                assert_eq!(added, NAMES);
                continue;
            }
            let row = row_reliability(&model.tree, &predictor.leaf_weights(i - 1), &rule);
            let shown: Vec<f64> = added.iter().map(|x| x.parse().unwrap()).collect();
            assert_eq!(shown, [row.error, row.sd, row.norm], "{data} row {i}");
            assert!(0.0 < row.error && row.error < row.norm && row.norm < 1.0 && row.sd > 0.0);
            sum += row.error;
        }
        assert_eq!(text.lines().count(), table.rows() + 1);
        let told = folder.json(&["predict", "m.json", data, "--reliability", "-o", "p.csv"]);
        assert!((told["expected_error"].as_f64().unwrap() - sum / table.rows() as f64).abs() < 1e-9);
        assert_eq!(std::fs::read_to_string(folder.path("p.csv")).unwrap(), text);
        assert!(folder.json(&["predict", "m.json", data]).get("expected_error").is_none());
    }
}

#[test]
fn rows_in_parts_are_between_their_leaves() {
    let (folder, model) = fitted("builtin:weather", "c45:min-leaf=1");
    folder.write("new.csv", "outlook,temperature,humidity,windy\n?,70,80,true\nsunny,70,99,true\n");
    let text = folder.run(&["predict", "m.json", "new.csv", "-q", "--reliability"]).ok();
    let errors: Vec<f64> =
        text.lines().skip(1).map(|line| line.split(',').nth_back(2).unwrap().parse().unwrap()).collect();
    let rule = KNorm::of(&model.tree);
    let leaves = (0..model.tree.nodes().len()).filter(|&id| model.tree.is_leaf(id));
    let of_leaves: Vec<f64> =
        leaves.map(|id| row_reliability(&model.tree, &[(id, 1.0)], &rule).error).collect();
    let least = of_leaves.iter().copied().fold(1.0, f64::min);
    let most = of_leaves.iter().copied().fold(0.0, f64::max);
    assert!(least < errors[0] && errors[0] < most, "{least} {errors:?} {most}");
    assert!(of_leaves.contains(&errors[1]) && !of_leaves.contains(&errors[0]));
}
