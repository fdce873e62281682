"""What is noticed in a table is reported, once, and nothing else is."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import secateur
from secateur import TableWarning, TreeClassifier

N = 40
Y = [0, 1] * (N // 2)


def told(X, y=Y):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        TreeClassifier("cart").fit(X, y)
    assert all(issubclass(one.category, TableWarning) and one.filename == __file__ for one in found)
    return [str(one.message) for one in found]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize(
    "cells, words",
    [
        ([f"name{i}" for i in range(N)], "'c' has a different value in nearly every row"),
        ([float(i % 7) for i in range(N)], None),
        ([1.5] * N, "one value only: 'c'"),
        ([str(i % 30) for i in range(N)], "'c' is text, but all its values are numbers"),
        (["?" if i == 3 else str(i % 30) for i in range(N)], "'c' would be numeric except for 1 of 40 cells (row 4: '?')"),
        (list(range(N)), "'c' has a different whole number in every row"),
    ],
)
def test_what_is_noticed_is_told(frame, cells, words):
    rest = [float(i % 5) for i in range(N)]
    found = told(frame({"c": cells, "x": rest}))
    assert len(found) == (words is not None), found
    assert words is None or words in found[0]


def test_row_numbers_are_told_by_their_name():
    assert told(pd.DataFrame({"id": range(N), "x": [0.0, 1.0] * (N // 2)})) == ["'id' numbers the rows; leave it out of X"]


def test_arrays_are_not_looked_at():
    assert told(np.zeros((N, 2))) == []


def test_they_can_be_turned_off():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", secateur.TableWarning)
        TreeClassifier("cart").fit(pd.DataFrame({"c": [1.0] * N}), Y)
