//! A table coded once for all growing: every column as small integers, the target as class codes or numbers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bins::{self, Bins};
use super::coding::{self, NumberCoding};
use super::floats;
use super::rank::Ranker;
use super::{Codes, Column, Roles, Table, Values};
use crate::error::{Error, Result};
use crate::memory;
use crate::schema::{Cell, Priors, Schema, Task};

/// What the codes of a column stand for. The code of a missing value is the number of other codes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Scale {
    /// Distinct values in ascending order; the code is the rank.
    Values(Vec<f64>),
    /// Ascending cut points; the code is the number of cuts at or below the value.
    Cuts(Vec<f64>),
    /// Intervals of values; the code is the number of the bin.
    Bins(Bins),
    /// Numbers of 32 bits; the code is the place among all of them, whether they occur or not.
    Floats,
    /// The values of a nominal attribute, that many.
    Levels(u32),
    /// The same where the values are in order.
    Ordered(u32),
}

/// One coded column.
#[derive(Debug, Clone, PartialEq)]
pub struct CodedColumn {
    /// The codes, one for each row.
    pub codes: Codes,
    /// What they stand for.
    pub scale: Scale,
    /// Whether any row has no value.
    pub has_missing: bool,
}

impl CodedColumn {
    pub(super) fn new(column: &Column, is_ordered: bool, ranker: &mut Ranker) -> Result<Self> {
        let (codes, scale) = match &column.values {
            Values::Numeric(cells) => {
                let (values, codes) = ranker.ranks(cells)?;
                (codes, Scale::Values(values))
            }
            Values::Nominal(nominal) => {
                let levels = nominal.levels.len() as u32;
                let width = if levels > 0xffff { size_of::<u32>() } else { size_of::<u16>() };
                memory::ask(nominal.codes.len() * width, "the codes of a column")?;
                let scale = if is_ordered { Scale::Ordered(levels) } else { Scale::Levels(levels) };
                (Codes::pack(nominal.codes.iter().map(|&c| c.min(levels)), levels), scale)
            }
        };
        Ok(Self::of(codes, scale))
    }

    /// A column of numbers coded as is asked for, where that can be.
    pub(super) fn of_numbers(column: &Column, wanted: NumberCoding) -> Result<Option<Self>> {
        match (&column.values, wanted) {
            (Values::Numeric(cells), NumberCoding::Bins(bins)) => Ok(bins::of_cells(cells, bins)),
            (Values::Numeric(cells), NumberCoding::Floats) => floats::of_cells(cells),
            _ => Ok(None),
        }
    }

    /// A column from its parts.
    pub fn of(codes: Codes, scale: Scale) -> Self {
        let mut column = Self { codes, scale, has_missing: false };
        column.has_missing = column.codes.contains(column.cardinality());
        column
    }

    /// The number of codes, which is also the code of a missing value.
    pub fn cardinality(&self) -> u32 {
        match &self.scale {
            Scale::Values(values) => values.len() as u32,
            Scale::Cuts(cuts) => cuts.len() as u32 + 1,
            Scale::Bins(bins) => bins.first.len() as u32,
            Scale::Floats => floats::CODES,
            Scale::Levels(levels) | Scale::Ordered(levels) => *levels,
        }
    }

    /// Whether the column is numeric.
    pub fn is_numeric(&self) -> bool {
        !matches!(self.scale, Scale::Levels(_) | Scale::Ordered(_))
    }

    /// A cell with this code, for routing.
    pub fn cell(&self, code: u32) -> Cell {
        if code >= self.cardinality() {
            return Cell::Missing;
        }
        match &self.scale {
            Scale::Values(values) => Cell::Number(values[code as usize]),
            Scale::Cuts(_) if code == 0 => Cell::Number(f64::NEG_INFINITY),
            Scale::Cuts(cuts) => Cell::Number(cuts[code as usize - 1]),
            Scale::Bins(bins) => Cell::Number(bins.first[code as usize]),
            Scale::Floats => Cell::Number(floats::number(code)),
            Scale::Levels(_) | Scale::Ordered(_) => Cell::Code(code),
        }
    }
}

/// The coded target.
#[derive(Debug, Clone, PartialEq)]
pub enum CodedTarget {
    /// The class of every row.
    Classes {
        /// The number of classes.
        classes: usize,
        /// The class codes.
        codes: Vec<u32>,
    },
    /// The number of every row.
    Numbers {
        /// What the numbers are multiplied by: a power of two, and 1 unless the largest of them is so large or so small that
        /// squares would be lost.
        unit: f64,
        /// The numbers times the unit.
        values: Vec<f64>,
    },
}

impl CodedTarget {
    /// The weight of every class where the rows have these weights; nothing where the target has numbers.
    pub(crate) fn class_weights(&self, weights: impl Iterator<Item = f64>) -> Vec<f64> {
        let Self::Classes { classes, codes } = self else { return Vec::new() };
        let mut totals = vec![0.0; *classes];
        codes.iter().zip(weights).for_each(|(&class, weight)| totals[class as usize] += weight);
        totals
    }
}

/// A coded table: what growing works on.
#[derive(Debug, Clone, PartialEq)]
pub struct CodedTable {
    pub(super) name: String,
    pub(super) schema: Arc<Schema>,
    pub(super) columns: Vec<CodedColumn>,
    pub(super) target: CodedTarget,
    pub(super) weights: Option<Vec<f64>>,
    pub(super) rows: usize,
}

impl CodedTable {
    /// Codes a table. Columns are coded in parallel.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values};
    /// let x = Column { name: "x".into(), values: Values::Numeric(vec![3.0, 1.0, 3.0]) };
    /// let class = Nominal { levels: vec!["a".into(), "b".into()], codes: vec![0, 1, 0] };
    /// let y = Column { name: "y".into(), values: Values::Nominal(class) };
    /// let table = Table::new("tiny", vec![x, y]).unwrap();
    /// let coded = CodedTable::new(&table, &Roles::default()).unwrap();
    /// assert_eq!(coded.columns()[0].codes.get(0), 1);
    /// ```
    pub fn new(table: &Table, roles: &Roles) -> Result<Self> {
        coding::coded(table, roles, NumberCoding::Ranks)
    }

    /// [`new`](Self::new) of a table that is not needed any more: its columns are given up one by one while they are coded, so
    /// that the two are never in memory as a whole.
    ///
    /// ```
    /// use secateur::data::{CodedTable, Roles, builtin};
    /// let table = builtin::load("credit")?;
    /// let coded = CodedTable::new(&table, &Roles::default())?;
    /// assert_eq!(CodedTable::in_place_of(table, &Roles::default())?, coded);
    /// # Ok::<(), secateur::Error>(())
    /// ```
    pub fn in_place_of(table: Table, roles: &Roles) -> Result<Self> {
        coding::coded_in_place(table, roles, NumberCoding::Ranks)
    }

    /// The same for growing a single tree by the order of numbers alone: numbers of 32 bits are not ranked, which takes a third of the
    /// memory. Growing gives the same tree.
    pub(crate) fn for_one_tree(table: Table, roles: &Roles) -> Result<Self> {
        coding::coded_in_place(table, roles, NumberCoding::Floats)
    }

    /// Codes a table whose numeric columns are cut into bins of about the same weight, at most this many; a column with
    /// no more values keeps them all. Growing with [`GrowSpec::bins`](crate::spec::GrowSpec::bins) gives the same tree from a table of values, but coding
    /// that takes longer.
    pub fn binned(table: &Table, roles: &Roles, bins: usize) -> Result<Self> {
        coding::coded(table, roles, NumberCoding::Bins(bins))
    }

    /// A table from its parts, which fit.
    pub(crate) fn from_parts(
        name: String,
        schema: Arc<Schema>,
        columns: Vec<CodedColumn>,
        target: CodedTarget,
        weights: Option<Vec<f64>>,
        rows: usize,
    ) -> Self {
        Self { name, schema, columns, target, weights, rows }
    }

    /// The name of the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Names and values.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The attributes' columns.
    pub fn columns(&self) -> &[CodedColumn] {
        &self.columns
    }

    /// A cell of a row, for routing.
    #[inline]
    pub(crate) fn cell(&self, row: usize, attribute: usize) -> Cell {
        let column = &self.columns[attribute];
        column.cell(column.codes.get(row))
    }

    /// The target.
    pub fn target(&self) -> &CodedTarget {
        &self.target
    }

    /// Whether classes or numbers are predicted.
    pub fn task(&self) -> Task {
        self.schema.target.task()
    }

    /// The number of classes; 0 for regression.
    pub fn classes(&self) -> usize {
        match &self.target {
            CodedTarget::Classes { classes, .. } => *classes,
            CodedTarget::Numbers { .. } => 0,
        }
    }

    /// What the numbers of the target are multiplied by ([`CodedTarget::Numbers`]); 1 for classes.
    pub fn unit(&self) -> f64 {
        match &self.target {
            CodedTarget::Classes { .. } => 1.0,
            CodedTarget::Numbers { unit, .. } => *unit,
        }
    }

    /// The row weights, when they are not all one.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The weight of a row.
    pub fn weight(&self, row: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |w| w[row])
    }

    /// The number of rows, those of no weight included.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The same table with its rows weighted so that the classes have the shares of the priors in the total weight: for one tree
    /// grown from all rows. (Where rows are left out or tested, see [`FitOptions::priors`](crate::fit::FitOptions::priors).)
    ///
    /// # Errors
    /// When the target has numbers, or other classes than those of the priors.
    pub fn with_priors(mut self, priors: &Priors) -> Result<Self> {
        let CodedTarget::Classes { codes, .. } = &self.target else {
            return Err(Error::parameter("priors are for classes; the target here has numbers"));
        };
        let shares = priors.shares(self.schema.target.classes())?;
        let mut weights: Vec<f64> = (0..self.rows).map(|row| self.weight(row)).collect();
        let totals = self.target.class_weights(weights.iter().copied());
        let total: f64 = totals.iter().sum();
        for (&class, weight) in codes.iter().zip(&mut weights) {
            let class = class as usize;
            if *weight > 0.0 {
                *weight *= shares[class] * total / totals[class];
            }
        }
        self.weights = Some(weights);
        Ok(self)
    }

    /// The same table with all weights one.
    pub(crate) fn without_weights(self) -> Self {
        Self { weights: None, ..self }
    }

    /// The same table whose codes stand for the values of another one.
    pub(crate) fn with_scales_of(mut self, other: &Self) -> Self {
        for (column, other) in self.columns.iter_mut().zip(&other.columns) {
            column.scale = other.scale.clone();
        }
        self
    }

    /// The same table with its columns coded another way (as a discretiser does).
    pub(crate) fn with_columns(&self, columns: Vec<CodedColumn>) -> Self {
        self.with_rows(columns, self.target.clone(), self.weights.clone(), self.rows)
    }

    /// A table of the same names with other rows.
    pub(super) fn with_rows(
        &self,
        columns: Vec<CodedColumn>,
        target: CodedTarget,
        weights: Option<Vec<f64>>,
        rows: usize,
    ) -> Self {
        debug_assert_eq!(columns.len(), self.columns.len());
        Self { name: self.name.clone(), schema: self.schema.clone(), columns, target, weights, rows }
    }
}
