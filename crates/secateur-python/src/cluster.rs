//! Fitting a tree to rows that others hold: the library asks, a Python object carries the questions to an engine and the answers back.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use secateur::Error;
use secateur::data::{CodedTable, Roles, Table};
use secateur::fit::FitOptions;
use secateur::schema::{Costs, Task};
use secateur::scheme::Scheme;
use secateur::shard::{
    Answer, Ask, Coding, Cut, Held, HeldAnswer, Levels, Look, Looked, Message, Near, NearValues, Taken,
};
use secateur::stream::{Memory, Shares, StreamFit, Workers, fit_with};

use crate::failure::exception;
use crate::fitting::{believe, found_as_dict, labels_of};
use crate::model::Model;
use crate::{shards, work};

/// Rows that a Python object has others ask.
struct Elsewhere<'a> {
    name: &'a str,
    engine: &'a Py<PyAny>,
    /// What Python raised.
    raised: &'a Mutex<Option<PyErr>>,
}

impl Elsewhere<'_> {
    /// Calls Python; what it raises ends the fit.
    fn call<T>(&self, call: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<T>) -> secateur::Result<T> {
        let outcome = Python::try_attach(|py| call(self.engine.bind(py)));
        let ended = || Err(PyRuntimeError::new_err("the interpreter has ended"));
        outcome.unwrap_or_else(ended).map_err(|raised| {
            self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
            Error::Cancelled
        })
    }

    /// The answer to a question, which comes in pieces.
    fn sum<T: Cut + Send>(&self, kind: &str, question: &impl Message) -> secateur::Result<T> {
        let question = question.to_bytes()?;
        let pieces = self.call(|engine| {
            let pieces = engine.call_method1("ask", (kind, PyBytes::new(engine.py(), &question)))?;
            shards::gathered::<T>(&pieces)
        })?;
        pieces.whole()?.ok_or_else(|| Error::parameter("the table has no rows"))
    }
}

impl Workers for Elsewhere<'_> {
    fn name(&self) -> String {
        self.name.into()
    }

    fn rows_about(&mut self) -> secateur::Result<u64> {
        self.call(|engine| engine.call_method0("count")?.extract())
    }

    fn sample(&mut self) -> secateur::Result<Table> {
        self.call(|engine| shards::table_of(self.name, &engine.call_method0("sample")?))
    }

    fn look(&mut self, question: &Look) -> secateur::Result<Looked> {
        self.sum("look", question)
    }

    fn near(&mut self, question: &Near) -> secateur::Result<NearValues> {
        self.sum("near", question)
    }

    fn code(&mut self, coding: &Coding) -> secateur::Result<()> {
        let bytes = coding.to_bytes()?;
        let coded = |engine: &Bound<'_, PyAny>| {
            engine.call_method1("code", (PyBytes::new(engine.py(), &bytes), coding.rows())).map(|_| ())
        };
        self.call(coded)
    }

    fn ask(&mut self, _coding: &Coding, question: &Ask) -> secateur::Result<Answer> {
        self.sum("ask", question)
    }

    fn take(
        &mut self,
        coding: &Coding,
        question: &Ask,
        groups: &[u32],
        give: &mut dyn FnMut(usize, Taken) -> secateur::Result<()>,
    ) -> secateur::Result<()> {
        let question = question.to_bytes()?;
        let all = self.call(|engine| {
            let asked = (PyBytes::new(engine.py(), &question), groups.to_vec());
            Ok(engine.call_method1("take", asked)?.try_iter()?.unbind())
        })?;
        // One group after the other: its rows are given up before those of the next one arrive.
        loop {
            let group: Option<Vec<(u32, Vec<u8>)>> = self.call(|engine| {
                let next = all.bind(engine.py()).clone().next();
                next.map(|group| group?.extract()).transpose()
            })?;
            let Some(group) = group else { return Ok(()) };
            let mut nodes: std::collections::BTreeMap<u32, Vec<Taken>> = Default::default();
            for (node, bytes) in group {
                nodes.entry(node).or_default().push(Taken::from_bytes(coding, &bytes)?);
            }
            for (node, parts) in nodes {
                if let Some(taken) = Taken::joined(parts) {
                    give(node as usize, taken)?;
                }
            }
        }
    }

    fn hold(&mut self, _coding: &Coding, question: &Held) -> secateur::Result<HeldAnswer> {
        self.sum("hold", question)
    }
}

/// Fits a tree to the rows that an engine holds. `engine` has the methods `count`, `sample`, `ask`, `code` and `take`.
#[pyfunction]
#[pyo3(signature = (engine, target, *, scheme=None, regression=None, weights=None, kept=vec![], ordered=vec![], costs=None, memory="1GB", driver_rows=None, most_bytes=4 << 20,
    sorted_levels=true, seed=1, data="table", labels="text", threads=1, listener=None))]
#[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
pub fn fit_elsewhere<'py>(
    py: Python<'py>,
    engine: Py<PyAny>,
    target: String,
    scheme: Option<&str>,
    regression: Option<bool>,
    weights: Option<String>,
    kept: Vec<String>,
    ordered: Vec<String>,
    costs: Option<Vec<(String, String, f64)>>,
    memory: &str,
    driver_rows: Option<&str>,
    most_bytes: usize,
    sorted_levels: bool,
    seed: u64,
    data: &str,
    labels: &str,
    threads: usize,
    listener: Option<Py<PyAny>>,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let scheme: Option<Scheme> = scheme.map(|text| text.parse().map_err(exception)).transpose()?;
    let memory: Memory = memory.parse().map_err(exception)?;
    let task = regression.map(|numbers| if numbers { Task::Regression } else { Task::Classification });
    let roles = Roles { target: Some(target), task, weights, ordered, ..Roles::default() };
    let levels = if sorted_levels { Levels::Sorted } else { Levels::First };
    let mut shares = Shares::of(memory.check().map_err(exception)?).in_messages(most_bytes);
    if let Some(rows) = driver_rows {
        shares.grow.rows = rows.parse::<Memory>().map_err(exception)?.bytes() as usize;
    }
    let how =
        StreamFit { seed, levels, shares: Some(shares), leave_out: Some(kept), ..StreamFit::within(memory) };
    let raised = Mutex::new(None);
    let outcome = work::run(py, threads, listener.as_ref(), |progress| {
        let mut workers = Elsewhere { name: data, engine: &engine, raised: &raised };
        let options = |table: &CodedTable| options_of(table, seed, costs.as_deref());
        let streamed = fit_with(&mut workers, &roles, scheme.as_ref(), &how, options, progress)?;
        let rows = streamed.rows;
        let report = streamed.fitted.into_report(&streamed.table, &streamed.scheme, &streamed.options);
        Ok((report, streamed.notes, rows))
    });
    if let Some(raised) = raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(raised);
    }
    let (mut report, notes, rows) = outcome?;
    report.model.about.labels = labels_of(labels);
    believe(&mut report.model);
    let found = found_as_dict(py, &report, &notes)?;
    found.set_item("rows", rows)?;
    Ok((Model::of(report.model), found))
}

/// The options of a fit, once the classes are known.
pub fn options_of(
    table: &CodedTable,
    seed: u64,
    costs: Option<&[(String, String, f64)]>,
) -> secateur::Result<FitOptions> {
    let mut options = FitOptions { seed, ..FitOptions::default() };
    if let Some(given) = costs {
        let classes = table.schema().target.classes();
        let mut matrix: Vec<f64> = (0..classes.len() * classes.len())
            .map(|i| f64::from(i / classes.len() != i % classes.len()))
            .collect();
        for (actual, said, cost) in given {
            let place = |label: &String| {
                classes.iter().position(|class| class == label).ok_or_else(|| {
                    Error::parameter(format!(
                        "costs: there is no class '{label}'; the classes are {}",
                        classes.join(", ")
                    ))
                })
            };
            matrix[place(actual)? * classes.len() + place(said)?] = *cost;
        }
        options.costs = Some(Arc::new(Costs::from_matrix(classes, matrix)?));
    }
    Ok(options)
}
