//! Selectors: which member of a pruning path is taken.

mod cross_validate;
mod folds;
mod members;
mod pre;
mod priors;
mod rule;
mod tree_cache;

pub use cross_validate::{Average, Question, Validated, cross_validate};
pub(crate) use folds::shuffle;
pub use folds::{Folds, held_out};
pub(crate) use members::{Extent, Members};
pub use pre::{Stopped, StoppingRule, stop_early, stopping_point};
pub use rule::Curve;
pub use tree_cache::{FitOptions, Grown, TreeCache};

use crate::error::{Error, Result};
use crate::method::{Method, Value};
use crate::prune::Pruner;
use crate::schema::Task;

/// How a member of a path is picked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Selector {
    /// The member at a given parameter.
    Fixed(f64),
    /// The least error on a held-out share of the rows, within so many standard errors.
    HeldOut {
        /// The share.
        share: f64,
        /// Standard errors.
        se: f64,
    },
    /// The least cross-validated error, within so many standard errors.
    CrossValidated {
        /// The number of folds.
        folds: usize,
        /// Standard errors.
        se: f64,
    },
}

impl Selector {
    /// What the options of a path say. The path's own parameter fixes the member; a default of `cv` or of the parameter
    /// counts only when nothing else is given.
    pub fn of(method: &Method, pruner: &Pruner, task: Task) -> Result<Self> {
        let given = |name: &str| method.given().iter().any(|(spec, _)| spec.name == name);
        let number = |name: &str| match method.value(name, task) {
            Some(Value::Number(x)) => Some(x),
            Some(Value::Integer(x)) => Some(x as f64),
            _ => None,
        };
        let id = method.info().id;
        let own = pruner.parameter().map(|p| p.name).unwrap_or_default();
        let ways: Vec<&str> = [own, "cv", "holdout"].into_iter().filter(|name| given(name)).collect();
        if ways.len() > 1 {
            return Err(Error::parameter(format!(
                "{id}: {} and {} contradict each other; give one",
                ways[0], ways[1]
            )));
        }
        if given("1se") && given("se") {
            return Err(Error::parameter(format!("{id}: 1se and se contradict each other; give one")));
        }
        let grace = given("1se") || given("se");
        let one = method.value("1se", task) == Some(Value::Flag(true));
        let se = number("se").unwrap_or(if one { 1.0 } else { 0.0 });
        let way = ways
            .first()
            .copied()
            .or_else(|| ["cv", "holdout", own].into_iter().find(|n| number(n).is_some()));
        match way {
            Some("cv") => Ok(Self::CrossValidated { folds: number("cv").unwrap_or(10.0) as usize, se }),
            Some("holdout") => Ok(Self::HeldOut { share: number("holdout").unwrap_or(0.1), se }),
            Some(_) if grace => {
                Err(Error::parameter(format!("{id}: standard errors need cv=… or holdout=… to choose by")))
            }
            Some(own) => Ok(Self::Fixed(number(own).unwrap_or(0.0))),
            // A path whose parameter has no default is cross-validated.
            None => Ok(Self::CrossValidated { folds: 10, se }),
        }
    }
}
