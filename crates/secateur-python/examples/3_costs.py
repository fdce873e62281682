"""Costs: giving credit to somebody who does not pay back is five times as bad as refusing somebody who would have."""

import secateur
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import cross_val_predict

X, y = secateur.load_builtin("credit?n=2000")
bad, good = sorted(y.unique())
costs = {(bad, good): 5.0, (good, bad): 1.0}  # (what is right, what is said)

for name, given in [("all mistakes alike", None), ("with costs", costs)]:
    tree = secateur.TreeClassifier(costs=given)
    said = cross_val_predict(tree, X, y, cv=5)
    table = confusion_matrix(y, said, labels=[bad, good])
    mean = (table[0, 1] * costs[bad, good] + table[1, 0] * costs[good, bad]) / table.sum()
    print(f"{name}: {table[0, 1]} bad risks taken, {table[1, 0]} good ones refused, mean cost {mean:.3f}")
    print(tree.fit(X, y), "\n")
