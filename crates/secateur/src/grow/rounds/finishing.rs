//! Nodes whose rows fit into memory, finished there.

use super::making::{State, nothing};
use super::searching::scales;
use super::trunk::Trunk;
use super::{At, Rounds, Shards, needs_values};
use crate::data::codes::{Code, each_width};
use crate::data::{CodedTable, Codes};
use crate::error::Result;
use crate::grow::limited_part;
use crate::grow::memory::Rows;
use crate::grow::parallel::grow_part;
use crate::grow::partial_tree::PartialTree;
use crate::grow::training::Training;
use crate::shard::{Coding, Taken, Wanted};
use crate::split::Sizes;
use crate::sums::Steps;

/// The bytes that a row takes while its node is finished in memory: coded, with a class and a place in the lists of rows; numbers are
/// eight bytes.
pub(super) fn bytes_of_row(coding: &Coding) -> usize {
    let weights = if coding.has_weights() { 16 } else { 0 };
    2 * coding.row_bytes() + 24 + weights
}

impl Rounds<'_> {
    /// Takes the rows of some nodes into memory, group by group, and grows what is below them.
    pub(super) fn take_into_memory(&mut self, shards: &mut dyn Shards, nodes: &[At]) -> Result<()> {
        let asked: Vec<(At, Wanted)> = nodes.iter().map(|at| (*at, Wanted::default())).collect();
        let (question, order) = self.question(&asked);
        // Nodes share a pass as long as their rows fit together.
        let (mut groups, mut group, mut bytes) = (Vec::with_capacity(order.len()), 0, 0.0);
        for &(t, node) in &order {
            let rows = match &self.trees[t].nodes[node as usize] {
                State::New(new) => new.rows,
                _ => 0.0,
            };
            let own = rows * bytes_of_row(self.coding) as f64;
            if bytes > 0.0 && bytes + own > self.budget.rows as f64 {
                group += 1;
                bytes = 0.0;
            }
            bytes += own;
            groups.push(group);
        }
        let mut given = vec![false; order.len()];
        shards.take(&question, &groups, &mut |number, taken| {
            given[number] = true;
            self.finish_node(order[number], taken)
        })?;
        for (at, _) in order.iter().zip(&given).filter(|(_, given)| !**given) {
            self.trees[at.0].nodes[at.1 as usize] = State::Leaf;
        }
        Ok(())
    }

    /// Grows what is below a node from its rows.
    fn finish_node(&mut self, (t, node): At, taken: Taken) -> Result<()> {
        if node == 0 && self.trees[t].without.is_some() && needs_values(self.spec) {
            let columns = &taken.rows.columns;
            self.trees[t].scales =
                Some(scales(&self.table, |c| occurring(&columns[c], self.coding.cardinality(c))));
        }
        let own = self.own_table(&self.trees[t]);
        let stub = own.as_ref().unwrap_or(&self.table);
        let sizes = self.coding.sizes(self.spec.count);
        let steps = if node == 0 { of_all(&taken) } else { self.trees[t].steps };
        let training = training(self.coding, stub, taken, sizes, steps)?;
        let tree = &self.trees[t];
        let depth = tree.partial.as_ref().map_or(0, |s| s.nodes[node as usize].depth);
        let is_limited = self.spec.has_limit();
        let (part, below) = if is_limited {
            (limited_part(&training, self.spec, depth, self.progress)?, Vec::new())
        } else {
            let keep = |all: &mut Vec<(u32, PartialTree<Rows>)>, node: u32, subtree: PartialTree<Rows>| {
                all.push((node, subtree));
                Ok(())
            };
            grow_part(&training, self.spec, depth, self.progress, (Vec::new(), keep))?
        };
        drop(training);
        let tree = &mut self.trees[t];
        tree.nodes[node as usize] = State::Leaf;
        let partial = tree.partial.get_or_insert_with(|| Trunk::new(&nothing(self.coding)));
        // Node `i > 0` of the part gets the number `shift + i`.
        let shift = partial.nodes.len() as u32 - 1;
        partial.graft(node, part);
        for (below, subtree) in below {
            partial.graft(if below == 0 { node } else { shift + below }, subtree);
        }
        if let Some(partial) = &tree.partial {
            tree.nodes.resize_with(partial.nodes.len(), || State::Leaf);
        }
        self.check_memory()
    }
}

/// The codes that occur, ascending; a missing value is none.
fn occurring(codes: &Codes, missing: u32) -> Vec<u32> {
    let mut occurs = vec![false; missing as usize + 1];
    each_width!(codes, list => list.iter().for_each(|code| occurs[code.wide() as usize] = true));
    (0..missing).filter(|&code| occurs[code as usize]).collect()
}

/// What parts of rows are rounded to in a tree that is grown from these rows.
fn of_all(taken: &Taken) -> (Steps, Steps) {
    let rows = taken.rows.rows() as f64;
    let weight = taken.rows.weights.as_ref().map_or(rows, |weights| weights.iter().sum());
    (Steps::below(weight), Steps::below(rows))
}

/// The rows of a node as a table to grow from.
fn training(
    coding: &Coding,
    stub: &CodedTable,
    taken: Taken,
    sizes: Sizes,
    steps: (Steps, Steps),
) -> Result<Training<'static>> {
    let table = coding.table(taken.rows)?.with_scales_of(stub);
    let shares = taken.shares.filter(|shares| sizes == Sizes::Shares && shares.iter().any(|s| *s != 1.0));
    Ok(Training::of_node(table, sizes, shares, steps))
}
