"""An independent CART grower: full Gini trees of some UCI sets, to compare sizes and training errors with.

    python conformance/full_trees.py DATA_DIR > conformance/full_trees.csv

Written from the definition and sharing nothing with the Rust code: at every node each column is sorted, each boundary
between distinct values is scored by exact integer class counts, and the largest gain wins (equal gains: the earlier
column, then the smaller threshold; equal means within 1e-12). Nodes without a positive gain are leaves. Needs NumPy.
"""

import gzip
import os
import sys

import numpy as np

SETS = ["iris", "glass", "vehicle", "segment", "letter", "covtype"]
TIE = 1e-12


def load(folder, name):
    path = os.path.join(folder, "classification", name + ".arff")
    lines = open(path) if os.path.exists(path) else gzip.open(path + ".gz", "rt")
    with lines:
        for line in lines:
            if line.strip().lower() == "@data":
                break
        rows = [line.strip().split(",") for line in lines if line.strip() and not line.startswith("%")]
    labels = sorted({row[-1] for row in rows})
    codes = {label: i for i, label in enumerate(labels)}
    X = np.array([row[:-1] for row in rows], dtype=float)
    return X, np.array([codes[row[-1]] for row in rows]), len(labels)


def best_split(X, y, classes):
    n = len(y)
    total = np.bincount(y, minlength=classes).astype(float)
    impurity = 1.0 - ((total / n) ** 2).sum()
    best = (TIE, None, None)
    for column in range(X.shape[1]):
        x = X[:, column]
        if x[0] == x[-1] and (x == x[0]).all():
            continue
        order = np.argsort(x, kind="stable")
        xs, ys = x[order], y[order]
        cuts = np.nonzero(xs[1:] != xs[:-1])[0] + 1
        if len(cuts) == 0:
            continue
        hot = np.zeros((n, classes))
        hot[np.arange(n), ys] = 1.0
        left = np.cumsum(hot, axis=0)[cuts - 1]
        right = total - left
        weight_left = cuts.astype(float)
        weight_right = n - weight_left
        cost = (weight_left - (left**2).sum(1) / weight_left) + (weight_right - (right**2).sum(1) / weight_right)
        gain = impurity - cost / n
        first = int(np.nonzero(gain >= gain.max() - TIE)[0][0])
        if gain[first] > best[0] + TIE or best[1] is None and gain[first] > TIE:
            best = (gain[first], column, (xs[cuts[first] - 1], xs[cuts[first]]))
    return best


def grow(X, y, classes):
    leaves = errors = depth = 0
    stack = [(np.arange(len(y)), 0)]
    while stack:
        rows, level = stack.pop()
        counts = np.bincount(y[rows], minlength=classes)
        column = None
        if counts.max() < len(rows):
            _, column, between = best_split(X[rows], y[rows], classes)
        if column is None:
            leaves += 1
            errors += len(rows) - counts.max()
            depth = max(depth, level)
            continue
        side = X[rows, column] <= between[0]
        stack.append((rows[side], level + 1))
        stack.append((rows[~side], level + 1))
    return leaves, errors, depth


def main():
    print("dataset,rows,leaves,errors,depth")
    for name in SETS:
        X, y, classes = load(sys.argv[1], name)
        print(f"{name},{len(y)}," + ",".join(map(str, grow(X, y, classes))), flush=True)


if __name__ == "__main__":
    main()
