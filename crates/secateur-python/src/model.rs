//! A fitted tree as Python holds it.

use std::path::PathBuf;
use std::sync::OnceLock;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use secateur::page::{Page, PageInfo};
use secateur::predict::{LeafValues, Scored, Scorer};
use secateur::prune::k_norm::Reliability;
use secateur::prune::{reliabilities, reliability_of};
use secateur::report::{DotOptions, RuleOrder, RulesOptions, TextOptions, dot, rules, text};
use secateur::schema::{Attribute, AttributeKind};
use secateur::tree::{Labels, Model as Saved};

use crate::columns::Columns;
use crate::failure::exception;
use crate::fitting::path_as_dict;
use crate::predicting::Rows;
use crate::{explaining, nodes, pictures, work};

/// A tree with its history: what the program calls a model.
#[pyclass(frozen, module = "secateur._native")]
pub struct Model {
    pub(crate) saved: Saved,
    /// What predictions of single rows need, made for the first of them.
    pub(crate) scorer: OnceLock<Scorer>,
    /// The attributes that the tree tests; the first one where it tests none.
    pub(crate) tested: OnceLock<Vec<bool>>,
}

/// Class codes and class probabilities.
type Classified<'py> = (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray2<f64>>);

/// Rows of a sparse matrix: where they begin, the columns, the numbers.
type Sparse<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// Three arrays of numbers.
type Triple<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

impl Model {
    /// The saved tree.
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// A model for Python.
    pub fn of(saved: Saved) -> Self {
        Self { saved, scorer: OnceLock::new(), tested: OnceLock::new() }
    }
}

/// Leaf values by name, in place of a model's own.
fn other_values(text: Option<&str>) -> PyResult<Option<LeafValues>> {
    text.map(str::parse).transpose().map_err(exception)
}

#[pymethods]
impl Model {
    /// Reads and checks the text of a model file.
    #[staticmethod]
    #[pyo3(signature = (json, name="model"))]
    fn from_json(json: &[u8], name: &str) -> PyResult<Self> {
        Saved::from_json(name, json).map(Self::of).map_err(exception)
    }

    /// The text of the model file.
    fn to_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut bytes = Vec::new();
        self.saved.to_json(&mut bytes)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| Saved::load(&path)).map(Self::of).map_err(exception)
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.saved.save(&path)).map_err(exception)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((py.get_type::<Self>().getattr("from_json")?, (self.to_json(py)?,)))
    }

    /// The tree as a picture in SVG, and whether all of it is there.
    #[pyo3(signature = (max_depth=None, max_leaves=None))]
    fn svg(&self, py: Python<'_>, max_depth: Option<usize>, max_leaves: Option<usize>) -> (String, bool) {
        py.detach(|| pictures::as_svg(&self.saved.tree, pictures::options(max_depth, max_leaves)))
    }

    /// The explorer page of the tree.
    #[pyo3(signature = (title="", recipe=""))]
    fn page(&self, py: Python<'_>, title: &str, recipe: &str) -> PyResult<String> {
        let info = PageInfo { title: title.into(), recipe: recipe.into(), ..PageInfo::default() };
        work::run(py, 1, None, |_| Ok(Page::of_model(&self.saved, &info)?.to_string()))
    }

    /// The shapes of the same picture, laid out for texts as wide as `measure(text, size)` says.
    #[pyo3(signature = (measure, max_depth=None, max_leaves=None))]
    fn picture<'py>(
        &self,
        py: Python<'py>,
        measure: &Bound<'py, PyAny>,
        max_depth: Option<usize>,
        max_leaves: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        pictures::as_shapes(py, &self.saved.tree, pictures::options(max_depth, max_leaves), measure)
    }

    /// The same model with another name of its data.
    fn with_data(&self, name: String) -> Self {
        let mut saved = self.saved.clone();
        saved.about.data = name;
        Self::of(saved)
    }

    #[getter]
    fn scheme(&self) -> &str {
        &self.saved.scheme
    }

    /// What the classes were before they were text: `"text"`, `"integer"`, `"number"` or `"boolean"`.
    #[getter]
    fn labels(&self) -> &'static str {
        match self.saved.about.labels {
            Labels::Text => "text",
            Labels::Integer => "integer",
            Labels::Number => "number",
            Labels::Boolean => "boolean",
        }
    }

    #[getter]
    fn target(&self) -> &str {
        self.saved.tree.schema().target.name()
    }

    #[getter]
    fn classes(&self) -> Vec<String> {
        self.saved.tree.schema().target.classes().to_vec()
    }

    /// The names of the attributes and the values of nominal ones.
    #[getter]
    fn attributes(&self) -> Vec<(String, Option<Vec<String>>)> {
        let attributes = self.saved.tree.schema().attributes.iter();
        let values = |a: &Attribute| match &a.kind {
            AttributeKind::Numeric => None,
            AttributeKind::Nominal { values } => Some(values.clone()),
        };
        attributes.map(|a| (a.name.clone(), values(a))).collect()
    }

    /// Nodes, leaves and depth.
    #[getter]
    fn size(&self) -> (u64, u64, u64) {
        let size = self.saved.tree.size();
        (size.nodes, size.leaves, size.depth)
    }

    /// Nodes, leaves and depth before pruning.
    #[getter]
    fn full(&self) -> (u64, u64, u64) {
        let size = self.saved.about.full;
        (size.nodes, size.leaves, size.depth)
    }

    /// What its leaves say: `raw`, `laplace`, `m=2` or `shrink=10`.
    #[getter]
    fn leaf_values(&self) -> String {
        self.saved.tree.leaf_values().to_string()
    }

    #[getter]
    fn training_error(&self) -> f64 {
        self.saved.tree.training_error()
    }

    /// Class codes and class probabilities of some rows: columns, or a matrix of numbers, which is not copied.
    fn classify<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        leaf_values: Option<&str>,
        strict: bool,
        threads: usize,
    ) -> PyResult<Classified<'py>> {
        let (mut labels, mut probabilities) = (Vec::new(), Vec::new());
        let take = |scored: &Scored| {
            labels.push(scored.class as u32);
            probabilities.extend_from_slice(scored.probabilities);
        };
        let values = other_values(leaf_values)?;
        if values.is_some() || !self.score_few(&rows, take)? {
            let found = self.predict(py, &rows, values, strict, threads)?;
            (labels, probabilities) = (found.labels, found.probabilities);
        }
        let shape = [labels.len(), self.saved.tree.schema().target.classes().len()];
        Ok((labels.into_pyarray(py), probabilities.into_pyarray(py).reshape(shape)?))
    }

    /// The numbers of some rows: columns, or a matrix.
    fn estimate<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        leaf_values: Option<&str>,
        strict: bool,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut numbers = Vec::new();
        let values = other_values(leaf_values)?;
        if values.is_some() || !self.score_few(&rows, |scored| numbers.push(scored.value))? {
            numbers = self.predict(py, &rows, values, strict, threads)?.values;
        }
        Ok(numbers.into_pyarray(py))
    }

    /// The leaf that gets most of each row.
    fn apply<'py>(
        &self,
        py: Python<'py>,
        rows: Rows<'py>,
        strict: bool,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let mut leaves = Vec::new();
        if !self.score_few(&rows, |scored| leaves.push(scored.leaf as i64))? {
            let found = self.predict(py, &rows, None, strict, threads)?.leaf;
            leaves = found.into_iter().map(i64::from).collect();
        }
        Ok(leaves.into_pyarray(py))
    }

    /// For each attribute whether the tree tests it (the first one where it tests none).
    #[getter]
    fn used(&self) -> Vec<bool> {
        self.tested().to_vec()
    }

    /// The importance of every feature: its share of the total gain.
    fn importances(&self) -> Vec<f64> {
        self.saved.tree.importances()
    }

    /// Why the tree says what it says to the one row that there is.
    fn explain<'py>(&self, py: Python<'py>, columns: &Columns, strict: bool) -> PyResult<Bound<'py, PyDict>> {
        self.with_rows(py, columns, strict, 1, |p| Ok(explaining::explanation(p)))?.as_dict(py)
    }

    /// The nodes each row passes, with the share that does.
    fn decision_path<'py>(
        &self,
        py: Python<'py>,
        columns: &Columns,
        strict: bool,
        threads: usize,
    ) -> PyResult<Sparse<'py>> {
        let found = self.with_rows(py, columns, strict, threads, |p| Ok(nodes::passed(p)))?;
        Ok((found.0.into_pyarray(py), found.1.into_pyarray(py), found.2.into_pyarray(py)))
    }

    /// Expected error, its standard deviation and the 2-norm for each row.
    fn reliability<'py>(
        &self,
        py: Python<'py>,
        columns: &Columns,
        strict: bool,
        threads: usize,
    ) -> PyResult<Triple<'py>> {
        let rows = self.with_rows(py, columns, strict, threads, reliabilities)?;
        let pick =
            |which: fn(&Reliability) -> f64| rows.iter().map(which).collect::<Vec<_>>().into_pyarray(py);
        Ok((pick(|r| r.error), pick(|r| r.sd), pick(|r| r.norm)))
    }

    /// For each row and class whether the class belongs to the set that covers this share of new rows.
    fn sets<'py>(
        &self,
        py: Python<'py>,
        columns: &Columns,
        level: f64,
        strict: bool,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let sets = self.sets_of(py, columns, level, strict, threads)?;
        let shape = [sets.classes.len() / sets.width.max(1), sets.width];
        sets.classes.into_pyarray(py).reshape(shape)
    }

    /// The lower and the upper end of the interval of each row that covers this share of new rows.
    fn intervals<'py>(
        &self,
        py: Python<'py>,
        columns: &Columns,
        level: f64,
        strict: bool,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let sets = self.sets_of(py, columns, level, strict, threads)?;
        let shape = [sets.intervals.len(), 2];
        let ends: Vec<f64> = sets.intervals.iter().flat_map(|i| [i.low, i.high]).collect();
        ends.into_pyarray(py).reshape(shape)
    }

    /// Which rows sets and intervals are made with, and how many; nothing where there are none.
    #[getter]
    fn conformal(&self) -> Option<(String, u64)> {
        self.saved.tree.conformal().map(|c| (c.by.clone(), c.scores.rows()))
    }

    /// The same for the whole tree, where there is such a number.
    fn tree_reliability(&self) -> Option<(f64, f64, f64)> {
        reliability_of(&self.saved.tree).map(|r| (r.error, r.sd, r.norm))
    }

    /// The tree cut by a pruner that needs no rows.
    fn prune(&self, py: Python<'_>, with: &str) -> PyResult<Self> {
        let saved = self.saved.clone();
        work::run(py, 1, None, |_| saved.prune(with)).map(Self::of)
    }

    /// All members of a pruner's path on this tree.
    fn path<'py>(&self, py: Python<'py>, with: &str) -> PyResult<Bound<'py, PyDict>> {
        let found = work::run(py, 1, None, |_| self.saved.tree.path(with))?;
        path_as_dict(py, &found)
    }

    #[pyo3(signature = (width=80, max_depth=None, max_lines=None, ascii=false, hint=""))]
    fn text(
        &self,
        width: usize,
        max_depth: Option<usize>,
        max_lines: Option<usize>,
        ascii: bool,
        hint: &str,
    ) -> String {
        let options = TextOptions { width, ascii, max_depth, max_lines, has_header: true, hint: hint.into() };
        text(&self.saved.tree, options).to_string()
    }

    #[pyo3(signature = (width=80, max_rules=None, ascii=false, by_coverage=false, sure=true))]
    fn rules(
        &self,
        width: usize,
        max_rules: Option<usize>,
        ascii: bool,
        by_coverage: bool,
        sure: bool,
    ) -> String {
        let order = if by_coverage { RuleOrder::Coverage } else { RuleOrder::Tree };
        let sure = if sure { self.judged().ok() } else { None };
        let options = RulesOptions { width, ascii, order, sure, max_rules, hint: String::new() };
        rules(&self.saved.tree, options).to_string()
    }

    #[pyo3(signature = (max_depth=None))]
    fn dot(&self, max_depth: Option<usize>) -> String {
        dot(&self.saved.tree, DotOptions { max_depth }).to_string()
    }

    /// The nodes as columns.
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rule = self.judged().ok();
        nodes::as_dict(py, &self.saved.tree, rule.as_ref())
    }
}
