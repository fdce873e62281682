"""Categories that are in order keep it, and are divided by it."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from secateur import TreeClassifier, TreeRegressor

SIZES = ["xs", "s", "m", "l", "xl"]
#: Only xs and xl are of class 1: no cut of the order does it at once, a subset of the values does.
CELLS = ["xl", "m", "xs", "l", "s"] * 8
TARGET = [int(size in ("xs", "xl")) for size in CELLS]

ORDERED = {
    "pandas": pd.DataFrame({"size": pd.Categorical(CELLS, categories=SIZES, ordered=True)}),
    "Polars": pl.DataFrame({"size": pl.Series(CELLS, dtype=pl.Enum(SIZES))}),
    "PyArrow": pa.table({"size": pa.DictionaryArray.from_arrays([SIZES.index(c) for c in CELLS], SIZES, ordered=True)}),
}


@pytest.mark.parametrize("name", ORDERED)
@pytest.mark.parametrize("scheme", ["cart", "c45", "cart:criterion=mae", "cart:criterion=mse"])
def test_order_is_kept_and_divides(name, scheme):
    estimator = TreeRegressor if "m" in scheme.partition("=")[2] else TreeClassifier
    tree = estimator(scheme).fit(ORDERED[name], TARGET)
    assert tree.model_.attributes == [("size", SIZES)]
    np.testing.assert_array_equal(tree.predict(ORDERED[name]), TARGET)
    # What reaches a node is an interval of the order.
    for node in tree.decision_path(ORDERED[name]).toarray().T:
        places = sorted({SIZES.index(CELLS[row]) for row in np.flatnonzero(node)})
        assert places == list(range(places[0], places[-1] + 1))
    assert tree.get_n_leaves() == 3


def test_the_containers_give_one_tree():
    models = {TreeClassifier("cart").fit(table, TARGET).model_.to_json() for table in ORDERED.values()}
    assert len(models) == 1


def test_categories_without_an_order_are_divided_as_is_best():
    table = pd.DataFrame({"size": pd.Categorical(CELLS, categories=SIZES)})
    assert TreeClassifier("cart").fit(table, TARGET).get_n_leaves() == 2


def test_order_equals_numbers(rng):
    """A cut of ordered values is a cut of their places."""
    places = rng.integers(0, 6, size=(300, 2))
    y = (places.sum(axis=1) + rng.normal(size=300) > 5).astype(int)
    names = [str(i) * 2 for i in range(6)]
    ordered = pd.DataFrame({c: pd.Categorical.from_codes(places[:, i], names, ordered=True) for i, c in enumerate("ab")})
    for scheme in ("cart", "cart/cost-complexity:cv=10,1se", "cart:criterion=entropy"):
        ours = TreeClassifier(scheme).fit(ordered, y)
        numbers = TreeClassifier(scheme).fit(places, y)
        assert ours.get_n_leaves() == numbers.get_n_leaves()
        np.testing.assert_array_equal(ours.predict_proba(ordered), numbers.predict_proba(places))


def test_unordered_dictionaries_mean_the_same_as_their_values():
    y = [0, 1, 0, 1]
    tables = [
        pd.DataFrame({"x": pd.Categorical([30, 7, 30, 8])}),
        pa.table({"x": pa.array([30, 7, 30, 8]).dictionary_encode()}),
        pl.DataFrame({"x": ["30", "7", "30", "8"]}),
    ]
    for table in tables:
        tree = TreeClassifier("cart").fit(table, y)
        for other in tables:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                assert tree.predict(other).tolist() == y
        # A column of numbers is matched with categories that are numbers.
        assert tree.predict(pd.DataFrame({"x": [30, 7, 30, 8]})).tolist() == y
