"""Whole calls: the program from its start to its end, and the Python package."""

from ..step import Step


def cli(suite):
    races = []
    for name in ["gaussian-100k", "mixed"]:
        table = suite.table(name)
        contestants = []
        if name != "mixed":
            contestants.append(suite.peer("scikit-learn", "whole", table, "csv", "pandas and scikit-learn", whole=True))
        for scheme in ["cart", "cart/cost-complexity:cv=10,1se"]:
            for threads in [1, 2]:
                title = f"Secateur, {scheme}" + (", 2 threads" if threads == 2 else "")
                options = ["fit", table, "--scheme", scheme, "--threads", str(threads)]
                contestants.append(suite.program(table, *options, name=title))
        races.append(suite.race(f"cli/{name}", f"{table.title}, csv", contestants))
    return races


def python(suite):
    races = []
    for name in ["gaussian-100k", "numbers-100k"]:
        table = suite.table(name)
        contestants = [
            suite.peer("scikit-learn", "grow", table),
            suite.peer("secateur (Python)", "grow", table, name="Secateur"),
            suite.peer("secateur (Python)", "grow", table, name="Secateur, 2 threads", threads=2),
        ]
        races.append(suite.race(f"python/{name}", table.title, contestants))
    return races


STEPS = [
    Step(
        "cli",
        "`secateur fit` on a CSV file, and a Python script that reads the file with pandas and grows a full tree: whole processes.",
        ["scikit-learn", "pandas"],
        cli,
    ),
    Step(
        "python",
        "Full trees on the same NumPy array of 32-bit numbers, conversion included.",
        ["scikit-learn", "secateur (Python)"],
        python,
    ),
]
