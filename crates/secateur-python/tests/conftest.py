import os
import shutil

# Before SciPy is there: scikit-learn's checks then include arrays of other kinds.
os.environ.setdefault("SCIPY_ARRAY_API", "1")

import matplotlib
import numpy as np
import pytest

matplotlib.use("agg")


@pytest.fixture
def rng():
    return np.random.default_rng(1)


@pytest.fixture(scope="session")
def program():
    """The program of the same checkout."""
    found = os.environ.get("SECATEUR_PROGRAM") or shutil.which("secateur")
    if not found:
        pytest.skip("there is no program: build it and name it in SECATEUR_PROGRAM")
    return found
