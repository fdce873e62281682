//! What an option can be set to, the kinds of methods, and the kinds of target and of input that they are made for.

use super::MoreWords;
use crate::schema::Task;

/// The kind of target something is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum For {
    /// Classes and numbers.
    Both,
    /// Classification only.
    Classes,
    /// Regression only.
    Numbers,
}

impl For {
    /// Whether it fits a task.
    pub fn fits(self, task: Task) -> bool {
        match self {
            Self::Both => true,
            Self::Classes => task == Task::Classification,
            Self::Numbers => task == Task::Regression,
        }
    }
}

/// Which half of a scheme a method is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MethodKind {
    /// It grows trees.
    Learner,
    /// It prunes them.
    Pruner,
}

/// What a method reads with its default options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Needs {
    /// The counts kept in the tree, no rows.
    Counts,
    /// The training rows.
    TrainingRows,
    /// Rows held out from growing.
    HeldOutRows,
    /// Folds of the training rows.
    Folds,
}

/// One word an option can be set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The word.
    pub name: &'static str,
    /// The targets it is made for.
    pub only: For,
    /// The option that it needs beside it, set as it stands in a scheme; tests try the word with it.
    pub beside: Option<&'static str>,
}

impl Choice {
    /// A word for both kinds of target.
    pub const fn any(name: &'static str) -> Self {
        Self { name, only: For::Both, beside: None }
    }

    /// A word for classification.
    pub const fn classes(name: &'static str) -> Self {
        Self { name, only: For::Classes, beside: None }
    }

    /// A word for regression.
    pub const fn numbers(name: &'static str) -> Self {
        Self { name, only: For::Numbers, beside: None }
    }

    /// The same, of a word that needs another option: `min-leaf-rule=node`.
    pub const fn beside(self, option: &'static str) -> Self {
        Self { beside: Some(option), ..self }
    }
}

/// What an option can be set to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A finite number.
    Number {
        /// The smallest number allowed, or with `open` the number all allowed ones are above.
        min: f64,
        /// Whether `min` itself is not allowed.
        open: bool,
        /// The largest number allowed.
        max: f64,
    },
    /// A whole number.
    Integer {
        /// The smallest allowed.
        min: u64,
        /// The largest allowed.
        max: u64,
    },
    /// One of a few words.
    Choice(&'static [Choice]),
    /// One of a few words, to which others can be added.
    OpenChoice(&'static [Choice], &'static MoreWords),
    /// On or off; the bare name of the option means on.
    Flag,
}

impl ParamKind {
    /// A number of at least 0.
    pub const POSITIVE: Self = Self::Number { min: 0.0, open: false, max: f64::MAX };
    /// A number above 0 and at most 1.
    pub const SHARE: Self = Self::Number { min: 0.0, open: true, max: 1.0 };

    /// The words of a choice, or `on` and `off`; empty for numbers.
    pub fn words(&self) -> Vec<&'static str> {
        match self {
            Self::Flag => vec!["on", "off"],
            _ => self.choices().iter().map(|c| c.name).collect(),
        }
    }

    /// The words of a choice, each with the targets it is made for; empty for others.
    pub fn choices(&self) -> Vec<Choice> {
        match self {
            Self::Choice(choices) => choices.to_vec(),
            Self::OpenChoice(choices, more) => choices.iter().copied().chain(more.all()).collect(),
            Self::Flag | Self::Number { .. } | Self::Integer { .. } => Vec::new(),
        }
    }
}

/// The value of an option.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A whole number.
    Integer(u64),
    /// One of the words of a choice.
    Word(&'static str),
    /// On or off.
    Flag(bool),
}
