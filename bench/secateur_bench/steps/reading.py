"""Reading files, and coding tables."""

from ..step import Step


def read(suite):
    races = []
    for name, format in [("gaussian-1m", "csv"), ("mixed", "csv"), ("gaussian-1m", "parquet")]:
        table = suite.table(name)
        contestants = [
            suite.peer("pandas", "read", table, format, with_="pandas"),
            suite.ours("read", table, format),
            suite.peer("PyArrow", "read", table, format, with_="pyarrow"),
            suite.ours("read", table, format, "Secateur, 2 threads", threads=2),
            suite.peer("PyArrow", "read", table, format, "PyArrow, 2 threads", with_="pyarrow", threads=2),
        ]
        races.append(suite.race(f"read/{name}.{format}", f"{table.title}, {format}", contestants))
    for name in ["gaussian-100k", "mixed"]:
        table = suite.table(name)
        contestants = [suite.weka("Weka", "read", table), suite.ours("read", table, "arff")]
        races.append(suite.race(f"read/{name}.arff", f"{table.title}, arff", contestants))
    return races


def code(suite):
    races = []
    for name, format in [("gaussian-1m", "raw"), ("covtype", "raw"), ("mixed", "csv")]:
        if suite.quick and name == "covtype":
            continue
        table = suite.table(name)
        contestants = [
            suite.ours("code", table, format),
            suite.ours("code", table, format, "Secateur, 2 threads", threads=2),
        ]
        races.append(suite.race(f"code/{name}", table.title, contestants))
    return races


STEPS = [
    Step(
        "read",
        "A file into memory. PyArrow's columns are not yet what a learner takes; Secateur's are.",
        ["pandas", "PyArrow", "Weka"],
        read,
    ),
    Step("code", "Columns into ranks, once for all trees; part of the time to grow below.", [], code),
]
