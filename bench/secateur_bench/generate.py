"""Makes one table by rule, always the same: generate.py KIND ROWS COLUMNS FILE SOURCE. Runs where NumPy is installed.

A `.raw` file holds the columns one after the other as little-endian 64-bit floats, the target last.
"""

import gzip
import os
import sys

import numpy as np

NOMINAL = [2, 5, 20, 100, 1000]


def gaussian(rng, rows, columns):
    """Two classes whose first two columns differ by one standard deviation."""
    y = rng.integers(0, 2, rows)
    X = rng.standard_normal((rows, columns))
    X[:, :2] += y[:, None]
    return X, y


def noise(rng, rows, columns):
    """Labels that depend on nothing: the deepest and largest trees."""
    X = rng.standard_normal((rows, columns))
    return X, rng.integers(0, 2, rows)


def numbers(rng, rows, columns):
    """A number with noise; a full tree has about as many leaves as rows."""
    X = rng.standard_normal((rows, columns))
    return X, X[:, 0] * X[:, 1] + X[:, 2] + rng.standard_normal(rows)


def mixed(rng, rows, columns):
    """Nominal columns of 2 to 1,000 values, then numbers; a tenth of the cells is missing. Gives columns of text."""
    score = np.zeros(rows)
    cells = []
    for levels in NOMINAL:
        codes = rng.integers(0, levels, rows)
        effect = rng.standard_normal(levels) * (levels <= 100)
        score += effect[codes]
        cells.append(np.array([f"v{level}" for level in range(levels)], dtype=object)[codes])
    for i in range(columns - len(NOMINAL)):
        values = rng.standard_normal(rows)
        score += values if i < 2 else 0
        cells.append(np.array([f"{value:.6f}" for value in values], dtype=object))
    for column in cells:
        column[rng.random(rows) < 0.1] = "?"
    score += rng.standard_normal(rows)
    cells.append(np.where(score > 0, "yes", "no").astype(object))
    return cells


def covtype(source):
    with gzip.open(source, "rt") as lines:
        for line in lines:
            if line.lower().startswith("@data"):
                break
        table = np.loadtxt(lines, delimiter=",")
    return table[:, :-1], table[:, -1]


def write_raw(X, y, path):
    with open(path, "wb") as out:
        for column in [*X.T, y]:
            np.ascontiguousarray(column, dtype="<f8").tofile(out)


def write_text(columns, nominal, path):
    """CSV with a header of names, or ARFF with one of types; `nominal` has the values of a column, or None."""
    names = [f"x{i}" for i in range(len(columns) - 1)] + ["class"]
    with open(path, "w") as out:
        if path.endswith(".csv.part"):
            out.write(",".join(names) + "\n")
        else:
            out.write("@relation table\n")
            for name, values in zip(names, nominal):
                out.write(f"@attribute {name} {'{' + ','.join(values) + '}' if values else 'numeric'}\n")
            out.write("@data\n")
        for start in range(0, len(columns[0]), 10_000):
            part = [column[start:start + 10_000] for column in columns]
            out.write("".join(",".join(row) + "\n" for row in zip(*part)))


def main():
    kind, rows, columns, path, source = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]
    part = path + ".part"
    rng = np.random.default_rng(rows)
    if kind == "mixed":
        cells = mixed(rng, rows, columns)
        counts = [*NOMINAL, *[0] * (columns - len(NOMINAL))]
        values = [[f"v{level}" for level in range(count)] for count in counts] + [["yes", "no"]]
        write_text(cells, values, part)
    else:
        X, y = covtype(source) if kind == "covtype" else globals()[kind](rng, rows, columns)
        if path.endswith(".raw"):
            write_raw(X, y, part)
        elif path.endswith(".parquet"):
            import pyarrow as pa
            import pyarrow.parquet as pq

            labels = pa.array([f"c{int(label)}" for label in y])
            names = [f"x{i}" for i in range(columns)] + ["class"]
            pq.write_table(pa.table([*[pa.array(column) for column in X.T], labels], names=names), part)
        else:
            text = [[f"{value:.6f}" for value in column] for column in X.T]
            text.append([f"{value:.6f}" for value in y] if kind == "numbers" else [f"c{int(label)}" for label in y])
            classes = [] if kind == "numbers" else sorted(set(text[-1]))
            write_text(text, [[]] * columns + [classes], part)
    os.replace(part, path)


if __name__ == "__main__":
    main()
