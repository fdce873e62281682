//! A tree of one leaf: `fit` says so and what the next larger trees would give.

use super::*;

fn noise() -> Folder {
    let folder = Folder::new();
    let mut state = 7u64;
    let mut dice = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut row = || format!("{},{},{}\n", dice(101), ["a", "b", "b"][dice(3) as usize], dice(997));
    let rows: String = (0..120).map(|_| row()).collect();
    folder.write("noise.csv", format!("x,class,number\n{rows}"));
    folder.write("costs.csv", "actual,predicted,cost\na,b,1.2\n");
    folder.write("alike.csv", format!("x,y\n{}", "1,a\n1,b\n".repeat(20)));
    folder
}

/// The words are those of the numbers, and the numbers those of the path.
fn check(folder: &Folder, fit: &[&str], words: &[&str]) {
    let call = [&["fit", "noise.csv"], fit].concat();
    let printed = folder.run(&call).ok().replace('\n', " ");
    contains(&printed, words);
    let told = folder.json(&call);
    assert_eq!(told["tree"]["leaves"], 1, "{call:?}");
    let path = folder.json(&[&["path", "noise.csv"], fit].concat());
    let next = told["next_larger"].as_array().unwrap();
    assert!((1..=3).contains(&next.len()), "{call:?}");
    let mut sizes = vec![1];
    for step in next {
        assert!(path["steps"].as_array().unwrap().contains(step), "{call:?}: {step}");
        sizes.push(step["leaves"].as_u64().unwrap());
        let count = format!("{} leaves", step["leaves"]);
        contains(&printed, &[&count]);
    }
    assert!(sizes.is_sorted() && sizes.windows(2).all(|w| w[0] < w[1]), "{sizes:?}");
    // None is left out in between.
    let all = path["steps"].as_array().unwrap().iter().map(|step| step["leaves"].as_u64().unwrap());
    assert!(all.filter(|leaves| *leaves < sizes[sizes.len() - 1]).all(|leaves| sizes.contains(&leaves)));
}

#[test]
fn classes_numbers_costs_and_held_out_rows() {
    let folder = noise();
    let classes = ["--target", "class", "--ignore", "number"];
    let numbers = ["--target", "number", "--ignore", "class"];
    let next = "The next larger trees:";
    let none = "No tree was found that predicts better than always answering \"b\".";
    check(&folder, &classes, &[none, next, " %", "±", "`secateur path` shows every size"]);
    check(&folder, &[&classes[..], &["--costs", "costs.csv"]].concat(), &[next, "mean cost "]);
    // A pruner without a path: what cost-complexity would give is shown.
    let instead =
        [&["fit", "noise.csv", "--scheme", "cart:leaf-values=shrink,leaf-cv=10/pessimistic"], &classes[..]]
            .concat();
    contains(
        &folder.run(&instead).ok().replace('\n', " "),
        &["Every split was pruned: a single leaf is left. The next larger trees by cost-complexity pruning:"],
    );
    assert_eq!(folder.json(&instead)["next_larger_by"], "cost-complexity");
    check(&folder, &numbers, &[next, "RMSE", "±"]);
    for scheme in [
        "cart/cost-complexity:cv=10,1se",
        "cart/cost-complexity:holdout=0.3,se=3",
        "best-first/post:cv=5,se=3",
        "cart/k-norm:cv=10,1se",
    ] {
        check(&folder, &[&classes[..], &["--scheme", scheme]].concat(), &[next]);
    }
}

#[test]
fn a_rule_that_passes_over_a_better_tree_says_so() {
    let folder = Folder::new();
    // Worth a split, but not by three standard errors.
    let rows: String =
        (0..60).map(|i| format!("{},{}\n", i, if (i < 30) ^ (i % 5 < 2) { "a" } else { "b" })).collect();
    folder.write("weak.csv", format!("x,y\n{rows}"));
    let call = ["fit", "weak.csv", "--scheme", "cart:min-leaf=5/cost-complexity:cv=10,se=9"];
    let printed = folder.run(&call).ok().replace('\n', " ");
    contains(
        &printed,
        &["The rule that chose the tree size prefers a single leaf; the best tree (2 leaves, error"],
    );
    assert!(!printed.contains("No tree was found"));
}

#[test]
fn without_a_path_it_is_said_all_the_same() {
    let folder = noise();
    let classes = ["fit", "noise.csv", "--target", "class", "--ignore", "number"];
    let call = [&classes[..], &["--scheme", "cart/cost-complexity:alpha=1"]].concat();
    contains(&folder.run(&call).ok().replace('\n', " "), &["Every split was pruned: a single leaf is left."]);
    // Nothing is validated, so training errors are shown, and said to be that.
    contains(&folder.run(&call).ok().replace('\n', " "), &["by cost-complexity pruning (training errors):"]);
    let next = folder.json(&call)["next_larger"].clone();
    assert!(next[0]["leaves"].as_u64() > Some(1) && next[0]["cv_error"].is_null(), "{next}");
    // Held-out rows have judged a tree of the others: there is none of all rows to be cut otherwise.
    let held = folder
        .json(&[&classes[..], &["--scheme", "cart/reduced-error:holdout=0.5,significance=0.001"]].concat());
    assert_eq!((&held["tree"]["leaves"], &held["next_larger"]), (&1.into(), &serde_json::json!([])));
    contains(
        &folder.run(&["fit", "alike.csv"]).ok(),
        &["No split was found: no feature separates the rows."],
    );
    let iris = ["fit", "builtin:iris"];
    assert!(!folder.run(&iris).ok().contains("single leaf"));
    assert!(folder.json(&iris).get("next_larger").is_none());
}
