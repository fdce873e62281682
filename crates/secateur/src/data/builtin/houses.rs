//! Houses: invented sales whose price follows a rule that can be read, with noise and gaps.
//!
//! A square metre costs 3000, in the centre 1.5 and in the country 0.7 times as much; a house built before 1950 costs a fifth
//! less unless it was renovated, and a garden adds 40000 outside the country. The price is multiplied by a number around 1 that
//! varies by `noise`, and every cell but the price is missing with probability `missing`. The rooms follow the area; the
//! heating says nothing.
//!
//! ```
//! let houses = secateur::data::builtin::load("houses?n=200").unwrap();
//! assert_eq!((houses.rows(), houses.columns().len()), (200, 8));
//! ```

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use super::parameters::{BuiltinParam, ParamKind, SEED, rows};
use super::{BuiltinInfo, nominal, numeric};
use crate::data::MISSING;

pub(super) const HOUSES: BuiltinInfo = BuiltinInfo {
    name: "houses",
    about: "invented sales of houses: mixed attributes, missing values, a readable rule and noise (regression)",
    source: "made for demonstrations",
    parameters: &[
        rows("1000"),
        SEED,
        BuiltinParam {
            name: "noise",
            default: "0.1",
            kind: ParamKind::Share,
            help: "standard deviation of the price, as a share of it",
        },
        BuiltinParam {
            name: "missing",
            default: "0.02",
            kind: ParamKind::Share,
            help: "probability that a cell is missing",
        },
    ],
    make: |parameters| {
        let n = parameters.rows(8)?;
        let (noise, missing) = (parameters.number("noise"), parameters.number("missing"));
        let mut random = parameters.random();
        let mut numbers: [Vec<f64>; 4] = Default::default();
        let mut codes: [Vec<u32>; 4] = Default::default();
        for _ in 0..n {
            let house = House::draw(&mut random);
            let factor: f64 = random.sample(StandardNormal);
            let price = house.price() * (1.0 + noise * factor).max(0.1);
            for (column, cell) in numbers.iter_mut().zip([house.area, house.rooms, house.built]) {
                column.push(if random.random_bool(missing) { f64::NAN } else { cell });
            }
            numbers[3].push((price / 1000.0).round() * 1000.0);
            let cells = [house.place, house.renovated, house.garden, house.heating];
            for (column, cell) in codes.iter_mut().zip(cells) {
                column.push(if random.random_bool(missing) { MISSING } else { cell });
            }
        }
        let [area, rooms, built, price] = numbers;
        let [place, renovated, garden, heating] = codes;
        Ok(vec![
            numeric("area", area),
            numeric("rooms", rooms),
            numeric("built", built),
            nominal("place", &["centre", "suburb", "country"], place),
            nominal("renovated", &["no", "yes"], renovated),
            nominal("garden", &["no", "yes"], garden),
            nominal("heating", &["gas", "oil", "heat-pump"], heating),
            numeric("price", price),
        ])
    },
};

const CENTRE: u32 = 0;
const COUNTRY: u32 = 2;

/// A house before anything about it is lost.
struct House {
    /// In square metres.
    area: f64,
    rooms: f64,
    /// The year.
    built: f64,
    place: u32,
    renovated: u32,
    garden: u32,
    heating: u32,
}

impl House {
    fn draw(random: &mut ChaCha8Rng) -> Self {
        let area = f64::from(random.random_range(40..=220_u32));
        Self {
            area,
            rooms: (area / 28.0 + random.random_range(0.0..1.5)).round().max(1.0),
            built: f64::from(random.random_range(1890..=2024_u32)),
            place: random.random_range(0..3),
            renovated: u32::from(random.random_bool(0.4)),
            garden: u32::from(random.random_bool(0.5)),
            heating: random.random_range(0..3),
        }
    }

    fn price(&self) -> f64 {
        let place = match self.place {
            CENTRE => 1.5,
            COUNTRY => 0.7,
            _ => 1.0,
        };
        let age = if self.built < 1950.0 && self.renovated == 0 { 0.8 } else { 1.0 };
        let garden = if self.garden == 1 && self.place != COUNTRY { 40_000.0 } else { 0.0 };
        3000.0 * self.area * place * age + garden
    }
}

#[cfg(test)]
mod tests {
    use super::super::{load, shared_data::*};

    #[test]
    fn without_noise_the_rule_holds() {
        let table = load("houses?n=2000&noise=0&missing=0").unwrap();
        for row in 0..table.rows() {
            let number = |name| numbers(&table, name)[row];
            let code = |name| codes(&table, name)[row] as usize;
            let mut price = 3000.0 * number("area") * [1.5, 1.0, 0.7][code("place")];
            if number("built") < 1950.0 && code("renovated") == 0 {
                price *= 0.8;
            }
            if code("garden") == 1 && code("place") < 2 {
                price += 40_000.0;
            }
            assert!((number("price") - price).abs() <= 500.0, "row {row}");
        }
    }

    #[test]
    fn about_one_cell_in_fifty_is_missing() {
        let table = load("houses?n=20000").unwrap();
        let gaps = numbers(&table, "area").iter().filter(|x| x.is_nan()).count();
        assert!((300..=500).contains(&gaps), "{gaps}");
        assert!(numbers(&table, "price").iter().all(|price| *price > 0.0));
    }
}
