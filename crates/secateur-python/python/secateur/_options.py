"""A scheme from its parts: the text, or a learner and a pruning with options of their own."""

from __future__ import annotations

import re
from typing import Any, Optional

import numpy as np

from . import _native
from ._check import number, text, whole

#: Options of learners that are parameters of the estimators.
LEARNING = (
    "criterion", "max_depth", "max_leaves", "min_leaf", "min_split", "min_gain", "missing", "leaf_values", "leaf_m", "leaf_lambda",
)  # fmt: skip
#: Options of pruners that are parameters of the estimators.
PRUNING = ("alpha", "k", "cf", "m", "holdout", "se")


#: What the registry says of all options, by their names here.
OPTIONS = {option["name"].replace("-", "_"): option for methods in _native.methods() for method in methods for option in method["options"]}


def _written(name: str, value: Any) -> str:
    """The value of an option as text; only what the option can mean, so that a value cannot bring other options along."""
    kind = OPTIONS[name]["kind"]
    if kind == "word":
        if not all(c.isalnum() or c in "-_" for c in text(name, value)):
            *words, last = (repr(word) for word in OPTIONS[name]["words"])
            raise ValueError(f"{name}: expected {', '.join(words)} or {last}, got {value!r}")
        return str(value)
    if kind == "whole":
        return str(whole(name, value))
    return _native.number_as_text(number(name, value))


def _with(method: str, options: list[tuple[str, Any]]) -> str:
    """A method's text with more options."""
    given = [f"{name.replace('_', '-')}={_written(name, value)}" for name, value in options if value is not None]
    if not given:
        return method
    return method + ("," if ":" in method else ":") + ",".join(given)


def without(method: str, names: set[str]) -> str:
    """A method's text without some options."""
    name, _, options = method.partition(":")
    kept = [option for option in options.split(",") if option and option.partition("=")[0].replace("-", "_") not in names]
    return f"{name}:{','.join(kept)}" if kept else name


def _usual(
    learning: dict[str, Any], choosing: dict[str, Any], folds: Optional[int], rows: int, regression: bool
) -> tuple[str, Optional[str], Optional[int]]:
    """The program's own choice for this many rows, without what is chosen otherwise, and the folds that are left for the pruning."""
    given = {name for name, value in learning.items() if value is not None}
    of_leaves = {name for name in given if name.startswith("leaf_")}
    if of_leaves == {"leaf_lambda"}:
        given.add("leaf_cv")
    elif of_leaves and not (of_leaves == {"leaf_values"} and learning["leaf_values"] == "shrink"):
        given |= {"leaf_values", "leaf_m", "leaf_lambda", "leaf_cv"}

    def halves(text: str) -> tuple[str, Optional[str]]:
        learner, _, pruning = text.partition("/")
        return without(learner, given), pruning or None

    learner, pruning = halves(_native.default_scheme(regression, rows))
    if choosing.get("alpha") is not None:
        # Of errors, which is what this α has always been in the unit of.
        return learner, "cost-complexity", folds
    replaced = {"se"} if choosing.get("se") is not None else set()
    if folds is not None or choosing.get("holdout") is not None:
        replaced |= {"cv", "alpha"}
    return learner, without(pruning, replaced) if pruning else None, folds


def compose(
    scheme: Optional[str],
    learner: Optional[str],
    pruning: Optional[str],
    learning: dict[str, Any],
    choosing: dict[str, Any],
    folds: Optional[int],
    rows: int,
    regression: bool = False,
) -> str:
    """The text of a scheme.

    >>> compose(None, None, None, {}, {}, None, 100)
    'cart:value-guard,leaf-values=shrink/cost-complexity:cv=10,of=gini'
    >>> compose(None, None, None, {}, {"se": 1}, 5, 100)
    'cart:value-guard,leaf-values=shrink/cost-complexity:of=gini,se=1,cv=5'
    >>> compose("c45/error-based", None, None, {"min_leaf": 5}, {"cf": 0.1}, None, 100)
    'c45:min-leaf=5/error-based:cf=0.1'
    >>> compose(None, None, "k-norm", {}, {}, 5, 100)
    'cart/k-norm:cv=5'
    >>> compose("cart", None, None, {}, {"alpha": 0.01}, None, 100)
    'cart/cost-complexity:alpha=0.01'
    """
    for name, given in (("scheme", scheme), ("learner", learner), ("pruning", pruning)):
        if given is not None:
            text(name, given)
    for name, half in (("learner", learner), ("pruning", pruning)):
        if half is not None and "/" in half:
            raise ValueError(f"{name}: {half!r} is more than one half of a scheme; give it as scheme")
    if scheme is not None:
        if learner is not None or pruning is not None:
            raise ValueError("give either scheme or learner and pruning, not both")
        learner, _, cut = scheme.partition("/")
        pruning = cut if "/" in scheme else None
    if scheme is None and learner is None and pruning is None:
        learner, pruning, folds = _usual(learning, choosing, folds, rows, regression)
        if pruning is None and folds is None and all(value is None for value in choosing.values()):
            return _with(learner, list(learning.items()))
    choices = [*choosing.items(), ("cv", folds)]
    if pruning is None and any(value is not None for name, value in choices if name in ("alpha", "cv", "holdout", "se")):
        pruning = "cost-complexity"
    learner = _with(learner or "cart", list(learning.items()))
    if pruning is None:
        names = [name for name, value in choices if value is not None]
        if names:
            raise ValueError(f"{names[0]} is an option of a pruning, and none is named; add pruning=...")
        return learner
    return f"{learner}/{_with(pruning, choices)}"


def named(problem: ValueError, given: dict[str, Any]) -> ValueError:
    """A problem of a scheme, reported by the name of the parameter that it came from.

    >>> named(ValueError("learner cart: option min-leaf: '-1' is not a number of at least 0"), {"min_leaf": -1})
    ValueError("min_leaf: '-1' is not a number of at least 0")
    """
    found = re.match(r"(?:learner|pruner) \S+: option ([a-z-]+): ", str(problem))
    name = found[1].replace("-", "_") if found else ""
    name = "cv" if name == "leaf_cv" else name
    return ValueError(f"{name}: {str(problem)[found.end() :]}") if found and given.get(name) is not None else problem


def fold_of_rows(cv: Any, rows: int, y: Any, groups: Any = None, name: str = "cv") -> list[int]:
    """For every row the fold that leaves it out, from splits as scikit-learn makes them; -1 for a row that none does."""
    if isinstance(cv, (str, bytes)):
        raise TypeError(f"{name}: expected a number of folds, a splitter or splits, got {cv!r}")
    if hasattr(cv, "split"):
        splits = list(cv.split(np.zeros((rows, 1)), y, groups))
    elif groups is not None:
        raise ValueError(f"groups: {name} is a list of splits, which has no use for them")
    else:
        try:
            splits = list(cv)
        except TypeError:
            raise TypeError(f"{name}: expected a number of folds, a splitter or splits, got {cv!r}") from None
    folds = np.full(rows, -1, dtype=np.int64)
    for number, split in enumerate(splits):
        try:
            train, test = split
        except (TypeError, ValueError):
            raise ValueError(f"{name}: expected pairs of training and test rows") from None
        train, test = _places(name, train, rows), _places(name, test, rows)
        others = np.ones(rows, dtype=bool)
        others[test] = False
        if not np.array_equal(np.unique(train), np.flatnonzero(others)):
            raise ValueError(f"{name}: a split does not train on all rows that it does not test; expected folds such as KFold makes")
        if (folds[test] != -1).any() or len(np.unique(test)) < len(test):
            raise ValueError(f"{name}: a row is tested twice; expected splits that test every row at most once")
        folds[test] = number
    if not splits:
        raise ValueError(f"{name}: there are no splits")
    return folds.tolist()


def _places(name: str, given: Any, rows: int) -> np.ndarray:
    """Numbers of rows; a mask gives those it marks."""
    places = np.asarray(given)
    if places.dtype == bool and places.shape == (rows,):
        places = np.flatnonzero(places)
    if places.ndim != 1 or places.dtype.kind not in "iu" and len(places):
        raise TypeError(f"{name}: expected numbers of rows, got {given!r}")
    places = places.astype(np.int64)
    if len(places) and (places.min() < -rows or places.max() >= rows):
        raise ValueError(f"{name}: a split names row {places.max()}, and there are {rows} rows")
    return np.where(places < 0, places + rows, places)
