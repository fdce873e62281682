"""What the Python peers share: the call is STEP FILE [option=value ...], the answer one line of JSON."""

import json
import statistics
import sys
import time

import numpy as np


def call():
    """The step, the file, and the options."""
    step, file, *pairs = sys.argv[1:]
    return step, file, dict(pair.split("=", 1) for pair in pairs)


def load(file, options, dtype=np.float32):
    """A raw table, read column by column so that no more than the table is ever held."""
    columns = int(options.get("columns", 10))
    rows = np.memmap(file, dtype="<f8", mode="r").size // (columns + 1)
    X = np.empty((rows, columns), dtype=dtype)
    with open(file, "rb") as numbers:
        for column in range(columns):
            X[:, column] = np.fromfile(numbers, dtype="<f8", count=rows)
        y = np.fromfile(numbers, dtype="<f8", count=rows)
    return X, y if options.get("task") == "numbers" else y.astype(int)


def timed(work, repeats=1):
    """The median of the seconds, and what was made last."""
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        made = work()
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds), made


def tell(**told):
    print(json.dumps(told))
