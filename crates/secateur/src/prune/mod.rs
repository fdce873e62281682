//! Pruning methods, one file each.

pub mod binomial;
pub mod cost_complexity;
pub mod critical_value;
mod heap;
pub mod order;
#[cfg(test)]
mod testing;
