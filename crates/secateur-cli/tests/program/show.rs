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
