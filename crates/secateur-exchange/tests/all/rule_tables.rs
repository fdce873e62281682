//! Tables of rules for people: every row belongs to one rule, and spreadsheets can open them.

use secateur::prelude::*;
use secateur_exchange::export::{self, Options};

use crate::trees::mixed;

#[test]
fn a_line_for_every_leaf_and_a_column_for_every_input() {
    let table = mixed(300, 5, 3, 0.0, 31);
    let model = Fit::new(&table, "class").scheme("cart:max-leaves=9").model().unwrap();
    let format = export::find("csv").unwrap();
    let written = export::export(&model, format, &Options::default_of(format), None).unwrap();
    let text = written.text().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + model.tree.leaves());
    assert!(
        lines[0].starts_with("rule,leaf,x,y one,colour,prediction,probability of class "),
        "{}",
        lines[0]
    );
    assert!(lines[0].ends_with("rows,weight,share of all rows"), "{}", lines[0]);
}

#[test]
fn a_workbook_is_a_zip_file_with_every_rule() {
    let table = mixed(300, 5, 3, 0.0, 31);
    let model = Fit::new(&table, "class").scheme("cart:max-leaves=9").model().unwrap();
    let format = export::find("xlsx").unwrap();
    let written = export::export(&model, format, &Options::default_of(format), None).unwrap();
    assert!(written.text().is_none());
    assert!(written.bytes.starts_with(b"PK\x03\x04"));
    let again = export::export(&model, format, &Options::default_of(format), None).unwrap();
    assert_eq!(written.bytes, again.bytes, "the same tree gives the same bytes");
}
