"""Which trees Weka's SimpleCart and BFTree choose by their internal cross-validation.

    python3 conformance/weka_pruned.py DATA_DIR conformance

DATA_DIR holds classification/*.arff, the class last; the trees are trained on all rows. Writes weka_pruned.csv into the second
argument. The folds follow from the seed: `weka_folds` in crates/secateur/tests/weka_folds/ makes them again. Needs what weka.py
needs, and takes the same jar.
"""

import os
import re
import subprocess
import sys

from weka import JAR, measures, run, write

SETS = [
    "iris", "glass", "heart-statlog", "ionosphere", "segment", "sonar", "vehicle", "pima-diabetes", "ecoli", "balance-scale",
    "new-thyroid", "liver-disorders", "wine",
]
OPTIONS = [
    ("SimpleCart", "-S 1 -N 10 -M 2"),
    ("SimpleCart", "-S 1 -N 10 -M 2 -A"),
    ("SimpleCart", "-S 1 -N 5 -M 2"),
    ("BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2"),
    ("BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2 -A"),
    ("BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2 -R"),
    ("BFTree", "-P POSTPRUNED -S 1 -N 5 -M 2"),
    ("BFTree", "-P PREPRUNED -S 1 -N 10 -M 2"),
    ("BFTree", "-P PREPRUNED -S 1 -N 10 -M 2 -A"),
    ("BFTree", "-P PREPRUNED -S 1 -N 10 -M 2 -R"),
]


def version():
    done = subprocess.run(["java", "-cp", JAR, "weka.core.Version"], capture_output=True, text=True, check=True)
    return re.search(r"\d+\.\d+\.\d+", done.stdout).group(0)


def main():
    folder, target = sys.argv[1:]
    weka = version()
    rows = [
        (name, learner, options, *measures(run(folder, name, learner, options)), weka)
        for name in SETS
        for learner, options in OPTIONS
    ]
    header = ["dataset", "learner", "options", "leaves", "size", "errors", "n", "weka"]
    write(os.path.join(target, "weka_pruned.csv"), header, rows)


if __name__ == "__main__":
    main()
