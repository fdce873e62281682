"""Writes the Parquet files of this folder: python make.py (PyArrow 26.0.1)."""

from datetime import time
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

HERE = Path(__file__).parent


def write(name, columns, **options):
    # Small row groups: every file has several.
    pq.write_table(pa.table(columns), HERE / name, **{"row_group_size": 2, **options})


# Seven, missing and zero, counted in numbers, days or seconds.
def column(kind, seven=7, zero=0):
    return pa.array([seven, None, zero], kind)


numbers = {
    **{name: column(getattr(pa, name)()) for name in ["int8", "int16", "int32", "int64"]},
    **{name: column(getattr(pa, name)()) for name in ["uint8", "uint16", "uint32", "uint64"]},
    **{name: column(getattr(pa, name)(), 7.0, 0.0) for name in ["float16", "float32", "float64"]},
    "decimal9": column(pa.decimal128(9, 2), Decimal("7.00"), Decimal(0)),
    "decimal18": column(pa.decimal128(18, 2), Decimal("7.00"), Decimal(0)),
    "decimal38": column(pa.decimal128(38, 2), Decimal("7.00"), Decimal(0)),
    "decimal76": column(pa.decimal256(76, 2), Decimal("7.00"), Decimal(0)),
    "date32": column(pa.date32()),
    "date64": column(pa.date64(), 7 * 86_400_000),
    **{f"timestamp_{unit}": column(pa.timestamp(unit), 7 * scale) for unit, scale in [("s", 1), ("ms", 10**3)]},
    **{f"timestamp_{unit}": column(pa.timestamp(unit), 7 * scale) for unit, scale in [("us", 10**6), ("ns", 10**9)]},
    "zoned": column(pa.timestamp("us", "+01:00"), 7 * 10**6),
    "time_s": column(pa.time32("s"), time(0, 0, 7), time(0)),
    "time_ms": column(pa.time32("ms"), time(0, 0, 7), time(0)),
    "time_us": column(pa.time64("us"), time(0, 0, 7), time(0)),
    "time_ns": column(pa.time64("ns"), time(0, 0, 7), time(0)),
    **{f"duration_{unit}": column(pa.duration(unit), 7 * scale) for unit, scale in [("s", 1), ("ms", 10**3)]},
    **{f"duration_{unit}": column(pa.duration(unit), 7 * scale) for unit, scale in [("us", 10**6), ("ns", 10**9)]},
    "dictionary": column(pa.int16()).dictionary_encode(),
}
write("numbers.parquet", numbers)
write("numbers_in_pages_of_version_2.parquet", numbers, data_page_version="2.0", compression="zstd")
write("numbers_as_bytes.parquet", numbers, use_dictionary=False, store_decimal_as_integer=True, compression="brotli")
old = {"timestamp": column(pa.timestamp("ns"), 7 * 10**9), "zoned": column(pa.timestamp("us", "UTC"), 7 * 10**6)}
write("int96.parquet", old, use_deprecated_int96_timestamps=True)

texts = ["b", None, "a", "NA", "b"]
write(
    "texts.parquet",
    {
        "string": texts,
        "large_string": pa.array(texts, pa.large_string()),
        "string_view": pa.array(texts, pa.string_view()),
        "dictionary": pa.array(texts).dictionary_encode(),
        "bool": [True, None, True, True, None],
        "null": pa.nulls(5),
    },
    compression="gzip",
)
write(
    "nested.parquet",
    {
        "a": [1, 2],
        "list": [[1], None],
        "raw": [b"x", b"y"],
        "struct": [{"x": 1, "y": 2}, None],
        "z": [3, 4],
    },
    compression="lz4",
)
