//! Pruning a saved tree without its rows.

use crate::error::{Error, Result};
use crate::prune::k_norm::prior_counts;
use crate::prune::{Job, PruneKind};
use crate::scheme::Scheme;
use crate::select::{Pruning, Selector};
use crate::tree::Model;

/// Prunes a saved tree with a pruner that needs no rows; `with` is `PRUNER[:option=value,...]`.
pub fn prune_without_rows(model: Model, with: &str) -> Result<Model> {
    let learner = model.scheme.split('/').next().unwrap_or("cart").to_string();
    let scheme: Scheme = format!("{learner}/{with}").parse()?;
    let Some(method) = &scheme.pruner else { return Ok(model) };
    let pruning = Pruning::of(method, model.tree.task())?;
    let job = Job::with(&model.tree, &pruning.options);
    let needs_rows = |otherwise: &str| {
        Error::parameter(format!("{with} needs the data to choose by; use `fit`{otherwise}"))
    };
    if pruning.pruner.raising(&job).is_some() {
        return Err(needs_rows(", or leave out raising"));
    }
    let leaf = match (&pruning.pruner.kind, pruning.selector) {
        (PruneKind::Cut(cut), _) => cut(&job)?,
        (_, Some(Selector::Fixed(parameter))) => pruning.pruner.cut_at(&job, parameter)?,
        _ => {
            let fixed = pruning.pruner.parameter().map(|p| format!(", or give {} a value", p.name));
            return Err(needs_rows(&fixed.unwrap_or_default()));
        }
    };
    let counts = prior_counts(&model.tree, &pruning.options);
    let tree = model.tree.cut(&leaf).with_prior_counts(counts)?;
    Ok(Model { tree, scheme: scheme.to_string(), about: model.about })
}
