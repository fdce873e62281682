//! What pruners count that weigh evidence: rows, or weight.
//!
//! A prior count, a confidence limit or the bits of a code say how much is known, and that is a matter of rows: weights
//! of 1/n, or of a thousand people each, prune like no weights at all. So a [`Job`](super::Job) hands these pruners the tree with
//! weights in units of what a row weighs on average. Where a weight of 3 stands for three rows, `count=weight` says so.

use crate::method::{Choice, Exception, Law, ParamKind, ParamSpec};

/// What a pruner counts as one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Counted {
    /// A row of average weight.
    #[default]
    Rows,
    /// Weight 1: a row of weight 3 stands for three.
    Weight,
}

words!(Counted { Rows = "rows", Weight = "weight" });

/// The option of pruners that weigh evidence.
pub(super) const COUNT: ParamSpec = ParamSpec::new(
    "count",
    ParamKind::Choice(&[Choice::any("rows"), Choice::any("weight")]),
    "what counts as one row: a row of average weight; or weight 1, where a weight of 3 stands for three rows",
)
.default("rows")
.except(&[
    Exception::new(Law::RepeatedRows, "a row is one row, whatever it weighs").at("rows"),
    Exception::new(Law::UnitOfWeights, "a heavier row is more evidence").at("weight"),
]);
