"""The data sets that ship with the library, and its table of methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _native
from ._check import text
from ._common import frame


def load_builtin(name: str) -> tuple[Any, Any]:
    """A data set that ships with the library, as a data frame of columns and a target: the last column.

    Needs pandas. ``secateur data --list`` lists the names; some take a size and a seed, as in ``"credit?n=500"``.

    >>> import secateur
    >>> X, y = secateur.load_builtin("weather")
    >>> X.shape, y.name
    ((14, 4), 'play')
    """
    try:
        import pandas as pd
    except ImportError:
        raise ImportError("load_builtin gives a data frame: install pandas") from None

    names, columns = _native.builtin(text("name", name))
    cells: dict[str, Any] = {}
    for place, (label, numeric) in enumerate(zip(names, columns.numeric())):
        values = columns.cells(place)
        if not numeric:
            levels, codes = columns.levels(place)
            values = pd.Categorical.from_codes(np.asarray(codes), categories=levels)
        cells[label] = values
    table = pd.DataFrame(cells)
    return table[names[:-1]], table[names[-1]]


def schemes() -> Any:
    """All methods and their options: a data frame with a row for every option.

    >>> import secateur
    >>> table = secateur.schemes()
    >>> table[(table.method == "k-norm") & (table.option == "k")][["kind", "default"]]
          kind default
    ... pruner       2
    """
    rows: dict[str, list[Any]] = {
        name: [] for name in ("kind", "method", "option", "default", "about", "paper")
    }
    for kind, methods in zip(("learner", "pruner"), _native.methods()):
        for method in methods:
            for option in method["options"] or [{"name": "", "default": None, "help": method["one_line"]}]:
                rows["kind"].append(kind)
                rows["method"].append(method["id"])
                rows["option"].append(option["name"])
                rows["default"].append(option["default"])
                rows["about"].append(option["help"])
                rows["paper"].append(method["paper"])
    return frame(rows)
