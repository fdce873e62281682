#!/usr/bin/env python3
"""Measures whether Secateur's own numbers hold on the tables of a folder: the error that `fit` reports, and the coverage of sets and intervals.

    bench/honest.py estimates --data FOLDER    the errors reported by `fit` and by other corrections beside the error of outer folds
    bench/honest.py told --data FOLDER         the same for any scheme, of `fit` alone (`secateur evaluate` reports `estimate` and `apparent`)
    bench/honest.py sets --data FOLDER         how often sets of classes and intervals have the truth inside (`secateur evaluate --sets`)

FOLDER holds INDEX.csv (columns name, file, task, instances) and the files. Generated tables of numbers that ship with the program are added, and
with `--targets` those of the suite `which-tree` that predict a number of a table of FOLDER. The
report is Markdown on standard output. `estimates` runs `cargo bench -p secateur --bench estimates` (or `--bench`, a program built from it);
`told` and `sets` run `--program`. `--smallest` and `--largest` leave out other tables, `--scheme` names other
schemes; tables that a scheme is not for are left out.
"""

import argparse
import csv
import io
import json
import math
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

SUITE = Path(__file__).resolve().parent.parent / "crates" / "secateur-papers" / "suites" / "which-tree.toml"

SCHEMES = ["cart/cost-complexity:cv=10,1se", "cart/cost-complexity:cv=10"]

#: Generated tables, for there are few public ones of numbers.
GENERATED = ["houses?n=500", "houses?n=2000", "friedman?n=300", "friedman?n=1000", "credit?n=300", "credit?n=2000"]

#: The ways to estimate the error, in the order of the report.
WAYS = {
    "plain": "plain minimum",
    "corrected": "`corrected`",
    "tibshirani": "Tibshirani and Tibshirani",
    "bootstrap": "BBC-CV, 50 draws",
}


def tables(args):
    with open(args.data / "INDEX.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if args.smallest <= int(row["instances"]) <= args.largest]
    rows = [row for row in rows if not args.task or row["task"] == args.task]
    rows.sort(key=lambda row: (row["task"], row["name"]))
    return [str(args.data / row["file"]) for row in rows] + [f"builtin:{name}" for name in GENERATED if not args.no_generated]


def calls(args):
    """The name and the arguments of every table, for the program."""
    found = [(Path(table).name.split(".")[0], [table]) for table in tables(args)]
    if args.targets:
        with open(args.data / "INDEX.csv", newline="") as file:
            rows = {row["name"]: row for row in csv.DictReader(file)}
        for table in tomllib.loads(SUITE.read_text())["table"]:
            row = rows.get(table["data"])
            if row and args.smallest <= int(row["instances"]) <= args.largest:
                call = [str(args.data / row["file"]), "--target", table["target"], "--task", "regression", "--drop-missing-target"]
                found.append((table["name"], call))
    return found


def evaluated(args, name, call, *more):
    """What `secateur evaluate` reports of a table, or nothing where it fails, and says why."""
    done = subprocess.run([args.program, "evaluate", *call, *more, "--json", "-q"], capture_output=True, text=True)
    if done.returncode:
        print(f"{name}: {done.stderr.strip()}", file=sys.stderr)
        return None
    return json.loads(done.stdout)


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
    print("| estimated by | mean bias | its standard error | mean absolute difference | tables with too small an error |\n|---|---:|---:|---:|---:|")
    for way, name in WAYS.items():
        found = [off(line, way) for line in lines]
        error = statistics.stdev(found) / math.sqrt(len(found)) if len(found) > 1 else math.nan
        kind = sum(x < 0 for x in found)
        size = statistics.mean(map(abs, found))
        print(f"| {name} | {statistics.mean(found):+.2f} | {error:.2f} | {size:.2f} | {kind} |")


def told(args):
    """The error that `fit` reports beside that of outer folds; and how much more trees of nine tenths of the rows err."""
    for scheme in args.scheme or SCHEMES:
        found = []
        for name, call in calls(args):
            how = [*call, "-s", scheme, "--repeats", str(args.repeats)]
            whole = evaluated(args, name, how)
            part = whole and evaluated(args, name, how + ["--learning-curve", "0.9"])
            if not part:
                continue
            task = "classes" if "error" in whole else "numbers"
            measure = "error" if task == "classes" else "mse"
            mean = {"truth": whole[measure]["mean"], "nine tenths": part[measure]["mean"]}
            mean.update({way: whole[way]["mean"] for way in ("estimate", "apparent") if way in whole})
            found.append((task, name, mean))
            print(f"{name} {mean}", file=sys.stderr, flush=True)
        for task, what in (("classes", "error rate, in points"), ("numbers", "RMSE, in % of the true one")):
            mine = [(name, mean) for of, name, mean in found if of == task and "estimate" in mean]
            if mine:
                told_table(scheme, task, what, mine)


def told_table(scheme, task, what, mine):
    def off(mean, way):
        told, truth = mean[way], mean["truth"]
        return 100 * (told - truth) if task == "classes" else 100 * (math.sqrt(told / truth) - 1)

    print(f"\n`{scheme}`, {len(mine)} tables of {task}; {what}\n")
    print("| | mean difference | its standard error | median | mean absolute difference | tables with too small an error |\n|---|---:|---:|---:|---:|---:|")
    ways = {"apparent": "the error that chose", "estimate": "the error reported", "nine tenths": "the error of trees of nine tenths of the rows"}
    for way, name in ways.items():
        by = [off(mean, way) for _, mean in mine if mean[way] > 0 and mean["truth"] > 0 or task == "classes"]
        error = statistics.stdev(by) / math.sqrt(len(by)) if len(by) > 1 else math.nan
        numbers = f"{statistics.mean(by):+.2f} | {error:.2f} | {statistics.median(by):+.2f} | {statistics.mean(map(abs, by)):.2f}"
        print(f"| {name} | {numbers} | {sum(x < 0 for x in by)} |")
    furthest = sorted(mine, key=lambda of: -abs(off(of[1], "estimate")))[:6]
    print("\nFurthest: " + ", ".join(f"{name} {off(mean, 'estimate'):+.1f}" for name, mean in furthest))
    sys.stdout.flush()


def sets(args):
    for scheme in args.scheme or SCHEMES[:1]:
        for aside in ([], ["--calibrate", "0.2"]):
            by = "rows set aside (`--calibrate 0.2`)" if aside else "the folds of the scheme"
            print(f"\n`{scheme}`, sets for {args.level:.0%} by {by}\n")
            print("| table | rows | inside | expected | band | mean size | |\n|---|---:|---:|---:|---:|---:|---|")
            found = []
            for name, call in calls(args):
                how = ["-s", scheme, "--sets", str(args.level), "--seed", str(args.seed)]
                told = evaluated(args, name, call, *how, *aside)
                if told:
                    found.append(set_line(name, told["sets"]))
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
    parser.add_argument("what", choices=["estimates", "told", "sets"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--program", default="secateur")
    parser.add_argument("--bench", help="the program of crates/secateur/benches/estimates, already built")
    parser.add_argument("--largest", type=int, default=10_000, help="rows of the largest table")
    parser.add_argument("--smallest", type=int, default=20, help="rows of the smallest table")
    parser.add_argument("--no-generated", action="store_true", help="the tables of the folder only")
    parser.add_argument("--task", choices=["classification", "regression"], help="only such tables of the folder")
    parser.add_argument("--targets", action="store_true", help="tables of numbers of the suite which-tree, too")
    parser.add_argument("--repeats", type=int, default=1, help="times the outer folds are drawn (told)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the outer folds (sets)")
    parser.add_argument("--level", type=float, default=0.9)
    parser.add_argument("--scheme", action="append")
    args = parser.parse_args()
    {"estimates": estimates, "told": told, "sets": sets}[args.what](args)


if __name__ == "__main__":
    main()
