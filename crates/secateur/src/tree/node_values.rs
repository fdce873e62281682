//! What the nodes of a tree say as leaves, in one pass from the root down.
//!
//! `n` is the weight of a node, `n_j` that of class `j` at it, `J` the number of classes, `N` the weight of the root.
//! - [raw](LeafValues::Raw): `n_j / n`, or the mean (the median in a tree whose leaves predict it).
//! - [laplace](LeafValues::Laplace): `(n_j + 1) / (n + J)`.
//! - [m](LeafValues::M): `(n_j + m p_j) / (n + m)` with `p_j = (N_j + 1) / (N + J)`, so that a class which no row has is possible
//!   (B. Cestnik 1990, with Laplace's law for the prior); of numbers `(n v + m V) / (n + m)`, with `v` the mean or median of the
//!   node and `V` that of the root.
//! - [shrink](LeafValues::Shrink): hierarchical shrinkage (A. Agarwal, Y. S. Tan, O. Ronen, C. Singh and B. Yu 2022). From the root
//!   down the way `0, 1, …, k`, every step of the mean is divided by `1 + λ / n` of the node it begins at:
//!   `v_0 + Σ_i f_i (v_i − v_{i−1})` with `f_i = n_{i−1} / (n_{i−1} + λ)`. As `f` does not grow on the way down, that is a mean
//!   of the values on the way: `Σ_{i<k} (f_i − f_{i+1}) v_i + f_k v_k` with `f_0 = 1`. It is computed so: nothing can overflow or fall
//!   below 0, and with `λ = 0` it is the raw value to the last bit. Class shares are shrunk the same way; then
//!   the share `1 / (n + 1)` of what a node says is taken from the uniform distribution, so that no class is impossible only because
//!   no row had it.
//!
//! All of this counts weight as rows. Where rows weigh less than 1 on average (shares of a whole, say), a row still counts as one: the one
//! of Laplace and of the uniform share, `m` and `λ` are multiplied by that average. Heavier rows count as what they weigh.
//!
//! A node without weight says what the node above says. Linear in nodes times classes.

use super::{LeafValues, Stats, Tree};
use crate::schema::probabilities;

/// What every node says, node by node: the probability of every class, or a number.
pub(super) fn node_values(tree: &Tree, values: LeafValues) -> Vec<f64> {
    let row = tree.row_weight().min(1.0);
    match (tree.stats(), values) {
        (Stats::Classes { .. }, LeafValues::Raw) => of_classes(tree, |weights, said| {
            let mut parts = probabilities(weights);
            said.fill_with(|| parts.next().unwrap_or(0.0));
        }),
        (Stats::Classes { .. }, LeafValues::Laplace) => {
            of_classes(tree, |weights, said| laplace(weights, row, said))
        }
        (Stats::Classes { classes, .. }, LeafValues::M(m)) => {
            let mut prior = vec![0.0; *classes];
            laplace(tree.class_weights(0), row, &mut prior);
            let m = m * row;
            of_classes(tree, |weights, said| {
                let all = weights.iter().sum::<f64>() + m;
                let numbers = said.iter_mut().zip(weights).zip(&prior);
                numbers.for_each(|((said, weight), prior)| *said = (weight + m * prior) / all);
            })
        }
        (Stats::Classes { classes, .. }, LeafValues::Shrink(lambda)) => {
            let raw = node_values(tree, LeafValues::Raw);
            let mut said = shrunk(tree, raw, *classes, lambda * row);
            let even = 1.0 / *classes as f64;
            each(tree, &mut said, *classes, |id, said| {
                let share = row / (tree.node(id).weight + row);
                said.iter_mut().for_each(|p| *p = *p * (1.0 - share) + even * share);
            });
            said
        }
        (Stats::Numbers { mean, median, .. }, values) => {
            let mut said = if median.is_empty() { mean.clone() } else { median.clone() };
            match values {
                LeafValues::Raw | LeafValues::Laplace => each(tree, &mut said, 1, |_, _| {}),
                LeafValues::M(m) => {
                    let (root, m) = (said[0], m * row);
                    each(tree, &mut said, 1, |id, said| {
                        let share = m / (tree.node(id).weight + m);
                        said[0] = said[0] * (1.0 - share) + root * share;
                    });
                }
                LeafValues::Shrink(lambda) => said = shrunk(tree, said, 1, lambda * row),
            }
            said
        }
    }
}

/// Laplace's law of succession, with rows of this weight.
fn laplace(weights: &[f64], row: f64, said: &mut [f64]) {
    let all = weights.iter().sum::<f64>() + weights.len() as f64 * row;
    said.iter_mut().zip(weights).for_each(|(said, weight)| *said = (weight + row) / all);
}

/// What every node says from its own class weights.
fn of_classes(tree: &Tree, of: impl Fn(&[f64], &mut [f64])) -> Vec<f64> {
    let width = tree.class_weights(0).len();
    let mut said = vec![0.0; tree.nodes().len() * width];
    each(tree, &mut said, width, |id, said| of(tree.class_weights(id), said));
    said
}

/// Lets every node that has weight say something; the others repeat the node above them.
fn each(tree: &Tree, said: &mut [f64], width: usize, of: impl Fn(usize, &mut [f64])) {
    for (id, node) in tree.nodes().iter().enumerate() {
        let (above, own) = said.split_at_mut(id * width);
        match node.parent {
            Some(parent) if node.weight <= 0.0 => {
                own[..width].copy_from_slice(&above[parent as usize * width..][..width]);
            }
            _ => of(id, &mut own[..width]),
        }
    }
}

/// Shrinks values towards those above them.
fn shrunk(tree: &Tree, raw: Vec<f64>, width: usize, lambda: f64) -> Vec<f64> {
    let nodes = tree.nodes();
    // Of every node `f`, and the part of its value that comes from the nodes above.
    let (mut kept, mut from_above) = (Vec::<f64>::with_capacity(nodes.len()), vec![0.0; raw.len()]);
    for (id, node) in nodes.iter().enumerate() {
        let Some(parent) = node.parent.map(|parent| parent as usize) else {
            kept.push(1.0);
            continue;
        };
        let weight = nodes[parent].weight;
        // Never more than at the node above, whatever the rounding of sums has made of the weights.
        let own = if weight > 0.0 { (weight / (weight + lambda)).min(kept[parent]) } else { kept[parent] };
        let lost = kept[parent] - own;
        kept.push(own);
        let (above, here) = from_above.split_at_mut(id * width);
        let said = above[parent * width..].iter().zip(&raw[parent * width..]);
        here.iter_mut().zip(said).take(width).for_each(|(here, (above, raw))| *here = above + raw * lost);
    }
    let mut said = raw;
    each(tree, &mut said, width, |id, said| {
        let above = &from_above[id * width..];
        said.iter_mut().zip(above).for_each(|(said, above)| *said = above + *said * kept[id]);
    });
    said
}

#[cfg(test)]
#[path = "node_values_tests.rs"]
mod tests;
