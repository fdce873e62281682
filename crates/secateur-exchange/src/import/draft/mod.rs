//! A tree of another program while it is read: nodes in any order, splits by names, counts where they are known. [`Draft::finish`]
//! turns it into a model.
//!
//! Weights and counts of inner nodes are the sums over their leaves. Where the leaves have no weights each counts 1, and the model
//! says that its counts are not known.

mod counts;
mod sets;

use std::collections::{HashMap, VecDeque};

pub(super) use counts::agree;
use secateur::error::shown;
use secateur::schema::{Attribute, AttributeKind, Schema, ShownAs, Target};
use secateur::tree::{Model, ModelInfo, Node, Stats, Tree};

/// A node of a draft, by its place.
pub(super) type Place = usize;

/// What a leaf says, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Says {
    /// The weight of every class.
    Counts(Vec<f64>),
    /// Probabilities, or what stands for them; the weight of the leaf is shared out by them.
    Shares(Vec<f64>),
    /// A number, and the mean squared error of the rows around it.
    Number(f64, Option<f64>),
}

/// How a node sends rows to its children. `missing` is the child that rows without a value go to; `None` shares them out.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Split {
    /// Two children: numbers below a threshold, and others.
    Below { attribute: usize, below: f64, missing: Option<usize> },
    /// Two children: rows with a value, and rows without.
    Known { attribute: usize },
    /// A set of values for every child but one that may take all others.
    Sets { attribute: usize, sets: Vec<Option<Vec<String>>>, missing: Option<usize> },
}

#[derive(Debug, Clone)]
struct DraftNode {
    split: Option<Split>,
    children: Vec<Place>,
    weight: Option<f64>,
    rows: Option<u64>,
    gain: f64,
    says: Option<Says>,
}

/// What a draft knows of a column.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DraftKind {
    Numeric,
    /// Values from a list, which is complete or only what was met.
    Values {
        list: Vec<String>,
        is_complete: bool,
    },
}

/// A tree while it is read.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    names: Vec<String>,
    kinds: Vec<Option<DraftKind>>,
    places: HashMap<String, usize>,
    nodes: Vec<DraftNode>,
    /// Whether the weights and counts are those of training rows.
    pub(super) has_counts: bool,
    /// Whether what inner nodes say and weigh is kept as it is given, to the last bit, and not computed from their leaves.
    pub(super) keeps_inner: bool,
    pub(super) notes: Vec<String>,
}

/// A draft as a tree, or why it cannot be one.
type Drafted<T> = Result<T, String>;

impl Draft {
    /// A draft with its root, node 0.
    pub(super) fn new() -> Self {
        let mut draft = Self {
            names: Vec::new(),
            kinds: Vec::new(),
            places: HashMap::new(),
            nodes: Vec::new(),
            has_counts: true,
            keeps_inner: false,
            notes: Vec::new(),
        };
        draft.add();
        draft
    }

    /// A new node, of which nothing is known yet.
    pub(super) fn add(&mut self) -> Place {
        let node =
            DraftNode { split: None, children: Vec::new(), weight: None, rows: None, gain: 0.0, says: None };
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// The column with a name, which is new where it is not known.
    pub(super) fn attribute(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        self.names.push(name.to_string());
        self.kinds.push(None);
        self.places.insert(name.to_string(), self.names.len() - 1);
        self.names.len() - 1
    }

    /// What a column holds.
    pub(super) fn kind_of(&self, attribute: usize) -> Option<&DraftKind> {
        self.kinds.get(attribute)?.as_ref()
    }

    /// Says what a column holds.
    pub(super) fn set_kind(&mut self, attribute: usize, kind: DraftKind) -> Drafted<()> {
        match &self.kinds[attribute] {
            Some(known) if std::mem::discriminant(known) != std::mem::discriminant(&kind) => Err(format!(
                "{} is compared with numbers and with values from a list",
                shown(&self.names[attribute])
            )),
            Some(_) => Ok(()),
            None => {
                self.kinds[attribute] = Some(kind);
                Ok(())
            }
        }
    }

    /// Adds a value to the list of a column, if it is not there.
    pub(super) fn value(&mut self, attribute: usize, value: &str) -> Drafted<()> {
        self.set_kind(attribute, DraftKind::Values { list: Vec::new(), is_complete: false })?;
        if let Some(DraftKind::Values { list, is_complete }) = &mut self.kinds[attribute]
            && !list.iter().any(|known| known == value)
        {
            if *is_complete {
                let name = shown(&self.names[attribute]);
                return Err(format!("{} is not among the values of {name}", shown(value)));
            }
            list.push(value.to_string());
        }
        Ok(())
    }

    pub(super) fn split(&mut self, node: Place, split: Split, children: Vec<Place>) {
        (self.nodes[node].split, self.nodes[node].children) = (Some(split), children);
    }

    pub(super) fn says(&mut self, node: Place, says: Says) {
        self.nodes[node].says = Some(says);
    }

    pub(super) fn weight(&mut self, node: Place, weight: f64) {
        self.nodes[node].weight = Some(weight);
    }

    pub(super) fn rows(&mut self, node: Place, rows: u64) {
        self.nodes[node].rows = Some(rows);
    }

    pub(super) fn gain(&mut self, node: Place, gain: f64) {
        self.nodes[node].gain = if gain.is_finite() { gain } else { 0.0 };
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The model.
    pub(super) fn finish(mut self, target: Target, made_by: &str) -> Drafted<(Model, Vec<String>)> {
        self.divide_in_two();
        self.complete_lists()?;
        self.settle_empty_sets();
        self.sort_children();
        let order = self.order()?;
        let classes = target.classes().len();
        self.fill_weights(&order)?;
        // Where everything is kept, empty leaves are as they were.
        let is_whole = self.keeps_inner && self.nodes[0].says.is_some();
        if !is_whole && self.settle_empty_leaves(&order, classes)? {
            self.fill_weights(&order)?;
        }
        let schema = Schema::new(self.attributes(), target);
        let stats = match classes {
            0 => self.numbers(&order)?,
            _ => {
                let sums = self.class_sums(&order, classes)?;
                let weights =
                    order.iter().flat_map(|&node| sums[node * classes..][..classes].to_vec()).collect();
                Stats::Classes { classes, weights }
            }
        };
        let nodes = self.arena(&order)?;
        let (rows, splits) = (
            nodes[0].rows,
            nodes.iter().any(|node| node.condition.as_ref().is_some_and(|c| c.branches() > 2)),
        );
        let mut tree = Tree::checked(schema, nodes, stats)?;
        if !self.has_counts {
            tree = tree.without_counts();
        }
        let about = ModelInfo { made_by: made_by.into(), rows, full: tree.size(), ..ModelInfo::default() };
        let scheme = if splits { "c45" } else { "cart" };
        Ok((Model { tree, scheme: scheme.into(), about }, self.notes))
    }

    fn attributes(&self) -> Vec<Attribute> {
        let attribute = |(name, kind): (&String, &Option<DraftKind>)| Attribute {
            name: name.clone(),
            kind: match kind {
                Some(DraftKind::Values { list, .. }) => AttributeKind::Nominal { values: list.clone() },
                _ => AttributeKind::Numeric,
            },
            shown_as: ShownAs::Plain,
        };
        self.names.iter().zip(&self.kinds).map(attribute).collect()
    }

    /// All nodes, breadth first.
    fn order(&self) -> Drafted<Vec<Place>> {
        let (mut order, mut waiting) = (Vec::new(), VecDeque::from([0]));
        while let Some(node) = waiting.pop_front() {
            order.push(node);
            if order.len() > self.nodes.len() {
                return Err("a node is below itself or below two others".into());
            }
            waiting.extend(&self.nodes[node].children);
        }
        Ok(order)
    }

    /// The nodes in the order of the arena.
    fn arena(&self, order: &[Place]) -> Drafted<Vec<Node>> {
        let mut at = vec![0; self.nodes.len()];
        order.iter().enumerate().for_each(|(place, &node)| at[node] = place);
        let mut parent = vec![None; self.nodes.len()];
        let (mut nodes, mut rank) = (Vec::with_capacity(order.len()), 0);
        for (place, &node) in order.iter().enumerate() {
            let draft = &self.nodes[node];
            draft.children.iter().for_each(|&child| parent[child] = Some(place as u32));
            let condition = draft.split.as_ref().map(|split| self.condition(node, split)).transpose()?;
            let weight = draft.weight.unwrap_or(0.0);
            nodes.push(Node {
                parent: parent[node],
                first_child: draft.children.first().map(|&child| at[child] as u32),
                rank: if condition.is_some() { rank } else { 0 },
                condition,
                rows: draft.rows.unwrap_or(if self.has_counts { weight.round() as u64 } else { 0 }),
                weight,
                gain: draft.gain,
            });
            rank += u32::from(draft.split.is_some());
        }
        Ok(nodes)
    }
}
