#!/usr/bin/env python3
"""Measures two choices of growing on the tables of a folder, each beside what it replaces, with `secateur compare`.

    bench/growing.py missing --data FOLDER     rows without a value: down every branch, or to a branch (`missing=branch`)
    bench/growing.py names --data FOLDER       columns that only name rows: with and without `value-guard`

FOLDER holds INDEX.csv (columns name, file, task, missing, instances, nominal) and the files. The report is Markdown on standard output:
one line for each table, then the counts of significant differences (corrected resampled t test at 5 %) and Wilcoxon's test over all tables.
`--repeats 3` repeats the ten folds. `--program` names the program, `--largest` leaves out larger tables.
"""

import argparse
import csv
import gzip
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

#: The learners and prunings that are measured, each with and without the option.
SCHEMES = ["cart/cost-complexity:cv=10,1se", "cart", "c45/error-based"]


def index(folder, largest):
    with open(folder / "INDEX.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if int(row["instances"]) <= largest]
    return rows


def with_option(scheme, option):
    learner, slash, pruning = scheme.partition("/")
    return f"{learner}{',' if ':' in learner else ':'}{option}{slash}{pruning}"


def compare(program, files, schemes, measures, repeats):
    command = [program, "compare", *map(str, files), "--measure", ",".join(measures), "--repeats", str(repeats), "--json", "-q"]
    for scheme in schemes:
        command += ["--scheme", scheme]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def key(measure):
    return measure.replace("-", "_")


def report(told, measures, names):
    base, other = told["schemes"]
    print(f"\n`{base}` beside `{other}`, {told['protocol']}\n")
    print("| table | " + " | ".join(f"{m}, {n}" for m in measures for n in names) + " |")
    print("|---|" + "---:|" * (2 * len(measures)))
    found = ((r, m, (r.get(key(m)) or {}).get("mean")) for r in told["results"] for m in measures)
    means = {(r["dataset"], r["scheme"], m): mean for r, m, mean in found if mean is not None}
    marks = {(t["dataset"], t["measure"]): t["mark"] for t in told["tests"]}
    sign = {"larger": " ▲", "smaller": " ▼"}
    tables = [d["name"] for d in told["datasets"]]
    digits = {"leaves": 1, "accuracy": 2, "auc": 4}

    def number(measure, x):
        return "–" if x is None else f"{100 * x if measure == 'accuracy' else x:.{digits.get(measure, 3)}f}"

    for table in tables:
        cells = []
        for m in measures:
            cells.append(number(m, means.get((table, base, m))))
            cells.append(number(m, means.get((table, other, m))) + sign.get(marks.get((table, m)), ""))
        print(f"| {table} | " + " | ".join(cells) + " |")
    cells = []
    for m in measures:
        both = [t for t in tables if (t, base, m) in means and (t, other, m) in means]
        cells += [number(m, sum(means[t, s, m] for t in both) / len(both)) for s in (base, other)]
    print("| **mean** | " + " | ".join(cells) + " |")
    print("\n| measure | significantly larger | same | significantly smaller | Wilcoxon p |\n|---|---:|---:|---:|---:|")
    for m in measures:
        counts = next(c for c in told["counts"] if c["measure"] == m)
        test = next(o for o in told["overall"] if o["measure"] == m)["wilcoxon"]
        print(f"| {m} | {counts['larger']} | {counts['same']} | {counts['smaller']} | {test['p']:.4f} |" if test else f"| {m} | | | | |")


def missing(args, folder):
    tables = [row for row in index(folder, args.largest) if row["missing"] == "yes"]
    files = ["builtin:survey", *(folder / row["file"] for row in tables if row["task"] == "classification")]
    measures = ["accuracy", "log-loss", "brier", "leaves"]
    for scheme in args.scheme or SCHEMES:
        told = compare(args.program, files, [scheme, with_option(scheme, "missing=branch")], measures, args.repeats)
        report(told, measures, ["known", "branch"])


def with_column(source, target, values):
    """An ARFF file with one more column, which comes first."""
    opened = gzip.open if source.suffix == ".gz" else open
    with opened(source, "rt", encoding="utf-8", errors="replace") as file, open(target, "w", encoding="utf-8") as out:
        in_data, has_column, row = False, False, 0
        for line in file:
            word = line.strip().lower()
            if not in_data and not has_column and word.startswith("@attribute"):
                out.write(f"@attribute rowname {{{','.join(sorted(set(values)))}}}\n")
                has_column = True
            if in_data and word and not word.startswith("%"):
                line = f"{values[row]},{line}"
                row += 1
            in_data = in_data or word.startswith("@data")
            out.write(line)


def names(args, folder):
    tables = index(folder, args.largest)
    kinds = {
        "as they are": None,
        "with a column of row names": lambda n, draw: [f"r{i}" for i in range(n)],
        "with a column of n/2 random values": lambda n, draw: [f"v{draw.randrange(max(n // 2, 1))}" for _ in range(n)],
    }
    for task, measures in (("classification", ["accuracy", "log-loss", "leaves"]), ("regression", ["rmse", "leaves"])):
        with tempfile.TemporaryDirectory() as made:
            for kind, column in kinds.items():
                files = []
                for row in (row for row in tables if row["task"] == task):
                    if column is None:
                        if int(row["nominal"]) > 0:
                            files.append(folder / row["file"])
                        continue
                    target = Path(made) / f"{row['name']}.arff"
                    with_column(folder / row["file"], target, column(int(row["instances"]), random.Random(1)))
                    files.append(target)
                print(f"\n## {task}: tables {kind}")
                for scheme in args.scheme or SCHEMES:
                    if task == "regression" and "error-based" in scheme:
                        continue
                    told = compare(args.program, files, [scheme, with_option(scheme, "value-guard")], measures, args.repeats)
                    report(told, measures, ["plain", "guarded"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["missing", "names"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--program", default="secateur")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--largest", type=int, default=10**9, help="rows of the largest table")
    parser.add_argument("--scheme", action="append")
    args = parser.parse_args()
    {"missing": missing, "names": names}[args.what](args, args.data)


if __name__ == "__main__":
    main()
