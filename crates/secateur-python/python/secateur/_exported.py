"""A fitted tree for other software."""

from __future__ import annotations

import contextlib
import json
import os
import warnings
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np
from sklearn.utils.validation import check_is_fitted

from . import _native
from ._check import text


#: Formats that are not text.
_BYTES = ("onnx", "treelite", "xlsx")


def _option(value: Any) -> str:
    """An option as the formats take it: ``True`` is ``yes``."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    return str(value)


class Exported:
    """The methods of an estimator that hand its tree to other software."""

    if TYPE_CHECKING:
        model_: _native.Model
        feature_names_in_: np.ndarray

    def export(
        self, format: str, path: Optional[Union[str, "os.PathLike[str]"]] = None, **options: Any
    ) -> Union[str, bytes, None]:
        """The tree in a format of other software: ``"sql"``, ``"onnx"``, ``"pmml"``, ``"c"`` and others, which the program lists with
        ``secateur export --list``. Options are those of the format.

        With a path it is written there, otherwise it is returned: bytes for formats that are not text. What a format cannot carry of the
        tree is a warning, or an error where it is too much.

        >>> import secateur
        >>> tree = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"])
        >>> print(tree.export("pmml")[:38])
        <?xml version="1.0" encoding="UTF-8"?>
        """
        check_is_fitted(self)
        given = [(name, _option(value)) for name, value in options.items()]
        written, notes = _native.export_model(self.model_, text("format", format), given)
        for note in notes:
            warnings.warn(note, UserWarning, 2)
        if path is None:
            return bytes(written) if format in _BYTES else bytes(written).decode()
        part = f"{os.fsdecode(path)}.part"
        try:
            with open(part, "wb") as file:
                file.write(written)
            os.replace(part, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.remove(part)
            raise
        return None

    def to_onnx(self, *, input: str = "columns", float32: bool = False) -> bytes:
        """The tree as an ONNX model, for ``onnxruntime.InferenceSession(tree.to_onnx())``.

        Labels, probabilities and leaves are those of the tree to the last bit, for rows with missing values too. There is one input of
        shape ``(rows, 1)`` for every column that the tree tests, numbers as float64 (NaN is missing) and text as strings; with
        ``input="matrix"`` it is one matrix of all columns. ``float32=True`` takes numbers in 32 bits.

        >>> import secateur
        >>> tree = secateur.TreeClassifier("cart").fit([[0.0], [1.0]], ["no", "yes"])
        >>> tree.to_onnx(input="matrix")[:4]
        b'\\x08\\t\\x12\\x08'
        """
        check_is_fitted(self)
        given = [("input", text("input", input)), ("float32", _option(float32))]
        return bytes(_native.export_model(self.model_, "onnx", given)[0])

    def _lists(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """The lists of the tree's nodes, and what the exported file defines."""
        written, notes = _native.export_model(self.model_, "sklearn", [])
        for note in notes:
            warnings.warn(note, UserWarning, 3)
        source = bytes(written).decode()
        defined: dict[str, Any] = {"__name__": "secateur.exported"}
        exec(compile(source, "<exported tree>", "exec"), defined)
        return defined["LISTS"], defined

    def to_sklearn(self) -> Any:
        """A fitted ``DecisionTreeClassifier`` or ``DecisionTreeRegressor`` with the same nodes, for SHAP, ``sklearn.inspection`` and whatever
        else takes trees of scikit-learn.

        Only splits of numbers can be carried; others are an error. scikit-learn rounds numbers to 32 bits and sends a missing value to one
        branch: the one the tree names, or the heavier one. Where rows were shared among the branches while the tree was grown, a warning says
        that predictions for missing values differ.

        >>> import secateur
        >>> X, y = secateur.load_builtin("iris")
        >>> tree = secateur.TreeClassifier().fit(X, y)
        >>> theirs = tree.to_sklearn()
        >>> bool((theirs.predict(X) == tree.predict(X)).all()), bool(theirs.get_n_leaves() == tree.get_n_leaves())
        (True, True)
        """
        check_is_fitted(self)
        lists, defined = self._lists()
        order = getattr(self, "_order", None)
        if order is not None:
            values = np.array(lists["value"]).reshape(-1, len(order))
            ours = np.empty_like(values)
            ours[:, order] = values
            lists["value"] = ours.ravel().tolist()
        model = defined["build"](lists)
        if order is not None:
            model.classes_ = np.array(getattr(self, "classes_"))
        if not hasattr(self, "feature_names_in_"):
            del model.feature_names_in_
        return model

    def to_shap(self) -> dict[str, Any]:
        """The dictionary that ``shap.TreeExplainer`` takes in place of a model, with thresholds in double precision. A missing value goes to
        one branch as in :meth:`to_sklearn`, with the same warning.

        >>> import secateur
        >>> tree = secateur.TreeRegressor("cart").fit([[0.0], [1.0]], [3.0, 5.0])
        >>> tree.to_shap()["trees"][0]["values"].tolist()
        [[4.0], [3.0], [5.0]]
        """
        check_is_fitted(self)
        written, notes = _native.export_model(self.model_, "shap", [])
        for note in notes:
            warnings.warn(note, UserWarning, 2)
        model: dict[str, Any] = json.loads(bytes(written))
        model["trees"] = [{name: np.array(values) for name, values in tree.items()} for tree in model["trees"]]
        order = getattr(self, "_order", None)
        if order is not None:
            for tree in model["trees"]:
                ours = np.empty_like(tree["values"])
                ours[:, order] = tree["values"]
                tree["values"] = ours
        return model
