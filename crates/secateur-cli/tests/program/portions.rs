//! `predict` portion by portion: the same bytes and numbers as with the whole table, for every format and flag.

use ::parquet::file::properties::WriterProperties;

use super::writing::{Cells, file};
use super::*;

/// Streams any table; and none.
const PORTIONS: [&str; 2] = ["--memory", "1kB"];
const WHOLE: [&str; 2] = ["--memory", "100GB"];

/// Rows by rule: numbers, whole numbers, text with a value that is new from row 2000 on, gaps, a class and a number.
fn columns(rows: usize) -> Vec<(&'static str, Cells)> {
    let dice = |i: usize| (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    let share = |i: usize| dice(i) as f64 / f64::from(1 << 24);
    let city = |i: usize| match dice(7 * i) % 5 {
        4 if i >= 2000 => "Quito",
        n => ["Lima", "Oslo", "Rome", "Bonn", "Lima"][n as usize],
    };
    let signal = |i: usize| 2.0 * share(i) + f64::from(city(i) == "Oslo") + 0.5 * share(3 * i);
    vec![
        ("x", Cells::Floats((0..rows).map(|i| (dice(11 * i) % 9 > 0).then(|| share(i))).collect())),
        ("n", Cells::Integers((0..rows).map(|i| Some((dice(5 * i) % 7) as i64)).collect())),
        ("city", Cells::Texts((0..rows).map(|i| (dice(13 * i) % 11 > 0).then(|| city(i).into())).collect())),
        ("id", Cells::Texts((0..rows).map(|i| Some(format!("r{i}, \"{}\"", i % 3))).collect())),
        ("far", Cells::Integers((0..rows).map(|i| Some((1i64 << 53) + i as i64)).collect())),
        ("z", Cells::Floats((0..rows).map(|i| (dice(17 * i) % 13 > 0).then(|| signal(i))).collect())),
        (
            "y",
            Cells::Texts(
                (0..rows)
                    .map(|i| {
                        (dice(19 * i) % 17 > 0)
                            .then(|| if signal(i) > 1.3 { "high" } else { "low" }.to_string())
                    })
                    .collect(),
            ),
        ),
    ]
}

fn parquet(rows: usize, group: usize) -> Vec<u8> {
    file(&columns(rows), group, WriterProperties::builder())
}

/// The same rows as CSV.
fn csv(rows: usize) -> String {
    let mut text = String::new();
    let columns = columns(rows);
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    text += &(names.join(",") + "\n");
    for row in 0..rows {
        let cell = |cells: &Cells| match cells {
            Cells::Floats(list) => list[row].map_or(String::new(), |x| x.to_string()),
            Cells::Integers(list) => list[row].map_or(String::new(), |x| x.to_string()),
            Cells::Texts(list) => {
                list[row].as_ref().map_or(String::new(), |x| format!("\"{}\"", x.replace('"', "\"\"")))
            }
            _ => String::new(),
        };
        let cells: Vec<String> = columns.iter().map(|(_, cells)| cell(cells)).collect();
        text += &(cells.join(",") + "\n");
    }
    text
}

fn gzip(text: &str) -> Vec<u8> {
    use std::io::Write;
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap()
}

/// Models that predict `y` and `z`, with scores for sets.
fn models() -> Folder {
    let folder = Folder::new();
    folder.write("train.parquet", parquet(1500, 1500));
    for (target, ignored) in [("y", "id,far,z"), ("z", "id,far,y")] {
        let model = format!("{target}.json");
        let scheme = "cart/cost-complexity:cv=3";
        folder
            .run(&[
                "fit",
                "train.parquet",
                "--target",
                target,
                "--ignore",
                ignored,
                "--drop-missing-target",
                "-s",
                scheme,
                "-o",
                &model,
                "-q",
            ])
            .ok();
    }
    folder
}

/// Both ways, to a file: what is in it, and what `--json` says.
fn both(folder: &Folder, args: &[&str], out: &str) -> [(Vec<u8>, Value); 2] {
    [WHOLE, PORTIONS].map(|memory| {
        let told = folder.json(&[args, &["-o", out], &memory].concat());
        (std::fs::read(folder.path(out)).unwrap(), told)
    })
}

fn assert_same(folder: &Folder, args: &[&str], out: &str) {
    let [mut whole, mut portions] = both(folder, args, out);
    assert!(whole.0 == portions.0, "{args:?} writes other bytes");
    // In portions only the columns that are asked for are read, and there are no notes on others.
    for (_, told) in [&mut whole, &mut portions] {
        told["notes"].as_array_mut().unwrap().retain(|note| note["column"] != "far");
    }
    assert!(!whole.0.is_empty());
    assert_eq!(whole.1, portions.1, "{args:?}");
}

#[test]
fn every_flag_gives_the_same_bytes_and_numbers_as_the_whole_table() {
    let folder = models();
    folder.write("big.parquet", parquet(5000, 700));
    for model in ["y.json", "z.json"] {
        for flags in [
            &["--keep", "all"][..],
            &[],
            &["--keep", "id,n"],
            &["--reliability"],
            &["--sets", "0.9"],
            &["--leaf-values", "shrink"],
            &["--threads", "3"],
        ] {
            for out in ["p.csv", "p.json", "p.jsonl", "p.tsv"] {
                assert_same(&folder, &[&["predict", model, "big.parquet"], flags].concat(), out);
            }
        }
    }
    let told = folder.json(&["predict", "y.json", "big.parquet", "-o", "p.csv", "--memory", "1kB"]);
    assert_eq!((&told["rows"], &told["unseen"][0]["value"]), (&5000.into(), &"Quito".into()));
    assert!(told["accuracy"].as_f64().unwrap() > 0.8 && told["scored"].as_u64().unwrap() < 5000);
}

#[test]
fn folders_and_text_and_compressed_files_give_the_same_too() {
    let folder = models();
    std::fs::create_dir(folder.path("parts")).unwrap();
    folder.write("parts/a.parquet", parquet(900, 400));
    folder.write("parts/b.parquet", parquet(2500, 10_000));
    folder.write("big.csv", csv(3000));
    folder.write("big.csv.gz", gzip(&csv(3000)));
    for data in ["parts", "big.csv", "big.csv.gz"] {
        for model in ["y.json", "z.json"] {
            let flags = ["--keep", "id,x", "--reliability"];
            assert_same(&folder, &[&["predict", model, data][..], &flags].concat(), "p.csv");
            let [whole, portions] = [WHOLE, PORTIONS].map(|memory| {
                folder.run(&[&["predict", model, data, "--keep", "all"][..], &memory].concat())
            });
            assert_eq!(whole.err, portions.err);
            assert_eq!(whole.ok(), portions.ok(), "on standard output");
        }
    }
}

/// The text is longer than what decides on types, so the column is first taken for numbers.
#[test]
fn a_column_that_turns_out_to_be_text_is_written_as_text() {
    let folder = models();
    let mut text = String::from("x,n,city,code\n");
    for i in 0..300_000 {
        text += &format!("0.{i:06},{},Lima,{:012}\n", i % 7, 7 * i);
    }
    assert!(text.len() > (8 << 20));
    text += "0.5,3,Rome,A12\n";
    folder.write("late.csv", &text);
    let [whole, portions] = both(&folder, &["predict", "y.json", "late.csv", "--keep", "code"], "p.csv");
    assert!(whole.0 == portions.0);
    let said = folder.read("p.csv");
    assert!(said.lines().nth(1).unwrap().starts_with("1,000000000000,"), "digits as they were written");
    let printed =
        folder.run(&["predict", "y.json", "late.csv", "--keep", "code", "-q", "--memory", "1kB"]).ok();
    assert!(printed == said, "on standard output");
}

#[test]
fn what_cannot_be_told_in_portions_is_refused() {
    let folder = models();
    folder.write("big.parquet", parquet(3000, 700));
    let refused = folder.refused(&["predict", "y.json", "big.parquet", "--json", "--memory", "1kB"]);
    contains(&refused, &["--json prints all predictions as one object", "-o"]);
    let refused = folder.refused(&["predict", "y.json", "big.parquet", "--memory", "much"]);
    contains(&refused, &["--memory", "'much' is not an amount of memory"]);
    let refused = folder.refused(&["predict", "y.json", "big.parquet", "--keep", "cty", "--memory", "1kB"]);
    contains(&refused, &["'cty'", "city"]);
    folder.write("less.csv", "x,n\n1,2\n");
    let refused = folder.refused(&["predict", "y.json", "less.csv", "--memory", "1"]);
    contains(&refused, &["columns that are not there", "'city'"]);
}

#[test]
fn a_damaged_portion_leaves_what_was_there_before() {
    let folder = models();
    let mut bytes = parquet(3000, 700);
    let fifth = bytes.len() / 5;
    bytes[2 * fifth..3 * fifth].fill(0xFF);
    folder.write("broken.parquet", &bytes);
    folder.write("p.csv", "old");
    let refused = folder.refused(&[
        "predict",
        "y.json",
        "broken.parquet",
        "-o",
        "p.csv",
        "--memory",
        "1kB",
        "--keep",
        "all",
    ]);
    contains(&refused, &["broken.parquet", "damaged"]);
    folder.write("broken.csv", csv(2000) + "1,2,3\n");
    let refused = folder.refused(&["predict", "y.json", "broken.csv", "-o", "p.csv", "--memory", "1kB"]);
    contains(&refused, &["broken.csv", "line 2002"]);
    assert_eq!(folder.read("p.csv"), "old");
    let names = std::fs::read_dir(folder.0.path()).unwrap().map(|e| e.unwrap().file_name());
    assert!(!names.map(|n| n.into_string().unwrap()).any(|n| n.contains("part")), "nothing is left over");
}
