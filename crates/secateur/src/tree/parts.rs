//! One row on its way down a tree, in parts where a value is missing or unknown.

use super::{NodeId, Tree, share_out};
use crate::schema::Cell;

impl Tree {
    /// Shows every node that a row reaches with the share of the row that does, a node before what is below it and the first
    /// branch before the second. `visit` also gets whether that share of the row ends there.
    ///
    /// Where the row has no known value it goes down every branch in proportion to the branches' weights
    /// ([`share_out`]). Where no branch has weight, or the share is too small to divide, the share of the row ends at the
    /// node, and the node itself answers.
    #[inline]
    pub(crate) fn walk(
        &self,
        cell: impl Fn(usize) -> Cell,
        stack: &mut Vec<(NodeId, f64)>,
        mut visit: impl FnMut(NodeId, f64, bool),
    ) {
        let nodes = self.nodes();
        stack.clear();
        stack.push((0, 1.0));
        while let Some((mut id, share)) = stack.pop() {
            loop {
                let (Some(condition), Some(first)) = (&nodes[id].condition, nodes[id].first_child) else {
                    visit(id, share, true);
                    break;
                };
                let first = first as usize;
                if let Some(branch) = condition.route(cell(condition.attribute())) {
                    visit(id, share, false);
                    id = first + branch;
                    continue;
                }
                let children = &nodes[first..first + condition.branches()];
                let shares = share_out(children.iter().map(|child| child.weight)).map(|s| share * s);
                let before = stack.len();
                stack.extend(shares.enumerate().rev().filter(|&(_, s)| s > 0.0).map(|(b, s)| (first + b, s)));
                visit(id, share, stack.len() == before);
                break;
            }
        }
    }
}
