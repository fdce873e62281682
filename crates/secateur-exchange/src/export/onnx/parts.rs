//! Rows in parts: the share of a row that reaches every leaf, and what the leaves say to it, by core operators in double precision.
//!
//! All nodes are looked at for every such row, a level of the tree at a time, so that a share is the product of the same numbers in the
//! same order as in the tree itself, and what the leaves say is added up from left to right (`CumSum`): the answers are
//! those of `predict` to the last bit. Rows come in blocks (`Scan`), so that memory stays within a bound.

use secateur::tree::Tree;

use super::graph::{Attribute, Dim, Graph, Tensor, Type, Value};
use crate::export::said::Said;
use crate::export::ways::{Known, Ways};

/// Numbers in the largest tensor of a block.
const BLOCK: usize = 1 << 22;
/// Rows in a block at most.
const ROWS: usize = 1 << 14;
/// The code of a row that goes down every branch.
const EVERY: i64 = -1;

/// What a graph says to rows.
pub(super) struct Answers {
    /// Probabilities `[rows, classes]`, or the number `[rows, 1]`.
    pub(super) numbers: Value,
    /// The place of the label among the classes, `[rows]`; `None` where numbers are predicted.
    pub(super) label: Option<Value>,
    /// The node that gets most of the row, `[rows]`.
    pub(super) leaf: Value,
}

/// What the graph is made from.
pub(super) struct Parts<'a> {
    pub(super) tree: &'a Tree,
    pub(super) ways: &'a [Option<Ways>],
    /// The leaves from left to right, and what they say.
    pub(super) leaves: &'a [usize],
    pub(super) said: &'a [Said],
    /// The column of every attribute.
    pub(super) feature: &'a dyn Fn(usize) -> usize,
    /// All columns.
    pub(super) columns: usize,
}

impl Parts<'_> {
    fn width(&self) -> usize {
        self.said[0].numbers.len()
    }

    /// The rows of a block at most.
    fn block(&self) -> usize {
        let largest = self.tree.nodes().len().max(self.leaves.len() * self.width());
        (BLOCK / largest).clamp(1, ROWS)
    }

    /// Answers for rows `[rows, columns]`.
    pub(super) fn answer(&self, graph: &mut Graph, rows: &str) -> Answers {
        // Rows are filled up with zeros to whole blocks.
        let (zero, one) = (constant(graph, &[0]), constant(graph, &[1]));
        let most = constant(graph, &[self.block() as i64]);
        let width = constant(graph, &[self.columns as i64]);
        let shape = graph.op("Shape", &[rows], vec![]);
        let count = graph.op("Slice", &[&shape, &zero, &one], vec![]);
        let size = graph.op("Min", &[&count, &most], vec![]);
        let size = graph.op("Max", &[&size, &one], vec![]);
        let filled = graph.op("Add", &[&count, &size], vec![]);
        let filled = graph.op("Sub", &[&filled, &one], vec![]);
        let blocks = graph.op("Div", &[&filled, &size], vec![]);
        let blocks = graph.op("Max", &[&blocks, &one], vec![]);
        let all = graph.op("Mul", &[&blocks, &size], vec![]);
        let more = graph.op("Sub", &[&all, &count], vec![]);
        let more = graph.op("Concat", &[&more, &width], vec![Attribute::int("axis", 0)]);
        let zeros = vec![Attribute::tensor("value", Tensor::doubles(&[1], &[0.0]))];
        let more = graph.op("ConstantOfShape", &[&more], zeros);
        let rows = graph.op("Concat", &[rows, &more], vec![Attribute::int("axis", 0)]);
        let shape = graph.op("Concat", &[&blocks, &size, &width], vec![Attribute::int("axis", 0)]);
        let rows = graph.op("Reshape", &[&rows, &shape], vec![]);

        let body = graph.inside(|body| {
            let block = body.parameter(Type::Double, &[Dim::Named("block"), Dim::Of(self.columns)]);
            let said = self.block_answers(body, &block);
            body.gives(&said.numbers, Type::Double, &[Dim::Named("block"), Dim::Of(self.width())]);
            body.gives(&said.leaf, Type::Int, &[Dim::Named("block")]);
            if let Some(label) = &said.label {
                body.gives(label, Type::Int, &[Dim::Named("block")]);
            }
        });
        let results = if self.tree.is_classifier() { 3 } else { 2 };
        let given = vec![Attribute::int("num_scan_inputs", 1), Attribute::graph("body", body)];
        let results = graph.ops("Scan", &[&rows], results, given);
        // The blocks as one list again, without what was filled up.
        let numbers = constant(graph, &[-1, self.width() as i64]);
        let numbers = graph.op("Reshape", &[&results[0], &numbers], vec![]);
        let list = constant(graph, &[-1]);
        let lists: Vec<Value> =
            results[1..].iter().map(|result| graph.op("Reshape", &[result, &list], vec![])).collect();
        let mut cut = |value: &str| graph.op("Slice", &[value, &zero, &count], vec![]);
        Answers { numbers: cut(&numbers), leaf: cut(&lists[0]), label: lists.get(1).map(|label| cut(label)) }
    }

    fn block_answers(&self, graph: &mut Graph, rows: &str) -> Answers {
        let shares = self.leaf_shares(graph, rows);
        let heaviest = first_largest(graph, &shares);
        let nodes: Vec<i64> = self.leaves.iter().map(|&node| node as i64).collect();
        let nodes = graph.constant(Tensor::ints(&[nodes.len()], &nodes));
        let leaf = graph.op("Gather", &[&nodes, &heaviest], vec![]);

        let table: Vec<f64> = self.said.iter().flat_map(|said| said.numbers.iter().copied()).collect();
        let table = graph.constant(Tensor::doubles(&[self.leaves.len(), self.width()], &table));
        let last = constant(graph, &[2]);
        let shares = graph.op("Unsqueeze", &[&shares, &last], vec![]);
        let said = graph.op("Mul", &[&shares, &table], vec![]);
        let numbers = sum(graph, &said, self.leaves.len());
        let label = self.tree.is_classifier().then(|| self.label(graph, &numbers));
        Answers { numbers, label, leaf }
    }

    /// The place of the label for probabilities `[rows, classes]`: the first of those that are largest, or cost least up to rounding.
    fn label(&self, graph: &mut Graph, probabilities: &str) -> Value {
        let tolerance = graph.constant(Tensor::double(1e-10));
        let classes = self.width();
        let near = match self.tree.costs() {
            None => {
                let axis = constant(graph, &[1]);
                let largest = graph.op("ReduceMax", &[probabilities, &axis], vec![]);
                let less = graph.op("Mul", &[&largest, &tolerance], vec![]);
                let enough = graph.op("Sub", &[&largest, &less], vec![]);
                graph.op("GreaterOrEqual", &[probabilities, &enough], vec![])
            }
            Some(costs) => {
                let last = constant(graph, &[2]);
                let matrix = graph.constant(Tensor::doubles(&[classes, classes], costs.matrix()));
                let weights = graph.op("Unsqueeze", &[probabilities, &last], vec![]);
                let costs = graph.op("Mul", &[&weights, &matrix], vec![]);
                let risks = sum(graph, &costs, classes);
                let axis = constant(graph, &[1]);
                let least = graph.op("ReduceMin", &[&risks, &axis], vec![]);
                let more = graph.op("Mul", &[&least, &tolerance], vec![]);
                let limit = graph.op("Add", &[&least, &more], vec![]);
                graph.op("LessOrEqual", &[&risks, &limit], vec![])
            }
        };
        let near = graph.op("Cast", &[&near], vec![Attribute::int("to", 6)]);
        first_largest(graph, &near)
    }

    /// The share of every row that every leaf gets, `[rows, leaves]`.
    fn leaf_shares(&self, graph: &mut Graph, rows: &str) -> Value {
        let tree = self.tree;
        let depths = tree.depths();
        let mut nodes: Vec<usize> = (1..tree.nodes().len()).collect();
        nodes.sort_by_key(|&node| depths[node]);
        let mut place = vec![0; tree.nodes().len()];
        nodes.iter().enumerate().for_each(|(at, &node)| place[node] = at);
        let levels: Vec<&[usize]> = nodes.chunk_by(|&a, &b| depths[a] == depths[b]).collect();
        let sizes: Vec<i64> = levels.iter().map(|level| level.len() as i64).collect();

        let factors = self.factors(graph, rows, &nodes);
        let lengths = constant(graph, &sizes);
        let factors = graph.ops("Split", &[&factors, &lengths], sizes.len(), vec![Attribute::int("axis", 1)]);
        let mut shares: Vec<Value> = Vec::new();
        for (level, factor) in levels.iter().zip(factors) {
            let share = match shares.last() {
                None => factor,
                Some(above) => {
                    let parent = |&node: &usize| tree.node(node).parent.map_or(0, |parent| parent as usize);
                    let parents: Vec<usize> = level.iter().map(parent).collect();
                    let first = place[levels[shares.len() - 1][0]];
                    let parents: Vec<i64> =
                        parents.iter().map(|&parent| (place[parent] - first) as i64).collect();
                    let parents = constant(graph, &parents);
                    let above = graph.op("Gather", &[above, &parents], vec![Attribute::int("axis", 1)]);
                    graph.op("Mul", &[&above, &factor], vec![])
                }
            };
            shares.push(share);
        }
        let shares: Vec<&str> = shares.iter().map(String::as_str).collect();
        let shares = graph.op("Concat", &shares, vec![Attribute::int("axis", 1)]);
        let leaves: Vec<i64> = self.leaves.iter().map(|&leaf| place[leaf] as i64).collect();
        let leaves = constant(graph, &leaves);
        graph.op("Gather", &[&shares, &leaves], vec![Attribute::int("axis", 1)])
    }

    /// Which part of what reaches its parent goes on to each of the nodes: all, nothing, or its share.
    fn factors(&self, graph: &mut Graph, rows: &str, nodes: &[usize]) -> Value {
        let tree = self.tree;
        let (branches, place) = self.branches(graph, rows);
        let (mut splits, mut own, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        let mut known = vec![Vec::new(); tree.nodes().len()];
        for &node in nodes {
            let parent = tree.node(node).parent.map_or(0, |parent| parent as usize);
            if known[parent].is_empty() {
                known[parent] = tree.shares(parent);
            }
            let branch = node - tree.children(parent).start;
            splits.push(place[parent] as i64);
            own.push(branch as i64);
            parts.push(known[parent][branch]);
        }
        let splits = constant(graph, &splits);
        let branch = graph.op("Gather", &[&branches, &splits], vec![Attribute::int("axis", 1)]);
        let own = constant(graph, &own);
        let is_own = graph.op("Equal", &[&branch, &own], vec![]);
        let whole = graph.op("Cast", &[&is_own], vec![Attribute::int("to", Type::Double as i64)]);
        let zero = graph.constant(Tensor::int(0));
        let every = graph.op("Less", &[&branch, &zero], vec![]);
        let parts = graph.constant(Tensor::doubles(&[parts.len()], &parts));
        graph.op("Where", &[&every, &parts, &whole], vec![])
    }

    /// The branch of every row at every split, `[rows, splits]`, and the place of every split.
    fn branches(&self, graph: &mut Graph, rows: &str) -> (Value, Vec<usize>) {
        let tree = self.tree;
        let (mut numeric, mut nominal) = (Numeric::default(), Nominal::default());
        let mut of_numeric = vec![false; tree.nodes().len()];
        let mut place = vec![0; tree.nodes().len()];
        for node in 0..tree.nodes().len() {
            let Some(ways) = &self.ways[node] else { continue };
            let feature = (self.feature)(ways.attribute) as i64;
            let missing = ways.missing.map_or(EVERY, |branch| branch as i64);
            match &ways.known {
                Known::Values(branches) => {
                    place[node] = nominal.features.len();
                    nominal.features.push(feature);
                    // Before the first code stand those of a value that is not in the list, and of none.
                    nominal.first.push(nominal.table.len() as i64 + 2);
                    nominal.table.extend([ways.unseen.map_or(EVERY, |branch| branch as i64), missing]);
                    nominal
                        .table
                        .extend(branches.iter().map(|branch| branch.map_or(EVERY, |branch| branch as i64)));
                }
                known => {
                    (place[node], of_numeric[node]) = (numeric.features.len(), true);
                    numeric.features.push(feature);
                    numeric.missing.push(missing);
                    let (below, above) = if let Known::Below(t) = known { (*t, 1) } else { (0.0, 0) };
                    numeric.below.push(below);
                    numeric.above.push(above);
                }
            }
        }
        let after = numeric.features.len();
        (0..place.len()).filter(|&node| !of_numeric[node]).for_each(|node| place[node] += after);
        let mut both = Vec::new();
        if !numeric.features.is_empty() {
            both.push(numeric.branches(graph, rows));
        }
        if !nominal.features.is_empty() {
            both.push(nominal.branches(graph, rows));
        }
        let both: Vec<&str> = both.iter().map(String::as_str).collect();
        (graph.op("Concat", &both, vec![Attribute::int("axis", 1)]), place)
    }
}

/// Splits of numbers.
#[derive(Default)]
struct Numeric {
    features: Vec<i64>,
    below: Vec<f64>,
    /// The branch of numbers that are not below.
    above: Vec<i64>,
    missing: Vec<i64>,
}

impl Numeric {
    fn branches(&self, graph: &mut Graph, rows: &str) -> Value {
        let features = constant(graph, &self.features);
        let cells = graph.op("Gather", &[rows, &features], vec![Attribute::int("axis", 1)]);
        let below = graph.constant(Tensor::doubles(&[self.below.len()], &self.below));
        let is_below = graph.op("Less", &[&cells, &below], vec![]);
        let (zero, above) = (graph.constant(Tensor::int(0)), constant(graph, &self.above));
        let branch = graph.op("Where", &[&is_below, &zero, &above], vec![]);
        let is_missing = graph.op("IsNaN", &[&cells], vec![]);
        let missing = constant(graph, &self.missing);
        graph.op("Where", &[&is_missing, &missing, &branch], vec![])
    }
}

/// Splits of values from a list: one table of branches for all.
#[derive(Default)]
struct Nominal {
    features: Vec<i64>,
    /// Where the branches of a split's values begin in the table.
    first: Vec<i64>,
    table: Vec<i64>,
}

impl Nominal {
    fn branches(&self, graph: &mut Graph, rows: &str) -> Value {
        let features = constant(graph, &self.features);
        let cells = graph.op("Gather", &[rows, &features], vec![Attribute::int("axis", 1)]);
        let codes = graph.op("Cast", &[&cells], vec![Attribute::int("to", Type::Int as i64)]);
        let (first, table) = (constant(graph, &self.first), constant(graph, &self.table));
        let places = graph.op("Add", &[&codes, &first], vec![]);
        graph.op("Gather", &[&table, &places], vec![])
    }
}

/// Whole numbers in a list.
fn constant(graph: &mut Graph, numbers: &[i64]) -> Value {
    graph.constant(Tensor::ints(&[numbers.len()], numbers))
}

/// The place of the first of the largest numbers of each row.
fn first_largest(graph: &mut Graph, rows: &str) -> Value {
    graph.op("ArgMax", &[rows], vec![Attribute::int("axis", 1), Attribute::int("keepdims", 0)])
}

/// The sum over the second of three dimensions, of which there are this many, from the first to the last.
fn sum(graph: &mut Graph, terms: &str, length: usize) -> Value {
    let (axis, last) = (graph.constant(Tensor::int(1)), graph.constant(Tensor::int(length as i64 - 1)));
    let sums = graph.op("CumSum", &[terms, &axis], vec![]);
    graph.op("Gather", &[&sums, &last], vec![Attribute::int("axis", 1)])
}
