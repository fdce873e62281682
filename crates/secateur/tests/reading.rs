//! What reading a file promises: every feature of every format, and what is said about bad input.

use flate2::{Compression, write::GzEncoder};
use secateur::data::{Format, MISSING, ReadOptions, Table, Values, read, read_bytes};
use secateur::progress::{Progress, Silent};
use secateur::{Error, Result};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

mod arff_files;
mod csv_files;
mod json_files;
#[cfg(feature = "parquet")]
mod parquet_files;
#[cfg(feature = "parquet")]
mod writing;

fn options(nominal: &[&str], numeric: &[&str], ignore: &[&str]) -> ReadOptions {
    let list = |names: &[&str]| names.iter().map(|n| n.to_string()).collect();
    ReadOptions {
        nominal: list(nominal),
        numeric: list(numeric),
        ignore: list(ignore),
        format: None,
        ..ReadOptions::default()
    }
}

fn with(text: impl AsRef<[u8]>, format: Format, options: &ReadOptions) -> Result<Table> {
    read_bytes("f", text.as_ref(), format, options, &Silent)
}

fn csv(text: impl AsRef<[u8]>) -> Table {
    with(text, Format::Csv, &ReadOptions::default()).unwrap()
}

fn arff(text: impl AsRef<[u8]>) -> Table {
    with(text, Format::Arff, &ReadOptions::default()).unwrap()
}

fn csv_error(text: impl AsRef<[u8]>) -> String {
    with(text, Format::Csv, &ReadOptions::default()).unwrap_err().to_string()
}

fn arff_error(text: impl AsRef<[u8]>) -> String {
    with(text, Format::Arff, &ReadOptions::default()).unwrap_err().to_string()
}

/// Checks the place in a message and that it goes on with the rest of what it must say.
#[track_caller]
fn says(error: impl ToString, place: &str, parts: &[&str]) {
    let error = error.to_string();
    assert!(error.starts_with(&format!("{place}: ")), "{error}");
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in {error:?}");
    }
}

fn numbers<'a>(table: &'a Table, name: &str) -> &'a [f64] {
    match &table.columns()[table.position(name).unwrap()].values {
        Values::Numeric(values) => values,
        other => panic!("{name} is {other:?}"),
    }
}

/// The values of a nominal column in words, `?` for missing.
fn words<'a>(table: &'a Table, name: &str) -> Vec<&'a str> {
    match &table.columns()[table.position(name).unwrap()].values {
        Values::Nominal(n) => {
            n.codes.iter().map(|&c| if c == MISSING { "?" } else { n.levels[c as usize].as_str() }).collect()
        }
        other => panic!("{name} is {other:?}"),
    }
}

fn levels<'a>(table: &'a Table, name: &str) -> &'a [String] {
    match &table.columns()[table.position(name).unwrap()].values {
        Values::Nominal(n) => &n.levels,
        other => panic!("{name} is {other:?}"),
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn file(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_string()
}

fn file_error(name: &str) -> Error {
    read(name, &ReadOptions::default(), &Silent).unwrap_err()
}

#[test]
fn the_name_tells_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let arff = "@attribute a real\n@data\n1\n";
    for (name, text) in
        [("t.csv", "a\n1\n"), ("T.CSV", "a\n1\n"), ("t.tsv", "a\tb\n1\t2\n"), ("t.arff", arff)]
    {
        let plain = file(&folder, name, text.as_bytes());
        let compressed = file(&folder, &format!("{name}.gz"), &gzip(text.as_bytes()));
        for name in [plain, compressed] {
            let table = read(&name, &ReadOptions::default(), &Silent).unwrap();
            assert_eq!(numbers(&table, "a"), [1.0], "{name}");
            assert_eq!(table.name(), name);
        }
    }
    let name = file(&folder, "t.txt", b"a\n1\n");
    assert_eq!(read(&name, &ReadOptions::default(), &Silent).unwrap().rows(), 1);
}

#[test]
fn gzip_may_have_several_members_but_must_have_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = gzip(b"a\n1\n");
    bytes.extend(gzip(b"2\n"));
    let name = file(&folder, "t.csv.gz", &bytes);
    assert_eq!(numbers(&read(&name, &ReadOptions::default(), &Silent).unwrap(), "a"), [1.0, 2.0]);
    for length in [3, 15, bytes.len() / 2 + 3, bytes.len() - 1] {
        let name = file(&folder, "cut.csv.gz", &bytes[..length]);
        says(file_error(&name), &name, &["gzip", "again"]);
    }
    let name = file(&folder, "plain.csv.gz", b"a\n1\n");
    says(file_error(&name), &name, &["not compressed"]);
    let mut damaged = gzip("a\n1\n".repeat(100).as_bytes());
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    let name = file(&folder, "damaged.csv.gz", &damaged);
    says(file_error(&name), &name, &["gzip", "again"]);
}

#[test]
fn files_that_cannot_be_read_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.csv");
    let error = file_error(missing.to_str().unwrap());
    assert!(matches!(error, Error::Read { .. }) && error.to_string().contains("none.csv"), "{error}");
    let error = file_error(folder.path().to_str().unwrap());
    assert!(error.to_string().contains("a folder without .parquet files"), "{error}");
    for name in [
        "e.csv",
        "e.arff",
        #[cfg(feature = "parquet")]
        "e.parquet",
        "e.csv.gz",
    ] {
        let name = file(&folder, name, b"");
        says(file_error(&name), &name, &["empty"]);
    }
}

#[cfg(unix)]
#[test]
fn the_content_of_a_pipe_tells_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let contents: &[&[u8]] = &[
        b"a,b\n1,2\n",
        b"a\tb\n1\t2\n",
        b"% hello\n@relation r\n@attribute a real\n@data\n1\n",
        b"@RELATION r\n@attribute a real\n@data\n1\n",
        &gzip(b"a\tb\n1\t2\n"),
        #[cfg(feature = "parquet")]
        &parquet_files::small(),
    ];
    for (number, bytes) in contents.iter().enumerate() {
        let path = folder.path().join(format!("pipe{number}"));
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let table = std::thread::scope(|scope| {
            scope.spawn(|| std::fs::write(&path, bytes).unwrap());
            read(path.to_str().unwrap(), &ReadOptions::default(), &Silent).unwrap()
        });
        assert_eq!(numbers(&table, "a"), [1.0], "{number}");
    }
}

// Progress

#[derive(Default)]
struct Watch {
    total: AtomicU64,
    moved: AtomicU64,
    stop: AtomicBool,
}

impl Progress for Watch {
    fn stage(&self, _name: &str, total: u64) {
        self.total.store(total, Ordering::Relaxed);
        self.moved.store(0, Ordering::Relaxed);
    }

    fn advance(&self, amount: u64) {
        self.moved.fetch_add(amount, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

#[test]
fn progress_adds_up_and_a_request_to_stop_is_heard() {
    let csv = format!("a,b\n{}", "1,x\n".repeat(100_000)).into_bytes();
    let arff = format!("@attribute a real\n@data\n{}", "1\n".repeat(1000)).into_bytes();
    let compressed = gzip(&csv);
    let json = "{\"a\": 1}\n".repeat(1000).into_bytes();
    for (bytes, format) in [
        (json, Format::Json),
        (csv, Format::Csv),
        (arff, Format::Arff),
        (compressed, Format::Csv),
        #[cfg(feature = "parquet")]
        (parquet_files::small(), Format::Parquet),
    ] {
        let watch = Watch::default();
        read_bytes("f", &bytes, format, &ReadOptions::default(), &watch).unwrap();
        assert!(watch.total.load(Ordering::Relaxed) > 0);
        assert_eq!(watch.total.into_inner(), watch.moved.into_inner(), "{format}");
        let watch = Watch { stop: true.into(), ..Watch::default() };
        let error = read_bytes("f", &bytes, format, &ReadOptions::default(), &watch).unwrap_err();
        assert!(matches!(error, Error::Cancelled), "{format}: {error}");
    }
}

// The collection

#[test]
fn the_collection_is_as_its_index_says() {
    let Some(folder) = secateur_testing::data() else { return };
    let index = folder.join("INDEX.csv");
    let index = read(index.to_str().unwrap(), &ReadOptions::default(), &Silent).unwrap();
    assert_eq!(index.rows(), 89);
    for row in 0..index.rows() {
        let file = words(&index, "file")[row];
        let table = read(folder.join(file).to_str().unwrap(), &ReadOptions::default(), &Silent).unwrap();
        let (target, inputs) = table.columns().split_last().unwrap();
        let count = |numeric: bool| {
            inputs.iter().filter(|c| matches!(c.values, Values::Numeric(_)) == numeric).count() as f64
        };
        assert_eq!(table.rows() as f64, numbers(&index, "instances")[row], "{file}");
        assert_eq!(count(true), numbers(&index, "numeric")[row], "{file}");
        assert_eq!(count(false), numbers(&index, "nominal")[row], "{file}");
        let missing = table.columns().iter().any(|c| c.values.missing() > 0);
        assert_eq!(if missing { "yes" } else { "no" }, words(&index, "missing")[row], "{file}");
        let longest = inputs.iter().filter_map(|c| match &c.values {
            Values::Nominal(n) => Some(n.levels.len() as f64),
            Values::Numeric(_) => None,
        });
        let expected = numbers(&index, "max_nominal_values")[row];
        assert_eq!(longest.fold(0.0, f64::max), if expected.is_nan() { 0.0 } else { expected }, "{file}");
        match &target.values {
            Values::Nominal(n) => {
                assert_eq!(n.levels.len() as f64, numbers(&index, "classes")[row], "{file}");
            }
            Values::Numeric(_) => assert_eq!(words(&index, "task")[row], "regression", "{file}"),
        }
    }
}
