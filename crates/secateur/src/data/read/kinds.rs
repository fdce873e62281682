//! What kind of file this is, by its first bytes: a format that is read here, or one that is not, with the way to turn it into
//! one that is.

use super::Format;
use crate::error::{Error, Place, Result};

/// Kinds of files that are not read: how they begin, what they are, and how to turn one into CSV or Parquet.
const OTHERS: [(&[u8], &str, &str); 11] = [
    (
        b"SQLite format 3\0",
        "a SQLite database",
        "sqlite3 -header -csv FILE 'SELECT * FROM a_table' > table.csv",
    ),
    (b"ARROW1\0\0", "an Arrow (Feather) file", FEATHER),
    (b"FEA1", "an old Feather file", FEATHER),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd", "zstd -d FILE"),
    (b"BZh", "compressed with bzip2", "bunzip2 -k FILE"),
    (b"\xfd7zXZ\0", "compressed with xz", "xz -dk FILE"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x FILE"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook (.xls)", WORKBOOK),
    (b"%PDF-", "a PDF", "save the table in FILE as CSV"),
    (
        b"\x89HDF\r\n\x1a\n",
        "an HDF5 file",
        "python3 -c \"import sys, pandas; pandas.read_hdf(sys.argv[1]).to_parquet('table.parquet')\" FILE",
    ),
    (
        b"RDX",
        "an R workspace",
        "Rscript -e \"load(commandArgs(TRUE)[1]); write.csv(a_table, 'table.csv', row.names = FALSE)\" FILE",
    ),
];

const FEATHER: &str =
    "python3 -c \"import sys, pandas; pandas.read_feather(sys.argv[1]).to_parquet('table.parquet')\" FILE";
const WORKBOOK: &str = "libreoffice --headless --convert-to csv FILE (the first sheet), or python3 -c \"import sys, pandas; \
                        pandas.read_excel(sys.argv[1], sheet_name=0).to_csv('table.csv', index=False)\" FILE";

/// What is to be said of `FILE#TABLE`, where there is such a file: how to get the table out of it.
pub(super) fn in_database(name: &str) -> Option<Error> {
    let (file, table) = name.rsplit_once('#').filter(|(_, table)| !table.is_empty())?;
    let bytes = super::source::open(file, std::path::Path::new(file)).ok()?;
    match of(file, &bytes).err()? {
        Error::Input { place, problem, .. } => {
            Some(Error::input(place, problem.replace("a_table", &quoted(table))))
        }
        other => Some(other),
    }
}

/// A name as a shell takes it.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,+@%".contains(c);
    if name.chars().all(plain) { name.into() } else { format!("'{}'", name.replace('\'', r"'\''")) }
}

/// The format that the first bytes say unmistakably; an error for a kind of file that is not read.
pub(super) fn of(name: &str, bytes: &[u8]) -> Result<Option<Format>> {
    if let Some(format) = Format::ALL.iter().find(|format| (format.reader().begins)(bytes)) {
        return Ok(Some(*format));
    }
    let other = |what: &str, how: &str| {
        Err(Error::input(
            Place::file(name),
            format!(
                "it is {what}, which is not read here; turn it into CSV or Parquet first: {}",
                how.replace("FILE", &quoted(name))
            ),
        ))
    };
    if let Some((_, what, how)) = OTHERS.iter().find(|(magic, _, _)| bytes.starts_with(magic)) {
        return other(what, how);
    }
    if bytes.get(8..12) == Some(b"DUCK") {
        return other("a DuckDB database", "duckdb FILE \"COPY a_table TO 'table.parquet'\"");
    }
    if bytes.starts_with(b"PK\x03\x04") {
        // The names of the files inside stand in clear.
        let workbook = memchr::memmem::find(&bytes[..bytes.len().min(1 << 16)], b"xl/").is_some();
        return match workbook {
            true => other("an Excel workbook", WORKBOOK),
            false => other("a ZIP archive", "unzip FILE"),
        };
    }
    Ok(None)
}

/// The format that a text looks like whose name does not say it.
pub(super) fn of_text(bytes: &[u8]) -> Format {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if text.starts_with(b"%") {
        return Format::Arff;
    }
    let line = text.split(|&b| b == b'\n').next().unwrap_or_default();
    if line.contains(&b'\t') { Format::Tsv } else { Format::Csv }
}
