//! What the readers promise for any size of chunk and any number of threads.

use super::text::Text;
use super::{Format, ReadOptions, arff, csv};
use crate::data::{Column, MISSING, Nominal, Table, Values};
use crate::error::Result;
use crate::progress::Silent;
use proptest::prelude::*;
use std::fmt::Write;

fn chunked(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    chunk: usize,
    threads: usize,
) -> Result<Table> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let text = Text::new("t", bytes)?;
        match format {
            Format::Arff => arff::read(&text, options, &Silent, chunk).map(|r| r.table),
            Format::Tsv => csv::read(&text, b'\t', options, &Silent, chunk).map(|r| r.table),
            _ => csv::read(&text, b',', options, &Silent, chunk).map(|r| r.table),
        }
    })
}

/// Missing values are equal here.
fn same(a: &Table, b: &Table) -> bool {
    let cells = |v: &Values| match v {
        Values::Numeric(v) => v.iter().map(|v| if v.is_nan() { None } else { Some(v.to_bits()) }).collect(),
        Values::Nominal(n) => n.codes.iter().map(|&c| Some(u64::from(c))).collect::<Vec<_>>(),
    };
    let levels = |v: &Values| match v {
        Values::Numeric(_) => None,
        Values::Nominal(n) => Some(n.levels.clone()),
    };
    a.rows() == b.rows()
        && a.columns().len() == b.columns().len()
        && a.columns().iter().zip(b.columns()).all(|(a, b)| {
            a.name == b.name && levels(&a.values) == levels(&b.values) && cells(&a.values) == cells(&b.values)
        })
}

fn agree(bytes: &[u8], format: Format) -> Result<(), TestCaseError> {
    let options = ReadOptions::default();
    let whole = chunked(bytes, format, &options, 1 << 20, 1);
    for (chunk, threads) in [(1, 3), (7, 4), (64, 2)] {
        let (one, many) =
            (chunked(bytes, format, &options, chunk, 1), chunked(bytes, format, &options, chunk, threads));
        match (&whole, &many) {
            (Ok(a), Ok(b)) => prop_assert!(same(a, b), "chunk {chunk}: {a:?}\n{b:?}"),
            // Of several faults another one may be reported when chunks end elsewhere, but never when only the threads differ.
            (Err(_), Err(b)) => prop_assert_eq!(one.map(|_| ()).unwrap_err().to_string(), b.to_string()),
            (a, b) => prop_assert!(false, "chunk {}: {:?} / {:?}", chunk, a, b),
        }
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn written(table: &Table, always: bool) -> String {
    let quote = |text: &str| {
        let plain = text.chars().all(|c| c.is_ascii_alphanumeric());
        if plain && !always { text.to_string() } else { quoted(text) }
    };
    let mut out = String::new();
    let names: Vec<String> = table.columns().iter().map(|c| quote(&c.name)).collect();
    writeln!(out, "{}", names.join(",")).unwrap();
    for row in 0..table.rows() {
        let cells: Vec<String> = table
            .columns()
            .iter()
            .map(|column| match &column.values {
                Values::Numeric(values) if values[row].is_nan() => "?".into(),
                Values::Numeric(values) => values[row].to_string(),
                Values::Nominal(n) if n.codes[row] == MISSING => "?".into(),
                Values::Nominal(n) => quote(&n.levels[n.codes[row] as usize]),
            })
            .collect();
        write!(out, "{}\r\n", cells.join(",")).unwrap();
    }
    out
}

/// Values in the order of appearance, none that looks like a number or a missing value.
fn nominal(cells: &[Option<String>]) -> Values {
    let mut nominal = Nominal::default();
    for cell in cells {
        nominal.codes.push(match cell {
            None => MISSING,
            Some(text) => {
                let text = format!("#{text}");
                let found = nominal.levels.iter().position(|l| *l == text).unwrap_or_else(|| {
                    nominal.levels.push(text);
                    nominal.levels.len() - 1
                });
                found as u32
            }
        });
    }
    Values::Nominal(nominal)
}

fn tables() -> impl Strategy<Value = Table> {
    let cell = prop::option::weighted(0.8, prop_oneof!["[a-c]", "[ -~\n\r\"',\té∂]{0,6}"]);
    let number = prop_oneof![Just(f64::NAN), any::<i16>().prop_map(f64::from), -1e300..1e300];
    let rows = prop::collection::vec((number, cell.clone(), cell), 1..40);
    (rows, "[ -~\n]{1,5}").prop_map(|(rows, name)| {
        let column = |name: String, values| Column { name, values };
        // A column with nothing but missing values is numeric, so a row has one of each.
        let mut first: Vec<Option<String>> = rows.iter().map(|r| r.1.clone()).collect();
        let mut second: Vec<Option<String>> = rows.iter().map(|r| r.2.clone()).collect();
        first[0] = Some("x".into());
        *second.last_mut().unwrap() = Some("last".into());
        let columns = vec![
            column(format!("n{name}"), Values::Numeric(rows.iter().map(|r| r.0).collect())),
            column("a,\"b\"".into(), nominal(&first)),
            column("c\nd".into(), nominal(&second)),
        ];
        Table::new("t", columns).unwrap()
    })
}

proptest! {
    #[test]
    fn tables_survive_csv(table in tables(), always: bool, chunk in 1usize..200) {
        let text = written(&table, always);
        let read = chunked(text.as_bytes(), Format::Csv, &ReadOptions::default(), chunk, 2);
        let read = read.map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert!(same(&table, &read), "{text}\n{table:?}\n{read:?}");
    }

    #[test]
    fn csv_never_depends_on_chunks_or_threads(text in "[ab1.,\"\n\r ?é]{0,80}") {
        agree(format!("x,y\n{text}").as_bytes(), Format::Csv)?;
        agree(format!("x\n{text}").as_bytes(), Format::Tsv)?;
        agree(text.as_bytes(), Format::Csv)?;
    }

    #[test]
    fn regular_csv_never_depends_on_chunks_or_threads(
        rows in prop::collection::vec("([0-9]{1,3}|[a-e]|inf|\"[0-9,\n\"]{0}\"|\"[ab,\n]{0,4}\"|),(1|2.5|x|\\?)\n", 1..30)
    ) {
        agree(format!("x,y\n{}", rows.concat()).as_bytes(), Format::Csv)?;
    }

    #[test]
    fn arff_never_depends_on_chunks_or_threads(
        rows in prop::collection::vec("([0-9]{1,3}|\\?),[ab]( , ?|\t,)'?[c-e]{1,2}'?\n|\\{1 b(, 0 7)?\\} ?%\n|\n|% no\n", 0..30)
    ) {
        let header = "@relation r\n@attribute x real\n@attribute y {a,b}\n@attribute z string\n@data\n";
        agree(format!("{header}{}", rows.concat()).as_bytes(), Format::Arff)?;
    }

    #[test]
    fn any_text_is_read_or_refused_as_arff(
        header in "[@a-c{}, '\"%\n\\\\é]{0,60}", rows in "[0-3ab{}, '\"%\n\\\\é?]{0,60}"
    ) {
        agree(header.as_bytes(), Format::Arff)?;
        let known = "@RELATION r\n@Attribute x NUMERIC\n@attribute y{a,b}\n@attribute z string\n@DATA\n";
        agree(format!("{known}{rows}").as_bytes(), Format::Arff)?;
        let known = "@attribute x numeric\n@attribute ";
        agree(format!("{known}{header}\n@data\n{rows}").as_bytes(), Format::Arff)?;
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in Format::ALL {
            let _ = super::read_bytes("t", &bytes, *format, &ReadOptions::default(), &Silent);
        }
        agree(&bytes, Format::Csv)?;
        agree(&bytes, Format::Arff)?;
    }
}

#[test]
fn many_values_keep_their_order_over_many_chunks() {
    let rows = 60_000;
    let mut text = String::from("id,same\n");
    for row in 0..rows {
        let _ = writeln!(text, "v{},{}", (row * 7919) % 50_021, row % 3);
    }
    let one = chunked(text.as_bytes(), Format::Csv, &ReadOptions::default(), usize::MAX, 1).unwrap();
    let many = chunked(text.as_bytes(), Format::Csv, &ReadOptions::default(), 1000, 4).unwrap();
    assert!(same(&one, &many));
    let Values::Nominal(ids) = &many.columns()[0].values else { panic!() };
    assert_eq!(ids.levels.len(), 50_021);
    assert_eq!(ids.levels[..3], ["v0", "v7919", "v15838"]);
}

#[test]
fn text_far_down_makes_the_whole_column_nominal() {
    let mut text = String::from("x,y,z\n");
    for row in 0..5000 {
        let _ = writeln!(text, "{row},{},0{row}", if row == 4321 { "odd" } else { "01" });
    }
    let table = chunked(text.as_bytes(), Format::Csv, &ReadOptions::default(), 500, 4).unwrap();
    let Values::Nominal(y) = &table.columns()[1].values else { panic!() };
    assert_eq!(y.levels, ["01", "odd"]);
    assert_eq!(y.codes.iter().sum::<u32>(), 1);
    assert_eq!(y.codes[4321], 1);
    let Values::Numeric(z) = &table.columns()[2].values else { panic!() };
    assert_eq!(z[4999], 4999.0);
}

#[test]
fn of_two_faults_the_first_is_told() {
    for bytes in [b"x\n1\n\x80\n\0\n", b"x\n1\n\0\n\x80\n"] {
        agree(bytes, Format::Csv).unwrap();
        let error = super::read_bytes("t", bytes, Format::Csv, &ReadOptions::default(), &Silent).unwrap_err();
        assert!(error.to_string().contains("line 3"), "{error}");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn without_its_feature_parquet_is_an_error_that_names_it() {
    let error = super::read_bytes("t.parquet", b"PAR1", Format::Parquet, &ReadOptions::default(), &Silent)
        .unwrap_err();
    assert!(error.to_string().contains("without its feature `parquet`"), "{error}");
}
