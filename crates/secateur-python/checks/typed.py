"""Everything public, used as people use it: what mypy and pyright look at."""

from __future__ import annotations

import numpy as np
from typing_extensions import assert_type

import secateur
from secateur import Comparison, Explanation, TreeClassifier, TreeRegressor

X, y = secateur.load_builtin("iris")
tree = TreeClassifier("cart", max_depth=3, costs=None, random_state=1, verbose=False).fit(X, y, sample_weight=None)
assert_type(tree, TreeClassifier)
assert_type(tree.prune("mdl"), TreeClassifier)
assert_type(TreeClassifier.load("tree.json"), TreeClassifier)
assert_type(TreeRegressor.load("tree.json"), TreeRegressor)
assert_type(TreeRegressor.from_model(tree.model_), TreeRegressor)
labels: np.ndarray = tree.predict(X, laplace=True)
probabilities: np.ndarray = tree.predict_proba(X)
logarithms: np.ndarray = tree.predict_log_proba(X)
leaves: np.ndarray = tree.apply(X)
importances: np.ndarray = tree.feature_importances_
assert_type(tree.get_depth() + tree.get_n_leaves(), int)
assert_type(tree.rules(order="coverage", width=100), str)
assert_type(tree.to_text(max_depth=2), str)
assert_type(tree.to_dot(), str)
assert_type(tree.to_html(), str)
assert_type(tree.explain(X.iloc[0]), Explanation)
tree.decision_path(X)
tree.reliability(X)
tree.to_frame()
tree.plot()
tree.path("k-norm", X, y, cv=5)
tree.cost_complexity_path()
tree.save("tree.json", data="iris.csv")
numbers: np.ndarray = TreeRegressor("cart").fit(X, y).predict(X)
assert_type(secateur.compare({"iris": (X, y)}, ["cart", tree], task="classification"), Comparison)
secateur.from_sklearn(tree)
secateur.from_rpart("{}")
secateur.schemes()
