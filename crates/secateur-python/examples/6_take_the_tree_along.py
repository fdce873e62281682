"""Take the tree along: a pruned tree in SHAP, scikit-learn and onnxruntime, with the same answers."""

import matplotlib.pyplot as plt
import numpy as np
import secateur
from sklearn.inspection import PartialDependenceDisplay, permutation_importance

X, y = secateur.load_builtin("friedman?n=400")
tree = secateur.TreeRegressor("cart/cost-complexity:cv=10,1se").fit(X, y)
print(f"{tree.get_n_leaves()} leaves after pruning")

# A fitted tree of scikit-learn with the same nodes: whatever takes one takes this.
theirs = tree.to_sklearn()
print("largest difference:", np.abs(theirs.predict(X) - tree.predict(X)).max())
importance = permutation_importance(theirs, X, y, n_repeats=5, random_state=1)
for name, mean in sorted(zip(X.columns, importance.importances_mean), key=lambda pair: -pair[1])[:3]:
    print(f"{name}: {mean:.3f}")

PartialDependenceDisplay.from_estimator(theirs, X, [0, 3])
plt.show()

# What each column adds to one prediction. The parts and the mean of all rows add up to what the tree says.
try:
    import shap
except ImportError:
    print("pip install shap")
else:
    explained = shap.TreeExplainer(theirs)(X)
    added = explained.base_values.ravel() + explained.values.sum(axis=1)
    print("SHAP values add up:", bool(np.allclose(added, tree.predict(X))))
    shap.plots.waterfall(explained[0], show=False)
    plt.show()

# For a service: one file, and a function of one row in C, Rust, Python, JavaScript or SQL.
print(tree.export("sql", dialect="sqlite")[:200])
