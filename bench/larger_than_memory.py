#!/usr/bin/env python3
"""One tree of 256 leaves from a table that is larger than memory: `secateur fit --memory` beside LightGBM and XGBoost, in turn.

    large_table.py 50000000 big.parquet; large_table.py 500000 test.parquet --first 1000
    larger_than_memory.py big.parquet test.parquet --program target/release/secateur --memory 1GB

The peers read the same Parquet files batch by batch: LightGBM into its binned data set (`Sequence`, one byte for each cell, in memory), XGBoost into its
external memory (`ExtMemQuantileDMatrix`, pages on disk; level by level to depth 8, since leaf by leaf it reads all pages for every leaf). Text goes to them as numbers of categories. Every contestant is a process of its own; CPU time
(user and system) is shown beside wall time, since it says more on a machine that has other things to do. The error is that on the test rows.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

TEXTS = {"city": [f"city {i:03d}" for i in range(200)], "kind": ["new", "regular", "gold", "staff", "guest", "lapsed"]}
NAMES = ["x", "amount", "normal", "ratio", "delay", "noise", "count", "day", "city", "kind"]


def arrays(table):
    """Numbers of the columns, and whether the target is `yes`."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = []
    for name in NAMES:
        column = table.column(name)
        if name in TEXTS:
            column = pc.index_in(column, value_set=pa.array(TEXTS[name]))
        columns.append(column.to_numpy(zero_copy_only=False).astype(np.float32))
    return np.column_stack(columns), pc.equal(table.column("y"), "yes").to_numpy(zero_copy_only=False).astype(np.float32)


def groups(path):
    """Every row group of a file, or of the files of a folder."""
    import pyarrow.parquet as pq

    path = pathlib.Path(path)
    for file in sorted(path.glob("*.parquet")) if path.is_dir() else [path]:
        found = pq.ParquetFile(file)
        for number in range(found.num_row_groups):
            yield found, number


def error(said, test):
    import pyarrow.parquet as pq

    X, y = arrays(pq.read_table(test))
    return float(((said(X) > 0.5) != (y > 0.5)).mean())


def lightgbm(data, test):
    import lightgbm as lgb
    import numpy as np

    class Rows(lgb.Sequence):
        """A row group."""

        batch_size = 250_000

        last = None

        def __init__(self, file, number):
            self.file, self.number = file, number

        def __len__(self):
            return self.file.metadata.row_group(self.number).num_rows

        def __getitem__(self, index):
            # The sample asks for single rows: the group that was read last is kept.
            if Rows.last is None or Rows.last[0] is not self:
                Rows.last = (self, arrays(self.file.read_row_group(self.number))[0].astype(np.float64))
            return Rows.last[1][index]

    parts = [Rows(*group) for group in groups(data)]
    y = np.concatenate([arrays(part.file.read_row_group(part.number))[1] for part in parts])
    params = {"objective": "binary", "num_leaves": 256, "max_bin": 255, "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0, "learning_rate": 1.0, "verbose": -1}
    train = lgb.Dataset(parts, y, categorical_feature=[8, 9], params={**params, "bin_construct_sample_cnt": 200_000})
    booster = lgb.train(params, train, num_boost_round=1)
    return error(booster.predict, test)


def xgboost(data, test):
    import xgboost as xgb

    class Batches(xgb.DataIter):
        """All row groups, as often as need be."""

        def __init__(self, cache):
            self.all, self.at = list(groups(data)), 0
            super().__init__(cache_prefix=cache)

        def next(self, input_data):
            if self.at == len(self.all):
                return False
            file, number = self.all[self.at]
            X, y = arrays(file.read_row_group(number))
            input_data(data=X, label=y, feature_types=["q"] * 8 + ["c"] * 2)
            self.at += 1
            return True

        def reset(self):
            self.at = 0

    with tempfile.TemporaryDirectory() as folder:
        train = xgb.ExtMemQuantileDMatrix(Batches(os.path.join(folder, "pages")), max_bin=255, enable_categorical=True)
        params = {"objective": "binary:logistic", "tree_method": "hist", "max_bin": 255, "max_leaves": 256, "grow_policy": "depthwise", "max_depth": 8,
                  "min_child_weight": 0, "lambda": 0, "eta": 1.0, "max_cat_to_onehot": 1}
        booster = xgb.train(params, train, num_boost_round=1)
        del train
    kinds = ["q"] * 8 + ["c"] * 2
    return error(lambda X: booster.predict(xgb.DMatrix(X, feature_types=kinds, enable_categorical=True)), test)


PEERS = {"lightgbm": lightgbm, "xgboost": xgboost}


def measured(command, **more):
    """Wall and CPU seconds and the most memory of a process, and what it printed."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **more)
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{command[0]} failed")
    return {"wall": time.perf_counter() - begun, "cpu": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss * 1024 / 1e6}, out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("test")
    parser.add_argument("--program", default="secateur")
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--only", help="secateur, lightgbm or xgboost")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        print(json.dumps({"error": PEERS[options.peer](options.data, options.test)}))
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if options.only in (None, "secateur"):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "model.json")
            scheme = "cart:order=best-first-weighted,max-leaves=256,bins=255"
            found, _ = measured([options.program, "fit", options.data, "--memory", options.memory, "--scheme", scheme, "-o", model, "--json", "-q"])
            _, out = measured([options.program, "predict", model, options.test, "-o", os.path.join(folder, "said.csv"), "--json", "-q"])
            print(json.dumps({"name": "secateur", **found, "error": 1 - json.loads(out)["accuracy"]}), flush=True)
    for name in PEERS:
        if options.only in (None, name):
            found, out = measured([sys.executable, __file__, options.data, options.test, "--peer", name])
            print(json.dumps({"name": name, **found, **json.loads(out.splitlines()[-1])}), flush=True)


if __name__ == "__main__":
    main()
