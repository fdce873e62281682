//! R's rpart, from JSON that R writes with jsonlite (the call is in docs/imports.md and in the help of Python's `from_rpart`).
//!
//! Surrogate splits are not taken over: a missing value is shared out. Losses become costs. Where priors were given, probabilities are
//! not the shares of the counts: they are taken as they are, and the counts are not known. Single values come as lists of one.

use std::collections::HashMap;

use secateur::error::shown;
use secateur::schema::{Costs, Target};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::draft::{Draft, DraftKind, Place, Says, Split, agree};
use super::{Imported, Problem, Reader, Source};

/// JSON of a tree of rpart.
pub(super) static READER: Reader = Reader {
    id: "rpart",
    one_line: "a tree of R's rpart as JSON",
    looks: |source| {
        let text = source.text;
        text.trim_start().starts_with('{')
            && ["\"frame\"", "\"method\"", "\"ncompete\""].iter().all(|key| text.contains(key))
    },
    read,
};

#[derive(Deserialize)]
struct File {
    #[serde(deserialize_with = "several")]
    method: Vec<String>,
    #[serde(default, deserialize_with = "several")]
    target: Vec<String>,
    #[serde(default, deserialize_with = "several")]
    variables: Vec<String>,
    frame: Vec<Row>,
    splits: Option<Vec<SplitRow>>,
    /// A matrix; an empty object where no split is by values.
    csplit: Option<Value>,
    /// An object; an empty list where no column is a factor.
    xlevels: Option<Value>,
    #[serde(default, deserialize_with = "several")]
    ylevels: Vec<String>,
    /// What rpart was asked for: an object with `prior` and `loss`.
    parms: Option<Value>,
}

#[derive(Deserialize)]
struct Row {
    node: u64,
    var: String,
    n: f64,
    wt: f64,
    dev: f64,
    ncompete: usize,
    nsurrogate: usize,
    yval: Option<f64>,
    yval2: Option<Vec<f64>>,
}

#[derive(Deserialize)]
struct SplitRow {
    ncat: i64,
    improve: f64,
    index: f64,
}

/// R writes a single value as it is or as a list of one.
fn several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(texts(&Value::deserialize(deserializer)?))
}

fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), String::from);
    match value {
        Value::Array(list) => list.iter().map(text).collect(),
        Value::Null => Vec::new(),
        Value::Object(_) => Vec::new(),
        single => vec![text(single)],
    }
}

fn read(source: &Source) -> Result<Imported, Problem> {
    let file: File = serde_json::from_str(source.text)?;
    let is_classes = match file.method.first().map(String::as_str) {
        Some("class") => true,
        Some("anova") => false,
        other => {
            let method = shown(other.unwrap_or("none"));
            return Err(Problem::new(format!(
                "trees of method {method} cannot be taken over; expected 'class' or 'anova'"
            )));
        }
    };
    let mut draft = Draft::new();
    let levels = |name: &str| file.xlevels.as_ref().and_then(|levels| levels.get(name)).map(texts);
    let tested = file.frame.iter().filter(|row| row.var != "<leaf>").map(|row| &row.var);
    for name in file.variables.iter().chain(tested) {
        let attribute = draft.attribute(name);
        let kind =
            levels(name).map_or(DraftKind::Numeric, |list| DraftKind::Values { list, is_complete: true });
        draft.set_kind(attribute, kind)?;
    }
    let losses = losses(&file);
    let has_priors = is_classes && file.frame.iter().any(|row| !row.is_counted(file.ylevels.len()));
    if has_priors {
        draft.has_counts = false;
        draft
            .notes
            .push("it was grown with priors: the counts of training rows are not its probabilities".into());
    }
    if file.frame.iter().any(|row| row.nsurrogate > 0) {
        draft.notes.push(
            "surrogate splits are not taken over: a row without a value goes down both branches in parts"
                .into(),
        );
    }
    let leaf = |row: &Row| match is_classes {
        true => row.shares(&file.ylevels, has_priors, losses.is_some()),
        false => row.number(),
    };
    let places = nodes(&mut draft, &file, is_classes, &leaf)?;
    if !places.contains_key(&1) {
        return Err(Problem::new("the frame has no node 1, which is the root"));
    }
    let name =
        source.target.map(String::from).or(file.target.first().cloned()).unwrap_or_else(|| "target".into());
    let target = match is_classes {
        true => Target::Classes { name, classes: file.ylevels.clone() },
        false => Target::Number { name },
    };
    let mut imported = Imported::new(draft, target, "rpart")?;
    if let Some(losses) = losses {
        let wrong = |error: secateur::Error| Problem::new(format!("its losses: {error}"));
        let costs = Costs::from_matrix(&file.ylevels, losses).map_err(wrong)?;
        imported.model.tree =
            imported.model.tree.with_costs(Some(std::sync::Arc::new(costs))).map_err(wrong)?;
    }
    Ok(imported)
}

/// The losses row by row, a row for every actual class; none where all mistakes cost the same.
fn losses(file: &File) -> Option<Vec<f64>> {
    let rows = file.parms.as_ref()?.get("loss")?.as_array()?;
    let cell = |row: &Value| Some(row.as_array()?.iter().filter_map(Value::as_f64).collect::<Vec<f64>>());
    let all: Vec<f64> = rows.iter().filter_map(cell).flatten().collect();
    let classes = file.ylevels.len();
    let is_plain = all
        .iter()
        .enumerate()
        .all(|(place, x)| *x == f64::from(u8::from(!place.is_multiple_of(classes + 1))));
    (all.len() == classes * classes && !is_plain).then_some(all)
}

impl Row {
    /// The weight of every class, and the probabilities where they are printed too.
    fn classes(&self, classes: usize) -> Option<(&[f64], Option<&[f64]>)> {
        let list = self.yval2.as_ref()?;
        Some((list.get(1..1 + classes)?, list.get(1 + classes..1 + 2 * classes)))
    }

    /// Whether the probabilities are the shares of the counts.
    fn is_counted(&self, classes: usize) -> bool {
        let Some((counts, Some(said))) = self.classes(classes) else { return true };
        let all: f64 = counts.iter().sum();
        counts.iter().zip(said).all(|(count, said)| (count / all - said).abs() <= 1e-9)
    }

    /// What a leaf says of the classes.
    fn shares(&self, levels: &[String], has_priors: bool, has_losses: bool) -> Result<Says, Problem> {
        let (counts, said) = self.classes(levels.len()).filter(|_| !levels.is_empty()).ok_or_else(|| {
            Problem::new(format!("node {} has no class counts (yval2) for the ylevels", self.node))
        })?;
        let mut shares = if has_priors { said.unwrap_or(counts) } else { counts }.to_vec();
        let label = self.yval2.as_ref().and_then(|list| (list[0] as usize).checked_sub(1));
        if let Some(label) = label.filter(|label| !has_losses && *label < levels.len())
            && !agree(&mut shares, label)
        {
            return Err(Problem::new(format!(
                "node {} says {}, though another class is more probable; write the losses with it (parms = fit$parms)",
                self.node,
                shown(&levels[label])
            )));
        }
        Ok(Says::Shares(shares))
    }

    fn number(&self) -> Result<Says, Problem> {
        let value = self.yval.ok_or_else(|| Problem::new(format!("node {} has no yval", self.node)))?;
        Ok(Says::Number(value, Some((self.dev / self.wt).max(0.0))))
    }
}

fn nodes(
    draft: &mut Draft,
    file: &File,
    is_classes: bool,
    leaf: &dyn Fn(&Row) -> Result<Says, Problem>,
) -> Result<HashMap<u64, Place>, Problem> {
    let mut places: HashMap<u64, Place> = HashMap::from([(1, 0)]);
    for row in file.frame.iter().filter(|row| row.node != 1) {
        let place = draft.add();
        places.insert(row.node, place);
    }
    let splits = file.splits.as_deref().unwrap_or_default();
    // The first of a node's splits is the one in use; competitors and surrogates follow it.
    let mut at = 0;
    for row in &file.frame {
        let place = places[&row.node];
        draft.weight(place, row.wt);
        draft.rows(place, row.n.max(0.0) as u64);
        if row.var == "<leaf>" {
            draft.says(place, leaf(row)?);
            continue;
        }
        let split = splits.get(at).ok_or_else(|| Problem::new(format!("node {} has no split", row.node)))?;
        at += 1 + row.ncompete + row.nsurrogate;
        let per_row = if is_classes { row.wt } else { 1.0 };
        draft.gain(place, split.improve.max(0.0) / per_row);
        let child = |number: u64| {
            places
                .get(&number)
                .copied()
                .ok_or_else(|| Problem::new(format!("node {} has no child {number}", row.node)))
        };
        let mut children =
            vec![child(row.node.saturating_mul(2))?, child(row.node.saturating_mul(2).saturating_add(1))?];
        let attribute = draft.attribute(&row.var);
        let condition = if split.ncat.abs() == 1 {
            if split.ncat == 1 {
                children.reverse();
            }
            Split::Below { attribute, below: split.index, missing: None }
        } else {
            sets(draft, file, attribute, split, row.node)?
        };
        draft.split(place, condition, children);
    }
    Ok(places)
}

fn sets(draft: &Draft, file: &File, attribute: usize, split: &SplitRow, node: u64) -> Result<Split, Problem> {
    let row =
        file.csplit.as_ref().and_then(|rows| rows.get((split.index as usize).checked_sub(1)?)?.as_array());
    let (Some(sides), Some(DraftKind::Values { list, .. })) = (row, draft.kind_of(attribute)) else {
        return Err(Problem::new(format!(
            "node {node}: the directions of its values are missing (csplit, xlevels)"
        )));
    };
    let side = |wanted: i64| {
        Some(
            list.iter()
                .zip(sides)
                .filter(|(_, side)| side.as_i64() == Some(wanted))
                .map(|(v, _)| v.clone())
                .collect(),
        )
    };
    Ok(Split::Sets { attribute, sets: vec![side(1), side(3)], missing: None })
}
