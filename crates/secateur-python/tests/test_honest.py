"""Estimates that were not used to choose, sets and intervals, and how sure numbers are."""

import numpy as np
import pytest

from secateur import TreeClassifier, TreeRegressor, load_builtin


@pytest.fixture(scope="module")
def credit():
    return load_builtin("credit?n=400")


@pytest.fixture(scope="module")
def houses():
    return load_builtin("houses?n=400")


def test_an_estimate_is_corrected_nested_or_left_out(credit):
    scheme = "cart/cost-complexity:cv=10"
    told = TreeClassifier(scheme).fit(*credit).estimate_
    assert told["method"] == "10-fold cross-validation, adjusted for choosing the tree size"
    assert told["bias_correction"] >= 0
    nested = TreeClassifier(scheme).fit(*credit, estimate="nested")
    assert nested.estimate_["method"] == "nested 10-fold cross-validation"
    assert nested.estimate_["bias_correction"] is None
    assert nested.model_.conformal == ("nested 10-fold cross-validation", 400)
    assert TreeClassifier(scheme).fit(*credit, estimate="off").estimate_ is None
    assert TreeClassifier("cart/mdl").fit(*credit).estimate_ is None
    assert TreeClassifier("cart/mdl").fit(*credit, estimate="nested").estimate_["error"] > 0
    with pytest.raises(ValueError, match="corrected, nested or off"):
        TreeClassifier().fit(*credit, estimate="kind")
    with pytest.raises(TypeError, match="estimate"):
        TreeClassifier().fit(*credit, estimate=None)


def test_sets_have_the_class_as_often_as_they_say(credit):
    X, y = credit
    tree = TreeClassifier("cart/cost-complexity:cv=10").fit(X[:200], y[:200])
    new = X[200:], np.asarray(y)[200:]
    small = None
    for level in (0.6, 0.9, 0.95):
        sets = tree.predict_set(new[0], level)
        assert sets.dtype == bool and sets.shape == (200, 2)
        inside = sets[np.arange(200), np.searchsorted(tree.classes_, new[1])].mean()
        assert inside > level - 3 * np.sqrt(level * (1 - level) / 200)
        # The label is always there, and larger levels have larger sets.
        assert sets[np.arange(200), np.searchsorted(tree.classes_, tree.predict(new[0]))].all()
        assert small is None or (sets | ~small).all()
        small = sets
    assert tree.predict_set(new[0]).tolist() == tree.predict_set(new[0], 0.9).tolist()


def test_intervals_have_the_number_as_often_as_they_say(houses):
    X, y = houses
    for options in ({}, {"calibrate": 0.3}, {"estimate": "nested"}):
        tree = TreeRegressor("cart/cost-complexity:cv=10").fit(X[:200], y[:200], **options)
        low, high = tree.predict_interval(X[200:], 0.9).T
        inside = ((low <= y[200:]) & (y[200:] <= high)).mean()
        assert 0.8 < inside < 1.0
        np.testing.assert_allclose((low + high) / 2, tree.predict(X[200:]))


def test_wrong_levels_and_trees_without_scores_are_refused(credit, houses):
    tree = TreeClassifier("cart/cost-complexity:cv=10").fit(*credit)
    for level in (0, 1, -0.5, 90):
        with pytest.raises(ValueError, match="level: expected a number between 0 and 1"):
            tree.predict_set(credit[0], level)
    with pytest.raises(TypeError, match="level"):
        tree.predict_set(credit[0], "0.9")
    with pytest.raises(ValueError, match="at least 999 rows"):
        tree.predict_set(credit[0], 0.999)
    for without in (tree.prune("cost-complexity:alpha=0"), TreeClassifier("cart").fit(*credit)):
        with pytest.raises(ValueError, match="no scores"):
            without.predict_set(credit[0])
    with pytest.raises(ValueError, match="calibrate: expected a number between 0 and 1"):
        TreeRegressor().fit(*houses, calibrate=2)


def test_numbers_have_a_reliability():
    X, y = load_builtin("friedman?n=400")
    tree = TreeRegressor("cart/cost-complexity:cv=10,1se").fit(X, y)
    found = tree.reliability(X)
    np.testing.assert_allclose(found["norm"], np.hypot(found["error"], found["sd"]))
    # Rows of a leaf have the same, near the spread of its rows.
    leaf = tree.apply(X)
    for one in np.unique(leaf):
        mine = found[leaf == one]
        rows = y[leaf == one]
        assert mine["error"].nunique() == 1
        if len(rows) > 40:
            assert mine["error"].iloc[0] == pytest.approx(rows.std(), rel=0.25)
    error, sd, norm = tree.model_.tree_reliability()
    assert error == pytest.approx(np.sqrt((found["error"] ** 2).mean()), rel=1e-9)


def grouped(groups, copies, seed):
    """Rows of a group are nearly the same, and their numbers follow the group alone."""
    rng = np.random.default_rng(seed)
    X = np.repeat(rng.normal(size=(groups, 3)), copies, axis=0)
    y = np.repeat(rng.normal(size=groups), copies)
    return X, y, np.repeat(np.arange(groups), copies)


def test_whole_groups_are_set_aside():
    X, y, groups = grouped(150, 10, 1)
    new, answers, _ = grouped(300, 1, 2)
    for tree, target, expected in ((TreeRegressor("cart"), y, answers), (TreeClassifier("cart"), y > 0, answers > 0)):
        inside = []
        for given in (groups, None):
            tree.fit(X, target, groups=given, calibrate=0.3)
            if isinstance(tree, TreeRegressor):
                low, high = tree.predict_interval(new, 0.9).T
                inside.append(((low <= expected) & (expected <= high)).mean())
            else:
                inside.append(tree.predict_set(new, 0.9)[np.arange(300), expected.astype(int)].mean())
        with_groups, without = inside
        # Groups set aside are 45: their 0.9 is off by 0.045 as a standard deviation.
        assert with_groups > 0.9 - 3 * 0.045 > without
    with pytest.raises(ValueError, match="groups: 3 for 1500 rows"):
        TreeRegressor("cart").fit(X, y, groups=[1, 2, 3], calibrate=0.3)


def test_rows_of_a_group_are_not_evidence_of_their_own():
    from sklearn.model_selection import GroupKFold

    se = []
    for copies in (1, 10):
        X, y, groups = grouped(100, copies, 3)
        tree = TreeClassifier("cart/cost-complexity", cv=GroupKFold(10)).fit(X, y > 0, groups=groups)
        se.append(tree.estimate_["se"])
    # Ten copies of every row say no more than one.
    assert 0.5 < se[1] / se[0] < 2
    # The folds' distance chooses, and is what the path and the page go by, too.
    chosen = TreeClassifier("cart/cost-complexity:1se", cv=GroupKFold(10)).fit(X, y > 0, groups=groups)
    path = chosen.path("cost-complexity", X, y > 0, groups=groups, cv=GroupKFold(10))
    assert path["cv_se"].tolist() == chosen.path()["cv_se"].tolist()
    assert "10-fold cross-validation" in chosen.to_html(X, y > 0, groups=groups)
