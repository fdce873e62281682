"""Why a tree says what it says of one row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from . import _native, _table

if TYPE_CHECKING:
    from ._estimator import Tree


def _number(x: float, shown: str = "numeric") -> str:
    return _native.number_as_text(float(f"{x:.6g}") if shown == "numeric" else x, shown)


def _shown(below: float, shown: str) -> tuple[bool, str]:
    """What is below a threshold: whether the number shown belongs to it, and the number."""
    if shown != "numeric":
        return False, _number(below, shown)
    value = _native.at_most(below)
    return value is not None, _number(below if value is None else value)


def test_as_text(
    name: str, low: Optional[float], high: Optional[float], values: Optional[list[str]], shown: str = "numeric"
) -> str:
    """What is asked of a column, in words.

    >>> test_as_text("age", 18.0, 65.0, None)
    '18 ≤ age < 65'
    >>> test_as_text("age", None, 2.4500000000000006, None)
    'age ≤ 2.45'
    >>> test_as_text("colour", None, None, ["red", "blue"])
    'colour = red or blue'
    >>> test_as_text("day", 864000.0, None, None, "date")
    'day ≥ 1970-01-11'
    """
    if values is not None:
        return f"{name} = {' or '.join(values)}"
    if low is not None and high is not None:
        is_out, low_shown = _shown(low, shown)
        return f"{low_shown} {'<' if is_out else '≤'} {test_as_text(name, None, high, None, shown)}"
    if high is not None:
        is_in, high_shown = _shown(high, shown)
        return f"{name} {'≤' if is_in else '<'} {high_shown}"
    if low is not None:
        is_out, low_shown = _shown(low, shown)
        return f"{name} {'>' if is_out else '≥'} {low_shown}"
    return name


test_as_text.__test__ = False  # not a test, whatever its name says


def _plain(cell: Any) -> Any:
    """A number or text of NumPy as one of Python."""
    return cell.item() if isinstance(cell, np.generic) else cell


def _cell(cell: Any, shown: str) -> Any:
    """A cell as it is told: the date or time that a number stands for."""
    return _number(cell, shown) if shown != "numeric" and isinstance(cell, float) and cell == cell else cell


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
    elif getattr(row, "ndim", None) == 2 or hasattr(row, "columns") or _table.is_arrow(row):
        return row
    cells = np.empty((1, len(row)), dtype=object)
    cells[0, :] = list(row)
    return cells


class Explanation:
    """What a tree says of a row and why.

    ``prediction`` is the answer; ``leaves`` lists the leaves that the row reaches, each with its number (``node``), the
    ``share`` of the row that does, the ``tests`` on the way, the training ``rows`` behind it and how many of them had
    another answer (``wrong``). A row without missing values reaches one leaf. Printing it gives the words.

    >>> import secateur
    >>> found = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"]).explain([0.9])
    >>> found.prediction, found.leaves[0]["tests"]
    ('yes', [('x0 ≥ 0.5', 0.9)])
    """

    def __init__(self, prediction: Any, leaves: list[dict[str, Any]], regression: bool):
        self.prediction = prediction
        self.leaves = leaves
        self._regression = regression

    @classmethod
    def _of(cls, tree: "Tree", row: Any) -> "Explanation":
        import warnings

        names = getattr(tree, "feature_names_in_", None)
        table = as_table(row, None if names is None else list(names))
        with warnings.catch_warnings():
            # The row of a list has no names, and needs none.
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            columns = tree._rows(table)
            if columns.rows() != 1:
                raise ValueError(f"expected one row to explain, got {columns.rows()}")
            attributes = [name for name, _ in tree.model_.attributes]
            cells = {name: _plain(columns.cells(place)[0]) for place, name in enumerate(attributes)}
            _, leaves, shares = tree.model_.leaf_shares(columns, tree._strict(), 1)
            prediction = _plain(tree.predict(table)[0])
        nodes = tree.model_.nodes()
        answers = tree._predictions_of(nodes)
        found = []
        for leaf, share in zip(leaves.tolist(), shares.tolist()):
            asked = tree.model_.rule(leaf)
            found.append(
                {
                    "node": leaf,
                    "share": share,
                    "tests": [(test_as_text(*test), _cell(cells[test[0]], test[4])) for test in asked],
                    "prediction": answers[leaf],
                    "rows": nodes["rows"][leaf],
                    "wrong": tree._wrong_at(nodes, leaf),
                    "expected_error": nodes["expected_error"][leaf] if "expected_error" in nodes else None,
                }
            )
        return cls(prediction, found, tree._regression)

    def __str__(self) -> str:
        parts = []
        for leaf in self.leaves:
            head = f"{leaf['prediction']}"
            if self._regression:
                head = _number(leaf["prediction"])
            if len(self.leaves) > 1:
                head += f" ({100 * leaf['share']:.3g} % of the row)"
            lines = [f"{head}, because" if leaf["tests"] else f"{head}, always"]
            for test, cell in leaf["tests"]:
                missing = cell is None or cell != cell
                it = "it is missing" if missing else f"it is {_number(cell) if isinstance(cell, float) else cell}"
                lines.append(f"  {test}  ({it})")
            rows = f"{leaf['rows']} training row{'' if leaf['rows'] == 1 else 's'} ended here"
            if not self._regression:
                rows += f", {_number(leaf['wrong'])} of them with another answer"
            lines.append(rows)
            parts.append("\n".join(lines))
        if len(self.leaves) > 1:
            answer = _number(self.prediction) if self._regression else self.prediction
            parts.append(f"together: {answer}")
        return "\n".join(parts)

    def __repr__(self) -> str:
        return f"<Explanation: {self.prediction} from {len(self.leaves)} leaf{'' if len(self.leaves) == 1 else 's'}>"
