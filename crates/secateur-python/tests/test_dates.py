"""A date is the same number in every container: seconds since 1970, shown as a date."""

import datetime as dt
import itertools

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from secateur import TreeClassifier

DAYS = [dt.date(2020, 1, day + 1) for day in range(8)]
TIMES = [dt.datetime(2020, 1, 1, 6 + hour, 30, 0, 250_000) for hour in range(8)]
Y = [0] * 4 + [1] * 4
TABLES = {
    "objects": pd.DataFrame({"x": DAYS}),
    "pandas": pd.DataFrame({"x": pd.to_datetime(DAYS)}),
    "pandas, nanoseconds": pd.DataFrame({"x": pd.to_datetime(DAYS).astype("datetime64[ns]")}),
    "pandas, zone": pd.DataFrame({"x": pd.to_datetime(DAYS).tz_localize("UTC").tz_convert("Asia/Tokyo")}),
    "pandas with PyArrow": pd.DataFrame({"x": pd.array(DAYS, dtype=pd.ArrowDtype(pa.date32()))}),
    "Polars": pl.DataFrame({"x": DAYS}),
    "Polars, times": pl.DataFrame({"x": [dt.datetime(d.year, d.month, d.day) for d in DAYS]}),
    "PyArrow": pa.table({"x": pa.array(DAYS, pa.date32())}),
    "PyArrow, date64": pa.table({"x": pa.array(DAYS, pa.date64())}),
}


def cells(X):
    from secateur import _table

    return _table.read(X, "test").columns.cells(0)


@pytest.mark.parametrize("one, two", list(itertools.permutations(TABLES, 2)))
def test_what_learns_from_one_container_predicts_from_another(one, two):
    tree = TreeClassifier("cart").fit(TABLES[one], Y)
    assert tree.predict(TABLES[two]).tolist() == Y
    np.testing.assert_array_equal(cells(TABLES[one]), cells(TABLES[two]))


def test_the_unit_is_a_second():
    assert cells(pl.DataFrame({"x": [dt.date(1970, 1, 2)]}))[0] == 86400
    assert cells(np.array([["1970-01-02"]], dtype="datetime64[D]"))[0] == 86400
    assert cells(pd.DataFrame({"x": [dt.time(0, 1, 0, 500_000), None]}))[0] == 60.5
    assert cells(pd.DataFrame({"x": [dt.timedelta(minutes=1), None]}))[0] == 60
    assert np.isnan(cells(pd.DataFrame({"x": [None, dt.date(1970, 1, 2)]}))[0])


def test_times_are_the_same_in_every_unit():
    expected = cells(pl.DataFrame({"x": TIMES}))
    for unit in ("ms", "us", "ns"):
        np.testing.assert_array_equal(cells(pd.DataFrame({"x": pd.Series(TIMES).astype(f"datetime64[{unit}]")})), expected)
        np.testing.assert_array_equal(cells(pl.DataFrame({"x": pl.Series(TIMES).cast(pl.Datetime(unit))})), expected)
        np.testing.assert_array_equal(cells(np.array(TIMES, dtype=f"datetime64[{unit}]")[:, None]), expected)
    np.testing.assert_array_equal(cells(pd.DataFrame({"x": pd.Series(TIMES, dtype=object)})), expected)


def test_dates_are_told_as_dates():
    for name in ("objects", "pandas with PyArrow", "Polars", "PyArrow"):
        tree = TreeClassifier("cart").fit(TABLES[name], Y)
        assert "x ≥ 2020-01-05" in str(tree) and "2020-01-05" in tree.rules() and "2020-01-05" in tree.to_html()
        assert tree.to_frame()["test"].tolist()[1:] == ["x < 2020-01-05", "x ≥ 2020-01-05"]
        assert "x < 2020-01-05  (it is 2020-01-01)" in str(tree.explain(TABLES[name][:1]))


@pytest.mark.filterwarnings("ignore:X .*feature names:UserWarning")
@pytest.mark.parametrize("rows", [1, 3, 200], ids="{} rows".format)
def test_plain_numbers_are_refused_where_the_tree_was_grown_with_dates(rows):
    numbers = np.arange(rows)[:, None]
    for learned in (TABLES["pandas"], TABLES["Polars"], np.array(DAYS, dtype="datetime64[D]")[:, None]):
        tree = TreeClassifier("cart/cost-complexity:cv=2").fit(learned, Y)
        for asked in (numbers, numbers.astype(float), numbers.tolist(), pd.DataFrame(numbers, columns=[name for name, _ in tree.model_.attributes])):
            methods = (tree.predict, tree.predict_proba, tree.apply, tree.decision_path, tree.predict_set, tree.explain)
            for method in methods[: None if rows == 1 else -1]:
                # A row alone, where that is what is asked about.
                asked = asked[0] if method == tree.explain and isinstance(asked, list) else asked
                with pytest.raises(ValueError, match="grown with values of the type date.*plain numbers; convert it first"):
                    method(asked)
