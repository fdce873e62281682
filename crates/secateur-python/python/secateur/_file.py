"""Trees from tables in files, which may be larger than memory."""

from __future__ import annotations

import os
from typing import Any, Iterable, Optional, Union

from . import _native
from ._classifier import TreeClassifier
from ._common import listener_of, seed_of, threads_of
from ._regressor import TreeRegressor
from ._table import as_text
from ._warnings import told


def task_of(task: Optional[str]) -> Optional[bool]:
    """Whether numbers are to be predicted, if that is said."""
    if task not in (None, "classification", "regression"):
        raise ValueError(f"task: expected 'classification' or 'regression', got {task!r}")
    return None if task is None else task == "regression"


def costs_of(costs: Optional[dict[tuple[Any, Any], float]]) -> Optional[list[tuple[str, str, float]]]:
    """What mistakes cost, by the texts of labels."""
    if costs is None:
        return None
    return [(as_text(actual), as_text(said), float(cost)) for (actual, said), cost in costs.items()]


def estimator_of(model: _native.Model, found: dict[str, Any], **params: Any) -> Union[TreeClassifier, TreeRegressor]:
    """A fitted estimator with what its fit found out."""
    estimator: Union[TreeClassifier, TreeRegressor]
    estimator = TreeClassifier.from_model(model) if model.classes else TreeRegressor.from_model(model)
    estimator.set_params(**{name: value for name, value in params.items() if value is not None})
    estimator._keep(model, found)
    told(found["notes"], 3)
    return estimator


def fit_file(
    path: Union[str, os.PathLike[str]],
    target: Optional[str] = None,
    *,
    scheme: Optional[str] = None,
    task: Optional[str] = None,
    weights: Optional[str] = None,
    ignore: Iterable[str] = (),
    keep: Iterable[str] = (),
    costs: Optional[dict[tuple[Any, Any], float]] = None,
    memory: str = "2GB",
    scratch: Optional[Union[str, os.PathLike[str]]] = None,
    random_state: Any = None,
    n_jobs: Optional[int] = None,
    verbose: Any = False,
) -> Union[TreeClassifier, TreeRegressor]:
    """Fits a tree to a table in a file, as ``secateur fit FILE --memory`` does: a table that is larger than the memory is streamed.

    Parameters
    ----------
    path : Parquet, a folder of Parquet files, or CSV (plain or ``.gz``); what is smaller than the memory, also ARFF and JSON.
    target : the column to predict; without one the last.
    scheme : ``LEARNER:options/PRUNER:options``; without one that of :class:`TreeClassifier` or, streamed, CART pruned by cost-complexity on a tenth of the rows.
    task : ``"classification"`` or ``"regression"``, where the target leaves it open.
    weights, ignore, keep : the column of row weights; columns to leave out; columns to keep though they look like identifiers.
    costs : ``{(actual, predicted): cost}``.
    memory : such as ``"2GB"``.
    scratch : the folder where a streamed table is kept coded meanwhile; else the system's folder for temporary files.
    random_state, n_jobs, verbose : as of :class:`TreeClassifier`.

    Examples
    --------
    >>> import secateur, tempfile, os
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "small.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("x,y\\n" + "".join(f"{i % 50},{'high' if i % 50 > 20 else 'low'}\\n" for i in range(200)))
    ...     tree = secateur.fit_file(path, memory="64MB", scheme="cart")
    >>> tree.get_n_leaves(), tree.predict([[30]])[0]
    (2, 'high')
    """

    model, found = _native.fit_file(
        os.fspath(path),
        target,
        scheme=scheme,
        regression=task_of(task),
        weights=weights,
        ignored=list(ignore),
        kept=list(keep),
        costs=costs_of(costs),
        memory=memory,
        scratch=None if scratch is None else os.fspath(scratch),
        seed=seed_of(random_state),
        threads=threads_of(n_jobs),
        listener=listener_of(verbose),
    )
    return estimator_of(model, found, costs=costs, random_state=random_state, n_jobs=n_jobs, verbose=verbose)
