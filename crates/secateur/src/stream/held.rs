//! Held-out rows of a streamed table: sent down whole trees, and reported as if they were in memory.

use super::workers::Workers;
use crate::data::{CodedTable, CodedTarget};
use crate::error::{Error, Result};
use crate::grow::{branching_of, no_rows};
use crate::route::{NodeTallies, Routed};
use crate::shard::{
    Ask, Chunk, Coding, Held, HeldAnswer, NodeAnswer, Sketch, SketchNode, SketchSplit, Wanted,
};
use crate::split::moments::{Span, Terms};
use crate::tree::{Tree, share_out};

/// What the held-out rows of some trees say.
pub(super) struct HeldOut {
    /// The rows that go several ways at once, of all trees.
    pub table: CodedTable,
    /// Tree by tree.
    pub trees: Vec<HeldTree>,
}

/// What the held-out rows of one tree say.
pub(super) struct HeldTree {
    pub routed: Routed,
    /// For numbers: the squared losses of every node.
    pub squares: Option<Vec<f64>>,
    /// The weight of all held-out rows.
    pub weight: f64,
    /// The weights of the rows of the table that are this tree's.
    pub apart: Vec<f64>,
}

/// Sends the held-out rows of some trees, each with their tag, down these trees.
pub(super) fn held_out(workers: &mut dyn Workers, coding: &Coding, trees: &[(&Tree, u8)]) -> Result<HeldOut> {
    let stub = coding.table(no_rows(coding))?;
    let numbers = coding.classes() == 0;
    let span = if numbers { span(workers, coding)? } else { Span::new(&[], None) };
    let question = |power: u8| Held {
        ask: Ask { trees: trees.iter().map(|(tree, tag)| sketch(tree, *tag, &stub, &span, power)).collect() },
    };
    // Of numbers the sums of distances, of their squares and of their fourth powers.
    let powers: &[u8] = if numbers { &[2, 1, 4] } else { &[0] };
    let mut answers = Vec::with_capacity(powers.len());
    for &power in powers {
        let question = question(power);
        answers.push((workers.hold(coding, &question)?, question));
    }
    let (table, apart) = rows_apart(coding, &answers[0].0)?;
    let mut rest: Vec<&[NodeAnswer]> = answers.iter().map(|(answer, _)| answer.nodes.as_slice()).collect();
    let unit = stub.unit();
    let mut out = Vec::with_capacity(trees.len());
    for (t, ((tree, _), apart)) in trees.iter().zip(apart).enumerate() {
        let wanted = answers[0].1.ask.trees[t].nodes.iter().filter(|node| node.wanted.is_some()).count();
        let mut own = |power: usize| {
            let (own, others) = rest[power].split_at_checked(wanted).ok_or_else(short)?;
            rest[power] = others;
            Ok::<_, Error>(own)
        };
        let (tallies, fourths) = if numbers {
            let mut sums = |power: usize| {
                let unit = unit.powi(i32::from(powers[power]));
                Ok::<_, Error>(sums(own(power)?, &answers[power].1.ask.trees[t], unit))
            };
            let (squares, firsts, fourths) = (sums(0)?, sums(1)?, sums(2)?);
            let of = |((weight, square), (_, sum)): ((f64, f64), (f64, f64))| [weight, sum, square];
            let tallies = squares.into_iter().zip(firsts).map(of).collect();
            (NodeTallies::Numbers(tallies), Some(fourths.into_iter().map(|(_, sum)| sum).collect()))
        } else {
            (NodeTallies::Classes(leaf_weights(tree, own(0)?, coding.classes())), None)
        };
        let apart_weight: f64 = apart.iter().sum();
        let routed = Routed::of_tallies(tree, tallies, &apart);
        let weight = routed.weight(0) + apart_weight;
        out.push(HeldTree { routed, squares: fourths, weight, apart });
    }
    Ok(HeldOut { table, trees: out })
}

/// How far the numbers of the target reach.
fn span(workers: &mut dyn Workers, coding: &Coding) -> Result<Span> {
    let wanted = Some(Wanted { span: true, ..Wanted::default() });
    let root = Sketch { nodes: vec![SketchNode { split: None, wanted }], ..Sketch::default() };
    let answer = workers.ask(coding, &Ask { trees: vec![root] })?;
    answer.nodes.first().and_then(|node| node.span).ok_or_else(short)
}

fn short() -> Error {
    Error::internal("an answer to another question")
}

/// A whole tree as rows are sent down it, with what is asked: the classes of every leaf, or sums at every node.
fn sketch(tree: &Tree, tag: u8, table: &CodedTable, span: &Span, power: u8) -> Sketch {
    let numbers = !tree.is_classifier();
    let node = |id: usize| {
        let node = tree.node(id);
        let split = node.condition.as_ref().zip(node.first_child).map(|(condition, first_child)| {
            let children = tree.children(id).map(|child| tree.node(child).weight).collect::<Vec<_>>();
            SketchSplit {
                column: condition.attribute() as u32,
                branching: branching_of(condition, table),
                first_child,
                shares: share_out(children.iter().copied()).collect(),
            }
        });
        let wanted = if numbers {
            let terms = Terms::powers(span, tree.value(id) * table.unit(), power);
            Some(Wanted { sum: Some(terms), ..Wanted::default() })
        } else {
            tree.is_leaf(id).then_some(Wanted { classes: true, ..Wanted::default() })
        };
        SketchNode { split, wanted }
    };
    Sketch { only: Some(tag), nodes: (0..tree.nodes().len()).map(node).collect(), ..Sketch::default() }
}

/// Weight and sum of every node, in the unit of the target.
fn sums(nodes: &[NodeAnswer], sketch: &Sketch, unit: f64) -> Vec<(f64, f64)> {
    let wanted = sketch.nodes.iter().filter_map(|node| node.wanted.as_ref());
    nodes
        .iter()
        .zip(wanted)
        .map(|(node, wanted)| {
            let sum = wanted.sum.zip(node.sum).map_or(0.0, |(terms, sum)| terms.value(&sum));
            (node.weight, sum / unit)
        })
        .collect()
}

/// The class weights of all nodes, of which those of leaves are reported.
fn leaf_weights(tree: &Tree, leaves: &[NodeAnswer], classes: usize) -> Vec<f64> {
    let mut weights = vec![0.0; tree.nodes().len() * classes];
    let ids = (0..tree.nodes().len()).filter(|id| tree.is_leaf(*id));
    for (id, leaf) in ids.zip(leaves) {
        weights[id * classes..(id + 1) * classes].copy_from_slice(&leaf.classes);
    }
    weights
}

/// The rows that go several ways at once as one table, and for every tree their weights in it. The rows of a tree are in an
/// order that follows from their values alone.
fn rows_apart(coding: &Coding, answer: &HeldAnswer) -> Result<(CodedTable, Vec<Vec<f64>>)> {
    let mut chunks = Vec::new();
    let mut ends = Vec::new();
    let mut rows = 0;
    for parts in &answer.apart {
        let mut own = Vec::new();
        for (bytes, weights) in parts {
            own.push(Chunk::from_bare(coding, bytes, Some(weights.clone()))?);
        }
        if let Some(own) = Chunk::joined(own) {
            rows += own.rows();
            chunks.push(in_order(own));
        }
        ends.push(rows);
    }
    let chunk = Chunk::joined(chunks).unwrap_or_else(|| no_rows(coding));
    let weights = chunk.weights.clone().unwrap_or_default();
    let mut start = 0;
    let of = |&end: &usize| {
        let mut own = vec![0.0; rows];
        own[start..end].copy_from_slice(&weights[start..end]);
        start = end;
        own
    };
    let apart = ends.iter().map(of).collect();
    let mut table = coding.table(chunk)?;
    if let CodedTarget::Classes { .. } = table.target() {
        table = table.without_weights();
    }
    Ok((table, apart))
}

/// The same rows, in an order that follows from their values.
fn in_order(chunk: Chunk) -> Chunk {
    let mut rows: Vec<u32> = (0..chunk.rows() as u32).collect();
    rows.sort_by_cached_key(|&row| chunk.key(row as usize));
    chunk.gather(&rows)
}
