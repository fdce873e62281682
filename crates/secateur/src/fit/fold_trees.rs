//! The trees that a fit was chosen by, each with the rows that it has not seen.

use super::Fitted;
use super::leaves::FoldTree;
use crate::error::Result;
use crate::tree::Tree;

/// A tree with the rows it was judged by.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedBy {
    /// The tree, pruned at the parameter that was chosen.
    pub tree: Tree,
    /// The weights of the rows held out from it.
    pub held: Vec<f64>,
}

/// The trees of the folds (or the one tree of a held-out part) that a fit was chosen by, pruned and with leaf values as its tree is; none where
/// it chose nothing on rows.
pub fn judging_trees(fitted: &Fitted) -> Result<Vec<JudgedBy>> {
    let judged = |FoldTree { grown, tree }: &FoldTree| {
        let tree = tree.clone().with_leaf_values(fitted.tree.leaf_values())?;
        Ok(JudgedBy { tree, held: grown.held.clone() })
    };
    fitted.judges.0.iter().map(judged).collect()
}
