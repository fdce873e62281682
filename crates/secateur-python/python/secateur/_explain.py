"""Why a tree says what it says of one row."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _table

if TYPE_CHECKING:
    from ._estimator import Tree


def as_table(row: Any, names: Optional[list[str]]) -> Any:
    """One row as something two-dimensional."""
    if hasattr(row, "to_dict") and getattr(row, "ndim", 2) == 1:
        row = row.to_dict()
    if isinstance(row, dict):
        if names is None:
            raise ValueError("the tree was fitted without column names; give the row as a list")
        absent = [name for name in names if name not in row]
        if absent:
            raise ValueError(f"the row has no value for {', '.join(map(repr, absent))}")
        row = [row[name] for name in names]
    elif isinstance(row, (str, bytes)) or not hasattr(row, "__len__"):
        raise TypeError(f"row: expected a list, a dictionary or a row of a data frame, got {row!r}")
    elif getattr(row, "ndim", None) == 2 or hasattr(row, "columns") or _table.is_arrow(row):
        return row
    cells = np.empty((1, len(row)), dtype=object)
    cells[0, :] = list(row)
    return cells


class Explanation:
    """What a tree says of a row and why.

    ``prediction`` is the answer; ``leaves`` lists the leaves that the row reaches, each with its number (``node``), the
    ``share`` of the row that does, the ``tests`` on the way with the row's values, its own ``prediction``, the training ``rows`` behind it, their
    ``weight`` and how much of that had another answer (``wrong``). A row without missing values reaches one leaf. ``changes`` is the
    nearest change that gives another answer: tests that the row would have to pass, all else being as it is; ``changed`` is that answer.
    Printing it gives the words.

    >>> import secateur
    >>> found = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"]).explain([0.9])
    >>> found.prediction, found.leaves[0]["tests"]
    ('yes', [('x0 ≥ 0.5', 0.9)])
    >>> found.changes, found.changed
    (['x0 < 0.5'], 'no')
    """

    def __init__(self, prediction: Any, leaves: list[dict[str, Any]], changes: list[str], changed: Any, text: str):
        self.prediction = prediction
        self.leaves = leaves
        self.changes = changes
        self.changed = changed
        self._text = text

    @classmethod
    def _of(cls, tree: "Tree", row: Any) -> "Explanation":
        names = getattr(tree, "feature_names_in_", None)
        table = as_table(row, None if names is None else list(names))
        with warnings.catch_warnings():
            # The row of a list has no names, and needs none.
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            columns = tree._rows(table)
            if columns.rows() != 1:
                raise ValueError(f"expected one row to explain, got {columns.rows()}")
            told = tree.model_.explain(columns, tree._strict())
            prediction = tree.predict(table).tolist()[0]
        nodes = tree.model_.nodes()
        answers = tree._predictions_of(nodes)
        leaves = [
            {
                "node": node,
                "share": share,
                "tests": tests,
                "prediction": answers[node],
                "rows": nodes["rows"][node],
                "weight": nodes["weight"][node],
                "wrong": tree._wrong_at(nodes, node),
                "expected_error": nodes["expected_error"][node] if "expected_error" in nodes else None,
            }
            for node, share, tests in told["leaves"]
        ]
        if told["near"] is None:
            return cls(prediction, leaves, [], None, told["text"])
        changes, label, value = told["near"]
        changed = tree._answer(label, value)
        shown = f"{changed:.6g}" if isinstance(changed, float) else changed
        return cls(prediction, leaves, changes, changed, f"{told['text']}\n{shown} with {' and '.join(changes)}")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Explanation: {self.prediction} from {len(self.leaves)} leaf{'' if len(self.leaves) == 1 else 's'}>"
