"""What imodels makes of the values in scikit-learn's trees by hierarchical shrinkage, to compare Secateur's leaf values with.

    python conformance/shrinkage.py > conformance/shrinkage.csv

The trees are grown from tables that come with scikit-learn. A line is a node of a tree for one lambda: case, lambda, node, the node
above (empty at the root), weight, and then the raw numbers (class weights, or the mean) and the shrunk ones (class shares, or the
mean), each list separated by spaces. Nodes are numbered level by level, so that siblings stand together.
"""

import csv
import sys
from copy import deepcopy

import numpy as np
from imodels import HSTreeClassifier, HSTreeRegressor
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

LAMBDAS = [0.0, 0.1, 1.0, 10.0, 50.0, 1e6]


def cases():
    x, y = load_wine(return_X_y=True)
    yield "wine", DecisionTreeClassifier(random_state=1), x, y, None
    x, y = load_breast_cancer(return_X_y=True)
    weights = 0.25 + 0.5 * (np.arange(len(y)) % 7)
    yield "cancer-weighted", DecisionTreeClassifier(max_leaf_nodes=20, random_state=1), x, y, weights
    x, y = load_diabetes(return_X_y=True)
    yield "diabetes", DecisionTreeRegressor(max_leaf_nodes=30, random_state=1), x, y, None
    weights = 0.25 + 0.5 * (np.arange(len(y)) % 5)
    yield "diabetes-weighted", DecisionTreeRegressor(min_samples_leaf=8, random_state=1), x, y, weights


def levels(tree):
    """The nodes level by level, each with the node above."""
    order = [(0, None)]
    for place, (node, _) in enumerate(order):
        if tree.children_left[node] != tree.children_right[node]:
            order += [(tree.children_left[node], place), (tree.children_right[node], place)]
    return order


def text(numbers):
    return " ".join(repr(float(number)) for number in np.atleast_1d(numbers))


def main():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["case", "lambda", "node", "parent", "weight", "raw", "shrunk"])
    for name, estimator, x, y, weights in cases():
        estimator.fit(x, y, sample_weight=weights)
        raw = deepcopy(estimator.tree_)
        is_class = isinstance(estimator, DecisionTreeClassifier)
        for reg_param in LAMBDAS:
            shrinker = HSTreeClassifier if is_class else HSTreeRegressor
            shrunk = shrinker(estimator_=deepcopy(estimator), reg_param=reg_param).estimator_.tree_
            for place, (node, parent) in enumerate(levels(raw)):
                weight = raw.weighted_n_node_samples[node]
                own = raw.value[node, 0]
                own = own * weight if is_class else own
                above = "" if parent is None else parent
                out.writerow([name, reg_param, place, above, repr(float(weight)), text(own), text(shrunk.value[node, 0])])


main()
