//! The three monk's problems: all 432 robots, and a rule that a robot meets or not.
//!
//! - `monks-1`: a1 = a2, or a5 = 1.
//! - `monks-2`: exactly two of the six attributes have their first value.
//! - `monks-3`: a5 = 3 and a4 = 1, or a5 ≠ 4 and a2 ≠ 3. In the published training sample 5 % of the
//!   classes are wrong; `noise=0.05` does that here.
//!
//! These are the published test files: every combination once. The collections in circulation put a
//! random sample of the same rows (the training file) before them.
//!
//! ```
//! let robots = secateur::data::builtin::load("monks-3?noise=0.05&seed=2").unwrap();
//! assert_eq!(robots.rows(), 432);
//! ```

use super::parameters::{Parameters, SEED, label_noise};
use super::{BuiltinInfo, flipped, nominal};
use crate::data::Column;
use crate::error::Result;

const SOURCE: &str = "S. B. Thrun and others (1991), The MONK's problems: a performance comparison of different learning algorithms";

pub(super) const MONKS_1: BuiltinInfo = BuiltinInfo {
    name: "monks-1",
    about: "all 432 robots; the rule is a1 = a2 or a5 = 1 (classification)",
    source: SOURCE,
    parameters: &[],
    make: |_| robots(|[a1, a2, _, _, a5, _]| u32::from(a1 == a2 || a5 == 1)),
};

pub(super) const MONKS_2: BuiltinInfo = BuiltinInfo {
    name: "monks-2",
    about: "all 432 robots; the rule is that exactly two attributes have their first value (classification)",
    source: SOURCE,
    parameters: &[],
    make: |_| robots(|robot| u32::from(robot.iter().filter(|&&value| value == 1).count() == 2)),
};

pub(super) const MONKS_3: BuiltinInfo = BuiltinInfo {
    name: "monks-3",
    about: "all 432 robots; the rule is a5 = 3 and a4 = 1, or a5 ≠ 4 and a2 ≠ 3 (classification)",
    source: SOURCE,
    parameters: &[label_noise("0"), SEED],
    make: |parameters: &Parameters| {
        let (noise, mut random) = (parameters.number("noise"), parameters.random());
        robots(|[_, a2, _, a4, a5, _]| {
            flipped((a5 == 3 && a4 == 1) || (a5 != 4 && a2 != 3), noise, &mut random)
        })
    },
};

/// How many values each attribute has.
const SIZES: [u32; 6] = [3, 3, 2, 3, 4, 2];

/// All robots in the order of the published files (the last attribute changes fastest) with their classes.
fn robots(mut class: impl FnMut([u32; 6]) -> u32) -> Result<Vec<Column>> {
    let mut codes: [Vec<u32>; 6] = Default::default();
    let mut classes = Vec::new();
    for row in 0..SIZES.iter().product() {
        let (mut robot, mut rest) = ([0; 6], row);
        for (value, size) in robot.iter_mut().zip(SIZES).rev() {
            *value = rest % size + 1;
            rest /= size;
        }
        codes.iter_mut().zip(robot).for_each(|(codes, value)| codes.push(value - 1));
        classes.push(class(robot));
    }
    let levels = ["1", "2", "3", "4"];
    let attribute = |(i, codes)| nominal(format!("a{}", i + 1), &levels[..SIZES[i] as usize], codes);
    let mut columns: Vec<_> = codes.into_iter().enumerate().map(attribute).collect();
    columns.push(nominal("class", &["0", "1"], classes));
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn the_rows_are_those_of_the_repository() {
        // The file begins with the rows of the training sample.
        for (set, counts, sample) in
            [("monks-1", [216, 216], 124), ("monks-2", [290, 142], 169), ("monks-3", [204, 228], 122)]
        {
            let table = load(set).unwrap();
            assert_eq!(class_counts(&table), counts, "{set}");
            same_rows(&format!("{set}.arff"), &table, sample);
        }
    }

    #[test]
    fn noise_changes_its_share_of_the_classes_and_nothing_else() {
        let [clean, noisy] = ["monks-3", "monks-3?noise=0.2&seed=5"].map(|name| load(name).unwrap());
        assert_eq!(clean.columns()[..6], noisy.columns()[..6]);
        let changed =
            codes(&clean, "class").iter().zip(codes(&noisy, "class")).filter(|(a, b)| a != b).count();
        assert!((60..=115).contains(&changed), "{changed}");
    }
}
