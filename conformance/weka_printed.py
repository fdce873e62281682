"""Trees as Weka prints them, and what Weka predicts with them: weka_printed.json.

    pip install scikit-learn==1.9.1
    python conformance/weka_printed.py > conformance/weka_printed.json

Every case is `java -cp weka.jar weka.classifiers.trees.LEARNER -t TRAIN -T ROWS -no-cv OPTIONS`, run twice: for the printed tree, and with
`-p 0 -distribution` for the predictions, which Weka rounds to three decimals. The rows are the training rows, then the same with some
values missing. The tests read the text with `secateur import` and must get the same answers. Needs what weka.py needs, and takes the same jar.
"""

import json
import os
import random
import subprocess
import sys
import tempfile

from sklearn.datasets import load_iris
from weka import JAR

#: The 14 days of Quinlan (1993).
WEATHER = """sunny,85,85,FALSE,no sunny,80,90,TRUE,no overcast,83,86,FALSE,yes rainy,70,96,FALSE,yes rainy,68,80,FALSE,yes
rainy,65,70,TRUE,no overcast,64,65,TRUE,yes sunny,72,95,FALSE,no sunny,69,70,FALSE,yes rainy,75,80,FALSE,yes sunny,75,70,TRUE,yes
overcast,72,90,TRUE,yes overcast,81,75,FALSE,yes rainy,71,91,TRUE,no"""


def weather():
    columns = [
        ("outlook", ["sunny", "overcast", "rainy", "foggy"]), ("temperature", None), ("humidity", None),
        ("windy", ["TRUE", "FALSE"]), ("play", ["yes", "no"]),
    ]
    rows = [[cell if not cell.isdigit() else float(cell) for cell in row.split(",")] for row in WEATHER.split()]
    return "weather", columns, rows


def iris():
    data = load_iris()
    columns = [(name.removesuffix(" (cm)"), None) for name in data.feature_names] + [("species", list(data.target_names))]
    return "iris", columns, [[*map(float, row), str(data.target_names[code])] for row, code in zip(data.data, data.target)]


def made(name, columns, classes, rule, count, gaps, seed):
    """Rows whose class follows from a rule, except for one in twenty; some values are missing."""
    draw = random.Random(seed)
    rows = []
    for _ in range(count):
        row = [round(draw.random() * 10, 6) if values is None else draw.choice(values) for _, values in columns]
        label = classes[rule(row)] if draw.random() > 0.05 else draw.choice(classes)
        rows.append([None if draw.random() < gaps else cell for cell in row] + [label])
    return name, [*columns, ("the class", classes)], rows


#: Names and values that look like parts of a printed tree.
HARD = [
    ("size of it", None), ("a: b", ["x: y", "it's", "p (1.0)", "q=r"]), ("n <= 3", None), ("c = d", ["(e)|(f)", "g <= 2", "| h"]),
]
SETS = {
    "weather": weather(),
    "iris": iris(),
    "names": made(
        "names", HARD, ["good one", "bad: (2.0)", "it's \"q\""],
        lambda row: (int(row[0] > 4) + int(row[1] in ("it's", "p (1.0)")) + int(row[2] > 3) + int(row[3] == "| h")) % 3, 160, 0.0, 5,
    ),
    "gaps": made(
        "gaps", [("x", None), ("y", None), ("colour", ["red", "green", "blue", "grey"])], ["no", "yes"],
        lambda row: int(row[0] + 2 * row[1] * (row[2] in ("red", "grey")) > 8), 200, 0.1, 6,
    ),
    "many classes": made(
        "many classes", [("x", None), ("y", None)], [f"class {i}" for i in range(30)],
        lambda row: int(row[0]) * 3 + int(row[1] / 4), 160, 0.0, 7,
    ),
}
CASES = [
    ("weather", "J48", ""), ("weather", "J48", "-U"), ("weather", "J48", "-B -M 1"), ("weather", "J48", "-M 12"), ("weather", "SimpleCart", "-M 1"),
    ("weather", "SimpleCart", ""), ("iris", "J48", ""), ("iris", "J48", "-U -M 1"), ("iris", "J48", "-R"), ("iris", "SimpleCart", ""),
    ("names", "J48", ""), ("names", "J48", "-U -B"), ("names", "SimpleCart", ""), ("gaps", "J48", ""), ("gaps", "J48", "-U"),
    ("gaps", "J48", "-B -S"), ("gaps", "SimpleCart", ""), ("many classes", "J48", ""), ("many classes", "SimpleCart", ""),
]


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def arff(columns, rows):
    kind = lambda values: "numeric" if values is None else "{" + ",".join(map(quoted, values)) + "}"
    cell = lambda value: "?" if value is None else quoted(value) if isinstance(value, str) else repr(value)
    head = [f"@attribute {quoted(name)} {kind(values)}" for name, values in columns]
    return "\n".join(["@relation rows", *head, "@data", *(",".join(map(cell, row)) for row in rows)]) + "\n"


def with_gaps(rows, seed=3):
    draw = random.Random(seed)
    return [[None if draw.random() < 0.3 else cell for cell in row[:-1]] + row[-1:] for row in rows]


def run(folder, learner, options, *more):
    command = ["java", "-Duser.language=en", "-cp", JAR, f"weka.classifiers.trees.{learner}", "-t", "train.arff"]
    done = subprocess.run([*command, "-no-cv", *options.split(), *more], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def case(name, learner, options):
    _, columns, train = SETS[name]
    rows = train + with_gaps(train)[:60]
    with tempfile.TemporaryDirectory() as folder:
        for file, some in (("train.arff", train), ("rows.arff", rows)):
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.write(arff(columns, some))
        printed = run(folder, learner, options)
        lines = run(folder, learner, options, "-T", "rows.arff", "-p", "0", "-distribution").splitlines()
    shares = [line.split()[-1].split(",") for line in lines if "*" in line and line.split()[0].isdigit()]
    assert len(shares) == len(rows), (name, learner, len(shares), len(rows))
    said = [[float(share.lstrip("*")) for share in one] for one in shares]
    labels = [next(i for i, share in enumerate(one) if share.startswith("*")) for one in shares]
    # The tree and the confusion matrix; times differ from run to run.
    text = "\n".join(line.rstrip() for line in printed.splitlines() if not line.startswith("Time taken")) + "\n"
    return {
        "data": name, "learner": learner, "options": options, "text": text, "columns": [list(column) for column in columns],
        "training_rows": len(train), "rows": rows, "labels": labels, "shares": said,
    }


def main():
    cases = [case(*one) for one in CASES]
    text = json.dumps({"made_with": "Weka 3.6.14", "cases": cases}, ensure_ascii=False, separators=(",", ":"))
    sys.stdout.write(text.replace('{"data"', '\n{"data"') + "\n")


if __name__ == "__main__":
    main()
