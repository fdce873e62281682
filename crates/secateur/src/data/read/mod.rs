//! Reading a file into a [`Table`]: ARFF, CSV, TSV and Parquet, plain or compressed with gzip.
//!
//! What all formats share: `?`, an empty cell, `NA` and `NaN` (any case) are missing values; a number is
//! finite or missing; the values of a nominal column stand in the order of their first appearance, or as the
//! file declares them; the table never depends on the number of threads.
//!
//! - **CSV, TSV**: a header is required; a column is numeric if all its cells in the whole file are numbers or
//!   missing. Double quotes protect delimiters, line ends and (doubled) quotes, but do not make text: `"1"` is
//!   a number. Spaces around an unquoted field do not count; blank lines are skipped.
//! - **ARFF**: `string` attributes are nominal; a `date` must be ignored or asked to be nominal; what a sparse
//!   row leaves out is 0, the first declared value, or missing for a string. A quoted value is never
//!   missing, and a declared one only if it is a bare `?`.
//! - **Parquet**: integers, floats and decimals are rounded to `f64`; dates and timestamps are seconds since
//!   1970-01-01 00:00 UTC, times and durations seconds; booleans are nominal (`false`, `true`); what is asked to
//!   be nominal has its values in their natural order. Lists, structures and bytes must be ignored.
//!
//! Text files are cut into chunks at record borders and the chunks are parsed in parallel straight into
//! the columns; a plain file is mapped into memory, so that its text is never on the heap.

mod arff;
mod arff_rows;
mod choice;
mod chunks;
mod columns;
mod csv;
mod decimal;
mod filling;
mod memo;
#[cfg(feature = "parquet")]
mod parquet;
mod scan;
mod sink;
mod source;
mod text;

#[cfg(test)]
mod tests;

use super::Table;
use crate::error::{Error, Place, Result, shown, suggestion};
use crate::progress::Progress;
use bytes::Bytes;

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
    /// The format, when the file's name and first bytes do not tell it.
    pub format: Option<Format>,
}

/// A file format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Attribute-relation file format: a header with types, then rows.
    Arff,
    /// Values separated by commas, with a header.
    Csv,
    /// Values separated by tabs, with a header.
    Tsv,
    /// Apache Parquet.
    Parquet,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Arff, Self::Csv, Self::Tsv, Self::Parquet];

    /// The extension of its files, which is also its name.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Arff => "arff",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Parquet => "parquet",
        }
    }

    /// The format that a file's name tells, with or without `.gz`.
    ///
    /// ```
    /// use secateur::data::Format;
    /// assert_eq!(Format::of_name("a/iris.arff.gz"), Some(Format::Arff));
    /// assert_eq!(Format::of_name("DATA.CSV"), Some(Format::Csv));
    /// assert_eq!(Format::of_name("notes.txt"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let (_, extension) = name.rsplit_once('.')?;
        Self::ALL.into_iter().find(|format| format.extension() == extension)
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
        let lower = text.to_lowercase();
        Self::ALL.into_iter().find(|format| format.extension() == lower).ok_or_else(|| {
            Error::parameter(format!(
                "unknown format {}; expected arff, csv, tsv or parquet{}",
                shown(text),
                suggestion(text, Self::ALL.map(Self::extension))
            ))
        })
    }
}

/// The bytes of a text file that one task parses at a time.
const CHUNK: usize = 1 << 20;

/// Reads a file; `name` is its path, or `-` for standard input.
///
/// The format follows from `options.format`, else from the name, and for standard input from the first
/// bytes. Compression is recognised by itself.
///
/// ```
/// use secateur::data::{ReadOptions, read};
/// use secateur::progress::Silent;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("people.csv");
/// std::fs::write(&path, "name,age\nAda,36\nBen,?\n").unwrap();
/// let table = read(path.to_str().unwrap(), &ReadOptions::default(), &Silent).unwrap();
/// assert_eq!(table.rows(), 2);
/// assert_eq!(table.columns()[1].values.missing(), 1);
/// ```
pub fn read(name: &str, options: &ReadOptions, progress: &dyn Progress) -> Result<Table> {
    let by_name = options.format.or_else(|| Format::of_name(name));
    let source = source::open(name)?;
    if by_name.is_none() && source.regular {
        return Err(Error::input(
            Place::file(name),
            "its name does not tell the format; expected .arff, .csv, .tsv or .parquet, optionally with .gz",
        ));
    }
    let bytes = source::decompress(name, source.bytes, progress)?;
    let format = by_name.unwrap_or_else(|| source::sniff(&bytes));
    decode(name, bytes, format, options, progress)
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
    if source::is_gzip(bytes) {
        let bytes = source::decompress(name, Bytes::copy_from_slice(bytes), progress)?;
        return decode(name, bytes, format, options, progress);
    }
    match format {
        Format::Parquet => decode(name, Bytes::copy_from_slice(bytes), format, options, progress),
        _ => decode_text(name, bytes, format, options, progress),
    }
}

fn decode(
    name: &str,
    bytes: Bytes,
    format: Format,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Table> {
    match format {
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(name, bytes, options, progress),
        #[cfg(not(feature = "parquet"))]
        Format::Parquet => Err(Error::input(
            Place::file(name),
            "Parquet files are not read here: the library was built without its feature `parquet`; build it with the \
             feature, or turn the file into CSV",
        )),
        _ => decode_text(name, &bytes, format, options, progress),
    }
}

fn decode_text(
    name: &str,
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    progress: &dyn Progress,
) -> Result<Table> {
    let text = text::Text::new(name, bytes)?;
    match format {
        Format::Arff => arff::read(&text, options, progress, CHUNK),
        Format::Tsv => csv::read(&text, b'\t', options, progress, CHUNK),
        Format::Csv | Format::Parquet => csv::read(&text, b',', options, progress, CHUNK),
    }
}
