"""Do two builds of the program give the same bytes? Models, paths and result files, for a dozen tables and all kinds of schemes.

    python conformance/same_bytes.py OLD_PROGRAM NEW_PROGRAM [DATA_FILE ...]

For a change that must not change answers: build the program before and after, and compare. Times are left out of the
comparison, everything else is compared byte for byte. Tables are built-in ones, and the files named in the call beside them.
Ends with the line `N same, M different` and exit code 1 when something differs.
"""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CLASSES = ["weather", "iris", "balance-scale", "tic-tac-toe", "monks-2", "credit?n=400", "waveform-21?n=300", "g6c15?n=600"]
NUMBERS = ["friedman?n=300", "friedman2?n=200", "friedman3?n=200"]
BOTH = [
    "cart",
    "cart:min-leaf=5,order=breadth-first",
    "cart:bins=16",
    "best-first:max-leaves=8",
    "c45",
    "id3",
    "cart/cost-complexity:cv=5",
    "cart/cost-complexity:cv=5,1se",
    "cart/cost-complexity:holdout=0.3",
    "best-first/post:cv=5",
    "best-first/post:cv=5,1se",
    "best-first/pre:cv=5",
    "cart/critical-value:cv=5",
    "cart/optimal-size:leaves=6",
    "cart/reduced-error:holdout=0.2",
    "c45/depth-first:cv=5",
]
ONLY_CLASSES = [
    "cart:criterion=entropy",
    "cart/k-norm:k=2",
    "cart/k-norm:cv=5,1se",
    "cart/mdl",
    "cart/pessimistic",
    "cart/min-error:cv=5",
    "c45/error-based:cf=0.25",
    "c45/error-based:raising=on",
    "c45/size-pessimistic:c=0.2",
    "c45/intermediate:of=full",
]
ONLY_NUMBERS = ["cart:leaf=median,criterion=mae", "cart/early-stop:holdout=0.1"]


def run(program, call):
    done = subprocess.run([program, *call, "--quiet"], capture_output=True)
    return done.returncode, done.stdout, done.stderr


def timeless(value):
    """The same JSON value without times."""
    if isinstance(value, dict):
        return {key: timeless(inner) for key, inner in value.items() if key != "seconds"}
    return [timeless(inner) for inner in value] if isinstance(value, list) else value


def answers(program, table, scheme, folder):
    """What the program says and writes: model, fit, path, results."""
    found = {}
    model, results = folder / "model.json", folder / "results.csv"
    code, out, err = run(program, ["fit", table, "-s", scheme, "-o", str(model), "--json"])
    found["fit"] = (code, timeless(json.loads(out)) if code == 0 else err)
    found["model"] = model.read_bytes() if model.exists() else None
    code, out, err = run(program, ["path", table, "-s", scheme, "--json"])
    found["path"] = (code, timeless(json.loads(out)) if code == 0 else err)
    code, _, err = run(program, ["evaluate", table, "-s", scheme, "--cv", "3", "--out", str(results)])
    found["results"] = (code, results.read_bytes() if results.exists() else err)
    return found


def compare(case):
    old, new, table, scheme = case
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        before = answers(old, table, scheme, Path(first))
        after = answers(new, table, scheme, Path(second))
    text = {name: [repr(answer).replace(first, "").replace(second, "") for answer in (before[name], after[name])] for name in before}
    return [(table, scheme, name, a == b) for name, (a, b) in text.items()]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    old, new, *files = sys.argv[1:]
    cases = [(f"builtin:{name}", scheme) for name in CLASSES for scheme in BOTH + ONLY_CLASSES]
    cases += [(f"builtin:{name}", scheme) for name in NUMBERS for scheme in BOTH + ONLY_NUMBERS]
    cases += [(file, scheme) for file in files for scheme in BOTH + ONLY_CLASSES]
    same = different = 0
    with ThreadPoolExecutor(2) as workers:
        for rows in workers.map(compare, [(old, new, *case) for case in cases]):
            for table, scheme, name, equal in rows:
                same, different = same + equal, different + (not equal)
                if not equal:
                    print(f"{name} differs: {table} -s {scheme}")
    print(f"{same} same, {different} different")
    sys.exit(different > 0)


if __name__ == "__main__":
    main()
