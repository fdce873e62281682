//! The file that keeps the results of an experiment.

use clap::Args;

use crate::args::Output;
use crate::files::ResultFile;

/// Where results are kept.
#[derive(Args)]
pub struct ResultsArgs {
    /// Keep the result of every division here; the same call resumes a run
    #[arg(long, value_name = "FILE")]
    results: Option<ResultFile>,
    /// The old name of --results
    #[arg(long, value_name = "FILE", hide = true, conflicts_with = "results")]
    out: Option<ResultFile>,
}

impl ResultsArgs {
    /// The file.
    pub fn file(&self) -> Option<&ResultFile> {
        self.results.as_ref().or(self.out.as_ref())
    }

    /// Says where a flag has an old name.
    pub fn note_renamed(&self, how: &Output) {
        if self.out.is_some() {
            how.note_renamed("--out", "--results");
        }
    }
}
