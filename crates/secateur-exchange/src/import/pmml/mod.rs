//! PMML: a `TreeModel` of any program, or a `MiningModel` of one.
//!
//! Missing values go where `missingValueStrategy` says: to the default child, down every branch (`weightedConfidence`,
//! `aggregateNodes`), or to an answer of the node itself (`lastPrediction`), which is written as a leaf of its own.

mod elements;
mod extensions;
mod leaves;
mod predicates;
mod walk;

use std::collections::HashMap;

use elements::{Elements, Place};
use extensions::Extensions;
use leaves::Leaves;
use predicates::Predicates;
use secateur::error::shown;
use secateur::schema::Target;
use walk::Walk;

use super::draft::{Draft, DraftKind};
use super::{Imported, Problem, Reader, Source};

/// PMML tree models.
pub(super) static READER: Reader = Reader {
    id: "pmml",
    one_line: "a PMML tree model",
    looks: |source| source.text.trim_start().starts_with('<') && source.text.contains("PMML"),
    read,
};

/// A field of the data dictionary.
struct Field {
    is_numeric: bool,
    values: Vec<String>,
}

/// Where rows without a value go.
#[derive(Clone, Copy, PartialEq)]
enum Missing {
    Shared,
    DefaultChild,
    LastPrediction,
}

fn read(source: &Source) -> Result<Imported, Problem> {
    let elements = Elements::read(source.text)?;
    let root = elements.first(0, "PMML").ok_or_else(|| Problem::new("there is no <PMML> in it"))?;
    let fields = fields(&elements, root)?;
    let model = tree_model(&elements, root)?;
    let (active, target) = mining_schema(&elements, model)?;
    let is_classes = match elements.need(model, "functionName")? {
        "classification" => true,
        "regression" => false,
        other => {
            return Err(elements.wrong(model, format!("a model for {} cannot be taken over", shown(other))));
        }
    };
    let made_by = elements.first(root, "Header").and_then(|header| elements.first(header, "Application"));
    let made_by = made_by.and_then(|application| elements.get(application, "name")).unwrap_or("PMML");
    let mut draft = Draft::new();
    draft.keeps_inner = made_by == "secateur";
    for name in &active {
        let field = fields
            .get(name)
            .ok_or_else(|| elements.wrong(model, format!("{} is not in the data dictionary", shown(name))))?;
        let attribute = draft.attribute(name);
        let values =
            || DraftKind::Values { list: field.values.clone(), is_complete: !field.values.is_empty() };
        draft.set_kind(attribute, if field.is_numeric { DraftKind::Numeric } else { values() })?;
    }
    let own_classes = target.as_ref().and_then(|name| fields.get(name)).map(|field| field.values.clone());
    let is_numeric = |name: &str| {
        fields.get(name).filter(|_| active.iter().any(|own| own == name)).map(|field| field.is_numeric)
    };
    let extensions = Extensions::of(&elements, model);
    let mut walk = Walk {
        elements: &elements,
        predicates: Predicates { elements: &elements, is_numeric: &is_numeric, has_surrogates: false },
        missing: missing(&elements, model, &mut draft)?,
        leaves: Leaves::new(is_classes, own_classes.unwrap_or_default()),
        draft: &mut draft,
        extensions: &extensions,
    };
    let node =
        elements.first(model, "Node").ok_or_else(|| elements.wrong(model, "the model has no <Node>"))?;
    walk.all(node)?;
    let (leaves, has_surrogates) = (walk.leaves, walk.predicates.has_surrogates);
    draft.has_counts &= !extensions.without_counts;
    let (classes, notes) = leaves.finish(&mut draft, extensions.are_own(), extensions.has_numbers())?;
    draft.notes.extend(notes);
    if has_surrogates {
        draft.notes.push(
            "surrogate predicates are not taken over: a missing value goes as the model's strategy says"
                .into(),
        );
    }
    let name = source.target.map(String::from).or(target).unwrap_or_else(|| "target".into());
    let target = if is_classes { Target::Classes { name, classes } } else { Target::Number { name } };
    let imported = Imported::new(draft, target, made_by)?;
    extensions.add(imported)
}

fn fields(elements: &Elements, root: Place) -> Result<HashMap<String, Field>, Problem> {
    let dictionary = elements
        .first(root, "DataDictionary")
        .ok_or_else(|| Problem::new("there is no <DataDictionary> in it"))?;
    let mut fields = HashMap::new();
    for place in elements.all(dictionary, "DataField") {
        let value = |place: Place| {
            let is_valid = elements.get(place, "property").is_none_or(|property| property == "valid");
            is_valid.then(|| elements.need(place, "value").map(String::from))
        };
        let values = elements.all(place, "Value").filter_map(value).collect::<Result<_, _>>()?;
        let is_numeric = elements.need(place, "optype")? == "continuous";
        fields.insert(elements.need(place, "name")?.to_string(), Field { is_numeric, values });
    }
    Ok(fields)
}

/// The tree model: the only one, or that of the only segment.
fn tree_model(elements: &Elements, root: Place) -> Result<Place, Problem> {
    if let Some(model) = elements.first(root, "TreeModel") {
        return Ok(model);
    }
    let mining = elements.first(root, "MiningModel");
    let segments: Vec<Place> = mining
        .and_then(|mining| elements.first(mining, "Segmentation"))
        .map(|segmentation| elements.all(segmentation, "Segment").collect())
        .unwrap_or_default();
    match &segments[..] {
        [only] => elements
            .first(*only, "TreeModel")
            .ok_or_else(|| elements.wrong(*only, "the segment is not a tree model")),
        [] => {
            let other = elements
                .children(root)
                .iter()
                .map(|&child| elements.name(child))
                .find(|name| name.ends_with("Model"));
            Err(Problem::new(format!(
                "there is no tree model in it, but {}",
                other.unwrap_or("no model at all")
            )))
        }
        several => Err(Problem::new(format!("it is made of {} models; expected one tree", several.len()))),
    }
}

/// The columns that the model uses, and its target.
fn mining_schema(elements: &Elements, model: Place) -> Result<(Vec<String>, Option<String>), Problem> {
    let schema = elements
        .first(model, "MiningSchema")
        .ok_or_else(|| elements.wrong(model, "the model has no <MiningSchema>"))?;
    let (mut active, mut target) = (Vec::new(), None);
    for field in elements.all(schema, "MiningField") {
        let name = elements.need(field, "name")?.to_string();
        match elements.get(field, "usageType").unwrap_or("active") {
            "active" => active.push(name),
            "target" | "predicted" => target = Some(name),
            _ => {}
        }
    }
    Ok((active, target))
}

fn missing(elements: &Elements, model: Place, draft: &mut Draft) -> Result<Missing, Problem> {
    match elements.get(model, "missingValueStrategy").unwrap_or("none") {
        "defaultChild" => Ok(Missing::DefaultChild),
        "lastPrediction" => Ok(Missing::LastPrediction),
        "weightedConfidence" | "aggregateNodes" => Ok(Missing::Shared),
        strategy @ ("none" | "nullPrediction") => {
            draft.notes.push(format!(
                "the model gives rows with missing values no answer ({strategy}); here they are shared out"
            ));
            Ok(Missing::Shared)
        }
        other => {
            Err(elements
                .wrong(model, format!("missingValueStrategy is {}, which is not known", shown(other))))
        }
    }
}
