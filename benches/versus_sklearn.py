"""Grows the same full trees with Secateur and with scikit-learn in one run, and prints ratios.

    python -m venv .venv && .venv/bin/pip install scikit-learn
    .venv/bin/python benches/versus_sklearn.py [--quick] [--data DIR] [--markdown FILE]

Each measurement is a process of its own (so that peak memory is comparable); the two programs take turns, and the
median counts. Secateur's time is coding plus growing, scikit-learn's is `fit` on float32 data. `--data` is a folder
with the UCI sets (for covtype); without it that row is left out.
"""

import argparse
import gzip
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

SKLEARN = """
import json, sys, time
import numpy as np
from sklearn.tree import DecisionTreeClassifier
file, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
raw = np.fromfile(file, dtype="<f8").reshape(columns + 1, rows)
X, y = np.ascontiguousarray(raw[:columns].T.astype(np.float32)), raw[columns].astype(int)
del raw
start = time.perf_counter()
tree = DecisionTreeClassifier(random_state=0).fit(X, y)
print(json.dumps({"seconds": time.perf_counter() - start, "leaves": int(tree.get_n_leaves())}))
"""


def gaussian(rows, file):
    import numpy as np

    rng = np.random.default_rng(rows)
    y = rng.integers(0, 2, rows)
    X = rng.standard_normal((rows, 10))
    X[:, :2] += y[:, None]
    np.concatenate([X.T.ravel(), y]).astype("<f8").tofile(file)
    return rows, 10


def covtype(path, file):
    import numpy as np

    with gzip.open(path, "rt") as lines:
        for line in lines:
            if line.lower().startswith("@data"):
                break
        table = np.loadtxt(lines, delimiter=",")
    table.T.astype("<f8").tofile(file)
    return table.shape[0], table.shape[1] - 1


def run(command):
    """Runs a command; returns its last line as JSON and its peak memory in MiB."""
    wrapper = "import resource,subprocess,sys; r=subprocess.run(sys.argv[1:]); " \
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(r.returncode)"
    lines = subprocess.run([sys.executable, "-c", wrapper, *command], check=True, capture_output=True,
                           text=True).stdout.split("\n")
    lines = [line for line in lines if line]
    return json.loads(lines[-2] if lines[-1].isdigit() else lines[-1]), int(next(l for l in lines if l.isdigit())) / 1024


def build():
    out = subprocess.run(["cargo", "bench", "-p", "secateur", "--bench", "grow", "--no-run", "--message-format=json"],
                         cwd=ROOT, check=True, capture_output=True, text=True).stdout
    built = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    return next(b["executable"] for b in built if b.get("target", {}).get("name") == "grow" and b.get("executable"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only the smallest table, once")
    parser.add_argument("--data", default=os.path.join(ROOT, "..", "shared", "data"))
    parser.add_argument("--markdown", help="write the table to this file too")
    options = parser.parse_args()
    program = build()
    import sklearn

    path = os.path.join(options.data, "classification", "covtype.arff.gz")
    tables = [("Gaussian 100k × 10", lambda f: gaussian(100_000, f), 5)]
    if not options.quick:
        tables.append(("Gaussian 1M × 10", lambda f: gaussian(1_000_000, f), 3))
        if os.path.exists(path):
            tables.append(("covtype 581k × 54", lambda f: covtype(path, f), 3))
        else:
            print("covtype skipped: no", path, file=sys.stderr)
    lines = [
        f"scikit-learn {sklearn.__version__}, {platform.machine()}, {os.cpu_count()} cores; exact full-depth trees",
        "",
        "| table | scikit-learn | Secateur, 1 thread | ratio | 2 threads | ratio | leaves | peak memory |",
        "|---|---|---|---|---|---|---|---|",
    ]
    ours = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, make, repeats in tables:
            file = os.path.join(folder, "table.raw")
            rows, columns = make(file)
            theirs, one, two = [], [], []
            for _ in range(1 if options.quick else repeats):
                shape = [file, str(rows), str(columns)]
                theirs.append(run([sys.executable, "-c", SKLEARN, *shape]))
                one.append(run([program, *shape, "1", "1"]))
                two.append(run([program, *shape, "1", "2"]))
            seconds = lambda runs: statistics.median(r.get("seconds") or r["code"] + r["grow"] for r, _ in runs)
            memory = lambda runs: max(m for _, m in runs)
            t, a, b = seconds(theirs), seconds(one), seconds(two)
            ours[name] = a
            lines.append(f"| {name} | {t:.2f} s | {a:.3f} s | {t / a:.1f}× | {b:.3f} s | {t / b:.1f}× | "
                         f"{one[0][0]['leaves']} / {theirs[0][0]['leaves']} | {memory(one):.0f} / {memory(theirs):.0f} MiB |")
    if "Gaussian 1M × 10" in ours:
        growth = ours["Gaussian 1M × 10"] / ours["Gaussian 100k × 10"]
        lines += ["", f"Ten times the rows take {growth:.1f} times as long (n log n: 12.0). Leaves and memory: Secateur's / scikit-learn's."]
    print("\n".join(lines))
    if options.markdown:
        with open(options.markdown, "w") as out:
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
