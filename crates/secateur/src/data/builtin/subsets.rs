//! Subsets: one nominal attribute of five values and three classes, in the frequencies of a worked example.
//!
//! ```
//! let subsets = secateur::data::builtin::load("subsets").unwrap();
//! assert_eq!((subsets.rows(), subsets.columns().len()), (300, 2));
//! ```

use super::{BuiltinInfo, nominal};

pub(super) const SUBSETS: BuiltinInfo = BuiltinInfo {
    name: "subsets",
    about: "300 rows, one nominal attribute with five values, three classes (classification)",
    source: "H. Shi (2007), Best-first decision tree learning, Table 3.2",
    parameters: &[],
    make: |_| {
        let (mut values, mut classes) = (Vec::new(), Vec::new());
        for (value, counts) in (0..).zip(FREQUENCIES) {
            for (class, count) in (0..).zip(counts) {
                values.resize(values.len() + count, value);
                classes.resize(classes.len() + count, class);
            }
        }
        Ok(vec![
            nominal("value", &["a1", "a2", "a3", "a4", "a5"], values),
            nominal("class", &["c1", "c2", "c3"], classes),
        ])
    },
};

/// Rows of every class, by value.
const FREQUENCIES: [[usize; 3]; 5] = [[40, 10, 10], [10, 40, 10], [20, 30, 10], [20, 15, 25], [10, 5, 45]];

#[cfg(test)]
mod tests {
    #[test]
    fn every_class_has_a_hundred_rows_and_every_value_sixty() {
        let table = super::super::load("subsets").unwrap();
        for (column, expected) in table.columns().iter().zip([60, 100]) {
            let crate::data::Values::Nominal(nominal) = &column.values else { panic!("nominal") };
            for code in 0..nominal.levels.len() as u32 {
                assert_eq!(nominal.codes.iter().filter(|&&c| c == code).count(), expected);
            }
        }
    }
}
