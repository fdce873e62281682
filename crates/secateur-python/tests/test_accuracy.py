"""Full trees are as good as scikit-learn's, within noise."""

import numpy as np
import pytest
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_blobs,
    make_circles,
    make_classification,
    make_gaussian_quantiles,
    make_hastie_10_2,
    make_moons,
)
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from secateur import TreeClassifier

SETS = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "digits": load_digits(return_X_y=True),
    "moons": make_moons(600, noise=0.3, random_state=0),
    "circles": make_circles(600, noise=0.2, factor=0.5, random_state=0),
    "blobs": make_blobs(600, centers=5, cluster_std=3, random_state=0),
    "quantiles": make_gaussian_quantiles(n_samples=600, n_features=4, random_state=0),
    "hastie": make_hastie_10_2(600, random_state=0),
    "classification": make_classification(600, n_informative=6, n_classes=3, random_state=0),
}


@pytest.mark.parametrize("name", SETS)
def test_full_trees_are_as_good(name):
    X, y = SETS[name]
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    ours = cross_val_score(TreeClassifier("cart"), X, y, cv=folds)
    # Ties between splits are broken by chance there: several seeds.
    theirs = np.mean([cross_val_score(DecisionTreeClassifier(random_state=s), X, y, cv=folds) for s in range(3)], axis=0)
    difference = ours - theirs
    # Corrected for the overlap of the training sets (Nadeau and Bengio): five-fold, so 1/4 on top of 1/15.
    noise = np.sqrt((1 / len(difference) + 1 / 4) * difference.var(ddof=1))
    assert abs(difference.mean()) <= max(3 * noise, 0.01), (ours.mean(), theirs.mean())
