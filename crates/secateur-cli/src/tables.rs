//! The flags that say how a table is read, and the notes on what was decided.

use crate::progress::Bars;
use clap::Args;
use secateur::data::{DateOrder, Note, NoteKind, Plan, ReadOptions};
use secateur::error::shown;
use serde::Serialize;

use crate::failure::{Failure, Hint, Result};
use crate::files::InFile;

/// How a table is read.
#[derive(Args)]
#[command(next_help_heading = "Reading the table")]
pub struct TableArgs {
    /// Columns to read as nominal even if their values are numbers; identifiers among them are used
    #[arg(long, value_name = "COLS", value_delimiter = ',', requires = "data")]
    pub nominal: Vec<String>,
    /// Columns to read as numeric; a few other cells count as missing, more are an error
    #[arg(long, value_name = "COLS", value_delimiter = ',', requires = "data")]
    pub numeric: Vec<String>,
    /// What separates values: a sign, or tab [default: as in the file]
    #[arg(long, value_name = "SIGN", requires = "data")]
    sep: Option<String>,
    /// The decimal sign: . or , [default: as in the file]
    #[arg(long, value_name = "SIGN", requires = "data", value_parser = ["." , ","])]
    decimal: Option<String>,
    /// The encoding of the text, such as windows-1252 [default: as in the file]
    #[arg(long, value_name = "NAME", requires = "data")]
    encoding: Option<String>,
    /// Words that are missing values, beside ?, NA, NaN and nothing
    #[arg(long, value_name = "WORDS", value_delimiter = ',', requires = "data", allow_hyphen_values = true)]
    missing: Vec<String>,
    /// Read NA, NaN and ? in columns of text as values: only empty cells are missing [default: as in the file; JSON and Parquet keep them]
    #[arg(long, requires = "data")]
    keep_na: bool,
    /// The first line is a row of data: columns are called column1, column2, …
    #[arg(long, requires = "data")]
    no_header: bool,
}

impl TableArgs {
    /// The options of reading; `schema` is a file that says the rest.
    pub fn options(&self, schema: Option<&InFile>) -> Result<ReadOptions> {
        let mut plan = match schema {
            Some(file) => {
                let path: &std::path::Path = file.as_ref();
                let text = std::fs::read_to_string(path)
                    .map_err(|source| secateur::Error::Read { file: path.into(), source })?;
                Plan::from_toml(file, &text)
                    .hint("`secateur data FILE --schema OUT.toml` writes such a file")?
            }
            None => Plan::default(),
        };
        if let Some(sep) = &self.sep {
            plan.separator = Some(separator(sep)?);
        }
        plan.decimal = self.decimal.as_deref().and_then(|sign| sign.chars().next()).or(plan.decimal);
        plan.encoding = self.encoding.clone().or(plan.encoding);
        plan.header = self.no_header.then_some(false).or(plan.header);
        plan.keep_na = self.keep_na.then_some(true).or(plan.keep_na);
        plan.missing.extend(self.missing.iter().cloned());
        Ok(ReadOptions {
            nominal: self.nominal.clone(),
            numeric: self.numeric.clone(),
            plan,
            ..ReadOptions::default()
        })
    }

    /// The columns that were named, and are therefore wanted.
    pub fn named(&self) -> Vec<String> {
        self.nominal.iter().chain(&self.numeric).cloned().collect()
    }
}

fn separator(text: &str) -> Result<char> {
    let named = match text {
        "tab" | "\\t" | "\t" => Some('\t'),
        "comma" => Some(','),
        "semicolon" => Some(';'),
        "bar" | "pipe" => Some('|'),
        "space" => Some(' '),
        _ => None,
    };
    let mut signs = text.chars();
    let single =
        signs.next().filter(|sign| signs.next().is_none() && sign.is_ascii_punctuation() && *sign != '"');
    named.or(single).ok_or_else(|| {
        Failure::call(format!(
            "--sep: {} cannot separate values; expected a sign such as ; or the word tab",
            shown(text)
        ))
    })
}

/// A note as JSON: what it is about, and the sentence with the flag that helps.
#[derive(Serialize)]
pub struct NoteSummary {
    #[serde(flatten)]
    note: Note,
    text: String,
}

impl NoteSummary {
    /// The note in words.
    pub fn of(note: &Note) -> Self {
        Self { note: note.clone(), text: words(note) }
    }
}

/// Prints notes on a table on standard error, unless quiet is wanted, and sums them up.
pub fn told(notes: &[Note], table: &str, bars: &Bars) -> Vec<NoteSummary> {
    for note in notes.iter().filter(|_| !bars.quiet) {
        crate::output::note(&format!("{table}: {}", words(note)));
    }
    notes.iter().map(NoteSummary::of).collect()
}

/// A note with what to do about it.
pub fn words(note: &Note) -> String {
    match advice(note) {
        Some(advice) => format!("{note}; {advice}"),
        None => note.to_string(),
    }
}

/// What helps, in flags.
fn advice(note: &Note) -> Option<String> {
    let column = note.column.as_deref().map(argument).unwrap_or_default();
    let word = note.values.first().map(|word| argument(word)).unwrap_or_default();
    Some(match note.kind {
        NoteKind::NearlyNumeric => format!("--numeric {column}, or --missing {word}"),
        NoteKind::NearlyDates => format!("--missing {word}"),
        NoteKind::TextOfNumbers => format!("--numeric {column} reads them as such"),
        NoteKind::Marks => "--keep-na reads it as a value".into(),
        NoteKind::LikeMissing => format!("--missing {word} reads it as missing"),
        NoteKind::MissingWords
        | NoteKind::Dates
        | NoteKind::Signs
        | NoteKind::LeadingZeros
        | NoteKind::TruthValues => {
            let flag = if note.kind == NoteKind::LeadingZeros { "--numeric" } else { "--nominal" };
            let other = if note.kind == NoteKind::LeadingZeros { "numbers" } else { "text" };
            if note.kind == NoteKind::TruthValues {
                format!("--nominal {column} keeps them apart")
            } else {
                format!("{flag} {column} reads it as {other}")
            }
        }
        NoteKind::AmbiguousDates => {
            let orders = [DateOrder::DayMonthYear, DateOrder::MonthDayYear]
                .map(|order| serde_json::to_string(&order).unwrap_or_default());
            format!("a --schema with order = {} or {} decides", orders[0], orders[1])
        }
        NoteKind::DecimalComma => "--decimal . if commas separate thousands".into(),
        NoteKind::Identifier => format!("--nominal {column} uses it"),
        NoteKind::RowNumbers => format!("--numeric {column} uses it"),
        NoteKind::LikeIdentifier => format!("--ignore {column} leaves it out"),
        NoteKind::OneTarget => "--target names another column".into(),
        NoteKind::ZerosLost | NoteKind::Exponents => format!("--nominal {column} keeps them as text"),
        NoteKind::ManyClasses => "--task regression predicts numbers".into(),
        NoteKind::OtherTarget => "--target names the column to predict".into(),
        NoteKind::FewTargets => "--task classification".into(),
        NoteKind::Inexact => {
            format!("read them as names with --nominal {column}, or leave the column out with --ignore")
        }
        NoteKind::Separator => "--sep overrules".into(),
        NoteKind::Encoding => "--encoding overrules".into(),
        NoteKind::PerhapsNoHeader => "--no-header if so".into(),
        NoteKind::Unnamed => format!("--ignore {column} leaves it out"),
        _ => return None,
    })
}

/// A text as an argument of a command line.
fn argument(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./#+%:@".contains(c);
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with('#') {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', "'\\''").escape_default().to_string().replace("\\'", "'"))
    }
}
