#!/usr/bin/env python3
"""Has the work become slower? Two builds of `benches/steps` beside each other, on some thirty small pieces of work.

    cargo bench -p secateur --bench steps --no-run      # in both checkouts; names the file that it builds
    bench/builds.py OLD/steps-… NEW/steps-… [--data ../uci]

Builds take turns, so that a busy machine slows all of them; the least time of each counts. Instruction counts (`benches/instructions`) see neither
the loops for 512-bit vectors nor what waiting for memory costs; this does. A line is one piece of work with the times of the later builds divided by
that of the first; the last line is the geometric mean. Ends with exit code 1 when a mean is above 1.03.

Memory is kept between repeats, as in one long fit (`MALLOC_TRIM_THRESHOLD_`); whether the system takes it back is not what is compared.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

MOST = 1.03

CREDIT, HOUSES, WAVES, GAUSS, FRIEDMAN = (
    f"builtin:{name}" for name in ("credit?n=5000", "houses?n=5000", "waveform-21?n=3000", "g6c15?n=10000", "friedman?n=10000")
)
BUILT_IN = [
    ("code", GAUSS, "cart"),
    ("code", CREDIT, "cart"),
    ("grow", GAUSS, "cart"),
    ("grow", GAUSS, "c45"),
    ("grow", GAUSS, "cart:bins=255"),
    ("grow", GAUSS, "best-first:max-leaves=64"),
    ("grow", WAVES, "cart"),
    ("grow", WAVES, "cart:criterion=entropy"),
    ("grow", FRIEDMAN, "cart"),
    ("grow", FRIEDMAN, "cart:bins=255"),
    ("grow", FRIEDMAN, "cart:leaf=median,max-depth=8"),
    ("grow", CREDIT, "cart"),
    ("grow", CREDIT, "c45"),
    ("grow", CREDIT, "cart:missing=branch"),
    ("grow", HOUSES, "cart"),
    ("fit", CREDIT, "cart/cost-complexity:cv=10"),
    ("fit", CREDIT, "c45/error-based:raising=on"),
    ("fit", CREDIT, "cart/reduced-error:holdout=0.3"),
    ("fit", WAVES, "cart/k-norm:cv=10"),
    ("fit", WAVES, "cart/min-error:cv=10"),
    ("fit", WAVES, "best-first/post:cv=10"),
    ("fit", FRIEDMAN, "cart/cost-complexity:cv=10"),
    ("path", FRIEDMAN, "cart"),
    ("predict", GAUSS, "cart"),
    ("predict", CREDIT, "cart"),
    ("one-row", WAVES, "best-first:max-leaves=100"),
]
# In the folder of `--data`.
FILES = [
    ("read", "mushroom.arff", "cart"),
    ("read", "adult.arff.gz", "cart"),
    ("grow", "adult.arff.gz", "cart"),
    ("grow", "adult.arff.gz", "c45"),
    ("grow", "letter.arff", "cart"),
    ("grow", "letter.arff", "c45"),
    ("grow", "soybean.arff", "c45"),
    ("fit", "hypothyroid.arff", "cart/cost-complexity:cv=10"),
    ("predict", "adult.arff.gz", "cart"),
]


def seconds(build, step, table, scheme):
    """The median of a few runs in one process; `None` where the build cannot do it."""
    task = "numbers" if table in (FRIEDMAN, HOUSES) else "classes"
    call = [build, step, table, f"scheme={scheme}", f"task={task}", "repeats=5", "--bench"]
    kept = {"MALLOC_TRIM_THRESHOLD_": "4000000000", "MALLOC_MMAP_THRESHOLD_": "1000000000"}
    try:
        done = subprocess.run(call, capture_output=True, text=True, env={**os.environ, **kept})
        return json.loads(done.stdout)["seconds"] if done.returncode == 0 else None
    except (OSError, ValueError) as problem:
        sys.exit(f"{build} is not a build of `benches/steps`: {problem}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("builds", nargs="+", metavar="STEPS", help="builds of the bench `steps`, the oldest first")
    parser.add_argument("--data", metavar="DIR", help="a folder with classification/*.arff: reads files, too")
    parser.add_argument("--only", default="", metavar="TEXT", help="only the lines with this text")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="turns of every piece of work [5]")
    given = parser.parse_args()
    if len(given.builds) < 2:
        parser.error("two builds are compared; one is named")
    pieces = list(BUILT_IN)
    if given.data:
        pieces += [(step, os.path.join(given.data, "classification", file), scheme) for step, file, scheme in FILES]
    ratios = [[] for _ in given.builds]
    for step, table, scheme in pieces:
        name = f"{step} {os.path.basename(table)} {scheme}"
        if given.only not in name:
            continue
        turns = [[seconds(build, step, table, scheme) for build in given.builds] for _ in range(given.repeats)]
        if any(time is None for times in turns for time in times):
            print(f"{name:64} left out: not every build can do it", flush=True)
            continue
        least = [min(times) for times in zip(*turns)]
        for found, time in zip(ratios, least):
            found.append(time / least[0])
        print(f"{name:64} {1000 * least[0]:9.3f} ms", *(f"{time / least[0]:6.3f}" for time in least[1:]), flush=True)
    if not ratios[0]:
        sys.exit(f"nothing was compared: no line has '{given.only}' in it, or no build can do the work")
    means = [statistics.geometric_mean(found) for found in ratios[1:]]
    print(f"{'geometric mean':64} {'':12}", *(f"{mean:6.3f}" for mean in means))
    return int(any(mean > MOST for mean in means))


if __name__ == "__main__":
    sys.exit(main())
