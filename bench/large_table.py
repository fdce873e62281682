#!/usr/bin/env python3
"""Makes a large table by rule, as a Parquet file of row groups: `large_table.py ROWS OUT.parquet [--numbers]`.

Ten columns beside the target: six numbers of different shapes, a small count, a day, two texts (6 and 200 values).
The target (classes, or numbers with --numbers) depends on most of them, with noise: no tree is right for more than about 88 % of the rows.
The rows are the same whatever the number of them: a table of 5 million rows is the beginning of one of 50 million.
"""

import argparse

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

GROUP = 250_000
CITIES = np.array([f"city {i:03d}" for i in range(200)])
KINDS = np.array(["new", "regular", "gold", "staff", "guest", "lapsed"])


def group(number, numbers):
    """The rows of one group."""
    rng = np.random.Generator(np.random.PCG64([20_240_501, number]))
    n = GROUP
    x = rng.random(n)
    amount = rng.lognormal(4.0, 1.3, n)
    normal = rng.normal(size=n)
    ratio = rng.beta(2.0, 5.0, n)
    delay = rng.exponential(30.0, n)
    noise = rng.random(n)
    count = rng.poisson(3.0, n)
    day = rng.integers(18_000, 19_500, n)
    city = rng.integers(0, 200, n)
    kind = rng.choice(6, n, p=[0.3, 0.3, 0.2, 0.1, 0.07, 0.03])
    score = (
        1.5 * (x > 0.35)
        + 0.8 * np.log(amount / 50.0) * (kind < 3)
        + 0.9 * normal * (ratio > 0.25)
        - 0.03 * delay
        + 0.25 * count
        + 1.2 * np.sin(city * 0.7)
        + 0.6 * ((day // 90) % 2)
    )
    columns = {
        "x": pa.array(x),
        "amount": pa.array(np.round(amount, 2)),
        "normal": pa.array(normal),
        "ratio": pa.array(ratio.astype(np.float32)),
        "delay": pa.array(delay),
        "noise": pa.array(noise),
        "count": pa.array(count.astype(np.int16)),
        "day": pa.array(day.astype(np.int32)),
        "city": pa.DictionaryArray.from_arrays(city.astype(np.int16), CITIES).cast(pa.string()),
        "kind": pa.DictionaryArray.from_arrays(kind.astype(np.int8), KINDS).cast(pa.string()),
    }
    if numbers:
        columns["y"] = pa.array(score + rng.normal(0.0, 1.0, n))
    else:
        p = 1.0 / (1.0 + np.exp(-1.8 * (score - 1.3)))
        columns["y"] = pa.array(np.where(rng.random(n) < p, "yes", "no"))
    return columns


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=int)
    parser.add_argument("out")
    parser.add_argument("--numbers", action="store_true", help="a target of numbers")
    parser.add_argument("--first", type=int, default=0, help="the number of the first group, for rows to test on")
    options = parser.parse_args()
    writer, left, number = None, options.rows, options.first
    while left > 0:
        table = pa.table(group(number, options.numbers)).slice(0, min(left, GROUP))
        writer = writer or pq.ParquetWriter(options.out, table.schema, compression="snappy")
        writer.write_table(table, row_group_size=GROUP)
        left, number = left - table.num_rows, number + 1
    writer.close()


if __name__ == "__main__":
    main()
