"""What Python holds, as columns that the library understands.

Numbers stay numbers, with NaN for a missing value. Text, booleans and pandas categories become nominal columns: a
list of values and a code for every row. Nothing has to be encoded beforehand.
"""

from __future__ import annotations

import datetime
import decimal
import numbers
from typing import Any, Optional

import numpy as np

from . import _native

#: The types of cells that are a point in time, or a duration.
_MOMENTS = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
#: The types of cells that say "no value here", beside NaN.
_NOTHING = ("NoneType", "NAType", "NaTType")


class Rows:
    """Columns with what is known of them: their names, their number, whether the names came with the data. ``read`` says which
    of them are there; all of them are in ``matrix``, where that is given."""

    def __init__(
        self,
        columns: _native.Columns,
        names: list[str],
        named: bool,
        rows: int,
        read: Optional[list[bool]] = None,
        matrix: Optional[np.ndarray] = None,
    ):
        self.columns = columns
        self.names = names
        self.named = named
        self.rows = rows
        self.read = read or [True] * len(names)
        self.matrix = matrix


def is_pandas(X: Any) -> bool:
    return type(X).__module__.split(".")[0] == "pandas"


def is_arrow(X: Any) -> bool:
    return hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")


def read(X: Any, who: str, numeric: Optional[list[bool]] = None, used: Optional[list[bool]] = None) -> Rows:
    """Columns of anything two-dimensional; ``who`` asks for them, for error messages. ``numeric`` says which of a tree's columns
    are numbers, ``used`` which of them it tests: the others of a frame are not read."""
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        raise TypeError(
            f"{who} was given a sparse matrix, but dense data is required: use X.toarray() to make it dense"
        )
    if is_pandas(X):
        found = _from_pandas(X, who, used)
    elif type(X).__module__.split(".")[0] == "polars" and type(X).__name__ == "LazyFrame":
        raise TypeError("X is a LazyFrame: call X.collect() first")
    elif is_arrow(X):
        found = _from_arrow(X, used)
    else:
        found = _from_array(X, numeric)
    shape = (found.rows, len(found.names))
    if not found.names:
        raise ValueError(
            f"Found array with 0 feature(s) (shape={shape}) while a minimum of 1 is required by {who}."
        )
    if found.rows == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape={shape}) while a minimum of 1 is required by {who}."
        )
    return found


def _one_dimensional(X: Any, what: str) -> ValueError:
    return ValueError(
        f"Expected 2D array, got {what} instead:\narray={X!r}.\n"
        "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
        "array.reshape(1, -1) if it contains a single sample."
    )


def _own_names(count: int) -> list[str]:
    return [f"x{i}" for i in range(count)]


def _from_arrow(X: Any, used: Optional[list[bool]]) -> Rows:
    columns = _native.Columns()
    if used is not None and _is_matrix(X, used):
        return Rows(columns, X.columns, True, len(X), used, X.to_numpy())
    names, table = columns.add_arrow(X, used)
    if not table:
        raise _one_dimensional(X, "1D array")
    return Rows(columns, names, True, columns.rows() if names else len(X), used if len(used or ()) == len(names) else None)


def _is_matrix(X: Any, used: list[bool]) -> bool:
    """Whether a data frame of Polars gives its numbers as a matrix without work, most of them for use; what is null is NaN there."""
    if type(X).__module__.split(".")[0] != "polars" or type(X).__name__ != "DataFrame":
        return False
    return X.width == len(used) <= 2 * sum(used) and set(map(str, X.dtypes)) in ({"Float32"}, {"Float64"})


def as_matrix(array: np.ndarray) -> np.ndarray:
    """An array of numbers with the types that the compiled part reads."""
    if array.dtype in (np.float32, np.float64) and array.dtype.isnative:
        return array
    return array.astype(np.float64)


def _from_array(X: Any, numeric: Optional[list[bool]]) -> Rows:
    array = _unmasked(X) if isinstance(X, np.ma.MaskedArray) else np.asarray(X) if hasattr(X, "__array__") else _from_lists(X)
    if array.ndim != 2:
        raise _one_dimensional(array, "scalar array" if array.ndim == 0 else f"{array.ndim}D array")
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    names, columns = _own_names(array.shape[1]), _native.Columns()
    if array.dtype.kind == "b" and numeric is not None and all(numeric):
        array = array.astype(np.float64)
    if array.dtype.kind == "b":
        for place, name in enumerate(names):
            columns.add_codes(name, ["false", "true"], array[:, place].astype(np.int64))
    elif array.dtype.kind in "fiu":
        if array.shape[1]:
            columns.add_matrix(names, as_matrix(array))
    else:
        for place, name in enumerate(names):
            _add_column(columns, name, array[:, place])
    return Rows(columns, names, False, array.shape[0])


def _unmasked(X: Any) -> np.ndarray:
    """The same array with what is masked missing."""
    if not np.ma.is_masked(X):
        return np.asarray(X)
    if X.dtype.kind in "fiu":
        return X.astype(np.float64).filled(np.nan)
    if X.dtype.kind in "mM":
        return X.filled(np.array("NaT", dtype=X.dtype))
    cells = np.array(X.data, dtype=object)
    cells[np.ma.getmaskarray(X)] = None
    return cells


def target_array(y: Any) -> np.ndarray:
    """A target as an array, with what is masked missing."""
    if hasattr(y, "toarray") and hasattr(y, "nnz"):
        # scikit-learn's own message; it knows no sparse targets of trees either.
        raise TypeError("y was given as a sparse matrix, but dense data is required: use y.toarray() to make it dense")
    return _unmasked(y) if isinstance(y, np.ma.MaskedArray) else np.asarray(y)


def groups_of(groups: Any, rows: int) -> Optional[list[int]]:
    """The groups of rows as numbers from 0."""
    if groups is None:
        return None
    codes = np.reshape(np.unique(target_array(groups), return_inverse=True)[1], -1)
    if len(codes) != rows:
        raise ValueError(f"groups: {len(codes)} for {rows} rows")
    found: list[int] = codes.tolist()
    return found


def _from_lists(X: Any) -> np.ndarray:
    array = np.asarray(X)
    # NumPy makes text of the numbers beside a text.
    return np.asarray(X, dtype=object) if array.dtype.kind in "USO" else array


def _from_pandas(X: Any, who: str, used: Optional[list[bool]]) -> Rows:
    if X.ndim != 2:
        raise _one_dimensional(X, "1D array")
    strings = [isinstance(label, str) for label in X.columns]
    if any(strings) and not all(strings):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{sorted({type(label).__name__ for label in X.columns})} as feature name / column name types. If you "
            f"want feature names to be stored and validated by {who}, convert them with "
            "X.columns = X.columns.astype(str)."
        )
    names, columns = [str(label) for label in X.columns], _native.Columns()
    plain = [isinstance(dtype, np.dtype) and dtype in (np.float32, np.float64) for dtype in X.dtypes]
    to_learn = used is None
    if used is None or len(used) != len(names):
        used = [True] * len(names)
    found = Rows(columns, names, bool(strings) and all(strings), len(X), used)
    places = [place for place, is_used in enumerate(used) if is_used]
    if not names or not all(plain):
        for place in places:
            _add_series(columns, names[place], X.iloc[:, place])
    elif to_learn or 2 * len(places) < len(names):
        columns.add_matrix([names[place] for place in places], (X if to_learn else X.iloc[:, places]).to_numpy())
    else:
        # Where most columns are used, it is cheaper to take the table as it is.
        found.matrix = X.to_numpy()
    return found


def as_text(value: Any) -> str:
    """A value as the program would read it from a file."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return _native.number_as_text(float(value))
    return str(value)


def _add_series(columns: _native.Columns, name: str, series: Any) -> None:
    """Adds a pandas column."""
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = np.asarray(series.cat.codes, dtype=np.int64)
        columns.add_codes(name, [as_text(c) for c in dtype.categories], codes, bool(dtype.ordered))
    elif pd.api.types.is_bool_dtype(dtype):
        missing = np.asarray(series.isna())
        codes = np.where(missing, -1, np.asarray(series.fillna(False), dtype=bool).astype(np.int64))
        columns.add_codes(name, ["false", "true"], codes)
    elif pd.api.types.is_complex_dtype(dtype):
        raise ValueError(f"Complex data not supported\ncolumn '{name}'\n")
    elif pd.api.types.is_numeric_dtype(dtype):
        columns.add_numbers(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    elif hasattr(dtype, "pyarrow_dtype") and not pd.api.types.is_string_dtype(dtype):
        # Dates, times and dictionaries of PyArrow within pandas: as from PyArrow itself.
        import pyarrow as pa

        columns.add_arrow(pa.Table.from_pandas(series.to_frame(name), preserve_index=False))
    elif isinstance(dtype, pd.PeriodDtype):
        # A period is represented by its beginning.
        columns.add_numbers(name, _seconds(series.dt.to_timestamp().to_numpy()), "date-time")
    elif pd.api.types.is_datetime64_any_dtype(dtype):
        if getattr(series.dt, "tz", None) is not None:
            series = series.dt.tz_convert("UTC").dt.tz_localize(None)
        columns.add_numbers(name, _seconds(series.to_numpy()), "date-time")
    elif pd.api.types.is_timedelta64_dtype(dtype):
        columns.add_numbers(name, _seconds(series.to_numpy()))
    else:
        cells = series.astype(object).to_numpy(dtype=object)
        _add_objects(columns, name, cells)


def _seconds(times: np.ndarray) -> np.ndarray:
    """Seconds since 1970, or of a duration; NaT is missing. Whole seconds and the rest apart: the same time gives the same
    number, whatever unit it is counted in."""
    unit, step = np.datetime_data(times.dtype)
    per_second = {"ms": 10**3, "us": 10**6, "ns": 10**9}.get(unit)
    if per_second is None or step != 1:
        finer = unit in ("ps", "fs", "as")
        times = times.astype(f"{times.dtype.kind}8[{'ns' if finer else 's'}]")
        per_second = 10**9 if finer else 1
    whole, rest = np.divmod(times.astype(np.int64), per_second)
    seconds = whole + rest / per_second
    seconds[np.isnat(times)] = np.nan
    return seconds


def _moments(kind: type, cells: list[Any]) -> tuple[np.ndarray, str]:
    """Seconds of cells that are dates, times or durations of Python (or pandas), and how they are shown."""
    if issubclass(kind, (datetime.timedelta, np.timedelta64)):
        return _seconds(np.array(cells, dtype="timedelta64[ns]" if kind is not datetime.timedelta else "timedelta64[us]")), "numeric"
    if issubclass(kind, datetime.time):
        times = [np.nan if c is None else 3600.0 * c.hour + 60 * c.minute + c.second + c.microsecond / 1e6 for c in cells]
        return np.array(times, dtype=np.float64), "time"
    if issubclass(kind, datetime.datetime):
        zoned = [None if c is None else c if c.tzinfo is None else c.astimezone(datetime.timezone.utc).replace(tzinfo=None) for c in cells]
        return _seconds(np.array([None if c is None else np.datetime64(c) for c in zoned], dtype="datetime64[ns]" if kind is not datetime.datetime else "datetime64[us]")), "date-time"
    day = "date" if not issubclass(kind, np.datetime64) else "date-time"
    return _seconds(np.array(cells, dtype="datetime64[D]" if day == "date" else "datetime64[ns]")), day


def _add_column(columns: _native.Columns, name: str, array: np.ndarray) -> None:
    """Adds a column of an array that is not one of numbers."""
    if array.dtype.kind in "mM":
        day = array.dtype.kind == "M"
        shown = "numeric" if not day else "date" if np.datetime_data(array.dtype)[0] in ("D", "W", "M", "Y") else "date-time"
        columns.add_numbers(name, _seconds(array), shown)
    elif array.dtype.kind == "U":
        columns.add_strings(name, array.tolist())
    else:
        _add_objects(columns, name, array)


def _is_nan(cell: Any) -> bool:
    return isinstance(cell, (float, np.floating)) and cell != cell


def first_missing(array: np.ndarray) -> Optional[int]:
    """The first place without a value, if there is one."""
    if array.dtype.kind == "O":
        cells = enumerate(array.tolist())
        return next((i for i, cell in cells if type(cell).__name__ in _NOTHING or _is_nan(cell)), None)
    missing = np.flatnonzero(array != array)
    return int(missing[0]) if len(missing) else None


def _add_objects(columns: _native.Columns, name: str, cells: np.ndarray) -> None:
    """Adds a column of Python objects: all numbers, all strings, or all booleans, any of them missing."""
    listed = cells.tolist()
    nothing, flags, texts, figures, moments = set(), set(), set(), set(), set()
    for kind in set(map(type, listed)):
        if kind.__name__ in _NOTHING:
            nothing.add(kind)
        elif issubclass(kind, (bool, np.bool_)):
            flags.add(kind)
        elif issubclass(kind, str):
            texts.add(kind)
        elif issubclass(kind, _MOMENTS):
            moments.add(kind)
        elif issubclass(kind, (numbers.Real, decimal.Decimal, np.number)):
            figures.add(kind)
        else:
            row = next(i for i, cell in enumerate(listed) if type(cell) is kind)
            raise TypeError(
                f"column '{name}', row {row + 1}: a cell's argument must be a string or a number, not "
                f"'{kind.__name__}'"
            )
    if moments:
        listed = [None if type(cell) in nothing or _is_nan(cell) else cell for cell in listed]
        kinds = {type(cell) for cell in listed if cell is not None}
        if len(kinds) > 1:
            found = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise TypeError(f"column '{name}' holds cells of different types ({found}); make them all the same")
        columns.add_numbers(name, *_moments(kinds.pop(), listed))
    elif texts or flags:
        # NaN is how pandas says that a text is missing.
        listed = [None if type(cell) in nothing or _is_nan(cell) else cell for cell in listed]
        kinds = {type(cell) for cell in listed if cell is not None}
        if kinds <= texts:
            columns.add_strings(name, listed)
        elif kinds <= flags:
            codes = [-1 if cell is None else int(cell) for cell in listed]
            columns.add_codes(name, ["false", "true"], np.array(codes, dtype=np.int64))
        else:
            found = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise TypeError(
                f"column '{name}' holds cells of different types ({found}); make them all strings or all numbers, "
                f"for example with X['{name}'].astype(str)"
            )
    else:
        values = [np.nan if type(cell) in nothing else float(cell) for cell in listed]
        columns.add_numbers(name, np.array(values, dtype=np.float64))


#: What labels are, by the kind of their array.
_KINDS = {"i": "integer", "u": "integer", "f": "number", "b": "boolean"}


def kind_of_labels(classes: np.ndarray) -> str:
    """What labels are, in the words of the model file.

    >>> kind_of_labels(np.array([0, 1])), kind_of_labels(np.array(["a"], dtype=object))
    ('integer', 'text')
    """
    if classes.dtype.kind == "O" and len(classes):
        narrow = np.array(classes.tolist())
        return _KINDS.get(narrow.dtype.kind, "text") if narrow.ndim == 1 else "text"
    return _KINDS.get(classes.dtype.kind, "text")


def labels_of_kind(texts: list[str], kind: str) -> np.ndarray:
    """Labels of a model with the type they once had.

    >>> labels_of_kind(["8", "7"], "integer"), labels_of_kind(["true"], "boolean")
    (array([8, 7]), array([ True]))
    """
    try:
        if kind == "integer":
            return np.array([int(label) for label in texts])
        if kind == "number":
            return np.array([float(label) for label in texts])
    except ValueError:
        pass
    if kind == "boolean" and set(texts) <= {"false", "true"}:
        return np.array([label == "true" for label in texts])
    return np.array(texts, dtype=object)


#: The truth values by their spellings, in lower case.
_TRUTH = {"true": True, "t": True, "false": False, "f": False}


def labels_like(y: Any, classes: np.ndarray) -> Any:
    """Labels with truth values as the classes spell them; other labels as they are.

    >>> labels_like([True, False], np.array(["FALSE", "TRUE"], dtype=object)).tolist()
    ['TRUE', 'FALSE']
    >>> labels_like(["f", "TRUE"], np.array([False, True])).tolist()
    [False, True]
    >>> labels_like([1, 0], np.array([False, True]))
    [1, 0]
    """

    def truth(label: Any) -> Any:
        return _TRUTH.get(label.lower()) if isinstance(label, str) else bool(label) if isinstance(label, (bool, np.bool_)) else None

    spelled = {truth(label): label for label in classes.tolist()}
    if None in spelled or len(spelled) != len(classes) or getattr(y, "ndim", 1) != 1:
        return y
    labels = np.asarray(y, dtype=object).tolist()
    kinds = {type(label) for label in labels}
    if not kinds <= {str, bool, np.bool_} or None in map(truth, labels):
        return y
    return np.array([spelled.get(truth(label), label) for label in labels], dtype=classes.dtype)


def name_of(y: Any, taken: list[str]) -> str:
    """The name of a target: its own, or ``target``; one that no column has."""
    name = getattr(y, "name", None)
    if not isinstance(name, str) and getattr(y, "ndim", 1) == 2 and len(getattr(y, "columns", ())) == 1:
        name = y.columns[0]
    if not isinstance(name, str) or not name:
        name = "target"
    while name in taken:
        name += "_"
    return name


def classes_in_order(y: Any, labels: np.ndarray) -> Optional[list[Any]]:
    """The categories of a pandas target, in their own order; ``None`` for other targets."""
    if is_pandas(y) and hasattr(y, "cat"):
        present = set(labels.tolist())
        return [category for category in y.cat.categories.tolist() if category in present]
    return None
