//! Pruning a saved tree without its rows.

use crate::error::{Error, Result};
use crate::prune::k_norm::prior_counts;
use crate::prune::{Job, PruneKind, Pruner};
use crate::scheme::Scheme;
use crate::select::Selector;
use crate::tree::Model;

/// Prunes a saved tree with a pruner that needs no rows; `with` is `PRUNER[:option=value,...]`.
pub fn prune_without_rows(model: Model, with: &str) -> Result<Model> {
    let learner = model.scheme.split('/').next().unwrap_or("cart").to_string();
    let scheme: Scheme = format!("{learner}/{with}").parse()?;
    let Some(method) = &scheme.pruner else { return Ok(model) };
    let pruner = Pruner::of(method)?;
    let task = model.tree.task();
    method.check(task)?;
    pruner.check(task)?;
    let job = Job::new(&model.tree, method);
    let needs_rows = |otherwise: &str| {
        Error::parameter(format!("{with} needs the data to choose by; use `fit`{otherwise}"))
    };
    if pruner.raising(&job).is_some() {
        return Err(needs_rows(", or leave out raising"));
    }
    let leaf = match &pruner.kind {
        PruneKind::Cut(cut) => cut(&job)?,
        PruneKind::Nested { .. } | PruneKind::Order(_) | PruneKind::Family { .. } => {
            match Selector::of(method, pruner, task)? {
                Selector::Fixed(p) => pruner.cut_at(&job, p)?,
                _ => {
                    let own = pruner.parameter().map_or("", |p| p.name);
                    return Err(needs_rows(&format!(", or give {own} a value")));
                }
            }
        }
        PruneKind::HeldOut(_) | PruneKind::Pre | PruneKind::Tuned => return Err(needs_rows("")),
    };
    let counts = prior_counts(&model.tree, method);
    let tree = model.tree.cut(&leaf).with_prior_counts(counts)?;
    Ok(Model { tree, scheme: scheme.to_string(), about: model.about })
}
