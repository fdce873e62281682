"""The tables: which there are, how large, and their files, which are made when first asked for."""

import os
import subprocess

from . import places
from .progress import say

# name: kind, (rows, columns) in full and with --quick.
SIZES = {
    "gaussian-10k": ("gaussian", (10_000, 10), (2_000, 10)),
    "gaussian-20k": ("gaussian", (20_000, 10), (3_000, 10)),
    "gaussian-100k": ("gaussian", (100_000, 10), (5_000, 10)),
    "gaussian-1m": ("gaussian", (1_000_000, 10), (20_000, 10)),
    "noise-100k": ("noise", (100_000, 10), (5_000, 10)),
    "wide": ("gaussian", (5_000, 2_000), (500, 200)),
    "numbers-100k": ("numbers", (100_000, 10), (5_000, 10)),
    "numbers-1m": ("numbers", (1_000_000, 10), (20_000, 10)),
    "mixed": ("mixed", (100_000, 9), (5_000, 9)),
    "covtype": ("covtype", (581_012, 54), (581_012, 54)),
}


class Missing(Exception):
    """A table that cannot be made here."""


class Table:
    """A table of the suite."""

    def __init__(self, name, quick, data):
        self.name = name
        self.kind, full, small = SIZES[name]
        self.rows, self.columns = small if quick else full
        self.data = data

    @property
    def task(self):
        return "numbers" if self.kind == "numbers" else "classes"

    @property
    def title(self):
        kinds = {"gaussian": "Gaussian", "noise": "random labels", "numbers": "regression", "mixed": "nominal, missing values"}
        return f"{kinds.get(self.kind, self.kind)} {_count(self.rows)} × {_count(self.columns)}"

    def file(self, format):
        """The path of its file in a format: raw, csv, arff or parquet."""
        path = os.path.join(places.TABLES, f"{self.kind}-{self.rows}x{self.columns}.{format}")
        if os.path.exists(path):
            return path
        os.makedirs(places.TABLES, exist_ok=True)
        source = "-"
        if self.kind == "covtype":
            source = os.path.join(self.data, "classification", "covtype.arff.gz")
            if not os.path.exists(source):
                raise Missing("no classification/covtype.arff.gz in the folder of --data")
        say(f"making {os.path.basename(path)}")
        script = os.path.join(places.BENCH, "secateur_bench", "generate.py")
        shape = [str(self.rows), str(self.columns)]
        done = subprocess.run([places.PYTHON, script, self.kind, *shape, path, source], capture_output=True, text=True)
        if done.returncode:
            raise Missing((done.stderr.strip().splitlines() or ["it cannot be made"])[-1])
        return path


def _count(n):
    if n >= 1_000_000 and n % 1_000_000 == 0:
        return f"{n // 1_000_000}M"
    return f"{n // 1000}k" if n >= 1000 else str(n)
