//! How a table is coded, once that is decided, and the rows of a shard coded that way.

use serde::{Deserialize, Serialize};

use super::amounts::Amounts;
use super::chunk::{Chunk, ChunkTarget};
use super::finder::Finder;
use crate::data::{
    CodedColumn, CodedTable, CodedTarget, Codes, Column, MISSING, Roles, Scale, Table, Values, key,
};
use crate::error::{Error, Place, Result};
use crate::schema::{Schema, Task};
use crate::spec::Count;
use crate::split::Sizes;
use crate::sums::Steps;

/// Which rows are held out from which trees. A row's tag follows from its values and the seed, so that neither its place
/// nor who holds it matters.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub enum Tagging {
    /// None.
    #[default]
    None,
    /// This many folds, drawn at random: a row's tag is its fold.
    Folds {
        /// How many.
        folds: u8,
        /// The seed.
        seed: u64,
    },
    /// About this share of the rows has tag 1, the others 0.
    HeldOut {
        /// The share.
        share: f64,
        /// The seed.
        seed: u64,
    },
}

/// How the target is coded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum TargetCoding {
    /// By the list of classes.
    Classes,
    /// By the list of numbers that are classes.
    Labels(Vec<f64>),
    /// As numbers, times this.
    Numbers {
        /// What they are multiplied by.
        unit: f64,
    },
}

/// How one column is coded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ColumnCoding {
    pub scale: Scale,
    /// Whether any row with weight has no value.
    pub has_missing: bool,
}

/// How a table is coded: what a chunk's codes stand for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Coding {
    pub(super) name: String,
    pub(super) roles: Roles,
    #[serde(with = "super::message::as_text")]
    pub(super) schema: Schema,
    pub(super) columns: Vec<ColumnCoding>,
    pub(super) target: TargetCoding,
    /// The rows with weight.
    pub(super) rows: u64,
    /// Their weight.
    pub(super) total: f64,
    pub(super) heaviest: f64,
    /// The weight of a row, where all rows have the same.
    pub(super) unit_weight: Option<f64>,
    /// What weights are rounded to.
    pub(super) weight_steps: Steps,
    pub(super) tagging: Tagging,
}

impl Coding {
    /// Attributes and target.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The name of the table.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rows that have weight.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The weight of all rows.
    pub fn weight(&self) -> f64 {
        self.total
    }

    /// Whether classes or numbers are predicted.
    pub fn task(&self) -> Task {
        self.schema.target.task()
    }

    /// The number of classes; 0 for numbers.
    pub fn classes(&self) -> usize {
        self.schema.target.classes().len()
    }

    /// Which rows are held out.
    pub fn tagging(&self) -> Tagging {
        self.tagging
    }

    /// The number of numbers in a tally.
    pub(crate) fn tally(&self) -> usize {
        if self.classes() == 0 { 2 } else { self.classes() }
    }

    /// The number of codes of a column, which is that of a missing value.
    pub(crate) fn cardinality(&self, column: usize) -> u32 {
        match &self.columns[column].scale {
            Scale::Values(values) => values.len() as u32,
            Scale::Cuts(cuts) => cuts.len() as u32 + 1,
            Scale::Bins(bins) => bins.first.len() as u32,
            Scale::Levels(levels) | Scale::Ordered(levels) => *levels,
            Scale::Floats => 0,
        }
    }

    /// The number of columns.
    pub(crate) fn width(&self) -> usize {
        self.columns.len()
    }

    /// Whether any row with weight has no value in a column.
    pub(crate) fn has_missing(&self, column: usize) -> bool {
        self.columns[column].has_missing
    }

    /// Whether rows have weights other than 1.
    pub(crate) fn has_weights(&self) -> bool {
        self.unit_weight != Some(1.0)
    }

    /// What rows count for the limits.
    pub(crate) fn sizes(&self, count: Count) -> Sizes {
        match self.unit_weight {
            _ if count == Count::Weight => Sizes::Weight(1.0),
            Some(unit) => Sizes::Weight(unit),
            None => Sizes::Shares,
        }
    }

    /// The bytes of a coded row.
    pub fn row_bytes(&self) -> usize {
        let codes: usize = (0..self.width()).map(|c| width_of(self.cardinality(c))).sum();
        let target = match self.classes() {
            0 => size_of::<f64>(),
            classes => width_of(classes as u32),
        };
        let weight = if self.has_weights() { size_of::<f64>() } else { 0 };
        codes + target + weight + usize::from(self.tagging != Tagging::None)
    }

    /// The table of some rows.
    pub fn table(&self, chunk: Chunk) -> Result<CodedTable> {
        let rows = chunk.rows();
        let columns = chunk.columns.into_iter().zip(&self.columns).map(|(codes, column)| {
            let coded = CodedColumn { codes, scale: column.scale.clone(), has_missing: false };
            let has_missing = column.has_missing && coded.codes.contains(coded.cardinality());
            CodedColumn { has_missing, ..coded }
        });
        let target = match (chunk.target, &self.target) {
            (ChunkTarget::Numbers(values), TargetCoding::Numbers { unit }) => {
                CodedTarget::Numbers { unit: *unit, values }
            }
            (ChunkTarget::Classes(codes), _) => {
                let codes = (0..codes.len()).map(|row| codes.get(row)).collect();
                CodedTarget::Classes { classes: self.classes(), codes }
            }
            _ => return Err(Error::internal("classes where numbers were expected")),
        };
        let schema = std::sync::Arc::new(self.schema.clone());
        let columns = columns.collect();
        Ok(CodedTable::from_parts(self.name.clone(), schema, columns, target, chunk.weights, rows))
    }

    /// Codes the rows of a table that have weight; the first row of the table has this number (from 0) among all.
    pub fn chunk(&self, table: &Table, at: u64) -> Result<Chunk> {
        Coder::new(self)?.chunk(table, at)
    }
}

/// The bytes of a code that is at most this.
pub(super) fn width_of(largest: u32) -> usize {
    match largest {
        0..=0xff => 1,
        0x100..=0xffff => 2,
        _ => 4,
    }
}

/// A coding made ready for many chunks.
pub struct Coder<'a> {
    coding: &'a Coding,
    columns: Vec<Lookup>,
    target: Lookup,
}

/// How a cell becomes a code.
enum Lookup {
    /// By the borders of bins, or by all values.
    Numbers(Finder),
    /// By a list of texts.
    Texts(hashbrown::HashMap<String, u32>),
    /// It stays a number.
    Plain,
}

impl Lookup {
    fn texts(list: &[String]) -> Self {
        Self::Texts((0..).zip(list).map(|(code, text)| (text.clone(), code)).collect())
    }

    fn numbers(list: &[f64]) -> Self {
        Self::Numbers(Finder::new(list.iter().map(|x| key(*x)).collect()))
    }
}

impl<'a> Coder<'a> {
    /// Makes a coding ready.
    pub fn new(coding: &'a Coding) -> Result<Self> {
        let column = |(column, attribute): (&ColumnCoding, &crate::schema::Attribute)| match &column.scale {
            Scale::Values(values) => Lookup::numbers(values),
            Scale::Bins(bins) => Lookup::numbers(&bins.first),
            Scale::Cuts(cuts) => Lookup::numbers(cuts),
            Scale::Levels(_) | Scale::Ordered(_) => Lookup::texts(attribute.values()),
            Scale::Floats => Lookup::Plain,
        };
        let columns = coding.columns.iter().zip(&coding.schema.attributes).map(column).collect();
        let target = match &coding.target {
            TargetCoding::Classes => Lookup::texts(coding.schema.target.classes()),
            TargetCoding::Labels(labels) => Lookup::numbers(labels),
            TargetCoding::Numbers { .. } => Lookup::Plain,
        };
        Ok(Self { coding, columns, target })
    }

    /// See [`Coding::chunk`].
    pub fn chunk(&self, table: &Table, at: u64) -> Result<Chunk> {
        let coding = self.coding;
        let amounts = Amounts::new(table, &coding.roles, at)?;
        let rows: Vec<u32> =
            (0..table.rows() as u32).filter(|&row| amounts.weight(row as usize) > 0.0).collect();
        let attributes = &coding.schema.attributes;
        let columns = crate::threads::try_map(attributes.len(), |c| {
            let column = &table.columns()[table.position(&attributes[c].name)?];
            self.codes(&self.columns[c], column, &rows, coding.cardinality(c), table)
        })?;
        let target = &table.columns()[table.position(coding.schema.target.name())?];
        let target = match (&coding.target, &target.values) {
            (TargetCoding::Numbers { unit }, Values::Numeric(cells)) => {
                ChunkTarget::Numbers(rows.iter().map(|&row| cells[row as usize] * unit).collect())
            }
            _ => {
                let classes = coding.classes() as u32;
                ChunkTarget::Classes(self.codes(&self.target, target, &rows, classes, table)?)
            }
        };
        let weight = |&row: &u32| coding.weight_steps.round(amounts.weight(row as usize));
        let weights = coding.has_weights().then(|| rows.iter().map(weight).collect());
        let tags = self.tags(table, &rows)?;
        Ok(Chunk { columns, target, weights, tags })
    }

    /// The codes of some rows of a column; a number beyond the list is one that was not there when the table was looked at.
    fn codes(
        &self,
        lookup: &Lookup,
        column: &Column,
        rows: &[u32],
        missing: u32,
        table: &Table,
    ) -> Result<Codes> {
        let changed = || {
            Error::input(
                Place::file(table.name()).attribute(&column.name),
                "it has a value that was not there before; do not change the data while they are read",
            )
        };
        match (lookup, &column.values) {
            (Lookup::Numbers(finder), Values::Numeric(cells)) => {
                let mut below = false;
                let code = |&row: &u32| {
                    let x = cells[row as usize];
                    if x.is_nan() {
                        return missing;
                    }
                    let code = finder.count(x);
                    below |= code == 0;
                    (code as u32).wrapping_sub(1)
                };
                let codes = Codes::pack(rows.iter().map(code), missing);
                if below { Err(changed()) } else { Ok(codes) }
            }
            (Lookup::Texts(texts), Values::Nominal(nominal)) => {
                let codes = nominal.levels.iter().map(|level| texts.get(level).copied());
                let codes: Vec<Option<u32>> = codes.collect();
                if rows.iter().any(|&row| {
                    let code = nominal.codes[row as usize];
                    code != MISSING && codes[code as usize].is_none()
                }) {
                    return Err(changed());
                }
                let code = |&row: &u32| match nominal.codes[row as usize] {
                    MISSING => missing,
                    code => codes[code as usize].unwrap_or(missing),
                };
                Ok(Codes::pack(rows.iter().map(code), missing))
            }
            _ => Err(changed()),
        }
    }

    /// The tags of some rows.
    fn tags(&self, table: &Table, rows: &[u32]) -> Result<Option<Vec<u8>>> {
        let (Tagging::Folds { seed, .. } | Tagging::HeldOut { seed, .. }) = self.coding.tagging else {
            return Ok(None);
        };
        let mut hashes = vec![mixed(seed); rows.len()];
        let attributes = self.coding.schema.attributes.iter().map(|a| a.name.as_str());
        let names = attributes.chain([self.coding.schema.target.name()]);
        for name in names.chain(self.coding.roles.weights.as_deref()) {
            match &table.columns()[table.position(name)?].values {
                Values::Numeric(cells) => {
                    for (hash, &row) in hashes.iter_mut().zip(rows) {
                        let x = cells[row as usize];
                        *hash = mixed(*hash ^ if x.is_nan() { u64::MAX } else { key(x) });
                    }
                }
                Values::Nominal(nominal) => {
                    let texts: Vec<u64> = nominal.levels.iter().map(|level| hashed(level)).collect();
                    for (hash, &row) in hashes.iter_mut().zip(rows) {
                        let text = texts.get(nominal.codes[row as usize] as usize);
                        *hash = mixed(*hash ^ text.copied().unwrap_or(u64::MAX));
                    }
                }
            }
        }
        let tag = |hash: u64| match self.coding.tagging {
            Tagging::None => 0,
            Tagging::Folds { folds, .. } => (hash % u64::from(folds.max(1))) as u8,
            Tagging::HeldOut { share, .. } => u8::from((hash >> 11) as f64 * 2f64.powi(-53) < share),
        };
        Ok(Some(hashes.into_iter().map(tag).collect()))
    }
}

/// Sixty-four bits well mixed (the finaliser of Steele, Lea and Flood's SplitMix, 2014).
fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

fn hashed(text: &str) -> u64 {
    text.bytes().fold(mixed(text.len() as u64), |hash, byte| mixed(hash ^ u64::from(byte)))
}
