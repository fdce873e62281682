//! Small samples with the folds and held-out rows that go with them, and changes that must not matter.

use std::sync::Arc;

use rand::RngExt;
use secateur::data::{CodedTable, Column, Table, Values};
use secateur::error::Result;
use secateur::fit::{FitOptions, Fitted, fit_in};
use secateur::progress::Silent;
use secateur::schema::{CostEntry, Costs, Task};
use secateur::scheme::Scheme;
use secateur::training::{Folds, Grown, TreeCache};

use crate::common::{Rows, Shape, coded, picked, plain, random_table, rng, task_of};

/// A table with a fold and a part for every row, so that nothing is left to chance.
#[derive(Clone)]
pub struct Sample {
    /// What the sample has, in a few words.
    pub name: &'static str,
    pub table: Table,
    fold: Vec<u32>,
    /// What a row counts for where a pruning is chosen on held-out rows; 0 for the rows to learn from.
    held: Vec<f64>,
    /// By name of the classes.
    costs: Vec<CostEntry>,
}

impl Sample {
    pub fn new(name: &'static str, shape: Shape, seed: u64) -> Self {
        let mut rng = rng(seed);
        Self {
            name,
            table: random_table(shape, seed),
            fold: (0..shape.rows).map(|_| rng.random_range(0..3)).collect(),
            held: (0..shape.rows).map(|_| f64::from(u8::from(rng.random_range(0..3) == 0))).collect(),
            costs: Vec::new(),
        }
    }

    /// The same with different costs for different mistakes.
    pub fn with_costs(mut self) -> Self {
        self.costs.clear();
        let names = self.classes();
        for (i, actual) in names.iter().enumerate() {
            for (j, predicted) in names.iter().enumerate().filter(|(j, _)| *j != i) {
                let cost = 1.0 + ((2 * i + j) % 4) as f64;
                self.costs.push(CostEntry { actual: actual.clone(), predicted: predicted.clone(), cost });
            }
        }
        self
    }

    /// The same where every mistake costs 1.
    pub fn with_costs_of_one(mut self) -> Self {
        self = self.with_costs();
        self.costs.iter_mut().for_each(|c| c.cost = 1.0);
        self
    }

    pub fn without_costs(self) -> Self {
        Self { costs: Vec::new(), ..self }
    }

    pub fn has_costs(&self) -> bool {
        !self.costs.is_empty()
    }

    /// The same rows in other folds.
    pub fn other_folds(&self) -> Self {
        Self {
            fold: self.fold.iter().enumerate().map(|(row, f)| (f + row as u32) % 3).collect(),
            ..self.clone()
        }
    }

    /// The same rows to learn from, and other weights of those held out.
    pub fn other_held_rows(&self) -> Self {
        let mut other = self.clone();
        other.held.iter_mut().filter(|h| **h > 0.0).step_by(2).for_each(|h| *h = 9.0);
        other
    }

    pub fn task(&self) -> Task {
        task_of(self.classes().len())
    }

    fn classes(&self) -> Vec<String> {
        match &self.table.columns().last().unwrap().values {
            Values::Nominal(target) => target.levels.clone(),
            Values::Numeric(_) => Vec::new(),
        }
    }

    fn with_columns(&self, columns: Vec<Column>) -> Self {
        Self { table: Table::new(self.table.name(), columns).unwrap(), ..self.clone() }
    }

    /// These rows, in this order, as often as they stand there.
    pub fn picked(&self, rows: &[usize]) -> Self {
        Self {
            table: picked(&self.table, rows),
            fold: rows.iter().map(|&i| self.fold[i]).collect(),
            held: rows.iter().map(|&i| self.held[i]).collect(),
            ..self.clone()
        }
    }

    /// Every row as often as its weight says, without weights.
    pub fn repeated(&self) -> Self {
        let times = plain(&self.table).weights;
        let rows: Vec<usize> =
            (0..times.len()).flat_map(|row| std::iter::repeat_n(row, times[row] as usize)).collect();
        let repeated = self.picked(&rows);
        repeated.with_columns(repeated.table.columns().iter().filter(|c| c.name != "w").cloned().collect())
    }

    /// Other weights.
    pub fn reweighted(&self, weight: impl Fn(usize, f64) -> f64) -> Self {
        let changed = |c: &Column| match (&c.values, c.name.as_str()) {
            (Values::Numeric(v), "w") => Column {
                name: c.name.clone(),
                values: Values::Numeric(v.iter().enumerate().map(|(row, &w)| weight(row, w)).collect()),
            },
            _ => c.clone(),
        };
        self.with_columns(self.table.columns().iter().map(changed).collect())
    }

    /// Weights that no two sums share: neither gains nor classes are tied.
    fn without_ties(&self) -> Self {
        self.reweighted(|row, w| w + ((row as f64 + 1.0).sin() * 43_758.545_3).fract().abs())
    }

    /// The rows in another order.
    pub fn shuffled(&self) -> Self {
        let mut rng = rng(77);
        let mut rows: Vec<usize> = (0..self.fold.len()).collect();
        for i in (1..rows.len()).rev() {
            rows.swap(i, rng.random_range(0..=i));
        }
        self.picked(&rows)
    }

    /// The classes in the opposite order, with other names.
    pub fn other_classes(&self) -> Self {
        let renamed = |name: &str| format!("other {name}");
        let mut columns = self.table.columns().to_vec();
        if let Values::Nominal(target) = &mut columns.last_mut().unwrap().values {
            let last = target.levels.len() as u32 - 1;
            target.levels = target.levels.iter().rev().map(|name| renamed(name)).collect();
            target.codes.iter_mut().for_each(|code| *code = last - *code);
        }
        let costs = self.costs.iter().map(|c| CostEntry {
            actual: renamed(&c.actual),
            predicted: renamed(&c.predicted),
            cost: c.cost,
        });
        Self { costs: costs.collect(), ..self.with_columns(columns) }
    }

    /// The attributes in the opposite order.
    pub fn other_attributes(&self) -> Self {
        let columns = self.table.columns();
        let attribute = |c: &&Column| c.name.len() == 1 && "abcd".contains(&c.name);
        let mut moved: Vec<Column> = columns.iter().filter(attribute).rev().cloned().collect();
        moved.extend(columns.iter().filter(|c| !attribute(c)).cloned());
        self.with_columns(moved)
    }

    /// The costs of all mistakes times a number.
    pub fn dearer(&self, times: f64) -> Self {
        let mut dearer = self.clone();
        dearer.costs.iter_mut().for_each(|c| c.cost *= times);
        dearer
    }

    /// The rows to learn from.
    pub fn rows(&self) -> Rows {
        let mut rows = plain(&self.table);
        rows.weights.iter_mut().zip(&self.held).filter(|(_, held)| **held > 0.0).for_each(|(w, _)| *w = 0.0);
        rows
    }

    /// Coded, with the settings of fits: folds and held-out rows for those that ask.
    pub fn ready(&self) -> Ready {
        let table = coded(&self.table);
        let held: Vec<f64> = (0..table.rows()).map(|row| self.held[row] * table.weight(row)).collect();
        let costs = self.has_costs().then(|| Arc::new(Costs::new(&self.classes(), &self.costs).unwrap()));
        let options = FitOptions {
            folds: Some(Folds::given(self.fold.iter().map(|f| Some(*f)).collect()).unwrap()),
            weights: Some(self.rows().weights),
            held_out: Some(held),
            costs,
            ..FitOptions::default()
        };
        Ready { table, options }
    }
}

/// A coded sample with the settings of fits.
pub struct Ready {
    table: CodedTable,
    options: FitOptions,
}

impl Ready {
    pub fn trees(&self) -> Trees<'_> {
        Trees(TreeCache::new(&self.table, &self.options).unwrap())
    }
}

/// The trees of a sample, grown once for all schemes.
pub struct Trees<'a>(TreeCache<'a>);

impl Trees<'_> {
    pub fn fit(&self, scheme: &Scheme) -> Result<Fitted> {
        fit_in(&self.0, scheme, &Silent)
    }

    /// The tree that the scheme's learner grows, before it is pruned.
    pub fn full(&self, scheme: &Scheme) -> Result<Arc<Grown>> {
        self.0.full(&scheme.grow_spec(self.0.task())?, &Silent)
    }
}

const PLAIN: Shape = Shape { rows: 85, classes: 2, missing: 0.0, weights: true, nominal_values: 4 };

/// Classes and numbers (other ones in every round), with missing values and without, all with whole weights.
pub fn samples(round: u64) -> Vec<Sample> {
    let numbers = |missing| Shape { classes: 0, missing, ..PLAIN };
    let mut all = classifiers(round);
    all.push(Sample::new("numbers", numbers(0.0), 504 + 10 * round));
    all.push(Sample::new("numbers with missing values", numbers(0.12), 505 + 10 * round));
    all
}

/// The samples with classes.
pub fn classifiers(round: u64) -> Vec<Sample> {
    let of = |name, classes, missing, seed| {
        Sample::new(name, Shape { classes, missing, ..PLAIN }, seed + 10 * round)
    };
    vec![
        of("two classes", 2, 0.0, 501),
        of("three classes with missing values", 3, 0.12, 502),
        of("five classes with costs", 5, 0.0, 503).with_costs(),
        of("three classes with costs and missing values", 3, 0.1, 506).with_costs(),
    ]
}

/// All samples, some with whole weights and some with others.
pub fn mixed_samples(round: u64) -> Vec<Sample> {
    samples(round)
        .into_iter()
        .enumerate()
        .map(|(i, s)| if i % 2 == 1 { s.without_ties() } else { s })
        .collect()
}

/// The same samples with weights that leave no ties.
pub fn without_ties(samples: Vec<Sample>) -> Vec<Sample> {
    samples.iter().map(Sample::without_ties).collect()
}
