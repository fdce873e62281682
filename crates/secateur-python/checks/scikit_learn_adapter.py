"""Trees of this package with the parameters of scikit-learn's, for scikit-learn's own tests.

What means the same is handed on: criterion, depth, leaves, limits of rows and of weight, class weights, a branch for missing values, medians where
absolute errors are wanted, and ``ccp_alpha``, which for classes is about impurity there and about errors here. Sparse matrices are made
dense, as the package asks people to do. Three things are not: there is one tree for a table, so that ``splitter="random"`` and
``max_features`` choose nothing; a limit of gain is one of the node here (``min-gain``) and of the whole table there
(``min_impurity_decrease``); and there are no monotonic constraints.
"""

from __future__ import annotations

import numbers
import warnings
from typing import Any

import numpy as np
import sklearn.tree
from sklearn.utils import Bunch
from sklearn.utils._param_validation import validate_parameter_constraints

import secateur

THEIRS = (sklearn.tree.DecisionTreeClassifier, sklearn.tree.DecisionTreeRegressor)

CRITERIA = {
    "gini": "gini",
    "entropy": "entropy",
    "log_loss": "entropy",
    "squared_error": "mse",
    "friedman_mse": "mse",
    "absolute_error": "mae",
}

#: The criteria for numbers that scikit-learn knows in this version.
CRITERIA_OF_THEIRS = {word for kind in THEIRS[1]._parameter_constraints["criterion"] for word in getattr(kind, "options", ())}

#: The trees of this package that were fitted since the last test began.
fitted: list[str] = []


def dense(X: Any) -> Any:
    return X.toarray() if hasattr(X, "toarray") and hasattr(X, "nnz") else X


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
    leaf_values = leaf_m = leaf_lambda = None
    handle_unknown, verbose = "error", False
    n_outputs_ = 1

    def _scheme(self, rows: int, folds: Any) -> str:
        def count(share: Any) -> int:
            whole = isinstance(share, numbers.Integral)
            return int(share) if whole else max(int(np.ceil(share * rows)), 1)

        options = {
            "criterion": CRITERIA.get(self.criterion, self.criterion),
            "missing": "branch",
            "max-depth": self.max_depth,
            # More leaves than rows do not limit anything.
            "max-leaves": self.max_leaf_nodes and min(self.max_leaf_nodes, max(rows, 2)),
            "min-leaf": count(self.min_samples_leaf),
            "min-split": max(count(self.min_samples_split), 2),
        }
        if self.criterion == "absolute_error":
            options["leaf"] = "median"
        if self.min_weight_fraction_leaf:
            # A limit of weight; one of rows cannot be had beside it.
            options |= {"count": "weight", "min-leaf": self.min_weight_fraction_leaf * self._total, "min-split": 0}
        if self.max_leaf_nodes:
            # Both take the node next whose impurity falls most, in all of its rows together.
            options["order"] = "best-first-weighted"
        told = ",".join(f"{name}={value}" for name, value in options.items() if value is not None)
        if self.ccp_alpha:
            told += f"/cost-complexity:alpha={self.ccp_alpha}"
        return secateur._native.check_scheme(f"cart:{told}", self._regression)

    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> Any:
        theirs = THEIRS[self._regression]
        validate_parameter_constraints(theirs._parameter_constraints, self.get_params(deep=False), theirs.__name__)
        fitted.append(type(self).__name__)
        X = dense(X)
        rows = np.shape(y)[0] if np.ndim(y) else 1
        self._total = float(rows if sample_weight is None else np.sum(sample_weight))
        state = self.random_state
        self.random_state = None  # a tree of this package needs none
        try:
            super().fit(X, y, sample_weight)  # type: ignore[misc]
        finally:
            self.random_state = state
            del self._total
        self.max_features_ = self.n_features_in_
        if not self._regression:
            self.n_classes_ = len(self.classes_)
        return self

    def predict(self, X: Any, check_input: bool = True) -> Any:
        return super().predict(dense(X))  # type: ignore[misc]

    def apply(self, X: Any, check_input: bool = True) -> Any:
        return super().apply(dense(X))  # type: ignore[misc]

    def decision_path(self, X: Any, check_input: bool = True) -> Any:
        return super().decision_path(dense(X))  # type: ignore[misc]

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """The weights of complexity at which the tree becomes smaller, and what its leaves cost then."""
        full = type(self)(**{**self.get_params(deep=False), "ccp_alpha": 0.0}).fit(X, y, sample_weight)
        path = full.cost_complexity_path().sort_values("leaves", ascending=False)
        return Bunch(ccp_alphas=path["parameter"].to_numpy(), impurities=path["training_error"].to_numpy())

    @property
    def tree_(self) -> Any:
        """The same nodes as a tree of scikit-learn."""
        return self._converted().tree_

    def _converted(self) -> Any:
        ours = sklearn.tree.DecisionTreeClassifier, sklearn.tree.DecisionTreeRegressor
        sklearn.tree.DecisionTreeClassifier, sklearn.tree.DecisionTreeRegressor = THEIRS
        try:
            return self.to_sklearn()
        finally:
            sklearn.tree.DecisionTreeClassifier, sklearn.tree.DecisionTreeRegressor = ours


class DecisionTreeClassifier(Adapter, secateur.TreeClassifier):
    def predict_proba(self, X: Any, check_input: bool = True, **given: Any) -> Any:
        return super().predict_proba(dense(X), **given)

    def predict_log_proba(self, X: Any) -> Any:
        return super().predict_log_proba(dense(X))


class DecisionTreeRegressor(Adapter, secateur.TreeRegressor):
    def __init__(self, *, criterion="squared_error", splitter="best", max_depth=None, min_samples_split=2, min_samples_leaf=1,
                 min_weight_fraction_leaf=0.0, max_features=None, random_state=None, max_leaf_nodes=None, min_impurity_decrease=0.0,
                 ccp_alpha=0.0, monotonic_cst=None):  # fmt: skip
        if isinstance(criterion, str) and criterion == "friedman_mse" and criterion not in CRITERIA_OF_THEIRS:
            # As scikit-learn does where it takes it for squared errors.
            warnings.warn('Value `"friedman_mse"` for `criterion` is deprecated', FutureWarning, 2)
            criterion = "squared_error"
        super().__init__(
            criterion=criterion, splitter=splitter, max_depth=max_depth, min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf, min_weight_fraction_leaf=min_weight_fraction_leaf, max_features=max_features,
            random_state=random_state, max_leaf_nodes=max_leaf_nodes, min_impurity_decrease=min_impurity_decrease,
            ccp_alpha=ccp_alpha, monotonic_cst=monotonic_cst,
        )  # fmt: skip
        del self.class_weight
