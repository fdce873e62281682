//! The options of every learner: one table.

use crate::method::{Choice, Exception, For, Law, ParamKind, ParamSpec};
use crate::tree::LeafValues;

/// The defaults in which the learners differ; a pair is for classes and for numbers.
pub(super) struct Preset {
    pub criterion: (&'static str, &'static str),
    pub guards: &'static str,
    pub nominal: &'static str,
    /// `None`: the most useful node first where the number of leaves or splits is limited, else depth-first; without a limit the order changes no
    /// tree.
    pub order: Option<&'static str>,
    pub min_leaf: &'static str,
    pub threshold: &'static str,
    pub discretise: (&'static str, &'static str),
}
const LIMITS_COUNT_ROWS: Exception = Exception::new(
    Law::RepeatedRows,
    "min-leaf, min-split, guards and chi2 count rows, whatever these weigh",
);
const LIMITS_COUNT_WEIGHT: Exception =
    Exception::new(Law::UnitOfWeights, "min-leaf and min-split are weights").at("weight");
const LEAVES_COUNT_ROWS: Exception =
    Exception::new(Law::UnitOfWeights, "a row, m and λ are weights: a heavier row is more evidence");
const LAST_BIT: &str = "thresholds of one attribute are compared to the last bit of their gains";
const ROUNDED_GAINS_TIE: Exception =
    Exception::new(Law::OrderOfAttributes, "rounded gains are often equal: the first attribute is taken");
const CLEAN_SPLITS_TIE: Exception = Exception::new(
    Law::OrderOfAttributes,
    "the gain ratio is 1 wherever branches divide the classes cleanly: the first such attribute is taken",
)
.at("gain-ratio");
const FIRST_BRANCH: Exception = Exception::new(
    Law::OrderOfClasses,
    "depth-first growth begins with the first branch; which of two subsets comes first follows the classes",
);
const EQUAL_VALUES: Exception = Exception::new(
    Law::OrderOfClasses,
    "values with equal shares of the classes keep their order; where only min-leaf makes a cut between them the \
     best, it falls on the side of the first class",
);

/// The options of every learner: one table, as long as there are options.
#[allow(clippy::too_many_lines, reason = "a table")]
pub(super) const fn options(preset: &Preset) -> [ParamSpec; 29] {
    const COUNT: ParamKind = ParamKind::Integer { min: 0, max: u32::MAX as u64 };
    let order = ParamSpec::new(
        "order",
        ParamKind::Choice(
            const {
                &[
                    Choice::any("depth-first").beside("max-leaves=4"),
                    Choice::any("breadth-first"),
                    Choice::any("best-first"),
                    Choice::any("best-first-weighted"),
                ]
            },
        ),
        "which node is split next; best-first-weighted, the node that gains most in all, where max-leaves or max-splits is given",
    )
    .except(const { &[FIRST_BRANCH.at("depth-first")] });
    [
        ParamSpec::new(
            "criterion",
            ParamKind::OpenChoice(
                const {
                    &[
                        Choice::classes("gini"),
                        Choice::classes("entropy"),
                        Choice::classes("gain-ratio"),
                        Choice::numbers("mse"),
                        Choice::numbers("mae"),
                    ]
                },
                &crate::criterion::NAMES,
            ),
            "the impurity a split lowers",
        )
        .defaults(preset.criterion.0, preset.criterion.1)
        .except(const { &[CLEAN_SPLITS_TIE] }),
        ParamSpec::new("guards", ParamKind::Flag, "C4.5's corrections of the gain ratio: thresholds of numbers and of values in order pay log₂(tries)/n and leave more rows on each side")
            .default(preset.guards)
            .only(For::Classes)
            .requires("criterion", &["gain-ratio"]),
        ParamSpec::new(
            "nominal",
            ParamKind::Choice(const { &[Choice::any("multiway"), Choice::any("subset")] }),
            "nominal splits: a branch per value, or two subsets of the values",
        )
        .default(preset.nominal),
        ParamSpec::new(
            "value-guard",
            ParamKind::Flag,
            "nominal attributes of more than ten values compete with what they gain beyond chance where nodes have few rows for each",
        )
        .default("off"),
        ParamSpec::new(
            "exhaustive",
            ParamKind::Integer { min: 0, max: 20 },
            "with three or more classes: try all subsets of up to this many values",
        )
        .default("4")
        .only(For::Classes)
        .requires("nominal", &["subset"]),
        match preset.order {
            Some(word) => order.default(word),
            None => order.default_with(&["max-leaves", "max-splits"], "best-first-weighted"),
        },
        ParamSpec::new(
            "ties",
            ParamKind::Choice(const { &[Choice::any("oldest"), Choice::any("newest")] }),
            "of waiting nodes that gain the same, the one made first is split first, or the one made last",
        )
        .default("oldest")
        .requires("order", &["best-first", "best-first-weighted"]),
        ParamSpec::new("min-leaf", ParamKind::POSITIVE, "the rows a branch must have, whatever they weigh")
            .default(preset.min_leaf)
            .except(const { &[EQUAL_VALUES] }),
        ParamSpec::new(
            "min-leaf-rule",
            ParamKind::Choice(const { &[Choice::any("point"), Choice::any("node")] }),
            "too small a branch: take the next best split, or make the node a leaf",
        )
        .default("point"),
        ParamSpec::new(
            "count",
            ParamKind::Choice(
                const {
                    &[
                        Choice::any("shares"),
                        Choice::any("weight"),
                        Choice::any("rows").beside("min-leaf-rule=node"),
                        Choice::any("leaf-rows").beside("min-leaf-rule=node"),
                    ]
                },
            ),
            "what min-leaf and min-split count: rows, parts of them by their shares; weight; or every part as a row \
             (in leaves only), with min-leaf-rule=node",
        )
        .default("shares")
        .except(
            const { &[LIMITS_COUNT_ROWS.at("shares"), LIMITS_COUNT_ROWS.at("rows"), LIMITS_COUNT_ROWS.at("leaf-rows"), LIMITS_COUNT_WEIGHT] },
        ),
        ParamSpec::new("min-split", ParamKind::POSITIVE, "the rows a node must have to be split, whatever they weigh")
            .default("2"),
        ParamSpec::new("min-gain", ParamKind::POSITIVE, "a split must gain more than this").default("0"),
        ParamSpec::new(
            "gain-decimals",
            ParamKind::Integer { min: 1, max: 11 },
            "round gains to this many decimals before attributes are compared; within one, the last bit decides",
        )
        .except(const { &[Exception::new(Law::UnitOfWeights, LAST_BIT), Exception::new(Law::RepeatedRows, LAST_BIT), ROUNDED_GAINS_TIE] }),
        ParamSpec::new(
            "missing",
            ParamKind::Choice(
                const { &[Choice::any("known"), Choice::classes("spread").beside("gain-decimals=7"), Choice::any("branch")] },
            ),
            "rows without a value go down every branch, and the gain is that of the known rows times their share, or that of \
             branches over which the others are spread; or they go to a branch, which is chosen with the split",
        )
        .default("known"),
        ParamSpec::new("max-depth", COUNT, "splits on a path, at most"),
        ParamSpec::new(
            "max-leaves",
            ParamKind::Integer { min: 1, max: u32::MAX as u64 },
            "leaves of the tree, at most",
        ),
        ParamSpec::new("max-splits", COUNT, "splits of the tree, at most"),
        ParamSpec::new("chi2", ParamKind::SHARE, "a split must be significant at this level")
            .only(For::Classes),
        ParamSpec::new("stop-mse", ParamKind::POSITIVE, "split only nodes with a larger squared error")
            .only(For::Numbers),
        ParamSpec::new(
            "threshold",
            ParamKind::Choice(const { &[Choice::any("midpoint"), Choice::any("data-value")] }),
            "a test is x < the middle of two values, or x ≤ the largest training value up to the middle (C4.5)",
        )
        .default(preset.threshold)
        .requires("discretise", &["off"]),
        ParamSpec::new(
            "threshold-decimals",
            ParamKind::Integer { min: 0, max: 15 },
            "round thresholds to this many decimals; rows follow the rounded threshold",
        )
        .requires("threshold", &["midpoint"]),
        ParamSpec::new(
            "leaf",
            ParamKind::Choice(const { &[Choice::any("mean"), Choice::any("median")] }),
            "what a leaf predicts",
        )
        .default("mean")
        .only(For::Numbers),
        ParamSpec::new(
            "bins",
            ParamKind::Integer { min: 2, max: 65_534 },
            "cut numeric columns with more values into this many bins of equal size: faster on very large tables",
        )
        .requires("discretise", &["off"]),
        ParamSpec::new(
            "discretise",
            ParamKind::Choice(
                const { &[Choice::any("off"), Choice::any("median"), Choice::classes("class-medians")] },
            ),
            "cut numeric columns into a few intervals before growing",
        )
        .defaults(preset.discretise.0, preset.discretise.1),
        ParamSpec::new(
            "cuts",
            ParamKind::Integer { min: 1, max: u32::MAX as u64 },
            "cuts per column, at most, after merging neighbours",
        )
        .only(For::Classes)
        .requires("discretise", &["class-medians"]),
        ParamSpec::new(
            "leaf-values",
            ParamKind::Choice(
                const {
                    &[
                        Choice::any("raw"),
                        Choice::classes("laplace"),
                        Choice::any("m"),
                        Choice::any("shrink"),
                    ]
                },
            ),
            "what a leaf says: what was counted; a row more of every class; leaf-m rows more as at the root; or each \
             step from the root shrunk by leaf-lambda",
        )
        .default("raw")
        .except(const { &[LEAVES_COUNT_ROWS.at("laplace"), LEAVES_COUNT_ROWS.at("m"), LEAVES_COUNT_ROWS.at("shrink")] }),
        ParamSpec::new(
            "leaf-m",
            ParamKind::Number { min: 0.0, open: true, max: LeafValues::LARGEST },
            "the rows that the root adds to every leaf",
        )
        .default("2")
        .requires("leaf-values", &["m"]),
        ParamSpec::new(
            "leaf-lambda",
            ParamKind::Number { min: 0.0, open: false, max: LeafValues::LARGEST },
            "a step from a node of weight n is divided by 1 + leaf-lambda / n; not given: the best for the rows that choose the \
             pruning, else 10",
        )
        .requires("leaf-values", &["shrink"]),
        ParamSpec::new(
            "leaf-cv",
            ParamKind::Integer { min: 2, max: u32::MAX as u64 },
            "choose leaf-lambda by this many folds where the pruner chooses by none",
        )
        .requires("leaf-values", &["shrink"]),
    ]
}
