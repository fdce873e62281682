"""Time and memory beside scikit-learn, in one run, on one thread: ``python checks/speed.py``, with the package built for release.

Full trees on the same arrays: ``TreeClassifier("cart")`` beside ``DecisionTreeClassifier()``. Every time is the least of several, taken in
turns, in processor time, so that other programs do not count. A ratio above 1 says how many times faster this package is. The default
estimator is shown as well: it grows trees for its folds, too, so it is compared with nothing. Ends with an error where a full tree is slower
(``--slack 0.9`` allows for noise), or needs more than this many times the table (``--memory 3``; for numbers, whose tree is larger than the
table, ``--memory-numbers 8``).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from typing import Any, Callable

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ[name] = "1"

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import secateur

SIZES = ((150, 4), (20_000, 50), (100_000, 10))
#: Processor seconds that one contestant is measured for, at least.
PATIENCE = 0.5


def table(rows: int, columns: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of which a few columns say something of the target, and noise."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(rows, columns)).astype(np.float32)
    signal = X[:, 0] + np.sin(2 * X[:, 1]) + X[:, 2] * X[:, 3] + rng.normal(size=rows)
    return X, np.digitize(signal, [-0.7, 0.7]) if kind == "classes" else signal.astype(np.float64)


def pair(kind: str) -> tuple[Any, Any]:
    if kind == "classes":
        return secateur.TreeClassifier("cart"), DecisionTreeClassifier(random_state=0)
    return secateur.TreeRegressor("cart"), DecisionTreeRegressor(random_state=0)


def best(*calls: Callable[[], Any]) -> list[float]:
    """The least processor seconds of each call, in turns; short ones are called many times in one go."""
    begun = time.process_time()
    calls[-1]()
    many = max(1, min(1000, int(0.002 / max(time.process_time() - begun, 1e-7))))
    times: list[list[float]] = [[] for _ in calls]
    while min(map(sum, times)) * many < PATIENCE or len(times[0]) < 3:
        for call, seconds in zip(calls, times):
            begun = time.process_time()
            for _ in range(many):
                call()
            seconds.append((time.process_time() - begun) / many)
        if sum(map(sum, times)) * many > 20 * PATIENCE and len(times[0]) >= 2:
            break
    return [min(seconds) for seconds in times]


def shown(seconds: float) -> str:
    return f"{1e6 * seconds:.1f} µs" if seconds < 1e-4 else f"{1e3 * seconds:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


class Report:
    def __init__(self, slack: float):
        self.slack = slack
        self.slow: list[str] = []
        print("| rows × columns | target | what | this package | scikit-learn | times as fast |\n|---|---|---|---|---|---|")

    def line(self, size: str, kind: str, what: str, ours: float, theirs: float) -> None:
        ratio = theirs / ours
        if ratio < self.slack:
            self.slow.append(f"{what} of {size}, {kind}: {ratio:.2f}")
        mark = "" if ratio >= self.slack else " (slower)"
        print(f"| {size} | {kind} | {what} | {shown(ours)} | {shown(theirs)} | {ratio:.2f}{mark} |", flush=True)

    def alone(self, size: str, kind: str, what: str, ours: float) -> None:
        print(f"| {size} | {kind} | {what} | {shown(ours)} | | |", flush=True)


def frames(X: np.ndarray) -> dict[str, Any]:
    """The same numbers as tables of other libraries, as far as those are installed."""
    found: dict[str, Any] = {}
    names = [f"c{i}" for i in range(X.shape[1])]
    try:
        import pandas as pd

        found["pandas"] = pd.DataFrame(X, columns=names)
        found["pandas, by column"] = pd.DataFrame({name: X[:, i].astype(np.float64) for i, name in enumerate(names)})
    except ImportError:
        pass
    try:
        import polars as pl

        found["Polars"] = pl.DataFrame({name: X[:, i] for i, name in enumerate(names)})
    except ImportError:
        pass
    try:
        import pyarrow as pa

        found["PyArrow"] = pa.table({name: X[:, i] for i, name in enumerate(names)})
    except ImportError:
        pass
    return found


def race(report: Report, rows: int, columns: int, kind: str) -> None:
    size = f"{rows} × {columns}"
    X, y = table(rows, columns, kind)
    ours, theirs = pair(kind)
    report.line(size, kind, "fit", *best(lambda: ours.fit(X, y), lambda: theirs.fit(X, y)))
    usual = (secateur.TreeClassifier if kind == "classes" else secateur.TreeRegressor)()
    report.alone(size, kind, f"fit, default ({usual.fit(X, y).scheme_})", *best(lambda: usual.fit(X, y)))
    report.line(size, kind, "predict", *best(lambda: ours.predict(X), lambda: theirs.predict(X)))
    if kind == "classes":
        report.line(size, kind, "predict_proba", *best(lambda: ours.predict_proba(X), lambda: theirs.predict_proba(X)))
    row = X[:1]
    report.line(size, kind, "one row", *best(lambda: ours.predict(row), lambda: theirs.predict(row)))
    report.line(size, kind, "apply", *best(lambda: ours.apply(X), lambda: theirs.apply(X)))
    for name, frame in frames(X).items():
        # scikit-learn reads no PyArrow: it gets the array that people make of it.
        array = (lambda f: np.column_stack([c.to_numpy() for c in f.columns])) if name == "PyArrow" else (lambda f: f)
        mine, other = pair(kind)
        mine.fit(frame, y), other.fit(array(frame), y)
        report.line(size, kind, f"predict, {name}", *best(lambda: mine.predict(frame), lambda: other.predict(array(frame))))
        one = frame[:1]
        report.line(size, kind, f"one row, {name}", *best(lambda: mine.predict(one), lambda: other.predict(array(one))))


def peak() -> int:
    """The most bytes that this process ever held."""
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) * 1024


def held() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def memory_here(who: str, kind: str, threads: int) -> None:
    """Fits once on a million rows and prints how many times the table the process grew by, at most."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(1_000_000, 10)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] > 0) ^ (rng.random(len(X)) < 0.1)
    y = y.astype(np.int64) if kind == "classes" else X[:, 0] + X[:, 1] ** 2
    tree = pair(kind)[0 if who == "ours" else 1]
    if who == "ours":
        tree.set_params(n_jobs=threads)
    tree.fit(X[:100], y[:100])
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")  # the peak begins anew
    before = held()
    begun = time.process_time()
    tree.fit(X, y)
    seconds = time.process_time() - begun
    print((peak() - before) / X.nbytes, (held() - before) / X.nbytes, seconds, tree.get_n_leaves())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slack", type=float, default=1.0)
    parser.add_argument("--memory", type=float, default=3.0)
    parser.add_argument("--memory-numbers", type=float, default=8.0)
    parser.add_argument("--only", choices=["time", "memory"])
    parser.add_argument("--rows", type=int, help="only the tables of this many rows")
    parser.add_argument("--memory-here", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.memory_here:
        who, kind, threads = given.memory_here
        memory_here(who, kind, int(threads))
        return 0
    failed = []
    if given.only != "memory":
        report = Report(given.slack)
        for rows, columns in SIZES:
            for kind in ("classes", "numbers"):
                if given.rows in (None, rows):
                    race(report, rows, columns, kind)
        failed += report.slow
    if given.only != "time":
        print("\n| 1M × 10 | who | peak, times the table | held afterwards | processor time | leaves |\n|---|---|---|---|---|---|")
        for kind, most in (("classes", given.memory), ("numbers", given.memory_numbers)):
            for who, threads in (("ours", "1"), ("ours", "2"), ("theirs", "1")):
                call = [sys.executable, __file__, "--memory-here", who, kind, threads]
                done = subprocess.run(call, check=True, capture_output=True, text=True)
                times, after, seconds, leaves = done.stdout.split()
                name = "scikit-learn" if who == "theirs" else f"this package, {threads} thread{'s' if threads != '1' else ''}"
                print(f"| {kind} | {name} | {float(times):.1f} | {float(after):.1f} | {float(seconds):.1f} s | {leaves} |", flush=True)
                if who == "ours" and float(times) > most:
                    failed.append(f"memory of {kind} on {threads}: {times}")
    print(f"\nWorse than asked: {'; '.join(failed)}" if failed else "\nNothing is slower, and memory is as asked.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
