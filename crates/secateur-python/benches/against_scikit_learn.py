"""The time to fit a full tree, conversion included, on one thread: Secateur and scikit-learn on the same arrays.

    python benches/against_scikit_learn.py [rows] [columns]
"""

import sys
import time

import numpy as np
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from secateur import TreeClassifier, TreeRegressor


def best(make, X, y, times=5):
    """The shortest of some times: what the machine can do when nobody else is there."""
    found = []
    for _ in range(times):
        tree = make()
        begun = time.perf_counter()
        tree.fit(X, y)
        found.append(time.perf_counter() - begun)
    return min(found)


def main():
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    columns = int(sys.argv[2]) if len(sys.argv) > 2 else 10
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, columns)).astype(np.float32)
    signal = X[:, 0] * X[:, 1] + X[:, 2]
    classes = (signal + rng.normal(size=rows) > 0).astype(int)
    numbers = signal + rng.normal(size=rows)
    cases = {
        "classes": (lambda: TreeClassifier("cart"), lambda: DecisionTreeClassifier(random_state=0), classes),
        "numbers": (lambda: TreeRegressor("cart"), lambda: DecisionTreeRegressor(random_state=0), numbers),
    }
    print(f"{rows} rows, {columns} columns of 32 bits, one thread, best of 5")
    for name, (ours, theirs, y) in cases.items():
        mine, other = best(ours, X, y), best(theirs, X, y)
        print(f"{name}: secateur {mine:.3f} s, scikit-learn {other:.3f} s, {other / mine:.1f} times as fast")


if __name__ == "__main__":
    main()
