"""Long work lets others in, can be stopped, tells how far it is, and leaves no memory behind."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from secateur import TreeClassifier

LONG = """
import numpy as np, secateur, sys
rng = np.random.default_rng(0)
X, y = rng.normal(size=(200_000, 20)), rng.integers(0, 2, 200_000)
print("ready", flush=True)
{work}
"""


def seconds_of(child):
    """The time that a process and its threads have computed: what a clock would say on a machine without other work."""
    with open(f"/proc/{child.pid}/stat") as file:
        user, system = file.read().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
@pytest.mark.parametrize(
    "work, delay",
    [
        ("secateur.TreeClassifier(cv=20).fit(X, y)", 0.3),
        ("secateur.TreeClassifier('best-first/post:cv=10').fit(X, y)", 1.5),
        ("secateur.compare({'noise': (X, y)}, ['cart/k-norm:cv=10'])", 1.0),
    ],
)
def test_control_c_stops_the_work(work, delay):
    child = subprocess.Popen(
        [sys.executable, "-c", LONG.format(work=work)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(delay)
    assert child.poll() is None, "the work is too short to be stopped"
    before = seconds_of(child)
    child.send_signal(signal.SIGINT)
    said = child.stderr.read()
    _, _, used = os.wait4(child.pid, 0)
    child.returncode = 1
    assert "KeyboardInterrupt" in said
    assert used.ru_utime + used.ru_stime - before < 1


def test_other_threads_run_meanwhile(rng):
    X, y = rng.normal(size=(30_000, 10)), rng.integers(0, 2, 30_000)
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    begun = time.monotonic()
    TreeClassifier("cart").fit(X, y)
    ended = time.monotonic()
    stop.set()
    other.join()
    assert sum(begun < t < ended for t in ticks) > 10 * (ended - begun)


def test_progress_is_told(rng):
    X, y = rng.normal(size=(30_000, 10)), rng.integers(0, 2, 30_000)
    heard = []
    TreeClassifier(verbose=lambda *told: heard.append(told)).fit(X, y)
    assert heard and all(done <= total or total == 0 for _, done, total in heard)

    def refuse(*told):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        TreeClassifier(verbose=refuse).fit(X, y)


def test_fits_at_the_same_time_in_threads(rng):
    X, y = rng.normal(size=(2_000, 5)), rng.integers(0, 3, 2_000)
    expected = TreeClassifier("cart").fit(X, y).model_.to_json()
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(TreeClassifier("cart").fit(X, y).model_.to_json()))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_a_thousand_fits_leave_no_memory_behind(rng):
    pl = pytest.importorskip("polars")

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    X, y = rng.normal(size=(2_000, 10)), rng.integers(0, 2, 2_000)
    table = pl.DataFrame(X).with_columns(pl.lit("a text that is long enough to be kept apart").alias("text"))

    def work(times):
        for _ in range(times):
            tree = TreeClassifier("cart:max-depth=4").fit(table, y)
            tree.predict_proba(table)
            tree.to_frame()

    work(100)
    before = resident()
    work(1000)
    # One table is 0.4 MB: a leak of a tenth of it each time would be 40.
    assert resident() - before < 16
