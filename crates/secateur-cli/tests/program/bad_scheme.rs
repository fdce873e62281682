//! Schemes that are wrong: unknown names with a suggestion, values with their range.

use super::*;

#[test]
fn a_wrong_scheme_is_explained() {
    let folder = Folder::new();
    for (scheme, parts) in [
        ("crat", &["unknown learner 'crat' (did you mean 'cart'?)", "cart, best-first, c45 and id3"][..]),
        ("CART", &["did you mean 'cart'?"]),
        ("zebra", &["unknown learner 'zebra'; the learners are"]),
        ("", &["needs the name of a learner"]),
        ("cart:", &["an option is empty"]),
        ("cart:min-leaf=2,,max-depth=3", &["an option is empty"]),
        ("cart:min-lef=2", &["no option 'min-lef' (did you mean 'min-leaf'?)", "max-depth"]),
        ("cart:min-leaf", &["needs a value"]),
        ("cart:min-leaf=", &["needs a value"]),
        ("cart:min-leaf=2,min-leaf=3", &["given twice"]),
        ("cart:min-leaf=-1", &["'-1' is not a number of at least 0"]),
        ("cart:min-leaf=NaN", &["'NaN' is not a number of at least 0"]),
        ("cart:min-leaf=inf", &["'inf' is not"]),
        ("cart:min-leaf=1e999", &["'1e999' is not"]),
        ("cart:min-leaf=two", &["'two' is not"]),
        ("cart:max-depth=-3", &["a whole number from 0 to"]),
        ("cart:max-depth=2.5", &["a whole number from 0 to"]),
        ("cart:max-depth=99999999999999999999", &["a whole number from 0 to 4294967295"]),
        ("cart:max-leaves=0", &["a whole number from 1 to"]),
        ("cart:exhaustive=21", &["a whole number from 0 to 20"]),
        ("cart:chi2=0", &["a number above 0 and at most 1"]),
        ("cart:chi2=1.5", &["a number above 0 and at most 1"]),
        ("cart:criterion=ginni", &["'ginni'", "did you mean 'gini'?"]),
        ("cart:nominal=binary", &["multiway or subset"]),
        ("cart:guards=maybe,criterion=gain-ratio", &["on or off"]),
        ("cart:guards", &["only with criterion=gain-ratio"]),
        ("cart:cuts=3", &["only with discretise=class-medians"]),
        ("cart:criterion=mse", &["criterion=mse is for regression", "gini, entropy or gain-ratio"]),
        ("cart:leaf=median", &["option leaf is for regression"]),
        ("cart:stop-mse=1", &["option stop-mse is for regression"]),
        ("cart/mld", &["unknown pruner 'mld' (did you mean 'mdl'?)", "cost-complexity"]),
        ("cart/", &["needs the name of a pruner"]),
        ("cart\u{1b}[31m", &["unknown learner 'cart\\u{1b}[31m'"]),
    ] {
        let said = folder.refused(&["fit", "builtin:iris", "--scheme", scheme]);
        contains(&said, parts);
        contains(&said, &["hint: `secateur schemes`"]);
    }
}

#[test]
fn options_for_classes_are_refused_for_numbers() {
    let folder = Folder::new();
    for scheme in ["cart:criterion=gini", "cart:chi2=0.05", "c45:guards=off", "id3:cuts=2"] {
        contains(&folder.refused(&["fit", "builtin:friedman", "--scheme", scheme]), &["error: "]);
    }
    // The task is said, so the file is not even looked for.
    contains(
        &folder.refused(&["fit", "none.csv", "--task", "regression", "-s", "cart:criterion=gini"]),
        &["criterion=gini is for classification"],
    );
}

#[test]
fn every_learner_takes_the_extremes_of_every_option() {
    let folder = Folder::new();
    let told = folder.json(&["schemes"]);
    for learner in told["learners"].as_array().unwrap() {
        let id = learner["id"].as_str().unwrap();
        for option in learner["options"].as_array().unwrap() {
            let name = option["name"].as_str().unwrap();
            let values: Vec<String> = match option["choices"].as_array() {
                Some(choices) => choices.iter().map(|c| c.as_str().unwrap().into()).collect(),
                None => {
                    ["min", "max"].iter().filter_map(|k| option[k].as_f64()).map(|x| x.to_string()).collect()
                }
            };
            for value in values {
                let scheme = format!("{id}:{name}={value}");
                for data in ["builtin:weather", "builtin:friedman?n=40"] {
                    let done = folder.run(&["fit", data, "--scheme", &scheme]);
                    assert!(
                        done.code == 0 || done.code == 2,
                        "{scheme} on {data}: {} {}",
                        done.code,
                        done.err
                    );
                    assert!(!done.err.contains("panicked"), "{scheme} on {data}: {}", done.err);
                }
            }
        }
    }
}
