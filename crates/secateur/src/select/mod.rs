//! Selectors: which member of a pruning path is taken.

mod cross_validate;
mod members;
mod pruning;

pub use cross_validate::{FoldPaths, Probes, Question};
pub(crate) use members::{Asked, Extent, Losses, Members, tree_losses};
pub use pruning::Pruning;

use crate::error::{Error, Result};
use crate::method::{FOLDS, Needs, Options};
use crate::prune::{PruneKind, Pruner};

/// How a member of a path is picked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Selector {
    /// The member at a given parameter.
    Fixed(f64),
    /// The least error on a held-out share of the rows, within this many standard errors.
    HeldOut {
        /// The share.
        share: f64,
        /// Standard errors.
        se: f64,
    },
    /// The least cross-validated error, within this many standard errors.
    CrossValidated {
        /// The number of folds.
        folds: usize,
        /// Standard errors.
        se: f64,
    },
}

impl Selector {
    /// What the options of a pruner say; `None` where it chooses nothing. The path's own parameter fixes the member; a default of
    /// `cv` or of the parameter counts only when nothing else is given.
    pub fn of(pruner: &Pruner, options: &Options) -> Result<Option<Self>> {
        Ok(match pruner.kind {
            PruneKind::Nested { .. } | PruneKind::Order(_) | PruneKind::Family { .. } => {
                Some(Self::of_path(pruner, options)?)
            }
            PruneKind::Cut(_) => None,
            PruneKind::HeldOut(_) => Some(Self::HeldOut { share: options.number("holdout"), se: 0.0 }),
            PruneKind::Own { .. } if pruner.info.needs == Needs::Folds => {
                let one_se = options.has("1se") && options.flag("1se");
                let folds = options.number("cv") as usize;
                Some(Self::CrossValidated { folds, se: if one_se { 1.0 } else { 0.0 } })
            }
            PruneKind::Own { .. } => None,
        })
    }

    fn of_path(pruner: &Pruner, options: &Options) -> Result<Self> {
        let number = |name: &str| if options.has(name) { options.optional(name) } else { None };
        let id = pruner.info.id;
        let own = pruner.parameter().map(|p| p.name).unwrap_or_default();
        let ways: Vec<&str> = [own, "cv", "holdout"].into_iter().filter(|name| options.given(name)).collect();
        if ways.len() > 1 {
            return Err(Error::parameter(format!(
                "{id}: {} and {} contradict each other; give one",
                ways[0], ways[1]
            )));
        }
        let one = options.has("1se") && options.flag("1se");
        if one && options.given("se") {
            return Err(Error::parameter(format!("{id}: 1se and se contradict each other; give one")));
        }
        let se = number("se").unwrap_or(if one { 1.0 } else { 0.0 });
        // Without a way that is given, the first that has a default; a path whose parameter has none is cross-validated.
        let way = ways.first().copied();
        let way = way.or_else(|| ["cv", "holdout", own].into_iter().find(|name| number(name).is_some()));
        Ok(match way {
            None => Self::CrossValidated { folds: FOLDS, se },
            Some("cv") => Self::CrossValidated { folds: options.number("cv") as usize, se },
            Some("holdout") => Self::HeldOut { share: options.number("holdout"), se },
            Some(_) if one || options.given("se") => {
                return Err(Error::parameter(format!(
                    "{id}: standard errors need cv=… or holdout=… to choose by"
                )));
            }
            Some(own) => Self::Fixed(options.number(own)),
        })
    }
}
