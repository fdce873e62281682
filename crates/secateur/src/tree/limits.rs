//! The limits of tables, for nodes: 2³² rows of a weight of up to 1e60 each, and targets of up to 1e150, whose squares are numbers.
//! With them no sum over the classes or nodes of a tree overflows.

use super::Node;

/// How far what is computed from targets may be above them.
const ROUNDING: f64 = 1e-6;

pub(super) const MOST_WEIGHT: f64 = 1e70;
pub(super) const MOST_ROWS: u64 = 1 << 53;
pub(super) const MOST_TARGET: f64 = 1e150 * (1.0 + ROUNDING);
pub(super) const MOST_SQUARE: f64 = 1e300 * (1.0 + ROUNDING);

/// What is wrong with the numbers of a node, its target aside.
pub(super) fn numbers(node: &Node) -> Result<(), String> {
    if !is_weight(node.weight) {
        return Err(format!("its weight is {:?}; expected a number from 0 to {MOST_WEIGHT:e}", node.weight));
    }
    if node.rows > MOST_ROWS {
        return Err(format!("it has {} rows; expected a number up to {MOST_ROWS}", node.rows));
    }
    if !node.gain.is_finite() {
        return Err(format!("its gain is {}; expected a finite number", node.gain));
    }
    Ok(())
}

/// Whether rows can weigh this much.
pub(super) fn is_weight(weight: f64) -> bool {
    (0.0..=MOST_WEIGHT).contains(&weight)
}
