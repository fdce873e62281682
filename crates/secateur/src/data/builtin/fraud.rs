//! Fraud: invented card payments, of which few are fraudulent and hardly any certainly so.
//!
//! The probability of fraud is `share` times a factor for each of five attributes, and at most 0.95:
//!
//! | attribute | factors |
//! |---|---|
//! | country | home 0.5, near 1.5, far 7.5 |
//! | merchant | grocery 0.4, other 0.625, travel 1.5, electronics 2.5, games 3 |
//! | attempts within the hour | one 0.6, two 2, three or more 5.8 |
//! | hour | before 6 o'clock 2.2, later 0.6 |
//! | amount | 200 or more 6, less 0.716 |
//!
//! The mean of each factor is 1, so the share of frauds is about `share`, a little less where probabilities reach their limit. The age of
//! the card says nothing.
//!
//! ```
//! let payments = secateur::data::builtin::load("fraud?n=300&share=0.05").unwrap();
//! assert_eq!((payments.rows(), payments.columns().len()), (300, 7));
//! ```

use super::parameters::{BuiltinParam, ParamKind, SEED, rows};
use super::{BuiltinInfo, choice, nominal, numeric};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

pub(super) const FRAUD: BuiltinInfo = BuiltinInfo {
    name: "fraud",
    about: "invented card payments with a rare class that is seldom certain (classification)",
    source: "made for demonstrations",
    parameters: &[
        rows("5000"),
        SEED,
        BuiltinParam {
            name: "share",
            default: "0.02",
            kind: ParamKind::Share,
            help: "the share of frauds, about",
        },
    ],
    make: |parameters| {
        let (n, share) = (parameters.rows(7)?, parameters.number("share"));
        let mut random = parameters.random();
        let mut numbers: [Vec<f64>; 4] = Default::default();
        let mut codes: [Vec<u32>; 3] = Default::default();
        for _ in 0..n {
            let payment = Payment::draw(&mut random);
            let is_fraud = random.random_bool((share * payment.factor()).min(0.95));
            let cells = [payment.amount, payment.hour, payment.attempts, payment.card_age];
            numbers.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
            let cells = [payment.country, payment.merchant, u32::from(is_fraud)];
            codes.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
        }
        let [amount, hour, attempts, card_age] = numbers;
        let [country, merchant, class] = codes;
        Ok(vec![
            numeric("amount", amount),
            numeric("hour", hour),
            nominal("country", &["home", "near", "far"], country),
            nominal("merchant", &["grocery", "other", "travel", "electronics", "games"], merchant),
            numeric("attempts", attempts),
            numeric("card_age", card_age),
            nominal("class", &["honest", "fraud"], class),
        ])
    },
};

/// A payment before anybody knows what it is.
struct Payment {
    amount: f64,
    hour: f64,
    country: u32,
    merchant: u32,
    /// Payments tried with the card within the hour.
    attempts: f64,
    /// In months.
    card_age: f64,
}

impl Payment {
    fn draw(random: &mut ChaCha8Rng) -> Self {
        let normal: f64 = random.sample(StandardNormal);
        Self {
            amount: (4000.0 * normal.exp()).round() / 100.0,
            hour: f64::from(random.random_range(0..24_u32)),
            country: choice(&[80, 15, 5], random),
            merchant: choice(&[50, 20, 10, 15, 5], random),
            attempts: f64::from(1 + choice(&[85, 10, 3, 2], random)),
            card_age: f64::from(random.random_range(1..=60_u32)),
        }
    }

    /// How many times as likely a fraud is as among all payments.
    fn factor(&self) -> f64 {
        let country = [0.5, 1.5, 7.5][self.country as usize];
        let merchant = [0.4, 0.625, 1.5, 2.5, 3.0][self.merchant as usize];
        let attempts = [0.6, 2.0, 5.8, 5.8][self.attempts as usize - 1];
        let hour = if self.hour < 6.0 { 2.2 } else { 0.6 };
        let amount = if self.amount >= 200.0 { 6.0 } else { 0.716 };
        country * merchant * attempts * hour * amount
    }
}

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn frauds_are_as_rare_as_asked() {
        for share in [0.005, 0.02, 0.1] {
            let counts = class_counts(&load(&format!("fraud?n=100000&share={share}")).unwrap());
            let frauds = counts[1] as f64 / 100_000.0;
            // Probabilities end at 0.95, so the share is smaller, by a third where it is large.
            assert!((0.6 * share..1.05 * share).contains(&frauds), "{share}: {frauds}");
        }
    }

    #[test]
    fn every_factor_has_mean_one_and_says_how_much_likelier_fraud_is() {
        let table = load("fraud?n=400000&share=0.002&seed=5").unwrap();
        let classes = codes(&table, "class");
        let all = classes.iter().filter(|class| **class == 1).count() as f64 / classes.len() as f64;
        let rate = |is: &dyn Fn(usize) -> bool| {
            let rows: Vec<usize> = (0..table.rows()).filter(|&row| is(row)).collect();
            rows.iter().filter(|&&row| classes[row] == 1).count() as f64 / rows.len() as f64 / all
        };
        let (country, hour) = (codes(&table, "country"), numbers(&table, "hour"));
        let age = numbers(&table, "card_age");
        for (found, wanted) in [
            (rate(&|row| country[row] == 0), 0.5),
            (rate(&|row| country[row] == 2), 7.5),
            (rate(&|row| hour[row] < 6.0), 2.2),
            (rate(&|row| age[row] < 30.0), 1.0),
        ] {
            assert!((found / wanted - 1.0).abs() < 0.25, "{found} {wanted}");
        }
    }
}
