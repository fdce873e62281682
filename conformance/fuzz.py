"""Damaged and hostile input for the program: every run must end by itself, with exit code 0, 1 or 2 and without a panic.

    python conformance/fuzz.py PROGRAM [--runs 2000] [--seed 1] [--memory 1000] [--keep DIR]

The corpus is made anew in every call: small tables in every format (Parquet files are those of the tests of the library), models,
result files, suites, experiments and schemes. Each run changes one of them (bytes, lines, numbers, names, or what a second file
has) and gives it to a command that reads it, with `--memory` megabytes of addresses (`ulimit -v`) and half a minute. What a failing run was
given is kept in the folder `--keep`, with its call. The same seed gives the same runs. Ends with the counts of runs and of exit codes, and
exit code 1 where a run has failed.
"""

import argparse
import collections
import gzip
import json
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SECONDS = 30
PARQUET = Path(__file__).resolve().parent.parent / "crates/secateur/tests/reading/files"
NUMBERS = [b"0", b"-1", b"1e308", b"-1e308", b"1e999", b"5e-324", b"18446744073709551616", b"4294967295", b"NaN", b"null", b'""', b"[]"]
NAMES = [b"", b"..", b"../../x", b"/x", b"a\x1b[31mb", b"a\nb", b"\xff\xfe", b"\xe2\x80\xae", b"=1+1", b"'\";--", b"y", b"x" * 5000]
SCHEMES = [
    "cart", "c45:min-leaf=2/error-based", "id3", "best-first:max-leaves=8/post:cv=3", "cart/cost-complexity:cv=3,1se", "cart/k-norm:k=2",
    "cart:bins=16,value-guard,leaf-values=shrink,leaf-cv=3/pessimistic", "c45/mdl", "cart:criterion=mae/reduced-error:holdout=0.3",
]
TABLES = {".csv": b",", ".tsv": b"\t"}
READERS = {
    "table": [
        ["data", "FILE"], ["fit", "FILE", "-s", "cart", "--drop-missing-target", "-q"], ["path", "FILE", "--drop-missing-target", "-q"],
        ["predict", "model.json", "FILE", "-q"], ["explain", "model.json", "FILE", "--row", "1"],
        ["evaluate", "FILE", "-s", "cart", "--cv", "2", "--drop-missing-target", "-q"],
        ["fit", "FILE", "-s", "cart:bins=16", "--memory", "64MB", "--drop-missing-target", "-q"],
    ],
    "costs": [["fit", "table.csv", "-s", "cart", "--costs", "FILE", "-q"]],
    "folds": [["fit", "table.csv", "-s", "cart/cost-complexity:cv=2", "--folds", "FILE", "-q"]],
    "model": [
        ["show", "FILE"], ["show", "FILE", "-f", "rules", "--all"], ["show", "FILE", "-f", "svg"], ["show", "FILE", "-f", "png", "-o", "out.png"],
        ["show", "FILE", "-f", "dot"], ["show", "FILE", "-o", "out.html"], ["predict", "FILE", "table.csv", "-q"],
        ["predict", "FILE", "table.csv", "--sets", "0.8", "--reliability"], ["explain", "FILE", "table.csv", "--row", "1-3"],
        ["prune", "FILE", "--with", "min-error"], ["export", "FILE", "-f", "sql"], ["export", "FILE", "-f", "pmml"], ["export", "FILE", "-f", "onnx", "-o", "out.onnx"],
        ["export", "FILE", "-f", "xlsx", "-o", "out.xlsx"], ["export", "FILE", "-f", "scorecard"], ["export", "FILE", "-f", "c"],
    ],
    "pmml": [["import", "FILE", "-o", "out.json"]],
    "results": [["evaluate", "table.csv", "-s", "cart/mdl", "--cv", "2", "--sets", "0.5", "--calibrate", "0.3", "--results", "FILE"]],
    "suite": [["suite", "FILE", "builtin:iris", "--results", "kept", "--page", "page.md", "-q"]],
    "experiment": [["reproduce", "FILE", "--reports", "kept", "-q"]],
}
SUITE = """id = "s"
title = "t"
folds = 2
[classes]
before = "cart"
root = "cart:max-depth=0"
trees = ["cart", "cart/mdl"]
shown = ["cart"]
[[table]]
name = "width"
data = "iris"
"""
EXPERIMENT = """id = "e"
title = "t"
document = "d"
kind = "table"
datasets = ["weather"]
protocol = { name = "cv", folds = 2 }
scheme = [{ name = "a", scheme = "cart" }]
measure = [{ metric = "size", measure = "nodes" }]
"""


class Run:
    """The program in a folder, with limits."""

    def __init__(self, program, folder, memory):
        self.program, self.folder, self.memory = program, folder, memory << 20

    def __call__(self, args):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (self.memory, self.memory))
        try:
            done = subprocess.run(
                [self.program, *args], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, preexec_fn=limit
            )
        except subprocess.TimeoutExpired:
            return "no end", b""
        return done.returncode, done.stderr


def corpus(run):
    """Small files of every kind: the kind, the end of the name, the bytes."""
    rng = random.Random(0)
    rows = [["color", "size", "when", "y"]]
    for i in range(40):
        gap = lambda text: "" if rng.random() < 0.1 else text
        rows.append([gap(rng.choice(["red", "green", "blue"])), gap(f"{rng.random() * 9:.3f}"), f"2024-0{1 + i % 9}-11", rng.choice("ab")])
    separated = {end: b"\n".join(sign.join(cell.encode() for cell in row) for row in rows) + b"\n" for end, sign in TABLES.items()}
    (run.folder / "table.csv").write_bytes(separated[".csv"])
    objects = [dict(zip(rows[0], row)) for row in rows[1:]]
    arff = "@relation r\n@attribute color {red,green,blue}\n@attribute size numeric\n@attribute when date\n@attribute y {a,b}\n@data\n"
    arff += "\n".join(",".join(cell or "?" for cell in row) for row in rows[1:])
    files = [("table", end, text) for end, text in separated.items()]
    files += [
        ("table", ".json", json.dumps(objects).encode()),
        ("table", ".jsonl", "\n".join(map(json.dumps, objects)).encode()),
        ("table", ".arff", arff.encode()),
        ("table", ".csv.gz", gzip.compress(separated[".csv"])),
        ("costs", ".csv", b"actual,predicted,cost\na,b,2\nb,a,1\n"),
        ("folds", ".csv", b"row,fold\n" + b"".join(b"%d,%d\n" % (row + 1, row % 2) for row in range(40))),
        ("suite", ".toml", SUITE.encode()),
        ("experiment", ".toml", EXPERIMENT.encode()),
    ]
    files += [("table", ".parquet", path.read_bytes()) for path in sorted(PARQUET.glob("*.parquet"))]
    for name, data, scheme in [("model", "table.csv", SCHEMES[6]), ("tree", "builtin:weather", "c45"), ("number", "builtin:friedman?n=60", "cart:max-leaves=9")]:
        run(["fit", data, "-s", scheme, "-o", f"{name}.json", "-q"])
        files.append(("model", ".json", (run.folder / f"{name}.json").read_bytes()))
        run(["export", f"{name}.json", "-f", "pmml", "-o", f"{name}.pmml", "-q"])
        files.append(("pmml", ".pmml", (run.folder / f"{name}.pmml").read_bytes()))
    run([*READERS["results"][0][:-1], "results.jsonl"])
    files.append(("results", ".jsonl", (run.folder / "results.jsonl").read_bytes()))
    return files


def changed(rng, data, others):
    """The bytes with a few changes."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        at = rng.randrange(len(data) + 1)
        some = slice(at, at + rng.choice([1, 1, 4, 32, 500]))
        numbers = [found.span() for found in re.finditer(rb"-?\d+(\.\d+)?", data)]
        names = [found.span() for found in re.finditer(rb'"[^"\n]*"|[A-Za-z]+', data)]
        way = rng.randrange(9)
        if way == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif way == 1:
            del data[some]
        elif way == 2:
            data[at:at] = bytes(rng.randrange(256) for _ in range(rng.choice([1, 4, 64])))
        elif way == 3:
            data[at:at] = data[some] * rng.choice([2, 20])
        elif way == 4:
            other = rng.choice(others)
            data[at:] = other[rng.randrange(len(other) + 1) :]
        elif way in (5, 6) and numbers:
            start, end = rng.choice(numbers)
            data[start:end] = rng.choice(NUMBERS)
        elif way == 7 and names:
            start, end = rng.choice(names)
            quote = b'"' if data[start : start + 1] == b'"' else b""
            data[start:end] = quote + rng.choice(NAMES) + quote
        else:
            del data[at:]
    return bytes(data)


def call(rng, files, folder):
    """A call with something hostile in it."""
    if rng.random() < 0.1:
        scheme = changed(rng, rng.choice(SCHEMES).encode(), [scheme.encode() for scheme in SCHEMES])
        scheme = scheme.replace(b"\0", b"").decode(errors="replace")
        return ["fit", "table.csv", f"--scheme={scheme}", "-q"], None
    kind, end, data = rng.choice(files)
    name = "input" + end
    data = changed(rng, data, [other for _, _, other in files])
    if end.endswith(".gz") and rng.random() < 0.5:
        data = gzip.compress(data)
    (folder / name).write_bytes(data)
    return [name if arg == "FILE" else arg for arg in rng.choice(READERS[kind])], name


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=1000, help="megabytes")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failures"))
    given = parser.parse_args()
    rng, codes, failures = random.Random(given.seed), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as top:
        # One folder more, so that a name that climbs out of it is seen.
        folder = Path(top) / "work"
        folder.mkdir()
        run = Run(given.program.resolve(), folder, given.memory)
        files = corpus(run)
        for number in range(given.runs):
            args, name = call(rng, files, folder)
            code, said = run(args)
            codes[code] += 1
            outside = [path.name for path in Path(top).iterdir() if path != folder]
            if code not in (0, 1, 2) or b"panicked" in said or b"internal error" in said or outside:
                failures += 1
                place = given.keep / f"{given.seed}-{number}"
                place.mkdir(parents=True, exist_ok=True)
                if name:
                    shutil.copy(folder / name, place)
                (place / "call.json").write_text(json.dumps({"args": args, "code": code, "outside": outside, "said": said.decode(errors="replace")}))
                print(f"run {number}: {code}, {' '.join(args)!r} (kept in {place})")
            for path in outside:
                (Path(top) / path).unlink(missing_ok=True)
            for made in ["out.png", "out.html", "out.json", "out.onnx", "out.xlsx", "page.md"]:
                (folder / made).unlink(missing_ok=True)
            shutil.rmtree(folder / "kept", ignore_errors=True)
    told = ", ".join(f"{count} × {code}" for code, count in sorted(codes.items(), key=str))
    print(f"{given.runs} runs on {len(files)} files and {len(SCHEMES)} schemes within {given.memory} MB; exit codes: {told}; {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
