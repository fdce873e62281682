"""What the machines of a cluster run: small objects that can be sent to them, around the compiled kernel.

A question goes to every partition of the rows, and its answers come back in numbered pieces of bytes; those of the same number add up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterable, Iterator

from . import _native

if TYPE_CHECKING:
    import pyarrow as pa

#: A piece of an answer: its number and its bytes.
Piece = tuple[int, bytes]


class Work:
    """A question for one partition of rows (``look``, ``near``, ``code``) or of coded rows (``ask``, ``hold``, ``take``)."""

    def __init__(self, kind: str, question: bytes, coding: bytes = b"", most_bytes: int = 4 << 20):
        self.kind = kind
        self.question = question
        self.coding = coding
        self.most_bytes = most_bytes

    def __call__(self, partition: int, batches: Iterable[pa.RecordBatch]) -> Iterable[Piece]:
        if self.kind in ("look", "near"):
            return _native.shard_look(self.kind, self.question, iter(batches), partition, self.most_bytes)
        if self.kind == "code":
            return _native.shard_code(self.coding, iter(batches), partition, self.most_bytes)
        chunks = (chunk for _, chunk in pieces_of(batches))
        return _native.shard_count(self.kind, self.coding, self.question, chunks, self.most_bytes)


class Only:
    """The pieces with some of the numbers."""

    def __init__(self, numbers: Iterable[int]):
        self.numbers = frozenset(numbers)

    def __call__(self, partition: int, batches: Iterable[pa.RecordBatch]) -> Iterable[Piece]:
        return (piece for piece in pieces_of(batches) if piece[0] in self.numbers)


class Add:
    """Adds up pieces of the same number."""

    def __init__(self, kind: str):
        self.kind = kind

    def __call__(self, pieces: Iterable[Piece]) -> list[Piece]:
        """One piece of every number, in the order of the numbers."""
        return _native.shard_sum(self.kind, pieces)


def pieces_of(batches: Iterable[pa.RecordBatch]) -> Iterator[Piece]:
    """The pieces in the columns ``number`` and ``bytes``."""
    for batch in batches:
        for number, piece in zip(batch.column("number"), batch.column("bytes")):
            yield number.as_py(), piece.as_py()


def as_table(pieces: Iterable[Piece], part: int = 0) -> pa.Table:
    """Pieces as columns ``number``, ``part`` (who says it) and ``bytes``."""
    import pyarrow as pa

    listed = list(pieces)
    columns = [
        pa.array([number for number, _ in listed], pa.int64()),
        pa.array([part] * len(listed), pa.int64()),
        pa.array([piece for _, piece in listed], pa.binary()),
    ]
    return pa.table(columns, names=["number", "part", "bytes"])


def as_batches(pieces: Iterable[Piece], part: int, most_bytes: int = 1 << 20) -> Iterator[pa.RecordBatch]:
    """The same in batches of about this many bytes: small pieces together, large ones alone."""
    listed: list[Piece] = []
    size = 0
    for piece in pieces:
        if listed and size + len(piece[1]) > most_bytes:
            yield from as_table(listed, part).to_batches()
            listed, size = [], 0
        listed.append(piece)
        size += len(piece[1])
    if listed:
        yield from as_table(listed, part).to_batches()
