//! Runner-up splits of the heaviest nodes.

use serde::Serialize;

use super::columns::Test;
use super::number::{Number, rough, steps};
use crate::criterion::Criterion;
use crate::data::CodedTable;
use crate::error::Result;
use crate::grow::rivals;
use crate::progress::Progress;
use crate::spec::GrowSpec;
use crate::tree::{NodeId, Tree};

/// Nodes that are shown, and how many runner-ups of each.
const NODES: usize = 2_000;
const EACH: usize = 3;

/// Values that a list may have to be written out.
const VALUES: usize = 40;

/// The runner-ups, node after node.
#[derive(Debug, Serialize)]
pub(super) struct Rivals {
    /// The nodes, ascending, each as its distance from the one before.
    nodes: Vec<i64>,
    /// How many runner-ups each has.
    count: Vec<usize>,
    attribute: Vec<usize>,
    /// Without the attribute; nothing for long lists of values.
    test: Vec<Option<Test>>,
    gain: Vec<Number>,
    /// Where splits are compared by their gain ratio: that of every node's own split, and that of every runner-up.
    #[serde(skip_serializing_if = "Option::is_none")]
    own_ratio: Option<Vec<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<Vec<Number>>,
    /// How many nodes have no runner-ups here, being too light.
    untold: usize,
}

impl Rivals {
    pub(super) fn of(
        tree: &Tree,
        (table, weights): (&CodedTable, Option<&[f64]>),
        spec: &GrowSpec,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let splits: Vec<NodeId> = (0..tree.nodes().len()).filter(|&id| !tree.is_leaf(id)).collect();
        let nodes = heaviest(tree, splits.clone(), NODES);
        let found = rivals(table, weights, spec, tree, &nodes, progress)?;
        let (mut told, mut own) = (Vec::new(), Vec::new());
        let mut count = Vec::with_capacity(nodes.len());
        for (&id, list) in nodes.iter().zip(found) {
            let taken = tree.node(id).condition.as_ref().map(|c| c.attribute());
            let (mine, others): (Vec<_>, Vec<_>) =
                list.into_iter().partition(|rival| Some(rival.condition.attribute()) == taken);
            own.push(mine.first().map_or(f64::NAN, |rival| rival.score));
            count.push(others.len().min(EACH));
            told.extend(others.into_iter().take(EACH));
        }
        let has_ratio = spec.criterion == Criterion::GainRatio;
        Ok(Self {
            untold: splits.len() - nodes.len(),
            nodes: steps(nodes),
            count,
            attribute: told.iter().map(|rival| rival.condition.attribute()).collect(),
            test: told.iter().map(|rival| Some(Test::of(&rival.condition)).filter(Test::is_short)).collect(),
            gain: rough(told.iter().map(|rival| rival.gain)),
            own_ratio: has_ratio.then(|| rough(own)),
            ratio: has_ratio.then(|| rough(told.iter().map(|rival| rival.score))),
        })
    }
}

impl Test {
    fn is_short(&self) -> bool {
        match self {
            Self::Subsets([left, right]) | Self::SubsetsOrMissing(left, right, _) => {
                left.len() + right.len() <= VALUES
            }
            _ => true,
        }
    }
}

/// This many of some nodes, the heaviest ones, in the order of the tree.
pub(super) fn heaviest(tree: &Tree, mut nodes: Vec<NodeId>, most: usize) -> Vec<NodeId> {
    nodes.sort_by(|&a, &b| tree.node(b).weight.total_cmp(&tree.node(a).weight).then(a.cmp(&b)));
    nodes.truncate(most);
    nodes.sort_unstable();
    nodes
}
