"""No method but fit changes an estimator; a fit that fails changes nothing either; what is kept comes back."""

import copy
import inspect
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GroupKFold, KFold

from secateur import TreeClassifier, TreeRegressor, load_builtin

X, Y = load_builtin("iris")
NUMBERS = X["petalwidth"]
#: The classes in another order, other classes, other columns: what a call could leave behind.
OTHER = Y.iloc[::-1].reset_index(drop=True)


def fitted(kind):
    if kind is TreeClassifier:
        return TreeClassifier(random_state=1, costs={("Iris-setosa", "Iris-virginica"): 3}).fit(X, Y)
    return TreeRegressor(random_state=1).fit(X.iloc[:, :3], NUMBERS)


def state(tree):
    return pickle.dumps(tree.__dict__)


def calls(tree, folder):
    """A call of every public method, by name."""
    rows = X[list(tree.feature_names_in_)]
    y = OTHER if isinstance(tree, TreeClassifier) else NUMBERS
    found = {
        "apply": lambda: tree.apply(rows),
        "decision_path": lambda: tree.decision_path(rows),
        "explain": lambda: str(tree.explain(rows.iloc[0])),
        "feature_importances_": lambda: tree.feature_importances_,
        "from_model": lambda: type(tree).from_model(tree.model_),
        "get_depth": tree.get_depth,
        "get_metadata_routing": tree.get_metadata_routing,
        "get_n_leaves": tree.get_n_leaves,
        "get_params": tree.get_params,
        "path": lambda: (tree.path(), tree.path("cost-complexity"), tree.path("cost-complexity", rows, y, cv=3)),
        "cost_complexity_path": lambda: (tree.cost_complexity_path(), tree.cost_complexity_path(rows, y)),
        "plot": tree.plot,
        "predict": lambda: tree.predict(rows),
        "prune": lambda: tree.prune("cost-complexity:alpha=0.1"),
        "rules": tree.rules,
        "save": lambda: tree.save(folder / "tree.json"),
        "load": lambda: (tree.save(folder / "t.json"), type(tree).load(folder / "t.json")),
        "score": lambda: tree.score(rows, y),
        "to_dot": tree.to_dot,
        "to_frame": tree.to_frame,
        "to_html": tree.to_html,
        "to_text": tree.to_text,
        "export": lambda: tree.export("c"),
        "predict_proba": lambda: tree.predict_proba(rows, laplace=True),
        "predict_log_proba": lambda: tree.predict_log_proba(rows),
        "reliability": lambda: type(tree)("cart").fit(rows, y).reliability(rows),
        "predict_set": lambda: tree.predict_set(rows, 0.9),
        "predict_interval": lambda: tree.predict_interval(rows, 0.9),
    }
    return {name: call for name, call in found.items() if hasattr(tree, name)}


#: Methods that change an estimator by what they are, and drawings of the explorer with calls of their own tests.
CHANGING = {"fit", "set_params", "set_fit_request", "set_score_request", "set_predict_request",
            "set_predict_proba_request", "set_predict_log_proba_request"}  # fmt: skip
#: Those that need a package which is tested elsewhere.
ELSEWHERE = {"plot_path", "to_onnx", "to_shap", "to_sklearn"}


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_no_method_but_fit_changes_the_estimator(kind, tmp_path):
    tree = fitted(kind)
    tried = calls(tree, tmp_path)
    public = {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}
    assert public - CHANGING - ELSEWHERE == set(tried), public ^ set(tried)
    before = state(tree)
    answers = tree.predict(X[list(tree.feature_names_in_)])
    for name, call in tried.items():
        call()
        assert state(tree) == before, name
    copy.copy(tree), copy.deepcopy(tree), clone(tree), repr(tree), str(tree), tree._repr_html_()
    assert state(tree) == before
    np.testing.assert_array_equal(tree.predict(X[list(tree.feature_names_in_)]), answers)


def test_a_path_of_other_rows_leaves_the_labels_alone():
    tree = TreeClassifier("cart").fit([[0.0], [1.0]] * 10, ["b", "a"] * 10)
    tree.path("cost-complexity", [[0.0], [1.0]] * 10, ["x", "y"] * 10)
    assert tree.predict([[0.0], [1.0]]).tolist() == ["b", "a"] and tree.classes_.tolist() == ["a", "b"]


def test_a_path_knows_costs_weights_and_splitters():
    X, y = load_builtin("credit?n=300")
    plain, rng = TreeClassifier("cart").fit(X, y), np.random.default_rng(0)
    bad, good = plain.classes_
    costs = TreeClassifier("cart", costs={(bad, good): 9}).fit(X, y).path("cost-complexity", X, y, cv=5)
    heavy = TreeClassifier("cart", class_weight={bad: 5.0, good: 1.0}).fit(X, y).path("cost-complexity", X, y, cv=5)
    weights = plain.path("cost-complexity", X, y, cv=5, sample_weight=rng.integers(1, 9, len(y)))
    base = plain.path("cost-complexity", X, y, cv=5)
    for other in (costs, heavy, weights):
        assert other["training_error"].tolist() != base["training_error"].tolist()
    splits = list(KFold(5, shuffle=True, random_state=3).split(X))
    given = plain.path("cost-complexity", X, y, cv=KFold(5, shuffle=True, random_state=3))
    assert given.equals(plain.path("cost-complexity", X, y, cv=splits)) and not given.equals(base)
    grouped = plain.path("cost-complexity", X, y, cv=GroupKFold(3), groups=np.arange(len(y)) % 7)
    assert grouped["cv_error"].between(0, 1).all()
    # What fit chooses from is the same path.
    chosen = TreeClassifier("cart/cost-complexity", cv=splits).fit(X, y).path()
    np.testing.assert_array_equal(chosen["cv_error"], given["cv_error"])


@pytest.mark.parametrize(
    "X2, y2, told",
    [
        (X, [None] * 150, {}),
        (X.assign(petalwidth=np.inf), Y, {}),
        (X.iloc[:, :1], ["a", "b"] * 75, {"sample_weight": [-1.0] * 150}),
        (X.rename(columns=str.upper), Y, {"sample_weight": [0.0] * 150}),
    ],
)
def test_a_fit_that_fails_changes_nothing(X2, y2, told):
    tree = TreeClassifier("cart/mdl").fit(X, Y)
    before = state(tree)
    with pytest.raises(ValueError):
        tree.fit(X2, y2, **told)
    assert state(tree) == before and (tree.predict(X) == Y).mean() > 0.9


def test_equal_fits_are_kept_as_equal_bytes():
    one, two = (pickle.dumps(TreeClassifier(random_state=1).fit(X, Y)) for _ in range(2))
    assert one == two
    again = pickle.loads(one)
    assert again.model_.to_json() == fitted_like().model_.to_json() and again.seconds_ is None
    np.testing.assert_array_equal(again.predict_proba(X), fitted_like().predict_proba(X))


def fitted_like():
    return TreeClassifier(random_state=1).fit(X, Y)


def test_the_state_is_made_of_plain_things():
    """Tools that do not trust pickles (skops) keep what __getstate__ gives: numbers, text, bytes, arrays, lists, dictionaries."""

    def plain(value):
        if isinstance(value, dict):
            return all(isinstance(key, (str, tuple)) and plain(v) for key, v in value.items())
        if isinstance(value, (list, tuple)):
            return all(map(plain, value))
        return value is None or isinstance(value, (str, bytes, int, float, bool, np.ndarray))

    for kind in (TreeClassifier, TreeRegressor):
        assert plain(fitted(kind).__getstate__())


def test_other_tools_keep_models(tmp_path):
    skops = pytest.importorskip("skops.io")
    tree = TreeClassifier(random_state=1).fit(X, Y)
    kept = skops.dumps(tree)
    assert skops.get_untrusted_types(data=kept) == ["secateur.TreeClassifier"], "its public name, and nothing else to be trusted"
    again = skops.loads(kept, trusted=["secateur.TreeClassifier"])
    np.testing.assert_array_equal(again.predict(X), tree.predict(X))


@pytest.mark.parametrize("kept", [{"serialization_format": "cloudpickle"}, {"skops_trusted_types": ["secateur.TreeClassifier"]}], ids=["pickle", "skops"])
def test_mlflow_keeps_models(tmp_path, kept):
    """MLflow keeps models by skops unless it is told otherwise, and asks for the types of other packages to be named."""
    mlflow = pytest.importorskip("mlflow.sklearn")
    tree = TreeClassifier(random_state=1).fit(X, Y)
    mlflow.save_model(tree, tmp_path / "model", pip_requirements=[], **kept)
    again = mlflow.load_model(str(tmp_path / "model"))
    np.testing.assert_array_equal(again.predict(X), tree.predict(X))
    assert again.model_.to_json() == tree.model_.to_json()


