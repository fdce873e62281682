#!/usr/bin/env python3
"""One tree from a Spark data frame on two executors: `secateur.spark.fit` beside MLlib's `DecisionTreeClassifier`, in turn.

    clusters.py --rows 2000000                        # the same depth and bins; time and error
    clusters.py --rows 200000 --missing               # text of 200 values and missing values: what each of them does with these
    clusters.py --rows 2000000 --only secateur        # one contestant; --repeats 1 for a quick look

Run it with a Python that has the packages of crates/secateur-python/requirements-clusters.txt and `secateur` itself (a release build); Java is needed. The
tables are those of large_table.py: ten columns, two of text (6 and 200 values), written once to --folder as several Parquet files.

Every run is a process with a Spark session of its own (`local-cluster` mode: each executor is a process). It fits a small table first, so that nobody pays for
starting up; then the time is taken from a data frame on files to a fitted tree. MLlib needs its text as numbers and its columns as vectors
(`StringIndexer`, `VectorAssembler`), which is part of the time; beside it stands the time of its tree alone, on vectors that Spark holds in memory already.
CPU seconds are those of driver, executors and their Python workers together; they say more than the clock on a machine that has other things to do.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))

TEXTS = ["city", "kind"]
NUMBERS = ["x", "amount", "normal", "ratio", "delay", "noise", "count", "day"]
#: Rows of the table that everybody warms up on, and of those that errors are measured on.
WARM, TEST = 20_000, 250_000
#: What is taken away where values are to be missing.
GAPS = {"amount": 0.05, "city": 0.05, "day": 0.1}


def write(folder, rows, first, files, missing):
    """A folder of Parquet files, unless it is there."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
    from large_table import GROUP, group

    if (folder / "complete").exists():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    each = -(-rows // files)
    waiting, number, left = [], first, rows
    for file in range(files):
        wanted = min(each, left)
        while sum(len(table) for table in waiting) < wanted:
            waiting.append(pa.table(group(number, False)))
            number += 1
        table = pa.concat_tables(waiting)
        waiting = [table.slice(wanted)]
        table = table.slice(0, wanted)
        rng = np.random.default_rng([first, file])
        for name, share in GAPS.items() if missing else ():
            gaps = pa.array(rng.random(len(table)) < share)
            at = table.schema.get_field_index(name)
            table = table.set_column(at, name, pc.if_else(gaps, None, table.column(name)))
        pq.write_table(table, folder / f"part-{file:03d}.parquet", row_group_size=GROUP)
        left -= wanted
    (folder / "complete").touch()
    return folder


def session(options):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    spark = (
        SparkSession.builder.master(options.master)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "2g")
        .config("spark.executor.memory", options.master.rstrip("]").rsplit(",", 1)[1] + "m")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.files.maxPartitionBytes", "16m")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")
    return spark


def cpu_seconds():
    """What this process and all its descendants have used, those that have ended included."""
    stats = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        stats[int(pid)] = int(fields[1]), sum(map(int, fields[11:15]))
    own, ours = os.getpid(), 0
    for pid, (parent, ticks) in stats.items():
        above = pid
        while above in stats and above != own:
            above = stats[above][0]
        ours += ticks if above == own else 0
    return ours / os.sysconf("SC_CLK_TCK")


def timed(work):
    begun, cpu = time.perf_counter(), cpu_seconds()
    found = work()
    return found, {"wall": round(time.perf_counter() - begun, 2), "cpu": round(cpu_seconds() - cpu, 2)}


def secateur(spark, frame, options, driver_rows=None):
    import secateur.spark

    scheme = f"cart:max-depth={options.depth},bins={options.bins}"
    tree = secateur.spark.fit(frame, target="y", scheme=scheme, driver_rows=driver_rows)
    return {"leaves": tree.get_n_leaves(), **tree.traffic_}, lambda test: secateur.spark.predict(tree, test).select("y", "prediction")


def secateur_counts(spark, frame, options):
    """No rows go to the driver: every level is counted where the rows are."""
    return secateur(spark, frame, options, driver_rows="0")


def stages(options, invalid="error"):
    from pyspark.ml.feature import StringIndexer, VectorAssembler

    indexer = StringIndexer(inputCols=[*TEXTS, "y"], outputCols=[*(f"{name} number" for name in TEXTS), "label"], handleInvalid=invalid)
    assembler = VectorAssembler(inputCols=[*NUMBERS, *(f"{name} number" for name in TEXTS)], outputCol="features", handleInvalid=invalid)
    return indexer, assembler


def grower(options):
    from pyspark.ml.classification import DecisionTreeClassifier

    return DecisionTreeClassifier(maxDepth=options.depth, maxBins=options.bins, impurity="gini", seed=1)


def mllib(spark, frame, options, invalid="error"):
    from pyspark.ml import Pipeline
    from pyspark.sql.functions import col

    model = Pipeline(stages=[*stages(options, invalid), grower(options)]).fit(frame)
    said = lambda test: model.transform(test).select(col("label").alias("y"), "prediction")  # noqa: E731
    return {"leaves": leaves(model.stages[-1])}, said


def leaves(model):
    return (model.numNodes + 1) // 2


def mllib_tree_alone(spark, frame, options):
    """The vectors are in memory before the time is taken."""
    from pyspark.ml import Pipeline

    prepared = Pipeline(stages=list(stages(options))).fit(frame).transform(frame).select("features", "label").persist()
    prepared.count()
    found, used = timed(lambda: grower(options).fit(prepared))
    prepared.unpersist()
    return {"leaves": leaves(found), **used}, None


CONTESTANTS = {"secateur": secateur, "secateur, counts only": secateur_counts, "mllib": mllib, "mllib, tree alone": mllib_tree_alone}


def run(name, options):
    """One contestant in this process."""
    spark = session(options)
    work = CONTESTANTS[name]
    work(spark, spark.read.parquet(options.tables["warm"]), options)
    frame = spark.read.parquet(options.tables["train"])
    (found, said), used = timed(lambda: work(spark, frame, options))
    found = {"name": name, **used, **found}
    if said:
        answers = said(spark.read.parquet(options.tables["test"])).toArrow()
        wrong = sum(a != b for a, b in zip(answers.column("y").to_pylist(), answers.column("prediction").to_pylist()))
        found["error"] = wrong / len(answers)
    spark.stop()
    return found


def run_missing(options):
    """What each of them does with missing values and with a text of 200 values."""
    spark = session(options)
    frame, test = (spark.read.parquet(options.tables[name]) for name in ("train", "test"))
    rows = frame.count()

    def attempt(name, work):
        try:
            found, said = work()
        except Exception as refused:
            said_so = str(refused).splitlines()
            told = next((line.strip() for line in said_so if any(word in line for word in ("NULL", "null", "maxBins", "categor"))), said_so[0])
            return print(json.dumps({"name": name, "refused": told[:300]}), flush=True)
        answers = said(test)
        total, wrong = answers.count(), answers.filter("y != prediction").count()
        print(json.dumps({"name": name, "rows": rows, **found, "judged": total, "error": wrong / total}), flush=True)

    few = argparse.Namespace(**{**vars(options), "bins": 32})
    whole = frame.na.drop()
    attempt("mllib", lambda: mllib(spark, frame, options))
    attempt("mllib, its usual 32 bins, rows without gaps", lambda: mllib(spark, whole, few))
    attempt("mllib, rows with gaps skipped", lambda: mllib(spark, frame, options, "skip"))
    attempt("mllib, gaps kept", lambda: mllib(spark, frame, options, "keep"))
    attempt("secateur", lambda: secateur(spark, frame, options))
    spark.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--files", type=int, default=8, help="in how many files the rows are; Spark makes about as many partitions")
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--bins", type=int, default=255)
    parser.add_argument("--master", default="local-cluster[2,1,2048]", help="executors, cores and megabytes of each")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--missing", action="store_true", help="a table with missing values, and what becomes of it")
    parser.add_argument("--only", choices=CONTESTANTS, help="one contestant")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path.home() / ".cache/secateur/bench/clusters")
    parser.add_argument("--here", choices=CONTESTANTS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sizes = {"train": (options.rows, 0, options.files), "warm": (WARM, 500, 2), "test": (TEST, 1000, 2)}
    gaps = "-gaps" if options.missing else ""
    options.tables = {
        name: str(write(options.folder / f"{name}-{rows}-{files}{gaps}", rows, first, files, options.missing)) for name, (rows, first, files) in sizes.items()
    }
    if options.missing:
        return run_missing(options)
    if options.here:
        return print(json.dumps(run(options.here, options)), flush=True)
    found = {name: [] for name in ([options.only] if options.only else CONTESTANTS)}
    for _ in range(options.repeats):
        for name, runs in found.items():
            command = [sys.executable, __file__, *sys.argv[1:], "--here", name]
            runs.append(json.loads(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()[-1]))
            print(json.dumps(runs[-1]), file=sys.stderr, flush=True)
    print(f"\n{options.rows:,} rows, depth {options.depth}, {options.bins} bins, {options.master}; medians of {options.repeats}\n")
    print(f"{'':24}{'seconds':>10}{'CPU':>10}{'leaves':>8}{'error':>9}")
    for name, runs in found.items():
        wall, cpu = (statistics.median(run[what] for run in runs) for what in ("wall", "cpu"))
        error = f"{runs[0]['error']:.2%}" if "error" in runs[0] else ""
        print(f"{name:24}{wall:10.1f}{cpu:10.1f}{runs[0]['leaves']:8}{error:>9}")


if __name__ == "__main__":
    main()
