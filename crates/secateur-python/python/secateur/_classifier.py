"""Trees that predict classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Optional, Union

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _native, _table
from ._check import number, share, text, weights_of
from ._estimator import Lesson, Tree

if TYPE_CHECKING:
    from typing_extensions import Self


def labels_of(y: Any, who: str) -> np.ndarray:
    """The labels of a target as an array, none of them missing."""
    if y is None:
        raise ValueError(f"{who} requires y to be passed, but the target y is None.")
    labels = column_or_1d(_table.target_array(y), warn=True)
    row = _table.first_missing(labels)
    if row is not None:
        raise ValueError(f"Input y contains NaN: row {row + 1} has no label; complete the target or leave such rows out")
    if labels.dtype.kind == "f" and np.isinf(labels).any():
        raise ValueError("Input y contains infinity")
    if labels.dtype.kind == "O":
        kinds = {type(label) for label in labels.tolist()}
        if any(issubclass(kind, str) for kind in kinds) and not all(issubclass(kind, str) for kind in kinds):
            named = ", ".join(sorted(kind.__name__ for kind in kinds))
            raise TypeError(f"y holds labels of different types ({named}); make them all strings or all numbers")
    check_classification_targets(labels)
    return labels


class TreeClassifier(ClassifierMixin, Tree):
    """A decision tree for classes, grown, pruned and chosen as a scheme says.

    Columns may be numbers, text, booleans or categories, with missing values; nothing has to be encoded.

    Parameters
    ----------
    scheme : str, optional
        ``LEARNER:options/PRUNER:options``, as in the program; :func:`secateur.schemes` lists all of them. Without it, and
        without ``learner`` and ``pruning``, it is the default of the program: ``cart:value-guard,leaf-values=shrink/cost-complexity:cv=10,of=gini``
        for classes and ``cart:value-guard,leaf-values=shrink/cost-complexity:cv=10,se=0.25`` for numbers, with a fold for every
        row where there are fewer than ten.
    learner, pruning : str, optional
        The two halves of a scheme, each with options or without. A learner alone keeps the full tree, unless ``alpha``, ``cv``,
        ``holdout`` or ``se`` says how to prune it by cost-complexity.
    criterion, max_depth, max_leaves, min_leaf, min_split, min_gain, missing : optional
        Options of the learner, for searching over them. With ``max_leaves`` the nodes that gain most are split first.
        ``missing="branch"`` sends rows without a value to a branch that is chosen with the split, so that it can matter whether a
        value is there; otherwise they go down every branch in proportion.
    leaf_values : {"raw", "laplace", "m", "shrink"}, optional
        Leaf values: the class shares that were counted; with one more row of every class (Laplace); with ``leaf_m`` more rows as at the
        root; or shrunken towards the nodes above (hierarchical shrinkage), by ``leaf_lambda`` or the best one for the folds. Labels follow.
    leaf_m, leaf_lambda : float, optional
        The numbers of these.
    alpha, k, cf, m, holdout, se : float, optional
        Options of the pruning. Without a scheme ``alpha``, ``holdout`` and ``se`` mean cost-complexity.
    cv : int, splitter or splits, optional
        The folds to choose the pruning by, or what leaves say; splits must test every row at most once.
    costs : dict or array, optional
        What mistakes cost: ``{(actual, predicted): cost}``, or a matrix in the order of ``classes_``, actual classes in
        rows. They decide labels, pruning and choice.
    class_weight : dict or "balanced", optional
        Weights of the classes, as in scikit-learn.
    handle_unknown : {"error", "missing"}
        What to do when a row to predict has a value in a nominal column that the tree has never seen.
    random_state : int or RandomState, optional
        The seed of folds and held-out parts. ``None`` is the program's seed, 1: results can be repeated.
    n_jobs : int, optional
        Threads; ``None`` is one, -1 all cores. The tree never depends on it.
    verbose : bool or callable
        Whether to show the progress on standard error; or a function that gets it: ``f(stage, done, total)``.

    Attributes
    ----------
    classes_ : the labels, sorted.
    scheme_ : the scheme that was used.
    leaf_values_ : what the leaves say, with the number that was chosen: ``"shrink=25"``.
    estimate_ : the error to expect on new rows (``error``, ``se``, ``method``, and ``bias_correction``, what was added because the tree
        was chosen by these rows), where the scheme measures it.
    feature_names_in_, n_features_in_ : the columns.
    model_ : the tree itself.

    Examples
    --------
    >>> from secateur import TreeClassifier, load_builtin
    >>> X, y = load_builtin("iris")
    >>> tree = TreeClassifier(random_state=1).fit(X, y)
    >>> print(tree)
    class: Iris-setosa, Iris-versicolor, Iris-virginica
    7 nodes, 4 leaves, depth 3, training error 2.7 % (4 of 150)
    shrunken leaf values (hierarchical shrinkage, λ = 1)
    <BLANKLINE>
    ├─ petallength < 2.45 → Iris-setosa 98.3 %  (50)
    └─ petallength ≥ 2.45
       ├─ petalwidth < 1.75
       │  ├─ petallength < 4.95 → Iris-versicolor 96 %  (48, 1 wrong)
       │  └─ petallength ≥ 4.95 → Iris-virginica 61.3 %  (6, 2 wrong)
       └─ petalwidth ≥ 1.75 → Iris-virginica 95.9 %  (46, 1 wrong)
    """

    _regression = False
    _order: np.ndarray
    classes_: np.ndarray

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
        costs: Any = None,
        class_weight: Union[dict[Any, float], str, None] = None,
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
        self.costs = costs
        self.class_weight = class_weight
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
        rows aside, to make sets with that cover new rows as often as they say, whatever the tree.

        >>> import secateur
        >>> secateur.TreeClassifier("cart").fit([["red"], ["blue"]], [1, 0]).classes_
        array([0, 1])
        """
        self._learn(self._lesson(X, y, sample_weight), groups, estimate, calibrate)
        return self

    def _lesson(self, X: Any, y: Any, sample_weight: Any) -> Lesson:
        found = _table.read(X, type(self).__name__)
        labels = labels_of(y, type(self).__name__)
        if len(labels) != found.rows:
            raise ValueError(
                f"Found input variables with inconsistent numbers of samples: {[found.rows, len(labels)]}"
            )
        classes, first, codes = np.unique(labels, return_index=True, return_inverse=True)
        # In the model the classes stand as the program would meet them: numbers ascending, categories in their own
        # order, text in the order of appearance.
        declared = _table.classes_in_order(y, labels)
        if declared is not None:
            order = np.searchsorted(classes, declared)
        elif isinstance(classes[0], str):
            order = np.argsort(first, kind="stable")
        else:
            order = np.arange(len(classes))
        place = np.empty(len(classes), dtype=np.int64)
        place[order] = np.arange(len(classes))
        names = [_table.as_text(classes[i]) for i in order]
        if len(set(names)) < len(names):
            raise ValueError("two labels of y have the same text; make them different")
        target = _native.Columns()
        target.add_codes(_table.name_of(y, found.names), names, place[np.reshape(codes, -1)])
        return Lesson(
            found,
            target,
            labels,
            weights=self._weights(sample_weight, labels),
            costs=self._costs(classes, order),
            classes=classes,
            order=order,
        )

    def _weights(self, sample_weight: Any, labels: np.ndarray) -> Optional[np.ndarray]:
        if sample_weight is None and self.class_weight is None:
            return None
        weights = weights_of(sample_weight, len(labels))
        if self.class_weight is not None:
            weights = weights * compute_sample_weight(self.class_weight, labels)
        return weights

    def _costs(self, classes: np.ndarray, order: np.ndarray) -> Optional[list[float]]:
        """The costs in the order of the model's classes."""
        if self.costs is None:
            return None
        n = len(classes)
        if isinstance(self.costs, dict):
            matrix = 1.0 - np.eye(n)
            place = {label: i for i, label in enumerate(classes.tolist())}
            for pair, cost in self.costs.items():
                if not isinstance(pair, tuple) or len(pair) != 2:
                    raise ValueError(f"costs: {pair!r} is not a pair; expected {{(actual, predicted): cost}}")
                for label in pair:
                    if label not in place:
                        raise ValueError(f"costs: there is no class {label!r}; the classes are {classes.tolist()}")
                matrix[place[pair[0]], place[pair[1]]] = number("costs", cost)
        else:
            try:
                matrix = np.asarray(self.costs, dtype=np.float64)
            except (TypeError, ValueError) as problem:
                raise TypeError(f"costs: expected a matrix of numbers: {problem}") from None
            if matrix.shape != (n, n):
                raise ValueError(f"costs: expected a matrix of {n} by {n} numbers, got {matrix.shape}")
        listed: list[float] = matrix[np.ix_(order, order)].ravel().tolist()
        return listed

    def _adopt(self, model: _native.Model) -> None:
        labels = _table.labels_of_kind(model.classes, model.labels)
        self.classes_ = np.sort(labels)
        self._order = np.searchsorted(self.classes_, labels)

    def _classified(self, X: Any, laplace: bool, leaf_values: Optional[str]) -> tuple[np.ndarray, np.ndarray]:
        if laplace and leaf_values is not None:
            raise ValueError("give either laplace or leaf_values, not both")
        rows = self._asked(X)
        values = "laplace" if laplace else None if leaf_values is None else text("leaf_values", leaf_values)
        labels, probabilities = self.model_.classify(rows, values, self._strict(), self._threads())
        ours = np.empty_like(probabilities)
        ours[:, self._order] = probabilities
        return self._order[labels], ours

    def predict(self, X: Any, *, laplace: bool = False, leaf_values: Optional[str] = None) -> np.ndarray:
        """The class of each row: the likeliest one by :meth:`predict_proba` with the same arguments, or with ``costs`` the
        cheapest one by these probabilities; the first in the model's order where several are equal.

        >>> import secateur
        >>> secateur.TreeClassifier("cart").fit([["red"], ["blue"]], [1, 0]).predict([["blue"]])
        array([0])
        """
        labels, _ = self._classified(X, laplace, leaf_values)
        return self.classes_[labels]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The accuracy on rows with known classes.

        Truth values are the same however they are spelled: a tree that was grown from a file with ``TRUE`` and ``FALSE`` is scored
        with booleans, too.

        >>> import secateur
        >>> X, y = secateur.load_builtin("weather")
        >>> secateur.TreeClassifier("id3").fit(X, y).score(X, y)
        1.0
        """
        check_is_fitted(self)
        return super().score(X, _table.labels_like(y, self.classes_), sample_weight)

    def predict_proba(self, X: Any, *, laplace: bool = False, leaf_values: Optional[str] = None) -> np.ndarray:
        """The probability of each class, as the leaf values of the tree say it, or others: ``"raw"``, ``"laplace"``, ``"m=2"`` or
        ``"shrink=10"``. ``laplace=True`` is short for ``leaf_values="laplace"``.

        >>> import secateur
        >>> tree = secateur.TreeClassifier("cart").fit([["red"], ["blue"]], [1, 0])
        >>> tree.predict_proba([["red"], [None]])
        array([[0. , 1. ],
               [0.5, 0.5]])
        """
        return self._classified(X, laplace, leaf_values)[1]

    def predict_log_proba(self, X: Any, *, laplace: bool = False, leaf_values: Optional[str] = None) -> np.ndarray:
        """The logarithms of :meth:`predict_proba`.

        >>> import secateur
        >>> tree = secateur.TreeClassifier("cart").fit([["red"], ["blue"]], [1, 0])
        >>> tree.predict_log_proba([[None]]).round(3)
        array([[-0.693, -0.693]])
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, laplace=laplace, leaf_values=leaf_values))

    def predict_set(self, X: Any, level: float = 0.9) -> np.ndarray:
        """For each row and class whether the class belongs to the set of the row: sets that have the true class for at least
        this share of new rows (conformal prediction). They are never empty; ``tree.classes_[sets[0]]`` are the classes of the
        first row. Fits that choose by cross-validation keep what is needed, and so do ``fit(..., estimate="nested")`` and
        ``fit(..., calibrate=0.2)``, whose sets hold whatever the tree.

        >>> import secateur
        >>> X, y = secateur.load_builtin("iris")
        >>> tree = secateur.TreeClassifier(random_state=1).fit(X, y)
        >>> tree.predict_set(X[:2], 0.9)
        array([[ True, False, False],
               [ True, False, False]])
        """
        columns = self._rows(X)
        sets = self.model_.sets(columns, share("level", level), self._strict(), self._threads())
        ours = np.empty_like(sets)
        ours[:, self._order] = sets
        return ours

    def _predictions_of(self, nodes: dict[str, Any]) -> list[Any]:
        return self.classes_[self._order[nodes["label"]]].tolist()

    def _answer(self, label: int, value: float) -> Any:
        """The class of the model, as people gave it."""
        return self.classes_.tolist()[self._order[label]]

    @staticmethod
    def _wrong_at(nodes: dict[str, Any], node: int) -> float:
        """The weight of a node's training rows with another label than its own."""
        return nodes["weight"][node] - float(nodes["counts"][node][nodes["label"][node]])
