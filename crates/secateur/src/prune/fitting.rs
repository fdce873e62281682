//! What a pruner works with that finds its tree in a way of its own: it grows, validates and chooses itself.

use std::sync::Arc;

use crate::method::Options;
use crate::progress::Progress;
use crate::route::Loss;
use crate::spec::GrowSpec;
use crate::training::{Average, Estimate, Grown, TreeCache};
use crate::tree::{Size, Tree};

/// What such a pruner is given.
#[derive(Clone, Copy)]
pub struct Fitting<'a> {
    /// The table, its folds, and the trees grown from them.
    pub trees: &'a TreeCache<'a>,
    /// How the learner grows.
    pub spec: &'a GrowSpec,
    /// The options of the pruner.
    pub options: &'a Options,
    /// The number of folds that the options ask for; 10 where they have no say in it.
    pub folds: usize,
    /// Standard errors by which the error may be larger for a smaller tree; 0 where the options have no say in it.
    pub se: f64,
    /// What is counted on the folds.
    pub loss: Loss,
    /// How folds are averaged.
    pub average: Average,
    /// Whether the trees of the folds are wanted beside the tree ([`FoundTree::folds`]).
    pub keeps_folds: bool,
    /// Gets to know how far the work is.
    pub progress: &'a dyn Progress,
}

/// What such a pruner returns.
pub struct FoundTree {
    /// The pruned tree.
    pub tree: Tree,
    /// The size of the tree before pruning.
    pub full: Size,
    /// Seconds for growing that tree.
    pub grow_seconds: f64,
    /// How wrong the tree will be, where that was measured.
    pub estimate: Option<Estimate>,
    /// The trees of the folds that it was chosen by, where they are wanted, each with its tree as pruned as the one that was found. They
    /// choose the λ of shrunk leaf values; without them it is the usual one.
    pub folds: Vec<(Arc<Grown>, Tree)>,
}
