//! Deciding how columns are coded, from what all shards have said of them.
//!
//! A column of numbers with few values keeps them. Another is cut into bins as [`crate::data::Bins`] defines them ([`Cutting`]).

use serde::{Deserialize, Serialize};

use super::amounts::AMOUNT;
use super::coding::{Coding, ColumnCoding, Tagging, TargetCoding};
use super::column_looked::{ColumnLooked, KindLooked, LevelsLooked, ListOrder};
use super::cutting::Cutting;
use super::look::{Look, Looked};
use super::near::{Closer, Near, NearValues};
use crate::data::notice::{DIFFERENT, ROWS, names_rows};
use crate::data::{Note, NoteKind, Roles, Scale, natural_order, unkey};
use crate::error::{Error, Place, Remedy, Result};
use crate::schema::{Attribute, AttributeKind, Schema, Target};
use crate::sums::{Steps, unit_for};

/// In which order the values of a nominal column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Levels {
    /// In that of their first appearance, as in a table in memory.
    #[default]
    First,
    /// By their texts: the order of rows does not matter.
    Sorted,
}

/// What comes next.
pub enum Next {
    /// Some columns are to be looked at closer; [`Decision::answered`] takes the answer.
    Near(Near),
    /// It is decided.
    Done(Box<Coding>),
}

/// A decision in the making.
pub struct Decision {
    name: String,
    roles: Roles,
    looked: Looked,
    levels: Levels,
    tagging: Tagging,
    /// Columns that no tree is grown from, with a note on each.
    left_out: Vec<Note>,
    /// For every attribute that is cut: how far that is.
    cuttings: Vec<(usize, Cutting)>,
    /// Values that are reported at once, at most.
    most_values: usize,
}

/// Larger targets have squares that overflow.
const MOST_TARGET: f64 = 1e150;

impl Decision {
    /// Begins with what all shards have answered to a [`Look`]; `name` is that of the table. At most this many values are asked for at a time.
    pub fn new(
        name: &str,
        question: &Look,
        looked: Looked,
        (levels, tagging): (Levels, Tagging),
        most_values: usize,
    ) -> Result<Self> {
        check(name, &question.roles, &looked)?;
        let left_out = left_out(question, &looked);
        let is_left_out = |name: &str| left_out.iter().any(|note| note.column.as_deref() == Some(name));
        let mut cuttings = Vec::new();
        for (a, column) in looked.attributes.iter().enumerate() {
            if let KindLooked::Numbers(numbers) = &column.kind
                && !is_left_out(&column.name)
                && numbers.values.as_ref().is_none_or(|values| values.len() > question.bins)
            {
                cuttings.push((a, Cutting::new(numbers, question.bins, &looked)));
            }
        }
        let roles = question.roles.clone();
        Ok(Self { name: name.into(), roles, looked, levels, tagging, left_out, cuttings, most_values })
    }

    /// Notes on columns that no tree is grown from: identifiers and row numbers.
    pub fn left_out(&self) -> &[Note] {
        &self.left_out
    }

    /// What to do next.
    pub fn next(&self) -> Result<Next> {
        let most = self.most_values / self.cuttings.len().max(1);
        let open = self.cuttings.iter().filter(|(_, cutting)| !cutting.is_done());
        let columns: Vec<(String, Closer)> = open
            .map(|(a, cutting)| {
                (self.looked.attributes[*a].name.clone(), cutting.question(most.max(1 << 10)))
            })
            .collect();
        if columns.is_empty() {
            return Ok(Next::Done(Box::new(self.coding()?)));
        }
        Ok(Next::Near(Near { roles: self.roles.clone(), columns }))
    }

    /// Takes the answer of all shards to the last question.
    pub fn answered(&mut self, question: &Near, answer: NearValues) -> Result<()> {
        let mut open: Vec<&mut Cutting> = self
            .cuttings
            .iter_mut()
            .map(|(_, cutting)| cutting)
            .filter(|cutting| !cutting.is_done())
            .collect();
        if open.len() != answer.columns.len() || open.len() != question.columns.len() {
            return Err(Error::internal("an answer to another question"));
        }
        for ((cutting, (_, closer)), answer) in open.iter_mut().zip(&question.columns).zip(answer.columns) {
            cutting.take(closer, answer)?;
        }
        Ok(())
    }

    fn coding(&self) -> Result<Coding> {
        let looked = &self.looked;
        let mut columns = Vec::with_capacity(looked.attributes.len());
        let mut attributes = Vec::with_capacity(looked.attributes.len());
        let kept = |column: &ColumnLooked| {
            self.left_out.iter().all(|note| note.column.as_ref() != Some(&column.name))
        };
        for (a, column) in looked.attributes.iter().enumerate().filter(|(_, column)| kept(column)) {
            let cutting = self.cuttings.iter().find(|(of, _)| *of == a).map(|(_, cutting)| cutting);
            let (kind, scale) = match (&column.kind, cutting) {
                (KindLooked::Numbers(_), Some(cutting)) => {
                    (AttributeKind::Numeric, Scale::Bins(cutting.bins()))
                }
                (KindLooked::Numbers(numbers), None) => {
                    let values = numbers.values.iter().flatten().map(|&key| unkey(key)).collect();
                    (AttributeKind::Numeric, Scale::Values(values))
                }
                (KindLooked::Levels(levels), _) => {
                    let values = self.ordered(&column.name, levels)?;
                    let count = values.len() as u32;
                    let scale = if levels.order == ListOrder::Ordered {
                        Scale::Ordered(count)
                    } else {
                        Scale::Levels(count)
                    };
                    (AttributeKind::Nominal { values }, scale)
                }
            };
            attributes.push(Attribute { name: column.name.clone(), kind, shown_as: column.shown_as });
            columns.push(ColumnCoding { scale, has_missing: column.missing });
        }
        let (target, target_coding) = self.target()?;
        let weights = &looked.weights;
        let total = if weights.given { weights.total as f64 / AMOUNT } else { weights.rows as f64 };
        let steps = Steps::below(total);
        let differ = weights.given && weights.lightest != weights.heaviest;
        Ok(Coding {
            name: self.name.clone(),
            roles: self.roles.clone(),
            schema: Schema::new(attributes, target),
            columns,
            target: target_coding,
            rows: weights.rows,
            total,
            heaviest: weights.heaviest,
            unit_weight: (!differ).then(|| if weights.given { steps.round(weights.heaviest) } else { 1.0 }),
            weight_steps: steps,
            tagging: self.tagging,
        })
    }

    fn target(&self) -> Result<(Target, TargetCoding)> {
        let column = &self.looked.target;
        let name = column.name.clone();
        Ok(match &column.kind {
            KindLooked::Numbers(numbers) if !self.looked.task => {
                (Target::Number { name }, TargetCoding::Numbers { unit: unit_for(numbers.size) })
            }
            KindLooked::Numbers(numbers) => {
                let Some(values) = &numbers.values else {
                    return Err(Error::input(
                        Place::file(&self.name).attribute(&name),
                        "it has too many different numbers to be classes; let it be a number to predict (the task regression)",
                    ));
                };
                let labels: Vec<f64> = values.iter().map(|&key| unkey(key)).collect();
                let classes = labels.iter().map(f64::to_string).collect();
                (Target::Classes { name, classes }, TargetCoding::Labels(labels))
            }
            KindLooked::Levels(levels) => {
                let classes = self.ordered(&name, levels)?;
                (Target::Classes { name, classes }, TargetCoding::Classes)
            }
        })
    }

    /// The values of a column in their order.
    fn ordered(&self, name: &str, levels: &LevelsLooked) -> Result<Vec<String>> {
        if levels.too_many {
            let problem = format!(
                "its different values are more than the {} MB that are kept of a column; leave the column out, or give more memory",
                levels.most >> 20
            );
            let place = Place::file(&self.name).attribute(name);
            return Err(Error::input(place, problem).with_remedies(&[Remedy::LeaveColumnOut]));
        }
        let mut list: Vec<(&String, &(u64, u32))> = levels.places.iter().collect();
        match (levels.order, self.levels) {
            (ListOrder::Natural, _) => {
                let texts = list.into_iter().map(|(text, _)| text.clone()).collect();
                return Ok(natural_order(texts));
            }
            (ListOrder::Free, Levels::Sorted) => list.sort_unstable_by_key(|(text, _)| *text),
            _ => list.sort_unstable_by_key(|(_, place)| **place),
        }
        Ok(list.into_iter().map(|(text, _)| text.clone()).collect())
    }
}

/// Identifiers and row numbers, as [`notice`](crate::data::notice()) knows them in a table in memory.
fn left_out(question: &Look, looked: &Looked) -> Vec<Note> {
    let Some(keep) = &question.leave_out else { return Vec::new() };
    let is_many = |rows: u64| rows >= ROWS as u64;
    let note = |column: &ColumnLooked| {
        let first = column.counts_rows.iter().position(|counts| *counts);
        if let Some(first) = first.filter(|_| is_many(looked.rows) && names_rows(&column.name)) {
            let rows = looked.rows as usize;
            return Some(Note::new(NoteKind::RowNumbers).cells(rows, rows).values([first.to_string()]));
        }
        let KindLooked::Levels(levels) = &column.kind else { return None };
        let different = levels.places.len();
        let is_identifier = levels.too_many || different as f64 >= DIFFERENT * column.known as f64;
        let first = levels.places.iter().min_by_key(|(_, place)| **place).map(|(text, _)| text.clone());
        (is_identifier && is_many(column.known)).then(|| {
            let different = if levels.too_many { column.known as usize } else { different };
            Note::new(NoteKind::Identifier).cells(different, column.known as usize).values(first)
        })
    };
    let found: Vec<Note> = looked
        .attributes
        .iter()
        .filter(|column| !keep.contains(&column.name))
        .filter_map(|column| Some(note(column)?.column(&column.name)))
        .collect();
    // Something must be left to grow from.
    if found.len() == looked.attributes.len() { Vec::new() } else { found }
}

/// What can be wrong with a table as a whole, in the words that a table in memory has for it.
fn check(name: &str, roles: &Roles, looked: &Looked) -> Result<()> {
    let place = || Place::file(name);
    let target = || place().attribute(&looked.target.name);
    if looked.rows == 0 {
        return Err(Error::input(place(), "the table has no rows"));
    }
    if looked.without_target == looked.rows {
        return Err(Error::input(target(), "every row lacks a value of the target"));
    }
    if looked.without_target > 0 && !roles.drop_missing_target {
        let shown: Vec<String> = looked.first_without.iter().take(5).map(u64::to_string).collect();
        let more = if looked.without_target > 5 { ", …" } else { "" };
        let problem = format!(
            "{} of {} rows have no value of the target (row {}{more}); complete them or leave them out",
            looked.without_target,
            looked.rows,
            shown.join(", "),
        );
        return Err(Error::input(target(), problem).with_remedies(&[Remedy::DropMissingTarget]));
    }
    if looked.weights.rows == 0 {
        return Err(Error::input(place(), "no row has a weight above 0"));
    }
    if let (false, ColumnLooked { kind: KindLooked::Numbers(numbers), .. }) = (looked.task, &looked.target)
        && numbers.size > MOST_TARGET
    {
        let problem = format!("a row is {:e}; expected a target between -1e150 and 1e150", numbers.size);
        return Err(Error::input(target(), problem));
    }
    Ok(())
}
