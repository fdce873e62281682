//! Trees in other software: every format that claims to carry a tree is run in its consumer and agrees on every row.

#![allow(clippy::unwrap_used, reason = "in tests it says what failed")]

mod agree;
mod hostile;
mod large;
mod trees;
