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
    "needs fork": "system",
    "needs /proc": "system",
}


def missing(reason):
    """What a skipped test lacks, in the words of SECATEUR_REQUIRE; nothing where the reason is none of the known ones."""
    return next((name for words, name in MISSING.items() if words in reason), None)


def skip_reason(report):
    """Why a test or a file of tests is skipped; nothing where it is not."""
    if not report.skipped or hasattr(report, "wasxfail"):
        return None
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return " ".join(reason.removeprefix("Skipped: ").split())


def fail_where_required(report):
    """What is skipped fails instead where SECATEUR_REQUIRE, a list, asks for what it lacks: as in the tests of the library.

    Where it asks for anything, a reason that is not known fails, too: nobody could ask for it.
    """
    reason = skip_reason(report)
    required = [name.strip() for name in os.environ.get("SECATEUR_REQUIRE", "").split(",") if name.strip()]
    if reason is None or not required:
        return
    lacks = missing(reason)
    if lacks is None:
        report.outcome, report.longrepr = "failed", f"skipped for a reason that is not in MISSING of conftest.py: {reason}"
    elif lacks in required:
        report.outcome, report.longrepr = "failed", f"SECATEUR_REQUIRE asks for {lacks}: {reason}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Tests."""
    fail_where_required((yield).get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector):
    """Whole files, which are skipped while they are imported."""
    fail_where_required((yield).get_result())


def count(report):
    """Counts what is skipped with the tests of the library: see ./test."""
    reason, listed = skip_reason(report), os.environ.get("SECATEUR_SKIPPED")
    if reason is not None and listed:
        with open(listed, "a") as file:
            file.write(f"skipped: {report.nodeid.replace(' ', '_')}: Python: {reason}\n")


def pytest_runtest_logreport(report):
    """Tests."""
    count(report)


def pytest_collectreport(report):
    """Whole files."""
    count(report)
