//! Tables larger than memory: what the user allows, and what was done with it.

use clap::Args;
use secateur::data::ReadOptions;
use secateur::data::read::portions::Portions;
use secateur::stream::{Memory, StreamFit, Streamed, larger_than};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::files::{InFile, ScratchFolder};
use crate::output;

/// How much memory may be used.
#[derive(Args)]
pub struct StreamArgs {
    /// The memory to stay within, such as 2GB: a larger table (Parquet, a folder of Parquet files, CSV) is streamed [default: the table is
    /// read as a whole]
    #[arg(long, value_name = "SIZE", requires = "data")]
    memory: Option<String>,
    /// Where a streamed table is kept coded meanwhile; needs about a byte for each cell [default: the system's folder for temporary files]
    #[arg(long, value_name = "DIR", requires = "memory")]
    scratch: Option<ScratchFolder>,
}

impl StreamArgs {
    /// The memory that may be used, if that is said.
    pub fn memory(&self) -> Result<Option<Memory>> {
        let Some(text) = &self.memory else { return Ok(None) };
        let memory = text.parse::<Memory>().and_then(Memory::check);
        memory.map(Some).map_err(|error| Failure::call(format!("--memory: {error}")))
    }

    /// The data in portions, if they are larger than the memory.
    pub fn portions(&self, data: &InFile, options: &ReadOptions) -> Result<Option<Portions>> {
        let Some(memory) = self.memory()? else { return Ok(None) };
        if data.starts_with("builtin:") {
            return Ok(None);
        }
        Ok(larger_than(data.as_ref(), options, memory)?)
    }

    /// The settings of a streamed fit.
    pub fn how(&self, seed: u64, keep: Vec<String>) -> Result<StreamFit> {
        let memory = self.memory()?.unwrap_or(Memory::of(u64::MAX));
        let scratch = self.scratch.as_ref().map(ScratchFolder::path);
        Ok(StreamFit { scratch, seed, leave_out: Some(keep), ..StreamFit::within(memory) })
    }
}

/// How a table was streamed, for `--json`.
#[derive(Serialize)]
pub struct StreamSummary {
    /// How often the files were read.
    readings: usize,
    /// How often the coded rows were.
    passes: usize,
    /// The bytes of the coded rows.
    coded_bytes: u64,
}

impl StreamSummary {
    /// What was done.
    pub fn of(streamed: &Streamed) -> Self {
        let (readings, passes) = streamed.passes;
        Self { readings, passes, coded_bytes: streamed.coded_bytes }
    }

    /// In words.
    pub fn words(&self) -> String {
        format!(
            "files read {}, coded rows ({}) {}",
            times(self.readings),
            Memory::of(self.coded_bytes),
            times(self.passes)
        )
    }
}

fn times(count: usize) -> String {
    match count {
        1 => "once".into(),
        2 => "twice".into(),
        count => format!("{} times", output::thousands(count as u64)),
    }
}
