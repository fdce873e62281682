//! The columns of a table, gathered from what Python holds.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::ndarray::{ArrayView2, Axis};
use numpy::{Element, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use secateur::data::{Column, MISSING, Matrix as InPlace, Nominal, Numbers, Values};
use secateur::schema::ShownAs;

/// Columns on their way into a table; used up by the call they are handed to.
#[pyclass(frozen, module = "secateur._native")]
#[derive(Default)]
pub struct Columns {
    gathered: Mutex<Vec<Column>>,
    /// A matrix in one piece whose columns come after these, and their names: read where it is by who can, copied for all others.
    matrix: Mutex<Option<(Vec<String>, HeldMatrix)>>,
    /// How the numbers of some columns are shown, by their names.
    shown: Mutex<HashMap<String, ShownAs>>,
    /// The columns whose values are in order.
    ordered: Mutex<Vec<String>>,
}

impl Columns {
    fn push(&self, name: String, values: Values) {
        self.all().push(Column { name, values });
    }

    /// The columns that are there, with those of the matrix.
    fn all(&self) -> MutexGuard<'_, Vec<Column>> {
        let mut gathered = self.gathered.lock().unwrap_or_else(PoisonError::into_inner);
        let matrix = self.matrix.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((names, held)) = matrix {
            let columns = Python::attach(|py| held.bind(py).columns());
            let column = |(name, values)| Column { name, values: Values::Numeric(values) };
            gathered.extend(names.into_iter().zip(columns).map(column));
        }
        gathered
    }

    /// The matrix with the names of its columns, where that is all there is; there is nothing left afterwards.
    pub fn take_matrix<'py>(&self, py: Python<'py>) -> Option<(Vec<String>, Matrix<'py>)> {
        if !self.gathered.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return None;
        }
        let (names, held) = self.matrix.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some((names, held.bind(py)))
    }

    /// These columns.
    pub fn with(columns: Vec<Column>) -> Self {
        Self { gathered: Mutex::new(columns), ..Self::default() }
    }

    /// Adds a column that is there already.
    pub fn add(&self, column: Column) {
        self.push(column.name, column.values);
    }

    /// Says how the numbers of a column are shown.
    pub fn show(&self, name: &str, shown: ShownAs) {
        if !shown.is_plain() {
            self.shown.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into(), shown);
        }
    }

    /// Says that the values of a column are in order.
    pub fn order(&self, name: &str) {
        self.ordered.lock().unwrap_or_else(PoisonError::into_inner).push(name.into());
    }

    /// The columns whose values are in order.
    pub fn ordered(&self) -> Vec<String> {
        self.ordered.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How the numbers of columns are shown, by their names.
    pub fn shown(&self) -> HashMap<String, ShownAs> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What `look` sees of the columns, which stay.
    pub fn seen<T>(&self, look: impl FnOnce(&[Column]) -> T) -> T {
        look(&self.all())
    }

    /// The columns themselves; there are none left afterwards.
    pub fn take(&self) -> PyResult<Vec<Column>> {
        let columns = std::mem::take(&mut *self.all());
        if columns.is_empty() {
            return Err(PyRuntimeError::new_err("these columns are empty or used up"));
        }
        Ok(columns)
    }
}

#[pymethods]
impl Columns {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Adds all columns of a matrix of 32- or 64-bit numbers, whatever its strides; NaN is missing.
    fn add_matrix(&self, names: Vec<String>, matrix: Matrix<'_>) -> PyResult<()> {
        let width = matrix.size().1;
        if width != names.len() {
            return Err(PyValueError::new_err(format!("{} names for {width} columns", names.len())));
        }
        if matrix.in_place().is_none() {
            let columns = names.into_iter().zip(matrix.columns());
            columns.for_each(|(name, values)| self.push(name, Values::Numeric(values)));
            return Ok(());
        }
        drop(self.all()); // with the columns of a matrix that came before
        *self.matrix.lock().unwrap_or_else(PoisonError::into_inner) = Some((names, matrix.held()));
        Ok(())
    }

    /// Adds a column of numbers; NaN is missing. `shown`: `"numeric"`, `"date"`, `"date-time"` or `"time"`.
    #[pyo3(signature = (name, values, shown="numeric"))]
    fn add_numbers(&self, name: String, values: PyReadonlyArray1<'_, f64>, shown: &str) {
        let all = [ShownAs::Date, ShownAs::DateTime, ShownAs::Time];
        self.show(&name, all.into_iter().find(|one| one.name() == shown).unwrap_or_default());
        self.push(name, Values::Numeric(values.as_array().iter().copied().collect()));
    }

    /// Adds a column of values from a list, which may be in order; a code below 0 is missing.
    #[pyo3(signature = (name, levels, codes, ordered=false))]
    fn add_codes(
        &self,
        name: String,
        levels: Vec<String>,
        codes: PyReadonlyArray1<'_, i64>,
        ordered: bool,
    ) -> PyResult<()> {
        if ordered {
            self.order(&name);
        }
        let code = |&code: &i64| match code {
            ..0 => Ok(MISSING),
            code if (code as usize) < levels.len() => Ok(code as u32),
            code => Err(PyValueError::new_err(format!("code {code} is outside the list of values"))),
        };
        let codes = codes.as_array().iter().map(code).collect::<PyResult<_>>()?;
        self.push(name, Values::Nominal(Nominal { levels, codes }));
        Ok(())
    }

    /// Adds a column of strings, in the order of appearance; `None` is missing.
    fn add_strings(&self, name: String, cells: &Bound<'_, PyList>) -> PyResult<()> {
        let mut known: HashMap<String, u32> = HashMap::new();
        let (mut levels, mut codes) = (Vec::new(), Vec::with_capacity(cells.len()));
        for (row, cell) in cells.iter().enumerate() {
            if cell.is_none() {
                codes.push(MISSING);
                continue;
            }
            let text: std::borrow::Cow<'_, str> = cell.extract().map_err(|_| {
                PyTypeError::new_err(format!("column '{name}', row {}: expected a string or None", row + 1))
            })?;
            codes.push(match known.get(text.as_ref()) {
                Some(&code) => code,
                None => {
                    let code = levels.len() as u32;
                    levels.push(text.to_string());
                    known.insert(text.into_owned(), code);
                    code
                }
            });
        }
        self.push(name, Values::Nominal(Nominal { levels, codes }));
        Ok(())
    }

    /// Adds the columns of an object with `__arrow_c_stream__` or `__arrow_c_array__`, or those that are used where it has as many; gives
    /// the names of all, and whether it is a table or a single column.
    #[pyo3(signature = (object, used=None))]
    fn add_arrow(&self, object: &Bound<'_, PyAny>, used: Option<Vec<bool>>) -> PyResult<(Vec<String>, bool)> {
        let found = crate::arrow::read(object, used.as_deref())?;
        for (column, shown) in found.columns.into_iter().zip(found.shown) {
            self.show(&column.name, shown);
            if found.ordered.contains(&column.name) {
                self.order(&column.name);
            }
            self.add(column);
        }
        Ok((found.names, found.is_table))
    }

    /// Gives the columns these names instead of their own.
    fn rename(&self, names: Vec<String>) -> PyResult<()> {
        let mut columns = self.all();
        if columns.len() != names.len() {
            return Err(PyValueError::new_err(format!(
                "{} names for {} columns",
                names.len(),
                columns.len()
            )));
        }
        for (column, name) in columns.iter_mut().zip(names) {
            column.name = name;
        }
        Ok(())
    }

    /// The number of rows; 0 without columns.
    fn rows(&self) -> usize {
        let columns = self.all();
        columns.first().map_or(0, |column| column.values.len())
    }

    /// The cells of a column as Python sees them: numbers with NaN, or strings with None.
    fn cells<'py>(&self, py: Python<'py>, place: usize) -> PyResult<Bound<'py, PyAny>> {
        let columns = self.all();
        let column = columns.get(place).ok_or_else(|| PyValueError::new_err("there is no such column"))?;
        Ok(match &column.values {
            Values::Numeric(values) => numpy::PyArray1::from_slice(py, values).into_any(),
            Values::Nominal(nominal) => {
                let text = |&code: &u32| nominal.levels.get(code as usize).map(String::as_str);
                PyList::new(py, nominal.codes.iter().map(text))?.into_any()
            }
        })
    }

    /// The values of a nominal column and the codes of its cells, -1 where one is missing.
    fn levels(&self, place: usize) -> PyResult<(Vec<String>, Vec<i64>)> {
        let columns = self.all();
        match columns.get(place).map(|column| &column.values) {
            Some(Values::Nominal(nominal)) => {
                let code = |&code: &u32| if code == MISSING { -1 } else { i64::from(code) };
                Ok((nominal.levels.clone(), nominal.codes.iter().map(code).collect()))
            }
            _ => Err(PyValueError::new_err("there is no such nominal column")),
        }
    }

    /// Whether each column holds numbers.
    fn numeric(&self) -> Vec<bool> {
        let columns = self.all();
        columns.iter().map(|column| matches!(column.values, Values::Numeric(_))).collect()
    }
}

/// A matrix of numbers that Python holds.
pub enum Matrix<'py> {
    /// Of 64 bits.
    Double(PyReadonlyArray2<'py, f64>),
    /// Of 32 bits.
    Single(PyReadonlyArray2<'py, f32>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Matrix<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyArray2<f32>>() {
            Ok(matrix) => Ok(Self::Single(matrix.to_owned().try_readonly()?)),
            Err(_) => Ok(Self::Double(object.cast::<PyArray2<f64>>()?.to_owned().try_readonly()?)),
        }
    }
}

/// The same while nobody looks at it.
enum HeldMatrix {
    Double(Py<PyArray2<f64>>),
    Single(Py<PyArray2<f32>>),
}

impl HeldMatrix {
    fn bind<'py>(&self, py: Python<'py>) -> Matrix<'py> {
        match self {
            Self::Double(matrix) => Matrix::Double(matrix.bind(py).readonly()),
            Self::Single(matrix) => Matrix::Single(matrix.bind(py).readonly()),
        }
    }
}

impl Matrix<'_> {
    fn held(&self) -> HeldMatrix {
        match self {
            Self::Double(matrix) => HeldMatrix::Double(matrix.as_unbound().clone_ref(matrix.py())),
            Self::Single(matrix) => HeldMatrix::Single(matrix.as_unbound().clone_ref(matrix.py())),
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> (usize, usize) {
        match self {
            Self::Double(matrix) => matrix.as_array().dim(),
            Self::Single(matrix) => matrix.as_array().dim(),
        }
    }

    /// The columns.
    pub fn columns(&self) -> Vec<Vec<f64>> {
        match self {
            Self::Double(matrix) => columns_of(&matrix.as_array(), |x| x),
            Self::Single(matrix) => columns_of(&matrix.as_array(), f64::from),
        }
    }

    /// The numbers where they are, if they are in one piece.
    pub fn in_place(&self) -> Option<InPlace<'_>> {
        match self {
            Self::Double(matrix) => in_place(matrix, Numbers::Double),
            Self::Single(matrix) => in_place(matrix, Numbers::Single),
        }
    }

    /// Whether one of the numbers is infinite, as far as they are in one piece.
    pub fn has_infinite(&self) -> bool {
        match self {
            Self::Double(matrix) => matrix.as_slice().is_ok_and(|cells| any(cells, f64::is_infinite)),
            Self::Single(matrix) => matrix.as_slice().is_ok_and(|cells| any(cells, f32::is_infinite)),
        }
    }

    /// One row.
    pub fn row(&self, row: usize, numbers: &mut Vec<f64>) {
        numbers.clear();
        match self {
            Self::Double(matrix) => numbers.extend(matrix.as_array().row(row)),
            Self::Single(matrix) => numbers.extend(matrix.as_array().row(row).iter().map(|&x| f64::from(x))),
        }
    }
}

/// The numbers of an array where they are.
fn in_place<'a, T: Element + Copy>(
    matrix: &'a PyReadonlyArray2<'_, T>,
    numbers: impl Fn(&'a [T]) -> Numbers<'a>,
) -> Option<InPlace<'a>> {
    let width = matrix.as_array().ncols();
    let cells = matrix.as_slice().ok()?;
    let by_rows = matrix.is_c_contiguous();
    let matrix = if by_rows { InPlace::by_rows } else { InPlace::by_columns };
    Some(matrix(numbers(cells), width))
}

/// Whether something holds for one of many cells, for which it hardly ever does.
fn any<T: Copy>(cells: &[T], holds: impl Fn(T) -> bool) -> bool {
    cells.iter().fold(false, |any, &x| any | holds(x))
}

/// The columns of a matrix. Some rows are taken at a time: one column after the other would fetch every row from memory as often as
/// there are columns.
fn columns_of<T: Copy>(matrix: &ArrayView2<T>, number: impl Fn(T) -> f64) -> Vec<Vec<f64>> {
    let (rows, width) = matrix.dim();
    let mut columns: Vec<Vec<f64>> = (0..width).map(|_| Vec::with_capacity(rows)).collect();
    for rows in matrix.axis_chunks_iter(Axis(0), (4096 / width.max(1)).max(16)) {
        for (column, cells) in columns.iter_mut().zip(rows.columns()) {
            column.extend(cells.iter().map(|&x| number(x)));
        }
    }
    columns
}

/// A number in the words of the program: as short as possible, without an exponent; or the date or time that it stands for.
#[pyfunction]
#[pyo3(signature = (x, shown="numeric"))]
pub fn number_as_text(x: f64, shown: &str) -> String {
    let all = [ShownAs::Date, ShownAs::DateTime, ShownAs::Time];
    all.into_iter().find(|one| one.name() == shown).unwrap_or_default().text(x)
}
