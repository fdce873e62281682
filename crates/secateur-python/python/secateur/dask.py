"""Trees from Dask data frames: workers count, the client grows.

>>> import secateur.dask  # doctest: +SKIP
>>> tree = secateur.dask.fit(df, target="class")  # doctest: +SKIP
>>> secateur.dask.predict(tree, df).compute()  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any, Iterable, Optional, Union

from . import _cluster
from ._classifier import TreeClassifier
from ._regressor import TreeRegressor
from ._shards import Add, Piece, as_table

#: This many answers are added up at a time.
_FAN = 8


def _on_frame(work: Any, partition: int, frame: Any, schema: Any) -> list[Piece]:
    """Work on a partition of pandas rows."""
    import pyarrow as pa

    table = pa.Table.from_pandas(frame, schema=schema, preserve_index=False)
    return list(work(partition, table.to_batches()))


def _on_pieces(work: Any, partition: int, pieces: list[Piece]) -> list[Piece]:
    return list(work(partition, as_table(pieces).to_batches()))


def _added(add: Add, *answers: list[Piece]) -> list[Piece]:
    return add(piece for answer in answers for piece in answer)


def _some(pieces: list[Piece], which: int, count: int) -> list[Piece]:
    """A part of the pieces, by their numbers: what is sent at a time."""
    return [piece for piece in pieces if piece[0] % count == which]


def _total(pieces: list[Piece]) -> int:
    return sum(number for number, _ in pieces)


class _Engine:
    """A Dask data frame. Partitions of rows and of pieces are lists of delayed values."""

    def __init__(self, df: Any):
        import pyarrow as pa

        self.rows = df
        self.partitions: int = df.npartitions
        self.schema = pa.Schema.from_pandas(df._meta_nonempty, preserve_index=False)

    def sample(self, count: int) -> Any:
        import pyarrow as pa

        return pa.Table.from_pandas(self.rows.head(count, npartitions=-1), schema=self.schema, preserve_index=False)

    def count(self) -> int:
        return len(self.rows)

    def map(self, rows: Any, work: Any, columns: Optional[list[str]] = None) -> Any:
        from dask import delayed

        if isinstance(rows, list):
            run = delayed(_on_pieces)
            return [run(work, number, part) for number, part in enumerate(rows)]
        run, schema = delayed(_on_frame), self.schema
        if columns is not None:
            rows = rows[columns]
            import pyarrow as pa

            schema = pa.schema([schema.field(name) for name in columns])
        return [run(work, number, part, schema) for number, part in enumerate(rows.to_delayed())]

    def keep(self, mapped: Any) -> tuple[Any, int]:
        import dask

        kept = list(dask.persist(*mapped))
        total = dask.delayed(_total)
        return kept, sum(dask.compute(*(total(part) for part in kept)))

    def drop(self, kept: Any) -> None:
        kept.clear()

    def collect(self, mapped: Any) -> Iterable[Piece]:
        import dask

        return [piece for part in dask.compute(*mapped) for piece in part]

    def add_up(self, mapped: Any, add: Add, pieces: int) -> Iterable[Piece]:
        from dask import delayed

        some, run = delayed(_some), delayed(_added)
        sums = []
        for which in range(pieces):
            parts = [some(part, which, pieces) for part in mapped]
            while len(parts) > 1:
                parts = [run(add, *parts[first : first + _FAN]) for first in range(0, len(parts), _FAN)]
            sums += parts
        return self.collect(sums)


def fit(df: Any, target: str, **options: Any) -> Union[TreeClassifier, TreeRegressor]:
    """Fits a tree to a data frame of Dask. The parameters are those of :func:`secateur.spark.fit`.

    Workers of ``dask.distributed`` do the work where there are some, else the scheduler that Dask is set to. The coded rows are kept by the
    workers; what a lost worker held is computed again.
    """
    return _cluster.fit(_Engine(df), target, **options)


def _predicted(frame: Any, work: _cluster.Predict, schema: Any) -> Any:
    import pyarrow as pa

    names = [name for name, _ in work.tree.model_.attributes]
    X = pa.Table.from_pandas(frame[names], schema=pa.schema([schema.field(name) for name in names]), preserve_index=False)
    answers = work(X).select([name for name, _ in work.columns()]).to_pandas()
    return frame.assign(**{name: answers[name].to_numpy() for name in answers})


def predict(model: Union[TreeClassifier, TreeRegressor], df: Any, *, column: str = "prediction", probabilities: Union[bool, str] = False) -> Any:
    """The data frame with columns of what a tree says to each row, as :func:`secateur.spark.predict`."""
    work = _cluster.predicting(model, list(df.columns), column, probabilities)
    schema = _Engine(df).schema
    meta = _predicted(df._meta_nonempty.iloc[:0], work, schema)
    return df.map_partitions(_predicted, work, schema, meta=meta)
