//! An own pruner, an own criterion, and work that is cancelled.
#![allow(clippy::print_stdout, reason = "an example prints")]

use std::time::{Duration, Instant};

use secateur::criterion::{self, Impurity};
use secateur::method::{CV, For, HOLDOUT, MethodInfo, Needs, ONE_SE, ParamKind, ParamSpec, SE};
use secateur::prelude::*;
use secateur::prune::{self, Parameter, PruneKind, Pruner, Spacing, Tried};

/// Small nodes fall first: a node falls at its share of the weight.
static BY_SHARE: Pruner = Pruner {
    info: MethodInfo {
        id: "by-share",
        one_line: "small nodes fall first",
        paper: "none",
        params: &[ParamSpec::new("share", ParamKind::SHARE, "where nodes fall"), CV, HOLDOUT, ONE_SE, SE],
        needs: Needs::Folds,
        exceptions: &[],
    },
    only: For::Both,
    kind: PruneKind::Nested {
        parameter: Parameter { name: "share", spacing: Spacing::Geometric },
        tried: Tried::All(|_| 0.0),
        fall: |job| Ok(job.tree.nodes().iter().map(|node| node.weight / job.total()).collect()),
        cut: None,
    },
};

/// The root of Gini's impurity.
struct RootGini;

impl Impurity for RootGini {
    fn name(&self) -> &'static str {
        "root-gini"
    }

    fn impurity(&self, weights: &[f64], total: f64) -> f64 {
        (1.0 - weights.iter().map(|w| (w / total).powi(2)).sum::<f64>()).max(0.0).sqrt()
    }
}

/// Stops the work at a time.
struct Until(Instant);

impl Progress for Until {
    fn cancelled(&self) -> bool {
        Instant::now() >= self.0
    }
}

fn main() -> Result<()> {
    prune::register(&BY_SHARE)?;
    criterion::register(&RootGini)?;
    let table = secateur::data::builtin::load("credit")?;
    for scheme in ["cart/by-share:share=0.05", "cart:criterion=root-gini/by-share:cv=10,1se"] {
        let model = Fit::new(&table, "class").scheme(scheme).model()?;
        println!("{scheme}: {} leaves", model.tree.leaves());
    }
    let soon = Until(Instant::now() + Duration::from_millis(1));
    match Fit::new(&table, "class").scheme("cart/by-share:cv=200").progress(&soon).model() {
        Err(Error::Cancelled) => println!("cancelled after a millisecond"),
        other => println!("done: {} leaves", other?.tree.leaves()),
    }
    Ok(())
}
