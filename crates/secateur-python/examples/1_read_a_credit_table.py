"""Read a credit table: numbers, text and missing values together, nothing encoded, one tree that can be read."""

import secateur

# Any data frame will do; this one ships with the library.
X, y = secateur.load_builtin("credit?n=1000")
print(X.head().to_string(), "\n")

tree = secateur.TreeClassifier(random_state=1).fit(X, y)
print(tree)
print("\nerror to expect:", f"{tree.estimate_['error']:.3f} ± {tree.estimate_['se']:.3f}\n")

print("Why is the first applicant judged so?")
print(tree.explain(X.iloc[0]))

tree.save("credit.json")  # `secateur show credit.json` reads it
