"""What can be asked of a fitted tree."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.tree import DecisionTreeRegressor

import secateur
from secateur import TreeClassifier, TreeRegressor, load_builtin


@pytest.fixture(scope="module")
def iris():
    return load_builtin("iris")


@pytest.fixture(scope="module")
def full(iris):
    return TreeClassifier("cart").fit(*iris)


def test_paths_of_a_fitted_tree(full):
    path = full.path("k-norm")
    assert path["leaves"].tolist() == sorted(path["leaves"], reverse=True)
    assert len(path) > 2 and "cv_error" not in path
    assert path["training_error"].is_monotonic_increasing


def test_the_path_that_was_chosen_from(iris):
    tree = TreeClassifier("cart/cost-complexity:cv=10,1se", random_state=1).fit(*iris)
    path = tree.path()
    chosen = path[path["selected"]].iloc[0]
    assert chosen["leaves"] == tree.get_n_leaves()
    told = tree.estimate_
    assert chosen["cv_error"] == pytest.approx(told["error"] - told["bias_correction"], abs=1e-12)


def test_a_pruning_without_a_path_is_cut_by_cost_complexity(iris):
    tree = TreeClassifier("cart/pessimistic", random_state=1).fit(*iris)
    assert tree.path().equals(tree.path("cost-complexity")) and tree.path()["leaves"].iloc[0] == tree.get_n_leaves()


def test_paths_that_are_validated(iris):
    path = TreeClassifier("cart").fit(*iris).path("k-norm", *iris, cv=5)
    assert path["cv_error"].between(0, 1).all() and path["selected"].sum() == 1


def test_pruning_needs_no_rows(full, iris):
    small = full.prune("k-norm:k=4")
    assert type(small) is TreeClassifier and small.get_n_leaves() < full.get_n_leaves() == 9
    assert small.scheme_ == "cart/k-norm:k=4" == small.get_params()["scheme"]
    again = TreeClassifier("cart/k-norm:k=4").fit(*iris)
    assert again.model_.to_json() == small.model_.to_json()
    assert full.get_params()["scheme"] == "cart"


def test_reliability_is_that_of_the_leaf(full, iris):
    found = full.reliability(iris[0])
    assert list(found) == ["error", "sd", "norm"] and len(found) == 150
    np.testing.assert_allclose(found["norm"], np.hypot(found["error"], found["sd"]))
    nodes = full.to_frame()
    np.testing.assert_allclose(found["error"], nodes["expected_error"].to_numpy()[full.apply(iris[0])])
    with pytest.raises(ValueError, match="least cost"):
        TreeClassifier("cart", costs={("Iris-setosa", "Iris-virginica"): 3}).fit(*iris).reliability(iris[0])


def test_reliability_follows_lambda_and_eta(iris, tmp_path):
    """Zhong's iris tree (appendix B)."""
    X, y = iris[0][["petallength", "petalwidth"]], iris[1]
    printed = (0.05822, 0.04966, 0.07652)
    tree = TreeClassifier("cart/k-norm:k=2,lambda=0.5,eta=0.5").fit(X, y)
    tree.save(tmp_path / "tree.json")
    pruned = TreeClassifier("cart").fit(X, y).prune("k-norm:lambda=0.5,eta=0.5")
    for tree in (tree, pruned, TreeClassifier.load(tmp_path / "tree.json"), pickle.loads(pickle.dumps(tree))):
        assert tree.model_.tree_reliability() == pytest.approx(printed, abs=5e-6)
        assert tree.reliability(X)["error"].max() == pytest.approx(6 / 55.5)
        assert tree.to_frame()["expected_error"][3] == pytest.approx(6 / 55.5)
        assert "expect 10.8 %" in tree.rules(width=200)


def test_labels_follow_the_probabilities_that_are_told():
    X, y = [["a"]] * 3 + [["b"]] * 22, ["yes"] * 13 + ["no"] * 12
    rows = [[None], ["a"], ["b"]]
    tree = TreeClassifier("cart:min-leaf=1,min-split=2").fit(X, y)
    for laplace, first in ((False, "yes"), (True, "no")):
        labels = tree.predict(rows, laplace=laplace)
        assert (labels == tree.classes_[tree.predict_proba(rows, laplace=laplace).argmax(axis=1)]).all()
        assert labels[0] == first
    costly = TreeClassifier("cart:min-leaf=1,min-split=2", costs={("no", "yes"): 5}).fit(X, y)
    assert list(costly.predict(rows)) == ["no", "yes", "no"]
    assert list(costly.predict(rows, laplace=True)) == ["no", "no", "no"]


def test_rules_and_text_name_columns_and_classes(full):
    for text in (full.rules(), full.to_text(), str(full), full.to_html(), full.to_dot()):
        assert "petallength" in text and "Iris-virginica" in text
    first = full.rules(order="coverage", width=200).splitlines()[0]
    assert "(50 rows" in first and "expect" in first


def test_frames_have_a_row_per_node(full):
    nodes = full.to_frame()
    assert len(nodes) == 17 and nodes["leaf"].sum() == 9
    assert nodes.loc[0, "rows"] == 150 and nodes.loc[1, "test"].startswith("petal")
    leaves = nodes[nodes["leaf"]]
    assert leaves["weight"].sum() == 150


def test_explanations(full, iris):
    row = iris[0].iloc[100]
    for given in (row, row.to_dict(), row.tolist(), iris[0].iloc[[100]]):
        found = full.explain(given)
        assert found.prediction == "Iris-virginica" and len(found.leaves) == 1
        assert "petalwidth ≥ 1.75  (it is 2.5)" in str(found)
    missing = full.explain({**row.to_dict(), "petalwidth": None})
    assert len(missing.leaves) > 1 and "it is missing" in str(missing)
    assert sum(leaf["share"] for leaf in missing.leaves) == pytest.approx(1)
    costly = TreeClassifier("cart:max-depth=1", costs={("Iris-versicolor", "Iris-setosa"): 9}).fit(*iris)
    assert {leaf["wrong"] for leaf in costly.explain(row).leaves} == {50}
    near = full.explain(row)
    assert near.changes and near.changed != "Iris-virginica" and str(near).endswith(f"{near.changed} with {near.changes[0]}")
    weighted = TreeClassifier("cart:max-depth=1").fit([[1.0], [2.0], [2.0]], ["a", "b", "a"], sample_weight=[1, 3, 0.5]).explain([2.0])
    assert "2 training rows of weight 3.5 ended here, 0.5 of it with another answer" in str(weighted)
    assert weighted.leaves[0]["rows"] == 2 and weighted.leaves[0]["weight"] == 3.5
    numbers = TreeRegressor("cart").fit([[1.0], [2.0]], [3.0, 4.0]).explain([1.2])
    assert numbers.changes == ["x0 ≥ 1.5"] and numbers.changed == 4.0
    assert TreeClassifier("cart").fit([[1.0], [2.0]], ["a", "a"]).explain([1.2]).changes == []
    assert str(numbers).startswith("3 ± 0, because\n  x0 < 1.5  (it is 1.2)")


def test_html_is_safe():
    X = pd.DataFrame({"<script>": ["<b>", "&"]})
    html = TreeClassifier("cart").fit(X, ["<i>", "y"]).to_html(title="</title><script>")
    assert html.count("<script") == 2 and "<i>" not in html and "default-src 'none'" in html
    assert "<title>&lt;/title&gt;&lt;script&gt;</title>" in html


def test_the_page_with_its_rows_says_more(iris):
    tree = TreeClassifier("cart/cost-complexity:cv=5,1se").fit(*iris)
    alone, whole = tree.to_html(), tree.to_html(*iris)
    for page, judged in ((alone, None), (whole, "5-fold cross-validation")):
        payload = json.loads(page.split('id="tree-data">')[1].split("</script>")[0])
        assert payload["judged"] == judged
        assert payload["recipe"] == ('tree.prune("{}")' if judged is None else 'secateur.TreeClassifier("{}").fit(X, y)')
        assert all((payload[part] is None) == (judged is None) for part in ("rivals", "summary"))
    assert TreeClassifier("cart").fit(*iris).to_html(*iris, cv=4).count("4-fold cross-validation") == 1
    numbers = TreeRegressor("cart").fit([[1.0], [2.0], [3.0]], [3.0, 4.0, 9.0])
    assert '"distribution":{' in numbers.to_html([[1.0], [2.0], [3.0]], [3.0, 4.0, 9.0])
    with pytest.raises(ValueError, match="not what this tree was fitted with"):
        tree.to_html(iris[0][:90], iris[1][:90])
    with pytest.raises(ValueError, match="give X, too"):
        tree.to_html(cv=3)


def test_notebooks_show_the_tree(full):
    html = full._repr_html_()
    assert html.count("<svg ") == 1 and ">petallength</text>" in html and "to_html()" in html and 'download="tree.html"' in html
    assert full._repr_mimebundle_()["text/html"] == html
    assert "TreeClassifier" in TreeClassifier()._repr_html_()
    X = pd.DataFrame({"<script>": ["<b>", "&"]})
    html = TreeClassifier("cart").fit(X, ["<i>", "y"])._repr_html_()
    assert "<script>" not in html and "<i>" not in html and "<b>" not in html


def test_models_are_kept(tmp_path, full, iris):
    full.save(tmp_path / "tree.json", data="iris.csv")
    text = json.loads((tmp_path / "tree.json").read_text())
    assert text["data"] == "iris.csv" and text["rows"] == 150
    again = TreeClassifier.load(tmp_path / "tree.json")
    np.testing.assert_array_equal(again.predict(iris[0]), full.predict(iris[0]))
    assert list(again.feature_names_in_) == list(iris[0].columns)
    assert again.prune("mdl").get_n_leaves() == full.prune("mdl").get_n_leaves()


def test_costs_decide(iris):
    X, y = load_builtin("credit?n=400")
    plain = TreeClassifier("cart/mdl").fit(X, y)
    bad, good = plain.classes_
    careful = TreeClassifier("cart/mdl", costs={(bad, good): 20}).fit(X, y)
    matrix = TreeClassifier("cart/mdl", costs=[[0, 20], [1, 0]]).fit(X, y)
    assert (careful.predict(X) == bad).sum() > (plain.predict(X) == bad).sum()
    assert careful.model_.to_json() == matrix.model_.to_json()


def test_importances(full):
    shares = full.feature_importances_
    assert shares.sum() == pytest.approx(1) and shares[2:].sum() > 0.8


def test_comparisons():
    tables = {"iris": load_iris(return_X_y=True), "credit": load_builtin("credit?n=300")}
    found = secateur.compare(tables, {"stump": "cart:max-depth=1", "tree": "cart/mdl"}, folds=5, repeats=2)
    table = found.table.set_index(["table", "scheme"])
    assert table.loc[("iris", "tree"), "accuracy"] > 0.9 > 0.7 > table.loc[("iris", "stump"), "accuracy"]
    assert table.loc[("iris", "tree"), "mark"] == ">" and table.loc[("iris", "tree"), "p"] < 0.001
    assert len(found.folds) == 2 * 2 * 10 and "iris" in str(found)
    with pytest.raises(ValueError, match="did you mean 'accuracy'"):
        secateur.compare(tables, ["cart"], measure="acuracy")
    numbers = {"line": ([[float(i)] for i in range(40)], [i + 0.5 for i in range(40)])}
    assert secateur.compare(numbers, ["cart"], folds=4).measure == "mse"


def test_schemes_are_listed():
    table = secateur.schemes()
    assert {"cart", "k-norm", "mdl"} <= set(table["method"])


def test_cost_complexity_of_numbers_is_that_of_scikit_learn():
    """With squared errors both measure a tree by its mean squared error: the parameters are the same."""
    X, y = load_diabetes(return_X_y=True)
    theirs = DecisionTreeRegressor(min_samples_leaf=20, random_state=0).cost_complexity_pruning_path(X, y)
    ours = TreeRegressor("cart:min-leaf=20").fit(X, y).cost_complexity_path()
    np.testing.assert_allclose(ours["parameter"], theirs.ccp_alphas, atol=1e-8)
    np.testing.assert_allclose(ours["training_error"], theirs.impurities)
