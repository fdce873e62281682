//! What a reader of tables decided or noticed that a person should know: nothing that changes a tree happens without a note.

use std::fmt;

use serde::Serialize;

use crate::error::shown;

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoteKind {
    /// A column would be numeric except for a few cells.
    NearlyNumeric,
    /// A column would hold dates or times except for a few cells.
    NearlyDates,
    /// A column of text holds nothing but numbers.
    TextOfNumbers,
    /// A column of text holds nothing but dates or times.
    TextOfDates,
    /// A few cells of a column that was asked to be numeric are not numbers and count as missing.
    OddCells,
    /// Words count as missing values, which makes a column numeric (or one of dates).
    MissingWords,
    /// `?`, `NA` or `NaN` counts as missing in a column of text.
    Marks,
    /// Values of rows to test on that no training row has.
    Unseen,
    /// Words that often mean a missing value are values here.
    LikeMissing,
    /// A column was read as dates or times.
    Dates,
    /// Dates could be read with the day or the month first.
    AmbiguousDates,
    /// Thousands separators, currency or percent signs were taken off numbers.
    Signs,
    /// Numbers have decimal commas.
    DecimalComma,
    /// Cells are numbers with leading zeros: codes, kept as text.
    LeadingZeros,
    /// Cells are numbers with leading zeros of different lengths, and are read as numbers.
    ZerosLost,
    /// Cells such as `1e5`, which may be codes, are read as numbers.
    Exponents,
    /// Numbers so close to 0 that they are read as 0.
    TooSmall,
    /// Times of one column have a zone in some cells and none in others.
    MixedZones,
    /// Spellings of one truth value (`TRUE`, `true`, `T`) became one value.
    TruthValues,
    /// A nominal column has a different value in nearly every row and is left out of growing.
    Identifier,
    /// A numeric column counts the rows and is left out of growing.
    RowNumbers,
    /// A numeric column counts the rows, or numbers them, and is used all the same.
    LikeIdentifier,
    /// Columns have one value only.
    OneValue,
    /// The target has one value only.
    OneTarget,
    /// A numeric target has few different whole values.
    FewTargets,
    /// A target of many different numbers is predicted as classes.
    ManyClasses,
    /// The last column is ignored, so that another one is the target.
    OtherTarget,
    /// Rows repeat earlier ones in every column.
    RepeatedRows,
    /// A column that the tree tests has no value in any row.
    NoValues,
    /// Whole numbers so large that neighbours are read as one.
    Inexact,
    /// The values are not separated as the name of the file says.
    Separator,
    /// The text is not in UTF-8.
    Encoding,
    /// The file is of another kind than its name says.
    Format,
    /// The first line holds values, not names.
    NoHeader,
    /// The first line may hold values and not names.
    PerhapsNoHeader,
    /// A first column without a name that numbers the rows was left out.
    Index,
    /// A column without a name was given one.
    Unnamed,
    /// A column was renamed, since another has the same name.
    SameName,
    /// Columns without a name and without values (separators at the ends of lines) were left out.
    EmptyColumns,
    /// Lines with nothing but separators at the end were left out.
    EmptyRows,
}

/// A note: what it is about, where, and the numbers behind it. Shown as a sentence; what to do about it is for whoever knows how
/// the reader was called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// The column concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The line of the file (from 1) of the first cell concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// The row (from 1) of the first cell concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<u64>,
    /// The cells (columns, rows) concerned.
    pub cells: usize,
    /// Out of this many.
    pub of: usize,
    /// Values concerned, a few of them; the first is that of the line and row. Or what was decided.
    pub values: Vec<String>,
}

impl Note {
    /// A note without places and numbers.
    pub fn new(kind: NoteKind) -> Self {
        Self { kind, column: None, line: None, row: None, cells: 0, of: 0, values: Vec::new() }
    }

    /// The same note on a column.
    pub fn column(mut self, name: impl Into<String>) -> Self {
        self.column = Some(name.into());
        self
    }

    /// The same note on this many cells out of a total.
    pub fn cells(mut self, cells: usize, of: usize) -> Self {
        (self.cells, self.of) = (cells, of);
        self
    }

    /// The same note with these values.
    pub fn values(mut self, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.values = values.into_iter().map(Into::into).collect();
        self
    }

    /// The same note on a row, from 0.
    pub fn row(mut self, row: usize) -> Self {
        self.row = Some(row as u64 + 1);
        self
    }

    /// Where the first cell is: its line where that is known, else its row.
    fn place(&self) -> String {
        match (self.line, self.row) {
            (Some(line), _) => format!("line {line}"),
            (None, Some(row)) => format!("row {row}"),
            (None, None) => "somewhere".into(),
        }
    }

    /// The first value, as it is shown.
    fn first(&self) -> String {
        self.values.first().map_or_else(String::new, |value| shown(value))
    }

    /// All values, as they are shown.
    fn all(&self) -> String {
        let list: Vec<String> = self.values.iter().map(|value| shown(value)).collect();
        list.join(", ")
    }
}

/// `1 cell`, `2 cells`.
fn counted(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl fmt::Display for Note {
    #[allow(clippy::too_many_lines, reason = "one sentence for each kind of note")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = self.column.as_deref().map(shown).unwrap_or_default();
        let (cells, of, place) = (self.cells, self.of, self.place());
        let word = self.values.first().map_or("", String::as_str);
        match self.kind {
            NoteKind::NearlyNumeric => {
                write!(
                    f,
                    "{column} would be numeric except for {cells} of {of} cells ({place}: {})",
                    self.first()
                )
            }
            NoteKind::NearlyDates => {
                write!(
                    f,
                    "{column} would hold dates except for {cells} of {of} cells ({place}: {})",
                    self.first()
                )
            }
            NoteKind::TextOfNumbers => write!(f, "{column} is text, but all its values are numbers"),
            NoteKind::TextOfDates => write!(f, "{column} is text, but all its values are dates"),
            NoteKind::OddCells => write!(
                f,
                "{} of {of} in {column} {} and count{} as missing ({place}: {})",
                counted(cells, "cell"),
                if cells == 1 { "is not a number" } else { "are not numbers" },
                if cells == 1 { "s" } else { "" },
                self.first()
            ),
            NoteKind::MissingWords => {
                write!(
                    f,
                    "{} in {} of {column} counts as missing: all other cells are numbers or dates",
                    self.all(),
                    counted(cells, "cell")
                )
            }
            NoteKind::Marks => {
                write!(
                    f,
                    "{} in {} of {column} is read as missing ({place})",
                    self.first(),
                    counted(cells, "cell")
                )
            }
            NoteKind::Unseen => {
                let more = of.saturating_sub(self.values.len());
                let more =
                    if more > 0 { format!(" and {}", counted(more, "other value")) } else { String::new() };
                write!(
                    f,
                    "{}{more} of {column} ({}) {} in no training row: where {column} is tested, such rows go down every branch",
                    self.all(),
                    counted(cells, "row"),
                    if of == 1 { "is" } else { "are" },
                )
            }
            NoteKind::LikeMissing => {
                write!(f, "{} in {} of {column} is read as a value", self.all(), counted(cells, "cell"))
            }
            NoteKind::Dates => write!(f, "{column} holds {word}"),
            NoteKind::AmbiguousDates => write!(
                f,
                "{column} holds dates such as {}, in which day and month cannot be told apart; it is read as text",
                self.first()
            ),
            NoteKind::Signs => write!(f, "{column} is read as numbers, without {word}"),
            NoteKind::DecimalComma => write!(f, "numbers have decimal commas (in {})", self.all()),
            NoteKind::LeadingZeros => {
                write!(
                    f,
                    "{column} has numbers with leading zeros ({place}: {}) and is read as text",
                    self.first()
                )
            }
            NoteKind::ZerosLost => {
                write!(
                    f,
                    "{column} has numbers with leading zeros ({place}: {}) and is read as numbers",
                    self.first()
                )
            }
            NoteKind::Exponents => {
                write!(
                    f,
                    "{column} has cells such as {} ({place}), which are read as numbers with an exponent",
                    self.first()
                )
            }
            NoteKind::TooSmall => {
                write!(
                    f,
                    "{} in {column} ({place}) is too close to 0 for a number of 64 bits and is read as 0",
                    self.first()
                )
            }
            NoteKind::MixedZones => {
                write!(
                    f,
                    "{column} has times with a zone and without ({place}: {}): those without are taken as UTC",
                    self.first()
                )
            }
            NoteKind::TruthValues => {
                write!(f, "spellings of truth values in {column} are read as {}", self.all())
            }
            NoteKind::Identifier => write!(
                f,
                "{column} has {cells} different values in {of} rows (such as {}): an identifier, left out of growing",
                self.first()
            ),
            NoteKind::RowNumbers => {
                write!(f, "{column} numbers the rows from {word}: it is left out of growing")
            }
            NoteKind::LikeIdentifier => {
                write!(f, "{column} has a different whole number in every row; it may be an identifier")
            }
            NoteKind::OneValue => write!(
                f,
                "{} one value only: {}",
                if cells == 1 { "a column has".into() } else { format!("{cells} columns have") },
                self.all() + if self.values.len() < cells { ", …" } else { "" }
            ),
            NoteKind::OneTarget => {
                write!(
                    f,
                    "the target {column} has one value only ({}): there is nothing to learn",
                    self.first()
                )
            }
            NoteKind::FewTargets => write!(
                f,
                "the target {column} has {cells} different whole numbers and is predicted as a number (are they classes?)"
            ),
            NoteKind::ManyClasses => {
                write!(
                    f,
                    "the target {column} has {cells} different numbers, each of which is predicted as a class"
                )
            }
            NoteKind::OtherTarget => {
                write!(f, "the last column, {column}, is ignored: the target is {}", self.first())
            }
            NoteKind::RepeatedRows => write!(
                f,
                "{cells} of {of} rows ({:.0} %) are equal to an earlier one in every column; if they are copies, errors on new rows are reported too low",
                100.0 * cells as f64 / of as f64
            ),
            NoteKind::NoValues => write!(
                f,
                "{column}, which the tree tests, has no value in any row: all rows go down every branch there"
            ),
            NoteKind::Inexact => write!(
                f,
                "{column}: {place} is beyond 2^53, where whole numbers that differ in the last digits only are read as one"
            ),
            NoteKind::Separator => write!(f, "values are separated by {word}"),
            NoteKind::Encoding => {
                let place = self.line.map_or_else(String::new, |line| format!(" (line {line} is not UTF-8)"));
                write!(f, "the text is read as {word}{place}")
            }
            NoteKind::Format => write!(f, "the file is read as {word}, which its content is"),
            NoteKind::NoHeader => {
                write!(
                    f,
                    "the first line holds values ({}), not names; columns are called column1, column2, …",
                    self.all()
                )
            }
            NoteKind::PerhapsNoHeader => {
                write!(
                    f,
                    "the names of columns are numbers ({}); is the first line a row of data?",
                    self.all()
                )
            }
            NoteKind::Index => write!(f, "the first column has no name and numbers the rows: it is left out"),
            NoteKind::Unnamed => write!(f, "column {cells} has no name and is called {column}"),
            NoteKind::SameName => {
                write!(f, "another column is called {} too; column {cells} is called {column}", self.first())
            }
            NoteKind::EmptyColumns => write!(
                f,
                "{} without name and values left out (separators at the ends of lines?)",
                counted(cells, "column")
            ),
            NoteKind::EmptyRows => {
                write!(f, "{} with nothing but separators at the end left out", counted(cells, "line"))
            }
        }
    }
}
