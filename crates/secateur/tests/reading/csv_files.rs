//! What CSV files become.

use super::*;
use secateur::data::{NoteKind, Plan, read_bytes_noted};

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
    // A separator at the end of every row is not a field.
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

/// The notes of a CSV file, of these kinds, as their columns.
fn noted(text: &str, kind: NoteKind) -> Vec<(String, Option<u64>)> {
    let read = read_bytes_noted("f", text.as_bytes(), Format::Csv, &ReadOptions::default(), &Silent).unwrap();
    let notes = read.notes.into_iter().filter(|note| note.kind == kind);
    notes.map(|note| (note.column.unwrap(), note.line)).collect()
}

#[test]
fn cells_that_may_mean_something_else_than_the_number_they_become_are_noted() {
    let rows =
        |cells: &[&str]| format!("a,b\n{}", cells.iter().map(|c| format!("{c},x\n")).collect::<String>());
    let only = |line: u64| vec![("a".to_string(), Some(line))];
    // Brackets make a number negative.
    assert_eq!(noted(&rows(&["1", "(300)", "7"]), NoteKind::Signs).len(), 1);
    assert_eq!(numbers(&csv(rows(&["1", "(300)", "7"])), "a"), [1.0, -300.0, 7.0]);
    // Codes with leading zeros of different lengths, and with an exponent in them.
    assert_eq!(noted(&rows(&["12", "007", "450"]), NoteKind::ZerosLost), only(3));
    assert_eq!(noted(&rows(&["01", "02", "12"]), NoteKind::ZerosLost), []);
    assert_eq!(noted(&rows(&["123", "1e5", "9E2"]), NoteKind::Exponents), only(3));
    assert_eq!(noted(&rows(&["1.5e3", "1e-5", "-2e+3"]), NoteKind::Exponents), []);
    // What is not 0 and becomes 0.
    for (cells, line) in
        [(["1", "1e-400", "0"], Some(3)), (["1", "0e5", "0.0e-9"], None), (["1", "1e-300", "5e-324"], None)]
    {
        assert_eq!(noted(&rows(&cells), NoteKind::TooSmall), line.map(only).unwrap_or_default(), "{cells:?}");
    }
    // Zones in some cells only.
    let times = ["2021-03-04 10:00", "2021-03-04T10:00:00+02:00", "2021-03-05 11:30"];
    assert_eq!(noted(&rows(&times), NoteKind::MixedZones), only(2));
    assert_eq!(noted(&rows(&[times[0], times[2]]), NoteKind::MixedZones), []);
    assert_eq!(noted(&rows(&[times[1], "2021-03-04T10:00:00Z"]), NoteKind::MixedZones), []);
}

#[test]
fn the_first_line_may_say_the_separator_and_spaces_may_be_it() {
    for first in ["sep=;\n", "SEP=;\r\n", "\"sep=;\"\n"] {
        let text = format!("{first}a;b c\n1,5;x\n2;y z\n");
        let table = csv(&text);
        let names: Vec<&str> = table.columns().iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["a", "b c"], "{first:?}");
        assert_eq!(numbers(&table, "a"), [1.5, 2.0]);
        says(csv_error(format!("{first}a;b\n1;2\n3\n")), "f, line 4", &["1 field"]);
    }
    let table = csv("a b y\n0.5 x p\n1.5 y n\n");
    assert_eq!((table.columns().len(), numbers(&table, "a")), (3, &[0.5, 1.5][..]));
    // Two words on every line are one value, and so are words beside another separator.
    assert_eq!(csv("full name\nAda Byron\nAlan Turing\n").columns().len(), 1);
    assert_eq!(csv("a 1,b 2\n1 2,3 4\n").columns().len(), 2);
}

#[test]
fn what_is_empty_is_missing_and_marks_are_values_where_they_are_kept() {
    let text = "a,n,t\nNA,1,x\n,?,y\n\"\",NA,z\n?,3,w\nEU,4,v\n";
    let plan = Plan { keep_na: Some(true), ..Plan::default() };
    let kept = with(text, Format::Csv, &ReadOptions { plan, ..ReadOptions::default() }).unwrap();
    assert_eq!(levels(&kept, "a"), ["NA", "", "?", "EU"]);
    assert_eq!(kept.columns()[0].values.missing(), 1);
    assert_eq!(kept.columns()[1].values.missing(), 2);
    let usual = csv(text);
    assert_eq!(levels(&usual, "a"), ["EU"]);
    assert_eq!(usual.columns()[0].values.missing(), 4);
    let read = read_bytes_noted("f", text.as_bytes(), Format::Csv, &ReadOptions::default(), &Silent).unwrap();
    let told: Vec<String> = read.notes.iter().map(ToString::to_string).collect();
    assert_eq!(told, ["'NA' in 2 cells of 'a' is read as missing (line 2)"]);
}
