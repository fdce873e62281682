//! Fitting a tree to a table in a file: within a budget of memory, streamed where it is larger.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateur::data::read::read_noted;
use secateur::data::{CodedTable, Note, Plan, ReadOptions, Roles, check_attributes, notice, other_target};
use secateur::fit::{FitReport, coded, fit as grow_and_prune};
use secateur::progress::Progress;
use secateur::schema::Task;
use secateur::scheme::Scheme;
use secateur::stream::{Memory, StreamFit, Streamed, fit_file as fit_portions, larger_than};

use crate::cluster::options_of;
use crate::failure::exception;
use crate::fitting::{found_as_dict, labels_of};
use crate::model::Model;
use crate::work;

/// What is asked for, whichever way it is done.
struct Asked {
    path: PathBuf,
    roles: Roles,
    ignored: Vec<String>,
    scheme: Option<Scheme>,
    kept: Vec<String>,
    costs: Option<Vec<(String, String, f64)>>,
    seed: u64,
}

/// A fit, what was noticed, how the table was read, the rows, and how often files and coded rows were read.
type Done = (FitReport, Vec<Note>, Plan, u64, Option<(usize, usize)>);

impl Asked {
    fn options(&self, table: &CodedTable) -> secateur::Result<secateur::fit::FitOptions> {
        options_of(table, self.seed, self.costs.as_deref())
    }

    fn done(&self, how: &StreamFit, progress: &dyn Progress) -> secateur::Result<Done> {
        let reading = ReadOptions { ignore: self.ignored.clone(), ..ReadOptions::default() };
        let Some(portions) = larger_than(&self.path, &reading, how.memory)? else {
            return self.in_memory(&reading, progress);
        };
        let options = |table: &CodedTable| self.options(table);
        let streamed = fit_portions(&portions, &self.roles, self.scheme.as_ref(), how, options, progress)?;
        let Streamed { fitted, table, scheme, options, notes, rows, passes, .. } = streamed;
        Ok((fitted.into_report(&table, &scheme, &options), notes, portions.plan().0, rows, Some(passes)))
    }

    /// As the program does it.
    fn in_memory(&self, reading: &ReadOptions, progress: &dyn Progress) -> secateur::Result<Done> {
        let read = read_noted(&self.path, reading, progress)?;
        let noticed = notice(&read.table, &self.roles, &self.kept)?;
        check_attributes(&read.table, &self.roles)?;
        let table = read.table.without(&noticed.left_out);
        let other = other_target(&read.plan, &self.roles, &self.ignored);
        let notes = noticed.following(other.into_iter().chain(read.notes).collect());
        let coded = match &self.scheme {
            Some(scheme) => coded(&table, &self.roles, scheme)?,
            None => CodedTable::new(&table, &self.roles)?,
        };
        drop(table);
        let usual = || Scheme::default_for(coded.task(), coded.rows());
        let scheme = self.scheme.clone().map_or_else(usual, Ok)?;
        let options = self.options(&coded)?;
        let fitted = grow_and_prune(&coded, &scheme, &options, progress)?;
        let rows = coded.rows() as u64;
        Ok((fitted.into_report(&coded, &scheme, &options), notes, read.plan, rows, None))
    }
}

/// Fits a tree to a table in a file, or in a folder of Parquet files.
#[pyfunction]
#[pyo3(signature = (path, target=None, *, scheme=None, regression=None, weights=None, ignored=vec![], kept=vec![], costs=None, memory="2GB",
    scratch=None, seed=1, threads=1, listener=None))]
#[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
pub fn fit_file<'py>(
    py: Python<'py>,
    path: PathBuf,
    target: Option<String>,
    scheme: Option<&str>,
    regression: Option<bool>,
    weights: Option<String>,
    ignored: Vec<String>,
    kept: Vec<String>,
    costs: Option<Vec<(String, String, f64)>>,
    memory: &str,
    scratch: Option<PathBuf>,
    seed: u64,
    threads: usize,
    listener: Option<Py<PyAny>>,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let scheme: Option<Scheme> = scheme.map(|text| text.parse().map_err(exception)).transpose()?;
    let memory = memory.parse::<Memory>().and_then(Memory::check).map_err(exception)?;
    let task = regression.map(|numbers| if numbers { Task::Regression } else { Task::Classification });
    let roles = Roles { target, task, weights, ..Roles::default() };
    let how = StreamFit { seed, scratch, leave_out: Some(kept.clone()), ..StreamFit::within(memory) };
    let asked = Asked { path, roles, ignored, scheme, kept, costs, seed };
    let done = work::run(py, threads, listener.as_ref(), |progress| asked.done(&how, progress))?;
    let (mut report, notes, plan, rows, passes) = done;
    let schema = report.model.tree.schema();
    let is_used = |name: &str| {
        name == schema.target.name() || schema.attributes.iter().any(|attribute| attribute.name == name)
    };
    let reading = plan.for_other_files(is_used);
    report.model.set_reading(reading);
    report.model.about.labels = labels_of("text");
    let found = found_as_dict(py, &report, &notes)?;
    found.set_item("rows", rows)?;
    found.set_item("passes", passes)?;
    Ok((Model::of(report.model), found))
}
