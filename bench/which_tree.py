#!/usr/bin/env python3
"""Secateur's defaults beside the defaults of other programs, on the same folds and by one scorer.

    bench/which_tree.py --data DIR --program target/release/secateur --out bench/which_tree

DIR holds an INDEX.csv (columns name and file) and ARFF files; the tables are those of the suite `which-tree`. Every contestant gets the
same rows to learn from and the same to be judged on; its probabilities (or numbers) for the latter are written down and scored here.
Writes OUT.csv (accuracy, log loss, Brier score, leaves; for numbers RMSE, MAE, leaves) and OUT.seconds.csv, which differs from run to
run. A table that is in OUT.csv already is not run again.

Needs Python 3.11, scikit-learn, ydf and pandas from PyPI, and Debian's r-base-core, r-cran-rpart, weka and default-jdk-headless.

- Columns that name rows (a value of its own in 95 % of the rows) are left out for all.
- Labels are the class with the largest probability, the first of equal ones. Log loss: probabilities below 1e-6 count as 1e-6.
- scikit-learn has no nominal columns: they become one column per value (one-hot), a missing value has none of them. Missing
  numbers stay missing, which its trees know.
- ydf is its CART learner; J48 is Weka's; rpart prunes at its cp = 0.01. All options are the defaults; one thread each.
- Seconds are CPU seconds of training, without reading files or starting programs: of Python's process, of R's, of the thread that trains
  in Java; Secateur reports elapsed seconds of growing and pruning, and these count or, where they are fewer (on a busy machine), the CPU seconds of
  the whole call of `fit`.
- Small files are run first. A program of another language that takes longer than `--patience` on a table is given up there, and the table
  counts for none.
"""

import argparse
import csv
import gzip
import json
import logging
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import tomllib

import numpy as np

HERE = os.path.dirname(os.path.realpath(__file__))
SUITE = os.path.join(HERE, "..", "crates", "secateur-papers", "suites", "which-tree.toml")
WEKA_JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")
LEAST = 1e-6
PROGRAMS = ["Secateur", "Secateur one tree", "Secateur before", "scikit-learn", "rpart", "J48", "ydf"]
# The nearest to the defaults without folds: λ of the leaf values is 10, numbers are not pruned.
ONE_TREE = {"classes": "cart:value-guard,leaf-values=shrink/pessimistic", "numbers": "cart:value-guard,min-leaf=5,leaf-values=shrink"}
# The defaults before those that the suite found.
BEFORE = {
    "classes": "cart:value-guard,leaf-values=shrink,leaf-cv=10/pessimistic",
    "numbers": "cart:value-guard,min-leaf=5,leaf-values=shrink/cost-complexity:cv=10",
}
CLASSES = ["accuracy", "log_loss", "brier", "leaves"]
NUMBERS = ["rmse", "mae", "leaves"]


class Table:
    """A table of an ARFF file: columns of floats (NaN is missing) or of value names (None is missing)."""

    def __init__(self, name, path, target, most_rows):
        self.name = name
        self.header, rows = made(path) if path.startswith("builtin:") else arff(path)
        self.names = [column for column, _ in self.header]
        self.target = self.names.index(target) if target else len(self.names) - 1
        rows = [row for row in rows if row[self.target] is not None]
        rows = rows[:: -(-len(rows) // most_rows)]
        keep = [place for place in range(len(self.names)) if place == self.target or not names_rows(self.header[place], rows, place)]
        target = self.names[self.target]
        self.header = [self.header[place] for place in keep]
        self.rows = rows = [[row[place] for place in keep] for row in rows]
        self.names = [column for column, _ in self.header]
        self.target = self.names.index(target)
        self.values = [values for _, values in self.header]
        self.classes = self.values[self.target]
        column = [row[self.target] for row in rows]
        if self.classes:
            self.y = np.array([self.classes.index(value) for value in column])
        else:
            self.y = np.array([float(value) for value in column])

    def folds(self, count, seed):
        """The fold of every row: within each class rows are dealt out in random order."""
        order = list(range(len(self.rows)))
        random.Random(seed).shuffle(order)
        if self.classes:
            order.sort(key=lambda row: self.y[row])
        fold = np.empty(len(order), dtype=int)
        for place, row in enumerate(order):
            fold[row] = place % count
        return fold

    def write(self, path, rows):
        """Some rows as ARFF."""
        with open(path, "w", encoding="utf-8") as out:
            out.write("@relation t\n")
            for column, values in self.header:
                kind = "{" + ",".join(quoted(value) for value in values) + "}" if values else "numeric"
                out.write(f"@attribute {quoted(column)} {kind}\n")
            out.write("@data\n")
            for row in rows:
                out.write(",".join("?" if cell is None else quoted(cell) for cell in self.rows[row]) + "\n")


def names_rows(column, rows, place):
    """Whether a nominal column has a value of its own in nearly every row."""
    return column[1] is not None and len({row[place] for row in rows}) >= 0.95 * len(rows)


def quoted(text):
    if text.replace(".", "").replace("-", "").isalnum():
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def arff(path):
    """The columns (name and values, or None for numbers) and the rows (texts, None for missing) of an ARFF file."""
    opened = gzip.open(path, "rt", encoding="utf-8") if path.endswith(".gz") else open(path, encoding="utf-8")
    header, rows, data = [], [], False
    with opened as lines:
        for line in lines:
            line = line.strip()
            if not line or line.startswith("%"):
                continue
            if data:
                rows.append([None if cell == "?" else cell for cell in cells(line)])
            elif line.lower().startswith("@attribute"):
                header.append(attribute(line[len("@attribute"):].strip()))
            elif line.lower().startswith("@data"):
                data = True
    return header, rows


def made(name):
    """The same of a table that Secateur makes by rule: its types, and its rows as `predict` keeps them beside a root's answers."""
    said = subprocess.run([PROGRAM, "data", name, "--json", "--quiet"], check=True, capture_output=True, text=True).stdout
    header = [(column["name"], column["values"]) for column in json.loads(said)["columns"]]
    with tempfile.TemporaryDirectory() as place:
        model, out = os.path.join(place, "root.json"), os.path.join(place, "out.csv")
        for call in (["fit", name, "-s", "cart:max-depth=0", "-o", model], ["predict", model, name, "--keep", "all", "-o", out]):
            subprocess.run([PROGRAM, *call, "--quiet"], check=True, capture_output=True)
        with open(out, newline="", encoding="utf-8") as lines:
            return header, [[row[column] or None for column, _ in header] for row in csv.DictReader(lines)]


def attribute(text):
    if text[0] in "'\"":
        end = text.index(text[0], 1)
        name, kind = text[1:end], text[end + 1:].strip()
    else:
        name, kind = text.split(None, 1)
    return (name, cells(kind.strip()[1:-1])) if kind.strip().startswith("{") else (name, None)


def cells(line):
    return [cell.strip() for cell in next(csv.reader([line], quotechar="'", escapechar="\\", skipinitialspace=True))]


# Contestants: each yields, fold by fold, what it says of the test rows, its leaves and its seconds.


def children_seconds():
    """The CPU seconds of all programs that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def secateur(scheme):
    def run(table, fold, count, place):
        for k in range(count):
            train, test = os.path.join(place, "train.arff"), os.path.join(place, "test.arff")
            model, out = os.path.join(place, "model.json"), os.path.join(place, "out.csv")
            table.write(train, np.flatnonzero(fold != k))
            table.write(test, np.flatnonzero(fold == k))
            target = table.names[table.target]
            call = [PROGRAM, "fit", train, "--target", target, "-o", model, "--json", "--quiet", "--threads", "1"]
            begun = children_seconds()
            done = subprocess.run(call + (["--scheme", scheme] if scheme else []), capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(done.stderr.strip())
            told = json.loads(done.stdout)
            seconds = min(told["seconds"]["grow"] + told["seconds"]["prune"], children_seconds() - begun)
            subprocess.run([PROGRAM, "predict", model, test, "-o", out, "--quiet"], check=True, capture_output=True)
            with open(out, newline="", encoding="utf-8") as lines:
                rows = list(csv.DictReader(lines))
            if table.classes:
                said = np.array([[float(row[f"p({c})"]) for c in table.classes] for row in rows])
            else:
                said = np.array([float(row["prediction"]) for row in rows])
            yield said, told["tree"]["leaves"], seconds

    return run


def scikit_learn(table, fold, count, _):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    columns = []
    for place, values in enumerate(table.values):
        if place == table.target:
            continue
        column = [row[place] for row in table.rows]
        if values is None:
            columns.append([math.nan if cell is None else float(cell) for cell in column])
        else:
            columns.extend([[float(cell == value) for cell in column] for value in values])
    X = np.array(columns, dtype=np.float32).T
    for k in range(count):
        tree = (DecisionTreeClassifier if table.classes else DecisionTreeRegressor)(random_state=1)
        train, test = fold != k, fold == k
        begun = time.process_time()
        tree.fit(X[train], table.y[train])
        seconds = time.process_time() - begun
        if table.classes:
            said = np.zeros((test.sum(), len(table.classes)))
            said[:, tree.classes_] = tree.predict_proba(X[test])
        else:
            said = tree.predict(X[test])
        yield said, tree.get_n_leaves(), seconds


def ydf_cart(table, fold, count, _):
    import pandas
    import ydf

    ydf.verbose(0)
    logging.getLogger("absl").setLevel(logging.ERROR)
    frame = {}
    for place, values in enumerate(table.values):
        column = [row[place] for row in table.rows]
        if place == table.target:
            frame["target"] = [f"c{c}" for c in table.y] if table.classes else table.y.astype(np.float32)
        elif values is None:
            frame[f"x{place}"] = [math.nan if cell is None else float(cell) for cell in column]
        else:
            frame[f"x{place}"] = pandas.Series(column, dtype=object)
    frame = pandas.DataFrame(frame)
    task = ydf.Task.CLASSIFICATION if table.classes else ydf.Task.REGRESSION
    for k in range(count):
        learner = ydf.CartLearner(label="target", task=task, num_threads=1)
        train, test = frame[fold != k], frame[fold == k]
        begun = time.process_time()
        model = learner.train(train, verbose=0)
        seconds = time.process_time() - begun
        said = np.asarray(model.predict(test))
        if table.classes:
            known = [int(name[1:]) for name in model.label_classes()]
            if said.ndim == 1:
                said = np.stack([1 - said, said], axis=1) if len(known) == 2 else said.reshape(-1, 1)
            whole = np.zeros((len(said), len(table.classes)))
            whole[:, known] = said
            said = whole
        yield said, (model.num_nodes() + 1) // 2, seconds


def elsewhere(command):
    """A program that reads a table and its folds from files, and writes a line per row: fold, leaves, seconds, what it says."""

    def run(table, fold, count, place):
        data, folds, out = (os.path.join(place, name) for name in ("all.arff", "folds.txt", "said.csv"))
        table.write(data, range(len(table.rows)))
        np.savetxt(folds, fold, fmt="%d")
        with open(data + ".classes", "w", encoding="utf-8") as classes:
            classes.writelines(value + "\n" for value in table.classes or [])
        call = [*command, data, folds, str(table.target + 1), str(count), out]
        done = subprocess.run(call, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            raise RuntimeError((done.stderr.strip() or done.stdout.strip()).splitlines()[-1])
        lines = np.loadtxt(out, delimiter=",", ndmin=2)
        for k in range(count):
            of_fold = lines[lines[:, 0] == k]
            said = of_fold[:, 3:] if table.classes else of_fold[:, 3]
            yield said, of_fold[0, 1], of_fold[0, 2]

    return run


def score(table, test, said):
    """The measures of what was said of the test rows."""
    actual = table.y[test]
    if table.classes:
        right = said[np.arange(len(actual)), actual]
        truth = np.eye(len(table.classes))[actual]
        return {
            "accuracy": float(np.mean(said.argmax(axis=1) == actual)),
            "log_loss": float(np.mean(-np.log(np.maximum(right, LEAST)))),
            "brier": float(np.mean(((said - truth) ** 2).sum(axis=1))),
        }
    off = said - actual
    return {"rmse": float(np.sqrt(np.mean(off**2))), "mae": float(np.mean(np.abs(off)))}


def tables(data, only):
    with open(SUITE, "rb") as file:
        suite = tomllib.load(file)
    with open(os.path.join(data, "INDEX.csv"), newline="", encoding="utf-8") as lines:
        files = {row["name"]: os.path.join(data, row["file"]) for row in csv.DictReader(lines)}
    wanted = [(name, path, None) for name, path in files.items()]
    named = [table for table in suite["table"] if table["data"] in files or table["data"].startswith("builtin:")]
    wanted += [(table["name"], files.get(table["data"], table["data"]), table.get("target")) for table in named]
    size = lambda path: os.path.getsize(path) if os.path.exists(path) else 0
    for name, path, target in sorted(wanted, key=lambda table: (size(table[1]), table[0])):
        if not only or name in only:
            table = Table(name, path, target, suite["most_rows"])
            if len(table.rows) >= suite["least_rows"]:
                yield table


def contestants(table, java):
    task = "classes" if table.classes else "numbers"
    yield "Secateur", secateur("")
    yield "Secateur before", secateur(BEFORE[task])
    yield "Secateur one tree", secateur(ONE_TREE[task])
    yield "scikit-learn", scikit_learn
    yield "rpart", elsewhere(["Rscript", os.path.join(HERE, "peers", "rpart_folds.R")])
    yield "ydf", ydf_cart
    if table.classes:
        yield "J48", elsewhere(["java", "-Xmx2g", "-cp", f"{WEKA_JAR}:{java}", "J48Folds"])


def main():
    global PATIENCE, PROGRAM
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--program", default="secateur")
    parser.add_argument("--out", required=True)
    parser.add_argument("--tables", default="", help="only these, with commas between them")
    parser.add_argument("--programs", default="", help="only these, with commas between them")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    # rpart tries all subsets of the values of a column with three or more classes.
    parser.add_argument("--patience", type=float, default=1200, help="seconds after which a program is given up on a table")
    told = parser.parse_args()
    PATIENCE, PROGRAM = told.patience, told.program
    programs = [name for name in told.programs.split(",") if name]
    heads = ["task", "table", "program", *CLASSES, *NUMBERS[:2]]
    results, seconds = told.out + ".csv", told.out + ".seconds.csv"
    done = set()
    if os.path.exists(results):
        with open(results, newline="", encoding="utf-8") as lines:
            done = {(row["table"], row["program"]) for row in csv.DictReader(lines)}
    with tempfile.TemporaryDirectory() as place:
        if not programs or "J48" in programs:
            subprocess.run(["javac", "-nowarn", "-cp", WEKA_JAR, "-d", place, os.path.join(HERE, "peers", "J48Folds.java")], check=True)
        for path, head in ((results, heads), (seconds, ["table", "program", "seconds"])):
            if not os.path.exists(path):
                with open(path, "w", newline="", encoding="utf-8") as out:
                    csv.writer(out, lineterminator="\n").writerow(head)
        for table in tables(told.data, [name for name in told.tables.split(",") if name]):
            fold = table.folds(told.folds, told.seed)
            for name, run in contestants(table, place):
                if (table.name, name) in done or programs and name not in programs:
                    continue
                try:
                    scored = []
                    for k, (said, leaves, taken) in enumerate(run(table, fold, told.folds, place)):
                        scored.append({**score(table, fold == k, said), "leaves": leaves, "seconds": taken})
                except Exception as problem:  # A contestant that fails on a table is reported, and has no line.
                    print(f"{table.name}: {name}: {problem}", file=sys.stderr, flush=True)
                    continue
                mean = {key: sum(row[key] for row in scored) / len(scored) for key in scored[0]}
                line = {"task": "classes" if table.classes else "numbers", "table": table.name, "program": name}
                line.update({key: f"{mean[key]:.6f}" for key in mean if key != "seconds"})
                with open(results, "a", newline="", encoding="utf-8") as out:
                    csv.DictWriter(out, heads, lineterminator="\n").writerow(line)
                with open(seconds, "a", newline="", encoding="utf-8") as out:
                    csv.writer(out, lineterminator="\n").writerow([table.name, name, f"{mean['seconds']:.6f}"])
            print(table.name, flush=True)
    for path in (results, seconds):
        in_order(path)


def in_order(path):
    """Sorts a file by table and program, so that it does not depend on what was run first."""
    with open(path, newline="", encoding="utf-8") as lines:
        head, *rows = list(csv.reader(lines))
    table, program = head.index("table"), head.index("program")
    rows.sort(key=lambda row: (row[table], PROGRAMS.index(row[program])))
    with open(path, "w", newline="", encoding="utf-8") as out:
        csv.writer(out, lineterminator="\n").writerows([head, *rows])


if __name__ == "__main__":
    main()
