//! A survey: whether somebody gave their income says more than the income.
//!
//! Half of those asked move within a year. Of these 85 % left out the question for the income, of the others 15 %; age, income and town
//! say nothing. The best classifier looks at whether the income is missing and errs on 15 % of the rows; one that sees known
//! values only errs on half of them.
//!
//! ```
//! let table = secateur::data::builtin::load("survey?n=500").unwrap();
//! assert_eq!((table.rows(), table.columns().len()), (500, 4));
//! ```

use super::parameters::{SEED, rows};
use super::{BuiltinInfo, nominal, numeric};
use rand::RngExt;

pub(super) const SURVEY: BuiltinInfo = BuiltinInfo {
    name: "survey",
    about: "whether the income is missing says more than the income; the best error is 15 % (classification)",
    source: "made for this program",
    parameters: &[rows("1000"), SEED],
    make: |parameters| {
        let n = parameters.rows(4)?;
        let mut random = parameters.random();
        let (mut ages, mut incomes) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let (mut towns, mut moves) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for _ in 0..n {
            let class = u32::from(random.random_bool(0.5));
            ages.push(f64::from(random.random_range(18..90u32)));
            let income = f64::from(random.random_range(8..80u32)) * 100.0;
            let is_missing = random.random_bool(if class == 1 { 0.85 } else { 0.15 });
            incomes.push(if is_missing { f64::NAN } else { income });
            towns.push(random.random_range(0..4u32));
            moves.push(class);
        }
        Ok(vec![
            numeric("age", ages),
            numeric("income", incomes),
            nominal("town", &["north", "east", "south", "west"], towns),
            nominal("moves", &["no", "yes"], moves),
        ])
    },
};

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn missing_incomes_say_who_moves() {
        let table = load("survey?n=20000").unwrap();
        let (moves, income) = (codes(&table, "moves"), numbers(&table, "income"));
        let wrong = moves.iter().zip(income).filter(|(m, x)| (**m == 1) != x.is_nan()).count();
        assert!((wrong as f64 / 20_000.0 - 0.15).abs() < 0.01, "{wrong}");
        let known = |class| {
            moments(
                income
                    .iter()
                    .zip(moves)
                    .filter(|(_, m)| **m == class)
                    .map(|(x, _)| *x)
                    .filter(|x| !x.is_nan()),
            )
            .0
        };
        assert!((known(0) - known(1)).abs() < 150.0, "{} {}", known(0), known(1));
    }
}
