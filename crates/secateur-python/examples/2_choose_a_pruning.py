"""Choose a pruning: grow once, cut in many ways, look at every size the tree can have."""

import secateur

X, y = secateur.load_builtin("credit?n=1000")

full = secateur.TreeClassifier("cart").fit(X, y)
print("the full tree has", full.get_n_leaves(), "leaves\n")

for pruning in ["mdl", "k-norm:k=2", "error-based:cf=0.25", "pessimistic", "min-error:m=2"]:
    print(f"{pruning:20} {full.prune(pruning).get_n_leaves():4} leaves")

print("\nEvery size that cost-complexity pruning can give, with ten folds:")
path = full.path("cost-complexity", X, y, cv=10)
print(path.tail(12).to_string(index=False))

ax = full.plot_path("cost-complexity", X, y, cv=10)
ax.figure.savefig("path.png")
