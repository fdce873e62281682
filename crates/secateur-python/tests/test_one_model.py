"""One model, every reader: the same rows give the same predictions, from files and from what Python holds."""

import datetime as dt
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import secateur
from secateur import TreeClassifier

TEXTS = ["NA", "EU", "?", "US", "NaN", None, "nan", "", "N/A"]


def rows(count, texts, seed):
    """Rows whose class follows from a text for the most part; the first ``texts`` of all occur."""
    mixed = [(i + seed) * 7919 % 1013 for i in range(count)]
    return pd.DataFrame(
        {
            "text": pd.Series([TEXTS[m % texts] for m in mixed], dtype=object),
            "flag": pd.array([[True, False, None][m // 9 % 3] for m in mixed], dtype="boolean"),
            "number": [float("nan") if m % 11 == 0 else m % 17 / 4 for m in mixed],
            "class": [m % texts % 2 == 0 for m in mixed],
        }
    )


def written(table, folder, name):
    """The table in every format; in CSV only two quotes with nothing between them are a text."""
    def cell(value):
        return '""' if isinstance(value, str) and value == "" else "" if value is None or value is pd.NA or value != value else str(value)

    lines = [",".join(table.columns)] + [
        ",".join(cell(value).upper() if isinstance(value, (bool, np.bool_)) else cell(value) for value in row)
        for row in table.astype(object).itertuples(index=False)
    ]
    (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    objects = [
        {key: None if value is None or value is pd.NA or value != value else value for key, value in row.items()}
        for row in table.astype(object).to_dict("records")
    ]
    (folder / f"{name}.json").write_text(json.dumps(objects))
    pq.write_table(pa.table({c: pa.array([o[c] for o in objects]) for c in table.columns}), folder / f"{name}.parquet")
    return pa.table({c: pa.array([o[c] for o in objects]) for c in table.columns})


@pytest.mark.parametrize("kind", ["csv", "json", "parquet", "memory"])
def test_every_container_is_read_as_the_model_says(tmp_path, kind):
    train, new = rows(240, 7, 1), rows(120, 9, 51)
    written(train, tmp_path, "train")
    arrow = written(new, tmp_path, "new").drop_columns("class")
    scheme = "cart:missing=branch,min-leaf=1"
    if kind == "memory":
        tree = TreeClassifier(scheme, handle_unknown="missing").fit(train.drop(columns="class"), train["class"])
    else:
        tree = secateur.fit_file(tmp_path / f"train.{kind}", scheme=scheme)
        tree.set_params(handle_unknown="missing")
    frame = new.drop(columns="class")
    expected = tree.predict_proba(frame)
    for other in (arrow, pl.from_arrow(arrow), frame.convert_dtypes()):
        np.testing.assert_array_equal(tree.predict_proba(other), expected)
    one_by_one = np.concatenate([tree.predict_proba(frame[i : i + 1]) for i in range(len(frame))])
    np.testing.assert_array_equal(one_by_one, expected)
    # What is missing in a file without types is missing here, and what is a value in one with types is one here.
    na = pd.DataFrame({"text": ["NA", None], "flag": pd.array([True, True], dtype="boolean"), "number": [1.0, 1.0]})
    same = np.array_equal(*tree.predict_proba(na))
    assert same == (kind == "csv")
    assert tree.score(frame, new["class"]) == tree.score(frame, new["class"].astype(str).str.upper().to_numpy(dtype=object)) > 0.4


def test_a_number_that_is_missing_in_the_file_is_missing_here(tmp_path, rng):
    x = np.where(rng.random(200) < 0.3, -999.0, rng.random(200))
    pd.DataFrame({"x": x, "y": np.where((x > 0.5) | (x < 0), "a", "b")}).to_csv(tmp_path / "t.csv", index=False)
    tree = secateur.fit_file(tmp_path / "t.csv", scheme="cart:missing=branch")
    model = json.loads(tree.model_.to_json())
    model["reading"] = {"missing": ["-999"]}
    (tmp_path / "m.json").write_text(json.dumps(model))
    again = TreeClassifier.load(tmp_path / "m.json")
    for many in (1, 100):
        gone = again.predict_proba(pd.DataFrame({"x": [-999.0] * many}))
        np.testing.assert_array_equal(gone, again.predict_proba(pd.DataFrame({"x": [np.nan] * many})))
        np.testing.assert_array_equal(gone, again.predict_proba(np.full((many, 1), -999.0)))


def test_plain_numbers_are_no_dates():
    days = pd.Series(pd.date_range("2020-01-01", periods=100))
    tree = TreeClassifier("cart").fit(pd.DataFrame({"day": days}), np.arange(100) > 50)
    assert tree.score(pd.DataFrame({"day": days}), np.arange(100) > 50) == 1
    milliseconds = days.astype("datetime64[ms]").astype(np.int64)
    for wrong in (milliseconds, milliseconds.astype(float)):
        for many in (1, 100):
            with pytest.raises(ValueError, match="plain numbers"):
                tree.predict(pd.DataFrame({"day": wrong[:many]}))
        with pytest.raises(ValueError, match="plain numbers"):
            tree.predict(wrong.to_numpy()[:, None])
        with pytest.raises(ValueError, match="plain numbers"):
            tree.predict(pl.DataFrame({"day": wrong.to_numpy()}))
    with pytest.raises(ValueError, match="time"):
        tree.predict(pd.DataFrame({"day": [dt.time(10, 30)]}))
    # Nothing at all is missing, whatever type it has.
    assert len(tree.predict(pd.DataFrame({"day": [np.nan, np.nan]}))) == 2
