"""Cross-validates the same learners with Secateur and with Weka in one run, and prints ratios.

    python3 benches/versus_weka.py DATA_DIR [--markdown FILE] [NAME ...]

DATA_DIR holds classification/*.arff, the class last. Each measurement is a process of its own, reading the file
included; the two programs take turns, and the median of three counts (one where a run takes more than a minute). Needs
Debian's weka and default-jre-headless (WEKA_JAR names another jar), and `cargo build --release` first (SECATEUR
names another program). Only the standard library.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
JAR = os.environ.get("WEKA_JAR", "/usr/share/java/weka.jar")
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
PROGRAM = os.environ.get("SECATEUR", os.path.join(TARGET, "release", "secateur"))
PAIRS = [
    ("BFTree, post-pruned", "BFTree", ["-P", "POSTPRUNED", "-N", "10", "-M", "2"], "best-first:min-leaf-rule=node/post:cv=10"),
    ("BFTree, pre-pruned", "BFTree", ["-P", "PREPRUNED", "-N", "10", "-M", "2"], "best-first:min-leaf-rule=node/pre:cv=10"),
    ("SimpleCart", "SimpleCart", ["-N", "10", "-M", "2"], "cart:min-leaf=2,min-leaf-rule=node/cost-complexity:cv=10"),
]


def timed(command):
    start = time.perf_counter()
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return time.perf_counter() - start, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data")
    parser.add_argument("names", nargs="*", default=["vehicle", "segment", "kr-vs-kp", "letter"])
    parser.add_argument("--markdown", help="also write the table to this file")
    args = parser.parse_args()
    lines = [
        "| data | learner | Weka | Secateur | ratio | accuracy there | accuracy here |",
        "|---|---|---|---|---|---|---|",
    ]
    print("\n".join(lines), flush=True)
    for name in args.names:
        file = os.path.join(args.data, "classification", name + ".arff")
        for title, learner, options, scheme in PAIRS:
            theirs, ours = [], []
            while len(theirs) < 3 and sum(theirs) < 60:
                weka = ["java", "-Xmx4g", "-cp", JAR, "weka.classifiers.trees." + learner, "-t", file, "-x", "10", *options]
                seconds, there = timed(weka)
                theirs.append(seconds)
                seconds, here = timed([PROGRAM, "evaluate", file, "--scheme", scheme, "--cv", "10", "--json"])
                ours.append(seconds)
            a, b = statistics.median(theirs), statistics.median(ours)
            accuracies = re.findall(r"Correctly Classified Instances\s+\S+\s+(\S+)", there)

            told = json.loads(here)
            told = told[0] if isinstance(told, list) else told
            mine = 100 * told["accuracy"]["mean"]
            line = f"| {name} | {title} | {a:.2f} s | {b:.3f} s | {a / b:.0f}× | {float(accuracies[-1]):.2f} % | {mine:.2f} % |"
            lines.append(line)
            print(line, flush=True)
    lines += ["", f"{platform.machine()}, {os.cpu_count()} cores."]
    if args.markdown:
        with open(args.markdown, "w") as out:
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
