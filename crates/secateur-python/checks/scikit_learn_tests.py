"""scikit-learn's own tests, with the trees of this package in the place of its own: ``python checks/scikit_learn_tests.py``.

The tests are those of the installed scikit-learn. They get an adapter (``scikit_learn_adapter.py``): an estimator of this package with the
parameters of ``DecisionTreeClassifier`` or ``DecisionTreeRegressor``, also as the default of bagging and boosting. Counted are the tests that
fitted such a tree, and those that fail without it. A test that fails must be in the list of deliberate differences below, with the
reason; a line of the list that explains nothing is an error, too. Arguments go to pytest. Takes some minutes.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from typing import Any

os.environ["PYTHONPATH"] = os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), *filter(None, [os.environ.get("PYTHONPATH")])])

import pytest
import sklearn.ensemble  # before its trees are replaced: forests are made of scikit-learn's own
import sklearn.tree
from scikit_learn_adapter import DecisionTreeClassifier, DecisionTreeRegressor, fitted

SUITES = """
sklearn/tree/tests/test_tree.py
sklearn/tree/tests/test_split.py
sklearn/ensemble/tests/test_bagging.py
sklearn/ensemble/tests/test_base.py
sklearn/ensemble/tests/test_weight_boosting.py
sklearn/ensemble/tests/test_voting.py
sklearn/ensemble/tests/test_stacking.py
sklearn/inspection
sklearn/metrics/tests/test_classification.py
sklearn/metrics/tests/test_score_objects.py
sklearn/metrics/_plot/tests/test_common_curve_display.py
sklearn/model_selection/tests/test_search.py
sklearn/model_selection/tests/test_successive_halving.py
sklearn/model_selection/tests/test_classification_threshold.py
sklearn/model_selection/tests/test_plot.py
sklearn/semi_supervised/tests/test_self_training.py
sklearn/tests/test_base.py
sklearn/tests/test_calibration.py
sklearn/tests/test_metaestimators.py
sklearn/tests/test_metaestimators_metadata_routing.py
sklearn/tests/test_multiclass.py
sklearn/tests/test_multioutput.py
sklearn/tests/test_pipeline.py
sklearn/utils/tests/test_class_weight.py
sklearn/utils/tests/test_response.py
""".split()

#: What differs on purpose: what the name of the test and what it says match (regular expressions), and why.
ON_PURPOSE = [
    ("test_(tree|split)", "'poisson' is not gini|y is not positive.*Poisson", "there is no Poisson criterion"),
    ("", r"y should be a 1d array, got an array of shape \(\d+, ([2-9]|\d\d)", "a tree predicts one target"),
    ("test_max_features$", "max_features_", "there is one tree for a table: max_features chooses nothing"),
    ("test_min_impurity_decrease", r"> \(0", "a limit of gain is one of the node (min-gain), not of its share of the table"),
    ("test_tree.*test_sample_weight$", r"149.49999999999997\)? == 149.5",
     "a value at a threshold goes right here and left there: a converted threshold is the next smaller number"),
    ("test_xor$|test_with_only_one_non_constant_features$", "0.5 == 1.0|assert 0 == 1", "a split that gains nothing is not made"),
    ("test_almost_constant_feature", "0.4285714", "values that differ are different, however little"),
    ("test_big_input$", "DID NOT RAISE", "numbers beyond 32 bits are taken"),
    ("test_huge_allocations$", "DID NOT RAISE", "more leaves than rows do not limit anything, and nothing is allocated for them"),
    ("test_mae$|test_split_impurity.*(absolute_error|log_loss)", "Not equal to tolerance",
     "the conversion gives Gini's index or squared errors as the impurity of a node, whatever it was grown by"),
    ("test_missing_values_best_splitter_on_equal_nodes_no_missing", "Not equal to tolerance",
     "where no row of a node lacked a value, missing ones go down both branches in proportion; there they go to the larger branch"),
    ("test_partial_dependence", "_compute_partial_dependence_recursion",
     "partial dependence by recursion reads scikit-learn's own trees; method='brute' asks any"),
    ("test_recursion_decision_tree_vs_forest", "should only fail on 32 bit",
     "of columns that split two rows equally well the first is taken; there random_state chooses"),
    ("test_pickle_version", "_sklearn_version", "the version of scikit-learn is kept with scikit-learn's own classes only"),
    ("test_missing_value_errors", "DID NOT RAISE", "the adapter makes sparse matrices dense, and dense ones may have missing values"),
]  # fmt: skip


def reasons(name: str, told: str) -> list[int]:
    """The lines of the list that explain a test that failed."""
    return [i for i, (where, words, _) in enumerate(ON_PURPOSE) if re.search(where, name) and re.search(words, told)]


class Plugin:
    """Which tests fitted a tree of this package, and how they ended."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[tuple[str, str]] = []

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Any:
        report = (yield).get_result()
        if report.when == "setup":
            fitted.clear()
        if report.when == "call" and report.passed and fitted:
            self.passed += 1
        elif report.failed:
            name, told = report.nodeid.split("site-packages/")[-1], str(call.excinfo.value)
            self.failed.append((name, told))
            if not reasons(name, told):
                # At once: all of the suites take a while.
                terminal = item.config.pluginmanager.get_plugin("terminalreporter")
                terminal.write_line(f"\n- {name}\n    {' '.join(told.split())[:300]}")


def main() -> int:
    for module in (sklearn.tree, sklearn.ensemble._bagging, sklearn.ensemble._weight_boosting):
        module.DecisionTreeClassifier = DecisionTreeClassifier
        module.DecisionTreeRegressor = DecisionTreeRegressor
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
        found = reasons(name, told)
        used.update(found[:1])
        if not found:
            strange.append((name, told))
    print(f"\n{plugin.passed} tests that fit a tree of this package pass; {len(plugin.failed)} fail, {len(strange)} of them for no known reason.")
    for i, (where, _, why) in enumerate(ON_PURPOSE):
        count = sum(reasons(name, told)[:1] == [i] for name, told in plugin.failed)
        print(f"  {count:4} {why} ({where})" + ("" if count or sys.argv[1:] else "  explains nothing"))
    for name, told in strange:
        print(f"- {name}\n    {' '.join(told.split())[:300]}")
    idle = [] if sys.argv[1:] else [why for i, (_, _, why) in enumerate(ON_PURPOSE) if i not in used]
    return 1 if strange or idle else 0


if __name__ == "__main__":
    sys.exit(main())
