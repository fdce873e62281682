# A decision tree for {{target}} ({{scheme}}), exported by secateur {{version}}. Do not edit: export again.
"""A decision tree as plain Python.

    said = predict({"first input": 4.9, "second input": "red"})
{{#classes}}
    said.label, said.probabilities, said.leaf
{{/classes}}
{{^classes}}
    said.value, said.leaf
{{/classes}}
    for said in predict_many(rows): ...

A row is a mapping by the names in INPUTS, or a sequence in their order. A number that is None or NaN is missing, and so are
names that a mapping does not have. Values of lists are texts; None is missing.
{{#sent}}
Where a test says where rows without a value go, they go there.
{{/sent}}
A row without a value, or with one that the tree has never seen, goes down every branch in parts, and what the leaves say is added
up by their shares of the row.
"""
from collections import namedtuple

{{#classes}}
Prediction = namedtuple("Prediction", "label probabilities leaf")
Prediction.__doc__ = "A class, the probability of every class by its name, and the leaf (its node in the model)."
{{/classes}}
{{^classes}}
Prediction = namedtuple("Prediction", "value leaf")
Prediction.__doc__ = "A number, and the leaf (its node in the model)."
{{/classes}}

# What the tree asks for.
INPUTS = (
{{inputs}})

# The values of every input that takes values from a list; None for numbers.
VALUES = (
{{values}})

{{#classes}}
# The classes.
CLASSES = (
{{class names}})

{{/classes}}
{{#costs}}
# What mistakes cost: for every right class a line of predicted classes.
COSTS = (
{{cost matrix}})

{{/costs}}

def predict(row):
    """What the tree says to one row."""
    x = _cells(row)
{{#tests}}
{{#nested}}
    leaf = _leaf(x)
{{/nested}}
{{^nested}}
    leaf = _way(x, 0)[1]
{{/nested}}
    return _said(leaf) if leaf >= 0 else _in_parts(x)
{{/tests}}
{{^tests}}
    return _said(0)
{{/tests}}


def predict_many(rows):
    """What the tree says to every row, one after the other."""
    return map(predict, rows)


def _cells(row):
    # A row as numbers and places in lists of values; NaN is missing, -1 a value that no list has.
    if hasattr(row, "keys"):
        row = [row.get(name) for name in INPUTS]
    elif len(row) != len(INPUTS):
        raise ValueError(f"a row of {len(row)} values; the tree asks for {len(INPUTS)}")
    return [
        _MISSING if value is None or value != value else value if codes is None else codes.get(value, -1)
        for value, codes in zip(row, _CODES)
    ]


def _said(leaf):
    node, label = _LEAVES[leaf]
{{#classes}}
    numbers = _NUMBERS[leaf * len(CLASSES) : (leaf + 1) * len(CLASSES)]
    return Prediction(CLASSES[label], dict(zip(CLASSES, numbers)), node)
{{/classes}}
{{^classes}}
    return Prediction(_NUMBERS[leaf], node)
{{/classes}}


{{#tests}}
{{#nested}}
def _leaf(x):
    # The leaf of a row; -1 where a value is missing on its way.
{{tests}}

{{/nested}}
def _way(x, node):
    # Where a row goes from a node in one piece: the last node, and the leaf there or -1.
    while len(_NODES[node]) > 1:
        place, test, first, _, _, missing = _NODES[node]
        value = x[place]
        if value != value:
            branch = missing
{{#known}}
        elif test is None:
            branch = 0
{{/known}}
{{#lists}}
        elif _CODES[place] is not None:
            branch = _BRANCHES[test + value] if value >= 0 else -1
{{/lists}}
        else:
            branch = int(value >= test)
        if branch < 0:
            return node, -1
        node = first + branch
    return node, _NODES[node][0]


def _in_parts(x):
    # What the leaves say, from left to right, each by its share of the row.
{{#classes}}
    numbers = [0.0] * len(CLASSES)
{{/classes}}
{{^classes}}
    value = 0.0
{{/classes}}
    waiting, most, heaviest = [(0, 1.0)], 0.0, 0
    while waiting:
        node, share = waiting.pop()
        node, leaf = _way(x, node)
        if leaf < 0:
            _, _, first, shares, branches, _ = _NODES[node]
            parts = [(first + b, share * _SHARES[shares + b]) for b in range(branches)]
            waiting.extend(part for part in reversed(parts) if part[1] > 0.0)
            continue
        if share > most:
            heaviest, most = _LEAVES[leaf][0], share
{{#classes}}
        for place in range(len(CLASSES)):
            numbers[place] += share * _NUMBERS[leaf * len(CLASSES) + place]
    return Prediction(CLASSES[_decide(numbers)], dict(zip(CLASSES, numbers)), heaviest)


def _decide(numbers):
    # The first of the classes that are best up to rounding.
{{#costs}}
    count, risks = len(CLASSES), []
    for label in range(count):
        risk = 0.0
        for actual in range(count):
            risk += numbers[actual] * COSTS[actual * count + label]
        risks.append(risk)
    limit = min(risks) + 1e-10 * abs(min(risks))
    return next(label for label in range(count) if risks[label] <= limit)
{{/costs}}
{{^costs}}
    largest = max(numbers)
    enough = largest - 1e-10 * abs(largest)
    return next(label for label in range(len(CLASSES)) if numbers[label] >= enough)
{{/costs}}
{{/classes}}
{{^classes}}
        value += share * _NUMBERS[leaf]
    return Prediction(value, heaviest)
{{/classes}}


# Every node: a leaf has its number; a test has its input, its threshold or place in _BRANCHES, its first child, its
# place in _SHARES, how many branches it has, and the branch of rows without a value (-1: all of them).
_NODES = (
{{nodes}})

{{#lists}}
# The branch of every value of a list; -1 where it has none.
_BRANCHES = (
{{branches}})

{{/lists}}
# The share of a row without a known value that each branch of a test gets.
_SHARES = (
{{shares}})

{{/tests}}
# Every leaf, from left to right: its node in the model, its class.
_LEAVES = (
{{leaves}})

# What every leaf says.
_NUMBERS = (
{{leaf numbers}})

_MISSING = float("nan")
_CODES = tuple(
    None if values is None else {value: code for code, value in enumerate(values)} for values in VALUES
)
