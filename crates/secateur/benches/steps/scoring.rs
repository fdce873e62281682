//! One row at a time by a scorer, beside a router that knows no missing values: what a user would write by hand.

use std::hint::black_box;
use std::time::Instant;

use secateur::data::{CodedTable, MISSING, Roles, Table, Values};
use secateur::grow::grow;
use secateur::predict::{Field, Scorer};
use secateur::progress::Silent;
use secateur::tree::{Condition, Tree};
use secateur::{Error, Result};
use serde_json::{Value, json};

use crate::options::Options;

/// A tree for rows of plain numbers; a nominal value is its code.
enum Routed {
    Leaf { label: usize },
    Below { attribute: usize, below: f64, first: usize },
    Codes { attribute: usize, branches: Vec<u8>, first: usize },
}

fn router(tree: &Tree) -> Vec<Routed> {
    let routed = |id: usize| {
        let first = tree.children(id).start;
        match &tree.node(id).condition {
            None => Routed::Leaf { label: tree.label(id) },
            Some(Condition::Threshold { attribute, below, .. }) => {
                Routed::Below { attribute: *attribute as usize, below: *below, first }
            }
            Some(condition) => {
                let attribute = condition.attribute();
                let codes = 0..tree.schema().attributes[attribute].values().len() as u32;
                let branch = |code| condition.route(secateur::schema::Cell::Code(code)).unwrap_or(0) as u8;
                Routed::Codes { attribute, branches: codes.map(branch).collect(), first }
            }
        }
    };
    (0..tree.nodes().len()).map(routed).collect()
}

fn route(nodes: &[Routed], row: &[f64]) -> usize {
    let mut at = 0;
    loop {
        match &nodes[at] {
            Routed::Leaf { label } => return *label,
            Routed::Below { attribute, below, first } => at = first + usize::from(row[*attribute] >= *below),
            Routed::Codes { attribute, branches, first } => {
                at = first + usize::from(branches[row[*attribute] as usize]);
            }
        }
    }
}

/// The rows of a table without missing values, as numbers, and as the fields of a scorer: codes or texts.
struct Rows<'a> {
    numbers: Vec<Vec<f64>>,
    codes: Vec<Vec<Field<'a>>>,
    texts: Vec<Vec<Field<'a>>>,
}

fn rows<'a>(table: &'a Table, scorer: &Scorer) -> Result<Rows<'a>> {
    let mut rows = Rows { numbers: vec![], codes: vec![], texts: vec![] };
    let mut columns = Vec::new();
    for name in scorer.columns() {
        let found = table.columns().iter().find(|c| c.name == name);
        columns.push(found.ok_or_else(|| Error::parameter(format!("no column {name}")))?);
    }
    for row in 0..table.rows() {
        let (mut numbers, mut codes, mut texts) = (vec![], vec![], vec![]);
        for (place, column) in columns.iter().enumerate() {
            let (number, code, text) = match &column.values {
                Values::Numeric(x) => (x[row], Field::Number(x[row]), Field::Number(x[row])),
                Values::Nominal(n) if n.codes[row] == MISSING => (f64::NAN, Field::Missing, Field::Missing),
                Values::Nominal(n) => {
                    let text = n.levels[n.codes[row] as usize].as_str();
                    let code = scorer.code(place, text).unwrap_or(MISSING);
                    (f64::from(code), Field::Code(code), Field::Text(text))
                }
            };
            numbers.push(number);
            codes.push(code);
            texts.push(text);
        }
        if numbers.iter().all(|x| !x.is_nan()) {
            rows.numbers.push(numbers);
            rows.codes.push(codes);
            rows.texts.push(texts);
        }
    }
    Ok(rows)
}

/// Nanoseconds for a row: the least of several passes, in turn with the others.
fn nanoseconds<R>(rows: &[R], mut ask: impl FnMut(&R)) -> f64 {
    let start = Instant::now();
    rows.iter().for_each(&mut ask);
    start.elapsed().as_secs_f64() * 1e9 / rows.len() as f64
}

/// The nanoseconds of one row.
pub fn beside_a_router(table: &Table, roles: &Roles, options: &Options) -> Result<Value> {
    let coded = CodedTable::new(table, roles)?;
    let tree = grow(&coded, &options.scheme.grow_spec(coded.task())?, &Silent)?;
    let (nodes, scorer) = (router(&tree), Scorer::new(tree.clone()));
    let mut buffer = scorer.buffer();
    let Rows { numbers, codes, texts } = rows(table, &scorer)?;
    let missing: Vec<Vec<Field>> = codes.iter().map(|row| vec![Field::Missing; row.len()]).take(20).collect();
    let mut least = [f64::INFINITY; 4];
    for _ in 0..options.repeats.max(1) {
        let seen = [
            nanoseconds(&numbers, |row| _ = black_box(route(&nodes, row))),
            nanoseconds(&codes, |row| _ = black_box(scorer.score(row, &mut buffer).map(|s| s.class))),
            nanoseconds(&texts, |row| _ = black_box(scorer.score(row, &mut buffer).map(|s| s.class))),
            nanoseconds(&missing, |row| _ = black_box(scorer.score(row, &mut buffer).map(|s| s.class))),
        ];
        least.iter_mut().zip(seen).for_each(|(least, seen)| *least = least.min(seen));
    }
    let [router, by_code, by_text, in_parts] = least;
    Ok(json!({
        "router": router, "scorer": by_code, "by_text": by_text, "all_missing": in_parts,
        "ratio": by_code / router, "leaves": tree.leaves(), "depth": tree.depth(), "rows": numbers.len(),
    }))
}
