//! What the columns of a table look like that are not what they seem: identifiers, row numbers, columns with one value, classes that
//! are numbers.

use hashbrown::HashSet;

use super::note::{Note, NoteKind};
use super::{ColumnPlan, ColumnType, MISSING, Nominal, Plan, Roles, Table, Values, repeats, settle};
use crate::error::{Error, Place, Remedy, Result, shown};
use crate::schema::Task;
use crate::threads;

/// Notes on a table, and the columns that are better left out of growing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Noticed {
    /// The notes.
    pub notes: Vec<Note>,
    /// Identifiers and row numbers, by name.
    pub left_out: Vec<String>,
}

impl Noticed {
    /// All notes after those of reading; what reading has said of a column is not said again.
    pub fn following(self, mut notes: Vec<Note>) -> Vec<Note> {
        let told: HashSet<String> = notes.iter().filter_map(|note| note.column.clone()).collect();
        let is_told = |note: &Note| {
            let doubled = matches!(
                note.kind,
                NoteKind::NearlyNumeric
                    | NoteKind::NearlyDates
                    | NoteKind::TextOfNumbers
                    | NoteKind::TextOfDates
            );
            doubled && note.column.as_ref().is_some_and(|column| told.contains(column))
        };
        let more: Vec<Note> = self.notes.into_iter().filter(|note| !is_told(note)).collect();
        notes.extend(more);
        notes
    }
}

/// Fewer rows than this say nothing of identifiers.
pub(crate) const ROWS: usize = 20;
/// In an identifier this share of the rows have a value of their own.
pub(crate) const DIFFERENT: f64 = 0.95;
/// A numeric target with at most this many different whole numbers may mean classes.
const CLASSES: usize = 10;

/// Looks at a table before a tree is grown from it. Columns named in `keep` are not left out.
///
/// ```
/// use secateur::data::{Format, ReadOptions, Roles, notice, read_bytes};
/// use secateur::progress::Silent;
/// let rows: String = (0..30).map(|i| format!("name{i},{},{}\n", i % 7, i % 2 == 0)).collect();
/// let text = format!("name,x,class\n{rows}");
/// let table = read_bytes("people.csv", text.as_bytes(), Format::Csv, &ReadOptions::default(), &Silent)?;
/// assert_eq!(notice(&table, &Roles::default(), &[])?.left_out, ["name"]);
/// assert!(notice(&table, &Roles::default(), &["name".into()])?.left_out.is_empty());
/// # Ok::<(), secateur::Error>(())
/// ```
///
/// # Errors
/// When a column that has a role is not there, or the target has another class in every row.
pub fn notice(table: &Table, roles: &Roles, keep: &[String]) -> Result<Noticed> {
    let cast = roles.cast(table)?;
    let columns = table.columns();
    let mut noticed = Noticed::default();
    let keep: HashSet<&str> = keep.iter().map(String::as_str).collect();
    let kept = |name: &str| keep.contains(name);
    let found = threads::map(cast.attributes.len(), |place| {
        let column = &columns[cast.attributes[place]];
        attribute(&column.name, &column.values, table.rows())
    });
    let mut single: Vec<String> = Vec::new();
    for note in found.into_iter().flatten() {
        let name = note.column.clone().unwrap_or_default();
        match note.kind {
            NoteKind::OneValue => single.push(name),
            NoteKind::Identifier | NoteKind::RowNumbers if kept(&name) => {}
            NoteKind::Identifier | NoteKind::RowNumbers => {
                noticed.left_out.push(name);
                noticed.notes.push(note);
            }
            _ if kept(&name) => {}
            _ => noticed.notes.push(note),
        }
    }
    if !single.is_empty() {
        let note = Note::new(NoteKind::OneValue).cells(single.len(), columns.len());
        noticed.notes.push(note.values(single.into_iter().take(5)));
    }
    target(table, cast.target, cast.task, roles, &mut noticed)?;
    let is_used = |&&column: &&usize| !noticed.left_out.contains(&columns[column].name);
    let used: Vec<usize> = cast.attributes.iter().chain([&cast.target]).filter(is_used).copied().collect();
    noticed.notes.extend(repeats::noted(table, &used));
    if noticed.left_out.len() == cast.attributes.len() {
        // Something must be left to grow from.
        noticed.left_out.clear();
        noticed.notes.retain(|note| !matches!(note.kind, NoteKind::Identifier | NoteKind::RowNumbers));
    }
    Ok(noticed)
}

/// A note where the last column of a file is among those that are ignored, and another one becomes the target because none is named.
pub fn other_target(plan: &Plan, roles: &Roles, ignored: &[String]) -> Option<Note> {
    let is_ignored = |column: &&ColumnPlan| ignored.contains(&column.name);
    let is_read = |column: &&ColumnPlan| {
        column.kind != ColumnType::Ignore && roles.weights.as_ref() != Some(&column.name)
    };
    let last = plan.columns.iter().rfind(|column| is_ignored(column) || is_read(column))?;
    let target =
        plan.columns.iter().rfind(is_read).filter(|_| roles.target.is_none() && is_ignored(&last))?;
    Some(Note::new(NoteKind::OtherTarget).column(&last.name).values([&target.name]))
}

/// Refuses a table that has nothing to predict its target from.
pub fn check_attributes(table: &Table, roles: &Roles) -> Result<()> {
    let cast = roles.cast(table)?;
    if !cast.attributes.is_empty() {
        return Ok(());
    }
    let target = &table.columns()[cast.target].name;
    let problem = format!(
        "there is no column beside the target {}, so there is nothing to predict it from; if values stand beside it in the file, say \
         what separates them",
        shown(target)
    );
    Err(Error::input(Place::file(table.name()), problem).with_remedies(&[Remedy::SaySeparator]))
}

/// What is to be said of an attribute.
fn attribute(name: &str, values: &Values, rows: usize) -> Option<Note> {
    if let Some(first) = row_numbers(values).filter(|_| rows >= ROWS) {
        let kind = if names_rows(name) { NoteKind::RowNumbers } else { NoteKind::LikeIdentifier };
        return Some(Note::new(kind).column(name).cells(rows, rows).values([first.to_string()]));
    }
    match values {
        Values::Nominal(nominal) => {
            let mut known = nominal.codes.iter().filter(|&&code| code != MISSING);
            if let Some(first) = known.next()
                && known.all(|code| code == first)
            {
                return Some(Note::new(NoteKind::OneValue).column(name));
            }
            // Lists that are short beside the rows take no counting.
            let short = (nominal.levels.len() as f64) < DIFFERENT * ROWS as f64;
            let (different, known) =
                if short { (0, rows) } else { (different(nominal), rows - values.missing()) };
            if known >= ROWS && different as f64 >= DIFFERENT * known as f64 {
                let note = Note::new(NoteKind::Identifier).column(name).cells(different, known);
                return Some(note.values(nominal.levels.iter().take(1).cloned()));
            }
            settle::noticed(name, nominal).into_iter().next()
        }
        Values::Numeric(cells) => is_constant(cells).then(|| Note::new(NoteKind::OneValue).column(name)),
    }
}

/// How many values of a list occur.
fn different(nominal: &Nominal) -> usize {
    let mut seen = vec![false; nominal.levels.len()];
    nominal.codes.iter().filter(|&&code| code != MISSING).for_each(|&code| seen[code as usize] = true);
    seen.iter().filter(|seen| **seen).count()
}

/// Whether all numbers that are known are one.
fn is_constant(cells: &[f64]) -> bool {
    let first = cells.iter().find(|x| !x.is_nan());
    first.is_some_and(|first| cells.iter().all(|x| x.is_nan() || x == first))
}

/// Whether a name says that its column numbers the rows.
pub(crate) fn names_rows(name: &str) -> bool {
    let name: String = name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let words = [
        "id",
        "index",
        "row",
        "rowid",
        "rownumber",
        "rownames",
        "no",
        "nr",
        "number",
        "unnamed0",
        "indexlevel0",
        "x1",
    ];
    words.contains(&name.as_str()) || name.ends_with("id") && name.len() > 4 && !name.ends_with("aid")
}

/// The first number of a column that counts the rows: 0, 1, 2, … or 1, 2, 3, …
pub(super) fn row_numbers(values: &Values) -> Option<u64> {
    let Values::Numeric(cells) = values else { return None };
    let first = *cells.first().filter(|x| **x == 0.0 || **x == 1.0)?;
    let counts = cells.len() > 1 && cells.iter().enumerate().all(|(i, x)| *x == first + i as f64);
    counts.then_some(first as u64)
}

fn target(table: &Table, target: usize, task: Task, roles: &Roles, noticed: &mut Noticed) -> Result<()> {
    let column = &table.columns()[target];
    match &column.values {
        Values::Nominal(nominal) => {
            let known = table.rows() - column.values.missing();
            let mut known_codes = nominal.codes.iter().filter(|&&code| code != MISSING);
            if let Some(&first) = known_codes.next()
                && known_codes.all(|&code| code == first)
            {
                let note = Note::new(NoteKind::OneTarget).column(&column.name);
                noticed.notes.push(note.values([nominal.levels[first as usize].clone()]));
            }
            // A file that is read as one column has another problem.
            let is_alone = table.columns().len() == 1;
            if !is_alone && known >= ROWS && nominal.levels.len() >= known && different(nominal) == known {
                return Err(Error::input(
                    Place::file(table.name()).column(target as u64 + 1).attribute(&column.name),
                    format!(
                        "the target has another value in each of {known} rows, so there is nothing to learn; name another target"
                    ),
                ));
            }
        }
        Values::Numeric(cells) if is_constant(cells) => {
            let only = cells.iter().find(|x| !x.is_nan()).map(f64::to_string);
            noticed.notes.push(Note::new(NoteKind::OneTarget).column(&column.name).values(only));
        }
        Values::Numeric(cells) if task == Task::Regression && roles.task.is_none() => {
            let mut different: Vec<f64> = Vec::new();
            for &x in cells.iter().filter(|x| !x.is_nan()) {
                if x.fract() != 0.0 || x.abs() > 1000.0 || different.len() > CLASSES {
                    return Ok(());
                }
                if !different.contains(&x) {
                    different.push(x);
                }
            }
            if (2..=CLASSES).contains(&different.len()) && cells.len() >= 3 * different.len() {
                let note = Note::new(NoteKind::FewTargets).column(&column.name);
                noticed.notes.push(note.cells(different.len(), cells.len()));
            }
        }
        Values::Numeric(cells) if roles.task == Some(Task::Classification) => {
            let different: HashSet<u64> =
                cells.iter().filter(|x| !x.is_nan()).map(|x| (x + 0.0).to_bits()).collect();
            // Codes of classes are few beside the rows.
            if different.len() > CLASSES && 10 * different.len() > cells.len() {
                let note = Note::new(NoteKind::ManyClasses).column(&column.name);
                noticed.notes.push(note.cells(different.len(), cells.len()));
            }
        }
        Values::Numeric(_) => {}
    }
    Ok(())
}
