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


def pytest_runtest_logreport(report):
    """Counts skipped tests with those of the library: see ./test."""
    listed = os.environ.get("SECATEUR_SKIPPED")
    if not report.skipped or hasattr(report, "wasxfail") or not listed:
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = " ".join(reason.removeprefix("Skipped: ").split())
    with open(listed, "a") as file:
        file.write(f"skipped: {report.nodeid.replace(' ', '_')}: Python: {reason}\n")
