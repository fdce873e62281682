//! Prediction: a table is bound to a tree by the names of its columns, and its rows run down.

mod batch;
mod binding;
mod cache_layout;
mod predictor;
mod score;

pub use crate::tree::Smoothing;
pub use binding::Unseen;
pub use predictor::{Predictions, Predictor};
pub use score::Score;
