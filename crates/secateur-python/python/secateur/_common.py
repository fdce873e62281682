"""Small things that several parts need."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state

from ._check import whole


def frame(columns: dict[str, Any]) -> Any:
    """A pandas data frame where pandas is there, else the dictionary of columns itself."""
    try:
        import pandas as pd
    except ImportError:
        return columns
    return pd.DataFrame(columns)


def _tell(stage: str, done: int, total: int) -> None:
    """How far long work is, on standard error."""
    part = f" {done} of {total}" if total else ""
    print(f"\r{stage}{part}\033[K", end="", file=sys.stderr, flush=True)


def listener_of(verbose: Any) -> Optional[Callable[[str, int, int], None]]:
    """The function that gets how far the work is."""
    if callable(verbose):
        return verbose
    return _tell if verbose else None


def seed_of(random_state: Any) -> int:
    """A seed: 1 (the program's own) when nothing is given, so that results can be repeated."""
    if random_state is None:
        return 1
    if isinstance(random_state, (int, np.integer)):
        if random_state < 0:
            raise ValueError(f"random_state: expected a number of at least 0, got {random_state}")
        return int(random_state)
    try:
        return int(check_random_state(random_state).randint(2**31 - 1))
    except ValueError as problem:
        raise ValueError(f"random_state: {problem}") from None


def threads_of(n_jobs: Any) -> int:
    """This many threads: one when nothing is given, -1 for all cores."""
    if n_jobs is None:
        return int(effective_n_jobs(None))
    if whole("n_jobs", n_jobs, least=-(2**31)) == 0:
        raise ValueError("n_jobs: expected a number of threads, or -1 for all cores, got 0")
    return int(effective_n_jobs(int(n_jobs)))
