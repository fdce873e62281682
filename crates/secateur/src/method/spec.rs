//! What an option and a method say of themselves.

use super::{Exception, For, Needs, ParamKind};
use crate::schema::Task;

/// One option of a method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParamSpec {
    /// Its name in scheme strings.
    pub name: &'static str,
    /// What it can be set to.
    pub kind: ParamKind,
    /// The value it has when it is not given; `None` when it then has no effect.
    pub default: Option<&'static str>,
    /// The same for regression, where it can be another.
    pub default_regression: Option<&'static str>,
    /// Options of which each gives it another default, and that default.
    pub default_with: Option<(&'static [&'static str], &'static str)>,
    /// The targets for which it changes anything.
    pub only: For,
    /// The option, and the values of it, with which this one changes anything.
    pub requires: Option<(&'static str, &'static [&'static str])>,
    /// What it does, in a line.
    pub help: &'static str,
    /// The laws that the method does not obey with this option.
    pub exceptions: &'static [Exception],
}

impl ParamSpec {
    /// An option without a default, for every target.
    pub const fn new(name: &'static str, kind: ParamKind, help: &'static str) -> Self {
        Self {
            name,
            kind,
            default: None,
            default_regression: None,
            default_with: None,
            only: For::Both,
            requires: None,
            help,
            exceptions: &[],
        }
    }

    /// The same option with a default.
    pub const fn default(self, text: &'static str) -> Self {
        self.defaults(text, text)
    }

    /// The same option with a default for classification and one for regression.
    pub const fn defaults(self, classes: &'static str, numbers: &'static str) -> Self {
        Self { default: Some(classes), default_regression: Some(numbers), ..self }
    }

    /// The same option with a default of its own where one of these options is given.
    pub const fn default_with(self, options: &'static [&'static str], text: &'static str) -> Self {
        Self { default_with: Some((options, text)), ..self }
    }

    /// The same option for one kind of target only.
    pub const fn only(self, only: For) -> Self {
        Self { only, ..self }
    }

    /// The same option, allowed only when `option` is one of `values`.
    pub const fn requires(self, option: &'static str, values: &'static [&'static str]) -> Self {
        Self { requires: Some((option, values)), ..self }
    }

    /// The same option, with which the method does not obey some laws.
    pub const fn except(self, exceptions: &'static [Exception]) -> Self {
        Self { exceptions, ..self }
    }

    /// The default for a task.
    pub fn default_for(&self, task: Task) -> Option<&'static str> {
        match task {
            Task::Classification => self.default,
            Task::Regression => self.default_regression,
        }
    }
}

/// What a method says of itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MethodInfo {
    /// Its name in scheme strings.
    pub id: &'static str,
    /// What it does, in a line.
    pub one_line: &'static str,
    /// The paper it comes from.
    pub paper: &'static str,
    /// Its options, in the order in which they are printed.
    pub params: &'static [ParamSpec],
    /// What it reads with its default options.
    pub needs: Needs,
    /// The laws that it never obeys.
    pub exceptions: &'static [Exception],
}

impl MethodInfo {
    /// The option with this name.
    pub fn param(&self, name: &str) -> Option<&'static ParamSpec> {
        self.params.iter().find(|p| p.name == name)
    }
}
