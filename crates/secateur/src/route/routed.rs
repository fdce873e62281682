//! Rows sent down the full tree once: what reaches every node, from which the error of every pruned tree follows.
//!
//! For every node the class weights `n_j(t)` of the rows that reach it are kept, or their weight and `Σ (y − value)²`. The
//! risk of the node seen as a leaf is then `n(t) − n_label(t)`, with a loss matrix `Σ_j n_j(t) · loss(j, label)`, or
//! that sum; the error of a pruned tree is the sum over its leaves. A row with a missing or unknown value goes down every
//! branch in proportion to the branches' training weights. [`Routed::new`] counts its parts where they arrive (unless one of
//! them ends at a split, because no branch has weight); [`Routed::apart`] keeps such rows apart, and [`Path::losses`](crate::prune::Path::losses) judges each by the answer that prediction gives it.
//!
//! Source: M. Zhong (2007), section 5.1.2: all pruned trees are scored in one pass of the held-out rows.
//! Needs a coded table with the tree's attributes. Cost: one step per row and node on its way, in parallel for many
//! rows; the result does not depend on the number of threads.
//!
//! ```
//! use secateur::data::{CodedTable, Roles, builtin};
//! use secateur::grow::grow;
//! use secateur::schema::Task;
//! use secateur::spec::GrowSpec;
//! use secateur::route::Routed;
//!
//! let table = CodedTable::new(&builtin::load("iris").unwrap(), &Roles::default()).unwrap();
//! let tree = grow(&table, &GrowSpec::cart(Task::Classification), &secateur::progress::Silent).unwrap();
//! let routed = Routed::new(&tree, &table, None).unwrap();
//! assert_eq!(routed.class_weights(0), [50.0, 50.0, 50.0]);
//! assert_eq!(routed.risk(&tree, 0), 100.0);
//! ```

use super::send::{Arrived, RowShare, Shares, send, send_or_keep};
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Place, Result};
use crate::split::Targets;
use crate::threads;
use crate::tree::{Node, NodeId, Tree};

/// Rows that one task works on.
const CHUNK: usize = 1 << 16;

/// What reaches every node.
#[derive(Debug, Clone, PartialEq)]
pub struct Routed {
    tallies: Tallies,
    /// Rows that go several ways at once and are not in the tallies, with their weights.
    apart: Vec<RowShare>,
}

/// What reaches the nodes, node by node.
#[derive(Debug, Clone, PartialEq)]
enum Tallies {
    Classes { classes: usize, weights: Vec<f64> },
    Numbers(Vec<AroundValue>),
}

/// Numbers `y` of weights `w` at a node, and their distances from the value `v` that it predicted when they were sent down.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct AroundValue {
    /// `v`
    value: f64,
    /// `Σ w`
    weight: f64,
    /// `Σ w (y − v)`
    sum: f64,
    /// `Σ w (y − v)²`
    squares: f64,
}

/// What was counted elsewhere, node by node.
pub(crate) enum NodeTallies {
    /// The class weights of the leaves; those of other nodes are 0.
    Classes(Vec<f64>),
    /// Of the rows of every node their weight, and the sums of the distances from its value and of their squares.
    Numbers(Vec<[f64; 3]>),
}

impl Tallies {
    /// Of no rows.
    fn new(tree: &Tree, table: &CodedTable) -> Self {
        let nodes = tree.nodes().len();
        match table.classes() {
            0 => Self::Numbers(vec![AroundValue::default(); nodes]),
            classes => Self::Classes { classes, weights: vec![0.0; nodes * classes] },
        }
    }

    /// Adds rows at a node. Class weights are kept for leaves only: those of other nodes follow.
    fn add(&mut self, tree: &Tree, node: NodeId, target: &CodedTarget, rows: &[RowShare]) {
        match (self, target) {
            (Self::Classes { classes, weights }, _) if tree.is_leaf(node) => {
                add(&mut weights[node * *classes..][..*classes], target, rows);
            }
            (Self::Numbers(tallies), CodedTarget::Numbers { values, unit }) => {
                let (value, mut here) = (tree.value(node), AroundValue::default());
                for part in rows {
                    let off = values[part.row as usize] - value * unit;
                    here.weight += part.weight;
                    here.sum += part.weight * off;
                    here.squares += part.weight * off * off;
                }
                let (sum, squares) = (here.sum / unit, here.squares / unit / unit);
                tallies[node].add(AroundValue { value, sum, squares, ..here });
            }
            _ => {}
        }
    }

    /// Adds those of other rows.
    fn join(&mut self, other: Self) {
        match (self, other) {
            (Self::Classes { weights, .. }, Self::Classes { weights: more, .. }) => {
                weights.iter_mut().zip(more).for_each(|(a, b)| *a += b);
            }
            (Self::Numbers(tallies), Self::Numbers(more)) => {
                tallies.iter_mut().zip(more).for_each(|(a, b)| a.add(b));
            }
            _ => {}
        }
    }
}

impl AroundValue {
    fn add(&mut self, other: Self) {
        self.value = if other.weight > 0.0 { other.value } else { self.value };
        self.weight += other.weight;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// The squared error around another value.
    fn squared_error(&self, value: f64) -> f64 {
        let by = value - self.value;
        if by == 0.0 || self.weight == 0.0 {
            return self.squares;
        }
        (self.squares - 2.0 * by * self.sum + by * by * self.weight).max(0.0)
    }
}

impl Routed {
    /// Sends the rows of a table down a tree, with their own weights or with others (a row of weight 0 stays out).
    ///
    /// The table must have the tree's attributes and classes: codes are compared, not names. A row that goes several ways
    /// counts in parts where they arrive.
    pub fn new(tree: &Tree, table: &CodedTable, weights: Option<&[f64]>) -> Result<Self> {
        Self::made(tree, table, weights, false)
    }

    /// The same, but rows that go several ways at once are not counted at the nodes: [`Path::losses`](crate::prune::Path::losses)
    /// judges them whole.
    pub fn apart(tree: &Tree, table: &CodedTable, weights: Option<&[f64]>) -> Result<Self> {
        Self::made(tree, table, weights, true)
    }

    fn made(tree: &Tree, table: &CodedTable, weights: Option<&[f64]>, apart: bool) -> Result<Self> {
        let parts = rows_for(tree, table, weights)?;
        let has_classes = table.classes() > 0;
        let size = tree.nodes().len() * if has_classes { table.classes() } else { 2 };
        let leaves = |parts: &[RowShare]| {
            let sent = |parts: Vec<RowShare>| {
                let (mut mixed, mut stopped) = (Vec::new(), Vec::new());
                let mut tallies = Tallies::new(tree, table);
                let to = apart.then_some(&mut mixed);
                send_or_keep(
                    tree.nodes(),
                    table,
                    parts,
                    Shares::OfTree,
                    to,
                    |Arrived { node, rows, ended }| {
                        tallies.add(tree, node, table.target(), rows);
                        if !tree.is_leaf(node) {
                            stopped.extend_from_slice(ended);
                        }
                    },
                );
                mixed.append(&mut stopped);
                (tallies, mixed)
            };
            let (tallies, mut mixed) = sent(parts.to_vec());
            if mixed.is_empty() || has_classes && apart {
                return (tallies, mixed);
            }
            // Errors do not add up to those of the node above, so rows that part further down must not be in it; and of a
            // row that ends at a split no part may be counted at a leaf.
            mixed.sort_unstable_by_key(|part| part.row);
            let is_mixed = |part: &RowShare| mixed.binary_search_by_key(&part.row, |mixed| mixed.row).is_ok();
            let (mixed, whole) = parts.iter().partition(|part| is_mixed(part));
            (sent(whole).0, mixed)
        };
        // Several tallies at a time are worth their memory only when there are more rows than numbers in one.
        let chunk = if size < parts.len() { CHUNK } else { parts.len().max(1) };
        let chunks: Vec<&[RowShare]> = parts.chunks(chunk).collect();
        let (mut tallies, mut mixed) = threads::map(chunks.len(), |i| leaves(chunks[i]))
            .into_iter()
            .reduce(|mut all, some| {
                all.0.join(some.0);
                all.1.extend(some.1);
                all
            })
            .unwrap_or_else(|| (Tallies::new(tree, table), Vec::new()));
        mixed.sort_unstable_by_key(|part| part.row);
        if let Tallies::Classes { classes, weights } = &mut tallies {
            add_up(tree.nodes(), weights, *classes);
        }
        Ok(Self { tallies, apart: mixed })
    }

    /// Of rows that were counted elsewhere; rows of a table that go several ways at once have weight in `apart`.
    pub(crate) fn of_tallies(tree: &Tree, tallies: NodeTallies, apart: &[f64]) -> Self {
        let tallies = match tallies {
            NodeTallies::Classes(mut weights) => {
                let classes = weights.len() / tree.nodes().len();
                add_up(tree.nodes(), &mut weights, classes);
                Tallies::Classes { classes, weights }
            }
            NodeTallies::Numbers(sums) => {
                let of = |(id, [weight, sum, squares]): (NodeId, [f64; 3])| AroundValue {
                    value: tree.value(id),
                    weight,
                    sum,
                    squares,
                };
                Tallies::Numbers(sums.into_iter().enumerate().map(of).collect())
            }
        };
        let apart = (0..).zip(apart).filter(|(_, weight)| **weight > 0.0);
        Self { tallies, apart: apart.map(|(row, &weight)| RowShare { row, weight }).collect() }
    }

    /// The class weights of the rows that reach a node; empty for regression.
    pub fn class_weights(&self, node: NodeId) -> &[f64] {
        match &self.tallies {
            Tallies::Classes { classes, weights } => &weights[node * classes..][..*classes],
            Tallies::Numbers(_) => &[],
        }
    }

    /// The weight of the rows that reach a node.
    pub fn weight(&self, node: NodeId) -> f64 {
        match &self.tallies {
            Tallies::Classes { .. } => self.class_weights(node).iter().sum(),
            Tallies::Numbers(tallies) => tallies[node].weight,
        }
    }

    /// The rows kept [apart](Self::apart), with their weights.
    pub(crate) fn rows_apart(&self) -> &[RowShare] {
        &self.apart
    }

    /// Whether the rows have classes.
    pub fn has_classes(&self) -> bool {
        matches!(self.tallies, Tallies::Classes { .. })
    }

    /// The error of the rows at a node when it is a leaf: the weight of those of another class than it predicts, or
    /// their squared error around its value, also where its leaf values are others than those the rows were sent down with.
    pub fn risk(&self, tree: &Tree, node: NodeId) -> f64 {
        match &self.tallies {
            Tallies::Classes { .. } => wrong(self.class_weights(node), tree.label(node)),
            Tallies::Numbers(tallies) => tallies[node].squared_error(tree.value(node)),
        }
    }

    /// [`risk`](Self::risk) of every node.
    pub fn risks(&self, tree: &Tree) -> Vec<f64> {
        (0..tree.nodes().len()).map(|id| self.risk(tree, id)).collect()
    }

    /// The loss of every node seen as a leaf with the given labels. `losses` has a row for every actual class and in it
    /// a number for every predicted one.
    ///
    /// ```
    /// # use secateur::schema::Task;
    /// # use secateur::data::{CodedTable, Roles, builtin};
    /// # use secateur::grow::grow;
    /// # use secateur::spec::GrowSpec;
    /// # use secateur::route::Routed;
    /// # let table = CodedTable::new(&builtin::load("weather").unwrap(), &Roles::default()).unwrap();
    /// # let tree = grow(&table, &GrowSpec::c45(Task::Classification), &secateur::progress::Silent).unwrap();
    /// // Nine rows say yes and five say no; a wrong "no" costs 1 and a wrong "yes" costs 10.
    /// let routed = Routed::new(&tree, &table, None).unwrap();
    /// let mut labels = vec![0; tree.nodes().len()];
    /// assert_eq!(routed.losses(&[0.0, 1.0, 10.0, 0.0], &labels).unwrap()[0], 50.0);
    /// labels[0] = 1;
    /// assert_eq!(routed.losses(&[0.0, 1.0, 10.0, 0.0], &labels).unwrap()[0], 9.0);
    /// ```
    pub fn losses(&self, losses: &[f64], labels: &[usize]) -> Result<Vec<f64>> {
        let Tallies::Classes { classes, weights } = &self.tallies else {
            return Err(Error::parameter("a loss matrix is for classes; the target holds numbers"));
        };
        let classes = *classes;
        if losses.len() != classes * classes {
            return Err(Error::parameter(format!(
                "the loss matrix has {} numbers; expected {classes} × {classes}",
                losses.len()
            )));
        }
        if labels.len() * classes != weights.len() || labels.iter().any(|&l| l >= classes) {
            return Err(Error::parameter(format!("expected a label below {classes} for every node")));
        }
        let of = |(tally, &label): (&[f64], &usize)| {
            tally.iter().enumerate().map(|(actual, w)| w * losses[actual * classes + label]).sum()
        };
        Ok(weights.chunks_exact(classes).zip(labels).map(of).collect())
    }
}

/// For every node of a regression tree, seen as a leaf, the sum of the fourth powers `(y − value)⁴` over the rows that are
/// counted there: the squares of the losses.
pub(crate) fn squared_losses(
    tree: &Tree,
    table: &CodedTable,
    weights: &[f64],
    routed: &Routed,
) -> Result<Vec<f64>> {
    let mut sums = vec![0.0; tree.nodes().len()];
    let mut parts = rows_for(tree, table, Some(weights))?;
    parts.retain(|part| routed.apart.binary_search_by_key(&part.row, |mixed| mixed.row).is_err());
    if let CodedTarget::Numbers { values, unit } = table.target() {
        send(tree.nodes(), table, parts, Shares::OfTree, |Arrived { node, rows, .. }| {
            let value = tree.value(node) * unit;
            let fourth = |p: &RowShare| p.weight * (values[p.row as usize] - value).powi(4);
            sums[node] = rows.iter().map(fourth).sum::<f64>() / (unit * unit) / (unit * unit);
        });
    }
    Ok(sums)
}

/// The weight of all classes but one.
pub(crate) fn wrong(tally: &[f64], label: usize) -> f64 {
    tally.iter().enumerate().filter(|(j, _)| *j != label).map(|(_, w)| w).sum()
}

/// The rows of a table that can be sent down a tree, or what keeps them from it.
pub(crate) fn rows_for(tree: &Tree, table: &CodedTable, weights: Option<&[f64]>) -> Result<Vec<RowShare>> {
    let place = || Place::file(table.name());
    let (own, trees) = (table.schema(), tree.schema());
    if own.attributes != trees.attributes {
        return Err(Error::input(
            place(),
            "its attributes are not those the tree was grown with; use the same columns, with the same values",
        ));
    }
    if own.target.classes() != trees.target.classes() || (table.classes() > 0) != tree.is_classifier() {
        return Err(Error::input(place(), "its target does not have the classes the tree was grown with"));
    }
    if let Some(weights) = weights
        && (weights.len() != table.rows() || weights.iter().any(|w| !w.is_finite() || *w < 0.0))
    {
        return Err(Error::parameter("row weights must be one number of at least 0 for every row"));
    }
    let weight = |row: usize| weights.map_or_else(|| table.weight(row), |w| w[row]);
    let parts = (0..table.rows()).map(|row| RowShare { row: row as u32, weight: weight(row) });
    Ok(parts.filter(|p| p.weight > 0.0).collect())
}

/// Adds rows with classes to class weights.
pub(crate) fn add(weights: &mut [f64], target: &CodedTarget, rows: &[RowShare]) {
    Targets::from(target).add_classes(weights, rows.iter().map(|part| (part.row as usize, part.weight)));
}

/// Adds the tallies of the leaves up to the root.
pub(crate) fn add_up(nodes: &[Node], tallies: &mut [f64], width: usize) {
    for (id, node) in nodes.iter().enumerate().skip(1).rev() {
        let Some(parent) = node.parent else { continue };
        let (above, own) = tallies.split_at_mut(id * width);
        let above = &mut above[parent as usize * width..][..width];
        above.iter_mut().zip(&own[..width]).for_each(|(a, b)| *a += b);
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
