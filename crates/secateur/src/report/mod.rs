//! Reports: a tree as text, as rules and as a Graphviz drawing; what it predicts as a table.
//!
//! Each report is a value that can be displayed, and is written piece by piece: a tree of a million nodes
//! needs no string of that size.

pub(crate) mod conditions;
mod dot;
mod explanation;
pub(crate) mod formatting;
#[doc(hidden)]
pub mod grid;
pub(crate) mod lines;
mod node_text;
mod predictions;
mod rule;
mod rules;
mod shown;
mod text;

pub use dot::{Dot, DotOptions, dot};
pub use explanation::{End, Explanation, explain};
pub use formatting::{at_most, leaf_values_text, safe};
pub use node_text::NodeText;
pub use predictions::{PredictionFormat, PredictionTable};
pub use rule::{Rule, Test};
pub use rules::{RuleOrder, Rules, RulesOptions, rules};
pub use text::{Text, TextOptions, text};

#[cfg(test)]
mod whole_tests;
