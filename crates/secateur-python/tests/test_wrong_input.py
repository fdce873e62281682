"""Wrong input is answered with the exceptions that people expect, in words that help."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

from secateur import TreeClassifier, TreeRegressor, from_rpart, from_sklearn

X = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "x"]})
Y = ["p", "q", "p"]


@pytest.mark.parametrize(
    "X, y, kind, words",
    [
        ([1.0, 2.0], [0, 1], ValueError, "Reshape your data"),
        (pd.Series([1.0, 2.0]), [0, 1], ValueError, "Reshape your data"),
        (pl.Series([1.0, 2.0]), [0, 1], ValueError, "Reshape your data"),
        (X[:0], [], ValueError, r"0 sample\(s\)"),
        (X[[]], Y, ValueError, r"0 feature\(s\)"),
        (pl.DataFrame(X)[:0], [], ValueError, r"0 sample\(s\)"),
        (X, ["p", "q"], ValueError, "inconsistent numbers of samples"),
        (X, ["p", None, "q"], ValueError, "row 2 has no label"),
        (X, [0.0, np.nan, 1.0], ValueError, "contains NaN"),
        (X, None, ValueError, "requires y to be passed"),
        (X, np.array(["p", 1, "q"], dtype=object), (TypeError, ValueError), "labels|label type"),
        (X, [0.5, 0.25, 1.5], ValueError, "Unknown label type"),
        (pd.DataFrame({"a": [1, "x", 2]}), Y, TypeError, "'a' holds cells of different types"),
        (pd.DataFrame({"a": [True, "x", None]}), Y, TypeError, "different types"),
        (pd.DataFrame({"a": [1, {}, 2]}), Y, TypeError, "row 2.*must be a string or a number, not 'dict'"),
        (pd.DataFrame({"a": [1.0, np.inf, 2]}), Y, ValueError, "row 2 is inf"),
        (pd.DataFrame([[1, 2]] * 3, columns=["a", "a"]), Y, ValueError, "same name"),
        (pd.DataFrame([[1, 2]] * 3, columns=["a", 1]), Y, TypeError, "string names"),
        (pl.LazyFrame({"a": [1]}), [0], TypeError, "collect"),
        (np.array([[1 + 2j]]), [0], ValueError, "Complex data not supported"),
    ],
)
def test_fitting_says_what_is_wrong(X, y, kind, words):
    with pytest.raises(kind, match=words):
        TreeClassifier("cart").fit(X, y)


@pytest.mark.parametrize(
    "y, words", [([1.0, np.nan, 2.0], "row 2"), ([1.0, np.inf, 2.0], "infinity"), (["a", "b", "c"], "expected numbers")]
)
def test_targets_must_be_numbers(y, words):
    with pytest.raises(ValueError, match=words):
        TreeRegressor("cart").fit(X, y)


def test_predicting_needs_the_same_columns():
    tree = TreeClassifier("cart").fit(X, Y)
    for other, words in [
        (X.rename(columns={"b": "c"}), "unseen at fit time:\n- c"),
        (X[["b", "a"]], "same order"),
        (X[["a"]], "yet now missing:\n- b"),
    ]:
        with pytest.raises(ValueError, match=words):
            tree.predict(other)
    with pytest.warns(UserWarning, match="valid feature names"):
        tree.predict(X.to_numpy())
    with pytest.raises(ValueError, match="X has 3 features, but TreeClassifier is expecting 2"), pytest.warns(UserWarning):
        tree.predict(np.zeros((1, 3)))
    with pytest.raises(ValueError, match="grown with numbers here, but row 1 is 'x'"):
        TreeClassifier("cart").fit(X[["a"]], Y).predict(pd.DataFrame({"a": ["x"]}))
    with pytest.raises(NotFittedError):
        TreeClassifier().predict(X)


@pytest.mark.parametrize(
    "weights, words",
    [([1, 2], "sample_weight.shape"), ([1, -1, 1], "at least 0"), ([0, 0, 0], "non-zero|no row has a weight"), ([1, np.nan, 1], "NaN")],
)
def test_weights_are_checked(weights, words):
    with pytest.raises(ValueError, match=words):
        TreeClassifier("cart").fit(X, Y, sample_weight=weights)


@pytest.mark.parametrize(
    "costs, words",
    [({("p", "z"): 2}, "no class 'z'"), ([[0, 1]], "2 by 2"), ([[0, -1], [1, 0]], "from 0"), ([[0, 0], [0, 0]], "nothing costs"), ({"pq": 3}, "not a pair"), ({("p", "q", "p"): 3}, "not a pair")],
)
def test_costs_are_checked(costs, words):
    with pytest.raises(ValueError, match=words):
        TreeClassifier("cart", costs=costs).fit(X, Y)


def test_files_and_foreign_trees_are_checked(tmp_path):
    with pytest.raises(FileNotFoundError):
        TreeClassifier.load(tmp_path / "nothing.json")
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(ValueError, match="not a valid model"):
        TreeClassifier.load(tmp_path / "bad.json")
    TreeRegressor("cart").fit([[1.0], [2.0]], [1.0, 2.0]).save(tmp_path / "numbers.json")
    with pytest.raises(ValueError, match="predicts numbers"):
        TreeClassifier.load(tmp_path / "numbers.json")
    with pytest.raises(ValueError, match="not the JSON of an rpart tree"):
        from_rpart("[]")
    with pytest.raises((TypeError, ValueError)):
        from_sklearn(3)


def test_questions_that_make_no_sense():
    tree = TreeClassifier("cart").fit(X, Y)
    with pytest.raises(ValueError, match="gives one answer"):
        tree.path("mdl")
    with pytest.raises(ValueError, match="needs the data"):
        tree.prune("reduced-error")
    with pytest.raises(ValueError, match="no value for 'b'"):
        tree.explain({"a": 1.0})
    with pytest.raises(ValueError, match="one row"):
        tree.explain(X)
