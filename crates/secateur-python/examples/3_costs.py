"""Costs: giving credit to somebody who does not pay back is five times as bad as refusing somebody who would have."""

import secateur
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import train_test_split

X, y = secateur.load_builtin("credit?n=2000")
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
bad, good = sorted(y.unique())
costs = {(bad, good): 5.0, (good, bad): 1.0}

for name, given in [("all mistakes alike", None), ("costs", costs)]:
    tree = secateur.TreeClassifier(costs=given, handle_unknown="missing").fit(X_train, y_train)
    table = confusion_matrix(y_test, tree.predict(X_test), labels=[bad, good])
    mean_cost = (table[0, 1] * costs[bad, good] + table[1, 0] * costs[good, bad]) / table.sum()
    print(f"{name:20} {tree.get_n_leaves()} leaves, mean cost {mean_cost:.3f}")
    print(table, "\n")
