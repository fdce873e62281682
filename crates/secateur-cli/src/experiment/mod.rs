//! What `evaluate` and `compare` share: data sets and divisions from flags, a run, and how it is reported.

mod data;
mod protocol_args;
mod report_args;
mod results_args;
mod summary;

pub use data::{Set, Sets, Summary as SetSummary, load};
pub use protocol_args::{ProtocolArgs, judges_once};
pub use report_args::ReportArgs;
pub use results_args::ResultsArgs;
pub use summary::{Mean, failed, style};

use secateur::evaluate::measures::Measure;
use secateur::evaluate::{Details, Experiment, Named, Protocol, Record};
use secateur::schema::Task;
use secateur::scheme::Scheme;

use crate::failure::{Failure, Hint, Result};
use crate::files::ResultFile;
use crate::progress::Bars;
use crate::scheme_args::SCHEMES;

/// What is run on data sets.
pub struct Asked {
    pub schemes: Vec<Named>,
    pub protocol: Protocol,
    pub shares: Vec<f64>,
    pub seed: u64,
    pub details: Details,
}

/// Runs schemes on data sets, with results kept in a file where one is named.
pub fn run(sets: &Sets, asked: Asked, out: Option<&ResultFile>, bars: &Bars) -> Result<Vec<Record>> {
    let Asked { schemes, protocol, shares, seed, details } = asked;
    let datasets = sets.datasets(out.is_some());
    let experiment =
        Experiment { datasets, schemes, protocol, shares, seed, sharing: true, all_parts: false, details };
    Ok(experiment.run(out.map(ResultFile::path), bars)?)
}

/// Schemes from their texts, all different and all for this kind of target.
pub fn schemes(texts: &[String], task: Option<Task>) -> Result<Vec<Named>> {
    let mut list: Vec<Named> = Vec::new();
    for text in texts {
        let scheme: Scheme = text.parse().hint(SCHEMES)?;
        if let Some(task) = task {
            scheme.check(task).hint(SCHEMES)?;
        }
        let named = Named::plain(scheme);
        if list.iter().any(|known| known.name == named.name) {
            return Err(Failure::call(format!("the scheme {} appears twice", named.name)));
        }
        list.push(named);
    }
    Ok(list)
}

/// Measures from their names, all for this kind of target.
pub fn measures(names: &[String], task: Task) -> Result<Vec<&'static Measure>> {
    let mut list = Vec::new();
    for name in names {
        let measure = Measure::of(name.trim())?;
        if !measure.only.fits(task) {
            let instead = match task {
                Task::Classification => "accuracy, error or auc",
                Task::Regression => "mse, rmse or mae",
            };
            return Err(Failure::call(format!(
                "the target here has {}, which have no {}; choose {instead}",
                task.target(),
                measure.title
            )));
        }
        if list.contains(&measure) {
            return Err(Failure::call(format!("the measure {} appears twice", measure.id)));
        }
        list.push(measure);
    }
    Ok(list)
}
