//! Names that would break out of quotes, comments and lines break nothing and inject nothing, in any consumer.

use secateur::prelude::*;
use secateur_exchange::export::{self, FORMATS, Options};
use secateur_exchange::verify::{self, Failure};

use crate::trees::Numbers;

/// Names that each try something.
fn names() -> Vec<String> {
    let mut names: Vec<String> = [
        "'; DROP TABLE data; --",
        "\"; DROP TABLE \"data\"; --",
        "a\nb\r\nc",
        "*/ int evil(void); /*",
        "// \\",
        "\\",
        "\\\"",
        "\"\"\"",
        "'''",
        "#{evil} ${evil} {{evil}} %s %n",
        "</script><!--",
        "??/",
        "🌳 дерево 木",
        "\u{202e}abc",
        "select",
        "order by",
        "prediction",
        "leaf",
        "x0",
        "$secateur$",
        "__proto__",
        "constructor",
        "=1+1",
        "\u{1}\u{7f}\u{1b}[31m",
        " leading and trailing ",
        "NULL",
        "NaN",
        "-- ",
        "\u{2028}\u{2029}",
        "é\u{301}",
    ]
    .map(String::from)
    .to_vec();
    names.push("long ".repeat(60));
    names
}

/// Names that are the same to somebody: without their case, their accents, their signs, or what comes after a zero.
fn alike() -> Vec<String> {
    let names = [
        "Name", "name", "NAME", "na me", "na_me", "na-me", "na.me", "ß", "ss", "SS", "ſ", "s", "K", "k",
        "\u{212a}", "é", "e\u{301}", "1", "1.0", "01", "true", "True", "a", "a ", " a",
    ];
    names.map(String::from).to_vec()
}

/// A tree with columns, values and classes of such names.
fn sample(columns: &[String], values: &[String], classes: &[String]) -> (Model, Table) {
    let mut random = Numbers(17);
    let rows = 900;
    let picked: Vec<usize> = (0..rows).map(|_| random.below(values.len())).collect();
    let mut builder =
        Table::builder().text(columns[0].clone(), picked.iter().map(|&place| values[place].as_str()));
    let mut numbers = Vec::new();
    for name in &columns[1..] {
        let column: Vec<f64> = (0..rows).map(|_| random.next() * 9.0).collect();
        builder = builder.numeric(name.clone(), column.clone());
        numbers.push(column);
    }
    let class = (0..rows).map(|row| {
        let sum: f64 = numbers.iter().map(|column| column[row]).sum();
        classes[(sum as usize + picked[row]) % classes.len()].as_str()
    });
    let target = "target */ \" ' \n--";
    let table = builder.text(target, class.collect::<Vec<_>>()).build().unwrap();
    let mut model = Fit::new(&table, target).scheme("c45:min-leaf=6").model().unwrap();
    // What only describes a model is written by some formats, too.
    let described = [columns, values, classes].concat().join(" ");
    (model.scheme, model.about.made_by, model.about.data) = (described.clone(), described.clone(), described);
    assert!(model.tree.leaves() > 10);
    (model, table)
}

#[test]
fn names_break_nothing() {
    let names = names();
    run_everywhere("signs", sample(&names[..9], &names, &names[..6]), true);
}

#[test]
fn names_that_are_alike_stay_apart() {
    let plain = ["a", "b", "c", "d"].map(String::from);
    run_everywhere("alike", sample(&plain, &alike(), &alike()[..8]), true);
    run_everywhere("alike columns", sample(&alike()[..7], &plain, &plain), false);
}

#[test]
fn a_column_without_a_name_is_carried_or_refused() {
    let columns = ["", "b", "c", "d"].map(String::from);
    let plain = ["a", "b", "c", "d"].map(String::from);
    run_everywhere("no name", sample(&columns, &plain, &plain), true);
    let last = ["b", "c", ""].map(String::from);
    run_everywhere("no name of numbers", sample(&last, &plain, &plain), true);
}

/// Runs a tree in all consumers. What is refused says why; where `all` is set only trees of values are.
fn run_everywhere(what: &str, (model, table): (Model, Table), all: bool) {
    for format in FORMATS {
        let dialects: &[&[(&str, &str)]] = match format.id {
            "sql" => &[
                &[("dialect", "duckdb")],
                &[("dialect", "duckdb"), ("form", "function"), ("name", "\"; DROP--")],
                &[("dialect", "sqlite"), ("form", "view"), ("name", "\"; DROP--"), ("table", "x'; \"\" y")],
                &[("dialect", "sqlite"), ("layout", "tables")],
                &[("dialect", "postgresql"), ("form", "function")],
                &[("dialect", "postgresql"), ("layout", "tables"), ("form", "view"), ("name", "\"; DROP--")],
            ],
            _ => &[&[]],
        };
        for given in dialects {
            let options = Options::new(format, given.iter().copied()).unwrap();
            let written = match export::export(&model, format, &options, Some(&table)) {
                Ok(written) => written,
                Err(error) => {
                    let message = error.to_string();
                    let is_reasoned = message.contains("cannot") || !all && message.len() > 40;
                    assert!(is_reasoned, "{what}, {} {given:?}: {message}", format.id);
                    continue;
                }
            };
            if (format.consumers)(&options).is_empty() {
                continue;
            }
            match verify::verify(&model, format, &options, &written, Some(&table)) {
                Ok(report) => assert!(report.rows > 900, "{report:?}"),
                Err(Failure::Missing(reason)) => {
                    secateur_testing::skip("exports", &reason);
                }
                Err(failure) => panic!("{what}, {} {given:?}: {failure}", format.id),
            }
        }
    }
}
