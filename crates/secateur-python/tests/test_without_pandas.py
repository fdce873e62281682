"""Without pandas everything works but what is a data frame: tables are dictionaries of columns."""

import subprocess
import sys

SCRIPT = """
import sys
for name in ("pandas", "polars", "pyarrow", "matplotlib"):
    sys.modules[name] = None  # as if it were not installed
import numpy as np, secateur
rng = np.random.default_rng(1)
X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
tree = secateur.TreeClassifier("cart").fit(X, y)
def columns(table, *names):
    assert isinstance(table, dict) and set(names) <= set(table), table
    assert len({len(column) for column in table.values()}) == 1
columns(tree.to_frame(), "parent", "test", "rows", "weight", "prediction")
columns(tree.path("cost-complexity"), "parameter", "leaves", "training_error")
columns(tree.path("k-norm", X, y, cv=3), "cv_error")
columns(tree.cost_complexity_path(), "leaves")
columns(tree.reliability(X), "error", "sd", "norm")
columns(secateur.schemes(), "method", "option")
found = secateur.compare({"noise": (X, y)}, ["cart", "cart/mdl"], folds=3)
columns(found.table, "scheme", "mark")
print(tree.explain(X[0]), tree.rules(), tree, found)
try:
    secateur.load_builtin("iris")
except ImportError as problem:
    assert "install pandas" in str(problem)
else:
    raise AssertionError
try:
    tree.plot()
except ImportError as problem:
    print(problem)
else:
    raise AssertionError
"""


def test_everything_else_works():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
