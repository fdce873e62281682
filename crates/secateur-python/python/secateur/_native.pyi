"""The compiled part of the package."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Optional, Union, final

import numpy as np
from numpy.typing import NDArray

_Listener = Optional[Callable[[str, int, int], None]]
_Sparse = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]

__version__: str
__all__ = ["fit_elsewhere", "fit_file", "shard_bytes", "shard_code", "shard_columns", "shard_count", "shard_look", "shard_sum", "export_formats", "export_model", "import_model", "Columns", "number_as_text", "compare", "fit", "path_of", "page_of", "builtin", "check_scheme", "default_scheme", "methods", "Model", "__version__"]

@final
class Columns:
    def __new__(cls) -> "Columns": ...
    def add_matrix(self, names: list[str], matrix: NDArray[Any]) -> None: ...
    def add_numbers(self, name: str, values: NDArray[np.float64], shown: str = "numeric") -> None: ...
    def add_codes(
        self, name: str, levels: list[str], codes: NDArray[np.int64], ordered: bool = False
    ) -> None: ...
    def add_strings(self, name: str, cells: list[Optional[str]]) -> None: ...
    def add_arrow(self, object: Any, used: Optional[list[bool]] = None) -> tuple[list[str], bool]: ...
    def rename(self, names: list[str]) -> None: ...
    def rows(self) -> int: ...
    def cells(self, place: int) -> Any: ...
    def levels(self, place: int) -> tuple[list[str], list[int]]: ...
    def numeric(self) -> list[bool]: ...

@final
class Model:
    @staticmethod
    def from_json(json: bytes, name: str = "model") -> "Model": ...
    def to_json(self) -> bytes: ...
    @staticmethod
    def load(path: str) -> "Model": ...
    def save(self, path: str) -> None: ...
    def with_data(self, name: str) -> "Model": ...
    @property
    def scheme(self) -> str: ...
    @property
    def labels(self) -> str: ...
    @property
    def target(self) -> str: ...
    @property
    def classes(self) -> list[str]: ...
    @property
    def attributes(self) -> list[tuple[str, Optional[list[str]]]]: ...
    @property
    def size(self) -> tuple[int, int, int]: ...
    @property
    def full(self) -> tuple[int, int, int]: ...
    @property
    def leaf_values(self) -> str: ...
    @property
    def training_error(self) -> float: ...
    def classify(
        self, rows: Union[Columns, NDArray[Any]], leaf_values: Optional[str], strict: bool, threads: int
    ) -> tuple[NDArray[np.uint32], NDArray[np.float64]]: ...
    @property
    def used(self) -> list[bool]: ...
    def importances(self) -> list[float]: ...
    def estimate(
        self, rows: Union[Columns, NDArray[Any]], leaf_values: Optional[str], strict: bool, threads: int
    ) -> NDArray[np.float64]: ...
    def apply(self, rows: Union[Columns, NDArray[Any]], strict: bool, threads: int) -> NDArray[np.int64]: ...
    def explain(self, columns: Columns, strict: bool) -> dict[str, Any]: ...
    def decision_path(self, columns: Columns, strict: bool, threads: int) -> _Sparse: ...
    def reliability(
        self, columns: Columns, strict: bool, threads: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
    def sets(self, columns: Columns, level: float, strict: bool, threads: int) -> NDArray[np.bool_]: ...
    def intervals(self, columns: Columns, level: float, strict: bool, threads: int) -> NDArray[np.float64]: ...
    @property
    def conformal(self) -> Optional[tuple[str, int]]: ...
    def tree_reliability(self) -> Optional[tuple[float, float, float]]: ...
    def prune(self, pruning: str) -> "Model": ...
    def path(self, pruning: str) -> dict[str, Any]: ...
    def text(
        self,
        width: int = 80,
        max_depth: Optional[int] = None,
        max_lines: Optional[int] = None,
        ascii: bool = False,
        hint: str = "",
    ) -> str: ...
    def rules(
        self,
        width: int = 80,
        max_rules: Optional[int] = None,
        ascii: bool = False,
        by_coverage: bool = False,
        sure: bool = True,
    ) -> str: ...
    def dot(self, max_depth: Optional[int] = None) -> str: ...
    def svg(self, max_depth: Optional[int] = None, max_leaves: Optional[int] = None) -> tuple[str, bool]: ...
    def page(self, title: str = "", recipe: str = "") -> str: ...
    def picture(
        self,
        measure: Callable[[str, float], float],
        max_depth: Optional[int] = None,
        max_leaves: Optional[int] = None,
    ) -> dict[str, Any]: ...
    def nodes(self) -> dict[str, Any]: ...

def fit(
    columns: Columns,
    target: Columns,
    scheme: str,
    *,
    weights: Optional[NDArray[np.float64]] = None,
    costs: Optional[list[float]] = None,
    folds: Optional[list[int]] = None,
    groups: Optional[list[int]] = None,
    seed: int = 1,
    data: str = "table",
    labels: str = "text",
    look: bool = False,
    estimate: str = "corrected",
    calibrate: Optional[float] = None,
    threads: int = 1,
    listener: _Listener = None,
) -> tuple[Model, dict[str, Any]]: ...
def path_of(
    columns: Columns,
    target: Columns,
    scheme: str,
    *,
    cv: Optional[int] = None,
    weights: Optional[NDArray[np.float64]] = None,
    costs: Optional[list[float]] = None,
    folds: Optional[list[int]] = None,
    groups: Optional[list[int]] = None,
    seed: int = 1,
    threads: int = 1,
    listener: _Listener = None,
) -> dict[str, Any]: ...
def page_of(
    model: Model,
    columns: Columns,
    target: Columns,
    *,
    title: str = "",
    recipe: str = "",
    cv: int = 0,
    weights: Optional[NDArray[np.float64]] = None,
    costs: Optional[list[float]] = None,
    folds: Optional[list[int]] = None,
    groups: Optional[list[int]] = None,
    seed: int = 1,
    threads: int = 1,
    listener: _Listener = None,
) -> str: ...
def compare(
    name: str,
    columns: Columns,
    target: Columns,
    schemes: list[tuple[str, str]],
    *,
    measure: str,
    weights: Optional[NDArray[np.float64]] = None,
    costs: Optional[list[float]] = None,
    given: Optional[list[int]] = None,
    folds: int = 10,
    repeats: int = 1,
    level: float = 0.05,
    seed: int = 1,
    threads: int = 1,
    listener: _Listener = None,
) -> list[dict[str, Any]]: ...
def check_scheme(scheme: str, regression: bool) -> str: ...
def default_scheme(regression: bool, rows: int) -> str: ...
def methods() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]: ...
def builtin(name: str) -> tuple[list[str], Columns]: ...
def number_as_text(x: float, shown: str = "numeric") -> str: ...

def export_model(model: Model, format: str, options: list[tuple[str, str]]) -> tuple[bytes, list[str]]: ...
def export_formats() -> list[str]: ...
def import_model(
    text: str, name: str, form: Optional[str] = None, target: Optional[str] = None
) -> tuple[Model, list[str]]: ...
def fit_elsewhere(
    engine: Any,
    target: str,
    *,
    scheme: Optional[str] = None,
    regression: Optional[bool] = None,
    weights: Optional[str] = None,
    kept: list[str] = ...,
    ordered: list[str] = ...,
    costs: Optional[list[tuple[str, str, float]]] = None,
    memory: str = "1GB",
    driver_rows: Optional[str] = None,
    most_bytes: int = ...,
    sorted_levels: bool = True,
    seed: int = 1,
    data: str = "table",
    labels: str = "text",
    threads: int = 1,
    listener: _Listener = None,
) -> tuple[Model, dict[str, Any]]: ...
def shard_look(kind: str, question: bytes, batches: Iterator[Any], partition: int, most_bytes: int) -> list[tuple[int, bytes]]: ...
def shard_code(coding: bytes, batches: Iterator[Any], partition: int, most_bytes: int) -> list[tuple[int, bytes]]: ...
def shard_count(kind: str, coding: bytes, question: bytes, chunks: Iterator[bytes], most_bytes: int) -> list[tuple[int, bytes]]: ...
def shard_sum(kind: str, pieces: Iterable[tuple[int, bytes]]) -> list[tuple[int, bytes]]: ...
def shard_columns(kind: str, question: bytes) -> Optional[list[str]]: ...
def shard_bytes(kind: str, coding: bytes, question: bytes) -> int: ...
def fit_file(
    path: str,
    target: Optional[str] = None,
    *,
    scheme: Optional[str] = None,
    regression: Optional[bool] = None,
    weights: Optional[str] = None,
    ignored: list[str] = ...,
    kept: list[str] = ...,
    costs: Optional[list[tuple[str, str, float]]] = None,
    memory: str = "2GB",
    scratch: Optional[str] = None,
    seed: int = 1,
    threads: int = 1,
    listener: _Listener = None,
) -> tuple[Model, dict[str, Any]]: ...
