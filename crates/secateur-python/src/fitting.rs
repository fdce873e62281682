//! Growing and pruning: what `secateur fit` and `secateur path` do, for tables that Python holds.

use std::collections::HashMap;

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use secateur::Error;
use secateur::data::{CodedTable, Column, Matrix, Note, Plan, Roles, Table, Values, notice};
use secateur::fit::{
    EstimateBy, FitOptions, FitReport, TreePath, coded_in_place, coded_matrix, fit_alone, fit_judged,
    path_of as members,
};
use secateur::page::{Page, PageInfo};
use secateur::schema::{Attribute, AttributeKind, Costs, ShownAs, Task};
use secateur::scheme::Scheme;
use secateur::training::{Folds, TreeCache};
use secateur::tree::Labels;

use crate::columns::Columns;
use crate::failure::exception;
use crate::model::Model;
use crate::work;

/// Trees of fewer cells are grown in less time than it takes to start a thread.
const SMALL: usize = 1 << 12;

/// A table with its target and the options of fitting.
pub struct TrainingData<'a> {
    data: String,
    /// Attributes that are read where they are, and their names; there are no others then.
    matrix: Option<(Vec<String>, Matrix<'a>)>,
    columns: Vec<Column>,
    shown: Vec<ShownAs>,
    roles: Roles,
    classes: Vec<String>,
    costs: Option<Vec<f64>>,
    folds: Option<Vec<i64>>,
    groups: Option<Vec<u32>>,
    seed: u64,
}

/// The name of the column of weights, one that no other column has.
fn unused(columns: &[Column]) -> String {
    let mut name = "sample_weight".to_string();
    while columns.iter().any(|column| column.name == name) {
        name.push('_');
    }
    name
}

impl<'a> TrainingData<'a> {
    /// Puts attributes, target and weights together; classes when the target is nominal.
    pub fn new(
        columns: &Columns,
        target: &Columns,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        data: &str,
    ) -> PyResult<Self> {
        let attributes = columns.take()?;
        Self::of(attributes, (columns.shown(), columns.ordered()), target, weights, data)
    }

    /// The same of attributes in a matrix.
    pub fn of_matrix(
        matrix: (Vec<String>, Matrix<'a>),
        target: &Columns,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        data: &str,
    ) -> PyResult<Self> {
        let rest = Self::of(Vec::new(), Default::default(), target, weights, data)?;
        Ok(Self { matrix: Some(matrix), ..rest })
    }

    fn of(
        mut all: Vec<Column>,
        (shown, ordered): (HashMap<String, ShownAs>, Vec<String>),
        target: &Columns,
        weights: Option<PyReadonlyArray1<'_, f64>>,
        data: &str,
    ) -> PyResult<Self> {
        let shown = all.iter().map(|c| shown.get(&c.name).copied().unwrap_or_default()).collect();
        let target = target.take()?.pop().ok_or_else(|| PyValueError::new_err("there is no target"))?;
        let (task, classes) = match &target.values {
            Values::Numeric(_) => (Task::Regression, Vec::new()),
            Values::Nominal(nominal) => (Task::Classification, nominal.levels.clone()),
        };
        let mut roles =
            Roles { target: Some(target.name.clone()), task: Some(task), ordered, ..Roles::default() };
        all.push(target);
        if let Some(weights) = weights {
            let name = unused(&all);
            roles.weights = Some(name.clone());
            all.push(Column { name, values: Values::Numeric(weights.as_array().iter().copied().collect()) });
        }
        Ok(Self {
            data: data.into(),
            matrix: None,
            columns: all,
            shown,
            roles,
            classes,
            costs: None,
            folds: None,
            groups: None,
            seed: 1,
        })
    }

    /// The same with what mistakes cost (a row for every right class), folds for every row, and a seed.
    pub fn with(mut self, costs: Option<Vec<f64>>, folds: Option<Vec<i64>>, seed: u64) -> Self {
        self.costs = costs;
        self.folds = folds;
        self.seed = seed;
        self
    }

    /// The group of every row.
    pub fn with_groups(self, groups: Option<Vec<u32>>) -> Self {
        Self { groups, ..self }
    }

    /// The threads to work on: the calling one alone where that is done before others are started.
    pub fn threads(&self, asked: usize) -> usize {
        let cells = self.columns.len() * self.columns.first().map_or(0, |column| column.values.len());
        let cells = cells + self.matrix.as_ref().map_or(0, |(_, matrix)| matrix.cells());
        if cells < SMALL { 1 } else { asked }
    }

    /// The coded table and the options of a fit by this scheme (by any, where none is given). What is noticed in the table is put
    /// into `notes`, where that is asked for.
    pub fn coded(
        self,
        scheme: Option<&Scheme>,
        notes: Option<&mut Vec<Note>>,
    ) -> secateur::Result<(CodedTable, FitOptions)> {
        let Self { data, matrix, columns, shown, roles, classes, costs, folds, groups, seed } = self;
        let table = Table::new(data, columns)?.with_shown_as(shown);
        if let (Some(notes), Ok(noticed)) = (notes, notice(&table, &roles, &[])) {
            *notes = noticed.notes;
        }
        let costs = costs.map(|matrix| Costs::from_matrix(&classes, matrix)).transpose()?.map(Into::into);
        let folds = folds.map(folds_of_rows).transpose()?;
        let coded = match (scheme, matrix) {
            (scheme, Some((names, matrix))) => coded_matrix(&matrix, &names, table, &roles, scheme)?,
            (Some(scheme), None) => coded_in_place(table, &roles, scheme)?,
            (None, None) => CodedTable::in_place_of(table, &roles)?,
        };
        Ok((coded, FitOptions { seed, costs, folds, groups, ..FitOptions::default() }))
    }
}

/// The fold of every row; rows with a number below 0 are in none.
pub fn folds_of_rows(folds: Vec<i64>) -> secateur::Result<Folds> {
    Folds::given(folds.into_iter().map(|fold| u32::try_from(fold).ok()).collect())
}

fn parsed(scheme: &str) -> PyResult<Scheme> {
    scheme.parse().map_err(exception)
}

/// Grows a tree from columns and a target and prunes it as the scheme says. Gives the model and what the fit found out:
/// an estimate of the error, the pruning path, the seconds for growing and for pruning.
#[pyfunction]
#[pyo3(signature = (columns, target, scheme, *, weights=None, costs=None, folds=None, groups=None, seed=1, data="table", labels="text", look=false, estimate="corrected", calibrate=None, threads=1, listener=None))]
#[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
pub fn fit<'py>(
    py: Python<'py>,
    columns: &Columns,
    target: &Columns,
    scheme: &str,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    costs: Option<Vec<f64>>,
    folds: Option<Vec<i64>>,
    groups: Option<Vec<u32>>,
    seed: u64,
    data: &str,
    labels: &str,
    look: bool,
    estimate: &str,
    calibrate: Option<f64>,
    threads: usize,
    listener: Option<Py<PyAny>>,
) -> PyResult<(Model, Bound<'py, PyDict>)> {
    let scheme = parsed(scheme)?;
    let by: EstimateBy = estimate.parse().map_err(exception)?;
    // What is looked at first is needed as a whole.
    let matrix = if look { None } else { columns.take_matrix(py) };
    let in_place = matrix.as_ref().and_then(|(names, matrix)| Some((names.clone(), matrix.in_place()?)));
    let lesson = match in_place {
        Some(matrix) => TrainingData::of_matrix(matrix, target, weights, data),
        None => TrainingData::new(columns, target, weights, data),
    };
    let lesson = lesson?.with(costs, folds, seed).with_groups(groups);
    let threads = lesson.threads(threads);
    let (mut fitted, notes) = work::run(py, threads, listener.as_ref(), move |progress| {
        let mut notes = Vec::new();
        // Bins of numbers belong to the rows that are learned from.
        let whole = calibrate.is_none() && by != EstimateBy::Nested;
        let (coded, mut options) = lesson.coded(whole.then_some(&scheme), look.then_some(&mut notes))?;
        let mut aside = None;
        if let Some(share) = calibrate {
            let (others, rows) = options.set_aside(&coded, share)?;
            (options, aside) = (others, Some(rows));
        }
        let mut fitted = fit_judged(&TreeCache::new(&coded, &options)?, &scheme, by, progress)?;
        if let Some(rows) = &aside {
            fitted = fitted.calibrated(&coded, rows)?;
        }
        Ok((fitted.into_report(&coded, &scheme, &options), notes))
    })?;
    fitted.model.about.labels = labels_of(labels);
    believe(&mut fitted.model);
    let found = found_as_dict(py, &fitted, &notes)?;
    Ok((Model::of(fitted.model), found))
}

/// Notes in a model that its table said itself what is missing: texts such as `NA` are values.
pub fn believe(model: &mut secateur::tree::Model) {
    let schema = model.tree.schema();
    let is_text = |attribute: &Attribute| matches!(attribute.kind, AttributeKind::Nominal { .. });
    let has_labels = !schema.target.classes().is_empty() && model.about.labels == Labels::Text;
    if has_labels || schema.attributes.iter().any(is_text) {
        model.set_reading(Plan { keep_na: Some(true), ..Plan::default() });
    }
}

/// What classes were before they were text, by its name.
pub fn labels_of(name: &str) -> Labels {
    match name {
        "integer" => Labels::Integer,
        "number" => Labels::Number,
        "boolean" => Labels::Boolean,
        _ => Labels::Text,
    }
}

/// What a fit found out beside the model: the estimate, the path, the seconds and what was noticed.
pub fn found_as_dict<'py>(
    py: Python<'py>,
    fitted: &FitReport,
    notes: &[Note],
) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    if let Some(estimate) = &fitted.estimate {
        let told = PyDict::new(py);
        told.set_item("error", estimate.error)?;
        told.set_item("se", estimate.se)?;
        told.set_item("method", &estimate.method)?;
        told.set_item("bias_correction", estimate.bias_correction)?;
        found.set_item("estimate", told)?;
    }
    if let Some(path) = &fitted.path {
        found.set_item("path", path_as_dict(py, path)?)?;
    }
    found.set_item("seconds", fitted.seconds)?;
    let told = |note: &Note| (format!("{:?}", note.kind), note.column.clone(), note.to_string());
    found.set_item("notes", notes.iter().map(told).collect::<Vec<_>>())?;
    Ok(found)
}

/// All members of the path of a scheme's pruner on a newly grown tree, validated by `cv` folds (0: not at all).
#[pyfunction]
#[pyo3(signature = (columns, target, scheme, *, cv=None, weights=None, costs=None, folds=None, groups=None, seed=1, threads=1, listener=None))]
#[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
pub fn path_of<'py>(
    py: Python<'py>,
    columns: &Columns,
    target: &Columns,
    scheme: &str,
    cv: Option<usize>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    costs: Option<Vec<f64>>,
    folds: Option<Vec<i64>>,
    groups: Option<Vec<u32>>,
    seed: u64,
    threads: usize,
    listener: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let scheme = parsed(scheme)?;
    let lesson =
        TrainingData::new(columns, target, weights, "table")?.with(costs, folds, seed).with_groups(groups);
    let threads = lesson.threads(threads);
    let report = work::run(py, threads, listener.as_ref(), move |progress| {
        let (coded, options) = lesson.coded(None, None)?;
        members(&coded, &scheme, cv, &options, progress)
    })?;
    path_as_dict(py, &report)
}

/// The explorer page of a model, with what only the rows it was fitted with can say; members are judged by `cv` folds where the scheme
/// has none.
#[pyfunction]
#[pyo3(signature = (model, columns, target, *, title="", recipe="", cv=0, weights=None, costs=None, folds=None, groups=None, seed=1, threads=1, listener=None))]
#[expect(clippy::too_many_arguments, reason = "named arguments in Python")]
pub fn page_of<'py>(
    py: Python<'py>,
    model: &Model,
    columns: &Columns,
    target: &Columns,
    title: &str,
    recipe: &str,
    cv: usize,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    costs: Option<Vec<f64>>,
    folds: Option<Vec<i64>>,
    groups: Option<Vec<u32>>,
    seed: u64,
    threads: usize,
    listener: Option<Py<PyAny>>,
) -> PyResult<String> {
    let model = model.saved();
    let scheme = parsed(&model.scheme)?;
    let info = PageInfo {
        title: title.into(),
        recipe: recipe.into(),
        recipe_takes_scheme: true,
        ..PageInfo::default()
    };
    let lesson = TrainingData::new(columns, target, weights, &model.about.data)?
        .with(costs, folds, seed)
        .with_groups(groups);
    let threads = lesson.threads(threads);
    work::run(py, threads, listener.as_ref(), move |progress| {
        let (coded, options) = lesson.coded(Some(&scheme), None)?;
        let trees = TreeCache::new(&coded, &options)?;
        let mut again = fit_alone(&trees, &scheme, progress)?.into_report(&coded, &scheme, &options);
        again.model.about.labels = model.about.labels;
        believe(&mut again.model);
        // Scores of other rows than those of the folds make no other tree.
        if again.model.tree.with_conformal(None) != model.tree.clone().with_conformal(None) {
            return Err(Error::parameter(
                "X and y are not what this tree was fitted with: they give another one",
            ));
        }
        let made = (&trees, &scheme);
        again.model = model.clone();
        Ok(Page::of_fit(&again, made, cv, &info, progress)?.to_string())
    })
}

/// A path as lists of equal length, with the name of its parameter and the member that was taken.
pub fn path_as_dict<'py>(py: Python<'py>, path: &TreePath) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let steps = &path.steps;
    told.set_item("name", path.parameter)?;
    told.set_item("parameter", steps.iter().map(|s| s.parameter).collect::<Vec<_>>())?;
    told.set_item("leaves", steps.iter().map(|s| s.leaves).collect::<Vec<_>>())?;
    told.set_item("nodes", steps.iter().map(|s| s.nodes).collect::<Vec<_>>())?;
    told.set_item("training_error", steps.iter().map(|s| s.training_error).collect::<Vec<_>>())?;
    if steps.iter().any(|s| s.validated.is_some()) {
        let pick = |which: fn((f64, f64)) -> f64| -> Vec<f64> {
            steps.iter().map(|s| s.validated.map_or(f64::NAN, which)).collect()
        };
        told.set_item("cv_error", pick(|v| v.0))?;
        told.set_item("cv_se", pick(|v| v.1))?;
    }
    told.set_item("selected", path.selected)?;
    Ok(told)
}
