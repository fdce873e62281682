//! Chain: the numbers 0, 1, 2, … with alternating classes, for tests of depth.
//!
//! No split gains more than cutting off the first or the last row, so a full tree is one chain, as
//! deep as the table is long: whatever recurses over a tree fails on it.
//!
//! ```
//! let chain = secateur::data::builtin::load("chain?n=1000000").unwrap();
//! assert_eq!(chain.rows(), 1_000_000);
//! ```

use super::parameters::rows;
use super::{BuiltinInfo, nominal, numeric};

pub(super) const CHAIN: BuiltinInfo = BuiltinInfo {
    name: "chain",
    about: "one number per row and alternating classes: the full tree is one long chain (classification)",
    source: "made for tests",
    parameters: &[rows("20000")],
    make: |parameters| {
        let n = parameters.rows(2)?;
        let classes = (0..n).map(|row| (row % 2) as u32).collect();
        Ok(vec![
            numeric("x", (0..n).map(|row| row as f64).collect()),
            nominal("class", &["even", "odd"], classes),
        ])
    },
};

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn classes_alternate() {
        let table = load("chain?n=7").unwrap();
        assert_eq!(numbers(&table, "x"), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(codes(&table, "class"), [0, 1, 0, 1, 0, 1, 0]);
    }
}
