"""scikit-learn's own tests, with the trees of this package in the place of its own: ``python checks/scikit_learn_tests.py``.

The tests are those of the installed scikit-learn. They get an adapter: an estimator of this package with the parameters of
``DecisionTreeClassifier`` or ``DecisionTreeRegressor``. Counted are the tests that fitted such a tree. One that fails must be in the list
of deliberate differences below, with the reason; a line of the list that explains nothing is an error, too. Takes some minutes.
"""

from __future__ import annotations

import re
import sys
import warnings
from typing import Any

import pytest
import sklearn.ensemble  # before its trees are replaced: forests are made of scikit-learn's own
import sklearn.tree

import secateur

SUITES = """
sklearn/tree/tests/test_tree.py
sklearn/ensemble/tests/test_bagging.py
sklearn/ensemble/tests/test_weight_boosting.py
sklearn/ensemble/tests/test_voting.py
sklearn/ensemble/tests/test_stacking.py
sklearn/ensemble/tests/test_common.py
sklearn/model_selection/tests/test_search.py
sklearn/model_selection/tests/test_successive_halving.py
sklearn/model_selection/tests/test_validation.py
sklearn/tests/test_calibration.py
sklearn/tests/test_multiclass.py
sklearn/tests/test_multioutput.py
sklearn/inspection
sklearn/feature_selection/tests
""".split()

CRITERIA = {
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
    "squared_error": "mse",
    "friedman_mse": "mse",
    "absolute_error": "mae",
}

#: The tests that fitted a tree of this package, since the last one ended.
fitted: list[str] = []


class Adapter:
    """The parameters of scikit-learn's trees, for those of this package."""

    def __init__(
        self,
        *,
        criterion="gini",
        splitter="best",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features=None,
        random_state=None,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        class_weight=None,
        ccp_alpha=0.0,
        monotonic_cst=None,
    ):
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst

    #: What an estimator of this package has and scikit-learn's has not.
    scheme = learner = pruning = max_leaves = min_leaf = min_split = min_gain = missing = None
    alpha = k = cf = m = holdout = se = cv = costs = n_jobs = None
    handle_unknown, verbose = "error", False

    def _scheme(self, rows: int, folds: Any) -> str:
        def count(share: Any) -> int:
            return max(int(-(-share * rows // 1)), 1) if isinstance(share, float) else int(share)

        options = {
            "criterion": CRITERIA.get(self.criterion, self.criterion),
            "max-depth": self.max_depth,
            "max-leaves": self.max_leaf_nodes,
            "min-leaf": count(self.min_samples_leaf),
            "min-split": max(count(self.min_samples_split), 2),
        }
        told = ",".join(f"{name}={value}" for name, value in options.items() if value is not None)
        return secateur._native.check_scheme(f"cart:{told}", self._regression)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        fitted.append(type(self).__name__)
        state = self.random_state
        self.random_state = None  # a tree of this package needs none
        try:
            return super().fit(X, y, sample_weight)  # type: ignore[misc]
        finally:
            self.random_state = state


class DecisionTreeClassifier(Adapter, secateur.TreeClassifier):
    pass


class DecisionTreeRegressor(Adapter, secateur.TreeRegressor):
    def __init__(self, *, criterion="squared_error", splitter="best", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features=None, random_state=None, max_leaf_nodes=None, min_impurity_decrease=0.0,
                 ccp_alpha=0.0, monotonic_cst=None):  # fmt: skip
        super().__init__(
            criterion=criterion, splitter=splitter, max_depth=max_depth, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf, max_features=max_features,
            random_state=random_state, max_leaf_nodes=max_leaf_nodes, min_impurity_decrease=min_impurity_decrease,
            ccp_alpha=ccp_alpha, monotonic_cst=monotonic_cst,
        )  # fmt: skip
        del self.class_weight


#: What differs on purpose: what the name of the test and what it says match (regular expressions), and why.
ON_PURPOSE = [
    ("test_tree", "was given a sparse matrix", "sparse tables are refused, with a word on what to do"),
    ("test_tree", "no attribute '(tree_|n_classes_|max_features_)'", "the test looks inside scikit-learn's tree"),
    ("test_tree", "'poisson' is not gini", "there is no Poisson criterion"),
    ("test_tree", "y should be a 1d array", "a tree predicts one target"),
    ("missing_value", "Arrays are not equal|Not equal to tolerance|should be strictly greater|Expected CV score",
     "a missing value goes down both branches in proportion; no split is one of known and missing values"),
    ("test_xor", "0.5 == 1.0", "a split that gains nothing is not made, and the first one of exclusive or gains nothing"),
    ("test_almost_constant_feature", "0.4285714", "values that differ are different, however little"),
    ("test_(min_sample_split_1_error|big_input|error|huge_allocations)", "DID NOT RAISE|Regex pattern|max-leaves: '9223372036854775807'",
     "the parameters of scikit-learn are not checked by the adapter; numbers of 64 bits are taken"),
]  # fmt: skip


class Plugin:
    """Which tests fitted a tree, and how they ended."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[tuple[str, str]] = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        report = (yield).get_result()
        if report.when == "setup":
            fitted.clear()
        if report.when == "call" and fitted:
            if report.passed:
                self.passed += 1
            elif report.failed:
                self.failed.append((report.nodeid.split("site-packages/")[-1], str(call.excinfo.value)))


def main() -> int:
    sklearn.tree.DecisionTreeClassifier = DecisionTreeClassifier
    sklearn.tree.DecisionTreeRegressor = DecisionTreeRegressor
    folder = sklearn.__path__[0].rsplit("/", 1)[0]
    plugin = Plugin()
    warnings.simplefilter("ignore")
    pytest.main(
        ["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly", "-W", "ignore", "--disable-warnings",
         "-c", "/dev/null", "--rootdir", folder, *(f"{folder}/{suite}" for suite in SUITES), *sys.argv[1:]],
        plugins=[plugin],
    )  # fmt: skip
    used = set()
    strange = []
    for name, told in plugin.failed:
        reasons = [i for i, (where, words, _) in enumerate(ON_PURPOSE) if re.search(where, name) and re.search(words, told)]
        used.update(reasons[:1])
        if not reasons:
            strange.append((name, told))
    print(f"\n{plugin.passed} tests that fit a tree of this package pass; {len(plugin.failed)} fail, {len(strange)} of them for no known reason.")
    for i, (where, _, why) in enumerate(ON_PURPOSE):
        count = sum(bool(re.search(where, name) and re.search(ON_PURPOSE[i][1], told)) for name, told in plugin.failed)
        print(f"  {count:4} {why} ({where})" + ("" if count or sys.argv[1:] else "  explains nothing"))
    for name, told in strange:
        print(f"- {name}\n    {' '.join(told.split())[:300]}")
    idle = [] if sys.argv[1:] else [why for i, (_, _, why) in enumerate(ON_PURPOSE) if i not in used]
    return 1 if strange or idle else 0


if __name__ == "__main__":
    sys.exit(main())
