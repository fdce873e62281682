//! What the options of a learner say of leaf values.

use crate::error::{Error, Result};
use crate::method::Method;
use crate::schema::Task;
use crate::tree::LeafValues;

/// The options that say nothing of growing: trees with and without them are the same up to what leaves say.
pub(super) const OF_LEAVES: [&str; 4] = ["leaf-values", "leaf-m", "leaf-lambda", "leaf-cv"];

/// What the options of a learner say of leaf values; whether rows choose is not known here.
pub(super) struct LeafOptions {
    /// The values, with the usual λ where none is given.
    pub values: LeafValues,
    /// Whether λ is left to rows to choose.
    pub is_open: bool,
    /// The folds to choose it by.
    pub folds: Option<usize>,
}

/// The leaf options of a learner: as given or by default.
pub(super) fn leaf_options(learner: &Method, task: Task) -> Result<LeafOptions> {
    let options = learner.options(task);
    let (lambda, folds) = (options.optional("leaf-lambda"), options.optional("leaf-cv"));
    if lambda.is_some() && folds.is_some() {
        return Err(Error::parameter(format!(
            "{}: leaf-lambda and leaf-cv contradict each other; give one",
            learner.info().id
        )));
    }
    let values = match options.word("leaf-values") {
        "laplace" => LeafValues::Laplace,
        "m" => LeafValues::M(options.number("leaf-m")),
        "shrink" => LeafValues::Shrink(lambda.unwrap_or(LeafValues::USUAL_LAMBDA)),
        _ => LeafValues::Raw,
    };
    let is_open = values.name() == "shrink" && lambda.is_none();
    Ok(LeafOptions { values, is_open, folds: folds.map(|folds| folds as usize) })
}
