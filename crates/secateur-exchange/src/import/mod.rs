//! Trees of other programs: one file per form, one list of all.
//!
//! What a form does not say stays unknown: a model without counts says so, and what needs them refuses it.

mod counting;
mod draft;
mod lightgbm;
mod numbers;
mod pmml;
mod rpart;
mod sklearn;
mod weka;
mod xgboost;
mod ydf;

pub use counting::count;
use draft::{Draft, DraftKind};
use secateur::data::{Table, Values};
use secateur::error::{Name, Place, shown, suggestion};
use secateur::schema::Target;
use secateur::tree::Model;
use secateur::{Error, Result};

/// All forms, in the order in which they are tried.
pub static READERS: &[&Reader] = &[
    &pmml::READER,
    &xgboost::READER,
    &lightgbm::READER,
    &ydf::READER,
    &rpart::READER,
    &sklearn::READER,
    &weka::READER,
];

/// A form in which other programs write a tree.
pub struct Reader {
    /// Its name.
    pub id: &'static str,
    /// What it is, in a line.
    pub one_line: &'static str,
    /// Whether a file looks like it.
    pub looks: fn(&Source) -> bool,
    /// Reads a tree.
    read: fn(&Source) -> std::result::Result<Imported, Problem>,
}

/// A file to be read.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// What is in it.
    pub text: &'a str,
    /// What its target is to be called, where that is not in the file.
    pub target: Option<&'a str>,
    /// The table that the tree was grown from, for names and lists of values that are not in the file.
    pub table: Option<&'a Table>,
}

impl Source<'_> {
    /// Gives a draft the columns of the table, except for the target.
    fn add_columns(&self, draft: &mut Draft, target: &str) -> std::result::Result<(), Problem> {
        for column in
            self.table.iter().flat_map(|table| table.columns()).filter(|column| column.name != target)
        {
            let attribute = draft.attribute(&column.name);
            let kind = match &column.values {
                Values::Numeric(_) => DraftKind::Numeric,
                Values::Nominal(nominal) => {
                    DraftKind::Values { list: nominal.levels.clone(), is_complete: true }
                }
            };
            draft.set_kind(attribute, kind)?;
        }
        Ok(())
    }

    /// The values of a column of the table.
    fn values_of(&self, name: &str) -> Option<Vec<String>> {
        let column = self.table?.columns().iter().find(|column| column.name == name)?;
        match &column.values {
            Values::Nominal(nominal) => Some(nominal.levels.clone()),
            Values::Numeric(_) => None,
        }
    }
}

/// A tree of another program.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The tree.
    pub model: Model,
    /// What the reader should know of it: what was not in the file, what is different here.
    pub notes: Vec<String>,
}

impl Imported {
    fn new(draft: Draft, target: Target, made_by: &str) -> std::result::Result<Self, Problem> {
        let (model, mut notes) = draft.finish(target, made_by).map_err(Problem::new)?;
        if !model.tree.has_counts() {
            notes.push(
                "the counts of training rows are not known: the tree predicts, but cannot be pruned by its counts".into(),
            );
        }
        Ok(Self { model, notes })
    }
}

/// What is wrong with a file, and on which line where that is known.
#[derive(Debug, Clone, PartialEq)]
struct Problem {
    line: Option<usize>,
    text: String,
}

impl Problem {
    fn new(text: impl Into<String>) -> Self {
        Self { line: None, text: text.into() }
    }

    fn at(line: usize, text: impl Into<String>) -> Self {
        Self { line: Some(line), text: text.into() }
    }
}

impl From<String> for Problem {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        let line = (error.line() > 0).then_some(error.line());
        let text = error.to_string();
        let text = text.split(" at line ").next().unwrap_or(&text).to_string();
        Self { line, text: shown(&text).trim_matches('\'').to_string() }
    }
}

/// The form with a name.
///
/// # Errors
/// When there is none.
pub fn find(id: &str) -> Result<&'static Reader> {
    READERS.iter().copied().find(|reader| reader.id == id).ok_or_else(|| {
        let known: Vec<&str> = READERS.iter().map(|reader| reader.id).collect();
        let meant = suggestion(id, known.iter().copied());
        let problem =
            format!("there is no form {} to import{meant}; there are {}", shown(id), known.join(", "));
        Error::unknown(Name::Format, id, problem)
    })
}

/// Reads a tree of another program. `name` stands for the file in errors; the form is found by what is in the file unless it is
/// given.
///
/// # Errors
/// When the file is of no known form, or its tree cannot be carried; the error says why.
pub fn import(name: &str, source: &Source, form: Option<&Reader>) -> Result<Imported> {
    let place = |line: Option<usize>| match line {
        Some(line) => Place::file(name).line(line as u64),
        None => Place::file(name),
    };
    let found = || READERS.iter().copied().find(|reader| (reader.looks)(source));
    let Some(reader) = form.or_else(found) else {
        let list: Vec<&str> = READERS.iter().map(|reader| reader.one_line).collect();
        return Err(Error::input(
            place(None),
            format!("no known tree is in it; expected {}", list.join("; ")),
        ));
    };
    (reader.read)(source)
        .map_err(|problem| Error::input(place(problem.line), format!("{}: {}", reader.id, problem.text)))
}
