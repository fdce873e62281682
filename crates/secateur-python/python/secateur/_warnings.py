"""What is noticed in a table that a tree is fitted to."""

from __future__ import annotations

import warnings


class TableWarning(UserWarning):
    """Something in a table that may not be as it was meant: a column that numbers its rows, text that is nearly numbers, a column
    with one value. The columns of data frames are looked at when a tree is fitted; they are used as they are, whatever the warnings say.

    >>> import pandas as pd, secateur, warnings
    >>> X = pd.DataFrame({"x": range(30), "const": 1.0})
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     tree = secateur.TreeClassifier("cart").fit(X, [0, 1] * 15)
    >>> for one in told:
    ...     print(one.category.__name__, "-", one.message)
    TableWarning - 'x' has a different whole number in every row; it may be an identifier
    TableWarning - a column has one value only: 'const'

    ``warnings.simplefilter("ignore", secateur.TableWarning)`` keeps it quiet.
    """


def tell(notes: list[tuple[str, str, str]], level: int) -> None:
    """Warns of what was noticed: kind, column and sentence."""
    for kind, column, sentence in notes:
        if kind == "Identifier":
            sentence = f"{column!r} has a different value in nearly every row, as an identifier has; leave it out of X"
        elif kind == "RowNumbers":
            sentence = f"{column!r} numbers the rows; leave it out of X"
        warnings.warn(TableWarning(sentence), stacklevel=level + 1)


def told(notes: list[tuple[str, str, str]], level: int) -> None:
    """Warns of what was noticed, where identifiers were left out already."""
    for _, _, sentence in notes:
        warnings.warn(TableWarning(sentence), stacklevel=level + 1)
