//! One model, every reader: the same table gives the same predictions, whatever file it comes in and whatever file the tree was
//! grown from.

use super::writing::{Cells, file};
use super::*;

/// A row: a text or nothing, a truth value or nothing, a number or nothing, and the class.
type Row = (Option<&'static str>, Option<bool>, Option<f64>, bool);

/// Texts that are values in files which say their types, and missing values in those which do not; among plain ones.
const TEXTS: [Option<&str>; 9] =
    [Some("NA"), Some("EU"), Some("?"), Some("US"), Some("NaN"), None, Some("nan"), Some(""), Some("N/A")];

/// Rows whose class follows from the text for the most part; some texts come late.
fn rows(seed: usize, count: usize, texts: usize) -> Vec<Row> {
    let row = |i: usize| {
        let mixed = (i + seed) * 7919 % 1013;
        let text = TEXTS[mixed % texts];
        let flag = [Some(true), Some(false), None][mixed / 9 % 3];
        let number = (!mixed.is_multiple_of(11)).then_some((mixed % 17) as f64 / 4.0);
        (
            text,
            flag,
            number,
            (mixed % texts).is_multiple_of(2) || flag == Some(true) && mixed.is_multiple_of(5),
        )
    };
    (0..count).map(row).collect()
}

/// Writes the rows in every format; `truths` are the words for false and true in the CSV file.
fn write(folder: &Folder, name: &str, rows: &[Row], truths: [&str; 2]) {
    let truth = |flag: Option<bool>| flag.map_or("", |flag| truths[usize::from(flag)]);
    let line = |(text, flag, number, class): &Row| {
        // Only two quotes with nothing between them are a text.
        let text = match text {
            Some("") => "\"\"",
            text => text.unwrap_or_default(),
        };
        let number = number.map_or(String::new(), |x| x.to_string());
        format!("{text},{},{number},{}\n", truth(*flag), truth(Some(*class)))
    };
    let lines: String = rows.iter().map(line).collect();
    folder.write(&format!("{name}.csv"), format!("text,flag,number,class\n{lines}"));
    let object = |(text, flag, number, class): &Row| serde_json::json!({"text": text, "flag": flag, "number": number, "class": class});
    folder.write(&format!("{name}.json"), Value::Array(rows.iter().map(object).collect()).to_string());
    let columns = [
        ("text", Cells::Texts(rows.iter().map(|row| row.0.map(String::from)).collect())),
        ("flag", Cells::Truths(rows.iter().map(|row| row.1).collect())),
        ("number", Cells::Floats(rows.iter().map(|row| row.2).collect())),
        ("class", Cells::Truths(rows.iter().map(|row| Some(row.3)).collect())),
    ];
    folder.write(&format!("{name}.parquet"), file(&columns, 50, Default::default()));
}

const KINDS: [&str; 3] = ["csv", "json", "parquet"];

#[test]
fn one_model_predicts_the_same_for_a_table_in_every_format() {
    for (seed, truths) in [(1, ["FALSE", "TRUE"]), (2, ["f", "t"]), (3, ["false", "True"])] {
        let folder = Folder::new();
        // The rows to predict have texts that those to learn from lack, and the other way round.
        write(&folder, "train", &rows(seed, 240, 7), truths);
        write(&folder, "new", &rows(seed + 50, 120, 9), truths);
        let options: [&[&str]; 4] =
            [&[], &["--keep-na"], &["--missing", "EU,N/A"], &["--keep-na", "--missing", "?"]];
        let options = if seed == 1 { &options[..] } else { &options[..1] };
        for (kind, flags) in KINDS.iter().flat_map(|kind| options.iter().map(move |flags| (kind, flags))) {
            let train = format!("train.{kind}");
            let scheme = "cart:missing=branch,min-leaf=1";
            folder
                .run(
                    &[&["fit", &train, "--target", "class", "-s", scheme, "-o", "m.json", "-q"], *flags]
                        .concat(),
                )
                .ok();
            let said = |kind: &str, memory: &str| {
                let done = folder.run(&["predict", "m.json", &format!("new.{kind}"), "--memory", memory]);
                let scores = done.err.lines().filter(|line| line.contains("accuracy")).collect::<String>();
                assert!(scores.contains("120 rows"), "{}", done.err);
                (done.out, scores)
            };
            let first = said("csv", "1GB");
            for other in KINDS {
                assert_eq!(said(other, "1GB"), first, "grown from {train} {flags:?}, rows from {other}");
            }
            assert_eq!(said("parquet", "1KB"), first, "grown from {train} {flags:?}, in portions");
            assert_eq!(said("csv", "1KB"), first, "grown from {train} {flags:?}, in portions");
        }
    }
}

#[test]
fn rows_to_test_on_are_judged_alike_in_every_format() {
    let folder = Folder::new();
    write(&folder, "train", &rows(1, 240, 7), ["FALSE", "TRUE"]);
    write(&folder, "new", &rows(51, 120, 9), ["F", "T"]);
    for kind in KINDS {
        let measured = |other: &str, flags: &[&str]| {
            let (train, test) = (format!("train.{kind}"), format!("new.{other}"));
            let scheme = "cart:missing=branch,min-leaf=1";
            let told = folder.json(
                &[&["evaluate", &train, "--target", "class", "-s", scheme, "--test-data", &test], flags]
                    .concat(),
            );
            (
                told["accuracy"].clone(),
                told["log-loss"].clone(),
                told["brier"].clone(),
                told["confusion"].clone(),
            )
        };
        let first = measured("csv", &[]);
        assert!(first.0["mean"].as_f64().or(first.0.as_f64()).is_some_and(|share| share > 0.5), "{first:?}");
        for other in KINDS {
            assert_eq!(measured(other, &[]), first, "grown from {kind}, rows from {other}");
        }
    }
}

#[test]
fn texts_that_become_missing_in_a_column_of_texts_are_noted() {
    let folder = Folder::new();
    write(&folder, "train", &rows(1, 240, 7), ["FALSE", "TRUE"]);
    let done = folder.run(&["fit", "train.csv", "-s", "cart", "-o", "m.json"]);
    contains(&done.err, &["of 'text' is read as missing (line 2)", "--keep-na reads it as a value"]);
    assert!(!folder.run(&["fit", "train.csv", "-s", "cart", "--keep-na"]).err.contains("is read as missing"));
    for kind in ["json", "parquet"] {
        let done = folder.run(&["fit", &format!("train.{kind}"), "-s", "cart"]);
        assert!(!done.err.contains("is read as missing"), "{}", done.err);
    }
    folder.write(
        "d.arff",
        "@relation r\n@attribute a string\n@attribute c {x,y}\n@data\nNA,x\nEU,y\n?,x\n'NA',y\n",
    );
    let done = folder.run(&["data", "d.arff"]);
    contains(&(done.out + &done.err), &["'NA' in 1 cell of 'a' is read as missing (line 5)"]);
}
