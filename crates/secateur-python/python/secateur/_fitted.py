"""What can be asked of a fitted tree."""

from __future__ import annotations

import copy
import os
from typing import TYPE_CHECKING, Any, Optional, Union, cast

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _native, _options, _table
from ._check import text
from ._common import frame, listener_of, seed_of
from ._explain import Explanation
from ._exported import Exported
from ._shown import Shown

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._estimator import Tree


class Fitted(Shown, Exported):
    """The methods of an estimator that look at its tree."""

    if TYPE_CHECKING:
        # What the rest of an estimator has.
        model_: _native.Model
        scheme_: str
        n_features_in_: int
        feature_names_in_: np.ndarray
        _regression: bool
        _path: Optional[dict[str, Any]]

        def __init__(self, scheme: Optional[str] = None) -> None: ...
        def set_params(self, **params: Any) -> Self: ...
        def _rows(self, X: Any, used: Optional[list[bool]] = None) -> Any: ...
        def _asked(self, X: Any) -> Any: ...
        def _strict(self) -> bool: ...
        def _keep(self, model: _native.Model, found: dict[str, Any]) -> None: ...
        def _adopt(self, model: _native.Model) -> None: ...
        def _predictions_of(self, nodes: dict[str, Any]) -> list[Any]: ...

    def apply(self, X: Any) -> np.ndarray:
        """The number of the leaf that gets each row, or most of it.

        >>> import secateur
        >>> secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"]).apply([[0.2], [0.9]])
        array([1, 2])
        """
        rows = self._asked(X)
        return self.model_.apply(rows, self._strict(), self._threads())

    def decision_path(self, X: Any) -> Any:
        """A sparse matrix with a 1 for every node that a row passes.

        A row with a missing value on its way passes several branches.

        >>> import secateur
        >>> tree = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"])
        >>> tree.decision_path([[0.2], [float("nan")]]).toarray()
        array([[1, 1, 0],
               [1, 1, 1]])
        """
        from scipy.sparse import csr_matrix

        columns = self._rows(X)
        begins, nodes, _ = self.model_.decision_path(columns, self._strict(), self._threads())
        ones = np.ones(len(nodes), dtype=np.int64)
        return csr_matrix((ones, nodes, begins), shape=(len(begins) - 1, self.model_.size[0]))

    def reliability(self, X: Any) -> Any:
        """How sure the tree is of each row, by the training rows alone: the expected error of its leaf (the error rate; of numbers
        the root of the mean squared error), the standard deviation of that, and both in one number, the 2-norm. For classes,
        the prior counts are the ``lambda`` and ``eta`` that ``k-norm`` pruned the tree with; other trees have the usual ones. For
        numbers, the formula is in ``docs/sets.md``.

        >>> import secateur
        >>> X, y = secateur.load_builtin("iris")
        >>> tree = secateur.TreeClassifier(random_state=1).fit(X, y)
        >>> tree.reliability(X[:1]).round(3)
           error     sd   norm
        0  0.026  0.022  0.034
        """
        columns = self._rows(X)
        error, sd, norm = self.model_.reliability(columns, self._strict(), self._threads())
        return frame({"error": error, "sd": sd, "norm": norm})

    def get_depth(self) -> int:
        """The number of splits on the longest way.

        >>> import secateur
        >>> secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"]).get_depth()
        1
        """
        check_is_fitted(self)
        return self.model_.size[2]

    def get_n_leaves(self) -> int:
        """The number of leaves.

        >>> import secateur
        >>> secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"]).get_n_leaves()
        2
        """
        check_is_fitted(self)
        return self.model_.size[1]

    @property
    def feature_importances_(self) -> np.ndarray:
        """Feature importance: the share of the total gain of each column, gains weighted by the rows that they divide.

        >>> import secateur
        >>> secateur.TreeClassifier("cart").fit([[0.0, 5.0], [1.0, 5.0]], ["no", "yes"]).feature_importances_
        array([1., 0.])
        """
        check_is_fitted(self)
        return np.asarray(self.model_.importances(), dtype=np.float64)

    def path(
        self,
        pruning: Optional[str] = None,
        X: Any = None,
        y: Any = None,
        *,
        cv: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> Any:
        """All the sizes a pruning can cut the tree to: parameter, leaves, nodes and errors, one row each.

        Without ``pruning`` it is the path that ``fit`` chose from, or the fitted tree cut by cost-complexity where it chose from none (the
        default of classes does not). With one, the members are cut from the fitted
        tree as it stands; fit with ``scheme="cart"`` to have the full tree. With ``X`` and ``y`` a tree is grown anew by
        the learner, the costs and the class weights of this estimator, and the members are validated with ``cv``: a
        number of folds, a splitter (with ``groups``), or splits. The estimator stays as it is.

        >>> import secateur
        >>> X, y = secateur.load_builtin("iris")
        >>> secateur.TreeClassifier("cart").fit(X, y).path("cost-complexity")["leaves"].tolist()
        [9, 7, 4, 3, 2, 1]
        """
        check_is_fitted(self)
        if pruning is not None:
            text("pruning", pruning)
        if X is not None:
            found = self._grown_path(pruning or "cost-complexity", X, y, cv, sample_weight, groups)
        elif y is not None or cv is not None or sample_weight is not None or groups is not None:
            raise ValueError("X: y, cv, sample_weight and groups are for a path of a tree that is grown anew; give X, too")
        elif pruning is not None or self._path is None:
            found = self.model_.path(pruning or "cost-complexity")
        else:
            found = self._path
        selected = found["selected"]
        columns = {name: values for name, values in found.items() if name not in ("name", "selected")}
        if selected is not None:
            columns["selected"] = [place == selected for place in range(len(columns["leaves"]))]
        return frame(columns)

    def _grown_path(
        self, pruning: str, X: Any, y: Any, cv: Any, sample_weight: Any, groups: Any
    ) -> dict[str, Any]:
        lesson = self._lesson(X, y, sample_weight)
        count, folds = self._folds(cv, lesson, groups)
        # Folds of the leaf values' own have no place beside those of a path.
        learner = _options.without(self.scheme_.partition("/")[0], {"leaf_cv"})
        return _native.path_of(
            lesson.columns,
            lesson.target,
            f"{learner}/{pruning}",
            cv=count,
            weights=lesson.weights,
            costs=lesson.costs,
            folds=folds,
            groups=_table.groups_of(groups, lesson.rows),
            seed=seed_of(self.random_state),
            threads=self._threads(),
            listener=listener_of(self.verbose),
        )

    def cost_complexity_path(
        self, X: Any = None, y: Any = None, *, sample_weight: Any = None, cv: Any = None, groups: Any = None
    ) -> Any:
        """The cost-complexity path: :meth:`path` with that pruning.

        ``parameter`` is the α of Breiman et al. in the unit of ``training_error``: the share of wrong weight, or the mean
        squared error. scikit-learn's ``ccp_alphas`` are in the unit of its criterion. For numbers with ``squared_error`` both are
        the same; for classes they are not, since there the Gini impurity is what a leaf costs and here the error rate is.

        >>> import secateur
        >>> X, y = secateur.load_builtin("iris")
        >>> secateur.TreeClassifier("cart").fit(X, y).cost_complexity_path()["leaves"].tolist()
        [9, 7, 4, 3, 2, 1]
        """
        return self.path("cost-complexity", X, y, sample_weight=sample_weight, cv=cv, groups=groups)

    def prune(self, pruning: str) -> Self:
        """A new estimator with the fitted tree cut back, without looking at the rows again.

        The tree is cut from what it is now; fit with ``scheme="cart"`` to cut from the full tree.

        >>> import secateur
        >>> X, y = secateur.load_builtin("iris")
        >>> full = secateur.TreeClassifier("cart").fit(X, y)
        >>> full.get_n_leaves(), full.prune("mdl").get_n_leaves()
        (9, 3)
        """
        check_is_fitted(self)
        text("pruning", pruning)
        pruned = copy.copy(self)
        pruned.set_params(scheme=None, learner=None, pruning=None)
        pruned._keep(self.model_.prune(pruning), {})
        pruned.set_params(
            scheme=pruned.scheme_, cv=None, **dict.fromkeys((*_options.LEARNING, *_options.PRUNING))
        )
        return pruned

    def to_frame(self) -> Any:
        """The nodes as a data frame, one row each, in the order of the model file.

        >>> import secateur
        >>> tree = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"])
        >>> tree.to_frame()[["parent", "test", "rows", "prediction"]]
           parent       test  rows prediction
        0      -1                2         no
        1       0  x0 < 0.5     1         no
        2       0  x0 ≥ 0.5     1        yes
        """
        check_is_fitted(self)
        nodes = self.model_.nodes()
        columns: dict[str, Any] = {
            "parent": [-1 if parent is None else parent for parent in nodes["parent"]],
            "depth": nodes["depth"],
            "test": nodes["branch"],
            "leaf": nodes["leaf"],
            "splits_on": nodes["attribute"],
            "rows": nodes["rows"],
            "weight": nodes["weight"],
            "gain": nodes["gain"],
            "error": nodes["error"],
        }
        columns["prediction"] = self._predictions_of(nodes)
        for name in ("expected_error", "expected_error_sd"):
            if name in nodes:
                columns[name] = nodes[name]
        return frame(columns)

    def explain(self, row: Any) -> Explanation:
        """Why the tree says what it says of one row: a list, a dictionary, a row of a data frame.

        >>> import secateur
        >>> tree = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"])
        >>> print(tree.explain([0.2]))
        no, because
          x0 < 0.5  (it is 0.2)
        1 training row ended here, 0 of them with another answer
        yes with x0 ≥ 0.5
        """
        check_is_fitted(self)
        return Explanation._of(cast("Tree", self), row)

    def plot_path(self, pruning: Optional[str] = None, X: Any = None, y: Any = None, *, ax: Any = None, cv: Any = None) -> Any:
        """Draws a path, as :meth:`path` gives it: error against leaves; gives the axes.

        >>> import matplotlib; matplotlib.use("agg")
        >>> import secateur
        >>> X, y = secateur.load_builtin("iris")
        >>> tree = secateur.TreeClassifier("cart/cost-complexity:cv=5,1se").fit(X, y)
        >>> tree.plot_path().get_xlabel()
        'leaves'
        """
        from ._plot import draw_path

        return draw_path(cast("Tree", self), self.path(pruning, X, y, cv=cv), ax)

    def save(self, path: Union[str, "os.PathLike[str]"], *, data: Optional[str] = None) -> None:
        """Writes the model file of the program; ``data`` is the name of the table that is noted in it.

        >>> import os, secateur, tempfile
        >>> tree = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tree.save(os.path.join(folder, "tree.json"))
        ...     again = secateur.TreeClassifier.load(os.path.join(folder, "tree.json"))
        >>> again.predict([[0.9]])
        array(['yes'], dtype=object)
        """
        check_is_fitted(self)
        model = self.model_ if data is None else self.model_.with_data(text("data", data))
        model.save(os.fspath(path))

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> Self:
        """Reads a model file, one of this package or of the program.

        The labels of a classifier have the type they had: whole numbers, numbers, booleans or text (and all others are text).

        >>> import os, secateur, tempfile
        >>> tree = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], [7, 8])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tree.save(os.path.join(folder, "tree.json"))
        ...     secateur.TreeClassifier.load(os.path.join(folder, "tree.json")).classes_
        array([7, 8])
        """
        return cls.from_model(_native.Model.load(os.fspath(path)))

    @classmethod
    def from_model(cls, model: _native.Model) -> Self:
        """An estimator around a model.

        >>> import secateur
        >>> tree = secateur.TreeRegressor("cart").fit([[0.0], [1.0]], [3.0, 5.0])
        >>> secateur.TreeRegressor.from_model(tree.model_).predict([[0.9]])
        array([5.])
        """
        if not isinstance(model, _native.Model):
            raise TypeError(f"model: expected the model_ of an estimator, got {model!r}")
        if bool(model.classes) == cls._regression:
            kind = "numbers" if not model.classes else "classes"
            raise ValueError(f"this model predicts {kind}; {cls.__name__} is not for those")
        tree = cls(scheme=model.scheme)
        names = [name for name, _ in model.attributes]
        tree.n_features_in_ = len(names)
        if names != _table._own_names(len(names)):
            tree.feature_names_in_ = np.array(names, dtype=object)
        tree._keep(model, {})
        tree._adopt(model)
        return tree
