//! What ARFF files become.

use super::*;

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
    says(arff_error(text), "f, line 5, column 3, attribute 'd'", &["'1999' is not a date"]);
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
