"""What scikit-learn answers: its cost-complexity paths (impurity as the risk) and the sizes of its full trees.

    python conformance/sklearn_path.py DATA_DIR conformance

DATA_DIR holds classification/*.arff, the class last, all other columns numeric without missing values. Writes
sklearn_path.csv and sklearn_full.csv into the second argument. Needs scikit-learn. (Not named sklearn.py: a script of
that name would import itself.)
"""

import csv
import os
import sys

import numpy as np
from sklearn.tree import DecisionTreeClassifier

PATH_SETS = ["iris", "glass", "vehicle", "balance-scale"]
FULL_SETS = PATH_SETS + ["pima-diabetes", "heart-statlog", "ionosphere", "sonar", "segment", "liver-disorders", "wine",
                         "new-thyroid"]
SEEDS = range(5)


def load(folder, name):
    with open(os.path.join(folder, "classification", name + ".arff")) as lines:
        for line in lines:
            if line.strip().lower() == "@data":
                break
        rows = [line.strip().split(",") for line in lines if line.strip() and not line.startswith("%")]
    return np.array([row[:-1] for row in rows], dtype=float), np.array([row[-1] for row in rows])


def leaf_risk(tree):
    """The weighted Gini impurity of the leaves, each weighted by its share of the rows."""
    leaf = tree.children_left < 0
    return (tree.impurity[leaf] * tree.weighted_n_node_samples[leaf]).sum() / tree.weighted_n_node_samples[0]


def path(folder, name, min_leaf):
    X, y = load(folder, name)
    options = {"criterion": "gini", "min_samples_leaf": min_leaf, "random_state": 0}
    found = DecisionTreeClassifier(**options).cost_complexity_pruning_path(X, y)
    alphas, impurities = found.ccp_alphas, found.impurities
    for i, (alpha, impurity) in enumerate(zip(alphas, impurities)):
        fit = DecisionTreeClassifier(ccp_alpha=alpha, **options).fit(X, y)
        # One row per collapsed node: of rows with the same alpha only the last is a tree that can be had.
        if i + 1 == len(alphas) or alphas[i + 1] != alpha:
            assert abs(leaf_risk(fit.tree_) - impurity) < 1e-12, (name, min_leaf, alpha)
        errors = int((fit.predict(X) != y).sum())
        yield name, min_leaf, f"{alpha:.17g}", f"{impurity:.17g}", fit.get_n_leaves(), errors, len(y)


def full(folder, name, min_leaf):
    X, y = load(folder, name)
    for seed in SEEDS:
        fit = DecisionTreeClassifier(min_samples_leaf=min_leaf, random_state=seed).fit(X, y)
        errors = int((fit.predict(X) != y).sum())
        yield name, min_leaf, seed, fit.get_n_leaves(), errors, fit.get_depth(), len(y)


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def main():
    folder, target = sys.argv[1:]
    rows = [row for name in PATH_SETS for min_leaf in (1, 2) for row in path(folder, name, min_leaf)]
    header = ["dataset", "min_leaf", "ccp_alpha", "impurity", "leaves", "errors", "n"]
    write(os.path.join(target, "sklearn_path.csv"), header, rows)
    rows = [row for name in FULL_SETS for min_leaf in (1, 2, 10) for row in full(folder, name, min_leaf)]
    header = ["dataset", "min_leaf", "random_state", "leaves", "errors", "depth", "n"]
    write(os.path.join(target, "sklearn_full.csv"), header, rows)


if __name__ == "__main__":
    main()
