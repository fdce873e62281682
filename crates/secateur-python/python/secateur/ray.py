"""Trees from Ray data sets: tasks count, the driver grows.

>>> import secateur.ray  # doctest: +SKIP
>>> tree = secateur.ray.fit(ds, target="class")  # doctest: +SKIP
>>> secateur.ray.predict(tree, ds).show()  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any, Iterable, Optional, Union

from . import _cluster
from ._classifier import TreeClassifier
from ._regressor import TreeRegressor
from ._shards import Add, Piece, as_table, pieces_of

#: This many answers are added up at a time.
_FAN = 8
#: In how many blocks rows are is not known before they are read: many.
_MANY = 1 << 10


class _Mapped:
    """Work on a block of rows, as Ray calls it."""

    def __init__(self, work: Any):
        self.work = work

    def __call__(self, table: Any) -> Any:
        # The number of a block is not known, and not needed: answers add up in any order.
        return as_table(self.work(0, table.to_batches()))


def _answered(work: Any, table: Any) -> Any:
    return as_table(work(0, table.to_batches()))


def _parted(table: Any, count: int) -> Any:
    """The pieces of an answer in this many parts, by their numbers: what is sent at a time."""
    if count == 1:
        return table
    pieces = list(pieces_of(table.to_batches()))
    return [as_table(piece for piece in pieces if piece[0] % count == which) for which in range(count)]


def _added(add: Add, *tables: Any) -> Any:
    return as_table(add(piece for table in tables for piece in pieces_of(table.to_batches())))


def _total(table: Any) -> int:
    return int(sum(table.column("number").to_pylist()))


class _Engine:
    """A Ray data set. Rows are read by Ray's own plan, each time they are looked at; pieces are references to tables, each made by a task."""

    def __init__(self, ds: Any):
        self.rows = ds
        self.partitions = _MANY

    def sample(self, count: int) -> Any:
        return self.rows.take_batch(count, batch_format="pyarrow")

    def count(self) -> int:
        return int(self.rows.count())

    def map(self, rows: Any, work: Any, columns: Optional[list[str]] = None) -> Any:
        import ray

        if isinstance(rows, list):
            run, sent = ray.remote(_answered), ray.put(work)
            return [run.remote(sent, part) for part in rows]
        if columns is not None:
            rows = rows.select_columns(columns)
        return rows.map_batches(_Mapped(work), batch_format="pyarrow", batch_size=None, zero_copy_batch=True).to_arrow_refs()

    def keep(self, mapped: Any) -> tuple[Any, int]:
        import ray

        total = ray.remote(_total)
        rows = sum(ray.get([total.remote(part) for part in mapped]))
        self.partitions = len(mapped)
        return mapped, rows

    def drop(self, kept: Any) -> None:
        kept.clear()

    def collect(self, mapped: Any) -> Iterable[Piece]:
        import ray

        return (piece for part in mapped for piece in pieces_of(ray.get(part).to_batches()))

    def add_up(self, mapped: Any, add: Add, pieces: int) -> Iterable[Piece]:
        import ray

        run, sent = ray.remote(_added), ray.put(add)
        split = ray.remote(_parted).options(num_returns=pieces)
        shares = [split.remote(part, pieces) for part in mapped]
        sums: list[Any] = []
        for which in range(pieces):
            parts = shares if pieces == 1 else [share[which] for share in shares]
            while len(parts) > 1:
                parts = [run.remote(sent, *parts[first : first + _FAN]) for first in range(0, len(parts), _FAN)]
            sums += parts
        return self.collect(sums)


def fit(ds: Any, target: str, **options: Any) -> Union[TreeClassifier, TreeRegressor]:
    """Fits a tree to a data set of Ray. The parameters are those of :func:`secateur.spark.fit`; ``levels`` is ``"sorted"``, since blocks have no order."""
    if options.get("levels", "sorted") != "sorted":
        raise ValueError("levels: the blocks of a Ray data set have no order; leave it at 'sorted'")
    return _cluster.fit(_Engine(ds), target, **options)


def predict(model: Union[TreeClassifier, TreeRegressor], ds: Any, *, column: str = "prediction", probabilities: Union[bool, str] = False) -> Any:
    """The data set with columns of what a tree says to each row, as :func:`secateur.spark.predict`."""
    work = _cluster.predicting(model, ds.columns(), column, probabilities)
    return ds.map_batches(work, batch_format="pyarrow", batch_size=None, zero_copy_batch=True)
