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


#: What is missing where a test is skipped, by words of its reason.
MISSING = {
    "there is no program": "program",
    "there is no java": "java",
    "could not import 'pyspark": "spark",
    "could not import 'distributed": "dask",
    "could not import 'dask": "dask",
    "could not import 'ray": "ray",
    "R is not there": "r",
    "rpart": "r",
    "could not import": "python-packages",
    "No module named": "python-packages",
    "needs": "system",
}


def missing(reason):
    """What a skipped test lacks, in the words of SECATEUR_REQUIRE."""
    return next((name for words, name in MISSING.items() if words in reason), "python")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A test that is skipped fails instead where SECATEUR_REQUIRE, a list, asks for what it lacks: as in the tests of the library."""
    report = (yield).get_result()
    if not report.skipped or hasattr(report, "wasxfail"):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    required = [name.strip() for name in os.environ.get("SECATEUR_REQUIRE", "").split(",")]
    if missing(reason) in required:
        report.outcome, report.longrepr = "failed", f"SECATEUR_REQUIRE asks for {missing(reason)}: {reason}"


def pytest_runtest_logreport(report):
    """Counts skipped tests with those of the library: see ./test."""
    listed = os.environ.get("SECATEUR_SKIPPED")
    if not report.skipped or hasattr(report, "wasxfail") or not listed:
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = " ".join(reason.removeprefix("Skipped: ").split())
    with open(listed, "a") as file:
        file.write(f"skipped: {report.nodeid.replace(' ', '_')}: Python: {reason}\n")
