//! What every pruner promises, over the whole registry, and what single ones do.

#![allow(clippy::unwrap_used, reason = "in tests it says what failed")]

#[path = "../common/mod.rs"]
mod common;
mod costs;
mod errors;
#[path = "../laws/mod.rs"]
mod laws;
mod needs;
mod obeyed;
mod paths;
mod pre_pruning;
mod published;
mod scoring;
mod shapes;
mod sharing;
mod support;
