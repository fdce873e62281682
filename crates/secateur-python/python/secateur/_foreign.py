"""Trees of other programs, to be read, judged and pruned here."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, Callable, Optional, Union

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _native, _table
from ._classifier import TreeClassifier
from ._regressor import TreeRegressor

#: A node on its way into a model: its split (``None`` at a leaf), the children, and what it knows of the target.
Node = tuple[Optional[dict[str, Any]], list[Any], dict[str, Any]]


def _model(head: dict[str, Any], root: Any, node_of: Callable[[Any], Node]) -> _native.Model:
    """A model from nodes of any kind, put into the order of the model file: every split appends its children."""
    nodes: list[dict[str, Any]] = []
    waiting: list[tuple[Any, Optional[int]]] = [(root, None)]
    place = 0
    rank = 0
    while place < len(waiting):
        name, parent = waiting[place]
        split, children, known = node_of(name)
        node: dict[str, Any] = {"parent": parent}
        if split is not None:
            node["split"], node["first_child"], node["rank"] = split, len(waiting), rank
            waiting.extend((child, place) for child in children)
            rank += 1
        node.update(known)
        nodes.append(node)
        place += 1
    text = json.dumps({"format": "secateur-model", "version": 2, **head, "nodes": nodes})
    return _native.Model.from_json(text.encode(), "the tree")


def _below(threshold: float) -> float:
    """The number that exactly the values go below which scikit-learn sends to the left.

    It rounds a value to 32 bits and compares it with ``<=``; the border is half-way to the next 32-bit number.
    """
    low = np.float32(threshold)
    if np.float64(low) > threshold:
        low = np.nextafter(low, np.float32(-np.inf))
    high = np.nextafter(low, np.float32(np.inf))
    border = (float(low) + float(high)) / 2
    # A value half-way is rounded to the neighbour whose last bit is 0.
    even = int(low.view(np.uint32)) % 2 == 0
    return float(np.nextafter(border, np.inf)) if even else border


def from_sklearn(tree: Any, *, missing: bool = True) -> Union[TreeClassifier, TreeRegressor]:
    """The tree of a fitted ``DecisionTreeClassifier`` or ``DecisionTreeRegressor``, with the same predictions.

    That holds for rows with missing values, too: every split says to which branch they go (``tree_.missing_go_to_left``). Where none were
    seen scikit-learn sends them to the larger branch. With ``missing=False`` the splits say nothing of that, and missing values go down
    both branches in proportion to their weights; splits of known values from missing ones stay what they are.

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import secateur
    >>> X, y = load_iris(return_X_y=True)
    >>> theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    >>> ours = secateur.from_sklearn(theirs)
    >>> bool((ours.predict(X) == theirs.predict(X)).all()), ours.prune("mdl").get_n_leaves()
    (True, 3)
    """
    check_is_fitted(tree)
    inner = getattr(tree, "tree_", None)
    if inner is None:
        raise TypeError(f"expected a fitted decision tree of scikit-learn, got {type(tree).__name__}")
    if tree.n_outputs_ != 1:
        raise ValueError("a tree with several outputs cannot be taken over; expected one")
    classes = getattr(tree, "classes_", None)
    if classes is None and tree.criterion not in ("squared_error", "friedman_mse"):
        raise ValueError(f"criterion={tree.criterion!r} keeps no squared errors; expected 'squared_error'")
    # scikit-learn knows missing values from 1.3 on.
    to_left = getattr(inner, "missing_go_to_left", None) if missing else None
    named = getattr(tree, "feature_names_in_", None)
    names = _table._own_names(tree.n_features_in_) if named is None else [str(name) for name in named]
    target = _table.name_of(None, names)

    def node_of(i: int) -> Node:
        weight = float(inner.weighted_n_node_samples[i])
        known: dict[str, Any] = {"rows": int(inner.n_node_samples[i]), "weight": weight}
        values = inner.value[i, 0]
        if classes is not None:
            known["counts"] = (values / values.sum() * weight).tolist()
        else:
            known["mean"], known["mse"] = float(values[0]), max(float(inner.impurity[i]), 0.0)
        left, right = int(inner.children_left[i]), int(inner.children_right[i])
        if left < 0:
            return None, [], known
        parts = inner.weighted_n_node_samples
        known["gain"] = float(
            inner.impurity[i] - (parts[left] * inner.impurity[left] + parts[right] * inner.impurity[right]) / weight
        )
        split: dict[str, Any] = {"attribute": names[int(inner.feature[i])]}
        if np.isinf(inner.threshold[i]):
            # All known values are on one side.
            return {**split, "known": True}, [left, right] if inner.threshold[i] > 0 else [right, left], known
        split["less_than"] = _below(float(inner.threshold[i]))
        if to_left is not None:
            split["missing"] = "left" if to_left[i] else "right"
        return split, [left, right], known

    head: dict[str, Any] = {
        "scheme": "cart",
        "made_by": f"scikit-learn {type(tree).__name__}",
        "rows": int(inner.n_node_samples[0]),
        "full": {"nodes": int(inner.node_count), "leaves": int(inner.n_leaves), "depth": int(inner.max_depth)},
        "attributes": [{"name": name, "type": "numeric"} for name in names],
    }
    if classes is None:
        head["target"] = {"type": "number", "name": target}
        ours: Any = TreeRegressor.from_model(_model(head, 0, node_of))
    else:
        texts = [_table.as_text(label) for label in classes]
        head["target"] = {"type": "classes", "name": target, "classes": texts}
        head["labels"] = _table.kind_of_labels(np.asarray(classes))
        ours = TreeClassifier.from_model(_model(head, 0, node_of))
        ours.classes_, ours._order = np.asarray(classes), np.arange(len(classes))
    if named is None and hasattr(ours, "feature_names_in_"):
        del ours.feature_names_in_
    return ours


def from_rpart(text: Union[str, bytes]) -> Union[TreeClassifier, TreeRegressor]:
    """A tree of R's rpart, from JSON that R writes with::

        library(jsonlite)
        toJSON(list(
          method = fit$method, target = as.character(fit$terms[[2]]),
          variables = attr(fit$terms, "term.labels"),
          frame = cbind(node = as.integer(row.names(fit$frame)), fit$frame),
          splits = cbind(data.frame(var = rownames(fit$splits)), fit$splits), csplit = fit$csplit,
          xlevels = attr(fit, "xlevels"), ylevels = attr(fit, "ylevels")), digits = NA)

    Surrogate splits are not taken over: a missing value goes down both branches in proportion.

    >>> import pandas as pd, secateur
    >>> tree = secateur.from_rpart('''{"method": ["class"], "target": ["y"], "variables": ["x"], "frame": [
    ...   {"node": 1, "var": "x", "n": 4, "wt": 4, "dev": 2, "ncompete": 0, "nsurrogate": 0, "yval2": [1, 2, 2, 0.5, 0.5, 1]},
    ...   {"node": 2, "var": "<leaf>", "n": 2, "wt": 2, "dev": 0, "ncompete": 0, "nsurrogate": 0, "yval2": [1, 2, 0, 1, 0, 0.5]},
    ...   {"node": 3, "var": "<leaf>", "n": 2, "wt": 2, "dev": 0, "ncompete": 0, "nsurrogate": 0, "yval2": [2, 0, 2, 0, 1, 0.5]}],
    ...   "splits": [{"var": "x", "count": 4, "ncat": -1, "improve": 2, "index": 2.5, "adj": 0}],
    ...   "ylevels": ["no", "yes"]}''')
    >>> tree.predict(pd.DataFrame({"x": [1.0, 2.5]}))
    array(['no', 'yes'], dtype=object)
    """
    try:
        given = json.loads(text)
        frame, splits = given["frame"], given.get("splits") or []
        method = _single(given["method"])
    except (ValueError, KeyError, TypeError) as problem:
        raise ValueError(f"this is not the JSON of an rpart tree: {problem!r}; see help(secateur.from_rpart)") from None
    if method not in ("class", "anova"):
        raise ValueError(f"trees of method '{method}' cannot be taken over; expected 'class' or 'anova'")
    xlevels = given.get("xlevels") or {}
    if not isinstance(xlevels, dict):
        xlevels = {}
    used = [row["var"] for row in frame if row["var"] != "<leaf>"]
    variables = _several(given.get("variables")) or list(dict.fromkeys([*used, *xlevels]))
    rows = {int(row["node"]): row for row in frame}
    # The first of a node's splits is the one in use; competitors and surrogates follow it.
    first, at = {}, 0
    for row in frame:
        if row["var"] != "<leaf>":
            first[int(row["node"])] = at
            at += 1 + int(row["ncompete"]) + int(row["nsurrogate"])
    levels = _several(given.get("ylevels"))

    def node_of(number: int) -> Node:
        row = rows[number]
        weight = float(row["wt"])
        known: dict[str, Any] = {"rows": int(row["n"]), "weight": weight}
        if method == "class":
            counts = [float(x) for x in row["yval2"][1 : 1 + len(levels)]]
            known["counts"] = [x * weight / sum(counts) for x in counts]
        else:
            known["mean"], known["mse"] = float(row["yval"]), max(float(row["dev"]) / weight, 0.0)
        if row["var"] == "<leaf>":
            return None, [], known
        split = splits[first[number]]
        # Gains here are those of a row.
        known["gain"] = max(float(split["improve"]), 0.0) / (weight if method == "class" else 1.0)
        children = [2 * number, 2 * number + 1]
        if abs(int(split["ncat"])) == 1:
            if int(split["ncat"]) == 1:
                children.reverse()
            return {"attribute": row["var"], "less_than": float(split["index"])}, children, known
        sides = given["csplit"][int(split["index"]) - 1]
        named = list(zip(xlevels[row["var"]], sides))
        parts = {side: [name for name, s in named if s == side] for side in (1, 3)}
        return {"attribute": row["var"], "left": parts[1], "right": parts[3]}, children, known

    head: dict[str, Any] = {
        "scheme": "cart",
        "made_by": "rpart",
        "rows": int(rows[1]["n"]),
        "attributes": [
            {"name": name, "type": "nominal", "values": _several(xlevels[name])}
            if name in xlevels
            else {"name": name, "type": "numeric"}
            for name in variables
        ],
    }
    target = _single(given.get("target") or "target")
    if method == "class":
        head["target"] = {"type": "classes", "name": target, "classes": levels}
    else:
        head["target"] = {"type": "number", "name": target}
    try:
        model = _model(head, 1, node_of)
    except (KeyError, IndexError) as problem:
        raise ValueError(f"the rpart tree is not complete: {problem!r}") from None
    return TreeClassifier.from_model(model) if method == "class" else TreeRegressor.from_model(model)


def import_tree(
    path: Union[str, "os.PathLike[str]"], *, form: Optional[str] = None, target: Optional[str] = None
) -> Union[TreeClassifier, TreeRegressor]:
    """A tree that another program has written to a file: PMML, Weka's printed J48 and SimpleCart, LightGBM, XGBoost, and others that
    ``secateur import --list`` lists.

    What the file does not say is a warning. A tree without the counts of training rows predicts, but cannot be pruned.

    >>> import os, secateur, tempfile
    >>> text = "J48 pruned tree\\n------------------\\n\\nx <= 2.5: no (4.0/1.0)\\nx > 2.5: yes (3.0)\\n"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "j48.txt")
    ...     print(text, file=open(path, "w"))
    ...     import warnings
    ...     with warnings.catch_warnings(record=True) as told:
    ...         tree = secateur.import_tree(path)
    >>> tree.predict([[1.0], [3.0]])
    array(['no', 'yes'], dtype=object)
    """
    name = os.fspath(path)
    with open(name, encoding="utf-8") as file:
        return _imported(file.read(), name, form, target)


def _imported(
    text: str, name: str, form: Optional[str], target: Optional[str] = None
) -> Union[TreeClassifier, TreeRegressor]:
    model, notes = _native.import_model(text, name, form, target)
    for note in notes:
        warnings.warn(note, UserWarning, 3)
    return TreeClassifier.from_model(model) if model.classes else TreeRegressor.from_model(model)


def from_ydf(model: Any) -> Union[TreeClassifier, TreeRegressor]:
    """The tree of a model of ydf that has one, such as those of ``ydf.CartLearner``, with the same predictions.

    ydf keeps numbers in 32 bits; every split says where missing values go.

    >>> import ydf  # doctest: +SKIP
    >>> model = ydf.CartLearner(label="class").train(table)  # doctest: +SKIP
    >>> tree = secateur.from_ydf(model)  # doctest: +SKIP
    """
    return _imported(ydf_json(model), "the model of ydf", "ydf")


def ydf_json(model: Any) -> str:
    """The tree of a model of ydf as JSON, which ``secateur import`` reads as well."""
    trees = model.get_all_trees()
    if len(trees) != 1:
        raise ValueError(f"the model has {len(trees)} trees; expected one, as ydf.CartLearner grows it")
    spec = model.data_spec()
    classes = list(model.label_classes()) if model.task().name == "CLASSIFICATION" else []
    used = model.input_features()
    place = {feature.column_idx: at for at, feature in enumerate(used)}
    columns, values_of = [], {}
    for feature in used:
        column = spec.columns[feature.column_idx]
        kind = feature.semantic.name
        if kind == "CATEGORICAL":
            listed = column.categorical.items
            values = sorted(listed, key=lambda name: listed[name].index)
            values_of[feature.column_idx] = values
            # The first stands for values that are not in the list.
            columns.append({"name": feature.name, "values": values[1:]})
        elif kind == "BOOLEAN":
            columns.append({"name": feature.name, "values": ["false", "true"]})
        elif kind in ("NUMERICAL", "DISCRETIZED_NUMERICAL"):
            columns.append({"name": feature.name, "values": None})
        else:
            raise ValueError(f"columns of kind {kind} ({feature.name!r}) cannot be taken over")
    nodes: list[dict[str, Any]] = []
    waiting: list[Any] = [trees[0].root]
    while len(nodes) < len(waiting):
        node = waiting[len(nodes)]
        said = node.value
        told: dict[str, Any] = {"weight": 0.0, "value": []}
        if said is not None:
            told["weight"] = float(getattr(said, "num_examples", 0.0))
            told["value"] = [float(p) for p in said.probability] if classes else [float(said.value)]
            if not classes and getattr(said, "standard_deviation", None) is not None:
                told["sd"] = float(said.standard_deviation)
        condition = getattr(node, "condition", None)
        if condition is not None:
            kind = type(condition).__name__
            told.update(column=place[condition.attribute], missing=bool(condition.missing), positive=len(waiting), negative=len(waiting) + 1)
            if kind == "NumericalHigherThanCondition":
                told["at_least"] = float(np.float32(condition.threshold))
            elif kind == "CategoricalIsInCondition":
                told["among"] = [values_of[condition.attribute][code] for code in condition.mask if code > 0]
            elif kind == "IsTrueCondition":
                told["among"] = ["true"]
            else:
                raise ValueError(f"conditions of kind {kind} cannot be taken over")
            waiting += [node.pos_child, node.neg_child]
        nodes.append(told)
    return json.dumps(
        {"format": "ydf-tree", "label": model.label(), "classes": classes, "columns": columns, "nodes": nodes}
    )


def _single(value: Any) -> Any:
    """R writes a single value as a list of one."""
    return value[0] if isinstance(value, list) else value


def _several(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
