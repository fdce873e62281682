//! `secateur show`.

use super::*;

fn iris() -> Folder {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:iris", "-s", "cart", "-o", "m.json", "-q"]).ok();
    folder
}

#[test]
fn text_rules_and_dot() {
    let folder = iris();
    let text = folder.run(&["show", "m.json"]).ok();
    contains(&text, &["petallength < 2.45 → Iris-setosa", "9 leaves"]);
    contains(&folder.run(&["show", "m.json", "--format", "rules"]).ok(), &["1. IF ", "9. IF "]);
    contains(&folder.run(&["show", "m.json", "--format", "dot"]).ok(), &["digraph"]);
    let told = folder.json(&["show", "m.json"]);
    assert_eq!(told["text"], text);
    assert_eq!(
        (&told["format"], &told["tree"]["leaves"], &told["scheme"]),
        (&"text".into(), &9.into(), &"cart".into())
    );
}

#[test]
fn every_option_changes_something_or_is_refused() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:chain?n=1000", "-s", "cart", "-o", "m.json", "-q"]).ok();
    let show = |args: &[&str]| folder.run(&[&["show", "m.json"], args].concat()).ok();
    let plain = show(&[]);
    assert!(show(&["--ascii"]).is_ascii() && !plain.is_ascii());
    assert!(show(&["--all"]).lines().count() > plain.lines().count());
    assert!(show(&["--depth", "2"]).lines().count() < plain.lines().count());
    assert_ne!(show(&["--width", "40"]), plain);
    let rules = show(&["--format", "rules"]);
    assert!(show(&["--format", "rules", "--all"]).len() > rules.len());
    assert_ne!(show(&["--format", "dot", "--depth", "2"]), show(&["--format", "dot"]));
    for args in [
        &["--format", "dot", "--ascii"][..],
        &["--format", "dot", "--all"],
        &["--format", "dot", "--width", "60"],
        &["--format", "rules", "--depth", "2"],
        &["--order", "coverage"],
    ] {
        contains(
            &folder.refused(&[&["show", "m.json"], args].concat()),
            &["changes nothing", "leave it out"],
        );
    }
    let svg = show(&["--format", "svg"]);
    assert!(show(&["--format", "svg", "--all"]).len() > svg.len());
    assert!(show(&["--format", "svg", "--depth", "2"]).len() < svg.len());
    for args in [
        &["--depth", "0"][..],
        &["--depth", "-1"],
        &["--width", "10"],
        &["--format", "gif"],
        &["--format", "svg", "--all", "--depth", "3"],
    ] {
        folder.refused(&[&["show", "m.json"], args].concat());
    }
}

#[test]
fn pictures_are_files_of_their_kind() {
    let folder = iris();
    let svg = folder.run(&["show", "m.json", "--format", "svg"]).ok();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    contains(
        &svg,
        &[">petallength</text>", ">&lt; 2.45</text>", ">Iris-setosa</text>", ">150 rows, 9 leaves</text>"],
    );
    // The extension says the format, and the file holds the same.
    assert_eq!(folder.run(&["show", "m.json", "-o", "tree.svg"]).ok(), "");
    assert_eq!(folder.read("tree.svg"), svg);
    folder.run(&["show", "m.json", "-o", "tree.png"]).ok();
    let png = std::fs::read(folder.path("tree.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n") && png.len() > 5_000);
    let told = folder.json(&["show", "m.json", "--format", "svg"]);
    assert_eq!((&told["text"], &told["format"]), (&svg.as_str().into(), &"svg".into()));
    let told = folder.json(&["show", "m.json", "-o", "again.png"]);
    assert_eq!((&told["text"], &told["output"]), (&serde_json::Value::Null, &"again.png".into()));
    assert_eq!(std::fs::read(folder.path("again.png")).unwrap(), png);
}

#[test]
fn a_large_tree_gives_a_picture_of_its_heaviest_nodes() {
    let folder = Folder::new();
    folder.run(&["fit", "builtin:chain?n=1000", "-s", "cart", "-o", "m.json", "-q"]).ok();
    let run = folder.run(&["show", "m.json", "-o", "tree.svg"]);
    contains(&run.err, &["heaviest nodes", "--depth", "--all"]);
    contains(&folder.read("tree.svg"), &["leaves below", "80 nodes shown as leaves"]);
}

/// A table whose names are long, alike at their beginnings, wide, or without a space to break at.
fn long_names() -> String {
    let same = "the number of months since the account was opened";
    let kinds =
        ["at this bank", "at another bank, abroad", "at another bank, here", "日本語の長い長い名前の銀行"];
    let classes = ["in full and on time", "in full but late", &"x".repeat(90)];
    let mut out = format!("{same} (kind),{same} (count),city,the answer that is expected of the customer\n");
    for i in 0..600 {
        let class = if i % 4 == 1 { 2 } else { usize::from(i % 7 == 2 || i % 60 < 20) };
        let (kind, city, class) = (kinds[i % 4], i % 60, classes[class]);
        out += &format!(
            "\"{same} {kind}\",{},City of {city} and the places around it,the customer repays {class}\n",
            i % 7
        );
    }
    out
}

#[test]
fn nothing_is_wider_than_asked_for_and_no_class_is_shortened() {
    use unicode_width::UnicodeWidthStr;
    let folder = Folder::new();
    folder.write("long.csv", long_names());
    folder.run(&["fit", "long.csv", "-s", "cart:min-leaf=3", "-o", "m.json", "-q"]).ok();
    let dense = |text: &str| -> String {
        text.chars().filter(|c| !c.is_whitespace() && !"│├└─".contains(*c)).collect()
    };
    let classes = ["in full and on time".into(), "in full but late".into(), "x".repeat(90)];
    for width in ["40", "57", "80"] {
        for call in [
            &["fit", "long.csv", "-s", "cart/cost-complexity:cv=3"][..],
            &["fit", "long.csv", "-s", "c45:leaf-values=laplace"],
            &["show", "m.json"],
            &["show", "m.json", "--format", "rules"],
            &["prune", "m.json", "--with", "cost-complexity:alpha=0.01"],
            &["explain", "m.json", "long.csv", "--row", "1-4"],
        ] {
            let shown = folder.run(&[call, &["--width", width, "-q"]].concat()).ok();
            for line in shown.lines() {
                assert!(line.width() <= width.parse().unwrap(), "{call:?} {width}: {line}\nof\n{shown}");
            }
            // Only nodes are left out, and that is said.
            let says_what = |line: &str| line.contains(" more node") || line.contains(" below");
            let cut = shown.lines().find(|line| line.contains('…') && !says_what(line));
            assert_eq!(cut, None, "{call:?} {width}: {shown}");
            for class in &classes {
                let class = dense(&format!("the customer repays {class}"));
                assert!(dense(&shown).contains(&class), "{call:?} {width}: {class} in {shown}");
            }
        }
    }
}
