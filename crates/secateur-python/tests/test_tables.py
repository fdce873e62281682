"""Tables of every kind give the same tree, and names come back in every text."""

import datetime
import decimal
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from secateur import TreeClassifier, TreeRegressor, load_builtin

COLUMNS = {
    "age": [23.0, 35.0, None, 52.0, 41.0, 19.0, 64.0, 30.0],
    "job": ["clerk", "nurse", "clerk", None, "smith", "smith", "nurse", "a name longer than twelve bytes"],
    "owner": [True, False, None, True, False, True, True, False],
    "rooms": [1, 2, 3, 4, 5, 6, 7, 8],
}
TARGET = ["no", "yes", "yes", "no", "yes", "no", "yes", "no"]
CART = "cart/cost-complexity:alpha=0"


def fitted(X, y=TARGET, scheme=CART):
    return TreeClassifier(scheme).fit(X, y)


def without_name(tree):
    return tree.model_.to_json()


@pytest.fixture(scope="module")
def reference():
    return fitted(pa.table(COLUMNS))


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(COLUMNS),
        pd.DataFrame(COLUMNS).convert_dtypes(),
        pd.DataFrame(COLUMNS).convert_dtypes(dtype_backend="pyarrow"),
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).with_columns(pl.col("job").cast(pl.Categorical)),
        pl.concat([pl.DataFrame(COLUMNS)[:3], pl.DataFrame(COLUMNS)[3:]], rechunk=False),
        pa.table(COLUMNS).to_batches()[0],
        pa.concat_tables([pa.table(COLUMNS).slice(0, 3), pa.table(COLUMNS).slice(3)]),
        pa.table({**COLUMNS, "job": pa.array(COLUMNS["job"]).dictionary_encode()}),
        pa.table({**COLUMNS, "job": pa.array(COLUMNS["job"], pa.large_string())}),
        pa.table({**COLUMNS, "job": pa.array(COLUMNS["job"], pa.string_view())}),
        pa.table({**COLUMNS, "rooms": pa.array(COLUMNS["rooms"], pa.int8())}),
        pa.table({**COLUMNS, "age": pa.array(COLUMNS["age"], pa.float32())}),
    ],
    ids=lambda table: type(table).__module__.split(".")[0],
)
def test_frames_of_every_kind_give_the_same_tree(table, reference):
    tree = fitted(table)
    assert without_name(tree) == without_name(reference)
    assert list(tree.feature_names_in_) == list(COLUMNS)
    np.testing.assert_array_equal(tree.predict_proba(table), reference.predict_proba(pa.table(COLUMNS)))
    assert list(tree.predict(table)) == TARGET or tree.score(table, TARGET) >= 0.75


def test_slices_begin_where_they_begin(reference):
    whole = pl.DataFrame(COLUMNS)
    np.testing.assert_array_equal(reference.predict_proba(whole[3:6]), reference.predict_proba(whole)[3:6])
    table = pa.table(COLUMNS)
    np.testing.assert_array_equal(reference.predict_proba(table.slice(3, 3)), reference.predict_proba(table)[3:6])
    batch = table.to_batches()[0].slice(5, 2)
    np.testing.assert_array_equal(reference.predict_proba(batch), reference.predict_proba(table)[5:7])


@pytest.mark.parametrize(
    "column, cells",
    [
        (pa.array([1, 2, None, 4], pa.uint64()), [1, 2, np.nan, 4]),
        (pa.array([1, 2, None, 4], pa.int16()), [1, 2, np.nan, 4]),
        (pa.array(np.array([0.5, -2, 1e-7, 65504], np.float16)), [0.5, -2, float(np.float16(1e-7)), 65504]),
        (pa.array([decimal.Decimal("1.25"), None, decimal.Decimal("-3.5"), 0], pa.decimal128(10, 2)), [1.25, np.nan, -3.5, 0]),
        (pa.array([decimal.Decimal("1.25"), None], pa.decimal256(50, 2)), [1.25, np.nan]),
        (pa.array([datetime.date(1970, 1, 11), None], pa.date32()), [864000, np.nan]),
        (pa.array([datetime.datetime(1970, 1, 1, 0, 0, 1, 500000), None], pa.timestamp("us")), [1.5, np.nan]),
        (pa.array([datetime.timedelta(minutes=1)], pa.duration("ms")), [60]),
        (pa.array([datetime.time(0, 1)], pa.time32("s")), [60]),
        (pa.nulls(2), [np.nan, np.nan]),
    ],
)
def test_arrow_types_become_numbers(column, cells):
    from secateur import _native

    columns = _native.Columns()
    assert columns.add_arrow(pa.table({"x": column})) == (["x"], True)
    np.testing.assert_array_equal(columns.cells(0), np.array(cells, dtype=float))


def test_arrow_columns_of_text_and_booleans_have_codes():
    from secateur import _native

    columns = _native.Columns()
    text = pa.array(["?", "b", None, "?"])
    coded = pa.DictionaryArray.from_arrays(pa.array([1, 0, 1, None], pa.uint8()), pa.array([True, False]))
    batch = pa.record_batch({"text": text, "coded": coded})
    columns.add_arrow(pa.Table.from_batches([batch.slice(0, 1), batch.slice(1)]))
    assert columns.levels(0) == (["?", "b"], [0, 1, -1, 0])
    assert columns.levels(1) == (["false", "true"], [0, 1, 0, -1])


@pytest.mark.parametrize("column", [pa.array([1.5, 2.5]), pa.chunked_array([[1.5], [2.5]]), pl.Series([1.5, 2.5])])
def test_one_arrow_column_is_no_table(column):
    from secateur import _native

    columns = _native.Columns()
    assert columns.add_arrow(column)[1] is False
    np.testing.assert_array_equal(columns.cells(0), [1.5, 2.5])
    with pytest.raises(ValueError, match="Expected 2D array"):
        fitted(column, ["a", "b"])


def test_an_arrow_number_must_be_finite():
    with pytest.raises(ValueError, match="column 'x': row 2 is inf; expected a finite number"):
        fitted(pa.table({"x": [1.0, np.inf]}), ["a", "b"])


def test_damaged_arrow_data_are_refused():
    wrong = pa.StringArray.from_buffers(1, pa.array([0, 1], pa.int32()).buffers()[1], pa.py_buffer(b"\xff"))
    with pytest.raises(ValueError, match="column 'x': .*UTF"):
        fitted(pa.table({"x": wrong}), ["a"])
    places = pa.DictionaryArray.from_arrays(pa.array([5], pa.int32()), pa.array(["a"]), safe=False)
    with pytest.raises(ValueError, match="column 'x': "):
        fitted(pa.table({"x": places}), ["a"])


def test_arrow_types_that_are_no_cells_are_refused():
    with pytest.raises(TypeError, match="column 'x'.*not supported"):
        fitted(pa.table({"x": [[1], [2]]}), ["a", "b"])


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.int64, np.uint16, np.float16])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_every_type_and_order(dtype, order, rng):
    plain = rng.integers(0, 2, size=(40, 3)).astype(float)
    y = (plain[:, 0] + plain[:, 1] > 1).astype(int)
    X = np.array(plain, dtype=dtype, order=order)
    assert fitted(X, y).model_.to_json() == fitted(plain, y).model_.to_json()
    # Strides of any kind.
    assert fitted(X[::-1, ::-1][::-1, ::-1], y).model_.to_json() == fitted(plain, y).model_.to_json()
    swapped = plain.astype(">f8")
    assert fitted(swapped, y).model_.to_json() == fitted(plain, y).model_.to_json()


@pytest.mark.parametrize("scheme", ["cart:max-depth=6", "cart:max-depth=4/cost-complexity:cv=3", "cart:max-depth=4,bins=64"])
def test_large_arrays_of_every_type_and_order(scheme, rng):
    """Large arrays in one piece are read where they are; the others are copied. All give one model, on any number of threads."""
    X = rng.normal(size=(1 << 16, 5)).astype(np.float32)
    X[:, 1] = np.round(X[:, 1])
    X[rng.random(X.shape) < 0.01] = np.nan
    y = np.where(X[:, 0] > X[:, 1], "low", "high")
    apart = np.repeat(X, 2, axis=1)[:, ::2]
    kept = X.copy()
    columns = pd.DataFrame({f"x{i}": X[:, i] for i in range(5)})
    given = [X, np.asfortranarray(X), X.astype(np.float64), np.asfortranarray(X.astype(np.float64)), apart, X[:, ::-1][:, ::-1], columns]
    models = {TreeClassifier(scheme, n_jobs=jobs).fit(table, y).model_.to_json() for jobs in (1, 2) for table in given}
    assert len(models) == 1
    np.testing.assert_array_equal(X, kept)


@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_large_array_must_be_finite(dtype, infinite, rng):
    X = rng.normal(size=(1 << 16, 3)).astype(dtype)
    X[7, 2] = infinite
    for order in "CF":
        with pytest.raises(ValueError, match="'x2': row 8 is -?inf"):
            TreeClassifier("cart").fit(np.array(X, order=order), rng.integers(0, 2, 1 << 16))


def test_booleans_and_categories_mean_the_same_everywhere():
    flags, numbers, y = [True, False, True, False], [7, 8, 7, 8], [0, 1, 0, 1]
    of_flags = {
        "NumPy": np.array(flags)[:, None],
        "objects": np.array(flags, dtype=object)[:, None],
        "pandas": pd.DataFrame({"x0": flags}),
        "Polars": pl.DataFrame({"x0": flags}),
        "PyArrow": pa.table({"x0": flags}),
    }
    of_categories = {
        "pandas": pd.DataFrame({"x0": pd.Categorical(numbers)}),
        "PyArrow": pa.table({"x0": pa.array(numbers).dictionary_encode()}),
    }
    for tables, values in ((of_flags, ["false", "true"]), (of_categories, ["7", "8"])):
        for one in tables.values():
            tree = fitted(one, y)
            assert tree.model_.attributes == [("x0", values)]
            for other in tables.values():
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", UserWarning)
                    assert tree.predict(other).tolist() == y
    # A tree of numbers takes booleans for 0 and 1, as NumPy does.
    assert fitted(np.array([[1.0], [0.0]]), [0, 1]).predict(np.array([[True], [False]])).tolist() == [0, 1]


def test_masks_are_missing_values():
    X = np.ma.masked_invalid([[1.0, 5.0], [2.0, np.nan], [3.0, 5.0]])
    X[0, 0] = np.ma.masked
    tree = fitted(np.array([[1.0], [2.0], [3.0]]), [0, 0, 1])
    masked = np.ma.array([[1.0], [3.0]], mask=[[False], [True]])
    np.testing.assert_allclose(tree.predict_proba(masked), tree.predict_proba([[1.0], [np.nan]]))
    np.testing.assert_allclose(tree.predict_proba(np.ma.array([[1], [3]], mask=[[0], [1]])), tree.predict_proba(masked))
    with pytest.raises(ValueError, match="row 2 has no label"):
        fitted([[1.0], [2.0], [3.0]], np.ma.array([0, 1, 1], mask=[0, 1, 0]))
    with pytest.raises(ValueError, match="contains NaN"):
        TreeRegressor("cart").fit([[1.0], [2.0]], np.ma.array([0.0, 1.0], mask=[0, 1]))
    with pytest.raises(ValueError, match="sample_weight"):
        TreeClassifier("cart").fit([[1.0], [2.0]], [0, 1], sample_weight=np.ma.array([1.0, 1.0], mask=[0, 1]))


@pytest.mark.parametrize(
    "values", [["a", "b", "a", "c"], [True, False, True, True], ["2020-01-01", "2020-02-01", "2020-03-01", "2020-04-01"]], ids=["text", "booleans", "dates"]
)
def test_what_is_masked_among_text_booleans_and_dates_is_no_value_of_its_own(values):
    plain = np.array(values, dtype="datetime64[D]" if values[0] == "2020-01-01" else None)[:, None]
    for array in (plain, plain.astype(object)):
        masked = np.ma.array(array, mask=[[False], [True], [False], [False]])
        cells = array.astype(object)
        cells[1, 0] = None
        tree, same = (TreeClassifier("cart").fit(X, [0, 1, 0, 1]) for X in (masked, cells))
        assert tree.model_.to_json() == same.model_.to_json()
        np.testing.assert_array_equal(tree.predict_proba(masked), same.predict_proba(cells))


def test_periods_are_dates():
    days = pd.period_range("2020-01-01", periods=12, freq="M")
    X, y = pd.DataFrame({"month": days}), [0] * 6 + [1] * 6
    tree = TreeClassifier("cart").fit(X, y)
    assert tree.model_.to_json() == TreeClassifier("cart").fit(pd.DataFrame({"month": days.to_timestamp()}), y).model_.to_json()
    assert "month < 2020-06-16" in str(tree) and tree.predict(X).tolist() == y



def test_unseen_values_are_errors_in_every_call():
    tree = fitted(pd.DataFrame({"x": ["a", "b"]}), [0, 1])
    strange = pd.DataFrame({"x": ["c"]})
    for call in (tree.predict, tree.predict_proba, tree.apply, tree.decision_path, tree.reliability, tree.explain):
        with pytest.raises(ValueError, match=r"'x'.*never seen the value 'c' \(1 row\)"):
            call(strange)
    tree.set_params(handle_unknown="missing")
    assert tree.apply(strange)[0] in (1, 2) and len(tree.explain(strange).leaves) == 2


def test_lists_and_objects():
    rows = [[1, "a"], [2, "b"], [3, "a"], [None, "b"]]
    as_list, as_array = fitted(rows, [0, 1, 0, 1]), fitted(np.array(rows, dtype=object), [0, 1, 0, 1])
    assert as_list.model_.to_json() == as_array.model_.to_json()
    assert dict(as_list.model_.attributes) == {"x0": None, "x1": ["a", "b"]}


def test_pandas_categories_keep_their_order():
    sizes = pd.Categorical(["s", "l", "m", "s"], categories=["s", "m", "l"])
    tree = fitted(pd.DataFrame({"size": sizes}), [0, 1, 1, 0])
    assert tree.model_.attributes == [("size", ["s", "m", "l"])]
    tree = fitted(pd.DataFrame({"grade": pd.Categorical([1, 2, 1, 2])}), [0, 1, 0, 1])
    assert tree.model_.attributes == [("grade", ["1", "2"])]


def test_pandas_times_and_missing_text():
    table = pd.DataFrame(
        {
            "when": pd.to_datetime(["1970-01-02", None, "1970-01-03", "1970-01-04"]),
            "zone": pd.to_datetime(["1970-01-02", None, "1970-01-03", "1970-01-04"]).tz_localize("Europe/Berlin"),
            "text": ["a", np.nan, "b", None],
        }
    )
    tree = fitted(table, [0, 0, 1, 1])
    assert dict(tree.model_.attributes)["text"] == ["a", "b"]
    assert "when" in str(tree)


def test_classes_keep_their_type():
    X = [[1.0], [2.0], [3.0]]
    for y in ([3, 1, 2], ["c", "a", "b"], [True, False, True], [0.5, 1.5, 2.5][:0] or [1.0, 2.0, 3.0]):
        tree = fitted(X, y)
        np.testing.assert_array_equal(tree.predict(X), y)
        np.testing.assert_array_equal(tree.classes_, np.unique(y))
        assert tree.predict_proba(X).argmax(axis=1).tolist() == np.searchsorted(tree.classes_, y).tolist()
    for y in (pd.Series(["c", "a", "b"], dtype="category"), pl.Series(["c", "a", "b"]), pa.array(["c", "a", "b"])):
        assert list(fitted(X, y).predict(X)) == ["c", "a", "b"]


@pytest.mark.parametrize(
    "y", [[3, 1, 2], ["3", "1", "2"], [True, False, True], [0.0, 1.0, 2.0], np.array([3, 1, 2], np.int8), pd.Series([7, 9, 8], dtype="Int64")]
)
def test_labels_keep_their_type_in_a_file(y, tmp_path):
    X = [[1.0], [2.0], [3.0]]
    tree = fitted(X, y)
    tree.save(tmp_path / "tree.json")
    again = TreeClassifier.load(tmp_path / "tree.json")
    assert again.predict(X).tolist() == tree.predict(X).tolist() == list(y)
    assert [type(label) for label in again.classes_.tolist()] == [type(label) for label in tree.classes_.tolist()]
    np.testing.assert_array_equal(again.predict_proba(X), tree.predict_proba(X))
    assert again.model_.to_json() == tree.model_.to_json()


def test_the_target_has_a_name():
    X = pd.DataFrame({"target": [1.0, 2.0], "x": [1.0, 1.0]})
    assert fitted(X, pd.Series([0, 1], name="play")).model_.target == "play"
    assert fitted(X, [0, 1]).model_.target == "target_"
    assert "target < 1.5" in fitted(X, [0, 1]).rules()


def test_columns_without_names():
    X = pd.DataFrame([[1.0, 2.0], [3.0, 4.0]])
    tree = fitted(X, [0, 1])
    assert not hasattr(tree, "feature_names_in_") and tree.model_.attributes[0][0] == "0"
    tree.predict(X)


def test_unseen_values_count_as_missing_when_asked():
    X, y = load_builtin("weather")
    tree = TreeClassifier("c45").fit(X.astype({"outlook": str}), y)
    strange = X[:1].astype({"outlook": str}).assign(outlook="snow")
    with pytest.raises(ValueError, match="'outlook'.*never seen the value 'snow'"):
        tree.predict(strange)
    known = tree.set_params(handle_unknown="missing").predict_proba(strange)
    np.testing.assert_allclose(known, tree.predict_proba(strange.assign(outlook=None)))


def test_numbers_as_targets():
    X = pl.DataFrame({"rooms": COLUMNS["rooms"]})
    tree = TreeRegressor("cart").fit(X, pl.Series("price", [1.0, 2, 3, 4, 5, 6, 7, 8]))
    assert tree.model_.target == "price"
    np.testing.assert_allclose(tree.predict(X), [1, 2, 3, 4, 5, 6, 7, 8])


def frames_of(numbers):
    names = [f"c{i}" for i in range(numbers.shape[1])]
    cells = {name: numbers[:, i] for i, name in enumerate(names)}
    return {
        "pandas": pd.DataFrame(numbers, columns=names),
        "pandas, of two types": pd.DataFrame(cells).assign(c0=lambda f: f["c0"].astype("Float64")),
        "Polars": pl.DataFrame(cells),
        "PyArrow": pa.table(cells),
    }


@pytest.mark.parametrize("rows", [1, 5, 64, 65, 700])
@pytest.mark.parametrize("tree", [TreeClassifier("cart"), TreeRegressor("cart")], ids=["classes", "numbers"])
def test_arrays_and_frames_predict_the_same(tree, rows, rng):
    X = rng.normal(size=(700, 12)).round(2)
    X[rng.random(X.shape) < 0.02] = np.nan
    y = (np.nan_to_num(X[:, 3]) + np.nan_to_num(X[:, 7]) > 0).astype(int)
    tree = tree.fit(X, y)
    X = X[:rows]
    wanted = tree.predict(X.tolist())
    leaves = tree.apply(X.tolist())
    for same in (X, np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], X.astype(">f8")):
        np.testing.assert_array_equal(tree.predict(same), wanted)
        np.testing.assert_array_equal(tree.apply(same), leaves)
    single = X.astype(np.float32)
    np.testing.assert_array_equal(tree.predict(single), tree.predict(single.astype(np.float64)))
    np.testing.assert_array_equal(tree.predict(np.asfortranarray(single)), tree.predict(single))
    for name, frame in frames_of(X).items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            np.testing.assert_array_equal(tree.predict(frame), wanted, err_msg=name)
            np.testing.assert_array_equal(tree.apply(frame), leaves, err_msg=name)


def test_columns_that_are_not_tested_are_not_read():
    X = {"a": [1.0, 2.0, 3.0, 4.0], "b": [5.0, 5.0, 5.0, 5.0], "c": [0.0, 0.0, 0.0, 0.0]}
    tree = fitted(pd.DataFrame(X), [0, 0, 1, 1])
    strange = {**X, "b": [[1]] * 4}
    for table in (pl.DataFrame(strange), pa.table(strange), pd.DataFrame(strange)):
        assert tree.predict(table).tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="column 'a'.*inf"):
        tree.predict(pl.DataFrame({**X, "a": [1.0, np.inf, 2.0, 3.0]}))
    with pytest.raises(ValueError, match="attribute 'x1'.*inf"):
        fitted([[1.0, 0.0], [2.0, 0.0]], [0, 1]).predict(np.array([[1.0, np.inf]]))


@pytest.mark.parametrize("kind", [pl.Float32, pl.Float64])
def test_numbers_of_polars_are_read_alike_in_every_way(kind, rng):
    """As a matrix where most columns are used, or column by column; in one chunk or in several, with nulls or NaN; infinite numbers are refused."""
    X = rng.normal(size=(400, 4))
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 0).astype(int)
    X[::7, 1] = np.nan
    frame = pl.DataFrame(X, schema=[(name, kind) for name in "abcd"], orient="row")
    tree = TreeClassifier("cart").fit(frame, y)
    assert sum(tree.model_.used) >= 2
    nulls = frame.with_columns(pl.all().fill_nan(None))
    parts = pl.concat([frame[:100], frame[100:]], rechunk=False)
    expected = tree.predict_proba(frame.to_arrow())
    for given in (frame, nulls, parts, frame.to_pandas()):
        np.testing.assert_array_equal(tree.predict_proba(given), expected)
    np.testing.assert_array_equal(tree.predict_proba(frame[5:6]), expected[5:6])
    np.testing.assert_array_equal(tree.apply(nulls), tree.apply(frame.to_arrow()))
    extreme = frame.with_columns(a=pl.lit(np.inf, dtype=kind))
    for given in (extreme, extreme[:1], extreme.to_arrow()):
        with pytest.raises(ValueError, match="'a': row 1 is inf"):
            tree.predict(given)
    with pytest.raises(ValueError, match="same order"):
        tree.predict(frame.select("b", "a", "c", "d"))
