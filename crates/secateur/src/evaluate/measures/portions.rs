//! Rows that come in portions, judged by a tree: what is kept of them grows with the different answers of the tree, not with the rows.
//!
//! A row of a class at a leaf is weight there; a row that goes several ways is weight at what is predicted for it. All measures follow from
//! these, as they do where the rows are in memory ([`measure_in_detail`](super::measure_in_detail)).

use std::collections::BTreeMap;

use super::measured_rows::{from_left_to_right, of_classes, of_numbers, of_size};
use super::scores::Judged;
use super::{Details, Measured};
use crate::data::{MISSING, Table, Values};
use crate::error::{Error, Place, Remedy, Result, shown};
use crate::evaluate::Baseline;
use crate::predict::{Actual, Predictor, UnseenValues};
use crate::sums::Spread;
use crate::threads;
use crate::tree::{NodeAnswers, NodeId, Tree};

/// Which rows are judged, and what they weigh.
#[derive(Debug, Clone, Default)]
pub struct JudgedRows {
    /// The column of weights.
    pub weights: Option<String>,
    /// Whether rows without a target are left out; else they are an error.
    pub drop_missing_target: bool,
}

/// A tree, and what was seen of it so far.
///
/// ```
/// use secateur::Fit;
/// use secateur::data::builtin;
/// use secateur::evaluate::measures::{Judging, JudgedRows};
/// let table = builtin::load("iris")?;
/// let tree = Fit::new(&table, "class").model()?.tree;
/// let mut judging = Judging::new(&tree, JudgedRows::default());
/// judging.add(&table, 0)?;
/// judging.add(&table, 150)?;
/// let measured = judging.measured(Default::default())?;
/// assert_eq!(judging.rows(), 300);
/// assert_eq!(measured.confusion.as_ref().unwrap()[0], [100.0, 0.0, 0.0]);
/// assert!(measured.get("auc").unwrap() > 0.9);
/// # Ok::<(), secateur::Error>(())
/// ```
pub struct Judging<'a> {
    answers: NodeAnswers<&'a Tree>,
    rows_asked: JudgedRows,
    rows: u64,
    /// For every node and class the weight of the rows that end there.
    whole: Vec<f64>,
    /// Rows that go several ways: their first leaf from left to right, what is predicted for them (as bits), their class; and their weight.
    mixed: BTreeMap<(u32, Vec<u64>, u32), f64>,
    places: Vec<u32>,
    numbers: Numbers,
    unseen: UnseenValues,
}

/// What is summed up of numbers.
#[derive(Default)]
struct Numbers {
    /// By the tree.
    own: Residuals,
    /// By the mean of the rows learned from.
    constant: Residuals,
    /// Of the numbers themselves.
    spread: Spread,
}

#[derive(Default)]
struct Residuals {
    squares: f64,
    distances: f64,
    weight: f64,
}

impl Residuals {
    fn add(&mut self, residual: f64, weight: f64) {
        self.squares += weight * residual * residual;
        self.distances += weight * residual.abs();
        self.weight += weight;
    }

    /// The mean squared and the mean absolute one.
    fn means(&self) -> (f64, f64) {
        (self.squares / self.weight, self.distances / self.weight)
    }
}

/// Rows that one thread sends down the tree at a time.
const PIECE: usize = 1 << 12;

impl<'a> Judging<'a> {
    /// Nothing yet.
    pub fn new(tree: &'a Tree, rows_asked: JudgedRows) -> Self {
        let classes = tree.schema().target.classes().len();
        Self {
            answers: NodeAnswers::new(tree),
            rows_asked,
            rows: 0,
            whole: vec![0.0; tree.nodes().len() * classes],
            mixed: BTreeMap::new(),
            places: from_left_to_right(tree),
            numbers: Numbers::default(),
            unseen: UnseenValues::default(),
        }
    }

    /// The rows that were judged.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The values in tested columns that the tree does not know.
    pub fn unseen(&self) -> &UnseenValues {
        &self.unseen
    }

    /// Adds a portion, whose first row has this number among all (from 0).
    pub fn add(&mut self, table: &Table, first_row: u64) -> Result<()> {
        let tree = *self.answers.borrowed();
        let predictor = Predictor::bind_portion(tree, table, first_row)?;
        self.unseen.add(predictor.unseen());
        let weights = self.weights(table, first_row)?;
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let target = tree.schema().target.name();
        let missing = |row: usize| {
            let place = Place::file(table.name()).attribute(target);
            let problem = format!("row {} has no value of the target", first_row + row as u64 + 1);
            Error::input(place, problem).with_remedies(&[Remedy::DropMissingTarget])
        };
        let classes = tree.schema().target.classes().len();
        if tree.is_classifier() {
            let actual = predictor.actual_classes()?;
            let ends = self.ends(&predictor);
            for (row, (actual, (leaf, said))) in actual.into_iter().zip(ends).enumerate() {
                let class = match actual {
                    Actual::Class(class) => class,
                    Actual::Missing if self.rows_asked.drop_missing_target => continue,
                    Actual::Missing => return Err(missing(row)),
                    Actual::Unknown => return Err(unknown_class(table, target, row, first_row)),
                };
                if weight(row) == 0.0 {
                    continue;
                }
                self.rows += 1;
                match said {
                    None => self.whole[leaf * classes + class as usize] += weight(row),
                    Some(said) => {
                        let bits = said.iter().map(|p| p.to_bits()).collect();
                        *self.mixed.entry((self.places[leaf], bits, class)).or_default() += weight(row);
                    }
                }
            }
            return Ok(());
        }
        let constant = tree.value(0);
        let told = predictor.try_predict()?.values;
        for (row, (y, told)) in predictor.actual_numbers()?.iter().zip(told).enumerate() {
            if y.is_nan() && !self.rows_asked.drop_missing_target {
                return Err(missing(row));
            }
            if y.is_nan() || weight(row) == 0.0 {
                continue;
            }
            self.rows += 1;
            self.numbers.own.add(y - told, weight(row));
            self.numbers.constant.add(y - constant, weight(row));
            self.numbers.spread.add(*y, weight(row));
        }
        Ok(())
    }

    /// Where rows end: a leaf, or for a row that goes several ways the first one and what is predicted for it.
    fn ends(&self, predictor: &Predictor) -> impl Iterator<Item = (NodeId, Option<Vec<f64>>)> + use<> {
        let rows = predictor.table().rows();
        let pieces = threads::map(rows.div_ceil(PIECE), |piece| {
            let (mut own, mut stack) = (vec![0.0; self.answers.width()], Vec::new());
            let rows = piece * PIECE..((piece + 1) * PIECE).min(rows);
            let end = |row: usize| {
                own.fill(0.0);
                let ends =
                    self.answers.add_row(|attribute| predictor.cell(row, attribute), &mut stack, &mut own);
                (ends.first, (!ends.is_whole).then(|| own.clone()))
            };
            rows.map(end).collect::<Vec<_>>()
        });
        pieces.into_iter().flatten()
    }

    /// The weights of a portion.
    fn weights<'t>(&self, table: &'t Table, first_row: u64) -> Result<Option<&'t [f64]>> {
        let Some(name) = &self.rows_asked.weights else { return Ok(None) };
        let column = &table.columns()[table.position(name)?];
        let place = || Place::file(table.name()).attribute(name);
        let Values::Numeric(weights) = &column.values else {
            return Err(Error::input(place(), "weights must be numbers, and this column is nominal"));
        };
        if let Some(row) = weights.iter().position(|w| w.is_nan() || *w < 0.0) {
            let problem = format!(
                "row {} has weight {}; expected a number of at least 0",
                first_row + row as u64 + 1,
                weights[row]
            );
            return Err(Error::input(place(), problem));
        }
        Ok(Some(weights))
    }

    /// What is measured on all rows so far.
    ///
    /// # Errors
    /// When no row has weight.
    pub fn measured(&self, details: Details) -> Result<Measured> {
        let tree = *self.answers.borrowed();
        if self.rows == 0 {
            return Err(Error::parameter("there is no row to measure the tree on"));
        }
        let mut measured = Measured::default();
        if tree.is_classifier() {
            of_classes(&mut measured, tree, &self.judged(), details)?;
        } else {
            of_numbers(&mut measured, self.numbers.own.means(), 1.0)?;
        }
        of_size(&mut measured, tree)?;
        Ok(measured)
    }

    /// The best answer that is the same for every row, by the rows the tree was grown from.
    pub fn baseline(&self) -> Baseline {
        let tree = *self.answers.borrowed();
        if !tree.is_classifier() {
            let (mse, mae) = self.numbers.constant.means();
            return Baseline::of_number(tree.value(0), (mse, mae), self.numbers.spread.variance());
        }
        let mut tested = vec![0.0; tree.schema().target.classes().len()];
        self.judged().rows().for_each(|(actual, _, _, weight)| tested[actual] += weight);
        Baseline::of_root(tree, &tested)
    }

    /// Rows alike as one: leaf by leaf from left to right, and then those that go several ways.
    fn judged(&self) -> Judged {
        let tree = *self.answers.borrowed();
        let classes = tree.schema().target.classes().len();
        let mut judged = Judged { classes, ..Judged::default() };
        let mut leaves: Vec<NodeId> = (0..tree.nodes().len()).collect();
        leaves.sort_by_key(|leaf| self.places[*leaf]);
        let mut own = vec![0.0; classes];
        for leaf in leaves {
            let tally = &self.whole[leaf * classes..(leaf + 1) * classes];
            own.fill(0.0);
            self.answers.add(leaf, 1.0, &mut own);
            for (class, &weight) in tally.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
                judged.push(tree, class as u32, &own, weight);
            }
        }
        for ((_, said, class), weight) in &self.mixed {
            let said: Vec<f64> = said.iter().map(|bits| f64::from_bits(*bits)).collect();
            judged.push(tree, *class, &said, *weight);
        }
        judged
    }
}

/// What is wrong with a row (from 1) to test on whose class no row to learn from has.
pub fn unknown_class_in_words(row: u64, class: &str) -> String {
    format!(
        "row {row} is of class {}, which no training row has; leave such rows out, or correct the class",
        shown(class)
    )
}

fn unknown_class(table: &Table, target: &str, row: usize, first_row: u64) -> Error {
    let column = table.columns().iter().find(|column| column.name == target);
    let value = match column.map(|column| &column.values) {
        Some(Values::Nominal(nominal)) if nominal.codes[row] != MISSING => {
            nominal.levels[nominal.codes[row] as usize].clone()
        }
        Some(Values::Numeric(numbers)) => numbers[row].to_string(),
        _ => String::new(),
    };
    Error::input(
        Place::file(table.name()).attribute(target),
        unknown_class_in_words(first_row + row as u64 + 1, &value),
    )
}
