//! Balance scale: two weights at two distances; which side goes down?
//!
//! All 5⁴ combinations of weight and distance 1 to 5; the side with the greater product goes down.
//!
//! ```
//! let scale = secateur::data::builtin::load("balance-scale").unwrap();
//! assert_eq!(scale.rows(), 625);
//! ```

use super::{BuiltinInfo, nominal, numeric};
use std::cmp::Ordering;

pub(super) const BALANCE_SCALE: BuiltinInfo = BuiltinInfo {
    name: "balance-scale",
    about: "all 625 settings of a balance: does it tip to the left, to the right or not? (classification)",
    source: "R. S. Siegler (1976), Three aspects of cognitive development; rows of the UCI repository",
    parameters: &[],
    make: |_| {
        // The last attribute changes fastest.
        let attribute = |row: u32, power: u32| f64::from(row / 5_u32.pow(power) % 5 + 1);
        let column = |name, power| numeric(name, (0..625).map(|row| attribute(row, power)).collect());
        let side = |row| {
            let left = attribute(row, 3) * attribute(row, 2);
            match left.total_cmp(&(attribute(row, 1) * attribute(row, 0))) {
                Ordering::Greater => 0,
                Ordering::Equal => 1,
                Ordering::Less => 2,
            }
        };
        Ok(vec![
            column("left-weight", 3),
            column("left-distance", 2),
            column("right-weight", 1),
            column("right-distance", 0),
            nominal("class", &["L", "B", "R"], (0..625).map(side).collect()),
        ])
    },
};

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn the_rows_are_those_of_the_repository() {
        let table = load("balance-scale").unwrap();
        assert_eq!(class_counts(&table), [288, 49, 288]);
        same_rows("balance-scale.arff", &table, 0);
    }
}
