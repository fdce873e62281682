//! What is measured of a tree on rows it was not grown from: the list of measures.
//!
//! A row is judged whole, as [`Predictor`](crate::predict::Predictor) judges it: where values are missing, the
//! distributions of all leaves it reaches are averaged, and one label is chosen from the average. Selectors judge held-out rows
//! in the same way ([`crate::prune::Path::losses`]).
//!
//! | id | what it is |
//! |---|---|
//! | `accuracy`, `error` | share of the weight with the right, the wrong label |
//! | `loss` | mean cost of the labels; the error when mistakes cost the same |
//! | `brier` | mean over rows of `Σ_i (1[i = j] − p_i)²` for `J` classes, `j` the right one |
//! | `brier-reliability`, `brier-resolution`, `brier-uncertainty` | its parts: the first − the second + the third (Murphy 1973) |
//! | `ece` | expected calibration error of the label's probability, in ten bins ([`Calibration`](crate::statistics::Calibration)) |
//! | `rmse-probability` | `sqrt(brier / J)` (Shi 2007, 3.4.2) |
//! | `log-loss` | mean of `−ln max(p_j, 1e-15)` |
//! | `auc` | area under the ROC curve; more than two classes: mean of each against the rest, by its share |
//! | `mse`, `rmse`, `mae` | mean squared error, its root, mean absolute error |
//! | `coverage`, `set-size`, `interval-width` | sets of classes and intervals, where they are asked for: the share with the truth inside, and their size |
//! | `estimate`, `apparent` | what the fit itself said of its error (rate, cost or squared), adjusted for the choice, and as it chose by it |
//! | `nodes`, `leaves`, `depth`, `expansions` | the size of the tree; an expansion is a split |
//! | `fit-seconds`, `prune-seconds` | time taken, filled in by whoever held the clock |
//!
//! Rows count with their own weights, also where trees are grown for class priors; [`cost_with_shares`] is the mean cost, or
//! the error rate, weighted exactly to the priors.

mod brier;
mod by_class;
mod calibrated;
mod measured;
mod measured_rows;
mod portions;
mod scores;
mod sets;

pub use by_class::{ClassScores, class_scores, cost_with_shares, macro_average};
pub use calibrated::Calibrated;
pub use measured::Measured;
pub use measured_rows::{Details, SetsAsked, measure, measure_in_detail};
pub use portions::{JudgedRows, Judging, unknown_class_in_words};
pub use sets::Covered;

use crate::error::{Error, Name, Result, shown, suggestion};
use crate::method::{For, in_words};

/// How a measure is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// A number from 0 to 1, shown in percent.
    Share,
    /// A whole number, or the mean of some.
    Count,
    /// A time.
    Seconds,
    /// Any number.
    Plain,
}

/// Which of two numbers is the better one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// The larger.
    Larger,
    /// The smaller.
    Smaller,
    /// Neither.
    Neither,
}

/// One thing that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measure {
    /// Its name in files and options.
    pub id: &'static str,
    /// Its name in reports.
    pub title: &'static str,
    /// How it is written.
    pub unit: Unit,
    /// Which numbers are good.
    pub better: Better,
    /// The targets it exists for.
    pub only: For,
}

const fn of(id: &'static str, title: &'static str, unit: Unit, better: Better, only: For) -> Measure {
    Measure { id, title, unit, better, only }
}

const LIST: [Measure; 25] = [
    of("accuracy", "accuracy", Unit::Share, Better::Larger, For::Classes),
    of("error", "error rate", Unit::Share, Better::Smaller, For::Classes),
    of("loss", "mean cost", Unit::Plain, Better::Smaller, For::Classes),
    of("rmse-probability", "RMSE of probabilities", Unit::Plain, Better::Smaller, For::Classes),
    of("log-loss", "log loss", Unit::Plain, Better::Smaller, For::Classes),
    of("brier", "Brier score", Unit::Plain, Better::Smaller, For::Classes),
    of("brier-reliability", "Brier: reliability", Unit::Plain, Better::Smaller, For::Classes),
    of("brier-resolution", "Brier: resolution", Unit::Plain, Better::Larger, For::Classes),
    of("brier-uncertainty", "Brier: uncertainty", Unit::Plain, Better::Neither, For::Classes),
    of("ece", "expected calibration error", Unit::Plain, Better::Smaller, For::Classes),
    of("auc", "area under the ROC curve", Unit::Plain, Better::Larger, For::Classes),
    of("mse", "mean squared error", Unit::Plain, Better::Smaller, For::Numbers),
    of("rmse", "root mean squared error", Unit::Plain, Better::Smaller, For::Numbers),
    of("mae", "mean absolute error", Unit::Plain, Better::Smaller, For::Numbers),
    of("coverage", "covered by sets", Unit::Share, Better::Neither, For::Both),
    of("set-size", "classes in a set", Unit::Plain, Better::Smaller, For::Classes),
    of("interval-width", "width of intervals", Unit::Plain, Better::Smaller, For::Numbers),
    of("estimate", "error that the fit reported", Unit::Plain, Better::Neither, For::Both),
    of("apparent", "error that it chose by", Unit::Plain, Better::Neither, For::Both),
    of("nodes", "nodes", Unit::Count, Better::Smaller, For::Both),
    of("leaves", "leaves", Unit::Count, Better::Smaller, For::Both),
    of("depth", "depth", Unit::Count, Better::Smaller, For::Both),
    of("expansions", "expansions", Unit::Count, Better::Smaller, For::Both),
    of("fit-seconds", "time to fit", Unit::Seconds, Better::Smaller, For::Both),
    of("prune-seconds", "time to prune", Unit::Seconds, Better::Smaller, For::Both),
];

/// All measures, in the order in which they are written.
pub static MEASURES: &[Measure] = &LIST;

impl Measure {
    /// The measure with this name.
    ///
    /// ```
    /// use secateur::evaluate::measures::Measure;
    /// assert_eq!(Measure::of("auc").unwrap().title, "area under the ROC curve");
    /// let problem = Measure::of("acuracy").unwrap_err().to_string();
    /// assert!(problem.starts_with("unknown measure 'acuracy' (did you mean 'accuracy'?)"));
    /// ```
    pub fn of(id: &str) -> Result<&'static Self> {
        Ok(&MEASURES[place(id)?])
    }

    /// Its name as a key of JSON, where words are joined by an underscore.
    ///
    /// ```
    /// use secateur::evaluate::measures::Measure;
    /// assert_eq!(Measure::of("log-loss").unwrap().key(), "log_loss");
    /// ```
    pub fn key(&self) -> String {
        self.id.replace('-', "_")
    }
}

/// The place of a measure in the list.
fn place(id: &str) -> Result<usize> {
    let by_key = || MEASURES.iter().position(|m| m.key() == id);
    MEASURES.iter().position(|m| m.id == id).or_else(by_key).ok_or_else(|| {
        let ids: Vec<&str> = MEASURES.iter().map(|m| m.id).collect();
        let (meant, list) = (suggestion(id, ids.iter().copied()), in_words(&ids, "and"));
        let problem = format!("unknown measure {}{meant}; the measures are {list}", shown(id));
        Error::unknown(Name::Measure, id, problem)
    })
}

#[cfg(test)]
mod tests;
