"""Predicting: many rows at once, and one row after the other."""

from ..step import Step


def predict(suite):
    table = suite.table("gaussian-1m")
    # Half of a million rows give a tree of about 82,000 leaves.
    options = {"grown": table.rows // 2, "repeats": suite.repeats}
    contestants = [
        suite.peer("scikit-learn", "predict", table, **options),
        suite.ours("predict", table, **options),
        suite.ours("predict", table, name="Secateur, 2 threads", threads=2, **options),
    ]
    return [suite.race("predict/gaussian-1m", table.title, contestants, repeats=1)]


def one_row(suite):
    table = suite.table("gaussian-100k")
    repeats = suite.repeats
    contestants = [
        suite.peer("scikit-learn", "one-row", table, leaves=100, repeats=repeats),
        suite.ours("one-row", table, scheme="best-first:max-leaves=100", repeats=repeats),
    ]
    return [suite.race("one-row/gaussian-100k", f"{table.title}, 100 leaves", contestants, repeats=1)]


STEPS = [
    Step("predict", "All rows at once; the tree is grown before the clock starts.", ["scikit-learn"], predict),
    Step("one-row", "One row at a time: the seconds of one row.", ["scikit-learn"], one_row),
]
