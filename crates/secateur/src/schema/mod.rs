//! What tables and trees have in common: attributes and target, cells, and what is known of the classes beforehand.

mod attributes;
mod cell;
mod class_names;
mod costs;
mod decide;
mod priors;
mod shown_as;
mod task;
mod texts;

pub use attributes::{Attribute, AttributeKind, Schema, Target};
pub use cell::Cell;
pub(crate) use class_names::no_class;
pub use costs::{CostEntry, Costs};
pub(crate) use decide::{decide, probabilities};
pub use priors::Priors;
pub use shown_as::ShownAs;
pub use task::Task;
pub use texts::MissingTexts;
pub(crate) use texts::{Meaning, Texts, is_missing_mark, truth_value};
