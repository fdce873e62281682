//! Parity: the class says whether the number of ones among the relevant bits is odd.
//!
//! No single bit says anything about the class, so every greedy learner is blind at the root; the
//! smallest tree has 2^bits leaves.
//!
//! ```
//! use secateur::data::builtin::load;
//! assert_eq!(load("parity?bits=4").unwrap().rows(), 16);
//! assert_eq!(load("parity?bits=4&irrelevant=20&n=500&noise=0.1").unwrap().rows(), 500);
//! ```

use super::parameters::{BuiltinParam, ParamKind, ROWS_OR_ALL, SEED, label_noise};
use super::{BuiltinInfo, flipped, nominal, room};
use rand::RngExt;

pub(super) const PARITY: BuiltinInfo = BuiltinInfo {
    name: "parity",
    about: "is the number of ones among some bits odd? Other bits can be added (classification)",
    source: "M. Minsky, S. Papert (1969), Perceptrons",
    parameters: &[
        BuiltinParam {
            name: "bits",
            default: "5",
            kind: ParamKind::Count { least: 1, most: 1000 },
            help: "number of bits that decide the class",
        },
        BuiltinParam {
            name: "irrelevant",
            default: "0",
            kind: ParamKind::Count { least: 0, most: 10_000 },
            help: "number of bits that do not",
        },
        ROWS_OR_ALL,
        label_noise("0"),
        SEED,
    ],
    make: |parameters| {
        let bits = parameters.count("bits").unwrap_or_default() as usize;
        let irrelevant = parameters.count("irrelevant").unwrap_or_default() as usize;
        let (noise, mut random) = (parameters.number("noise"), parameters.random());
        let all = bits + irrelevant;
        let given = parameters.count("n");
        let n = parameters.fits(given.or_else(|| 1_u64.checked_shl(all as u32)), all as u64 + 1)?;
        let mut codes = room(all, n);
        let mut classes = Vec::with_capacity(n);
        for row in 0..n {
            let mut odd = false;
            for (i, column) in codes.iter_mut().enumerate() {
                let one = if given.is_some() { random.random() } else { row >> (all - 1 - i) & 1 == 1 };
                odd ^= one && i < bits;
                column.push(u32::from(one));
            }
            classes.push(flipped(odd, noise, &mut random));
        }
        let name = |i| if i < bits { format!("bit{}", i + 1) } else { format!("other{}", i - bits + 1) };
        let attribute = |(i, codes)| nominal(name(i), &["0", "1"], codes);
        let mut columns: Vec<_> = codes.into_iter().enumerate().map(attribute).collect();
        columns.push(nominal("parity", &["even", "odd"], classes));
        Ok(columns)
    },
};

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn all_combinations_come_once() {
        let table = load("parity?bits=3&irrelevant=1").unwrap();
        assert_eq!(
            table.columns().iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
            ["bit1", "bit2", "bit3", "other1", "parity"]
        );
        let rows: std::collections::HashSet<Vec<u32>> = (0..16)
            .map(|row| table.columns()[..4].iter().map(|c| codes(&table, &c.name)[row]).collect())
            .collect();
        assert_eq!((table.rows(), rows.len()), (16, 16));
        assert_eq!(codes(&table, "parity"), [0, 0, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1]);
    }

    #[test]
    fn random_rows_follow_the_rule_but_for_the_noise() {
        for (noise, wrong) in [(0.0, 0.0), (0.1, 0.1), (1.0, 1.0)] {
            let table = load(&format!("parity?bits=6&irrelevant=3&n=20000&noise={noise}")).unwrap();
            let odd = |row: usize| (1..=6).map(|i| codes(&table, &format!("bit{i}"))[row]).sum::<u32>() % 2;
            let errors = (0..20_000).filter(|&row| codes(&table, "parity")[row] != odd(row)).count();
            assert!((errors as f64 / 20_000.0 - wrong).abs() < 0.01, "{noise}: {errors}");
        }
    }

    #[test]
    fn too_many_combinations_are_refused() {
        for name in ["parity?bits=40", "parity?bits=64", "parity?bits=900&irrelevant=9000", "parity?bits=30"]
        {
            assert!(load(name).unwrap_err().to_string().contains("ask for fewer rows"), "{name}");
        }
        assert_eq!(load("parity?bits=900&n=10").unwrap().columns().len(), 901);
    }
}
