//! `secateur suite`.

use super::*;

/// A suite that takes seconds.
pub(super) const SMALL: &str = r#"
id = "small"
title = "Small"
folds = 4
least_rows = 20
most_rows = 200
repeats = [{ rows = 160, times = 2 }, { times = 1 }]

[classes]
before = "cart/mdl"
root = "cart:max-depth=0"
trees = ["cart/mdl", "cart/cost-complexity:cv=3", "cart/cost-complexity:cv=3,1se"]
shown = ["cart/mdl", "cart/cost-complexity:cv=3"]

[numbers]
before = "cart/cost-complexity:cv=3"
root = "cart:max-depth=0"
trees = ["cart", "cart/cost-complexity:cv=3", "cart/cost-complexity:cv=3,1se"]
shown = ["cart"]

[[table]]
name = "width"
data = "iris"
target = "petalwidth"

[[table]]
name = "friedman"
data = "builtin:friedman?n=60"

[[table]]
name = "absent"
data = "nowhere"
"#;

const DATA: [&str; 5] =
    ["builtin:iris", "builtin:balance-scale", "builtin:monks-1", "builtin:weather", "builtin:credit?n=150"];

/// A folder with the suite in it.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("small.toml", SMALL);
    folder
}

/// A call on all tables.
fn call<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["suite", "small.toml"], &DATA[..], more].concat()
}

/// The files of a folder.
fn files(folder: &Folder, name: &str) -> Vec<(String, String)> {
    let paths = std::fs::read_dir(folder.path(name)).unwrap().map(|entry| entry.unwrap().path());
    let file = |path: PathBuf| {
        (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(path).unwrap())
    };
    let mut list: Vec<(String, String)> = paths.map(file).collect();
    list.sort();
    list
}

#[test]
fn a_suite_writes_a_page_and_a_second_run_the_same_bytes() {
    let folder = folder();
    let text = folder.run(&call(&["--page", "a.md", "--results", "kept"])).ok();
    contains(&text, &["classes: means over 4 tables", "numbers: means over 2 tables"]);
    contains(&text, &["absent took no part: its file is not there", "weather took no part: it has 14 rows"]);
    let page = folder.read("a.md");
    contains(&page, &["# Small", "### The rule", "balance-scale with 157 of its 625 rows"]);
    contains(&page, &["3 schemes on 4 tables with classes; 3 schemes on 2 tables with numbers"]);
    assert!(!page.contains("{{") && !page.contains("NaN"), "{page}");
    let first = files(&folder, "a");
    let names: Vec<&str> = first.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "means.csv",
        "ranks-accuracy-classes.svg",
        "ranks-brier-classes.svg",
        "ranks-rmse-numbers.svg",
        "schemes-classes.md",
        "schemes-numbers.md",
        "size-brier-classes.svg",
        "size-classes.svg",
        "size-numbers.svg",
        "tables-classes.md",
        "tables-numbers.md",
        "times.md",
    ];
    assert_eq!(names, expected);
    for name in &expected {
        assert!(page.contains(&format!("(a/{name})")), "{name} is not on the page");
    }
    // From the results that are kept: all files. From none, on one thread: all but the times.
    folder.run(&call(&["--page", "a.md", "--results", "kept"])).ok();
    assert_eq!(files(&folder, "a"), first);
    std::fs::create_dir(folder.path("b")).unwrap();
    folder.run(&call(&["--page", "b/a.md", "--results", "other", "--threads", "1"])).ok();
    assert_eq!(folder.read("b/a.md").replace("b/a.md", "a.md"), page);
    for (a, b) in files(&folder, "b/a").iter().zip(&first).filter(|(a, _)| a.0 != "times.md") {
        assert_eq!(a, b);
    }
    for (a, b) in
        files(&folder, "kept").iter().zip(&files(&folder, "other")).filter(|(a, _)| a.0.ends_with("jsonl"))
    {
        assert_eq!(a, b);
    }
}

#[test]
fn texts_of_the_suite_are_no_markup_on_the_page() {
    let folder = folder();
    let suite = SMALL.replace("title = \"Small\"", "title = \"<script>alert(1)</script> [a](javascript:b)\"");
    folder.write("small.toml", suite.replace("\"absent\"", "\"<img src=x onerror=b>\""));
    folder.run(&call(&["--page", "a b).md", "-q"])).ok();
    let page = folder.read("a b).md");
    assert!(
        page.starts_with("# \\<script\\>alert(1)\\</script\\> \\[a\\](javascript:b)\n"),
        "{}",
        &page[..200]
    );
    contains(&page, &["Left out: \\<img src=x onerror=b\\>", "](a%20b%29/means.csv)"]);
    assert!(folder.path("a b)/means.csv").is_file());
}

/// Names of tables, in an INDEX.csv and in the suite, become names of result files.
#[test]
fn a_table_whose_name_leaves_the_folder_of_results_is_refused() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("in/kept")).unwrap();
    let rows: String = (0..30).map(|i| format!("{i},{}\n", ["a", "b"][i % 2])).collect();
    folder.write("in/t.csv", format!("x,y\n{rows}"));
    folder.write("in/small.toml", SMALL);
    let call = ["suite", "in/small.toml", "in", "--results", "in/kept"];
    for name in ["../../evil", "..", "/tmp/evil", "a\\b", "nul"] {
        folder.write("in/INDEX.csv", format!("name,file\n{name},t.csv\n"));
        contains(
            &folder.refused(&call),
            &["cannot be that of a file", "rename it in INDEX.csv or in the suite"],
        );
    }
    folder.write("in/INDEX.csv", "name,file\nt,t.csv\n");
    let table = "[[table]]\nname = '../evil'\ndata = 't'\n";
    folder.write("in/small.toml", format!("{SMALL}{table}"));
    contains(&folder.refused(&call), &["'../evil' cannot be that of a file, as it contains '/'"]);
    let left: Vec<String> = files(&folder, "in/kept").into_iter().map(|(name, _)| name).collect();
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 1, "only the folder of the test");
}

#[test]
fn the_json_says_what_the_rule_says() {
    let told = folder().json(&call(&[]));
    let schemes = told["classes"]["schemes"].as_array().unwrap();
    assert_eq!(schemes.len(), 3);
    let number = |scheme: &Value, key: &str| scheme[key].as_f64().unwrap();
    let candidates: Vec<&Value> = schemes.iter().filter(|scheme| scheme["behind"].is_array()).collect();
    assert_eq!(candidates.len(), 2);
    for candidate in candidates {
        let is_worse = candidate["is_worse"].as_array().unwrap();
        assert_eq!(candidate["behind"].as_array().unwrap().len(), is_worse.len());
        assert_eq!(candidate["left"], !is_worse.contains(&Value::Bool(true)));
    }
    let left = schemes.iter().filter(|scheme| scheme["left"] == true);
    let best = left.min_by(|a, b| number(a, "log_leaves").total_cmp(&number(b, "log_leaves")));
    // Where none is left, the default stays.
    assert_eq!(told["classes"]["default"], best.map_or(Value::Null, |best| best["scheme"].clone()));
    assert_eq!(told["numbers"]["tables"].as_array().unwrap().len(), 2);
    assert_eq!(told["left_out"].as_array().unwrap().len(), 2);
}

#[test]
fn what_is_not_there_is_told() {
    let folder = folder();
    contains(&folder.refused(&["suite", "witch-tree", "builtin:iris"]), &["there is no suite 'witch-tree'"]);
    contains(&folder.refused(&call(&["--tables", "irsi"])), &["there is no table irsi", "'iris'"]);
    contains(&folder.refused(&call(&["--tables", "weather"])), &["no table to run the suite on", "14 rows"]);
    folder.write("broken.toml", "id = 'a'\n\nname = 'b'");
    contains(&folder.refused(&["suite", "broken.toml", "builtin:iris"]), &["broken.toml, line 3"]);
}
