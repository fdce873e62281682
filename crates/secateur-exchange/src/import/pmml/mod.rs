//! PMML: a `TreeModel` of any program, or a `MiningModel` of one.
//!
//! Missing values go where `missingValueStrategy` says: to the default child, down every branch (`weightedConfidence`,
//! `aggregateNodes`), or to an answer of the node itself (`lastPrediction`), which is written as a leaf of its own.

mod elements;
mod leaves;
mod predicates;

use std::collections::HashMap;

use elements::{Elements, Place};
use leaves::Leaves;
use predicates::{Asks, Predicates};
use secateur::error::shown;
use secateur::schema::{Costs, Target};
use secateur::tree::LeafValues;

use super::draft::{Draft, Kind, Says, Split};
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
        let values = || Kind::Values { list: field.values.clone(), is_complete: !field.values.is_empty() };
        draft.set_kind(attribute, if field.is_numeric { Kind::Numeric } else { values() })?;
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
            .ok_or_else(|| elements.wrong(*only, "the segment is no tree model")),
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

/// The nodes on their way into a draft.
struct Walk<'a> {
    elements: &'a Elements,
    predicates: Predicates<'a>,
    missing: Missing,
    leaves: Leaves,
    draft: &'a mut Draft,
    extensions: &'a Extensions,
}

/// A child with what it asks for.
struct Branch {
    element: Place,
    asks: Asks,
}

impl Walk<'_> {
    fn all(&mut self, root: Place) -> Result<(), Problem> {
        let mut waiting = vec![(root, 0)];
        while let Some((element, node)) = waiting.pop() {
            let number = self.elements.get(element, "id").and_then(|id| id.parse::<usize>().ok());
            if let Some(rows) = number.and_then(|number| self.extensions.rows.get(number)) {
                self.draft.rows(node, *rows);
            }
            if let Some((mean, mse)) = number.and_then(|number| self.extensions.numbers(number)) {
                self.draft.says(node, Says::Number(mean, Some(mse)));
            }
            let children: Vec<Place> = self.elements.all(element, "Node").collect();
            let mut branches = Vec::new();
            for element in children {
                branches.push(Branch { element, asks: self.predicates.of(element)? });
            }
            // A node whose only child takes every row is that child.
            if let [Branch { element, asks: Asks::Anything }] = &branches[..] {
                waiting.push((*element, node));
                continue;
            }
            if branches.is_empty() {
                self.leaves.add(self.elements, element, node)?;
                continue;
            }
            if self.draft.keeps_inner {
                self.leaves.inner(self.elements, element, node, self.draft)?;
            }
            waiting.extend(self.split(element, node, branches)?);
        }
        Ok(())
    }

    /// The split of a node; gives the children with their places in the draft.
    fn split(
        &mut self,
        element: Place,
        node: usize,
        mut branches: Vec<Branch>,
    ) -> Result<Vec<(Place, usize)>, Problem> {
        let wrong = |problem: String| self.elements.wrong(element, problem);
        let Some(field) = branches.iter().find_map(|branch| branch.asks.field().map(String::from)) else {
            return Err(wrong("several children take every row".into()));
        };
        if branches.iter().any(|branch| branch.asks.field().is_some_and(|other| other != field)) {
            return Err(wrong("its children ask for different fields".into()));
        }
        let attribute = self.draft.attribute(&field);
        let is_shared = self.extensions.is_shared(self.elements.get(element, "id"));
        let default = self
            .elements
            .get(element, "defaultChild")
            .filter(|_| self.missing == Missing::DefaultChild && !is_shared);
        let is_default =
            |branch: &Branch| default.is_some() && self.elements.get(branch.element, "id") == default;
        if default.is_some() && !branches.iter().any(is_default) {
            return Err(wrong(format!(
                "its default child {} is none of its children",
                shown(default.unwrap_or_default())
            )));
        }
        let mut found = Vec::new();
        // Rows without a value have a branch of their own: a child that asks for it, or the node itself.
        let own = branches.iter().position(|branch| matches!(branch.asks, Asks::Missing { .. }));
        if let Some(own) = own
            && is_default(&branches[own])
            && self.is_each_value(attribute, &branches)
        {
            return self.values(element, node, attribute, branches, Some(own));
        }
        let own = own.map(|place| branches.remove(place));
        let mut at = node;
        if own.is_some() || self.missing == Missing::LastPrediction {
            let (with, without) = (self.draft.add(), self.draft.add());
            self.draft.split(at, Split::Known { attribute }, vec![with, without]);
            match own {
                Some(branch) => found.push((branch.element, without)),
                None => self.leaves.add(self.elements, element, without)?,
            }
            at = with;
            if let [only] = &branches[..]
                && matches!(only.asks, Asks::Known { .. } | Asks::Anything)
            {
                found.push((only.element, with));
                return Ok(found);
            }
        }
        let missing = branches.iter().position(is_default);
        if self.is_numeric(attribute) {
            found.extend(self.numbers(element, at, attribute, branches, missing)?);
        } else {
            found.extend(self.values(element, at, attribute, branches, missing)?);
        }
        Ok(found)
    }

    /// Whether every value of a list has a child of its own, and rows without one have one too.
    fn is_each_value(&self, attribute: usize, branches: &[Branch]) -> bool {
        let is_single =
            |branch: &&Branch| matches!(&branch.asks, Asks::Among { values, .. } if values.len() == 1);
        let singles = branches.iter().filter(is_single).count();
        let Some(Kind::Values { list, is_complete: true }) = self.draft.kind_of(attribute) else {
            return false;
        };
        singles + 1 == branches.len() && singles == list.len()
    }

    fn is_numeric(&self, attribute: usize) -> bool {
        self.draft.kind_of(attribute) == Some(&Kind::Numeric)
    }

    /// Children that divide the numbers: cuts one after the other, from the lowest.
    fn numbers(
        &mut self,
        element: Place,
        node: usize,
        attribute: usize,
        branches: Vec<Branch>,
        missing: Option<usize>,
    ) -> Result<Vec<(Place, usize)>, Problem> {
        let wrong = |problem: &str| self.elements.wrong(element, problem);
        let mut cuts: Vec<f64> = Vec::new();
        for branch in &branches {
            match branch.asks {
                Asks::Numbers { from, below, .. } => {
                    cuts.extend([from, below].iter().filter(|cut| cut.is_finite()))
                }
                Asks::Anything => {}
                _ => return Err(wrong("numbers are compared with values from a list")),
            }
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        // Between two cuts all numbers go to the same child: the first that takes them.
        let takes = |x: f64| {
            branches.iter().position(|branch| match branch.asks {
                Asks::Numbers { from, below, .. } => x >= from && x < below,
                _ => true,
            })
        };
        let starts =
            std::iter::once(cuts.first().map_or(0.0, |cut| cut.next_down())).chain(cuts.iter().copied());
        let pieces: Vec<usize> = starts
            .map(|x| takes(x).ok_or_else(|| wrong("some numbers go to none of its children")))
            .collect::<Result<_, _>>()?;
        let distinct = pieces.iter().collect::<std::collections::HashSet<_>>().len();
        if pieces.len() != distinct || distinct != branches.len() {
            return Err(wrong("its children do not divide the numbers into as many ranges"));
        }
        let (mut at, mut found) = (node, Vec::new());
        for (place, cut) in cuts.iter().enumerate() {
            let (low, high) = (self.draft.add(), self.draft.add());
            let goes = missing.map(|missing| usize::from(pieces[place] != missing));
            // Once rows without a value have left, no later cut sees them.
            self.draft.split(at, Split::Below { attribute, below: *cut, missing: goes }, vec![low, high]);
            found.push((branches[pieces[place]].element, low));
            at = high;
        }
        if let Some(last) = pieces.last() {
            found.push((branches[*last].element, at));
        }
        Ok(found)
    }

    /// Children that divide the values of a list.
    fn values(
        &mut self,
        element: Place,
        node: usize,
        attribute: usize,
        branches: Vec<Branch>,
        missing: Option<usize>,
    ) -> Result<Vec<(Place, usize)>, Problem> {
        let wrong = |problem: String| self.elements.wrong(element, problem);
        let mut taken: Vec<String> = Vec::new();
        let mut sets = Vec::new();
        for branch in &branches {
            match &branch.asks {
                Asks::Among { values, .. } => {
                    for value in values {
                        self.draft.value(attribute, value).map_err(wrong)?;
                    }
                    let own: Vec<String> =
                        values.iter().filter(|value| !taken.contains(value)).cloned().collect();
                    taken.extend(own.iter().cloned());
                    sets.push(Some(own));
                }
                Asks::NoneOf { values, .. } => {
                    for value in values {
                        self.draft.value(attribute, value).map_err(wrong)?;
                    }
                    sets.push(None);
                }
                Asks::Anything | Asks::Known { .. } => sets.push(None),
                Asks::Missing { .. } => sets.push(Some(Vec::new())),
                Asks::Numbers { .. } => {
                    return Err(wrong("values from a list are compared with numbers".into()));
                }
            }
        }
        if sets.iter().filter(|set| set.is_none()).count() > 1 || sets.len() < 2 {
            return Err(wrong("its children do not divide the values".into()));
        }
        // A child that excludes values takes all others, but those it excludes need a child that takes them.
        for branch in &branches {
            if let Asks::NoneOf { values, .. } = &branch.asks
                && let Some(lost) = values.iter().find(|value| !taken.contains(value))
            {
                return Err(wrong(format!("the value {} goes to none of its children", shown(lost))));
            }
        }
        let places: Vec<usize> = branches.iter().map(|_| self.draft.add()).collect();
        self.draft.split(node, Split::Sets { attribute, sets, missing }, places.clone());
        Ok(branches.iter().map(|branch| branch.element).zip(places).collect())
    }
}

/// A list of numbers as JSON; none where it is none.
fn list<T: serde::de::DeserializeOwned>(text: Option<&str>) -> Vec<T> {
    text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// What this program writes beside what PMML has a place for.
#[derive(Default)]
struct Extensions {
    costs: Option<Vec<Vec<f64>>>,
    leaf_values: Option<LeafValues>,
    without_counts: bool,
    /// The nodes that share out rows without a value, ascending.
    shared: Vec<usize>,
    /// The rows at every node.
    rows: Vec<u64>,
    /// Mean and mean squared error of every node, for a tree of numbers.
    mean: Vec<f64>,
    mse: Vec<f64>,
}

impl Extensions {
    fn has_numbers(&self) -> bool {
        !self.mean.is_empty() && self.mean.len() == self.mse.len()
    }

    /// Mean and mean squared error of a node.
    fn numbers(&self, node: usize) -> Option<(f64, f64)> {
        Some((*self.mean.get(node)?, *self.mse.get(node)?))
    }

    /// Whether the node with a name shares out rows without a value.
    fn is_shared(&self, id: Option<&str>) -> bool {
        let number = id.and_then(|id| id.parse().ok());
        number.is_some_and(|number: usize| self.shared.binary_search(&number).is_ok())
    }

    /// Whether what the leaves say follows from their counts by a rule that is kept here.
    fn are_own(&self) -> bool {
        self.costs.is_some() || self.leaf_values.is_some()
    }

    fn of(elements: &Elements, model: Place) -> Self {
        let value = |name: &str| {
            let own = |&place: &Place| {
                elements.get(place, "extender") == Some("secateur")
                    && elements.get(place, "name") == Some(name)
            };
            elements.all(model, "Extension").find(own).and_then(|place| elements.get(place, "value"))
        };
        Self {
            costs: value("costs").and_then(|text| serde_json::from_str(text).ok()),
            leaf_values: value("leaf-values").and_then(|text| text.parse().ok()),
            without_counts: value("counts") == Some("unknown"),
            shared: list(value("missing-shared")),
            rows: list(value("rows")),
            mean: list(value("mean")),
            mse: list(value("mse")),
        }
    }

    fn add(self, mut imported: Imported) -> Result<Imported, Problem> {
        let wrong = |error: secateur::Error| Problem::new(error.to_string());
        let mut tree = imported.model.tree;
        if let Some(costs) = self.costs {
            let costs = Costs::from_matrix(tree.schema().target.classes(), costs.concat()).map_err(wrong)?;
            tree = tree.with_costs(Some(std::sync::Arc::new(costs))).map_err(wrong)?;
        }
        if let Some(values) = self.leaf_values {
            tree = tree.with_leaf_values(values).map_err(wrong)?;
        }
        imported.model.tree = tree;
        Ok(imported)
    }
}
