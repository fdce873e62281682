"""Trees that predict numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np
from sklearn.base import RegressorMixin
from sklearn.utils.validation import column_or_1d

from . import _native, _table
from ._check import share, text, weights_of
from ._estimator import Lesson, Tree

if TYPE_CHECKING:
    from typing_extensions import Self


def numbers_of(y: Any, who: str) -> np.ndarray:
    """The numbers of a target, all of them finite."""
    if y is None:
        raise ValueError(f"{who} requires y to be passed, but the target y is None.")
    array = column_or_1d(_table.target_array(y), warn=True)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{array}\n")
    row = _table.first_missing(array)
    if row is not None:
        raise ValueError(f"Input y contains NaN. (row {row + 1})")
    try:
        numbers = array.astype(np.float64)
    except (TypeError, ValueError) as problem:
        raise ValueError(f"y: expected numbers: {problem}") from None
    if not np.isfinite(numbers).all():
        row = int(np.argmin(np.isfinite(numbers)))
        raise ValueError(f"Input y contains infinity or a value too large for dtype('float64'). (row {row + 1})")
    return numbers


class TreeRegressor(RegressorMixin, Tree):
    """A decision tree for numbers, grown, pruned and chosen as a scheme says.

    The parameters are those of :class:`TreeClassifier`, without those that are about classes.

    >>> from secateur import TreeRegressor
    >>> tree = TreeRegressor("cart:min-leaf=2").fit([[1], [2], [3], [4]], [1.0, 1.5, 7.0, 7.5])
    >>> print(tree)
    target: a number
    3 nodes, 2 leaves, depth 1, training RMSE 0.25 (4 rows)
    <BLANKLINE>
    ├─ x0 < 2.5 → 1.25 ± 0.25  (2)
    └─ x0 ≥ 2.5 → 7.25 ± 0.25  (2)
    """

    _regression = True

    def __init__(
        self,
        scheme: Optional[str] = None,
        *,
        learner: Optional[str] = None,
        pruning: Optional[str] = None,
        criterion: Optional[str] = None,
        max_depth: Optional[int] = None,
        max_leaves: Optional[int] = None,
        min_leaf: Optional[float] = None,
        min_split: Optional[float] = None,
        min_gain: Optional[float] = None,
        missing: Optional[str] = None,
        leaf_values: Optional[str] = None,
        leaf_m: Optional[float] = None,
        leaf_lambda: Optional[float] = None,
        alpha: Optional[float] = None,
        k: Optional[float] = None,
        cf: Optional[float] = None,
        m: Optional[float] = None,
        holdout: Optional[float] = None,
        se: Optional[float] = None,
        cv: Any = None,
        handle_unknown: str = "error",
        random_state: Any = None,
        n_jobs: Optional[int] = None,
        verbose: Union[bool, Callable[[str, int, int], None]] = False,
    ):
        self.scheme = scheme
        self.learner = learner
        self.pruning = pruning
        self.criterion = criterion
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_leaf = min_leaf
        self.min_split = min_split
        self.min_gain = min_gain
        self.missing = missing
        self.leaf_values = leaf_values
        self.leaf_m = leaf_m
        self.leaf_lambda = leaf_lambda
        self.alpha = alpha
        self.k = k
        self.cf = cf
        self.m = m
        self.holdout = holdout
        self.se = se
        self.cv = cv
        self.handle_unknown = handle_unknown
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        groups: Any = None,
        estimate: str = "corrected",
        calibrate: Optional[float] = None,
    ) -> Self:
        """Grows and prunes a tree. ``groups`` are for a ``cv`` that keeps the rows of a group together, and for
        ``calibrate``, which then sets whole groups aside; the ``se`` of the estimate is how far the folds are apart.

        ``estimate`` says how ``estimate_`` is found: ``"corrected"``, by the rows that choose the tree, corrected for that;
        ``"nested"``, by folds around the whole fit, which takes as many fits; or ``"off"``. ``calibrate`` sets a share of the
        rows aside, to make intervals with that cover new rows as often as they say, whatever the tree.

        >>> import secateur
        >>> secateur.TreeRegressor("cart").fit([["red"], ["blue"]], [3.0, 5.0]).predict([["blue"]])
        array([5.])
        """
        self._learn(self._lesson(X, y, sample_weight), groups, estimate, calibrate)
        return self

    def _lesson(self, X: Any, y: Any, sample_weight: Any) -> Lesson:
        found = _table.read(X, type(self).__name__)
        numbers = numbers_of(y, type(self).__name__)
        if len(numbers) != found.rows:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: {[found.rows, len(numbers)]}"
            )
        target = _native.Columns()
        target.add_numbers(_table.name_of(y, found.names), np.ascontiguousarray(numbers))
        weights = None if sample_weight is None else weights_of(sample_weight, found.rows)
        return Lesson(found, target, numbers, weights=weights)

    def _adopt(self, model: _native.Model) -> None:
        """Nothing beyond the model is known of numbers."""

    def predict(self, X: Any, *, leaf_values: Optional[str] = None) -> np.ndarray:
        """The number for each row: the mean, or the median, of the training rows of its leaf, as the leaf values of the tree say it,
        or others: ``"raw"``, ``"m=2"`` or ``"shrink=10"``.

        >>> import secateur
        >>> secateur.TreeRegressor("cart").fit([[0.0], [1.0]], [3.0, 5.0]).predict([[0.2], [0.9]])
        array([3., 5.])
        """
        rows = self._asked(X)
        values = None if leaf_values is None else text("leaf_values", leaf_values)
        return self.model_.estimate(rows, values, self._strict(), self._threads())

    def predict_interval(self, X: Any, level: float = 0.9) -> np.ndarray:
        """The lower and the upper end of an interval for each row: intervals that have the true number for at least this share of
        new rows (conformal prediction). They are wide where the rows behind a leaf are far apart. Fits that choose by
        cross-validation keep what is needed, and so do ``fit(..., estimate="nested")`` and ``fit(..., calibrate=0.2)``, whose
        intervals hold whatever the tree.

        >>> import secateur
        >>> X, y = secateur.load_builtin("houses?n=300")
        >>> tree = secateur.TreeRegressor(random_state=1).fit(X, y)
        >>> low, high = tree.predict_interval(X, 0.9).T
        >>> bool(((low <= y) & (y <= high)).mean() >= 0.85)
        True
        """
        columns = self._rows(X)
        return self.model_.intervals(columns, share("level", level), self._strict(), self._threads())

    def _predictions_of(self, nodes: dict[str, Any]) -> list[Any]:
        return nodes["value"]

    def _answer(self, label: int, value: float) -> float:
        """The number itself."""
        return value

    @staticmethod
    def _wrong_at(nodes: dict[str, Any], node: int) -> None:
        """A number is never simply wrong."""
