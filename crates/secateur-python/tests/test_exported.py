"""What other software says with an exported tree is what the tree says: labels of any type, in any order, pruned, with and without names."""

import json
import sqlite3
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.inspection import PartialDependenceDisplay, partial_dependence, permutation_importance

from secateur import TreeClassifier, TreeRegressor, _native, from_sklearn, import_tree, load_builtin

#: Formats that are not text.
BYTES = {"onnx", "treelite", "xlsx"}


def two_classes():
    """Labels of text that appear in another order than sorted, columns with names."""
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    labels = np.where(y == 1, "benign", "malignant")
    assert labels[0] == "malignant"
    full = TreeClassifier("cart", leaf_values="laplace").fit(X, labels)
    return full.prune("cost-complexity:alpha=0.005"), full, X


def several_classes():
    """Labels that are numbers, an array without names, leaves of the default."""
    X, y = load_wine(return_X_y=True)
    full = TreeClassifier("cart", leaf_values="shrink", leaf_lambda=10).fit(X, np.array([30, 10, 20])[y])
    return full.prune("cost-complexity:alpha=0.01"), full, X


def numbers():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    full = TreeRegressor("cart:min-leaf=5").fit(X, y)
    return full.prune("cost-complexity:alpha=60"), full, X


@pytest.fixture(params=[two_classes, several_classes, numbers], ids=lambda make: make.__name__)
def pruned(request):
    tree, full, X = request.param()
    assert 2 < tree.get_n_leaves() < full.get_n_leaves()
    return tree, X


def shares(tree, X):
    """What the tree says in numbers: a column per class, or one."""
    return tree.predict_proba(X) if is_classifier(tree) else tree.predict(X)[:, None]


def cells(tree, X):
    """The rows as mappings, by the names that an export knows."""
    names = [name for name, _ in tree.model_.attributes]
    return [dict(zip(names, row)) for row in np.asarray(X).tolist()]


def texts(tree):
    """The classes in the order of the model, as exports name them."""
    return tree.model_.classes


def same(tree, X, labels=None, numbers=None, exactly=True):
    """Labels, by their text, and numbers in the order of the model."""
    if labels is not None:
        assert list(map(str, labels)) == list(map(str, tree.predict(X)))
    if numbers is not None:
        expected = shares(tree, X)
        if is_classifier(tree):
            expected = expected[:, tree._order]
        (np.testing.assert_array_equal if exactly else np.testing.assert_allclose)(np.reshape(numbers, expected.shape), expected)


def test_scikit_learn_says_the_same(pruned):
    tree, X = pruned
    theirs = tree.to_sklearn()
    assert theirs.get_n_leaves() == tree.get_n_leaves() and theirs.get_depth() == tree.get_depth()
    np.testing.assert_array_equal(theirs.predict(X), tree.predict(X))
    np.testing.assert_array_equal(theirs.apply(X), tree.apply(X))
    assert (theirs.decision_path(X) != tree.decision_path(X)).nnz == 0
    if is_classifier(tree):
        assert theirs.classes_.tolist() == tree.classes_.tolist() and theirs.classes_.dtype == tree.classes_.dtype
        np.testing.assert_array_equal(theirs.predict_proba(X), tree.predict_proba(X))
    else:
        assert is_regressor(theirs)
    assert hasattr(theirs, "feature_names_in_") == hasattr(tree, "feature_names_in_")


def test_a_tree_that_went_to_scikit_learn_comes_back(pruned):
    tree, X = pruned
    again = from_sklearn(tree.to_sklearn())
    assert type(again) is type(tree) and again.get_n_leaves() == tree.get_n_leaves()
    np.testing.assert_array_equal(again.predict(X), tree.predict(X))
    np.testing.assert_allclose(shares(again, X), shares(tree, X))


def test_inspection_works_on_the_tree_and_on_the_conversion(pruned):
    tree, X = pruned
    y = tree.predict(X)
    converted = tree.to_sklearn()
    by_both = [permutation_importance(one, X, y, n_repeats=2, random_state=1).importances_mean for one in (tree, converted)]
    np.testing.assert_allclose(*by_both)
    # Columns that the tree does not test matter nothing; others do.
    assert (by_both[0][~np.array(tree.model_.used)] == 0).all() and by_both[0].max() > 0.05
    top = int(np.argmax(by_both[0]))
    found = [partial_dependence(one, X, [top], method="brute", grid_resolution=9) for one in (tree, converted)]
    np.testing.assert_allclose(found[0]["average"], found[1]["average"])
    assert np.ptp(found[0]["average"]) > 0
    last = tree.classes_[-1] if is_classifier(tree) else None
    shown = PartialDependenceDisplay.from_estimator(tree, X, [top], kind="both", subsample=20, random_state=1, target=last)
    assert shown.lines_ is not None


def test_partial_dependence_by_recursion_needs_the_conversion():
    tree, _, X = numbers()
    top = int(np.argmax(tree.feature_importances_))
    quick = partial_dependence(tree.to_sklearn(), X, [top], method="recursion", grid_resolution=9)
    assert quick["average"].shape == (1, 9) and np.ptp(quick["average"]) > 0


@pytest.mark.parametrize("handed", ["to_sklearn", "to_shap"])
def test_shap_values_add_up_to_what_the_tree_says(pruned, handed):
    shap = pytest.importorskip("shap")
    tree, X = pruned
    explainer = shap.TreeExplainer(getattr(tree, handed)(), feature_perturbation="tree_path_dependent")
    values = np.asarray(explainer.shap_values(np.asarray(X)[:100]))
    expected = shares(tree, X)[:100]
    values = values.reshape(100, X.shape[1], -1)
    assert values.shape[2] == expected.shape[1]
    np.testing.assert_allclose(values.sum(axis=1) + np.reshape(explainer.expected_value, (1, -1)), expected, rtol=1e-6)
    # A column that the tree does not test explains nothing.
    assert (values[:, ~np.array(tree.model_.used)] == 0).all() and (abs(values).sum(axis=(0, 2)) > 0).any()


def test_onnxruntime_says_the_same(pruned):
    onnxruntime = pytest.importorskip("onnxruntime")
    tree, X = pruned
    matrix = np.asarray(X, dtype=np.float64)
    for model, given in [
        (tree.to_onnx(input="matrix"), lambda inputs: {inputs[0].name: matrix}),
        (tree.to_onnx(), lambda inputs: {one.name: matrix[:, place, None] for one, place in zip(inputs, np.flatnonzero(tree.model_.used))}),
    ]:
        session = onnxruntime.InferenceSession(model)
        said = session.run(None, given(session.get_inputs()))
        if is_classifier(tree):
            same(tree, X, said[0], said[1])
        else:
            same(tree, X, numbers=said[0])


def test_treelite_says_the_same(pruned):
    treelite = pytest.importorskip("treelite")
    tree, X = pruned
    model = treelite.Model.deserialize_bytes(tree.export("treelite"))
    same(tree, X, numbers=treelite.gtil.predict(model, np.asarray(X, dtype=np.float64)))


def test_a_module_of_python_says_the_same(pruned):
    tree, X = pruned
    module = {"__name__": "tree"}
    exec(tree.export("python"), module)
    said = [module["predict"](row) for row in cells(tree, X)]
    assert [one.leaf for one in said] == tree.apply(X).tolist()
    if is_classifier(tree):
        same(tree, X, [one.label for one in said], [list(one.probabilities.values()) for one in said])
        assert list(said[0].probabilities) == texts(tree)
    else:
        same(tree, X, numbers=[one.value for one in said])


@pytest.mark.parametrize("database", ["sqlite", "duckdb"])
def test_a_database_says_the_same(pruned, database):
    tree, X = pruned
    names = [name for name, _ in tree.model_.attributes]
    table = pd.DataFrame(np.asarray(X), columns=names).assign(row=np.arange(len(X)))
    query = tree.export("sql", dialect=database, table="some rows", keep="row")
    if database == "sqlite":
        base = sqlite3.connect(":memory:")
        table.to_sql("some rows", base, index=False)
        said = pd.read_sql_query(query, base)
    else:
        base = pytest.importorskip("duckdb").connect()
        base.register("some rows", table)
        said = base.execute(query).df()
    said = said.set_index("row").loc[np.arange(len(X))]
    assert said.iloc[:, -1].tolist() == tree.apply(X).tolist()
    if is_classifier(tree):
        same(tree, X, said.iloc[:, 0], said.iloc[:, 1:-1].to_numpy())
    else:
        same(tree, X, numbers=said.iloc[:, 0].to_numpy())


def test_rules_say_the_same(pruned):
    tree, X = pruned
    rules = json.loads(tree.export("json-rules"))["rules"]
    assert len(rules) == tree.get_n_leaves()
    said = []
    for row in cells(tree, X):
        kept = [
            rule for rule in rules
            if all(row[t["input"]] >= t["at_least"] if "at_least" in t else row[t["input"]] < t["less_than"] for t in rule["when"])
        ]  # fmt: skip
        assert len(kept) == 1
        said.append(kept[0]["prediction"])
    if is_classifier(tree):
        same(tree, X, said)
    else:
        same(tree, X, numbers=said)


def test_pmml_comes_back_as_the_same_tree(pruned, tmp_path):
    tree, X = pruned
    path = tmp_path / "tree.pmml"
    assert tree.export("pmml", path) is None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again = import_tree(path)
    table = pd.DataFrame(np.asarray(X), columns=[name for name, _ in tree.model_.attributes])
    rows = table[[name for name, _ in again.model_.attributes]]
    if is_classifier(tree):
        assert list(map(str, again.predict(rows))) == list(map(str, tree.predict(X)))
        assert again.model_.classes == texts(tree)
        np.testing.assert_allclose(again.predict_proba(rows)[:, again._order], tree.predict_proba(X)[:, tree._order])
    else:
        np.testing.assert_array_equal(again.predict(rows), tree.predict(X))


def test_text_is_text_and_bytes_are_bytes(tmp_path):
    """By the format alone, returned or written."""
    tree = TreeClassifier("cart").fit([[0.0], [4.0]], ["no", "yes"])
    for name in _native.export_formats():
        written = tree.export(name)
        assert isinstance(written, bytes if name in BYTES else str), name
        tree.export(name, tmp_path / name)
        kept = (tmp_path / name).read_bytes()
        assert kept == (written if name in BYTES else written.encode()), name
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted(_native.export_formats()), "no parts are left behind"


def test_text_columns_and_missing_values_go_along():
    """Where a format carries them; scikit-learn's trees do not."""
    X, y = load_builtin("credit?n=400")
    tree = TreeClassifier("cart").fit(X, y).prune("mdl")
    assert X.isna().any().any() and any(values is not None for _, values in tree.model_.attributes)
    module = {"__name__": "tree"}
    exec(tree.export("python"), module)
    rows = X.astype(object).where(X.notna(), None).to_dict("records")
    same(tree, X, [module["predict"](row).label for row in rows], [list(module["predict"](row).probabilities.values()) for row in rows])
    for conversion in (tree.to_sklearn, tree.to_shap):
        with pytest.raises(ValueError, match="cannot carry splits by values"):
            conversion()


def test_what_cannot_be_is_refused_by_name():
    tree = TreeClassifier("cart").fit([[0.0], [4.0]], ["no", "yes"])
    with pytest.raises(ValueError, match="there is no export format 'sqll'.*did you mean 'sql'"):
        tree.export("sqll")
    with pytest.raises(TypeError, match="format: expected a string"):
        tree.export(3)
    with pytest.raises(ValueError, match="dialekt"):
        tree.export("sql", dialekt="duckdb")
    with pytest.raises(TypeError, match="input: expected a string"):
        tree.to_onnx(input=1)
    with pytest.raises(ValueError, match="costs"):
        TreeClassifier("cart", costs={("no", "yes"): 3}).fit([[0.0], [4.0]] * 5, ["no", "yes"] * 5).to_sklearn()


@pytest.mark.parametrize("handed", ["to_sklearn", "to_shap"])
def test_other_answers_for_missing_values_are_a_warning(handed):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[rng.random(X.shape) < 0.1] = np.nan
    with pytest.warns(UserWarning, match="heaviest one: predictions for such rows differ"):
        getattr(TreeClassifier("cart:max-leaves=12").fit(X, y), handed)()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        getattr(TreeClassifier("cart:max-leaves=12,missing=branch").fit(X, y), handed)()
        getattr(TreeClassifier("cart:max-leaves=12").fit(np.nan_to_num(X), y), handed)()
