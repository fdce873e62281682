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

/// A tree whose columns, values and classes all have such names.
fn sample() -> (Model, Table) {
    let names = names();
    let mut random = Numbers(17);
    let rows = 900;
    let (values, classes) = (&names, &names[..6]);
    let picked: Vec<usize> = (0..rows).map(|_| random.below(values.len())).collect();
    let mut builder =
        Table::builder().text(names[0].clone(), picked.iter().map(|&place| values[place].as_str()));
    let mut columns = Vec::new();
    for name in &names[1..9] {
        let column: Vec<f64> = (0..rows).map(|_| random.next() * 9.0).collect();
        builder = builder.numeric(name.clone(), column.clone());
        columns.push(column);
    }
    let class = (0..rows).map(|row| {
        let sum: f64 = columns.iter().map(|column| column[row]).sum();
        classes[(sum as usize + picked[row]) % classes.len()].as_str()
    });
    let table = builder.text("target */ \" ' \n--", class.collect::<Vec<_>>()).build().unwrap();
    let model = Fit::new(&table, "target */ \" ' \n--").scheme("c45:min-leaf=6").model().unwrap();
    (model, table)
}

#[test]
fn names_break_nothing() {
    let (model, table) = sample();
    assert!(model.tree.leaves() > 20);
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
                    assert!(error.to_string().contains("cannot"), "{}: {error}", format.id);
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
                Err(failure) => panic!("{} {given:?}: {failure}", format.id),
            }
        }
    }
}
