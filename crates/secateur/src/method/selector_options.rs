//! The options with which a member of a pruning path is chosen.

use super::{Choice, Exception, For, Law, ParamKind, ParamSpec};

/// The folds of a path that is cross-validated because nothing else is said.
pub(crate) const FOLDS: usize = 10;

/// The options that every path has.
pub const CV: ParamSpec = ParamSpec::new(
    "cv",
    ParamKind::Integer { min: 2, max: 1_000_000 },
    "choose by cross-validation with this many folds (10 where nothing else is said)",
);
/// See [`CV`].
pub const HOLDOUT: ParamSpec = ParamSpec::new(
    "holdout",
    ParamKind::Number { min: 0.0, open: true, max: 0.99 },
    "choose on a held-out share of the rows",
);
/// See [`CV`].
pub const ONE_SE: ParamSpec =
    ParamSpec::new("1se", ParamKind::Flag, "take the smallest tree within one standard error")
        .default("off")
        .except(&[ERRORS_OF_ROWS]);
/// See [`CV`].
pub const SE: ParamSpec = ParamSpec::new(
    "se",
    ParamKind::Number { min: 0.0, open: false, max: 100.0 },
    "take the smallest tree within this many standard errors",
)
.except(&[ERRORS_OF_ROWS]);
/// See [`CV`].
pub const CHOOSE_BY: ParamSpec = ParamSpec::new(
    "choose-by",
    ParamKind::Choice(&[Choice::any("error"), Choice::any("brier"), Choice::any("log-loss")]),
    "the loss of held-out rows that is lowest: errors (or their costs), Brier score, log loss",
)
.default("error")
.only(For::Classes);
const ERRORS_OF_ROWS: Exception =
    Exception::new(Law::RepeatedRows, "standard errors of folds count rows, whatever these weigh");
