"""Trees from rows that Spark, Dask or Ray hold: the same bytes as the program has, for any partitions, in any order, whoever is lost.

One file, as every engine runs once for all its tests, on two workers: Spark's ``local-cluster`` mode, ``dask.distributed`` and Ray.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import pytest

import secateur

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

#: A message has at most this many bytes in these tests: answers come in many pieces.
MOST = 50_000

SCHEMES = {
    "classes": "cart:bins=40,max-leaves=20",
    "holdout": "cart:bins=40,min-leaf=20/cost-complexity:holdout=0.2,1se",
    "folds": "c45:bins=40,min-leaf=20/k-norm:cv=3",
    "numbers": "cart:bins=40,min-leaf=20/cost-complexity:cv=3,1se",
}


def make(rows):
    """Numbers with many values and with few, text of 200 values, missing values, weights with fractions; a class and a number to predict.

    Texts come in their order at the beginning, so that the order of their appearance is that of their texts, whoever reads first.
    """
    rng = np.random.default_rng(7)
    x, few = rng.random(rows), rng.integers(0, 5, rows)
    city = rng.integers(0, 200, rows)
    city[:200] = np.arange(200)
    kind = rng.integers(0, 3, rows)
    kind[:3] = np.arange(3)
    score = 2 * x + (few > 2) + np.sin(city) + 0.5 * (kind == 1) + 0.6 * rng.normal(size=rows)
    label = np.where(score > 1.6, "no", "yes")
    label[:2] = ["no", "yes"]
    gaps = rng.random((3, rows)) < 0.05
    gaps[:, :200] = False
    return pa.table(
        {
            "x": pa.array(x, mask=gaps[0]),
            "few": pa.array(few, mask=gaps[1]),
            "city": pa.array([f"city {i:03d}" for i in city], mask=gaps[2]),
            "kind": pa.array([f"kind {i}" for i in kind]),
            "w": pa.array(np.round(rng.random(rows) + 0.5, 3)),
            "z": pa.array(score),
            "y": pa.array(label),
        }
    )


@pytest.fixture(scope="module")
def table():
    return make(3000)


def options(case):
    target, other = ("z", "y") if case == "numbers" else ("y", "z")
    weights = {"weights": "w"} if case in ("folds", "numbers") else {"ignore": ["w"]}
    return {"target": target, "scheme": SCHEMES[case], **weights, "ignore": [other, *weights.pop("ignore", [])]}


def bytes_of(tree, folder):
    path = folder / f"{id(tree)}.json"
    tree.save(path)
    return path.read_bytes()


class Local:
    """An engine in this process: partitions are lists of batches."""

    def __init__(self, parts, few=True):
        self.rows = parts
        # With very many partitions answers are added up on the way.
        self.partitions = len(parts) if few else 1 << 40
        self.mapped = []

    def sample(self, count):
        return pa.Table.from_batches([batch for part in self.rows for batch in part]).slice(0, count)

    def count(self):
        return sum(batch.num_rows for part in self.rows for batch in part)

    def map(self, rows, work, columns=None):
        import pickle

        from secateur._shards import as_batches

        work = pickle.loads(pickle.dumps(work))
        self.mapped.append(getattr(work, "kind", "only"))
        pick = (lambda batch: batch) if columns is None else (lambda batch: batch.select(columns))
        return [list(as_batches(work(i, [pick(batch) for batch in part]), i)) for i, part in enumerate(rows)]

    def keep(self, mapped):
        return mapped, sum(sum(batch.column("number").to_pylist()) for part in mapped for batch in part)

    def drop(self, kept):
        kept.clear()

    def collect(self, mapped):
        from secateur._shards import pieces_of

        return pieces_of(batch for part in reversed(mapped) for batch in part)

    def add_up(self, mapped, add, pieces):
        return add(self.collect(mapped))


def parts_of(table, count, shuffled=False, batch=170):
    """The rows in this many partitions; in their order, or not."""
    if shuffled:
        table = table.take(np.random.default_rng(count).permutation(len(table)))
    borders = np.linspace(0, len(table), count + 1).astype(int)
    return [table.slice(a, b - a).combine_chunks().to_batches(max_chunksize=batch) for a, b in zip(borders, borders[1:])]


@pytest.fixture(scope="module")
def expected(table, tmp_path_factory):
    """What one partition gives: case by case the bytes of the model."""
    from secateur import _cluster

    folder = tmp_path_factory.mktemp("expected")
    fits = {case: _cluster.fit(Local(parts_of(table, 1)), **options(case)) for case in SCHEMES}
    assert all(tree.get_n_leaves() > 4 for tree in fits.values()), {case: tree.get_n_leaves() for case, tree in fits.items()}
    return {case: bytes_of(tree, folder) for case, tree in fits.items()}


@pytest.mark.parametrize("case", SCHEMES)
def test_partitions_and_their_order_do_not_matter(table, expected, case, tmp_path):
    from secateur import _cluster

    for count, shuffled, few, here in [(2, False, True, "0"), (7, True, True, "20kB"), (7, True, False, "1GB"), (40, True, False, "0")]:
        engine = Local(parts_of(table, count, shuffled), few)
        tree = _cluster.fit(engine, **options(case), driver_rows=here, most_bytes=MOST)
        assert bytes_of(tree, tmp_path) == expected[case], (count, shuffled)
        asked = engine.mapped.count("ask")
        assert asked > 3 if here == "0" else "take" in engine.mapped
        assert ("hold" in engine.mapped) == (case != "classes")
        assert tree.traffic_["largest_piece"] <= 3 * MOST, tree.traffic_


def test_a_partition_without_rows_and_one_with_all(table, expected, tmp_path):
    from secateur import _cluster

    parts = [table.slice(0, 0).to_batches(), *parts_of(table, 1), []]
    assert bytes_of(_cluster.fit(Local(parts), **options("folds")), tmp_path) == expected["folds"]


def test_the_program_has_the_same_bytes(program, tmp_path):
    """Of a table that is larger than 64 MB of memory, so that the program streams it."""
    from secateur import _cluster

    large = make(400_000)
    for number in range(9):
        large = large.append_column(f"noise {number}", pa.array(np.random.default_rng(number).normal(size=len(large))))
    path = tmp_path / "table.parquet"
    pq.write_table(large, path, row_group_size=90_000)
    for case, how in [("holdout", ["--ignore", "z,w"]), ("numbers", ["--ignore", "y", "--weights", "w"])]:
        scheme = {"holdout": "cart:bins=255,max-leaves=60/cost-complexity:holdout=0.1,1se", "numbers": "cart:bins=60,max-leaves=12"}[case]
        target = options(case)["target"]
        command = [program, "fit", str(path), "--memory", "64MB", "--target", target, *how, "--scheme", scheme, "-o", str(tmp_path / "program.json"), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["streamed"]["passes"] > 1
        engine = Local(parts_of(large, 5, batch=60_000))
        tree = _cluster.fit(engine, **{**options(case), "scheme": scheme}, data=str(path))
        expected = json.loads((tmp_path / "program.json").read_text())
        assert json.loads(bytes_of(tree, tmp_path)) == expected
        assert bytes_of(tree, tmp_path) == (tmp_path / "program.json").read_bytes()
        own = secateur.fit_file(path, target, scheme=scheme, memory="64MB", ignore=options(case)["ignore"], weights=options(case).get("weights"))
        assert bytes_of(own, tmp_path) == (tmp_path / "program.json").read_bytes()


def test_rows_that_change_are_noticed(table):
    from secateur import _cluster

    class Changing(Local):
        def map(self, rows, work, columns=None):
            if getattr(work, "kind", "") == "code":
                rows = [part[:-1] for part in rows]
            return super().map(rows, work, columns)

    with pytest.raises(ValueError, match="the rows change while they are read: 3000 were looked at and"):
        _cluster.fit(Changing(parts_of(table, 3)), **options("classes"))


def test_what_is_wrong_is_told(table):
    from secateur import _cluster

    engine = Local(parts_of(table, 2))
    for wrong, said in [
        ({"target": "nothing"}, "target: there is no column 'nothing'; there are x, few, city"),
        ({"weights": "nothing"}, "weights: there is no column 'nothing'"),
        ({"weights": "kind"}, "weights must be numbers"),
        ({"task": "guess"}, "task: expected 'classification' or 'regression', got 'guess'"),
        ({"levels": "guess"}, "levels: expected 'sorted' or 'first'"),
        ({"scheme": "cart:criterion=mae", "task": "regression", "target": "z", "ignore": ["y"]}, "use criterion=mse"),
        ({"scheme": "id3"}, "use discretise=off"),
        ({"memory": "1kB"}, "at least 64 MB"),
        ({"costs": {("no", "perhaps"): 2.0}}, "costs: there is no class 'perhaps'; the classes are no, yes"),
    ]:
        with pytest.raises(ValueError, match=said):
            _cluster.fit(engine, **{**options("classes"), **wrong})


def test_identifiers_are_left_out(table):
    from secateur import _cluster

    named = table.append_column("name", pa.array([f"row {i}" for i in range(len(table))]))
    with pytest.warns(secateur.TableWarning, match="an identifier, left out of growing"):
        tree = _cluster.fit(Local(parts_of(named, 3)), **options("classes"))
    assert "name" not in tree.feature_names_in_
    tree = _cluster.fit(Local(parts_of(named, 3)), **options("classes"), keep=["name"])
    assert "name" in tree.feature_names_in_


def test_costs_and_the_usual_scheme(table):
    from secateur import _cluster

    tree = _cluster.fit(Local(parts_of(table, 3)), "y", costs={("no", "yes"): 50.0}, ignore=["z"])
    assert tree.scheme == "cart:bins=255/cost-complexity:holdout=0.1,1se"
    assert "yes" not in tree.predict(table.select(list(tree.feature_names_in_)))


def check_fits(fit, frame, expected, tmp_path, cases=("holdout", "folds", "numbers")):
    """Some cases of an engine give what one partition gives."""
    trees = {case: fit(frame, **options(case), driver_rows="20kB", most_bytes=MOST) for case in cases}
    for case, tree in trees.items():
        assert bytes_of(tree, tmp_path) == expected[case], case
    tree = trees[cases[-1]]
    if not hasattr(tree, "classes_"):
        tree = trees[cases[0]]
    assert tree.path("k-norm")["leaves"] is not None and tree.prune("k-norm:k=2").get_n_leaves() > 0 and "<html" in tree.to_html()
    return tree


#: What cannot be done from counts: a scheme, a target for it, and the alternative that the error names.
REFUSED = [
    ("cart:criterion=mae", "z", "use criterion=mse"),
    ("cart:leaf=median", "z", "use leaf=mean"),
    ("c45/error-based:raising=on", "y", "use error-based:raising=off"),
    ("id3", "y", "use discretise=off"),
    ("cart/pre", "y", "such as post, cost-complexity or k-norm"),
]


def check_refusals(fit, frame):
    """What needs all rows at once is refused before any work, with the alternative."""
    for scheme, target, instead in REFUSED:
        with pytest.raises(ValueError, match=instead):
            fit(frame, target, scheme=scheme, ignore=["w", "z" if target == "y" else "y"])


def test_what_needs_all_rows_is_refused(table):
    from secateur import _cluster

    engine = Local(parts_of(table, 2))
    check_refusals(lambda _, target, **how: _cluster.fit(engine, target, **how), None)
    assert engine.mapped == []


def same_predictions(tree, table, found, probabilities=None):
    """What an engine says to the rows, in any order, is what the tree says to them."""
    names = list(tree.feature_names_in_)
    own = table.append_column("said", pa.array(tree.predict(table.select(names))))
    key = ["z", "w"]
    own, found = own.sort_by([(name, "ascending") for name in key]), found.sort_by([(name, "ascending") for name in key])
    assert found.column("prediction").to_pylist() == own.column("said").to_pylist()
    if probabilities:
        assert np.allclose(found.column(probabilities).to_pylist(), tree.predict_proba(own.select(names)))


#: What a worker may be busy with when it is lost: coding rows, counting a level, sending held-out rows down the trees.
PHASES = ["code", "ask", "hold"]


class Slow:
    """Work that says who has begun with it; the first to begin takes its time."""

    def __init__(self, work, flag):
        self.work, self.flag = work, flag

    def __call__(self, partition, batches):
        if not os.path.exists(self.flag):
            own = f"{self.flag}.{os.getpid()}"
            with open(own, "w") as file:
                file.write(str(os.getpid()))
            os.replace(own, self.flag)
            time.sleep(3.0)
        return self.work(partition, batches)


class Killed:
    """Kills a process that works on a question of a phase, once; what it kept is gone as well."""

    def __init__(self, monkeypatch, engine, phase, flag, whose=int):
        self.pid, self.flag, self.whose = None, flag, whose
        plain_map = engine.map

        def slow_map(engine, rows, work, columns=None):
            is_meant = getattr(work, "kind", "") == phase and self.pid is None
            return plain_map(engine, rows, Slow(work, str(flag)) if is_meant else work, columns)

        monkeypatch.setattr(engine, "map", slow_map)

    def __enter__(self):
        self.ended = threading.Event()
        self.killer = threading.Thread(target=self.kill, daemon=True)
        self.killer.start()
        return self

    def kill(self):
        while not self.flag.exists():
            if self.ended.wait(0.02):
                return
        pid = self.whose(int(self.flag.read_text()))
        os.kill(pid, signal.SIGKILL)
        self.pid = pid

    def __exit__(self, *failure):
        self.ended.set()
        self.killer.join(20)
        assert failure[0] or self.pid, "nobody was killed"


# Spark


def java_is_there():
    return shutil.which("java") is not None or os.environ.get("JAVA_HOME")


@pytest.fixture(scope="module")
def spark():
    """Two executors, each a process of its own."""
    sql = pytest.importorskip("pyspark.sql")
    if not java_is_there():
        pytest.skip("there is no java: install openjdk-17-jre-headless")
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    session = (
        sql.SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.python.worker.faulthandler.enabled", "true")
        .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.driver.memory", "512m")
        .config("spark.executor.memory", "512m")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def executor_of(pid):
    """The executor that a process of Python works for."""
    ours = executors()
    while pid not in ours:
        with open(f"/proc/{pid}/stat") as stat:
            pid = int(stat.read().rsplit(")", 1)[1].split()[1])
    return pid


def executors():
    """The process ids of the executors that this process has."""
    own = os.getpid()
    parents, found = {}, []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                parents[int(pid)] = int(stat.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{pid}/cmdline", "rb") as line:
                if b"CoarseGrainedExecutorBackend" in line.read():
                    found.append(int(pid))
        except OSError:
            continue

    def is_ours(pid):
        while pid in parents:
            pid = parents[pid]
            if pid == own:
                return True
        return False

    return [pid for pid in found if is_ours(pid)]


def test_spark(spark, table, expected, tmp_path):
    import secateur.spark

    frame = spark.createDataFrame(table).repartition(3)
    tree = check_fits(secateur.spark.fit, frame, expected, tmp_path)
    check_refusals(secateur.spark.fit, frame)
    found = secateur.spark.predict(tree, frame, probabilities=True)
    assert found.columns == [*frame.columns, "prediction", "probabilities"]
    same_predictions(tree, table, found.toArrow(), "probabilities")
    with pytest.raises(ValueError, match="there is a column 'y' already"):
        secateur.spark.predict(tree, frame, column="y")


def test_spark_reads_files_as_the_program_does(spark, table, expected, tmp_path):
    import secateur.spark

    pq.write_table(table, tmp_path / "table.parquet", row_group_size=500)
    frame = spark.read.parquet(str(tmp_path / "table.parquet"))
    assert bytes_of(secateur.spark.fit(frame, **options("holdout"), levels="first"), tmp_path) == expected["holdout"]


def test_spark_adds_up_where_the_rows_are(spark, table, expected, tmp_path, monkeypatch):
    import secateur.spark
    from secateur import _cluster

    monkeypatch.setattr(_cluster, "FEW_BYTES", 0)
    frame = spark.createDataFrame(table).repartition(3)
    assert bytes_of(secateur.spark.fit(frame, **options("classes"), most_bytes=MOST), tmp_path) == expected["classes"]


@pytest.mark.parametrize("phase", PHASES)
def test_spark_loses_an_executor(spark, table, expected, tmp_path, phase, monkeypatch):
    from pyspark import cloudpickle

    import secateur.spark

    # Executors do not have this file.
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    frame = spark.createDataFrame(table).repartition(4)
    with Killed(monkeypatch, secateur.spark._Engine, phase, tmp_path / "working", executor_of) as killed:
        tree = secateur.spark.fit(frame, **options("holdout"), driver_rows="0", most_bytes=MOST)
    assert killed.pid not in executors()
    assert bytes_of(tree, tmp_path) == expected["holdout"]


# Dask


@pytest.fixture(scope="module")
def dask_client():
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("dask.dataframe")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as cluster:
        with distributed.Client(cluster) as client:
            yield client


def test_dask(dask_client, table, expected, tmp_path, monkeypatch):
    import dask.dataframe as dd

    import secateur.dask
    from secateur import _cluster

    frame = dd.from_pandas(table.to_pandas(), npartitions=3)
    tree = check_fits(secateur.dask.fit, frame, expected, tmp_path)
    check_refusals(secateur.dask.fit, frame)
    found = secateur.dask.predict(tree, frame, probabilities=True).compute()
    assert list(found.columns) == [*frame.columns, "prediction", "probabilities"]
    same_predictions(tree, table, pa.Table.from_pandas(found, preserve_index=False), "probabilities")
    monkeypatch.setattr(_cluster, "FEW_BYTES", 0)
    assert bytes_of(secateur.dask.fit(frame, **options("holdout"), driver_rows="0", most_bytes=MOST), tmp_path) == expected["holdout"]


@pytest.mark.parametrize("phase", PHASES)
def test_dask_loses_a_worker(dask_client, table, expected, tmp_path, phase, monkeypatch):
    import dask.dataframe as dd

    import secateur.dask

    frame = dd.from_pandas(table.to_pandas(), npartitions=4)
    with Killed(monkeypatch, secateur.dask._Engine, phase, tmp_path / "working") as killed:
        tree = secateur.dask.fit(frame, **options("holdout"), driver_rows="0")
    assert killed.pid not in [worker.pid for worker in dask_client.cluster.workers.values()]
    assert bytes_of(tree, tmp_path) == expected["holdout"]


# Ray


@pytest.fixture(scope="module")
def ray_cluster():
    """Two workers on this machine, without a dashboard; nothing is sent to anybody."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray = pytest.importorskip("ray")
    data = pytest.importorskip("ray.data")
    # The folder of its sockets must have a short name.
    folder = tempfile.mkdtemp(prefix="ray", dir="/tmp")
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "error", "configure_logging": False}
    ray.init(num_cpus=2, object_store_memory=100 << 20, _node_ip_address="127.0.0.1", _temp_dir=folder, **quiet)
    context = data.DataContext.get_current()
    context.enable_progress_bars = False
    yield ray
    ray.shutdown()
    shutil.rmtree(folder, ignore_errors=True)


def test_ray(ray_cluster, table, expected, tmp_path, monkeypatch):
    import secateur.ray
    from secateur import _cluster

    frame = ray_cluster.data.from_arrow([table.slice(start, 1000) for start in (0, 1000, 2000)])
    tree = check_fits(secateur.ray.fit, frame, expected, tmp_path)
    check_refusals(secateur.ray.fit, frame)
    found = pa.concat_tables(secateur.ray.predict(tree, frame, probabilities=True).iter_batches(batch_format="pyarrow"))
    assert found.column_names == [*table.column_names, "prediction", "probabilities"]
    same_predictions(tree, table, found, "probabilities")
    # Added up where the rows are.
    monkeypatch.setattr(_cluster, "FEW_BYTES", 0)
    assert bytes_of(secateur.ray.fit(frame, **options("classes"), driver_rows="0", most_bytes=MOST), tmp_path) == expected["classes"]
    with pytest.raises(ValueError, match="the blocks of a Ray data set have no order"):
        secateur.ray.fit(frame, **options("classes"), levels="first")


@pytest.mark.parametrize("phase", PHASES)
def test_ray_loses_a_worker(ray_cluster, table, expected, tmp_path, phase, monkeypatch):
    from ray import cloudpickle

    import secateur.ray

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    frame = ray_cluster.data.from_arrow([table.slice(start, 1000) for start in (0, 1000, 2000)])
    with Killed(monkeypatch, secateur.ray._Engine, phase, tmp_path / "working") as killed:
        tree = secateur.ray.fit(frame, **options("holdout"), driver_rows="0")
    assert not os.path.exists(f"/proc/{killed.pid}")
    assert bytes_of(tree, tmp_path) == expected["holdout"]
