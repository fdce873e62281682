//! Reading the table or the model that a command names, and what is said where that fails.

use secateur::Error;
use secateur::data::{
    ColumnPlan, ColumnType, Note, NoteKind, Plan, ReadOptions, Reading, Table, builtin, read_noted,
};
use secateur::schema::AttributeKind;
use secateur::tree::{Model, Tree};

use crate::failure::{Failure, Hint, Result};
use crate::files::{InFile, InModel};
use crate::progress::Bars;

/// How rows for a tree are read: its columns have the types they had when it was grown, from a table that was read in an earlier way.
/// Texts are read as they are: the tree knows which of them are missing values.
pub fn typed(options: ReadOptions, tree: &Tree, earlier: Plan) -> ReadOptions {
    let mut options = ReadOptions { earlier, ..options };
    options.plan.keep_na = Some(true);
    let schema = tree.schema();
    for condition in tree.nodes().iter().filter_map(|node| node.condition.as_ref()) {
        let attribute = &schema.attributes[condition.attribute()];
        let name = &attribute.name;
        let listed = options.nominal_if_present.contains(name) || options.numeric_if_present.contains(name);
        match attribute.kind {
            _ if listed || options.plan.column(name).is_some() => {}
            AttributeKind::Nominal { .. } => options.nominal_if_present.push(name.clone()),
            AttributeKind::Numeric if attribute.shown_as.is_plain() => {
                options.numeric_if_present.push(name.clone())
            }
            AttributeKind::Numeric => options.plan.columns.push(ColumnPlan {
                name: name.clone(),
                kind: ColumnType::of(attribute.shown_as),
                decimal: None,
                order: None,
                missing: Vec::new(),
            }),
        }
    }
    if tree.is_classifier() {
        options.nominal_if_present.push(schema.target.name().into());
    }
    options
}

/// Whether a note matters where nothing is grown.
pub fn is_for_predictions(kind: NoteKind) -> bool {
    !matches!(
        kind,
        NoteKind::Dates | NoteKind::MissingWords | NoteKind::Index | NoteKind::EmptyColumns | NoteKind::Signs
    )
}

/// Reads a file or makes a built-in data set.
pub fn load(name: &InFile, options: &ReadOptions, bars: &Bars) -> Result<(Table, Vec<Note>, Plan)> {
    if !name.starts_with("builtin:") {
        let Reading { table, mut notes, plan } =
            read_noted(name, options, bars).map_err(|error| explained(error, name))?;
        notes.extend(inexact(&table));
        return Ok((table, notes, plan));
    }
    // Its texts are what they are.
    let plan = Plan { keep_na: None, ..options.plan.clone() };
    if !options.nominal.is_empty() || !options.numeric.is_empty() || plan != Plan::default() {
        return Err(Failure::call(
            "a built-in data set has its types; leave out --nominal, --numeric and other flags of reading (--task \
             classification reads a numeric target as classes)",
        ));
    }
    let table = builtin::load(name).hint("`secateur data --list` lists the built-in data sets")?;
    for column in &options.ignore {
        table.position(column).hint(&format!("`secateur data {}` lists the columns", &**name))?;
    }
    let table = table.without(&options.ignore);
    if table.columns().is_empty() {
        return Err(Failure::call(format!("{}: all columns are ignored; leave at least one", table.name())));
    }
    Ok((table, Vec::new(), Plan::default()))
}

/// Notes on whole numbers so large that different ones are read as one.
fn inexact(table: &Table) -> Vec<Note> {
    table.beyond_exact().into_iter().map(|found| inexact_note(table, found)).collect()
}

/// A note on such numbers in a column from a row on.
pub fn inexact_note(table: &Table, (column, row): (usize, u64)) -> Note {
    Note::new(NoteKind::Inexact).column(&table.columns()[column].name).row(row as usize)
}

fn explained(error: Error, name: &str) -> Failure {
    let hint = match &error {
        Error::Read { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
            let known = builtin::all().iter().find(|set| set.name == name);
            known.map_or_else(
                || {
                    "name a .csv, .tsv, .json, .jsonl, .arff or .parquet file (.gz is fine), - for standard input, or a \
                     built-in data set such as builtin:iris"
                        .into()
                },
                |set| format!("the built-in data set is called builtin:{}", set.name),
            )
        }
        _ => return error.into(),
    };
    Failure::Library(Box::new(error), Some(hint))
}

/// Reads a model.
pub fn load_model(path: &InModel) -> Result<Model> {
    Model::load(&**path).hint("a model is a file that `secateur fit DATA -o MODEL.json` has written")
}
