//! A tree of another program while it is read: nodes in any order, splits by names, counts where they are known. [`Draft::finish`]
//! turns it into a model.
//!
//! Weights and counts of inner nodes are the sums over their leaves. Where the leaves have no weights each counts 1, and the model
//! says that its counts are not known.

use std::collections::{HashMap, VecDeque};

use secateur::error::shown;
use secateur::schema::{Attribute, AttributeKind, Schema, ShownAs, Target};
use secateur::tree::{Condition, Model, ModelInfo, Node, Side, Stats, Subsets, Tree};

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
pub(super) enum Kind {
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
    kinds: Vec<Option<Kind>>,
    places: HashMap<String, usize>,
    nodes: Vec<DraftNode>,
    /// Whether the weights and counts are those of training rows.
    pub(super) has_counts: bool,
    /// Whether what inner nodes say and weigh is kept as it is given, to the last bit, and not computed from their leaves.
    pub(super) keeps_inner: bool,
    pub(super) notes: Vec<String>,
}

/// A draft as a tree, or why it is none.
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
    pub(super) fn kind_of(&self, attribute: usize) -> Option<&Kind> {
        self.kinds.get(attribute)?.as_ref()
    }

    /// Says what a column holds.
    pub(super) fn set_kind(&mut self, attribute: usize, kind: Kind) -> Drafted<()> {
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
        self.set_kind(attribute, Kind::Values { list: Vec::new(), is_complete: false })?;
        if let Some(Kind::Values { list, is_complete }) = &mut self.kinds[attribute]
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
        self.sort_children();
        let order = self.order()?;
        let classes = target.classes().len();
        self.fill_weights(&order)?;
        // Where everything is kept, empty leaves are as they were.
        let is_whole = self.keeps_inner && self.nodes[0].says.is_some();
        if !is_whole && self.settle_empty_leaves(&order, classes)? {
            self.fill_weights(&order)?;
        }
        let schema = Schema { attributes: self.attributes(), target };
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
        let attribute = |(name, kind): (&String, &Option<Kind>)| Attribute {
            name: name.clone(),
            kind: match kind {
                Some(Kind::Values { list, .. }) => AttributeKind::Nominal { values: list.clone() },
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

    /// The sets of a split, with the one for all other values written out.
    fn sets(&self, attribute: usize, sets: &[Option<Vec<String>>]) -> Vec<Vec<String>> {
        let Some(Kind::Values { list, .. }) = &self.kinds[attribute] else { return Vec::new() };
        let taken = |value: &&String| sets.iter().flatten().any(|set| set.contains(value));
        let others: Vec<String> = list.iter().filter(|value| !taken(value)).cloned().collect();
        sets.iter().map(|set| set.clone().unwrap_or_else(|| others.clone())).collect()
    }

    /// Whether every value of the list has a child of its own, of at least three: missing values are then shared out, or have a child
    /// of their own too, whose set is empty.
    fn is_each_value(&self, attribute: usize, sets: &[Option<Vec<String>>], missing: Option<usize>) -> bool {
        let Some(Kind::Values { list, .. }) = &self.kinds[attribute] else { return false };
        let has = |count: usize| {
            sets.iter().filter(|set| set.as_ref().is_some_and(|set| set.len() == count)).count()
        };
        let is_last = missing.is_none_or(|child| sets.get(child).is_some_and(|set| set == &Some(Vec::new())));
        is_last
            && sets.len() > 2
            && has(1) == list.len()
            && has(1) + has(0) == sets.len()
            && has(0) == usize::from(missing.is_some())
    }

    /// Splits into several sets of values become splits into two, one after the other.
    fn divide_in_two(&mut self) {
        let mut node = 0;
        while node < self.nodes.len() {
            if let Some(Split::Sets { attribute, sets, missing }) = self.nodes[node].split.clone()
                && sets.len() > 2
                && !self.is_each_value(attribute, &sets, missing)
            {
                // The set without a list goes last, because it takes what the others leave.
                let mut branches: Vec<(Option<Vec<String>>, Place, bool)> = (sets.into_iter().enumerate())
                    .zip(&self.nodes[node].children)
                    .map(|((place, set), &child)| (set, child, missing == Some(place)))
                    .collect();
                branches.sort_by_key(|(set, ..)| set.is_none());
                let (first, rest) = branches.split_at(1);
                let others = self.add();
                let rest_missing = rest.iter().position(|(.., is_missing)| *is_missing);
                let both =
                    |is_first: bool, other: Option<usize>| if is_first { Some(0) } else { other.map(|_| 1) };
                let all: Option<Vec<String>> = rest
                    .iter()
                    .map(|(set, ..)| set.clone())
                    .collect::<Option<Vec<_>>>()
                    .map(|sets| sets.concat());
                self.nodes[node].split = Some(Split::Sets {
                    attribute,
                    sets: vec![first[0].0.clone(), all],
                    missing: both(first[0].2, rest_missing),
                });
                self.nodes[node].children = vec![first[0].1, others];
                self.nodes[others].split = Some(Split::Sets {
                    attribute,
                    sets: rest.iter().map(|(set, ..)| set.clone()).collect(),
                    missing: rest_missing,
                });
                self.nodes[others].children = rest.iter().map(|(_, child, _)| *child).collect();
            }
            node += 1;
        }
    }

    /// An error for a set of all other values where these are not known.
    fn complete_lists(&self) -> Drafted<()> {
        for node in &self.nodes {
            let Some(Split::Sets { attribute, sets, .. }) = &node.split else { continue };
            let is_open = sets.iter().any(Option::is_none);
            if let (true, Some(Kind::Values { is_complete: false, .. })) = (is_open, &self.kinds[*attribute])
            {
                return Err(format!(
                    "not all values of {} are in the file, and the tree sends the others to one branch; give the table it was grown from",
                    shown(&self.names[*attribute])
                ));
            }
        }
        Ok(())
    }

    /// Children of a split by every value stand in the order of the list, then that of missing values.
    fn sort_children(&mut self) {
        for node in 0..self.nodes.len() {
            let Some(Split::Sets { attribute, sets, missing }) = self.nodes[node].split.clone() else {
                continue;
            };
            let Some(Kind::Values { list, .. }) = &self.kinds[attribute] else { continue };
            if !self.is_each_value(attribute, &sets, missing) {
                continue;
            }
            let place = |set: &Option<Vec<String>>| {
                let value = set.as_ref().and_then(|set| set.first());
                value.and_then(|own| list.iter().position(|value| value == own)).unwrap_or(list.len())
            };
            let mut both: Vec<_> = sets.into_iter().zip(self.nodes[node].children.clone()).collect();
            both.sort_by_key(|(set, _)| place(set));
            let missing = missing.map(|_| both.len() - 1);
            let (sets, children) = both.into_iter().unzip();
            self.nodes[node].split = Some(Split::Sets { attribute, sets, missing });
            self.nodes[node].children = children;
        }
    }

    /// Weights from the leaves up; where they are not known every leaf counts 1.
    fn fill_weights(&mut self, order: &[Place]) -> Drafted<()> {
        let leaves = || order.iter().filter(|&&node| self.nodes[node].children.is_empty());
        let counted = |says: &Option<Says>| match says {
            Some(Says::Counts(counts)) => Some(counts.iter().sum::<f64>()),
            _ => None,
        };
        let weight = |node: &Place| counted(&self.nodes[*node].says).or(self.nodes[*node].weight);
        let known: f64 = leaves().filter_map(weight).sum();
        let has_weights = leaves().all(|node| weight(node).is_some()) && known > 0.0;
        let of_leaf: Vec<(Place, f64)> = leaves()
            .map(|node| (*node, if has_weights { weight(node).unwrap_or(0.0) } else { 1.0 }))
            .collect();
        self.has_counts &= has_weights;
        of_leaf.into_iter().for_each(|(node, weight)| self.nodes[node].weight = Some(weight));
        for &node in order.iter().rev() {
            let children = self.nodes[node].children.clone();
            let is_kept = self.keeps_inner && self.nodes[node].weight.is_some();
            if !children.is_empty() && !is_kept {
                let sum = children.iter().filter_map(|&child| self.nodes[child].weight).sum();
                self.nodes[node].weight = Some(sum);
            }
        }
        Ok(())
    }

    /// The weight of every class at every node, from the leaves up.
    fn class_sums(&self, order: &[Place], classes: usize) -> Drafted<Vec<f64>> {
        let mut sums = vec![0.0; self.nodes.len() * classes];
        for &node in order.iter().rev() {
            for &child in &self.nodes[node].children {
                (0..classes).for_each(|j| sums[node * classes + j] += sums[child * classes + j]);
            }
            let (weight, own) =
                (self.nodes[node].weight.unwrap_or(0.0), &mut sums[node * classes..][..classes]);
            if !self.nodes[node].children.is_empty() {
                if let (true, Some(Says::Counts(counts))) = (self.keeps_inner, &self.nodes[node].says) {
                    own.copy_from_slice(counts);
                }
                continue;
            }
            match &self.nodes[node].says {
                Some(Says::Counts(counts)) if counts.len() == classes => own.copy_from_slice(counts),
                Some(Says::Shares(shares)) if shares.len() == classes => {
                    let all: f64 = shares.iter().sum();
                    own.iter_mut().zip(shares).for_each(|(own, share)| *own = weight * (share / all));
                    make_whole(own, weight);
                }
                _ => return Err("a leaf says nothing of the classes".into()),
            }
        }
        Ok(sums)
    }

    /// A leaf that no training row reached answers as the nearest node above it that has rows. Where the other program says
    /// something else there, the leaf gets a billionth of all weight, so that it answers for itself.
    fn settle_empty_leaves(&mut self, order: &[Place], classes: usize) -> Drafted<bool> {
        let sums = if classes == 0 { Vec::new() } else { self.class_sums(order, classes)? };
        let numbers = if classes == 0 { Some(self.numbers(order)?) } else { None };
        let mut parent = vec![0; self.nodes.len()];
        for &node in order {
            self.nodes[node].children.iter().for_each(|&child| parent[child] = node);
        }
        let mut at = vec![0; self.nodes.len()];
        order.iter().enumerate().for_each(|(place, &node)| at[node] = place);
        let all = self.nodes[0].weight.unwrap_or(1.0);
        let mut changed = false;
        for &node in order {
            if !self.nodes[node].children.is_empty() || self.nodes[node].weight != Some(0.0) {
                continue;
            }
            let mut above = parent[node];
            while self.nodes[above].weight == Some(0.0) && above != 0 {
                above = parent[above];
            }
            let is_same = match (&self.nodes[node].says, &numbers) {
                (Some(Says::Shares(shares)), _) => {
                    largest(shares) == largest(&sums[above * classes..][..classes])
                }
                (Some(Says::Number(value, _)), Some(Stats::Numbers { mean, .. })) => {
                    *value == mean[at[above]]
                }
                _ => true,
            };
            if !is_same {
                self.nodes[node].weight = Some(all * 1e-9);
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Means and squared errors from the leaves up.
    fn numbers(&self, order: &[Place]) -> Drafted<Stats> {
        let (mut mean, mut mse) = (vec![0.0; self.nodes.len()], vec![0.0; self.nodes.len()]);
        for &node in order.iter().rev() {
            let children = &self.nodes[node].children;
            if children.is_empty() {
                let Some(Says::Number(value, error)) = &self.nodes[node].says else {
                    return Err("a leaf says no number".into());
                };
                (mean[node], mse[node]) = (*value, error.unwrap_or(0.0));
                continue;
            }
            if let (true, Some(Says::Number(value, Some(error)))) = (self.keeps_inner, &self.nodes[node].says)
            {
                (mean[node], mse[node]) = (*value, *error);
                continue;
            }
            let weight = |child: &Place| self.nodes[*child].weight.unwrap_or(0.0);
            let all: f64 = children.iter().map(weight).sum();
            let share =
                |child: &Place| if all > 0.0 { weight(child) / all } else { 1.0 / children.len() as f64 };
            mean[node] = children.iter().map(|child| share(child) * mean[*child]).sum();
            let off = |child: &Place| mse[*child] + (mean[*child] - mean[node]).powi(2);
            mse[node] = children.iter().map(|child| share(child) * off(child)).sum();
        }
        let in_order = |list: &[f64]| order.iter().map(|&node| list[node]).collect();
        Ok(Stats::Numbers { mean: in_order(&mean), mse: in_order(&mse), median: Vec::new() })
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

    fn condition(&self, node: Place, split: &Split) -> Drafted<Condition> {
        let side =
            |missing: Option<usize>| missing.map(|child| if child == 0 { Side::Left } else { Side::Right });
        match split {
            Split::Below { attribute, below, missing } => Ok(Condition::Threshold {
                attribute: *attribute as u32,
                below: *below,
                missing: side(*missing),
            }),
            Split::Known { attribute } => Ok(Condition::Known { attribute: *attribute as u32 }),
            Split::Sets { attribute, sets, missing } => {
                let Some(Kind::Values { list, .. }) = &self.kinds[*attribute] else {
                    return Err(format!(
                        "node {node}: {} has no list of values",
                        shown(&self.names[*attribute])
                    ));
                };
                let own = self.sets(*attribute, sets);
                if self.is_each_value(*attribute, sets, *missing) {
                    return Ok(Condition::EachValue {
                        attribute: *attribute as u32,
                        values: list.len() as u32,
                        missing: missing.is_some(),
                    });
                }
                let code = |value: &String| {
                    let place = list.iter().position(|known| known == value);
                    place
                        .map(|place| place as u32)
                        .ok_or_else(|| format!("node {node}: no value {}", shown(value)))
                };
                let codes = |set: &[String]| set.iter().map(code).collect::<Drafted<Vec<u32>>>();
                let [left, right] = &own[..] else {
                    return Err(format!("node {node}: it has {} branches; expected 2", own.len()));
                };
                let subsets = Box::new(Subsets::new(codes(left)?, codes(right)?));
                Ok(Condition::Subset { attribute: *attribute as u32, subsets, missing: side(*missing) })
            }
        }
    }
}

/// The place of the first of the largest numbers.
fn largest(list: &[f64]) -> usize {
    let larger = |best: usize, next: usize| if list[next] > list[best] { next } else { best };
    (0..list.len()).reduce(larger).unwrap_or(0)
}

/// Counts that are whole numbers but for rounding become whole numbers, where they add up to the weight: shares of them are then
/// the same numbers again.
fn make_whole(counts: &mut [f64], weight: f64) {
    let whole: Vec<f64> = counts.iter().map(|count| count.round()).collect();
    let is_near = counts.iter().zip(&whole).all(|(count, whole)| (count - whole).abs() <= 1e-9 * weight);
    if is_near && whole.iter().sum::<f64>() == weight {
        counts.copy_from_slice(&whole);
    }
}
