"""A reader of JSON rules that knows nothing but what the file says."""
import json

import exchange

with open("rules.json", encoding="utf-8") as file:
    book = json.load(file)
assert book["format"] == "secateur-rules" and book["version"] == 1
values = {one["name"]: one.get("values") for one in book["inputs"]}
classes = book["target"].get("classes", [])
rows = exchange.Rows()


def part(test, value):
    """The part of a row that a test lets through."""
    listed = values[test["input"]]
    if value is None or value != value:
        return float(test["missing"]) if "missing" in test else test["share"]
    if "any_value" in test:
        return float(test["any_value"])
    if listed is not None:
        if value not in listed or value in test.get("unknown", ()):
            return test["share"]
        return float(value in test.get("one_of", ()))
    if "at_least" in test:
        return float(value >= test["at_least"])
    return float(value < test["less_than"])


# Rules with the same beginning are asked once.
root = {}
for place, rule in enumerate(book["rules"]):
    at = root
    for test in rule["when"]:
        at = at.setdefault((test["node"], test["branch"]), (test, {}))[1]
    at["rule"] = place


def reached(row):
    waiting = [(root, 1.0)]
    while waiting:
        at, share = waiting.pop()
        if "rule" in at:
            yield book["rules"][at["rule"]], share
            continue
        below = []
        for test, after in at.values():
            through = part(test, row[test["input"]])
            if share * through > 0.0:
                below.append((after, share * through))
        waiting.extend(reversed(below))


def decide(numbers):
    if book["costs"] is None:
        best = max(numbers)
        return next(place for place, p in enumerate(numbers) if p >= best - 1e-10 * best)
    count = len(numbers)
    risks = [0.0] * count
    for label in range(count):
        for actual in range(count):
            risks[label] += numbers[actual] * book["costs"][actual * count + label]
    best = min(risks)
    return next(place for place, risk in enumerate(risks) if risk <= best + 1e-10 * best)


labels, numbers, leaves = [], [], []
for cells in rows:
    row = dict(zip(rows.names, cells))
    ends = list(reached(row))
    leaves.append(max(ends, key=lambda end: end[1])[0]["leaf"])
    sums = [0.0] * max(len(classes), 1)
    for rule, share in ends:
        said = rule["probabilities"] if classes else [rule["prediction"]]
        sums = [total + share * one for total, one in zip(sums, said)]
    numbers.extend(sums)
    if classes:
        labels.append(ends[0][0]["prediction"] if len(ends) == 1 else classes[decide(sums)])
exchange.answer(labels if classes else None, numbers, leaves)
