//! `secateur reproduce`.

use super::*;

#[test]
fn experiments_are_listed() {
    let folder = Folder::new();
    let text = folder.run(&["reproduce"]).ok();
    contains(
        &text,
        &["Shi 2007", "shi-4.14", "zhong-6.2", "mansour-artificial", "elkhouri-8", "holder-hypotheses"],
    );
    let listed = folder.json(&["reproduce"])["experiments"].take();
    assert!(listed.as_array().unwrap().len() >= 59);
    assert_eq!(keys(&listed[0]), ["document", "id", "title"]);
}

/// Shi, Table 2.1: all numbers, to the last digit.
#[test]
fn a_sequence_comes_out_as_printed() {
    let told = Folder::new().json(&["reproduce", "shi-2.1"]);
    assert_eq!(told["agreement"]["exact"], 32);
    assert_eq!((&told["agreement"]["off"], &told["agreement"]["unmeasured"]), (&0.into(), &0.into()));
    assert_eq!(told["conclusions"][0]["measured"], "holds");
    let cell = &told["cells"][2];
    assert_eq!((cell["dataset"].as_str(), cell["scheme"].as_str()), (Some("balance-scale"), Some("cart")));
}

#[test]
fn the_artificial_data_of_mansour_are_pruned_to_three_nodes() {
    let told = Folder::new().json(&["reproduce", "mansour-artificial"]);
    for conclusion in told["conclusions"].as_array().unwrap() {
        assert_eq!(conclusion["measured"], "holds", "{conclusion}");
    }
    assert!(told["agreement"]["share"].as_f64().unwrap() > 0.7, "{}", told["agreement"]);
}

/// Worked examples and figures: what does not come out is a misprint, and said to be one.
#[test]
fn worked_examples_come_out_as_printed() {
    for (id, exact, off) in [
        ("shi-3.1", 42, 0),
        ("shi-3.2", 20, 0),
        ("shi-a", 63, 3),
        ("zhong-b", 29, 1),
        ("zhong-b-sequence", 4, 0),
    ] {
        let told = Folder::new().json(&["reproduce", id]);
        let agreement = &told["agreement"];
        assert_eq!((&agreement["exact"], &agreement["off"]), (&exact.into(), &off.into()), "{id}");
        assert_eq!(agreement["unmeasured"], 0, "{id}");
        for cell in told["cells"].as_array().unwrap().iter().filter(|c| c["agreement"] == "off") {
            assert!(cell["doubt"].is_string(), "{cell}");
        }
        for conclusion in told["conclusions"].as_array().unwrap() {
            assert_eq!(conclusion["measured"], "holds", "{id}: {conclusion}");
        }
    }
}

#[test]
fn tolerances_marks_and_both_verdicts_are_told() {
    let folder = Folder::new();
    let call = ["reproduce", "shi-4.14", "--datasets", "iris,balance-scale"];
    // Markdown has no line breaks inside a paragraph.
    let text = folder.run(&[&call[..], &["--format", "markdown"]].concat()).ok();
    contains(
        &text,
        &[
            "Tolerance: accuracy: 1.5 (3 below 200 rows).",
            "half a unit of the last printed digit",
            "printed marks of significance",
            "Significance, printed and measured",
            "in print, these data sets",
            "In print: ",
        ],
    );
    let told = folder.json(&call);
    // The four best-first columns of both are equal in every digit.
    assert!(told["agreement"]["exact"].as_u64().unwrap() >= 8, "{}", told["agreement"]);
    assert_eq!(told["marks"].as_array().unwrap().len(), 8);
    assert_eq!(told["conclusions"][0]["published_on_these"], "holds");
}

#[test]
fn several_tables_are_run_at_once_and_summed_up() {
    let folder = Folder::new();
    let ids = ["reproduce", "shi-4.11", "shi-4.12", "shi-2.1"];
    let sets = ["--datasets", "balance-scale"];
    let alone = folder.json(&["reproduce", "shi-4.12", "--datasets", "balance-scale"]);
    let together = folder.json(&[&ids[..], &sets].concat())["experiments"].take();
    assert_eq!(together.as_array().unwrap().len(), 3);
    assert_eq!(together[1]["cells"], alone["cells"]);
    let text = folder.run(&[&ids[..], &sets, &["--reports", "out", "--format", "markdown"]].concat()).ok();
    contains(&text, &["Summary", "| shi-4.11 |", "| shi-2.1 |"]);
    contains(&folder.read("out/summary.md"), &["| shi-4.12 |", "tolerance"]);
    contains(&folder.read("out/shi-4.12.md"), &["for 2 tables in one run"]);
    contains(&folder.refused(&["reproduce", "shi-2.1", "shi-2.1"]), &["twice"]);
    contains(&folder.refused(&[&ids[..], &["--results", "r.jsonl"]].concat()), &["--results is for one"]);
}

#[test]
fn a_data_set_of_ones_own_stands_in_for_one_of_the_table() {
    let folder = Folder::new();
    let refused = folder.refused(&["reproduce", "shi-4.17"]);
    contains(&refused, &["RDG1", "--file arti1000=FILE"]);
    let rows: String = (0..60).map(|i| format!("{},{}\n", i % 7, ["yes", "no"][i % 2])).collect();
    folder.write("made.csv", format!("x,class\n{rows}"));
    let told = folder.json(&["reproduce", "shi-4.17", "--file", "arti1000=made.csv"]);
    assert_eq!(told["agreement"]["unmeasured"], 0);
    contains(&folder.refused(&["reproduce", "shi-4.17", "--file", "made.csv"]), &["NAME=FILE"]);
}

#[test]
fn a_quick_run_is_reported_in_every_format() {
    let folder = Folder::new();
    let call = ["reproduce", "zhong-6.5", "--datasets", "iris"];
    let text = folder.run(&call).ok();
    contains(
        &text,
        &["zhong-6.5", "printed", "measured", "What the document concludes", "1. The error of 2-norm"],
    );
    for (format, part) in
        [("markdown", "| iris"), ("csv", "iris,"), ("latex", "\\begin{tabular}"), ("html", "<table")]
    {
        let text = folder.run(&[&call[..], &["--format", format]].concat()).ok();
        contains(&text, &["iris", part]);
    }
    contains(&folder.refused(&[&call[..], &["--format", "pdf"]].concat()), &["pdf", "markdown"]);
}

#[test]
fn an_interrupted_run_goes_on_and_other_threads_give_the_same_file() {
    let folder = Folder::new();
    let call = ["reproduce", "shi-4.14", "--datasets", "iris", "--results"];
    let whole = folder.json(&[&call[..], &["a.jsonl", "--threads", "1"]].concat());
    let lines = folder.read("a.jsonl");
    // 100 folds, six schemes, and the line that says what it is.
    assert_eq!(lines.lines().count(), 601);
    let cut = lines.len() / 3;
    folder.write("b.jsonl", &lines[..cut]);
    let resumed = folder.json(&[&call[..], &["b.jsonl", "--threads", "2"]].concat());
    assert_eq!(folder.read("b.jsonl"), lines);
    assert_eq!(resumed["cells"], whole["cells"]);
}

#[test]
fn an_experiment_of_ones_own() {
    let folder = Folder::new();
    folder.write(
        "mine.toml",
        r#"
id = "mine"
title = "Two ways to prune"
document = "my notes"
kind = "table"
datasets = ["iris", "weather"]
protocol = { name = "cv", folds = 5 }
test = { kind = "corrected-t", level = 0.05 }
scheme = [{ name = "full", scheme = "cart" }, { name = "pruned", scheme = "cart/mdl" }]
measure = [{ metric = "size", measure = "nodes" }]
[[conclusion]]
text = "Pruned trees are not larger"
rules = [{ kind = "means", metric = "size", scheme = "pruned", is = "not-larger", than = "full" }]
"#,
    );
    let told = folder.json(&["reproduce", "mine.toml"]);
    assert_eq!(told["conclusions"][0]["measured"], "holds");
    let text = folder.run(&["reproduce", "mine.toml"]).ok();
    contains(&text, &["size, measured", "weather", "Pruned trees are not larger"]);
}

#[test]
fn an_experiment_whose_name_leaves_the_folder_of_reports_is_refused() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("in/out")).unwrap();
    for id in ["../../evil", "/tmp/evil", "..", "aux", "a\\\\b", "summary"] {
        let head =
            format!("id = \"{id}\"\ntitle = 'x'\ndocument = 'x'\nkind = 'table'\ndatasets = ['weather']\n");
        let rest = "protocol = { name = 'cv', folds = 2 }\nscheme = [{ name = 'a', scheme = 'cart' }]\n\
                    measure = [{ metric = 'size', measure = 'nodes' }]\n";
        folder.write("in/mine.toml", head + rest);
        let refused = folder.refused(&["reproduce", "in/mine.toml", "--reports", "in/out"]);
        contains(&refused, &["in/mine.toml: not a valid experiment: id: "]);
    }
    assert_eq!(std::fs::read_dir(folder.path("in/out")).unwrap().count(), 0);
    assert_eq!(std::fs::read_dir(folder.path("")).unwrap().count(), 1, "only the folder of the test");
}

#[test]
fn bad_calls_are_refused() {
    let folder = Folder::new();
    contains(&folder.refused(&["reproduce", "shi-4.41"]), &["shi-4.41", "did you mean"]);
    contains(&folder.refused(&["reproduce", "shi-4.14", "--datasets", "irs"]), &["'irs'", "iris"]);
    contains(&folder.refused(&["reproduce", "shi-4.14", "--data", "nowhere"]), &["nowhere", "INDEX.csv"]);
    folder.write("INDEX.csv", "name,place\niris,x.arff\n");
    contains(&folder.refused(&["reproduce", "shi-4.14", "--data", "."]), &["INDEX.csv", "no column file"]);
    folder.write("bad.toml", "id = 3");
    contains(&folder.refused(&["reproduce", "bad.toml"]), &["bad.toml", "not a valid experiment"]);
    folder.write("other.jsonl", "{\"something\": \"else\"}\n");
    let call = ["reproduce", "shi-4.14", "--datasets", "iris", "--results", "other.jsonl"];
    contains(&folder.refused(&call), &["other.jsonl", "line 1"]);
}

#[test]
fn a_data_set_that_is_not_there_is_named_and_the_rest_goes_on() {
    let folder = Folder::new();
    let told = folder.json(&["reproduce", "zhong-6.5", "--datasets", "iris,promoters"]);
    assert_eq!(told["missing"][0][0], "promoters");
    assert!(told["cells"].as_array().unwrap().iter().all(|c| c["dataset"] == "iris"));
}
