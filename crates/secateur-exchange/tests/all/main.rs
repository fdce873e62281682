//! Trees in other software: every format that claims to carry a tree is run in its consumer and agrees on every row.

#![allow(clippy::unwrap_used, reason = "in tests it says what failed")]

mod agree;
mod documentation;
mod hostile;
mod imports;
mod large;
mod round_trips;
mod rule_tables;
mod scorecards;
mod speed;
mod trees;
mod weka;
