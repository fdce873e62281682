"""What both estimators share before there is a tree: parameters, reading rows, fitting."""

from __future__ import annotations

import warnings
from typing import Any, Optional, Union

import numpy as np
import sklearn
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _native, _options, _table
from ._check import optional_share, text, whole
from ._common import listener_of, seed_of, threads_of
from ._fitted import Fitted
from ._warnings import tell

_OLD = tuple(int(part) for part in sklearn.__version__.split(".")[:2]) < (1, 6)


class Lesson:
    """What a fit is given: columns and target as the library wants them, and what the answers mean."""

    def __init__(
        self,
        found: _table.Rows,
        target: _native.Columns,
        answers: np.ndarray,
        *,
        weights: Optional[np.ndarray] = None,
        costs: Optional[list[float]] = None,
        classes: Optional[np.ndarray] = None,
        order: Optional[np.ndarray] = None,
    ):
        self.columns = found.columns
        self.names = found.names
        self.named = found.named
        self.rows = found.rows
        self.target = target
        self.answers = answers
        self.weights = weights
        self.costs = costs
        self.classes = classes
        self.order = order
        self.kind = "text" if classes is None else _table.kind_of_labels(classes)


class Tree(Fitted, BaseEstimator):
    """The part of an estimator that does not depend on what is predicted."""

    _regression: bool

    # What scikit-learn asks of an estimator.

    if _OLD:

        def _more_tags(self) -> dict[str, Any]:
            return {"allow_nan": True, "X_types": ["2darray", "string"]}

    else:

        def __sklearn_tags__(self) -> Any:
            tags = super().__sklearn_tags__()
            tags.input_tags.allow_nan = True
            tags.input_tags.string = True
            return tags

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __getstate__(self) -> dict[str, Any]:
        """What is kept: the model as the text of its file, which other tools can keep as well, and not the time it took."""
        state = dict(super().__getstate__())
        state.pop("seconds_", None)
        if "model_" in state:
            state["model_"] = state["model_"].to_json()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        model = state.get("model_")
        if model is not None:
            if not isinstance(model, _native.Model):
                model = _native.Model.from_json(bytes(model))
            state = {"seconds_": None, **state, "model_": model}
        super().__setstate__(state)

    # Reading rows.

    def _threads(self) -> int:
        return threads_of(self.n_jobs)

    def _asked(self, X: Any) -> Union[_native.Columns, np.ndarray]:
        """Rows to predict: a matrix of numbers as it is, or the columns that the tree tests."""
        check_is_fitted(self)
        if (
            type(X) is np.ndarray
            and X.ndim == 2
            and X.dtype.kind in "fiu"
            and not hasattr(self, "feature_names_in_")
            and X.shape[1] == self.n_features_in_
            and X.shape[0] > 0
        ):
            return _table.as_matrix(X)
        return self._rows(X, self.model_.used)

    def _rows(self, X: Any, used: Optional[list[bool]] = None) -> Any:
        """Rows to predict, checked against those that were learned from: all columns, or those that are used, or a matrix of all."""
        check_is_fitted(self)
        who = type(self).__name__
        attributes = self.model_.attributes
        found = _table.read(X, who, [values is None for _, values in attributes], used)
        known = getattr(self, "feature_names_in_", None)
        if known is not None and found.named:
            self._check_names(list(known), found.names)
        elif known is not None:
            warnings.warn(
                f"X does not have valid feature names, but {who} was fitted with feature names", UserWarning, 4
            )
        elif found.named:
            warnings.warn(f"X has feature names, but {who} was fitted without feature names", UserWarning, 4)
        if len(found.names) != self.n_features_in_:
            raise ValueError(
                f"X has {len(found.names)} features, but {who} is expecting {self.n_features_in_} features as input."
            )
        if found.matrix is not None:
            return found.matrix
        found.columns.rename([name for (name, _), read in zip(attributes, found.read) if read])
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

    def _strict(self) -> bool:
        """Whether a value that the tree has never seen is an error."""
        if self.handle_unknown not in ("error", "missing"):
            raise ValueError(f"handle_unknown: expected 'error' or 'missing', got {self.handle_unknown!r}")
        return self.handle_unknown == "error"

    # Fitting.

    def _scheme(self, rows: int, folds: Optional[int]) -> str:
        learning = {name: getattr(self, name) for name in _options.LEARNING}
        choosing = {name: getattr(self, name) for name in _options.PRUNING}
        text = _options.compose(
            self.scheme, self.learner, self.pruning, learning, choosing, folds, rows, self._regression
        )
        try:
            return _native.check_scheme(text, self._regression)
        except ValueError as problem:
            raise _options.named(problem, {**learning, **choosing, "cv": folds}) from None

    def _lesson(self, X: Any, y: Any, sample_weight: Any) -> Lesson:
        """What is learned from, with the estimator as it was."""
        raise NotImplementedError

    def _folds(self, cv: Any, lesson: Lesson, groups: Any) -> tuple[Optional[int], Optional[list[int]]]:
        """The number of folds, and for splits that are given the fold of every row."""
        if cv is None:
            if groups is not None:
                raise ValueError("groups: they are for cv and calibrate; give cv a splitter such as GroupKFold()")
            return None, None
        if isinstance(cv, (int, np.integer)) and not isinstance(cv, (bool, np.bool_)):
            if groups is not None:
                raise ValueError("groups: cv is a number of folds; give it a splitter such as GroupKFold()")
            return whole("cv", cv, 2), None
        folds = _options.fold_of_rows(cv, lesson.rows, lesson.answers, groups)
        return max(folds) + 1, folds

    def _learn(self, lesson: Lesson, groups: Any, estimate: str, calibrate: Optional[float]) -> None:
        """Fits, and only then changes the estimator."""
        estimate, calibrate = text("estimate", estimate), optional_share("calibrate", calibrate)
        self._strict()
        # Rows that are set aside need no folds to keep groups together.
        for_folds = groups if calibrate is None or self.cv is not None else None
        cv, folds = self._folds(self.cv, lesson, for_folds)
        used = lesson.rows if lesson.weights is None else int(np.count_nonzero(lesson.weights))
        try:
            model, results = _native.fit(
                lesson.columns,
                lesson.target,
                self._scheme(used, cv),
                weights=lesson.weights,
                costs=lesson.costs,
                folds=folds,
                groups=_table.groups_of(groups, lesson.rows),
                seed=seed_of(self.random_state),
                labels=lesson.kind,
                look=lesson.named,
                estimate=estimate,
                calibrate=calibrate,
                threads=self._threads(),
                listener=listener_of(self.verbose),
            )
        except ValueError as problem:
            if lesson.rows == 1:
                raise ValueError(f"{problem} (n_samples = 1)") from None
            if lesson.classes is not None and len(np.unique(lesson.answers if lesson.weights is None else lesson.answers[lesson.weights > 0])) == 1:
                raise ValueError(f"{problem} (the rows with weight are of one class)") from None
            raise
        self.n_features_in_ = len(lesson.names)
        if lesson.named:
            self.feature_names_in_ = np.array(lesson.names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        if lesson.classes is not None:
            self.classes_, self._order = lesson.classes, lesson.order
        self._keep(model, results)
        tell(results["notes"], 3)

    def _keep(self, model: _native.Model, found: dict[str, Any]) -> None:
        self.model_ = model
        self.scheme_ = model.scheme
        self.leaf_values_ = model.leaf_values
        self.estimate_ = found.get("estimate")
        self.seconds_ = found.get("seconds")
        self._path = found.get("path")
