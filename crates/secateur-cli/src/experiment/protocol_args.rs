//! The flags that say how rows are divided.

use clap::Args;
use secateur::data::read_folds;
use secateur::evaluate::{FoldOrder, Protocol};
use secateur::training::Folds;

use super::data::Sets;
use crate::failure::{Failure, Result};
use crate::files::InFile;

/// How rows are divided into those to learn from and those to be judged on.
#[derive(Args)]
#[command(next_help_heading = "Dividing the rows")]
pub struct ProtocolArgs {
    /// Cross-validate with this many folds [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    cv: Option<u32>,
    /// Times the cross-validation is done, with other folds [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    repeats: Option<u32>,
    /// Set this share aside to choose prunings on; the rest is cross-validated [default folds: 5]
    #[arg(long, value_name = "SHARE", conflicts_with = "repeats", allow_negative_numbers = true)]
    validation: Option<f64>,
    /// A rotating window: learn from TRAIN of PARTS parts, such as 1/20
    #[arg(long, value_name = "TRAIN/PARTS", conflicts_with_all = ["cv", "repeats", "validation", "random", "folds"])]
    window: Option<String>,
    /// This many random trials
    #[arg(long, value_name = "N", conflicts_with_all = ["cv", "repeats", "validation", "folds"], allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    random: Option<u32>,
    /// The share of the rows that a random trial learns from [default: 2/3]
    #[arg(long, value_name = "SHARE", requires = "random", allow_negative_numbers = true)]
    train: Option<f64>,
    /// Folds from a file: a table with row (from 1) and fold
    #[arg(long, value_name = "FILE", conflicts_with_all = ["cv", "repeats", "validation"])]
    folds: Option<InFile>,
    /// Learn from these shares of the training rows, such as 0.1,0.5,1
    #[arg(long, value_name = "SHARES", value_delimiter = ',', allow_negative_numbers = true)]
    learning_curve: Vec<f64>,
}

impl ProtocolArgs {
    /// The protocol, checked against every data set, and the number of rows in the smallest part to learn from.
    pub fn protocol(&self, sets: &Sets, seed: u64) -> Result<(Protocol, usize)> {
        let protocol = self.named(sets)?;
        let mut least = usize::MAX;
        for set in &sets.list {
            // One repetition is enough to see whether and how the rows can be divided.
            let splits = protocol.clone().with_repeats(1).splits(&set.coded, seed);
            let splits = splits.map_err(|problem| Failure::call(format!("{}: {problem}", set.name)))?;
            least = splits.iter().map(|split| split.train.len()).fold(least, usize::min);
        }
        Ok((protocol, least))
    }

    fn named(&self, sets: &Sets) -> Result<Protocol> {
        if let Some(train) = sets.train {
            return Ok(Protocol::TrainTest { train });
        }
        if let Some(window) = &self.window {
            let parts = window.split_once('/');
            let numbers = parts
                .and_then(|(train, parts)| Some((train.trim().parse().ok()?, parts.trim().parse().ok()?)));
            let Some((train, parts)) = numbers else {
                return Err(Failure::call(format!(
                    "--window: '{window}' is not TRAIN/PARTS; expected two whole numbers, such as 1/20"
                )));
            };
            return Ok(Protocol::Window { parts, train });
        }
        if let Some(trials) = self.random {
            return Ok(Protocol::Random { trials: trials as usize, train: self.train.unwrap_or(2.0 / 3.0) });
        }
        if let Some(file) = &self.folds {
            let [only] = sets.list.as_slice() else {
                return Err(Failure::call("--folds is for one data set; its rows are numbered"));
            };
            return Ok(Protocol::Given(Folds::given(read_folds(file, only.coded.rows())?)?));
        }
        let cv = self.cv.map(|folds| folds as usize);
        Ok(match self.validation {
            Some(validation) if !(validation > 0.0 && validation < 1.0) => {
                return Err(Failure::call(format!(
                    "--validation: {validation} is not a share; expected a number between 0 and 1"
                )));
            }
            Some(validation) => Protocol::ValidatedCv { folds: cv.unwrap_or(5), validation },
            None => Protocol::Cv {
                folds: cv.unwrap_or(10),
                repeats: self.repeats.map_or(1, |n| n as usize),
                order: FoldOrder::Stratified,
            },
        })
    }

    /// The shares of a learning curve.
    pub fn shares(&self) -> Result<Vec<f64>> {
        let mut shares = self.learning_curve.clone();
        if let Some(bad) = shares.iter().find(|share| !(**share > 0.0 && **share <= 1.0)) {
            return Err(Failure::call(format!(
                "--learning-curve: {bad} is not a share; expected numbers above 0 and at most 1"
            )));
        }
        shares.sort_by(f64::total_cmp);
        if let Some(pair) = shares.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Failure::call(format!("--learning-curve: {} appears twice", pair[0])));
        }
        if shares.is_empty() {
            shares.push(1.0);
        }
        Ok(shares)
    }
}

/// Whether a protocol judges every row at most once, as tests of proportions suppose.
pub fn judges_once(protocol: &Protocol) -> bool {
    match protocol {
        Protocol::Cv { repeats, .. } => *repeats == 1,
        Protocol::Random { trials, .. } => *trials == 1,
        Protocol::Window { parts, train } => train + 1 == *parts,
        Protocol::ValidatedCv { .. } | Protocol::TrainTest { .. } | Protocol::Given(_) => true,
    }
}
