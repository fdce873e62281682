//! What a grower asks of the place where the rows are.

use crate::error::Result;
use crate::split::NodeCount;
use crate::tree::Condition;

/// The split an engine recommends for a node.
#[derive(Debug, Clone, PartialEq)]
pub struct BestSplit {
    /// How it sends rows to branches.
    pub condition: Condition,
    /// What it gains, in the unit of the coded target.
    pub gain: f64,
}

/// A place where rows are counted and sent to branches: memory, a stream of row groups, a cluster.
///
/// `Rows` is a handle for the rows of one frontier node. The grower decides which node is split when; the
/// engine answers with the best split of a node and the counts of its branches.
pub trait Engine {
    /// A handle for the rows of a node.
    type Rows;

    /// What the numbers of the target are multiplied by (see [`CodedTable::unit`](crate::data::CodedTable::unit)).
    fn unit(&self) -> f64 {
        1.0
    }

    /// All rows.
    fn root(&mut self) -> Result<(Self::Rows, NodeCount)>;

    /// The best admissible split of each of these nodes, if there is one.
    fn search(&mut self, nodes: &[(&Self::Rows, &NodeCount)]) -> Result<Vec<Option<BestSplit>>>;

    /// Sends the rows of a node to the branches of a condition: rows without a value go to every branch, with
    /// weight in proportion to the branch's known weight.
    fn split(&mut self, rows: Self::Rows, condition: &Condition) -> Result<Vec<(Self::Rows, NodeCount)>>;

    /// The rows of a node are not asked for again.
    fn release(&mut self, rows: Self::Rows);
}
