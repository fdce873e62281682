//! What can go wrong, with the place where it did and what to do about it.

use std::fmt;
use std::path::PathBuf;

/// The result of everything in this library that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A place in the user's input; parts that are unknown are left out when it is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// The file as the user named it (`-` is standard input).
    pub file: Option<String>,
    /// Line number, from 1.
    pub line: Option<u64>,
    /// Column (field) number within the line, from 1.
    pub column: Option<u64>,
    /// The attribute concerned.
    pub attribute: Option<String>,
}

impl Place {
    /// A place that knows only its file.
    pub fn file(name: impl Into<String>) -> Self {
        Self { file: Some(name.into()), ..Self::default() }
    }

    /// The same place with a line number (from 1).
    pub fn line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// The same place with a column number (from 1).
    pub fn column(mut self, column: u64) -> Self {
        self.column = Some(column);
        self
    }

    /// The same place with an attribute's name.
    pub fn attribute(mut self, name: impl Into<String>) -> Self {
        self.attribute = Some(name.into());
        self
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(file) = &self.file {
            parts.push(if file == "-" { "standard input".into() } else { file.clone() });
        }
        if let Some(line) = self.line {
            parts.push(format!("line {line}"));
        }
        if let Some(column) = self.column {
            parts.push(format!("column {column}"));
        }
        if let Some(attribute) = &self.attribute {
            parts.push(format!("attribute {}", shown(attribute)));
        }
        f.write_str(&parts.join(", "))
    }
}

/// A user's text as it is safe and useful to show: quoted, control characters escaped, shortened.
///
/// ```
/// assert_eq!(secateur::error::shown("a\u{1b}b"), "'a\\u{1b}b'");
/// assert_eq!(secateur::error::shown(&"x".repeat(100)), format!("'{}…'", "x".repeat(60)));
/// ```
pub fn shown(text: &str) -> String {
    let mut out = String::from("'");
    for (i, c) in text.chars().enumerate() {
        if i == 60 {
            out.push('…');
            break;
        }
        if c.is_control() { out.extend(c.escape_default()) } else { out.push(c) }
    }
    out.push('\'');
    out
}

/// A number of bytes in words, for people.
fn size(bytes: u64) -> String {
    match bytes {
        0 => "more than there is".into(),
        1..0x10_0000 => format!("{} kB", bytes.div_ceil(1 << 10)),
        0x10_0000..0x2_8000_0000 => format!("{} MB", bytes.div_ceil(1 << 20)),
        _ => format!("{} GB", bytes.div_ceil(1 << 30)),
    }
}

/// ` (did you mean 'x'?)` when `wanted` is close to one of `known`, else nothing.
///
/// ```
/// use secateur::error::suggestion;
/// assert_eq!(suggestion("crat", ["cart", "id3"]), " (did you mean 'cart'?)");
/// assert_eq!(suggestion("zebra", ["cart", "id3"]), "");
/// ```
pub fn suggestion<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let wanted = wanted.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&wanted, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= 2.max(name.chars().count() / 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| format!(" (did you mean {}?)", shown(name)))
        .unwrap_or_default()
}

/// What kind of thing a name was taken for ([`Error::Unknown`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Name {
    /// A column of a table, or an attribute of a tree.
    Column,
    /// A class of the target.
    Class,
    /// A learner of a scheme.
    Learner,
    /// A pruner.
    Pruner,
    /// An option of a learner or pruner.
    Option,
    /// A scheme of a comparison.
    Scheme,
    /// A measure of predictions.
    Measure,
    /// A test of a difference.
    Test,
    /// A built-in data set, or a parameter of one.
    DataSet,
    /// A file format.
    Format,
}

/// What can be done about data that are refused; a program says by which of its flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remedy {
    /// Leave the column out.
    LeaveColumnOut,
    /// Read the column as values from a list.
    ReadAsNominal,
    /// Say in which order the parts of dates stand ([`ColumnPlan::order`](crate::data::ColumnPlan)).
    SayDateOrder,
    /// Say what separates values ([`Plan::separator`](crate::data::Plan)).
    SaySeparator,
    /// Leave out the rows without a target ([`Roles::drop_missing_target`](crate::data::Roles::drop_missing_target)).
    DropMissingTarget,
}

/// An error of this library.
///
/// ```
/// use secateur::error::Name;
/// use secateur::{Error, Table};
///
/// let table = Table::builder().numeric("age", [36, 51]).text("buys", ["no", "yes"]).build()?;
/// match secateur::fit(&table, "bys") {
///     Err(Error::Unknown { what: Name::Column, name, .. }) => assert_eq!(name, "bys"),
///     other => panic!("{other:?}"),
/// }
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be opened or read.
    #[error("{}: cannot read it: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error("{}: cannot write it: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The data are not what they should be.
    #[error("{place}: {problem}")]
    Input {
        /// Where.
        place: Place,
        /// What is wrong, what was expected, what to do.
        problem: String,
        /// What can be done about it, where that is known.
        remedies: &'static [Remedy],
    },
    /// There is nothing of this name.
    #[error("{problem}")]
    Unknown {
        /// What the name was taken for.
        what: Name,
        /// The name as it was given.
        name: String,
        /// What is wrong, what was perhaps meant, what there is.
        problem: String,
    },
    /// A parameter or option is wrong.
    #[error("{0}")]
    Parameter(String),
    /// A saved model is not valid.
    #[error("{file}: not a valid model: {problem}")]
    Model {
        /// The file as the user named it.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// There is not enough memory.
    #[error(
        "there is not enough memory for {what}: {} wanted; leave out columns or rows, or keep fewer values of numbers \
         apart (the option bins)",
        size(*bytes)
    )]
    Memory {
        /// For what.
        what: String,
        /// How much was asked for.
        bytes: u64,
    },
    /// The caller asked to stop.
    #[error("stopped on request")]
    Cancelled,
    /// Something that cannot be has happened: a defect of this library, whatever the call was.
    #[error("internal error: {0}; this is a defect of secateur, please report it")]
    Internal(String),
}

impl Error {
    /// An error about the data at a place.
    pub fn input(place: Place, problem: impl Into<String>) -> Self {
        Self::Input { place, problem: problem.into(), remedies: &[] }
    }

    /// The same error about the data, with what can be done about it.
    pub(crate) fn with_remedies(self, remedies: &'static [Remedy]) -> Self {
        match self {
            Self::Input { place, problem, .. } => Self::Input { place, problem, remedies },
            other => other,
        }
    }

    /// A table has no such column.
    pub(crate) fn no_column<'a>(table: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        let (place, meant) = (Place::file(table), suggestion(name, known));
        Self::unknown(Name::Column, name, format!("{place}: there is no column {}{meant}", shown(name)))
    }

    /// An error about a parameter.
    pub fn parameter(problem: impl Into<String>) -> Self {
        Self::Parameter(problem.into())
    }

    /// An error about a name that nothing has.
    pub fn unknown(what: Name, name: &str, problem: impl Into<String>) -> Self {
        Self::Unknown { what, name: name.into(), problem: problem.into() }
    }

    /// A defect of this library.
    pub(crate) fn internal(problem: impl Into<String>) -> Self {
        Self::Internal(problem.into())
    }

    /// A file that cannot be opened or read; that may be because memory is short.
    pub(crate) fn reading(file: &str, source: std::io::Error) -> Self {
        match source.kind() {
            std::io::ErrorKind::OutOfMemory => Self::Memory { what: format!("the file {file}"), bytes: 0 },
            _ => Self::Read { file: file.into(), source },
        }
    }

    /// Whether the call or the input is at fault (rather than the work, a disk, a request to stop or this library).
    pub fn is_callers(&self) -> bool {
        !matches!(self, Self::Write { .. } | Self::Memory { .. } | Self::Cancelled | Self::Internal(_))
    }
}
