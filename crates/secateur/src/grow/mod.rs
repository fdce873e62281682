//! Growing: one incremental grower, of which the learners are presets.

mod block;
mod branches;
mod counting;
mod discretise;
mod engine;
mod finished;
#[cfg(test)]
mod floats_tests;
mod frontier;
mod grower;
mod histogram;
mod memory;
mod node_histograms;
mod parallel;
mod partial_tree;
mod rivals;
mod rounds;
mod row_counter;
mod search;
mod significance;
mod sorted_list;
mod sparse;
mod stepwise;
mod training;

pub use counting::{Counter, Counters, Counting};
pub use discretise::midpoints;
pub use engine::{BestSplit, Engine};
pub use grower::Grower;
pub use rivals::{Rival, rivals};
pub use rounds::{Budget, Shards, check_counts, grow_from_shards};
pub(crate) use rounds::{branching_of, no_rows};
pub use row_counter::RowCounter;
pub use significance::independence;
pub(crate) use stepwise::InMemory;
pub(crate) use stepwise::Stepwise;

use crate::data::CodedTable;
use crate::error::{Error, Result};
use crate::progress::{Progress, Stage};
use crate::schema::Task;
use crate::spec::{Count, Discretise, GrowSpec, MinLeafRule, MissingGain};
use crate::threads;
use crate::tree::Tree;
use block::Block;
use finished::Finished;
use memory::{Memory, Rows, Shared};
use partial_tree::PartialTree;
use training::Training;

/// Grows a tree from a coded table.
///
/// ```
/// use secateur::data::{CodedTable, Column, Nominal, Roles, Table, Values};
/// use secateur::grow::grow;
/// use secateur::schema::Task;
/// use secateur::spec::GrowSpec;
/// use secateur::progress::Silent;
///
/// let x = Column { name: "x".into(), values: Values::Numeric(vec![1.0, 2.0, 3.0, 4.0]) };
/// let class = Nominal { levels: vec!["a".into(), "b".into()], codes: vec![0, 0, 1, 1] };
/// let y = Column { name: "y".into(), values: Values::Nominal(class) };
/// let table = Table::new("tiny", vec![x, y]).unwrap();
/// let coded = CodedTable::new(&table, &Roles::default()).unwrap();
/// let tree = grow(&coded, &GrowSpec::cart(Task::Classification), &Silent).unwrap();
/// assert_eq!((tree.leaves(), tree.training_error()), (2, 0.0));
/// ```
pub fn grow(table: &CodedTable, spec: &GrowSpec, progress: &dyn Progress) -> Result<Tree> {
    grow_weighted(table, None, spec, progress)
}

/// Grows a tree with other row weights than the table's own (a fold is a weight vector; weight 0 leaves a row out).
pub fn grow_weighted(
    table: &CodedTable,
    weights: Option<&[f64]>,
    spec: &GrowSpec,
    progress: &dyn Progress,
) -> Result<Tree> {
    check(table, weights, spec)?;
    ask_for_class_counts(table, spec)?;
    let training = Training::new(table, weights, spec)?;
    if !spec.has_limit() {
        return parallel::grow(&training, spec, progress);
    }
    Ok(Finished::new(&training.table, spec).into_tree(limited_part(&training, spec, 0, progress)?))
}

/// Asks for the memory of what every node counts of every class, where each class has a leaf. With very many classes it is much more
/// than the table, and would be missing only after a long time.
fn ask_for_class_counts(table: &CodedTable, spec: &GrowSpec) -> Result<()> {
    let classes = table.classes();
    let by_depth = spec.max_depth.map(|depth| 1usize.checked_shl(depth as u32).unwrap_or(usize::MAX));
    let by_splits = spec.max_splits.map(|splits| splits.saturating_add(1));
    let by_rows = (table.rows() as f64 / spec.min_leaf.max(1.0)) as usize;
    let limits = [Some(by_rows), spec.max_leaves, by_splits, by_depth];
    let leaves = limits.into_iter().flatten().fold(classes, usize::min).max(1);
    let bytes = (2 * leaves - 1).saturating_mul(classes).saturating_mul(size_of::<f64>());
    crate::memory::ask(
        bytes,
        &format!("the counts of {classes} classes in a tree of {} nodes", 2 * leaves - 1),
    )
}

/// Grows what is below a node at a depth up to the limits of the spec: the order decides which splits are made before one is reached.
fn limited_part(
    training: &Training,
    spec: &GrowSpec,
    depth: u32,
    progress: &dyn Progress,
) -> Result<PartialTree<Rows>> {
    let block = Block::root(training)?;
    let shared = Shared::new(training, spec);
    let mut grower = Grower::at_depth(Memory::new(block, &shared, threads::count() > 1), spec, depth)?;
    // A split makes one leaf more, at least.
    let by_leaves = spec.max_leaves.map(|leaves| leaves.saturating_sub(1));
    let most = by_leaves.into_iter().chain(spec.max_splits).min().unwrap_or(0);
    let stage = Stage::begin(progress, "growing", most as u64);
    while grower.expand()? {
        stage.advance(1);
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
    }
    stage.finish();
    Ok(grower.into_sprouts())
}

/// The table that a tree is grown from: the rows that have weight, with their numbers cut as the spec says.
pub fn cut_for(table: &CodedTable, spec: &GrowSpec) -> Result<CodedTable> {
    Ok(Training::new(table, None, spec)?.table.into_owned())
}

fn check(table: &CodedTable, weights: Option<&[f64]>, spec: &GrowSpec) -> Result<()> {
    let task = table.task();
    if spec.criterion.task() != task {
        let fitting = match task {
            Task::Classification => "gini, entropy or gain-ratio",
            Task::Regression => "mse or mae",
        };
        return Err(Error::parameter(format!(
            "the target holds {}, which the criterion {} does not fit; use {fitting}",
            task.target(),
            spec.criterion.name()
        )));
    }
    if task == Task::Regression && spec.chi2.is_some() {
        return Err(Error::parameter("the χ² test is for classes; the target holds numbers"));
    }
    if task == Task::Classification && spec.stop_mse.is_some() {
        return Err(Error::parameter(
            "stopping by the mean squared error is for numbers; the target holds classes",
        ));
    }
    if task == Task::Regression && spec.discretise == Discretise::ClassMedians {
        return Err(Error::parameter("cutting at class medians needs classes; use discretise=median"));
    }
    if spec.bins.is_some() && (spec.discretise != Discretise::Off || spec.threshold_decimals.is_some()) {
        return Err(Error::parameter("bins go with neither discretise nor threshold-decimals"));
    }
    if spec.missing == MissingGain::Spread && (task == Task::Regression || spec.gain_decimals.is_none()) {
        return Err(Error::parameter("missing=spread is for classes and needs gain-decimals, such as 7"));
    }
    if matches!(spec.count, Count::Rows | Count::LeafRows) && spec.min_leaf_rule != MinLeafRule::Node {
        return Err(Error::parameter("count=rows and count=leaf-rows go with min-leaf-rule=node only"));
    }
    if let Some(weights) = weights
        && (weights.len() != table.rows()
            || weights.iter().any(|w| !w.is_finite() || *w < 0.0)
            || weights.iter().all(|w| *w == 0.0))
    {
        return Err(Error::parameter(
            "row weights must be one number of at least 0 for every row, and not all 0",
        ));
    }
    Ok(())
}
