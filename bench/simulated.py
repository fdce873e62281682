#!/usr/bin/env python3
"""The errors that `fit` reports beside the true ones, on tables of which the truth is known.

    bench/simulated.py --program target/release/secateur

Every kind of table is drawn `--times` times with each number of `--rows`. A tree is fitted with the default scheme, and what `fit` reports
(`--estimate corrected` and `nested`), the error that chose the tree and that of the baseline stand beside the error on 5,000 new rows of the same kind.
Classes: error rates; numbers: RMSE. The report is Markdown on standard output; the same seed gives the same tables.
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import tempfile

NEW = 5000


def noise(r):
    return [r.random() for _ in range(5)], r.choice("ab")


def xor(r):
    x = [r.random() for _ in range(5)]
    return x, "ab"[((x[0] < 0.5) != (x[1] < 0.5)) != (r.random() < 0.1)]


def rare(r):
    x = [r.random() for _ in range(5)]
    return x, "rare" if r.random() < (0.4 if x[0] > 0.9 else 0.01) else "common"


def numbers(r):
    x = [r.random() for _ in range(5)]
    return x, f"{10 * x[0] + 5 * (x[1] > 0.5) + r.gauss(0, 1):.6f}"


def noisy_numbers(r):
    return [r.random() for _ in range(5)], f"{r.gauss(0, 1):.6f}"


KINDS = {
    "noise, two classes": (noise, 1),
    "two features that matter together (10 % flipped)": (xor, 1),
    "a rare class (5 %)": (rare, 1),
    "noise, every row three times": (noise, 3),
    "numbers": (numbers, 1),
    "noise, numbers": (noisy_numbers, 1),
}


def write(path, r, draw, rows, copies=1):
    lines = [",".join([*(f"{x:.6f}" for x in xs), y]) for xs, y in (draw(r) for _ in range(rows // copies))]
    with open(path, "w", encoding="utf-8") as file:
        file.write("x1,x2,x3,x4,x5,y\n" + "\n".join(lines * copies) + "\n")


def program(args, *call):
    done = subprocess.run([args.program, *call, "--json", "-q"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def measured(args, place, seed, draw, rows, copies):
    """One table: the error that chose, those reported, the baseline's, and the truth."""
    r = random.Random(f"{args.seed} {seed}")
    train, new, model = (os.path.join(place, name) for name in ("train.csv", "new.csv", "model.json"))
    write(train, r, draw, rows, copies)
    write(new, r, draw, NEW)
    root = lambda error: error if "rmse" not in truth else math.sqrt(max(error, 0.0))
    fits = {way: program(args, "fit", train, "--estimate", way, "-o", model)["estimate"] for way in ("corrected", "nested")}
    truth = program(args, "predict", model, new)
    corrected = fits["corrected"]
    return [
        root(corrected["error"] - (corrected["bias_correction"] or 0.0)),
        root(corrected["error"]),
        root(fits["nested"]["error"]),
        root(corrected["baseline"]["error"]),
        truth["rmse"] if "rmse" in truth else 1 - truth["accuracy"],
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="secateur")
    parser.add_argument("--rows", type=int, nargs="+", default=[60, 300, 1500])
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print("| table | rows | chose | `corrected` | `nested` | baseline | true | ± |\n|---|---:|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as place:
        for name, (draw, copies) in KINDS.items():
            for rows in args.rows:
                found = [measured(args, place, f"{name} {rows} {i}", draw, rows, copies) for i in range(args.times)]
                means = [statistics.mean(column) for column in zip(*found)]
                off = statistics.stdev(line[1] - line[4] for line in found) / math.sqrt(args.times)
                print(f"| {name} | {rows} | " + " | ".join(f"{mean:.3f}" for mean in means) + f" | {off:.3f} |", flush=True)


if __name__ == "__main__":
    main()
