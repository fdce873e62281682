//! JSON and JSON Lines: every object a row, and what is said of everything else.

use super::{levels, numbers, options, says, words};
use proptest::prelude::*;
use secateur::data::{Format, NoteKind, Plan, ReadOptions, Table, Values, read_bytes, read_bytes_noted};
use secateur::progress::Silent;
use secateur::schema::ShownAs;

fn json(text: &str) -> Table {
    read_bytes("f", text.as_bytes(), Format::Json, &ReadOptions::default(), &Silent).unwrap()
}

fn error(text: &str) -> String {
    error_with(text, &ReadOptions::default())
}

fn error_with(text: &str, options: &ReadOptions) -> String {
    read_bytes("f", text.as_bytes(), Format::Json, options, &Silent).unwrap_err().to_string()
}

const ARRAY: &str = r#"[
  {"n": 1, "t": "a", "b": true, "day": "2021-03-04", "gone": null},
  {"n": -2.5e3, "t": "b", "b": false, "day": null, "late": 7},
  {"t": "NA", "day": "2021-03-05", "n": null}
]"#;

#[test]
fn rows_are_objects_in_an_array_or_one_a_line() {
    let lines = ARRAY.replace(['[', ']'], "").replace("},", "}\n\n").replace("  {", "{");
    for text in [ARRAY, &lines, &format!("\u{feff}{ARRAY}"), &lines.replace('\n', "\r\n")] {
        let table = json(text);
        let names: Vec<&str> = table.columns().iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["n", "t", "b", "day", "gone", "late"]);
        assert_eq!(numbers(&table, "n")[..2], [1.0, -2500.0]);
        assert!(numbers(&table, "n")[2].is_nan());
        // A text is a value, whatever it is; null and a name that is left out are missing.
        assert_eq!(words(&table, "t"), ["a", "b", "NA"]);
        assert_eq!(words(&table, "b"), ["true", "false", "?"]);
        assert_eq!(numbers(&table, "day")[2] - numbers(&table, "day")[0], 86_400.0);
        assert_eq!(table.shown_as(3), ShownAs::Date);
        assert!(numbers(&table, "gone").iter().all(|x| x.is_nan()));
        assert!(numbers(&table, "late")[..1].iter().all(|x| x.is_nan()) && numbers(&table, "late")[1] == 7.0);
    }
}

#[test]
fn other_encodings_are_read_too() {
    let text = "{\"a\": \"grün\"}\n{\"a\": \"rot\"}\n";
    let utf16: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let latin: Vec<u8> = text.chars().map(|c| c as u32 as u8).collect();
    for bytes in [utf16, latin] {
        let read = read_bytes_noted("f", &bytes, Format::Json, &ReadOptions::default(), &Silent).unwrap();
        assert_eq!(words(&read.table, "a"), ["grün", "rot"]);
        assert_eq!(read.notes[0].kind, NoteKind::Encoding);
    }
}

#[test]
fn texts_are_what_they_would_be_in_a_csv_file() {
    let rows: String =
        (0..20).map(|i| format!("{{\"zip\": \"0{:04}\", \"price\": \"{i},50 €\"}}\n", i % 7)).collect();
    let table = json(&rows);
    assert_eq!(levels(&table, "zip").len(), 7);
    assert_eq!(numbers(&table, "price")[3], 3.5);
}

#[test]
fn numbers_among_texts_are_understood_or_refused() {
    let of = |odd: &str, options: &ReadOptions| {
        let rows: String = (0..20)
            .map(|i| format!("{{\"x\": {}, \"y\": 1}}\n", if i == 4 { odd.into() } else { i.to_string() }))
            .collect();
        read_bytes_noted("f", rows.as_bytes(), Format::Json, options, &Silent)
    };
    let plain = ReadOptions::default();
    let missing = of("\"N/A\"", &plain).unwrap();
    assert!(numbers(&missing.table, "x")[4].is_nan());
    assert_eq!(missing.notes[0].kind, NoteKind::MissingWords);
    assert_eq!(of("\"3O\"", &plain).unwrap().notes[0].kind, NoteKind::NearlyNumeric);
    let numeric = of("\"3O\"", &options(&[], &["x"], &[])).unwrap();
    assert!(numbers(&numeric.table, "x")[4].is_nan());

    let mixed = "[{\"x\": 1}, {\"x\": null}, {\"x\": \"a\"}, {\"x\": true}]";
    says(error(mixed), "f, attribute 'x'", &["row 3 has a text where row 1 has a number"]);
    let truth = "[{\"x\": true}, {\"x\": 1}]";
    says(error(truth), "f, attribute 'x'", &["row 2 has a number where row 1 has true or false"]);
    let table = read_bytes("f", mixed.as_bytes(), Format::Json, &options(&["x"], &[], &[]), &Silent).unwrap();
    assert_eq!(words(&table, "x"), ["1", "?", "a", "true"]);
}

#[test]
fn names_keep_all_digits_of_large_numbers() {
    let text = "[{\"id\": 9007199254740993, \"x\": 1}, {\"id\": 9007199254740992, \"x\": 2}]";
    let table = read_bytes("f", text.as_bytes(), Format::Json, &options(&["id"], &[], &[]), &Silent).unwrap();
    assert_eq!(levels(&table, "id"), ["9007199254740993", "9007199254740992"]);
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let nested = "{\"a\": 1}\n\n{\"a\": {\"b\": 2}}\n";
    says(error(nested), "f, line 3, attribute 'a'", &["row 2: an object", "orient='records'"]);
    says(error("{\"a\": [1, 2], \"b\": [3, 4]}"), "f, line 1, attribute 'a'", &["row 1: a list"]);
    says(error("[[1, 2], [3, 4]]"), "f, line 1", &["row 1", "expected an object for each row"]);
    says(error("[{\"a\": 1},\n 7]"), "f, line 2", &["row 2", "integer `7`"]);
    says(error("[{\"a\": 1},\n {\"a\": 1, \"a\": 2}]"), "f, line 2, attribute 'a'", &["'a' appears twice"]);
    says(error("[{\"a\": 1},\n {\"a\": nul}]"), "f, line 2, attribute 'a'", &["row 2: it is not valid JSON"]);
    says(error("[{\"a\": 1},\n {\"a\": NaN}]"), "f, line 2, attribute 'a'", &["row 2: NaN", "write null"]);
    says(error("{\"a\": 1}\n{\"a\": 2"), "f, line 2", &["row 2: the text ends too early"]);
    says(error("{\n  \"a\": 1\n}\n"), "f, line 1", &["a whole object on each line"]);
    says(error("[{\"a\": 1}] x"), "f, line 1", &["it is not valid JSON"]);
    says(error("[]"), "f", &["no rows"]);
    says(error("[{}, {}]"), "f", &["no rows"]);
    says(error("[{\"\": 1}]"), "f, attribute ''", &["no name"]);
    says(error("{\"a\": 1e999}"), "f, line 1, attribute 'a'", &["row 1"]);
    says(error_with("[{\"a\": 1}]", &options(&[], &[], &["b"])), "f", &["'b'"]);
    let text = "[{\"a\": \"x\"}, {\"a\": \"y\"}]";
    says(error_with(text, &options(&[], &["a"], &[])), "f, attribute 'a'", &["row 1: 'x' is not a number"]);
}

#[test]
fn what_is_left_out_may_hold_anything() {
    let text = "[{\"a\": 1, \"b\": {\"c\": [1]}}, {\"a\": 2, \"b\": [[]]}]";
    let table = read_bytes("f", text.as_bytes(), Format::Json, &options(&[], &[], &["b"]), &Silent).unwrap();
    assert_eq!(table.columns().len(), 1);
    let plan = Plan::from_toml("p", "[[column]]\nname = 'b'\ntype = 'ignore'\n").unwrap();
    let options = ReadOptions { plan, ..ReadOptions::default() };
    let again = read_bytes("f", text.as_bytes(), Format::Json, &options, &Silent).unwrap();
    assert_eq!(table, again);
}

proptest! {
    #[test]
    fn a_table_comes_back_from_json_as_from_csv(
        // Without `n`: a text "nan" is missing in CSV only.
        rows in prop::collection::vec((prop::option::of(-1e6f64..1e6), prop::option::of("[a-mo-z]{1,3}")), 1..40)
    ) {
        let mut csv = "x,t\n".to_string();
        let mut lines = String::new();
        for (x, t) in &rows {
            let number = x.map(|x| x.to_string());
            csv += &format!("{},{}\n", number.as_deref().unwrap_or("?"), t.as_deref().unwrap_or("?"));
            let text = t.as_ref().map_or("null".into(), |t| format!("{t:?}"));
            lines += &format!("{{\"x\": {}, \"t\": {text}}}\n", number.as_deref().unwrap_or("null"));
        }
        let csv = super::csv(csv);
        let read = json(&lines);
        for (a, b) in csv.columns().iter().zip(read.columns()) {
            match (&a.values, &b.values) {
                (Values::Numeric(a), Values::Numeric(b)) => {
                    prop_assert!(a.iter().zip(b).all(|(a, b)| a == b || a.is_nan() && b.is_nan()))
                }
                (a, b) => prop_assert_eq!(a, b),
            }
        }
    }

    #[test]
    fn no_bytes_and_no_cut_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), cut in 0..ARRAY.len()) {
        let _ = read_bytes("f", &bytes, Format::Json, &ReadOptions::default(), &Silent);
        let part = &ARRAY.as_bytes()[..cut];
        prop_assert!(read_bytes("f", part, Format::Json, &ReadOptions::default(), &Silent).is_err());
        let cells: Vec<u8> = bytes.iter().map(|b| b"{}[]\":,a1 \n"[*b as usize % 11]).collect();
        let _ = read_bytes("f", &cells, Format::Json, &ReadOptions::default(), &Silent);
    }
}
