//! Error-based pruning with both its parameters tuned: the minimum leaf weight of growing and the confidence of pruning.
//!
//! From the learner's `min-leaf` and the given `cf`, the tuner moves to the best of the four neighbours (one step up or down in
//! one of them) until none is better ([`hill_climb`](super::intermediate::hill_climb)). A pair is judged by cross-validation
//! inside the rows to learn from; Holder used the test rows and says so: his numbers show what is possible, not what a user
//! would get.
//!
//! Source: L. B. Holder (1995), *Intermediate decision trees*, IJCAI, section on experiments. Costs ten growths for every
//! minimum leaf weight on the way; confidences cost pruning alone.

use crate::method::CV;
use crate::method::{Exception, For, Law, MethodInfo, Needs, ParamKind, ParamSpec};
use crate::prune::{PruneKind, Pruner};

/// Error-based pruning, tuned.
pub static PRUNER: Pruner = Pruner {
    info: MethodInfo {
        id: "tuned",
        one_line: "error-based pruning with min-leaf and cf found by hill climbing",
        paper: "Holder: Intermediate Decision Trees, 1995",
        params: &[
            CV.default("10"),
            ParamSpec::new("cf", ParamKind::SHARE, "the confidence to start from").default("0.25"),
            ParamSpec::new(
                "leaf-step",
                ParamKind::Number { min: 0.0, open: true, max: 1e9 },
                "the step in min-leaf, which starts from the learner's",
            )
            .default("1"),
            ParamSpec::new("cf-step", ParamKind::SHARE, "the step in the confidence").default("0.05"),
        ],
        needs: Needs::Folds,
        exceptions: &[
            Exception::new(
                Law::UnitOfWeights,
                "confidence limits narrow with the weight: a heavier row is more evidence",
            ),
            Exception::new(Law::Subtree, "the tree is grown with the min-leaf that was found"),
        ],
    },
    only: For::Classes,
    kind: PruneKind::Tuned,
};
