//! Pruning methods, one file each.

pub mod binomial;
