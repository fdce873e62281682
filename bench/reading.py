#!/usr/bin/env python3
"""How long programs take to read clean CSV files, as a ratio to pandas in the same run.

    bench/reading.py OLD/secateur NEW/secateur --python ~/.cache/secateur/bench/venv/bin/python

All contestants take turns, so that a busy machine slows all of them; the least time of each counts. A program is asked for the
seconds its `fit` needs to load a table (reading, looking at the columns for notes, coding); the tree is a stump. What the last program
needs more than the first is what came between them: against one that had no notes, it is the most that notes can cost.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile


def clean(folder, rows):
    """Clean files by rule: numbers, and numbers beside texts."""
    chance = random.Random(1)
    numbers, mixed = os.path.join(folder, "numbers.csv"), os.path.join(folder, "mixed.csv")
    words = ["red", "green", "blue", "none of these", "a longer text"]
    with open(numbers, "w") as out:
        out.write(",".join(f"x{i}" for i in range(10)) + ",class\n")
        for _ in range(rows):
            out.write(",".join(f"{chance.gauss(0, 1):.6f}" for _ in range(10)) + f",{chance.choice('ab')}\n")
    with open(mixed, "w") as out:
        out.write("n,x,colour,size,city,class\n")
        for _ in range(rows):
            n, x = chance.randrange(1000), chance.random()
            size, city = chance.choice("SML"), f"city {chance.randrange(500)}"
            out.write(f"{n},{x:.4f},{chance.choice(words)},{size},{city},{chance.choice('ab')}\n")
    return [numbers, mixed]


def load_seconds(program, file, threads):
    call = [program, "fit", file, "-s", "cart:max-depth=1", "--threads", str(threads), "--json", "-q"]
    return json.loads(subprocess.run(call, check=True, capture_output=True).stdout)["seconds"]["load"]


def pandas_seconds(python, file):
    code = "import sys,time,pandas; t=time.perf_counter(); pandas.read_csv(sys.argv[1]); print(time.perf_counter()-t)"
    return float(subprocess.run([python, "-c", code, file], check=True, capture_output=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", help="programs to compare, the oldest first")
    parser.add_argument("--python", default=sys.executable, help="a Python with pandas")
    parser.add_argument("--rows", type=int, default=300_000)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for file in clean(folder, given.rows):
            times = {"pandas": lambda: pandas_seconds(given.python, file)}
            for program in given.programs:
                times[program] = lambda program=program: load_seconds(program, file, given.threads)
            least = dict.fromkeys(times, float("inf"))
            for _ in range(given.repeats):
                for name, measure in times.items():
                    least[name] = min(least[name], measure())
            print(f"{os.path.basename(file)}, {given.rows:,} rows")
            for name, seconds in least.items():
                print(f"  {name:40} {seconds:7.3f} s  {seconds / least['pandas']:6.3f} of pandas")
            more = least[given.programs[-1]] / least[given.programs[0]] - 1
            print(f"  the last program takes {100 * more:+.1f} % beside the first")


main()
