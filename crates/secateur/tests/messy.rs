//! Forty tables as people really have them, made by rule from one clean table: what reading decides, what it says, and the tree of
//! the clean table out of each that can be understood.

use NoteKind::*;
use secateur::data::{
    CodedTable, Format, Note, NoteKind, Plan, ReadOptions, Reading, Roles, Values, notice, read_bytes_noted,
};
use secateur::fit::{FitOptions, fit};
use secateur::progress::Silent;
use secateur::report::{TextOptions, text};

/// The cells of the clean table, its header first.
fn clean() -> Vec<Vec<String>> {
    let head = ["age", "income", "day", "colour", "member", "class"].map(String::from).to_vec();
    let row = |i: usize| {
        let (age, income) = (18 + (i * 7) % 53, 1000.5 + ((i * 37) % 60) as f64 * 50.25);
        let (month, day) = ((i * 5) % 12 + 1, (i * 11) % 28 + 1);
        let colour = ["red", "green", "blue"][i % 3];
        let member = if i % 4 < 2 { "TRUE" } else { "FALSE" };
        let good = income > 2500.0 && age > 30 || month > 9;
        let class = if good { "good" } else { "bad" };
        vec![
            age.to_string(),
            format!("{income:.2}"),
            format!("2021-{month:02}-{day:02}"),
            colour.into(),
            member.into(),
            class.into(),
        ]
    };
    std::iter::once(head).chain((0..60).map(row)).collect()
}

fn written(cells: &[Vec<String>], separator: &str) -> String {
    cells.iter().map(|row| row.join(separator) + "\n").collect()
}

/// The clean table with a column written another way.
fn with(column: usize, write: impl Fn(usize, &str) -> String) -> Vec<Vec<String>> {
    let mut cells = clean();
    for (row, line) in cells.iter_mut().enumerate().skip(1) {
        line[column] = write(row - 1, &line[column]);
    }
    cells
}

/// The clean table with another column in front.
fn before(name: &str, cell: impl Fn(usize) -> String) -> Vec<Vec<String>> {
    let mut cells = clean();
    for (row, line) in cells.iter_mut().enumerate() {
        line.insert(0, if row == 0 { name.into() } else { cell(row - 1) });
    }
    cells
}

fn read(bytes: &[u8], plan: Plan) -> Reading {
    let options = ReadOptions { plan, ..ReadOptions::default() };
    read_bytes_noted("messy.csv", bytes, Format::Csv, &options, &Silent).unwrap()
}

/// The tree of a table, as it is shown, and all notes on the table.
fn grown(reading: Reading) -> (String, Vec<Note>) {
    let Reading { table, notes, .. } = reading;
    let noticed = notice(&table, &Roles::default(), &[]).unwrap();
    let left_out = noticed.left_out.clone();
    let notes = noticed.following(notes);
    let coded = CodedTable::new(&table.without(&left_out), &Roles::default()).unwrap();
    let tree = fit(&coded, &"cart".parse().unwrap(), &FitOptions::default(), &Silent).unwrap().tree;
    (text(&tree, TextOptions::default()).to_string(), notes)
}

/// What is to come of a messy file.
#[derive(PartialEq)]
enum Tree {
    Same,
    Another,
}

/// A file: its name, its bytes, the notes it must give (and no others), and whether the tree is that of the clean table.
type Case = (&'static str, Vec<u8>, Vec<NoteKind>, Tree);

fn signed() -> Vec<Case> {
    let thousands = |sign: char| {
        move |_: usize, text: &str| {
            let (whole, cents) = text.split_once('.').unwrap();
            let (front, back) = whole.split_at(whole.len() - 3);
            format!("{front}{sign}{back}{}{cents}", if sign == '.' { ',' } else { '.' })
        }
    };
    let text = |cells: Vec<Vec<String>>, sep: &str| written(&cells, sep).into_bytes();
    vec![
        (
            "thousands, quoted",
            text(with(1, |i, t| format!("\"{}\"", thousands(',')(i, t))), ","),
            vec![Signs, Dates],
            Tree::Same,
        ),
        ("thousands of Swiss banks", text(with(1, thousands('\'')), ","), vec![Signs, Dates], Tree::Same),
        ("thousands with spaces", text(with(1, thousands(' ')), ","), vec![Signs, Dates], Tree::Same),
        ("dollars", text(with(1, |_, t| format!("${t}")), ","), vec![Signs, Dates], Tree::Same),
        ("euros behind", text(with(1, |_, t| format!("{t} €")), ","), vec![Signs, Dates], Tree::Same),
        ("percent", text(with(0, |_, t| format!("{t}%")), ","), vec![Signs, Dates], Tree::Same),
        (
            "one percent sign only",
            text(with(0, |i, t| if i == 3 { format!("{t}%") } else { t.into() }), ","),
            vec![Dates],
            Tree::Another,
        ),
        (
            "decimal commas",
            text(with(1, |_, t| t.replace('.', ",")), ";"),
            vec![Separator, DecimalComma, Dates],
            Tree::Same,
        ),
        (
            "German thousands",
            text(with(1, thousands('.')), ";"),
            vec![Separator, DecimalComma, Signs, Dates],
            Tree::Same,
        ),
        ("minus of printers", text(with(0, |_, t| format!("−{t}")), ","), vec![Dates], Tree::Another),
    ]
}

fn laid_out() -> Vec<Case> {
    let text = |sep: &str| written(&clean(), sep);
    let mut twice = clean();
    twice[0][3] = "age".into();
    let mut blank = text(",");
    blank = blank.replacen('\n', "\n\n", 5) + "\n\n";
    let trailing: String = clean().iter().map(|row| row.join(",") + ",\n").collect();
    let trailing_rows: String = clean()
        .iter()
        .enumerate()
        .map(|(i, row)| row.join(",") + if i == 0 { "\n" } else { ",\n" })
        .collect();
    let utf16: Vec<u8> =
        std::iter::once(0xfeff).chain(text(",").encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let utf16_be: Vec<u8> =
        std::iter::once(0xfeff).chain(text(",").encode_utf16()).flat_map(u16::to_be_bytes).collect();
    let unmarked: Vec<u8> = text(",").encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        ("semicolons", text(";").into(), vec![Separator, Dates], Tree::Same),
        ("bars", text("|").into(), vec![Separator, Dates], Tree::Same),
        ("tabs", text("\t").into(), vec![Separator, Dates], Tree::Same),
        ("commas with spaces", text(", ").into(), vec![Dates], Tree::Same),
        ("lines of Windows", text(",").replace('\n', "\r\n").into(), vec![Dates], Tree::Same),
        (
            "all cells quoted",
            written(
                &clean().iter().map(|r| r.iter().map(|c| format!("\"{c}\"")).collect()).collect::<Vec<_>>(),
                ",",
            )
            .into(),
            vec![Dates],
            Tree::Same,
        ),
        ("blank lines", blank.into(), vec![Dates], Tree::Same),
        ("separators at the ends", trailing.into(), vec![EmptyColumns, Dates], Tree::Same),
        ("separators at the ends of rows", trailing_rows.into(), vec![EmptyColumns, Dates], Tree::Same),
        (
            "empty rows of a spreadsheet",
            (text(",") + ",,,,,\n,,,,,\n").into(),
            vec![EmptyRows, Dates],
            Tree::Same,
        ),
        (
            "a saved index",
            written(&before("", |i| i.to_string()), ",").into(),
            vec![Index, Dates],
            Tree::Same,
        ),
        (
            "an index of pandas",
            written(&before("Unnamed: 0", |i| i.to_string()), ",").into(),
            vec![Index, Dates],
            Tree::Same,
        ),
        ("two names alike", written(&twice, ",").into(), vec![SameName, Dates], Tree::Same),
        (
            "a byte order mark",
            [b"\xef\xbb\xbf".as_slice(), text(",").as_bytes()].concat(),
            vec![Dates],
            Tree::Same,
        ),
        ("UTF-16", utf16, vec![Encoding, Dates], Tree::Same),
        ("UTF-16, large end first", utf16_be, vec![Encoding, Dates], Tree::Same),
        ("UTF-16 without a mark", unmarked, vec![Encoding, Dates], Tree::Same),
    ]
}

fn columns() -> Vec<Case> {
    let text = |cells: Vec<Vec<String>>| written(&cells, ",").into_bytes();
    let day = |form: fn(&str, &str, &str) -> String| with(2, move |_, t| form(&t[..4], &t[5..7], &t[8..]));
    let latin: Vec<u8> =
        written(&with(3, |_, t| t.replace("green", "grün")), ",").chars().map(|c| c as u32 as u8).collect();
    vec![
        ("clean", text(clean()), vec![Dates], Tree::Same),
        (
            "an odd cell",
            text(with(0, |i, t| if i == 40 { "3O".into() } else { t.into() })),
            vec![NearlyNumeric, Dates],
            Tree::Another,
        ),
        (
            "words for missing values",
            text(with(0, |i, t| if i % 15 == 0 { "N/A".into() } else { t.into() })),
            vec![MissingWords, Dates],
            Tree::Another,
        ),
        ("nothing but a word", text(before("m", |_| "none".into())), vec![OneValue, Dates], Tree::Same),
        (
            "nothing but missing values",
            text(before("m", |_| "N/A".into())),
            vec![LikeMissing, OneValue, Dates],
            Tree::Same,
        ),
        (
            "dashes for missing values",
            text(with(0, |i, t| if i % 15 == 0 { "-".into() } else { t.into() })),
            vec![MissingWords, Dates],
            Tree::Another,
        ),
        (
            "a missing word among colours",
            text(with(3, |i, t| if i == 4 { "N/A".into() } else { t.into() })),
            vec![LikeMissing, Dates],
            Tree::Same,
        ),
        (
            "an identifier",
            text(before("customer", |i| format!("C{:03}x", 7 * i))),
            vec![Identifier, Dates],
            Tree::Same,
        ),
        ("row numbers", text(before("id", |i| (i + 1).to_string())), vec![RowNumbers, Dates], Tree::Same),
        (
            "zip codes",
            text(before("zip", |i| format!("{:05}", (i % 6) * 1111))),
            vec![LeadingZeros, Dates],
            Tree::Same,
        ),
        ("one value only", text(before("country", |_| "CH".into())), vec![OneValue, Dates], Tree::Same),
        (
            "spellings of true",
            text(with(4, |i, t| if i % 3 == 0 { t.to_lowercase() } else { t.into() })),
            vec![TruthValues, Dates],
            Tree::Same,
        ),
        ("days with points", text(day(|y, m, d| format!("{d}.{m}.{y}"))), vec![Dates], Tree::Same),
        ("days of Britain", text(day(|y, m, d| format!("{d}/{m}/{y}"))), vec![Dates], Tree::Same),
        ("days of America", text(day(|y, m, d| format!("{m}/{d}/{y}"))), vec![Dates], Tree::Same),
        ("days with slashes", text(day(|y, m, d| format!("{y}/{m}/{d}"))), vec![Dates], Tree::Same),
        (
            "days that are ambiguous",
            text(day(|y, m, _| format!("{m}/05/{y}"))),
            vec![AmbiguousDates],
            Tree::Another,
        ),
        ("Latin letters", latin, vec![Encoding, Dates], Tree::Same),
    ]
}

fn all() -> Vec<Case> {
    [signed(), laid_out(), columns()].into_iter().flatten().collect()
}

fn kinds(notes: &[Note]) -> Vec<String> {
    let mut kinds: Vec<String> = notes.iter().map(|note| format!("{:?}", note.kind)).collect();
    kinds.sort();
    kinds
}

#[test]
fn every_messy_file_is_understood_or_told() {
    let (tree, _) = grown(read(written(&clean(), ",").as_bytes(), Plan::default()));
    assert!(all().len() >= 40, "{}", all().len());
    for (name, bytes, wanted, same) in all() {
        let (messy, notes) = grown(read(&bytes, Plan::default()));
        let mut wanted: Vec<String> = wanted.iter().map(|kind| format!("{kind:?}")).collect();
        wanted.sort();
        assert_eq!(
            kinds(&notes),
            wanted,
            "{name}: {}",
            notes.iter().map(|n| n.to_string() + "\n").collect::<String>()
        );
        assert_eq!(messy == tree, same == Tree::Same, "{name}\n{messy}\n{tree}");
    }
}

#[test]
fn the_clean_tree_comes_out_of_json() {
    let cells = clean();
    let number = |column: usize| column < 2;
    let row = |row: &Vec<String>| {
        let cell = |(column, text): (usize, &String)| {
            let text = if number(column) { text.clone() } else { format!("{text:?}") };
            format!("{:?}: {text}", cells[0][column])
        };
        format!("{{{}}}", row.iter().enumerate().map(cell).collect::<Vec<_>>().join(", "))
    };
    let rows: Vec<String> = cells[1..].iter().map(row).collect();
    let (tree, _) = grown(read(written(&cells, ",").as_bytes(), Plan::default()));
    for text in [rows.join("\n"), format!("[{}]", rows.join(", "))] {
        let options = ReadOptions::default();
        let reading =
            read_bytes_noted("messy.json", text.as_bytes(), Format::Json, &options, &Silent).unwrap();
        let (json, notes) = grown(reading);
        assert_eq!((json, kinds(&notes)), (tree.clone(), vec!["Dates".to_string()]));
    }
}

#[test]
fn what_was_decided_reads_the_same_table_again() {
    for (name, bytes, ..) in all() {
        let first = read(&bytes, Plan::default());
        let plan = Plan::from_toml("plan", &first.plan.to_toml()).unwrap();
        let again = read(&bytes, plan);
        let shape = |reading: &Reading| -> Vec<String> {
            reading.table.columns().iter().map(|c| format!("{c:?}")).collect()
        };
        assert_eq!(shape(&first), shape(&again), "{name}");
    }
}

#[test]
fn notes_have_places_and_numbers() {
    let told = |name: &str| -> Vec<String> {
        let (_, bytes, ..) = all().into_iter().find(|case| case.0 == name).unwrap();
        grown(read(&bytes, Plan::default())).1.iter().map(ToString::to_string).collect()
    };
    assert!(
        told("an odd cell")
            .contains(&"'age' would be numeric except for 1 of 60 cells (line 42: '3O')".into()),
        "{:?}",
        told("an odd cell")
    );
    let words = "'N/A' in 4 cells of 'age' counts as missing: all other cells are numbers or dates";
    assert!(
        told("words for missing values").contains(&words.into()),
        "{:?}",
        told("words for missing values")
    );
    let left =
        "'customer' has 60 different values in 60 rows (such as 'C000x'): an identifier, left out of growing";
    assert!(told("an identifier").contains(&left.into()), "{:?}", told("an identifier"));
    assert!(
        told("Latin letters").contains(&"the text is read as windows-1252 (line 3 is not UTF-8)".into()),
        "{:?}",
        told("Latin letters")
    );
}

#[test]
fn a_column_that_must_be_numbers_may_have_none() {
    for plan in ["type = 'numeric'", "type = 'date'", "type = 'time'"] {
        let plan = Plan::from_toml("p", &format!("[[column]]\nname = 'm'\n{plan}\n")).unwrap();
        let table = read(b"m,x\nN/A,1\n-,2\nN/A,3\n", plan).table;
        assert!(matches!(&table.columns()[0].values, Values::Numeric(m) if m.iter().all(|x| x.is_nan())));
    }
}

#[test]
fn what_the_caller_says_comes_first() {
    let (_, bytes, ..) = all().into_iter().find(|case| case.0 == "an odd cell").unwrap();
    let age = |options: ReadOptions| {
        let reading = read_bytes_noted("f.csv", &bytes, Format::Csv, &options, &Silent).unwrap();
        let kinds = kinds(&reading.notes);
        (
            matches!(reading.table.columns()[0].values, Values::Numeric(_)),
            reading.table.columns()[0].values.missing(),
            kinds,
        )
    };
    let missing = ReadOptions {
        plan: Plan { missing: vec!["3O".into()], ..Plan::default() },
        ..ReadOptions::default()
    };
    assert_eq!(age(missing), (true, 1, vec!["Dates".to_string()]));
    let numeric = ReadOptions { numeric: vec!["age".into()], ..ReadOptions::default() };
    assert_eq!(age(numeric), (true, 1, vec!["Dates".to_string(), "OddCells".to_string()]));
    let options =
        ReadOptions { plan: Plan { separator: Some(';'), ..Plan::default() }, ..ReadOptions::default() };
    let reading =
        read_bytes_noted("f.csv", written(&clean(), ",").as_bytes(), Format::Csv, &options, &Silent).unwrap();
    assert_eq!(reading.table.columns().len(), 1);
}
