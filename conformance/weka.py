"""What Weka 3.6 answers: sizes and training errors of J48, SimpleCart and BFTree.

    python3 conformance/weka.py DATA_DIR conformance

DATA_DIR holds classification/*.arff, the class last. Writes weka_j48.csv and weka_trees.csv into the second argument.
Needs Debian's weka and default-jre-headless; WEKA_JAR names another jar. Only the standard library.
"""

import csv
import os
import re
import subprocess
import sys

JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")

J48_SETS = [
    "iris", "glass", "pima-diabetes", "vehicle", "heart-statlog", "balance-scale", "ionosphere", "sonar", "segment",
    "tic-tac-toe", "kr-vs-kp", "car", "vote", "breast-cancer", "breast-w", "credit-rating", "hepatitis", "labor",
    "heart-c", "soybean",
]
J48_OPTIONS = [
    "-C 0.25 -M 2", "-C 0.05 -M 2", "-C 0.25 -M 2 -S", "-C 0.05 -M 2 -S", "-U -M 2", "-U -M 1", "-C 0.25 -M 2 -B",
    "-U -M 2 -B",
]
TREE_SETS = ["iris", "glass", "pima-diabetes", "vehicle", "heart-statlog", "balance-scale", "ionosphere", "sonar"]
TREE_OPTIONS = [
    ("SimpleCart", "-U -M 2"),
    ("SimpleCart", "-U -M 1"),
    ("SimpleCart", "-S 1 -N 5 -M 2"),
    ("SimpleCart", "-S 1 -N 10 -M 2"),
    ("SimpleCart", "-S 1 -N 10 -M 2 -A"),
    ("BFTree", "-P UNPRUNED -M 2"),
    ("BFTree", "-P UNPRUNED -M 1"),
    ("BFTree", "-P UNPRUNED -M 2 -G"),
    ("BFTree", "-P POSTPRUNED -S 1 -N 5 -M 2"),
    ("BFTree", "-P POSTPRUNED -S 1 -N 10 -M 2"),
    ("BFTree", "-P PREPRUNED -S 1 -N 10 -M 2"),
]


def run(folder, name, learner, options):
    data = os.path.join(folder, "classification", name + ".arff")
    command = ["java", "-Xmx1g", "-cp", JAR, "weka.classifiers.trees." + learner, "-t", data, "-no-cv"]
    done = subprocess.run(command + options.split(), capture_output=True, text=True, check=True)
    return done.stdout


def number(pattern, text):
    found = re.search(pattern, text, re.IGNORECASE)
    if not found:
        sys.exit(f"no {pattern!r} in:\n{text}")
    return int(found.group(1))


def measures(text):
    leaves = number(r"number of (?:leaves|leaf nodes)\s*:\s*(\d+)", text)
    size = number(r"size of the tree\s*:\s*(\d+)", text)
    errors = number(r"incorrectly classified instances\s+(\d+)", text)
    total = number(r"total number of instances\s+(\d+)", text)
    return leaves, size, errors, total


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def main():
    folder, target = sys.argv[1:]
    j48 = [
        (name, options, *measures(run(folder, name, "J48", options))) for name in J48_SETS for options in J48_OPTIONS
    ]
    write(os.path.join(target, "weka_j48.csv"), ["dataset", "options", "leaves", "size", "errors", "n"], j48)
    trees = [
        (name, learner, options, *measures(run(folder, name, learner, options)))
        for name in TREE_SETS
        for learner, options in TREE_OPTIONS
    ]
    header = ["dataset", "learner", "options", "leaves", "size", "errors", "n"]
    write(os.path.join(target, "weka_trees.csv"), header, trees)


if __name__ == "__main__":
    main()
