"""Missing values that mean something."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from secateur import TreeClassifier, TreeRegressor, load_builtin


def test_whether_a_value_is_there_can_be_the_answer():
    X, y = load_builtin("survey?n=2000")
    half = len(y) // 2
    accuracy = {
        missing: TreeClassifier(missing=missing).fit(X[:half], y[:half]).score(X[half:], y[half:])
        for missing in (None, "known", "branch")
    }
    assert accuracy[None] == accuracy["known"] < 0.6 and accuracy["branch"] > 0.82
    theirs = DecisionTreeClassifier(max_depth=1).fit(X[["age", "income"]][:half], y[:half])
    assert accuracy["branch"] >= theirs.score(X[["age", "income"]][half:], y[half:])


def test_the_option_can_be_searched_for_and_is_checked():
    X, y = load_builtin("survey")
    best = GridSearchCV(TreeClassifier("cart", max_depth=2), {"missing": ["known", "branch"]}, cv=3).fit(X, y)
    assert best.best_params_ == {"missing": "branch"}
    assert best.best_estimator_.scheme_ == "cart:missing=branch,max-depth=2"
    for wrong in ("sideways", "branch,min-leaf=50"):
        with pytest.raises(ValueError, match="missing"):
            TreeClassifier(missing=wrong).fit(X, y)


def test_numbers_and_categories(rng):
    city = pd.Categorical.from_codes(rng.integers(-1, 3, 300), ["Lima", "Oslo", "Rome"])
    X = pd.DataFrame({"city": city, "size": np.where(rng.random(300) < 0.3, np.nan, rng.random(300))})
    y = np.where(X["size"].isna(), 4.0, 0.0) + np.where(X["city"].isna(), 2.0, 0.0) + (X["city"] == "Oslo")
    for learner in ("cart", "c45"):
        tree = TreeRegressor(learner, missing="branch").fit(X, y)
        np.testing.assert_allclose(tree.predict(X), y, atol=1e-12)
        assert "missing" in str(tree) and len(tree.explain(X[X["size"].isna()][:1]).leaves) == 1
        again = type(tree).from_model(tree.model_)
        np.testing.assert_array_equal(again.predict(X), tree.predict(X))
