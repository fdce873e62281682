//! All settings of a grower.

use crate::criterion::Criterion;
use crate::schema::Task;

/// Which node is split next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The first branch is grown to its end before the second.
    DepthFirst,
    /// Level by level.
    BreadthFirst,
    /// The node whose split gains most (per row, as in Shi).
    BestFirst,
    /// The node whose split gains most, multiplied by the node's weight.
    BestFirstWeighted,
}

/// Which of several waiting nodes that gain the same is split first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ties {
    /// The node made first.
    Oldest,
    /// The node made last (the program behind Shi's tables).
    Newest,
}

/// How a nominal attribute splits a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NominalSplits {
    /// One branch per value; an attribute is used once on a path.
    Multiway,
    /// Two branches, each with a subset of the values.
    Subset,
}

/// What happens when a split leaves too few rows in a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MinLeafRule {
    /// That split is skipped and the best admissible one is taken.
    Point,
    /// When the best split is inadmissible the node becomes a leaf (Shi, Figure 3.7).
    Node,
}

/// What must be large enough in a branch, and in a node that is split. In a branch, the rows that have a value are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Count {
    /// The number of rows, whatever they weigh; a part of a row (others went elsewhere, as a value is missing) counts by its share. The
    /// unit of the weights does not matter.
    Shares,
    /// The weight.
    Weight,
    /// The number of rows. A row without a value goes to every branch in parts, and each part counts as a row (the program
    /// behind Shi's tables, as far as they show).
    Rows,
    /// The same in a branch, but shares in a node that is split (that program's later version, in Weka 3.6).
    LeafRows,
}

/// What becomes of rows without a value when a node is split, and what they mean for the gain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MissingGain {
    /// The gain on the rows with a value, times their share of the weight (C4.5).
    Known,
    /// The gain of the branches as they will be: with their parts of the rows without a value. By Gini that is the gain on
    /// the rows with a value, times the square of their share.
    Spread,
    /// They go to a branch, whole: of two branches to the one that gains more, and a branch of their own beside one for each value. A
    /// node may also be split into the rows with a value and those without. The gain is that of all rows.
    Branch,
}

/// Which number between two neighbouring values becomes the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ThresholdRule {
    /// The middle between them: what is smaller goes left.
    Midpoint,
    /// A value of the data (C4.5, J48): the largest one of all training rows that is not above the middle. What is not larger goes
    /// left, so new values above it and below the next value go right.
    DataValue,
}

/// What a leaf of a regression tree predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LeafValue {
    /// The mean.
    Mean,
    /// The median.
    Median,
}

/// How numeric columns are cut into a few intervals before growing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Discretise {
    /// Not at all: every value can be a threshold.
    Off,
    /// One cut at the median (El-Khouri, regression).
    Median,
    /// Cuts in the middle between the medians of the classes (El-Khouri, ID3).
    ClassMedians,
}

/// What to grow, and when to stop.
#[derive(Debug, Clone, PartialEq)]
pub struct GrowSpec {
    /// The criterion.
    pub criterion: Criterion,
    /// C4.5's guards on the gain ratio: only attributes of at least average gain compete, a numeric attribute's gain
    /// pays for the choice of its threshold, and numeric splits need a share of the rows on each side.
    pub guards: bool,
    /// How nominal attributes split.
    pub nominal: NominalSplits,
    /// A nominal attribute of more than ten values competes with what it gains beyond chance where a node has fewer than four rows for each of
    /// them: the more values for the same rows, the more they gain by chance alone. Names of rows would win everywhere.
    pub value_guard: bool,
    /// With more than two classes: up to how many values all subsets are tried (above, the principal component orders them).
    pub exhaustive: usize,
    /// Which node is next.
    pub order: Order,
    /// Which node is next among those that gain the same, in best-first orders.
    pub ties: Ties,
    /// The rows a branch must have: every branch of a binary split, two branches of a multiway split.
    pub min_leaf: f64,
    /// What `min_leaf`, `min_split` and the guards count; every part of a row counts as one with [`MinLeafRule::Node`] only.
    pub count: Count,
    /// What an inadmissible split leads to.
    pub min_leaf_rule: MinLeafRule,
    /// The rows a node must have to be split.
    pub min_split: f64,
    /// A split must gain more than this.
    pub min_gain: f64,
    /// Splits on a path, at most.
    pub max_depth: Option<usize>,
    /// Leaves of the tree, at most.
    pub max_leaves: Option<usize>,
    /// Splits of the tree, at most.
    pub max_splits: Option<usize>,
    /// A split must be significant at this level by the χ² test of independence (of weights scaled to add up to the rows of the node).
    pub chi2: Option<f64>,
    /// Regression: a node is split only while its mean squared error is larger than this.
    pub stop_mse: Option<f64>,
    /// Gains are rounded to this many decimals (a middle to the even neighbour) before attributes and nodes are compared.
    /// With classes, the gains of one attribute's splits are then computed plainly and compared as they are, to the last
    /// bit: of splits that gain the same, rounding errors choose, as in programs that compare so.
    pub gain_decimals: Option<u32>,
    /// What becomes of rows without a value; they are spread with `gain_decimals` and classes only.
    pub missing: MissingGain,
    /// How thresholds are placed.
    pub threshold: ThresholdRule,
    /// Thresholds are rounded to this many decimals (a middle to the even neighbour), wherever that sends the rows. If a
    /// branch then has too few rows, the node becomes a leaf.
    pub threshold_decimals: Option<u32>,
    /// What the leaves of a regression tree predict.
    pub leaf: LeafValue,
    /// Numeric columns with more values than this are cut into at most this many bins, of about the same weight each;
    /// thresholds then lie between bins. Faster for very large tables.
    pub bins: Option<usize>,
    /// How numeric columns are cut first.
    pub discretise: Discretise,
    /// Cuts per column, at most, after merging neighbours (with `discretise`).
    pub cuts: Option<usize>,
}

impl GrowSpec {
    /// Whether the number of leaves or splits is limited: then the order of growth matters.
    pub fn has_limit(&self) -> bool {
        self.max_leaves.is_some() || self.max_splits.is_some()
    }

    /// Nothing limits the tree. What learners say of the other fields by default stands in the tables of their options.
    pub(crate) fn unlimited(task: Task) -> Self {
        Self {
            criterion: match task {
                Task::Classification => Criterion::Gini,
                Task::Regression => Criterion::Mse,
            },
            guards: false,
            nominal: NominalSplits::Subset,
            value_guard: false,
            exhaustive: 0,
            order: Order::DepthFirst,
            ties: Ties::Oldest,
            min_leaf: 0.0,
            count: Count::Shares,
            min_leaf_rule: MinLeafRule::Point,
            min_split: 0.0,
            min_gain: 0.0,
            max_depth: None,
            max_leaves: None,
            max_splits: None,
            chi2: None,
            stop_mse: None,
            gain_decimals: None,
            missing: MissingGain::Known,
            threshold: ThresholdRule::Midpoint,
            threshold_decimals: None,
            leaf: LeafValue::Mean,
            bins: None,
            discretise: Discretise::Off,
            cuts: None,
        }
    }
}
