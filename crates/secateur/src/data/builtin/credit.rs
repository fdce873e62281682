//! Credit: invented borrowers with words for values, a rule that can be read, noise and gaps.
//!
//! A loan is bad when one of these holds, and good otherwise:
//!
//! - it runs for more than 30 months and the borrower has no or low savings,
//! - the borrower rents and has worked for less than a year or not at all,
//! - there are three or more other loans and less than 2000 of income.
//!
//! Then a class is wrong with probability `noise` (about 30 % of the loans are bad in the end), and
//! every cell but the class is missing with probability `missing`. Age and purpose say nothing.
//!
//! ```
//! let loans = secateur::data::builtin::load("credit?n=200&missing=0.1").unwrap();
//! assert_eq!((loans.rows(), loans.columns().len()), (200, 9));
//! ```

use super::parameters::{BuiltinParam, ParamKind, SEED, label_noise, rows};
use super::{BuiltinInfo, choice, flipped, nominal, numeric};
use crate::data::MISSING;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

pub(super) const CREDIT: BuiltinInfo = BuiltinInfo {
    name: "credit",
    about: "invented loans: mixed attributes, missing values, a readable rule and noise (classification)",
    source: "made for demonstrations",
    parameters: &[
        rows("1000"),
        SEED,
        label_noise("0.1"),
        BuiltinParam {
            name: "missing",
            default: "0.02",
            kind: ParamKind::Share,
            help: "probability that a cell is missing",
        },
    ],
    make: |parameters| {
        let n = parameters.rows(9)?;
        let (noise, missing) = (parameters.number("noise"), parameters.number("missing"));
        let mut random = parameters.random();
        let mut numbers: [Vec<f64>; 4] = Default::default();
        let mut codes: [Vec<u32>; 5] = Default::default();
        for _ in 0..n {
            let loan = Loan::draw(&mut random);
            let class = flipped(loan.is_bad(), noise, &mut random);
            let cells = [loan.age, loan.income, loan.duration, loan.existing_loans];
            for (column, cell) in numbers.iter_mut().zip(cells) {
                column.push(if random.random_bool(missing) { f64::NAN } else { cell });
            }
            let cells = [loan.purpose, loan.housing, loan.employment, loan.savings];
            for (column, cell) in codes.iter_mut().zip(cells) {
                column.push(if random.random_bool(missing) { MISSING } else { cell });
            }
            codes[4].push(class);
        }
        let [age, income, duration, existing_loans] = numbers;
        let [purpose, housing, employment, savings, class] = codes;
        Ok(vec![
            numeric("age", age),
            numeric("income", income),
            numeric("duration", duration),
            nominal("purpose", &["car", "furniture", "education", "business", "repairs", "holiday"], purpose),
            nominal("housing", &["own", "rent", "free"], housing),
            nominal(
                "employment",
                &["none", "under-1-year", "1-4-years", "4-7-years", "over-7-years"],
                employment,
            ),
            nominal("savings", &["none", "low", "medium", "high"], savings),
            numeric("existing_loans", existing_loans),
            nominal("class", &["good", "bad"], class),
        ])
    },
};

/// A loan before anything about it is lost.
struct Loan {
    age: f64,
    /// Per month.
    income: f64,
    /// In months.
    duration: f64,
    purpose: u32,
    housing: u32,
    employment: u32,
    savings: u32,
    existing_loans: f64,
}

const RENT: u32 = 1;
const UNDER_1_YEAR: u32 = 1;
const LOW: u32 = 1;

impl Loan {
    fn draw(random: &mut ChaCha8Rng) -> Self {
        let normal: f64 = random.sample(StandardNormal);
        Self {
            age: f64::from(random.random_range(19..=74_u32)),
            income: (240.0 * (0.45 * normal).exp()).round() * 10.0,
            duration: 6.0 * f64::from(choice(&[12, 18, 15, 14, 13, 12, 9, 7], random) + 1),
            purpose: choice(&[30, 20, 10, 12, 18, 10], random),
            housing: choice(&[58, 30, 12], random),
            employment: choice(&[7, 18, 34, 18, 23], random),
            savings: choice(&[35, 25, 25, 15], random),
            existing_loans: f64::from(choice(&[35, 33, 17, 10, 5], random)),
        }
    }

    fn is_bad(&self) -> bool {
        (self.duration > 30.0 && self.savings <= LOW)
            || (self.housing == RENT && self.employment <= UNDER_1_YEAR)
            || (self.existing_loans >= 3.0 && self.income < 2000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn about_three_loans_in_ten_are_bad() {
        let counts = class_counts(&load("credit?n=50000").unwrap());
        let bad = counts[1] as f64 / 50_000.0;
        assert!((bad - 0.3).abs() < 0.02, "{bad}");
        let counts = class_counts(&load("credit").unwrap());
        assert!((250..=350).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn without_noise_the_rule_holds() {
        let table = load("credit?n=5000&noise=0&missing=0").unwrap();
        for row in 0..table.rows() {
            let number = |name| numbers(&table, name)[row];
            let code = |name| codes(&table, name)[row];
            let bad = (number("duration") > 30.0 && code("savings") < 2)
                || (code("housing") == 1 && code("employment") < 2)
                || (number("existing_loans") >= 3.0 && number("income") < 2000.0);
            assert_eq!(code("class"), u32::from(bad));
        }
    }

    #[test]
    fn cells_are_missing_as_often_as_asked() {
        let table = load("credit?n=20000&missing=0.2").unwrap();
        for column in &table.columns()[..8] {
            let share = column.values.missing() as f64 / 20_000.0;
            assert!((share - 0.2).abs() < 0.015, "{} {share}", column.name);
        }
        assert_eq!(table.columns()[8].values.missing(), 0);
    }
}
