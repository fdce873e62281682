//! What every pruner promises, over the whole registry, and what single ones do.

mod costs;
mod errors;
mod needs;
mod obeyed;
mod paths;
mod pre_pruning;
mod published;
mod scoring;
mod shapes;
mod sharing;
mod support;
