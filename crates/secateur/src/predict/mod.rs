//! Prediction: a table is bound to a tree by the names of its columns, and its rows run down.

mod batch;
mod binding;
mod cache_layout;
mod leaves;
mod matrix;
mod prediction;
mod predictor;
mod router;
mod row;
mod score;
mod scorer;
mod sets;
mod totals;

pub use crate::data::{Matrix, Numbers};
pub use crate::row;
pub use crate::tree::LeafValues;
pub use binding::Unseen;
pub use prediction::Prediction;
pub use predictor::{Predictions, Predictor};
pub use row::{Row, RowValue};
pub(crate) use score::Actual;
pub use score::Score;
pub use scorer::{Buffer, Field, Scored, Scorer};
pub use sets::PredictionSets;
pub use totals::{Totals, UnseenValues};
