"""How a fitted tree is shown: rules, text, Graphviz, the explorer page, a drawing, and what a notebook gets."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Optional, cast

from sklearn.utils.validation import check_is_fitted

from . import _native, _table
from ._check import optional_whole, text, whole
from ._common import listener_of, seed_of

if TYPE_CHECKING:
    from ._estimator import Tree

#: A notebook holds the page behind a link while it has at most this many characters.
LARGEST_LINK = 400_000

#: The lines of a tree that a notebook gets as text, and the leaves that it draws: with more of them the root is out of sight.
_LINES, _LEAVES = 60, 20


class Shown:
    """The methods of an estimator that show its tree."""

    if TYPE_CHECKING:
        # What the rest of an estimator has.
        model_: _native.Model
        cv: Any
        random_state: Any
        verbose: Any

        def _threads(self) -> int: ...
        def _lesson(self, X: Any, y: Any, sample_weight: Any) -> Any: ...
        def _folds(self, cv: Any, lesson: Any, groups: Any) -> tuple[Optional[int], Optional[list[int]]]: ...

    def rules(self, *, order: str = "tree", width: int = 80) -> str:
        """One rule per leaf, with the rows behind it and the error to expect.

        >>> import secateur
        >>> tree = secateur.TreeRegressor("cart").fit([[0.0], [1.0]], [3.0, 5.0])
        >>> print(tree.rules())
        1. IF x0 < 0.5 THEN 3 ± 0  (1 row, 50 %)
        2. IF x0 ≥ 0.5 THEN 5 ± 0  (1 row, 50 %)
        """
        check_is_fitted(self)
        width = whole("width", width, 1)
        if order not in ("tree", "coverage"):
            raise ValueError(f"order: expected 'tree' or 'coverage', got {order!r}")
        return self.model_.rules(width=width, by_coverage=order == "coverage").rstrip("\n")

    def to_text(self, *, max_depth: Optional[int] = None, width: int = 80) -> str:
        """The tree as indented text, a line per branch.

        >>> import secateur
        >>> tree = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"])
        >>> print(tree.to_text())
        target: no, yes
        3 nodes, 2 leaves, depth 1, training error 0 % (0 of 2)
        <BLANKLINE>
        ├─ x0 < 0.5 → no  (1)
        └─ x0 ≥ 0.5 → yes  (1)
        """
        check_is_fitted(self)
        width, max_depth = whole("width", width, 1), optional_whole("max_depth", max_depth)
        return self.model_.text(width=width, max_depth=max_depth).rstrip("\n")

    def to_dot(self, *, max_depth: Optional[int] = None) -> str:
        """The tree in the language of Graphviz.

        >>> import secateur
        >>> secateur.TreeRegressor("cart").fit([[0.0], [1.0]], [3.0, 5.0]).to_dot()[:14]
        'digraph tree {'
        """
        check_is_fitted(self)
        return self.model_.dot(max_depth=optional_whole("max_depth", max_depth))

    def to_html(
        self,
        X: Any = None,
        y: Any = None,
        *,
        title: str = "",
        cv: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
    ) -> str:
        """The explorer page: one HTML file that works offline, with every pruning of the tree under a slider.

        With the ``X`` and ``y`` (and ``sample_weight``, ``groups``) that the tree was fitted with, the page also has validated errors
        (by the folds of the scheme, or else by ``cv``), runner-up splits and a summary of the data; the tree is grown
        again for that.

        >>> import secateur
        >>> X, y = secateur.load_builtin("iris")
        >>> tree = secateur.TreeClassifier("cart/cost-complexity:cv=5").fit(X, y)
        >>> tree.to_html()[:15]
        '<!doctype html>'
        >>> "5-fold cross-validation" in tree.to_html(X, y)
        True
        """
        check_is_fitted(self)
        text("title", title)
        if X is None:
            if y is not None or cv is not None or sample_weight is not None or groups is not None:
                raise ValueError("X: y, cv, sample_weight and groups go with the rows that the tree was fitted with; give X, too")
            return self.model_.page(title, 'tree.prune("{}")')
        lesson = self._lesson(X, y, sample_weight)
        count, folds = self._folds(self.cv if cv is None else cv, lesson, groups)
        costs = "" if lesson.costs is None else ", costs=costs"
        return _native.page_of(
            self.model_,
            lesson.columns,
            lesson.target,
            title=title,
            recipe=f'secateur.{type(self).__name__}("{{}}"{costs}).fit(X, y)',
            cv=count or 0,
            weights=lesson.weights,
            costs=lesson.costs,
            folds=folds,
            groups=_table.groups_of(groups, lesson.rows),
            seed=seed_of(self.random_state),
            threads=self._threads(),
            listener=listener_of(self.verbose),
        )

    def plot(self, ax: Any = None, *, max_depth: Optional[int] = None, max_leaves: Optional[int] = None) -> Any:
        """Draws the tree with matplotlib; gives the axes.

        Without ``ax`` a figure is made that is large enough; on axes of your own the drawing and its texts are made to fit. A
        large tree is drawn down to ``max_depth``, or its heaviest nodes with ``max_leaves`` leaves (80).

        >>> import matplotlib; matplotlib.use("agg")
        >>> import secateur
        >>> tree = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"])
        >>> [text.get_text() for text in tree.plot().texts if "0.5" in text.get_text()]
        ['< 0.5', '≥ 0.5']
        """
        from ._plot import draw

        check_is_fitted(self)
        return draw(cast("Tree", self), ax, max_depth, max_leaves)

    def __str__(self) -> str:
        return self.to_text(max_depth=None) if hasattr(self, "model_") else repr(self)

    # Notebooks show the tree once there is one: its picture, which is still.

    def _picture(self) -> str:
        svg, is_whole = self.model_.svg(max_leaves=_LEAVES)
        hint = "" if is_whole else "Only the heaviest nodes are drawn; <code>plot()</code> draws more. "
        page = self.to_html()
        whole = "<code>to_html()</code> has the whole tree, with every pruning of it."
        if len(page) <= LARGEST_LINK:
            address = base64.b64encode(page.encode()).decode()
            whole = f'<a download="tree.html" href="data:text/html;base64,{address}">The whole tree, with every pruning of it</a> (also <code>to_html()</code>)'
        return (
            '<div style="max-width:100%;overflow:auto;background:#fff">' + svg + "</div>"
            f"<p><small>{hint}{whole}</small></p>"
        )

    def _short_text(self) -> str:
        """The text of a notebook: of a large tree the upper part."""
        return self.model_.text(max_lines=_LINES, hint="to_text() has them all").rstrip("\n")

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        if hasattr(self, "model_"):
            return {"text/plain": self._short_text(), "text/html": self._picture()}
        return super()._repr_mimebundle_(**kwargs)  # type: ignore[misc]

    @property
    def _repr_html_(self) -> Any:
        if hasattr(self, "model_"):
            return self._picture
        return super()._repr_html_  # type: ignore[misc]
