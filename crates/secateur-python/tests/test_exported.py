"""Trees in other software say the same there."""

import json
import pathlib
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import secateur
from secateur import TreeClassifier, TreeRegressor

GOLDEN = pathlib.Path(__file__).parents[3] / "conformance" / "foreign_trees.json"


@pytest.fixture
def iris():
    X, y = secateur.load_builtin("iris")
    return X, y, TreeClassifier("cart/cost-complexity:cv=5", leaf_values="shrink").fit(X, y)


@pytest.fixture
def numbers():
    X, y = secateur.load_builtin("friedman?n=200")
    return X, y, TreeRegressor("cart:max-leaves=20").fit(X, y)


@pytest.mark.parametrize("format", secateur._native.export_formats())
def test_every_format_is_written(iris, format, tmp_path):
    _, _, tree = iris
    if format == "scorecard":
        with pytest.raises(ValueError, match="two classes"):
            tree.export(format)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        said = tree.export(format)
        assert tree.export(format, tmp_path / "tree") is None
    written = (tmp_path / "tree").read_bytes()
    assert written == (said if isinstance(said, bytes) else said.encode()) and len(written) > 100
    assert list(tmp_path.iterdir()) == [tmp_path / "tree"]


def test_options_and_what_is_wrong(iris):
    _, _, tree = iris
    assert 'CREATE VIEW "said"' in tree.export("sql", dialect="sqlite", form="view", name="said")
    with pytest.raises(ValueError, match="did you mean 'pmml'"):
        tree.export("pmlm")
    with pytest.raises(ValueError, match="has no option 'dialekt'"):
        tree.export("sql", dialekt="sqlite")
    with pytest.raises(Exception, match="not fitted"):
        TreeClassifier().export("c")


def test_exported_python_answers_the_same(iris):
    X, _, tree = iris
    module = {"__name__": "exported"}
    exec(tree.export("python"), module)
    said = [module["predict"](row) for row in X.to_dict("records")]
    assert [one.label for one in said] == list(tree.predict(X))
    assert [[one.probabilities[name] for name in tree.classes_] for one in said] == tree.predict_proba(X).tolist()


def test_onnx(iris, numbers):
    onnxruntime = pytest.importorskip("onnxruntime")
    X, _, tree = iris
    session = onnxruntime.InferenceSession(tree.to_onnx())
    given = {one.name: X[one.name].to_numpy().reshape(-1, 1) for one in session.get_inputs()}
    label, probabilities = session.run(None, given)[:2]
    np.testing.assert_array_equal(label.ravel(), tree.predict(X))
    np.testing.assert_array_equal(probabilities, tree.predict_proba(X))
    X, _, tree = numbers
    session = onnxruntime.InferenceSession(tree.to_onnx(input="matrix"))
    matrix = X.to_numpy()
    matrix[3, :] = np.nan
    np.testing.assert_array_equal(session.run(None, {session.get_inputs()[0].name: matrix})[0].ravel(), tree.predict(X.assign(**dict(zip(X, matrix.T)))))


def test_scikit_learn(iris, numbers):
    X, y, tree = iris
    theirs = tree.to_sklearn()
    assert isinstance(theirs, DecisionTreeClassifier) and list(theirs.classes_) == list(tree.classes_)
    np.testing.assert_array_equal(theirs.predict(X), tree.predict(X))
    np.testing.assert_array_equal(theirs.predict_proba(X), tree.predict_proba(X))
    again = secateur.from_sklearn(theirs)
    np.testing.assert_array_equal(again.predict(X), tree.predict(X))
    assert permutation_importance(theirs, X, y, n_repeats=2, random_state=0).importances_mean.max() > 0.1
    X, y, tree = numbers
    theirs = tree.to_sklearn()
    assert isinstance(theirs, DecisionTreeRegressor) and theirs.get_n_leaves() == tree.get_n_leaves()
    np.testing.assert_array_equal(theirs.predict(X), tree.predict(X))
    assert partial_dependence(theirs, X, [0])["average"].shape[0] == 1


def test_scikit_learn_cannot_carry_lists():
    X = pd.DataFrame({"colour": ["red", "blue"] * 20, "x": np.arange(40.0)})
    tree = TreeClassifier("cart").fit(X, X["colour"] == "red")
    with pytest.raises(ValueError, match="sklearn cannot carry this tree"):
        tree.to_sklearn()


def test_shap(iris, numbers):
    shap = pytest.importorskip("shap")
    for X, _, tree in (iris, numbers):
        said = tree.predict_proba(X) if hasattr(tree, "predict_proba") else tree.predict(X)
        for explained in (shap.TreeExplainer(tree.to_sklearn())(X), shap.TreeExplainer(tree.to_shap())(X.to_numpy())):
            base = np.asarray(explained.base_values)
            parts = explained.values.sum(axis=1)
            np.testing.assert_allclose((base + parts).reshape(np.shape(said)), said, atol=1e-9)


def test_imports(tmp_path, iris):
    X, _, tree = iris
    tree.export("pmml", tmp_path / "tree.pmml")
    again = secateur.import_tree(tmp_path / "tree.pmml")
    np.testing.assert_array_equal(again.predict_proba(X), tree.predict_proba(X))
    (tmp_path / "none.txt").write_text("hello")
    with pytest.raises(ValueError, match="no known tree is in it"):
        secateur.import_tree(tmp_path / "none.txt")


@pytest.mark.skipif(not GOLDEN.is_file(), reason="needs the repository")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_trees_of_other_programs(tmp_path):
    for case in json.loads(GOLDEN.read_text())["cases"]:
        (tmp_path / "tree").write_text(case["text"])
        tree = secateur.import_tree(tmp_path / "tree")
        X = pd.DataFrame(case["rows"], columns=case["columns"])
        said = tree.predict_proba(X) if case["classes"] else tree.predict(X)
        wanted = np.array(case["answers"]).reshape(len(X), -1)
        said = np.asarray(said).reshape(len(X), -1)[:, -wanted.shape[1] :]
        np.testing.assert_allclose(said, wanted, rtol=2e-6, atol=2e-6, err_msg=f"{case['program']} {case['case']}")


def test_what_needs_counts_refuses(tmp_path):
    case = next(one for one in json.loads(GOLDEN.read_text())["cases"] if one["case"] == "binary:logistic") if GOLDEN.is_file() else None
    if case is None:
        pytest.skip("needs the repository")
    (tmp_path / "tree").write_text(case["text"])
    with pytest.warns(UserWarning, match="counts of training rows are not known"):
        tree = secateur.import_tree(tmp_path / "tree")
    with pytest.raises(ValueError, match="counts of training rows"):
        tree.prune("mdl")
