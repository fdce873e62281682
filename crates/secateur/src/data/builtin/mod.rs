//! Data sets that ship with the program: small classics written out, and generators from papers.
//!
//! A name is `iris` or, with parameters, `g2c15?n=5000&seed=3`. Every data set is one entry of the
//! list in this file; its last column is the target. Generators draw from ChaCha8, row by row, so
//! the same name gives the same table everywhere (as far as `exp`, `ln`, `sin` and `atan` agree in
//! their last bit) and a larger `n` continues the rows of a smaller one.

mod balance;
mod chain;
mod credit;
mod fraud;
mod friedman;
pub mod gaussian;
mod houses;
mod iris;
mod mansour;
mod monks;
mod parameters;
mod parity;
mod subsets;
mod survey;
mod tic_tac_toe;
mod waveform;
mod weather;

#[cfg(test)]
mod shared_data;

use super::{Column, Nominal, Table, Values};
use crate::error::{Error, Name, Result, shown, suggestion};
use parameters::Parameters;
pub use parameters::{BuiltinParam, ParamKind};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The data sets, in the order in which they are listed to the user.
static ALL: &[BuiltinInfo] = &[
    weather::WEATHER,
    iris::IRIS,
    balance::BALANCE_SCALE,
    tic_tac_toe::TIC_TAC_TOE,
    subsets::SUBSETS,
    monks::MONKS_1,
    monks::MONKS_2,
    monks::MONKS_3,
    credit::CREDIT,
    fraud::FRAUD,
    houses::HOUSES,
    parity::PARITY,
    waveform::WAVEFORM_21,
    waveform::WAVEFORM_40,
    gaussian::G2C15,
    gaussian::G2C25,
    gaussian::G6C15,
    gaussian::G6C25,
    mansour::MANSOUR,
    survey::SURVEY,
    friedman::FRIEDMAN,
    friedman::FRIEDMAN2,
    friedman::FRIEDMAN3,
    chain::CHAIN,
];

/// What is known about a built-in data set.
#[derive(Debug, Clone, Copy)]
pub struct BuiltinInfo {
    /// Its name, as in `builtin:NAME`.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// What can be set, as in `NAME?n=5000&seed=3`.
    pub parameters: &'static [BuiltinParam],
    make: fn(&Parameters) -> Result<Vec<Column>>,
}

/// All built-in data sets.
///
/// ```
/// use secateur::data::builtin;
/// assert!(builtin::all().iter().any(|info| info.name == "iris"));
/// ```
pub fn all() -> &'static [BuiltinInfo] {
    ALL
}

/// Makes the data set of this name, with or without a leading `builtin:`.
///
/// ```
/// use secateur::data::builtin;
/// let table = builtin::load("g2c15?n=300&seed=3").unwrap();
/// assert_eq!((table.rows(), table.columns().len()), (300, 3));
/// assert_eq!(table.name(), "builtin:g2c15?n=300&seed=3");
///
/// let error = builtin::load("irsi").unwrap_err().to_string();
/// assert!(error.starts_with("there is no built-in data set 'irsi' (did you mean 'iris'?)"));
/// ```
pub fn load(name: &str) -> Result<Table> {
    let given = name.strip_prefix("builtin:").unwrap_or(name);
    let (set, query) = given.split_once('?').unwrap_or((given, ""));
    let info = ALL.iter().find(|info| info.name == set).ok_or_else(|| {
        let names: Vec<_> = ALL.iter().map(|info| info.name).collect();
        let (meant, list) = (suggestion(set, names.iter().copied()), names.join(", "));
        let problem = format!("there is no built-in data set {}{meant}; there are {list}", shown(set));
        Error::unknown(Name::DataSet, set, problem)
    })?;
    let parameters = Parameters::parse(info.name, info.parameters, query)?;
    Table::new(format!("builtin:{given}"), (info.make)(&parameters)?)
}

/// A column of numbers.
fn numeric(name: impl Into<String>, values: Vec<f64>) -> Column {
    Column { name: name.into(), values: Values::Numeric(values) }
}

/// A column of values from a list.
fn nominal(name: impl Into<String>, levels: &[&str], codes: Vec<u32>) -> Column {
    let levels = levels.iter().map(|level| level.to_string()).collect();
    Column { name: name.into(), values: Values::Nominal(Nominal { levels, codes }) }
}

/// Room for this many columns of this many cells.
fn room<T>(columns: usize, rows: usize) -> Vec<Vec<T>> {
    (0..columns).map(|_| Vec::with_capacity(rows)).collect()
}

/// One of the places of a list, drawn by its percentages.
fn choice(percentages: &[u32], random: &mut ChaCha8Rng) -> u32 {
    let mut left = random.random_range(0..percentages.iter().sum::<u32>());
    let passed = percentages.iter().take_while(|&&percentage| {
        let further = left >= percentage;
        left = left.saturating_sub(percentage);
        further
    });
    passed.count() as u32
}

/// The class of two it is: the given one, or with this probability the other one.
fn flipped(class: bool, noise: f64, random: &mut ChaCha8Rng) -> u32 {
    u32::from(class ^ random.random_bool(noise))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(name: &str) -> String {
        load(name).unwrap_err().to_string()
    }

    /// Whether the first rows of two tables are the same to the bit, missing cells included.
    fn same(one: &Table, other: &Table, rows: usize) -> bool {
        let column = |(a, b): (&Column, &Column)| {
            a.name == b.name
                && match (&a.values, &b.values) {
                    (Values::Numeric(a), Values::Numeric(b)) => {
                        a[..rows].iter().zip(&b[..rows]).all(|(a, b)| a.to_bits() == b.to_bits())
                    }
                    (Values::Nominal(a), Values::Nominal(b)) => {
                        a.levels == b.levels && a.codes[..rows] == b.codes[..rows]
                    }
                    _ => false,
                }
        };
        one.columns().len() == other.columns().len() && one.columns().iter().zip(other.columns()).all(column)
    }

    /// Whether two tables are the same except for their names.
    fn equal(one: &Table, other: &Table) -> bool {
        one.rows() == other.rows() && same(one, other, one.rows())
    }

    #[test]
    fn every_data_set_loads_and_is_described() {
        let mut names = std::collections::HashSet::new();
        for info in all() {
            assert!(names.insert(info.name), "{} is listed twice", info.name);
            assert!(!info.about.is_empty() && !info.about.contains('\n'), "{}", info.name);
            assert!(!info.source.is_empty(), "{}", info.name);
            let table = load(info.name).unwrap();
            assert_eq!(table.name(), format!("builtin:{}", info.name));
            assert!(table.rows() > 0 && table.columns().len() > 1, "{}", info.name);
            assert_eq!(table.columns().last().unwrap().values.missing(), 0, "{}", info.name);
            assert!(equal(&load(&format!("builtin:{}", info.name)).unwrap(), &table), "{}", info.name);
        }
    }

    #[test]
    fn defaults_are_valid_and_written_out_change_nothing() {
        for info in all() {
            let written: Vec<_> =
                info.parameters.iter().map(|p| format!("{}={}", p.name, p.default)).collect();
            let name = format!("{}?{}", info.name, written.join("&"));
            assert!(equal(&load(&name).unwrap(), &load(info.name).unwrap()), "{name}");
        }
    }

    #[test]
    fn every_parameter_changes_the_table() {
        for info in all() {
            for parameter in info.parameters {
                let value = match parameter.kind {
                    ParamKind::Count { .. } | ParamKind::CountOrAll { .. } => "9",
                    ParamKind::Seed => "77",
                    ParamKind::Share | ParamKind::Number { .. } => "0.25",
                };
                // A seed needs something random to act on.
                let beside = match (info.name, parameter.name) {
                    ("parity" | "monks-3", "seed") => "noise=0.3&",
                    _ => "",
                };
                let plain = load(&format!("{}?{}", info.name, beside.trim_end_matches('&'))).unwrap();
                let changed = load(&format!("{}?{beside}{}={value}", info.name, parameter.name)).unwrap();
                assert!(!equal(&plain, &changed), "{} {}", info.name, parameter.name);
            }
        }
    }

    #[test]
    fn more_rows_continue_the_same_rows() {
        for info in all() {
            let sizes = |p: &BuiltinParam| p.name == "n" && matches!(p.kind, ParamKind::Count { .. });
            if !info.parameters.iter().any(sizes) {
                continue;
            }
            let few = load(&format!("{}?n=40", info.name)).unwrap();
            let many = load(&format!("{}?n=90", info.name)).unwrap();
            assert_eq!((few.rows(), many.rows()), (40, 90), "{}", info.name);
            assert!(same(&few, &many, 40), "{}", info.name);
        }
    }

    #[test]
    fn a_seed_means_the_same_rows_for_good() {
        for (name, column, expected) in [
            ("g2c15", "x", [0.8015863309378679, -0.7034047600145172, 0.7026011650534334]),
            ("g6c25", "y", [-1.4108177006109994, 0.8586709341299215, 2.7531007995878434]),
            ("waveform-21", "x1", [-0.52068314572964, -1.7470624164234225, 0.8437556245703389]),
            ("waveform-40", "x40", [0.8762135714883392, -0.34723153039833016, 0.9789548747895244]),
            ("friedman", "y", [4.757965713535502, 8.814273323093852, 8.106176156552731]),
            ("friedman2", "y", [116.7696997140853, 305.68735027391216, 107.4000940403581]),
            ("friedman3", "y", [1.2806654009927698, 1.2068071654663466, 1.1365670556426628]),
            ("credit", "income", [2160.0, 2100.0, 2030.0]),
        ] {
            let table = load(name).unwrap();
            let first = &shared_data::numbers(&table, column)[..3];
            // Some room for the last bits of `exp`, `ln`, `sin` and `atan` on other machines.
            assert!(first.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-10), "{name}: {first:?}");
        }
    }

    #[test]
    fn an_unknown_name_is_explained() {
        assert!(problem("g2c51").contains("did you mean 'g2c15'?"));
        assert!(problem("builtin:nothing-like-it").contains("there are weather, iris, balance-scale"));
        assert!(problem("").contains("no built-in data set ''"));
        assert!(problem("Iris").contains("did you mean 'iris'?"));
    }

    #[test]
    fn a_wrong_parameter_is_explained() {
        assert_eq!(
            problem("g2c15?sed=3"),
            "builtin:g2c15 has no parameter 'sed' (did you mean 'seed'?); it has n, seed"
        );
        assert_eq!(problem("iris?n=3"), "builtin:iris has no parameter 'n'; it has none");
        assert_eq!(problem("g2c15?n"), "builtin:g2c15: 'n' is not of the form NAME=VALUE, such as n=5000");
        assert_eq!(problem("g2c15?n=1&n=2"), "builtin:g2c15: n is given twice");
        assert!(problem("g2c15?n=1&").contains("NAME=VALUE"));
    }

    #[test]
    fn a_wrong_value_is_explained() {
        let expected = "expected a whole number from 1 to 100000000";
        for value in ["0", "-5", "100000001", "1e3", "3.5", "", "many", "99999999999999999999999", "NaN"] {
            let text = problem(&format!("g2c15?n={value}"));
            assert_eq!(text, format!("builtin:g2c15: n is '{value}'; {expected}"));
        }
        assert!(problem("g2c15?seed=-1").contains("expected a whole number from 0"));
        for value in ["-0.1", "1.1", "NaN", "inf", "x"] {
            assert!(problem(&format!("monks-3?noise={value}")).contains("a number from 0 to 1"));
        }
        assert!(problem("waveform-40?n=100000000").contains("more than 1000000000 cells"));
        assert!(problem("friedman?noise=1e300").contains("expected a number from 0 to 1000000"));
    }
}
