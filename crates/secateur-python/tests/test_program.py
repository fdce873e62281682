"""The package and the program make the same trees, byte for byte."""

import subprocess

import pandas as pd
import polars as pl
import pytest

import secateur
from secateur import TreeClassifier, TreeRegressor, load_builtin


def model_of(program, tmp_path, *arguments):
    out = tmp_path / "program.json"
    subprocess.run([program, "fit", *arguments, "-q", "-o", str(out)], check=True, stdout=subprocess.DEVNULL)
    return out.read_bytes()


def saved(tree, tmp_path, name):
    """A model of the package, as of a file: there a text such as ``NA`` is a missing value, in a data frame it is what it is."""
    tree.save(tmp_path / "package.json", data=name)
    return (tmp_path / "package.json").read_bytes().replace(b'"reading": {"keep_na":true},\n', b"")


@pytest.mark.parametrize(
    "scheme", ["cart/cost-complexity:cv=10,1se", "c45/error-based", "best-first/post:cv=5", "cart/reduced-error", "id3"]
)
@pytest.mark.parametrize("seed", [1, 7])
def test_built_in_tables(program, tmp_path, scheme, seed):
    X, y = load_builtin("credit?n=500")
    name = "builtin:credit?n=500"
    theirs = model_of(program, tmp_path, name, "--scheme", scheme, "--seed", str(seed))
    ours = TreeClassifier(scheme, random_state=seed).fit(X, y)
    assert saved(ours, tmp_path, "credit?n=500" if b'"data": "credit' in theirs else name) == theirs


def test_the_default_scheme(program, tmp_path):
    X, y = load_builtin("iris")
    theirs = model_of(program, tmp_path, "builtin:iris")
    assert saved(TreeClassifier().fit(X, y), tmp_path, "builtin:iris") in (theirs, theirs.replace(b"builtin:", b""))


def test_versions_are_the_same(program):
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    assert said.split()[-1] == secateur.__version__


@pytest.mark.parametrize("read", [pd.read_csv, pl.read_csv])
def test_tables_from_a_file(program, tmp_path, read):
    X, y = load_builtin("credit?n=300")
    path = tmp_path / "credit.csv"
    X.assign(**{y.name: y}).to_csv(path, index=False)
    table = read(path)
    target = table[y.name]
    features = table.drop(columns=[y.name]) if isinstance(table, pd.DataFrame) else table.drop(y.name)
    ours = TreeClassifier("c45/mdl").fit(features, target)
    assert saved(ours, tmp_path, str(path)) == model_of(program, tmp_path, str(path), "--scheme", "c45/mdl")


def test_numbers_with_weights(program, tmp_path, rng):
    table = pd.DataFrame({"a": rng.normal(size=200), "b": rng.integers(0, 5, 200), "w": rng.integers(1, 4, 200)})
    table["y"] = table["a"] ** 2 + table["b"]
    path = tmp_path / "numbers.csv"
    table.to_csv(path, index=False, float_format="%.17g")
    theirs = model_of(program, tmp_path, str(path), "--weights", "w", "--target", "y", "--seed", "3")
    tree = TreeRegressor(random_state=3).fit(table[["a", "b"]], table["y"], sample_weight=table["w"])
    assert saved(tree, tmp_path, str(path)) == theirs


def test_the_program_reads_what_the_package_saves(program, tmp_path):
    X, y = load_builtin("iris")
    TreeClassifier("cart").fit(X, y).save(tmp_path / "tree.json")
    shown = subprocess.run([program, "show", str(tmp_path / "tree.json")], check=True, capture_output=True, text=True)
    assert "petallength" in shown.stdout
