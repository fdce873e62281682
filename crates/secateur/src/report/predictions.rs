//! Predictions as a table: the columns that are kept, what is predicted, in the format of the file.

use crate::data::{Column, MISSING, Values};
use crate::predict::{PredictionSets, Predictions};
use crate::prune::k_norm::Reliability;
use crate::schema::Target;
use crate::threads;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::ops::Range;

/// How predictions are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredictionFormat {
    /// Values with commas between them.
    Csv,
    /// Values with tabs between them.
    Tsv,
    /// A list of objects.
    Json,
    /// An object on each line.
    JsonLines,
}

impl PredictionFormat {
    /// What comes after the rows, however many there were.
    pub fn end(self, rows: u64) -> &'static str {
        match self {
            Self::Json if rows == 0 => "[]\n",
            Self::Json => "\n]\n",
            _ => "",
        }
    }
}

/// Rows that are written out by one thread at a time.
const PIECE: usize = 1 << 12;
/// Pieces that are written out before they go to the file.
const WAVE: usize = 64;

/// What is written of a table or of a portion of it.
///
/// ```
/// use secateur::data::builtin;
/// use secateur::fit::Fit;
/// use secateur::report::{PredictionFormat, PredictionTable};
///
/// let table = builtin::load("weather")?;
/// let model = Fit::new(&table, "play").model()?;
/// let predictions = model.tree.predict(&table)?;
/// let written = PredictionTable {
///     target: &model.tree.schema().target,
///     first: 0,
///     rows: table.rows(),
///     kept: vec![&table.columns()[0]],
///     predictions: &predictions,
///     reliability: None,
///     sets: None,
/// };
/// let mut text = Vec::new();
/// written.write(&mut text, PredictionFormat::Csv)?;
/// assert!(text.starts_with(b"row,outlook,prediction,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PredictionTable<'a> {
    /// What is predicted.
    pub target: &'a Target,
    /// The number of the first row among all (from 0).
    pub first: u64,
    /// How many rows there are.
    pub rows: usize,
    /// Columns of the data that go along.
    pub kept: Vec<&'a Column>,
    /// What is predicted of the rows.
    pub predictions: &'a Predictions,
    /// The expected error of each, if it is to be shown.
    pub reliability: Option<&'a [Reliability]>,
    /// Sets or intervals, if they are to be shown.
    pub sets: Option<&'a PredictionSets>,
}

/// A cell.
enum Field<'a> {
    Missing,
    Whole(u64),
    Number(f64),
    Text(&'a str),
    Names(Vec<&'a str>),
}

impl From<Field<'_>> for Value {
    fn from(field: Field) -> Self {
        match field {
            Field::Missing => Self::Null,
            Field::Whole(x) => json!(x),
            Field::Number(x) => json!(x),
            Field::Text(text) => json!(text),
            Field::Names(names) => json!(names),
        }
    }
}

impl PredictionTable<'_> {
    /// Writes the rows; before the first of all what begins a table.
    pub fn write(&self, out: &mut dyn Write, format: PredictionFormat) -> io::Result<()> {
        let head = match format {
            PredictionFormat::Json | PredictionFormat::JsonLines => self.head(),
            PredictionFormat::Csv | PredictionFormat::Tsv if self.first == 0 => {
                let mut csv = format.csv(Vec::new());
                csv.write_record(self.head())?;
                out.write_all(&csv.into_inner().map_err(|e| e.into_error())?)?;
                Vec::new()
            }
            PredictionFormat::Csv | PredictionFormat::Tsv => Vec::new(),
        };
        let pieces = self.rows.div_ceil(PIECE);
        for wave in (0..pieces).step_by(WAVE) {
            let texts = threads::map(WAVE.min(pieces - wave), |i| {
                let start = (wave + i) * PIECE;
                self.piece(start..(start + PIECE).min(self.rows), &head, format)
            });
            texts.into_iter().try_for_each(|text| out.write_all(&text?))?;
        }
        Ok(())
    }

    /// Some rows.
    fn piece(&self, rows: Range<usize>, head: &[String], format: PredictionFormat) -> io::Result<Vec<u8>> {
        let mut text = Vec::with_capacity(64 * rows.len());
        match format {
            PredictionFormat::Csv | PredictionFormat::Tsv => return self.separated(rows, format.csv(text)),
            PredictionFormat::Json => {
                for row in rows {
                    text.extend_from_slice(if self.first == 0 && row == 0 { b"[\n" } else { b",\n" });
                    serde_json::to_writer(&mut text, &self.object(head, row))?;
                }
            }
            PredictionFormat::JsonLines => {
                for row in rows {
                    serde_json::to_writer(&mut text, &self.object(head, row))?;
                    text.push(b'\n');
                }
            }
        }
        Ok(text)
    }

    /// The names of the columns: `row`, those that are kept, `prediction`, for classes the probability of each, and perhaps three
    /// on the error and two on the set.
    fn head(&self) -> Vec<String> {
        let mut head = vec!["row".to_string()];
        head.extend(self.kept.iter().map(|column| column.name.clone()));
        head.push("prediction".into());
        head.extend(self.target.classes().iter().map(|class| format!("p({class})")));
        if self.reliability.is_some() {
            head.extend(["error", "error_sd", "error_norm"].map(String::from));
        }
        if self.sets.is_some() {
            let names = if self.target.classes().is_empty() { ["low", "high"] } else { ["set", "set_size"] };
            head.extend(names.map(String::from));
        }
        head
    }

    /// The number of a row among all, from 1.
    fn number(&self, row: usize) -> u64 {
        self.first + row as u64 + 1
    }

    fn cells(&self, row: usize) -> impl Iterator<Item = Field<'_>> {
        let kept = self.kept.iter().map(move |column| cell(column, row));
        let classes = self.target.classes();
        let (prediction, shares) = match classes {
            [] => (Field::Number(self.predictions.values[row]), &[][..]),
            _ => (
                Field::Text(&classes[self.predictions.labels[row] as usize]),
                &self.predictions.probabilities[row * classes.len()..(row + 1) * classes.len()],
            ),
        };
        let errors = self.reliability.map(|all| all[row]);
        let errors = errors.into_iter().flat_map(|r| [r.error, r.sd, r.norm]);
        std::iter::once(Field::Whole(self.number(row)))
            .chain(kept)
            .chain([prediction])
            .chain(shares.iter().copied().chain(errors).map(Field::Number))
            .chain(self.set(row).into_iter().flatten())
    }

    /// The classes in the set of a row and their number, or the ends of its interval.
    fn set(&self, row: usize) -> Option<[Field<'_>; 2]> {
        let sets = self.sets?;
        Some(match sets.intervals.get(row) {
            Some(interval) => [Field::Number(interval.low), Field::Number(interval.high)],
            None => {
                let classes: Vec<&str> =
                    sets.of_row(row).map(|class| self.target.classes()[class].as_str()).collect();
                let size = classes.len() as u64;
                [Field::Names(classes), Field::Whole(size)]
            }
        })
    }

    fn object(&self, head: &[String], row: usize) -> Map<String, Value> {
        head.iter().cloned().zip(self.cells(row).map(Value::from)).collect()
    }

    /// A row as one object: what is kept and the probabilities are lists in it.
    pub fn summary(&self, row: usize) -> Value {
        let classes = self.target.classes();
        let mut summary = Map::new();
        summary.insert("row".into(), json!(self.number(row)));
        if !self.kept.is_empty() {
            let kept = self
                .kept
                .iter()
                .map(|column| json!({ "column": column.name, "value": Value::from(cell(column, row)) }));
            summary.insert("kept".into(), kept.collect());
        }
        if classes.is_empty() {
            summary.insert("prediction".into(), json!(self.predictions.values[row]));
        } else {
            let shares = &self.predictions.probabilities[row * classes.len()..(row + 1) * classes.len()];
            summary.insert("prediction".into(), json!(classes[self.predictions.labels[row] as usize]));
            summary.insert("probabilities".into(), json!(shares));
        }
        if let Some(reliability) = self.reliability {
            summary.insert("reliability".into(), json!(reliability[row]));
        }
        if let Some([first, second]) = self.set(row) {
            let (first_name, second_name) =
                if classes.is_empty() { ("low", "high") } else { ("set", "set_size") };
            summary.insert(first_name.into(), first.into());
            summary.insert(second_name.into(), second.into());
        }
        summary.into()
    }

    fn separated(&self, rows: Range<usize>, mut csv: csv::Writer<Vec<u8>>) -> io::Result<Vec<u8>> {
        let mut number = Vec::with_capacity(32);
        for row in rows {
            for cell in self.cells(row) {
                number.clear();
                match cell {
                    Field::Whole(x) => write!(number, "{x}")?,
                    Field::Number(x) if x.is_finite() => write!(number, "{x}")?,
                    Field::Missing | Field::Number(_) => {}
                    Field::Names(names) => number.extend_from_slice(names.join("|").as_bytes()),
                    Field::Text(text) => {
                        csv.write_field(text)?;
                        continue;
                    }
                }
                csv.write_field(&number)?;
            }
            csv.write_record(None::<&[u8]>)?;
        }
        csv.into_inner().map_err(|error| error.into_error())
    }
}

impl PredictionFormat {
    /// A writer of separated values.
    fn csv(self, out: Vec<u8>) -> csv::Writer<Vec<u8>> {
        let separator = if self == Self::Tsv { b'\t' } else { b',' };
        csv::WriterBuilder::new().delimiter(separator).from_writer(out)
    }
}

/// A cell of the data.
fn cell(column: &Column, row: usize) -> Field<'_> {
    match &column.values {
        Values::Numeric(numbers) if numbers[row].is_nan() => Field::Missing,
        Values::Numeric(numbers) => Field::Number(numbers[row]),
        Values::Nominal(nominal) if nominal.codes[row] == MISSING => Field::Missing,
        Values::Nominal(nominal) => Field::Text(&nominal.levels[nominal.codes[row] as usize]),
    }
}
