"""Comparing methods: the same folds for all, and marks only where a corrected test sees a difference."""

import secateur
from sklearn.datasets import load_breast_cancer, load_wine

tables = {
    "wine": load_wine(return_X_y=True),
    "breast cancer": load_breast_cancer(return_X_y=True),
    "credit": secateur.load_builtin("credit?n=500"),
}
schemes = {
    "full": "cart",
    "cost-complexity": "cart/cost-complexity:cv=5,1se",
    "k-norm": "cart/k-norm:k=2",
    "c4.5": "c45/error-based",
}

for measure in ["accuracy", "leaves"]:
    print(secateur.compare(tables, schemes, measure=measure, folds=5, repeats=2), "\n")
