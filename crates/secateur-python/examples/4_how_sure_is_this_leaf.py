"""How sure is this leaf: the error to expect and its spread, by the training counts alone."""

import secateur

X, y = secateur.load_builtin("iris")
tree = secateur.TreeClassifier("cart/k-norm:k=2").fit(X, y)
print(tree.rules())

# A leaf without a mistake on 46 rows is surer than one on 3.
leaves = tree.to_frame().query("leaf")
print(leaves[["prediction", "rows", "error", "expected_error", "expected_error_sd"]].to_string())

doubtful = tree.reliability(X).assign(said=tree.predict(X), true=y.to_numpy()).nlargest(5, "norm")
print("\nThe rows that the tree is least sure of:")
print(doubtful)
