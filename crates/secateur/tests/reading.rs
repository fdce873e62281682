//! What reading a file promises: every feature of every format, and what is said about bad input.

use flate2::{Compression, write::GzEncoder};
use secateur::data::{Format, MISSING, ReadOptions, Table, Values, read, read_bytes};
use secateur::progress::{Progress, Silent};
use secateur::{Error, Result};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

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

// CSV and TSV

#[test]
fn types_follow_from_the_whole_file() {
    let table = csv("n,t,m,e\n1,a,1,?\n-2.5e3,b,x,\n.5,a,2,NA\n");
    assert_eq!(numbers(&table, "n"), [1.0, -2500.0, 0.5]);
    assert_eq!(words(&table, "t"), ["a", "b", "a"]);
    assert_eq!(levels(&table, "m"), ["1", "x", "2"]);
    assert!(numbers(&table, "e").iter().all(|v| v.is_nan()));
    assert_eq!(table.name(), "f");
}

#[test]
fn missing_values_have_several_spellings() {
    let table = csv("n,t\n1,a\n?,?\n,\nNA,NA\nNaN,NaN\nnan,nan\n\"\",\"?\"\n");
    assert_eq!(numbers(&table, "n").iter().filter(|v| v.is_nan()).count(), 6);
    assert_eq!(words(&table, "t"), ["a", "?", "?", "?", "?", "?", "?"]);
    assert_eq!(levels(&table, "t"), ["a"]);
}

#[test]
fn quotes_protect_delimiters_line_ends_and_quotes() {
    let table = csv("\"a,b\",c\n\"x, y\",\"1\"\n\"two\nlines\",2\n\"say \"\"hi\"\"\",3\n5\" pipe,4\n");
    assert_eq!(words(&table, "a,b"), ["x, y", "two\nlines", "say \"hi\"", "5\" pipe"]);
    assert_eq!(numbers(&table, "c"), [1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn spaces_around_fields_do_not_count_unless_quoted() {
    let table = csv("a, b ,c\n 1 , x y , \" z \" \n2,x y,\" z \"\n");
    assert_eq!(numbers(&table, "a"), [1.0, 2.0]);
    assert_eq!(levels(&table, "b"), ["x y"]);
    assert_eq!(levels(&table, "c"), [" z "]);
}

#[test]
fn byte_order_mark_crlf_blank_lines_and_no_last_line_end_are_fine() {
    let table = csv("\u{feff}a,b\r\n1,x\r\n\r\n2,y\r\n\n\n3,z");
    assert_eq!(numbers(&table, "a"), [1.0, 2.0, 3.0]);
    assert_eq!(words(&table, "b"), ["x", "y", "z"]);
}

#[test]
fn tabs_separate_tsv() {
    let text = "a\tb c\n1\tx, y\n\t\"q\tr\"\n";
    let table = with(text, Format::Tsv, &ReadOptions::default()).unwrap();
    assert!(numbers(&table, "a")[1].is_nan());
    assert_eq!(words(&table, "b c"), ["x, y", "q\tr"]);
}

#[test]
fn options_force_types_and_leave_columns_out() {
    let text = "id,a,b\nx1,1,2\nx2,01,?\nx3,1,\n";
    let table = with(text, Format::Csv, &options(&["a"], &["b"], &["id"])).unwrap();
    assert_eq!(table.columns().len(), 2);
    assert_eq!(levels(&table, "a"), ["1", "01"]);
    assert_eq!(numbers(&table, "b")[0], 2.0);
    let error = with(text, Format::Csv, &options(&[], &["id"], &[])).unwrap_err();
    says(error, "f, line 2, column 1, attribute 'id'", &["'x1' is not a number", "expected a finite number"]);
}

#[test]
fn unknown_and_contradicting_names_are_errors() {
    let text = "length,width\n1,2\n";
    let arff = "@attribute length real\n@attribute width real\n@data\n1,2\n";
    let wrong = ["lenght"];
    for options in [options(&wrong, &[], &[]), options(&[], &wrong, &[]), options(&[], &[], &wrong)] {
        for (text, format) in [(text, Format::Csv), (arff, Format::Arff)] {
            let error = with(text, format, &options).unwrap_err();
            says(error, "f", &["there is no column 'lenght' (did you mean 'length'?)"]);
        }
    }
    let error = with(text, Format::Csv, &options(&["width"], &["width"], &[])).unwrap_err();
    assert!(error.to_string().contains("both nominal and numeric"), "{error}");
    let error = with(text, Format::Csv, &options(&[], &[], &["width", "length"])).unwrap_err();
    assert!(error.to_string().contains("all columns are ignored"), "{error}");
}

#[test]
fn an_infinite_number_is_an_error_unless_it_is_text() {
    for number in ["inf", "-Infinity", "1e999"] {
        let error = csv_error(format!("a,b\n1,2\n3,{number}\n"));
        says(error, "f, line 3, column 2, attribute 'b'", &["is not finite", "expected"]);
    }
    let table = csv("a,b\n1,inf\n2,x\n");
    assert_eq!(levels(&table, "b"), ["inf", "x"]);
    let table = with("a,b\n1,inf\n", Format::Csv, &options(&["b"], &[], &[])).unwrap();
    assert_eq!(levels(&table, "b"), ["inf"]);
}

#[test]
fn rows_of_another_length_are_errors() {
    says(csv_error("a,b\n1,2\n\n3\n"), "f, line 4", &["1 field, expected 2"]);
    says(csv_error("a,b\n\"x\ny\",2\n3,4,5\n"), "f, line 4", &["3 fields, expected 2", "double quotes"]);
    says(csv_error("a\n1,2\n"), "f, line 2", &["2 fields, expected 1"]);
    says(csv_error("a,b\n1,2,\n3,4\n"), "f, line 2", &["3 fields, expected 2"]);
    // A separator at the end of every row is no field.
    assert_eq!(csv("a,b\n1,2,\n3,4,\n").columns().len(), 2);
}

#[test]
fn bad_quotes_are_errors() {
    says(csv_error("a,b\n1,\"x\n2,y\n"), "f, line 2, column 2, attribute 'b'", &["never closed"]);
    says(csv_error("a,b\n\"x\"y,1\n"), "f, line 2, column 1, attribute 'a'", &["after a closing quote"]);
    says(csv_error("a,\"b\n1,2\n"), "f, line 1, column 2", &["never closed"]);
}

#[test]
fn bad_headers_are_errors() {
    says(csv_error(""), "f", &["empty", "expected"]);
    says(csv_error("\n \r\n"), "f", &["empty", "expected"]);
    says(csv_error("a,b\n"), "f", &["no rows", "expected"]);
    says(csv_error("a,b"), "f", &["no rows", "expected"]);
    says(csv_error("a,b\r1,2\r3,4\r"), "f", &["CR alone"]);
}

#[test]
fn names_are_made_different() {
    let names = |text: &str| csv(text).columns().iter().map(|c| c.name.clone()).collect::<Vec<_>>();
    assert_eq!(names("a,b,a,a_2\n1,2,3,4\n"), ["a", "b", "a_3", "a_2"]);
    assert_eq!(names("a,,b\n1,2,3\n"), ["a", "column2", "b"]);
}

#[test]
fn what_is_no_text_is_an_error() {
    // Two good letters beyond ASCII and a broken one: a damaged file.
    says(
        csv_error(b"a,b\n1,\xc3\xa9\xc3\xa9\n2,\xe9t\n"),
        "f, line 3, column 2, attribute 'b'",
        &["0xe9", "UTF-8"],
    );
    says(csv_error(b"a,\x81\n1,x\n"), "f, line 1, column 2", &["0x81", "UTF-8"]);
    says(csv_error(b"a,b\n1,x\0\n"), "f, line 2, column 2, attribute 'b'", &["NUL"]);
    says(csv_error(b"\xff\xfea\0,\0b\0\n"), "f", &["UTF-16LE"]);
    says(arff_error(b"@relation r\n@attribute \x81 real\n"), "f, line 2", &["0x81", "UTF-8"]);
    says(
        arff_error(b"@attribute a real\n@attribute b string\n@data\n1,x\n2,\x81\n"),
        "f, line 5, column 2, attribute 'b'",
        &["0x81"],
    );
}

// ARFF

#[test]
fn arff_has_all_kinds_of_attributes() {
    let table = arff(
        "% made by hand\n@RELATION 'a name'\n\n@Attribute 'sepal length' REAL % in cm\n\
         @ATTRIBUTE n Numeric\n@attribute \"i \\\"x\\\"\" integer [0,9]\n@attribute c{a, 'b c', \"d,e\"}\n\
         @attribute s string\n  @DATA  \n% rows\n1.5, 2,3,'b c',zebra\n?,?,?,?,?\n\n\
         4 ,5,6 , \"d,e\" ,'ape\\'s'%\n7,8,9,a,zebra % the end\n",
    );
    assert_eq!(numbers(&table, "sepal length")[3], 7.0);
    assert_eq!(numbers(&table, "i \"x\"")[..1], [3.0]);
    assert_eq!(levels(&table, "c"), ["a", "b c", "d,e"]);
    assert_eq!(words(&table, "c"), ["b c", "?", "d,e", "a"]);
    assert_eq!(levels(&table, "s"), ["zebra", "ape's"]);
    assert_eq!(words(&table, "s"), ["zebra", "?", "ape's", "zebra"]);
}

#[test]
fn arff_escapes_are_undone() {
    let table = arff(
        "@attribute 'it\\'s' {'a\\tb', 'c\\\\d', '\\u00e9', '?', '%'}\n@data\n\
         'a\\tb'\n'c\\\\d'\né\n'?'\n'%'\n?\n",
    );
    assert_eq!(words(&table, "it's"), ["a\tb", "c\\d", "é", "?", "%", "?"]);
    assert_eq!(table.columns()[0].values.missing(), 1);
}

#[test]
fn other_spellings_of_missing_are_values_where_declared() {
    let table = arff("@attribute a {NA,x}\n@attribute b {x}\n@attribute n real\n@data\nNA,NA,NA\nx,,NaN\n");
    assert_eq!(words(&table, "a"), ["NA", "x"]);
    assert_eq!(words(&table, "b"), ["?", "?"]);
    assert_eq!(table.columns()[2].values.missing(), 2);
}

#[test]
fn sparse_rows_leave_out_zero_and_the_first_value() {
    let header = "@attribute a real\n@attribute b {x,'y z'}\n@attribute c real\n@attribute d string\n@data\n";
    let table = arff(format!("{header}{{}}\n{{0 5, 1 'y z'}}\n{{ 2 ?,1 x , 3 t }} % end\n1,x,2,u\n"));
    assert_eq!(numbers(&table, "a"), [0.0, 5.0, 0.0, 1.0]);
    assert_eq!(words(&table, "b"), ["x", "y z", "x", "x"]);
    assert!(numbers(&table, "c")[2].is_nan());
    assert_eq!(words(&table, "d"), ["?", "?", "t", "u"]);
    for (row, problem) in [
        ("{4 1}", "from 0 to 3"),
        ("{a 1}", "from 0 to 3"),
        ("{0 1, 0 2}", "two values"),
        ("{0 1", "not closed"),
        ("{0}", "expected a value"),
        ("{0 1}, {2}", "weights"),
        ("{1 w}", "not a declared value"),
    ] {
        let error = arff_error(format!("{header}1,x,2,u\n{row}\n"));
        assert!(error.starts_with("f, line 7") && error.contains(problem), "{error}");
    }
}

#[test]
fn arff_rows_may_be_separated_by_spaces() {
    let table = arff("@attribute a real\n@attribute b {x,'y z'}\n@data\n1 x\n2\t'y z'\n");
    assert_eq!(numbers(&table, "a"), [1.0, 2.0]);
    assert_eq!(words(&table, "b"), ["x", "y z"]);
}

#[test]
fn options_change_arff_types() {
    let text = "@attribute a real\n@attribute b {1,2}\n@attribute d date 'yyyy'\n@data\n1,2,1999\n{0 3}\n";
    let table = with(text, Format::Arff, &options(&["a", "d"], &["b"], &[])).unwrap();
    assert_eq!(levels(&table, "a"), ["1", "3"]);
    assert_eq!(numbers(&table, "b"), [2.0, 1.0]);
    assert_eq!(words(&table, "d"), ["1999", "?"]);
    let table = with(text, Format::Arff, &options(&[], &[], &["d"])).unwrap();
    assert_eq!(table.columns().len(), 2);
    says(arff_error(text), "f, line 5, column 3, attribute 'd'", &["'1999' is no date"]);
}

#[test]
fn bad_arff_rows_are_errors_with_their_place() {
    let header = "@relation r\n@attribute a real\n@attribute colour {red,green,blue}\n@data\n";
    let bad = |row: &str| arff_error(format!("{header}1,red\n{row}\n"));
    says(
        bad("2,gren"),
        "f, line 6, column 2, attribute 'colour'",
        &[
            "'gren' is not a declared value",
            "expected one of 'red', 'green', 'blue'",
            "did you mean 'green'?",
        ],
    );
    says(bad("x,red"), "f, line 6, column 1, attribute 'a'", &["'x' is not a number", "expected"]);
    says(bad("1e999,red"), "f, line 6, column 1, attribute 'a'", &["not finite"]);
    says(bad("1"), "f, line 6", &["1 value, expected 2"]);
    says(bad("1,red,3"), "f, line 6", &["3 values, expected 2"]);
    says(bad("1,red,{5}"), "f, line 6", &["weights of rows"]);
    says(bad("1,'red"), "f, line 6, column 2, attribute 'colour'", &["not closed"]);
    says(bad("1,'red'x"), "f, line 6, column 2, attribute 'colour'", &["after a closing quote"]);
    says(arff_error(header), "f", &["no rows"]);
}

#[test]
fn bad_arff_headers_are_errors_with_their_place() {
    let first = "f, line 1, column 1, attribute 'a'";
    says(arff_error(""), "f", &["empty"]);
    says(arff_error("@relation r\n@attribute a real\n"), "f", &["no @data"]);
    says(arff_error("@relation r\n@data\n1\n"), "f", &["no @attribute"]);
    says(arff_error("a,b\n1,2\n"), "f, line 1", &["'a,b' in the header", "expected @relation"]);
    says(arff_error("@atribute a real\n"), "f, line 1", &["did you mean '@attribute'?"]);
    says(arff_error("@attribute a nummeric\n"), first, &["did you mean 'numeric'?"]);
    says(arff_error("@attribute a relational\n"), first, &["expected numeric"]);
    says(arff_error("@attribute a\n"), first, &["expected numeric"]);
    says(arff_error("@attribute a {x\n"), "f, line 1", &["not closed"]);
    says(arff_error("@attribute a {x,,y}\n"), "f, line 1", &["empty value"]);
    says(arff_error("@attribute a {x,x}\n"), first, &["'x' is declared twice"]);
    says(
        arff_error("@attribute a real\n@attribute a real\n@data\n1,2\n"),
        "f, line 2, column 2, attribute 'a'",
        &["same name"],
    );
}

// Files

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
    assert!(matches!(error, Error::Read { .. }), "{error}");
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
