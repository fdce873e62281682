//! The commands, one file each.

pub mod compare;
pub mod completions;
pub mod data;
pub mod evaluate;
pub mod explain;
pub mod export;
pub mod fit;
pub mod import;
pub mod man;
pub mod path;
pub mod predict;
pub mod prune;
pub mod reproduce;
pub mod schemes;
pub mod show;
pub mod suite;
