//! The tree operator of `ai.onnx.ml` (`TreeEnsemble`, version 5), used for one thing only: to find the leaf of a row.
//!
//! A row with a value that is unknown at some split on its way goes down several branches, which the operator cannot say. So the
//! tree is written twice where that can happen: once with such rows sent to the first branch, once to the last. A row that ends at
//! the same leaf in both has met no such split; the others are rows in parts.
//!
//! A set of values is not tested by the operator, which takes up memory beyond all bounds for large sets (onnxruntime issue
//! 25400): for every different division of a list there is a column that holds the branch of each row.

use std::collections::HashMap;

use secateur::tree::Tree;

use super::graph::{Attribute, Graph, Tensor, Type, Value};
use crate::export::ways::{Known, Ways};

const LESS_OR_EQUAL: u8 = 0;
const LESS: u8 = 1;
/// The most columns of divided lists: each takes eight bytes of every row.
const MOST_DIVISIONS: usize = 1024;

/// Where a test leads: to another test, or to a leaf of the operator.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    place: usize,
    is_leaf: bool,
}

/// The tests and leaves of the operator, in its own lists. Of two branches the first is the one that a true test leads to.
#[derive(Default)]
struct Lists {
    features: Vec<i64>,
    splits: Vec<f64>,
    modes: Vec<u8>,
    to: [Vec<i64>; 2],
    to_leaf: [Vec<i64>; 2],
    missing_first: Vec<i64>,
    leaf_targets: Vec<i64>,
    leaf_weights: Vec<f64>,
    roots: Vec<i64>,
}

impl Lists {
    fn test(&mut self, feature: usize, mode: u8, split: f64, missing: usize, to: [End; 2]) -> End {
        self.features.push(feature as i64);
        self.splits.push(split);
        self.modes.push(mode);
        self.missing_first.push(i64::from(missing == 0));
        for (side, end) in to.into_iter().enumerate() {
            self.to[side].push(end.place as i64);
            self.to_leaf[side].push(i64::from(end.is_leaf));
        }
        End { place: self.features.len() - 1, is_leaf: false }
    }

    fn leaf(&mut self, target: usize, number: usize) -> End {
        self.leaf_targets.push(target as i64);
        self.leaf_weights.push(number as f64);
        End { place: self.leaf_targets.len() - 1, is_leaf: true }
    }

    /// Tests that find the branch that a column holds, by halves. Rows without one go to the first or the last.
    fn search(&mut self, feature: usize, first: usize, ends: &[End], missing: usize) -> End {
        let middle = ends.len() / 2;
        if middle == 0 {
            return ends.first().copied().unwrap_or_default();
        }
        let (low, high) = ends.split_at(middle);
        let to =
            [self.search(feature, first, low, missing), self.search(feature, first + middle, high, missing)];
        self.test(feature, LESS, (first + middle) as f64, missing, to)
    }

    /// One copy of a tree. `number` gives the number of every leaf.
    fn tree(&mut self, tree: &Tree, ways: &[Option<Ways>], target: usize, number: &[usize], tested: &Tested) {
        let mut ends = vec![End::default(); tree.nodes().len()];
        for node in (0..ends.len()).rev() {
            let feature = tested.feature[node];
            ends[node] = match &ways[node] {
                None => self.leaf(target, number[node]),
                Some(ways) => {
                    let below = ends[tree.children(node)].to_vec();
                    let missing = ways.missing.unwrap_or(target);
                    match &ways.known {
                        Known::Below(t) => self.test(feature, LESS, *t, missing, [below[0], below[1]]),
                        Known::AnyNumber => {
                            self.test(feature, LESS_OR_EQUAL, f64::INFINITY, missing, [below[0], below[1]])
                        }
                        Known::Values(_) => self.search(feature, 0, &below, target),
                    }
                }
            };
        }
        self.roots.push(ends[0].place as i64);
    }
}

/// The columns that the operator tests.
pub(super) struct Tested {
    /// `[rows, columns]`.
    value: Value,
    /// The column of every split.
    feature: Vec<usize>,
}

impl Tested {
    /// The columns of the rows, `[rows, columns]`, and those of divided lists after them; `None` where these would be too many.
    pub(super) fn new(
        graph: &mut Graph,
        columns: &str,
        place: &[usize],
        count: usize,
        ways: &[Option<Ways>],
    ) -> Option<Self> {
        let mut known: HashMap<(usize, Vec<Option<usize>>), usize> = HashMap::new();
        let (mut from, mut first, mut table) = (Vec::new(), Vec::new(), Vec::new());
        let mut feature = vec![0; ways.len()];
        for (ways, feature) in ways.iter().zip(&mut feature) {
            let Some(ways) = ways else { continue };
            let Known::Values(branches) = &ways.known else {
                *feature = place[ways.attribute];
                continue;
            };
            let division: Vec<Option<usize>> =
                [ways.unseen, ways.missing].iter().chain(branches).copied().collect();
            let next = known.len();
            *feature = count
                + *known.entry((ways.attribute, division)).or_insert_with_key(|(_, division)| {
                    from.push(place[ways.attribute] as i64);
                    // Before the first code stand those of a value that is not in the list, and of none.
                    first.push(table.len() as i64 + 2);
                    table.extend(
                        division.iter().map(|branch| branch.map_or(f64::NAN, |branch| branch as f64)),
                    );
                    next
                });
            if known.len() > MOST_DIVISIONS {
                return None;
            }
        }
        if known.is_empty() {
            return Some(Self { value: columns.to_string(), feature });
        }
        let from = graph.constant(Tensor::ints(&[from.len()], &from));
        let cells = graph.op("Gather", &[columns, &from], vec![Attribute::int("axis", 1)]);
        let codes = graph.op("Cast", &[&cells], vec![Attribute::int("to", Type::Int as i64)]);
        let first = graph.constant(Tensor::ints(&[first.len()], &first));
        let places = graph.op("Add", &[&codes, &first], vec![]);
        let table = graph.constant(Tensor::doubles(&[table.len()], &table));
        let branches = graph.op("Gather", &[&table, &places], vec![]);
        let value = graph.op("Concat", &[columns, &branches], vec![Attribute::int("axis", 1)]);
        Some(Self { value, feature })
    }

    /// Adds the operator: the number of the leaf of every row, `[rows, copies]`.
    pub(super) fn leaves(
        &self,
        graph: &mut Graph,
        tree: &Tree,
        ways: &[Option<Ways>],
        copies: usize,
        number: &[usize],
    ) -> Value {
        let mut lists = Lists::default();
        for target in 0..copies {
            lists.tree(tree, ways, target, number, self);
        }
        let (splits, weights) = (lists.splits.len(), lists.leaf_weights.len());
        graph.ml(
            "TreeEnsemble",
            &self.value,
            vec![
                Attribute::int("n_targets", copies as i64),
                Attribute::int("aggregate_function", 1),
                Attribute::int("post_transform", 0),
                Attribute::ints("tree_roots", &lists.roots),
                Attribute::ints("nodes_featureids", &lists.features),
                Attribute::tensor("nodes_splits", Tensor::doubles(&[splits], &lists.splits)),
                Attribute::tensor("nodes_modes", Tensor::byte_list(&lists.modes)),
                Attribute::ints("nodes_truenodeids", &lists.to[0]),
                Attribute::ints("nodes_trueleafs", &lists.to_leaf[0]),
                Attribute::ints("nodes_falsenodeids", &lists.to[1]),
                Attribute::ints("nodes_falseleafs", &lists.to_leaf[1]),
                Attribute::ints("nodes_missing_value_tracks_true", &lists.missing_first),
                Attribute::ints("leaf_targetids", &lists.leaf_targets),
                Attribute::tensor("leaf_weights", Tensor::doubles(&[weights], &lists.leaf_weights)),
            ],
        )
    }
}
