"""Trees from rows that an engine holds in partitions: what Spark, Dask and Ray have in common.

The library asks questions; an engine carries each of them to every partition and adds up the answers. That is all it does: how a tree is
grown, pruned and chosen is the same as on one machine, and so is the tree, for any number and order of partitions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Optional, Protocol, Union

from . import _native
from ._check import text
from ._classifier import TreeClassifier
from ._common import listener_of, seed_of, threads_of
from ._file import costs_of, estimator_of, task_of
from ._regressor import TreeRegressor
from ._shards import Add, Only, Piece, Work

if TYPE_CHECKING:
    import pyarrow as pa

#: No piece of histograms, nor a chunk of coded rows, has many more bytes than this.
MOST_BYTES = 4 << 20
#: Rows that are looked at before all others, for names, types and a first guess.
SAMPLE = 10_000
#: Answers of this many bytes together are added up by whoever asks; larger ones where the rows are.
FEW_BYTES = 64 << 20


class Engine(Protocol):
    """Who holds the rows. ``rows`` are such as the engine has them; what ``map`` gives are pieces, wherever they are."""

    #: The rows that were given.
    rows: Any
    #: In how many partitions they are.
    partitions: int

    def sample(self, count: int) -> pa.Table:
        """Some of the rows."""

    def count(self) -> int:
        """How many rows there are, or about this many."""

    def map(self, rows: Any, work: Callable[[int, Iterable[pa.RecordBatch]], Iterable[Piece]], columns: Optional[list[str]] = None) -> Any:
        """Has ``work`` called with the number and the batches of every partition (with all columns, or these). Nothing needs to be done yet."""

    def keep(self, mapped: Any) -> tuple[Any, int]:
        """Does the work and keeps the pieces for what follows; gives them and the sum of their numbers."""

    def drop(self, kept: Any) -> None:
        """They are not needed any more."""

    def collect(self, mapped: Any) -> Iterable[Piece]:
        """Does the work and brings all pieces here."""

    def add_up(self, mapped: Any, add: Add, pieces: int) -> Iterable[Piece]:
        """Does the work and adds up pieces of the same number where they are (about this many numbers); brings the sums here."""


class Workers:
    """Carries the questions of the library to an engine. Called by the compiled part."""

    def __init__(self, engine: Engine, ignore: list[str], most_bytes: int):
        self.engine = engine
        self.most_bytes = most_bytes
        first = engine.sample(SAMPLE)
        self.names = list(first.schema.names)
        #: The columns that are read, where some are not.
        self.columns = [name for name in self.names if name not in ignore] if ignore else None
        self.first = first if self.columns is None else first.select(self.columns)
        self.coding = b""
        self.coded: Any = None
        #: What was sent and received, for those who want to know.
        self.traffic = {"questions": 0, "largest_question": 0, "largest_piece": 0, "received": 0, "coding": 0}

    def count(self) -> int:
        return self.engine.count()

    def sample(self) -> pa.Table:
        return self.first

    def _noted(self, question: bytes, pieces: Iterable[Piece]) -> Iterator[Piece]:
        traffic = self.traffic
        traffic["questions"] += 1
        traffic["largest_question"] = max(traffic["largest_question"], len(question))
        for piece in pieces:
            traffic["largest_piece"] = max(traffic["largest_piece"], len(piece[1]))
            traffic["received"] += len(piece[1])
            yield piece

    def ask(self, kind: str, question: bytes) -> Iterator[Piece]:
        """The pieces of the answer, several of a number if need be."""
        engine = self.engine
        work = Work(kind, question, self.coding, self.most_bytes)
        if kind in ("look", "near"):
            mapped = engine.map(engine.rows, work, _native.shard_columns(kind, question) or self.columns)
        else:
            mapped = engine.map(self.coded, work)
        size = _native.shard_bytes(kind, self.coding, question)
        few = engine.partitions * size <= FEW_BYTES
        pieces = engine.collect(mapped) if few else engine.add_up(mapped, Add(kind), 1 + size // self.most_bytes)
        return self._noted(question, pieces)

    def code(self, coding: bytes, rows: int) -> None:
        self.coding = coding
        self.traffic["coding"] = len(coding)
        mapped = self.engine.map(self.engine.rows, Work("code", b"", coding, self.most_bytes), self.columns)
        self.coded, coded = self.engine.keep(mapped)
        if coded != rows:
            raise ValueError(f"the rows change while they are read: {rows} were looked at and {coded} coded; keep them first")

    def take(self, question: bytes, groups: list[int]) -> Iterator[list[Piece]]:
        """The rows of nodes, one group after the other."""
        engine = self.engine
        mapped = engine.map(self.coded, Work("take", question, self.coding, self.most_bytes))
        if len(set(groups)) == 1:
            yield list(self._noted(question, engine.collect(mapped)))
            return
        kept, _ = engine.keep(mapped)
        try:
            for group in sorted(set(groups)):
                numbers = [node for node, its in enumerate(groups) if its == group]
                yield list(self._noted(question, engine.collect(engine.map(kept, Only(numbers)))))
        finally:
            engine.drop(kept)

    def close(self) -> None:
        if self.coded is not None:
            self.engine.drop(self.coded)
            self.coded = None


#: What labels are, by the Arrow type of a target.
_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_NUMBERS = ("halffloat", "float", "double")


def _kind_of(type_: Any) -> str:
    """What a column holds: ``integer``, ``number``, ``boolean`` or ``text``."""
    name = str(type_)
    if name in _INTEGERS:
        return "integer"
    if name in _NUMBERS or name.startswith("decimal"):
        return "number"
    return "boolean" if name == "bool" else "text"


def fit(
    engine: Engine,
    target: str,
    *,
    scheme: Optional[str] = None,
    task: Optional[str] = None,
    weights: Optional[str] = None,
    ignore: Iterable[str] = (),
    keep: Iterable[str] = (),
    costs: Optional[dict[tuple[Any, Any], float]] = None,
    memory: str = "1GB",
    driver_rows: Optional[str] = None,
    levels: str = "sorted",
    data: str = "table",
    random_state: Any = None,
    n_jobs: Optional[int] = None,
    verbose: Any = False,
    most_bytes: int = MOST_BYTES,
) -> Union[TreeClassifier, TreeRegressor]:
    """See :func:`secateur.spark.fit`."""

    text("target", target)
    asked = task_of(task)
    if levels not in ("sorted", "first"):
        raise ValueError(f"levels: expected 'sorted' or 'first', got {levels!r}")
    ignore, keep = list(ignore), list(keep)
    workers = Workers(engine, ignore, most_bytes)
    named = [("target", target), ("weights", weights), *(("ignore", name) for name in ignore), *(("keep", name) for name in keep)]
    for name, column in named:
        if column is not None and column not in workers.names:
            raise ValueError(f"{name}: there is no column {column!r}; there are {', '.join(workers.names)}")
        if column in ignore and name in ("target", "weights"):
            raise ValueError(f"{name}: the column {column!r} is ignored as well")
    kind = _kind_of(workers.first.schema.field(target).type)
    # As the estimators have it: numbers with fractions are numbers, whole ones are labels.
    regression = kind == "number" if asked is None else asked
    if costs is not None and regression:
        raise ValueError("costs: they are for classes, and the target holds numbers")
    try:
        model, found = _native.fit_elsewhere(
            workers,
            target,
            scheme=scheme,
            regression=regression,
            weights=weights,
            kept=keep,
            costs=costs_of(costs),
            memory=memory,
            driver_rows=driver_rows,
            most_bytes=most_bytes,
            sorted_levels=levels == "sorted",
            seed=seed_of(random_state),
            data=data,
            labels="text" if regression else kind,
            threads=threads_of(n_jobs),
            listener=listener_of(verbose),
        )
    finally:
        workers.close()
    estimator = estimator_of(model, found, costs=costs, random_state=random_state, n_jobs=n_jobs, verbose=verbose)
    estimator.traffic_ = workers.traffic
    return estimator


class Predict:
    """What a tree says to batches of rows, as columns beside them."""

    def __init__(self, tree: Any, column: str, probabilities: Optional[str]):
        self.tree = tree
        self.column = column
        self.probabilities = probabilities

    def columns(self) -> list[tuple[str, Any]]:
        """The names of the new columns and their Arrow types."""
        import pyarrow as pa

        kinds = {"i": pa.int64(), "f": pa.float64(), "b": pa.bool_()}
        said = kinds.get(self.tree.classes_.dtype.kind, pa.string()) if hasattr(self.tree, "classes_") else pa.float64()
        more = [] if self.probabilities is None else [(self.probabilities, pa.list_(pa.float64()))]
        return [(self.column, said), *more]

    def __call__(self, table: pa.Table) -> pa.Table:
        """The table with the new columns."""
        import pyarrow as pa

        names = [name for name, _ in self.tree.model_.attributes]
        if table.num_rows == 0:
            answers: list[Any] = [pa.array([], type_) for _, type_ in self.columns()]
        else:
            X = table.select(names)
            answers = [pa.array(self.tree.predict(X), self.columns()[0][1])]
            if self.probabilities is not None:
                answers.append(pa.array(list(self.tree.predict_proba(X)), self.columns()[1][1]))
        for (name, _), answer in zip(self.columns(), answers):
            table = table.append_column(name, answer)
        return table


def predicting(model: Any, names: list[str], column: str, probabilities: Union[bool, str]) -> Predict:
    """The work of a prediction on rows with these columns."""
    from sklearn.utils.validation import check_is_fitted

    check_is_fitted(model)
    absent = [name for name, _ in model.model_.attributes if name not in names]
    if absent:
        raise ValueError(f"there is no column {absent[0]!r}, which the tree was fitted with")
    likely = ("probabilities" if probabilities else None) if isinstance(probabilities, bool) else probabilities
    if likely is not None and not hasattr(model, "classes_"):
        raise ValueError("probabilities: a tree that predicts numbers has none")
    for name in (column, likely):
        if name in names:
            raise ValueError(f"there is a column {name!r} already; give another name")
    return Predict(model, column, likely)
