"""Decision trees that can be read, trusted and defended, pruned in every way the literature knows.

>>> import secateur
>>> X, y = secateur.load_builtin("iris")
>>> tree = secateur.TreeClassifier(pruning="k-norm", k=2).fit(X, y)
>>> tree.get_n_leaves()
3
"""

from __future__ import annotations

from . import _native
from ._builtin import load_builtin, schemes
from ._classifier import TreeClassifier
from ._compare import Comparison, compare
from ._explain import Explanation
from ._file import fit_file
from ._foreign import from_rpart, from_sklearn, from_ydf, import_tree
from ._regressor import TreeRegressor
from ._warnings import TableWarning

__version__ = _native.__version__

# What is kept in files (pickles, skops) names the public place of a class, which stays.
for _public in (Comparison, Explanation, TableWarning, TreeClassifier, TreeRegressor):
    _public.__module__ = __name__

__all__ = [
    "Comparison",
    "Explanation",
    "TableWarning",
    "TreeClassifier",
    "TreeRegressor",
    "compare",
    "fit_file",
    "from_rpart",
    "from_sklearn",
    "from_ydf",
    "import_tree",
    "load_builtin",
    "schemes",
]
