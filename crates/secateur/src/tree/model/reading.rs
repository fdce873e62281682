//! Reading a model: node by node straight into the arena, then through every check.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{FORMAT, Labels, Model, ModelInfo, Size, Unknown, VERSION};
use crate::data::Plan;
use crate::error::{shown, suggestion};
use crate::schema::{Attribute, AttributeKind, Costs, Schema, Target};
use crate::tree::{Condition, Conformal, KNorm, LeafValues, Node, Side, Stats, Subsets, Tree};

/// Reads and checks; the error says what is wrong and, where it is known, on which line.
pub(super) fn read(bytes: &[u8]) -> Result<Model, String> {
    let file = serde_json::from_slice::<File>(bytes).map_err(|e| explained(&e))?;
    let tree = Tree::checked(file.schema, file.nodes, file.stats)?;
    let tree = if file.has_counts { tree } else { tree.without_counts() };
    let costs = match file.costs {
        Some(rows) if rows.iter().all(|row| row.len() == rows.len()) => {
            let costs = Costs::from_matrix(tree.schema().target.classes(), rows.concat());
            Some(Arc::new(costs.map_err(|problem| problem.to_string())?))
        }
        Some(_) => return Err("costs: expected as many rows as columns".into()),
        None => None,
    };
    let tree = tree
        .with_full_leaves(file.about.full.leaves)
        .with_costs(costs)
        .and_then(|tree| tree.with_leaf_values(file.leaf_values))
        .and_then(|tree| tree.with_prior_counts(file.prior_counts))
        .map_err(|problem| problem.to_string())?;
    if let Some(problem) = file.conformal.as_ref().and_then(|conformal| conformal.scores.problem()) {
        return Err(format!("conformal: {problem}"));
    }
    let tree = tree.with_conformal(file.conformal).with_missing_texts(file.about.reading.missing_texts());
    Ok(Model { tree, scheme: file.scheme, about: file.about })
}

/// The reader's message with its place in front, and nothing in it that could disturb a terminal.
fn explained(error: &serde_json::Error) -> String {
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    let text = text.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&text);
    let mut problem = String::new();
    if line > 0 {
        problem = format!("line {line}, column {column}: ");
    }
    for c in text.chars().take(400) {
        if c.is_control() { problem.extend(c.escape_default()) } else { problem.push(c) }
    }
    if error.is_eof() {
        problem += "; the file seems to be cut short";
    }
    problem
}

/// A file's parts before they are checked against each other.
struct File {
    scheme: String,
    about: ModelInfo,
    schema: Arc<Schema>,
    nodes: Vec<Node>,
    stats: Stats,
    costs: Option<Vec<Vec<f64>>>,
    leaf_values: LeafValues,
    has_counts: bool,
    prior_counts: Option<KNorm>,
    conformal: Option<Conformal>,
}

impl<'de> Deserialize<'de> for File {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FileVisitor;
        impl<'de> Visitor<'de> for FileVisitor {
            type Value = File;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a model as an object with \"format\": \"{FORMAT}\"")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<File, A::Error> {
                file(map)
            }
        }
        deserializer.deserialize_map(FileVisitor)
    }
}

/// Whether the counts of the nodes are those of training rows.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Counts {
    Known,
    Unknown,
}

/// The object at the top. `format` and `version` come first, `attributes` and `target` before `nodes`.
fn file<'de, A: MapAccess<'de>>(mut map: A) -> Result<File, A::Error> {
    header(&mut map)?;
    let mut about = ModelInfo { made_by: String::new(), ..ModelInfo::default() };
    let (mut scheme, mut attributes, mut target, mut read) = (None, None, None, None);
    let (mut costs, mut leaf_values, mut prior_counts, mut conformal) = (None, LeafValues::Raw, None, None);
    let mut has_counts = true;
    let mut seen = std::collections::HashSet::from(["format".to_owned(), "version".to_owned()]);
    while let Some(key) = map.next_key::<Cow<'_, str>>()? {
        if !seen.insert(key.to_string()) {
            return Err(A::Error::custom(format!("{} appears twice", shown(&key))));
        }
        match &*key {
            "scheme" => scheme = Some(map.next_value::<String>()?),
            "made_by" => about.made_by = map.next_value()?,
            "data" => about.data = map.next_value()?,
            "rows" => about.rows = map.next_value()?,
            "seed" => about.seed = map.next_value()?,
            "full" => about.full = map.next_value::<Size>()?,
            "unknown" => about.unknown = map.next_value::<Unknown>()?,
            "reading" => about.reading = map.next_value::<Plan>()?,
            "labels" => about.labels = map.next_value::<Labels>()?,
            "attributes" => attributes = Some(map.next_value::<Vec<Attribute>>()?),
            "target" => target = Some(map.next_value::<Target>()?),
            "costs" => costs = Some(map.next_value::<Vec<Vec<f64>>>()?),
            "leaf_values" => leaf_values = map.next_value::<LeafValues>()?,
            "counts" => has_counts = map.next_value::<Counts>()? == Counts::Known,
            "prior_counts" => prior_counts = Some(map.next_value::<KNorm>()?),
            "conformal" => conformal = Some(map.next_value::<Conformal>()?),
            "nodes" => {
                let (Some(attributes), Some(target)) = (attributes.take(), target.take()) else {
                    return Err(A::Error::custom("'nodes' must come after 'attributes' and 'target'"));
                };
                let schema = Schema::new(attributes, target);
                let nodes = map.next_value_seed(Nodes(&schema))?;
                read = Some((schema, nodes));
            }
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
    }
    let Some((schema, (nodes, stats))) = read else { return Err(A::Error::missing_field("nodes")) };
    let scheme = scheme.ok_or_else(|| A::Error::missing_field("scheme"))?;
    Ok(File {
        scheme,
        about,
        schema: Arc::new(schema),
        nodes,
        stats,
        costs,
        leaf_values,
        has_counts,
        prior_counts,
        conformal,
    })
}

/// `"format": "secateur-model", "version": 1`, so that another kind of file or a newer version is recognised at once.
fn header<'de, A: MapAccess<'de>>(map: &mut A) -> Result<(), A::Error> {
    let other = || {
        A::Error::custom(format!(
            "this is not a file written by secateur; expected it to begin with \"format\": \"{FORMAT}\""
        ))
    };
    if map.next_key::<Cow<'_, str>>()?.as_deref() != Some("format") {
        return Err(other());
    }
    match map.next_value::<serde_json::Value>() {
        Ok(value) if value == FORMAT => {}
        Ok(_) => return Err(other()),
        Err(e) => return Err(e),
    }
    if map.next_key::<Cow<'_, str>>()?.as_deref() != Some("version") {
        return Err(A::Error::custom("expected \"version\" after \"format\""));
    }
    match map.next_value::<u64>()? {
        1..=VERSION => Ok(()),
        0 => Err(A::Error::custom("there is no version 0 of this format")),
        newer => Err(A::Error::custom(format!(
            "it is of version {newer}, but this program reads versions up to {VERSION}; a newer secateur will read it"
        ))),
    }
}

/// A node as it stands in the file.
#[derive(Deserialize)]
struct Record<'a> {
    parent: Option<u32>,
    #[serde(borrow)]
    split: Option<Split<'a>>,
    first_child: Option<u32>,
    rows: u64,
    weight: f64,
    counts: Option<Vec<f64>>,
    mean: Option<f64>,
    mse: Option<f64>,
    median: Option<f64>,
    #[serde(default)]
    gain: f64,
    #[serde(default)]
    rank: u32,
}

#[derive(Deserialize)]
struct Split<'a> {
    #[serde(borrow)]
    attribute: Cow<'a, str>,
    less_than: Option<f64>,
    left: Option<Vec<String>>,
    right: Option<Vec<String>>,
    each_value: Option<bool>,
    known: Option<bool>,
    missing: Option<MissingTo>,
}

/// Where a split sends rows without a value.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum MissingTo {
    Left,
    Right,
    Branch,
}

/// Reads the list of nodes, knowing the names in it.
struct Nodes<'a>(&'a Schema);

impl<'de> DeserializeSeed<'de> for Nodes<'_> {
    type Value = (Vec<Node>, Stats);
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Nodes<'_> {
    type Value = (Vec<Node>, Stats);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let names = Names::new(self.0);
        let mut nodes = Vec::new();
        let mut stats = match &self.0.target {
            Target::Classes { classes, .. } => Stats::Classes { classes: classes.len(), weights: Vec::new() },
            Target::Number { .. } => Stats::Numbers { mean: Vec::new(), mse: Vec::new(), median: Vec::new() },
        };
        while let Some(record) = list.next_element::<Record<'_>>()? {
            let id = nodes.len();
            let problem = |problem: String| A::Error::custom(format!("node {id}: {problem}"));
            keep_stats(&mut stats, id, &record).map_err(problem)?;
            let condition = record.split.map(|split| names.condition(&split)).transpose().map_err(problem)?;
            nodes.push(Node {
                parent: record.parent,
                first_child: record.first_child,
                condition,
                rows: record.rows,
                weight: record.weight,
                gain: record.gain,
                rank: record.rank,
            });
        }
        Ok((nodes, stats))
    }
}

fn keep_stats(stats: &mut Stats, id: usize, record: &Record<'_>) -> Result<(), String> {
    match stats {
        Stats::Classes { classes, weights } => {
            let counts = record.counts.as_deref().unwrap_or_default();
            if counts.len() != *classes {
                return Err(format!("it has {} counts, but there are {classes} classes", counts.len()));
            }
            weights.extend_from_slice(counts);
        }
        Stats::Numbers { mean, mse, median } => {
            let (Some(own_mean), Some(own_mse)) = (record.mean, record.mse) else {
                return Err("it has no 'mean' or no 'mse'".into());
            };
            if id > 0 && median.is_empty() == record.median.is_some() {
                return Err("either all nodes have a 'median' or none".into());
            }
            mean.push(own_mean);
            mse.push(own_mse);
            median.extend(record.median);
        }
    }
    Ok(())
}

/// Where names lead.
struct Names<'a> {
    schema: &'a Schema,
    attributes: HashMap<&'a str, usize>,
    values: Vec<HashMap<&'a str, usize>>,
}

impl<'a> Names<'a> {
    fn new(schema: &'a Schema) -> Self {
        let attributes = schema.attributes.iter().enumerate().map(|(i, a)| (a.name.as_str(), i)).collect();
        let codes = |a: &'a Attribute| a.values().iter().enumerate().map(|(i, v)| (v.as_str(), i)).collect();
        let values = schema.attributes.iter().map(codes).collect();
        Self { schema, attributes, values }
    }

    fn condition(&self, split: &Split<'_>) -> Result<Condition, String> {
        let Some(&a) = self.attributes.get(&*split.attribute) else {
            let short = |name: &&str| name.len() < 100; // comparing long names takes long
            let known = self.schema.attributes.iter().map(|a| a.name.as_str()).filter(short).take(1000);
            let meant = Some(&*split.attribute).filter(short).map(|name| suggestion(name, known));
            let name = shown(&split.attribute);
            return Err(format!("there is no attribute {name}{}", meant.unwrap_or_default()));
        };
        let (kind, values) = (&self.schema.attributes[a].kind, &self.values[a]);
        let attribute = u32::try_from(a).map_err(|_| "too many attributes")?;
        let side = || match split.missing {
            None => Ok(None),
            Some(MissingTo::Left) => Ok(Some(Side::Left)),
            Some(MissingTo::Right) => Ok(Some(Side::Right)),
            Some(MissingTo::Branch) => {
                Err("of two branches, one has the missing values: \"missing\" is \"left\" or \"right\""
                    .to_string())
            }
        };
        let own_branch = || match split.missing {
            None => Ok(false),
            Some(MissingTo::Branch) => Ok(true),
            Some(_) => Err("beside 'each_value', \"missing\" is \"branch\"".to_string()),
        };
        match (split.less_than, &split.left, &split.right, split.each_value, split.known) {
            (Some(below), None, None, None, None) => {
                Ok(Condition::Threshold { attribute, below, missing: side()? })
            }
            (None, None, None, Some(true), None) => {
                Ok(Condition::EachValue { attribute, values: values.len() as u32, missing: own_branch()? })
            }
            (None, None, None, None, Some(true)) if split.missing.is_none() => {
                Ok(Condition::Known { attribute })
            }
            (None, Some(left), Some(right), None, None) if matches!(kind, AttributeKind::Nominal { .. }) => {
                let code = |value: &String| {
                    values.get(value.as_str()).map(|&code| code as u32).ok_or_else(|| {
                        format!("attribute {} has no value {}", shown(&split.attribute), shown(value))
                    })
                };
                let codes = |list: &[String]| list.iter().map(code).collect::<Result<Vec<u32>, String>>();
                let subsets = Subsets::new(codes(left)?, codes(right)?);
                Ok(Condition::Subset { attribute, subsets: Box::new(subsets), missing: side()? })
            }
            (None, Some(_), Some(_), None, None) => {
                Err(format!("it splits {} by values from a list, but it is numeric", shown(&split.attribute)))
            }
            _ => Err(
                "a split has either 'less_than', or 'left' and 'right', or 'each_value': true, or 'known': true".into()
            ),
        }
    }
}
