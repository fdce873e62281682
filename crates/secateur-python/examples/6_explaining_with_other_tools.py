"""Explaining with other tools: SHAP and scikit-learn's inspection look at a pruned tree as at any other model."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import secateur
import shap
from sklearn.datasets import load_diabetes
from sklearn.inspection import PartialDependenceDisplay, permutation_importance
from sklearn.model_selection import train_test_split

# How far a disease goes in a year, from ten numbers of each patient.
X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=1)

tree = secateur.TreeRegressor(random_state=1).fit(X_train, y_train)
print(tree)
print("R² on other patients:", round(tree.score(X_test, y_test), 2))

# Which columns matter? Shuffled on other patients, a column that matters makes the predictions worse.
shuffled = permutation_importance(tree, X_test, y_test, n_repeats=30, random_state=1)
mattering = pd.DataFrame({"by splits": tree.feature_importances_, "by shuffling": shuffled.importances_mean, "±": shuffled.importances_std}, X.columns)
print("\n" + mattering[mattering["by splits"] > 0].sort_values("by shuffling", ascending=False).round(3).to_string())

# How do the two that matter most change what is predicted?
first, second = mattering["by shuffling"].nlargest(2).index
shown = PartialDependenceDisplay.from_estimator(tree, X_test, [first, second], kind="both", subsample=50, random_state=1)
shown.axes_[0, 0].get_legend().remove()
shown.figure_.set_size_inches(9, 3.6)
shown.figure_.tight_layout()
plt.show()

# What did each column add to the prediction of one patient? Together they give what the tree says.
explained = shap.TreeExplainer(tree.to_sklearn())(X_test)
patient = int(np.argmax(tree.predict(X_test)))
print(f"\n{explained.base_values[patient]:.1f} + {explained.values[patient].sum():.1f} = {tree.predict(X_test.iloc[[patient]])[0]:.1f}")
tested = np.flatnonzero(tree.feature_importances_)  # the tree looks at no other columns
shap.plots.waterfall(explained[:, tested][patient], show=False)
plt.tight_layout()
plt.show()
