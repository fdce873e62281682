"""Trees of other programs say the same here."""

import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_wine, make_classification
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from secateur import TreeClassifier, TreeRegressor, from_rpart, from_sklearn
from secateur._foreign import _below

R = shutil.which("Rscript")

JSON = """
library(rpart)
# What jsonlite::toJSON writes, for those who do not have it.
toJSON <- function(x, digits) {
  put <- function(parts, a, b) paste0(a, paste(unlist(parts), collapse = ","), b)
  if (is.null(x)) "{}"
  else if (is.data.frame(x)) put(lapply(seq_len(nrow(x)), function(i) put(lapply(names(x), function(name) {
    col <- x[[name]]
    cell <- if (is.matrix(col)) toJSON(col[i, ]) else sub("^.(.*).$", "\\\\1", toJSON(col[i]))
    paste0('"', name, '":', cell) }), "{", "}")), "[", "]")
  else if (is.matrix(x)) put(lapply(seq_len(nrow(x)), function(i) toJSON(x[i, ])), "[", "]")
  else if (is.list(x)) put(lapply(names(x), function(name) paste0('"', name, '":', toJSON(x[[name]]))), "{", "}")
  else if (is.numeric(x)) put(format(unname(x), digits = 17, trim = TRUE), "[", "]")
  else put(paste0('"', as.character(x), '"'), "[", "]")
}
d <- read.csv("DATA", stringsAsFactors = TRUE)
fit <- rpart(TARGET ~ ., d, cp = 0.001)
cat(toJSON(list(
  method = fit$method, target = as.character(fit$terms[[2]]),
  variables = attr(fit$terms, "term.labels"),
  frame = cbind(node = as.integer(row.names(fit$frame)), fit$frame),
  splits = cbind(data.frame(var = rownames(fit$splits)), fit$splits), csplit = fit$csplit,
  xlevels = attr(fit, "xlevels"), ylevels = attr(fit, "ylevels")), digits = NA), file = "OUT.json")
write.csv(predict(fit), "OUT.csv", row.names = FALSE)
"""


def test_classes_of_scikit_learn(rng):
    X, y = load_wine(return_X_y=True, as_frame=True)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y, sample_weight=rng.integers(1, 4, len(y)))
    ours = from_sklearn(theirs)
    assert isinstance(ours, TreeClassifier) and ours.get_n_leaves() == theirs.get_n_leaves()
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)
    assert "proline" in ours.rules()


def test_numbers_of_scikit_learn():
    X, y = load_diabetes(return_X_y=True)
    theirs = DecisionTreeRegressor(min_samples_leaf=5, random_state=0).fit(X, y)
    ours = from_sklearn(theirs)
    assert isinstance(ours, TreeRegressor)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    assert ours.prune("cost-complexity:alpha=100").get_n_leaves() < ours.get_n_leaves()
    with pytest.raises(ValueError, match="criterion"):
        from_sklearn(DecisionTreeRegressor(criterion="absolute_error").fit(X[:20], y[:20]))


def test_values_at_the_very_border_go_the_same_way():
    X, y = make_classification(300, random_state=3)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    ours = from_sklearn(theirs)
    inner = theirs.tree_
    rows = []
    for feature, threshold in zip(inner.feature, inner.threshold):
        if feature >= 0:
            border = _below(threshold)
            near = [threshold, border, np.nextafter(border, -np.inf), np.nextafter(border, np.inf), np.float32(threshold)]
            for value in near:
                row = X[0].copy()
                row[feature] = value
                rows.append(row)
    np.testing.assert_array_equal(ours.apply(rows) >= 0, True)
    np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), atol=1e-12)


@pytest.mark.parametrize("trained", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_trees_that_were_grown_with_missing_values(trained, rng):
    X = rng.normal(size=(400, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[rng.random(X.shape) < 0.2] = np.nan
    theirs = trained(random_state=0, max_depth=6).fit(X, y)
    ours = from_sklearn(theirs)
    # Rows the tree has not seen, with more of them missing.
    fresh = rng.normal(size=(1000, 3))
    fresh[rng.random(fresh.shape) < 0.4] = np.nan
    for rows in (X, fresh):
        np.testing.assert_allclose(ours.predict(rows), theirs.predict(rows))
        if trained is DecisionTreeClassifier:
            np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows))
    # Every row reaches one leaf.
    row = np.full((1, 3), np.nan)
    assert ours.decision_path(row).sum() == theirs.decision_path(row).sum()
    # Or a missing value goes down both branches in proportion.
    shared = from_sklearn(theirs, missing=False)
    complete = ~np.isnan(X).any(axis=1)
    np.testing.assert_allclose(shared.predict(X[complete]), theirs.predict(X[complete]))
    assert shared.decision_path(row).sum() > theirs.tree_.max_depth + 1


def test_missing_values_that_no_tree_has_seen_go_to_the_larger_branch(rng):
    X, y = make_classification(300, random_state=3)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    X[rng.random(X.shape) < 0.2] = np.nan
    np.testing.assert_allclose(from_sklearn(theirs).predict_proba(X), theirs.predict_proba(X))


def test_splits_of_known_values_from_missing_ones():
    X = np.where(np.arange(40) % 2 == 0, np.nan, 1.0)[:, None]
    theirs = DecisionTreeClassifier().fit(X, np.arange(40) % 2)
    assert np.isinf(theirs.tree_.threshold[0])
    for ours in (from_sklearn(theirs), from_sklearn(theirs, missing=False)):
        rows = np.array([[1.0], [np.nan], [-1e300], [3e38]])
        np.testing.assert_array_equal(ours.predict_proba(rows), theirs.predict_proba(rows.clip(-1e38, 1e38)))
        assert "is known" in str(ours) and "is missing" in str(ours)


@pytest.mark.skipif(R is None, reason="R is not there")
@pytest.mark.parametrize("regression", [False, True])
def test_trees_of_rpart(tmp_path, rng, regression):
    n = 400
    table = pd.DataFrame({"size": rng.normal(size=n), "job": rng.choice(["smith", "clerk", "nurse", "baker"], n)})
    score = table["size"] + (table["job"].isin(["smith", "nurse"])) + rng.normal(scale=0.4, size=n)
    table["out"] = score if regression else np.where(score > 0.5, "yes", "no")
    table.to_csv(tmp_path / "data.csv", index=False, float_format="%.17g")
    script = JSON.replace("DATA", str(tmp_path / "data.csv")).replace("TARGET", "out").replace("OUT", str(tmp_path / "out"))
    done = subprocess.run([R, "-e", script], capture_output=True, text=True)
    if "there is no package" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    tree = from_rpart((tmp_path / "out.json").read_text())
    expected = pd.read_csv(tmp_path / "out.csv").to_numpy()
    X = table[["size", "job"]]
    assert tree.get_n_leaves() > 3 and "smith" in tree.rules()
    if regression:
        np.testing.assert_allclose(tree.predict(X), expected[:, 0])
    else:
        np.testing.assert_allclose(tree.predict_proba(X), expected)
