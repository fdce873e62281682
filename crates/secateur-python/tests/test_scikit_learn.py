"""The estimators are estimators: scikit-learn's own checks, and the tools that people put them into."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import StackingClassifier, VotingClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from secateur import TreeClassifier, TreeRegressor


@pytest.mark.filterwarnings("error::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("estimator", [TreeClassifier(), TreeRegressor()], ids=["classes", "numbers"])
def test_all_checks_pass(estimator):
    for result in check_estimator(estimator):
        assert result["status"] == "passed", result


def test_cloning_keeps_parameters():
    tree = TreeClassifier("c45/error-based", cf=0.1, random_state=3)
    assert clone(tree).get_params() == tree.get_params()
    assert tree.set_params(cf=0.2).get_params()["cf"] == 0.2


def test_grid_search_over_options():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(TreeClassifier(pruning="k-norm"), {"k": [1, 2, 8], "max_depth": [1, 3]}, cv=3)
    search.fit(X, y)
    assert search.best_params_["max_depth"] == 3
    assert search.best_estimator_.scheme_.startswith("cart:max-depth=3/k-norm")


def test_pipelines_and_pickles():
    X, y = load_iris(return_X_y=True)
    pipe = make_pipeline(make_column_transformer((StandardScaler(), [0, 1]), remainder="passthrough"), TreeClassifier())
    assert cross_val_score(pipe, X, y, cv=5).mean() > 0.9
    pipe.fit(X, y)
    again = pickle.loads(pickle.dumps(pipe))
    np.testing.assert_array_equal(again.predict_proba(X), pipe.predict_proba(X))
    assert again[-1].model_.to_json() == pipe[-1].model_.to_json()


def test_output_configuration_does_no_harm():
    pd = pytest.importorskip("pandas")
    X, y = load_iris(return_X_y=True, as_frame=True)
    pipe = make_pipeline(StandardScaler(), TreeClassifier()).set_output(transform="pandas")
    assert list(pipe.fit(X, y)[-1].feature_names_in_) == list(X.columns)
    assert isinstance(X, pd.DataFrame)


def test_names_come_out_of_what_is_built_on_trees():
    """A tree transforms nothing, so it has no `get_feature_names_out` of its own; those who ask it have the names of its columns."""
    pytest.importorskip("pandas")
    X, y = load_iris(return_X_y=True, as_frame=True)
    assert not hasattr(TreeClassifier(), "get_feature_names_out")
    chosen = SelectFromModel(TreeClassifier("cart"), threshold=0.1).fit(X, y)
    assert set(chosen.get_feature_names_out()) <= {"petal length (cm)", "petal width (cm)"}
    stacked = StackingClassifier([("tree", TreeClassifier())], TreeClassifier()).fit(X, y)
    assert list(stacked.get_feature_names_out()) == [f"stackingclassifier_tree{i}" for i in range(3)]
    voted = VotingClassifier([("tree", TreeClassifier())], voting="soft", flatten_transform=True).fit(X, y)
    assert len(voted.get_feature_names_out()) == 3
    assert voted.set_output(transform="pandas").transform(X).shape == (150, 3)


def test_scores():
    X, y = load_diabetes(return_X_y=True)
    tree = TreeRegressor(random_state=0).fit(X, y)
    assert 0.2 < tree.score(X, y) < 1
    assert tree.estimate_["error"] > 0 and "cross-validation" in tree.estimate_["method"]


def test_apply_and_decision_path_agree():
    X, y = load_iris(return_X_y=True)
    tree = TreeClassifier("cart").fit(X, y)
    leaves, path = tree.apply(X), tree.decision_path(X)
    assert path.shape == (150, len(tree.to_frame()))
    assert all(path[row, leaf] == 1 for row, leaf in enumerate(leaves))
    depth = tree.to_frame()["depth"].to_numpy()
    np.testing.assert_array_equal(np.asarray(path.sum(axis=1)).ravel(), depth[leaves] + 1)


def test_weights_are_repetitions(rng):
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    weights = rng.integers(0, 4, 60)
    repeated = TreeClassifier("cart").fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    weighted = TreeClassifier("cart").fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X))


def test_class_weights_are_sample_weights():
    X, y = load_iris(return_X_y=True)
    by_class = TreeClassifier("cart:max-depth=1", class_weight={0: 1, 1: 5, 2: 1}).fit(X, y)
    by_row = TreeClassifier("cart:max-depth=1").fit(X, y, sample_weight=np.where(y == 1, 5, 1))
    assert by_class.model_.to_json() == by_row.model_.to_json()


def test_folds_from_outside():
    X, y = load_iris(return_X_y=True)
    splits = list(KFold(5, shuffle=True, random_state=0).split(X))
    given = TreeClassifier(cv=splits).fit(X, y)
    splitter = TreeClassifier(cv=KFold(5, shuffle=True, random_state=0)).fit(X, y)
    assert given.model_.to_json() == splitter.model_.to_json()
    assert given.estimate_["method"].startswith("5-fold")
    with pytest.raises(ValueError, match="tested twice"):
        TreeClassifier(cv=splits + splits).fit(X, y)


def test_threads_and_random_states():
    X, y = load_iris(return_X_y=True)
    one = TreeClassifier(random_state=5, n_jobs=1).fit(X, y)
    many = TreeClassifier(random_state=5, n_jobs=-1).fit(X, y)
    assert one.model_.to_json() == many.model_.to_json()
    state = np.random.RandomState(0)
    TreeClassifier(random_state=state).fit(X, y)
    with pytest.raises(ValueError, match="at least 0"):
        TreeClassifier(random_state=-1).fit(X, y)


def test_options_are_those_of_the_program():
    X, y = load_iris(return_X_y=True)
    assert TreeClassifier("cart", max_depth=2).fit(X, y).scheme_ == "cart:max-depth=2"
    assert TreeClassifier(alpha=0.01).fit(X, y).scheme_ == "cart:value-guard,leaf-values=shrink/cost-complexity:alpha=0.01"
    assert TreeClassifier(cv=5).fit(X, y).scheme_ == "cart:value-guard,leaf-values=shrink/cost-complexity:cv=5,of=gini"
    assert TreeClassifier(se=1).fit(X, y).scheme_ == "cart:value-guard,leaf-values=shrink/cost-complexity:cv=10,se=1,of=gini"
    assert TreeClassifier(holdout=0.2).fit(X, y).scheme_ == "cart:value-guard,leaf-values=shrink/cost-complexity:holdout=0.2,of=gini"
    assert TreeClassifier(leaf_lambda=3).fit(X, y).scheme_ == "cart:value-guard,leaf-values=shrink,leaf-lambda=3/cost-complexity:cv=10,of=gini"
    assert TreeClassifier(leaf_values="raw").fit(X, y).scheme_ == "cart:value-guard/cost-complexity:cv=10,of=gini"
    assert TreeClassifier(leaf_values="shrink").fit(X, y).scheme_ == TreeClassifier().fit(X, y).scheme_
    assert TreeRegressor(cv=5).fit(X, y).scheme_ == "cart:value-guard,leaf-values=shrink/cost-complexity:cv=5,se=0.25"
    assert TreeRegressor(min_leaf=9, se=1).fit(X, y).scheme_ == "cart:value-guard,min-leaf=9,leaf-values=shrink/cost-complexity:cv=10,se=1"
    assert TreeClassifier(learner="c45").fit(X, y).scheme_ == "c45"
    with pytest.raises(ValueError, match="did you mean 'k-norm'"):
        TreeClassifier(pruning="knorm").fit(X, y)
    with pytest.raises(ValueError, match="max_depth"):
        TreeClassifier("cart", max_depth=-1).fit(X, y)
    with pytest.raises(ValueError, match="either scheme or learner"):
        TreeClassifier("cart", learner="c45").fit(X, y)
    with pytest.raises(ValueError, match="option of a pruning"):
        TreeClassifier("cart", k=2).fit(X, y)
    with pytest.raises(ValueError, match="regression"):
        TreeClassifier("cart", criterion="mse").fit(X, y)


@pytest.mark.parametrize(
    "splitter, told",
    [
        (TimeSeriesSplit(3), "does not train on all rows that it does not test"),
        (ShuffleSplit(3, test_size=0.2, random_state=0), "does not train on all|tested twice"),
        (RepeatedKFold(n_splits=3, n_repeats=2, random_state=0), "tested twice"),
    ],
    ids=lambda given: type(given).__name__,
)
def test_splitters_that_make_no_folds_are_refused(splitter, told):
    """A row is left out once, and all others are learned from: what these say instead has no place in a pruning's path."""
    X, y = load_iris(return_X_y=True)
    for call in (lambda: TreeClassifier(cv=splitter).fit(X, y), lambda: TreeClassifier("cart").fit(X, y).path("k-norm", X, y, cv=splitter)):
        with pytest.raises(ValueError, match=f"cv: .*({told}).*"):
            call()


@pytest.mark.parametrize(
    "splitter", [KFold(4), StratifiedKFold(4), GroupKFold(4), LeaveOneGroupOut(), PredefinedSplit(np.arange(150) % 5 - 1)], ids=lambda s: type(s).__name__
)
def test_splitters_that_make_folds_are_taken(splitter):
    X, y = load_iris(return_X_y=True)
    groups = np.arange(150) % 5
    tree = TreeClassifier(cv=splitter).fit(X, y, groups=groups if "Group" in type(splitter).__name__ else None)
    assert tree.estimate_["error"] < 0.2
    # The default of classes chooses what leaves say by them; with se they choose the pruning.
    assert "cv_error" in tree.set_params(se=1).fit(X, y, groups=groups if "Group" in type(splitter).__name__ else None).path()
    assert "cv_error" in tree.cost_complexity_path(X, y, cv=splitter, groups=groups if "Group" in type(splitter).__name__ else None)


def test_large_trees_are_short_in_notebooks(rng):
    tree = TreeClassifier("cart").fit(rng.normal(size=(2000, 5)), rng.integers(0, 2, 2000))
    told = tree._repr_mimebundle_()["text/plain"].splitlines()
    assert len(told) < 70 and "to_text() has them all" in told[-1]
    assert len(str(tree).splitlines()) > 500
