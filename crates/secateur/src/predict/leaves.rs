//! What the leaves of a tree say, computed once: most rows find their answer here.

use std::borrow::Borrow;

use crate::tree::{NodeAnswers, Tree};

/// What some leaves say, each with its node and label.
pub(super) struct Leaves {
    pub nodes: Vec<u32>,
    pub labels: Vec<u32>,
    /// Probabilities or the value.
    pub numbers: Vec<f64>,
}

impl Leaves {
    /// What these nodes say as leaves.
    pub(super) fn of<T: Borrow<Tree>>(answers: &NodeAnswers<T>, nodes: Vec<u32>) -> Self {
        let tree = answers.tree();
        let mut numbers = vec![0.0; nodes.len() * answers.width()];
        let label = |(&leaf, said): (&u32, &mut [f64])| {
            answers.add(leaf as usize, 1.0, said);
            if tree.is_classifier() { tree.decide(said) as u32 } else { 0 }
        };
        let labels = nodes.iter().zip(numbers.chunks_exact_mut(answers.width())).map(label).collect();
        Self { nodes, labels, numbers }
    }
}
