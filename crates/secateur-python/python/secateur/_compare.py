"""Schemes against each other, by repeated cross-validation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Optional, Union

import numpy as np

from . import _native, _options, _table
from ._check import number, whole
from ._classifier import TreeClassifier
from ._common import frame, listener_of, seed_of, threads_of
from ._estimator import Tree
from ._regressor import TreeRegressor


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
        # Schemes can have measures that others lack, whichever of them comes first.
        known = dict.fromkeys(name for entry in entries for name in entry["numbers"])
        measures = [name for name in known if not name.endswith("seconds")]
        rows: dict[str, list[Any]] = {name: [] for name in ("table", "scheme", *measures, "p", "mark")}
        folds: dict[str, list[Any]] = {name: [] for name in ("table", "scheme", "split", *measures)}
        for entry in entries:
            rows["table"].append(entry["table"])
            rows["scheme"].append(entry["scheme"])
            count = len(next(iter(entry["numbers"].values())))
            for name in measures:
                numbers = entry["numbers"].get(name)
                rows[name].append(float("nan") if numbers is None else float(np.nanmean(numbers)))
                folds[name].extend([float("nan")] * count if numbers is None else numbers)
            rows["p"].append(entry.get("p", float("nan")))
            rows["mark"].append(entry.get("mark", ""))
            folds["table"].extend([entry["table"]] * count)
            folds["scheme"].extend([entry["scheme"]] * count)
            folds["split"].extend(range(count))
        self.columns = rows
        self.table = frame(rows)
        self.folds = frame(folds)

    def _grid(self) -> list[list[str]]:
        """One line per data set, a column per scheme, marked where it differs from the first."""
        rows = self.columns
        tables, schemes = list(dict.fromkeys(rows["table"])), list(dict.fromkeys(rows["scheme"]))
        found = {
            (table, scheme): f"{number:.4f}{mark if mark in '<>' else ''}"
            for table, scheme, number, mark in zip(rows["table"], rows["scheme"], rows[self.measure], rows["mark"])
        }
        return [[self.measure, *schemes]] + [[t, *(found[t, s] for s in schemes)] for t in tables]

    def __str__(self) -> str:
        grid = self._grid()
        widths = [max(len(row[i]) for row in grid) for i in range(len(grid[0]))]
        return "\n".join("  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() for row in grid)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        head, *body = [[escape(cell) for cell in row] for row in self._grid()]
        lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
        lines += [f"<tr><th>{row[0]}</th>" + "".join(f"<td>{cell}</td>" for cell in row[1:]) + "</tr>" for row in body]
        return "<table>" + "".join(lines) + "</table><small>&lt; and &gt;: significantly less, or more, than the first</small>"


#: An integer target with more values than this is taken for numbers.
MOST_CLASSES = 20


def task_of(y: Any) -> str:
    """What a target is when it is not given: text, booleans and categories are classes, as are whole numbers of an integer
    type of which there are few; all others are numbers.

    >>> task_of(["yes", "no"]), task_of([0, 1, 1]), task_of([151.0, 75.0]), task_of(range(100))
    ('classification', 'classification', 'regression', 'regression')
    """
    if _table.is_pandas(y) and hasattr(y, "cat"):
        return "classification"
    array = _table.target_array(y)
    if array.dtype.kind == "f":
        return "regression"
    return "regression" if array.dtype.kind in "iu" and len(np.unique(array)) > MOST_CLASSES else "classification"


def _methods(schemes: Any, task: Optional[str]) -> tuple[list[tuple[str, Any]], Optional[str]]:
    """What is compared, by name, and the task that estimators among it are for."""
    if isinstance(schemes, (str, Tree)):
        schemes = [schemes]
    if not isinstance(schemes, (Mapping, Iterable)):
        raise TypeError(f"schemes: expected texts of schemes or estimators, got {schemes!r}")
    named = list(schemes.items()) if isinstance(schemes, Mapping) else [(None, method) for method in schemes]
    if not named:
        raise ValueError("schemes: there is nothing to compare")
    methods: list[tuple[str, Any]] = []
    for name, method in named:
        if isinstance(method, Tree):
            theirs = "regression" if method._regression else "classification"
            if task is not None and task != theirs:
                raise ValueError(f"schemes: {type(method).__name__} is not for task={task!r}")
            task = theirs
        elif not isinstance(method, str):
            raise TypeError(f"schemes: expected texts of schemes or estimators, got {method!r}")
        if name is None:
            name = method if isinstance(method, str) else f"{type(method).__name__}({method._scheme(10**9, None)})"
        if name in (known for known, _ in methods):
            raise ValueError(f"schemes: two are called {name!r}; give a dictionary with different names")
        methods.append((str(name), method))
    return methods, task


def _learner(methods: list[tuple[str, Any]], task: str) -> Tree:
    """An estimator that reads a table for all methods: they must agree on what mistakes cost and what classes weigh."""
    trees = [method for _, method in methods if isinstance(method, Tree)]
    reader: Tree = TreeRegressor() if task == "regression" else TreeClassifier()
    for name in ("costs", "class_weight") if task == "classification" else ():
        given = [getattr(tree, name) for tree in trees]
        if any(repr(other) != repr(given[0]) for other in given):
            raise ValueError(f"schemes: estimators with different {name} cannot be compared by one measure")
        if given and given[0] is not None:
            reader.set_params(**{name: given[0]})
    for tree in trees:
        if tree.cv is not None and not isinstance(tree.cv, (int, np.integer)):
            raise ValueError("schemes: an estimator whose cv is a splitter cannot be compared; give a number of folds")
    return reader


def compare(
    tables: Mapping[str, Sequence[Any]],
    schemes: Union[Sequence[Any], Mapping[str, Any]],
    *,
    task: Optional[str] = None,
    measure: Optional[str] = None,
    folds: Any = 10,
    repeats: int = 1,
    level: float = 0.05,
    groups: Optional[Mapping[str, Any]] = None,
    random_state: Any = None,
    n_jobs: Optional[int] = None,
    verbose: Any = False,
) -> Comparison:
    """Compares schemes on tables by repeated cross-validation, every scheme on the same folds.

    Parameters
    ----------
    tables : ``{name: (X, y)}``, or ``{name: (X, y, sample_weight)}``.
    schemes : texts of schemes or estimators, or ``{name: text or estimator}``. All are compared with the first. Estimators must
        agree on ``costs`` and ``class_weight``.
    task : ``"classification"`` or ``"regression"``. Not given, it is that of the estimators; and for texts alone it is read off
        each target: text, booleans and categories are classes, and so are at most 20 different values of an integer type; all
        others are numbers.
    measure : what the marks are about; ``accuracy`` for classes, ``mse`` for numbers when not given.
    folds, repeats : the cross-validation; ``folds`` may be a splitter that tests every row at most once.
    groups : ``{name: groups of the rows}``: the rows of a group are in one fold.
    level : the level of the corrected resampled t test.

    >>> import secateur
    >>> found = secateur.compare({"iris": secateur.load_builtin("iris")}, ["cart", "cart/mdl"], folds=5)
    >>> found.table[["table", "scheme", "mark"]]
      table    scheme mark
    0  iris      cart
    1  iris  cart/mdl    =
    """
    if not isinstance(tables, Mapping):
        raise TypeError("tables: expected a dictionary {name: (X, y)}")
    if not tables:
        raise ValueError("tables: there is no table to compare on")
    if task not in (None, "classification", "regression"):
        raise ValueError(f"task: expected 'classification' or 'regression', got {task!r}")
    number("level", level)
    whole("repeats", repeats, 1)
    for name in groups or ():
        if name not in tables:
            raise ValueError(f"groups: there is no table {name!r}")
    methods, task = _methods(schemes, task)
    ready, tasks = [], set()
    for name, table in tables.items():
        if not isinstance(table, Sequence) or len(table) not in (2, 3):
            raise ValueError(f"tables: expected (X, y) or (X, y, sample_weight) for {name!r}")
        of_table = task or task_of(table[1])
        tasks.add(of_table)
        lesson = _learner(methods, of_table)._lesson(*table, *([None] * (3 - len(table))))
        given, count = _folds(folds, lesson, None if groups is None else groups.get(name), random_state)
        if given is not None and repeats > 1:
            raise ValueError("repeats: folds that are given are the same every time; leave it out")
        texts = [(text, method if isinstance(method, str) else method._scheme(lesson.rows, method.cv)) for text, method in methods]
        ready.append((str(name), lesson, texts, given, count))
    if len(tasks) > 1 and measure is None:
        raise ValueError("task: some of the targets are classes and some numbers; compare them apart, or give task")
    measure = measure or ("accuracy" if tasks == {"classification"} else "mse")
    entries = []
    for name, lesson, texts, given, count in ready:
        entries += _native.compare(
            name,
            lesson.columns,
            lesson.target,
            texts,
            measure=measure,
            weights=lesson.weights,
            costs=lesson.costs,
            given=given,
            folds=count,
            repeats=repeats,
            level=level,
            seed=seed_of(random_state),
            threads=threads_of(n_jobs),
            listener=listener_of(verbose),
        )
    return Comparison(entries, measure)


def _folds(folds: Any, lesson: Any, groups: Any, random_state: Any) -> tuple[Optional[list[int]], int]:
    """The fold of every row where it is given, and the number of folds."""
    if isinstance(folds, (int, np.integer)):
        whole("folds", folds, 2)
        codes = _table.groups_of(groups, lesson.rows)
        if codes is None:
            return None, int(folds)
        # Groups in a random order, dealt to the folds.
        count = max(codes) + 1
        if count < folds:
            raise ValueError(f"groups: there are {count}, which is not enough for {folds} folds")
        order = np.random.default_rng(seed_of(random_state)).permutation(count)
        return (order % int(folds))[codes].tolist(), int(folds)
    given = _options.fold_of_rows(folds, lesson.rows, lesson.answers, groups, name="folds")
    return given, max(given) + 1
