//! A pruner from outside the library: registered, it is held to the laws of the others.

use secateur::method::{CV, For, HOLDOUT, MethodInfo, Needs, ONE_SE, ParamKind, ParamSpec, SE};
use secateur::prune::{self, Parameter, PruneKind, Pruner, Spacing, Tried};

/// A node falls at its share of the weight.
pub static BY_SHARE: Pruner = Pruner {
    info: MethodInfo {
        id: "by-share",
        one_line: "small nodes fall first",
        paper: "none",
        params: &[
            ParamSpec::new("share", ParamKind::POSITIVE, "the share of the weight at which a node falls"),
            CV,
            HOLDOUT,
            ONE_SE,
            SE,
        ],
        needs: Needs::Folds,
        exceptions: &[],
    },
    only: For::Both,
    kind: PruneKind::Nested {
        parameter: Parameter { name: "share", spacing: Spacing::Geometric },
        tried: Tried::All(|_| 0.0),
        fall: |job| Ok(job.tree.nodes().iter().map(|node| rounded(node.weight / job.total())).collect()),
        cut: None,
    },
};

/// Shares that are equal stay so, whatever the unit of the weights.
fn rounded(share: f64) -> f64 {
    (share * 1e12).round() / 1e12
}

/// All pruners, and the one from outside among them.
pub fn pruners() -> Vec<&'static Pruner> {
    prune::register(&BY_SHARE).unwrap();
    prune::pruners()
}
