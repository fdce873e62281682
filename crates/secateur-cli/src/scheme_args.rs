//! The scheme of a call: the one that is named or the default, with the limits and leaf values that flags set.

use clap::Args;
use secateur::scheme::Scheme;

use crate::args::RoleArgs;
use crate::failure::{Failure, Hint, Result};
use crate::leaf_values::NamedLeafValues;

/// Where to look for schemes.
pub const SCHEMES: &str = "`secateur schemes` lists all learners and pruners with their options";

/// A scheme, and the options of its learner that have flags of their own.
#[derive(Args)]
pub struct SchemeArgs {
    /// LEARNER[:option=value,...][/PRUNER[:option=value,...]] [default: `secateur schemes` names it for classes and for numbers]
    #[arg(long, short)]
    scheme: Option<String>,
    /// The most leaves a tree may have; the nodes that help most are split first
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_leaves: Option<String>,
    /// The most splits between the root and a leaf
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_depth: Option<String>,
    /// The fewest training rows a leaf may have
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    min_leaf: Option<String>,
    /// Leaf values: raw, laplace, m[=2] or shrink[=10]; the scheme's options leaf-values, leaf-m and leaf-lambda
    #[arg(long, value_name = "VALUES")]
    leaf_values: Option<NamedLeafValues>,
}

impl SchemeArgs {
    /// The scheme that is named, checked as far as the call allows.
    pub fn given(&self, columns: &RoleArgs) -> Result<Option<Scheme>> {
        let Some(text) = &self.scheme else { return Ok(None) };
        let scheme = self.with_flags(text.parse().hint(SCHEMES)?)?;
        if let Some(task) = columns.task() {
            scheme.check(task).hint(SCHEMES)?;
        }
        Ok(Some(scheme))
    }

    /// The scheme that is named, or this default with what the flags say.
    pub fn or_else(
        &self,
        given: Option<Scheme>,
        usual: impl FnOnce() -> secateur::Result<Scheme>,
    ) -> Result<Scheme> {
        match given {
            Some(scheme) => Ok(scheme),
            None => self.with_flags(usual()?),
        }
    }

    /// Refuses flags that change the scheme where none is named: the default for streamed tables depends on their rows.
    pub fn check_streamed(&self) -> Result<()> {
        let leaves = self.leaf_values.as_ref().map(|_| "--leaf-values");
        match self.limits().first().map(|limit| limit.0).or(leaves) {
            Some(flag) if self.scheme.is_none() => Err(Failure::call(format!(
                "{flag} needs --scheme for a table that is larger than the memory, such as --scheme cart:bins=255"
            ))),
            _ => Ok(()),
        }
    }

    /// The limits that are set: flag, option and value.
    fn limits(&self) -> Vec<(&'static str, &'static str, &str)> {
        let all = [
            ("--max-leaves", "max-leaves", &self.max_leaves),
            ("--max-depth", "max-depth", &self.max_depth),
            ("--min-leaf", "min-leaf", &self.min_leaf),
        ];
        all.into_iter().filter_map(|(flag, option, value)| Some((flag, option, value.as_deref()?))).collect()
    }

    /// A scheme with what the flags say. A named one may say the same, but nothing else.
    fn with_flags(&self, mut scheme: Scheme) -> Result<Scheme> {
        for (flag, option, value) in self.limits() {
            let before = scheme.clone();
            let set = scheme.with_option(option, value);
            scheme = set.map_err(|error| Failure::call(format!("{flag} {value}: {error}")))?;
            let is_said = before.learner.given().iter().any(|(spec, _)| spec.name == option);
            if self.scheme.is_some() && is_said && before.to_string() != scheme.to_string() {
                return Err(Failure::call(format!(
                    "{flag} {value}: the scheme {before} sets {option} already; leave one of them out"
                )));
            }
        }
        match &self.leaf_values {
            Some(values) => Ok(values.of_scheme(scheme).hint(SCHEMES)?),
            None => Ok(scheme),
        }
    }
}
