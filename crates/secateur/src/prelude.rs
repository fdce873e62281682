//! What most programs need: `use secateur::prelude::*;`.

pub use crate::data::{Roles, Table};
pub use crate::error::{Error, Result};
pub use crate::evaluate::{Cv, compare};
pub use crate::fit::{Fit, FitReport, TreePath};
pub use crate::predict::{Prediction, Row, row};
pub use crate::progress::Progress;
pub use crate::prune::options as pruners;
pub use crate::scheme::Scheme;
pub use crate::tree::{Model, Tree};
