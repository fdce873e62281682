//! Mansour's data: one attribute says a little, ninety-nine say nothing.
//!
//! 100 independent attributes are 0 or 1 with equal probability. With probability 0.9 the class is
//! drawn at random, with probability 0.1 it is the value of the first attribute; the best classifier
//! looks at that attribute only and errs on 45 % of the rows (Mansour, section 4).
//!
//! ```
//! let table = secateur::data::builtin::load("mansour?n=500").unwrap();
//! assert_eq!((table.rows(), table.columns().len()), (500, 101));
//! ```

use super::parameters::{SEED, rows};
use super::{BuiltinInfo, nominal, room};
use rand::{Rng, RngExt};

const ATTRIBUTES: usize = 100;

pub(super) const MANSOUR: BuiltinInfo = BuiltinInfo {
    name: "mansour",
    about: "100 binary attributes of which the first says a little; the best error is 45 % (classification)",
    source: "Y. Mansour (1997), Pessimistic decision tree pruning based on tree size, section 4",
    parameters: &[rows("10000"), SEED],
    make: |parameters| {
        let n = parameters.rows(ATTRIBUTES as u64 + 1)?;
        let mut random = parameters.random();
        let mut codes = room(ATTRIBUTES, n);
        let mut classes = Vec::with_capacity(n);
        for _ in 0..n {
            let bits = u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
            let bit = |i: usize| (bits >> i & 1) as u32;
            codes.iter_mut().enumerate().for_each(|(i, column)| column.push(bit(i)));
            let drawn = random.random_bool(0.9);
            classes.push(if drawn { u32::from(random.random_bool(0.5)) } else { bit(0) });
        }
        let levels = ["0", "1"];
        let attribute = |(i, codes)| nominal(format!("a{}", i + 1), &levels, codes);
        let mut columns: Vec<_> = codes.into_iter().enumerate().map(attribute).collect();
        columns.push(nominal("class", &levels, classes));
        Ok(columns)
    },
};

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn only_the_first_attribute_says_anything() {
        let table = load("mansour?n=40000").unwrap();
        let class = codes(&table, "class");
        for i in 1..=100 {
            let attribute = codes(&table, &format!("a{i}"));
            let ones = attribute.iter().filter(|&&v| v == 1).count() as f64 / 40_000.0;
            assert!((ones - 0.5).abs() < 0.012, "a{i} {ones}");
            let error = attribute.iter().zip(class).filter(|(a, c)| a != c).count() as f64 / 40_000.0;
            assert!((error - if i == 1 { 0.45 } else { 0.5 }).abs() < 0.012, "a{i} {error}");
        }
    }
}
