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
    for args in [&["--depth", "0"][..], &["--depth", "-1"], &["--width", "10"], &["--format", "png"]] {
        folder.refused(&[&["show", "m.json"], args].concat());
    }
}
