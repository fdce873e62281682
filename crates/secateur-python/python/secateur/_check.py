"""Arguments of wrong types and values, refused with the name of the parameter."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np
from sklearn.utils.validation import _check_sample_weight


def number(name: str, value: Any) -> float:
    """A finite number.

    >>> number("alpha", 2)
    2.0
    """
    if isinstance(value, (bool, np.bool_, str, bytes)) or not hasattr(value, "__float__"):
        raise TypeError(f"{name}: expected a number, got {value!r}")
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: expected a number, got {value!r}") from None
    if not math.isfinite(found):
        raise ValueError(f"{name}: expected a finite number, got {value!r}")
    return found


def whole(name: str, value: Any, least: int = 0) -> int:
    """A whole number of at least this.

    >>> whole("width", np.int64(80))
    80
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name}: expected a whole number, got {value!r}")
    if value < least:
        raise ValueError(f"{name}: expected a whole number of at least {least}, got {value!r}")
    return int(value)


def optional_whole(name: str, value: Any, least: int = 0) -> Optional[int]:
    """A whole number, or nothing."""
    return None if value is None else whole(name, value, least)


def text(name: str, value: Any) -> str:
    """A text."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a string, got {value!r}")
    return value


def share(name: str, value: Any) -> float:
    """A number between 0 and 1.

    >>> share("level", 0.9)
    0.9
    """
    found = number(name, value)
    if not 0 < found < 1:
        raise ValueError(f"{name}: expected a number between 0 and 1, such as 0.9, got {value!r}")
    return found


def optional_share(name: str, value: Any) -> Optional[float]:
    """A number between 0 and 1, or nothing."""
    return None if value is None else share(name, value)


def weights_of(sample_weight: Any, rows: int) -> np.ndarray:
    """The weights of rows, one each."""
    if isinstance(sample_weight, np.ma.MaskedArray) and np.ma.is_masked(sample_weight):
        raise ValueError("sample_weight: some weights are masked; give every row one")
    weights: np.ndarray = _check_sample_weight(sample_weight, np.empty((rows, 1)), dtype=np.float64)
    return weights
