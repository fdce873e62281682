"""Trees from Ray data sets: tasks count, the driver grows.

>>> import secateur.ray  # doctest: +SKIP
>>> tree = secateur.ray.fit(ds, target="class")  # doctest: +SKIP
>>> secateur.ray.predict(tree, ds).show()  # doctest: +SKIP
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any, Iterable, Optional, Union
from zlib import crc32

from . import _cluster
from ._classifier import TreeClassifier
from ._regressor import TreeRegressor
from ._shards import Add, Piece, as_table, pieces_of


class _Mapped:
    """Work on a block, as Ray calls it."""

    def __init__(self, work: Any):
        self.work = work

    def __call__(self, table: Any) -> Any:
        # The number of a block is not known, and not needed: answers add up in any order.
        pieces = list(self.work(0, table.to_batches()))
        return as_table(pieces, crc32(pieces[0][1]) if pieces else 0)


class _Added:
    """Pieces of one group added up, as Ray calls it."""

    def __init__(self, add: Add):
        self.add = add

    def __call__(self, table: Any) -> Any:
        return as_table(self.add(pieces_of(table.to_batches())))


class _Slots:
    """Who says it, as one of few."""

    def __init__(self, slots: int):
        self.slots = slots

    def __call__(self, table: Any) -> Any:
        import pyarrow as pa

        slots = pa.array([part % self.slots for part in table.column("part").to_pylist()], pa.int64())
        return table.set_column(table.column_names.index("part"), "part", slots)


class _Engine:
    """A Ray data set."""

    def __init__(self, ds: Any):
        self.rows = ds.materialize()
        self.partitions: int = self.rows.num_blocks()

    def sample(self, count: int) -> Any:
        return self.rows.take_batch(count, batch_format="pyarrow")

    def count(self) -> int:
        return int(self.rows.count())

    def map(self, rows: Any, work: Any, columns: Optional[list[str]] = None) -> Any:
        if columns is not None:
            rows = rows.select_columns(columns)
        return rows.map_batches(_Mapped(work), batch_format="pyarrow", batch_size=None, zero_copy_batch=True)

    def keep(self, mapped: Any) -> tuple[Any, int]:
        kept = mapped.materialize()
        return kept, int(kept.sum("number") or 0)

    def drop(self, kept: Any) -> None:
        """Ray gives up what nobody refers to."""

    def collect(self, mapped: Any) -> Iterable[Piece]:
        return pieces_of(mapped.iter_batches(batch_format="pyarrow", batch_size=None))

    def add_up(self, mapped: Any, add: Add, pieces: int) -> Iterable[Piece]:
        # In two steps, so that nobody has to hold what all blocks say.
        slotted = mapped.map_batches(_Slots(ceil(sqrt(self.partitions))), batch_format="pyarrow", batch_size=None)
        some = slotted.groupby(["number", "part"]).map_groups(_Added(add), batch_format="pyarrow")
        return self.collect(some.groupby("number").map_groups(_Added(add), batch_format="pyarrow"))


def fit(ds: Any, target: str, **options: Any) -> Union[TreeClassifier, TreeRegressor]:
    """Fits a tree to a data set of Ray. The parameters are those of :func:`secateur.spark.fit`; ``levels`` is ``"sorted"``, since blocks have no order."""
    if options.get("levels", "sorted") != "sorted":
        raise ValueError("levels: the blocks of a Ray data set have no order; leave it at 'sorted'")
    return _cluster.fit(_Engine(ds), target, **options)


def predict(model: Union[TreeClassifier, TreeRegressor], ds: Any, *, column: str = "prediction", probabilities: Union[bool, str] = False) -> Any:
    """The data set with columns of what a tree says to each row, as :func:`secateur.spark.predict`."""
    work = _cluster.predicting(model, ds.columns(), column, probabilities)
    return ds.map_batches(work, batch_format="pyarrow", batch_size=None, zero_copy_batch=True)
