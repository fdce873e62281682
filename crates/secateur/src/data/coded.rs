//! A table coded once for all growing: every column as small integers, the target as class codes or numbers.

use std::sync::Arc;

use rayon::prelude::*;

use super::bins::{self, Bins};
use super::rank::Ranker;
use super::{Codes, Column, MISSING, Roles, Table, Values, ranks};
use crate::error::{Error, Place, Result};
use crate::memory;
use crate::schema::{Attribute, AttributeKind, Cell, Priors, Schema, Target, Task};
use crate::sums::unit_for;

/// What the codes of a column stand for. The code of a missing value is the number of other codes.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// Distinct values in ascending order; the code is the rank.
    Values(Vec<f64>),
    /// Ascending cut points; the code is the number of cuts at or below the value.
    Cuts(Vec<f64>),
    /// Intervals of values; the code is the number of the bin.
    Bins(Bins),
    /// The values of a nominal attribute, that many.
    Levels(u32),
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
    fn new(column: &Column, ranker: &mut Ranker) -> Result<Self> {
        let (codes, scale) = match &column.values {
            Values::Numeric(cells) => {
                let (values, codes) = ranker.ranks(cells)?;
                (codes, Scale::Values(values))
            }
            Values::Nominal(nominal) => {
                let levels = nominal.levels.len() as u32;
                let width = if levels > 0xffff { size_of::<u32>() } else { size_of::<u16>() };
                memory::ask(nominal.codes.len() * width, "the codes of a column")?;
                (Codes::pack(nominal.codes.iter().map(|&c| c.min(levels)), levels), Scale::Levels(levels))
            }
        };
        Ok(Self::of(codes, scale))
    }

    fn binned(column: &Column, bins: Option<usize>) -> Option<Self> {
        match &column.values {
            Values::Numeric(cells) => bins::of_cells(cells, bins?),
            Values::Nominal(_) => None,
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
            Scale::Levels(levels) => *levels,
        }
    }

    /// Whether the column is numeric.
    pub fn is_numeric(&self) -> bool {
        !matches!(self.scale, Scale::Levels(_))
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
            Scale::Levels(_) => Cell::Code(code),
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

/// A coded table: what growing works on.
#[derive(Debug, Clone, PartialEq)]
pub struct CodedTable {
    name: String,
    schema: Arc<Schema>,
    columns: Vec<CodedColumn>,
    target: CodedTarget,
    weights: Option<Vec<f64>>,
    rows: usize,
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
        Self::coded(table, roles, None)
    }

    /// Codes a table whose numeric columns are cut into bins of about the same weight, at most so many; a column with
    /// no more values keeps them all. Growing with [`GrowSpec::bins`](crate::spec::GrowSpec::bins) gives the same tree from a table of values, but coding
    /// that takes longer.
    pub fn binned(table: &Table, roles: &Roles, bins: usize) -> Result<Self> {
        Self::coded(table, roles, Some(bins))
    }

    fn coded(table: &Table, roles: &Roles, bins: Option<usize>) -> Result<Self> {
        let cast = roles.cast(table)?;
        if table.rows() == 0 {
            return Err(Error::input(Place::file(table.name()), "the table has no rows"));
        }
        if table.rows() > u32::MAX as usize - 1 {
            return Err(Error::input(
                Place::file(table.name()),
                format!("{} rows are more than the 4,294,967,294 that are supported", table.rows()),
            ));
        }
        let columns = table.columns();
        let mut weights = cast.weights.map(|c| row_weights(table, &columns[c])).transpose()?;
        if let Some(rows) = without_target(table, cast.target) {
            if !roles.drop_missing_target {
                return Err(missing_target(table, cast.target, &rows));
            }
            if rows.len() == table.rows() {
                return Err(Error::input(
                    Place::file(table.name()).attribute(&columns[cast.target].name),
                    "every row lacks a value of the target",
                ));
            }
            // A row of no weight takes no part in growing.
            let weights = weights.get_or_insert_with(|| vec![1.0; table.rows()]);
            for row in rows {
                weights[row as usize] = 0.0;
            }
        }
        if weights.as_ref().is_some_and(|w| w.iter().all(|w| *w == 0.0)) {
            return Err(Error::input(Place::file(table.name()), "no row has a weight above 0"));
        }
        if let (Task::Regression, Values::Numeric(cells)) = (cast.task, &columns[cast.target].values)
            && let Some(row) = cells.iter().position(|x| x.abs() > MOST)
        {
            return Err(Error::input(
                Place::file(table.name()).attribute(&columns[cast.target].name),
                format!("row {} is {:e}; expected a target between -1e150 and 1e150", row + 1, cells[row]),
            ));
        }
        let (kind, target) = code_target(&columns[cast.target], cast.task)?;
        // Bins count weight. Where rows differ in it, that is left to growing.
        let bins = bins.filter(|_| weights.as_ref().is_none_or(|w| w.iter().all(|x| *x > 0.0 && *x == w[0])));
        let coded = cast
            .attributes
            .par_iter()
            .map_init(Ranker::default, |ranker, &c| {
                CodedColumn::binned(&columns[c], bins)
                    .map_or_else(|| CodedColumn::new(&columns[c], ranker), Ok)
            })
            .collect::<Result<_>>()?;
        let attributes = cast
            .attributes
            .iter()
            .map(|&c| Attribute {
                name: columns[c].name.clone(),
                kind: match &columns[c].values {
                    Values::Numeric(_) => AttributeKind::Numeric,
                    Values::Nominal(nominal) => AttributeKind::Nominal { values: nominal.levels.clone() },
                },
            })
            .collect();
        Ok(Self {
            name: table.name().into(),
            schema: Arc::new(Schema { attributes, target: kind }),
            columns: coded,
            target,
            weights,
            rows: table.rows(),
        })
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
        let CodedTarget::Classes { classes, codes } = &self.target else {
            return Err(Error::parameter("priors are for classes; the target here has numbers"));
        };
        let shares = priors.shares(self.schema.target.classes())?;
        let mut weights: Vec<f64> = (0..self.rows).map(|row| self.weight(row)).collect();
        let mut totals = vec![0.0; *classes];
        for (&class, weight) in codes.iter().zip(&weights) {
            totals[class as usize] += weight;
        }
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

fn row_weights(table: &Table, column: &Column) -> Result<Vec<f64>> {
    let place = || Place::file(table.name()).attribute(&column.name);
    let Values::Numeric(weights) = &column.values else {
        return Err(Error::input(place(), "weights must be numbers, and this column is nominal"));
    };
    if let Some(row) = weights.iter().position(|w| w.is_nan() || *w < 0.0) {
        return Err(Error::input(
            place(),
            format!("row {} has weight {}; expected a number of at least 0", row + 1, weights[row]),
        ));
    }
    if let Some(row) = weights.iter().position(|w| *w > 0.0 && !(1e-60..=1e60).contains(w)) {
        return Err(Error::input(
            place(),
            format!(
                "row {} has weight {:e}; expected 0 or a number from 1e-60 to 1e60",
                row + 1,
                weights[row]
            ),
        ));
    }
    Ok(weights.clone())
}

/// The rows without a target, if there are any.
fn without_target(table: &Table, target: usize) -> Option<Vec<u32>> {
    let values = &table.columns()[target].values;
    let rows: Vec<u32> = match values {
        Values::Numeric(cells) => (0..).zip(cells).filter(|(_, x)| x.is_nan()).map(|(i, _)| i).collect(),
        Values::Nominal(n) => (0..).zip(&n.codes).filter(|(_, c)| **c == MISSING).map(|(i, _)| i).collect(),
    };
    (!rows.is_empty()).then_some(rows)
}

fn missing_target(table: &Table, target: usize, rows: &[u32]) -> Error {
    let shown: Vec<String> = rows.iter().take(5).map(|r| (r + 1).to_string()).collect();
    let more = if rows.len() > 5 { ", …" } else { "" };
    Error::input(
        Place::file(table.name()).attribute(&table.columns()[target].name),
        format!(
            "{} of {} rows have no value of the target (row {}{more}); complete them or leave them out with --drop-missing-target",
            rows.len(),
            table.rows(),
            shown.join(", "),
        ),
    )
}

/// Larger targets have squares that are no numbers any more.
const MOST: f64 = 1e150;

fn code_target(column: &Column, task: Task) -> Result<(Target, CodedTarget)> {
    let name = column.name.clone();
    memory::ask(column.values.len() * size_of::<f64>(), "the target")?;
    let classes = |labels: Vec<String>, codes: Vec<u32>| {
        let count = labels.len();
        (
            Target::Classes { name: name.clone(), classes: labels },
            CodedTarget::Classes { classes: count, codes },
        )
    };
    Ok(match &column.values {
        Values::Numeric(cells) if task == Task::Regression => {
            // A row without a target has no weight; its number is never read.
            let unit = unit_for(cells.iter().fold(0.0, |most: f64, x| most.max(x.abs())));
            let values = cells.iter().map(|x| if x.is_nan() { 0.0 } else { x * unit }).collect();
            (Target::Number { name }, CodedTarget::Numbers { unit, values })
        }
        Values::Numeric(cells) => {
            let (values, codes) = ranks(cells)?;
            let last = values.len() as u32 - 1;
            let labels = values.iter().map(|v| v.to_string()).collect();
            classes(labels, (0..codes.len()).map(|i| codes.get(i).min(last)).collect())
        }
        Values::Nominal(nominal) => {
            let last = nominal.levels.len() as u32 - 1;
            classes(nominal.levels.clone(), nominal.codes.iter().map(|&c| c.min(last)).collect())
        }
    })
}
