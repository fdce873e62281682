//! How a method describes itself: its name, its paper, its options; and the one validator of options.
//!
//! Every learner and pruner has one [`MethodInfo`]. Scheme strings, `secateur schemes`, help texts
//! and the checks all come from it; nothing about an option is written down a second time.

mod check;
mod kind;
mod law;
mod more_words;
mod options;
mod parse;
mod selector_options;
mod show;
mod spec;
#[cfg(test)]
mod tests;

pub use kind::{Choice, For, MethodKind, Needs, ParamKind, Value};
pub use law::{Exception, Law};
pub use more_words::MoreWords;
pub(crate) use more_words::is_name;
pub use options::Options;
pub(crate) use selector_options::FOLDS;
pub use selector_options::{CHOOSE_BY, CV, HOLDOUT, ONE_SE, SE};
pub(crate) use show::in_words;
pub use spec::{MethodInfo, ParamSpec};

use crate::schema::Task;

/// A method with the options it was given: one half of a scheme.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    info: &'static MethodInfo,
    given: Vec<(&'static ParamSpec, Value)>,
}

impl Method {
    /// What the method says of itself.
    pub fn info(&self) -> &'static MethodInfo {
        self.info
    }

    /// The options that were given, in the order of the method's table.
    pub fn given(&self) -> &[(&'static ParamSpec, Value)] {
        &self.given
    }

    /// The value of an option for a kind of target: as given, or the default beside the options given; `None` when it has neither.
    pub fn value(&self, name: &str, task: Task) -> Option<Value> {
        if let Some((_, value)) = self.given.iter().find(|(spec, _)| spec.name == name) {
            return Some(*value);
        }
        let spec = self.info.param(name)?;
        match spec.default_with {
            Some((options, text)) if self.given.iter().any(|(other, _)| options.contains(&other.name)) => {
                spec.kind.parse(text).ok()
            }
            _ => spec.default_value(task),
        }
    }
}

impl ParamSpec {
    /// The default for a kind of target, if there is one.
    pub(crate) fn default_value(&self, task: Task) -> Option<Value> {
        self.kind.parse(self.default_for(task)?).ok()
    }
}
