//! Dates are numbers to a tree, and dates to people: divided at midnight, saved and read back as such.

use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values};
use secateur::fit::{FitOptions, fit};
use secateur::progress::Silent;
use secateur::report::{TextOptions, text};
use secateur::schema::ShownAs;
use secateur::tree::{Condition, Model, ModelInfo};

/// A table whose class changes after the tenth day of a year.
fn table(shown_as: ShownAs) -> Table {
    let day = |i: u32| 1_577_836_800.0 + 86_400.0 * f64::from(i);
    let days = Column { name: "day".into(), values: Values::Numeric((0..20).map(day).collect()) };
    let codes = (0..20).map(|i| u32::from(i >= 10)).collect();
    let class = Nominal { levels: vec!["early".into(), "late".into()], codes };
    let class = Column { name: "class".into(), values: Values::Nominal(class) };
    Table::new("days", vec![days, class]).unwrap().with_shown_as(vec![shown_as])
}

#[test]
fn days_are_divided_at_midnight_by_every_learner() {
    for scheme in ["cart", "c45", "id3", "best-first", "cart:bins=4", "cart:threshold=data-value"] {
        let scheme = scheme.parse().unwrap();
        let tree = |shown_as| {
            let coded = CodedTable::new(&table(shown_as), &Roles::default()).unwrap();
            fit(&coded, &scheme, &FitOptions::default(), &Silent).unwrap().tree
        };
        let (plain, dated) = (tree(ShownAs::Plain), tree(ShownAs::Date));
        let Some(Condition::Threshold { below, .. }) = dated.node(0).condition else {
            panic!("{scheme}: no threshold");
        };
        assert_eq!(below % 86_400.0, 0.0, "{scheme}");
        assert_eq!(plain.nodes().len(), dated.nodes().len());
        assert!(plain.nodes().iter().zip(dated.nodes()).all(|(a, b)| a.rows == b.rows), "{scheme}");
    }
}

#[test]
fn a_saved_tree_still_shows_dates() {
    let coded = CodedTable::new(&table(ShownAs::Date), &Roles::default()).unwrap();
    let tree = fit(&coded, &"cart".parse().unwrap(), &FitOptions::default(), &Silent).unwrap().tree;
    let model = Model { tree, scheme: "cart".into(), about: ModelInfo::default() };
    let mut saved = Vec::new();
    model.to_json(&mut saved).unwrap();
    assert!(String::from_utf8_lossy(&saved).contains(r#"{"name":"day","type":"numeric","shown_as":"date"}"#));
    let read = Model::from_json("again", saved.as_slice()).unwrap();
    assert_eq!(read, model);
    let shown = text(&read.tree, TextOptions::default()).to_string();
    assert!(shown.contains("day < 2020-01-11"), "{shown}");
    assert!(shown.contains("day ≥ 2020-01-11"), "{shown}");
}
