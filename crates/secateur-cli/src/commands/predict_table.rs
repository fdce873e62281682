//! Predictions as a table: the columns that are kept, what is predicted, in the format of the file.

use std::io::{self, Write};

use secateur::data::{Column, MISSING, Table, Values};
use secateur::predict::{PredictionSets, Predictions};
use secateur::prune::k_norm::Reliability;
use secateur::schema::Target;
use serde_json::{Map, Value, json};

use crate::failure::{Failure, Result};

/// How predictions are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Csv,
    Tsv,
    Json,
    JsonLines,
}

impl Format {
    /// The format of a file with this extension; of any other, and without one, CSV.
    pub fn of(extension: Option<&str>) -> Result<Self> {
        match extension {
            Some("tsv" | "tab") => Ok(Self::Tsv),
            Some("json") => Ok(Self::Json),
            Some("jsonl" | "ndjson") => Ok(Self::JsonLines),
            Some(other @ ("arff" | "parquet" | "gz" | "xlsx" | "feather")) => Err(Failure::call(format!(
                "predictions are not written as .{other}; name a .csv, .tsv, .json or .jsonl file"
            ))),
            _ => Ok(Self::Csv),
        }
    }
}

/// The columns of the data that go along with the predictions.
pub fn kept<'a>(table: &'a Table, names: &[String]) -> Result<Vec<&'a Column>> {
    if let [all] = names
        && all == "all"
        && table.position("all").is_err()
    {
        return Ok(table.columns().iter().collect());
    }
    let column = |name: &String| Ok(&table.columns()[table.position(name)?]);
    names.iter().map(column).collect()
}

/// Everything that is written.
pub struct Written<'a> {
    pub target: &'a Target,
    pub rows: usize,
    pub kept: Vec<&'a Column>,
    pub predictions: &'a Predictions,
    pub reliability: Option<&'a [Reliability]>,
    pub sets: Option<&'a PredictionSets>,
}

impl Written<'_> {
    /// Writes the table.
    pub fn write(&self, out: &mut dyn Write, format: Format) -> io::Result<()> {
        match format {
            Format::Csv => self.separated(out, b','),
            Format::Tsv => self.separated(out, b'\t'),
            Format::Json => {
                for row in 0..self.rows {
                    out.write_all(if row == 0 { b"[\n" } else { b",\n" })?;
                    serde_json::to_writer(&mut *out, &self.object(row))?;
                }
                out.write_all(if self.rows == 0 { b"[]\n" } else { b"\n]\n" })
            }
            Format::JsonLines => (0..self.rows).try_for_each(|row| {
                serde_json::to_writer(&mut *out, &self.object(row))?;
                out.write_all(b"\n")
            }),
        }
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

    fn cells(&self, row: usize) -> impl Iterator<Item = Value> + '_ {
        let kept = self.kept.iter().map(move |column| cell(column, row));
        let classes = self.target.classes();
        let (prediction, shares) = match classes {
            [] => (json!(self.predictions.values[row]), &[][..]),
            _ => (
                json!(classes[self.predictions.labels[row] as usize]),
                &self.predictions.probabilities[row * classes.len()..(row + 1) * classes.len()],
            ),
        };
        let errors = self.reliability.map(|all| all[row]);
        let errors = errors.into_iter().flat_map(|r| [r.error, r.sd, r.norm]);
        std::iter::once(json!(row + 1))
            .chain(kept)
            .chain([prediction])
            .chain(shares.iter().copied().chain(errors).map(|x| json!(x)))
            .chain(self.set(row).into_iter().flatten())
    }

    /// The classes in the set of a row and their number, or the ends of its interval.
    fn set(&self, row: usize) -> Option<[Value; 2]> {
        let sets = self.sets?;
        Some(match sets.intervals.get(row) {
            Some(interval) => [json!(interval.low), json!(interval.high)],
            None => {
                let classes: Vec<&str> =
                    sets.of_row(row).map(|class| self.target.classes()[class].as_str()).collect();
                [json!(classes), json!(classes.len())]
            }
        })
    }

    fn object(&self, row: usize) -> Map<String, Value> {
        self.head().into_iter().zip(self.cells(row)).collect()
    }

    /// A row for `--json`.
    pub fn summary(&self, row: usize) -> Value {
        let classes = self.target.classes();
        let mut summary = Map::new();
        summary.insert("row".into(), json!(row + 1));
        if !self.kept.is_empty() {
            let kept =
                self.kept.iter().map(|column| json!({ "column": column.name, "value": cell(column, row) }));
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
            summary.insert(first_name.into(), first);
            summary.insert(second_name.into(), second);
        }
        summary.into()
    }

    fn separated(&self, out: &mut dyn Write, separator: u8) -> io::Result<()> {
        let mut csv = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        csv.write_record(self.head())?;
        for row in 0..self.rows {
            for cell in self.cells(row) {
                csv.write_field(match cell {
                    Value::Null => String::new(),
                    Value::Array(names) => {
                        names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|")
                    }
                    Value::String(text) => text,
                    Value::Number(number) => number.as_f64().map_or(number.to_string(), |x| x.to_string()),
                    other => other.to_string(),
                })?;
            }
            csv.write_record(None::<&[u8]>)?;
        }
        csv.flush()
    }
}

/// A cell of the data.
fn cell(column: &Column, row: usize) -> Value {
    match &column.values {
        Values::Numeric(numbers) if numbers[row].is_nan() => Value::Null,
        Values::Numeric(numbers) => json!(numbers[row]),
        Values::Nominal(nominal) if nominal.codes[row] == MISSING => Value::Null,
        Values::Nominal(nominal) => json!(nominal.levels[nominal.codes[row] as usize]),
    }
}
