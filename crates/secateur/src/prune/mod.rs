//! Pruning methods, one file each.

pub mod binomial;
pub mod cost_complexity;
pub mod critical_value;
mod heap;
pub mod mdl;
pub mod min_error;
pub mod optimal_size;
pub mod order;
pub mod pessimistic;
#[cfg(test)]
mod testing;
