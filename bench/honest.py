#!/usr/bin/env python3
"""Measures whether Secateur's own numbers hold on the tables of a folder: the error that `fit` tells, and the coverage of sets and intervals.

    bench/honest.py estimates --data FOLDER    the errors told by `fit` and by other corrections beside the error of outer folds
    bench/honest.py sets --data FOLDER         how often sets of classes and intervals have the truth inside (`secateur evaluate --sets`)

FOLDER holds INDEX.csv (columns name, file, task, instances) and the files. Generated tables of numbers that ship with the program are added. The
report is Markdown on standard output. `estimates` runs `cargo bench -p secateur --bench estimates` (or `--bench`, a program built from it);
`sets` runs `--program`. `--smallest` and `--largest` leave out other tables, `--scheme` names other
schemes.
"""

import argparse
import csv
import io
import json
import math
import statistics
import subprocess
import sys
from pathlib import Path

SCHEMES = ["cart/cost-complexity:cv=10,1se", "cart/cost-complexity:cv=10"]

#: Generated tables, for there are few public ones of numbers.
GENERATED = ["houses?n=500", "houses?n=2000", "friedman?n=300", "friedman?n=1000", "credit?n=300", "credit?n=2000"]

#: The ways to tell the error, in the order of the report.
WAYS = {
    "plain": "plain minimum",
    "corrected": "`corrected`",
    "tibshirani": "Tibshirani and Tibshirani",
    "bootstrap": "BBC-CV, 50 draws",
}


def tables(args):
    with open(args.data / "INDEX.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if args.smallest <= int(row["instances"]) <= args.largest]
    rows.sort(key=lambda row: (row["task"], row["name"]))
    return [str(args.data / row["file"]) for row in rows] + [f"builtin:{name}" for name in GENERATED if not args.no_generated]


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        sys.exit(f"{' '.join(command)} failed")
    return done.stdout


def estimates(args):
    bench = [args.bench] if args.bench else ["cargo", "bench", "--quiet", "-p", "secateur", "--bench", "estimates", "--"]
    for scheme in args.scheme or SCHEMES:
        lines = list(csv.DictReader(io.StringIO(run([*bench, scheme, *tables(args)]))))
        for task, what in (("classes", "error rate, in points"), ("numbers", "RMSE, in % of the true one")):
            mine = [line for line in lines if line["task"] == task]
            if mine:
                bias_table(scheme, task, what, mine)


def bias_table(scheme, task, what, lines):
    def off(line, way):
        told, truth = float(line[way]), float(line["truth"])
        return 100 * (told - truth) if task == "classes" else 100 * (math.sqrt(told / truth) - 1)

    print(f"\n`{scheme}`, {len(lines)} tables of {task}; {what}\n")
    print("| told by | mean bias | its standard error | mean absolute difference | tables told too little |\n|---|---:|---:|---:|---:|")
    for way, name in WAYS.items():
        found = [off(line, way) for line in lines]
        error = statistics.stdev(found) / math.sqrt(len(found)) if len(found) > 1 else math.nan
        kind = sum(x < 0 for x in found)
        size = statistics.mean(map(abs, found))
        print(f"| {name} | {statistics.mean(found):+.2f} | {error:.2f} | {size:.2f} | {kind} |")


def sets(args):
    for scheme in args.scheme or SCHEMES[:1]:
        for aside in ([], ["--calibrate", "0.2"]):
            by = "rows set aside (`--calibrate 0.2`)" if aside else "the folds of the scheme"
            print(f"\n`{scheme}`, sets for {args.level:.0%} by {by}\n")
            print("| table | rows | inside | expected | band | mean size | |\n|---|---:|---:|---:|---:|---:|---|")
            found = []
            for table in tables(args):
                command = [args.program, "evaluate", table, "-s", scheme, "--sets", str(args.level), *aside, "--json", "-q"]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode:
                    print(f"{table}: {done.stderr.strip()}", file=sys.stderr)
                    continue
                told = json.loads(done.stdout)
                found.append(set_line(told["data"] if "data" in told else Path(table).name, told["sets"]))
            held = sum(told["held"] for told in found)
            mean = statistics.mean(told["coverage"] for told in found)
            within = sum(told["expected_band"]["low"] <= told["coverage"] <= told["expected_band"]["high"] for told in found)
            print(
                f"\n{len(found)} tables: {100 * mean:.1f} % inside on average; {held} not below the band of the level, {within} within that of "
                "what was expected."
            )


def set_line(name, told):
    band = f"{100 * told['expected_band']['low']:.1f} to {100 * told['expected_band']['high']:.1f}"
    mark = "" if told["held"] else "below"
    print(
        f"| {name} | {told['rows']:.0f} | {100 * told['coverage']:.1f} | {100 * told['expected']:.1f} | {band} | {told['mean_size']:.4g} | {mark} |"
    )
    sys.stdout.flush()
    return told


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["estimates", "sets"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--program", default="secateur")
    parser.add_argument("--bench", help="the program of crates/secateur/benches/estimates, already built")
    parser.add_argument("--largest", type=int, default=10_000, help="rows of the largest table")
    parser.add_argument("--smallest", type=int, default=20, help="rows of the smallest table")
    parser.add_argument("--no-generated", action="store_true", help="the tables of the folder only")
    parser.add_argument("--level", type=float, default=0.9)
    parser.add_argument("--scheme", action="append")
    args = parser.parse_args()
    {"estimates": estimates, "sets": sets}[args.what](args)


if __name__ == "__main__":
    main()
