"""A process that has worked can fork, and its child can work: servers, data loaders and multiprocessing do that."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import secateur
from secateur import TreeClassifier, TreeRegressor

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def in_child(work, seconds=60):
    """Whether work in a forked child ends well and in time."""
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        except BaseException as problem:
            os.write(2, f"{problem!r}\n".encode())
            os._exit(1)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status) == 0
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("before", ["fit", "predict", "compare", "path", "prune", "table"])
def test_a_child_works_after_its_parent_has(rng, before, jobs):
    X, y = rng.normal(size=(20_000, 5)), rng.integers(0, 2, 20_000)
    tree = TreeClassifier("cart:max-depth=6", n_jobs=jobs).fit(X, y)
    if before == "predict":
        tree.predict(X)
    elif before == "compare":
        secateur.compare({"noise": (X[:500], y[:500])}, ["cart", "cart/mdl"], folds=3, n_jobs=jobs)
    elif before == "path":
        tree.path("cost-complexity", X, y, cv=3)
    elif before == "prune":
        tree.prune("mdl").reliability(X)
    elif before == "table":
        secateur.load_builtin("credit?n=2000")
    expected = tree.predict_proba(X)

    def work():
        np.testing.assert_array_equal(tree.predict_proba(X), expected)
        again = TreeClassifier("cart:max-depth=6", n_jobs=jobs).fit(X, y)
        np.testing.assert_array_equal(again.predict_proba(X), expected)
        TreeRegressor(n_jobs=jobs).fit(X[:300], X[:300, 0])
        secateur.compare({"noise": (X[:300], y[:300])}, ["cart"], folds=3, n_jobs=jobs)
        # And its own child, too.
        assert in_child(lambda: tree.predict(X), 30)

    assert in_child(work)


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_works_while_another_thread_of_the_parent_fits(rng):
    X, y = rng.normal(size=(50_000, 10)), rng.integers(0, 2, 50_000)
    tree = TreeClassifier("cart:max-depth=3").fit(X, y)
    other = threading.Thread(target=lambda: TreeClassifier("cart").fit(X, y))
    other.start()
    assert in_child(lambda: tree.predict(X[:1000]))
    other.join()


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="needs /proc")
def test_small_work_and_work_on_one_thread_starts_none():
    script = """
import os, numpy as np, secateur
from sklearn.datasets import load_iris
count = lambda: len(os.listdir("/proc/self/task"))
before = count()
X, y = load_iris(return_X_y=True)
seen = []
tell = lambda *told: seen.append(count())
tree = secateur.TreeClassifier(n_jobs=4).fit(X, y)
tree.predict(X); tree.predict(X[:1]); tree.reliability(X); tree.apply(X)
big = np.random.default_rng(0).normal(size=(30_000, 10))
secateur.TreeClassifier(verbose=tell).fit(big, big[:, 0] > big[:, 1] * big[:, 2]).predict(big)
assert seen and set(seen) == {before}, (before, set(seen))
assert count() == before, (before, count())
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
