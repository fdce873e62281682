//! `fit`, `path` and the page tell one story: the tree that the path marks is the fitted one, the page opens at it, and all three have the same errors
//! and the same confusion matrix.

use secateur::data::{CodedTable, ReadOptions, Roles, builtin, read};
use secateur::fit::{FitOptions, Validation, fit_alone, path_in};
use secateur::page::{Page, PageInfo};
use secateur::progress::Silent;
use secateur::schema::Task;
use secateur::scheme::Scheme;
use secateur::training::TreeCache;
use secateur::tree::{Model, ModelInfo};
use secateur_testing::data;
use serde_json::Value;

const BUILTIN: [&str; 16] = [
    "weather",
    "iris",
    "balance-scale",
    "tic-tac-toe",
    "subsets",
    "monks-1",
    "monks-2",
    "monks-3?noise=0.1",
    "credit?n=300",
    "fraud?n=400",
    "waveform-21?n=150",
    "houses?n=150",
    "friedman?n=120",
    "friedman2?n=100",
    "friedman3?n=100",
    "g2c15?n=150",
];

/// Every scheme whose pruner has a path, with every way to choose from it, and the default.
fn schemes(task: Task, rows: usize) -> Vec<Scheme> {
    let mut texts = vec![Scheme::default_for(task, rows).unwrap().to_string()];
    let paths =
        crate::laws::outside::pruners().into_iter().filter(|p| p.only.fits(task) && p.parameter().is_some());
    for pruner in paths {
        let id = pruner.info.id;
        let has = |option: &str| pruner.info.param(option).is_some_and(|param| param.only.fits(task));
        for (option, text) in [
            ("cv", format!("cart:max-depth=5/{id}:cv=3")),
            ("se", format!("cart:max-depth=4,leaf-values=shrink/{id}:cv=3,se=0.5")),
            ("holdout", format!("cart:max-depth=4,leaf-values=shrink/{id}:holdout=0.3")),
            ("choose-by", format!("cart:max-depth=4,leaf-values=shrink/{id}:cv=3,choose-by=log-loss")),
        ] {
            texts.extend(has(option).then_some(text));
        }
    }
    texts.iter().map(|text| text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))).collect()
}

fn json(tree: &secateur::tree::Tree, scheme: &Scheme) -> String {
    let tree = tree.clone().with_conformal(None);
    let about = ModelInfo { full: tree.size(), ..ModelInfo::default() };
    let mut json = Vec::new();
    Model { tree, scheme: scheme.to_string(), about }.to_json(&mut json).unwrap();
    String::from_utf8(json).unwrap()
}

/// What the page's script reads.
fn payload(page: &Page) -> Value {
    let page = page.to_string();
    let (_, rest) = page.split_once("id=\"tree-data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn near(a: f64, b: f64, what: &str) {
    // The page writes five significant digits.
    assert!((a - b).abs() <= 5e-5 * b.abs().max(1e-9), "{what}: {a} {b}");
}

fn one_story(name: &str, table: &CodedTable) {
    for scheme in schemes(table.task(), table.rows()) {
        let what = format!("{name} {scheme}");
        let options = FitOptions::default();
        let trees = TreeCache::new(table, &options).unwrap();
        let fitted = fit_alone(&trees, &scheme, &Silent).unwrap_or_else(|e| panic!("{what}: {e}"));
        let (tree, estimate) = (fitted.tree.clone(), fitted.estimate.clone().unwrap());

        let path = path_in(&trees, &scheme, None, &Silent).unwrap();
        let selected = path.selected.unwrap_or_else(|| panic!("{what}: nothing is marked"));
        assert_eq!(json(&path.tree(selected).unwrap(), &scheme), json(&tree, &scheme), "{what}");
        let (error, _) = path.steps[selected].validated.unwrap();
        near(estimate.apparent(), error, &format!("{what}: the error of fit and of the path"));

        let report = fitted.into_report(table, &scheme, &options);
        let page =
            payload(&Page::of_fit(&report, (&trees, &scheme), 3, &PageInfo::default(), &Silent).unwrap());
        near(page["estimate"]["error"].as_f64().unwrap(), estimate.error, &what);
        // Raised branches are not on the path of the full tree.
        let place = page["start"][0].as_u64().unwrap() as usize;
        let pruners: Vec<&Value> =
            page["paths"].as_array().unwrap().iter().map(|path| &path["pruner"]).collect();
        assert_eq!(place, 0, "{what}: the page opens on another path of {pruners:?}");
        let shown = &page["paths"][0];
        assert_eq!(shown["pruner"], scheme.pruner.as_ref().unwrap().info().id, "{what}");
        let member = page["start"][1].as_u64().unwrap() as usize;
        near(
            shown["errors"][member].as_f64().unwrap(),
            error,
            &format!("{what}: the error on the page, member {member} of {selected}"),
        );
        for (step, page_error) in path.steps.iter().zip(shown["errors"].as_array().unwrap()) {
            if let (Some((error, _)), Some(drawn)) = (step.validated, page_error.as_f64()) {
                near(drawn, error, &format!("{what}: the curve on the page at {}", step.parameter));
            }
        }
        let Some(Validation::Classes { confusion, .. }) = report.validation else { continue };
        let on_page = shown["confusions"].as_array().unwrap().iter().find(|one| one["member"] == member);
        let on_page =
            on_page.unwrap_or_else(|| panic!("{what}: no confusion matrix"))["weights"].as_array().unwrap();
        for (drawn, weight) in on_page.iter().zip(confusion.iter().flatten()) {
            near(drawn.as_f64().unwrap(), *weight, &what);
        }
    }
}

#[test]
fn fit_path_and_page_agree_on_every_scheme_with_a_path() {
    for name in BUILTIN {
        let table = CodedTable::new(&builtin::load(name).unwrap(), &Roles::default()).unwrap();
        one_story(name, &table);
    }
}

#[test]
fn fit_path_and_page_agree_on_public_tables() {
    let names = ["hepatitis", "labor", "autos", "zoo", "glass", "lymphography"];
    for name in names {
        let Some(folder) = data() else { return };
        let file = folder.join("classification").join(format!("{name}.arff"));
        let table = read(file.to_str().unwrap(), &ReadOptions::default(), &Silent).unwrap();
        one_story(name, &CodedTable::new(&table, &Roles::default()).unwrap());
    }
}
