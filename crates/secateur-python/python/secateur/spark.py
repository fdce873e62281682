"""Trees from Spark data frames: executors count, the driver grows.

>>> import secateur.spark  # doctest: +SKIP
>>> tree = secateur.spark.fit(df, target="class")  # doctest: +SKIP
>>> secateur.spark.predict(tree, df).show()  # doctest: +SKIP
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any, Callable, Iterable, Iterator, Optional, Union

from . import _cluster
from ._classifier import TreeClassifier
from ._regressor import TreeRegressor
from ._shards import Add, Piece, as_batches, as_table, pieces_of

_PIECES = "number long, part long, bytes binary"


class _Mapped:
    """Work on the batches of a partition, as Spark calls it."""

    def __init__(self, work: Callable[[int, Iterable[Any]], Iterable[Piece]]):
        self.work = work

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        part = context.partitionId() if context is not None else 0
        yield from as_batches(self.work(part, batches), part)


def _added(add: Add, table: Any) -> Any:
    """Pieces of one group added up."""
    return as_table(add(pieces_of(table.to_batches())), table.column("part")[0].as_py())


class _Engine:
    """A Spark data frame."""

    def __init__(self, df: Any):
        self.rows = df
        try:
            self.partitions: int = df.rdd.getNumPartitions()
        except Exception:  # Spark Connect has no such thing
            self.partitions = 1 << 10

    def sample(self, count: int) -> Any:
        return self.rows.limit(count).toArrow()

    def count(self) -> int:
        return int(self.rows.count())

    def map(self, rows: Any, work: Any, columns: Optional[list[str]] = None) -> Any:
        if columns is not None:
            rows = rows.select(*[f"`{name}`" for name in columns])
        return rows.mapInArrow(_Mapped(work), _PIECES)

    def keep(self, mapped: Any) -> tuple[Any, int]:
        from pyspark import StorageLevel

        kept = mapped.persist(StorageLevel.MEMORY_AND_DISK)
        total = kept.agg({"number": "sum"}).collect()[0][0]
        return kept, int(total or 0)

    def drop(self, kept: Any) -> None:
        kept.unpersist()

    def collect(self, mapped: Any) -> Iterable[Piece]:
        return pieces_of(mapped.toArrow().to_batches())

    def add_up(self, mapped: Any, add: Add, pieces: int) -> Iterable[Piece]:
        from pyspark.sql.functions import col, lit

        # In two steps, so that nobody has to hold what all partitions say.
        slots = ceil(sqrt(self.partitions))
        # Spark looks at the annotations of functions, and knows none of what it is given here.
        added = lambda table: _added(add, table)  # noqa: E731
        some = mapped.groupBy(col("number"), (col("part") % lit(slots)).alias("slot")).applyInArrow(added, _PIECES)
        return self.collect(some.groupBy("number").applyInArrow(added, _PIECES))


def fit(df: Any, target: str, **options: Any) -> Union[TreeClassifier, TreeRegressor]:
    """Fits a tree to a data frame of Spark. Gives an estimator as any other: ``path``, ``prune``, ``to_html``, ``save``.

    The rows stay where they are. Executors look at them, code them (Spark keeps the coded rows, about a byte for each cell) and count; the
    driver grows the tree. The package must be installed on the executors, in the same version. The tree does not depend on the number or the order of
    partitions, nor on executors that are lost.

    Parameters
    ----------
    df : the rows. They must be the same each time Spark computes them; keep them first if they come from chance.
    target : the column to predict. Fractions are numbers; text, booleans and whole numbers are classes, unless ``task`` says otherwise.
    scheme : ``LEARNER:options/PRUNER:options``. Numbers with many values are cut into 255 bins, or as many as ``bins`` says. Without one: CART, pruned by
        cost-complexity on a tenth of the rows.
    task : ``"classification"`` or ``"regression"``.
    weights, ignore : the column of row weights; columns to leave out.
    keep : columns to keep that look like identifiers (text that is different in nearly every row); such columns are left out, with a warning.
    costs : ``{(actual, predicted): cost}``.
    memory : what the driver may use for histograms and for nodes with few rows, which it finishes itself.
    driver_rows : how much of it for such rows; ``"0"`` leaves all rows where they are. Without it: six tenths.
    levels : the order of nominal values in the model: ``"sorted"``, or ``"first"`` for that of their first appearance (by partitions), as in a file.
    data : the name of the table that is noted in the model.
    most_bytes : answers are cut into messages of no more than about this many bytes. (The different values of one text column are one message, however long.)
    random_state, n_jobs, verbose : as of :class:`secateur.TreeClassifier`; threads are the driver's.
    """
    return _cluster.fit(_Engine(df), target, **options)


class _Predicted:
    """What a tree says to the batches of a partition, as Spark calls it."""

    def __init__(self, work: _cluster.Predict):
        self.work = work

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in batches:
            yield from self.work(pa.Table.from_batches([batch])).to_batches()


def predict(model: Union[TreeClassifier, TreeRegressor], df: Any, *, column: str = "prediction", probabilities: Union[bool, str] = False) -> Any:
    """The data frame with a column of what a tree says to each row, and one of the probabilities of its classes (``classes_``), if asked for.

    The tree is any estimator of this package, wherever it was fitted.
    """
    from pyspark.sql.pandas.types import from_arrow_type
    from pyspark.sql.types import StructField, StructType

    work = _cluster.predicting(model, df.columns, column, probabilities)
    more = [StructField(name, from_arrow_type(type_)) for name, type_ in work.columns()]
    return df.mapInArrow(_Predicted(work), StructType([*df.schema.fields, *more]))
