use serde_json::Value;

use super::*;
use crate::data::{CodedTable, Roles, builtin};
use crate::fit::fit_alone;
use crate::progress::Silent;
use crate::training::FitOptions;
use crate::tree::ModelInfo;
use crate::tree::testing::{chain, random};

fn saved(tree: Tree, scheme: &str) -> Model {
    let about = ModelInfo { full: tree.size(), ..ModelInfo::default() };
    Model { tree, scheme: scheme.into(), about }
}

/// What the page of a fit reads.
fn payload(data: &str, scheme: &str) -> Value {
    let table = CodedTable::new(&builtin::load(data).unwrap(), &Roles::default()).unwrap();
    let (options, scheme) = (FitOptions::default(), scheme.parse().unwrap());
    let trees = TreeCache::new(&table, &options).unwrap();
    let fitted = fit_alone(&trees, &scheme, &Silent).unwrap();
    let report = fitted.into_report(&table, &scheme, &options);
    let page = Page::of_fit(&report, (&trees, &scheme), 5, &PageInfo::default(), &Silent);
    serde_json::from_str(&page.unwrap().payload).unwrap()
}

fn ids(payload: &Value) -> Vec<&str> {
    payload["paths"].as_array().unwrap().iter().map(|path| path["pruner"].as_str().unwrap()).collect()
}

#[test]
fn the_scheme_s_own_path_comes_first_and_begins_at_the_fitted_tree() {
    let page = payload("iris", "cart/k-norm:cv=10,lambda=0.5");
    assert_eq!(
        page["paths"][0]["text"],
        serde_json::json!(["k-norm:k=", ",lambda=0.5", "k-norm:lambda=0.5"])
    );
    assert_eq!(ids(&page).len(), 8);
    let start = page["start"][1].as_u64().unwrap();
    let marks = page["paths"][0]["marks"].as_array().unwrap();
    assert!(marks.contains(&serde_json::json!(["as fitted", start])), "{marks:?}");
    assert!(marks.contains(&serde_json::json!(["lowest error", start])), "{marks:?}");
    let members = page["paths"][0]["parameters"].as_array().unwrap().len();
    assert_eq!(page["paths"][0]["errors"].as_array().unwrap().len(), members);
    assert_eq!(page["judged"], "10-fold cross-validation");
}

#[test]
fn the_page_begins_at_the_parameter_that_the_scheme_fixes() {
    // Several confidence levels give the same tree.
    for (scheme, parameter) in
        [("c45/error-based", 0.25), ("c45/error-based:cf=0.2", 0.2), ("cart/k-norm:k=2", 2.0)]
    {
        let page = payload("balance-scale", scheme);
        let start = page["start"][1].as_u64().unwrap() as usize;
        let path = &page["paths"][0];
        let found = path["parameters"][start].as_f64().unwrap();
        let next = path["parameters"][start + 1].as_f64().unwrap_or(f64::INFINITY);
        let is_there = if path["is_exact"] == true {
            found == parameter
        } else {
            found <= parameter && parameter < next
        };
        assert!(is_there, "{scheme}: {found}");
    }
}

#[test]
fn rivals_and_matrices_belong_to_pages_with_rows() {
    let page = payload("iris", "cart/cost-complexity:cv=5");
    let rivals = &page["rivals"];
    let count = |key: &str| rivals[key].as_array().unwrap().len();
    assert_eq!((count("nodes"), count("gain")), (8, count("attribute")));
    let total: u64 = rivals["count"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(total as usize, count("test"));
    let start = page["start"][1].as_u64().unwrap();
    let matrices = page["paths"][0]["confusions"].as_array().unwrap();
    let own = matrices.iter().find(|one| one["member"] == start).unwrap();
    let weights: Vec<f64> = own["weights"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).collect();
    let wrong = weights.iter().sum::<f64>() - weights[0] - weights[4] - weights[8];
    let error = page["paths"][0]["errors"][start as usize].as_f64().unwrap();
    assert!((wrong / 150.0 - error).abs() < 1e-4, "{wrong} of 150, {error}");
}

#[test]
fn a_tree_of_no_path_has_one_of_its_own() {
    let method: Method = "cart/mdl".parse::<Scheme>().unwrap().pruner.unwrap();
    let mut own = 0;
    for seed in 0..20 {
        let tree = random(seed, 25, 2);
        let leaves: Vec<usize> = (5..tree.nodes().len()).find(|&id| !tree.is_leaf(id)).into_iter().collect();
        let mut paths = paths_of(&tree, None).unwrap();
        let (path, member) = start(
            &mut paths,
            &tree,
            Start { label: "as fitted", leaves: &leaves, own: Some(&method), chosen: None },
        );
        let cut: Vec<bool> = (0..tree.nodes().len()).map(|id| leaves.contains(&id)).collect();
        // Wherever it begins, the tree is the one that was cut.
        let (_, size) = paths[path].members_in_words(&tree)[member.unwrap()].clone();
        assert_eq!(size, tree.cut(&cut).leaves());
        own += usize::from(paths[path].pruner() == "mdl");
    }
    assert!(own > 5, "{own}");
}

#[test]
fn held_out_rows_judge_where_the_scheme_chooses_by_them() {
    let page = payload("balance-scale", "cart/cost-complexity:holdout=0.3");
    assert_eq!(page["judged"], "held-out rows");
    assert!(page["paths"][1]["errors"].as_array().unwrap().iter().any(|e| e.as_f64() > Some(0.0)));
}

#[test]
fn a_raised_tree_is_explored_as_it_is() {
    let page = payload("balance-scale", "c45/error-based:raising,cf=0.1");
    let notes = page["notes"].as_array().unwrap();
    assert!(notes.iter().any(|note| note == RAISED) || page["judged"] != Value::Null);
}

#[test]
fn numbers_have_the_paths_made_for_them() {
    let page = payload("friedman?n=200", "cart/cost-complexity:cv=5");
    assert!(!ids(&page).contains(&"k-norm") && ids(&page).contains(&"critical-value"), "{:?}", ids(&page));
    assert!(page["rule"].is_null() && page["tree"]["mean"].is_array());
}

#[test]
fn members_of_nested_paths_are_what_pruning_at_their_parameter_gives() {
    for seed in 0..12 {
        let model = saved(random(seed, 25, seed as usize % 3), "cart");
        for method in methods(&model.tree, None) {
            let path = PathColumns::of(&model.tree, &method, None).unwrap().unwrap();
            for (with, leaves) in path.members_in_words(&model.tree) {
                assert_eq!(model.clone().prune(&with).unwrap().tree.leaves(), leaves, "{with} of {seed}");
            }
        }
    }
}

#[test]
fn names_cannot_leave_the_element_they_are_in() {
    let mut model = saved(chain(9), "cart");
    model.about.data = "</script><script>alert(1)</script>".into();
    let info = PageInfo { title: "</title><script>alert(1)</script>&".into(), ..PageInfo::default() };
    let text = Page::of_model(&model, &info).unwrap().to_string();
    assert!(!text.contains("<script>alert"), "{text}");
    assert!(text.contains("&lt;script&gt;alert(1)&lt;"));
    assert_eq!(text.matches("</script>").count(), 2);
    assert!(text.contains("default-src 'none'"));
}

#[test]
fn whole_weights_are_written_at_leaves_only() {
    let page: Value = serde_json::from_str(
        &Page::of_model(&saved(chain(9), "cart"), &PageInfo::default()).unwrap().payload,
    )
    .unwrap();
    assert_eq!(
        (&page["tree"]["sums"], &page["tree"]["present"]),
        (&true.into(), &serde_json::json!([1, 1, 1, 1, 1]))
    );
    assert!(page["tree"]["weight"].is_null());
}
