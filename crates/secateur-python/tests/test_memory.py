"""Memory that ends is a `MemoryError`, wherever that happens, and the process goes on."""

import subprocess
import sys

import pytest

FIT = """
import resource, sys
import numpy as np
from secateur import TreeClassifier

rows, classes, threads, megabytes = map(int, sys.argv[1:])
X = np.random.default_rng(1).random((rows, 3))
y = np.arange(rows) % classes
TreeClassifier(n_jobs=threads).fit(X[:100], y[:100] % 2)
now = int(next(line for line in open("/proc/self/status") if line.startswith("VmSize")).split()[1]) << 10
most = now + (megabytes << 20)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
try:
    TreeClassifier(scheme="cart", n_jobs=threads).fit(X, y)
except MemoryError as error:
    assert str(error)
    print("MemoryError")
"""


def fitted(*numbers):
    done = subprocess.run([sys.executable, "-c", FIT, *map(str, numbers)], capture_output=True, text=True)
    assert done.returncode == 0, (numbers, done.returncode, done.stderr)
    return done.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="addresses are limited and counted as Linux does it")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_fit_that_lacks_memory_is_a_memory_error(threads):
    assert "MemoryError" in fitted(8000, 4000, threads, 150)
    refused = [fitted(150_000, 3, threads, megabytes) for megabytes in range(0, 17, 4)]
    assert refused.count("MemoryError\n") > 1, refused
