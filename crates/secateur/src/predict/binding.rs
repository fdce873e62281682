//! The columns of a table, matched to the attributes of a tree: by name, and values by their text.

use std::collections::HashMap;

use crate::data::{Column, MISSING, Table, Values};
use crate::error::{Error, Place, Result, shown};
use crate::schema::{Attribute, AttributeKind, Cell, Meaning, MissingTexts, ShownAs, Texts};
use crate::tree::Tree;

/// A value that the tree does not know: a row with it goes down every branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unseen {
    /// The attribute.
    pub attribute: String,
    /// The value in the table.
    pub value: String,
    /// The rows that have it.
    pub rows: usize,
}

/// Where the cells of one attribute come from.
pub(super) enum Source<'a> {
    /// Numbers of the table.
    Numbers(&'a [f64]),
    /// Every so manieth number of 32 bits, from one on: a column of a matrix.
    Single { numbers: &'a [f32], first: usize, step: usize },
    /// The same of 64 bits.
    Double { numbers: &'a [f64], first: usize, step: usize },
    /// Codes of the table, and the tree's code for each of them.
    Levels { codes: &'a [u32], to: Vec<u32> },
    /// Codes of the tree, looked up already.
    Codes(Vec<u32>),
    /// Nothing: the tree does not test the attribute, or the column has no values.
    Nothing,
}

impl Source<'_> {
    #[inline]
    pub(super) fn cell(&self, row: usize) -> Cell {
        let number = |x: f64| if x.is_nan() { Cell::Missing } else { Cell::Number(x) };
        let code = match self {
            Self::Numbers(numbers) => return number(numbers[row]),
            Self::Single { numbers, first, step } => return number(f64::from(numbers[first + row * step])),
            Self::Double { numbers, first, step } => return number(numbers[first + row * step]),
            Self::Levels { codes, to } => to.get(codes[row] as usize).copied().unwrap_or(MISSING),
            Self::Codes(codes) => codes[row],
            Self::Nothing => MISSING,
        };
        if code == MISSING { Cell::Missing } else { Cell::Code(code) }
    }
}

/// The attributes a tree tests.
pub(super) fn tested(tree: &Tree) -> Vec<bool> {
    let mut tested = vec![false; tree.schema().attributes.len()];
    for condition in tree.nodes().iter().filter_map(|n| n.condition.as_ref()) {
        tested[condition.attribute()] = true;
    }
    tested
}

/// What a column is that the tree tests and the table does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    IsError,
    IsMissing,
}

/// A source for every attribute, and the values the tree does not know. The first row has this number among all (from 0), which
/// errors say.
pub(super) fn bind<'a>(
    tree: &Tree,
    table: &'a Table,
    first_row: u64,
    column: Absent,
) -> Result<(Vec<Source<'a>>, Vec<Unseen>)> {
    let columns: HashMap<&str, &Column> = table.columns().iter().map(|c| (c.name.as_str(), c)).collect();
    let (mut sources, mut unseen, mut absent) = (Vec::new(), Vec::new(), Vec::new());
    for (attribute, tested) in tree.schema().attributes.iter().zip(tested(tree)) {
        sources.push(match columns.get(attribute.name.as_str()) {
            _ if !tested => Source::Nothing,
            Some(column) => {
                let missing = &tree.schema().missing;
                check_dates(attribute, column, table)?;
                source(attribute, missing, column, (table.name(), first_row), &mut unseen)?
            }
            None => {
                absent.push(shown(&attribute.name));
                Source::Nothing
            }
        });
    }
    if absent.is_empty() || column == Absent::IsMissing {
        return Ok((sources, unseen));
    }
    let (more, shown) = (absent.len().saturating_sub(10), absent.len().min(10));
    let mut problem = format!("the tree needs columns that are not there: {}", absent[..shown].join(", "));
    if more > 0 {
        problem += &format!(" and {more} more");
    }
    Err(Error::input(Place::file(table.name()), problem))
}

/// Refuses plain numbers where the tree was grown with dates or times, which are seconds: they may count something else.
fn check_dates(attribute: &Attribute, column: &Column, table: &Table) -> Result<()> {
    let Values::Numeric(numbers) = &column.values else { return Ok(()) };
    let shown_as = table.position(&column.name).map(|place| table.shown_as(place))?;
    let is_time = |shown_as: ShownAs| shown_as == ShownAs::Time;
    let differs = !attribute.shown_as.is_plain()
        && (shown_as.is_plain() || is_time(shown_as) != is_time(attribute.shown_as));
    if !differs || numbers.iter().all(|x| x.is_nan()) {
        return Ok(());
    }
    let (wanted, found) = (attribute.shown_as, shown_as);
    let found = if found.is_plain() {
        "plain numbers".into()
    } else {
        format!("values of the type {}", found.name())
    };
    Err(Error::input(
        Place::file(table.name()).attribute(&attribute.name),
        format!(
            "the tree was grown with values of the type {} here, and the column has {found}; convert it first",
            wanted.name()
        ),
    ))
}

fn source<'a>(
    attribute: &Attribute,
    missing: &MissingTexts,
    column: &'a Column,
    (table, first_row): (&str, u64),
    unseen: &mut Vec<Unseen>,
) -> Result<Source<'a>> {
    match (&attribute.kind, &column.values) {
        (AttributeKind::Numeric, Values::Numeric(numbers)) => Ok(Source::Numbers(numbers)),
        (AttributeKind::Numeric, Values::Nominal(nominal)) => {
            match nominal.codes.iter().position(|&c| c != MISSING) {
                None => Ok(Source::Nothing),
                Some(row) => Err(Error::input(
                    Place::file(table).attribute(&attribute.name),
                    format!(
                        "the tree was grown with numbers here, but row {} is {}",
                        first_row + row as u64 + 1,
                        shown(&nominal.levels[nominal.codes[row] as usize])
                    ),
                )),
            }
        }
        (AttributeKind::Nominal { values }, Values::Nominal(nominal)) => {
            let texts = Texts::<&str>::new(&attribute.name, values, missing);
            let code = |level: &String| match texts.meaning(level) {
                Meaning::Value(code) => code,
                Meaning::Missing => MISSING,
                Meaning::Unknown => Cell::UNSEEN,
            };
            let to: Vec<u32> = nominal.levels.iter().map(code).collect();
            if to.contains(&Cell::UNSEEN) {
                let mut rows = vec![0; to.len()];
                for &code in nominal.codes.iter().filter(|&&c| c != MISSING) {
                    rows[code as usize] += 1;
                }
                for ((value, &to), &rows) in nominal.levels.iter().zip(&to).zip(&rows) {
                    if to == Cell::UNSEEN && rows > 0 {
                        unseen.push(Unseen { attribute: attribute.name.clone(), value: value.clone(), rows });
                    }
                }
            }
            Ok(Source::Levels { codes: &nominal.codes, to })
        }
        (AttributeKind::Nominal { values }, Values::Numeric(numbers)) => {
            let known = numbers_as_text(values);
            let mut strange: Vec<(f64, usize)> = Vec::new();
            let mut places: HashMap<u64, usize> = HashMap::new();
            let mut code = |&x: &f64| {
                if x.is_nan() {
                    return MISSING;
                }
                known.get(&key(x)).copied().unwrap_or_else(|| {
                    let place = *places.entry(key(x)).or_insert_with(|| {
                        strange.push((x, 0));
                        strange.len() - 1
                    });
                    strange[place].1 += 1;
                    Cell::UNSEEN
                })
            };
            let codes = numbers.iter().map(&mut code).collect();
            let attribute = &attribute.name;
            unseen.extend(strange.into_iter().map(|(x, rows)| Unseen {
                attribute: attribute.clone(),
                value: x.to_string(),
                rows,
            }));
            Ok(Source::Codes(codes))
        }
    }
}

/// The bits of a number, with one zero.
pub(super) fn key(x: f64) -> u64 {
    (x + 0.0).to_bits()
}

/// Values from a list that are numbers, with their places: what a column of numbers is matched with. When
/// several are the same number (`1`, `1.0`), the one written as the number is shown wins, else the first.
pub(super) fn numbers_as_text(values: &[String]) -> HashMap<u64, u32> {
    let mut known = HashMap::new();
    for (value, code) in values.iter().zip(0..) {
        if let Some(x) = value.trim().parse::<f64>().ok().filter(|x| x.is_finite()) {
            if *value == x.to_string() {
                known.insert(key(x), code);
            } else {
                known.entry(key(x)).or_insert(code);
            }
        }
    }
    known
}
