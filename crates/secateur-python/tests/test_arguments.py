"""Wrong arguments are refused by name, and a value cannot bring options along."""

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit, TimeSeriesSplit

from secateur import TreeClassifier, TreeRegressor, _options, compare, load_builtin

X, Y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]


@pytest.mark.parametrize("estimator", [TreeClassifier, TreeRegressor])
@pytest.mark.parametrize("name", [*_options.LEARNING, *_options.PRUNING, "cv", "scheme", "learner", "pruning"])
@pytest.mark.parametrize("value", [object(), "1,min-leaf=2", "2/mdl", [1], float("nan"), True])
def test_options_are_checked(estimator, name, value):
    if name in ("scheme", "learner", "pruning") and value == "2/mdl":
        value = "cart/mdl/mdl"
    scheme = {} if name in ("scheme", "learner", "pruning") else {"scheme": "cart/cost-complexity"}
    with pytest.raises((TypeError, ValueError)) as caught:
        estimator(**scheme, **{name: value}).fit(X, Y)
    if name not in ("scheme", "learner", "pruning"):
        assert str(caught.value).startswith(name), caught.value


@pytest.mark.parametrize(
    "given",
    [
        {"min_leaf": -1}, {"min_split": -1}, {"min_gain": -1}, {"criterion": "size"}, {"missing": "away"}, {"max_leaves": 0},
        {"leaf_values": "mean"}, {"leaf_m": -1, "leaf_values": "m"}, {"leaf_lambda": -1, "leaf_values": "shrink"},
        {"alpha": -1}, {"se": -1}, {"holdout": 2}, {"k": -1, "pruning": "k-norm"}, {"cf": 2, "pruning": "error-based"}, {"m": -1, "pruning": "min-error"},
        {"cv": 1}, {"cv": 0}, {"cv": -3}, {"cv": 1, "scheme": "cart/cost-complexity"},
    ],
    ids=str,
)  # fmt: skip
def test_values_out_of_range_are_told_by_their_parameter(given):
    """In its own name, not in the one that it has in the text of a scheme."""
    with pytest.raises(ValueError) as caught:
        TreeClassifier(**given).fit(X, Y)
    assert str(caught.value).startswith(f"{next(iter(given))}: "), caught.value


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda t: t.to_text(width="wide"), "width"),
        (lambda t: t.to_text(width=-1), "width"),
        (lambda t: t.to_text(max_depth=-1), "max_depth"),
        (lambda t: t.to_dot(max_depth=1.5), "max_depth"),
        (lambda t: t.rules(width=0), "width"),
        (lambda t: t.rules(order="size"), "order"),
        (lambda t: t.prune(3), "pruning"),
        (lambda t: t.path(3), "pruning"),
        (lambda t: t.path("cost-complexity", cv=3), "X"),
        (lambda t: t.path("cost-complexity", X, Y, cv=object()), "cv"),
        (lambda t: t.path("cost-complexity", X, Y, cv=[([0], [9])]), "cv"),
        (lambda t: t.path("cost-complexity", X, Y, cv=TimeSeriesSplit(2)), "cv"),
        (lambda t: t.path("cost-complexity", X, Y, cv=ShuffleSplit(9, random_state=0)), "cv"),
        (lambda t: t.path("cost-complexity", X, Y, cv=2, groups=[0, 1, 0, 1]), "groups"),
        (lambda t: t.set_params(handle_unknown="ignore").predict(X), "handle_unknown"),
        (lambda t: t.set_params(costs={(0, 1): "much"}).fit(X, Y), "costs"),
        (lambda t: t.set_params(random_state=-1).fit(X, Y), "random_state"),
        (lambda t: t.set_params(random_state="one").fit(X, Y), "random_state"),
        (lambda t: t.set_params(n_jobs="two").fit(X, Y), "n_jobs"),
        (lambda t: t.set_params(n_jobs=0).predict(X), "n_jobs"),
        (lambda t: t.set_params(n_jobs=1.5).predict(X), "n_jobs"),
        (lambda t: t.plot(max_depth="deep"), "max_depth"),
        (lambda t: t.plot(max_leaves=0), "max_leaves"),
        (lambda t: t.predict(X, leaf_values=3), "leaf_values"),
        (lambda t: t.predict_proba(X, leaf_values=3), "leaf_values"),
        (lambda t: t.save("tree.json", data=3), "data"),
        (lambda t: t.explain(3), "row"),
        (lambda t: t.explain("1"), "row"),
        (lambda t: TreeClassifier.from_model(t), "model"),
        (lambda t: TreeRegressor("cart").fit(X, Y).predict(X, leaf_values=3), "leaf_values"),
        (lambda t: load_builtin(3), "name"),
        (lambda t: compare({"a": (X, Y)}, 3), "schemes"),
        (lambda t: compare({"a": (X, Y)}, ["cart"], folds="ten"), "folds"),
        (lambda t: compare({"a": (X, Y)}, ["cart"], folds=[([0], [9])]), "folds"),
        (lambda t: compare({"a": (X, Y)}, ["cart"], n_jobs="two"), "n_jobs"),
        (lambda t: compare({"a": (X, Y)}, ["cart"], task="classes"), "task"),
        (lambda t: compare({"a": (X, Y)}, [3]), "schemes"),
        (lambda t: compare({"a": (X, Y)}, []), "schemes"),
        (lambda t: compare({"a": (X,)}, ["cart"]), "tables"),
        (lambda t: compare({"a": (X, Y)}, ["cart"], folds=1), "folds"),
        (lambda t: compare({"a": (X, Y)}, ["cart"], repeats=0), "repeats"),
        (lambda t: compare({"a": (X, Y)}, [TreeRegressor()], task="classification"), "schemes"),
    ],
)
def test_methods_check_their_arguments(call, name):
    with pytest.raises((TypeError, ValueError)) as caught:
        call(TreeClassifier("cart").fit(X, Y))
    assert str(caught.value).startswith(name), caught.value


def test_comparisons_take_tasks_estimators_weights_and_groups():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(120, 3)), rng.integers(0, 50, 120)
    assert compare({"counts": (X, y.astype(float))}, ["cart"], folds=3).measure == "mse"
    assert compare({"counts": (X, y)}, ["cart"], folds=3).measure == "mse"
    assert compare({"few": (X, y % 3)}, ["cart"], folds=3).measure == "accuracy"
    assert compare({"few": (X, y % 3)}, ["cart"], folds=3, task="regression").measure == "mse"
    found = compare({"few": (X, y % 3)}, [TreeRegressor("cart"), TreeRegressor("cart", max_depth=2)], folds=3)
    assert found.measure == "mse" and list(found.table["scheme"])[1] == "TreeRegressor(cart:max-depth=2)"
    html = found._repr_html_()
    assert html.startswith("<table>") and "TreeRegressor(cart)" in html
    plain = compare({"few": (X, y % 3)}, ["cart"], folds=3)
    weighted = compare({"few": (X, y % 3, rng.integers(1, 9, 120))}, ["cart"], folds=3)
    assert plain.table["accuracy"][0] != weighted.table["accuracy"][0]
    # Copies of a row in one group are never in both parts: nothing can be learned by heart.
    copies, labels, group = np.repeat(X, 4, axis=0), np.repeat(rng.integers(0, 2, 120), 4), np.repeat(np.arange(120), 4)
    easy = compare({"copies": (copies, labels)}, ["cart"], folds=5).table["accuracy"][0]
    fair = compare({"copies": (copies, labels)}, ["cart"], folds=5, groups={"copies": group}).table["accuracy"][0]
    assert easy > 0.9 > 0.7 > fair


def test_schemes_with_other_measures_are_compared_in_any_order():
    X, y = np.random.default_rng(0).normal(size=(90, 3)), np.arange(90) % 3
    schemes = ["cart/mdl", "cart/cost-complexity:cv=3", "cart"]
    found = [compare({"few": (X, y)}, order, folds=3) for order in (schemes, schemes[::-1], schemes[1:] + schemes[:1])]
    measures = [set(one.table) for one in found]
    assert measures[0] == measures[1] == measures[2]
    alone = [set(compare({"few": (X, y)}, [scheme], folds=3).table) for scheme in schemes]
    assert measures[0] == set.union(*alone) and any(own != measures[0] for own in alone)
    for one in found:
        assert len(one.folds) == 9 and not any(len(set(map(len, lists))) > 1 for lists in [one.columns.values()])
