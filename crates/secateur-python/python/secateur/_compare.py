"""Schemes against each other, by repeated cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
from joblib import effective_n_jobs

from . import _native, _table
from ._common import frame, listener_of, seed_of


class Comparison:
    """What came of a comparison.

    ``table`` has a row for every data set and scheme: the mean of each measure, and against the first scheme the ``p`` of
    the corrected resampled t test and a ``mark``: ``>`` for significantly larger, ``<`` for smaller, ``=`` for neither.
    ``folds`` has a row for every fold.

    >>> import secateur
    >>> found = secateur.compare({"iris": secateur.load_builtin("iris")}, ["cart:max-depth=1", "cart"], folds=5)
    >>> len(found.folds), found.measure
    (10, 'accuracy')
    """

    def __init__(self, entries: list[dict[str, Any]], measure: str):
        self.measure = measure
        measures = [name for name in entries[0]["numbers"] if not name.endswith("seconds")]
        rows: dict[str, list[Any]] = {name: [] for name in ("table", "scheme", *measures, "p", "mark")}
        folds: dict[str, list[Any]] = {name: [] for name in ("table", "scheme", "split", *measures)}
        for entry in entries:
            rows["table"].append(entry["table"])
            rows["scheme"].append(entry["scheme"])
            for name in measures:
                numbers = entry["numbers"].get(name, [float("nan")])
                rows[name].append(float(np.nanmean(numbers)))
                folds[name].extend(numbers)
            rows["p"].append(entry.get("p", float("nan")))
            rows["mark"].append(entry.get("mark", ""))
            count = len(next(iter(entry["numbers"].values())))
            folds["table"].extend([entry["table"]] * count)
            folds["scheme"].extend([entry["scheme"]] * count)
            folds["split"].extend(range(count))
        self.columns = rows
        self.table = frame(rows)
        self.folds = frame(folds)

    def __str__(self) -> str:
        """One line per data set, a column per scheme, marked where it differs from the first."""
        rows = self.columns
        tables, schemes = list(dict.fromkeys(rows["table"])), list(dict.fromkeys(rows["scheme"]))
        found = {
            (table, scheme): f"{number:.4f}{mark if mark in '<>' else ''}"
            for table, scheme, number, mark in zip(rows["table"], rows["scheme"], rows[self.measure], rows["mark"])
        }
        grid = [[self.measure, *schemes]] + [[t, *(found[t, s] for s in schemes)] for t in tables]
        widths = [max(len(row[i]) for row in grid) for i in range(len(schemes) + 1)]
        return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in grid)

    def __repr__(self) -> str:
        return str(self)


def _target(y: Any, names: list[str]) -> _native.Columns:
    from ._classifier import TreeClassifier
    from ._regressor import TreeRegressor

    array = np.asarray(y)
    rows = _table.Rows(_native.Columns(), names, True, len(array))
    # Numbers with a fraction are to be predicted as numbers, everything else as classes.
    regression = array.dtype.kind == "f" and not np.all(array == np.floor(array))
    return (TreeRegressor() if regression else TreeClassifier())._target(y, rows)[0]


def compare(
    tables: Mapping[str, tuple[Any, Any]],
    schemes: Union[Sequence[str], Mapping[str, str]],
    *,
    measure: Optional[str] = None,
    folds: int = 10,
    repeats: int = 1,
    level: float = 0.05,
    random_state: Any = None,
    n_jobs: Optional[int] = None,
    verbose: Any = False,
) -> Comparison:
    """Compares schemes on tables by repeated cross-validation, every scheme on the same folds.

    Parameters
    ----------
    tables : ``{name: (X, y)}``.
    schemes : texts of schemes, or ``{name: text}``. All are compared with the first.
    measure : what the marks are about; ``accuracy`` for classes, ``mse`` for numbers when not given.
    folds, repeats : the cross-validation.
    level : the level of the corrected resampled t test.

    >>> import secateur
    >>> found = secateur.compare({"iris": secateur.load_builtin("iris")}, ["cart", "cart/mdl"], folds=5)
    >>> found.table[["table", "scheme", "mark"]]
      table    scheme mark
    0  iris      cart
    1  iris  cart/mdl    =
    """
    if not tables:
        raise ValueError("there is no table to compare on")
    named = list(schemes.items()) if isinstance(schemes, Mapping) else [(text, text) for text in schemes]
    if not named:
        raise ValueError("there is no scheme to compare")
    ready, classes = [], True
    for name, (X, y) in tables.items():
        found = _table.read(X, "compare")
        target = _target(y, found.names)
        classes = classes and not target.numeric()[0]
        ready.append((name, found.columns, target))
    measure = measure or ("accuracy" if classes else "mse")
    entries = _native.compare(
        ready,
        named,
        measure=measure,
        folds=folds,
        repeats=repeats,
        level=level,
        seed=seed_of(random_state),
        threads=effective_n_jobs(n_jobs),
        listener=listener_of(verbose),
    )
    return Comparison(entries, measure)
