"""What both estimators share before there is a tree: parameters, reading rows, fitting."""

from __future__ import annotations

import warnings
from typing import Any, Optional

import numpy as np
import sklearn
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _native, _options, _table
from ._common import seed_of
from ._fitted import Fitted

_OLD = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) < (1, 6)


class Tree(Fitted, BaseEstimator):
    """The part of an estimator that does not depend on what is predicted."""

    _regression: bool

    # What scikit-learn asks of an estimator.

    if _OLD:

        def _more_tags(self) -> dict:
            return {"allow_nan": True, "X_types": ["2darray", "string"]}

    else:

        def __sklearn_tags__(self) -> Any:
            tags = super().__sklearn_tags__()
            tags.input_tags.allow_nan = True
            tags.input_tags.string = True
            return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    # Reading rows.

    def _threads(self) -> int:
        return effective_n_jobs(self.n_jobs)

    def _learning_rows(self, X: Any) -> _table.Rows:
        found = _table.read(X, type(self).__name__)
        self.n_features_in_ = len(found.names)
        if found.named:
            self.feature_names_in_ = np.array(found.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return found

    def _rows(self, X: Any) -> _native.Columns:
        """Rows to predict, checked against those that were learned from."""
        check_is_fitted(self)
        who = type(self).__name__
        found = _table.read(X, who)
        known = getattr(self, "feature_names_in_", None)
        if known is not None and found.named:
            self._check_names(list(known), found.names)
        elif known is not None:
            warnings.warn(
                f"X does not have valid feature names, but {who} was fitted with feature names", UserWarning, 3
            )
        elif found.named:
            warnings.warn(f"X has feature names, but {who} was fitted without feature names", UserWarning, 3)
        if len(found.names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(found.names)} features, but {who} is expecting {self.n_features_in_} features as input."
            )
        found.columns.rename([name for name, _ in self.model_.attributes])
        return found.columns

    @staticmethod
    def _check_names(known: list[str], given: list[str]) -> None:
        if known == given:
            return

        def listed(names: list[str]) -> str:
            return "".join(f"- {name}\n" for name in names[:5]) + ("- ...\n" if len(names) > 5 else "")

        message = "The feature names should match those that were passed during fit.\n"
        strange, absent = sorted(set(given) - set(known)), sorted(set(known) - set(given))
        if strange:
            message += "Feature names unseen at fit time:\n" + listed(strange)
        if absent:
            message += "Feature names seen at fit time, yet now missing:\n" + listed(absent)
        if not strange and not absent:
            message += "Feature names must be in the same order as they were in fit.\n"
        raise ValueError(message)

    def _check_unknown(self, unknown: list[tuple[str, str, int]]) -> None:
        if self.handle_unknown not in ("error", "missing"):
            raise ValueError(f"handle_unknown: expected 'error' or 'missing', got {self.handle_unknown!r}")
        if unknown and self.handle_unknown == "error":
            name, value, rows = unknown[0]
            more = f" and {len(unknown) - 1} more" if len(unknown) > 1 else ""
            raise ValueError(
                f"column '{name}': the tree has never seen the value '{value}' ({rows} rows){more}; set "
                "handle_unknown='missing' to treat such values as missing"
            )

    # Fitting.

    def _scheme(self, rows: int, folds: Optional[int]) -> str:
        text = _options.compose(
            self.scheme,
            self.learner,
            self.pruning,
            {name: getattr(self, name) for name in _options.LEARNING},
            {name: getattr(self, name) for name in _options.PRUNING},
            folds,
            rows,
        )
        return _native.check_scheme(text, self._regression)

    def _lesson(self, rows: int, y: Any, weights: Optional[np.ndarray]) -> tuple[str, dict[str, Any]]:
        """The scheme, and what else a fit is told."""
        folds, cv = None, self.cv
        if cv is not None and not isinstance(cv, (int, np.integer)):
            folds = _options.fold_of_rows(cv, rows, y)
            cv = max(folds) + 1
        used = rows if weights is None else int(np.count_nonzero(weights))
        scheme = self._scheme(used, None if cv is None else int(cv))
        return scheme, {"folds": folds, "seed": seed_of(self.random_state), "threads": self._threads()}

    def _keep(self, model: _native.Model, found: dict[str, Any]) -> None:
        self.model_ = model
        self.scheme_ = model.scheme
        self.estimate_ = found.get("estimate")
        self.seconds_ = found.get("seconds")
        self._path = found.get("path")
