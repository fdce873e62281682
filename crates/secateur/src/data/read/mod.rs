//! Reading a file into a [`Table`]: ARFF, CSV, TSV, JSON and Parquet, plain or compressed with gzip.
//!
//! What all formats share: a number is finite or missing; the values of a nominal column stand in the order of their first appearance, or as the
//! file declares them; the table never depends on the number of threads.
//!
//! - **CSV, TSV**: what separates values, whether there is a header, the decimal sign and the encoding are seen in the file
//!   ([`Plan`] overrules); a column is numeric if all its cells in the whole file are numbers or missing, and else what its
//!   different values say: numbers with signs, dates, or text (`docs/reading.md`). Double quotes protect delimiters, line ends and (doubled) quotes, but do not make text: `"1"` is
//!   a number. Spaces around an unquoted field do not count; blank lines are skipped. `?`, an empty cell, `NA` and `NaN` (any case) are
//!   missing values, in columns of text with a note ([`Plan::keep_na`] makes them values there).
//! - **ARFF**: `string` attributes are nominal; a `date` is a number of seconds; what a sparse
//!   row leaves out is 0, the first declared value, or missing for a string. A quoted value is never
//!   missing, and a declared one only if it is a bare `?`.
//! - **Parquet**: integers, floats and decimals are rounded to `f64`; dates and timestamps are seconds since
//!   1970-01-01 00:00 UTC, times and durations seconds; booleans are nominal (`false`, `true`); what is asked to
//!   be nominal has its values in their natural order. Texts are values, whatever they are; only null is missing. Lists,
//!   structures and bytes must be ignored.
//!
//! - **JSON**: an array of objects, or one object a line; texts are what they would be in a CSV file, but `NA` and its like are
//!   values in columns of text; only null is missing.
//!
//! CSV and ARFF files are cut into chunks at record borders and the chunks are parsed in parallel straight into
//! the columns; a plain file is mapped into memory, so that its text is never on the heap.

mod arff;
mod choice;
mod chunks;
mod columns;
mod csv;
mod decimal;
mod encoding;
mod filling;
mod json;
mod kinds;
mod layout;
mod memo;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(not(feature = "parquet"))]
#[path = "no_parquet.rs"]
mod parquet;
pub mod portions;
mod scan;
mod settled;
mod sink;
mod source;
mod text;

#[cfg(test)]
mod tests;

use super::{Column, ColumnPlan, ColumnType, Note, NoteKind, Plan, Table, Values};
use crate::error::{Error, Name, Result, shown, suggestion};
use crate::progress::{Progress, Silent};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How to read a file.
///
/// ```
/// use secateur::data::ReadOptions;
/// let options = ReadOptions { ignore: vec!["id".into()], ..ReadOptions::default() };
/// assert!(options.format.is_none());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Columns read as nominal even where all their cells are numbers.
    pub nominal: Vec<String>,
    /// Columns read as numeric; a cell that is not a number is an error.
    pub numeric: Vec<String>,
    /// Columns read as nominal where the file has them; `nominal` and `numeric` come before.
    pub nominal_if_present: Vec<String>,
    /// Columns read as numeric where the file has them; `nominal` and `numeric` come before.
    pub numeric_if_present: Vec<String>,
    /// Columns left out of the table.
    pub ignore: Vec<String>,
    /// The format, when the file's name and first bytes do not say it.
    pub format: Option<Format>,
    /// How the file is to be read, as far as that is not to be decided by looking; the lists above come before.
    pub plan: Plan,
    /// How a table with these columns was read before: its columns decide where the file leaves two ways open (day or month first,
    /// decimal sign), and its words for missing values count too. Nothing else in it does.
    pub earlier: Plan,
}

impl ReadOptions {
    /// Whether `NA` and its like are values in texts of a file that says its types.
    fn keeps_na_of_types(&self) -> bool {
        self.plan.keep_na.unwrap_or(true)
    }

    /// Whether a column is asked to be numeric.
    fn is_numeric(&self, name: &String) -> bool {
        self.numeric.contains(name) || self.numeric_if_present.contains(name)
    }
}

/// A table with what was decided and noticed while it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The table.
    pub table: Table,
    /// What a person should know.
    pub notes: Vec<Note>,
    /// How it was read: the same file read by this plan gives the same table, and nothing is decided by looking.
    pub plan: Plan,
}

impl Reading {
    /// A table from a file that says itself how it is read, with its rule for texts that may be missing values.
    /// `names` are those of all columns of the file.
    fn plain(
        table: Table,
        names: &[String],
        notes: Vec<Note>,
        keep_na: Option<bool>,
        options: &ReadOptions,
    ) -> Self {
        let mut read = table.columns().iter().enumerate().peekable();
        let columns = names.iter().map(|name| {
            let kind = match read.next_if(|(_, column)| column.name == *name) {
                None => ColumnType::Ignore,
                Some((column, Column { values: Values::Numeric(_), .. })) => {
                    ColumnType::of(table.shown_as(column))
                }
                Some(_) => ColumnType::Nominal,
            };
            ColumnPlan { name: name.clone(), kind, decimal: None, order: None, missing: Vec::new() }
        });
        let missing = options.plan.missing.clone();
        let columns = columns.collect();
        let plan = Plan { columns, keep_na, missing, ..Plan::default() };
        Self { table, notes, plan }
    }
}

/// How a format is read; every reader has one of these, and a line in the list below.
struct Reader {
    /// The extensions of its files; the first is its name.
    names: &'static [&'static str],
    /// Whether the first bytes are unmistakable.
    begins: fn(&[u8]) -> bool,
    content: Content,
}

/// What a reader takes, with the function that reads it.
enum Content {
    /// Text in UTF-8, whatever the encoding of the file.
    Text(ReadText),
    /// The bytes of the file.
    Bytes(fn(&str, Bytes, &ReadOptions, &dyn Progress) -> Result<Reading>),
}

macro_rules! readers {
    ($($(#[$about:meta])* $format:ident = $reader:path;)*) => {
        /// A file format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$about])* $format,)*
        }

        impl Format {
            /// All formats.
            pub const ALL: &'static [Self] = &[$(Self::$format),*];

            fn reader(self) -> &'static Reader {
                match self {
                    $(Self::$format => &$reader,)*
                }
            }
        }
    };
}

readers! {
    /// Attribute-relation file format: a header with types, then rows.
    Arff = arff::READER;
    /// Values separated by commas, with a header.
    Csv = csv::COMMAS;
    /// Values separated by tabs, with a header.
    Tsv = csv::TABS;
    /// Apache Parquet.
    Parquet = parquet::READER;
    /// An array of objects, or one object a line.
    Json = json::READER;
}

impl Format {
    /// The extension of its files, which is also its name.
    pub fn extension(self) -> &'static str {
        self.reader().names[0]
    }

    /// The format of an extension.
    fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.reader().names.contains(&extension))
    }

    /// The format that a file's name says, with or without `.gz`.
    ///
    /// ```
    /// use secateur::data::Format;
    /// assert_eq!(Format::of_name("a/iris.arff.gz"), Some(Format::Arff));
    /// assert_eq!(Format::of_name("DATA.CSV"), Some(Format::Csv));
    /// assert_eq!(Format::of_name("log.jsonl"), Some(Format::Json));
    /// assert_eq!(Format::of_name("notes.txt"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        Self::of_extension(extension)
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.extension())
    }
}

impl std::str::FromStr for Format {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::of_extension(&text.to_lowercase()).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|format| format.extension()).collect();
            let meant = suggestion(text, names.iter().copied());
            let problem =
                format!("unknown format {}; expected one of {}{meant}", shown(text), names.join(", "));
            Error::unknown(Name::Format, text, problem)
        })
    }
}

/// The bytes of a text file that one task parses at a time.
const CHUNK: usize = 1 << 20;

/// Reads a file; `-` is standard input.
///
/// The format follows from `options.format`, else from the first bytes where they are unmistakable, else from the name.
/// Compression is recognised by itself.
///
/// ```
/// use secateur::data::{ReadOptions, read};
/// use secateur::progress::Silent;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("people.csv");
/// std::fs::write(&path, "name,age\nAda,36\nBen,?\n").unwrap();
/// let table = read(&path, &ReadOptions::default(), &Silent).unwrap();
/// assert_eq!(table.rows(), 2);
/// assert_eq!(table.columns()[1].values.missing(), 1);
/// ```
pub fn read(path: impl AsRef<Path>, options: &ReadOptions, progress: &dyn Progress) -> Result<Table> {
    Ok(read_noted(path, options, progress)?.table)
}

/// Reads a file like [`read`], and says what was decided and noticed.
pub fn read_noted(path: impl AsRef<Path>, options: &ReadOptions, progress: &dyn Progress) -> Result<Reading> {
    let path = path.as_ref();
    let name = &*path.to_string_lossy();
    if path.is_dir() {
        let portions = portions::Portions::open(path, options)?;
        let table = portions.table(progress)?;
        let (plan, notes) = portions.plan();
        return Ok(Reading { table, notes, plan });
    }
    let by_name = options.format.or(options.plan.format).or_else(|| Format::of_name(name));
    let opened = source::open(name, path).map_err(|error| kinds::in_database(name).unwrap_or(error))?;
    let bytes = source::decompress(name, opened, progress)?;
    let by_content = kinds::of(name, &bytes)?;
    // A name may be wrong; what the first bytes say unmistakably is not.
    let (format, wrong) = match (by_name, by_content) {
        (Some(named), Some(seen)) if named != seen && options.format.is_none() => (seen, true),
        (Some(named), _) => (named, false),
        (None, seen) => (seen.unwrap_or_else(|| kinds::of_text(&bytes)), false),
    };
    let mut reading = decode(name, bytes, format, options, progress)?;
    if wrong {
        reading.notes.insert(0, Note::new(NoteKind::Format).values([format.extension()]));
    }
    reading.plan.format = Some(format);
    Ok(reading)
}

impl Table {
    /// Reads a file by its name alone: [`read`] with nothing else said.
    ///
    /// # Errors
    /// When the file cannot be read or is not what its name says; the error has line and column.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        read(path, &ReadOptions::default(), &Silent)
    }
}

/// Reads a table from bytes in memory, compressed or not; `name` is used in messages and as the
/// table's name. `format` counts, `options.format` does not.
///
/// ```
/// use secateur::data::{Format, ReadOptions, Values, read_bytes};
/// use secateur::progress::Silent;
/// let text = b"colour,size\nred,1\nblue,2.5\n";
/// let table = read_bytes("example", text, Format::Csv, &ReadOptions::default(), &Silent).unwrap();
/// assert_eq!(table.columns()[1].values, Values::Numeric(vec![1.0, 2.5]));
///
/// let text = b"colour,size\nred,1\nblue,inf\n";
/// let error = read_bytes("example", text, Format::Csv, &ReadOptions::default(), &Silent).unwrap_err();
/// assert!(error.to_string().starts_with("example, line 3, column 2, attribute 'size': 'inf' is not finite"));
/// ```
pub fn read_bytes(
    name: &str,
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Table> {
    Ok(read_bytes_noted(name, bytes, format, options, progress)?.table)
}

/// Reads a table from bytes like [`read_bytes`], and says what was decided and noticed.
pub fn read_bytes_noted(
    name: &str,
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Reading> {
    if source::is_gzip(bytes) {
        let bytes = source::decompress(name, Bytes::copy_from_slice(bytes), progress)?;
        return decode(name, bytes, format, options, progress);
    }
    match &format.reader().content {
        Content::Bytes(read) => read(name, Bytes::copy_from_slice(bytes), options, progress),
        Content::Text(read) => decode_text(name, bytes, *read, options, progress),
    }
}

fn decode(
    name: &str,
    bytes: Bytes,
    format: Format,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Reading> {
    match &format.reader().content {
        Content::Bytes(read) => read(name, bytes, options, progress),
        Content::Text(read) => decode_text(name, &bytes, *read, options, progress),
    }
}

type ReadText = fn(&text::Text<'_>, &ReadOptions, &dyn Progress) -> Result<Reading>;

fn decode_text(
    name: &str,
    bytes: &[u8],
    read: ReadText,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Reading> {
    let given = options.plan.encoding.as_deref();
    let (utf8, encoding) = encoding::utf8(name, bytes, given)?;
    let told = encoding.map(|encoding| Note::new(NoteKind::Encoding).values([encoding.to_lowercase()]));
    let utf8_read = |bytes: &[u8]| read(&text::Text::new(name, bytes)?, options, progress);
    let (mut reading, note) = match utf8_read(&utf8) {
        // Only then does it matter which bytes are not UTF-8.
        Err(error) if given.is_none() && encoding.is_none() => match encoding::western(&utf8) {
            Some((text, note)) => (utf8_read(&text)?, Some(note)),
            None => return Err(error),
        },
        read => (read?, told),
    };
    if let Some(note) = note {
        reading.plan.encoding = note.values.first().cloned();
        if given.is_none() {
            reading.notes.insert(0, note);
        }
    }
    Ok(reading)
}
