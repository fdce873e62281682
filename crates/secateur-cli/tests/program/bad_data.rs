//! Data that are damaged or not what they should be: where, what, and what to do.

use std::io::Write;

use super::*;

/// Every command that reads data says the same.
fn refused(folder: &Folder, file: &str) -> String {
    let said = folder.refused(&["fit", file]);
    assert_eq!(folder.refused(&["data", file]), said);
    contains(&said, &[file]);
    said
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn parquet() -> Vec<u8> {
    use super::writing::{Cells, file};
    let x = (0..500).map(|i| (i % 50 != 0).then_some(f64::from(i)));
    let y = (0..500).map(|i| Some(if i < 250 { "low" } else { "high" }.to_string()));
    let columns = [("x", Cells::Floats(x.collect())), ("y", Cells::Texts(y.collect()))];
    file(&columns, 500, ::parquet::file::properties::WriterProperties::builder())
}

#[test]
fn every_format_is_read_when_it_is_sound() {
    let folder = Folder::new();
    let csv = "x,y\n1,a\n2,b\n";
    let arff = "@relation r\n@attribute x numeric\n@attribute y {a,b}\n@data\n1,a\n2,b\n";
    folder.write("d.csv", csv);
    folder.write("d.tsv", csv.replace(',', "\t"));
    folder.write("d.arff", arff);
    folder.write("d.csv.gz", gzip(csv.as_bytes()));
    folder.write("d.arff.gz", gzip(arff.as_bytes()));
    for file in ["d.csv", "d.tsv", "d.arff", "d.csv.gz", "d.arff.gz"] {
        assert_eq!(folder.json(&["fit", file, "-s", "cart"])["tree"]["leaves"], 2, "{file}");
    }
    folder.write("d.parquet", parquet());
    let told = folder.json(&["data", "d.parquet"]);
    assert_eq!((&told["rows"], &told["columns"][0]["missing"]), (&500.into(), &10.into()));
}

#[test]
fn ragged_rows() {
    let folder = Folder::new();
    folder.write("short.csv", "a,b,c\n1,2,3\n4,5\n");
    contains(&refused(&folder, "short.csv"), &["line 3", "2", "3"]);
    folder.write("long.csv", "a,b,c\n1,2,3\n4,5,6,7\n");
    contains(&refused(&folder, "long.csv"), &["line 3", "4", "3"]);
    folder.write("short.arff", "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1,2\n3\n");
    contains(&refused(&folder, "short.arff"), &["line 6"]);
}

#[test]
fn nothing_or_only_a_header() {
    let folder = Folder::new();
    for extension in ["csv", "tsv", "arff", "parquet", "csv.gz"] {
        folder.write(&format!("empty.{extension}"), "");
        refused(&folder, &format!("empty.{extension}"));
    }
    folder.write("header.csv", "a,b,c\n");
    contains(&refused(&folder, "header.csv"), &["no rows"]);
    folder.write("header.arff", "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n");
    contains(&refused(&folder, "header.arff"), &["no rows"]);
}

#[test]
fn random_bytes_under_every_extension() {
    let folder = Folder::new();
    // A fixed xorshift: the same bytes in every run.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..20 {
        let bytes: Vec<u8> = (0..200 + 50 * round)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 32) as u8
            })
            .collect();
        for extension in ["csv", "tsv", "arff", "parquet", "csv.gz", "arff.gz", "parquet.gz", "json"] {
            let file = format!("random.{extension}");
            folder.write(&file, &bytes);
            refused(&folder, &file);
        }
        folder.run(&["fit", "builtin:weather", "-s", "cart", "-o", "m.json", "-q"]).ok();
        folder.refused(&["predict", "m.json", "random.csv"]);
    }
}

#[test]
fn values_of_the_wrong_kind() {
    let folder = Folder::new();
    folder.write("undeclared.arff", "@relation r\n@attribute a {x,y}\n@attribute b {p,q}\n@data\nx,p\nz,q\n");
    contains(&refused(&folder, "undeclared.arff"), &["line 6", "'a'", "'z'"]);
    folder.write("text.arff", "@relation r\n@attribute a numeric\n@attribute b {p,q}\n@data\n1,p\nmany,q\n");
    contains(&refused(&folder, "text.arff"), &["line 6", "'a'", "'many'"]);
    folder.write("text.csv", "a,b\n1,p\nmany,q\n");
    contains(
        &folder.refused(&["fit", "text.csv", "--numeric", "a"]),
        &["line 3", "column 1", "'a'", "'many'"],
    );
    contains(
        &folder.refused(&["fit", "text.csv", "--numeric", "aa"]),
        &["no column 'aa' (did you mean 'a'?)"],
    );
    folder.write("infinite.csv", "a,b\n1,p\n-inf,q\n");
    contains(&folder.refused(&["fit", "infinite.csv", "--numeric", "a"]), &["line 3", "'a'", "finite"]);
    folder.write(
        "infinite.arff",
        "@relation r\n@attribute a numeric\n@attribute b {p,q}\n@data\n1e999,p\n2,q\n",
    );
    contains(&refused(&folder, "infinite.arff"), &["line 5", "'a'", "finite"]);
}

#[test]
fn nan_is_a_missing_value() {
    let folder = Folder::new();
    folder.write("nan.csv", "a,b\nNaN,p\n2,q\nnan,q\n3,p\n");
    assert_eq!(folder.json(&["data", "nan.csv"])["columns"][0]["missing"], 2);
    folder.run(&["fit", "nan.csv"]).ok();
}

#[test]
fn all_values_missing() {
    let folder = Folder::new();
    folder.write("column.csv", "a,b\n?,p\nNA,q\n,q\n");
    assert_eq!(folder.json(&["fit", "column.csv"])["tree"]["leaves"], 1);
    folder.write("target.csv", "a,b\n1,?\n2,?\n");
    contains(&folder.refused(&["fit", "target.csv"]), &["'b'", "target"]);
    folder.refused(&["fit", "target.csv", "--drop-missing-target"]);
    folder.write("all.csv", "a,b\n?,?\n?,?\n");
    folder.refused(&["fit", "all.csv"]);
    folder.run(&["data", "all.csv"]).ok();
}

#[test]
fn truncated_files() {
    let folder = Folder::new();
    let rows: String = (0..2000).map(|i| format!("{},{}\n", i * 7919 % 1009, ["p", "q"][i % 2])).collect();
    let whole = gzip(format!("a,b\n{rows}").as_bytes());
    for part in [5, 50, 90, 99] {
        folder.write("cut.csv.gz", &whole[..whole.len() * part / 100]);
        refused(&folder, "cut.csv.gz");
    }
    let whole = parquet();
    for part in [1, 10, 50, 90, 99] {
        folder.write("cut.parquet", &whole[..whole.len() * part / 100]);
        refused(&folder, "cut.parquet");
    }
}

#[test]
fn damaged_parquet_never_panics() {
    let folder = Folder::new();
    let whole = parquet();
    for at in (0..whole.len()).step_by(whole.len() / 60 + 1) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        folder.write("damaged.parquet", bytes);
        let done = folder.run(&["data", "damaged.parquet"]);
        assert!(
            [0, 2].contains(&done.code) && !done.err.contains("panicked"),
            "{at}: {} {}",
            done.code,
            done.err
        );
    }
}

#[test]
fn names() {
    let folder = Folder::new();
    folder.write("twice.arff", "@relation r\n@attribute a numeric\n@attribute a numeric\n@data\n1,2\n");
    contains(&refused(&folder, "twice.arff"), &["'a'", "same name"]);
    folder.write("d.csv", "a,b\n1,p\n");
    contains(&folder.refused(&["fit", "d.csv", "--target", "c"]), &["d.csv", "no column 'c'"]);
    contains(&folder.refused(&["fit", "d.csv", "--ignore", "a,b"]), &["all columns are ignored"]);
    contains(&folder.refused(&["fit", "d.csv", "--ignore", "x"]), &["no column 'x'"]);
    contains(&folder.refused(&["fit", "d.csv", "--weights", "x"]), &["no column 'x'"]);
}

#[test]
fn files_that_are_not_there_or_of_no_known_kind() {
    let folder = Folder::new();
    contains(&refused(&folder, "none.csv"), &["cannot read it", "hint: ", "builtin:iris"]);
    contains(&refused(&folder, "iris"), &["hint: the built-in data set is called builtin:iris"]);
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    refused(&folder, "folder.csv");
    let done = run_in(folder.0.path(), &["fit", "-"], b"");
    contains(&done.refused(&["fit", "-"]), &["standard input"]);
}
