//! The commands, one file each.

pub mod completions;
pub mod data;
pub mod fit;
pub mod predict;
pub mod schemes;
pub mod show;
